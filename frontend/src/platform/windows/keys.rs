//! Keys that minifb does not report, or not as they are.
use super::{Message, Watch, watch};
use crate::platform::modifiers::{Modifier, Modifiers, Report};
use minifb::{InputCallback, Window};
use std::cell::{Cell, RefCell};
use ui::keys::Events;
use windows_sys::Win32::UI::Input::KeyboardAndMouse::{VK_CONTROL, VK_F4, VK_MENU};
use windows_sys::Win32::UI::WindowsAndMessaging::{
    KF_ALTDOWN, KF_EXTENDED, PostMessageW, WM_CLOSE, WM_KEYDOWN, WM_KEYUP, WM_KILLFOCUS,
    WM_SYSKEYDOWN, WM_SYSKEYUP,
};

struct Keys {
    events: RefCell<Events>,
    modifiers: Cell<Modifiers>,
}

/// From now on the events of a window have its Alt keys.
pub fn listen(window: &Window, events: &Events) {
    let keys = Keys {
        events: RefCell::new(events.clone()),
        modifiers: Cell::default(),
    };
    watch(window, keys);
}

impl Watch for Keys {
    const ID: usize = 1;

    fn takes(&self, message: &Message) -> bool {
        let down = match message.number {
            WM_KEYDOWN | WM_SYSKEYDOWN => true,
            WM_KEYUP | WM_SYSKEYUP => false,
            WM_KILLFOCUS => {
                self.modifiers.take();
                return false;
            }
            _ => return false,
        };
        let flags = (message.lparam >> 16) as u32;
        let (extended, alt) = (flags & KF_EXTENDED != 0, flags & KF_ALTDOWN != 0);
        let modifier = match message.wparam as u16 {
            VK_CONTROL if !extended => Modifier::LeftCtrl,
            VK_MENU if extended => Modifier::RightAlt,
            VK_MENU => Modifier::LeftAlt,
            VK_F4 if alt && down => {
                // SAFETY: a message without data to a window of ours.
                unsafe { PostMessageW(message.window, WM_CLOSE, 0, 0) };
                return true;
            }
            _ => return false,
        };
        let mut modifiers = self.modifiers.get();
        let report = modifiers.take(modifier, down);
        self.modifiers.set(modifiers);
        if let Report::Key(key, down) = report {
            self.events.borrow_mut().set_key_state(key, down);
        }
        report != Report::Pass
    }
}
