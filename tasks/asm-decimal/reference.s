start:
wait:   lda $0600
        beq wait
        lda $0601
        sta $CB
        lda $0602
        sta $CC
        ldx #0
digit:  ldy #48
less:   sec
        lda $CB
        sbc low,x
        sta $CD
        lda $CC
        sbc high,x
        bcc enough
        sta $CC
        lda $CD
        sta $CB
        iny
        bne less
enough: tya
        sta $0604,x
        inx
        cpx #5
        bne digit
        lda #0
        sta $0600
        jmp wait
low:    .byte <10000, <1000, <100, 10, 1
high:   .byte >10000, >1000, >100, 0, 0
