; Parallel bus devices and loaded peripheral handlers (XL).

        .include "hardware.inc"
        .include "variables.inc"
        .include "modules.inc"

.if XL
        .segment "XLONLY"

; Finds the devices: each of the eight select bits whose ROM shows the two identification bytes is initialised.
PBISCN: lda     #0
        sta     PDVMSK
        sta     PDIMSK
        sec
@next:  ror     a                       ; $80, $40 .. $01
        bcs     @off
        pha
        sta     SHPDVS
        sta     PDVS
        lda     PDID1
        cmp     #$80
        bne     @none
        lda     PDID2
        cmp     #$91
        bne     @none
        jsr     PDINIT
@none:  pla
        clc
        bcc     @next
@off:   lda     #0
DESEL:  sta     SHPDVS
        sta     PDVS
        rts

; A parallel device may take the request in the DCB: C = 1 when one has done so (STATUS is set).
PBISIO: lda     PDVMSK
        beq     @no
        lda     #0
        sec
@next:  ror     a
        bcs     @off
        pha
        and     PDVMSK
        beq     @skip
        sta     SHPDVS
        sta     PDVS
        jsr     PDIOV
        bcc     @skip
        pla
        lda     #0
        jsr     DESEL
        sec
        rts
@skip:  pla
        clc
        bcc     @next
@off:   lda     #0
        jsr     DESEL
@no:    clc
        rts

; Interrupt of a parallel device: A is on the stack.
PBIIRQ: txa
        pha
        lda     SHPDVS
        pha
        ldx     #7
@find:  lda     BITTAB,x
        and     PDIMSK
        and     PDVS
        bne     @found
        dex
        bpl     @find
        bmi     @exit
@found: sta     SHPDVS
        sta     PDVS
        jsr     PDIRQV
@exit:  pla
        jsr     DESEL
        pla
        tax
        pla
        rti

        .segment "PBIGEN"

; Generic parallel handler: each request goes to the devices in turn until one takes it (C = 1).
GOPEN:  ldy     #0
        .byte   $2C
GCLOSE: ldy     #2
        .byte   $2C
GGETCH: ldy     #4
        .byte   $2C
GPUTCH: ldy     #6
        .byte   $2C
GSTAT:  ldy     #8
        .byte   $2C
GSPEC:  ldy     #10
        sta     PPTMPA
        stx     PPTMPX
        sty     RELADR
        lda     CRITIC
        pha
        lda     #1
        sta     CRITIC
        lda     #0
        sec
@next:  ror     a
        bcs     @none
        pha
        and     PDVMSK
        beq     @skip
        sta     SHPDVS
        sta     PDVS
        jsr     @call
        bcc     @skip
        sta     PPTMPA
        pla
        lda     #0
        jsr     DESEL
        pla
        sta     CRITIC
        lda     PPTMPA
        cpy     #0
        rts
@skip:  pla
        clc
        bcc     @next
@none:
        lda     #0
        jsr     DESEL
        pla
        sta     CRITIC
        ldy     #NONDEV
        rts
@call:  ldy     RELADR
        lda     PDVV+1,y
        pha
        lda     PDVV,y
        pha
        lda     PPTMPA
        ldx     PPTMPX
        ldy     #FNCNOT
        clc
GINIT:  rts

        .segment "CHAIN"

; Handlers loaded into RAM. PHENTR: X = name, A = high, Y = low byte of the table.
; C = 0 added; C = 1, N = 0 exists; C = 1, N = 1 the table is full.
PHENTR: pha
        tya
        pha
        txa
        ldx     #HATEND-HATABS-3
@have:  cmp     HATABS,x
        beq     @exists
        dex
        dex
        dex
        bpl     @have
        ldx     #0
        pha
@free:  lda     HATABS,x
        beq     @room
        inx
        inx
        inx
        cpx     #HATEND-HATABS
        bcc     @free
        pla
        pla
        pla
        lda     #$FF
        sec
        rts
@room:  pla
        sta     HATABS,x
        pla
        sta     HATABS+1,x
        pla
        sta     HATABS+2,x
        clc
        rts
@exists:
        pla
        tay
        pla
        inx
        sec
        rts

; Chain of loaded handlers, from CHLINK. A table is the 15 bytes of section "handler tables", then
;  15 checksum: makes the sum of bytes 0 to 17 zero; 16-17 bytes to add to MEMLO; 18-19 next table, 0 = last.

