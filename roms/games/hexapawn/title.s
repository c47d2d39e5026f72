; Hexapawn: the zones of the title page. The letters, a set of their own (the listing puts in its page), then the pawns.
        .macro  zone back, pf0, pf1
        .byte   back,0,pf0,pf1,$34,$98
        .endmacro
        zone    $20,$1E,$22             ; row 1
        zone    $20,$1A,$22
        zone    $20,$28,$22
        zone    $20,$0E,$26             ; row 4: the pawns' set
        zone    $20,$0E,$26
        zone    $20,$0E,$26
        zone    $20,$0E,$26             ; the pawns stand in rows 7 to 13
        zone    $20,$0E,$26
        zone    $20,$0E,$26
        zone    $22,$0E,$28
        zone    $22,$0E,$28
        zone    $22,$0E,$28
        zone    $22,$0E,$28
        zone    $22,$0E,$28
        zone    $20,$0E,$26
        zone    $20,$0E,$26
        zone    $20,$0E,$26             ; row 17
        .byte   $20,$E0,0,$0C,$20,0     ; letters
