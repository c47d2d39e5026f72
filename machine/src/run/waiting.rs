//! Programs that wait: a short loop that reads memory until an interrupt changes it, or a key.
//!
//! Now and then the processor is followed through the first cycles of a span. If it comes back to a state that it was in, without a write and without a
//! look at a chip, it will do the same again for as long as it finds the same bytes there and no interrupt comes. The states of such a round are kept,
//! and a span costs no more than a step from one of them to another.
use crate::Board;
use crate::bus::Bus;
use crate::memory::CHIPS;
use antic_gtia::antic::FreeCycles;
use cpu6502::Cpu;

/// The page takes all steps: its program has a bar of bytes.
const LOOKS: bool = cfg!(not(target_family = "wasm"));
/// Most cycles of a round.
const LONGEST: usize = if LOOKS { 32 } else { 1 };
/// Spans from a look at a program that does not wait to the next.
const PAUSE: u8 = 128;
/// Spans between looks whether a program is back where it waited, first (most often a handler has interrupted it) and later.
const PAUSES_BACK: [u8; 2] = [INTERRUPTED, 16];
const INTERRUPTED: u8 = 4;
/// Number of the first of these looks, and of all of them from a look for another loop to the next.
const LOOKS_BACK: [u8; 2] = [8, 16];
/// Free cycles of a span from which on it is quicker to leave them out.
const WORTH: u8 = 16;

/// What is known about the loop in which the program waits. It follows from the rest of the machine.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    /// Spans until the next look.
    pause: u8,
    /// Cycles of a round; 0 if the program has not been seen to wait.
    round: u8,
    /// The cycle of the round that comes next.
    next: u8,
    /// Looks since it was there last.
    looks: u8,
    /// The level of the IRQ line in the round.
    irq: bool,
    /// The processor before each cycle of a round.
    states: [Cpu; LONGEST],
    /// The address and the byte that each cycle reads.
    reads: [(u16, u8); LONGEST],
}

impl Default for Waiting {
    fn default() -> Self {
        Self {
            pause: PAUSE,
            round: 0,
            next: 0,
            looks: 1,
            irq: false,
            states: core::array::from_fn(|_| Cpu::new()),
            reads: [(0, 0); LONGEST],
        }
    }
}

impl Waiting {
    /// True once in a while, and in each span of a program that waits.
    #[inline]
    pub(super) fn is_due(&mut self) -> bool {
        if !LOOKS {
            return false;
        }
        self.pause = self.pause.wrapping_sub(1);
        self.pause == 0
    }

    /// The cycles of the round, if there is one.
    fn states(&self) -> &[Cpu] {
        &self.states[..usize::from(self.round) % (LONGEST + 1)]
    }

    /// Finds the cycle of the round in which the processor is; false if it is in none, or would not find what it found there.
    fn finds(&mut self, cpu: &Cpu, bus: &Bus) -> bool {
        let states = self.states();
        let place = match states.get(usize::from(self.next)) {
            Some(state) if state == cpu => Some(usize::from(self.next)),
            _ => states
                .iter()
                .position(|state| state.pc == cpu.pc && state == cpu),
        };
        let Some(place) = place else {
            return false;
        };
        self.next = place as u8;
        let reads = &self.reads[..self.states().len()];
        self.irq == bus.irq_line()
            && reads
                .iter()
                .all(|&(address, data)| bus.memory.read(address) == data)
    }

    /// After the program has not been found to wait in the known loop: true if it is time to look for another. Sets the pause before the next look.
    fn is_to_look(&mut self) -> bool {
        self.looks += 1;
        if self.round == 0 {
            self.looks = 1;
            self.pause = PAUSE;
            return true;
        }
        let [first, all] = LOOKS_BACK;
        self.pause = PAUSES_BACK[usize::from(self.looks > first)];
        let other = self.looks == all;
        if other {
            self.looks = first;
        }
        other
    }

    /// So many cycles pass.
    fn pass(&mut self, cycles: u8) {
        self.next = ((u16::from(self.next) + u16::from(cycles)) % u16::from(self.round)) as u8;
    }
}

