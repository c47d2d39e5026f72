//! The DMA and events of each cycle of a line.
use super::plan::Plan;
use crate::CYCLES;
use core::ops::Deref;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The events of a machine cycle. A slot of 0 belongs to the processor and nothing else happens in it.
pub mod slot {
    /// ANTIC fetches a character name.
    pub const NAME: u8 = 0x01;
    /// ANTIC fetches a row of a glyph.
    pub const GLYPH: u8 = 0x02;
    /// ANTIC fetches a bitmap byte.
    pub const BITMAP: u8 = 0x04;
    /// Memory refresh.
    pub const REFRESH: u8 = 0x08;
    /// Missile (cycle 0), player (2 to 5) or address (6 and 7) fetch.
    pub const SPECIAL: u8 = 0x10;
    /// The playfield fetch does not take the bus: the byte is whatever is there.
    pub const VIRTUAL: u8 = 0x20;
    /// [`Antic::event`](super::super::Antic::event) has something to do before the cycle.
    pub const EVENT: u8 = 0x40;
    /// For the machine: a deadline of its own, or the end of the line.
    pub const DEADLINE: u8 = 0x80;
    /// The bits that the plan of the line fills in.
    pub const DMA: u8 = 0x3F;
}

/// The slots that a plan fills in.
pub type Planned = [u8; 128];

/// The slots of a line: 114 cycles, the end of the line at 114, and room for any byte as index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slots {
    slots: [u8; 256],
    /// A bit for each of the first 128 that is more than the processor's or ordinary DMA; follows from them.
    special: Special,
}

/// A bit for each cycle.
pub(super) type Special = [u64; 2];

const EACH: u64 = 0x0101_0101_0101_0101;
const NO_DMA: u64 = EACH * !slot::DMA as u64;

/// The bits of [`Slots::special`].
pub(super) const fn special(slots: &[u8]) -> Special {
    let mut bits = [0; 2];
    let mut cycle = 0;
    while cycle < 128 {
        if slots[cycle] >= slot::SPECIAL {
            bits[cycle / 64] |= 1 << (cycle % 64);
        }
        cycle += 1;
    }
    bits
}

