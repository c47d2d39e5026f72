; Hexapawn: the display list of the board, 64 bytes after that of the title page. The listing puts in the addresses of the edge
; (bytes 4 and 32), of the first row (8), of the letters (37) and of the list itself (44).
        .byte   $70,$F0                 ; 16 blank lines, zone 0
        .byte   $00
        .byte   $4D,0,0                 ; the upper edge
        .byte   $00
        .byte   $44,0,0                 ; rows 0 to 20: three squares of seven rows each
        .res    20,$04
        .byte   $00
        .byte   $4D,0,0                 ; the lower edge, the same bytes
        .byte   $80,$20                 ; zone 1: letters
        .byte   $42,0,0,$20,$02,$20,$02 ; rows 21 to 23, the message apart
        .byte   $41,0,0
