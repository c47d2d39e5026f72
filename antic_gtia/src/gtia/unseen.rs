//! Collisions where no picture is wanted: what lies under the images of objects, without a pixel.
use super::Gtia;
use super::objects::Paint;
use super::overlay::{CLOCKS, MET, occupied};
use super::render::{Codes, Reading};
use crate::antic::AnBus;
use crate::{END_VISIBLE, FIRST_VISIBLE};
use core::ops::Range;

/// Colour clocks of a line that are looked at together.
const GROUP: usize = 8;
const EACH: u64 = 0x0101_0101_0101_0101;

/// The colour clocks of the picture, a bit each.
type Places = [u64; (END_VISIBLE - FIRST_VISIBLE).div_ceil(64)];

/// 1 for each colour clock that is lit in eight bits of an image.
#[inline]
fn lit(image: u64) -> u64 {
    u64::from_le_bytes(CLOCKS[usize::from(image as u8)]) & EACH
}

/// The part of a line that objects are run through, and what they have touched there.
struct Touched<'a> {
    codes: Codes<'a>,
    reading: Reading,
    /// Colour clocks in which a playfield or a pixel of mode 10 may be.
    shown: Range<usize>,
    /// Colour clocks of the picture.
    seen: Range<usize>,
    hits: [u8; 4],
    /// The objects that may hit another playfield than they have.
    hitting: u8,
    /// Objects may meet that have not met.
    meeting: bool,
    /// The places of each object, if any may meet.
    places: [Places; 8],
}

impl Touched<'_> {
    /// The playfields at eight colour clocks, a byte each: 4 to 7 for PF0 to PF3, below 4 for none.
    #[inline]
    fn playfields(&self, x: usize) -> u64 {
        if self.reading == Reading::Registers {
            return u64::from_le_bytes(core::array::from_fn(|i| self.codes.nine(x + i)));
        }
        let codes = if self.shown.start <= x && x + GROUP <= self.shown.end {
            let codes = &self.codes.an.codes[x - self.codes.late..];
            codes.first_chunk().copied().unwrap_or_default()
        } else {
            core::array::from_fn(|i| self.codes.at(x + i))
        };
        let codes = u64::from_le_bytes(codes);
        if self.reading == Reading::Hires {
            // A code with a lit pixel is PF2.
            6 * ((codes | codes >> 1) & EACH)
        } else {
            codes
        }
    }

    /// Notes the playfields under an image that begins at `x`.
    #[inline]
    fn hit(&mut self, object: u8, x: usize, image: u64) {
        let (mut any, mut found) = (0, [0; 4]);
        let (mut x, mut image) = (x, image);
        while image != 0 {
            let codes = self.playfields(x);
            let here = codes >> 2 & lit(image);
            let (odd, high) = (codes & here, codes >> 1 & here);
            any |= here;
            found[0] |= here & !(odd | high);
            found[1] |= odd & !high;
            found[2] |= high & !odd;
            found[3] |= odd & high;
            x += GROUP;
            image >>= GROUP;
        }
        if any != 0 {
            for (hits, found) in self.hits.iter_mut().zip(found) {
                *hits |= if found != 0 { object } else { 0 };
            }
        }
    }
}

impl Paint for Touched<'_> {
    #[inline]
    fn paint(&mut self, number: usize, x: usize, image: u32) {
        let start = x.max(self.seen.start);
        if start >= self.seen.end {
            return;
        }
        let image = u64::from(image) >> (start - x).min(63);
        let image = image & ((1 << (self.seen.end - start).min(32)) - 1);
        if self.meeting {
            let place = start - FIRST_VISIBLE;
            let bits = u128::from(image) << (place & 63);
            let words = self.places[number & 7].iter_mut().skip(place >> 6);
            for (word, bits) in words.zip([bits as u64, (bits >> 64) as u64]) {
                *word |= bits;
            }
        }
        let object = 1 << (number & 7);
        if self.hitting & object != 0 && start < self.shown.end && start + 32 > self.shown.start {
            self.hit(object, start, image);
        }
    }
}

