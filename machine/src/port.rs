//! The program port: the way of a binary file into memory.
//!
//! The port owns the page $D1xx, and exists only while a file waits in it. At $D100 is the loader, a ROM made from
//! `media/boot/loader.s`, so that it takes no memory of the machine; at $D1F0 are its registers. A program may
//! read and write the whole page while it loads: writes do nothing, and a register acts only when the read before it in this page was the
//! operand of the loader's own instruction. The host-folder device's registers and the device select register are not affected.
use media::pages::Pages;
use media::xex::LOADER;

/// The loader's bytes from here on are not there while the program runs; it returns to those before.
const RESIDENT: u8 = 0x50;
/// Those from here on are there again when it has ended.
const WAIT: u8 = 0xA2;
/// The address operand of the loader's store instruction, which the port supplies.
const STORE: u8 = 0x6B;

/// Registers; flags are bit 7.
mod register {
    /// The next byte of the segment.
    pub const DATA: u8 = 0xF0;
    /// Flag: the segment has more bytes.
    pub const LEFT: u8 = 0xF1;
    /// Goes to the next segment. Flag: no segment is left.
    pub const NEXT: u8 = 0xF2;
    /// The OS is at DOSINI. Flag: load now.
    pub const INIT_WANTED: u8 = 0xF3;
    /// The OS is at DOSVEC. Flag: load now.
    pub const VECTOR_WANTED: u8 = 0xF4;
    /// The program is called.
    pub const RUNS: u8 = 0xF5;
    /// The program has ended. Flag: the OS waits for DOSINI to return.
    pub const ENDED: u8 = 0xF6;
    /// A cold start boots again.
    pub const RESTART: u8 = 0xF7;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
enum Phase {
    /// Until the OS comes to DOSINI or DOSVEC.
    Waiting,
    /// Segments are loaded, INIT routines called.
    Loading,
    /// The program was called.
    Running,
    /// It has returned, or left through DOSVEC.
    Ended,
}

/// A waiting file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ProgramPort {
    /// Records of the segments, see `media::xex`.
    stream: Pages,
    position: usize,
    /// The address for the byte that was read last.
    address: u16,
    /// Bytes of the segment that are not read yet.
    left: u16,
    phase: Phase,
    /// The OS has called the loader at DOSINI: there is a cartridge to come back to.
    cartridge: bool,
    /// The low byte of the last address read in this page.
    last: u8,
}

/// The port of the first releases, whose loader was in RAM.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct FirstPort {
    stream: Pages,
    position: usize,
    done: bool,
}

impl From<FirstPort> for ProgramPort {
    fn from(old: FirstPort) -> Self {
        Self {
            // A program in the middle of loading starts again, at RESET.
            phase: if old.done {
                Phase::Running
            } else {
                Phase::Waiting
            },
            ..Self::with(old.stream)
        }
    }
}

impl ProgramPort {
    pub(crate) fn new(stream: &[u8]) -> Self {
        Self::with(stream.into())
    }

    fn with(stream: Pages) -> Self {
        Self {
            stream,
            position: 0,
            address: 0xFFFF,
            left: 0,
            phase: Phase::Waiting,
            cartridge: false,
            last: 0xFF,
        }
    }

    /// The port without its file.
    pub(crate) fn without_file(&self) -> Self {
        Self {
            stream: Pages::default(),
            ..*self
        }
    }

    /// The file.
    pub(crate) fn file(&self) -> &Pages {
        &self.stream
    }

    /// Puts another file in place of the one that is there; everything else stays.
    pub(crate) fn set_file(&mut self, file: Pages) {
        self.stream = file;
    }

    /// A read of $D1xx; `None` where nothing of the port answers.
    pub(crate) fn read(&mut self, low: u8) -> Option<u8> {
        let last = core::mem::replace(&mut self.last, low);
        if low < register::DATA {
            return self.peek(low);
        }
        let operand = last > 0
            && self.peek(last) == Some(0xD1)
            && self.peek(last - 1) == Some(low)
            && !(STORE..=STORE + 1).contains(&last);
        operand.then(|| self.access(low))
    }

    /// The loader's byte at $D1xx.
    pub(crate) fn peek(&self, low: u8) -> Option<u8> {
        match (low, self.phase) {
            (RESIDENT.., Phase::Running) | (RESIDENT..WAIT, Phase::Ended) => None,
            (STORE, _) => Some(self.address as u8),
            (0x6C, _) => Some((self.address >> 8) as u8),
            _ => LOADER.get(usize::from(low)).copied(),
        }
    }

