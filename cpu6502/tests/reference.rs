//! The processor against a plain interpreter on random programs.

mod common;

use common::reference::Reference;
use common::{Board, instruction};
use cpu6502::{Cpu, flags};
use proptest::prelude::*;

/// 64K of noise from a seed.
fn noise(mut seed: u64) -> Vec<u8> {
    (0..0x10000)
        .map(|_| {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 56) as u8
        })
        .collect()
}

fn pair(ram: Vec<u8>, pc: u16, registers: [u8; 5]) -> (Cpu, Board, Reference) {
    let [a, x, y, s, p] = registers;
    let mut board = Board::new(&[]);
    board.ram.clone_from(&ram);
    let mut cpu = Cpu::new();
    cpu.set_pc(pc);
    (cpu.a, cpu.x, cpu.y, cpu.s) = (a, x, y, s);
    cpu.set_p(p);
    let (n, v, d, i, z, c) = (false, false, false, false, false, false);
    let mut reference = Reference {
        pc,
        a,
        x,
        y,
        s,
        n,
        v,
        d,
        i,
        z,
        c,
        ram,
    };
    reference.set_status(p);
    (cpu, board, reference)
}

/// One instruction on both; false for a JAM.
fn compare(cpu: &mut Cpu, board: &mut Board, reference: &mut Reference) -> bool {
    let (pc, opcode) = (reference.pc, reference.ram[usize::from(reference.pc)]);
    let Some(cycles) = reference.instruction() else {
        return false;
    };
    let taken = instruction(cpu, board);
    assert_eq!(taken as u32, cycles, "{opcode:02X} at {pc:04X}: cycles");
    let found = (cpu.pc, cpu.a, cpu.x, cpu.y, cpu.s, cpu.p());
    let status = reference.status() | flags::U;
    let expected = (
        reference.pc,
        reference.a,
        reference.x,
        reference.y,
        reference.s,
        status,
    );
    assert_eq!(found, expected, "{opcode:02X} at {pc:04X}: registers");
    for access in board.log.drain(..).filter(|access| access.write) {
        let (found, expected) = (
            board.ram[access.address as usize],
            reference.ram[access.address as usize],
        );
        assert_eq!(
            found, expected,
            "{opcode:02X} at {pc:04X}: memory {:04X}",
            access.address
        );
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_programs_run_alike(seed: u64, pc: u16, registers: [u8; 5]) {
        let (mut cpu, mut board, mut reference) = pair(noise(seed), pc, registers);
        for _ in 0..2000 {
            if !compare(&mut cpu, &mut board, &mut reference) {
                // Over the JAM.
                reference.pc = reference.pc.wrapping_add(1);
                cpu.set_pc(reference.pc);
            }
        }
        prop_assert!(board.ram == reference.ram);
    }

    #[test]
    fn every_opcode_runs_alike_with_random_operands(seed: u64, registers: [u8; 5]) {
        let ram = noise(seed);
        let (mut cpu, mut board, mut reference) = pair(ram, 0, registers);
        for opcode in 0..=255u8 {
            let pc = (seed >> 16) as u16 ^ u16::from(opcode).wrapping_mul(0x0193);
            board.ram[pc as usize] = opcode;
            reference.ram[pc as usize] = opcode;
            cpu.set_pc(pc);
            reference.pc = pc;
            compare(&mut cpu, &mut board, &mut reference);
        }
        prop_assert!(board.ram == reference.ram);
    }
}

#[test]
fn decimal_arithmetic_agrees_for_all_operands() {
    for (opcode, a, value, carry) in (0..=1u8)
        .flat_map(|op| (0..=255u8).flat_map(move |a| (0..=255u8).map(move |value| (op, a, value))))
        .flat_map(|(op, a, value)| (0..=1u8).map(move |carry| (0x69 + op * 0x80, a, value, carry)))
    {
        let mut ram = vec![0; 16];
        (ram[0], ram[1]) = (opcode, value);
        let mut reference = Reference {
            pc: 0,
            a,
            x: 0,
            y: 0,
            s: 0,
            n: false,
            v: false,
            d: true,
            i: false,
            z: false,
            c: carry == 1,
            ram,
        };
        reference.instruction();
        let mut board = Small([opcode, value]);
        let mut cpu = Cpu::new();
        cpu.set_pc(0);
        cpu.a = a;
        cpu.set_p(flags::D | carry);
        cpu.step(&mut board);
        cpu.step(&mut board);
        assert_eq!(
            (cpu.a, cpu.p()),
            (reference.a, reference.status()),
            "{opcode:02X} {a:02X} {value:02X} {carry}"
        );
    }
}

struct Small([u8; 2]);

impl cpu6502::Bus for Small {
    fn read(&mut self, address: u16) -> u8 {
        self.0[address as usize & 1]
    }
    fn write(&mut self, _: u16, _: u8) {}
    fn irq(&self) -> bool {
        false
    }
}
