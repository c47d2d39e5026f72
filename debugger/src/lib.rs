//! The debugger: breakpoints, stepping forwards and backwards, and views of the machine as plain data and text. It has
//! no window; a face calls it.
//!
//! [`Debugger`] is beside the object of debugging ([`Debuggee`]: a [`Track`], or a session with its host) and never inside: nothing it does
//! changes what a program sees. Views only peek. Stepping runs the machine's own loop with a [`machine::Probe`] that sees every cycle.
//!
//! ```no_run
//! # fn show(machine: machine::Machine) {
//! use debugger::{Debugger, Limits, Step, Stop, Track, view};
//! let mut track = Track::new(machine, Limits::debugger());
//! let mut debugger = Debugger::default();
//! debugger.symbols.add_hardware();
//! // Up to the first instruction of the next display list interrupt, then through it cycle by cycle.
//! if debugger.step(&mut track, Step::Dli) == Stop::Done {
//!     debugger.step(&mut track, Step::Cycle);
//!     println!("{}", view::Cpu::of(track.machine()).lines().join("\n"));
//! }
//! # }
//! ```
#![forbid(unsafe_code)]

mod assembled;
mod assembler;
pub mod basic;
mod basic_step;
mod breakpoints;
mod c;
mod cause;
mod command;
mod debuggee;
mod dli;
mod engine;
mod executed;
mod expression;
mod first_writes;
mod frame_log;
mod interrupt;
mod lint;
mod place_finder;
mod profile;
mod replay;
mod search;
mod seek;
mod sources;
mod stack;
mod step;
mod symbols;
mod trace;
pub mod view;
mod watch;

pub use assembled::{AssembleError, Assembled, AssembledLine, assemble_files, assemble_program};
pub use assembler::assemble;
pub use basic_step::BasicStep;
pub use breakpoints::{Breakpoint, Breakpoints, Logged, Message, Place};
pub use c::{Address, CProgram, CVariable, Scope, Type};
pub use cause::{
    Colour, Fetched, FrameCause, Layer, Object, Origin, Playfield, Why, WhyLine, WhyPart,
};
pub use command::{Output, add_breakpoint, address, complete, execute, help_of};
pub use debuggee::{Debuggee, poke};
pub use dli::{Dli, DliTimeline, Row, RowKind, Store};
pub use engine::{Debugger, Shown};
pub use executed::Executed;
pub use expression::{Context, Expression, Names};
pub use first_writes::is_ram;
pub use frame_log::{
    Event, FrameLog, Kind, ListLine, Owner, Place as BeamPlace, Recorder, Registers, is_chip,
};
pub use interrupt::Interrupt;
pub use lint::{About, Finding, Lint};
pub use profile::{BasicLine, Cost, Profile, Routine};
pub use replay::Replay;
pub use search::{
    Cause, Detail, Interrupted, Progress, Target, WhenQuery, Write, WriteQuery, last_edit,
    last_write, origin,
};
pub use session::Track;
pub use session::timeline::{Limits, Moment, Timeline};
pub use sources::{SourceError, SourceFile, SourceLine, Sources};
pub use stack::{Call, calls};
pub use step::Step;
pub use symbols::{SymbolError, Symbols};
pub use trace::{Changed, Difference, TraceFilter, Traced, trace};
pub use watch::{Entry, Stop, Watch};

/// Cycles of a scan line.
const LINE: u64 = 114;

/// An address with its name; a source line in the name says where it is, so that no number is wanted.
pub(crate) fn named(address: u16, name: &dyn Fn(u16) -> Option<String>) -> String {
    match name(address) {
        Some(name) if name.ends_with(')') => name,
        Some(name) => format!("{name} (${address:04X})"),
        None => format!("${address:04X}"),
    }
}

/// The instruction that a processor is in, or the next one between two.
pub(crate) fn instruction_address(cpu: &cpu6502::Cpu) -> u16 {
    if cpu.at_instruction_start() {
        cpu.pc
    } else {
        cpu.instruction()
    }
}
