//! Facts about the BASIC ROM, each on the whole machine with our OS.
//!
//! Files go through a device `M:` of these tests: a small handler at $0480 that reads and writes RAM at $6000.
use std::fmt::Write as _;
use std::sync::OnceLock;

use machine::{Model, Tv};
use media::basic::Program;
use tests::Atari;

/// Where the handler keeps the file.
const FILE: u16 = 0x6000;
/// The word at which it keeps the end of the file.
const END: u16 = 0x00CD;

/// The handler: six entries minus 1, JMP init, a spare byte; OPEN at $0490, CLOSE $04A6, GET $04A9, PUT $04C2.
const HANDLER: [u8; 87] = [
    0x8F, 0x04, 0xA5, 0x04, 0xA8, 0x04, 0xC1, 0x04, 0xA5, 0x04, 0xA5, 0x04, 0x4C, 0xA6, 0x04, 0x00,
    0xA9, 0x00, 0x85, 0xCB, 0xA9, 0x60, 0x85, 0xCC, 0xA5, 0x2A, 0x29, 0x08, 0xF0, 0x08, 0xA9, 0x00,
    0x85, 0xCD, 0xA9, 0x60, 0x85, 0xCE, 0xA0, 0x01, 0x60, 0xA5, 0xCB, 0xC5, 0xCD, 0xA5, 0xCC, 0xE5,
    0xCE, 0xB0, 0x0C, 0xA0, 0x00, 0xB1, 0xCB, 0xE6, 0xCB, 0xD0, 0xEB, 0xE6, 0xCC, 0xD0, 0xE7, 0xA0,
    0x88, 0x60, 0xA0, 0x00, 0x91, 0xCB, 0xE6, 0xCB, 0xD0, 0x02, 0xE6, 0xCC, 0xA6, 0xCB, 0x86, 0xCD,
    0xA6, 0xCC, 0x86, 0xCE, 0xA0, 0x01, 0x60,
];

/// A machine at READY with the device `M:`.
fn ready() -> Atari {
    static READY: OnceLock<Atari> = OnceLock::new();
    READY
        .get_or_init(|| {
            let mut atari = Atari::new(&tests::config(Model::Xl800, Tv::Ntsc, true));
            assert!(atari.wait_for_key(600), "no READY:\n{}", atari.text());
            for (i, &byte) in HANDLER.iter().enumerate() {
                atari.machine.poke(0x0480 + i as u16, byte);
            }
            let free = (0..11)
                .map(|i| 0x031A + 3 * i)
                .find(|&at| atari.machine.peek(at) == 0)
                .unwrap();
            for (i, byte) in [b'M', 0x80, 0x04].into_iter().enumerate() {
                atari.machine.poke(free + i as u16, byte);
            }
            atari
        })
        .clone()
}

fn set_file(atari: &mut Atari, bytes: &[u8]) {
    for (i, &byte) in bytes.iter().enumerate() {
        atari.machine.poke(FILE + i as u16, byte);
    }
    let end = FILE + bytes.len() as u16;
    atari.machine.poke(END, end as u8);
    atari.machine.poke(END + 1, (end >> 8) as u8);
}

fn file(atari: &Atari) -> Vec<u8> {
    (FILE..atari.machine.peek_word(END))
        .map(|at| atari.machine.peek(at))
        .collect()
}

fn atascii(text: &str) -> Vec<u8> {
    text.bytes()
        .map(|b| if b == b'\n' { 0x9B } else { b })
        .collect()
}

/// Types lines; the machine then waits for the next key.
fn type_lines(atari: &mut Atari, text: &str) {
    for line in text.lines() {
        atari.type_text(&format!("{line}\n"));
        assert!(
            atari.wait_for_key(20_000),
            "no prompt after {line} (PC {:04X}):\n{}",
            atari.machine.cpu.pc,
            atari.text()
        );
    }
}

/// ENTERs a listing.
fn enter(atari: &mut Atari, listing: &[u8]) {
    set_file(atari, listing);
    type_lines(atari, "NEW\nENTER \"M:\"");
}

