start:
wait:   lda $0600
        beq wait
        ldx $0601
        lda #0
largest: cmp $0601,x
        bcs next
        lda $0601,x
next:   dex
        bne largest
        sta $0640
        lda #0
        sta $0600
        jmp wait
