; Serial bus: command frames, data frames, retries, serial interrupts.

        .include "hardware.inc"
        .include "variables.inc"
        .include "modules.inc"

        .segment "PRINTER"

; Timer 1 of the serial bus.
TIMEUP: lda     #0
        sta     TIMFLG
        rts

        .segment "SIO"

ACK     = 'A'
NAK     = 'N'
COMPL   = 'C'

; ---------------------------------------------------------------- init

SIOINT: lda     #$3C                    ; motor off, command line high
        sta     PACTL
        sta     PBCTL
        lda     #3
        sta     SSKCTL
        sta     SOUNDR
        sta     SKCTL
        rts

; ---------------------------------------------------------------- SIOV

; Carries out the request in the DCB. Returns Y = DSTATS, N set from it.
SIO:    tsx
        stx     STACKP                  ; BREAK and timeouts come back here
        lda     #1
        sta     CRITIC
.if XL
        jsr     PBISIO
        bcc     @serial
        jmp     SIOEND
@serial:
.endif
        lda     DDEVIC                  ; $5F or $60: programs use both
        lsr     a
        adc     #0
        cmp     #$30
        bne     @bus
        jmp     CASSIO
@bus:   ldx     #0
        stx     CASFLG
        inx
.if XL
        lda     DDEVIC                  ; the reset of all polls is said once; no device answers it
        cmp     #$4F
        bne     @tries
        cmp     DAUX2
        bne     @tries
        dex
        stx     CRETRY
        stx     DRETRY
        beq     @command
@tries:
.endif
        stx     DRETRY
@device:
        lda     #13
        sta     CRETRY
@command:
        lda     #$28                    ; 19200 baud
        sta     AUDF3
        lda     #0
        sta     AUDF4
        clc
        lda     DDEVIC
        adc     DUNIT
        adc     #$FF
        sta     CDEVIC
        lda     DCOMND
        sta     CCOMND
        lda     DAUX1
        sta     CAUX1
        lda     DAUX2
        sta     CAUX2
        lda     #<CDEVIC
        ldx     #<(CDEVIC+4)
        jsr     BUFFER
        lda     #$34                    ; command line low
        sta     PBCTL
        jsr     MILLI
        jsr     SENDAN
        lda     #$3C
        sta     PBCTL
        jsr     ANSWR2
        beq     @accepted
        dec     CRETRY
        bpl     @command
        bmi     @again
@accepted:
        lda     DSTATS
        bpl     @sent
        jsr     MILLI
        jsr     DATAPT
        jsr     SENDAN
        jsr     ANSWR2
        bne     @again
@sent:  jsr     LISTEN
        jsr     DEVTIM                  ; the device's own time
        jsr     ANSWER
        sta     ERRFLG
        beq     @data
        cmp     #DERROR
        bne     @again                  ; no answer at all, or nonsense
@data:  bit     DSTATS
        bvc     @check
        asl     RECVDN                  ; the interrupt routine has already got ready for data, unless it is a program's own
        beq     @ready
        jsr     DATAPT2
@ready: jsr     DEVTIM
        jsr     RECEIV
@check: lda     ERRFLG                  ; ERROR was said, also with a data frame
        beq     @status
        sta     STATUS
@status:
        lda     STATUS
        bpl     SIOEND
@again: dec     DRETRY
        bmi     SIOEND
        jmp     @device
; STATUS is the result.
SIOEND: jsr     SENDDS
        lda     #0
        sta     CRITIC
        ldy     STATUS
        sty     DSTATS
        rts

; The receiver starts anew. Its interrupt stays on between the bytes of an answer; when the device leaves no gap, the next one takes 930 cycles,
; of which a wide text screen with players leaves the processor 370. So this comes before the time limit is set.
RECCLR: lda     #0
        sta     CHKSUM
        sta     BUFRFL
        sta     RECVDN
        sta     NOCKSM
        lda     #SUCCES
        sta     STATUS
        rts

; Receives into the buffer of the DCB.
DATAPT2:
        jsr     RECCLR
; Buffer of the DCB; the end is one past it.
DATAPT: clc
        lda     DBUFLO
        sta     BUFRLO
        adc     DBYTLO
        sta     BFENLO
        lda     DBUFHI
        sta     BUFRHI
        adc     DBYTHI
        sta     BFENHI
        rts

; X:Y = DTIMLO * 64 frames.
DEVTIM: lda     #0
        sta     TEMP3
        lda     DTIMLO
        lsr     a
        ror     TEMP3
        lsr     a
        ror     TEMP3
        tax
        ldy     TEMP3
        ora     TEMP3
        bne     @done
        iny
@done:  rts

; Sends a frame, and is ready for one byte before the device may answer.
SENDAN: jsr     SEND
        jsr     RECON
; Gets ready for one byte of the device.
LISTEN: jsr     RECCLR
        sta     NOCKSM                  ; not 0
        lda     #<SIOTMP
        ldx     #<(SIOTMP+1)
; Buffer from A to X in the page of the command frame and of the byte received.
BUFFER: sta     BUFRLO
        stx     BFENLO
        lda     #>CDEVIC
        .assert >SIOTMP = >CDEVIC, error, "one page"
        sta     BUFRHI
        sta     BFENHI
        rts

; The receiver and its interrupt on.
RECON:  lda     #$10
        jsr     SKMODE
        lda     #$20
        jmp     SERIRQ

; Waits for the byte that LISTEN is ready for: 2 frames.
ANSWR2: ldx     #0
        ldy     #2
; X:Y frames. A = 0 (Z = 1): acknowledged or complete; else A = STATUS = the error.
ANSWER: jsr     RECEIV
        ldy     STATUS
        bmi     @fail
        lda     SIOTMP
        ldy     #DERROR
        cmp     #'E'
        beq     @fail
        cmp     #ACK
        beq     @good
        cmp     #COMPL
        beq     @good
        ldy     #DNACK
