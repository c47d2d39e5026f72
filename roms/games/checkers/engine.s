; Checkers: the rules, the computer's player, the drawing and the interrupts, at $9400 below RAMTOP.
; `cargo run -p xtask -- games` puts the bytes into the listing as hexadecimal DATA.
;
; Squares are numbers 0 to 63: 8 * (row - 1) + column, A1 = 0, row 1 is black's home. Sides: 1 black, 2 white.
;
;   USR(37888)                  sets up the pieces
;   USR(37891,SIDE,HOP)         lists the legal steps: how many; from at 33280, to at 33536. HOP: 1 + the square of the
;                               piece that is in the middle of its jumps, or 0
;   USR(37894,FROM,TO)          plays a step: 1 if the same piece must jump on, + 2 crowned, + 4 captured
;   USR(37897,SIDE,HOP,PLIES,TIME)  the computer's choice: 64 * from + to; TIME in thirtieths of a second (PAL: 25ths)
;                               35396: what it thinks the position is worth, from 1 (lost) over 128 to 255
;   USR(37900)                  draws the board and the taken pieces; 33024: the 8 x 8 array of the pieces
;   USR(37903,PLAYER,SQUARE)    puts a marker on a square, or takes it away (64)
;   USR(37906,FROM,TO,SHADE)    lets a piece glide
;   USR(37909,ADDRESS,PICTURE)  a picture of 4 x 3 characters: 0 light, 1 dark, 2 black, 3 white man, 4 and 5 their kings
;   USR(37912)                  starts the interrupts
;   USR(37915)                  ends them
;   33168, 33192, 33216, 33240  what the display list interrupts write: COLPF0, COLPF1, COLPF2, CHBASE, 24 each
;   33266                       hue (times 16) of the cursor

        .setcpu "6502"

RTCLOK  = $14
PCOLR0  = $02C0
HPOSP0  = $D000
COLPF0  = $D016
COLPF1  = $D017
COLPF2  = $D018
RANDOM  = $D20A
CHBASE  = $D409
WSYNC   = $D40A

; Memory below the character set
CELLS   = $8100                 ; the 8 x 8 array: 0 empty, 1 and 2 men of black and white, 3 and 4 their kings
BOARD   = $8150                 ; the board of the search, see below; 16 bytes of rim before it
STEPF   = $8200                 ; the list of steps: from
STEPT   = $8300                 ; to
dpf0    = $8190                 ; colours of the interrupts, 24 each
dpf1    = $81A8
dpf2    = $81C0
dchb    = $81D8
next    = $81F0                 ; the interrupt that comes next
timer   = $81F1                 ; half the frames that are left for the search
hue     = $81F2                 ; of the cursor
SCREEN  = $9000
PLAYERS = $8C00
TOP     = 18                    ; scan line of the board's upper edge
LEFT    = 64                    ; colour clock of its left edge

; The board of the search has only the 32 dark squares, four to a row, with one rim place after every second row:
; 5..8, 9..12, (13), 14..17, 18..21, (22), ... 36..39. So a step is always +4 or +5 forwards, -4 or -5 backwards, a jump
; twice that, and what leaves the board to the side ends on the rim.
; A piece: bit 0 black, bit 1 white, bit 7 king; bits 6 and 7 choose its column in the table of values.
BLACK   = 1
WHITE   = 2
RIM     = $10
MAXPLY  = 28

; Between the display lists and the players
rowof   = $8900                 ; row and column of the places of the search's board
colof   = $8940
lrow    = $8980                 ; of the pieces of who is behind
lcol    = $8990

; Zero page: the user's seven bytes, and the floating point registers between two calculations of BASIC
PTR     = $CB                   ; 2
SRC     = $CD                   ; 2
T0      = $CF
T1      = $D0
T2      = $D1
RESULT  = $D4                   ; 2: what USR returns
PLY     = $D6
SIDE    = $D7
OTHER   = $D8
MSP     = $D9                   ; end of the list of steps
FROM    = $DA
TO      = $DB
MID     = $DC
PIECE   = $DD
SC      = $DE                   ; pieces of black less those of white, in fifths of a man
NP      = $DF                   ; pieces on the board
ABORT   = $E0
CROWN   = $E1
GOON    = $E2
VAL     = $E3
BESTF   = $E4
BESTT   = $E5
DEPTH   = $E6
MAXD    = $E7
COUNT   = $E8
LEAD    = $E9
WEAK    = $EA
SUM     = $EB
HALF    = $EC

