; Plays SAP files: tunes with their own player (types B, C and D), and packed dumps of POKEY's registers (type R).
;
; media/src/sap.rs loads the tune, fills in `PARAM` and the screen, and puts this program at a page where the tune has nothing: assembled for two pages, the bytes
; that differ are the high bytes of its own addresses, and a list of their distances follows `END` (xtask/src/roms.rs).
;
; A tune may use any memory, so the OS is not called and its variables are not used. Types B, C and R are played without interrupts: the beam's
; position says when. A tune of type D is a main program with sampled sounds, whose speed is that of a processor without display; it is left
; by itself on a dark screen, and the vertical blank calls its PLAYER.

        .setcpu "6502"

VVBLKI  = $0222
SDLSTL  = $0230
COLPF1  = $D017
COLPF2  = $D018
COLBK   = $D01A
CONSOL  = $D01F
AUDF1   = $D200
AUDCTL  = $D208
KBCODE  = $D209
IRQEN   = $D20E
SKCTL   = $D20F
SECOND  = $10           ; from the first POKEY to the second
PORTA   = $D300
DMACTL  = $D400
CHACTL  = $D401
DLISTL  = $D402
DLISTH  = $D403
CHBASE  = $D409
VCOUNT  = $D40B
NMIEN   = $D40E
XITVBV  = $E462

LEFT    = $06           ; key codes of the cursor keys, which are also + and *
RIGHT   = $07

TYPE_C  = 1
TYPE_D  = 2
TYPE_R  = 3

ROWS    = 7
INTRO   = 100           ; frames that the title of a tune of type D is shown

        .org PAGE*$100

BASE:   .word END-BASE

; Values that the loader fills in, at offset 2.
PARAM:
TYPE:   .byte 0         ; 0 = B
INIT:   .word 0
PLAYER: .word 0         ; 0: none (type D)
MUSIC:  .word 0         ; type C: the tune; type R: the packed dump
SONGS:  .byte 1
SONG:   .byte 0
LINES:  .word 312       ; scan lines from one call of the player to the next
HALF:   .byte 156       ; half of a frame's scan lines
FPS:    .byte 50
TIMES:  .word 0         ; for each song minutes and seconds of its length, in BCD; 0: not known
AT3:    .word 0         ; PLAYER+3
AT6:    .word 0         ; PLAYER+6
        .word START

        .assert * - BASE <= $20, error, "media/src/sap.rs has the display list at $20"
        .res BASE+$20-*, 0
DLIST:  .res 11, $70
        .byte $42
        .word SCREEN
        .res ROWS-1, $02
        .byte $41
        .word DLIST

; Screen codes; the loader fills in the first three rows.
        .assert * - BASE <= $40, error, "media/src/sap.rs has the screen at $40"
        .res BASE+$40-*, 0
SCREEN: .res 4*40, 0
STATUS: .res 40, 0
        .res 40, 0
HELP:   .res 40, 0

; Columns of the row with the song's number and the time.
AT_SONG = STATUS+7
AT_TIME = STATUS+22
AT_LEN  = STATUS+30

START:  sei
        cld
        lda     #0
        sta     NMIEN
        sta     IRQEN
        sta     CONSOL
        sta     COLBK
        sta     held
        lda     #$94
        sta     COLPF2
        lda     #$0C
        sta     COLPF1
        lda     #2
        sta     CHACTL
        lda     #$E0
        sta     CHBASE
        lda     #<DLIST         ; with the OS's shadow, by which debuggers read a screen
        sta     DLISTL
        sta     SDLSTL
        lda     #>DLIST
        sta     DLISTH
        sta     SDLSTL+1

; Begins the song `SONG`.
BEGIN:  sei
        ldx     #$FF
        txs
        cld
        lda     #0
        sta     NMIEN
        sta     IRQEN
        ldx     #8
