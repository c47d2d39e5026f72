//! RAM, ROM and their banking.
//!
//! Mapped memory is in one pool of 512 pages of 256 bytes. Tables with an entry for each of the 256 pages of the address space say what the
//! processor reads (`read`), where it writes (`write`) and what ANTIC reads (`antic`). The processor's view is kept a second time in 64K side by
//! side, so that a read is one array access. Of extended RAM only the bank that PORTB chooses is in the pool, and all others are in a store: every
//! copy of a machine takes the whole pool.
// Every cycle comes through here; without it the compiler leaves calls in the run loop.
#![allow(clippy::inline_always)]

use crate::config::{Model, Ram, RamFill};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// Bytes of the pool; a power of two, so that a masked index needs no check.
const POOL: usize = 1 << 17;
const MASK: usize = POOL - 1;

/// A write to this page does not reach memory: a chip answers, or it is ROM.
const CHIP: u32 = 1 << 31;
const ROM: u32 = 1 << 30;
/// The page is at two addresses at once: a bank of the RAMBO 256K that is main RAM.
const TWICE: u32 = 1 << 29;
/// The addresses of the chips.
pub(crate) const CHIPS: core::ops::Range<u16> = 0xD000..0xD800;
/// An opcode that is never part of a batch: see [`cpu6502::BatchBus::opcode`].
const JAM: u8 = 0x02;
/// No page of the pool.
const NOWHERE: u32 = u32::MAX;

/// The number to add to an address of page `index` to find its place in a page of the pool (but for [`MASK`]).
fn entry(page: u16, index: usize) -> u32 {
    (u32::from(page) << 8).wrapping_sub((index as u32) << 8) & MASK as u32
}

/// The place in the pool of an address by a table, with [`CHIP`] and [`ROM`].
#[inline(always)]
fn place(table: &[u32; 256], address: u16) -> u32 {
    table[usize::from(address >> 8)].wrapping_add(u32::from(address))
}

/// First pages of the pool's parts.
mod page {
    pub const RAM: u16 = 0;
    /// The bank of extended RAM that is chosen.
    pub const EXTENDED: u16 = 256;
    /// The OS at $C000; a 10K OS fills it from $D800.
    pub const OS: u16 = 320;
    pub const BASIC: u16 = 384;
    /// The cartridge's windows at $A000 and $8000.
    pub const LEFT: u16 = 416;
    pub const RIGHT: u16 = 448;
    /// 256 bytes of $FF: the value of a read without a device.
    pub const NOTHING: u16 = 480;
    /// The ROM of the device on the parallel bus.
    pub const PARALLEL: u16 = 488;
    /// The contents of the view where chips answer.
    pub const CHIPS: u16 = 496;
}

/// The place of the chosen bank of extended RAM in the pool, and the bytes of a bank.
const EXTENDED: usize = (page::EXTENDED as usize) << 8;
const BANK: usize = 0x4000;

/// Pages with defined contents; the rest is never read.
const COMPARED: usize = (page::NOTHING as usize) << 8;

/// The memory of the machine as processor and ANTIC see it.
#[derive(Debug)]
pub struct Memory {
    pool: Box<[u8; POOL]>,
    /// The byte that the processor reads at each address: always equal to the pool's pages that `read` names.
    // Not in a box of its own: that would be one more load in every cycle.
    // There are some bytes more than addresses, so that an instruction at any of them is inside. In place of chips is [`JAM`].
    view: [u8; 0x10004],
    /// The number to add to an address, by its page, see [`entry`]. `shown` is `read` as it was when `view` was copied.
    read: [u32; 256],
    shown: [u32; 256],
    write: [u32; 256],
    antic: [u32; 256],
    model: Model,
    ram: Ram,
    /// The banks of extended RAM, 16K each. The one in the pool is not up to date here.
    store: Vec<u8>,
    bank: usize,
    /// The levels of port B (XL and XE): 1 in bit 0 = OS, 0 in bit 1 = BASIC, 0 in bit 4/5 = extended RAM for processor/ANTIC
    /// at $4000-$7FFF, bits 2-3 = its bank, 0 in bit 7 = self-test at $5000.
    portb: u8,
    basic: bool,
    /// True if the cartridge drives $A000-$BFFF and $8000-$9FFF.
    left: bool,
    right: bool,
    /// The cartridge takes writes to its windows.
    cartridge_writes: bool,
    /// The device on the parallel bus covers $D800-$DFFF with its ROM.
    parallel: bool,
}

