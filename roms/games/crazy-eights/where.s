; Crazy Eights, extra lines: where the pips of the cards from 2 to 10 stand, in 15 cells of three columns; the first cell is bit 15.
; A pip is two characters wide, so that none has a neighbour in its row's next cell.
; `cargo run -p xtask -- games` puts the bytes into the listing.

        .org    0
; The high bytes, then the low ones.
.define TWO     %010, %000, %000, %000, %010
.define THREE   %010, %000, %010, %000, %010
.define FOUR    %101, %000, %000, %000, %101
.define FIVE    %101, %000, %010, %000, %101
.define SIX     %101, %000, %101, %000, %101
.define SEVEN   %101, %010, %101, %000, %101
.define EIGHT   %101, %010, %101, %010, %101
.define NINE    %101, %101, %010, %101, %101
.define TEN     %101, %101, %101, %101, %101

        .macro  high one, two, three, four, five
        .byte   (one << 5) | (two << 2) | (three >> 1)
        .endmacro
        .macro  low one, two, three, four, five
        .byte   <(three << 7) | (four << 4) | (five << 1)
        .endmacro

        high    TWO
        high    THREE
        high    FOUR
        high    FIVE
        high    SIX
        high    SEVEN
        high    EIGHT
        high    NINE
        high    TEN
        low     TWO
        low     THREE
        low     FOUR
        low     FIVE
        low     SIX
        low     SEVEN
        low     EIGHT
        low     NINE
        low     TEN
