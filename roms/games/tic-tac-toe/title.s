; Tic-Tac-Toe: the zones of the title page. Gold letters that darken from row to row, then the marks in a dusk of blues.
        .macro  zone back, pf0, pf1
        .byte   back,0,pf0,pf1,$38,$A8
        .endmacro
        zone    $50,$1E,$14             ; row 1
        zone    $50,$1C,$14
        zone    $50,$18,$12
        zone    $60,$0E,$52
        zone    $60,$0E,$52
        zone    $62,$0E,$54
        zone    $62,$0E,$54
        zone    $62,$0E,$54
        zone    $62,$0E,$54
        zone    $72,$0E,$54
        zone    $72,$0E,$54
        zone    $72,$0E,$54
        zone    $82,$0E,$74
        zone    $82,$0E,$74
        zone    $82,$0E,$74
        zone    $80,$0E,$74
        zone    $80,$0E,$74             ; row 17
        .byte   $90,$E0,0,$0C,$90,0     ; letters
