//! ANTIC's events at a cycle of their own: the display list's fetch, NMIs, RDY, and writes that act late.
use super::beam::{self, RELEASE};
use super::{Antic, FreeCycles, VBLANK_LINE, slot};

/// This line's non-maskable interrupt.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Nmi {
    /// NMIEN as it was up to cycle 6, from cycle 8 on with the bits that were enabled in 7.
    pub enabled: u8,
    /// The bit of NMIST that it sets, or 0.
    pub source: u8,
    pub stage: NmiStage,
}

/// Progress of a line's interrupt. The order is that of saved states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) enum NmiStage {
    /// NMIEN has not been sampled in this line.
    #[default]
    Waiting,
    /// The NMI line has fallen.
    Given,
    /// NMIEN has been sampled for cycle 7, the NMI line has not fallen.
    Sampled,
}

impl Nmi {
    /// No interrupt of a new line has been found yet.
    #[inline]
    pub fn begin_line(&mut self) {
        self.source = 0;
        self.stage = NmiStage::Waiting;
    }
}

/// Result of [`Antic::event`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// The NMI line falls.
    pub nmi: bool,
    /// RDY falls (WSYNC).
    pub stop: bool,
    /// The display list instruction at this address is fetched in this cycle; hand it to [`Antic::instruction`].
    pub fetch: Option<u16>,
}

impl Antic {
    /// Marks the cycles of this line in which [`Antic::event`] is to be called.
    pub(super) fn flag_events(&mut self) {
        for delayed in &self.registers.delayed[..usize::from(self.registers.delayed_count & 3)] {
            self.schedule.slots.add(delayed.due.into(), slot::EVENT);
        }
        if let Some(at) = self.stop_at {
            self.schedule.slots.add(at.into(), slot::EVENT);
        }
        if self.list.first {
            self.schedule.slots.add(beam::LIST, slot::EVENT);
        } else if self.displays() {
            self.flag_interrupt();
        } else if self.line == VBLANK_LINE {
            self.schedule.slots.add(beam::NMI_SAMPLED, slot::EVENT);
        }
    }

    /// Does what is due before `cycle`, in slots marked with [`slot::EVENT`].
    // There is one call where speed counts, and most of it is known there.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub fn event(&mut self, cycle: usize) -> Event {
        let mut event = Event::default();
        if self.stop_at == Some(cycle as u8) {
            self.stop_at = None;
            event.stop = true;
        }
        let list_dma = self.registers.dmactl & 0x20 != 0;
        if self.registers.delayed_count != 0 {
            self.due(cycle);
        }
        match cycle {
            beam::LIST if self.displays() && self.list.first => {
                if list_dma && !self.list.waiting {
                    event.fetch = Some(self.registers.dlist);
                } else {
                    self.begin_mode_line();
                }
            }
            beam::NMI_DECIDED
                if self.displays()
                    && self.list.instruction & 0x80 != 0
                    && self.list.row == self.last_row(self.registers.vscrol) =>
            {
                self.nmi.source = 0x80;
                self.schedule.slots.add(beam::NMI_SAMPLED, slot::EVENT);
            }
            beam::NMI_SAMPLED if self.line == VBLANK_LINE => {
                self.nmi.source = 0x40;
                if self.reset_key {
                    self.nmi.source |= 0x20;
                    self.reset_key = false;
                }
                self.sample_interrupt();
            }
            beam::NMI_SAMPLED => self.sample_interrupt(),
            beam::NMI_GIVEN if self.nmi.source != 0 => {
                if self.is_unsampled(cycle) {
                    self.sample_enables();
                }
                // NMIRES in cycle 7 does not clear a bit that is being set.
                self.set_nmist();
                if self.nmi.source & self.nmi.enabled != 0 {
                    event.nmi = true;
                    self.nmi.stage = NmiStage::Given;
                } else if self.nmi.source & self.registers.nmien != 0 {
                    self.nmi.enabled |= self.nmi.source;
                    self.schedule.slots.add(beam::NMI_GIVEN_LATE, slot::EVENT);
                }
            }
            // Others may want something in this cycle, too.
            beam::NMI_GIVEN_LATE
                if self.nmi.source & self.nmi.enabled != 0 && self.nmi.stage != NmiStage::Given =>
            {
                event.nmi = true;
                self.nmi.stage = NmiStage::Given;
            }
            _ => {}
        }
        event
    }

    /// The stop by a write of WSYNC in the cycle before `cycle`, as if DMA halted the CPU up to the release; nothing else may be marked up to there,
    /// nor in the cycle of the release. Returns the cycle in which the CPU continues, or `None` if there is no such stop.
    ///
    /// RDY falls a cycle too late for the opcode fetch in `cycle`, if that is free. This fetch comes later here, in the last free cycle
    /// before the release: it reads memory, which does not change meanwhile.
    #[inline]
    pub fn pass_stop(&mut self, cycle: u8, free: &FreeCycles) -> Option<u8> {
        if self.stop_at != Some(cycle + 1) || cycle + 1 >= RELEASE {
            return None;
        }
        self.stop_at = None;
        Some(if self.schedule.slots[usize::from(cycle)] == 0 {
            free.cycle(u32::from(free.before(RELEASE)) - 1)
        } else {
            RELEASE
        })
    }

    /// The NMI of cycle 7 sets its bit of NMIST, and NMIEN is sampled for the first time.
    pub(super) fn sample_interrupt(&mut self) {
        if self.nmi.source != 0 {
            self.set_nmist();
            self.sample_enables();
            self.schedule.slots.add(beam::NMI_GIVEN, slot::EVENT);
        }
    }

    fn sample_enables(&mut self) {
        self.nmi.stage = NmiStage::Sampled;
        self.nmi.enabled = self.registers.nmien | 0x20;
    }

    /// True if [`Self::sample_interrupt`] is still to be called for cycle 7, once its accesses are made: as a rule nothing shows it before cycle 8.
    #[inline]
    pub(super) fn is_unsampled(&self, cycle: usize) -> bool {
        cycle >= beam::NMI_SAMPLED && self.nmi.source != 0 && self.nmi.stage == NmiStage::Waiting
    }

    fn set_nmist(&mut self) {
        self.registers.nmist = self.nmist_set();
    }

    /// NMIST with the bit of this line's NMI.
    pub(super) fn nmist_set(&self) -> u8 {
        self.registers.nmist & 0x20 | self.nmi.source
    }

    /// Marks the cycle that finds out whether this line ends its mode line with an interrupt; only VSCROL can change that before.
    #[inline]
    pub(super) fn flag_interrupt(&mut self) {
        if self.list.instruction & 0x80 != 0 {
            if self.list.ends_region {
                self.schedule.slots.add(beam::NMI_DECIDED, slot::EVENT);
            } else if self.list.row == self.last_row(self.registers.vscrol) {
                self.nmi.source = 0x80;
                self.schedule.slots.add(beam::NMI_GIVEN, slot::EVENT);
            }
        }
    }
}
