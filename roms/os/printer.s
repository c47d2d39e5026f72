; P: printer.

        .include "variables.inc"
        .include "modules.inc"

        .segment "PRINTER"

POPEN   = KNWRTS
PCLOSE  = KNWRTS
PGETCH  = KNWRTS
PPUTCH  = KNWRTS
PSTAT   = KNWRTS
PSPEC   = KNWRTS

PINIT:  lda     #30
        sta     PTIMOT
        rts
