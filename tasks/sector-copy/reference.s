start:
wait:   lda $0600
        beq wait
        lda $0601
        sta $030A
        lda $0602
        sta $030B
next:   lda #1
        ldx #$52
        ldy #$40
        jsr sector
        bmi failed
        lda #2
        ldx #$57
        ldy #$80
        jsr sector
        bmi failed
        inc $030A
        bne same
        inc $030B
same:   dec $0603
        bne next
        ldy #1
failed: sty $0604
        jmp $0700
sector: sta $0301
        stx $0302
        sty $0303
        lda #$31
        sta $0300
        lda #0
        sta $0304
        sta $0309
        lda #$40
        sta $0305
        lda #15
        sta $0306
        lda #128
        sta $0308
        jmp $E459
