; Self-test, seen at $5000 while bit 7 of port B is 0. A menu leads to three tests: memory, sound and picture, keyboard. HELP comes back
; to the menu, and so does START outside the keyboard test. Nothing but the screen and the editor's variables is changed, so RESET brings
; a BASIC program back.

        .include "hardware.inc"
        .include "variables.inc"
        .include "modules.inc"

.if XL
        .segment "SELFTEST"

SCREEN  = ADRESS                ; place on the screen
TEXT    = TOADR                 ; text, table, or RAM under test
SUM     = SAVADR                ; ROM checksum
CHOICE  = $70                   ; line of the menu
KEYS0   = $71                   ; console keys of the frame before
ROW     = $72
COLUMN  = $73
PASSES  = $74
FAULTS  = $75
BLOCK   = $76                   ; 1K block of RAM
ALL     = $77                   ; one test after the other
NOTE    = $78
VOICE   = BITMSK
FRAMES  = SHFAMT
MARK    = COUNTR                 ; $80 = inverse

DOT     = '.' - 32
BALL    = $54
DASH    = '-' - 32
CROSS   = ('X' - 32) | $80

        ldx     #$FF
        txs
        cld
        cli
        inx
        stx     CHOICE
        stx     HELPFG
        stx     PASSES
        stx     FAULTS

; ---------------------------------------------------------------- menu

MENU:   ldx     #$FF                    ; tests come back here from any depth
        txs
        lda     #0
        sta     ALL
        ldx     #<TMENU
        ldy     #>TMENU
        jsr     PAGE
        lda     #7
        sta     KEYS0                   ; a key that is still down is no new one
@show:  ldx     #3
@line:  lda     MENUROW,x
        jsr     TOROW
        cpx     CHOICE
        beq     @this
        lda     #$7F
        bne     @and
@this:  lda     #$FF
@and:   sta     MARK
        ldy     #28
@cell:  lda     (SCREEN),y
        ora     #$80
        and     MARK
        sta     (SCREEN),y
        dey
        cpy     #10
        bne     @cell
        dex
        bpl     @line
@wait:  jsr     FRAME
        jsr     PRESSED
        lsr     a
        bcs     @start
        lsr     a
        bcc     @wait
        inc     CHOICE
        lda     CHOICE
        and     #3
        sta     CHOICE
        bpl     @show
@start: ldx     CHOICE
        beq     MEMORY
        dex
        beq     @sound
        dex
        bne     @all
        jmp     KEYBOARD
@sound: jmp     SOUND
@all:   lda     #$80
        sta     ALL

; ---------------------------------------------------------------- memory

MEMORY: ldx     #<TMEM
        ldy     #>TMEM
        jsr     PAGE
        jsr     REPORT
@pass:  lda     #0                      ; ROM: two areas, each with its own checksum
        sta     BLOCK
        sta     SUM
        sta     SUM+1
        lda     #$C0
        ldx     #$D0
        jsr     ADDROM
        lda     #$50
        ldx     #$58
        jsr     ADDROM
        lda     #$D8
        ldx     #$E0
        jsr     ADDROM
        ldx     #<$C000
        ldy     #>$C000
        lda     #12
        jsr     CHECKROM
        lda     #0
        sta     SUM
        sta     SUM+1
        lda     #$E0
        ldx     #$00
        jsr     ADDROM
        ldx     #<$FFF8
        ldy     #>$FFF8
        lda     #14
        jsr     CHECKROM
@block: jsr     TESTRAM
        jsr     SHOWBLK
        jsr     LEAVE
        inc     BLOCK
        lda     BLOCK
        asl     a
        asl     a
        cmp     RAMSIZ
        bcc     @block
        inc     PASSES
        jsr     REPORT
        bit     ALL
        bpl     @pass
        jmp     SOUND

; SUM = SUM + all bytes of pages A to X-1.
ADDROM: sta     TEXT+1
        stx     COLUMN
        ldy     #0
        sty     TEXT
@byte:  clc
        lda     (TEXT),y
        adc     SUM
        sta     SUM
        bcc     @next
        inc     SUM+1
@next:  iny
        bne     @byte
        jsr     LEAVE
        ldy     #0
        inc     TEXT+1
        lda     TEXT+1
        cmp     COLUMN
        bne     @byte
        rts

; Compares SUM, less the two bytes of the word at X:Y, with that word; shows the result in column A of row 7.
CHECKROM:
        sta     COLUMN
        stx     TEXT
        sty     TEXT+1
        ldy     #1
