//! The loop of a batch asks for no memory. One test in a process of its own: the allocator counts for all of it.
// An allocator that counts is a border to the system's.
#![allow(unsafe_code)]

use batch::{Batch, Options, Output, Task};
use machine::Input;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

static CALLS: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: every call goes to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise is that of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: it came from the system's allocator with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Calls of the allocator in `steps` steps after as many to warm up.
fn calls(threads: usize, steps: usize) -> usize {
    let task = Task::named("tic-tac-toe").unwrap().unwrap();
    let start = task.prepare(None, None, 0).unwrap();
    let options = Options {
        max_pool: true,
        stack: 4,
        threads,
        ..Options::default()
    };
    let mut batch = Batch::new(&task, &start, 4, options).unwrap();
    let mut observations = vec![0; batch.observation_bytes()];
    batch.reset(&[1, 2, 3, 4], &mut observations).unwrap();
    let (mut rewards, actions) = ([0.0; 4], [Input::default(); 4]);
    let (mut terminated, mut truncated) = ([false; 4], [false; 4]);
    let mut before = 0;
    for step in 0..2 * steps {
        if step == steps {
            before = CALLS.load(Ordering::Relaxed);
        }
        let output = Output {
            observations: &mut observations,
            rewards: &mut rewards,
            terminated: &mut terminated,
            truncated: &mut truncated,
        };
        batch.step(&actions, output).unwrap();
    }
    CALLS.load(Ordering::Relaxed) - before
}

#[test]
fn the_loop_asks_for_no_memory() {
    // The game's music has begun by then: the buffer for the changes of its sound grows once.
    assert_eq!(calls(1, 600), 0);
    // The queue of rayon, by which a caller outside of its threads hands over a step, takes a block for each 63 of them.
    assert!(calls(2, 630) <= 630 / 63 + 1);
}
