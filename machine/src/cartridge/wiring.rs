//! The wiring of each type of cartridge: one row a type, from which slot, chip, states and sessions take all that differs between types. Its
//! sizes are in [`media::cartridge`], with the type's numbers in CAR files.
//!
//! Sources: the documentation of the CAR format (cart.txt), Altirra Hardware Reference Manual chapter 8.
use alloc::vec;
use media::cartridge::Kind;

use super::chip::{AM29F010, AM29F040, Flash, W29C020};
use super::{Plug, Windows};

/// The row of a type.
#[derive(Clone, Copy)]
pub struct Wiring {
    /// The bank at power-on.
    pub(super) bank: u8,
    /// Nothing is in the windows until a program switches the cartridge on.
    pub(super) starts_off: bool,
    /// A second cartridge can be plugged in on top.
    pub(super) slot: bool,
    /// It has a register beside the bank's.
    pub(super) second_register: bool,
    pub(super) contents: Contents,
    /// An access to $D500 and this offset, by reading or writing.
    pub(super) access: fn(&mut Plug, u8),
    /// A write of a byte to $D500 and this offset, after [`Self::access`].
    pub(super) write: fn(&mut Plug, u8, u8),
    /// The byte that a read of $D500 and this offset sees.
    pub(super) read: fn(&Plug, u8) -> u8,
    /// The bytes that the switched-on cartridge puts on the bus.
    pub(super) windows: fn(&Plug) -> Windows,
    /// The 8K bank that a write to a window reaches (`true`: that at $8000), if it takes the write.
    pub(super) written: fn(&Plug, bool) -> Option<usize>,
    /// The bank after an access to this address of its windows, for a type that decodes them.
    pub(super) window_access: Option<fn(u8, u16) -> u8>,
}

/// The kind of the cartridge's memory.
#[derive(Clone, Copy)]
pub(super) enum Contents {
    Rom,
    /// Battery RAM.
    Ram,
    /// Flash: the chip of a cartridge with this many bytes.
    Flash(fn(usize) -> &'static Flash),
}

impl Wiring {
    /// True if a second cartridge can be plugged in on top, as on SpartaDOS X.
    #[must_use]
    pub const fn has_slot(&self) -> bool {
        self.slot
    }

    /// True if a program can write to it: flash of Atarimax and SIC!, battery RAM.
    #[must_use]
    pub const fn is_writable(&self) -> bool {
        !matches!(self.contents, Contents::Rom)
    }