; There, too: memory that needs no loading
toidx   = $8A00                 ; 64: the places of squares; 0 for the light ones
hop     = $8A40
gx      = $8A41
gy      = $8A42
gdx     = $8A43
worth   = $8A44
; For every ply of the search
palpha  = $8A50
pbeta   = $8A70
pdepth  = $8A90
pside   = $8AB0
pjump   = $8AD0
pmove   = $8AF0                 ; the step that is tried, and the end of the list
pend    = $8B10
ufrom   = $8B30                 ; what takes a step back
uto     = $8B50
upiece  = $8B70
ucap    = $8B90
usc     = $8BB0
killf   = $89A0                 ; the best step so far
killt   = $89C0
        .assert MAXPLY + 2 <= 32, error, "too many plies"

        .org    $9400

        jmp     new
        jmp     legal
        jmp     step
        jmp     think
        jmp     draw
        jmp     mark
        jmp     glide
        jmp     put
        jmp     start
        jmp     finish

; ---------------------------------------------------------------- interrupts

        .include "../frame.inc"

; Every frame: the first interrupt comes first, the cursor's light swells and fades, the search's time runs.
vbi:    lda     #0
        sta     next
        lda     RTCLOK
        lsr     a
        bcs     :+
        ldx     timer
        beq     :+
        dec     timer
:       and     #$0F
        cmp     #8
        bcc     :+
        eor     #$0F
:       asl     a
        ora     #6
        ora     hue
        sta     PCOLR0
        jmp     SYSVBV

; A row of characters leaves the processor half of the line: WSYNC must come soon.
dli:    pha
        txa
        pha
        ldx     next
        lda     dpf0,x
        sta     WSYNC
        sta     COLPF0
        lda     dpf2,x
        sta     COLPF2
        lda     dpf1,x
        sta     COLPF1
        lda     dchb,x
        sta     CHBASE
        inc     next
        pla
        tax
        pla
        rti

; ---------------------------------------------------------------- the board

; Sets up the pieces, and the tables between the two numberings.
new:    pla
        ldx     #63
        lda     #RIM
:       sta     BOARD-16,x
        dex
        bpl     :-
        ldx     #63
        lda     #0
:       sta     toidx,x
        dex
        bpl     :-
        ldx     #39
place:  ldy     tosq,x
        bmi     skip
        txa
        sta     toidx,y
        tya
        lsr     a
        lsr     a
        lsr     a
        sta     rowof,x
        tya
        and     #7
        sta     colof,x
        lda     #BLACK
        cpx     #18
        bcc     :+
        lda     #0
        cpx     #27
        bcc     :+
        lda     #WHITE|$40
:       sta     BOARD,x
skip:   dex
        cpx     #5
        bcs     place
        rts

; The legal steps of SIDE, by the piece at HOP or by all.
legal:  pla
        jsr     sides
        pla
        pla
        jsr     steps
        ldx     MSP
        stx     RESULT
        beq     done
; The numbers of the list become those of squares.
        dex
conv:   ldy     STEPF,x
        lda     tosq,y
        sta     STEPF,x
        ldy     STEPT,x
        lda     tosq,y
        sta     STEPT,x
        dex
        cpx     #$FF
        bne     conv
done:   lda     #0
        sta     RESULT+1
        rts

; SIDE from the stack below the return address
sides:  pla
        sta     T0
        pla
        sta     T1
        pla
        pla
        sta     SIDE
        eor     #3
        sta     OTHER
        lda     #0
        sta     MSP
        sta     PLY
        lda     T1
        pha
        lda     T0
        pha
        rts

; Lists the steps of SIDE; A: 1 + square of the jumping piece, or 0.
steps:  tay
        beq     :+
        ldx     toidx-1,y
        jmp     hops