/// ENTERs a program, runs it and gives back what it printed on #1.
fn printed(listing: &str) -> String {
    let mut atari = ready();
    enter(
        &mut atari,
        &atascii(&format!("1 OPEN #1,8,0,\"M:\"\n{listing}\n")),
    );
    type_lines(&mut atari, "RUN");
    let text: String = file(&atari)
        .into_iter()
        .map(|b| if b == 0x9B { '\n' } else { char::from(b) })
        .collect();
    assert!(!text.is_empty(), "nothing was printed:\n{}", atari.text());
    text
}

/// The values of numeric or string expressions, one for each.
fn values(setup: &str, expressions: &[&str]) -> Vec<String> {
    let mut listing = format!("{setup}\n");
    for (i, expression) in expressions.iter().enumerate() {
        writeln!(listing, "{} ? #1;{expression}", 100 + 10 * i).unwrap();
    }
    printed(&listing).lines().map(String::from).collect()
}

fn check(setup: &str, table: &[(&str, &str)]) {
    let expressions: Vec<_> = table.iter().map(|t| t.0).collect();
    let got = values(setup, &expressions);
    let wanted: Vec<_> = table.iter().map(|t| t.1).collect();
    let pairs: Vec<_> = expressions.iter().zip(&got).collect();
    assert_eq!(got, wanted, "{pairs:?}");
}

#[test]
fn arithmetic_and_precedence() {
    check(
        "10 A=3:B=4:DIM A$(20),B$(20):A$=\"ABC\":B$=\"ABD\"",
        &[
            ("2+3*4-6/2", "11"),
            ("-2^2", "4"),
            ("2^3^2", "64"),
            ("NOT A=B", "1"),
            ("NOT A", "0"),
            ("NOT (NOT A)", "1"),
            ("-(-A)", "3"),
            ("A<B AND B<5 OR 0", "1"),
            ("1 OR 0 AND 0", "1"),
            ("A<=B;A>=B;A<>B;A<B;A>B;A=B", "101100"),
            ("A$<B$;A$=B$;A$>B$;A$<>B$;A$<=B$;A$>=B$", "100110"),
            ("-A$<B$", "-1"),
            ("2*A$<B$", "2"),
            ("(A=3)+(B=4)*2", "3"),
            ("1E10+1", "1E+10"),
            ("99999+1", "100000"),
            ("0.5+0.5", "1"),
            ("50+50", "100"),
            ("9999999999+9999999999", "1.99999999E+10"),
            ("1/3", "0.3333333333"),
            ("1-1", "0"),
            ("1.5-2", "-0.5"),
            ("0*-5", "0"),
            ("-0", "0"),
        ],
    );
}

#[test]
fn numeric_functions() {
    check(
        "10 DIM A$(10):A$=\"12.5X\"",
        &[
            ("INT(2.9);INT(-2.1);INT(-0.5);INT(-3);INT(0)", "2-3-1-30"),
            ("INT(1E20)", "1E+20"),
            ("ABS(-2.5);ABS(0);SGN(-3);SGN(0);SGN(7)", "2.50-101"),
            ("SQR(0);SQR(4);SQR(2);SQR(1E10)", "021.41421356100000"),
            ("2^8;10^3;3^0;0^0;0^2", "2561000110"),
            ("2^-1;(-2)^3;(-3)^2", "0.5-89"),
            ("EXP(0);LOG(1);CLOG(100)", "102"),
            ("INT(SIN(1)*1E8);INT(COS(1)*1E8)", "8414709854030230"),
            (
                "ATN(0);INT(ATN(1)*1E8);INT(ATN(-2)*1E8)",
                "078539816-110714872",
            ),
            ("LEN(A$);ASC(A$);VAL(A$);PEEK(43234)", "54912.5234"),
            ("STR$(1.5);CHR$(65);LEN(STR$(100))", "1.5A3"),
            ("STR$(1)=STR$(2);CHR$(1)=CHR$(2)", "00"),
            ("RND(0)<1;RND(1)>=0;RND(0)=RND(0)", "110"),
            ("STICK(0);STRIG(0);STRIG(1)", "1511"),
            (
                "FRE(0)=PEEK(741)+256*PEEK(742)-PEEK(144)-256*PEEK(145)",
                "1",
            ),
        ],
    );
}

