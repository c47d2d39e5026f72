start:
wait:   lda $0600
        beq wait
        sed
        clc
        ldx #0
        ldy #4
add:    lda $0601,x
        adc $0605,x
        sta $0609,x
        inx
        dey
        bne add
        cld
        lda #0
        rol
        sta $060D
        lda #0
        sta $0600
        jmp wait
