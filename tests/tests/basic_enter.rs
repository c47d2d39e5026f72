//! Speed at which BASIC takes a listing: ENTER of 500 lines.
use tests::basic::{atascii, ready, set_file, type_lines};

/// Frames in a second.
const RATE: f64 = 59.9227;

/// Fifty lines for each of ten kinds.
fn listing() -> Vec<u8> {
    let kinds = [
        "PRINT \"LINE \";A;B$",
        "A=A+1:B=INT(RND(0)*10)",
        "IF A>10 AND B<5 THEN 100",
        "FOR I=1 TO 10:NEXT I",
        "POKE 752,1:SOUND 0,100,10,8",
        "GOSUB 1000:GOTO 20",
        "B$(LEN(B$)+1)=CHR$(A+65)",
        "C=PEEK(53770)+256*PEEK(20)",
        "REM A REMARK OF A LINE",
        "DATA 1,2,3,FOUR,5",
    ];
    let lines: Vec<String> = (0..500)
        .map(|i| format!("{} {}\n", 10 + i * 10, kinds[i % 10]))
        .collect();
    let text = lines.concat();
    atascii(text.trim_end())
}

/// Before the names were searched in one pass, and each line from the one before it, it took 20.9 s.
#[test]
fn enter_takes_500_lines_quickly() {
    let mut atari = ready();
    type_lines(&mut atari, "DIM B$(100)");
    let mut file = listing();
    file.push(0x9B);
    set_file(&mut atari, &file);
    atari.type_text("ENTER \"M:\"\n");
    let start = atari.frames;
    assert!(atari.wait_for_key(3000), "{}", atari.text());
    let seconds = f64::from(atari.frames - start) / RATE;
    println!("ENTER of 500 lines: {seconds:.2} s");
    assert!(seconds < 15.0, "{seconds} s");
    type_lines(&mut atari, "LIST 4990");
    assert!(
        atari.text().contains("4990 REM A REMARK OF A LINE"),
        "{}",
        atari.text()
    );
}
