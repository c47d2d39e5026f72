//! C: of both OSes by calls, with the recorder at the other end, and the cassette boot.

use machine::{Model, Tv};
use media::cas::{Block, Tape};
use tests::calls::{Os, Registers};
use tests::{Atari, config};

/// A record as it stands on the tape, with its checksum.
fn record(control: u8, data: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0x55, 0x55, control];
    bytes.extend(data);
    bytes.resize(131, 0);
    let sum = bytes.iter().fold(0u16, |sum, &byte| {
        let sum = sum + u16::from(byte);
        (sum & 0xFF) + (sum >> 8)
    });
    bytes.push(sum as u8);
    bytes
}

/// A tape with a leader of 20 seconds; `gap` in milliseconds between the records.
fn tape(records: &[Vec<u8>], gap: u16, baud: u16) -> Tape {
    let blocks = records.iter().enumerate().map(|(i, bytes)| Block::Data {
        gap: if i == 0 { 20_000 } else { gap },
        baud,
        bytes: bytes.clone(),
    });
    Tape {
        description: Vec::new(),
        blocks: blocks.collect(),
    }
}

/// 200 bytes in two records and the end of the file.
fn file() -> (Vec<u8>, [Vec<u8>; 3]) {
    let data: Vec<u8> = (0..200u8).map(|i| i.wrapping_mul(37)).collect();
    let mut part = data[128..].to_vec();
    part.resize(127, 0);
    part.push(72);
    let records = [
        record(0xFC, &data[..128]),
        record(0xFA, &part),
        record(0xFE, &[]),
    ];
    (data, records)
}

const MODELS: [Model; 2] = [Model::Xl800, Model::Atari800];

fn os(model: Model, tv: Tv) -> Os {
    Os::new(&config(model, tv, false))
}

/// The key that C: waits for after its beeps, already pressed.
fn key(os: &mut Os) {
    os.poke(0x02FC, &[0x0C]);
}

/// A CIO command on IOCB 1 with up to a minute of Atari time: status and A.
fn cio(os: &mut Os, command: u8, a: u8) -> (u8, u8) {
    os.poke(0x0352, &[command]);
    os.poke(0x0358, &[0, 0]);
    let registers = Registers {
        a,
        x: 16,
        ..Registers::default()
    };
    let after = os.try_call(0xE456, registers, 3600).unwrap();
    (after.y, after.a)
}

/// Opens C: with AUX1 and AUX2.
fn open(os: &mut Os, aux: [u8; 2]) -> u8 {
    key(os);
    os.poke(0x0600, b"C:\x9B");
    os.poke(0x0354, &[0x00, 0x06]);
    os.poke(0x035A, &aux);
    cio(os, 3, 0).0
}

fn get(os: &mut Os) -> (u8, u8) {
    cio(os, 7, 0)
}

fn close(os: &mut Os) -> u8 {
    cio(os, 12, 0).0
}

fn reads_back(model: Model, tv: Tv, baud: u16, gap: u16, aux2: u8) {
    let (data, records) = file();
    let mut os = os(model, tv);
    os.machine.insert_tape(tape(&records, gap, baud));
    assert_eq!(open(&mut os, [4, aux2]), 1);
    for (i, &byte) in data.iter().enumerate() {
        assert_eq!(get(&mut os), (1, byte), "byte {i} at {baud} baud");
    }
    assert_eq!(get(&mut os).0, 136, "end of file at {baud} baud");
    assert_eq!(get(&mut os).0, 136, "still the end");
    assert_eq!(close(&mut os), 1);
    assert_eq!(os.peek(0xD302) & 8, 8, "motor off");
}

#[test]
fn a_file_is_read_with_long_gaps() {
    for model in MODELS {
        reads_back(model, Tv::Ntsc, 600, 3_200, 0);
        reads_back(model, Tv::Pal, 600, 3_200, 0);
    }
}

#[test]
fn a_file_is_read_with_short_gaps() {
    for model in MODELS {
        reads_back(model, Tv::Ntsc, 600, 260, 128);
        reads_back(model, Tv::Pal, 600, 260, 128);
    }
}

#[test]
fn the_speed_is_that_of_the_tape() {
    for baud in [450, 570, 630, 800] {
        reads_back(Model::Xl800, Tv::Ntsc, baud, 500, 128);
    }
    // The 10K ROM has no room to measure it: it reads at the speed in CBAUDL, as far as the receiver bears.
    for baud in [585, 615] {
        reads_back(Model::Atari800, Tv::Ntsc, baud, 500, 128);
    }
}

#[test]
fn a_wrong_checksum_is_told() {
    for model in MODELS {
        let (_, mut records) = file();
        records[0][50] ^= 4;
        let mut os = os(model, Tv::Ntsc);
        os.machine.insert_tape(tape(&records, 3_200, 600));
        assert_eq!(open(&mut os, [4, 0]), 1);
        assert_eq!(get(&mut os).0, 143);
    }
}

#[test]
fn break_ends_the_wait_for_a_record() {
    for model in MODELS {
        let mut os = os(model, Tv::Ntsc);
        os.machine.insert_tape(Tape::default());
        assert_eq!(open(&mut os, [4, 0]), 1);
        os.machine.input.break_key = true;
        assert_eq!(get(&mut os).0, 128);
    }
}

