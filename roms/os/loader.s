; Handlers that peripherals bring with them (XL): polls of the serial bus, and the loader that relocates what a device sends.
; Formats: Altirra Hardware Reference Manual 9.2.

        .include "variables.inc"
        .include "modules.inc"

.if XL
        .segment "LOADER"

POLL    = $4F                           ; address of all polled devices; also the word for "reset"
BADREC  = 156                           ; no record of a handler
NOROOM  = 157                           ; the handler does not fit below MEMTOP

; ---------------------------------------------------------------- polls

; Type 3: after the boots every device may offer its handler, one after the other.
PHPOLL: lda     #POLL                   ; all start anew; no device answers this
        tay
        jsr     PHASK
@next:  lda     #0
        tay
        jsr     PHASK
        bmi     @done
        jsr     PHLOAD
        bpl     @next
@done:  rts

; Asks with AUX1 = A, AUX2 = Y. N = 1: no answer; else DVSTAT = size (low, high), address for loading, version.
PHASK:  sta     DAUX1
        sty     DAUX2
        lda     #POLL
        sta     DDEVIC
        lda     #$40
        sta     DCOMND
        lda     #<DVSTAT
        ldx     #>DVSTAT
        ldy     #4
PHREQ:  sta     DBUFLO
        stx     DBUFHI
        sty     DBYTLO
        lda     #1
        sta     DUNIT
        lda     #$40
        sta     DSTATS
        lda     #30
        sta     DTIMLO
        lda     #0
        sta     DBYTHI
        jmp     SIOV

; ---------------------------------------------------------------- loading

; Loads the handler of the device with the bus address DVSTAT+2 to MEMLO and puts it into the chain; MEMLO rises. Y = status.
PHLOAD: clc
        lda     MEMLO
        adc     #1
        and     #$FE                    ; modules begin at even addresses
        sta     LOADAD
        lda     MEMLO+1
        adc     #0
        sta     LOADAD+1
        lda     #$80
        sta     ZLOADA
        sta     LCOUNT                  ; nothing in the buffer
        lda     #<PHBYTE
        sta     GBYTEA
        lda     #>PHBYTE
        sta     GBYTEA+1
        lda     DVSTAT+2
        sta     DDEVIC
        lda     #$26
        sta     DCOMND
        lda     #0
        sta     ZLOADA+1
        sta     DAUX1                   ; number of the block
        sta     DAUX2
        jsr     RELOC
        bmi     @done
        lda     LOADAD                  ; the table of the handler is what it begins with
        sta     LTEMP
        lda     LOADAD+1
        sta     LTEMP+1
        ldy     #16                     ; its size there, even
        sec
        lda     HIUSED
        sbc     LOADAD
        tax
        lda     HIUSED+1
        sbc     LOADAD+1
        pha
        txa
        lsr     a
        bcc     @even
        inx
        bne     @even
        pla
        adc     #0                      ; C = 1
        pha
@even:  txa
        sta     (LTEMP),y
        iny
        pla
        sta     (LTEMP),y
        ldy     LTEMP
        sty     MEMLO
        lda     LTEMP+1
        sta     MEMLO+1
        sec
        jsr     PHINIV
        ldy     #SUCCES
@done:  rts

; A = the next byte of the device; C = 1, Y = status: there is none.
PHBYTE: ldx     LCOUNT
        bpl     @have
        lda     #<CASBUF
        ldx     #>CASBUF
        ldy     #128
        jsr     PHREQ
        bmi     @none
        inc     DAUX1
        ldx     #0
@have:  lda     CASBUF,x
        inx
        stx     LCOUNT
        clc
        rts
@none:  sec
        rts

        .segment "LOADER2"

; The relocating loader. GBYTEA = routine that gives the next byte in A (C = 1, Y = status: none), LOADAD and ZLOADA = where the two
; sections go. Returns Y = status (N set from it), HIUSED and ZHIUSE = first bytes after them, RUNADR = start address.
; Records: type, length, contents; the numbers in relocation records count from the start of the text record before.
RELOC:  ldx     #1
@used:  lda     LOADAD,x
        sta     HIUSED,x
        lda     ZLOADA,x
        sta     ZHIUSE,x
        dex
        bpl     @used
RECORD: jsr     BYTE
        cmp     #$0C
        bcs     WRONG
        sta     HIBYTE                  ; type
        cmp     #$0B
        beq     LAST
        jsr     BYTE
        sta     RECLEN
        lda     HIBYTE
        beq     TEXT
        cmp     #1
        beq     TEXT
        cmp     #$0A
        beq     TEXT
        jmp     REFERS

WRONG:  ldy     #BADREC
        rts

; The next byte in A; when there is none the loader ends.
BYTE:   jsr     @get
        bcc     @done
        pla
        pla
        tya
        bmi     @done
        ldy     #BADREC
@done:  rts
@get:   jmp     (GBYTEA)

; End: 0 = no start, 1 = absolute, 2 = relative to the section.
LAST:   jsr     BYTE
        sta     RECLEN
        jsr     BYTE
        sta     RUNADR
        jsr     BYTE
        sta     RUNADR+1
        lda     RECLEN
        beq     @ok
        lsr     a
        bcs     @run
        lda     RUNADR                  ; C = 0
        adc     LOADAD
        sta     RUNADR
        lda     RUNADR+1
        adc     LOADAD+1
        sta     RUNADR+1
@run:   jsr     @start
@ok:    ldy     #SUCCES
        rts
@start: jmp     (RUNADR)

; Text: an offset, and bytes. Types 0 and 1 go to their section, type 10 to the offset itself.
TEXT:   ldx     #LOADAD-LOADAD
        lsr     a
        bcs     @zero                   ; 1
        beq     @base                   ; 0
        ldx     #$80                    ; 10
        bne     @base
