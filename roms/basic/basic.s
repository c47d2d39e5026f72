; An Atari BASIC compatible interpreter for the 8K cartridge window $A000-$BFFF.
;
; The program text is tokenised when a line is entered and interpreted from the tokens. A value lives in FR0: a number as six bytes of
; packed decimals, a string as address, length and DIM length. Pending values and operators of an expression are on the 6502 stack.

        .setcpu "6502"
        .feature string_escapes

        .include "equates.inc"
        .include "zeropage.inc"

        .segment "LOW"
        .include "main.inc"
        .include "tables.inc"
        .include "list.inc"
        .include "graphics.inc"

        .segment "REV"
        .byte   234             ; PEEK(43234): revision C

        .segment "HIGH"
        .include "tokenise.inc"
        .include "run.inc"
        .include "control.inc"
        .include "expression.inc"
        .include "functions.inc"
        .include "strings.inc"
        .include "data.inc"
        .include "io.inc"

        .segment "HEADER"
        .word   start
        .byte   0, 5            ; present; boot a disk, then start
        .word   nothing
