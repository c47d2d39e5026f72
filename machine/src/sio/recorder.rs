//! The program recorder (410, 1010): a dumb device that the motor line starts and stops (Altirra Hardware Reference
//! Manual 9.17). The tape is a stream of marks and spaces at bit time; the two tones exist only on the real tape.
use crate::config::Tv;
use alloc::vec::Vec;
use media::cas::{Block, Tape};
use pokey::{NEVER, SerialByte};

/// A pause longer than this, in milliseconds, begins a new block when recording.
const PAUSE: u64 = 20;
/// Cycles in a tenth of a millisecond.
const PULSE_UNIT: [u64; 2] = [179, 177];

/// No block of a tape lasts longer: 65,535 bytes at one bit a second.
const LONGEST: u64 = 1 << 44;

/// The recorder and the tape in it.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) struct Recorder {
    tape: Option<Tape>,
    /// RECORD is pressed, else PLAY.
    recording: bool,
    /// Index of the block at the head.
    block: usize,
    /// Cycles of tape from the block's beginning at which the signal changes, and the block's length at the end.
    edges: Vec<u64>,
    /// The next of them.
    edge: usize,
    /// Cycles of tape played of this block when the motor last started, and the cycle of that.
    played: u64,
    started: Option<u64>,
    /// The signal: `true` = mark.
    level: bool,
    /// End of the last byte recorded.
    recorded: u64,
    pal: bool,
}

impl Recorder {
    pub(super) fn new(tv: Tv) -> Self {
        Self {
            tape: None,
            recording: false,
            block: 0,
            edges: Vec::new(),
            edge: 0,
            played: 0,
            started: None,
            level: true,
            recorded: 0,
            pal: tv == Tv::Pal,
        }
    }

    /// The recorder without its tape; the signal of the block at the head stays.
    pub(super) fn without_tape(&self) -> Self {
        Self {
            tape: None,
            edges: self.edges.clone(),
            ..*self
        }
    }

    /// Puts a tape in place without winding it.
    pub(super) fn set_tape(&mut self, tape: Option<Tape>) {
        self.tape = tape;
    }

    /// True if a recorder can be in this state.
    pub(super) fn is_valid(&self, tv: Tv, now: u64) -> bool {
        self.pal == (tv == Tv::Pal)
            && self.block <= self.tape.as_ref().map_or(0, |t| t.blocks.len())
            && self.edges.iter().all(|&at| at <= LONGEST)
            && self.edge <= self.edges.len()
            && self.played <= LONGEST
            && self.started.is_none_or(|at| at <= now)
            && self.recorded <= now
    }

    fn clock(&self) -> u64 {
        if self.pal { 1_773_447 } else { 1_789_773 }
    }

    pub(super) fn insert(&mut self, tape: Tape) {
        self.tape = Some(tape);
        self.recording = false;
        self.wind(0);
    }

    pub(super) fn eject(&mut self) -> Option<Tape> {
        let tape = self.tape.take();
        self.recording = false;
        self.wind(0);
        tape
    }

    pub(super) fn tape(&self) -> Option<&Tape> {
        self.tape.as_ref()
    }

    /// Number of the block at the head, from 0, and of blocks.
    pub(super) fn position(&self) -> (usize, usize) {
        let blocks = self.tape.as_ref().map_or(&[][..], |t| &t.blocks);
        let signals = |blocks: &[Block]| blocks.iter().filter(|b| b.is_signal()).count();
        (
            signals(&blocks[..self.block.min(blocks.len())]),
            signals(blocks),
        )
    }

    /// Winds the tape to the beginning of signal block `number`, from 0, or to its end.
    pub(super) fn wind_to(&mut self, number: usize) {
        let blocks = self.tape.as_ref().map_or(&[][..], |t| &t.blocks);
        let mut signals = blocks.iter().enumerate().filter(|(_, b)| b.is_signal());
        let index = signals.nth(number).map_or(blocks.len(), |(index, _)| index);
        self.wind(index);
    }

    /// True while RECORD is pressed.
    pub(super) fn is_recording(&self) -> bool {
        self.recording
    }

    /// True while the motor runs.
    pub(super) fn runs(&self) -> bool {
        self.started.is_some()
    }