@zero:  ldx     #ZLOADA-LOADAD
@base:  stx     RELADR
        jsr     BYTE
        sta     NEWADR
        jsr     BYTE
        sta     NEWADR+1
        ldx     RELADR
        bmi     @placed
        clc
        lda     NEWADR
        adc     LOADAD,x
        sta     NEWADR
        lda     NEWADR+1
        adc     LOADAD+1,x
        sta     NEWADR+1
@placed:
        lda     NEWADR
        sta     LTEMP
        lda     NEWADR+1
        sta     LTEMP+1
        dec     RECLEN
        dec     RECLEN
        beq     @end
@byte:  lda     HIBYTE
        bne     @room
        lda     MEMTOP                  ; the section must stay below the screen
        cmp     LTEMP
        lda     MEMTOP+1
        sbc     LTEMP+1
        bcc     @full
@room:  jsr     BYTE
        ldy     #0
        sta     (LTEMP),y
        inc     LTEMP
        bne     @count
        inc     LTEMP+1
@count: dec     RECLEN
        bne     @byte
@end:   ldx     RELADR                  ; has the section grown?
        bmi     @next
        lda     HIUSED,x
        cmp     LTEMP
        lda     HIUSED+1,x
        sbc     LTEMP+1
        bcs     @next
        lda     LTEMP
        sta     HIUSED,x
        lda     LTEMP+1
        sta     HIUSED+1,x
@next:  jmp     RECORD
@full:  ldy     #NOROOM
        rts

; References in the text record before, each given by its offset in it.
REFERS: lda     NEWADR
        sta     LTEMP
        lda     NEWADR+1
        sta     LTEMP+1
        lda     RECLEN
        beq     @next
@one:   jsr     BYTE
        pha
        lda     HIBYTE
        cmp     #8
        bcs     @high
        pla
        tay
        lda     LOADAD
        ldx     HIBYTE
        cpx     #6
        bcs     @word
        cpx     #4
        bcc     @low
        lda     ZLOADA
@low:   clc
        adc     (LTEMP),y
        sta     (LTEMP),y
        jmp     @count
@word:  clc
        adc     (LTEMP),y
        sta     (LTEMP),y
        iny
        lda     LOADAD+1
        adc     (LTEMP),y
        sta     (LTEMP),y
        jmp     @count
@high:  dec     RECLEN                  ; the high byte alone: its low byte is in the record
        jsr     LOWBYT
        bcs     @bad
        adc     LOADAD
        pla
        tay
        lda     LOADAD+1
        adc     (LTEMP),y
        sta     (LTEMP),y
@count: dec     RECLEN
        bne     @one
@next:  jmp     RECORD
@bad:   pla
        tya
        rts

LOWBYT: jmp     (GBYTEA)

; ---------------------------------------------------------------- CIO

        .segment "PROVIS"

; OPEN of a device that is not in the table (type 4 poll). C = 1: no device knows it; C = 0: its handler has been loaded. When the program
; does not want that yet (HNDLOD = 0) the IOCB is opened provisionally, and this returns to the caller's caller with Y = status.
PHOPEN: jsr     PHNAME
        bmi     NOHAND
        lda     HNDLOD
        beq     LATER
        jsr     PHLOAD
        bmi     NOHAND
        clc
        rts
NOHAND: sec
        rts

; STATUS or a special command with the name of a device that is not in the table: as OPEN, but the handler is needed at once.
SOFT:   jsr     PHNAME
        bmi     @none
        jsr     PHLOAD
        bmi     @none
        jsr     DEVICE
        bcs     @none
        jmp     STAGO
@none:  ldy     #NONDEV
        rts

PHNAME: ldy     #0
        lda     (ICBALZ),y
        ldy     ICDNOZ
        jmp     PHASK

LATER:  pla
        pla
        ldx     ICIDNO
        ldy     #0
        lda     (ICBALZ),y
        sta     ICAX3,x                 ; name of the device, and where it is loaded from
        lda     DVSTAT+2
        sta     ICAX3+1,x
        lda     ICBALZ                  ; the whole name, for the OPEN to come
        sta     ICAX3+2,x
        lda     ICBAHZ
        sta     ICAX3+3,x
        lda     ICDNOZ
        sta     ICDNO,x
        lda     #<(PHPUT-1)
        sta     ICPTL,x
        lda     #>(PHPUT-1)
        sta     ICPTH,x
        lda     #$7F
        sta     ICHID,x
        ldy     #SUCCES
        rts

; The PUT routine of a provisionally open IOCB X, for programs that call it there.
PHPUT:  pha
        lda     #11
        sta     ICCMD,x
        lda     #0
        sta     ICBLL,x
        sta     ICBLH,x
        pla
        jmp     CIOV

; A command for a provisionally open IOCB: data, status and special commands load the handler and open it. C = 1: it failed, Y = status.
PHPROV: lda     ICCOMZ
        cmp     #5
        bcc     @other
        cmp     #12
        beq     @other
        lda     CIOCHR
        pha
        ldx     ICIDNO
        lda     ICAX3+1,x
        sta     DVSTAT+2
        jsr     PHLOAD
        bmi     @fail
        ldx     ICIDNO
        lda     ICAX3,x
        jsr     DEVNAM
        ldy     #NONDEV
        bcs     @fail
        lda     ICBALZ
        pha
        lda     ICBAHZ
        pha
        lda     ICAX3+2,x
        sta     ICBALZ
        lda     ICAX3+3,x
        sta     ICBAHZ
        jsr     OPENH
        pla
        sta     ICBAHZ
        pla
        sta     ICBALZ
        pla
        sta     CIOCHR
        tya
        bmi     @bad
@other: clc
        rts
@fail:  pla
@bad:   sec
        rts
.endif
