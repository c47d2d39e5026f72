//! The host's keys: actions, joysticks, and typing by symbol.
use host::config::{Action, Chord, Config, StickKeys};
use machine::{Input, Joystick};
use minifb::Key;
use session::keys::{self, CONTROL, SHIFT, code};
use session::{HostKeys, KeyQueue};
use std::collections::{BTreeMap, BTreeSet};
use ui::keys::{Event, name};

/// A request of a key to the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// One of the table of actions.
    Act(Action),
    /// Choose this slot of saved states.
    Slot(u8),
}

/// The one map from keys to commands: what the configuration binds, then the slots of saved states.
fn commands(config: &Config) -> Vec<(Chord, Command)> {
    let bound = config.keys.iter().flat_map(|(&action, chords)| {
        let command = Command::Act(action);
        chords.iter().map(move |chord| (chord.clone(), command))
    });
    // A layout that has digits with Shift alone has them here, too.
    let slots = (0..10u8).flat_map(|slot| {
        let key = |name: String, shift| Chord {
            alt: true,
            shift,
            ctrl: false,
            key: name,
        };
        let digit = slot.to_string();
        let keys = [
            (digit.clone(), false),
            (digit.clone(), true),
            (format!("keypad{digit}"), false),
        ];
        keys.map(|(name, shift)| (key(name, shift), Command::Slot(slot)))
    });
    bound.chain(slots).collect()
}

/// Frames that a tap counts, however short it was.
const TAP: u8 = 2;

/// The fate of the character that the window reports after a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    /// It comes from no key of ours (composed): a tap.
    Tap,
    /// It belongs to this key.
    For(Key),
    /// The key has done something else already.
    Nothing,
}

/// The state of the host's keyboard and of the Atari's.
#[derive(Debug)]
pub struct Keyboard {
    commands: Vec<(Chord, Command)>,
    sticks: [StickKeys; 3],
    /// Role that arrows and space bar take when they go down.
    pub keys: HostKeys,
    /// Option types characters and so runs no commands with them.
    option_types: bool,
    down: BTreeSet<Key>,
    /// Keys that went down as joysticks: they are joysticks until they are up.
    as_stick: BTreeSet<Key>,
    /// Keys that do nothing until they are up: they went down for something else.
    spent: BTreeSet<Key>,
    /// Frames for which a key counts as down although it is up again.
    taps: BTreeMap<Key, u8>,
    /// Keys that hold an action down.
    holding: BTreeMap<Key, Action>,
    expect: Expect,
    typed: KeyQueue<Key>,
}

impl Keyboard {
    /// With the keys of the configuration.
    pub fn new(config: &Config, keys: HostKeys) -> Self {
        let sticks = &config.joysticks;
        Self {
            commands: commands(config),
            sticks: [
                sticks.always.clone(),
                sticks.first.clone(),
                sticks.second.clone(),
            ],
            keys,
            option_types: cfg!(target_os = "macos"),
            down: BTreeSet::new(),
            as_stick: BTreeSet::new(),
            spent: BTreeSet::new(),
            taps: BTreeMap::new(),
            holding: BTreeMap::new(),
            expect: Expect::Tap,
            typed: KeyQueue::default(),
        }
    }

    /// Lets go of everything: the window has lost the keyboard.
    pub fn clear(&mut self) {
        self.down.clear();
        self.as_stick.clear();
        self.spent.clear();
        self.taps.clear();
        self.holding.clear();
        self.typed.clear();
        self.expect = Expect::Tap;
    }

    /// Lets go of everything but Alt, Shift and Ctrl: they may still be down. Keys that are down do nothing until they are up, so that their
    /// repeats do not reach the Atari.
    pub fn let_go(&mut self) {
        let modifiers = [
            Key::LeftAlt,
            Key::RightAlt,
            Key::LeftShift,
            Key::RightShift,
            Key::LeftCtrl,
            Key::RightCtrl,
        ];
        let spent = std::mem::take(&mut self.spent);
        let down = std::mem::take(&mut self.down);
        self.clear();
        let is_modifier = |key: &Key| modifiers.contains(key);
        let (modifiers, others): (BTreeSet<Key>, _) = down.into_iter().partition(is_modifier);
        self.down = modifiers;
        self.spent = spent;
        self.spent.extend(others);
    }

    /// A key that went down for something else than the Atari.
    pub fn spend(&mut self, key: Key) {
        self.spent.insert(key);
    }

    fn held(&self, keys: [Key; 2]) -> bool {
        keys.iter().any(|key| self.down.contains(key))
    }

