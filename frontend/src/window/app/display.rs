//! The picture in the window: drawn when something of it has changed.
use super::{App, Mode};
use crate::config::Action;
use crate::failure::{self, Failure};
use crate::window::canvas::Canvas;
use crate::window::scaler::{self, Scaler};
use machine::{Frame, Tv};
use session::picture::Look;
use session::timeline::Moment;
use std::time::{Duration, Instant};

/// How long a message stays on the picture, and how much longer for each of its letters.
const MESSAGE: Duration = Duration::from_millis(1500);
/// See [`MESSAGE`].
const LETTER: Duration = Duration::from_millis(60);
/// A picture that stands still is shown again this often: something may have lain over the window.
const AGAIN: Duration = Duration::from_secs(2);

fn pack([red, green, blue]: [u8; 3]) -> u32 {
    u32::from_be_bytes([0, red, green, blue])
}

/// The machine's picture in colours of the screen.
pub(super) fn colour(look: &Look, frame: &Frame, picture: &mut [u32]) {
    look.picture(frame, |y, line| {
        let row = picture.iter_mut().skip(y * scaler::WIDTH);
        for (pixel, &rgb) in row.zip(line) {
            *pixel = pack(rgb);
        }
    });
}

/// The window's picture and what it is made with.
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
    /// When the window was drawn, and what lay over the picture.
    shown: Option<(Instant, Option<String>)>,
}

impl Display {
    pub fn new(look: Look, tv: Tv, (width, height): (usize, usize)) -> Self {
        let mut display = Self {
            canvas: Canvas::default(),
            scaler: Scaler::default(),
            place: scaler::place(tv, width, height, false),
            palette: Box::new([0; 256]),
            look: look.clone(),
            picture: vec![0; scaler::WIDTH * scaler::HEIGHT],
            indexes: Vec::new(),
            shown: None,
        };
        display.set_look(look);
        display
    }

    /// The way to the screen's colours.
    pub fn look(&self) -> &Look {
        &self.look
    }

    /// Other colours from now on.
    pub fn set_look(&mut self, look: Look) {
        *self.palette = look.rgb().map(pack);
        self.look = look;
        self.indexes.clear();
        self.forget();
    }

    /// The screen's colours of the machine's 256.
    pub fn palette(&self) -> &[u32; 256] {
        &self.palette
    }

    /// Draws the window anew at the next opportunity.
    pub fn forget(&mut self) {
        self.shown = None;
    }

    /// Takes over the machine's picture; true if it is another one.
    fn update(&mut self, frame: &Frame) -> bool {
        let changed = self.indexes != frame.pixels();
        if changed {
            self.indexes.clear();
            self.indexes.extend_from_slice(frame.pixels());
            colour(&self.look, frame, &mut self.picture);
        }
        changed
    }
}

impl App {
    /// Draws the window if it would look other than it does, or if it was drawn long ago.
    pub(super) fn draw(&mut self) -> Result<(), Failure> {
        if self.hidden {
            return Ok(());
        }
        let (width, height) = self.window.get_size();
        let size = (width.max(1), height.max(1));
        let now = Instant::now();
        let over = self.text_over(now);
        let display = &mut self.display;
        let mut due = display.update(self.session.machine().frame());
        due |= size != (display.canvas.width, display.canvas.height);
        due |= self
            .menu
            .as_ref()
            .is_some_and(crate::ui::overlay::Overlay::is_due);
        due |= display
            .shown
            .as_ref()
            .is_none_or(|(then, was)| now.duration_since(*then) >= AGAIN || *was != over);
        if !due {
            return Ok(());
        }
        let clear = display.shown.as_ref().is_none_or(|(_, was)| *was != over);
        display.shown = Some((now, over.clone()));
        display.canvas.resize(size.0, size.1);
        if clear || over.is_some() || self.menu.is_some() {
            // What lay beside the picture.
            display.canvas.pixels.fill(0);
        }
        let tv = self.session.machine().config().tv;
        let window = &self.config.window;
        display.place = scaler::place(tv, size.0, size.1, window.whole_multiples);
        display.scaler.scan_lines = window.scan_lines;
        display
            .scaler
            .draw(&mut display.canvas, display.place, &display.picture);
        self.draw_menu();
        if let Some(text) = over {
            self.draw_text(&text);
        }
        // The window may have been closed meanwhile.
        let drawn = self
            .window
            .update_with_buffer(&self.display.canvas.pixels, size.0, size.1);
        drawn.map_err(|error| Failure::input(format!("the window cannot be drawn: {error}")))?;
        if let (Some(menu), Some((x, y))) = (&mut self.menu, self.window.get_scroll_wheel()) {
            menu.wheel(x, y);
        }
        Ok(())
    }

