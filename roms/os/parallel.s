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
        bcs     @nobody
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
@nobody:
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

; Unlinking and linked handlers are not kept: nothing to unlink, nothing to link.
PHUNLK: sec
        rts
PHINIT: sec
        rts
.endif
