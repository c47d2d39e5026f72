//! Every command of the window by real keys, on American, German and French keyboards; each is seen to have done something.
#![cfg(all(feature = "window", target_os = "linux"))]
mod common;

use common::desk::Desk;
use common::{binary, installed, wait_for};
use host::config::{ACTIONS, Chord};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// No key, as [`shows_keys`] shows it.
const NONE: u8 = 0x94;
/// HELP was pressed, or BREAK.
const HELP: u8 = 0xE4;
const BREAK: u8 = 0x08;
/// START, SELECT, OPTION are down.
const CONSOLE: [u8; 3] = [0x62, 0x52, 0x32];

/// The background shows the last key that the OS took (its code without bit 0), or what the constants say. A white stripe keeps the window
/// from taking it for a program that shows nothing.
fn shows_keys() -> Vec<u8> {
    binary(&[
        0xA9, 0x00, // LDA #0
        0x8D, 0x2F, 0x02, // STA SDMCTL
        0x8D, 0xDC, 0x02, // STA HELPFG
        0xA9, 0x0E, 0x8D, 0xC0, 0x02, // LDA #$0E, STA PCOLR0
        0xA9, 0x60, 0x8D, 0x00, 0xD0, // LDA #$60, STA HPOSP0
        0xA9, 0xFF, // LDA #$FF
        0x8D, 0x0D, 0xD0, // STA GRAFP0
        0x8D, 0xFC, 0x02, // STA CH
        0x85, 0x11, // STA BRKKEY
        0xAD, 0xFC, 0x02, // $201C: LDA CH
        0xC9, 0xFF, 0xD0, 0x02, 0xA9, NONE, // CMP #$FF, BNE +2, LDA #NONE
        0xAE, 0xDC, 0x02, 0xF0, 0x02, 0xA9, HELP, // LDX HELPFG, BEQ +2, LDA #HELP
        0xA6, 0x11, 0xD0, 0x02, 0xA9, BREAK, // LDX BRKKEY, BNE +2, LDA #BREAK
        0xAE, 0x1F, 0xD0, 0xE0, 0x07, 0xF0, 0x07, // LDX CONSOL, CPX #7, BEQ +7
        0x8A, 0x0A, 0x0A, 0x0A, 0x0A, 0x09, 0x02, // TXA, 4 times ASL, ORA #2
        0x8D, 0xC8, 0x02, // STA COLOR4
        0x4C, 0x1C, 0x20, // JMP $201C
    ])
}

/// The name that `xdotool` has for a key of the configuration, with its modifiers.
fn of_x(keys: &str) -> String {
    let (modifiers, key) = keys.rsplit_once('+').map_or(("", keys), |(m, k)| (m, k));
    let key = match key {
        "PageDown" => "Next".to_owned(),
        "PageUp" => "Prior".to_owned(),
        "Enter" => "Return".to_owned(),
        "Backspace" => "BackSpace".to_owned(),
        "CapsLock" => "Caps_Lock".to_owned(),
        "`" => "grave".to_owned(),
        "[" => "bracketleft".to_owned(),
        "]" => "bracketright".to_owned(),
        letter if letter.len() == 1 => letter.to_lowercase(),
        other => other.to_owned(),
    };
    if modifiers.is_empty() {
        key
    } else {
        format!("{}+{key}", modifiers.to_lowercase())
    }
}

struct Keys {
    desk: Desk,
    pressed: BTreeSet<String>,
}

impl Keys {
    fn tap(&mut self, keys: &str) {
        self.pressed.insert(keys.to_owned());
        self.desk.tap(&[&of_x(keys)]);
    }

    /// A key that the OS takes.
    fn types(&mut self, keys: &str, code: u8) {
        self.tap(keys);
        self.desk.wait_for_colour(keys, code & 0xFE);
    }

    fn holds(&mut self, keys: &str, colour: u8) {
        self.pressed.insert(keys.to_owned());
        self.desk.key("keydown", &of_x(keys));
        self.desk.wait_for_colour(keys, colour);
        self.desk.key("keyup", &of_x(keys));
    }

    fn title(&self) -> Vec<String> {
        let title = self
            .desk
            .tool("xdotool", &["getwindowname", &self.desk.window]);
        let title = String::from_utf8(title).unwrap();
        title.trim().split(" - ").map(str::to_owned).collect()
    }

    /// A key after which the title has a part, or has it no longer.
    fn titles(&mut self, keys: &str, part: &str, on: bool) {
        self.tap(keys);
        let what = format!("{part} {on} after {keys}");
        wait_for(&what, || {
            (self.title().iter().any(|p| p == part) == on).then_some(())
        });
    }

