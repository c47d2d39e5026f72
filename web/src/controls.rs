//! Controls: keys, joysticks, paddles, typed texts.
use crate::emulator::Emulator;
use crate::journal::Call;
use crate::listing::{self, Mistake};
use crate::words::Keys;
use session::{HostKeys, keys};
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

    /// A paddle: 0 to 228, and its button.
    pub fn paddle(&mut self, number: usize, position: u8, button: bool) {
        let controls = self.session.controls();
        if let Some(paddle) = controls.paddles.get_mut(number) {
            *paddle = position.min(228);
            controls.paddle_triggers[number] = button;
        }
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
