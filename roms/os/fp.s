; The floating point package, $D800-$DFFF.
;
; A number is six bytes: sign (bit 7) and exponent (excess 64, base 100), then five bytes of two decimal digits
; each; the first digit byte is 1-99 and the decimal point stands after it. Zero is six zero bytes. Results are
; truncated. Every routine returns with C = 1 on error (overflow, division by zero, no number) and D = 0.
;
; Speed: multiplication works on a binary image of the multiplier, so that each bit column needs one doubling of
; the multiplicand, shared by all five digit bytes; division subtracts 20, 10, 2 and 1 times the divisor. Both
; enter their unrolled chains after the trailing zero bytes, so short numbers cost little.

        .export afp, fasc, ifp, fpi, zfr0, zf1, zfl, ldbufa, fsub, fadd, fmul, fdiv
        .export skpspc, isdigt, normalize, plyevl, fld0r, fld0p, fld1r, fld1p, fstor, fstop, fmove
        .export exp, exp10, redrng, log, log10

; Zero page.
FR0     := $D4                  ; number 0: exponent, then digits FR0M
FR0M    := $D5
FRE     := $DA                  ; continues FR0: low half of a product
FR1     := $E0                  ; number 1
FR1M    := $E1
FR2     := $E6
FRX     := $EC
EEXP    := $ED
NSIGN   := $EE
ESIGN   := $EF
FCHRFLG := $F0
DIGRT   := $F1
CIX     := $F2                  ; index into the text at INBUFF
INBUFF  := $F3
ZTEMP1  := $F5
ZTEMP4  := $F7
ZTEMP3  := $F9
FLPTR   := $FC
FPTR2   := $FE

; FMUL.
ACC     = FR0M
MULT    = FR2
LASTM   = FR2 + 5               ; index of the multiplier's last byte that is not zero
BITS    = FRX
TMPX    = EEXP + 1
VECTOR  = ZTEMP1

NEXT    = ACC + 6               ; after FMUL: the two digits after FR0

; FDIV.
REM     = FR0
MUL2    = FRE
MUL1    = FR1
MUL20   = FR2
MUL10   = FRX
QUOT    = ZTEMP4                ; quotient byte being made
SUM     = ZTEMP4 + 1            ; difference of the exponents, excess 128
COUNT   = ZTEMP3                ; quotient bytes to come
DIVX    = VECTOR
DIVY    = VECTOR + 1

; EXP10.
EXTRA   = ESIGN                 ; two more digits after FR0
X10     = FCHRFLG               ; 1: the power is odd, all is times ten
POWS    = $05E6                 ; s
POWMS   = $05EC                 ; s, or ten times s

LBUFF   := $0580
PLYARG  := $05E0
FPSCR   := $05E6

EXP_MIN = $0F                   ; exponent byte of 1E-98
EXP_MAX = $70                   ; exponent byte of 9.99999999E+97

; Pads to a fixed address.
.macro  at      address
        .assert * <= address, error, "the code before a fixed address is too long"
        .res    address - *, $FF
.endmacro

; Pieces whose place differs: after the 2K on the XL, in the gaps that the 10K ROM's loops leave.
.macro  piece_exppow
; EXP10: FR0 = the polynomial without its last two terms, x is in PLYARG.
exppow: jsr     timesx                  ; s = x * (x * r) + x * a1
        jsr     timesx
        jsr     estore
        ldx     #<(p10coef + 48)
        ldy     #>(p10coef + 48)
        jsr     fld0r
        jsr     timesx
        jsr     eplus
        jsr     estore
        lda     DIGRT
        cmp     #$80
        ror     a
        sta     DIGRT
        lda     #0
        rol     a
        sta     X10
        beq     @even
        ldx     #<one
        ldy     #>one
        jsr     fld1r
        lda     #$10
        sta     FR1M
        jsr     fmul
@even:  ldx     #<POWMS
        jsr     estorx
        jsr     loads
        jsr     fmul
        jsr     epluss
        jsr     epluss
        jsr     addhalf                   ; 1 as two halves: below 1 there are ten digits
        jsr     addhalf
        lda     FR0
        clc
        adc     DIGRT
        sta     FR0
        jmp     normalize
.endmacro
.macro  piece_estore
eplus:  jsr     loads
        jmp     fadd
epluss: ldx     #<POWMS
        jsr     loadx
        jmp     fadd
estore: ldx     #<POWS
estorx:
        ldy     #>POWS
        jmp     fstor
.endmacro
.macro  piece_afpexp
; An exponent at (INBUFF)+Y is added to EEXP. Without digits, or with the value 0, it is none and CIX stays in
; front of it. C = 1 if the sum is too large. Keeps X.
afpexp: lda     (INBUFF),y
        cmp     #'E'
        bne     aenon1
        iny
        lda     (INBUFF),y
        sta     ESIGN
        cmp     #'+'
        beq     @sign
        cmp     #'-'
        bne     @first
@sign:  iny
@first: jsr     isdigy
        bcs     aenon1
        sta     DIGRT
        iny
        jsr     isdigy
        bcs     aeval1
        iny
        sta     ZTEMP1
        lda     DIGRT
        asl     a
        asl     a
        adc     DIGRT
        asl     a
        adc     ZTEMP1
        sta     DIGRT
.endmacro
.macro  piece_aevalue
aevalu: lda     DIGRT
        beq     aenone
        sty     CIX
        lda     ESIGN
        cmp     #'-'
        beq     aeminu
        lda     EEXP
        clc
        adc     DIGRT
        bvc     aestor
        sec
        rts
aeminu: lda     EEXP
        sec
        sbc     DIGRT
        bvc     aestor
        lda     #$80
aestor: sta     EEXP
aenone:  clc
        rts
