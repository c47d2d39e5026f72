//! Keys as a window reports them, and their names.
use minifb::Key;
use session::HostKeys;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// Events that the window reports, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A key went down or up; repeats too.
    Key(Key, bool),
    /// A character was typed.
    Char(char),
}

/// Collects the events of a window.
#[derive(Clone, Debug, Default)]
pub struct Events(Rc<RefCell<VecDeque<Event>>>);

impl Events {
    /// The oldest event.
    pub fn next(&self) -> Option<Event> {
        self.0.borrow_mut().pop_front()
    }

    /// Takes everything out; true if this key was pressed.
    pub fn take_press(&self, key: Key) -> bool {
        let mut events = self.0.borrow_mut();
        let pressed = events.contains(&Event::Key(key, true));
        events.clear();
        pressed
    }
}

impl minifb::InputCallback for Events {
    fn add_char(&mut self, uni_char: u32) {
        if let Some(character) = char::from_u32(uni_char) {
            self.0.borrow_mut().push_back(Event::Char(character));
        }
    }

    fn set_key_state(&mut self, key: Key, state: bool) {
        self.0.borrow_mut().push_back(Event::Key(key, state));
    }
}

/// The keys that can be bound, and their names in the configuration (`config::KEY_NAMES`). Names never change: files have them.
const NAMES: &[(Key, &str)] = &[
    (Key::Key0, "0"),
    (Key::Key1, "1"),
    (Key::Key2, "2"),
    (Key::Key3, "3"),
    (Key::Key4, "4"),
    (Key::Key5, "5"),
    (Key::Key6, "6"),
    (Key::Key7, "7"),
    (Key::Key8, "8"),
    (Key::Key9, "9"),
    (Key::A, "a"),
    (Key::B, "b"),
    (Key::C, "c"),
    (Key::D, "d"),
    (Key::E, "e"),
    (Key::F, "f"),
    (Key::G, "g"),
    (Key::H, "h"),
    (Key::I, "i"),
    (Key::J, "j"),
    (Key::K, "k"),
    (Key::L, "l"),
    (Key::M, "m"),
    (Key::N, "n"),
    (Key::O, "o"),
    (Key::P, "p"),
    (Key::Q, "q"),
    (Key::R, "r"),
    (Key::S, "s"),
    (Key::T, "t"),
    (Key::U, "u"),
    (Key::V, "v"),
    (Key::W, "w"),
    (Key::X, "x"),
    (Key::Y, "y"),
    (Key::Z, "z"),
    (Key::F1, "f1"),
    (Key::F2, "f2"),
    (Key::F3, "f3"),
    (Key::F4, "f4"),
    (Key::F5, "f5"),
    (Key::F6, "f6"),
    (Key::F7, "f7"),
    (Key::F8, "f8"),
    (Key::F9, "f9"),
    (Key::F10, "f10"),
    (Key::F11, "f11"),
    (Key::F12, "f12"),
    (Key::Down, "down"),
    (Key::Left, "left"),
    (Key::Right, "right"),
    (Key::Up, "up"),
    (Key::Apostrophe, "'"),
    (Key::Backquote, "`"),
    (Key::Backslash, "\\"),
    (Key::Comma, ","),
    (Key::Equal, "="),
    (Key::LeftBracket, "["),
    (Key::Minus, "-"),
    (Key::Period, "."),
    (Key::RightBracket, "]"),
    (Key::Semicolon, ";"),
    (Key::Slash, "/"),
    (Key::Backspace, "backspace"),
    (Key::Delete, "delete"),
    (Key::End, "end"),
    (Key::Enter, "enter"),
    (Key::Escape, "escape"),
    (Key::Home, "home"),
    (Key::Insert, "insert"),
    (Key::Menu, "menu"),
    (Key::PageDown, "pagedown"),
    (Key::PageUp, "pageup"),
    (Key::Pause, "pause"),
    (Key::Space, "space"),
    (Key::Tab, "tab"),
    (Key::CapsLock, "capslock"),
    (Key::ScrollLock, "scrolllock"),
    (Key::LeftCtrl, "leftctrl"),
    (Key::RightCtrl, "rightctrl"),
    (Key::NumPad0, "keypad0"),
    (Key::NumPad1, "keypad1"),
    (Key::NumPad2, "keypad2"),
    (Key::NumPad3, "keypad3"),
    (Key::NumPad4, "keypad4"),
    (Key::NumPad5, "keypad5"),
    (Key::NumPad6, "keypad6"),
    (Key::NumPad7, "keypad7"),
    (Key::NumPad8, "keypad8"),
    (Key::NumPad9, "keypad9"),
    (Key::NumPadDot, "keypad."),
    (Key::NumPadSlash, "keypad/"),
    (Key::NumPadAsterisk, "keypad*"),
    (Key::NumPadMinus, "keypad-"),
    (Key::NumPadPlus, "keypad+"),
    (Key::NumPadEnter, "keypadenter"),
];

/// The name of a key in the configuration; empty for one that cannot be bound.
pub fn name(key: Key) -> &'static str {
    let found = NAMES.iter().find(|(known, _)| *known == key);
    found.map_or("", |(_, name)| name)
}

/// The key of this name.
pub fn key_named(name: &str) -> Option<Key> {
    let found = NAMES.iter().find(|(_, known)| *known == name);
    found.map(|(key, _)| *key)
}

/// Role of arrows and space bar, as the title shows it.
pub fn describe(keys: HostKeys) -> &'static str {
    match keys {
        HostKeys::Typing => "keys type",
        HostKeys::Stick => "arrows = joystick 1",
        HostKeys::StickAndSpace => "arrows = joystick 1, Space also types",
        HostKeys::Sticks => "arrows = joystick 1, WASD = joystick 2",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_the_name_that_the_configuration_uses() {
        let names: Vec<&str> = NAMES.iter().map(|(_, name)| *name).collect();
        assert_eq!(names, host::config::KEY_NAMES);
        assert_eq!(name(Key::NumPadEnter), "keypadenter");
    }
}
