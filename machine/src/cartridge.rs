//! The cartridge slots: banking by accesses to $D500-$D5FF (CCTL), with one cartridge by accesses to its own windows.
//!
//! How each type is wired: the documentation of the CAR format (cart.txt), Altirra Hardware Reference Manual chapter 8.
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use media::cartridge::{Cartridge, Kind};

use crate::memory::Memory;

mod chip;

pub(crate) use chip::Chip;
use chip::{Base, Shown};

/// The slots with what is in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    first: Option<Plug>,
    /// In the 800's right slot, or on top of a SpartaDOS X cartridge.
    second: Option<Plug>,
}

/// A cartridge in its slot.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Plug {
    cartridge: Arc<Cartridge>,
    switches: Switches,
    /// For those with [`Kind::has_more_registers`].
    chip: Option<alloc::boxed::Box<Chip>>,
    base: Option<Base>,
}

/// The bank chosen last, and whether the cartridge is switched on; what it means depends on the wiring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Switches {
    pub bank: u8,
    pub on: bool,
    /// SpartaDOS X: the cartridge on top is shown.
    pub through: bool,
}

/// What a cartridge puts at $8000 and at $A000, 8K each.
#[derive(Default)]
struct Windows {
    low: Option<Vec<u8>>,
    high: Option<Vec<u8>>,
}

impl Slot {
    /// Plugs cartridges in (or leaves the slots empty) and shows their power-on banks.
    pub(crate) fn new(
        first: Option<Cartridge>,
        second: Option<Cartridge>,
        memory: &mut Memory,
    ) -> Self {
        let slot = Self {
            first: first.map(Plug::new),
            second: second.map(Plug::new),
        };
        let first = slot.first.as_ref();
        memory.set_cartridge_writes(first.is_some_and(|plug| plug.cartridge.kind.is_writable()));
        slot.show(memory);
        slot
    }

    /// Whether the ROM has a size its wiring can use.
    pub(crate) fn fits(cartridge: &Cartridge) -> bool {
        let n = cartridge.rom.len();
        match cartridge.kind {
            Kind::Standard8 => matches!(n, 0x800 | 0x1000 | 0x2000),
            Kind::Right8 | Kind::Phoenix8 | Kind::LowBank8 | Kind::Oss8 => n == 0x2000,
            Kind::Right4 | Kind::Blizzard4 => n == 0x1000,
            Kind::Standard16 | Kind::OssM091 | Kind::Oss034M | Kind::Oss043M | Kind::Blizzard16 => {
                n == 0x4000
            }
            Kind::Db | Kind::Ast | Kind::Ultracart | Kind::Blizzard32 | Kind::SiDiCar => {
                n == 0x8000
            }
            Kind::BountyBob => n == 0xA000,
            Kind::XegsHigh => n == 0x1_0000,
            Kind::AtraxRaw | Kind::SpartaDosX128 => n == 0x2_0000,
            Kind::AtraxSdx => matches!(n, 0x1_0000 | 0x2_0000),
            Kind::MegaMax => n == 0x20_0000,
            Kind::FlashMegaCart => n == 0x40_0000,
            Kind::RamCart => matches!(n, 0x1_0000 | 0x2_0000 | 0x10_0000 | 0x20_0000 | 0x40_0000),
            Kind::RamCartDouble => n == 0x4_0000,
            Kind::RamCartModules => matches!(n, 0x80_0000 | 0x100_0000 | 0x200_0000),
            Kind::TheCart => matches!(n, 0x200_0000 | 0x400_0000 | 0x800_0000),
            _ => n.is_power_of_two() && (0x4000..=0x20_0000).contains(&n),
        }
    }

    /// Registers and contents beside the ROM of the first cartridge, for saved states.
    pub(crate) fn chip(&self) -> Option<&Chip> {
        self.first.as_ref()?.chip.as_deref()
    }

    /// Whether [`Self::set_chip`] takes this.
    pub(crate) fn takes_chip(&self, chip: &Chip) -> bool {
        let first = self.first.as_ref();
        first.is_some_and(|plug| plug.chip.is_some() && chip.is_valid(&plug.cartridge))
    }

