//! Players of the games that come with the machine. They see the screen and press keys and joysticks, nothing else.
pub mod checkers;
pub mod crazy_eights;
pub mod focal;
pub mod gammon;
pub mod go_fish;
pub mod hexapawn;
pub mod tic_tac_toe;

use std::sync::OnceLock;

use machine::{Model, Tv};

use crate::Atari;

/// The state after a player's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next<E> {
    /// The player is to move.
    Yours,
    /// The game is over.
    Over(E),
}

/// The end of a game.
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

/// A machine in which a game shows its title page, known by `words`.
///
/// # Panics
/// When it does not come.
#[must_use]
pub fn at_the_title(game: &str, words: &str, model: Model, tv: Tv, seed: u64) -> Atari {
    let atari = Atari::with_game(game, model, tv, seed);
    shows_its_title(atari, words)
}

/// Runs a machine that has been told to RUN until the title is on the screen.
///
/// # Panics
/// When it does not come.
#[must_use]
pub fn shows_its_title(mut atari: Atari, words: &str) -> Atari {
    assert!(
        atari.wait_for_text(words, 1500),
        "no title page:\n{}",
        atari.text()
    );
    atari.run(30);
    atari
}

/// A machine at the title page, which `start` has brought there once, after some more cycles: its chance is then another.
#[must_use]
pub fn waited(title: &OnceLock<Atari>, start: fn() -> Atari, cycles: u64) -> Atari {
    let mut atari = title.get_or_init(start).clone();
    atari.machine.run_cycles(cycles);
    atari
}

/// Pushes a stick up, down, to the left or to the right for `held` frames, and waits for `rest`.
pub fn push(
    atari: &mut Atari,
    port: usize,
    [up, down, left, right]: [bool; 4],
    held: u32,
    rest: u32,
) {
    let input = &mut atari.machine.input;
    input.joystick(port).push(up, down, left, right);
    atari.run(held);
    let input = &mut atari.machine.input;
    input.joystick(port).centre();
    atari.run(rest);
}

/// Presses a trigger for `held` frames, and waits for `rest`.
pub fn trigger(atari: &mut Atari, port: usize, held: u32, rest: u32) {
    atari.machine.input.joystick(port).trigger = true;
    atari.run(held);
    atari.machine.input.joystick(port).trigger = false;
    atari.run(rest);
}

/// Presses START for some frames.
pub fn press_start(atari: &mut Atari, frames: u32) {
    atari.machine.input.start = true;
    atari.run(frames);
    atari.machine.input.start = false;
}

/// Saves in the middle, continues in a second machine, and compares with the one that was never saved.
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

/// True if a game has ended and asks for the menu, by the three bytes that it leaves at $0600, within `frames`.
pub fn asks_for_the_menu(atari: &mut Atari, frames: u32) -> bool {
    (0..frames).any(|_| {
        atari.run(1);
        [b'M', b'E', 0]
            .iter()
            .zip(0x600..)
            .all(|(&byte, at)| atari.machine.peek(at) == byte)
    }) && atari.wait_for_text("READY", 60)
}

/// In a game, ESC asks whether to end it; after N the screen shows `words` again.
///
/// # Panics
/// When it does not.
pub fn goes_on_after_escape(atari: &mut Atari, words: &str) {
    escapes(atari, "N", words);
}

/// In a game, ESC and Y lead to the title page, which shows `words`; there ESC leads to the menu.
///
/// # Panics
/// When they do not.
pub fn escapes_to_the_menu(atari: &mut Atari, words: &str) {
    escapes(atari, "Y", words);
    atari.run(30);
    atari.type_text("{ESC}");
    assert!(asks_for_the_menu(atari, 300), "{}", atari.text());
}

fn escapes(atari: &mut Atari, answer: &str, words: &str) {
    for (keys, words) in [("{ESC}", "END THIS GAME?"), (answer, words)] {
        atari.type_text(keys);
        atari.expect_text(words, 300);
        atari.run(10);
    }
}

/// Runs until the light of a cursor that swells and fades with the frame counter is at the same point of its way.
pub fn wait_for_the_light(atari: &mut Atari) {
    const RTCLOK: u16 = 0x14;
    atari.run(1);
    while atari.machine.peek(RTCLOK) & 0x1F != 12 {
        atari.run(1);
    }
}
