start:  lda #0
        sta 559
        sta 710
        tax
clear:  sta $3400,x
        inx
        bne clear
        ldx #7
        lda #255
shape:  sta $3450,x
        sta $3496,x
        dex
        bpl shape
        lda #80
        sta $0600
        lda #160
        sta $0601
        lda #$30
        sta PMBASE
        lda #2
        sta GRACTL
        lda #<list
        sta SDLSTL
        lda #>list
        sta SDLSTH
        lda #<second
        sta VDSLST
        lda #>second
        sta VDSLST+1
        ldy #<first
        ldx #>first
        lda #7
        jsr SETVBV
        lda #$C0
        sta NMIEN
        lda #58
        sta 559
loop:   jmp loop
first:  lda $0600
        sta HPOSP0
        lda #54
        sta COLPM0
        sta PCOLR0
        jmp XITVBV
second: pha
        lda $0601
        sta HPOSP0
        lda #184
        sta COLPM0
        pla
        rti
* = $3000
list:   .byte $70, $70, $70, $70, $70, $70, $70, $70, $70, $70, $70, $F0
        .byte $70, $70, $70, $70, $70, $70, $70, $70, $70, $41
        .word list
