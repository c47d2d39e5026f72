//! Whatever a program does, the machine neither panics nor hangs, and does the same twice. The profile of the tests checks
//! arithmetic for overflow.
use machine::{Config, Machine, Model, Ram, Tv};
use std::collections::BTreeSet;
use tests::random::Random;

/// Frames of each random program.
const FRAMES: u32 = 12;
/// Programs; more with `FUZZ_PROGRAMS`.
const PROGRAMS: u64 = 150;

/// A ROM of random bytes; every other program instead writes random values to random registers of the chips for ever, with a
/// random display list and interrupts on.
fn rom(random: &mut Random, size: usize, registers: bool) -> Vec<u8> {
    let mut rom: Vec<u8> = (0..size).map(|_| random.byte()).collect();
    let base = 0x10000 - size;
    if registers {
        let mut at = size - 0x2000;
        let mut put = |bytes: &[u8]| {
            rom[at..at + bytes.len()].copy_from_slice(bytes);
            at += bytes.len();
        };
        put(&[
            0xA9,
            random.byte(),
            0x8D,
            0x02,
            0xD4,
            0xA9,
            random.byte() & 0x3F,
            0x8D,
            0x03,
            0xD4,
        ]);
        // Lines without objects have short cuts of their own.
        let objects = random.byte() & 1 == 0;
        let shows = |register| matches!(register, 0x0D..=0x11 | 0x1D);
        for _ in 0..500 {
            // ANTIC more often than the others, PORTB last: without the OS ROM the program is gone.
            let page = [0xD0, 0xD2, 0xD3, 0xD4, 0xD4, 0xD5][(random.next() % 6) as usize];
            let register = random.byte() & if page == 0xD3 { 2 } else { 0x1F };
            if page == 0xD0 && !objects && (shows(register) || shows(register ^ 1)) {
                continue;
            }
            match random.next() % 4 {
                0 => put(&[0xEE, register, page]),
                1 => put(&[
                    0xAD,
                    register,
                    page,
                    0xA2,
                    random.byte(),
                    0x8E,
                    register ^ 1,
                    page,
                ]),
                _ => put(&[0xA9, random.byte(), 0x8D, register, page]),
            }
        }
        put(&[0x58, 0x4C, 0x00, (base + size - 0x2000) as u16 as u8, 0]);
        let high = ((base + size - 0x2000) >> 8) as u8;
        let end = rom.len();
        rom[end - 0x2000..][..10].copy_within(0..10, 0);
        // The jump back to the start.
        let jump = rom[end - 0x2000..]
            .windows(5)
            .position(|w| w[0] == 0x58 && w[1] == 0x4C && w[2] == 0 && w[4] == 0);
        if let Some(jump) = jump {
            rom[end - 0x2000 + jump + 3] = high;
        }
        for vector in [6, 4, 2] {
            rom[end - vector] = 0x00;
            rom[end - vector + 1] = high + if vector == 4 { 0 } else { 0x1F };
        }
        // NMI and IRQ end at once, or go wherever they go.
        if random.byte() & 1 == 0 {
            rom[end - 0x2000 + 0x1F00] = 0x40;
        }
    }
    rom
}

fn config(random: &mut Random, seed: u64, registers: bool) -> Config {
    let model = [Model::Xl800, Model::Xe130, Model::Atari800, Model::Atari400][(seed % 4) as usize];
    Config {
        model,
        tv: if seed & 4 == 0 { Tv::Ntsc } else { Tv::Pal },
        os: rom(random, model.os_size(), registers).into(),
        basic: None,
        cartridge: None,
        second: None,
        seed,
        extras: machine::Extras::default(),
    }
}

/// A probe that does nothing.
struct Looker(u64);

impl machine::Probe for Looker {
    fn cycle(&mut self, _: &cpu6502::Cpu, _: &machine::Bus) -> bool {
        self.0 += 1;
        false
    }
}

