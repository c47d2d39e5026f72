; The ROM of the host-folder device on a 400 or 800: a CIO handler for H: (and for D: when the machine wants it) at $D600.
;
; These machines have no parallel bus whose devices the OS would look for. So the device comes in as the 850 interface does: it
; answers the first request for sector 1 of D1:. The boot sector it gives leads here; H: is entered into the table of handlers, and
; the drive is booted, if there is one, as the OS would have done it. RESET comes through DOSINI. No RAM is used: the boot sector
; is loaded to where the OS has it already, and the handler is this ROM.

        .setcpu "6502"

PARALLEL = 0
HATEND  = 36                    ; twelve entries

        .include "names.inc"

RAMLO   = $04

MENU    = $C000                 ; menu800.s: its two bytes, then the entry
DOSINI  = $0C
DFLAGS  = $0240
DBSECT  = $0241
BOOTAD  = $0242
DUNIT   = $0301
DCOMND  = $0302
DBUF    = $0304
DAUX1   = $030A
DAUX2   = $030B
SECTOR  = $0400
DSKINV  = $E453

        .org $D600
table:  .word open-1, close-1, get-1, put-1, status-1, special-1
        jmp return

; From the boot sector: the device is in, now the drive. C = 1: the drive's boot failed; the OS then says so and tries again.
boot:   jsr enter
        jsr vector
        lda #<return
        sta CHAIN
        lda #>return
        sta CHAIN+1
        lda #1
        sta DUNIT
        lda #'S'
        sta DCOMND
        jsr DSKINV
        bmi good0               ; no drive
        ldx #1
        ldy #0
        stx DAUX1
        sty DAUX2
        jsr read
        bmi failed
        ldx #3
@head:  lda SECTOR,x
        sta DFLAGS,x
        dex
        bpl @head
        lda SECTOR+4
        sta CHAIN
        lda SECTOR+5
        sta CHAIN+1
        lda BOOTAD
        sta RAMLO
        lda BOOTAD+1
        sta RAMLO+1
@sector:
        ldy #127
@copy:  lda SECTOR,y
        sta (RAMLO),y
        dey
        bpl @copy
        clc
        lda RAMLO
        adc #128
        sta RAMLO
        bcc @count
        inc RAMLO+1
@count: dec DBSECT
        beq run
        inc DAUX1
        bne @more
        inc DAUX2
@more:  jsr read
        bpl @sector
failed: sec
        rts
run:    clc                    ; the program begins after its header
        lda BOOTAD
        adc #6
        sta RAMLO
        lda BOOTAD+1
        adc #0
        sta RAMLO+1
        jmp (RAMLO)
good0:  clc
return: rts

read:   lda #<SECTOR
        sta DBUF
        lda #>SECTOR
        sta DBUF+1
        lda #'R'
        sta DCOMND
        jmp DSKINV

        .include "files.inc"

; The boot sector, loaded to $0400: nine bytes, and the rest of the handler, which is not run there.
        .res $D780-*, $FF
        .byte 0, 1
        .word SECTOR, init
        jmp boot

; DOSINI, after the boot and after RESET: the table has been made anew.
init:   jsr enter
        jmp (CHAIN)

enter:  sta BOOTED
        lda #'H'
        jsr entry
        lda ASDISK
        beq @none
        lda #'D'
        bne entry
@none:  rts

; At the boot only, before the drive's: a DOS that is booted takes the vector for itself.
vector: lda ASDISK
        beq @none
        lda MENU
        cmp #'F'
        bne @none
        lda MENU+1
        cmp #'M'
        bne @none
        lda #<(MENU+2)
        sta DOSVEC
        lda #>(MENU+2)
        sta DOSVEC+1
@none:  rts

; A new entry with name A in the table of handlers.
entry:  tay
        ldx #0
@look:  tya
        cmp HATABS,x
        beq @set
        lda HATABS,x
        beq @set
        inx
        inx
        inx
        cpx #HATEND
        bcc @look
        rts
@set:   tya
        sta HATABS,x
        lda #<table
        sta HATABS+1,x
        lda #>table
        sta HATABS+2,x
        rts

        .res $D800-*, $FF
