; Start: DOSINI leads here when the disk has booted, and after each RESET.

        .include "equates.inc"
        .include "modules.inc"

        .segment "KERNEL"

HANDLER:
        .word   DOPEN-1, DCLOSE-1, DGET-1, DPUT-1, DSTAT-1, DSPEC-1
        jmp     INIT

INIT:   jsr     CLOSEALL
        lda     #<DOSCMD
        sta     DOSVEC
        lda     #>DOSCMD
        sta     DOSVEC+1
        ldx     #0                      ; D: in the table of devices, or its first free place
@find:  lda     HATABS,x
        beq     @put
        cmp     #'D'
        beq     @put
        inx
        inx
        inx
        cpx     #30
        bcc     @find
@put:   lda     #'D'
        sta     HATABS,x
        lda     #<HANDLER
        sta     HATABS+1,x
        lda     #>HANDLER
        sta     HATABS+2,x
        lda     #<BUFFERS
        sta     MEMLO
        clc
        lda     #>BUFFERS
        adc     MAXFIL
        sta     MEMLO+1
        lda     #'1'
        sta     CPDRV
        lda     BOOTED
        ora     WARMST
        bne     @done
        inc     BOOTED
        lda     #<NAMAUTO
        ldy     #>NAMAUTO
        jmp     LOADBIN                 ; its errors do not matter here
@done:  rts

; No file is open, no map is in memory.
CLOSEALL:
        ldx     #$70
@file:  lda     #0
        sta     FMODE,x
        jsr     PREV
        bpl     @file
        lda     #0
        sta     MAPBUSY
        sta     MAPDRV
        sta     MAPDTY
        rts
; The IOCB before X; N = 1: that was the first one.
PREV:   txa
        sec
        sbc     #$10
        tax
        rts
