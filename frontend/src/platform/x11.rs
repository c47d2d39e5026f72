//! The parts of X11 that minifb does not offer: full screen, a class and an icon for the desktop, whether the window is seen, size and rate of the
//! screen.
#![allow(unsafe_code)]
mod clicks;
mod drops;

pub use clicks::Clicks;
pub use drops::Drops;

use minifb::Window;
use std::cell::Cell;
use std::ffi::{CStr, c_char, c_uchar};
use std::ops::Range;
use x11_dl::xlib::{self, Xlib};
use x11_dl::xrandr::{
    RR_DoubleScan, RR_Interlace, RRMode, XRRModeInfo, XRRScreenResources, Xrandr_2_2_0,
};

/// _NET_WM_STATE's "add" and "remove".
const REMOVE: i64 = 0;
const ADD: i64 = 1;

/// The connection to the X server is lost. Xlib ends the program when this returns, and would have written two lines of its own.
unsafe extern "C" fn lost(_: *mut xlib::Display) -> i32 {
    host::failure::tell("the X server has gone, and the window with it");
    std::process::exit(1)
}

/// A connection of our own to the X server; it is closed with its owner.
pub(super) struct Connection {
    pub lib: Xlib,
    pub display: *mut xlib::Display,
}

impl Connection {
    /// Opens the default display; `None` without an X server.
    pub fn open() -> Option<Self> {
        let lib = Xlib::open().ok()?;
        // SAFETY: the default display; it is not null when it is used.
        let display = unsafe { (lib.XOpenDisplay)(std::ptr::null()) };
        // Not `then_some`: what it does not give it drops, and that closes the display.
        (!display.is_null()).then(|| Self { lib, display })
    }

    fn root(&self) -> xlib::Window {
        // SAFETY: an open connection.
        unsafe { (self.lib.XDefaultRootWindow)(self.display) }
    }

    fn atom(&self, name: &CStr) -> xlib::Atom {
        // SAFETY: the name ends with 0.
        unsafe { (self.lib.XInternAtom)(self.display, name.as_ptr(), xlib::False) }
    }

    /// Width and height of the default screen.
    fn size(&self) -> (i32, i32) {
        let Self { lib, display } = self;
        // SAFETY: the screen asked for is the display's own default one.
        unsafe {
            let screen = (lib.XDefaultScreen)(*display);
            (
                (lib.XDisplayWidth)(*display, screen),
                (lib.XDisplayHeight)(*display, screen),
            )
        }
    }

    /// True if a property of the root window, a list of atoms, has this one.
    fn root_lists(&self, property: &CStr, atom: xlib::Atom) -> bool {
        let Self { lib, display } = self;
        // SAFETY: results are written by the call; the list has as many longs as it says, and is freed after it was read.
        unsafe {
            let (mut kind, mut format, mut count, mut left) = (0, 0, 0, 0);
            let mut data: *mut c_uchar = std::ptr::null_mut();
            (lib.XGetWindowProperty)(
                *display,
                self.root(),
                self.atom(property),
                0,
                1024,
                xlib::False,
                xlib::XA_ATOM,
                &raw mut kind,
                &raw mut format,
                &raw mut count,
                &raw mut left,
                &raw mut data,
            );
            if data.is_null() {
                return false;
            }
            let one = |at: usize| {
                let place = data.add(at * size_of::<xlib::Atom>());
                place.cast::<xlib::Atom>().read_unaligned()
            };
            let has = format == 32 && (0..count as usize).any(|at| one(at) == atom);
            (lib.XFree)(data.cast());
            has
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // SAFETY: opened by `open`, closed only here.
        unsafe {
            (self.lib.XCloseDisplay)(self.display);
        }
    }
}

/// The default screen of the X server.
pub struct Desktop(Connection);

impl Desktop {
    /// Connects to the server; `None` without one.
    pub fn open() -> Option<Self> {
        Connection::open().map(Self)
    }