impl Gtia {
    /// Runs the objects from colour clock `from` up to `to` and notes collisions in the picture; draws nothing.
    #[inline(never)]
    pub(super) fn touch(&mut self, from: usize, to: usize, active: u64, an: &AnBus) {
        let codes = self.codes(an);
        let reading = self.reading();
        let seen = from.max(FIRST_VISIBLE)..to.min(END_VISIBLE);
        let shown = match reading {
            Reading::Lores | Reading::Hires if codes.is_playfield(reading) => codes.from..codes.to,
            Reading::Registers => seen.clone(),
            _ => 0..0,
        };
        let objects = occupied(active);
        let [pf0, pf1, pf2, pf3] = self.playfield_hits;
        let hitting = match reading {
            _ if shown.is_empty() => 0,
            Reading::Hires => objects & !pf2,
            _ => objects & !(pf0 & pf1 & pf2 & pf3),
        };
        let meeting = MET[usize::from(objects)] & !u64::from_le_bytes(self.met) != 0;
        if hitting == 0 && !meeting {
            self.objects.run_hidden(from, to, active);
            return;
        }
        let mut touched = Touched {
            codes,
            reading,
            shown,
            seen,
            hits: self.playfield_hits,
            hitting,
            meeting,
            places: [[0; _]; 8],
        };
        self.objects.run(from, to, active, &mut touched);
        let Touched { hits, places, .. } = touched;
        self.playfield_hits = hits;
        if meeting {
            self.meet(&places);
        }
    }

    /// Notes the objects that have been on one spot.
    fn meet(&mut self, places: &[Places; 8]) {
        for (number, own) in places.iter().enumerate() {
            if *own == [0; _] {
                continue;
            }
            for (other, places) in places.iter().enumerate().skip(number + 1) {
                if own.iter().zip(places).any(|(own, other)| own & other != 0) {
                    self.met[number] |= 1 << other;
                    self.met[other] |= 1 << number;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::COLOUR_CLOCKS;
    use crate::gtia::reg;

    /// Numbers that look random (xorshift).
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 24) as usize
        }

        fn codes(&mut self) -> [u8; 228] {
            let kind = self.next() % 4;
            core::array::from_fn(|_| match kind {
                // Few playfields, so that not all are hit at once.
                0 => [0, 0, 0, 5][self.next() % 4],
                1 => [0, 4, 6][self.next() % 3],
                2 => [0, 4, 5, 6, 7][self.next() % 5],
                _ => 4 | (self.next() & self.next()) as u8 & 3,
            })
        }
    }

    /// Lines without a picture have the collisions and the shift registers of lines that are drawn, however they are cut into stretches.
    #[test]
    fn unseen_objects_touch_what_drawn_ones_do() {
        let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
        let mut found = [0; 3];
        for _ in 0..20_000 {
            let (from, to) = [(0, 0), (64, 192), (48, 208), (44, 222)][numbers.next() % 4];
            let codes = numbers.codes();
            let is_hires = codes.iter().all(|&code| code >= 4) || numbers.next().is_multiple_of(8);
            let mut an = AnBus::new(&codes, from, to, is_hires);
            an.late = numbers.next() as u8 & 1;
            an.blank = numbers.next().is_multiple_of(16);
            let mut drawn = Gtia::new(false);
            let prior = numbers.next() as u8
                & if numbers.next().is_multiple_of(4) {
                    0xFF
                } else {
                    0x3F
                };
            drawn.write(reg::PRIOR, prior, 0, |_, _| {});
            let objects = numbers.next() as u8;
            for register in reg::HPOSP0..=reg::COLBK {
                let is_object = (reg::SIZEP0..=reg::GRAFM).contains(&register);
                if !is_object || objects >> (register & 7) & 1 != 0 {
                    drawn.write(register, numbers.next() as u8, 0, |_, _| {});
                }
            }
            let mut unseen = drawn.clone();
            unseen.set_drawing(false);
            let mut to = 0;
            while to < COLOUR_CLOCKS {
                to += 1 + numbers.next()
                    % if numbers.next().is_multiple_of(2) {
                        300
                    } else {
                        60
                    };
                for gtia in [&mut drawn, &mut unseen] {
                    gtia.sync_to(to, &an);
                }
                assert_eq!(drawn.playfield_hits, unseen.playfield_hits);
                assert_eq!(drawn.met, unseen.met);
                assert_eq!(drawn.objects, unseen.objects);
            }
            found[0] += u32::from(drawn.playfield_hits != [0; 4]);
            found[1] += u32::from(drawn.met != [0; 8]);
            found[2] += u32::from(drawn.pixels != unseen.pixels);
        }
        assert!(found.iter().all(|&lines| lines > 2000), "{found:?}");
    }
}
