; The international character set at $CC00: as the standard set, with accented letters in place of the
; graphics characters (ATASCII 0-26, 96 and 123). Small accented letters use rows 3 to 6, the accent rows 0
; and 1.

        .segment "FONT_INTL"

        .include "glyphs_symbols.inc"

; 0: a acute
        .byte %00001100
        .byte %00011000
        .byte %00000000
        .byte %00111110
        .byte %01100110
        .byte %01100110
        .byte %00111110
        .byte %00000000
; 1: u grave
        .byte %00110000
        .byte %00011000
        .byte %00000000
        .byte %01100110
        .byte %01100110
        .byte %01100110
        .byte %00111110
        .byte %00000000
; 2: N tilde
        .byte %00110100
        .byte %01011000
        .byte %01100110
        .byte %01110110
        .byte %01111110
        .byte %01101110
        .byte %01100110
        .byte %00000000
; 3: E acute
        .byte %00001100
        .byte %00011000
        .byte %01111110
        .byte %01100000
        .byte %01111100
        .byte %01100000
        .byte %01111110
        .byte %00000000
; 4: c cedilla
        .byte %00000000
        .byte %00000000
        .byte %00111110
        .byte %01100000
        .byte %01100000
        .byte %00111110
        .byte %00001100
        .byte %00110000
; 5: o circumflex
        .byte %00011000
        .byte %00100100
        .byte %00000000
        .byte %00111100
        .byte %01100110
        .byte %01100110
        .byte %00111100
        .byte %00000000
; 6: o grave
        .byte %00110000
        .byte %00011000
        .byte %00000000
        .byte %00111100
        .byte %01100110
        .byte %01100110
        .byte %00111100
        .byte %00000000
; 7: i grave
        .byte %00110000
        .byte %00011000
        .byte %00000000
        .byte %00111000
        .byte %00011000
        .byte %00011000
        .byte %00111100
        .byte %00000000
; 8: pound
        .byte %00000000
        .byte %00011100
        .byte %00110110
        .byte %00110000
        .byte %01111100
        .byte %00110000
        .byte %01111110
        .byte %00000000
; 9: i diaeresis
        .byte %01100110
        .byte %00000000
        .byte %00111000
        .byte %00011000
        .byte %00011000
        .byte %00011000
        .byte %00111100
        .byte %00000000
; 10: u diaeresis
        .byte %01100110
        .byte %00000000
        .byte %00000000
        .byte %01100110
        .byte %01100110
        .byte %01100110
        .byte %00111110
        .byte %00000000
; 11: a diaeresis
        .byte %01100110
        .byte %00000000
        .byte %00000000
        .byte %00111110
        .byte %01100110
        .byte %01100110
        .byte %00111110
        .byte %00000000
; 12: O diaeresis
        .byte %01100110
        .byte %00000000
        .byte %00111100
        .byte %01100110
        .byte %01100110
        .byte %01100110
        .byte %00111100
        .byte %00000000
; 13: u acute
        .byte %00001100
        .byte %00011000
        .byte %00000000
        .byte %01100110
        .byte %01100110
        .byte %01100110
        .byte %00111110
        .byte %00000000
; 14: o acute
        .byte %00001100
        .byte %00011000
        .byte %00000000
        .byte %00111100
        .byte %01100110
        .byte %01100110
        .byte %00111100
        .byte %00000000
; 15: o diaeresis
        .byte %01100110
        .byte %00000000
        .byte %00000000
        .byte %00111100
        .byte %01100110
        .byte %01100110
        .byte %00111100
        .byte %00000000
; 16: U diaeresis
        .byte %01100110
        .byte %00000000
        .byte %01100110
        .byte %01100110
        .byte %01100110
        .byte %01100110
        .byte %00111100
        .byte %00000000
; 17: a circumflex
        .byte %00011000
        .byte %00100100
        .byte %00000000
        .byte %00111110
        .byte %01100110
        .byte %01100110
        .byte %00111110
        .byte %00000000
; 18: u circumflex
        .byte %00011000
        .byte %00100100
        .byte %00000000
        .byte %01100110
        .byte %01100110
        .byte %01100110
        .byte %00111110
        .byte %00000000
; 19: i circumflex
        .byte %00011000
        .byte %00100100
        .byte %00000000
        .byte %00111000
        .byte %00011000
        .byte %00011000
        .byte %00111100
        .byte %00000000
; 20: e acute
        .byte %00001100
        .byte %00011000
        .byte %00000000
        .byte %00111100
        .byte %01111110
        .byte %01100000
        .byte %00111100
        .byte %00000000
; 21: e grave
        .byte %00110000
        .byte %00011000
        .byte %00000000
        .byte %00111100
        .byte %01111110
        .byte %01100000
        .byte %00111100
        .byte %00000000
; 22: n tilde
        .byte %00110100
        .byte %01011000
        .byte %00000000
        .byte %01111100
        .byte %01100110
        .byte %01100110
        .byte %01100110
        .byte %00000000
; 23: e circumflex
        .byte %00011000
        .byte %00100100
        .byte %00000000
        .byte %00111100
        .byte %01111110
        .byte %01100000
        .byte %00111100
        .byte %00000000
; 24: a ring
        .byte %00011000
        .byte %00011000
        .byte %00000000
        .byte %00111110
        .byte %01100110
        .byte %01100110
        .byte %00111110
        .byte %00000000
; 25: a grave
        .byte %00110000
        .byte %00011000
        .byte %00000000
        .byte %00111110
        .byte %01100110
        .byte %01100110
        .byte %00111110
        .byte %00000000
; 26: A ring
        .byte %00011000
        .byte %00000000
        .byte %00111100
        .byte %01100110
        .byte %01111110
        .byte %01100110
        .byte %01100110
        .byte %00000000

        .include "glyphs_controls.inc"

; 96: exclamation mark, inverted
        .byte %00000000
        .byte %00011000
        .byte %00000000
        .byte %00011000
        .byte %00011000
        .byte %00011000
        .byte %00011000
        .byte %00000000

        .include "glyphs_small.inc"

; 123: A diaeresis
        .byte %01100110
        .byte %00000000
        .byte %00111100
        .byte %01100110
        .byte %01111110
        .byte %01100110
        .byte %01100110
        .byte %00000000

        .include "glyphs_end.inc"
