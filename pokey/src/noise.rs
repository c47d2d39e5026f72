//! The polynomial counters (Altirra Hardware Reference Manual 5.5).
//!
//! The 9/17-bit counter is one 17-bit register shifted right by one bit each cycle. In 17-bit mode the new bit 16 is
//! XNOR(bit 0, bit 5); in 9-bit mode the low eight bits are only a tail and the new bit is XNOR(bit 8, bit 13).
//! RANDOM shows bits 8-15 inverted; the sound channels see bit 8. The state at any cycle is found by arithmetic.

use serde::{Deserialize, Serialize};

const PERIOD17: u32 = 131_071;
const PERIOD9: u32 = 511;
/// The 4-bit counter's output, bit n = position n: 000011101100101.
const POLY4: u32 = 0b101_0011_0111_0000;
/// The 5-bit counter's output, bit n = position n: 0000011100100010101111011010011.
const POLY5: u32 = 0b110_0101_1011_1101_0100_0100_1110_0000;
/// Two of these periods, and four of those.
const ROW5: u64 = (POLY5 as u64) << 31 | POLY5 as u64;
const ROW4: u64 = (POLY4 as u64) * (1 | 1 << 15 | 1 << 30 | 1 << 45);

/// Bit 8 of the register for every position of the 17-bit sequence that begins with all zeroes, with room to read past the end.
#[cfg(not(target_family = "wasm"))]
static BITS17: [u8; 16_392] = bits17();
/// Position of every 17-bit state whose low eight bits are 0, by its upper nine bits.
#[cfg(not(target_family = "wasm"))]
static MARKS17: [u32; 512] = marks17();
/// The 9-bit sequence: position by state, and bit 8 by position.
static POSITION9: [u16; 512] = position9();
static BITS9: [u8; 72] = bits9();

const fn step17(r: u32) -> u32 {
    (r >> 1) | (((!(r ^ (r >> 5))) & 1) << 16)
}

const fn step9(r: u32) -> u32 {
    (r >> 1) | (((!((r >> 8) ^ (r >> 13))) & 1) << 16)
}

/// A byte of the 17-bit sequence.
#[cfg(not(target_family = "wasm"))]
fn byte17(index: usize) -> u8 {
    BITS17[index]
}

/// A byte of the 17-bit sequence. In WebAssembly the table is made at its first use: 16 KB of noise cannot be compressed, and every visitor
/// of the page would load them.
#[cfg(target_family = "wasm")]
fn byte17(index: usize) -> u8 {
    use core::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
    static MADE: AtomicBool = AtomicBool::new(false);
    static BITS: [AtomicU8; 16_392] = [const { AtomicU8::new(0) }; 16_392];
    if !MADE.load(Relaxed) {
        for (byte, value) in BITS.iter().zip(bits17()) {
            byte.store(value, Relaxed);
        }
        MADE.store(true, Relaxed);
    }
    BITS[index].load(Relaxed)
}

/// The position of a state whose low eight bits are 0.
#[cfg(not(target_family = "wasm"))]
fn mark17(upper: usize) -> u32 {
    MARKS17[upper]
}

/// The position of a state whose low eight bits are 0, from a table that is made at its first use.
#[cfg(target_family = "wasm")]
fn mark17(upper: usize) -> u32 {
    use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
    static MADE: AtomicBool = AtomicBool::new(false);
    static MARKS: [AtomicU32; 512] = [const { AtomicU32::new(0) }; 512];
    if !MADE.load(Relaxed) {
        for (mark, value) in MARKS.iter().zip(marks17()) {
            mark.store(value, Relaxed);
        }
        MADE.store(true, Relaxed);
    }
    MARKS[upper].load(Relaxed)
}

#[cfg_attr(
    not(target_family = "wasm"),
    expect(clippy::large_stack_arrays, reason = "evaluated by the compiler only")
)]
const fn bits17() -> [u8; 16_392] {
    let mut bits = [0; 16_392];
    let (mut r, mut i) = (0, 0);
    while i < 16_392 * 8 {
        bits[i >> 3] |= ((r >> 8 & 1) << (i & 7)) as u8;
        r = step17(r);
        i += 1;
    }
    bits
}

const fn marks17() -> [u32; 512] {
    let mut marks = [0; 512];
    let (mut r, mut i) = (0, 0);
    while i < PERIOD17 {
        if r & 0xFF == 0 {
            marks[(r >> 8) as usize] = i;
        }
        r = step17(r);
        i += 1;
    }
    marks
}

