//! Machines with our DOS, and files through CIO.

use crate::calls::Os;
use machine::{Config, Machine};
use media::atr::{Blank, Disk};
use session::typist;

/// The densities of disks.
pub const DENSITIES: [Blank; 3] = [Blank::Single, Blank::Enhanced, Blank::Double];

/// A machine that has booted `disk`, at the prompt of its DOS or BASIC; the drives are fast.
///
/// # Panics
/// When the configuration makes no machine or no prompt comes within 20 seconds.
#[must_use]
pub fn boot(config: &Config, disk: Disk) -> Os {
    let mut machine = Machine::new(config).unwrap();
    machine.set_fast_drives(true);
    machine.insert_disk(0, disk);
    for _ in 0..1200 {
        if typist::frame_waits_for_key(&mut machine) {
            return Os::waiting(machine);
        }
    }
    panic!("no prompt: {}", machine.displayed_text().text());
}

/// The address for data of files.
pub const DATA: u16 = 0x4000;

impl Os {
    /// Gets up to `length` bytes by GET CHARACTERS. Gives the status and the bytes.
    pub fn read(&mut self, iocb: u8, length: u16) -> (u8, Vec<u8>) {
        self.transfer(iocb, 7, length)
    }

    /// Puts bytes by PUT CHARACTERS. Gives the status and how many were taken.
    pub fn write(&mut self, iocb: u8, bytes: &[u8]) -> (u8, usize) {
        self.poke(DATA, bytes);
        let (status, _) = self.transfer(iocb, 11, bytes.len() as u16);
        (status, usize::from(self.word(iocb_at(iocb) + 8)))
    }

    fn transfer(&mut self, iocb: u8, command: u8, length: u16) -> (u8, Vec<u8>) {
        let aux = iocb_at(iocb) + 10;
        let aux = [self.peek(aux), self.peek(aux + 1)];
        let (status, _) = self.cio(iocb, command, DATA, length, aux);
        let moved = self.word(iocb_at(iocb) + 8);
        (status, (0..moved).map(|i| self.peek(DATA + i)).collect())
    }

    /// A special command with a name, on a closed IOCB.
    pub fn special(&mut self, iocb: u8, command: u8, name: &str) -> u8 {
        self.poke(0x0600, name.as_bytes());
        self.poke(0x0600 + name.len() as u16, &[0x9B]);
        self.cio(iocb, command, 0x0600, 0, [0, 0]).0
    }

    /// A whole file; the status of what failed.
    ///
    /// # Errors
    /// The status of OPEN or of the last GET, unless that is the end of the file.
    pub fn file(&mut self, iocb: u8, name: &str) -> Result<Vec<u8>, u8> {
        let status = self.open(iocb, name, [4, 0]);
        if status >= 0x80 {
            return Err(status);
        }
        let mut all = Vec::new();
        let status = loop {
            let (status, bytes) = self.read(iocb, 0x2000);
            all.extend(bytes);
            if status >= 0x80 {
                break status;
            }
        };
        self.close(iocb);
        if status == 136 { Ok(all) } else { Err(status) }
    }

    /// The disk in a drive (0 = D1:).
    ///
    /// # Panics
    /// When the drive is empty.
    #[must_use]
    pub fn disk(&self, drive: usize) -> Disk {
        self.machine.disk(drive).unwrap().clone()
    }
}

/// Address of an IOCB.
#[must_use]
pub fn iocb_at(number: u8) -> u16 {
    0x0340 + u16::from(number) * 16
}
