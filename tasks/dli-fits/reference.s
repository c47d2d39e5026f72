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
        lda table,x
        sta WSYNC
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
table:  .byte 4, 20, 36, 52, 68, 84, 100, 116, 132, 148, 164, 180, 196, 212, 228, 244
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
