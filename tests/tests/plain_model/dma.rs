//! ANTIC cycle by cycle, as AHRM 4.11 and 4.12 describe it: the DMA clock of eight bits, the line buffer with its counters, the shift
//! register. For lines in which DMACTL's width and HSCROL change. The processor is jammed, so that its bus always shows $FF.
use crate::LINE;
use crate::antic::{AnticWrite, Dot, Field, window};
use crate::scene::Scene;

/// The value of a register for a part of the chip that sees writes `delay` cycles later.
fn seen(writes: &[AnticWrite], register: u8, first: u8, time: usize, delay: usize) -> u8 {
    writes
        .iter()
        .rfind(|w| w.register == register && w.line * 114 + w.cycle + delay <= time)
        .map_or(first, |w| w.data)
}

fn ring(mode: u8) -> usize {
    match mode {
        0 | 1 => 0,
        2..=5 | 13..=15 => 2,
        8 | 9 => 8,
        _ => 4,
    }
}

/// Start and stop of the playfield, in cycles of the name's fetch.
struct Edges {
    start: Option<usize>,
    stop: Option<usize>,
    /// The wide stop, for narrower playfields too.
    wide_stop: Option<usize>,
    /// The cycle in which a playfield that is off ends fetches that have missed their stop.
    off: usize,
    /// The stop of one that was off at the wide stop, when it is switched on.
    late_stop: usize,
}

impl Edges {
    fn new(dmactl: u8, scrolled: bool, hscrol: u8) -> Self {
        let delay = if scrolled {
            usize::from(hscrol & 15) / 2
        } else {
            0
        };
        let tier = match dmactl & 3 {
            0 => 0,
            width => 3.min(usize::from(width) + usize::from(scrolled)),
        };
        Self {
            start: (tier != 0).then(|| [0, 26, 18, 10][tier] + delay),
            stop: (tier != 0).then(|| [0, 90, 98, 106][tier] + delay),
            wide_stop: (tier != 0).then_some(106 + delay),
            off: 18 + delay,
            late_stop: 106 + delay,
        }
    }
}

/// The cycle of the first name's fetch.
pub fn start(dmactl: u8, scrolled: bool, hscrol: u8) -> Option<usize> {
    Edges::new(dmactl, scrolled, hscrol).start
}

/// A byte for the shift register.
#[derive(Clone, Copy)]
struct Load {
    byte: u8,
    /// The name that it is the glyph of.
    name: u8,
    /// CHACTL while it was fetched.
    chactl: u8,
    cycle: usize,
}

/// The last row of a mode line.
fn last_row(instruction: u8) -> u8 {
    match instruction & 15 {
        0 => instruction >> 4 & 7,
        2 | 4 | 6 | 8 => 7,
        3 => 9,
        5 | 7 => 15,
        9 | 10 => 3,
        11 | 13 => 1,
        _ => 0,
    }
}

/// The shift register and what acts on its output.
#[derive(Default)]
struct Shifter {
    register: u8,
    /// Colour clocks since the last load; the register has been loaded in even and in odd cycles of the line.
    age: usize,
    parities: u8,
    name: u8,
    chactl: u8,
}

impl Shifter {
    /// One colour clock.
    fn dot(&mut self, mode: u8, load: Option<Load>) -> Dot {
        let (every, bits) = match mode {
            8 if self.parities == 3 => (2, 2),
            8 => (4, 2),
            9 => (2, 1),
            10 => (2, 2),
            6 | 7 | 11 | 12 => (1, 1),
            _ => (1, 2),
        };
        self.age += 1;
        if self.age.is_multiple_of(every) {
            self.register <<= bits;
        }
        if let Some(load) = load {
            self.register |= load.byte;
            self.age = 0;
            self.parities |= 1 << (load.cycle & 1);
            self.name = load.name;
            self.chactl = load.chactl;
        }
        let pair = self.register >> 6;
        let four = |three: u8| match pair {
            0 => Dot::Back,
            3 => Dot::Field(three),
            n => Dot::Field(n - 1),
        };
        let inverse = self.name & 0x80 != 0;
        match mode {
            2 | 3 if inverse => {
                let kept = if self.chactl & 1 != 0 { 0 } else { pair };
                Dot::Pair(if self.chactl & 2 != 0 { kept ^ 3 } else { kept })
            }
            2 | 3 | 15 => Dot::Pair(pair),
            4 | 5 => four(2 + u8::from(inverse)),
            6 | 7 if pair & 2 != 0 => Dot::Field(self.name >> 6),
            9 | 11 | 12 if pair & 2 != 0 => Dot::Field(0),
            8 | 10 | 13 | 14 => four(2),
            _ => Dot::Back,
        }
    }
}

