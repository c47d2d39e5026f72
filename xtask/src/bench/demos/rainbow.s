; Rainbow lines under objects: four playfield colours and one player's change on each of 192 lines of mode E, by WSYNC, under four players and
; four missiles, some of them over each other.
.include "hardware.inc"
SCREEN  = $4000
PLAYERS = $6000                 ; one-line resolution
COLOURS = $3600

        .zeropage
frames: .res 1

        .code
        .export start
start:  own_the_machine
        ldx #0
fill:   lda RANDOM
        and #$F5
page:   sta SCREEN,x
        inx
        bne fill
        inc page+2
        lda page+2
        cmp #>SCREEN+$20
        bne fill
objects:
        txa
        eor #$3C
        sta PLAYERS+$300,x
        asl
        sta PLAYERS+$400,x
        eor #$FF
        sta PLAYERS+$500,x
        sta PLAYERS+$600,x
        lsr
        sta PLAYERS+$700,x
        txa
        sta COLOURS,x
        inx
        bne objects
        ldx #7
place:  lda places,x
        sta HPOSP0,x
        lda sizes,x
        sta SIZEP0,x
        lda tints,x
        sta COLPM0,x
        dex
        bpl place
        lda #>PLAYERS
        sta PMBASE
        lda #3
        sta GRACTL
        lda #1
        sta PRIOR
        wait_for_blank
        lda #<list
        sta DLISTL
        lda #>list
        sta DLISTH
        lda #$3E
        sta DMACTL

frame:  wait_for_blank
        inc frames
        ldx frames
wait:   lda VCOUNT
        cmp #16
        bne wait
        ldy #192
line:   lda COLOURS,x
        sta WSYNC
        sta COLBK
        eor #$5A
        sta COLPF0
        adc #$10
        sta COLPF0+1
        eor #$3C
        sta COLPF0+2
        sta COLPM0
        inx
        dey
        bne line
        jmp frame

places: .byte $50,$58,$78,$98,$60,$70,$A0,$A8
sizes:  .byte 3,1,0,1,$1B,0,0,0
tints:  .byte $28,$68,$98,$C8,$34,$0A,$94,$56

list:   .byte $70,$70,$70,$4E,<SCREEN,>SCREEN
        .res 101,$0E
        .byte $4E,<(SCREEN+$1000),>(SCREEN+$1000)
        .res 89,$0E
        .byte $41,<list,>list
