//! SAP files, played by our program: each type's calls and notes, songs, keys, time, two POKEYs, and what is refused.
use machine::{SoundChange, Tv};
use session::{Session, Setup};

/// Frames from the start of the player until a tune's note is heard for sure.
const STARTED: usize = 25;

/// A SAP file: its tags, and segments of address and bytes.
fn file(tags: &str, segments: &[(u16, &[u8])]) -> Vec<u8> {
    let mut file = b"SAP\r\n".to_vec();
    for tag in tags.lines() {
        file.extend(tag.trim().bytes());
        file.extend(b"\r\n");
    }
    file.extend([0xFF, 0xFF]);
    for (start, bytes) in segments {
        file.extend(start.to_le_bytes());
        file.extend((start + bytes.len() as u16 - 1).to_le_bytes());
        file.extend(*bytes);
    }
    file
}

fn start(file: &[u8]) -> Session {
    let mut session = Session::new(Setup::for_file("tune.sap", file).unwrap()).unwrap();
    for _ in 0..600 {
        if session.machine().program_started() {
            break;
        }
        session.run_frame();
    }
    run(&mut session, STARTED);
    session
}

fn run(session: &mut Session, frames: usize) {
    for _ in 0..frames {
        session.run_frame();
    }
}

/// The frequency of the only channel that sounds, in Hz, from the changes of its level in a second.
fn note(session: &mut Session, second: bool) -> f64 {
    let mut changes: Vec<SoundChange> = Vec::new();
    let mut other = Vec::new();
    let mut covox = Vec::new();
    session.take_sound(&mut changes);
    session.take_added_sound(&mut other, &mut covox);
    changes.clear();
    other.clear();
    let rate = session.machine().config().tv.frame_rate();
    run(session, 50);
    session.take_sound(&mut changes);
    session.take_added_sound(&mut other, &mut covox);
    let changes = if second { other } else { changes };
    changes.len() as f64 / 2.0 / (50.0 / rate)
}

/// The frequency of AUDF at the clock of 64 kHz.
fn wanted(audf: u8, tv: Tv) -> f64 {
    let clock = if tv == Tv::Pal {
        1_773_447.0
    } else {
        1_789_772.5
    };
    clock / 28.0 / 2.0 / (f64::from(audf) + 1.0)
}

fn assert_note(session: &mut Session, audf: u8) {
    let tv = session.machine().config().tv;
    let (found, wanted) = (note(session, false), wanted(audf, tv));
    assert!(
        (found - wanted).abs() < wanted / 50.0 + 1.0,
        "{found:.1} Hz, wanted {wanted:.1}"
    );
}

/// INIT at $2000: the song's note on channel 1. PLAYER at $2020 counts in $2100.
fn routine() -> Vec<(u16, Vec<u8>)> {
    let init = vec![
        0xAA, 0xBD, 0x40, 0x20, 0x8D, 0x00, 0xD2, 0xA9, 0xA8, 0x8D, 0x01, 0xD2, 0x60,
    ];
    let play = vec![0xEE, 0x00, 0x21, 0xD0, 0x03, 0xEE, 0x01, 0x21, 0x60];
    vec![
        (0x2000, init),
        (0x2020, play),
        (0x2040, vec![100, 60, 200]),
        (0x2100, vec![0, 0]),
    ]
}

fn segments(all: &[(u16, Vec<u8>)]) -> Vec<(u16, &[u8])> {
    all.iter().map(|(at, bytes)| (*at, &bytes[..])).collect()
}

const B: &str = "AUTHOR \"A. Composer\"\nNAME \"Three Notes\"\nDATE \"2026\"\nSONGS 3\nDEFSONG 1\nTYPE B\nINIT 2000\nPLAYER 2020\nTIME 00:03.000\nTIME 01:02.500\nTIME 12:34";

#[test]
fn a_tune_of_type_b_plays_its_songs_and_shows_title_and_time() {
    let mut session = start(&file(B, &segments(&routine())));
    assert_eq!(session.machine().config().tv, Tv::Pal);
    assert!(!session.setup().program.joystick);
    assert_note(&mut session, 60);
    let text = session.text();
    for shown in [
        "Three Notes",
        "A. Composer",
        "2026",
        "SONG 002/003",
        "TIME 00:01 / 01:03",
    ] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    // The player is called in each frame.
    let before = session.machine().peek_word(0x2100);
    run(&mut session, 100);
    assert_eq!(session.machine().peek_word(0x2100) - before, 100);
    // The cursor keys choose songs, once for each press.
    for (key, audf, shown) in [
        (0x87, 200, "SONG 003/003   TIME 00:00 / 12:34"),
        (0x87, 100, "SONG 001/003   TIME 00:00 / 00:03"),
        (0x86, 200, "SONG 003/003"),
        (0x07, 100, "SONG 001/003"),
    ] {
        session.controls().key = Some(key);
        run(&mut session, 20);
        session.controls().key = None;
        run(&mut session, 5);
        assert!(
            session.text().contains(shown),
            "{key:02X}: {}",
            session.text()
        );
        assert_note(&mut session, audf);
    }
}

