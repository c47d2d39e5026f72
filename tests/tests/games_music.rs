//! The tunes of the title pages: what POKEY's voices play is what is written in the `.tune` files, on both televisions, and M turns it off.
use machine::{Model, Tv};
use session::keys::key_alone as key_for;
use tests::Atari;
use tests::tunes::{music, plays_what_is_written, voice};

fn at_the_title(game: &str, tv: Tv) -> Atari {
    let mut atari = Atari::with_game(game, Model::Xl800, tv, 1);
    atari.expect_text("RETURN, START OR TRIGGER", 3000);
    atari.run(60);
    atari
}

macro_rules! tunes {
    ($($test:ident $game:literal;)*) => {
        $(#[test]
        fn $test() {
            for tv in [Tv::Ntsc, Tv::Pal] {
                let text = include_str!(concat!("../../roms/games/", $game, "/title.tune"));
                let mut atari = at_the_title($game, tv);
                plays_what_is_written($game, text, tv, || {
                    atari.run(1);
                    music(&atari.machine)
                });
            }
        })*
    };
}

tunes! {
    crazy_eights_plays_its_tune "crazy-eights";
    gammon_plays_its_tune "gammon";
    go_fish_plays_its_tune "go-fish";
    tic_tac_toe_plays_its_tune "tic-tac-toe";
    checkers_plays_its_tune "checkers";
    focal_checkers_plays_its_tune "focal";
    hexapawn_plays_its_tune "hexapawn";
}

#[test]
fn m_turns_the_music_off_and_on() {
    for game in [
        "crazy-eights",
        "gammon",
        "go-fish",
        "tic-tac-toe",
        "checkers",
        "focal",
        "hexapawn",
    ] {
        let mut atari = at_the_title(game, Tv::Ntsc);
        let sounds = |atari: &mut Atari| {
            (0..120).any(|_| {
                atari.run(1);
                (1..4).any(|number| voice(&atari.machine, number).1 > 0)
            })
        };
        assert!(sounds(&mut atari), "{game} is silent");
        for on in [false, true] {
            atari.machine.input.key = Some(key_for('M').unwrap() & 0x3F);
            atari.run(4);
            atari.machine.input.key = None;
            atari.run(60);
            assert_eq!(sounds(&mut atari), on, "{game}");
        }
    }
}

/// The first voice belongs to the effects: it is silent where the tune of a title page plays.
#[test]
fn nothing_but_the_tune_sounds_on_a_title_page() {
    for game in roms::games::ALL {
        let mut atari = at_the_title(game.name, Tv::Ntsc);
        for frame in 0..600 {
            atari.run(1);
            let volume = voice(&atari.machine, 0).1;
            assert_eq!(volume, 0, "{}: frame {frame}", game.name);
        }
    }
}

/// A game that waits for its player plays after 1280 frames of silence, until a key comes, and not while M has turned the music off.
#[test]
fn a_long_silence_in_play_is_filled_by_the_tune() {
    for (game, keys, prompt) in [
        ("crazy-eights", "\n", "P  PUT DOWN"),
        ("gammon", "\n\n\n", "PRESS THE TRIGGER"),
        ("go-fish", "\n", "WHAT DO YOU ASK FOR?"),
        ("tic-tac-toe", "\n", "X: ROW 1-3"),
        ("checkers", "\n", "MOVE:"),
        ("focal", "\n", "YOUR MOVE FROM-TO?"),
        ("hexapawn", "\n", "YOUR MOVE: FROM 1-9"),
    ] {
        let mut atari = at_the_title(game, Tv::Ntsc);
        atari.type_text(keys);
        atari.expect_text(prompt, 1500);
        atari.run(60);
        let sounds = |atari: &mut Atari, frames: u32| {
            (0..frames).any(|_| {
                atari.run(1);
                (1..4).any(|number| voice(&atari.machine, number).1 > 0)
            })
        };
        assert!(!sounds(&mut atari, 1000), "{game} plays at once");
        assert!(sounds(&mut atari, 500), "{game} is silent");
        // A key ends it; M turns it off for good, and on.
        atari.type_text("/");
        atari.run(200);
        assert!(!sounds(&mut atari, 800), "{game} plays after a key");
        atari.type_text("M");
        assert!(!sounds(&mut atari, 2700), "{game} plays in spite of M");
        atari.type_text("M");
        assert!(sounds(&mut atari, 120), "{game} does not play after M");
        // Another key ends it, and after as long a silence in the same turn it comes again.
        atari.type_text("/");
        atari.run(200);
        assert!(!sounds(&mut atari, 800), "{game} does not wait");
        assert!(sounds(&mut atari, 500), "{game} plays only once");
    }
}
