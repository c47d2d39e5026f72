; Cold start, warm start, boot, cartridges.

        .include "hardware.inc"
        .include "variables.inc"
        .include "modules.inc"

        .segment "INIT"

; ---------------------------------------------------------------- warm start

; The RESET key. A program checks that this begins with SEI.
WARM:   sei
        cld
        ldx     #$FF
        txs
        lda     COLDST
.if .not XL
        bne     COLD                    ; RESET during a cold start, or the program wants one
.else
        beq     @warm
        jmp     COLD
@warm:
        lda     TRIG3
        cmp     GINTLK
        beq     @same
        jmp     COLD                    ; another cartridge
@same:
.endif
        jsr     HARDWR
.if XL
        lda     BASICF
        jsr     SETBAS
.endif
        jsr     SIZE
        lda     #$FF
        sta     WARMST
        ; $0200-$03EC and $0010-$007F
        ldx     #0
        txa
@page:  sta     $0200,x
        cpx     #$ED
        bcs     @high
        sta     $0300,x
@high:  inx
        bne     @page
        ldx     #$10
@zero:  sta     0,x
        inx
        bpl     @zero
.if XL
        jmp     COMMON
.else
        bmi     COMMON
.endif

; ---------------------------------------------------------------- cold start

.if XL
RESET:  sei
        cld
        ldx     #$FF
        txs
        lda     PUPBT1                  ; XL: the RESET key comes here too
        cmp     #$5C
        bne     COLD
        lda     PUPBT2
        cmp     #$93
        bne     COLD
        lda     PUPBT3
        cmp     #$25
        bne     COLD
        jmp     WARM
.else
RESET:
.endif
COLD:   sei
        cld
        ldx     #$FF
        txs
        lda     #0
        sta     WARMST
.if XL
        lda     TRIG3
        lsr     a
        bcc     @nodiag
.endif
        lda     $BFFC
        bne     @nodiag
        lda     $BFFD
        bpl     @nodiag
        inc     $BFFC                   ; RAM there is no diagnostic cartridge
        lda     $BFFC
        bne     @ram
        jmp     ($BFFE)
@ram:   dec     $BFFC
@nodiag:
        jsr     HARDWR
.if XL
        lda     CONSOL                  ; OPTION or a cartridge: no BASIC
        eor     #4
        sta     TSTDAT
        lda     TRIG3
        asl     a
        asl     a
        ora     TSTDAT
        and     #4
        lsr     a
        jsr     SETBAS
        sta     TSTDAT                  ; the stack is cleared below
.endif
        jsr     SIZE
        ; clear from $0008 to the top
        ldy     #8
        lda     #0
        sta     RAMLO
        sta     RAMLO+1
@clear: sta     (RAMLO),y
        iny
        bne     @clear
        inc     RAMLO+1
        ldx     RAMLO+1
        cpx     TRAMSZ
        bne     @clear
.if XL
        lda     TSTDAT
        sta     BASICF
.endif
        lda     #<IDLEV
        sta     DOSVEC
        lda     #>IDLEV
        sta     DOSVEC+1
        lda     #$FF
        sta     COLDST
        lda     CONSOL                  ; START: boot from cassette
        and     #1
        eor     #1
        sta     CKEY

; ---------------------------------------------------------------- both

COMMON: lda     TRAMSZ
        sta     RAMSIZ
        sta     RAMTOP
        sta     MEMTOP+1
.if XL
        lda     #$5C
        sta     PUPBT1
        lda     #$93
        sta     PUPBT2
        lda     #$25
        sta     PUPBT3
.endif
        lda     #2
        sta     LMARGN
        lda     #39
        sta     RMARGN
.if XL
        ldx     #0
        lda     PAL
        and     #$0E
        bne     @ntsc
        inx
@ntsc:  stx     PALNTS
        lda     DELAYS,x
        sta     KRPDEL
        lda     RATES,x
        sta     KEYREP
        lda     #<KEYS
        sta     KEYDEF
        lda     #>KEYS
        sta     KEYDEF+1
        lda     #$CC
        sta     CHSALT
.endif
        ldx     #IMAGE2-IMAGE-1
@vect:  lda     IMAGE,x
        sta     VDSLST,x
        dex
        bpl     @vect
        ldx     #3
@vbi:   lda     IMAGEV,x
        sta     VVBLKI,x
        dex
        bpl     @vbi
        lda     #<BRKIRQ
        sta     BRKKY
        lda     #>BRKIRQ
        sta     BRKKY+1
.if XL
        lda     #<PBIIRQ
        sta     VPIRQ
        lda     #>PBIIRQ
        sta     VPIRQ+1
.endif
        ldx     #14
@hatab: lda     DEVS,x
        sta     HATABS,x
        dex
        bpl     @hatab
        lda     #$FF
        sta     BRKKEY
        lda     #7
        sta     MEMLO+1
        jsr     EDITRV+12               ; for S: and K:, too
        jsr     PRINTV+12
        jsr     CASETV+12
        jsr     CIOINV
        jsr     SIOINV
        jsr     DISKIV
        jsr     INTINV
.if XL
        jsr     FKINIT                  ; and the parallel bus
.endif
        cli
        ; cartridges
        lda     #0
        sta     TSTDAT
        sta     TRAMSZ
.if .not XL
        lda     RAMSIZ
        cmp     #$90
        bcs     @left
        lda     $9FFC
        bne     @left
        inc     TSTDAT
        jsr     @right
@left:
.endif
        lda     RAMSIZ
        cmp     #$B0
        bcs     @editor
        lda     $BFFC
        bne     @editor
        inc     TRAMSZ
        jsr     @leftc