#[test]
fn single_cycles_pieces_and_watched_frames_are_the_same_run() {
    for seed in 0..200 {
        let mut random = Random(seed + 1000);
        let config = config(&mut random, seed, seed % 5 != 0);
        let mut machine = Machine::new(&config).unwrap();
        for _ in 0..seed % 7 {
            machine.run_frame();
        }
        let cycles = 114 * u64::from(machine.bus().video.antic.lines());
        let mut steps = machine.clone();
        let mut pieces = machine.clone();
        let mut watched = machine.clone();
        machine.run_frame();
        for _ in 0..cycles {
            steps.step_cycle();
        }
        let mut left = cycles;
        while left > 0 {
            let piece = (random.next() % 300).min(left);
            pieces.run_cycles(piece);
            left -= piece;
        }
        let mut looker = Looker(0);
        watched.run_frame_with(&mut looker);
        assert_eq!(looker.0, cycles, "program {seed}: every cycle is seen once");
        assert!(machine == steps, "program {seed} in single cycles");
        assert!(machine == pieces, "program {seed} in pieces");
        assert!(machine == watched, "program {seed} with a probe");
        assert!(machine.save_state() == steps.save_state(), "program {seed}");
    }
}

/// A ROM whose program writes what moves the IRQ line or its next deadline, with interrupts on and long stretches of free cycles.
fn interrupting_rom(random: &mut Random, size: usize) -> Vec<u8> {
    const NOP: u8 = 0xEA;
    let mut program = vec![0x58];
    for _ in 0..400 {
        let (register, data) = match random.next() % 8 {
            0..=2 => (
                0xD20E,
                [0x01, 0x02, 0x04, 0x07, 0x08, 0x18, 0xC7, 0x00][random.below(8)],
            ),
            3 => (0xD200 + random.below(4) as u16 * 2, random.byte() & 0x3F),
            4 => (0xD208, [0x00, 0x40, 0x60, 0x50, 0x01][random.below(5)]),
            5 => (0xD209, 0),
            6 => ([0xD20D, 0xD20F][random.below(2)], random.byte()),
            _ => (0xD302, random.byte()),
        };
        let [low, high] = u16::to_le_bytes(register);
        program.extend([0xA9, data, 0x8D, low, high]);
        program.extend(vec![NOP; random.below(12)]);
    }
    // Back to the start, at $E000.
    program.extend([0x4C, 0x00, 0xE0]);
    let mut rom = vec![NOP; size];
    let start = size - 0x2000;
    rom[start..start + program.len()].copy_from_slice(&program);
    // PHA, IRQEN = 0, INC $80, PLA, RTI.
    let handler = [0x48, 0xA9, 0x00, 0x8D, 0x0E, 0xD2, 0xE6, 0x80, 0x68, 0x40];
    rom[size - 0x100..][..handler.len()].copy_from_slice(&handler);
    rom[size - 6..].copy_from_slice(&[0x09, 0xFF, 0x00, 0xE0, 0x00, 0xFF]);
    rom
}

#[test]
fn writes_that_move_the_irq_line_act_at_the_same_time_in_spans_and_in_single_cycles() {
    let mut interrupts = 0;
    for seed in 0..60 {
        let mut random = Random(seed);
        let mut config = config(&mut random, seed, true);
        config.os = interrupting_rom(&mut random, config.model.os_size()).into();
        let mut machine = Machine::new(&config).unwrap();
        let mut steps = machine.clone();
        machine.run_cycles(40_000);
        for _ in 0..40_000 {
            steps.step_cycle();
        }
        assert!(machine == steps, "program {seed}");
        interrupts += u32::from(machine.bus().peek(0x80));
    }
    assert!(interrupts > 1000, "only {interrupts} interrupts");
}

