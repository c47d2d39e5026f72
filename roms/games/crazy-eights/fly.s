; Crazy Eights, extra lines: a card flies over the table with its face. Relocatable: it lives in the string FLY$.
; `cargo run -p xtask -- games` puts the bytes into the listing, six bits a character.
;
;   USR(ADR(FLY$),P,X,Y,DX,DY,FRAMES,LETTER,TYPE)  P: memory of player 0 (a whole page), players 1 and 2 follow; from HPOS X, double
;                                      line Y (both times 256) by DX and DY each frame, added modulo 65536. Players 1 and 2 are the
;                                      card, player 0 its face: a letter of the ROM (its number in the set) and the emblem of the
;                                      type, 1 to 4. It stays where it arrives; FRAMES 0 takes it away.

        .setcpu "6502"

RTCLOK  = $14
PLAYER  = $CB                   ; $CB-$D1 belong to the user in Atari BASIC, $D4-$DF to a routine
XPOS    = $CD
YPOS    = $CF
FRAMES  = $D1
LETTER  = $D4
DX      = $D6
DY      = $D8
TYPE    = $DA
LINE    = $DC
HPOSP0  = $D000
HPOSP1  = $D001
HPOSP2  = $D002
EMBLEM  = $061B                 ; see interrupts.s: 14 bytes a type
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
        pla
        lda     #$1C            ; the letters of the ROM are at $E000: eight bytes each
        sta     LETTER+1
        pla
        asl     a
        rol     LETTER+1
        asl     a
        rol     LETTER+1
        asl     a
        rol     LETTER+1
        sta     LETTER
        pla
        pla
        tax
        lda     #<(EMBLEM-14)
:       clc
        adc     #14
        dex
        bpl     :-
        sbc     #13             ; carry clear: one type too many goes
        sta     TYPE
        lda     #>EMBLEM
        sta     TYPE+1
        lda     FRAMES
        bne     frame
        tay                     ; nothing left of it
:       sta     (PLAYER),y
        iny
        bne     :-
        inc     PLAYER+1
:       sta     (PLAYER),y
        iny
        bpl     :-
        sta     HPOSP0
        sta     HPOSP1
        sta     HPOSP2
        rts

frame:  lda     RTCLOK
:       cmp     RTCLOK
        beq     :-
        ldx     #0              ; wipe the old lines, where nothing stands at first
        lda     YPOS+1
        sta     LINE
wipe:   ldy     LINE
        lda     #0
        sta     (PLAYER),y
        inc     PLAYER+1
        sta     (PLAYER),y
        dec     PLAYER+1
        tya
        eor     #$80
        tay
        lda     #0
        sta     (PLAYER),y
        inc     LINE
        inx
        cpx     #TALL
        bne     wipe
        clc
        lda     XPOS
        adc     DX
        sta     XPOS
        lda     XPOS+1
        adc     DX+1
        sta     XPOS+1
        sta     HPOSP1
        clc
        adc     #6
        sta     HPOSP0
        adc     #10
        sta     HPOSP2
        clc
        lda     YPOS
        adc     DY
        sta     YPOS
        lda     YPOS+1
        adc     DY+1
        and     #$7F
        sta     YPOS+1
        sta     LINE
        ldx     #0
        beq     line            ; always
again:  bne     frame           ; for the end, which is too far away
line:   lda     #0
        cpx     #3
        bcc     put
        cpx     #11
        bcs     emblem
        txa
        sbc     #2              ; carry clear
        tay
        lda     (LETTER),y
        bcs     put
emblem: cpx     #12
        bcc     put
        cpx     #26
        bcs     put
        txa
        sbc     #11             ; carry clear
        tay
        lda     (TYPE),y
put:    ldy     LINE
        bmi     next            ; below the last line
        sta     (PLAYER),y
        inc     PLAYER+1
        lda     #$F0            ; 16 colour clocks, then 4
        sta     (PLAYER),y
        dec     PLAYER+1
        tya
        eor     #$80
        tay
        lda     #$FF
        sta     (PLAYER),y
next:   inc     LINE
        inx
        cpx     #TALL
        bne     line
        dec     FRAMES
        bne     again
        rts
