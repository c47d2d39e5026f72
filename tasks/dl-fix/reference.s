start:  lda #<list
        sta SDLSTL
        lda #>list
        sta SDLSTH
loop:   jmp loop
* = $3000
list:   .byte $70, $70, $70
        .byte $42
        .word text
        .byte $02
        .byte $41
        .word list
* = $4000
text:   .sbyte "HELLO                                   "
        .sbyte "WORLD                                   "
