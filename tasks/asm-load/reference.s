from = $CB
to = $CD
last = $D0
end = $D2
start:
wait:   lda $0600
        beq wait
        lda #0
        sta from
        sta $02E0
        sta $02E1
        lda #$40
        sta from+1
        lda $0601
        sta end
        clc
        lda $0602
        adc #$40
        sta end+1
part:   lda #0
        sta $02E2
        sta $02E3
        lda from
        cmp end
        lda from+1
        sbc end+1
        bcs run
        jsr read
        sta to
        jsr read
        sta to+1
        and to
        cmp #$FF
        beq part
        jsr read
        sta last
        jsr read
        sta last+1
byte:   jsr read
        sta (to),y
        lda to
        cmp last
        bne more
        lda to+1
        cmp last+1
        beq loaded
more:   inc to
        bne byte
        inc to+1
        jmp byte
loaded: lda $02E3
        beq part
        jsr init
        jmp part
run:    lda $02E1
        beq done
        jsr main
done:   lda #0
        sta $0600
        jmp wait
init:   jmp ($02E2)
main:   jmp ($02E0)
read:   ldy #0
        lda (from),y
        inc from
        bne kept
        inc from+1
kept:   rts
