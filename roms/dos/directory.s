; The directory: names, entries, and the listing that OPEN 6 reads.

        .include "equates.inc"
        .include "modules.inc"

        .segment "KERNEL"

; ---------------------------------------------------------------- names

; The name at ICBALZ after its device to FNAME; Y after it. Z = 1: there is none.
PARSE:  ldy     #0
@colon: iny
        lda     (ICBALZ),y
        cmp     #':'
        beq     @name
        cpy     #2
        bcc     @colon
        ldy     #BADNAM
        jmp     ERR
@name:  iny
; The name at ICBALZ + Y.
PNAME:  ldx     #10
        lda     #' '
@blank: sta     FNAME,x
        dex
        bpl     @blank
        inx
        stx     WILD
        lda     #8
        sta     LIMIT
@next:  lda     (ICBALZ),y
        cmp     #'.'
        beq     @point
        cmp     #'*'
        beq     @star
        cmp     #'_'
        beq     @put
        cmp     #'a'
        bcc     @upper
        cmp     #'z'+1
        bcs     @end
        and     #$5F
@upper: cmp     #'0'
        bcc     @end
        cmp     #'9'+1
        bcc     @put
        cmp     #'Z'+1
        bcs     @end
        cmp     #'?'
        bcc     @end
        bne     @put
        sta     WILD
@put:   cpx     LIMIT                   ; what is too long is left out
        bcs     @skip
        sta     FNAME,x
        inx
@skip:  iny
        bne     @next
@star:  lda     #'?'
        sta     WILD
@fill:  cpx     LIMIT
        bcs     @skip
        sta     FNAME,x
        inx
        bne     @fill
@point: lda     LIMIT
        cmp     #11
        beq     @end
        ldx     #8
        lda     #11
        sta     LIMIT
        bne     @skip
@end:   lda     FNAME
        cmp     #' '
        rts

; ---------------------------------------------------------------- entries

; Looks for FNAME from the beginning. C = 0: entry DIRNO, its sector in WORK, X = ENT its offset. C = 1: there is none.
; FREENO = the first entry that is free, 64 when there is none.
FIND:   lda     #0
        sta     WSEC
        lda     #64
        sta     FREENO
        lda     #$FF
        sta     DIRNO
; The next one.
FINDNX: inc     DIRNO
        lda     DIRNO
        cmp     #64
        bcs     @none
        jsr     GETDIR
        lda     WORK,x
        beq     @unused
        bmi     @free
        and     #$41                    ; in use and not open, or with upper sectors
        beq     FINDNX
        cmp     #$41
        beq     FINDNX
        ldy     #0
@match: lda     FNAME,y
        cmp     #'?'
        beq     @same
        cmp     WORK+5,x
        bne     FINDNX
@same:  inx
        iny
        cpy     #11
        bcc     @match
        ldx     ENT
        clc
@none:  rts
@free:  jsr     @first
        jmp     FINDNX
@unused:
        lda     #63                     ; the directory ends here
        ldy     DIRNO
        sta     DIRNO
        tya
        jsr     @first2
        sec
        rts
@first: lda     DIRNO
@first2:
        ldy     FREENO
        cpy     #64
        bcc     @none
        sta     FREENO
        rts

; The sector of entry DIRNO in WORK, and the offset in X and ENT.
GETDIR: lda     DIRNO
        lsr     a
        lsr     a
        lsr     a
        clc
        adc     #<DIRSEC
        ldx     CURDRV
        cmp     WSEC
        bne     @read
        cpx     WDRV
        beq     @have
@read:  pha
        sta     SECT
        lda     #>DIRSEC
        sta     SECT+1
        jsr     WORKBUF
        jsr     RDSYS
        pla
        sta     WSEC
        lda     CURDRV
        sta     WDRV
@have:  lda     DIRNO
        asl     a
        asl     a
        sta     FILE
        asl     a
        asl     a
        and     #$70
        sta     ENT
        tax
        rts

; Writes the sector of the directory that is in WORK.
PUTDIR: lda     WSEC
        pha
        sta     SECT
        lda     #>DIRSEC
        sta     SECT+1
        jsr     WORKBUF
        jsr     WRSECX
        pla
        sta     WSEC
        rts

; LOCKED unless the file at ENT may be changed: not locked, and not open.
CHKMOD: jsr     CHKLCK
        ldx     #$70
@open:  lda     FMODE,x
        beq     @next
        and     #2
        bne     @next
        lda     FDRV,x
        cmp     CURDRV
        bne     @next
        lda     FFILE,x
        cmp     FILE
        beq     REFUSE
@next:  jsr     PREV
        bpl     @open
        rts
; LOCKED if the file at ENT is locked.
CHKLCK: ldx     ENT
        lda     WORK,x
        and     #FLLOCK
        beq     ISDOS
