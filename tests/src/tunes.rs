//! Tunes and effects: what POKEY's voices play against what is written in the `.tune` and `.effects` files.
use machine::{Machine, Tv};

use crate::players::second;

/// Names the notes within an octave from C.
const NAMES: [&str; 12] = [
    "C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B",
];

/// The notes of one of the three voices in a tune's text: semitones from A4 with their lengths in sixtieths of a second; `None` rests.
///
/// # Panics
/// When the text is not a tune.
#[must_use]
pub fn written(text: &str, voice: usize) -> Vec<(Option<i32>, u32)> {
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
            [frames, ..] => {
                let length = frames.parse::<u32>().unwrap() * times;
                match notes.last_mut() {
                    Some(last) if words[1 + voice] == "." => last.1 += length,
                    _ => notes.push((semitones_of(words[1 + voice]), length)),
                }
            }
            [] => {}
        }
    }
    notes
}

/// Semitones from A4 of a note's name; `None` for a rest.
fn semitones_of(note: &str) -> Option<i32> {
    let (name, octave) = note.split_at(note.len() - 1);
    let step = NAMES.iter().position(|&n| n == name)? as i32;
    Some(12 * (octave.parse::<i32>().unwrap() - 4) + step - 9)
}

/// Divisor and volume of a voice, 0 to 3.
#[must_use]
pub fn voice(machine: &Machine, number: u8) -> (u8, u8) {
    let pokey = &machine.bus().io.pokey;
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

/// Voices 1 to 3, the music's.
#[must_use]
pub fn music(machine: &Machine) -> [(u8, u8); 3] {
    [1, 2, 3].map(|number| voice(machine, number))
}

/// Listens for three rounds to a machine whose tune has begun: `frame` runs one frame and gives the voices of the music. Each must play its
/// notes in their order, in the written time.
///
/// # Panics
/// When the notes or the pace are not those of the text.
pub fn plays_what_is_written(
    game: &str,
    text: &str,
    tv: Tv,
    mut frame: impl FnMut() -> [(u8, u8); 3],
) {
    let length: u32 = written(text, 0).iter().map(|note| note.1).sum();
    // Each new note, with the frame it begins in: its volume rises.
    let mut heard: [Vec<(u32, u8)>; 3] = Default::default();
    // The notes that sound now have begun before.
    let mut last = frame();
    let frames = (3 * length * second(tv)).div_ceil(60);
    for number in 0..frames {
        let now = frame();
        for ((heard, last), now) in heard.iter_mut().zip(last).zip(now) {
            if now.1 > last.1 {
                heard.push((number, now.0));
            }
        }
        last = now;
    }
    for (voice, heard) in heard.iter().enumerate() {
        let game = format!("{game} {tv:?}, voice {}", voice + 1);
        let notes: Vec<i32> = written(text, voice)
            .iter()
            .filter_map(|note| note.0)
            .collect();
        assert!(
            heard.len() > 2 * notes.len(),
            "{game}: {} notes in {frames} frames",
            heard.len()
        );
        // From some note on it is the tune, twice.
        let begins = (0..notes.len()).find(|&first| {
            (0..2 * notes.len()).all(|i| {
                let want = f64::from(notes[(first + i) % notes.len()]);
                (semitones(heard[i].1) - want).abs() < 0.5
            })
        });
        assert!(begins.is_some(), "{game}: {notes:?} is not {heard:?}");
        let round = heard[notes.len()].0 - heard[0].0;
        let seconds = f64::from(round) / f64::from(second(tv));
        let want = f64::from(length) / 60.0;
        assert!(
            (seconds / want - 1.0).abs() < 0.02,
            "{game}: a round takes {seconds:.2} s instead of {want:.2} s"
        );
    }
}

/// Effect `number` of a text as it should sound: for each sixtieth of a second AUDF, the volume, and true where it has an echo.
///
/// # Panics
/// When the text has no such effect, or a row is not one.
#[must_use]
pub fn effect(text: &str, number: usize) -> Vec<(u8, u8, bool)> {
    let mut frames = Vec::new();
    let mut here = None;
    for line in text.lines().filter(|line| !line.starts_with(';')) {
        if line.starts_with('@') {
            here = Some(here.map_or(0, |here| here + 1));
            continue;
        }
        if here != Some(number) {
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let value = |place: usize| words[place].parse::<i32>().unwrap();
        let pitch = match words[1].parse::<i32>() {
            Ok(pitch) => pitch,
            Err(_) => divisor(semitones_of(words[1]).unwrap()),
        };
        let mut level = 16 * value(4) + 15;
        for frame in 0..value(0) {
            level = (level - value(5)).max(0);
            frames.push((
                (pitch + frame * value(2)).rem_euclid(256) as u8,
                (level / 16) as u8,
                words.get(6) == Some(&"echo"),
            ));
        }
    }
    assert!(!frames.is_empty(), "there is no effect {number}");
    frames
}

/// The divisor at 64 kHz whose pitch is nearest to a note, in semitones from A4.
fn divisor(note: i32) -> i32 {
    (2..256)
        .min_by(|&a, &b| {
            let off = |divisor: i32| (semitones(divisor as u8) - f64::from(note)).abs();
            off(a).total_cmp(&off(b))
        })
        .unwrap()
}
