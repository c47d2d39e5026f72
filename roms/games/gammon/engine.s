; Computer Gammon: what the rules allow, and what is best; before it the display lists. Lives in whole pages that BASIC finds
; above the screen. `cargo run -p xtask -- games` puts the bytes into the listing, and a list of those that name a page.
;
; EN is 128 bytes after the first of these pages.
;
;   USR(EN,SIDE,N,D1,D2)        how many of N dice can be played: SIDE 0 is blue, 1 green; of three or four dice all show D1
;   USR(EN+3,SIDE,N,D1,D2)      the same, and the best way to play them
;   USR(EN+6,SIDE,N,D1,D2,F,T)  the dice that take a tile from peg F to T: their number; 0 if none do, 9 if that would waste
;                               dice that can be played otherwise
;   USR(EN+9,LIST,PAGE)         called once, before the others: adds PAGE, the first page, to the bytes that name a page here;
;                               LIST holds the distances from one to the next, 0 ends it
;
;   EN+1220  the board: pegs 0 to 25 (0 blue's bar, 25 green's), tiles of blue counted up from 0, of green down from 256
;   EN+1246  the pegs from which tiles go, the pegs where they arrive, the dice for that: four bytes each, as SIDE sees the
;            board: it moves upwards from its bar, which is 0, and 25 is off the board
;
; Plays are looked for as a person would: each tile by the first die, then each by the second. Of all plays that use as many
; dice as can be used the one counts that leaves the position of most worth.

; BASE is the page for which it is assembled, 0 in the listing.

        .setcpu "6502"

SCORE   = $CB                   ; $CB-$D1 belong to the user in Atari BASIC
CUM     = $CD
RUN     = $CE
SHOTS   = $CF
DIE     = $D0
PEG     = $D1
RESULT  = $D4
RANDOM  = $D20A

FULL    = 5                     ; tiles on a peg

        .org    BASE*256

engine  = BASE*256+128
board   = engine+1220
from    = board+26              ; of each level of the search
to      = from+4
dice    = to+4
hit     = dice+4
moved   = hit+4                 ; whether any tile could go
bfrom   = moved+4               ; the best play
bto     = bfrom+4
bdice   = bto+4
m       = bdice+4               ; tiles of the side to move, and of the other, as the first sees the board
h       = m+26
args    = h+26                  ; side, number of dice, two dice, from, to
side    = args
count   = args+1
mode    = args+6                ; 0 count, 1 look for the best, 2 check a way
level   = args+7
floor   = args+8                ; level of the search at which any tile may go
most    = args+9
best    = args+10
gain    = args+12               ; for tiles that were hit
all     = args+13               ; dice that can be played at the start of a way
wasted  = args+14
limit   = args+15
swapped = args+16
temp    = args+17

        .include "lists.s"

        .assert * <= engine, error, "the display lists are too long"
        .res    engine - *

        jmp     howmany
        jmp     choose
        jmp     way

; No address of this program in here: the pages are not right yet.
        pla
        pla
        sta     CUM+1
        pla
        sta     CUM
        pla
        pla
        sta     SHOTS
        sta     SCORE+1
        ldy     #0
        sty     SCORE
page:   lda     (CUM),y
        beq     placed
        clc
        adc     SCORE
        sta     SCORE
        bcc     :+
        inc     SCORE+1
:       lda     (SCORE),y
        clc
        adc     SHOTS
        sta     (SCORE),y
        inc     CUM
        bne     page
        inc     CUM+1
        bne     page
placed: rts

howmany:
        ldx     #0
        beq     enter
choose: ldx     #1
        bne     enter
way:    ldx     #2
enter:  stx     mode
        pla
        tay
        ldx     #0
:       pla
        pla
        sta     args,x
        inx
        dey
        bne     :-
        jsr     load
        lda     #0
        sta     RESULT+1
        sta     floor
        jsr     both
        lda     mode
        cmp     #1
        bcc     tell
        bne     check
        ldx     #11             ; the best play to where a way stands, too
:       lda     bfrom,x
        sta     from,x
        dex
        bpl     :-
tell:   lda     most
        sta     RESULT
        rts

; A way: first by one die, then by a pair; the dice in either order.
check:  lda     most
        sta     all
        lda     #0
        sta     wasted
        ldx     side
        beq     :+
        lda     #25             ; as the other side sees it
        sec
        sbc     args+4
        sta     args+4
        lda     #25
        sec
        sbc     args+5
        sta     args+5
:       lda     #1
        sta     limit
length: lda     #2
        sta     swapped
order:  lda     #0
        sta     level
        ldx     args+4
along:  ldy     level
        lda     dice,y
        sta     DIE
        jsr     legal
        bcc     no
        jsr     make
        cpy     args+5
        beq     arrived
        lda     level
        cmp     limit
        bcs     no
        tya
        tax
        cpx     #25
        bcc     along
no:     lda     level
        beq     :+
        jsr     undo
        jmp     no