.endmacro

.macro  piece_shr4
; The digits of FR0 one digit to the right.
shr4:   ldx     #4
@bit:   lsr     FR0M
        ror     FR0M + 1
        ror     FR0M + 2
        ror     FR0M + 3
        ror     FR0M + 4
        dex
        bne     @bit
        rts
.endmacro

.macro  piece_digit
fadig:  iny
faasc:  ora     #'0'
faput:  sta     LBUFF,x
        inx
        rts
fahigh: lsr     a
        lsr     a
        lsr     a
        lsr     a
        bpl     faasc
.endmacro

        .segment "FP"
        .org    $D800

        at      $D800
afp:    jmp     afp2                    ; $D803 and $D80B must not look like a device ROM: $80 and $91

; FMUL after the preparations: X, Y = index of the last byte of FR0M, FR1M that is not zero.
fmul2:  stx     LASTM
        cpy     LASTM
        bcs     mmult0
        sty     LASTM
.if XL
        lda     mentry,x
        sta     VECTOR
.endif
        ldx     #4
mswap:  lda     FR1M,x
        sta     MULT,x
        lda     FR0M,x
        sta     FR1M,x
        dex
        bpl     mswap
        bmi     mbinary
mmult0:
.if XL
        lda     mentry,y
        sta     VECTOR
.endif
mcopy:  lda     FR0M,x
        sta     MULT,x
        dex
        bpl     mcopy
mbinary:
        lda     #0
        sta     FR1
        sta     BITS
.if XL
        .repeat 10, i
        sta     ACC + i
        .endrepeat
.else
        ldx     #9
mclear: sta     ACC,x
        dex
        bpl     mclear
.endif
        ldx     LASTM
mtobin: lda     MULT,x
        and     #$F0
        lsr     a
        lsr     a
        sta     TMPX
        lsr     a
        adc     TMPX
        sta     TMPX                    ; six times the high digit
        lda     MULT,x
        sec
        sbc     TMPX
        sta     MULT,x
        ora     BITS
        sta     BITS
        dex
        bpl     mtobin
        sed
mpass:  ldx     LASTM
mbit:   lsr     MULT,x
        bcc     mnext
.if XL
        clc
        jmp     (VECTOR)
mchain: .repeat 6, i
        lda     ACC + 5 - i,x
        adc     FR1 + 5 - i
        sta     ACC + 5 - i,x
        .endrepeat
        bcs     mcarry
mnext:  dex
        bpl     mbit
        lsr     BITS
        bne     mdbl
        jmp     mdone
mdbl:   clc
        .repeat 6, i
        lda     FR1 + 5 - i
        adc     FR1 + 5 - i
        sta     FR1 + 5 - i
        .endrepeat
        bcc     mpass                   ; always
mcarry: stx     TMPX
mup:    dex
        bmi     mback                   ; no number at all: nothing before ACC is touched
        lda     ACC,x
        adc     #0
        sta     ACC,x
        bcs     mup
mback:  ldx     TMPX
        jmp     mnext
.else
        stx     TMPX
        .repeat 5
        inx
        .endrepeat
        ldy     #5
        clc
madd:   lda     ACC,x
        adc     FR1,y
        sta     ACC,x
        dex
        dey
        bpl     madd
        bcc     mback
mup:    txa
        bmi     mback                   ; no number at all: nothing before ACC is touched
        lda     ACC,x
        adc     #0
        sta     ACC,x
        dex
        bcs     mup
mback:  ldx     TMPX
mnext:  dex
        bpl     mbit
        lsr     BITS
        bne     mdbl
        jmp     mdone
mdbl:   ldx     #5
        clc
mtwice: lda     FR1,x
        adc     FR1,x
        sta     FR1,x
        dex
        bpl     mtwice
        bmi     mpass
.endif

.if XL
        piece_shr4
.else
        piece_exppow
.endif

        at      $D8E6
fasc:   jmp     fasc2

; FDIV: the quotient bytes.
dquot:  lda     #0
        sta     QUOT
        ldy     #3
.if XL
dmul:   ldx     multip,y
dcmp:   .repeat 5, i
        lda     REM + i
        cmp     MUL2 + i,x
        bcc     dnext
        bne     dsub
        .endrepeat
        lda     REM + 5
        cmp     MUL2 + 5,x
        bcc     dnext
dsub:   lda     QUOT
        adc     weight,y                ; C = 1
        sta     QUOT
        sec
        jmp     (VECTOR)
dchain: .repeat 6, i
        lda     REM + 5 - i
        sbc     MUL2 + 5 - i,x
        sta     REM + 5 - i
        .endrepeat
        bcs     dcmp                    ; always
.else
dmul:   ldx     multip,y
dcmp:   sty     DIVY
        stx     DIVX
        ldy     #0
dlook:  lda     REM,y
        cmp     MUL2,x
        bcc     dless
        bne     dsub
        inx
        iny
        cpy     #6
        bne     dlook
dsub:   ldy     DIVY
        lda     QUOT
        adc     weight,y                ; C = 1
        sta     QUOT
        ldx     DIVX
        .repeat 5
        inx
        .endrepeat
        ldy     #5
        sec
dtake:  lda     REM,y
        sbc     MUL2,x
        sta     REM,y
        dex
        dey
        bpl     dtake
        ldx     DIVX
        ldy     DIVY
        bcs     dcmp                    ; always
dless:  ldy     DIVY
.endif
dnext:  dey
        bpl     dmul
.if XL
        .repeat 5, i
        lda     REM + 1 + i
        sta     REM + i
        .endrepeat
.else
        ldx     #0
dshift: lda     REM + 1,x
        sta     REM,x
        inx
        cpx     #5
        bne     dshift
