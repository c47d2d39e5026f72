//! Saved states with right check sums and wrong contents: they load or do not, and those that load run.
use super::codec;
use super::container::{self, Chunk};
use super::{TAG_CPU, TAG_IO, TAG_REST, TAG_VIDEO};
use crate::host::HostReply;
use crate::memory::Noise;
use crate::{Config, Machine, Model, Tv};
use alloc::vec;
use alloc::vec::Vec;
use media::atr::{Blank, Disk};
use media::cas::{Block, Tape};

/// An OS that never rests: it writes rising values to all registers of all chips and reads them.
fn restless_os() -> Vec<u8> {
    let mut os = vec![0xEA; 0x4000];
    let start = 0x0100;
    let mut code = vec![0xD8, 0xA2, 0xFF, 0x9A, 0x58];
    for (port, value) in [
        (0xD20F, 0x73),
        (0xD20E, 0xFF),
        (0xD40E, 0xC0),
        (0xD303, 0x34),
        (0xD302, 0x34),
        (0xD400, 0x3E),
        (0xD01D, 0x03),
        (0xD20D, 0x31),
        (0xD209, 0x00),
    ] {
        let [low, high] = u16::to_le_bytes(port);
        code.extend([0xA9, value, 0x8D, low, high]);
    }
    let again = 0xC000 + start + code.len() as u16;
    // INC $80, LDX $80, LDA $81, STA $D200-, LDA $D0xx..., WSYNC now and then.
    code.extend([0xE6, 0x80, 0xA6, 0x80, 0xA5, 0x81, 0x65, 0x80, 0x85, 0x81]);
    for page in [0xD0, 0xD2, 0xD4] {
        code.extend([0x9D, 0x00, page, 0xBD, 0x00, page]);
    }
    let [low, high] = again.to_le_bytes();
    code.extend([0x4C, low, high]);
    os[usize::from(start)..][..code.len()].copy_from_slice(&code);
    // NMI: RTI; IRQ: IRQEN off and on, RTI.
    os[0x0200] = 0x40;
    let irq = [
        0x48, 0xA9, 0, 0x8D, 0x0E, 0xD2, 0xA9, 0xFF, 0x8D, 0x0E, 0xD2, 0x68, 0x40,
    ];
    os[0x0300..][..irq.len()].copy_from_slice(&irq);
    os[0x3FFA..].copy_from_slice(&[0x00, 0xC2, 0x00, 0xC1, 0x00, 0xC3]);
    os
}

fn machine() -> Machine {
    let mut machine = Machine::new(&Config {
        model: Model::Xe130,
        tv: Tv::Ntsc,
        os: restless_os().into(),
        basic: None,
        cartridge: None,
        second: None,
        seed: 5,
        extras: crate::Extras::default(),
    })
    .unwrap();
    machine.insert_disk(0, Disk::blank(Blank::Single));
    machine.insert_tape(Tape {
        description: Vec::new(),
        blocks: vec![
            Block::Data {
                gap: 5,
                baud: 600,
                bytes: vec![0x55, 1, 2],
            },
            Block::Fsk {
                gap: 1,
                pulses: vec![3, 4, 5],
            },
        ],
    });
    machine.attach_host(true);
    machine
}

/// Changes some numbers so that they can still be read: single bytes, and the longer numbers of the codec.
fn forge(data: &mut Vec<u8>, random: &mut Noise) {
    for _ in 0..=random.next() % 3 {
        let at = (random.next() as usize) % data.len();
        let value = random.next();
        match data[at] {
            length @ 251..=253 if data.len() - at > 8 => {
                let bytes = 2 << (length - 251);
                let kind = random.next() % 4;
                for (i, byte) in data[at + 1..=at + bytes].iter_mut().enumerate() {
                    *byte = match kind {
                        0 => 0xFF,
                        1 => 0,
                        2 => (value >> (8 * i)) as u8,
                        _ => byte.wrapping_add(u8::from(i == 0)),
                    };
                }
            }
            _ if value & 7 == 0 => {
                // One number of a byte becomes one of eight.
                let big = [u64::MAX, u64::MAX / 2, value, value >> 20][(value >> 60) as usize & 3];
                let mut long = vec![253];
                long.extend(big.to_le_bytes());
                data.splice(at..=at, long);
            }
            _ => data[at] = [value as u8, 0xFF, 250, 0, 1][(value >> 40) as usize % 5],
        }
    }
}

#[test]
fn forged_states_are_refused_or_run() {
    let rounds = 5_000;
    let mut source = machine();
    let mut other = machine();
    let mut random = Noise(7);
    let mut loaded = 0;
    let mut sound = Vec::new();
    for round in 0..rounds {
        source.run_cycles(random.next() % 4_000);
        let state = source.save_state();
        let (header, mut chunks) = container::read(&state, super::is_known).unwrap();
        let tag = [TAG_VIDEO, TAG_IO, TAG_IO, TAG_CPU, TAG_REST][round % 5];
        let chunk: &mut Chunk = chunks.iter_mut().find(|c| c.tag == tag).unwrap();
        if tag == TAG_IO && random.next() & 3 != 0 {
            // Not in the bytes of the disk, which mean nothing.
            let mut io: crate::Io = codec::decode(&chunk.data).unwrap();
            io.sio.eject_disk(0);
            chunk.data = codec::encode(&io).into();
        }
        forge(chunk.data.to_mut(), &mut random);
        if other.load_chunks(header, &chunks).is_err() {
            continue;
        }
        loaded += 1;
        other.run_cycles(random.next() % 40_000);
        other.answer_host(HostReply::status(1));
        other.input.key = Some(round as u8);
        other.run_cycles(30_000);
        other.draw_to_beam();
        sound.clear();
        other.take_sound(&mut sound);
        other.take_printed();
        let again = other.save_state();
        assert_eq!(other.load_state(&again), Ok(()), "round {round}");
    }
    assert!(loaded > rounds / 20, "only {loaded} states could be read");
}
