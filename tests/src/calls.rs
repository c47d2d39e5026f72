//! Calls into the OS: a machine that stands still after its boot, and subroutines run in it from outside.

use machine::{Config, Machine};
use media::atr::Disk;

/// The address at which the boot sector of [`Os::new`] waits, and from which calls are made.
const STUB: u16 = 0x06F0;

/// Registers before and after a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    /// Accumulator.
    pub a: u8,
    /// Index register X.
    pub x: u8,
    /// Index register Y.
    pub y: u8,
    /// Status: N $80, V $40, D $08, I $04, Z $02, C $01.
    pub p: u8,
}

/// A machine whose OS has started and booted a program that does nothing.
#[derive(Clone, Debug)]
pub struct Os {
    /// The machine.
    pub machine: Machine,
    /// [`Os::call`] runs long calls by whole frames and returns at the end of the last one.
    pub by_frames: bool,
}

/// A boot disk of one sector: loads to $0700, returns; the program then loops at $0720.
#[must_use]
pub fn idle_disk() -> Disk {
    let mut disk = Disk::with_geometry(720, 128);
    let mut sector = [0; 128];
    sector[..7].copy_from_slice(&[0, 1, 0x00, 0x07, 0x30, 0x07, 0x18]);
    sector[6..16].copy_from_slice(&[0xA9, 0x20, 0x85, 0x0A, 0xA9, 0x07, 0x85, 0x0B, 0x18, 0x60]); // DOSVEC = $0720; CLC; RTS
    sector[0x20..0x23].copy_from_slice(&[0x4C, 0x20, 0x07]);
    sector[0x30] = 0x60; // DOSINI: RTS
    disk.write_sector(1, &sector);
    disk
}

