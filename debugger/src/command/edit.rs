//! Changes of memory and registers.

use super::{Desk, Output};
use crate::expression::clip;
use crate::view;

impl Desk<'_> {
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
        if bytes.len() > 0x1000 || crate::is_chip(address) {
            return Err("registers of chips are not written by hand".to_owned());
        }
        self.debugger.history.follow(self.machine);
        for (n, &byte) in bytes.iter().enumerate() {
            let at = address.wrapping_add(n as u16);
            self.debugger.history.poke(self.machine, at, byte);
        }
        Ok(Output {
            lines: vec![view::memory(self.machine, address, 1)[0].line()],
            moved: true,
            quit: false,
        })
    }

    pub(super) fn set(&mut self, register: &str, value: &str) -> Result<Output, String> {
        let register = register.to_ascii_lowercase();
        let value = self.number(value.trim_start_matches('=').trim())?;
        let limit = if register == "pc" { 0xFFFF } else { 0xFF };
        if !(0..=limit).contains(&value) {
            return Err(format!("{value} does not fit into {register}"));
        }
        if !["pc", "a", "x", "y", "s", "p"].contains(&register.as_str()) {
            return Err(format!("there is no register \"{}\"", clip(&register)));
        }
        if !self.machine.cpu.at_instruction_start() && register == "pc" {
            return Err("PC is set between two instructions: step into first".to_owned());
        }
        self.debugger.history.follow(self.machine);
        let cpu = &mut self.machine.cpu;
        match register.as_str() {
            "pc" => cpu.set_pc(value as u16),
            "a" => cpu.a = value as u8,
            "x" => cpu.x = value as u8,
            "y" => cpu.y = value as u8,
            "s" => cpu.s = value as u8,
            _ => cpu.set_p(value as u8),
        }
        self.debugger.history.record_change(self.machine);
        Ok(self.moved(Vec::new()))
    }
}
