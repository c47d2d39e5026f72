; Hexapawn: the zones of the board. COLPF0 light and numbers, COLPF1 light squares, COLPF2 the computer's pawns and the beads,
; COLPF3 the player's pawns.
        .byte   $20,0,$0E,$26,$34,$98   ; rows 0 to 20
        .byte   $20,$E0,0,$0C,$20,0     ; letters
