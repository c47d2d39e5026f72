; NMI, IRQ, vertical blank, timers, keyboard interrupts.

        .include "hardware.inc"
        .include "variables.inc"
        .include "modules.inc"

        .segment "SETVBL"

; SETVBV: A = 1..5 timer, 6 VVBLKI, 7 VVBLKD; X = high byte, Y = low byte.
; Both bytes are written, and the caller's I flag is back, between the release by WSYNC near the end of a line and the place of the vertical
; blank early in the next one: so it is neither between the bytes nor loses its second stage. For that interrupts are shut out, and
; INTEMP used, only after that place of a line: the first WSYNC, and 31 cycles more in ISCTL. One that has come all the same while the
; second WSYNC held the processor is served after LDX, which takes its last cycles after the release.
SETVBL: sta     WSYNC
        jsr     ISCTL                   ; keeps A, X, Y
        php
        sei
        asl     a
        sta     INTEMP
        txa
        sta     WSYNC
        ldx     INTEMP
        sta     CDTMV1-1,x
        tya
        sta     CDTMV1-2,x
        plp
        rts

        .segment "INTERRUP"

; ---------------------------------------------------------------- NMI

NMI:    bit     NMIST
        bpl     @vbi
        jmp     (VDSLST)
.if XL
@vbi:   cld
        pha
.else
@vbi:   pha
        lda     NMIST
        and     #$20                    ; RESET key
        beq     @save
        jmp     WARMSV
@save:
.endif
        txa
        pha
        tya
        pha
        sta     NMIRES
        jmp     (VVBLKI)

; ---------------------------------------------------------------- vertical blank

        .segment "VBLANK"
.if XL
        .assert * = $C0E2, error, "stage 1: programs change only the high byte of VVBLKI"
.endif

; Stage 1: clock, attract mode, timer 1. Stage 2 only when nothing critical was interrupted.
SYSVBL: inc     RTCLOK+2
        beq     CARRY
CLOCK: ldx     #0
        lda     #$FE
        ldy     ATRACT
        bmi     DARK
MASK:  sta     DRKMSK
        stx     COLRSH
        txa
        eor     COLOR1
        and     DRKMSK
        sta     COLPF1
        lda     CDTMV1
        ora     CDTMV1+1
        beq     @idle
        ldx     #0
        jsr     COUNT
        bne     @idle
        jsr     DOTIM1
@idle:  lda     CRITIC
        bne     EXIT
        tsx
        lda     $0104,x                 ; status of the interrupted program
        and     #$04
        beq     VBL2
.if .not XL
XITVBL:
.endif
EXIT:   pla
        tay
        pla
        tax
        pla
DORTI:  rti

CARRY: inc     ATRACT
        inc     RTCLOK+1
        bne     CLOCK
        inc     RTCLOK
        jmp     CLOCK

DARK:  sta     ATRACT                  ; $FE: stays on
        ldx     RTCLOK+1
        lda     #$F6
        bne     MASK                   ; always

DOTIM1: jmp     (CDTMA1)
DOTIM2: jmp     (CDTMA2)

; Counts timer X/2+1, which is not 0, down. Z = it has just reached 0.
COUNT:  lda     CDTMV1,x
        bne     @low
        dec     CDTMV1+1,x
@low:   dec     CDTMV1,x
        bne     @done
        lda     CDTMV1+1,x
@done:  rts

; Timers 3 to 5: the same, and the flag: $FF while it runs, 0 at its end. Of a timer that does not run the flag is left alone.
FLAG:   jsr     COUNT
        beq     @set
        lda     #$FF
@set:   sta     CDTMF3-4,x
        rts

.if XL
.macro  FLAGTIMER timer
        lda     timer
        ora     timer+1
        beq     :+
        ldx     #timer-CDTMV1
        jsr     FLAG
:
.endmacro
.endif

VBL2:
.if XL
        lda     TRIG3
        cmp     GINTLK
@gone:  bne     @gone                   ; the cartridge has been pulled out
.endif
        cli
        lda     SDLSTH
        sta     DLISTH
        lda     SDLSTL
        sta     DLISTL
        lda     SDMCTL
        sta     DMACTL
        lda     CHBAS
        sta     CHBASE
        lda     CHACT
        sta     CHACTL
        lda     GPRIOR
        sta     PRIOR
        ldx     #8
        stx     CONSOL
.if XL
        lda     ATRACT
        bpl     @plain
@color: lda     PCOLR0,x
        eor     COLRSH
        and     DRKMSK
        sta     COLPM0,x
        dex
        bpl     @color
        bmi     @vscrol                 ; always
@plain:
        .repeat 9, i                    ; COLRSH is 0, and bit 0 of a colour does not exist
        lda     PCOLR0+i
        sta     COLPM0+i
        .endrep
@vscrol:
        ldx     VSFLAG                  ; fine scroll under way: lines still to go
        beq     @tim2
        dec     VSFLAG
        lda     #8
        sec
        sbc     VSFLAG
        and     #7
        sta     VSCROL
