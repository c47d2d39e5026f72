//! The profile of a program: cycles by routine, by source line and by BASIC line, from recorded time that is run again.

use crate::basic;
use crate::watch::Entry;
use crate::{Moment, SourceLine, Sources, Timeline, Track};
use antic_gtia::antic::{Load, Show};
use cpu6502::Cpu;
use machine::{Bus, Dma, Probe};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

const JSR: u8 = 0x20;

/// Machine cycles by their use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The processor ran.
    pub cpu: u64,
    /// DMA and refresh halted it.
    pub dma: u64,
    /// It waited for WSYNC.
    pub wsync: u64,
}

impl Cost {
    /// All of them.
    pub fn total(self) -> u64 {
        self.cpu + self.dma + self.wsync
    }

    fn add(&mut self, other: Self) {
        self.cpu += other.cpu;
        self.dma += other.dma;
        self.wsync += other.wsync;
    }

    fn since(self, start: Self) -> Self {
        Self {
            cpu: self.cpu - start.cpu,
            dma: self.dma - start.dma,
            wsync: self.wsync - start.wsync,
        }
    }
}

/// A routine: the target of JSR or an interrupt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routine {
    /// Its first instruction; `None` for the code that ran when the profile began.
    pub address: Option<u16>,
    /// The interrupt whose handler it is.
    pub interrupt: Option<Entry>,
    /// Number of entries into it.
    pub calls: u64,
    /// Its own instructions.
    pub own: Cost,
    /// With the routines that it called, but without interrupts that came in between.
    pub all: Cost,
}

/// A BASIC line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BasicLine {
    /// Its number; 32768 is an immediate command.
    pub line: u16,
    /// Statements of it that began.
    pub statements: u64,
    /// While its statements ran, without interrupts.
    pub own: Cost,
    /// With the subroutines that it called by GOSUB.
    pub all: Cost,
}

/// A profile of a stretch of time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The routines, the one with most cycles of its own first.
    pub routines: Vec<Routine>,
    /// The BASIC lines, in the same order.
    pub lines: Vec<BasicLine>,
    /// Cycles by the address of the instruction that they were spent in, interrupts' instructions too.
    pub code: BTreeMap<u16, Cost>,
    /// All cycles.
    pub total: Cost,
}

impl Profile {
    /// The profile from one moment to another; `None` if that time is not recorded.
    pub fn of(timeline: &Timeline, from: Moment, to: Moment) -> Option<Self> {
        let visit = timeline.visit(from.max(timeline.oldest()))?;
        let mut visit = visit.without_pictures();
        let machine = visit.machine();
        let mut profiler = Profiler::new(&machine.cpu, machine.bus());
        visit.run(timeline, to.min(timeline.newest()), &mut profiler);
        Some(profiler.finish(visit.machine().bus()))
    }

    /// The profile of the last frames before the present, as far as they are recorded; `None` if nothing is.
    pub fn last_frames(track: &Track, frames: u64) -> Option<Self> {
        let frame = u64::from(track.machine().bus().video.antic.lines()) * crate::LINE;
        let (now, timeline) = (track.moment(), track.timeline());
        let from = Moment(now.0.saturating_sub(frames.saturating_mul(frame)));
        let from = from.max(timeline.oldest());
        (from < now)
            .then(|| Self::of(timeline, from, now))
            .flatten()
    }

    /// The source lines that took time, the one with most cycles first.
    pub fn source_lines(&self, sources: &Sources) -> Vec<(SourceLine, Cost)> {
        let mut costs: HashMap<SourceLine, Cost> = HashMap::new();
        for (address, cost) in &self.code {
            if let Some(line) = sources.line_at(*address) {
                costs.entry(line).or_default().add(*cost);
            }
        }
        let mut lines: Vec<(SourceLine, Cost)> = costs.into_iter().collect();
        lines.sort_by_key(|(line, cost)| (Reverse(cost.total()), line.file, line.line));
        lines
    }

    /// A table of routines.
    pub fn lines(&self, name: impl Fn(u16) -> Option<String>) -> Vec<String> {
        let all = self.total.total().max(1) as f64;
        let percent = |cycles: u64| cycles as f64 * 100.0 / all;
        let mut lines = vec![format!(
            "{:<24} {:>8} {:>10} {:>6} {:>10} {:>9} {:>9} {:>10} {:>6}",
            "routine", "calls", "own", "%", "cpu", "dma", "wsync", "with calls", "%"
        )];
        for routine in &self.routines {
            let mut text = match (routine.address, routine.interrupt) {
                (Some(address), interrupt) => {
                    let name = name(address).unwrap_or_else(|| format!("${address:04X}"));
                    match interrupt {
                        Some(entry) => format!("{name} ({entry:?})").to_owned(),
                        None => name,
                    }
                }
                (None, _) => "(where it began)".to_owned(),
            };
            if text.chars().count() > 24 {
                text = text.chars().take(24).collect();
            }
            let Routine { own, all, .. } = routine;
            lines.push(format!(
                "{text:<24} {:>8} {:>10} {:>6.2} {:>10} {:>9} {:>9} {:>10} {:>6.2}",
                routine.calls,
                own.total(),
                percent(own.total()),
                own.cpu,
                own.dma,
                own.wsync,
                all.total(),
                percent(all.total())
            ));
        }
        lines
    }

