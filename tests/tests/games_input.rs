//! Keys of the games: the arrows of the keyboard steer wherever the stick does, and what is typed ahead is kept.
use machine::{Model, Tv};
use session::keys::{code as keys, key_alone as key_for};
use tests::Atari;
use tests::players::{gammon, go_fish, second, trigger};

const UP: u8 = keys::UP;
const DOWN: u8 = keys::DOWN;
const LEFT: u8 = keys::LEFT;
const RIGHT: u8 = keys::RIGHT;

fn at_the_title(game: &str) -> Atari {
    let mut atari = Atari::with_game(game, Model::Xl800, Tv::Ntsc, 1);
    atari.expect_text("RETURN, START OR TRIGGER", 3000);
    atari.run(60);
    atari
}

/// Holds a key for three frames and continues `then` frames later.
fn press(atari: &mut Atari, key: u8, then: u32) {
    atari.machine.input.key = Some(key);
    atari.run(3);
    atari.machine.input.key = None;
    atari.run(then);
}

/// Presses the keys of `text`, each `frames` frames after the one before.
fn type_every(atari: &mut Atari, frames: u32, text: &str) {
    for character in text.chars() {
        let key = match character {
            '\n' => keys::RETURN,
            _ => key_for(character).unwrap() & 0x3F,
        };
        press(atari, key, frames - 3);
    }
}

#[test]
fn arrows_move_the_pointer_of_crazy_eights() {
    let mut atari = at_the_title("crazy-eights");
    press(&mut atari, keys::RETURN, 10);
    atari.expect_text("> P  PUT DOWN", 3000);
    atari.run(30);
    for (key, words) in [
        (UP, "> D  DRAW"),
        (DOWN, "> P  PUT"),
        (DOWN, "> S  PASS"),
        (UP, "> P  PUT"),
    ] {
        press(&mut atari, key, 20);
        atari.expect_text(words, 30);
    }
    // RETURN picks; then the arrows go along the cards, from the first one that fits.
    press(&mut atari, keys::RETURN, 10);
    atari.expect_text("WHICH CARD", 60);
    atari.run(30);
    let column = |atari: &Atari| {
        let text = atari.text();
        text.lines().skip(19).find_map(|line| line.find('^'))
    };
    let fits = column(&atari);
    assert_eq!(fits.is_some(), atari.text().contains("LIT LETTERS FIT"));
    for _ in 0..5 {
        press(&mut atari, LEFT, 20);
    }
    if fits.is_none() {
        press(&mut atari, RIGHT, 20);
    }
    let first = column(&atari).expect("no pointer");
    assert!(fits.is_none_or(|fits| fits >= first));
    press(&mut atari, RIGHT, 20);
    assert!(column(&atari).unwrap() > first);
    press(&mut atari, LEFT, 20);
    assert_eq!(column(&atari), Some(first));
}

#[test]
fn arrows_steer_the_cursor_of_gammon_and_return_picks() {
    let mut atari = at_the_title("gammon");
    // RETURN leaves the title, keeps both names, and begins.
    for _ in 0..3 {
        press(&mut atari, keys::RETURN, 60);
    }
    press(&mut atari, keys::RETURN, 60);
    for _ in 0..20 {
        atari.expect_text("FROM WHERE", 3000);
        for key in [LEFT, UP, RIGHT, RIGHT] {
            press(&mut atari, key, 12);
        }
        press(&mut atari, keys::RETURN, 20);
        let text = atari.text();
        if text.contains("NOT YOUR TILE") || text.contains("THAT IS NO MOVE") {
            return;
        }
    }
    panic!("RETURN picks nothing:\n{}", atari.text());
}

#[test]
fn arrows_show_the_moves_of_focal_checkers() {
    let mut atari = at_the_title("focal");
    press(&mut atari, DOWN, 20);
    atari.expect_text("> 2", 30);
    press(&mut atari, UP, 20);
    atari.expect_text("> 1", 30);
    press(&mut atari, keys::RETURN, 30);
    atari.expect_text("FROM-TO?", 600);
    atari.run(20);
    press(&mut atari, RIGHT, 30);
    let line = |atari: &Atari| {
        let text = atari.text();
        let line = text.lines().rfind(|line| line.contains("FROM-TO?"));
        line.unwrap_or_default().to_owned()
    };
    let first = line(&atari);
    assert!(first.contains("-4") || first.contains("-3"), "{first}");
    press(&mut atari, RIGHT, 30);
    assert_ne!(line(&atari), first);
    press(&mut atari, LEFT, 30);
    assert_eq!(line(&atari), first);
    press(&mut atari, keys::SPACE, 30);
    atari.expect_text("I MOVE", 600);
}

