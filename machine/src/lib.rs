//! The Atari: bus, memory banks, PIA, cartridges, serial bus, run loop, save states.
//!
//! A [`Machine`] is made of a [`Config`] and runs when it is told to. It knows no file, clock or window: its picture is colour indexes, its sound
//! is levels with their times, and its inputs are bytes of media and the state of the controls.
//!
//! ```
//! use machine::{Config, Machine, Rom};
//!
//! // An 800XL with our own ROMs, until BASIC is READY.
//! let config = Config::xl(Rom::own(roms::OS_XL)).with_basic(Rom::own(roms::BASIC));
//! let mut atari = Machine::new(&config)?;
//! while !atari.text_screen().text().contains("READY") {
//!     atari.run_frame();
//! }
//! // A binary file: LDA STICK0, STA COLOR4 for ever. The machine boots it.
//! let file = b"\xFF\xFF\x00\x20\x08\x20\xAD\x78\x02\x8D\xC8\x02\x4C\x00\x20\xE0\x02\xE1\x02\x00\x20";
//! atari.insert_program(media::xex::Xex::parse(file)?.boot());
//! atari.power_cycle();
//! while !atari.program_started() {
//!     atari.run_frame();
//! }
//! // The stick is pulled down: STICK0 is 13, and the border's colour index 12 (bit 0 is not there) when two vertical blanks have passed it on.
//! atari.joystick(0).down();
//! (0..3).for_each(|_| atari.run_frame());
//! assert_eq!(atari.frame().row(0)[0], 12);
//! // What was heard on the way.
//! let mut sound = Vec::new();
//! atari.take_sound(&mut sound);
//! assert!(!sound.is_empty());
//! // A state is complete: it goes on in a machine made of nothing else.
//! let state = atari.save_state();
//! let again = Machine::from_state(&state, &[], &[])?;
//! assert_eq!(again.now(), atari.now());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `cargo run -p machine --example first_steps` does the same and shows the screen.
//!
//! | to | see |
//! | --- | --- |
//! | build a machine | [`Config::xl`] and its like, [`Rom`], [`Machine::new`], [`Machine::power_cycle`] |
//! | run it | [`Machine::run_frame`], [`Machine::run_cycles`], [`Machine::step_instruction`], with a [`Probe`] that observes it |
//! | work its controls | [`Machine::joystick`], [`Machine::input`](field@Machine::input), [`Input`], [`Machine::reset`] |
//! | give it programs and media | [`Machine::insert_program`], [`Machine::load_basic`], [`Machine::insert_disk`], [`Machine::insert_tape`] |
//! | see and hear it | [`Machine::frame`], [`Machine::text_screen`], [`Machine::take_sound`], [`Machine::take_printed`] |
//! | save and load it | [`Machine::save_state`], [`Machine::load_state`], [`Machine::from_state`], [`state_info`] |
//! | look inside | [`Machine::peek`], [`Machine::memory`], [`Machine::run_frames_calling`], [`Machine::beam`], [`Machine::now`], [`Machine::bus`] |
//! | work a chip by its pins, in tests and debuggers | [`Machine::pins`] |
//! | share a folder | [`host`] |
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod added;
mod bus;
mod cartridge;
mod clone;
mod config;
mod embed;
pub mod host;
mod inject;
mod input;
mod io;
mod memory;
mod named;
mod pia;
mod pins;
mod pointer;
mod port;
mod probes;
mod rom;
mod run;
pub mod screen;
mod sio;
mod state;
mod video;

