; The handler D: files: OPEN, CLOSE, GET, PUT.

        .include "equates.inc"
        .include "modules.inc"

        .segment "KERNEL"

; ---------------------------------------------------------------- entry and exit

; First of every entry, by JSR: keeps X = IOCB * 16, the stack, and the page that called the handler.
ENTER:  stx     FX
        tsx
        inx
        inx
        stx     STK
        lda     $0102,x
        sta     CALLER
        ldx     FX
        rts

GOOD:   ldy     #SUCCES
; Leaves the handler from any depth with status Y.
ERR:    lda     MAPBUSY                 ; the map could not be written: the files that are being written have lost their sectors
        beq     @leave
        tya
        pha
        jsr     CLOSEALL
        pla
        tay
@leave: ldx     STK
        txs
        ldx     FX
        lda     CHAR
        sec
        cpy     #0
        rts

RDSECX: jsr     RDSEC
        bmi     ERR
        rts
WRSECX: jsr     WRSEC
        bmi     ERR
        rts
; A sector of the map or the directory: the first that is read of a disk. The drive finds out then which density it has.
RDSYS:  jsr     RDSEC
        bpl     OKAY
        jsr     GETSTAT
        jsr     WORKBUF
        jmp     RDSECX

; CURDRV = the drive of the call, DENS its density.
DRIVE:  ldx     ICDNOZ
        dex
        cpx     #8
        bcs     NODRIVE
        lda     DRVBIT
@bit:   lsr     a
        dex
        bpl     @bit
        bcc     NODRIVE
        lda     ICDNOZ
        sta     CURDRV
GETSTAT:
        lda     #<DVSTAT
        sta     BUFP
        lda     #>DVSTAT
        sta     BUFP+1
        lda     #'S'
        sta     DCOMND
        lda     #4
        sta     DBYTLO
        lda     #0
        sta     DBYTHI
        ldx     #2
        ldy     #$40
        jsr     REQUEST2
        tya
        bmi     FAILS
        ldx     CURDRV
        lda     DVSTAT
        asl     a                       ; bit 5: double density
        asl     a
        asl     a
        lda     #0
        rol     a
        sta     DENS-1,x
; CAP = bytes of data in the sectors of drive CURDRV.
SETCAP: ldx     CURDRV
        lda     DENS-1,x
        lsr     a
        lda     #125
        bcc     @set
        lda     #253
@set:   sta     CAP
OKAY:   rts
NODRIVE:
        ldy     #BADDRV
FAILS:  jmp     ERR

; X = the file of this call, with its drive and buffer; NOTOPN when there is none.
FILEOF: ldx     FX
        ldy     #NOTOPN
        lda     FMODE,x
        beq     FAILS
        lda     FDRV,x
        sta     CURDRV
        jsr     SETCAP
SETBUF: ldx     FX
        lda     #<BUFFERS
        sta     BUFP
        lda     FBUF,x
        sta     BUFP+1
        rts

; ---------------------------------------------------------------- OPEN

DOPEN:  jsr     ENTER
; Files of IOCBs that were closed by others than CIO are no longer open.
        ldx     #$70
@stale: lda     ICHID,x
        cmp     #$FF
        bne     @open
        lda     #0
        sta     FMODE,x
@open:  jsr     PREV
        bpl     @stale
        jsr     DRIVE
; A buffer.
        lda     #>BUFFERS
        ldy     MAXFIL
@buffer:
        ldx     #$70
@used:  cmp     FBUF,x
        bne     @other
        pha
        lda     FMODE,x
        cmp     #1
        pla
        bcs     @taken
@other: pha
        jsr     PREV
        pla
        cpx     #$80
        bcc     @used
        ldx     FX
        sta     FBUF,x
        lda     CURDRV
        sta     FDRV,x
        lda     #0
        sta     FPOS,x
        sta     FCNT,x
        sta     FDIRTY,x
        sta     FUPPER,x
        sta     FCOUNT+1,x
        jsr     PARSE
        php
        lda     ICAX1Z
        and     #2
        bne     @listing
        plp
        beq     BADN
        lda     ICAX1Z
        and     #12
        beq     @bad
        cmp     #8
        beq     @out
        jsr     FIND                    ; to read, or to read and write
        bcs     NOSUCH
        lda     ICAX1Z
        and     #8
        beq     @free
        jsr     CHKLCK
@free:  jsr     INDIR
@isopen:
        lda     ICAX1Z
        sta     FMODE,x
        jmp     GOOD
@taken: clc
        adc     #1
        dey
        bne     @buffer
        ldy     #NOBUF
        bne     FAIL
