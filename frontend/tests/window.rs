//! The window on a real X server: the picture on the screen, keys that go in, closing.
#![cfg(feature = "window")]
mod common;

use common::desk::Desk;
use common::{Folder, anticlock, coloured, flashing, wait_for};

#[test]
fn the_picture_is_on_the_screen_keys_go_in_and_it_closes() {
    let arguments = ["c.xex", "--scale", "2", "--exact-media"];
    let Some(mut desk) = Desk::new("window", &arguments, &[("c.xex", &coloured())]) else {
        return;
    };
    desk.wait_for_colour("the program's colour", 0x34);
    desk.key("keydown", "q");
    desk.wait_for_colour("the colour of a pressed key", 0xC6);
    desk.key("keyup", "q");
    desk.wait_for_colour("the colour without a key", 0x34);

    // A picture as F10 writes it has the shape of the window, which has 2 x 240 lines.
    desk.tap(&["F10"]);
    let size = wait_for("the screenshot", || {
        let file = std::fs::File::open(desk.folder.0.join("c-xex-001.png")).ok()?;
        let reader = png::Decoder::new(std::io::BufReader::new(file));
        Some(reader.read_info().ok()?.info().size())
    });
    assert_eq!(size, (645, 480));
    // A GIF of the last seconds is as large where the settings do not say.
    desk.tap(&["alt+g"]);
    let head = wait_for("the GIF", || {
        let bytes = std::fs::read(desk.folder.0.join("c-xex-001.gif")).ok()?;
        (bytes.last() == Some(&0x3B)).then_some(bytes)
    });
    assert_eq!(&head[..6], b"GIF89a");
    assert_eq!(
        head[6..10],
        [645_u16.to_le_bytes(), 480_u16.to_le_bytes()].concat()
    );

    // The title shows the speed; the machine runs at 60 frames a second, give or take what a busy host costs.
    wait_for("the speed in the title", || {
        let title = desk.tool("xdotool", &["getwindowname", &desk.window]);
        let title = String::from_utf8(title).unwrap();
        let speed: f64 = title
            .split(" - ")
            .nth(1)?
            .strip_suffix(" %")?
            .parse()
            .ok()?;
        assert!(speed < 103.0, "{title}");
        (speed > 90.0).then_some(())
    });

    // The debug view opens, and the machine stands still in it.
    desk.tap(&["F8"]);
    let view = desk.find("Anticlock: debug view");
    desk.tool("xdotool", &["windowfocus", &view]);
    desk.tool("xdotool", &["key", "--window", &view, "i"]);
    desk.tool("xdotool", &["key", "--window", &view, "Escape"]);

    desk.focus();
    wait_for("the end of the program", || {
        desk.tap(&["alt+q", "Return"]);
        desk.program.0.try_wait().unwrap()
    });
    assert!(desk.program.0.wait().unwrap().success());
}

#[test]
fn a_state_of_a_pal_machine_brings_that_machine() {
    let arguments = ["c.xex", "--exact-media"];
    let Some(desk) = Desk::new("pal-state", &arguments, &[("c.xex", &coloured())]) else {
        return;
    };
    let wait_for_pal = |pal: bool| {
        wait_for(if pal { "PAL" } else { "NTSC" }, || {
            let title = desk.tool("xdotool", &["getwindowname", &desk.window]);
            let title = String::from_utf8(title).unwrap();
            (title.contains("Anticlock") && title.contains("PAL") == pal).then_some(())
        });
    };
    let colour = 0x34;
    desk.wait_for_colour("the program on NTSC", colour);
    let ntsc = desk.colour();
    wait_for_pal(false);
    desk.tap(&["alt+t", "Return"]);
    wait_for_pal(true);
    let pal = session::picture::palette(machine::Tv::Pal)[usize::from(colour)];
    assert_ne!(pal, ntsc);
    wait_for("the program on PAL", || {
        (desk.colour() == pal).then_some(())
    });
    desk.tap(&["alt+3", "alt+s"]);
    let states = desk.folder.0.join("data/anticlock/states");
    wait_for("the state", || {
        let files = std::fs::read_dir(&states).ok()?;
        let mut names = files.flatten().map(|file| file.file_name());
        names
            .any(|name| name.to_string_lossy().ends_with("-3.state"))
            .then_some(())
    });
    desk.tap(&["alt+t", "Return"]);
    wait_for_pal(false);
    desk.wait_for_colour("the program on NTSC again", colour);
    desk.tap(&["alt+l"]);
    wait_for_pal(true);
    wait_for("the state's picture", || {
        (desk.colour() == pal).then_some(())
    });
    // It runs there: a key is seen.
    desk.key("keydown", "q");
    wait_for("a pressed key", || (desk.colour() != pal).then_some(()));
    desk.key("keyup", "q");
}

