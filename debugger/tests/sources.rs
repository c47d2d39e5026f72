//! Source lines: debug information as ld65 2.19 wrote it for the program in the comment, and a listing as the manual of MADS shows it.

mod common;

use debugger::Track;
use debugger::{Debugger, Executed, SourceLine, Sources, Step, Stop, Symbols, execute, view};
use machine::Machine;
use session::timeline::{Event, Register};

/// ```text
///  1 ; Fills the border with colours.
///  6 COLBK = $D01A
///  7 .macro  wait
///  8         sta $D40A
///  9 .endmacro
/// 10 start:  ldx #0
/// 11 loop:   wait
/// 12         jsr paint
/// 13         jmp loop
/// 14 paint:  stx COLBK
/// 15         inx
/// 16         rts
/// ```
const DBG: &str = "version\tmajor=2,minor=0
info\tcsym=0,file=1,lib=0,line=10,mod=1,scope=1,seg=2,span=9,sym=5,type=1
file\tid=0,name=\"src/hello.s\",size=365,mtime=0x6B03408E,mod=0
line\tid=1,file=0,line=11,span=2
line\tid=2,file=0,line=2
line\tid=3,file=0,line=14,span=5
line\tid=5,file=0,line=12,span=3
line\tid=6,file=0,line=16,span=7
line\tid=7,file=0,line=13,span=4
line\tid=8,file=0,line=10,span=1
line\tid=9,file=0,line=4,span=0
line\tid=10,file=0,line=15,span=6
line\tid=11,file=0,line=8,type=2,count=1,span=2
mod\tid=0,name=\"hello.o\",file=0
seg\tid=0,name=\"CODE\",start=0x002000,size=0x0010,addrsize=absolute,type=rw,oname=\"hello.xex\",ooffs=6
seg\tid=6,name=\"EXEHDR\",start=0x000000,size=0x0006,addrsize=absolute,type=ro,oname=\"hello.xex\",ooffs=0
span\tid=0,seg=6,start=0,size=6,type=0
span\tid=1,seg=0,start=0,size=2
span\tid=2,seg=0,start=2,size=3
span\tid=3,seg=0,start=5,size=3
span\tid=4,seg=0,start=8,size=3
span\tid=5,seg=0,start=11,size=3
span\tid=6,seg=0,start=14,size=1
span\tid=7,seg=0,start=15,size=1
scope\tid=0,name=\"\",mod=0,size=16,span=0
sym\tid=0,name=\"paint\",addrsize=absolute,size=3,scope=0,def=3,ref=5,val=0x200B,seg=0,type=lab
sym\tid=1,name=\"loop\",addrsize=absolute,scope=0,def=1,ref=7,val=0x2002,seg=0,type=lab
sym\tid=2,name=\"BACK\",addrsize=absolute,scope=0,def=12,ref=3,val=0xD01A,type=equ
sym\tid=4,name=\"start\",addrsize=absolute,size=2,scope=0,def=8,ref=2,val=0x2000,seg=0,type=lab
type\tid=0,val=\"800321\"
";

const CODE: [u8; 16] = [
    0xA2, 0x00, 0x8D, 0x0A, 0xD4, 0x20, 0x0B, 0x20, 0x4C, 0x02, 0x20, 0x8E, 0x1A, 0xD0, 0xE8, 0x60,
];

/// The program in RAM, about to begin.
fn loaded() -> (Debugger, Track) {
    let mut debugger = Debugger::default();
    debugger
        .sources
        .add_file(DBG, &mut debugger.symbols)
        .unwrap();
    let mut track = common::tracked(common::running());
    debugger.step(&mut track, Step::To(common::LOOP));
    for (n, byte) in CODE.into_iter().enumerate() {
        debugger::poke(&mut track, 0x2000 + n as u16, &[byte]);
    }
    set_pc(&mut track, 0x2000);
    (debugger, track)
}

fn set_pc(track: &mut Track, value: u16) {
    let register = Register::Pc;
    track
        .apply(Event::LoadRegister { register, value })
        .unwrap();
}

fn line(debugger: &Debugger, machine: &Machine) -> u32 {
    debugger.sources.line_at(machine.cpu.pc).unwrap().line
}