@bad:   ldy     #BADCMD
        bne     FAIL
@out:   lda     ICAX1Z
        lsr     a
        bcs     @append
        jsr     CREATE
        jmp     @isopen
@append:
        jsr     APPEND
        jmp     @isopen

; The pattern goes to the buffer.
@listing:
        plp
        bne     @named
        ldx     #10                     ; all files
        lda     #'?'
@all:   sta     FNAME,x
        dex
        bpl     @all
@named: jsr     SETBUF
        ldy     #10
@copy:  lda     FNAME,y
        sta     (BUFP),y
        dey
        bpl     @copy
        lda     #0
        sta     FSEC,x
        sta     WSEC
        beq     @isopen

BADN:   ldy     #BADNAM
        bne     FAIL
NOSUCH: ldy     #NOFILE
FAIL:   jmp     ERR

; The file at ENT: its number, and its first sector as the next one. X = FX.
INDIR:  ldy     ENT
        ldx     FX
        lda     WORK+1,y
        sta     FCOUNT,x
        lda     WORK+2,y
        sta     FCOUNT+1,x
        lda     WORK+3,y
        sta     FNEXT,x
        lda     WORK+4,y
        sta     FNEXT+1,x
        lda     FILE
        sta     FFILE,x
        jmp     SETBUF

; OPEN 8. The entry is marked first, then the sectors of an old file are free, and those of the new one taken: a disk that loses its power at any
; point has at worst sectors that belong to no file.
CREATE: jsr     MAPFIL
        jsr     FIND
        bcs     @new
        jsr     CHKMOD
        jsr     INDIR
        jsr     OPENED
        jsr     BOOTOFF
        jsr     SETBUF
        jsr     NEXTSEC
        jsr     FREECH
        jsr     GETSEC
        jmp     FIRST
@new:   lda     WILD
        bne     BADN
        lda     FREENO
        cmp     #64
        ldy     #DIRFUL
        bcs     FAIL
        sta     DIRNO
        jsr     GETDIR
        ldx     #0
        ldy     ENT
@name:  lda     FNAME,x
        sta     WORK+5,y
        iny
        inx
        cpx     #11
        bcc     @name
        ldx     FX
        lda     FILE
        sta     FFILE,x
        jsr     GETSEC                  ; fails before anything is written
        jsr     FIRST
        jsr     OPENED
        jmp     SETBUF
; Sector SECT is the first one.
FIRST:  ldx     FX
        lda     #1
        sta     FCOUNT,x
        lda     #0
        sta     FCOUNT+1,x
ADDED:  lda     SECT
        sta     FSTART,x
        sta     FSEC,x
        lda     SECT+1
        sta     FSTART+1,x
        sta     FSEC+1,x
UPPER:  lda     SECT+1                  ; 720 = $2D0
        cmp     #>720
        bcc     @low
        bne     @high
        lda     SECT
        cmp     #<720
        bcc     @low
@high:  inc     FUPPER,x
@low:   rts
; The entry at ENT is open for output, without sectors yet.
OPENED: ldy     ENT
        lda     #FLOPEN
        sta     WORK,y
        lda     #0
        sta     WORK+1,y
        sta     WORK+2,y
        sta     WORK+3,y
        sta     WORK+4,y
        jmp     PUTDIR

; OPEN 9. What is added begins in a sector of its own, which is linked to the last one by CLOSE.
APPEND: jsr     MAPFIL
        jsr     FIND
        bcs     NOSUCH2
        jsr     CHKMOD
        jsr     INDIR
@last:  jsr     RDNEXT
        lda     FNEXT,x
        ora     FNEXT+1,x
        bne     @last
        lda     FSEC,x
        sta     FNEXT,x
        lda     FSEC+1,x
        sta     FNEXT+1,x
        lda     #0
        sta     FPOS,x
        jsr     GETSEC
        ldx     FX
        inc     FCOUNT,x
        bne     ADDED
        inc     FCOUNT+1,x
        bne     ADDED
NOSUCH2:
        ldy     #NOFILE
FAIL2:  jmp     ERR

; ---------------------------------------------------------------- sectors of a file

; The next sector into (BUFP).
RDNEXT: jsr     FLUSH
        jsr     NEXTSEC
        bne     RDTHIS
        ldy     #ENDFIL
        bne     FAIL2
