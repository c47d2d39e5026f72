//! The user's entries, wherever they come from: keys, gamepads, mouse, dropped files, the clipboard.
use crate::platform::{self, pointer::Pointer, screen::Drops};
use crate::window::clipboard::Clipboard;
use crate::window::gamepad::Gamepads;
use crate::window::keyboard::Keyboard;
use host::config::Config;
use host::scaler;
use machine::{Input, Model};
use minifb::{Key, MouseButton, Window};
use session::HostKeys;
use session::mouse::{Mouse, MouseRole, Shown};
use std::path::PathBuf;
use std::time::Instant;
use ui::keys::{Event, Events};
use ui::mouse::{Buttons, Event as Click};

/// The user's hands.
pub(super) struct Controls {
    pub keyboard: Keyboard,
    pub clipboard: Clipboard,
    /// The mouse's part for the Atari.
    pub mouse: Mouse,
    events: Events,
    gamepads: Gamepads,
    drops: Drops,
    pointer: Pointer,
    /// Events of the mouse since the turn before.
    clicks: Vec<Click>,
    buttons: Buttons,
    was_active: bool,
}

impl Controls {
    /// From now on what is entered into the window is collected.
    pub fn of(window: &mut Window, config: &Config, keys: HostKeys, mouse: MouseRole) -> Self {
        let events = Events::default();
        platform::events::listen(window, &events);
        Self {
            keyboard: Keyboard::new(config, keys),
            clipboard: Clipboard::default(),
            mouse: Mouse::new(mouse),
            events,
            gamepads: Gamepads::new(),
            drops: Drops::accept(window),
            pointer: Pointer::over(window),
            clicks: Vec::new(),
            buttons: Buttons::default(),
            was_active: false,
        }
    }

    /// Other settings: keys and joystick keys.
    pub fn configure(&mut self, config: &Config) {
        self.keyboard = Keyboard::new(config, self.keyboard.keys);
    }

    /// The oldest event that was not taken yet.
    pub fn next(&self) -> Option<Event> {
        self.events.next()
    }

    /// The files that were dropped onto the window just now; an empty list for what is no file.
    pub fn dropped(&mut self) -> Option<Vec<PathBuf>> {
        self.drops.take()
    }

    /// True if the window has got or lost the keyboard since the last call. A key that is down when it is lost is let go.
    pub fn has_changed_focus(&mut self, window: &Window) -> bool {
        let active = window.is_active();
        let changed = std::mem::replace(&mut self.was_active, active) != active;
        if changed && !active {
            self.keyboard.clear();
        }
        changed
    }

    /// Looks at what the mouse did since the last call.
    pub fn look_at_mouse(&mut self, window: &Window) {
        self.clicks = self.pointer.events(window);
        self.buttons.frame(&self.clicks);
    }

    /// Events of the mouse in this turn.
    pub fn clicks(&self) -> &[Click] {
        &self.clicks
    }

    /// Keys of the menu that were tapped on gamepads.
    pub fn menu_keys(&mut self) -> Vec<Key> {
        self.gamepads.menu_keys(Instant::now())
    }

    /// True if a gamepad opens the menu.
    pub fn pad_opens_menu(&mut self, config: &Config) -> bool {
        self.gamepads.opens_menu(&config.gamepads)
    }

    /// True if the right mouse button went down in this turn and means the menu.
    pub fn is_right_clicked(&self) -> bool {
        self.mouse.role() == MouseRole::Off && self.buttons.is_pressed(MouseButton::Right)
    }

    /// Releases the Atari's controls while the menu takes all input.
    pub fn let_go(&mut self, input: &mut Input) {
        self.keyboard.frame(&mut Input::default());
        self.mouse.let_go();
        *input = Input::default();
    }

    /// The Atari's controls during the next frame. The picture is at `place` in the window.
    pub fn frame(
        &mut self,
        window: &Window,
        place: scaler::Place,
        config: &Config,
        model: Model,
        input: &mut Input,
    ) {
        self.keyboard.frame(input);
        self.gamepads.frame(&config.gamepads, input);
        let at = window.get_mouse_pos(minifb::MouseMode::Pass);
        let buttons = [MouseButton::Left, MouseButton::Right];
        let buttons = buttons.map(|button| self.buttons.is_down(button));
        let part = |at: f32, from: usize, size: usize| (at - from as f32) / size.max(1) as f32;
        let at = at.map(|(x, y)| {
            let across = part(x, place.x, place.width);
            (across, part(y, place.y, place.height))
        });
        let part = config.window.overscan.part();
        let shown = Shown {
            at: (part.x, part.y),
            size: (part.width, part.height),
            aspect: place.width as f32 / place.height.max(1) as f32,
        };
        self.mouse.frame(input, model, shown, at, buttons);
    }
}
