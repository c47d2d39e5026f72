//! The mouse as a window reports it: every click, also one that is over before the window is asked again.
use minifb::{MouseButton, MouseMode, Window};

/// An event of the mouse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A button went down or up.
    Button {
        /// The button.
        button: MouseButton,
        /// It went down.
        down: bool,
        /// The mouse's place in the window, in pixels.
        at: (f32, f32),
    },
    /// The wheel was turned: right and up are positive, a notch is [`NOTCH`].
    Wheel(f32, f32),
}

/// A notch of the wheel, as minifb counts.
pub const NOTCH: f32 = 0.1;

/// The buttons that have a role.
pub const BUTTONS: [MouseButton; 3] = [MouseButton::Left, MouseButton::Right, MouseButton::Middle];

/// Buttons and wheel as minifb keeps them: their state at the moment when the window is asked.
#[derive(Debug, Default)]
pub struct Polled([bool; 3]);

impl Polled {
    /// Changes since the last call.
    pub fn events(&mut self, window: &Window) -> Vec<Event> {
        let at = window.get_mouse_pos(MouseMode::Pass).unwrap_or_default();
        let mut events = Vec::new();
        for (was, button) in self.0.iter_mut().zip(BUTTONS) {
            let down = window.get_mouse_down(button);
            if std::mem::replace(was, down) != down {
                events.push(Event::Button { button, down, at });
            }
        }
        let wheel = window.get_scroll_wheel();
        events.extend(wheel.map(|(x, y)| Event::Wheel(x, y)));
        events
    }
}

/// The buttons during a frame: a click shorter than a frame is down for one frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct Buttons {
    down: [bool; 3],
    pressed: [bool; 3],
}

impl Buttons {
    /// Takes the events since the last frame.
    pub fn frame(&mut self, events: &[Event]) {
        self.pressed = [false; 3];
        for event in events {
            if let Event::Button { button, down, .. } = *event
                && let Some(n) = BUTTONS.iter().position(|known| *known == button)
            {
                self.down[n] = down;
                self.pressed[n] |= down;
            }
        }
    }

    /// True if this button was down during the frame.
    pub fn is_down(&self, button: MouseButton) -> bool {
        let all = BUTTONS.iter().zip(self.down.iter().zip(self.pressed));
        all.into_iter()
            .any(|(known, (&down, pressed))| *known == button && (down || pressed))
    }

    /// True if this button went down during the frame.
    pub fn is_pressed(&self, button: MouseButton) -> bool {
        let all = BUTTONS.iter().zip(self.pressed);
        all.into_iter()
            .any(|(known, pressed)| *known == button && pressed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn button(down: bool) -> Event {
        Event::Button {
            button: MouseButton::Left,
            down,
            at: (1.0, 2.0),
        }
    }

    #[test]
    fn a_click_within_a_frame_is_down_for_that_frame() {
        let mut buttons = Buttons::default();
        buttons.frame(&[button(true), button(false)]);
        assert!(buttons.is_down(MouseButton::Left) && buttons.is_pressed(MouseButton::Left));
        assert!(!buttons.is_down(MouseButton::Right));
        buttons.frame(&[]);
        assert!(!buttons.is_down(MouseButton::Left));
        buttons.frame(&[button(true)]);
        buttons.frame(&[]);
        assert!(buttons.is_down(MouseButton::Left) && !buttons.is_pressed(MouseButton::Left));
    }
}
