//! What the user sees: the picture in the window, words over it, the title. The window is drawn when something of it has changed.
use super::{App, Mode};
use crate::platform::events;
use crate::platform::screen::Screen;
use host::canvas::Canvas;
use host::config::{Action, WindowConfig};
use host::failure::{self, Failure};
use host::scaler::{self, Scaler, View};
use machine::{Frame, Tv};
use minifb::Window;
use session::picture::Look;
use session::timeline::Moment;
use std::ops::Range;
use std::time::{Duration, Instant};
use ui::banner::{Banner, Words};
use ui::overlay::Overlay;

/// How long a message stays on the picture, and how much longer for each of its letters.
const MESSAGE: Duration = Duration::from_millis(1500);
/// See [`MESSAGE`].
const LETTER: Duration = Duration::from_millis(60);
/// How long the picture names states that are no hindrance, after one of them has changed.
const STATES: Duration = Duration::from_secs(5);
/// A picture that stands still is shown again this often: something may have lain over the window.
const AGAIN: Duration = Duration::from_secs(2);

fn pack([red, green, blue]: [u8; 3]) -> u32 {
    u32::from_be_bytes([0, red, green, blue])
}

/// The machine's picture as the window shows it.
pub(super) struct Display {
    pub canvas: Canvas,
    scaler: Scaler,
    /// Where the machine's picture is in the window.
    pub place: scaler::Place,
    look: Look,
    palette: Box<[u32; 256]>,
    picture: Vec<u32>,
    /// The colour numbers that `picture` was made from.
    indexes: Vec<u8>,
}

impl Display {
    pub fn new(look: Look, view: View, (width, height): (usize, usize)) -> Self {
        let mut display = Self {
            canvas: Canvas::default(),
            scaler: Scaler::default(),
            place: view.place(width, height, false),
            palette: Box::new([0; 256]),
            look: look.clone(),
            picture: vec![0; scaler::WIDTH * scaler::HEIGHT],
            indexes: Vec::new(),
        };
        display.set_look(look);
        display
    }

    /// The way to the screen's colours.
    pub fn look(&self) -> &Look {
        &self.look
    }

    /// Other colours from now on.
    fn set_look(&mut self, look: Look) {
        *self.palette = look.rgb().map(pack);
        self.look = look;
        self.indexes.clear();
    }

    /// The screen's colours of the machine's 256.
    pub fn palette(&self) -> &[u32; 256] {
        &self.palette
    }

    /// Takes over the machine's picture, or keeps the old one; the rows that are others than before.
    fn update(&mut self, frame: Option<&Frame>) -> Vec<Range<usize>> {
        let Some(frame) = frame else {
            return Vec::new();
        };
        let changed = changes(&self.indexes, frame.pixels(), !self.look.is_plain());
        if !changed.is_empty() {
            self.indexes.clear();
            self.indexes.extend_from_slice(frame.pixels());
            scaler::colour(&self.look, frame, &mut self.picture);
        }
        changed
    }

    /// Draws the picture, beside the pixels that the menu covers at the right edge or as far to the left as it can.
    fn draw(
        &mut self,
        size: (usize, usize),
        tv: Tv,
        window: &WindowConfig,
        covered: usize,
        clear: bool,
    ) {
        self.canvas.resize(size.0, size.1);
        if clear {
            // The margins beside the picture; the black of its colours may be a grey.
            self.canvas.pixels.fill(self.palette[0]);
        }
        self.place = window
            .view(tv)
            .place(size.0, size.1, window.whole_multiples);
        if covered < size.0 {
            let free = size.0 - covered;
            self.place.x = free.saturating_sub(self.place.width) / 2;
        }
        self.scaler.configure(window);
        self.scaler
            .draw(&mut self.canvas, self.place, &self.picture);
    }

    /// Draws the rows that have changed; gives the lines of the canvas that they are.
    fn draw_rows(&mut self, rows: &[Range<usize>]) -> Vec<Range<usize>> {
        let (scaler, canvas) = (&mut self.scaler, &mut self.canvas);
        let draw = |rows| scaler.draw_rows(canvas, self.place, &self.picture, rows);
        rows.iter().map(draw).collect()
    }
}

