; Central input/output: the eight IOCBs.

        .include "variables.inc"
        .include "modules.inc"

        .segment "CIO"

; Closes all IOCBs without calling handlers.
CIOINT: ldx     #$70
@next:  jsr     FREE
        txa
        sec
        sbc     #$10
        tax
        bpl     @next
        rts

; Marks IOCB X closed; its PUT vector leads to "not open".
FREE:   lda     #$FF
        sta     ICHID,x
        lda     #<(NOPUT-1)
        sta     ICPTL,x
        lda     #>(NOPUT-1)
        sta     ICPTH,x
        rts

NOPUT:  ldy     #NOTOPN
        rts

; CIOV: X = IOCB * 16, A = character. Returns Y = status (N set from it), A = character, X = IOCB, C = 1.
CIO:    sta     CIOCHR
        stx     ICIDNO
        txa
        and     #$0F
        bne     @bad
        cpx     #$80
        bcc     @copy
@bad:   ldy     #BADIOC
        bne     @exit                   ; the status is stored there, too

@copy:  ldy     #0
@move:  lda     IOCB,x
        sta     ZIOCB,y
        inx
        iny
        cpy     #12
        bcc     @move
        jsr     DOCMD
@exit:  sty     ICSTAZ
        ldx     ICIDNO
        tya
        sta     ICSTA,x
.if XL
        lda     #0
        sta     HNDLOD
.endif
        sec
        lda     CIOCHR
        ldy     ICSTAZ
        rts

; Carries the command out; Y = status.
DOCMD:
.if XL
        lda     ICHIDZ
        cmp     #$7F                    ; open, but its handler is still in the device
        bne     @known
        jsr     PHPROV
        bcs     @ret
@known:
.endif
        lda     ICCOMZ
        cmp     #3
        bcc     @nval
        beq     OPEN
        cmp     #12
        bne     @other
        jmp     CLOSE
@other: bcc     @data
        jmp     STASPC
@data:
        ldx     ICHIDZ
        inx
        beq     @nopen
        cmp     #8
        bcs     @put
        lda     ICAX1Z
        and     #4
        beq     @wronly
        jmp     GET
@put:   lda     ICAX1Z
        and     #8
        beq     @rdonly
        jmp     PUT
@nval:  ldy     #NVALID
        rts
@nopen: ldy     #NOTOPN
        rts
@wronly:
        ldy     #WRONLY
        rts
@rdonly:
        ldy     #RDONLY
@ret:   rts

OPEN:   ldx     ICHIDZ
        inx
        beq     @free
        ldy     #PRVOPN
        rts
@free:  jsr     DEVICE
.if XL
        bcc     OPENH
        jsr     PHOPEN
        bcs     NODEV
        jsr     DEVICE
.endif
        bcs     NODEV
OPENH:  ldy     #3
        jsr     HANDLY
        bmi     NODEV2
        pha
        ldy     #8
        jsr     ENTRY                   ; PUT vector for the IOCB
        ldx     ICIDNO
        lda     ICSPRZ
        sta     ICPTL,x
        sta     ICPTLZ
        lda     ICSPRZ+1
        sta     ICPTH,x
        sta     ICPTHZ
        lda     ICHIDZ
        sta     ICHID,x
        lda     ICDNOZ
        sta     ICDNO,x
        pla
        tay
NODEV2: rts
NODEV:  ldy     #NONDEV
        rts

CLOSE:  ldy     #SUCCES
        ldx     ICHIDZ
        inx
        beq     @done                   ; closing a closed IOCB is no error
.if XL
        bmi     @done                   ; and there is nothing to close in one that is only provisionally open
.endif
        jsr     HANDLE
@done:  ldx     ICIDNO
        jmp     FREE                    ; keeps Y

; STATUS and the special commands also work on a closed IOCB, by the device name.
STASPC: ldx     ICHIDZ
        inx
        bne     STAGO
        jsr     DEVICE
        bcc     STAGO
.if XL
        jmp     SOFT
.else
        ldy     #NONDEV
        rts
.endif
STAGO:  jsr     HANDLE
        ldx     ICIDNO
        lda     ICAX1Z
        sta     ICAX1,x
        lda     ICAX2Z
        sta     ICAX2,x
        rts

; ---------------------------------------------------------------- GET and PUT

; A handler may change ICCOMZ, as DOS 2 does for burst transfers: the command that counts is the one in the IOCB. It may move ICBALZ
; and ICBLLZ on when it has transferred bytes itself.

        .segment "CIO2"

GET:    lda     ICBLLZ
        ora     ICBLHZ
        beq     HANDLE                  ; length 0: one byte, in A
