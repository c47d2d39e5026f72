; Computer Gammon: the interrupts, in page 6.
; `cargo run -p xtask -- games` puts the bytes into the listing as hexadecimal DATA.
;
;   USR(1536)      starts the interrupts
;   USR(1539)      ends them
;   1542 PAGE      page of the players' memory (PMBASE)
;   1543 PULSE     hue (times 16) of the cursor's pulse on the board
;   1544 BACK      hue (times 16) of the title's pulsing background, or 255: leave it
;   1545 ZONES     three lists of 32 bytes, one for each display list interrupt of a frame:
;                  CHBASE, then pairs of a register's low address ($D000 + n) and its value, then 0, 0
;   1641 TILE      the shape of the gliding tile, 8 bytes
;
; Registers of a zone are written in the order of its list, beginning with CHBASE, right after the line's end.

        .setcpu "6502"

RTCLOK  = $14
COLOR4  = $02C8
GTIA    = $D000
WSYNC   = $D40A
CHBASE  = $D409

        .org    $0600

        jmp     start
        jmp     finish
page:   .byte   0
pulse:  .byte   0
back:   .byte   255
zones:  .res    96
tile:   .byte   %00111100
        .byte   %11111111
        .byte   %11000011
        .byte   %10111101
        .byte   %10111101
        .byte   %11000011
        .byte   %11111111
        .byte   %00111100
next:   .byte   0               ; offset of the next zone's list

        .include "../frame.inc"

; Every frame: begin with the first zone; swell and fade the cursor and the title.
vbi:    lda     #0
        sta     next
        lda     RTCLOK
        lsr     a
        and     #$0F
        cmp     #8
        bcc     :+
        eor     #$0F
:       asl     a               ; luminance 0, 2 .. 14 and back
        tax
        ora     pulse
        sta     zones+2         ; the first pair of the board's list is the cursor's colour
        lda     back
        cmp     #255
        beq     :+
        txa
        lsr     a
        ora     back
        sta     COLOR4
:       jmp     SYSVBV

dli:    pha
        txa
        pha
        tya
        pha
        ldy     next
        lda     zones,y
        sta     WSYNC
        sta     CHBASE
pair:   iny
        ldx     zones,y
        beq     last
        iny
        lda     zones,y
        sta     GTIA,x
        jmp     pair
last:   tya                     ; on to the next list
        and     #$E0
        clc
        adc     #32
        sta     next
        pla
        tay
        pla
        tax
        pla
        rti

        .assert * <= $0700, error, "page 6 is full"
