        .segment "VECTORS"
        .import RESET
        .word RESET,RESET,RESET
.if XL
.segment "ID1"
.endif
.segment "JUMPS"
        .res 6
        .export CIOV
CIOV:   rts
