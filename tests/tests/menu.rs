//! The menu of programs: what it looks like, that it stands still, and its tune.
use machine::{Model, Tv};
use session::keys::key_alone;
use session::{Outcome, Session, Setup};
use tests::golden;
use tests::tunes::{music, plays_what_is_written, voice};

/// RTCLOK's last byte; the cursor's panel changes its brightness every eight frames.
const CLOCK: u16 = 0x14;
/// Lines of the panels in the picture.
const PANELS: std::ops::Range<usize> = 44..180;

/// The menu a second after its picture has come, the cursor's panel just grown dark.
fn menu(model: Model, tv: Tv) -> Session {
    let setup = Setup {
        model: Some(model),
        tv: Some(tv),
        ..Setup::built_in("menu").unwrap().unwrap()
    };
    let mut session = Session::new(setup).unwrap();
    for _ in 0..600 {
        run(&mut session);
    }
    let dark = (0..16).any(|_| {
        run(&mut session);
        session.machine().peek(CLOCK) & 0x0F == 4
    });
    assert!(dark, "the clock stands still");
    session
}

fn run(session: &mut Session) {
    assert!(matches!(session.run_frame(), Outcome::Done));
}

#[test]
fn the_menu_is_the_golden_picture_on_xl_and_800_ntsc_and_pal() {
    for (model, tv, name) in [
        (Model::Xl800, Tv::Ntsc, "menu-ntsc"),
        (Model::Xl800, Tv::Pal, "menu-pal"),
        (Model::Atari800, Tv::Ntsc, "menu-ntsc"),
        (Model::Atari800, Tv::Pal, "menu-pal"),
        (Model::Atari400, Tv::Ntsc, "menu-400"),
    ] {
        let session = menu(model, tv);
        golden::check(name, session.picture(), 0..240);
    }
}

#[test]
fn the_panels_stand_still_also_while_keys_are_pressed() {
    let mut session = menu(Model::Xl800, Tv::Ntsc);
    let picture = |session: &Session| {
        let rows = PANELS.flat_map(|row| session.picture().row(row));
        rows.copied().collect::<Vec<u8>>()
    };
    let mut pictures = std::collections::BTreeMap::new();
    for frame in 0..240 {
        // X is a key that means nothing to the menu; it clicks and repeats.
        session.controls().key = (frame % 60 < 50).then_some(0x16);
        run(&mut session);
        *pictures.entry(picture(&session)).or_insert(0) += 1;
    }
    // Two shades of the panel under the cursor.
    let counts: Vec<i32> = pictures.values().copied().collect();
    assert_eq!(counts.len(), 2, "{counts:?}");
}

#[test]
fn the_menu_plays_its_tune_on_xl_and_800_ntsc_and_pal() {
    let text = include_str!("../../roms/menu/menu.tune");
    for (model, tv) in [(Model::Xl800, Tv::Ntsc), (Model::Atari800, Tv::Pal)] {
        let mut session = menu(model, tv);
        plays_what_is_written("menu", text, tv, || {
            run(&mut session);
            music(session.machine())
        });
    }
}

#[test]
fn m_turns_the_menus_tune_off_and_on() {
    let mut session = menu(Model::Xl800, Tv::Ntsc);
    let sounds = |session: &mut Session| {
        (0..120).any(|_| {
            run(session);
            (1..4).any(|number| voice(session.machine(), number).1 > 0)
        })
    };
    assert!(sounds(&mut session), "the menu is silent");
    for on in [false, true] {
        session.controls().key = Some(key_alone('M').unwrap() & 0x3F);
        for _ in 0..4 {
            run(&mut session);
        }
        session.controls().key = None;
        for _ in 0..60 {
            run(&mut session);
        }
        assert_eq!(sounds(&mut session), on);
    }
}

#[test]
fn a_400_has_the_menu_without_its_tune() {
    let mut session = menu(Model::Atari400, Tv::Ntsc);
    for _ in 0..240 {
        run(&mut session);
        assert_eq!(voice(session.machine(), 1).1, 0);
    }
}
