//! What a cartridge has beside its ROM and one byte of bank: chips that a program can write to, and further registers.
//!
//! Flash of Atarimax (Altirra Hardware Reference Manual 8.2): the chips take the commands of the Am29F010 and Am29F040B (their data sheets):
//! $AA to x555 and $55 to x2AA, then $A0 and a byte to be programmed, $80 and (after the two again) $10 or $30 to erase all or a sector, $90 to
//! show who they are, $F0 to be read again. A byte is programmed and a sector erased at once, so that a program that waits for it sees it done.
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use media::Identity;
use media::cartridge::{Cartridge, Kind};
use serde::{Deserialize, Serialize};

/// Bytes that are kept as one when a program has changed any of them.
const BLOCK: usize = 0x1000;
/// Bytes of a block of an identity.
const UNIT: usize = 128;

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Chip {
    /// What is no longer as it was when the cartridge was plugged in, by its number.
    blocks: BTreeMap<u32, Vec<u8>>,
    step: Step,
    /// The chip that the command goes to; some cartridges have two.
    number: u8,
    /// The second register: module, or the bank's high byte.
    pub register: u8,
    /// What the changes add to the hash of the cartridge's file and to the sum of its bytes.
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

/// How much of a command a flash chip has taken.
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
}

/// What a flash chip is.
struct Flash {
    /// Bytes of the chip and of a sector.
    size: usize,
    sector: usize,
    names: [u8; 2],
}

const AM29F010: Flash = Flash {
    size: 0x2_0000,
    sector: 0x4000,
    names: [0x01, 0x20],
};
const AM29F040: Flash = Flash {
    size: 0x8_0000,
    sector: 0x1_0000,
    names: [0x01, 0xA4],
};

fn flash(kind: Kind) -> Option<&'static Flash> {
    match kind {
        Kind::Atarimax128 => Some(&AM29F010),
        Kind::Atarimax1024 | Kind::Atarimax1024New => Some(&AM29F040),
        _ => None,
    }
}

/// What has become visible by a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// All as it was.
    Same,
    /// The byte that was written to is this now.
    Byte(u8),
    /// The windows are to be shown anew.
    All,
}

impl Chip {
    /// Whether these can be what a chip of such a cartridge is.
    pub fn is_valid(&self, cartridge: &Cartridge) -> bool {
        let blocks = cartridge.rom.len().div_ceil(BLOCK) as u32;
        let mut all = self.blocks.iter();
        all.all(|(&number, block)| number < blocks && block.len() == BLOCK)
            && (self.blocks.is_empty() || cartridge.kind.is_writable())
    }

    /// Whether a program has written anything.
    pub fn is_written(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// The same contents in a machine that is switched off and on.
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

    /// Finds out anew what the changes add to the identity.
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
            && let Some(flash) = flash(base.kind)
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

    /// A write to `offset` of the chips.
    pub fn write(&mut self, base: &Cartridge, offset: usize, data: u8) -> Shown {
        if base.kind == Kind::SiDiCar {
            self.set(base, offset, data);
            return Shown::Byte(data);
        }
        let Some(flash) = flash(base.kind) else {
            return Shown::Same;
        };
        let number = (offset / flash.size) as u8;
        if number != self.number {
            // Each chip counts for itself; a program gives one command after the other.
            self.number = number;
            self.step = Step::Read;
        }
        let before = self.step;
        let mut shown = Shown::Same;
        self.step = match (self.step, offset & 0x7FF, data) {
            (Step::Program, ..) => {
                // Bits are cleared, never set.
                let now = self.get(base, offset) & data;
                self.set(base, offset, now);
                shown = Shown::Byte(now);
                Step::Read
            }
            (Step::EraseSecond, 0x555, 0x10) => {
                let start = usize::from(number) * flash.size;
                self.erase(base, start, flash.size);
                shown = Shown::All;
                Step::Read
            }
            (Step::EraseSecond | Step::Erasing, _, 0x30) => {
                self.erase(base, offset / flash.sector * flash.sector, flash.sector);
                shown = Shown::All;
                Step::Erasing
            }
            (Step::Read | Step::Names | Step::Erasing, 0x555, 0xAA) => Step::First,
            (Step::First, 0x2AA, 0x55) => Step::Second,
            (Step::Second, 0x555, 0xA0) => Step::Program,
            (Step::Second, 0x555, 0x80) => Step::Erase,
            (Step::Second, 0x555, 0x90) => Step::Names,
            (Step::Erase, 0x555, 0xAA) => Step::EraseFirst,
            (Step::EraseFirst, 0x2AA, 0x55) => Step::EraseSecond,
            (Step::Names, _, data) if data != 0xF0 => Step::Names,
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

/// What it adds to hash and sum that the 128 bytes at `offset` are others.
fn difference(offset: usize, was: &[u8], now: &[u8]) -> (u64, u32) {
    let index = offset / UNIT + 1;
    let hash = Identity::term(index, now).wrapping_sub(Identity::term(index, was));
    (hash, total(now).wrapping_sub(total(was)))
}