    /// The caller shows the banks.
    pub(crate) fn set_chip(&mut self, mut chip: Chip) {
        if let Some(plug) = &mut self.first
            && let Some(place) = &mut plug.chip
        {
            chip.count(&plug.cartridge);
            **place = chip;
        }
    }

    /// The identity of the CAR file that the first cartridge is now, if a program can write to it.
    pub(crate) fn identity(&self) -> Option<media::Identity> {
        let plug = self.first.as_ref()?;
        plug.chip.as_ref()?.identity(&plug.cartridge, plug.base?)
    }

    /// The first cartridge as it is now, if a program can write to it.
    pub(crate) fn written(&self) -> Option<Cartridge> {
        let plug = self.first.as_ref()?;
        let chip = plug.chip.as_deref()?;
        let writable = plug.cartridge.kind.is_writable();
        writable.then(|| chip.cartridge(&plug.cartridge))
    }

    /// A write of the processor in cycle `now` to a window that a cartridge drives.
    #[cold]
    pub(crate) fn write(&mut self, address: u16, data: u8, now: u64, memory: &mut Memory) {
        let Some(plug) = &mut self.first else {
            return;
        };
        let (Some(place), Some(chip)) = (plug.place(address), &mut plug.chip) else {
            return;
        };
        match chip.write(&plug.cartridge, place, data, now) {
            Shown::Same => {}
            Shown::Byte(data) => memory.set_cartridge_byte(address, data),
            Shown::All => self.show(memory),
        }
    }

    /// What is plugged in.
    pub fn cartridge(&self) -> Option<&Cartridge> {
        self.first.as_ref().map(|plug| &*plug.cartridge)
    }

    /// Banks and on-switches, for saved states.
    pub(crate) fn switches(&self) -> [Switches; 2] {
        [&self.first, &self.second].map(|plug| {
            plug.as_ref()
                .map_or(Switches::default(), |plug| plug.switches)
        })
    }

    pub(crate) fn set_switches(&mut self, switches: [Switches; 2], memory: &mut Memory) {
        for (plug, switches) in [&mut self.first, &mut self.second]
            .into_iter()
            .zip(switches)
        {
            if let Some(plug) = plug {
                plug.switches = switches;
            }
        }
        self.show(memory);
    }

    /// An access to $D5xx. `data` is the byte written, or nothing for a read. Returns what a read sees.
    #[inline]
    pub(crate) fn access(&mut self, address: u16, data: Option<u8>, memory: &mut Memory) -> u8 {
        let mut seen = 0xFF;
        let mut changed = false;
        // Both see every access, shown or not.
        for plug in [&mut self.first, &mut self.second].into_iter().flatten() {
            let old = (plug.switches, plug.register());
            seen &= plug.access(address as u8, data);
            changed |= old != (plug.switches, plug.register());
        }
        if changed {
            self.show(memory);
        }
        seen
    }

    /// Whether [`Self::window_access`] is to be told of all accesses: a cartridge in the first slot that decodes its windows itself.
    pub(crate) fn sees_windows(&self) -> bool {
        let first = self.first.as_ref();
        first.is_some_and(|plug| plug.cartridge.kind.sees_windows())
    }

    /// The processor has accessed this address, by reading or writing.
    pub(crate) fn window_access(&mut self, address: u16, memory: &mut Memory) {
        // $8FF6-$8FF9 choose among the first four banks, $9FF6-$9FF9 among the next four.
        let (0x8000 | 0x9000, 0x0FF6..=0x0FF9) = (address & 0xF000, address & 0x0FFF) else {
            return;
        };
        let number = ((address & 0x0FFF) - 0x0FF6) as u8;
        let Some(plug) = &mut self.first else {
            return;
        };
        let old = plug.switches.bank;
        let bank = if address & 0x1000 == 0 {
            old & 0x0C | number
        } else {
            old & 0x03 | number << 2
        };
        if bank != old {
            plug.switches.bank = bank;
            self.show(memory);
        }
    }

    /// What a read of $D5xx would see.
    pub(crate) fn peek(&self, address: u16) -> u8 {
        let plugs = [&self.first, &self.second].into_iter().flatten();
        plugs.fold(0xFF, |seen, plug| seen & plug.read(address as u8))
    }

