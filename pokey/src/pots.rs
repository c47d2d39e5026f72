//! The pot (paddle) scan (Altirra Hardware Reference Manual 5.9).

use crate::Pokey;
use serde::{Deserialize, Serialize};

/// Cycles from leaving initialization mode to the first 15 kHz tick as the counter sees it, and between ticks. AHRM 5.9 has 81; two public
/// test programs that pass on real machines read the counter's step one cycle earlier.
const FIRST_TICK: u64 = 80;
const TICK: u64 = 114;
/// The count at which a scan ends; a fast one runs one further before it is stopped.
const LAST: u64 = 228;

/// State of the scan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pots {
    /// Count at which each input reaches its threshold; 228 = not within a scan.
    position: [u8; 8],
    /// These counts as they were when the scan began.
    scanned: [u8; 8],
    /// The counter at cycle `since`, before that cycle's step.
    count: u64,
    since: u64,
}

impl Pots {
    pub(crate) fn new() -> Self {
        Self {
            position: [228; 8],
            scanned: [228; 8],
            count: LAST + 2,
            since: 0,
        }
    }

    /// True if the scan can be in this state.
    pub(crate) fn is_valid(&self, now: u64) -> bool {
        let positions = self.position.iter().chain(&self.scanned);
        positions.copied().all(|p| u64::from(p) <= LAST)
            && self.count <= LAST + 2
            && self.since <= now + 2
    }
}

impl Pokey {
    /// Sets the position of pot `index` (0..=7): the value its register reaches from the next scan on, 0..=228.
    pub fn set_pot(&mut self, index: usize, position: u8) {
        if let Some(pot) = self.pots.position.get_mut(index) {
            *pot = position.min(LAST as u8);
        }
    }

    /// SKCTL bit 2: the machine clock drives the counter.
    fn fast_pots(&self) -> bool {
        self.skctl & 4 != 0
    }

    /// The scan counter before and after its step in cycle `now`, as if it never ended.
    fn pot_count(&self, now: u64) -> (u64, u64) {
        let Pots { count, since, .. } = self.pots;
        if self.fast_pots() {
            let before = count + now.saturating_sub(since);
            return (before, before + u64::from(now >= since));
        }
        if self.in_init() {
            return (count, count);
        }
        let first = self.clock_epoch + FIRST_TICK;
        let ticks = |before: u64| before.saturating_sub(first).div_ceil(TICK);
        let count_before = |t: u64| count + ticks(t) - ticks(since).min(ticks(t));
        (count_before(now), count_before(now + 1))
    }

    /// POTGO: the counter is cleared in the cycle after the write and steps from there on.
    pub(crate) fn start_pots(&mut self, now: u64) {
        self.pots.scanned = self.pots.position;
        self.pots.count = 0;
        self.pots.since = now + 2;
    }

    /// To be called before SKCTL changes the counter's clock.
    pub(crate) fn settle_pots(&mut self, now: u64) {
        let (_, count) = self.pot_count(now);
        self.pots.count = count.min(LAST + 2);
        self.pots.since = self.pots.since.max(now + 1);
    }

    /// POT0-POT7. While the counter steps, a read gets the bits that are 1 both before and after.
    #[inline(never)]
    pub(crate) fn read_pot(&self, i: usize, now: u64) -> u8 {
        let (before, after) = self.pot_count(now);
        let position = u64::from(self.pots.scanned[i]);
        let last = if self.fast_pots() {
            // Charging takes 114 times as long as a count: no paddle ends within a fast scan.
            LAST + 1
        } else if after > position {
            return position as u8;
        } else {
            LAST
        };
        (before.min(last) & after.min(last)) as u8
    }

    /// ALLPOT: 1 = still counting; all 0 from one or two cycles after the last step.
    #[inline(never)]
    pub(crate) fn read_allpot(&self, now: u64) -> u8 {
        if self.fast_pots() {
            return if self.pot_count(now).0 > LAST {
                0
            } else {
                0xFF
            };
        }
        if self.pot_count(now.saturating_sub(1)).0 >= LAST {
            return 0;
        }
        let (_, after) = self.pot_count(now);
        (0..8).fold(0, |bits, i| {
            bits | u8::from(after <= u64::from(self.pots.scanned[i])) << i
        })
    }
}
