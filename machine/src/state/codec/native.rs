//! Bytes by bincode.
use alloc::vec::Vec;
use bincode::config::standard;
use bincode::error::{DecodeError, EncodeError};
use bincode::serde::{decode_from_slice, encode_to_vec};
use serde::{Serialize, de::DeserializeOwned};

/// A limit keeps a damaged length from asking for endless memory. The largest disk in each of eight drives takes 136 MB, eight open files of the host
/// folder 64, a binary file and a tape 16 each.
const LIMIT: usize = 256 << 20;

/// Bytes of a value; `fixed`: every number in its full width.
pub(super) fn encode<T: Serialize>(value: &T, fixed: bool) -> Result<Vec<u8>, EncodeError> {
    if fixed {
        encode_to_vec(value, standard().with_fixed_int_encoding())
    } else {
        encode_to_vec(value, standard())
    }
}

/// The value at the beginning of some bytes, and how many are its own.
pub(super) fn decode<T: DeserializeOwned>(
    bytes: &[u8],
    fixed: bool,
) -> Result<(T, usize), DecodeError> {
    let config = standard().with_limit::<LIMIT>();
    if fixed {
        decode_from_slice(bytes, config.with_fixed_int_encoding())
    } else {
        decode_from_slice(bytes, config)
    }
}
