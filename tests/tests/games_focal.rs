//! FOCAL checkers played by players who read only the paper, held to the rules and to the old algorithm, and its pictures.
use machine::{Model, Tv};
use tests::golden;
use tests::players::checkers::{greedy, play, random};
use tests::players::focal::{Game, at_the_title, fresh};
use tests::players::{
    Next, escapes_to_the_menu, goes_on_after_escape, goes_on_from_a_state, second,
};
use tests::rules::Chance;
use tests::rules::checkers::{Position, Side, Step};

fn focal<F>(model: Model, tv: Tv, seed: u64, first: Side, choose: F)
where
    F: Fn(&Position, &mut Chance) -> Step,
{
    let mut atari = at_the_title(model, tv, seed);
    atari.run(17 * seed as u32);
    let mut chance = Chance::new(seed);
    let game = Game::start(atari, first).unwrap();
    let (outcome, game) = play(game, &mut chance, 4, choose).unwrap();
    let longest = game.moves.iter().max().unwrap();
    println!(
        "{model:?} {tv:?} seed {seed}: {outcome:?}, {} moves, longest {longest} frames, {} refused",
        game.moves.len(),
        game.refused
    );
    assert!(game.refused > 0, "no wrong entry was tried");
    assert!(*longest < 6 * second(tv));
}

#[test]
fn focal_checkers_is_played_to_its_end_on_an_800xl() {
    focal(Model::Xl800, Tv::Ntsc, 1, Side::White, greedy);
    focal(Model::Xl800, Tv::Ntsc, 2, Side::Black, random);
}

#[test]
fn focal_checkers_is_played_to_its_end_on_a_130xe_in_pal() {
    focal(Model::Xe130, Tv::Pal, 3, Side::Black, greedy);
}

#[test]
fn focal_checkers_is_played_to_its_end_on_an_800() {
    focal(Model::Atari800, Tv::Ntsc, 4, Side::White, random);
}

#[test]
fn focal_checkers_looks_right() {
    let atari = at_the_title(Model::Xl800, Tv::Ntsc, 1);
    golden::check("focal-title", atari.machine.frame(), 0..240);
    let (mut game, _) = Game::start(atari, Side::White).unwrap();
    game.atari.type_text("41-27\n");
    game.atari.expect_text("ONE STEP, DIAGONALLY", 120);
    game.atari.run(60);
    golden::check("focal-play", game.atari.machine.frame(), 0..240);
    // The rest of the game is up to chance; its last line is not.
    let (_, mut game) = play((game, Next::Yours), &mut Chance::new(1), 50, greedy).unwrap();
    game.atari.run(30);
    golden::check("focal-end", game.atari.machine.frame(), 200..240);
    game.atari.type_text("Y");
    game.atari.expect_text("O AND K ARE YOURS", 900);
}

#[test]
fn the_rules_of_focal_checkers_can_be_read_at_any_time() {
    let mut atari = fresh(4);
    atari.type_text("R");
    atari.expect_text("PRESS ANY KEY", 200);
    atari.run(20);
    golden::check("focal-rules", atari.machine.frame(), 0..240);
    atari.type_text(" ");
    atari.expect_text("M  MUSIC", 200);
    atari.run(30);
    let (mut game, _) = Game::start(atari, Side::White).unwrap();
    game.atari.type_text("R");
    game.atari.expect_text("PRESS ANY KEY", 200);
    game.atari.type_text(" ");
    game.atari.expect_text("YOUR MOVE FROM-TO? _", 200);
    let step = game.position.steps()[0];
    game.step(step).unwrap();
}

#[test]
fn focal_checkers_ends_with_escape_and_returns_to_the_menu() {
    let (mut game, _) = Game::start(fresh(5), Side::White).unwrap();
    goes_on_after_escape(&mut game.atari, "YOUR MOVE FROM-TO? _");
    let step = game.position.steps()[0];
    game.step(step).unwrap();
    escapes_to_the_menu(&mut game.atari, "M  MUSIC");
}

#[test]
fn a_state_saved_while_the_teletype_prints_goes_on() {
    let (mut game, _) = Game::start(fresh(7), Side::White).unwrap();
    game.atari.type_text("41-34\n");
    game.atari.expect_text("I MOVE", 300);
    game.atari.run(5);
    goes_on_from_a_state(game.atari);
}

/// The type head, an inverse blank, goes to the right with the letters and back to the left below them.
#[test]
fn the_head_of_the_teletype_prints_a_line_and_returns() {
    let mut atari = at_the_title(Model::Xl800, Tv::Ntsc, 3);
    atari.type_text("\n");
    let mut way: Vec<(usize, usize)> = Vec::new();
    for _ in 0..150 {
        atari.run(1);
        let rows = atari.machine.displayed_text().rows;
        let heads = rows.iter().zip(0..).filter_map(|(row, y)| {
            let x = row.iter().position(|&code| code == 0x80)?;
            Some((y, x))
        });
        way.extend(heads);
    }
    let first = way.iter().filter(|at| at.0 == 0).count();
    assert!(first >= 20, "{way:?}");
    assert!(way[..first].is_sorted() && way[first - 1].1 > 25, "{way:?}");
    // Four steps back, in a frame each or less.
    let back: Vec<usize> = (way[first..].iter().map(|at| at.1))
        .take_while(|&x| x != 4)
        .collect();
    assert!(back.len() >= 3 && back[0] > 20, "{way:?}");
    assert!(back.windows(2).take(2).all(|at| at[0] > at[1]), "{way:?}");
}

/// T types a possible move into the entry, and U prints the board before the last move of each.
#[test]
fn a_move_is_named_and_both_moves_are_taken_back() {
    let rows = |text: &str| -> Vec<String> {
        let row = |line: &&str| {
            let line = line.trim_start();
            let number = line
                .split(' ')
                .next()
                .and_then(|word| word.parse::<u32>().ok());
            number.is_some_and(|number| number.is_multiple_of(8)) && line.contains(['C', 'O', '.'])
        };
        let all: Vec<String> = text.lines().filter(row).map(str::to_owned).collect();
        all[all.len() - 8..].to_vec()
    };
    let (mut game, _) = Game::start(fresh(9), Side::White).unwrap();
    let first = rows(&game.atari.text());
    game.atari.type_text("U");
    game.atari.expect_text("NOTHING TO TAKE BACK", 300);
    game.atari.run(200);
    game.atari.type_text("FT");
    game.atari.run(120);
    let text = game.atari.text();
    let entry = text.rsplit("FROM-TO? ").next().unwrap();
    let number = |at: usize| entry[at..at + 2].parse::<i32>().unwrap();
    let (from, to) = (number(0), number(3));
    assert!([41, 43, 45, 47].contains(&from), "{text}");
    assert!(from - to == 7 || from - to == 9, "{text}");
    game.atari.type_text("\n");
    game.atari.expect_text("I MOVE", 900);
    game.atari.run(400);
    assert_ne!(rows(&game.atari.text()), first);
    game.atari.type_text("U");
    game.atari.expect_text("ARE TAKEN BACK", 300);
    game.atari.run(400);
    assert_eq!(rows(&game.atari.text()), first);
    game.atari.expect_text("FROM-TO? _", 60);
}
