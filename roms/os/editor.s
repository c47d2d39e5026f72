; E: screen editor: logical lines, control codes, line input.

        .include "hardware.inc"
        .include "variables.inc"
        .include "modules.inc"

        .segment "SMALL1"

; Control codes and their routines (address - 1).
CODES:  .byte   $1B, $1C, $1D, $1E, $1F, $7D, $7E, $7F, $9C, $9D, $9E, $9F, $FD, $FE, $FF
NCODES  = * - CODES
CODEHI: .byte   >(ESCAPE-1), >(UP-1), >(DOWN-1), >(LEFT-1), >(RIGHT-1), >(TEXTCLR-1), >(BACKSP-1), >(TAB-1)
        .byte   >(DELLIN-1), >(INSLIN-1), >(CLRTAB-1), >(SETTAB-1), >(BELL-1), >(DELCHR-1), >(INSCHR-1)
CODELO: .byte   <(ESCAPE-1), <(UP-1), <(DOWN-1), <(LEFT-1), <(RIGHT-1), <(TEXTCLR-1), <(BACKSP-1), <(TAB-1)
        .byte   <(DELLIN-1), <(INSLIN-1), <(CLRTAB-1), <(SETTAB-1), <(BELL-1), <(DELCHR-1), <(INSCHR-1)

BELL:   lda     #32
        sta     HOLD1
@click: jsr     CLICK
        dec     HOLD1
        bne     @click
        rts

        .segment "EDITOR"

ESPEC   = KNWRTS

; ---------------------------------------------------------------- put

; Programs call E: put at this place.
        .segment "EPUT"
.if XL
        .assert * = $F2B0, error, "E: put"
.else
        .assert * = $F6A4, error, "E: put"
.endif
EPUTCH: sta     ATACHR
        jsr     TEXTIN
        jsr     CUROFF
        jsr     INSIDE
        bcc     @char
        jsr     HOME
        ldy     #CRSROR
        bne     @exit
@char:  jsr     DOCHAR
        ldy     #SUCCES
@exit:  sty     DSTAT
        jsr     CURON
TEXTOU: jsr     MAINSC
        lda     ATACHR
        ldy     DSTAT
        rts

; C = 1: the cursor is outside the text screen.
INSIDE: lda     COLCRS+1
        cmp     #1
        bcs     @out
        lda     COLCRS
        cmp     #40
        bcs     @out
        jsr     BOTTOM
        sta     HOLD1
        lda     ROWCRS
        cmp     HOLD1
@out:   rts

        .segment "EDITOR"

; Makes the text screen the current context: the text window where there is one, else the screen of mode 0, which is opened if
; another mode is on.
TEXTIN: lda     BOTSCR
        cmp     #4
        bne     @full
        lda     SWPFLG
        bne     @done
        jmp     SWAP
@full:  lda     DINDEX
        beq     @done
        lda     ATACHR
        pha
        jsr     EOPEN
        pla
        sta     ATACHR
@done:  rts

; A = number of rows of the text screen in use. Keeps X, Y.
BOTTOM: lda     SWPFLG
        beq     @main
        lda     BOTSCR
        rts
@main:  lda     #24
        rts

; Carries one character out.
DOCHAR: lda     ATACHR
        cmp     #EOL
        bne     @noeol
        lda     #0
        sta     ESCFLG
        jmp     TXTEOL
@noeol: ldy     ESCFLG
        bne     @text
        ldy     DSPFLG
        bne     @text
        jsr     ISCTL                   ; most are plain characters
        bcs     @text
        ldx     #NCODES-1
@find:  cmp     CODES,x
        beq     @code
        dex
        bpl     @find
@text:  lda     SSFLAG                  ; CTRL-1
        bne     @text
        sta     ESCFLG
        jsr     TOOLD
        jsr     TXTADR
        lda     ATACHR
        jsr     TOSCRN
        sta     CHAR
        ldy     #0
        sta     (ADRESS),y
        jmp     ADVTXT
