; The handler D: STATUS and the special commands (XIO).

        .include "equates.inc"
        .include "modules.inc"

        .segment "KERNEL"

; STATUS: is there such a file, and may it be changed?
DSTAT:  jsr     ENTER
        jsr     DRIVE
        jsr     PARSE
        beq     NONAME
        jsr     FIND
        bcs     NONE
        jsr     CHKLCK
        jmp     GOOD
NONE:   ldy     #NOFILE
        bne     LEAVE
NONAME: ldy     #BADNAM
LEAVE:  jmp     ERR

DSPEC:  jsr     ENTER
        lda     ICCOMZ
        cmp     #38
        beq     NOTE
        cmp     #37
        beq     POINT
        cmp     #253
        bcc     @file
        cmp     #255
        bcs     @bad
        jsr     DRIVE
        jsr     FORMAT
        jmp     GOOD
@file:  sbc     #31                     ; 32 to 36; C = 0
        cmp     #5
        bcs     @bad
        cmp     #2
        beq     @bad
        jsr     DRIVE
        jsr     PARSE
        beq     NONAME
        lda     ICCOMZ
        cmp     #33
        beq     DELETE
        bcs     @lock
        jmp     RENAME
@lock:  jmp     LOCK
@bad:   ldy     #BADCMD
        bne     LEAVE

; ---------------------------------------------------------------- position

NOTE:   jsr     FILEOF
        lda     FSEC,x
        sta     ICAX3,x
        lda     FSEC+1,x
        sta     ICAX4,x
        lda     FPOS,x
        sta     ICAX5,x
        jmp     GOOD

POINT:  jsr     FILEOF
        lda     FMODE,x
        and     #6
        cmp     #4
        bne     @output
        lda     ICAX3,x
        cmp     FSEC,x
        bne     @read
        lda     ICAX4,x
        cmp     FSEC+1,x
        bne     @read
        beq     @here
@read:  jsr     FLUSH
        lda     ICAX3,x
        sta     SECT
        lda     ICAX4,x
        sta     SECT+1
        jsr     RDTHIS
@here:  ldx     FX
        lda     ICAX5,x
        cmp     FCNT,x
        beq     @set
        bcs     @beyond
@set:   sta     FPOS,x
        jmp     GOOD
@beyond:
        ldy     #BADPOS
        bne     @leave
@output:
        ldy     #BADPNT
@leave: jmp     ERR

; ---------------------------------------------------------------- delete, lock, rename

DELETE: jsr     MAPFIL
        jsr     FIND
        bcs     NONE2
@file:  jsr     CHKMOD
        ldx     ENT
        lda     WORK+3,x
        pha
        lda     WORK+4,x
        pha
        lda     #FLGONE
        sta     WORK,x
        jsr     PUTDIR
        jsr     BOOTOFF
        pla
        sta     SECT+1
        pla
        sta     SECT
        jsr     WORKBUF
        jsr     FREECH
        jsr     FINDNX
        bcc     @file
        jsr     MAPOUT
        jmp     GOOD

LOCK:   jsr     FIND
        bcs     NONE2
@file:  lda     ICCOMZ                  ; 35 locks
        lsr     a
        lda     WORK,x
        and     #<~FLLOCK
        bcc     @set
        ora     #FLLOCK
@set:   sta     WORK,x
        jsr     PUTDIR
        jsr     FINDNX
        bcc     @file
        jmp     GOOD
NONE2:  jmp     NONE

; "D1:OLD,NEW"; in NEW a ? keeps a character.
RENAME: ldx     #10
@old:   lda     FNAME,x
        sta     SNAME,x
        dex
        bpl     @old
        lda     (ICBALZ),y
        cmp     #','
        bne     @noname
        iny
        jsr     PNAME
        bne     @named
@noname:
        jmp     NONAME
@named: ldx     #10
@swap:  lda     FNAME,x
        sta     NNAME,x
        lda     SNAME,x
        sta     FNAME,x
        dex
        bpl     @swap
        jsr     FIND
        bcs     NONE2
@file:  jsr     CHKLCK
        ldx     ENT
; The new name of this file to FNAME; is it another one's?
        ldy     #0
@char:  lda     FNAME,y
        sta     SNAME,y
        lda     NNAME,y
        cmp     #'?'
        bne     @given
        lda     WORK+5,x