/// Writes of WSYNC and of its mirrors.
const WSYNC_WRITES: [&[u8]; 12] = [
    &[0x8D, 0x0A, 0xD4],             // STA
    &[0x8E, 0x0A, 0xD4],             // STX
    &[0x8C, 0xFA, 0xD4],             // STY
    &[0x8F, 0x1A, 0xD4],             // SAX
    &[0xA2, 0x07, 0x9D, 0x03, 0xD4], // LDX #7, STA abs,X
    &[0xA0, 0x0A, 0x91, 0xE0],       // LDY #10, STA ($E0),Y
    &[0xEE, 0x0A, 0xD4],             // INC
    &[0x0E, 0x0A, 0xD4],             // ASL
    // Two in a row.
    &[0x8D, 0x0A, 0xD4, 0x8D, 0x0A, 0xD4],
    &[0x8D, 0x0A, 0xD4, 0xEE, 0x0A, 0xD4],
    &[0xEE, 0x0A, 0xD4, 0x8D, 0x0A, 0xD4],
    &[0xEE, 0x0A, 0xD4, 0xEE, 0x0A, 0xD4],
];

/// The code after the write: RDY lets at most the first cycle run.
const AFTER_WSYNC: [&[u8]; 34] = [
    &[0xEA],                         // NOP
    &[0x58],                         // CLI
    &[0x58, 0x78],                   // CLI, SEI
    &[0x78],                         // SEI
    &[0x28],                         // PLP
    &[0x28, 0x28],                   // PLP, PLP
    &[0x28, 0x78],                   // PLP, SEI
    &[0x08],                         // PHP
    &[0x48],                         // PHA
    &[0x68],                         // PLA
    &[0x00, 0xEA],                   // BRK
    &[0x0A],                         // ASL A
    &[0xE8],                         // INX
    &[0xA9, 0x37],                   // LDA #
    &[0xA6, 0x80],                   // LDX zp
    &[0xE6, 0x80],                   // INC zp
    &[0xEE, 0x00, 0x10],             // INC abs, in the playfield's memory
    &[0x90, 0x00],                   // BCC
    &[0xB0, 0x00],                   // BCS
    &[0xD0, 0x00],                   // BNE
    &[0xF0, 0x00],                   // BEQ
    &[0x10, 0x02, 0xEA, 0xEA],       // BPL
    &[0xAD, 0x0A, 0xD2],             // LDA RANDOM
    &[0xAE, 0x0E, 0xD2],             // LDX IRQST
    &[0xAD, 0x0B, 0xD4],             // LDA VCOUNT
    &[0xAC, 0x0F, 0xD4],             // LDY NMIST
    &[0xA9, 0x02, 0x8D, 0x0E, 0xD2], // LDA #2, STA IRQEN
    &[0x8D, 0x09, 0xD2],             // STA STIMER
    &[0x8D, 0x1A, 0xD0],             // STA COLBK
    &[0x8E, 0x16, 0xD0],             // STX COLPF0
    &[0xEE, 0x18, 0xD0],             // INC COLPF2
    &[0x8D, 0x0F, 0xD4],             // STA NMIRES
    &[0x2C, 0x00, 0xD0],             // BIT M0PF
    &[0x20],                         // JSR to the instruction after it
];

/// LDA RANDOM, ADC $84, STA $84: adds up when it is run. Without it, two machines that differ are equal again after the next stop.
const LOG_TIME: [u8; 7] = [0xAD, 0x0A, 0xD2, 0x65, 0x84, 0x85, 0x84];