const fn position9() -> [u16; 512] {
    let mut positions = [0; 512];
    let (mut r, mut i) = (0, 0);
    while i < PERIOD9 {
        positions[(r >> 8) as usize] = i as u16;
        r = step9(r);
        i += 1;
    }
    positions
}

const fn bits9() -> [u8; 72] {
    let mut bits = [0; 72];
    let (mut r, mut i) = (0, 0);
    while i < 72 * 8 {
        bits[i >> 3] |= ((r >> 8 & 1) << (i & 7)) as u8;
        r = step9(r);
        i += 1;
    }
    bits
}

/// The way in which the long register moves on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Mode {
    /// Initialization mode: zeroes are shifted in.
    Init,
    /// 17 bits.
    Long,
    /// 9 bits.
    Short,
    /// The one state that never changes.
    Locked,
}

/// All polynomial counters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Noise {
    mode: Mode,
    /// True if the register has 9 bits (AUDCTL bit 7), also kept during initialization mode.
    short: bool,
    /// Cycle at which the long register held `base`, and the position of that state in its sequence.
    epoch: u64,
    base: u32,
    position: u32,
    /// Cycle at which initialization mode was left, the origin of the 4- and 5-bit counters.
    started: u64,
}

impl Noise {
    pub(crate) fn new(now: u64) -> Self {
        Self {
            mode: Mode::Init,
            short: false,
            epoch: now,
            base: 0,
            position: 0,
            started: now,
        }
    }

    /// The long register at cycle `at` (not before the last change of mode).
    fn register(&self, at: u64) -> u32 {
        let elapsed = at.saturating_sub(self.epoch);
        match self.mode {
            Mode::Init => self.base >> elapsed.min(31),
            // In 9-bit mode the tail may still hold the bits from before.
            Mode::Locked => {
                ((u64::from(self.base) | 0x1_FFFF << 17) >> elapsed.min(17)) as u32 & 0x1_FFFF
            }
            Mode::Long => window17(self.position, elapsed),
            Mode::Short => {
                let mut r = self.base;
                let mut left = elapsed;
                if left > 16 {
                    // The tail has been shifted out: only the nine bits eight cycles ago matter.
                    let position = (self.position as u64 + (left - 8)) % PERIOD9 as u64;
                    r = window9(position as u32) << 8;
                    left = 8;
                }
                for _ in 0..left {
                    r = step9(r);
                }
                r
            }
        }
    }

    /// Sets the mode from cycle `now` on.
    pub(crate) fn set_mode(&mut self, init: bool, short: bool, now: u64) {
        let was_init = self.mode == Mode::Init;
        if was_init == init && self.short == short {
            return;
        }
        let register = self.register(now);
        self.base = register;
        self.epoch = now;
        self.short = short;
        self.position = 0;
        if init {
            self.mode = Mode::Init;
            return;
        }
        if was_init {
            self.started = now;
        }
        if short {
            if register >> 8 == 0x1FF {
                self.mode = Mode::Locked;
            } else {
                self.mode = Mode::Short;
                self.position = u32::from(POSITION9[(register >> 8 & 0x1FF) as usize]);
            }
        } else if register == 0x1FFFF {
            self.mode = Mode::Locked;
        } else {
            self.mode = Mode::Long;
            self.position = position17(register);
        }
    }

    /// The value of a read of RANDOM in cycle `at`.
    pub(crate) fn random(&self, at: u64) -> u8 {
        !(self.register(at) >> 8) as u8
    }

    /// The bit of the long counter for a channel's pulse at index `at`.
    pub(crate) fn long_bit(&self, at: u64) -> bool {
        if at < self.epoch {
            // The bit 8 of some cycles before has moved on to the right.
            return self.base >> (8 - (self.epoch - at).min(8)) & 1 != 0;
        }
        let elapsed = at - self.epoch;
        match self.mode {
            Mode::Init => self.register(at) >> 8 & 1 != 0,
            Mode::Locked => true,
            Mode::Long => {
                let i = ((self.position as u64 + elapsed) % PERIOD17 as u64) as usize;
                byte17(i >> 3) >> (i & 7) & 1 != 0
            }
            Mode::Short => {
                let i = ((self.position as u64 + elapsed) % PERIOD9 as u64) as usize;
                BITS9[i >> 3] >> (i & 7) & 1 != 0
            }
        }
    }

    /// The first index for [`Self::long_word`], [`Self::word4`] and [`Self::word5`]: what was in the register before the last change of mode is gone.
    /// A state from a file may have left initialization mode after that.
    pub(crate) fn first_word(&self) -> u64 {
        self.epoch.max(self.started) + 17
    }

