//! The screen: its size and rate, and windows that fill it.
use super::system;
use minifb::Window;
use std::ops::Range;
use std::path::PathBuf;

/// The screen before there is a window. An X server that loses its last connection may start again, and answers none meanwhile: the owner
/// keeps this until the window is there.
pub struct Desktop(Option<system::Desktop>);

impl Desktop {
    /// The default screen.
    pub fn open() -> Self {
        Self(system::Desktop::open())
    }

    /// Width and height in pixels; `None` where they are not known.
    pub fn size(&self) -> Option<(usize, usize)> {
        self.0.as_ref().and_then(system::Desktop::size)
    }

    /// Pixels of the display to one of a display with 96 to the inch: 1, or more where the user or the display says so.
    pub fn scale(&self) -> f32 {
        let asked = std::env::var("GDK_SCALE").ok();
        let asked = asked.and_then(|text| text.trim().parse::<f32>().ok());
        let dots = || self.0.as_ref().and_then(system::Desktop::dots_per_inch);
        let asked = asked.or_else(|| dots().map(|dots| dots / 96.0));
        // In quarters: letters and lines have whole pixels.
        let quarters = (asked.unwrap_or(1.0) * 4.0).round() / 4.0;
        if quarters.is_finite() {
            quarters.clamp(1.0, 4.0)
        } else {
            1.0
        }
    }
}

/// The screen that a window is on, and the window's place in the desktop.
pub struct Screen(Option<system::Screen>);

impl Screen {
    /// The screen of this window.
    pub fn of(window: &Window) -> Self {
        Self(system::Screen::of(window))
    }

    /// Makes the window fill the screen, or a window again. `false` when the system does not do that.
    pub fn fill(&self, on: bool) -> bool {
        self.0.as_ref().is_some_and(|screen| screen.fill(on))
    }

    /// True if the window is minimised, as far as the system tells.
    pub fn is_hidden(&self) -> bool {
        self.0.as_ref().is_some_and(system::Screen::is_hidden)
    }

    /// Shows some lines of a picture of the window's width, 0x00RRGGBB; false, and nothing is shown, where that does not work.
    pub fn show(&self, pixels: &[u32], width: usize, lines: Range<usize>) -> bool {
        let screen = self.0.as_ref();
        screen.is_some_and(|screen| screen.show(pixels, width, lines))
    }

    /// Pictures a second that the display under the window shows; `None` where that is not known.
    pub fn rate(&self) -> Option<f64> {
        self.0.as_ref().and_then(system::Screen::rate)
    }

    /// Tells the desktop what the window is: its class, and an icon of `size` by `size` pixels, 0xAARRGGBB.
    pub fn introduce(&self, size: usize, icon: &[u32]) {
        if let Some(screen) = &self.0 {
            screen.introduce(size, icon);
        }
    }
}

/// Takes files that are dropped onto a window.
pub struct Drops(Option<system::Drops>);

impl Drops {
    /// From now on files can be dropped onto the window, where the system does that.
    #[must_use]
    pub fn accept(window: &Window) -> Self {
        Self(system::Drops::accept(window))
    }

    /// The files that were dropped since the last call; `None` if nothing was, and an empty list for what is no file.
    pub fn take(&mut self) -> Option<Vec<PathBuf>> {
        self.0.as_mut().and_then(system::Drops::take)
    }
}
