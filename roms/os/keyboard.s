; K: keyboard.

        .include "hardware.inc"
        .include "variables.inc"
        .include "modules.inc"

; Character of key code A; Y = key code.
.macro  LOOKUP
        tay
.if XL
        lda     (KEYDEF),y
.else
        lda     KEYS,y
.endif
.endmacro

.if XL
; Programs call K: get here, too: a key pressed before is forgotten.
        .segment "KEYNEW"
        .assert * = $F2F8, error, "K: get, of a new key"
        lda     #$FF
        sta     CH
.endif

        .segment "KGET"
.if XL
        .assert * = $F2FD, error, "K: get"
.else
        .assert * = $F6E2, error, "K: get"
.endif
KGETCH: lda     ICAX1Z
        lsr     a
        lda     #EOL
        bcs     @give                   ; forced read: no key is waited for
@wait:  lda     BRKKEY
        beq     @break
        lda     CH
        cmp     #$FF
        beq     @wait
        sta     HOLDCH
        ldx     #$FF
        stx     CH
        jsr     CLICKK
        lda     HOLDCH
        cmp     #$C0
        bcs     KGETCH                  ; SHIFT and CTRL together mean nothing
        LOOKUP
        cmp     #$80
        beq     KGETCH                  ; no character on this key
        bcc     @char
        cmp     #$86
        bcs     @inv
        sbc     #$80                    ; $81..$85 -> 0..4 (C is clear)
        beq     @invert
        cmp     #4
        beq     @eof
        tax
        lda     LOCKS-1,x
.if XL
        dex                             ; CAPS alone toggles
        bne     @lock
        ldy     SHFLOK
        bne     @lock
        lda     #$40
.endif
@lock:  sta     SHFLOK
        bcc     KGETCH                  ; always
@invert:
        lda     INVFLG
        eor     #$80
        sta     INVFLG
        bcs     KGETCH                  ; always
@eof:   lda     #EOL
        ldy     #EOFERR
        rts

@char:  cmp     #'a'
        bcc     @inv
        cmp     #'z'+1
        bcs     @inv
        cpy     #$40
        bcs     @inv                    ; SHIFT or CTRL is down already
        tya
        ora     SHFLOK
        LOOKUP
@inv:   jsr     KISCTL
        bcc     @give                   ; control codes are never inverted
        eor     INVFLG
@give:  sta     ATACHR
        ldy     #SUCCES
        rts
@break: jsr     BREAK
        lda     #EOL
        rts

        .segment "KEYBOARD"

KOPEN:
KCLOSE:
KSTAT:
SCLOSE:
SSTAT:
ESTAT:
ECLOSE: ldy     #SUCCES
        rts
KPUTCH = KNWRTS
KSPEC  = KNWRTS

; CAPS, SHIFT-CAPS, CTRL-CAPS.
LOCKS:  .byte   $00, $40, $80


; BREAK has been seen: takes the flag back, Y = status.
BREAK:  lda     #$FF
        sta     BRKKEY
        ldy     #BRKABT
        rts

; C = 0: A is a control code (1B-1F, 7D-7F, 9B-9F, FD-FF). Keeps A.
ISCTL:  pha
        and     #$7F
        cmp     #$7D
        bcs     @yes
        cmp     #$1B
        bcc     @no
        cmp     #$20
        bcs     @no
@yes:   clc
        pla
        rts
@no:    sec
        pla
        rts

CLICKK:
.if XL
        lda     NOCLIK
        bne     CLKRTS
.endif
; One click of the console speaker: 128 lines.
CLICK:  ldx     #$7F
@line:  stx     CONSOL
        lda     VCOUNT
@wait:  cmp     VCOUNT
        beq     @wait
        dex
        dex
        bpl     @line
CLKRTS: rts

; Key table, indexed by key code with SHIFT ($40) and CTRL ($80): $80 nothing, $81 inverse, $82 CAPS, $83 SHIFT-CAPS, $84 CTRL-CAPS,
; $85 end of file, XL: $89 key click, $8A-$8D the function keys (by FKDEF), $8E-$91 ways to move the cursor; others ATASCII.
.if XL
F1 = $8A
F2 = $8B
F3 = $8C
F4 = $8D
.else
F1 = $80
F2 = $80
F3 = $80
F4 = $80
KISCTL = ISCTL
.endif
        .segment "KEYTAB"
