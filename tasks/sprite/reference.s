start:  lda #0
        sta 559
        sta 710
        tax
clear:  sta $3400,x
        inx
        bne clear
        ldx #7
        lda #255
shape:  sta $3464,x
        dex
        bpl shape
        lda #120
        sta $0600
        lda #54
        sta 704
        lda #$30
        sta PMBASE
        lda #3
        sta GRACTL
        lda #<empty
        sta SDLSTL
        lda #>empty
        sta SDLSTH
        lda #62
        sta 559
next:   lda $14
same:   cmp $14
        beq same
        lda $0600
        sta HPOSP0
        jmp next
empty:  .byte $70, $70, $70, $41
        .word empty
