start:  lda #0
        sta $0600
        sta $CB
        sta AUDCTL
        ldy #<vblank
        ldx #>vblank
        lda #7
        jsr SETVBV
count:  inc $0601
        jmp count
vblank: lda $0600
        beq done
        lda $CB
        bne playing
        sta $CC
        inc $CB
        bne note
playing: dec $CD
        bne done
note:   ldx $CC
        lda $0681,x
        beq ended
        sta $CD
        lda $0680,x
        sta AUDF1
        lda #$A8
        sta AUDC1
        inc $CC
        inc $CC
        jmp XITVBV
ended:  sta AUDC1
        sta $0600
        sta $CB
done:   jmp XITVBV
