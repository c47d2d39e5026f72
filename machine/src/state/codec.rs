//! Values as bytes: the only place that knows how the bytes of states and recordings are made. bincode is not developed any more
//! (RUSTSEC-2025-0141); another codec that serde drives can take its place here under a new chunk version.
#[cfg(any(test, target_family = "wasm"))]
mod compact;
#[cfg(not(target_family = "wasm"))]
mod native;
#[cfg(target_family = "wasm")]
use compact as format;
#[cfg(not(target_family = "wasm"))]
use native as format;

use alloc::vec::Vec;
use serde::{Serialize, de::DeserializeOwned};

/// Bytes of a value; small numbers take one byte.
pub fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    // Encoding into memory fails only for types that the format does not support, which the tests would show.
    format::encode(value, false).unwrap_or_default()
}

/// Bytes of a value, every number in its full width, so that a field keeps its place whatever its value.
pub(super) fn encode_fixed<T: Serialize>(value: &T) -> Vec<u8> {
    format::encode(value, true).unwrap_or_default()
}

/// The value that [`encode_fixed`] has made into `bytes`.
pub(super) fn decode_fixed<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (value, rest) = decode_fixed_next(bytes)?;
    rest.is_empty().then_some(value)
}

/// The value that [`encode_fixed`] has made into the beginning of `bytes`, and the bytes after it.
pub(super) fn decode_fixed_next<T: DeserializeOwned>(bytes: &[u8]) -> Option<(T, &[u8])> {
    let (value, used) = format::decode(bytes, true).ok()?;
    Some((value, bytes.get(used..)?))
}

/// The value that fills `bytes` exactly.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (value, used) = format::decode(bytes, false).ok()?;
    (used == bytes.len()).then_some(value)
}

/// The value at the beginning of `bytes`, which then begin after it.
pub fn decode_next<T: DeserializeOwned>(bytes: &mut &[u8]) -> Option<T> {
    let (value, used) = format::decode(bytes, false).ok()?;
    *bytes = bytes.get(used..)?;
    Some(value)
}

/// Bytes that a packed file of `file` bytes may unpack to, so that reading it takes at most 64 MB and eight times the file.
#[must_use]
pub const fn most_unpacked(file: usize) -> usize {
    super::container::most_unpacked(file)
}

/// CRC-32 as in ZIP and PNG.
pub fn crc32(bytes: &[u8]) -> u32 {
    super::container::crc32(bytes)
}
