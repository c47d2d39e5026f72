; A display list interrupt that colours the screen from its sixth line on.
        .include "atari.inc"
        .export _band_colour, _band_start

        .data
_band_colour:
        .byte $94

        .code
; void band_start(void): asks for the interrupt in the display list of GRAPHICS 0.
.proc   _band_start
        lda SDLSTL
        sta $CB
        lda SDLSTL+1
        sta $CC
        ldy #10                 ; three times eight empty lines, the first line with its address, four more
        lda ($CB),y
        ora #DL_DLI
        sta ($CB),y
        lda #<band
        sta VDSLST
        lda #>band
        sta VDSLST+1
        lda #$C0                ; display list and vertical blank interrupts
        sta NMIEN
        rts
.endproc

.proc   band
        pha
        lda _band_colour
        sta WSYNC
        sta COLPF2
        pla
        rti
.endproc