#[test]
fn lines_and_labels_of_debug_information() {
    let (debugger, _) = loaded();
    let sources = &debugger.sources;
    let lines: Vec<u32> = [0x2000, 0x2002, 0x2004, 0x2005, 0x2008, 0x200B, 0x200F]
        .into_iter()
        .map(|at| sources.line_at(at).unwrap().line)
        .collect();
    // The macro's call, not its text.
    assert_eq!(lines, [10, 11, 11, 12, 13, 14, 16]);
    // The header of the file lies at no address, and after the code there is nothing.
    assert_eq!(sources.line_at(0x0000), None);
    assert_eq!(sources.line_at(0x2010), None);
    for name in [
        "hello.s:12",
        "src/hello.s:12",
        "/home/me/src/hello.s:12",
        "SRC\\HELLO.S:12",
    ] {
        let (at, code) = sources.place(name).unwrap();
        assert_eq!((at.line, &code[..]), (12, &[0x2005][..]), "{name}");
    }
    // A line without code means the next one that has some.
    assert_eq!(sources.place("hello.s:7").unwrap().1, [0x2000]);
    assert_eq!(sources.place("hello.s:17"), None);
    assert_eq!(sources.place("lo.s:12"), None, "a part of a name");
    assert_eq!(debugger.symbols.name(0x200B), Some("paint"));
    assert_eq!(debugger.symbols.address("BACK"), Some(0xD01A));
    assert_eq!(
        debugger.symbols.name(0xD01A),
        None,
        "a constant is no label"
    );
}

#[test]
fn steps_by_lines_lead_there_and_back() {
    let (mut debugger, mut track) = loaded();
    let mut there = Vec::new();
    for wanted in [11, 12, 14, 15, 16, 13, 11, 12] {
        there.push((track.machine().now(), line(&debugger, track.machine())));
        assert_eq!(debugger.step(&mut track, Step::Source), Stop::Done);
        assert_eq!(line(&debugger, track.machine()), wanted);
    }
    for (now, wanted) in there.into_iter().rev() {
        assert!(debugger.step_back(&mut track, Step::Source));
        assert_eq!(
            (track.machine().now(), line(&debugger, track.machine())),
            (now, wanted)
        );
    }
    let mut there = Vec::new();
    for wanted in [11, 12, 13, 11, 12, 13] {
        there.push((track.machine().now(), line(&debugger, track.machine())));
        assert_eq!(debugger.step(&mut track, Step::SourceOver), Stop::Done);
        assert_eq!(
            line(&debugger, track.machine()),
            wanted,
            "over the subroutine"
        );
    }
    for (now, wanted) in there.into_iter().rev() {
        assert!(debugger.step_back(&mut track, Step::SourceOver));
        assert_eq!(
            (track.machine().now(), line(&debugger, track.machine())),
            (now, wanted)
        );
    }
}

#[test]
fn commands_take_files_and_lines() {
    let (mut debugger, mut track) = loaded();
    let text: Vec<String> = (1..=16).map(|n| format!("text {n}")).collect();
    debugger.sources.set_text(0, &text.join("\n"));
    let mut ask = |text: &str| {
        execute(&mut debugger, &mut track, text)
            .unwrap_or_else(|error| panic!("{text}: {error}"))
            .lines
    };
    let set = ask("break hello.s:15");
    assert!(set.len() == 1 && set[0].contains("$200E"), "{set:?}");
    let lines = ask("run");
    assert_eq!(lines[0], "breakpoint 1");
    assert!(lines[1].ends_with("INX  ; hello.s:15 text 15"), "{lines:?}");
    let lines = ask("next");
    assert!(lines[0].ends_with("; hello.s:16 text 16"), "{lines:?}");
    let lines = ask("back step");
    assert!(lines[0].ends_with("; hello.s:15 text 15"), "{lines:?}");
    let lines = ask("source");
    assert_eq!(lines[0], "hello.s:15");
    assert!(lines.contains(&">   15 text 15".to_owned()), "{lines:?}");
    let set = ask("break hello.s:9");
    assert!(set[0].contains("$2000"), "{set:?}");
    assert_eq!(
        set[1..],
        ["hello.s:9 has no code: the breakpoint is at the next line that has, 10"]
    );
    let code = ask("code start 3");
    assert_eq!(code[0], "; hello.s:10 text 10");
    assert!(
        code[1].contains("LDX #$00") && code[1].ends_with("2 cycles"),
        "{code:?}"
    );
    let error = execute(&mut Debugger::default(), &mut track, "step").unwrap_err();
    assert!(error.contains("no source lines"), "{error}");
}