; PHINIV: A = high, Y = low byte of a table: to the end of the chain, then its init routine. C = 1: its size is added to MEMLO.
; Returns C = 1 when it is in the chain already.
PHINIT: php
        sta     HIBYTE
        sty     LCOUNT
        jsr     FIND
        bcs     @linked
        ldy     #18                     ; ZCHAIN = last table, or CHLINK
        lda     LCOUNT
        sta     (ZCHAIN),y
        iny
        lda     HIBYTE
        sta     (ZCHAIN),y
        sta     ZCHAIN+1
        lda     LCOUNT
        sta     ZCHAIN
        lda     #0
        sta     (ZCHAIN),y
        dey
        sta     (ZCHAIN),y
        jsr     SUM
        eor     #$FF
        sec
        ldy     #15
        adc     (ZCHAIN),y
        sta     (ZCHAIN),y
        plp
        bcc     @init
        ldy     #16
        clc
        lda     MEMLO
        adc     (ZCHAIN),y
        sta     MEMLO
        iny
        lda     MEMLO+1
        adc     (ZCHAIN),y
        sta     MEMLO+1
@init:  jsr     CALLIN
        clc
        rts
@linked:
        plp
        sec
        rts

; PHUNLV: takes table A:Y out of the chain. C = 1: it is not there.
PHUNLK: sta     HIBYTE
        sty     LCOUNT
        jsr     FIND
        bcc     @none
        ldy     #18                     ; ADRESS = the table, ZCHAIN = the one before
        lda     (ADRESS),y
        sta     (ZCHAIN),y
        iny
        lda     (ADRESS),y
        sta     (ZCHAIN),y
        clc
        rts
@none:  sec
        rts

; Looks for table HIBYTE:LCOUNT. C = 1: ADRESS = the table, ZCHAIN = the one before; C = 0: ZCHAIN = the last one.
; The one before the first is a table of which only the link, CHLINK, is there.
FIND:   lda     #<(CHLINK-18)
        sta     ADRESS
        lda     #>(CHLINK-18)
        sta     ADRESS+1
@next:  lda     ADRESS
        sta     ZCHAIN
        lda     ADRESS+1
        sta     ZCHAIN+1
        ldy     #19
        lda     (ZCHAIN),y
        beq     @end
        sta     ADRESS+1
        dey
        lda     (ZCHAIN),y
        sta     ADRESS
        cmp     LCOUNT
        bne     @next
        lda     ADRESS+1
        cmp     HIBYTE
        bne     @next
        rts
@end:   clc
        rts

; A = sum of the bytes 0 to 17 at ZCHAIN.
SUM:    ldy     #17
        lda     #0
@byte:  clc
        adc     (ZCHAIN),y
        dey
        bpl     @byte
        tax
        txa
        rts

; Calls the init routine of the table at ZCHAIN.
CALLIN: clc
        lda     ZCHAIN
        adc     #11
        tax
        lda     ZCHAIN+1
        adc     #0
        pha
        txa
        pha
        rts

; After RESET: the handlers of the chain are initialised again, up to the first that is damaged.
PHWARM: lda     CHLINK+1
        beq     @done
        lda     #<(CHLINK-18)
        sta     ZCHAIN
        lda     #>(CHLINK-18)
        sta     ZCHAIN+1
@next:  ldy     #18
        lda     (ZCHAIN),y
        tax
        iny
        lda     (ZCHAIN),y
        beq     @done
        pha
        txa
        pha
        lda     ZCHAIN
        sta     ADRESS
        lda     ZCHAIN+1
        sta     ADRESS+1
        pla
        sta     ZCHAIN
        pla
        sta     ZCHAIN+1
        jsr     SUM
        bne     @cut
        ldy     #16
        clc
        lda     MEMLO
        adc     (ZCHAIN),y
        sta     MEMLO
        iny
        lda     MEMLO+1
        adc     (ZCHAIN),y
        sta     MEMLO+1
        lda     ZCHAIN
        pha
        lda     ZCHAIN+1
        pha
        jsr     CALLIN
        pla
        sta     ZCHAIN+1
        pla
        sta     ZCHAIN
        jmp     @next
@cut:   ldy     #19
        lda     #0
        sta     (ADRESS),y
@done:  rts
.endif
