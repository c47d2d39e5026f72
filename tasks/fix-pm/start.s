start:  lda #0
        sta 559
        tax
clear:  sta $3600,x
        inx
        bne clear
        ldx #7
        lda #255
shape:  sta $3664,x
        dex
        bpl shape
        lda #54
        sta COLPM0
        lda #120
        sta HPOSP0
        lda #$32
        sta PMBASE
        lda #1
        sta GRACTL
        lda #58
        sta 559
loop:   jmp loop