    /// [`Self::long_bit`] of index `at` in bit 0, and those of the next 63 cycles.
    pub(crate) fn long_word(&self, at: u64) -> u64 {
        let position = self.position as u64 + (at - self.epoch);
        match self.mode {
            Mode::Init => 0,
            Mode::Locked => !0,
            Mode::Long => word(position % PERIOD17 as u64, byte17),
            Mode::Short => word(position % PERIOD9 as u64, |byte| BITS9[byte]),
        }
    }

    /// [`Self::bit4`] of index `at` in bit 0, and those of the next 63 cycles.
    pub(crate) fn word4(&self, at: u64) -> u64 {
        if self.mode == Mode::Init {
            return 0;
        }
        around(ROW4, 60, (at - self.started) % 15)
    }

    /// [`Self::bit5`] of index `at` in bit 0, and those of the next 63 cycles.
    pub(crate) fn word5(&self, at: u64) -> u64 {
        if self.mode == Mode::Init {
            return !0;
        }
        around(ROW5, 62, (at - self.started) % 31)
    }

    /// True if the counters can be in this state.
    pub(crate) fn is_valid(&self, now: u64) -> bool {
        let position = match self.mode {
            Mode::Short => PERIOD9,
            _ => PERIOD17,
        };
        self.epoch <= now && self.started <= now && self.base <= 0x1FFFF && self.position < position
    }

    /// The bit of the 4-bit counter at index `at`; 0 in initialization mode.
    pub(crate) fn bit4(&self, at: u64) -> bool {
        self.mode != Mode::Init
            && at >= self.started
            && POLY4 >> ((at - self.started) % 15) & 1 != 0
    }

    /// The bit of the 5-bit counter at index `at`; 1 in initialization mode.
    pub(crate) fn bit5(&self, at: u64) -> bool {
        self.mode == Mode::Init || at < self.started || POLY5 >> ((at - self.started) % 31) & 1 != 0
    }
}

/// The 64 bits from bit `i` on of a row of so many that begins again.
fn around(row: u64, length: u64, i: u64) -> u64 {
    row >> i | row << (length - i)
}

/// The 64 bits from bit `i` on of a row of bytes.
#[inline]
fn word(i: u64, byte: impl Fn(usize) -> u8) -> u64 {
    let first = (i >> 3) as usize;
    let word = (0..8).fold(0, |word, n| word | u64::from(byte(first + n)) << (8 * n));
    // Two shifts, as one by 64 is none.
    word >> (i & 7) | u64::from(byte(first + 8)) << 1 << (63 - (i & 7))
}

/// The whole 17-bit register `elapsed` cycles after `position`.
fn window17(position: u32, elapsed: u64) -> u32 {
    // Bit j of the register is bit 8 of the register j - 8 cycles later.
    let i = ((position as u64 + elapsed + (PERIOD17 as u64 - 8)) % PERIOD17 as u64) as usize;
    let b = i >> 3;
    let word =
        u32::from(byte17(b)) | u32::from(byte17(b + 1)) << 8 | u32::from(byte17(b + 2)) << 16;
    word >> (i & 7) & 0x1FFFF
}

/// The nine bits of the short register at `position`.
fn window9(position: u32) -> u32 {
    let i = (position % PERIOD9) as usize;
    let b = i >> 3;
    let word = u32::from(BITS9[b]) | u32::from(BITS9[b + 1]) << 8;
    word >> (i & 7) & 0x1FF
}

