; The command line: the file COMMAND.SYS, which is loaded below the screen (see load.s).

        .include "equates.inc"
        .include "modules.inc"

        .segment "COMMANDS"
        .import __COMMANDS_SIZE__

; Memory that is free while no BASIC statement runs: the command, the names made of it, and variables.
NAME1   = $0500
NAME2   = $0520
NAME3   = $0540
LISTED  = $0560
LINE    = $0580
CPFILE  = $0578         ; COPY: the place in the directory
CPLEN   = $0579         ; its buffer
CPSIZE  = $057B         ; bytes of this file

; ---------------------------------------------------------------- the loop

DINDEX  = $57           ; mode of the screen
COLDSV  = $E477

; The file is loaded to a page that it was not made for, in PTR. Up to MOVED this runs anywhere: it adds the difference to the high bytes of all
; addresses in the commands. The list after their end has the distances from one to the next: 255 only goes on, 0 is the end.
START:  clc
        bcc     @known
        .byte   >START                  ; byte 3: the page that it was made for
        .word   __COMMANDS_SIZE__       ; place of the list
@known: lda     BOOTBEG+12              ; is this the DOS that they were made with?
        cmp     #<BUFFERS
        bne     @other
        lda     BOOTBEG+13
        cmp     #>BUFFERS
        beq     @move
@other: lda     TRAMSZ
        beq     @cold
        lda     #$FF
        sta     WARMST
        jmp     (CARTRUN)
@cold:  jmp     COLDSV
@move:  ldy     #3
        sec
        lda     PTR+1
        sbc     (PTR),y
        sta     COUNT
        iny
        lda     (PTR),y
        sta     PTR2
        iny
        lda     (PTR),y
        clc
        adc     PTR+1
        sta     PTR2+1
        ldy     #0
@next:  lda     (PTR2),y
        beq     MOVED
        tax
        clc
        adc     PTR
        sta     PTR
        bcc     @page
        inc     PTR+1
@page:  inc     PTR2
        bne     @list
        inc     PTR2+1
@list:  inx
        beq     @next
        clc
        lda     (PTR),y
        adc     COUNT
        sta     (PTR),y
        clc
        bcc     @next
; All addresses are right from here on.
MOVED:  jmp     BEGIN

BEGIN:  lda     ICBLL+$10
        sta     CPSIZE
        lda     ICBLH+$10
        sta     CPSIZE+1
        lda     ICHID                   ; a text screen
        cmp     #$FF
        beq     @editor
        lda     DINDEX
        beq     @text
@editor:
        ldx     #0
        lda     #CLOSE
        jsr     CIO
        lda     #12
        sta     ICAX1
        lda     #0
        sta     ICAX2
        lda     #<EDITOR
        ldy     #>EDITOR
        jsr     OPENIT2
@text:  ldy     CPSTAT
        bpl     @banner
        jmp     FAILED
@banner:
        cpy     #2
        beq     NEXT                    ; a program has come back
        lda     #<BANNER
        ldy     #>BANNER
        jsr     PRINT
NEXT:   ldx     #$FF
        txs
        jsr     SHUT
        lda     #EOL
        jsr     PRCHAR
        lda     #'D'
        jsr     PRCHAR
        lda     CPDRV
        jsr     PRCHAR
        lda     #':'
        jsr     PRCHAR
        jsr     GETLINE
        bmi     NEXT
        ldx     #0
        jsr     SKIP
        beq     NEXT                    ; nothing was typed
        stx     NAMPOS
; "D2:" alone changes the drive.
        cmp     #'D'
        bne     @search
        lda     LINE+2,x
        cmp     #':'
        bne     @search
        lda     LINE+3,x
        cmp     #EOL
        bne     @search
        lda     LINE+1,x
        cmp     #'1'
        bcc     @search
        cmp     #'9'
        bcs     @search
        sta     CPDRV
        bcc     NEXT
; The word in the table.
@search:
        ldy     #0
