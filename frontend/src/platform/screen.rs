//! The screen: its size, and windows that fill it.
use minifb::Window;
use std::path::PathBuf;

/// Width and height of the screen; `None` where they are not known.
pub fn size() -> Option<(usize, usize)> {
    #[cfg(target_os = "linux")]
    return super::x11::screen_size();
    #[cfg(not(target_os = "linux"))]
    None
}

/// Makes the window fill the screen, or a window again. `false` when the system does not do that.
pub fn fill(window: &Window, on: bool) -> bool {
    #[cfg(target_os = "linux")]
    return super::x11::fullscreen(window, on);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (window, on);
        false
    }
}

/// Whether the window is minimised, as far as the system tells.
pub fn is_hidden(window: &Window) -> bool {
    #[cfg(target_os = "linux")]
    return super::x11::is_hidden(window);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = window;
        false
    }
}

/// Tells the desktop what the window is: its class, and an icon of `size` by `size` pixels, 0xAARRGGBB.
pub fn introduce(window: &Window, size: usize, icon: &[u32]) {
    #[cfg(target_os = "linux")]
    super::x11::introduce(window, size, icon);
    #[cfg(not(target_os = "linux"))]
    let _ = (window, size, icon);
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
