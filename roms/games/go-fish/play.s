; Go Fish: the zones of the table, a sea that darkens. COLPF0 the cards, COLPF1 their backs, COLPF2 and COLPF3 black and red ink; in
; the zones of the balloons (the listing puts in the page of their letters) COLPF1 is the balloon and COLPF2 the sea.
        .macro  zone back
        .byte   back,0,$0E,$26,$00,$44
        .endmacro
        zone    $A4
        .byte   $A4,0,0,$0E,$A4,0       ; the computer's balloon
        zone    $A2
        zone    $92
        .byte   $92,0,0,$0E,$92,0       ; the player's balloon
        zone    $92
        zone    $90
        .byte   $90,$E0,0,$0C,$90,0     ; letters