#[test]
fn degrees_and_radians() {
    check(
        "10 DEG",
        &[
            ("SIN(0);SIN(90);SIN(180);SIN(270);SIN(360)", "010-10"),
            ("COS(0);COS(90);COS(180);COS(270);COS(360)", "10-101"),
            (
                "INT(SIN(30)*1E8+0.5);INT(COS(-60)*1E8+0.5)",
                "5000000050000000",
            ),
            ("SIN(-90);COS(-90);SIN(-450)", "-10-1"),
            ("ATN(1);ATN(-1);PEEK(251)", "45-456"),
        ],
    );
}

#[test]
fn strings() {
    check(
        "10 DIM A$(300),B$(5),C$(10):A$=\"X\":A$(300)=\"X\":A$(2)=A$:B$=\"ABCDEFG\":C$=\"ABCDEFGH\":C$(3,4)=\"12345\"",
        &[
            ("LEN(A$);A$(299)", "300XX"),
            ("B$;LEN(B$);B$(2,3);B$(5)", "ABCDE5BCE"),
            ("C$", "AB12EFGH"),
            ("ADR(B$)-ADR(A$)", "300"),
            ("B$(2)=\"BCDE\";B$<\"ABCDF\";\"\"<B$;B$>\"ABCD\"", "1111"),
            ("ASC(B$(3));LEN(B$(2));LEN(B$(3,3))", "6741"),
            ("PEEK(ADR(\"HELLO\")+4)", "79"),
            ("VAL(\"3E2\")+VAL(STR$(4))", "304"),
        ],
    );
    check(
        "10 DIM A$(10):A$=\"ABCDEF\":A$(3)=\"Z\"\n20 DIM B$(10):B$=\"12345\":B$(2,3)=\"\":DIM D$(10):D$=\"ABCDEFGH\":D$(2)=D$(4)",
        &[("A$;LEN(A$)", "ABZ3"), ("B$", "12345"), ("D$", "ADEFGH")],
    );
}

#[test]
fn arrays_hold_their_values() {
    let text = printed(
        "10 DIM M(3,4),V(300)\n20 FOR I=0 TO 3:FOR J=0 TO 4:M(I,J)=I*10+J:NEXT J:NEXT I\n30 FOR I=0 TO 300:V(I)=I:NEXT I\n\
         40 FOR I=0 TO 3:FOR J=0 TO 4:? #1;M(I,J);\",\";:NEXT J:NEXT I\n50 S=0:FOR I=0 TO 300:S=S+V(I):NEXT I:? #1;S\n60 V(M(1,2))=7:? #1;V(12);V(V(12))",
    );
    assert_eq!(
        text,
        "0,1,2,3,4,10,11,12,13,14,20,21,22,23,24,30,31,32,33,34,45150\n77\n"
    );
    check("10 DIM M(3,4):M(2,0)=7:M(0,2)=9", &[("M(2);M(0,2)", "79")]);
}

