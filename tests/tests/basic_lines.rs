//! Lines as the BASIC ROM takes them: its tokens, tables and LIST are those of the host's tokeniser.
use std::fmt::Write as _;

use media::basic::Program;
use tests::basic::{atascii, file, ready, set_file, type_lines};

/// The games' listings and lines with every statement: the ROM's tokens are the host's, and LIST gives the host's text.
#[test]
fn tokens_and_listing_are_the_hosts() {
    let everything = "10 REM ANY text\n20 DATA 1,TWO, X\n30 INPUT A,B$\n31 INPUT #1,A\n32 INPUT #1;B$\n40 COLOR A+1\n50 LIST\n51 LIST 10\n52 LIST 10,20\n53 LIST \"D:X\"\n54 LIST \"D:X\",1,2\n\
        60 ENTER \"D:X\"\n70 LET A=1\n71 LET B$=C$\n72 LET C(1)=2\n73 D(1,A)=3\n74 B$(1)=C$(2,3)\n80 IF A THEN 10\n81 IF A=B THEN B=1:C=2\n82 IF A$=B$ THEN IF C$<>D$ THEN STOP\n\
        90 FOR I=1 TO 10\n91 FOR I=A TO B STEP -C\n100 NEXT I\n110 GOTO 10\n111 GO TO A*10\n120 GOSUB 10\n130 TRAP 40000\n140 BYE\n150 CONT\n160 COM A(1),B$(2)\n170 CLOSE #1\n180 CLR\n190 DEG\n\
        200 DIM A(1,2),B$(3),C(4)\n210 END\n220 NEW\n230 OPEN #1,4,0,\"K:\"\n240 LOAD \"D:X\"\n250 SAVE B$\n260 STATUS #1,A\n270 NOTE #1,A,B\n280 POINT #1,A,B\n290 XIO 18,#6,0,0,\"S:\"\n\
        300 ON A GOTO 1,2,3\n301 ON A+B GOSUB A,100\n310 POKE 710,A\n320 PRINT\n321 PRINT A;B$,,C;\n322 PRINT #6;\"X\"\n323 PRINT #A\n324 PRINT #1,A\n330 RAD\n340 READ A,B$,C\n350 RESTORE\n351 RESTORE 10\n\
        360 RETURN\n370 RUN\n371 RUN \"D:X\"\n380 STOP\n390 POP\n400 ?A:?:? :?B$\n410 GET #1,A\n420 PUT #1,A+1\n430 GRAPHICS 7+16\n440 PLOT 1,2\n450 POSITION A,B\n460 DOS\n470 DRAWTO 1,2\n\
        480 SETCOLOR 1,2,3\n490 LOCATE 1,2,A\n500 SOUND 0,1,2,3\n510 LPRINT A;B$\n520 CSAVE\n530 CLOAD\n540 A=NOT B OR C AND D\n550 A=-B+-C*+D^2/3-4\n560 A=(B<C)+(B>C)+(B<=C)+(B>=C)+(B<>C)+(B=C)\n\
        570 A=B$<C$:A=B$>C$:A=B$<=C$:A=B$>=C$:A=B$<>C$:A=B$=C$\n580 B$=STR$(1):B$=CHR$(2)\n590 A=USR(1)+USR(1,2,3)+ASC(B$)+VAL(\"1\")+LEN(B$(2))+ADR(\"ABC\")\n\
        600 A=ATN(1)+COS(1)+PEEK(1)+SIN(1)+RND(1)+FRE(1)+EXP(1)+LOG(1)+CLOG(1)+SQR(1)+SGN(1)+ABS(1)+INT(1)+PADDLE(1)+STICK(1)+PTRIG(1)+STRIG(1)\n\
        610 A=1E10+1.5E-20+.5+12345678901+0.000001+100.25\n620 SINE=1:LET NOTE1=2\n630 A=SINE+B(SINE)+TOTAL\n640 PR.A:G.10:F.I=1TO 3:N.I:GOS.1:.COMMENT\n650 A$=\"UNTERMINATED\n32767 REM\n\
        700 IFA=1THENPRINT\"X\":FORI=1TO10STEP2:NEXTI\n710 X = Y : Z ( 1 ) = 2 : B$ ( 1 , 2 ) = \"A B\"\n";
    let mut listings = vec![atascii(
        &everything.replace("710 X = Y : Z ( 1 ) = 2 :", "710 X = Y :"),
    )];
    for name in ["crazy-eights", "gammon"] {
        let path = format!(
            "{}/../roms/games/{name}/{name}.lst",
            env!("CARGO_MANIFEST_DIR")
        );
        if let Ok(text) = std::fs::read(&path) {
            listings.push(
                text.into_iter()
                    .map(|b| if b == b'\n' { 0x9B } else { b })
                    .collect(),
            );
        }
    }
    for listing in listings {
        compare_with_host(&listing);
    }
}

