; A picture of more colours than registers: timer 1 interrupts once a line, over 192 lines of mode E, and changes two
; colours in the middle of it.
.include "hardware.inc"
SCREEN  = $4000
COLOURS = $3600

        .code
        .export start
start:  own_the_machine
        lda #<interrupt
        sta $FFFE
        lda #>interrupt
        sta $FFFF
        ldx #0
fill:   lda RANDOM
page:   sta SCREEN,x
        inx
        bne fill
        inc page+2
        lda page+2
        cmp #>SCREEN+$20
        bne fill
tints:  txa
        eor #$A5
        sta COLOURS,x
        inx
        bne tints
        wait_for_blank
        lda #<list
        sta DLISTL
        lda #>list
        sta DLISTH
        lda #$22
        sta DMACTL
        lda #114-4              ; a line
        sta AUDF1
        lda #0
        sta AUDC1
        lda #$40
        sta AUDCTL
        sta STIMER
        lda #1
        sta IRQEN
        ldx #0
        cli
loop:   jmp loop

interrupt:
        lda #0
        sta IRQEN
        lda #1
        sta IRQEN
        lda COLOURS,x
        sta COLPF0
        eor #$3C
        sta COLPF0+1
        inx
        rti

list:   .byte $70,$70,$70,$4E,<SCREEN,>SCREEN
        .res 101,$0E
        .byte $4E,<(SCREEN+$1000),>(SCREEN+$1000)
        .res 89,$0E
        .byte $41,<list,>list
