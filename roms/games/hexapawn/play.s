; Hexapawn: the zones of the board. COLPF0 light and numbers, COLPF1 light squares, COLPF2 the computer's pawns, COLPF3 the player's.
        .macro  zone back, pf1
        .byte   back,0,$0E,pf1,$34,$98
        .endmacro
        zone    $20,$26                 ; row 1
        zone    $20,$26
        zone    $20,$26
        zone    $20,$26
        zone    $20,$26
        zone    $20,$26
        zone    $20,$26
        zone    $20,$26
        zone    $20,$26
        zone    $20,$26
        zone    $20,$26
        zone    $20,$26
        zone    $20,$26
        zone    $20,$26
        zone    $20,$26
        zone    $20,$26
        zone    $20,$26                 ; row 17
        .byte   $20,$E0,0,$0C,$20,0     ; letters