#[test]
fn a_listing_of_mads() {
    let listing = "mads 2.1.0\nSource: main.asm\n     1\n     2 \t\t\t\torg $2000\n     3 = D01A\t\tcolbk\tequ $d01a\n     \
        4 FFFF> 2000-200D> A9 00\t\tlda #0\n     5 2002 EA\t\t\tnop\nSource: part.asm\n     1 2003 8D 1A D0\t\tsta colbk\n     \
        2 2006 00 00 00 00 + \tdta a(0),a(0),a(0)\n     6 200C 4C 02 20\t\tjmp *\n     7 01,2010 EA\t\tnop\n";
    let (mut sources, mut symbols) = (Sources::default(), Symbols::default());
    sources.add_file(listing, &mut symbols).unwrap();
    let at = |address: u16| sources.line_at(address).map(|at| sources.name(at));
    let name = |text: &str| Some(text.to_owned());
    assert_eq!(at(0x2000), name("main.asm:4"));
    assert_eq!(at(0x2002), name("main.asm:5"));
    assert_eq!(at(0x2005), name("part.asm:1"));
    assert_eq!(at(0x2009), name("part.asm:2"));
    // The parent continues where it was.
    assert_eq!(at(0x200E), name("main.asm:6"));
    assert_eq!(at(0x2010), name("main.asm:7"));
    assert_eq!(
        at(0x000A),
        None,
        "no address is taken for a byte, and no byte for an address"
    );
    let line = SourceLine { file: 0, line: 4 };
    assert_eq!(sources.text(line).map(str::trim), Some("lda #0"));
    let labels = "mads 2.1.0\nLabel table:\n00\t2000\tMAIN\n00\t0080\tMAIN.PTR\n";
    sources.add_file(labels, &mut symbols).unwrap();
    assert_eq!(symbols.address("MAIN.PTR"), Some(0x0080));
    assert_eq!(symbols.name(0x2000), Some("MAIN"));
}

/// As MADS 2.1.8 wrote it: a macro in a macro, called in the file, in an included one and in a repeated line.
const NESTED: &str = "mads 2.1.8
Source: nest.asm
     1 \t\t\t\t        org $2000
     2 \t\t\t\t.macro  inner val
     3 \t\t\t\t        lda #:val
     4 \t\t\t\t        sta $80
     5 \t\t\t\t.endm
     6 \t\t\t\t.macro  outer val
     7 \t\t\t\t        ldx #1
     8 \t\t\t\t        inner :val
     9 \t\t\t\t        ldy #2
    10 \t\t\t\t.endm
    11 2000\t\t\tmain    outer 1
Macro: OUTER [Source: nest.asm]
     1 FFFF> 2000-2027> A2 01\t        ldx #1
     1 2002 A9 01\t\t        lda #1
     2 2004 85 80\t\t        sta $80
Source: nest.asm
     3 2006 A0 02\t\t        ldy #2
Source: nest.asm
    12 2008 EA\t\t\t        nop
    13 2009\t\t\t        icl 'inc.asm'
Source: inc.asm
     1 2009 EA\t\t\t        nop
     2 200A\t\t\t        outer 3
Macro: OUTER [Source: nest.asm]
     1 200A A2 01\t\t        ldx #1
     1 200C A9 03\t\t        lda #3
     2 200E 85 80\t\t        sta $80
Source: inc.asm
     3 2010 A0 02\t\t        ldy #2
Source: inc.asm
     3 2012 EA\t\t\t        nop
    14 2013\t\t\t        inner 5
Macro: INNER [Source: nest.asm]
     1 2013 A9 05\t\t        lda #5
     2 2015 85 80\t\t        sta $80
Source: nest.asm
    15 \t\t\t\t        .rept 2
    16 \t\t\t\t        OUTER 7
    17 \t\t\t\t        .endr
Source: REPT
    16 2017\t\t\t        OUTER 7
     1 2017 A2 01\t\t        ldx #1
     1 2019 A9 07\t\t        lda #7
     2 201B 85 80\t\t        sta $80
Source: nest.asm
     3 201D A0 02\t\t        ldy #2
    16 201F\t\t\t        OUTER 7
     1 201F A2 01\t\t        ldx #1
     1 2021 A9 07\t\t        lda #7
     2 2023 85 80\t\t        sta $80
