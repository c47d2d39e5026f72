//! The event map: everything that happened on the bus in a stretch of time, by machine cycle.
//!
//! The machine runs without being observed. The events of a frame are found by running that frame again from a copy, with a
//! [`Recorder`] as its probe: equal machines with equal inputs run equally.

use crate::Replay;
use crate::watch::Entry;
use antic_gtia::Gtia;
use antic_gtia::antic::{Load, Show};
use cpu6502::opcodes::{OPCODES, Operation};
use cpu6502::{Cpu, flags};
use machine::{Bus, Dma, Machine, Probe};

/// Machine cycles of a scan line.
const LINE: u64 = crate::LINE;
const RTI: u8 = 0x40;
const VDSLST: u16 = 0x0200;

/// The owner of a machine cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Owner {
    /// The processor's.
    Cpu,
    /// No owner: RDY stops the processor after a write to WSYNC.
    Stalled,
    /// Memory refresh.
    Refresh,
    /// A display list instruction, or the address in it.
    List,
    /// Player or missile graphics.
    Objects,
    /// A character name.
    Name,
    /// A row of a glyph.
    Glyph,
    /// A bitmap byte.
    Bitmap,
}

impl Owner {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Cpu,
        Self::Stalled,
        Self::Refresh,
        Self::List,
        Self::Objects,
        Self::Name,
        Self::Glyph,
        Self::Bitmap,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "processor",
            Self::Stalled => "stopped by WSYNC",
            Self::Refresh => "refresh",
            Self::List => "display list",
            Self::Objects => "players, missiles",
            Self::Name => "character name",
            Self::Glyph => "glyph",
            Self::Bitmap => "bitmap",
        }
    }

    /// A letter, for a strip of a line's cycles.
    pub fn letter(self) -> char {
        match self {
            Self::Cpu => '.',
            Self::Stalled => 'w',
            Self::Refresh => 'R',
            Self::List => 'L',
            Self::Objects => 'P',
            Self::Name => 'N',
            Self::Glyph => 'G',
            Self::Bitmap => 'B',
        }
    }

    /// True if DMA takes the cycle from the processor.
    pub fn is_dma(self) -> bool {
        !matches!(self, Self::Cpu | Self::Stalled)
    }
}

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// The processor reads a chip's register.
    Read,
    /// The processor writes: a register, or memory.
    Write,
    /// DMA of a display list instruction.
    List,
    /// DMA of the low (0) or high (1) byte of an address in the display list.
    Operand(u8),
    /// DMA of missile graphics.
    Missiles,
    /// DMA of a player's graphics.
    Player(u8),
    /// DMA of a character name.
    Name,
    /// DMA of a glyph's row.
    Glyph,
    /// DMA of a bitmap byte.
    Bitmap,
    /// Memory refresh.
    Refresh,
    /// The NMI line falls.
    Nmi,
    /// The IRQ line falls.
    Irq,
    /// The first instruction of a handler is about to begin; `data` is S.
    Entry(Entry),
    /// The routine that VDSLST (`$0200`) points to begins, in a display list interrupt.
    Routine,
    /// An RTI is done; `data` is S before it.
    Return,
    /// The user writes a register or memory, before this cycle.
    Edit,
}

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Machine cycles since power-on.
    pub now: u64,
    /// Its kind.
    pub kind: Kind,
    /// The address on the bus.
    pub address: u16,
    /// The byte on the bus.
    pub data: u8,
    /// The instruction that the processor is in.
    pub pc: u16,
}

/// A place of the beam.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The scan line.
    pub line: u16,
    /// The colour clock of the line, 0 to 227: two a machine cycle.
    pub clock: u16,
}

impl Place {
    /// The left one of its two pixels of the picture, if it is in the picture: column 0 to 375 and row 0 to 239.
    pub fn pixel(self) -> Option<(usize, usize)> {
        let clock = usize::from(self.clock);
        let line = usize::from(self.line);
        let visible = (antic_gtia::FIRST_VISIBLE..antic_gtia::END_VISIBLE).contains(&clock)
            && (8..248).contains(&line);
        visible.then(|| (2 * (clock - antic_gtia::FIRST_VISIBLE), line - 8))
    }
}

impl Event {
    /// True if a byte is written, by the processor or by the user.
    pub fn is_write(&self) -> bool {
        matches!(self.kind, Kind::Write | Kind::Edit)
    }

