//! Prints the index from every hardware register to the functions that implement it and the tests that name it:
//! `cargo run -p xtask -- registers [--check]`.
//!
//! Both are found by the registers' names as whole words, so the index is as good as the names in the sources. With `--check` nothing
//! is printed; a register without code is an error either way.
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders with the chips and the machine.
const CODE: &[&str] = &["antic_gtia/src", "pokey/src", "machine/src"];

/// Folders with tests; unit tests stand in files `tests.rs` beside the code, or in folders `tests`.
const TESTS: &[&str] = &[
    "antic_gtia/tests",
    "pokey/tests",
    "machine/tests",
    "tests/tests",
];

/// Registers with one meaning.
struct Row {
    chip: &'static str,
    /// As the index shows them.
    names: &'static str,
    addresses: &'static str,
    /// Their names in the sources.
    words: &'static [&'static str],
}

macro_rules! rows {
    ($($chip:literal: $($addresses:literal $names:literal [$($word:literal)*])*;)*) => {
        &[$($(Row { chip: $chip, names: $names, addresses: $addresses, words: &[$($word),*] }),*),*]
    };
}

const ROWS: &[Row] = rows! {
    "ANTIC":
        "$D400" "DMACTL" ["DMACTL"]
        "$D401" "CHACTL" ["CHACTL"]
        "$D402-$D403" "DLISTL, DLISTH" ["DLISTL" "DLISTH" "DLIST"]
        "$D404" "HSCROL" ["HSCROL"]
        "$D405" "VSCROL" ["VSCROL"]
        "$D407" "PMBASE" ["PMBASE"]
        "$D409" "CHBASE" ["CHBASE"]
        "$D40A" "WSYNC" ["WSYNC"]
        "$D40B" "VCOUNT" ["VCOUNT"]
        "$D40C-$D40D" "PENH, PENV" ["PENH" "PENV"]
        "$D40E" "NMIEN" ["NMIEN"]
        "$D40F" "NMIST, NMIRES" ["NMIST" "NMIRES"];
    "GTIA":
        "$D000-$D003" "HPOSP0 to HPOSP3" ["HPOSP0" "HPOSP1" "HPOSP2" "HPOSP3" "HPOSP" "HPOS"]
        "$D004-$D007" "HPOSM0 to HPOSM3" ["HPOSM0" "HPOSM1" "HPOSM2" "HPOSM3" "HPOSM" "HPOS"]
        "$D008-$D00B" "SIZEP0 to SIZEP3" ["SIZEP0" "SIZEP1" "SIZEP2" "SIZEP3" "SIZEP" "SIZE"]
        "$D00C" "SIZEM" ["SIZEM"]
        "$D00D-$D010" "GRAFP0 to GRAFP3" ["GRAFP0" "GRAFP1" "GRAFP2" "GRAFP3" "GRAFP" "GRAF"]
        "$D011" "GRAFM" ["GRAFM"]
        "$D012-$D015" "COLPM0 to COLPM3" ["COLPM0" "COLPM1" "COLPM2" "COLPM3" "COLPM"]
        "$D016-$D019" "COLPF0 to COLPF3" ["COLPF0" "COLPF1" "COLPF2" "COLPF3" "COLPF"]
        "$D01A" "COLBK" ["COLBK"]
        "$D01B" "PRIOR" ["PRIOR"]
        "$D01C" "VDELAY" ["VDELAY"]
        "$D01D" "GRACTL" ["GRACTL"]
        "$D01E" "HITCLR" ["HITCLR"]
        "$D01F" "CONSOL" ["CONSOL"]
        "$D000-$D003 (read)" "M0PF to M3PF" ["M0PF" "M1PF" "M2PF" "M3PF"]
        "$D004-$D007 (read)" "P0PF to P3PF" ["P0PF" "P1PF" "P2PF" "P3PF"]
        "$D008-$D00B (read)" "M0PL to M3PL" ["M0PL" "M1PL" "M2PL" "M3PL"]
        "$D00C-$D00F (read)" "P0PL to P3PL" ["P0PL" "P1PL" "P2PL" "P3PL"]
        "$D010-$D013 (read)" "TRIG0 to TRIG3" ["TRIG0" "TRIG1" "TRIG2" "TRIG3" "TRIG"]
        "$D014 (read)" "PAL" ["PAL"];
    "POKEY":
        "$D200-$D206" "AUDF1 to AUDF4" ["AUDF1" "AUDF2" "AUDF3" "AUDF4" "AUDF"]
        "$D201-$D207" "AUDC1 to AUDC4" ["AUDC1" "AUDC2" "AUDC3" "AUDC4" "AUDC"]
        "$D208" "AUDCTL" ["AUDCTL"]
        "$D209" "STIMER" ["STIMER"]
        "$D20A" "SKRES" ["SKRES" "SKREST"]
        "$D20B" "POTGO" ["POTGO"]
        "$D20D" "SEROUT" ["SEROUT"]
        "$D20E" "IRQEN" ["IRQEN"]
        "$D20F" "SKCTL" ["SKCTL"]
        "$D200-$D207 (read)" "POT0 to POT7" ["POT0" "POT7" "POT"]
        "$D208 (read)" "ALLPOT" ["ALLPOT"]
        "$D209 (read)" "KBCODE" ["KBCODE"]
        "$D20A (read)" "RANDOM" ["RANDOM"]
        "$D20D (read)" "SERIN" ["SERIN"]
        "$D20E (read)" "IRQST" ["IRQST"]
        "$D20F (read)" "SKSTAT" ["SKSTAT"];
    "PIA":
        "$D300" "PORTA" ["PORTA"]
        "$D301" "PORTB" ["PORTB"]
        "$D302" "PACTL" ["PACTL"]
        "$D303" "PBCTL" ["PBCTL"];
};

