//! Findings on a frame's interrupts: effects that its program probably did not mean.
//!
//! A store that comes too late, and a register that is not restored, are reported only if they matter: the frame is run again with the store
//! undone or moved, or with the register restored, and the result has to differ.

mod effect;

use crate::dli::{Dli, DliTimeline, Store};
use crate::frame_log::{Event, Kind, ListLine};
use crate::replay::Replay;
use effect::Effects;
use std::ops::RangeInclusive;

/// The last cycle in which a write to WSYNC still ends in the same line.
const LAST_WSYNC: u8 = 103;
const VDSLST: u16 = 0x0200;
const WSYNC: u16 = 0xD40A;
const NMIEN: u16 = 0xD40E;
/// The bit of a display list instruction that asks for an interrupt, and of NMIEN that lets it come.
const DLI: u8 = 0x80;
/// Lines between the first and the last that a display list can show.
const SHOWN: std::ops::Range<u16> = 8..248;
/// Cycles between the two stores of a new vector.
const VECTOR_STORES: u64 = 200;

/// Frames that are run at most to see whether a register matters.
const MOST_TRIED: usize = 16;

/// Shadow registers that the OS copies in the vertical blank, with their registers.
const SHADOWS: [(RangeInclusive<u16>, u16); 6] = [
    (0x02C0..=0x02C8, 0xD012),
    (0x026F..=0x026F, 0xD01B),
    (0x022F..=0x022F, 0xD400),
    (0x0230..=0x0231, 0xD402),
    (0x02F3..=0x02F3, 0xD401),
    (0x02F4..=0x02F4, 0xD409),
];

/// A fault that the lint finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lint {
    /// The handler still runs when the next interrupt is asked for, this many cycles before its end.
    Overrun(u32),
    /// A store changes what the beam is just drawing: without it the row would be another one, and with it at the row's beginning, too.
    InsideLine {
        /// The store's cycle.
        now: u64,
        /// The register.
        address: u16,
        /// Column and row of the first pixel that it changes.
        pixel: (usize, usize),
        /// Column of the last one.
        last: usize,
    },
    /// A, X or Y were not restored, and the interrupted program acts differently for it: 0, 1 or 2, then the values before and after.
    NotRestored(u8, u8, u8),
    /// The first store to WSYNC comes too late for the line of the interrupt and waits for the end of a later one, and rows are displayed
    /// without the stores after it.
    TooLate {
        /// The machine cycle of the store to WSYNC.
        now: u64,
        /// Column and row of the first pixel that is another one for it.
        pixel: (usize, usize),
    },
    /// The vertical blank handler still runs when the first display list interrupt of the next frame is asked for, in this line.
    LongVbi(u16),
    /// The display list asks for interrupts, the first in this line, and NMIEN has this value and lets none come.
    Masked(u16, u8),
    /// A store into this shadow register, which the OS copies into its register in the vertical blank only.
    Shadow {
        /// The shadow register.
        shadow: u16,
        /// The register that acts at once.
        register: u16,
    },
    /// The display list continues at the second address after the first one: its counter has ten bits.
    ListBorder(u16, u16),
    /// The screen continues at the second address after the first one: its counter has twelve bits.
    ScreenBorder(u16, u16),
    /// The instruction at this address adds or subtracts in the decimal mode of the program that was interrupted.
    Decimal(u16),
    /// The program changes the vector in two stores, the first in this cycle, while display list interrupts may come.
    Vector(u64),
    /// A store to WSYNC in the vertical blank's handler, in this cycle.
    BlankWait(u64),
}

/// A lint and the interrupt that it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The interrupt or part that it is about.
    pub about: About,
    /// The fault.
    pub lint: Lint,
}

/// The subject of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// The display list interrupt of this number.
    Dli(usize),
    /// The vertical blank interrupt.
    Vbi,
    /// The display list.
    List,
    /// The program outside of its interrupts.
    Program,
}

impl About {
    /// The number of the display list interrupt.
    pub fn dli(self) -> Option<usize> {
        match self {
            Self::Dli(number) => Some(number),
            _ => None,
        }
    }
}

