//! Devices on the bus: each answers command frames and takes data frames. Bits, check sums and pauses are the bus's.
use alloc::vec;
use alloc::vec::Vec;

use crate::config::Tv;

/// A device on the bus. A new one is this trait and a row of [`super::Sio::device`].
pub(super) trait Device {
    /// Answers a command frame.
    fn command(&mut self, command: u8, aux: [u8; 2], clock: Clock) -> Reply;

    /// Carries out a command that wanted data ([`Reply::WantsData`]), with the data frame.
    fn write(&mut self, command: u8, aux: [u8; 2], data: &[u8], clock: Clock) -> Outcome;

    /// True if a command with `aux` can be waiting for a data frame of this length: for states that were read from a file.
    fn waits_for(&self, command: u8, aux: [u8; 2], length: usize) -> bool;
}

/// A device's answer to a command frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// NAK.
    Refused,
    /// ACK, then after that many cycles complete or error, and a data frame if `data` is not empty.
    Done { data: Vec<u8>, ok: bool, after: u64 },
    /// ACK, then a data frame of the computer.
    WantsData { length: usize },
}

impl Reply {
    /// ACK, complete, and these data at once.
    pub(super) fn data(data: Vec<u8>) -> Self {
        Self::Done {
            data,
            ok: true,
            after: 0,
        }
    }
}

/// Result of a write: complete or error, after that many cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    pub ok: bool,
    pub after: u64,
}

/// The time at which a frame arrives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    /// Machine cycles since power-on.
    pub now: u64,
    pub tv: Tv,
}

impl Clock {
    /// Machine cycles of `us` microseconds.
    pub(super) fn cycles(self, us: u64) -> u64 {
        cycles(us, self.tv)
    }
}

/// Machine cycles of `us` microseconds.
pub(super) fn cycles(us: u64, tv: Tv) -> u64 {
    let clock = match tv {
        Tv::Ntsc => 1_789_773,
        Tv::Pal => 1_773_447,
    };
    us * clock / 1_000_000
}

/// A printer (820: lines of 40, 20 or 29 characters).
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) struct Printer {
    /// Records received: up to and with the end of its line ($9B), or whole.
    pub(super) records: Vec<Vec<u8>>,
}

impl Device for Printer {
    fn command(&mut self, command: u8, aux: [u8; 2], _: Clock) -> Reply {
        match (command, aux[0]) {
            (b'S', _) => Reply::data(vec![0, 0x4E, 6, 0]),
            (b'W', b'N' | 0) => Reply::WantsData { length: 40 },
            (b'W', b'D') => Reply::WantsData { length: 20 },
            (b'W', b'S') => Reply::WantsData { length: 29 },
            _ => Reply::Refused,
        }
    }

    fn write(&mut self, _: u8, _: [u8; 2], data: &[u8], clock: Clock) -> Outcome {
        let end = data.iter().position(|&b| b == 0x9B);
        let record = &data[..end.map_or(data.len(), |end| end + 1)];
        self.records.push(record.to_vec());
        // A line of the 820 takes most of a second.
        Outcome {
            ok: true,
            after: clock.cycles(600_000),
        }
    }

    fn waits_for(&self, _: u8, _: [u8; 2], length: usize) -> bool {
        length <= 40
    }
}

/// The boot of D1: without a disk: sector 1 is a loader that comes from a port of the machine, not from a drive.
pub(super) struct BootPort {
    /// Sector 1.
    pub(super) sector: Vec<u8>,
    /// True without a drive: the status is the port's own, with the format time of an 810.
    pub(super) without_drive: bool,
}

impl BootPort {
    /// True for the commands that the port answers in place of the drive.
    pub(super) fn answers(&self, command: u8, aux: [u8; 2]) -> bool {
        match command {
            b'R' => aux == [1, 0],
            b'S' => self.without_drive,
            _ => false,
        }
    }
}

impl Device for BootPort {
    fn command(&mut self, command: u8, _: [u8; 2], _: Clock) -> Reply {
        Reply::data(match command {
            b'S' => vec![0x10, 0xFF, 224, 0],
            _ => core::mem::take(&mut self.sector),
        })
    }

    fn write(&mut self, _: u8, _: [u8; 2], _: &[u8], _: Clock) -> Outcome {
        Outcome {
            ok: false,
            after: 0,
        }
    }

    fn waits_for(&self, _: u8, _: [u8; 2], _: usize) -> bool {
        false
    }
}
