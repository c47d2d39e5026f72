//! The debug view's window: polls it, lets the page lay itself out when that is due, and shows what has changed.
use super::clipboard::Clipboard;
use crate::platform::pointer::Pointer;
use crate::platform::{self, screen::Desktop};
use debugger::{Debuggee, Debugger, Moment, Step, Stop, Track, Watch};
use egui::CursorIcon;
use host::started::Started;
use host::{config, files};
use minifb::{CursorStyle, Key, Scale, ScaleMode, Window, WindowOptions};
use session::script::Action;
use session::timeline::{BranchId, Event, EventError};
use std::cell::RefCell;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use ui::debugger::perform::{self, Done};
use ui::debugger::{Request, Scene, View};
use ui::input::Input;
use ui::keys::Events;
use ui::{Surface, surface};

/// Size of the view when it is opened for the first time.
pub const SIZE: (usize, usize) = (1280, 800);
/// While the machine runs the page is laid out this often: 20 times a second.
const RUNNING: Duration = Duration::from_millis(50);
/// And this often when something was entered.
const ENTERED: Duration = Duration::from_millis(15);
/// A window whose picture has not changed is shown again this often: something may have lain over it.
const AGAIN: Duration = Duration::from_secs(2);
/// Enlargements that Ctrl and + or - go through, in tenths.
const ZOOMS: [u8; 7] = [8, 10, 12, 15, 20, 25, 30];

/// The part that lives on while the view is closed.
pub struct Kept {
    view: View,
    zoom: Option<u8>,
    /// Its size when it was closed.
    size: Option<(usize, usize)>,
    dark: bool,
}

impl Kept {
    /// The layout that the last session left in the configuration folder.
    pub fn load() -> Self {
        let text = files::read(&path())
            .ok()
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .unwrap_or_default();
        let value = |name: &str| {
            text.lines().find_map(|line| {
                line.strip_prefix(name)?
                    .trim_start()
                    .strip_prefix('=')
                    .map(str::trim)
            })
        };
        let number = |name| value(name).and_then(|text| text.parse::<usize>().ok());
        let size = number("width").zip(number("height"));
        Self {
            view: value("layout").map_or_else(View::default, View::with_layout),
            zoom: number("zoom")
                .and_then(|zoom| ZOOMS.into_iter().find(|&z| usize::from(z) == zoom)),
            size: size.filter(|&(w, h)| (320..=7680).contains(&w) && (240..=4320).contains(&h)),
            dark: value("theme") != Some("light"),
        }
    }

    /// Takes up what was set for the program that runs, with its names and sources, and keeps what was set for the one before; what was not
    /// understood, in sentences.
    fn take_up(&mut self, started: &mut Started) -> Vec<String> {
        if started.is_set_up() {
            return Vec::new();
        }
        self.keep_settings(started);
        self.view.forget_watches();
        started.set_up()
    }

    /// Keeps breakpoints, watches and labels for the next time.
    fn keep_settings(&self, started: &Started) {
        // As with the layout: no reason to trouble anyone who debugs.
        drop(started.keep_settings(&self.view.watch_commands()));
    }

    /// Leaves it there.
    fn save(&self) {
        let zoom = self
            .zoom
            .map_or(String::new(), |zoom| format!("zoom = {zoom}\n"));
        let (width, height) = self.size.unwrap_or(SIZE);
        let text = format!(
            "theme = {}\nwidth = {width}\nheight = {height}\n{zoom}layout = {}\n",
            if self.dark { "dark" } else { "light" },
            self.view.layout(),
        );
        let path = path();
        // A layout that cannot be kept is no reason to trouble anyone who debugs.
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        if folder.is_ok() {
            drop(files::write(&path, text.as_bytes()));
        }
    }
}

/// The file with the layout.
fn path() -> PathBuf {
    config::path().with_file_name("debug-view.txt")
}