#[test]
fn checkers_keeps_keys_typed_90_to_120_ms_apart() {
    for frames in 5..8 {
        let mut atari = at_the_title("checkers");
        type_every(&mut atari, 30, "3\n");
        atari.expect_text("MOVE:", 600);
        atari.run(30);
        type_every(&mut atari, frames, "C3D4");
        atari.run(60);
        atari.expect_text("MOVE: C3-D4", 1);
        // A whole answer, and the other side's, while the first one is still played.
        type_every(&mut atari, frames, "\nB6A5\n");
        atari.expect_text("WHITE B6-A5", 600);
    }
}

#[test]
fn focal_checkers_keeps_a_move_typed_before_it_asks() {
    let mut atari = at_the_title("focal");
    press(&mut atari, keys::RETURN, 40);
    type_every(&mut atari, 6, "41-34\n");
    atari.expect_text("FROM-TO? 41-34", 600);
    atari.expect_text("I MOVE", 600);
}

/// Ranks that are typed while the computer has its turn are asked for when the player's comes, and hurry it; RETURN hurries only.
#[test]
fn go_fish_keeps_ranks_typed_ahead() {
    const KEYS: &[u8] = b"A23456789TJQK";
    let game = go_fish::Game::start(go_fish::fresh(3), false).unwrap();
    let mut ranks: Vec<u8> = game.play.table.hand.iter().map(|card| card.rank).collect();
    ranks.dedup();
    let name = |rank: u8| char::from(KEYS[usize::from(rank) - 1]).to_string();
    // Questions of the player, with the frames in which they come, until he is to ask and nothing is left to be asked.
    let questions = |typed: &str| {
        let mut atari = game.atari.clone();
        type_every(&mut atari, 6, typed);
        let (mut seen, mut last, mut quiet) = (Vec::new(), String::new(), 0);
        for frame in 0..6000 {
            atari.run(1);
            let text = go_fish::says(&atari.machine.displayed_text(), true);
            if text != last && text.starts_with("DO YOU HAVE ANY") {
                seen.push((frame, text.clone()));
            }
            last = text;
            let asked = atari.text().contains("WHAT DO YOU ASK FOR?");
            quiet = if asked { quiet + 1 } else { 0 };
            if quiet == 120 {
                return (seen, frame);
            }
        }
        panic!("the turn does not end:\n{}", atari.text());
    };
    let mut denied = ranks
        .iter()
        .map(|&rank| (rank, questions(&name(rank)).1))
        .filter(|&(_, frames)| frames > 400);
    let (first, frames) = denied.next().expect("a question that fails");
    let second = *ranks.iter().find(|&&rank| rank != first).unwrap();
    let (seen, _) = questions(&(name(first) + &name(second)));
    let [(_, one), (later, two)] = &seen[..] else {
        panic!("{seen:?}");
    };
    assert_ne!(one, two);
    assert!(
        *later < frames / 2,
        "{later} frames after {first} and {second}, {frames} without"
    );
    // Three times RETURN: the turn is shorter, and nothing is asked for that was not meant.
    let (seen, hurried) = questions(&(name(first) + "\n\n\n"));
    assert_eq!(seen.len(), 1, "{seen:?}");
    assert!(hurried + 60 < frames, "{hurried} frames, {frames} without");
}

#[test]
fn tic_tac_toe_keeps_squares_typed_before_it_asks() {
    for frames in 5..8 {
        let mut atari = at_the_title("tic-tac-toe");
        press(&mut atari, key_for('3').unwrap() & 0x3F, 20);
        press(&mut atari, keys::RETURN, 20);
        // A square of each of two players, while the game is prepared; then both are taken.
        type_every(&mut atari, frames, "1232");
        atari.run(300);
        atari.expect_text("X: ROW 1-3", 1);
        for square in ["12", "32"] {
            type_every(&mut atari, 30, square);
            atari.expect_text("THAT SQUARE IS TAKEN", 60);
        }
    }
}

