//! Mouse, list of files and recordings, in a window.
#![cfg(feature = "window")]
mod common;

use common::desk::Desk;
use common::{binary, coloured, wait_for};

/// The background is $34 while paddle 0 stands left of the middle, else $C6; $0E while its button is down.
fn paddle() -> Vec<u8> {
    binary(&[
        0xA9, 0x00, 0x8D, 0x2F, 0x02, // LDA #0, STA SDMCTL
        0xA2, 0x34, // LDX #$34
        0xAD, 0x70, 0x02, // LDA PADDL0
        0xC9, 0x72, // CMP #114
        0xB0, 0x02, // BCS +2
        0xA2, 0xC6, // LDX #$C6
        0xAD, 0x7C, 0x02, // LDA PTRIG0
        0xD0, 0x02, // BNE +2
        0xA2, 0x0E, // LDX #$0E
        0x8E, 0xC8, 0x02, // STX COLOR4
        0x4C, 0x05, 0x20, // JMP to LDX
    ])
}

#[test]
fn the_mouse_turns_a_paddle_and_presses_its_button() {
    let arguments = ["p.xex", "--mouse", "paddles", "--scale", "2"];
    let Some(desk) = Desk::new("mouse", &arguments, &[("p.xex", &paddle())]) else {
        return;
    };
    let move_to = |x: &str| {
        desk.tool(
            "xdotool",
            &["mousemove", "--window", &desk.window, x, "200"],
        )
    };
    move_to("30");
    desk.wait_for_colour("the paddle on the left", 0x34);
    move_to("600");
    desk.wait_for_colour("the paddle on the right", 0xC6);
    desk.tool("xdotool", &["mousedown", "1"]);
    desk.wait_for_colour("the button", 0x0E);
    desk.tool("xdotool", &["mouseup", "1"]);
    desk.wait_for_colour("no button", 0xC6);
    // Without the mouse a paddle is not connected: 228.
    desk.tap(&["alt+p"]);
    desk.wait_for_colour("no paddle", 0x34);
}

/// The background is PENV, or $0E while STICK0 is pulled up.
fn pen() -> Vec<u8> {
    binary(&[
        0xA9, 0x00, 0x8D, 0x2F, 0x02, // LDA #0, STA SDMCTL
        0xAE, 0x0D, 0xD4, // LDX PENV
        0xAD, 0x78, 0x02, // LDA STICK0
        0x4A, // LSR A
        0xB0, 0x02, // BCS +2
        0xA2, 0x0E, // LDX #$0E
        0x8E, 0xC8, 0x02, // STX COLOR4
        0x4C, 0x05, 0x20, // JMP to LDX
    ])
}

#[test]
fn the_mouse_is_a_light_pen_and_presses_its_tip() {
    let arguments = ["p.xex", "--mouse", "light-pen", "--scale", "2"];
    let Some(desk) = Desk::new("pen", &arguments, &[("p.xex", &pen())]) else {
        return;
    };
    let move_to = |y: &str| {
        desk.tool(
            "xdotool",
            &["mousemove", "--window", &desk.window, "300", y],
        )
    };
    // Row 50 of the picture is scan line 58; PENV counts in twos.
    move_to("101");
    desk.wait_for_colour("the pen above", 58 / 2 & 0xFE);
    move_to("401");
    desk.wait_for_colour("the pen below", 208 / 2 & 0xFE);
    desk.tool("xdotool", &["mousedown", "1"]);
    desk.wait_for_colour("the tip", 0x0E);
    desk.tool("xdotool", &["mouseup", "1"]);
    desk.wait_for_colour("no tip", 208 / 2 & 0xFE);
}

#[test]
fn a_file_is_chosen_from_the_list_and_recordings_are_written() {
    let files: [(&str, &[u8]); 3] = [
        ("broken.xex", &[0xFF, 0xFF, 1]),
        ("c.xex", &coloured()),
        ("x.txt", b"no program"),
    ];
    let Some(desk) = Desk::new("chooser", &["basic"], &files) else {
        return;
    };
    // The second Enter is for the question: BASIC may hold a program.
    desk.tap(&["alt+f", "b", "Return"]);
    std::thread::sleep(std::time::Duration::from_millis(500));
    desk.tap(&["Return"]);
    std::thread::sleep(std::time::Duration::from_millis(500));
    desk.tap(&["alt+f", "c", "Return"]);
    std::thread::sleep(std::time::Duration::from_millis(500));
    desk.tap(&["Return"]);
    desk.wait_for_colour("the program's colour", 0x34);
    // The list lies over the picture, and Escape takes it away.
    desk.tap(&["alt+f"]);
    let plain = session::picture::palette(machine::Tv::Ntsc)[0x34];
    wait_for("the list", || (desk.colour() != plain).then_some(()));
    desk.tap(&["Escape"]);
    desk.wait_for_colour("the program again", 0x34);

    desk.tap(&["ctrl+F10"]);
    std::thread::sleep(std::time::Duration::from_secs(1));
    desk.tap(&["ctrl+F10"]);
    let recorded = desk.folder.0.join("c-xex-001.mp4");
    // The name is reserved by an empty file; the index comes last.
    let bytes = wait_for("the recording", || {
        let bytes = std::fs::read(&recorded).ok()?;
        (!bytes.is_empty()).then_some(bytes)
    });
    assert_eq!(&bytes[4..12], b"ftypisom");
    for name in [b"moov", b"avc1", b"fLaC"] {
        assert!(bytes.windows(4).any(|found| found == name));
    }
}