Source: nest.asm
     3 2025 A0 02\t\t        ldy #2
Source: nest.asm
    18 2027 60\t\t\t        rts
    19 02E0-02E1> 00 20\t\t        run main
";

#[test]
fn lines_of_macros_belong_to_their_calls() {
    let (mut sources, mut symbols) = (Sources::default(), Symbols::default());
    sources.add_file(NESTED, &mut symbols).unwrap();
    let wanted: &[(std::ops::RangeInclusive<u16>, &str)] = &[
        (0x2000..=0x2005, "nest.asm:11"),
        (0x2008..=0x2008, "nest.asm:12"),
        (0x2009..=0x2009, "inc.asm:1"),
        (0x200A..=0x200F, "inc.asm:2"),
        (0x2012..=0x2012, "inc.asm:3"),
        (0x2013..=0x2016, "nest.asm:14"),
        (0x2017..=0x201C, "nest.asm:16"),
        (0x201F..=0x2024, "nest.asm:16"),
        (0x2027..=0x2027, "nest.asm:18"),
    ];
    for (code, line) in wanted {
        for address in code.clone() {
            let at = sources.line_at(address).map(|at| sources.name(at));
            assert_eq!(at.as_deref(), Some(*line), "${address:04X}");
        }
    }
    // The last line of the macro that calls another one, and repeated lines.
    assert_eq!(
        sources.line_at(0x2006).map(|at| at.line),
        Some(11),
        "{sources:?}"
    );
    let file = sources.find("nest.asm").unwrap();
    assert!(
        sources
            .lines_of(file)
            .all(|line| matches!(line, 11 | 12 | 14 | 16 | 18 | 19)),
        "no line of a macro's text has code"
    );
    let text = |line| sources.text(SourceLine { file, line }).map(str::trim);
    assert_eq!(text(3), Some("lda #:val"));
    assert_eq!(text(11), Some("main    outer 1"));
}

/// cc65's own start runs once where its variables are later.
#[test]
fn what_runs_in_a_segment_without_bytes_is_no_line_of_its_variables() {
    let bss = DBG
        .replace("seg\tid=6", "seg\tid=7,name=\"BSS\",start=0x002010,size=0x0004,addrsize=absolute,type=rw\nseg\tid=6")
        .replace("span\tid=0,", "span\tid=8,seg=7,start=0,size=4\nspan\tid=0,")
        .replace("line\tid=2,", "line\tid=12,file=0,line=20,span=8\nline\tid=2,");
    let (mut sources, mut symbols) = (Sources::default(), Symbols::default());
    sources.add_file(&bss, &mut symbols).unwrap();
    assert_eq!(sources.line_at(0x200F).map(|at| at.line), Some(16));
    assert_eq!(sources.line_at(0x2010), None);
}

#[test]
fn damaged_debug_information_is_refused_with_its_line() {
    let cut = DBG.replace("file=0,line=14", "line=14");
    let (mut sources, mut symbols) = (Sources::default(), Symbols::default());
    let error = sources.add_file(&cut, &mut symbols).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 6: expected a line with file and number"
    );
    assert!(sources.is_empty() && symbols.is_empty());
    let newer = DBG.replace("major=2", "major=3");
    assert_eq!(sources.add_file(&newer, &mut symbols).unwrap_err().line, 1);
    // A span that ends beyond memory, and one of a segment that is not there.
    let odd = DBG
        .replace("start=0x002000", "start=0x00FFFE")
        .replace("seg=0,start=5", "seg=9,start=5");
    sources.add_file(&odd, &mut symbols).unwrap();
    assert_eq!(sources.line_at(0xFFFE).map(|at| at.line), Some(10));
}

