//! Probes that are made of others.
use crate::{Bus, Dma, Probe};
use antic_gtia::antic::{Load, Show};
use cpu6502::Cpu;

/// A probe that its owner keeps.
impl<P: Probe> Probe for &mut P {
    const ACTIVE: bool = P::ACTIVE;
    const WRITES: bool = P::WRITES;
    const FETCHES: bool = P::FETCHES;

    #[inline]
    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> bool {
        (**self).cycle(cpu, bus)
    }

    #[inline]
    fn read(&mut self, now: u64, address: u16, data: u8) {
        (**self).read(now, address, data);
    }

    #[inline]
    fn written(&mut self, now: u64, address: u16, data: u8) {
        (**self).written(now, address, data);
    }

    #[inline]
    fn dma(&mut self, now: u64, kind: Dma, address: u16, data: u8) {
        (**self).dma(now, kind, address, data);
    }

    #[inline]
    fn loaded(&mut self, line: u64, load: Load) {
        (**self).loaded(line, load);
    }

    #[inline]
    fn shown(&mut self, line: u64, show: Show) {
        (**self).shown(line, show);
    }

    #[inline]
    fn cut(&mut self, now: u64, from: u16) {
        (**self).cut(now, from);
    }

    #[inline]
    fn nmi(&mut self, now: u64) {
        (**self).nmi(now);
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