#[test]
fn reading_or_writing_but_not_both() {
    for model in MODELS {
        let mut os = os(model, Tv::Ntsc);
        assert_eq!(open(&mut os, [12, 0]), 146);
        assert_eq!(open(&mut os, [0, 0]), 146);
    }
}

/// Writes the file and returns the blocks of the tape.
fn written(model: Model, tv: Tv, aux2: u8) -> Vec<Block> {
    let (data, _) = file();
    let mut os = os(model, tv);
    os.machine.insert_tape(Tape::default());
    os.machine.press_record(true);
    assert_eq!(open(&mut os, [8, aux2]), 1);
    for &byte in &data {
        assert_eq!(cio(&mut os, 11, byte).0, 1);
    }
    assert_eq!(close(&mut os), 1);
    os.machine.eject_tape().unwrap().blocks
}

#[test]
fn a_file_is_written_with_leader_gaps_and_checksums() {
    for model in MODELS {
        let (_, records) = file();
        for (tv, aux2, gaps) in [
            (Tv::Ntsc, 0, 2_900..3_500),
            (Tv::Ntsc, 128, 200..500),
            (Tv::Pal, 0, 2_900..4_300),
        ] {
            let blocks = written(model, tv, aux2);
            assert_eq!(blocks.len(), 3);
            for (i, (block, record)) in blocks.iter().zip(&records).enumerate() {
                let Block::Data { gap, baud, bytes } = block else {
                    panic!("pulses");
                };
                // 1 / (2 * 1491) of the clock: 600 on NTSC, 594 on PAL.
                assert!((592..=602).contains(baud), "{baud} baud");
                assert_eq!(&bytes[..3], &record[..3], "record {i}");
                if i == 0 {
                    assert!(*gap > 19_000, "leader of {gap} ms");
                    assert_eq!(bytes, record);
                } else {
                    assert!(gaps.contains(gap), "gap of {gap} ms");
                    assert_eq!(bytes.len(), 132);
                }
            }
            let Block::Data { bytes, .. } = &blocks[1] else {
                panic!("pulses");
            };
            assert_eq!((&bytes[3..75], bytes[130]), (&records[1][3..75], 72));
        }
    }
}

#[test]
fn a_program_boots_from_cassette_with_start_held() {
    for model in MODELS {
        // Loads to $4000: header, init at $4020 (RTS), run at $4006: DOSVEC = $4030, CLC, RTS; $4030 writes $A5 to $06FF.
        let mut data = vec![0; 256];
        data[..6].copy_from_slice(&[0, 2, 0x00, 0x40, 0x20, 0x40]);
        data[6..16].copy_from_slice(&[0xA9, 0x30, 0x85, 0x0A, 0xA9, 0x40, 0x85, 0x0B, 0x18, 0x60]);
        data[0x20] = 0x60;
        data[0x30..0x38].copy_from_slice(&[0xA9, 0xA5, 0x8D, 0xFF, 0x06, 0x4C, 0x35, 0x40]);
        data[255] = 0x77;
        let records = [
            record(0xFC, &data[..128]),
            record(0xFC, &data[128..]),
            record(0xFE, &[]),
        ];
        let mut atari = Atari::new(&config(model, Tv::Ntsc, false));
        atari.machine.insert_tape(tape(&records, 260, 600));
        atari.machine.input.start = true;
        atari.run(120);
        atari.machine.input.start = false;
        atari.machine.input.key = Some(0x0C);
        atari.run(10);
        atari.machine.input.key = None;
        for _ in 0..40 {
            atari.run(60);
            if atari.machine.peek(0x06FF) == 0xA5 {
                break;
            }
        }
        assert_eq!(atari.machine.peek(0x06FF), 0xA5, "{}", atari.text());
        assert_eq!(atari.machine.peek(0x40FF), 0x77);
        assert_eq!(atari.machine.peek(0x09), 2, "BOOT?");
        assert_eq!(atari.machine.peek_word(0x02), 0x4020, "CASINI");
    }
}

#[test]
fn basic_saves_to_tape_and_loads_it_again() {
    for model in MODELS {
        let listing = b"10 REM TAPE\n20 FOR I=1 TO 3\n30 PRINT I;\" \";SQR(I)\n40 NEXT I\n";
        let config = config(model, Tv::Ntsc, true);
        let mut atari = Atari::with_basic(&config, listing);
        atari.machine.insert_tape(Tape::default());
        atari.machine.press_record(true);
        // RETURN answers the beeps.
        atari.type_text("CSAVE\n\n");
        assert!(atari.wait_for_key(3600), "{}", atari.text());
        assert_eq!(atari.text().matches("READY").count(), 2, "{}", atari.text());
        let tape = atari.machine.eject_tape().unwrap();
        assert!(tape.blocks.len() >= 2, "{} records", tape.blocks.len());

        let mut atari = Atari::new(&config);
        assert!(atari.wait_for_key(600));
        atari.machine.insert_tape(tape);
        atari.type_text("CLOAD\n\n");
        assert!(atari.wait_for_key(3600), "{}", atari.text());
        atari.type_text("LIST\nRUN\n");
        assert!(atari.wait_for_text("3 1.7320508", 600), "{}", atari.text());
        assert!(
            atari.text().contains("30 PRINT I;\" \";SQR(I)"),
            "{}",
            atari.text()
        );
    }
}
