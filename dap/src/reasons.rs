//! Why the machine stands, in words.

use super::program::Program;
use debugger::{Entry, Place};

impl Program<'_> {
    fn named(&self, address: u16) -> String {
        let name = self.started.debugger.place_name(address);
        name.unwrap_or_else(|| format!("${address:04X}"))
    }

    /// The reason for a hit of the breakpoint with this number; `None` if no breakpoint has it.
    pub fn reason(&self, hit: u32) -> Option<String> {
        let breakpoints = self.started.debugger.breakpoints.list();
        let place = &breakpoints.iter().find(|b| b.id == hit)?.place;
        let beam = self.machine().beam();
        let access = || {
            let address = self.machine().cpu.next_address();
            format!("{} by {}", self.named(address), self.named(self.pc()))
        };
        Some(match place {
            Place::Pc(address) | Place::Interpreted { at: address, .. } => {
                format!("breakpoint at {}", self.named(*address))
            }
            Place::Access(_) if self.machine().cpu.next_is_write() => {
                format!("write of {}", access())
            }
            Place::Read(_) | Place::Access(_) => format!("read of {}", access()),
            Place::Write(_) => format!("write of {}", access()),
            Place::Uninitialised(_) => {
                format!("read of memory that nothing has written: {}", access())
            }
            Place::DliRoutine | Place::Interrupt(Entry::Dli) => format!(
                "display list interrupt in line {}: {}",
                beam.line,
                self.named(self.pc())
            ),
            Place::Interrupt(Entry::Vbi) => "vertical blank interrupt".to_owned(),
            Place::Interrupt(Entry::Irq) => "IRQ or BRK".to_owned(),
            Place::Opcode(0) => format!("BRK at {}", self.named(self.pc())),
            Place::BasicLine(number) => format!("breakpoint at line {number}"),
            Place::StackWrap => format!("the stack goes around at {}", self.named(self.pc())),
            other => other.describe(|address| self.started.debugger.place_name(address)),
        })
    }

    /// After running back to a breakpoint.
    pub fn went_back(&self) -> String {
        format!("back at {}", self.named(self.pc()))
    }
}
