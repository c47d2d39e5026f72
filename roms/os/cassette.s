; C: cassette.

        .include "variables.inc"
        .include "modules.inc"

        .segment "CASSETTE"

COPEN   = KNWRTS
CCLOSE  = KNWRTS
CGETCH  = KNWRTS
CPUTCH  = KNWRTS
CSTATE   = KNWRTS
CSPEC   = KNWRTS
RDBLOK  = KNWRTS
CSOPEN  = KNWRTS
CASBOT  = KNWRTS

CINIT:  lda     #$CC                    ; nominal speed
        sta     CBAUDL
        lda     #$05
        sta     CBAUDH
        rts

CASSIO: ldy     #NONDEV
        sty     STATUS
        jmp     SIOEND
