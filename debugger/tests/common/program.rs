//! Test programs in assembly: an OS whose first lines set up the chips, with labels.
#![allow(dead_code, reason = "each test uses a part of it")]

use debugger::{Symbols, assemble};
use machine::Machine;
use std::collections::HashMap;

/// A machine with an OS made of `text`, run for `frames`; and its labels. The first label is where it starts; `NMI` is its NMI handler.
pub fn machine(text: &str, frames: usize) -> (Machine, HashMap<String, u16>) {
    let (os, labels) = build(text);
    let mut machine = crate::common::machine_with(os);
    for _ in 0..frames {
        machine.run_frame();
    }
    (machine, labels)
}

/// Two passes over lines `LABEL: instruction`, from $E000 on; `.ORG address` goes elsewhere.
pub fn build(text: &str) -> (Vec<u8>, HashMap<String, u16>) {
    let mut symbols = Symbols::default();
    symbols.add_hardware();
    symbols.add(0xD40F, "NMIRES");
    symbols.add(0x0200, "VDSLST");
    let mut labels = HashMap::new();
    let mut os = vec![0xEA; 0x4000];
    for pass in 0..2 {
        let mut at = 0xE000u16;
        for line in text.lines() {
            let mut line = line.split(';').next().unwrap_or("").trim();
            if let Some((label, rest)) = line.split_once(':') {
                symbols.add(at, label.trim());
                labels.insert(label.trim().to_owned(), at);
                line = rest.trim();
            }
            if let Some(address) = line.strip_prefix(".ORG ") {
                at = u16::from_str_radix(address.trim().trim_start_matches('$'), 16).unwrap();
                continue;
            }
            if line.is_empty() {
                continue;
            }
            let bytes = match assemble(line, at, &symbols) {
                Ok(bytes) => bytes,
                // A label further down: absolute, as all of them are.
                Err(_) if pass == 0 => {
                    let word = &line[..3].to_ascii_uppercase();
                    let branch = word.starts_with('B') && word != "BIT" && word != "BRK";
                    vec![0xEA; if branch || line.contains('#') { 2 } else { 3 }]
                }
                Err(message) => panic!("{line}: {message}"),
            };
            for (i, byte) in bytes.iter().enumerate() {
                os[usize::from(at - 0xC000) + i] = *byte;
            }
            at += bytes.len() as u16;
        }
    }
    let nmi = labels.get("NMI").copied().unwrap_or(0xE000).to_le_bytes();
    os[0x3FFA..].copy_from_slice(&[nmi[0], nmi[1], 0x00, 0xE0, nmi[0], nmi[1]]);
    (os, labels)
}