/// The rows in which two pictures differ; a few equal ones between two others count as well. `below`: a row shows in the next one, too.
fn changes(old: &[u8], new: &[u8], below: bool) -> Vec<Range<usize>> {
    /// Equal rows that are not worth a range of their own.
    const NEAR: usize = 8;
    if old.len() != new.len() {
        return std::iter::once(0..scaler::HEIGHT).collect();
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    let rows = old.chunks_exact(scaler::WIDTH);
    let pairs = rows.zip(new.chunks_exact(scaler::WIDTH)).enumerate();
    for (row, _) in pairs.filter(|(_, (old, new))| old != new) {
        let end = (row + 1 + usize::from(below)).min(scaler::HEIGHT);
        match found.last_mut() {
            Some(last) if row <= last.end + NEAR => last.end = end,
            _ => found.push(row..end),
        }
    }
    found
}

/// The parts of the window that have to be drawn again.
enum Due {
    /// The window is as it was.
    Nothing,
    /// These lines of the canvas.
    Lines(Vec<Range<usize>>),
    /// The whole canvas, after the menu and words were drawn over it.
    All,
}

/// The switches that are not as usual.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    words: String,
    /// The picture names it as long as it lasts, not only at first.
    stays: bool,
}

/// The states that the picture names.
#[derive(Debug, Default)]
struct States {
    now: Vec<State>,
    /// When one came, or when all are to be named again.
    since: Option<Instant>,
}

impl States {
    /// Takes over what is so now.
    fn update(&mut self, now: Vec<State>, when: Instant) {
        let news = |state: &&State| !self.now.contains(state);
        if now.iter().find(news).is_some() {
            self.since = Some(when);
        }
        self.now = now;
    }

    /// The words that the picture shows at this time.
    fn shown(&self, when: Instant) -> Vec<String> {
        let recent = self
            .since
            .is_some_and(|since| when.duration_since(since) < STATES);
        let shown = self.now.iter().filter(|state| state.stays || recent);
        shown.map(|state| state.words.clone()).collect()
    }
}

/// The window and what is shown in it.
pub(super) struct Presentation {
    pub window: Window,
    pub screen: Screen,
    pub display: Display,
    pub fullscreen: bool,
    /// Minimised: nothing needs to be drawn.
    hidden: bool,
    title: String,
    message: Option<(String, Instant)>,
    states: States,
    banner: Banner,
    /// When the window was drawn, and the words over it.
    shown: Option<(Instant, Words)>,
}

impl Presentation {
    /// The picture in this window.
    pub fn new(window: Window, display: Display, fullscreen: bool) -> Self {
        Self {
            screen: Screen::of(&window),
            window,
            display,
            fullscreen,
            hidden: false,
            title: String::new(),
            message: None,
            states: States::default(),
            banner: Banner::default(),
            shown: None,
        }
    }

    /// Puts a sentence over the picture for some time.
    pub fn say(&mut self, text: impl Into<String>) {
        self.message = Some((text.into(), Instant::now()));
    }

    /// True while a sentence is over the picture.
    pub fn is_saying(&self) -> bool {
        self.message.is_some()
    }

    /// The sentence over the picture, taken away.
    pub fn take_message(&mut self) -> Option<String> {
        self.message.take().map(|(text, _)| text)
    }

    /// Draws the window again at the next opportunity.
    pub fn forget(&mut self) {
        self.shown = None;
    }

    /// Other colours from now on.
    pub fn set_look(&mut self, look: Look) {
        self.display.set_look(look);
        self.forget();
    }

    /// Fills the screen, or is a window again. A window without its title names all states.
    pub fn fill(&mut self, on: bool) {
        self.fullscreen = on;
        self.screen.fill(on);
        self.states.since = Some(Instant::now());
    }

    /// Looks whether the window is minimised; then nothing is drawn. Gives whether it is.
    pub fn look_at_screen(&mut self) -> bool {
        let hidden = self.screen.is_hidden();
        if self.hidden && !hidden {
            self.forget();
        }
        self.hidden = hidden;
        hidden
    }

    /// True if the window was minimised when it was last looked at.
    pub fn is_hidden(&self) -> bool {
        self.hidden
    }

    fn set_title(&mut self, title: String) {
        if self.title != title {
            self.window.set_title(&title);
            self.title = title;
        }
    }

    /// The message that is to be read now.
    fn message(&mut self, now: Instant) -> Option<String> {
        let old = |(text, since): &mut (String, Instant)| {
            now.duration_since(*since) > MESSAGE + LETTER * text.len() as u32
        };
        self.message.take_if(old);
        self.message.as_ref().map(|(text, _)| text.clone())
    }

