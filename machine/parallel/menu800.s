; The file menu of a 400 or 800 with the host-folder device, at $C000, where nothing else is up to 48K of RAM. The device's handler
; (handler800.s) lets DOSVEC lead here when it finds these two bytes.

        .setcpu "6502"

        .include "names.inc"

CIOV    = $E456

        .org $C000
        .byte "FM"
dos:    jmp menu

cio:    jsr CIOV
        tya
        rts
call:
leave:  jmp (INITAD)

        .include "menu.inc"

        .res $C800-*, $FF
