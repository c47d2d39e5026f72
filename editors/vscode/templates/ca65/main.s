; A line of text, and a display list interrupt that changes the colour below it.
        .include "atari.inc"
        .export start

        .code
start:  lda #<list
        sta SDLSTL
        lda #>list
        sta SDLSTL+1
        lda #<band
        sta VDSLST
        lda #>band
        sta VDSLST+1
        lda #$C0                ; display list and vertical blank interrupts
        sta NMIEN
again:  lda RTCLOK+2            ; each frame
wait:   cmp RTCLOK+2
        beq wait
        jsr count
        jmp again

; Counts frames on the screen, in the last two places of the text.
count:  inc tenths
        lda tenths
        cmp #10
        bne done
        lda #0
        sta tenths
        inc text+17
        lda text+17
        cmp #26                 ; the character after 9
        bne done
        lda #16
        sta text+17
done:   rts

; The display list interrupt: orange from the next line on.
band:   pha
        lda #$34
        sta WSYNC
        sta COLPF2
        pla
        rti

        .data
tenths: .byte 0
; Codes of the screen: letters and digits are 32 less than in ASCII.
.macro  screen string
        .repeat .strlen(string), i
        .byte .strat(string, i) - 32
        .endrepeat
.endmacro
text:   screen "HELLO FROM CA65  0  "
        .res 20, 0

        .rodata
list:   .byte DL_BLK8, DL_BLK8, DL_BLK8
        .byte DL_CHR40x8x1 | DL_LMS, <text, >text
        .byte DL_BLK8 | DL_DLI
        .byte DL_CHR40x8x1 | DL_LMS, <text, >text
        .byte DL_JVB, <list, >list
list_end:
        .assert >list = >list_end, error, "the display list crosses a page: move it"
