//! Whether a state read from a file is one that the chip can be in.
use super::playfield::PLACES;
use super::registers::reg;
use super::{Antic, slot};
use crate::CYCLES;

impl Antic {
    /// Whether every field is within the range that the rest of the chip relies on, in a frame of so many lines.
    pub fn is_valid(&self, lines: u16) -> bool {
        let within = |cycle: u8| usize::from(cycle) < CYCLES;
        let delayed = self.delayed.get(..self.delayed_count.into());
        let ring = |bits: u8| matches!(bits, 0 | 2 | 4 | 8);
        let t = &self.timing;
        self.lines == lines
            && self.line < lines
            // Without it no line would end.
            && self.slots[CYCLES] & slot::DEADLINE != 0
            && (self.hscrol | self.vscrol | self.vscrol_end | self.row) <= 15
            && self.chactl <= 7
            && self.nmien & 0x3F == 0
            && self.delayed_count < 4
            && delayed.is_some_and(|all| {
                all.iter().all(|d| {
                    within(d.due)
                        && matches!(d.register, reg::DMACTL | reg::CHACTL | reg::HSCROL | reg::CHBASE)
                })
            })
            && self.stop_at.is_none_or(within)
            && usize::from(self.clock_at) <= CYCLES
            && self.name_index < PLACES
            && self.glyph_index < PLACES
            && ring(t.ring)
            && ring(t.head_ring)
            && t.width <= 3
            && t.delay <= 7
            && self.pending.is_valid()
            && self.an.late <= 1
    }
}
