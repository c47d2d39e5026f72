//! Files that are dragged onto a window (XDND, version 5). minifb takes no part in it, so a window of our own on a connection of our own
//! does: the property XdndProxy of minifb's window says that the messages go there.
#![allow(unsafe_code)]
use minifb::Window;
use std::ffi::{CStr, OsString, c_uchar, c_ulong};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use x11_dl::xlib::{self, Xlib};

/// The version of the protocol.
const VERSION: c_ulong = 5;
/// Longs of a list of files that are read at most: 1 MB.
const LONGEST: i64 = 1 << 18;

struct Atoms {
    aware: xlib::Atom,
    proxy: xlib::Atom,
    position: xlib::Atom,
    status: xlib::Atom,
    dropped: xlib::Atom,
    finished: xlib::Atom,
    selection: xlib::Atom,
    copy: xlib::Atom,
    list: xlib::Atom,
}

/// Takes the files that are dropped onto one window.
pub struct Drops {
    lib: Xlib,
    display: *mut xlib::Display,
    own: xlib::Window,
    target: xlib::Window,
    /// The window that drags.
    source: xlib::Window,
    atoms: Atoms,
}

/// Errors of the server's are about windows of others, which may go at any time; Xlib would end the program.
unsafe extern "C" fn ignore(_: *mut xlib::Display, _: *mut xlib::XErrorEvent) -> i32 {
    0
}

impl Drops {
    /// From now on files can be dropped onto a window; `None` without an X server.
    pub fn accept(window: &Window) -> Option<Self> {
        let target = window.get_window_handle() as xlib::Window;
        let lib = Xlib::open().ok()?;
        // SAFETY: a connection and a window of our own; names end with 0; each property has as many items as are named.
        unsafe {
            let display = (lib.XOpenDisplay)(std::ptr::null());
            if display.is_null() {
                return None;
            }
            (lib.XSetErrorHandler)(Some(ignore));
            let atom = |name: &CStr| (lib.XInternAtom)(display, name.as_ptr(), xlib::False);
            let atoms = Atoms {
                aware: atom(c"XdndAware"),
                proxy: atom(c"XdndProxy"),
                position: atom(c"XdndPosition"),
                status: atom(c"XdndStatus"),
                dropped: atom(c"XdndDrop"),
                finished: atom(c"XdndFinished"),
                selection: atom(c"XdndSelection"),
                copy: atom(c"XdndActionCopy"),
                list: atom(c"text/uri-list"),
            };
            let root = (lib.XDefaultRootWindow)(display);
            let own = (lib.XCreateSimpleWindow)(display, root, -1, -1, 1, 1, 0, 0, 0);
            let set = |window, name, kind, value: c_ulong| {
                (lib.XChangeProperty)(
                    display,
                    window,
                    name,
                    kind,
                    32,
                    xlib::PropModeReplace,
                    (&raw const value).cast(),
                    1,
                );
            };
            for window in [target, own] {
                set(window, atoms.proxy, xlib::XA_WINDOW, own);
                set(window, atoms.aware, xlib::XA_ATOM, VERSION);
            }
            (lib.XFlush)(display);
            Some(Self {
                lib,
                display,
                own,
                target,
                source: 0,
                atoms,
            })
        }
    }

    /// The files that were dropped since the last call; `None` if nothing was, and an empty list for what is no file.
    pub fn take(&mut self) -> Option<Vec<PathBuf>> {
        let mut files: Option<Vec<PathBuf>> = None;
        // SAFETY: an event is written before it is read, and its parts are read by its type.
        unsafe {
            while (self.lib.XPending)(self.display) > 0 {
                let mut event = std::mem::zeroed::<xlib::XEvent>();
                (self.lib.XNextEvent)(self.display, &raw mut event);
                match event.get_type() {
                    xlib::ClientMessage => self.message(&event.client_message),
                    xlib::SelectionNotify => {
                        let dropped = self.dropped(event.selection.property);
                        files.get_or_insert_default().extend(dropped);
                    }
                    _ => {}
                }
            }
        }
        files
    }

