start:  ldx #11
copy:   lda block,x
        sta $0300,x
        dex
        bpl copy
        jsr $E459
        bmi start
        jmp $E477
block:  .byte $31, 1, $57, $80
        .word boot
        .byte 15, 0
        .word 128, 1
* = $4000
boot:   .byte 0, 1
        .word $0700, $E474
        ldy #5
show:   lda $0713,y
        sta ($58),y
        dey
        bpl show
stop:   jmp $0710
        .sbyte "BOOTED"
        .res 102