:       jsr     jumps
        lda     MSP
        bne     steprt
; Steps without a jump, of all pieces of SIDE
moves:  ldx     #39
mloop:  lda     BOARD,x
        and     SIDE
        beq     mnext
        lda     BOARD,x
        bmi     mboth
        lsr     a
        bcc     mback
mboth:  ldy     MSP
        lda     BOARD+4,x
        bne     :+
        txa
        sta     STEPF,y
        clc
        adc     #4
        sta     STEPT,y
        iny
:       lda     BOARD+5,x
        bne     :+
        txa
        sta     STEPF,y
        clc
        adc     #5
        sta     STEPT,y
        iny
:       sty     MSP
        lda     BOARD,x
        bpl     mnext
mback:  ldy     MSP
        lda     BOARD-4,x
        bne     :+
        txa
        sta     STEPF,y
        sec
        sbc     #4
        sta     STEPT,y
        iny
:       lda     BOARD-5,x
        bne     :+
        txa
        sta     STEPF,y
        sec
        sbc     #5
        sta     STEPT,y
        iny
:       sty     MSP
mnext:  dex
        cpx     #5
        bcs     mloop
steprt: rts

; Jumps of all pieces of SIDE: most of the time goes by here, so the loop is written out
jumps:
        .repeat 35, I
        .if     39-I <> 13 .and 39-I <> 22 .and 39-I <> 31
        lda     BOARD+39-I
        and     SIDE
        beq     :+
        ldx     #39-I
        jsr     hops
:
        .endif
        .endrepeat
        rts

; Jumps of the piece at X
hops:   lda     BOARD,x
        bmi     hfore
        lsr     a
        bcc     hback
hfore:  lda     BOARD+4,x
        and     OTHER
        beq     :+
        lda     BOARD+8,x
        bne     :+
        txa
        ldy     MSP
        sta     STEPF,y
        clc
        adc     #8
        sta     STEPT,y
        inc     MSP
:       lda     BOARD+5,x
        and     OTHER
        beq     :+
        lda     BOARD+10,x
        bne     :+
        txa
        ldy     MSP
        sta     STEPF,y
        clc
        adc     #10
        sta     STEPT,y
        inc     MSP
:       lda     BOARD,x
        bpl     hend
hback:  lda     BOARD-4,x
        and     OTHER
        beq     :+
        lda     BOARD-8,x
        bne     :+
        txa
        ldy     MSP
        sta     STEPF,y
        sec
        sbc     #8
        sta     STEPT,y
        inc     MSP
:       lda     BOARD-5,x
        and     OTHER
        beq     hend
        lda     BOARD-10,x
        bne     hend
        txa
        ldy     MSP
        sta     STEPF,y
        sec
        sbc     #10
        sta     STEPT,y
        inc     MSP
hend:   rts

; Plays FROM, TO on the board; X = PLY keeps what is needed to take it back. GOON: the same piece must jump on.
make:   ldx     PLY
        lda     FROM
        sta     ufrom,x
        lda     TO
        sta     uto,x
        lda     SC
        sta     usc,x
        lda     #0
        sta     CROWN
        sta     GOON
        sta     ucap,x
        ldy     FROM
        lda     BOARD,y
        sta     PIECE
        sta     upiece,x
        and     #$C0
        ora     FROM
        tay
        lda     SC
        sec
        sbc     value,y
        sta     SC
        ldy     FROM
        lda     #0
        sta     BOARD,y
        lda     TO
        sec
        sbc     FROM
        bcs     :+
        eor     #$FF
        adc     #1
:       cmp     #8
        bcc     nojump
        lda     FROM
        clc
        adc     TO
        lsr     a
        sta     MID
        tay
        lda     BOARD,y
        sta     ucap,x
        and     #$C0
        ora     MID
        tay
        lda     SC
        sec
        sbc     value,y
        sta     SC
        ldy     MID
        lda     #0
        sta     BOARD,y
        dec     NP
