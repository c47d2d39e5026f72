//! The picture as H.264, without loss: a block that has changed is moved from elsewhere in the picture before, or sent as it is (`I_PCM`).
//! Every pixel of the machine is two by two of the video, so that its colours, which have half the resolution, are exact as well. The
//! numbers in brackets are sections of the standard (ITU-T H.264).
use super::bits::Bits;

/// Pixels of the machine to the side of a macroblock.
const BLOCK: usize = 8;
/// Quarters of a sample to a pixel of the machine.
const QUARTERS: i32 = 8;
/// Pictures from one key frame to the next: ten seconds, so that players find moments quickly.
const KEY: u32 = 600;
/// Bits of a picture's number.
const NUMBER: u32 = 8;

/// A motion, in pixels of the machine.
type Motion = (i32, i32);

/// A block beside another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    /// None: the picture ends there.
    Outside,
    /// One that was sent as it is.
    Sent,
    /// One that was moved.
    Moved(Motion),
}

impl Beside {
    fn motion(self) -> Option<Motion> {
        match self {
            Self::Moved(motion) => Some(motion),
            Self::Outside | Self::Sent => None,
        }
    }
}

/// Type of a unit of the stream [7.4.1], with its importance.
#[derive(Clone, Copy)]
enum Unit {
    Other = 0x41,
    Key = 0x65,
    Sequence = 0x67,
    Picture = 0x68,
}

/// An encoded picture.
pub struct Encoded {
    /// Its unit, with its length before it.
    pub bytes: Vec<u8>,
    /// It is a key frame.
    pub key: bool,
}

/// Writes pictures of one size.
pub struct Encoder {
    /// Blocks to a line, and lines of blocks.
    blocks: (usize, usize),
    /// The picture before: brightness, blue and red difference in the bytes of a number.
    before: Vec<u32>,
    /// Motions of the blocks of this picture; `None` for those sent as they are.
    motions: Vec<Option<Motion>>,
    count: u32,
}

impl Encoder {
    /// For pictures of this width and height in pixels of the machine, multiples of 8.
    pub fn new((width, height): (usize, usize)) -> Self {
        let blocks = (width / BLOCK, height / BLOCK);
        Self {
            blocks,
            before: vec![0; width * height],
            motions: vec![None; blocks.0 * blocks.1],
            count: 0,
        }
    }

    fn width(&self) -> usize {
        self.blocks.0 * BLOCK
    }

    /// The sequence parameter set [7.3.2.1] and the picture parameter set [7.3.2.2]. A pixel is `aspect` wide to high.
    pub fn parameters(&self, aspect: (u16, u16)) -> [Vec<u8>; 2] {
        let mut sequence = Bits::default();
        // Constrained Baseline, level 4.
        for byte in [66, 0xC0, 40] {
            sequence.byte(byte);
        }
        sequence.ue(0);
        sequence.ue(NUMBER - 4);
        // Pictures are shown in their order; one is kept for the next.
        sequence.ue(2);
        sequence.ue(1);
        sequence.put(0, 1);
        sequence.ue(self.blocks.0 as u32 - 1);
        sequence.ue(self.blocks.1 as u32 - 1);
        // Whole frames, direct_8x8_inference, no cropping, more on the picture [E.1.1]: its aspect by two numbers.
        sequence.put(0b1_1011, 5);
        sequence.byte(255);
        sequence.put(u32::from(aspect.0), 16);
        sequence.put(u32::from(aspect.1), 16);
        // No overscan; colours of SMPTE 170M, 16 to 235.
        sequence.put(0, 1);
        sequence.put(0b11_0101, 6);
        for _ in 0..3 {
            sequence.byte(6);
        }
        // No places of colours, no times, no buffers; but nothing is shown later than it is read.
        sequence.put(0b11, 7);
        for value in [0, 0, 11, 11, 0, 1] {
            sequence.ue(value);
        }
        let mut picture = Bits::default();
        picture.ue(0);
        picture.ue(0);
        // CAVLC; one group of slices, one picture to refer to.
        picture.put(0, 2);
        for _ in 0..3 {
            picture.ue(0);
        }
        picture.put(0, 3);
        for _ in 0..3 {
            picture.se(0);
        }
        // Slices say that nothing is filtered.
        picture.put(0b100, 3);
        [unit(Unit::Sequence, sequence), unit(Unit::Picture, picture)]
    }

    /// The next picture, of packed brightness and colour differences.
    pub fn encode(&mut self, picture: &[u32]) -> Encoded {
        let key = self.count.is_multiple_of(KEY);
        let mut bits = Bits::default();
        // [7.3.3]: all blocks in one slice.
        bits.ue(0);
        bits.ue(if key { 7 } else { 5 });
        bits.ue(0);
        bits.put(self.count % KEY, NUMBER);
        if key {
            bits.ue(self.count / KEY % 2);
            // Pictures before are not shown later, and none is kept for long.
            bits.put(0, 2);
        } else {
            // One picture to refer to, in the usual order and the usual way.
            bits.put(0, 3);
        }
        bits.se(0);
        bits.ue(1);
        if key {
            self.motions.fill(None);
            for n in 0..self.motions.len() {
                bits.ue(25);
                self.send(&mut bits, picture, n);
            }
        } else {
            self.changes(&mut bits, picture);
        }
        self.before.copy_from_slice(picture);
        self.count += 1;
        let bytes = unit(if key { Unit::Key } else { Unit::Other }, bits);
        let mut all = (bytes.len() as u32).to_be_bytes().to_vec();
        all.extend(bytes);
        Encoded { bytes: all, key }
    }

