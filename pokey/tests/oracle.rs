//! The sound oracle's programs at chip level: exact output changes from registers alone.
//!
//! `ORACLE` names the folder that holds `sound/NAME.json`; without it the test says so and is skipped.

use pokey::{Pokey, SoundChange};
use std::path::PathBuf;

/// The text after `"key":` up to the end of its value, brackets balanced.
fn field<'a>(json: &'a str, key: &str) -> Option<&'a str> {
    let start = json.find(&format!("\"{key}\":"))? + key.len() + 3;
    let rest = json[start..].trim_start();
    let mut depth = 0;
    for (i, c) in rest.char_indices() {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' if depth <= 1 => return Some(&rest[..=i]),
            ']' | '}' => depth -= 1,
            ',' if depth == 0 => return Some(&rest[..i]),
            _ => {}
        }
    }
    Some(rest)
}

fn numbers(text: &str) -> Vec<u64> {
    text.split(|c: char| !c.is_ascii_digit())
        .filter(|s| !s.is_empty())
        .map(|s| s.parse().unwrap())
        .collect()
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &b| {
        (0..8).fold(crc ^ u32::from(b), |crc, _| {
            (crc >> 1) ^ if crc & 1 != 0 { 0xEDB8_8320 } else { 0 }
        })
    })
}

/// The output changes of a program that sets `registers`, as the oracle counts them.
fn play(registers: &[(u8, u8)], skctl: u8, strobes: &[u64], half_cycles: u64) -> Vec<(u64, u8)> {
    let w = 200_000;
    let mut pokey = Pokey::new(0);
    pokey.write(15, 0, 100);
    for register in 0..9 {
        pokey.write(register, 0, 110 + u64::from(register) * 5);
    }
    for &(register, data) in registers {
        pokey.write(register, data, 150_000);
    }
    pokey.write(15, skctl, w);
    pokey.write(9, 0, w + 4);
    let mut log = Vec::new();
    let mut before = 0;
    for now in strobes
        .iter()
        .map(|&s| (w + s, true))
        .chain([(w + half_cycles / 2 + 10, false)])
    {
        if now.1 {
            pokey.write(9, 0, now.0);
        }
        pokey.sync_to(now.0);
        pokey.take_sound(&mut log);
    }
    let mut changes = Vec::new();
    for SoundChange { at, level } in log {
        if at < 2 * w + 16 {
            before = level;
        } else if at - 2 * w < half_cycles {
            if changes.is_empty() && at > 2 * w + 16 {
                changes.push((16, before));
            }
            changes.push((at - 2 * w, level));
        }
    }
    if changes.is_empty() {
        changes.push((16, before));
    }
    changes
}

#[test]
fn output_changes_equal_the_oracle_to_the_half_cycle() {
    let Some(folder) = std::env::var_os("ORACLE") else {
        eprintln!("skipped: ORACLE does not name the oracle's folder");
        return;
    };
    let folder = PathBuf::from(folder).join("sound");
    let mut failures = Vec::new();
    let mut compared = 0;
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|f| f.unwrap().path())
        .collect();
    files.sort();
    for file in files {
        if file.extension().is_none_or(|e| e != "json") {
            continue;
        }
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let json = std::fs::read_to_string(&file).unwrap();
        // Programs with steps write registers while they play; the whole machine plays them.
        let (Some(registers), Some(crc)) = (field(&json, "registers"), field(&json, "crc")) else {
            continue;
        };
        if json.contains("\"steps\"") {
            continue;
        }
        let mut writes = Vec::new();
        let mut skctl = 3;
        for entry in registers.trim_matches(['{', '}']).split(',') {
            let (key, value) = entry.split_once(':').unwrap();
            let key = key.trim().trim_matches('"');
            let value = u8::from_str_radix(value.trim().trim_matches(['"', '$']), 16).unwrap();
            match key {
                "SKCTL" => skctl = value,
                "AUDCTL" => writes.push((8, value)),
                _ => {
                    let n: u8 = key[4..].parse().unwrap();
                    writes.push(((n - 1) * 2 + u8::from(key.starts_with("AUDC")), value));
                }
            }
        }
        let limit = field(crc, "half_cycles").map_or(2_000_000, |s| numbers(s)[0]);
        // This program strobes STIMER once every eight lines.
        let strobes: Vec<u64> = if name == "stimer_179" {
            (1..1200).map(|n| 912 * n + 4).collect()
        } else {
            vec![]
        };
        let changes = play(&writes, skctl, &strobes, limit);
        let wanted = numbers(field(&json, "first_changes").unwrap());
        let found: Vec<u64> = changes
            .iter()
            .flat_map(|&(t, l)| [t, u64::from(l)])
            .collect();
        // The list of the first changes may be longer than the time that the checksum covers.
        let wanted: Vec<u64> = wanted
            .chunks(2)
            .filter(|c| c[0] < limit)
            .flatten()
            .copied()
            .collect();
        let n = wanted.len().min(found.len());
        let first = (0..n).find(|&i| wanted[i] != found[i]);
        if let Some(i) = first.or((wanted.len() > found.len()).then_some(n)) {
            let i = i & !1;
            failures.push(format!(
                "{name}: change {}: wanted {:?}, found {:?}",
                i / 2,
                &wanted[i..(i + 8).min(wanted.len())],
                &found[i.min(found.len())..(i + 8).min(found.len())]
            ));
        }
        let text = changes.iter().fold(String::new(), |text, (t, l)| {
            text + &format!(
                "{t}:{l}
"
            )
        });
        let wanted_crc =
            u32::from_str_radix(field(crc, "crc32").unwrap().trim_matches(['"', '}']), 16).unwrap();
        if crc32(text.as_bytes()) != wanted_crc && first.is_none() {
            failures.push(format!(
                "{name}: {} changes, wanted {:?}",
                changes.len(),
                field(crc, "changes")
            ));
        }
        compared += 1;
    }
    assert!(compared > 0, "no programs in {}", folder.display());
    assert!(
        failures.is_empty(),
        "{} of {compared} programs differ:\n{}",
        failures.len(),
        failures.join("\n")
    );
    println!("{compared} programs equal");
}