crate::clone::clone_by_fields!(Memory {
    pool,
    read,
    shown,
    write,
    antic,
    model,
    ram,
    store,
    bank,
    portb,
    basic,
    left,
    right,
    cartridge_writes,
    parallel,
    view,
});

impl PartialEq for Memory {
    fn eq(&self, other: &Self) -> bool {
        self.model == other.model
            && self.portb == other.portb
            && self.basic == other.basic
            && self.left == other.left
            && self.right == other.right
            && self.parallel == other.parallel
            && self.ram == other.ram
            && self.pool[..EXTENDED] == other.pool[..EXTENDED]
            && self.banks().eq(other.banks())
            && self.pool[usize::from(page::OS) << 8..COMPARED]
                == other.pool[usize::from(page::OS) << 8..COMPARED]
    }
}

impl Memory {
    /// Memory with nothing in it, until it is switched on.
    // The view lies in the machine itself. See [`crate::Bus::blank`].
    #[allow(clippy::large_stack_arrays)]
    #[inline(always)]
    pub(crate) fn blank(model: Model, ram: Ram, basic: bool) -> Self {
        Self {
            pool: vec![0u8; POOL]
                .into_boxed_slice()
                .try_into()
                .expect("the pool has its size"),
            read: [0; 256],
            shown: [NOWHERE; 256],
            write: [0; 256],
            antic: [0; 256],
            model,
            ram,
            store: vec![0; ram.extended()],
            bank: 0,
            portb: 0xFF,
            basic,
            left: false,
            right: false,
            cartridge_writes: false,
            parallel: false,
            view: [0; 0x10004],
        }
    }

    /// Fills blank memory as at power-on. `os` and `basic` have the right sizes; noise in RAM comes from `seed`.
    pub(crate) fn switch_on(&mut self, os: &[u8], basic: Option<&[u8]>, fill: RamFill, seed: u64) {
        let os_end = usize::from(page::BASIC) << 8;
        self.pool[os_end - os.len()..os_end].copy_from_slice(os);
        if let Some(basic) = basic {
            let start = usize::from(page::BASIC) << 8;
            self.pool[start..start + basic.len()].copy_from_slice(basic);
        }
        let nothing = usize::from(page::NOTHING) << 8;
        self.pool[nothing..nothing + 256].fill(0xFF);
        let chips = usize::from(page::CHIPS) << 8;
        self.pool[chips..chips + 256].fill(JAM);
        self.fill(fill, seed);
        self.map();
    }

    /// Fills all RAM as at power-on.
    pub(crate) fn fill(&mut self, fill: RamFill, seed: u64) {
        let mut noise = Noise(seed);
        let main = self.ram.main();
        fill_with(&mut self.pool[..main], fill, &mut noise);
        fill_with(&mut self.store, fill, &mut noise);
        self.ram_replaced();
    }

    /// Main RAM in the pool and extended RAM in the store are new.
    fn ram_replaced(&mut self) {
        self.pull_bank();
        self.shown = [NOWHERE; 256];
        self.show();
    }

    /// Copies the chosen bank from the store into the pool.
    fn pull_bank(&mut self) {
        if let Some(bank) = self.store[self.bank * BANK..].first_chunk::<BANK>() {
            self.pool[EXTENDED..EXTENDED + BANK].copy_from_slice(bank);
        }
    }

    /// The byte that the processor reads, except at $D000-$D7FF.
    #[inline]
    pub fn read(&self, address: u16) -> u8 {
        self.view[usize::from(address)]
    }

    /// The byte after an opcode.
    #[inline(always)]
    pub(crate) fn operand_byte(&self, address: u16) -> u8 {
        self.view[usize::from(address) + 1]
    }

    /// The two bytes after it.
    #[inline(always)]
    pub(crate) fn operand_word(&self, address: u16) -> u16 {
        // Of an array the compiler makes one load; of two bytes it makes two, if what follows looks at the high one.
        let word = self.view[usize::from(address) + 1..].first_chunk();
        word.map_or(0, |&word| u16::from_le_bytes(word))
    }

    /// The byte that the processor reads, or `None` where a chip answers.
    #[inline(always)]
    pub(crate) fn read_unless_chip(&self, address: u16) -> Option<u8> {
        (!CHIPS.contains(&address)).then(|| self.view[usize::from(address)])
    }

