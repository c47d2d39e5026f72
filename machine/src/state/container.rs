//! The file around the chunks.
//!
//! ```text
//! magic (8)  container version (2)  header length (2)  header  chunks ...  CRC-32 of everything before (4)
//! chunk:     tag (4)  version (2)  packed (1)  length (4)  stored length (4)  bytes
//! ```
//! All numbers are little-endian. A packed chunk holds an LZ4 block.
use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::StateError;
use media::STATE_MAGIC;

/// Version of this layout.
pub(super) const VERSION: u16 = 1;
/// Bytes that the chunks of a file of `file` bytes may unpack to. A chunk and the value that is read from it are in memory together, so that reading
/// takes at most 64 MB and eight times the file. A machine has less than 1 MB without its media; a file of more is written unpacked.
pub(crate) const fn most_unpacked(file: usize) -> usize {
    (24 << 20) + file.saturating_mul(7) / 2
}
/// A byte of an LZ4 block stands for 255 at most: a file cannot ask for more memory than that.
const DENSEST: usize = 255;

/// A named piece of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunk<'a> {
    pub tag: [u8; 4],
    pub version: u16,
    pub data: Cow<'a, [u8]>,
    /// The data as an LZ4 block, if it has been made already.
    packed: Option<&'a [u8]>,
}

impl<'a> Chunk<'a> {
    pub(super) fn new(tag: [u8; 4], data: Vec<u8>) -> Self {
        Self {
            tag,
            version: super::newest(tag),
            data: data.into(),
            packed: None,
        }
    }

    /// A chunk whose data has been packed before, by [`pack`].
    pub(super) fn ready(tag: [u8; 4], data: &'a [u8], packed: &'a [u8]) -> Self {
        Self {
            tag,
            version: super::newest(tag),
            data: data.into(),
            packed: Some(packed),
        }
    }
}

/// The LZ4 block of some data.
pub(crate) fn pack(data: &[u8]) -> Vec<u8> {
    lz4_flex::block::compress(data)
}

/// Puts header and chunks together: packed, or as they are when a packed file would claim more than [`most_unpacked`].
pub(super) fn write(header: &[u8], chunks: &[Chunk]) -> Vec<u8> {
    let unpacked = chunks.iter().map(|chunk| chunk.data.len()).sum::<usize>();
    let packed = write_as(header, chunks, true);
    if unpacked <= most_unpacked(packed.len()) {
        packed
    } else {
        write_as(header, chunks, false)
    }
}

fn write_as(header: &[u8], chunks: &[Chunk], pack_chunks: bool) -> Vec<u8> {
    let mut out = STATE_MAGIC[0].to_vec();
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&(header.len() as u16).to_le_bytes());
    out.extend_from_slice(header);
    for chunk in chunks {
        out.extend_from_slice(&chunk.tag);
        out.extend_from_slice(&chunk.version.to_le_bytes());
        let packed: Cow<[u8]> = match chunk.packed {
            _ if !pack_chunks => (&*chunk.data).into(),
            Some(packed) => packed.into(),
            None => pack(&chunk.data).into(),
        };
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

/// Takes a file apart; everything is checked before anything is returned. Chunks that `known` does not want are left out, packed as they are; of
/// several with one name the first counts.
pub(super) fn read(
    bytes: &[u8],
    known: impl Fn([u8; 4]) -> bool,
) -> Result<(&[u8], Vec<Chunk<'_>>), StateError> {
    let Some(rest) = STATE_MAGIC
        .iter()
        .find_map(|magic| bytes.strip_prefix(magic))
    else {
        let cut = !bytes.is_empty() && STATE_MAGIC.iter().any(|magic| magic.starts_with(bytes));
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
    let mut reader = Reader(
        body.get(STATE_MAGIC[0].len() + 2..)
            .ok_or(StateError::Truncated)?,
    );
    let length = reader.number::<2>()?;
    let header = reader.take(length)?;
    let mut stored: Vec<Stored> = Vec::new();
    while !reader.0.is_empty() {
        let tag = *reader
            .take(4)?
            .first_chunk::<4>()
            .ok_or(StateError::Truncated)?;
        let version = reader.number::<2>()? as u16;
        let packed = reader.number::<1>()?;
        let length = reader.number::<4>()?;
        let data = reader.number::<4>()?;
        let data = reader.take(data)?;
        if known(tag) && stored.iter().all(|chunk| chunk.tag != tag) {
            stored.push(Stored {
                tag,
                version,
                packed,
                length,
                data,
            });
        }
    }
    // The sum comes after the lengths, so that a cut file is called cut and not damaged.
    if crc32(body) != u32::from_le_bytes(*sum) {
        return Err(StateError::Damaged);
    }
    if stored.iter().map(|chunk| chunk.length).sum::<usize>() > most_unpacked(bytes.len()) {
        return Err(StateError::Damaged);
    }
    let chunks = stored.into_iter().map(Stored::unpack);
    Ok((header, chunks.collect::<Result<_, _>>()?))
}

/// A chunk as it is in the file.
struct Stored<'a> {
    tag: [u8; 4],
    version: u16,
    packed: usize,
    length: usize,
    data: &'a [u8],
}

impl<'a> Stored<'a> {
    fn unpack(self) -> Result<Chunk<'a>, StateError> {
        let data = match self.packed {
            0 => self.data.into(),
            1 if self.length <= self.data.len() * DENSEST => {
                lz4_flex::block::decompress(self.data, self.length)
                    .map_err(|_| StateError::Damaged)?
                    .into()
            }
            _ => return Err(StateError::Damaged),
        };
        let data: Cow<[u8]> = data;
        if data.len() != self.length {
            return Err(StateError::Damaged);
        }
        Ok(Chunk {
            tag: self.tag,
            version: self.version,
            data,
            packed: None,
        })
    }
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

/// CRC-32 as in ZIP and PNG (reflected polynomial $EDB88320), half a byte at a time: every visitor of the page would load the tables.
#[cfg(target_family = "wasm")]
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    const HALVES: [u32; 16] = {
        let mut halves = [0; 16];
        let mut i = 0;
        while i < 16 {
            let mut crc = i as u32;
            let mut bit = 0;
            while bit < 4 {
                crc = crc >> 1 ^ 0xEDB8_8320 * (crc & 1);
                bit += 1;
            }
            halves[i] = crc;
            i += 1;
        }
        halves
    };
    !bytes.iter().fold(!0, |crc, &byte| {
        let crc = crc ^ u32::from(byte);
        let crc = crc >> 4 ^ HALVES[(crc & 15) as usize];
        crc >> 4 ^ HALVES[(crc & 15) as usize]
    })
}

