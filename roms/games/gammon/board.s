; Computer Gammon: draws a peg. Relocatable: it lives below the players.
; `cargo run -p xtask -- games` puts the bytes into the listing, six bits a character.
;
;   USR(PEG,N,COUNT,SIDE)  draws peg N (1..24; 0 and 25: the bar) with COUNT tiles of SIDE (0 blue, 1 green)
;
; A stack of n tiles is n + 1 characters high, for each tile covers half of the one before.

        .setcpu "6502"

SAVMSC  = $58
DST     = $CB                   ; $CB-$D1 belong to the user in Atari BASIC, $D4-$DF to a routine
N       = $CD
COUNT   = $CE
TILES   = $CF                   ; first character of the side's tiles
K       = $D0                   ; place in the row of pegs, 0..11
R       = $D1                   ; row, 0 at the frame

PETROL  = 110                   ; characters of the blue peg that hangs: see pegs.s

half    = $D6                   ; the character pair of the tile at the frame
other   = $D7                   ; and of the tile at the open end
bare    = $D8                   ; the peg itself, its row at the frame
step    = $D9                   ; 2 or -2: to the peg's next row
stride  = $DA                   ; 40 or -40: to the screen's next row
sign    = $DB

        .org    0

        pla                     ; number of arguments
        pla
        pla
        sta     N
        pla
        pla
        cmp     #6              ; five tiles fill a peg
        bcc     :+
        lda     #5
:       sta     COUNT
        pla
        pla
        lsr     a
        lda     #49
        bcc     :+
        lda     #55
:       sta     TILES

        ldx     #1              ; pegs that stand
        lda     #12
        sec
        sbc     N               ; 12 - N is the place
        bcs     place
        dex                     ; pegs that hang
        lda     N
        sbc     #12             ; carry is clear: N - 13
place:  sta     K

        lda     TILES
        cpx     #0
        bne     stands
        sta     half            ; upper half at the frame
        clc
        adc     #4
        sta     other
        lda     #2
        sta     step
        lda     #40
        sta     stride
        lda     #0
        sta     sign
        lda     K               ; red-brown where K is odd
        lsr     a
        lda     #1
        bcc     colour
        lda     K
        cmp     #6
        lda     #13+$80
        bcc     colour
        lda     #PETROL         ; blue's home
        bne     colour
stands: sta     other
        clc
        adc     #4
        sta     half
        lda     #<-2
        sta     step
        lda     #<-40
        sta     stride
        lda     #$FF
        sta     sign
        lda     K               ; red-brown where K is even
        lsr     a
        lda     #25+10
        bcs     colour
        lda     K
        cmp     #6
        lda     #37+10+$80
        bcc     colour
        lda     #37+10          ; green's home: the same pixels in the third colour
colour: sta     bare

        lda     K
        cmp     #12
        bcc     :+
        lda     #65+$80         ; the bar: the same pair in every row
        sta     bare
        lda     #0
        sta     step
        lda     #19
        bne     column
:       cmp     #6              ; a bar of two columns between the halves
        lda     K
        bcc     :+
        adc     #1              ; carry is set: 2
:       adc     K
        adc     K
        adc     #1
column: cpx     #0              ; column + 120 or 640: the frame's row
        bne     low
        adc     #120-1          ; carry is set by the comparison
        sta     DST
        lda     #0
        beq     high
low:    clc
        adc     #<640
        sta     DST
        lda     #>640
high:   adc     #0
        sta     DST+1
        lda     DST
        clc
        adc     SAVMSC
        sta     DST
        lda     DST+1
        adc     SAVMSC+1
        sta     DST+1

        lda     #0
        sta     R
row:    lda     COUNT
        beq     empty
        lda     R
        bne     :+
        lda     half
        bne     put
:       cmp     COUNT
        bcc     over
        bne     empty
        lda     other
        bne     put
over:   lda     TILES
        adc     #2
        bne     put
empty:  lda     bare
put:    ldy     #0
        sta     (DST),y
        clc
        adc     #1
        iny
        sta     (DST),y
        lda     bare
        clc
        adc     step
        sta     bare
        lda     DST
        clc
        adc     stride
        sta     DST
        lda     DST+1
        adc     sign
        sta     DST+1
        inc     R
        lda     R
        cmp     #6
        bne     row
        rts
