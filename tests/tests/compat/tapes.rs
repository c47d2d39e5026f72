//! A cassette as the program: booted, or loaded by BASIC, by itself.
use super::{DONE, FOUND};
use media::basic::Program;
use media::cas::{Block, Load, Tape};
use session::{Session, Setup};

/// Records of 128 bytes as the OS writes them: two bytes $55, kind, data, check sum (OS manual, cassette handler).
fn records(file: &[u8]) -> Vec<Vec<u8>> {
    let mut records: Vec<Vec<u8>> = file
        .chunks(128)
        .map(|part| {
            let mut data = part.to_vec();
            data.resize(128, 0);
            let kind = if part.len() == 128 {
                0xFC
            } else {
                data[127] = part.len() as u8;
                0xFA
            };
            record(kind, &data)
        })
        .collect();
    records.push(record(0xFE, &[0; 128]));
    records
}

fn record(kind: u8, data: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0x55, 0x55, kind];
    bytes.extend_from_slice(data);
    let sum = bytes.iter().fold(0u16, |sum, &byte| {
        let sum = sum + u16::from(byte);
        (sum & 0xFF) + (sum >> 8)
    });
    bytes.push(sum as u8);
    bytes
}

/// A tape with a leader of almost twenty seconds and short pauses, as CSAVE leaves them.
fn tape(file: &[u8]) -> Tape {
    let blocks = records(file).into_iter().enumerate();
    Tape {
        description: b"made by a test".to_vec(),
        blocks: blocks
            .map(|(number, bytes)| Block::Data {
                gap: if number == 0 { 19_200 } else { 260 },
                baud: 600,
                bytes,
            })
            .collect(),
    }
}

/// A tape as pulses in tenths of a millisecond.
fn pulses(tape: &Tape) -> Tape {
    let blocks = tape.blocks.iter().map(|block| {
        let Block::Data { gap, bytes, .. } = block else {
            return block.clone();
        };
        let bits = bytes.iter().flat_map(|&byte| {
            let bits = u16::from(byte) << 1 | 0x200;
            (0..10).map(move |bit| bits >> bit & 1 != 0)
        });
        let (mut pulses, mut level, mut told, mut time) = (Vec::new(), false, 0, 0);
        for bit in bits {
            if bit != level {
                let now = time * 10_000 / 600;
                pulses.push((now - told) as u16);
                (told, level) = (now, bit);
            }
            time += 1;
        }
        pulses.push((time * 10_000 / 600 - told) as u16);
        Block::Fsk { gap: *gap, pulses }
    });
    Tape {
        description: tape.description.clone(),
        blocks: blocks.collect(),
    }
}

fn session(tape: &Tape) -> Session {
    let setup = Setup::for_file("game.cas", &tape.to_bytes()).unwrap();
    Session::new(setup).unwrap()
}

fn runs_until(session: &mut Session, what: &str, there: impl Fn(&Session) -> bool) -> u64 {
    runs_within(6_000, session, what, there)
}

/// Number of frames until the condition holds.
fn runs_within(
    frames: u64,
    session: &mut Session,
    what: &str,
    there: impl Fn(&Session) -> bool,
) -> u64 {
    for frame in 0..frames {
        session.run_frame();
        if there(session) {
            return frame;
        }
    }
    panic!("{what}:\n{}", session.text());
}

/// Two records that are booted: one flag byte, number of records, address, INIT; then stops the motor, DONE, and stays.
fn boot_file() -> Vec<u8> {
    let mut file = vec![0x00, 0x02, 0x00, 0x07, 0x20, 0x07];
    // At $0706: LDA #$3C, STA PACTL, LDA #DONE, STA FOUND + 1, JMP to itself.
    file.extend([
        0xA9, 0x3C, 0x8D, 0x02, 0xD3, 0xA9, DONE, 0x8D, 0x01, 0x06, 0x4C, 0x10, 0x07,
    ]);
    file.resize(0x20, 0xEA);
    file.push(0x60);
    file.resize(256, 0xEA);
    file
}

#[test]
fn a_boot_tape_boots() {
    let tape = tape(&boot_file());
    assert_eq!(tape.load(), Load::Boot);
    for tape in [&tape, &pulses(&tape)] {
        let mut session = session(tape);
        runs_until(&mut session, "boot", |s| {
            s.machine().peek(FOUND + 1) == DONE
        });
    }
}

#[test]
fn a_basic_tape_is_loaded_and_run() {
    let program = Program::tokenize(b"10 PRINT \"FROM\";\" TAPE\"\n").unwrap();
    let tape = tape(&program.to_save());
    assert_eq!(tape.load(), Load::Cload);
    for tape in [&tape, &pulses(&tape)] {
        let mut session = session(tape);
        runs_until(&mut session, "CLOAD", |s| s.text().contains("FROM TAPE"));
    }
}

/// A tape of 40 blocks: what it holds takes as long as it takes, and a fixed number of frames that is too small for a long tape looks like a
/// failure.
#[test]
fn a_long_csave_tape_takes_the_time_that_its_blocks_take() {
    let remark = "LONG ".repeat(8);
    let lines = (10..120).map(|number| format!("{number} REM {remark}\n"));
    let mut listing: String = lines.collect();
    listing += "999 PRINT \"TO\";\" THE END\"\n";
    let saved = Program::tokenize(listing.as_bytes()).unwrap().to_save();
    let tape = tape(&saved);
    let blocks = tape.blocks.len() as u64;
    assert!((40..60).contains(&blocks), "{blocks} blocks");
    let mut session = session(&tape);
    let there = |s: &Session| s.text().contains("TO THE END");
    let taken = runs_within(20_000, &mut session, "CLOAD", there);
    // Leader of 19.2 s; each block 0.26 s and 132 bytes of ten bits at 600 baud.
    let tape_frames = (19_200 + (blocks - 1) * 260 + blocks * 132 * 10_000 / 600) * 60 / 1000;
    assert!(tape_frames > 6_000);
    assert!(
        (tape_frames..tape_frames + 400).contains(&taken),
        "{taken} frames, the tape alone {tape_frames}"
    );
}

#[test]
fn a_listing_on_tape_is_entered_and_run() {
    let tape = tape(b"10 PRINT \"FROM\";\" LIST\"\x9B");
    assert_eq!(tape.load(), Load::Enter);
    let mut session = session(&tape);
    runs_until(&mut session, "ENTER", |s| s.text().contains("FROM LIST"));
}

#[test]
fn what_csave_writes_is_read_by_cload_on_another_machine() {
    let setup = Setup {
        tape: Some(session::Mount {
            file: session::MediumFile {
                id: session::MediumId(0),
                name: "new.cas".into(),
            },
            medium: Tape::default(),
        }),
        record: true,
        ..Setup::default()
    };
    let mut first = Session::new(setup).unwrap();
    first
        .type_text("10 PRINT \"SAVED\";\" HERE\"\\nCSAVE\\n\\n")
        .unwrap();
    runs_until(&mut first, "CSAVE", |s| {
        s.untyped() == 0 && !s.machine().serial_busy() && s.text().matches("READY").count() >= 2
    });
    let tape = first.machine().tape().unwrap().clone();
    assert!(tape.blocks.len() >= 2, "{} blocks", tape.blocks.len());
    assert_eq!(tape.load(), Load::Cload);
    let mut second = session(&tape);
    runs_until(&mut second, "CLOAD", |s| s.text().contains("SAVED HERE"));
}
