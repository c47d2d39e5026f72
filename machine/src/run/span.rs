//! Spans: the fast way between two cycles in which more happens than steps of the processor and planned DMA.
//!
//! - A span begins in a free cycle of a line with a plan and ends before its `limit`, the next flagged cycle. No probe is active.
//! - In it the cycles of DMA only halt the processor: [`FreeCycles`] numbers the others, and `left` of them have not been run.
//! - ANTIC's fetches are made late: before a write to their memory, before a write to a chip that changes or draws them, or after the span.
//! - A write to a chip that asserts the IRQ line or flags a cycle of this line ends the span (`over`), unless it was WSYNC and nothing else is flagged
//!   before its release.
//! - `video.cycle` is set for accesses of chips only.
//! - A program that waits for an interrupt takes no steps: see `run/waiting.rs`.
//!
//! Whatever is run so leaves the same state as the single cycles of `run/line.rs`.
// Every cycle comes through here; without it the compiler leaves calls in the run loop.
#![allow(clippy::inline_always)]

use super::Probe;
use crate::Board;
use crate::bus::Bus;
use crate::memory::CHIPS;
use antic_gtia::antic::FreeCycles;
use antic_gtia::antic::beam::RELEASE;
use cpu6502::{BatchBus as _, STACK};

/// The cycles of a span, and its progress.
// A part of the bus: in variables of its own the host would have no register left for the batch's count of cycles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    free: &'static FreeCycles,
    /// The number of the last cycle among the free ones of the line.
    last: u32,
    /// ANTIC may have a fetch to make before accesses that leave as many cycles of the span or fewer.
    // From the first fetch of the span on: a number that changed would cost each instruction two host instructions.
    fetches_due: i32,
    /// Number of its cycles that have not been run, without that of a step that is being made.
    pub left: u32,
    /// A write to a chip has asserted the IRQ line or marked a cycle of this line, or may have.
    pub over: bool,
}

impl Span {
    /// No span is being run.
    pub fn none() -> Self {
        Self {
            free: FreeCycles::of_blank_line(),
            last: 0,
            fetches_due: 0,
            left: 0,
            over: false,
        }
    }
}

/// The bus in a span of the line: cycles in which only the processor and planned DMA act. The run loop does not set `video.cycle` in a
/// span; accesses of chips do, and writes to memory that ANTIC has not fetched yet.
pub(crate) struct SpanBus<'a, P> {
    bus: &'a mut Bus,
    probe: &'a mut P,
}

impl<'a, P: Probe> SpanBus<'a, P> {
    /// The span of the free cycles from the beam on and before `limit`.
    #[inline(always)]
    pub fn new(bus: &'a mut Bus, free: &'static FreeCycles, limit: u8, probe: &'a mut P) -> Self {
        let cycle = bus.video.cycle as u8;
        let end = u32::from(free.before(limit));
        let last = end - 1;
        let fetches_due = free.left_from(bus.video.antic.next_fetch(), last);
        bus.span.0 = Span {
            free,
            last,
            fetches_due,
            left: end - u32::from(free.before(cycle)),
            over: false,
        };
        Self { bus, probe }
    }

    #[inline(always)]
    pub fn span(&mut self) -> &mut Span {
        &mut self.bus.span
    }

    /// The cycle of an access that leaves this many cycles of the span.
    #[inline(always)]
    pub fn cycle(&self, left: u32) -> u8 {
        let span = &self.bus.span;
        span.free.cycle(span.last.wrapping_sub(left))
    }

    /// Continues after a write of WSYNC in the cycle before `next`, if the release of its stop lies within the span, which ends at `limit`.
    /// The CPU must be about to fetch an opcode from memory. See [`Antic::pass_stop`](antic_gtia::Antic::pass_stop).
    #[inline(always)]
    pub fn pass_stop(&mut self, next: u8, limit: u8) -> bool {
        // Before its limit nothing but the stop is marked. A run that ends in the cycle of the release ends with RDY still low, and the CPU
        // still sees an IRQ asserted by a deadline there.
        if limit <= RELEASE {
            return false;
        }
        let span = &mut *self.bus.span;
        let Some(cycle) = self.bus.video.antic.pass_stop(next, span.free) else {
            return false;
        };
        span.left = span.last + 1 - u32::from(span.free.before(cycle));
        span.over = false;
        true
    }

    /// A read can only release the IRQ line, which the processor does not notice before it unmasks interrupts.
    #[inline(always)]
    fn read_chip(&mut self, left: u32, address: u16) -> u8 {
        self.bus.video.cycle = u32::from(self.cycle(left));
        self.bus.read_chip(address)
    }

    /// Writes to a chip; true if the span continues.
    #[inline(always)]
    fn write_chip(&mut self, left: u32, address: u16, data: u8) -> bool {
        self.bus.video.cycle = u32::from(self.cycle(left));
        self.bus.write_chip(address, data);
        !self.bus.span.over
    }

