//! The address decoder: the chips and memory that the processor's accesses reach.
// Every cycle comes through here; without it the compiler leaves calls in the run loop.
#![allow(clippy::inline_always)]

use crate::added::Added;
use crate::cartridge::Slot;
use crate::config::{Config, Model, Tv};
use crate::host::{self, HostDevice};
use crate::input::Input;
use crate::io::Io;
use crate::memory::Memory;
use crate::pointer::Pointing;
use crate::port::ProgramPort;
use crate::run::{Probe, Span};
use crate::video::Video;
use alloc::boxed::Box;
use scratch::Scratch;

/// Everything but the processor.
#[derive(Debug, PartialEq)]
pub struct Bus {
    /// RAM and ROM.
    pub memory: Memory,
    /// The cartridge slot.
    pub cartridge: Slot,
    /// ANTIC and GTIA with the beam.
    pub video: Video,
    /// POKEY, PIA and the serial bus.
    pub io: Io,
    /// The controls as the chips see them.
    pub input: Input,
    /// Light pen and mouse, as far as they are more than controls.
    pub(crate) pointing: Pointing,
    /// The byte on the data bus in the last cycle in which a chip took it: virtual and phantom DMA read it.
    /// It means nothing between two cycles and is not part of a saved state.
    pub(crate) data: Scratch<u8>,
    /// The span that is being run. It means nothing between two cycles.
    pub(crate) span: Scratch<Span>,
    /// The model.
    pub model: Model,
    /// The television system.
    pub tv: Tv,
    /// A binary file waiting for its boot loader.
    pub(crate) program: Option<ProgramPort>,
    /// The host-folder device on the parallel bus.
    pub(crate) host: Option<HostDevice>,
    /// Sound hardware that was added.
    pub(crate) added: Option<Box<Added>>,
    /// The console keys of `held` are down until this cycle: OPTION, with which an XL starts without BASIC, or START, or both.
    pub(crate) option_until: u64,
    /// Follows from the configuration.
    pub(crate) held: u8,
}

crate::clone::clone_by_fields!(Bus {
    cartridge,
    video,
    io,
    input,
    pointing,
    data,
    span,
    model,
    tv,
    program,
    host,
    added,
    option_until,
    held,
    memory,
});

impl cpu6502::Bus for Bus {
    #[inline(always)]
    fn read(&mut self, address: u16) -> u8 {
        match self.memory.read_unless_chip(address) {
            Some(data) => data,
            None => self.read_chip(address),
        }
    }

    #[inline(always)]
    fn write(&mut self, address: u16, data: u8) {
        let cycle = self.video.cycle as u8;
        if self.video.antic.is_behind(cycle.into()) {
            self.before_write(address, cycle);
        }
        if !self.memory.write_unless_chip(address, data) {
            self.write_chip(address, data);
        }
    }

    #[inline]
    fn irq(&self) -> bool {
        self.irq_line()
    }
}

/// A bus that tells a probe of the processor's access.
pub(crate) struct Tapped<'a, B, P> {
    pub bus: &'a mut B,
    pub now: u64,
    pub probe: &'a mut P,
}

impl<B: cpu6502::Bus, P: Probe> cpu6502::Bus for Tapped<'_, B, P> {
    #[inline(always)]
    fn read(&mut self, address: u16) -> u8 {
        let data = self.bus.read(address);
        if P::ACTIVE {
            self.probe.read(self.now, address, data);
        }
        data
    }

    #[inline(always)]
    fn write(&mut self, address: u16, data: u8) {
        self.probe.written(self.now, address, data);
        self.bus.write(address, data);
    }

    #[inline(always)]
    fn irq(&self) -> bool {
        self.bus.irq()
    }
}

/// The bus with an eye on its data lines, for the cycles in which ANTIC or GTIA take what is there.
pub(crate) struct Watched<'a>(pub &'a mut Bus);

impl cpu6502::Bus for Watched<'_> {
    fn read(&mut self, address: u16) -> u8 {
        let data = self.0.read(address);
        *self.0.data = data;
        data
    }

    fn write(&mut self, address: u16, data: u8) {
        *self.0.data = data;
        self.0.write(address, data);
    }

    fn irq(&self) -> bool {
        self.0.irq_line()
    }
}

