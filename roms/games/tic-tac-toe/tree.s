; Tic-Tac-Toe: plays a position out to the end in every way. Relocatable: it lives in the string TREE$.
; `cargo run -p xtask -- games` puts the bytes into the listing as hexadecimal DATA.
;
;   USR(ADR(TREE$),ADR(SQ$),ADR(THRU$),SIDE)
;
; SQ$ holds the nine squares (0 empty, 1 X, 2 O), THRU$ five bytes for each square: the numbers of the lines through it, 0 to
; 7, then 255. SIDE is to move. The result is what the position is worth to SIDE with best play, 0 lost, 1 a tie, 2 won,
; plus 4 for each of its moves that loses. Nobody has won yet and a square is free.
;
; Each line has a sum: an X in it counts 1 and an O counts 4, so 3 and 12 are the lines that win. A search would call itself
; for every move; this code must run wherever the string is, so it knows no address to call and keeps the squares it tries,
; and the best value so far, in two small stacks of its own.

        .setcpu "6502"

BOARD   = $CB                   ; $CB-$D1 belong to the user in Atari BASIC
THRU    = $CD
SIDE    = $CF                   ; 1 X, 4 O
DEPTH   = $D0
FREE    = $D1                   ; free squares
RESULT  = $D4                   ; $D4 to $FF are the arithmetic's, free inside USR
WON     = $D4                   ; lines that the last mark completed
GOAL    = $D5                   ; the sum of SIDE's full line
SQUARE  = $D6
LOSING  = $D7                   ; losing moves of the first mover
SQUARES = $D8                   ; 9 bytes
SUMS    = $E1                   ; 8 bytes
MOVE    = $E9                   ; 9 bytes: the square tried at each depth
BEST    = $F2                   ; 9 bytes: the best value for who moves there

        .org    0

        pla                     ; number of arguments
        pla
        sta     BOARD+1
        pla
        sta     BOARD
        pla
        sta     THRU+1
        pla
        sta     THRU
        pla
        pla
        cmp     #2
        bne     :+
        asl     a
:       sta     SIDE

        ldx     #7              ; the sums of the lines, from the marks
        lda     #0
        sta     DEPTH
        sta     LOSING
        sta     FREE
clear:  sta     SUMS,x
        dex
        bpl     clear
        lda     #8
        sta     SQUARE
marks:  ldy     SQUARE
        lda     (BOARD),y
        sta     SQUARES,y
        bne     :+
        inc     FREE
:       cmp     #2
        bne     :+
        asl     a
:       sta     GOAL
        tya
        asl     a
        asl     a
        adc     SQUARE
        tay
first:  lda     (THRU),y
        bmi     :+
        tax
        lda     SUMS,x
        adc     GOAL            ; carry is clear
        sta     SUMS,x
        iny
        bne     first           ; always
:       dec     SQUARE
        bpl     marks
        bmi     enter           ; always

full:   ldx     DEPTH
        beq     done
        dec     DEPTH
        lda     SIDE
        eor     #5
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
        sta     WON
        sty     SQUARE
        lda     SIDE
        sta     SQUARES,y
        asl     a
        adc     SIDE
        sta     GOAL
        tya
        asl     a
        asl     a
        adc     SQUARE
        tay
add:    lda     (THRU),y
        bmi     added
        tax
        lda     SUMS,x
        adc     SIDE            ; carry is clear
        sta     SUMS,x
        cmp     GOAL
        bne     :+
        inc     WON
:       clc
        iny
        bne     add             ; always
added:  dec     FREE
        lda     WON
        bne     won
        lda     FREE
        beq     tie
        inc     DEPTH
        lda     SIDE
        eor     #5
        sta     SIDE
        bne     enter           ; always

again:  clv                     ; the code below is too far away for one branch
        bvc     next            ; always
enough: clv
        bvc     full            ; always

won:    lda     #2
        bne     back            ; always
tie:    lda     #1
back:   sta     WON             ; what the move is worth to SIDE, who made it
        ldx     DEPTH
        ldy     MOVE,x
        sty     SQUARE
        lda     #0
        sta     SQUARES,y
        inc     FREE
        tya
        asl     a
        asl     a
        adc     SQUARE
        tay
take:   lda     (THRU),y
        bmi     taken
        tax
        lda     SUMS,x
        sec
        sbc     SIDE
        sta     SUMS,x
        iny
        bne     take            ; always
taken:  ldx     DEPTH
        lda     WON
        bne     :+
        cpx     #0
        bne     :+
        inc     LOSING
:       cmp     BEST,x
        bcc     again
        sta     BEST,x
        cpx     #0              ; at the first move every answer counts
        beq     again
        cmp     #2
        beq     enough            ; after a win no other move matters
        cpx     #1
        beq     again
        adc     BEST-1,x        ; carry is set: one more
        cmp     #3
        bcc     again
        bcs     enough          ; always: the other side has better elsewhere
