//! Buttons and wheel of the mouse over a window, event by event. minifb keeps their state, in which a click that is over before the window is
//! asked leaves no trace. So a window of our own on a connection of our own lies over minifb's, unseen, and gets the events.
use super::Connection;
use minifb::{MouseButton, Window};
use ui::mouse::{Event, NOTCH};
use x11_dl::xlib;

/// Width and height of our window: larger than every screen, and cut off by the window below it.
const LARGE: u32 = 32_767;

/// Collects the clicks.
pub struct Clicks(Connection);

impl Clicks {
    /// minifb has the events that another program sends to the window itself.
    pub const COMPLETE: bool = false;

    /// `None` where there is no X server.
    pub fn over(window: &Window) -> Option<Self> {
        let connection = Connection::open()?;
        let Connection { lib, display } = &connection;
        let below = window.get_window_handle() as xlib::Window;
        // SAFETY: an open connection; the attributes are read by the call, and those that are named are set.
        unsafe {
            let mut attributes = std::mem::zeroed::<xlib::XSetWindowAttributes>();
            attributes.event_mask = xlib::ButtonPressMask | xlib::ButtonReleaseMask;
            let own = (lib.XCreateWindow)(
                *display,
                below,
                0,
                0,
                LARGE,
                LARGE,
                0,
                0,
                xlib::InputOnly as u32,
                std::ptr::null_mut(),
                xlib::CWEventMask,
                &raw mut attributes,
            );
            (lib.XMapWindow)(*display, own);
            (lib.XFlush)(*display);
        }
        Some(Self(connection))
    }

    /// The events since the last call.
    pub fn take(&mut self) -> Vec<Event> {
        let Connection { lib, display } = &self.0;
        let mut events = Vec::new();
        // SAFETY: an event is written before it is read, and its parts are read by its type.
        unsafe {
            while (lib.XPending)(*display) > 0 {
                let mut event = std::mem::zeroed::<xlib::XEvent>();
                (lib.XNextEvent)(*display, &raw mut event);
                let kind = event.get_type();
                if matches!(kind, xlib::ButtonPress | xlib::ButtonRelease) {
                    events.extend(click(&event.button, kind == xlib::ButtonPress));
                }
            }
        }
        events
    }
}

/// The event of a button; buttons 4 to 7 are the wheel.
fn click(event: &xlib::XButtonEvent, down: bool) -> Option<Event> {
    let button = |button| Event::Button {
        button,
        down,
        at: (event.x as f32, event.y as f32),
    };
    Some(match event.button {
        xlib::Button1 => button(MouseButton::Left),
        xlib::Button2 => button(MouseButton::Middle),
        xlib::Button3 => button(MouseButton::Right),
        xlib::Button4 if down => Event::Wheel(0.0, NOTCH),
        xlib::Button5 if down => Event::Wheel(0.0, -NOTCH),
        6 if down => Event::Wheel(NOTCH, 0.0),
        7 if down => Event::Wheel(-NOTCH, 0.0),
        _ => return None,
    })
}
