//! Stopping at addresses, without a debugger.
use cpu6502::Cpu;
use machine::{Bus, Probe};

/// A probe that stops before an instruction at one of some addresses.
#[derive(Clone, Debug)]
pub struct Stops<'a> {
    addresses: &'a [u16],
    /// The processor has not moved on from where the last run stopped: DMA may halt it for a while.
    stands: bool,
}

impl<'a> Stops<'a> {
    /// For one run; with `stands`, the instruction before which the machine stands is passed.
    pub fn new(addresses: &'a [u16], stands: bool) -> Self {
        Self { addresses, stands }
    }
}

impl Probe for Stops<'_> {
    const FETCHES: bool = false;

    fn cycle(&mut self, cpu: &Cpu, _bus: &Bus) -> bool {
        let starts = cpu.at_instruction_start() && !cpu.at_interrupt_start();
        self.stands &= starts;
        starts && !self.stands && self.addresses.contains(&cpu.pc)
    }
}
