//! What minifb does not offer on X11: full screen, a class and an icon for the desktop, whether the window is seen, the size of the screen.
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

/// Calls `act` with Xlib and a display connection of our own; `None` where there is no X server.
fn connected<R>(act: impl FnOnce(&Xlib, *mut xlib::Display) -> R) -> Option<R> {
    let lib = Xlib::open().ok()?;
    // SAFETY: a connection that is opened and closed here; it is not null when it is used.
    unsafe {
        let display = (lib.XOpenDisplay)(std::ptr::null());
        if display.is_null() {
            return None;
        }
        let result = act(&lib, display);
        (lib.XCloseDisplay)(display);
        Some(result)
    }
}

/// Whether the window is not on the screen: minimised, or not yet shown.
pub fn is_hidden(window: &Window) -> bool {
    let handle = window.get_window_handle() as xlib::Window;
    let state = connected(|lib, display| {
        // SAFETY: the structure is written by the call before it is read; the call says whether it was.
        unsafe {
            let mut about = std::mem::zeroed::<xlib::XWindowAttributes>();
            let known = (lib.XGetWindowAttributes)(display, handle, &raw mut about) != 0;
            known && about.map_state != xlib::IsViewable
        }
    });
    state.unwrap_or(false)
}

/// Gives the window a class and an icon.
pub fn introduce(window: &Window, size: usize, icon: &[u32]) {
    let handle = window.get_window_handle() as xlib::Window;
    // Xlib wants longs, whatever their size.
    let mut data = vec![size as std::ffi::c_ulong; 2];
    data.extend(icon.iter().map(|&pixel| std::ffi::c_ulong::from(pixel)));
    connected(|lib, display| {
        // SAFETY: strings end with 0 and live through the calls; the property's data has as many longs as are named.
        unsafe {
            let mut class = xlib::XClassHint {
                res_name: c"anticlock".as_ptr().cast_mut(),
                res_class: c"Anticlock".as_ptr().cast_mut(),
            };
            (lib.XSetClassHint)(display, handle, &raw mut class);
            let property = (lib.XInternAtom)(display, c"_NET_WM_ICON".as_ptr(), xlib::False);
            (lib.XChangeProperty)(
                display,
                handle,
                property,
                xlib::XA_CARDINAL,
                32,
                xlib::PropModeReplace,
                data.as_ptr().cast(),
                data.len() as i32,
            );
        }
    });
}