    /// True if a part of the window (`100x20+X+Y`) has one colour.
    fn is_plain(&self, part: &str) -> bool {
        let arguments = [
            "-window",
            &self.desk.window,
            "-crop",
            part,
            "-depth",
            "8",
            "rgb:-",
        ];
        let pixels = self.desk.tool("import", &arguments);
        let (pixels, _) = pixels.as_chunks::<3>();
        pixels.iter().all(|pixel| *pixel == pixels[0])
    }

    /// A key after which something is to be read in a part of the window where nothing was. The words stay for a second and a half, and
    /// a busy host may take no picture in that time: then the key is tapped again.
    fn writes(&mut self, keys: &str, part: &str) {
        for _ in 0..5 {
            wait_for("no words", || self.is_plain(part).then_some(()));
            self.tap(keys);
            let tapped = Instant::now();
            while tapped.elapsed() < Duration::from_secs(5) {
                if !self.is_plain(part) {
                    return;
                }
            }
        }
        panic!("no words after {keys}");
    }

    /// A key that opens something over the picture, which has this colour; Esc closes it.
    fn opens(&mut self, keys: &str, colour: u8) {
        self.desk
            .wait_for_colour(&format!("the picture before {keys}"), colour);
        let picture = self.desk.colour();
        self.tap(keys);
        wait_for(keys, || (self.desk.colour() != picture).then_some(()));
        self.desk.tap(&["Escape"]);
        self.desk
            .wait_for_colour(&format!("Esc after {keys}"), colour);
    }

    fn has_file(&self, what: &str, name: &str) {
        let path = self.desk.folder.0.join(name);
        wait_for(what, || path.exists().then_some(()));
    }
}

/// A message at the lower edge; states in the upper right corner.
const MESSAGE: &str = "100x16+20+454";
const STATES: &str = "60x14+575+12";

