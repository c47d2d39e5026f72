//! The serial bus and its devices, at the time of bits and bytes.
//!
//! The computer's bytes come from POKEY when their stop bits end; the devices' bytes move POKEY's input line bit by bit.
//! Protocol and delays: Altirra Hardware Reference Manual 9.1 and 10.2-10.5.
mod device;
mod drive;
mod recorder;

use crate::config::Tv;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use device::{BootPort, Clock, Device, Outcome, Printer, Reply, cycles};
use drive::Drive;
use media::atr::Disk;
use media::cas::Tape;
use pokey::{NEVER, SerialByte};
use recorder::Recorder;
use scratch::Scratch;

/// Number of drives: D1: to D8:.
pub const DRIVES: usize = 8;

/// Bit times of the computer at 19,200 baud and at the US Doubler's speed: POKEY divisors 40 and 10.
const STANDARD: u64 = 94;
const HIGH_SPEED: u64 = 34;

/// Bytes of this bit time or slower, while the motor runs, are meant for a tape: 1,500 baud and less.
const TAPE: u64 = 1_180;

/// The pauses of the devices, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Gaps {
    /// From the end of a command frame to ACK.
    acknowledge: u64,
    /// From ACK to COMPLETE, at least.
    complete: u64,
    /// From the start of a byte to that of the next; less than a byte takes means no pause.
    byte: u64,
}

impl Default for Gaps {
    fn default() -> Self {
        Self {
            acknowledge: 400,
            complete: 250,
            // 265 cycles of the 810's 500 kHz clock at standard speed.
            byte: 530,
        }
    }
}

/// No device sends anything later than this: five minutes.
const FARTHEST: u64 = 1 << 29;

/// The state of the protocol.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
enum Phase {
    /// Nothing under way.
    Idle,
    /// The command line is low; bytes of the frame so far.
    Command,
    /// A device waits for a data frame of the computer.
    Data {
        device: u8,
        command: u8,
        aux: [u8; 2],
        length: usize,
    },
}

/// The byte a device is sending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
struct Sending {
    /// Start bit, data, stop bit, the next bit lowest.
    bits: u16,
    left: u8,
    /// Start of the byte.
    start: u64,
}

/// The bus.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Sio {
    drives: [Drive; DRIVES],
    phase: Phase,
    received: Vec<u8>,
    /// Cycles per bit of the command frame under way.
    bit_time: u64,
    command: bool,
    recorder: Recorder,
    /// Bytes to be sent and the cycle at which each begins.
    queue: VecDeque<(u64, u8)>,
    sending: Option<Sending>,
    /// The level of the computer's data input line.
    line: bool,
    /// The level that POKEY was told last.
    line_told: bool,
    next: u64,
    printer: Printer,
    /// The host-folder device of a 400 or 800 waits to be booted: it answers for sector 1 of D1:.
    host_waits: bool,
    tv: Tv,
    /// The answer times of the devices of this session; not part of a machine's state.
    #[serde(skip)]
    gaps: Gaps,
    /// True only during a write to the PIA while a file waits in the program port: sector 1 of D1: is the loader's.
    #[serde(skip)]
    loader_waits: bool,
    /// A program has sent bytes for a tape, and they were not recorded. For the host only, so not part of the machine.
    #[serde(skip)]
    unrecorded: Scratch<bool>,
}

impl Sio {
    pub(crate) fn new(tv: Tv) -> Self {
        Self {
            drives: core::array::from_fn(|_| Drive::new()),
            phase: Phase::Idle,
            received: Vec::new(),
            bit_time: STANDARD,
            command: false,
            recorder: Recorder::new(tv),
            queue: VecDeque::new(),
            sending: None,
            line: true,
            line_told: true,
            next: NEVER,
            printer: Printer::default(),
            host_waits: false,
            tv,
            gaps: Gaps::default(),
            loader_waits: false,
            unrecorded: Scratch(false),
        }
    }

    /// The bus without disks, tape and printed text.
    pub(crate) fn without_media(&self) -> Self {
        Self {
            drives: core::array::from_fn(|i| self.drives[i].without_disk()),
            phase: self.phase.clone(),
            received: self.received.clone(),
            recorder: self.recorder.without_tape(),
            queue: self.queue.clone(),
            printer: Printer::default(),
            ..*self
        }
    }