#[test]
fn code_is_told_from_data_by_what_was_executed() {
    // JSR, then a byte of data that looks like an instruction of three bytes, then code that jumps back.
    let (mut debugger, mut track) = loaded();
    let code = [
        0x4C, 0x04, 0x21, // 2100 JMP $2104
        0xAD, // 2103 data
        0xA2, 0x05, // 2104 LDX #5
        0xBD, 0xFE, 0x20, // 2106 LDA $20FE,X
        0xD0, 0xF5, // 2109 BNE $2100
    ];
    for (n, byte) in code.into_iter().enumerate() {
        debugger::poke(&mut track, 0x2100 + n as u16, &[byte]);
    }
    set_pc(&mut track, 0x2100);
    let before = view::code(track.machine(), &debugger, 0x2100, 2);
    assert_eq!(before[1].instruction.length(), 3);
    assert_eq!(before[1].executed, None);
    assert!(Executed::default().is_empty());
    debugger.step(&mut track, Step::Line);
    debugger.step(&mut track, Step::To(0x2106));
    debugger.learn_executed(&track);
    let lines = view::code(track.machine(), &debugger, 0x2100, 5);
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "JMP $2104",
            ".BYTE $AD",
            "LDX #$05",
            "LDA $20FE,X",
            "BNE $2100"
        ]
    );
    let executed: Vec<_> = lines.iter().map(|line| line.executed).collect();
    assert_eq!(executed, [true, false, true, true, true].map(Some));
    assert!(lines[1].data);
    // $20FE and 5 cross into page $21: a cycle more. $2103 holds the data byte.
    assert_eq!(lines[3].effective, Some((0x2103, 0xAD)));
    assert_eq!(lines[3].cycles, (5, 5));
    // Taken, the branch to the same page takes a cycle more.
    assert_eq!(lines[4].cycles, (2, 3));
    assert!(lines[3].current);
    // Two cycles of the processor further.
    assert_eq!(debugger.within_instruction(&track), Some((0, 0)));
    let mut passed = 0;
    while debugger.within_instruction(&track).unwrap().0 < 2 {
        debugger.step(&mut track, Step::Cycle);
        passed += 1;
    }
    assert_eq!(debugger.within_instruction(&track), Some((2, passed)));
}

/// In the form that MADS 2.1.8 gives to what Mad Pascal 1.7.8 writes: a comment before the code of each line.
const PASCAL: &str = "mads 2.1.8
Source: bands.a65
     1 \t\t\t\t org $2000
     2 2000\t\t\t.local\tPAINT
     3 2000 8D 80 20\t\t\tsta C
     4
     5 \t\t\t\t; optimize OK (bands.pas), line = 4
     6
     7 2003 8D C8 02\t\t\tsta $02C8
     8
     9 \t\t\t\t; ------------------------------------------------------------
    10
    11 2006 60\t\t\t rts
    12
    13 \t\t\t\t; optimize FAIL ('@print', bands.pas), line = 8
    14
    15 2007 A9 20\t\t\tlda #32
    16 2009 20 00 20\t\t\tjsr PAINT
    17 200C\t\t\t@exit
    18 200C 4C 0C 20\t\t\tjmp *
    19 200F\t\t\tINIT
Macro: INIT [Source: bands.a65]
     3 200F 20 00 20\t\t\tjsr PAINT
    20 2012 60\t\t\trts
";

#[test]
fn code_of_mad_pascal_belongs_to_the_lines_of_its_program() {
    let (mut sources, mut symbols) = (Sources::default(), Symbols::default());
    sources.add_file(PASCAL, &mut symbols).unwrap();
    let at = |address: u16| sources.line_at(address).map(|at| sources.name(at));
    let name = |text: &str| Some(text.to_owned());
    assert_eq!(at(0x2000), name("bands.a65:3"));
    assert_eq!(at(0x2003), name("bands.pas:4"));
    assert_eq!(at(0x2006), name("bands.a65:11"));
    assert_eq!(
        (at(0x2007), at(0x2009)),
        (name("bands.pas:8"), name("bands.pas:8"))
    );
    assert_eq!(at(0x200C), name("bands.a65:18"));
    // A macro whose end is not marked, and the next lines of the file.
    assert_eq!(
        (at(0x200F), at(0x2012)),
        (name("bands.a65:19"), name("bands.a65:20"))
    );
    // Its text is read from the file itself.
    let pascal = SourceLine { file: 1, line: 4 };
    assert_eq!(sources.text(pascal), None);
}

/// In the form that FastBasic 4.8 gives to its labels.
const FASTBASIC: &str = "al 000083 .interpreter_cptr
al 002500 .fb_var_N
al 002502 .fb_var_TEXT
al 002405 .@FastBasic_LINE_4
al 002405 .@FastBasic_LINE_3
al 002403 .@FastBasic_LINE_2
al 002400 .@FastBasic_LINE_1
al 002500 .fb_var_N
";
const FASTBASIC_SOURCE: &str = "N=1\nTEXT$=\"HI\"\nDO\n  PRINT N,TEXT$\nLOOP\n";

