; For the games: turns hexadecimal text into bytes. Relocatable: it lives in the string HEX$.
; `cargo run -p xtask -- games` puts the bytes into the listing as decimal DATA.
;
;   USR(ADR(HEX$),ADR(L$),TO,COUNT)  COUNT bytes (1..255) from the 2 * COUNT digits in L$

        .setcpu "6502"

SRC     = $CB                   ; $CB-$D1 belong to the user in Atari BASIC
DST     = $CD
HIGH    = $CF

        .org    0

        pla                     ; number of arguments
        pla
        sta     SRC+1
        pla
        sta     SRC
        pla
        sta     DST+1
        pla
        sta     DST
        pla
        pla
        tax                     ; COUNT
        ldy     #0
byte:   lda     (SRC),y
        cmp     #$40            ; A..F: carry is set
        bcc     :+
        adc     #8
:       asl     a
        asl     a
        asl     a
        asl     a
        sta     HIGH
        iny
        lda     (SRC),y
        cmp     #$40
        bcc     :+
        adc     #8
:       and     #$0F
        ora     HIGH
        dey
        sta     (DST),y
        inc     DST
        bne     :+
        inc     DST+1
:       lda     SRC
        adc     #2              ; carry is clear: no sum above exceeds a byte
        sta     SRC
        bcc     :+
        inc     SRC+1
:       dex
        bne     byte
        rts
