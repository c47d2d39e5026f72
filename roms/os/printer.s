; P: printer, lines of 40 (normal), 29 (sideways) or 20 (double width) characters.

        .include "variables.inc"
        .include "modules.inc"

        .segment "PRINTER"

PGETCH  = KNWRTS
PSPEC   = KNWRTS

PINIT:  lda     #30
        sta     PTIMOT
        rts

; OPEN: an empty line, if there is a printer.
POPEN:  lda     #0
        sta     PBPNT
; STATUS: four bytes to DVSTAT; the third is the printer's timeout.
PSTAT:  lda     #4
        sta     DBYTLO
        lda     #<DVSTAT
        ldx     #>DVSTAT
        ldy     #$40
        sty     DSTATS
        ldy     #'S'
        jsr     PREQ
        bmi     @done
        lda     DVSTAT+2
        sta     PTIMOT
@done:  rts

        .segment "PRINT2"

; CLOSE: what is left of a line is printed.
PCLOSE: jsr     PMODE
        ldx     PBPNT
        beq     POK
.if XL
        lda     #EOL
.else
        lda     #' '
.endif
        bne     PPAD

; PUT: a line goes out when it ends or is full.
PPUTCH: pha
        jsr     PMODE
        pla
        ldx     PBPNT
        sta     PRNBUF,x
        inx
        stx     PBPNT
        cmp     #EOL
        bne     PFULL
        lda     #' '
PPAD:   cpx     PBUFSZ
        bcs     PSEND
        sta     PRNBUF,x
        inx
        bne     PPAD
PFULL:  cpx     PBUFSZ
        bcs     PSEND
POK:    ldy     #SUCCES
        rts
PSEND:  lda     #0
        sta     PBPNT
        lda     PBUFSZ
        sta     DBYTLO
        lda     #<PRNBUF
        ldx     #>PRNBUF
        ldy     #$80
        sty     DSTATS
        ldy     #'W'
        jmp     PREQ

        .segment "PRINT3"

; Request Y with the buffer at A, X.
PREQ:   sta     DBUFLO
        stx     DBUFHI
        lda     #$40
        ldx     PTIMOT
; Request Y to the first device of kind A, X = timeout.
REQ:    sta     DDEVIC
        stx     DTIMLO
        sty     DCOMND
        lda     #1
        sta     DUNIT
        lda     #0
        sta     DBYTHI
        jmp     SIOV

; Length of a line and the printer's letter for it, by AUX2.
PMODE:  lda     ICAX2Z
        ldy     #29
        cmp     #'S'
        beq     @set
        ldy     #20
        cmp     #'D'
        beq     @set
        ldy     #40
        lda     #'N'
@set:   sty     PBUFSZ
        sta     DAUX1
        rts