    /// True if this is an access of the processor to a chip's register.
    pub fn is_register_access(&self) -> bool {
        matches!(self.kind, Kind::Read | Kind::Write) && is_chip(self.address)
    }

    /// True if DMA takes the cycle.
    pub fn is_dma(&self) -> bool {
        matches!(
            self.kind,
            Kind::List
                | Kind::Operand(_)
                | Kind::Missiles
                | Kind::Player(_)
                | Kind::Name
                | Kind::Glyph
                | Kind::Bitmap
                | Kind::Refresh
        )
    }
}

/// Machine cycles to the end of a machine's frame.
pub(crate) fn left_of_frame(machine: &Machine) -> u64 {
    let beam = machine.beam();
    let lines = u64::from(machine.bus().video.antic.lines());
    (lines - u64::from(beam.line)) * LINE - u64::from(beam.cycle)
}

/// True if chips answer at an address.
pub fn is_chip(address: u16) -> bool {
    (0xD000..0xD800).contains(&address)
}

/// Colour clocks from the first one of a write's cycle to the first one that it acts on, for the registers that act on the picture.
pub(crate) fn effect_delay(address: u16) -> Option<u16> {
    match address >> 8 {
        0xD0 if address & 31 <= 0x1B => Some(Gtia::delay(address as u8) as u16),
        // DMACTL, CHACTL and HSCROL reach the DMA logic in the next cycle, CHBASE in the one after it.
        0xD4 => match address & 15 {
            0x0 | 0x1 | 0x4 => Some(2),
            0x9 => Some(4),
            _ => None,
        },
        _ => None,
    }
}

/// The display list's instruction for a scan line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListLine {
    /// The instruction.
    pub instruction: u8,
    /// The row of the mode line.
    pub row: u8,
    /// The address at which the instruction was fetched, and the machine cycle; `None` if that was before the recording.
    pub fetched: Option<(u16, u64)>,
    /// The cycles of the last two address bytes that set the memory scan counter, likewise.
    pub scan_set: Option<(u16, u64)>,
    /// The colour clocks of the display window.
    pub window: (u8, u8),
}

/// The registers of the processor where a handler begins or an RTI ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    /// Accumulator, X and Y.
    pub axy: [u8; 3],
    /// Stack pointer.
    pub s: u8,
    /// Flags.
    pub p: u8,
}

/// The events from one machine cycle up to another.
#[derive(Clone, Debug, Default)]
pub struct FrameLog {
    /// The first machine cycle.
    pub start: u64,
    /// Machine cycles since power-on at cycle 0 of line 0 of the frame it began in.
    pub frame_start: u64,
    /// Scan lines of a frame.
    pub lines: u16,
    /// GTIA's 32 registers and ANTIC's 16 as they acted at the start.
    pub before: Vec<u8>,
    /// In the order of time.
    pub events: Vec<Event>,
    /// The owner of each machine cycle from `start` on.
    pub owners: Vec<Owner>,
    /// By scan line from that of `start` on, once its instruction is known.
    pub list: Vec<ListLine>,
    /// Bytes that the line buffer took: cycle and load; only if asked for.
    pub loads: Vec<(u64, Load)>,
    /// Bytes that the shift register took: cycle and byte; only if asked for.
    pub shows: Vec<(u64, Show)>,
    /// Cycles in which changes of DMACTL or HSCROL emptied the AN lines, and the first colour clock.
    pub cuts: Vec<(u64, u16)>,
    /// Cycles in which a virtual fetch took the byte that the processor had on the bus, and the address of that access.
    pub passed: Vec<(u64, u16)>,
    /// Cycles in which an interrupt handler began to add or subtract in decimal mode because the program that it interrupted was in it, and the
    /// address of that instruction.
    pub decimals: Vec<(u64, u16)>,
    /// The processor's registers at each [`Kind::Entry`] and [`Kind::Return`], in their order.
    pub registers: Vec<Registers>,
}

impl FrameLog {
    /// A frame, from where the replay is (usually cycle 0 of line 0) to its end.
    pub fn of(replay: &mut Replay) -> Self {
        let mut recorder = Recorder::new(replay.machine());
        replay.run(left_of_frame(replay.machine()), &mut recorder);
        recorder.finish(replay.machine())
    }

    /// The beam's line and cycle at a time.
    pub fn beam(&self, now: u64) -> (u16, u8) {
        let cycle = now.saturating_sub(self.frame_start);
        let line = cycle / LINE % u64::from(self.lines.max(1));
        (line as u16, (cycle % LINE) as u8)
    }