    /// A table of BASIC lines.
    pub fn basic_lines(&self) -> Vec<String> {
        let all = self.total.total().max(1) as f64;
        let percent = |cycles: u64| cycles as f64 * 100.0 / all;
        let mut lines = vec![format!(
            "{:<10} {:>10} {:>10} {:>6} {:>10} {:>9} {:>12} {:>6}",
            "line", "statements", "own", "%", "cpu", "dma", "with GOSUBs", "%"
        )];
        for line in &self.lines {
            let number = match line.line {
                media::basic::IMMEDIATE => "immediate".to_owned(),
                number => number.to_string(),
            };
            lines.push(format!(
                "{number:<10} {:>10} {:>10} {:>6.2} {:>10} {:>9} {:>12} {:>6.2}",
                line.statements,
                line.own.total(),
                percent(line.own.total()),
                line.own.cpu,
                line.own.dma,
                line.all.total(),
                percent(line.all.total())
            ));
        }
        lines
    }
}

/// A routine that has begun and not returned.
#[derive(Clone, Debug)]
struct Open {
    routine: usize,
    s: u8,
    start: Cost,
    /// The cost of interrupts meanwhile.
    away: Cost,
}

/// The BASIC statement that runs.
#[derive(Clone, Debug)]
struct Statement {
    line: u16,
    callers: BTreeSet<u16>,
    cost: Cost,
}

/// A cycle.
#[derive(Clone, Copy, Debug)]
struct Spent {
    now: u64,
    cost: Cost,
    instruction: u16,
}

struct Profiler {
    routines: Vec<Routine>,
    numbers: BTreeMap<(Option<u16>, Option<Entry>), usize>,
    open: Vec<Open>,
    interrupts: usize,
    total: Cost,
    /// Cycles that are not charged yet: the playfield's fetches are reported a cycle late.
    pending: Vec<Spent>,
    /// The instruction that runs.
    instruction: u16,
    /// Cycles by instruction.
    code: Vec<Cost>,
    stepped: bool,
    vector: Option<Entry>,
    written: Option<u8>,
    statements: basic::Statements,
    statement: Option<Statement>,
    lines: BTreeMap<u16, BasicLine>,
}

const CPU: Cost = Cost {
    cpu: 1,
    dma: 0,
    wsync: 0,
};
const DMA: Cost = Cost {
    cpu: 0,
    dma: 1,
    wsync: 0,
};
const WSYNC: Cost = Cost {
    cpu: 0,
    dma: 0,
    wsync: 1,
};

impl Profiler {
    fn new(cpu: &Cpu, bus: &Bus) -> Self {
        let mut profiler = Self {
            routines: Vec::new(),
            numbers: BTreeMap::new(),
            open: Vec::new(),
            interrupts: 0,
            total: Cost::default(),
            pending: Vec::new(),
            instruction: crate::instruction_address(cpu),
            code: vec![Cost::default(); 0x10000],
            stepped: false,
            vector: None,
            written: None,
            statements: basic::Statements::new(bus),
            statement: None,
            lines: BTreeMap::new(),
        };
        let routine = profiler.number(None, None);
        profiler.open.push(Open {
            routine,
            s: 0xFF,
            start: Cost::default(),
            away: Cost::default(),
        });
        if let Some(line) = basic::running_line(bus) {
            profiler.begin_statement(line, bus);
        }
        profiler
    }

    fn number(&mut self, address: Option<u16>, interrupt: Option<Entry>) -> usize {
        let next = self.routines.len();
        let number = *self.numbers.entry((address, interrupt)).or_insert(next);
        if number == next {
            self.routines.push(Routine {
                address,
                interrupt,
                calls: 0,
                own: Cost::default(),
                all: Cost::default(),
            });
        }
        number
    }

    /// Charges the cycles before a time.
    fn settle(&mut self, before: u64) {
        let Some(top) = self.open.last().map(|open| open.routine) else {
            return;
        };
        let count = self.pending.partition_point(|spent| spent.now < before);
        for Spent {
            cost, instruction, ..
        } in self.pending.drain(..count)
        {
            self.routines[top].own.add(cost);
            self.code[usize::from(instruction)].add(cost);
            self.total.add(cost);
            if self.interrupts == 0
                && let Some(statement) = &mut self.statement
            {
                statement.cost.add(cost);
            }
        }
    }

