//! The cartridge slot: banking by accesses to $D500-$D5FF (CCTL).
use alloc::sync::Arc;
use alloc::vec::Vec;
use media::cartridge::{Cartridge, Kind};

use crate::memory::Memory;

/// The slot with what is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    cartridge: Option<Arc<Cartridge>>,
    /// The bank chosen last, and whether the cartridge is switched on; what it means depends on the wiring.
    bank: u8,
    on: bool,
}

impl Slot {
    /// Plugs a cartridge in (or leaves the slot empty) and shows its power-on bank.
    pub(crate) fn new(cartridge: Option<Cartridge>, memory: &mut Memory) -> Self {
        let mut slot = Self {
            cartridge: cartridge.map(Arc::new),
            bank: 0,
            on: true,
        };
        slot.power_on();
        slot.show(memory);
        slot
    }

    fn power_on(&mut self) {
        self.on = true;
        self.bank = match &self.cartridge {
            Some(c) if c.kind == Kind::Atarimax1024 => 0x7F,
            _ => 0,
        };
    }

    /// Whether the ROM has a size its wiring can use.
    pub(crate) fn fits(cartridge: &Cartridge) -> bool {
        let n = cartridge.rom.len();
        match cartridge.kind {
            Kind::Standard8 => matches!(n, 0x800 | 0x1000 | 0x2000),
            Kind::Right8 | Kind::Phoenix8 => n == 0x2000,
            Kind::Standard16 | Kind::OssM091 | Kind::Oss034M | Kind::Oss043M | Kind::Blizzard16 => {
                n == 0x4000
            }
            _ => n.is_power_of_two() && (0x4000..=0x10_0000).contains(&n),
        }
    }

    /// What is plugged in.
    pub fn cartridge(&self) -> Option<&Cartridge> {
        self.cartridge.as_deref()
    }

    /// Bank and on-switch, for save states.
    pub(crate) fn switches(&self) -> (u8, bool) {
        (self.bank, self.on)
    }

    pub(crate) fn set_switches(&mut self, bank: u8, on: bool, memory: &mut Memory) {
        self.bank = bank;
        self.on = on;
        self.show(memory);
    }

    /// An access to $D5xx. `data` is the byte written, or nothing for a read. Returns what a read sees.
    #[inline]
    pub(crate) fn access(&mut self, address: u16, data: Option<u8>, memory: &mut Memory) -> u8 {
        let Some(cartridge) = &self.cartridge else {
            return 0xFF;
        };
        let low = address as u8;
        let old = (self.bank, self.on);
        match (cartridge.kind, data) {
            (Kind::Xegs, Some(data)) => self.bank = data,
            (Kind::SwitchableXegs | Kind::MegaCart, Some(data)) => {
                (self.bank, self.on) = (data & 0x7F, data & 0x80 == 0);
            }
            (Kind::OssM091 | Kind::Oss034M | Kind::Oss043M, _) => {
                self.bank = low & 0x0F;
                self.on = low & 0x08 == 0;
            }
            (Kind::Williams, _) => (self.bank, self.on) = (low & 7, low & 8 == 0),
            (Kind::Diamond, _) if low & 0xF0 == 0xD0 => {
                (self.bank, self.on) = (!low & 7, low & 8 == 0);
            }
            (Kind::SpartaDosX, _) if low & 0xF0 == 0xE0 => {
                (self.bank, self.on) = (!low & 7, low & 8 == 0);
            }
            (Kind::Express, _) if low & 0xF0 == 0x70 => {
                (self.bank, self.on) = (!low & 7, low & 8 == 0);
            }
            (Kind::Atarimax128, _) if low < 0x20 => {
                (self.bank, self.on) = (low & 0x0F, low & 0x10 == 0);
            }
            (Kind::Atarimax1024, _) => (self.bank, self.on) = (low & 0x7F, low & 0x80 == 0),
            (Kind::Phoenix8 | Kind::Blizzard16, _) => self.on = false,
            (Kind::Sic, Some(data)) if low < 0x20 => self.bank = data,
            (Kind::Sic, None) if low < 0x20 => return self.bank,
            _ => {}
        }
        if old != (self.bank, self.on) {
            self.show(memory);
        }
        0xFF
    }

    /// Puts the chosen bank into the windows.
    fn show(&self, memory: &mut Memory) {
        let Some(cartridge) = &self.cartridge else {
            memory.set_cartridge(None, None);
            return;
        };
        let rom = &cartridge.rom[..];
        let bank = |size: usize, number: usize| {
            let banks = (rom.len() / size).max(1);
            let start = number % banks * size;
            rom.get(start..start + size)
        };
        let number = usize::from(self.bank);
        let (left, right): (Option<Vec<u8>>, Option<&[u8]>) = match cartridge.kind {
            _ if !self.on => (None, None),
            Kind::Standard8 => {
                let mut left = alloc::vec![0xFF; 0x2000 - rom.len().min(0x2000)];
                left.extend_from_slice(rom);
                (Some(left), None)
            }
            Kind::Phoenix8 => (Some(rom.to_vec()), None),
            Kind::Right8 => (None, Some(rom)),
            Kind::Standard16 | Kind::Blizzard16 => {
                (bank(0x2000, 1).map(<[u8]>::to_vec), bank(0x2000, 0))
            }
            Kind::OssM091 | Kind::Oss034M | Kind::Oss043M => {
                // Which 4K of the file appear at $A000 for CCTL bits 3, 1 and 0; `4` = both banks drive the bus, which reads as $FF.
                let (low, fixed) = match (cartridge.kind, number & 9) {
                    (Kind::OssM091, 0) => (1, 0),
                    (Kind::OssM091, 1) => (if number & 2 == 0 { 3 } else { 2 }, 0),
                    (Kind::Oss034M, _) => ([0, 4, 4, 2, 1][number.min(4) & 7], 3),
                    (Kind::Oss043M, _) => ([0, 4, 4, 1, 2][number.min(4) & 7], 3),
                    _ => (4, 0),
                };
                let mut left = bank(0x1000, low)
                    .filter(|_| low < 4)
                    .map_or_else(|| alloc::vec![0xFF; 0x1000], <[u8]>::to_vec);
                left.extend_from_slice(bank(0x1000, fixed).unwrap_or(&[]));
                (Some(left), None)
            }
            Kind::Xegs | Kind::SwitchableXegs => (
                bank(0x2000, rom.len() / 0x2000 - 1).map(<[u8]>::to_vec),
                bank(0x2000, number),
            ),
            Kind::MegaCart => {
                let start = number % (rom.len() / 0x4000).max(1) * 2;
                (
                    bank(0x2000, start + 1).map(<[u8]>::to_vec),
                    bank(0x2000, start),
                )
            }
            Kind::Williams
            | Kind::Diamond
            | Kind::SpartaDosX
            | Kind::Express
            | Kind::Atarimax128
            | Kind::Atarimax1024 => (bank(0x2000, number).map(<[u8]>::to_vec), None),
            Kind::Sic => {
                let start = (number & 0x1F) * 2;
                let left = (number & 0x40 == 0)
                    .then(|| bank(0x2000, start + 1))
                    .flatten()
                    .map(<[u8]>::to_vec);
                (
                    left,
                    (number & 0x20 != 0).then(|| bank(0x2000, start)).flatten(),
                )
            }
        };
        memory.set_cartridge(left.as_deref(), right);
    }
}
