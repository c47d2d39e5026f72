start:  jmp start
* = $4000
text:   .byte $80
        .sbyte "  A  "
        .byte $80
        .sbyte "   B   "
        .byte $80
        .sbyte "    C    "
        .byte $80
        .sbyte "     D     "
        .byte $80
        .sbyte "      E      "
        .byte $80
        .sbyte "       F       "
        .byte $80
        .sbyte "        G        "
        .byte $80
        .sbyte "         H          "
