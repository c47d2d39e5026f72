//! The games played from power-on to their ends by players who see only the screen.
use machine::{Model, Tv};
use tests::players::{crazy_eights, gammon};
use tests::{Atari, config};

fn crazy_eights(model: Model, tv: Tv, seed: u64) {
    let game = roms::games::find("crazy-eights").unwrap();
    let mut config = config(model, tv, true);
    config.seed = seed;
    let mut atari = Atari::with_basic(&config, game.listing.as_bytes());
    atari.type_text("RUN\n");
    let ending = crazy_eights::play(&mut atari, 60 * 60 * 20);
    println!("{model:?} {tv:?} seed {seed}: {ending:?}");
    assert!(
        ending.longest_turn < 60 * 8,
        "the computer took {} frames for a turn",
        ending.longest_turn
    );
}

#[test]
fn crazy_eights_is_played_to_its_end_on_an_800xl() {
    crazy_eights(Model::Xl800, Tv::Ntsc, 1);
}

fn gammon(model: Model, tv: Tv, seed: u64, blue: &str, green: &str) {
    let game = roms::games::find("gammon").unwrap();
    let mut config = config(model, tv, true);
    config.seed = seed;
    let mut atari = Atari::with_basic(&config, game.listing.as_bytes());
    atari.type_text("RUN\n");
    gammon::start(&mut atari, blue, green);
    let ending = gammon::play(&mut atari, 60 * 60 * 60);
    println!("{model:?} {tv:?} seed {seed}: {ending:?}");
    let second = if tv == Tv::Ntsc { 60 } else { 50 };
    assert!(
        ending.longest_turn <= 3 * second,
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