@code:  lda     CODEHI,x
        pha
        lda     CODELO,x
        pha
        rts

; ---------------------------------------------------------------- cursor

; Takes the cursor away.
CUROFF: lda     OLDADR+1
        beq     @none
        ldy     #0
        lda     OLDCHR
        sta     (OLDADR),y
@none:  rts

; Shows the cursor at ROWCRS/COLCRS, and finds LOGCOL.
CURON:  jsr     LOGIC
        jsr     TXTADR
        ldy     #0
        lda     (OLDADR),y
        sta     OLDCHR
        ldx     CRSINH
        bne     @hidden
        eor     #$80
        sta     (OLDADR),y
@hidden:
        rts

ESCAPE: lda     #$80
        sta     ESCFLG
        rts

UP:     ldx     ROWCRS
        bne     @up
        jsr     BOTTOM
        tax
@up:    dex
        bpl     NEWROW_
DOWN:   jsr     BOTTOM
        ldx     ROWCRS
        inx
        stx     HOLD1
        cmp     HOLD1
        bne     NEWROW_
        ldx     #0
NEWROW_:
        stx     ROWCRS
; The line that is read follows the cursor when it moves to another logical line.
RESTRT: jsr     LINTOP
        sta     HOLD1
        lda     BUFSTR
        jsr     TOPOF
        cmp     HOLD1
        beq     @same
        lda     HOLD1
        sta     BUFSTR
        lda     LMARGN
        sta     BUFSTR+1
@same:  rts

LEFT:   ldx     COLCRS
        beq     @wrap
        dex
        cpx     LMARGN
        bcs     SETCOL
@wrap:  ldx     RMARGN
SETCOL: cpx     #40                     ; the right margin may be set beyond the screen
        bcc     @set
        ldx     #39
@set:   stx     COLCRS
        rts
; DOS II+/D sets a right margin of 69 and prints its banner from where this wraps.
RIGHT:  ldx     COLCRS
        inx
        cpx     #40
        bcs     @wrap
        cpx     RMARGN
        bcc     SETCOL
        beq     SETCOL
@wrap:  ldx     LMARGN
        bcs     SETCOL

HOME:   ldx     #0
        stx     ROWCRS
        stx     COLCRS+1
        ldx     LMARGN
        stx     COLCRS
        rts

TEXTCLR:
        jsr     BOTTOM
        ldy     #<-960
        ldx     #>-960
        cmp     #4
        bne     @all
        ldy     #<-160
        ldx     #>-160
@all:   tya
        jsr     CLRNEG
        jsr     RESETL
        jsr     HOME
        jmp     ATLINE

; ---------------------------------------------------------------- moving through the line

; To the start of the next logical line.
TXTEOL: jsr     LINEND
        sta     ROWCRS
        lda     LMARGN
        sta     COLCRS
        lda     #0
        sta     COLCRS+1
        jsr     BOTTOM
        cmp     ROWCRS
        bne     @done
        jmp     SCROLL
@done:  rts

; One column on; C = 1: past the right margin, or the last column, to the next row. Keeps X, Y.
NXTCOL: lda     COLCRS
        inc     COLCRS
        cmp     #39
        bcs     @row
        cmp     RMARGN
        bcc     @done
@row:   lda     LMARGN
        sta     COLCRS
        inc     ROWCRS
@done:  rts

; One column on; past the right margin to the next row, which becomes part of the logical line (up to three rows).
ADVTXT: jsr     NXTCOL
        bcc     @done
        jsr     BOTTOM
        cmp     ROWCRS
        bne     @row
        jsr     SCROLL                  ; what comes up at the bottom starts a line
@row:   lda     ROWCRS
        jsr     ISTOP
        beq     @done                   ; it is part of the line already
        lda     ROWCRS
        sec
        sbc     #1
        jsr     TOPOF
        sec
        sbc     ROWCRS
        cmp     #<-3
        beq     @done                   ; three rows are full: the next one is another line
        jsr     MOREROW
@done:  rts

