//! The delay from a joystick's trigger to the screen, and the regularity of frames: presses the keypad's 0 in a window of the
//! real program and looks at a pixel of the screen.
//!
//! ```sh
//! Xvfb :9 -noreset & DISPLAY=:9 cargo run --release -p frontend --example latency
//! ```
//!
//! The arguments are the number of presses (300), the seconds for which frames are timed (60) and the program (`anticlock` beside the
//! folder of the example).
#![cfg_attr(target_os = "linux", allow(unsafe_code))]

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("this needs X11");
}

#[cfg(target_os = "linux")]
fn main() {
    x11::main();
}

#[cfg(target_os = "linux")]
mod x11 {
    use std::ffi::CStr;
    use std::path::PathBuf;
    use std::process::{Child, Command};
    use std::time::{Duration, Instant};
    use x11_dl::xlib::{self, Xlib};

    /// A binary file with this code at $2000.
    fn binary(code: &[u8]) -> Vec<u8> {
        let end = 0x2000 + code.len() as u16 - 1;
        let mut bytes = vec![0xFF, 0xFF, 0x00, 0x20];
        bytes.extend(end.to_le_bytes());
        bytes.extend(code);
        bytes.extend([0xE0, 0x02, 0xE1, 0x02, 0x00, 0x20]);
        bytes
    }

    /// The whole screen is white while the trigger is down: LDA #0, STA SDMCTL, STA DMACTL, then without end LDX #0, LDA TRIG0, BNE +2,
    /// LDX #$0E, STX COLBK, STX COLOR4.
    const TRIGGER: &[u8] = &[
        0xA9, 0x00, 0x8D, 0x2F, 0x02, 0x8D, 0x00, 0xD4, 0xA2, 0x00, 0xAD, 0x10, 0xD0, 0xD0, 0x02,
        0xA2, 0x0E, 0x8E, 0x1A, 0xD0, 0x8E, 0xC8, 0x02, 0x4C, 0x08, 0x20,
    ];
    /// The whole screen is white in every second frame: LDA RTCLOK+2, CMP RTCLOK+2, BEQ -4 waits for the next one; then EOR of COLOR4,
    /// which the OS shows from the next vertical blank on.
    const FRAMES: &[u8] = &[
        0xA9, 0x00, 0x8D, 0x2F, 0x02, 0x8D, 0x00, 0xD4, 0xA5, 0x14, 0xC5, 0x14, 0xF0, 0xFC, 0xAD,
        0xC8, 0x02, 0x49, 0x0E, 0x8D, 0xC8, 0x02, 0x4C, 0x08, 0x20,
    ];

    struct Screen {
        lib: Xlib,
        display: *mut xlib::Display,
    }

    /// The program in its window.
    struct Running {
        child: Child,
        window: xlib::Window,
        folder: PathBuf,
    }

    impl Drop for Running {
        fn drop(&mut self) {
            let _ = self.child.kill();
            let _ = self.child.wait();
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }

    impl Screen {
        fn open() -> Option<Self> {
            let lib = Xlib::open().ok()?;
            // SAFETY: a connection of our own.
            let display = unsafe { (lib.XOpenDisplay)(std::ptr::null()) };
            (!display.is_null()).then_some(Self { lib, display })
        }

        /// The window whose name begins so.
        fn find(&self, name: &str) -> Option<xlib::Window> {
            // SAFETY: pointers to results live through the calls; lists and names are freed after use.
            unsafe {
                let root = (self.lib.XDefaultRootWindow)(self.display);
                let (mut a, mut b) = (0, 0);
                let (mut list, mut count) = (std::ptr::null_mut(), 0);
                (self.lib.XQueryTree)(
                    self.display,
                    root,
                    &raw mut a,
                    &raw mut b,
                    &raw mut list,
                    &raw mut count,
                );
                let mut found = None;
                for n in 0..count as usize {
                    let window = *list.add(n);
                    let mut text = std::ptr::null_mut();
                    if (self.lib.XFetchName)(self.display, window, &raw mut text) != 0 {
                        if CStr::from_ptr(text).to_string_lossy().starts_with(name) {
                            found = Some(window);
                        }
                        (self.lib.XFree)(text.cast());
                    }
                }
                if !list.is_null() {
                    (self.lib.XFree)(list.cast());
                }
                found
            }
        }

        /// True if a pixel of the window is bright.
        fn is_white(&self, window: xlib::Window) -> bool {
            // SAFETY: the image is freed after its pixel was read.
            unsafe {
                let image =
                    (self.lib.XGetImage)(self.display, window, 100, 100, 1, 1, !0, xlib::ZPixmap);
                if image.is_null() {
                    return false;
                }
                let pixel = (self.lib.XGetPixel)(image, 0, 0);
                (self.lib.XDestroyImage)(image);
                pixel & 0xFF > 0x80
            }
        }

