//! The screen: its size and rate, and windows that fill it.
use minifb::Window;
use std::ops::Range;
use std::path::PathBuf;

/// Width and height of the screen; `None` where they are not known.
pub fn size() -> Option<(usize, usize)> {
    #[cfg(target_os = "linux")]
    return super::x11::screen_size();
    #[cfg(not(target_os = "linux"))]
    None
}

/// The screen that a window is on, and the window's place in the desktop.
pub struct Screen(#[cfg(target_os = "linux")] Option<super::x11::Screen>);

#[cfg(target_os = "linux")]
impl Screen {
    /// The screen of this window.
    pub fn of(window: &Window) -> Self {
        Self(super::x11::Screen::of(window))
    }

    /// Makes the window fill the screen, or a window again. `false` when the system does not do that.
    pub fn fill(&self, on: bool) -> bool {
        self.0.as_ref().is_some_and(|screen| screen.fill(on))
    }

    /// True if the window is minimised, as far as the system tells.
    pub fn is_hidden(&self) -> bool {
        self.0.as_ref().is_some_and(super::x11::Screen::is_hidden)
    }

    /// Shows some lines of a picture of the window's width, 0x00RRGGBB; false, and nothing is shown, where that does not work.
    pub fn show(&self, pixels: &[u32], width: usize, lines: Range<usize>) -> bool {
        let screen = self.0.as_ref();
        screen.is_some_and(|screen| screen.show(pixels, width, lines))
    }

    /// Pictures a second that the display under the window shows; `None` where that is not known.
    pub fn rate(&self) -> Option<f64> {
        self.0.as_ref().and_then(super::x11::Screen::rate)
    }

    /// Tells the desktop what the window is: its class, and an icon of `size` by `size` pixels, 0xAARRGGBB.
    pub fn introduce(&self, size: usize, icon: &[u32]) {
        if let Some(screen) = &self.0 {
            screen.introduce(size, icon);
        }
    }
}

#[cfg(not(target_os = "linux"))]
impl Screen {
    /// The screen of this window.
    pub fn of(_: &Window) -> Self {
        Self()
    }

    /// Not here: `false`.
    pub fn fill(&self, _: bool) -> bool {
        false
    }

    /// Not known here.
    pub fn is_hidden(&self) -> bool {
        false
    }

    /// Not here: `false`.
    pub fn show(&self, _: &[u32], _: usize, _: Range<usize>) -> bool {
        false
    }

    /// Not known here.
    pub fn rate(&self) -> Option<f64> {
        None
    }

    /// Not here.
    pub fn introduce(&self, _: usize, _: &[u32]) {}
}

/// Takes files that are dropped onto a window.
pub struct Drops(#[cfg(target_os = "linux")] Option<super::drops::Drops>);

impl Drops {
    /// From now on files can be dropped onto the window, where the system does that.
    #[must_use]
    pub fn accept(window: &Window) -> Self {
        #[cfg(target_os = "linux")]
        return Self(super::drops::Drops::accept(window));
        #[cfg(not(target_os = "linux"))]
        {
            let _ = window;
            Self()
        }
    }

    /// The files that were dropped since the last call.
    pub fn take(&mut self) -> Vec<PathBuf> {
        #[cfg(target_os = "linux")]
        return self
            .0
            .as_mut()
            .map(super::drops::Drops::take)
            .unwrap_or_default();
        #[cfg(not(target_os = "linux"))]
        Vec::new()
    }
}