    /// The loader reads a register.
    fn access(&mut self, low: u8) -> u8 {
        let flag = match low {
            register::DATA => {
                self.address = self.address.wrapping_add(1);
                self.left = self.left.saturating_sub(1);
                return self.byte();
            }
            register::LEFT => self.left > 0,
            register::NEXT => {
                let start = u16::from_le_bytes([self.byte(), self.byte()]);
                self.address = start.wrapping_sub(1);
                self.left = u16::from_le_bytes([self.byte(), self.byte()]);
                self.left == 0
            }
            register::INIT_WANTED => self.begin(true),
            register::VECTOR_WANTED => self.begin(false),
            register::RUNS => {
                self.phase = Phase::Running;
                false
            }
            register::ENDED => {
                self.phase = Phase::Ended;
                self.cartridge
            }
            register::RESTART => {
                self.phase = Phase::Waiting;
                false
            }
            _ => true,
        };
        if flag { 0x80 } else { 0 }
    }

    fn begin(&mut self, cartridge: bool) -> bool {
        let wanted = self.phase == Phase::Waiting;
        if wanted {
            self.phase = Phase::Loading;
            self.position = 0;
            self.cartridge = cartridge;
        }
        wanted
    }

    fn byte(&mut self) -> u8 {
        let byte = self.stream.byte(self.position).unwrap_or(0);
        self.position = self.position.saturating_add(1);
        byte
    }

    /// A write to $D1xx: it only shows that the read before it was not an operand of the loader.
    pub(crate) fn write(&mut self) {
        self.last = 0xFF;
    }

    /// RESET: the program starts again, unless it has come back to a cartridge.
    pub(crate) fn reset(&mut self) {
        if self.phase != Phase::Ended || !self.cartridge {
            self.power_on();
        }
    }

    pub(crate) fn power_on(&mut self) {
        self.phase = Phase::Waiting;
        self.last = 0xFF;
    }

    /// True until the OS has come to the loader: the OS boots the port's boot sector.
    pub(crate) fn waits(&self) -> bool {
        self.phase == Phase::Waiting
    }

    /// True if the program was loaded and called.
    pub(crate) fn started(&self) -> bool {
        matches!(self.phase, Phase::Running | Phase::Ended)
    }

    /// True if it has returned.
    pub(crate) fn ended(&self) -> bool {
        self.phase == Phase::Ended
    }

    /// True if bytes are on their way into memory.
    pub(crate) fn at_work(&self) -> bool {
        self.phase == Phase::Loading
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a register as an instruction at `at` of the page does.
    fn by_loader(port: &mut ProgramPort, register: u8) -> u8 {
        let at = LOADER
            .windows(3)
            .position(|w| w[0] != 0x60 && w[1..] == [register, 0xD1])
            .unwrap() as u8;
        for low in at..at + 3 {
            port.read(low);
        }
        port.read(register).unwrap()
    }

    #[test]
    fn the_port_supplies_the_operand_of_the_loaders_store() {
        let mut port = ProgramPort::new(&[0x00, 0x20, 2, 0, 0x11, 0x22, 0, 0, 0, 0]);
        assert_eq!(LOADER[usize::from(STORE) - 1], 0x8D, "STA");
        assert_eq!(by_loader(&mut port, register::VECTOR_WANTED), 0x80);
        assert_eq!(by_loader(&mut port, register::NEXT), 0);
        for (byte, low, left) in [(0x11, 0x00, 0x80), (0x22, 0x01, 0)] {
            assert_eq!(by_loader(&mut port, register::DATA), byte);
            assert_eq!(
                (port.peek(STORE), port.peek(STORE + 1)),
                (Some(low), Some(0x20))
            );
            assert_eq!(by_loader(&mut port, register::LEFT), left);
        }
        assert_eq!(by_loader(&mut port, register::NEXT), 0x80);
    }

    #[test]
    fn a_programs_accesses_change_nothing() {
        let mut port = ProgramPort::new(&[0x00, 0x20, 2, 0, 0x11, 0x22, 0, 0, 0, 0]);
        by_loader(&mut port, register::VECTOR_WANTED);
        by_loader(&mut port, register::NEXT);
        let before = ProgramPort {
            last: 0xFF,
            ..port.clone()
        };
        for _ in 0..2 {
            for low in (0..=255).chain((0..=255).rev()) {
                port.read(low);
                port.read(low);
                port.write();
                port.read(low);
            }
        }
        port.write();
        assert!(port == before);
    }
}
