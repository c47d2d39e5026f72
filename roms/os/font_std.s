; The standard character set at $E000: 128 glyphs of 8 bytes in screen code order. Line and block graphics
; (ATASCII 0-26) join at the cell borders: lines are two pixels thick in the middle of the cell, bars two
; pixels thick at its edges, quarters and halves exactly four.

        .segment "FONT_STD"

        .include "glyphs_symbols.inc"

; 0: heart
        .byte %00000000
        .byte %01100110
        .byte %11111111
        .byte %11111111
        .byte %01111110
        .byte %00111100
        .byte %00011000
        .byte %00000000
; 1: line: up, down, right
        .byte %00011000
        .byte %00011000
        .byte %00011000
        .byte %00011111
        .byte %00011111
        .byte %00011000
        .byte %00011000
        .byte %00011000
; 2: bar at the right edge
        .byte %00000011
        .byte %00000011
        .byte %00000011
        .byte %00000011
        .byte %00000011
        .byte %00000011
        .byte %00000011
        .byte %00000011
; 3: line: up, left
        .byte %00011000
        .byte %00011000
        .byte %00011000
        .byte %11111000
        .byte %11111000
        .byte %00000000
        .byte %00000000
        .byte %00000000
; 4: line: up, down, left
        .byte %00011000
        .byte %00011000
        .byte %00011000
        .byte %11111000
        .byte %11111000
        .byte %00011000
        .byte %00011000
        .byte %00011000
; 5: line: down, left
        .byte %00000000
        .byte %00000000
        .byte %00000000
        .byte %11111000
        .byte %11111000
        .byte %00011000
        .byte %00011000
        .byte %00011000
; 6: rising diagonal
        .byte %00000011
        .byte %00000111
        .byte %00001110
        .byte %00011100
        .byte %00111000
        .byte %01110000
        .byte %11100000
        .byte %11000000
; 7: falling diagonal
        .byte %11000000
        .byte %11100000
        .byte %01110000
        .byte %00111000
        .byte %00011100
        .byte %00001110
        .byte %00000111
        .byte %00000011
; 8: triangle, lower right
        .byte %00000001
        .byte %00000011
        .byte %00000111
        .byte %00001111
        .byte %00011111
        .byte %00111111
        .byte %01111111
        .byte %11111111
; 9: quarter, lower right
        .byte %00000000
        .byte %00000000
        .byte %00000000
        .byte %00000000
        .byte %00001111
        .byte %00001111
        .byte %00001111
        .byte %00001111
; 10: triangle, lower left
        .byte %10000000
        .byte %11000000
        .byte %11100000
        .byte %11110000
        .byte %11111000
        .byte %11111100
        .byte %11111110
        .byte %11111111
; 11: quarter, upper right
        .byte %00001111
        .byte %00001111
        .byte %00001111
        .byte %00001111
        .byte %00000000
        .byte %00000000
        .byte %00000000
        .byte %00000000
; 12: quarter, upper left
        .byte %11110000
        .byte %11110000
        .byte %11110000
        .byte %11110000
        .byte %00000000
        .byte %00000000
        .byte %00000000
        .byte %00000000
; 13: bar at the top edge
        .byte %11111111
        .byte %11111111
        .byte %00000000
        .byte %00000000
        .byte %00000000
        .byte %00000000
        .byte %00000000
        .byte %00000000
; 14: bar at the bottom edge
        .byte %00000000
        .byte %00000000
        .byte %00000000
        .byte %00000000
        .byte %00000000
        .byte %00000000
        .byte %11111111
        .byte %11111111
; 15: quarter, lower left
        .byte %00000000
        .byte %00000000
        .byte %00000000
        .byte %00000000
        .byte %11110000
        .byte %11110000
        .byte %11110000
        .byte %11110000
; 16: club
        .byte %00000000
        .byte %00111100
        .byte %00111100
        .byte %11111111
        .byte %11111111
        .byte %11011011
        .byte %00111100
        .byte %00000000
; 17: line: down, right
        .byte %00000000
        .byte %00000000
        .byte %00000000
        .byte %00011111
        .byte %00011111
        .byte %00011000
        .byte %00011000
        .byte %00011000
; 18: line: left, right
        .byte %00000000
        .byte %00000000
        .byte %00000000
        .byte %11111111
        .byte %11111111
        .byte %00000000
        .byte %00000000
        .byte %00000000
; 19: line: all four ways
        .byte %00011000
        .byte %00011000
        .byte %00011000
        .byte %11111111
        .byte %11111111
        .byte %00011000
        .byte %00011000
        .byte %00011000
; 20: ball
        .byte %00000000
        .byte %00111100
        .byte %01111110
        .byte %01111110
        .byte %01111110
        .byte %01111110
        .byte %00111100
        .byte %00000000
; 21: lower half
        .byte %00000000
        .byte %00000000
        .byte %00000000
        .byte %00000000
        .byte %11111111
        .byte %11111111
        .byte %11111111
        .byte %11111111
; 22: bar at the left edge
        .byte %11000000
        .byte %11000000
        .byte %11000000
        .byte %11000000
        .byte %11000000
        .byte %11000000
        .byte %11000000
        .byte %11000000
; 23: line: left, right, down
        .byte %00000000
        .byte %00000000
        .byte %00000000
        .byte %11111111
        .byte %11111111
        .byte %00011000
        .byte %00011000
        .byte %00011000
; 24: line: left, right, up
        .byte %00011000
        .byte %00011000
        .byte %00011000
        .byte %11111111
        .byte %11111111
        .byte %00000000
        .byte %00000000
        .byte %00000000
; 25: left half
        .byte %11110000
        .byte %11110000
        .byte %11110000
        .byte %11110000
        .byte %11110000
        .byte %11110000
        .byte %11110000
        .byte %11110000
; 26: line: up, right
        .byte %00011000
        .byte %00011000
        .byte %00011000
        .byte %00011111
        .byte %00011111
        .byte %00000000
        .byte %00000000
        .byte %00000000

        .include "glyphs_controls.inc"

; 96: diamond
        .byte %00011000
        .byte %00111100
        .byte %01111110
        .byte %11111111
        .byte %01111110
        .byte %00111100
        .byte %00011000
        .byte %00000000

        .include "glyphs_small.inc"

; 123: spade
        .byte %00011000
        .byte %00111100
        .byte %01111110
        .byte %11111111
        .byte %11111111
        .byte %01011010
        .byte %00111100
        .byte %00000000

        .include "glyphs_end.inc"
