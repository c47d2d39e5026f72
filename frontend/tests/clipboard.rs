//! The host's clipboard: Alt+V types it, Alt+C fills it.
#![cfg(feature = "window")]
mod common;

use common::{Folder, Running, colleen, display, installed, wait_for};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

struct Desk {
    folder: Folder,
    display: String,
    window: String,
    _server: Running,
    program: Running,
}

impl Desk {
    /// A window with BASIC in it.
    fn new(name: &str) -> Option<Self> {
        if !["Xvfb", "xdotool", "xclip"].into_iter().all(installed) {
            return None;
        }
        let folder = Folder::new(name);
        let (server, display) = display();
        let program = colleen(&folder.0)
            .args(["basic", "--mute", "--scale", "1"])
            .env("DISPLAY", &display)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let window = wait_for("the window", || {
            let output = Command::new("xdotool")
                .args(["search", "--name", "Colleen"])
                .env("DISPLAY", &display)
                .output()
                .unwrap();
            let found = String::from_utf8(output.stdout).unwrap();
            found.lines().next().map(str::to_owned)
        });
        let desk = Self {
            folder,
            display,
            window,
            _server: server,
            program: Running(program),
        };
        desk.xdotool(&["windowfocus"]);
        wait_for("READY", || desk.screen().contains("READY").then_some(()));
        Some(desk)
    }

    fn xdotool(&self, command: &[&str]) {
        let mut arguments = vec![command[0]];
        if command[0] != "windowfocus" {
            arguments.push("--window");
        }
        arguments.push(&self.window);
        arguments.extend(&command[1..]);
        let status = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &self.display)
            .status();
        assert!(status.unwrap().success());
    }

    /// Presses a letter with Alt.
    fn alt(&self, letter: &str) {
        self.xdotool(&["keydown", "alt"]);
        self.xdotool(&["key", letter]);
        self.xdotool(&["keyup", "alt"]);
    }

    fn fill_clipboard(&self, text: &str) {
        let mut xclip = Command::new("xclip")
            .args(["-selection", "clipboard", "-in"])
            .env("DISPLAY", &self.display)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut pipe = xclip.stdin.take().unwrap();
        pipe.write_all(text.as_bytes()).unwrap();
        drop(pipe);
        assert!(xclip.wait().unwrap().success());
    }

    /// The text on the Atari's screen, by way of the clipboard.
    fn screen(&self) -> String {
        self.alt("c");
        let output = Command::new("xclip")
            .args(["-selection", "clipboard", "-out"])
            .env("DISPLAY", &self.display)
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

#[test]
fn a_long_listing_in_the_clipboard_is_typed_letter_for_letter_and_the_screen_is_copied() {
    let Some(mut desk) = Desk::new("paste") else {
        return;
    };
    // Double letters, both cases, inverse cases of the same key, and a sum that shows that nothing was lost.
    let mut listing = String::from("10 DIM A$(120):N=0:S=0\n");
    for line in 0..60 {
        let text: String = (0..20)
            .map(|i| char::from(b"AAbbcC..--(9)zZ+*=11 "[(7 * line + i * i) % 21]))
            .collect();
        let _ = writeln!(
            listing,
            "{} A$=\u{201C}{text}\u{201D}:GOSUB 9000",
            100 + line
        );
    }
    listing.push_str("8000 PRINT \"SUM \";N;\" \";S:END\n9000 FOR I=1 TO LEN(A$):N=N+1:S=S+ASC(A$(I))*(1+N-INT(N/64)*64):NEXT I:RETURN\nRUN\n");
    let (mut count, mut sum) = (0u32, 0u32);
    for line in listing.lines().filter(|line| line.contains('\u{201C}')) {
        let text = line.split(['\u{201C}', '\u{201D}']).nth(1).unwrap();
        for letter in text.bytes() {
            count += 1;
            sum += u32::from(letter) * (1 + count % 64);
        }
    }
    desk.fill_clipboard(&listing);
    desk.alt("v");
    std::thread::sleep(std::time::Duration::from_secs(1));
    let wanted = format!("SUM {count} {sum}");
    let screen = wait_for("the sum", || {
        let screen = desk.screen();
        screen.contains("SUM ").then_some(screen)
    });
    // The line that types it says SUM too.
    let screen = wait_for("the sum's line", || {
        let screen = if screen.contains(&wanted) {
            screen.clone()
        } else {
            desk.screen()
        };
        screen
            .lines()
            .any(|line| line.trim().starts_with("SUM "))
            .then_some(screen)
    });
    assert!(screen.contains(&wanted), "{wanted} is not in:\n{screen}");
    assert!(desk.program.0.try_wait().unwrap().is_none());
    drop(desk.folder);
}

#[test]
fn escape_stops_a_paste() {
    let Some(desk) = Desk::new("paste-stop") else {
        return;
    };
    // Nobody takes the keys while a program runs that reads none.
    desk.fill_clipboard("10 GOTO 10\nRUN\nPRINT \"NEVER\"\n");
    desk.alt("v");
    std::thread::sleep(std::time::Duration::from_secs(3));
    desk.xdotool(&["key", "Escape"]);
    std::thread::sleep(std::time::Duration::from_millis(300));
    desk.xdotool(&["key", "F7"]);
    wait_for("the program's end", || {
        desk.screen().contains("STOPPED").then_some(())
    });
    std::thread::sleep(std::time::Duration::from_secs(2));
    assert!(!desk.screen().contains("NEVER"), "{}", desk.screen());
}

#[test]
fn an_empty_clipboard_changes_nothing() {
    let Some(mut desk) = Desk::new("paste-empty") else {
        return;
    };
    desk.fill_clipboard("");
    desk.alt("v");
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert!(desk.program.0.try_wait().unwrap().is_none());
    assert!(desk.screen().contains("READY"));
}