/// ENTERs a listing and compares the tables, the tokens and the text of LIST with the host's.
fn compare_with_host(listing: &[u8]) {
    let mut atari = ready();
    let host = Program::tokenize(listing).unwrap_or_else(|e| panic!("{}", e[0]));
    type_lines(&mut atari, "NEW");
    // In parts, because the file shares memory with the program.
    let lines: Vec<_> = listing.split_inclusive(|&b| b == 0x9B).collect();
    for part in lines.chunks(40) {
        set_file(&mut atari, &part.concat());
        type_lines(&mut atari, "ENTER \"M:\"");
    }
    let machine = &atari.machine;
    let word = |at| machine.peek_word(at);
    let bytes = |from: u16, to: u16| (from..to).map(|at| machine.peek(at)).collect::<Vec<_>>();
    assert_eq!(
        bytes(word(0x82), word(0x84)),
        host.names,
        "names\n{}",
        atari.text()
    );
    assert_eq!(bytes(word(0x86), word(0x88)), host.values, "values");
    let mut rest = &host.lines[..];
    let mut at = word(0x88);
    while let [low, high, length, ..] = *rest {
        let length = usize::from(length);
        let number = u16::from_le_bytes([low, high]);
        let source = lines
            .iter()
            .rev()
            .map(|l| String::from_utf8_lossy(l))
            .find(|l| l.starts_with(&format!("{number} ")));
        assert_eq!(bytes(at, at + length as u16), rest[..length], "{source:?}");
        rest = &rest[length..];
        at += length as u16;
    }
    assert_eq!(word(at), 0x8000, "the immediate line follows");
    let listed = host.list();
    let texts: Vec<_> = listed.split_inclusive(|&b| b == 0x9B).collect();
    let number = |line: &[u8]| {
        String::from_utf8_lossy(line)
            .split(' ')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    for part in texts.chunks(40) {
        let (first, last) = (number(part[0]), number(part[part.len() - 1]));
        type_lines(&mut atari, &format!("LIST \"M:\",{first},{last}"));
        assert_eq!(
            String::from_utf8_lossy(&file(&atari)),
            String::from_utf8_lossy(&part.concat())
        );
    }
}

/// A source of numbers for the generated lines.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn number(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self
                .pick(&[
                    "1",
                    "0",
                    "10",
                    "255",
                    "0.5",
                    ".25",
                    "1E5",
                    "1.5E-7",
                    "123456789",
                    "3.14159265",
                    "X",
                    "Y1",
                    "LONG",
                    "IX",
                ])
                .into();
        }
        let d = depth - 1;
        match self.below(12) {
            0 | 1 => format!("({})", self.number(d)),
            2 => format!("({}{})", self.pick(&["-", "+", "NOT "]), self.number(0)),
            3 => format!(
                "{}({})",
                self.pick(&[
                    "SIN", "COS", "ATN", "INT", "ABS", "SGN", "RND", "PEEK", "FRE", "SQR", "LOG",
                    "CLOG", "EXP", "STICK", "STRIG", "PADDLE", "PTRIG",
                ]),
                self.number(d)
            ),
            4 => format!(
                "{}({})",
                self.pick(&["LEN", "ASC", "VAL", "ADR"]),
                self.string(d)
            ),
            5 => format!("USR({},{})", self.number(d), self.number(0)),
            6 => format!("{}({})", self.pick(&["V", "MX"]), self.number(d)),
            7 => format!("W({},{})", self.number(0), self.number(d)),
            8 => format!(
                "{}{}{}",
                self.string(0),
                self.pick(&["=", "<", ">", "<=", ">=", "<>"]),
                self.string(d)
            ),
            _ => {
                let left = self.number(d);
                let op = self.pick(&[
                    "+", "-", "*", "/", "^", "=", "<", ">", "<=", ">=", "<>", " AND ", " OR ",
                ]);
                format!("{left}{op}{}", self.number(d))
            }
        }
    }

    fn string(&mut self, depth: u32) -> String {
        match self.below(if depth == 0 { 3 } else { 6 }) {
            0 => "A$".into(),
            1 => "\"TEXT, :MORE\"".into(),
            2 => "NAME$".into(),
            3 => format!("B$({})", self.number(0)),
            4 => format!("A$({},{})", self.number(0), self.number(0)),
            _ => format!(
                "{}({})",
                self.pick(&["STR$", "CHR$"]),
                self.number(depth - 1)
            ),
        }
    }

    fn statement(&mut self) -> String {
        let (a, b, c, d) = (
            self.number(2),
            self.number(1),
            self.number(0),
            self.number(0),
        );
        let (s, t) = (self.string(1), self.string(1));
        match self.below(24) {
            0 => format!("X={a}"),
            1 => format!("LET W({c},{d})={b}"),
            2 => format!("A$={s}"),
            3 => format!("B$({c},{d})={s}"),
            4 => format!("PRINT {a};{s},{b}"),
            5 => format!("? #{c};{s};"),
            6 => format!("FOR I={a} TO {b} STEP {c}"),
            7 => format!("POKE {a},{b}"),
            8 => format!("ON {a} GOTO {c},{d}"),
            9 => format!("ON {b} GOSUB {c}"),
            10 => format!("IF {a} THEN {}", self.below(32_000)),
            11 => format!("IF {a} THEN X={b}"),
            12 => format!("SOUND {a},{b},{c},{d}"),
            13 => format!("OPEN #{c},{d},{b},{s}"),
            14 => format!("XIO {c},#{d},{a},{b},{t}"),
            15 => format!("DIM V({c}),W({a},{b}),A$({d})"),
            16 => format!("LOCATE {a},{b},X"),
            17 => format!("INPUT #{c},A$,X"),
            18 => format!("GET #{a},X:PUT #{b},{c}"),
            19 => format!("SETCOLOR {a},{b},{c}:PLOT {c},{d}:DRAWTO {a},{b}"),
            20 => format!("LIST {s},{c},{d}"),
            21 => format!("TRAP {a}:RESTORE {b}:GOSUB {c}"),
            22 => "READ A$,X,Y1:NEXT IX".into(),
            _ => format!("POSITION {a},{b}:LPRINT {s};{c}"),
        }
    }
}