/// CRC-32 as in ZIP and PNG (reflected polynomial $EDB88320), four bytes at a time.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
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

#[cfg(not(target_family = "wasm"))]
static TABLES: [[u32; 256]; 4] = tables();

#[cfg(not(target_family = "wasm"))]
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
        let packed = pack(&[9; 500]);
        let chunks = [
            Chunk::new(*b"AAAA", alloc::vec![7; 1000]),
            Chunk::new(*b"BBBB", alloc::vec![1, 2, 3]),
            Chunk::ready(*b"CCCC", &[9; 500], &packed),
            Chunk::new(*b"AAAA", alloc::vec![8; 1000]),
        ];
        let bytes = write(b"head", &chunks);
        assert!(bytes.len() < 200);
        let (header, found) = read(&bytes, |tag| tag != *b"BBBB").unwrap();
        assert_eq!(header, b"head");
        let found: Vec<_> = found.iter().map(|c| (c.tag, &c.data[..])).collect();
        assert_eq!(
            found,
            [(*b"AAAA", &[7; 1000][..]), (*b"CCCC", &[9; 500][..])],
            "the first of each name that is wanted"
        );
    }

    /// A file with one chunk whose lengths are arbitrary.
    fn forged(tag: [u8; 4], packed: u8, length: u32, stored: &[u8]) -> Vec<u8> {
        let mut out = write(b"head", &[]);
        out.truncate(out.len() - 4);
        out.extend_from_slice(&tag);
        out.extend_from_slice(&[1, 0, packed]);
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(&(stored.len() as u32).to_le_bytes());
        out.extend_from_slice(stored);
        let sum = crc32(&out);
        out.extend_from_slice(&sum.to_le_bytes());
        out
    }

    #[test]
    fn a_file_that_would_unpack_to_too_much_is_written_unpacked() {
        let chunks = [*b"AAAA", *b"BBBB"].map(|tag| Chunk::new(tag, alloc::vec![0; 20 << 20]));
        let bytes = write(b"head", &chunks);
        assert!(bytes.len() > 40 << 20);
        assert_eq!(read(&bytes, |_| true).unwrap().1, chunks);
        let bytes = write(b"head", &chunks[..1]);
        assert!(bytes.len() < 1 << 20);
    }

    #[test]
    fn forged_lengths_ask_for_no_memory() {
        let all = |_| true;
        for length in [10 << 10, 200 << 20, 256 << 20, u32::MAX] {
            let bytes = forged(*b"AAAA", 1, length, &[0x1F; 20]);
            assert_eq!(read(&bytes, all), Err(StateError::Damaged), "{length}");
        }
        // Real data beyond the limit for a whole file, in two chunks that are each below it.
        let half = pack(&alloc::vec![0; 20 << 20]);
        let one = forged(*b"AAAA", 1, 20 << 20, &half);
        assert!(read(&one, all).is_ok());
        let mut two = one[..one.len() - 4].to_vec();
        two.extend_from_slice(&forged(*b"BBBB", 1, 20 << 20, &half)[16..]);
        let end = two.len() - 4;
        let sum = crc32(&two[..end]);
        two[end..].copy_from_slice(&sum.to_le_bytes());
        assert_eq!(read(&two, all), Err(StateError::Damaged));
        // An unknown chunk is not unpacked, and does not count.
        let (_, chunks) = read(&two, |tag| tag == *b"BBBB").unwrap();
        assert_eq!(chunks.len(), 1);
        let bytes = forged(*b"????", 1, u32::MAX, &[0; 20]);
        assert_eq!(read(&bytes, |tag| tag != *b"????").unwrap().1, []);
    }
}
