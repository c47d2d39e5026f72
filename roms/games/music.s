; For the games: music of three voices, effects, and keys that are typed ahead. Lives in a string and corrects its own addresses.
; `cargo run -p xtask -- games` puts the bytes into the listing, six bits a character.
;
;   USR(P,P)          begins: P is the address of the string
;   USR(P+3)          ends: the vectors are the OS's again
;   USR(P+6,TUNE,N)   plays the tune at TUNE, N times (0: until the next one); TUNE 0: silence
;   P+9  MUTE         not 0: tunes are silent
;   P+10 COUNT        keys that wait; 0 forgets them
;   P+11 PLAYING      not 0 while a tune plays
;   USR(P+12,AT,N,STEP)  on a PAL machine: N colours from AT on, each STEP bytes after the last, become those that look alike there
;   USR(P+15,COLOUR)  one colour
;   USR(P+18,AT)      begins an effect, in place of one that sounds; at AT is its distance from there
;
; A tune is rows of four bytes: frames (60 a second, on a PAL machine too), AUDF of voices 1 to 3 (0 rests, 1 lets the last one sound
; on), and ends with a 0.
;
; An effect is rows of five bytes, and ends with a 0, too: frames, AUDF, what is added to it each frame, AUDC, and what its volume
; loses each frame in sixteenths. Voice 0 plays it while the program continues. Bit 4 of AUDC asks for an echo of half the volume,
; eight frames later, on voice 1; while a tune plays that voice is the tune's, and there is no echo.
;
; The OS keeps one key in CH, and a second one replaces it. Here the first one stays, the others wait in a queue, and the vertical
; blank puts them into CH as the program takes them.

        .setcpu "6502"

HERE    = $CB                   ; $CB-$D1 belong to the user in Atari BASIC
LIST    = $CD
PLACE   = $CF
CH      = $02FC
VKEYBD  = $0208
VVBLKD  = $0224
RESULT  = $D4                   ; what USR gives BASIC
PALFLAG = $D014
AUDF1   = $D200
AUDC1   = $D201
AUDF2   = $D202
AUDC2   = $D203
SETVBV  = $E45C

KEYS    = 16                    ; keys that can wait
GONE    = 7                     ; volume of a voice that fades away
DELAY   = 8                     ; frames from a sound to its echo

        .macro  fix             ; the two bytes before are such an address: FIX has its distance from the last one, at most 255
number  .set    number + 1
        .ident(.sprintf("at%d", number)) = * - 2
        .pushseg
        .segment "FIX"
        .byte   .ident(.sprintf("at%d", number)) - .ident(.sprintf("at%d", number - 1))
        .popseg
        .endmacro

        .macro  own instruction, where  ; an instruction with an address in this program
        instruction     where
        fix
        .endmacro

        .macro  link where      ; an address in this program as data
        .addr   where
        fix
        .endmacro

        .segment "FIX"
fixes:
        .segment "CODE"
number  .set    0
at0:

        clc
        bcc     start
        own     jmp, stop
        own     jmp, play
mute:   .byte   0
count:  .byte   0
playing:
        .byte   0
        own     jmp, hues
        own     jmp, hue
        own     jmp, effect

effect: pla                     ; number of arguments
        lda     #0
        own     sta, sounding
        pla
        own     sta, read+2
        pla
        own     sta, read+1
        ldy     #0
        own     jsr, read       ; the distance
        own     jsr, forward
        lda     #1
        own     sta, rest
        own     sta, sounding
        rts

start:  pla                     ; number of arguments
        pla
        sta     HERE+1
        sta     PLACE+1
        pla
        sta     HERE
        sta     PLACE
        clc
        adc     #<fixes
        sta     LIST
        lda     HERE+1
        adc     #>fixes
        sta     LIST+1
place:  ldy     #0
        lda     (LIST),y
        beq     hook
        clc
        adc     PLACE
        sta     PLACE
        bcc     :+
        inc     PLACE+1
        clc
:       lda     (PLACE),y
        adc     HERE
        sta     (PLACE),y
        iny
        lda     (PLACE),y
        adc     HERE+1
        sta     (PLACE),y
        inc     LIST
        bne     place
        inc     LIST+1
        bne     place           ; always

