//! Gamepads as joysticks, and as the keys of the menu: the first one is joystick 1, the second joystick 2.
use host::config::{GamepadButtons, PadButton};
use machine::Input;
use minifb::Key;
use std::time::{Duration, Instant};

/// A direction that is held repeats after this time, ...
const DELAY: Duration = Duration::from_millis(400);
/// ... and then so often.
const REPEAT: Duration = Duration::from_millis(125);

/// The held buttons and directions of a gamepad.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Pad {
    /// Up, down, left, right: the stick half way out, or the cross.
    directions: [bool; 4],
    buttons: Vec<PadButton>,
}

impl Pad {
    fn has_any(&self, buttons: &[PadButton]) -> bool {
        buttons.iter().any(|button| self.buttons.contains(button))
    }

    fn is_idle(&self) -> bool {
        *self == Self::default()
    }

    /// Adds what is held to a joystick and the console keys.
    fn play(&self, stick: &mut machine::Joystick, console: [&mut bool; 3], roles: &GamepadButtons) {
        let [up, down, left, right] = self.directions;
        stick.up |= up;
        stick.down |= down;
        stick.left |= left;
        stick.right |= right;
        stick.trigger |= self.has_any(&roles.trigger);
        for (key, buttons) in console
            .into_iter()
            .zip([&roles.start, &roles.select, &roles.option])
        {
            *key |= self.has_any(buttons);
        }
    }

    /// The keys of the menu that are held.
    fn keys(&self) -> Vec<Key> {
        let arrows = [Key::Up, Key::Down, Key::Left, Key::Right].into_iter();
        let arrows = arrows.zip(self.directions).filter(|(_, held)| *held);
        let keys = MENU
            .iter()
            .filter(|(button, _)| self.buttons.contains(button));
        let keys = keys.map(|(_, key)| *key);
        arrows.map(|(key, _)| key).chain(keys).collect()
    }
}

/// Keys of the menu that buttons are while it is open.
const MENU: [(PadButton, Key); 7] = [
    (PadButton::South, Key::Enter),
    (PadButton::East, Key::Escape),
    (PadButton::West, Key::Tab),
    (PadButton::North, Key::Insert),
    (PadButton::LeftShoulder, Key::PageUp),
    (PadButton::RightShoulder, Key::PageDown),
    (PadButton::Mode, Key::Escape),
];

/// Gamepads in the menu: each press is one tap of a key, and directions repeat.
#[derive(Debug, Default)]
struct MenuKeys {
    held: Vec<Key>,
    /// When the directions that are held count again.
    again: Option<Instant>,
    /// A button that was held when the menu closed counts for the Atari once it has been let go.
    waits: bool,
}

impl MenuKeys {
    /// The keys that are tapped now.
    fn taps(&mut self, pads: &[Pad], now: Instant) -> Vec<Key> {
        let mut held: Vec<Key> = pads.iter().flat_map(Pad::keys).collect();
        if !std::mem::replace(&mut self.waits, true) {
            // What was held when the menu opened is of the game.
            self.held.clone_from(&held);
        }
        let is_arrow = |key: &Key| matches!(key, Key::Up | Key::Down | Key::Left | Key::Right);
        let new = |key: &Key| !self.held.contains(key);
        let mut taps: Vec<Key> = held.iter().copied().filter(new).collect();
        if taps.iter().any(is_arrow) {
            self.again = Some(now + DELAY);
        } else if self.again.is_some_and(|again| again <= now) {
            let arrows: Vec<Key> = held.iter().copied().filter(is_arrow).collect();
            self.again = (!arrows.is_empty()).then(|| now + REPEAT);
            taps.extend(arrows);
        }
        std::mem::swap(&mut self.held, &mut held);
        taps
    }

    /// True if the Atari has the pads.
    fn lets_play(&mut self, pads: &[Pad]) -> bool {
        self.waits &= !pads.iter().all(Pad::is_idle);
        self.again = None;
        !self.waits
    }
}

/// The gamepads of the host.
#[derive(Debug, Default)]
pub struct Gamepads {
    #[cfg(feature = "gamepad")]
    gilrs: Option<gilrs::Gilrs>,
    menu: MenuKeys,
    /// The button that opens the menu was down.
    opening: bool,
}

impl Gamepads {
    /// Adds what the gamepads do to `input`: stick or cross as joystick, buttons as the configuration says.
    pub fn frame(&mut self, roles: &GamepadButtons, input: &mut Input) {
        let pads = self.pads();
        if !self.menu.lets_play(&pads) {
            return;
        }
        for (stick, pad) in input.joysticks.iter_mut().zip(&pads) {
            let console = [&mut input.start, &mut input.select, &mut input.option];
            pad.play(stick, console, roles);
        }
    }

    /// Keys of the menu that were tapped on gamepads since the last call.
    pub fn menu_keys(&mut self, now: Instant) -> Vec<Key> {
        let pads = self.pads();
        self.opening = true;
        self.menu.taps(&pads, now)
    }