/// Each statement's error number; 0 for none.
#[test]
fn error_numbers() {
    let table = [
        ("X=PEEK(-1)", 3),
        ("POKE 65536,0", 3),
        ("POKE 1,256", 3),
        ("GOTO 32768", 7),
        ("GOTO 9", 12),
        ("RETURN", 16),
        ("NEXT I", 13),
        ("POP", 0),
        ("A$=\"A\"", 9),
        ("? #1;A$", 9),
        ("A(1)=1", 9),
        ("DIM B$(10),B$(10)", 9),
        ("DIM C$(0)", 9),
        ("? #1;B$(1)", 5),
        ("B$(0)=\"A\"", 5),
        ("B$(11)=\"A\"", 5),
        ("B$=\"ABC\":? #1;B$(2,1)", 5),
        ("? #1;B$(1,4)", 5),
        ("DIM D(3,4):D(4,0)=1", 9),
        ("D(0,5)=1", 9),
        ("D(3,4)=1", 0),
        ("DIM E(200,200)", 9),
        ("DIM F(90,90)", 2),
        ("DIM F$(32767),G$(9000)", 2),
        ("READ X", 6),
        ("X=1/0", 11),
        ("X=1E97*100", 11),
        ("X=LOG(0)", 3),
        ("X=SQR(-1)", 3),
        ("X=(-2)^0.5", 3),
        ("X=VAL(\"A\")", 18),
        ("OPEN #2,4,0,\"Q:\"", 130),
        ("OPEN #9,4,0,\"M:\"", 20),
        ("OPEN #1,4,0,\"M:\"", 129),
        ("? #2;1", 133),
        ("GET #0,X", 20),
        ("PUT #0,65", 20),
        ("? #0;", 0),
        ("GET #2,X", 133),
        ("SOUND 4,0,0,0", 3),
        ("SETCOLOR 5,0,0", 3),
        ("ON 256 GOTO 10", 3),
        ("ON 0 GOTO 10", 0),
        ("ON 2 GOTO 10", 0),
        ("TRAP 40000:TRAP T", 0),
        ("LOAD \"Q:\"", 130),
        ("XIO 99,#3,0,0,\"E:\"", 146),
        ("POSITION -1,0", 3),
        ("COLOR -1", 3),
    ];
    let mut listing = String::from("5 DIM E$(200)\n");
    let mut wanted = Vec::new();
    for (i, (statement, error)) in table.iter().enumerate() {
        let line = 100 + 10 * i;
        // T: where to go on; a failing statement must not have side effects on the rest
        let (run, next) = (line + 2, line + 4);
        writeln!(
            listing,
            "{line} T={next}:TRAP T:POKE 195,0
{run} {statement}"
        )
        .unwrap();
        writeln!(listing, "{next} TRAP 40000:? #1;PEEK(195);\" \";").unwrap();
        wanted.push(error.to_string());
    }
    let text = printed(&listing);
    let got: Vec<_> = text.split_whitespace().map(String::from).collect();
    let pairs: Vec<_> = table.iter().map(|t| t.0).zip(got.iter()).collect();
    assert_eq!(got, wanted, "{pairs:?}");
}

#[test]
fn loops_and_subroutines() {
    let text = printed(
        "10 FOR I=1 TO 3:FOR J=I TO 3 STEP 2:? #1;I;J;\" \";:NEXT J:NEXT I\n20 FOR I=3 TO 1 STEP -1:? #1;I;:NEXT I:? #1;I\n\
         30 FOR I=5 TO 1:? #1;\"ONCE\";:NEXT I\n40 GOSUB 200:ON 2 GOSUB 200,300:ON 3 GOTO 60,60,50\n50 FOR I=1 TO 5:IF I=3 THEN POP :GOTO 70\n55 NEXT I\n\
         60 ? #1;\"NO\"\n70 GOSUB 400:? #1;\"END\":END\n200 ? #1;\"A\";:RETURN\n300 FOR K=1 TO 9:IF K=2 THEN ? #1;\"B\";:RETURN\n310 NEXT K\n400 GOSUB 410:? #1;\"NO\"\n410 POP :RETURN",
    );
    assert_eq!(text, "11 13 22 33 3210\nONCEABEND\n");
}

#[test]
fn read_data_and_restore() {
    let text = printed(
        "10 DIM A$(20)\n20 READ A,A$:? #1;A;A$;PEEK(182):READ A$:? #1;\"[\";A$;\"]\"\n30 READ A$,B:? #1;A$;B:RESTORE 100:READ A,A$:? #1;A\n40 RESTORE :READ A:? #1;A\n\
         90 DATA 1,ONE, BLANK ,\"Q\"\n95 REM\n96 X=1:DATA 5\n100 DATA -1.5E2,\n",
    );
    assert_eq!(text, "1ONE2\n[ BLANK ]\n\"Q\"5\n-150\n1\n");
}