:       ldx     dice            ; the other die first
        ldy     dice+1
        sty     dice
        stx     dice+1
        dec     swapped
        bne     order
        lda     limit           ; then by a pair: of a double, 5 and 10 and 5 are not two pairs
        lsr     a
        bne     none
        lda     count
        lsr     a
        bcs     none
        inc     limit
        bne     length
none:   lda     wasted
        sta     RESULT
        rts

arrived:
        ldx     level           ; can the dice that are left be used as they should?
        stx     floor
        stx     most
        cpx     count
        bcs     :+
        jsr     try
:       lda     most
        cmp     all
        bcs     right
        lda     #9
        sta     wasted
        bne     no
right:  lda     floor
        sta     RESULT
        rts

; The board as SIDE sees it, and the dice.
load:   ldx     #25
cell:   stx     temp
        txa
        ldy     side
        beq     :+
        lda     #25
        sec
        sbc     temp
:       tay
        lda     board,y
        ldy     side
        beq     :+
        eor     #$FF
        clc
        adc     #1
:       ldy     #0
        cmp     #$80
        bcc     mine
        eor     #$FF
        adc     #0              ; carry is set
        sta     h,x
        tya
        sta     m,x
        beq     :+
mine:   sta     m,x
        tya
        sta     h,x
:       dex
        bpl     cell
        lda     args+2
        sta     dice
        sta     dice+2
        sta     dice+3
        sta     dice+1
        ldx     count
        dex
        beq     :+              ; of one die there is no other order
        lda     args+3
        sta     dice+1
:       rts

; Searches with the dice in both orders.
both:   lda     #0
        sta     most
        sta     level
        sta     gain
        sta     best
        sta     best+1
        jsr     try
        lda     count
        cmp     #2
        bne     :+
        ldx     dice
        ldy     dice+1
        stx     dice+1
        sty     dice
        jsr     try
        ldx     dice            ; as they were
        ldy     dice+1
        stx     dice+1
        sty     dice
:       rts

; Goes through the plays by the dice from LEVEL on.
try:    ldx     level
        cpx     count
        bcc     :+
        jmp     leaf
:       lda     #0
        sta     moved,x
        lda     dice,x
        sta     DIE
        lda     m
        bne     bar
        lda     #1
        cpx     floor
        beq     begin
        ldy     count           ; dice that differ: any tile may follow any other
        cpy     #2
        bne     same
        ldy     dice
        cpy     dice+1
        bne     begin
same:   lda     from-1,x        ; equal dice: the same tiles in another order give nothing new, ...
        tay
        lda     m,y
        cmp     #FULL-1
        bne     upward
        tya                     ; ... except where a full peg had to be left first
        sec
        sbc     DIE
        bcs     begin
bar:    lda     #0
        beq     begin
upward: tya
begin:  sta     PEG
each:   ldx     PEG
        jsr     legal
        bcc     skip
        ldx     PEG
        jsr     make
        jsr     try
        jsr     undo
        ldx     level
        lda     #1
        sta     moved,x
        lda     dice,x
        sta     DIE
        lda     from,x
        sta     PEG
        lda     mode            ; more than all dice there cannot be
        cmp     #1
        beq     skip
        lda     most
        cmp     count
        bcs     done
skip:   lda     m
        bne     stuck
        inc     PEG
        lda     PEG
        cmp     #25
        bcc     each
stuck:  ldx     level
        lda     moved,x
        beq     leaf
done:   rts

; No further: is it the best so far?
leaf:   ldx     level
        cpx     most
        bcc     done
        beq     :+
        stx     most
        lda     #0
        sta     best
        sta     best+1
:       lda     mode
        cmp     #1
        bne     done
        txa
        beq     done
        jsr     eval
        lda     SCORE
        cmp     best
        lda     SCORE+1
        sbc     best+1
        bcc     done
        bne     better
        lda     SCORE
        cmp     best
        bne     better
        bit     RANDOM          ; as good: chance decides
        bpl     done
better: lda     SCORE
        sta     best
        lda     SCORE+1
        sta     best+1
        ldx     #11
:       lda     from,x
        sta     bfrom,x
        dex
        bpl     :-
        rts

; May the tile on peg X go by DIE? Carry says yes, and Y where to.
legal:  lda     m,x
        beq     never
        lda     m
        beq     :+
        cpx     #0              ; those on the bar first
        bne     never
:       txa
        clc
        adc     DIE
        tay
        cpy     #25
        bcs     off
        lda     h,y
        cmp     #2
        bcs     never
        lda     m,y
        cmp     #FULL
        bcs     never
        sec
        rts
off:    stx     temp            ; all on the last six pegs, and none behind if the die is larger than the way
        ldx     #0
:       lda     m,x
        bne     rear
        inx
        bne     :-
rear:   cpx     #19
        bcc     :+
        cpy     #25             ; carry is set by what is equal
        beq     :+
        cpx     temp
        beq     :+
        clc
:       ldx     temp
        ldy     #25
        rts
never:  clc
        rts

; The tile on peg X goes to Y, on the next level.
make:   stx     temp
        txa
        ldx     level
        sta     from,x
        tya
        sta     to,x
        lda     #0
        cpy     #25
        bcs     :+              ; off the board, which is 25: zero
        lda     h,y
