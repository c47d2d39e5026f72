//! Bytes that copies share until they are written.
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Bytes of a page.
pub const PAGE: usize = 4096;

type Page = [u8; PAGE];

/// A run of bytes in pages. Cloning it costs one reference count; a write copies the page that it falls into, and the list of
/// pages, if another clone has them too.
///
/// ```
/// use media::pages::Pages;
///
/// let mut a = Pages::from(&[1; 100_000][..]);
/// let b = a.clone();
/// a.write(50_000, &[2, 3]);
/// assert_eq!(a.get(50_000, 2), Some(&[2, 3][..]));
/// assert_eq!(b.get(50_000, 2), Some(&[1, 1][..]));
/// // All pages but one are still the same memory.
/// assert_eq!(a.shared_with(&b), 24);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Pages {
    length: usize,
    /// Beyond `length` the last page holds zeros.
    pages: Arc<Vec<Arc<Page>>>,
}

impl Pages {
    /// `length` zeros, all in one page of memory.
    #[must_use]
    pub fn zeroed(length: usize) -> Self {
        let count = length.div_ceil(PAGE);
        let page: Arc<Page> = Arc::new([0; PAGE]);
        Self {
            length,
            pages: Arc::new(alloc::vec![page; count]),
        }
    }

    /// Number of bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.length
    }

    /// True if it holds no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The byte at `place`.
    #[must_use]
    pub fn byte(&self, place: usize) -> Option<u8> {
        (place < self.length).then(|| self.pages[place / PAGE][place % PAGE])
    }

    /// `length` bytes from `place` on, when they are in one page.
    #[must_use]
    pub fn get(&self, place: usize, length: usize) -> Option<&[u8]> {
        if place.checked_add(length)? > self.length {
            return None;
        }
        let start = place % PAGE;
        self.pages.get(place / PAGE)?.get(start..start + length)
    }

    /// Writes `bytes` at `place`; bytes beyond the end are left out.
    pub fn write(&mut self, place: usize, bytes: &[u8]) {
        let mut place = place;
        let mut rest = &bytes[..bytes.len().min(self.length.saturating_sub(place))];
        let pages = Arc::make_mut(&mut self.pages);
        while !rest.is_empty() {
            let start = place % PAGE;
            let (now, later) = rest.split_at(rest.len().min(PAGE - start));
            Arc::make_mut(&mut pages[place / PAGE])[start..start + now.len()].copy_from_slice(now);
            place += now.len();
            rest = later;
        }
    }

    /// Adds zeros up to that length, all in one page of memory where they fill pages.
    pub fn grow(&mut self, length: usize) {
        if length <= self.length {
            return;
        }
        self.length = length;
        let page: Arc<Page> = Arc::new([0; PAGE]);
        Arc::make_mut(&mut self.pages).resize(length.div_ceil(PAGE), page);
    }

    /// Adds a byte at the end.
    pub fn push(&mut self, byte: u8) {
        let pages = Arc::make_mut(&mut self.pages);
        if self.length.is_multiple_of(PAGE) {
            pages.push(Arc::new([0; PAGE]));
        }
        Arc::make_mut(&mut pages[self.length / PAGE])[self.length % PAGE] = byte;
        self.length += 1;
    }

    /// The bytes, page by page.
    pub fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        self.pages.iter().enumerate().map(|(i, page)| {
            let length = (self.length - i * PAGE).min(PAGE);
            &page[..length]
        })
    }

    /// The bytes side by side.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.length);
        self.chunks().for_each(|chunk| out.extend_from_slice(chunk));
        out
    }

    /// Number of pages that both hold in the same memory and at the same place.
    #[must_use]
    pub fn shared_with(&self, other: &Self) -> usize {
        let both = self.pages.iter().zip(other.pages.iter());
        both.filter(|(a, b)| Arc::ptr_eq(a, b)).count()
    }
}

impl Pages {
    /// Bytes of memory that these pages need beside those of another run of bytes.
    #[must_use]
    pub fn memory_beside(&self, other: Option<&Self>) -> usize {
        let theirs = other.map_or(&[][..], |other| &other.pages[..]);
        if other.is_some_and(|other| Arc::ptr_eq(&self.pages, &other.pages)) {
            return 0;
        }
        // One page of zeros may stand at many places.
        let (mut zeros, mut others) = (0, 0);
        for (i, page) in self.pages.iter().enumerate() {
            if theirs.get(i).is_some_and(|other| Arc::ptr_eq(page, other)) {
                continue;
            }
            if page.iter().all(|&byte| byte == 0) {
                zeros = 1;
            } else {
                others += 1;
            }
        }
        (zeros + others) * PAGE + self.pages.len() * size_of::<Arc<Page>>()
    }
}

impl From<&[u8]> for Pages {
    fn from(bytes: &[u8]) -> Self {
        // Empty stretches of a disk are frequent, and one page does for all of them.
        let zeros: Arc<Page> = Arc::new([0; PAGE]);
        let page = |chunk: &[u8]| {
            if chunk.iter().all(|&b| b == 0) {
                return zeros.clone();
            }
            let mut page = [0; PAGE];
            page[..chunk.len()].copy_from_slice(chunk);
            Arc::new(page)
        };
        Self {
            length: bytes.len(),
            pages: Arc::new(bytes.chunks(PAGE).map(page).collect()),
        }
    }
}

impl core::fmt::Debug for Pages {
    fn fmt(&self, f: &mut core::fmt::Formatter) -> core::fmt::Result {
        write!(f, "Pages({} bytes)", self.length)
    }
}

impl serde::Serialize for Pages {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.to_vec())
    }
}

impl<'de> serde::Deserialize<'de> for Pages {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes =
            <alloc::borrow::Cow<[u8]> as serde_bytes::Deserialize>::deserialize(deserializer)?;
        Ok(Self::from(&bytes[..]))
    }
}
