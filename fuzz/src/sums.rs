//! Files with lengths and sums: taken apart, changed inside, and put together so that the sums are right.
use crate::mutate;
use fastrand::Rng;
use machine::codec::crc32;

/// Bytes that are taken from the front.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self, width: usize) -> Option<usize> {
        let bytes = self.take(width)?;
        Some(bytes.iter().rev().fold(0, |n, &b| n << 8 | usize::from(b)))
    }
}

/// A chunk of a saved state or a section of a recording, unpacked.
struct Part {
    /// Tag, and for states the version.
    head: Vec<u8>,
    data: Vec<u8>,
}

/// The two kinds of file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `machine/src/state/container.rs`.
    State,
    /// `session/src/timeline/recording.rs`.
    Recording,
}

/// Bytes before the first part, and the parts; `None` for another file.
fn apart(kind: Kind, file: &[u8]) -> Option<(Vec<u8>, Vec<Part>)> {
    let (body, _) = file.split_last_chunk::<4>()?;
    let mut reader = Reader(body);
    let mut front = reader.take(10)?.to_vec();
    if kind == Kind::State {
        let length = reader.number(2)?;
        front.extend((length as u16).to_le_bytes());
        front.extend(reader.take(length)?);
    }
    let mut parts = Vec::new();
    while !reader.0.is_empty() {
        let (head, packed) = match kind {
            Kind::State => (reader.take(6)?.to_vec(), reader.number(1)? == 1),
            Kind::Recording => (reader.take(4)?.to_vec(), true),
        };
        let length = reader.number(4)?;
        let stored = reader.number(4)?;
        let stored = reader.take(stored)?;
        let data = if packed {
            lz4_flex::block::decompress(stored, length).ok()?
        } else {
            stored.to_vec()
        };
        parts.push(Part { head, data });
    }
    Some((front, parts))
}

/// The file again, its sum right.
fn together(kind: Kind, front: &[u8], parts: &[Part]) -> Vec<u8> {
    let mut file = front.to_vec();
    for Part { head, data } in parts {
        let packed = lz4_flex::block::compress(data);
        file.extend(head);
        if kind == Kind::State {
            file.push(1);
        }
        file.extend((data.len() as u32).to_le_bytes());
        file.extend((packed.len() as u32).to_le_bytes());
        file.extend(packed);
    }
    let sum = crc32(&file);
    file.extend(sum.to_le_bytes());
    file
}

/// Changes a file inside of its parts; now and then, or where it is another kind of file, its bytes.
pub fn change(kind: Kind, random: &mut Rng, file: &mut Vec<u8>, other: &[u8]) {
    let Some((mut front, mut parts)) = apart(kind, file).filter(|_| random.u8(0..10) > 0) else {
        return mutate::bytes(random, file, other);
    };
    if parts.is_empty() {
        return;
    }
    for _ in 0..=random.usize(0..2) {
        let count = parts.len();
        let number = random.usize(0..count);
        match random.u8(0..12) {
            0 => parts.swap(number, random.usize(0..count)),
            1 => {
                let part = &parts[number];
                let (head, data) = (part.head.clone(), part.data.clone());
                parts.push(Part { head, data });
            }
            2 if count > 1 => drop(parts.remove(number)),
            3 => mutate::bytes(random, &mut front, &[]),
            _ => mutate::bytes(random, &mut parts[number].data, other),
        }
    }
    *file = together(kind, &front, &parts);
}