.endif
        lda     #0
        sta     REM + 5
        lda     QUOT
        bne     dkeep
        ldx     COUNT
        cpx     #5
        bne     dkeep
        dec     SUM                     ; the first byte may be zero
again:  jmp     dquot
dkeep:  pha
        dec     COUNT
        beq     dend
        lda     REM
        ora     REM + 1
        ora     REM + 2
        ora     REM + 3
        ora     REM + 4
        bne     again
dpad:   pha
        dec     COUNT
        bne     dpad
dend:   cld
        ldx     #4
dpull:  pla
        sta     FR0M,x
        dex
        bpl     dpull
        lda     SUM
        jmp     finish


.if XL
mentry: .byte   <(mchain + 24), <(mchain + 18), <(mchain + 12), <(mchain + 6), <mchain
        .assert >mchain = >(mchain + 30), error, "the entries of FMUL's chain must share a page"
dentry: .byte   <(dchain + 24), <(dchain + 18), <(dchain + 12), <(dchain + 6), <dchain
        .assert >dchain = >(dchain + 30), error, "the entries of FDIV's chain must share a page"
.endif

.if .not XL
        piece_afpexp
aeval1: jmp     aevalu
aenon1: clc
        rts
.endif

; ---------------------------------------------------------------------------------------------------------------
; IFP: unsigned word in FR0, FR0+1 -> FR0. $DE and $DF are left alone.

        at      $D9AA
ifp:    lda     FR0
        sta     ZTEMP4
        lda     FR0 + 1
        sta     ZTEMP4 + 1
        lda     #0
        sta     FR0M
        sta     FR0M + 1
        sta     FR0M + 2
        sta     FR0M + 3
        sta     FR0M + 4
        jmp     ifpbit

; Adds the word in ZTEMP1 to the one in ZTEMP4.
addz1:  clc
        lda     ZTEMP4
        adc     ZTEMP1
        sta     ZTEMP4
        lda     ZTEMP4 + 1
        adc     ZTEMP1 + 1
        sta     ZTEMP4 + 1
        rts

; ---------------------------------------------------------------------------------------------------------------
; FPI: FR0 -> unsigned word in FR0, FR0+1, rounded half up. C = 1 if negative or 65536 and more; what only
; rounding makes 65536 gives 0. FR1 is left alone.

        at      $D9D2
fpi:    lda     FR0
        bmi     @bad
        cmp     #$43
        bcs     @bad
        ldx     #0
        stx     ZTEMP4
        stx     ZTEMP4 + 1
        sbc     #$3E                    ; C = 0: less $3F: digit bytes before the point
        bcc     @store
        sta     ZTEMP3
        cmp     #3
        bcc     @byte
        lda     FR0M
        cmp     #7
        bcs     @bad
@byte:  cpx     ZTEMP3
        beq     @round
        txa
        beq     @add
        lda     ZTEMP4 + 1              ; x 100: ((x * 3) * 8 + x) * 4
        sta     ZTEMP1 + 1
        lda     ZTEMP4
        sta     ZTEMP1
        jsr     shl16
        jsr     addz1
        jsr     shl16
        jsr     shl16
        jsr     shl16
        jsr     addz1
        jsr     shl16
        jsr     shl16
        bcs     @bad
@add:   lda     FR0M,x
        jsr     tobin
        adc     ZTEMP4
        sta     ZTEMP4
        bcc     @next
        inc     ZTEMP4 + 1
        beq     @bad
@next:  inx
        bne     @byte
@round: lda     FR0M,x
        cmp     #$50
        bcc     @store
        inc     ZTEMP4
        bne     @store
        inc     ZTEMP4 + 1
@store: lda     ZTEMP4
        sta     FR0
        lda     ZTEMP4 + 1
        sta     FR0 + 1
        clc
        rts
@bad:   sec
        rts

        at      $DA43
        rts

; ---------------------------------------------------------------------------------------------------------------
; ZFR0: FR0 = 0. ZF1: six bytes at X. ZFL: Y bytes at X. C is kept.

        at      $DA44
zfr0:   ldx     #FR0
zf1:    ldy     #6
zfl:    lda     #0
@byte:  sta     $00,x
        inx
        dey
        bne     @byte
        rts

        at      $DA51
ldbufa: lda     #>LBUFF
        sta     INBUFF + 1
        lda     #<LBUFF
        sta     INBUFF
        rts

; Doubles the word in ZTEMP4.
        at      $DA5A
shl16:  asl     ZTEMP4
        rol     ZTEMP4 + 1
        rts

; ---------------------------------------------------------------------------------------------------------------
; FSUB, FADD: FR0 = FR0 -/+ FR1. The smaller number is cut to the digits of the larger one; there are no guard
; digits. FR1 is lost. $DE and $DF are left alone. ZTEMP3 = signs differ, ZTEMP3+1 = exponent of FR1.

        at      $DA60
fsub:   lda     FR1
        eor     #$80
        sta     FR1

        at      $DA66
fadd:   lda     FR1M
        beq     faddok
        lda     FR0M
        beq     @load
        lda     FR0
        eor     FR1
        sta     ZTEMP3
        lda     FR1
        and     #$7F
        sta     ZTEMP3 + 1
        lda     FR0
        and     #$7F
        sec
        sbc     ZTEMP3 + 1
        beq     @go
        bcc     @less
        cmp     #5
        bcs     faddok                  ; FR1 is too small to count
.if XL
        tax
        ldy     #0
@shr1:  lda     FR1M + 3
        sta     FR1M + 4
        lda     FR1M + 2
        sta     FR1M + 3
        lda     FR1M + 1
        sta     FR1M + 2
        lda     FR1M
        sta     FR1M + 1
        sty     FR1M
        dex
        bne     @shr1
        beq     @go