    /// A write of the processor, except at $D000-$D7FF. ROM does not change.
    #[inline]
    pub fn write(&mut self, address: u16, data: u8) {
        self.write_unless_chip(address, data);
    }

    /// A write of the processor; returns false, and nothing happens, where a chip answers.
    #[inline(always)]
    pub(crate) fn write_unless_chip(&mut self, address: u16, data: u8) -> bool {
        match self.ram_at(address) {
            Some(place) => self.set_ram(place, address, data),
            None if self.is_chip(address) => return false,
            None => self.write_special(address, data),
        }
        true
    }

    /// True if a chip answers a write to an address.
    #[inline(always)]
    pub(crate) fn is_chip(&self, address: u16) -> bool {
        place(&self.write, address) >= CHIP
    }

    /// The place of RAM that a write to an address reaches, if it is exactly one.
    #[inline(always)]
    pub(crate) fn ram_at(&self, address: u16) -> Option<u32> {
        let place = place(&self.write, address);
        (place < TWICE).then_some(place)
    }

    /// Writes to that place.
    #[inline(always)]
    pub(crate) fn set_ram(&mut self, place: u32, address: u16, data: u8) {
        self.pool[place as usize & MASK] = data;
        self.view[usize::from(address)] = data;
    }

    /// A write that goes to none or to two places of RAM.
    #[cold]
    pub(crate) fn write_special(&mut self, address: u16, data: u8) {
        let place = place(&self.write, address);
        if place >= ROM {
            return;
        }
        let place = place as usize & MASK;
        self.pool[place] = data;
        let low = usize::from(address) & 0xFF;
        for page in 0..256 {
            let seen = self.read[page].wrapping_add((page << 8) as u32) as usize & MASK;
            if seen == place & !0xFF {
                self.view[page << 8 | low] = data;
            }
        }
    }

    /// The byte that ANTIC's DMA reads.
    #[inline]
    pub fn read_antic(&self, address: u16) -> u8 {
        self.pool[place(&self.antic, address) as usize & MASK]
    }

    /// The 1K that ANTIC sees around an address, if its four pages are contiguous in the pool.
    pub fn antic_block(&self, address: u16) -> Option<&[u8; 0x400]> {
        let first = address & 0xFC00;
        let start = place(&self.antic, first);
        let follows = |i: u16| place(&self.antic, first + (i << 8)) == start + (u32::from(i) << 8);
        // No part of the map is smaller than 1K, so the last page speaks for all.
        debug_assert_eq!(follows(3), (1..4).all(follows));
        if !follows(3) {
            return None;
        }
        self.pool[start as usize & MASK..].first_chunk()
    }

    /// Port B's levels change the map of an XL or XE.
    pub fn set_portb(&mut self, portb: u8) {
        if self.model.is_xl() && portb != self.portb {
            self.portb = portb;
            self.map();
        }
    }

    /// The levels of port B that the map is made of.
    pub fn portb(&self) -> u8 {
        self.portb
    }

    /// Sets the cartridge's windows: 8K at $A000 and at $8000, or nothing.
    pub(crate) fn set_cartridge(&mut self, left: Option<&[u8]>, right: Option<&[u8]>) {
        for (window, shown, rom) in [(page::LEFT, 0xA0, left), (page::RIGHT, 0x80, right)] {
            let start = usize::from(window) << 8;
            self.shown[shown..shown + 0x20].fill(NOWHERE);
            if let Some(rom) = rom {
                for (to, from) in self.pool[start..start + 0x2000].iter_mut().zip(rom) {
                    *to = *from;
                }
            }
        }
        self.left = left.is_some();
        self.right = right.is_some();
        self.map();
    }

    /// Lets the cartridge take writes to the windows that it drives, or not; before the first [`Self::set_cartridge`].
    pub(crate) fn set_cartridge_writes(&mut self, on: bool) {
        self.cartridge_writes = on;
    }

    /// Changes one byte of the cartridge's windows.
    pub(crate) fn set_cartridge_byte(&mut self, address: u16, data: u8) {
        let place = place(&self.read, address) as usize & MASK;
        self.pool[place] = data;
        self.view[usize::from(address)] = data;
    }