.else
@color: lda     PCOLR0,x
        eor     COLRSH
        and     DRKMSK
        sta     COLPM0,x
        dex
        bpl     @color
.endif
@tim2:  lda     CDTMV2
        ora     CDTMV2+1
        beq     @tim3
        ldx     #2
        jsr     COUNT
        bne     @tim3
        jsr     DOTIM2
@tim3:
.if XL
        FLAGTIMER CDTMV3
        FLAGTIMER CDTMV4
        FLAGTIMER CDTMV5
.else
        ldx     #4
@timer: lda     CDTMV1,x
        ora     CDTMV1+1,x
        beq     @next
        jsr     FLAG
@next:  inx
        inx
        cpx     #10
        bcc     @timer
.endif
        lda     SKSTAT
        and     #4
        beq     @held
        lda     KEYDEL                  ; key up: debounce
        beq     @ports
        dec     KEYDEL
        bpl     @ports
@held:  lda     SRTIMR
        beq     @ports
        dec     SRTIMR
        bne     @ports
.if XL
        lda     KEYDIS
        bne     @ports
        lda     KEYREP
.else
        lda     #6
.endif
        sta     SRTIMR
        lda     KBCODE
        sta     CH
@ports:
.if XL
        jmp     PORTS

        .segment "VBLANK2"

        ; Port A: two joysticks; each gives bits 2 and 3 to the triggers of its paddles as well.
PORTS:  ldx     PORTA
        txa
        and     #$0F
        sta     STICK0
        sta     STICK0+2
        lsr     a
        lsr     a
        tay
        and     #$01
        sta     PTRIG0
        sta     PTRIG0+4
        tya
        lsr     a
        sta     PTRIG0+1
        sta     PTRIG0+5
        txa
        lsr     a
        lsr     a
        lsr     a
        lsr     a
        sta     STICK0+1
        sta     STICK0+3
        lsr     a
        lsr     a
        tay
        and     #$01
        sta     PTRIG0+2
        sta     PTRIG0+6
        tya
        lsr     a
        sta     PTRIG0+3
        sta     PTRIG0+7
        .repeat 4, i
        lda     POT0+i
        sta     PADDL0+i
        sta     PADDL0+4+i
        .endrep
        .repeat 2, i
        lda     TRIG0+i
        sta     STRIG0+i
        sta     STRIG0+2+i
        .endrep
.else
        lda     PORTB
        ldx     #3
        jsr     STICKS
        lda     PORTA
        ldx     #1
        jsr     STICKS
        ldx     #3
@trig:  lda     TRIG0,x
        sta     STRIG0,x
        lda     POT0,x
        sta     PADDL0,x
        lda     POT0+4,x
        sta     PADDL0+4,x
        dex
        bpl     @trig
.endif
        sta     POTGO
        lda     PENH
        sta     LPENH
        lda     PENV
        sta     LPENV
        jmp     (VVBLKD)

.if XL
        .segment "XITVBL"
        .assert * = $C28A, error, "VVBLKD: programs compare it"
XITVBL: pla
        tay
        pla
        tax
        pla
        rti
.else
; A port with two joysticks, each with two paddle triggers in bits 2 and 3: A = port, X = higher joystick of the two (1 or 3).
STICKS: tay
        and     #$0F
        sta     STICK0-1,x
        tya
        lsr     a
        lsr     a
        lsr     a
        lsr     a
        sta     STICK0,x
        pha
        txa
        asl     a
        tax                             ; 2 or 6
        pla
        jsr     @two
        dex
        dex
        tya
        and     #$0F
@two:   lsr     a
        lsr     a
        lsr     a                       ; C = left, A = right paddle trigger
        sta     PTRIG0+1,x
        lda     #0
        rol     a
        sta     PTRIG0,x
        rts
.endif

; ---------------------------------------------------------------- IRQ

; Source `mask` of POKEY: when it is pending its latch is cleared and its vector taken.
.macro  SOURCE  mask, vector
        .local  next
        lda     #mask
        bit     IRQST
        bne     next
        lda     #mask ^ $FF
        sta     IRQEN
        lda     POKMSK
        sta     IRQEN
        jmp     (vector)
next:
.endmacro

        .segment "IRQS"

IRQ:
.if XL
        cld
.endif
        jmp     (VIMIRQ)

; Finds the source and goes through its vector with A on the stack. Unrolled: programs play samples with timer interrupts.
.if XL
IRQDEF: pha
        SOURCE  $20, VSERIN
.if XL
        lda     PDVS
        and     PDIMSK
        beq     @pokey
        jmp     (VPIRQ)
@pokey:
.endif
        SOURCE  $10, VSEROR
        lda     #$08                    ; output complete is a level: it counts only while it is enabled
        bit     IRQST
        bne     @timer
        bit     POKMSK
        beq     @timer
        lda     #$F7
        sta     IRQEN
        lda     POKMSK
        sta     IRQEN
        jmp     (VSEROC)
