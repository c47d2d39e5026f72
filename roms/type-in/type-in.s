; Typing listings in: the check letters of each line that BASIC stores appear before it, in the left margin.
; `cargo run -p xtask -- games` puts the bytes into type-in.lst, and a list of those that name a page.
;
;   USR(CODE,CODE,PAGE)  moves itself from CODE to PAGE, the first free page, raises MEMLO over it, and starts BASIC with an
;                        empty memory. It does not return.
;
; The screen editor's GET and PUT go through here. When BASIC asks for the next line after it has stored one, it gets
; "LIST" and the number of that line; its answer is not shown but counted: each character times its place, as
; roms/games/check.lst does. So the letters are those of the line as BASIC lists it, with any BASIC and any abbreviation.
; After RESET it puts itself in again. Lines get letters in GRAPHICS 0, where the left margin has two columns or more.

; BASE+1 is the page for which it is assembled, 1 in the listing.

        .setcpu "6502"

POINTER = $CB                   ; $CB-$D1 belong to the user in Atari BASIC; kept where a program may run
TARGET  = $CD
WARMST  = $08
BOOT    = $09
DOSINI  = $0C
LMARGN  = $52
ROWCRS  = $54
DINDEX  = $57
SAVMSC  = $58
LOGMAP  = $02B2                 ; a bit for each row that begins a line
MEMLO   = $02E7
HATABS  = $031A
ICPTL   = $0346                 ; of IOCB 0: E: put, by which BASIC prints
CART    = $BFFA                 ; start of BASIC
EOL     = $9B
SUCCESS = 1

MODULUS = 26*26
PAGES   = 3

; What BASIC is doing with a line:
OTHER   = 0
STORED  = 1                     ; it got one with a number, and prints nothing but an error
ASKED   = 2                     ; it is reading LIST
LISTED  = 3                     ; it is printing the answer

        .org    (BASE+1)*256

; ---------------------------------------------------------------- moving in

; Runs where the string is.
        pla                     ; number of arguments
        pla
        sta     POINTER+1
        pla
        sta     POINTER
        pla
        pla
        sta     TARGET+1
        pha
        ldx     #PAGES
        lda     #0
        sta     TARGET
        tay
@copy:  lda     (POINTER),y
        sta     (TARGET),y
        iny
        bne     @copy
        inc     POINTER+1
        inc     TARGET+1
        dex
        bne     @copy
        pla                     ; on to `install` in the page
        sta     POINTER+1
        lda     #<install
        sta     POINTER
        jmp     (POINTER)

install:
        lda     BOOT            ; a DOS is set up first after RESET
        lsr     a
        lda     #0
        rol     a
        sta     dos
        lda     DOSINI
        sta     olddos
        lda     DOSINI+1
        sta     olddos+1
        lda     #<reset
        sta     DOSINI
        lda     #>reset
        sta     DOSINI+1
        lda     BOOT
        ora     #1
        sta     BOOT
        jsr     hook
        lda     #0
        sta     WARMST
        jmp     (CART)

reset:  lda     dos
        beq     hook
        jsr     setdos
; Puts the routines into E:, and takes the memory.
hook:   ldx     #33
@find:  lda     HATABS,x
        cmp     #'E'
        beq     found
        dex
        dex
        dex
        bpl     @find
        rts
setdos: jmp     (olddos)
found:  lda     HATABS+1,x
        sta     from+1
        lda     HATABS+2,x
        sta     from+2
        ldy     #15
from:   lda     $FFFF,y
        sta     table,y
        dey
        bpl     from
        ldy     #3
@old:   lda     table+4,y
        sta     oldget,y
        lda     hooks,y
        sta     table+4,y
        dey
        bpl     @old
        lda     #<table
        sta     HATABS+1,x
        lda     #>table
        sta     HATABS+2,x
        ldx     #last-1-first
        lda     #0
@clear: sta     first,x
        dex
        bpl     @clear
        sta     MEMLO
        lda     #>end
        sta     MEMLO+1
        lda     hooks+2
        sta     ICPTL
        lda     hooks+3
        sta     ICPTL+1
        rts

; ---------------------------------------------------------------- E: get

get:    lda     mode
        beq     @read
        cmp     #LISTED
        bne     @ask
        jsr     show
        lda     #OTHER
        sta     mode
        beq     @read
@ask:   ldx     fed
        inc     fed
        lda     #ASKED
        sta     mode
        lda     command,x
        cmp     #EOL
        bne     @given
        ldx     #LISTED
        stx     mode
@given: ldy     #SUCCESS
        rts
@read:  jsr     editor
        sta     char
        sty     status
        cpy     #$80            ; BREAK: the line is not there
        bcs     begin
        cmp     #EOL
        beq     @end
        ldx     text
        bne     back
        ldx     digits
        cmp     #'0'
        bcc     @other
        cmp     #'9'+1
        bcs     @text
        cpx     #5
        bcs     @text
        sta     number,x
        inc     digits
        bcc     back
@other: cmp     #' '
        bne     @text
        cpx     #0
        beq     back            ; before the number
@text:  inc     text
        bne     back
@end:   ldx     digits
        bne     @line
        lda     text            ; a command: READY comes after it
        beq     begin
        stx     direct
        bne     begin
@line:  lda     direct          ; the answer to a program's INPUT is no line
        and     text
        beq     begin
        lda     #EOL
        sta     number,x
        lda     #STORED
        sta     mode
        lda     #0
        ldx     #last-1-counted
