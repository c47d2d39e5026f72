; The three boot sectors: the boot record with the settings of DOS 2, the loader of DOS.SYS, and the requests to the drives, which DOS uses, too.

        .include "equates.inc"
        .include "modules.inc"

        .segment "BOOT"

BOOTBEG:
        .byte   0, 3                    ; flags, sectors
        .word   $0700, INIT
        jmp     BOOTUP
MAXFIL: .byte   3                       ; $0709: files open at the same time
DRVBIT: .byte   $FF                     ; $070A: bit 0 = D1: and so on
        .byte   0
        .word   BUFFERS                 ; $070C
DOSFLG: .byte   0                       ; $070E: 0 = no DOS.SYS, 1 = in sectors of 128 bytes, 2 = of 256
DOSLNK: .word   0                       ; $070F: its first sector
DOSCAP: .byte   125                     ; $0711: bytes in each
DOSADR: .word   $0880                   ; $0712: where it goes

; Loads DOS.SYS. C = 1: it failed, and the OS tries again.
BOOTUP: lda     DOSFLG
        beq     NODISK
        lsr     a                       ; 1, 2 -> 0, 1
        sta     DENS
        lda     #1
        sta     CURDRV
        ldx     #1
@word:  lda     DOSLNK,x
        sta     SECT,x
        lda     DOSADR,x
        sta     BUFP,x
        dex
        bpl     @word
@load:  jsr     RDSEC
        bmi     @fail
        ldy     DOSCAP
        lda     (BUFP),y
        and     #3
        sta     SECT+1
        iny
        lda     (BUFP),y
        sta     SECT
        clc
        lda     BUFP
        adc     DOSCAP
        sta     BUFP
        bcc     @page
        inc     BUFP+1
@page:  lda     SECT
        ora     SECT+1
        bne     @load
        sta     BOOTED
        clc
        rts
@fail:  sec
        rts
        .res    $79-(*-BOOTBEG)
        .assert WRCMD = $0779, error, "programs change it"
WRCMD:  .byte   'W'                     ; $0779: $57 writes and verifies, $50 only writes

; The machine starts as if there were no disk.
NODISK: ldx     #3
@say:   lda     NORECORD,x
        sta     ICCMD,x                 ; not ICPT, which BASIC uses
        dex
        bpl     @say
        inx
        stx     ICBLH
        lda     #40
        sta     ICBLL
        jsr     CIOV
        lda     #<NOTHING
        sta     DOSINI
        lda     #>NOTHING
        sta     DOSINI+1
        clc
NOTHING: rts
NORECORD: .byte PUTREC, 0
        .word   NOTEXT
NOTEXT: .byte   "No DOS", EOL

; ---------------------------------------------------------------- requests to the drives

; Sector SECT of drive CURDRV to or from (BUFP). Y = status, N set from it.
WRSEC:  lda     WRCMD
        ldy     #$80
        bne     SECTOR
RDSEC:  lda     #'R'
        ldy     #$40
SECTOR: sta     DCOMND
        ldx     CURDRV
        lda     SECT
        sta     DAUX1
        lda     SECT+1
        sta     DAUX2
        bne     @size
        lda     SECT                    ; the boot sectors have 128 bytes on all disks
        cmp     #4
        lda     #0
        bcc     LENGTH
@size:  lda     DENS-1,x
LENGTH: ldx     #15                     ; seconds
; Command DCOMND with direction Y, time limit X; A = 0: 128 bytes, 1: 256.
REQUEST:
        sta     DBYTHI
        lsr     a
        ror     a
        eor     #$80
        sta     DBYTLO
REQUEST2:
        stx     DTIMLO
        lda     BUFP
        sta     DBUFLO
        lda     BUFP+1
        sta     DBUFHI
        sty     DSTATS
        lda     CURDRV
        sta     DUNIT
        lda     #$31
        sta     DDEVIC
        jsr     SIOV
        tya
        rts

; ---------------------------------------------------------------- bits of the map

; X = byte of sector SECT in MAP, A = its bit.
BITPOS: lda     SECT+1
        lsr     a
        sta     TEMP
        lda     SECT
        ror     a
        lsr     TEMP
        ror     a
        lsr     a
        tax
        lda     SECT
        and     #7
        tay
        lda     MASKS,y
        rts
MASKS:  .byte   $80, $40, $20, $10, $08, $04, $02, $01

; C = 1: CIO calls with command A and a buffer. A program may call the handler by its table or by the IOCB's PUT vector, and BASIC does: then the
; zero page still has the buffer of another call.
ISCIO:  cmp     ICCOMZ
        bne     @no
        lda     CALLER
        cmp     #$C0
        bcc     @no
        lda     FX
        cmp     ICIDNO
        bne     @no
        lda     ICBLLZ
        ora     ICBLHZ
        beq     @no
        sec
        rts
@no:    clc
        rts
