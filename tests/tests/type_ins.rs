//! Programs in the style of the magazines' type-ins, listed in `tests/programs`: each must leave the screen that stands beside it, or the
//! golden picture of its name.
//!
//! `NAME.input` holds the lines to type. `BLESS=1` writes what came as what must come: look at every screen before committing it.
use std::path::Path;

use machine::{Model, Tv};
use media::basic::Program;
use tests::behaviour::{self, Case};
use tests::desk::{Desk, Folder};
use tests::{Atari, config, golden, screen};

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
    left(name, &got);
}

/// A program with a disk: its D: is a folder of the test.
fn disk(name: &str, model: Model, tv: Tv) -> Desk {
    let listing = std::fs::read(folder().join(format!("{name}.lst"))).unwrap();
    let program =
        Program::tokenize(&listing).unwrap_or_else(|errors| panic!("{name}: {}", errors[0]));
    let mut atari = Atari::new(&config(model, tv, true));
    if model.is_xl() {
        atari.machine.attach_host(true);
    }
    assert!(atari.wait_for_key(900), "no READY:\n{}", atari.text());
    atari.machine.load_basic(&program).unwrap();
    Desk {
        atari,
        folder: Folder::default(),
    }
}

/// Types RUN and the lines of `.input`, and compares the screen with `.txt`.
fn play(name: &str, desk: &mut Desk) {
    desk.type_line("RUN").unwrap();
    desk.wait().unwrap();
    let input = folder().join(format!("{name}.input"));
    let trace = std::env::var_os("TRACE").is_some();
    for line in std::fs::read_to_string(input).unwrap_or_default().lines() {
        desk.type_line(line)
            .unwrap_or_else(|message| panic!("{name}: {line}: {message}"));
        desk.wait()
            .unwrap_or_else(|message| panic!("{name}: {line}: {message}"));
        if trace {
            eprintln!("--------- {line}\n{}", desk.atari.text());
        }
    }
    desk.atari.run(3);
    left(name, &screen::describe(&desk.atari.machine));
}

/// Compares what a program left with the file beside it.
fn left(name: &str, got: &str) {
    let path = folder().join(format!("{name}.txt"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, got).unwrap();
        return;
    }
    let wanted = std::fs::read_to_string(&path).unwrap();
    assert!(wanted == got, "{name}: wanted\n{wanted}got\n{got}");
}

/// A program that uses D:.
fn files(name: &str, _frames: u32) {
    play(name, &mut disk(name, Model::Xl800, Tv::Ntsc));
}

/// A program that also prints on paper: the paper stands in `NAME.printed`.
fn paper(name: &str, _frames: u32) {
    let mut desk = disk(name, Model::Xl800, Tv::Ntsc);
    play(name, &mut desk);
    let printed: Vec<u8> = desk
        .atari
        .machine
        .take_printed()
        .into_iter()
        .map(|b| if b == 0x9B { b'\n' } else { b })
        .collect();
    let path = folder().join(format!("{name}.printed"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &printed).unwrap();
    }
    let wanted = std::fs::read_to_string(&path).unwrap();
    assert_eq!(wanted, String::from_utf8_lossy(&printed));
}

/// A program that writes to tape and reads it back; OPEN beeps and waits for RETURN.
fn cassette(name: &str, frames: u32) {
    let mut desk = disk(name, Model::Xl800, Tv::Ntsc);
    let machine = &mut desk.atari.machine;
    machine.insert_tape(media::cas::Tape::default());
    machine.press_record(true);
    desk.type_line("RUN").unwrap();
    assert!(desk.atari.wait_for_key(600));
    desk.type_line("{RET}{NORET}").unwrap();
    assert!(
        desk.atari.wait_for_text("REWIND", frames),
        "{}",
        desk.atari.text()
    );
    desk.atari.machine.press_record(false);
    desk.atari.machine.rewind_tape();
    assert!(desk.atari.wait_for_key(600));
    desk.type_line("{RET}{NORET}").unwrap();
    assert!(
        desk.atari.wait_for_text("READY", frames),
        "{}",
        desk.atari.text()
    );
    desk.atari.run(3);
    left(name, &screen::describe(&desk.atari.machine));
}