@loop:  jsr     HANDLE
        bmi     COUNT
        ldx     #0
        lda     CIOCHR
        sta     (ICBALZ,x)
        jsr     STEP
        bcs     COUNT
        bne     @loop
        jsr     RECORD
        bne     COUNT                   ; GET CHARS is complete
@drop:  jsr     HANDLE                  ; the rest of the record is read and dropped
        bmi     COUNT
        lda     CIOCHR
        cmp     #EOL
        bne     @drop
        ldy     #TRNRCD
; Bytes moved = length asked for - what is left; in ICBLLZ, too, where DOS II+/D looks.
COUNT:  sec
        ldx     ICIDNO
        lda     ICBLL,x
        sbc     ICBLLZ
        sta     ICBLL,x
        sta     ICBLLZ
        lda     ICBLH,x
        sbc     ICBLHZ
        sta     ICBLH,x
        sta     ICBLHZ
        rts

; DOS 2 looks at its return address: below $DF00 it takes the caller for BASIC, which has not set the zero page IOCB.
.if XL
        .assert * >= $DF00, lderror, "handlers are called from the upper ROM"
.endif

; Calls the handler's routine for the IOCB's command with A = CIOCHR, X = IOCB. Returns A = Y = status, N set from it.
; HANDLB: with the byte A. HANDLY: for command Y instead.
HANDLB: sta     CIOCHR
HANDLE: ldx     ICIDNO
        ldy     ICCMD,x
        cpy     #14
        bcc     HANDLY
        ldy     #14
HANDLY: sty     ICCOMT
        jsr     @go
        sta     CIOCHR
        tya
        rts
@go:    jsr     ENTRY
        lda     ICSPRZ+1
        pha
        lda     ICSPRZ
        pha
        lda     CIOCHR
        ldx     ICIDNO
        ldy     #FNCNOT                 ; stays when the routine is a plain RTS
        rts

PUT:    lda     ICBLLZ
        ora     ICBLHZ
        beq     HANDLE                  ; length 0: the byte in A
@loop:  ldx     #0
        lda     (ICBALZ,x)
        pha                             ; the handler may return another byte
        jsr     HANDLB
        pla
        cpy     #0
        bmi     COUNT
        jsr     STEP
        bcs     COUNT
        bne     @loop
        jsr     RECORD
        bne     COUNT
        lda     #EOL                    ; PUT RECORD ends with an EOL
        jsr     HANDLB
        jmp     COUNT

; Buffer pointer + 1, length - 1 after byte A. C = 1: it ends a record; else Z = length is 0. Keeps Y.
STEP:   inc     ICBALZ
        bne     @len
        inc     ICBAHZ
@len:   ldx     ICBLLZ
        bne     @low
        dec     ICBLHZ
@low:   dec     ICBLLZ
        cmp     #EOL                    ; equal: C = 1
        bne     @more
        jsr     RECORD
        beq     @end
@more:  clc
        lda     ICBLLZ
        ora     ICBLHZ
@end:   rts

; Z = the command is a record's. Keeps C and Y.
RECORD: ldx     ICIDNO
        lda     ICCMD,x
        and     #2
        rts

; ICSPRZ = entry - 1 for command Y (3 open, 4 get, 8 put, 12 close, 13 status, 14 special) of handler ICHIDZ.
ENTRY:  ldx     ICHIDZ
        lda     HATABS+1,x
        sta     ICSPRZ
        lda     HATABS+2,x
        sta     ICSPRZ+1
        lda     OFFSET-3,y
        tay
        lda     (ICSPRZ),y
        tax
        iny
        lda     (ICSPRZ),y
        sta     ICSPRZ+1
        stx     ICSPRZ
        rts
; For commands 3 to 14.
OFFSET: .byte   0, 4, 4, 4, 4, 6, 6, 6, 6, 2, 8, 10

NODEVC: sec
        rts

; Device of the name at ICBAZ -> ICHIDZ, ICDNOZ. C = 1: none.
; DEVNAM: A = the name.
DEVICE: ldy     #1
        sty     ICDNOZ
        lda     (ICBALZ),y
        sec
        sbc     #'0'
        beq     @name
        cmp     #10
        bcs     @name
        sta     ICDNOZ
@name:  dey
        lda     (ICBALZ),y
        beq     NODEVC
DEVNAM: ldy     #HATEND-HATABS-3        ; later entries win
@find:  cmp     HATABS,y
        beq     @found
        dey
        dey
        dey
        bpl     @find
        sec
        rts
@found: sty     ICHIDZ
        clc
        rts
