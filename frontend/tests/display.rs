//! The X server's facts about the display: its rate.
#![cfg(all(feature = "window", target_os = "linux"))]
#![allow(unsafe_code)]
mod common;

use common::{display, installed};
use frontend::platform::screen::Screen;
use frontend::window::pacer::rate_beside;
use minifb::{Window, WindowOptions};
use std::process::Command;

#[test]
fn the_rate_of_the_display_under_the_window_is_known_and_rate_beside() {
    if !["Xvfb", "xrandr"].into_iter().all(installed) {
        return;
    }
    let (_server, name) = display();
    let xrandr = |arguments: &[&str]| {
        let done = Command::new("xrandr")
            .args(arguments)
            .env("DISPLAY", &name)
            .status();
        assert!(done.unwrap().success(), "{arguments:?}");
    };
    // SAFETY: no other thread of this test reads the environment.
    unsafe {
        std::env::set_var("DISPLAY", &name);
    }
    let window = Window::new("rate", 64, 64, WindowOptions::default()).unwrap();
    let screen = Screen::of(&window);
    // Without a real display the server has no clock to name.
    assert_eq!(screen.rate(), None);
    // 1280 x 1024 with a clock of 109 MHz, then one of 118: 59.9 and 64.8 pictures a second.
    for (name, clock, rate) in [("slow", "109", 59.894), ("fast", "118", 64.840)] {
        let timing = [
            "1280", "1368", "1496", "1712", "1024", "1027", "1034", "1063",
        ];
        xrandr(&[&["--newmode", name, clock], &timing[..]].concat());
        xrandr(&["--addmode", "screen", name]);
        xrandr(&["--output", "screen", "--mode", name]);
        let found = screen.rate().unwrap();
        assert!((found - rate).abs() < 0.01, "{name}: {found}");
        let machine = machine::Tv::Ntsc.frame_rate();
        let rate_beside = rate_beside(machine, Some(found));
        let wanted = if name == "slow" { found } else { machine };
        assert!((rate_beside - wanted).abs() < 1e-9, "{name}: {rate_beside}");
    }
}
