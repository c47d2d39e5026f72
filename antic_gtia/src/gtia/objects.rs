//! Players and missiles: shift registers, triggers and sizes.
use serde::{Deserialize, Serialize};

/// Players are 0 to 3, missiles 4 to 7: the bit numbers in a byte that says which are lit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Objects {
    /// GRAFP0-3; for missiles their two bits at the top.
    pub graf: [u8; 8],
    /// The bits not yet shifted out; bit 7 is on the screen.
    pub shift: [u8; 8],
    /// Counts the colour clocks of a bit.
    pub state: [u8; 8],
    /// SIZEP0-3, and SIZEM two bits each.
    pub size: [u8; 8],
    /// HPOSP0-3, HPOSM0-3.
    pub hpos: [u8; 8],
}

/// Which objects are lit, by colour clock.
pub struct Lit {
    /// Bits 0-3 players, 4-7 missiles.
    pub at: [u8; 256],
    /// The first colour clock with anything lit, and the one after the last.
    pub from: usize,
    pub to: usize,
}

impl Objects {
    /// Nothing to show in any case.
    #[inline]
    pub fn idle(&self) -> bool {
        u64::from_ne_bytes(self.graf) | u64::from_ne_bytes(self.shift) == 0
    }

    /// Whether [`Objects::run`] would do anything from colour clock `a` up to `b`.
    #[inline]
    pub fn active(&self, a: usize, b: usize) -> bool {
        if u64::from_ne_bytes(self.shift) != 0 {
            return true;
        }
        let length = b.wrapping_sub(a);
        (0..8).any(|i| self.graf[i] != 0 && usize::from(self.hpos[i]).wrapping_sub(a) < length)
    }

    /// Runs all shift registers from colour clock `a` up to `b`.
    ///
    /// The counter counts `(n + 1) & SIZE`; when it becomes 0 the register shifts. A match of HPOS makes it 0 (which shifts, unless it
    /// was 0) and ORs GRAF into what is left in the register (AHRM 6.5; Acid800 gtia_pmoverlap).
    pub fn run(&mut self, a: usize, b: usize, lit: &mut Lit) {
        for i in 0..8 {
            let mut shift = self.shift[i];
            let hpos = usize::from(self.hpos[i]);
            let triggered = hpos.wrapping_sub(a) < b.wrapping_sub(a);
            if shift == 0 && !(triggered && self.graf[i] != 0) {
                continue;
            }
            let graf = self.graf[i];
            let size = self.size[i];
            let mut state = self.state[i];
            let bit = 1 << i;
            let mut x = if shift == 0 { hpos } else { a };
            lit.from = lit.from.min(x);
            while x < b {
                if x == hpos {
                    if state != 0 {
                        shift <<= 1;
                        state = 0;
                    }
                    shift |= graf;
                }
                if shift == 0 {
                    if hpos > x && hpos < b {
                        x = hpos;
                        continue;
                    }
                    break;
                }
                if shift & 0x80 != 0 {
                    lit.at[x & 255] |= bit;
                }
                state = state + 1 & size;
                if state == 0 {
                    shift <<= 1;
                }
                x += 1;
            }
            lit.to = lit.to.max(x);
            self.shift[i] = shift;
            self.state[i] = state;
        }
    }
}
