start:
wait:   lda $0600
        beq wait
        lda $0601
        sta $0604
        lda $0602
        sta $0605
        lda #0
        ldx #16
again:  asl $0604
        rol $0605
        rol
        bcs take
        cmp $0603
        bcc next
take:   sbc $0603
        inc $0604
next:   dex
        bne again
        sta $0606
        lda #0
        sta $0600
        jmp wait
