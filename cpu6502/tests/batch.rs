//! Batches of whole instructions against single steps: the same state, the same memory, the same accesses of chips in the same cycles.

use cpu6502::{BatchBus, Bus, Cpu};
use proptest::prelude::*;
use std::ops::Range;

/// 64K of which a part is chips. A chip's answer depends on when it is asked, and its accesses move the IRQ line.
#[derive(Clone, PartialEq, Debug)]
struct Board {
    ram: Vec<u8>,
    irq: bool,
    cycle: u64,
    /// The length of the run.
    most: u32,
    /// Cycle, address and data of each access of a chip.
    log: Vec<(u64, u16, u8)>,
}

impl Board {
    fn in_run(&self, left: u32) -> u64 {
        self.cycle + u64::from(self.most - left - 1)
    }

    fn chip(&mut self, cycle: u64, address: u16, data: Option<u8>) -> u8 {
        let answer = (cycle as u8).wrapping_mul(73) ^ address as u8;
        let data = data.unwrap_or(answer);
        self.log.push((cycle, address, data));
        self.irq = data & 3 == 0;
        data
    }
}

const CHIPS: Range<u16> = 0xD000..0xD800;
const JAM: u8 = 0x02;

impl Bus for Board {
    fn read(&mut self, address: u16) -> u8 {
        let cycle = self.cycle;
        self.cycle += 1;
        if CHIPS.contains(&address) {
            self.chip(cycle, address, None)
        } else {
            self.ram[usize::from(address)]
        }
    }

    fn write(&mut self, address: u16, data: u8) {
        let cycle = self.cycle;
        self.cycle += 1;
        if CHIPS.contains(&address) {
            self.chip(cycle, address, Some(data));
        } else if address < 0xE000 {
            self.ram[usize::from(address)] = data;
        }
    }

    fn irq(&self) -> bool {
        self.irq
    }
}

impl BatchBus for Board {
    const CHIPS: Range<u16> = CHIPS;

    fn memory(&self, address: u16) -> u8 {
        assert!(!CHIPS.contains(&address), "{address:04X} is a chip's");
        self.ram[usize::from(address)]
    }

    fn opcode(&self, address: u16) -> u8 {
        if CHIPS.contains(&address) {
            JAM
        } else {
            self.memory(address)
        }
    }

    fn leaves_memory(next: u16) -> bool {
        (CHIPS.start..CHIPS.start + 3).contains(&next)
    }

    fn operand_byte(&self, address: u16) -> u8 {
        self.memory(address.wrapping_add(1))
    }

    fn operand_word(&self, address: u16) -> u16 {
        u16::from_le_bytes([1, 2].map(|offset| self.memory(address.wrapping_add(offset))))
    }

    fn read_chip(&mut self, left: u32, address: u16) -> (u8, bool) {
        let irq = self.irq;
        let data = self.chip(self.in_run(left), address, None);
        (data, irq == self.irq)
    }

    fn write_leaving(&mut self, left: u32, address: u16, data: u8) -> bool {
        let irq = self.irq;
        if CHIPS.contains(&address) {
            self.chip(self.in_run(left), address, Some(data));
        } else if address < 0xE000 {
            self.ram[usize::from(address)] = data;
        }
        irq == self.irq
    }
}

struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u8 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1);
        (self.0 >> 56) as u8
    }
}

/// Runs both for some thousand cycles; returns how many of them were run as batch instructions.
fn compare(mut cpu: Cpu, ram: Vec<u8>, irq: bool, noise: &mut Noise) -> u64 {
    let board = Board {
        ram,
        irq,
        cycle: 0,
        most: 0,
        log: Vec::new(),
    };
    let mut batch = board.clone();
    let mut single = board;
    let mut other = cpu.clone();
    let mut run = 0;
    for _ in 0..400 {
        match noise.next() {
            0..8 => {
                cpu.nmi();
                other.nmi();
            }
            n @ 8..24 => {
                batch.irq = n & 1 != 0;
                single.irq = n & 1 != 0;
            }
            _ => {}
        }
        let most = u32::from(noise.next() & 31);
        (batch.most, single.most) = (most, most);
        let before = cpu.clone();
        let cycles = most - cpu.run(&mut batch, most);
        assert!(cycles <= most, "{cycles} of {most} cycles");
        if cycles == 0 {
            assert!(cpu == before, "nothing was run, and something changed");
            cpu.step(&mut batch);
            other.step(&mut single);
        } else {
            batch.cycle += u64::from(cycles);
            run += u64::from(cycles);
            for _ in 0..cycles {
                other.step(&mut single);
            }
        }
        assert_eq!(cpu, other, "from {before:?}");
        assert_eq!(batch.log, single.log, "from {before:?}");
        if cpu.is_jammed() {
            let pc = cpu.pc.wrapping_add(1);
            cpu.set_pc(pc);
            other.set_pc(pc);
        }
    }
    assert!(batch == single, "memory");
    run
}

fn cpu(pc: u16, registers: [u8; 5]) -> Cpu {
    let mut cpu = Cpu::new();
    cpu.set_pc(pc);
    let [a, x, y, s, p] = registers;
    (cpu.a, cpu.x, cpu.y, cpu.s) = (a, x, y, s);
    cpu.set_p(p);
    cpu
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_programs_end_as_single_steps_do(seed: u64, pc: u16, registers: [u8; 5], irq: bool) {
        let mut noise = Noise(seed);
        let ram = (0..0x10000).map(|_| noise.next()).collect();
        compare(cpu(pc, registers), ram, irq, &mut noise);
    }

    /// Half of all high bytes lead to the chips and their neighbours.
    #[test]
    fn programs_that_reach_for_chips_end_as_single_steps_do(seed: u64, registers: [u8; 5], irq: bool) {
        let mut noise = Noise(seed);
        let ram = (0..0x10000)
            .map(|_| match noise.next() {
                n @ 0..40 => 0xCF + n % 10,
                n @ 40..140 => [0x8D, 0x9D, 0xBD, 0xAD, 0xEE, 0x91, 0xB1, 0x20, 0x6C, 0x60][usize::from(n % 10)],
                n => n,
            })
            .collect();
        compare(cpu(0xCFF0, registers), ram, irq, &mut noise);
    }
}

#[test]
fn every_opcode_ends_as_single_steps_do() {
    let mut noise = Noise(1);
    for opcode in 0..=255u8 {
        for _ in 0..60 {
            let mut ram: Vec<u8> = (0..0x10000).map(|_| noise.next()).collect();
            let pc = u16::from_le_bytes([noise.next(), noise.next()]);
            ram[usize::from(pc)] = opcode;
            let registers = [(); 5].map(|()| noise.next());
            compare(cpu(pc, registers), ram, false, &mut noise);
        }
    }
}

#[test]
fn a_loop_without_chips_is_run_in_batches() {
    let mut ram = vec![0; 0x10000];
    let program = [0xEE, 0x00, 0x41, 0xA5, 0x84, 0x45, 0x85, 0x4C, 0x00, 0x20];
    ram[0x2000..0x200A].copy_from_slice(&program);
    let mut board = Board {
        ram,
        irq: false,
        cycle: 0,
        most: 0,
        log: Vec::new(),
    };
    let mut cpu = cpu(0x2000, [0; 5]);
    board.most = 1000;
    let cycles = 1000 - cpu.run(&mut board, 1000);
    assert!((994..=1000).contains(&cycles), "{cycles} of 1000 cycles");
}