@less:  cmp     #<-4
        bcc     @load                   ; FR0 is too small to count
        tax
        ldy     #0
@shr0:  jsr     shr8
        inx
        bne     @shr0
.else
        ldx     #FR1M
        jsr     shrn
        beq     @go                     ; always
@less:  cmp     #<-4
        bcc     @load                   ; FR0 is too small to count
        eor     #$FF
        adc     #0                      ; C = 1
        ldx     #FR0M
        jsr     shrn
.endif
        lda     FR0
        and     #$80
        ora     ZTEMP3 + 1
        sta     FR0
@go:    jmp     fadd2
@load:  ldx     #5
@copy:  lda     FR1,x
        sta     FR0,x
        dex
        bpl     @copy
faddok: jmp     normalize               ; what comes out unchanged may be too large, too

; One digit byte to the right; Y = 0 comes in.
.if XL
shr8:   lda     FR0M + 3
        sta     FR0M + 4
        lda     FR0M + 2
        sta     FR0M + 3
        lda     FR0M + 1
        sta     FR0M + 2
        lda     FR0M
        sta     FR0M + 1
        sty     FR0M
        rts
.else
; A digit bytes to the right at X. Z = 1.
shrn:   ldy     #0
@byte:  pha
        lda     3,x
        sta     4,x
        lda     2,x
        sta     3,x
        lda     1,x
        sta     2,x
        lda     0,x
        sta     1,x
        sty     0,x
        pla
        sec
        sbc     #1
        bne     @byte
        rts
.endif

; ---------------------------------------------------------------------------------------------------------------
; FMUL: FR0 = FR0 * FR1, the exact product cut to the digits that fit.
; The factor with fewer digit bytes is the multiplier: MULT holds it in binary, BITS the bits of all its bytes.
; The other one, in FR1 with an overflow byte before it, is doubled for each bit column. The product grows in
; ACC, ten bytes.


        at      $DADB
fmul:   lda     FR1M
        beq     @zero
        lda     FR0M
        beq     @zero
        lda     FR0
        eor     FR1
        and     #$80
        pha                             ; the sign
        lda     FR0
        and     #$7F
        sta     FR0
        lda     FR1
        and     #$7F
        clc
        adc     FR0
        pha                             ; sum of the exponents, excess 128
        ldx     #5
@last0: dex
        lda     FR0M,x
        beq     @last0
        ldy     #5
@last1: dey
        lda     FR1M,y
        beq     @last1
.if XL
        lda     #>mchain
        sta     VECTOR + 1
.endif
        jmp     fmul2
@zero:  clc
        jmp     zfr0

; A = 0-99 -> two decimal digits. Keeps X.
bcd99:  ldy     #$FF
        sec
@tens:  iny
        sbc     #10
        bcs     @tens
        adc     #10
        sta     ZTEMP1
        tya
        asl     a
        asl     a
        asl     a
        asl     a
        ora     ZTEMP1
        rts

; ---------------------------------------------------------------------------------------------------------------
; FDIV: FR0 = FR0 / FR1, the exact quotient cut to the digits that fit. C = 1 if FR1 is zero.
; The remainder is REM, six bytes; 1, 2, 10 and 20 times the divisor are six bytes each at MUL1...; quotient
; bytes go to the stack.


        at      $DB28
fdiv:   lda     FR1M
        beq     @bad
        lda     FR0M
        beq     @zero
        lda     FR0
        eor     FR1
        and     #$80
        pha                             ; the sign
        lda     FR1
        and     #$7F
        sta     FR1
        lda     FR0
        and     #$7F
        sec
        sbc     FR1
        eor     #$80
        sta     SUM
        jmp     fdiv2
@bad:   sec
        rts
@zero:  clc
        jmp     zfr0
; FMUL: the product is in ACC.
mdone:  cld
        pla
        ldx     ACC
        bne     minc
.if XL
        .repeat 5, i
        ldx     ACC + 1 + i
        stx     ACC + i
        .endrepeat
.else
        ldx     #0
@move:  ldy     ACC + 1,x
        sty     ACC,x
        inx
        cpx     #5
        bne     @move
.endif
        jmp     finish
minc:   ldx     ACC + 5
        stx     NEXT
        clc
        adc     #1
        jmp     finish

; Twice the divisor: MUL2 from MUL1 (X = 0), MUL20 from MUL10 (X = 12).
double: clc
.if XL
        .repeat 6, i
        lda     MUL1 + 5 - i,x
        adc     MUL1 + 5 - i,x
        sta     MUL2 + 5 - i,x
        .endrepeat
.else
        ldy     #6
@byte:  lda     MUL1 + 5,x
        adc     MUL1 + 5,x
        sta     MUL2 + 5,x
        dex
        dey
        bne     @byte
.endif
        rts

.if .not XL
        piece_estore
        piece_digit
.endif

; ---------------------------------------------------------------------------------------------------------------
; SKPSPC: moves CIX over blanks. ISDIGT: C = 0 and A = digit if the character at CIX is one.

        at      $DBA1
skpspc: ldy     CIX
        lda     #' '
@blank: cmp     (INBUFF),y
        bne     @end
        iny
        bne     @blank
@end:   sty     CIX
        rts

        at      $DBAF
isdigt: ldy     CIX
isdigy: lda     (INBUFF),y
        sec
        sbc     #'0'
        cmp     #10
        rts

; Half of a word's conversion: the bits of ZTEMP4 one after the other into three digit bytes, doubled each time.
ifpbit: ldy     #16
        lda     ZTEMP4 + 1
        bne     @bits
        ldy     #8
        lda     ZTEMP4
        sta     ZTEMP4 + 1
@bits:  sed
@bit:   asl     ZTEMP4
        rol     ZTEMP4 + 1
