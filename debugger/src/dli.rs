//! The timeline of a frame's display list interrupts: the cost of each one, and the times at which its stores act.

use crate::Replay;
use crate::frame_log::{Event, FrameLog, Kind, Owner, Place, Recorder, Registers, left_of_frame};
use crate::lint::{self, Finding};
use crate::watch::Entry;
use std::collections::HashMap;

const VBLANK_LINE: u16 = 248;

/// A store into a chip's register by an interrupt handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Store {
    /// The write.
    pub event: Event,
    /// The register's value before, if that is known: GTIA's and ANTIC's, and those whose writes the recording has seen.
    pub before: Option<u8>,
    /// The place in the picture where it acts, for registers that do.
    pub effect: Option<Place>,
}

/// A display list interrupt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dli {
    /// Its number in the frame, from 0.
    pub number: usize,
    /// The scan line.
    pub line: u16,
    /// The cycle in which the NMI line falls.
    pub request: u64,
    /// The cycle of the handler's first instruction; `None` if it did not come to that.
    pub entry: Option<u64>,
    /// The routine that VDSLST (`$0200`) leads to, or the handler itself if it does not reach that routine.
    pub vector: u16,
    /// The cycle of the first instruction at that address.
    pub routine: Option<u64>,
    /// The cycle after its RTI; `None` if the recording ends before it, or if it never comes.
    pub end: Option<u64>,
    /// The program left the handler without RTI: its return address was off the stack when a later interrupt came.
    pub abandoned: bool,
    /// Its stores into chips' registers.
    pub stores: Vec<Store>,
    /// Machine cycles from the request to the end (or of the recording).
    pub cycles: u32,
    /// Number of these cycles that DMA took.
    pub dma: u32,
    /// Number of these cycles in which the processor waited for WSYNC.
    pub stalled: u32,
    /// Cycles from its end to the next display list or vertical blank interrupt; negative if that came first. `None` after the frame's last one, and
    /// for an abandoned one.
    pub left: Option<i64>,
    /// The processor's registers at its first instruction and after its RTI.
    pub registers: Option<(Registers, Registers)>,
}

/// A frame's display list interrupts.
#[derive(Clone, Debug, Default)]
pub struct DliTimeline {
    /// In the order of time.
    pub dlis: Vec<Dli>,
    /// The vertical blank interrupt: request, first instruction, end.
    pub vbi: Option<(u64, Option<u64>, Option<u64>)>,
    /// The faults that were found.
    pub findings: Vec<Finding>,
    /// The recording.
    pub log: FrameLog,
}

/// The subject of a [`Row`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// The display list interrupt of this number.
    Dli(usize),
    /// The vertical blank interrupt.
    Vbi,
    /// A store of the interrupt above it.
    Store,
    /// A fault.
    Finding,
}

/// A row of [`DliTimeline::rows`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its subject.
    pub kind: RowKind,
    /// Its first and last scan line; `None` for a finding. The last one is lower if it is in the next frame.
    pub span: Option<(u16, u16)>,
    /// Its text.
    pub text: String,
}

/// The handler of an NMI.
#[derive(Clone, Copy)]
enum Handler {
    /// Of the display list interrupt with this number.
    Dli(usize),
    /// Of the vertical blank interrupt.
    Vbi,
}

/// Reads the events of a recording in their order.
struct Reader<'a> {
    timeline: &'a mut DliTimeline,
    frame_end: u64,
    /// Handlers that have begun and not returned, and S at their first instruction.
    open: Vec<(Handler, u8)>,
    /// The handler that was asked for and has not begun.
    waiting: Option<Handler>,
    /// The processor's registers at the first instruction of a display list interrupt.
    begun: HashMap<usize, Registers>,
    /// The values that the chips' registers have by the writes so far.
    written: HashMap<u16, u8>,
}

