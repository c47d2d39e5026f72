; S: display handler: modes, pixels, characters.

        .include "hardware.inc"
        .include "variables.inc"
        .include "modules.inc"

.if XL
        .segment "FIXSOPN"
        jmp     SOPEN                   ; menu programs call S: open at its place in the OS of the 400 and 800 on any model
.endif

.if XL
MODES   = 16
.else
MODES   = 12
.endif

        .segment "SMALL2"

; ANTIC mode; rows class (index of ROWS) in bits 4-6.
MODE1:  .byte   $02, $06, $17, $08, $29, $2A, $3B, $3D, $4F, $4F, $4F, $4F
.if XL
        .byte   $04, $15, $4C, $4E
.endif
; Bits 0-1: bytes per row = 10 << n; bits 2-3: pixels per byte = 1 << n; bits 4-6: size class (index of SIZELO).
MODE2:  .byte   $02, $11, $21, $28, $1C, $39, $4D, $5A, $6E, $66, $66, $66
.if XL
        .byte   $32, $12, $5D, $6A
.endif
ROWS:   .byte   24, 12, 48, 96, 192     ; full screen
SPLITR: .byte   20, 10, 40, 80, 160     ; above a text window
; Bytes from the start of the screen memory to RAMTOP, negative.
SIZELO: .byte   <-960, <-640, <-400, <-1120, <-2080, <-4000, <-7856
SIZEHI: .byte   >-960, >-640, >-400, >-1120, >-2080, >-4000, >-7856

BITTAB: .byte   $80, $40, $20, $10, $08, $04, $02, $01

COLORS: .byte   $28, $CA, $94, $46, $00

        .segment "SCREEN"

; ---------------------------------------------------------------- open

; Programs call these entries at fixed addresses (see README.md): S: open also two bytes later with the mode in A, and the XL's OPENM with
; the mode in A and without an IOCB.
        .segment "OPENS"
.if XL
        .assert * = $EF8E, error, "S: open"
.else
        .assert * = $F3F6, error, "S: open"
.endif
SOPEN:  lda     ICAX2Z
        and     #$0F
        bpl     OPENM
; E: open is S: open in mode 0.
        .assert * = SOPEN + 6, error, "E: open"
EOPEN:  lda     #0
.if XL
        beq     OPENM
BADMD:  ldy     #BADMOD                 ; (the bytes up to OPENM)
        rts
        .res    SOPEN + 14 - *, $EA
        .assert * = $EF9C, error, "open mode"
.endif
OPENM:  sta     ICAX2Z
        cmp     #MODES
        bcs     BADMD
        jsr     SETUP
        bcc     @done
        lda     #0                      ; no room: mode 0 instead, and the error
        jsr     SETUP
        ldy     #SCRMEM
        rts
@done:  lda     BRKKEY
        bne     OPENOK
        jmp     BREAK
OPENOK:
.if XL
        ldx     DINDEX                  ; programs go on with A = 0, X = the mode, Y = 1
        lda     #0
.endif
        ldy     #SUCCES
        rts
.if .not XL
BADMD:  ldy     #BADMOD
        rts
.endif

        .segment "SCREEN"

; Sets the screen up for mode A. C = 1: it would reach into the application's memory (nothing is shown then).
SETUP:  pha
        lda     #0
        sta     SDMCTL
        sta     DMACTL
        sta     SWPFLG
        sta     ESCFLG
        sta     CRSINH
        sta     BUFCNT
        ldx     #11
@clear: sta     ROWCRS,x                ; 12 bytes of the screen: row, column, mode, memory, old cursor (none: OLDADR = 0)
        sta     TXTROW,x                ; and of the text window
        dex
        bpl     @clear
        pla
        sta     DINDEX
        lda     #<-160
        sta     TXTMSC
        ldx     RAMTOP
        dex
        stx     TXTMSC+1
        lda     #$E0
        sta     CHBAS
        lda     #2
        sta     CHACT
        lda     POKMSK
        ora     #$C0
        sta     POKMSK
        sta     IRQEN
        ldx     #14
        lda     #1
@tabs:  sta     TABMAP,x
        dex
        bpl     @tabs
        ldx     #4
@color: lda     COLORS,x
        sta     COLOR0,x
        dex
        bpl     @color
        jsr     RESETL
        ldx     DINDEX
        bne     @prior
        lda     LMARGN
        sta     COLCRS
@prior: cpx     #11
        bne     @gtia
        lda     #6
        sta     COLOR4
