//! A line cycle by cycle, in the order of the beam: its head, ANTIC's events in cycles of their own, the fetches that take the bus, its end. This
//! is the reference: a run with an active probe is made of nothing else.
//!
//! ```text
//! cycle 0         missiles              7, 8       NMIEN is sampled, the NMI is given
//!       1         the list's byte       10 to 113  the playfield, from 106 on without the bus
//!       2 to 5    players               25 to 57   every four cycles a request for refresh
//!       6, 7      its address           105        WSYNC lets the processor go
//! ```
use super::probe::{special_kind, step_probed, tell_change, tell_fetches};
use super::{Dma, FLOATING, Probe};
use crate::bus::{Bus, Watched};
use crate::{Board, Memory};
use antic_gtia::antic::beam::{self, RELEASE, VIRTUAL};
use antic_gtia::antic::{Event, Fetch};
use antic_gtia::gtia::{MISSILES, PLAYERS};
use antic_gtia::{CYCLES, slot};
use core::mem;

impl Bus {
    /// The DMA at the beginning of a line as one step, as far as nothing else happens: missiles, or missiles, display list, players and address.
    /// Returns the cycle in which to continue.
    #[inline(never)]
    pub(super) fn line_head(&mut self) -> u8 {
        let instruction = self.memory.read_antic(self.video.antic.display_list());
        if !self.video.antic.begins_with_dma(instruction) {
            return u8::from(self.object_dma(MISSILES));
        }
        if !self.object_dma(MISSILES | PLAYERS) {
            return 0;
        }
        let antic = &mut self.video.antic;
        antic.instruction(instruction);
        if !antic.only_address_follows() {
            return beam::ADDRESS_LOW as u8;
        }
        for cycle in [beam::ADDRESS_LOW, beam::ADDRESS_HIGH] {
            antic.address_byte(cycle, self.memory.read_antic(antic.display_list()));
        }
        beam::ADDRESS_HIGH as u8 + 1
    }

    /// The DMA of all four players, if nothing else happens in their cycles.
    #[inline(never)]
    pub(super) fn player_dma(&mut self) -> bool {
        self.video.antic.only_players_fetch() && self.object_dma(PLAYERS)
    }

    /// Ends the line and begins the next one, with its deadlines marked.
    #[inline(never)]
    pub(super) fn end_line<P: Probe>(&mut self, until: u64) {
        if self.video.gtia.needs_codes() {
            self.catch_up();
        } else {
            self.video.antic.end_unseen(&self.memory);
        }
        self.video.end_line();
        self.schedule_from_here();
        self.mark(until);
        if !P::ACTIVE && self.video.antic.slots()[0] == slot::SPECIAL {
            self.video.cycle = self.line_head().into();
        }
    }
}

impl Bus {
    /// True if ANTIC takes what the processor has on the bus in this cycle, after horizontal blank has begun, and nothing else happens.
    #[inline]
    fn only_listens(&self) -> bool {
        const OTHERS: u8 = slot::SPECIAL | slot::EVENT | slot::REFRESH;
        let slot = self.slot();
        slot & slot::VIRTUAL != 0
            && slot & OTHERS == 0
            && self.video.cycle as usize >= VIRTUAL
            && !self.video.stopped
    }

    /// Gives ANTIC a byte for the playfield fetches of this cycle, a slot's bits.
    #[inline]
    fn playfield_byte(&mut self, slot: u8, data: u8) {
        let cycle = self.video.cycle as usize;
        let antic = &mut self.video.antic;
        if slot & slot::GLYPH != 0 {
            antic.glyph(cycle, data);
        }
        if slot & slot::NAME != 0 {
            antic.name(cycle, data);
        }
        if slot & slot::BITMAP != 0 {
            if antic.loads() {
                antic.bitmap(cycle, data);
            } else {
                antic.replay_bitmap(cycle);
            }
        }
    }
}

