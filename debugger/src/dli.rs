//! The timeline of a frame's display list interrupts: what each one costs, when its stores act, and what is probably wrong with it.

use crate::Replay;
use crate::frame_log::{Event, FrameLog, Kind, Owner, Place, Recorder, Registers, left_of_frame};
use crate::watch::Entry;
use std::collections::HashMap;

/// The last cycle in which a write to WSYNC still ends in the same line.
const LAST_WSYNC: u8 = 103;
const VBLANK_LINE: u16 = 248;
const WSYNC: u16 = 0xD40A;

/// A store into a chip's register by an interrupt handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Store {
    /// The write.
    pub event: Event,
    /// The register's value before, if that is known: GTIA's and ANTIC's, and what the recording has seen written.
    pub before: Option<u8>,
    /// Where it acts on the picture, for registers that do.
    pub effect: Option<Place>,
}

/// A display list interrupt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dli {
    /// Its number in the frame, from 0.
    pub number: usize,
    /// The scan line.
    pub line: u16,
    /// The cycle in which the NMI line falls.
    pub request: u64,
    /// The cycle of the handler's first instruction; none if it did not come to that.
    pub entry: Option<u64>,
    /// The routine that VDSLST (`$0200`) leads to, or the handler itself if it does not go there.
    pub vector: u16,
    /// The cycle of the first instruction at that address.
    pub routine: Option<u64>,
    /// The cycle after its RTI; none if the recording ends before it.
    pub end: Option<u64>,
    /// Its stores into chips' registers.
    pub stores: Vec<Store>,
    /// Machine cycles from the request to the end (or of the recording).
    pub cycles: u32,
    /// Of these, cycles that DMA took.
    pub dma: u32,
    /// Of these, cycles that the processor stood still for WSYNC.
    pub stalled: u32,
    /// Cycles from its end to the next display list or vertical blank interrupt; negative if that came first.
    pub left: Option<i64>,
    /// The processor's registers at its first instruction and after its RTI.
    pub registers: Option<(Registers, Registers)>,
}

/// What looks wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lint {
    /// The handler still runs when the next interrupt is asked for, this many cycles before its end.
    Overrun(u32),
    /// A store changes what the beam is just drawing, from this pixel of the picture on.
    InsideLine {
        /// The store's cycle.
        now: u64,
        /// The register.
        address: u16,
        /// Column and row of the first pixel that it acts on.
        pixel: (usize, usize),
    },
    /// A, X or Y are not what they were: 0, 1 or 2, then the values before and after.
    NotRestored(u8, u8, u8),
    /// The first store to WSYNC comes too late for the line of the interrupt: it waits for the end of a later one. The machine cycle
    /// of the store.
    TooLate(u64),
    /// The vertical blank handler still runs when the first display list interrupt of the next frame is asked for, in this line.
    LongVbi(u16),
}

/// A lint and the interrupt that it is about; none for the vertical blank interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The number of the display list interrupt.
    pub dli: Option<usize>,
    /// What looks wrong.
    pub lint: Lint,
}

/// A frame's display list interrupts.
#[derive(Clone, Debug, Default)]
pub struct DliTimeline {
    /// In the order of time.
    pub dlis: Vec<Dli>,
    /// The vertical blank interrupt: request, first instruction, end.
    pub vbi: Option<(u64, Option<u64>, Option<u64>)>,
    /// What looks wrong.
    pub findings: Vec<Finding>,
    /// The recording.
    pub log: FrameLog,
}

/// Handlers that have begun, or been asked for, and have not returned.
fn open_handlers(events: &[Event]) -> i32 {
    events.iter().fold(0, |open, event| match event.kind {
        Kind::Nmi | Kind::Entry(Entry::Irq) => open + 1,
        Kind::Return => (open - 1).max(0),
        _ => open,
    })
}

impl DliTimeline {
    /// The interrupts of a frame, from a replay at its start. It is run to the frame's end and on until its last handlers have returned, at
    /// most half a frame.
    pub fn of(replay: &mut Replay) -> Self {
        let mut recorder = Recorder::new(replay.machine());
        replay.run(left_of_frame(replay.machine()), &mut recorder);
        let frame_end = replay.machine().now();
        for _ in 0..replay.machine().bus().video.antic.lines() / 2 {
            if open_handlers(&recorder.log().events) == 0 {
                break;
            }
            replay.run(crate::LINE, &mut recorder);
        }
        Self::of_log(recorder.finish(replay.machine()), frame_end)
    }

