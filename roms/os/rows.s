; Rows and logical lines of the text screen: addresses, scrolling, the map of line starts.

        .include "variables.inc"
        .include "modules.inc"

        .segment "ROWS"

; All rows start logical lines.
RESETL: lda     #$FF
        sta     LOGMAP
        sta     LOGMAP+1
        sta     LOGMAP+2
        rts

; Z = 0 when row A starts a logical line. X, Y are lost.
ISTOP:  pha
        and     #7
        tax
        pla
        lsr     a
        lsr     a
        lsr     a
        tay
        lda     LOGMAP,y
        and     BITTAB,x
        rts

; A = first row of the logical line with the cursor.
LINTOP: lda     ROWCRS
; A = first row of the logical line with row A.
TOPOF:  sta     TMPROW
@look:  lda     TMPROW
        beq     @top
        jsr     ISTOP
        bne     @top
        dec     TMPROW
        bpl     @look
@top:   lda     TMPROW
        rts

; A = first row after the logical line with the cursor.
LINEND: lda     ROWCRS
        sta     TMPROW
@next:  inc     TMPROW
        jsr     BOTTOM
        cmp     TMPROW
        beq     @end
        lda     TMPROW
        jsr     ISTOP
        beq     @next
@end:   lda     TMPROW
        rts

; LOGCOL = column in the logical line.
LOGIC:  jsr     LINTOP
        sta     HOLD1
        ldx     ROWCRS
        lda     COLCRS
@row:   cpx     HOLD1
        beq     @done
        clc
        adc     #40
        dex
        bpl     @row
@done:  sta     LOGCOL
        rts

; ADRESS, OLDADR = memory of the cursor in 40 columns.
TXTADR: lda     ROWCRS
        jsr     ROWADR
        lda     ADRESS
        clc
        adc     COLCRS
        sta     ADRESS
        sta     OLDADR
        lda     ADRESS+1
        adc     #0
        sta     ADRESS+1
        sta     OLDADR+1
        rts

; ADRESS = memory of row A. Keeps X.
ROWADR: ldy     #0
        sty     ADRESS+1
        sta     ADRESS
        asl     a                       ; * 5 * 8
        asl     a
        adc     ADRESS
        asl     a
        asl     a
        rol     ADRESS+1
        asl     a
        rol     ADRESS+1
        adc     SAVMSC
        sta     ADRESS
        lda     ADRESS+1
        adc     SAVMSC+1
        sta     ADRESS+1
        rts

; ADRESS -> MLTTMP.
TOLAST: lda     ADRESS
        sta     MLTTMP
        lda     ADRESS+1
        sta     MLTTMP+1
        rts

; Takes row X out: the rows below move up, the last one becomes blank.
DELROW: stx     HOLD2
        txa
        jsr     ROWADR
        jsr     BOTTOM
        clc
        sbc     HOLD2                   ; rows below
        tax
        lda     #40
        ldy     #0
        jsr     MOVE
        ldx     #2                      ; logical line map: the bits after the row move left
        sec
@map:   lda     LOGMAP,x
        rol     a
        sta     MLTTMP,x
        dex
        bpl     @map
        bmi     MERGE

; Puts a blank row in at row X; the last row is lost. The new row starts a logical line: A = its
; byte of the map, Y = the number of that, X = the row's bit (an index of BITTAB).
INSROW: stx     HOLD2
        jsr     BOTTOM
        sec
        sbc     #1
        pha
        jsr     ROWADR
        pla
        sec
        sbc     HOLD2                   ; rows to move
        tax
        lda     #<-40
        ldy     #>-40
        jsr     MOVE
        ldx     #0                      ; logical line map: the bits from the row on move right
        clc
@map:   lda     LOGMAP,x
        ror     a
        sta     MLTTMP,x
        inx
        txa
        eor     #3
        bne     @map
        lda     SWPFLG                  ; text window: what comes up from below its four rows are starts
        and     #$0F
        ora     MLTTMP
        sta     MLTTMP
        jsr     MERGE
        lda     HOLD2
        jsr     ISTOP                   ; sets X, Y
        lda     LOGMAP,y
        ora     BITTAB,x
        sta     LOGMAP,y
        rts

; Moves X rows: to the row at ADRESS from the row Y:A bytes further, and so on; then blanks the row arrived at.
MOVE:   sta     SAVADR
        sty     SAVADR+1
        txa
        beq     @last
@row:   jsr     TOLAST
        clc
        lda     ADRESS
        adc     SAVADR
        sta     ADRESS
        lda     ADRESS+1
        adc     SAVADR+1
        sta     ADRESS+1
        ldy     #39
@loop:  lda     (ADRESS),y
        sta     (MLTTMP),y
        dey
        lda     (ADRESS),y
        sta     (MLTTMP),y
        dey
        bpl     @loop
        dex
        bne     @row
@last:  ldy     #39
        lda     #0
@blank: sta     (ADRESS),y
        dey
        bpl     @blank
        rts

; Takes the bits from row HOLD2 on from the three bytes at MLTTMP into the logical line map; the bits before stay.
MERGE:  lda     HOLD2
        ldx     #0
@byte:  cmp     #8
        bcs     @next                   ; all of this byte is before the row
        tay
        lda     BITTAB,y
        asl     a
        sec
        sbc     #1                      ; ones from the row on
        sta     HOLD3
        lda     LOGMAP,x
        eor     MLTTMP,x
        and     HOLD3
        eor     LOGMAP,x
        sta     LOGMAP,x
        lda     #8
        sec
@next:  sbc     #8
        inx
        cpx     #3
        bcc     @byte
        rts

; Scrolls: the whole logical line at the top goes.
SCROLL: lda     #0
        sta     SCRFLG
@row:
.if XL
        bit     FINE
        bpl     @coarse
        lda     #8                      ; the vertical blank moves the picture up a line a frame
        sta     VSFLAG
@fine:  lda     VSFLAG
        bne     @fine
@coarse:
.endif
        ldx     #0
        jsr     DELROW
        inc     SCRFLG
        dec     ROWCRS
        dec     BUFSTR
        lda     #0
        jsr     ISTOP
        beq     @row
        lda     BUFSTR
        bpl     @done
        lda     #0
        sta     BUFSTR
@done:  rts
