from = $CB
to = $CD
start:
wait:   lda $0600
        beq wait
        ldy #0
        sty from
        sty to
        lda #$40
        sta from+1
        lda #$50
        sta to+1
next:   jsr read
        tax
        beq done
        bmi run
copy:   jsr read
        jsr write
        dex
        bne copy
        beq next
run:    and #$7F
        tax
        jsr read
again:  jsr write
        dex
        bne again
        beq next
done:   lda to
        sta $0601
        lda to+1
        sec
        sbc #$50
        sta $0602
        lda #0
        sta $0600
        jmp wait
read:   lda (from),y
        inc from
        bne kept
        inc from+1
kept:   rts
write:  sta (to),y
        inc to
        bne stay
        inc to+1
stay:   rts
