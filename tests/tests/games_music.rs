//! The tunes of the title pages: what POKEY's voices play is what is written in the `.tune` files, on both televisions, and M turns it off.
//! The effects: frame by frame what is written in the `.effects` files, with their echo.
use machine::{Model, Tv};
use session::keys::key_alone as key_for;
use tests::Atari;
use tests::tunes::{effect, music, plays_what_is_written, voice};

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
        // In silence nothing but a sentence tells.
        let says = matches!(game, "tic-tac-toe" | "checkers" | "hexapawn");
        atari.type_text("M");
        if says {
            atari.expect_text("MUSIC OFF", 60);
        }
        assert!(!sounds(&mut atari, 2700), "{game} plays in spite of M");
        atari.type_text("M");
        if says {
            atari.expect_text("MUSIC ON", 60);
        }
        assert!(sounds(&mut atari, 120), "{game} does not play after M");
        // Another key ends it, and after as long a silence in the same turn it comes again.
        atari.type_text("/");
        atari.run(200);
        assert!(!sounds(&mut atari, 800), "{game} does not wait");
        assert!(sounds(&mut atari, 500), "{game} plays only once");
    }
}

/// X in Tic-Tac-Toe is two strokes and a note: voice 0 has each frame's divisor and volume, voice 1 the echo of half the volume eight
/// frames later. On the title page, where the tune has voice 1, the sound of a choice has none.
#[test]
fn effects_sound_as_they_are_written() {
    const DELAY: usize = 8;
    let text = include_str!("../../roms/games/tic-tac-toe/play.effects");
    let mut atari = at_the_title("tic-tac-toe", Tv::Ntsc);
    let heard = |atari: &mut Atari, key: u8| -> Vec<[(u8, u8); 2]> {
        atari.machine.input.key = Some(key);
        let mut frames = Vec::new();
        for frame in 0..90 {
            if frame == 4 {
                atari.machine.input.key = None;
            }
            atari.run(1);
            frames.push([0, 1].map(|number| voice(&atari.machine, number)));
        }
        let first = frames.iter().position(|now| now[0].1 > 0);
        frames.split_off(first.expect("a sound"))
    };
    let choice = effect(text, 7);
    for (now, written) in heard(&mut atari, key_for('L').unwrap()).iter().zip(&choice) {
        assert_eq!(now[0], (written.0, written.1));
    }
    atari.type_text("\n");
    atari.expect_text("X: ROW 1-3", 600);
    atari.run(60);
    atari.machine.input.key = Some(key_for('1').unwrap());
    atari.run(4);
    atari.machine.input.key = None;
    atari.expect_text("COLUMN", 60);
    atari.run(20);
    let mark = effect(text, 1);
    assert!(mark.iter().any(|frame| frame.2), "no echo is written");
    let frames = heard(&mut atari, key_for('1').unwrap());
    for (i, &(divisor, volume, echo)) in mark.iter().enumerate() {
        assert_eq!(frames[i][0].1, volume, "frame {i} of {mark:?}");
        if volume > 0 {
            assert_eq!(frames[i][0].0, divisor, "frame {i} of {mark:?}");
        }
        let later = frames[i + DELAY][1];
        assert_eq!(
            later.1,
            u8::from(echo) * volume / 2,
            "the echo of frame {i}"
        );
        if later.1 > 0 {
            assert_eq!(later.0, divisor, "the echo of frame {i}");
        }
    }
    assert_eq!(frames[mark.len()][0].1, 0, "it ends");
}

/// Title, win and loss have tunes of their own in each game.
#[test]
fn no_two_games_share_a_tune() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../roms/games");
    let mut tunes = std::collections::HashMap::new();
    for game in roms::games::ALL {
        for name in ["title", "win", "lose"] {
            let path = folder.join(game.name).join(format!("{name}.tune"));
            let text = std::fs::read_to_string(&path).unwrap();
            let notes: Vec<String> = text
                .lines()
                .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()))
                .map(str::to_owned)
                .collect();
            assert!(notes.len() > 5, "{}", path.display());
            let other = tunes.insert(notes, path.clone());
            assert_eq!(other, None, "{}", path.display());
        }
    }
}