    /// Puts the chosen banks into the windows.
    fn show(&self, memory: &mut Memory) {
        let mut shown = self
            .first
            .as_ref()
            .map_or_else(Windows::default, Plug::windows);
        if let Some(second) = &self.second {
            let windows = second.windows();
            match &self.first {
                Some(first) if first.cartridge.kind.has_slot() => {
                    if first.switches.through {
                        shown = windows;
                    }
                }
                // The right slot reaches $8000 alone: its cartridges lie there, whatever they say.
                _ => shown.low = shown.low.or(windows.low).or(windows.high),
            }
        }
        memory.set_cartridge(shown.high.as_deref(), shown.low.as_deref());
    }
}

impl Default for Switches {
    fn default() -> Self {
        Self {
            bank: 0,
            on: true,
            through: false,
        }
    }
}

impl Plug {
    fn new(cartridge: Cartridge) -> Self {
        let bank = match cartridge.kind {
            Kind::Atarimax1024 => 0x7F,
            Kind::FlashMegaCart => 254,
            _ => 0,
        };
        let chip = cartridge.kind.has_more_registers();
        Self {
            switches: Switches {
                bank,
                on: cartridge.kind != Kind::SiDiCar,
                ..Switches::default()
            },
            chip: chip.then(Default::default),
            base: cartridge.kind.is_writable().then(|| Base::of(&cartridge)),
            cartridge: Arc::new(cartridge),
        }
    }

    /// What a read of $D5xx sees of it.
    fn read(&self, low: u8) -> u8 {
        let bank = self.switches.bank;
        match self.cartridge.kind {
            Kind::Sic | Kind::FlashMegaCart if low < 0x20 => bank,
            Kind::RamCart | Kind::RamCartDouble | Kind::RamCartModules => {
                match (&self.chip, low & 1) {
                    (Some(chip), 1) => chip.register,
                    _ => bank,
                }
            }
            Kind::TheCart => match low {
                0xA0 => bank,
                0xA1 => self.register(),
                0xA2 => u8::from(self.switches.on),
                _ => 0xFF,
            },
            Kind::Ast => {
                let place = usize::from(bank) << 8 | usize::from(low);
                self.cartridge.rom.get(place).copied().unwrap_or(0xFF)
            }
            _ => 0xFF,
        }
    }

    /// Where a write to one of its windows reaches the ROM, if it takes it.
    fn place(&self, address: u16) -> Option<usize> {
        let Switches { bank, on, .. } = self.switches;
        let low = address < 0xA000;
        let (taken, number) = match self.cartridge.kind {
            // Bit 7 enables writes.
            Kind::Sic => (bank & 0x80 != 0, (bank & 0x1F) * 2 + u8::from(!low)),
            Kind::SiDiCar => (on && low, bank),
            _ => (on && !low, bank),
        };
        let place = usize::from(number) * 0x2000 + usize::from(address & 0x1FFF);
        taken.then(|| place % self.cartridge.rom.len())
    }

    /// The second register.
    fn register(&self) -> u8 {
        self.chip.as_ref().map_or(0, |chip| chip.register)
    }