    /// What is to be read at the lower edge of the picture.
    fn text_over(&mut self, now: Instant) -> Option<String> {
        let old = |(text, since): &(String, Instant)| {
            now.duration_since(*since) > MESSAGE + LETTER * text.len() as u32
        };
        self.message.take_if(|message| old(message));
        if self.keyboard.is_held(Action::Rewind) {
            return Some(self.way_back());
        }
        match (&self.message, self.mode) {
            (Some((text, _)), _) => Some(text.clone()),
            (None, _) if self.menu.is_some() => None,
            (None, Mode::Paused) => Some("paused: F9 goes on, Shift+F9 one frame".to_owned()),
            (None, Mode::Stopped) => Some("stopped in the debug view: F8 goes on".to_owned()),
            (None, _) if self.turbo => Some("as fast as it goes: Shift+F12".to_owned()),
            (None, _) => None,
        }
    }

    /// How far back the user has gone, and how far it goes.
    fn way_back(&self) -> String {
        let machine = self.session.machine();
        let second = machine.config().tv.clock();
        let seconds = |from: Moment, to: Moment| to.0.saturating_sub(from.0) as f64 / second;
        let past = self.session.timeline().zip(self.session.moment());
        let Some(((timeline, now), oldest)) = past.zip(self.session.oldest()) else {
            return "nothing is remembered".to_owned();
        };
        format!(
            "back by {:.1} s; {:.1} s are left",
            seconds(now, timeline.newest()),
            seconds(oldest, now)
        )
    }

    fn draw_text(&mut self, text: &str) {
        let canvas = &mut self.display.canvas;
        let scale = (canvas.height / 320).max(1);
        let line = 12 * scale;
        let y = canvas.height.saturating_sub(line);
        canvas.shade(0, y, canvas.width, line, 0, 160);
        canvas.text(8 * scale, y + 2 * scale, scale, 0xFF_FFFF, text);
    }

    /// The title says what is played, how fast, and what is not as usual.
    pub(super) fn update_title(&mut self) {
        let config = self.session.machine().config();
        let speed = (self.meter.rate() / config.tv.frame_rate() * 100.0).round();
        let mut parts = vec![match self.mode {
            Mode::Paused => "paused".to_owned(),
            Mode::Stopped => "stopped".to_owned(),
            Mode::Running | Mode::Ending => format!("{speed} %"),
        }];
        if self.turbo {
            parts.push("turbo".to_owned());
        }
        if self.mute {
            parts.push("muted".to_owned());
        }
        #[cfg(feature = "sound")]
        if self.output.is_none() && !self.mute {
            parts.push("no sound".to_owned());
        }
        if config.tv == Tv::Pal {
            parts.push("PAL".to_owned());
        }
        let copies = self.session.copies().into_iter();
        let copies = copies.filter(|copy| copy.shown || copy.written);
        parts.extend(copies.map(|copy| format!("{} copy", copy.place)));
        let recorded = [
            (self.recording.is_some(), "recording the sound"),
            (self.animation.is_some(), "recording the picture"),
        ];
        let recorded = recorded.into_iter().filter(|(on, _)| *on);
        parts.extend(recorded.map(|(_, what)| what.to_owned()));
        let ended = if self.session.has_ended() {
            " (ended)"
        } else {
            ""
        };
        let title = format!(
            "Anticlock: {}{ended} - {} - {} - F1 menu",
            failure::plain(self.session.title()),
            parts.join(" - "),
            self.keyboard.mode.describe()
        );
        if self.title != title {
            self.window.set_title(&title);
            self.title = title;
        }
    }
}