pub use added::CovoxChange;
pub use bus::Bus;
pub use cartridge::{Slot, Wiring, wiring};
pub use config::{Cartridge, Config, ConfigError, Extras, Model, Ram, RamFill, Tv};
pub use inject::InjectError;
pub use input::{Input, Joystick};
pub use io::{Io, SoundChange};
pub use memory::Memory;
pub use named::Named;
pub use pia::Pia;
pub use pins::Pins;
pub use pointer::{Pointer, PointerKind};
pub use port::ProgramPort;
pub use rom::Rom;
pub use run::{Beam, Dma, NoProbe, Probe};
pub use sio::Sio;
pub use state::{
    Media, MissingRom, RomKind, Snapshot, StateError, StateInfo, codec, rom_hash, state_info,
};
pub use video::{Frame, Video};

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::ops::{Deref, DerefMut};
use cpu6502::Cpu;
use scratch::Scratch;

/// Cycles that OPTION is held after power-on without BASIC: one second.
const OPTION_HELD: u64 = 60 * 29_868;

/// A whole computer. Equal configurations and inputs give equal machines, bit for bit.
///
/// A clone shares the last picture and the media until one of the two changes them. [`Clone::clone_from`] makes a machine the copy of another
/// in the memory that it has already.
#[derive(Debug, PartialEq)]
pub struct Machine {
    board: Box<Board>,
    /// The controls; they act on the next cycle that runs.
    pub input: Input,
    config: Arc<Config>,
    cartridge_hash: Option<u64>,
    /// See [`Self::hold_option`].
    option_held: bool,
}

clone::clone_by_fields!(Machine {
    input,
    config,
    cartridge_hash,
    option_held,
    board,
});

/// The processor and everything on its bus: a [`Machine`] keeps them in a place of their own, because they are too large to be moved.
#[derive(Debug, PartialEq)]
pub struct Board {
    /// The processor.
    pub cpu: Cpu,
    /// Everything else.
    pub(crate) bus: Bus,
    waiting: Scratch<run::Waiting>,
}

impl Clone for Board {
    fn clone(&self) -> Self {
        Self {
            cpu: self.cpu.clone(),
            waiting: Scratch::default(),
            bus: self.bus.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.cpu.clone_from(&source.cpu);
        self.bus.clone_from(&source.bus);
    }
}

impl Deref for Machine {
    type Target = Board;

    #[inline]
    fn deref(&self) -> &Board {
        &self.board
    }
}

impl DerefMut for Machine {
    #[inline]
    fn deref_mut(&mut self) -> &mut Board {
        &mut self.board
    }
}

/// # Building, and switching on and off
impl Machine {
    /// A machine just switched on, at cycle 0 of RESET.
    ///
    /// # Errors
    /// A ROM of the wrong size.
    pub fn new(config: &Config) -> Result<Self, ConfigError> {
        if config.os.len() != config.model.os_size() {
            return Err(ConfigError::OsSize {
                model: config.model.name(),
                wanted: config.model.os_size(),
                found: config.os.len(),
            });
        }
        if let Some(basic) = &config.basic
            && basic.len() != 0x2000
        {
            return Err(ConfigError::BasicSize(basic.len()));
        }
        for cartridge in [&config.cartridge, &config.second].into_iter().flatten() {
            if cartridge.type_number().is_none() {
                return Err(ConfigError::CartridgeSize(cartridge.rom.len()));
            }
        }
        let slots = config.model == Model::Atari800
            || config
                .cartridge
                .as_ref()
                .is_some_and(|c| cartridge::wiring(c.kind).has_slot());
        if config.second.is_some() && !slots {
            return Err(ConfigError::SecondSlot);
        }
        if !config.ram().fits(config.model) {
            return Err(ConfigError::Ram {
                model: config.model.name(),
                ram: config.ram().name(),
                xl: config.model.is_xl(),
            });
        }
        Ok(Self::switched_on(config))
    }

    fn switched_on(config: &Config) -> Self {
        let mut board = Box::new(Board {
            cpu: Cpu::new(),
            waiting: Scratch::default(),
            bus: Bus::blank(config),
        });
        board.bus.switch_on(config);
        Self {
            board,
            input: Input::default(),
            cartridge_hash: config.cartridge.as_ref().map(|c| rom_hash(&c.rom)),
            config: config.clone().into(),
            option_held: false,
        }
    }

