; For the games: colours and character sets that change down the screen, in page 6.
; `cargo run -p xtask -- games` puts the bytes into the listing as hexadecimal DATA.
;
;   USR(1536)     starts the interrupts
;   USR(1539)     ends them
;   1542 CHARS    page of the game's own characters
;   1543 GLOW     hue (times 16) of the cursor: players 0 and 1 swell and fade in it
;   1544 ZONES    18 zones of 6 bytes: COLBK, CHBASE (0: the game's own), COLPF0, COLPF1, COLPF2, COLPF3
;
; Every instruction of the display list that asks for an interrupt begins the next zone. COLBK, the character set and COLPF0
; are there when its first line begins to show; the others are not quite, so a zone that changes them follows a blank line.

        .setcpu "6502"

RTCLOK  = $14
PCOLR0  = $02C0
PCOLR1  = $02C1
COLPF0  = $D016
COLPF1  = $D017
COLPF2  = $D018
COLPF3  = $D019
COLBK   = $D01A
WSYNC   = $D40A
CHBASE  = $D409

        .org    $0600

        jmp     start
        jmp     finish
chars:  .byte   $E0
glow:   .byte   0
zones:  .res    108
next:   .byte   0               ; offset of the next zone

        .include "frame.inc"

vbi:    lda     #0
        sta     next
        lda     RTCLOK
        lsr     a
        and     #$0F
        cmp     #8
        bcc     :+
        eor     #$0F
:       ora     glow            ; luminance 0 to 7 and back
        sta     PCOLR0
        sta     PCOLR1
        jmp     SYSVBV

dli:    pha
        sta     WSYNC           ; from here on in the first line of the new zone, before its characters begin
        txa
        pha
        ldx     next
        lda     zones,x
        sta     COLBK
        lda     zones+1,x
        bne     :+
        lda     chars
:       sta     CHBASE
        lda     zones+2,x
        sta     COLPF0
        lda     zones+3,x
        sta     COLPF1
        lda     zones+4,x
        sta     COLPF2
        lda     zones+5,x
        sta     COLPF3
        txa
        cld                     ; BASIC's arithmetic is decimal, and an interrupt does not change that
        clc
        adc     #6
        sta     next
        pla
        tax
        pla
        rti

        .assert * <= $0700, error, "page 6 is full"