/// The position of a state in the 17-bit sequence.
fn position17(register: u32) -> u32 {
    let mut r = register;
    for steps in 0..PERIOD17 {
        if r & 0xFF == 0 {
            return (mark17((r >> 8) as usize) + PERIOD17 - steps) % PERIOD17;
        }
        r = step17(r);
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RANDOM `k` cycles after the SKCTL write that leaves initialization mode.
    fn random(short: bool, k: u64) -> u8 {
        let mut noise = Noise::new(0);
        noise.set_mode(true, short, 10);
        noise.set_mode(false, short, 1000);
        noise.random(1000 + k)
    }

    #[test]
    fn random_after_init_follows_the_known_sequence() {
        let short = [
            0xFF, 0xFF, 0x7F, 0x3F, 0x1F, 0x0F, 0x87, 0xC3, 0xE1, 0xF0, 0x78, 0xBC, 0xDE, 0xEF,
            0x77, 0x3B, 0x1D, 0x0E, 0x87, 0x43, 0xA1, 0xD0, 0x68, 0x34,
        ];
        let long = [
            0xFF, 0xFF, 0x7F, 0x3F, 0x1F, 0x0F, 0x07, 0x03, 0x01, 0, 0, 0, 0, 0, 0x80, 0xC0, 0xE0,
            0xF0, 0xF8, 0x7C,
        ];
        for (k, &value) in short.iter().enumerate() {
            assert_eq!(random(true, k as u64), value, "9 bits, {k}");
        }
        for (k, &value) in long.iter().enumerate() {
            assert_eq!(random(false, k as u64), value, "17 bits, {k}");
        }
        for (line, value) in [0x95, 0x4B, 0x1B, 0xD1, 0x44, 0xD0, 0x25, 0xE2, 0x1F, 0x29]
            .into_iter()
            .enumerate()
        {
            assert_eq!(random(true, 114 * (line as u64 + 1)), value);
        }
        for (line, value) in [0x08, 0xBD, 0x36, 0xB9, 0x16, 0xD9, 0x0B, 0xFF, 0xB1, 0x5F]
            .into_iter()
            .enumerate()
        {
            assert_eq!(random(false, 114 * (line as u64 + 1)), value);
        }
    }

    #[test]
    fn random_has_the_values_that_acid800_antic_wsync_counts_on() {
        for (k, value) in [
            (114, 0x95),
            (228, 0x4B),
            (343, 0x0D),
            (570, 0x44),
            (912, 0xE2),
            (1254, 0x34),
        ] {
            assert_eq!(random(true, k), value, "{k} cycles");
        }
    }

    #[test]
    fn the_short_counters_begin_with_four_and_five_zeroes() {
        let mut noise = Noise::new(0);
        noise.set_mode(true, false, 1);
        noise.set_mode(false, false, 1000);
        let text = |length: u64, bit: &dyn Fn(u64) -> bool| -> std::string::String {
            (0..length)
                .map(|i| if bit(1000 + i) { '1' } else { '0' })
                .collect()
        };
        let four = "000011101100101";
        let five = "0000011100100010101111011010011";
        assert_eq!(text(15, &|t| noise.bit4(t)), four);
        assert_eq!(text(15, &|t| noise.bit4(t + 15)), four);
        assert_eq!(text(31, &|t| noise.bit5(t)), five);
        assert_eq!(text(31, &|t| noise.bit5(t + 31)), five);
    }

    #[test]
    fn words_have_the_bits_of_64_cycles() {
        let mut noise = Noise::new(0);
        let mut at = 100;
        for (init, short) in [
            (false, false),
            (true, false),
            (false, true),
            (true, true),
            (false, false),
            (false, true),
        ] {
            noise.set_mode(init, short, at);
            assert_eq!(noise.first_word(), at + 17);
            for from in (at + 17..at + 700).chain(at + 130_000..at + 132_000) {
                let words = [noise.long_word(from), noise.word4(from), noise.word5(from)];
                for n in 0..64 {
                    let index = from + n;
                    let bits = [noise.long_bit(index), noise.bit4(index), noise.bit5(index)];
                    assert_eq!(words.map(|word| word >> n & 1 != 0), bits, "{from} + {n}");
                }
            }
            at += 200_000;
        }
        noise.started = at;
        assert!(noise.is_valid(at));
        assert_eq!(noise.first_word(), at + 17);
    }

    #[test]
    fn entering_init_shifts_ones_into_random_at_once() {
        for (short, value) in [(true, 0xE9), (false, 0xF0)] {
            let mut noise = Noise::new(0);
            noise.set_mode(true, short, 1);
            noise.set_mode(false, short, 1000);
            noise.set_mode(true, short, 1114);
            assert_eq!(noise.random(1118), value);
            assert_eq!(noise.random(1114 + 9), 0xFF);
        }
    }

    #[test]
    fn switching_the_length_keeps_the_register() {
        let mut noise = Noise::new(0);
        noise.set_mode(false, false, 100);
        for n in 1..40u64 {
            let at = 100 + n * 97;
            let before = noise.register(at);
            noise.set_mode(false, n & 1 != 0, at);
            assert_eq!(noise.register(at), before);
            let next = if n & 1 != 0 {
                step9(before)
            } else {
                step17(before)
            };
            assert_eq!(noise.register(at + 1), next);
        }
    }

    #[test]
    fn arithmetic_equals_stepping() {
        for short in [false, true] {
            let mut noise = Noise::new(0);
            noise.set_mode(true, short, 1);
            noise.set_mode(false, short, 50);
            let mut r = 0;
            for t in 50..300_000u64 {
                assert_eq!(noise.register(t), r);
                assert_eq!(noise.long_bit(t), r >> 8 & 1 != 0);
                r = if short { step9(r) } else { step17(r) };
            }
        }
    }
}
