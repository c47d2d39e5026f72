use super::*;
use alloc::string::ToString;

fn tokens(text: &str) -> Vec<u8> {
    Program::tokenize(text.as_bytes()).unwrap().lines
}

fn listed(text: &str) -> String {
    let bytes = Program::tokenize(text.as_bytes()).unwrap().list();
    bytes
        .iter()
        .map(|&b| if b == EOL { '\n' } else { char::from(b) })
        .collect()
}

#[test]
fn statements_have_the_format_of_the_save_file() {
    assert_eq!(
        tokens("10 PRINT A;\"HI\":GOTO 10"),
        [
            10, 0, 22, 12, 0x20, 0x80, 0x15, 0x0F, 2, b'H', b'I', 0x14, 22, 0x0A, 0x0E, 0x40, 0x10,
            0, 0, 0, 0, 0x16
        ]
    );
    assert_eq!(tokens("0 REM  X"), [0, 0, 7, 7, 0x00, b'X', 0x9B]);
    assert_eq!(
        tokens("1 IF A THEN B=1"),
        [
            1, 0, 19, 7, 0x07, 0x80, 0x1B, 19, 0x36, 0x81, 0x2D, 0x0E, 0x40, 1, 0, 0, 0, 0, 0x16
        ]
    );
    assert_eq!(
        tokens("1 A(1,2)=USR(B)"),
        [
            1, 0, 29, 29, 0x36, 0x80, 0x38, 0x0E, 0x40, 1, 0, 0, 0, 0, 0x3C, 0x0E, 0x40, 2, 0, 0,
            0, 0, 0x2C, 0x2D, 0x3F, 0x3A, 0x81, 0x2C, 0x16
        ]
    );
}

#[test]
fn abbreviations_take_the_first_name_that_fits() {
    for (short, long) in [
        (". X", "REM X"),
        ("D. 1", "DATA 1"),
        ("I. A", "INPUT A"),
        ("GR. 0", "GRAPHICS 0"),
        ("GOS. 1", "GOSUB 1"),
        ("G. 1", "GOTO 1"),
        ("PR. A", "PRINT A"),
        ("POS. 1,2", "POSITION 1,2"),
        ("P. #1,A,B", "POINT #1,A,B"),
        ("SE. 1,2,3", "SETCOLOR 1,2,3"),
        ("S. \"D:X\"", "SAVE \"D:X\""),
        ("N. I", "NEXT I"),
        ("L.", "LIST"),
    ] {
        assert_eq!(
            tokens(&format!("1 {short}")),
            tokens(&format!("1 {long}")),
            "{short}"
        );
    }
}

#[test]
fn listing_and_tokenising_again_gives_the_same_program() {
    let text = "10 DIM A$(20),B(3,4),C(5)\n20 FOR I=1 TO 10 STEP -0.5:NEXT I\n30 IF A$=\"X\" AND NOT B(1,2) THEN 100\n\
        40 A$(LEN(A$)+1)=CHR$(65):? #6;A$(1,2),STR$(3)\n50 ON X+1 GOSUB 100,200,300\n60 XIO 18,#6,0,0,\"S:\":OPEN #1,4,0,A$\n\
        70 IF X<>-2^2 THEN PRINT :STOP \n80 DATA A, B,,C\n90 LIST \"D:X\",10,20:POKE 1E-5,1E+20\n100 A=PEEK(106)*256+ADR(\"A\")\n";
    let program = Program::tokenize(text.as_bytes()).unwrap();
    let list = program.list();
    assert_eq!(Program::tokenize(&list), Ok(program.clone()));
    assert_eq!(Program::parse_save(&program.to_save()), Ok(program));
    let shown = listed("30 IFA=1ANDB=2THENPRINT\"A\"\n");
    assert_eq!(shown, "30 IF A=1 AND B=2 THEN PRINT \"A\"\n");
}

#[test]
fn errors_name_the_line_and_show_the_place() {
    let errors = Program::tokenize(b"10 PRINT 1\n20 POKE 1\nHELLO\n").unwrap_err();
    assert_eq!(errors.len(), 2);
    assert_eq!((errors[0].file_line, errors[0].column), (2, 9));
    assert_eq!(
        errors[0].to_string(),
        "line 2, column 10: expected ,\n  20 POKE 1\n           ^"
    );
    assert_eq!(errors[1].wanted, "a line number");
}