    /// Puts disks and a tape in place as they were when a state was made.
    pub(crate) fn set_media(&mut self, disks: [Option<Disk>; DRIVES], tape: Option<Tape>) {
        for (drive, disk) in self.drives.iter_mut().zip(disks) {
            drive.set_disk(disk);
        }
        self.recorder.set_tape(tape);
    }

    /// True if the bus can be in this state: for one that was read from a file.
    pub(crate) fn is_valid(&self, tv: Tv, now: u64) -> bool {
        let phase = match self.phase {
            Phase::Idle | Phase::Command => true,
            Phase::Data {
                device,
                command,
                aux,
                length,
            } => {
                let device = self.attached(device);
                device.is_some_and(|device| device.waits_for(command, aux, length))
            }
        };
        let soon = now + FARTHEST;
        phase
            && self.tv == tv
            && matches!(self.bit_time, STANDARD | HIGH_SPEED)
            && self.received.len() <= 513
            && self.queue.len() <= 1024
            && self.queue.iter().all(|&(at, _)| at <= soon)
            && self.sending.is_none_or(|s| s.left <= 10 && s.start <= soon)
            && (self.next == NEVER || self.next <= soon)
            && self.drives.iter().all(Drive::is_valid)
            && self.recorder.is_valid(tv, now)
    }

    fn cycles(&self, us: u64) -> u64 {
        cycles(us, self.tv)
    }

    /// The device of this number, as it is when no boot is under way.
    fn attached(&self, device: u8) -> Option<&dyn Device> {
        match device {
            0x31..=0x38 => Some(&self.drives[usize::from(device - 0x31)]),
            0x40 => Some(&self.printer),
            _ => None,
        }
    }

    /// Calls `act` with the device that a frame is for; `None` when the device does not exist, or is off.
    fn device<T>(
        &mut self,
        device: u8,
        command: u8,
        aux: [u8; 2],
        act: impl FnOnce(&mut dyn Device) -> T,
    ) -> Option<T> {
        match device {
            0x31..=0x38 => {
                if device == 0x31
                    && let Some(mut port) = self.boot_port()
                    && port.answers(command, aux)
                {
                    return Some(act(&mut port));
                }
                let drive = &mut self.drives[usize::from(device - 0x31)];
                drive.is_on().then(|| act(drive))
            }
            0x40 => Some(act(&mut self.printer)),
            _ => None,
        }
    }

    /// The port whose loader waits to be booted; then no disk has to turn for it, whatever is in the drive.
    fn boot_port(&self) -> Option<BootPort> {
        let (sector, without_drive) = if self.host_waits {
            (crate::host::boot_sector().to_vec(), !self.drives[0].is_on())
        } else if self.loader_waits {
            (media::xex::boot_sector().to_vec(), false)
        } else {
            return None;
        };
        Some(BootPort {
            sector,
            without_drive,
        })
    }

    /// The cycle in which [`Self::run`] must be called next.
    pub(crate) fn next_event(&self) -> u64 {
        self.next.min(self.recorder.next_event())
    }

    /// Does what is due at cycle `at`; the new level of the input line if it changed.
    pub(crate) fn run(&mut self, at: u64) -> Option<bool> {
        if self.recorder.next_event() <= at {
            self.recorder.run(at);
        }
        if self.next <= at {
            self.run_sender(at);
        }
        self.line_change()
    }

    /// The device that is sending moves on to its next bit.
    fn run_sender(&mut self, at: u64) {
        if self.sending.is_none()
            && let Some(&(start, data)) = self.queue.front()
            && start <= at
        {
            self.queue.pop_front();
            self.sending = Some(Sending {
                bits: u16::from(data) << 1 | 0x200,
                left: 10,
                start: at,
            });
        }
        if let Some(sending) = &mut self.sending {
            if sending.left == 0 {
                self.sending = None;
            } else {
                self.line = sending.bits & 1 != 0;
                // On to the next bit that differs.
                let bit_time = device_bit_time(self.bit_time);
                while sending.left > 0 && (sending.bits & 1 != 0) == self.line {
                    sending.bits >>= 1;
                    sending.left -= 1;
                }
                self.next = sending.start + u64::from(10 - sending.left) * bit_time;
            }
        }
        if self.sending.is_none() {
            self.next = self
                .queue
                .front()
                .map_or(NEVER, |&(start, _)| start.max(at));
        }
    }

    /// The level of the input line if POKEY does not know it yet.
    pub(crate) fn line_change(&mut self) -> Option<bool> {
        let level = self.line && self.recorder.level();
        (level != self.line_told).then(|| {
            self.line_told = level;
            level
        })
    }