nojump: lda     PIECE
        bmi     land
        lsr     a
        lda     TO
        bcs     :+
        cmp     #9
        bcs     land
        bcc     crowned
:       cmp     #36
        bcc     land
crowned:lda     PIECE
        ora     #$84
        sta     PIECE
        inc     CROWN
land:   ldy     TO
        lda     PIECE
        sta     BOARD,y
        and     #$C0
        ora     TO
        tay
        lda     SC
        clc
        adc     value,y
        sta     SC
        lda     ucap,x
        beq     made
        lda     CROWN           ; a crown ends the move
        bne     made
        lda     MSP
        pha
        ldx     TO
        jsr     hops
        pla
        cmp     MSP
        sta     MSP
        beq     made
        inc     GOON
made:   rts

; Takes back the step of X = PLY.
unmake: ldy     uto,x
        lda     #0
        sta     BOARD,y
        ldy     ufrom,x
        lda     upiece,x
        sta     BOARD,y
        lda     usc,x
        sta     SC
        lda     ucap,x
        beq     made
        lda     ufrom,x
        clc
        adc     uto,x
        lsr     a
        tay
        lda     ucap,x
        sta     BOARD,y
        inc     NP
        rts

; Plays a step of the game itself.
step:   pla
        lda     #0
        sta     PLY
        sta     MSP
        pla
        pla
        tax
        lda     toidx,x
        sta     FROM
        pla
        pla
        tax
        lda     toidx,x
        sta     TO
        ldx     FROM
        lda     BOARD,x
        and     #3
        sta     SIDE
        eor     #3
        sta     OTHER
        jsr     make
        lda     CROWN
        asl     a
        ora     GOON
        ldx     ucap
        beq     :+
        ora     #4
:       sta     RESULT
        lda     #0
        sta     RESULT+1
        rts

; ---------------------------------------------------------------- the computer's player

; Alpha-beta search, one step deeper each time until the time is over. Values are bytes from 1 to 255, seen by the side
; to move: 128 is even, and 256 less a value is the same for the other side.
think:  pla
        jsr     sides
        pla
        pla
        sta     hop
        pla
        pla
        sta     MAXD
        pla
        pla
        sta     timer
        lsr     a
        sta     HALF
        lda     SIDE
        sta     pside
        jsr     count
        lda     hop
        jsr     steps
        lda     #$FF
        sta     RESULT
        sta     RESULT+1
        ldx     MSP
        bne     :+
        rts                     ; 65535: there is none
:       lda     STEPF
        sta     BESTF
        lda     STEPT
        sta     BESTT
        lda     #1
        sta     DEPTH
        dex
        beq     chosen          ; one legal step needs no thought
deeper: lda     #0
        sta     ABORT
        sta     MSP
        sta     PLY
        sta     palpha
        ldx     #255
        stx     pbeta
        ldx     hop
        beq     :+
        lda     toidx-1,x
:       sta     pjump
        lda     DEPTH
        sta     pdepth
        jsr     search
        ldx     ABORT
        bne     chosen
        sta     worth
        cmp     #236            ; won or lost: what is deeper does not matter
        bcs     chosen
        cmp     #21
        bcc     chosen
        lda     timer           ; a deeper search would not come to its end
        cmp     HALF
        bcc     chosen
        inc     DEPTH
        lda     MAXD
        cmp     DEPTH
        bcs     deeper
chosen: ldx     BESTF
        ldy     tosq,x
        sty     T0
        ldx     BESTT
        lda     tosq,x
        sta     RESULT
        lda     #0
        lsr     T0              ; 64 * from + to
        ror     a
        lsr     T0
        ror     a
        ora     RESULT
        sta     RESULT
        lda     T0
        sta     RESULT+1
        rts

; The value SC of the pieces on the board, and their number NP
count:  lda     #0
        sta     SC
        sta     NP
        ldx     #39
cloop:  lda     BOARD,x
        and     #3
        beq     :+
        inc     NP
        stx     T0
        lda     BOARD,x
        and     #$C0
        ora     T0
        tay
        lda     SC
        clc
        adc     value,y
        sta     SC
:       dex
        cpx     #5
        bcs     cloop
        rts