:       sta     hit,x
        beq     :+
        lda     #0
        sta     h,y
        inc     h+25
        jsr     worth
        clc
        adc     gain
        sta     gain
:       ldx     temp
        dec     m,x
        tya
        tax
        inc     m,x
        inc     level
        rts

undo:   dec     level
        ldx     level
        ldy     to,x
        lda     m,y
        sec
        sbc     #1
        sta     m,y
        lda     hit,x
        beq     :+
        sta     h,y
        dec     h+25
        jsr     worth
        eor     #$FF
        sec
        adc     gain
        sta     gain
:       lda     from,x
        tax
        inc     m,x
        rts

; What it is worth to send the tile on peg Y back: its way, counted twice, and a little.
worth:  tya
        eor     #$FF
        clc
        adc     #29             ; 28-Y
        asl     a
        rts

; What the position is worth to the side that has moved: SCORE.
eval:   lda     gain
        sta     SCORE
        lda     #$40
        sta     SCORE+1
        lda     #0              ; twice the pips it has still to go, peg by peg: each tile that is not past it counts
        sta     CUM
        tax
:       lda     CUM
        clc
        adc     m,x
        sta     CUM
        asl     a
        jsr     less
        inx
        cpx     #25
        bne     :-
        lda     m+25            ; tiles that have left the board
        asl     a
        adc     m+25
        asl     a
        jsr     more
        ldx     #0              ; is there any contact left?
:       lda     m,x
        bne     :+
        inx
        cpx     #25
        bcc     :-
:       stx     CUM
        ldx     #25
:       lda     h,x
        bne     :+
        dex
        bne     :-
:       cpx     CUM
        bcs     contact
        ldx     #0              ; no: the way into the last six pegs counts once more, for no tile leaves the board before
        stx     CUM
:       lda     m,x
        clc
        adc     CUM
        sta     CUM
        jsr     less
        inx
        cpx     #19
        bcc     :-
        rts

contact:
        ldx     #0
        stx     RUN
:       lda     m,x             ; those far behind
        asl     a
        adc     m,x
        jsr     less
        inx
        cpx     #7
        bcc     :-
        ldx     #1
peg:    lda     m,x
        cmp     #2
        bcs     made
        sta     temp
        ldy     RUN
        lda     primes,y
        jsr     more
        lda     #0
        sta     RUN
        lda     temp
        beq     on
        jsr     blot
        jmp     on
made:   sbc     #3              ; more than three on a peg are too many
        bcc     :+
        asl     a
        jsr     less
:       lda     points,x
        jsr     more
        lda     RUN
        cmp     #6
        bcs     on
        inc     RUN
on:     inx
        cpx     #25
        bcc     peg
        ldy     RUN
        lda     primes,y

more:   clc                     ; SCORE and A
        adc     SCORE
        sta     SCORE
        bcc     :+
        inc     SCORE+1
:       rts

less:   sta     SHOTS           ; SCORE less A
        lda     SCORE
        sec
        sbc     SHOTS
        sta     SCORE
        bcs     :+
        dec     SCORE+1
:       rts

; A lone tile on peg X: how many throws of 36 hit it, at most 30, times what is lost, by 16.
blot:   txa
        clc
        adc     #12
        cmp     #26
        bcc     :+
        lda     #25
:       tay
        stx     temp
        lda     #0
        sta     SHOTS
aim:    lda     h,y
        beq     :+
        tya
        sec
        sbc     temp
        tax
        lda     SHOTS
        clc
        adc     shots-1,x
        sta     SHOTS
:       dey
        cpy     temp
        bne     aim
        ldx     temp
        lda     SHOTS
        beq     safe
        cmp     #30
        bcc     :+
        lda     #30
        sta     SHOTS
:       lda     #0              ; SHOTS times what is lost, in 16 bits: A and CUM
        sta     CUM
        ldy     #8
times:  asl     a
        rol     CUM
        asl     SHOTS
        bcc     :+
        clc
        adc     blots,x
        bcc     :+
        inc     CUM
:       dey
        bne     times
        ldy     #4
:       lsr     CUM
        ror     a
        dey
        bne     :-
        jmp     less
safe:   rts

; Throws of 36 that hit from 1 to 12 pegs away.
shots:  .byte   11, 12, 13, 14, 14, 15, 4, 4, 3, 2, 1, 1
; What made points are worth side by side, 0 to 6 of them.
primes: .byte   0, 0, 2, 6, 14, 22, 30
; What a point is worth, and what a lone tile loses, on pegs 1 to 24.
points  = * - 1
        .byte   2, 3, 4, 6, 8, 4, 3, 3, 3, 3, 3, 3
        .byte   3, 4, 5, 8, 12, 10, 14, 12, 12, 10, 4, 2
blots   = * - 1
        .byte   2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11
        .byte   12, 13, 14, 15, 16, 17, 20, 20, 20, 20, 20, 20

        .assert * <= board, error, "the engine is too long"
        .assert temp < BASE*256+1536, error, "the engine's variables are too many"