#[test]
fn generated_lines_become_the_hosts_tokens() {
    let mut dice = Dice(1984);
    for _ in 0..8 {
        let mut listing = Vec::new();
        let mut number = 1;
        while number < 260 {
            let line = format!("{number} {}:{}\n", dice.statement(), dice.statement());
            // the line buffer holds 255 characters, and so does a line's length byte
            if line.len() <= 110 && Program::tokenize(line.as_bytes()).is_ok() {
                listing.extend(atascii(&line));
                number += 1;
            }
        }
        compare_with_host(&listing);
    }
}

#[test]
fn lines_in_any_order_are_sorted_replaced_and_deleted() {
    let mut dice = Dice(99);
    for _ in 0..3 {
        let mut listing = String::new();
        for _ in 0..320 {
            let number = 1 + dice.below(150);
            match dice.below(5) {
                0 => writeln!(listing, "{number}").unwrap(),
                1 => writeln!(listing, "{number} REM {}", "X".repeat(dice.below(100))).unwrap(),
                _ => writeln!(listing, "{number} X={}", dice.number(2)).unwrap(),
            }
        }
        compare_with_host(&atascii(&listing));
    }
}

/// Lines put together from words at random: the ROM refuses those that the host refuses, with the text kept in the line.
#[test]
fn random_lines_are_refused_as_by_the_host() {
    const WORDS: [&str; 64] = [
        "PRINT ", "? ", "A", "B$", "C(", "(", ")", ",", ";", ":", "=", "<", ">", "+", "-", "*",
        "/", "^", "NOT ", " AND ", " OR ", "1", "2.5", "1E3", "\"S\"", "FOR ", " TO ", " STEP ",
        "NEXT ", "IF ", " THEN ", "GOTO ", "GOSUB ", "ON ", "LET ", "DIM ", "READ ", "DATA ",
        "INPUT ", "#1", "#", "OPEN ", "CLOSE ", "GET ", "PUT ", "POKE ", "PEEK(", "LEN(", "STR$(",
        "CHR$(", "USR(", "SIN(", "RND(", "REM ", "GR.", "SE.", "SO.", "L.", " ", "LIST ", "STOP",
        "END", "SIN", "$",
    ];
    let mut dice = Dice(7);
    for _ in 0..3 {
        let mut atari = ready();
        let mut listing = String::new();
        for number in 1..250 {
            listing += &number.to_string();
            listing.push(' ');
            if dice.below(2) == 0 {
                listing += &dice.statement();
            }
            for _ in 0..=dice.below(5) {
                listing += dice.pick(&WORDS);
            }
            listing.push('\n');
        }
        let lines: Vec<_> = listing.lines().collect();
        type_lines(&mut atari, "NEW");
        for part in lines.chunks(40) {
            set_file(&mut atari, &atascii(&format!("{}\n", part.join("\n"))));
            type_lines(&mut atari, "ENTER \"M:\"");
        }
        let machine = &atari.machine;
        let mut at = machine.peek_word(0x88);
        for (line, number) in lines.iter().zip(1u16..) {
            if line.trim().parse::<u16>().is_ok() {
                continue; // a number by itself stores nothing
            }
            assert_eq!(machine.peek_word(at), number, "{line}");
            let refused = machine.peek(at + 4) == 0x37;
            assert_eq!(
                refused,
                Program::tokenize(line.as_bytes()).is_err(),
                "{line:?}"
            );
            at += u16::from(machine.peek(at + 2));
        }
    }
}

