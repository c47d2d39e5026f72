//! The pot (paddle) scan (Altirra Hardware Reference Manual 5.9).

use crate::Pokey;
use serde::{Deserialize, Serialize};

/// Cycles from leaving initialization mode to the first 15 kHz tick, and between ticks.
const FIRST_TICK: u64 = 81;
const TICK: u64 = 114;
/// The count at which a slow scan ends.
const LAST: u64 = 228;

/// State of the scan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pots {
    /// Count at which each input reaches its threshold; 228 or more = never within a scan.
    position: [u8; 8],
    /// What the registers hold outside a scan, and for the inputs that have reached their threshold.
    latch: [u8; 8],
    /// Cycle of the last POTGO write.
    started: u64,
    /// The count when the clock was last changed, and the cycle of that.
    count: u64,
    since: u64,
}

impl Pots {
    pub(crate) fn new() -> Self {
        Self {
            position: [228; 8],
            latch: [228; 8],
            started: 0,
            count: LAST + 1,
            since: 0,
        }
    }
}

impl Pokey {
    /// Sets the position of pot `index` (0..=7): the value its register reaches, 0..=228.
    pub fn set_pot(&mut self, index: usize, position: u8) {
        if let Some(pot) = self.pots.position.get_mut(index) {
            *pot = position.min(228);
        }
    }

    fn fast_pots(&self) -> bool {
        self.skctl & 4 != 0
    }

    /// Ticks of the 15 kHz clock in cycles `from < t <= to`.
    fn ticks_between(&self, from: u64, to: u64) -> u64 {
        if self.in_init() {
            return 0;
        }
        let first = self.clock_epoch + FIRST_TICK;
        let upto = |t: u64| if t < first { 0 } else { (t - first) / TICK + 1 };
        upto(to) - upto(from).min(upto(to))
    }

    /// The scan counter in cycle `now` (not limited), before and after a step in this very cycle.
    fn pot_count(&self, now: u64) -> (u64, u64) {
        if self.fast_pots() {
            // The counter is cleared in the cycle after the write and then changes every cycle.
            let n =
                now.saturating_sub(self.pots.since.max(self.pots.started + 2)) + self.pots.count;
            (n, n + 1)
        } else {
            let after = self.pots.count + self.ticks_between(self.pots.since, now);
            let before = self.pots.count + self.ticks_between(self.pots.since, now.max(1) - 1);
            (before, after)
        }
    }

    pub(crate) fn start_pots(&mut self, now: u64) {
        self.pots.started = now;
        self.pots.since = now;
        self.pots.count = 0;
    }

    /// To be called before SKCTL changes.
    pub(crate) fn settle_pots(&mut self, now: u64) {
        for i in 0..8 {
            self.pots.latch[i] = self.read_pot(i, now);
        }
        let (_, after) = self.pot_count(now);
        self.pots.count = after.min(LAST + 1);
        self.pots.since = now;
    }

    /// POT0-POT7.
    pub(crate) fn read_pot(&self, i: usize, now: u64) -> u8 {
        let (before, after) = self.pot_count(now);
        let position = u64::from(self.pots.position[i]);
        if self.fast_pots() {
            // A threshold counts lines; the fast scan is over long before, unless the input is already there.
            if after > 229 || self.pots.count > LAST {
                229
            } else {
                (before & after) as u8
            }
        } else if before > LAST {
            self.pots.latch[i]
        } else if after > position || after >= LAST && before >= LAST {
            position.min(LAST) as u8
        } else {
            (before & after) as u8
        }
    }

    /// ALLPOT: 1 = still counting.
    pub(crate) fn read_allpot(&self, now: u64) -> u8 {
        let (_, after) = self.pot_count(now);
        let over = if self.fast_pots() {
            after > 229
        } else {
            self.pot_count(now.saturating_sub(2)).1 >= LAST
        };
        if over {
            return 0;
        }
        let mut bits = 0;
        for i in 0..8 {
            if self.fast_pots() || after <= u64::from(self.pots.position[i]) {
                bits |= 1 << i;
            }
        }
        bits
    }
}
