//! Controls: keys, joysticks, the mouse, typed texts.
use crate::emulator::Emulator;
use crate::journal::Call;
use crate::listing::{self, Mistake};
use crate::options::Choice;
use crate::words::{Keys, MouseRole};
use machine::{Frame, Input};
use session::mouse::{self, Mouse, Shown};
use session::{HostKeys, Session, keys};
use wasm_bindgen::prelude::wasm_bindgen;

impl From<HostKeys> for Keys {
    fn from(keys: HostKeys) -> Self {
        match keys {
            HostKeys::Typing => Self::Typing,
            HostKeys::Stick => Self::Stick,
            HostKeys::StickAndSpace => Self::StickAndSpace,
            HostKeys::Sticks => Self::Sticks,
        }
    }
}

/// Frames that a click counts at least: programs look once a frame or less.
const CLICK: u8 = 3;

impl From<mouse::MouseRole> for MouseRole {
    fn from(role: mouse::MouseRole) -> Self {
        match role {
            mouse::MouseRole::Off => Self::Off,
            mouse::MouseRole::Paddles => Self::Paddles,
            mouse::MouseRole::LightPen => Self::LightPen,
            mouse::MouseRole::LightGun => Self::LightGun,
            mouse::MouseRole::StMouse => Self::StMouse,
            mouse::MouseRole::AmigaMouse => Self::AmigaMouse,
            mouse::MouseRole::TrakBall => Self::TrakBall,
        }
    }
}

/// The host's mouse, or a finger, over the page's picture.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pointing {
    mouse: Mouse,
    /// Its place in parts of the picture.
    at: Option<(f32, f32)>,
    /// Width of the picture on the page for a height of 1.
    aspect: f32,
    /// Buttons that are down, and frames for which each still counts as down.
    down: [bool; 2],
    counts: [u8; 2],
}

impl Pointing {
    /// The mouse in the role of the pointing device that a machine has.
    pub(crate) fn of(input: &Input) -> Self {
        Self {
            mouse: Mouse::of(input.pointer),
            ..Self::default()
        }
    }

    /// Sets the paddles and the pointing device of the next frame.
    pub(crate) fn frame(&mut self, session: &mut Session) {
        let free = Input::default();
        let input = session.controls();
        // Controls of the past, to which the machine has gone back, may have one.
        let is_plugged = input.pointer != free.pointer || input.paddles[..2] != free.paddles[..2];
        if self.mouse.role() != mouse::MouseRole::Off || is_plugged {
            self.point(session);
        }
    }

    #[inline(never)]
    fn point(&mut self, session: &mut Session) {
        let model = session.machine().config().model;
        let shown = Shown {
            at: (0, 0),
            size: (Frame::WIDTH, Frame::HEIGHT),
            aspect: self.aspect,
        };
        let mut buttons = self.down;
        for (button, left) in buttons.iter_mut().zip(&mut self.counts) {
            *button |= *left > 0;
            *left = left.saturating_sub(1);
        }
        let input = session.controls();
        self.mouse.frame(input, model, shown, self.at, buttons);
    }
}

/// The mouse as a controller.
#[wasm_bindgen]
impl Emulator {
    /// Its roles: the name of each, and the role in a few words, after "the mouse".
    pub fn mouse_roles() -> Vec<Choice> {
        let roles = mouse::MouseRole::ALL.map(|role| Choice {
            option: "mouse".to_owned(),
            value: role.name().to_owned(),
            text: role.about().to_owned(),
            models: Vec::new(),
        });
        roles.into()
    }

    /// Its present role.
    pub fn mouse_role(&self) -> MouseRole {
        self.pointing.mouse.role().into()
    }

    /// Takes a role.
    pub fn choose_mouse(&mut self, role: MouseRole) {
        let mut all = mouse::MouseRole::ALL.into_iter();
        let role = all.find(|&known| MouseRole::from(known) == role);
        self.pointing = Pointing {
            mouse: Mouse::new(role.unwrap_or_default()),
            ..Pointing::default()
        };
    }

    /// Takes the next role, and gives it.
    pub fn next_mouse(&mut self) -> MouseRole {
        let next = self.pointing.mouse.role().next().into();
        self.choose_mouse(next);
        next
    }

    /// The mouse is there, in parts of the picture to the right and down, 0 to 1 over it; `aspect` is the picture's width on the page for a height
    /// of 1. Buttons: bit 0 the left, 1 the right one.
    pub fn mouse_at(&mut self, x: f32, y: f32, aspect: f32, buttons: u8) {
        let pointing = &mut self.pointing;
        pointing.at = Some((x, y));
        pointing.aspect = aspect;
        for button in 0..2 {
            let is_down = buttons & 1 << button != 0;
            if is_down && !pointing.down[button] {
                pointing.counts[button] = CLICK;
            }
            pointing.down[button] = is_down;
        }
    }

