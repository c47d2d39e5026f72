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

/// The last colour clock an image can begin at plus the width of the widest image.
const PLACES: usize = 256 + 32;

/// Which objects are lit, by colour clock.
pub struct Lit {
    /// Bits 0-3 players, 4-7 missiles.
    pub at: [u8; PLACES],
    /// The first colour clock with anything lit, and the one after the last.
    pub from: usize,
    pub to: usize,
    /// Objects collide between these colour clocks.
    open: usize,
    close: usize,
    /// For each object the others that it was on one spot with.
    pub met: [u8; 8],
}

/// A byte of $FF for each bit set, the leftmost bit first.
const fn bytes_of_bits() -> [u64; 256] {
    let mut table = [0; 256];
    let mut byte = 0usize;
    while byte < 256 {
        let mut bytes = [0; 8];
        let mut i = 0;
        while i < 8 {
            if byte << i & 0x80 != 0 {
                bytes[i] = 0xFF;
            }
            i += 1;
        }
        table[byte] = u64::from_le_bytes(bytes);
        byte += 1;
    }
    table
}

/// Colour clocks of a player by SIZE.
const WIDTHS: [usize; 4] = [8, 16, 8, 32];

/// Each bit of a nibble twice.
const DOUBLED: [u8; 16] = [
    0x00, 0x03, 0x0C, 0x0F, 0x30, 0x33, 0x3C, 0x3F, 0xC0, 0xC3, 0xCC, 0xCF, 0xF0, 0xF3, 0xFC, 0xFF,
];

/// The two bits of a missile by SIZE, in eight colour clocks.
const MISSILES: [[u8; 4]; 4] = [
    [0x00, 0x40, 0x80, 0xC0],
    [0x00, 0x30, 0xC0, 0xF0],
    [0x00, 0x40, 0x80, 0xC0],
    [0x00, 0x0F, 0xF0, 0xFF],
];

static BYTES: [u64; 256] = bytes_of_bits();
const EACH: u64 = 0x0101_0101_0101_0101;

impl Lit {
    /// Nothing is lit. Objects collide from colour clock `open` up to `close`.
    #[inline]
    pub fn new(open: usize, close: usize) -> Self {
        Self {
            at: [0; PLACES],
            from: PLACES,
            to: 0,
            open,
            close,
            met: [0; 8],
        }
    }

    /// What is lit in the eight colour clocks from `x` on.
    #[inline]
    pub fn word(&self, x: usize) -> u64 {
        let x = x & 0xFF;
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&self.at[x..x + 8]);
        u64::from_le_bytes(bytes)
    }

    /// Lights object `number` in eight colour clocks from `x` on.
    #[inline]
    fn light(&mut self, x: usize, pattern: u8, number: usize) {
        let x = x & 0xFF;
        let word = self.word(x);
        let places = BYTES[usize::from(pattern)];
        if word & places != 0 {
            self.meet(x, word & places, number);
        }
        let lit = word | places & (EACH << (number & 7));
        self.at[x..x + 8].copy_from_slice(&lit.to_le_bytes());
    }

    /// An object comes upon others in the eight colour clocks from `x` on.
    #[inline(never)]
    fn meet(&mut self, x: usize, others: u64, number: usize) {
        let mut met = 0;
        for (i, objects) in others.to_le_bytes().into_iter().enumerate() {
            if x + i >= self.open && x + i < self.close {
                met |= objects;
            }
        }
        self.met[number & 7] |= met;
        for (other, with) in self.met.iter_mut().enumerate() {
            *with |= (met >> other & 1) << (number & 7);
        }
    }

    /// The whole image of a player at `x`.
    #[inline]
    fn image(&mut self, x: usize, graf: u8, size: u8, number: usize) {
        match size {
            1 => {
                self.light(x, DOUBLED[usize::from(graf >> 4)], number);
                self.light(x + 8, DOUBLED[usize::from(graf & 15)], number);
            }
            3 => {
                let halves = [
                    DOUBLED[usize::from(graf >> 4)],
                    DOUBLED[usize::from(graf & 15)],
                ];
                for (i, half) in halves.into_iter().enumerate() {
                    self.light(x + 16 * i, DOUBLED[usize::from(half >> 4)], number);
                    self.light(x + 16 * i + 8, DOUBLED[usize::from(half & 15)], number);
                }
            }
            _ => self.light(x, graf, number),
        }
    }
}

impl Objects {
    /// Nothing to show in any case.
    #[inline]
    pub fn idle(&self) -> bool {
        u64::from_ne_bytes(self.graf) | u64::from_ne_bytes(self.shift) == 0
    }

    /// The objects that have something to show or to shift from colour clock `a` up to `b`: a byte each that is not 0.
    #[inline]
    pub fn active(&self, a: usize, b: usize) -> u64 {
        let length = b.wrapping_sub(a) as u8;
        let mut active = [0; 8];
        for (i, byte) in active.iter_mut().enumerate() {
            let triggered = self.hpos[i].wrapping_sub(a as u8) < length;
            *byte = u8::from(triggered).wrapping_neg() & self.graf[i] | self.shift[i];
        }
        u64::from_le_bytes(active)
    }

    /// Runs all shift registers from colour clock `a` up to `b`.
    ///
    /// The counter counts `(n + 1) & SIZE`; when it becomes 0 the register shifts. A match of HPOS makes it 0 (which shifts, unless it
    /// was 0) and ORs GRAF into what is left in the register (AHRM 6.5; Acid800 gtia_pmoverlap).
    pub fn run(&mut self, a: usize, b: usize, active: u64, lit: &mut Lit) {
        let mut active = active;
        while active != 0 {
            let i = (active.trailing_zeros() as usize / 8) & 7;
            active &= !(0xFF << (8 * i));
            let mut shift = self.shift[i];
            let hpos = usize::from(self.hpos[i]);
            let graf = self.graf[i];
            let size = self.size[i];
            let width = WIDTHS[usize::from(size & 3)] >> ((i & 4) / 2);
            if shift == 0 && hpos + width <= b {
                // The whole image lies in this stretch: nothing can disturb it.
                lit.from = lit.from.min(hpos);
                lit.to = lit.to.max(hpos + width);
                if i < 4 {
                    lit.image(hpos, graf, size, i);
                } else {
                    lit.light(
                        hpos,
                        MISSILES[usize::from(size & 3)][usize::from(graf >> 6)],
                        i,
                    );
                }
                self.state[i] = 0;
                continue;
            }
            let mut state = self.state[i];
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
                    lit.light(x, 0x80, i);
                }
                state = (state + 1) & size;
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
