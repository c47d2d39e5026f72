//! Tests of the assembler for source files.
use super::*;

fn assembled(source: &str) -> Result<Assembled, String> {
    let mut symbols = Symbols::default();
    symbols.add_hardware();
    assemble_program(source, &symbols).map_err(|error| error.to_string())
}

#[test]
fn labels_that_come_later_are_known() {
    let source = "
two = 2                 ; a constant
start:  ldx #two*3
    ldy #>text
loop:   lda text,x
    sta COLBK
    dex
    bpl loop
    jmp done
* = $80
cell:   .res 1
* = $3000
text:   .byte \"A;,B\", $9B, <done, two
    .sbyte \"A b\"
    .word done
done:   inc cell
    rts
";
    let got = assembled(source).unwrap();
    let code = [
        0xFF, 0xFF, 0x00, 0x20, 0x0F, 0x20, 0xA2, 6, 0xA0, 0x30, 0xBD, 0x00, 0x30, 0x8D, 0x1A,
        0xD0, 0xCA, 0x10, 0xF7, 0x4C, 0x0C, 0x30, 0x80, 0x00, 0x80, 0x00, 0,
    ];
    assert_eq!(got.xex[..code.len()], code);
    let data = [
        0x00, 0x30, 0x0E, 0x30, b'A', b';', b',', b'B', 0x9B, 0x0C, 2, 0x21, 0, b'b', 0x0C, 0x30,
        0xE6, 0x80, 0x60, 0xE0, 0x02, 0xE1, 0x02, 0x00, 0x20,
    ];
    assert_eq!(got.xex[code.len()..], data);
    assert_eq!(got.labels[3], ("text".to_owned(), 0x3000));
}

#[test]
fn words_of_other_assemblers_have_their_meaning() {
    let plain = "two = 2\n* = $3000\n.res 3\nfirst: lda #two\nrts";
    let other = "two equ 2\n org $3000\n .ds 3\nfirst lda #two\n rts\n run first\nstart nop";
    let (plain, other) = (assembled(plain).unwrap(), assembled(other).unwrap());
    assert_eq!(plain.xex[6..12], other.xex[6..12]);
    assert_eq!(other.xex[other.xex.len() - 2..], [0x03, 0x30]);
    assert_eq!(other.labels[0], ("first".to_owned(), 0x3003));
    assert_eq!(
        assembled("loop\n bne loop").unwrap_err(),
        "line 1: there is no instruction \"LOOP\""
    );
    assert_eq!(
        assembled(" .segment x").unwrap_err(),
        "line 1: this assembler has no .segment"
    );
}

#[test]
fn included_files_have_their_own_lines() {
    let main = "start: lda #size\n.include \"part.s\"\njmp start";
    let part = "; two lines\nsize = 7\nnop\n";
    let symbols = Symbols::default();
    let got = assemble_files(&[("main.s", main), ("PART.S", part)], &symbols).unwrap();
    let line = |file, line, code| AssembledLine { file, line, code };
    let lines = [
        line(0, 1, 0x2000..=0x2001),
        line(1, 3, 0x2002..=0x2002),
        line(0, 3, 0x2003..=0x2005),
    ];
    assert_eq!(got.lines, lines);
    let wrong = [("main.s", main), ("part.s", "\nldq #1")];
    let error = assemble_files(&wrong, &symbols).unwrap_err();
    assert_eq!((error.file, error.line), (1, 2));
    let round = [("a", ".include \"a\"")];
    let error = assemble_files(&round, &symbols).unwrap_err();
    assert_eq!(error.why, "more than 8 files include one another");
    let error = assemble_files(&[("a", " icl 'b'")], &symbols).unwrap_err();
    assert_eq!(error.why, "there is no file \"b\" to include");
}

#[test]
fn a_fault_is_one_sentence_with_its_line() {
    let fault = |source: &str| assembled(source).unwrap_err();
    assert_eq!(
        fault("nop\nldq #1"),
        "line 2: there is no instruction \"LDQ\""
    );
    assert_eq!(
        fault("a1: nop\na1: nop"),
        "line 2: \"a1\" has a meaning already"
    );
    assert_eq!(fault("; nothing"), "line 1: the program has no instruction");
    assert_eq!(fault(".byte \"open"), "line 1: a text has no end");
    assert!(
        fault("jmp nowhere").starts_with("line 1: "),
        "{}",
        fault("jmp nowhere")
    );
    assert_eq!(
        fault("* = $FFFF\nnop\nnop"),
        "line 3: the program passes the end of memory"
    );
    assert_eq!(
        fault(".res 60000"),
        "line 1: the program passes the end of memory"
    );
    assert_eq!(
        fault("* = 0\n.res 60000\n* = 0\n.res 60000"),
        "line 4: the program has more than 64 KB"
    );
    assert!(fault("x: nop").starts_with("line 1: "));
}

