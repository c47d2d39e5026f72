//! A machine whose registers are written in exact cycles, and whose processor does nothing unless it is told to.
use machine::{Bus, Config, Machine, Model, Probe, Tv};

/// The address of display lists.
pub const LIST: u16 = 0x0600;
/// The address of programs.
pub const PROGRAM: u16 = 0x2000;
/// The NMI handler stores A here, the IRQ handler at the next address.
pub const NMI_SEEN: u16 = 0x90;
pub const IRQ_SEEN: u16 = 0x91;

pub struct Rig {
    pub machine: Machine,
}

impl Rig {
    pub fn new() -> Self {
        Self::of(Model::Xl800, Tv::Ntsc)
    }

    /// A machine with an OS that waits; the vectors lead to STA $90, RTI and STA $91, RTI.
    pub fn of(model: Model, tv: Tv) -> Self {
        Self::with(model, tv, &[0x85, 0x91, 0x40])
    }

    /// A machine of [`Self::new`] with another IRQ handler.
    pub fn with_irq_handler(handler: &[u8]) -> Self {
        Self::with(Model::Xl800, Tv::Ntsc, handler)
    }

    fn with(model: Model, tv: Tv, irq_handler: &[u8]) -> Self {
        let size = if matches!(model, Model::Xl800 | Model::Xe130) {
            0x4000
        } else {
            0x2800
        };
        let mut os = vec![0xEA; size];
        let start = size - 0x1000;
        os[start..start + 3].copy_from_slice(&[0x4C, 0x00, 0xF0]);
        os[start + 0x10..start + 0x13].copy_from_slice(&[0x85, 0x90, 0x40]);
        os[start + 0x20..][..irq_handler.len()].copy_from_slice(irq_handler);
        os[size - 6..].copy_from_slice(&[0x10, 0xF0, 0x00, 0xF0, 0x20, 0xF0]);
        let mut machine = Machine::new(&Config {
            model,
            tv,
            os: os.into(),
            basic: None,
            cartridge: None,
            second: None,
            seed: 11,
            extras: machine::Extras::default(),
        })
        .unwrap();
        machine.run_frame();
        Self { machine }
    }

    /// A display list, at the end of which ANTIC waits.
    pub fn list(mut self, list: &[u8], dmactl: u8) -> Self {
        self.put(LIST, list);
        self.put(
            LIST + list.len() as u16,
            &[0x41, LIST as u8, (LIST >> 8) as u8],
        );
        self.antic(0, 10, 2, LIST as u8);
        self.antic(0, 11, 3, (LIST >> 8) as u8);
        self.antic(0, 12, 0, dmactl);
        self
    }

    /// Registers of GTIA.
    pub fn gtia_set(mut self, registers: &[(u8, u8)]) -> Self {
        for &(register, data) in registers {
            let cycle = self.machine.beam().cycle;
            self.machine.pins().gtia(register, data, cycle.into());
        }
        self
    }

    pub fn put(&mut self, address: u16, bytes: &[u8]) {
        for (i, &byte) in bytes.iter().enumerate() {
            self.machine.poke(address.wrapping_add(i as u16), byte);
        }
    }

    /// Runs until the beam is before `cycle` of `line`, in this frame or the next.
    pub fn to(&mut self, line: u16, cycle: u8) {
        let lines = u64::from(self.machine.bus().video.antic.lines());
        let beam = self.machine.beam();
        let here = u64::from(beam.line) * 114 + u64::from(beam.cycle);
        let there = u64::from(line) * 114 + u64::from(cycle);
        let frame = lines * 114;
        self.machine.run_cycles((there + frame - here) % frame);
    }

    /// A write of one of ANTIC's registers in that cycle (not 113).
    pub fn antic(&mut self, line: u16, cycle: u8, register: u8, data: u8) {
        self.to(line, cycle + 1);
        self.machine.pins().antic(register, data, cycle.into());
    }

    /// A write of one of GTIA's registers in that cycle.
    pub fn gtia(&mut self, line: u16, cycle: u8, register: u8, data: u8) {
        self.to(line, cycle + 1);
        self.machine.pins().gtia(register, data, cycle.into());
    }

    /// The value of a read of one of ANTIC's registers in that cycle.
    pub fn antic_read(&mut self, line: u16, cycle: u8, register: u8) -> u8 {
        self.to(line, cycle + 1);
        self.machine.pins().antic_read(register, cycle.into())
    }

    /// The value of a read of one of GTIA's registers at the beginning of a line.
    pub fn gtia_read(&mut self, line: u16, register: u8) -> u8 {
        self.to(line, 0);
        self.machine.peek(0xD000 + u16::from(register))
    }

    /// Lets a program begin in that cycle.
    pub fn program(&mut self, line: u16, cycle: u8, program: &[u8]) {
        self.to(line, cycle);
        self.put(PROGRAM, program);
        self.machine.cpu.set_pc(PROGRAM);
    }

    /// The scan counter at the beginning of a line.
    pub fn scan(&mut self, line: u16) -> u16 {
        self.to(line, 0);
        self.machine.bus().video.antic.memory_scan()
    }

    /// The colour of each colour clock of a line of the frame that ends next.
    pub fn colours(&mut self, line: usize) -> Vec<u8> {
        self.machine.run_frame();
        let mut colours = vec![0; 34];
        colours.extend(self.machine.frame().line(line).chunks(2).map(|two| two[0]));
        colours
    }

    /// The cycles in which the processor writes to `address` during the next `cycles` cycles.
    pub fn writes(&mut self, cycles: u64, address: u16) -> Vec<(u16, u8)> {
        let mut writes = Writes(address, Vec::new());
        self.machine.run_cycles_with(cycles, &mut writes);
        writes.1
    }
}

/// Notes when the processor writes to an address.
struct Writes(u16, Vec<(u16, u8)>);

impl Probe for Writes {
    fn cycle(&mut self, cpu: &cpu6502::Cpu, bus: &Bus) -> bool {
        if cpu.next_is_write() && cpu.next_address() == self.0 {
            let beam = bus.beam();
            // A write that DMA holds up is tried again.
            let again = self
                .1
                .last()
                .is_some_and(|l| l.0 == beam.line && l.1 + 1 == beam.cycle);
            if again {
                self.1.pop();
            }
            self.1.push((beam.line, beam.cycle));
        }
        false
    }
}