; Sector SECT into (BUFP). X = FX. When that fails nothing of the buffer counts.
RDTHIS: lda     FCNT,x
        sta     FPOS,x
        lda     #$FF
        sta     FSEC+1,x
        jsr     RDSECX
        ldx     FX
        ldy     CAP
        lda     (BUFP),y
        eor     FFILE,x
        cmp     #4
        bcs     @other
        sta     FNEXT+1,x
        iny
        lda     (BUFP),y
        sta     FNEXT,x
        iny
        lda     (BUFP),y
        bit     CAP
        bmi     @count
        and     #$7F
@count: cmp     CAP
        beq     @fits
        bcs     @other
@fits:  sta     FCNT,x
        lda     #0
        sta     FPOS,x
        sta     FDIRTY,x
        lda     SECT
        sta     FSEC,x
        lda     SECT+1
        sta     FSEC+1,x
        rts
@other: ldy     #BADLNK
        bne     FAIL2

; Writes the sector in the buffer if it was changed. X = FX.
FLUSH:  ldx     FX
        lda     FDIRTY,x
        bpl     @clean
        jsr     @write
        ldx     FX
        lda     #0
        sta     FDIRTY,x
@clean: rts
@write: jsr     CURSEC
        jmp     WRSECX

; SECT = the sector in the buffer.
CURSEC: lda     FSEC,x
        sta     SECT
        lda     FSEC+1,x
        sta     SECT+1
        rts
; SECT = the next one; Z = 1: there is none.
NEXTSEC:
        lda     FNEXT,x
        sta     SECT
        lda     FNEXT+1,x
        sta     SECT+1
        ora     SECT
        rts

; Writes the sector that is being filled, with the link NEXTS.
PUTCUR: ldx     FX
        ldy     CAP
        lda     FFILE,x
        ora     NEXTS+1
        sta     (BUFP),y
        iny
        lda     NEXTS
        sta     (BUFP),y
        iny
        lda     FPOS,x
        sta     (BUFP),y
        lda     #$80
        sta     FDIRTY,x
        bne     FLUSH

; A full sector goes to the disk, with the link to a new one.
NEWSEC: jsr     MAPIN
        jsr     GETSEC
        jsr     SETBUF
        lda     SECT
        sta     NEXTS
        lda     SECT+1
        sta     NEXTS+1
        jsr     PUTCUR
        lda     NEXTS
        sta     FSEC,x
        sta     SECT
        lda     NEXTS+1
        sta     FSEC+1,x
        sta     SECT+1
        lda     #0
        sta     FPOS,x
        inc     FCOUNT,x
        bne     @upper
        inc     FCOUNT+1,x
@upper: jmp     UPPER

; ---------------------------------------------------------------- CLOSE

DCLOSE: jsr     ENTER
        lda     FMODE,x
        beq     @good
        pha
        jsr     FILEOF
        lda     #0
        sta     FMODE,x
        pla
        tay
        and     #14
        cmp     #8
        beq     @output
        cmp     #12
        bne     @good
        jsr     FLUSH
@good:  jmp     GOOD

; The last sector, the map, the link from the sectors before (append), the directory: in this order.
@output:
        tya
        lsr     a
        php                             ; C = append
        bcc     @last
        lda     FPOS,x
        bne     @last
        jsr     CURSEC
        cmp     FSTART+1,x
        bne     @last
        lda     SECT
        cmp     FSTART,x
        bne     @last
        jsr     MAPIN                   ; nothing was added
        jsr     FREESEC
        jsr     MAPOUT
        jmp     GOOD
@last:  lda     #0
        sta     NEXTS
        sta     NEXTS+1
        jsr     PUTCUR
        jsr     MAPOUT
        jsr     SETBUF
        plp
        php
        bcc     @entry
        jsr     NEXTSEC
        jsr     RDSECX
        ldx     FX
        ldy     CAP
        lda     (BUFP),y
        ora     FSTART+1,x
        sta     (BUFP),y
        iny
        lda     FSTART,x
        sta     (BUFP),y
        jsr     WRSECX
@entry: ldx     FX
        lda     FFILE,x
        lsr     a
        lsr     a
        sta     DIRNO
        lda     #0
        sta     WSEC
        jsr     GETDIR
        ldy     FX
        lda     FCOUNT,y
        sta     WORK+1,x
        lda     FCOUNT+1,y
        sta     WORK+2,x
        plp
        bcs     @added
        lda     FSTART,y
        sta     WORK+3,x
        lda     FSTART+1,y
        sta     WORK+4,x
        lda     #FLUSED
        sta     WORK,x
@added: lda     FUPPER,y
        beq     @write
        lda     #FLUPPER
        sta     WORK,x
@write: jsr     PUTDIR
        jmp     GOOD

; ---------------------------------------------------------------- GET

