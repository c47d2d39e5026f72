//! Full screen on X11, which minifb does not offer: a message to the window manager. And the size of the screen.
#![allow(unsafe_code)]
use minifb::Window;
use x11_dl::xlib::{self, Xlib};

/// _NET_WM_STATE's "add" and "remove".
const REMOVE: i64 = 0;
const ADD: i64 = 1;

/// Width and height of the screen; `None` where there is no X server.
pub fn screen_size() -> Option<(usize, usize)> {
    let lib = Xlib::open().ok()?;
    // SAFETY: as below; the screen asked for is the display's own default one.
    unsafe {
        let display = (lib.XOpenDisplay)(std::ptr::null());
        if display.is_null() {
            return None;
        }
        let screen = (lib.XDefaultScreen)(display);
        let width = (lib.XDisplayWidth)(display, screen);
        let height = (lib.XDisplayHeight)(display, screen);
        (lib.XCloseDisplay)(display);
        Some((usize::try_from(width).ok()?, usize::try_from(height).ok()?))
    }
}

/// Makes the window fill the screen, or a window again. `false` when the system does not do that.
pub fn fullscreen(window: &Window, on: bool) -> bool {
    let handle = window.get_window_handle() as xlib::Window;
    let Ok(lib) = Xlib::open() else {
        return false;
    };
    // SAFETY: plain Xlib calls on a display connection of our own, opened and closed here; the window's number is valid on every
    // connection to the same server, and a wrong one is an error of the server's, not of memory. The event is fully initialised.
    unsafe {
        let display = (lib.XOpenDisplay)(std::ptr::null());
        if display.is_null() {
            return false;
        }
        let atom = |name: &std::ffi::CStr| (lib.XInternAtom)(display, name.as_ptr(), xlib::False);
        let mut data = xlib::ClientMessageData::new();
        data.set_long(0, if on { ADD } else { REMOVE });
        data.set_long(1, atom(c"_NET_WM_STATE_FULLSCREEN") as i64);
        data.set_long(3, 1);
        let mut event = xlib::XEvent {
            client_message: xlib::XClientMessageEvent {
                type_: xlib::ClientMessage,
                serial: 0,
                send_event: xlib::True,
                display,
                window: handle,
                message_type: atom(c"_NET_WM_STATE"),
                format: 32,
                data,
            },
        };
        let root = (lib.XDefaultRootWindow)(display);
        let mask = xlib::SubstructureRedirectMask | xlib::SubstructureNotifyMask;
        let sent = (lib.XSendEvent)(display, root, xlib::False, mask, &raw mut event);
        (lib.XFlush)(display);
        (lib.XCloseDisplay)(display);
        sent != 0
    }
}