    /// An access to $D5xx.
    fn access(&mut self, low: u8, data: Option<u8>) -> u8 {
        let seen = self.read(low);
        let small = self.cartridge.rom.len() <= 0x2_0000;
        let Switches { bank, on, through } = &mut self.switches;
        match (self.cartridge.kind, data) {
            // The first ones have a lock: bit 2 of the register.
            (Kind::RamCart, Some(data)) if !small || *bank & 4 == 0 => *bank = data,
            (Kind::RamCartModules, Some(data)) => match (&mut self.chip, low & 1) {
                (Some(chip), 1) => chip.register = data,
                _ => *bank = data,
            },
            (Kind::SiDiCar, Some(data)) if data & 0x80 == 0 => {
                (*bank, *on) = (data & 3, data & 0x10 != 0);
            }
            (Kind::TheCart, Some(data)) => match (low, &mut self.chip) {
                (0xA0, _) => (*bank, *on) = (data, true),
                (0xA1, Some(chip)) => (chip.register, *on) = (data & 0x3F, true),
                (0xA2, _) => *on = data & 1 != 0,
                _ => {}
            },
            (Kind::Xegs | Kind::XegsHigh | Kind::RamCartDouble, Some(data)) => *bank = data,
            (Kind::SwitchableXegs | Kind::MegaCart | Kind::Atrax | Kind::AtraxRaw, Some(data)) => {
                (*bank, *on) = (data & 0x7F, data & 0x80 == 0);
            }
            (Kind::OssM091 | Kind::Oss8, _) => (*bank, *on) = (low & 9, low & 9 != 8),
            (Kind::Db, _) => *bank = low & 3,
            (Kind::Williams | Kind::Oss034M | Kind::Oss043M, _) => {
                (*bank, *on) = (low & 7, low & 8 == 0);
            }
            (Kind::Turbosoft, _) => (*bank, *on) = (low & 0x0F, low & 0x10 == 0),
            (Kind::Diamond, _) if low & 0xF0 == 0xD0 => {
                (*bank, *on) = (!low & 7, low & 8 == 0);
            }
            (Kind::SpartaDosX, _) if low & 0xF0 == 0xE0 => {
                (*bank, *on, *through) = (!low & 7, low & 8 == 0, low & 0x0C == 8);
            }
            (Kind::SpartaDosX128 | Kind::AtraxSdx, _) if low & 0xE0 == 0xE0 => {
                let half = if low & 0x10 == 0 { 8 } else { 0 };
                (*bank, *on, *through) = (half | !low & 7, low & 8 == 0, low & 0x0C == 8);
            }
            (Kind::Express, _) if low & 0xF0 == 0x70 => {
                (*bank, *on) = (!low & 7, low & 8 == 0);
            }
            (Kind::Atarimax128, _) if low < 0x20 => {
                (*bank, *on) = (low & 0x0F, low & 0x10 == 0);
            }
            (Kind::Atarimax1024 | Kind::Atarimax1024New | Kind::MegaMax, _) => {
                (*bank, *on) = (low & 0x7F, low & 0x80 == 0);
            }
            (Kind::Phoenix8 | Kind::Blizzard16 | Kind::Blizzard4, _) => *on = false,
            (Kind::Ultracart, _) => {
                *bank = (*bank + 1) % 5;
                *on = *bank < 4;
            }
            (Kind::Blizzard32, _) => {
                *bank = (*bank + 1).min(4);
                *on = *bank < 4;
            }
            (Kind::ADawliah, _) => *bank = (*bank + 1) & 7,
            (Kind::Ast, Some(_)) => (*bank, *on) = ((*bank + 1) & 0x7F, false),
            (Kind::Sic, Some(data)) if low < 0x20 => *bank = data,
            (Kind::FlashMegaCart, Some(data)) if low < 0x20 => {
                (*bank, *on) = (data, data != 255);
            }
            _ => {}
        }
        seen
    }

