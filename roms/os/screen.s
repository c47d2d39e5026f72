; S: display handler: modes, pixels, characters.

        .include "hardware.inc"
        .include "variables.inc"
        .include "modules.inc"

        .segment "FIXSOPN"
        jmp     SOPEN                   ; menu programs call S: open at its place in the well-known ROMs

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

; E: open is S: open in mode 0.
EOPEN:  lda     #0
        beq     OPENA
SOPEN:  lda     ICAX2Z
        and     #$0F
OPENA:  cmp     #MODES
        bcc     @good
        ldy     #BADMOD
        rts
@good:  sta     DINDEX
        jsr     SETUP
        bcc     @done
        lda     #0                      ; no room: mode 0 instead, and the error
        sta     DINDEX
        jsr     SETUP
        ldy     #SCRMEM
        rts
@done:  lda     BRKKEY
        bne     @ok
        jmp     BREAK
@ok:    ldy     #SUCCES
        rts

; Sets the screen up for DINDEX. C = 1: it would reach into the application's memory (nothing is shown then).
SETUP:  lda     DINDEX
        pha
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
        lda     LMARGN
        sta     TXTCOL
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
SGETCH: jsr     MAINSC
        jsr     RANGE
        bcs     OUTSID
        jsr     GETCEL
        sta     ATACHR
        jsr     NEXT
        lda     ATACHR
        ldy     #SUCCES
        rts
OUTSID: ldy     #CRSROR
        rts

SPUTCH: sta     ATACHR
        jsr     MAINSC
        lda     ATACHR
        cmp     #$7D
        beq     @clear
        cmp     #EOL
        beq     @eol
        jsr     RANGE
        bcs     OUTSID
@wait:  lda     SSFLAG                  ; CTRL-1
        bne     @wait
        jsr     TOOLD
        jsr     PUTCEL
        lda     DINDEX
        bne     @graph
        jsr     ADVTXT
@cursor:
        jsr     CURON
        jmp     @ok
@graph: jsr     NEXT
@ok:    ldy     #SUCCES
        rts
@clear: lda     DINDEX
        bne     @all
        jsr     TEXTCLR
        jmp     @cursor
@all:   jsr     CLRALL
        lda     #0
        sta     ROWCRS
        sta     COLCRS
        sta     COLCRS+1
        beq     @ok
@eol:   lda     DINDEX
        bne     @row
        jsr     RANGE
        bcs     OUTSID
        jsr     TXTEOL
        jmp     @cursor
@row:   jsr     NEWLIN
        jmp     @ok

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
