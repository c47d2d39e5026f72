; A line of text, and a display list interrupt that changes the colour below it.
SDLSTL  = $0230
VDSLST  = $0200
RTCLOK  = $0012
COLPF2  = $D018
WSYNC   = $D40A
NMIEN   = $D40E

        org $2000
start   mwa #list SDLSTL
        mwa #band VDSLST
        mva #$C0 NMIEN          ; display list and vertical blank interrupts
again   lda RTCLOK+2            ; each frame
wait    cmp RTCLOK+2
        beq wait
        jsr count
        jmp again

; Counts tens of frames on the screen, in one digit of the text.
.proc   count
        inc tenths
        lda tenths
        cmp #10
        bne done
        mva #0 tenths
        inc text+17
        lda text+17
        cmp #26                 ; the character after 9
        bne done
        mva #16 text+17
done    rts
.endp

; The display list interrupt: orange from the next line on.
.proc   band
        pha
        lda #$34
        sta WSYNC
        sta COLPF2
        pla
        rti
.endp

tenths  dta 0
text    dta d'HELLO FROM MADS  0  '
        .ds 20

        .align $100
list    dta $70,$70,$70
        dta $42,a(text)
        dta $F0                 ; eight empty lines, and the interrupt
        dta $42,a(text)
        dta $41,a(list)

        run start
