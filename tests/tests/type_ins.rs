//! Programs in the style of the magazines' type-ins, listed in `tests/programs`: each must leave the screen that stands beside it, or the
//! golden picture of its name.
//!
//! `NAME.input` holds the lines to type. `BLESS=1` writes what came as what must come: look at every screen before committing it.
use std::path::Path;

use machine::{Model, Tv};
use tests::behaviour::{self, Case};
use tests::{Atari, config, golden};

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/programs"))
}

/// A program that ends at the READY prompt.
fn text(name: &str, frames: u32) {
    let case = Case {
        name: name.into(),
        topic: String::new(),
        start: "RUN".into(),
        frames,
        notes: String::new(),
    };
    let got = behaviour::run(folder(), &case, &config(Model::Xl800, Tv::Ntsc, true))
        .unwrap_or_else(|message| panic!("{name}: {message}"));
    let path = folder().join(format!("{name}.txt"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, got).unwrap();
        return;
    }
    let wanted = std::fs::read_to_string(&path).unwrap();
    assert!(wanted == got, "{name}: wanted\n{wanted}got\n{got}");
}

/// Where a program that draws puts 165 when its picture is finished.
const FINISHED: u16 = 1791;

/// A program that draws, then waits.
fn picture(name: &str, frames: u32) {
    let listing = std::fs::read(folder().join(format!("{name}.lst"))).unwrap();
    let mut atari = Atari::with_basic(&config(Model::Xl800, Tv::Ntsc, true), &listing);
    atari.type_text("RUN\n");
    let end = atari.frames + frames;
    while atari.machine.peek(FINISHED) != 165 {
        assert!(
            atari.frames < end,
            "{name} did not finish:\n{}",
            atari.text()
        );
        atari.run(1);
    }
    atari.run(3);
    golden::check(
        &format!("program-{name}"),
        atari.machine.frame(),
        0..machine::Frame::HEIGHT,
    );
}

macro_rules! programs {
    ($($kind:ident $name:ident $frames:literal)*) => {
        $(#[test] fn $name() { $kind(stringify!($name), $frames); })*
        /// No listing lies in the folder without being run.
        #[test]
        fn every_listing_is_run() {
            let run = [$(stringify!($name)),*];
            let listings: Vec<String> = std::fs::read_dir(folder())
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .filter(|path| path.extension().is_some_and(|e| e == "lst"))
                .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
                .collect();
            assert_eq!(listings.len(), run.len());
            for name in listings {
                assert!(run.contains(&name.as_str()), "{name} is not run");
            }
        }
    };
}

programs! {
    picture rosette 4000
    picture moire 8000
    picture shades 4000
    picture ninecols 4000
    picture hues 4000
    picture fill 4000
    picture titles 1000
    picture scores 1000
    picture waves 4000
    picture player 2000
    picture charset 4000
    picture rainbow 1000
    picture mixed 1000
    picture flag 2000
    text sieve 3000
    text sort 3000
    text quiz 2000
    text cave 2000
    text calendar 2000
    text barchart 2000
    text convert 3000
    text traps 1000
    text selfmod 2000
    text words 2000
    text reverse 1000
    text music 2000
    text scale 3000
    text cipher 2000
    text workout 6000
}