    /// True if bank and switch do not hold all of its state.
    pub(super) const fn has_chip(&self) -> bool {
        self.is_writable() || self.second_register
    }
}

/// 8K at $A000 that nothing switches.
const ROM: Wiring = Wiring {
    bank: 0,
    starts_off: false,
    slot: false,
    second_register: false,
    contents: Contents::Rom,
    access: |_, _| {},
    write: |_, _, _| {},
    read: |_, _| 0xFF,
    windows: |plug| plug.high(plug.number()),
    written: |_, _| None,
    window_access: None,
};

// Rows of several lines.

const AST: Wiring = Wiring {
    write: |plug, _, _| plug.switch(plug.switches.bank.wrapping_add(1) & 0x7F, false),
    read: |plug, low| {
        let place = plug.number() << 8 | usize::from(low);
        plug.cartridge.rom.get(place).copied().unwrap_or(0xFF)
    },
    windows: |plug| Windows {
        low: None,
        high: Some(plug.cartridge.rom.get(..0x100).unwrap_or(&[]).repeat(32)),
    },
    ..ROM
};

const SIC: Wiring = Wiring {
    // Of the SIC! the manual names the chip of 256K only; for the others, those of that size in Atarimax's.
    contents: Contents::Flash(|size| match size {
        0x2_0000 => &AM29F010,
        0x4_0000 => &W29C020,
        _ => &AM29F040,
    }),
    write: |plug, low, data| {
        if low < 0x20 {
            plug.switches.bank = data;
        }
    },
    read: |plug, low| if low < 0x20 { plug.switches.bank } else { 0xFF },
    windows: |plug| {
        let number = plug.number();
        plug.pair((number & 0x1F) * 2, number & 0x20 != 0, number & 0x40 == 0)
    },
    // Bit 7 enables writes.
    written: |plug, low| {
        let bank = plug.number();
        (bank & 0x80 != 0).then_some((bank & 0x1F) * 2 + usize::from(!low))
    },
    ..ROM
};

const SI_DI_CAR: Wiring = Wiring {
    starts_off: true,
    contents: Contents::Ram,
    write: |plug, _, data| {
        if data & 0x80 == 0 {
            plug.switch(data & 3, data & 0x10 != 0);
        }
    },
    windows: |plug| plug.low(plug.number()),
    written: |plug, low| (plug.switches.on && low).then(|| plug.number()),
    ..ROM
};

const RAM_CART: Wiring = Wiring {
    second_register: true,
    // Those up to 128K have a lock: bit 2 of the register.
    write: |plug, _, data| {
        if plug.cartridge.rom.len() > 0x2_0000 || plug.switches.bank & 4 == 0 {
            plug.switches.bank = data;
        }
    },
    read: module_or_bank,
    windows: |plug| ram_cart(plug, 0),
    ..ROM
};

const RAM_CART_DOUBLE: Wiring = Wiring {
    second_register: true,
    write: any_bank,
    read: module_or_bank,
    windows: |plug| ram_cart(plug, plug.bit(2) << 3),
    ..ROM
};

const RAM_CART_MODULES: Wiring = Wiring {
    second_register: true,
    write: |plug, low, data| {
        if low & 1 == 0 {
            plug.switches.bank = data;
        } else {
            plug.set_register(data);
        }
    },
    read: module_or_bank,
    windows: |plug| {
        let module = usize::from(plug.register() & 0x1F) << 6;
        ram_cart(
            plug,
            plug.bit(2) << 3 | plug.bit(6) << 4 | plug.bit(7) << 5 | module,
        )
    },
    ..ROM
};

const THE_CART: Wiring = Wiring {
    second_register: true,
    write: |plug, low, data| match low {
        0xA0 => plug.switch(data, true),
        0xA1 => {
            plug.set_register(data & 0x3F);
            plug.switches.on = true;
        }
        0xA2 => plug.switches.on = data & 1 != 0,
        _ => {}
    },
    read: |plug, low| match low {
        0xA0 => plug.switches.bank,
        0xA1 => plug.register(),
        0xA2 => u8::from(plug.switches.on),
        _ => 0xFF,
    },
    windows: |plug| plug.high(plug.number() | usize::from(plug.register()) << 8),
    ..ROM
};

/// The row of a type.
#[must_use]
pub const fn wiring(kind: Kind) -> &'static Wiring {
    macro_rules! row {
        ($($fields:tt)*) => {
            const { &Wiring { $($fields)*, ..ROM } }
        };
    }
    match kind {
        Kind::Standard8 => row! { windows: standard_8 },
        Kind::Standard16 => row! { windows: |plug| plug.both(0) },
        Kind::Right8 | Kind::LowBank8 => row! { windows: |plug| plug.low(0) },
        Kind::Right4 => row! { windows: right_4 },
        Kind::OssM091 => row! {
            access: |plug, low| plug.switch(low & 9, low & 9 != 8),
            windows: |plug| {
                let number = plug.number();
                plug.halves(Some([1, 3, 2][(number & 1) + (number >> 3 & 1)]), 0)
            }
        },
        Kind::Oss034M => row! {
            access: by_address_lines_0_to_3,
            windows: |plug| oss_wired_and(plug, 1, 2)
        },
        Kind::Oss043M => row! {
            access: by_address_lines_0_to_3,
            windows: |plug| oss_wired_and(plug, 2, 1)
        },
        Kind::Oss8 => row! {
            access: |plug, low| plug.switch(low & 9, low & 9 != 8),
            windows: |plug| plug.halves(Some(usize::from(plug.number() & 8 == 0)), 0)
        },
        Kind::Xegs => row! { write: any_bank, windows: last_fixed },
        Kind::SwitchableXegs => row! { write: bank_and_off, windows: last_fixed },
        Kind::XegsHigh => row! { write: any_bank, windows: xegs_high },
        Kind::MegaCart => row! { write: bank_and_off, windows: pairs },
        Kind::MegaMax => row! { access: by_address_lines_0_to_7, windows: pairs },
        Kind::FlashMegaCart => row! {
            bank: 254,
            write: |plug, low, data| if low < 0x20 { plug.switch(data, data != 255) },
            read: |plug, low| if low < 0x20 { plug.switches.bank } else { 0xFF },
            windows: pairs
        },
        Kind::Williams => row! { access: by_address_lines_0_to_3 },
        Kind::Diamond => row! {
            access: |plug, low| if low & 0xF0 == 0xD0 { inverted(plug, low) }
        },
        Kind::Express => row! {
            access: |plug, low| if low & 0xF0 == 0x70 { inverted(plug, low) }
        },
        Kind::SpartaDosX => row! {
            slot: true,
            access: |plug, low| if low & 0xF0 == 0xE0 { sparta(plug, low, 0) }
        },
        Kind::SpartaDosX128 | Kind::AtraxSdx => row! {
            slot: true,
            access: |plug, low| if low & 0xE0 == 0xE0 {
                sparta(plug, low, if low & 0x10 == 0 { 8 } else { 0 });
            }
        },
        Kind::Atarimax128 => row! {
            contents: Contents::Flash(|_| &AM29F010),
            access: |plug, low| if low < 0x20 { plug.switch(low & 0x0F, low & 0x10 == 0) },
            written: high_window
        },
        Kind::Atarimax1024 => row! {
            bank: 0x7F,
            contents: Contents::Flash(|_| &AM29F040),
            access: by_address_lines_0_to_7,
            written: high_window
        },
        Kind::Atarimax1024New => row! {
            contents: Contents::Flash(|_| &AM29F040),
            access: by_address_lines_0_to_7,
            written: high_window
        },
        Kind::Phoenix8 => row! { access: off_for_good },
        Kind::Blizzard4 => row! { access: off_for_good, windows: |plug| plug.halves(Some(0), 0) },
        Kind::Blizzard16 => row! { access: off_for_good, windows: |plug| plug.both(0) },
        Kind::Blizzard32 => row! {
            access: |plug, _| {
                let bank = plug.switches.bank.saturating_add(1).min(4);
                plug.switch(bank, bank < 4);
            }
        },
        Kind::Ultracart => row! {
            access: |plug, _| {
                let bank = plug.switches.bank.wrapping_add(1) % 5;
                plug.switch(bank, bank < 4);
            }
        },
        Kind::ADawliah => {
            row! { access: |plug, _| plug.switch(plug.switches.bank.wrapping_add(1) & 7, true) }
        }
        Kind::Db => row! { access: |plug, low| plug.switch(low & 3, true), windows: last_fixed },
        Kind::Atrax | Kind::AtraxRaw => row! { write: bank_and_off },
        Kind::Ast => &AST,
        Kind::Turbosoft => row! { access: |plug, low| plug.switch(low & 0x0F, low & 0x10 == 0) },
        Kind::Sic => &SIC,
        Kind::SiDiCar => &SI_DI_CAR,
        Kind::RamCart => &RAM_CART,
        Kind::RamCartDouble => &RAM_CART_DOUBLE,
        Kind::RamCartModules => &RAM_CART_MODULES,
        Kind::TheCart => &THE_CART,
        Kind::BountyBob => row! { windows: bounty_bob, window_access: Some(bounty_bob_bank) },
    }
}

