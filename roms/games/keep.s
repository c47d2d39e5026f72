; For the games: copies memory, for the step back. Relocatable: it lives in a string.
; `cargo run -p xtask -- games` puts the bytes into the listing.
;
;   USR(ADR(KEEP$),FROM,TO,COUNT)  COUNT bytes, 1 at least

        .setcpu "6502"

SOURCE  = $CB                   ; $CB-$D1 belong to the user in Atari BASIC
TARGET  = $CD
COUNT   = $CF

        .org    0

        pla                     ; number of arguments
        pla
        sta     SOURCE+1
        pla
        sta     SOURCE
        pla
        sta     TARGET+1
        pla
        sta     TARGET
        pla
        sta     COUNT
        pla
        tax                     ; low byte of the count
        beq     page
        inc     COUNT           ; a page begun
page:   ldy     #0
byte:   lda     (SOURCE),y
        sta     (TARGET),y
        iny
        bne     same
        inc     SOURCE+1
        inc     TARGET+1
same:   dex
        bne     byte
        dec     COUNT
        bne     byte
        rts
