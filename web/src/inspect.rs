//! Looking inside: the debugger's engine for the page's panels.
use crate::emulator::Emulator;
use crate::rows::{
    BasicRow, Beam, BreakpointRow, CodeRow, Explanation, InterruptRow, Processor, WatchRow, WhyLine,
};
use crate::words::InterruptKind;
use debugger::{
    Breakpoint, Debugger, Event, FrameLog, Kind, Limits, Origin, Place, RowKind, Step, Stop,
    Target, address, basic, execute, help_of, is_chip, view,
};
use media::basic::Program;
use wasm_bindgen::prelude::wasm_bindgen;

/// Frames of the past to which single steps go at once.
const FINE: usize = 300;
/// Scan lines above the picture, and hires pixels before its first column.
const TOP: i16 = 8;
const LEFT: i16 = 68;

/// Characters before the address in a line of the disassembly.
const MARKS: usize = 3;

/// The kind of an event in the map, if it is shown ([`Inspector::events`]).
fn kind(event: &Event) -> Option<i16> {
    match event.kind {
        Kind::Write | Kind::Edit if is_chip(event.address) => match event.address >> 8 {
            0xD4 => Some(0),
            0xD0 => Some(1),
            0xD2 => Some(2),
            0xD3 => Some(3),
            _ => None,
        },
        Kind::Nmi | Kind::Irq => Some(4),
        _ => None,
    }
}

/// A debugger beside the page's machine, which stands still while it is used.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Inspector {
    pub(crate) debugger: Debugger,
    rgba: Vec<u32>,
    /// The frame that the event map shows.
    log: Option<FrameLog>,
}

impl Inspector {
    /// The lines of a command, or one sentence on what is wrong.
    pub(crate) fn execute(&mut self, emulator: &mut Emulator, command: &str) -> String {
        let done = execute(&mut self.debugger, &mut emulator.session, command);
        done.map_or_else(|error| error, |output| output.lines.join("\n"))
    }

    /// Breakpoints that stop whenever they are reached.
    fn plain(&self) -> impl Iterator<Item = &Breakpoint> {
        let list = self.debugger.breakpoints.list().iter();
        list.filter(|b| b.enabled && b.condition.is_none() && b.ignore == 0 && !b.once && !b.log)
    }

    /// The places that [`Emulator::set_stops`] knows: of [`Self::plain`], instructions and writes.
    pub(crate) fn plain_places(&self) -> impl Iterator<Item = &Place> {
        let places = self.plain().map(|breakpoint| &breakpoint.place);
        places.filter(|place| matches!(place, Place::Pc(_) | Place::Write(_)))
    }
}

#[wasm_bindgen]
impl Inspector {
    /// A debugger for the machine, with what its session remembers.
    #[wasm_bindgen(constructor)]
    pub fn new(emulator: &mut Emulator) -> Self {
        let mut debugger = Debugger::default();
        debugger.symbols.add_hardware();
        let config = emulator.session.machine().config();
        let labels = roms::labels(&config.os, config.basic.as_deref());
        debugger.symbols.add_system(labels);
        emulator.session.set_limits(Limits {
            frames: FINE,
            ..Emulator::limits()
        });
        Self {
            debugger,
            rgba: Vec::new(),
            log: None,
        }
    }

    /// Sets again what [`Self::settings`] gave; the old settings are removed.
    pub fn restore(&mut self, emulator: &mut Emulator, settings: &str) {
        // A condition on a name that is gone is left out.
        let _wrong = self.debugger.restore(&mut emulator.session, settings);
    }

    /// Breakpoints, watches and labels as commands that set them again: a line each.
    pub fn settings(&self) -> String {
        self.debugger.settings()
    }

    /// Sets or removes the breakpoint at an address.
    pub fn toggle(&mut self, address: u16) {
        self.debugger.breakpoints.toggle_pc(address);
    }

    /// Sets or removes the breakpoint at a line of BASIC.
    pub fn toggle_basic(&mut self, line: u16) {
        let breakpoints = &mut self.debugger.breakpoints;
        let place = Place::BasicLine(line);
        let known = breakpoints.list().iter().find(|b| b.place == place);
        match known.map(|breakpoint| breakpoint.id) {
            Some(id) => {
                breakpoints.remove(id);
            }
            None => {
                breakpoints.add(place);
            }
        }
    }

    /// The addresses at which an instruction stops without a condition, for [`Emulator::set_stops`].
    pub fn stops(&self) -> Vec<u16> {
        let place = |breakpoint: &Breakpoint| match breakpoint.place {
            Place::Pc(address) => Some(address),
            _ => None,
        };
        self.plain().filter_map(place).collect()
    }

    /// The addresses at which a write stops without a condition, with the mirrors of registers, for [`Emulator::set_stops`].
    pub fn write_stops(&self) -> Vec<u16> {
        let target = |breakpoint: &Breakpoint| match &breakpoint.place {
            Place::Write(range) => Some(Target::new(range.clone())),
            _ => None,
        };
        let targets: Vec<Target> = self.plain().filter_map(target).collect();
        let reaches = |&address: &u16| targets.iter().any(|target| target.has(address));
        (0..=0xFFFF).filter(reaches).collect()
    }