/// A ROM whose program writes WSYNC in any cycle of a line. The write at $CFFD is followed by an opcode fetch from $D000, which reads the
/// collisions of missile 0 and so depends on its cycle.
fn stopping_rom(random: &mut Random) -> Vec<u8> {
    const NOP: u8 = 0xEA;
    let mut program = Vec::new();
    while program.len() < 0x1E00 {
        // LDX #$80, TXS: the stack pointer must not wrap round, or the IRQ handler would not find P.
        program.extend([0xA2, 0x80, 0x9A]);
        // An even number of cycles, up to most of a line, and an odd one.
        let most = [4, 24, 50][random.below(3)];
        program.extend(vec![NOP; random.below(most)]);
        if random.byte() & 1 == 0 {
            program.extend([0xA5, 0x80]);
        }
        if random.below(8) == 0 {
            // The address after this in $F0, STA HITCLR, JMP $CFFD.
            let [low, high] = (0xE000 + program.len() as u16 + 16).to_le_bytes();
            program.extend([0xA9, low, 0x85, 0xF0, 0xA9, high, 0x85, 0xF1, 0x85, 0xF2]);
            program.extend([0x8D, 0x1E, 0xD0, 0x4C, 0xFD, 0xCF]);
            continue;
        }
        program.extend(random.pick(&WSYNC_WRITES));
        let next = random.pick(&AFTER_WSYNC);
        program.extend(next);
        if next == [0x20] {
            program.extend((0xE002 + program.len() as u16).to_le_bytes());
        }
        program.extend(LOG_TIME);
    }
    program.extend([0x4C, 0x00, 0xE0]);
    let mut rom = vec![NOP; 0x4000];
    rom[0x0FFD..0x1000].copy_from_slice(&[0x8D, 0x0A, 0xD4]);
    rom[0x2000..][..program.len()].copy_from_slice(&program);
    // PHA, STX $E4, TSX, LDA $0102,X, LDX $E4, AND #$10, BNE BRK.
    let head = [
        0x48, 0x86, 0xE4, 0xBA, 0xBD, 0x02, 0x01, 0xA6, 0xE4, 0x29, 0x10, 0xD0, 0x15,
    ];
    // IRQEN = 0 and 2, INC $82, PLA, RTI.
    let timer = [
        0xA9, 0x00, 0x8D, 0x0E, 0xD2, 0xA9, 0x02, 0x8D, 0x0E, 0xD2, 0xE6, 0x82, 0x68, 0x40,
    ];
    // BRK: PLA, LDA $F2, BNE *+3, RTI. Back from $D000: $F2 = 0, INC $83, PLA, PLA, PLA, JMP ($F0).
    let brk = [
        0x68, 0xA5, 0xF2, 0xD0, 0x01, 0x40, 0xA9, 0x00, 0x85, 0xF2, 0xE6, 0x83, 0x68, 0x68, 0x68,
        0x6C, 0xF0, 0x00,
    ];
    let irq = [&head[..], &LOG_TIME, &timer, &brk].concat();
    rom[0x3F00..][..irq.len()].copy_from_slice(&irq);
    // PHA, STA WSYNC, STA COLPF1, INC $81, PLA, RTI.
    let nmi = [
        0x48, 0x8D, 0x0A, 0xD4, 0x8D, 0x17, 0xD0, 0xE6, 0x81, 0x68, 0x40,
    ];
    rom[0x3F80..][..nmi.len()].copy_from_slice(&nmi);
    rom[0x3FFA..].copy_from_slice(&[0x80, 0xFF, 0x00, 0xE0, 0x00, 0xFF]);
    rom
}