#[test]
fn hexapawn_keeps_moves_typed_before_it_asks() {
    for frames in 5..8 {
        let mut atari = at_the_title("hexapawn");
        press(&mut atari, keys::RETURN, 20);
        // A move, and half of the next one.
        type_every(&mut atari, frames, "747");
        atari.expect_text("FROM 7 TO (1-9)", 2400);
    }
}

/// A key that is pressed just after the game has taken one comes after those that wait.
#[test]
fn no_key_passes_those_that_wait() {
    const CH: u16 = 0x02FC;
    let mut atari = at_the_title("hexapawn");
    press(&mut atari, keys::RETURN, 20);
    type_every(&mut atari, 6, "74");
    let mut before = atari.clone();
    let mut frames = 0;
    let first = atari.machine.peek(CH);
    while atari.machine.peek(CH) == first {
        atari.run(1);
        frames += 1;
        assert!(frames < 2400, "the first key is not taken");
    }
    // From before the first is taken until after the second: POKEY needs up to two frames to see a key.
    before.run(frames - 3);
    for offset in (0..120_000).step_by(4_000) {
        let mut atari = before.clone();
        atari.machine.run_cycles(offset);
        atari.machine.input.key = key_for('8').map(|key| key & 0x3F);
        atari.run(3);
        atari.machine.input.key = None;
        atari.expect_text("FROM 8 TO (1-9)", 2400);
    }
}

/// Pushes the stick for `frames`, lets it go, and counts how often `place` has changed until the game is still again.
fn steps(atari: &mut Atari, right: bool, frames: u32, place: impl Fn(&Atari) -> usize) -> u32 {
    let (mut seen, mut count) = (place(atari), 0);
    atari
        .machine
        .input
        .joystick(0)
        .push(false, false, !right, right);
    for frame in 0..frames + 40 {
        if frame == frames {
            atari.machine.input.joystick(0).centre();
        }
        atari.run(1);
        let now = place(atari);
        count += u32::from(now != seen);
        seen = now;
    }
    count
}

/// A push of 60 to 250 ms is one step; the first step comes again after 0.3 s, then eight times a second.
fn obeys(mut atari: Atari, tv: Tv, place: impl Fn(&Atari) -> usize) {
    let frames = |ms: u32| (ms * second(tv) + 500) / 1000;
    let mut right = true;
    for ms in [60, 80, 110, 150, 200, 250] {
        right = !right;
        let count = steps(&mut atari, right, frames(ms), &place);
        assert_eq!(count, 1, "{tv:?}: {ms} ms\n{}", atari.text());
    }
    let mut held = atari.clone();
    assert_eq!(steps(&mut held, !right, frames(290), &place), 1, "{tv:?}");
    let count = steps(&mut atari, !right, frames(1000), &place);
    assert!(
        (5..=8).contains(&count),
        "{tv:?}: {count} steps in a second"
    );
}

#[test]
fn a_short_push_moves_the_cursor_of_gammon_by_one_peg() {
    for (model, tv) in [(Model::Xl800, Tv::Ntsc), (Model::Atari800, Tv::Pal)] {
        let mut atari = Atari::with_game("gammon", model, tv, 2);
        gammon::start(&mut atari, "ANNA", "BEN", false);
        atari.expect_text("PRESS THE TRIGGER", 300);
        atari.run(20);
        trigger(&mut atari, 0, 8, 3);
        atari.expect_text("FROM WHERE", 3000);
        atari.run(30);
        // Whoever begins: with both sticks pushed the same way.
        let port = usize::from(!atari.text().lines().rev().nth(2).unwrap().contains('<'));
        if port == 1 {
            continue;
        }
        steps(&mut atari, false, 60, |a| usize::from(a.machine.peek(1705)));
        obeys(atari, tv, |a| usize::from(a.machine.peek(1705)));
    }
}

