//! Hexapawn played by players who see only the screen: held to the rules after every move, its learning measured, its files, its pictures.
use machine::{Model, Tv};
use tests::players::hexapawn::{Folder, Series, at_the_title, best, board, fresh, random, teach};
use tests::players::{
    Next, escapes_to_the_menu, goes_on_after_escape, goes_on_from_a_state, wait_for_the_light,
};
use tests::rules::Chance;
use tests::rules::hexapawn::{START, Side, after, moves};
use tests::{Atari, golden};

fn hexapawn(model: Model, tv: Tv, seed: u64) -> u32 {
    let mut atari = at_the_title(model, tv, seed, false);
    atari.run(17 * seed as u32);
    let mut chance = Chance::new(seed);
    let mut series = Series::start(atari).unwrap();
    series.game(&mut chance, 2, random).unwrap();
    for _ in 0..2 {
        series.another().unwrap();
        series.game(&mut chance, 2, random).unwrap();
    }
    println!("{model:?} {tv:?} seed {seed}: {:?}", series.score);
    series.refused
}

#[test]
fn hexapawn_is_played_to_its_end_on_an_800xl() {
    assert!(hexapawn(Model::Xl800, Tv::Ntsc, 1) + hexapawn(Model::Xl800, Tv::Ntsc, 2) > 0);
}

#[test]
fn hexapawn_is_played_to_its_end_on_a_130xe_in_pal() {
    hexapawn(Model::Xe130, Tv::Pal, 3);
}

#[test]
fn hexapawn_is_played_to_its_end_on_an_800() {
    hexapawn(Model::Atari800, Tv::Ntsc, 4);
}

/// The games in tens: how many the computer lost.
fn curve(won: &[Side]) -> Vec<usize> {
    let lost = |games: &[Side]| games.iter().filter(|&&side| side == Side::Player).count();
    won.chunks(10).map(lost).collect()
}

#[test]
fn the_computer_loses_less_and_less_and_at_last_never() {
    let (mut series, won) = teach(3, 100, best).unwrap();
    println!(
        "{} games until it cannot lose any more, lost in tens: {:?}",
        won.len(),
        curve(&won)
    );
    let lost = won.iter().filter(|&&side| side == Side::Player).count();
    assert!(
        lost >= 5,
        "it has lost {lost} games only, and learnt from them?"
    );
    // From here on no player wins, whatever he tries.
    let mut chance = Chance::new(3);
    for game in 0..15 {
        series.another().unwrap();
        let side = if game % 2 == 0 {
            series.game(&mut chance, 20, best)
        } else {
            series.game(&mut chance, 20, random)
        };
        assert_eq!(side, Ok(Side::Computer), "game {game} after the lessons");
    }
}

/// Every line of play that is left to a player against a computer that has learnt, in machines that continue from the same state.
#[test]
fn no_line_of_play_beats_a_computer_that_has_learnt() {
    fn every_move(series: &Series, lines: &mut u32) {
        for choice in moves(&series.board, Side::Player) {
            let mut branch = series.clone();
            match branch.play(choice).unwrap() {
                Next::Yours => every_move(&branch, lines),
                Next::Over(side) => {
                    assert_eq!(side, Side::Computer, "{:?}", branch.record);
                    *lines += 1;
                }
            }
        }
    }
    let (mut series, _) = teach(5, 100, best).unwrap();
    series.another().unwrap();
    let mut lines = 0;
    every_move(&series, &mut lines);
    println!("{lines} lines of play");
    assert!(lines >= 6);
}

/// Sideways, backwards, two ahead, onto its own: whatever the rules do not allow is refused, on the first board all 81 pairs.
#[test]
fn exactly_the_legal_moves_are_accepted() {
    let series = Series::start(fresh(9)).unwrap();
    let legal = moves(&START, Side::Player);
    for from in 7..10 {
        for to in 1..10 {
            let mut branch = series.clone();
            branch.atari.type_text(&format!("{from}{to}"));
            if legal.contains(&(from, to)) {
                let want = after(&START, (from, to));
                let took = (0..120).any(|_| {
                    branch.atari.run(1);
                    board(&branch.atari) == Ok(want)
                });
                assert!(took, "{from} to {to} is not accepted");
            } else if from != to {
                let refused = branch.atari.wait_for_text("A PAWN CANNOT MOVE THERE", 120);
                assert!(refused, "{from} to {to} is accepted");
            }
        }
    }
}

