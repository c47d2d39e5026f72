//! The parts of a cartridge beside its ROM and one byte of bank: chips that a program can write to, and further registers.
//!
//! Flash of Atarimax and SIC! (Altirra Hardware Reference Manual 8.2, 8.4): the chips take the commands of the Am29F010 and Am29F040B (their
//! data sheets): $AA to x555 and $55 to x2AA, then $A0 and a byte to be programmed, $80 and (after the two again) $10 or $30 to erase all or
//! a sector, $90 to show maker and type, $F0 to be read again. The W29C020 of the SIC! with 256K has 15 lines in these addresses ($5555, $2AAA)
//! and no sectors; $A0 begins a page of 128 bytes, of which those are $FF in the end that are not written, and which is over when no byte
//! has come for 200 us; its names are shown after the six bytes that end with $60, too. A byte is programmed and a sector erased at once, so
//! that a program that waits for it sees it done.
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use media::Identity;
use media::cartridge::Cartridge;
use serde::{Deserialize, Serialize};

use super::wiring::{Contents, wiring};

/// Bytes that are kept as one when a program has changed any of them.
const BLOCK: usize = 0x1000;
/// Bytes of a block of an identity.
const UNIT: usize = 128;

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Chip {
    /// The blocks that are no longer as they were when the cartridge was plugged in, by number.
    blocks: BTreeMap<u32, Vec<u8>>,
    step: Step,
    /// The chip that the command goes to; some cartridges have two.
    number: u8,
    /// The second register: module, or the bank's high byte.
    pub register: u8,
    /// The difference that the changes make to the hash of the cartridge's file and to the sum of its bytes.
    #[serde(skip)]
    hash: u64,
    #[serde(skip)]
    sum: u32,
}

/// The terms of the identity of a cartridge's CAR file as it was plugged in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Base {
    hash: u64,
    sum: u32,
}

impl Base {
    pub fn of(cartridge: &Cartridge) -> Self {
        let blocks = cartridge.rom.chunks(UNIT).enumerate();
        Self {
            hash: blocks.fold(0, |sum, (i, block)| {
                sum.wrapping_add(Identity::term(i + 1, block))
            }),
            sum: total(&cartridge.rom),
        }
    }
}

/// The sum of bytes, as in the header of CAR files.
fn total(bytes: &[u8]) -> u32 {
    bytes.iter().map(|&b| u32::from(b)).sum()
}

/// Progress of a flash chip in a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Step {
    #[default]
    Read,
    First,
    Second,
    Program,
    Erase,
    EraseFirst,
    EraseSecond,
    /// More sectors may follow the first.
    Erasing,
    /// Maker and type are shown in place of the contents.
    Names,
    /// Bytes of this page are taken up to this cycle.
    Page(u32, u64),
}

/// The properties of a flash chip.
pub(super) struct Flash {
    /// Bytes of the chip.
    size: usize,
    /// Its address lines that count in commands.
    lines: usize,
    unit: Unit,
    /// The bytes at its first places in place of the contents, after the command that shows them: maker, type, and whether the first sector is
    /// locked.
    names: [u8; 3],
}

/// The unit in which a chip writes.
#[derive(Clone, Copy)]
enum Unit {
    /// Single bytes, which only clears bits; sectors of `sector` bytes can be erased.
    Byte { sector: usize },
    /// Whole pages of this many bytes, which need not be erased before.
    Page(usize),
}

impl Unit {
    fn is_page(self) -> bool {
        matches!(self, Self::Page(_))
    }
}

pub(super) static AM29F010: Flash = Flash {
    size: 0x2_0000,
    lines: 0x7FF,
    unit: Unit::Byte { sector: 0x4000 },
    names: [0x01, 0x20, 0],
};
pub(super) static AM29F040: Flash = Flash {
    size: 0x8_0000,
    lines: 0x7FF,
    unit: Unit::Byte { sector: 0x1_0000 },
    names: [0x01, 0xA4, 0],
};
pub(super) static W29C020: Flash = Flash {
    size: 0x4_0000,
    lines: 0x7FFF,
    unit: Unit::Page(128),
    names: [0xDA, 0x45, 0xFE],
};

/// Machine cycles after which a page without a further byte is over: 200 us.
const PAGE_TIME: u64 = 358;