@word:  ldx     NAMPOS
@char:  lda     TABLE,y
        asl     a
        php                             ; C = the last letter
        lsr     a
        cmp     LINE,x
        bne     @differs
        inx
        iny
        plp
        bcc     @char
        lda     LINE,x                  ; the word ends here, too
        cmp     #' '
        beq     @found
        cmp     #EOL
        bne     @other
@found: stx     NAMPOS
        lda     TABLE+1,y
        pha
        lda     TABLE,y
        pha
        lda     TABLE+2,y               ; the command of CIO, for some
        rts
@differs:
        plp
@skip:  lda     TABLE,y
        iny
        asl     a
        bcc     @skip
@other: iny
        iny
        iny
        cpy     #TABEND-TABLE
        bcc     @word
; A program on the disk.
        ldx     NAMPOS
        jsr     NAMEAT
        jmp     RUNNAME

; Word, its last letter with bit 7; routine - 1; a number for it.
        .macro  word text, routine, number
        .repeat .strlen(text)-1, i
        .byte   .strat(text, i)
        .endrepeat
        .byte   .strat(text, .strlen(text)-1) | $80
        .word   routine-1
        .byte   number
        .endmacro
TABLE:  word    "DIR", CDIR, 7
        word    "TYPE", CTYPE, 4
        word    "COPY", CCOPY, 0
        word    "DEL", CDEL, 33
        word    "REN", CXIO, 32
        word    "LOCK", CXIO, 35
        word    "UNLOCK", CXIO, 36
        word    "LOAD", CLOAD, 0
        word    "SAVE", CSAVE, 0
        word    "RUN", CRUN, 0
        word    "CAR", CCAR, 0
        word    "FORMAT", CFORMAT, 0
        word    "SYS", CSYS, 0
        word    "HELP", CHELP, 0
TABEND:
        .assert TABEND-TABLE < 256, error, "an index"

EDITOR: .byte   "E:", EOL
BANNER: .byte   "Anticlock DOS. HELP lists commands.", EOL
HELP:   .byte   "DIR [file]    TYPE file", EOL
        .byte   "COPY from,to  DEL file  REN old,new", EOL
        .byte   "LOCK file     UNLOCK file  CAR", EOL
        .byte   "LOAD file     RUN address", EOL
        .byte   "SAVE file,start,end[,init[,run]]", EOL
        .byte   "FORMAT Dn:[S|E|D]  SYS Dn:  Dn:", EOL
HELPEND:

; ---------------------------------------------------------------- CIO

; Prints the text at Y:A, up to its EOL.
PRINT:  ldx     #0
        jsr     BUFFER
        dex
        stx     ICBLL
        lda     #PUTREC
        ldx     #0
        jmp     CIO

PRCHAR: ldx     #0
        stx     ICBLL
        stx     ICBLH
        ldy     #PUTCHR
        sty     ICCMD
        jmp     CIOV

; A line of the editor to LINE, in capitals.
GETLINE:
        ldx     #0
        lda     #<LINE
        ldy     #>LINE
        jsr     BUFFER
        lda     #126
        sta     ICBLL
        lda     #GETREC
        jsr     CIO
        bmi     @done
        ldx     #125
@char:  lda     LINE,x
        cmp     #'a'
        bcc     @next
        cmp     #'z'+1
        bcs     @next
        and     #$DF
        sta     LINE,x
@next:  dex
        bpl     @char
        ldy     #1
@done:  tya
        rts

; Opens IOCB 1 with mode A: the name in NAME1.
OPENIT: ldx     #$10
        sta     ICAX1,x
        lda     #0
        sta     ICAX2,x
        lda     #<NAME1
        ldy     #>NAME1
OPENIT2:
        jsr     BUFFER
        lda     #OPEN
; CIO command A on IOCB X; errors end the command.
XCIO:   jsr     CIO
        bpl     DONE
; "ERROR nnn" for status Y.
FAILED: sty     NUMBER
        lda     #0
        sta     NUMBER+1
        lda     #<LINE
        sta     BUFP
        lda     #>LINE
        sta     BUFP+1
        ldy     #0
