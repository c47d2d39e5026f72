; Computer Gammon: the display lists, at the beginning of the engine's pages. They stand within one page, as ANTIC wants it.

SCREEN  = ((BASE - 6) * 256 - 960) & $FFFF      ; six pages of letters and board end where the engine's begin

BLANK1  = $00
BLANK3  = $20
BLANK4  = $30
BLANK8  = $70
MODE2   = $02
MODE4   = $04
MODE5   = $05
MODE6   = $06
MODE7   = $07
LMS     = $40
DLI     = $80
JVB     = $41

; The title: "computer", the name, a row of pegs, the names, what can be pressed.
title:  .byte   BLANK8, BLANK8, BLANK8
        .byte   MODE7 + LMS + DLI, <SCREEN, >SCREEN
        .byte   BLANK4
        .byte   MODE5 + LMS, <(SCREEN + 40), >(SCREEN + 40), MODE5
        .byte   BLANK4
        .byte   MODE4 + LMS, <(SCREEN + 360), >(SCREEN + 360)
        .byte   MODE4 + LMS, <(SCREEN + 120), >(SCREEN + 120)
        .byte   MODE4, MODE4, MODE4, MODE4, MODE4
        .byte   MODE4 + LMS + DLI, <(SCREEN + 400), >(SCREEN + 400)
        .byte   BLANK8
        .byte   MODE7 + LMS, <(SCREEN + 440), >(SCREEN + 440)
        .byte   BLANK4
        .byte   MODE7 + LMS, <(SCREEN + 480), >(SCREEN + 480)
        .byte   BLANK4 + DLI, BLANK4
        .byte   MODE2 + LMS, <(SCREEN + 800), >(SCREEN + 800)
        .byte   BLANK3, MODE2, BLANK3, MODE2
        .byte   JVB, <title, >title

; The board: two lines of text, the board, the numbers below it, the names, a message.
play:   .byte   BLANK8, BLANK8, BLANK8
        .byte   MODE2 + LMS, <SCREEN, >SCREEN, MODE2
        .byte   BLANK1 + DLI, BLANK1
        .res    15, MODE4
        .byte   MODE4 + DLI
        .byte   BLANK1, MODE2
        .byte   BLANK1 + DLI
        .byte   MODE7 + LMS, <(SCREEN + 760), >(SCREEN + 760)
        .byte   MODE7 + LMS, <(SCREEN + 840), >(SCREEN + 840)
        .byte   MODE6 + LMS, <(SCREEN + 920), >(SCREEN + 920)
        .byte   JVB, <play, >play

; The rules: a page of text with a wider gap below its first line.
rules:  .byte   BLANK8, BLANK8
        .byte   MODE2 + LMS, <SCREEN, >SCREEN
        .byte   BLANK1 + $10
        .res    23, MODE2
        .byte   JVB, <rules, >rules

        .assert play - title = 46, error, "the listing expects the board's list there"
        .assert rules - title = 86, error, "the listing expects the rules' list there"