    /// What it puts on the bus.
    fn windows(&self) -> Windows {
        if !self.switches.on {
            return Windows::default();
        }
        let rom = &self.cartridge.rom[..];
        let number = usize::from(self.switches.bank);
        let bank = |number: usize| {
            Some(match &self.chip {
                Some(chip) => chip.bank(&self.cartridge, number),
                None => self.cartridge.bank(number),
            })
        };
        let half = |number: usize| rom.get(number * 0x1000..(number + 1) * 0x1000);
        let both = |low: usize| Windows {
            low: bank(low),
            high: bank(low + 1),
        };
        let high = |number: usize| Windows {
            low: None,
            high: bank(number),
        };
        // 4K at $A000, of which none means that nothing drives the bus, and 4K at $B000.
        let halves = |low: Option<usize>, fixed: usize| {
            let low = low.and_then(half).unwrap_or(&[0xFF; 0x1000]);
            Windows {
                low: None,
                high: Some([low, half(fixed).unwrap_or(&[])].concat()),
            }
        };
        match self.cartridge.kind {
            Kind::Standard8 => {
                let mut high = vec![0xFF; 0x2000 - rom.len().min(0x2000)];
                high.extend_from_slice(rom);
                Windows {
                    low: None,
                    high: Some(high),
                }
            }
            Kind::Right8 | Kind::LowBank8 => Windows {
                low: bank(0),
                high: None,
            },
            Kind::Right4 => Windows {
                low: Some([&[0xFF; 0x1000], rom].concat()),
                high: None,
            },
            Kind::Blizzard4 => halves(Some(0), 0),
            Kind::Standard16 | Kind::Blizzard16 => both(0),
            Kind::OssM091 => halves(Some([1, 3, 2][(number & 1) + (number >> 3 & 1)]), 0),
            Kind::Oss034M | Kind::Oss043M => {
                let (one, two) = if self.cartridge.kind == Kind::Oss034M {
                    (1, 2)
                } else {
                    (2, 1)
                };
                // With some addresses two banks drive the bus at once: zeros win.
                let chosen: &[usize] = match number {
                    0 => &[0],
                    1 => &[0, one],
                    3 | 7 => &[one],
                    4 => &[two],
                    5 => &[1, 2],
                    _ => &[],
                };
                let mut windows = halves(None, 3);
                for &number in chosen {
                    let shown = windows.high.iter_mut().flatten();
                    for (to, from) in shown.zip(half(number).unwrap_or(&[])) {
                        *to &= from;
                    }
                }
                windows
            }
            Kind::Oss8 => halves(Some(usize::from(number & 8 == 0)), 0),
            Kind::Xegs | Kind::SwitchableXegs | Kind::Db => Windows {
                low: bank(number),
                high: bank(rom.len() / 0x2000 - 1),
            },
            // The numbers of both banks are in one byte, two bits each.
            Kind::BountyBob => Windows {
                low: half(number & 3)
                    .zip(half(4 + (number >> 2 & 3)))
                    .map(|(first, second)| [first, second].concat()),
                high: bank(4),
            },
            Kind::XegsHigh => Windows {
                low: if number & 8 == 0 {
                    Some(vec![0xFF; 0x2000])
                } else {
                    bank(number & 7)
                },
                high: bank(7),
            },
            Kind::MegaCart | Kind::MegaMax | Kind::FlashMegaCart => {
                both(number % (rom.len() / 0x4000).max(1) * 2)
            }
            Kind::Williams
            | Kind::Diamond
            | Kind::SpartaDosX
            | Kind::SpartaDosX128
            | Kind::AtraxSdx
            | Kind::Express
            | Kind::Atrax
            | Kind::AtraxRaw
            | Kind::Turbosoft
            | Kind::Ultracart
            | Kind::Blizzard32
            | Kind::ADawliah
            | Kind::Phoenix8
            | Kind::Atarimax128
            | Kind::Atarimax1024
            | Kind::Atarimax1024New => high(number),
            Kind::Ast => Windows {
                low: None,
                high: Some(rom.get(..0x100).unwrap_or(&[]).repeat(32)),
            },
            Kind::SiDiCar => Windows {
                low: bank(number),
                high: None,
            },
            Kind::TheCart => high(number | usize::from(self.register()) << 8),
            Kind::RamCart | Kind::RamCartDouble | Kind::RamCartModules => {
                let bits = |from: u8, to: usize| usize::from(number >> from & 1 != 0) << to;
                let mut chosen = bits(3, 0) | bits(4, 1) | bits(5, 2);
                match self.cartridge.kind {
                    Kind::RamCartDouble => chosen |= bits(2, 3),
                    Kind::RamCartModules => {
                        chosen |= bits(2, 3) | bits(6, 4) | bits(7, 5);
                        chosen |= usize::from(self.register() & 0x1F) << 6;
                    }
                    _ => {}
                }
                let shown = both(chosen * 2);
                Windows {
                    low: shown.low.filter(|_| number & 2 != 0),
                    high: shown.high.filter(|_| number & 1 == 0),
                }
            }
            Kind::Sic => {
                let shown = both((number & 0x1F) * 2);
                Windows {
                    low: shown.low.filter(|_| number & 0x20 != 0),
                    high: shown.high.filter(|_| number & 0x40 == 0),
                }
            }
        }
    }
}