    /// The mouse has left the page, or the finger the picture: wherever it comes back, that is no move.
    pub fn mouse_away(&mut self) {
        self.pointing.mouse.lift();
        self.pointing.down = [false; 2];
    }
}

/// Roles of arrows and Space.
#[wasm_bindgen]
impl Emulator {
    /// Present role of arrows and Space.
    pub fn host_keys(&self) -> Keys {
        self.session.host_keys().into()
    }

    /// The user's choice of it.
    pub fn keys_choice(&self) -> Keys {
        let choice = self.session.host_keys_choice();
        choice.map_or(Keys::Auto, Keys::from)
    }

    /// Takes a choice.
    pub fn choose_keys(&mut self, keys: Keys) {
        let mut choices = HostKeys::CHOICES.into_iter();
        let choice = choices.find(|&choice| Keys::from(choice) == keys);
        self.session.choose_host_keys(choice);
    }

    /// Takes the next choice, and gives it.
    pub fn next_keys(&mut self) -> Keys {
        let choice = self.session.host_keys_choice();
        let next = self.session.host_keys().next_choice(choice);
        self.session.choose_host_keys(next);
        self.keys_choice()
    }
}

/// Controls.
#[wasm_bindgen]
impl Emulator {
    /// A joystick: bits 0 to 3 up, down, left, right, bit 4 the trigger.
    pub fn stick(&mut self, port: usize, bits: u8) {
        let bit = |n: u8| bits & 1 << n != 0;
        let controls = self.session.controls();
        controls.joystick(port).push(bit(0), bit(1), bit(2), bit(3));
        controls.joystick(port).trigger = bit(4);
    }

    /// A key goes down, from the host's keyboard or the one on the screen, with its KBCODE.
    pub fn press_key(&mut self, source: String, code: u8) {
        self.typed.press(source, code);
    }

    /// A key goes up.
    pub fn release_key(&mut self, source: &str) {
        self.typed.release(source);
    }

    /// Lets go of all keys.
    pub fn clear_keys(&mut self) {
        self.typed.clear();
    }

    /// The key of the coming frame; `shift`: that key of the host is down.
    pub fn hold_key(&mut self, shift: bool) {
        self.typed.frame(shift, self.session.controls());
    }

    /// The console keys and BREAK: bit 0 START, 1 SELECT, 2 OPTION, 3 BREAK.
    pub fn console(&mut self, bits: u8) {
        let controls = self.session.controls();
        controls.start = bits & 1 != 0;
        controls.select = bits & 2 != 0;
        controls.option = bits & 4 != 0;
        controls.break_key = bits & 8 != 0;
    }

    /// The KBCODE of a character with SHIFT where it needs it, or of a key by its name; negative for none.
    pub fn key_code(name: &str) -> i32 {
        let mut characters = name.chars();
        let code = match (characters.next(), characters.next()) {
            (Some(only), None) => keys::of_char(only),
            _ => keys::of_name(name),
        };
        code.map_or(-1, i32::from)
    }

    /// Types a text with keys in braces, each when the machine waits for one.
    ///
    /// # Errors
    /// The character that the Atari's keyboard does not have.
    pub fn type_text(&mut self, text: &str) -> Result<(), String> {
        let typed = self.session.type_text(text);
        typed.map_err(|error| error.to_string())?;
        self.journal.note(Call::Type(text.to_owned()));
        Ok(())
    }

    /// Types a text from somewhere else as fast as the machine takes it. Gives the number of characters that the Atari does not have.
    pub fn paste(&mut self, text: &str) -> usize {
        self.journal.note(Call::Paste(text.to_owned()));
        self.session.paste(text)
    }

    /// True if something is still to be typed.
    pub fn is_typing(&self) -> bool {
        !self.session.is_idle()
    }

    /// Forgets what is left of a pasted text.
    pub fn stop_pasting(&mut self) {
        self.session.stop_pasting();
        self.journal.note(Call::StopPasting);
    }

    /// The mistakes of a listing, in the order of its text.
    pub fn check_listing(text: &str) -> Vec<Mistake> {
        listing::mistakes(text)
    }

    /// The listing of the program in the machine's memory.
    ///
    /// # Errors
    /// When it holds none.
    pub fn take_listing(&self) -> Result<String, String> {
        listing::of_machine(self.session.machine())
    }
}
