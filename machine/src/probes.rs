//! Probes that are made of others, and those that the run loop is compiled for.
use crate::{Bus, Dma, Probe};
use antic_gtia::antic::{Load, Show};
use cpu6502::Cpu;

/// Passes every call of a probe on to another one.
macro_rules! pass_on {
    ($self:ident, $to:ident :: $other:expr) => {
        #[inline]
        fn cycle(&mut $self, cpu: &Cpu, bus: &Bus) -> bool {
            $to::cycle($other, cpu, bus)
        }

        #[inline]
        fn read(&mut $self, now: u64, address: u16, data: u8) {
            $to::read($other, now, address, data);
        }

        #[inline]
        fn written(&mut $self, now: u64, address: u16, data: u8) {
            $to::written($other, now, address, data);
        }

        #[inline]
        fn dma(&mut $self, now: u64, kind: Dma, address: u16, data: u8) {
            $to::dma($other, now, kind, address, data);
        }

        #[inline]
        fn loaded(&mut $self, line: u64, load: Load) {
            $to::loaded($other, line, load);
        }

        #[inline]
        fn shown(&mut $self, line: u64, show: Show) {
            $to::shown($other, line, show);
        }

        #[inline]
        fn cut(&mut $self, now: u64, from: u16) {
            $to::cut($other, now, from);
        }

        #[inline]
        fn nmi(&mut $self, now: u64) {
            $to::nmi($other, now);
        }
    };
}

/// A probe that its owner keeps.
impl<P: Probe> Probe for &mut P {
    const ACTIVE: bool = P::ACTIVE;
    const WRITES: bool = P::WRITES;
    const FETCHES: bool = P::FETCHES;

    pass_on!(self, Probe :: &mut **self);
}

/// A probe without its constants: the run loop is compiled for those, and not for each probe.
pub(crate) trait Observer {
    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> bool;
    fn read(&mut self, now: u64, address: u16, data: u8);
    fn written(&mut self, now: u64, address: u16, data: u8);
    fn dma(&mut self, now: u64, kind: Dma, address: u16, data: u8);
    fn loaded(&mut self, line: u64, load: Load);
    fn shown(&mut self, line: u64, show: Show);
    fn cut(&mut self, now: u64, from: u16);
    fn nmi(&mut self, now: u64);
}

impl<P: Probe> Observer for P {
    pass_on!(self, Probe::self);
}

/// An observer of cycles, and of fetches if `FETCHES`.
pub(crate) struct Cycles<'a, const FETCHES: bool>(pub &'a mut dyn Observer);

impl<const FETCHES: bool> Probe for Cycles<'_, FETCHES> {
    const FETCHES: bool = FETCHES;

    pass_on!(self, Observer::self.0);
}

/// An observer of writes, in whichever loop it runs.
pub(crate) struct Writes<'a>(pub &'a mut dyn Observer);

impl Probe for Writes<'_> {
    const ACTIVE: bool = false;
    const WRITES: bool = true;

    #[inline]
    fn written(&mut self, now: u64, address: u16, data: u8) {
        self.0.written(now, address, data);
    }
}

/// The address of the processor's last access.
#[derive(Default)]
pub(crate) struct Accessed(Option<u16>);

impl Accessed {
    /// The address, once.
    pub(crate) fn take(&mut self) -> Option<u16> {
        self.0.take()
    }
}

impl Probe for Accessed {
    fn read(&mut self, _now: u64, address: u16, _data: u8) {
        self.0 = Some(address);
    }

    fn written(&mut self, _now: u64, address: u16, _data: u8) {
        self.0 = Some(address);
    }
}

/// Two probes: both see everything that either is to be called for, and each may stop the machine.
impl<A: Probe, B: Probe> Probe for (A, B) {
    const ACTIVE: bool = A::ACTIVE || B::ACTIVE;
    const WRITES: bool = A::WRITES || B::WRITES;
    const FETCHES: bool = A::FETCHES || B::FETCHES;

    #[inline]
    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> bool {
        // A cycle that the second stops at comes again, and the first sees it then.
        self.1.cycle(cpu, bus) || self.0.cycle(cpu, bus)
    }

    #[inline]
    fn read(&mut self, now: u64, address: u16, data: u8) {
        self.0.read(now, address, data);
        self.1.read(now, address, data);
    }

    #[inline]
    fn written(&mut self, now: u64, address: u16, data: u8) {
        self.0.written(now, address, data);
        self.1.written(now, address, data);
    }

    #[inline]
    fn dma(&mut self, now: u64, kind: Dma, address: u16, data: u8) {
        self.0.dma(now, kind, address, data);
        self.1.dma(now, kind, address, data);
    }

    #[inline]
    fn loaded(&mut self, line: u64, load: Load) {
        self.0.loaded(line, load);
        self.1.loaded(line, load);
    }

    #[inline]
    fn shown(&mut self, line: u64, show: Show) {
        self.0.shown(line, show);
        self.1.shown(line, show);
    }

    #[inline]
    fn cut(&mut self, now: u64, from: u16) {
        self.0.cut(now, from);
        self.1.cut(now, from);
    }

    #[inline]
    fn nmi(&mut self, now: u64) {
        self.0.nmi(now);
        self.1.nmi(now);
    }
}
