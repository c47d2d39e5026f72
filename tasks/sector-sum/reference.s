start:
wait:   lda $0600
        beq wait
        lda #$31
        sta $0300
        lda #1
        sta $0301
        lda #$52
        sta $0302
        lda #$40
        sta $0303
        lda #$00
        sta $0304
        lda #$40
        sta $0305
        lda #7
        sta $0306
        lda #128
        sta $0308
        lda #0
        sta $0309
        sta $0603
        sta $0604
        lda $0601
        sta $030A
        lda $0602
        sta $030B
        jsr $E459
        sty $0605
        cpy #128
        bcs done
        ldx #127
sum:    lda $4000,x
        clc
        adc $0603
        sta $0603
        bcc next
        inc $0604
next:   dex
        bpl sum
done:   lda #0
        sta $0600
        jmp wait
