//! Checkers played by players who see only the screen, held to the rules after every step, and its pictures.
use machine::{Model, Tv};
use tests::Atari;
use tests::golden;
use tests::players::checkers::{Game, at_the_title, fresh, goals, greedy, play, random};
use tests::players::{
    Next, escapes_to_the_menu, goes_on_after_escape, goes_on_from_a_state, push, second, trigger,
};
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

/// Runs until the cursor's light, which swells with the frame counter, is at its brightest.
fn bright(atari: &mut Atari) {
    while atari.machine.peek(0x14) & 31 != 15 {
        atari.run(1);
    }
}

#[test]
fn checkers_for_two_is_played_with_two_sticks_and_looks_right() {
    let atari = at_the_title(Model::Xl800, Tv::Ntsc, 1);
    golden::check("checkers-title", atari.machine.frame(), 0..240);
    let (mut game, mut next) = Game::start(atari, &[Side::Black, Side::White]).unwrap();
    let mut chance = Chance::new(2);
    let mut turns = 0;
    // The frame around a chosen piece, whose player is the piece that glides as well.
    let chosen = game.atari.machine.peek(705);
    let outcome = loop {
        if let Next::Over(outcome) = next {
            break outcome;
        }
        assert_eq!(game.atari.machine.peek(705), chosen, "in turn {turns}");
        turns += 1;
        if turns == 30 {
            game.atari.run(10);
            bright(&mut game.atari);
            golden::check("checkers-play", game.atari.machine.frame(), 0..240);
        }
        let step = greedy(&game.position, &mut chance);
        // White has a stick of its own, or shares the first one.
        let port = usize::from(game.position.turn == Side::White && turns % 3 > 0);
        next = if turns % 2 == 0 {
            game.step(step).unwrap()
        } else {
            game.step_with_stick(step, port).unwrap()
        };
    };
    assert!(matches!(outcome, Outcome::Won(_)), "{outcome:?}");
    game.atari.run(90);
    golden::check("checkers-end", game.atari.machine.frame(), 0..240);
    // Another game begins from the beginning.
    game.atari.type_text("Y");
    game.atari.expect_text("BLACK BEGINS", 240);
}

#[test]
fn the_computer_plays_checkers_against_itself() {
    let (_, next) = Game::start(fresh(9), &[]).unwrap();
    assert!(matches!(next, Next::Over(_)));
}

#[test]
fn the_rules_of_checkers_can_be_read_at_any_time() {
    let mut atari = fresh(4);
    atari.type_text("R");
    atari.expect_text("PRESS ANY KEY", 200);
    atari.run(20);
    golden::check("checkers-rules", atari.machine.frame(), 0..240);
    atari.type_text(" ");
    atari.expect_text("LEVEL  MIDDLE", 200);
    atari.run(30);
    let (mut game, _) = Game::start(atari, &[Side::Black]).unwrap();
    game.atari.type_text("R");
    game.atari.expect_text("PRESS ANY KEY", 200);
    game.atari.type_text(" ");
    game.atari.expect_text("MOVE: _", 200);
    let step = game.position.steps()[0];
    game.step(step).unwrap();
}

#[test]
fn checkers_ends_with_escape_and_returns_to_the_menu() {
    let (mut game, _) = Game::start(fresh(5), &[Side::Black]).unwrap();
    goes_on_after_escape(&mut game.atari, "MOVE: _");
    let step = game.position.steps()[0];
    game.step(step).unwrap();
    escapes_to_the_menu(&mut game.atari, "LEVEL  MIDDLE");
}

#[test]
fn a_state_saved_while_checkers_thinks_goes_on() {
    let (mut game, _) = Game::start(fresh(7), &[Side::Black]).unwrap();
    game.atari.type_text("C3D4\n");
    game.atari.expect_text("WHITE THINKS", 200);
    game.atari.run(5);
    goes_on_from_a_state(game.atari);
}

/// Numbers of squares count from A1 along the row.
#[test]
fn the_goals_of_the_picked_piece_are_lit_until_it_is_put_back_or_moves() {
    let [b4, d4] = [25, 27];
    let (mut game, _) = Game::start(fresh(6), &[Side::Black]).unwrap();
    let atari = &mut game.atari;
    atari.run(30);
    assert!(goals(atari).is_empty());
    // The cursor stands on C3.
    trigger(atari, 0, 5, 30);
    assert_eq!(goals(atari), [b4, d4], "{}", atari.text());
    trigger(atari, 0, 5, 30);
    assert!(goals(atari).is_empty(), "{}", atari.text());
    trigger(atari, 0, 5, 30);
    push(atari, 0, [true, false, false, false], 4, 16);
    push(atari, 0, [false, false, false, true], 4, 16);
    assert_eq!(goals(atari), [b4, d4], "{}", atari.text());
    trigger(atari, 0, 5, 3);
    atari.expect_text("WHITE THINKS", 300);
    assert!(goals(atari).is_empty(), "{}", atari.text());
}
