start:  lda #0
        sta $0600
        lda #<list
        sta SDLSTL
        lda #>list
        sta SDLSTH
        ldy #<vblank
        ldx #>vblank
        lda #7
        jsr SETVBV
loop:   jmp loop
vblank: lda $0600
        eor #$FF
        clc
        adc #1
        and #3
        sta HSCROL
        lda $0600
        clc
        adc #3
        ror
        lsr
        clc
        adc #<text
        sec
        sbc #4
        sta row+1
        jmp XITVBV
* = $3000
list:   .byte $70, $70, $70
row:    .byte $52
        .word text
        .byte $41
        .word list
* = $4008
text:   .byte $80
        .sbyte "  A  "
        .byte $80
        .sbyte "   B   "
        .byte $80
        .sbyte "    C    "
        .byte $80
        .sbyte "     D     "
        .byte $80
        .sbyte "      E      "
        .byte $80
        .sbyte "       F       "
        .byte $80
        .sbyte "        G        "
        .byte $80
        .sbyte "         H          "
