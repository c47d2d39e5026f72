start:
wait:   lda $0600
        beq wait
        lda $0601
        adc $0603
        sta $0605
        lda $0602
        clc
        adc $0604
        sta $0606
        lda #0
        adc #1
        sta $0607
        lda #0
        sta $0600
        jmp wait
