//! The identity of a medium: its length and a hash of its content.

/// Bytes of a block of the hash. Every sector of a disk begins at a multiple of it, counted from the end of the header.
pub(crate) const BLOCK: usize = 128;
/// Bytes of the first block: the header of a disk image.
pub(crate) const FIRST: usize = 16;

/// The length of a medium's file and a hash of all its bytes.
///
/// Two files with equal identities are the same file for every purpose but a deliberate forgery: the hash has 64 bits and no key.
/// A disk keeps its identity up to date with every sector written, so asking for it costs nothing.
///
/// ```
/// use media::{Identity, atr::{Blank, Disk}};
///
/// let mut disk = Disk::blank(Blank::Single);
/// let empty = disk.identity();
/// assert_eq!(empty, Identity::of(&disk.to_bytes()));
/// disk.write_sector(1, b"boot");
/// assert_ne!(disk.identity(), empty);
/// disk.write_sector(1, b"");
/// assert_eq!(disk.identity(), empty);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identity {
    /// Bytes of the file.
    pub length: u64,
    /// The hash of its content.
    pub hash: u64,
}

impl Identity {
    /// The identity of a file's bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let (first, rest) = bytes.split_at(bytes.len().min(FIRST));
        let rest = rest.chunks(BLOCK).enumerate();
        let hash = rest.fold(block(0, first), |sum, (i, bytes)| {
            sum.wrapping_add(block(i + 1, bytes))
        });
        Self {
            length: bytes.len() as u64,
            hash,
        }
    }
}

impl Identity {
    /// The identity of a file of `length` bytes whose blocks have these terms in sum; [`Self::term`] has one of them.
    #[must_use]
    pub fn of_terms(length: u64, sum: u64) -> Self {
        Self { length, hash: sum }
    }

    /// The term of block `index` of a file in its hash: the first 16 bytes are block 0, each 128 after them another.
    #[must_use]
    pub fn term(index: usize, bytes: &[u8]) -> u64 {
        block(index, bytes)
    }
}

impl core::fmt::Display for Identity {
    fn fmt(&self, f: &mut core::fmt::Formatter) -> core::fmt::Result {
        write!(f, "{:016x}-{}", self.hash, self.length)
    }
}

/// The term of block `index` in the hash. The hash is the sum over the blocks, so a write replaces one term.
pub(crate) fn block(index: usize, bytes: &[u8]) -> u64 {
    let mut hash = mix(index as u64 ^ (bytes.len() as u64) << 48);
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        hash = (hash ^ u64::from_le_bytes(*word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^= hash >> 32;
    }
    for &byte in rest {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^= hash >> 32;
    }
    mix(hash)
}

/// The finaliser of SplitMix64: every bit of the result depends on every bit of `z`.
fn mix(z: u64) -> u64 {
    let z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn length_place_and_value_of_every_byte_count() {
        let zeros = Identity::of(&vec![0; 1000]);
        assert_ne!(zeros, Identity::of(&vec![0; 1001]));
        let mut seen = alloc::collections::BTreeSet::from([zeros]);
        for place in 0..1000 {
            for bit in 0..8 {
                let mut bytes = vec![0; 1000];
                bytes[place] = 1 << bit;
                assert!(seen.insert(Identity::of(&bytes)), "bit {bit} of {place}");
            }
        }
    }

    #[test]
    fn the_hash_is_a_fixed_function() {
        // Files of hosts name media by it: it must not change.
        let bytes: alloc::vec::Vec<u8> = (0..=255).collect();
        assert_eq!(
            alloc::format!("{}", Identity::of(&bytes)),
            "3a42dc7904c19bbc-256"
        );
    }
}
