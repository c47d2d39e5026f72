; The boot sector of blank disks: it says what the disk is. With BASIC the prompt comes next; else a key boots whatever disk is there then.

DOSVEC  = $0A
CH      = $02FC
ICCOM   = $0342
ICBAL   = $0344
ICBAH   = $0345
ICBLL   = $0348
ICBLH   = $0349
CIOV    = $E456
COLDSV  = $E477
EOL     = $9B
PUTREC  = 9

        .segment "BOOT"
        .byte   0, 1                    ; flags, sectors
        .word   $0700, init

        lda     #<wait
        sta     DOSVEC
        lda     #>wait
        sta     DOSVEC+1
        lda     #<blank
        jsr     print
        clc
init:   rts

wait:   lda     #<insert
        jsr     print
        lda     #$FF
        sta     CH
@key:   lda     CH
        cmp     #$FF
        beq     @key
        jmp     COLDSV

; The text at A in this page, on the editor.
print:  sta     ICBAL
        lda     #>blank
        .assert >blank = >insert, error, "one page"
        sta     ICBAH
        lda     #PUTREC
        sta     ICCOM
        ldx     #0
        stx     ICBLH
        lda     #40
        sta     ICBLL
        jmp     CIOV

blank:  .byte   "This disk is blank, without DOS", EOL
insert: .byte   "Insert another, press a key", EOL