impl Board {
    /// Runs while RDY stops the processor. `true`: the run is over.
    pub(super) fn run_stopped<P: Probe>(&mut self, until: u64, probe: &mut P) -> bool {
        loop {
            let cycle = self.bus.video.cycle;
            if P::FETCHES {
                self.bus.catch_up_with(cycle as usize, probe);
            }
            let slot = self.bus.slot();
            if slot & slot::DEADLINE != 0 {
                if cycle == CYCLES as u32 {
                    self.bus.end_line::<P>(until);
                    continue;
                }
                let now = self.bus.now();
                if now == until {
                    return true;
                }
                if now >= self.bus.io.deadline() {
                    self.bus.io_event();
                }
            }
            if cycle == RELEASE.into() {
                self.bus.video.stopped = false;
                self.cpu.stopped(self.bus.irq_line());
                return false;
            }
            if P::ACTIVE && probe.cycle(&self.cpu, &self.bus) {
                return true;
            }
            let slot = slot & !slot::DEADLINE;
            let waits = !self.cpu.next_is_write();
            let mut next = cycle as usize + 1;
            if slot >= slot::SPECIAL || slot == 0 && !waits {
                if self.special_cycle(probe) {
                    self.step_cpu(probe);
                }
            } else if P::ACTIVE {
                self.bus.tell_refresh(cycle as usize, slot, probe);
            } else if waits {
                // The CPU repeats its read; no probe is attached. Stopped after this line's release, it waits for the next line's.
                let limit = if cycle < RELEASE.into() {
                    RELEASE.into()
                } else {
                    CYCLES
                };
                next = self.bus.video.antic.next_special(next, limit);
            }
            self.bus.video.cycle = next as u32;
        }
    }

    /// A cycle in which more than a step of the processor may happen; true if that is still to be made.
    #[inline(never)]
    pub(super) fn special_cycle<P: Probe>(&mut self, probe: &mut P) -> bool {
        let bus = &mut self.bus;
        let cycle = bus.video.cycle as usize;
        let busy = bus.slot() & slot::DMA != 0 || bus.video.antic.has_delayed_writes();
        if busy || bus.video.watches(cycle) {
            if !P::ACTIVE && !P::WRITES && bus.only_listens() {
                self.listen();
                return false;
            }
            return self.busy_cycle(probe);
        }
        let event = bus.video.antic.event(cycle);
        bus.video.stopped |= event.stop;
        if event.nmi {
            self.cpu.nmi();
            if P::ACTIVE {
                probe.nmi(bus.now());
            }
        }
        if let Some(address) = event.fetch {
            let data = bus.memory.read_antic(address);
            if P::ACTIVE {
                probe.dma(bus.now(), Dma::List, address, data);
            }
            bus.video.antic.instruction(data);
            return false;
        }
        !bus.video.stopped || self.cpu.next_is_write()
    }

    /// A cycle in which ANTIC takes the byte that the processor reads or writes, and nothing else happens.
    #[inline(never)]
    fn listen(&mut self) {
        let bus = &mut self.bus;
        bus.catch_up();
        let slot = bus.slot();
        self.cpu.step(&mut Watched(bus));
        let data = mem::replace(&mut *bus.data, FLOATING);
        bus.playfield_byte(slot, data);
    }

    /// A cycle with DMA, or with a change of registers, or one in which a chip latches the byte on the bus; true if the step of the processor is still
    /// to be made.
    #[inline(never)]
    fn busy_cycle<P: Probe>(&mut self, probe: &mut P) -> bool {
        let bus = &mut self.bus;
        bus.catch_up();
        let watched = bus.slot() & slot::EVENT != 0;
        let mut instruction = None;
        if watched {
            let event = bus.event(probe);
            bus.video.stopped |= event.stop;
            if event.nmi {
                self.cpu.nmi();
                if P::ACTIVE {
                    probe.nmi(bus.now());
                }
            }
            instruction = event.fetch;
        }
        let slot = bus.slot() & slot::DMA;
        let cycle = bus.video.cycle as usize;
        if slot == 0 && instruction.is_none() && !bus.video.watches(cycle) {
            return !bus.video.stopped || self.cpu.next_is_write();
        }
        let taken = bus.dma(slot, instruction, probe);
        if !taken.halted {
            if bus.video.stopped && !self.cpu.next_is_write() {
                if watched || taken.playfield != 0 {
                    // The processor repeats the read it is stopped in.
                    *bus.data = bus.peek(self.cpu.next_address());
                }
            } else if P::ACTIVE || P::WRITES {
                step_probed(&mut self.cpu, bus, probe);
            } else {
                self.cpu.step(&mut Watched(bus));
            }
        }
        let data = *bus.data;
        if taken.playfield != 0 {
            if P::ACTIVE {
                tell_fetches(bus, slot, taken.source, probe);
            }
            bus.playfield_byte(taken.playfield, data);
        }
        if instruction.is_some() {
            bus.video.antic.instruction(data);
        }
        bus.video.pass_byte(data, taken.halted);
        *bus.data = FLOATING;
        false
    }
}