/// The second window.
pub struct DebugView {
    window: Window,
    /// Pixels of the display to one of a usual one.
    density: f32,
    pointer: Pointer,
    events: Events,
    input: Input,
    surface: Surface,
    clipboard: Clipboard,
    kept: Kept,
    /// The last event, in a sentence.
    pub status: String,
    /// Machine cycle, whether it ran, and the sentence that the page shows.
    shown: Option<(u64, bool, String)>,
    passed: Instant,
    presented: Instant,
}

impl DebugView {
    /// Opens the window.
    ///
    /// # Errors
    /// Why it does not open, and what was to live on.
    pub fn open(started: &mut Started, mut kept: Kept) -> Result<Self, Box<(String, Kept)>> {
        let options = WindowOptions {
            resize: true,
            scale: Scale::X1,
            scale_mode: ScaleMode::UpperLeft,
            ..WindowOptions::default()
        };
        let desktop = Desktop::open();
        let density = desktop.scale();
        let (width, height) = kept.size.unwrap_or_else(|| {
            let scaled = |points: usize| (points as f32 * density) as usize;
            let (width, height) = (scaled(SIZE.0), scaled(SIZE.1));
            let most = desktop.size().unwrap_or((width, height));
            (width.min(most.0), height.min(most.1))
        });
        let mut window = match Window::new(TITLE, width, height, options) {
            Ok(window) => window,
            Err(error) => return Err(Box::new((error.to_string(), kept))),
        };
        window.set_target_fps(0);
        let events = Events::default();
        platform::events::listen(&mut window, &events);
        let remarks = kept.take_up(started);
        let now = Instant::now();
        Ok(Self {
            density,
            pointer: Pointer::over(&window),
            window,
            events,
            input: Input::default(),
            surface: Surface::new(kept.dark),
            clipboard: Clipboard::default(),
            kept,
            status: remarks.join("; "),
            shown: None,
            passed: now,
            presented: now,
        })
    }

    /// Closes the window; what was set lives on.
    pub fn close(mut self, started: &Started) -> Kept {
        self.kept.size = Some(self.window.get_size());
        self.kept.save();
        self.kept.keep_settings(started);
        self.kept
    }

    /// Another program has been started.
    pub fn take_up(&mut self, started: &mut Started) {
        let remarks = self.kept.take_up(started);
        self.status = remarks.join("; ");
        self.shown = None;
    }

    /// True if it has not been closed.
    pub fn is_open(&self) -> bool {
        self.window.is_open()
    }

    /// Does what a request asks of machine or debugger; none of those that concern the window.
    pub fn perform(
        &mut self,
        debugger: &mut Debugger,
        debuggee: &mut dyn Debuggee,
        request: &Request,
    ) -> Option<Done> {
        if *request == Request::Theme {
            self.kept.dark = !self.kept.dark;
            self.surface.set_dark(self.kept.dark);
        }
        // A list that has changed while the machine stands still.
        self.shown = None;
        let mut watched = Watched::new(debuggee, &mut self.window, &self.events);
        let done = perform::perform(debugger, &mut watched, request);
        drop(watched);
        self.kept
            .view
            .answer(done.as_ref().map_or(&[], |done| &done.lines));
        done
    }

    /// Voices that are not to be heard, one bit each.
    pub fn muted(&self) -> u8 {
        self.kept.view.muted()
    }

