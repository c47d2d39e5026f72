; Computer Gammon: lets a tile glide over the board as player 1. Relocatable: it lives below the players.
; `cargo run -p xtask -- games` puts the bytes into the listing, six bits a character.
;
;   USR(GLIDE,X,Y,DX,DY,FRAMES)  from X, Y by DX, DY each frame, all in 1/256: X is HPOSP1, Y the byte of
;                                      the player (two lines each). DX and DY are added modulo 65536.

        .setcpu "6502"

RTCLOK  = $14
XPOS    = $CB                   ; $CB-$D1 belong to the user in Atari BASIC, $D4-$D9 to a routine
YPOS    = $CD
FRAMES  = $CF
PLAYER  = $D0
dx      = $D6
dy      = $D8

page    = $0606                 ; see interrupts.s
tile    = $069F
hposp1  = $06A7+4               ; what the vertical blank writes
HPOSP1  = $D001

        .org    0

        pla                     ; number of arguments
        pla
        sta     XPOS+1
        pla
        sta     XPOS
        pla
        sta     YPOS+1
        pla
        sta     YPOS
        pla
        sta     dx+1
        pla
        sta     dx
        pla
        sta     dy+1
        pla
        sta     dy
        pla
        pla
        sta     FRAMES
        lda     page            ; player 1 lies at PMBASE + 640
        clc
        adc     #2
        sta     PLAYER+1
        lda     #$80
        sta     PLAYER

frame:  lda     RTCLOK
:       cmp     RTCLOK
        beq     :-
        ldy     YPOS+1          ; wipe it out
        ldx     #7
        lda     #0
:       sta     (PLAYER),y
        iny
        dex
        bpl     :-
        lda     XPOS
        clc
        adc     dx
        sta     XPOS
        lda     XPOS+1
        adc     dx+1
        sta     XPOS+1
        sta     hposp1
        sta     HPOSP1          ; in this frame
        lda     YPOS
        clc
        adc     dy
        sta     YPOS
        lda     YPOS+1
        adc     dy+1
        and     #$7F
        sta     YPOS+1
        tay
        ldx     #7
:       lda     tile,x
        sta     (PLAYER),y
        iny
        dex
        bpl     :-
        dec     FRAMES
        bne     frame
        ldy     YPOS+1          ; it has become a tile of the board
        ldx     #7
        lda     #0
:       sta     (PLAYER),y
        iny
        dex
        bpl     :-
        sta     hposp1
        rts
