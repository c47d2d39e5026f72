//! Checkers played by players who see only the screen, held to the rules after every step, and its pictures.
use machine::{Model, Tv};
use tests::Atari;
use tests::golden;
use tests::players::checkers::{Game, Next, at_the_title, fresh, greedy, play, random};
use tests::players::{goes_on_from_a_state, second};
use tests::rules::Chance;
use tests::rules::checkers::{Outcome, Side};

fn checkers(model: Model, tv: Tv, seed: u64, side: Side) {
    let mut atari = at_the_title(model, tv, seed);
    atari.run(17 * seed as u32);
    let mut chance = Chance::new(seed);
    let game = Game::start(atari, &[side]).unwrap();
    let (outcome, game) = play(game, &mut chance, 4, greedy).unwrap();
    let longest = game.moves.iter().max().unwrap();
    println!(
        "{model:?} {tv:?} seed {seed}: {outcome:?}, {} steps, longest {longest} frames, {} refused",
        game.moves.len(),
        game.refused
    );
    assert!(game.refused > 0, "no wrong entry was tried");
    assert!(*longest < 4 * second(tv));
}

#[test]
fn checkers_is_played_to_its_end_on_an_800xl() {
    checkers(Model::Xl800, Tv::Ntsc, 1, Side::Black);
}

#[test]
fn checkers_is_played_to_its_end_on_a_130xe_in_pal() {
    checkers(Model::Xe130, Tv::Pal, 2, Side::White);
}

#[test]
fn checkers_is_played_to_its_end_on_an_800() {
    checkers(Model::Atari800, Tv::Ntsc, 3, Side::Black);
}

#[test]
fn a_random_player_of_checkers_mostly_loses() {
    for seed in 1..4 {
        let mut chance = Chance::new(seed);
        let game = Game::start(fresh(seed), &[Side::White]).unwrap();
        let (outcome, _) = play(game, &mut chance, 8, random).unwrap();
        assert_eq!(outcome, Outcome::Won(Side::Black), "seed {seed}");
    }
}