        fn key(&self, window: xlib::Window, down: bool) {
            // SAFETY: the event is fully initialised.
            unsafe {
                let code = (self.lib.XKeysymToKeycode)(self.display, 0xFFB0);
                let kind = if down {
                    xlib::KeyPress
                } else {
                    xlib::KeyRelease
                };
                let mut event = xlib::XEvent {
                    key: xlib::XKeyEvent {
                        type_: kind,
                        serial: 0,
                        send_event: xlib::True,
                        display: self.display,
                        window,
                        root: (self.lib.XDefaultRootWindow)(self.display),
                        subwindow: 0,
                        time: 0,
                        x: 1,
                        y: 1,
                        x_root: 1,
                        y_root: 1,
                        state: 0,
                        keycode: code.into(),
                        same_screen: xlib::True,
                    },
                };
                let mask = xlib::KeyPressMask | xlib::KeyReleaseMask;
                (self.lib.XSendEvent)(self.display, window, xlib::True, mask, &raw mut event);
                (self.lib.XFlush)(self.display);
            }
        }

        fn start(&self, program: &PathBuf, code: &[u8]) -> Running {
            let folder = std::env::temp_dir().join(format!("latency-{}", std::process::id()));
            std::fs::create_dir_all(&folder).expect("a folder");
            std::fs::write(folder.join("test.xex"), binary(code)).expect("a file");
            let child = Command::new(program)
                .args(["test.xex", "--mute", "--scale", "2"])
                .env("ANTICLOCK_CONFIG", folder.join("config.toml"))
                .current_dir(&folder)
                .spawn()
                .expect("the program");
            let mut running = Running {
                child,
                window: 0,
                folder,
            };
            let began = Instant::now();
            while running.window == 0 {
                assert!(began.elapsed() < Duration::from_secs(20), "no window");
                std::thread::sleep(Duration::from_millis(20));
                running.window = self.find("Anticlock").unwrap_or(0);
            }
            // SAFETY: a window of the same server.
            unsafe {
                let now = xlib::CurrentTime;
                let parent = xlib::RevertToParent;
                std::thread::sleep(Duration::from_secs(1));
                (self.lib.XSetInputFocus)(self.display, running.window, parent, now);
            }
            // The program loads.
            std::thread::sleep(Duration::from_secs(5));
            running
        }

        /// Waits for a colour.
        fn wait(&self, window: xlib::Window, white: bool) -> Instant {
            let began = Instant::now();
            while self.is_white(window) != white {
                assert!(began.elapsed() < Duration::from_secs(5), "no answer");
                std::thread::sleep(Duration::from_micros(100));
            }
            Instant::now()
        }
    }

    /// The value that this part of all is not above.
    fn part(sorted: &[f64], part: f64) -> f64 {
        sorted[((sorted.len() as f64 * part).ceil() as usize).clamp(1, sorted.len()) - 1]
    }

    pub fn main() {
        let mut arguments = std::env::args().skip(1);
        let mut number = |usual: u64| {
            arguments
                .next()
                .map_or(usual, |n| n.parse().expect("a number"))
        };
        let (presses, seconds) = (number(300), number(60));
        let beside = || {
            let here = std::env::current_exe().expect("a path");
            here.ancestors().nth(2).expect("a folder").join("anticlock")
        };
        let program = arguments.next().map_or_else(beside, PathBuf::from);
        let screen = Screen::open().expect("an X server");

        let running = screen.start(&program, TRIGGER);
        let mut times = Vec::new();
        for n in 0..presses {
            // Anywhere in a frame.
            std::thread::sleep(Duration::from_micros(60_000 + n * 7919 % 16_688));
            screen.key(running.window, true);
            let pressed = Instant::now();
            let seen = screen.wait(running.window, true);
            times.push(seen.duration_since(pressed).as_secs_f64() * 1000.0);
            std::thread::sleep(Duration::from_millis(50));
            screen.key(running.window, false);
            screen.wait(running.window, false);
        }
        drop(running);
        times.sort_by(f64::total_cmp);
        println!(
            "trigger to pixel, {} presses: median {:.1} ms, 99 % {:.1} ms, longest {:.1} ms",
            times.len(),
            part(&times, 0.5),
            part(&times, 0.99),
            part(&times, 1.0)
        );

        let running = screen.start(&program, FRAMES);
        let frame = 1000.0 / machine::Tv::Ntsc.frame_rate();
        let mut white = screen.is_white(running.window);
        let mut last: Option<Instant> = None;
        let mut intervals = Vec::new();
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(seconds) {
            white = !white;
            let now = screen.wait(running.window, white);
            if let Some(last) = last {
                intervals.push(now.duration_since(last).as_secs_f64() * 1000.0);
            }
            last = Some(now);
        }
        let near = intervals
            .iter()
            .filter(|&&i| (i - frame).abs() <= 2.0)
            .count();
        let missed: f64 = intervals.iter().map(|i| (i / frame).round() - 1.0).sum();
        intervals.sort_by(f64::total_cmp);
        println!(
            "{} frames in {seconds} s: {:.2} % of the intervals within 2 ms of {frame:.2} ms, longest {:.1} ms, {missed} missing",
            intervals.len(),
            near as f64 * 100.0 / intervals.len() as f64,
            part(&intervals, 1.0)
        );
    }
}
