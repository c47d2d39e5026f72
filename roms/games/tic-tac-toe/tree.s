; Tic-Tac-Toe: plays a position out to the end in every way. Relocatable: it lives in the string TREE$.
; `cargo run -p xtask -- games` puts the bytes into the listing as hexadecimal DATA.
;
;   USR(ADR(TREE$),ADR(B$),ADR(LINE$),SIDE)
;
; B$ holds the nine squares (0 empty, 1 X, 2 O), LINE$ the eight lines (255 and the three squares, 0 to 8), SIDE is
; to move.
; The result is what the position is worth to SIDE with best play, 0 lost, 1 a tie, 2 won, plus 4 for each of its moves
; that loses. Nobody has won yet and a square is free.
;
; A search would call itself for every move; this code must run wherever the string is, so it knows no address to call
; and keeps the squares it tries, and the best value so far, in two small stacks of its own.

        .setcpu "6502"

BOARD   = $CB                   ; $CB-$D1 belong to the user in Atari BASIC
LINES   = $CD
SIDE    = $CF
DEPTH   = $D0
OTHERS  = $D1                   ; 0: all of the line are SIDE's
SQUARES = $D8                   ; 9 bytes; $D4 to $FF are the arithmetic's, free inside USR
MOVE    = $E2                   ; 10 bytes: the square tried at each depth
BEST    = $EC                   ; 10 bytes: the best value for who moves there
LOSING  = $F6                   ; losing moves of the first mover
VALUE   = $F7

RESULT  = $D4

        .org    0

        pla                     ; number of arguments
        pla
        sta     BOARD+1
        pla
        sta     BOARD
        pla
        sta     LINES+1
        pla
        sta     LINES
        pla
        pla
        sta     SIDE
        ldy     #8
copy:   lda     (BOARD),y
        sta     SQUARES,y
        dey
        bpl     copy
        iny
        sty     DEPTH
        sty     LOSING

enter:  ldx     DEPTH           ; whoever moves here has nothing yet
        lda     #0
        sta     BEST,x
        lda     #9
        sta     MOVE,x

next:   ldx     DEPTH           ; the next free square
        dec     MOVE,x
        bmi     full
        ldy     MOVE,x
        lda     SQUARES,y
        bne     next
        lda     SIDE
        sta     SQUARES,y

        ldy     #31             ; does it make a line?
line:   lda     #0
        sta     OTHERS
three:  lda     (LINES),y
        dey
        tax
        bmi     third           ; a line's first byte
        lda     SQUARES,x
        eor     SIDE
        ora     OTHERS
        sta     OTHERS
        bpl     three           ; always
third:  lda     OTHERS
        beq     won
        tya
        bpl     line

        ldy     #8              ; a square left?
free:   lda     SQUARES,y
        beq     deeper
        dey
        bpl     free
        lda     #1              ; none: a tie
        bne     back

deeper: inc     DEPTH
        lda     SIDE
        eor     #3
        sta     SIDE
        bne     enter           ; always

won:    lda     #2
back:   sta     VALUE           ; what the move is worth to SIDE, who made it
        ldx     DEPTH
        ldy     MOVE,x
        lda     #0
        sta     SQUARES,y
        lda     VALUE
        bne     :+
        cpx     #0
        bne     :+
        inc     LOSING
:       cmp     BEST,x
        bcc     next
        sta     BEST,x
        cpx     #0              ; at the first move every answer counts
        beq     next
        cmp     #2
        bne     next            ; after a win no other move matters

full:   ldx     DEPTH
        beq     done
        dec     DEPTH
        lda     SIDE
        eor     #3
        sta     SIDE
        lda     #2
        sec
        sbc     BEST,x
        bcs     back            ; always

done:   lda     LOSING
        asl     a
        asl     a
        adc     BEST
        sta     RESULT
        lda     #0
        sta     RESULT+1
        rts
