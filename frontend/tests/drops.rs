//! A file is dragged onto the window and dropped, by the protocol of file managers (XDND).
#![cfg(all(feature = "window", target_os = "linux"))]
#![allow(unsafe_code)]
mod common;

use common::coloured;
use common::desk::Desk;
use std::ffi::{CStr, CString};
use std::time::{Duration, Instant};
use x11_dl::xlib::{self, Xlib};

/// The side that drags.
struct Source {
    lib: Xlib,
    display: *mut xlib::Display,
    window: xlib::Window,
}

impl Source {
    fn new(display: &str) -> Self {
        let lib = Xlib::open().unwrap();
        let name = CString::new(display).unwrap();
        // SAFETY: a connection and a window of our own.
        unsafe {
            let display = (lib.XOpenDisplay)(name.as_ptr());
            assert!(!display.is_null());
            let root = (lib.XDefaultRootWindow)(display);
            let window = (lib.XCreateSimpleWindow)(display, root, 0, 0, 1, 1, 0, 0, 0);
            Self {
                lib,
                display,
                window,
            }
        }
    }

    fn atom(&self, name: &CStr) -> xlib::Atom {
        // SAFETY: the name ends with 0.
        unsafe { (self.lib.XInternAtom)(self.display, name.as_ptr(), xlib::False) }
    }

    /// A property of one long.
    fn property(&self, window: xlib::Window, name: &CStr) -> Option<u64> {
        // SAFETY: results are written by the call; the data is read as the one long that it is, and freed.
        unsafe {
            let (mut kind, mut format, mut count, mut left) = (0, 0, 0, 0);
            let mut data = std::ptr::null_mut();
            (self.lib.XGetWindowProperty)(
                self.display,
                window,
                self.atom(name),
                0,
                1,
                xlib::False,
                0,
                &raw mut kind,
                &raw mut format,
                &raw mut count,
                &raw mut left,
                &raw mut data,
            );
            if data.is_null() {
                return None;
            }
            let value = (count == 1).then(|| data.cast::<u64>().read_unaligned());
            (self.lib.XFree)(data.cast());
            value
        }
    }

    fn send(&self, to: xlib::Window, target: xlib::Window, name: &CStr, values: [i64; 4]) {
        let mut data = xlib::ClientMessageData::new();
        data.set_long(0, self.window as i64);
        for (n, value) in (1..).zip(values) {
            data.set_long(n, value);
        }
        let mut event = xlib::XEvent {
            client_message: xlib::XClientMessageEvent {
                type_: xlib::ClientMessage,
                serial: 0,
                send_event: xlib::True,
                display: self.display,
                window: target,
                message_type: self.atom(name),
                format: 32,
                data,
            },
        };
        // SAFETY: the event is fully initialised.
        unsafe {
            (self.lib.XSendEvent)(self.display, to, xlib::False, 0, &raw mut event);
            (self.lib.XFlush)(self.display);
        }
    }

    /// Answers requests for the list of files until a message of this name comes; its second value.
    fn wait(&self, name: &CStr, list: &[u8]) -> i64 {
        let began = Instant::now();
        loop {
            assert!(began.elapsed() < Duration::from_secs(60), "no {name:?}");
            // SAFETY: an event is written before it is read, and read by its type; the property has as many bytes as are named.
            unsafe {
                if (self.lib.XPending)(self.display) == 0 {
                    std::thread::sleep(Duration::from_millis(5));
                    continue;
                }
                let mut event = std::mem::zeroed::<xlib::XEvent>();
                (self.lib.XNextEvent)(self.display, &raw mut event);
                match event.get_type() {
                    xlib::ClientMessage if event.client_message.message_type == self.atom(name) => {
                        return event.client_message.data.get_long(1);
                    }
                    xlib::SelectionRequest => self.give(&event.selection_request, list),
                    _ => {}
                }
            }
        }
    }

    fn give(&self, asked: &xlib::XSelectionRequestEvent, list: &[u8]) {
        // SAFETY: as above.
        unsafe {
            (self.lib.XChangeProperty)(
                self.display,
                asked.requestor,
                asked.property,
                asked.target,
                8,
                xlib::PropModeReplace,
                list.as_ptr(),
                list.len() as i32,
            );
            let mut answer = xlib::XEvent {
                selection: xlib::XSelectionEvent {
                    type_: xlib::SelectionNotify,
                    serial: 0,
                    send_event: xlib::True,
                    display: self.display,
                    requestor: asked.requestor,
                    selection: asked.selection,
                    target: asked.target,
                    property: asked.property,
                    time: asked.time,
                },
            };
            (self.lib.XSendEvent)(
                self.display,
                asked.requestor,
                xlib::False,
                0,
                &raw mut answer,
            );
            (self.lib.XFlush)(self.display);
        }
    }
}

