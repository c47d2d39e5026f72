; Resident disk handler and disk boot.

        .include "variables.inc"
        .include "modules.inc"

        .segment "DISK"

DSKINI: lda     #160
        sta     DSKTIM
.if XL
        lda     #<128
        sta     DSCTLN
        lda     #>128
        sta     DSCTLN+1
.endif
        rts

; DSKINV. Returns Y = status (N set), A = command, C = 1 for commands from $21.
DSKIF:  lda     #$31
        sta     DDEVIC
        ldx     #15
        ldy     #$40
        lda     DCOMND
        cmp     #$23                    ; $21 and $22 format
        bcs     @time
        ldx     DSKTIM
@time:  stx     DTIMLO
        cmp     #'S'
        beq     @status
        cmp     #'W'
        beq     @write
.if XL
        cmp     #'P'
        bne     @length
.else
        bne     @length
.endif
@write: ldy     #$80
@length:
.if XL
        lda     DSCTLN
        ldx     DSCTLN+1
        jmp     @call
.else
        lda     #128
        ldx     #0
        beq     @call
.endif
@status:
        lda     #<DVSTAT
        sta     DBUFLO
        lda     #>DVSTAT
        sta     DBUFHI
        lda     #4
        ldx     #0
@call:  sta     DBYTLO
        stx     DBYTHI
        sty     DSTATS
        jsr     SIOV
        bmi     @done
        lda     DCOMND
        cmp     #'S'
        bne     @done
        lda     DVSTAT+2                ; the drive's format time
        sta     DSKTIM
@done:  lda     DCOMND
        cmp     #$21
        ldy     DSTATS
        rts

; ---------------------------------------------------------------- boot

        .segment "DISKBT"

; Boots D1: when there is a drive. Returns when there is none, or when the boot program returns.
DSKBOT: lda     #1
        sta     DUNIT
        lda     #'S'
        sta     DCOMND
        jsr     DSKINV
        bmi     @none
@again: lda     #1
        ldx     #0
        sta     DAUX1
        stx     DAUX2
        stx     BUFADR
        lda     #>BOOTBF
        sta     BUFADR+1
        jsr     @read
        bmi     @error
        jsr     BOTHED
        lda     RAMLO                   ; no program loads to $0000: a disk without a boot sector is none to boot from
        ora     RAMLO+1
        beq     @none
        stx     DOSINI
        sty     DOSINI+1
@sector:
        jsr     BOTCPY
        beq     @run
        inc     DAUX1
        bne     @more
        inc     DAUX2
@more:  jsr     @read
        bpl     @sector
@error: jsr     BOTERR
        jmp     @again
@run:   jsr     BOTRUN
        bcs     @error
        lda     BOOT
        ora     #1
        sta     BOOT
        jmp     (DOSINI)
@none:  rts

@read:  lda     #<BOOTBF
        sta     DBUFLO
        lda     #>BOOTBF
        sta     DBUFHI
        lda     #'R'
        sta     DCOMND
        jmp     DSKINV

; The header of a boot program, which stands in the buffer. Returns its init address in Y:X.
BOTHED: ldx     #3
@head:  lda     BOOTBF,x
        sta     DFLAGS,x
        dex
        bpl     @head
        lda     BOOTAD
        sta     RAMLO
        lda     BOOTAD+1
        sta     RAMLO+1
        ldx     BOOTBF+4
        ldy     BOOTBF+5
        rts

; Copies the buffer to where the program goes. Z = that was its last part.
BOTCPY: ldy     #127
@copy:  lda     BOOTBF,y
        sta     (RAMLO),y
        dey
        bpl     @copy
        clc
        lda     RAMLO
        adc     #128
        sta     RAMLO
        bcc     @count
        inc     RAMLO+1
@count: dec     DBSECT
        rts

; Runs the boot program at its seventh byte. C = 1: it failed.
BOTRUN: clc
        lda     BOOTAD
        adc     #6
        sta     RAMLO
        lda     BOOTAD+1
        adc     #0
        sta     RAMLO+1
        jmp     (RAMLO)

.if XL
        .segment "PRINTL"
        .assert * = $C642, error, "print line"
; Prints the text at Y:X, which ends with an EOL, through IOCB 0. Programs call it.
        txa
        ldx     #9
        jmp     CIO0
.endif

        .segment "BOOTTXT"

; "BOOT ERROR" on the screen.
BOTERR: lda     #<ERRTXT
        ldy     #>ERRTXT
        ldx     #9
; CIO command X on IOCB 0 with the buffer Y:A (40 bytes are the memo pad's).
CIO0:   stx     ICCMD
        sta     ICBAL
        sty     ICBAH
        ldx     #0
.if XL
        lda     #$7F                    ; a text ends with its EOL
        sta     ICBLH
.else
        lda     #40
        sta     ICBLL
        stx     ICBLH
.endif
        lda     #12                     ; one game reads this from CIOCHR after the start
        jmp     CIOV
ERRTXT: .byte   "BOOT ERROR", EOL