; What the position at PLY is worth to its side, between palpha and pbeta
search: lda     timer
        bne     :+
        inc     ABORT
        rts
:       ldx     PLY
        lda     pside,x
        sta     SIDE
        eor     #3
        sta     OTHER
        lda     MSP
        sta     pmove,x
        cmp     #220            ; the list is nearly full (it never is in a game that was played so far)
        bcs     leaf
        cpx     #MAXPLY
        bcs     leaf
        lda     pjump,x
        beq     :+
        tax
        jsr     hops
        jmp     listed
:       jsr     jumps
        ldx     PLY
        lda     MSP
        cmp     pmove,x
        bne     some
        lda     pdepth,x
        beq     leaf            ; the search ends where nothing is to be captured
        jsr     moves
listed: ldx     PLY
        lda     MSP
        cmp     pmove,x
        bne     some
        inx                     ; no step: lost, the later the better
        txa
        rts
some:   sta     pend,x
        txa
        bne     :+
        jsr     order
        jmp     try
:       jsr     killer
        jmp     try

; The pieces' value; who is ahead likes exchanges.
leaf:   lda     SC
        bmi     behind
        cmp     #6
        bcc     even
        lda     #24
        sec
        sbc     NP
        lsr     a
        lsr     a
        clc
        adc     SC
        jmp     even
behind: cmp     #<-5
        bcs     even
        lda     #24
        sec
        sbc     NP
        lsr     a
        lsr     a
        sta     T0
        lda     SC
        sec
        sbc     T0
even:   sta     VAL
        ldx     NP              ; few pieces: who is ahead goes near the others
        cpx     #7
        bcs     view
        ldx     SC
        cpx     #5
        bcc     view
        cpx     #<-4
        bcs     view
        jsr     chase
view:   lda     VAL
        ldy     SIDE
        cpy     #BLACK
        beq     :+
        eor     #$FF
        clc
        adc     #1
:       eor     #$80
        rts

try:    ldy     pmove,x
        lda     STEPF,y
        sta     FROM
        lda     STEPT,y
        sta     TO
        jsr     make
        ldx     PLY
        lda     GOON
        beq     reply
        lda     palpha,x        ; the same side jumps on
        sta     palpha+1,x
        lda     pbeta,x
        sta     pbeta+1,x
        lda     pdepth,x
        sta     pdepth+1,x
        lda     pside,x
        sta     pside+1,x
        lda     TO
        sta     pjump+1,x
        inc     PLY
        jsr     search
        dec     PLY
        ldx     PLY
        jmp     back
reply:  sta     pjump+1,x
        lda     pbeta,x
        eor     #$FF
        sta     palpha+1,x
        inc     palpha+1,x
        lda     palpha,x
        eor     #$FF
        sta     pbeta+1,x
        inc     pbeta+1,x
        bne     :+
        dec     pbeta+1,x       ; 256 does not fit
:       ldy     pdepth,x
        beq     :+
        dey
:       tya
        sta     pdepth+1,x
        lda     pside,x
        eor     #3
        sta     pside+1,x
        inc     PLY
        jsr     search
        dec     PLY
        ldx     PLY
        eor     #$FF
        clc
        adc     #1
back:   sta     VAL
        jsr     unmake
        lda     pend,x
        sta     MSP
        lda     ABORT
        bne     return
        lda     pside,x
        sta     SIDE
        eor     #3
        sta     OTHER
        lda     VAL
        cmp     palpha,x
        beq     worse
        bcc     worse
        sta     palpha,x
        lda     ufrom,x
        sta     killf,x
        lda     uto,x
        sta     killt,x
        txa
        bne     :+
        lda     ufrom
        sta     BESTF
        lda     uto
        sta     BESTT
:       lda     VAL
        cmp     pbeta,x
        bcs     return
worse:  inc     pmove,x
        lda     pmove,x
        cmp     pend,x
        beq     return
        jmp     try
return: lda     palpha,x
        rts

; Takes a quarter of the distances between all pieces of both sides from the value of who is ahead.
chase:  ldy     #BLACK
        lda     SC
        bpl     :+
        ldy     #WHITE
