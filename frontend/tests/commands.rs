//! Commands by real keys, on three layouts; questions; files that are dropped.
#![cfg(all(feature = "window", target_os = "linux"))]
mod common;

use common::desk::Desk;
use common::{binary, coloured, installed, wait_for};

fn title(desk: &Desk) -> String {
    let title = desk.tool("xdotool", &["getwindowname", &desk.window]);
    String::from_utf8(title).unwrap().trim().to_owned()
}

fn wait_for_title(desk: &Desk, wanted: impl Fn(&[&str]) -> bool, what: &str) {
    wait_for(what, || {
        let title = title(desk);
        let parts: Vec<&str> = title.split(" - ").collect();
        wanted(&parts).then_some(())
    });
}

#[test]
fn commands_are_reached_on_american_german_and_french_keyboards() {
    if !installed("setxkbmap") {
        return;
    }
    for layout in ["us", "de", "fr"] {
        let name = format!("layout-{layout}");
        let Some(mut desk) = Desk::new(&name, &["c.xex"], &[("c.xex", &coloured())]) else {
            return;
        };
        desk.tool("setxkbmap", &[layout]);
        desk.wait_for_colour("the program", 0x34);
        let has = |part: &'static str| move |parts: &[&str]| parts.contains(&part);
        let lacks = |part: &'static str| move |parts: &[&str]| !parts.contains(&part);
        // --mute is on.
        for (key, part) in [("F9", "paused"), ("shift+F12", "turbo"), ("alt+m", "muted")] {
            let first = key != "alt+m";
            for on in [first, !first] {
                desk.tap(&[key]);
                if on {
                    wait_for_title(&desk, has(part), &format!("{key} on, {layout}"));
                } else {
                    wait_for_title(&desk, lacks(part), &format!("{key} off, {layout}"));
                }
            }
        }
        // Joystick keys are part of the title, too.
        let before = title(&desk);
        let sticks = before.rsplit(" - ").nth(1).unwrap();
        desk.tap(&["alt+j"]);
        wait_for_title(&desk, |parts| !parts.contains(&sticks), "alt+j");
        // A state in slot 5, chosen on the keypad.
        desk.tap(&["alt+KP_5", "alt+s", "alt+Prior", "alt+Next", "alt+l"]);
        desk.tap(&["F10"]);
        wait_for("the screenshot", || {
            let path = desk.folder.0.join("c-xex-001.png");
            path.exists().then_some(())
        });
        desk.tap(&["alt+q"]);
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert!(desk.program.0.try_wait().unwrap().is_none(), "no question");
        desk.tap(&["alt+q"]);
        wait_for("the end", || desk.program.0.try_wait().unwrap());
    }
}

/// $34 until RESET was pressed once, then $C6: LDA #0, STA SDMCTL; INC $0600, LDX #$34, LDA $0600, CMP #2, BCC +2, LDX #$C6, STX COLOR4,
/// JMP to itself. A program that loads starts again after RESET.
fn counts_resets() -> Vec<u8> {
    binary(&[
        0xA9, 0x00, 0x8D, 0x2F, 0x02, 0xEE, 0x00, 0x06, 0xA2, 0x34, 0xAD, 0x00, 0x06, 0xC9, 0x02,
        0x90, 0x02, 0xA2, 0xC6, 0x8E, 0xC8, 0x02, 0x4C, 0x13, 0x20,
    ])
}

#[test]
fn reset_asks_and_escape_or_a_click_beside_yes_leaves_all_as_it_is() {
    let files = [("r.xex", &counts_resets()[..])];
    let Some(desk) = Desk::new("reset", &["r.xex", "--scale", "2"], &files) else {
        return;
    };
    let plain = session::picture::palette(machine::Tv::Ntsc)[0x34];
    desk.wait_for_colour("the program", 0x34);
    for no in ["Escape", "F1"] {
        desk.tap(&["F5"]);
        wait_for("the question", || (desk.colour() != plain).then_some(()));
        desk.tap(&[no]);
        desk.wait_for_colour("the program as it was", 0x34);
    }
    desk.tap(&["F5", "F5"]);
    desk.wait_for_colour("the program after RESET", 0xC6);
}

#[test]
fn the_title_of_a_pal_machine_says_so() {
    let arguments = ["c.xex", "--tv", "pal"];
    let Some(desk) = Desk::new("pal", &arguments, &[("c.xex", &coloured())]) else {
        return;
    };
    wait_for_title(&desk, |parts| parts.contains(&"PAL"), "PAL");
    wait_for_title(&desk, |parts| parts.contains(&"muted"), "muted");
}

#[test]
fn the_debug_view_steps_by_keys_and_mouse_and_the_game_window_is_stopped() {
    let Some(desk) = Desk::new("debug", &["c.xex"], &[("c.xex", &coloured())]) else {
        return;
    };
    desk.wait_for_colour("the program", 0x34);
    desk.tap(&["F8"]);
    let view = desk.find("Anticlock: debug view");
    wait_for_title(&desk, |parts| parts.contains(&"stopped"), "stopped");
    desk.tool("xdotool", &["windowsize", &view, "1024", "640"]);
    std::thread::sleep(std::time::Duration::from_secs(1));
    let shot = || desk.tool("import", &["-window", &view, "-depth", "8", "rgb:-"]);
    desk.tool("xdotool", &["windowfocus", &view]);
    let before = shot();
    let key = |key: &str| desk.tool("xdotool", &["key", "--window", &view, key]);
    key("l");
    let after = wait_for("a step", || {
        let now = shot();
        (now != before).then_some(now)
    });
    desk.tool("xdotool", &["keydown", "--window", &view, "alt"]);
    key("l");
    desk.tool("xdotool", &["keyup", "--window", &view, "alt"]);
    wait_for("a step back", || (shot() != after).then_some(()));
    // F5 in the other window runs on and presses no RESET.
    desk.focus();
    desk.tap(&["F5"]);
    wait_for_title(&desk, |parts| !parts.contains(&"stopped"), "running");
    // The view may lie over it.
    desk.tool("xdotool", &["windowraise", &desk.window]);
    desk.wait_for_colour("the program", 0x34);
}
