; A scroller: 192 lines of mode E, each with its own address and HSCROL. A loop with WSYNC writes HSCROL and a colour for every line; the vertical blank
; moves every line's address.
.include "hardware.inc"
SCREEN  = $4000                 ; a page for each line, eight of them
lines   = $3000                 ; the display list
list    = lines+3
offsets = $3400
colours = $3500
LINES   = 192

        .zeropage
frames: .res 1
row:    .res 2

        .code
        .export start
start:  own_the_machine
        lda #<list
        sta row
        lda #>list
        sta row+1
        ldx #$70
        stx lines
        stx lines+1
        stx lines+2
        ldx #0
build:  ldy #0
        lda #$5E
        sta (row),y
        iny
        txa
        sta (row),y
        iny
        and #7
        clc
        adc #>SCREEN
        sta (row),y
        clc
        lda row
        adc #3
        sta row
        bcc same
        inc row+1
same:   inx
        cpx #LINES
        bne build
        ldy #2
jump:   lda ending,y
        sta (row),y
        dey
        bpl jump
        ldx #0
        ldy #8
noise:  txa
        eor RANDOM
        and #$F7
store:  sta SCREEN,x
        txa
        lsr
        and #15
        sta offsets,x
        txa
        and #$F6
        sta colours,x
        inx
        bne noise
        inc store+2
        dey
        bne noise
        lda #$34
        sta COLPF0
        lda #$7A
        sta COLPF0+1
        lda #$CE
        sta COLPF0+2
        wait_for_blank
        lda #<lines
        sta DLISTL
        lda #>lines
        sta DLISTH
        lda #$21                ; narrow: the fetches of the wider, scrolled line end before HSCROL is written
        sta DMACTL

frame:  wait_for_blank
        inc frames
        ldx frames
        ldy #0                  ; the addresses of 192 lines, 64 in each page of the list
move:   lda offsets,x
        asl
        sta lines+4,y
        sta lines+4+192,y
        sta lines+4+384,y
        inx
        iny
        iny
        iny
        cpy #192
        bne move
top:    lda VCOUNT
        cmp #16
        bne top
        ldx frames
        ldy #LINES/2
kernel: lda offsets,x
        sta WSYNC
        sta HSCROL
        lda colours,x
        sta COLBK
        inx
        lda offsets,x
        sta WSYNC
        sta HSCROL
        lda colours,x
        sta COLPF0
        inx
        dey
        bne kernel
        jmp frame

ending: .byte $41,<lines,>lines