@text:  lda     ERRTXT,y
        beq     @digits
        sta     LINE,y
        iny
        bne     @text
@digits:
        jsr     DIGITS
        lda     #EOL
        sta     LINE,y
        lda     #<LINE
        ldy     #>LINE
        jsr     PRINT
        jmp     NEXT
DONE:   rts
ERRTXT: .byte   "ERROR ", 0

; Closes IOCBs 1 and 2.
SHUT:   ldx     #$20
        lda     #CLOSE
        jsr     CIO
        jmp     SHUT1

; ---------------------------------------------------------------- the command's words

; X at the next character of LINE that is not a blank or a comma; A is it, Z = 1: the end.
SKIP:   dex
@next:  inx
        lda     LINE,x
        cmp     #' '
        beq     @next
        cmp     #','
        beq     @next
        cmp     #EOL
        rts

; The next word as a file name to NAME1, with the drive unless it names one; X after it. It ends at a blank or comma; NAMEALL: at the end of the line.
NAMEAT: lda     #','
        bne     NAMETO
NAMEALL:
        lda     #EOL
NAMETO: sta     LIMIT
        jsr     SKIP
        ldy     #0
        lda     LINE+1,x
        cmp     #':'
        beq     @copy
        lda     LINE+2,x
        cmp     #':'
        beq     @copy
        lda     #'D'
        sta     NAME1
        lda     CPDRV
        sta     NAME1+1
        lda     #':'
        sta     NAME1+2
        ldy     #3
@copy:  lda     LINE,x
        cmp     #EOL
        beq     @end
        cmp     #' '
        beq     @end
        cmp     LIMIT
        beq     @end
        sta     NAME1,y
        inx
        iny
        cpy     #31
        bcc     @copy
@end:   lda     #EOL
        sta     NAME1,y
        rts

; A hexadecimal number to NUMBER. C = 1: there is none.
HEX:    jsr     SKIP
        lda     #0
        sta     NUMBER
        sta     NUMBER+1
        sec
        php
@digit: lda     LINE,x
        cmp     #'$'
        beq     @sign
        cmp     #'9'+1
        bcc     @decimal
        cmp     #'A'
        bcc     @end
        sbc     #7
@decimal:
        sec
        sbc     #'0'
        cmp     #16
        bcs     @end
        ldy     #4
@shift: asl     NUMBER
        rol     NUMBER+1
        dey
        bne     @shift
        ora     NUMBER
        sta     NUMBER
        plp
        clc
        php
@sign:  inx
        bne     @digit
@end:   plp
        rts

; ---------------------------------------------------------------- files

; DIR and TYPE: what can be read from the name goes to the screen.
CDIR:
CTYPE:  pha
        ldx     NAMPOS
        jsr     NAMEAT
        pla
        jsr     OPENIT
@part:  ldx     #$10
        lda     #<LINE
        ldy     #>LINE
        jsr     BUFFER
        lda     #127
        sta     ICBLL,x
        lda     #GETCHR
        jsr     CIO
        tya
        pha
        lda     ICBLL+$10
        beq     @end
        ldx     #0
        lda     #<LINE
        ldy     #>LINE
        jsr     BUFFER
        lda     ICBLL+$10
        sta     ICBLL
        lda     #PUTCHR
        jsr     XCIO
@end:   pla
        bpl     @part
        cmp     #ENDFIL
        beq     @back
        tay
        jmp     FAILED
@back:  jmp     NEXT

CDEL:   ldx     NAMPOS
@wild:  lda     LINE,x
        inx
        cmp     #'*'
        beq     @ask
        cmp     #'?'
        beq     @ask
        cmp     #EOL
        bne     @wild
        beq     @delete
@ask:   jsr     NAMEARG
        jsr     SURE
        lda     #33
        bne     XIO
@delete:
        lda     #33
; Commands that are one of CIO's.
CXIO:   pha
        jsr     NAMEARG
        pla
XIO:    pha
        ldx     #$10
        lda     #<NAME1
        ldy     #>NAME1
        jsr     BUFFER
        lda     #0
        sta     ICAX1,x
        sta     ICAX2,x
        pla
        jsr     XCIO
        jmp     NEXT

