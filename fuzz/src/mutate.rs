//! Changes by chance: of bytes, of text, and of files with lengths and sums.
use fastrand::Rng;

/// Inputs are not longer than this.
pub const LONGEST: usize = 256 << 10;
/// Bytes that begin or end something somewhere.
const TELLING: [u8; 12] = [
    0, 1, 4, 0x0A, 0x0D, 0x22, 0x7F, 0x80, 0x9B, 0xFB, 0xFC, 0xFF,
];
/// Numbers at the ends of ranges.
const NUMBERS: [u64; 12] = [
    0,
    1,
    0x7F,
    0xFF,
    0x100,
    0x7FFF,
    0xFFFF,
    0x10000,
    0x7FFF_FFFF,
    0xFFFF_FFFF,
    1 << 51,
    u64::MAX,
];

/// A place in some bytes, also the one after the last.
fn place(random: &mut Rng, bytes: &[u8]) -> usize {
    random.usize(0..=bytes.len())
}

/// A piece of some bytes: mostly a short one.
fn piece(random: &mut Rng, bytes: &[u8]) -> std::ops::Range<usize> {
    let start = place(random, bytes);
    let longest = if random.u8(0..8) == 0 { 4096 } else { 16 };
    let length = random.usize(0..=longest.min(bytes.len() - start));
    start..start + length
}

/// Changes some bytes a few times; `other` is another input, of which a piece may come in.
pub fn bytes(random: &mut Rng, bytes: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..=random.usize(0..4) {
        let at = place(random, bytes);
        match random.u8(0..11) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.u8(0..8),
            1 if at < bytes.len() => bytes[at] = random.u8(..),
            2 if at < bytes.len() => bytes[at] = TELLING[random.usize(0..TELLING.len())],
            3 => {
                // A number of any width over what is there.
                let number = NUMBERS[random.usize(0..NUMBERS.len())].to_le_bytes();
                let width = [1, 2, 4, 8][random.usize(0..4)];
                for (to, from) in bytes[at..].iter_mut().zip(&number[..width]) {
                    *to = *from;
                }
            }
            4 => {
                let range = piece(random, bytes);
                bytes.drain(range);
            }
            5 => {
                let piece = bytes[piece(random, bytes)].to_vec();
                bytes.splice(at..at, piece);
            }
            6 => {
                let piece = other[piece(random, other)].to_vec();
                bytes.splice(at..at, piece);
            }
            7 => bytes.truncate(at),
            8 => {
                // One piece again and again: for input that takes long with many of them.
                let piece = bytes[piece(random, bytes)].to_vec();
                let times = [3, 100, 5000][random.usize(0..3)].min(LONGEST / piece.len().max(1));
                bytes.splice(at..at, piece.repeat(times));
            }
            9 => {
                let range = piece(random, bytes);
                let value = TELLING[random.usize(0..TELLING.len())];
                bytes[range].fill(value);
            }
            _ => bytes.insert(at, random.u8(..)),
        }
        bytes.truncate(LONGEST);
    }
}

/// Changes a text: a word of `words` for another or between two, a number for another, lines twice or in another place; or bytes.
pub fn text(random: &mut Rng, text: &mut Vec<u8>, other: &[u8], words: &[&str]) {
    if random.u8(0..4) == 0 {
        return bytes(random, text, other);
    }
    for _ in 0..=random.usize(0..3) {
        let ends: Vec<usize> = (0..text.len())
            .filter(|&at| !text[at].is_ascii_alphanumeric())
            .collect();
        let at = match ends.len() {
            0 => place(random, text),
            many => ends[random.usize(0..many)],
        };
        match random.u8(0..4) {
            0 => {
                let word = words[random.usize(0..words.len())];
                text.splice(at..at, word.bytes());
            }
            1 => {
                let end = text[at..]
                    .iter()
                    .skip(1)
                    .position(|byte| !byte.is_ascii_alphanumeric())
                    .map_or(text.len(), |more| at + 1 + more);
                let word = words[random.usize(0..words.len())];
                text.splice((at + 1).min(end)..end, word.bytes());
            }
            2 => {
                let number = NUMBERS[random.usize(0..NUMBERS.len())];
                let number = match random.u8(0..3) {
                    0 => format!("{number:X}"),
                    1 => format!("-{number}"),
                    _ => number.to_string(),
                };
                text.splice(at..at, number.bytes());
            }
            _ => {
                let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
                if lines.is_empty() {
                    continue;
                }
                let line = lines[random.usize(0..lines.len())].to_vec();
                let place: usize = lines[..random.usize(0..=lines.len())]
                    .iter()
                    .map(|line| line.len())
                    .sum();
                let times = [1, 1, 1, 1000][random.usize(0..4)].min(LONGEST / line.len());
                text.splice(place..place, line.repeat(times));
            }
        }
        text.truncate(LONGEST);
    }
}