#[test]
fn print_tabs_and_separators() {
    let text = printed(
        "10 ? #1;1,2;3\n20 ? #1;\"ABCDEFGH\",\"X\"\n30 ? #1;\"ABCDEFGHI\",\"X\"\n40 ? #1;1;:? #1;2\n50 PRINT #1\n60 POKE 201,4:? #1;1,22,333,4",
    );
    assert_eq!(
        text,
        "1         23\nABCDEFGH  X\nABCDEFGHI           X\n12\n\n1   22  333     4\n"
    );
}

#[test]
fn usr_passes_words_and_returns_one() {
    // PLA count; PLA high, PLA low twice; adds the two words
    let text = printed(
        "10 FOR I=0 TO 20:READ A:POKE 1664+I,A:NEXT I\n20 ? #1;USR(1664,1000,234);\" \";USR(1664,USR(1664,1,2),65000)\n\
         30 DATA 104,104,133,213,104,133,212,104,170,104,24,101,212,133,212,138,101,213,133,213,96",
    );
    assert_eq!(text, "1234 65003\n");
}

#[test]
fn words_are_rounded_from_any_size_of_number() {
    // returns its one argument
    let text = printed(
        "10 FOR I=0 TO 7:READ A:POKE 1664+I,A:NEXT I:DATA 104,104,133,213,104,133,212,96\n20 FOR I=0 TO 65535 STEP 37\n\
         30 IF USR(1664,I)<>I THEN ? #1;I;\" \";\n40 NEXT I\n50 READ A:? #1;USR(1664,A);\" \";:IF A THEN 50\n\
         60 DATA 9999.5,65535,99.5,.5,59999.4,99.49,100.5,9999.49,10000,60000,.49,0\n70 FOR I=1 TO 5:READ A:TRAP 80:A=USR(1664,A):? #1;\"NO\"\n\
         80 ? #1;PEEK(195);:NEXT I:? #1\n90 DATA 65536,69999,70000,1E6,-1",
    );
    assert_eq!(
        text,
        "10000 65535 100 1 59999 99 101 9999 10000 60000 0 0 33333\n"
    );
}

#[test]
fn save_and_load_give_the_same_program() {
    let listing = atascii(
        "10 DIM A$(10):A$=\"HELLO\"\n20 FOR I=1 TO 3:? A$;I:NEXT I\n30 IF I>2 THEN ? \"X\":GOTO 50\n40 DATA 1,2\n50 END \n",
    );
    let mut atari = ready();
    enter(&mut atari, &listing);
    type_lines(&mut atari, "SAVE \"M:\"");
    let saved = file(&atari);
    let program = Program::parse_save(&saved).unwrap();
    let host = Program::tokenize(&listing).unwrap();
    assert_eq!(program.names, host.names);
    assert_eq!(program.lines, host.lines);
    type_lines(&mut atari, "NEW\nLOAD \"M:\"\nLIST \"M:\"");
    assert_eq!(file(&atari), listing);
    set_file(&mut atari, &saved);
    type_lines(&mut atari, "NEW\nRUN \"M:\"");
    assert!(
        atari.text().contains("HELLO3\nX\n") || atari.text().contains("HELLO3"),
        "{}",
        atari.text()
    );
    // Revision B writes pointers that grew by 16.
    let mut grown = saved.clone();
    for word in grown[2..14].chunks_exact_mut(2) {
        let value = u16::from_le_bytes([word[0], word[1]]) + 16;
        word.copy_from_slice(&value.to_le_bytes());
    }
    set_file(&mut atari, &grown);
    type_lines(&mut atari, "NEW\nLOAD \"M:\"\nLIST \"M:\"");
    assert_eq!(file(&atari), listing);
    set_file(&mut atari, b"JUNK");
    type_lines(&mut atari, "LOAD \"M:\"");
    assert!(atari.text().contains("ERROR-   136"), "{}", atari.text());
    set_file(&mut atari, &[1; 30]);
    type_lines(&mut atari, "LOAD \"M:\"");
    assert!(atari.text().contains("ERROR-   21"), "{}", atari.text());
}

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
                continue; // a number alone stores nothing
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