#[test]
fn a_short_push_moves_the_pointer_of_crazy_eights_by_one_card() {
    for (model, tv) in [
        (Model::Xl800, Tv::Ntsc),
        (Model::Atari800, Tv::Pal),
        (Model::Atari400, Tv::Ntsc),
    ] {
        let mut atari = Atari::with_game("crazy-eights", model, tv, 3);
        atari.expect_text("RETURN, START OR TRIGGER", 3000);
        atari.run(30);
        press(&mut atari, keys::RETURN, 10);
        // A hand of twelve.
        for count in 6..=12 {
            atari.expect_text("> P  PUT DOWN", 3000);
            atari.run(20);
            press(&mut atari, key_for('D').unwrap(), 10);
            atari.expect_text(&format!("YOU {count}"), 300);
        }
        atari.expect_text("> P  PUT DOWN", 3000);
        atari.run(20);
        press(&mut atari, key_for('P').unwrap(), 10);
        atari.expect_text("WHICH CARD", 60);
        atari.run(10);
        let column = |atari: &Atari| {
            let text = atari.text();
            let found = text.lines().skip(19).find_map(|line| line.find('^'));
            found.unwrap_or(99)
        };
        // The pointer is not there while it is moved: its last place counts.
        let place = std::cell::Cell::new(99);
        let column = move |atari: &Atari| {
            if column(atari) != 99 {
                place.set(column(atari));
            }
            place.get()
        };
        for _ in 0..9 {
            steps(&mut atari, true, 6, &column);
        }
        obeys(atari, tv, column);
    }
}

/// With CAPS and the inverse key GET gives other characters; the games take letters all the same.
#[test]
fn caps_and_the_inverse_key_do_not_lock_the_letters_out() {
    for lock in [keys::CAPS, keys::INVERSE] {
        let mut atari = at_the_title("crazy-eights");
        press(&mut atari, keys::RETURN, 10);
        atari.expect_text("> P  PUT DOWN", 3000);
        atari.run(30);
        press(&mut atari, lock, 20);
        type_every(&mut atari, 20, "P");
        atari.expect_text("WHICH CARD", 60);
        press(&mut atari, lock, 20);
        type_every(&mut atari, 20, "KI");
        atari.expect_text("KI_", 60);
    }
    // With 16K the first letter is lost.
    for lock in [keys::CAPS, keys::INVERSE] {
        let mut atari = Atari::with_game("crazy-eights", Model::Atari400, Tv::Ntsc, 1);
        atari.expect_text("RETURN, START OR TRIGGER", 3000);
        press(&mut atari, keys::RETURN, 10);
        atari.expect_text("> P  PUT DOWN", 3000);
        atari.run(30);
        press(&mut atari, lock, 20);
        type_every(&mut atari, 40, "XP");
        atari.expect_text("WHICH CARD", 60);
    }
    let mut atari = at_the_title("gammon");
    press(&mut atari, keys::RETURN, 20);
    atari.expect_text("TYPE THE NAMES", 300);
    atari.run(30);
    press(&mut atari, keys::CAPS, 20);
    type_every(&mut atari, 20, "XAB");
    atari.expect_text("AB_", 60);
}

/// A line is typed in on three rows of the screen, 38 characters each at the default margins.
#[test]
fn no_line_of_a_listing_is_longer_than_three_rows() {
    for game in roms::games::ALL {
        let full = game.full.map(|full| full.needs);
        let listings = [Some(game.needs), full].map(|kilobytes| {
            kilobytes.map(|kilobytes| tests::game_listing(game.name, kilobytes).unwrap())
        });
        for line in listings.iter().flatten().flat_map(|text| text.lines()) {
            assert!(line.len() <= 114, "{}: {line}", game.name);
        }
    }
}

