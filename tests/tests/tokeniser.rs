//! The tokeniser of `media` and the one in the BASIC ROM make the same bytes of the same lines.
use machine::{Machine, Model, Tv};
use media::basic::{EOL, Program};
use tests::Atari;

/// Programs; each is entered from NEW.
const PROGRAMS: u64 = 250;
/// Lines of a program.
const LINES: usize = 12;
const LBUFF: u16 = 0x0580;
/// Where the ROM's routine comes back to: a jump to itself.
const TRAP: u16 = 0x06F0;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "10",
    "255",
    "65535",
    "32768",
    ".5",
    "0.25",
    "3.14159265",
    "1E5",
    "1E+10",
    "2.5E-7",
    "9999999999",
    "12345678901",
    "0.000001",
    "100",
    "99.5",
    "1E97",
    "00012",
    "5.",
    "1.0E+11",
    "1234567890123",
];
const VARIABLES: &[&str] = &[
    "A", "B", "C1", "X", "COUNT", "TOTAL", "INTEREST", "I", "J", "NUMBER", "POINTS", "S", "Z9",
    "EXPO",
];
const STRINGS: &[&str] = &["A$", "NAME$", "B1$", "LINE$"];
const FUNCTIONS: &[&str] = &[
    "ATN", "COS", "PEEK", "SIN", "RND", "FRE", "EXP", "LOG", "CLOG", "SQR", "SGN", "ABS", "INT",
    "PADDLE", "STICK", "PTRIG", "STRIG",
];
const OPERATORS: &[&str] = &[
    "+", "-", "*", "/", "^", "=", "<", ">", "<=", ">=", "<>", " AND ", " OR ", "AND ", " OR",
    " + ", "  = ",
];

fn number(r: &mut Random, depth: usize) -> String {
    let deep = depth > 0;
    match r.below(if deep { 14 } else { 4 }) {
        0 | 1 => r.pick(NUMBERS).into(),
        2 | 3 => r.pick(VARIABLES).into(),
        4..=6 => format!(
            "{}{}{}",
            number(r, depth - 1),
            r.pick(OPERATORS),
            number(r, depth - 1)
        ),
        7 => format!("{}({})", r.pick(FUNCTIONS), number(r, depth - 1)),
        8 => format!("({})", number(r, depth - 1)),
        9 => format!(
            "{}{}",
            r.pick(&["-", "+", "NOT ", "- ", "NOT"]),
            number(r, depth - 1)
        ),
        10 => match r.below(2) {
            0 => format!(
                "{}({})",
                r.pick(&["ARR", "M", "INTS"]),
                number(r, depth - 1)
            ),
            _ => format!("M({},{})", number(r, depth - 1), number(r, depth - 1)),
        },
        11 => format!(
            "{}({})",
            r.pick(&["LEN", "ASC", "VAL", "ADR"]),
            string(r, depth - 1)
        ),
        12 => format!(
            "{}{}{}",
            string(r, depth - 1),
            r.pick(&["=", "<", ">", "<=", ">=", "<>"]),
            string(r, depth - 1)
        ),
        _ => {
            let mut call = format!("USR({}", number(r, 0));
            for _ in 0..r.below(3) {
                call.push(',');
                call.push_str(&number(r, depth - 1));
            }
            call + ")"
        }
    }
}

fn string(r: &mut Random, depth: usize) -> String {
    let deep = depth > 0;
    match r.below(if deep { 6 } else { 3 }) {
        0 => format!(
            "\"{}\"",
            r.pick(&["", "HELLO", "D:FILE.BAS", "A,B:C", "lower", "1 2 3"])
        ),
        1 | 2 => r.pick(STRINGS).into(),
        3 => format!("{}({})", r.pick(STRINGS), number(r, depth - 1)),
        4 => format!(
            "{}({},{})",
            r.pick(STRINGS),
            number(r, depth - 1),
            number(r, depth - 1)
        ),
        _ => format!("{}({})", r.pick(&["STR$", "CHR$"]), number(r, depth - 1)),
    }
}

fn list(r: &mut Random, count: usize, separator: &str, depth: usize) -> String {
    (0..count)
        .map(|_| number(r, depth))
        .collect::<Vec<_>>()
        .join(separator)
}

