//! Speed of BASIC: the benchmark programs of the magazines, and single statements.
//!
//! Times are emulated seconds on an NTSC machine with the text screen on. Revision C's are those that the public tables of the same
//! programs give. The table of this run is written below the target folder as `basic-speed.tsv`.
use std::fmt::Write as _;

use machine::{Model, Tv};
use tests::Atari;

/// Frames in a second.
const RATE: f64 = 59.9227;

/// Seconds from RUN to READY.
fn seconds(listing: &str) -> f64 {
    let mut atari = Atari::with_basic(
        &tests::config(Model::Xl800, Tv::Ntsc, true),
        format!("1 POKE 18,0:POKE 19,0:POKE 20,0\n{listing}\n9999 POKE 1536,PEEK(20):POKE 1537,PEEK(19):POKE 1538,PEEK(18)\n")
            .as_bytes(),
    );
    atari.type_text("RUN\n");
    assert!(atari.wait_for_key(60_000), "{}", atari.text());
    assert!(!atari.text().contains("ERROR"), "{}", atari.text());
    let byte = |at| f64::from(atari.machine.peek(at));
    (byte(1536) + 256.0 * byte(1537) + 65536.0 * byte(1538)) / RATE
}

/// Name, program, seconds of revision C.
const BENCHMARKS: &[(&str, &str, f64)] = &[
    (
        "ahl",
        "10 FOR N=1 TO 100:A=N\n20 FOR I=1 TO 10:A=SQR(A):R=R+RND(1):NEXT I\n30 FOR I=1 TO 10:A=A^2:R=R+RND(1):NEXT I\n40 S=S+A:NEXT N",
        404.0,
    ),
    (
        "sieve",
        "10 DIM F$(8191):F$=\"1\":F$(8191)=\"1\":F$(2)=F$:C=0\n20 FOR I=0 TO 8190\n30 IF F$(I+1,I+1)=\"0\" THEN 80\n40 P=I+I+3:K=I+P\n\
         50 IF K>8190 THEN 70\n60 F$(K+1,K+1)=\"0\":K=K+P:GOTO 50\n70 C=C+1\n80 NEXT I\n90 IF C<>1899 THEN ? \"ERROR\"",
        314.6,
    ),
    ("rugg 1", "10 FOR K=1 TO 1000\n20 NEXT K", 2.3),
    (
        "rugg 3",
        "10 K=0\n20 K=K+1\n30 A=K/K*K+K-K\n40 IF K<1000 THEN 20",
        20.7,
    ),
    (
        "rugg 4",
        "10 K=0\n20 K=K+1\n30 A=K/2*3+4-5\n40 IF K<1000 THEN 20",
        24.2,
    ),
    (
        "rugg 6",
        "10 K=0\n15 DIM M(5)\n20 K=K+1\n30 A=K/2*3+4-5\n40 GOSUB 820\n50 FOR L=1 TO 5\n60 NEXT L\n70 IF K<1000 THEN 20\n80 GOTO 9999\n820 RETURN",
        43.3,
    ),
    (
        "rugg 7",
        "10 K=0\n15 DIM M(5)\n20 K=K+1\n30 A=K/2*3+4-5\n40 GOSUB 820\n50 FOR L=1 TO 5\n55 M(L)=A\n60 NEXT L\n70 IF K<1000 THEN 20\n80 GOTO 9999\n820 RETURN",
        65.3,
    ),
];

/// Statements, each run 500 times in a loop; the loop itself is taken away.
const STATEMENTS: &[&str] = &[
    "A=1",
    "A=B",
    "A=B+C",
    "A=B*C",
    "A=B/C",
    "A=B^2",
    "A=-B",
    "A=B=C",
    "A=B AND C",
    "A=INT(B)",
    "A=SQR(B)",
    "A=SIN(B)",
    "A=ATN(B)",
    "A=EXP(B)",
    "A=LOG(C)",
    "A=RND(0)",
    "A=PEEK(1536)",
    "A=LEN(A$)",
    "A=ASC(A$)",
    "A=VAL(\"12\")",
    "A=ADR(A$)",
    "A=STICK(0)",
    "A=V(3)",
    "A=W(3,4)",
    "A=A$=B$",
    "V(3)=B",
    "W(3,4)=B",
    "A$=\"HELLO\"",
    "A$=B$",
    "A$(3,3)=B$",
    "A$(LEN(A$))=CHR$(65)",
    "A$=STR$(B)",
    "POKE 1536,B",
    "IF B THEN",
    "IF 0 THEN 9998",
    "GOSUB 9000",
    "GOTO 500",
    "ON 2 GOTO 9000,500",
    "RESTORE",
    "RESTORE 9010:READ A",
    "POSITION 2,2",
    "SOUND 0,121,10,8",
    "SETCOLOR 2,9,4",
    "COLOR 1",
    "TRAP 9000",
    "REM",
    "? #3;B",
    "A=USR(1540)",
];

#[test]
fn nothing_is_slower_than_revision_c() {
    let mut table = String::from("program\trevision C\tthis BASIC\n");
    let mut slow = String::new();
    for &(name, program, revision_c) in BENCHMARKS {
        let took = seconds(program);
        writeln!(table, "{name}\t{revision_c:.1}\t{took:.1}").unwrap();
        if took > revision_c {
            writeln!(slow, "{name}: {took:.1} s, revision C {revision_c:.1} s").unwrap();
        }
    }
    let run = |statement: &str| {
        let body = match statement {
            "IF B THEN" => "400 IF B THEN 500".to_owned(),
            other => format!("400 {other}"),
        };
        seconds(&format!(
            "5 DIM A$(20),B$(20),V(5),W(5,5):A$=\"ABCDE\":B$=\"FGHIJ\":B=3:C=7:POKE 1540,104:POKE 1541,96:OPEN #3,8,0,\"E:\":POKE 752,1\n\
             10 FOR I=1 TO 500\n{body}\n500 NEXT I\n510 GOTO 9999\n9000 RETURN\n9010 DATA 1,2,3"
        ))
    };
    let empty = run("REM");
    for &statement in STATEMENTS {
        let took = (run(statement) - empty) / 500.0 * 1000.0;
        writeln!(table, "{statement}\t\t{took:.2} ms").unwrap();
    }
    eprintln!("{table}");
    tests::write_result("basic-speed.tsv", &table);
    assert!(slow.is_empty(), "{slow}");
}