    /// The interrupts of a recording that begins with a frame; `frame_end` is where that frame ends.
    pub fn of_log(log: FrameLog, frame_end: u64) -> Self {
        let mut timeline = Self {
            log,
            ..Self::default()
        };
        timeline.find_interrupts(frame_end);
        timeline.find_costs();
        timeline.lint(frame_end);
        timeline
    }

    fn find_interrupts(&mut self, frame_end: u64) {
        // Handlers that have begun and not returned: what they are and S at their first instruction.
        let mut open: Vec<(Option<usize>, u8)> = Vec::new();
        let mut registers = self.log.registers.iter();
        let mut waiting: Option<Option<usize>> = None;
        let mut begun: HashMap<usize, Registers> = HashMap::new();
        let mut before: HashMap<u16, u8> = HashMap::new();
        let events = std::mem::take(&mut self.log.events);
        for event in &events {
            match event.kind {
                Kind::Nmi => {
                    let (line, _) = self.log.beam(event.now);
                    if line == VBLANK_LINE {
                        if self.vbi.is_none() {
                            self.vbi = Some((event.now, None, None));
                        }
                        waiting = Some(None);
                    } else if event.now < frame_end {
                        let number = self.dlis.len();
                        self.dlis.push(Dli {
                            number,
                            line,
                            request: event.now,
                            entry: None,
                            vector: 0,
                            routine: None,
                            end: None,
                            stores: Vec::new(),
                            cycles: 0,
                            dma: 0,
                            stalled: 0,
                            left: None,
                            registers: None,
                        });
                        waiting = Some(Some(number));
                    }
                }
                Kind::Entry(entry) => {
                    let at = registers.next().copied();
                    let which = match entry {
                        Entry::Dli | Entry::Vbi => waiting.take(),
                        _ => None,
                    };
                    match which {
                        Some(Some(number)) => {
                            let dli = &mut self.dlis[number];
                            dli.entry = Some(event.now);
                            dli.vector = event.address;
                            if let Some(at) = at {
                                begun.insert(number, at);
                            }
                            open.push((Some(number), event.data));
                        }
                        Some(None) => {
                            if let Some(vbi) = &mut self.vbi {
                                vbi.1.get_or_insert(event.now);
                            }
                            open.push((None, event.data));
                        }
                        None => {}
                    }
                }
                Kind::Routine => {
                    if let Some(&(Some(number), _)) = open.last() {
                        self.dlis[number].routine = Some(event.now);
                        self.dlis[number].vector = event.address;
                    }
                }
                Kind::Return => {
                    let at = registers.next().copied();
                    if let Some(&(which, s)) = open.last()
                        && s == event.data
                    {
                        open.pop();
                        match which {
                            Some(number) => {
                                let dli = &mut self.dlis[number];
                                dli.end = Some(event.now);
                                dli.registers = begun.get(&number).copied().zip(at);
                            }
                            None => {
                                if let Some(vbi) = &mut self.vbi {
                                    vbi.2.get_or_insert(event.now);
                                }
                            }
                        }
                    }
                }
                Kind::Write if event.is_register_access() => {
                    let old = before
                        .insert(event.address, event.data)
                        .or_else(|| self.log.value_before(event.address));
                    if let Some(&(Some(number), _)) = open.last() {
                        let effect = self.log.effect(event);
                        self.dlis[number].stores.push(Store {
                            event: *event,
                            before: old,
                            effect,
                        });
                    }
                }
                _ => {}
            }
        }
        self.log.events = events;
    }

    fn find_costs(&mut self) {
        let requests: Vec<u64> = self
            .dlis
            .iter()
            .map(|dli| dli.request)
            .chain(self.vbi.map(|vbi| vbi.0))
            .collect();
        for dli in &mut self.dlis {
            let end = dli.end.unwrap_or(self.log.end());
            let share = self.log.share(dli.request, end);
            dli.cycles = (end - dli.request) as u32;
            dli.stalled = share[Owner::Stalled as usize];
            dli.dma = dli.cycles - dli.stalled - share[Owner::Cpu as usize];
            let next = requests.iter().find(|&&request| request > dli.request);
            dli.left = next.map(|&next| next as i64 - end as i64);
        }
    }