fn statement(r: &mut Random) -> String {
    let b = |r: &mut Random| r.pick(&["", " ", " ", "  "]).to_owned();
    let var = |r: &mut Random| r.pick(VARIABLES).to_owned();
    match r.below(40) {
        0 => format!(
            "{}{}{}",
            r.pick(&["REM", ".", "R."]),
            b(r),
            r.pick(&["HELLO  WORLD", "", "a:b\"c"])
        ),
        1 => format!(
            "{}{}{}",
            r.pick(&["DATA", "D.", "DAT."]),
            b(r),
            r.pick(&["1,2,,X  Y", " A", "\"Q\",3"])
        ),
        2 => format!(
            "{} {}",
            r.pick(&["INPUT", "I.", "INPUT #1,", "READ", "REA."]),
            r.pick(&["A", "A$,B", "X,NAME$,C1"])
        ),
        3 => format!(
            "{}{}{}",
            r.pick(&[
                "COLOR", "C.", "GR.", "GRAPHICS", "TRAP", "T.", "GOTO", "G.", "GO TO", "GOSUB",
                "GOS."
            ]),
            b(r),
            number(r, 2)
        ),
        4 => format!("LET {}={}", var(r), number(r, 2)),
        5 => format!("IF{}{} THEN{}{}", b(r), number(r, 2), b(r), r.below(3000)),
        6 => format!(
            "IF {} THEN {}",
            number(r, 2),
            r.pick(&["A=1", "PRINT \"X\"", "GOTO 10", "RETURN", "IF B THEN 20"])
        ),
        7 => format!("FOR {}={} TO {}", var(r), number(r, 1), number(r, 1)),
        8 => format!(
            "F.{}={}TO {} STEP{}{}",
            r.pick(&["I", "J"]),
            r.pick(NUMBERS),
            number(r, 1),
            b(r),
            number(r, 1)
        ),
        9 => format!("{} {}", r.pick(&["NEXT", "N."]), var(r)),
        10 => r
            .pick(&[
                "BYE", "CONT", "CLR", "DEG", "END", "NEW", "RAD", "RETURN", "STOP", "POP", "DOS",
                "CSAVE", "CLOAD", "RUN", "RESTORE", "LIST", "PRINT", "?",
            ])
            .into(),
        11 => format!(
            "{} {}(10)",
            r.pick(&["DIM", "COM", "DI."]),
            r.pick(&["A$", "ARR", "M(3,4),NAME$", "B1$(1),INTS"])
        ),
        12 => format!("CLOSE #{}", number(r, 1)),
        13 => format!(
            "{}#{},{},{},{}",
            r.pick(&["OPEN ", "O."]),
            number(r, 0),
            number(r, 0),
            number(r, 1),
            string(r, 1)
        ),
        14 => format!(
            "{} {}",
            r.pick(&["LOAD", "SAVE", "ENTER", "RUN", "LO.", "S.", "E."]),
            string(r, 1)
        ),
        15 => format!(
            "{}#{},{}",
            r.pick(&["STATUS ", "ST.", "GET ", "GE."]),
            number(r, 1),
            var(r)
        ),
        16 => format!(
            "{}#{},{},{}",
            r.pick(&["NOTE ", "NO.", "POINT ", "P."]),
            number(r, 0),
            var(r),
            var(r)
        ),
        17 => format!(
            "XIO {},#{},{},{},{}",
            number(r, 0),
            number(r, 0),
            number(r, 0),
            number(r, 0),
            string(r, 1)
        ),
        18 => format!(
            "ON {} {} {}",
            number(r, 1),
            r.pick(&["GOTO", "GOSUB"]),
            list(r, 3, ",", 0)
        ),
        19 | 20 => format!(
            "{}{}{}",
            r.pick(&[
                "POKE", "POK.", "PLOT", "PL.", "POSITION", "POS.", "DRAWTO", "DR."
            ]),
            b(r),
            list(r, 2, ",", 2)
        ),
        21 => format!("{} {}", r.pick(&["SETCOLOR", "SE."]), list(r, 3, " , ", 1)),
        22 => format!("{} {}", r.pick(&["SOUND", "SO."]), list(r, 4, ",", 1)),
        23 => format!("LOCATE {},{}", list(r, 2, ",", 1), var(r)),
        24 => format!("PUT #{},{}", number(r, 0), number(r, 2)),
        25 => format!(
            "{} {}",
            r.pick(&["LIST", "L."]),
            r.pick(&["10,20", "\"P:\"", "A", "\"D:X\",1,A+1"])
        ),
        26..=29 => {
            let mut print: String = r
                .pick(&[
                    "PRINT",
                    "PRINT ",
                    "?",
                    "? ",
                    "PR.",
                    "LPRINT ",
                    "LP.",
                    "PRINT #6;",
                    "? #1,",
                ])
                .into();
            for _ in 0..r.below(4) {
                let item = if r.below(2) == 0 {
                    number(r, 2)
                } else {
                    string(r, 2)
                };
                print.push_str(&item);
                print.push_str(r.pick(&[";", ",", " ; ", ";;"]));
            }
            print
        }
        30..=33 => format!("{}{}={}{}", var(r), b(r), b(r), number(r, 3)),
        34 => format!(
            "{}({})={}",
            r.pick(&["ARR", "M"]),
            number(r, 1),
            number(r, 2)
        ),
        35 => format!("M({},{})={}", number(r, 1), number(r, 1), number(r, 1)),
        36 => format!("{}={}", r.pick(STRINGS), string(r, 2)),
        37 => format!("{}({})={}", r.pick(STRINGS), number(r, 1), string(r, 1)),
        38 => format!("A$({},{})={}", number(r, 1), number(r, 1), string(r, 1)),
        _ => format!("RESTORE {}", number(r, 1)),
    }
}

