//! The screen: its size and rate, and windows that fill it.
use super::system;
use minifb::Window;
use std::ops::Range;
use std::path::PathBuf;

/// Width and height of the screen; `None` where they are not known.
pub fn size() -> Option<(usize, usize)> {
    system::screen_size()
}

/// Pixels of the display to one of a display with 96 to the inch: 1, or more where the user or the display says so.
pub fn scale() -> f32 {
    let asked = std::env::var("GDK_SCALE").ok();
    let asked = asked.and_then(|text| text.trim().parse::<f32>().ok());
    #[cfg(target_os = "linux")]
    let asked = asked.or_else(|| super::x11::dots_per_inch().map(|dots| dots / 96.0));
    // In quarters: letters and lines have whole pixels.
    let quarters = (asked.unwrap_or(1.0) * 4.0).round() / 4.0;
    if quarters.is_finite() {
        quarters.clamp(1.0, 4.0)
    } else {
        1.0
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

    /// The files that were dropped since the last call.
    pub fn take(&mut self) -> Vec<PathBuf> {
        let drops = self.0.as_mut();
        drops.map(system::Drops::take).unwrap_or_default()
    }
}
