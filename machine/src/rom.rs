//! ROM images, and which of them a saved state may carry.
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

use crate::state::{crc32, pack, rom_hash};

/// A ROM image, shared between the copies of a machine.
///
/// A saved state carries a machine's *own* images, so that it loads in every later release, whatever becomes of the ROMs. Of a
/// *foreign* image, which is not ours to hand on, it holds only the hash; to load the state, the image must be supplied.
///
/// ```
/// use machine::Rom;
///
/// let ours = Rom::own(&[0x60; 0x2000]);
/// let dumped = Rom::foreign(&[0x60; 0x2000]);
/// assert!(ours.is_own() && !dumped.is_own());
/// assert_eq!(ours.hash(), dumped.hash());
/// assert_eq!(ours.len(), 0x2000);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Rom {
    image: Arc<[u8]>,
    own: bool,
    hash: u64,
    crc32: u32,
    /// Packed once, for all states that will carry it.
    packed: Arc<[u8]>,
}

impl Rom {
    /// An image that saved states carry.
    #[must_use]
    pub fn own(image: &[u8]) -> Self {
        Self {
            image: image.into(),
            own: true,
            hash: rom_hash(image),
            crc32: crc32(image),
            packed: pack(image).into(),
        }
    }

    /// An image of which saved states hold only the hash.
    #[must_use]
    pub fn foreign(image: &[u8]) -> Self {
        Self {
            image: image.into(),
            own: false,
            hash: rom_hash(image),
            crc32: crc32(image),
            packed: Arc::default(),
        }
    }

    pub(crate) fn packed(&self) -> &[u8] {
        &self.packed
    }

    /// True if saved states carry it.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.own
    }

    /// [`rom_hash`] of the image, by which states name it.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The image's CRC-32, by which ROM images are listed elsewhere.
    #[must_use]
    pub fn crc32(&self) -> u32 {
        self.crc32
    }
}

impl Deref for Rom {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.image
    }
}

/// A foreign image.
impl From<Vec<u8>> for Rom {
    fn from(image: Vec<u8>) -> Self {
        Self::foreign(&image)
    }
}

/// A foreign image.
impl From<&[u8]> for Rom {
    fn from(image: &[u8]) -> Self {
        Self::foreign(image)
    }
}

impl PartialEq<[u8]> for Rom {
    fn eq(&self, image: &[u8]) -> bool {
        *self.image == *image
    }
}

impl PartialEq<&[u8]> for Rom {
    fn eq(&self, image: &&[u8]) -> bool {
        self == *image
    }
}

impl fmt::Debug for Rom {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let kind = if self.own { "own" } else { "foreign" };
        let (length, hash) = (self.image.len(), self.hash);
        write!(f, "Rom({kind}, {length} bytes, {hash:016x})")
    }
}