:       sty     LEAD
        tya
        eor     #3
        sta     WEAK
        ldy     #0
        sty     SUM
        ldx     #39
cweak:  lda     BOARD,x
        and     WEAK
        beq     :+
        lda     rowof,x
        sta     lrow,y
        lda     colof,x
        sta     lcol,y
        iny
:       dex
        cpx     #5
        bcs     cweak
        sty     COUNT
        ldx     #39
clead:  lda     BOARD,x
        and     LEAD
        beq     cnext
        ldy     COUNT
cpair:  dey
        bmi     cnext
        lda     rowof,x
        sec
        sbc     lrow,y
        bcs     :+
        eor     #$FF
        adc     #1
:       sta     T0
        lda     colof,x
        sec
        sbc     lcol,y
        bcs     :+
        eor     #$FF
        adc     #1
:       cmp     T0              ; the longer way of the two
        bcs     :+
        lda     T0
:       clc
        adc     SUM
        sta     SUM
        bcc     cpair           ; always
cnext:  dex
        cpx     #5
        bcs     clead
        lda     SUM
        lsr     a
        lsr     a
        ldy     LEAD
        cpy     #BLACK
        bne     :+
        eor     #$FF            ; black is ahead: less
        clc
        adc     #1
:       clc
        adc     VAL
        sta     VAL
        rts

; The step that was best at this ply a moment ago stands a good chance of being it again: it comes first.
killer: ldy     pmove,x
search1:lda     STEPF,y
        cmp     killf,x
        bne     :+
        lda     STEPT,y
        cmp     killt,x
        beq     found
:       iny
        tya
        cmp     pend,x
        bne     search1
        rts
found:  lda     pmove,x
        tax
        jsr     swap
        ldx     PLY
        rts

; The steps of the root: shuffled, the best one so far first.
order:  ldx     MSP
        dex
mix:    beq     front
        stx     T0
:       lda     RANDOM
        and     #31
        cmp     T0
        beq     :+
        bcs     :-
:       tay
        jsr     swap
        dex
        jmp     mix
front:  ldx     MSP
find:   dex
        bmi     ordered
        lda     STEPF,x
        cmp     BESTF
        bne     find
        lda     STEPT,x
        cmp     BESTT
        bne     find
        ldy     #0
        jsr     swap
ordered:ldx     #0
        rts
swap:   lda     STEPF,x
        pha
        lda     STEPF,y
        sta     STEPF,x
        pla
        sta     STEPF,y
        lda     STEPT,x
        pha
        lda     STEPT,y
        sta     STEPT,x
        pla
        sta     STEPT,y
        rts

; ---------------------------------------------------------------- drawing

; The board: the 8 x 8 array first, then its pictures and the two trays.
draw:   pla
        lda     #63
        sta     T2
dloop:  ldx     T2
        ldy     toidx,x
        lda     #0
        cpy     #0
        beq     :+
        lda     BOARD,y
        and     #3
        beq     :+
        ldx     BOARD,y
        bpl     :+
        ora     #4              ; kings: 5, 6
        sec
        sbc     #2              ; 3, 4
:       ldx     T2
        sta     CELLS,x
        cpy     #0
        beq     :+
        clc
        adc     #1
:       sta     T0
        jsr     square
        lda     T0
        jsr     show
        dec     T2
        bpl     dloop
; Taken pieces: white ones to the left, black ones to the right, from the bottom up
        lda     #WHITE
        ldx     #0
        jsr     tray
        lda     #BLACK
        ldx     #37
tray:   stx     PTR
        sta     T0
        lda     #>(SCREEN+22*40)
        sta     PTR+1
        lda     #<(SCREEN+22*40)
        clc
        adc     PTR
        sta     PTR
        bcc     :+
        inc     PTR+1
:       lda     #12
        sta     COUNT
        ldx     #39
tcount: lda     BOARD,x
        cmp     #RIM
        beq     :+
        and     T0
        beq     :+
        dec     COUNT