#[test]
fn fastplay_and_ntsc_say_how_often_the_player_is_called() {
    for (tags, tv, calls) in [
        ("", Tv::Pal, 200),
        ("\nFASTPLAY 156", Tv::Pal, 400),
        ("\nFASTPLAY 78", Tv::Pal, 800),
        ("\nFASTPLAY 105", Tv::Pal, 594),
        ("\nFASTPLAY 624", Tv::Pal, 100),
        ("\nNTSC", Tv::Ntsc, 200),
        ("\nNTSC\nFASTPLAY 131", Tv::Ntsc, 400),
        ("\nNTSC\nFASTPLAY 312", Tv::Ntsc, 168),
    ] {
        let mut session = start(&file(&format!("{B}{tags}"), &segments(&routine())));
        assert_eq!(session.machine().config().tv, tv, "{tags}");
        let before = session.machine().peek_word(0x2100);
        run(&mut session, 200);
        let found = session.machine().peek_word(0x2100) - before;
        assert!(found.abs_diff(calls) <= 1, "{tags}: {found}");
    }
}

#[test]
fn a_tune_of_type_c_is_called_as_the_chaos_music_composer_is() {
    // +3: STA $2100,X of the calls; $70 has the address in X and Y, 0 the song in X. +6 counts.
    let mut code = vec![0x60, 0xEA, 0xEA, 0x4C, 0x10, 0x30, 0x4C, 0x30, 0x30];
    code.resize(0x10, 0xEA);
    // CMP #$70, BNE, STX $2100, STY $2101, RTS; STA $2102, STX $2103, LDA #60, STA $D200, LDA #$A8, STA $D201, RTS
    code.extend([
        0xC9, 0x70, 0xD0, 0x07, 0x8E, 0x00, 0x21, 0x8C, 0x01, 0x21, 0x60,
    ]);
    code.extend([
        0x8D, 0x02, 0x21, 0x8E, 0x03, 0x21, 0xA9, 60, 0x8D, 0, 0xD2, 0xA9, 0xA8, 0x8D, 1, 0xD2,
        0x60,
    ]);
    code.resize(0x30, 0xEA);
    code.extend([0xEE, 0x04, 0x21, 0x60]);
    let tags = "TYPE C\nPLAYER 3000\nMUSIC 4567\nSONGS 5\nDEFSONG 4";
    let mut session = start(&file(tags, &[(0x3000, &code), (0x2100, &[0xEE; 5])]));
    let cells: Vec<u8> = (0x2100..0x2104)
        .map(|at| session.machine().peek(at))
        .collect();
    assert_eq!(cells, [0x67, 0x45, 0, 4]);
    assert_note(&mut session, 60);
    let before = session.machine().peek(0x2104);
    run(&mut session, 100);
    assert_eq!(session.machine().peek(0x2104).wrapping_sub(before), 100);
}

#[test]
fn a_tune_of_type_d_runs_on_a_dark_screen_and_its_player_beside_it() {
    // INIT does not return: it counts in $2100 with interrupts on. PLAYER counts in $2102.
    let init = [
        0x8D, 0x04, 0x21, 0xEE, 0x00, 0x21, 0xD0, 0xFB, 0xEE, 0x01, 0x21, 0x4C, 0x03, 0x20,
    ];
    let play = [
        0xEE, 0x02, 0x21, 0xA9, 100, 0x8D, 0, 0xD2, 0xA9, 0xA8, 0x8D, 1, 0xD2, 0x60,
    ];
    let data: [(u16, &[u8]); 3] = [(0x2000, &init), (0x2020, &play), (0x2100, &[0; 5])];
    let tags = "NAME \"Samples\"\nTYPE D\nINIT 2000\nPLAYER 2020\nSONGS 2\nDEFSONG 1";
    let mut session = start(&file(tags, &data));
    assert!(session.text().contains("Samples"), "{}", session.text());
    run(&mut session, 100);
    assert_eq!(session.machine().peek(0x2104), 1);
    assert_note(&mut session, 100);
    let at = |session: &Session| [0x2100, 0x2102].map(|cell| session.machine().peek_word(cell));
    let before = at(&session);
    run(&mut session, 100);
    let now = at(&session);
    assert_eq!((now[1] - before[1]) & 0xFF, 100);
    // 9 cycles a round of 35,568 in a frame, of which refresh takes 9 in each line: no display takes any.
    let rounds = now[0].wrapping_sub(before[0]);
    assert!(
        (100 * 3540..100 * 3640).contains(&(u32::from(rounds) + 5 * 0x10000)),
        "{rounds}"
    );
    session.controls().key = Some(0x87);
    run(&mut session, 10);
    session.controls().key = None;
    run(&mut session, 120);
    assert_eq!(session.machine().peek(0x2104), 0, "the next song");
}

