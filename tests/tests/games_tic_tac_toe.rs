//! Tic-Tac-Toe played by players who see only the screen, held to the rules after every mark, and its pictures.
use std::collections::HashSet;

use machine::{Model, Tv};
use tests::arena::{Record, Winner};
use tests::golden;
use tests::players::tic_tac_toe::{Game, at_the_title, board, fresh, greedy, play, random};
use tests::players::{
    Next, asks_for_the_menu, goes_on_from_a_state, push, trigger, wait_for_the_light,
};
use tests::rules::Chance;
use tests::rules::tic_tac_toe::{Board, Mark, canonical, moves, value};

fn tic_tac_toe(model: Model, tv: Tv, seed: u64, side: Mark) -> Record {
    let mut atari = at_the_title(model, tv, seed);
    atari.run(17 * seed as u32);
    let mut chance = Chance::new(seed);
    let game = Game::start(atari, side).unwrap();
    let record = play(game, &mut chance, 3, greedy).unwrap();
    println!("{model:?} {tv:?} seed {seed}: {record:?}");
    assert_ne!(record.winner, Winner::Player);
    record
}

#[test]
fn tic_tac_toe_is_played_to_its_end_on_an_800xl() {
    let mut refused = 0;
    for seed in 1..4 {
        refused += tic_tac_toe(Model::Xl800, Tv::Ntsc, seed, Mark::X).refused;
        refused += tic_tac_toe(Model::Xl800, Tv::Ntsc, seed, Mark::O).refused;
    }
    assert!(refused > 0, "no wrong entry was tried");
}

#[test]
fn tic_tac_toe_is_played_to_its_end_on_a_130xe_in_pal() {
    tic_tac_toe(Model::Xe130, Tv::Pal, 4, Mark::X);
}

#[test]
fn tic_tac_toe_is_played_to_its_end_on_an_800() {
    tic_tac_toe(Model::Atari800, Tv::Ntsc, 5, Mark::O);
}

/// Every answer to the computer's marks is tried, in machines that continue from the same state; positions that are turns or
/// mirrors of one another are tried once.
fn every_answer(game: &Game, seen: &mut HashSet<Board>, ends: &mut [u32; 3]) {
    if !seen.insert(canonical(&game.board)) {
        return;
    }
    for square in moves(&game.board) {
        let mut branch = game.clone();
        match branch.mark(square).unwrap() {
            Next::Yours => every_answer(&branch, seen, ends),
            Next::Over(winner) => ends[winner as usize] += 1,
        }
    }
}

#[test]
fn the_computer_never_loses_whatever_the_player_answers() {
    let mut ends = [0; 3];
    for side in [Mark::X, Mark::O] {
        let game = Game::start(fresh(11), side).unwrap();
        let mut seen = HashSet::new();
        every_answer(&game, &mut seen, &mut ends);
        println!("{side:?}: {} positions, {ends:?}", seen.len());
    }
    assert_eq!(ends[Winner::Player as usize], 0);
    assert!(ends[Winner::Computer as usize] > 20 && ends[Winner::Nobody as usize] > 5);
}

#[test]
fn a_random_player_mostly_loses() {
    let mut won = [0; 3];
    for seed in 1..11 {
        let mut chance = Chance::new(seed);
        let game = Game::start(fresh(100 + seed), Mark::X).unwrap();
        won[play(game, &mut chance, 5, random).unwrap().winner as usize] += 1;
    }
    println!("{won:?}");
    assert_eq!(won[Winner::Player as usize], 0);
    assert!(won[Winner::Computer as usize] > 5);
}

#[test]
fn two_players_use_two_sticks_or_share_one() {
    for shared in [false, true] {
        let mut atari = fresh(3);
        atari.type_text(if shared { "3" } else { "2" });
        let words = if shared { "ONE STICK" } else { "TWO STICKS" };
        atari.expect_text(words, 60);
        atari.type_text("\n");
        // X marks the first row, O the second: each mark is the free square under the light, or one down and back.
        for turn in 0..5 {
            let words = if turn % 2 == 0 {
                "X: ROW 1-3"
            } else {
                "O: ROW 1-3"
            };
            atari.expect_text(words, 300);
            atari.run(10);
            let port = if shared { 0 } else { turn % 2 };
            // To the square's row and column from wherever the light is: into the corner first.
            let mut ways = vec![[true, false, false, false]; 2];
            ways.extend([[false, false, true, false]; 2]);
            ways.extend(vec![[false, true, false, false]; turn % 2]);
            ways.extend(vec![[false, false, false, true]; turn / 2]);
            for way in ways {
                push(&mut atari, port, way, 10, 20);
            }
            trigger(&mut atari, port, 10, 0);
        }
        atari.expect_text("X WINS", 300);
        assert!(atari.text().contains("PLAYER X 1"), "{}", atari.text());
    }
}

/// The games of a series stand in a row; five won games win it, and the next one begins at nought.
#[test]
fn five_won_games_take_a_series() {
    let mut atari = fresh(9);
    atari.type_text("2");
    atari.run(10);
    atari.type_text("\n");
    for game in 1..=5 {
        atari.expect_text("X: ROW 1-3", 300);
        for entry in ["11", "21", "12", "22", "13"] {
            atari.run(20);
            atari.type_text(entry);
        }
        atari.expect_text("ANOTHER GAME?", 900);
        let words = if game < 5 {
            format!("SERIES {}", " X".repeat(game))
        } else {
            "X TAKES THE SERIES, 5 TO 0".to_owned()
        };
        let text = atari.text();
        assert!(text.lines().any(|line| line.trim() == words), "{text}");
        atari.run(30);
        atari.type_text("Y");
    }
    atari.expect_text("X: ROW 1-3", 300);
    let text = atari.text();
    assert!(
        text.contains("PLAYER X 0") && !text.contains("SERIES"),
        "{text}"
    );
}

