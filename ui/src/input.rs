//! The reports of minifb, as egui wants them.
use crate::keys::{self, Events};
use crate::mouse;
use egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, TouchPhase, Vec2};
use minifb::{Key as HostKey, MouseButton, MouseMode, Window};

/// The mouse's buttons in minifb's names and egui's.
const BUTTONS: [(MouseButton, PointerButton); 3] = [
    (MouseButton::Left, PointerButton::Primary),
    (MouseButton::Right, PointerButton::Secondary),
    (MouseButton::Middle, PointerButton::Middle),
];

/// Collects the input of one window; keeps which modifiers and buttons are down.
#[derive(Debug, Default)]
pub struct Input {
    modifiers: Modifiers,
    buttons: [bool; 3],
    at: Option<Pos2>,
    focused: bool,
    /// The events that the next pass gets.
    events: Vec<Event>,
}

impl Input {
    /// Takes what the mouse did, and asks the window and its queue of keys what has happened; `scale` is pixels per point. `paste` gives
    /// the clipboard's text.
    pub fn poll(
        &mut self,
        window: &Window,
        mouse: &[mouse::Event],
        keys: &Events,
        scale: f32,
        mut paste: impl FnMut() -> Option<String>,
    ) {
        // The mouse goes first: a key acts where the mouse is.
        self.poll_mouse(window, mouse, scale);
        while let Some(event) = keys.next() {
            match event {
                keys::Event::Key(key, down) => self.key(key, down, &mut paste),
                keys::Event::Char(character) => self.character(character),
            }
        }
    }

    /// Takes what the mouse did, each click where it was, and asks the window where the mouse is now.
    pub(crate) fn poll_mouse(&mut self, window: &Window, events: &[mouse::Event], scale: f32) {
        self.focus(window.is_active());
        let point = |(x, y): (f32, f32)| Pos2::new(x / scale, y / scale);
        for event in events {
            match *event {
                mouse::Event::Button { button, down, at } => self.button(point(at), button, down),
                mouse::Event::Wheel(x, y) => self.wheel(x, y),
            }
        }
        let dragged = self.buttons.contains(&true);
        let mode = if dragged {
            MouseMode::Pass
        } else {
            MouseMode::Discard
        };
        self.moved(window.get_mouse_pos(mode).map(point));
    }

    /// True if something waits for the next pass.
    pub fn is_waiting(&self) -> bool {
        !self.events.is_empty()
    }

    /// The events since the last call, in order.
    pub fn take(&mut self) -> Vec<Event> {
        // A button that is up again at the end of a pass drags nothing: its release is left to the next pass. So is a press after a move,
        // which would drag what is there by the way that the mouse came: a touch screen's comes from the place of the touch before.
        let (mut down, mut moved) = (false, false);
        let later = self.events.iter().position(|event| match event {
            Event::PointerMoved(_) => {
                moved = true;
                false
            }
            Event::PointerButton { pressed: true, .. } => {
                down = true;
                moved
            }
            Event::PointerButton { pressed: false, .. } => down,
            _ => false,
        });
        let rest = later.map_or_else(Vec::new, |later| self.events.split_off(later));
        std::mem::replace(&mut self.events, rest)
    }

    /// The modifiers that are down.
    pub fn modifiers(&self) -> Modifiers {
        self.modifiers
    }

    /// True if the window has the keyboard.
    pub fn is_focused(&self) -> bool {
        self.focused
    }

    /// The window has got or lost the keyboard.
    pub fn focus(&mut self, focused: bool) {
        if self.focused != focused {
            self.focused = focused;
            // A key that is held while the focus leaves never comes up.
            self.modifiers = Modifiers::NONE;
            self.events.push(Event::WindowFocused(focused));
        }
    }

    /// A key went down or up.
    pub fn key(&mut self, key: HostKey, down: bool, paste: &mut impl FnMut() -> Option<String>) {
        let held = match key {
            HostKey::LeftShift | HostKey::RightShift => Some(&mut self.modifiers.shift),
            HostKey::LeftCtrl | HostKey::RightCtrl => Some(&mut self.modifiers.ctrl),
            HostKey::LeftAlt | HostKey::RightAlt => Some(&mut self.modifiers.alt),
            _ => None,
        };
        if let Some(held) = held {
            *held = down;
            self.modifiers.command = self.modifiers.ctrl;
            return;
        }
        let Some(key) = translated(key) else {
            return;
        };
        if down && self.modifiers.ctrl && !self.modifiers.alt {
            match key {
                Key::C => self.events.push(Event::Copy),
                Key::X => self.events.push(Event::Cut),
                Key::V => self.events.extend(paste().map(Event::Paste)),
                _ => {}
            }
        }
        self.events.push(Event::Key {
            key,
            physical_key: None,
            pressed: down,
            repeat: false,
            modifiers: self.modifiers,
        });
    }

    /// A character was typed.
    pub fn character(&mut self, character: char) {
        // With Alt Gr, which is not reported as Alt, characters are meant as such.
        if !character.is_control() && !self.modifiers.ctrl && !self.modifiers.alt {
            self.events.push(Event::Text(character.to_string()));
        }
    }

    /// Where the mouse is, in points; `None` outside of the window.
    pub fn moved(&mut self, at: Option<Pos2>) {
        if at != self.at {
            self.events
                .push(at.map_or(Event::PointerGone, Event::PointerMoved));
            self.at = at;
        }
    }

