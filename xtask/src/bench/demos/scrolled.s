; Fine scrolling of wide lines: twelve of mode 4 over 96 of mode F. HSCROL goes from 0 to 15 frame by frame, and the lines' addresses follow each sixteen
; colour clocks; the vertical blank does both.
.include "hardware.inc"
SCREEN  = $4000                 ; 4K of text, then a page for each line of eight
FONT    = $3C00
lines   = $3000                 ; the display list
TEXT    = 12
BITMAP  = 96

        .zeropage
frames: .res 1
coarse: .res 1
row:    .res 2

        .code
        .export start
start:  own_the_machine
        ldx #$70
        stx lines
        stx lines+1
        stx lines+2
        lda #<(lines+3)
        sta row
        lda #>(lines+3)
        sta row+1
        ldx #0
build:  ldy #0
        lda #$54                ; mode 4, address, HSCROL
        cpx #TEXT
        bcc mode
        lda #$5F
mode:   sta (row),y
        iny
        txa
        asl
        asl
        sta (row),y
        iny
        txa
        and #15
        ora #>SCREEN
        sta (row),y
        clc
        lda row
        adc #3
        sta row
        bcc same
        inc row+1
same:   inx
        cpx #TEXT+BITMAP
        bne build
        ldy #2
jump:   lda ending,y
        sta (row),y
        dey
        bpl jump
        ldx #0
        ldy #16
noise:  txa
        eor RANDOM
        and #$F7
store:  sta SCREEN,x
        sta FONT,x
        sta FONT+$100,x
        sta FONT+$200,x
        sta FONT+$300,x
        inx
        bne noise
        inc store+2
        dey
        bne noise
        lda #$34
        sta COLPF0
        lda #$0A
        sta COLPF0+1
        lda #$94
        sta COLPF0+2
        lda #>FONT
        sta CHBASE
        wait_for_blank
        lda #<lines
        sta DLISTL
        lda #>lines
        sta DLISTH
        lda #$23
        sta DMACTL

frame:  wait_for_blank
        inc frames
        lda frames
        and #15
        sta HSCROL
        bne moved
        inc coarse              ; the text is four characters of mode 4 further, and the pixels four bytes
        lda coarse
        asl
        asl
        and #$3C
        tax
        ldy #0
move:   txa
        sta lines+4,y
        sta lines+4+108,y
        sta lines+4+216,y
        iny
        iny
        iny
        cpy #108
        bne move
moved:  lda VCOUNT
        cmp #124
        beq moved
        jmp frame

ending: .byte $41,<lines,>lines