@gtia:  lda     #0
        cpx     #9
        bcc     @bits
        cpx     #12
        bcs     @bits
        txa                             ; 9, 10, 11 -> $40, $80, $C0
        lsr     a
        ror     a
        ror     a
        and     #$C0
@bits:  sta     HOLD1
        lda     GPRIOR
        and     #$3F
        ora     HOLD1
        sta     GPRIOR

        ; split screen?
        ldy     #24
        cpx     #0
        beq     @bot
        lda     HOLD1                   ; the GTIA modes have no text window
        bne     @bot
        lda     ICAX1Z
        and     #$10
        beq     @bot
        lda     LMARGN
        sta     TXTCOL
        ldy     #4
@bot:   sty     BOTSCR

        ; screen memory
        jsr     SIZCLS
        lda     SIZELO,y
        sta     SAVMSC
        sta     ADRESS
        clc
        lda     SIZEHI,y
        adc     RAMTOP
        sta     SAVMSC+1
        sta     ADRESS+1
        bcc     @none                   ; below address 0
        cpy     #5                      ; sizes 4000 and 7856: the list ends at a page boundary below
        bcc     @rows
        lda     #0
        sta     ADRESS
@rows:  jsr     MODROW                  ; A = rows to show, X = ANTIC mode
        sta     COUNTR
        clc
        adc     #8                      ; 3 blank lines, address, jump
        ldy     BOTSCR
        cpy     #4
        bne     @long
        adc     #5                      ; text window (C is set): 6 more
@long:  cpx     #$0D
        bcc     @fine
        beq     @fine
        clc
        adc     #2                      ; second address for the high resolution modes
@fine:
.if XL
        sta     HOLD1
        bit     FINE
        bpl     @coarse
        ldy     BOTSCR
        cpy     #4
        beq     @onemore
        ldy     DINDEX
        bne     @coarse
@onemore:
        inc     HOLD1
@coarse:
        lda     HOLD1
.endif
        eor     #$FF                    ; list start = end - length
        sec
        adc     ADRESS
        sta     ADRESS
        bcs     @page
        dec     ADRESS+1
@page:  ldy     DINDEX
        beq     @room                   ; mode 0 must do
        lda     APPMHI                  ; the highest byte in use must lie below the list
        cmp     ADRESS
        lda     APPMHI+1
        sbc     ADRESS+1
        bcc     @room
@none:  sec
        rts
@room:  lda     ADRESS
        sta     SDLSTL
        sec
        sbc     #1
        sta     MEMTOP
        lda     ADRESS+1
        sta     SDLSTH
        sbc     #0
        sta     MEMTOP+1

        ; write the display list
        lda     #$70
        jsr     DLBYTE
        jsr     DLBYTE
        jsr     DLBYTE
        stx     HOLD1                   ; ANTIC mode
        txa
        ora     #$40
        jsr     DLMODE
        lda     SAVMSC
        jsr     DLBYTE
        lda     SAVMSC+1
        jsr     DLBYTE
        dec     COUNTR
        ldx     #93                     ; rows until the 4K boundary
@lines: lda     HOLD1
        cpx     #0
        bne     @plain
        cmp     #$0E
        bcc     @plain
        ora     #$40
        jsr     DLBYTE
        lda     SAVMSC
        clc
        adc     #<(94*40)
        pha
        lda     SAVMSC+1
        adc     #>(94*40)
        tay
        pla
        jsr     DLBYTE
        tya
        bcc     @add                    ; always: DLBYTE leaves C clear
@plain: jsr     DLMODE
        bcc     @cont
@add:   jsr     DLBYTE
@cont:  dex
        dec     COUNTR
        bne     @lines
        ldx     BOTSCR
        cpx     #4
        bne     @tail
        lda     #$42
        jsr     DLTEXT
        lda     TXTMSC
        jsr     DLBYTE
        lda     TXTMSC+1
        jsr     DLBYTE
        lda     #2
        jsr     DLTEXT
        jsr     DLTEXT
        jsr     DLTEXT
.if XL
        jsr     DLLAST
        jmp     @jump
.endif
@tail:
.if XL
        lda     DINDEX
        bne     @jump
        jsr     DLLAST
.endif
@jump:  lda     #$41
        jsr     DLBYTE
        lda     SDLSTL
        jsr     DLBYTE
        lda     SDLSTH
        jsr     DLBYTE
        lda     ICAX1Z
        and     #$20
        bne     @show
        jsr     CLRALL