    /// A button of the mouse went down or up there, in points.
    pub fn button(&mut self, pos: Pos2, button: MouseButton, pressed: bool) {
        let Some(n) = BUTTONS.iter().position(|(known, _)| *known == button) else {
            return;
        };
        self.moved(Some(pos));
        if self.buttons[n] != pressed {
            self.buttons[n] = pressed;
            self.events.push(Event::PointerButton {
                pos,
                button: BUTTONS[n].1,
                pressed,
                modifiers: self.modifiers,
            });
        }
    }

    /// The wheel was turned.
    pub fn wheel(&mut self, x: f32, y: f32) {
        self.events.push(Event::MouseWheel {
            unit: MouseWheelUnit::Line,
            delta: Vec2::new(x, y) / mouse::NOTCH,
            phase: TouchPhase::Move,
            modifiers: self.modifiers,
        });
    }
}

/// egui's name of a key; none of a modifier or a key that it does not know.
pub(crate) fn translated(key: HostKey) -> Option<Key> {
    Some(match key {
        HostKey::Down => Key::ArrowDown,
        HostKey::Left => Key::ArrowLeft,
        HostKey::Right => Key::ArrowRight,
        HostKey::Up => Key::ArrowUp,
        HostKey::Apostrophe => Key::Quote,
        HostKey::Backquote => Key::Backtick,
        HostKey::Equal => Key::Equals,
        HostKey::LeftBracket => Key::OpenBracket,
        HostKey::RightBracket => Key::CloseBracket,
        HostKey::NumPadEnter => Key::Enter,
        HostKey::NumPadMinus => Key::Minus,
        HostKey::NumPadPlus => Key::Plus,
        HostKey::NumPadSlash => Key::Slash,
        HostKey::NumPadDot => Key::Period,
        other => {
            let name = format!("{other:?}");
            let name = name
                .strip_prefix("NumPad")
                .or(name.strip_prefix("Key"))
                .unwrap_or(&name);
            return Key::from_name(name);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no_clipboard() -> Option<String> {
        None
    }

    #[test]
    fn keys_and_characters_keep_their_order_and_modifiers() {
        let mut input = Input::default();
        input.key(HostKey::A, true, &mut no_clipboard);
        input.character('a');
        input.key(HostKey::LeftCtrl, true, &mut no_clipboard);
        input.key(HostKey::C, true, &mut no_clipboard);
        input.character('\u{3}');
        input.character('c');
        input.key(HostKey::V, true, &mut || Some("text".to_owned()));
        input.key(HostKey::LeftCtrl, false, &mut no_clipboard);
        input.character('\r');
        let names: Vec<String> = input
            .take()
            .iter()
            .map(|event| match event {
                Event::Key { key, modifiers, .. } => format!(
                    "{}{}",
                    if modifiers.command { "ctrl " } else { "" },
                    key.name()
                ),
                Event::Text(text) | Event::Paste(text) => format!("'{text}'"),
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(names, ["A", "'a'", "Copy", "ctrl C", "'text'", "ctrl V"]);
        assert!(!input.is_waiting());
    }

    #[test]
    fn a_modifier_does_not_stay_down_when_the_focus_leaves() {
        let mut input = Input::default();
        input.focus(true);
        input.key(HostKey::LeftAlt, true, &mut no_clipboard);
        input.focus(false);
        assert_eq!(input.modifiers(), Modifiers::NONE);
    }

    #[test]
    fn the_mouse_tells_what_changes_and_one_notch_is_one_line() {
        let mut input = Input::default();
        let at = Pos2::new(3.0, 4.0);
        input.moved(Some(at));
        input.button(at, MouseButton::Left, true);
        input.button(at, MouseButton::Left, true);
        input.wheel(0.0, -0.1);
        input.moved(None);
        let mut events = input.take();
        assert_eq!(events, [Event::PointerMoved(at)]);
        events.extend(input.take());
        assert_eq!(events.len(), 4, "{events:?}");
        assert!(matches!(
            events[1],
            Event::PointerButton {
                button: PointerButton::Primary,
                pressed: true,
                ..
            }
        ));
        assert!(matches!(
            events[2],
            Event::MouseWheel {
                delta: Vec2 { y: -1.0, .. },
                ..
            }
        ));
        assert!(matches!(events[3], Event::PointerGone));
    }

    #[test]
    fn a_press_is_left_to_the_pass_after_its_move_and_a_release_to_that_after_its_press() {
        let mut input = Input::default();
        let at = Pos2::new(3.0, 4.0);
        for _ in 0..2 {
            input.button(at, MouseButton::Left, true);
            input.button(at, MouseButton::Left, false);
        }
        let mut seen = Vec::new();
        while input.is_waiting() {
            let buttons = input.take().into_iter().filter_map(|event| match event {
                Event::PointerButton { pressed, .. } => Some(pressed),
                _ => None,
            });
            seen.push(buttons.collect::<Vec<_>>());
        }
        let wanted = [vec![], vec![true], vec![false, true], vec![false]];
        assert_eq!(seen, wanted);
    }

    #[test]
    fn every_key_of_a_keyboard_has_a_name() {
        for (host, key) in [
            (HostKey::F11, Key::F11),
            (HostKey::Key7, Key::Num7),
            (HostKey::NumPad3, Key::Num3),
            (HostKey::PageUp, Key::PageUp),
            (HostKey::Q, Key::Q),
            (HostKey::Comma, Key::Comma),
            (HostKey::Escape, Key::Escape),
            (HostKey::NumPadEnter, Key::Enter),
            (HostKey::Left, Key::ArrowLeft),
        ] {
            assert_eq!(translated(host), Some(key));
        }
        assert_eq!(translated(HostKey::LeftShift), None);
        assert_eq!(translated(HostKey::Unknown), None);
    }
}
