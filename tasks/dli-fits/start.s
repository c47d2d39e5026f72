start:  lda #<list
        sta SDLSTL
        lda #>list
        sta SDLSTH
        lda #<colour
        sta VDSLST
        lda #>colour
        sta VDSLST+1
below:  lda VCOUNT
        cmp #120
        bne below
        lda #$C0
        sta NMIEN
loop:   jmp loop
colour: pha
        txa
        pha
        ldx cell
        lda #4
add:    dex
        bmi set
        clc
        adc #8
        adc #8
        jmp add
set:    sta WSYNC
        sta COLBK
        ldx cell
        inx
        cpx #16
        bne keep
        ldx #0
keep:   stx cell
        pla
        tax
        pla
        rti
* = $3000
list:   .byte $70, $70, $70
        .byte $CD
        .word picture
        .byte $8D, $8D, $8D, $8D, $8D, $8D, $8D, $8D, $8D, $8D, $8D, $8D, $8D, $8D, $8D
        .byte $41
        .word list
cell:   .byte 0
* = $4000
picture: .res 640
