//! Arrows, space bar, CapsLock, AltGr and Escape by real keys in the window.
#![cfg(all(feature = "window", target_os = "linux"))]
mod common;

use common::desk::Desk;
use common::{binary, installed, wait_for};

/// Asks E: for a line at $3000, and shows its sixth byte as the colour of the text's background, without bit 0: `take the lamp` gives $20
/// at $3004 and $54 at $3005.
const ASKS: [u8; 42] = [
    0xA9, 0x05, 0x8D, 0x42, 0x03, // LDA #5 (GET RECORD), STA ICCOM
    0xA9, 0x00, 0x8D, 0x44, 0x03, // LDA #0, STA ICBAL
    0xA9, 0x30, 0x8D, 0x45, 0x03, // LDA #$30, STA ICBAH
    0xA9, 0x28, 0x8D, 0x48, 0x03, // LDA #40, STA ICBLL
    0xA9, 0x00, 0x8D, 0x49, 0x03, // LDA #0, STA ICBLH
    0xAA, 0x20, 0x56, 0xE4, // TAX, JSR CIOV
    0xAD, 0x05, 0x30, 0x49, 0x10, 0x8D, 0xC6, 0x02, // LDA $3005, EOR #$10, STA COLOR2
    0x4C, 0x00, 0x20, // JMP $2000
    0xEA, 0xEA,
];

/// A background of $34, $76 with the stick to the right, $C6 with the trigger; the screen is off.
fn plays() -> Vec<u8> {
    binary(&[
        0xA9, 0x00, 0x8D, 0x2F, 0x02, // LDA #0, STA SDMCTL
        0xA2, 0x34, // $2005: LDX #$34
        0xAD, 0x00, 0xD3, 0x29, 0x08, // LDA PORTA, AND #8
        0xD0, 0x02, 0xA2, 0x76, // BNE +2, LDX #$76
        0xAD, 0x10, 0xD0, // LDA TRIG0
        0xD0, 0x02, 0xA2, 0xC6, // BNE +2, LDX #$C6
        0x8E, 0xC8, 0x02, // STX COLOR4
        0x4C, 0x05, 0x20, // JMP $2005
    ])
}

fn title(desk: &Desk) -> String {
    let title = desk.tool("xdotool", &["getwindowname", &desk.window]);
    String::from_utf8(title).unwrap().trim().to_owned()
}

fn titled(desk: &Desk, wanted: &str) {
    wait_for(wanted, || title(desk).contains(wanted).then_some(()));
}

#[test]
fn keys_ask() {
    let files = [("ask.xex", &binary(&ASKS)[..])];
    let Some(desk) = Desk::new("keys-ask", &["ask.xex"], &files) else {
        return;
    };
    std::thread::sleep(std::time::Duration::from_secs(3));
    let type_line = |text: &str| {
        let typed = ["type", "--window", &desk.window, "--delay", "80", text];
        desk.tool("xdotool", &typed);
        desk.tap(&["Return"]);
    };
    type_line("take the lamp");
    desk.wait_for_colour("a T after the space", 0x54 ^ 0x10);
    titled(&desk, "keys type");
}

#[test]
fn a_game_is_played_with_arrows_and_space_and_the_choice_is_kept() {
    let files = [("play.xex", &plays()[..])];
    let Some(desk) = Desk::new("keys-play", &["play.xex"], &files) else {
        return;
    };
    titled(&desk, "arrows = joystick 1");
    for (key, colour) in [("Right", 0x76), ("space", 0xC6)] {
        desk.wait_for_colour("nothing is pressed", 0x34);
        desk.key("keydown", key);
        desk.wait_for_colour(key, colour);
        desk.key("keyup", key);
    }
    desk.tap(&["alt+j"]);
    titled(&desk, "keys type");
    let table = std::fs::read_to_string(desk.folder.0.join("needs.txt")).unwrap();
    assert!(table.ends_with(" keys=type\n"), "{table}");
    desk.key("keydown", "Right");
    std::thread::sleep(std::time::Duration::from_millis(500));
    desk.wait_for_colour("nothing but a cursor key", 0x34);
    desk.key("keyup", "Right");
    for wanted in ["joystick 1 - ", "WASD = joystick 2", "joystick 1 - "] {
        desk.tap(&["alt+j"]);
        titled(&desk, wanted);
    }
    let table = std::fs::read_to_string(desk.folder.0.join("needs.txt")).unwrap();
    assert!(table.ends_with(" keys=auto\n"), "{table}");
}