    /// Width and height in pixels.
    pub fn size(&self) -> Option<(usize, usize)> {
        let (width, height) = self.0.size();
        Some((usize::try_from(width).ok()?, usize::try_from(height).ok()?))
    }

    /// Dots to the inch: the resource Xft.dpi, which desktops set from their settings, otherwise as the server measures its display.
    pub fn dots_per_inch(&self) -> Option<f32> {
        let Connection { lib, display } = &self.0;
        // SAFETY: the resources end with 0 and belong to the connection; the screen asked for is the display's own default one.
        let (resources, height, millimetres) = unsafe {
            let resources = (lib.XResourceManagerString)(*display);
            let resources = (!resources.is_null()).then(|| CStr::from_ptr(resources));
            let screen = (lib.XDefaultScreen)(*display);
            (
                resources.map(|text| text.to_string_lossy().into_owned()),
                (lib.XDisplayHeight)(*display, screen),
                (lib.XDisplayHeightMM)(*display, screen),
            )
        };
        let set = resources.as_deref().and_then(|text| {
            let value = |line: &str| line.strip_prefix("Xft.dpi:")?.trim().parse().ok();
            text.lines().find_map(value)
        });
        set.or_else(|| (millimetres > 0).then(|| height as f32 * 25.4 / millimetres as f32))
    }
}

/// The graphics context, visual and depth with which pixels are drawn.
struct Brush {
    context: xlib::GC,
    visual: *mut xlib::Visual,
    depth: u32,
}

/// The screen that a window is on.
pub struct Screen {
    connection: Connection,
    randr: Option<Xrandr_2_2_0>,
    window: xlib::Window,
    brush: Option<Brush>,
    /// Place and size of the window before it filled the screen without the help of a window manager.
    before: Cell<Option<(i32, i32, u32, u32)>>,
}

impl Screen {
    /// The screen of a window; `None` without an X server. The window's number is valid on every connection to the same server; a wrong one is an
    /// error of the server's, not of memory.
    pub fn of(window: &Window) -> Option<Self> {
        let connection = Connection::open()?;
        // SAFETY: the handler is a function, which is there as long as the program.
        unsafe {
            (connection.lib.XSetIOErrorHandler)(Some(lost));
        }
        let mut screen = Self {
            connection,
            randr: Xrandr_2_2_0::open().ok(),
            window: window.get_window_handle() as xlib::Window,
            brush: None,
            before: Cell::default(),
        };
        screen.brush = screen.brush();
        Some(screen)
    }

    /// A brush for pixels of 0x00RRGGBB; `None` where the window has others.
    fn brush(&self) -> Option<Brush> {
        let Connection { lib, display } = &self.connection;
        let about = self.about()?;
        // SAFETY: the visual belongs to the connection, and lives as long; the context goes with it.
        unsafe {
            let order = (lib.XImageByteOrder)(*display);
            let visual = about.visual;
            let masks = [
                (*visual).red_mask,
                (*visual).green_mask,
                (*visual).blue_mask,
            ];
            let native = if cfg!(target_endian = "big") {
                xlib::MSBFirst
            } else {
                xlib::LSBFirst
            };
            let fits = matches!(about.depth, 24 | 32) && order == native;
            if !fits || masks != [0xFF_0000, 0x00_FF00, 0x00_00FF] {
                return None;
            }
            Some(Brush {
                context: (lib.XCreateGC)(*display, self.window, 0, std::ptr::null_mut()),
                visual,
                depth: about.depth as u32,
            })
        }
    }