@show:
.if XL
        lda     #0
        sta     VSFLAG
        sta     VSCROL
        bit     FINE
        bpl     @nodli
        ldx     #<FINDLI
        stx     VDSLST
        ldx     #>FINDLI
        stx     VDSLST+1
        ldx     #$C0
        stx     NMIEN
@nodli:
.endif
        lda     #$22
        sta     SDMCTL
        lda     RTCLOK+2                ; until the vertical blank has loaded the shadows; not for ever, it may be off
        ldy     #0
@wait:  cmp     RTCLOK+2
        bne     @shown
        dex
        bne     @wait
        dey
        bne     @wait
@shown: clc
        rts

        .segment "DLIST"

; A to the display list at ADRESS. Keeps A, X, Y; C = 0.
DLBYTE: sty     SUBTMP
        ldy     #0
        sta     (ADRESS),y
        ldy     SUBTMP
        inc     ADRESS
        bne     @done
        inc     ADRESS+1
@done:  clc
        rts

.if XL
; A mode line of the main screen: with fine scrolling in mode 0 it gets the vertical scroll bit.
DLMODE: ldy     DINDEX
        bne     DLBYTE
; A mode line of scrolling text.
DLTEXT: bit     FINE
        bpl     DLBYTE
        pha
        ora     #$20
        jsr     DLBYTE
        pla
        clc
        rts

; The extra line below scrolling text: without scroll bit, so that the region ends, with the interrupt that blanks it.
DLLAST: bit     FINE
        bpl     @none
        dec     ADRESS                  ; the last scrolling line carries the interrupt
        lda     ADRESS
        cmp     #$FF
        bne     @low
        dec     ADRESS+1
@low:   lda     #$A2
        jsr     DLBYTE
        lda     #2
        jmp     DLBYTE
@none:  rts

; At the last line of fine scrolled text: the line below shows nothing.
FINDLI: pha
        lda     COLOR2
        eor     COLRSH
        and     DRKMSK
        sta     WSYNC
        sta     COLPF1
        pla
        rti
.else
DLMODE  = DLBYTE
DLTEXT  = DLBYTE
.endif

; A = rows shown in the mode DINDEX (fewer when split), X = ANTIC mode.
MODROW: jsr     ROWCLS
        lda     MODE1,x
        and     #$0F
        tax
        lda     BOTSCR
        cmp     #4
        beq     @split
        lda     ROWS,y
        rts
@split: lda     SPLITR,y
        rts

; Y = size class of DINDEX, X = DINDEX.
SIZCLS: ldx     DINDEX
        lda     MODE2,x
        and     #$70
        bpl     HINIB
; Y = rows class of DINDEX, X = DINDEX.
ROWCLS: ldx     DINDEX
        lda     MODE1,x
HINIB:  lsr     a
        lsr     a
        lsr     a
        lsr     a
        tay
        rts

; ---------------------------------------------------------------- clear

; S: clear. The screen memory of the present mode becomes 0, the cursor goes home; programs call it.
        .segment "CLEARS"
.if XL
        .assert * = $F420, error, "clear screen"
.endif
CLEAR:  lda     #0
        sta     OLDCHR                  ; the cell below the cursor is blank, too
        ldx     DINDEX
        bne     @all
        jmp     TEXTCLR
@all:   sta     ROWCRS
        sta     COLCRS
        sta     COLCRS+1
; Clears the memory of the whole screen: playfield and text window.
CLRALL: jsr     SIZCLS
        ldx     SIZEHI,y
        lda     SIZELO,y
; Clears -(X:A) bytes from SAVMSC.
CLRNEG: stx     MLTTMP+1                ; counts up to 0
        tay
        lda     SAVMSC+1
        sta     ADRESS+1
        sty     MLTTMP                  ; base + Y counts up to the end of the first part page
        sec
        lda     SAVMSC
        sbc     MLTTMP
        sta     ADRESS
        bcs     @start
        dec     ADRESS+1
@start: lda     #0
@loop:  sta     (ADRESS),y
        iny
        bne     @loop
        inc     ADRESS+1
        inc     MLTTMP+1
        bne     @loop
        rts

; ---------------------------------------------------------------- S: get and put

; Two contexts: S: always works on the main screen, E: on the text window where there is one.
; Programs call these entries at fixed addresses, and the tables of the handlers point to them.
        .segment "SGET"
.if XL
        .assert * = $F180, error, "S: get"
.else
        .assert * = $F593, error, "S: get"
