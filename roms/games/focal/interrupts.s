; FOCAL checkers: the display list interrupts of the title page, in page 6.
; `cargo run -p xtask -- games` puts the bytes into the listing as decimal DATA.
;
;   USR(1536)   starts them
;   USR(1539)   ends them
;   1542        background (COLPF2) after each of four interrupts
;   1546        luminance of the letters (COLPF1) after each of them

        .setcpu "6502"

VDSLST  = $0200
COLPF1  = $D017
COLPF2  = $D018
WSYNC   = $D40A
NMIEN   = $D40E
SETVBV  = $E45C
SYSVBV  = $E45F

        .org    $0600

        jmp     start
        jmp     finish
paper:  .byte   $2A,$2C,$2A,$00
ink:    .byte   $02,$02,$02,$0A
next:   .byte   0

start:  pla
        lda     #<dli
        sta     VDSLST
        lda     #>dli
        sta     VDSLST+1
        ldy     #<vbi
        ldx     #>vbi
        lda     #$C0
        bne     set
finish: pla
        ldy     #<SYSVBV
        ldx     #>SYSVBV
        lda     #$40
set:    pha
        lda     #6              ; the immediate vertical blank routine: the deferred one is left out now and then
        jsr     SETVBV
        pla
        sta     NMIEN
        rts

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