:       dex
        cpx     #5
        bcs     tcount
        lda     #12
        sta     T1
trow:   ldx     #38             ; first character of a taken white piece
        lda     T0
        cmp     #WHITE
        beq     :+
        ldx     #32
:       lda     COUNT
        beq     tempty
        dec     COUNT
        jmp     tpiece
tempty: ldx     #64             ; blanks
tpiece: ldy     #0
        jsr     three
        ldy     #40
        jsr     three
        lda     PTR
        sec
        sbc     #80
        sta     PTR
        bcs     :+
        dec     PTR+1
:       dec     T1
        bne     trow
        rts
three:  jsr     :+
        jsr     :+
:       txa
        cmp     #64
        bcc     :+
        lda     #0
:       sta     (PTR),y
        iny
        inx
        rts

; PTR: the screen address of square X
square: txa
        lsr     a
        lsr     a
        lsr     a
        tay
        txa
        and     #7
        asl     a
        asl     a
        adc     rowlo,y         ; carry is clear
        sta     PTR
        lda     rowhi,y
        adc     #0
        sta     PTR+1
        rts

put:    pla
        pla
        sta     PTR+1
        pla
        sta     PTR
        pla
        pla
; Picture A at PTR
show:   asl     a
        asl     a
        sta     T0
        asl     a
        adc     T0              ; 12 codes each
        tax
        ldy     #0
row:    lda     #4
        sta     T0
:       lda     pictures,x
        sta     (PTR),y
        inx
        iny
        dec     T0
        bne     :-
        tya
        clc
        adc     #36
        tay
        cpy     #120
        bcc     row
        rts

; A marker on a square: players 0 and 1 are frames, 2 and 3 corners.
mark:   pla
        pla
        pla
        sta     T2
        clc
        adc     #>PLAYERS
        sta     PTR+1
        lda     #0
        sta     PTR
        tay
:       sta     (PTR),y
        iny
        bne     :-
        pla
        pla
        tax
        cmp     #64
        ldy     T2
        lda     #0
        bcs     :+
        txa
        and     #7
        asl     a
        asl     a
        asl     a
        asl     a
        adc     #LEFT           ; carry is clear
:       sta     HPOSP0,y
        bcs     marked
        txa
        jsr     yline
        tay
        ldx     #23
        lda     T2
        cmp     #2
        bcc     :+
        ldx     #47
:       lda     #24
        sta     COUNT
:       lda     shapes,x
        sta     (PTR),y
        iny
        dex
        dec     COUNT
        bne     :-
marked: rts

; Scan line of the upper edge of square A
yline:  lsr     a
        lsr     a
        lsr     a
        eor     #7              ; row 8 is at the top
        sta     T0
        asl     a
        adc     T0
        asl     a
        asl     a
        asl     a
        adc     #TOP
        rts

; A piece leaves its square and glides: one colour clock and one and a half lines a frame.
glide:  pla
        pla
        pla
        sta     FROM
        pla
        pla
        sta     TO
        pla
        pla
        sta     PCOLR0+1
        ldx     FROM
        jsr     square
        lda     #1
        jsr     show
        lda     #0
        sta     PTR
        lda     #>PLAYERS+1
        sta     PTR+1
        lda     FROM
        jsr     yline
        sta     gy
        lda     TO
        jsr     yline
        sec
        sbc     gy
        sta     T1              ; +-24 or +-48
        lda     FROM
        and     #7
        sta     T2
        asl     a
        asl     a
        asl     a
        asl     a
        adc     #LEFT
        sta     gx
        lda     TO
        and     #7
        sec
        sbc     T2
        ldx     #1
        bcs     :+
        ldx     #255
:       stx     gdx
        ldx     #16
        cmp     #2
        beq     :+
        cmp     #254
        bne     :++
:       ldx     #32
:       stx     COUNT
gloop:  ldy     gy              ; the disc, with a line of nothing above and below
        dey
        lda     #0
        sta     (PTR),y
        dey
        sta     (PTR),y
        iny
        iny
        ldx     #0
