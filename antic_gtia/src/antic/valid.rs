//! Checks that a state read from a file is one that the chip can be in.
use super::playfield::PLACES;
use super::registers::reg;
use super::{Antic, slot};
use crate::CYCLES;

impl Antic {
    /// True if every field is within the range that the rest of the chip relies on, in a frame of `lines` lines.
    pub fn is_valid(&self, lines: u16) -> bool {
        let within = |cycle: u8| usize::from(cycle) < CYCLES;
        let delayed = self
            .registers
            .delayed
            .get(..self.registers.delayed_count.into());
        let ring = |bits: u8| matches!(bits, 0 | 2 | 4 | 8);
        let t = &self.playfield.timing;
        self.lines == lines
            && self.line < lines
            // Without it no line would end.
            && self.schedule.slots[CYCLES] & slot::DEADLINE != 0
            && (self.registers.hscrol | self.registers.vscrol | self.registers.vscrol_end | self.list.row) <= 15
            && self.registers.chactl <= 7
            && self.registers.nmien & 0x3F == 0
            && self.registers.delayed_count < 4
            && delayed.is_some_and(|all| {
                all.iter().all(|d| {
                    within(d.due)
                        && matches!(d.register, reg::DMACTL | reg::CHACTL | reg::HSCROL | reg::CHBASE)
                })
            })
            && self.stop_at.is_none_or(within)
            && usize::from(self.playfield.clock_at) <= CYCLES
            && self.playfield.name_index < PLACES
            && self.playfield.glyph_index < PLACES
            && ring(t.ring)
            && ring(t.head_ring)
            && t.width <= 3
            && t.delay <= 7
            && self.playfield.pending.is_valid()
            && self.an.late <= 1
    }
}