    /// The cycle in which the beam is at a line and cycle of the frame that the recording began in.
    pub fn time(&self, line: u16, cycle: u8) -> u64 {
        self.frame_start + u64::from(line) * LINE + u64::from(cycle)
    }

    /// The first machine cycle that was not recorded.
    pub fn end(&self) -> u64 {
        self.start + self.owners.len() as u64
    }

    /// The owner of a cycle.
    pub fn owner(&self, now: u64) -> Option<Owner> {
        let index = now.checked_sub(self.start)?;
        self.owners.get(usize::try_from(index).ok()?).copied()
    }

    /// Cycles of each owner in a stretch of time, in the order of [`Owner::ALL`].
    pub fn share(&self, from: u64, to: u64) -> [u32; 8] {
        let from = (from.max(self.start) - self.start) as usize;
        let to = (to.max(self.start) - self.start) as usize;
        let mut share = [0; 8];
        for &owner in self.owners.iter().take(to).skip(from) {
            share[owner as usize] += 1;
        }
        share
    }

    /// The owners of the 114 cycles of a line.
    pub fn line_owners(&self, line: u16) -> &[Owner] {
        let start = self.time(line, 0).max(self.start) - self.start;
        let end =
            (self.time(line + 1, 0).max(self.start) - self.start).min(self.owners.len() as u64);
        self.owners.get(start as usize..end as usize).unwrap_or(&[])
    }

    /// A line's cycles as letters: see [`Owner::letter`].
    pub fn strip(&self, line: u16) -> String {
        self.line_owners(line).iter().map(|o| o.letter()).collect()
    }

    /// True if the beam was in the picture in an event's cycle.
    pub fn is_visible(&self, event: &Event) -> bool {
        let (line, cycle) = self.beam(event.now);
        let clock = 2 * u16::from(cycle);
        Place { line, clock }.pixel().is_some()
    }

    /// The place from which on a write acts on the picture.
    pub fn effect(&self, event: &Event) -> Option<Place> {
        let delay = effect_delay(event.address).filter(|_| event.is_write())?;
        let (line, cycle) = self.beam(event.now);
        let clock = 2 * u16::from(cycle) + delay;
        Some(if clock < 228 {
            Place { line, clock }
        } else {
            Place {
                line: (line + 1) % self.lines.max(1),
                clock: clock - 228,
            }
        })
    }

    /// The value of a register of GTIA or ANTIC at the start.
    pub fn value_before(&self, address: u16) -> Option<u8> {
        match address >> 8 {
            0xD0 => self.before.get(usize::from(address & 31)).copied(),
            0xD4 => self.before.get(32 + usize::from(address & 15)).copied(),
            _ => None,
        }
    }

    /// The events of a stretch of time.
    pub fn between(&self, from: u64, to: u64) -> &[Event] {
        let first = self.events.partition_point(|event| event.now < from);
        let last = self.events.partition_point(|event| event.now < to);
        &self.events[first..last.max(first)]
    }

    /// The display list's instruction for a line.
    pub fn list_line(&self, line: u16) -> Option<&ListLine> {
        let (first, _) = self.beam(self.start);
        self.list.get(usize::from(line.checked_sub(first)?))
    }

    /// Text of an event.
    pub fn line(&self, event: &Event, name: &dyn Fn(u16) -> Option<String>) -> String {
        let (line, cycle) = self.beam(event.now);
        let address = name(event.address).unwrap_or_else(|| format!("${:04X}", event.address));
        let what = match event.kind {
            Kind::Read => format!("read  {address} = ${:02X}", event.data),
            Kind::Write => format!("write {address} = ${:02X}", event.data),
            Kind::Edit => format!("edit  {address} = ${:02X}", event.data),
            Kind::Nmi => "NMI".to_owned(),
            Kind::Irq => "IRQ".to_owned(),
            Kind::Refresh => "refresh".to_owned(),
            Kind::Entry(entry) => format!("{entry:?} handler begins"),
            Kind::Routine => format!("DLI routine {address} begins"),
            Kind::Return => "RTI done".to_owned(),
            kind => format!(
                "DMA   {kind:?} ${:04X} = ${:02X}",
                event.address, event.data
            ),
        };
        let by = if matches!(event.kind, Kind::Read | Kind::Write) {
            let by = name(event.pc).unwrap_or_else(|| format!("${:04X}", event.pc));
            format!("  by {by}")
        } else {
            String::new()
        };
        let seen = self
            .effect(event)
            .and_then(Place::pixel)
            .map_or(String::new(), |(x, y)| format!("  from pixel {x},{y}"));
        format!("line {line:3} cycle {cycle:3}  {what}{by}{seen}")
    }
}

