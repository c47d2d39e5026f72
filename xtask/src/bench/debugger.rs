//! The debugger's figures in CPU time, with Computer Gammon playing against itself: `bench --debugger [SECONDS]`.
//!
//! Each figure has its bar; the run fails when one is missed.
use std::sync::{Arc, Mutex};
use std::time::Duration;

use debugger::{
    Debugger, DliTimeline, Expression, FrameLog, Limits, Moment, Place, Step, Symbols, Target,
    Timeline, Track, WhenQuery, WriteQuery,
};
use machine::{Model, Tv};
use tests::Atari;
use tests::players::gammon::{self, Player};
use ui::Surface;
use ui::debugger::{Scene, View};

/// Questions and steps of a kind.
const TRIES: usize = 200;
/// Queries for the last writer of any address.
const ANY: usize = 20;
/// Queries over the whole time.
const LONG: usize = 5;
/// Cycles of a frame and of a second.
const FRAME: u64 = 262 * 114;
const SECOND: u64 = 60 * FRAME;
/// An address in the cartridge's room, where no program stores.
const NEVER: u16 = 0xBFFF;
/// The window of the bar for the view.
const WINDOW: (usize, usize) = (1600, 1000);

/// Measures, and compares with the bars.
struct Bench {
    missed: Vec<String>,
    random: u64,
}

impl Bench {
    fn below(&mut self, limit: u64) -> u64 {
        self.random = self
            .random
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(1);
        (self.random >> 16) % limit
    }

    /// Prints durations; the one at `share` percent must not be longer than the bar's milliseconds.
    fn times(&mut self, name: &str, mut times: Vec<Duration>, share: usize, bar: f64) {
        times.sort_unstable();
        let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e3;
        let held = at(share) <= bar;
        println!(
            "{name:<44} median {:8.2} ms, 95 % {:8.2}, worst {:8.2}; bar {bar} at {share} %: {}",
            at(50),
            at(95),
            at(100),
            verdict(held)
        );
        if !held {
            self.missed.push(name.to_owned());
        }
    }

    /// Prints frames a second, which must not be fewer than the bar's.
    fn speeds(&mut self, name: &str, mut speeds: Vec<f64>, bar: f64) {
        speeds.sort_by(f64::total_cmp);
        let (worst, median) = (speeds[0], speeds[speeds.len() / 2]);
        let held = worst >= bar;
        println!(
            "{name:<44} median {median:8.0} frames/s, worst {worst:8.0}; bar {bar}: {}",
            verdict(held)
        );
        if !held {
            self.missed.push(name.to_owned());
        }
    }
}

fn verdict(held: bool) -> &'static str {
    if held { "held" } else { "MISSED" }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let began = super::cpu_time();
    let result = work();
    (result, super::cpu_time().saturating_sub(began))
}

/// A game that was recorded for the debugger's view: `seconds` seconds of it.
fn recorded(seconds: u32) -> (Debugger, Track) {
    let mut atari = Atari::with_game("gammon", Model::Xl800, Tv::Ntsc, 1);
    gammon::start(&mut atari, "ATARI", "ATARI", false);
    let past = Timeline::new(&atari.machine, Limits::debugger());
    let past = Arc::new(Mutex::new(past));
    atari.past = Some(past.clone());
    let last = atari.frames + 60 * seconds;
    // The time is over in the middle of the game.
    drop(gammon::play(
        &mut atari,
        [Player::Computer; 2],
        [0, 1],
        1,
        last,
    ));
    atari.past = None;
    let past = Arc::into_inner(past).and_then(|past| past.into_inner().ok());
    let mut debugger = Debugger::default();
    debugger.symbols.add_hardware();
    let track = match past {
        Some(past) => Track::with(atari.machine, past),
        None => Track::new(atari.machine, Limits::debugger()),
    };
    (debugger, track)
}

/// Prints all figures.
///
/// # Errors
/// The bars that were missed.
pub fn run(seconds: u32) -> Result<(), String> {
    if cfg!(debug_assertions) {
        eprintln!(
            "these are not the figures of a release build: use cargo run --release -p xtask -- bench --debugger"
        );
    }
    let (mut debugger, mut track) = recorded(seconds);
    let mut bench = Bench {
        missed: Vec::new(),
        random: 1,
    };
    let timeline = track.timeline();
    let (oldest, end) = (timeline.oldest().0, timeline.newest().0);
    println!(
        "{} frames are recorded in {:.1} MB",
        (end - oldest) / FRAME,
        timeline.bytes() as f64 / 1e6
    );
    whys(&mut bench, &mut debugger, &mut track)?;
    queries(&mut bench, &mut debugger, &mut track)?;
    steps(&mut bench, &mut debugger, &mut track)?;
    maps(&mut bench, &mut debugger, &mut track)?;
    pages(&mut bench, &mut debugger, &mut track);
    if bench.missed.is_empty() {
        Ok(())
    } else {
        Err(format!("missed: {}", bench.missed.join("; ")))
    }
}

