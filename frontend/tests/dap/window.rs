//! A program that an editor launches plays in a window, and an editor attaches to one that plays already.
#![cfg(feature = "window")]

use super::common::{Running, anticlock, display, installed, wait_for};
use super::{Client, folder, opened};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Waits for the key T, and paints the screen.
const WAITS: &str = "10 POKE 764,255
20 IF PEEK(764)=255 THEN 20
30 POKE 710,PEEK(764)
40 GOTO 40
";

/// An X server with a program's window.
struct Screen {
    display: String,
    _server: Running,
}

impl Screen {
    fn new() -> Option<Self> {
        if !["Xvfb", "xdotool"].into_iter().all(installed) {
            return None;
        }
        let (server, display) = display();
        Some(Self {
            display,
            _server: server,
        })
    }

    fn tool(&self, arguments: &[&str]) -> String {
        let mut tool = Command::new("xdotool");
        let output = tool.args(arguments).env("DISPLAY", &self.display).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    }

    /// The number of a window; waits for it.
    fn window(&self, name: &str) -> String {
        wait_for(name, || {
            let found = self.tool(&["search", "--name", name]);
            found.lines().next().map(str::to_owned)
        })
    }

    /// Types a key into the program's window, perhaps with a modifier.
    fn tap(&self, key: &str) {
        let windows = self.tool(&["search", "--name", "F1 menu"]);
        let Some(window) = windows.lines().next() else {
            return;
        };
        self.tool(&["windowfocus", window]);
        let act = |action, key| self.tool(&[action, "--window", window, key]);
        let (modifier, key) = key.split_once('+').unwrap_or(("", key));
        if !modifier.is_empty() {
            act("keydown", modifier);
        }
        act("key", key);
        if !modifier.is_empty() {
            act("keyup", modifier);
        }
    }
}

/// Ends a thread's loop, also when its scope is left by a panic.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Types a key until the program stops: a window that has just been mapped may lose one while it takes the keyboard.
fn tap_until_stopped(screen: &Screen, client: &mut Client, key: &str) -> Value {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _over = Over(&over);
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                screen.tap(key);
                std::thread::sleep(Duration::from_millis(500));
            }
        });
        client.event("stopped")
    })
}

fn listing(name: &str) -> (PathBuf, PathBuf) {
    let folder = folder(name, &[("waits.lst", WAITS.as_bytes())]);
    let listing = folder.join("waits.lst");
    (folder, listing)
}

fn editor(folder: &Path, screen: &Screen) -> Client {
    let mut command = Client::command(folder);
    command
        .env("DISPLAY", &screen.display)
        .env("ANTICLOCK_CONFIG", folder.join("anticlock.toml"))
        .stderr(Stdio::null());
    let mut client = Client::of(command);
    client.get("initialize", json!({ "supportsInvalidatedEvent": true }));
    client
}

/// A breakpoint in a line of the file.
fn breakpoint(listing: &Path, line: u32) -> Value {
    json!({ "source": { "path": listing }, "breakpoints": [{ "line": line }] })
}

#[test]
fn what_is_typed_in_the_window_stops_in_the_editor() {
    let Some(screen) = Screen::new() else {
        return;
    };
    let (folder, listing) = listing("window");
    let mut client = editor(&folder, &screen);
    client.get("launch", json!({ "program": listing }));
    client.event("initialized");
    client.get("setBreakpoints", breakpoint(&listing, 3));
    screen.window("F1 menu");
    client.get("configurationDone", json!({}));
    let stopped = tap_until_stopped(&screen, &mut client, "t");
    assert_eq!(stopped["reason"], "breakpoint");
    assert_eq!(client.top(), ("line 30".to_owned(), 3));
    let key = client.get("evaluate", json!({ "expression": "[764]" }));
    assert_eq!(key["result"], "45 ($2D)");

    // Steps of the editor, then what is done in the window.
    assert_eq!(client.step("next", json!({ "threadId": 1 })), 4);
    assert_eq!(client.step("stepBack", json!({ "threadId": 1 })), 3);
    client.get("continue", json!({ "threadId": 1 }));
    screen.tap("F9");
    let paused = client.event("stopped");
    assert_eq!(paused["description"], "stopped in the window");
    screen.tap("F9");
    client.event("continued");

    // The window ends with the editor's session.
    client.get("disconnect", json!({}));
    assert!(client.child.take().unwrap().0.wait().unwrap().success());
}