:       lda     discs,x
        sta     (PTR),y
        iny
        inx
        cpx     #26
        bne     :-
        lda     gx
        sta     HPOSP0+1
        lda     RTCLOK
:       cmp     RTCLOK
        beq     :-
        lda     gx
        clc
        adc     gdx
        sta     gx
        lda     COUNT
        lsr     a
        lda     #1
        adc     #0              ; one line, then two
        bit     T1
        bmi     :+
        clc
        adc     gy
        jmp     :++
:       eor     #$FF
        sec
        adc     gy
:       sta     gy
        dec     COUNT
        bne     gloop
        rts

; ---------------------------------------------------------------- tables

; Players 0 and 1: a frame. 2 and 3: corners.
shapes: .byte   $FF,$FF,$81,$81,$81,$81,$81,$81,$81,$81,$81,$81,$81,$81,$81,$81,$81,$81,$81,$81,$81,$81,$FF,$FF
        .byte   $C3,$C3,$81,$81,$81,0,0,0,0,0,0,0,0,0,0,0,0,0,0,$81,$81,$81,$C3,$C3
discs:  .byte   0,0,$18,$3C,$7E,$7E,$7E,$E7,$C3,$DB,$BD,$BD,$BD,$BD,$DB,$C3,$E7,$7E,$7E,$7E,$3C,$18,0,0,0,0

rowlo:  .repeat 8, R
        .byte   <(SCREEN + 4 + (7-R)*120)
        .endrepeat
rowhi:  .repeat 8, R
        .byte   >(SCREEN + 4 + (7-R)*120)
        .endrepeat

pictures:
        .byte   1,1,1,1,1,1,1,1,1,1,1,1
        .byte   2,2,2,2,2,2,2,2,2,2,2,2
        .byte   4,5,6,7,8,9,10,11,12,13,14,15
        .byte   16,17,18,19,20,21,22,23,24,25,26,27
        .byte   4,5,6,7,8,28|$80,29|$80,11,12,13,14,15
        .byte   16,17,18,19,20,30|$80,31|$80,23,24,25,26,27

; Places of the search's board as squares; 255: rim
tosq:   .byte   255,255,255,255,255
        .byte   6,4,2,0, 15,13,11,9, 255
        .byte   22,20,18,16, 31,29,27,25, 255
        .byte   38,36,34,32, 47,45,43,41, 255
        .byte   54,52,50,48, 63,61,59,57

; What a piece is worth on each place: black man, white man, black king, white king. The fifths of a man say: hold the
; home row, go forward in the middle; kings belong into the middle.
value:  .byte   0,0,0,0,0
        .byte   6,5,6,5, 5,5,5,5, 0
        .byte   5,6,6,5, 5,6,6,5, 0
        .byte   6,6,6,6, 6,7,7,6, 0
        .byte   7,7,7,7, 8,8,8,8
        .res    24
        ; white's men: black's from the other end
        .byte   0,0,0,0,0
        .byte   <-8,<-8,<-8,<-8, <-7,<-7,<-7,<-7, 0
        .byte   <-6,<-7,<-7,<-6, <-6,<-6,<-6,<-6, 0
        .byte   <-5,<-6,<-6,<-5, <-5,<-6,<-6,<-5, 0
        .byte   <-5,<-5,<-5,<-5, <-5,<-6,<-5,<-6
        .res    24
        ; kings
        .byte   0,0,0,0,0
        .byte   8,8,8,8, 8,9,9,9, 0
        .byte   9,10,10,8, 8,10,10,9, 0
        .byte   9,10,10,8, 8,10,10,9, 0
        .byte   9,9,9,8, 8,8,8,8
        .res    24
        .byte   0,0,0,0,0
        .byte   <-8,<-8,<-8,<-8, <-8,<-9,<-9,<-9, 0
        .byte   <-9,<-10,<-10,<-8, <-8,<-10,<-10,<-9, 0
        .byte   <-9,<-10,<-10,<-8, <-8,<-10,<-10,<-9, 0
        .byte   <-9,<-9,<-9,<-8, <-8,<-8,<-8,<-8
        .res    24

        .assert * <= $A000, error, "the program runs into BASIC"
