; The menu: the display list interrupts, in page 6.
; `cargo run -p xtask -- games` puts the bytes into the listing as hexadecimal DATA.
;
;   1536 MARK      "GO" and the number of the chosen program, for the front end
;   1539 DLI       the interrupt's address for VDSLST
; and in the cassette buffer, which is unused here:
;   1024 HUES      hue (times 16) of the eight panels
;   1032 CHOSEN    the panel under the cursor, 0..7
;   1033 SHINE     colour of the title's letters at their lower edge
;   1040 COLOURS   COLPF0..COLPF3 of the upper row's pictures, then of the lower row's
;   1056 SHADE     brightness of a panel from its upper to its lower edge, 8 steps
;   1064, 1068     pages of the character sets of the two rows' pictures
;   1065, 1069     VCOUNT of the two rows' first lines
;
; A frame has four interrupts, told apart by VCOUNT: the title, the two rows of panels, and the lines of text below.
; The panels are four players of quadruple width; each gets darker from line to line.

        .setcpu "6502"

RTCLOK  = $14
COLOR3  = $02C7                 ; the cursor's bars
COLPM0  = $D012
COLPF0  = $D016
COLPF1  = $D017
COLPF2  = $D018
COLPF3  = $D019
PRIOR   = $D01B
WSYNC   = $D40A
CHBASE  = $D409
VCOUNT  = $D40B

GROUND  = $00                   ; colour behind everything
TEXT    = $11                   ; PRIOR: players before the playfield, missiles are the fifth player
PICTURE = $14                   ; PRIOR: playfield before the players, likewise

; VCOUNT (two lines each) at which one part of the screen has certainly ended and the next not yet begun
ENDTITLE = 18
ENDUPPER = 40
ENDLOWER = 80

hues    = $0400
chosen  = $0408
shine   = $0409
colours = $0410
base    = $0418                 ; colours of the panels in this frame
shade   = $0420
set     = $0428
first   = $0429                 ; VCOUNT of a row's first line

        .org    $0600

        .byte   0, 0, 0

dli:    pha
        txa
        pha
        tya
        pha
        cld                     ; BASIC calculates in decimal mode
        lda     VCOUNT
        cmp     #ENDTITLE
        bcc     title
        ldy     #0
        cmp     #ENDUPPER
        bcc     row
        ldy     #4
        cmp     #ENDLOWER
        bcc     row

; The name of the program under the cursor in its panel's hue; the panels' colours of the next frame.
        ldx     chosen
        lda     hues,x
        ora     #$0A
        sta     WSYNC
        sta     COLPF0
        ldx     #7
panel:  lda     hues,x
        sta     base,x
        dex
        bpl     panel
        ldx     chosen
        lda     RTCLOK
        lsr     a
        lsr     a
        lsr     a
        and     #2
        ora     #4
        ora     hues,x
        sta     base,x
        bne     done

; Each letter of the title shines twice, the second time in the next hue.
title:  ldx     #15
:       txa
        asl     a
        adc     shine
        sta     WSYNC
        sta     COLPF0
        dex
        bpl     :-
done:   pla
        tay
        pla
        tax
        pla
        rti

; One row of panels: a line of text, five of pictures, one of text, with a blank line before each part.
row:    ldx     #0
        jsr     panels
        lda     first,y
:       cmp     VCOUNT          ; not WSYNC: a click of the keyboard may have delayed the interrupt by a line
        bne     :-
        jsr     text
        lda     #9
        jsr     wait
        lda     #PICTURE
        sta     PRIOR
        lda     set,y
        sta     CHBASE
        lda     colours,y
        sta     COLPF0
        lda     colours+1,y
        sta     COLPF1
        lda     colours+2,y
        sta     COLPF2
        lda     colours+3,y
        sta     COLPF3
        lda     #2
:       jsr     wait
        jsr     panels
        lda     #7              ; the eighth line is the one that `panels` runs into
        cpx     #6
        bcc     :-
        lda     #6
        jsr     wait
        jsr     text
        lda     #9
        jsr     wait
        lda     COLOR3
        sta     COLPF3
        bne     done

; Registers for a line of text on the panels.
text:   lda     #TEXT
        sta     PRIOR
        lda     #$E0
        sta     CHBASE
        lda     #GROUND
        sta     COLPF2
        lda     #$0E
        sta     COLPF1
        rts

; The four panels' next shade: each register is written when the beam has left its panel.
panels: clc
        nop
        lda     shade,x
        adc     base,y
        sta     COLPM0
        lda     shade,x
        adc     base+1,y
        sta     COLPM0+1
        lda     shade,x
        adc     base+2,y
        sta     COLPM0+2
        lda     shade,x
        adc     base+3,y
        sta     COLPM0+3
        inx
        rts

; Waits for the end of A lines.
wait:   sta     WSYNC
        sec
        sbc     #1
        bne     wait
        rts
