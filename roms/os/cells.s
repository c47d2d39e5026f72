; Cells of the screen: characters and pixels, their addresses and codes.

        .include "variables.inc"
        .include "modules.inc"

        .segment "SMALL2"

; Pixel masks at the right end of a byte, by pixels per byte (1, 2, 4, 8), and bits per pixel.
PIXMSK: .byte   $FF, $0F, $03, $01
PIXBIT: .byte   8, 4, 2, 1

        .segment "CELLS"

; C = 1 when ROWCRS/COLCRS lie outside the full screen of DINDEX; Y = the status for that.
RANGE:  jsr     ROWCLS
        lda     ROWCRS
        cmp     ROWS,y
        bcs     @out
        jsr     COLMNS                  ; X:A = columns
        sta     HOLD1
        stx     SUBTMP
        lda     COLCRS
        cmp     HOLD1
        lda     COLCRS+1
        sbc     SUBTMP
@out:   ldy     #CRSROR
        lda     DINDEX                  ; what GET gives then
        rts

; Columns of DINDEX: A low, X high.
COLMNS: ldx     DINDEX
        lda     MODE2,x
        pha
        and     #3
        tay                             ; bytes per row = 10 << Y
        pla
        lsr     a
        lsr     a
        and     #3
        sta     HOLD1                   ; pixels per byte = 1 << HOLD1
        tya
        clc
        adc     HOLD1
        tay
.if .not XL
        .assert * = $FCD8, error, "programs know the 400 and 800 by the byte $A2 here (Mapping the Atari), this opcode"
.endif
        ldx     #0
        lda     #10
        cpy     #5                      ; 10 << 5 = 320
        bne     @shift
        ldx     #1
@shift: dey
        bmi     @done
        asl     a
        bcc     @shift                  ; only the last one can overflow
@done:  rts

        .segment "CONVERT"
.if XL
        .assert * = $F5AC, error, "address of a pixel"
.endif
; Address of ROWCRS/COLCRS in DINDEX -> ADRESS and OLDADR, DMASK = mask of the pixel, SHFAMT = its distance from bit 0.
CONVRT: ldx     DINDEX
        lda     MODE2,x
        sta     HOLD1
        lda     #0
        sta     ADRESS+1
        lda     ROWCRS                  ; row * 10
        asl     a
        rol     ADRESS+1
        asl     a
        rol     ADRESS+1
        clc
        adc     ROWCRS
        bcc     @ten
        inc     ADRESS+1
@ten:   asl     a
        rol     ADRESS+1
        sta     ADRESS
        lda     HOLD1
        and     #3
        tay
        beq     @added
@wide:  asl     ADRESS
        rol     ADRESS+1
        dey
        bne     @wide
@added: lda     HOLD1
        lsr     a
        lsr     a
        and     #3
        tax                             ; pixels per byte = 1 << X
        lda     COLCRS
        cpx     #0
        beq     @byte
        lda     COLCRS+1
        lsr     a                       ; 320 columns: bit 8
        lda     COLCRS
        ror     a
        cpx     #1
        beq     @byte
        lsr     a
        cpx     #2
        beq     @byte
        lsr     a
@byte:  clc
        adc     ADRESS
        sta     ADRESS
        bcc     @base
        inc     ADRESS+1
        clc
@base:  adc     SAVMSC
        sta     ADRESS
        sta     OLDADR
        lda     ADRESS+1
        adc     SAVMSC+1
        sta     ADRESS+1
        sta     OLDADR+1
        lda     COLCRS                  ; pixel in the byte, counted from the right
        eor     #$FF
        and     ONES,x
        tay
        lda     #0
        cpy     #0
        beq     @shift
@bits:  clc
        adc     PIXBIT,x
        dey
        bne     @bits
@shift: sta     SHFAMT
        tay
        lda     PIXMSK,x
        cpy     #0
        beq     @mask
@up:    asl     a
        dey
        bne     @up
@mask:  sta     DMASK
        rts
ONES:   .byte   0, 1, 3, 7

        .segment "CODES"

; ATASCII -> screen code.
TOSCRN: jsr     CODE5
        eor     CODEX,x
        rts
; Screen code -> ATASCII.
TOATA:  jsr     CODE5
        eor     CODEY,x
        rts
; X = bits 5 and 6 of A.
CODE5:  pha
        rol     a
        rol     a
        rol     a
        rol     a
        and     #3
        tax
        pla
        rts
CODEX:  .byte   $40, $20, $60, $00      ; 00-1F -> 40-5F, 20-3F -> 00-1F, 40-5F -> 20-3F
CODEY:  .byte   $20, $60, $40, $00