// Registers.

/// The bank is the byte written.
fn any_bank(plug: &mut Plug, _: u8, data: u8) {
    plug.switches.bank = data;
}

/// The bank is the byte written; bit 7 switches off.
fn bank_and_off(plug: &mut Plug, _: u8, data: u8) {
    plug.switch(data & 0x7F, data & 0x80 == 0);
}

fn by_address_lines_0_to_3(plug: &mut Plug, low: u8) {
    plug.switch(low & 7, low & 8 == 0);
}

fn by_address_lines_0_to_7(plug: &mut Plug, low: u8) {
    plug.switch(low & 0x7F, low & 0x80 == 0);
}

fn off_for_good(plug: &mut Plug, _: u8) {
    plug.switches.on = false;
}

fn inverted(plug: &mut Plug, low: u8) {
    plug.switch(!low & 7, low & 8 == 0);
}

/// As [`inverted`], in the half that begins with bank `half`; with bit 3 and without bit 2 the cartridge on top is shown.
fn sparta(plug: &mut Plug, low: u8, half: u8) {
    plug.switch(half | !low & 7, low & 8 == 0);
    plug.switches.through = low & 0x0C == 8;
}

fn module_or_bank(plug: &Plug, low: u8) -> u8 {
    if low & 1 == 0 {
        plug.switches.bank
    } else {
        plug.register()
    }
}

