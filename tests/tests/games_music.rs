//! The tunes of the title pages: what POKEY's voices play is what is written in the `.tune` files, on both televisions, and M turns it off.
use machine::{Model, Tv};
use session::keys::key_alone as key_for;
use tests::Atari;
use tests::players::second;

/// Names the notes within an octave from C.
const NAMES: [&str; 12] = [
    "C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B",
];

/// What a tune's text says of its first voice: semitones from A4 with their lengths in sixtieths of a second; `None` rests.
fn written(text: &str) -> Vec<(Option<i32>, u32)> {
    let (mut notes, mut times): (Vec<(Option<i32>, u32)>, u32) = (Vec::new(), 1);
    for line in text.lines() {
        let words: Vec<&str> = line
            .split(';')
            .next()
            .unwrap_or("")
            .split_whitespace()
            .collect();
        match words[..] {
            ["@", number] => times = number.parse().unwrap(),
            [frames, ".", ..] => {
                notes.last_mut().unwrap().1 += frames.parse::<u32>().unwrap() * times;
            }
            [frames, note, ..] => {
                let semitones = (note != "-").then(|| {
                    let (name, octave) = note.split_at(note.len() - 1);
                    let step = NAMES.iter().position(|&n| n == name).unwrap() as i32;
                    12 * (octave.parse::<i32>().unwrap() - 4) + step - 9
                });
                notes.push((semitones, frames.parse::<u32>().unwrap() * times));
            }
            _ => {}
        }
    }
    notes
}

/// Divisor and volume of a voice, 0 to 3.
fn voice(atari: &Atari, number: u8) -> (u8, u8) {
    let pokey = &atari.machine.bus.io.pokey;
    (
        pokey.written(2 * number),
        pokey.written(2 * number + 1) & 15,
    )
}

/// Semitones from A4 of a divisor at 64 kHz.
fn semitones(divisor: u8) -> f64 {
    let pitch = 1_789_772.5 / 28.0 / 2.0 / (f64::from(divisor) + 1.0);
    12.0 * (pitch / 440.0).log2()
}

fn at_the_title(game: &str, tv: Tv) -> Atari {
    let mut atari = Atari::with_game(game, Model::Xl800, tv, 1);
    atari.expect_text("RETURN, START OR TRIGGER", 3000);
    atari.run(60);
    atari
}

fn plays_what_is_written(game: &str, text: &str, tv: Tv) {
    let tune = written(text);
    let length: u32 = tune.iter().map(|note| note.1).sum();
    let mut atari = at_the_title(game, tv);
    // Each new note of the first voice, with the frame it begins in: its volume rises.
    let mut heard: Vec<(u32, u8)> = Vec::new();
    // The note that sounds now has begun before.
    let mut last = voice(&atari, 1).1;
    let frames = (3 * length * second(tv)).div_ceil(60);
    for frame in 0..frames {
        let (divisor, volume) = voice(&atari, 1);
        if volume > last {
            heard.push((frame, divisor));
        }
        last = volume;
        atari.run(1);
    }
    let notes: Vec<i32> = tune.iter().filter_map(|note| note.0).collect();
    assert!(
        heard.len() > 2 * notes.len(),
        "{game} {tv:?}: {} notes in {frames} frames",
        heard.len()
    );
    // From some note on it is the tune, twice.
    let begins = (0..notes.len()).find(|&first| {
        (0..2 * notes.len()).all(|i| {
            let want = f64::from(notes[(first + i) % notes.len()]);
            (semitones(heard[i].1) - want).abs() < 0.5
        })
    });
    assert!(
        begins.is_some(),
        "{game} {tv:?}: {notes:?} is not {heard:?}"
    );
    let round = heard[notes.len()].0 - heard[0].0;
    let seconds = f64::from(round) / f64::from(second(tv));
    let want = f64::from(length) / 60.0;
    assert!(
        (seconds / want - 1.0).abs() < 0.02,
        "{game} {tv:?}: a round takes {seconds:.2} s instead of {want:.2} s"
    );
}

macro_rules! tunes {
    ($($test:ident $game:literal;)*) => {
        $(#[test]
        fn $test() {
            for tv in [Tv::Ntsc, Tv::Pal] {
                let text = include_str!(concat!("../../roms/games/", $game, "/title.tune"));
                plays_what_is_written($game, text, tv);
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
                (1..4).any(|number| voice(atari, number).1 > 0)
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
