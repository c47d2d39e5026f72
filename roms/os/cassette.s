; C: cassette: records of 128 bytes after $55 $55 and a control byte ($FC full, $FA part, its length in the last byte, $FE end of file).

        .include "hardware.inc"
        .include "variables.inc"
        .include "modules.inc"

        .segment "CASSETTE"

CSPEC   = KNWRTS

CFULL   = $FC
CPART   = $FA
CEND    = $FE
LENGTH  = 128

CSTATE  = KSTAT
CRTS:   rts

; ---------------------------------------------------------------- handler

; OPEN for reading or writing; AUX2 bit 7: short gaps, the motor goes on between records. CIO has set Y = FNCNOT.
COPEN:  lda     ICAX2Z
        sta     FTYPE
        lda     ICAX1Z
        and     #12
        cmp     #4
        beq     CSOPEN
        ldx     #$80
        cmp     #8
        bne     CRTS
        lda     #2                      ; two beeps: PLAY and RECORD
        bne     START

; CSOPIV: open for reading, FTYPE is set.
CSOPEN: ldx     #0
        lda     #1                      ; one beep: PLAY
; Beeps A times, waits for a key, and for the leader. X = WMODE.
START:  stx     WMODE
        jsr     BEEPS
        bmi     CRTS
        lda     #0
        sta     FEOF
        jsr     KGETCH
        tya
        bmi     CRTS
        lda     WMODE                   ; reading: the buffer is at its end; writing: empty
        eor     #LENGTH
        sta     BPTR
        sta     BLIM
        lda     #$34                    ; motor
        sta     PACTL
        ldx     #>576                   ; into the leader: 9.6 s
        ldy     #<576
        bit     WMODE
        bpl     @leader
        jsr     TONE
        ldx     #>1152                  ; a leader of 19.2 s
        ldy     #<1152
@leader:
        jsr     DELAY
        bpl     CRTS

; Motor off. Keeps Y.
STOP:   lda     #$3C
        sta     PACTL
        tya
        rts

; GET.
CGETCH: lda     FEOF
        bne     ATEND
        ldx     BPTR
        cpx     BLIM
        bcc     @byte
        jsr     RDBLOK
        bmi     CRTS
        ldx     BPTR
@byte:  lda     CASBUF+3,x
        inc     BPTR
        bne     GOOD                    ; always

; RBLOKV: the next record; BPTR, BLIM, FEOF are set from its control byte.
RDBLOK: lda     #'R'
        ldy     #$40
        jsr     RECORD
        bmi     GOODR
        lda     #0
        sta     BPTR
        ldx     #LENGTH
        lda     CASBUF+2
        cmp     #CEND
        beq     LASTRC
        cmp     #CPART
        bne     @limit
        ldx     CASBUF+LENGTH+2
@limit: stx     BLIM
GOOD:   ldy     #SUCCES
GOODR:  rts
LASTRC: sta     FEOF
ATEND:  ldy     #EOFERR
        rts

; PUT.
CPUTCH: ldx     BPTR
        sta     CASBUF+3,x
        inx
        stx     BPTR
        bpl     GOOD                    ; up to LENGTH
        lda     #CFULL
        bne     WRITE

; CLOSE: what is left, and the end of file.
CCLOSE: ldy     #SUCCES
        lda     WMODE
        bpl     STOP
        ldx     BPTR
        beq     @end
        stx     CASBUF+LENGTH+2
        lda     #CPART
        jsr     WRITE
        bmi     STOP
@end:   ldx     #LENGTH
        lda     #0
        sta     WMODE
@clear: sta     CASBUF+2,x
        dex
        bne     @clear
        lda     #CEND
        jsr     WRITE
        jmp     STOP

; Writes the buffer with control byte A.
WRITE:  sta     CASBUF+2
        lda     #$55
        sta     CASBUF
        sta     CASBUF+1
        lda     #0
        sta     BPTR
        lda     #'W'
        ldy     #$80

; SIO request A for the buffer, Y = direction.
RECORD: sty     DSTATS
        tay
        lda     #<CASBUF
        sta     DBUFLO
        lda     #>CASBUF
        sta     DBUFHI
        lda     #LENGTH+3
        sta     DBYTLO
        lda     FTYPE
        sta     DAUX2
        lda     #$5F
        ldx     #53
        jmp     REQ

        .segment "BEEPS"
.if XL
        .assert * = $FDFC, error, "tape beep"
.endif
; A beeps, with a pause after each; programs call it. N = 1, Y = status after BREAK.
BEEPS:  sta     FREQ
@beep:  jsr     BELL
        ldx     #0
        ldy     #15
        jsr     DELAY
        bmi     @done
        dec     FREQ
        bne     @beep
@done:  rts

        .segment "CASSETT2"

; Waits X:Y frames. N = 1, Y = status after BREAK.
DELAY:  jsr     SETTIM
@wait:  lda     BRKKEY
        beq     NOTIME
        lda     TIMFLG
        bne     @wait
        ldy     #SUCCES
        rts
