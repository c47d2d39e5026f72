//! Places to stop at.

use crate::watch::Entry;
use std::ops::RangeInclusive;

/// What a breakpoint waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The instruction at this address is about to begin.
    Pc(u16),
    /// The processor is about to read one of these addresses (dummy reads and instruction bytes included).
    Read(RangeInclusive<u16>),
    /// The processor is about to write one of these addresses.
    Write(RangeInclusive<u16>),
    /// The beam comes to this line and cycle.
    Beam(u16, u8),
    /// The first instruction of an interrupt's handler is about to begin.
    Interrupt(Entry),
}

/// A breakpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakpoint {
    /// Its number, for [`Breakpoints::remove`] and [`crate::Stop::Breakpoint`].
    pub id: u32,
    /// What it waits for.
    pub place: Place,
    /// Whether it stops.
    pub enabled: bool,
}

const PC: u8 = 1;
const READ: u8 = 2;
const WRITE: u8 = 4;

/// All breakpoints of a machine.
#[derive(Clone, Debug)]
pub struct Breakpoints {
    list: Vec<Breakpoint>,
    next_id: u32,
    /// For each address which kinds of enabled breakpoints may be there.
    map: Box<[u8]>,
    /// Whether there are others that are enabled.
    others: bool,
}

impl Default for Breakpoints {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            next_id: 1,
            map: vec![0; 0x10000].into_boxed_slice(),
            others: false,
        }
    }
}

impl Breakpoints {
    /// Adds one and returns its number.
    pub fn add(&mut self, place: Place) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        self.list.push(Breakpoint {
            id,
            place,
            enabled: true,
        });
        self.rebuild();
        id
    }

    /// Removes one; false if there is none of this number.
    pub fn remove(&mut self, id: u32) -> bool {
        let before = self.list.len();
        self.list.retain(|breakpoint| breakpoint.id != id);
        self.rebuild();
        self.list.len() != before
    }

    /// Removes the breakpoint at an instruction, or sets one; true if there is one now.
    pub fn toggle_pc(&mut self, address: u16) -> bool {
        if let Some(id) = self.at_pc(address) {
            return !self.remove(id);
        }
        self.add(Place::Pc(address));
        true
    }

    /// The number of a breakpoint at an instruction.
    pub fn at_pc(&self, address: u16) -> Option<u32> {
        self.list.iter().find_map(|breakpoint| {
            (breakpoint.place == Place::Pc(address)).then_some(breakpoint.id)
        })
    }

    /// Switches one on or off; false if there is none of this number.
    pub fn enable(&mut self, id: u32, enabled: bool) -> bool {
        let found = self.list.iter_mut().find(|breakpoint| breakpoint.id == id);
        let exists = found.is_some();
        if let Some(breakpoint) = found {
            breakpoint.enabled = enabled;
        }
        self.rebuild();
        exists
    }

    /// All, in the order of their numbers.
    pub fn list(&self) -> &[Breakpoint] {
        &self.list
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.list.clear();
        self.rebuild();
    }

    fn rebuild(&mut self) {
        self.map.fill(0);
        self.others = false;
        for breakpoint in self.list.iter().filter(|breakpoint| breakpoint.enabled) {
            let (range, bit) = match &breakpoint.place {
                Place::Pc(address) => (*address..=*address, PC),
                Place::Read(range) => (range.clone(), READ),
                Place::Write(range) => (range.clone(), WRITE),
                Place::Beam(..) | Place::Interrupt(_) => {
                    self.others = true;
                    continue;
                }
            };
            for address in range {
                self.map[address as usize] |= bit;
            }
        }
    }

    fn first(&self, matches: impl Fn(&Place) -> bool) -> Option<u32> {
        self.list.iter().find_map(|breakpoint| {
            (breakpoint.enabled && matches(&breakpoint.place)).then_some(breakpoint.id)
        })
    }

    /// The breakpoint that the next instruction is at.
    pub(crate) fn hit_pc(&self, pc: u16) -> Option<u32> {
        if self.map[pc as usize] & PC == 0 {
            return None;
        }
        self.first(|place| *place == Place::Pc(pc))
    }

    /// The breakpoint that the next access touches.
    pub(crate) fn hit_access(&self, address: u16, write: bool) -> Option<u32> {
        if self.map[address as usize] & (if write { WRITE } else { READ }) == 0 {
            return None;
        }
        self.first(|place| match place {
            Place::Read(range) => !write && range.contains(&address),
            Place::Write(range) => write && range.contains(&address),
            _ => false,
        })
    }

    pub(crate) fn hit_beam(&self, line: u16, cycle: u8) -> Option<u32> {
        if !self.others {
            return None;
        }
        self.first(|place| *place == Place::Beam(line, cycle))
    }

    pub(crate) fn hit_entry(&self, entry: Entry) -> Option<u32> {
        if !self.others {
            return None;
        }
        self.first(|place| *place == Place::Interrupt(entry))
    }
}
