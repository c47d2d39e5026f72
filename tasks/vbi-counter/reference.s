start:  lda #0
        sta $0600
        sta $0601
        ldy #<count
        ldx #>count
        lda #7
        jsr SETVBV
loop:   jmp loop
count:  inc $0600
        bne done
        inc $0601
done:   jmp XITVBV