/// A machine with that ROM, a display list with DLIs, missile 0 and a timer that interrupts.
fn stopping_machine(random: &mut Random, seed: u64) -> Machine {
    let mut config = config(random, seed & !3, true);
    config.os = stopping_rom(random).into();
    let mut machine = Machine::new(&config).unwrap();
    for address in 0x1000..0x4000 {
        // No PF1: missile 0 on PF1 only makes $D000 the opcode $02, which jams the processor.
        machine.poke(address, [0x00, 0x55, 0xFF][random.below(3)]);
    }
    machine.poke(0xE0, 0x00);
    machine.poke(0xE1, 0xD4);
    machine.poke(0xF2, 0);
    let mut list = vec![0x70, 0x42, 0x00, 0x10];
    for _ in 0..60 {
        let modes = [
            0x00, 0x30, 0x02, 0x03, 0x04, 0x05, 0x08, 0x0A, 0x0C, 0x0D, 0x0E, 0x0F,
        ];
        list.push(modes[random.below(12)] | [0x00, 0x80, 0x10][random.below(3)]);
    }
    list.extend([0x41, 0x00, 0x06]);
    for (address, byte) in (0x0600..).zip(list) {
        machine.poke(address, byte);
    }
    let dma = [0x20, 0x21, 0x22, 0x23, 0x2D, 0x3E][random.below(6)];
    // Timers 1 and 2 joined, at 1.79 MHz. One that is started after a stop often runs out in about the cycle of a later release.
    let lines = 114 * (1 + random.below(4));
    let period = [lines - random.below(12), 100 + random.below(900)][random.below(2)];
    let [timer_1, timer_2] = (period as u16 - 7).to_le_bytes();
    let interrupts = [0x00, 0x40, 0x80, 0xC0][random.below(4)];
    #[rustfmt::skip]
    let setting = [
        (0xD402, 0x00), (0xD403, 0x06), (0xD400, dma), (0xD404, random.byte()), (0xD407, 0x20), (0xD409, 0x30), (0xD40E, interrupts),
        (0xD004, 0x38 + random.byte() % 0x90), (0xD00C, 0x03), (0xD011, 0x03), (0xD01D, [0, 0, 3][random.below(3)]),
        (0xD20F, 0x03), (0xD208, 0x50), (0xD200, timer_1), (0xD202, timer_2), (0xD20E, 0x02), (0xD209, 0),
    ];
    for (register, data) in setting {
        machine.pins().write(register, data);
    }
    machine.run_frame();
    machine
}

/// A span may take a stop by WSYNC as DMA. Single cycles and an active probe make that impossible, and the state must be the same.
#[test]
fn stops_by_wsync_are_the_same_in_spans_in_single_cycles_and_with_a_probe() {
    let mut handled = [0; 3];
    for seed in 0..80 {
        let mut random = Random(seed + 3000);
        let mut machine = stopping_machine(&mut random, seed);
        let mut exact = machine.clone();
        for _ in 0..30 {
            // Every other piece ends in about the cycle of the release.
            let end = [random.below(114), 103 + random.below(5)][random.below(2)] as u64;
            let here = u64::from(machine.beam().cycle);
            let cycles = 114 * (random.next() % 60) + (114 + end - here) % 114;
            machine.run_cycles(cycles);
            if seed % 4 == 0 {
                exact.run_cycles_with(cycles, &mut Looker(0));
            } else {
                for _ in 0..cycles {
                    exact.step_cycle();
                }
            }
            assert!(
                machine == exact,
                "program {seed}, up to {:?}",
                machine.beam()
            );
        }
        assert!(machine.save_state() == exact.save_state(), "program {seed}");
        assert!(!machine.cpu.is_jammed(), "program {seed}");
        for (sum, address) in handled.iter_mut().zip(0x81..) {
            *sum += u32::from(machine.bus().peek(address));
        }
    }
    let enough = handled.iter().all(|&count| count > 5000);
    assert!(
        enough,
        "only {handled:?} NMIs, IRQs and opcodes from a chip"
    );
}