.if XL
        .repeat 3, i
        lda     FR0M + 2 - i
        adc     FR0M + 2 - i
        sta     FR0M + 2 - i
        .endrepeat
.else
        ldx     #2
@twice: lda     FR0M,x
        adc     FR0M,x
        sta     FR0M,x
        dex
        bpl     @twice
.endif
        dey
        bne     @bit
        cld
        lda     #$42
        sta     FR0
        jmp     normalize

; FR1 = s, FR1 = the number at X in page 5.
loads:  ldx     #<POWS
loadx:  ldy     #>POWS
        jmp     fld1r

; FR0 = FR0 * log10 e, FR0 * the argument of PLYEVL.
timese: ldx     #<log10e
        ldy     #>log10e
        jsr     fld1r
        bmi     times                   ; always: the loop there ends with Y = -1
timesx: ldx     #<PLYARG
        jsr     loadx
times:  jmp     fmul

; ---------------------------------------------------------------------------------------------------------------
; NORMALIZE: moves the digits of FR0 up until the first byte is not zero. Too small becomes zero, C = 1 if too
; large.

        at      $DBFF
        nop
normalize:
        ldx     #0
@find:  lda     FR0M,x
        bne     @found
        inx
        cpx     #5
        bne     @find
@zero:  clc
        jmp     zfr0
@found: txa
        beq     @range
        eor     #$FF
        sec
        adc     FR0
        sta     FR0
        ldy     #0
@move:  lda     FR0M,x
        sta     FR0M,y
        iny
        inx
        cpx     #5
        bne     @move
        lda     #0
@fill:  sta     FR0M,y
        iny
        cpy     #5
        bne     @fill
@range: lda     FR0
        and     #$7F
        cmp     #EXP_MIN
        bcc     @zero
        cmp     #EXP_MAX + 1
        rts

; FADD with aligned digits.
fadd2:  sed
        bit     ZTEMP3
        bmi     @sub
        clc
.if XL
        .repeat 5, i
        lda     FR0M + 4 - i
        adc     FR1M + 4 - i
        sta     FR0M + 4 - i
        .endrepeat
.else
        ldx     #4
@adc:   lda     FR0M,x
        adc     FR1M,x
        sta     FR0M,x
        dex
        bpl     @adc
.endif
        cld
        bcs     @carry
        rts
@carry:
.if XL
        ldy     #1
        jsr     shr8
.else
        ldx     #FR0M
        lda     #1
        jsr     shrn
        inc     FR0M
.endif
        inc     FR0
        jmp     normalize
@sub:   sec
.if XL
        .repeat 5, i
        lda     FR0M + 4 - i
        sbc     FR1M + 4 - i
        sta     FR0M + 4 - i
        .endrepeat
.else
        ldx     #4
@sbc:   lda     FR0M,x
        sbc     FR1M,x
        sta     FR0M,x
        dex
        bpl     @sbc
.endif
        bcs     @pos
        jsr     negate
        lda     FR0
        eor     #$80
        sta     FR0
@pos:   cld
        jmp     normalize

; Ten's complement of the digits of FR0, D = 1.
negate: ldx     #4
        sec
@byte:  lda     #0
        sbc     FR0M,x
        sta     FR0M,x
        dex
        bpl     @byte
        rts


; FDIV after the preparations: tables of the multiples.
fdiv2:
.if XL
        ldy     #5
dlast:  dey
        lda     FR1M,y
        beq     dlast
        lda     dentry,y
        sta     VECTOR
        lda     #>dchain
        sta     VECTOR + 1
.endif
        lda     #0
        sta     REM
        sta     MUL1
        ldx     #5
        stx     COUNT
dcopy:  lda     MUL1,x
        sta     MUL10,x
        dex
        bpl     dcopy
        ldx     #4
dx10:   asl     MUL10 + 5
        .repeat 5, i
        rol     MUL10 + 4 - i
        .endrepeat
        dex
        bne     dx10
        sed
        jsr     double
        ldx     #MUL10 - MUL1
        jsr     double
        jmp     dquot

; A = two decimal digits -> binary, C = 0. Keeps X and Y.
tobin:  pha
        and     #$F0
        lsr     a
        lsr     a
        sta     ZTEMP1
        lsr     a
        adc     ZTEMP1
        sta     ZTEMP1                  ; six times the high digit
        pla
        sec
        sbc     ZTEMP1
        clc
        rts

; FR0 = FR0 + A for FR0 between -1 and 1; Z as of A, -99 to 99. A one goes in as two halves, so that a result
; below 1 keeps ten digits.
addint: beq     @none
        pha
        ldx     #FR1
        jsr     zf1
        ldx     #$40
        pla
        bpl     @pos
        eor     #$FF
        clc
        adc     #1
        ldx     #$C0
@pos:   jsr     bcd99
        cmp     #1
        bne     @whole
        lda     #$50
        dex
@whole: sta     FR1M
        stx     FR1
        txa
        lsr     a
        bcc     @once
        jsr     fadd
@once:  jmp     fadd
@none:  rts

; FR0's exponent from A, excess 128, and the sign on the stack.
finish: cmp     #EXP_MIN + $40
        bcc     @zero
        cmp     #EXP_MAX + $41
        bcs     @bad
        sbc     #$3F                    ; C = 0: less $40
        sta     FR0
        pla
        ora     FR0
        sta     FR0
        clc
        rts
@zero:  pla
        clc
        jmp     zfr0
@bad:   pla
        rts

.if .not XL
        piece_aevalue
        piece_shr4
.endif

; ---------------------------------------------------------------------------------------------------------------
; PLYEVL: polynomial in FR0, coefficients at X:Y, highest power first, A of them.

        at      $DD40