fn every_command(layout: &str, digit_with_shift: bool) {
    if !installed("setxkbmap") {
        return;
    }
    let files: [(&str, &[u8]); 1] = [("k.xex", &shows_keys())];
    let Some(desk) = Desk::new(&format!("all-{layout}"), &["k.xex", "--scale", "2"], &files) else {
        return;
    };
    desk.tool("setxkbmap", &[layout]);
    let mut keys = Keys {
        desk,
        pressed: BTreeSet::new(),
    };
    keys.desk.wait_for_colour("the program", NONE);
    for (key, colour) in ["F4", "F3", "F2"].into_iter().zip(CONSOLE) {
        keys.holds(key, colour);
    }
    for (key, code) in [
        ("End", 0x27),
        ("CapsLock", 0x3C),
        ("Insert", 0xB7),
        ("Delete", 0xB4),
        ("Home", 0x76),
    ] {
        keys.types(key, code);
    }
    keys.desk.tap(&["Caps_Lock"]);
    keys.types("Home", 0x76);

    // States: the one of slot 5 is loaded again, that of slot 6 does not exist.
    if digit_with_shift {
        // The fifth key of the digits is a digit with Shift.
        for (action, key) in [
            ("keydown", "alt"),
            ("keydown", "shift"),
            ("key", "14"),
            ("keyup", "shift"),
            ("keyup", "alt"),
        ] {
            keys.desk.key(action, key);
        }
    } else {
        keys.desk.tap(&["alt+5"]);
    }
    keys.tap("Alt+S");
    keys.types("End", 0x27);
    std::thread::sleep(Duration::from_millis(300));
    keys.tap("Alt+PageUp");
    keys.tap("Alt+L");
    std::thread::sleep(Duration::from_millis(500));
    keys.desk.wait_for_colour("slot 6 is empty", 0x26);
    keys.tap("Alt+PageDown");
    keys.tap("Alt+L");
    keys.desk.wait_for_colour("the state of slot 5", 0x76);
    keys.types("Delete", 0xB4);
    keys.desk.tap(&["alt+KP_6", "alt+KP_5", "alt+l"]);
    keys.desk
        .wait_for_colour("the state of slot 5, by the keypad", 0x76);
    if layout == "us" {
        keys.types("`", 0x27);
        keys.tap("Alt+]");
        keys.tap("Alt+[");
        keys.tap("Alt+L");
        keys.desk
            .wait_for_colour("the state of slot 5, by brackets", 0x76);
    }

    // Time. Each colour lasts long enough that a picture taken on the way back meets it.
    std::thread::sleep(Duration::from_millis(1000));
    keys.types("End", 0x27);
    std::thread::sleep(Duration::from_millis(500));
    keys.pressed.insert("Alt+Backspace".to_owned());
    keys.desk.key("keydown", "alt");
    keys.desk.key("keydown", "BackSpace");
    keys.desk.wait_for_colour("the time before", 0x76);
    keys.desk.key("keyup", "BackSpace");
    keys.desk.key("keyup", "alt");
    keys.titles("F9", "paused", true);
    keys.titles("F9", "paused", false);
    keys.titles("Shift+F9", "paused", true);
    keys.titles("F9", "paused", false);
    keys.titles("Shift+F12", "turbo", true);
    keys.titles("Shift+F12", "turbo", false);
    let speed =
        |keys: &Keys| -> Option<f64> { keys.title().get(1)?.strip_suffix(" %")?.parse().ok() };
    wait_for("usual speed", || {
        speed(&keys).filter(|speed| *speed < 110.0)
    });
    keys.pressed.insert("F12".to_owned());
    keys.desk.key("keydown", "F12");
    wait_for("F12", || speed(&keys).filter(|speed| *speed > 110.0));
    keys.desk.key("keyup", "F12");

    // Files.
    keys.tap("F10");
    keys.has_file("F10", "k-xex-001.png");
    for (key, what, file) in [
        ("Shift+F10", "recording the sound", "k-xex-001.wav"),
        ("Ctrl+F10", "recording the picture", "k-xex-001.mp4"),
    ] {
        keys.titles(key, what, true);
        keys.titles(key, what, false);
        keys.has_file(key, file);
    }
    keys.tap("Alt+G");
    keys.has_file("Alt+G", "k-xex-001.gif");
    keys.writes("Alt+R", MESSAGE);
    keys.tap("Alt+R");
    keys.has_file("Alt+R", "k-xex-002.gif");

    // The desk is silent from the start; the mouse and joystick keys are set back.
    keys.titles("Alt+M", "muted", false);
    keys.titles("Alt+M", "muted", true);
    let sticks = keys.title().iter().rev().nth(1).unwrap().clone();
    keys.titles("Alt+J", &sticks, false);
    for key in [
        "Alt+P", "Alt+D", "Alt+W", "Alt+U", "Alt+A", "Alt+V", "Alt+C",
    ] {
        keys.writes(key, MESSAGE);
    }
    // A window without a title names its states.
    for key in ["F11", "Alt+Enter"] {
        keys.writes(key, STATES);
    }
    for key in ["F1", "Alt+B", "Alt+F", "Alt+T", "Alt+O"] {
        keys.opens(key, 0x76);
    }
    keys.tap("F8");
    let view = keys.desk.find("Anticlock: debug view");
    wait_for("stopped", || {
        keys.title().contains(&"stopped".to_owned()).then_some(())
    });
    keys.desk.tool("xdotool", &["windowfocus", &view]);
    keys.desk
        .tool("xdotool", &["key", "--window", &view, "Escape"]);
    wait_for("running", || {
        (!keys.title().contains(&"stopped".to_owned())).then_some(())
    });
    keys.desk.focus();

    // What needs a RESET to be seen again.
    for (key, colour, reset) in [
        ("F6", HELP, "F5"),
        ("F7", BREAK, "Shift+F5"),
        ("Pause", BREAK, "F5"),
    ] {
        keys.tap(key);
        keys.desk.wait_for_colour(key, colour);
        keys.opens(reset, colour);
        keys.tap(reset);
        keys.tap(reset);
        keys.desk.wait_for_colour(reset, NONE);
    }
    keys.opens("Alt+Q", NONE);
    keys.tap("Alt+Q");
    keys.tap("Alt+Q");
    wait_for("the end", || keys.desk.program.0.try_wait().unwrap());

    for (action, chords, _) in ACTIONS {
        let chord = |chord: &&str| Chord::try_from((*chord).to_owned()).unwrap().to_string();
        assert!(
            chords
                .iter()
                .any(|text| keys.pressed.contains(&chord(text))),
            "{action:?} was not tried"
        );
    }
}

#[test]
fn every_command_is_reached_on_an_american_keyboard() {
    every_command("us", false);
}

#[test]
fn every_command_is_reached_on_a_german_keyboard() {
    every_command("de", false);
}

#[test]
fn every_command_is_reached_on_a_french_keyboard() {
    every_command("fr", true);
}
