start:  lda #0
        sta 559
        sta 710
        sta $0600
        lda #1
        sta $CB
        lda #54
        sta 704
        lda #124
        sta HPOSM0
        lda #$30
        sta PMBASE
        lda #1
        sta GRACTL
        lda #<list
        sta SDLSTL
        lda #>list
        sta SDLSTH
        lda #0
        tax
zero:   sta $3300,x
        inx
        bne zero
        ldy #<vblank
        ldx #>vblank
        lda #7
        jsr SETVBV
        lda #54
        sta 559
loop:   jmp loop
vblank: ldx $0600
        beq wait
        lda #0
        jsr draw
        lda $0600
        sec
        sbc #2
        cmp #40
        bcs fly
        lda #0
fly:    sta $0600
        jmp show
wait:   lda STRIG0
        bne show
        lda $CB
        beq show
        lda #180
        sta $0600
show:   lda STRIG0
        sta $CB
        ldx $0600
        beq done
        lda #3
        jsr draw
done:   jmp XITVBV
draw:   sta $3300,x
        sta $3301,x
        sta $3302,x
        sta $3303,x
        rts
* = $2800
list:   .byte $70, $70, $70, $41
        .word list
