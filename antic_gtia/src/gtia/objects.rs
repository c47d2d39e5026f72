//! Players and missiles: shift registers, triggers and sizes.
use serde::{Deserialize, Serialize};

/// Players are 0 to 3, missiles 4 to 7: the bit numbers in a byte that says which are lit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Objects {
    /// GRAFP0-3; for missiles their two bits at the top.
    pub graf: [u8; 8],
    /// The graphics latches that HPOS loads: GRAF, or its value before a write that comes after HPOS, in the part of the line that has not been
    /// drawn.
    #[serde(skip)]
    pub load: [u8; 8],
    /// The bits not yet shifted out; bit 7 is on the screen.
    pub shift: [u8; 8],
    /// Counts the colour clocks of a bit.
    pub state: [u8; 8],
    /// SIZEP0-3, and SIZEM two bits each.
    pub size: [u8; 8],
    /// HPOSP0-3, HPOSM0-3.
    pub hpos: [u8; 8],
}

/// Draws images of objects. Bit n of an image is lit at colour clock `x` + n.
pub trait Paint {
    /// Draws an image.
    fn paint(&mut self, number: usize, x: usize, image: u32);

    /// [`Self::paint`] where it seldom happens.
    #[inline(never)]
    fn paint_part(&mut self, number: usize, x: usize, image: u32) {
        self.paint(number, x, image);
    }
}

/// A painter for parts of the line where nothing is seen.
pub struct Hidden;

impl Paint for Hidden {
    #[inline]
    fn paint(&mut self, _: usize, _: usize, _: u32) {}
}

/// Colour clocks of a bit by SIZE, as a power of two.
const PERIODS: [u32; 4] = [0, 1, 0, 2];

/// The image of each GRAF by SIZE, a bit for each colour clock, the leftmost lowest. A missile's image has only its two bits.
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

const HIGH: u64 = 0x80 * EACH;

/// $FF for the objects whose bits are set.
pub fn bytes_of(bits: u8) -> u64 {
    spread(set(EACH * u64::from(bits) & 0x8040_2010_0804_0201))
}

/// The differences of bytes.
#[inline]
fn sub(a: u64, b: u64) -> u64 {
    ((a | HIGH) - (b & !HIGH)) ^ ((a ^ !b) & HIGH)
}

/// Bit 7 of the bytes of `a` that are below those of `b`.
#[inline]
fn below(a: u64, b: u64) -> u64 {
    (!a & b | (!a | b) & sub(a, b)) & HIGH
}

/// Bit 7 of the bytes that are not 0.
#[inline]
fn set(bytes: u64) -> u64 {
    ((bytes & !HIGH) + !HIGH | bytes) & HIGH
}

/// $FF for each byte that is $80; the others must be 0.
#[inline]
fn spread(bits: u64) -> u64 {
    (bits >> 7) * 0xFF
}

impl Objects {
    /// The objects that have something to show or to shift, where HPOS of those in `passed` triggers: a byte each that is not 0.
    #[inline]
    pub fn active(&self, passed: u64) -> u64 {
        u64::from_le_bytes(self.load) & passed | u64::from_le_bytes(self.shift)
    }

    /// True if these objects, $FF each, have nothing to show, to shift or to load.
    #[inline]
    pub fn are_empty(&self, objects: u64) -> bool {
        let [graf, load, shift] = [self.graf, self.load, self.shift].map(u64::from_le_bytes);
        (graf | load | shift) & objects == 0
    }

    /// True if one of the active objects has HPOS 0, where programs park unused objects.
    #[inline]
    pub fn some_parked(&self, active: u64) -> bool {
        let hpos = u64::from_le_bytes(self.hpos);
        hpos.wrapping_sub(EACH) & !hpos & set(active) != 0
    }

