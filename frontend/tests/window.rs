//! The window on a real X server: what is on the screen, keys that go in, closing.
#![cfg(feature = "window")]
mod common;

use common::{Folder, Running, colleen, coloured, display, installed, wait_for};
use std::process::{Command, Stdio};

/// Runs an X tool; its output.
fn tool(display: &str, program: &str, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(program)
        .args(arguments)
        .env("DISPLAY", display)
        .output()
        .unwrap();
    output.stdout
}

/// The window with this name.
fn window(display: &str, name: &str) -> String {
    wait_for(name, || {
        let found =
            String::from_utf8(tool(display, "xdotool", &["search", "--name", name])).unwrap();
        found.lines().next().map(str::to_owned)
    })
}

/// The colour in the middle of a window as the screen has it.
fn colour(display: &str, window: &str) -> [u8; 3] {
    let crop = [
        "-window", window, "-gravity", "center", "-crop", "1x1+0+0", "-depth", "8", "rgb:-",
    ];
    let pixel = tool(display, "import", &crop);
    pixel.get(..3).map_or([0; 3], |p| [p[0], p[1], p[2]])
}

#[test]
fn the_picture_is_on_the_screen_keys_go_in_and_it_closes() {
    if !["Xvfb", "xdotool", "import"].into_iter().all(installed) {
        return;
    }
    let folder = Folder::new("window");
    folder.file("c.xex", &coloured());
    let (_server, display) = display();
    let mut program = Running(
        colleen(&folder.0)
            .args(["c.xex", "--mute", "--scale", "2"])
            .env("DISPLAY", &display)
            .stderr(Stdio::null())
            .spawn()
            .unwrap(),
    );
    let id = window(&display, "Colleen: c.xex");
    let palette = frontend::video::palette(machine::Tv::Ntsc);
    let (idle, pressed) = (palette[0x34], palette[0xC6]);
    wait_for("the program's colour", || {
        (colour(&display, &id) == idle).then_some(())
    });

    tool(&display, "xdotool", &["windowfocus", &id]);
    tool(&display, "xdotool", &["keydown", "--window", &id, "q"]);
    wait_for("the colour of a pressed key", || {
        (colour(&display, &id) == pressed).then_some(())
    });
    tool(&display, "xdotool", &["keyup", "--window", &id, "q"]);
    wait_for("the colour without a key", || {
        (colour(&display, &id) == idle).then_some(())
    });

    // A picture of the screen as F10 writes it holds the same colour.
    tool(&display, "xdotool", &["key", "--window", &id, "F10"]);
    wait_for("the screenshot", || {
        folder.0.join("c-xex-001.png").exists().then_some(())
    });

    // The title shows the speed; the machine runs at 60 frames a second, give or take what a busy host costs.
    wait_for("the speed in the title", || {
        let title = String::from_utf8(tool(&display, "xdotool", &["getwindowname", &id])).unwrap();
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
    tool(&display, "xdotool", &["key", "--window", &id, "F8"]);
    let view = window(&display, "Colleen: debug view");
    tool(&display, "xdotool", &["windowfocus", &view]);
    tool(&display, "xdotool", &["key", "--window", &view, "i"]);
    tool(&display, "xdotool", &["key", "--window", &view, "Escape"]);

    tool(&display, "xdotool", &["windowfocus", &id]);
    wait_for("the end of the program", || {
        tool(
            &display,
            "xdotool",
            &[
                "keydown", "--window", &id, "alt", "key", "--window", &id, "q", "keyup",
                "--window", &id, "alt",
            ],
        );
        program.0.try_wait().unwrap()
    });
    assert!(program.0.wait().unwrap().success());
}

#[test]
fn without_a_display_there_is_one_sentence_and_status_2() {
    let folder = Folder::new("no-display");
    folder.file("c.xex", &coloured());
    let output = colleen(&folder.0)
        .args(["c.xex", "--mute"])
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("no window can be opened"), "{stderr}");
}