#[test]
fn break_stops_and_cont_goes_on() {
    let mut atari = ready();
    enter(
        &mut atari,
        &atascii("10 A=A+1:GOTO 10\n20 ? \"NOT HERE\"\n30 ? \"X\"\n"),
    );
    atari.type_text("RUN\n");
    atari.run(30);
    atari.machine.input.break_key = true;
    atari.run(3);
    atari.machine.input.break_key = false;
    assert!(atari.wait_for_key(60), "{}", atari.text());
    assert!(
        atari.text().contains("STOPPED AT LINE 10"),
        "{}",
        atari.text()
    );
    type_lines(&mut atari, "CONT");
    assert!(atari.text().contains("NOT HERE\n  X"), "{}", atari.text());
}

#[test]
fn reset_keeps_the_program() {
    let mut atari = ready();
    enter(&mut atari, &atascii("10 ? \"STILL HERE\"\n"));
    atari.machine.reset();
    atari.run(60);
    assert!(atari.wait_for_key(600), "{}", atari.text());
    type_lines(&mut atari, "RUN");
    assert!(atari.text().contains("STILL HERE"), "{}", atari.text());
}

#[test]
fn break_leaves_input_and_the_prompt() {
    let mut atari = ready();
    enter(&mut atari, &atascii("10 INPUT A\n20 ? \"NO\"\n"));
    atari.type_text("RUN\n");
    let press_break = |atari: &mut Atari| {
        atari.run(20);
        atari.machine.input.break_key = true;
        atari.run(3);
        atari.machine.input.break_key = false;
        assert!(atari.wait_for_key(60), "{}", atari.text());
    };
    press_break(&mut atari);
    assert!(
        atari.text().contains("STOPPED AT LINE 10"),
        "{}",
        atari.text()
    );
    press_break(&mut atari);
    type_lines(&mut atari, "? 6*7");
    assert!(atari.text().contains("\n  42"), "{}", atari.text());
}

#[test]
fn entered_lines_without_a_number_run_at_once_and_quietly() {
    let mut atari = ready();
    set_file(
        &mut atari,
        &atascii("10 ? \"TEN\"\n? \"NOW\"\nX=5\n20 ? X\n"),
    );
    type_lines(&mut atari, "NEW\nENTER \"M:\"");
    assert!(
        atari.text().contains("ENTER \"M:\"\n  NOW\n\n  READY"),
        "{}",
        atari.text()
    );
    type_lines(&mut atari, "GOTO 10");
    assert!(atari.text().contains("TEN\n  5"), "{}", atari.text());
}

#[test]
fn stop_and_end_can_be_continued_from_the_next_line() {
    let mut atari = ready();
    enter(
        &mut atari,
        &atascii("10 STOP :? \"NO\"\n20 ? \"A\":END\n30 ? \"B\"\n"),
    );
    type_lines(&mut atari, "RUN\nCONT\nCONT");
    assert!(
        atari.text().contains("CONT\n  A\n\n  READY\n  CONT\n  B"),
        "{}",
        atari.text()
    );
}

/// Times in frames, far below those of revision C (2.3 s, 20.7 s, 24.2 s for the first three).
#[test]
fn benchmarks_run_faster_than_revision_c() {
    let table = [
        ("20 FOR K=1 TO 1000\n30 NEXT K", 90),
        (
            "20 K=0\n30 K=K+1\n40 A=K/K*K+K-K\n50 IF K<1000 THEN 30",
            420,
        ),
        (
            "20 K=0\n30 K=K+1\n40 A=K/2*3+4-5\n50 IF K<1000 THEN 30",
            460,
        ),
        (
            "20 K=0:DIM M(5)\n30 K=K+1\n40 A=K/2*3+4-5\n50 GOSUB 300\n60 FOR L=1 TO 5\n70 M(L)=A\n80 NEXT L\n90 IF K<1000 THEN 30\n95 GOTO 400\n300 RETURN\n400 REM",
            1250,
        ),
    ];
    for (program, frames) in table {
        let text = printed(&format!(
            "10 POKE 18,0:POKE 19,0:POKE 20,0\n{program}\n500 ? #1;PEEK(19)*256+PEEK(20)"
        ));
        let taken: u32 = text.trim().parse().unwrap();
        assert!(taken < frames, "{taken} frames for {program}");
    }
}

