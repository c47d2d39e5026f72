; Crazy Eights: draws a card. Relocatable: it lives in the string CHAR$. With WITH_PIPS number cards have pips: see pips.s.
; `cargo run -p xtask -- games` puts the bytes into the listing as hexadecimal DATA.
;
;   USR(ADR(CHAR$),X,Y,RANK,TYPE)  draws a card of 5 x 7 characters at column X, row Y of the screen.
;                                  RANK 1..13 with TYPE 1..4: its face; RANK 0: its back; RANK 14: bare felt;
;                                  RANK 15: the lowest four rows of its back, as a card held beyond the edge;
;                                  RANK 16: four rows of bare felt.

        .setcpu "6502"

SAVMSC  = $58
DST     = $CB                   ; $CB-$D1 belong to the user in Atari BASIC
TPL     = $CD
COUNT   = $CF
COL     = $D0
ROW     = $D1

FACE    = $26                   ; in page 4: see screen.s
BACK    = FACE+35
inverse = $06F0
base    = $06F1                 ; first character of: rank, small suit, picture, back
first   = $06F5                 ; where the template begins
mask    = $06F6
.ifdef WITH_PIPS
rank    = $06F7
cells   = $06F8                 ; two bytes: the cells that have a pip, the first one in bit 15
WHERE   = $03C0                 ; in the printer's buffer: nine high bytes, nine low bytes
PIPS    = 112                   ; four types upright, then the same upside down, two characters each
.endif

        .org    0

draw:   pla                     ; number of arguments
        pla
        pla
        sta     COL
        pla
        pla
        sta     ROW
        pla
        pla
        sta     COUNT           ; rank, for now
.ifdef WITH_PIPS
        sta     rank
.endif
        pla
        pla
        tax                     ; type

        lda     #4              ; base of the rank's pair: 4 + 2 * rank
        clc
        adc     COUNT
        adc     COUNT
        sta     base
        txa                     ; of the small suit: 30 + 2 * type
        asl     a
        adc     #30
        sta     base+1
        lda     #103
        sta     base+3
        lda     #0
.ifdef WITH_PIPS
        stx     cells           ; the type, for now
.endif
        cpx     #3              ; hearts and diamonds: inverse ink is red
        bcs     :+
        lda     #$80
:       sta     inverse
        lda     #31             ; the picture: 31 + 9 * type
        sta     base+2
        lda     COUNT
        cmp     #11
        bcc     nine
        sbc     #10             ; court cards: 67 + 9 * (rank - 10)
        tax
        lda     #67
        sta     base+2
nine:   lda     base+2
        clc
:       adc     #9
        dex
        bpl     :-
        sbc     #8              ; carry clear: one nine too many goes
        sta     base+2

        lda     #$FF
        sta     mask
        ldy     #FACE
        ldx     COUNT
        beq     back
        cpx     #14
        bcc     front
        txa
        lsr     a
        bcs     back            ; 15
        lda     #0              ; 14 and 16: felt
        sta     mask
back:   lda     #0
        sta     inverse
        ldy     #BACK
front:  sty     TPL
        ldy     #0
        cpx     #15
        bcc     :+
        ldy     #15
:       sty     first
        lda     #4
        sta     TPL+1

        lda     #0              ; DST = SAVMSC + 40 * ROW + COL
        sta     DST+1
        lda     ROW
        asl     a
        asl     a
        adc     ROW
        asl     a
        asl     a
        rol     DST+1
        asl     a
        rol     DST+1
        adc     COL
        bcc     :+
        inc     DST+1
        clc
:       adc     SAVMSC
        sta     DST
        lda     DST+1
        adc     SAVMSC+1
        sta     DST+1

        ldy     first
row:    lda     #5
        sta     COUNT
cell:   lda     (TPL),y
        and     mask
        cmp     #$10
        bcc     put             ; a character by itself
        pha
        lsr     a
        lsr     a
        lsr     a
        lsr     a
        tax
.ifdef WITH_PIPS
        cpx     #3              ; the picture
        bne     part
        lda     rank
        cmp     #2
        bcc     part
        cmp     #11
        bcs     part
        pla
        lda     #1              ; no picture: card
        bne     put
part:
.endif
        pla
        and     #$0F
        clc
        adc     base-1,x
put:    ora     inverse
        ldx     #0
        sta     (DST,x)
        inc     DST
        bne     :+
        inc     DST+1
:       iny
        dec     COUNT
        bne     cell
        lda     DST
        clc
        adc     #35
        sta     DST
        bcc     :+
        inc     DST+1
:       cpy     #35
        bne     row
.ifdef WITH_PIPS
        ldx     rank            ; pips on the cards from 2 to 10: 15 cells, from the card's third row on
        cpx     #2
        bcc     out
        cpx     #11
        bcs     out
        lda     cells           ; the type
        asl     a
        adc     #PIPS-2         ; carry is clear
        ora     inverse
        sta     base
        lda     WHERE-2,x
        sta     cells
        lda     WHERE+9-2,x
        sta     cells+1
        sec
        lda     DST
        sbc     #199
        sta     DST
        bcs     :+
        dec     DST+1
:       ldy     #0
pip:    ldx     #3
in:     asl     cells+1
        rol     cells
        bcc     :+
        lda     base
        sta     (DST),y
        iny
        adc     #0              ; carry is set: its right half
        sta     (DST),y
        dey
:       iny
        dex
        bne     in
        tya                     ; the next row
        clc
        adc     #37
        tay
        cpy     #120            ; the lower two rows stand on their heads
        bne     :+
        lda     base
        adc     #7              ; carry is set
        sta     base
:       cpy     #200
        bne     pip
.endif
out:    rts