fn newest(track: &Track) -> u64 {
    track.timeline().newest().0
}

/// Any moment of the last minute.
fn anywhere(bench: &mut Bench, track: &mut Track) -> Result<(), String> {
    let moment = newest(track) - FRAME - bench.below(58 * SECOND);
    if track.go_to(Moment(moment)) {
        Ok(())
    } else {
        Err(format!("moment {moment} is not recorded"))
    }
}

fn whys(bench: &mut Bench, debugger: &mut Debugger, track: &mut Track) -> Result<(), String> {
    let mut times = Vec::new();
    for _ in 0..TRIES {
        anywhere(bench, track)?;
        let (x, y) = (bench.below(376) as usize, bench.below(240) as usize);
        let (why, time) = timed(|| {
            let cause = debugger.cause_of_row(track, x, y);
            cause.and_then(|cause| cause.why(x, y))
        });
        why.ok_or_else(|| format!("pixel {x},{y} has no cause"))?;
        times.push(time);
    }
    bench.times("why, of any pixel, anywhere in a minute", times, 100, 50.0);
    Ok(())
}

fn queries(bench: &mut Bench, debugger: &mut Debugger, track: &mut Track) -> Result<(), String> {
    let end = newest(track);
    track.go_to(Moment(end));
    let timeline = track.timeline();
    let frames = (end - timeline.oldest().0) as f64 / FRAME as f64;
    machine_only(bench, timeline)?;
    last_writers(bench, timeline);
    searches(bench, timeline, frames)?;
    runs_back(bench, debugger, track, frames);
    Ok(())
}

/// For comparison: the time of the machine without a debugger.
fn machine_only(bench: &mut Bench, timeline: &Timeline) -> Result<(), String> {
    let minute = Moment(timeline.newest().0 - 60 * SECOND);
    let first = timeline.machine_at(minute).ok_or("no minute is recorded")?;
    let times = (0..LONG).map(|_| {
        let mut machine = first.clone();
        let ((), time) = timed(|| {
            for _ in 0..3600 {
                machine.run_frame();
                machine.take_sound(&mut Vec::new());
            }
        });
        time
    });
    bench.times(
        "(the machine alone, 60 s)",
        times.collect(),
        100,
        f64::INFINITY,
    );
    Ok(())
}

fn last_writers(bench: &mut Bench, timeline: &Timeline) {
    let end = timeline.newest();
    let minute = Moment(end.0 - 60 * SECOND);
    let times = (0..LONG).map(|_| {
        let query = WriteQuery::all(Target::one(NEVER), minute, end);
        let (found, time) = timed(|| query.finish(timeline));
        assert!(found.is_empty(), "${NEVER:04X} was stored to");
        time
    });
    bench.times(
        "last writer, 60 s, of what is not written",
        times.collect(),
        100,
        1000.0,
    );
    let mut times = Vec::new();
    for _ in 0..ANY {
        // RAM below the screen.
        let target = Target::one(bench.below(0x9C00) as u16);
        let last = WriteQuery::last(target, end);
        // Where nothing is found, the whole minute and no more is searched.
        let ((), time) = timed(|| {
            let mut query = last;
            let mut searched = 0;
            while searched < 60 * SECOND {
                let progress = query.advance(timeline, SECOND);
                searched = progress.searched;
                if progress.done {
                    break;
                }
            }
        });
        times.push(time);
    }
    bench.times("last writer, 60 s, of any RAM", times, 100, 1000.0);
}

/// Searches of all `frames` for conditions that are never true, from both ends.
fn searches(bench: &mut Bench, timeline: &Timeline, frames: f64) -> Result<(), String> {
    let end = timeline.newest();
    for (name, text) in [
        ("search: memory", "[$BFFF] == 1 && [$80] == $5A"),
        (
            "search: registers",
            "a == $12 && x == $34 && y == $56 && pc == $0100",
        ),
        (
            "search: beam and memory",
            "line > 100 && [$D01A] + [$80] > 600",
        ),
    ] {
        let condition = Expression::parse(text, &Symbols::default())?;
        let speed = |query: WhenQuery| {
            let (found, time) = timed(|| query.finish(timeline));
            assert!(found.is_none(), "{text} was true");
            frames / time.as_secs_f64()
        };
        let mut forwards = Vec::new();
        let mut backwards = Vec::new();
        for _ in 0..LONG {
            forwards.push(speed(WhenQuery::first(condition.clone(), Moment(0), end)));
            backwards.push(speed(WhenQuery::last(condition.clone(), Moment(0), end)));
        }
        bench.speeds(&format!("{name}, first"), forwards, 2000.0);
        bench.speeds(&format!("{name}, last"), backwards, 2000.0);
    }
    Ok(())
}