/// A line of up to 110 characters; some are spoilt by a wrong, missing or additional character.
fn line(r: &mut Random) -> String {
    loop {
        let mut line = format!(
            "{}{}{}",
            r.below(40) * 10,
            r.pick(&["", " ", "  "]),
            statement(r)
        );
        for _ in 0..r.below(3) {
            line.push_str(r.pick(&[":", " : "]));
            line.push_str(&statement(r));
        }
        match r.below(12) {
            0 => {
                let at = r.below(line.len());
                line.remove(at);
            }
            1 => {
                let at = r.below(line.len());
                line.insert(at, char::from(32 + r.below(64) as u8));
            }
            2 => line.truncate(1 + r.below(line.len())),
            _ => {}
        }
        if line.len() <= 110 {
            return line;
        }
    }
}

/// Calls the ROM's tokeniser with a line in the buffer, as the READY loop does.
fn enter(machine: &mut Machine, tokline: u16, text: &str) {
    for (i, byte) in text.bytes().chain([EOL]).enumerate() {
        machine.poke(LBUFF + i as u16, byte);
    }
    for (i, byte) in [0x4C, TRAP as u8, (TRAP >> 8) as u8]
        .into_iter()
        .enumerate()
    {
        machine.poke(TRAP + i as u16, byte);
    }
    let back = TRAP.wrapping_sub(1);
    machine.cpu.s = 0xF0;
    machine.poke(0x0100 | u16::from(machine.cpu.s), (back >> 8) as u8);
    machine.poke(0x0100 | u16::from(machine.cpu.s - 1), back as u8);
    machine.cpu.s -= 2;
    machine.cpu.set_pc(tokline);
    for _ in 0..4_000_000 {
        machine.step_instruction();
        if machine.cpu.pc == TRAP && machine.cpu.at_instruction_start() {
            return;
        }
    }
    panic!("the tokeniser does not come back from {text:?}");
}

fn memory(machine: &Machine, from: u16, to: u16) -> Vec<u8> {
    (machine.peek_word(from)..machine.peek_word(to))
        .map(|a| machine.peek(a))
        .collect()
}

#[test]
fn the_rom_and_the_host_make_the_same_program() {
    let tokline = roms::BASIC_SYMBOLS
        .address("tokline")
        .expect("the ROM's tokeniser has a label");
    let mut ready = Atari::new(&tests::config(Model::Xl800, Tv::Ntsc, true));
    assert!(ready.wait_for_key(600));
    let (mut taken, mut refused) = (0, 0);
    let mut random = Random(2024);
    for program in 0..PROGRAMS {
        let mut machine = ready.machine.clone();
        let mut text = String::new();
        for _ in 0..LINES {
            let line = line(&mut random);
            let accepted = Program::tokenize(line.as_bytes()).is_ok();
            if accepted {
                enter(&mut machine, tokline, &line);
                text.push_str(&line);
                text.push('\n');
                taken += 1;
            } else {
                // The ROM keeps a refused line with the token $37; see that it does, on a machine of its own.
                let mut other = ready.machine.clone();
                enter(&mut other, tokline, &line);
                let kept = memory(&other, 0x88, 0x8C);
                let number = line.trim_start().starts_with(|c: char| c.is_ascii_digit());
                assert!(
                    !number || kept.get(4) == Some(&0x37),
                    "only the ROM takes {line:?}: {kept:02X?}"
                );
                refused += 1;
            }
        }
        let host = Program::tokenize(text.as_bytes()).unwrap();
        let mut lines = memory(&machine, 0x88, 0x8C);
        // The immediate line of the prompt follows the program.
        lines.truncate(host.lines.len().max(lines.len().min(host.lines.len())));
        assert_eq!(
            memory(&machine, 0x82, 0x84),
            host.names,
            "names of program {program}:\n{text}"
        );
        assert_eq!(
            memory(&machine, 0x86, 0x88),
            host.values,
            "values of program {program}:\n{text}"
        );
        if lines != host.lines {
            let at = lines
                .iter()
                .zip(&host.lines)
                .position(|(a, b)| a != b)
                .unwrap_or(lines.len());
            panic!(
                "program {program} differs at byte {at}:\n{text}ROM  {lines:02X?}\nhost {:02X?}",
                host.lines
            );
        }
    }
    eprintln!("{taken} lines taken, {refused} refused");
    assert!(taken > 2000 && refused > 100);
}
