; The ROM of the host-folder device on the parallel bus: a CIO handler for H: (and for D: when the machine wants it).
;
; The OS finds it in its scan of the bus and calls it through the generic parallel handler: C = 1 says that the call was for
; us, Y is the status. Files lie in the device; only opening, closing and the like wait for the host.

        .setcpu "6502"

PARALLEL = 1
HATEND  = 33                    ; XL: eleven entries
SELECT  = 1                     ; our bit of the device select register

PDVS    = $D1FF
CIOV    = $E456

        .include "names.inc"

        .org $D800
        .word 0                 ; sum, not used
        .byte 1                 ; revision
        .byte $80               ; identification
        .byte 0                 ; device type
        jmp not                 ; SIO requests
        jmp not                 ; interrupts
        .byte $91               ; identification
        .byte 0
        .word open-1, close-1, get-1, put-1, status-1, special-1
        jmp init

init:   lda SHPDVS
        ora PDVMSK
        sta PDVMSK
        lda #'H'
        jsr enter
        lda ASDISK
        beq @done
        lda #'D'
        jsr enter
        lda WARMST              ; cold: a DOS that is booted takes the vector for itself
        bne @done
        lda #<dos
        sta DOSVEC
        lda #>dos
        sta DOSVEC+1
@done:  rts

; A new entry with name A in the table of handlers.
enter:  tay
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
        lda #<GPDVV
        sta HATABS+1,x
        lda #>GPDVV
        sta HATABS+2,x
        rts

; C = 1: the IOCB X is one of ours. Keeps X.
ours:   lda ICHID,x
        cmp #$7F                ; not open, or being opened: CIO has found the device and put it into its own block
        bcc ours2
ours1:  lda ICHIDZ
ours2:  tay
        lda HATABS+1,y
        cmp #<GPDVV
        bne not
        lda HATABS,y
        cmp #'H'
        beq yes
        cmp #'D'
        beq yes
not:    clc
        rts
yes:    sec
        rts

        .include "files.inc"
        .include "menu.inc"

        .res $DFD0-*, $FF

; The last 48 bytes are seen at $D1B0 whether the device is selected or not: the doors of the menu.
        .org $D1B0
dos:    lda #SELECT
        sta PDVS
        jmp menu

cio:    ldy #0
        sty PDVS
        jsr CIOV
        lda #SELECT
        sta PDVS
        tya
        rts

call:   lda #0
        sta PDVS
        jsr @go
        lda #SELECT
        sta PDVS
        rts
@go:    jmp (INITAD)

leave:  lda #0
        sta PDVS
        jmp (INITAD)
