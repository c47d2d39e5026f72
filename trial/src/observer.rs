//! The probe of a test: looks at every instruction for the rules, for coverage, and for the place where a step ends.
use crate::file::Rules;
use cpu6502::Cpu;
use cpu6502::opcodes::{Access, Mode, OPCODES};
use debugger::{is_chip, is_ram};
use machine::{Bus, Dma, Probe};

/// Faults of a kind that are told.
const MOST: usize = 5;
/// ANTIC's NMIEN, and its bit for the vertical blank interrupt.
const NMIEN: u8 = 14;
const VBI: u8 = 0x40;
const JSR: u8 = 0x20;
const RTI: u8 = 0x40;
const RTS: u8 = 0x60;
const PLA: u8 = 0x68;
const PLP: u8 = 0x28;

/// An instruction of the program that breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It writes to an address without RAM: the instruction, the address.
    RomWrite(u16, u16),
    /// It reads RAM that nothing has written: the instruction, the address.
    Uninitialised(u16, u16),
}

/// A stretch between two places that is measured.
#[derive(Clone, Debug)]
pub struct Measured {
    from: u16,
    to: u16,
    since: Option<u64>,
    /// Machine cycles of the longest one.
    pub longest: Option<u64>,
}

/// The probe.
#[derive(Debug)]
pub struct Observer {
    rules: Rules,
    /// The processor made an access in the last cycle.
    stepped: bool,
    /// The next read is the opcode of an instruction that may end or begin a stretch.
    fetching: bool,
    /// The instruction that runs, and whether it is the program's: not in the ROM of the OS or BASIC.
    pc: u16,
    own: bool,
    /// An instruction of the program has run.
    pub begun: bool,
    /// The OS clears memory: nothing is initialised by that.
    clearing: bool,
    written: Box<[u64; 1024]>,
    faults: Vec<Fault>,
    /// Stretches to be measured, as the rules have them.
    pub stretches: Vec<Measured>,
    /// Bytes on the stack at most, and the instruction before which they were there.
    pub deepest: (u8, u16),
    /// Number of times that an instruction at each address has begun; empty when no report needs it.
    pub counts: Vec<u32>,
    /// Addresses that were read as data while that was counted.
    data: Vec<bool>,
    /// Stops before an instruction here.
    pub stop: Option<u16>,
    /// The program is a cartridge.
    cartridge: bool,
}

impl Observer {
    /// A probe for these rules, from power-on; `stretches` are the addresses of those that are measured.
    pub fn new(rules: &Rules, stretches: &[(u16, u16)], cover: bool, cartridge: bool) -> Self {
        let measured = |&(from, to): &(u16, u16)| Measured {
            from,
            to,
            since: None,
            longest: None,
        };
        Self {
            rules: rules.clone(),
            stepped: true,
            fetching: false,
            pc: 0,
            own: false,
            begun: false,
            clearing: true,
            written: Box::new([0; 1024]),
            faults: Vec::new(),
            stretches: stretches.iter().map(measured).collect(),
            deepest: (0, 0),
            counts: if cover { vec![0; 0x10000] } else { Vec::new() },
            data: if cover {
                vec![false; 0x10000]
            } else {
                Vec::new()
            },
            stop: None,
            cartridge,
        }
    }

    /// Another machine begins: nothing is written in it.
    pub fn begin_again(&mut self) {
        *self.written = [0; 1024];
        self.begun = false;
        self.clearing = true;
        for stretch in &mut self.stretches {
            stretch.since = None;
        }
    }

    /// True if an address was read by an instruction elsewhere, or by DMA.
    pub fn is_data(&self, address: u16) -> bool {
        self.data
            .get(usize::from(address))
            .is_some_and(|data| *data)
    }

    fn read_as_data(&mut self, address: u16) {
        // Before the program begins the OS clears memory, and reads what it is going to write.
        if self.begun
            && let Some(data) = self.data.get_mut(usize::from(address))
        {
            *data = true;
        }
    }

    /// Faults in the order of time, each instruction once.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Memory from an address to another one was filled from outside.
    pub fn fill(&mut self, from: u16, to: u16) {
        for address in from..=to {
            self.mark(address);
        }
    }

    fn mark(&mut self, address: u16) {
        self.written[usize::from(address >> 6)] |= 1 << (address & 63);
    }

    fn is_fresh(&self, address: u16, bus: &Bus) -> bool {
        self.written[usize::from(address >> 6)] >> (address & 63) & 1 == 0 && is_ram(address, bus)
    }

    fn add(&mut self, fault: Fault) {
        let (kind, at) = (std::mem::discriminant(&fault), fault.at());
        let mut same = self
            .faults
            .iter()
            .filter(|known| std::mem::discriminant(*known) == kind);
        if same.clone().count() < MOST && same.all(|known| known.at() != at) {
            self.faults.push(fault);
        }
    }

    /// True for an instruction of the program: in RAM or in a cartridge, not in the ROM of the OS or of BASIC.
    fn is_program(&self, pc: u16, bus: &Bus) -> bool {
        is_ram(pc, bus)
            || self.cartridge
                && match pc {
                    0x8000..=0x9FFF => true,
                    0xA000..=0xBFFF => bus.memory.cartridge_at_a000(),
                    _ => false,
                }
    }

