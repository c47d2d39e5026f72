; S: lines and fills (XIO 17 and 18).

        .include "variables.inc"
        .include "modules.inc"

        .segment "DRAWS"
.if XL
        .assert * = $F9AF, error, "S: special"
.else
        .assert * = $FCFC, error, "S: special"
.endif
SSPEC:  jmp     SPECIA

; OLDROW, OLDCOL = cursor. Keeps Y.
TOOLD:  ldx     #2
@copy:  lda     ROWCRS,x
        sta     OLDROW,x
        dex
        bpl     @copy
        rts

; The XL's fixed entries: X = 0 draws, else fills; FILFLG as it is; the row to draw to in A.
.if XL
        .res    SSPEC + 16 - *, $EA
        stx     FILFLG
        .assert * = SSPEC + 19, error, "draw line"
DRAWLN: lda     ROWCRS
        .assert * = SSPEC + 21, error, "draw to row A"
        sta     ROWCRS
.else
DRAWLN:
.endif
        jsr     RANGE
        bcc     @inside
        rts
@inside:
        ldx     #2
@target:
        lda     ROWCRS,x
        sta     NEWROW,x
        lda     OLDROW,x
        sta     ROWCRS,x
        dex
        bpl     @target
        ldx     #1                      ; rows
        sec
        lda     NEWROW
        sbc     OLDROW
        bcs     @down
        eor     #$FF
        adc     #1
        ldx     #$FF
@down:  sta     DELTAR
        stx     ROWINC
        ldx     #1                      ; columns
        sec
        lda     NEWCOL
        sbc     OLDCOL
        sta     DELTAC
        lda     NEWCOL+1
        sbc     OLDCOL+1
        sta     DELTAC+1
        bcs     @right
        ldx     #$FF
        lda     #0                      ; C is clear: 0 - DELTAC
        sec
        sbc     DELTAC
        sta     DELTAC
        lda     #0
        sbc     DELTAC+1
        sta     DELTAC+1
@right: stx     COLINC
        lda     DELTAC                  ; number of steps = the larger delta
        ldx     DELTAC+1
        bne     @steps
        cmp     DELTAR
        bcs     @steps
        lda     DELTAR
@steps: sta     ENDPT
        stx     ENDPT+1
        sta     COUNTR
        stx     COUNTR+1
        txa
        lsr     a
        sta     ROWAC+1
        sta     COLAC+1
        lda     ENDPT
        ror     a
        sta     ROWAC
        sta     COLAC
STEPS:  lda     COUNTR
        ora     COUNTR+1
        bne     DRAWGO
        ldy     #SUCCES
.if XL
        jsr     TOOLD
        ldx     #2                      ; a program goes on with it as a dark grey, and rotates C
        sec
        rts
.else
        jmp     TOOLD
.endif
DRAWGO: lda     BRKKEY
        bne     @row
        jmp     BREAK
@row:   clc
        lda     ROWAC
        adc     DELTAR
        sta     ROWAC
        bcc     @cmprow
        inc     ROWAC+1
@cmprow:
        ldx     #ROWAC
        jsr     REACH
        bcc     @col
        lda     ROWCRS
        adc     ROWINC                  ; C is set: +1 - 1
        sec
        sbc     #1
        sta     ROWCRS
@col:   clc
        lda     COLAC
        adc     DELTAC
        sta     COLAC
        lda     COLAC+1
        adc     DELTAC+1
        sta     COLAC+1
        ldx     #COLAC
        jsr     REACH
        bcc     @plot
        lda     COLINC
        bmi     @left
        inc     COLCRS
        bne     @plot
        inc     COLCRS+1
        bne     @plot
@left:  lda     COLCRS
        bne     @low
        dec     COLCRS+1
@low:   dec     COLCRS
@plot:  jsr     PUTCEL
        lda     FILFLG
        beq     @next
        jsr     FILROW
@next:  lda     COUNTR
        bne     @dec
        dec     COUNTR+1
@dec:   dec     COUNTR
        jmp     STEPS

; Accumulator at X: when it has reached ENDPT, ENDPT is taken off and C = 1.
REACH:  lda     0,x
        cmp     ENDPT
        lda     1,x
        sbc     ENDPT+1
        bcc     @no
        sta     1,x
        lda     0,x
        sec
        sbc     ENDPT
        sta     0,x
        sec
@no:    rts

; Fills to the right of the pixel just plotted, up to the first pixel that is not 0; wraps around in the row, once. PUTCEL has left
; X = index of PIXBIT and Y = 0. Within a byte of pixels the mask moves on; addresses are found anew only for the next byte.
FILROW: lda     COLCRS
        pha
        lda     COLCRS+1
        pha
        sty     TMPROW                  ; not yet around
@next:  inc     COLCRS
        bne     @low
        inc     COLCRS+1
@low:   lda     SHFAMT
        beq     @byte
        ldy     PIXBIT,x
@pixel: lsr     DMASK
        dec     SHFAMT
        dey
        bne     @pixel
        beq     @look                   ; always
@byte:  jsr     COLMNS
        cmp     COLCRS
        bne     @conv
        cpx     COLCRS+1
        bne     @conv
        lda     TMPROW
        bne     @done                   ; once around the whole row is enough
        inc     TMPROW
        sta     COLCRS
        sta     COLCRS+1
@conv:  jsr     CONVRT
        ldy     #0
@look:  lda     (ADRESS),y              ; Y is 0
        and     DMASK
        bne     @done
        lda     FILDAT
        jsr     PUTPIX
        jmp     @next
@done:  pla
        sta     COLCRS+1
        pla
        sta     COLCRS
        rts

SPECIA: lda     ICCOMZ
        ldx     #0
        cmp     #17
        beq     @draw
        inx
        cmp     #18
        beq     @draw
        rts                             ; CIO has set Y = FNCNOT
@draw:  stx     FILFLG
        jsr     MAINSC
        jmp     DRAWLN

.if XL
; ADRESS = the screen memory's address. Programs call it and go on with A, its high byte.
        .segment "TOSCR"
        .assert * = $F9A6, error, "address of the screen memory"
        lda     SAVMSC
        sta     ADRESS
        lda     SAVMSC+1
        sta     ADRESS+1
        rts

; ADRESS = ADRESS - A. Programs call it. Keeps X and Y.
        .segment "SUBADR"
        .assert * = $F57A, error, "ADRESS - A"
        eor     #$FF
        sec
        adc     ADRESS
        sta     ADRESS
        bcs     @done
        dec     ADRESS+1
@done:  rts
.endif