impl Os {
    /// Starts the machine and boots [`idle_disk`].
    ///
    /// # Panics
    /// When the configuration makes no machine or the boot does not end in its loop within ten seconds.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        let mut machine = Machine::new(config).unwrap();
        machine.insert_disk(0, idle_disk());
        for _ in 0..600 {
            machine.run_frame();
            if (0x0720..=0x0723).contains(&machine.cpu.pc) {
                return Self {
                    machine,
                    by_frames: false,
                };
            }
        }
        panic!("the disk was not booted");
    }

    /// A machine that waits for a key, to be called instead.
    #[must_use]
    pub fn waiting(mut machine: Machine) -> Self {
        // The wait is left between two interrupts.
        while machine.cpu.p() & 4 != 0 {
            machine.step_instruction();
        }
        let mut os = Self {
            machine,
            by_frames: true,
        };
        os.poke(STUB + 3, &[0x4C, 0xF3, 0x06]);
        os.machine.cpu.set_pc(STUB + 3);
        os
    }

    /// Calls `address` with these registers and runs until it returns, `frames` at most.
    pub fn try_call(
        &mut self,
        address: u16,
        registers: Registers,
        frames: u64,
    ) -> Option<Registers> {
        self.try_call_with(address, registers, frames, |_| ())
    }

    /// [`Os::try_call`] with a function that sees the machine before each instruction.
    pub fn try_call_with(
        &mut self,
        address: u16,
        registers: Registers,
        frames: u64,
        mut watcher: impl FnMut(&mut Machine),
    ) -> Option<Registers> {
        self.begin(address, registers);
        let end = self.machine.now() + frames * 29_868;
        while self.machine.now() < end {
            watcher(&mut self.machine);
            self.machine.step_instruction();
            if self.machine.cpu.pc == STUB + 3 {
                return Some(self.registers());
            }
        }
        None
    }

    /// Runs a call for `cycles`, to the end of its last frame when it comes back before. True if it has.
    pub fn run_call(&mut self, address: u16, registers: Registers, cycles: u64) -> bool {
        self.begin(address, registers);
        let end = self.machine.now() + cycles;
        while self.machine.now() + 40_000 < end {
            self.machine.run_frame();
            if self.is_back() {
                return true;
            }
        }
        while self.machine.now() < end {
            if self.is_back() {
                return true;
            }
            self.machine.step_instruction();
        }
        false
    }

    /// True in the loop after a call, in any cycle of its jump.
    fn is_back(&self) -> bool {
        (STUB + 3..STUB + 6).contains(&self.machine.cpu.pc)
    }

    /// Begins a call, when no interrupt is being served.
    fn begin(&mut self, address: u16, registers: Registers) {
        while ![STUB + 3, 0x0720].contains(&self.machine.cpu.pc) {
            self.machine.step_instruction();
        }
        let [low, high] = address.to_le_bytes();
        self.poke(STUB, &[0x20, low, high, 0x4C, 0xF3, 0x06]);
        self.machine.cpu.a = registers.a;
        self.machine.cpu.x = registers.x;
        self.machine.cpu.y = registers.y;
        self.machine.cpu.set_pc(STUB);
    }

    fn registers(&self) -> Registers {
        let cpu = &self.machine.cpu;
        Registers {
            a: cpu.a,
            x: cpu.x,
            y: cpu.y,
            p: cpu.p(),
        }
    }

    /// [`Os::try_call`] that must return within ten seconds.
    ///
    /// # Panics
    /// When it does not return.
    pub fn call(&mut self, address: u16, registers: Registers) -> Registers {
        if self.by_frames {
            self.begin(address, registers);
            // Short calls are over before a frame is.
            for _ in 0..2000 {
                self.machine.step_instruction();
                if self.machine.cpu.pc == STUB + 3 {
                    return self.registers();
                }
            }
            for _ in 0..6000 {
                self.machine.run_frame();
                // The frame may end in an interrupt.
                while self.machine.cpu.p() & 4 != 0 {
                    self.machine.step_instruction();
                }
                if self.is_back() {
                    return self.registers();
                }
            }
        }
        self.try_call(address, registers, 600)
            .unwrap_or_else(|| panic!("${address:04X} does not return"))
    }

    /// CIO on an IOCB: command, buffer, length, AUX1, AUX2. Returns status and A.
    pub fn cio(
        &mut self,
        iocb: u8,
        command: u8,
        buffer: u16,
        length: u16,
        aux: [u8; 2],
    ) -> (u8, u8) {
        let base = 0x0340 + u16::from(iocb) * 16;
        self.poke(base + 2, &[command]);
        self.poke(base + 4, &buffer.to_le_bytes());
        self.poke(base + 8, &length.to_le_bytes());
        self.poke(base + 10, &aux);
        let after = self.call(
            0xE456,
            Registers {
                x: iocb * 16,
                ..Registers::default()
            },
        );
        (after.y, after.a)
    }

    /// Opens a device by name on an IOCB; the name is put at $0600.
    pub fn open(&mut self, iocb: u8, name: &str, aux: [u8; 2]) -> u8 {
        self.poke(0x0600, name.as_bytes());
        self.poke(0x0600 + name.len() as u16, &[0x9B]);
        self.cio(iocb, 3, 0x0600, 0, aux).0
    }

    /// Closes an IOCB.
    pub fn close(&mut self, iocb: u8) -> u8 {
        self.cio(iocb, 12, 0, 0, [0, 0]).0
    }

    /// Puts one byte through an IOCB that is open for writing; AUX1 and AUX2 stay.
    pub fn put(&mut self, iocb: u8, byte: u8) -> u8 {
        let base = 0x0340 + u16::from(iocb) * 16;
        self.poke(base + 2, &[11]);
        self.poke(base + 8, &[0, 0]);
        self.call(
            0xE456,
            Registers {
                a: byte,
                x: iocb * 16,
                ..Registers::default()
            },
        )
        .y
    }

    /// Puts a text through an IOCB, a line feed as EOL.
    ///
    /// # Panics
    /// When the status of a byte is not 1.
    pub fn print(&mut self, iocb: u8, text: &[u8]) {
        for &byte in text {
            let byte = if byte == b'\n' { 0x9B } else { byte };
            assert_eq!(self.put(iocb, byte), 1, "status of byte {byte}");
        }
    }

    /// Gets one byte from an IOCB; AUX1 and AUX2 stay. Returns status and byte.
    pub fn get(&mut self, iocb: u8) -> (u8, u8) {
        let base = 0x0340 + u16::from(iocb) * 16;
        self.poke(base + 2, &[7]);
        self.poke(base + 8, &[0, 0]);
        let after = self.call(
            0xE456,
            Registers {
                x: iocb * 16,
                ..Registers::default()
            },
        );
        (after.y, after.a)
    }

    /// Writes bytes to RAM.
    pub fn poke(&mut self, address: u16, bytes: &[u8]) {
        for (i, &byte) in bytes.iter().enumerate() {
            self.machine.poke(address.wrapping_add(i as u16), byte);
        }
    }

    /// A byte as the processor sees it.
    #[must_use]
    pub fn peek(&self, address: u16) -> u8 {
        self.machine.peek(address)
    }

    /// A word as the processor sees it.
    #[must_use]
    pub fn word(&self, address: u16) -> u16 {
        self.machine.peek_word(address)
    }

    /// Moves the cursor of S: or E: (ROWCRS, COLCRS).
    pub fn position(&mut self, column: u16, row: u8) {
        self.poke(0x54, &[row]);
        self.poke(0x55, &column.to_le_bytes());
    }

    /// Runs frames.
    pub fn run(&mut self, frames: u32) {
        for _ in 0..frames {
            self.machine.run_frame();
        }
    }
}