/// Touchpads press and release within a frame; xdotool does so without a pause between the two.
#[test]
fn clicks_that_are_over_within_a_frame_count() {
    let arguments = ["c.xex", "--scale", "2", "--exact-media"];
    let Some(desk) = Desk::new("clicks", &arguments, &[("c.xex", &coloured())]) else {
        return;
    };
    let colour = 0x34;
    desk.wait_for_colour("the program's colour", colour);
    desk.tool(
        "xdotool",
        &["mousemove", "--window", &desk.window, "300", "200"],
    );
    for _ in 0..5 {
        desk.tool("xdotool", &["mousedown", "3", "mouseup", "3"]);
        let usual = session::picture::palette(machine::Tv::Ntsc)[usize::from(colour)];
        wait_for("the menu", || (desk.colour() != usual).then_some(()));
        // The cross in the corner closes it.
        let close = [
            "mousemove",
            "--window",
            &desk.window,
            "632",
            "16",
            "click",
            "1",
        ];
        desk.tool("xdotool", &close);
        desk.wait_for_colour("the picture without the menu", colour);
    }
}

/// Place of the left end of the slider for white on the page of the picture, in a window of 645 by 480.
const WHITE: (usize, usize) = (396, 211);

/// The page of the picture leaves the picture in sight, and what is changed there is seen at once. No press of a key gets lost while
/// the window is drawn for every frame.
#[test]
fn the_sheet_is_beside_a_picture_that_runs_on() {
    let arguments = ["c.xex", "--scale", "2", "--exact-media"];
    let Some(desk) = Desk::new("sheet", &arguments, &[("c.xex", &flashing())]) else {
        return;
    };
    let at = |x: usize, y: usize| desk.colour_at(x, y);
    let lights = |what: &str, wanted: bool| {
        wait_for(what, || {
            let first = at(40, 240);
            let differs = (0..20).any(|_| at(40, 240) != first);
            (differs == wanted).then_some(())
        });
    };
    lights("the program's colours", true);
    desk.tap(&["F1"]);
    lights("a picture that waits beside the list of keys", false);
    // Ten pages: five on is the picture's, and ten more are it again.
    let half = ["Next"; 5];
    for _ in 0..3 {
        desk.tap(&half);
        lights("a picture that runs beside its page", true);
        desk.tap(&half);
        lights("a picture that waits", false);
    }
    desk.tap(&half);
    lights("a picture that runs", true);
    // A click into the slider of the brightness of white: no colour is as light any more.
    let brightest = || (0..40).map(|_| u32::from(at(40, 240)[1])).max().unwrap();
    let before = brightest();
    let (x, y) = WHITE;
    let (x, y) = (x.to_string(), y.to_string());
    let to = [
        "mousemove",
        "--window",
        &desk.window,
        &x,
        &y,
        "mousedown",
        "1",
        "mouseup",
        "1",
    ];
    desk.tool("xdotool", &to);
    wait_for("darker colours", || {
        (brightest() + 40 < before).then_some(())
    });
    desk.tap(&["Escape"]);
    wait_for("the settings in the file", || {
        let text = std::fs::read_to_string(desk.folder.0.join("anticlock.toml")).ok()?;
        text.contains("white = 0.").then_some(())
    });
}

/// A display with 192 dots to the inch: a window twice as large as elsewhere, letters of the menu, too.
#[test]
fn a_display_with_small_dots_has_a_larger_window() {
    let files: &[(&str, &[u8])] = &[
        ("c.xex", &coloured()),
        ("anticlock.toml", b"[window]\nscale = 2\n"),
    ];
    for (dots, lines) in [("96", 480), ("192", 960)] {
        let server = ["-dpi", dots, "-screen", "0", "1600x1200x24"];
        let Some(desk) = Desk::on(&server, "dots", &["c.xex", "--exact-media"], files) else {
            return;
        };
        let geometry = desk.tool("xdotool", &["getwindowgeometry", "--shell", &desk.window]);
        let geometry = String::from_utf8(geometry).unwrap();
        assert!(
            geometry.contains(&format!("HEIGHT={lines}\n")),
            "{dots}: {geometry}"
        );
    }
}

