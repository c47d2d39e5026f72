//! The registers at $D400.
use super::beam::{self, RELEASE};
use super::{Antic, slot};
use crate::CYCLES;
use serde::{Deserialize, Serialize};

/// Register numbers.
#[allow(missing_docs)]
pub mod reg {
    pub const DMACTL: u8 = 0x0;
    pub const CHACTL: u8 = 0x1;
    pub const DLISTL: u8 = 0x2;
    pub const DLISTH: u8 = 0x3;
    pub const HSCROL: u8 = 0x4;
    pub const VSCROL: u8 = 0x5;
    pub const PMBASE: u8 = 0x7;
    pub const CHBASE: u8 = 0x9;
    pub const WSYNC: u8 = 0xA;
    pub const VCOUNT: u8 = 0xB;
    pub const PENH: u8 = 0xC;
    pub const PENV: u8 = 0xD;
    pub const NMIEN: u8 = 0xE;
    pub const NMIST: u8 = 0xF;
}

/// A register write on its way to the DMA logic: CHBASE is in effect two cycles later, DMACTL, HSCROL and CHACTL one cycle later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Delayed {
    /// The cycle in which the value is in effect.
    pub due: u8,
    pub register: u8,
    pub data: u8,
}

/// The values that were written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Registers {
    // As written.
    pub vscrol: u8,
    pub pmbase: u8,
    pub nmien: u8,
    pub nmist: u8,
    pub chactl_written: u8,
    /// The address of the next instruction.
    pub dlist: u16,

    // As they act.
    pub dmactl: u8,
    pub hscrol: u8,
    pub chbase: u8,
    pub chactl: u8,
    pub delayed: [Delayed; 4],
    pub delayed_count: u8,
    /// VSCROL as the end of the line compares it: writes after cycle 108 are too late.
    pub vscrol_end: u8,
}

impl Antic {
    /// The value of a read in `cycle` of this line. Reading changes nothing. PENH and PENV are latched outside of here.
    pub fn read(&self, register: u8, cycle: usize) -> u8 {
        match register & 15 {
            reg::VCOUNT => self.vcount(cycle),
            reg::NMIST if self.is_unsampled(cycle) => self.nmist_set() | 0x1F,
            reg::NMIST => self.registers.nmist | 0x1F,
            _ => 0xFF,
        }
    }

    /// The vertical counter without its lowest bit. It steps in cycle 111; the end of the frame is seen a cycle later.
    fn vcount(&self, cycle: usize) -> u8 {
        let mut line = self.line;
        if cycle >= beam::VCOUNT {
            line += 1;
            if line == self.lines && cycle > beam::VCOUNT {
                line = 0;
            }
        }
        (line >> 1) as u8
    }

    /// A write in `cycle` of this line.
    pub fn write(&mut self, register: u8, data: u8, cycle: usize) {
        match register & 15 {
            reg::DMACTL | reg::HSCROL | reg::CHBASE => self.delay(register & 15, data, cycle),
            reg::CHACTL => {
                self.registers.chactl_written = data;
                self.delay(reg::CHACTL, data, cycle);
            }
            reg::DLISTL => self.registers.dlist = self.registers.dlist & 0xFF00 | u16::from(data),
            reg::DLISTH => {
                self.registers.dlist = self.registers.dlist & 0x00FF | u16::from(data) << 8;
            }
            reg::VSCROL => {
                self.registers.vscrol = data & 15;
                if cycle <= beam::LAST_VSCROL {
                    self.registers.vscrol_end = data & 15;
                }
            }
            reg::PMBASE => self.registers.pmbase = data,
            reg::WSYNC => self.wsync(cycle),
            reg::NMIEN => {
                if cycle == beam::NMI_SAMPLED && self.is_unsampled(cycle) {
                    self.sample_interrupt();
                }
                self.registers.nmien = data & 0xC0;
            }
            reg::NMIST => self.registers.nmist = 0,
            _ => {}
        }
    }

    /// A write of WSYNC in `cycle`: RDY falls two cycles after it; a fall in the very cycle of the release does not happen.
    #[inline]
    pub fn wsync(&mut self, cycle: usize) {
        let fall = cycle as u8 + 2;
        if fall == RELEASE {
            return;
        }
        let at = if fall >= CYCLES as u8 {
            fall - CYCLES as u8
        } else {
            fall
        };
        if self.stop_at.is_none() {
            self.stop_at = Some(at);
            if fall < CYCLES as u8 {
                self.flag(at.into(), slot::EVENT);
            }
        }
    }

