//! Cassette images (CAS): the signal for the recorder, block by block.
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A stretch of tape.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Block {
    /// Bytes in the standard form: a start bit, eight data bits, a stop bit.
    Data {
        /// Mark tone before the first byte, in milliseconds.
        gap: u16,
        /// Bits a second.
        baud: u16,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Raw signal: spaces and marks in turn, beginning with a space.
    Fsk {
        /// Mark tone before, in milliseconds.
        gap: u16,
        /// Durations in tenths of a millisecond.
        pulses: Vec<u16>,
    },
    /// A chunk of the file that the recorder does not hear: of an unknown kind (turbo tapes), or a speed that no block has.
    Other {
        /// Its name.
        tag: [u8; 4],
        /// The number beside its length.
        aux: u16,
        /// Its bytes.
        bytes: Vec<u8>,
    },
}

impl Block {
    /// True if the recorder hears it.
    #[must_use]
    pub fn is_signal(&self) -> bool {
        !matches!(self, Self::Other { .. })
    }
}

/// A tape.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Tape {
    /// The label.
    pub description: Vec<u8>,
    /// The blocks on it.
    pub blocks: Vec<Block>,
}

/// The way in which the program on a tape is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    /// The OS boots it, while START is held.
    Boot,
    /// A BASIC program in tokens: CLOAD.
    Cload,
    /// A listing: ENTER "C:".
    Enter,
}

/// Reason why bytes are not a cassette image.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CasError {
    /// The first chunk is not FUJI.
    #[error("not a CAS cassette image: it does not begin with FUJI")]
    NotCas,
    /// A file that no tape was made of.
    #[error("the cassette image has more than {MOST_CHUNKS} chunks")]
    Chunks,
    /// A chunk of pulse lengths with an odd number of bytes.
    #[error("the cassette image is damaged: chunk {0} has an odd length")]
    Odd(usize),
}

/// Files with more chunks are refused: a tape of an hour and a half at the standard speed has two thousand records.
pub(crate) const MOST_CHUNKS: usize = 200_000;

/// The speed of a tape that does not say.
pub(crate) const STANDARD_BAUD: u16 = 600;

/// A chunk of a file.
struct Chunk<'a> {
    tag: [u8; 4],
    /// The number beside its length.
    aux: u16,
    data: &'a [u8],
}

/// A tape that is being read.
struct Reader {
    tape: Tape,
    baud: u16,
    /// The speed that `to_bytes` will have written last.
    told: Option<u16>,
    /// A chunk of a speed that `to_bytes` writes by itself if data follow.
    pending: Option<u16>,
}

impl Reader {
    fn new() -> Self {
        Self {
            tape: Tape::default(),
            baud: STANDARD_BAUD,
            told: None,
            pending: None,
        }
    }

    /// Adds a chunk; false if it holds pulse lengths and half of one.
    fn add(&mut self, chunk: &Chunk) -> bool {
        let Chunk { tag, aux, data } = *chunk;
        if let Some(speed) = self.pending.take() {
            if tag != *b"data" || self.told == Some(speed) {
                self.tape.blocks.push(speed_chunk(speed));
            }
            self.told = Some(speed);
        }
        match &tag {
            b"baud" if aux > 0 && data.is_empty() => {
                self.baud = aux;
                self.pending = Some(aux);
            }
            b"data" => {
                self.told = Some(self.baud);
                self.tape.blocks.push(Block::Data {
                    gap: aux,
                    baud: self.baud,
                    bytes: data.to_vec(),
                });
            }
            b"fsk " => {
                let (pairs, odd) = data.as_chunks::<2>();
                self.tape.blocks.push(Block::Fsk {
                    gap: aux,
                    pulses: pairs.iter().map(|p| u16::from_le_bytes(*p)).collect(),
                });
                return odd.is_empty();
            }
            _ => {
                if tag == *b"baud" {
                    self.baud = aux.max(1);
                    self.told = Some(self.baud);
                }
                self.tape.blocks.push(Block::Other {
                    tag,
                    aux,
                    bytes: data.to_vec(),
                });
            }
        }
        true
    }

    fn end(mut self) -> Tape {
        self.tape.blocks.extend(self.pending.map(speed_chunk));
        self.tape
    }
}

impl Tape {
    /// Reads a CAS file. Chunks of unknown kinds (turbo tapes) are kept for [`Self::to_bytes`]. The last chunk may be cut off: the part that is there
    /// is on the tape.
    ///
    /// # Errors
    /// Says in one sentence what is wrong.
    pub fn parse(bytes: &[u8]) -> Result<Self, CasError> {
        Self::read(bytes).map(|(tape, _)| tape)
    }

    /// Like [`Self::parse`], with a sentence on a file that is cut off.
    ///
    /// # Errors
    /// See [`Self::parse`].
    pub fn read(bytes: &[u8]) -> Result<(Self, Option<String>), CasError> {
        if !bytes.starts_with(b"FUJI") {
            return Err(CasError::NotCas);
        }
        let mut reader = Reader::new();
        let mut rest = bytes;
        let mut number = 0;
        let mut cut = None;
        while !rest.is_empty() {
            number += 1;
            if number > MOST_CHUNKS {
                return Err(CasError::Chunks);
            }
            let Some((header, after)) = rest.split_first_chunk::<8>() else {
                cut = Some(number);
                break;
            };
            let length = usize::from(u16::from_le_bytes([header[4], header[5]]));
            let (data, after) = after.split_at_checked(length).unwrap_or_else(|| {
                cut = Some(number);
                (after, &[])
            });
            let [a, b, c, d, ..] = *header;
            let chunk = Chunk {
                tag: [a, b, c, d],
                aux: u16::from_le_bytes([header[6], header[7]]),
                data,
            };
            if number == 1 {
                reader.tape.description = data.to_vec();
            } else if !reader.add(&chunk) && cut.is_none() {
                return Err(CasError::Odd(number));
            }
            rest = after;
        }
        let flaw = cut.map(|number| {
            format!("the cassette image is cut off in its chunk {number}; what is there is played")
        });
        Ok((reader.end(), flaw))
    }