/// What DMA does in a cycle.
struct Taken {
    /// The processor is halted.
    halted: bool,
    /// The slot's playfield fetches that are made of this cycle's byte.
    playfield: u8,
    /// The address of the playfield's byte, for a probe.
    source: Option<u16>,
}

impl Bus {
    /// ANTIC's event of this cycle, with what it changes of the picture reported to a probe.
    #[inline]
    fn event<P: Probe>(&mut self, probe: &mut P) -> Event {
        if P::FETCHES {
            self.video.antic.take_redriven();
        }
        let event = self.video.event();
        if P::FETCHES {
            tell_change(self, probe);
        }
        event
    }

    /// The DMA of this cycle, whose slot has these bits and which fetches the list's instruction at an address: puts its byte on the bus.
    #[inline]
    fn dma<P: Probe>(&mut self, slot: u8, instruction: Option<u16>, probe: &mut P) -> Taken {
        let cycle = self.video.cycle as usize;
        let antic = &self.video.antic;
        let playfield = slot & (slot::NAME | slot::GLYPH | slot::BITMAP);
        let mut taken = Taken {
            halted: false,
            playfield,
            source: None,
        };
        let mut takes_bus = playfield != 0 && slot & slot::VIRTUAL == 0;
        if takes_bus && usize::from(antic.next_fetch()) == cycle {
            // The fetch is made later, but GTIA may want the byte now.
            let address = if slot & slot::GLYPH != 0 {
                antic.glyph_address()
            } else {
                antic.scan_address()
            };
            *self.data = self.memory.read_antic(address);
            taken.halted = true;
            taken.playfield = 0;
            takes_bus = false;
        }
        if slot & slot::SPECIAL != 0 || takes_bus || instruction.is_some() {
            taken.halted = true;
            // Fetches that fall together put the AND of their addresses on the bus (AHRM 4.12).
            let mut address = instruction.unwrap_or(0xFFFF);
            if slot & slot::SPECIAL != 0 {
                address &= antic.special_address(cycle);
            }
            if takes_bus {
                if slot & slot::GLYPH != 0 {
                    address &= antic.glyph_address();
                }
                if slot & (slot::NAME | slot::BITMAP) != 0 {
                    address &= antic.scan_address();
                }
                taken.source = Some(address);
            }
            let data = self.memory.read_antic(address);
            *self.data = data;
            if slot & slot::SPECIAL != 0 {
                if P::ACTIVE {
                    probe.dma(self.now(), special_kind(cycle), address, data);
                }
                if cycle >= beam::ADDRESS_LOW {
                    self.video.antic.address_byte(cycle, data);
                }
            } else if P::ACTIVE && instruction.is_some() {
                probe.dma(self.now(), Dma::List, address, data);
            }
        } else if slot & slot::REFRESH != 0 {
            taken.halted = true;
            *self.data = FLOATING;
            if P::ACTIVE {
                probe.dma(self.now(), Dma::Refresh, 0, FLOATING);
            }
        }
        taken
    }
}

impl Fetch for Memory {
    #[inline]
    fn fetch(&self, address: u16) -> u8 {
        self.read_antic(address)
    }

    #[inline]
    fn block(&self, address: u16) -> Option<&[u8; 0x400]> {
        self.antic_block(address)
    }
}
