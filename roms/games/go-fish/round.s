; Go Fish: the display list of a game. The listing puts in the addresses of row 0 (byte 6) and of the list itself (byte 44).
        .byte   $70,$70,$60             ; 23 blank lines
        .byte   $80,$00                 ; zone 0: the computer's cards
        .byte   $44,0,0,$04             ; rows 0 and 1
        .byte   $80,$00                 ; zone 1: its balloon
        .byte   $02,$02                 ; rows 2 and 3
        .byte   $80,$00                 ; zone 2: books and deck
        .byte   $04,$04,$84             ; rows 4 to 6, then zone 3
        .byte   $04,$04,$04             ; rows 7 to 9
        .byte   $80,$00                 ; zone 4: the player's balloon
        .byte   $02,$02                 ; rows 10 and 11
        .byte   $80,$00                 ; zone 5: the hand
        .byte   $04,$04,$04,$04,$84     ; rows 12 to 16, then zone 6
        .byte   $04,$04,$04,$04         ; rows 17 to 20
        .byte   $80,$00                 ; zone 7: letters
        .byte   $02,$10,$02,$10,$02     ; rows 21 to 23
        .byte   $41,0,0