@given: sta     FNAME,y
        inx
        iny
        cpy     #11
        bcc     @char
        lda     DIRNO
        pha
        jsr     FIND
        bcs     @unique
        pla
        pha
        cmp     DIRNO
        bne     @exists
@unique:
        pla
        sta     DIRNO
        jsr     GETDIR
        ldy     #0
@put:   lda     FNAME,y
        sta     WORK+5,x
        lda     SNAME,y
        sta     FNAME,y
        inx
        iny
        cpy     #11
        bcc     @put
        jsr     PUTDIR
        jsr     BOOTOFF
        jsr     FINDNX
        bcc     @file
        jmp     GOOD
@exists:
        ldy     #EXISTS
        jmp     ERR

; ---------------------------------------------------------------- format

; 253: what the drive formats by itself. 254: enhanced density, unless the disk has double. AUX2 = 'D': double density, another letter: not;
; the drive must have been told.
FORMAT: jsr     WORKBUF
        ldx     CURDRV
        lda     DENS-1,x
        ldx     ICAX2Z
        beq     @density
        lda     #0
        cpx     #'D'
        bne     @density
        lda     #1
@density:
        sta     LETTER
        ora     ICCOMZ                  ; 254 and not double
        lsr     a
        ldy     #$22
        bcc     @format
@simple:
        ldy     #'!'
@format:
        sty     DCOMND
        ldx     DVSTAT+2                ; the drive's time for a format
        ldy     #$40
        lda     LETTER                  ; a list of 128 or 256 bytes
        jsr     REQUEST
        bpl     @done
        cpy     #NAK                    ; a drive without enhanced density
        bne     @fail
        lda     DCOMND
        cmp     #$22
        beq     @simple
@fail:  jmp     ERR
@done:  lda     WORK
        and     WORK+1
        cmp     #$FF
        beq     @sound
        ldy     #BADFMT
        jmp     ERR
@sound: jsr     GETSTAT
; An empty map and directory.
        jsr     CLEAR
        lda     #0
        sta     MAPDTY
        lda     DVSTAT
        and     #$80
        sta     MAPUPP
        asl     a
        lda     #2
        sta     WORK
        sta     MAPDOS
        lda     #<707
        ldx     #>707
        bcc     @small
        lda     #<1010
        ldx     #>1010
@small: sta     WORK+1
        stx     WORK+2
        ldx     #127
@free:  lda     #$FF
        cpx     #MAPMAIN
        bcc     @set
        bit     MAPUPP
        bmi     @set
        lda     #0
@set:   sta     MAP,x
        dex
        bpl     @free
        lda     #$0F                    ; 0 to 3
        sta     MAP
        asl     MAP+MAPMAIN
        lsr     MAP+MAPMAIN             ; 720
        lda     #0
        sta     MAP+45                  ; 360 to 367
        lda     #$7F
        sta     MAP+46
        lda     #<VTOC
        ldx     #>VTOC
        jsr     PUTSEC
        lda     #0
        sta     WORK
        sta     WORK+1
        sta     WORK+2
        lda     #<DIRSEC
        ldx     #>DIRSEC
@sector:
        jsr     PUTSEC
        ldx     SECT+1
        lda     SECT
        clc
        adc     #1
        cmp     #<(DIRSEC+8)
        bcc     @sector
        bit     MAPUPP
        bpl     @map
        lda     #<VTOC2
        ldx     #>VTOC2
        jsr     PUTSEC
@map:   lda     CURDRV
        sta     MAPDRV
        sta     MAPDTY
        jsr     MAPOUT
        lda     #0
; The boot sectors, with A as DOSFLG.
WRBOOT: sta     DOSFLG
        lda     #<BOOTBEG
        sta     BUFP
        lda     #>BOOTBEG
        sta     BUFP+1
        lda     #1
@boot:  sta     SECT
        lda     #0
        sta     SECT+1
        jsr     WRSECX
        lda     BUFP
        eor     #$80
        sta     BUFP
        bmi     @half
        inc     BUFP+1
@half:  lda     SECT
        clc
        adc     #1
        cmp     #4
        bcc     @boot
        rts

PUTSEC: sta     SECT
        stx     SECT+1
        jsr     WORKBUF
        jmp     WRSECX

; WORK = 0. Keeps X.
CLEAR:  ldy     #0
        tya
@byte:  sta     WORK,y
        iny
        bne     @byte
        rts
