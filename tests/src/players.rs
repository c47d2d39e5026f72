//! Players of the games that come with the machine. They see the screen and press keys and joysticks, nothing else.
pub mod checkers;
pub mod crazy_eights;
pub mod focal;
pub mod gammon;
pub mod go_fish;
pub mod hexapawn;
pub mod tic_tac_toe;

use machine::Tv;

use crate::Atari;

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The line that announces it.
    pub message: String,
    /// Frames from power-on to the announcement.
    pub frames: u32,
    /// Turns the player took.
    pub turns: u32,
    /// The longest time that the computer took for one turn, in frames.
    pub longest_turn: u32,
}

/// Frames in a second.
#[must_use]
pub const fn second(tv: Tv) -> u32 {
    match tv {
        Tv::Ntsc => 60,
        Tv::Pal => 50,
    }
}

/// Saves in the middle, goes on in a machine that was built anew, and compares with the one that was never saved.
///
/// # Panics
/// When they differ.
pub fn goes_on_from_a_state(mut atari: Atari) {
    // To an odd place: the middle of a frame, most likely of an instruction.
    atari.machine.run_cycles(12_345);
    let state = atari.machine.save_state();
    let mut fresh = atari.machine.clone();
    fresh.power_cycle();
    fresh.run_cycles(1_000_003);
    fresh.load_state(&state).unwrap();
    for _ in 0..600 {
        atari.machine.run_frame();
        fresh.run_frame();
    }
    assert_eq!(atari.machine.frame().pixels(), fresh.frame().pixels());
    assert!(atari.machine.save_state() == fresh.save_state());
}

/// Whether a game has ended and asks for the menu, by the three bytes that it leaves at $0600, within `frames`.
pub fn asks_for_the_menu(atari: &mut Atari, frames: u32) -> bool {
    (0..frames).any(|_| {
        atari.run(1);
        [b'M', b'E', 0]
            .iter()
            .zip(0x600..)
            .all(|(&byte, at)| atari.machine.peek(at) == byte)
    }) && atari.wait_for_text("READY", 60)
}

/// Runs until the light of a cursor that swells and fades with the frame counter is at the same point of its way.
pub fn wait_for_the_light(atari: &mut Atari) {
    const RTCLOK: u16 = 0x14;
    atari.run(1);
    while atari.machine.peek(RTCLOK) & 0x1F != 12 {
        atari.run(1);
    }
}
