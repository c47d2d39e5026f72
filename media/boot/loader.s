; The boot sector that loads a binary file.
;
; The OS reads this sector from D1: and calls it; it sets DOSVEC, and when the OS has finished its start it comes back to
; `load`. The file itself comes from the machine's program port, a stream of records
;       address (2), length (2), bytes            length 0 ends the stream
; It uses no zero page and no memory but its own 128 bytes, because programs load anywhere; media chooses the origin that
; the program leaves free.

        .setcpu "6502"

DOSVEC  = $000A
RUNAD   = $02E0
INITAD  = $02E2
SSKCTL  = $0232
SKCTL   = $D20F
PORT    = $D1F0         ; read: next byte; write: back to the first byte
DONE    = $D1F1         ; write: the program runs

        .org ORIGIN

start:  .byte 0         ; DFLAGS
        .byte 1         ; one sector
        .word start     ; where it lies
        .word none      ; DOSINI
        lda #<load      ; called as start+6
        sta DOSVEC
        lda #>load
        sta DOSVEC+1
        clc
none:   rts

load:   sta PORT        ; also after RESET: load again
        lda #3          ; POKEY as at power-on, not as the boot's serial transfer left it
        sta SSKCTL
        sta SKCTL
next:   lda #<none
        sta INITAD
        lda #>none
        sta INITAD+1
        lda PORT
        sta store+1
        lda PORT
        sta store+2
        ldx PORT        ; length, low byte
        ldy PORT        ; length, high byte
        bne copy
        txa
        beq run
copy:   lda PORT
store:  sta $FFFF
        inc store+1
        bne count
        inc store+2
count:  txa
        bne low
        dey
low:    dex
        bne copy
        tya
        bne copy
        jsr init
        jmp next
init:   jmp (INITAD)
run:    sta DONE
        jmp (RUNAD)

        .assert * - start <= 128, error, "the loader is one sector"