; Inserts row ROWCRS as a continuation of the line above.
MOREROW:
        ldx     ROWCRS
        jsr     INSROW
        eor     BITTAB,x
        sta     LOGMAP,y
        rts

; ---------------------------------------------------------------- tabs

        .segment "TABS"

TAB:    jsr     ADVTXT
        lda     COLCRS
        cmp     LMARGN
        beq     @done                   ; a new row
        jsr     TABBIT
        and     TABMAP,y
        beq     TAB
@done:  rts

; A = bit of the logical column in TABMAP,y.
TABBIT: jsr     LOGIC                   ; A = LOGCOL
        jsr     ISTOP                   ; for its X and Y
        lda     BITTAB,x
        rts

SETTAB: jsr     TABBIT
        ora     TABMAP,y
        sta     TABMAP,y
        rts

CLRTAB: jsr     TABBIT
        eor     #$FF
        and     TABMAP,y
        sta     TABMAP,y
        rts

; ---------------------------------------------------------------- inserting and deleting

        .segment "EDITOR"

INSLIN: ldx     ROWCRS
        jsr     INSROW
        jmp     ATLINE

DELLIN: jsr     LINTOP
        sta     ROWCRS
@row:   ldx     ROWCRS
        jsr     DELROW
        lda     ROWCRS
        jsr     ISTOP
        beq     @row
; To the left margin; the line that is read begins here.
ATLINE: lda     LMARGN
        sta     COLCRS
        sta     BUFSTR+1
        lda     ROWCRS
        sta     BUFSTR
        rts

; Keeps the cursor in TMPCOL; HOLD4 = first row after the logical line.
SAVCUR: lda     ROWCRS
        sta     TMPCOL
        lda     COLCRS
        sta     TMPCOL+1
        jsr     LINEND
        sta     HOLD4
        rts

; Cursor to the next cell of the line. C = 1: it has come to row HOLD4. Keeps X, Y.
NXTCEL: jsr     NXTCOL
        bcc     @done
        lda     ROWCRS
        cmp     HOLD4
@done:  rts

; Inserts a blank at the cursor; what is pushed off the end of the line opens another row.
INSCHR: jsr     SAVCUR
        lda     #0                      ; the blank
        sta     INSDAT
        sta     SCRFLG
@cell:  jsr     TXTADR                  ; Y = 0
        lda     (ADRESS),y
        tax
        lda     INSDAT
        sta     (ADRESS),y
        stx     INSDAT
        jsr     NXTCEL
        bcc     @cell
        lda     (ADRESS),y              ; full to its last cell: another row
        ora     INSDAT
        beq     RSTCUR
        lda     HOLD4
        sbc     #1
        jsr     TOPOF
        sec
        sbc     ROWCRS
        cmp     #<-3
        beq     RSTCUR                  ; there are three already
        jsr     BOTTOM
        cmp     ROWCRS
        bne     @room
        jsr     SCROLL
@room:  jsr     MOREROW
        jsr     TXTADR
        lda     INSDAT
        sta     (ADRESS),y
        lda     TMPCOL
        sec
        sbc     SCRFLG
        sta     TMPCOL
RSTCUR: lda     TMPCOL
        sta     ROWCRS
        lda     TMPCOL+1
        sta     COLCRS
        rts

; Takes the character at the cursor out; the rest of the line moves left. A last row left blank is given back.
DELCHR: jsr     SAVCUR
        jsr     TXTADR
@cell:  jsr     TOLAST
        jsr     NXTCEL
        bcs     @last
        jsr     TXTADR
        lda     (ADRESS),y
        sta     (MLTTMP),y
        jmp     @cell
@last:  lda     #0
        sta     (MLTTMP),y
        jsr     RSTCUR
; Gives the last row of the line back when it is blank and the cursor is above it.
SHRINK: jsr     LINEND
        sec
        sbc     #1
        cmp     ROWCRS
        beq     @done
        pha
        jsr     ROWADR
        ldy     #39