NAMEARG:
        ldx     NAMPOS
        jmp     NAMEALL

; Goes on if Y is answered.
SURE:   lda     #<SURETXT
        ldy     #>SURETXT
        jsr     PRINT
        jsr     GETLINE
        bmi     @no
        lda     LINE
        cmp     #'Y'
        beq     @yes
@no:    jmp     NEXT
@yes:   rts
SURETXT: .byte  "Type Y to go on", EOL

; ---------------------------------------------------------------- COPY

CCOPY:  ldx     NAMPOS
        jsr     NAMEAT
        ldy     #31                     ; the first name to NAME3
@keep:  lda     NAME1,y
        sta     NAME3,y
        dey
        bpl     @keep
        jsr     NAMEAT
        ldy     #31                     ; the second to NAME2
@second:
        lda     NAME1,y
        sta     NAME2,y
        dey
        bpl     @second
        ldy     #0
@wild:  lda     NAME3,y
        iny
        cmp     #EOL
        bne     @more
        jmp     @one
@more:  cmp     #'*'
        beq     @all
        cmp     #'?'
        bne     @wild
; One after the other, as the directory lists them.
@all:   lda     #0
        sta     CPFILE
@file:  ldx     #31
@pattern:
        lda     NAME3,x
        sta     NAME1,x
        dex
        bpl     @pattern
        lda     #6
        jsr     OPENIT
        ldy     CPFILE
        inc     CPFILE
@line:  tya
        pha
        ldx     #$10
        lda     #<LISTED
        ldy     #>LISTED
        jsr     BUFFER
        lda     #20
        sta     ICBLL,x
        lda     #GETREC
        jsr     XCIO
        pla
        tay
        dey
        bpl     @line
        jsr     SHUT1
        lda     LISTED
        cmp     #'0'
        bcs     @back                   ; the line of the free sectors
; NAME1 = the device of the pattern, and the name without its blanks.
        ldx     #$FF
@device:
        inx
        lda     NAME3,x
        sta     NAME1,x
        cmp     #':'
        bne     @device
        ldy     #2
@char:  cpy     #10
        bne     @same
        lda     #'.'
        inx
        sta     NAME1,x
@same:  lda     LISTED,y
        cmp     #' '
        beq     @blank
        inx
        sta     NAME1,x
@blank: iny
        cpy     #13
        bcc     @char
        lda     #EOL
        sta     NAME1+1,x
        lda     #<NAME1
        ldy     #>NAME1
        jsr     PRINT
        jsr     COPY
        jmp     @file
@one:   ldx     #31
@name:  lda     NAME3,x
        sta     NAME1,x
        dex
        bpl     @name
        jsr     COPY
@back:  jmp     NEXT

; Copies NAME1 to NAME2; when that has only a device, under the same name. Through the memory that the application does not use.
COPY:   lda     #4
        jsr     OPENIT
        ldy     #$FF                    ; the name of the copy to LINE
@copy:  iny
        lda     NAME2,y
        sta     LINE,y
        cmp     #EOL
        bne     @copy
        lda     LINE-1,y
        cmp     #':'
        bne     @named
        ldx     #$FF
@device:
        inx
        lda     NAME1,x
        cmp     #':'
        bne     @device
@same:  inx
        lda     NAME1,x
        sta     LINE,y
        iny
        cmp     #EOL
        bne     @same
@named: ldx     #$20
        lda     #8
        sta     ICAX1,x
        lda     #0
        sta     ICAX2,x
        lda     #<LINE
        ldy     #>LINE
        jsr     OPENIT2
; From the end of the application or of DOS to the commands.
        ldx     MEMLO
        ldy     MEMLO+1
        cpy     APPMHI+1
        bcc     @above
        bne     @start
        cpx     APPMHI
        bcs     @start
@above: ldx     APPMHI
        ldy     APPMHI+1
