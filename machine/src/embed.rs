//! Access for programs that play, watch and change: joysticks by name, memory by range, a call at an address.
use alloc::vec::Vec;
use core::ops::{Bound, RangeBounds};
use cpu6502::Cpu;

use crate::{Bus, Joystick, Machine, Probe};

/// # For embedders
///
/// ```
/// use machine::{Config, Machine, Rom};
///
/// let config = Config::xl(Rom::own(roms::OS_XL)).with_basic(Rom::own(roms::BASIC));
/// let mut atari = Machine::new(&config)?;
/// while !atari.text_screen().text().contains("READY") {
///     atari.run_frame();
/// }
/// // The OS enters its vertical blank routine through VVBLKI, which counts RTCLOK's last byte up.
/// let vblank = atari.peek_word(0x222);
/// let mut clock = Vec::new();
/// atari.run_frames_calling(3, vblank, |atari| clock.push(atari.peek(0x14)));
/// assert_eq!(clock, [clock[0], clock[0].wrapping_add(1), clock[0].wrapping_add(2)]);
/// atari.joystick(0).left().press();
/// atari.run_frame();
/// atari.run_frame();
/// assert_eq!((atari.peek(0x278), atari.peek(0x284)), (11, 0), "STICK0 and STRIG0");
/// atari.write_memory(0x600, &[1, 2, 3]);
/// assert_eq!(atari.memory(0x600..0x604), [1, 2, 3, atari.peek(0x603)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Machine {
    /// The joystick in port 0 to 3 (XL and XE have ports 0 and 1), to be moved between runs of the machine.
    pub fn joystick(&mut self, port: usize) -> &mut Joystick {
        self.input.joystick(port)
    }

    /// The bytes that the processor would read in a range of addresses, without side effects.
    pub fn memory(&self, range: impl RangeBounds<u16>) -> Vec<u8> {
        let first = match range.start_bound() {
            Bound::Included(&first) => usize::from(first),
            Bound::Excluded(&before) => usize::from(before) + 1,
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&last) => usize::from(last) + 1,
            Bound::Excluded(&end) => usize::from(end),
            Bound::Unbounded => 0x1_0000,
        };
        (first..end)
            .map(|address| self.peek(address as u16))
            .collect()
    }

    /// Writes bytes from an address on as [`Self::poke`] does; after $FFFF comes $0000.
    pub fn write_memory(&mut self, address: u16, bytes: &[u8]) {
        for (offset, &byte) in bytes.iter().enumerate() {
            self.poke(address.wrapping_add(offset as u16), byte);
        }
    }

    /// Runs a number of frames, and calls `call` each time the processor is about to fetch the instruction at `address`. Such a run goes cycle
    /// by cycle, and is much slower than [`Self::run_frame`].
    pub fn run_frames_calling(
        &mut self,
        frames: usize,
        address: u16,
        mut call: impl FnMut(&mut Self),
    ) {
        let mut at = At {
            address,
            called: false,
        };
        for _ in 0..frames {
            while self.run_frame_with(&mut at) {
                call(self);
            }
        }
    }
}

/// Stops before the instruction at an address, once each time: DMA may delay its fetch by some cycles.
struct At {
    address: u16,
    /// The call for the coming fetch was made.
    called: bool,
}

impl Probe for At {
    fn cycle(&mut self, cpu: &Cpu, _: &Bus) -> bool {
        let there = cpu.at_instruction_start() && cpu.pc == self.address;
        let stop = there && !self.called;
        self.called = there;
        stop
    }
}