    /// The blocks of a picture that refers to the one before [7.3.4].
    fn changes(&mut self, bits: &mut Bits, picture: &[u32]) {
        let mut skipped = 0;
        let mut last = (0, 0);
        for n in 0..self.motions.len() {
            let usual = self.usual(n);
            let skip = self.skip(n, usual);
            if self.matches(picture, n, skip) {
                self.motions[n] = Some(skip);
                skipped += 1;
                continue;
            }
            bits.ue(skipped);
            skipped = 0;
            let found = self.find(picture, n, [usual, last]);
            self.motions[n] = found;
            if let Some((x, y)) = found {
                last = (x, y);
                // P_L0_16x16, the difference to the usual motion, nothing left over.
                bits.ue(0);
                bits.se((x - usual.0) * QUARTERS);
                bits.se((y - usual.1) * QUARTERS);
                bits.ue(0);
            } else {
                bits.ue(5 + 25);
                self.send(bits, picture, n);
            }
        }
        if skipped > 0 {
            bits.ue(skipped);
        }
    }

    fn neighbour(&self, n: usize, (x, y): Motion) -> Beside {
        let (across, _) = self.blocks;
        let (column, row) = ((n % across) as i32 + x, (n / across) as i32 + y);
        if !(0..across as i32).contains(&column) || row < 0 {
            return Beside::Outside;
        }
        let motion = self.motions[row as usize * across + column as usize];
        motion.map_or(Beside::Sent, Beside::Moved)
    }

    /// The motion that is expected from the neighbours [8.4.1.3].
    fn usual(&self, n: usize) -> Motion {
        let left = self.neighbour(n, (-1, 0));
        let above = self.neighbour(n, (0, -1));
        let mut corner = self.neighbour(n, (1, -1));
        if corner == Beside::Outside {
            corner = self.neighbour(n, (-1, -1));
        }
        if (above, corner) == (Beside::Outside, Beside::Outside) {
            return left.motion().unwrap_or_default();
        }
        let all = [left, above, corner].map(Beside::motion);
        let known: Vec<Motion> = all.into_iter().flatten().collect();
        if let [only] = known[..] {
            return only;
        }
        let all = all.map(Option::unwrap_or_default);
        let median = |values: [i32; 3]| {
            let mut values = values;
            values.sort_unstable();
            values[1]
        };
        (
            median(all.map(|motion| motion.0)),
            median(all.map(|motion| motion.1)),
        )
    }

    /// The motion of a block that is left out [8.4.1.1].
    fn skip(&self, n: usize, usual: Motion) -> Motion {
        let stands = |at| {
            let beside = self.neighbour(n, at);
            beside == Beside::Outside || beside == Beside::Moved((0, 0))
        };
        if stands((-1, 0)) || stands((0, -1)) {
            (0, 0)
        } else {
            usual
        }
    }

    /// True if a block is in the picture before, at this distance.
    fn matches(&self, picture: &[u32], n: usize, (x, y): Motion) -> bool {
        let (across, down) = self.blocks;
        let column = (n % across * BLOCK) as i32 + x;
        let row = (n / across * BLOCK) as i32 + y;
        let last = |blocks: usize| ((blocks - 1) * BLOCK) as i32;
        if !(0..=last(across)).contains(&column) || !(0..=last(down)).contains(&row) {
            return false;
        }
        let width = self.width();
        let from = row as usize * width + column as usize;
        let at = self.at(n);
        (0..BLOCK).all(|line| {
            let (new, old) = (at + line * width, from + line * width);
            picture[new..new + BLOCK] == self.before[old..old + BLOCK]
        })
    }

    /// The place of a block's first pixel.
    fn at(&self, n: usize) -> usize {
        let across = self.blocks.0;
        n / across * BLOCK * self.width() + n % across * BLOCK
    }

    /// A motion by which a block is found in the picture before: one of these, or a short one along a line or a column.
    fn find(&self, picture: &[u32], n: usize, likely: [Motion; 2]) -> Option<Motion> {
        let near = (1..=BLOCK as i32).flat_map(|d| [(d, 0), (-d, 0), (0, d), (0, -d)]);
        let all = likely.into_iter().chain([(0, 0)]).chain(near);
        all.into_iter()
            .find(|&motion| self.matches(picture, n, motion))
    }

    /// A block as it is [7.3.5].
    fn send(&self, bits: &mut Bits, picture: &[u32], n: usize) {
        bits.align();
        let (at, width) = (self.at(n), self.width());
        let rows = || (0..BLOCK).map(|line| &picture[at + line * width..][..BLOCK]);
        for row in rows().flat_map(|row| [row, row]) {
            for pixel in row {
                let brightness = *pixel as u8;
                bits.byte(brightness);
                bits.byte(brightness);
            }
        }
        for shift in [8, 16] {
            for pixel in rows().flatten() {
                bits.byte((pixel >> shift) as u8);
            }
        }
    }
}

/// A unit of the stream: no three bytes in it look like the start of one [7.4.1.1].
fn unit(kind: Unit, mut bits: Bits) -> Vec<u8> {
    bits.put(1, 1);
    let payload = bits.finish();
    let mut out = Vec::with_capacity(payload.len() + 16);
    out.push(kind as u8);
    let mut zeros = 0;
    for byte in payload {
        if zeros == 2 && byte <= 3 {
            out.push(3);
            zeros = 0;
        }
        zeros = if byte == 0 { zeros + 1 } else { 0 };
        out.push(byte);
    }
    out
}
