//! The screen: its size, and windows that fill it.
use minifb::Window;

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
