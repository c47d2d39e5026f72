; Crazy Eights: what stands where on a card. Lies behind the display list.
; `cargo run -p xtask -- games` puts the bytes into the listing as hexadecimal DATA.
;
; Below $10 a character by itself; else the high digit chooses what the low one is added to:
; 1 the rank's pair, 2 the small suit's pair, 3 the picture, 4 the back.

        .org    0

        .byte   $10, $11, $01, $01, $03         ; a face
        .byte   $20, $21, $01, $01, $01
        .byte   $02, $30, $31, $32, $01
        .byte   $02, $33, $34, $35, $01
        .byte   $02, $36, $37, $38, $01
        .byte   $02, $01, $01, $01, $01
        .byte   $04, $01, $01, $01, $05

        .byte   $40, $41, $41, $41, $42         ; a back
        .byte   $43, $44, $44, $44, $45
        .byte   $43, $44, $44, $44, $45
        .byte   $43, $44, $44, $44, $45
        .byte   $43, $44, $44, $44, $45
        .byte   $43, $44, $44, $44, $45
        .byte   $46, $47, $47, $47, $48
