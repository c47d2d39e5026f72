//! Players and missiles: shift registers, triggers and sizes.
use crate::FIRST_VISIBLE;
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

/// Words of a row of bits, one for each colour clock from [`FIRST_VISIBLE`] on, the lowest first. The last two are never seen.
const WORDS: usize = 5;
/// Words with bits that are seen.
pub const SEEN: usize = 3;

/// Which objects are lit, as bits by colour clock.
pub struct Lit {
    /// The bits of each object.
    pub planes: [[u64; WORDS]; 8],
    /// Where any is lit, and where more than one.
    pub any: [u64; WORDS],
    pub several: [u64; WORDS],
}

/// The image of each GRAF by SIZE, a bit for each colour clock, the leftmost lowest. A missile's is that of its two bits alone.
const fn images() -> [[u32; 256]; 4] {
    let widths = [1, 2, 1, 4];
    let mut table = [[0; 256]; 4];
    let mut size = 0;
    while size < 4 {
        let mut graf = 0usize;
        while graf < 256 {
            let mut x = 0;
            while x < 8 * widths[size] {
                if graf << (x / widths[size]) & 0x80 != 0 {
                    table[size][graf] |= 1 << x;
                }
                x += 1;
            }
            graf += 1;
        }
        size += 1;
    }
    table
}

static IMAGES: [[u32; 256]; 4] = images();
const EACH: u64 = 0x0101_0101_0101_0101;

impl Lit {
    /// Nothing is lit.
    #[inline]
    pub fn new() -> Self {
        Self {
            planes: [[0; WORDS]; 8],
            any: [0; WORDS],
            several: [0; WORDS],
        }
    }

    /// Lights object `number` from colour clock `x` on.
    #[inline]
    fn light(&mut self, number: usize, x: usize, image: u32) {
        let mut image = u64::from(image);
        let mut place = x.wrapping_sub(FIRST_VISIBLE);
        if x < FIRST_VISIBLE {
            image >>= (FIRST_VISIBLE - x) & 63;
            place = 0;
        }
        let word = place >> 6 & 3;
        let shift = place as u32 & 63;
        for (word, bits) in [
            (word, image << shift),
            (word + 1, image >> 1 >> (63 - shift)),
        ] {
            self.planes[number & 7][word] |= bits;
            self.several[word] |= self.any[word] & bits;
            self.any[word] |= bits;
        }
    }

    /// The objects that are lit at a bit of a word.
    #[inline]
    pub fn objects(&self, word: usize, bit: usize) -> u8 {
        let mut objects = 0;
        for (i, plane) in self.planes.iter().enumerate() {
            objects |= ((plane[word] >> (bit & 63) & 1) as u8) << i;
        }
        objects
    }
}

const HIGH: u64 = 0x80 * EACH;

/// The differences of bytes.
#[inline]
fn sub(a: u64, b: u64) -> u64 {
    ((a | HIGH) - (b & !HIGH)) ^ ((a ^ !b) & HIGH)
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
        // Bytes that are less than the stretch is long are places in it.
        let places = sub(u64::from_le_bytes(self.hpos), EACH * (a & 0xFF) as u64);
        let length = EACH * ((b - a) & 0xFF) as u64;
        let less = (!places & length | (!places | length) & sub(places, length)) & HIGH;
        let triggered = (less >> 7) * 0xFF;
        u64::from_le_bytes(self.graf) & triggered | u64::from_le_bytes(self.shift)
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
            let image = IMAGES[usize::from(size & 3)][usize::from(graf)];
            if shift == 0 && hpos + 32 - image.leading_zeros() as usize <= b {
                // The whole image lies in this stretch: nothing can disturb it.
                lit.light(i, hpos, image);
                self.state[i] = 0;
                continue;
            }
            let mut state = self.state[i];
            let mut x = if shift == 0 { hpos } else { a };
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
                    lit.light(i, x, 1);
                }
                state = (state + 1) & size;
                if state == 0 {
                    shift <<= 1;
                }
                x += 1;
            }
            self.shift[i] = shift;
            self.state[i] = state;
        }
    }
}