    /// $FF for the objects whose HPOS lies from colour clock `a` up to `b`, if any has something to load there.
    #[inline]
    pub fn passed(&self, a: usize, b: usize) -> u64 {
        if u64::from_le_bytes(self.load) | u64::from_le_bytes(self.graf) == 0 {
            return 0;
        }
        let hpos = u64::from_le_bytes(self.hpos);
        if a >= 0xC0 && hpos & hpos << 1 & HIGH == 0 {
            // No HPOS is $C0 or more.
            return 0;
        }
        // Bytes that are less than the stretch is long are places in it.
        let places = sub(hpos, EACH * (a & 0xFF) as u64);
        spread(below(places, EACH * (b - a) as u64))
    }

    /// Sets GRAF where the line has been drawn.
    #[inline]
    pub fn write_graf(&mut self, number: usize, data: u8) {
        let number = number & 7;
        self.graf[number] = data;
        self.load[number] = data;
    }

    /// Sets GRAF in an undrawn part of the line from colour clock `at` on; the write acts from `to` on. `false`: the line must be drawn
    /// up to there first.
    #[inline]
    pub fn set_graf(&mut self, number: usize, data: u8, at: usize, to: usize) -> bool {
        let number = number & 7;
        let hpos = usize::from(self.hpos[number]);
        if hpos >= at && hpos < to {
            // HPOS has loaded the value before.
            if self.load[number] != self.graf[number] {
                return false;
            }
        } else {
            self.load[number] = data;
        }
        self.graf[number] = data;
        true
    }

    /// [`Self::set_graf`] for all objects whose byte in `set` is $FF, in a line of which nothing has been drawn: `data` holds their
    /// bytes and `limits` where the writes act. `false`: they must be done one by one.
    #[inline]
    pub fn set_grafs(&mut self, set: u64, data: u64, limits: [u8; 8]) -> bool {
        let [graf, load, hpos] = [self.graf, self.load, self.hpos].map(u64::from_le_bytes);
        let loaded = spread(below(hpos, u64::from_le_bytes(limits))) & set;
        if (load ^ graf) & loaded != 0 {
            return false;
        }
        let changing = set & !loaded;
        self.load = (load & !changing | data & changing).to_le_bytes();
        self.graf = (graf & !set | data & set).to_le_bytes();
        true
    }

    /// HPOS of these objects has triggered.
    #[inline]
    pub fn settle(&mut self, passed: u64) {
        let changed = u64::from_le_bytes(self.load) ^ u64::from_le_bytes(self.graf);
        self.load = (u64::from_le_bytes(self.load) ^ changed & passed).to_le_bytes();
    }

    /// [`Self::run`] where nothing is seen.
    #[inline(never)]
    pub fn run_hidden(&mut self, a: usize, b: usize, active: u64) {
        let active = self.end_before(b, active);
        if active != 0 {
            self.run(a, b, active, &mut Hidden);
        }
    }

    /// Shifts out the images that begin now and end before colour clock `b`; returns the objects that are left. Nothing of these may be
    /// seen before `b`.
    #[inline]
    pub fn end_before(&mut self, b: usize, active: u64) -> u64 {
        let [hpos, shift] = [self.hpos, self.shift].map(u64::from_le_bytes);
        let ends = below(hpos, EACH * b.saturating_sub(31) as u64);
        // The rest of an earlier image may be longer.
        let ended = spread(set(active) & ends & !set(shift));
        self.state = (u64::from_le_bytes(self.state) & !ended).to_le_bytes();
        active & !ended
    }

    /// Runs all shift registers from colour clock `a` up to `b`.
    ///
    /// The counter counts `(n + 1) & SIZE`; when it becomes 0 the register shifts. A match of HPOS makes it 0 (which shifts, unless it
    /// was 0) and ORs GRAF into the bits left in the register (AHRM 6.5; Acid800 gtia_pmoverlap).
    #[inline]
    pub fn run(&mut self, a: usize, b: usize, active: u64, painter: &mut impl Paint) {
        let mut active = set(active);
        while active != 0 {
            let i = (active.trailing_zeros() as usize / 8) & 7;
            active &= active - 1;
            let hpos = usize::from(self.hpos[i]);
            let (x, image) = if self.shift[i] == 0 && hpos + 32 <= b {
                // The image ends in this stretch, and nothing is before it: the usual case.
                self.state[i] = 0;
                (hpos, self.image(i, self.load[i]))
            } else if self.is_disturbed(i, a, b) {
                self.run_disturbed(i, a, b, painter);
                continue;
            } else {
                self.run_alone(i, a, b)
            };
            painter.paint(i, x, image);
        }
    }

