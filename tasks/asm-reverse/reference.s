start:
wait:   lda $0600
        beq wait
        ldy #0
        ldx $0601
        dex
        stx $CB
again:  cpy $CB
        bcs done
        ldx $CB
        lda $0602,y
        pha
        lda $0602,x
        sta $0602,y
        pla
        sta $0602,x
        iny
        dec $CB
        jmp again
done:
        lda #0
        sta $0600
        jmp wait
