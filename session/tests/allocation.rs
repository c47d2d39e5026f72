//! A frame takes no memory from the host: machine, sound and samples work in what the first frames have left.
use machine::{Config, Machine, Model, Rom, Tv};
use session::sound::Synth;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts the requests for memory of each thread.
struct Counting;

thread_local! {
    static REQUESTS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is handed to the system's allocator.
#[expect(unsafe_code, reason = "an allocator is the only way to count")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        REQUESTS.set(REQUESTS.get() + 1);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Plays the low byte of RTCLOK on channel 1, for ever, over the text screen.
#[rustfmt::skip]
const PLAYER: &[u8] = &[
    0xFF, 0xFF, 0x00, 0x20, 0x0C, 0x20, // at $2000
    0xA9, 0xA8, 0x8D, 0x01, 0xD2, // LDA #$A8, STA AUDC1
    0xA5, 0x14, 0x8D, 0x00, 0xD2, // LDA RTCLOK+2, STA AUDF1
    0x4C, 0x05, 0x20,
];

#[test]
fn a_frame_with_picture_and_sound_asks_for_no_memory() {
    let config = Config {
        model: Model::Xl800,
        tv: Tv::Ntsc,
        os: Rom::own(roms::OS_XL),
        basic: None,
        cartridge: None,
        second: None,
        seed: 0,
        extras: machine::Extras::default(),
    };
    let mut machine = Machine::new(&config).unwrap();
    machine.insert_program(media::xex::Xex::parse(PLAYER).unwrap().boot());
    let mut synth = Synth::new(config.tv.clock(), 44_100.0, 0);
    let (mut changes, mut samples) = (Vec::new(), Vec::new());
    let mut frames = |count: usize| {
        let mut heard = 0;
        for _ in 0..count {
            machine.run_frame();
            machine.take_sound(&mut changes);
            synth.render(&changes, machine.now(), &mut samples);
            heard += changes.len();
            changes.clear();
            samples.clear();
        }
        heard
    };
    // Until it plays, and through all its notes.
    frames(900);
    let before = REQUESTS.get();
    let heard = frames(120);
    let requests = REQUESTS.get() - before;
    assert!(heard > 120, "{heard}");
    assert_eq!(requests, 0);
}