    /// True while AltGr is down where the host reports it as left Ctrl and right Alt.
    fn alt_gr(&self) -> bool {
        self.down.contains(&Key::LeftCtrl) && self.down.contains(&Key::RightAlt)
    }

    fn alt(&self) -> bool {
        self.held([Key::LeftAlt, Key::RightAlt]) && !self.alt_gr()
    }

    fn shift(&self) -> bool {
        self.held([Key::LeftShift, Key::RightShift])
    }

    fn ctrl(&self) -> bool {
        self.held([Key::LeftCtrl, Key::RightCtrl]) && !self.alt_gr()
    }

    /// True if an action's key is held (or was tapped just now).
    pub fn is_held(&self, action: Action) -> bool {
        self.holding.values().any(|&a| a == action)
    }

    /// Takes an event; returns the command that begins with it.
    pub fn event(&mut self, event: Event) -> Option<Command> {
        match event {
            Event::Char(character) => self.character(character),
            Event::Key(key, false) => {
                self.down.remove(&key);
                self.spent.remove(&key);
                self.typed.release(&key);
                None
            }
            Event::Key(key, true) => {
                if self.spent.contains(&key) || !self.down.insert(key) {
                    // A repeat: the Atari repeats by itself.
                    self.expect = Expect::Nothing;
                    return None;
                }
                self.taps.insert(key, TAP);
                self.press(key)
            }
        }
    }

    fn press(&mut self, key: Key) -> Option<Command> {
        self.expect = Expect::Nothing;
        let name = name(key);
        let (shift, ctrl) = (self.shift(), self.ctrl());
        let alt = self.alt() && !(self.option_types && name.len() == 1);
        let modifiers = if ctrl { CONTROL } else { 0 } | if shift { SHIFT } else { 0 };
        match self.bound_to(&Chord {
            alt,
            ctrl,
            shift,
            key: name.to_owned(),
        }) {
            Some(Command::Act(action)) => return self.act(key, action, modifiers),
            Some(command) => return Some(command),
            None => {}
        }
        if alt {
            // A digit of the layout may follow.
            self.expect = Expect::Tap;
            return None;
        }
        if self.is_stick_key(name) {
            self.as_stick.insert(key);
            if key != Key::Space || self.keys != HostKeys::StickAndSpace {
                return None;
            }
        }
        let special = match key {
            Key::Enter | Key::NumPadEnter => Some(code::RETURN | modifiers),
            Key::Escape => Some(code::ESC | modifiers),
            Key::Tab => Some(code::TAB | modifiers),
            Key::Backspace => Some(code::BACKSPACE | modifiers),
            Key::Up => Some(code::UP),
            Key::Down => Some(code::DOWN),
            Key::Left => Some(code::LEFT),
            Key::Right => Some(code::RIGHT),
            _ => None,
        };
        if let Some(special) = special {
            self.typed.press(key, special);
        } else if ctrl {
            let mut letters = name.chars();
            if let (Some(letter), None) = (letters.next(), letters.next())
                && let Some(bare) = keys::of_char(letter)
            {
                self.typed.press(key, bare | modifiers);
            }
        } else {
            self.expect = Expect::For(key);
        }
        None
    }

    /// The command of a chord. Shift and Ctrl belong to the Atari's key where the action does not ask for them.
    fn bound_to(&self, pressed: &Chord) -> Option<Command> {
        let is_loose = |chord: &Chord, command| {
            let plain = (&chord.key, chord.alt) == (&pressed.key, pressed.alt)
                && !chord.shift
                && !chord.ctrl;
            plain && matches!(command, Command::Act(action) if is_atari_key(action))
        };
        let all = &self.commands;
        let exact = all.iter().find(|(chord, _)| chord == pressed);
        let found = exact.or_else(|| all.iter().find(|(chord, act)| is_loose(chord, *act)));
        found.map(|&(_, command)| command)
    }

    /// Presses the Atari's key of an action, or gives the action as a command and holds it.
    fn act(&mut self, key: Key, action: Action, modifiers: u8) -> Option<Command> {
        let shifted = |with: u8, without: u8| {
            if modifiers & SHIFT != 0 {
                with
            } else {
                without
            }
        };
        match action {
            Action::Inverse => self.typed.press(key, code::INVERSE | modifiers),
            Action::Caps => self.typed.tap(code::CAPS | modifiers),
            Action::HelpKey => self.typed.press(key, code::HELP | modifiers),
            Action::Clear => self.typed.press(key, code::CLEAR),
            Action::Insert => {
                let code = shifted(code::INSERT_LINE, code::INSERT);
                self.typed.press(key, code);
            }
            Action::Delete => {
                let code = shifted(code::DELETE_LINE, code::DELETE);
                self.typed.press(key, code);
            }
            _ => {
                self.holding.insert(key, action);
                return Some(Command::Act(action));
            }
        }
        None
    }