    /// Runs at most `frames` frames. Says why and where the machine stopped, or nothing when no breakpoint came.
    pub fn run(&mut self, emulator: &mut Emulator, frames: u32) -> Option<String> {
        let lines = u64::from(emulator.session.machine().config().tv.lines());
        let cycles = u64::from(frames) * lines * 114;
        let why = match self.debugger.run(&mut emulator.session, cycles) {
            Stop::Limit => return None,
            Stop::Breakpoint(number) => format!("breakpoint {number}"),
            Stop::Jammed => "the processor is jammed".to_owned(),
            Stop::Interrupted | Stop::Done => "stopped".to_owned(),
        };
        Some(format!("{why}\n{}", self.execute(emulator, "where")))
    }

    /// Goes to the cycle in which a pixel of the picture is drawn: back where that is recorded. Gives where that is.
    pub fn to_pixel(&mut self, emulator: &mut Emulator, x: usize, y: usize) -> String {
        let step = Step::to_pixel(x, y);
        let (debugger, session) = (&mut self.debugger, &mut emulator.session);
        if !debugger.step_back(session, step) {
            debugger.step(session, step);
        }
        self.execute(emulator, "where")
    }

    /// Does a command of the debugger's prompt. Gives its lines, or one sentence on what is wrong.
    pub fn command(&mut self, emulator: &mut Emulator, line: &str) -> String {
        self.execute(emulator, line)
    }

    /// The description of a command; nothing if there is no such command.
    pub fn about(&self, command: &str) -> Option<String> {
        help_of(command).map(str::to_owned)
    }

    /// The breakpoints.
    pub fn breakpoints(&self) -> Vec<BreakpointRow> {
        let symbols = &self.debugger.symbols;
        let name = |address| symbols.name(address).map(str::to_owned);
        let row = |breakpoint: &Breakpoint| BreakpointRow {
            id: breakpoint.id,
            on: breakpoint.enabled,
            text: breakpoint.line_with_hits(name),
        };
        self.debugger.breakpoints.list().iter().map(row).collect()
    }

    /// Switches a breakpoint on or off.
    pub fn enable(&mut self, id: u32, on: bool) {
        self.debugger.breakpoints.enable(id, on);
    }

    /// Removes a breakpoint.
    pub fn remove(&mut self, id: u32) {
        self.debugger.breakpoints.remove(id);
    }

    /// The watched values.
    pub fn watches(&self, emulator: &Emulator) -> Vec<WatchRow> {
        let watched = self.debugger.watched(emulator.session.track());
        let row = |(name, value)| WatchRow { name, value };
        watched.into_iter().map(row).collect()
    }

    /// Watches a value no more, by its number in [`Self::watches`].
    pub fn unwatch(&mut self, number: usize) {
        if number < self.debugger.watches.len() {
            self.debugger.watches.remove(number);
        }
    }

    /// The address of a name or an expression.
    pub fn address_of(&mut self, emulator: &mut Emulator, place: &str) -> Option<u16> {
        address(&mut self.debugger, &mut emulator.session, place).ok()
    }

    /// The BASIC program in memory: a row for each line, none without a program.
    pub fn basic(&self, emulator: &Emulator) -> Vec<BasicRow> {
        let machine = emulator.session.machine();
        let Some(program) = Program::in_memory(|address| machine.peek(address)) else {
            return Vec::new();
        };
        let current = basic::Basic::of(machine).and_then(|basic| basic.line);
        let stops = self.debugger.breakpoints.list();
        let row = |(number, text): (u16, Vec<u8>)| BasicRow {
            number,
            stop: stops.iter().any(|b| b.place == Place::BasicLine(number)),
            here: current == Some(number),
            text: media::atascii::to_text(&text),
        };
        program.listed().into_iter().map(row).collect()
    }

    /// The explanation of a pixel of the picture.
    pub fn why(&mut self, emulator: &Emulator, x: usize, y: usize) -> Explanation {
        let debugger = &self.debugger;
        let cause = debugger.cause_of_row(emulator.session.track(), x, y);
        let found = cause.and_then(|cause| cause.why(x, y).map(|why| (cause, why)));
        let Some((cause, why)) = found else {
            return Explanation {
                sentence:
                    "the beginning of the frame in which this pixel was drawn is not recorded"
                        .to_owned(),
                lines: Vec::new(),
                register: None,
                store: None,
            };
        };
        let name = |address: u16| debugger.place_name(address);
        let register = why.register();
        let store = register.and_then(|(_, origin)| match *origin {
            Origin::Store { now, .. } => Some(cause.log.beam(now)),
            _ => None,
        });
        Explanation {
            sentence: debugger.sentence(&why),
            lines: why
                .lines(&cause, &name)
                .into_iter()
                .map(WhyLine::from)
                .collect(),
            register: register.map(|(name, _)| name.to_owned()),
            store: store.map(Beam::from),
        }
    }