/// A program that tells PAL from NTSC.
fn both_televisions(name: &str, _frames: u32) {
    for (tv, expected) in [(Tv::Ntsc, "television"), (Tv::Pal, "television-pal")] {
        let mut desk = disk(name, Model::Xl800, tv);
        desk.type_line("RUN").unwrap();
        desk.wait().unwrap();
        desk.atari.run(3);
        left(expected, &screen::describe(&desk.atari.machine));
    }
}

/// A race of four joysticks on an 800 and a 400: the third player holds the trigger and wins.
fn old_models(name: &str, frames: u32) {
    for model in [Model::Atari800, Model::Atari400] {
        let mut desk = disk(name, model, Tv::Ntsc);
        desk.type_line("RUN").unwrap();
        for port in 0..4 {
            desk.atari.machine.input.joystick(port).right();
        }
        desk.atari.machine.input.joystick(2).trigger = true;
        assert!(
            desk.atari.wait_for_text("READY", frames),
            "{}",
            desk.atari.text()
        );
        desk.atari.run(3);
        let suffix = if model == Model::Atari800 {
            "800"
        } else {
            "400"
        };
        left(
            &format!("{name}-{suffix}"),
            &screen::describe(&desk.atari.machine),
        );
    }
}

/// A program that is used with keys and ends with a picture.
fn keys(name: &str, frames: u32) {
    let mut desk = disk(name, Model::Xl800, Tv::Ntsc);
    desk.type_line("RUN").unwrap();
    let input = std::fs::read_to_string(folder().join(format!("{name}.input"))).unwrap();
    for line in input.lines() {
        assert!(desk.atari.wait_for_key(frames), "{}", desk.atari.text());
        desk.type_line(line).unwrap();
    }
    finish(name, &mut desk.atari, frames, |_| {});
}

/// A game with a joystick: whoever holds it sees basket and apple, and moves the one below the other.
fn joystick(name: &str, frames: u32) {
    let mut desk = disk(name, Model::Xl800, Tv::Ntsc);
    desk.type_line("RUN").unwrap();
    finish(name, &mut desk.atari, frames, |atari| {
        let (basket, apple) = (atari.machine.peek(1536), atari.machine.peek(1537));
        let right = apple > basket.saturating_add(1);
        let left = basket > apple.saturating_add(1);
        atari
            .machine
            .input
            .joystick(0)
            .push(false, false, left, right);
    });
    assert!(
        desk.atari.text().contains("CAUGHT 10 OF 10"),
        "{}",
        desk.atari.text()
    );
}

/// Runs until a program's picture is finished and compares it.
fn finish(name: &str, atari: &mut Atari, frames: u32, mut each: impl FnMut(&mut Atari)) {
    let end = atari.frames + frames;
    while atari.machine.peek(FINISHED) != 165 {
        assert!(
            atari.frames < end,
            "{name} did not finish:\n{}",
            atari.text()
        );
        each(atari);
        atari.run(1);
    }
    atari.run(3);
    golden::check(
        &format!("program-{name}"),
        atari.machine.frame(),
        0..machine::Frame::HEIGHT,
    );
}

/// The address at which a program that draws puts 165 when its picture is finished.
const FINISHED: u16 = 1791;

/// A program that draws, then waits.
fn picture(name: &str, frames: u32) {
    let listing = std::fs::read(folder().join(format!("{name}.lst"))).unwrap();
    let mut atari = Atari::with_basic(&config(Model::Xl800, Tv::Ntsc, true), &listing);
    atari.type_text("RUN\n");
    finish(name, &mut atari, frames, |_| {});
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
    text datamaker 6000
    text canon 6000
    picture copper 4000
    files lighthouse 0
    files cards 0
    paper invoice 0
    cassette tape 6000
    both_televisions television 0
    old_models fourplay 6000
    keys fontmaker 3000
    joystick apples 9000
}
