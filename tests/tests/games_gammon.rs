//! Computer Gammon played from power-on to its end by a player who sees only the screen, and its pictures.
use machine::{Model, Tv};
use tests::players::{gammon, goes_on_from_a_state, second};
use tests::{Atari, golden};

fn gammon(model: Model, tv: Tv, seed: u64, blue: &str, green: &str) {
    let mut atari = Atari::with_game("gammon", model, tv, seed);
    gammon::start(&mut atari, blue, green);
    let ending = gammon::play(&mut atari, 60 * 60 * 60);
    println!("{model:?} {tv:?} seed {seed}: {ending:?}");
    assert!(
        ending.longest_turn <= 3 * second(tv),
        "the computer thought for {} frames",
        ending.longest_turn
    );
}

#[test]
fn gammon_plays_against_itself_on_an_800xl() {
    gammon(Model::Xl800, Tv::Ntsc, 1, "ATARI", "ATARI");
}

#[test]
fn gammon_is_played_with_a_joystick_on_an_800xl() {
    gammon(Model::Xl800, Tv::Ntsc, 2, "ANNA", "ATARI");
}

#[test]
fn gammon_is_played_with_a_joystick_in_pal_on_a_130xe() {
    gammon(Model::Xe130, Tv::Pal, 3, "ANNA", "ATARI");
}

#[test]
fn gammon_is_played_with_a_joystick_on_an_800() {
    gammon(Model::Atari800, Tv::Ntsc, 4, "ANNA", "ATARI");
}

#[test]
fn a_state_saved_in_the_middle_of_gammon_goes_on() {
    let mut atari = Atari::with_game("gammon", Model::Xl800, Tv::Ntsc, 9);
    gammon::start(&mut atari, "ATARI", "ATARI");
    assert!(atari.wait_for_text("THINKS", 3000), "{}", atari.text());
    goes_on_from_a_state(atari);
}

#[test]
fn the_board_of_gammon_looks_right() {
    let mut atari = Atari::with_game("gammon", Model::Xl800, Tv::Ntsc, 1);
    gammon::start(&mut atari, "ANNA", "ATARI");
    assert!(atari.wait_for_text("PRESS THE TRIGGER", 3000));
    atari.run(2);
    golden::check("gammon-board", atari.machine.frame(), 0..240);
}

#[test]
fn gammon_looks_right_in_play_and_at_its_end() {
    let mut atari = Atari::with_game("gammon", Model::Xl800, Tv::Ntsc, 5);
    gammon::start(&mut atari, "ATARI", "ATARI");
    assert!(atari.wait_for_text("TURN 12", 12_000));
    assert!(atari.wait_for_text("THINKS", 3000));
    atari.run(2);
    golden::check("gammon-play", atari.machine.frame(), 0..240);
    gammon::play(&mut atari, 60 * 60 * 60);
    atari.run(60);
    golden::check("gammon-end", atari.machine.frame(), 0..240);
}