/// Screens most of whose lines are like the one above, and now and then a write to a register or to memory: drawn in pieces that end at
/// the writes, and cycle by cycle, where no line is fetched at once. Without a processor.
#[test]
fn lines_like_the_one_above_are_drawn_as_others_are() {
    let mut repeated = 0;
    for seed in 0..60 {
        let mut random = Random(seed + 9000);
        let mut config = config(&mut random, seed, false);
        config.os = vec![0x02; config.model.os_size()].into();
        let mut machine = Machine::new(&config).unwrap();
        machine.run_frame();
        for address in 0x1000..0x4000 {
            let rare = random.next().is_multiple_of(200);
            machine.poke(address, if rare { random.byte() } else { 0 });
        }
        // Mode lines of a kind follow one another.
        let mut list = 0x2000;
        for _ in 0..40 {
            let mode = [0x02, 0x04, 0x06, 0x08, 0x0D, 0x0E, 0x0F, 0x0F, 0x70]
                [(random.next() % 9) as usize];
            for _ in 0..=(random.next() % 9) {
                machine.poke(list, mode);
                list += 1;
            }
        }
        for (i, byte) in [0x41, 0x00, 0x20].into_iter().enumerate() {
            machine.poke(list + i as u16, byte);
        }
        let prior = random.byte() & 0xC1;
        let setting = [
            (0xD402, 0x00),
            (0xD403, 0x20),
            (0xD409, 0x30),
            (0xD400, 0x22),
            (0xD01B, prior),
        ];
        for (register, data) in setting {
            machine.pins().write(register, data);
        }
        machine.run_frame();
        let mut steps = machine.clone();
        for _ in 0..40 {
            let cycles = random.next() % 1500;
            machine.run_cycles(cycles);
            for _ in 0..cycles {
                steps.step_cycle();
            }
            let address = match random.next() % 4 {
                0 => 0x1000 + (random.next() % 0x1000) as u16,
                1 => 0xD012 + u16::from(random.byte() % 10),
                2 => 0xD000 + u16::from(random.byte() % 18),
                _ => [0xD400, 0xD401, 0xD404, 0xD409][usize::from(random.byte() & 3)],
            };
            let data = if address == 0xD400 {
                0x20 | random.byte() & 3
            } else {
                random.byte()
            };
            if address < 0xD000 {
                machine.poke(address, data);
                steps.poke(address, data);
            } else {
                machine.pins().write(address, data);
                steps.pins().write(address, data);
            }
            assert!(
                machine == steps,
                "screen {seed}, after ${data:02X} at ${address:04X}"
            );
        }
        let rows = (1..240).filter(|&y| machine.frame().row(y) == machine.frame().row(y - 1));
        repeated += rows.count();
    }
    assert!(
        repeated > 60 * 60,
        "only {repeated} rows are like the one above"
    );
}

/// Copies share what does not change; each goes its own way, whichever machine it was copied into, and the original stays as it was.
#[test]
fn a_copy_runs_on_as_its_original_does() {
    let mut into = Machine::new(&config(&mut Random(1), 0, true)).unwrap();
    for seed in 0..100 {
        let mut random = Random(seed + 6000);
        let mut config = config(&mut random, seed, seed % 5 != 0);
        if config.model.is_xl() {
            let rams = [Ram::K64, Ram::K128, Ram::K256, Ram::K320Compy];
            config.extras.ram = Some(rams[random.below(rams.len())]);
        }
        let mut machine = Machine::new(&config).unwrap();
        machine.run_cycles(random.next() % 90_000);
        let copy = machine.clone();
        into.clone_from(&machine);
        assert!(machine == copy && machine == into, "program {seed}");
        let (state, picture) = (copy.save_state(), copy.frame().clone());
        let mut second = copy.clone();
        for _ in 0..4 {
            let piece = random.next() % 40_000;
            for machine in [&mut machine, &mut into, &mut second] {
                machine.run_cycles(piece);
            }
            assert!(machine == into && machine == second, "program {seed}");
        }
        assert!(copy.save_state() == state && copy.frame() == &picture);
        // Back to the copy, and on again.
        second.clone_from(&copy);
        assert!(second == copy, "program {seed}");
    }
}

/// The places at which two raw states of machines of one configuration differ, from the end of the RAM on.
fn differences(a: &Machine, b: &Machine) -> Vec<usize> {
    let mut raw = [Vec::new(), Vec::new()];
    a.raw_state(&mut raw[0]);
    b.raw_state(&mut raw[1]);
    let [a_bytes, b_bytes] = raw;
    assert_eq!(a_bytes.len(), b_bytes.len());
    let ram = a.config().ram();
    let bytes = a_bytes.iter().zip(&b_bytes).enumerate();
    bytes
        .filter(|(_, (a, b))| a != b)
        .map(|(at, _)| at - ram.main() - ram.extended())
        .collect()
}

