//! The tokeniser of `media` and the one in the BASIC ROM make the same bytes of the same lines.
use machine::{Machine, Model, Tv};
use media::basic::{EOL, Program};
use tests::Atari;
use tests::desk::{Desk, Folder};
use tests::random::Random;

/// Programs; each is entered from NEW.
const PROGRAMS: u64 = 500;
/// Lines of a program.
const LINES: usize = 12;
const LBUFF: u16 = 0x0580;
/// The return address of the ROM's routine: a jump to itself.
const TRAP: u16 = 0x06F0;

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
            // mostly without a second sign, which is refused
            if r.below(8) == 0 {
                number(r, depth - 1)
            } else {
                number(r, 0)
            }
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

/// Statement names and the shortest text that may stand for each in front of a period.
const WORDS: &[(&str, &str)] = &[
    ("REM", ""),
    ("DATA", "D"),
    ("INPUT", "I"),
    ("COLOR", "C"),
    ("LIST", "L"),
    ("ENTER", "E"),
    ("LET", "LE"),
    ("FOR", "F"),
    ("NEXT", "N"),
    ("GOTO", "G"),
    ("GOSUB", "GOS"),
    ("TRAP", "T"),
    ("BYE", "B"),
    ("CONT", "CON"),
    ("CLOSE", "CL"),
    ("DEG", "DE"),
    ("DIM", "DI"),
    ("OPEN", "O"),
    ("LOAD", "LO"),
    ("SAVE", "S"),
    ("STATUS", "ST"),
    ("NOTE", "NO"),
    ("POINT", "P"),
    ("XIO", "X"),
    ("POKE", "POK"),
    ("PRINT", "PR"),
    ("RAD", "RA"),
    ("READ", "REA"),
    ("RESTORE", "RES"),
    ("RETURN", "RET"),
    ("RUN", "RU"),
    ("STOP", "STO"),
    ("GET", "GE"),
    ("PUT", "PU"),
    ("GRAPHICS", "GR"),
    ("PLOT", "PL"),
    ("POSITION", "POS"),
    ("DOS", "DO"),
    ("DRAWTO", "DR"),
    ("SETCOLOR", "SE"),
    ("LOCATE", "LOC"),
    ("SOUND", "SO"),
    ("LPRINT", "LP"),
    ("CSAVE", "CS"),
    ("CLOAD", "CLOA"),
];

/// A statement's name in full or abbreviated, with or without blanks after it.
fn word(r: &mut Random, name: &str) -> String {
    let mut text = name.to_owned();
    if let Some((_, shortest)) = WORDS.iter().find(|w| w.0 == name)
        && r.below(2) == 0
    {
        text.truncate(shortest.len() + r.below(name.len() - shortest.len()));
        text.push('.');
    }
    text + r.pick(&["", " ", " ", "  "])
}

/// A channel's number.
fn channel(r: &mut Random) -> String {
    format!("#{}{}", r.pick(&["", " "]), number(r, 1))
}

fn variables(r: &mut Random) -> String {
    let mut text = String::new();
    for i in 0..=r.below(3) {
        if i > 0 {
            text.push_str(r.pick(&[",", " , "]));
        }
        let of = if r.below(2) == 0 { VARIABLES } else { STRINGS };
        text.push_str(r.pick(of));
    }
    text
}

fn items(r: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..r.below(4) {
        text += &if r.below(2) == 0 {
            number(r, 2)
        } else {
            string(r, 2)
        };
        text.push_str(r.pick(&[";", ",", " ; ", ";;", ",;"]));
    }
    if text.is_empty() || r.below(2) == 0 {
        text += &number(r, 1);
    }
    text
}

fn raw(r: &mut Random) -> String {
    r.pick(&[
        "HELLO  WORLD",
        "",
        "a:b\"c",
        "1,2,,X  Y",
        " A",
        "\"Q\",3",
        "?PRINT:",
        "  ",
    ])
    .into()
}