@look:  lda     (ADRESS),y
        bne     @keep
        dey
        bpl     @look
        pla
        tax
        jmp     DELROW
@keep:  pla
@done:  rts

; One column back in the line and a blank there.
BACKSP: lda     COLCRS
        cmp     LMARGN
        beq     @edge
        bcc     @edge
        dec     COLCRS
        bcs     @blank
@edge:  lda     ROWCRS
        jsr     ISTOP
        bne     @done                   ; start of the line
        lda     ROWCRS
        beq     @done
        dec     ROWCRS
        ldx     RMARGN
        jsr     SETCOL
@blank: jsr     TXTADR
        lda     #0
        tay
        sta     (ADRESS),y
        jmp     SHRINK
@done:  rts

; ---------------------------------------------------------------- get

; A line is typed and edited until RETURN, then given away byte by byte. BUFCNT = bytes left with the EOL.
        .segment "EGET"
.if XL
        .assert * = $F24A, error, "E: get"
.else
        .assert * = $F63E, error, "E: get"
.endif
EGETCH: jsr     TEXTIN
        lda     BUFCNT
        bne     EGIVE
        lda     ROWCRS
        sta     BUFSTR
        lda     COLCRS
        sta     BUFSTR+1
EKEY:   jsr     MAINSC
        jsr     KGETCH
EKEYRT  = * - 1                         ; what the call leaves on the stack
        sty     DSTAT
        cpy     #0
        bmi     @fail
        cmp     #EOL
        bne     @char
        jmp     ELINE
@char:  jsr     EPUTCH
        lda     LOGCOL
        cmp     #113
        bne     @nobell
        jsr     BELL
@nobell:
        jsr     TEXTIN
        jmp     EKEY
@fail:  lda     #0
        sta     BUFCNT
        lda     #EOL
        rts                             ; Y = the status

EGIVE:  dec     BUFCNT
        beq     @eol
        jsr     TXTADR
        lda     (ADRESS),y              ; Y is 0
        sta     CHAR
        sta     OLDCHR                  ; TXTADR has made this the cursor's cell
        jsr     TOATA
        sta     ATACHR
        ldx     BUFCNT
        dex
        beq     @last                   ; the EOL leads on from within the line, which may be full
        jsr     NXTCEL
@last:  lda     #SUCCES
        sta     DSTAT
        jmp     TEXTOU
@eol:   lda     #EOL
        jmp     EPUTCH

        .segment "EDITOR"

ELINE:  jsr     TEXTIN
        jsr     CUROFF
        lda     #0
        sta     ESCFLG
        lda     BUFSTR
        sta     ROWCRS
        lda     BUFSTR+1
        sta     COLCRS
        jsr     LENGTH
        sta     BUFCNT
        jmp     EGIVE

; A = characters from the cursor to the last one of the logical line that is not blank, + 1.
LENGTH: jsr     SAVCUR
        lda     #1
        sta     HOLD3                   ; cells looked at + 1
        sta     HOLD2                   ; answer
@cell:  inc     HOLD3
        jsr     TXTADR
        lda     (ADRESS),y
        beq     @blank
        lda     HOLD3
        sta     HOLD2
@blank: jsr     NXTCEL
        bcc     @cell
        jsr     RSTCUR
        lda     HOLD2
        rts

.if XL
        .segment "FKEYS2"

; Moves the cursor by SUPERF: $8E top left, $8F bottom left, $90 left margin, $91 right margin.
SUPER:  jsr     TEXTIN
        jsr     CUROFF
        lda     SUPERF
        cmp     #$90
        bcs     @column
        ldx     #0
        lsr     a
        bcc     @row                    ; $8E
        jsr     BOTTOM
        tax
        dex
@row:   jsr     NEWROW_
        clc
@column:
        ldx     LMARGN
        bcc     @set
        lda     SUPERF
        lsr     a
        bcc     @set
        ldx     RMARGN
@set:   jsr     SETCOL
        lda     #0
        sta     COLCRS+1
        jsr     CURON
        jmp     MAINSC
.endif
