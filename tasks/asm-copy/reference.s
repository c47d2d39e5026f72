start:
wait:   lda $0600
        beq wait
        ldx $0601
        ldy #0
load:   lda $0600,x
        sta $0620,y
        inx
        iny
        cpy #8
        bne load
        ldx $0602
        ldy #0
store:  lda $0620,y
        sta $0600,x
        inx
        iny
        cpy #8
        bne store
        lda #0
        sta $0600
        jmp wait