impl Board {
    /// Runs a span to cycle `limit` if the program waits. False if it does not: the beam may have come nearer to the limit then.
    #[inline(never)]
    pub(super) fn wait(&mut self, limit: u8, free: &FreeCycles) -> bool {
        let cycle = self.bus.video.cycle as u8;
        let mut cycles = free.before(limit) - free.before(cycle);
        if cycles < WORTH {
            self.waiting.pause = 1 + self.waiting.looks.min(INTERRUPTED);
            return false;
        }
        if !self.waiting.finds(&self.cpu, &self.bus) {
            if !self.waiting.is_to_look() {
                return false;
            }
            let Some(rest) = self.look(limit, free) else {
                return false;
            };
            cycles = rest;
        }
        let waiting = &mut *self.waiting;
        waiting.pass(cycles);
        waiting.looks = 0;
        waiting.pause = 1;
        self.cpu
            .clone_from(&waiting.states[usize::from(waiting.next) % LONGEST]);
        self.bus.video.cycle = limit.into();
        true
    }

    /// Follows the program to the end of a round or to the first cycle that cannot be part of one. Returns the free cycles after a round.
    fn look(&mut self, limit: u8, free: &FreeCycles) -> Option<u8> {
        let end = free.before(limit);
        let waiting = &mut *self.waiting;
        let mut length = None;
        for number in free.before(self.bus.video.cycle as u8)..end {
            self.bus.video.cycle = free.cycle(number.into()).into();
            let address = self.cpu.next_address();
            if self.cpu.next_is_write() || CHIPS.contains(&address) {
                return None;
            }
            if self.cpu.at_instruction_start() {
                match length {
                    None => length = Some(0),
                    Some(cycles) if self.cpu == waiting.states[0] => {
                        waiting.round = cycles as u8;
                        waiting.next = 0;
                        waiting.irq = self.bus.irq_line();
                        return Some(end - number);
                    }
                    Some(LONGEST) => return None,
                    Some(_) => {}
                }
            }
            if let Some(cycles @ 0..LONGEST) = length {
                // The loop that was known is forgotten bit by bit.
                waiting.round = 0;
                waiting.states[cycles].clone_from(&self.cpu);
                waiting.reads[cycles] = (address, self.bus.memory.read(address));
                length = Some(cycles + 1);
            }
            self.cpu.step(&mut self.bus);
        }
        self.bus.video.cycle = limit.into();
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::{Config, Machine, Model};
    use alloc::vec;

    /// Steps of a generator (Knuth's MMIX).
    fn below(seed: &mut u64, most: u64) -> usize {
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((*seed >> 33) % most) as usize
    }

    /// Loops that wait for $81, which NMIs count, or $82, which IRQs count; for either of the flags $84 and $85 that both set; for an operand of the
    /// loop at $0700, which NMIs change; one that never ends but for an IRQ that changes its way back; one that reads a chip, one that writes.
    const LOOPS: [&[u8]; 9] = [
        &[0xA5, 0x81, 0xC5, 0x81, 0xF0, 0xFC],
        &[0xAD, 0x82, 0x00, 0xEA, 0xCD, 0x82, 0x00, 0xF0, 0xFA],
        &[0xA6, 0x81, 0xE4, 0x81, 0xD0, 0x03, 0x4C, 0x02, 0xE0],
        &[
            0xA5, 0x84, 0xD0, 0x04, 0xA5, 0x85, 0xF0, 0xF8, 0xA9, 0x00, 0x85, 0x84, 0x85, 0x85,
        ],
        &[0x20, 0x00, 0x07],
        &[0xAD, 0x0B, 0xD4, 0xC9, 0x20, 0xD0, 0xF9],
        &[0xE6, 0x90, 0xD0, 0xFC],
        &[0xA2, 0x30, 0xCA, 0xD0, 0xFD],
        &[
            0xA5, 0x81, 0xA4, 0x81, 0xA4, 0x81, 0xA4, 0x81, 0xA4, 0x81, 0xA4, 0x81, 0xA4, 0x81,
            0xA4, 0x81, 0xA4, 0x81, 0xA4, 0x81, 0xA4, 0x81, 0xC5, 0x81, 0xF0, 0xE8,
        ],
    ];
    /// LDA RANDOM, ADC $86, STA $86: a wait that ends in another cycle shows.
    const LOG_TIME: [u8; 7] = [0xAD, 0x0A, 0xD2, 0x65, 0x86, 0x85, 0x86];

    fn machine(seed: &mut u64) -> Machine {
        let mut program = vec![0xA2, 0xF0, 0x9A, 0x58];
        while program.len() < 0x700 {
            let at = 0xE000 + program.len() as u16;
            let mut wait = LOOPS[below(seed, LOOPS.len() as u64)].to_vec();
            if let [.., 0x4C, low, high] = &mut wait[..] {
                [*low, *high] = (at + 2).to_le_bytes();
            }
            program.extend(wait);
            program.extend(LOG_TIME);
        }
        program.extend([0x4C, 0x00, 0xE0]);
        let mut os = vec![0xEA; 0x4000];
        os[0x2000..][..program.len()].copy_from_slice(&program);
        // INC $81, INC $0701, INC $84, RTI.
        let nmi = [0xE6, 0x81, 0xEE, 0x01, 0x07, 0xE6, 0x84, 0x40];
        os[0x3E00..][..nmi.len()].copy_from_slice(&nmi);
        // PHA, IRQEN = 0 and 2, INC $82, INC $85, PLA, RTI.
        let irq = [
            0x48, 0xA9, 0x00, 0x8D, 0x0E, 0xD2, 0xA9, 0x02, 0x8D, 0x0E, 0xD2, 0xE6, 0x82, 0xE6,
            0x85, 0x68, 0x40,
        ];
        os[0x3F00..][..irq.len()].copy_from_slice(&irq);
        os[0x3FFA..].copy_from_slice(&[0x00, 0xFE, 0x00, 0xE0, 0x00, 0xFF]);
        let config = Config::new(Model::Xl800, os.into());
        let mut machine = Machine::new(&config).unwrap();
        // LDA #n, CMP $87, BEQ $0700, STA $87, RTS.
        let in_memory = [0xA9, 0x00, 0xC5, 0x87, 0xF0, 0xFA, 0x85, 0x87, 0x60];
        let mut list = vec![0x70, 0x42, 0x00, 0x10];
        list.extend((0..20).map(|i| [0x02, 0x84, 0x0E, 0x70][i % 4]));
        list.extend([0x41, 0x00, 0x06]);
        for (start, bytes) in [(0x0700, &in_memory[..]), (0x0600, &list)] {
            for (address, byte) in (start..).zip(bytes) {
                machine.poke(address, *byte);
            }
        }
        let [timer_1, timer_2] = (300 + below(seed, 9000) as u16).to_le_bytes();
        let interrupts = [0x40, 0xC0][below(seed, 2)];
        #[rustfmt::skip]
        let setting = [
            (0xD402, 0x00), (0xD403, 0x06), (0xD400, 0x22), (0xD409, 0x30), (0xD40E, interrupts), (0xD20F, 0x03), (0xD208, 0x50),
            (0xD200, timer_1), (0xD202, timer_2), (0xD20E, 0x02), (0xD209, 0),
        ];
        for (register, data) in setting {
            machine.pins().write(register, data);
        }
        machine
    }

    #[test]
    fn programs_that_wait_come_to_the_same_states_cycle_by_cycle() {
        let mut waits = 0;
        for seed in 0..60 {
            let mut seed = seed;
            let mut machine = machine(&mut seed);
            let mut exact = machine.clone();
            for _ in 0..40 {
                let cycles = [1 + below(&mut seed, 300), below(&mut seed, 20_000)];
                let cycles = cycles[below(&mut seed, 2)] as u64;
                machine.run_cycles(cycles);
                for _ in 0..cycles {
                    exact.step_cycle();
                }
                assert!(machine == exact, "up to {:?}", machine.beam());
                let waiting = &machine.waiting;
                waits += u32::from(waiting.round != 0 && waiting.looks == 0);
                if below(&mut seed, 4) == 0 {
                    // The host changes what it waits for, or the loop.
                    let address = [0x81, 0x82, 0x84, 0x0703][below(&mut seed, 4)];
                    let byte = [0x87, 0x81][below(&mut seed, 2)];
                    machine.poke(address, byte);
                    exact.poke(address, byte);
                }
            }
            assert!(machine.save_state() == exact.save_state());
            assert!(!machine.cpu.is_jammed());
        }
        assert!(waits > 200, "{waits} of 2,400 pieces end in a wait");
    }
}
