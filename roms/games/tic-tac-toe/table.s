; Tic-Tac-Toe: the display list. The listing puts in the addresses of row 0 (byte 6) and of the list itself (byte 36).
        .byte   $70,$70,$70             ; 24 blank lines
        .byte   $80,$00                 ; zone 0
        .byte   $44,0,0                 ; row 0: the numbers of the columns
        .res    16,$84                  ; rows 1 to 16, each the end of a zone
        .byte   $04                     ; row 17
        .byte   $80,$00                 ; zone 17: letters
        .byte   $02,$10,$02,$10,$02,$10,$02,$02 ; rows 18 to 22
        .byte   $41,0,0