@clear: sta     counted,x
        dex
        bpl     @clear
begin:  lda     #0
        sta     digits
        sta     text
back:   lda     char
        ldy     status
        rts

editor: lda     oldget+1
        pha
        lda     oldget
        pha
        rts

; ---------------------------------------------------------------- E: put

put:    sta     char
        stx     keepx
        sty     keepy
        lda     mode
        cmp     #LISTED
        beq     eat
        cmp     #STORED
        bne     @pass
        lda     #OTHER          ; an error in the line
        sta     mode
@pass:  ldx     matched
        lda     char
        cmp     ready,x
        beq     @next
        ldx     #$FF
        cmp     ready
        bne     @next
        inx
@next:  inx
        cpx     #6
        bne     @seen
        ldx     #1
        stx     direct
        dex
@seen:  stx     matched
        lda     oldput+1
        pha
        lda     oldput
        pha
        lda     char
        ldx     keepx
        ldy     keepy
        rts

; The answer to LIST: an empty line, the line, READY.
eat:    ldx     over
        bne     @done
        lda     place
        ora     place+1
        tax                     ; 0 before the line
        lda     char
        cmp     #EOL
        bne     @text
        cpx     #0
        beq     @done
@over:  inc     over
        bne     @done
@text:  cpx     #0
        bne     @count
        cmp     #'0'            ; READY: no line has this number
        bcc     @over
        cmp     #'9'+1
        bcs     @over
@count: jsr     count
@done:  lda     char
        ldx     keepx
        ldy     #SUCCESS
        rts

; Adds a character times its place, which is less than 26 * 26, to the sum. It is taken modulo 26 * 26.
count:  inc     place
        bne     @place
        inc     place+1
@place: lda     char
        sta     bits
        lda     #0
        sta     product
        sta     product+1
        ldy     #8
@bit:   ldx     #product-counted
        asl     product
        rol     product+1
        jsr     reduce
        asl     bits
        bcc     @none
        lda     product
        clc
        adc     place
        sta     product
        lda     product+1
        adc     place+1
        sta     product+1
        jsr     reduce
@none:  dey
        bne     @bit
        lda     sum
        clc
        adc     product
        sta     sum
        lda     sum+1
        adc     product+1
        sta     sum+1
        ldx     #sum-counted
; Number X of those counted, which is less than twice the modulus, modulo it.
reduce: lda     counted,x
        sec
        sbc     #<MODULUS
        pha
        lda     counted+1,x
        sbc     #>MODULUS
        bcc     @less
        sta     counted+1,x
        pla
        sta     counted,x
        rts
@less:  pla
        rts

; ---------------------------------------------------------------- the letters

; Shows the letters in the two columns of the margin before the line above the cursor.
show:   lda     place
        ora     place+1
        beq     @none
        lda     DINDEX
        bne     @none
        ldy     LMARGN
        cpy     #2
        bcc     @none
        ldy     ROWCRS
        bne     @up
@none:  rts
@up:    dey
        beq     @row
        tya
        and     #7
        sta     bits
        tya
        lsr     a
        lsr     a
        lsr     a
        tax
        lda     LOGMAP,x
        ldx     bits
        beq     @first
@shift: asl     a
        dex
        bne     @shift
@first: asl     a
        bcc     @up
@row:   lda     POINTER
        pha
        lda     POINTER+1
        pha
        lda     SAVMSC
        ldx     SAVMSC+1
        iny
@add:   dey
        beq     @found
        clc
        adc     #40
        bcc     @add
        inx
        bne     @add
@found: sta     POINTER
        stx     POINTER+1
        ldx     #0
@sum:   lda     sum
        sec
        sbc     #26
        sta     bits
        lda     sum+1
        sbc     #0
        bcc     @rest
        sta     sum+1
        lda     bits
        sta     sum
        inx
        bne     @sum
@rest:  txa                     ; inverse letters
        clc
        adc     #'A'-32+128
        sta     (POINTER),y
        iny
        lda     sum
        adc     #'A'-32+128
        sta     (POINTER),y
        pla
        sta     POINTER+1
        pla
        sta     POINTER
        rts

; ---------------------------------------------------------------- data

hooks:  .word   get-1, put-1
ready:  .byte   "READY", EOL
command:
        .byte   "LIST "
number: .res    6

; The variables are where the code was that has moved all this.
dos     = (BASE+1)*256          ; 1: OLDDOS is called after RESET
olddos  = dos+1
oldget  = olddos+2
oldput  = oldget+2
table   = oldput+2              ; of E:, 16 bytes
char    = table+16
status  = char+1
keepx   = status+1
keepy   = keepx+1
bits    = keepy+1
first   = bits+1                ; 0 after RESET, up to the last
mode    = first
direct  = mode+1                ; 1: BASIC has said READY, and no program runs
matched = direct+1              ; characters of READY that were printed
digits  = matched+1             ; of the line's number
text    = digits+1              ; 1: the line has text after its number
counted = text+1                ; 0 before each line, up to the last
place   = counted
sum     = place+2
product = sum+2
over    = product+2             ; 1: the line has been counted
fed     = over+1                ; characters of the command that BASIC has got
last    = fed+1
end     = (BASE+1+PAGES)*256
        .assert number+6 <= end, error, "more pages"
        .assert last <= install, error, "more variables than the mover has bytes"
