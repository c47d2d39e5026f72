//! Facts of the native machine, for the page's tests to compare with.
use session::sound::Listener;
use session::timeline::Limits;
use session::{Session, Setup, built_in};
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::time::Instant;

/// Frames after which states are compared.
const FRAMES: u32 = 1000;
/// Frames whose time is taken.
const TIMED: u32 = 2000;
/// Runs of which the middle one counts.
const RUNS: usize = 5;
/// The past as the page remembers it.
const PAST: Limits = Limits {
    bytes: 20 << 20,
    dense: 3600,
    ..Limits::OFF
};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let Some(into) = arguments.next() else {
        eprintln!("usage: facts FILE [--speeds]");
        return ExitCode::FAILURE;
    };
    let timed = arguments.any(|word| word == "--speeds");
    match write(Path::new(&into), timed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("facts: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Writes a file of state hashes, and of speeds if they are wanted.
fn write(into: &Path, timed: bool) -> Result<(), String> {
    let mut hashes = Vec::new();
    let names = built_in::all();
    for name in names.iter().map(|known| known.name).chain(["menu"]) {
        let setup = Setup::built_in(name).map_err(|error| error.to_string())?;
        let setup = setup.ok_or_else(|| format!("no program {name}"))?;
        hashes.push((name.to_owned(), hash(setup)?));
    }
    let mut files = Vec::new();
    for variable in ["ACID800_ATR", "STRESS_XEX"] {
        let Some(path) = std::env::var_os(variable) else {
            continue;
        };
        let path = Path::new(&path);
        let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let setup = Setup::for_file("file", &bytes).map_err(|error| error.to_string())?;
        files.push((path.display().to_string(), hash(setup)?));
    }
    let moment = moment()?;
    let sound = sound()?;
    let mut speeds = Vec::new();
    if timed {
        for name in ["basic", "gammon", "crazy-eights"] {
            let setup = Setup::built_in(name).map_err(|error| error.to_string())?;
            speeds.push((name, speed(&setup.ok_or("no such program")?)?));
        }
        if let Some(path) = std::env::var_os("STRESS_XEX") {
            let path = Path::new(&path);
            let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
            let setup = Setup::for_file("file", &bytes).map_err(|error| error.to_string())?;
            speeds.push(("stress", speed(&setup)?));
        }
    }
    let pairs = |list: &[(String, String)]| {
        let all: Vec<_> = list.iter().map(|(n, h)| format!("{n:?}:{h:?}")).collect();
        all.join(",")
    };
    let mut text = String::new();
    let speeds: Vec<_> = speeds
        .iter()
        .map(|(n, s)| format!("{n:?}:{s:.0}"))
        .collect();
    let _ = write!(
        text,
        "{{\"frames\":{FRAMES},\"hashes\":{{{}}},\"files\":{{{}}},\"speeds\":{{{}}},\"moment\":{moment:?},\"sound\":{sound:?}}}",
        pairs(&hashes),
        pairs(&files),
        speeds.join(",")
    );
    std::fs::write(into, text).map_err(|error| format!("{}: {error}", into.display()))
}

/// The state of a machine whose controls are moved as the test of moments does it.
fn moment() -> Result<String, String> {
    let setup = Setup::built_in("checkers").map_err(|error| error.to_string())?;
    let mut session = Session::new(setup.ok_or("no checkers")?).map_err(|e| e.to_string())?;
    for frame in 0..637 {
        session.controls().joystick(0).trigger = frame < 500;
        session.run_frame();
    }
    Ok(format!("{:016x}", session.machine().state_hash()))
}

/// Samples of a tone, as the test of sound has it.
fn sound() -> Result<Vec<f32>, String> {
    let listing = b"10 SOUND 0,121,10,10\n20 GOTO 20\n";
    let mut setup = Setup::for_file("tone.lst", listing).map_err(|error| error.to_string())?;
    setup.folder = true;
    let mut session = Session::new(setup).map_err(|error| error.to_string())?;
    let mut listener = Listener::new(&session, 48_000.0);
    for _ in 0..400 {
        session.requests();
        session.run_frame();
        listener.frame(&mut session);
    }
    session.run_frame();
    Ok(listener.frame(&mut session).to_vec())
}

fn hash(setup: Setup) -> Result<String, String> {
    let mut session = Session::new(setup).map_err(|error| error.to_string())?;
    for _ in 0..FRAMES {
        let outcome = session.run_frame();
        session.after_frame(outcome)?;
    }
    Ok(format!("{:016x}", session.machine().state_hash()))
}

/// Seconds of processor time, where the system tells; else of the clock.
fn spent() -> f64 {
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|n| n.parse::<f64>().ok());
    nanoseconds.map_or_else(
        || BEGUN.get_or_init(Instant::now).elapsed().as_secs_f64(),
        |n| n / 1e9,
    )
}

/// Frames a second of the processor, with sound and with the past that a page keeps: the median of several runs.
fn speed(setup: &Setup) -> Result<f64, String> {
    let mut found = Vec::new();
    for _ in 0..RUNS {
        let mut session = Session::new(setup.clone()).map_err(|error| error.to_string())?;
        session.remember(PAST);
        let mut listener = Listener::new(&session, 48_000.0);
        for _ in 0..600 {
            session.run_frame();
        }
        let begun = spent();
        for _ in 0..TIMED {
            session.run_frame();
            listener.frame(&mut session);
        }
        found.push(f64::from(TIMED) / (spent() - begun));
    }
    found.sort_by(f64::total_cmp);
    Ok(found[RUNS / 2])
}