DGET:   jsr     ENTER
        jsr     FILEOF
        lda     FMODE,x
        and     #2
        beq     @file
        jmp     DIRGET
@file:  lda     #GETCHR
        jsr     ISCIO
        bcc     @byte
        jsr     BURST
@byte:  ldx     FX
        lda     FPOS,x
        cmp     FCNT,x
        bcc     @have
        jsr     RDNEXT
        jmp     @byte
@have:  tay
        lda     (BUFP),y
        sta     CHAR
        inc     FPOS,x
        lda     FPOS,x
        cmp     FCNT,x
        bne     @good
        lda     FNEXT,x
        ora     FNEXT+1,x
        bne     @good
        ldy     #LASTONE
        jmp     ERR
@good:  jmp     GOOD

; GET CHARACTERS in large parts: moves what CIO asks for to its buffer, all but the last byte, which goes back in A.
BURST:  ldx     FX
        lda     ICBLHZ
        bne     @more
        lda     ICBLLZ
        cmp     #2
        bcc     @done
@more:  sec
        lda     FCNT,x
        sbc     FPOS,x
        bne     @copy
        lda     FNEXT,x
        ora     FNEXT+1,x
        beq     @done
        jsr     RDNEXT
        jmp     BURST
@copy:  ldy     ICBLHZ
        bne     @all
        cmp     ICBLLZ
        bcc     @all
        lda     ICBLLZ
        sbc     #1                      ; C = 1
@all:   jsr     POINTER
        ldy     #0
@byte:  lda     (PTR),y
        sta     (ICBALZ),y
        iny
        cpy     AMOUNT
        bcc     @byte
        jsr     MOVED
        jmp     BURST
@done:  rts

; AMOUNT = A, PTR = the next byte in the buffer.
POINTER:
        sta     AMOUNT
        clc
        lda     BUFP
        adc     FPOS,x
        sta     PTR
        lda     BUFP+1
        adc     #0
        sta     PTR+1
        rts

; AMOUNT bytes are done.
MOVED:  ldx     FX
        clc
        lda     FPOS,x
        adc     AMOUNT
        sta     FPOS,x
        lda     AMOUNT
; CIO's buffer has A bytes less.
ADVANCE:
        pha
        clc
        adc     ICBALZ
        sta     ICBALZ
        bcc     @page
        inc     ICBAHZ
@page:  pla
        eor     #$FF
        sec
        adc     ICBLLZ
        sta     ICBLLZ
        bcs     @done
        dec     ICBLHZ
@done:  rts

; ---------------------------------------------------------------- PUT

DPUT:   sta     CHAR
        jsr     ENTER
        jsr     FILEOF
        lda     FMODE,x
        and     #12
        cmp     #12
        beq     @update
        and     #8
        beq     @rdonly
        lda     #PUTCHR
        jsr     ISCIO
        bcc     @byte
        ldy     #0
        lda     (ICBALZ),y
        cmp     CHAR
        beq     BURSTOUT
@byte:  lda     FPOS,x
        cmp     CAP
        bne     @room
        jsr     NEWSEC
        ldx     FX
@room:  ldy     FPOS,x
        lda     CHAR
        sta     (BUFP),y
        inc     FPOS,x
        jmp     GOOD
@rdonly:
        ldy     #RDONLY
        jmp     ERR
@update:
        ldy     FPOS,x
        tya
        cmp     FCNT,x
        bcc     @change
        jsr     RDNEXT
        jmp     @update
@change:
        lda     CHAR
        sta     (BUFP),y
        inc     FPOS,x
        lda     #$80
        sta     FDIRTY,x
        jmp     GOOD

; PUT CHARACTERS: all of CIO's buffer. CIO itself counts the last byte.
BURSTOUT:
        ldx     FX
        sec
        lda     CAP
        sbc     FPOS,x
        bne     @room
        jsr     NEWSEC
        jmp     BURSTOUT
@room:  ldy     ICBLHZ
        bne     @some
        cmp     ICBLLZ
        bcc     @some
        lda     ICBLLZ
@some:  jsr     POINTER
        ldy     #0
@byte:  lda     (ICBALZ),y
        sta     (PTR),y
        iny
        cpy     AMOUNT
        bcc     @byte
        sec
        lda     ICBLLZ
        sbc     AMOUNT
        ora     ICBLHZ
        beq     @last
        jsr     MOVED
        jmp     BURSTOUT
@last:  ldx     FX
        clc
        lda     FPOS,x
        adc     AMOUNT
        sta     FPOS,x
        ldy     AMOUNT
        dey
        tya
        jsr     ADVANCE
        jmp     GOOD
