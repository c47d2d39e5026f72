; Computer Gammon: the faces of the dice, pips of a player two scan lines a byte; 15 bytes each, from one to six.

.macro  face    upper, middle, lower
        .byte   0, 0, upper, upper, upper, 0, middle, middle, middle, 0, lower, lower, lower, 0, 0
.endmacro

NONE    = %00000000
LEFT    = %01100000
MIDDLE  = %00011000
RIGHT   = %00000110
BOTH    = LEFT | RIGHT

        face    NONE, MIDDLE, NONE
        face    LEFT, NONE, RIGHT
        face    LEFT, MIDDLE, RIGHT
        face    BOTH, NONE, BOTH
        face    BOTH, MIDDLE, BOTH
        face    BOTH, BOTH, BOTH