@start: stx     PTR2
        sty     PTR2+1
        clc                             ; one less than to the commands
        lda     #0
        sbc     PTR2
        sta     CPLEN
        lda     CPPAGE
        sbc     PTR2+1
        sta     CPLEN+1
        bcs     @part
        ldy     #NOROOM
        jmp     FAILED
@part:  ldx     #$10
        jsr     @buffer
        lda     CPLEN
        sta     ICBLL,x
        lda     CPLEN+1
        sta     ICBLH,x
        lda     #GETCHR
        jsr     CIO
        tya
        pha
        ldx     #$20
        jsr     @buffer
        lda     ICBLL+$10
        sta     ICBLL,x
        lda     ICBLH+$10
        sta     ICBLH,x
        ora     ICBLL,x
        beq     @end
        lda     #PUTCHR
        jsr     XCIO
@end:   pla
        bpl     @part
        cmp     #ENDFIL
        bne     @failed
        ldx     #$20
        lda     #CLOSE
        jsr     XCIO
        jmp     SHUT1
@failed:
        tay
        jmp     FAILED
; The byte at PTR2 itself is the application's last one.
@buffer:
        lda     PTR2
        ldy     PTR2+1
        clc
        adc     #1
        bcc     @low
        iny
@low:   jmp     BUFFER

; ---------------------------------------------------------------- binary files

CLOAD:  jsr     NAMEARG
; Loads and starts NAME1.
RUNNAME:
        lda     #<NAME1
        ldy     #>NAME1
        jmp     LOADGO

; SAVE name,start,end[,init[,run]]
CSAVE:  ldx     NAMPOS
        jsr     NAMEAT
        ldy     #0
        jsr     @address
        ldy     #2
        jsr     @address
        stx     NAMPOS
        lda     #8
        jsr     OPENIT
        lda     #$FF
        sta     NAME1
        sta     NAME1+1
        ldx     #3
@head:  lda     SEGHEAD,x
        sta     NAME1+2,x
        dex
        bpl     @head
        jsr     @six
        lda     SEGHEAD
        ldy     SEGHEAD+1
        jsr     BUFFER
        jsr     SEGLEN
        bcc     @wrong
        lda     #PUTCHR
        jsr     XCIO
        ldx     NAMPOS
        lda     LINE,x
        cmp     #','
        bne     @init
        cmp     LINE+1,x
        beq     @run                    ; only a start address
@init:  lda     #<INITAD
        jsr     @vector
@run:   lda     #<RUNAD
        jsr     @vector
        ldx     #$10
        lda     #CLOSE
        jsr     XCIO
        jmp     NEXT
@address:
        tya
        pha
        jsr     HEX
        pla
        tay
        bcs     @wrong
        lda     NUMBER
        sta     SEGHEAD,y
        lda     NUMBER+1
        sta     SEGHEAD+1,y
        rts
@wrong: ldy     #BADCMD
        jmp     FAILED
; The next number as a segment of its own, at A in page 2.
@vector:
        sta     NAME1
        ldx     NAMPOS
        jsr     HEX
        stx     NAMPOS
        bcs     @none
        ldx     NAME1
        inx
        stx     NAME1+2
        lda     #>RUNAD
        sta     NAME1+1
        sta     NAME1+3
        lda     NUMBER
        sta     NAME1+4
        lda     NUMBER+1
        sta     NAME1+5
@six:   ldx     #$10
        lda     #<NAME1
        ldy     #>NAME1
        jsr     BUFFER
        lda     #6
        sta     ICBLL,x
        lda     #PUTCHR
        jmp     XCIO
@none:  rts

; ---------------------------------------------------------------- the rest

CRUN:   ldx     NAMPOS
        jsr     HEX
        bcs     @last
        lda     NUMBER
        sta     RUNAD
        lda     NUMBER+1
        sta     RUNAD+1
@last:  jmp     RUNGO

; Back to the cartridge. BASIC keeps its program if it has had one, and nothing was loaded over it.
CCAR:   lda     TRAMSZ
        beq     @none
        lda     APPMHI
        ora     APPMHI+1
        beq     @cold
        lda     #$FF
