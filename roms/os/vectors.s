; Fixed addresses: handler tables, jump table, identification, hardware vectors.

        .include "variables.inc"
        .include "modules.inc"


; ---------------------------------------------------------------- handler tables
; Entries are "address - 1", because CIO pushes them and returns into them.

        .segment "TABLES"
EDITRV: .word   EOPEN-1, ECLOSE-1, EGETCH-1, EPUTCH-1, ESTAT-1, ESPEC-1
        jmp     DEVINI
        .byte   0
SCRENV: .word   SOPEN-1, SCLOSE-1, SGETCH-1, SPUTCH-1, SSTAT-1, SSPEC-1
        jsr     DEVINI
        rts
KEYBDV: .word   KOPEN-1, KCLOSE-1, KGETCH-1, KPUTCH-1, KSTAT-1, KSPEC-1
        jmp     DEVINI
        .byte   0
PRINTV: .word   POPEN-1, PCLOSE-1, PGETCH-1, PPUTCH-1, PSTAT-1, PSPEC-1
        jsr     PINIT
        rts
CASETV: .word   COPEN-1, CCLOSE-1, CGETCH-1, CPUTCH-1, CSTATE-1, CSPEC-1
        jmp     CINIT
        .byte   0

; ---------------------------------------------------------------- jump table

        .segment "JUMPS"
DISKIV: jmp     DSKINI
DSKINV: jmp     DSKIF
CIOV:   jmp     CIO
SIOV:   jmp     SIO
SETVBV: jmp     SETVBL
SYSVBV: jmp     SYSVBL
XITVBV: jmp     XITVBL
SIOINV: jmp     SIOINT
SENDEV: jmp     SENDEN
INTINV: jmp     INTINI
CIOINV: jmp     CIOINT
BLKBDV: jmp     IDLE
WARMSV: jmp     WARM
COLDSV: jmp     COLD
RBLOKV: jmp     RDBLOK
CSOPIV: jmp     CSOPEN
.if XL
PUPDIV: jmp     IDLE
SLFTSV: jmp     $5000
PHENTV: jmp     PHENTR
PHUNLV: jmp     PHUNLK
PHINIV: jmp     PHINIT
GPDVV:  .word   GOPEN-1, GCLOSE-1, GGETCH-1, GPUTCH-1, GSTAT-1, GSPEC-1
        jmp     GINIT
.else
        .assert * = $E480, error, "jump table"
.endif

; ---------------------------------------------------------------- known RTS

        .segment "RETURN"
KNWRTS: rts

; ---------------------------------------------------------------- identification

.if XL
        .segment "ID1"
        .word   0                       ; checksum, see the build
        .byte   $21, $11, $26           ; 21 November 2026
        .byte   $00
        .byte   "CX", 1, 0, 1           ; part number
        .byte   $01
.endif

        .segment "ID2"
        .byte   $21, $11, $26
        .byte   $02                     ; option byte; Archon wants 2
        .byte   "CX", 1, 0, 1
.if XL
        .byte   $02                     ; revision: 1 to 4 = XL/XE
        .word   0                       ; checksum, see the build
.else
        .byte   $00
        .byte   243, 34                 ; programs tell the second 400/800 revision by these
.endif
        .assert * = $FFFA, error, "identification"

        .segment "VECTORS"
        .word   NMI, RESET, IRQ
