start:  lda #0
        sta $0600
        sta which
        lda #<list
        sta SDLSTL
        lda #>list
        sta SDLSTH
        lda #<change
        sta VDSLST
        lda #>change
        sta VDSLST+1
        lda #$C0
        sta NMIEN
loop:   ldx #17
        ldy #34
        lda #51
        nop
        nop
        cmp #51
        bne bad
        cpx #17
        bne bad
        cpy #34
        beq loop
bad:    inc $0600
        jmp loop
change: ldx which
        lda colours,x
        sta COLBK
        inx
        cpx #3
        bne keep
        ldx #0
keep:   stx which
        rti
colours: .byte 64, 198
which:  .byte 0
* = $3000
list:   .byte $70, $70, $70
        .byte $42
        .word text
        .byte 2, 2, 2, 2, 2, 2, 2, $82, 2, 2, 2, 2, 2, 2, 2, 2, 2, $82, 2, 2, 2, 2, 2
        .byte $41
        .word list
* = $4000
text:   .res 960