/// An interpreter in page 0 whose every code is one byte and does nothing: it reads one after the other, up to $24FF.
fn interpreting() -> (Debugger, Track) {
    const INTERPRETER: [u8; 8] = [0xAC, 0x00, 0x24, 0xE6, 0x83, 0x4C, 0x82, 0x00];
    let mut debugger = Debugger::default();
    let symbols = &mut debugger.symbols;
    debugger.sources.add_file(FASTBASIC, symbols).unwrap();
    assert!(debugger.sources.lacks_interpreted());
    debugger
        .sources
        .set_interpreted("src/count.fb", FASTBASIC_SOURCE, symbols);
    assert!(!debugger.sources.lacks_interpreted());
    let mut track = common::tracked(common::running());
    debugger.step(&mut track, Step::To(common::LOOP));
    debugger::poke(&mut track, 0x0082, &INTERPRETER);
    debugger::poke(&mut track, 0x2500, &[0xFE, 0xFF]);
    set_pc(&mut track, 0x0082);
    (debugger, track)
}

#[test]
fn an_interpreted_line_begins_with_the_read_of_its_first_byte() {
    let (mut debugger, mut track) = interpreting();
    let place = |debugger: &Debugger, track: &Track| {
        let at = debugger.sources.line_of(track.machine());
        at.map(|at| debugger.sources.name(at))
    };
    // Before the interpreter's first byte, which is of line 1 already.
    assert_eq!(place(&debugger, &track).as_deref(), Some("count.fb:1"));
    let mut there = Vec::new();
    for wanted in ["count.fb:1", "count.fb:2", "count.fb:4", "count.fb:1"] {
        assert_eq!(debugger.step(&mut track, Step::Source), Stop::Done);
        assert_eq!(place(&debugger, &track).as_deref(), Some(wanted));
        assert_eq!(track.machine().cpu.pc & 0xFF00, 0);
        there.push((track.machine().now(), wanted));
    }
    there.pop();
    for (now, wanted) in there.into_iter().rev() {
        assert!(debugger.step_back(&mut track, Step::SourceOver));
        assert_eq!(track.machine().now(), now);
        assert_eq!(place(&debugger, &track).as_deref(), Some(wanted));
    }
    // A breakpoint stops at each of its rounds, also backwards, and not at another read of the byte.
    let shown = |result: Result<debugger::Output, String>| result.unwrap().lines.join("\n");
    let lines = shown(execute(&mut debugger, &mut track, "break count.fb:3"));
    assert!(lines.contains("interpreted $2405 by $0083"), "{lines}");
    let mut stops = Vec::new();
    for _ in 0..2 {
        let lines = shown(execute(&mut debugger, &mut track, "run"));
        assert!(lines.contains("; count.fb:4 PRINT N,TEXT$"), "{lines}");
        assert_eq!(track.machine().cpu.next_address(), 0x2405);
        stops.push(track.machine().now());
    }
    shown(execute(&mut debugger, &mut track, "back"));
    assert_eq!(track.machine().now(), stops[0]);
    debugger.breakpoints.clear();
    let again = debugger.sources.breakpoint(0x2405);
    debugger.breakpoints.add(again);
    debugger.step(&mut track, Step::Instruction);
    set_pc(&mut track, 0x2000);
    debugger::poke(&mut track, 0x2000, &[0xAD, 0x05, 0x24, 0x4C, 0x82, 0x00]);
    debugger::poke(&mut track, 0x0083, &[0x04]);
    execute(&mut debugger, &mut track, "run").unwrap();
    assert_eq!(track.machine().cpu.opcode(), 0xAC);
}

#[test]
fn numbers_of_an_interpreted_program_have_their_names() {
    let (mut debugger, mut track) = interpreting();
    assert_eq!(debugger.evaluate(&track, "N").unwrap().text, "-2");
    assert!(execute(&mut debugger, &mut track, "print N < 0").is_ok());
    // A string's number is no value.
    assert!(debugger.evaluate(&track, "TEXT").is_err());
    // Labels of lines are no names of code.
    assert_eq!(debugger.symbols.name(0x2405), None);
}
