; The map of free sectors. In memory it is one of 128 bytes, a bit for each of 1024 sectors; on the disk it is in sector 360 (0 to 719) and, in
; enhanced density, in 1024 (720 to 1023, after a copy of 48 to 719).

        .include "equates.inc"
        .include "modules.inc"

        .segment "KERNEL"

; WORK as the sector buffer.
WORKBUF:
        lda     #0
        sta     WSEC
        lda     #<WORK
        sta     BUFP
        lda     #>WORK
        sta     BUFP+1
        rts

; Sector 360 or 1024 into WORK.
RDVTOC: lda     #<VTOC
        ldx     #>VTOC
        bne     VTOCIN
RDUPPER:
        lda     #<VTOC2
        ldx     #>VTOC2
VTOCIN: sta     SECT
        stx     SECT+1
        jsr     WORKBUF
        jmp     RDSYS

; The map of drive CURDRV, to allocate or free sectors; BADVTC unless it is DOS 2's.
MAPFIL: jsr     MAPIN
        lda     MAPDOS
        cmp     #2
        beq     RETURN
        ldy     #BADVTC
        jmp     ERR

; The map of drive CURDRV. It is read again unless a file is being written there: the disk may be another one.
MAPIN:  lda     MAPDRV
        cmp     CURDRV
        bne     @load
        lda     MAPDTY
        bne     RETURN
@load:  jsr     MAPOUT
        lda     #0
        sta     MAPDRV
        sta     MAPUPP
        jsr     RDVTOC
        ldx     #127
@main:  lda     #0
        cpx     #MAPMAIN
        bcs     @put
        lda     WORK+10,x
@put:   sta     MAP,x
        dex
        bpl     @main
        lda     WORK
        sta     MAPDOS
        bit     CAP
        bmi     @done
        lda     WORK+2                  ; 1010 sectors are those of DOS 2.5; 707 and less, of one map
        cmp     #3
        bne     @done
        sta     MAPUPP
        jsr     RDUPPER
        ldx     #127-MAPMAIN
@upper: lda     WORK+84,x
        sta     MAP+MAPMAIN,x
        dex
        bpl     @upper
@done:  lda     CURDRV
        sta     MAPDRV
RETURN: rts

; Writes the map if it was changed.
MAPOUT: lda     MAPDTY
        beq     RETURN
        lda     CURDRV
        pha
        lda     MAPDRV
        sta     CURDRV
        sta     MAPBUSY
        lda     #0
        sta     MAPDTY
        jsr     RDVTOC
        ldx     #MAPMAIN-1
@main:  lda     MAP,x
        sta     WORK+10,x
        dex
        bpl     @main
        inx
        lda     #MAPMAIN
        jsr     COUNTUP
        sta     WORK+4
        stx     WORK+3
        jsr     WRSECX
        lda     MAPUPP
        beq     @done
        jsr     RDUPPER
        ldx     #127-6
@upper: lda     MAP+6,x
        sta     WORK,x
        dex
        bpl     @upper
        ldx     #MAPMAIN
        jsr     COUNTALL
        sta     WORK+123
        stx     WORK+122
        jsr     WRSECX
@done:  lda     #0
        sta     MAPBUSY
        pla
        sta     CURDRV
        rts

; Takes the first free sector: SECT. C = 1: it is above 719.
GETSEC: ldx     #0
@byte:  lda     MAP,x
        bne     @found
        inx
        bpl     @byte
        ldy     #DSKFUL
        jmp     ERR
@found: ldy     #$FF
@bit:   iny
        asl     a
        bcc     @bit
        lda     MAP,x
        eor     MASKS,y
        sta     MAP,x
        sty     SECT
        txa
        ldy     #0
        sty     SECT+1
        ldy     #3
@shift: asl     a
        rol     SECT+1
        dey
        bne     @shift
        ora     SECT
        sta     SECT
        lda     #1
        sta     MAPDTY
        cpx     #MAPMAIN
        rts

; Gives back the chain from sector SECT, as far as its sectors say that they belong to file number FILE / 4. Reads them to (BUFP).
FREECH: lda     SECT
        ora     SECT+1
        beq     @done
        jsr     RDSEC
        bmi     @done
        ldy     CAP
        lda     (BUFP),y
        eor     FILE
        cmp     #4
        bcs     @done
        pha
        iny
        lda     (BUFP),y
        pha
        jsr     FREESEC
        tay
        pla
        sta     SECT
        pla
        sta     SECT+1
        tya
        beq     FREECH
@done:  rts

; The boot sectors have room for these.
        .segment "BOOT"

; NUMBER = A:X = number of free sectors in the bytes of MAP from X to before A.
COUNTALL:
        lda     #128
COUNTUP:
        sta     LIMIT
        lda     #0
        sta     NUMBER
        sta     NUMBER+1
@byte:  lda     MAP,x
@bit:   asl     a
        bcc     @zero
        inc     NUMBER
        bne     @zero
        inc     NUMBER+1
@zero:  cmp     #0
        bne     @bit
        inx
        cpx     LIMIT
        bne     @byte
        lda     NUMBER+1
        ldx     NUMBER
        rts

; Gives sector SECT back. Z = 0: it was free already.
FREESEC:
        jsr     BITPOS
        sta     TEMP
        and     MAP,x
        bne     @free
        lda     MAP,x
        ora     TEMP
        sta     MAP,x
        lda     #1
        sta     MAPDTY
        lda     #0
@free:  rts
