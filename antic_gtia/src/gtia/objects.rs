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

/// Words of a row of bits, one for each colour clock, the lowest first. Words 1 to 3 are seen; five are used.
const WORDS: usize = 8;
/// Bits before colour clock 0: word 1 begins with the first colour clock that is seen.
pub const LEAD: usize = 64 - FIRST_VISIBLE;

/// A part of an object's image.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// The lit colour clocks as bits of a word.
    pub bits: u64,
    /// Which word.
    pub word: u8,
    /// The object's number.
    pub number: u8,
}

/// Which objects are lit in the stretch that is being drawn. Between two stretches it means nothing, so it is no state.
#[derive(Clone, Debug)]
pub struct Lit {
    spans: [Span; Self::SPANS],
    count: usize,
    /// Where any is lit, and where more than one.
    pub any: [u64; WORDS],
    pub several: [u64; WORDS],
}

/// Colour clocks of a bit by SIZE, as a power of two.
const PERIODS: [u32; 4] = [0, 1, 0, 2];

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

impl Default for Lit {
    fn default() -> Self {
        Self {
            spans: [Span::default(); Self::SPANS],
            count: 0,
            any: [0; WORDS],
            several: [0; WORDS],
        }
    }
}

impl PartialEq for Lit {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Lit {}

impl Lit {
    /// Enough for eight objects that are lit in all five words before and after HPOS.
    const SPANS: usize = 128;

    /// Nothing is lit.
    #[inline]
    pub fn clear(&mut self) {
        self.count = 0;
        self.any = [0; WORDS];
        self.several = [0; WORDS];
    }

    /// Lights object `number` from colour clock `x` on.
    #[inline]
    fn light(&mut self, number: usize, x: usize, image: u32) {
        let place = x + LEAD;
        let word = place >> 6;
        let image = u64::from(image);
        if word != 0 {
            self.add(number, word, image << (place & 63));
        }
        let rest = image >> 1 >> (63 - (place & 63));
        if rest != 0 {
            self.add(number, word + 1, rest);
        }
    }

    /// Lights object `number` from colour clock `a` up to `b`.
    #[inline(never)]
    fn fill(&mut self, number: usize, a: usize, b: usize) {
        let mut words = [0; WORDS];
        for place in a + LEAD..b + LEAD {
            words[place >> 6 & (WORDS - 1)] |= 1 << (place & 63);
        }
        for (word, bits) in words.into_iter().enumerate() {
            if bits != 0 {
                self.add(number, word, bits);
            }
        }
    }

    #[inline]
    fn add(&mut self, number: usize, word: usize, bits: u64) {
        let word = word & (WORDS - 1);
        self.several[word] |= self.any[word] & bits;
        self.any[word] |= bits;
        self.spans[self.count & (Self::SPANS - 1)] = Span {
            bits,
            word: word as u8,
            number: number as u8,
        };
        self.count += 1;
    }

    /// The parts of images.
    #[inline]
    pub fn spans(&self) -> &[Span] {
        self.spans.get(..self.count).unwrap_or(&self.spans)
    }

    /// The objects that are lit at one bit of a word.
    pub fn objects(&self, word: usize, bit: u64) -> u8 {
        self.spans().iter().fold(0, |objects, span| {
            let lit = usize::from(span.word) == word && span.bits & bit != 0;
            objects | u8::from(lit) << (span.number & 7)
        })
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
            let hpos = usize::from(self.hpos[i]);
            let size = self.size[i] & 3;
            let period = PERIODS[usize::from(size)];
            let mut shift = self.shift[i];
            if shift == 0 && hpos + 32 <= b {
                // The image ends in this stretch, and nothing is before it: the usual case of what follows.
                lit.light(
                    i,
                    hpos,
                    IMAGES[usize::from(size)][usize::from(self.graf[i])],
                );
                self.state[i] = 0;
                continue;
            }
            let mut state = self.state[i];
            let again = hpos.wrapping_sub(a) < b - a;
            if shift != 0 && a + 32 <= b && !again && !(size == 2 && matches!(state, 1 | 2)) {
                // What is left of an image ends in this stretch, and nothing disturbs it.
                let passed = state & ((1 << period) - 1);
                let image = IMAGES[usize::from(size)][usize::from(shift)] >> passed;
                lit.light(i, a, image);
                self.shift[i] = 0;
                self.state[i] = 0;
                continue;
            }
            let mut x = if shift == 0 { hpos } else { a };
            loop {
                if x == hpos {
                    if state != 0 {
                        shift <<= 1;
                        state = 0;
                    }
                    shift |= self.graf[i];
                }
                // Nothing disturbs the register up to here.
                let end = if x < hpos && hpos < b { hpos } else { b };
                if size == 2 && matches!(state, 1 | 2) {
                    // The counter never comes to 0.
                    state = 2;
                    if shift & 0x80 != 0 {
                        lit.fill(i, x, end);
                    }
                } else {
                    let passed = state & ((1 << period) - 1);
                    let image = IMAGES[usize::from(size)][usize::from(shift)] >> passed;
                    let cut = !0 << (end - x).min(31) << u32::from(end - x > 31);
                    lit.light(i, x, image & !cut);
                    let passed = usize::from(passed) + (end - x);
                    let bits = passed >> period;
                    shift = if bits < 8 { shift << bits } else { 0 };
                    state = if shift == 0 {
                        0
                    } else {
                        passed as u8 & ((1 << period) - 1)
                    };
                }
                x = end;
                if x == b {
                    break;
                }
            }
            self.shift[i] = shift;
            self.state[i] = state;
        }
    }
}
