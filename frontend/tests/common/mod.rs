//! The common parts of the program's tests: small programs for the Atari, and a place for files.
#![allow(dead_code)]
#[cfg(feature = "window")]
pub mod desk;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A folder that goes away with the test.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("anticlock-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A process that ends with the test.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// True if a program is installed; says so when it is not.
pub fn installed(program: &str) -> bool {
    let found = std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
    });
    if !found {
        eprintln!("skipped: this test needs {program}");
    }
    found
}

/// `anticlock`, with a configuration and a data directory of its own.
pub fn anticlock(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_anticlock"));
    command
        .env("ANTICLOCK_CONFIG", folder.join("anticlock.toml"))
        .env("XDG_DATA_HOME", folder.join("data"))
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .current_dir(folder)
        .stdin(Stdio::null());
    command
}

/// An X server of our own, and the name of its display.
pub fn display() -> (Running, String) {
    display_with(&[])
}

/// One with these arguments as well.
pub fn display_with(arguments: &[&str]) -> (Running, String) {
    let mut server = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "1280x1024x24"])
        .args(["-noreset", "-nolisten", "tcp"])
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    (Running(server), format!(":{}", line.trim()))
}

/// Waits until `ready` gives something.
pub fn wait_for<T>(what: &str, mut ready: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(result) = ready() {
            return result;
        }
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "waited a minute for {what}"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A binary load file with this machine code at $2000.
pub fn binary(code: &[u8]) -> Vec<u8> {
    let end = 0x2000 + code.len() as u16 - 1;
    let mut file = vec![0xFF, 0xFF, 0x00, 0x20, end as u8, (end >> 8) as u8];
    file.extend_from_slice(code);
    file.extend_from_slice(&[0xE0, 0x02, 0xE1, 0x02, 0x00, 0x20]);
    file
}

/// Nothing but a background: colour $34 as long as no key is down, $C6 while one is (SKSTAT bit 2).
pub fn coloured() -> Vec<u8> {
    binary(&[
        0x78, // SEI
        0xA9, 0x00, 0x8D, 0x0E, 0xD4, // LDA #0, STA NMIEN
        0x8D, 0x00, 0xD4, // STA DMACTL
        0xA9, 0x03, 0x8D, 0x0F, 0xD2, // LDA #3, STA SKCTL
        0xA2, 0x34, // LDX #$34
        0xAD, 0x0F, 0xD2, // LDA SKSTAT
        0x29, 0x04, // AND #4
        0xD0, 0x02, // BNE +2
        0xA2, 0xC6, // LDX #$C6
        0x8E, 0x1A, 0xD0, // STX COLBK
        0x4C, 0x0E, 0x20, // JMP to LDX
    ])
}

/// A tone of 63,921 / 2 / 73 Hz (NTSC) on one voice at volume 8.
pub fn tone() -> Vec<u8> {
    binary(&[
        0x78, // SEI
        0xA9, 0x00, 0x8D, 0x08, 0xD2, // AUDCTL
        0x8D, 0x03, 0xD2, 0x8D, 0x05, 0xD2, 0x8D, 0x07, 0xD2, // AUDC2-4
        0xA9, 0x03, 0x8D, 0x0F, 0xD2, // SKCTL
        0xA9, 72, 0x8D, 0x00, 0xD2, // AUDF1
        0xA9, 0xA8, 0x8D, 0x01, 0xD2, // AUDC1
        0x4C, 0x24, 0x20, // JMP to itself
    ])
}

/// The tone's frequency.
pub const TONE: f64 = 1_789_772.5 / 28.0 / 2.0 / 73.0;

/// Lengths of the periods of a sound, in samples: from one upward crossing of its mean to the next.
pub fn periods(samples: &[f64]) -> Vec<f64> {
    let mean = samples.iter().sum::<f64>() / samples.len() as f64;
    let crossings: Vec<f64> = samples
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| pair[0] <= mean && pair[1] > mean)
        .map(|(i, pair)| i as f64 + (mean - pair[0]) / (pair[1] - pair[0]))
        .collect();
    crossings.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// Nothing but a background that has another grey in each frame.
pub fn flashing() -> Vec<u8> {
    binary(&[
        0x78, // SEI
        0xA9, 0x00, 0x8D, 0x0E, 0xD4, // LDA #0, STA NMIEN
        0x8D, 0x00, 0xD4, // STA DMACTL
        0xAD, 0x0B, 0xD4, 0xD0, 0xFB, // wait for VCOUNT = 0
        0xE8, 0x8A, 0x29, 0x0F, 0x8D, 0x1A, 0xD0, // INX, TXA, AND #15, STA COLBK
        0xAD, 0x0B, 0xD4, 0xF0, 0xFB, // wait for VCOUNT > 0
        0x4C, 0x09, 0x20, // JMP to the first wait
    ])
}
