//! ANTIC, GTIA, POKEY and PIA: registers as programs wrote them and as they read.

use machine::Machine;

/// The registers in a line of a chip's view: names and values.
pub type ChipRow = Vec<(&'static str, String)>;

/// Text of rows of registers.
fn text(rows: Vec<ChipRow>) -> Vec<String> {
    let register = |(name, value)| format!("{name} {value}");
    let line = |row: ChipRow| {
        let registers: Vec<String> = row.into_iter().map(register).collect();
        registers.join("  ")
    };
    rows.into_iter().map(line).collect()
}

fn byte(value: u8) -> String {
    format!("{value:02X}")
}

/// ANTIC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Antic {
    /// The beam's scan line, 0 to 261 or 311.
    pub line: u16,
    /// The machine cycle of the line that comes next, 0 to 113.
    pub cycle: u8,
    /// DMACTL, as it acts.
    pub dmactl: u8,
    /// CHACTL, as it acts.
    pub chactl: u8,
    /// The display list counter.
    pub dlist: u16,
    /// HSCROL.
    pub hscrol: u8,
    /// VSCROL.
    pub vscrol: u8,
    /// PMBASE.
    pub pmbase: u8,
    /// CHBASE.
    pub chbase: u8,
    /// NMIEN.
    pub nmien: u8,
    /// NMIST.
    pub nmist: u8,
    /// VCOUNT.
    pub vcount: u8,
    /// The instruction being shown.
    pub instruction: u8,
    /// The row of the mode line.
    pub row: u8,
    /// The memory scan counter.
    pub scan: u16,
}

impl Antic {
    /// The ANTIC of a machine.
    pub fn of(machine: &Machine) -> Self {
        let antic = &machine.bus().video.antic;
        let beam = machine.beam();
        Self {
            line: beam.line,
            cycle: beam.cycle,
            dmactl: antic.written(0x0),
            chactl: antic.written(0x1),
            dlist: antic.display_list(),
            hscrol: antic.written(0x4),
            vscrol: antic.written(0x5),
            pmbase: antic.written(0x7),
            chbase: antic.written(0x9),
            nmien: antic.written(0xE),
            nmist: machine.peek(0xD40F),
            vcount: machine.peek(0xD40B),
            instruction: antic.current_instruction(),
            row: antic.row(),
            scan: antic.memory_scan(),
        }
    }

    /// Its registers by lines.
    pub fn rows(&self) -> Vec<ChipRow> {
        let width = ["off", "narrow", "normal", "wide"][usize::from(self.dmactl & 3)];
        let dma = |bit: u8, name: &str| {
            if self.dmactl & bit != 0 {
                format!(" {name}")
            } else {
                String::new()
            }
        };
        let dmactl = format!(
            "{:02X}: playfield {width}{}{}{}",
            self.dmactl,
            dma(0x20, "list"),
            dma(8, "players"),
            dma(4, "missiles")
        );
        vec![
            vec![
                ("line", format!("{:3} cycle {:3}", self.line, self.cycle)),
                ("VCOUNT", byte(self.vcount)),
            ],
            vec![("DMACTL", dmactl)],
            vec![
                ("DLIST", format!("{:04X}", self.dlist)),
                ("instruction", byte(self.instruction)),
                ("row", format!("{:2}", self.row)),
                ("scan", format!("{:04X}", self.scan)),
            ],
            vec![
                ("CHACTL", byte(self.chactl)),
                ("CHBASE", byte(self.chbase)),
                ("PMBASE", byte(self.pmbase)),
                ("HSCROL", format!("{:X}", self.hscrol)),
                ("VSCROL", format!("{:X}", self.vscrol)),
            ],
            vec![("NMIEN", byte(self.nmien)), ("NMIST", byte(self.nmist))],
        ]
    }

    /// Text.
    pub fn lines(&self) -> Vec<String> {
        text(self.rows())
    }
}

/// GTIA.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gtia {
    /// HPOSP0-3, HPOSM0-3.
    pub hpos: [u8; 8],
    /// SIZEP0-3, SIZEM.
    pub size: [u8; 5],
    /// GRAFP0-3, GRAFM.
    pub graf: [u8; 5],
    /// COLPM0-3, COLPF0-3, COLBK.
    pub colours: [u8; 9],
    /// PRIOR.
    pub prior: u8,
    /// VDELAY.
    pub vdelay: u8,
    /// GRACTL.
    pub gractl: u8,
    /// CONSOL as written: bit 3 is the speaker.
    pub consol: u8,
    /// M0PF-M3PF, P0PF-P3PF, M0PL-M3PL, P0PL-P3PL, as drawn up to now.
    pub collisions: [u8; 16],
    /// TRIG0-3.
    pub triggers: [u8; 4],
    /// CONSOL as read.
    pub keys: u8,
}

impl Gtia {
    /// The GTIA of a machine.
    pub fn of(machine: &Machine) -> Self {
        let gtia = &machine.bus().video.gtia;
        let written = |register: usize| gtia.written(register as u8);
        let read = |register: usize| machine.peek(0xD000 + register as u16);
        Self {
            hpos: std::array::from_fn(written),
            size: std::array::from_fn(|n| written(0x08 + n)),
            graf: std::array::from_fn(|n| written(0x0D + n)),
            colours: std::array::from_fn(|n| written(0x12 + n)),
            prior: written(0x1B),
            vdelay: written(0x1C),
            gractl: written(0x1D),
            consol: written(0x1F),
            collisions: std::array::from_fn(read),
            triggers: std::array::from_fn(|n| read(0x10 + n)),
            keys: read(0x1F),
        }
    }