/// U takes the player's last mark back, and the computer's; T names a square that does not lose and puts the light on it.
#[test]
fn a_mark_is_taken_back_and_a_good_square_is_named() {
    let mut game = Game::start(fresh(8), Mark::X).unwrap();
    game.atari.type_text("U");
    game.atari.expect_text("NOTHING TO TAKE BACK", 120);
    game.mark(0).unwrap();
    let before = board(&game.atari).unwrap();
    game.mark(moves(&before)[0]).unwrap();
    game.atari.type_text("U");
    game.atari.expect_text("X: ROW 1-3", 120);
    game.atari.run(30);
    assert_eq!(board(&game.atari).unwrap(), before);
    game.board = before;
    game.atari.type_text("T");
    game.atari.expect_text(", COLUMN ", 600);
    game.atari.run(10);
    let text = game.atari.text();
    let after = |words: &str| {
        let at = text.find(words).unwrap() + words.len();
        text[at..]
            .chars()
            .next()
            .and_then(|c| c.to_digit(10))
            .unwrap() as usize
    };
    let square = 3 * after("TRY ROW ") + after(", COLUMN ") - 4;
    let mut best = before;
    best[square] = Some(Mark::X);
    assert!(
        before[square].is_none() && value(&best, Mark::O) <= 0,
        "{square}: {text}"
    );
    // The light is there: the trigger marks it, and the words stay until then.
    game.atari.run(150);
    assert!(game.atari.text().contains("TRY ROW"));
    trigger(&mut game.atari, 0, 10, 60);
    assert_eq!(board(&game.atari).unwrap()[square], Some(Mark::X));
}

/// Of two players the other one is asked; with a yes the mark goes, and it is the turn of who had made it.
#[test]
fn of_two_players_a_mark_goes_when_the_other_one_agrees() {
    let mut atari = fresh(10);
    atari.type_text("2");
    atari.run(10);
    atari.type_text("\n");
    atari.expect_text("X: ROW 1-3", 300);
    atari.type_text("23");
    atari.expect_text("O: ROW 1-3", 120);
    let one = board(&atari).unwrap();
    atari.type_text("11");
    atari.expect_text("X: ROW 1-3", 120);
    let two = board(&atari).unwrap();
    for (answer, words, wanted) in [("N", "X: ROW 1-3", two), ("Y", "O: ROW 1-3", one)] {
        atari.type_text("U");
        atari.expect_text("LET O TAKE IT BACK? (Y/N)", 120);
        atari.type_text(answer);
        atari.expect_text(words, 120);
        atari.run(30);
        assert_eq!(board(&atari).unwrap(), wanted);
    }
    atari.type_text("U");
    atari.expect_text("LET X TAKE IT BACK? (Y/N)", 120);
    atari.type_text("Y");
    atari.expect_text("X: ROW 1-3", 120);
    atari.run(30);
    assert_eq!(board(&atari).unwrap(), [None; 9]);
}

#[test]
fn minus_one_and_escape_end_a_game_and_n_returns_to_the_menu() {
    for keys in ["-1", "{ESC}"] {
        let mut game = Game::start(fresh(5), Mark::X).unwrap();
        game.atari.type_text(keys);
        game.atari.expect_text("END THIS GAME? (Y/N)", 120);
        game.atari.type_text("N");
        game.atari.expect_text("X: ROW 1-3", 120);
        game.atari.type_text(keys);
        game.atari.expect_text("END THIS GAME? (Y/N)", 120);
        game.atari.type_text("Y");
        game.atari.expect_text("ESC  MENU", 300);
        game.atari.run(30);
        game.atari.type_text("{ESC}");
        assert!(asks_for_the_menu(&mut game.atari, 300));
    }
}

#[test]
fn the_rules_can_be_read_in_the_middle_of_a_game() {
    let mut game = Game::start(fresh(6), Mark::X).unwrap();
    game.mark(0).unwrap();
    game.atari.type_text("R");
    game.atari.expect_text("ANY KEY TO GO BACK", 200);
    game.atari.run(20);
    golden::check("tic-tac-toe-rules", game.atari.machine.frame(), 0..240);
    game.atari.type_text(" ");
    game.atari.expect_text("X: ROW 1-3", 200);
    let square = moves(&game.board)[0];
    game.mark(square).unwrap();
}

#[test]
fn a_state_saved_in_the_middle_of_tic_tac_toe_goes_on() {
    let mut game = Game::start(fresh(7), Mark::X).unwrap();
    game.atari.type_text("22");
    game.atari.expect_text("THE COMPUTER THINKS", 200);
    game.atari.run(5);
    goes_on_from_a_state(game.atari);
}

/// The pictures do not depend on chance: a corner is answered in the centre, two marks in a row are stopped, an open line is made.
#[test]
fn tic_tac_toe_looks_right() {
    let atari = at_the_title(Model::Xl800, Tv::Ntsc, 1);
    golden::check("tic-tac-toe-title", atari.machine.frame(), 0..240);
    let mut game = Game::start(atari, Mark::X).unwrap();
    game.mark(0).unwrap();
    game.mark(1).unwrap();
    wait_for_the_light(&mut game.atari);
    golden::check("tic-tac-toe-play", game.atari.machine.frame(), 0..240);
    assert_eq!(game.mark(5).unwrap(), Next::Over(Winner::Computer));
    game.atari.run(40);
    golden::check("tic-tac-toe-end", game.atari.machine.frame(), 0..240);
}