@less:  sec
        lda     SUM
        sbc     (TEXT),y
        sta     SUM
        bcs     @next
        dec     SUM+1
@next:  dey
        bpl     @less
        iny
        lda     (TEXT),y
        eor     SUM
        sta     MARK
        iny
        lda     (TEXT),y
        eor     SUM+1
        ora     MARK
        php
        lda     #7
        jsr     TOROW
        ldy     COLUMN
        lda     #BALL
        plp
        beq     @good
        inc     FAULTS
        lda     #CROSS
@good:  sta     (SCREEN),y
        rts

; Tests the 1K block BLOCK; every byte gets its contents back. A = mark for it. Interrupts are off while a byte is under test: the stack
; and the page with our variables are tested too.
TESTRAM:
        lda     BLOCK
        asl     a
        asl     a
        tay
        lda     #DASH                   ; the self-test itself hides 2K
        cpy     #$50
        beq     @end
        cpy     #$54
        beq     @end
        sei
        lda     #0
        sta     NMIEN
        tya
        bne     @pages
        tax                             ; page 0, without a pointer
@zero:  ldy     $00,x
        lda     #$AA
        sta     $00,x
        cmp     $00,x
        bne     @bad
        lda     #$55
        sta     $00,x
        cmp     $00,x
        bne     @bad
        sty     $00,x
        inx
        bne     @zero
        lda     #1
@pages: sta     TEXT+1
        lda     #0
        sta     TEXT
        tay
@byte:  lda     (TEXT),y
        tax
        lda     #$AA
        sta     (TEXT),y
        cmp     (TEXT),y
        bne     @bad
        lda     #$55
        sta     (TEXT),y
        cmp     (TEXT),y
        bne     @bad
        txa
        sta     (TEXT),y
        cmp     (TEXT),y
        bne     @bad
        iny
        bne     @byte
        inc     TEXT+1
        lda     TEXT+1
        and     #3
        bne     @byte
        lda     #BALL
        bne     @done
@bad:   inc     FAULTS
        lda     #CROSS
@done:  ldx     #$40
        stx     NMIEN
        cli
@end:   rts

; Shows A as the result of BLOCK: rows of 16.
SHOWBLK:
        pha
        lda     BLOCK
        lsr     a
        lsr     a
        lsr     a
        lsr     a
        clc
        adc     #10
        jsr     TOROW
        lda     BLOCK
        and     #15
        adc     #12                     ; C = 0
        tay
        pla
        sta     (SCREEN),y
        rts

; Passes and faults, as decimal numbers up to 255.
REPORT: lda     #17
        jsr     TOROW
        lda     PASSES
        ldy     #19
        jsr     NUMBER
        lda     FAULTS
        ldy     #30
NUMBER: ldx     #'0' - 32 - 1
        sec
@hund:  inx
        sbc     #100
        bcs     @hund
        adc     #100
        jsr     @digit
        ldx     #'0' - 32 - 1
        sec
@tens:  inx
        sbc     #10
        bcs     @tens
        adc     #10
        jsr     @digit
        ora     #'0' - 32
        tax
@digit: pha
        txa
        sta     (SCREEN),y
        iny
        pla
        rts

; ---------------------------------------------------------------- sound and picture

SOUND:  ldx     #<TSOUND
        ldy     #>TSOUND
        jsr     PAGE
        lda     #0
        sta     VOICE
@voice: lda     #0
        sta     NOTE
@note:  lda     VOICE
        asl     a
        tax
        ldy     NOTE
        lda     PITCH,y
        sta     AUDF1,x
        lda     #$A8
        sta     AUDC1,x
        lda     #6                      ; the note's name and the voice's number
        jsr     TOROW
        ldx     NOTE
        ldy     #12
@names: lda     (SCREEN),y
        and     #$7F
        cpx     #0
        bne     @plain
        ora     #$80
@plain: sta     (SCREEN),y
        iny
        iny
        dex
        cpy     #28
        bne     @names
        lda     #4
        jsr     TOROW
        ldy     #22
        lda     VOICE
        clc
        adc     #'1' - 32
        sta     (SCREEN),y
        lda     #15
        sta     FRAMES
@frame: jsr     BARS
        jsr     LEAVE
        dec     FRAMES
        bne     @frame
        inc     NOTE
        lda     NOTE
        cmp     #8
        bne     @note
        jsr     QUIET
        inc     VOICE
        lda     VOICE
        cmp     #4
        bne     @voice
        bit     ALL
        bpl     SOUND
        jmp     KEYBOARD