plyevl: stx     FPTR2
        sty     FPTR2 + 1
        sta     EEXP
        ldx     #<PLYARG
        ldy     #>PLYARG
        jsr     fstor
        ldx     FPTR2
        ldy     FPTR2 + 1
        jsr     fld0r
        dec     EEXP
        beq     @ok
@term:  ldx     #<PLYARG
        ldy     #>PLYARG
        jsr     fld1r
        jsr     fmul
        bcs     @end
        lda     FPTR2
        adc     #6
        sta     FPTR2
        tax
        bcc     @page
        inc     FPTR2 + 1
@page:  ldy     FPTR2 + 1
        jsr     fld1r
        jsr     fadd
        bcs     @end
        dec     EEXP
        bne     @term
@ok:    clc
@end:   rts

multip: .byte   MUL1 - MUL2, 0, MUL10 - MUL2, MUL20 - MUL2

; ---------------------------------------------------------------------------------------------------------------
; Loads and stores: R = address in X:Y, P = address in FLPTR.

        at      $DD89
fld0r:  stx     FLPTR
        sty     FLPTR + 1
        at      $DD8D
fld0p:  ldy     #5
@byte:  lda     (FLPTR),y
        sta     FR0,y
        dey
        bpl     @byte
        rts

        at      $DD98
fld1r:  stx     FLPTR
        sty     FLPTR + 1
        at      $DD9C
fld1p:  ldy     #5
@byte:  lda     (FLPTR),y
        sta     FR1,y
        dey
        bpl     @byte
        rts

        at      $DDA7
fstor:  stx     FLPTR
        sty     FLPTR + 1
        at      $DDAB
fstop:  ldy     #5
@byte:  lda     FR0,y
        sta     (FLPTR),y
        dey
        bpl     @byte
        rts

        at      $DDB6
fmove:  ldx     #5
@byte:  lda     FR0,x
        sta     FR1,x
        dex
        bpl     @byte
        rts

; ---------------------------------------------------------------------------------------------------------------
; EXP: e^FR0. EXP10: 10^FR0 = 10^n * p(f)^2 with n = the integer next to FR0, f = FR0 - n and p(f) = 10^(f/2).
; EXP gives it two digits more than FR0 has. With p = 1 + s the square is made as 1 + s * s + s + s: all but the first of these have ten digits. DIGRT = n,
; FCHRFLG = sign.

        at      $DDC0
exp:    jsr     timese
        bcs     expbad
        lda     NEXT
        bcc     exp10x

        at      $DDCC
exp10:  lda     #0
exp10x: sta     EXTRA
        lda     #0
        sta     DIGRT
        lda     FR0
        sta     FCHRFLG
        and     #$7F
        sta     FR0
        cmp     #$40
        bcc     @frac
        bne     @big
        lda     FR0M
        jsr     tobin
        sta     DIGRT
        lda     #0
        sta     FR0M
        jsr     normalize
        ldx     FR0
        beq     @frac
        lda     EXTRA                   ; after the last digits, which have moved up
        sta     FR0M - $3B,x
@frac:  lda     FR0                     ; from a half on: n + 1, and f less 1
        cmp     #$3F
        bne     @sign
        lda     FR0M
        cmp     #$50
        bcc     @sign
        sed
        jsr     negate
        cld
        lda     #$BF
        sta     FR0
        jsr     normalize
        inc     DIGRT
@sign:  lda     FCHRFLG
        bpl     @poly
        lda     #0
        sec
        sbc     DIGRT
        sta     DIGRT
        lda     FR0
        eor     #$80
        sta     FR0
@poly:  ldx     #<p10coef
        ldy     #>p10coef
        lda     #8
        jsr     plyevl
        jmp     exppow

@big:   asl     FCHRFLG
        bcc     expbad
        clc
        jmp     zfr0
expbad: sec
        rts

; FR0 = FR0 + 0.5, or 5 with X10.
addhalf:
        ldx     #<half
        ldy     #>half
        jsr     fld1r
        lda     X10
        beq     @set
        inc     FR1                     ; 5
        lda     #$05
        sta     FR1M
@set:   jmp     fadd

; p10coef: p(x) = 10^(x/2) for -0.5 <= x <= 1. Minimax fits of the relative error, each coefficient rounded to the
; format in turn from the constant on and the others fitted again; error of the rounded ones 3E-10.

        at      $DE4D
p10coef:
        .byte   $3D,$11,$88,$67,$97,$13 ; 1.188679713e-5
        .byte   $3D,$77,$23,$36,$58,$48 ; 7.723365848e-5
        .byte   $3E,$05,$29,$78,$50,$15 ; 0.000529785015
        .byte   $3E,$32,$34,$35,$07,$50 ; 0.00323435075
        .byte   $3F,$01,$68,$56,$46,$02 ; 0.0168564602
        .byte   $3F,$07,$32,$03,$39,$89 ; 0.0732033989
        .byte   $3F,$25,$43,$34,$72,$69 ; 0.2543347269
        .byte   $3F,$66,$27,$37,$26,$71 ; 0.6627372671
        .byte   $40,$01,$15,$12,$92,$55 ; 1.15129255
        .byte   $40,$01,$00,$00,$00,$00 ; 1.0

        at      $DE89
log10e: .byte   $3F,$43,$42,$94,$48,$19 ; log10 e
        at      $DE8F
one:    .byte   $40,$01,$00,$00,$00,$00 ; 1.0

; ---------------------------------------------------------------------------------------------------------------
; REDRNG: FR0 = (FR0 - C) / (FR0 + C), C at X:Y.

        at      $DE95
