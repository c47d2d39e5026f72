; Hexapawn: the move after which the beads that are left in the boxes lose most often.
;
;   USR($9E00,ADR(P$),ADR(PAT$),ADR(MV$))    from*10+to: the best move of O on the board P$. PAT$ has the nineteen boards, MV$ for each
;                                            of the 76 places the move of its bead, or 0. Afterwards PEEK($0400) is its worth: 255
;                                            wins for certain, 0 loses for certain.
;
; Player and computer call one another. The worth of a board is for the player the most that a move of his gives, for the computer
; the mean of the beads in the box: 255 if the box is empty or no box has the board, because then the computer cannot move.

        .setcpu "6502"

PAT     = $CB                   ; $CB-$D1 belong to the user in Atari BASIC
BEADS   = $CD
BOX     = $CF
THAT    = $D1
RESULT  = $D4                   ; what USR gives BASIC

DEPTH   = 8                     ; moves of a game, 7 at most
best    = $0400                 ; for each depth; the cassette's buffer
from    = best + DEPTH
to      = from + DEPTH
taken   = to + DEPTH
step    = taken + DEPTH         ; of the player: 2, 3 or 4 squares back
bead    = step + DEPTH
flip    = bead + DEPTH
low     = flip + DEPTH
high    = low + DEPTH
count   = high + DEPTH
board   = count + DEPTH
mirror  = board + 9
depth   = mirror + 9
number  = depth + 1
turned  = number + 1
        .assert turned < $0480, error, "no room"

        .org    $9E00           ; after the 64 letters of the title

        pla                     ; number of arguments
        pla
        sta     BOX+1
        pla
        sta     BOX
        pla
        sta     PAT+1
        pla
        sta     PAT
        pla
        sta     BEADS+1
        pla
        sta     BEADS
        ldy     #8
:       lda     (BOX),y
        sta     board,y
        dey
        bpl     :-
        lda     #0
        sta     depth
        sta     RESULT
        sta     RESULT+1
player: ldx     depth
        lda     #0
        sta     best,x
        lda     #8
        sta     from,x
pawn:   ldy     from,x
        lda     board,y
        cmp     #'O'
        beq     :+
        jmp     nopawn
:       lda     #4
        sta     step,x
way:    lda     from,x          ; carry is set: by CMP, here and below
        sbc     step,x
        bmi     noway
        sta     to,x
        tay
        lda     board,y
        ldy     step,x
        cpy     #3
        beq     ahead
        cmp     #'X'
        bne     noway
        tya                     ; not over the board's edge: two squares aside is the mirror's square there
        asl     a
        sbc     #5              ; carry is clear: -2 or 2
        clc
        adc     from,x
        ldy     from,x
        cmp     other,y
        beq     noway
        lda     #'X'
        bne     legal
ahead:  cmp     #'.'
        bne     noway
legal:  sta     taken,x
        lda     #'O'
        jsr     move
        ldy     to,x
        cpy     #3
        lda     #255            ; the far row
        bcc     back
        inc     depth
        jsr     computer
        dec     depth
        ldx     depth
back:   sta     THAT
        lda     #'O'
        jsr     unmove
        lda     THAT
        cmp     best,x
        bcc     noway
        sta     best,x
        txa
        bne     noway
        ldy     from            ; RESULT = 10 * (from + 1) + to + 1
        lda     to
        sec
        adc     #10
ten:    dey
        bmi     :+
        clc
        adc     #10
        bne     ten
:       sta     RESULT
noway:  dec     step,x
        lda     step,x
        cmp     #2
        bcs     way
nopawn: dec     from,x
        bmi     :+
        jmp     pawn
:       lda     best,x
        rts

computer:
        jsr     find
        bcs     :+
        lda     #255
        rts
:       ldx     depth
        lda     number
        asl     a
        asl     a
        sta     bead,x
        lda     turned
        sta     flip,x
        lda     #0
        sta     low,x
        sta     high,x
        sta     count,x
take:   ldy     bead,x
        lda     (BEADS),y
        beq     nobead
        ldy     #$FF
:       iny
        sec
        sbc     #10
        bcs     :-
        adc     #9              ; A = to, Y = from + 1, both from 0 on
        dey
        sta     THAT
        lda     flip,x
        beq     :+
        lda     other,y
        tay
:       tya
        sta     from,x
        ldy     THAT
        lda     flip,x
        beq     :+
        lda     other,y
        tay
:       tya
        sta     to,x
        lda     board,y
        sta     taken,x
        lda     #'X'
        jsr     move
        ldy     to,x
        cpy     #6
        lda     #0              ; the far row
        bcs     :+
        inc     depth
        jsr     player
        dec     depth
        ldx     depth
:       clc
        adc     low,x
        sta     low,x
        bcc     :+
        inc     high,x
:       inc     count,x
        lda     #'X'
        jsr     unmove
nobead: inc     bead,x
        lda     bead,x
        and     #3
        bne     take
        lda     count,x
        bne     :+
        lda     #255
        rts
:       ldy     #$FF
divide: iny
        lda     low,x
        sec
        sbc     count,x
        sta     low,x
        bcs     divide
        dec     high,x
        bpl     divide
        tya
        rts

move:   ldy     to,x            ; the pawn A moves
        sta     board,y
        ldy     from,x
        lda     #'.'
        sta     board,y
        rts

unmove: ldy     from,x
        sta     board,y
        ldy     to,x
        lda     taken,x
        sta     board,y
        rts

find:   ldx     #8              ; carry: a box has the board; its number, and whether in the mirror
:       ldy     other,x
        lda     board,y
        sta     mirror,x
        dex
        bpl     :-
        lda     PAT
        sta     BOX
        lda     PAT+1
        sta     BOX+1
        lda     #0
        sta     number
same:   lda     #0
        sta     turned
        ldy     #8
:       lda     (BOX),y
        cmp     board,y
        bne     glass
        dey
        bpl     :-
        sec
        rts
glass:  inc     turned
        ldy     #8
:       lda     (BOX),y
        cmp     mirror,y
        bne     nobox
        dey
        bpl     :-
        sec
        rts
nobox:  lda     BOX
        clc
        adc     #9
        sta     BOX
        bcc     :+
        inc     BOX+1
:       inc     number
        lda     number
        cmp     #19
        bcc     same
        clc
        rts

other:  .byte   2,1,0,5,4,3,8,7,6
        .assert * <= $A000, error, "too long"
