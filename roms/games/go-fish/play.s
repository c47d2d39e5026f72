; Go Fish: the zones of the table, a sea that darkens. COLPF0 the cards, COLPF1 their backs, COLPF2 and COLPF3 black and red ink.
        .macro  zone back, pf0, pf1
        .byte   back,0,pf0,pf1,$00,$44
        .endmacro
        zone    $A4,$0E,$26             ; row 1
        zone    $A4,$0E,$26
        zone    $A4,$0E,$26
        zone    $A2,$0E,$26
        zone    $A2,$0E,$26
        zone    $A2,$0E,$26
        zone    $A2,$0E,$26
        zone    $A2,$0E,$26
        zone    $A2,$0E,$26
        zone    $A2,$0E,$26
        zone    $92,$0E,$26
        zone    $92,$0E,$26
        zone    $92,$0E,$26
        zone    $92,$0E,$26
        zone    $92,$0E,$26
        zone    $90,$0E,$26
        zone    $90,$0E,$26             ; row 17
        .byte   $90,$E0,0,$0C,$90,0      ; letters
