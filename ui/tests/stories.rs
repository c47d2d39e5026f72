//! A fault in a program of each language, found in the window's debug view by clicks, keys and typed words, and mended in the source. The page is laid
//! out and asked as in the window; its requests are carried out on a session of its own.

use debugger::{Debuggee, Debugger};
use egui::{Key, Modifiers, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use host::options::DebugOptions;
use host::started::{Started, start};
use std::path::Path;
use std::process::Command;
use ui::debugger::perform::{Done, perform};
use ui::debugger::{Request, Scene, View};

const LAYOUT: &str = "h 0.5 v 0.6 [DLI*, BASIC] [Breakpoints*] v 0.5 [Code*] [Watches*]";
const BREAK: &str = "break at: NAME, write D01A, beam 100 20, dli if a == 3 once";
const WATCH: &str = "watch: address, name, or expression as [$80+x] & 15";

/// A program in the debug view.
struct Desk {
    started: Started,
    view: View,
    status: String,
    requests: Vec<Request>,
}

impl Desk {
    /// Does what the page has asked for.
    fn perform(&mut self) {
        for request in std::mem::take(&mut self.requests) {
            let act = |debugger: &mut Debugger, debuggee: &mut dyn Debuggee| {
                perform(debugger, debuggee, &request)
            };
            let (done, ended) = self.started.act_all(act);
            ended.unwrap();
            let Done { status, lines, .. } = done.unwrap_or_else(|| panic!("{request:?}"));
            println!("{request:?}: {status}");
            self.view.answer(&lines);
            self.status = status;
        }
    }
}

/// The view with what was done in it.
struct Story<'a> {
    harness: Harness<'a, Desk>,
    /// The number of the user's actions.
    actions: u32,
}

impl Story<'_> {
    fn new(program: &Path, frames: u32) -> Self {
        let words = [program.as_os_str().to_owned(), "--fresh".into()];
        let mut started = start(&DebugOptions::parse(words.into()).unwrap()).unwrap();
        assert_eq!(started.remarks, [""; 0]);
        let play = |debugger: &mut Debugger, debuggee: &mut dyn Debuggee| {
            for _ in 0..frames {
                debugger.run_frame(debuggee);
            }
        };
        started.act_all(play).1.unwrap();
        let desk = Desk {
            started,
            view: View::with_layout(LAYOUT),
            status: String::new(),
            requests: Vec::new(),
        };
        let palette = Box::new([0; 256]);
        let mut harness = Harness::builder()
            .with_size(vec2(1400.0, 1000.0))
            .with_max_steps(64)
            .build_ui_state(
                move |ui, desk: &mut Desk| {
                    let scene = Scene {
                        track: desk.started.session.track(),
                        debugger: &desk.started.debugger,
                        palette: &palette,
                        running: false,
                        oldest: debugger::Moment(0),
                        status: &desk.status,
                    };
                    desk.requests.extend(desk.view.ui(ui, &scene));
                },
                desk,
            );
        ui::theme::apply(&harness.ctx, true, 1.0);
        harness.run();
        Self {
            harness,
            actions: 0,
        }
    }

    fn done(&mut self) {
        self.actions += 1;
        self.harness.run();
        self.harness.state_mut().perform();
        self.harness.run();
    }

    /// Types a text into a field and presses Enter.
    fn enter(&mut self, field: &str, text: &str) {
        self.harness.get_by_label(field).click();
        self.harness.run();
        self.harness.get_by_label(field).type_text(text);
        self.harness.run();
        self.harness.key_press(Key::Enter);
        self.done();
    }

    fn key(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.done();
    }

    fn click(&mut self, label: &str) {
        self.harness.get_by_label_contains(label).click();
        self.done();
    }

    #[track_caller]
    fn shows(&self, text: &str) {
        let found = self.harness.query_all_by_label_contains(text).next();
        assert!(
            found.is_some(),
            "{text} is not shown: {:#?}",
            self.harness.root()
        );
    }
}

/// A program of cc65 with its debug information; `None` without cc65.
fn built(source: &str, text: &str, options: &[&str]) -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(source), text).unwrap();
    let output = Command::new("cl65")
        .args(["-t", "atari", "-g", "-Wl", "--dbgfile,story.dbg"])
        .args(options)
        .args(["-o", "story.xex", source])
        .current_dir(folder.path())
        .output();
    let Ok(output) = output else {
        eprintln!("skipped: this test needs cl65");
        return None;
    };
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    Some(folder)
}

#[test]
fn an_interrupt_that_loses_x() {
    let text = include_str!("../../tests/programs/stories/bands.s");
    let Some(folder) = built("bands.s", text, &["-C", "atari-asm-xex.cfg"]) else {
        return;
    };
    let mut story = Story::new(&folder.path().join("story.xex"), 120);
    // The list of interrupts names the one, the register and both values.
    story.click("dli2");
    story.shows("X is $03 after it, was $");
    story.enter(BREAK, "bands.s:69");
    story.key(Modifiers::ALT, Key::F5);
    story.enter(WATCH, "x");
    story.shows("x = 3");
    assert_eq!(story.actions, 4);
}

#[test]
fn a_loop_in_c_that_ends_too_early() {
    let text = include_str!("../../tests/programs/stories/primes.c");
    let Some(folder) = built("primes.c", text, &[]) else {
        return;
    };
    let mut story = Story::new(&folder.path().join("story.xex"), 300);
    story.enter(WATCH, "sieve[169]");
    story.shows("sieve[169] = 0");
    story.enter(BREAK, "mark");
    story.key(Modifiers::ALT, Key::F5);
    story.enter(WATCH, "p");
    story.shows("p = 11");
    assert_eq!(story.actions, 4);
}

#[test]
fn a_sort_in_basic_that_leaves_out_its_last_round() {
    let folder = tempfile::tempdir().unwrap();
    let listing = folder.path().join("sort.lst");
    std::fs::write(
        &listing,
        include_str!("../../tests/programs/stories/sort.lst"),
    )
    .unwrap();
    let mut story = Story::new(&listing, 600);
    story.enter(BREAK, "basic 150");
    story.key(Modifiers::ALT, Key::F5);
    story.enter(WATCH, "GAP");
    story.shows("GAP = 1");
    story.enter(WATCH, "GAP>1");
    story.shows("GAP>1 = 0");
    assert_eq!(story.actions, 4);
}