    /// Shows some lines of a picture of the window's width; false, and nothing is shown, where that does not work.
    pub fn show(&self, pixels: &[u32], width: usize, lines: Range<usize>) -> bool {
        let Some(brush) = &self.brush else {
            return false;
        };
        let Some(part) = pixels.get(lines.start * width..lines.end * width) else {
            return false;
        };
        let Connection { lib, display } = &self.connection;
        let (across, down) = (width as u32, lines.len() as u32);
        // SAFETY: the image has as many pixels as it says; they are only read, and are taken out of it again before it is destroyed.
        unsafe {
            let data = part.as_ptr().cast::<c_char>().cast_mut();
            let image = (lib.XCreateImage)(
                *display,
                brush.visual,
                brush.depth,
                xlib::ZPixmap,
                0,
                data,
                across,
                down,
                32,
                4 * width as i32,
            );
            if image.is_null() {
                return false;
            }
            let top = lines.start as i32;
            (lib.XPutImage)(
                *display,
                self.window,
                brush.context,
                image,
                0,
                0,
                0,
                top,
                across,
                down,
            );
            (lib.XFlush)(*display);
            (*image).data = std::ptr::null_mut();
            (lib.XDestroyImage)(image);
        }
        true
    }

    /// Makes the window fill the screen, or a window again. `false` when the system does not do that.
    pub fn fill(&self, on: bool) -> bool {
        let Connection { lib, display } = &self.connection;
        let state = self.connection.atom(c"_NET_WM_STATE_FULLSCREEN");
        if !self.connection.root_lists(c"_NET_SUPPORTED", state) {
            return self.resize(on);
        }
        let mut data = xlib::ClientMessageData::new();
        data.set_long(0, if on { ADD } else { REMOVE });
        data.set_long(1, state as i64);
        data.set_long(3, 1);
        let mut event = xlib::XEvent {
            client_message: xlib::XClientMessageEvent {
                type_: xlib::ClientMessage,
                serial: 0,
                send_event: xlib::True,
                display: *display,
                window: self.window,
                message_type: self.connection.atom(c"_NET_WM_STATE"),
                format: 32,
                data,
            },
        };
        let root = self.connection.root();
        let mask = xlib::SubstructureRedirectMask | xlib::SubstructureNotifyMask;
        // SAFETY: the event is fully initialised.
        unsafe {
            let sent = (lib.XSendEvent)(*display, root, xlib::False, mask, &raw mut event);
            (lib.XFlush)(*display);
            sent != 0
        }
    }

    /// Fills the screen where no window manager knows how to: by place and size, which are kept for the way back.
    fn resize(&self, on: bool) -> bool {
        let Connection { lib, display } = &self.connection;
        let place = if on {
            let Some(about) = self.about() else {
                return false;
            };
            let (mut x, mut y, mut child) = (0, 0, 0);
            let root = self.connection.root();
            // SAFETY: results are written by the call.
            unsafe {
                (lib.XTranslateCoordinates)(
                    *display,
                    self.window,
                    root,
                    0,
                    0,
                    &raw mut x,
                    &raw mut y,
                    &raw mut child,
                );
            }
            let before = (x, y, about.width as u32, about.height as u32);
            self.before.set(self.before.get().or(Some(before)));
            let (width, height) = self.connection.size();
            Some((0, 0, width as u32, height as u32))
        } else {
            self.before.take()
        };
        let Some((x, y, width, height)) = place else {
            return true;
        };
        // SAFETY: plain calls on our own connection; sizes are those of a screen or of a window that was there.
        unsafe {
            (lib.XMoveResizeWindow)(*display, self.window, x, y, width, height);
            (lib.XRaiseWindow)(*display, self.window);
            (lib.XFlush)(*display);
        }
        true
    }

    fn about(&self) -> Option<xlib::XWindowAttributes> {
        let Connection { lib, display } = &self.connection;
        // SAFETY: the structure is written by the call before it is read; the call says whether it was.
        unsafe {
            let mut about = std::mem::zeroed::<xlib::XWindowAttributes>();
            let known = (lib.XGetWindowAttributes)(*display, self.window, &raw mut about) != 0;
            known.then_some(about)
        }
    }