/// A statement of the whole grammar; REM and DATA now and then, because they swallow the rest.
fn statement(r: &mut Random) -> String {
    let var = r.pick(VARIABLES).to_owned();
    match r.below(64) {
        0 => word(r, "REM") + &raw(r),
        1 => word(r, "DATA") + &raw(r),
        2 => word(r, "INPUT") + &variables(r),
        3 => word(r, "INPUT") + &channel(r) + r.pick(&[",", ";"]) + &variables(r),
        4 => word(r, "READ") + &variables(r),
        5..=9 => {
            let name = r.pick(&["COLOR", "GRAPHICS", "TRAP", "GOTO", "GOSUB"]);
            word(r, name) + &number(r, 2)
        }
        10 => format!("GO TO{}{}", r.pick(&["", " "]), number(r, 2)),
        11 => word(r, "LET") + &format!("{var}={}", number(r, 2)),
        12 => format!(
            "IF{}{} THEN{}{}",
            r.pick(&["", " "]),
            number(r, 2),
            r.pick(&["", " "]),
            r.pick(NUMBERS)
        ),
        13 | 14 => format!("IF {} THEN {}", number(r, 2), statement(r)),
        15 => word(r, "FOR") + &format!("{var}={} TO {}", number(r, 1), number(r, 1)),
        16 => {
            word(r, "FOR")
                + &format!(
                    "{var} = {}TO{}STEP{}",
                    r.pick(NUMBERS),
                    r.pick(NUMBERS),
                    number(r, 1)
                )
        }
        17 => word(r, "NEXT") + &var,
        18..=21 => {
            let name = r.pick(&[
                "BYE", "CONT", "CLR", "DEG", "END", "NEW", "RAD", "RETURN", "STOP", "POP", "DOS",
                "CSAVE", "CLOAD", "RUN", "RESTORE", "LIST", "PRINT", "LPRINT",
            ]);
            word(r, name)
        }
        22 => "?".into(),
        23 => {
            let name = r.pick(&["DIM", "COM"]);
            let mut text = word(r, name);
            for i in 0..=r.below(3) {
                if i > 0 {
                    text.push(',');
                }
                let size = number(r, 1);
                let name = r.pick(&["A$", "NAME$", "ARR", "INTS", "M"]);
                let second = if name == "M" { ",5" } else { "" };
                text += &[name, "(", &size, second, ")"].concat();
            }
            text
        }
        24 => word(r, "CLOSE") + &channel(r),
        25 => {
            word(r, "OPEN")
                + &channel(r)
                + &format!(",{},{},{}", number(r, 0), number(r, 1), string(r, 1))
        }
        26 => {
            let name = r.pick(&["LOAD", "SAVE", "ENTER", "RUN", "LIST"]);
            word(r, name) + &string(r, 1)
        }
        27 => {
            let name = r.pick(&["STATUS", "GET"]);
            word(r, name) + &channel(r) + "," + &var
        }
        28 => {
            let name = r.pick(&["NOTE", "POINT"]);
            word(r, name) + &channel(r) + &format!(",{var},{}", r.pick(VARIABLES))
        }
        29 => {
            word(r, "XIO")
                + &number(r, 0)
                + ","
                + &channel(r)
                + &format!(",{},{},{}", number(r, 0), number(r, 0), string(r, 1))
        }
        30 | 31 => {
            let count = 1 + r.below(4);
            format!(
                "ON{}{} {} {}",
                r.pick(&["", " "]),
                number(r, 1),
                r.pick(&["GOTO", "GOSUB"]),
                list(r, count, ",", 0)
            )
        }
        32..=35 => {
            let name = r.pick(&["POKE", "PLOT", "POSITION", "DRAWTO"]);
            let comma = r.pick(&[",", " ,"]);
            word(r, name) + &list(r, 2, comma, 2)
        }
        36 => word(r, "SETCOLOR") + &list(r, 3, " , ", 1),
        37 => word(r, "SOUND") + &list(r, 4, ",", 1),
        38 => word(r, "LOCATE") + &list(r, 2, ",", 1) + "," + &var,
        39 => word(r, "PUT") + &channel(r) + "," + &number(r, 2),
        40 => {
            let count = 1 + r.below(2);
            word(r, "LIST") + &list(r, count, ",", 1)
        }
        41 => {
            let count = 1 + r.below(2);
            word(r, "LIST") + &string(r, 1) + "," + &list(r, count, ",", 1)
        }
        42..=44 => word(r, "PRINT") + &items(r),
        45 => "?".to_owned() + &items(r),
        46 => word(r, "LPRINT") + &items(r),
        47 => word(r, "PRINT") + &channel(r),
        48 => word(r, "PRINT") + &channel(r) + r.pick(&[",", ";", ",,", ";,"]) + &items(r),
        49 => word(r, "RESTORE") + &number(r, 1),
        50..=55 => format!(
            "{var}{}={}{}",
            r.pick(&["", " "]),
            r.pick(&["", " "]),
            number(r, 3)
        ),
        56 => format!(
            "{}({})={}",
            r.pick(&["ARR", "M"]),
            number(r, 1),
            number(r, 2)
        ),
        57 => format!("M({},{})={}", number(r, 1), number(r, 1), number(r, 1)),
        58 | 59 => format!("{}={}", r.pick(STRINGS), string(r, 2)),
        60 => format!("{}({})={}", r.pick(STRINGS), number(r, 1), string(r, 1)),
        61 => format!("A$({},{})={}", number(r, 1), number(r, 1), string(r, 1)),
        62 => format!("{}$=\"NO QUOTE", r.pick(&["A", "NAME"])),
        _ => "POP :RETURN".into(),
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
    let (mut taken, mut refused, mut columns) = (0, 0, 0);
    let mut random = Random(2024);
    for program in 0..PROGRAMS {
        let mut machine = ready.machine.clone();
        let mut text = String::new();
        for _ in 0..LINES {
            let line = line(&mut random);
            if !line.starts_with(|c: char| c.is_ascii_digit()) {
                continue;
            }
            // A listing of the host may have keywords in small letters.
            let mut outside = line.split('"').step_by(2);
            if outside.any(|part| part.contains(|c: char| c.is_ascii_lowercase())) {
                continue;
            }
            match Program::tokenize(line.as_bytes()) {
                Ok(_) => {
                    enter(&mut machine, tokline, &line);
                    text.push_str(&line);
                    text.push('\n');
                    taken += 1;
                }
                Err(errors) => {
                    // The ROM keeps a refused line with the token $37, or keeps nothing when its number is wrong too.
                    let mut other = ready.machine.clone();
                    enter(&mut other, tokline, &line);
                    let kept = memory(&other, 0x88, 0x8C);
                    assert!(
                        kept.get(4) == Some(&0x37) || kept.starts_with(&[0, 0x80, 3]),
                        "only the ROM takes {line:?}: {kept:02X?}"
                    );
                    let marked = line
                        .bytes()
                        .chain([b' '])
                        .enumerate()
                        .position(|(i, byte)| other.peek(LBUFF + i as u16) == byte ^ 0x80);
                    let error = &errors[0];
                    // A line needs a number in a file only, and one that is too long has no place to show.
                    if !error.wanted.contains("line number") && marked.is_some() {
                        assert_eq!(marked, Some(error.column), "{line}: {}", error.wanted);
                        columns += 1;
                    }
                    refused += 1;
                }
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
    eprintln!("{taken} lines taken, {refused} refused, {columns} at the same column");
    assert!(taken > 4000 && refused > 400 && columns > 300);
}

/// ENTERs a listing, LISTs it and SAVEs it; NEW; ENTERs what was listed and SAVEs again.
#[test]
fn a_listed_and_entered_program_is_saved_as_before() {
    let mut ready = Atari::new(&tests::config(Model::Xl800, Tv::Ntsc, true));
    ready.machine.attach_host(true);
    assert!(ready.wait_for_key(600));
    let mut random = Random(77);
    let mut lines = 0;
    for program in 0..40 {
        let mut text = Vec::new();
        for number in 0..60 {
            let line = loop {
                let line = format!(
                    "{} {}:{}",
                    number * 7,
                    statement(&mut random),
                    statement(&mut random)
                );
                // What LIST makes of a line has to fit into the line that ENTER reads.
                if let Ok(program) = Program::tokenize(line.as_bytes())
                    && line.len() <= 250
                    && program.list().len() <= 250
                {
                    break line;
                }
            };
            text.extend(line.bytes());
            text.push(EOL);
            lines += 1;
        }
        let mut desk = Desk {
            atari: ready.clone(),
            folder: Folder::default(),
        };
        desk.folder.0.insert("IN".into(), text);
        for command in [
            "ENTER \"D:IN\"",
            "LIST \"D:ONE\"",
            "SAVE \"D:A\"",
            "NEW",
            "ENTER \"D:ONE\"",
            "LIST \"D:TWO\"",
            "SAVE \"D:A\"",
        ] {
            if command.starts_with("LIST \"D:TWO") {
                let first = desk.folder.0.remove("A").unwrap();
                desk.folder.0.insert("FIRST".into(), first);
            }
            desk.type_line(command).unwrap();
            desk.wait().unwrap();
        }
        let files = &desk.folder.0;
        assert_eq!(files["ONE"], files["TWO"], "listings of program {program}");
        assert_eq!(files["FIRST"], files["A"], "files of program {program}");
        let saved = Program::parse_save(&files["A"]).unwrap();
        assert_eq!(
            saved.list(),
            files["ONE"],
            "the host's listing of program {program}"
        );
        assert_eq!(
            Program::tokenize(&files["ONE"]).unwrap().lines,
            saved.lines,
            "the host's tokens of program {program}"
        );
    }
    eprintln!("{lines} lines");
}

/// Programs of random statements, each after a TRAP: whatever they do to numbers, strings, arrays, the screen and files, they come to
/// their end and have not touched the program.
#[test]
fn random_statements_do_the_program_no_harm() {
    /// Words of statements that lead elsewhere, wait for a key, or are free to write anywhere.
    const LEFT_OUT: &[&str] = &[
        "USR", "GOTO", "GO TO", "GOSUB", "RETURN", "ON", "THEN", "STOP", "END", "RUN", "NEW",
        "CONT", "LOAD", "ENTER", "BYE", "DOS", "INPUT", "GET", "POKE", "CSAVE", "XIO", "OPEN",
        "TRAP", "SAVE", "LIST", "CLR", "NEXT", "REM", "DATA", "LPRINT", "GRAPHICS",
    ];
    let mut ready = Atari::new(&tests::config(Model::Xl800, Tv::Ntsc, true));
    ready.machine.attach_host(true);
    assert!(ready.wait_for_key(600));
    let mut random = Random(31);
    let mut count = 0;
    for program in 0..25 {
        let mut text =
            b"0 DIM A$(40),NAME$(9),B1$(300),LINE$(3),ARR(9),M(4,4),INTS(20):DEG".to_vec();
        text.push(EOL);
        let mut number = 1;
        while number < 90 {
            let source = statement(&mut random);
            let line = format!("{number} TRAP {}:{source}", number + 1);
            let Ok(tokens) = Program::tokenize(line.as_bytes()) else {
                continue;
            };
            let listed: String = tokens.list().iter().map(|&b| char::from(b)).collect();
            let body = listed.split_once(':').map_or("", |l| l.1);
            if listed.len() > 200 || LEFT_OUT.iter().any(|w| body.contains(w)) {
                continue;
            }
            text.extend(line.bytes());
            text.push(EOL);
            number += 1;
            count += 1;
        }
        text.extend(b"90 TRAP 40000:GRAPHICS 0:PRINT \"CAME TO THE END\"\x9B");
        let mut desk = Desk {
            atari: ready.clone(),
            folder: Folder::default(),
        };
        desk.folder.0.insert("IN".into(), text);
        for command in ["ENTER \"D:IN\"", "LIST \"D:ONE\"", "RUN", "LIST \"D:TWO\""] {
            desk.type_line(command).unwrap();
            desk.wait().unwrap_or_else(|message| {
                panic!(
                    "program {program}: {message}\n{}",
                    String::from_utf8_lossy(&desk.folder.0["ONE"]).replace('\u{FFFD}', "\n")
                )
            });
        }
        let screen = desk.atari.text();
        let files = &desk.folder.0;
        let listing = String::from_utf8_lossy(&files["ONE"]).replace('\u{FFFD}', "\n");
        assert!(
            screen.contains("CAME TO THE END"),
            "program {program}:\n{screen}\n{listing}"
        );
        assert_eq!(files["ONE"], files["TWO"], "program {program}");
        let pointers: Vec<u16> = (0..9)
            .map(|i| desk.atari.machine.peek_word(0x80 + 2 * i))
            .collect();
        assert!(
            pointers[..5].is_sorted() && pointers[6..].is_sorted(),
            "{pointers:04X?}"
        );
    }
    eprintln!("{count} statements");
}
