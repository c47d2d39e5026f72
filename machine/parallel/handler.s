; The ROM of the host-folder device on the parallel bus: a CIO handler for H: (and for D: when the machine wants it).
;
; The OS finds it in its scan of the bus and calls it through the generic parallel handler: C = 1 says that the call was for
; us, Y is the status. Files lie in the device; only opening, closing and the like wait for the host.

        .setcpu "6502"

ICHIDZ  = $20
ICCOMZ  = $22
ICBAZ   = $24
ICAX1Z  = $2A
PDVMSK  = $0247
SHPDVS  = $0248
HATABS  = $031A
HATEND  = 33                    ; XL: eleven entries
ICHID   = $0340
ICAX3   = $034C
ICAX4   = $034D
ICAX5   = $034E
GPDVV   = $E48F
EOL     = $9B

CMD     = $D1E0                 ; write: begins a command
TEXT    = $D1E1                 ; write: a character of its file name
GO      = $D1E2                 ; write: IOCB * 16, carries the command out; read: 0 = not yet done, else the status
DATA    = $D1E3                 ; the next byte of the file
CHAN    = $D1E4                 ; write: IOCB * 16; read: 1, 3 = one byte left, 136 = none left
POS0    = $D1E5                 ; position in the file, low, middle, high
POS1    = $D1E6
POS2    = $D1E7
AUX     = $D1E8                 ; write: ICAX1 of OPEN
ASDISK  = $D1E9                 ; read: not 0 = be D: too

C_OPEN  = 3
C_CLOSE = 12
C_STAT  = 13
C_POINT = 37
C_NOTE  = 38

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

; Begins command A with the file name of the call.
named:  sta CMD
        ldy #0
@next:  lda (ICBAZ),y
        cmp #EOL
        beq @end
        sta TEXT
        iny
        cpy #128
        bcc @next
@end:   rts

open:   jsr ours1
        bcc none
        lda #C_OPEN
        jsr named
        lda ICAX1Z
        sta AUX
go:     stx GO
@wait:  ldy GO
        beq @wait
        sec
none:   rts

close:  jsr ours
        bcc none
        lda #C_CLOSE
        sta CMD
        jmp go

get:    jsr ours
        bcc none
        stx CHAN
        ldy CHAN
        bmi taken
        lda DATA
taken:  sec
        rts

put:    pha
        jsr ours
        pla
        bcc none
        stx CHAN
        sta DATA
good:   ldy #1
        sec
        rts

status: jsr ours
        bcc none
        lda #C_STAT
        jsr named
        jmp go

special:
        jsr ours
        bcc none
        lda ICCOMZ
        cmp #C_NOTE
        beq note
        cmp #C_POINT
        beq point
        jsr named
        jmp go

note:   stx CHAN
        lda POS0
        sta ICAX5,x
        lda POS1
        sta ICAX3,x
        lda POS2
        sta ICAX4,x
        jmp good

point:  stx CHAN
        lda ICAX5,x
        sta POS0
        lda ICAX3,x
        sta POS1
        lda ICAX4,x
        sta POS2
        ldy CHAN                ; beyond the end?
        cpy #171
        beq taken
        jmp good

        .res $E000-*, $FF
