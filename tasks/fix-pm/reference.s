start:  lda #0
        sta 559
        tax
clear:  sta $3400,x
        inx
        bne clear
        ldx #7
        lda #255
shape:  sta $3464,x
        dex
        bpl shape
        lda #54
        sta PCOLR0
        lda #120
        sta HPOSP0
        lda #$30
        sta PMBASE
        lda #2
        sta GRACTL
        lda #58
        sta 559
loop:   jmp loop