    /// Makes ANTIC's fetches that a write to memory comes too late for.
    #[inline(always)]
    fn fetch_before(&mut self, left: u32, address: u16) {
        if left as i32 <= self.bus.span.fetches_due && self.bus.video.antic.may_depend_on(address) {
            let cycle = self.cycle(left);
            self.bus.fetch_before_write(address, cycle);
        }
    }

    #[inline(always)]
    fn tell(&mut self, cycle: u8, address: u16, data: u8) {
        if P::WRITES {
            let now = self.bus.video.line_start + u64::from(cycle);
            self.probe.written(now, address, data);
        }
    }
}

impl<P: Probe> cpu6502::Bus for SpanBus<'_, P> {
    #[inline(always)]
    fn read(&mut self, address: u16) -> u8 {
        match self.bus.memory.read_unless_chip(address) {
            Some(data) => data,
            None => self.read_chip(self.bus.span.left, address),
        }
    }

    #[inline(always)]
    fn write(&mut self, address: u16, data: u8) {
        self.write_leaving(self.bus.span.left, address, data);
    }

    #[inline(always)]
    fn irq(&self) -> bool {
        self.bus.irq_line()
    }
}

impl<P: Probe> cpu6502::BatchBus for SpanBus<'_, P> {
    const CHIPS: core::ops::Range<u16> = CHIPS;

    #[inline(always)]
    fn memory(&self, address: u16) -> u8 {
        self.bus.memory.read(address)
    }

    #[inline(always)]
    fn opcode(&self, address: u16) -> u8 {
        self.bus.memory.read(address)
    }

    /// In the first bytes of any 4K: $D000 and $0000 are such addresses, and one test serves for both.
    #[inline(always)]
    fn leaves_memory(next: u16) -> bool {
        next & 0x0FFC == 0
    }

    #[inline(always)]
    fn operand_byte(&self, address: u16) -> u8 {
        self.bus.memory.operand_byte(address)
    }

    #[inline(always)]
    fn operand_word(&self, address: u16) -> u16 {
        self.bus.memory.operand_word(address)
    }

    #[inline(always)]
    fn read_chip(&mut self, left: u32, address: u16) -> (u8, bool) {
        (self.read_chip(left, address), true)
    }

    #[inline(always)]
    fn write_leaving(&mut self, left: u32, address: u16, data: u8) -> bool {
        if P::WRITES {
            self.tell(self.cycle(left), address, data);
        }
        if let Some(place) = self.bus.memory.ram_at(address) {
            self.fetch_before(left, address);
            self.bus.memory.set_ram(place, address, data);
        } else if self.bus.memory.is_chip(address) {
            return self.write_chip(left, address, data);
        } else {
            self.fetch_before(left, address);
            self.bus.memory.write_special(address, data);
        }
        true
    }

    #[inline(always)]
    fn push<const N: usize>(&mut self, left: u32, s: u8, bytes: [u8; N]) {
        let fetched = left as i32 > self.bus.span.fetches_due
            || !self.bus.video.antic.may_depend_on_page(STACK);
        match self.bus.memory.ram_at(STACK) {
            Some(place) if fetched && !P::WRITES => {
                for (s, byte) in (0..).map(|i| s.wrapping_sub(i)).zip(bytes) {
                    let (place, address) = (place + u32::from(s), STACK | u16::from(s));
                    self.bus.memory.set_ram(place, address, byte);
                }
            }
            _ => {
                let (bus, probe) = (&mut *self.bus, &mut *self.probe);
                cpu6502::push_each(&mut SpanBus { bus, probe }, left, s, &bytes);
            }
        }
    }
}

impl Board {
    /// Runs the processor to cycle `limit`, the next in which more happens than steps of the processor and planned DMA, or to an
    /// access that may change which one that is. DMA halts the processor; the fetches themselves are
    /// made when they can be observed. A stop by WSYNC within the span halts it like DMA.
    pub(super) fn run_span<P: Probe>(
        &mut self,
        limit: u8,
        free: &'static FreeCycles,
        probe: &mut P,
    ) {
        if self.waiting.is_due() && self.wait(limit, free) {
            return;
        }
        let mut bus = SpanBus::new(&mut self.bus, free, limit, probe);
        loop {
            while bus.span().left != 0 {
                if self.cpu.at_instruction_start() {
                    let left = bus.span().left;
                    bus.span().left = self.cpu.run(&mut bus, left);
                    if bus.span().left == 0 || bus.span().over {
                        break;
                    }
                }
                bus.span().left -= 1;
                self.cpu.step_inlined(&mut bus);
                if bus.span().over {
                    break;
                }
            }
            if !bus.span().over {
                self.bus.video.cycle = limit.into();
                return;
            }
            let left = bus.span().left;
            let next = bus.cycle(left) + 1;
            // Between the two writes of a read-modify-write instruction the next address is WSYNC's, too.
            let in_memory = !CHIPS.contains(&self.cpu.next_address());
            if !(in_memory && bus.pass_stop(next, limit)) {
                self.bus.video.cycle = next.into();
                return;
            }
        }
    }
}