    pub(super) fn press_record(&mut self, pressed: bool) {
        self.recording = pressed;
        self.level = true;
    }

    /// Moves the head to the beginning of a block.
    fn wind(&mut self, block: usize) {
        let blocks = self.tape.as_ref().map_or(&[][..], |t| &t.blocks);
        let rest = blocks.get(block..).unwrap_or(&[]);
        let block = block + rest.iter().take_while(|b| !b.is_signal()).count();
        self.block = block;
        self.edge = 0;
        self.played = 0;
        self.level = true;
        self.edges.clear();
        let clock = self.clock();
        let Some(block) = self.tape.as_ref().and_then(|t| t.blocks.get(block)) else {
            return;
        };
        match block {
            Block::Data { gap, baud, bytes } => {
                let start = u64::from(*gap) * clock / 1000;
                let baud = u64::from((*baud).max(1));
                let mut level = true;
                for (i, &byte) in bytes.iter().enumerate() {
                    let bits = u16::from(byte) << 1 | 0x200;
                    for bit in 0..10 {
                        let value = bits >> bit & 1 != 0;
                        if value != level {
                            level = value;
                            self.edges
                                .push(start + (i as u64 * 10 + bit) * clock / baud);
                        }
                    }
                }
                self.edges
                    .push(start + bytes.len() as u64 * 10 * clock / baud);
            }
            Block::Fsk { gap, pulses } => {
                let mut at = u64::from(*gap) * clock / 1000;
                for &pulse in pulses {
                    self.edges.push(at);
                    at += u64::from(pulse) * PULSE_UNIT[usize::from(self.pal)];
                }
                self.edges.push(at);
            }
            Block::Other { .. } => {}
        }
    }

    /// The motor line starts or stops the tape.
    pub(super) fn set_motor(&mut self, on: bool, now: u64) {
        match (self.started, on) {
            (None, true) => {
                self.started = Some(now);
                self.recorded = now;
            }
            (Some(started), false) => {
                self.played += now - started;
                self.started = None;
            }
            _ => {}
        }
    }

    /// The signal on the data line to the computer.
    pub(super) fn level(&self) -> bool {
        self.level || self.started.is_none()
    }

    /// True if the motor runs and there is tape left to hear.
    pub(super) fn is_playing(&self) -> bool {
        self.started.is_some() && !self.recording && !self.edges.is_empty()
    }

    /// The cycle in which the signal changes next.
    pub(super) fn next_event(&self) -> u64 {
        match (self.started, self.edges.get(self.edge)) {
            (Some(started), Some(&edge)) if !self.recording => {
                started + edge.saturating_sub(self.played)
            }
            _ => NEVER,
        }
    }

    /// The next change, at cycle `at`.
    pub(super) fn run(&mut self, at: u64) {
        if self.edge + 1 < self.edges.len() {
            self.level = !self.level;
            self.edge += 1;
        } else {
            self.wind(self.block + 1);
            self.started = Some(at);
        }
    }

    /// A byte from the computer, which goes onto the tape while RECORD is pressed and the motor runs. False when it does not.
    pub(super) fn record(&mut self, byte: SerialByte) -> bool {
        let clock = self.clock();
        if !self.recording || self.started.is_none() {
            return false;
        }
        let Some(tape) = &mut self.tape else {
            return false;
        };
        let bit_time = ((byte.end - byte.start) / 10).max(1);
        let speed = (clock / bit_time).clamp(1, 0xFFFF) as u16;
        let pause = byte.start.saturating_sub(self.recorded) * 1000 / clock;
        self.recorded = byte.end;
        // What was on the tape from here on is gone.
        tape.blocks.truncate(self.block);
        match tape.blocks.last_mut() {
            Some(Block::Data { baud, bytes, .. })
                if pause < PAUSE && baud.abs_diff(speed) <= *baud / 20 && bytes.len() < 0xFFFF =>
            {
                bytes.push(byte.data);
            }
            _ => tape.blocks.push(Block::Data {
                gap: pause.min(0xFFFF) as u16,
                baud: speed,
                bytes: alloc::vec![byte.data],
            }),
        }
        self.block = tape.blocks.len();
        self.edges.clear();
        self.edge = 0;
        self.played = 0;
        self.started = Some(byte.end);
        true
    }
}
