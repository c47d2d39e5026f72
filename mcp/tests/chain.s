; Three bands of colour by a chain of display list interrupts; the last one is late.
        .include "atari.inc"
        .export start, first, second, third, put
screen  = $4000

        .code
start:  lda #<list
        sta SDLSTL
        lda #>list
        sta SDLSTL+1
        jsr rewind
        ldy #<blank
        ldx #>blank
        lda #6                  ; before the OS's own
        jsr SETVBV
        lda #$C0                ; display list and vertical blank interrupts
        sta NMIEN
again:  inc counter
        jmp again

; Each frame begins with the first band.
blank:  jsr rewind
        jmp SYSVBV
rewind: lda #<first
        sta VDSLST
        lda #>first
        sta VDSLST+1
        rts

first:  pha
        lda #$84
        sta WSYNC
        sta COLPF2
        lda #<second
        sta VDSLST
        lda #>second
        sta VDSLST+1
        pla
        rti

second: pha
        lda #$34
        sta WSYNC
        sta COLPF2
        lda #<third
        sta VDSLST
        lda #>third
        sta VDSLST+1
        pla
        rti

third:  pha
        txa
        pha
        ldx #16                 ; works out its colour, and stores it where the beam happens to be
sum:    dex
        bne sum
        lda #$C6
put:    sta COLPF2
        pla
        tax
        pla
        rti

        .data
counter:
        .byte 0
list:   .byte $70,$70,$70,$42
        .word screen
        .byte 2,2,2,$82,2,2,2,$82,2,2,2,$82,2,2,2,2,$41
        .word list
