//! A bare board for tests: 64K of RAM, an IRQ line, and a record of the bus.
#![allow(dead_code, reason = "each test program uses a part of it")]

use cpu6502::{Bus, Cpu};

pub mod reference;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub address: u16,
    pub data: u8,
    pub write: bool,
}

#[derive(Clone, PartialEq)]
pub struct Board {
    pub ram: Vec<u8>,
    pub irq: bool,
    pub log: Vec<Access>,
}

impl Bus for Board {
    fn read(&mut self, address: u16) -> u8 {
        let data = self.ram[address as usize];
        self.log.push(Access {
            address,
            data,
            write: false,
        });
        data
    }
    fn write(&mut self, address: u16, data: u8) {
        self.ram[address as usize] = data;
        self.log.push(Access {
            address,
            data,
            write: true,
        });
    }
    fn irq(&self) -> bool {
        self.irq
    }
}

/// The addresses of the handlers; each begins with NOPs.
pub const NMI_HANDLER: u16 = 0x3000;
pub const RESET_HANDLER: u16 = 0x3100;
pub const IRQ_HANDLER: u16 = 0x3200;
/// The address of programs.
pub const ORIGIN: u16 = 0x2000;

impl Board {
    /// NOPs everywhere, the three vectors, and `program` at [`ORIGIN`].
    pub fn new(program: &[u8]) -> Self {
        let mut ram = vec![0xEA; 0x10000];
        for (vector, handler) in [
            (0xFFFA, NMI_HANDLER),
            (0xFFFC, RESET_HANDLER),
            (0xFFFE, IRQ_HANDLER),
        ] {
            ram[vector] = handler as u8;
            ram[vector + 1] = (handler >> 8) as u8;
        }
        ram[ORIGIN as usize..ORIGIN as usize + program.len()].copy_from_slice(program);
        Self {
            ram,
            irq: false,
            log: Vec::new(),
        }
    }
}

/// A processor at the beginning of the program, I clear.
pub fn start() -> Cpu {
    let mut cpu = Cpu::new();
    cpu.set_pc(ORIGIN);
    cpu.s = 0xF0;
    cpu.set_p(0);
    cpu
}

/// Steps to the next boundary and says how many cycles that took.
pub fn instruction(cpu: &mut Cpu, board: &mut Board) -> usize {
    for cycles in 1..=10 {
        cpu.step(board);
        if cpu.at_instruction_start() {
            return cycles;
        }
    }
    panic!("no instruction takes more than 8 cycles");
}