impl std::fmt::Display for About {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Dli(number) => write!(f, "DLI {number}"),
            Self::Vbi => f.write_str("VBI"),
            Self::List => f.write_str("display list"),
            Self::Program => f.write_str("program"),
        }
    }
}

/// The findings on a frame; `frame` is at its start, `frame_end` is its end.
pub(crate) fn find(timeline: &DliTimeline, frame: &Replay<'_>, frame_end: u64) -> Vec<Finding> {
    let mut lints = Lints {
        timeline,
        effects: Effects::new(frame.clone(), &timeline.log),
        frame_end,
        findings: Vec::new(),
        tried: 0,
    };
    for dli in &timeline.dlis {
        lints.costs(dli);
        lints.late(dli);
        lints.inside(dli);
        lints.kept(dli);
        lints.shadows(dli);
        lints.decimal(dli.entry, dli.end, About::Dli(dli.number));
    }
    lints.vertical_blank();
    lints.list();
    lints.vector();
    lints.findings
}

struct Lints<'a> {
    timeline: &'a DliTimeline,
    effects: Effects<'a>,
    frame_end: u64,
    findings: Vec<Finding>,
    /// Frames that were run with a register restored.
    tried: usize,
}

impl Lints<'_> {
    fn add(&mut self, about: About, lint: Lint) {
        self.findings.push(Finding { about, lint });
    }

    fn costs(&mut self, dli: &Dli) {
        if let Some(left) = dli.left.filter(|&left| left < 0) {
            self.add(About::Dli(dli.number), Lint::Overrun(-left as u32));
        }
    }

    /// A first WSYNC after the line of the interrupt: the rows from there on would differ if the stores after it had been in time.
    fn late(&mut self, dli: &Dli) {
        let log = &self.timeline.log;
        let Some(first) = dli.stores.iter().position(|s| s.event.address == WSYNC) else {
            return;
        };
        let now = dli.stores[first].event.now;
        let (line, cycle) = log.beam(now);
        if line == dli.line && cycle <= LAST_WSYNC {
            return;
        }
        let stores = &dli.stores[first + 1..];
        let wsync = stores.iter().position(|s| s.event.address == WSYNC);
        let after_it = &stores[..wsync.unwrap_or(stores.len())];
        let from = dli.line + 1;
        let seen = after_it.iter().find_map(|store| {
            let to = self.line_of(store)?;
            let in_time = log.time(dli.line, LAST_WSYNC + 4);
            (from..to).find_map(|row| {
                let moved = self.effects.moved(store, in_time, row)?;
                Some((moved.first, usize::from(row).checked_sub(8)?))
            })
        });
        if let Some(pixel) = seen {
            self.add(About::Dli(dli.number), Lint::TooLate { now, pixel });
        }
    }

    /// Stores that tear the row that is drawn.
    fn inside(&mut self, dli: &Dli) {
        for store in &dli.stores {
            let Some((line, pixel)) = self.acts_inside(store) else {
                continue;
            };
            // Several values in one line are the program's intention.
            let in_line = |other: &&Store| {
                other.event.address == store.event.address && self.line_of(other) == Some(line)
            };
            if dli.stores.iter().filter(in_line).count() > 1 {
                continue;
            }
            let Some(undone) = self.effects.undone(store, line) else {
                continue;
            };
            let start = self.timeline.log.time(line, 0).min(store.event.now);
            if self.effects.moved(store, start, line).is_some() {
                // It is undone a cycle later, which is four pixels.
                let first = if undone.first <= pixel.0 + 4 {
                    pixel.0
                } else {
                    undone.first
                };
                self.add(
                    About::Dli(dli.number),
                    Lint::InsideLine {
                        now: store.event.now,
                        address: store.event.address,
                        pixel: (first, pixel.1),
                        last: undone.last,
                    },
                );
            }
        }
    }

    /// The line on whose playfield a store acts: after the playfield's end it is that of the next line.
    fn line_of(&self, store: &Store) -> Option<u16> {
        let place = store.effect?;
        let (_, to) = self.window(place.line);
        Some(place.line + u16::from(place.clock >= to))
    }

    /// The colour clocks of a line's playfield, or of a normal one in a line without.
    fn window(&self, line: u16) -> (u16, u16) {
        match self.timeline.log.list_line(line).map(|line| line.window) {
            Some((from, to)) if from < to => (from.into(), to.into()),
            _ => (48, 208),
        }
    }

    /// The line and the first pixel on which a store acts, if that is between two pixels of the playfield. A store of the value before
    /// does nothing.
    fn acts_inside(&self, store: &Store) -> Option<(u16, (usize, usize))> {
        if store.before == Some(store.event.data) {
            return None;
        }
        let place = store.effect?;
        let (from, to) = self.window(place.line);
        let is_inside = place.clock > from && place.clock < to;
        Some((place.line, place.pixel().filter(|_| is_inside)?))
    }

    /// A, X and Y after the handler, where they matter; a routine is reported once for each register.
    fn kept(&mut self, dli: &Dli) {
        let (Some((before, after)), Some(end)) = (dli.registers, dli.end) else {
            return;
        };
        let known = |about: About| {
            let other = about.dli().map(|number| &self.timeline.dlis[number]);
            other.is_some_and(|other| other.vector == dli.vector)
        };
        for n in 0..3 {
            let lint = Lint::NotRestored(n as u8, before.axy[n], after.axy[n]);
            let told = |found: &Finding| {
                known(found.about) && matches!(found.lint, Lint::NotRestored(m, ..) if m == n as u8)
            };
            if before.axy[n] == after.axy[n]
                || self.tried == MOST_TRIED
                || self.findings.iter().any(told)
            {
                continue;
            }
            self.tried += 1;
            if self.effects.register_matters(end, n, before.axy[n]) {
                self.add(About::Dli(dli.number), lint);
            }
        }
    }

    /// Shadows that are stored instead of their registers, where the OS copies them.
    fn shadows(&mut self, dli: &Dli) {
        let (Some(entry), Some(end)) = (dli.entry, dli.end) else {
            return;
        };
        let mut told: Vec<(u16, u16)> = Vec::new();
        for event in self.timeline.log.between(entry, end) {
            let shadow = event.address;
            let Some(register) = register_of(shadow).filter(|_| event.kind == Kind::Write) else {
                continue;
            };
            let both = dli.stores.iter().any(|s| s.event.address == register);
            if !both && !told.contains(&(shadow, register)) && self.os_copies(register) {
                told.push((shadow, register));
            }
        }
        for (shadow, register) in told {
            self.add(About::Dli(dli.number), Lint::Shadow { shadow, register });
        }
    }

    /// True if the OS writes this register in the vertical blank.
    fn os_copies(&self, register: u16) -> bool {
        let Some((request, _, end)) = self.timeline.vbi else {
            return false;
        };
        let log = &self.timeline.log;
        let events = log.between(request, end.unwrap_or(log.end()));
        let copies = |event: &Event| {
            event.kind == Kind::Write && event.address == register && event.pc >= 0xC000
        };
        events.iter().any(copies)
    }

    fn decimal(&mut self, entry: Option<u64>, end: Option<u64>, about: About) {
        let Some(entry) = entry else { return };
        let end = end.unwrap_or(self.timeline.log.end());
        let decimals = &self.timeline.log.decimals;
        if let Some((_, pc)) = decimals.iter().find(|(now, _)| (entry..end).contains(now)) {
            self.add(about, Lint::Decimal(*pc));
        }
    }

    fn vertical_blank(&mut self) {
        let Some((request, entry, end)) = self.timeline.vbi else {
            return;
        };
        let log = &self.timeline.log;
        self.decimal(entry, end, About::Vbi);
        let until = end.unwrap_or(log.end());
        let wait = log.between(request, until).iter().find(|event| {
            event.kind == Kind::Write
                && event.address == WSYNC
                && !SHOWN.contains(&log.beam(event.now).0)
                && !self.in_dli(event.now)
        });
        if let Some(wait) = wait {
            self.add(About::Vbi, Lint::BlankWait(wait.now));
        }
        let next = log.between(self.frame_end, until);
        let next = next.iter().find(|event| event.kind == Kind::Nmi);
        if let Some(request) = next.filter(|_| entry.is_some()) {
            let (line, _) = log.beam(request.now);
            self.add(About::Vbi, Lint::LongVbi(line));
        }
    }

    /// The display list: its interrupts, its own counter, and that of the screen.
    fn list(&mut self) {
        let log = &self.timeline.log;
        let asks = |line: &ListLine| line.instruction & DLI != 0;
        let first = SHOWN.clone().find(|&line| {
            let last_row = log.list_line(line + 1).is_none_or(|next| next.row == 0);
            last_row && log.list_line(line).is_some_and(asks)
        });
        let nmien = log.value_before(NMIEN).unwrap_or_default();
        let changes = |event: &Event| event.kind == Kind::Write && event.address == NMIEN;
        let masked =
            nmien & DLI == 0 && !log.between(log.start, self.frame_end).iter().any(changes);
        if let Some(line) = first
            && masked
            && self.effects.has_routine(VDSLST)
        {
            self.add(About::List, Lint::Masked(line, nmien));
        }
        let found = self.borders();
        for lint in found {
            self.add(About::List, lint);
        }
    }

    /// The borders that ANTIC's counters went round at, where other bytes follow than those that would have been read without a border.
    fn borders(&self) -> Vec<Lint> {
        let log = &self.timeline.log;
        let (mut list, mut screen) = (Counter::new(0x03FF), Counter::new(0x0FFF));
        let mut found = Vec::new();
        for event in log.between(log.start, self.frame_end) {
            let (counter, lint): (_, fn(u16, u16) -> Lint) = match event.kind {
                Kind::List | Kind::Operand(_) => (&mut list, Lint::ListBorder),
                Kind::Name | Kind::Bitmap => (&mut screen, Lint::ScreenBorder),
                _ => continue,
            };
            if let Some((from, to, beyond)) = counter.read(event.address)
                && self.effects.peek(beyond) != event.data
            {
                counter.round = None;
                found.push(lint(from, to));
            }
            // A new address loads the screen's counter.
            if matches!(event.kind, Kind::Operand(_)) {
                screen = Counter::new(screen.mask);
            }
        }
        found.dedup();
        found
    }

    /// Both bytes of VDSLST stored one after the other while the list still has interrupts to come.
    fn vector(&mut self) {
        let log = &self.timeline.log;
        let Some(last) = self.timeline.dlis.last().map(|dli| dli.request) else {
            return;
        };
        let mut nmien = log.value_before(NMIEN).unwrap_or_default();
        let mut half: Option<Event> = None;
        for event in log.between(log.start, last) {
            if event.kind != Kind::Write {
                continue;
            }
            if event.address == NMIEN {
                nmien = event.data;
            }
            let is_half = event.address & !1 == VDSLST;
            let can_come = nmien & DLI != 0 && SHOWN.contains(&log.beam(event.now).0);
            if !is_half || !can_come || self.in_handler(event.now) {
                continue;
            }
            match half {
                Some(first)
                    if first.address != event.address && event.now - first.now < VECTOR_STORES =>
                {
                    self.add(About::Program, Lint::Vector(first.now));
                    return;
                }
                _ => half = Some(*event),
            }
        }
    }

    fn in_dli(&self, now: u64) -> bool {
        let is_in = |dli: &Dli| {
            dli.entry.is_some_and(|entry| entry <= now)
                && dli.end.is_none_or(|end| now < end)
                && !dli.abandoned
        };
        self.timeline.dlis.iter().any(is_in)
    }

    fn in_handler(&self, now: u64) -> bool {
        let blank = self.timeline.vbi.is_some_and(|(request, _, end)| {
            request <= now && now < end.unwrap_or(self.timeline.log.end())
        });
        blank || self.in_dli(now)
    }
}