@editor:
        lda     #12                     ; OPEN #0,12,0,"E:"
        sta     ICAX1
        lda     #<ENAME
        ldy     #>ENAME
        ldx     #3
        jsr     CIO0
        lda     RTCLOK+2
@frame: cmp     RTCLOK+2
        beq     @frame
        jsr     CASST
        lda     TRAMSZ                  ; a cartridge decides about the disk boot
.if XL
        beq     @disk
        lda     $BFFD
.else
        beq     @nolef
        lda     $BFFD
        lsr     a
        bcs     @disk
        bcc     @norig
@nolef: lda     TSTDAT
        beq     @disk
@norig: lda     TSTDAT
        beq     @start
        lda     $9FFD
.endif
        lsr     a
        bcc     @start
@disk:  jsr     DISKST
@start: lda     #0
        sta     COLDST
        lda     TRAMSZ
        beq     @nocart
        lda     $BFFD
        and     #4
        beq     @nocart
        jmp     ($BFFA)
@nocart:
.if .not XL
        lda     TSTDAT
        beq     @dos
        lda     $9FFD
        and     #4
        beq     @dos
        jmp     ($9FFA)
@dos:
.endif
        jmp     (DOSVEC)

@leftc: jmp     ($BFFE)
.if .not XL
@right: jmp     ($9FFE)
.endif

; Cold: cassette boot with START held. Warm: the program's CASINI.
CASST:  lda     WARMST
        bne     @warm
        lda     CKEY
        beq     @none
        jmp     CASBOT
@warm:  lda     BOOT
        and     #2
        beq     @none
        jmp     (CASINI)
@none:  rts

; Cold: disk boot, and the handlers of peripherals. Warm: the program's DOSINI, and the handlers that were loaded.
DISKST: lda     WARMST
        bne     @warm
.if XL
        jsr     DSKBOT
        jmp     PHPOLL
@warm:  jsr     @init
        jmp     PHWARM
.else
        jmp     DSKBOT
@warm:
.endif
@init:  lda     BOOT
        lsr     a
        bcc     @none
        jmp     (DOSINI)
@none:  rts

; ---------------------------------------------------------------- parts

        .segment "INIT2"

; All chips quiet; PIA set up: port A input, port B output (XL).
HARDWR: lda     #0
        tax
@clear: sta     $D000,x
        sta     $D200,x
        sta     $D400,x
        inx
        bne     @clear
.if XL
        stx     PDVS
        lda     #$3C
        sta     PBCTL
        lda     #$FF
        sta     PORTB                   ; latch first: OS on, BASIC off
.endif
        lda     #$38
        sta     PACTL
        sta     PBCTL
        stx     PORTA
.if XL
        lda     #$FF
        sta     PORTB
.else
        stx     PORTB
.endif
        lda     #$3C
        sta     PACTL
        sta     PBCTL
        lda     PORTA                   ; takes pending interrupts away
        lda     PORTB
        rts

.if XL
; BASIC in (A = 0) or out (A = 2). Keeps A.
SETBAS: pha
        ora     #$FD
        sta     PORTB
        pla
        rts
.endif

; TRAMSZ = number of RAM pages from $0000; contents stay.
SIZE:   ldy     #0
        sty     RAMLO
        ldx     #8
@page:  stx     RAMLO+1
        lda     (RAMLO),y
        eor     #$FF
        sta     (RAMLO),y
        cmp     (RAMLO),y
        bne     @top
        eor     #$FF
        sta     (RAMLO),y
        inx
.if XL
        cpx     #$C0
.else
        cpx     #$D0
.endif
        bne     @page
@top:   stx     TRAMSZ
        rts

; Initial keyboard and editor state.
DEVINI: lda     #$FF
        sta     CH
        lda     #$40
        sta     SHFLOK                  ; INVFLG and BUFCNT were cleared with the page
        rts

; Vertical blank interrupts on.
INTINI: lda     #$40
        sta     NMIEN
.if XL
        lda     TRIG3
        sta     GINTLK
.endif
        rts

.if XL
DELAYS: .byte   48, 40                  ; key repeat: NTSC, PAL
RATES:  .byte   6, 5
.endif

DEVS:   .byte   'P'
        .word   PRINTV
        .byte   'C'
        .word   CASETV
ENAME:  .byte   'E'                     ; a name of the device, too: no digit follows
        .word   EDITRV
        .byte   'S'
        .word   SCRENV
        .byte   'K'
        .word   KEYBDV

; $0200-$0217
IMAGE:  .word   DORTI, PLARTI, PLARTI, PLARTI, KEYIRQ, ISRSIR, ISRODN, ISRTD, PLARTI, PLARTI, PLARTI, IRQDEF
IMAGE2:
; $0222-$0225
.if XL
IMAGEV: .word   SYSVBL, XITVBL          ; programs know these values
.else
IMAGEV: .word   SYSVBV, XITVBV
.endif

; ---------------------------------------------------------------- nothing to run

IDLEV:  jmp     BLKBDV
.if XL
        .segment "TOSELF"
        .assert * = $C8FC, error, "self-test, for programs that call it there"
        jmp     IDLE

        .segment "INIT2"
IDLE:   lda     PORTB
        and     #$7F
        sta     PORTB
        jmp     SLFTSV
.else
; Memo pad: what is typed stays on the screen.
IDLE:   lda     #<MEMO
        ldy     #>MEMO
        ldx     #9
        jsr     CIO0
@line:  lda     #<LINBUF
        ldy     #>LINBUF
        ldx     #5
        jsr     CIO0
        jmp     @line
MEMO:   .byte   "MEMO PAD", EOL
.endif
