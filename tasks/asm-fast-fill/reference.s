start:
wait:   lda $0600
        beq wait
fill:   lda $0601
        ldx #191
more:   sta $4000,x
        sta $40C0,x
        sta $4180,x
        sta $4240,x
        sta $4300,x
        dex
        bne more
        sta $4000
        sta $40C0
        sta $4180
        sta $4240
        sta $4300
filled: lda #0
        sta $0600
        jmp wait
