; Crazy Eights: the interrupts of the card table, and the emblems, in page 6.
; `cargo run -p xtask -- games` puts the bytes into the listing as hexadecimal DATA.
;
;   USR(1536)     starts the interrupts
;   USR(1539)     ends them
;   1542 CHARS    page of the card character set
;   1543 FELT     19 shades: one for each row of the table, then the frame's
;   1562 LETTERS  luminance of the letters below the table
;   1563 EMBLEM   the four types as shapes of a player, 14 bytes each
;   1620 RED      colour of hearts and diamonds
; On a PAL machine USR(1536) gives FELT, RED and the blue of the backs the hues that look alike there.
;
; The display list asks for an interrupt after row 0 and after each of the 18 rows of the table. The first
; one changes the character set and the colours for the cards, the last one changes them back.

        .setcpu "6502"

PALFLAG = $D014
COLPF1  = $D017
COLPF2  = $D018
COLBK   = $D01A
WSYNC   = $D40A
CHBASE  = $D409

        .org    $0600

        jmp     begin
        jmp     finish
chars:  .byte   0
felt:   .byte   194, 194, 194, 196, 196, 196, 198, 198, 198, 198
        .byte   198, 196, 196, 196, 196, 194, 194, 194, 34
letters:.byte   $0C
emblem: .byte   %01000100       ; heart
        .byte   %11101110
        .byte   %11111110
        .byte   %11111110
        .byte   %11111110
        .byte   %11111110
        .byte   %01111100
        .byte   %01111100
        .byte   %00111000
        .byte   %00111000
        .byte   %00010000
        .byte   %00010000
        .byte   0
        .byte   0
        .byte   %00010000       ; diamond
        .byte   %00010000
        .byte   %00111000
        .byte   %00111000
        .byte   %01111100
        .byte   %01111100
        .byte   %11111110
        .byte   %01111100
        .byte   %01111100
        .byte   %00111000
        .byte   %00111000
        .byte   %00010000
        .byte   %00010000
        .byte   0
        .byte   %00111000       ; club
        .byte   %01111100
        .byte   %01111100
        .byte   %01111100
        .byte   %00111000
        .byte   %11010110
        .byte   %11111110
        .byte   %11111110
        .byte   %11111110
        .byte   %11010110
        .byte   %00010000
        .byte   %00111000
        .byte   %01111100
        .byte   0
        .byte   %00010000       ; spade
        .byte   %00010000
        .byte   %00111000
        .byte   %00111000
        .byte   %01111100
        .byte   %01111100
        .byte   %11111110
        .byte   %11111110
        .byte   %11111110
        .byte   %11010110
        .byte   %00010000
        .byte   %00111000
        .byte   %01111100
        .byte   0
line:   .byte   0               ; which interrupt of the frame comes next
red:    .byte   $44

begin:  lda     PALFLAG
        and     #$0E
        bne     start           ; NTSC
        ldx     #17
:       lda     felt,x          ; green: $Cx is $Ax in PAL
        eor     #$60
        sta     felt,x
        dex
        bpl     :-
        lda     #$E2            ; wood: $22
        sta     felt+18
        lda     #$74            ; blue: $84
        sta     blue+1
        lda     #$34
        sta     red

        .include "../frame.inc"

vbi:    lda     #0
        sta     line
        jmp     SYSVBV

dli:    pha
        txa
        pha
        ldx     line
        lda     felt,x
        sta     WSYNC
        nop                     ; not before the picture's right edge
        nop
        sta     COLBK
        cpx     #0
        beq     enter
        cpx     #18
        bne     done
        lda     #$E0            ; below the table: the ordinary letters
        sta     CHBASE
        lda     felt+18
        sta     COLPF2
        lda     letters
        bne     text
enter:  lda     chars           ; the table: cards
        sta     CHBASE
        stx     COLPF2          ; black ink
blue:   lda     #$84
text:   sta     COLPF1
done:   inc     line            ; not before WSYNC: a text line leaves the processor few cycles
        pla
        tax
        pla
        rti

        .assert * <= $06F0, error, "page 6 is full"