redrng: stx     FPTR2
        sty     FPTR2 + 1
        ldx     #<FPSCR
        ldy     #>FPSCR
        jsr     fstor
        ldx     FPTR2
        ldy     FPTR2 + 1
        jsr     fld1r
        jsr     fadd
        ldx     #<(FPSCR + 6)
        ldy     #>(FPSCR + 6)
        jsr     fstor
        ldx     #<FPSCR
        ldy     #>FPSCR
        jsr     fld0r
        ldx     FPTR2
        ldy     FPTR2 + 1
        jsr     fld1r
        jsr     fsub
        ldx     #<(FPSCR + 6)
        ldy     #>(FPSCR + 6)
        jsr     fld1r
        jmp     fdiv

; ---------------------------------------------------------------------------------------------------------------
; LOG: ln FR0. LOG10: log10 FR0. C = 1 if FR0 <= 0.
; FR0 = m * 10^n with m/C near 1 for C = 1, 10 or 100; y = (m - C) / (m + C); log10 = n + log10 C + y * q(y^2).
; m - C is exact, so numbers near 1 keep all digits.

        at      $DECD
log:    lda     #1
        bne     logc
        at      $DED1
log10:  lda     #0
logc:   pha                             ; 1: ln
        lda     FR0M
        beq     @bad
        lda     FR0
        bmi     @bad
        sec
        sbc     #$40
        asl     a
        tay                             ; n
        lda     #$40
        sta     FR0
        lda     FR0M
        cmp     #$32
        bcs     @c100
        cmp     #$03
        lda     #$01
        bcc     @near
        iny
        lda     #$10
@near:  sta     ZTEMP1
        jsr     fmove
        sed
        lda     FR1M
        clc
        adc     ZTEMP1
        sta     FR1M
        lda     FR0M
        sec
        sbc     ZTEMP1
        sta     FR0M
        bcs     @quot
        bcc     @neg
@bad:   pla
        sec
        rts
@c100:  iny
        iny
        ldx     #4
@shift: lda     FR0M,x
        sta     FR1M + 1,x
        dex
        bpl     @shift
        lda     #$41
        sta     FR1
        lda     #$01
        sta     FR1M
        sed
@neg:   jsr     negate
        lda     #$C0
        sta     FR0
@quot:  cld
        tya
        pha
        jsr     normalize
        jsr     fdiv
        ldx     #<FPSCR
        ldy     #>FPSCR
        jsr     fstor
        jsr     fmove
        jsr     fmul
        ldx     #<logcoef
        ldy     #>logcoef
        lda     #10
        jsr     plyevl
        ldx     #<FPSCR
        ldy     #>FPSCR
        jsr     fld1r
        jsr     fmul
        pla
        jsr     addint
        pla
        beq     @ok
        ldx     #<ln10
        ldy     #>ln10
        jsr     fld1r
        jmp     fmul
@ok:    clc
        rts

        at      $DF66
sqrt10: .byte   $40,$03,$16,$22,$77,$66 ; square root of 10
half:   .byte   $3F,$50,$00,$00,$00,$00 ; 0.5

; logcoef: q(z) = log10((1 + y) / (1 - y)) / y with z = y^2 for 0 <= z <= 0.29 (y to 0.5385, that is C/m to
; 10/3). Fitted like p10coef; error of the rounded coefficients 8E-12.

        at      $DF72
logcoef:
        .byte   $3F,$25,$37,$61,$34,$36 ; 0.2537613436
        .byte   $BF,$13,$94,$27,$28,$00 ; -0.13942728
        .byte   $3F,$14,$17,$54,$04,$71 ; 0.1417540471
        .byte   $3F,$04,$57,$14,$70,$42 ; 0.0457147042
        .byte   $3F,$08,$21,$57,$05,$44 ; 0.0821570544
        .byte   $3F,$09,$62,$20,$31,$42 ; 0.0962203142
        .byte   $3F,$12,$40,$99,$05,$83 ; 0.1240990583
        .byte   $3F,$17,$37,$17,$40,$49 ; 0.1737174049
        .byte   $3F,$28,$95,$29,$65,$85 ; 0.2895296585
        .byte   $3F,$86,$85,$88,$96,$38 ; 0.8685889638

; atncoef: atan(x) = x * r(x^2) for -1 <= x <= 1; used by BASIC. Fitted like p10coef; error 4E-10.

        at      $DFAE
atncoef:
        .byte   $3E,$11,$13,$77,$83,$28 ; 0.001113778328
        .byte   $BE,$73,$17,$90,$97,$16 ; -0.007317909716
        .byte   $3F,$02,$25,$39,$77,$92 ; 0.0225397792
        .byte   $BF,$04,$46,$89,$85,$31 ; -0.0446898531
        .byte   $3F,$06,$74,$15,$92,$03 ; 0.0674159203
        .byte   $BF,$08,$81,$10,$89,$77 ; -0.0881108977
        .byte   $3F,$11,$05,$82,$23,$48 ; 0.1105822348
        .byte   $BF,$14,$27,$98,$33,$07 ; -0.1427983307
        .byte   $3F,$19,$99,$96,$71,$13 ; 0.1999967113
        .byte   $BF,$33,$33,$33,$26,$90 ; -0.333333269
        .byte   $40,$01,$00,$00,$00,$00 ; 1.0

        at      $DFF0
        .byte   $3F,$78,$53,$98,$16,$34 ; pi / 4
ln10:   .byte   $40,$02,$30,$25,$85,$09 ; ln 10
weight: .byte   $00, $01, $09, $19      ; less one: added with C = 1
        at      $E000

        .reloc
        .segment "FPTEXT1"

; ---------------------------------------------------------------------------------------------------------------
; AFP: text at (INBUFF)+CIX -> FR0. CIX moves past the number. C = 1 if there is none or it is too large.
; The number is read as 0.d1d2d3... x 10^EEXP; ten digits are kept. FRE and FR1 are left alone.