#[test]
fn what_was_learnt_and_the_games_are_saved_loaded_and_replayed() {
    let mut folder = Folder::default();
    let atari = at_the_title(Model::Xl800, Tv::Ntsc, 6, true);
    let mut series = Series::start(atari).unwrap();
    let mut chance = Chance::new(6);
    let mut records = Vec::new();
    for game in 0..4 {
        if game > 0 {
            series.another().unwrap();
        }
        series.game(&mut chance, 50, best).unwrap();
        records.push(series.record.clone());
    }
    let left: usize = series.knowledge.0.iter().map(Vec::len).sum();
    assert!(left < 46, "nothing was learnt");
    let mut atari = series.atari;
    atari.type_text("N");
    let known = format!("19 BOARDS AND {left} MOVES");
    atari.expect_text(&known, 300);
    atari.type_text("S");
    assert!(
        folder.wait_for_text(&mut atari, "SAVED IN H:", 1200),
        "{}",
        atari.text()
    );
    assert!(folder.files["HEXAPAWN.DAT"].starts_with(b"HEXAPAWN\x9B"));
    assert_eq!(
        folder.files["HEXAPAWN.GAM"].split(|&c| c == 0x9B).count(),
        5,
        "four lines, and nothing behind the last"
    );

    // Another machine has learnt nothing, until it loads.
    let mut atari = at_the_title(Model::Xe130, Tv::Pal, 7, true);
    atari.type_text("L");
    assert!(
        folder.wait_for_text(&mut atari, "LOADED WITH 4 GAMES", 1500),
        "{}",
        atari.text()
    );
    atari.type_text("G");
    atari.expect_text("GAME 4 OF 4: START", 300);
    atari.type_text("{UP*3}");
    atari.expect_text("GAME 1 OF 4: START", 300);
    let mut want = START;
    for &choice in &records[0] {
        atari.type_text("{RIGHT}");
        want = after(&want, choice);
        let words = format!("{} TO {}", choice.0, choice.1);
        atari.expect_text(&words, 120);
        assert_eq!(board(&atari), Ok(want));
    }
    atari.type_text("{LEFT*9}");
    atari.expect_text(": START", 300);
    assert_eq!(board(&atari), Ok(START));
    atari.type_text("{ESC}");
    atari.expect_text("ESC  MENU", 300);
    atari.expect_text(&known, 300);
}

#[test]
fn a_folder_that_is_absent_read_only_empty_or_damaged_gets_a_clear_sentence() {
    let ask = |atari: &mut Atari, folder: &mut Folder, key: &str, words: &str| {
        atari.type_text(key);
        // The sentence of the time before may still stand there.
        for _ in 0..30 {
            atari.run(1);
            folder.serve(atari);
        }
        assert!(folder.wait_for_text(atari, words, 1200), "{}", atari.text());
        atari.run(60);
    };
    let mut none = fresh(1);
    let mut folder = Folder::default();
    ask(&mut none, &mut folder, "S", "THERE IS NO FOLDER H: HERE");
    ask(&mut none, &mut folder, "L", "THERE IS NO FOLDER H: HERE");
    let mut atari = at_the_title(Model::Xl800, Tv::Ntsc, 8, true);
    ask(&mut atari, &mut folder, "L", "THERE IS NO H:HEXAPAWN.DAT");
    folder.read_only = true;
    ask(&mut atari, &mut folder, "S", "THE FOLDER H: IS READ-ONLY");
    let good: Vec<u8> = b"HEXAPAWN\x9B".to_vec();
    for bad in [
        b"".to_vec(),
        b"HELLO\x9B".to_vec(),
        good.clone(),
        [&good[..], b"24\x9B99\x9B"].concat(),
        [&good[..], b"24\x9BX\x9B"].concat(),
    ] {
        folder.files.insert("HEXAPAWN.DAT".into(), bad);
        ask(&mut atari, &mut folder, "L", "H:HEXAPAWN.DAT IS DAMAGED");
    }
    // It can still be played.
    let mut series = Series::start(atari).unwrap();
    series.play((7, 4)).unwrap();
}

#[test]
fn escape_ends_a_game_and_the_title_page_returns_to_the_menu() {
    let mut series = Series::start(fresh(5)).unwrap();
    goes_on_after_escape(&mut series.atari, "YOUR MOVE");
    escapes_to_the_menu(&mut series.atari, "46 MOVES");
}

#[test]
fn a_state_saved_in_the_middle_of_hexapawn_goes_on() {
    let mut series = Series::start(fresh(7)).unwrap();
    series.atari.type_text("85");
    series.atari.expect_text("I LOOK FOR THIS BOARD", 200);
    series.atari.run(5);
    goes_on_from_a_state(series.atari);
}