/// Bytes of the first part.
fn code(source: &str) -> Vec<u8> {
    let xex = assembled(source).unwrap_or_else(|why| panic!("{why}")).xex;
    let word = |at: usize| usize::from(u16::from_le_bytes([xex[at], xex[at + 1]]));
    xex[6..7 + word(4) - word(2)].to_vec()
}

#[test]
fn local_labels_belong_to_the_label_before_them() {
    let source = "
first:  ldx #2
@loop:  dex
        bne @loop
        beq @done
@done:  rts
second: ldy #3
?loop   dey
        bne ?loop
        rts
";
    let bytes = [
        0xA2, 2, 0xCA, 0xD0, 0xFD, 0xF0, 0, 0x60, 0xA0, 3, 0x88, 0xD0, 0xFD, 0x60,
    ];
    assert_eq!(code(source), bytes);
    let labels = assembled(source).unwrap().labels;
    let names: Vec<&str> = labels.iter().map(|(name, _)| name.as_str()).collect();
    let wanted = ["first", "first@loop", "first@done", "second", "second@loop"];
    assert_eq!(names, wanted);
    let other = "first: bne @loop\nsecond: nop\n@loop: nop";
    assert_eq!(
        assembled(other).unwrap_err(),
        "line 1: there is no \"@loop\""
    );
}

#[test]
fn names_in_procedures_are_local() {
    let source = "
size = 1
        .proc work
size = 2
        lda #size
        lda #::size
loop:   bne loop
        .endproc
        .local data
size = 3
        .endl
loop:   lda #size
        lda #work::size
        lda #data.size
        jmp work::loop
        jsr work
";
    let bytes = [
        0xA9, 2, 0xA9, 1, 0xD0, 0xFE, 0xA9, 1, 0xA9, 2, 0xA9, 3, 0x4C, 0x04, 0x20, 0x20, 0x00, 0x20,
    ];
    assert_eq!(code(source), bytes);
}

#[test]
fn conditions_leave_lines_out() {
    let source = "
kind = 2
        .ifdef kind
        .if kind = 1
        .byte 1
        .if nothing
        .endif
        .elseif kind > 1 && kind < 3
        .byte 2
        .else
        .byte 3
        .endif
        .endif
        .ifndef other
        .byte 4
        .endif
        .ifdef COLBK
        .byte 5
        .endif
";
    assert_eq!(code(source), [2, 4, 5]);
    let fault = |source: &str| assembled(source).unwrap_err();
    assert_eq!(fault("nop\n.if 1\nnop"), "line 3: an .if has no .endif");
    assert_eq!(fault(".else"), "line 1: there is no .if before it");
    assert_eq!(fault(".if 0\n.else\n.else"), "line 3: it follows an .else");
    assert_eq!(
        fault(".if later\n.endif\nlater: nop"),
        "line 1: there is no \"later\""
    );
}

#[test]
fn macros_take_values_and_have_labels_of_their_own() {
    let source = "
        .macro wait cell, count
        ldx #count
loop:   stx cell
        dex
        bne loop
        .endmacro
        .macro twice name
        wait :name, 1
        wait :1, 2      ; as MADS has it
        .endm
        twice $80
loop:   wait $90, 3
        jmp loop
";
    let part = |cell, count| [0xA2, count, 0x86, cell, 0xCA, 0xD0, 0xFB];
    let bytes = [part(0x80, 1), part(0x80, 2), part(0x90, 3)].concat();
    assert_eq!(code(source), [&bytes[..], &[0x4C, 0x0E, 0x20]].concat());
    let lines = assembled(source).unwrap().lines;
    let at = |line, code| AssembledLine {
        file: 0,
        line,
        code,
    };
    let wanted = [
        at(12, 0x2000..=0x200D),
        at(13, 0x200E..=0x2014),
        at(14, 0x2015..=0x2017),
    ];
    assert_eq!(lines, wanted);
    let countdown = "
        .macro down n
        .byte n
        .if n > 1
        down n-1
        .endif
        .endmacro
        down 3
";
    assert_eq!(code(countdown), [3, 2, 1]);
}

#[test]
fn a_fault_in_a_macro_is_at_the_line_that_uses_it() {
    let fault = |source: &str| assembled(source).unwrap_err();
    assert_eq!(
        fault(".macro m a1\nldq #a1\n.endm\nnop\nm 1"),
        "line 5: in macro m: there is no instruction \"LDQ\""
    );
    assert_eq!(
        fault(".macro m b1, b2\n.endm\nm 1"),
        "line 3: m has 2 parameters, and 1 values are here"
    );
    assert_eq!(
        fault(".macro m\nm\n.endm\nm"),
        "line 4: in macro m: more than 32 macros use one another"
    );
    assert_eq!(
        fault(".macro m\nnop"),
        "line 2: the macro m has no .endmacro"
    );
    assert_eq!(
        fault(".proc work\nnop\n.endl"),
        "line 3: there is nothing that .endl ends"
    );
}