/// Bit 0 of each byte, as one byte.
#[inline]
const fn gather(bytes: u64) -> u64 {
    bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The bits of a byte, one in each byte.
#[inline]
pub(super) const fn spread(bits: u8) -> u64 {
    let apart = (bits as u64 * EACH) & 0x8040_2010_0804_0201;
    (apart + EACH * 0x7F) >> 7 & EACH
}

/// The lowest `count` bits.
const fn low_bits(count: usize) -> u64 {
    if count < 64 { (1 << count) - 1 } else { !0 }
}

impl Default for Slots {
    fn default() -> Self {
        Self {
            slots: [0; 256],
            special: [0; 2],
        }
    }
}

impl Deref for Slots {
    type Target = [u8; 256];

    #[inline]
    fn deref(&self) -> &[u8; 256] {
        &self.slots
    }
}

impl Slots {
    /// Those of a plan.
    #[inline]
    pub(super) fn plan(&mut self, plan: &Plan) {
        self.slots[..128].copy_from_slice(&plan.slots);
        self.special = plan.special;
    }

    /// Puts the DMA of a plan in place of the old one, from `cycle` on.
    pub(super) fn replan(&mut self, cycle: usize, plan: &Plan) {
        match cycle {
            0 => self.replan_from(0, &plan.slots, plan.special),
            2 => self.replan_from(2, &plan.slots, plan.special),
            _ => self.replan_from(cycle, &plan.slots, plan.special),
        }
    }

    /// Puts other DMA in the slots from `first` on; `special` follows from `planned`.
    // From a known cycle on it is a third as long.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(super) fn replan_from(&mut self, first: usize, planned: &Planned, special: Special) {
        let (old, _) = self.slots[..128].as_chunks_mut::<8>();
        let (new, _) = planned.as_chunks::<8>();
        let mut passed = low_bits(8 * (first % 8));
        for (old, new) in old.iter_mut().zip(new).skip(first / 8) {
            let new = u64::from_le_bytes(*new) & !passed;
            *old = (u64::from_le_bytes(*old) & (NO_DMA | passed) | new).to_le_bytes();
            passed = 0;
        }
        let mut before = self.special;
        for (word, first) in [first, first.saturating_sub(64)].into_iter().enumerate() {
            let passed = low_bits(first);
            self.special[word] = before[word] & passed | special[word] & !passed;
            before[word] &= !passed;
        }
        self.each(before, Self::update);
    }

    /// Sets bits of a slot.
    #[inline]
    pub(super) fn add(&mut self, cycle: usize, bits: u8) {
        self.slots[cycle & 127] |= bits;
        if bits >= slot::SPECIAL {
            self.special[cycle >> 6 & 1] |= 1 << (cycle & 63);
        }
    }

    /// Sets [`slot::EVENT`] of the slots with DMA from `from` to `to`, which are less than 24. The list's instruction, which takes the bus without
    /// being DMA here, has that.
    pub(super) fn watch(&mut self, from: usize, to: usize) {
        let (eights, _) = self.slots.as_chunks_mut::<8>();
        for (word, eight) in eights.iter_mut().take(3).enumerate() {
            let wanted = low_bits(8 * (to + 1).saturating_sub(8 * word))
                & !low_bits(8 * from.saturating_sub(8 * word));
            let dma = u64::from_le_bytes(*eight) & !NO_DMA & wanted;
            // Bit 0 of each byte with DMA: its six bits and this carry into bit 6.
            let watched = (dma + EACH * u64::from(slot::DMA)) >> 6 & EACH;
            *eight = (u64::from_le_bytes(*eight) | watched * u64::from(slot::EVENT)).to_le_bytes();
            self.special[0] |= gather(watched) << (8 * word);
        }
    }

    /// Sets [`slot::EVENT`] of four slots from `from` on, which is less than 60.
    #[inline]
    pub(super) fn watch_four(&mut self, from: usize) {
        if let Some(four) = self.slots[from..].first_chunk_mut::<4>() {
            let flags = u32::from_le_bytes([slot::EVENT; 4]);
            *four = (u32::from_le_bytes(*four) | flags).to_le_bytes();
            self.special[0] |= 0xF << (from & 63);
        }
    }

    /// Takes bits out of a slot.
    #[inline]
    pub(super) fn remove(&mut self, cycle: usize, bits: u8) {
        self.slots[cycle & 127] &= !bits;
        self.update(cycle);
    }

    /// Takes the DMA out of slots 2 to 7.
    #[inline]
    pub(super) fn remove_head(&mut self) {
        if let Some(head) = self.slots.first_chunk_mut::<8>() {
            let left = u64::from_le_bytes(*head) & (NO_DMA | low_bits(16));
            *head = left.to_le_bytes();
            // Bit 0 of each byte: the slot still has EVENT or DEADLINE.
            let special = (left | left << 1) >> 7 & EACH;
            self.special[0] = self.special[0] & !0xFC | gather(special);
        }
    }

    /// [`slot::SPECIAL`] of those of the first eight slots that are before `cycle`.
    pub(super) fn head_before(&self, cycle: usize) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.slots;
        let head = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
        let to_come = u64::MAX.checked_shl(8 * cycle as u32).unwrap_or(0);
        head & !to_come & (EACH * u64::from(slot::SPECIAL))
    }

    /// Leaves [`slot::SPECIAL`] in some of the first eight slots only.
    pub(super) fn set_head(&mut self, fetches: u64) {
        if let Some(head) = self.slots.first_chunk_mut::<8>() {
            let others = u64::from_le_bytes(*head) & !(EACH * u64::from(slot::SPECIAL));
            let slots = others | fetches;
            *head = slots.to_le_bytes();
            let special = (slots >> 4 | slots >> 5 | slots >> 6 | slots >> 7) & EACH;
            self.special[0] = self.special[0] & !0xFF | gather(special);
        }
    }

    /// Adds [`slot::SPECIAL`] to some of the first eight slots.
    #[inline]
    pub(super) fn add_to_head(&mut self, fetches: u64) {
        if let Some(head) = self.slots.first_chunk_mut::<8>() {
            *head = (u64::from_le_bytes(*head) | fetches).to_le_bytes();
            self.special[0] |= gather(fetches / u64::from(slot::SPECIAL));
        }
    }

    /// Takes bits out of all slots but that of the end of the line.
    pub(super) fn remove_all(&mut self, bits: u8) {
        let mut line = self.special;
        line[CYCLES >> 6] &= !(1 << (CYCLES & 63));
        self.each(line, |slots, cycle| slots.remove(cycle, bits));
    }

    /// The first cycle from `cycle` on with more than ordinary DMA, or `limit` if that is before.
    #[inline]
    pub(super) fn next_special(&self, cycle: usize, limit: usize) -> usize {
        let word = cycle >> 6 & 1;
        let ahead = self.special[word] >> (cycle & 63);
        let next = if ahead != 0 {
            cycle + ahead.trailing_zeros() as usize
        } else if word == 0 {
            64 + self.special[1].trailing_zeros() as usize
        } else {
            limit
        };
        limit.min(next)
    }

    /// True if `cycle` or the one after it has more than ordinary DMA.
    #[inline]
    pub fn is_special_in_two(&self, cycle: u8) -> bool {
        const MORE: u16 = u16::from_le_bytes([!(slot::SPECIAL - 1); 2]);
        let at = usize::from(cycle & 127);
        u16::from_le_bytes([self.slots[at], self.slots[at + 1]]) & MORE != 0
    }

    /// Calls `act` for each cycle of a set.
    fn each(&mut self, cycles: Special, mut act: impl FnMut(&mut Self, usize)) {
        for (first, mut cycles) in [0, 64].into_iter().zip(cycles) {
            while cycles != 0 {
                act(self, first + cycles.trailing_zeros() as usize);
                cycles &= cycles - 1;
            }
        }
    }

    /// Sets the bit of [`Slots::special`] as its slot asks for.
    #[inline]
    fn update(&mut self, cycle: usize) {
        let special = self.slots[cycle & 127] >= slot::SPECIAL;
        let word = &mut self.special[cycle >> 6 & 1];
        *word = *word & !(1 << (cycle & 63)) | u64::from(special) << (cycle & 63);
    }
}