/// The end is that of the first game in which the computer answers 7 to 4 with 3 to 6.
#[test]
fn hexapawn_looks_right() {
    let atari = at_the_title(Model::Xl800, Tv::Ntsc, 1, false);
    golden::check("hexapawn-title", atari.machine.frame(), 0..240);
    let mut series = Series::start(atari).unwrap();
    series.atari.type_text("7");
    series.atari.expect_text("FROM 7 TO", 120);
    wait_for_the_light(&mut series.atari);
    golden::check("hexapawn-play", series.atari.machine.frame(), 0..240);
    let mut series = (1..60)
        .map(|seed| {
            let mut series = Series::start(fresh(seed)).unwrap();
            series.play((7, 4)).unwrap();
            series
        })
        .find(|series| series.record == [(7, 4), (3, 6)])
        .expect("such an answer");
    assert_eq!(series.play((4, 2)).unwrap(), Next::Over(Side::Player));
    series.atari.run(40);
    golden::check("hexapawn-end", series.atari.machine.frame(), 0..240);
}

/// The last move's bead leaves its place in the box beside the board, falls through the hole below, and stays on the floor.
#[test]
fn the_bead_of_a_struck_move_is_seen_to_fall_out_of_its_box() {
    let mut atari = (1..60)
        .map(|seed| {
            let mut series = Series::start(fresh(seed)).unwrap();
            series.play((7, 4)).unwrap();
            series
        })
        .find(|series| series.record == [(7, 4), (3, 6)])
        .expect("such an answer")
        .atari;
    let cell = |atari: &Atari, row: usize, column: usize| {
        atari.machine.displayed_text().rows[row][column] & 0x7F
    };
    let (bead, gone) = (113, 120);
    // Box 1 has 24, 25 and 36; the floor is empty.
    assert_eq!([1, 3, 5].map(|row| cell(&atari, row, 35)), [bead; 3]);
    assert_eq!(cell(&atari, 14, 28), 0);
    atari.type_text("42");
    atari.expect_text("YOU WIN, AND I LOSE A BEAD", 400);
    // Player 3, two scan lines a byte, and its place.
    let player = u16::from(atari.machine.peek(0x6A)) * 256 + 1024 + 896;
    let mut way: Vec<u16> = Vec::new();
    let mut holes = 0;
    while !atari.text().contains("45 OF 46 BEADS ARE LEFT") {
        let line = (0..128).find(|&at| atari.machine.peek(player + at) != 0);
        if let Some(line) = line
            && way.last() != Some(&line)
        {
            way.push(line);
        }
        holes += u32::from(cell(&atari, 8, 34) == 0);
        atari.run(1);
        assert!(way.len() < 200, "{way:?}");
    }
    let bottom = *way.iter().max().unwrap();
    assert!(way[0] < 40 && bottom > 68, "{way:?}");
    // It bounces: after the floor it is higher once more.
    let floor = way.iter().position(|&line| line == bottom).unwrap();
    assert!(
        way[floor..].iter().any(|&line| line + 3 < bottom),
        "{way:?}"
    );
    assert!(holes > 30, "{holes}");
    assert_eq!(
        [1, 3, 5].map(|row| cell(&atari, row, 35)),
        [bead, bead, gone]
    );
    assert_eq!(cell(&atari, 14, 28), bead);
    assert_ne!(cell(&atari, 8, 34), 0, "the hole is closed");
    atari.expect_text("YOU REACHED THE LAST ROW", 600);
    atari.expect_text("YOU WIN. ANOTHER GAME?", 600);
}