/// # Errors
/// A file that cannot be read, or a register that no code names.
pub fn run(check: bool) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut code = BTreeMap::new();
    let mut tests = BTreeMap::new();
    for folder in CODE {
        for path in sources(&root.join(folder))? {
            let name = shown(&root, &path);
            let text = read(&path)?;
            if name.ends_with("/tests.rs") || name.contains("/tests/") {
                tests.insert(name, text);
            } else {
                code.insert(name, text);
            }
        }
    }
    for folder in TESTS {
        for path in sources(&root.join(folder))? {
            tests.insert(shown(&root, &path), read(&path)?);
        }
    }
    let (page, missing) = page(&code, &tests);
    if !missing.is_empty() {
        return Err(format!("no code names {}", missing.join(", ")));
    }
    if !check {
        print!("{page}");
    }
    Ok(())
}

/// The page, and the registers without code.
fn page(
    code: &BTreeMap<String, String>,
    tests: &BTreeMap<String, String>,
) -> (String, Vec<&'static str>) {
    let mut out = String::from(
        "# Hardware registers\n\nEach register with the functions that implement it and the tests that name it.\n",
    );
    let mut missing = Vec::new();
    let mut chip = "";
    for row in ROWS {
        if row.chip != chip {
            chip = row.chip;
            let _ = write!(
                out,
                "\n## {chip}\n\n| register | address | code | tests |\n| --- | --- | --- | --- |\n"
            );
        }
        let files = places(code, row.words);
        if files.is_empty() {
            missing.push(row.names);
        }
        let tested = places(tests, row.words);
        let tested = if tested.is_empty() {
            "none by this name".to_owned()
        } else {
            tested
        };
        let _ = writeln!(
            out,
            "| {} | {} | {files} | {tested} |",
            row.names, row.addresses
        );
    }
    (out, missing)
}

/// The files that name the register, each with the functions that do.
fn places(files: &BTreeMap<String, String>, words: &[&str]) -> String {
    let mut found = Vec::new();
    for (name, text) in files {
        if mentions(text, words) {
            let functions = functions(text, words);
            let list = if functions.is_empty() { "" } else { ": " };
            found.push(format!("`{name}`{list}{}", functions.join(", ")));
        }
    }
    found.join("; ")
}

/// Names of the functions whose text names the register, in order.
fn functions<'a>(text: &'a str, words: &[&str]) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    let mut function = None;
    for line in text.lines() {
        if let Some(name) = declared(line) {
            function = Some(name);
        } else if line.starts_with('}') {
            function = None;
        }
        if let Some(name) = function
            && !found.contains(&name)
            && mentions(line, words)
        {
            found.push(name);
        }
    }
    found
}

/// The name of the function that a line begins.
fn declared(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let modifier = |word: &str| word.starts_with("pub") || matches!(word, "const" | "unsafe");
    if !before.split_whitespace().all(modifier) {
        return None;
    }
    after.split(['(', '<']).next()
}

/// Whether one of the words stands in the text by itself.
fn mentions(text: &str, words: &[&str]) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    words.iter().any(|word| {
        text.match_indices(word).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + word.len()..].chars().next();
            !before.is_some_and(part) && !after.is_some_and(part)
        })
    })
}

/// All Rust files below a folder, in order.
fn sources(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.is_dir() {
            found.extend(sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn shown(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    path.to_string_lossy().replace('\\', "/")
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