#[test]
fn csave_and_cload_go_through_a_tape() {
    let mut atari = ready();
    enter(
        &mut atari,
        &atascii("10 ? \"FROM TAPE\"\n20 GOTO 30\n30 END \n"),
    );
    atari.machine.insert_tape(media::cas::Tape::default());
    atari.machine.press_record(true);
    // OPEN waits for a key
    type_lines(&mut atari, "CSAVE\n");
    atari.type_text("\n");
    assert!(
        atari.wait_for_text("CSAVE\n\n  READY", 3000),
        "{}",
        atari.text()
    );
    atari.machine.press_record(false);
    atari.machine.rewind_tape();
    type_lines(&mut atari, "NEW\nGRAPHICS 0\nCLOAD");
    atari.type_text("\n");
    assert!(
        atari.wait_for_text("CLOAD\n\n  READY", 3000),
        "{}",
        atari.text()
    );
    type_lines(&mut atari, "RUN");
    assert!(atari.text().contains("FROM TAPE"), "{}", atari.text());
}

/// BYE, and DOS when there is none: the self-test on the XL, the memo pad on the 800; RESET comes back to the program.
#[test]
fn bye_and_dos_leave_basic_and_reset_comes_back() {
    for (model, command) in [
        (Model::Xl800, "BYE"),
        (Model::Xl800, "DOS"),
        (Model::Atari800, "BYE"),
        (Model::Atari800, "DOS"),
    ] {
        let mut atari = Atari::new(&tests::config(model, Tv::Ntsc, true));
        assert!(atari.wait_for_key(900), "{}", atari.text());
        type_lines(&mut atari, "10 ? \"STILL HERE\"");
        atari.type_text(&format!("{command}\n"));
        atari.run(120);
        let text = atari.text();
        let left = if model.is_xl() {
            !text.contains("READY")
        } else {
            text.contains("MEMO PAD")
        };
        assert!(left, "{model:?} {command}:\n{text}");
        atari.machine.reset();
        atari.run(60);
        assert!(
            atari.wait_for_text("READY", 600),
            "{model:?} {command}:\n{}",
            atari.text()
        );
        type_lines(&mut atari, "RUN");
        assert!(
            atari.text().contains("STILL HERE"),
            "{model:?} {command}:\n{}",
            atari.text()
        );
    }
}

/// The end of the program that the head of the file tells lies above the screen.
#[test]
fn a_program_that_is_too_long_is_not_loaded() {
    let mut atari = ready();
    let mut bytes = Vec::new();
    for word in [0u16, 256, 256, 257, 257, 0xA000, 0xA010] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend([0; 40]);
    set_file(&mut atari, &bytes);
    type_lines(&mut atari, "NEW\nLOAD \"M:\"");
    assert!(atari.text().contains("ERROR-   19"), "{}", atari.text());
    type_lines(&mut atari, "? 6*7");
    assert!(atari.text().contains("\n  42"), "{}", atari.text());
}

#[test]
fn a_listing_goes_to_tape_and_is_entered_again() {
    let mut atari = ready();
    let lines = (1..30)
        .map(|i| format!("{} PRINT \"LINE\";{i}:REM ................\n", i * 10))
        .collect::<Vec<_>>()
        .concat();
    enter(&mut atari, &atascii(&lines));
    atari.machine.insert_tape(media::cas::Tape::default());
    atari.machine.press_record(true);
    type_lines(&mut atari, "GRAPHICS 0\nLIST \"C:\"");
    atari.type_text("\n");
    assert!(
        atari.wait_for_text("LIST \"C:\"\n\n  READY", 6000),
        "{}",
        atari.text()
    );
    atari.machine.press_record(false);
    atari.machine.rewind_tape();
    type_lines(&mut atari, "NEW\nGRAPHICS 0\nENTER \"C:\"");
    atari.type_text("\n");
    assert!(
        atari.wait_for_text("ENTER \"C:\"\n\n  READY", 6000),
        "{}",
        atari.text()
    );
    type_lines(&mut atari, "LIST \"M:\"");
    assert_eq!(file(&atari), atascii(&lines));
}