/// S asks before it replaces a store of more games, and puts both together when that is wanted.
#[test]
fn a_larger_store_of_games_is_replaced_only_when_that_is_wanted() {
    let mut folder = Folder::default();
    let key = |atari: &mut Atari, folder: &mut Folder, key: &str, words: &str| {
        atari.type_text(key);
        assert!(folder.wait_for_text(atari, words, 1200), "{}", atari.text());
        atari.run(60);
    };
    let games = |folder: &Folder| folder.files["HEXAPAWN.GAM"].split(|&c| c == 0x9B).count() - 1;
    let mut chance = Chance::new(11);
    let mut lost = Vec::new();
    for (seed, count) in [(11, 2), (12, 1)] {
        let mut series = Series::start(at_the_title(Model::Xl800, Tv::Ntsc, seed, true)).unwrap();
        for game in 0..count {
            if game > 0 {
                series.another().unwrap();
            }
            series.game(&mut chance, 50, best).unwrap();
        }
        lost.push(46 - series.knowledge.0.iter().map(Vec::len).sum::<usize>());
        let mut atari = series.atari;
        atari.type_text("N");
        atari.expect_text("19 BOARDS", 300);
        if count == 2 {
            key(&mut atari, &mut folder, "S", "SAVED IN H:");
            assert_eq!(games(&folder), 2);
            continue;
        }
        let kept = folder.files.clone();
        key(&mut atari, &mut folder, "S", "H: HOLDS MORE GAMES");
        key(&mut atari, &mut folder, "N", "SAVE BOTH TOGETHER?");
        key(&mut atari, &mut folder, "N", "NOTHING WAS SAVED");
        assert_eq!(folder.files, kept);
        let mut both = (atari.clone(), folder.clone());
        key(&mut atari, &mut folder, "S", "H: HOLDS MORE GAMES");
        key(&mut atari, &mut folder, "Y", "SAVED IN H:");
        assert_eq!(games(&folder), 1);
        let (atari, folder) = (&mut both.0, &mut both.1);
        key(atari, folder, "S", "H: HOLDS MORE GAMES");
        key(atari, folder, "N", "SAVE BOTH TOGETHER?");
        key(atari, folder, "Y", "SAVED IN H:");
        assert_eq!(games(folder), 3);
        let struck = folder.files["HEXAPAWN.DAT"]
            .split(|&c| c == 0x9B)
            .skip(1)
            .take(76)
            .filter(|line| *line == b"0")
            .count();
        // 30 of the 76 places have no move at all.
        let most = lost.iter().max().unwrap();
        assert!((30 + most..=30 + lost.iter().sum::<usize>()).contains(&struck));
    }
}

/// B shows the nineteen boxes with a bead for each move that is left.
#[test]
fn the_boxes_lose_the_bead_of_a_struck_move() {
    let beads = |atari: &mut Atari| {
        atari.type_text("B");
        atari.expect_text("THE MATCHBOXES", 600);
        atari.expect_text("PRESS ANY KEY TO GO BACK", 600);
        atari.run(60);
        let text = atari.text();
        let struck = text.matches("---").count();
        let rows = atari.machine.displayed_text().rows;
        let left = rows.iter().flatten().filter(|&&c| c & 0x7F == 0x54).count();
        atari.type_text(" ");
        atari.expect_text("RETURN, START OR TRIGGER", 300);
        atari.run(60);
        (left, struck)
    };
    let mut atari = fresh(13);
    assert_eq!(beads(&mut atari), (46, 0));
    let mut series = Series::start(atari).unwrap();
    let mut chance = Chance::new(13);
    while series.game(&mut chance, 50, best) != Ok(Side::Player) {
        series.another().unwrap();
    }
    let mut atari = series.atari;
    atari.type_text("N");
    atari.expect_text("19 BOARDS AND 45 MOVES", 300);
    assert_eq!(beads(&mut atari).0, 45);
}

/// W draws how many of the last ten games the computer has won, a dot for each of them, a column for each game.
#[test]
fn the_graph_has_a_column_for_each_game() {
    let mut series = Series::start(fresh(21)).unwrap();
    let mut chance = Chance::new(21);
    let mut won = Vec::new();
    for game in 0..6 {
        if game > 0 {
            series.another().unwrap();
        }
        let side = if game % 2 == 0 {
            series.game(&mut chance, 50, best)
        } else {
            series.game(&mut chance, 50, random)
        };
        won.push(side == Ok(Side::Computer));
    }
    let mut atari = series.atari;
    atari.type_text("N");
    atari.expect_text("19 BOARDS", 300);
    atari.run(30);
    atari.type_text("W");
    atari.expect_text("PRESS ANY KEY TO GO BACK", 600);
    assert!(atari.text().contains("GAMES 1 TO 6"), "{}", atari.text());
    let rows = atari.machine.displayed_text().rows;
    let count = |column: usize, code: u8| (0..21).filter(|&r| rows[r][column] == code).count();
    for games in 1..=6 {
        let sum = won[..games].iter().filter(|&&won| won).count();
        let shown = (count(games, 119), count(games, 247));
        assert_eq!(shown, (sum, games - sum), "{won:?} {games}");
    }
    assert_eq!(count(7, 119) + count(7, 247), 0);
    // The same games in the strip beside the board.
    let strip = |row: usize| (0..6).map(move |game| (row, 28 + game));
    let beads = |row| strip(row).map(|(y, x)| rows[y][x] & 0x7F == 119);
    assert!(beads(18).eq(won.iter().copied()), "{won:?}");
    assert!(beads(19).eq(won.iter().map(|won| !won)), "{won:?}");
    assert!(won.contains(&true) && won.contains(&false), "{won:?}");
    atari.type_text(" ");
    atari.expect_text("19 BOARDS", 300);
}

