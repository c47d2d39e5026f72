start:
wait:   lda $0600
        beq wait
        lda #0
        sta $0610
        sta $0611
        ldx #7
add:    clc
        lda $0601,x
        adc $0610
        sta $0610
        bcc next
        inc $0611
next:   dex
        bpl add
        lda #0
        sta $0600
        jmp wait