/// Drops a list of URIs onto a window; whether something of it was taken.
fn drop_list(source: &Source, target: xlib::Window, list: &[u8]) -> bool {
    let proxy = source.property(target, c"XdndProxy").unwrap();
    let selection = source.atom(c"XdndSelection");
    let (kind, copy) = (
        source.atom(c"text/uri-list"),
        source.atom(c"XdndActionCopy"),
    );
    // SAFETY: plain calls on our own connection.
    unsafe {
        (source.lib.XSetSelectionOwner)(source.display, selection, source.window, 0);
    }
    source.send(proxy, target, c"XdndEnter", [5 << 24, kind as i64, 0, 0]);
    source.send(
        proxy,
        target,
        c"XdndPosition",
        [0, (50 << 16) + 50, 0, copy as i64],
    );
    assert_eq!(source.wait(c"XdndStatus", list) & 1, 1);
    source.send(proxy, target, c"XdndDrop", [0, 0, 0, 0]);
    source.wait(c"XdndFinished", list) == 1
}

#[test]
fn a_dropped_file_starts() {
    let files: [(&str, &[u8]); 2] = [
        ("with space.xex", &coloured()),
        ("picture.jpg", b"\xFF\xD8\xFF\xE0 no program"),
    ];
    let Some(desk) = Desk::new("drops", &["menu", "--scale", "2"], &files) else {
        return;
    };
    let source = Source::new(&desk.display);
    let target: xlib::Window = desk.window.parse().unwrap();
    let aware = common::wait_for("XdndAware", || source.property(target, c"XdndAware"));
    assert_eq!(aware, 5);
    let proxy = source.property(target, c"XdndProxy").unwrap();
    assert_eq!(source.property(proxy, c"XdndProxy"), Some(proxy));

    let path = desk.folder.0.join("with space.xex");
    let path = path.display().to_string().replace(' ', "%20");
    let list = format!("file://{path}\r\n").into_bytes();
    assert!(drop_list(&source, target, &list));
    desk.wait_for_colour("the program", 0x34);
    // It is one of the recent titles of the library.
    let marks = desk.folder.0.join("data/anticlock/library.toml");
    common::wait_for("the mark", || {
        let text = std::fs::read_to_string(&marks).ok()?;
        text.contains("with space.xex").then_some(())
    });

    // What cannot be started costs nothing: the program goes on, undimmed by a question, and a sentence stands at the lower edge.
    let plain = desk.colour();
    let says = |what: &str| {
        common::wait_for(what, || (desk.colour_at(20, 455) != plain).then_some(()));
        assert_eq!(desk.colour(), plain, "{what}");
        common::wait_for("the end of the sentence", || {
            (desk.colour_at(20, 455) == plain).then_some(())
        });
    };
    common::wait_for("an empty edge", || {
        (desk.colour_at(20, 455) == plain).then_some(())
    });
    let folder = desk.folder.0.display();
    let picture = format!("file://{folder}/picture.jpg\r\n");
    assert!(drop_list(&source, target, picture.as_bytes()));
    says("no program");
    assert!(!drop_list(
        &source,
        target,
        b"https://example.com/a.xex\r\n"
    ));
    says("no file");

    // Of several files folders go into the library, wherever they stand.
    let several = format!("file://{folder}/picture.jpg\r\nfile://{folder}/data\r\n");
    assert!(drop_list(&source, target, several.as_bytes()));
    let config = common::wait_for("the configuration", || {
        let found = std::process::Command::new("grep")
            .args(["-rl", "library = ", "."])
            .current_dir(&desk.folder.0)
            .output()
            .ok()?;
        (!found.stdout.is_empty()).then_some(found.stdout)
    });
    let config = String::from_utf8(config).unwrap();
    let text = std::fs::read_to_string(desk.folder.0.join(config.trim())).unwrap();
    assert!(text.contains("/data\""), "{text}");
}
