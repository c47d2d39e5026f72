//! Events of a window.
use minifb::Window;
use ui::keys::Events;

/// Collects the keys of a window, with those that minifb does not report: on Windows Alt, Alt Gr and Alt+F4.
pub fn listen(window: &mut Window, events: &Events) {
    window.set_input_callback(Box::new(events.clone()));
    // Before, it does not hear of any message that it does not read itself.
    #[cfg(windows)]
    window.update();
    #[cfg(windows)]
    super::windows::keys::listen(window, events);
}

/// Reads the events that have come for the window.
pub fn update(window: &mut Window) {
    #[cfg(windows)]
    super::windows::update(window);
    #[cfg(not(windows))]
    window.update();
}

/// Shows a picture of the window's size, 0x00RRGGBB, and reads the events that have come.
///
/// # Errors
/// When it cannot be shown.
pub fn present(
    window: &mut Window,
    pixels: &[u32],
    (width, height): (usize, usize),
) -> Result<(), String> {
    // minifb would keep a pointer to the picture, and read events in the place of a modal loop. A window that is minimised shows nothing.
    #[cfg(windows)]
    {
        let handle = window.get_window_handle().cast();
        super::windows::show(handle, pixels, width, 0..height);
        super::windows::update(window);
        Ok(())
    }
    #[cfg(not(windows))]
    window
        .update_with_buffer(pixels, width, height)
        .map_err(|error| error.to_string())
}
