; Crazy Eights, extra lines: a card flies over the table as players 0 and 1. Relocatable: it lives in the string FLY$.
; `cargo run -p xtask -- games` puts the bytes into the listing, six bits a character.
;
;   USR(ADR(FLY$),P,X,Y,DX,DY,FRAMES)  P: memory of player 0, player 1 follows; from HPOS X, double line Y (both times 256) by
;                                      DX and DY each frame, added modulo 65536. It stays where it arrives; FRAMES 0 takes it away.

        .setcpu "6502"

RTCLOK  = $14
PLAYER  = $CB                   ; $CB-$D1 belong to the user in Atari BASIC, $D4-$DF to a routine
XPOS    = $CD
YPOS    = $CF
FRAMES  = $D1
DX      = $D6
DY      = $D8
HPOSP0  = $D000
HPOSP1  = $D001
TALL    = 28

        .org    0

        pla                     ; number of arguments
        pla
        sta     PLAYER+1
        pla
        sta     PLAYER
        pla
        sta     XPOS+1
        pla
        sta     XPOS
        pla
        sta     YPOS+1
        pla
        sta     YPOS
        pla
        sta     DX+1
        pla
        sta     DX
        pla
        sta     DY+1
        pla
        sta     DY
        pla
        pla
        sta     FRAMES
        bne     frame
        tay                     ; nothing left of it
:       sta     (PLAYER),y
        iny
        bne     :-
        sta     HPOSP0
        sta     HPOSP1
        rts

frame:  lda     RTCLOK
:       cmp     RTCLOK
        beq     :-
        ldy     #0
        tya
:       sta     (PLAYER),y
        iny
        bne     :-
        ldx     #TALL
        ldy     YPOS+1
:       lda     #$FF            ; 16 colour clocks, then 4
        sta     (PLAYER),y
        tya
        eor     #$80
        tay
        lda     #$F0
        sta     (PLAYER),y
        tya
        eor     #$80
        tay
        iny
        dex
        bne     :-
        lda     XPOS+1
        sta     HPOSP0
        clc
        adc     #16
        sta     HPOSP1
        clc
        lda     XPOS
        adc     DX
        sta     XPOS
        lda     XPOS+1
        adc     DX+1
        sta     XPOS+1
        clc
        lda     YPOS
        adc     DY
        sta     YPOS
        lda     YPOS+1
        adc     DY+1
        sta     YPOS+1
        dec     FRAMES
        bne     frame
        rts
