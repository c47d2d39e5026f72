; C: cassette: records of 128 bytes behind $55 $55 and a control byte ($FC full, $FA part, its length in the last byte, $FE end of file).

        .include "hardware.inc"
        .include "variables.inc"
        .include "modules.inc"

        .segment "CASSETTE"

.if XL
CSPEC   = KNWRTS

CFULL   = $FC
CPART   = $FA
CEND    = $FE
LENGTH  = 128

CINIT:  lda     #<$05CC                 ; 600 baud: 1789790 / 1200 - 7
        sta     CBAUDL
        lda     #>$05CC
        sta     CBAUDH
CSTATE: ldy     #SUCCES
        rts

; ---------------------------------------------------------------- handler

; OPEN for reading or writing; AUX2 bit 7: short gaps, the motor goes on between records.
COPEN:  lda     ICAX2Z
        sta     FTYPE
        lda     ICAX1Z
        and     #12
        cmp     #4
        beq     CSOPEN
        cmp     #8
        beq     @write
        ldy     #FNCNOT
        rts
@write: lda     #2                      ; two beeps: PLAY and RECORD
        ldx     #$80
        jsr     START
        bmi     CRTS
        jsr     TONE
        lda     #$34
        sta     PACTL
        ldx     #>1152                  ; leader: 19.2 s
        ldy     #<1152
        jsr     DELAY
        bmi     STOPPED
        lda     #0
        sta     BPTR
        beq     CSTATE
STOPPED:
        jmp     STOP

; CSOPIV: open for reading, FTYPE is set.
CSOPEN: lda     #1                      ; one beep: PLAY
        ldx     #0
        jsr     START
        bmi     CRTS
        lda     #$34
        sta     PACTL
        ldx     #>576                   ; into the leader: 9.6 s
        ldy     #<576
        jsr     DELAY
        bmi     STOPPED
        lda     #LENGTH                 ; nothing in the buffer
        sta     BPTR
        sta     BLIM
        bne     CSTATE

; Beeps A times and waits for a key. X = WMODE.
START:  sta     FREQ
        stx     WMODE
        lda     #0
        sta     FEOF
@beep:  ldy     #60                     ; half a second
@click: jsr     CLICK
        dey
        bne     @click
        ldx     #0
        ldy     #15
        jsr     DELAY
        bmi     CRTS
        dec     FREQ
        bne     @beep
        jsr     KGETCH
        tya
CRTS:   rts

; GET.
CGETCH: lda     FEOF
        bne     @end
        ldx     BPTR
        cpx     BLIM
        bcc     @byte
        jsr     RDBLOK
        bmi     CRTS
        ldx     BPTR
@byte:  lda     CASBUF+3,x
        inc     BPTR
        bne     @good
@end:   ldy     #EOFERR
        rts
@good:  ldy     #SUCCES
        rts

; RBLOKV: the next record; BPTR, BLIM, FEOF are set from its control byte.
RDBLOK: lda     #'R'
        ldy     #$40
        jsr     RECORD
        bmi     CRTS
        lda     #0
        sta     BPTR
        ldx     #LENGTH
        lda     CASBUF+2
        cmp     #CEND
        beq     @end
        cmp     #CPART
        bne     @limit
        ldx     CASBUF+LENGTH+2
@limit: stx     BLIM
        ldy     #SUCCES
        rts
@end:   sta     FEOF
        ldy     #EOFERR
        rts

; PUT.
CPUTCH: ldx     BPTR
        sta     CASBUF+3,x
        inx
        stx     BPTR
        cpx     #LENGTH
        bne     @good
        lda     #CFULL
        jmp     WRITE
@good:  ldy     #SUCCES
        rts

; CLOSE: what is left, and the end of file.
CCLOSE: lda     WMODE
        bpl     @ok
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
        bmi     STOP
@ok:    ldy     #SUCCES
; Motor off. Keeps Y.
STOP:   lda     #$3C
        sta     PACTL
        tya
        rts

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
RECORD: sta     DCOMND
        sty     DSTATS
        lda     #$60
        sta     DDEVIC
        lda     #0
        sta     DUNIT
        sta     DBYTHI
        lda     #<CASBUF
        sta     DBUFLO
        lda     #>CASBUF
        sta     DBUFHI
        lda     #LENGTH+3
        sta     DBYTLO
        lda     #53
        sta     DTIMLO
        lda     FTYPE
        sta     DAUX2
        jmp     SIOV

; Waits X:Y frames. N = 1, Y = status after BREAK.
DELAY:  jsr     SETTIM
@wait:  lda     BRKKEY
        beq     @break
        lda     TIMFLG
        bne     @wait
        ldy     #SUCCES
        rts
@break: jmp     BREAK

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

; ---------------------------------------------------------------- SIO

; SIO for the cassette: gap, record.
CASSIO: lda     #$FF
        sta     CASFLG
        lda     #$34
        sta     PACTL
        bit     DSTATS
        bpl     @read
        jsr     TONE
        ldx     #0
        ldy     #15                     ; 0.25 s or 3 s
        bit     DAUX2
        bmi     @gap1
        ldy     #180