; Once a frame: sixteen bars of four lines, one for each hue.
BARS:   lda     VCOUNT
        cmp     #$38
        bne     BARS
        ldx     #0
@bar:   txa
        asl     a
        asl     a
        asl     a
        asl     a
        ora     #8
        ldy     #4
@line:  sta     WSYNC
        sta     COLPF2
        sta     COLBK
        dey
        bne     @line
        inx
        cpx     #16
        bne     @bar
        lda     COLOR2
        ldx     COLOR4
        sta     WSYNC
        sta     COLPF2
        stx     COLBK
        rts

PITCH:  .byte   121, 108, 96, 91, 81, 72, 64, 60

; ---------------------------------------------------------------- keyboard

KEYBOARD:
        ldx     #<TKEYS
        ldy     #>TKEYS
        jsr     PAGE
        lda     #0                      ; with all tests: four seconds
        sta     FRAMES
@again: ldx     #<KEYTAB
        ldy     #>KEYTAB
        stx     TEXT
        sty     TEXT+1
        lda     #7
        sta     ROW
@row:   lda     ROW
        jsr     TOROW
        jsr     NEXT                    ; first column
        sta     COLUMN
@key:   jsr     NEXT
        cmp     #$FF
        beq     @endrow
        jsr     DOWN
@label: jsr     NEXT
        pha
        and     #$7F
        sec
        sbc     #32
        ora     MARK
        ldy     COLUMN
        sta     (SCREEN),y
        inc     COLUMN
        pla
        bpl     @label
        inc     COLUMN
        bne     @key
@endrow:
        inc     ROW
        inc     ROW
        lda     ROW
        cmp     #19
        bne     @row
        lda     #$FF
        sta     BRKKEY
        jsr     FRAME
        jsr     HELPED
        bit     ALL
        bpl     @again
        dec     FRAMES
        bne     @again
        jmp     MEMORY

; Next byte of the table at TEXT.
NEXT:   ldy     #0
        lda     (TEXT),y
        inc     TEXT
        bne     @same
        inc     TEXT+1
@same:  cmp     #0
        rts

; MARK = $80 if the key with code A is down. Codes from $C0: bits 0-2 console keys, $C8 SHIFT, $D0 CTRL, $E0 BREAK.
DOWN:   ldx     #0
        stx     MARK
        cmp     #$C0
        bcs     @other
        eor     KBCODE
        and     #$3F
        bne     @up
        lda     SKSTAT
        and     #4
        bne     @up
@down:  lda     #$80
        sta     MARK
@up:    rts
@other: cmp     #$E0
        beq     @break
        cmp     #$D0
        beq     @ctrl
        cmp     #$C8
        beq     @shift
        and     #7
        and     CONSOL
        beq     @down
        rts
@break: lda     BRKKEY
        beq     @down
        rts
@shift: lda     SKSTAT
        and     #8
        beq     @down
        rts
@ctrl:  lda     SKSTAT
        and     #4
        bne     @up
        lda     KBCODE
        bmi     @down
        rts

; First column, then code and label of each key, $FF; a label ends with bit 7.
.macro  key     code, label
        .byte   code
        .repeat .strlen(label)-1, i
        .byte   .strat(label, i)
        .endrepeat
        .byte   .strat(label, .strlen(label)-1) | $80
.endmacro

KEYTAB: .byte   4
        key     $1C, "ESC"
        key     $1F, "1"
        key     $1E, "2"
        key     $1A, "3"
        key     $18, "4"
        key     $1D, "5"
        key     $1B, "6"
        key     $33, "7"
        key     $35, "8"
        key     $30, "9"
        key     $32, "0"
        key     $36, "<"
        key     $37, ">"
        key     $34, "BKS"
        .byte   $FF
        .byte   3
        key     $2C, "TAB"
        key     $2F, "Q"
        key     $2E, "W"
        key     $2A, "E"
        key     $28, "R"
        key     $2D, "T"
        key     $2B, "Y"
        key     $0B, "U"
        key     $0D, "I"
        key     $08, "O"
        key     $0A, "P"
        key     $0E, "-"
        key     $0F, "="
        key     $0C, "RETURN"
        .byte   $FF
        .byte   3
        key     $D0, "CTRL"
        key     $3F, "A"
        key     $3E, "S"
        key     $3A, "D"
        key     $38, "F"
        key     $3D, "G"
        key     $39, "H"
        key     $01, "J"
        key     $05, "K"
        key     $00, "L"
        key     $02, ";"
        key     $06, "+"
        key     $07, "*"
        key     $3C, "CAPS"
        .byte   $FF
        .byte   4
        key     $C8, "SHIFT"
        key     $17, "Z"
        key     $16, "X"
        key     $12, "C"
        key     $10, "V"
        key     $15, "B"
        key     $23, "N"
        key     $25, "M"
        key     $20, ","
        key     $22, "."
        key     $26, "/"
        key     $27, "INVERSE"
        .byte   $FF
        .byte   17
        key     $21, "SPACE"
        .byte   $FF
        .byte   4
        key     $C1, "START"
        key     $C2, "SELECT"
        key     $C4, "OPTION"
        key     $11, "HELP"
        key     $E0, "BREAK"
        .byte   $FF

