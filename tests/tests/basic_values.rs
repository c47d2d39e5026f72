//! Values that BASIC calculates, prints and refuses, and its speed, each on the whole machine with our OS.
use std::fmt::Write as _;

use tests::basic::printed;

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
        // T: where to continue; a failing statement must not have side effects on the rest
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