/// Runs back over all `frames` to breakpoints that are never met.
fn runs_back(bench: &mut Bench, debugger: &mut Debugger, track: &mut Track, frames: f64) {
    for (name, place) in [
        ("run back: an address", Place::Pc(0x0100)),
        ("run back: a write", Place::Write(NEVER..=NEVER)),
        ("run back: a place of the beam", Place::Beam(261, 200)),
    ] {
        let id = debugger.breakpoints.add(place);
        let mut speeds = Vec::new();
        for _ in 0..LONG {
            let (found, time) = timed(|| debugger.run_back(track));
            assert!(!found, "{name} has found something");
            speeds.push(frames / time.as_secs_f64());
        }
        debugger.breakpoints.remove(id);
        bench.speeds(name, speeds, 2000.0);
    }
}

fn steps(bench: &mut Bench, debugger: &mut Debugger, track: &mut Track) -> Result<(), String> {
    for (name, step) in [
        ("a cycle", Step::Cycle),
        ("an instruction", Step::Instruction),
        ("over", Step::Over),
        ("a line", Step::Line),
        ("a DLI", Step::Dli),
        ("a DLI's routine", Step::DliRoutine),
        ("a VBI", Step::Vbi),
        ("a frame", Step::Frame),
    ] {
        let mut times = Vec::new();
        for _ in 0..TRIES {
            anywhere(bench, track)?;
            let (done, time) = timed(|| debugger.step_back(track, step));
            if !done {
                return Err(format!("{name} back does not end"));
            }
            times.push(time);
        }
        bench.times(
            &format!("{name} back, anywhere in a minute"),
            times,
            95,
            16.0,
        );
        let mut times = Vec::new();
        anywhere(bench, track)?;
        for _ in 0..TRIES {
            let (done, time) = timed(|| debugger.step_back(track, step));
            if !done {
                break;
            }
            times.push(time);
        }
        bench.times(&format!("{name} back, again and again"), times, 95, 16.0);
    }
    Ok(())
}

fn maps(bench: &mut Bench, debugger: &mut Debugger, track: &mut Track) -> Result<(), String> {
    let (mut maps, mut timelines) = (Vec::new(), Vec::new());
    for _ in 0..TRIES {
        anywhere(bench, track)?;
        debugger.step(track, Step::Frame);
        let mut copy = track.machine().clone().into();
        maps.push(timed(|| FrameLog::of(&mut copy)).1);
        let mut copy = track.machine().clone().into();
        timelines.push(timed(|| DliTimeline::of(&mut copy)).1);
    }
    bench.times("event map of a frame", maps, 95, 3.0);
    bench.times("event map and list of interrupts", timelines, 95, 3.0);
    Ok(())
}

/// The page as its window shows it: laid out 20 times a second while the machine runs, not at all while nothing moves.
fn pages(bench: &mut Bench, debugger: &mut Debugger, track: &mut Track) {
    let end = newest(track);
    track.go_to(Moment(end));
    let mut view = View::default();
    let mut surface = Surface::new(true);
    surface.resize(WINDOW, 1.0);
    let palette = std::array::from_fn(|n| n as u32 * 0x01_0101);
    for running in [true, false] {
        let (mut frames, mut pages) = (Vec::new(), Vec::new());
        for n in 0..TRIES + 10 {
            let ((), frame) = timed(|| {
                if running {
                    for _ in 0..3 {
                        debugger.run_frame(track);
                        track.take_sound(&mut Vec::new());
                    }
                } else {
                    debugger.step(track, Step::Instruction);
                }
            });
            let ((), page) = timed(|| {
                let oldest = track.oldest();
                let scene = Scene {
                    track,
                    debugger,
                    palette: &palette,
                    running,
                    oldest,
                    status: "",
                };
                surface.run(Vec::new(), true, |ui| {
                    view.ui(ui, &scene);
                });
            });
            // The first ones make textures.
            if n >= 10 {
                frames.push(frame);
                pages.push(page);
            }
        }
        let name = if running { "runs" } else { "steps" };
        if running {
            bench.times(
                "three frames of a machine that is debugged",
                frames,
                95,
                16.0,
            );
        }
        // 20 a second beside 60 frames: the rest of the time of three frames.
        bench.times(
            &format!("the page at 1600x1000 while it {name}"),
            pages,
            95,
            16.0,
        );
    }
}