impl Reader<'_> {
    fn asked(&mut self, event: &Event) {
        let (line, _) = self.timeline.log.beam(event.now);
        if line == VBLANK_LINE {
            let vbi = &mut self.timeline.vbi;
            vbi.get_or_insert((event.now, None, None));
            self.waiting = Some(Handler::Vbi);
        } else if event.now < self.frame_end {
            let number = self.timeline.dlis.len();
            self.timeline.dlis.push(Dli {
                number,
                line,
                request: event.now,
                ..Dli::default()
            });
            self.waiting = Some(Handler::Dli(number));
        }
    }

    fn entered(&mut self, event: &Event, entry: Entry, registers: Option<Registers>) {
        while let Some((handler, _)) = self.open.pop_if(|(_, s)| event.data >= *s) {
            if let Handler::Dli(number) = handler {
                self.timeline.dlis[number].abandoned = true;
            }
        }
        let handler = match entry {
            Entry::Dli | Entry::Vbi => self.waiting.take(),
            _ => None,
        };
        match handler {
            Some(Handler::Dli(number)) => {
                let dli = &mut self.timeline.dlis[number];
                dli.entry = Some(event.now);
                dli.vector = event.address;
                self.begun.extend(registers.map(|at| (number, at)));
            }
            Some(Handler::Vbi) => {
                if let Some(vbi) = &mut self.timeline.vbi {
                    vbi.1.get_or_insert(event.now);
                }
            }
            None => {}
        }
        self.open
            .extend(handler.map(|handler| (handler, event.data)));
    }

    /// The handler has come to the routine that VDSLST leads to.
    fn reached(&mut self, event: &Event) {
        if let Some(&(Handler::Dli(number), _)) = self.open.last() {
            let dli = &mut self.timeline.dlis[number];
            dli.routine = Some(event.now);
            dli.vector = event.address;
        }
    }

    fn returned(&mut self, event: &Event, registers: Option<Registers>) {
        match self.open.pop_if(|(_, s)| *s == event.data) {
            Some((Handler::Dli(number), _)) => {
                let dli = &mut self.timeline.dlis[number];
                dli.end = Some(event.now);
                dli.registers = self.begun.get(&number).copied().zip(registers);
            }
            Some((Handler::Vbi, _)) => {
                if let Some(vbi) = &mut self.timeline.vbi {
                    vbi.2.get_or_insert(event.now);
                }
            }
            None => {}
        }
    }

    fn stored(&mut self, event: &Event) {
        let log = &self.timeline.log;
        let before = self
            .written
            .insert(event.address, event.data)
            .or_else(|| log.value_before(event.address));
        if let Some(&(Handler::Dli(number), _)) = self.open.last() {
            let effect = log.effect(event);
            self.timeline.dlis[number].stores.push(Store {
                event: *event,
                before,
                effect,
            });
        }
    }
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
        let start = replay.clone();
        let (mut timeline, frame_end) = Self::record(replay);
        timeline.findings = lint::find(&timeline, &start, frame_end);
        timeline
    }

    /// [`Self::of`] without findings, which take longer: for a machine that runs.
    pub fn without_findings(replay: &mut Replay) -> Self {
        Self::record(replay).0
    }

    /// The interrupts of a frame, and its end.
    fn record(replay: &mut Replay) -> (Self, u64) {
        let mut recorder = Recorder::new(replay.machine());
        replay.run(left_of_frame(replay.machine()), &mut recorder);
        let frame_end = replay.machine().now();
        for _ in 0..replay.machine().bus().video.antic.lines() / 2 {
            if open_handlers(&recorder.log().events) == 0 {
                break;
            }
            replay.run(crate::LINE, &mut recorder);
        }
        let log = recorder.finish(replay.machine());
        (Self::of_log(log, frame_end), frame_end)
    }

    /// The interrupts of a recording that begins with a frame, without findings; `frame_end` is the end of that frame.
    pub fn of_log(log: FrameLog, frame_end: u64) -> Self {
        let mut timeline = Self {
            log,
            ..Self::default()
        };
        timeline.find_interrupts(frame_end);
        timeline.find_costs();
        timeline
    }

    fn find_interrupts(&mut self, frame_end: u64) {
        let events = std::mem::take(&mut self.log.events);
        let registers = std::mem::take(&mut self.log.registers);
        let mut reader = Reader {
            timeline: self,
            frame_end,
            open: Vec::new(),
            waiting: None,
            begun: HashMap::new(),
            written: HashMap::new(),
        };
        let mut next = registers.iter().copied();
        for event in &events {
            match event.kind {
                Kind::Nmi => reader.asked(event),
                Kind::Entry(entry) => reader.entered(event, entry, next.next()),
                Kind::Routine => reader.reached(event),
                Kind::Return => reader.returned(event, next.next()),
                Kind::Write if event.is_register_access() => reader.stored(event),
                _ => {}
            }
        }
        self.log.events = events;
        self.log.registers = registers;
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
            dli.left = next
                .filter(|_| !dli.abandoned)
                .map(|&next| next as i64 - end as i64);
        }
    }

    /// The interrupts with their stores, the vertical blank interrupt, and the findings: a row each.
    pub fn rows(&self, name: &dyn Fn(u16) -> Option<String>) -> Vec<Row> {
        let mut rows = Vec::new();
        for dli in &self.dlis {
            rows.push(Row {
                kind: RowKind::Dli(dli.number),
                span: Some(self.span(dli.request, dli.end)),
                text: self.dli_text(dli, name),
            });
            rows.extend(dli.stores.iter().map(|store| Row {
                kind: RowKind::Store,
                span: Some(self.span(store.event.now, None)),
                text: format!("    {}", self.log.line(&store.event, name)),
            }));
        }
        rows.extend(self.vbi.map(|(request, entry, end)| Row {
            kind: RowKind::Vbi,
            span: Some(self.span(request, end)),
            text: format!(
                "VBI asked {} handler {} end {}",
                self.at(Some(request)),
                self.at(entry),
                self.at(end)
            ),
        }));
        rows.extend(self.findings_text(name).into_iter().map(|text| Row {
            kind: RowKind::Finding,
            span: None,
            text,
        }));
        rows
    }

    /// [`Self::rows`] as text.
    pub fn lines(&self, name: &dyn Fn(u16) -> Option<String>) -> Vec<String> {
        self.rows(name).into_iter().map(|row| row.text).collect()
    }

    /// The scan lines of a time.
    fn span(&self, from: u64, to: Option<u64>) -> (u16, u16) {
        let (first, _) = self.log.beam(from);
        let (last, _) = self.log.beam(to.unwrap_or(from));
        (first, last)
    }

    /// A position of the beam as "line.cycle".
    fn at(&self, now: Option<u64>) -> String {
        now.map_or("-".to_owned(), |now| {
            let (line, cycle) = self.log.beam(now);
            format!("{line}.{cycle}")
        })
    }

    fn dli_text(&self, dli: &Dli, name: &dyn Fn(u16) -> Option<String>) -> String {
        let end = if dli.abandoned {
            "left without RTI".to_owned()
        } else {
            format!("end {}", self.at(dli.end))
        };
        let left = dli.left.map_or(String::new(), |left| match left {
            0.. => format!(", {left} left"),
            _ => format!(", {} too many", left.unsigned_abs()),
        });
        format!(
            "DLI {} line {} to {}: asked {} handler {} routine {} {end}, {} cycles ({} DMA, {} WSYNC){left}",
            dli.number,
            dli.line,
            name(dli.vector).unwrap_or_else(|| format!("${:04X}", dli.vector)),
            self.at(Some(dli.request)),
            self.at(dli.entry),
            self.at(dli.routine),
            dli.cycles,
            dli.dma,
            dli.stalled,
        )
    }
}