/// The register whose shadow an address is.
fn register_of(address: u16) -> Option<u16> {
    let found = SHADOWS.iter().find(|(range, _)| range.contains(&address));
    found.map(|(range, register)| register + (address - range.start()))
}

/// A counter of ANTIC's, by the addresses that are read with it.
struct Counter {
    /// The bits that count.
    mask: u16,
    last: Option<u16>,
    /// The last address before the counter went round, and the first one after.
    round: Option<(u16, u16)>,
}

impl Counter {
    fn new(mask: u16) -> Self {
        Self {
            mask,
            last: None,
            round: None,
        }
    }

    /// Takes a read. After the counter went round: where it did, and the address that would have been read without a border.
    fn read(&mut self, address: u16) -> Option<(u16, u16, u16)> {
        let before = self.last.replace(address)?;
        if before & self.mask == self.mask && address == before & !self.mask {
            self.round = Some((before, address));
        } else if address != before.wrapping_add(1) {
            // It was loaded.
            self.round = None;
        }
        let (from, to) = self.round?;
        Some((from, to, address.wrapping_add(self.mask + 1)))
    }
}

impl DliTimeline {
    /// Text of the findings. Interrupts that come one after the other and all run too long are one line.
    pub fn findings_text(&self, name: &dyn Fn(u16) -> Option<String>) -> Vec<String> {
        let alike = |one: &Finding, next: &Finding| match (one.about, next.about) {
            (About::Dli(n), About::Dli(m)) => {
                m == n + 1 && matches!((one.lint, next.lint), (Lint::Overrun(_), Lint::Overrun(_)))
            }
            _ => false,
        };
        let groups = self.findings.chunk_by(alike);
        let text = |group: &[Finding]| match group {
            [one] => self.text(one, name),
            [first, .., last] => {
                let cycles = group.iter().filter_map(|finding| match finding.lint {
                    Lint::Overrun(cycles) => Some(cycles),
                    _ => None,
                });
                format!(
                    "{} to {}: still run when the next interrupt is asked for, up to {} cycles before their ends",
                    first.about,
                    last.about.dli().unwrap_or_default(),
                    cycles.max().unwrap_or_default()
                )
            }
            [] => String::new(),
        };
        groups.map(text).collect()
    }