@fail:  sty     STATUS
        tya
        rts
@good:  lda     #0
        rts

; About 1 ms.
MILLI:  ldx     #0
@loop:  nop                             ; 256 turns of 7 cycles
        dex
        bne     @loop
        rts

; ---------------------------------------------------------------- timeout

; TIMFLG becomes 0 after X:Y frames (timer 1).
SETTIM: lda     #<TIMEUP
        sta     CDTMA1
        lda     #>TIMEUP
        sta     CDTMA1+1
        lda     #$FF
        sta     CDTMV1                  ; a vertical blank between the bytes takes nothing from the high one
        stx     CDTMV1+1
        sty     CDTMV1
        sta     TIMFLG                  ; only now: the timer before may have run out meanwhile
        rts

; ---------------------------------------------------------------- sending

; Sends the bytes from BUFR to BFEN and their checksum.
SEND:   lda     #0
        sta     CHKSNT
        sta     XMTDON
        jsr     SENDEN
        ldy     #0
        lda     (BUFRLO),y
        sta     CHKSUM
        sta     SEROUT
@wait:  lda     BRKKEY
        beq     ABORT
        lda     XMTDON
        beq     @wait
        rts
; Serial interrupts off, channels silent.
SENDDS: lda     #0
        jsr     SERIRQ
        lda     #0
        ldx     #6
@quiet: sta     AUDC1,x
        dex
        dex
        bpl     @quiet
        rts

; BREAK: ends the whole request.
ABORT:  ldx     STACKP
        txs
        jsr     BREAK
        sty     STATUS
        lda     #$3C
        sta     PBCTL
        jmp     SIOEND

; SENDEV: transmitter on.
SENDEN: lda     #$20
        jsr     SKMODE
        lda     #$10
        jsr     SERIRQ
        jmp     AUDIO

; SKCTL = keyboard bits and A; bit 3 (two tones) for the cassette.
SKMODE: sta     TEMP1
        lda     SSKCTL
        and     #7
        ora     TEMP1
        ldx     CASFLG
        beq     @set
        ora     #8
@set:   sta     SSKCTL
        sta     SKCTL
        sta     SKRES
        rts

; Serial interrupt A on, the other two off.
SERIRQ: sta     TEMP1
        lda     POKMSK
        and     #$C7
        ora     TEMP1
        sta     POKMSK
        sta     IRQEN
        rts

; Channels 3 and 4 joined as the clock; heard unless SOUNDR is 0.
AUDIO:  lda     #$28
        sta     AUDCTL
        ldx     #$A8
        lda     SOUNDR
        bne     @noisy
        ldx     #$A0
@noisy: stx     AUDC3
        stx     AUDC4
        rts

; ---------------------------------------------------------------- receiving

; Receives bytes from BUFR to BFEN, and a checksum unless NOCKSM, within X:Y frames, after RECCLR and RECON. Result in STATUS.
RECEIV: jsr     SETTIM
RECVW:
@wait:  lda     BRKKEY
        beq     ABORT
        lda     RECVDN
        bne     @done
        lda     TIMFLG
        bne     @wait
        lda     #TIMOUT
        sta     STATUS
@done:  rts

; ---------------------------------------------------------------- serial interrupts

; VSERIN: a byte has come. BUFR points to its place, BFEN one past the end.
; After a frame without a checksum, an answer, it gets ready for a data frame, whose first byte may come at once: RECVDN is $80 then.
ISRSIR: tya
        pha
        ldy     #FRMERR
        lda     SKSTAT
        sta     SKRES
        bmi     @framed
        sty     STATUS
@framed:
        ldy     #OVRRUN
        and     #$20
        bne     @clean
        sty     STATUS
@clean: lda     BUFRFL
        bne     @check
        tay
        lda     SERIN
        sta     (BUFRLO),y
        clc
        adc     CHKSUM
        adc     #0
        sta     CHKSUM
        jsr     NXTBUF
        bcc     SEREXT
        lda     NOCKSM
        bne     @nosum
        dec     BUFRFL
        bmi     SEREXT                  ; always
@nosum: sty     NOCKSM                  ; 0
        sty     CHKSUM
        jsr     DATAPT
        lda     #$80
        bne     @over                   ; always
@check: lda     SERIN
        cmp     CHKSUM
        beq     @good
        lda     #CHKERR
        sta     STATUS
@good:  lda     #$FF
@over:  sta     RECVDN
        bne     SEREXT                  ; always

; The next place in the buffer. C = 1: it is at its end.
NXTBUF: inc     BUFRLO
        bne     @end
        inc     BUFRHI
@end:   lda     BUFRLO
        cmp     BFENLO
        lda     BUFRHI
        sbc     BFENHI
        rts

; VSEROR: the next byte may be given to the transmitter.
ISRODN: tya
        pha
        jsr     NXTBUF
        bcc     @next
        lda     CHKSNT
        bne     @last
        lda     CHKSUM
        sta     SEROUT
        lda     #$FF
        sta     CHKSNT
        bne     SEREXT
@last:  lda     POKMSK                  ; wait until the checksum has left
        ora     #8
        sta     POKMSK
        sta     IRQEN
        bne     SEREXT
@next:  ldy     #0
        lda     (BUFRLO),y
        sta     SEROUT
        clc
        adc     CHKSUM
        adc     #0
        sta     CHKSUM
SEREXT: pla
        tay
        pla
        rti

; VSEROC: the transmitter is empty.
ISRTD:  lda     CHKSNT
        beq     @not
        sta     XMTDON
        lda     POKMSK
        and     #$F7
        sta     POKMSK
        sta     IRQEN
@not:   pla
        rti