hook:   php
        sei
        lda     VKEYBD
        own     sta, oldkey
        lda     VKEYBD+1
        own     sta, oldkey+1
        own     lda, addresses
        sta     VKEYBD
        own     lda, addresses+1
        sta     VKEYBD+1
        lda     VVBLKD
        own     sta, oldvbi
        lda     VVBLKD+1
        own     sta, oldvbi+1
        own     ldy, addresses+4
        own     ldx, addresses+5
        bne     set

stop:   pla                     ; number of arguments
        php
        sei
        own     lda, oldkey
        sta     VKEYBD
        own     lda, oldkey+1
        sta     VKEYBD+1
        own     ldy, oldvbi
        own     ldx, oldvbi+1
set:    lda     #7
        jsr     SETVBV
        plp
        own     jmp, silence

play:   pla                     ; number of arguments
        lda     #0
        own     sta, playing
        pla
        tay                     ; high byte
        pla
        own     sta, begin
        own     sta, fetch+1
        tya
        own     sta, begin+1
        own     sta, fetch+2
        pla
        pla
        own     sta, times
        cpy     #0
        beq     silence
        lda     #1
        own     sta, left
        own     sta, playing
silence:
        ldx     #6
:       lda     #0
        own     {sta}, {volume,x}
        sta     AUDC1,x
        dex
        dex
        bne     :-
        rts

hues:   pla                     ; number of arguments
        pla
        sta     HERE+1
        pla
        sta     HERE
        pla
        pla
        sta     LIST
        pla
        pla
        sta     LIST+1
colour: ldy     #0
        lda     (HERE),y
        own     jsr, map
        sta     (HERE),y
        clc
        lda     HERE
        adc     LIST+1
        sta     HERE
        bcc     :+
        inc     HERE+1
:       dec     LIST
        bne     colour
        rts

hue:    pla                     ; number of arguments
        pla
        pla
        own     jsr, map
        sta     RESULT
        lda     #0
        sta     RESULT+1
        rts

map:    tax
        lda     PALFLAG
        and     #$0E
        beq     :+
        txa                     ; NTSC
        rts
:       txa
        and     #$0F
        pha
        txa
        lsr     a
        lsr     a
        lsr     a
        lsr     a
        tax
        pla
        own     {ora}, {alike,x}
        rts

; The keyboard interrupt; the OS has pushed A.
key:    lda     CH
        cmp     #$FF
        bne     :+
        own     lda, count      ; none before those that wait, though the program has just emptied CH
        beq     first
        lda     #$FF
:       own     sta, held
        lda     #$FF
        sta     CH
        own     lda, addresses+3        ; the OS's routine returns to AFTER
        pha
        own     lda, addresses+2
        pha
        php
        pha
first:  jmp     $FFFF           ; to the OS's routine. No JMP (oldkey): a pointer in a string may lie across two pages
oldkey  = * - 2
after:  txa
        pha
        lda     CH
        cmp     #$FF            ; the OS took it for the last one, still bouncing
        beq     :+
        own     ldx, count
        cpx     #KEYS
        bcs     :+
        own     {sta}, {queue,x}
        own     inc, count
:       own     lda, held
        sta     CH
        pla
        tax
        pla
        rti

vbi:    cld
        own     lda, count      ; before CH: a look at CH tells a host that a program polls the keys
        beq     music
        lda     CH
        cmp     #$FF
        bne     music
        own     lda, queue
        sta     CH
        own     dec, count
        ldx     #0
:       own     {lda}, {queue+1,x}
        own     {sta}, {queue,x}
        inx
        cpx     #KEYS-1
        bne     :-
music:  own     jsr, frame
        lda     PALFLAG
        and     #$0E
        bne     :+              ; NTSC
        own     dec, fifth
        bne     :+
        lda     #5
        own     sta, fifth
        own     jsr, frame
:       jmp     $FFFF
oldvbi  = * - 2

frame:  own     lda, sounding
        beq     echo
        own     dec, rest
        bne     slope
        ldy     #0
        own     jsr, read       ; the next row
        own     sta, rest
        bne     :+
        own     sta, sounding
        sta     AUDC1
        beq     echo            ; always
