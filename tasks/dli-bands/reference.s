start:  lda #0
        sta 559
        tax
fill:   sta $0600,x
        clc
        adc #16
        inx
        cpx #16
        bne fill
        lda #<list
        sta SDLSTL
        lda #>list
        sta SDLSTH
        lda #<band
        sta VDSLST
        lda #>band
        sta VDSLST+1
        ldy #<again
        ldx #>again
        lda #6
        jsr SETVBV
        lda #$C0
        sta NMIEN
        lda #$22
        sta 559
loop:   jmp loop
again:  lda #0
        sta $CB
        jmp SYSVBV
band:   pha
        txa
        pha
        ldx $CB
        lda $0600,x
        sta WSYNC
        sta COLBK
        inc $CB
        pla
        tax
        pla
        rti
* = $3000
list:   .byte $70, $70, $F0
        .byte $F0, $F0, $F0, $F0, $F0, $F0, $F0, $F0, $F0, $F0, $F0, $F0, $F0, $F0, $F0
        .byte $70, $41
        .word list