    /// The opcode of an instruction is fetched: what waits for the end of a line before that belongs to the instruction before.
    fn fetched(&mut self, now: u64) {
        let pc = self.pc;
        for stretch in &mut self.stretches {
            if stretch.to == pc
                && let Some(since) = stretch.since.take()
            {
                stretch.longest = stretch.longest.max(Some(now - since));
            }
            if stretch.from == pc {
                stretch.since = Some(now);
            }
        }
    }

    /// An instruction begins.
    fn instruction(&mut self, cpu: &Cpu, bus: &Bus) {
        let pc = cpu.pc;
        self.pc = pc;
        self.own = self.is_program(pc, bus);
        self.begun |= self.own;
        self.clearing = !self.begun && bus.video.antic.written(NMIEN) & VBI == 0;
        if let Some(count) = self.counts.get_mut(usize::from(pc)) {
            *count = count.saturating_add(1);
        }
        let depth = 0xFF - cpu.s;
        if self.begun && depth > self.deepest.0 {
            self.deepest = (depth, pc);
        }
        self.fetching = !self.stretches.is_empty();
        if self.own && self.rules.no_uninitialised_reads {
            for address in reads(cpu, bus) {
                if self.is_fresh(address, bus) {
                    self.add(Fault::Uninitialised(pc, address));
                }
            }
        }
    }
}

impl Fault {
    /// The instruction.
    pub fn at(self) -> u16 {
        match self {
            Self::RomWrite(at, _) | Self::Uninitialised(at, _) => at,
        }
    }
}

/// Addresses whose bytes the coming instruction reads and uses. The processor's other reads, such as those of an indexed address before its high
/// byte is right, are left out.
fn reads(cpu: &Cpu, bus: &Bus) -> impl Iterator<Item = u16> {
    let pc = cpu.pc;
    let code = bus.peek(pc);
    let opcode = OPCODES[usize::from(code)];
    let operand = u16::from(bus.peek(pc.wrapping_add(1)));
    let whole = operand | u16::from(bus.peek(pc.wrapping_add(2))) << 8;
    let word = |low: u16, high: u16| u16::from_le_bytes([bus.peek(low), bus.peek(high)]);
    let zero = |index: u8| u16::from((operand as u8).wrapping_add(index));
    let pointer = |at: u16| (at, at.wrapping_add(1) & 0xFF);
    let mut all = [None; 5];
    let effective = match opcode.mode {
        Mode::Zp => Some(operand),
        Mode::ZpX => Some(zero(cpu.x)),
        Mode::ZpY => Some(zero(cpu.y)),
        Mode::Abs if code != JSR && opcode.operation.access() != Access::Other => Some(whole),
        Mode::AbsX => Some(whole.wrapping_add(cpu.x.into())),
        Mode::AbsY => Some(whole.wrapping_add(cpu.y.into())),
        Mode::IndX | Mode::IndY => {
            let at = if opcode.mode == Mode::IndX {
                zero(cpu.x)
            } else {
                operand
            };
            let (low, high) = pointer(at);
            (all[0], all[1]) = (Some(low), Some(high));
            let index = if opcode.mode == Mode::IndY { cpu.y } else { 0 };
            Some(word(low, high).wrapping_add(index.into()))
        }
        Mode::Ind => {
            // The high byte comes from the same page.
            let high = whole & 0xFF00 | whole.wrapping_add(1) & 0x00FF;
            (all[0], all[1]) = (Some(whole), Some(high));
            None
        }
        _ => None,
    };
    if matches!(opcode.operation.access(), Access::Read | Access::Modify) {
        all[2] = effective;
    }
    let pulled = match code {
        PLA | PLP => 1,
        RTS => 2,
        RTI => 3,
        _ => 0,
    };
    let s = cpu.s;
    let stack = (1..=pulled).map(move |n| 0x0100 | u16::from(s.wrapping_add(n)));
    all.into_iter().flatten().chain(stack)
}

impl Probe for Observer {
    const FETCHES: bool = false;

    fn cycle(&mut self, cpu: &Cpu, bus: &Bus) -> bool {
        // While the processor is halted the same access waits.
        if !std::mem::take(&mut self.stepped) {
            return false;
        }
        let begins = cpu.at_instruction_start() && !cpu.at_interrupt_start();
        if begins {
            if self.stop == Some(cpu.pc) {
                // It comes again, and is looked at then.
                self.stepped = true;
                self.stop = None;
                return true;
            }
            self.instruction(cpu, bus);
        }
        if self.own && self.rules.no_rom_writes && cpu.next_is_write() {
            let address = cpu.next_address();
            if !is_chip(address) && !is_ram(address, bus) {
                self.add(Fault::RomWrite(self.pc, address));
            }
        }
        false
    }

    fn read(&mut self, now: u64, address: u16, _: u8) {
        self.stepped = true;
        // An instruction has three bytes at most, and the processor reads one more.
        if address.wrapping_sub(self.pc) > 3 {
            self.read_as_data(address);
        }
        if std::mem::take(&mut self.fetching) {
            self.fetched(now);
        }
    }

    fn dma(&mut self, _: u64, _: Dma, address: u16, _: u8) {
        self.read_as_data(address);
    }

    fn written(&mut self, _: u64, address: u16, _: u8) {
        self.stepped = true;
        // The OS's own variables are cleared for good, the program's memory is not initialised by that.
        let variables = matches!(address, 0..=0x7F | 0x100..=0x5FF);
        if !self.clearing || variables {
            self.mark(address);
        }
    }
}