    /// Puts onto the canvas what the window shows other than it did, or all of it when that was drawn long ago.
    fn begin(
        &mut self,
        frame: Option<&Frame>,
        tv: Tv,
        window: &WindowConfig,
        words: &Words,
        menu: Option<&Overlay>,
    ) -> Due {
        let (width, height) = self.window.get_size();
        let size = (width.max(1), height.max(1));
        let now = Instant::now();
        let old = self.shown.as_ref();
        let reworded = old.is_none_or(|(_, was)| was != words);
        let stale = old.is_none_or(|(then, _)| now.duration_since(*then) >= AGAIN);
        let changed = self.display.update(frame);
        let canvas = &self.display.canvas;
        let covered = !words.is_empty() || menu.is_some();
        let all = size != (canvas.width, canvas.height)
            || menu.is_some_and(Overlay::is_due)
            || reworded
            || stale
            || covered && !changed.is_empty();
        if all {
            self.shown = Some((now, words.clone()));
            let beside = menu.map_or(0, |menu| menu.covers(size));
            self.display
                .draw(size, tv, window, beside, reworded || covered);
            Due::All
        } else if changed.is_empty() {
            Due::Nothing
        } else {
            Due::Lines(self.display.draw_rows(&changed))
        }
    }

    /// Shows these lines of the canvas, or all where the system shows no parts.
    fn show_lines(&mut self, lines: Vec<Range<usize>>) -> Result<(), Failure> {
        let canvas = &self.display.canvas;
        let mut all = lines.into_iter();
        if all.all(|lines| self.screen.show(&canvas.pixels, canvas.width, lines)) {
            return Ok(());
        }
        self.show(&Words::default())?;
        Ok(())
    }

    /// Shows the canvas with the words over it. Where minifb does that, it takes events as well; gives how far the wheel was turned.
    fn show(&mut self, words: &Words) -> Result<Option<(f32, f32)>, Failure> {
        let canvas = &mut self.display.canvas;
        let size = (canvas.width, canvas.height);
        self.banner.draw(&mut canvas.pixels, size, words);
        if self.screen.show(&canvas.pixels, size.0, 0..size.1) {
            return Ok(None);
        }
        // The window may have been closed meanwhile.
        events::present(&mut self.window, &canvas.pixels, size)
            .map_err(|error| Failure::input(format!("the window cannot be drawn: {error}")))?;
        Ok(self.window.get_scroll_wheel())
    }
}

impl App {
    /// Draws the window if it would look other than it does, or if it was drawn long ago.
    pub(super) fn draw(&mut self) -> Result<(), Failure> {
        if self.presentation.hidden {
            return Ok(());
        }
        let words = self.words(Instant::now());
        let machine = self.started.session.machine();
        let frame = (!self.hides_start()).then(|| machine.frame());
        let due = self.presentation.begin(
            frame,
            machine.config().tv,
            &self.config.window,
            &words,
            self.menu.overlay.as_ref(),
        );
        match due {
            Due::Nothing => return Ok(()),
            Due::Lines(lines) => return self.presentation.show_lines(lines),
            Due::All => {}
        }
        self.draw_menu();
        let wheel = self.presentation.show(&words)?;
        if let (Some(overlay), Some((x, y))) = (&mut self.menu.overlay, wheel) {
            overlay.wheel(x, y);
        }
        Ok(())
    }

    /// True while the picture before stays: a program is being loaded, and the machine shows the OS's blue screen or an empty one.
    pub(super) fn hides_start(&self) -> bool {
        self.mode == Mode::Running && !self.is_debugged() && self.started.session.is_starting()
    }

    /// The words over the picture.
    fn words(&mut self, now: Instant) -> Words {
        let message = self.presentation.message(now);
        let open = self.menu.overlay.is_some();
        let message = if self.controls.keyboard.is_held(Action::Rewind) {
            Some(self.way_back())
        } else {
            message.or_else(|| self.hint().filter(|_| !open))
        };
        // The menu has a line of its own for them.
        let states = if open {
            Vec::new()
        } else {
            self.presentation.states.shown(now)
        };
        Words { message, states }
    }

    /// How the user gets out of where the machine is.
    fn hint(&self) -> Option<String> {
        let keys = |action| self.config.keys_of(action);
        match self.mode {
            Mode::Paused => Some(format!(
                "{} goes on, {} one frame",
                keys(Action::Pause),
                keys(Action::FrameAdvance)
            )),
            Mode::Stopped => Some(format!(
                "stopped in the debug view: {} goes on",
                keys(Action::Debug)
            )),
            _ if self.hides_start() => Some(format!(
                "loading {}",
                failure::plain(self.started.session.title())
            )),
            _ if self.pace.turbo => {
                Some(format!("as fast as it goes: {}", keys(Action::TurboToggle)))
            }
            _ => None,
        }
    }

