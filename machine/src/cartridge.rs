//! The cartridge slots: banking by accesses to $D500-$D5FF (CCTL), with one cartridge by accesses to its own windows. How each type is wired
//! is in [`wiring`].
use alloc::sync::Arc;
use alloc::vec::Vec;
use media::cartridge::Cartridge;

use crate::memory::Memory;

mod chip;
mod wiring;

pub(crate) use chip::Chip;
use chip::{Base, Shown};
pub use wiring::{Wiring, wiring};

/// The slots with their cartridges.
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
    /// For those whose bank and switch are not all of their state.
    chip: Option<alloc::boxed::Box<Chip>>,
    base: Option<Base>,
}

/// The bank chosen last, and whether the cartridge is switched on; its meaning depends on the wiring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Switches {
    pub bank: u8,
    pub on: bool,
    /// SpartaDOS X: the cartridge on top is shown.
    pub through: bool,
}

/// The contents of a cartridge's windows at $8000 and at $A000, 8K each.
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
        memory.set_cartridge_writes(first.is_some_and(|plug| plug.wiring().is_writable()));
        slot.show(memory);
        slot
    }

    /// True if a cartridge is in either slot.
    pub(crate) const fn is_plugged(&self) -> bool {
        self.first.is_some() || self.second.is_some()
    }

    /// Registers and contents beside the ROM of the first cartridge, for saved states.
    pub(crate) fn chip(&self) -> Option<&Chip> {
        self.first.as_ref()?.chip.as_deref()
    }

    /// True if [`Self::set_chip`] takes this chip.
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
        let writable = plug.wiring().is_writable();
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

    /// The cartridge that is plugged in.
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

    /// An access to $D5xx. `data` is the byte written, or nothing for a read. Returns the value of a read.
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

    /// True if [`Self::window_access`] has to see all accesses: a cartridge in the first slot that decodes its windows itself.
    pub(crate) fn sees_windows(&self) -> bool {
        let first = self.first.as_ref();
        first.is_some_and(|plug| plug.wiring().window_access.is_some())
    }

    /// The processor has accessed this address, by reading or writing.
    pub(crate) fn window_access(&mut self, address: u16, memory: &mut Memory) {
        let Some(plug) = &mut self.first else {
            return;
        };
        let old = plug.switches.bank;
        let bank = match plug.wiring().window_access {
            Some(window_access) => window_access(old, address),
            None => old,
        };
        if bank != old {
            plug.switches.bank = bank;
            self.show(memory);
        }
    }

    /// The value of a read of $D5xx, without side effects.
    pub(crate) fn peek(&self, address: u16) -> u8 {
        let plugs = [&self.first, &self.second].into_iter().flatten();
        plugs.fold(0xFF, |seen, plug| {
            seen & (plug.wiring().read)(plug, address as u8)
        })
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
                Some(first) if first.wiring().has_slot() => {
                    if first.switches.through {
                        shown = windows;
                    }
                }
                // The right slot reaches only $8000: its cartridges are there, whatever their type.
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
        let wiring = wiring(cartridge.kind);
        Self {
            switches: Switches {
                bank: wiring.bank,
                on: !wiring.starts_off,
                through: false,
            },
            chip: wiring.has_chip().then(Default::default),
            base: wiring.is_writable().then(|| Base::of(&cartridge)),
            cartridge: Arc::new(cartridge),
        }
    }

    fn wiring(&self) -> &'static Wiring {
        wiring(self.cartridge.kind)
    }

    /// An access to $D5xx. `data` is the byte written, or `None` for a read. Returns the value of a read.
    fn access(&mut self, low: u8, data: Option<u8>) -> u8 {
        let wiring = self.wiring();
        let seen = (wiring.read)(self, low);
        (wiring.access)(self, low);
        if let Some(data) = data {
            (wiring.write)(self, low, data);
        }
        seen
    }

    /// The place in the ROM that a write to one of its windows reaches, if it takes it.
    fn place(&self, address: u16) -> Option<usize> {
        let bank = (self.wiring().written)(self, address < 0xA000)?;
        Some((bank * 0x2000 + usize::from(address & 0x1FFF)) % self.cartridge.rom.len())
    }

    /// Its bytes on the bus, `None` where it drives nothing.
    fn windows(&self) -> Windows {
        if self.switches.on {
            (self.wiring().windows)(self)
        } else {
            Windows::default()
        }
    }
}

/// Words of the rows in [`wiring`].
impl Plug {
    fn switch(&mut self, bank: u8, on: bool) {
        (self.switches.bank, self.switches.on) = (bank, on);
    }

    /// The chosen bank.
    fn number(&self) -> usize {
        self.switches.bank.into()
    }

    /// A bit of the chosen bank's number, as 0 or 1.
    fn bit(&self, bit: u8) -> usize {
        usize::from(self.switches.bank >> bit & 1)
    }

    /// The second register.
    fn register(&self) -> u8 {
        self.chip.as_ref().map_or(0, |chip| chip.register)
    }

    fn set_register(&mut self, data: u8) {
        if let Some(chip) = &mut self.chip {
            chip.register = data;
        }
    }

    /// The 8K at `number`, as they are read.
    fn bank(&self, number: usize) -> Vec<u8> {
        match &self.chip {
            Some(chip) => chip.bank(&self.cartridge, number),
            None => self.cartridge.bank(number),
        }
    }

    /// The 4K at `number` of the ROM.
    fn half(&self, number: usize) -> Option<&[u8]> {
        let rom = &self.cartridge.rom[..];
        rom.get(number * 0x1000..(number + 1) * 0x1000)
    }

    /// 8K at $8000.
    fn low(&self, number: usize) -> Windows {
        Windows {
            low: Some(self.bank(number)),
            high: None,
        }
    }

    /// 8K at $A000.
    fn high(&self, number: usize) -> Windows {
        Windows {
            low: None,
            high: Some(self.bank(number)),
        }
    }

    /// 16K at $8000, from the 8K at `number` on.
    fn both(&self, number: usize) -> Windows {
        Windows {
            low: Some(self.bank(number)),
            high: Some(self.bank(number + 1)),
        }
    }

    /// As [`Self::both`], each half only if it is switched on.
    fn pair(&self, number: usize, low: bool, high: bool) -> Windows {
        let both = self.both(number);
        Windows {
            low: both.low.filter(|_| low),
            high: both.high.filter(|_| high),
        }
    }

    /// 4K at $A000, of which `None` means that nothing drives the bus, and 4K at $B000.
    fn halves(&self, low: Option<usize>, fixed: usize) -> Windows {
        let low = low
            .and_then(|low| self.half(low))
            .unwrap_or(&[0xFF; 0x1000]);
        Windows {
            low: None,
            high: Some([low, self.half(fixed).unwrap_or(&[])].concat()),
        }
    }
}
