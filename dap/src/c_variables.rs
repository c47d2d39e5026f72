//! Variables of C programs: those of a frame and of the program, the structs, arrays and pointers in them that a client opens, and changes.

use super::places::{clip, reference};
use super::program::Program;
use super::variables::variable;
use debugger::{Address, Scope, Type};
use serde_json::{Value, json};

/// References of the variables of a routine: this and the routine's number.
pub const LOCALS: u64 = 10_000;
/// References of parts: this and their number in [`Program::parts`].
const PARTS: u64 = 100_000;
/// Parts that are remembered until the machine stops the next time.
const MOST: usize = 10_000;

/// A struct, array or pointer that a client may open.
#[derive(Clone, Debug)]
pub struct Part {
    address: u16,
    kind: Type,
    /// As an expression.
    name: String,
}

impl Program<'_> {
    fn c_scope(&self, routine: Option<usize>) -> Scope<'_> {
        self.started.debugger.scope(self.track(), routine)
    }

    /// The variables outside of functions.
    pub fn c_statics(&mut self) -> Vec<Value> {
        let variables = self.c_scope(None).globals();
        self.c_values(None, variables)
    }

    /// The variables in the scope or part of a reference.
    pub fn c_variables(&mut self, number: u64) -> Result<Vec<Value>, String> {
        if number < PARTS {
            let routine = usize::try_from(number - LOCALS).ok();
            let variables = self.c_scope(routine).locals();
            return Ok(self.c_values(routine, variables));
        }
        let part = self.part(number)?.clone();
        let parts = self
            .c_scope(None)
            .parts(self.machine(), part.address, &part.kind);
        let value = |(name, address, kind): (String, u16, Type)| {
            let text = self.c_scope(None).value(self.machine(), address, &kind);
            let whole = whole_name(&part.name, &name);
            (name, whole, address, kind, text)
        };
        let values: Vec<_> = parts.into_iter().map(value).collect();
        let shown = values
            .into_iter()
            .map(|(name, whole, address, kind, text)| {
                self.c_value(&name, &whole, Some(address), kind, text)
            });
        Ok(shown.collect())
    }

    fn part(&self, number: u64) -> Result<&Part, String> {
        let index = number
            .checked_sub(PARTS)
            .and_then(|n| usize::try_from(n).ok());
        let part = index.and_then(|index| self.known.parts.get(index));
        part.ok_or_else(|| "there are no such variables".to_owned())
    }

    fn c_values(&mut self, routine: Option<usize>, of: Vec<debugger::CVariable>) -> Vec<Value> {
        let text = |variable: debugger::CVariable| {
            let text = self.c_scope(routine).text(self.machine(), &variable);
            (variable, text)
        };
        let texts: Vec<_> = of.into_iter().map(text).collect();
        let value = |(of, text): (debugger::CVariable, String)| {
            let address = match of.address {
                Address::Fixed(address) => Some(address),
                _ => None,
            };
            self.c_value(&of.name, &of.name, address, of.kind, text)
        };
        texts.into_iter().map(value).collect()
    }

    /// A variable or a part of one, which opens if there is something in it.
    fn c_value(
        &mut self,
        name: &str,
        whole: &str,
        address: Option<u16>,
        kind: Type,
        text: String,
    ) -> Value {
        let mut value = variable(name, text);
        value["evaluateName"] = json!(whole);
        if let Some(address) = address {
            value["memoryReference"] = json!(reference(address));
            value["variablesReference"] = json!(self.c_reference(address, kind, whole));
        }
        value
    }

    /// The reference by which a client opens something in memory; 0 if there is nothing in it.
    pub fn c_reference(&mut self, address: u16, kind: Type, name: &str) -> u64 {
        let parts = self.c_scope(None).parts(self.machine(), address, &kind);
        if parts.is_empty() || self.known.parts.len() >= MOST {
            return 0;
        }
        self.known.parts.push(Part {
            address,
            kind,
            name: name.to_owned(),
        });
        PARTS + self.known.parts.len() as u64 - 1
    }

    /// Changes what an expression names in C.
    pub fn set_c(&mut self, name: &str, text: &str) -> Result<(), String> {
        let shown = self.started.debugger.evaluate(self.track(), name)?;
        self.store_c(name, shown.address, shown.kind.as_ref(), text)
    }

    /// Changes a variable of a routine, or a part of a struct, array or pointer.
    pub fn set_c_part(&mut self, number: u64, name: &str, text: &str) -> Result<(), String> {
        let found = if number < PARTS {
            let routine = usize::try_from(number - LOCALS).ok();
            let shown = self
                .started
                .debugger
                .evaluate_in(self.track(), routine, name)?;
            (shown.address, shown.kind)
        } else {
            let part = self.part(number)?;
            let parts = self
                .c_scope(None)
                .parts(self.machine(), part.address, &part.kind);
            let found = parts.into_iter().find(|(known, ..)| known == name);
            let (_, address, kind) =
                found.ok_or_else(|| format!("there is no \"{}\"", clip(name)))?;
            (Some(address), Some(kind))
        };
        self.store_c(name, found.0, found.1.as_ref(), text)
    }

    fn store_c(
        &mut self,
        name: &str,
        address: Option<u16>,
        kind: Option<&Type>,
        text: &str,
    ) -> Result<(), String> {
        let value = self.started.debugger.evaluate(self.track(), text)?.value;
        let (address, kind) = address
            .zip(kind)
            .ok_or_else(|| format!("{} is not in memory here", clip(name)))?;
        let bytes = kind
            .bytes(value)
            .map_err(|wrong| format!("{}: {wrong}", clip(name)))?;
        let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        let bytes = bytes.join(" ");
        self.started
            .execute(&format!("poke ${address:04X} {bytes}"))
            .map(drop)
    }
}

/// The part of something as an expression.
fn whole_name(of: &str, part: &str) -> String {
    match part {
        "*" => format!("*{of}"),
        part if part.starts_with('[') => format!("{of}{part}"),
        part => match of.strip_prefix('*') {
            Some(pointer) => format!("{pointer}->{part}"),
            None => format!("{of}.{part}"),
        },
    }
}
