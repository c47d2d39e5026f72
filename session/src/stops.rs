//! Stopping at addresses, without a debugger.
use cpu6502::Cpu;
use machine::{Bus, Probe};

/// A probe that stops before an instruction at one of some addresses, or before the cycle that writes to one of others.
#[derive(Clone, Debug)]
pub struct Stops<'a> {
    instructions: &'a [u16],
    /// In ascending order.
    writes: &'a [u16],
    /// The processor has not moved on from where the last run stopped: DMA may halt it for a while.
    stands: bool,
}

impl<'a> Stops<'a> {
    /// For one run; with `stands`, the instruction or write before which the machine stands is passed. `writes` are in ascending order.
    pub fn new(instructions: &'a [u16], writes: &'a [u16], stands: bool) -> Self {
        Self {
            instructions,
            writes,
            stands,
        }
    }
}

impl Probe for Stops<'_> {
    const FETCHES: bool = false;

    fn cycle(&mut self, cpu: &Cpu, _bus: &Bus) -> bool {
        let stops = if cpu.at_instruction_start() {
            !cpu.at_interrupt_start() && self.instructions.contains(&cpu.pc)
        } else {
            cpu.next_is_write() && self.writes.binary_search(&cpu.next_address()).is_ok()
        };
        self.stands &= stops;
        stops && !self.stands
    }
}
