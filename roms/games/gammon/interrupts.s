; Computer Gammon: the interrupts, in page 6.
; `cargo run -p xtask -- games` puts the bytes into the listing, six bits a character.
;
;   USR(1536)      starts the interrupts
;   USR(1539)      ends them
;   1542 PAGE      page of the players' memory (PMBASE)
;   1543 SCREEN    which lists are used: 0 those of the board, 59 those of the title
;   1544 BACK      hue (times 16) of the title's pulsing background, or 255: leave it
;   1695 TILE      the shape of the gliding tile, 8 bytes
;   1703 LISTS     what the interrupts write, below
;
; The first list of a screen is written by the vertical blank interrupt, each of the others by the next display list interrupt
; of the frame. A list is CHBASE (pages from PMBASE), then pairs of a register's low address ($D000 + n) and its value, then 0.
; Before CHBASE the lists of display list interrupts have COLBK, which is what shows in blank lines: it is written between two
; lines, in time for the next even if the interrupt comes in the last line of characters, where few cycles are left.

        .setcpu "6502"

RTCLOK  = $14
PCOLR0  = $02C0
COLOR4  = $02C8
GTIA    = $D000
HPOSP0  = $20                   ; a mirror of it: 0 ends a list
HPOSP1  = $01
HPOSP2  = $02
HPOSP3  = $03
SIZEP0  = $08
SIZEP1  = $09
COLPM0  = $12
COLPM1  = $13
COLPM2  = $14
COLPM3  = $15
COLPF0  = $16
COLPF1  = $17
COLPF2  = $18
COLPF3  = $19
PRIOR   = $1B
COLBK   = $D01A
WSYNC   = $D40A
CHBASE  = $D409

DRAWN   = <-12                  ; pages from PMBASE: the board's characters,
LETTERS = <-8                   ; and the letters

        .org    $0600

        jmp     start
        jmp     finish
page:   .byte   0
screen: .byte   0
back:   .byte   255

        .include "../frame.inc"

; Every frame: swell and fade the cursor and the title; begin with the screen's first list.
vbi:    lda     RTCLOK
        lsr     a
        lsr     a
        and     #$0F
        cmp     #8
        bcc     :+
        eor     #$0F
:       tax                     ; luminance 0 to 7 and back; the cursor's 8 to 14, so that it never fades to nothing
        ora     #$18
        sta     PCOLR0
        lda     back
        lsr     a
        bcs     :+              ; 255
        txa
        lsr     a
        adc     #1              ; luminance 0, 2 and 4: the blue letters stay readable
        ora     back
        sta     COLOR4
        sta     above
        sta     below
:       ldy     screen
        jsr     write
        jmp     SYSVBV

dli:    pha
        tya
        pha
        ldy     next
        lda     lists,y
        sta     WSYNC
        nop                     ; the line is not quite at its end yet
        nop
        nop
        sta     COLBK
        txa
        pha
        iny
        jsr     write
        pla
        tax
        pla
        tay
        pla
        rti

; Writes the list from its CHBASE on.
write:  cld                     ; BASIC's arithmetic is decimal, and an interrupt does not change that
        clc
        lda     lists,y
        adc     page
        sta     CHBASE
pair:   ldx     lists+1,y
        beq     last
        lda     lists+2,y
        sta     GTIA,x
        iny
        iny
        bne     pair
last:   iny                     ; past CHBASE and the end
        iny
        sty     next
        rts

        .assert * <= $069F, error, "the lists must stand at $06A7"
        .res    $069F - *
tile:   .byte   %00111100       ; the shape of the gliding tile
        .byte   %11111111
        .byte   %11000011
        .byte   %10111101
        .byte   %10111101
        .byte   %11000011
        .byte   %11111111
        .byte   %00111100

lists:
; The board: of the vertical blank,
        .byte   LETTERS, HPOSP0, 0, HPOSP1, 0, HPOSP2, 32, HPOSP3, 208, SIZEP0, 0, SIZEP1, 0, 0
; above its frame,
        .byte   $F0, DRAWN, COLPF1, $96, COLPF2, $C6, 0
; below its frame, where players become dice,
        .byte   $20, LETTERS, COLPF2, $20, COLPF1, 12, HPOSP0, 128, HPOSP1, 128, HPOSP2, 146, HPOSP3, 146
        .byte   SIZEP0, 1, SIZEP1, 1, PRIOR, 1, COLPM0, 0, COLPM1, 14, COLPM2, 0, COLPM3, 14, 0
; above the names.
        .byte   $20, LETTERS, COLPF1, $9A, COLPF2, $C8, COLPF3, $36, 0
; The title: of the vertical blank, below "computer", below the pegs, below the names.
        .byte   LETTERS, 0
above:  .byte   0, DRAWN, COLPF0, $2A, COLPF1, $9A, COLPF2, $C6, COLPF3, $32, 0
below:  .byte   0, LETTERS, COLPF0, 14, COLPF1, $9A, COLPF2, $C8, 0
        .byte   0, LETTERS, COLPF1, 12, COLPF2, 0, 0
next    = *                     ; offset of the next list

        .assert next < $0700, error, "page 6 is full"