    /// Lays out the page if that is due, and shows it; what the user asks for.
    ///
    /// # Errors
    /// When the window cannot be drawn.
    pub fn turn(
        &mut self,
        started: &Started,
        palette: &[u32; 256],
        running: bool,
    ) -> Result<Vec<Request>, String> {
        let track = started.session.track();
        let clipboard = &mut self.clipboard;
        let scale = self.surface.scale();
        let was_focused = self.input.is_focused();
        let mouse = self.pointer.events(&self.window);
        self.input
            .poll(&self.window, &mouse, &self.events, scale, || {
                clipboard.text().ok()
            });
        let uncovered = self.input.is_focused() != was_focused;
        let size = self.window.get_size();
        let size = (size.0.max(1), size.1.max(1));
        let zoom = self.kept.zoom.map_or_else(
            || surface::scale_for(size).max(self.density),
            |zoom| f32::from(zoom) / 10.0,
        );
        let resized = self.surface.resize(size, zoom);
        let now = Instant::now();
        let passed = now.saturating_duration_since(self.passed);
        let moved = self.shown.as_ref().is_none_or(|(at, ran, status)| {
            *at != track.machine().now() || *ran != running || *status != self.status
        });
        let due = resized
            || moved && (!running || passed >= RUNNING)
            || (self.input.is_waiting() || self.surface.is_due(now)) && passed >= ENTERED;
        let (drawn, requests) = if due {
            self.passed = now;
            self.lay_out(started, palette, running, zoom)
        } else {
            (0, Vec::new())
        };
        if drawn > 0 || uncovered || now.saturating_duration_since(self.presented) >= AGAIN {
            self.presented = now;
            platform::events::present(&mut self.window, self.surface.pixels(), size)?;
        } else {
            platform::events::update(&mut self.window);
        }
        Ok(requests)
    }

    /// Lays out the page; the number of pixels that were drawn, and what the user asks for.
    fn lay_out(
        &mut self,
        started: &Started,
        palette: &[u32; 256],
        running: bool,
        zoom: f32,
    ) -> (usize, Vec<Request>) {
        let track = started.session.track();
        self.shown = Some((track.machine().now(), running, self.status.clone()));
        let events = self.input.take();
        let focused = self.input.is_focused();
        let zoomed_to = zoomed(&events, self.kept.zoom.unwrap_or((zoom * 10.0) as u8));
        let scene = Scene {
            track,
            debugger: &started.debugger,
            palette,
            running,
            oldest: started.session.oldest(),
            status: &self.status,
        };
        let page = &mut self.kept.view;
        let mut requests = Vec::new();
        let outcome = self
            .surface
            .run(events, focused, |ui| requests.extend(page.ui(ui, &scene)));
        if let Some(text) = outcome.copied
            && let Err(sentence) = self.clipboard.set_text(text)
        {
            self.status = sentence;
        }
        if let Some(zoom) = zoomed_to {
            self.kept.zoom = match zoom {
                Zoom::Usual => None,
                Zoom::To(tenths) => Some(tenths),
            };
            self.shown = None;
        }
        self.window.set_cursor_style(cursor(outcome.cursor));
        (outcome.drawn, requests)
    }
}

/// A command may take this long before the window is looked at, and looked at again.
const LOOK: Duration = Duration::from_millis(100);
/// And this long before the title says so.
const LONG: Duration = Duration::from_millis(500);
const TITLE: &str = "Anticlock: debug view";

/// The debuggee of a command that may take long: between its pieces the window's events are read, and Escape ends it.
struct Watched<'a> {
    debuggee: &'a mut dyn Debuggee,
    begun: Instant,
    look: RefCell<Look<'a>>,
}

struct Look<'a> {
    window: &'a mut Window,
    events: &'a Events,
    last: Instant,
    is_escaped: bool,
    is_titled: bool,
}

impl<'a> Watched<'a> {
    fn new(debuggee: &'a mut dyn Debuggee, window: &'a mut Window, events: &'a Events) -> Self {
        let begun = Instant::now();
        Self {
            debuggee,
            begun,
            look: RefCell::new(Look {
                window,
                events,
                last: begun,
                is_escaped: false,
                is_titled: false,
            }),
        }
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        let look = self.look.get_mut();
        if look.is_titled {
            look.window.set_title(TITLE);
        }
    }
}

