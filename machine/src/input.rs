//! The controls of the machine: keyboard, joysticks, paddles, pointing devices, console keys.
mod stored;

use crate::pointer::Pointer;

/// A joystick's switches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Joystick {
    /// Pushed away from the player.
    pub up: bool,
    /// Pulled towards the player.
    pub down: bool,
    /// Pushed left.
    pub left: bool,
    /// Pushed right.
    pub right: bool,
    /// The red button.
    pub trigger: bool,
}

/// # Moves
/// Each gives the joystick back for the next: `joystick.left().press()`. A diagonal is `joystick.push(true, false, true, false)`.
impl Joystick {
    /// Pushes the stick up only.
    pub fn up(&mut self) -> &mut Self {
        self.push(true, false, false, false)
    }

    /// Pulls the stick down only.
    pub fn down(&mut self) -> &mut Self {
        self.push(false, true, false, false)
    }

    /// Pushes the stick left only.
    pub fn left(&mut self) -> &mut Self {
        self.push(false, false, true, false)
    }

    /// Pushes the stick right only.
    pub fn right(&mut self) -> &mut Self {
        self.push(false, false, false, true)
    }

    /// Lets the stick go back to its centre.
    pub fn centre(&mut self) -> &mut Self {
        self.push(false, false, false, false)
    }

    /// Closes the switches of these directions, and opens the others.
    pub fn push(&mut self, up: bool, down: bool, left: bool, right: bool) -> &mut Self {
        (self.up, self.down, self.left, self.right) = (up, down, left, right);
        self
    }

    /// Presses the trigger.
    pub fn press(&mut self) -> &mut Self {
        self.trigger = true;
        self
    }

    /// Releases the trigger.
    pub fn release(&mut self) -> &mut Self {
        self.trigger = false;
        self
    }
}

impl Joystick {
    /// The four direction lines as in PORTA: bit 0 up, 1 down, 2 left, 3 right; 0 = pushed.
    #[must_use]
    pub fn lines(self) -> u8 {
        0x0F & !(u8::from(self.up)
            | u8::from(self.down) << 1
            | u8::from(self.left) << 2
            | u8::from(self.right) << 3)
    }
}

/// All controls. Set it between runs of the machine; it acts at the next cycle that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// Joysticks in ports 1 to 4 (XL and XE have ports 1 and 2).
    pub joysticks: [Joystick; 4],
    /// Paddle positions 0 to 228 as POT0-POT7 count them; 228 = not connected.
    pub paddles: [u8; 8],
    /// Paddle triggers pull the port's direction lines: pressed paddle buttons 0-7.
    pub paddle_triggers: [bool; 8],
    /// The key that is down, as KBCODE shows it: bits 0-5 the key, $40 SHIFT, $80 CONTROL.
    pub key: Option<u8>,
    /// Only SHIFT is down (SKSTAT bit 3); a `key` with $40 implies it.
    pub shift: bool,
    /// The BREAK key is down.
    pub break_key: bool,
    /// START is down.
    pub start: bool,
    /// SELECT is down.
    pub select: bool,
    /// OPTION is down.
    pub option: bool,
    /// A light pen, light gun or mouse.
    pub pointer: Pointer,
}

impl Default for Input {
    fn default() -> Self {
        Self {
            joysticks: [Joystick::default(); 4],
            paddles: [228; 8],
            paddle_triggers: [false; 8],
            key: None,
            shift: false,
            break_key: false,
            start: false,
            select: false,
            option: false,
            pointer: Pointer::default(),
        }
    }
}

impl Input {
    /// The joystick in port 0 to 3; of a higher number, the one in its two lowest bits.
    pub fn joystick(&mut self, port: usize) -> &mut Joystick {
        &mut self.joysticks[port & 3]
    }

    /// The pins of a PIA port as joysticks and paddles set them: `port` 0 = PORTA (joysticks 1 and 2), 1 = PORTB (joysticks 3 and 4 of the 400/800).
    #[must_use]
    pub fn port_pins(&self, port: usize) -> u8 {
        let base = (port * 2) & 2;
        let mut pins = self.joysticks[base].lines() | self.joysticks[base + 1].lines() << 4;
        // Paddle buttons are wired to the left and right lines of the stick.
        for (i, line) in [2, 3, 6, 7].into_iter().enumerate() {
            if self.paddle_triggers[base * 2 + i] {
                pins &= !(1 << line);
            }
        }
        pins
    }

    /// The console keys as CONSOL shows them: bit 0 START, 1 SELECT, 2 OPTION; 0 = down.
    #[must_use]
    pub fn console_pins(&self) -> u8 {
        7 & !(u8::from(self.start) | u8::from(self.select) << 1 | u8::from(self.option) << 2)
    }
}
