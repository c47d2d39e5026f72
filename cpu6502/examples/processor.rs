//! Speed of the processor without a machine: `cargo run --release -p cpu6502 --example processor [cycles]`.
//!
//! The program is a mix of what programs do: copying, adding tables with carries, a subroutine, shifts, comparisons.

use cpu6502::{BatchBus, Bus, Cpu};
use std::ops::Range;
use std::time::Instant;

struct Ram(Box<[u8; 0x10000]>, bool);

impl Bus for Ram {
    #[inline]
    fn read(&mut self, address: u16) -> u8 {
        self.0[address as usize]
    }
    #[inline]
    fn write(&mut self, address: u16, data: u8) {
        self.0[address as usize] = data;
    }
    #[inline]
    fn irq(&self) -> bool {
        self.1
    }
}

impl BatchBus for Ram {
    // Nowhere.
    const CHIPS: Range<u16> = 0xD000..0xD000;

    #[inline]
    fn memory(&self, address: u16) -> u8 {
        self.0[address as usize]
    }
    #[inline]
    fn opcode(&self, address: u16) -> u8 {
        self.0[address as usize]
    }

    #[inline]
    fn leaves_memory(_next: u16) -> bool {
        false
    }

    #[inline]
    fn operand_byte(&self, address: u16) -> u8 {
        self.0[usize::from(address.wrapping_add(1))]
    }

    #[inline]
    fn operand_word(&self, address: u16) -> u16 {
        let low = self.operand_byte(address);
        u16::from_le_bytes([low, self.operand_byte(address.wrapping_add(1))])
    }

    #[inline]
    fn read_chip(&mut self, _: u32, address: u16) -> (u8, bool) {
        (self.0[address as usize], true)
    }
    #[inline]
    fn write_leaving(&mut self, _: u32, address: u16, data: u8) -> bool {
        self.0[address as usize] = data;
        true
    }
}

#[rustfmt::skip]
const PROGRAM: &[u8] = &[
    // $2000 outer
    0xA9, 0x00,       // LDA #0
    0x85, 0x80,       // STA $80
    0xA9, 0x40,       // LDA #$40
    0x85, 0x81,       // STA $81
    0xA9, 0x50,       // LDA #$50
    0x85, 0x83,       // STA $83
    0xA0, 0x00,       // LDY #0
    // $200E copy
    0xB1, 0x80,       // LDA ($80),Y
    0x18,             // CLC
    0x69, 0x03,       // ADC #3
    0x91, 0x82,       // STA ($82),Y
    0xC8,             // INY
    0xD0, 0xF6,       // BNE copy
    0xA2, 0x40,       // LDX #$40
    // $201A table
    0xBD, 0x00, 0x50, // LDA $5000,X
    0x7D, 0x20, 0x51, // ADC $5120,X
    0x9D, 0x00, 0x52, // STA $5200,X
    0x2A,             // ROL A
    0x46, 0x84,       // LSR $84
    0x66, 0x85,       // ROR $85
    0xE6, 0x86,       // INC $86
    0x20, 0x39, 0x20, // JSR sub
    0xC9, 0x80,       // CMP #$80
    0x90, 0x02,       // BCC +2
    0xC6, 0x87,       // DEC $87
    0xCA,             // DEX
    0xD0, 0xE4,       // BNE table
    0x4C, 0x00, 0x20, // JMP outer
    // $2039 sub
    0x48,             // PHA
    0x8A,             // TXA
    0x49, 0x55,       // EOR #$55
    0xA8,             // TAY
    0x68,             // PLA
    0x24, 0x86,       // BIT $86
    0x30, 0x02,       // BMI +2
    0x05, 0x88,       // ORA $88
    0x60,             // RTS
];

fn main() {
    let cycles: u64 = std::env::args()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .unwrap_or(500_000_000);
    let mut ram = Ram(
        vec![0; 0x10000].try_into().expect("64K"),
        std::env::args().nth(2).is_some(),
    );
    ram.0[0x2000..0x2000 + PROGRAM.len()].copy_from_slice(PROGRAM);
    // In a machine the processor is not a variable of the function that runs it.
    let mut cpu = std::hint::black_box(Box::new(Cpu::new()));
    cpu.set_pc(0x2000);
    let start = Instant::now();
    let mut left = cycles;
    while left != 0 {
        let span = left.min(100) as u32;
        let run = span - cpu.run(&mut ram, span);
        left -= u64::from(run);
        if run == 0 {
            cpu.step(&mut ram);
            left -= 1;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{cycles} cycles, {:.0} million cycles/s (pc {:04X}, a {:02X})",
        cycles as f64 / seconds / 1e6,
        cpu.pc,
        cpu.a
    );
}
