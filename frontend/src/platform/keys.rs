//! Keys of a window.
use minifb::Window;
use ui::keys::Events;

/// Collects the keys of a window, with those that minifb does not report: on Windows Alt, Alt Gr and Alt+F4.
pub fn listen(window: &mut Window, events: &Events) {
    window.set_input_callback(Box::new(events.clone()));
    #[cfg(windows)]
    super::windows::keys::listen(window, events);
}