    fn enter(&mut self, address: u16, interrupt: Option<Entry>, s: u8) {
        let routine = self.number(Some(address), interrupt);
        self.routines[routine].calls += 1;
        self.interrupts += usize::from(interrupt.is_some());
        self.open.push(Open {
            routine,
            s,
            start: self.total,
            away: Cost::default(),
        });
        // Programs that never return fill no memory.
        if self.open.len() > 512 {
            self.open.remove(1);
        }
    }

    fn leave(&mut self) {
        let Some(open) = self.open.pop() else {
            return;
        };
        let mut cost = self.total.since(open.start);
        cost = cost.since(open.away);
        let interrupt = self.routines[open.routine].interrupt.is_some();
        if interrupt {
            self.interrupts -= 1;
            for other in &mut self.open {
                other.away.add(cost);
            }
        }
        // A routine that calls itself is counted once.
        if self.open.iter().all(|other| other.routine != open.routine) {
            self.routines[open.routine].all.add(cost);
        }
    }

    fn boundary(&mut self, cpu: &Cpu, now: u64) {
        if let Some(entry) = self.vector.take() {
            self.settle(now);
            self.enter(cpu.pc, Some(entry), cpu.s);
            return;
        }
        let above = |s: u8, before: u8| s.wrapping_sub(before) as i8 > 0;
        if cpu.opcode() == JSR && !cpu.at_interrupt_start() {
            self.settle(now);
            self.enter(cpu.pc, None, cpu.s);
            return;
        }
        while self.open.len() > 1 && self.open.last().is_some_and(|top| above(cpu.s, top.s)) {
            self.settle(now);
            self.leave();
        }
    }

    fn begin_statement(&mut self, line: u16, bus: &Bus) {
        self.end_statement();
        self.lines.entry(line).or_default().statements += 1;
        self.statement = Some(Statement {
            line,
            callers: basic::gosub_lines(bus),
            cost: Cost::default(),
        });
    }

    fn end_statement(&mut self) {
        let Some(statement) = self.statement.take() else {
            return;
        };
        let entry = self.lines.entry(statement.line).or_default();
        entry.own.add(statement.cost);
        let mut lines = statement.callers;
        lines.insert(statement.line);
        for line in lines {
            self.lines.entry(line).or_default().all.add(statement.cost);
        }
    }

    fn finish(mut self, bus: &Bus) -> Profile {
        self.settle(bus.now());
        while !self.open.is_empty() {
            self.leave();
        }
        self.end_statement();
        let mut lines: Vec<BasicLine> = self
            .lines
            .into_iter()
            .map(|(line, cost)| BasicLine { line, ..cost })
            .collect();
        self.routines
            .sort_by_key(|routine| Reverse(routine.own.total()));
        lines.sort_by_key(|line| Reverse(line.own.total()));
        let code = (0..=u16::MAX).zip(self.code);
        Profile {
            routines: self.routines,
            lines,
            code: code.filter(|(_, cost)| cost.total() > 0).collect(),
            total: self.total,
        }
    }

    fn tell(&mut self, now: u64, cost: Cost) {
        if let Some(spent) = self.pending.iter_mut().rfind(|spent| spent.now == now) {
            spent.cost = cost;
        }
    }
}

impl Probe for Profiler {
    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> bool {
        let now = bus.now();
        if let Some(vector) = cpu.at_vector() {
            self.vector = Some(Entry::of_vector(vector, bus));
        }
        if std::mem::take(&mut self.stepped) && cpu.at_instruction_start() {
            self.instruction = cpu.pc;
            self.boundary(cpu, now);
        }
        if let Some(next) = self.written.take()
            && let Some((begun, _)) = self.statements.begin(bus, cpu.instruction(), next)
        {
            self.settle(now);
            self.begin_statement(begun.line, bus);
        }
        self.settle(now.saturating_sub(2));
        self.pending.push(Spent {
            now,
            cost: WSYNC,
            instruction: self.instruction,
        });
        false
    }

    fn read(&mut self, now: u64, _: u16, _: u8) {
        self.stepped = true;
        self.tell(now, CPU);
    }

    fn written(&mut self, now: u64, address: u16, data: u8) {
        self.stepped = true;
        self.tell(now, CPU);
        if address == basic::NXTSTD {
            self.written = Some(data);
        }
    }

    fn dma(&mut self, now: u64, _: Dma, _: u16, _: u8) {
        self.tell(now, DMA);
    }

    fn loaded(&mut self, line: u64, load: Load) {
        if load.address.is_some() {
            self.tell(line + u64::from(load.cycle), DMA);
        }
    }

    fn shown(&mut self, line: u64, show: Show) {
        if show.glyph.is_some() {
            self.tell(line + u64::from(show.cycle), DMA);
        }
    }
}