    /// True if the window is not on the screen: minimised, or not yet shown.
    pub fn is_hidden(&self) -> bool {
        self.about()
            .is_some_and(|about| about.map_state != xlib::IsViewable)
    }

    /// Pictures a second of the display that the middle of the window is on; `None` where that is not known.
    pub fn rate(&self) -> Option<f64> {
        let randr = self.randr.as_ref()?;
        let Connection { lib, display } = &self.connection;
        let about = self.about()?;
        let (mut x, mut y, mut child) = (0, 0, 0);
        let root = self.connection.root();
        // SAFETY: results are written by the calls; lists are as long as they say, and freed after use.
        unsafe {
            let middle = (about.width / 2, about.height / 2);
            (lib.XTranslateCoordinates)(
                *display,
                self.window,
                root,
                middle.0,
                middle.1,
                &raw mut x,
                &raw mut y,
                &raw mut child,
            );
            let resources = (randr.XRRGetScreenResourcesCurrent)(*display, root);
            if resources.is_null() {
                return None;
            }
            let mut found = None;
            for at in 0..usize::try_from((*resources).ncrtc).unwrap_or(0) {
                let number = *(*resources).crtcs.add(at);
                let crtc = (randr.XRRGetCrtcInfo)(*display, resources, number);
                if crtc.is_null() {
                    continue;
                }
                let inside =
                    |from: i32, size: u32, at: i32| (from..from + size as i32).contains(&at);
                let here =
                    inside((*crtc).x, (*crtc).width, x) && inside((*crtc).y, (*crtc).height, y);
                if here && (*crtc).mode != 0 {
                    found = rate_of_mode(&*resources, (*crtc).mode);
                }
                (randr.XRRFreeCrtcInfo)(crtc);
            }
            (randr.XRRFreeScreenResources)(resources);
            found
        }
    }

    /// Gives the window a class and an icon.
    pub fn introduce(&self, size: usize, icon: &[u32]) {
        let Connection { lib, display } = &self.connection;
        // Xlib wants longs, whatever their size.
        let mut data = vec![size as std::ffi::c_ulong; 2];
        data.extend(icon.iter().map(|&pixel| std::ffi::c_ulong::from(pixel)));
        // SAFETY: strings end with 0 and live through the calls; the property's data has as many longs as are named.
        unsafe {
            let mut class = xlib::XClassHint {
                res_name: c"anticlock".as_ptr().cast_mut(),
                res_class: c"Anticlock".as_ptr().cast_mut(),
            };
            (lib.XSetClassHint)(*display, self.window, &raw mut class);
            (lib.XChangeProperty)(
                *display,
                self.window,
                self.connection.atom(c"_NET_WM_ICON"),
                xlib::XA_CARDINAL,
                32,
                xlib::PropModeReplace,
                data.as_ptr().cast(),
                data.len() as i32,
            );
            (lib.XFlush)(*display);
        }
    }
}

/// The rate of the mode with this number.
///
/// # Safety
/// The list of modes is as long as it says.
unsafe fn rate_of_mode(resources: &XRRScreenResources, mode: RRMode) -> Option<f64> {
    let count = usize::try_from(resources.nmode).ok()?;
    // SAFETY: see above.
    let modes = unsafe { std::slice::from_raw_parts(resources.modes, count) };
    modes.iter().find(|known| known.id == mode).and_then(rate)
}

/// Pictures a second of a mode; a server without a real display has clocks of 0.
fn rate(mode: &XRRModeInfo) -> Option<f64> {
    let mut lines = f64::from(mode.vTotal);
    if mode.modeFlags & RR_DoubleScan as u64 != 0 {
        lines *= 2.0;
    }
    if mode.modeFlags & RR_Interlace as u64 != 0 {
        lines /= 2.0;
    }
    let rate = mode.dotClock as f64 / (f64::from(mode.hTotal) * lines);
    (rate.is_finite() && rate > 1.0).then_some(rate)
}
