from = $CB
to = $CD
length = $D0
count = $D2
place = $D4
start:
wait:   lda $0600
        beq wait
        lda $4000
        sta length
        lda $4001
        sta length+1
        lda $4002
        sta count
        lda #$04
        sta from
        lda #$40
        sta from+1
        lda $0601
        sta to
        lda $0602
        sta to+1
        ldy #0
copy:   lda (from),y
        sta (to),y
        jsr step
        inc to
        bne left
        inc to+1
left:   lda length
        bne low
        dec length+1
low:    dec length
        lda length
        ora length+1
        bne copy
patch:  lda count
        beq call
        dec count
        ldy #0
        lda (from),y
        clc
        adc $0601
        sta place
        iny
        lda (from),y
        adc $0602
        sta place+1
        jsr step
        jsr step
        ldy #0
        lda (place),y
        clc
        adc $0601
        sta (place),y
        iny
        lda (place),y
        adc $0602
        sta (place),y
        jmp patch
call:   jsr go
        lda #0
        sta $0600
        jmp wait
go:     jmp ($0601)
step:   inc from
        bne stepped
        inc from+1
stepped: rts
