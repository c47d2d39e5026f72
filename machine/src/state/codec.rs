//! The only place that knows how a chunk's bytes are made. bincode is no longer developed (RUSTSEC-2025-0141); another codec
//! that serde drives can take its place here under a new chunk version.
use alloc::vec::Vec;
use serde::{Serialize, de::DeserializeOwned};

/// Bytes of a value.
pub(super) fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    // Encoding into memory fails only for types that bincode does not support, which the tests would show.
    bincode::serde::encode_to_vec(value, bincode::config::standard()).unwrap_or_default()
}

/// The value that fills `bytes` exactly.
pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    // A limit keeps a damaged length from asking for endless memory.
    let config = bincode::config::standard().with_limit::<{ super::container::LONGEST }>();
    let (value, used) = bincode::serde::decode_from_slice(bytes, config).ok()?;
    (used == bytes.len()).then_some(value)
}