/// The state that lasts from line to line.
struct Chip<'a> {
    scene: &'a Scene,
    writes: &'a [AnticWrite],
    ir: u8,
    row: u8,
    /// Bit 5 of the instruction before, and whether this one ends what it began.
    scrolling: bool,
    ends_region: bool,
    list: u16,
    waiting: bool,
    scan: u16,
    buffer: [u8; 48],
    clock: [bool; 8],
    /// Something was read that the scene does not know.
    lost: bool,
}

fn next_place(place: usize) -> usize {
    (place + 1) % 63
}

impl Chip<'_> {
    fn memory(&mut self, address: u16) -> u8 {
        let byte = self.scene.memory.get(usize::from(address)).copied();
        self.lost |= byte.is_none();
        byte.unwrap_or(0)
    }

    fn step_list(&mut self) {
        self.list = self.list & 0xFC00 | self.list.wrapping_add(1) & 0x3FF;
    }

    fn buffered(&self, place: usize) -> u8 {
        self.buffer.get(place).copied().unwrap_or(0xFF)
    }

    /// A glyph's address without the character's number, and the mask for that.
    fn set(&self, mode: u8, chactl: u8, chbase: u8) -> (u16, u8) {
        let row = if mode == 5 || mode == 7 {
            self.row / 2
        } else {
            self.row
        };
        let reflected = if chactl & 4 != 0 { 7 } else { 0 };
        let (base, mask) = if mode < 6 {
            (chbase & 0xFC, 0x7F)
        } else {
            (chbase & 0xFE, 0x3F)
        };
        (u16::from(base) << 8 | u16::from(row & 7 ^ reflected), mask)
    }

    /// The row of a glyph as it comes into the shift register.
    fn glyph_row(&self, mode: u8, name: u8, data: u8) -> u8 {
        let low = name & 0x60 == 0x60;
        let blank = match self.row {
            0 | 1 => mode == 3 && low,
            8 | 9 => matches!(mode, 2 | 3) && !low,
            _ => false,
        };
        if blank { 0 } else { data }
    }

    fn line(&mut self, line: usize, first: bool) -> Field {
        let scene = self.scene;
        let time = |cycle: usize| line * 114 + cycle;
        let mut loads: Vec<Option<Load>> = vec![None; LINE + 16];
        let (mut name_place, mut glyph_place) = (0, 0);
        let mut started = false;
        let mut bus = [(0xFF, false); 114];
        let mut address_low = None;
        let mut old_ring = ring(self.ir & 15);
        let mut held: Option<usize> = None;
        for cycle in 0..114 {
            // The instruction of cycle 1 acts from cycle 2 on, on the ring from cycle 3 on.
            let mode = self.ir & 15;
            let scrolled = mode > 1 && self.ir & 0x10 != 0;
            let text = (2..8).contains(&mode);
            let writes = self.writes;
            let dmactl = |delay| seen(writes, 0, scene.dmactl, time(cycle), delay);
            let hscrol = |delay| seen(writes, 4, scene.hscrol, time(cycle), delay);
            let chactl = seen(writes, 1, scene.chactl, time(cycle), 1);
            let chbase = seen(writes, 9, scene.chbase, time(cycle), 2);
            let pmbase = seen(writes, 7, scene.pmbase, time(cycle), 1);
            let width = dmactl(1) & 3;
            if ring(mode) == 0 {
                self.clock = [false; 8];
            } else {
                let length = if cycle <= 2 && old_ring != 0 {
                    old_ring
                } else {
                    ring(mode)
                };
                // Switched on after the stop that it was off at: what is in phase with that stop ends.
                let late_stop = Edges::new(0, scrolled, hscrol(2)).late_stop;
                let at = if cycle == 0 { 114 } else { cycle };
                if dmactl(2) & 3 == 0 && width != 0 && at >= late_stop {
                    for age in 0..length {
                        if (at + 7 - age - late_stop).is_multiple_of(length) {
                            self.clock[age] = false;
                        }
                    }
                }
                let back = self.clock[length - 1];
                self.clock.copy_within(..7, 1);
                self.clock[0] = back;
                // Writes are in time two cycles before the start and three before the stop.
                let start = Edges::new(dmactl(2), scrolled, hscrol(2)).start;
                if start == Some(cycle) && !started && cycle > 2 {
                    self.clock[0] = true;
                    started = true;
                }
                let edges = Edges::new(dmactl(3), scrolled, hscrol(3));
                let now = Edges::new(dmactl(1), scrolled, hscrol(1));
                let off = !started
                    && now.off == cycle
                    && (now.start.is_none() || now.start == Some(cycle) && start != now.start);
                if [edges.stop, edges.wide_stop].contains(&Some(cycle)) || off {
                    self.clock[0] = false;
                }
            }
            if cycle >= 2 {
                old_ring = ring(mode);
            }
            let name = text && first && self.clock[0];
            let glyph = text && self.clock[3];
            let bitmap = !text && self.clock[2];
            let real = (1..106).contains(&cycle) && width != 0;
            // The AND of all addresses that are asked for.
            let mut address = None;
            let mut ask = |asked: u16| address = Some(address.unwrap_or(0xFFFF) & asked);
            let (base, mask) = self.set(mode, chactl, chbase);
            let glyph_name = self.buffered(glyph_place);
            if glyph && real {
                ask(base | u16::from(glyph_name & mask) << 3);
            }
            if (name || bitmap && first) && real {
                ask(self.scan);
            }
            let list_on = dmactl(2) & 0x20 != 0;
            let instruction = cycle == 1 && first && list_on && !self.waiting;
            if instruction {
                ask(self.list);
            }
            let one_line = dmactl(2) & 0x10 != 0;
            let place = |section: usize| {
                let base = usize::from(pmbase) << 8;
                let at = if one_line {
                    (base & 0xF800) + 0x100 * section + line
                } else {
                    (base & 0xFC00) + 0x80 * section + line / 2
                };
                at as u16
            };
            let object = match cycle {
                0 => (dmactl(2) & 0xC != 0).then_some(3),
                2..=5 => (dmactl(2) & 8 != 0).then_some(cycle + 2),
                _ => None,
            };
            if let Some(section) = object {
                ask(place(section));
            }
            let jump = mode == 1;
            let operand = matches!(cycle, 6 | 7)
                && list_on
                && !self.waiting
                && (jump || mode > 1 && first && self.ir & 0x40 != 0);
            if operand {
                ask(self.list);
            }
            let data = address.map_or(0xFF, |address| self.memory(address));
            bus[cycle] = (data, address.is_some());
            let load = |byte, name| Load {
                byte,
                name,
                chactl,
                cycle,
            };
            if glyph {
                let row = self.glyph_row(mode, glyph_name, data);
                loads[2 * cycle + 6] = Some(load(row, glyph_name));
                if cycle >= 8 {
                    glyph_place = next_place(glyph_place);
                }
            }
            if name || bitmap && first {
                if let Some(place) = self.buffer.get_mut(name_place) {
                    *place = data;
                }
                if cycle >= 8 {
                    name_place = next_place(name_place);
                }
                self.scan = self.scan & 0xF000 | self.scan.wrapping_add(1) & 0xFFF;
            }
            if bitmap {
                let byte = self.buffered(glyph_place);
                if let Some(before) = held {
                    // The fetch of the cycle before shows this byte, too.
                    loads[2 * before + 8] = Some(Load {
                        cycle: before,
                        ..load(byte, 0)
                    });
                }
                loads[2 * cycle + 8] = Some(load(byte, 0));
                held = Some(cycle);
                if cycle >= 8 {
                    glyph_place = next_place(glyph_place);
                }
            } else {
                held = None;
            }
            if instruction {
                self.step_list();
                self.ir = data;
            }
            // No source says in which cycle a repeated instruction begins.
            self.lost |= cycle == 1 && first && !instruction && self.clock.contains(&true);
            if cycle == 1 && first {
                self.begin_mode_line(seen(writes, 5, scene.vscrol, time(0), 0) & 15);
            }
            if operand && cycle == 6 {
                address_low = Some(data);
                self.step_list();
            } else if operand {
                // Half an address.
                self.lost |= address_low.is_none();
                let target = u16::from_le_bytes([address_low.unwrap_or(0), data]);
                if jump {
                    self.list = target;
                    self.waiting = self.ir & 0x40 != 0;
                } else {
                    self.step_list();
                    self.scan = target;
                    // No source says which comes first, the counter's step or its load.
                    self.lost |= name || bitmap && first;
                }
            }
        }
        // The first cycle of horizontal blank in which the processor was halted is the missiles' for GTIA; the players' come two to
        // five cycles later.
        let missiles = (0..17).find(|&cycle| bus[cycle].1);
        let objects = missiles.map_or(Vec::new(), |at| {
            [0, 2, 3, 4, 5]
                .map(|more| (at + more, bus[at + more].0))
                .to_vec()
        });
        self.field(line, &loads, objects)
    }

    fn begin_mode_line(&mut self, vscrol: u8) {
        let scrolling = self.ir & 15 > 1 && self.ir & 0x20 != 0;
        self.row = if scrolling && !self.scrolling {
            vscrol
        } else {
            0
        };
        self.ends_region = self.scrolling && !scrolling;
        self.scrolling = scrolling;
    }

    /// True if the mode line ends with this line.
    fn ends(&self, line: usize) -> bool {
        let vscrol = seen(self.writes, 5, self.scene.vscrol, line * 114 + 108, 0);
        let last = if self.ends_region {
            vscrol & 15
        } else {
            last_row(self.ir)
        };
        self.row == last
    }

    fn field(&self, line: usize, loads: &[Option<Load>], objects: Vec<(usize, u8)>) -> Field {
        let mode = self.ir & 15;
        let scrolled = mode > 1 && self.ir & 0x10 != 0;
        let mut shifter = Shifter::default();
        // In cycles 0 to 7 the register is held empty.
        let load = |x: usize| loads[x].filter(|load| load.cycle >= 8);
        let mut unknown = LINE;
        let dots = (0..LINE)
            .map(|x| {
                let dot = shifter.dot(mode, load(x));
                // Whether the empty register of a hires mode is inverted as the last name was, the manual says in passing only.
                let inverse = matches!(mode, 2 | 3) && shifter.name & 0x80 != 0;
                if inverse && shifter.age >= 4 && shifter.chactl & 2 != 0 {
                    unknown = unknown.min(x);
                }
                dot
            })
            .collect();
        // The window follows DMACTL, and the delay bit 0 of HSCROL, two colour clocks after the write's cycle began.
        let mut changes = Vec::new();
        let late = |hscrol: u8| usize::from(scrolled && hscrol & 1 != 0);
        let mut dmactl = seen(self.writes, 0, self.scene.dmactl, line * 114, 1);
        let mut hscrol = seen(self.writes, 4, self.scene.hscrol, line * 114, 1);
        changes.push((0, late(hscrol), window(dmactl)));
        for write in self.writes.iter().filter(|w| w.line == line) {
            match write.register {
                0 => dmactl = write.data,
                4 => hscrol = write.data,
                _ => {}
            }
            changes.push((2 * write.cycle + 2, late(hscrol), window(dmactl)));
        }
        Field {
            hires: matches!(mode, 2 | 3 | 15),
            dots,
            unknown,
            changes,
            quiet: false,
            objects: Some(objects),
        }
    }
}

