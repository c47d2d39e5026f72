//! The file around the chunks.
//!
//! ```text
//! magic (8)  container version (2)  header length (2)  header  chunks ...  CRC-32 of everything before (4)
//! chunk:     tag (4)  version (2)  packed (1)  length (4)  stored length (4)  bytes
//! ```
//! All numbers are little-endian. A packed chunk holds an LZ4 block.
use alloc::vec::Vec;

use super::StateError;

/// First bytes of every state file; the control byte keeps a text viewer from going on.
pub(super) const MAGIC: [u8; 8] = *b"ANTICLK\x1A";
/// The first bytes of files from before the product had its present name; the layout is the same.
const OLD_MAGIC: [u8; 8] = *b"COLLEEN\x1A";
/// Version of this layout.
pub(super) const VERSION: u16 = 1;
/// No chunk of a real machine is longer.
const LONGEST: usize = 64 << 20;

/// A named piece of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    pub tag: [u8; 4],
    pub version: u16,
    pub data: Vec<u8>,
}

/// Puts header and chunks together.
pub(super) fn write(header: &[u8], chunks: &[Chunk]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&(header.len() as u16).to_le_bytes());
    out.extend_from_slice(header);
    for chunk in chunks {
        out.extend_from_slice(&chunk.tag);
        out.extend_from_slice(&chunk.version.to_le_bytes());
        let packed = lz4_flex::block::compress(&chunk.data);
        let small = packed.len() < chunk.data.len();
        out.push(small.into());
        out.extend_from_slice(&(chunk.data.len() as u32).to_le_bytes());
        let stored = if small { &packed } else { &chunk.data };
        out.extend_from_slice(&(stored.len() as u32).to_le_bytes());
        out.extend_from_slice(stored);
    }
    let sum = crc32(&out);
    out.extend_from_slice(&sum.to_le_bytes());
    out
}

/// Takes a file apart; everything is checked before anything is returned.
pub(super) fn read(bytes: &[u8]) -> Result<(&[u8], Vec<Chunk>), StateError> {
    let magics = [MAGIC, OLD_MAGIC];
    let Some(rest) = magics.iter().find_map(|magic| bytes.strip_prefix(magic)) else {
        let cut = !bytes.is_empty() && magics.iter().any(|magic| magic.starts_with(bytes));
        return Err(if cut {
            StateError::Truncated
        } else {
            StateError::Foreign
        });
    };
    let (version, _) = rest.split_first_chunk::<2>().ok_or(StateError::Truncated)?;
    let version = u16::from_le_bytes(*version);
    if version > VERSION {
        return Err(StateError::Newer {
            part: "file",
            found: version,
            known: VERSION,
        });
    }
    let (body, sum) = bytes.split_last_chunk::<4>().ok_or(StateError::Truncated)?;
    let mut reader = Reader(body.get(MAGIC.len() + 2..).ok_or(StateError::Truncated)?);
    let length = reader.number::<2>()?;
    let header = reader.take(length)?;
    let mut chunks = Vec::new();
    while !reader.0.is_empty() {
        let tag = *reader
            .take(4)?
            .first_chunk::<4>()
            .ok_or(StateError::Truncated)?;
        let version = reader.number::<2>()? as u16;
        let packed = reader.number::<1>()?;
        let length = reader.number::<4>()?;
        let stored = reader.number::<4>()?;
        let data = reader.take(stored)?;
        chunks.push((tag, version, packed, length, data));
    }
    // The sum comes after the lengths, so that a cut file is called cut and not damaged.
    if crc32(body) != u32::from_le_bytes(*sum) {
        return Err(StateError::Damaged);
    }
    let chunks = chunks
        .into_iter()
        .map(|(tag, version, packed, length, data)| {
            let data = match packed {
                0 if data.len() == length => data.to_vec(),
                1 if length <= LONGEST => {
                    lz4_flex::block::decompress(data, length).map_err(|_| StateError::Damaged)?
                }
                _ => return Err(StateError::Damaged),
            };
            Ok(Chunk { tag, version, data })
        })
        .collect::<Result<_, _>>()?;
    Ok((header, chunks))
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], StateError> {
        let (taken, rest) = self
            .0
            .split_at_checked(length)
            .ok_or(StateError::Truncated)?;
        self.0 = rest;
        Ok(taken)
    }

    fn number<const N: usize>(&mut self) -> Result<usize, StateError> {
        Ok(self
            .take(N)?
            .iter()
            .rev()
            .fold(0, |n, &b| n << 8 | usize::from(b)))
    }
}

/// CRC-32 as in ZIP and PNG (reflected polynomial $EDB88320), four bytes at a time.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = !0u32;
    let (words, rest) = bytes.as_chunks::<4>();
    for word in words {
        crc ^= u32::from_le_bytes(*word);
        crc = TABLES[3][(crc & 0xFF) as usize]
            ^ TABLES[2][(crc >> 8 & 0xFF) as usize]
            ^ TABLES[1][(crc >> 16 & 0xFF) as usize]
            ^ TABLES[0][(crc >> 24) as usize];
    }
    for &byte in rest {
        crc = crc >> 8 ^ TABLES[0][((crc ^ u32::from(byte)) & 0xFF) as usize];
    }
    !crc
}

static TABLES: [[u32; 256]; 4] = tables();

const fn tables() -> [[u32; 256]; 4] {
    let mut tables = [[0; 256]; 4];
    let mut i = 0;
    while i < 256 {
        let mut crc = i as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 != 0 {
                crc >> 1 ^ 0xEDB8_8320
            } else {
                crc >> 1
            };
            bit += 1;
        }
        tables[0][i] = crc;
        i += 1;
    }
    let mut t = 1;
    while t < 4 {
        let mut i = 0;
        while i < 256 {
            let before = tables[t - 1][i];
            tables[t][i] = before >> 8 ^ tables[0][(before & 0xFF) as usize];
            i += 1;
        }
        t += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_sum_is_the_common_crc_32() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(b""), 0);
    }

    #[test]
    fn chunks_survive() {
        let chunks = [
            Chunk {
                tag: *b"AAAA",
                version: 1,
                data: alloc::vec![7; 1000],
            },
            Chunk {
                tag: *b"BBBB",
                version: 2,
                data: alloc::vec![1, 2, 3],
            },
        ];
        let bytes = write(b"head", &chunks);
        assert!(bytes.len() < 200);
        assert_eq!(read(&bytes), Ok((&b"head"[..], chunks.to_vec())));
    }
}
