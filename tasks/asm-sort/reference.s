start:
wait:   lda $0600
        beq wait
        ldx $0601
        dex
        beq done
        stx $CB
pass:   ldx #0
        ldy #0
pair:   lda $0602,x
        cmp $0603,x
        bcc next
        beq next
        ldy #1
        pha
        lda $0603,x
        sta $0602,x
        pla
        sta $0603,x
next:   inx
        cpx $CB
        bne pair
        cpy #0
        bne pass
done:
        lda #0
        sta $0600
        jmp wait
