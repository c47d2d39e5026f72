; Tic-Tac-Toe: the zones of the board. COLPF0 the light on the marks, COLPF1 the grid and the shadows, COLPF2 X, COLPF3 O.
        .macro  zone back
        .byte   back,0,$0E,$86,$38,$A8
        .endmacro
        zone    $50
        zone    $50
        zone    $50
        zone    $60
        zone    $60
        zone    $62
        zone    $62
        zone    $62
        zone    $62
        zone    $72
        zone    $72
        zone    $72
        zone    $82
        zone    $82
        zone    $82
        zone    $80
        zone    $80
        .byte   $90,$E0,0,$0C,$90,0
