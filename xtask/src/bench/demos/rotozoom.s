; A rotozoomer in character mode: 40 by 24 characters of mode 4 from a texture of 16 by 16, turned and scaled from frame to frame. The program
; computes all the time.
.include "hardware.inc"
SCREEN  = $4000
FONT    = $3C00
TEXTURE = $3800                 ; a page
WAVE    = $3900                 ; a page

        .zeropage
angle:  .res 1
dx:     .res 1                  ; 1/16 texels
dy:     .res 1
u:      .res 1
v:      .res 1
rowu:   .res 1
rowv:   .res 1
to:     .res 2
rows:   .res 1
value:  .res 1

        .code
        .export start
start:  own_the_machine
        ldx #0
        lda #$F0
        sta value
fill:   lda RANDOM
        and #$1F
        sta TEXTURE,x
        txa
        eor RANDOM
        sta FONT,x
        and #$F3
        sta FONT+$100,x
        lda value               ; a triangle from -16 to 16 and back
        sta WAVE,x
        txa
        and #3
        bne same
        txa
        bmi less
        inc value
        bne same
less:   dec value
same:   inx
        bne fill
        lda #$34
        sta COLPF0
        lda #$0A
        sta COLPF0+1
        lda #$94
        sta COLPF0+2
        lda #>FONT
        sta CHBASE
        wait_for_blank
        lda #<list
        sta DLISTL
        lda #>list
        sta DLISTH
        lda #$22
        sta DMACTL

frame:  inc angle
        ldx angle
        lda WAVE,x
        sta dy
        txa
        clc
        adc #64
        tax
        lda WAVE,x
        sta dx
        lda #0
        sta rowu
        sta rowv
        lda #<SCREEN
        sta to
        lda #>SCREEN
        sta to+1
        lda #24
        sta rows
row:    lda rowu
        sta u
        lda rowv
        sta v
        ldy #0
texel:  lda u
        lsr
        lsr
        lsr
        lsr
        sta value
        lda v
        and #$F0
        ora value
        tax
        lda TEXTURE,x
        sta (to),y
        clc
        lda u
        adc dx
        sta u
        clc
        lda v
        adc dy
        sta v
        iny
        cpy #40
        bne texel
        sec
        lda rowu
        sbc dy
        sta rowu
        clc
        lda rowv
        adc dx
        sta rowv
        clc
        lda to
        adc #40
        sta to
        bcc next
        inc to+1
next:   dec rows
        bne row
        jmp frame

list:   .byte $70,$70,$70,$44,<SCREEN,>SCREEN
        .res 23,4
        .byte $41,<list,>list
