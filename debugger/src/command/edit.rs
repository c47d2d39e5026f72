//! Changes of memory and registers.

use super::{Desk, Output};
use crate::basic::{Basic, lookup};
use crate::debuggee::poke;
use crate::expression::clip;
use crate::{Context, view};
use session::timeline::{Event, EventError, Register};

impl Desk<'_> {
    /// The pattern to look for in memory: bytes, `??` for any, `"TEXT"` in ATASCII, `screen "TEXT"` in screen codes.
    pub(super) fn pattern(text: &str) -> Result<Vec<Option<u8>>, String> {
        let (screen, quoted) = match text.strip_prefix("screen ") {
            Some(rest) => (true, rest.trim()),
            None => (false, text),
        };
        if let Some(rest) = quoted.strip_prefix('"') {
            let inside = rest
                .strip_suffix('"')
                .ok_or("the text needs its second quote")?;
            let code = |c: char| {
                let byte = u8::try_from(c).ok().filter(u8::is_ascii)?;
                // Screen codes: capitals and digits come first, then control characters; small letters stay.
                Some(match byte {
                    0x20..=0x5F if screen => byte - 0x20,
                    0x00..=0x1F if screen => byte + 0x40,
                    _ => byte,
                })
            };
            let bytes: Option<Vec<u8>> = inside.chars().map(code).collect();
            let bytes = bytes.filter(|bytes| !bytes.is_empty());
            let bytes = bytes.ok_or("a text of ASCII characters is wanted")?;
            return Ok(bytes.into_iter().map(Some).collect());
        }
        let mut pattern = Vec::new();
        for word in text.split_whitespace() {
            match word {
                "??" => pattern.push(None),
                word => pattern.extend(Self::bytes(word)?.into_iter().map(Some)),
            }
        }
        if pattern.iter().all(Option::is_none) {
            return Err("bytes in hexadecimal are wanted".to_owned());
        }
        Ok(pattern)
    }

    pub(super) fn bytes(text: &str) -> Result<Vec<u8>, String> {
        let byte = |word: &str| {
            u8::from_str_radix(word.trim_start_matches('$'), 16)
                .map_err(|_| format!("\"{}\" is no byte in hexadecimal", clip(word)))
        };
        let bytes: Vec<u8> = text
            .split_whitespace()
            .map(byte)
            .collect::<Result<_, _>>()?;
        if bytes.is_empty() {
            return Err("bytes in hexadecimal are wanted".to_owned());
        }
        Ok(bytes)
    }

    pub(super) fn write(&mut self, address: u16, bytes: &[u8]) -> Result<Output, String> {
        if bytes.len() > 0x1000 {
            return Err("4096 bytes at most are written at once".to_owned());
        }
        poke(self.debuggee, address, bytes);
        let name = self.name()(address);
        // A read of a register need not give the written value.
        let line = if crate::is_chip(address) {
            let name = name.unwrap_or_else(|| format!("${address:04X}"));
            format!("{name} = ${:02X}", bytes[bytes.len() - 1])
        } else {
            view::memory(self.machine(), address, 1)[0].line()
        };
        Ok(Output {
            lines: vec![line],
            moved: true,
            quit: false,
        })
    }

    /// Changes the value of a C variable or a part of it; `None` if the name means none.
    fn set_c(&mut self, name: &str, value: &str) -> Option<Result<Output, String>> {
        let expression = self.debugger.parse(self.track(), name).ok()?;
        let (address, kind) = expression.lvalue(&Context::of(self.machine()))?;
        if let Some(variable) = self.debugger.scope(self.track(), None).variable(name)
            && matches!(variable.address, crate::Address::Registers(_))
        {
            return Some(Err(format!(
                "{} is still in the processor's registers: step first",
                clip(name)
            )));
        }
        let value = self.debugger.evaluate(self.track(), value);
        let bytes = value.and_then(|shown| kind.bytes(shown.value));
        Some(bytes.map(|bytes| {
            poke(self.debuggee, address, &bytes);
            self.moved(Vec::new())
        }))
    }

    /// Changes a number of BASIC's; `None` if the name means no variable of BASIC.
    fn set_basic(&mut self, name: &str, value: &str) -> Option<Result<Output, String>> {
        // Small letters are registers.
        let in_capitals = !name.bytes().any(|byte| byte.is_ascii_lowercase());
        if !in_capitals || !lookup::is_there(self.machine().bus()) {
            return None;
        }
        let (address, length) = Basic::address_of(self.machine(), name)?;
        if length != 6 || name.ends_with('$') {
            return Some(Err("only numbers can be set".to_owned()));
        }
        let number = media::basic::number::parse(value.as_bytes())
            .filter(|(_, length)| *length == value.len());
        let Some((number, _)) = number else {
            return Some(Err(format!("\"{}\" is no number", clip(value))));
        };
        poke(self.debuggee, address, &number);
        Some(Ok(self.moved(Vec::new())))
    }

    pub(super) fn set(&mut self, register: &str, value: &str) -> Result<Output, String> {
        let value = value.trim_start_matches('=').trim();
        if let Some(done) = self.set_basic(register, value) {
            return done;
        }
        if let Some(done) = self.set_c(register, value) {
            return done;
        }
        let register = register.strip_prefix("reg.").unwrap_or(register);
        let Some((_, register)) = REGISTERS
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(register))
        else {
            return Err(format!(
                "there is no register or variable \"{}\"",
                clip(register)
            ));
        };
        let value = self.number(value)?;
        let limit = if *register == Register::Pc {
            0xFFFF
        } else {
            0xFF
        };
        let value = u16::try_from(value).ok().filter(|value| *value <= limit);
        let value = value.ok_or_else(|| format!("a value up to ${limit:X} is wanted"))?;
        let event = Event::LoadRegister {
            register: *register,
            value,
        };
        self.debuggee.apply(event).map_err(|error| match error {
            EventError::WithinInstruction => {
                "PC is set between two instructions: step into first".to_owned()
            }
            other => other.to_string(),
        })?;
        Ok(self.moved(Vec::new()))
    }
}

/// Registers that `set` loads.
pub(super) const REGISTERS: &[(&str, Register)] = &[
    ("a", Register::A),
    ("x", Register::X),
    ("y", Register::Y),
    ("s", Register::S),
    ("p", Register::P),
    ("pc", Register::Pc),
];
