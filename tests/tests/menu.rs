//! The menu of programs: what it looks like, and that it stands still.
use frontend::cli::{MachineOptions, ModelName, TvName};
use frontend::program::Program;
use frontend::session::Session;
use tests::golden;

/// RTCLOK's last byte; the cursor's panel changes its brightness every eight frames.
const CLOCK: u16 = 0x14;
/// Lines of the panels in the picture.
const PANELS: std::ops::Range<usize> = 44..180;

/// The menu a second after its picture has come, the cursor's panel just grown dark.
fn menu(model: ModelName, tv: TvName) -> Session {
    let options = MachineOptions {
        machine: Some(model),
        tv: Some(tv),
        ..MachineOptions::default()
    };
    let mut session = Session::new(&options, &Program::find("menu").unwrap()).unwrap();
    for _ in 0..600 {
        session.run_frame().unwrap();
    }
    while session.machine.peek(CLOCK) & 0x0F != 4 {
        session.run_frame().unwrap();
    }
    session
}

#[test]
fn the_menu_is_the_golden_picture_on_xl_and_800_ntsc_and_pal() {
    for (model, tv, name) in [
        (ModelName::Xl800, TvName::Ntsc, "menu-ntsc"),
        (ModelName::Xl800, TvName::Pal, "menu-pal"),
        (ModelName::Atari800, TvName::Ntsc, "menu-ntsc"),
        (ModelName::Atari800, TvName::Pal, "menu-pal"),
        (ModelName::Atari400, TvName::Ntsc, "menu-ntsc"),
    ] {
        let session = menu(model, tv);
        golden::check(name, session.machine.frame(), 0..240);
    }
}

#[test]
fn the_panels_stand_still_also_while_keys_are_pressed() {
    let mut session = menu(ModelName::Xl800, TvName::Ntsc);
    let picture = |session: &Session| {
        let rows = PANELS.flat_map(|row| session.machine.frame().row(row));
        rows.copied().collect::<Vec<u8>>()
    };
    let mut pictures = std::collections::BTreeMap::new();
    for frame in 0..240 {
        // X is a key that means nothing to the menu; it clicks and repeats.
        session.controls.key = (frame % 60 < 50).then_some(0x16);
        session.run_frame().unwrap();
        *pictures.entry(picture(&session)).or_insert(0) += 1;
    }
    // Two shades of the panel under the cursor.
    let counts: Vec<i32> = pictures.values().copied().collect();
    assert_eq!(counts.len(), 2, "{counts:?}");
}