    /// Holds OPTION down for the first second after power-on, now and at every power cycle to come: an XL then starts with its
    /// BASIC switched off (the ROM is still there for programs that bank it in). To be called before the first cycle.
    pub fn hold_option(&mut self) {
        self.option_held = true;
        self.bus.option_until = OPTION_HELD;
    }

    /// The configuration it was made from.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The cartridge as it is now, if it is one that a program can write to.
    pub fn written_cartridge(&self) -> Option<media::cartridge::Cartridge> {
        self.bus.cartridge.written()
    }

    /// The identity of that cartridge's CAR file.
    pub fn cartridge_identity(&self) -> Option<media::Identity> {
        self.bus.cartridge.identity()
    }

    /// True if a program has written to the cartridge.
    pub fn cartridge_is_written(&self) -> bool {
        self.bus
            .cartridge
            .chip()
            .is_some_and(cartridge::Chip::is_written)
    }

    /// Switched off and on again: a cold start with the same ROMs, media and controls.
    pub fn power_cycle(&mut self) {
        let mut fresh = Self::switched_on(&self.config);
        fresh.input = self.input;
        if self.option_held {
            fresh.hold_option();
        }
        fresh.bus.keep_media(&mut self.bus);
        if let Some(chip) = self.bus.cartridge.chip() {
            let bus = &mut fresh.board.bus;
            let switches = bus.cartridge.switches();
            bus.cartridge.set_chip(chip.clone().at_power_on());
            bus.cartridge.set_switches(switches, &mut bus.memory);
        }
        fresh.bus.program = self.bus.program.take();
        if let Some(host) = &self.bus.host {
            let connected = host.is_connected();
            fresh.attach_host(host.as_disk());
            fresh.connect_host(connected);
        }
        if let Some(program) = &mut fresh.bus.program {
            program.power_on();
        }
        *self = fresh;
    }
}

/// # Binary files
impl Machine {
    /// Puts a binary file into the program port, and its boot disk into D1:. Switch on (or [`Self::power_cycle`]) to boot it. Another disk may
    /// take the place of the boot disk: until the file is loaded, sector 1 of D1: is the loader's all the same.
    pub fn insert_program(&mut self, program: media::xex::BootProgram) {
        self.bus.program = Some(ProgramPort::new(&program.stream));
        self.insert_disk(0, program.disk);
    }

    /// True if a file in the program port has not been started yet.
    pub fn program_loading(&self) -> bool {
        self.bus.program.is_some() && !self.program_started()
    }

    /// True if the file in the program port was loaded and started.
    pub fn program_started(&self) -> bool {
        self.bus.program.as_ref().is_some_and(ProgramPort::started)
    }

    /// True if the file in the program port was started and has ended: it has returned, or left through DOSVEC or a warm start.
    /// Its picture stays; RESET starts it again, unless it has come back to BASIC.
    pub fn program_ended(&self) -> bool {
        self.bus.program.as_ref().is_some_and(ProgramPort::ended)
    }
}

/// # Memory
impl Machine {
    /// The value of a read by the processor, without side effects.
    pub fn peek(&self, address: u16) -> u8 {
        self.bus.peek(address)
    }

    /// A word at `address`, low byte first, without side effects.
    pub fn peek_word(&self, address: u16) -> u16 {
        u16::from_le_bytes([self.peek(address), self.peek(address.wrapping_add(1))])
    }

    /// Writes memory as the processor would, but never a chip's register.
    pub fn poke(&mut self, address: u16, data: u8) {
        if address & 0xF800 != 0xD000 {
            self.bus.memory.write(address, data);
        }
    }

    /// Hands changed controls to the chips; called at the start of every run.
    pub(crate) fn apply_input(&mut self) {
        if self.bus.input != self.input {
            let input = self.input;
            self.bus.set_input(input);
        }
    }
}
