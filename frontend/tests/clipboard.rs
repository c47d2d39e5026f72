//! The host's clipboard: Alt+V types it, Alt+C fills it.
#![cfg(feature = "window")]
mod common;

use common::desk::Desk;
use common::wait_for;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// A window with BASIC in it.
fn basic(name: &str) -> Option<Desk> {
    let desk = Desk::new(name, &["basic", "--scale", "1"], &[])?;
    wait_for("READY", || screen(&desk).contains("READY").then_some(()));
    Some(desk)
}

fn fill_clipboard(desk: &Desk, text: &str) {
    let mut xclip = Command::new("xclip")
        .args(["-selection", "clipboard", "-in"])
        .env("DISPLAY", &desk.display)
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
fn screen(desk: &Desk) -> String {
    desk.tap(&["alt+c"]);
    let text = desk.tool("xclip", &["-selection", "clipboard", "-out"]);
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
fn a_long_listing_in_the_clipboard_is_typed_letter_for_letter_and_the_screen_is_copied() {
    let Some(mut desk) = basic("paste") else {
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
    fill_clipboard(&desk, &listing);
    desk.tap(&["alt+v"]);
    std::thread::sleep(std::time::Duration::from_secs(1));
    let wanted = format!("SUM {count} {sum}");
    // The line that prints it says SUM too, in another place; it is complete when READY is below it.
    let shown = wait_for("the sum", || {
        let shown = screen(&desk);
        let sum = |line: &&str| !line.trim().starts_with("SUM ");
        let ready = |line: &str| line.trim() == "READY";
        let complete = shown.lines().skip_while(sum).any(ready);
        complete.then_some(shown)
    });
    assert!(shown.contains(&wanted), "{wanted} is not in:\n{shown}");
    assert!(desk.program.0.try_wait().unwrap().is_none());
}

#[test]
fn escape_stops_a_paste() {
    let Some(desk) = basic("paste-stop") else {
        return;
    };
    // No key is taken while a program runs that reads none.
    fill_clipboard(&desk, "10 GOTO 10\nRUN\nPRINT \"NEVER\"\n");
    desk.tap(&["alt+v"]);
    std::thread::sleep(std::time::Duration::from_secs(3));
    desk.tap(&["Escape"]);
    std::thread::sleep(std::time::Duration::from_millis(300));
    desk.tap(&["F7"]);
    wait_for("the program's end", || {
        screen(&desk).contains("STOPPED").then_some(())
    });
    std::thread::sleep(std::time::Duration::from_secs(2));
    assert!(!screen(&desk).contains("NEVER"), "{}", screen(&desk));
}

#[test]
fn an_empty_clipboard_changes_nothing() {
    let Some(mut desk) = basic("paste-empty") else {
        return;
    };
    fill_clipboard(&desk, "");
    desk.tap(&["alt+v"]);
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert!(desk.program.0.try_wait().unwrap().is_none());
    assert!(screen(&desk).contains("READY"));
}