@quiet: sta     AUDF1,x
        sta     AUDF1+SECOND,x
        dex
        bpl     @quiet
        sta     frames
        sta     seconds
        sta     minutes
        sta     due
        sta     due+1
        sta     wait
        lda     #3
        sta     SKCTL
        sta     SKCTL+SECOND
        lda     #$22
        sta     DMACTL
        jsr     SHOWSONG
        jsr     SHOWTIME
        lda     VCOUNT
        sta     last
        lda     MUSIC
        sta     GET+1
        lda     MUSIC+1
        sta     GET+2
        lda     TYPE
        cmp     #TYPE_R
        beq     LOOP
        cmp     #TYPE_D
        beq     DIGITAL
        cmp     #TYPE_C
        beq     @cmc
        lda     SONG
        jsr     @init
        jmp     LOOP
@init:  jmp     (INIT)
; The player of the Chaos Music Composer: $70 = a tune's address, 0 = song X from its beginning.
@cmc:   lda     #$70
        ldx     MUSIC
        ldy     MUSIC+1
        jsr     @plus3
        lda     #0
        ldx     SONG
        jsr     @plus3
        jmp     LOOP
@plus3: jmp     (AT3)

; A tune of type D is on its own from INIT on.
DIGITAL:
        lda     #INTRO
        sta     wait
@intro: jsr     BEAM
        bcc     @intro
        jsr     KEYS
        dec     wait
        bne     @intro
        lda     #0
        sta     DMACTL
        lda     #<BLANK
        sta     VVBLKI
        lda     #>BLANK
        sta     VVBLKI+1
        lda     #$40
        sta     NMIEN
        lda     SONG
        cli
        jsr     @init
@ended: jmp     @ended
@init:  jmp     (INIT)

; The vertical blank of a tune of type D.
BLANK:  cld
        lda     PLAYER
        ora     PLAYER+1
        beq     @keys
        jsr     CALL
@keys:  jsr     KEYS
        jmp     XITVBV

CALL:   jmp     (PLAYER)

; Types B, C and R: counts the scan lines, and calls the player when its time has come.
LOOP:   jsr     BEAM
        bcc     @same
        pha
        jsr     TICK
        jsr     KEYS
        pla
@same:  asl     a
        tax
        lda     #0
        rol     a
        tay
        txa
        clc
        adc     due
        sta     due
        tya
        adc     due+1
        sta     due+1
        lda     due
        sec
        sbc     LINES
        tax
        lda     due+1
        sbc     LINES+1
        bcc     LOOP
        stx     due
        sta     due+1
        lda     TYPE
        cmp     #TYPE_C
        beq     @cmc
        cmp     #TYPE_R
        beq     @dump
        jsr     CALL
        jmp     @done
@cmc:   jsr     @plus6
        jmp     @done
@dump:  jsr     DUMP
@done:  cld
        jmp     LOOP
@plus6: jmp     (AT6)

; Waits until the beam has moved. A = half of the scan lines since the last call, C = 1: a frame has ended.
BEAM:   ldx     VCOUNT
        cpx     last
        beq     BEAM
        txa
        sec
        sbc     last
        bcs     @within
        adc     HALF
        stx     last
        sec
        rts
@within:
        stx     last
        clc
        rts

; A frame has ended: the time.
TICK:   inc     frames
        lda     frames
        cmp     FPS
        bcc     @done
        lda     #0
        sta     frames
        sed
        lda     seconds
        clc
        adc     #1
        cmp     #$60
        bcc     @second
        lda     minutes
        adc     #0              ; C = 1
        sta     minutes
        lda     #0
@second:
        sta     seconds
        cld
        jmp     SHOWTIME
@done:  rts

; Another song, when a cursor key, SELECT or a stick asks for it.
KEYS:   lda     SKCTL           ; bit 2: no key is down
        and     #4
        bne     @stick
        lda     KBCODE
        and     #$3F
        cmp     #LEFT
        beq     @left
        cmp     #RIGHT
        beq     @right
@stick: lda     PORTA
        and     #4
        beq     @left
        lda     PORTA
        and     #8
        beq     @right
        lda     CONSOL
        and     #2
        beq     @right
        lda     #0
        sta     held
        rts
@left:  lda     held
        bne     @none
        inc     held
        ldx     SONG
        bne     @before
        ldx     SONGS
@before:
        dex
        jmp     @song
@right: lda     held
        bne     @none
        inc     held
        ldx     SONG
        inx
        cpx     SONGS
        bcc     @song
        ldx     #0