/// A frame after two without writes: the lines of the display up to where the scene knows no more.
pub fn playfield(scene: &Scene, writes: &[AnticWrite]) -> Vec<Field> {
    let mut chip = Chip {
        scene,
        writes: &[],
        ir: 0x01,
        row: 0,
        scrolling: false,
        ends_region: false,
        list: scene.list,
        waiting: false,
        scan: 0,
        buffer: [0; 48],
        clock: [false; 8],
        lost: false,
    };
    chip.frame();
    chip.frame();
    chip.writes = writes;
    chip.frame()
}

impl Chip<'_> {
    fn frame(&mut self) -> Vec<Field> {
        let blank = Field {
            hires: false,
            dots: vec![Dot::Back; LINE],
            unknown: LINE,
            changes: Vec::new(),
            quiet: true,
            objects: None,
        };
        let mut fields = vec![blank; 8];
        let mut first = true;
        self.waiting = false;
        self.ir &= !0x40;
        self.clock = [false; 8];
        while fields.len() < 248 {
            if !first {
                self.row = (self.row + 1) & 15;
            }
            let field = self.line(fields.len(), first);
            if self.lost {
                break;
            }
            let line = fields.len();
            for write in self
                .writes
                .iter()
                .filter(|w| (w.line, w.register) == (line, 2))
            {
                self.list = self.list & 0xFF00 | u16::from(write.data);
            }
            fields.push(field);
            first = self.ends(line);
        }
        fields
    }
}
