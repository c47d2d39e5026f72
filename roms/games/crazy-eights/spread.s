; Crazy Eights: makes characters of pictures with six pixels a row. Relocatable: it lives in CHAR$ until the cards' routine comes.
; `cargo run -p xtask -- games` puts the bytes into the listing.
;
;   USR(ADR(CHAR$),ADR(M$),TO,LEN(M$))  each character of M$ is a row of six pixels (its low six bits, 1 ink, 0 card; z is 32).
;                                       POKE 209,2: they are the right six of two characters, whose first pixel is felt.
;                                       POKE 209,3: they are the left half of three characters. Eight rows make a row of
;                                       characters. Afterwards PEEK(205) and PEEK(206) say where the next one would go.

        .setcpu "6502"

SRC     = $CB
DST     = $CD
COUNT   = $CF
ROW     = $D0
WIDTH   = $D1
PIXELS  = $D4                   ; two bytes, high one first
COLUMN  = $06F0

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
        sta     COUNT
        ldy     #0
        sty     ROW
next:   ldy     #0
        lda     (SRC),y
        cmp     #'z'
        bne     :+
        lda     #32
:       and     #$3F
        sta     PIXELS
        ldx     WIDTH
        stx     COLUMN
        cpx     #2
        beq     pixels
        ldx     #6              ; the mirror: two more bits than six do not matter
:       lsr     a
        rol     PIXELS+1
        dex
        bne     :-
        asl     PIXELS+1        ; the twelve pixels to the left end
        asl     PIXELS+1
        asl     PIXELS+1
        rol     PIXELS
        asl     PIXELS+1
        rol     PIXELS
pixels: ldy     ROW
char:   ldx     #4
pixel:  asl     PIXELS+1
        rol     PIXELS
        rol     a
        sec
        rol     a
        dex
        bne     pixel
        ldx     WIDTH           ; the first pixel of the left edge
        cpx     #2
        bne     :+
        cpx     COLUMN
        bne     :+
        and     #$3F
:       sta     (DST),y
        tya
        clc
        adc     #8
        tay
        dec     COLUMN
        bne     char
        inc     ROW
        lda     ROW
        cmp     #8
        bne     :+
        lda     WIDTH           ; on to the next row of characters
        asl     a
        asl     a
        asl     a
        ldx     #0
        stx     ROW
        adc     DST
        sta     DST
        bcc     :+
        inc     DST+1
:       inc     SRC
        bne     :+
        inc     SRC+1
:       dec     COUNT
        bne     next
        rts