/// The probe that makes a [`FrameLog`].
#[derive(Clone, Debug)]
pub struct Recorder {
    log: FrameLog,
    /// True if it also records the bytes that the line buffer and the shift register took.
    details: bool,
    pc: u16,
    vector: Option<Entry>,
    /// A display list interrupt is on its way to its routine.
    to_routine: bool,
    /// S when the current instruction began; `None` before the first one seen.
    s: Option<u8>,
    irq: bool,
    /// An interrupt handler runs in decimal mode, which it has not chosen.
    inherits_decimal: bool,
    stepped: bool,
    fetched: Option<(u16, u64)>,
    scan_set: Option<(u16, u64)>,
    /// The processor's last access.
    access: Option<(u64, u16)>,
}

impl Recorder {
    /// A recording that begins at the machine's present cycle.
    pub fn new(machine: &Machine) -> Self {
        let beam = machine.beam();
        let now = machine.now();
        let lines = machine.bus().video.antic.lines();
        let log = FrameLog {
            start: now,
            frame_start: now - u64::from(beam.line) * LINE - u64::from(beam.cycle),
            lines,
            before: (0..32)
                .map(|register| machine.bus().video.gtia.written(register))
                .chain((0..16).map(|register| machine.bus().video.antic.written(register)))
                .collect(),
            events: Vec::with_capacity(16_000),
            owners: Vec::with_capacity(usize::from(lines) * LINE as usize),
            ..FrameLog::default()
        };
        Self {
            log,
            details: false,
            pc: machine.cpu.instruction(),
            vector: None,
            to_routine: false,
            s: None,
            irq: cpu6502::Bus::irq(machine.bus()),
            inherits_decimal: false,
            stepped: true,
            fetched: None,
            scan_set: None,
            access: None,
        }
    }

    /// Records also the bytes that the line buffer and the shift register took.
    #[must_use]
    pub(crate) fn with_details(mut self) -> Self {
        self.details = true;
        self
    }

    /// The recording, which ends at the machine's present cycle.
    pub fn finish(mut self, machine: &Machine) -> FrameLog {
        let cycles = (machine.now() - self.log.start) as usize;
        self.log.owners.resize(cycles, Owner::Stalled);
        // The playfield's fetches are reported a cycle late.
        self.log.events.sort_by_key(|event| event.now);
        self.log
    }

    /// The user writes a byte before this cycle.
    pub(crate) fn edited(&mut self, now: u64, address: u16, data: u8) {
        self.log.events.push(Event {
            now,
            kind: Kind::Edit,
            address,
            data,
            pc: self.pc,
        });
    }

    /// The events recorded so far; those of the last cycle may be missing.
    pub fn log(&self) -> &FrameLog {
        &self.log
    }

    /// A virtual fetch in this cycle takes the byte on the bus.
    fn pass(&mut self, now: u64) {
        if let Some((_, address)) = self.access.filter(|&(at, _)| at == now) {
            self.log.passed.push((now, address));
        }
    }

    fn own(&mut self, now: u64, owner: Owner) {
        let index = (now - self.log.start) as usize;
        if index >= self.log.owners.len() {
            // Cycles without a report are those in which RDY stops the processor.
            self.log.owners.resize(index + 1, Owner::Stalled);
        }
        self.log.owners[index] = owner;
    }

    fn push(&mut self, now: u64, kind: Kind, address: u16, data: u8) {
        self.log.events.push(Event {
            now,
            kind,
            address,
            data,
            pc: self.pc,
        });
    }

