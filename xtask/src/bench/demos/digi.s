; Digitised sound over text: timer 1 interrupts at 8 kHz, four bits a sample, while the program scrolls 24 lines of mode 2 by a character
; a frame and counts in the top line.
.include "hardware.inc"
SCREEN  = $4000
FONT    = $3C00
SAMPLES = $5000                 ; 16 pages
PERIOD  = 224                   ; 1.79 MHz / 224 = 7,990 Hz

        .zeropage
pack:   .res 1                  ; the next sample's half byte
left:   .res 1                  ; frames
from:   .res 2

        .code
        .export start
start:  own_the_machine
        lda #<interrupt
        sta $FFFE
        lda #>interrupt
        sta $FFFF
        ldx #0
        stx pack                ; a font of stripes, text, and a wave with noise
fill:   txa
        eor #$5A
        sta FONT,x
        sta FONT+$100,x
        sta FONT+$200,x
        sta FONT+$300,x
        txa
        and #$BF
        sta SCREEN,x
        sta SCREEN+$100,x
        sta SCREEN+$200,x
        sta SCREEN+$2C0,x
        inx
        bne fill
        ldy #16
        ldx #0
wave:   lda RANDOM
        and #$37
        eor pack
        sta pack
store:  sta SAMPLES,x
        inx
        bne wave
        inc store+2
        dey
        bne wave
        lda #<list
        sta DLISTL
        lda #>list
        sta DLISTH
        lda #>FONT
        sta CHBASE
        lda #$94
        sta COLPF0+2
        lda #$0E
        sta COLPF0+1
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
        ldx #23                 ; each line a character to the left
        lda #<SCREEN
        sta from
        lda #>SCREEN
        sta from+1
line:   ldy #0
        lda (from),y
        pha
shift:  iny
        lda (from),y
        dey
        sta (from),y
        iny
        cpy #39
        bne shift
        pla
        sta (from),y
        clc
        lda from
        adc #40
        sta from
        bcc next
        inc from+1
next:   dex
        bpl line
        ldx #7                  ; a counter
        sec
count:  lda SCREEN,x
        adc #0
        cmp #$1A
        bcc done
        lda #$10
done:   sta SCREEN,x
        dex
        bpl count
        jmp frame

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
        cmp #>SAMPLES+16
        bne leave
        lda #>SAMPLES
        sta fetch+2
leave:  pla
        rti

list:   .byte $70,$70,$70,$42,<SCREEN,>SCREEN
        .res 23,2
        .byte $41,<list,>list