KEYS:   .byte   $6C, $6A, $3B, F1, F2, $6B, $2B, $2A, $6F, $80, $70, $75, $9B, $69, $2D, $3D
        .byte   $76, $80, $63, F3, F4, $62, $78, $7A, $34, $80, $33, $36, $1B, $35, $32, $31
        .byte   $2C, $20, $2E, $6E, $80, $6D, $2F, $81, $72, $80, $65, $79, $7F, $74, $77, $71
        .byte   $39, $80, $30, $37, $7E, $38, $3C, $3E, $66, $68, $64, $80, $82, $67, $73, $61
        .byte   $4C, $4A, $3A, F1, F2, $4B, $5C, $5E, $4F, $80, $50, $55, $9B, $49, $5F, $7C
        .byte   $56, $80, $43, F3, F4, $42, $58, $5A, $24, $80, $23, $26, $1B, $25, $22, $21
        .byte   $5B, $20, $5D, $4E, $80, $4D, $3F, $80, $52, $80, $45, $59, $9F, $54, $57, $51
        .byte   $28, $80, $29, $27, $9C, $40, $7D, $9D, $46, $48, $44, $80, $83, $47, $53, $41
        .byte   $0C, $0A, $7B, $80, $80, $0B, $1E, $1F, $0F, $80, $10, $15, $9B, $09, $1C, $1D
        .byte   $16, $80, $03, $80, $80, $02, $18, $1A, $80, $80, $85, $80, $1B, $80, $FD, $80
        .byte   $00, $20, $60, $0E, $80, $0D, $80, $80, $12, $80, $05, $19, $9E, $14, $17, $11
        .byte   $80, $80, $80, $80, $FE, $80, $7D, $FF, $06, $08, $04, $80, $84, $07, $13, $01

.if XL
        .segment "FKEYS"

; ISCTL for a key with the value A, Y = key code. The values of the function keys leave KGETCH here.
KISCTL: pha
        and     #$7F
        cmp     #$7D
        bcs     @yes
        cmp     #$1B
        bcc     @low
        cmp     #$20
        bcs     @no
@yes:   clc
        pla
        rts
@no:    sec
        pla
        rts
@low:   pla
        cmp     #$86
        bcc     @plain
        cmp     #$92
        bcc     FKEY
@plain: sec
        rts

; A key with the value A = $86 to $91; Y = key code. Gives a character to the caller of KGETCH, or waits for the next key.
FKEY:   tax
        pla
        pla
        lda     #0
        sta     SUPERF
        txa
        cmp     #$8A
        bcc     @value
        cmp     #$8E
        bcs     @value
        sbc     #$89                    ; F1 to F4 (C is clear), and with SHIFT
        cpy     #$40
        bcc     @index
        adc     #3                      ; C = 1
@index: tay
        lda     (FKDEF),y
        cmp     #$8A
        bcc     @value
        cmp     #$8E
        bcc     @none                   ; a function key again
@value: cmp     #$80
        bcc     @char
        cmp     #$92
        bcs     @char
        cmp     #$8E
        bcs     @super
        cmp     #$89
        bne     @none
        jsr     CLKTOG
@none:  jmp     KGETCH
@super: sta     SUPERF
        tsx
        lda     $0101,x
        cmp     #<EKEYRT
        bne     @give
        lda     $0102,x
        cmp     #>EKEYRT
        bne     @give
        jsr     SUPER                   ; the editor reads: it moves its cursor
        jmp     KGETCH
@char:  jsr     ISCTL
        bcc     @put
        eor     INVFLG
@put:   sta     ATACHR
        ldy     #SUCCES
        rts
@give:  lda     SUPERF
        bne     @put                    ; always

; F1 to F4: cursor up, down, left, right; with SHIFT: top left, bottom left, left margin, right margin.
FKTAB:  .byte   $1C, $1D, $1E, $1F, $8E, $8F, $90, $91

; A key with CTRL, or any key while the screen is put out: X = key code. C = 1: it is one of CTRL-F1 to F4, and done.
FKCTL:  lda     DMASAV
        beq     @shown
        sta     SDMCTL
        lda     #0
        sta     DMASAV
@shown: cpx     #$83
        beq     @lock
        cpx     #$84
        beq     @dark
        cpx     #$93
        beq     @click
        cpx     #$94
        beq     @font
        clc
        rts
@lock:  lda     KEYDIS
        eor     #$FF
        sta     KEYDIS
        jmp     @done
@dark:  lda     SDMCTL
        sta     DMASAV
        lda     #0
        sta     SDMCTL
        beq     @done                   ; always
@click: jsr     CLKTOG
        jmp     @done
@font:  lda     CHSALT
        pha
        lda     CHBAS
        sta     CHSALT
        pla
        sta     CHBAS
@done:  lda     #0
        sta     SRTIMR                  ; these do not repeat
        sec
        rts

; At each start: our table of function keys; then the scan of the parallel bus.
FKINIT: lda     #<FKTAB
        sta     FKDEF
        lda     #>FKTAB
        sta     FKDEF+1
        jmp     PBISCN

CLKTOG: lda     NOCLIK
        eor     #$FF
        sta     NOCLIK
        rts
.endif
