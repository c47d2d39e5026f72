//! The observers of a run of the machine.
use super::FLOATING;
use crate::Bus;
use crate::bus::{Tapped, Watched};
use antic_gtia::antic::{Load, Show, beam};
use antic_gtia::slot;
use cpu6502::Cpu;

/// The position of the beam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beam {
    /// Scan line, 0 to 261 or 311.
    pub line: u16,
    /// Machine cycle of the line, 0 to 113.
    pub cycle: u8,
}

/// A DMA cycle that is not the playfield's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dma {
    /// Missile graphics.
    Missiles,
    /// Graphics of player 0 to 3.
    Player(u8),
    /// The display list instruction.
    List,
    /// The address of LMS or of a jump, low byte (0) and high byte (1).
    Operand(u8),
    /// Memory refresh.
    Refresh,
}

/// Observes a run of the machine.
pub trait Probe {
    /// True if the machine goes from cycle to cycle and all of these are called.
    const ACTIVE: bool = true;
    /// True if [`Probe::written`] is called although the probe is not [`Probe::ACTIVE`]: the run keeps its speed.
    const WRITES: bool = false;

    /// True if [`Probe::loaded`] and [`Probe::shown`] are called.
    const FETCHES: bool = Self::ACTIVE;

    /// Called before each machine cycle; returning `true` stops the run before it.
    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> bool {
        let _ = (cpu, bus);
        false
    }

    /// The processor reads in this cycle.
    fn read(&mut self, now: u64, address: u16, data: u8) {
        let _ = (now, address, data);
    }

    /// The processor writes in this cycle. Without [`Probe::ACTIVE`] the first, useless write of a read-modify-write instruction may be
    /// left out.
    fn written(&mut self, now: u64, address: u16, data: u8) {
        let _ = (now, address, data);
    }

    /// DMA takes this cycle.
    fn dma(&mut self, now: u64, kind: Dma, address: u16, data: u8) {
        let _ = (now, kind, address, data);
    }

    /// The line buffer takes a byte in the line that began with cycle `line`.
    fn loaded(&mut self, line: u64, load: Load) {
        let _ = (line, load);
    }

    /// The shift register takes a byte in the line that began with cycle `line`.
    fn shown(&mut self, line: u64, show: Show) {
        let _ = (line, show);
    }

    /// A change of DMACTL or HSCROL empties the AN lines of this line from colour clock `from` on, before this cycle.
    fn cut(&mut self, now: u64, from: u16) {
        let _ = (now, from);
    }

    /// The NMI line falls before this cycle.
    fn nmi(&mut self, now: u64) {
        let _ = now;
    }
}

/// Sees nothing and costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProbe;

impl Probe for NoProbe {
    const ACTIVE: bool = false;
}

impl Bus {
    /// [`Self::catch_up`] that reports each fetch to a probe.
    pub(super) fn catch_up_with<P: Probe>(&mut self, cycle: usize, probe: &mut P) {
        if !self.video.antic.is_behind(cycle) {
            return;
        }
        let line = self.video.line_start;
        let probe = core::cell::RefCell::new(probe);
        self.video.antic.catch_up_with(
            cycle,
            &self.memory,
            |load| probe.borrow_mut().loaded(line, load),
            |show| probe.borrow_mut().shown(line, show),
        );
        self.video.cycle = cycle as u32;
    }

    /// Reports to a probe a cycle that refresh takes.
    pub(super) fn tell_refresh<P: Probe>(&mut self, cycle: usize, slot: u8, probe: &mut P) {
        if slot & slot::DMA == slot::REFRESH {
            probe.dma(
                self.video.line_start + cycle as u64,
                Dma::Refresh,
                0,
                FLOATING,
            );
        }
    }
}

/// The kind of a fetch of the line's head, by its cycle.
pub(super) fn special_kind(cycle: usize) -> Dma {
    match cycle {
        0 => Dma::Missiles,
        beam::FIRST_PLAYER..=beam::LAST_PLAYER => Dma::Player((cycle - beam::FIRST_PLAYER) as u8),
        _ => Dma::Operand(u8::from(cycle == beam::ADDRESS_HIGH)),
    }
}

/// A step of the processor whose access is reported to a probe, and whose byte stays on the bus.
// One copy for each probe: the processor's states are 12K of the host's code.
#[inline(never)]
pub(super) fn step_probed<P: Probe>(cpu: &mut Cpu, bus: &mut Bus, probe: &mut P) {
    let now = bus.now();
    let bus = &mut Watched(bus);
    cpu.step(&mut Tapped { bus, now, probe });
}

/// Reports to a probe the effect on the AN lines of a change of DMACTL or HSCROL that acts in this cycle.
pub(super) fn tell_change<P: Probe>(bus: &mut Bus, probe: &mut P) {
    let (now, cycle) = (bus.now(), bus.video.cycle as usize);
    let redriven = bus.video.antic.take_redriven();
    if let Some(from) = redriven.cut {
        probe.cut(now, from);
    }
    for show in bus.video.antic.replayed(cycle, redriven) {
        probe.shown(bus.video.line_start, show);
    }
}

/// Reports to a probe the playfield's fetch in a line whose fetches are made in their cycles.
pub(super) fn tell_fetches<P: Probe>(bus: &Bus, slot: u8, source: Option<u16>, probe: &mut P) {
    let (antic, data) = (&bus.video.antic, *bus.data);
    let (line, cycle) = (bus.video.line_start, bus.video.cycle as usize);
    if slot & slot::GLYPH != 0 {
        probe.shown(line, antic.glyph_in(cycle, source, data));
    }
    if slot & slot::NAME != 0 {
        probe.loaded(line, antic.load_in(cycle, true, source, data));
    }
    if slot & slot::BITMAP != 0 {
        let loaded = antic.loads().then_some(data);
        if loaded.is_some() {
            probe.loaded(line, antic.load_in(cycle, false, source, data));
        }
        probe.shown(line, antic.bitmap_in(cycle, loaded));
    }
}