impl Debuggee for Watched<'_> {
    fn track(&self) -> &Track {
        self.debuggee.track()
    }

    fn run(&mut self, until: Moment, watch: Option<&mut Watch<'_>>) -> bool {
        self.debuggee.run(until, watch)
    }

    fn go_to(&mut self, moment: Moment) -> bool {
        self.debuggee.go_to(moment)
    }

    fn switch(&mut self, id: BranchId) -> bool {
        self.debuggee.switch(id)
    }

    fn apply(&mut self, event: Event) -> Result<(), EventError> {
        self.debuggee.apply(event)
    }

    fn act(&mut self, action: &Action) -> Result<(), String> {
        self.debuggee.act(action)
    }

    fn is_interrupted(&self) -> bool {
        let look = &mut *self.look.borrow_mut();
        if look.last.elapsed() >= LOOK {
            look.last = Instant::now();
            let taken = self.begun.elapsed();
            if taken >= LONG {
                look.is_titled = true;
                let seconds = taken.as_secs();
                look.window
                    .set_title(&format!("{TITLE}: {seconds} s, Esc stops"));
            }
            platform::events::update(look.window);
            look.is_escaped |= look.events.take_press(Key::Escape);
        }
        look.is_escaped
    }
}

/// An enlargement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Zoom {
    /// The scale that suits the window.
    Usual,
    /// Tenths.
    To(u8),
}

/// The enlargement that Ctrl with +, - or 0 asks for.
fn zoomed(events: &[egui::Event], now: u8) -> Option<Zoom> {
    events.iter().find_map(|event| match event {
        egui::Event::Key {
            key,
            pressed: true,
            modifiers,
            ..
        } if modifiers.ctrl => match key {
            egui::Key::Plus | egui::Key::Equals => {
                Some(Zoom::To(ZOOMS.into_iter().find(|&z| z > now).unwrap_or(30)))
            }
            egui::Key::Minus => Some(Zoom::To(
                ZOOMS.into_iter().rev().find(|&z| z < now).unwrap_or(8),
            )),
            egui::Key::Num0 => Some(Zoom::Usual),
            _ => None,
        },
        _ => None,
    })
}

fn cursor(icon: CursorIcon) -> CursorStyle {
    match icon {
        CursorIcon::Text => CursorStyle::Ibeam,
        CursorIcon::ResizeHorizontal
        | CursorIcon::ResizeColumn
        | CursorIcon::ResizeEast
        | CursorIcon::ResizeWest => CursorStyle::ResizeLeftRight,
        CursorIcon::ResizeVertical
        | CursorIcon::ResizeRow
        | CursorIcon::ResizeNorth
        | CursorIcon::ResizeSouth => CursorStyle::ResizeUpDown,
        CursorIcon::Crosshair => CursorStyle::Crosshair,
        CursorIcon::Grabbing => CursorStyle::ClosedHand,
        CursorIcon::Grab | CursorIcon::PointingHand => CursorStyle::OpenHand,
        _ => CursorStyle::Arrow,
    }
}

/// How running a frame ended, in a sentence.
pub fn outcome(stop: Stop) -> String {
    perform::outcome(Step::Frame, stop)
}

impl std::fmt::Debug for DebugView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DebugView")
            .field("surface", &self.surface)
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ctrl_plus_and_minus_go_through_the_enlargements() {
        let press = |key, ctrl| {
            vec![egui::Event::Key {
                key,
                physical_key: None,
                pressed: true,
                repeat: false,
                modifiers: if ctrl {
                    egui::Modifiers::CTRL
                } else {
                    egui::Modifiers::NONE
                },
            }]
        };
        assert_eq!(
            zoomed(&press(egui::Key::Plus, true), 10),
            Some(Zoom::To(12))
        );
        assert_eq!(
            zoomed(&press(egui::Key::Minus, true), 10),
            Some(Zoom::To(8))
        );
        assert_eq!(
            zoomed(&press(egui::Key::Plus, true), 30),
            Some(Zoom::To(30))
        );
        assert_eq!(zoomed(&press(egui::Key::Num0, true), 30), Some(Zoom::Usual));
        assert_eq!(zoomed(&press(egui::Key::Plus, false), 10), None);
    }
}