@timer: SOURCE  $01, VTIMR1
        SOURCE  $02, VTIMR2
        SOURCE  $04, VTIMR4
        SOURCE  $80, BRKKY
        SOURCE  $40, VKEYBD
        bit     PACTL
        bpl     @inter
        lda     PORTA
        jmp     (VPRCED)
@inter: bit     PBCTL
        bpl     @break
        lda     PORTB
        jmp     (VINTER)
@break: txa
        pha
        tsx
        lda     $0103,x
        and     #$10
        beq     @none
        pla
        tax
        jmp     (VBREAK)
@none:  pla
        tax
PLARTI: pla
        rti
.else
IRQDEF: pha
        txa
        pha
        ldx     #7
@look:  lda     MASKS,x
        bit     IRQST
        beq     @found
@next:  dex
        bpl     @look
        bit     PACTL
        bpl     @inter
        lda     PORTA
        ldx     #VPRCED-VDSLST
        bne     @go
@inter: bit     PBCTL
        bpl     @break
        lda     PORTB
        ldx     #VINTER-VDSLST
        bne     @go
@break: tsx
        lda     $0103,x
        and     #$10
        beq     @none
        ldx     #VBREAK-VDSLST
        bne     @go
@found: cmp     #$08                    ; output complete is a level: it counts only while it is enabled
        bne     @take
        and     POKMSK
        beq     @next
@take:  eor     #$FF
        sta     IRQEN
        lda     POKMSK
        sta     IRQEN
        lda     VECTS,x
        tax
@go:    lda     VDSLST,x
        sta     JVECK
        lda     VDSLST+1,x
        sta     JVECK+1
        pla
        tax
        jmp     (JVECK)
@none:
KEYEXT: pla
        tax
PLARTI: pla
        rti
; The sources from the last to the first, and the low bytes of their vectors.
MASKS:  .byte   $40, $80, $04, $02, $01, $08, $10, $20
VECTS:  .byte   <VKEYBD, <BRKKY, <VTIMR4, <VTIMR2, <VTIMR1, <VSEROC, <VSEROR, <VSERIN
.endif

; ---------------------------------------------------------------- keyboard interrupts

BRKIRQ: lda     #0
        sta     BRKKEY
        sta     SSFLAG
        sta     CRSINH
        sta     ATRACT
        beq     PLARTI

.if XL
; X is saved only where it is needed.
KEYIRQ: lda     KEYDIS
        bne     KEYOFF
        lda     KBCODE
        cmp     CH1
        bne     @new
        lda     KEYDEL
        bne     KEYEXT                  ; the same key bounces
@new:   lda     DMASAV
        bne     KEYSPC                  ; CTRL-F2 has put the screen out: any key brings it back
        lda     KBCODE
        bmi     KEYSPC
        and     #$3F
        cmp     #$11
        beq     KEYSPC                  ; HELP
        lda     KBCODE
KEYNEW: sta     CH
        sta     CH1
        lda     KRPDEL
        sta     SRTIMR
        lda     #0
        sta     ATRACT
KEYDON: lda     #3
        sta     KEYDEL
KEYEXT: pla
        rti
KEYSPC: jmp     KEYSP2
KEYOFF: jmp     KEYOF2
.else
KEYIRQ: txa
        pha
        lda     KBCODE
        cmp     CH1
        bne     @new
        ldx     KEYDEL
        bne     KEYEXT                   ; the same key bounces
@new:   cmp     #$9F                    ; CTRL-1 stops and continues output
        bne     @key
        sta     CH1
        lda     SSFLAG
        eor     #$FF
        sta     SSFLAG
        jmp     @quiet
@key:   sta     CH
        sta     CH1
        lda     #48
        sta     SRTIMR
        lda     #0
        sta     ATRACT
@quiet: lda     #3
        sta     KEYDEL
        bne     KEYEXT                  ; always
.endif

.if XL
        .segment "FKEYS2"

; The keyboard is off: only CTRL-F1 counts, which turns it on.
KEYOF2: lda     KBCODE
        cmp     #$83
        bne     @none
        cmp     CH1
        bne     KEYSP2
        lda     KEYDEL
        beq     KEYSP2
@none:  pla
        rti
KEYSP2: txa
        pha
        ldx     KBCODE
        jsr     FKCTL
        bcs     @quiet
        cpx     #$9F                    ; CTRL-1 stops and continues output
        bne     @help
        lda     SSFLAG
        eor     #$FF
        sta     SSFLAG
        jmp     @quiet
@help:  txa
        and     #$3F
        cmp     #$11
        beq     @flag
        pla
        tax
        lda     KBCODE
        jmp     KEYNEW
@flag:  stx     HELPFG
@quiet: stx     CH1
        pla
        tax
        jmp     KEYDON
.endif

.if XL
        .segment "RASTER"
        .assert * = $ED8A, error, "a number that changes with the raster"
; X = a number that changes from line pair to line pair and from frame to frame; V is clear. An intro of eight bytes colours the screen
; with it.
        lda     VCOUNT
        clc
        adc     RTCLOK+2
        tax
        clv
        rts
.endif