#[test]
fn lines_are_inserted_replaced_and_deleted() {
    let mut atari = ready();
    type_lines(
        &mut atari,
        "NEW\n20 ? 2\n10 ? 1\n30 ? 3\n20 ? \"TWO\"\n30\n5 REM\n5\n40 X=\nLIST \"M:\"",
    );
    let text = String::from_utf8_lossy(&file(&atari)).replace('\u{FFFD}', "\n");
    assert!(
        text.starts_with("10 ? 1\n20 ? \"TWO\"\n40 ERROR-   X="),
        "{text}"
    );
    type_lines(&mut atari, "RUN");
    assert!(
        atari.text().contains("ERROR-   17 AT LINE 40"),
        "{}",
        atari.text()
    );
}

#[test]
fn syntax_errors_leave_no_variables() {
    let mut atari = ready();
    type_lines(&mut atari, "NEW\nA=1\nB=2+\nC$=3\nD=4");
    let machine = &atari.machine;
    let names: Vec<_> = (machine.peek_word(0x82)..machine.peek_word(0x84))
        .map(|at| machine.peek(at))
        .collect();
    assert_eq!(names, [b'A' | 0x80, b'D' | 0x80]);
}

/// The name of a function is not a variable's: refused at entry by BASIC as by the host.
#[test]
fn the_name_of_a_function_is_refused_at_entry() {
    let mut atari = ready();
    for line in [
        "10 X=RND*10",
        "10 DIM STR$(5)",
        "10 PRINT SIN$(10)",
        "10 LEN=5",
        "10 FOR INT=1 TO 5",
        "10 DIM SIN(5)",
    ] {
        assert!(Program::tokenize(atascii(line).as_slice()).is_err());
        type_lines(&mut atari, "NEW\nPRINT CHR$(125)");
        type_lines(&mut atari, line);
        assert!(atari.text().contains("ERROR-"), "{line}:\n{}", atari.text());
    }
    for line in [
        "10 SINE=LENGTH+INT1",
        "10 DIM STRING$(5),CHR(3),STR(2)",
        "10 X=RND (0)",
        "10 STR=VALUE",
    ] {
        assert!(Program::tokenize(atascii(line).as_slice()).is_ok());
        type_lines(&mut atari, "NEW\nPRINT CHR$(125)");
        type_lines(&mut atari, line);
        assert!(
            !atari.text().contains("ERROR-"),
            "{line}:\n{}",
            atari.text()
        );
    }
}
