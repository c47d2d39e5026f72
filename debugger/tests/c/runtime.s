; What the code of frames.c calls: a stack that grows downwards from $3000, and its start.
        .exportzp sp, sreg, regsave, regbank, tmp1, tmp2, tmp3, tmp4, ptr1, ptr2, ptr3, ptr4
        .export pusha, pushax, pusha0, pushw0sp, stax0sp, decsp1, decsp3, decsp5, incsp2, incsp7
        .export __STARTUP__ : absolute = 1
        .import _main
        .segment "ZEROPAGE"
sp:     .res 2
sreg:   .res 2
regsave: .res 4
ptr1:   .res 2
ptr2:   .res 2
ptr3:   .res 2
ptr4:   .res 2
tmp1:   .res 1
tmp2:   .res 1
tmp3:   .res 1
tmp4:   .res 1
regbank: .res 6
        .segment "STARTUP"
start:  lda #<$3000
        sta sp
        lda #>$3000
        sta sp+1
        jsr begin
begin:  jmp _main               ; a routine may lead to another one
        .segment "CODE"
decsp5: lda #5
        bne down
decsp3: lda #3
        bne down
decsp1: lda #1
down:   sta tmp1                ; sp -= A
        lda sp
        sec
        sbc tmp1
        sta sp
        bcs :+
        dec sp+1
:       rts
incsp7: ldy #7
        bne up
incsp2: ldy #2
up:     sty tmp1                ; sp += Y, A and X stay
        pha
        tya
        clc
        adc sp
        sta sp
        bcc :+
        inc sp+1
:       pla
        rts
pusha0: ldx #0
pushax: pha
        lda #2
        jsr down
        ldy #1
        txa
        sta (sp),y
        pla
        dey
        sta (sp),y
        rts
pusha:  pha
        jsr decsp1
        ldy #0
        pla
        sta (sp),y
        rts
pushw0sp:
        ldy #1
        lda (sp),y
        tax
        dey
        lda (sp),y
        jmp pushax
stax0sp: ldy #0
        sta (sp),y
        pha
        txa
        iny
        sta (sp),y
        pla
        rts