:       iny
        own     jsr, read
        own     {sta}, {pitch-1,y}
        cpy     #4
        bne     :-
        lda     #5
        own     jsr, forward
        own     lda, kind
        asl     a
        asl     a
        asl     a
        asl     a
        ora     #$0F
        own     sta, level
        own     lda, kind
        and     #$F0
        own     sta, kind
slope:  own     lda, level
        sec
        own     sbc, loss
        bcs     :+
        lda     #0
:       own     sta, level
        lsr     a
        lsr     a
        lsr     a
        lsr     a
        tax                     ; the volume
        own     ora, kind
        and     #$EF
        sta     AUDC1
        own     lda, pitch
        sta     AUDF1
        clc
        own     adc, slide
        own     sta, pitch
        own     lda, kind
        and     #$10
        beq     echo
        txa
        lsr     a
        own     ora, kind
        and     #$EF
echo:   tay                     ; AUDC of the echo to come
        own     ldx, next
        own     lda, playing
        bne     :+
        own     {lda}, {tones,x}
        sta     AUDF2
        own     {lda}, {echoes,x}
        sta     AUDC2
:       tya
        own     {sta}, {echoes,x}
        own     lda, pitch
        own     {sta}, {tones,x}
        dex
        bpl     :+
        ldx     #DELAY-1
:       own     stx, next
        own     lda, playing
        bne     :+
        rts
:       own     dec, left
        bne     fade
        ldy     #0
        own     jsr, fetch      ; the next row
        bne     row
        own     lda, times
        beq     again
        own     dec, times
        beq     end
again:  own     lda, begin
        own     sta, fetch+1
        own     lda, begin+1
        own     sta, fetch+2
        own     jsr, fetch
row:    own     sta, left
        ldx     #2
voice:  iny
        own     jsr, fetch
        cmp     #1
        beq     other
        cmp     #0
        bne     :+
        own     {lda}, {volume,x}       ; a rest: what still sounds fades away
        cmp     #GONE + 1
        bcc     other
        lda     #GONE
        bne     :++             ; always
:       sta     AUDF1,x
        own     {lda}, {loud-2,x}
:       own     {sta}, {volume,x}
other:  inx
        inx
        cpx     #8
        bne     voice
        own     lda, fetch+1
        clc
        adc     #4
        own     sta, fetch+1
        bcc     fade
        own     inc, fetch+2
fade:   ldx     #6
fading: own     {lda}, {volume,x}
        beq     write
        own     {cmp}, {soft-2,x}
        bcs     :+
        cmp     #GONE + 1
        bcs     write
:       own     {dec}, {volume,x}
write:  lsr     a
        lsr     a
        own     ldy, mute
        beq     :+
        lda     #0
:       ora     #$A0
        sta     AUDC1,x
        dex
        dex
        bne     fading
        rts
end:    own     sta, playing    ; 0
        own     jmp, silence

fetch:  lda     $FFFF,y
        rts

forward:
        clc
        own     adc, read+1
        own     sta, read+1
        bcc     :+
        own     inc, read+2
:       rts
read:   lda     $FFFF,y
        rts

addresses:
        link    key
        link    after
        link    vbi
; PAL hues whose angle is next to that of the NTSC hues 0 to 15.
alike:  .byte   $00, $D0, $E0, $10, $30, $40, $50, $60, $70, $70, $80, $90, $A0, $B0, $C0, $D0
loud:   .byte   36, 0, 24, 0, 22        ; four steps of it are one of POKEY's volume
soft:   .byte   17, 0, 9, 0, 9
begin:  .addr   0
times:  .byte   0
left:   .byte   1
fifth:  .byte   5
held:   .byte   0
volume: .res    8
sounding:
        .byte   0
rest:   .byte   0
pitch:  .byte   0               ; four bytes of a row
slide:  .byte   0
kind:   .byte   0
loss:   .byte   0
level:  .byte   0               ; 16 times the volume
next:   .byte   0
echoes: .res    DELAY
tones:  .res    DELAY
queue:  .res    KEYS

        .segment "FIX"
        .byte   0
