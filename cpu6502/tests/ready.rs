//! RDY and the state between cycles: a processor stopped, copied or saved in any cycle continues as if nothing happened.

mod common;

use common::{Board, ORIGIN};
use cpu6502::Cpu;

/// A situation for an opcode: indexes that do and do not cross pages, both outcomes of each branch, decimal mode.
fn situations(opcode: u8) -> Vec<(Cpu, Board)> {
    let mut situations = Vec::new();
    for index in [0x00, 0x03, 0xFF] {
        for p in [0x00, 0xCB] {
            let mut board = Board::new(&[opcode, 0xC0, 0x50]);
            for (address, byte) in board.ram.iter_mut().enumerate().take(0x200) {
                *byte = (address as u8).wrapping_mul(7) | 0x10;
            }
            let mut cpu = common::start();
            (cpu.a, cpu.x, cpu.y, cpu.s) = (0x5A, index, index, 0x80);
            cpu.set_p(p);
            situations.push((cpu, board));
        }
    }
    situations
}

const CYCLES: usize = 14;

#[test]
fn ready_low_for_one_to_three_cycles_anywhere_stops_reads_only_and_changes_nothing() {
    for opcode in 0..=255u8 {
        for (cpu, board) in situations(opcode) {
            let (mut plain, mut expected) = (cpu.clone(), board.clone());
            for _ in 0..CYCLES {
                plain.step(&mut expected);
            }
            for low_from in 0..CYCLES {
                for low_for in 1..=3 {
                    let (mut cpu, mut board) = (cpu.clone(), board.clone());
                    let mut clock = 0;
                    let mut stopped = 0;
                    let mut passed = 0;
                    while board.log.len() < CYCLES {
                        let low = (low_from..low_from + low_for).contains(&clock);
                        clock += 1;
                        if low && !cpu.next_is_write() {
                            stopped += 1;
                            continue;
                        }
                        passed += usize::from(low);
                        let (write, address) = (cpu.next_is_write(), cpu.next_address());
                        cpu.step(&mut board);
                        let access = board.log.last().expect("a step makes an access");
                        assert_eq!(
                            (access.write, access.address),
                            (write, address),
                            "{opcode:02X}: as announced"
                        );
                        assert_eq!(
                            board.log.len(),
                            clock - stopped,
                            "{opcode:02X}: one access a step"
                        );
                    }
                    assert!(
                        cpu == plain && board == expected,
                        "{opcode:02X}: low from {low_from} for {low_for}"
                    );
                    // While RDY is low writes pass, up to the first read.
                    let writes = expected.log[low_from..]
                        .iter()
                        .take_while(|access| access.write)
                        .count();
                    assert_eq!(
                        passed,
                        writes.min(low_for),
                        "{opcode:02X}: low from {low_from} for {low_for}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_processor_saved_and_loaded_in_any_cycle_goes_on_equally() {
    let config = bincode::config::standard();
    for opcode in 0..=255u8 {
        for (cpu, board) in situations(opcode) {
            let (mut plain, mut expected) = (cpu.clone(), board.clone());
            let (mut saved, mut found) = (cpu, board);
            for _ in 0..CYCLES {
                plain.step(&mut expected);
                let bytes = bincode::serde::encode_to_vec(&saved, config)
                    .expect("a processor can be encoded");
                (saved, _) =
                    bincode::serde::decode_from_slice(&bytes, config).expect("and decoded");
                saved.step(&mut found);
            }
            assert!(saved == plain && found == expected, "{opcode:02X}");
        }
    }
}

#[test]
fn set_pc_starts_an_instruction_from_any_cycle() {
    for opcode in 0..=255u8 {
        for (cpu, board) in situations(opcode) {
            for cycles in 0..CYCLES {
                let (mut cpu, mut board) = (cpu.clone(), board.clone());
                for _ in 0..cycles {
                    cpu.step(&mut board);
                }
                cpu.set_pc(ORIGIN + 0x80);
                assert!(cpu.at_instruction_start());
                board.log.clear();
                cpu.step(&mut board);
                assert_eq!(board.log[0].address, ORIGIN + 0x80);
            }
        }
    }
}
