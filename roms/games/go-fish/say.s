; Go Fish: letters for the balloons. Relocatable: it lives behind the display lists.
; `cargo run -p xtask -- games` puts the bytes into the listing, six bits a character.
;
;   USR(COPY,FROM,TO)       copies a character set of 1024 bytes
;   USR(SAY,TEXT,LENGTH,TO) the text in inverse letters to the screen; it has no small letters
;                           SAY is COPY+32

        .setcpu "6502"

FROM    = $CB                   ; $CB-$D1 belong to the user in Atari BASIC
TO      = $CD

        .org    0

        pla                     ; number of arguments
        pla
        sta     FROM+1
        pla
        sta     FROM
        pla
        sta     TO+1
        pla
        sta     TO
        ldx     #4
        ldy     #0
byte:   lda     (FROM),y
        sta     (TO),y
        iny
        bne     byte
        inc     FROM+1
        inc     TO+1
        dex
        bne     byte
        rts

        .assert * = 32, error, "SAY is COPY+32"
        pla                     ; number of arguments
        pla
        sta     FROM+1
        pla
        sta     FROM
        pla
        pla
        tax
        pla
        sta     TO+1
        pla
        sta     TO
        ldy     #0
letter: lda     (FROM),y
        clc
        adc     #$60            ; ATASCII less 32, inverse
        sta     (TO),y
        iny
        dex
        bne     letter
        rts
