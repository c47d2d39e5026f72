//! Crazy Eights played from power-on to its end by a player who sees only the screen, and its pictures.
use machine::{Model, Tv};
use tests::players::{crazy_eights, goes_on_from_a_state, second};
use tests::{Atari, config, golden};

fn crazy_eights(model: Model, tv: Tv, seed: u64) {
    let mut atari = Atari::with_game("crazy-eights", model, tv, seed);
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
    crazy_eights(Model::Xe130, Tv::Ntsc, 8);
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

#[test]
fn a_state_saved_in_the_middle_of_crazy_eights_goes_on() {
    let mut atari = Atari::with_game("crazy-eights", Model::Xl800, Tv::Ntsc, 8);
    assert!(atari.wait_for_text("PRESS RETURN TO PLAY", 1500));
    atari.machine.input.key = Some(machine::typist::keys::RETURN);
    atari.run(5);
    atari.machine.input.key = None;
    assert!(atari.wait_for_text("SHUFFLING", 600));
    atari.run(100);
    goes_on_from_a_state(atari);
}

#[test]
fn the_title_page_of_crazy_eights_looks_right() {
    let mut atari = Atari::with_game("crazy-eights", Model::Xl800, Tv::Ntsc, 1);
    assert!(atari.wait_for_text("PRESS RETURN TO PLAY", 1500));
    atari.run(2);
    // The title itself changes its colour with the tune.
    golden::check("crazy-eights-title", atari.machine.frame(), 40..240);
}

#[test]
fn crazy_eights_looks_right_in_play_and_at_its_end() {
    let mut atari = Atari::with_game("crazy-eights", Model::Xl800, Tv::Ntsc, 1);
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