@gap1:  jsr     DELAY
        bmi     @abort
        jsr     DATAPT
        jsr     SEND
        lda     #SUCCES
        sta     STATUS
        bne     @done
@read:  lda     #0                      ; the receiver stands still, or it would be within a byte when the speed is known
        sta     SKCTL
        jsr     SKMODE
        jsr     AUDIO
        ldx     #0
        ldy     #10                     ; 0.16 s or 2 s
        bit     DAUX2
        bmi     @gap2
        ldy     #120
@gap2:  jsr     DELAY
        bmi     @abort
        jsr     DEVTIM
        jsr     SETTIM
        jsr     DATAPT2
        jsr     MEASURE
        bmi     @abort
        jsr     RECVC                   ; with the checksum of the two bytes measured
@done:  bit     DAUX2
        bmi     @end
        jsr     STOP
@end:   jmp     SIOEND
@abort: sty     STATUS
        jsr     STOP
        jmp     SIOEND

; Sets the speed from the 19 bits between the first edge of $55 $55 and their last: each unit of VCOUNT is 228 cycles, so that the count
; for POKEY is 114 / 19 = 6 times the units, less 7. Puts the two bytes into the buffer and their sum into CHKSUM. N = 1, Y = status when
; nothing comes.
FRAME   = TIMER2+1
NOEDGE: ldy     #TIMOUT
        rts
NOTIME: jmp     BREAK
MEASURE:
        lda     #0
        sta     TIMER1
        sta     TIMER1+1
        ldx     #20                     ; the first edge begins the time
        lda     #$10                    ; the line is high before
        sta     TEMP1
@edge:  lda     BRKKEY
        beq     NOTIME
        lda     TIMFLG
        beq     NOEDGE
        cpx     #20
        beq     @level                  ; nothing to count yet
        lda     VCOUNT
        tay
        sec
        sbc     TIMER2
        bcs     @add
        adc     FRAME                   ; the count has begun again
@add:   clc
        adc     TIMER1
        sta     TIMER1
        bcc     @same
        inc     TIMER1+1
@same:  sty     TIMER2
@level: lda     SKSTAT
        and     #$10
        cmp     TEMP1
        beq     @edge
        sta     TEMP1
        cpx     #20
        bne     @next
        lda     VCOUNT
        sta     TIMER2
        ldy     #131                    ; units of a frame
        lda     PAL
        and     #$0E
        bne     @ntsc
        ldy     #156
@ntsc:  sty     FRAME
@next:  dex
        bne     @edge
        lda     TIMER1                  ; x 6 - 7
        ldx     TIMER1+1
        asl     TIMER1
        rol     TIMER1+1
        clc
        adc     TIMER1
        sta     TIMER1
        txa
        adc     TIMER1+1
        asl     TIMER1
        rol     a
        tax
        sec
        lda     TIMER1
        sbc     #7
        sta     AUDF3
        txa
        sbc     #0
        sta     AUDF4
        sta     STIMER                  ; at once, not when the old count is over
        lda     #$55
        ldy     #0
        sta     (BUFRLO),y
        iny
        sta     (BUFRLO),y
        lda     #$AA
        sta     CHKSUM
        clc
        lda     BUFRLO
        adc     #2
        sta     BUFRLO
        bcc     @set
        inc     BUFRHI
@set:   ldy     #SUCCES
        rts

; ---------------------------------------------------------------- boot

; Boots from cassette (START was held down): like a disk, by records. One more record than the program has is read.
CASBOT: lda     #$80
        sta     FTYPE
        sta     CASSBT
        jsr     CSOPIV
        bmi     @error
        jsr     RBLOKV
        bmi     @error
        ldx     #3
@head:  lda     CASBUF+3,x
        sta     DFLAGS,x
        dex
        bpl     @head
        lda     CASBUF+7
        sta     CASINI
        lda     CASBUF+8
        sta     CASINI+1
        lda     BOOTAD
        sta     RAMLO
        lda     BOOTAD+1
        sta     RAMLO+1
@record:
        ldy     #LENGTH-1
@copy:  lda     CASBUF+3,y
        sta     (RAMLO),y
        dey
        bpl     @copy
        clc
        lda     RAMLO
        adc     #LENGTH
        sta     RAMLO
        bcc     @read
        inc     RAMLO+1
@read:  jsr     RBLOKV
        php
        dec     DBSECT
        beq     @run                    ; the last one may be the end of file
        plp
        bpl     @record
@error: jsr     STOP
        jsr     BOTERR
        jmp     @over
@run:   plp
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

.else

; There is no room for it in the 10K ROM.
COPEN   = KNWRTS
CCLOSE  = KNWRTS
CGETCH  = KNWRTS
CPUTCH  = KNWRTS
CSTATE  = KNWRTS
CSPEC   = KNWRTS
RDBLOK  = KNWRTS
CSOPEN  = KNWRTS
CASBOT  = KNWRTS

CINIT:  lda     #$CC
        sta     CBAUDL
        lda     #$05
        sta     CBAUDH
        rts

CASSIO: ldy     #NONDEV
        sty     STATUS
        jmp     SIOEND
.endif