    /// Text of a finding.
    pub fn text(&self, finding: &Finding, name: &dyn Fn(u16) -> Option<String>) -> String {
        let at = |now: u64| {
            let (line, cycle) = self.log.beam(now);
            format!("line {line} cycle {cycle}")
        };
        let named = |address: u16| name(address).unwrap_or_else(|| format!("${address:04X}"));
        let what = match finding.lint {
            Lint::Overrun(cycles) => format!(
                "still runs when the next interrupt is asked for, {cycles} cycles before its end"
            ),
            Lint::InsideLine {
                now,
                address,
                pixel: (x, y),
                last,
            } => format!(
                "store to {} in {} acts inside the line: it changes pixels {x},{y} to {last},{y}, and would change others left of them",
                named(address),
                at(now)
            ),
            Lint::NotRestored(register, before, after) => format!(
                "{} is ${after:02X} after it, was ${before:02X} before, and the program uses it",
                ["A", "X", "Y"][usize::from(register % 3)]
            ),
            Lint::TooLate { now, pixel: (x, y) } => format!(
                "waits too late: its first WSYNC is in {}, and pixel {x},{y} has the wrong colour",
                at(now)
            ),
            Lint::LongVbi(line) => {
                format!("not done when the next frame's first DLI is asked for in line {line}")
            }
            Lint::Masked(line, nmien) => format!(
                "asks for an interrupt in line {line}, and NMIEN is ${nmien:02X}: bit 7 lets none come"
            ),
            Lint::Shadow { shadow, register } => format!(
                "stores into {}, which the OS copies to {} in the next vertical blank: only a store into the register acts now",
                named(shadow),
                named(register)
            ),
            Lint::ListBorder(from, to) => format!(
                "runs over a border of 1K: after ${from:04X} ANTIC reads ${to:04X}, unless it jumps"
            ),
            Lint::ScreenBorder(from, to) => format!(
                "its screen runs over a border of 4K: after ${from:04X} ANTIC reads ${to:04X}, unless an instruction gives an address"
            ),
            Lint::Decimal(pc) => format!(
                "{} calculates in decimal mode, which the interrupted program was in: CLD is missing",
                named(pc)
            ),
            Lint::Vector(now) => format!(
                "changes VDSLST in two stores from {} on while a display list interrupt may come in between",
                at(now)
            ),
            Lint::BlankWait(now) => format!(
                "waits for the end of a line: stores to WSYNC in {}",
                at(now)
            ),
        };
        format!("{}: {what}", finding.about)
    }
}
