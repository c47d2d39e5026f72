start:
wait:   lda $0600
        beq wait
        lda $0601
        sta $CB
        lda #0
        ldx #8
        lsr $CB
each:   bcc shift
        clc
        adc $0602
shift:  ror
        ror $CB
        dex
        bne each
        sta $0604
        lda $CB
        sta $0603
        lda #0
        sta $0600
        jmp wait
