; Changes in the middle of every second line: the playfield's width, HSCROL, the character set and PRIOR, one after the other, at places that move from
; line to line. 24 scrolled lines of mode 4.
.include "hardware.inc"
SCREEN  = $4000
FONT    = $3C00

        .code
        .export start
start:  own_the_machine
        ldx #0
fill:   lda RANDOM
        sta SCREEN,x
        sta SCREEN+$100,x
        sta SCREEN+$200,x
        sta SCREEN+$300,x
        sta SCREEN+$400,x
        and #$B7
        sta FONT,x
        sta FONT+$100,x
        sta FONT+$200,x
        sta FONT+$300,x
        eor #$3C
        sta FONT-$400,x
        sta FONT-$300,x
        sta FONT-$200,x
        sta FONT-$100,x
        inx
        bne fill
        lda #$34
        sta COLPF0
        lda #$0A
        sta COLPF0+1
        lda #$94
        sta COLPF0+2
        wait_for_blank
        lda #<list
        sta DLISTL
        lda #>list
        sta DLISTH
        lda #$22
        sta DMACTL

frame:  wait_for_blank
        lda #0
        sta PRIOR
wait:   lda VCOUNT
        cmp #16
        bne wait
        ldx #96                 ; two lines each
line:   sta WSYNC
        lda #$22
        sta DMACTL
        txa
        and #3
        sta HSCROL
        lda #>FONT
        sta CHBASE
        txa                     ; some cycles later from line to line
        and #3
        tay
later:  dey
        bpl later
        lda #$21
        sta DMACTL
        txa                     ; by four or more: the fetches keep their phase, and end in the line
        and #15
        sta HSCROL
        lda #>FONT-4
        sta CHBASE
        txa
        asl
        and #$C0
        sta PRIOR
        dex
        bne line
        jmp frame

list:   .byte $70,$70,$70,$54,<SCREEN,>SCREEN
        .res 23,$14
        .byte $41,<list,>list