fn flash(cartridge: &Cartridge) -> Option<&'static Flash> {
    match wiring(cartridge.kind).contents {
        Contents::Flash(chip) => Some(chip(cartridge.rom.len())),
        Contents::Rom | Contents::Ram => None,
    }
}

/// The change that a write makes visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// All as it was.
    Same,
    /// The byte that was written to is this now.
    Byte(u8),
    /// The windows are to be shown again.
    All,
}

impl Chip {
    /// True if a chip of such a cartridge can be in this state.
    pub fn is_valid(&self, cartridge: &Cartridge) -> bool {
        let blocks = cartridge.rom.len().div_ceil(BLOCK) as u32;
        let mut all = self.blocks.iter();
        all.all(|(&number, block)| number < blocks && block.len() == BLOCK)
            && (self.blocks.is_empty() || wiring(cartridge.kind).is_writable())
    }

    /// True if a program has written anything.
    pub fn is_written(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// The chip with the same contents in a machine that is switched off and on.
    pub fn at_power_on(self) -> Self {
        Self {
            blocks: self.blocks,
            ..Self::default()
        }
    }

    /// The identity of the cartridge's CAR file as it would be now.
    pub fn identity(&self, cartridge: &Cartridge, base: Base) -> Option<Identity> {
        let sum = base.sum.wrapping_add(self.sum);
        let header = Cartridge::car_header(cartridge.type_number()?, sum);
        let terms = [Identity::term(0, &header), base.hash, self.hash];
        let hash = terms.into_iter().fold(0, u64::wrapping_add);
        Some(Identity::of_terms(16 + cartridge.rom.len() as u64, hash))
    }

    /// Recomputes the terms that the changes add to the identity.
    pub fn count(&mut self, base: &Cartridge) {
        (self.hash, self.sum) = (0, 0);
        for (&number, block) in &self.blocks {
            let start = number as usize * BLOCK;
            for (at, now) in block.chunks(UNIT).enumerate() {
                let first = start + at * UNIT;
                let was = base.rom.get(first..first + UNIT).unwrap_or_default();
                let (hash, sum) = difference(first, was, now);
                self.hash = self.hash.wrapping_add(hash);
                self.sum = self.sum.wrapping_add(sum);
            }
        }
    }

    /// The cartridge as it is now.
    pub fn cartridge(&self, base: &Cartridge) -> Cartridge {
        let mut now = base.clone();
        for (&number, block) in &self.blocks {
            let start = number as usize * BLOCK;
            let end = now.rom.len().min(start + BLOCK);
            if let Some(part) = now.rom.get_mut(start..end) {
                let length = part.len();
                part.copy_from_slice(&block[..length]);
            }
        }
        now
    }

    /// The 8K at `number`, as they are read.
    pub fn bank(&self, base: &Cartridge, number: usize) -> Vec<u8> {
        let mut bank = base.bank(number);
        let banks = (base.rom.len() / 0x2000).max(1);
        let start = number % banks * 0x2000;
        if self.step == Step::Names
            && let Some(flash) = flash(base)
            && start / flash.size == usize::from(self.number)
        {
            for (place, byte) in bank.iter_mut().enumerate() {
                *byte = flash.names.get(place & 0xFF).copied().unwrap_or(0);
            }
            return bank;
        }
        for (part, bytes) in bank.chunks_mut(BLOCK).enumerate() {
            if let Some(block) = self.blocks.get(&((start / BLOCK + part) as u32)) {
                bytes.copy_from_slice(&block[..bytes.len()]);
            }
        }
        bank
    }

    /// A write to `offset` of the chips in cycle `now`.
    pub fn write(&mut self, base: &Cartridge, offset: usize, data: u8, now: u64) -> Shown {
        if matches!(wiring(base.kind).contents, Contents::Ram) {
            self.set(base, offset, data);
            return Shown::Byte(data);
        }
        let Some(flash) = flash(base) else {
            return Shown::Same;
        };
        let number = (offset / flash.size) as u8;
        if number != self.number {
            // Each chip counts for itself; a program gives one command after the other.
            self.number = number;
            self.step = Step::Read;
        }
        if let Step::Page(page, end) = self.step
            && let Unit::Page(bytes) = flash.unit
            && now <= end
        {
            if offset / bytes != page as usize {
                return Shown::Same;
            }
            self.set(base, offset, data);
            self.step = Step::Page(page, now + PAGE_TIME);
            return Shown::Byte(data);
        }
        let before = self.step;
        let mut shown = Shown::Same;
        let (first, second) = (0x5555 & flash.lines, 0x2AAA & flash.lines);
        let place = offset & flash.lines;
        self.step = match (self.step, data) {
            (Step::Program, _) => match flash.unit {
                Unit::Byte { .. } => {
                    // Bits are cleared, never set.
                    let now = self.get(base, offset) & data;
                    self.set(base, offset, now);
                    shown = Shown::Byte(now);
                    Step::Read
                }
                Unit::Page(bytes) => {
                    let page = offset / bytes;
                    for place in page * bytes..(page + 1) * bytes {
                        self.set(base, place, 0xFF);
                    }
                    self.set(base, offset, data);
                    shown = Shown::All;
                    Step::Page(page as u32, now + PAGE_TIME)
                }
            },
            (Step::EraseSecond, 0x10) if place == first => {
                let start = usize::from(number) * flash.size;
                self.erase(base, start, flash.size);
                shown = Shown::All;
                Step::Read
            }
            (Step::EraseSecond | Step::Erasing, 0x30) if let Unit::Byte { sector } = flash.unit => {
                self.erase(base, offset / sector * sector, sector);
                shown = Shown::All;
                Step::Erasing
            }
            (Step::EraseSecond, 0x60) if place == first && flash.unit.is_page() => Step::Names,
            (Step::Read | Step::Names | Step::Erasing | Step::Page(..), 0xAA) if place == first => {
                Step::First
            }
            (Step::First, 0x55) if place == second => Step::Second,
            (Step::Second, 0xA0) if place == first => Step::Program,
            (Step::Second, 0x80) if place == first => Step::Erase,
            (Step::Second, 0x90) if place == first => Step::Names,
            (Step::Erase, 0xAA) if place == first => Step::EraseFirst,
            (Step::EraseFirst, 0x55) if place == second => Step::EraseSecond,
            (Step::Names, data) if data != 0xF0 => Step::Names,
            _ => Step::Read,
        };
        if (before == Step::Names) != (self.step == Step::Names) {
            shown = Shown::All;
        }
        shown
    }

    fn get(&self, base: &Cartridge, offset: usize) -> u8 {
        match self.blocks.get(&((offset / BLOCK) as u32)) {
            Some(block) => block[offset % BLOCK],
            None => base.rom.get(offset).copied().unwrap_or(0xFF),
        }
    }

    fn set(&mut self, base: &Cartridge, offset: usize, data: u8) {
        if self.get(base, offset) == data {
            return;
        }
        let block = self.block(base, offset);
        let at = offset % BLOCK / UNIT * UNIT;
        let was = block[at..at + UNIT].to_vec();
        block[offset % BLOCK] = data;
        let (hash, sum) = difference(offset / UNIT * UNIT, &was, &block[at..at + UNIT]);
        self.hash = self.hash.wrapping_add(hash);
        self.sum = self.sum.wrapping_add(sum);
    }

    fn erase(&mut self, base: &Cartridge, start: usize, length: usize) {
        for offset in (start..start + length).step_by(BLOCK) {
            let erased = (0..BLOCK).all(|i| self.get(base, offset + i) == 0xFF);
            if !erased {
                self.block(base, offset).fill(0xFF);
            }
        }
        self.count(base);
    }

    /// The block of a byte, to be written to.
    fn block(&mut self, base: &Cartridge, offset: usize) -> &mut Vec<u8> {
        let number = offset / BLOCK;
        self.blocks.entry(number as u32).or_insert_with(|| {
            let start = number * BLOCK;
            let end = base.rom.len().min(start + BLOCK);
            let mut block = base.rom.get(start..end).unwrap_or_default().to_vec();
            block.resize(BLOCK, 0xFF);
            block
        })
    }
}

/// The change of hash and sum when the 128 bytes at `offset` become others.
fn difference(offset: usize, was: &[u8], now: &[u8]) -> (u64, u32) {
    let index = offset / UNIT + 1;
    let hash = Identity::term(index, now).wrapping_sub(Identity::term(index, was));
    (hash, total(now).wrapping_sub(total(was)))
}
