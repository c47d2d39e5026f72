//! The games played from power-on to their ends by players who see only the screen.
use machine::{Model, Tv};
use tests::players::crazy_eights;
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