/// As revision C refuses them: the name of a function is not a variable's, a longer name is.
#[test]
fn the_name_of_a_function_is_no_variable() {
    for (line, column) in [
        ("10 X=RND*10", 8),
        ("10 DIM STR$(5)", 11),
        ("10 PRINT SIN$(10)", 12),
        ("10 LEN=5", 6),
        ("10 LET VAL=5", 10),
        ("10 FOR INT=1 TO 5", 10),
        ("10 INPUT ABS", 12),
        ("10 DIM SIN(5)", 10),
    ] {
        let errors = Program::tokenize(format!("{line}\n").as_bytes()).unwrap_err();
        assert_eq!(errors[0].column, column, "{line}: {}", errors[0]);
    }
    for line in [
        "10 SINE=LENGTH+INT1",
        "10 DIM STRING$(5),CHR(3),STR(2)",
        "10 X=RND (0)",
        "10 STR=VALUE:ABSENT$=\"\"",
    ] {
        assert!(
            Program::tokenize(format!("{line}\n").as_bytes()).is_ok(),
            "{line}"
        );
    }
}

/// Memory with a program at `$0700`, whose LOMEM is a page lower.
fn memory_with(program: &Program) -> Vec<u8> {
    let mut memory = vec![0xFF; 0x1_0000];
    memory[0x80..0x82].copy_from_slice(&0x0600_u16.to_le_bytes());
    for (n, word) in program.pointers().words.iter().enumerate() {
        memory[0x82 + 2 * n..][..2].copy_from_slice(&(word + 0x0600).to_le_bytes());
    }
    let image = program.image();
    memory[0x0700..][..image.len()].copy_from_slice(&image);
    memory
}

fn in_memory(memory: &[u8]) -> Option<Program> {
    Program::in_memory(|at| memory[usize::from(at)])
}

#[test]
fn a_program_comes_back_out_of_memory_wherever_it_runs() {
    let program = Program::tokenize(b"10 A=1\n20 PRINT A,B$\n30 GOTO 20\n").unwrap();
    let mut memory = memory_with(&program);
    assert_eq!(in_memory(&memory), Some(program.clone()));
    // STMCUR is the line that runs.
    memory[0x8A..0x8C].copy_from_slice(&[0x34, 0x12]);
    assert_eq!(in_memory(&memory), Some(program));
}

#[test]
fn memory_without_a_program_has_none() {
    assert_eq!(in_memory(&vec![0; 0x1_0000]), None);
    assert_eq!(in_memory(&vec![0xFF; 0x1_0000]), None);
    let program = Program::tokenize(b"10 PRINT 1\n").unwrap();
    let memory = memory_with(&program);
    let stmtab = usize::from(u16::from_le_bytes([memory[0x88], memory[0x89]]));
    // After NEW there are pointers, and the line of immediate commands only.
    let mut new = memory.clone();
    new[stmtab..][..2].copy_from_slice(&[0x00, 0x80]);
    assert_eq!(in_memory(&new), None);
    for length in [0, 4, 0xFF] {
        let mut damaged = memory.clone();
        damaged[stmtab + 2] = length;
        assert_eq!(in_memory(&damaged), None, "a line of {length} bytes");
    }
    let mut swapped = memory;
    swapped.swap(0x83, 0x8D);
    swapped[0x83] = 0x20;
    assert_eq!(in_memory(&swapped), None);
}

#[test]
fn a_cut_save_file_is_refused() {
    let bytes = Program::tokenize(b"10 PRINT 1\n").unwrap().to_save();
    for length in 0..bytes.len() {
        assert!(
            Program::parse_save(&bytes[..length]).is_err(),
            "length {length}"
        );
    }
}

#[test]
fn a_program_of_another_basic_is_known_by_its_tokens() {
    let all =
        "10 REM X:DATA\n20 DATA 1,A:B\n30 IF A THEN PRINT \"A\";CHR$(127):GOTO 10\n40 X=USR(1,-.5)";
    let program = Program::tokenize(all.as_bytes()).unwrap();
    assert_eq!(program.flaw(), None);
    // A statement and an operator that came after revision C.
    for (place, token) in [(0x07, 0x3A), (0x1B, 0x5A)] {
        let mut other = program.clone();
        let line = other
            .lines
            .windows(2)
            .position(|pair| pair == [30, 0])
            .unwrap();
        let rest = &other.lines[line + 4..];
        let at = line + 4 + rest.iter().position(|&byte| byte == place).unwrap();
        other.lines[at] = token;
        let flaw = other.flaw().unwrap();
        assert!(
            flaw.starts_with("line 30 has a word that Atari BASIC"),
            "{flaw}"
        );
        assert_eq!(other.listed().len(), 4);
    }
}