#[test]
fn the_command_line_chooses_and_keeps() {
    let files = [("play.xex", &plays()[..])];
    let arguments = ["play.xex", "--keys", "type"];
    let Some(desk) = Desk::new("keys-option", &arguments, &files) else {
        return;
    };
    titled(&desk, "keys type");
    wait_for("the table", || {
        let table = std::fs::read_to_string(desk.folder.0.join("needs.txt")).ok()?;
        table.ends_with(" keys=type\n").then_some(())
    });
}

/// A background that shows CH: its bit 6 (SHIFT) as $C6 or $34, $08 for ESC, $94 before any key.
fn shows_shift() -> Vec<u8> {
    binary(&[
        0xA9, 0x00, 0x8D, 0x2F, 0x02, // LDA #0, STA SDMCTL
        0xA2, 0x94, // LDX #$94
        0xAD, 0xFC, 0x02, // $2007: LDA CH
        0xC9, 0xFF, 0xF0, 0x13, // CMP #$FF, BEQ to STX
        0xC9, 0x3C, 0xF0, 0x0F, // CMP #CAPS, BEQ to STX
        0xA2, 0x08, 0xC9, 0x1C, 0xF0, 0x09, // LDX #8, CMP #ESC, BEQ to STX
        0xA2, 0x34, 0x29, 0x40, // LDX #$34, AND #$40
        0xF0, 0x03, // BEQ to STX
        0xA2, 0xC6, 0xEA, // LDX #$C6
        0x8E, 0xC8, 0x02, // STX COLOR4
        0x4C, 0x07, 0x20, // JMP $2007
    ])
}

#[test]
fn capslock_altgr_and_escape_do_what_they_say() {
    if !installed("setxkbmap") {
        return;
    }
    let files = [("shift.xex", &shows_shift()[..])];
    let Some(desk) = Desk::new("keys-caps", &["shift.xex"], &files) else {
        return;
    };
    desk.tool("setxkbmap", &["pl"]);
    desk.wait_for_colour("the program", 0x94);
    // The host's lock is on from here.
    desk.tap(&["Caps_Lock"]);
    desk.tap(&["a"]);
    desk.wait_for_colour("a letter without SHIFT", 0x34);
    desk.tap(&["shift+a"]);
    desk.wait_for_colour("a letter with SHIFT", 0xC6);
    desk.tap(&["Caps_Lock"]);
    // AltGr and S is a letter of Polish, and saves no state.
    desk.tap(&["ISO_Level3_Shift+s"]);
    std::thread::sleep(std::time::Duration::from_millis(500));
    let saved = || desk.folder.0.join("data/anticlock/states").exists();
    assert!(!saved(), "AltGr and S has saved a state");
    desk.tap(&["alt+s"]);
    wait_for("Alt and S", || saved().then_some(()));
    // Escape closes the menu, and stays down for a second.
    desk.tap(&["F1"]);
    std::thread::sleep(std::time::Duration::from_millis(500));
    desk.key("keydown", "Escape");
    std::thread::sleep(std::time::Duration::from_millis(1200));
    desk.key("keyup", "Escape");
    desk.wait_for_colour("no ESC", 0xC6);
    desk.tap(&["Escape"]);
    desk.wait_for_colour("ESC", 0x08);
}