.endif
SGETCH: jsr     LOOK
        bcs     @out
        jsr     NEXT
        lda     ATACHR
        ldy     #SUCCES
@out:   rts
        .res    1, $EA

.if XL
; A = the character or pixel at the cursor, which stays; N and Z from A. C = 1, which a program rotates into an address.
        .assert * = SGETCH + 15, error, "locate"
        jsr     LOOK
        sec
        rts
        .segment "LOOKS"
.endif
; A = the character or pixel at the cursor, N and Z from it. C = 1: the cursor is outside the screen, Y = the status.
LOOK:   jsr     MAINSC
        jsr     RANGE
        bcs     @out
        jsr     GETCEL
        ldy     #SUCCES
        sta     ATACHR
        clc
        lda     ATACHR
@out:   rts

.if XL
        .segment "SGET"
        .res    SGETCH + 36 - *, $EA
.endif
        .assert * = SGETCH + 36, error, "S: put"
SPUTCH: sta     ATACHR
        jsr     MAINSC
        lda     ATACHR
        cmp     #$7D
        beq     SCLEAR
        cmp     #EOL
        beq     SEOL
        jsr     RANGE
        bcs     @out
@wait:  lda     SSFLAG                  ; CTRL-1
        bne     @wait
        jsr     TOOLD
        jsr     PUTCEL
        lda     DINDEX
        bne     @graph
        jsr     ADVTXT
@curs:  jsr     CURON
        jmp     @ok
@graph: jsr     NEXT
@ok:    ldy     #SUCCES
@out:   rts

; Writes ATACHR at the cursor: a character in the character modes, a colour in the others. Programs call it to plot a point, three
; bytes later with the character or colour in A.
        .assert * = SGETCH + 88, error, "plot"
PUTCEL: lda     ATACHR
        pha
        jsr     CONVRT
        pla
; Writes A where CONVRT has been. Keeps X in the modes with pixels; Y = 0.
PUTPIX: ldy     DMASK
        iny
        beq     @text                   ; the mask of a character: all bits
        ldy     SHFAMT
        beq     @merge
@up:    asl     a
        dey
        bne     @up
@merge: ldy     #0                      ; Y is 0 on both ways
        eor     (ADRESS),y
        and     DMASK
        eor     (ADRESS),y
@store: sta     (ADRESS),y
        clc                             ; programs count on it
        rts
@text:  jsr     TOSCRN
        sta     CHAR
        jmp     @store

SCLEAR: jsr     CLEAR
        lda     DINDEX
        bne     SPUTOK
        beq     SPUTCU                  ; always
SEOL:   lda     DINDEX
        bne     SPUTNL
        jsr     RANGE
        bcs     SPUTEX
        jsr     TXTEOL
SPUTCU: jsr     CURON
        jmp     SPUTOK
SPUTNL: jsr     NEWLIN
SPUTOK: ldy     #SUCCES
SPUTEX: rts

        .segment "CODES"

; Reads the cell at the cursor: A = ATASCII or colour.
GETCEL: jsr     CONVRT
        ldy     #0
        lda     (ADRESS),y
        ldx     DMASK
        cpx     #$FF
        beq     @text
        and     DMASK
        ldy     SHFAMT
        beq     @done
@down:  lsr     a
        dey
        bne     @down
@done:  rts
@text:  sta     CHAR
        jmp     TOATA

        .segment "NEXTS"

; Cursor to the next cell, and to the next row after the last column.
NEXT:   inc     COLCRS
        bne     @low
        inc     COLCRS+1
@low:   lda     DINDEX
        bne     @graph
        lda     RMARGN
        cmp     COLCRS
        bcs     NXTRTS
        bcc     NEWLIN
@graph: jsr     COLMNS
        cmp     COLCRS
        bne     NXTRTS
        cpx     COLCRS+1
        bne     NXTRTS
NEWLIN: lda     #0
        sta     COLCRS
        sta     COLCRS+1
        ldx     DINDEX
        bne     @row
        lda     LMARGN
        sta     COLCRS
@row:   inc     ROWCRS
NXTRTS: rts

; Makes the main screen the current context.
MAINSC: lda     SWPFLG
        beq     NXTRTS
; Exchanges the main screen's context with the text window's.
SWAP:   ldx     #11
@loop:  lda     ROWCRS,x
        ldy     TXTROW,x
        sta     TXTROW,x
        tya
        sta     ROWCRS,x
        dex
        bpl     @loop
        lda     SWPFLG
        eor     #$FF
        sta     SWPFLG
        rts
