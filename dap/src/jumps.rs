//! Lines that the program can be made to continue at, and subroutines that a step can go into.

use super::places::reference;
use super::program::Program;
use debugger::{Place, SourceLine, view};
use serde_json::{Value, json};

const JSR: u8 = 0x20;
/// Instructions of a line that are searched for calls.
const MOST: usize = 64;

impl Program<'_> {
    /// The code of a source line.
    pub fn goto_targets(&self, arguments: &Value) -> Result<Value, String> {
        let file = self
            .file_of(&arguments["source"])
            .ok_or("the program's debug information does not know this file")?;
        let line = arguments["line"].as_u64().unwrap_or(0);
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        let sources = &self.started.debugger.sources;
        let (at, code) = sources
            .code_of(SourceLine { file, line })
            .ok_or("there is no code from this line on")?;
        // The processor cannot run the code of an interpreter.
        if code
            .iter()
            .any(|at| sources.breakpoint(*at) != Place::Pc(*at))
        {
            return Err(
                "the program is interpreted: it cannot be made to continue at a line".to_owned(),
            );
        }
        let target = |address: &u16| {
            json!({
                "id": address,
                "label": format!("{} at ${address:04X}", sources.name(at)),
                "line": at.line,
                "instructionPointerReference": reference(*address),
            })
        };
        let targets: Vec<Value> = code.iter().map(target).collect();
        Ok(json!({ "targets": targets }))
    }

    /// Makes the program continue at one of these.
    pub fn go_to(&mut self, arguments: &Value) -> Result<Value, String> {
        let target = arguments["targetId"].as_u64();
        let address = target
            .and_then(|target| u16::try_from(target).ok())
            .ok_or("there is no such target")?;
        self.started.execute(&format!("set pc ${address:04X}"))?;
        Ok(json!({ "moved": true }))
    }

    /// The subroutines that the rest of this line calls.
    pub fn step_in_targets(&self) -> Value {
        let debugger = &self.started.debugger;
        let here = debugger.sources.line_at(self.pc());
        let code = view::code(self.machine(), debugger, self.pc(), MOST);
        let line = code.iter().enumerate().take_while(|(number, line)| {
            *number == 0
                || here.is_some() && debugger.sources.line_at(line.instruction.address) == here
        });
        let calls = line.filter(|(_, line)| line.instruction.bytes[0] == JSR);
        let targets: Vec<Value> = calls
            .map(|(_, line)| {
                let [_, low, high] = line.instruction.bytes;
                let address = u16::from_le_bytes([low, high]);
                let name = debugger.place_name(address);
                let label = name.unwrap_or_else(|| format!("${address:04X}"));
                json!({ "id": address, "label": label })
            })
            .collect();
        json!({ "targets": targets })
    }
}