    /// Takes a character. A digit with Alt is a slot, also where its key is reported as another or not at all.
    fn character(&mut self, character: char) -> Option<Command> {
        let expect = std::mem::replace(&mut self.expect, Expect::Tap);
        if self.alt() && !self.option_types {
            let digit = character.to_digit(10).filter(|_| expect == Expect::Tap);
            return digit.map(|digit| Command::Slot(digit as u8));
        }
        if self.ctrl() || character.is_control() {
            return None;
        }
        match expect {
            Expect::For(key) => {
                // The Atari has a CAPS key of its own: the host's lock is for the host.
                let letter = if self.shift() {
                    character.to_ascii_uppercase()
                } else {
                    character.to_ascii_lowercase()
                };
                self.typed.press(key, keys::of_char(letter)?);
            }
            Expect::Tap => self.typed.tap(keys::of_char(character)?),
            Expect::Nothing => {}
        }
        None
    }

    /// The sets of joystick keys that a key belongs to when it goes down, with the port of each.
    fn active_sticks(&self) -> impl Iterator<Item = (usize, &StickKeys)> {
        let sets = match self.keys {
            HostKeys::Typing => 1,
            HostKeys::Stick | HostKeys::StickAndSpace => 2,
            HostKeys::Sticks => 3,
        };
        self.sets().take(sets)
    }

    /// All sets of joystick keys, with the port of each.
    fn sets(&self) -> impl Iterator<Item = (usize, &StickKeys)> {
        [0, 0, 1].into_iter().zip(&self.sticks)
    }

    fn is_stick_key(&self, name: &str) -> bool {
        self.active_sticks()
            .any(|(_, stick)| stick.keys().any(|key| key.eq_ignore_ascii_case(name)))
    }

    /// Called before each frame: what the Atari's keys and joysticks are during it.
    pub fn frame(&mut self, input: &mut Input) {
        let (down, taps) = (&self.down, &self.taps);
        self.as_stick
            .retain(|key| down.contains(key) || taps.contains_key(key));
        let pressed: BTreeSet<&str> = self.as_stick.iter().map(|&key| name(key)).collect();
        let any = |keys: &[String]| {
            keys.iter()
                .any(|key| pressed.contains(&*key.to_ascii_lowercase()))
        };
        for stick in input.joysticks.iter_mut().take(2) {
            *stick = Joystick::default();
        }
        for (port, set) in self.sets() {
            let stick = &mut input.joysticks[port];
            stick.up |= any(&set.up);
            stick.down |= any(&set.down);
            stick.left |= any(&set.left);
            stick.right |= any(&set.right);
            stick.trigger |= any(&set.trigger);
        }
        for stick in input.joysticks.iter_mut().take(2) {
            // Opposite directions at once do not exist on a stick, and programs misread them.
            if stick.up && stick.down {
                (stick.up, stick.down) = (false, false);
            }
            if stick.left && stick.right {
                (stick.left, stick.right) = (false, false);
            }
        }
        input.start = self.is_held(Action::Start);
        input.select = self.is_held(Action::Select);
        input.option = self.is_held(Action::Option);
        input.break_key = self.is_held(Action::Break);
        self.typed.frame(self.shift(), input);

        self.taps.retain(|_, frames| {
            *frames -= 1;
            *frames > 0
        });
        let (down, taps) = (&self.down, &self.taps);
        self.holding
            .retain(|key, _| down.contains(key) || taps.contains_key(key));
    }
}

