; A texture in mode F read as GTIA modes 9 to 11 in turn, each line with its own address and an interrupt that moves two of four players and
; changes a colour (60 of the 65 cycles that DMA leaves of a line); the program writes into the texture in the rest.
.include "hardware.inc"
TEXTURE = $4000                 ; 48 rows of 32 bytes
PLAYERS = $6000                 ; one-line resolution
lines   = $3000                 ; the display list
list    = lines+3
colours = $3400
places  = $3600
LINES   = 192

        .zeropage
frames: .res 1
row:    .res 2

        .code
        .export start
start:  own_the_machine
        lda #<interrupt
        sta $FFFA
        lda #>interrupt
        sta $FFFB
        lda #<list              ; the lines of the display list: each texture row four times
        sta row
        lda #>list
        sta row+1
        ldx #$70
        stx lines
        stx lines+1
        stx lines+2
        ldx #0
build:  ldy #0
        lda #$CF
        sta (row),y
        iny
        txa
        lsr
        lsr
        pha
        asl
        asl
        asl
        asl
        asl
        sta (row),y
        iny
        pla
        lsr
        lsr
        lsr
        clc
        adc #>TEXTURE
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
noise:  lda RANDOM
        sta TEXTURE,x
        sta TEXTURE+$100,x
        sta TEXTURE+$200,x
        eor #$3C
        sta TEXTURE+$300,x
        sta TEXTURE+$400,x
        sta TEXTURE+$500,x
        txa
        asl
        sta PLAYERS+$400,x
        eor #$FF
        sta PLAYERS+$500,x
        sta PLAYERS+$600,x
        lsr
        sta PLAYERS+$700,x
        txa
        and #$7F
        adc #$40
        sta places,x
        sta places+$100,x
        txa
        and #$F6
        sta colours,x
        sta colours+$100,x
        inx
        bne noise
        lda #>PLAYERS
        sta PMBASE
        lda #3
        sta GRACTL
        lda #1
        sta SIZEP0
        lda #$28
        sta COLPM0
        lda #$68
        sta COLPM0+1
        lda #$98
        sta COLPM0+2
        lda #$C8
        sta COLPM0+3
        lda #$70
        sta HPOSP2
        lda #$90
        sta HPOSP3
        wait_for_blank
        lda #<lines
        sta DLISTL
        lda #>lines
        sta DLISTH
        lda #$3D                ; narrow, with players
        sta DMACTL
        lda #$C0
        sta NMIEN
write:  lda RANDOM              ; the texture changes all the time
        sta TEXTURE,x
        inx
        eor #$55
        sta TEXTURE+$300,x
        dex
        dex
        jmp write

interrupt:
        pha
        bit NMIST
        bpl blank
shade:  lda colours
        sta COLBK
place:  lda places
        sta HPOSP0
        eor #$FF
        sta HPOSP1
        inc shade+1
        inc place+1
        pla
        rti
blank:  sta NMIRES
        inc frames
        lda frames
        sta shade+1
        asl
        sta place+1
        lda frames
        lsr
        lsr
        lsr
        and #3
        tay
        lda modes,y
        sta PRIOR
        pla
        rti

modes:  .byte $41,$81,$C1,$44
ending: .byte $41,<lines,>lines
