//! The budget of an input: memory, counted by the allocator, and CPU time of the thread.
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Bytes that any input may take, beside [`PER_BYTE`] for each of its own.
const MEMORY: usize = 64 << 20;
/// Bytes of memory for each byte of the input.
const PER_BYTE: usize = 8;
/// CPU time that any input may take: some targets switch a machine on and run it.
const TIME: Duration = Duration::from_secs(2);
/// CPU time for each MB.
const PER_MB: Duration = Duration::from_secs(1);

/// Counts the bytes that are in use, and the most that ever were.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn add(bytes: usize) {
    let now = IN_USE.fetch_add(bytes, Ordering::Relaxed) + bytes;
    PEAK.fetch_max(now, Ordering::Relaxed);
}

// SAFETY: everything is handed to the system's allocator.
#[expect(unsafe_code, reason = "an allocator is the only way to count")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size);
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes that the process has allocated now.
pub fn in_use() -> usize {
    IN_USE.load(Ordering::Relaxed)
}

/// CPU time of this thread.
pub fn time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// The cost of an input.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// The most bytes that were allocated at once, beside those before it.
    pub memory: usize,
    /// CPU time.
    pub time: Duration,
}

impl Cost {
    /// The cost of doing something.
    pub fn of(action: impl FnOnce()) -> Self {
        let before = in_use();
        PEAK.store(before, Ordering::Relaxed);
        let start = time();
        action();
        Self {
            memory: PEAK.load(Ordering::Relaxed).saturating_sub(before),
            time: time().saturating_sub(start),
        }
    }

    /// Checks the cost against the budget of an input of this length.
    ///
    /// # Errors
    /// A sentence on what was too much.
    pub fn check(&self, length: usize) -> Result<(), String> {
        let memory = MEMORY + PER_BYTE * length;
        if self.memory > memory {
            return Err(format!(
                "{} KB of memory for {length} bytes; {} KB are allowed",
                self.memory >> 10,
                memory >> 10
            ));
        }
        let time = TIME + PER_MB.mul_f64(length as f64 / f64::from(1 << 20));
        if self.time > time {
            return Err(format!(
                "{:.1} s of CPU time for {length} bytes; {:.1} s are allowed",
                self.time.as_secs_f64(),
                time.as_secs_f64()
            ));
        }
        Ok(())
    }
}