impl Bus {
    /// Everything but the processor at power-on. Without its cartridges and the contents of its RAM and ROM: [`Self::switch_on`] puts them there.
    // A literal of literals, inlined: the only copy of it on the stack is the one that `Box::new` takes.
    #[inline(always)]
    pub(crate) fn blank(config: &Config) -> Self {
        let starts_without_basic = config.basic.is_none() && config.model.has_basic();
        Self {
            cartridge: Slot::default(),
            video: Video::new(config.tv),
            io: Io::new(config.tv),
            input: Input::default(),
            pointing: Pointing::default(),
            data: Scratch(0xFF),
            span: Scratch(Span::none()),
            model: config.model,
            tv: config.tv,
            program: None,
            host: None,
            added: Added::new(config.extras),
            option_until: if starts_without_basic || config.extras.boots_tape {
                crate::OPTION_HELD
            } else {
                0
            },
            held: match (config.extras.boots_tape, config.model.has_basic()) {
                (false, _) => 4,
                (true, false) => 1,
                (true, true) => 5,
            },
            memory: Memory::blank(config.model, config.ram(), config.basic.is_some()),
        }
    }

    /// Makes a blank bus what it is at power-on.
    pub(crate) fn switch_on(&mut self, config: &Config) {
        self.memory.switch_on(
            &config.os,
            config.basic.as_deref(),
            config.extras.fill,
            config.seed,
        );
        let (first, second) = (config.cartridge.clone(), config.second.clone());
        self.cartridge = Slot::new(first, second, &mut self.memory);
    }

    /// Makes the fetches of the playfield that a write in this cycle comes too late for, if it concerns them.
    #[inline]
    fn before_write(&mut self, address: u16, cycle: u8) {
        if self.video.antic.depends_on(address) {
            self.video.cycle = u32::from(cycle);
            self.catch_up();
        }
    }

    /// Makes the fetches that a write in a span comes too late for, if it concerns them.
    #[cold]
    #[inline(never)]
    pub(crate) fn fetch_before_write(&mut self, address: u16, cycle: u8) {
        if self.video.antic.is_behind(cycle.into()) {
            self.before_write(address, cycle);
        }
    }

    // The chips' own functions are calls at the end: an access saves only the host's registers that its chip needs.
    #[inline(never)]
    pub(crate) fn read_chip(&mut self, address: u16) -> u8 {
        match address >> 8 {
            0xD0 => self.read_gtia(address as u8),
            0xD2 => self.read_pokey(address as u8),
            0xD3 => self.read_pia(address as u8),
            0xD4 => self.read_antic(address as u8),
            _ => self.read_extension(address),
        }
    }

    /// The parallel bus, the cartridge's page, and pages without a chip.
    #[inline(never)]
    fn read_extension(&mut self, address: u16) -> u8 {
        match address >> 8 {
            0xD1 => self.read_parallel_bus(address),
            0xD5 => {
                // It may change the memory.
                if self.cartridge.is_plugged() {
                    self.catch_up();
                }
                let added = self.read_added(address).unwrap_or(0xFF);
                self.cartridge.access(address, None, &mut self.memory) & added
            }
            _ => self.peek_upper_page(address),
        }
    }

    #[inline(never)]
    pub(crate) fn write_chip(&mut self, address: u16, data: u8) {
        match address >> 8 {
            0xD0 => self.write_gtia(address as u8, data),
            0xD2 => self.write_pokey(address as u8, data),
            0xD3 => self.write_pia(address as u8, data),
            0xD4 => self.write_antic(address as u8, data),
            _ => self.write_extension(address, data),
        }
    }

    #[inline(never)]
    fn write_extension(&mut self, address: u16, data: u8) {
        self.catch_up();
        self.span.over = true;
        match address >> 8 {
            0xD1 => self.write_parallel_bus(address, data),
            0xD5 => {
                self.write_added(address, data);
                self.cartridge.access(address, Some(data), &mut self.memory);
            }
            0xD6 | 0xD7 => {
                self.write_added(address, data);
            }
            // Flash in the cartridge.
            _ => {
                let now = self.now();
                self.cartridge.write(address, data, now, &mut self.memory);
            }
        }
    }