/// The console keys ask before they end a game, as ESC does; a second START is yes and leads to the title.
#[test]
fn start_select_and_option_ask_before_a_game_ends() {
    let hold = |atari: &mut Atari, [start, select, option]: [bool; 3]| {
        for down in [true, false] {
            let input = &mut atari.machine.input;
            (input.start, input.select, input.option) =
                (start && down, select && down, option && down);
            atari.run(8);
        }
    };
    for (game, prompt) in [
        ("crazy-eights", "> P  PUT DOWN"),
        ("gammon", "FROM WHERE"),
        ("go-fish", "WHAT DO YOU ASK FOR?"),
        ("tic-tac-toe", "X: ROW 1-3"),
        ("checkers", "MOVE:"),
        ("focal", "YOUR MOVE FROM-TO?"),
        ("hexapawn", "YOUR MOVE: FROM 1-9"),
    ] {
        let mut atari = Atari::with_game(game, Model::Xl800, Tv::Ntsc, 1);
        atari.expect_text("RETURN, START OR TRIGGER", 3000);
        atari.run(60);
        if game == "gammon" {
            gammon::start(&mut atari, "ANNA", "BEN", false);
            atari.expect_text("PRESS THE TRIGGER", 300);
            atari.run(20);
            trigger(&mut atari, 0, 8, 3);
        } else {
            atari.type_text("\n");
        }
        atari.expect_text(prompt, 3000);
        atari.run(60);
        for key in 0..3 {
            hold(&mut atari, [0, 1, 2].map(|number| number == key));
            atari.expect_text("END THIS GAME?", 300);
            atari.run(30);
            atari.type_text("N");
            atari.expect_text(prompt, 300);
            atari.run(60);
        }
        for words in ["END THIS GAME?", "RETURN, START OR TRIGGER"] {
            hold(&mut atari, [true, false, false]);
            atari.expect_text(words, 300);
            atari.run(30);
        }
        atari.run(300);
        atari.expect_text("RETURN, START OR TRIGGER", 1);
    }
}

/// The screen is dark while a game prepares its title: a key that is pressed then counts for the title.
#[test]
fn a_key_that_is_pressed_while_a_game_prepares_its_title_counts() {
    for game in [
        "crazy-eights",
        "gammon",
        "go-fish",
        "tic-tac-toe",
        "checkers",
        "focal",
        "hexapawn",
    ] {
        let words = "RETURN, START OR TRIGGER";
        let started = Atari::with_game(game, Model::Xl800, Tv::Ntsc, 1);
        let mut title = started.clone();
        title.expect_text(words, 3000);
        let frames = title.frames - started.frames;
        title.run(300);
        assert!(title.text().contains(words), "{game} begins by itself");
        // Each eighth frame, and each of the last before the title's first words and after them.
        let (mut early, mut lost) = (started, Vec::new());
        for frame in 1..frames + 12 {
            early.run(1);
            if frame % 8 == 1 || frame + 4 > frames {
                let mut atari = early.clone();
                press(&mut atari, keys::RETURN, frames + 250 - frame);
                if atari.text().contains(words) {
                    lost.push(frame);
                }
            }
        }
        assert!(
            lost.is_empty(),
            "{game}: RETURN is lost in the frames {lost:?} after RUN; the title comes after {frames}"
        );
    }
}

/// The hint has two keys where the game needs neither for something else: H and T.
#[test]
fn h_and_t_give_the_same_hint() {
    for (game, prompt) in [
        ("crazy-eights", "> P  PUT DOWN"),
        ("tic-tac-toe", "X: ROW 1-3"),
        ("focal", "YOUR MOVE FROM-TO?"),
        ("hexapawn", "YOUR MOVE: FROM 1-9"),
    ] {
        let mut atari = at_the_title(game);
        press(&mut atari, keys::RETURN, 10);
        atari.expect_text(prompt, 3000);
        atari.run(60);
        let after = |key: char| {
            let mut atari = atari.clone();
            press(&mut atari, key_for(key).unwrap() & 0x3F, 300);
            atari.text()
        };
        let [h, t, wrong] = ['H', 'T', 'Z'].map(after);
        assert_ne!(h, wrong, "{game}");
        if game == "focal" {
            // A move by chance.
            for text in [h, t] {
                let entry = text.rsplit_once("FROM-TO? ").unwrap().1.to_owned();
                assert!(entry.contains('-'), "{text}");
            }
        } else if game == "tic-tac-toe" {
            // Of moves that are as good one by chance.
            let told = |text: &str| text.replace(char::is_numeric, "#");
            assert_eq!(told(&h), told(&t));
        } else {
            assert_eq!(h, t, "{game}");
        }
    }
}