#[test]
fn a_window_that_is_closed_ends_the_session() {
    let Some(screen) = Screen::new() else {
        return;
    };
    let (folder, listing) = listing("closed");
    let mut client = editor(&folder, &screen);
    client.get("launch", json!({ "program": listing, "debugView": true }));
    client.get("configurationDone", json!({}));
    screen.window("debug view");
    // What is set and changed at the prompt counts for the editor, too.
    let says = |client: &mut Client, line: &str| {
        client.get("evaluate", json!({ "expression": line, "context": "repl" }));
    };
    client.get("pause", json!({ "threadId": 1 }));
    client.event("stopped");
    says(&mut client, "break basic 40");
    let set = client.event("breakpoint");
    assert_eq!(
        (&set["reason"], &set["breakpoint"]["line"]),
        (&json!("new"), &json!(4))
    );
    client.get(
        "setExpression",
        json!({ "expression": "[$600]", "value": "7" }),
    );
    client.event("invalidated");
    says(&mut client, "clear all");
    assert_eq!(client.event("breakpoint")["reason"], "removed");
    // Its key for the end of the program.
    wait_for("the window's end", || {
        screen.tap("alt+q");
        let left = screen.tool(&["search", "--name", "F1 menu"]);
        left.trim().is_empty().then_some(())
    });
    client.event("terminated");
    client.get("disconnect", json!({}));
    client.child.take().unwrap().0.wait().unwrap();
}

#[test]
fn an_editor_attaches_to_a_window_and_leaves_it() {
    let Some(screen) = Screen::new() else {
        return;
    };
    let (folder, listing) = listing("attach");
    let mut command = anticlock(&folder);
    command
        .args(["waits.lst", "--mute", "--debug-port", "0"])
        .env("DISPLAY", &screen.display);
    let (child, port, token) = opened(command);
    let mut client = Client::at((child, port, token.clone()));
    client.get("initialize", json!({}));
    client.get(
        "attach",
        json!({ "token": token, "cwd": folder, "stopOnEntry": true }),
    );
    client.get("configurationDone", json!({}));
    assert_eq!(client.event("stopped")["description"], "attached");
    // The program may be in line 20 already, which leads to itself.
    client.get("setBreakpoints", breakpoint(&listing, 2));
    client.get("continue", json!({ "threadId": 1 }));
    assert_eq!(client.event("stopped")["reason"], "breakpoint");
    client.get("setBreakpoints", breakpoint(&listing, 3));
    client.get("continue", json!({ "threadId": 1 }));
    screen.window("F1 menu");
    let stopped = tap_until_stopped(&screen, &mut client, "t");
    assert_eq!(stopped["reason"], "breakpoint");

    // A second one finds it taken, one without the token is turned away.
    let ask = |token: &str| {
        let mut other = Client::to(port);
        let arguments = json!({ "token": token });
        let answer = other.ask("attach", arguments);
        answer.unwrap_err()
    };
    assert_eq!(ask(&token), "another editor debugs this program");
    assert!(ask("0123456789abcdef").contains("token"));

    // The window continues when it has left.
    client.get("disconnect", json!({}));
    let mut again = Client::to(port);
    wait_for("the next editor", || {
        let arguments = json!({ "token": token, "cwd": folder, "stopOnEntry": true });
        again.ask("attach", arguments).ok()
    });
    again.get("configurationDone", json!({}));
    again.event("stopped");
    assert_eq!(again.top(), ("line 40".to_owned(), 4));
}
