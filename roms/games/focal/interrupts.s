; FOCAL checkers: the display list interrupts of the title page, in page 6.
; `cargo run -p xtask -- games` puts the bytes into the listing as decimal DATA.
;
;   USR(1536)   starts them
;   USR(1539)   ends them
;   1542        background (COLPF2) after each of four interrupts
;   1546        luminance of the letters (COLPF1) after each of them

        .setcpu "6502"

COLPF1  = $D017
COLPF2  = $D018
WSYNC   = $D40A

        .org    $0600

        jmp     start
        jmp     finish
paper:  .byte   $2A,$2C,$2A,$00
ink:    .byte   $02,$02,$02,$0A
next:   .byte   0

        .include "../frame.inc"

vbi:    lda     #0
        sta     next
        jmp     SYSVBV

dli:    pha
        txa
        pha
        ldx     next
        lda     paper,x
        sta     WSYNC
        sta     COLPF2
        lda     ink,x
        sta     COLPF1
        inc     next
        pla
        tax
        pla
        rti

        .assert * <= $0680, error, "the display list stands at $0680"
