; Go Fish: the zones of the title page. The letters, a set of their own (the listing puts in its page), then fish and cards in the sea.
        .macro  zone back, pf0, pf1
        .byte   back,0,pf0,pf1,$00,$44
        .endmacro
        zone    $A8,$1E,$22             ; row 1
        zone    $A6,$1A,$22
        zone    $A6,$28,$22
        zone    $A6,$0E,$26
        zone    $A4,$0E,$26
        zone    $A4,$0E,$26
        zone    $A4,$0E,$26
        zone    $A4,$0E,$26
        zone    $A4,$0E,$26
        zone    $A2,$0E,$26
        zone    $A2,$0E,$26
        zone    $A2,$0E,$26
        zone    $A2,$0E,$26
        zone    $A2,$0E,$26
        zone    $92,$0E,$26
        zone    $92,$0E,$26
        zone    $92,$0E,$26             ; row 17
        .byte   $90,$E0,0,$0C,$90,0      ; letters
