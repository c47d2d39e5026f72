//! Gamepads as joysticks: the first one is joystick 1, the second joystick 2.
use host::config::GamepadButtons;
#[cfg(feature = "gamepad")]
use host::config::PadButton;
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

    /// Adds what the gamepads do to `input`: stick or cross as joystick, buttons as the configuration says.
    pub fn frame(&mut self, buttons: &GamepadButtons, input: &mut Input) {
        use gilrs::{Axis, Button};
        /// Half way out counts as pushed.
        const PUSHED: f32 = 0.5;
        let Some(gilrs) = &mut self.gilrs else {
            return;
        };
        while gilrs.next_event().is_some() {}
        for (stick, (_, pad)) in input.joysticks.iter_mut().zip(gilrs.gamepads()) {
            let (x, y) = (pad.value(Axis::LeftStickX), pad.value(Axis::LeftStickY));
            let any = |names: &[PadButton]| names.iter().any(|&name| pad.is_pressed(button(name)));
            stick.up |= y > PUSHED || pad.is_pressed(Button::DPadUp);
            stick.down |= y < -PUSHED || pad.is_pressed(Button::DPadDown);
            stick.left |= x < -PUSHED || pad.is_pressed(Button::DPadLeft);
            stick.right |= x > PUSHED || pad.is_pressed(Button::DPadRight);
            stick.trigger |= any(&buttons.trigger);
            input.start |= any(&buttons.start);
            input.select |= any(&buttons.select);
            input.option |= any(&buttons.option);
        }
    }
}

/// The button that gilrs means.
#[cfg(feature = "gamepad")]
fn button(name: PadButton) -> gilrs::Button {
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
    }
}

#[cfg(not(feature = "gamepad"))]
impl Gamepads {
    /// This build knows no gamepads.
    pub fn new() -> Self {
        Self::default()
    }

    /// Changes nothing.
    pub fn frame(&mut self, _buttons: &GamepadButtons, _input: &mut Input) {}
}