    /// True if a button that opens the menu has gone down since the last call.
    pub fn opens_menu(&mut self, roles: &GamepadButtons) -> bool {
        let down = self.pads().iter().any(|pad| pad.has_any(&roles.menu));
        let before = std::mem::replace(&mut self.opening, down);
        down && !before
    }
}

#[cfg(feature = "gamepad")]
impl Gamepads {
    /// Looks for gamepads; without any, or without the system's support for them, there are none.
    pub fn new() -> Self {
        Self {
            gilrs: gilrs::Gilrs::new().ok(),
            ..Self::default()
        }
    }

    /// The held buttons of each of them.
    fn pads(&mut self) -> Vec<Pad> {
        let Some(gilrs) = &mut self.gilrs else {
            return Vec::new();
        };
        while gilrs.next_event().is_some() {}
        gilrs.gamepads().map(|(_, pad)| held(&pad)).collect()
    }
}

/// The held buttons and directions of a gamepad.
#[cfg(feature = "gamepad")]
fn held(pad: &gilrs::Gamepad<'_>) -> Pad {
    use gilrs::{Axis, Button};
    /// Half way out counts as pushed.
    const PUSHED: f32 = 0.5;
    let (x, y) = (pad.value(Axis::LeftStickX), pad.value(Axis::LeftStickY));
    let down = |button: PadButton| pad.is_pressed(to_gilrs(button));
    Pad {
        directions: [
            y > PUSHED || pad.is_pressed(Button::DPadUp),
            y < -PUSHED || pad.is_pressed(Button::DPadDown),
            x < -PUSHED || pad.is_pressed(Button::DPadLeft),
            x > PUSHED || pad.is_pressed(Button::DPadRight),
        ],
        buttons: PadButton::ALL
            .into_iter()
            .filter(|&button| down(button))
            .collect(),
    }
}

/// The button that gilrs means.
#[cfg(feature = "gamepad")]
fn to_gilrs(name: PadButton) -> gilrs::Button {
    use gilrs::Button;
    match name {
        PadButton::South => Button::South,
        PadButton::East => Button::East,
        PadButton::North => Button::North,
        PadButton::West => Button::West,
        PadButton::LeftShoulder => Button::LeftTrigger,
        PadButton::RightShoulder => Button::RightTrigger,
        PadButton::LeftTrigger => Button::LeftTrigger2,
        PadButton::RightTrigger => Button::RightTrigger2,
        PadButton::Start => Button::Start,
        PadButton::Select => Button::Select,
        PadButton::Mode => Button::Mode,
    }
}

#[cfg(not(feature = "gamepad"))]
impl Gamepads {
    /// This build knows no gamepads.
    pub fn new() -> Self {
        Self::default()
    }

    fn pads(&mut self) -> Vec<Pad> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pad(directions: [bool; 4], buttons: &[PadButton]) -> [Pad; 1] {
        [Pad {
            directions,
            buttons: buttons.to_vec(),
        }]
    }

    const IDLE: [bool; 4] = [false; 4];
    const DOWN: [bool; 4] = [false, true, false, false];

    #[test]
    fn in_the_menu_buttons_tap_keys_and_directions_repeat() {
        let mut menu = MenuKeys::default();
        let start = Instant::now();
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        // The button that is held while the menu opens is of the game.
        let fire = pad(IDLE, &[PadButton::South]);
        assert!(menu.taps(&fire, at(0)).is_empty());
        assert!(menu.taps(&pad(IDLE, &[]), at(16)).is_empty());
        assert_eq!(menu.taps(&fire, at(32)), [Key::Enter]);
        assert!(
            menu.taps(&fire, at(2000)).is_empty(),
            "buttons do not repeat"
        );
        let down = pad(DOWN, &[]);
        let taps: Vec<u64> = (2100..3200)
            .step_by(20)
            .filter(|&time| menu.taps(&down, at(time)) == [Key::Down])
            .collect();
        assert_eq!(taps, [2100, 2500, 2640, 2780, 2920, 3060]);
        for (button, key) in MENU {
            menu.taps(&pad(IDLE, &[]), at(5000));
            assert_eq!(menu.taps(&pad(IDLE, &[button]), at(5000)), [key]);
        }
    }

    #[test]
    fn what_closed_the_menu_is_no_trigger_of_the_game() {
        let mut menu = MenuKeys::default();
        let now = Instant::now();
        menu.taps(&pad(IDLE, &[]), now);
        let choose = pad(IDLE, &[PadButton::South]);
        assert_eq!(menu.taps(&choose, now), [Key::Enter]);
        assert!(!menu.lets_play(&choose));
        assert!(menu.lets_play(&pad(IDLE, &[])));
        assert!(menu.lets_play(&choose));
    }

    #[test]
    fn a_pad_is_a_joystick_with_console_keys() {
        let roles = GamepadButtons::default();
        let [pad] = pad(DOWN, &[PadButton::East, PadButton::North]);
        let mut input = Input::default();
        let console = [&mut input.start, &mut input.select, &mut input.option];
        pad.play(&mut input.joysticks[1], console, &roles);
        let stick = &input.joysticks[1];
        assert!(stick.down && stick.trigger && !stick.up && !stick.left && !stick.right);
        assert!(input.option && !input.start && !input.select);
    }
}
