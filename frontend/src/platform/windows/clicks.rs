//! Buttons and wheel of the mouse over a window, message by message. minifb keeps their state, in which a click that is over before the window
//! is asked leaves no trace, and counts 120 notches of the wheel for one.
use super::{Message, Watch, watch};
use minifb::{MouseButton, Window};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use ui::mouse::{BUTTONS, Event, NOTCH};
use windows_sys::Win32::UI::Input::KeyboardAndMouse::{ReleaseCapture, SetCapture};
use windows_sys::Win32::UI::WindowsAndMessaging::{
    WHEEL_DELTA, WM_CAPTURECHANGED, WM_LBUTTONDBLCLK, WM_LBUTTONDOWN, WM_LBUTTONUP,
    WM_MBUTTONDBLCLK, WM_MBUTTONDOWN, WM_MBUTTONUP, WM_MOUSEHWHEEL, WM_MOUSEWHEEL,
    WM_RBUTTONDBLCLK, WM_RBUTTONDOWN, WM_RBUTTONUP,
};

/// Collects the clicks.
pub struct Clicks(Rc<RefCell<Vec<Event>>>);

struct Mouse {
    events: Rc<RefCell<Vec<Event>>>,
    /// The buttons that are down. Until the last is up, the window gets the mouse's messages from wherever the mouse is.
    down: Cell<[bool; BUTTONS.len()]>,
    at: Cell<(f32, f32)>,
}

impl Clicks {
    /// minifb has no events that are not here.
    pub const COMPLETE: bool = true;

    /// From now on the mouse's messages to a window are collected.
    #[allow(clippy::unnecessary_wraps)] // Other systems may not have it.
    pub fn over(window: &Window) -> Option<Self> {
        let events = Rc::default();
        let mouse = Mouse {
            events: Rc::clone(&events),
            down: Cell::default(),
            at: Cell::default(),
        };
        watch(window, mouse);
        Some(Self(events))
    }

    /// The events since the last call.
    pub fn take(&mut self) -> Vec<Event> {
        self.0.take()
    }
}

impl Watch for Mouse {
    const ID: usize = 3;

    fn takes(&self, message: &Message) -> bool {
        let (button, down) = match message.number {
            WM_LBUTTONDOWN | WM_LBUTTONDBLCLK => (MouseButton::Left, true),
            WM_LBUTTONUP => (MouseButton::Left, false),
            WM_MBUTTONDOWN | WM_MBUTTONDBLCLK => (MouseButton::Middle, true),
            WM_MBUTTONUP => (MouseButton::Middle, false),
            WM_RBUTTONDOWN | WM_RBUTTONDBLCLK => (MouseButton::Right, true),
            WM_RBUTTONUP => (MouseButton::Right, false),
            WM_MOUSEWHEEL | WM_MOUSEHWHEEL => {
                let turned = high(message.wparam as u32) / WHEEL_DELTA as f32 * NOTCH;
                self.events
                    .borrow_mut()
                    .push(if message.number == WM_MOUSEWHEEL {
                        Event::Wheel(0.0, turned)
                    } else {
                        Event::Wheel(turned, 0.0)
                    });
                return true;
            }
            WM_CAPTURECHANGED => {
                // Another window has the mouse, and this one does not hear of the buttons any more.
                for button in BUTTONS {
                    self.button(button, false);
                }
                return false;
            }
            _ => return false,
        };
        let place = message.lparam as u32;
        self.at.set((low(place), high(place)));
        let held = |mouse: &Self| mouse.down.get().contains(&true);
        let was_held = held(self);
        self.button(button, down);
        // SAFETY: plain calls, and the window is this thread's.
        unsafe {
            match (was_held, held(self)) {
                (false, true) => _ = SetCapture(message.window),
                (true, false) => _ = ReleaseCapture(),
                _ => {}
            }
        }
        false
    }
}

impl Mouse {
    /// Takes over that a button is up or down.
    fn button(&self, button: MouseButton, down: bool) {
        let mut all = self.down.get();
        let place = BUTTONS.iter().position(|known| *known == button);
        if let Some(place) = place
            && std::mem::replace(&mut all[place], down) != down
        {
            self.down.set(all);
            let at = self.at.get();
            self.events
                .borrow_mut()
                .push(Event::Button { button, down, at });
        }
    }
}

/// The signed halves of a word, as messages have coordinates and turns of the wheel.
fn low(word: u32) -> f32 {
    f32::from(word as i16)
}

fn high(word: u32) -> f32 {
    low(word >> 16)
}
