; Crazy Eights: the display list, in the buffer of the cassette recorder at $0400. BASIC puts in the page of the screen, which begins
; 960 bytes below RAMTOP, at 5 and 9.
; `cargo run -p xtask -- games` puts the bytes into the listing.

DLI     = $80
LMS     = $40

        .org    0

        .byte   $70, $70, $70
        .byte   $02+LMS+DLI, $40, 0     ; the counts of cards (or the title in mode 7)
        .byte   $10
        .byte   $04+LMS+DLI, $68, 0     ; the table: 4 + 7 + 7 rows of mode 4
        .byte   $04+DLI, $04+DLI, $04+DLI
        .byte   $30
        .byte   $04+DLI, $04+DLI, $04+DLI, $04+DLI, $04+DLI, $04+DLI, $04+DLI
        .byte   $30
        .byte   $04+DLI, $04+DLI, $04+DLI, $04+DLI, $04+DLI, $04+DLI, $04+DLI
        .byte   $10
        .byte   $02, $02, $02, $02, $02
        .byte   $41, $00, $04