    fn message(&mut self, message: &xlib::XClientMessageEvent) {
        let kind = message.message_type;
        if kind == self.atoms.position {
            self.source = message.data.get_long(0) as xlib::Window;
            self.answer(self.atoms.status, [1, 0, 0, self.atoms.copy as i64]);
        } else if kind == self.atoms.dropped {
            self.source = message.data.get_long(0) as xlib::Window;
            let when = message.data.get_long(2) as xlib::Time;
            // SAFETY: plain calls on our own connection.
            unsafe {
                let Atoms {
                    selection, list, ..
                } = self.atoms;
                (self.lib.XConvertSelection)(
                    self.display,
                    selection,
                    list,
                    selection,
                    self.own,
                    when,
                );
                (self.lib.XFlush)(self.display);
            }
        }
    }

    /// Reads the list that the source has sent.
    fn dropped(&mut self, property: xlib::Atom) -> Vec<PathBuf> {
        let mut bytes = Vec::new();
        if property != 0 {
            // SAFETY: results are written by the call; the data has as many bytes as it says, and is freed after it was copied.
            unsafe {
                let (mut kind, mut format, mut count, mut left) = (0, 0, 0, 0);
                let mut data: *mut c_uchar = std::ptr::null_mut();
                (self.lib.XGetWindowProperty)(
                    self.display,
                    self.own,
                    property,
                    0,
                    LONGEST,
                    xlib::True,
                    0,
                    &raw mut kind,
                    &raw mut format,
                    &raw mut count,
                    &raw mut left,
                    &raw mut data,
                );
                if !data.is_null() {
                    if format == 8 {
                        bytes.extend_from_slice(std::slice::from_raw_parts(data, count as usize));
                    }
                    (self.lib.XFree)(data.cast());
                }
            }
        }
        let files = files(&bytes);
        let taken = i64::from(!files.is_empty());
        self.answer(self.atoms.finished, [taken, self.atoms.copy as i64, 0, 0]);
        files
    }

    fn answer(&self, kind: xlib::Atom, values: [i64; 4]) {
        let mut data = xlib::ClientMessageData::new();
        data.set_long(0, self.target as i64);
        for (n, value) in (1..).zip(values) {
            data.set_long(n, value);
        }
        let mut event = xlib::XEvent {
            client_message: xlib::XClientMessageEvent {
                type_: xlib::ClientMessage,
                serial: 0,
                send_event: xlib::True,
                display: self.display,
                window: self.source,
                message_type: kind,
                format: 32,
                data,
            },
        };
        // SAFETY: the event is fully initialised. A source that has gone is an error of the server's.
        unsafe {
            (self.lib.XSendEvent)(self.display, self.source, xlib::False, 0, &raw mut event);
            (self.lib.XFlush)(self.display);
        }
    }
}

impl Drop for Drops {
    fn drop(&mut self) {
        // SAFETY: opened by `accept`, closed only here; the window goes with the connection.
        unsafe {
            (self.lib.XCloseDisplay)(self.display);
        }
    }
}

/// The files of a list of URIs.
fn files(list: &[u8]) -> Vec<PathBuf> {
    let lines = list.split(|&byte| byte == b'\n' || byte == b'\r' || byte == 0);
    lines.filter_map(file).collect()
}

/// The file of `file:///path` or `file://host/path`, with `%` escapes.
fn file(uri: &[u8]) -> Option<PathBuf> {
    let rest = uri.strip_prefix(b"file:")?;
    let path = match rest.strip_prefix(b"//") {
        Some(rest) => &rest[rest.iter().position(|&byte| byte == b'/')?..],
        None => rest,
    };
    let digit = |byte: Option<&u8>| byte.and_then(|&byte| (byte as char).to_digit(16));
    let mut bytes = Vec::new();
    let mut at = 0;
    while let Some(&byte) = path.get(at) {
        let escaped = (byte == b'%')
            .then(|| digit(path.get(at + 1)).zip(digit(path.get(at + 2))))
            .flatten();
        bytes.push(escaped.map_or(byte, |(high, low)| (high << 4 | low) as u8));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    bytes
        .starts_with(b"/")
        .then(|| OsString::from_vec(bytes).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_uris_is_read() {
        let list = b"file:///tmp/a%20b.atr\r\nfile://host/c.xex\r\n# no file\r\nhttp://x/y\r\nfile:/d%zz\r\nfile:relative\r\n\0";
        let wanted = ["/tmp/a b.atr", "/c.xex", "/d%zz"];
        assert_eq!(files(list), wanted.map(PathBuf::from));
        assert_eq!(files(b"file://"), Vec::<PathBuf>::new());
    }
}