REFUSE: ldy     #LOCKED
        jmp     ERR

; OURDOS = the file at ENT is DOS.SYS. Keeps nothing else.
ISDOS:  ldx     ENT
        ldy     #0
        sty     OURDOS
@same:  lda     WORK+5,x
        cmp     DOSNAME,y
        bne     @no
        inx
        iny
        cpy     #11
        bcc     @same
        sty     OURDOS
@no:    rts
DOSNAME: .byte  "DOS     SYS"

; The boot sectors no longer load DOS.SYS, if that was the file: its sectors will be others'.
BOOTOFF:
        lda     OURDOS
        beq     @done
        ldx     #1
        stx     SECT
        dex
        stx     SECT+1
        jsr     WORKBUF
        jsr     RDSECX
        lda     WORK+3                  ; a boot record like ours: to $0700
        cmp     #7
        bne     @done
        lda     #0
        sta     WORK+14
        sta     OURDOS
        jsr     WRSECX
@done:  rts

; ---------------------------------------------------------------- listing

; The next byte of a listing. The buffer has the pattern, and from its byte 16 on the line; FSEC is the entry, 64 after the last one.
DIRGET: lda     FPOS,x
        cmp     FCNT,x
        bne     @byte
        jsr     @line
        ldx     FX
        lda     #16
        sta     FPOS,x
@byte:  tay
        inc     FPOS,x
        lda     (BUFP),y
        sta     CHAR
        lda     FPOS,x
        cmp     FCNT,x
        bne     @more
        lda     FSEC,x
        cmp     #65
        bne     @more
        ldy     #LASTONE
        jmp     ERR
@more:  jmp     GOOD

@line:  lda     FSEC,x
        cmp     #65
        bcc     @open
        ldy     #ENDFIL
        jmp     ERR
@open:  sta     DIRNO
        ldy     #10
@name:  lda     (BUFP),y
        sta     FNAME,y
        dey
        bpl     @name
        lda     DIRNO
        cmp     #64
        beq     @free
        dec     DIRNO                   ; FINDNX goes to it
        jsr     FINDNX
        jsr     SETBUF
        bcs     @free
        ldx     FX
        lda     DIRNO
        adc     #1
        sta     FSEC,x
        ldx     ENT
        ldy     #16
        lda     WORK,x
        and     #FLLOCK
        beq     @mark                   ; $00 -> blank
        lda     #'*' ^ ' '
@mark:  eor     #' '
        jsr     @put
        lda     #'<'
        jsr     @upper
@copy:  lda     WORK+5,x
        jsr     @put
        inx
        cpy     #29
        bcc     @copy
        ldx     ENT
        lda     #'>'
        jsr     @upper
        lda     WORK+1,x
        sta     NUMBER
        lda     WORK+2,x
        sta     NUMBER+1
        jsr     DIGITS
@eol:   lda     #EOL
        jsr     @put
        tya
        ldx     FX
        sta     FCNT,x
        rts
; A, if the file uses upper sectors and AUX1 is 7, as DOS 2.5 has it; or a blank.
@upper: pha
        lda     WORK,x
        and     #$40
        bne     @blank
        lda     ICAX1Z
        lsr     a
        pla
        bcs     @put
        pha
@blank: pla
        lda     #' '
@put:   sta     (BUFP),y
        iny
        rts

@free:  lda     #65
        ldx     FX
        sta     FSEC,x
        jsr     MAPIN
        jsr     SETBUF
        ldx     #0
        jsr     COUNTALL
        ldy     #16
        jsr     DIGITS
        lda     #' '
        bcc     @all
        lda     #'+'                    ; more than 999
@all:   jsr     @put
        ldx     #0
@text:  lda     FREETXT,x
        jsr     @put
        inx
        cpx     #12
        bcc     @text
        bcs     @eol
FREETXT: .byte  "FREE SECTORS"

; NUMBER in three digits to (BUFP),y, at most 999; C = 1: it is more.
DIGITS: lda     NUMBER
        cmp     #<1000
        lda     NUMBER+1
        sbc     #>1000
        php
        bcc     @known
        lda     #<999
        sta     NUMBER
        lda     #>999
        sta     NUMBER+1
@known: ldx     #0
@digit: lda     #'0'
        sta     TEMP
@count: lda     NUMBER
        sec
        sbc     POWERS,x
        pha
        lda     NUMBER+1
        sbc     POWERS+3,x
        bcc     @less
        sta     NUMBER+1
        pla
        sta     NUMBER
        inc     TEMP
        bne     @count
@less:  pla
        lda     TEMP
        sta     (BUFP),y
        iny
        inx
        cpx     #3
        bcc     @digit
        plp
        rts
POWERS: .byte   100, 10, 1, 0, 0, 0
