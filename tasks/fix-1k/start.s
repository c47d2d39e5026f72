start:  lda #<list
        sta SDLSTL
        lda #>list
        sta SDLSTH
loop:   jmp loop
* = $33D0
list:   .byte $70, $70, $70
        .byte $42
        .word $5000
        .byte $42
        .word $5028
        .byte $42
        .word $5050
        .byte $42
        .word $5078
        .byte $42
        .word $50A0
        .byte $42
        .word $50C8
        .byte $42
        .word $50F0
        .byte $42
        .word $5118
        .byte $42
        .word $5140
        .byte $42
        .word $5168
        .byte $42
        .word $5190
        .byte $42
        .word $51B8
        .byte $42
        .word $51E0
        .byte $42
        .word $5208
        .byte $42
        .word $5230
        .byte $42
        .word $5258
        .byte $42
        .word $5280
        .byte $42
        .word $52A8
        .byte $42
        .word $52D0
        .byte $42
        .word $52F8
        .byte $42
        .word $5320
        .byte $42
        .word $5348
        .byte $42
        .word $5370
        .byte $42
        .word $5398
        .byte $41
        .word list
* = $5000
        .sbyte "A                                       "
        .sbyte "B                                       "
        .sbyte "C                                       "
        .sbyte "D                                       "
        .sbyte "E                                       "
        .sbyte "F                                       "
        .sbyte "G                                       "
        .sbyte "H                                       "
        .sbyte "I                                       "
        .sbyte "J                                       "
        .sbyte "K                                       "
        .sbyte "L                                       "
        .sbyte "M                                       "
        .sbyte "N                                       "
        .sbyte "O                                       "
        .sbyte "P                                       "
        .sbyte "Q                                       "
        .sbyte "R                                       "
        .sbyte "S                                       "
        .sbyte "T                                       "
        .sbyte "U                                       "
        .sbyte "V                                       "
        .sbyte "W                                       "
        .sbyte "X                                       "