    /// How far back the user has gone, and how far it goes.
    fn way_back(&self) -> String {
        let machine = self.started.session.machine();
        let second = machine.config().tv.clock();
        let seconds = |from: Moment, to: Moment| to.0.saturating_sub(from.0) as f64 / second;
        let timeline = self.started.session.timeline();
        if timeline.is_off() {
            return "nothing is remembered".to_owned();
        }
        let now = self.started.session.moment();
        format!(
            "back by {:.1} s; {:.1} s are left",
            seconds(now, timeline.newest()),
            seconds(self.started.session.oldest(), now)
        )
    }

    /// All that is not as usual.
    fn states(&self) -> Vec<State> {
        let copies = self.started.session.copies().into_iter();
        let copies = copies.filter(|copy| copy.shown || copy.written);
        let copies = copies.map(|copy| format!("{} copy", copy.place));
        let silent = !self.speaker.is_mute() && !self.speaker.is_open();
        let known = [
            (self.mode == Mode::Paused, "paused", true),
            (self.mode == Mode::Stopped, "stopped", true),
            (self.pace.turbo, "turbo", true),
            (self.recordings.has_sound(), "recording the sound", true),
            (self.recordings.has_picture(), "recording the picture", true),
            (self.recordings.has_gif(), "recording a GIF", true),
            (self.speaker.is_mute(), "muted", false),
            (silent, "no sound", false),
            (
                self.started.session.machine().config().tv == Tv::Pal,
                "PAL",
                false,
            ),
            (self.started.session.has_ended(), "program ended", false),
        ];
        let known = known.into_iter().filter(|(is_so, ..)| *is_so);
        let known = known.map(|(_, words, stays)| (words.to_owned(), stays));
        known
            .chain(copies.map(|words| (words, false)))
            .map(|(words, stays)| State { words, stays })
            .collect()
    }

    /// The words for all that is not as usual.
    pub(super) fn state_words(&self) -> Vec<String> {
        let states = self.states().into_iter();
        states.map(|state| state.words).collect()
    }

    /// Title and picture name what is not as usual. The title also says what is played, how fast, and what the keys are.
    pub(super) fn update_title(&mut self) {
        let states = self.states();
        let tv = self.started.session.machine().config().tv;
        let mut parts = Vec::new();
        if matches!(self.mode, Mode::Running | Mode::Ending(_)) {
            let speed = (self.pace.meter.rate() / tv.frame_rate() * 100.0).round();
            parts.push(format!("{speed} %"));
        }
        parts.extend(states.iter().map(|state| state.words.clone()));
        self.presentation.states.update(states, Instant::now());
        let title = format!(
            "Anticlock: {} - {} - {} - F1 menu",
            failure::plain(self.started.session.title()),
            parts.join(" - "),
            ui::keys::describe(self.started.session.host_keys())
        );
        self.presentation.set_title(title);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(words: &str, stays: bool) -> State {
        State {
            words: words.to_owned(),
            stays,
        }
    }

    #[test]
    fn rows_that_differ_are_found_and_near_ones_joined() {
        let old = vec![0; scaler::WIDTH * scaler::HEIGHT];
        let all = std::iter::once(0..scaler::HEIGHT);
        assert!(changes(&[], &old, false).into_iter().eq(all));
        assert_eq!(changes(&old, &old, false), [0..0; 0]);
        let mut new = old.clone();
        for row in [3, 10, 40, 239] {
            new[row * scaler::WIDTH + row] = 1;
        }
        assert_eq!(changes(&old, &new, false), [3..11, 40..41, 239..240]);
        assert_eq!(changes(&old, &new, true), [3..12, 40..42, 239..240]);
    }

    #[test]
    fn states_that_hinder_nothing_are_named_for_some_seconds_after_one_has_come() {
        let began = Instant::now();
        let later = |seconds| began + Duration::from_secs(seconds);
        let mut states = States::default();
        let (pal, turbo, copy) = (
            state("PAL", false),
            state("turbo", true),
            state("D1: copy", false),
        );
        states.update(vec![pal.clone(), turbo.clone()], began);
        assert_eq!(states.shown(later(4)), ["PAL", "turbo"]);
        assert_eq!(states.shown(later(6)), ["turbo"]);
        // One that goes brings no other back.
        states.update(vec![pal.clone()], later(7));
        assert_eq!(states.shown(later(7)), [""; 0]);
        states.update(vec![pal, copy], later(9));
        assert_eq!(states.shown(later(10)), ["PAL", "D1: copy"]);
        assert_eq!(states.shown(later(15)), [""; 0]);
    }
}
