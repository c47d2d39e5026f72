//! What the native machine does, for the page's tests to compare with.
use session::sound::Listener;
use session::{Outcome, Session, Setup, built_in};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

/// Frames after which states are compared.
const FRAMES: u32 = 1000;
/// Frames whose time is taken.
const TIMED: u32 = 2000;

/// Writes a file of state hashes and speeds.
pub fn write(root: &Path, into: &Path) -> Result<(), String> {
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
    let mut speeds = Vec::new();
    for name in ["basic", "gammon", "crazy-eights"] {
        let setup = Setup::built_in(name).map_err(|error| error.to_string())?;
        speeds.push((name, speed(setup.ok_or("no such program")?)?));
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
        "{{\"frames\":{FRAMES},\"hashes\":{{{}}},\"files\":{{{}}},\"speeds\":{{{}}},\"root\":{:?}}}",
        pairs(&hashes),
        pairs(&files),
        speeds.join(","),
        root.display().to_string()
    );
    std::fs::write(into, text).map_err(|error| format!("{}: {error}", into.display()))
}

fn hash(setup: Setup) -> Result<String, String> {
    let mut session = Session::new(setup).map_err(|error| error.to_string())?;
    for _ in 0..FRAMES {
        if let Outcome::Next(program) = session.run_frame() {
            session.start(*program).map_err(|error| error.to_string())?;
        }
    }
    Ok(format!("{:016x}", session.machine().state_hash()))
}

/// Frames a second, with sound.
fn speed(setup: Setup) -> Result<f64, String> {
    let mut session = Session::new(setup).map_err(|error| error.to_string())?;
    let mut listener = Listener::new(&session, 48_000.0);
    for _ in 0..600 {
        session.run_frame();
    }
    let begun = Instant::now();
    for _ in 0..TIMED {
        session.run_frame();
        listener.frame(&mut session);
    }
    Ok(f64::from(TIMED) / begun.elapsed().as_secs_f64())
}