    /// The ROM that [`Self::set_parallel`] shows.
    pub(crate) fn set_parallel_rom(&mut self, rom: &[u8; 0x800]) {
        let start = usize::from(page::PARALLEL) << 8;
        self.pool[start..start + 0x800].copy_from_slice(rom);
        self.shown[0xC0..0xE0].fill(NOWHERE);
        self.show();
    }

    /// A device on the parallel bus puts its ROM in place of the floating point package, or takes it away; on a 400 or 800 the ROM is at
    /// $C000, as far as there is no RAM.
    pub(crate) fn set_parallel(&mut self, on: bool) {
        if self.parallel != on {
            self.parallel = on;
            self.map();
        }
    }

    /// True if a cartridge drives $A000-$BFFF (the RD5 line; XL machines show it in TRIG3).
    pub fn cartridge_at_a000(&self) -> bool {
        self.left || self.basic && !self.model.has_basic()
    }

    /// The main RAM, whatever is mapped over it.
    pub fn ram(&self) -> &[u8] {
        &self.pool[..0x10000]
    }

    /// The RAM beside the main RAM, bank by bank.
    pub fn extended(&self) -> Vec<u8> {
        self.banks().flatten().copied().collect()
    }

    /// Its banks of 16K.
    pub(crate) fn banks(&self) -> impl Iterator<Item = &[u8]> {
        let banks = self.store.chunks_exact(BANK).enumerate();
        banks.map(|(number, bank)| {
            if number == self.bank {
                &self.pool[EXTENDED..EXTENDED + BANK]
            } else {
                bank
            }
        })
    }

    /// The size of RAM.
    pub fn size(&self) -> Ram {
        self.ram
    }

    /// Replaces the contents of main and extended RAM.
    pub(crate) fn load(&mut self, ram: &[u8], extended: &[u8]) {
        for (to, from) in self.pool.iter_mut().zip(ram) {
            *to = *from;
        }
        for (to, from) in self.store.iter_mut().zip(extended) {
            *to = *from;
        }
        self.ram_replaced();
    }

    /// Brings a bank into the pool, and the one that was there into the store.
    fn fetch_bank(&mut self, bank: usize) {
        if self.bank == bank {
            return;
        }
        self.store[self.bank * BANK..][..BANK]
            .copy_from_slice(&self.pool[EXTENDED..EXTENDED + BANK]);
        self.bank = bank;
        self.pull_bank();
        self.shown[0x40..0x80].fill(NOWHERE);
    }

    fn map(&mut self) {
        let ram_pages = (self.ram.main() >> 8) as u16;
        for p in 0..256u16 {
            let (read, write) = if p < ram_pages {
                (page::RAM + p, Some(page::RAM + p))
            } else {
                (page::NOTHING, None)
            };
            self.set(p, read, write);
        }
        if self.model.is_xl() {
            self.map_xl();
        } else {
            for p in 0xD8..0x100 {
                self.set(p, page::OS + p - 0xC0, None);
            }
            if self.parallel && ram_pages <= 0xC0 {
                self.map_rom(0xC0, 8, page::PARALLEL);
            }
        }
        if !self.model.has_basic() && self.basic && !self.left {
            self.map_rom(0xA0, 0x20, page::BASIC);
        }
        if self.left {
            self.map_rom(0xA0, 0x20, page::LEFT);
        }
        if self.right {
            self.map_rom(0x80, 0x20, page::RIGHT);
        }
        if self.cartridge_writes {
            for (there, first) in [(self.left, 0xA0), (self.right, 0x80)] {
                if there {
                    for write in &mut self.write[first..first + 0x20] {
                        *write |= CHIP;
                    }
                }
            }
        }
        // The chips' addresses: ANTIC and the debugger's peek see nothing there; the bus decodes the processor's accesses.
        for p in 0xD0..0xD8 {
            self.set(p, page::NOTHING, None);
            self.read[usize::from(p)] = entry(page::CHIPS, p.into());
            self.write[usize::from(p)] |= CHIP;
        }
        self.show();
    }

