start:
wait:   lda $0600
        beq wait
        ldx #0
ring:   txa
        and #$F0
        sta $CB
        txa
        sec
        sbc #1
        and #$0F
        ora $CB
        sta $4200,x
        txa
        clc
        adc #1
        and #$0F
        ora $CB
        sta $4300,x
        inx
        bne ring
life:   ldx #0
sum:    ldy $4200,x
        lda $4000,x
        clc
        adc $4000,y
        ldy $4300,x
        adc $4000,y
        sta $4100,x
        inx
        bne sum
cell:   txa
        sec
        sbc #16
        tay
        lda $4100,x
        clc
        adc $4100,y
        sta $CB
        txa
        clc
        adc #16
        tay
        lda $4100,y
        clc
        adc $CB
        cmp #3
        beq born
        cmp #4
        beq next
        lda #0
        sta $4000,x
        beq next
born:   lda #1
        sta $4000,x
next:   inx
        bne cell
        dec $0601
        bne life
        lda #0
        sta $0600
        jmp wait