// Windows.

/// 2K, 4K or 8K at the end of $A000-$BFFF.
fn standard_8(plug: &Plug) -> Windows {
    let rom = &plug.cartridge.rom;
    let mut high = vec![0xFF; 0x2000 - rom.len().min(0x2000)];
    high.extend_from_slice(rom);
    Windows {
        low: None,
        high: Some(high),
    }
}

fn right_4(plug: &Plug) -> Windows {
    Windows {
        low: Some([&[0xFF; 0x1000], &plug.cartridge.rom[..]].concat()),
        high: None,
    }
}

/// The chosen bank at $8000, the last one at $A000.
fn last_fixed(plug: &Plug) -> Windows {
    Windows {
        low: Some(plug.bank(plug.number())),
        high: Some(plug.bank(plug.cartridge.rom.len() / 0x2000 - 1)),
    }
}

fn xegs_high(plug: &Plug) -> Windows {
    let number = plug.number();
    Windows {
        low: if number & 8 == 0 {
            Some(vec![0xFF; 0x2000])
        } else {
            Some(plug.bank(number & 7))
        },
        high: Some(plug.bank(7)),
    }
}

/// The chosen 16K.
fn pairs(plug: &Plug) -> Windows {
    let count = (plug.cartridge.rom.len() / 0x4000).max(1);
    plug.both(plug.number() % count * 2)
}

/// OSS 034M and 043M: with some addresses two banks of 4K drive the bus at once, and zeros win.
fn oss_wired_and(plug: &Plug, one: usize, two: usize) -> Windows {
    let chosen: &[usize] = match plug.number() {
        0 => &[0],
        1 => &[0, one],
        3 | 7 => &[one],
        4 => &[two],
        5 => &[1, 2],
        _ => &[],
    };
    let mut windows = plug.halves(None, 3);
    for &number in chosen {
        let shown = windows.high.iter_mut().flatten();
        for (to, from) in shown.zip(plug.half(number).unwrap_or(&[])) {
            *to &= from;
        }
    }
    windows
}

/// 16K by bits 3 to 5 and the higher bits of `more`; bit 1 switches $8000 on, bit 0 switches $A000 off.
fn ram_cart(plug: &Plug, more: usize) -> Windows {
    let number = plug.number();
    plug.pair(
        (number >> 3 & 7 | more) * 2,
        number & 2 != 0,
        number & 1 == 0,
    )
}

/// The numbers of both banks of 4K are in one byte, two bits each.
fn bounty_bob(plug: &Plug) -> Windows {
    let number = plug.number();
    let (first, second) = (plug.half(number & 3), plug.half(4 + (number >> 2 & 3)));
    Windows {
        low: first
            .zip(second)
            .map(|(first, second)| [first, second].concat()),
        high: Some(plug.bank(4)),
    }
}

/// $8FF6-$8FF9 choose among the first four banks, $9FF6-$9FF9 among the next four.
fn bounty_bob_bank(bank: u8, address: u16) -> u8 {
    let (0x8000 | 0x9000, low @ 0x0FF6..=0x0FF9) = (address & 0xF000, address & 0x0FFF) else {
        return bank;
    };
    let number = (low - 0x0FF6) as u8;
    if address & 0x1000 == 0 {
        bank & 0x0C | number
    } else {
        bank & 0x03 | number << 2
    }
}

/// The bank at $A000 takes writes.
fn high_window(plug: &Plug, low: bool) -> Option<usize> {
    (plug.switches.on && !low).then(|| plug.number())
}