    fn map_xl(&mut self) {
        let portb = self.portb;
        let os = portb & 0x01 != 0;
        let bits = self.ram.bits();
        // ANTIC's own switch; without it ANTIC sees main RAM even while the processor sees the bank.
        let antic_bit = if self.ram.antic_switch() { 0x20 } else { 0x10 };
        let open = !bits.is_empty() && portb & 0x10 == 0;
        if open || !bits.is_empty() && portb & antic_bit == 0 {
            let number = (0..).zip(bits);
            let number: usize = number
                .map(|(n, bit)| usize::from(portb >> bit & 1) << n)
                .sum();
            let bank = match number.checked_sub(self.ram.shared_banks()) {
                None => page::RAM + number as u16 * 0x40,
                Some(number) => {
                    self.fetch_bank(number);
                    page::EXTENDED
                }
            };
            for p in 0..0x40u16 {
                let index = usize::from(0x40 + p);
                if open {
                    self.read[index] = entry(bank + p, index);
                    self.write[index] = entry(bank + p, index);
                }
                let antic = if portb & antic_bit == 0 {
                    bank + p
                } else {
                    page::RAM + 0x40 + p
                };
                self.antic[index] = entry(antic, index);
            }
            if open && bank < page::EXTENDED && bank != page::RAM + 0x40 {
                for p in 0..0x40u16 {
                    self.write[usize::from(0x40 + p)] |= TWICE;
                    self.write[usize::from(bank + p)] |= TWICE;
                }
            }
        }
        // A bit that chooses the bank is not a ROM's switch at the same time.
        let taken = |bit: u8| open && bits.contains(&bit);
        if os {
            self.map_rom(0xC0, 0x40, page::OS);
            if self.parallel {
                self.map_rom(0xD8, 8, page::PARALLEL);
            }
            // The self-test needs the OS to be on, and wins over extended RAM (Acid800, mmu_xlbanking).
            if portb & 0x80 == 0 && !taken(7) {
                self.map_rom(0x50, 8, page::OS + 0x10);
            }
        }
        if portb & 0x02 == 0 && !taken(1) && self.basic && self.model.has_basic() {
            self.map_rom(0xA0, 0x20, page::BASIC);
        }
    }

    fn map_rom(&mut self, first: u16, pages: u16, rom: u16) {
        for p in 0..pages {
            self.set(first + p, rom + p, None);
        }
    }

    fn set(&mut self, address_page: u16, read: u16, write: Option<u16>) {
        let index = usize::from(address_page & 0xFF);
        self.read[index] = entry(read, index);
        self.write[index] = write.map_or(ROM, |write| entry(write, index));
        self.antic[index] = entry(read, index);
    }

    /// Copies the pages into the view that were not there before.
    fn show(&mut self) {
        let (pages, _) = self.view.as_chunks_mut::<256>();
        for (index, page) in pages.iter_mut().enumerate() {
            if self.shown[index] != self.read[index] {
                self.shown[index] = self.read[index];
                let start = place(&self.read, (index << 8) as u16) as usize & MASK;
                if let Some(from) = self.pool.get(start..start + 256) {
                    page.copy_from_slice(from);
                }
            }
        }
    }
}

/// Fills RAM as it is at power-on.
fn fill_with(ram: &mut [u8], fill: RamFill, noise: &mut Noise) {
    match fill {
        RamFill::Random => {
            for chunk in ram.chunks_exact_mut(8) {
                chunk.copy_from_slice(&noise.next().to_le_bytes());
            }
        }
        RamFill::Zero => ram.fill(0),
        RamFill::Pattern => {
            for rows in ram.chunks_exact_mut(0x100) {
                rows[..0x80].fill(0);
                rows[0x80..].fill(0xFF);
            }
            for cells in ram.chunks_exact_mut(0x400) {
                let fallen = noise.next() as usize & 0x1FFF;
                cells[fallen >> 3] ^= 1 << (fallen & 7);
            }
        }
    }
}

/// SplitMix64: the noise of power-on memory.
#[derive(Clone, Debug)]
pub(crate) struct Noise(pub u64);

impl Noise {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn switched_on(model: Model, ram: Ram, os: &[u8], basic: Option<&[u8]>, seed: u64) -> Memory {
        let mut memory = Memory::blank(model, ram, basic.is_some());
        memory.switch_on(os, basic, RamFill::Random, seed);
        memory
    }

    fn memory(model: Model) -> Memory {
        let mut os: alloc::vec::Vec<u8> = vec![0x05; model.os_size()];
        if model.is_xl() {
            os[0x1000..0x1800].fill(0x5E);
        }
        switched_on(model, model.ram(), &os, Some(&[0xBA; 0x2000]), 1)
    }