    /// The way in which its first program is loaded, by the first record: two bytes $55, the kind of record, and 128 bytes. A saved BASIC program
    /// begins with two bytes 0; a boot file has its number of records there, and a listing a line number.
    #[must_use]
    pub fn load(&self) -> Load {
        let mut start = Vec::new();
        for block in &self.blocks {
            match block {
                Block::Data { bytes, .. } => start.extend_from_slice(bytes),
                Block::Fsk { pulses, .. } => start.extend(heard(pulses)),
                Block::Other { .. } => {}
            }
            if start.len() >= 8 {
                break;
            }
        }
        match start[..] {
            [0x55, 0x55, _, 0, 0, ..] => Load::Cload,
            [0x55, 0x55, _, b'0'..=b'9', b'0'..=b'9' | b' ', ..] => Load::Enter,
            _ => Load::Boot,
        }
    }

    /// Bytes of memory that its blocks need.
    #[must_use]
    pub fn memory(&self) -> usize {
        let blocks = self.blocks.iter().map(|block| match block {
            Block::Data { bytes, .. } | Block::Other { bytes, .. } => bytes.len(),
            Block::Fsk { pulses, .. } => 2 * pulses.len(),
        });
        self.description.len() + self.blocks.len() * size_of::<Block>() + blocks.sum::<usize>()
    }

    /// The tape as a CAS file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut chunk = |tag: &[u8; 4], aux: u16, data: &[u8]| {
            out.extend_from_slice(tag);
            out.extend_from_slice(&(data.len() as u16).to_le_bytes());
            out.extend_from_slice(&aux.to_le_bytes());
            out.extend_from_slice(data);
        };
        chunk(b"FUJI", 0, &self.description);
        let mut speed = None;
        for block in &self.blocks {
            match block {
                Block::Data { gap, baud, bytes } => {
                    if speed != Some(*baud) {
                        chunk(b"baud", *baud, &[]);
                        speed = Some(*baud);
                    }
                    chunk(b"data", *gap, bytes);
                }
                Block::Fsk { gap, pulses } => {
                    let data: Vec<u8> = pulses.iter().flat_map(|p| p.to_le_bytes()).collect();
                    chunk(b"fsk ", *gap, &data);
                }
                Block::Other { tag, aux, bytes } => {
                    if tag == b"baud" {
                        speed = Some((*aux).max(1));
                    }
                    chunk(tag, *aux, bytes);
                }
            }
        }
        out
    }
}

/// The bytes of a raw signal at the standard speed, as far as it has start and stop bits.
fn heard(pulses: &[u16]) -> Vec<u8> {
    let mut bits = Vec::new();
    for (number, &pulse) in pulses.iter().enumerate() {
        // A bit takes 10,000 / 600 tenths of a millisecond; the last mark lasts until the next byte.
        let count = (usize::from(pulse) * 6 + 50) / 100;
        bits.resize(bits.len() + count.min(12), number % 2 == 1);
    }
    let mut bytes = Vec::new();
    let mut rest = &bits[..];
    while let Some(start) = rest.iter().position(|&bit| !bit) {
        let Some(frame) = rest.get(start + 1..start + 9) else {
            break;
        };
        let byte = frame
            .iter()
            .rev()
            .fold(0, |byte, &bit| byte << 1 | u8::from(bit));
        bytes.push(byte);
        rest = &rest[start + 9..];
    }
    bytes
}

/// A chunk that sets the speed.
fn speed_chunk(aux: u16) -> Block {
    Block::Other {
        tag: *b"baud",
        aux,
        bytes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn a_tape_survives_a_round_trip_and_a_cut_is_seen() {
        let tape = Tape {
            description: b"side A".to_vec(),
            blocks: vec![
                Block::Data {
                    gap: 20000,
                    baud: 600,
                    bytes: vec![0x55; 132],
                },
                Block::Data {
                    gap: 250,
                    baud: 605,
                    bytes: vec![1, 2, 3],
                },
                Block::Fsk {
                    gap: 1,
                    pulses: vec![5, 1000],
                },
            ],
        };
        let bytes = tape.to_bytes();
        assert_eq!(Tape::read(&bytes), Ok((tape, None)));
        // A cut between two chunks cannot be seen.
        let ends = [14, 22, 162, 170, 181, 193];
        for length in 4..bytes.len() {
            let (cut, said) = Tape::read(&bytes[..length]).unwrap();
            assert_eq!(said.is_none(), ends.contains(&length), "length {length}");
            assert!(Tape::read(&cut.to_bytes()).unwrap() == (cut, None));
        }
    }

    #[test]
    fn c9_trunc_plays_what_is_there() {
        let data = |gap, bytes: Vec<u8>| Block::Data {
            gap,
            baud: 600,
            bytes,
        };
        let tape = Tape {
            description: b"my tape".to_vec(),
            blocks: vec![data(20000, vec![0x55; 132]), data(250, vec![0xAA; 132])],
        };
        let bytes = tape.to_bytes();
        let (cut, said) = Tape::read(&bytes[..bytes.len() - 20]).unwrap();
        let said = said.unwrap();
        assert!(said.contains("cut off in its chunk 4"), "{said}");
        assert_eq!(cut.blocks[0], tape.blocks[0]);
        assert_eq!(cut.blocks[1], data(250, vec![0xAA; 112]));
    }
}
