; Computer Gammon: the board's other pegs from the one that is drawn, which is sand and hangs down. Relocatable.
; `cargo run -p xtask -- games` puts the bytes into the listing, six bits a character.
;
;   USR(HERE,LETTERS)  characters 13 to 48 and 110 to 121 of the character set LETTERS from characters 1 to 12
;
; A peg is 6 rows of 2 characters, 96 bytes.

        .setcpu "6502"

SAND    = $CB                   ; $CB-$D1 belong to the user in Atari BASIC, $D4 to $D9 to a program called by USR
RED     = $CD
STANDS  = $CF
BYTE    = $D1
REDS    = $D6                   ; the one that stands, red-brown
TRIPLE  = $D8
BLUE    = $DA                   ; the one that hangs in blue's home

        .org    0

        pla                     ; number of arguments
        pla
        sta     SAND+1
        sta     RED+1
        sta     STANDS+1
        sta     REDS+1
        pla
        lda     #8
        sta     SAND
        lda     #8+96
        sta     RED
        lda     #8+2*96-32      ; places of pegs that stand are counted from 32
        sta     STANDS
        lda     #<(8+3*96-32)
        sta     REDS
        inc     REDS+1
        lda     SAND+1
        clc
        adc     #3
        sta     BLUE+1
        lda     #<(8*110)
        sta     BLUE
        ldx     #95
peg:    txa
        tay
        lda     (SAND),y
        sta     BYTE
        asl     a               ; sand is 1 in the two bits of a pixel, blue 2, red-brown 3 (and green, which is not inverse)
        sta     (BLUE),y
        ora     BYTE
        sta     (RED),y
        sta     TRIPLE
        tya
        eor     #$77            ; upside down: the last row of 16 bytes first, and in a character the last byte first
        tay
        lda     BYTE
        sta     (STANDS),y
        lda     TRIPLE
        sta     (REDS),y
        dex
        bpl     peg
        rts