    /// The processor's registers and its state.
    pub fn cpu(&self, emulator: &Emulator) -> Processor {
        let cpu = view::Cpu::of(emulator.session.machine());
        let mut about = cpu.lines();
        about[0] = cpu.flags();
        Processor {
            pc: cpu.pc,
            a: cpu.a,
            x: cpu.x,
            y: cpu.y,
            s: cpu.s,
            p: cpu.p,
            about: about.join("   "),
        }
    }

    /// The disassembly around the next instruction, with at most `before` instructions above it.
    pub fn code(&mut self, emulator: &Emulator, before: usize, lines: usize) -> Vec<CodeRow> {
        let machine = emulator.session.machine();
        let pc = view::Cpu::of(machine).pc;
        let above = view::code_before(machine, &self.debugger.symbols, pc, before);
        let first = above.first().copied().unwrap_or(pc);
        self.debugger.learn_executed(emulator.session.track());
        let code = view::code(machine, &self.debugger, first, lines);
        let rows = code.into_iter().flat_map(|line| {
            let source = line.source.as_ref().map(|(_, text)| CodeRow {
                address: None,
                stop: false,
                here: false,
                text: format!("; {text}"),
            });
            let instruction = CodeRow {
                address: Some(line.instruction.address),
                stop: line.breakpoint,
                here: line.current,
                text: line.details().split_off(MARKS),
            };
            source.into_iter().chain([instruction])
        });
        rows.collect()
    }

    /// The marks of the event map for the last complete frame: stores into chips' registers and interrupts, in the order of time. Numbers in a row,
    /// because all are drawn with each picture, and may be thousands. Three each: column and row of the picture where the beam was (columns may be outside), and a kind: 0 ANTIC, 1 GTIA, 2 POKEY, 3 PIA, 4 interrupts.
    pub fn events(&mut self, emulator: &Emulator) -> Vec<i16> {
        self.log = self.debugger.frame_log(emulator.session.track());
        let Some(log) = &self.log else {
            return Vec::new();
        };
        let shown = log.events.iter().filter_map(|event| {
            let (line, cycle) = log.beam(event.now);
            let row = i16::try_from(line).ok()? - TOP;
            Some([i16::from(cycle) * 4 - LEFT, row, kind(event)?])
        });
        shown.flatten().collect()
    }

    /// The text of an event of [`Self::events`], by its number there.
    pub fn event(&self, number: usize) -> Option<String> {
        let log = self.log.as_ref()?;
        let mut shown = log.events.iter().filter(|event| kind(event).is_some());
        let name = |address: u16| self.debugger.place_name(address);
        Some(log.line(shown.nth(number)?, &name))
    }

    /// The display list.
    pub fn display_list(&self, emulator: &Emulator) -> String {
        let list = view::DisplayList::of(emulator.session.machine());
        list.lines().join("\n")
    }

    /// The interrupts of the last frame with their stores, and the faults; nothing if that frame is not recorded.
    pub fn interrupts(&self, emulator: &Emulator) -> Option<Vec<InterruptRow>> {
        let timeline = self.debugger.dli_timeline(emulator.session.track())?;
        let name = |address: u16| self.debugger.place_name(address);
        let row = |row: debugger::Row| {
            let (kind, number) = match row.kind {
                RowKind::Dli(number) => (InterruptKind::Dli, Some(number)),
                RowKind::Vbi => (InterruptKind::Vbi, None),
                RowKind::Store => (InterruptKind::Store, None),
                RowKind::Finding => (InterruptKind::Finding, None),
            };
            InterruptRow {
                kind,
                number,
                first: row.span.map(|(first, _)| first),
                last: row.span.map(|(_, last)| last),
                text: row.text,
            }
        };
        Some(timeline.rows(&name).into_iter().map(row).collect())
    }

    /// Memory from an address on.
    pub fn memory(&self, emulator: &Emulator, address: u16, lines: usize) -> String {
        let all = view::memory(emulator.session.machine(), address, lines);
        let all: Vec<String> = all.iter().map(view::MemoryLine::line).collect();
        all.join("\n")
    }

    /// The chips' registers.
    pub fn chips(&self, emulator: &Emulator) -> String {
        let machine = emulator.session.machine();
        let mut all = view::Antic::of(machine).lines();
        all.extend(view::Gtia::of(machine).lines());
        all.extend(view::Pokey::of(machine).lines());
        all.extend(view::Pia::of(machine).lines());
        all.join("\n")
    }

    /// Draws the picture as far as the beam has come: this frame above the beam, the last one below. Gives where it is.
    pub fn picture_rgba(&mut self, emulator: &Emulator) -> *const u32 {
        let picture = view::Picture::of(emulator.session.machine());
        self.rgba = emulator.rgba_of(&picture.pixels);
        self.rgba.as_ptr()
    }

    /// The position of the beam.
    pub fn beam(&self, emulator: &Emulator) -> Beam {
        let beam = emulator.session.machine().beam();
        (beam.line, beam.cycle).into()
    }
}