    /// Ends what the devices were sending.
    fn silence(&mut self) {
        self.queue.clear();
        self.sending = None;
        self.line = true;
        self.next = NEVER;
    }

    /// Sends `bytes` one after the other, not before cycle `at`; the cycle after the last.
    fn send(&mut self, at: u64, bytes: &[u8]) -> u64 {
        // At high speed a byte takes 220 cycles of the US Doubler's 1 MHz.
        let byte_time = if self.bit_time == STANDARD {
            self.cycles(self.gaps.byte)
        } else {
            self.cycles(220)
        };
        let mut at = at;
        for &byte in bytes {
            self.queue.push_back((at, byte));
            at += byte_time;
        }
        if self.sending.is_none() {
            self.next = self
                .next
                .min(self.queue.front().map_or(NEVER, |&(start, _)| start));
        }
        at
    }

    /// The command line changes: `low` = a command frame is under way.
    pub(crate) fn set_command(&mut self, low: bool, now: u64) {
        if low == self.command {
            return;
        }
        self.command = low;
        if low {
            self.phase = Phase::Command;
            self.received.clear();
            self.silence();
        } else if self.phase == Phase::Command {
            self.phase = Phase::Idle;
            self.execute_frame(now);
        }
    }

    /// The motor line changes.
    pub(crate) fn set_motor(&mut self, on: bool, now: u64) {
        self.recorder.set_motor(on, now);
    }

    /// A byte from the computer.
    pub(crate) fn receive(&mut self, byte: SerialByte, now: u64) {
        let bit_time = (byte.end - byte.start) / 10;
        if !self.recorder.record(byte) && self.recorder.runs() && bit_time >= TAPE {
            self.unrecorded.0 = true;
        }
        match self.phase {
            Phase::Idle => {}
            Phase::Command => {
                if self.received.is_empty() {
                    self.bit_time = if bit_time < 60 { HIGH_SPEED } else { STANDARD };
                }
                if self.received.len() < 8 {
                    // A byte at another speed arrives as something else.
                    self.received.push(if close(bit_time, self.bit_time) {
                        byte.data
                    } else {
                        !byte.data
                    });
                }
            }
            Phase::Data {
                device,
                command,
                aux,
                length,
            } => {
                self.received.push(if close(bit_time, self.bit_time) {
                    byte.data
                } else {
                    !byte.data
                });
                if self.received.len() > length {
                    self.phase = Phase::Idle;
                    self.finish_write(device, command, aux, now);
                }
            }
        }
    }

    /// The command line has gone up: the device that is meant acts on the frame.
    fn execute_frame(&mut self, now: u64) {
        let Some(&[device, command, aux1, aux2, sum]) = self.received.first_chunk::<5>() else {
            return;
        };
        if self.received.len() != 5 || checksum(&[device, command, aux1, aux2]) != sum {
            return;
        }
        let aux = [aux1, aux2];
        let clock = Clock { now, tv: self.tv };
        let reply = self.device(device, command, aux, |device| {
            device.command(command, aux, clock)
        });
        let Some(reply) = reply else {
            return;
        };
        self.received.clear();
        let acknowledge = now + self.cycles(self.gaps.acknowledge);
        match reply {
            Reply::Refused => {
                self.send(acknowledge, b"N");
            }
            Reply::Done { data, ok, after } => {
                let end = self.send(acknowledge, b"A");
                self.send_result(end + self.cycles(self.gaps.complete).max(after), ok, &data);
            }
            Reply::WantsData { length } => {
                self.send(acknowledge, b"A");
                self.phase = Phase::Data {
                    device,
                    command,
                    aux,
                    length,
                };
            }
        }
    }

    /// Complete or error, and the data frame if there is one.
    fn send_result(&mut self, at: u64, ok: bool, data: &[u8]) {
        let end = self.send(at, if ok { b"C" } else { b"E" });
        if !data.is_empty() {
            let end = self.send(end, data);
            self.send(end, &[checksum(data)]);
        }
    }