/// Without pictures all else is the same, also while they are switched off and on: in the raw states nothing but the pixels and the AN codes of
/// the beam's line differs. Once frames are drawn again, the machines are equal in everything.
#[test]
fn a_machine_without_pictures_does_the_same() {
    let mut places = BTreeSet::new();
    for seed in 0..200 {
        let mut random = Random(seed + 5000);
        let config = config(&mut random, seed, seed % 5 != 0);
        let mut drawn = Machine::new(&config).unwrap();
        // Lines that differ: in empty memory all glyphs are alike.
        for address in 0x0600..0x2000 {
            drawn.pins().write(address, random.byte());
        }
        let mut unseen = drawn.clone();
        unseen.set_drawing(false);
        let mut switched = drawn.clone();
        for _ in 0..8 {
            let piece = random.next() % 40_000;
            switched.set_drawing(random.byte() & 1 == 0);
            for machine in [&mut drawn, &mut unseen, &mut switched] {
                machine.run_cycles(piece);
            }
            places.extend(differences(&drawn, &unseen));
            places.extend(differences(&drawn, &switched));
            assert!(drawn.cpu == unseen.cpu, "program {seed}");
            assert!(drawn.bus().memory == unseen.bus().memory, "program {seed}");
            for register in 0xD000..0xD010 {
                assert_eq!(drawn.peek(register), unseen.peek(register));
            }
        }
        unseen.set_drawing(true);
        switched.set_drawing(true);
        for _ in 0..3 {
            for machine in [&mut drawn, &mut unseen, &mut switched] {
                machine.run_frame();
            }
        }
        assert!(drawn == unseen && drawn == switched, "program {seed}");
    }
    let places: Vec<_> = places.into_iter().collect();
    let parts: Vec<_> = places.chunk_by(|a, b| b - a < 64).collect();
    let lengths = parts.iter().map(|part| part[part.len() - 1] - part[0]);
    let lengths: Vec<_> = lengths.collect();
    let [codes, pixels] = lengths[..] else {
        panic!("parts of {lengths:?} bytes differ");
    };
    assert!(
        codes < 256 + 16 && pixels < machine::Frame::WIDTH,
        "{lengths:?}"
    );
}

#[test]
fn random_programs_neither_stop_nor_confuse_the_machine() {
    let programs = std::env::var("FUZZ_PROGRAMS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(PROGRAMS);
    for seed in 0..programs {
        let mut random = Random(seed);
        let config = config(&mut random, seed, seed & 8 != 0);
        let mut machine = Machine::new(&config).unwrap();
        if seed % 3 == 0 {
            machine.insert_disk(0, media::atr::Disk::blank(media::atr::Blank::Single));
        }
        let mut other = None;
        for frame in 0..FRAMES {
            machine.input.key = (random.byte() & 3 == 0).then(|| random.byte());
            machine.input.break_key = random.byte() & 15 == 0;
            machine.input.joystick(0).trigger = random.byte() & 1 == 0;
            machine
                .input
                .joystick(1)
                .push(frame & 1 == 0, false, frame & 2 == 0, false);
            machine.input.paddles[2] = random.byte();
            if frame == FRAMES / 2 {
                machine.run_cycles(random.next() & 0x3FFF);
                let mut copy = Machine::new(&config).unwrap();
                copy.load_state(&machine.save_state()).unwrap();
                other = Some(copy);
            }
            machine.run_frame();
            if let Some(other) = &mut other {
                other.input = machine.input;
                other.run_frame();
            }
            if random.byte() & 31 == 0 {
                machine.reset();
                if let Some(other) = &mut other {
                    other.reset();
                }
            }
            for address in [0xD000, 0xD200, 0xD300, 0xD400, 0xFFFC, 0x0000] {
                machine.peek(address + (random.next() & 0x1F) as u16 % 4);
            }
        }
        let mut sound = (Vec::new(), Vec::new());
        let other = other.as_mut().unwrap();
        machine.take_sound(&mut sound.0);
        other.take_sound(&mut sound.1);
        assert!(
            machine.save_state() == other.save_state(),
            "program {seed} runs differently after loading"
        );
        assert!(
            machine == *other,
            "program {seed} looks different after loading"
        );
    }
}
