; Go Fish: the display list. The listing puts in the addresses of row 1 (byte 7) and of the list itself (byte 37).
        .byte   $70,$70,$70,$70         ; 32 blank lines
        .byte   $80,$00                 ; zone 0
        .byte   $C4,0,0                 ; rows 1 to 16, each the end of a zone
        .res    15,$84
        .byte   $04                     ; row 17
        .byte   $80,$00                 ; zone 17: letters
        .byte   $02,$10,$02,$10,$02,$10,$02,$10,$02     ; rows 18 to 22
        .byte   $41,0,0