#[test]
fn a_dump_of_type_r_sets_the_registers_frame_by_frame() {
    let mut dump = Vec::new();
    for audf in [100, 60] {
        for frame in 0..300u16 {
            let other = (frame / 100) as u8;
            dump.extend([audf, 0xA8, other, 0, 0, 0, 0, 0, 0]);
        }
    }
    for mark in [&b"\r\n"[..], b"\xFF\xFF", b"\r\n\xFF\xFF"] {
        let mut sap = b"SAP\r\nTYPE R\r\n".to_vec();
        sap.extend(mark);
        sap.extend(&dump);
        let mut session = start(&sap);
        assert_note(&mut session, 100);
        run(&mut session, 260);
        assert_note(&mut session, 60);
        // After its end it plays again.
        run(&mut session, 240);
        assert_note(&mut session, 100);
    }
}

#[test]
fn a_tune_in_stereo_has_a_second_pokey() {
    let mut dump = Vec::new();
    for _ in 0..200 {
        dump.extend([
            100, 0xA8, 0, 0, 0, 0, 0, 0, 0, 50, 0xA8, 0, 0, 0, 0, 0, 0, 0,
        ]);
    }
    let mut sap = b"SAP\r\nTYPE R\r\nSTEREO\r\n\r\n".to_vec();
    sap.extend(&dump);
    let mut session = start(&sap);
    assert!(session.machine().config().extras.stereo);
    assert_note(&mut session, 100);
    let right = note(&mut session, true);
    assert!((right - wanted(50, Tv::Pal)).abs() < 15.0, "{right}");
}

#[test]
fn the_player_goes_where_the_tune_has_nothing() {
    let all = routine();
    for taken in [0x0700..0x1F00u16, 0x2200..0xBFFF, 0x3000..0xBC00] {
        let fill = vec![0x60; taken.len()];
        let mut data = segments(&all);
        data.insert(0, (taken.start, &fill));
        let mut session = start(&file(B, &data));
        assert_note(&mut session, 60);
        assert!(session.text().contains("Three Notes"), "{taken:?}");
        let kept = taken
            .clone()
            .filter(|&at| session.machine().peek(at) != 0x60)
            .count();
        assert_eq!(kept, 0, "{taken:?}");
    }
}

#[test]
fn what_is_not_played_gets_one_sentence() {
    let all = routine();
    let data = segments(&all);
    let full = vec![0; 0xBFFF - 0x0700];
    let high = [0u8; 4];
    let cases: [(Vec<u8>, &str); 11] = [
        (file("TYPE S\nINIT 2000", &data), "of SAP type S"),
        (file("TYPE BB", &data), "of SAP type BB"),
        (file("INIT 2000", &data), "it has no TYPE"),
        (file("TYPE B\nPLAYER 2020", &data), "it has no INIT"),
        (
            file("TYPE B\nINIT 2000\nPLAYER x", &data),
            "its PLAYER is not an address",
        ),
        (
            file("TYPE B\nINIT 2000\nPLAYER 2020\nSONGS 0", &data),
            "its SONGS is not a number from 1",
        ),
        (
            file("TYPE B\nINIT 2000\nPLAYER 2020\nDEFSONG 1", &data),
            "its DEFSONG is not one of",
        ),
        (
            file("TYPE B\nINIT 2000\nPLAYER 2020\nFASTPLAY 0", &data),
            "its FASTPLAY is 0",
        ),
        (
            file("TYPE B\nINIT 2000\nPLAYER 2020", &[(0xD800, &high)]),
            "loads to $D800",
        ),
        (
            file("TYPE B\nINIT 2000\nPLAYER 2020", &[(0x0700, &full)]),
            "no memory for a player",
        ),
        (b"SAP\r\nTYPE B\r\n".to_vec(), "no data follow its text"),
    ];
    for (bytes, wanted) in cases {
        let error = Setup::for_file("x.sap", &bytes).unwrap_err().to_string();
        assert!(
            error.contains(wanted) && error.lines().count() == 1,
            "{error}"
        );
    }
}