@cold:  sta     WARMST
        jmp     (CARTRUN)
@none:  lda     #<NOCART
        ldy     #>NOCART
        jsr     PRINT
        jmp     NEXT
NOCART: .byte   "No cartridge", EOL

CHELP:  ldx     #0
        lda     #<HELP
        ldy     #>HELP
        jsr     BUFFER
        lda     #<(HELPEND-HELP)
        sta     ICBLL
        lda     #>(HELPEND-HELP)
        sta     ICBLH
        lda     #PUTCHR
        jsr     CIO
        jmp     NEXT

; FORMAT [Dn:][S|E|D]. Drives that have several densities are told which one; the others refuse, and format what they have.
CFORMAT:
        jsr     NAMEARG
        lda     #<NAME1
        ldy     #>NAME1
        jsr     PRINT
        jsr     SURE
        lda     NAME1+1
        and     #$0F
        sta     CURDRV
        ldx     #11
@block: lda     PERCOM,x
        sta     LINE,x
        dex
        bpl     @block
        lda     #254
        ldx     NAME1+3
        cpx     #'E'
        beq     @format
        lda     #253
        cpx     #'S'
        beq     @set
        cpx     #'D'
        beq     @double
        lda     #254                    ; as the disk is
        bne     @format
@double:
        ldy     #4                      ; MFM
        sty     LINE+5
        ldy     #1                      ; 256 bytes
        sty     LINE+6
        dey
        sty     LINE+7
@set:   pha
        lda     #$4F
        sta     DCOMND
        lda     #<LINE
        sta     BUFP
        lda     #>LINE
        sta     BUFP+1
        lda     #12
        sta     DBYTLO
        lda     #0
        sta     DBYTHI
        ldx     #2
        ldy     #$80
        jsr     REQUEST2
        pla
@format:
        pha
        ldx     #$10
        lda     #<NAME1
        ldy     #>NAME1
        jsr     BUFFER
        lda     NAME1+3
        cmp     #EOL
        bne     @letter
        lda     #0
@letter:
        sta     ICAX2,x
        pla
        jsr     XCIO
        jmp     NEXT
; 40 tracks of 18 sectors of 128 bytes, FM.
PERCOM: .byte   40, 0, 0, 18, 0, 0, 0, 128, $FF, 0, 0, 0

; SYS [Dn:]: this DOS to the disk.
CSYS:   jsr     NAMEARG
        ldx     #7
@name:  lda     SYSNAME,x
        sta     NAME1+3,x
        dex
        bpl     @name
        lda     #8
        jsr     OPENIT
        lda     #<$0880
        ldy     #>$0880
        jsr     BUFFER
        lda     #<(__FILE_LAST__-$0880)
        sta     ICBLL,x
        lda     #>(__FILE_LAST__-$0880)
        sta     ICBLH,x
        lda     #PUTCHR
        jsr     XCIO
        ldx     #$10
        lda     #CLOSE
        jsr     XCIO
        jsr     @boot
        bmi     @failed
; The commands themselves, as they are in memory.
        ldx     #11
@second:
        lda     NAMCMD+3,x
        sta     NAME1+3,x
        dex
        bpl     @second
        lda     #8
        jsr     OPENIT
        lda     #0
        ldy     CPPAGE
        jsr     BUFFER
        lda     CPSIZE
        sta     ICBLL,x
        lda     CPSIZE+1
        sta     ICBLH,x
        lda     #PUTCHR
        jsr     XCIO
        ldx     #$10
        lda     #CLOSE
        jsr     XCIO
        jmp     NEXT
@failed:
        jmp     FAILED
@boot:  ldx     #$10
        jsr     ENTER
        lda     FSTART,x
        sta     DOSLNK
        lda     FSTART+1,x
        sta     DOSLNK+1
        lda     CAP
        sta     DOSCAP
        asl     a                       ; 125 or 253
        lda     #1
        adc     #0
        jsr     WRBOOT
        jmp     GOOD
SYSNAME: .byte  "DOS.SYS", EOL
