//! The display list, decoded.

use machine::Machine;

/// An instruction of a display list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its address.
    pub address: u16,
    /// Its byte.
    pub instruction: u8,
    /// The address of LMS or of a jump.
    pub operand: Option<u16>,
    /// True if ANTIC shows it now.
    pub current: bool,
}

impl Entry {
    fn at(machine: &Machine, address: u16) -> Self {
        let instruction = machine.peek(address);
        let mode = instruction & 15;
        let has_operand = mode == 1 || mode >= 2 && instruction & 0x40 != 0;
        let operand = has_operand.then(|| {
            let low = next(address);
            u16::from_le_bytes([machine.peek(low), machine.peek(next(low))])
        });
        Self {
            address,
            instruction,
            operand,
            current: false,
        }
    }

    /// Bytes.
    pub fn length(&self) -> u16 {
        if self.operand.is_some() { 3 } else { 1 }
    }

    /// True if it is the wait for vertical blank.
    pub fn is_jvb(&self) -> bool {
        self.instruction & 0x4F == 0x41
    }

    /// The address after it; the counter wraps within 1K.
    pub fn next(&self) -> u16 {
        (0..self.length()).fold(self.address, |address, _| next(address))
    }

    /// Text: its contents, with its options.
    pub fn text(&self) -> String {
        let instruction = self.instruction;
        let mode = instruction & 15;
        let mut text = match (mode, self.operand) {
            (0, _) => format!("{} blank", (instruction >> 4 & 7) + 1),
            (1, Some(target)) => {
                format!("{} {target:04X}", if self.is_jvb() { "JVB" } else { "JMP" })
            }
            _ => format!("mode {mode:X}"),
        };
        if mode >= 2 {
            if let Some(scan) = self.operand {
                text = format!("{text} LMS {scan:04X}");
            }
            if instruction & 0x20 != 0 {
                text += " VSCROL";
            }
            if instruction & 0x10 != 0 {
                text += " HSCROL";
            }
        }
        if instruction & 0x80 != 0 {
            text += " DLI";
        }
        text
    }

    /// Text with mark and address.
    pub fn line(&self) -> String {
        format!(
            "{} {:04X}  {:02X}  {}",
            if self.current { '>' } else { ' ' },
            self.address,
            self.instruction,
            self.text()
        )
    }
}

/// The list that ANTIC runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisplayList {
    /// Its instructions, from where its JVB leads to that JVB; without a JVB, the bytes at ANTIC's counter.
    pub entries: Vec<Entry>,
}

/// More instructions than a frame has lines are not shown.
const MOST: usize = 256;

impl DisplayList {
    /// The display list of a machine as its memory is now.
    pub fn of(machine: &Machine) -> Self {
        let antic = &machine.bus().video.antic;
        let counter = antic.display_list();
        let instruction = antic.current_instruction();
        let displays = antic.displays();
        let waiting = displays && instruction & 0x4F == 0x41;
        let start = run(machine, counter)
            .last()
            .filter(|entry| entry.is_jvb())
            .and_then(|entry| entry.operand)
            .filter(|_| displays && !waiting)
            .unwrap_or(counter);
        let mut entries = run(machine, start);
        for entry in &mut entries {
            // The counter has moved past the instruction; a jump has taken it elsewhere.
            entry.current = displays
                && entry.instruction == instruction
                && (if instruction & 15 == 1 {
                    entry.operand == Some(counter)
                } else {
                    entry.next() == counter
                });
        }
        Self { entries }
    }

    /// The index of the entry that ANTIC shows now.
    pub fn current(&self) -> Option<usize> {
        self.entries.iter().position(|entry| entry.current)
    }

    /// Text.
    pub fn lines(&self) -> Vec<String> {
        self.entries.iter().map(Entry::line).collect()
    }
}

/// From an address to the JVB, through jumps.
fn run(machine: &Machine, start: u16) -> Vec<Entry> {
    let mut address = start;
    let mut entries = Vec::new();
    while entries.len() < MOST {
        let entry = Entry::at(machine, address);
        address = match entry.operand {
            Some(target) if entry.instruction & 15 == 1 => target,
            _ => entry.next(),
        };
        let end = entry.is_jvb();
        entries.push(entry);
        if end {
            break;
        }
    }
    entries
}

fn next(address: u16) -> u16 {
    address & 0xFC00 | address.wrapping_add(1) & 0x03FF
}
