; For the games: turns text of six bits a character into bytes. Relocatable: it lives in a string.
; `cargo run -p xtask -- games` puts the bytes into the listing as decimal DATA.
;
;   USR(ADR(S$),ADR(L$),TO,LEN(L$))  the bytes of the text in L$ (255 characters at most) to TO. Afterwards PEEK(205) and
;                                    PEEK(206) say where the next byte would go.
;
; The low six bits of a character count: @ A..Z [ \ ] ^ _ are 0..31, a..o are 33..47, 0..9 : ; < = > ? are 48..63, and z is
; 32. The bytes follow one another without gaps, their high bits first.

        .setcpu "6502"

SRC     = $CB                   ; $CB-$D1 belong to the user in Atari BASIC
DST     = $CD
COUNT   = $CF
BYTE    = $D0

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
        lda     #1              ; when this one falls out at the top, the byte has its eight bits
        sta     BYTE
next:   lda     (SRC),y
        cmp     #'z'
        bne     :+
        lda     #32
:       asl     a
        asl     a
        ldx     #6
shift:  asl     a
        rol     BYTE
        bcc     more
        pha
        lda     BYTE
        sta     (DST),y
        lda     #1
        sta     BYTE
        pla
        inc     DST
        bne     more
        inc     DST+1
more:   dex
        bne     shift
        inc     SRC
        bne     :+
        inc     SRC+1
:       dec     COUNT
        bne     next
        rts