    fn lint(&mut self, frame_end: u64) {
        let mut findings = Vec::new();
        for dli in &self.dlis {
            let mut add = |lint| {
                findings.push(Finding {
                    dli: Some(dli.number),
                    lint,
                });
            };
            if let Some(left) = dli.left.filter(|&left| left < 0) {
                add(Lint::Overrun(-left as u32));
            }
            let wsync = dli.stores.iter().find(|store| store.event.address == WSYNC);
            if let Some(store) = wsync {
                let (line, cycle) = self.log.beam(store.event.now);
                if line != dli.line || cycle > LAST_WSYNC {
                    add(Lint::TooLate(store.event.now));
                }
            }
            for store in &dli.stores {
                if let Some(pixel) = self.inside(store) {
                    add(Lint::InsideLine {
                        now: store.event.now,
                        address: store.event.address,
                        pixel,
                    });
                }
            }
            if let Some((before, after)) = dli.registers {
                for n in 0..3 {
                    if before.axy[n] != after.axy[n] {
                        add(Lint::NotRestored(n as u8, before.axy[n], after.axy[n]));
                    }
                }
            }
        }
        if let Some((_, Some(_), end)) = self.vbi {
            let end = end.unwrap_or(self.log.end());
            let first = self
                .log
                .between(frame_end, end)
                .iter()
                .find(|event| event.kind == Kind::Nmi);
            if let Some(request) = first {
                let (line, _) = self.log.beam(request.now);
                findings.push(Finding {
                    dli: None,
                    lint: Lint::LongVbi(line),
                });
            }
        }
        self.findings = findings;
    }

    /// The first pixel on which a store acts, if that is between two pixels of the playfield: of its window, or where a normal
    /// playfield would be in a line without one. A store of what was there before does nothing.
    fn inside(&self, store: &Store) -> Option<(usize, usize)> {
        if store.before == Some(store.event.data) {
            return None;
        }
        let place = store.effect?;
        let (from, to) = match self.log.list_line(place.line).map(|line| line.window) {
            Some((from, to)) if from < to => (from, to),
            _ => (48, 208),
        };
        if place.clock <= u16::from(from) || place.clock >= u16::from(to) {
            return None;
        }
        place.pixel()
    }

    /// Text.
    pub fn lines(&self, name: &dyn Fn(u16) -> Option<String>) -> Vec<String> {
        let mut lines = Vec::new();
        for dli in &self.dlis {
            let at = |now: u64| {
                let (line, cycle) = self.log.beam(now);
                format!("{line}.{cycle}")
            };
            let until = |now: Option<u64>| now.map_or("-".to_owned(), at);
            lines.push(format!(
                "DLI {} line {} to {}: asked {} handler {} routine {} end {}, {} cycles ({} DMA, {} WSYNC){}",
                dli.number,
                dli.line,
                name(dli.vector).unwrap_or_else(|| format!("${:04X}", dli.vector)),
                at(dli.request),
                until(dli.entry),
                until(dli.routine),
                until(dli.end),
                dli.cycles,
                dli.dma,
                dli.stalled,
                dli.left.map_or(String::new(), |left| format!(", {left} left")),
            ));
            for store in &dli.stores {
                lines.push(format!("    {}", self.log.line(&store.event, name)));
            }
        }
        if let Some((request, entry, end)) = self.vbi {
            let at = |now: Option<u64>| {
                now.map_or("-".to_owned(), |now| {
                    let (line, cycle) = self.log.beam(now);
                    format!("{line}.{cycle}")
                })
            };
            lines.push(format!(
                "VBI asked {} handler {} end {}",
                at(Some(request)),
                at(entry),
                at(end)
            ));
        }
        lines.extend(self.findings.iter().map(|finding| self.text(finding, name)));
        lines
    }

    /// Text of a finding.
    pub fn text(&self, finding: &Finding, name: &dyn Fn(u16) -> Option<String>) -> String {
        let who = finding
            .dli
            .map_or("VBI".to_owned(), |number| format!("DLI {number}"));
        let what = match finding.lint {
            Lint::Overrun(cycles) => {
                format!(
                    "still runs when the next interrupt is asked for, {cycles} cycles before its end"
                )
            }
            Lint::InsideLine {
                now,
                address,
                pixel: (x, y),
            } => {
                let (line, cycle) = self.log.beam(now);
                format!(
                    "store to {} in line {line} cycle {cycle} acts inside the line, from pixel {x},{y} on",
                    name(address).unwrap_or_else(|| format!("${address:04X}"))
                )
            }
            Lint::NotRestored(register, before, after) => format!(
                "{} is ${after:02X} after it and was ${before:02X}",
                ["A", "X", "Y"][usize::from(register % 3)]
            ),
            Lint::TooLate(now) => {
                let (line, cycle) = self.log.beam(now);
                format!("waits too late: its first WSYNC is in line {line} cycle {cycle}")
            }
            Lint::LongVbi(line) => {
                format!("not done when the next frame's first DLI is asked for in line {line}")
            }
        };
        format!("{who}: {what}")
    }
}
