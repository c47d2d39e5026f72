//! The window on a real X server: what is on the screen, keys that go in, closing.
#![cfg(feature = "window")]
mod common;

use common::desk::Desk;
use common::{Folder, anticlock, coloured, wait_for};

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

    // A picture of the screen as F10 writes it holds the same colour.
    desk.tap(&["F10"]);
    wait_for("the screenshot", || {
        desk.folder.0.join("c-xex-001.png").exists().then_some(())
    });

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