    /// A bit for each of $C000, $F000, $A000, $5000 that is RAM, as in Acid800's mmu_xlbanking: bits 3 to 0.
    fn ram_mask(memory: &mut Memory) -> u8 {
        let mut mask = 0;
        for address in [0xC000, 0xF000, 0xA000, 0x5000] {
            let old = memory.read(address);
            memory.write(address, !old);
            mask = mask << 1 | u8::from(memory.read(address) == !old);
        }
        mask
    }

    #[test]
    fn antic_and_peek_see_nothing_where_the_chips_are() {
        for model in [Model::Xl800, Model::Xe130, Model::Atari800, Model::Atari400] {
            let mut memory = memory(model);
            for address in 0..=0xFFFF {
                if address & 0xF800 != 0xD000 {
                    memory.write(address, 0x55);
                }
            }
            for address in 0xD000..0xD800 {
                assert_eq!(memory.read(address), JAM);
                assert_eq!(memory.read_antic(address), 0xFF);
                assert_eq!(memory.read_unless_chip(address), None);
            }
        }
    }

    #[test]
    fn portb_banks_as_the_130xe_does() {
        let mut memory = memory(Model::Xe130);
        for (portb, mask) in [
            (0xC2, 0x0F),
            (0xF3, 0x03),
            (0xF0, 0x0D),
            (0x72, 0x0F),
            (0x73, 0x02),
            (0x43, 0x02),
        ] {
            memory.set_portb(portb);
            assert_eq!(ram_mask(&mut memory), mask, "PORTB ${portb:02X}");
        }
    }

    #[test]
    fn antic_and_the_processor_have_separate_banks() {
        let mut memory = memory(Model::Xe130);
        memory.set_portb(0xE3); // processor: bank 0
        memory.write(0x4000, 0x11);
        memory.set_portb(0xF3);
        memory.write(0x4000, 0x22);
        memory.set_portb(0xE3);
        assert_eq!(
            (memory.read(0x4000), memory.read_antic(0x4000)),
            (0x11, 0x22)
        );
        memory.set_portb(0xD3);
        assert_eq!(
            (memory.read(0x4000), memory.read_antic(0x4000)),
            (0x22, 0x11)
        );
        memory.set_portb(0xC7); // bank 1 for both
        memory.write(0x7FFF, 0x33);
        assert_eq!(memory.extended()[0x7FFF], 0x33);
    }

    #[test]
    fn the_800_has_48k_and_the_400_16k() {
        let mut memory = memory(Model::Atari800);
        memory.write(0xBFFF, 1);
        assert_eq!(memory.read(0xBFFF), 0xBA, "BASIC cartridge");
        assert_eq!(memory.read(0xC000), 0xFF);
        assert_eq!(memory.read(0xD800), 0x05);
        let mut memory = self::memory(Model::Atari400);
        memory.write(0x3FFF, 0x77);
        memory.write(0x4000, 0x77);
        assert_eq!((memory.read(0x3FFF), memory.read(0x4000)), (0x77, 0xFF));
    }

    #[test]
    fn power_on_noise_comes_from_the_seed() {
        let a = switched_on(Model::Xl800, Model::Xl800.ram(), &[0; 0x4000], None, 1);
        let b = switched_on(Model::Xl800, Model::Xl800.ram(), &[0; 0x4000], None, 1);
        let c = switched_on(Model::Xl800, Model::Xl800.ram(), &[0; 0x4000], None, 2);
        assert!(a == b && a != c);
    }

    #[test]
    fn ram_comes_up_as_it_is_told_to() {
        let filled = |fill, seed| {
            let mut memory = switched_on(Model::Xe130, Model::Xe130.ram(), &[0; 0x4000], None, 1);
            memory.fill(fill, seed);
            memory
        };
        let zero = filled(RamFill::Zero, 1);
        assert!(zero.ram().iter().chain(&zero.extended()).all(|&b| b == 0));
        let pattern = filled(RamFill::Pattern, 1);
        assert!(pattern == filled(RamFill::Pattern, 1) && pattern != filled(RamFill::Pattern, 2));
        for part in [pattern.ram(), &pattern.extended()] {
            for (number, cells) in part.chunks(0x400).enumerate() {
                let fallen: u32 = (0..0x400usize)
                    .map(|i| (cells[i] ^ if i & 0x80 == 0 { 0 } else { 0xFF }).count_ones())
                    .sum();
                assert_eq!(fallen, 1, "kilobyte {number}");
            }
            assert_eq!(pattern.read(0x1234), pattern.ram()[0x1234]);
        }
    }
}
