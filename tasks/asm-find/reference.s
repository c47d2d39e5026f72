start:
wait:   lda $0600
        beq wait
        lda #0
        sta $CB
        lda #$40
        sta $CC
try:    lda $0601
        sec
        sbc $CB
        cmp $0602
        bcc none
        ldy #0
compare: lda ($CB),y
        cmp $4100,y
        bne next
        iny
        cpy $0602
        bne compare
        lda $CB
        sta $0603
        jmp done
next:   inc $CB
        bne try
none:   lda #255
        sta $0603
done:   lda #0
        sta $0600
        jmp wait