    /// The parallel bus, $D1xx: the program port and the host-folder device.
    fn read_parallel_bus(&mut self, address: u16) -> u8 {
        if let Some(program) = &mut self.program {
            let data = program.read(address as u8);
            if program.at_work() {
                // The OS has looked at OPTION already; the program must not see it held.
                self.option_until = 0;
            }
            if let Some(data) = data {
                return data;
            }
        }
        match &mut self.host {
            Some(host) if host.selected && address & 0xF0 == 0xE0 => host.read(address as u8),
            Some(_) if self.model.is_xl() => host::door(address).unwrap_or(0xFF),
            _ => 0xFF,
        }
    }

    fn write_parallel_bus(&mut self, address: u16, data: u8) {
        if let Some(program) = &mut self.program {
            program.write();
        }
        match &mut self.host {
            Some(host) if address == 0xD1FF && self.model.is_xl() => {
                host.selected = data == host::SELECT;
                self.memory.set_parallel(host.selected);
            }
            Some(host) if host.selected && address & 0xF0 == 0xE0 => {
                if address == host::BOOTED && !self.model.is_xl() {
                    host.start();
                    self.io.sio.offer_host(false);
                }
                host.write(address as u8, data);
            }
            _ => {}
        }
    }

    /// $D6xx-$D7xx: the host-folder device's ROM on a 400 or 800, else nothing.
    fn peek_upper_page(&self, address: u16) -> u8 {
        if self.host.is_some() && !self.model.is_xl() {
            host::ROM_800[usize::from(address & 0x1FF)]
        } else {
            0xFF
        }
    }

    /// RESET reaches the devices on the parallel bus.
    pub(crate) fn parallel_reset(&mut self) {
        if let Some(program) = &mut self.program {
            program.reset();
        }
        if let Some(host) = &mut self.host {
            if self.model.is_xl() {
                host.reset();
                self.memory.set_parallel(false);
            } else {
                // The line does not reach the bus of a 400 or 800; but RESET may mean a cold start there, too.
                self.io.sio.offer_host(true);
            }
        }
    }

    /// Puts the ROM of the host-folder device into the map: on an XL while it is selected, on a 400 or 800 the menu for D:.
    pub(crate) fn show_host(&mut self) {
        let Some(host) = &self.host else {
            return self.memory.set_parallel(false);
        };
        let xl = self.model.is_xl();
        self.memory
            .set_parallel(if xl { host.selected } else { host.as_disk() });
        self.memory
            .set_parallel_rom(if xl { host::ROM } else { host::MENU_800 });
    }

    fn peek_parallel_bus(&self, address: u16) -> u8 {
        let program = self.program.as_ref();
        let host = self.host.as_ref();
        match (program.and_then(|p| p.peek(address as u8)), host) {
            (Some(data), _) => data,
            (_, Some(host)) if host.selected && address & 0xF0 == 0xE0 => host.peek(address as u8),
            (_, Some(_)) if self.model.is_xl() => host::door(address).unwrap_or(0xFF),
            _ => 0xFF,
        }
    }

    /// The value of a read by the processor, without any side effect.
    pub fn peek(&self, address: u16) -> u8 {
        match address >> 8 {
            0xD0 => self.peek_gtia(address as u8),
            0xD2 => self.peek_pokey(address as u8),
            0xD3 => self.peek_pia(address as u8),
            0xD4 => self.peek_antic(address as u8),
            0xD1 => self.peek_parallel_bus(address),
            0xD5 => self.cartridge.peek(address) & self.peek_added(address).unwrap_or(0xFF),
            0xD6..=0xD7 => self.peek_upper_page(address),
            _ => self.memory.read(address),
        }
    }

    /// The console keys as GTIA sees them: bits 0-2 START, SELECT, OPTION, 0 = down.
    pub(crate) fn console_pins(&self) -> u8 {
        let held = if self.now() < self.option_until {
            self.held
        } else {
            0
        };
        self.input.console_pins() & !held
    }

    /// The level of a trigger line as GTIA sees it: 1 = not pressed. On an XL line 2 is free and line 3 senses the cartridge.
    pub(crate) fn trigger_pin(&self, number: usize) -> u8 {
        if self.model.is_xl() && number >= 2 {
            return if number == 2 {
                1
            } else {
                u8::from(self.memory.cartridge_at_a000())
            };
        }
        let pressed = self.input.joysticks[number & 3].trigger || self.pointer_pulls(number);
        u8::from(!pressed)
    }

    /// The controls changed.
    pub(crate) fn set_input(&mut self, input: Input) {
        self.point(&input);
        self.input = input;
        self.video_input_changed();
        self.io_input_changed();
    }
}
