//! Gamepads as joysticks: the first one is joystick 1, the second joystick 2.
use machine::Input;

/// The gamepads of the host.
#[derive(Debug, Default)]
pub struct Gamepads {
    #[cfg(feature = "gamepad")]
    gilrs: Option<gilrs::Gilrs>,
}

#[cfg(feature = "gamepad")]
impl Gamepads {
    /// Looks for gamepads; without any, or without the system's support for them, there are none.
    pub fn new() -> Self {
        Self {
            gilrs: gilrs::Gilrs::new().ok(),
        }
    }

    /// Adds what the gamepads do to `input`: stick or cross, the lower and right buttons as trigger, Start as START, Select as
    /// SELECT, the upper button as OPTION.
    pub fn frame(&mut self, input: &mut Input) {
        use gilrs::{Axis, Button};
        /// Half way out counts as pushed.
        const PUSHED: f32 = 0.5;
        let Some(gilrs) = &mut self.gilrs else {
            return;
        };
        while gilrs.next_event().is_some() {}
        for (stick, (_, pad)) in input.joysticks.iter_mut().zip(gilrs.gamepads()) {
            let (x, y) = (pad.value(Axis::LeftStickX), pad.value(Axis::LeftStickY));
            stick.up |= y > PUSHED || pad.is_pressed(Button::DPadUp);
            stick.down |= y < -PUSHED || pad.is_pressed(Button::DPadDown);
            stick.left |= x < -PUSHED || pad.is_pressed(Button::DPadLeft);
            stick.right |= x > PUSHED || pad.is_pressed(Button::DPadRight);
            stick.trigger |= pad.is_pressed(Button::South) || pad.is_pressed(Button::East);
            input.start |= pad.is_pressed(Button::Start);
            input.select |= pad.is_pressed(Button::Select);
            input.option |= pad.is_pressed(Button::North);
        }
    }
}

#[cfg(not(feature = "gamepad"))]
impl Gamepads {
    /// This build knows no gamepads.
    pub fn new() -> Self {
        Self::default()
    }

    /// Changes nothing.
    pub fn frame(&mut self, _input: &mut Input) {}
}
