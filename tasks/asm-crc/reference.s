start:
wait:   lda $0600
        beq wait
        lda #$FF
        sta $0602
        sta $0603
        ldy #0
byte:   lda $4000,y
        eor $0603
        sta $0603
        ldx #8
bit:    asl $0602
        rol $0603
        bcc next
        lda $0602
        eor #$21
        sta $0602
        lda $0603
        eor #$10
        sta $0603
next:   dex
        bne bit
        iny
        cpy $0601
        bne byte
        lda #0
        sta $0600
        jmp wait