    /// The image of a register's bits.
    #[inline]
    fn image(&self, number: usize, bits: u8) -> u32 {
        IMAGES[usize::from(self.size[number & 7] & 3)][usize::from(bits)]
    }

    /// True if HPOS loads a register that is not empty, or its counter never comes to 0.
    #[inline]
    fn is_disturbed(&self, number: usize, a: usize, b: usize) -> bool {
        let i = number & 7;
        let stands = self.size[i] & 3 == 2 && matches!(self.state[i], 1 | 2);
        self.shift[i] != 0 && (stands || (a..b).contains(&self.hpos[i].into()))
    }

    /// Shifts out the rest of one image, or the beginning of one; returns where it begins, and its bits up to colour clock `b`.
    fn run_alone(&mut self, number: usize, a: usize, b: usize) -> (usize, u32) {
        let i = number & 7;
        let (x, bits, passed) = if self.shift[i] == 0 {
            (self.hpos[i].into(), self.load[i], 0)
        } else {
            let period = 1 << PERIODS[usize::from(self.size[i] & 3)];
            (a, self.shift[i], self.state[i] & (period - 1))
        };
        let image = self.image(i, bits) >> passed;
        let clocks = b - x;
        self.pass(i, bits, usize::from(passed) + clocks);
        (x, image & (((1u64 << clocks.min(32)) - 1) as u32))
    }

    /// Shifts `bits` out for `clocks` colour clocks of their image and keeps the rest in the shift register.
    #[inline]
    fn pass(&mut self, number: usize, bits: u8, clocks: usize) {
        let period = PERIODS[usize::from(self.size[number] & 3)];
        let shifted = clocks >> period;
        let left = if shifted < 8 { bits << shifted } else { 0 };
        self.shift[number] = left;
        self.state[number] = if left == 0 {
            0
        } else {
            clocks as u8 & ((1 << period) - 1)
        };
    }

    /// Runs one shift register that HPOS loads before it is empty, or whose counter never comes to 0.
    #[inline(never)]
    fn run_disturbed(&mut self, number: usize, a: usize, b: usize, painter: &mut impl Paint) {
        let i = number & 7;
        let hpos = usize::from(self.hpos[i]);
        let size = self.size[i] & 3;
        let period = PERIODS[usize::from(size)];
        let mut x = a;
        loop {
            if x == hpos {
                if self.state[i] != 0 {
                    self.shift[i] <<= 1;
                    self.state[i] = 0;
                }
                self.shift[i] |= self.load[i];
            }
            let (bits, state) = (self.shift[i], self.state[i]);
            // Nothing disturbs the register up to here.
            let end = if x < hpos && hpos < b { hpos } else { b };
            if size == 2 && matches!(state, 1 | 2) {
                // The counter never comes to 0.
                self.state[i] = 2;
                if bits & 0x80 != 0 {
                    for start in (x..end).step_by(32) {
                        let length = (end - start).min(32);
                        painter.paint_part(i, start, !0 >> (32 - length));
                    }
                }
            } else {
                let passed = state & ((1 << period) - 1);
                let image = IMAGES[usize::from(size)][usize::from(bits)] >> passed;
                let cut = !0 << (end - x).min(31) << u32::from(end - x > 31);
                self.pass(i, bits, usize::from(passed) + (end - x));
                painter.paint_part(i, x, image & !cut);
            }
            x = end;
            if x == b {
                break;
            }
        }
    }
}
