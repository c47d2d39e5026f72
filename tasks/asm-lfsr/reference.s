start:
wait:   lda $0600
        beq wait
        ldx $0603
step:   lsr $0602
        ror $0601
        bcc next
        lda $0602
        eor #$B4
        sta $0602
next:   dex
        bne step
        lda #0
        sta $0600
        jmp wait