    fn delay(&mut self, register: u8, data: u8, cycle: usize) {
        let delay = if register == reg::CHBASE { 2 } else { 1 };
        let due = cycle as u8 + delay;
        let (due, now) = if due >= CYCLES as u8 {
            (due - CYCLES as u8, false)
        } else {
            (due, true)
        };
        if usize::from(self.registers.delayed_count) >= self.registers.delayed.len() - 1 {
            // Cannot happen with one write a cycle; the oldest acts at once.
            let oldest = self.registers.delayed[0];
            self.take_effect(oldest, cycle);
            self.registers.delayed.copy_within(1.., 0);
            self.registers.delayed_count -= 1;
        }
        self.registers.delayed[usize::from(self.registers.delayed_count & 3)] = Delayed {
            due,
            register,
            data,
        };
        self.registers.delayed_count += 1;
        if now {
            self.flag(due.into(), slot::EVENT);
        }
    }

    /// The value of a register that programs can only write, for a debugger: the one that acts now. The display list registers give the counter.
    pub fn written(&self, register: u8) -> u8 {
        match register & 15 {
            reg::DMACTL => self.registers.dmactl,
            reg::CHACTL => self.registers.chactl,
            reg::DLISTL => self.registers.dlist as u8,
            reg::DLISTH => (self.registers.dlist >> 8) as u8,
            reg::HSCROL => self.registers.hscrol,
            reg::VSCROL => self.registers.vscrol,
            reg::PMBASE => self.registers.pmbase,
            reg::CHBASE => self.registers.chbase,
            14 => self.registers.nmien,
            _ => 0xFF,
        }
    }

    /// True if a register write has not acted yet.
    pub fn has_delayed_writes(&self) -> bool {
        self.registers.delayed_count != 0
    }

    /// True if [`Antic::event`] of this cycle changes the display window or the delay of codes by bit 0 of HSCROL. Whatever else it changes, the codes
    /// before this cycle stay.
    pub fn picture_changes(&self, cycle: usize) -> bool {
        let changes = |delayed: &Delayed| match delayed.register {
            reg::DMACTL => (delayed.data ^ self.registers.dmactl) & 3 != 0,
            reg::HSCROL => (delayed.data ^ self.registers.hscrol) & 1 != 0,
            _ => false,
        };
        let delayed = &self.registers.delayed[..usize::from(self.registers.delayed_count & 3)];
        delayed
            .iter()
            .any(|d| usize::from(d.due) == cycle && changes(d))
    }

    /// Lets the delayed writes act that are due in `cycle`.
    #[inline(never)]
    pub(super) fn due(&mut self, cycle: usize) {
        let waiting = self.registers.delayed;
        let count = usize::from(self.registers.delayed_count & 3);
        self.registers.delayed_count = 0;
        for delayed in &waiting[..count] {
            if usize::from(delayed.due) == cycle {
                self.take_effect(*delayed, cycle);
            } else {
                self.registers.delayed[usize::from(self.registers.delayed_count & 3)] = *delayed;
                self.registers.delayed_count += 1;
            }
        }
    }

    fn take_effect(&mut self, delayed: Delayed, cycle: usize) {
        self.start.instruction = None;
        match delayed.register {
            reg::DMACTL => {
                if self.registers.dmactl != delayed.data {
                    self.advance_clock(cycle);
                    if delayed.data & 3 != 0 {
                        let cycle = if cycle == 0 { CYCLES } else { cycle };
                        self.playfield
                            .clock
                            .stop_late(&self.playfield.timing, cycle);
                    }
                    self.registers.dmactl = delayed.data;
                    self.plan_rest(cycle);
                }
            }
            reg::HSCROL => {
                let data = delayed.data & 15;
                if self.registers.hscrol != data {
                    self.advance_clock(cycle);
                    self.registers.hscrol = data;
                    if self.scrolled() {
                        self.plan_rest(cycle);
                    }
                }
            }
            reg::CHBASE => {
                self.registers.chbase = delayed.data;
                self.choose_set();
            }
            _ => {
                self.registers.chactl = delayed.data & 7;
                self.choose_glyphs();
            }
        }
    }

    /// The Reset key of a 400 or 800 was pressed: an NMI at the next vertical blank.
    pub fn reset_key(&mut self) {
        self.reset_key = true;
    }
}
