//! Whole games as recordings: read from their files and played, they are the same run bit for bit.
use std::sync::{Arc, Mutex};

use machine::{Model, NoProbe, Tv};
use session::timeline::{Forward, Limits, Moment, Recording, Timeline};
use tests::Atari;
use tests::players::{crazy_eights, gammon};

/// Plays a game with a timeline beside it, and then its recording.
fn recorded(name: &str, seed: u64, play: impl FnOnce(&mut Atari)) {
    let mut atari = Atari::with_game(name, Model::Xl800, Tv::Ntsc, seed);
    let timeline = Timeline::new(&atari.machine, Limits::default());
    let past = Arc::new(Mutex::new(timeline));
    atari.past = Some(past.clone());
    play(&mut atari);
    let mut past = past.lock().unwrap();
    past.frame(&atari.machine);
    let file = past.recording().unwrap().to_bytes().unwrap();
    let end = past.newest();
    println!(
        "{name}: {} frames, {} events, {} bytes of timeline, {} bytes of file",
        atari.frames,
        past.events().count(),
        past.bytes(),
        file.len()
    );
    assert!(past.bytes() < 16 << 20);

    let recording = Recording::parse(&file, &[], &[]).unwrap();
    assert_eq!(recording.to_bytes().unwrap(), file);
    let (mut playing, mut machine) = Timeline::play(recording.clone(), Limits::default()).unwrap();
    assert_eq!(
        playing.forward(&mut machine, end, &mut NoProbe),
        Forward::Done
    );
    assert!(playing.is_live());
    assert_eq!(machine.state_hash(), atari.machine.state_hash());
    assert_eq!(machine.frame().pixels(), atari.machine.frame().pixels());

    // Not quite the same game: the first second that differs is named.
    let (mut playing, mut machine) = Timeline::play(recording, Limits::default()).unwrap();
    let middle = Moment(end.0 / 2);
    assert_eq!(
        playing.forward(&mut machine, middle, &mut NoProbe),
        Forward::Done
    );
    // Below the display list is memory that no program uses.
    let free = machine.peek_word(0x02E5) - 0x20;
    machine.poke(free, machine.peek(free) ^ 1);
    let second = 61 * 29_868;
    match playing.forward(&mut machine, end, &mut NoProbe) {
        Forward::Differs(at) => assert!(at >= middle && at.0 <= middle.0 + second, "{at:?}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn gammon_against_itself_is_replayed_bit_for_bit() {
    recorded("gammon", 1, |atari| {
        gammon::start(atari, "ATARI", "ATARI", false);
        let both = [gammon::Player::Computer; 2];
        gammon::play(atari, both, [0, 1], 1, 60 * 60 * 60).unwrap();
    });
}

#[test]
fn crazy_eights_is_replayed_bit_for_bit() {
    use crazy_eights::{By, Player};
    recorded("crazy-eights", 3, |atari| {
        crazy_eights::start(atari);
        crazy_eights::play(atari, By::Keyboard, Player::Sensible, 3, 60 * 60 * 30).unwrap();
    });
}