/// Nothing but PNGs is in the cache, and nothing is added to the user's folder.
#[test]
fn a_title_of_the_library_is_found_by_typing_and_has_a_picture() {
    let files: &[(&str, &[u8])] = &[("anticlock.toml", b"library = [\"games\"]\n")];
    let Some(desk) = Desk::new("library", &["basic", "--scale", "2"], files) else {
        return;
    };
    let games = desk.folder.0.join("games");
    std::fs::create_dir(&games).unwrap();
    std::fs::write(games.join("Zebra 2.xex"), coloured()).unwrap();
    std::fs::write(games.join("zebra.pdf"), b"%PDF").unwrap();
    let before = desk.colour_at(320, 450);
    wait_for("the library", || {
        desk.tap(&["alt+b"]);
        std::thread::sleep(std::time::Duration::from_millis(500));
        (desk.colour_at(320, 450) != before).then_some(())
    });
    desk.tap(&["z", "e", "b"]);
    // Enter starts it once it is found, and then answers the question: BASIC may hold a program.
    let wanted = session::picture::palette(machine::Tv::Ntsc)[0x34];
    wait_for("the program", || {
        if desk.colour() == wanted {
            return Some(());
        }
        desk.tap(&["Return"]);
        std::thread::sleep(std::time::Duration::from_millis(500));
        None
    });
    let marks = desk.folder.0.join("data/anticlock/library.toml");
    let text = wait_for("the mark", || std::fs::read_to_string(&marks).ok());
    assert!(text.contains("Zebra 2.xex"), "{text}");
    desk.tap(&["alt+b"]);
    let cache = desk.folder.0.join("cache/anticlock/titles");
    wait_for("pictures", || {
        let names = std::fs::read_dir(&cache).ok()?.flatten();
        let pictures = names.filter(|file| file.path().extension().is_some_and(|e| e == "png"));
        (pictures.count() > 1).then_some(())
    });
    assert_eq!(std::fs::read_dir(&games).unwrap().count(), 2);
}

/// Places on the page of the machine, in a window of 645 by 480: a size of memory, and the button that comes when it is chosen.
const MEMORY: (usize, usize) = (281, 384);
/// See [`MEMORY`].
const RESTART: (usize, usize) = (340, 225);

#[test]
fn a_machine_that_is_chosen_in_the_menu_is_there_after_one_click_and_kept() {
    let arguments = ["c.xex", "--scale", "2", "--exact-media"];
    let Some(desk) = Desk::new("machine", &arguments, &[("c.xex", &coloured())]) else {
        return;
    };
    let click = |(x, y): (usize, usize)| {
        let (x, y) = (x.to_string(), y.to_string());
        let to = ["mousemove", "--window", &desk.window, &x, &y, "click", "1"];
        desk.tool("xdotool", &to);
    };
    desk.wait_for_colour("the program's colour", 0x34);
    // The fifth page; each press is taken in a frame of its own.
    desk.tap(&["F1", "Next", "Next", "Next", "Next"]);
    // Once the menu is closed the clicks do nothing.
    wait_for("the machine in the settings", || {
        for place in [MEMORY, RESTART] {
            click(place);
            std::thread::sleep(std::time::Duration::from_millis(400));
        }
        let text = std::fs::read_to_string(desk.folder.0.join("anticlock.toml")).ok()?;
        text.contains("memory = [\"192k\"]").then_some(())
    });
    desk.wait_for_colour("the program on the other machine", 0x34);
}

/// The blue screen of GRAPHICS 0, on which a game's lines are typed, is not seen.
#[test]
fn the_menu_stays_until_a_game_shows_itself() {
    let Some(desk) = Desk::new("loading", &["--scale", "2"], &[]) else {
        return;
    };
    // In the menu's first tile.
    let place = || desk.colour_at(80, 150);
    wait_for("the menu", || {
        (place().iter().max() > Some(&60)).then_some(())
    });
    let blue = session::picture::palette(machine::Tv::Ntsc)[0x94];
    wait_for("the game", || {
        desk.tap(&["Return"]);
        for _ in 0..10 {
            assert_ne!(place(), blue);
        }
        let title = desk.tool("xdotool", &["getwindowname", &desk.window]);
        let title = String::from_utf8(title).unwrap();
        title.contains("Crazy Eights").then_some(())
    });
    for _ in 0..20 {
        assert_ne!(place(), blue);
    }
}
