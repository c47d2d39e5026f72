//! Scopes and variables: registers, chips, labels, and those of BASIC.

use super::c_variables;
use super::places::{array, clip, reference};
use super::program::Program;
use debugger::basic::{Basic, Value as Held};
use debugger::view;
use serde_json::{Value, json};

/// References of the scopes.
const REGISTERS: u64 = 1;
const BEAM: u64 = 2;
const CHIPS: [(&str, u64); 4] = [("ANTIC", 3), ("GTIA", 4), ("POKEY", 5), ("PIA", 6)];
/// Labels of the program, and those of the hardware, OS and BASIC.
const LABELS: u64 = 7;
const BASIC: u64 = 8;
const SYSTEM: u64 = 9;
/// Variables outside of functions of a C program.
const STATICS: u64 = 10;
/// The reference of a BASIC array: this and the variable's number.
const ARRAYS: u64 = 1000;
/// Labels of a kind that are shown.
const MOST: usize = 500;

pub fn variable(name: &str, value: impl Into<String>) -> Value {
    json!({ "name": name, "value": value.into(), "variablesReference": 0 })
}

impl Program<'_> {
    /// The scopes of a frame.
    pub fn scopes(&self, arguments: &Value) -> Value {
        let scope = |name: &str, number: u64, expensive: bool| json!({ "name": name, "variablesReference": number, "expensive": expensive });
        let mut scopes = Vec::new();
        if self.known.basic {
            scopes.push(scope("BASIC", BASIC, false));
        }
        let debugger = &self.started.debugger;
        if !debugger.sources.c.is_empty() {
            let routine = self.routine_of(&arguments["frameId"]).unwrap_or(0);
            if debugger
                .scope(self.track(), Some(routine))
                .function()
                .is_some()
            {
                let locals = c_variables::LOCALS + routine as u64;
                scopes.push(scope("Locals", locals, false));
            }
            scopes.push(scope("Globals", STATICS, false));
        }
        if debugger.symbols.program().next().is_some() {
            scopes.push(scope("Labels", LABELS, false));
        }
        scopes.push(scope("Registers", REGISTERS, false));
        scopes.push(scope("Beam", BEAM, false));
        scopes.extend(CHIPS.map(|(name, number)| scope(name, number, true)));
        scopes.push(scope("System", SYSTEM, true));
        json!({ "scopes": scopes })
    }

    pub fn variables(&mut self, arguments: &Value) -> Result<Value, String> {
        let number = arguments["variablesReference"].as_u64().unwrap_or(0);
        let machine = self.machine();
        let variables = match number {
            REGISTERS => self.registers(),
            BEAM => self.beam(),
            3 => registers(view::Antic::of(machine).rows()),
            4 => registers(view::Gtia::of(machine).rows()),
            5 => registers(view::Pokey::of(machine).rows()),
            6 => registers(view::Pia::of(machine).rows()),
            LABELS => self.labels(self.started.debugger.symbols.program()),
            // What is in the ROMs does not change, and the chips have scopes of their own.
            SYSTEM => self.labels(
                self.started
                    .debugger
                    .symbols
                    .system()
                    .filter(|l| l.0 < 0xA000),
            ),
            BASIC => self.basic_variables(),
            STATICS => self.c_statics(),
            number if number >= c_variables::LOCALS => self.c_variables(number)?,
            number => self.elements(number)?,
        };
        Ok(json!({ "variables": variables }))
    }

    fn registers(&self) -> Vec<Value> {
        let cpu = &self.machine().cpu;
        let mut all: Vec<Value> = [("A", cpu.a), ("X", cpu.x), ("Y", cpu.y), ("S", cpu.s)]
            .map(|(name, value)| variable(name, format!("${value:02X}")))
            .to_vec();
        let flags: String = "NV-BDIZC"
            .chars()
            .enumerate()
            .map(|(n, name)| {
                if cpu.p() >> (7 - n) & 1 != 0 {
                    name
                } else {
                    '.'
                }
            })
            .collect();
        all.push(variable("P", format!("${:02X} {flags}", cpu.p())));
        let pc = self.pc();
        let mut value = variable("PC", format!("${pc:04X}"));
        value["memoryReference"] = json!(reference(pc));
        all.push(value);
        all
    }

    /// The beam, the cycle of the instruction, and the moment.
    fn beam(&self) -> Vec<Value> {
        let machine = self.machine();
        let beam = machine.beam();
        let within = self.started.debugger.within_instruction(self.track());
        let mut all = vec![
            variable("line", beam.line.to_string()),
            variable("cycle", beam.cycle.to_string()),
            variable("frame", machine.frame().number().to_string()),
        ];
        if let Some((done, _)) = within.filter(|(done, _)| *done > 0) {
            all.push(variable("cycle of the instruction", done.to_string()));
        }
        let moment = self.track().moment();
        all.push(variable("moment", moment.0.to_string()));
        all
    }

    fn labels<'a>(&self, labels: impl Iterator<Item = (u16, &'a str)>) -> Vec<Value> {
        let value = |(address, name): (u16, &str)| {
            let byte = self.machine().peek(address);
            let mut value = variable(name, format!("${byte:02X} at ${address:04X}"));
            value["memoryReference"] = json!(reference(address));
            value["evaluateName"] = json!(format!("[{name}]"));
            value
        };
        labels.take(MOST).map(value).collect()
    }

    fn basic_variables(&self) -> Vec<Value> {
        let Some(basic) = Basic::of(self.machine()) else {
            return Vec::new();
        };
        let mut all: Vec<Value> = basic
            .variables
            .iter()
            .enumerate()
            .map(|(n, held)| {
                let name = held.name.trim_end_matches('(');
                let mut value = variable(name, held.value.to_string());
                if let Held::Array(Some(_)) = held.value {
                    value["variablesReference"] = json!(ARRAYS + n as u64);
                }
                value
            })
            .collect();
        all.extend(basic.stack_lines().map(|frame| variable("(stack)", frame)));
        all
    }

    /// The numbers of an array.
    fn elements(&self, reference: u64) -> Result<Vec<Value>, String> {
        let number = reference
            .checked_sub(ARRAYS)
            .and_then(|n| usize::try_from(n).ok())
            .ok_or("there are no such variables")?;
        let basic = Basic::of(self.machine()).ok_or("BASIC does not run here")?;
        let held = basic.variables.get(number).map(|held| &held.value);
        let Some(Held::Array(Some((numbers, _, second)))) = held else {
            return Err("there is no such array".to_owned());
        };
        let columns = usize::from((*second).max(1));
        let name = |n: usize| {
            if *second <= 1 {
                format!("({n})")
            } else {
                format!("({},{})", n / columns, n % columns)
            }
        };
        let elements = numbers.iter().enumerate();
        Ok(elements
            .map(|(n, value)| variable(&name(n), value.to_string()))
            .collect())
    }

    /// Registers, labels' bytes, and BASIC's numbers; the answer is the value as `variables` has it then.
    pub fn set_variable(&mut self, arguments: &Value) -> Result<Value, String> {
        let name = arguments["name"].as_str().unwrap_or("");
        let text = arguments["value"].as_str().unwrap_or("").trim();
        let scope = arguments["variablesReference"].as_u64().unwrap_or(0);
        match scope {
            REGISTERS => {
                self.started.execute(&format!("set reg.{name} {text}"))?;
            }
            LABELS | SYSTEM => self.set_label(name, text)?,
            BASIC => self.set_number(name, text)?,
            STATICS => self.set_c(name, text)?,
            scope if scope >= c_variables::LOCALS => self.set_c_part(scope, name, text)?,
            _ => return Err("this cannot be set".to_owned()),
        }
        let now = self.variables(&json!({ "variablesReference": scope }))?;
        let is_it = |variable: &&Value| variable["name"] == name;
        let value = array(&now, "variables").iter().find(is_it);
        Ok(json!({ "value": value.map_or(&json!(text), |variable| &variable["value"]) }))
    }

    /// Sets the register, label or BASIC variable that one word names.
    pub fn set_named(&mut self, name: &str, arguments: &Value) -> Result<(), String> {
        let text = arguments["value"].as_str().unwrap_or("").trim();
        if self.known.basic && Basic::address_of(self.machine(), name).is_some() {
            return self.set_number(name, text);
        }
        let is_c = self.started.debugger.evaluate(self.track(), name);
        if is_c.is_ok_and(|shown| shown.kind.is_some()) {
            return self.set_c(name, text);
        }
        if ["a", "x", "y", "s", "p", "pc"].contains(&name.to_ascii_lowercase().as_str()) {
            return self
                .started
                .execute(&format!("set reg.{name} {text}"))
                .map(drop);
        }
        self.set_label(name, text)
    }

    /// A value from 0 to 255.
    pub fn byte(&self, text: &str) -> Result<u8, String> {
        let value = self.started.debugger.evaluate(self.track(), text)?.value;
        u8::try_from(value).map_err(|_| format!("{value} is no byte"))
    }

    fn set_label(&mut self, name: &str, text: &str) -> Result<(), String> {
        let byte = self.byte(text)?;
        let address = self
            .started
            .debugger
            .symbols
            .address_any_case(name)
            .ok_or_else(|| format!("there is no label \"{}\"", clip(name)))?;
        self.started
            .execute(&format!("poke ${address:04X} {byte:02X}"))
            .map(drop)
    }

    fn set_number(&mut self, name: &str, text: &str) -> Result<(), String> {
        self.started
            .execute(&format!("set {name} {text}"))
            .map(drop)
    }
}

/// A chip's registers as variables.
fn registers(rows: Vec<view::ChipRow>) -> Vec<Value> {
    let rows = rows.into_iter().flatten();
    rows.map(|(name, value)| variable(name, value.trim()))
        .collect()
}
