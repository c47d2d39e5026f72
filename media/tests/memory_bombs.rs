//! The case `memory-bombs`: files that ask for far more memory than they have bytes are refused before they get it.
use media::basic::{MOST_ERRORS, Program};
use media::cas::{CasError, Tape};
use media::xex::{Xex, XexError};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts the bytes in use, and the most that ever were.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is handed to the system's allocator.
#[expect(unsafe_code, reason = "an allocator is the only way to count")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = IN_USE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(now, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// MB that doing something has taken at most.
fn megabytes(action: impl FnOnce()) -> usize {
    let before = IN_USE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    action();
    (PEAK.load(Ordering::Relaxed) - before) >> 20
}

#[test]
fn memory_bombs() {
    const LONG: usize = 32 << 20;
    let file = |first: &[u8], unit: &[u8]| [first, &unit.repeat(LONG / unit.len())].concat();

    let segments = file(b"\xFF\xFF", b"\0\x06\0\x06\0");
    let taken = megabytes(|| assert_eq!(Xex::parse(&segments), Err(XexError::Segments)));
    assert!(taken < 64, "{taken} MB for segments of a byte");

    let chunks = file(b"FUJI\0\0\0\0", b"data\0\0\0\0");
    let taken = megabytes(|| assert_eq!(Tape::parse(&chunks), Err(CasError::Chunks)));
    assert!(taken < 64, "{taken} MB for empty chunks");

    let wrong = file(b"", b"HELLO\n");
    let taken = megabytes(|| {
        let errors = Program::tokenize(&wrong).unwrap_err();
        assert_eq!(errors.len(), MOST_ERRORS);
    });
    assert!(taken < 64, "{taken} MB for wrong lines");

    let deleted = file(b"", b"1\n");
    let taken = megabytes(|| drop(Program::tokenize(&deleted)));
    assert!(taken < 64, "{taken} MB for numbers without lines");

    // One line as long as the file is shown in part, with the mark below the place of the error.
    let long = file(b"10 PRINT )", b"x");
    let taken = megabytes(|| {
        let errors = Program::tokenize(&long).unwrap_err();
        let text = errors[0].to_string();
        assert!(text.len() < 500, "{} bytes", text.len());
    });
    assert!(taken < 64, "{taken} MB for a long line");
}