NOTIME: jmp     BREAK

        .segment "CASSETT3"

; The mark tone at the nominal speed.
TONE:   lda     #$FF
        sta     CASFLG
        lda     #5                      ; 5327 Hz, 3995 Hz
        sta     AUDF1
        lda     #7
        sta     AUDF2
        lda     CBAUDL
        sta     AUDF3
        lda     CBAUDH
        sta     AUDF4
        lda     #$20
        jsr     SKMODE
        jmp     AUDIO

        .segment "CASSETT4"

CINIT:  lda     #<$05CC                 ; 600 baud: 1789790 / 1200 - 7
        sta     CBAUDL
        lda     #>$05CC
        sta     CBAUDH
        rts

; ---------------------------------------------------------------- SIO

; SIO for the cassette: gap, record.
CASSIO: lda     #$FF
        sta     CASFLG
        lda     #$34
        sta     PACTL
.if .not XL
        jsr     TONE
.endif
        bit     DSTATS
        bpl     @read
.if XL
        jsr     TONE
.endif
        lda     #15                     ; 0.25 s or 3 s
        ldy     #180
        jsr     @gap
        bmi     @abort
        jsr     DATAPT
        jsr     SEND
        lda     #SUCCES
        sta     STATUS
        bne     @done
@read:
.if XL
        lda     #0                      ; the receiver stands still, or it would be within a byte when the speed is known
        sta     SKCTL
        jsr     SKMODE
        jsr     AUDIO
.endif
        lda     #10                     ; 0.16 s or 2 s
        ldy     #120
        jsr     @gap
        bmi     @abort
.if XL
        jsr     DEVTIM
        jsr     SETTIM
        jsr     DATAPT2
        jsr     MEASURE
        bmi     @abort
        jsr     RECON
        jsr     RECVW                   ; with the checksum of the two bytes measured
.else
        jsr     DATAPT2                 ; the nominal speed: there is no room to measure it
        jsr     RECON
        jsr     DEVTIM
        jsr     RECEIV
.endif
@done:  bit     DAUX2
        bmi     @end
        jsr     STOP
@end:   jmp     SIOEND
@abort: sty     STATUS
        jsr     STOP
        jmp     SIOEND
@gap:   ldx     #0
        bit     DAUX2
        bpl     @long
        tay
@long:  jmp     DELAY

.if XL
        .segment "CASSETT2"

; Sets the speed from the 19 bits between the first edge of $55 $55 and their last: each unit of VCOUNT is 228 cycles, so that the count
; for POKEY is 114 / 19 = 6 times the units, less 7. Puts the two bytes into the buffer and their sum into CHKSUM. N = 1, Y = status when
; nothing comes.
NOEDGE: ldy     #TIMOUT
        rts
MEASURE:
        ldx     #20                     ; the first edge begins the time
        lda     #$10                    ; the line is high before
        sta     TEMP1
@edge:  lda     BRKKEY
        beq     NOTIME
        lda     TIMFLG
        beq     NOEDGE
        lda     VCOUNT
        cmp     TIMER2
        beq     @level
        sta     TIMER2
        clc
        lda     TIMER1
        adc     #6
        sta     TIMER1
        bcc     @level
        inc     TIMER1+1
@level: lda     SKSTAT
        and     #$10
        cmp     TEMP1
        beq     @edge
        sta     TEMP1
        cpx     #20
        bne     @next
        lda     #<-7
        sta     TIMER1
        lda     #>-7
        sta     TIMER1+1
@next:  dex
        bne     @edge
        lda     TIMER1
        sta     AUDF3
        lda     TIMER1+1
        sta     AUDF4
        sta     STIMER                  ; at once, not when the old count is over
        lda     #$AA
        sta     CHKSUM
        jsr     @byte
@byte:  lda     #$55
        ldy     #0
        sta     (BUFRLO),y
        iny
        inc     BUFRLO
        bne     @done
        inc     BUFRHI
@done:  tya                             ; SUCCES
        rts
.endif

; ---------------------------------------------------------------- boot

        .segment "CASSETT4"

; Boots from cassette (START was held down): like a disk, by records. One more record than the program has is read.
CASBOT: lda     #$80
        sta     FTYPE
        sta     CASSBT
        jsr     CSOPIV
        bmi     @error
        jsr     RBLOKV
        bmi     @error
        jsr     BOTHED
        stx     CASINI
        sty     CASINI+1
@record:
        jsr     BOTCPY
        beq     @last
        jsr     RBLOKV
        bpl     @record
@error: jsr     STOP
        jsr     BOTERR
        jmp     @over
@last:  jsr     RBLOKV                  ; may be the end of file
        jsr     STOP
        jsr     BOTRUN
        bcs     @error
        lda     BOOT
        ora     #2
        sta     BOOT
        jsr     @init
@over:  lda     #0
        sta     CASSBT
        sta     CKEY
        rts
@init:  jmp     (CASINI)
