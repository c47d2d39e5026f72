; What is resident of the command line: the loader of the commands, to which DOSVEC leads, and the loader of binary files.

        .include "equates.inc"
        .include "modules.inc"

        .segment "KERNEL"

; The commands go to the pages below the screen: the application's memory ends before, in most cases, and stays as it is. DOSVEC leads here.
DOSCMD: ldy     #1
        .byte   $2C                     ; BIT: skips the next instruction
; After a program: what it has printed stays.
PROGEND:
        ldy     #2
AGAIN:  sty     CPSTAT
        cld
        ldx     #$FF
        txs
        ldx     #$70                    ; all files are closed
@close: lda     #CLOSE
        jsr     CIO
        jsr     PREV
        bne     @close
        sec
        lda     MEMTOP+1
        sbc     #CMDPAGES
        sta     CPPAGE
        ldy     TRAMSZ                  ; a cartridge's program must stay
        beq     @load
        clc
        sbc     APPMHI+1
        bcc     @none
@load:  lda     #<NAMCMD
        ldy     #>NAMCMD
        jsr     OPENRD
        bmi     @none
        lda     #0
        ldy     CPPAGE
        jsr     BUFFER
        lda     #CMDPAGES
        sta     ICBLH,x
        lda     #GETCHR
        jsr     CIO
        jsr     SHUT1
        lda     #0
        sta     PTR
        lda     CPPAGE
        sta     PTR+1
        jmp     (PTR)
; The name of what is missing, or does not fit; then back to the cartridge, with its program. Without one, RETURN tries again.
@none:  ldx     #0
        lda     #<NAMCMD
        ldy     #>NAMCMD
        jsr     BUFFER
        dec     ICBLL
        lda     #PUTREC
        jsr     CIO
        lda     TRAMSZ
        beq     @wait
        lda     #$FF
        sta     WARMST
        jmp     (CARTRUN)
@wait:  sta     ICBLL
        lda     #GETREC
        jsr     CIO
        jmp     DOSCMD
NAMCMD: .byte   "D1:COMMAND.SYS", EOL
NAMAUTO: .byte  "D1:AUTORUN.SYS", EOL

; Loads and starts the name at Y:A, then comes back to the command line: it may have been loaded over.
LOADGO: jsr     LOADBIN
        jmp     AGAIN
; Starts what is at RUNAD.
RUNGO:  jsr     RUN
        jmp     PROGEND
RUN:    jmp     (RUNAD)

; ICBA of IOCB X = Y:A, ICBL = 0.
BUFFER: sta     ICBAL,x
        tya
        sta     ICBAH,x
        lda     #0
        sta     ICBLL,x
        sta     ICBLH,x
        rts

; CIO command A on IOCB X. N from the status.
CIO:    sta     ICCMD,x
        jmp     CIOV

; Closes IOCB 1.
SHUT1:  ldx     #$10
        lda     #CLOSE
        bne     CIO

; Opens IOCB 1 to read: the name at Y:A.
OPENRD: ldx     #$10
        jsr     BUFFER
        lda     #4
        sta     ICAX1,x
        lda     #0
        sta     ICAX2,x
        lda     #OPEN
        bne     CIO

; Loads the binary file of the name at Y:A through IOCB 1, calls what its segments put into INITAD, and at its end RUNAD. Y = status; 2 = done.
LOADBIN:
        jsr     OPENRD
        bmi     @done
        lda     #<NOTHING
        sta     RUNAD
        lda     #>NOTHING
        sta     RUNAD+1
        ldx     #0
        jsr     @word
        bmi     @failed
        jsr     @mark
        bne     @bad
@segment:
        ldx     #0
        jsr     @word
        bmi     @over
        jsr     @mark
        beq     @segment
        ldx     #2
        jsr     @word
        bmi     @failed
        lda     #<NOTHING
        sta     INITAD
        lda     #>NOTHING
        sta     INITAD+1
        ldx     #$10
        lda     SEGHEAD
        ldy     SEGHEAD+1
        jsr     BUFFER
        jsr     SEGLEN
        bcc     @bad
        lda     #GETCHR
        jsr     CIO
        bmi     @failed
        lda     SEGHEAD+1               ; is there still a BASIC program in memory?
        cmp     APPMHI+1
        beq     @low
        bcs     @beside
@low:   lda     SEGHEAD+3
        cmp     MEMLO+1
        bcc     @beside
        lda     #0
        sta     APPMHI
        sta     APPMHI+1
@beside:
        jsr     @init
        jmp     @segment
@over:  cpy     #ENDFIL
        bne     @failed
        jsr     SHUT1
        clc
        jsr     RUN
        ldy     #2                      ; as after PROGEND
        bne     @done
@bad:   ldy     #NOTBIN
@failed:
        tya
        pha
        jsr     SHUT1
        pla
        tay
@done:  tya
        rts
@init:  jmp     (INITAD)
; Two bytes to SEGHEAD + X.
@word:  txa
        clc
        adc     #<SEGHEAD
        ldy     #>SEGHEAD
        bcc     @page
        iny
@page:  ldx     #$10
        jsr     BUFFER
        lda     #2
        sta     ICBLL,x
        lda     #GETCHR
        jmp     CIO
; Z = 1: the word is $FFFF, which may begin a segment.
@mark:  lda     SEGHEAD
        and     SEGHEAD+1
        cmp     #$FF
        rts

; ICBL of IOCB 1 = length of the segment. C = 0: it ends before it begins.
SEGLEN: sec
        lda     SEGHEAD+2
        sbc     SEGHEAD
        sta     ICBLL+$10
        lda     SEGHEAD+3
        sbc     SEGHEAD+1
        sta     ICBLH+$10
        inc     ICBLL+$10
        bne     @page
        inc     ICBLH+$10
@page:  rts

