//! The timeline's figures in CPU time, with Computer Gammon playing against itself: `bench --timeline [MINUTES]`.
use std::sync::{Arc, Mutex};
use std::time::Duration;

use machine::{Machine, Model, Tv};
use session::timeline::{Limits, Moment, Timeline};
use tests::Atari;
use tests::players::gammon::{self, Player};

/// Moments and steps that are tried.
const TRIES: usize = 200;
/// Frames of a minute.
const MINUTE: u32 = 3600;

/// Prints all figures but the host instructions, which `bench --callgrind gammon recorded fine` counts.
pub fn run(minutes: u32) {
    let Some((mut machine, mut past)) = record(minutes) else {
        return;
    };
    sizes(&past);
    random_cycles(&past);
    // The debugger's window is open for a minute, and then steps back.
    minute_of_keyframes(&mut machine, &mut past);
    steps_back(&mut machine, &mut past);
}

/// A timeline of some minutes of games.
fn record(minutes: u32) -> Option<(Machine, Timeline)> {
    let mut atari = Atari::with_game("gammon", Model::Xl800, Tv::Ntsc, 1);
    let timeline = Timeline::new(&atari.machine, Limits::default());
    let past = Arc::new(Mutex::new(timeline));
    atari.past = Some(past.clone());
    let began = super::cpu_time();
    let first = atari.frames;
    let played = || past.lock().map_or(u32::MAX, |p| frames(&p));
    let mut games = 0;
    while played() < minutes * MINUTE {
        if games > 0 {
            atari = Atari::with_game("gammon", Model::Xl800, Tv::Ntsc, games);
            if let Ok(mut past) = past.lock() {
                let other = atari.machine.clone();
                past.replace(&mut atari.machine, other);
            }
            atari.past = Some(past.clone());
        }
        games += 1;
        gammon::start(&mut atari, "ATARI", "ATARI", false);
        let left = minutes * MINUTE - played().min(minutes * MINUTE);
        let last = atari.frames + left;
        // The time is over in the middle of a game.
        drop(gammon::play(
            &mut atari,
            [Player::Computer; 2],
            [0, 1],
            games,
            last,
        ));
    }
    atari.past = None;
    let past = Arc::into_inner(past).and_then(|past| past.into_inner().ok())?;
    println!(
        "{} frames, {games} games, in {:.1} s ({first} frames before)",
        frames(&past),
        since(began).as_secs_f64()
    );
    Some((atari.machine, past))
}

/// The timeline's memory, and the size of its recording as a file.
fn sizes(past: &Timeline) {
    println!(
        "recorded: {:.2} MB, {} events",
        past.bytes() as f64 / 1e6,
        past.events().count()
    );
    let began = super::cpu_time();
    match past.recording().map(|recording| recording.to_bytes()) {
        Some(Ok(file)) => println!(
            "recording: {:.1} KB, written in {:.0} ms",
            file.len() as f64 / 1e3,
            since(began).as_secs_f64() * 1e3
        ),
        Some(Err(error)) => println!("recording: {error}"),
        None => println!("recording: the timeline has none"),
    }
}

fn random_cycles(past: &Timeline) {
    let mut random = 1u64;
    let (oldest, newest) = (past.oldest().0, past.newest().0);
    let times = (0..TRIES).map(|_| {
        random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        let moment = Moment(oldest + (random >> 8) % (newest - oldest));
        let began = super::cpu_time();
        let machine = past.machine_at(moment);
        assert!(machine.is_some());
        since(began)
    });
    print("a random cycle", times.collect());
}

/// Runs a minute with the limits of the debugger.
fn minute_of_keyframes(machine: &mut Machine, past: &mut Timeline) {
    past.set_limits(Limits::debugger());
    let began = super::cpu_time();
    for _ in 0..MINUTE {
        machine.run_frame();
        machine.take_sound(&mut Vec::new());
        past.frame(machine);
    }
    println!(
        "a minute with a keyframe a frame: {:.2} s; now {:.2} MB",
        since(began).as_secs_f64(),
        past.bytes() as f64 / 1e6
    );
}

fn steps_back(machine: &mut Machine, past: &mut Timeline) {
    let end = past.newest().0;
    for (name, step) in [("a cycle", 1), ("a line", 114), ("a frame", 29_868)] {
        let mut times = Vec::new();
        for _ in 0..TRIES {
            let began = super::cpu_time();
            let moment = Moment(past.cursor().moment.0 - step);
            assert!(past.goto(machine, moment));
            times.push(since(began));
        }
        print(&format!("{name} back, again and again"), times);
        assert!(past.goto(machine, Moment(end)));
    }
    let mut times = Vec::new();
    for i in 0..TRIES as u64 {
        assert!(past.goto(machine, Moment(end - i * 60 * 29_868 / 4 - i * 777)));
        let began = super::cpu_time();
        let moment = Moment(past.cursor().moment.0 - 1);
        assert!(past.goto(machine, moment));
        times.push(since(began));
    }
    print("a cycle back, anywhere in the last minute", times);
}

/// CPU time of this process since then: other programs of the computer do not count.
fn since(began: Duration) -> Duration {
    super::cpu_time().saturating_sub(began)
}

fn frames(past: &Timeline) -> u32 {
    (past.newest().0 / 29_868) as u32
}

fn print(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e3;
    println!(
        "{name}: median {:.2} ms, 95th percentile {:.2} ms, longest {:.2} ms",
        at(50),
        at(95),
        at(100)
    );
}