/// The margins have the picture's black, and the settings choose a part of the picture.
#[test]
fn the_window_shows_the_part_that_was_chosen_on_the_picture_s_black() {
    let files: &[(&str, &[u8])] = &[
        ("c.xex", &coloured()),
        (
            "anticlock.toml",
            b"[window]\noverscan = \"playfield\"\n[picture]\nblack = 0.25\n",
        ),
    ];
    let Some(desk) = Desk::new("part", &["c.xex", "--scale", "2", "--exact-media"], files) else {
        return;
    };
    let geometry = || {
        let geometry = desk.tool("xdotool", &["getwindowgeometry", "--shell", &desk.window]);
        String::from_utf8(geometry).unwrap()
    };
    assert!(
        geometry().contains("WIDTH=549\nHEIGHT=384\n"),
        "{}",
        geometry()
    );
    desk.tool("xdotool", &["windowsize", &desk.window, "900", "384"]);
    wait_for("a margin in the picture's black", || {
        let [red, green, blue] = desk.colour_at(10, 100);
        (red > 40 && red.abs_diff(green) < 4 && red.abs_diff(blue) < 4).then_some(())
    });
}

/// Width and height of the only window on a display, and its place.
fn geometry(desk: &Desk) -> String {
    let text = desk.tool("xdotool", &["getwindowgeometry", "--shell", &desk.window]);
    let text = String::from_utf8(text).unwrap();
    let value = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
    let [x, y, width, height] = ["X=", "Y=", "WIDTH=", "HEIGHT="].map(|name| value(name).unwrap());
    format!("{width}x{height}+{x}+{y}")
}

/// No window manager runs on this display: the program fills the screen by itself, from its menu, too.
#[test]
fn full_screen_needs_no_window_manager() {
    let files: [(&str, &[u8]); 1] = [("c.xex", &coloured())];
    let screen = ["-screen", "0", "800x600x24"];
    let Some(desk) = Desk::on(&screen, "full-screen", &["c.xex"], &files) else {
        return;
    };
    desk.wait_for_colour("the program's colour", 0x34);
    let before = geometry(&desk);
    assert!(before.starts_with("645x480"), "{before}");
    let is = |wanted: &str| wait_for(wanted, || (geometry(&desk) == wanted).then_some(()));
    for _ in 0..2 {
        desk.tap(&["F11"]);
        is("800x600+0+0");
        desk.tap(&["F11"]);
        is(&before);
        // The second time with the menu over the picture.
        desk.tap(&["F1"]);
    }
}

/// A server that starts again with its last connection: the screen's size is known all the same.
#[test]
fn the_window_fits_onto_the_screen_of_a_server_that_starts_again() {
    if !["Xvfb", "xdotool"].into_iter().all(common::installed) {
        return;
    }
    let folder = Folder::new("reset");
    folder.file("c.xex", &coloured());
    let (server, display) = common::display_with(&["-reset", "-screen", "0", "800x600x24"]);
    let mut program = common::Running(
        anticlock(&folder.0)
            .args(["c.xex", "--mute"])
            .env("DISPLAY", &display)
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap(),
    );
    let tool = |arguments: &[&str]| {
        let done = std::process::Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &display)
            .output();
        String::from_utf8(done.unwrap().stdout).unwrap()
    };
    // Before there is a window no other connection may come or go.
    std::thread::sleep(std::time::Duration::from_secs(4));
    let size = wait_for("the window", || {
        let window = tool(&["search", "--name", "Anticlock"]);
        let window = window.lines().next()?;
        Some(tool(&["getwindowgeometry", window]))
    });
    assert!(size.contains("645x480"), "{size}");
    // When the server goes the program says so, in one sentence.
    drop(server);
    let status = wait_for("the end", || program.0.try_wait().unwrap());
    assert_eq!(status.code(), Some(1));
    let mut told = String::new();
    std::io::Read::read_to_string(&mut program.0.stderr.take().unwrap(), &mut told).unwrap();
    assert_eq!(
        told,
        "anticlock: the X server has gone, and the window with it\n"
    );
}

#[test]
fn without_a_display_there_is_one_sentence_and_status_2() {
    let folder = Folder::new("no-display");
    folder.file("c.xex", &coloured());
    let output = anticlock(&folder.0)
        .args(["c.xex", "--mute"])
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("no window can be opened"), "{stderr}");
}