afp2:    jsr     skpspc
        jsr     zfr0                    ; A = 0
        sta     EEXP
        sta     NSIGN
        sta     FRX                     ; bit 7: point seen
        sta     FCHRFLG                 ; digit seen
        tax                             ; X counts significant digits, at most ten
        ldy     CIX
        lda     (INBUFF),y
        cmp     #'+'
        beq     @sign
        cmp     #'-'
        bne     @next
        lda     #$80
        sta     NSIGN
@sign:  iny
        sty     CIX                     ; stays there when no number follows
@next:  lda     (INBUFF),y
        sec
        sbc     #'0'
        cmp     #10
        bcs     @other
        iny
        beq     @end                    ; 256 characters, and still digits
        inc     FCHRFLG
        cmp     #0
        bne     @digit
        cpx     #0
        bne     @digit
        bit     FRX                     ; a leading zero counts only after the point
        bpl     @next
        dec     EEXP
        bmi     @next
        inc     EEXP                    ; stays at -128
        bne     @next
@digit: bit     FRX
        bmi     @store
        inc     EEXP
        bpl     @store
        dec     EEXP                    ; stays at 127
@store: cpx     #10
        bcs     @next
        stx     ZTEMP1 + 1
        pha
        txa
        lsr     a
        tax
        pla
        bcs     @low
        asl     a
        asl     a
        asl     a
        asl     a
@low:   ora     FR0M,x
        sta     FR0M,x
        ldx     ZTEMP1 + 1
        inx
        bne     @next

@other: cmp     #<('.' - '0')
        bne     @end
        lda     FRX
        bmi     @end                    ; a second point ends the number
        lda     #$80
        sta     FRX
        iny
        bne     @next

@end:   lda     FCHRFLG
        beq     @bad                    ; no number
        sty     CIX
        jsr     afpexp
        bcs     @bad
        txa
        beq     @good                   ; zero: FR0 is clear
        lda     EEXP
        sec
        adc     #0
        bvs     @bad
        cmp     #$80
        ror     a                       ; (EEXP + 1) / 2, C = 1 if EEXP is even: two digits before the point
        bcs     @even
        jsr     shr4
@even:  clc
        adc     #$3F
        bmi     @small
        cmp     #EXP_MIN
        bcc     @small
        cmp     #EXP_MAX + 1
        bcs     @bad
        ora     NSIGN
        sta     FR0
@good:  clc
        rts
@small: clc
        jmp     zfr0
@bad:   sec
        rts

.if XL
        piece_afpexp
        piece_aevalue
aeval1  = aevalu
aenon1  = aenone
.endif

.if XL
        piece_exppow
        piece_estore
.endif

        .segment "FPTEXT2"

; ---------------------------------------------------------------------------------------------------------------
; FASC: FR0 -> text at LBUFF, INBUFF -> first character, the last character has bit 7 set. FR0 is kept.
; ZTEMP4 = last digit byte that is not zero, ZTEMP4+1 = digit bytes before the point, or the decimal exponent.

fasc2:   jsr     ldbufa
        ldx     #0                      ; index into LBUFF
        ldy     #5
@last:  dey
        lda     FR0M,y
        bne     @found
        tya
        bne     @last
        lda     #'0'
        sta     FR0                     ; zero without a sign
        jsr     faput
        bne     @done
@found: sty     ZTEMP4
        ldy     #0
        lda     FR0
        bpl     @plus
        lda     #'-'
        jsr     faput
@plus:  lda     FR0
        and     #$7F
        sec
        sbc     #$3F                    ; digit bytes before the point
        bcc     @exp
        beq     @frac
        cmp     #6
        bcs     @exp
        sta     ZTEMP4 + 1
        lda     FR0M
        cmp     #$10
        bcs     @int
        jsr     fadig
        bne     @more
@int:   jsr     @byte
@more:  cpy     ZTEMP4 + 1
        bne     @int
        cpy     ZTEMP4                  ; digits left after the point?
        beq     @point
        bcs     @done
        bcc     @point
@frac:  lda     #'0'
        jsr     faput
@point: jsr     fadot
@rest:  jsr     @bytes
@done:  lda     LBUFF - 1,x
        ora     #$80
        sta     LBUFF - 1,x
        clc
        rts

@exp:   asl     a
        sec
        sbc     #2
        sta     ZTEMP4 + 1
        lda     FR0M
        cmp     #$10
        bcc     @short
        inc     ZTEMP4 + 1
        pha
        jsr     fahigh
        jsr     fadot
        pla
        and     #$0F
        jsr     fadig
        lda     ZTEMP4
        beq     @e
        bne     @mant
@short: jsr     fadig
        lda     ZTEMP4
        beq     @e
        jsr     fadot
@mant:  jsr     @bytes
@e:     lda     #'E'
        jsr     faput
        ldy     #'+'
        lda     ZTEMP4 + 1
        bpl     @pos
        eor     #$FF
        clc
        adc     #1
        ldy     #'-'
@pos:   pha
        tya
        jsr     faput
        pla
        jsr     bcd99
        sta     ZTEMP4
        jsr     fahigh
        lda     ZTEMP4
        and     #$0F
        jsr     fadig
        bne     @done

; Digit bytes from Y to the last one; a zero at the end is dropped.
@bytes: jsr     @byte
        cpy     ZTEMP4
        bcc     @bytes
        beq     @bytes
        lda     LBUFF - 1,x
        cmp     #'0'
        bne     @kept
        dex
@kept:  rts

@byte:  lda     FR0M,y
        jsr     fahigh
        lda     FR0M,y
        and     #$0F
.if XL
        piece_digit
.else
        jmp     fadig
.endif
fadot:   lda     #'.'
        jmp     faput