; ---------------------------------------------------------------- parts

; An empty screen with the texts at X:Y: row, column, characters, 0; $FF ends the list.
PAGE:   txa
        pha
        tya
        pha
        jsr     QUIET
        ldx     #0
        stx     HELPFG
        lda     #12
        sta     ICCMD
        jsr     CIOV
        lda     #<EDNAME
        sta     ICBAL
        lda     #>EDNAME
        sta     ICBAH
        lda     #3
        sta     ICCMD
        lda     #12
        sta     ICAX1
        ldx     #0
        stx     ICAX2
        jsr     CIOV
        ldy     #0                      ; no cursor
        tya
        sta     (OLDADR),y
        lda     #1
        sta     CRSINH
        pla
        sta     TEXT+1
        pla
        sta     TEXT
@text:  jsr     NEXT
        bmi     @end
        jsr     TOROW
        jsr     NEXT
        sta     COLUMN
@char:  jsr     NEXT
        beq     @text
        sec
        sbc     #32
        ldy     COLUMN
        sta     (SCREEN),y
        inc     COLUMN
        bne     @char
@end:   rts
EDNAME: .byte   "E:", EOL

; SCREEN = start of row A. Keeps X.
TOROW:  sta     SCREEN
        lda     #0
        sta     SCREEN+1
        lda     SCREEN
        asl     a
        asl     a
        adc     SCREEN                  ; x 5, at most 115
        asl     a
        sta     SCREEN
        asl     SCREEN                  ; x 20 needs nine bits
        rol     SCREEN+1
        asl     SCREEN
        rol     SCREEN+1
        clc
        lda     SCREEN
        adc     SAVMSC
        sta     SCREEN
        lda     SCREEN+1
        adc     SAVMSC+1
        sta     SCREEN+1
        rts

; Waits for the next frame; the screen never dims.
FRAME:  lda     #0
        sta     ATRACT
        lda     RTCLOK+2
@wait:  cmp     RTCLOK+2
        beq     @wait
        rts

; A = console keys that went down since the last call: bit 0 START, 1 SELECT, 2 OPTION.
PRESSED:
        lda     CONSOL
        and     #7
        eor     #7
        tax
        eor     KEYS0
        stx     KEYS0
        and     KEYS0
        rts

; Back to the menu with START or HELP.
LEAVE:  lda     #0
        sta     ATRACT
        jsr     PRESSED
        lsr     a
        bcs     TOMENU
HELPED: lda     HELPFG
        bne     TOMENU
        rts
TOMENU: jmp     MENU

; Silence; the serial port leaves the clocks of voices 3 and 4 free.
QUIET:  lda     #3
        sta     SSKCTL
        sta     SKCTL
        lda     #0
        sta     AUDCTL
        ldx     #7
@reg:   sta     AUDF1,x
        dex
        bpl     @reg
        rts

MENUROW:
        .byte   8, 10, 12, 14

TMENU:  .byte   3, 15, "SELF TEST", 0
        .byte   8, 12, "MEMORY", 0
        .byte   10, 12, "SOUND & PICTURE", 0
        .byte   12, 12, "KEYBOARD", 0
        .byte   14, 12, "ALL OF THEM", 0
        .byte   18, 6, "SELECT CHOOSES, START BEGINS", 0
        .byte   20, 6, "HELP RETURNS, RESET LEAVES", 0
        .byte   $FF
TMEM:   .byte   3, 14, "MEMORY TEST", 0
        .byte   7, 6, "ROM   . .", 0
        .byte   10, 6, "RAM", 0
        .byte   17, 12, "PASSES     FAULTS", 0
        .byte   $FF
TSOUND: .byte   2, 12, "SOUND & PICTURE", 0
        .byte   4, 16, "VOICE", 0
        .byte   6, 12, "C D E F G A B C", 0
        .byte   $FF
TKEYS:  .byte   3, 13, "KEYBOARD TEST", 0
        .byte   $FF
.endif
