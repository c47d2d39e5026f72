; A picture in GTIA mode 9, 192 lines with an address and HSCROL each, over digitised sound by timer interrupts at 8 kHz. HSCROL goes from 0 to 15
; frame by frame.
.include "hardware.inc"
PICTURE = $4000                 ; 96 rows of 64 bytes
SAMPLES = $5800                 ; 8 pages
lines   = $3000                 ; the display list
ROWS    = 96
PERIOD  = 224                   ; 1.79 MHz / 224 = 7,990 Hz

        .zeropage
pack:   .res 1                  ; the next sample's half byte
frames: .res 1
row:    .res 2
from:   .res 2

        .code
        .export start
start:  own_the_machine
        lda #<interrupt
        sta $FFFE
        lda #>interrupt
        sta $FFFF
        ldx #0
        stx pack
        stx from
        ldy #32                 ; shades that run along the rows, and the samples
shade:  txa
        eor store+2
        and #$77
        adc from
store:  sta PICTURE,x
        inx
        bne shade
        inc from
        inc store+2
        dey
        bne shade
        lda #$70
        sta lines
        sta lines+1
        sta lines+2
        lda #<(lines+3)
        sta row
        lda #>(lines+3)
        sta row+1
        lda #0
        sta from
        lda #>PICTURE
        sta from+1
        ldx #ROWS
build:  jsr line                ; each row twice
        jsr line
        clc
        lda from
        adc #64
        sta from
        bcc next
        inc from+1
next:   dex
        bne build
        ldy #2
jump:   lda ending,y
        sta (row),y
        dey
        bpl jump
        lda #$30
        sta COLBK
        lda #$41
        sta PRIOR
        wait_for_blank
        lda #<lines
        sta DLISTL
        lda #>lines
        sta DLISTH
        lda #$22
        sta DMACTL
        lda #PERIOD-4
        sta AUDF1
        lda #0
        sta AUDC1
        lda #$40
        sta AUDCTL
        sta STIMER
        lda #1
        sta IRQEN
        cli

frame:  wait_for_blank
        inc frames
        lda frames
        and #15
        sta HSCROL
wait:   lda VCOUNT
        cmp #124
        beq wait
        jmp frame

line:   ldy #0
        lda #$5F                ; mode F, address, HSCROL
        sta (row),y
        iny
        lda from
        sta (row),y
        iny
        lda from+1
        sta (row),y
        clc
        lda row
        adc #3
        sta row
        bcc same
        inc row+1
same:   rts

interrupt:
        pha
        lda #0
        sta IRQEN
        lda #1
        sta IRQEN
        lda pack
        beq fetch
        lsr
        lsr
        lsr
        lsr
        ora #$10
        sta AUDC4
        lda #0
        sta pack
        pla
        rti
fetch:  lda SAMPLES
        ora #$80
        sta pack
        and #$0F
        ora #$10
        sta AUDC4
        inc fetch+1
        bne leave
        inc fetch+2
        lda fetch+2
        cmp #>SAMPLES+8
        bne leave
        lda #>SAMPLES
        sta fetch+2
leave:  pla
        rti

ending: .byte $41,<lines,>lines