impl Serialize for Slots {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_bytes::serialize(&self.slots, serializer)
    }
}

impl<'de> Deserialize<'de> for Slots {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let slots: [u8; 256] = serde_bytes::deserialize(deserializer)?;
        Ok(Self {
            special: special(&slots),
            slots,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::antic::plan::{Timing, plan_of};

    /// Steps of a generator (Knuth's MMIX).
    fn next(seed: &mut u64) -> usize {
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 40) as usize
    }

    /// One of the plans.
    fn some_plan(seed: &mut u64) -> &'static Plan {
        let n = next(seed);
        let (ring, bits) = ([0, 2, 4, 8][n & 3], (n >> 4) as u8);
        plan_of(&Timing::plain(
            ring,
            n & 4 != 0,
            n & 8 != 0,
            bits & 3,
            bits >> 2 & 7,
        ))
    }

    #[test]
    fn bits_say_which_slots_are_special_and_the_next_one_is_found() {
        let mut seed = 1;
        let mut slots = Slots::default();
        for _ in 0..20_000 {
            let (cycle, bits) = (next(&mut seed) % CYCLES, next(&mut seed) as u8);
            match next(&mut seed) % 16 {
                0 => slots.plan(some_plan(&mut seed)),
                1 => slots.replan(cycle, some_plan(&mut seed)),
                2 if bits & 1 != 0 => slots.remove_head(),
                2 => slots.set_head(seed & EACH * u64::from(slot::SPECIAL)),
                // Few of the cases above would be left with more of these.
                3 if bits & 3 == 0 => slots.add_to_head(seed & EACH * u64::from(slot::SPECIAL)),
                3 => slots.remove_all(bits),
                4 => slots.watch_four(cycle % 60),
                5 if bits & 1 != 0 => slots.watch(cycle % 24, next(&mut seed) % 24),
                5..=9 => slots.remove(cycle, bits),
                _ => slots.add(cycle, bits & slot::DMA),
            }
            assert_eq!(slots.special, special(&slots.slots));
            let limit = cycle + next(&mut seed) % (CYCLES + 1 - cycle);
            let found = (cycle..limit).find(|&cycle| slots[cycle] >= slot::SPECIAL);
            assert_eq!(slots.next_special(cycle, limit), found.unwrap_or(limit));
        }
    }
}
