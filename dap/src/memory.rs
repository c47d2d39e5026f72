//! Memory and disassembly.

use super::places::{address_of, reference};
use super::program::Program;
use debugger::view::{self, CodeLine};
use serde_json::{Value, json};
use std::fmt::Write;

/// Instructions of one answer.
const MOST: usize = 4096;
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Base 64 with padding (RFC 4648).
pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().enumerate().fold(0u32, |word, (n, byte)| {
            word | u32::from(*byte) << (16 - 8 * n)
        });
        for n in 0..4 {
            out.push(if n <= chunk.len() {
                DIGITS[(word >> (18 - 6 * n) & 63) as usize] as char
            } else {
                '='
            });
        }
    }
    out
}

/// The bytes of a text in base 64.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=');
    let mut out = Vec::new();
    let (mut word, mut bits) = (0u32, 0);
    for digit in text.bytes() {
        let value = DIGITS.iter().position(|known| *known == digit)?;
        word = word << 6 | value as u32;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((word >> bits) as u8);
        }
    }
    Some(out)
}

impl Program<'_> {
    pub fn read_memory(&self, arguments: &Value) -> Result<Value, String> {
        let address = address_of(arguments)?;
        let count = arguments["count"].as_u64().unwrap_or(0).min(0x10000) as usize;
        // Addresses beyond the end of memory cannot be read.
        let count = count.min(0x10000 - usize::from(address));
        let bytes: Vec<u8> = (0..count)
            .map(|n| self.machine().peek(address.wrapping_add(n as u16)))
            .collect();
        Ok(json!({ "address": reference(address), "data": encode(&bytes) }))
    }

    pub fn write_memory(&mut self, arguments: &Value) -> Result<Value, String> {
        let address = address_of(arguments)?;
        let bytes = arguments["data"].as_str().and_then(decode);
        let bytes = bytes.ok_or("the data is not in base 64")?;
        for (row, chunk) in bytes.chunks(256).enumerate() {
            let at = address.wrapping_add(256 * row as u16);
            let text: Vec<String> = chunk.iter().map(|byte| format!("{byte:02X}")).collect();
            let line = format!("poke ${at:04X} {}", text.join(" "));
            self.started.execute(&line)?;
        }
        Ok(json!({ "bytesWritten": bytes.len() }))
    }

    pub fn disassemble(&mut self, arguments: &Value) -> Result<Value, String> {
        let address = address_of(arguments)?;
        let count = arguments["instructionCount"].as_u64().unwrap_or(0) as usize;
        let count = count.min(MOST);
        let skip = arguments["instructionOffset"].as_i64().unwrap_or(0);
        self.started
            .debugger
            .learn_executed(self.started.session.track());
        let before = skip.min(0).unsigned_abs().min(MOST as u64) as usize;
        let starts = view::code_before(
            self.machine(),
            &self.started.debugger.symbols,
            address,
            before,
        );
        let mut lines: Vec<CodeLine> = Vec::new();
        if let Some(first) = starts.first() {
            let all = view::code(self.machine(), &self.started.debugger, *first, 2 * before);
            let earlier = all.into_iter().take_while(|line| {
                line.instruction.address.wrapping_sub(*first) < address.wrapping_sub(*first)
            });
            lines.extend(earlier);
            let surplus = lines.len().saturating_sub(before);
            lines.drain(..surplus);
        }
        // The protocol wants as many as it asked for: missing ones are returned as empty.
        let missing = before - lines.len();
        let ahead = skip.max(0) as usize;
        let after = view::code(
            self.machine(),
            &self.started.debugger,
            address,
            ahead.min(MOST) + count,
        );
        lines.extend(after.into_iter().skip(ahead));
        let unknown = (0..missing).map(|n| {
            let at = address.wrapping_sub((missing - n) as u16 + before as u16 * 3);
            json!({ "address": reference(at), "instruction": "??", "presentationHint": "invalid" })
        });
        let known = lines.iter().map(|line| self.instruction(line));
        let instructions: Vec<Value> = unknown.chain(known).take(count).collect();
        Ok(json!({ "instructions": instructions }))
    }

    fn instruction(&self, line: &CodeLine) -> Value {
        let length = usize::from(line.instruction.length());
        let bytes: Vec<String> = line.instruction.bytes[..length]
            .iter()
            .map(|byte| format!("{byte:02X}"))
            .collect();
        let mut text = line.text.clone();
        if let (Some((at, data)), true) = (line.effective, line.current) {
            // Writing to a String cannot fail.
            let _ = write!(text, "   ; ${at:04X} = ${data:02X}");
        }
        let mut out = json!({
            "address": reference(line.instruction.address),
            "instructionBytes": bytes.join(" "),
            "instruction": text,
        });
        if let Some(label) = &line.label {
            out["symbol"] = json!(label);
        }
        if let Some((at, _)) = &line.source {
            out["location"] = self.source_of(at.file);
            out["line"] = json!(at.line);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn base_64_is_that_of_the_rfc() {
        let cases = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (plain, coded) in cases {
            assert_eq!(encode(plain.as_bytes()), coded);
            assert_eq!(decode(coded).as_deref(), Some(plain.as_bytes()));
        }
        assert_eq!(decode("?"), None);
    }
}