    fn begin_instruction(&mut self, cpu: &Cpu, bus: &Bus, now: u64) {
        let registers = Registers {
            axy: [cpu.a, cpu.x, cpu.y],
            s: cpu.s,
            p: cpu.p(),
        };
        if let Some(s) = self.s.replace(cpu.s)
            && cpu.opcode() == RTI
        {
            self.push(now, Kind::Return, self.pc, s);
            self.log.registers.push(registers);
        }
        self.pc = cpu.pc;
        if let Some(entry) = self.vector.take() {
            self.push(now, Kind::Entry(entry), cpu.pc, cpu.s);
            self.log.registers.push(registers);
            self.to_routine = entry == Entry::Dli;
            self.inherits_decimal = registers.p & flags::D != 0;
        }
        if self.inherits_decimal && !cpu.at_interrupt_start() {
            match OPCODES[usize::from(bus.peek(cpu.pc))].operation {
                Operation::Cld | Operation::Sed | Operation::Rti => self.inherits_decimal = false,
                Operation::Adc
                | Operation::Sbc
                | Operation::Arr
                | Operation::Isc
                | Operation::Rra => {
                    self.inherits_decimal = false;
                    self.log.decimals.push((now, cpu.pc));
                }
                _ => {}
            }
        }
        if self.to_routine && !cpu.at_interrupt_start() {
            let routine = u16::from_le_bytes([bus.peek(VDSLST), bus.peek(VDSLST + 1)]);
            if cpu.pc == routine {
                self.push(now, Kind::Routine, routine, 0);
            }
            self.to_routine = cpu.pc != routine && bus.peek(cpu.pc) != RTI;
        }
    }

    fn list_line(&mut self, bus: &Bus) {
        let antic = &bus.video.antic;
        self.log.list.push(ListLine {
            instruction: antic.current_instruction(),
            row: antic.row(),
            fetched: self.fetched,
            scan_set: self.scan_set,
            window: (antic.an().from, antic.an().to),
        });
    }
}

impl Probe for Recorder {
    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> bool {
        let now = bus.now();
        if let Some(vector) = cpu.at_vector() {
            self.vector = Some(Entry::of_vector(vector, bus));
        }
        if std::mem::take(&mut self.stepped) && cpu.at_instruction_start() {
            self.begin_instruction(cpu, bus, now);
        }
        let irq = cpu6502::Bus::irq(bus);
        if irq != self.irq {
            self.irq = irq;
            if irq {
                self.push(now, Kind::Irq, 0, 0);
            }
        }
        let line = (now - self.log.frame_start) / LINE;
        let first = (self.log.start - self.log.frame_start) / LINE;
        let cycle = (now - self.log.frame_start) % LINE;
        if cycle == 8 && self.log.list.len() as u64 == line - first
            || cycle == 113 && self.log.list.len() as u64 == line - first
        {
            self.list_line(bus);
        }
        false
    }

    fn read(&mut self, now: u64, address: u16, data: u8) {
        self.own(now, Owner::Cpu);
        self.stepped = true;
        self.access = Some((now, address));
        if is_chip(address) {
            self.push(now, Kind::Read, address, data);
        }
    }

    fn written(&mut self, now: u64, address: u16, data: u8) {
        self.own(now, Owner::Cpu);
        self.stepped = true;
        self.access = Some((now, address));
        self.push(now, Kind::Write, address, data);
    }

    fn dma(&mut self, now: u64, kind: Dma, address: u16, data: u8) {
        let (owner, kind) = match kind {
            Dma::Missiles => (Owner::Objects, Kind::Missiles),
            Dma::Player(n) => (Owner::Objects, Kind::Player(n)),
            Dma::List => (Owner::List, Kind::List),
            Dma::Operand(n) => (Owner::List, Kind::Operand(n)),
            Dma::Refresh => (Owner::Refresh, Kind::Refresh),
        };
        match kind {
            Kind::List => self.fetched = Some((address, now)),
            Kind::Operand(1) => self.scan_set = Some((address, now)),
            _ => {}
        }
        self.own(now, owner);
        self.push(now, kind, address, data);
    }

    fn loaded(&mut self, line: u64, load: Load) {
        let now = line + u64::from(load.cycle);
        if let Some(address) = load.address {
            let (owner, kind) = if load.text {
                (Owner::Name, Kind::Name)
            } else {
                (Owner::Bitmap, Kind::Bitmap)
            };
            self.own(now, owner);
            self.push(now, kind, address, load.data);
        }
        if self.details {
            self.log.loads.push((now, load));
            if load.address.is_none() {
                self.pass(now);
            }
        }
    }

    fn shown(&mut self, line: u64, show: Show) {
        let now = line + u64::from(show.cycle);
        if let Some(address) = show.glyph {
            self.own(now, Owner::Glyph);
            self.push(now, Kind::Glyph, address, show.raw);
        }
        if self.details {
            self.log.shows.push((now, show));
            if show.text && show.glyph.is_none() {
                self.pass(now);
            }
        }
    }

    fn cut(&mut self, now: u64, from: u16) {
        self.log.cuts.push((now, from));
    }

    fn nmi(&mut self, now: u64) {
        self.push(now, Kind::Nmi, 0, 0);
    }
}
