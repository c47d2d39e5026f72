//! Keys of the games: the arrows of the keyboard steer wherever the stick does, and what is typed ahead is kept.
use machine::{Model, Tv};
use session::keys::{code as keys, key_alone as key_for};
use tests::Atari;

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

/// Holds a key for three frames and goes on `then` frames later.
fn press(atari: &mut Atari, key: u8, then: u32) {
    atari.machine.input.key = Some(key);
    atari.run(3);
    atari.machine.input.key = None;
    atari.run(then);
}

/// Presses the keys of `text` each so many frames after the one before.
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
    // RETURN picks; then the arrows go along the cards.
    press(&mut atari, keys::RETURN, 10);
    atari.expect_text("WHICH CARD", 60);
    press(&mut atari, RIGHT, 20);
    let column = |atari: &Atari| {
        let text = atari.text();
        text.lines().skip(19).find_map(|line| line.find('^'))
    };
    let first = column(&atari).expect("no pointer");
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
        let full = game.full.map_or("", |full| full.listing);
        for line in game.listing.lines().chain(full.lines()) {
            assert!(line.len() <= 114, "{}: {line}", game.name);
        }
    }
}
