//! Prints the roles that the host's arrows and space bar take in some files: `cargo run -p session --example host_keys -- [SECONDS] FILE...`.
//! Only START and a trigger are pressed now and then, to start a game.
use session::{Session, Setup};
use std::fmt::Write as _;

fn main() {
    let mut seconds = 60;
    for path in std::env::args().skip(1) {
        if let Ok(number) = path.parse() {
            seconds = number;
            continue;
        }
        let name = path.rsplit('/').next().unwrap_or_default();
        let session = std::fs::read(&path)
            .map_err(|error| error.to_string())
            .and_then(|bytes| Setup::for_file(name, &bytes).map_err(|error| error.to_string()))
            .and_then(|setup| Session::new(setup).map_err(|error| error.to_string()));
        match session {
            Ok(mut session) => println!("{path}: {}", watched(&mut session, seconds * 60)),
            Err(error) => println!("{path}: {error}"),
        }
    }
}

/// The changes, each with its time in seconds.
fn watched(session: &mut Session, frames: u32) -> String {
    session.watch_host_keys(true);
    let mut last = session.host_keys();
    let mut said = last.name().to_owned();
    for frame in 0..frames {
        let held = |every, from| frame > 300 && frame % every >= from && frame % every < from + 8;
        session.controls().start = held(400, 50);
        session.controls().joysticks[0].trigger = held(400, 150);
        session.run_frame();
        let keys = session.host_keys();
        if keys != last {
            let _ = write!(said, " {:.1}:{}", f64::from(frame) / 60.0, keys.name());
            last = keys;
        }
    }
    said
}
