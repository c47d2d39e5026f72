; The loader of binary files. It runs in the program port's page, $D100-$D1BF, so that a program may use all memory while it loads.
;
; The OS boots the sector at the end of this file from D1:. It sets DOSINI, and `boot` sets DOSVEC, to entries in this page. Without a
; cartridge the OS ends its start at DOSVEC, which loads the file. With one (BASIC) the file is loaded when the OS calls DOSINI, as DOS
; loads AUTORUN.SYS, and a program that returns comes back to the cartridge.
;
; The page is ROM but for the operand of `store`, which the port supplies: the address of the byte that was read last.
; No memory is written but by the file, and INITAD, SSKCTL and DOSVEC, what brings BASIC back when the program has left, and three bytes of the stack
; when it has ended without BASIC; no zero page cell is needed, and no stack but the return address of INIT and RUN. The boot sector clears AUDCTL, which the serial transfer has left at $28.
;
; The XL's OS would then ask the serial bus 28 times for handlers of peripherals before it comes to DOSVEC, 0.9 s in which no device answers. Without
; a cartridge the boot sector ends the cold start by itself instead, as a boot program may that does not return: COLDST, BOOT and the stack are as
; the OS would leave them. The OS of the 400 and 800 comes to DOSVEC at once, and may have booted an interface before the drive.
;
; The port's registers act only when they are read by an instruction in this page, see machine/src/port.rs.

        .setcpu "6502"

TRAMSZ  = $06           ; not 0: a cartridge is there
BOOT    = $09           ; bit 0: a disk was booted
DOSVEC  = $0A
LOADFLG = $CA           ; not 0: BASIC begins anew after a warm start
SSKCTL  = $0232
COLDST  = $0244         ; $FF until the OS has ended its cold start
RUNAD   = $02E0
INITAD  = $02E2
AUDCTL  = $D208
SKCTL   = $D20F
WARMSV  = $E474
OSMARK  = $FCD8         ; OLDOS on the 400 and 800 (Mapping the Atari)
OLDOS   = $A2
LOOP    = $01FD        ; the highest three bytes of the stack

; Flags of registers: bit 7.
DATA    = $D1F0         ; the next byte of the segment
LEFT    = $D1F1         ; 1 = the segment has more bytes
NEXT    = $D1F2         ; the next segment; 1 = there is none
INIWANT = $D1F3         ; at DOSINI: 1 = the file is to be loaded now
VECWANT = $D1F4         ; at DOSVEC: the same
RUNS    = $D1F5         ; everything is loaded
ENDED   = $D1F6         ; the program has ended; 1 = the OS waits for DOSINI to return
RESTART = $D1F7         ; cold start: the file is to be loaded

        .org $D100

none:   rts             ; INITAD when a segment does not set it; RUNAD of a file that has done its work in INIT
leave:  lda COLDST      ; not 0: from within DOSINI, before BASIC has begun for the first time
        beq @warm
        sta LOADFLG
        inc COLDST
@warm:  jmp WARMSV
dosini: lda TRAMSZ
        beq none
        bit INIWANT
        bpl none
        jmp load
dosvec: bit VECWANT
        bmi load
        bit ENDED       ; the program has left through DOSVEC or a warm start
        lda TRAMSZ
        beq idle
        jmp leave
run:    bit RUNS
        jsr go
        bit ENDED       ; the program has returned
        bmi none
idle:   cli
        jmp wait
go:     jsr clear
        jmp (RUNAD)
clear:  lda #0
        tax
        ldy #1
        clc
        cld
        clv
        rts
boot:   bit RESTART     ; from here on the whole page is there
        jmp vector

; While the program runs the port shows nothing from here on.
        .res $D150-*, $FF
load:   lda #3          ; POKEY as at power-on, not as the boot's serial transfer left it
        sta SSKCTL
        sta SKCTL
next:   bit NEXT
        bmi run
        lda #<none
        sta INITAD
        lda #>none
        sta INITAD+1
copy:   lda DATA
store:  sta $FFFF
        bit LEFT
        bmi copy
        jsr init
        jmp next
init:   jsr clear
        jmp (INITAD)
vector: lda #<dosvec
        sta DOSVEC
        lda #>dosvec
        sta DOSVEC+1
        lda TRAMSZ
        bne @boot
        ldx OSMARK
        cpx #OLDOS
        beq @boot
        sta COLDST
        lda #1
        ora BOOT
        sta BOOT
        ldx #$FF
        txs
        jmp dosvec
@boot:  clc
        rts

; The wait after the program, which the port shows when it has ended. The loop is on the stack: an emulator runs it faster in RAM than in a chip's page.
wait:   ldx #$FF
        txs
        lda #>LOOP
        pha
        lda #<LOOP
        pha
        lda #$4C        ; JMP
        pha
        jmp LOOP

        .assert * <= $D1C0, error, "the loader ends before the host-folder device's registers"
        .assert load = $D150 .and store = $D16A .and wait = $D1A2, error, "machine/src/port.rs knows these addresses"
        .assert dosini = $D10E .and dosvec = $D11A .and run = $D129 .and idle = $D134, error, "saved states have these addresses"
        .res $D1C0-*, $FF

; The boot sector. It is of no more use when `boot` has returned.
        .byte 0, 1      ; flags, sectors
        .word $0480     ; where it lies
        .word dosini
        lda #0          ; joined channels would put a program's sounds out of tune that does not set AUDCTL
        sta AUDCTL
        jmp boot
