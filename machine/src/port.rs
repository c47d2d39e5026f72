//! The program port: how a binary file given to the machine reaches its boot loader.
//!
//! It answers at $D1F0-$D1F1 and only while a file is waiting in it; otherwise nothing is there, as on a machine without a
//! device on the parallel bus.
use alloc::vec::Vec;

/// A waiting file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ProgramPort {
    /// Records for the loader, see `media::xex`.
    #[serde(with = "serde_bytes")]
    stream: Vec<u8>,
    position: usize,
    /// The program runs; the port answers no more until RESET brings the loader back.
    done: bool,
}

impl ProgramPort {
    pub(crate) fn new(stream: Vec<u8>) -> Self {
        Self {
            stream,
            position: 0,
            done: false,
        }
    }

    /// The next byte; 0 after the last one.
    pub(crate) fn read(&mut self) -> u8 {
        if self.done {
            return 0xFF;
        }
        let data = self.stream.get(self.position).copied().unwrap_or(0);
        self.position = self.position.saturating_add(1);
        data
    }

    /// What the next read gives.
    pub(crate) fn peek(&self) -> u8 {
        if self.done {
            0xFF
        } else {
            self.stream.get(self.position).copied().unwrap_or(0)
        }
    }

    /// A write to $D1F0 starts again, one to $D1F1 switches the port off.
    pub(crate) fn write(&mut self, address: u16) {
        if address & 1 == 0 {
            // Only the loader writes here; a running program's writes to the empty parallel bus change nothing.
            if !self.done {
                self.position = 0;
            }
        } else {
            self.done = true;
        }
    }

    /// RESET and power-on: the loader may come again.
    pub(crate) fn reset(&mut self) {
        self.position = 0;
        self.done = false;
    }

    /// Whether the program was loaded and started.
    pub(crate) fn done(&self) -> bool {
        self.done
    }
}
