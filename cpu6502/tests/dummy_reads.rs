//! Dummy reads: the byte is not used. A read that is named one may give any byte without effect; each other read can be told by its effect.

mod common;

use common::{Board, ORIGIN, start};
use cpu6502::opcodes::{OPCODES, Operation};
use cpu6502::{Bus, Cpu};

/// Runs of each opcode, with other registers and memory.
const RUNS: u64 = 64;

/// A number from a seed (Knuth's MMIX).
fn random(seed: &mut u64) -> u8 {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 40) as u8
}

/// A board that gives another byte in one cycle.
struct Faulty<'a> {
    board: &'a mut Board,
    change: u8,
}

impl Bus for Faulty<'_> {
    fn read(&mut self, address: u16) -> u8 {
        self.board.read(address) ^ self.change
    }

    fn write(&mut self, address: u16, data: u8) {
        self.board.write(address, data);
    }

    fn irq(&self) -> bool {
        self.board.irq
    }
}

fn prepared(opcode: u8, seed: &mut u64) -> (Cpu, Board) {
    let mut board = Board::new(&[]);
    board.ram.fill_with(|| random(seed));
    board.ram[usize::from(ORIGIN)] = opcode;
    let mut cpu = start();
    (cpu.a, cpu.x, cpu.y, cpu.s) = (random(seed), random(seed), random(seed), random(seed));
    cpu.set_p(random(seed));
    (cpu, board)
}

/// One instruction.
struct Ran {
    /// Addresses, with the bytes that were written.
    accesses: Vec<(u16, Option<u8>)>,
    /// A, X, Y, S, P and the next address.
    registers: [u16; 6],
    /// The cycles that were said to read a byte without use.
    dummies: Vec<bool>,
}

impl Ran {
    /// Runs it; in cycle `faulty` another byte is read.
    fn new((cpu, board): &(Cpu, Board), faulty: usize, change: u8) -> Self {
        let (mut cpu, mut board) = (cpu.clone(), board.clone());
        let mut dummies = Vec::new();
        loop {
            let change = if dummies.len() == faulty { change } else { 0 };
            dummies.push(cpu.next_is_dummy_read());
            cpu.step(&mut Faulty {
                board: &mut board,
                change,
            });
            if cpu.at_instruction_start() {
                break;
            }
        }
        let accesses = board.log.iter();
        let accesses = accesses.map(|access| (access.address, access.write.then_some(access.data)));
        let [a, x, y, s, p] = [cpu.a, cpu.x, cpu.y, cpu.s, cpu.p()].map(u16::from);
        Self {
            accesses: accesses.collect(),
            registers: [a, x, y, s, p, cpu.next_address()],
            dummies,
        }
    }

    fn differs(&self, other: &Self) -> bool {
        (&self.accesses, self.registers) != (&other.accesses, other.registers)
    }
}

#[test]
fn a_read_is_named_a_dummy_if_its_byte_has_no_effect() {
    let mut seed = 1;
    for opcode in 0..=255u8 {
        if OPCODES[usize::from(opcode)].operation == Operation::Jam {
            continue;
        }
        // By cycle: a read whose byte counted, and one that was said to count.
        let mut counted = [false; 8];
        let mut said = [false; 8];
        for _ in 0..RUNS {
            let prepared = prepared(opcode, &mut seed);
            let plain = Ran::new(&prepared, usize::MAX, 0);
            for (cycle, &(_, written)) in plain.accesses.iter().enumerate().skip(1) {
                let dummy = plain.dummies[cycle];
                if written.is_some() {
                    assert!(!dummy, "{opcode:02X}: a write in cycle {cycle}");
                    continue;
                }
                let counts = plain.differs(&Ran::new(&prepared, cycle, random(&mut seed) | 1));
                assert!(
                    !(dummy && counts),
                    "{opcode:02X}: the byte of cycle {cycle} counts"
                );
                counted[cycle] |= counts;
                said[cycle] |= !dummy;
            }
        }
        assert_eq!(counted, said, "{opcode:02X}");
    }
}