    /// Its registers by lines.
    pub fn rows(&self) -> Vec<ChipRow> {
        vec![
            vec![
                ("COLPM", hexadecimal(&self.colours[..4])),
                ("COLPF", hexadecimal(&self.colours[4..8])),
                ("COLBK", byte(self.colours[8])),
            ],
            vec![
                ("HPOSP", hexadecimal(&self.hpos[..4])),
                ("HPOSM", hexadecimal(&self.hpos[4..])),
            ],
            vec![
                ("GRAFP", hexadecimal(&self.graf[..4])),
                ("GRAFM", byte(self.graf[4])),
            ],
            vec![
                ("SIZEP", hexadecimal(&self.size[..4])),
                ("SIZEM", byte(self.size[4])),
            ],
            vec![
                ("PRIOR", byte(self.prior)),
                ("VDELAY", byte(self.vdelay)),
                ("GRACTL", byte(self.gractl)),
                ("CONSOL", byte(self.keys)),
            ],
            vec![
                ("MxPF", digits(&self.collisions[..4])),
                ("PxPF", digits(&self.collisions[4..8])),
            ],
            vec![
                ("MxPL", digits(&self.collisions[8..12])),
                ("PxPL", digits(&self.collisions[12..])),
            ],
            vec![("TRIG", digits(&self.triggers))],
        ]
    }

    /// Text.
    pub fn lines(&self) -> Vec<String> {
        text(self.rows())
    }
}

/// POKEY.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pokey {
    /// AUDF1-4.
    pub audf: [u8; 4],
    /// AUDC1-4.
    pub audc: [u8; 4],
    /// AUDCTL.
    pub audctl: u8,
    /// IRQEN.
    pub irqen: u8,
    /// IRQST: 0 = asks for an interrupt.
    pub irqst: u8,
    /// SKCTL.
    pub skctl: u8,
    /// SKSTAT.
    pub skstat: u8,
    /// KBCODE.
    pub kbcode: u8,
    /// RANDOM.
    pub random: u8,
    /// The level of the IRQ line: true = pulled low.
    pub irq: bool,
}

impl Pokey {
    /// The POKEY of a machine.
    pub fn of(machine: &Machine) -> Self {
        let pokey = &machine.bus().io.pokey;
        Self {
            audf: std::array::from_fn(|n| pokey.written(2 * n as u8)),
            audc: std::array::from_fn(|n| pokey.written(2 * n as u8 + 1)),
            audctl: pokey.written(8),
            irqen: pokey.written(14),
            irqst: machine.peek(0xD20E),
            skctl: pokey.written(15),
            skstat: machine.peek(0xD20F),
            kbcode: machine.peek(0xD209),
            random: machine.peek(0xD20A),
            irq: cpu6502::Bus::irq(machine.bus()),
        }
    }

    /// Its registers by lines.
    pub fn rows(&self) -> Vec<ChipRow> {
        let irq = if self.irq { "low" } else { "high" };
        vec![
            vec![
                ("AUDF", hexadecimal(&self.audf)),
                ("AUDC", hexadecimal(&self.audc)),
                ("AUDCTL", byte(self.audctl)),
            ],
            vec![
                ("IRQEN", byte(self.irqen)),
                ("IRQST", byte(self.irqst)),
                ("IRQ", irq.to_owned()),
            ],
            vec![
                ("SKCTL", byte(self.skctl)),
                ("SKSTAT", byte(self.skstat)),
                ("KBCODE", byte(self.kbcode)),
                ("RANDOM", byte(self.random)),
            ],
        ]
    }

    /// Text.
    pub fn lines(&self) -> Vec<String> {
        text(self.rows())
    }
}

/// The PIA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pia {
    /// PORTA as a read would give it: the port, or its direction if PACTL says so.
    pub porta: u8,
    /// PORTB likewise.
    pub portb: u8,
    /// PACTL.
    pub pactl: u8,
    /// PBCTL.
    pub pbctl: u8,
}

impl Pia {
    /// The PIA of a machine.
    pub fn of(machine: &Machine) -> Self {
        let read = |register: u16| machine.peek(0xD300 + register);
        Self {
            porta: read(0),
            portb: read(1),
            pactl: read(2),
            pbctl: read(3),
        }
    }

    /// Its registers by lines.
    pub fn rows(&self) -> Vec<ChipRow> {
        vec![vec![
            ("PORTA", byte(self.porta)),
            ("PORTB", byte(self.portb)),
            ("PACTL", byte(self.pactl)),
            ("PBCTL", byte(self.pbctl)),
        ]]
    }

    /// Text.
    pub fn lines(&self) -> Vec<String> {
        text(self.rows())
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|byte| format!("{byte:02X}"))
        .collect::<Vec<_>>()
        .join(" ")
}

fn digits(bytes: &[u8]) -> String {
    let digit = |&byte: &u8| char::from_digit(u32::from(byte & 15), 16).unwrap_or('?');
    bytes.iter().map(digit).collect::<String>().to_uppercase()
}
