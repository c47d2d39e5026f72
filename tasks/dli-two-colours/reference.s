start:  lda #<list
        sta SDLSTL
        lda #>list
        sta SDLSTH
        lda #148
        sta 710
        lda #0
        sta $0600
        lda #<change
        sta VDSLST
        lda #>change
        sta VDSLST+1
        lda #$C0
        sta NMIEN
check:  lda #77
        ldx #78
        ldy #79
        nop
        cmp #77
        bne bad
        cpx #78
        bne bad
        cpy #79
        beq check
bad:    inc $0600
        jmp check
change: pha
        lda #52
        sta WSYNC
        sta COLPF2
        pla
        rti
* = $3000
list:   .byte $70, $70, $70
        .byte $42
        .word text
        .byte 2, 2, 2, 2, 2, 2, $82, 2, 2, 2, 2, 2, 2, 2
        .byte $41
        .word list
* = $4000
text:   .res 640
