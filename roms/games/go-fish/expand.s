; Go Fish: makes card characters from those of the ROM. Relocatable: it lives in the string EXPAND$.
; `cargo run -p xtask -- games` puts the bytes into the listing as hexadecimal DATA.
;
;   USR(ADR(EXPAND$),FROM,TO,EDGE)
;
; The eight bytes at FROM are a character of one bit a pixel. At TO it becomes four characters of ANTIC mode 4, two by two, ink
; (value 3) on card (value 1): a pixel is now two wide and two high. EDGE is ANDed to the left half: 63 keeps a gap of one
; pixel to the card at the left, 255 none.

        .setcpu "6502"

FROM    = $CB                   ; $CB-$D1 belong to the user in Atari BASIC
TO      = $CD
EDGE    = $D0
LINE    = $D1                   ; line of the result
NIBBLE  = $D4                   ; $D4 to $FF are the arithmetic's, free inside USR
BYTE    = $D5

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
        pla
        pla
        sta     EDGE
        lda     #0
        sta     LINE
next:   lda     LINE            ; the line of the original
        lsr     a
        tay
        lda     (FROM),y
        sta     NIBBLE
        ldx     #4
left:   asl     NIBBLE          ; every bit b becomes the pair b1
        rol     BYTE
        sec
        rol     BYTE
        dex
        bne     left
        lda     LINE            ; lines 8 to 15 belong to the lower characters
        cmp     #8
        bcc     :+
        adc     #7              ; carry is set: 8
:       tay
        lda     BYTE
        and     EDGE
        sta     (TO),y
        ldx     #4
right:  asl     NIBBLE
        rol     BYTE
        sec
        rol     BYTE
        dex
        bne     right
        tya
        clc
        adc     #8
        tay
        lda     BYTE
        sta     (TO),y
        inc     LINE
        lda     LINE
        cmp     #16
        bne     next
        rts