/// Actions that are keys of the Atari and so go with SHIFT and CONTROL.
fn is_atari_key(action: Action) -> bool {
    matches!(
        action,
        Action::Option
            | Action::Select
            | Action::Start
            | Action::HelpKey
            | Action::Break
            | Action::Inverse
            | Action::Caps
            | Action::Clear
            | Action::Insert
            | Action::Delete
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keyboard(keys: HostKeys) -> Keyboard {
        let mut config = Config::default();
        for &(action, keys, _) in host::config::ACTIONS {
            let chords = keys
                .iter()
                .map(|&k| Chord::try_from(k.to_owned()).unwrap())
                .collect();
            config.keys.insert(action, chords);
        }
        Keyboard::new(&config, keys)
    }

    fn frames(keyboard: &mut Keyboard, count: usize) -> Vec<Option<u8>> {
        (0..count)
            .map(|_| {
                let mut input = Input::default();
                keyboard.frame(&mut input);
                input.key
            })
            .collect()
    }

    fn tap(keyboard: &mut Keyboard, key: Key, character: char) -> Option<Command> {
        let action = keyboard.event(Event::Key(key, true));
        keyboard.event(Event::Char(character));
        keyboard.event(Event::Key(key, false));
        action
    }

    #[test]
    fn taps_shorter_than_a_frame_are_typed_one_after_the_other() {
        let mut keyboard = keyboard(HostKeys::Typing);
        tap(&mut keyboard, Key::A, 'a');
        tap(&mut keyboard, Key::B, 'b');
        assert_eq!(
            frames(&mut keyboard, 6),
            [Some(0x3F), Some(0x3F), None, Some(0x15), Some(0x15), None]
        );
    }

    #[test]
    fn the_shift_of_the_next_key_does_not_change_this_one() {
        let mut keyboard = keyboard(HostKeys::Typing);
        tap(&mut keyboard, Key::Comma, ',');
        keyboard.event(Event::Key(Key::LeftShift, true));
        let mut input = Input::default();
        keyboard.frame(&mut input);
        assert_eq!((input.key, input.shift), (Some(0x20), false));
    }

    #[test]
    fn what_the_key_shows_is_typed_whatever_the_layout() {
        let mut keyboard = keyboard(HostKeys::Typing);
        // On a German keyboard Shift+2 is a quote and the key right of L is no semicolon.
        keyboard.event(Event::Key(Key::LeftShift, true));
        tap(&mut keyboard, Key::Key2, '"');
        assert_eq!(frames(&mut keyboard, 1), [Some(0x5E)]);
        keyboard.clear();
        tap(&mut keyboard, Key::RightBracket, '*');
        assert_eq!(frames(&mut keyboard, 1), [Some(0x07)]);
    }

    #[test]
    fn a_held_key_stays_down_and_repeats_of_the_host_do_nothing() {
        let mut keyboard = keyboard(HostKeys::Typing);
        keyboard.event(Event::Key(Key::X, true));
        keyboard.event(Event::Char('x'));
        for _ in 0..10 {
            keyboard.event(Event::Key(Key::X, true));
            keyboard.event(Event::Char('x'));
            assert_eq!(frames(&mut keyboard, 1), [Some(0x16)]);
        }
        keyboard.event(Event::Key(Key::X, false));
        assert_eq!(frames(&mut keyboard, 2), [None, None]);
    }

    #[test]
    fn joystick_keys_do_not_type_and_typing_keys_move_no_stick() {
        for (keys, stick, key) in [
            (HostKeys::Typing, false, Some(0x21)),
            (HostKeys::Stick, true, None),
        ] {
            let mut keyboard = keyboard(keys);
            keyboard.event(Event::Key(Key::Space, true));
            keyboard.event(Event::Char(' '));
            let mut input = Input::default();
            keyboard.frame(&mut input);
            assert_eq!(input.joysticks[0].trigger, stick);
            assert_eq!(input.key, key);
        }
        let mut keyboard = keyboard(HostKeys::Typing);
        keyboard.event(Event::Key(Key::NumPad7, true));
        let mut input = Input::default();
        keyboard.frame(&mut input);
        assert!(input.joysticks[0].up && input.joysticks[0].left && !input.joysticks[0].right);
    }

    #[test]
    fn actions_begin_once_and_their_letters_are_not_typed() {
        let mut keyboard = keyboard(HostKeys::Typing);
        keyboard.event(Event::Key(Key::LeftAlt, true));
        assert_eq!(
            tap(&mut keyboard, Key::S, 's'),
            Some(Command::Act(Action::SaveState))
        );
        for key in [Key::Key7, Key::NumPad7] {
            assert_eq!(tap(&mut keyboard, key, '7'), Some(Command::Slot(7)));
        }
        keyboard.event(Event::Key(Key::LeftAlt, false));
        assert_eq!(frames(&mut keyboard, 3), [None; 3]);
        assert_eq!(
            keyboard.event(Event::Key(Key::F5, true)),
            Some(Command::Act(Action::Reset))
        );
        keyboard.event(Event::Key(Key::F5, false));
        keyboard.event(Event::Key(Key::LeftShift, true));
        assert_eq!(
            keyboard.event(Event::Key(Key::F5, true)),
            Some(Command::Act(Action::ColdStart))
        );
    }

    #[test]
    fn a_digit_with_shift_and_alt_is_a_slot_where_the_layout_has_digits_with_shift() {
        let mut keyboard = keyboard(HostKeys::Typing);
        keyboard.event(Event::Key(Key::LeftAlt, true));
        keyboard.event(Event::Key(Key::LeftShift, true));
        // The French key of 5 is reported by its character alone, that of 4 as an apostrophe.
        assert_eq!(keyboard.event(Event::Char('5')), Some(Command::Slot(5)));
        keyboard.event(Event::Key(Key::Apostrophe, true));
        assert_eq!(keyboard.event(Event::Char('4')), Some(Command::Slot(4)));
        // A key that is a command already is no slot as well.
        tap(&mut keyboard, Key::Key7, '7');
        assert_eq!(
            keyboard.event(Event::Key(Key::Key7, true)),
            Some(Command::Slot(7))
        );
        assert_eq!(keyboard.event(Event::Char('7')), None);
    }

    #[test]
    fn console_keys_last_at_least_two_frames() {
        let mut keyboard = keyboard(HostKeys::Typing);
        keyboard.event(Event::Key(Key::F4, true));
        keyboard.event(Event::Key(Key::F4, false));
        let starts: Vec<bool> = (0..3)
            .map(|_| {
                let mut input = Input::default();
                keyboard.frame(&mut input);
                input.start
            })
            .collect();
        assert_eq!(starts, [true, true, false]);
    }

    #[test]
    fn the_lock_of_the_host_is_not_the_caps_of_the_atari() {
        let mut keyboard = keyboard(HostKeys::Typing);
        // With the lock on, the host reports capitals, and small letters with Shift.
        tap(&mut keyboard, Key::A, 'A');
        assert_eq!(frames(&mut keyboard, 2), [Some(0x3F); 2]);
        keyboard.clear();
        keyboard.event(Event::Key(Key::LeftShift, true));
        tap(&mut keyboard, Key::A, 'a');
        assert_eq!(frames(&mut keyboard, 2), [Some(0x7F); 2]);
        keyboard.clear();
        // CAPS is a tap, however long the key is down.
        keyboard.event(Event::Key(Key::CapsLock, true));
        let caps = Some(code::CAPS);
        assert_eq!(frames(&mut keyboard, 4), [caps, caps, None, None]);
    }

    #[test]
    fn alt_gr_and_option_type_and_run_no_command() {
        let mut keyboard = keyboard(HostKeys::Typing);
        // AltGr as left Ctrl and right Alt; on a German keyboard it makes a Q an at sign.
        keyboard.event(Event::Key(Key::LeftCtrl, true));
        keyboard.event(Event::Key(Key::RightAlt, true));
        assert_eq!(tap(&mut keyboard, Key::S, 'ś'), None);
        assert_eq!(tap(&mut keyboard, Key::Key7, '7'), None);
        tap(&mut keyboard, Key::Q, '@');
        let typed = frames(&mut keyboard, 5);
        assert_eq!((typed[0], typed[3]), (Some(0x33), Some(0x75)));
        keyboard.clear();
        keyboard.option_types = true;
        keyboard.event(Event::Key(Key::LeftAlt, true));
        assert_eq!(tap(&mut keyboard, Key::S, 'ß'), None);
        assert_eq!(tap(&mut keyboard, Key::Key7, '|'), None);
        assert_eq!(frames(&mut keyboard, 1), [Some(0x4F)]);
        let full = Some(Command::Act(Action::Fullscreen));
        assert_eq!(keyboard.event(Event::Key(Key::Enter, true)), full);
    }

    #[test]
    fn a_key_that_was_spent_on_something_else_does_not_repeat_into_the_atari() {
        let mut keyboard = keyboard(HostKeys::Typing);
        keyboard.event(Event::Key(Key::Escape, true));
        keyboard.let_go();
        keyboard.event(Event::Key(Key::Escape, true));
        assert_eq!(frames(&mut keyboard, 3), [None; 3]);
        keyboard.event(Event::Key(Key::Escape, false));
        keyboard.event(Event::Key(Key::Escape, true));
        assert_eq!(frames(&mut keyboard, 1), [Some(code::ESC)]);
    }

    #[test]
    fn a_key_stays_what_it_was_when_it_went_down() {
        let mut keyboard = keyboard(HostKeys::Stick);
        keyboard.event(Event::Key(Key::Space, true));
        keyboard.keys = HostKeys::Typing;
        let mut input = Input::default();
        for _ in 0..5 {
            keyboard.frame(&mut input);
            assert!(input.joysticks[0].trigger && input.key.is_none());
        }
        keyboard.event(Event::Key(Key::Space, false));
        keyboard.frame(&mut input);
        assert!(!input.joysticks[0].trigger);
        tap(&mut keyboard, Key::Space, ' ');
        keyboard.keys = HostKeys::Stick;
        keyboard.frame(&mut input);
        assert!(!input.joysticks[0].trigger && input.key == Some(0x21));
    }
}
