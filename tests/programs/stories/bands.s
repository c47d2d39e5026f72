; Three bands by a chain of display list interrupts; the main loop fills the screen, round after round.
        .include "atari.inc"
        .export start
        .segment "CODE"
start:  lda #0
        sta SDMCTL
        lda #<dlist
        sta SDLSTL
        lda #>dlist
        sta SDLSTH
        lda #<dli1
        sta VDSLST
        lda #>dli1
        sta VDSLST+1
        ldy #<vbi
        ldx #>vbi
        lda #6
        jsr SETVBV
        lda #$C0
        sta NMIEN
        lda #$22
        sta SDMCTL
        ; main: fill the screen with a pattern again and again, count rounds
main:   ldx #0
fill:   txa
        clc
        adc rounds
        and #$3F
        sta screen,x
        sta screen+240,x
        inx
        cpx #240
        bne fill
filled: inc rounds
        lda rounds
        sta screen+480
        jmp main

vbi:    lda #<dli1
        sta VDSLST
        lda #>dli1
        sta VDSLST+1
        jmp SYSVBV

dli1:   pha
        lda #$84
        sta WSYNC
        sta COLPF2
        lda #<dli2
        sta VDSLST
        lda #>dli2
        sta VDSLST+1
        pla
        rti

dli2:   pha
        txa
        pha
        ldx #3
        lda tab,x
        sta WSYNC
        sta COLPF2
        lda #<dli3
        sta VDSLST
        lda #>dli3
        sta VDSLST+1
        pla             ; fault: X is not given back
        pla
        rti

dli3:   pha
        txa
        pha
        ldx #5
        lda #0
calc:   clc
        adc tab,x
        dex
        bpl calc
        and #$F0
        ora #6
        sta COLPF2      ; without WSYNC, but left of the picture
        pla
        tax
        pla
        rti

tab:    .byte $12,$24,$36,$48,$5A,$1C
rounds: .byte 0

dlist:  .byte $70,$70,$70
        .byte $42
        .word screen
        .byte 2,2,2,$82,2,2,2,2,$82,2,2,2,2,$82,2,2,2,2,2,2,2,2,2
        .byte $41
        .word dlist
screen = $4000