    /// The data frame of a write command is complete.
    fn finish_write(&mut self, device: u8, command: u8, aux: [u8; 2], now: u64) {
        let mut data = core::mem::take(&mut self.received);
        let sum = data.pop();
        let acknowledge = now + self.cycles(1000);
        if sum != Some(checksum(&data)) {
            self.send(acknowledge, b"N");
            return;
        }
        let end = self.send(acknowledge, b"A");
        let clock = Clock { now, tv: self.tv };
        let outcome = self.device(device, command, aux, |device| {
            device.write(command, aux, &data, clock)
        });
        // A drive that was switched off since its command frame does not finish it.
        let Some(Outcome { ok, after }) = outcome else {
            return;
        };
        self.send_result(end + self.cycles(self.gaps.complete).max(after), ok, &[]);
    }

    pub(crate) fn insert_disk(&mut self, number: usize, disk: Disk) {
        if let Some(drive) = self.drives.get_mut(number) {
            drive.insert(disk);
        }
    }

    pub(crate) fn eject_disk(&mut self, number: usize) -> Option<Disk> {
        self.drives.get_mut(number).and_then(Drive::eject)
    }

    pub(crate) fn disk(&self, number: usize) -> Option<&Disk> {
        self.drives.get(number).and_then(Drive::disk)
    }

    pub(crate) fn disk_mut(&mut self, number: usize) -> Option<&mut Disk> {
        self.drives.get_mut(number).and_then(Drive::disk_mut)
    }

    /// Puts back a disk that was read from a saved state: the drive's own state stays.
    pub(crate) fn restore_disk(&mut self, number: usize, disk: Disk) {
        if let Some(drive) = self.drives.get_mut(number) {
            drive.restore(disk);
        }
    }

    /// Puts a tape into the recorder, wound to its beginning, with PLAY pressed.
    pub(crate) fn insert_tape(&mut self, tape: Tape) {
        self.recorder.insert(tape);
    }

    pub(crate) fn eject_tape(&mut self) -> Option<Tape> {
        self.recorder.eject()
    }

    pub(crate) fn tape(&self) -> Option<&Tape> {
        self.recorder.tape()
    }

    pub(crate) fn tape_position(&self) -> (usize, usize) {
        self.recorder.position()
    }

    pub(crate) fn wind_tape(&mut self, block: usize) {
        self.recorder.wind_to(block);
    }

    pub(crate) fn is_recording(&self) -> bool {
        self.recorder.is_recording()
    }

    pub(crate) fn take_unrecorded(&mut self) -> bool {
        core::mem::take(&mut self.unrecorded.0)
    }

    pub(crate) fn press_record(&mut self, pressed: bool) {
        self.recorder.press_record(pressed);
    }

    pub(crate) fn set_gaps(&mut self, acknowledge: u64, complete: u64, byte: u64) {
        self.gaps = Gaps {
            acknowledge,
            complete,
            byte,
        };
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.phase != Phase::Idle
            || self.sending.is_some()
            || !self.queue.is_empty()
            || self.recorder.is_playing()
    }

    pub(crate) fn set_fast(&mut self, fast: bool) {
        for drive in &mut self.drives {
            drive.fast = fast;
        }
    }

    /// The host-folder device waits to be booted, or has been.
    pub(crate) fn offer_host(&mut self, waits: bool) {
        self.host_waits = waits;
    }

    /// A file waits in the program port, and the OS is to boot its loader.
    pub(crate) fn offer_loader(&mut self, waits: bool) {
        self.loader_waits = waits;
    }

    pub(crate) fn take_printed(&mut self) -> Vec<Vec<u8>> {
        core::mem::take(&mut self.printer.records)
    }

    /// Takes over disks from the bus of a machine that is switched off.
    pub(crate) fn keep_media(&mut self, old: &mut Sio) {
        for (drive, old) in self.drives.iter_mut().zip(&mut old.drives) {
            drive.fast = old.fast;
            if let Some(disk) = old.eject() {
                drive.insert(disk);
            }
        }
        if let Some(tape) = old.eject_tape() {
            self.insert_tape(tape);
        }
        self.printer = core::mem::take(&mut old.printer);
    }
}

/// Cycles per bit a device sends with: 26 cycles of 500 kHz, or 19 of 1 MHz.
fn device_bit_time(bit_time: u64) -> u64 {
    if bit_time == STANDARD { 93 } else { HIGH_SPEED }
}

/// True if two bit times are within 5 % of each other, so that a byte is sampled right.
fn close(a: u64, b: u64) -> bool {
    a.abs_diff(b) * 20 <= b
}

/// The sum of bytes with the carry added back in.
fn checksum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0u16, |sum, &b| {
        let sum = sum + u16::from(b);
        (sum & 0xFF) + (sum >> 8)
    }) as u8
}
