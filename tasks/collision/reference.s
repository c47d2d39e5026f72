start:  lda #0
        sta 559
        sta $0600
        sta $0601
        tax
clear:  sta $3400,x
        inx
        bne clear
        ldx #7
        lda #255
shape:  sta $3464,x
        dex
        bpl shape
        lda #60
        sta $0602
        lda #54
        sta 704
        lda #$30
        sta PMBASE
        lda #2
        sta GRACTL
        lda #<list
        sta SDLSTL
        lda #>list
        sta SDLSTH
        lda #58
        sta 559
next:   lda $14
same:   cmp $14
        beq same
        lda $D004
        sta HITCLR
        and #15
        beq apart
        lda $0600
        bne touch
        inc $0601
touch:  lda #1
apart:  sta $0600
        lda $0602
        sta HPOSP0
        jmp next
* = $2800
list:   .byte $70, $70, $70, $70, $70, $70, $70, $70, $70, $70, $70, $4D
        .word bar
        .byte $0D, $0D, $0D, $41
        .word list
* = $4000
bar:    .res 16
        .byte $FF, $FF, $FF, $FF
        .res 36
        .byte $FF, $FF, $FF, $FF
        .res 36
        .byte $FF, $FF, $FF, $FF
        .res 60
