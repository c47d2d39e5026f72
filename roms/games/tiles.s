; For the games: puts a picture made of characters on the screen. Relocatable: it lives in the string TILE$.
; `cargo run -p xtask -- games` puts the bytes into the listing as hexadecimal DATA.
;
;   USR(ADR(TILE$),TO,CODE,WIDTH,HEIGHT,STEP)  WIDTH x HEIGHT screen codes at TO, rows 40 bytes apart: CODE, CODE+STEP ..

        .setcpu "6502"

DST     = $CB                   ; $CB-$D1 belong to the user in Atari BASIC
CODE    = $CD
WIDTH   = $CE
HEIGHT  = $CF
STEP    = $D0

        .org    0

        pla                     ; number of arguments
        pla
        sta     DST+1
        pla
        sta     DST
        pla
        pla
        sta     CODE
        pla
        pla
        sta     WIDTH
        pla
        pla
        sta     HEIGHT
        pla
        pla
        sta     STEP
row:    ldy     #0
cell:   lda     CODE
        sta     (DST),y
        clc
        adc     STEP
        sta     CODE
        iny
        cpy     WIDTH
        bne     cell
        clc
        lda     DST
        adc     #40
        sta     DST
        bcc     :+
        inc     DST+1
:       dec     HEIGHT
        bne     row
        rts
