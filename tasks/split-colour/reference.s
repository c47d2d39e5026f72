start:  lda #0
        sta 559
        lda #54
        sta $0600
        lda #184
        sta $0601
        lda #<list
        sta SDLSTL
        lda #>list
        sta SDLSTH
        lda #<split
        sta VDSLST
        lda #>split
        sta VDSLST+1
        lda #$C0
        sta NMIEN
        lda #$22
        sta 559
loop:   jmp loop
split:  pha
        txa
        pha
        tya
        pha
        ldy #64
each:   lda $0600
        ldx #10
        sta WSYNC
        sta COLBK
        lda $0601
hold:   dex
        bne hold
        nop
        nop
        nop
        nop
        sta COLBK
        dey
        bne each
        lda #0
        sta WSYNC
        sta COLBK
        pla
        tay
        pla
        tax
        pla
        rti
* = $3000
list:   .byte $70, $70, $70, $70, $70, $70, $70, $F0
        .byte $70, $70, $70, $70, $70, $70, $70, $70, $70, $70, $41
        .word list
