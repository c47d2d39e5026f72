start:
wait:   lda $0600
        beq wait
sort:   lda #0
        tax
clear:  sta $4100,x
        inx
        bne clear
        ldy #127
count:  ldx $4000,y
        inc $4100,x
        dey
        bpl count
        iny
        ldx #0
each:   lda $4100,x
        beq next
        sta $CB
        txa
store:  sta $4000,y
        iny
        dec $CB
        bne store
next:   inx
        bne each
sorted: lda #0
        sta $0600
        jmp wait
