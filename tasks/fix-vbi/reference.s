start:  lda #0
        sta $0600
        sta $0601
        sta $0602
        ldy #<count
        ldx #>count
        lda #7
        jsr SETVBV
loop:   inc $0602
        jmp loop
count:  inc $0600
        bne done
        inc $0601
done:   jmp XITVBV