@song:  stx     SONG
        jmp     BEGIN
@none:  rts

; The number of the song, from 1, the number of songs, and the song's length.
SHOWSONG:
        ldx     SONG
        inx
        txa
        ldx     #<(AT_SONG-STATUS)
        jsr     DECIMAL
        lda     #'/'-$20
        sta     AT_SONG+3
        lda     SONGS
        ldx     #<(AT_SONG+4-STATUS)
        jsr     DECIMAL
        lda     TIMES
        sta     @read+1
        lda     TIMES+1
        sta     @read+2
        lda     SONG
        asl     a
        bcc     @low
        inc     @read+2
@low:   tay
        jsr     @read
        sta     digits
        iny
        jsr     @read
        tay
        ora     digits
        beq     @unknown
        lda     digits
        ldx     #<(AT_LEN-STATUS)
        jsr     TWO
        lda     #':'-$20
        sta     AT_LEN+2
        lda     #'/'-$20
        sta     AT_LEN-2
        tya
        ldx     #<(AT_LEN+3-STATUS)
        jmp     TWO
@unknown:
        ldx     #6
        lda     #0
@clear: sta     AT_LEN-2,x
        dex
        bpl     @clear
        rts
@read:  lda     $FFFF,y
        rts

SHOWTIME:
        lda     minutes
        ldx     #<(AT_TIME-STATUS)
        jsr     TWO
        lda     #':'-$20
        sta     AT_TIME+2
        lda     seconds
        ldx     #<(AT_TIME+3-STATUS)

; A in BCD to column X.
TWO:    pha
        lsr     a
        lsr     a
        lsr     a
        lsr     a
        ora     #'0'-$20
        sta     STATUS,x
        pla
        and     #$0F
        ora     #'0'-$20
        sta     STATUS+1,x
        rts

; A as three digits to column X.
DECIMAL:
        ldy     #'0'-$20
@hundred:
        cmp     #100
        bcc     @tens
        sbc     #100
        iny
        bne     @hundred
@tens:  pha
        tya
        sta     STATUS,x
        pla
        ldy     #'0'-$20
@ten:   cmp     #10
        bcc     @ones
        sbc     #10
        iny
        bne     @ten
@ones:  ora     #'0'-$20
        sta     STATUS+2,x
        tya
        sta     STATUS+1,x
        rts

; A frame of a packed dump. A byte that is not 0: registers that change, bit 0 = AUDF1 to bit 7 = AUDC4, and their values; the frame is over.
; 0 and then: $FF and AUDCTL; $FE and AUDCTL of the second POKEY; $FD and changes of the second POKEY's registers as above; 0: the dump begins again; n: the frame
; is over, and n-1 frames without a change follow.
DUMP:   lda     wait
        beq     @item
        dec     wait
        rts
@item:  jsr     GET
        bne     @first
        jsr     GET
        beq     @again
        cmp     #$FD
        beq     @second
        bcs     @control
        sta     wait
        dec     wait
        rts
@control:
        tax                     ; $FE, $FF
        jsr     GET
        cpx     #$FF
        beq     @one
        sta     AUDCTL+SECOND
        jmp     @item
@one:   sta     AUDCTL
        jmp     @item
@second:
        jsr     GET
        ldx     #SECOND
        jsr     @changes
        jmp     @item
@first: ldx     #0
@changes:
        sta     mask
@bit:   lsr     mask
        bcc     @next
        jsr     GET
        sta     AUDF1,x
@next:  inx
        lda     mask
        bne     @bit
        rts
@again: lda     MUSIC
        sta     GET+1
        lda     MUSIC+1
        sta     GET+2
        rts

; The next byte of the dump; Z from it.
GET:    lda     $FFFF
        inc     GET+1
        bne     @same
        inc     GET+2
@same:  cmp     #0
        rts

frames: .byte 0
seconds:
        .byte 0
minutes:
        .byte 0
due:    .word 0         ; scan lines since the last call of the player
last:   .byte 0         ; VCOUNT at the last look
wait:   .byte 0
held:   .byte 0         ; a key for another song is down
mask:   .byte 0
digits: .byte 0
END:
