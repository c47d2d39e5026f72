start:
wait:   lda $0600
        beq wait
        ldy $0601
        lda $4000,y
        sta $CB
        ldx #0
        jsr push
pop:    cpx #0
        beq done
        dex
        lda $4100,x
        sta $CC
        and #$0F
        beq right
        ldy $CC
        dey
        jsr push
right:  lda $CC
        and #$0F
        cmp #$0F
        beq up
        ldy $CC
        iny
        jsr push
up:     lda $CC
        sec
        sbc #16
        bcc down
        tay
        jsr push
down:   lda $CC
        clc
        adc #16
        bcs pop
        tay
        jsr push
        jmp pop
push:   lda $4000,y
        cmp $CB
        bne no
        lda $0602
        sta $4000,y
        tya
        sta $4100,x
        inx
no:     rts
done:   lda #0
        sta $0600
        jmp wait
