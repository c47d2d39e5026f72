//! The games played from power-on to their ends by players who see only the screen, and their pictures.
use machine::{Machine, Model, Tv};
use tests::players::{crazy_eights, gammon};
use tests::{Atari, config, golden};

fn start(name: &str, model: Model, tv: Tv, seed: u64) -> Atari {
    let game = roms::games::find(name).unwrap();
    let mut config = config(model, tv, true);
    config.seed = seed;
    let mut atari = Atari::with_basic(&config, game.listing.as_bytes());
    atari.type_text("RUN\n");
    atari
}

fn second(tv: Tv) -> u32 {
    if tv == Tv::Ntsc { 60 } else { 50 }
}

fn crazy_eights(model: Model, tv: Tv, seed: u64) {
    let mut atari = start("crazy-eights", model, tv, seed);
    // The cards depend on how long the player looks at the title page.
    atari.run(600 + 37 * seed as u32);
    let ending = crazy_eights::play(&mut atari, 60 * 60 * 20);
    println!("{model:?} {tv:?} seed {seed}: {ending:?}");
    assert!(ending.turns > 0);
    assert!(
        ending.longest_turn < 8 * second(tv),
        "the computer took {} frames for a turn with its messages",
        ending.longest_turn
    );
}

#[test]
fn crazy_eights_is_played_to_its_end_on_an_800xl() {
    for seed in 1..4 {
        crazy_eights(Model::Xl800, Tv::Ntsc, seed);
    }
}

#[test]
fn crazy_eights_is_played_to_its_end_in_pal() {
    crazy_eights(Model::Xl800, Tv::Pal, 4);
}

#[test]
fn crazy_eights_is_played_to_its_end_on_a_130xe() {
    crazy_eights(Model::Xe130, Tv::Ntsc, 5);
}

#[test]
fn crazy_eights_is_played_to_its_end_on_an_800() {
    crazy_eights(Model::Atari800, Tv::Ntsc, 6);
}

/// A known gap: the original ran in 16K, ours needs 24K.
#[test]
fn crazy_eights_does_not_fit_a_400_with_16k() {
    let game = roms::games::find("crazy-eights").unwrap();
    let program = media::basic::Program::tokenize(game.listing.as_bytes()).unwrap();
    let mut atari = Atari::new(&config(Model::Atari400, Tv::Pal, true));
    assert!(atari.wait_for_key(600));
    let answer = atari.machine.load_basic(&program);
    assert!(matches!(answer, Err(machine::InjectError::TooLong { .. })));
}

fn gammon(model: Model, tv: Tv, seed: u64, blue: &str, green: &str) {
    let mut atari = start("gammon", model, tv, seed);
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

/// Saves in the middle, goes on in a machine that was built anew, and compares with the one that was never saved.
fn goes_on_from_a_state(mut atari: Atari) {
    // To an odd place: the middle of a frame, most likely of an instruction.
    atari.machine.run_cycles(12_345);
    let state = atari.machine.save_state();
    let mut fresh: Machine = atari.machine.clone();
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

#[test]
fn a_state_saved_in_the_middle_of_crazy_eights_goes_on() {
    let mut atari = start("crazy-eights", Model::Xl800, Tv::Ntsc, 8);
    assert!(atari.wait_for_text("PRESS RETURN TO PLAY", 1500));
    atari.machine.input.key = Some(machine::typist::keys::RETURN);
    atari.run(5);
    atari.machine.input.key = None;
    assert!(atari.wait_for_text("SHUFFLING", 600));
    atari.run(100);
    goes_on_from_a_state(atari);
}

#[test]
fn a_state_saved_in_the_middle_of_gammon_goes_on() {
    let mut atari = start("gammon", Model::Xl800, Tv::Ntsc, 9);
    gammon::start(&mut atari, "ATARI", "ATARI");
    assert!(atari.wait_for_text("THINKS", 3000), "{}", atari.text());
    goes_on_from_a_state(atari);
}

#[test]
fn the_title_page_of_crazy_eights_looks_right() {
    let mut atari = start("crazy-eights", Model::Xl800, Tv::Ntsc, 1);
    assert!(atari.wait_for_text("PRESS RETURN TO PLAY", 1500));
    atari.run(2);
    // The title itself changes its colour with the tune.
    golden::check("crazy-eights-title", atari.machine.frame(), 40..240);
}

#[test]
fn the_board_of_gammon_looks_right() {
    let mut atari = start("gammon", Model::Xl800, Tv::Ntsc, 1);
    gammon::start(&mut atari, "ANNA", "ATARI");
    assert!(atari.wait_for_text("PRESS THE TRIGGER", 3000));
    atari.run(2);
    golden::check("gammon-board", atari.machine.frame(), 0..240);
}

#[test]
fn crazy_eights_looks_right_in_play_and_at_its_end() {
    let mut atari = start("crazy-eights", Model::Xl800, Tv::Ntsc, 1);
    assert!(atari.wait_for_text("PRESS RETURN TO PLAY", 1500));
    atari.machine.input.key = Some(machine::typist::keys::RETURN);
    atari.run(60);
    atari.machine.input.key = None;
    assert!(atari.wait_for_text("YOUR TURN", 3000));
    atari.run(60);
    golden::check("crazy-eights-play", atari.machine.frame(), 0..240);
    crazy_eights::play(&mut atari, 60 * 60 * 20);
    atari.run(60);
    golden::check("crazy-eights-end", atari.machine.frame(), 0..240);
}

#[test]
fn gammon_looks_right_in_play_and_at_its_end() {
    let mut atari = start("gammon", Model::Xl800, Tv::Ntsc, 5);
    gammon::start(&mut atari, "ATARI", "ATARI");
    assert!(atari.wait_for_text("TURN 12", 12_000));
    assert!(atari.wait_for_text("THINKS", 3000));
    atari.run(2);
    golden::check("gammon-play", atari.machine.frame(), 0..240);
    gammon::play(&mut atari, 60 * 60 * 60);
    atari.run(60);
    golden::check("gammon-end", atari.machine.frame(), 0..240);
}