/// The squares to which the chosen pawn can go have lamps in their corners, until it has gone or is put back.
#[test]
fn the_goals_of_a_chosen_pawn_are_marked() {
    let marked = |atari: &Atari| -> Vec<usize> {
        let rows = atari.machine.displayed_text().rows;
        let corner = |square: &usize| {
            let (row, column) = (7 * (square / 3), 1 + 8 * (square % 3));
            let lamp = if square.is_multiple_of(2) { 104 } else { 103 };
            [(0, 0), (0, 7), (6, 0), (6, 7)]
                .iter()
                .all(|&(down, right)| rows[row + down][column + right] == lamp)
        };
        (0..9).filter(corner).map(|square| square + 1).collect()
    };
    let mut atari = Series::start(fresh(17)).unwrap().atari;
    assert!(marked(&atari).is_empty());
    atari.type_text("8");
    atari.expect_text("FROM 8 TO", 120);
    atari.run(40);
    assert_eq!(marked(&atari), [5]);
    atari.type_text("8");
    atari.expect_text("YOUR MOVE", 120);
    atari.run(40);
    assert!(marked(&atari).is_empty());
    atari.type_text("7");
    atari.run(40);
    assert_eq!(marked(&atari), [4]);
    atari.type_text("4");
    atari.expect_text("I MOVE", 300);
    atari.run(10);
    assert!(marked(&atari).is_empty());
}

/// T names a move that is worth no less than any other against the beads that are left, by a count of every line of play.
#[test]
fn the_hint_is_the_move_after_which_the_beads_lose_most_often() {
    let mut chance = Chance::new(23);
    let mut series = Series::start(fresh(23)).unwrap();
    let mut asked = 0;
    for game in 0..8 {
        if game > 0 {
            series.another().unwrap();
        }
        loop {
            series.atari.type_text("T");
            series.atari.expect_text("TRY ", 300);
            series.atari.run(15);
            let text = series.atari.text();
            let words = text.split("TRY ").nth(1).unwrap();
            let number = |at: usize| usize::from(words.as_bytes()[at] - b'0');
            let hint = (number(0), number(5));
            let worth = |choice| {
                let next = after(&series.board, choice);
                series.knowledge.chance_after(&next)
            };
            let choices = moves(&series.board, Side::Player);
            assert!(choices.contains(&hint), "{hint:?} on {:?}", series.board);
            let most = choices
                .iter()
                .map(|&choice| worth(choice))
                .fold(0.0, f64::max);
            // The program rounds each mean down to a 255th.
            assert!(
                worth(hint) >= most - 4.0 / 255.0,
                "{hint:?}: {} of {most} on {:?}",
                worth(hint),
                series.board
            );
            assert_eq!(text.contains("EVERY MOVE LOSES NOW"), most < 1e-9);
            asked += 1;
            let choice = if game % 2 == 0 {
                hint
            } else {
                random(&series, &mut chance)
            };
            if matches!(series.play(choice).unwrap(), Next::Over(_)) {
                break;
            }
        }
    }
    assert!(asked > 15, "{asked}");
}

/// U takes the player's move and the answer back, and what was struck later is the bead of the move that stands.
#[test]
fn a_step_back_takes_both_moves_back() {
    let mut series = Series::start(fresh(25)).unwrap();
    series.atari.type_text("U");
    series.atari.expect_text("NOTHING TO TAKE BACK", 120);
    series.atari.run(150);
    while series.record.len() < 2 {
        let choice = moves(&series.board, Side::Player)[0];
        assert_eq!(series.play(choice), Ok(Next::Yours));
    }
    series.atari.type_text("U");
    series.atari.expect_text("TAKEN BACK", 300);
    series.atari.run(60);
    assert_eq!(board(&series.atari), Ok(START));
    // Series keeps account of what must be struck: the series continues as if the first try had not been.
    series.board = START;
    series.record.clear();
    let mut chance = Chance::new(25);
    for game in 0..4 {
        if game > 0 {
            series.another().unwrap();
        }
        series.game(&mut chance, 50, best).unwrap();
    }
    assert!(series.score[1] > 0);
}
