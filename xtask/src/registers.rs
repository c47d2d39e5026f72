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
pub struct Row {
    pub chip: &'static str,
    /// As the index shows them.
    pub names: &'static str,
    pub addresses: &'static str,
    /// Their names in the sources.
    words: &'static [&'static str],
    /// Their function, in a sentence.
    pub text: &'static str,
}

macro_rules! rows {
    ($($chip:literal: $($addresses:literal $names:literal [$($word:literal)*] $text:literal)*;)*) => {
        &[$($(Row { chip: $chip, names: $names, addresses: $addresses, words: &[$($word),*], text: $text }),*),*]
    };
}

pub const ROWS: &[Row] = rows! {
    "ANTIC":
        "$D400" "DMACTL" ["DMACTL"]
            "Playfield width, player and missile DMA, line resolution of players, display list DMA. Shadow SDMCTL."
        "$D401" "CHACTL" ["CHACTL"]
            "Characters upside down, inverse video, blank. Shadow CHACT."
        "$D402-$D403" "DLISTL, DLISTH" ["DLISTL" "DLISTH" "DLIST"]
            "Address of the display list; ANTIC counts it up within 1K. Shadows SDLSTL, SDLSTH."
        "$D404" "HSCROL" ["HSCROL"]
            "Fine horizontal scroll, 0 to 15 colour clocks to the right."
        "$D405" "VSCROL" ["VSCROL"]
            "Fine vertical scroll, 0 to 15 scan lines."
        "$D407" "PMBASE" ["PMBASE"]
            "High byte of the address of player and missile graphics, on a border of 1K or 2K."
        "$D409" "CHBASE" ["CHBASE"]
            "High byte of the address of the character set. Shadow CHBAS."
        "$D40A" "WSYNC" ["WSYNC"]
            "Any store stops the processor until cycle 105 of the scan line."
        "$D40B" "VCOUNT" ["VCOUNT"]
            "The scan line divided by two."
        "$D40C-$D40D" "PENH, PENV" ["PENH" "PENV"]
            "Where the light pen was: colour clock and VCOUNT."
        "$D40E" "NMIEN" ["NMIEN"]
            "Enables display list interrupts (bit 7) and vertical blank interrupts (bit 6)."
        "$D40F" "NMIST, NMIRES" ["NMIST" "NMIRES"]
            "When read: which interrupt it was (bit 7 display list, bit 6 vertical blank, bit 5 RESET). Any store clears it.";
    "GTIA":
        "$D000-$D003" "HPOSP0 to HPOSP3" ["HPOSP0" "HPOSP1" "HPOSP2" "HPOSP3" "HPOSP" "HPOS"]
            "Horizontal position of a player in colour clocks; 48 is the left edge of a normal playfield."
        "$D004-$D007" "HPOSM0 to HPOSM3" ["HPOSM0" "HPOSM1" "HPOSM2" "HPOSM3" "HPOSM" "HPOS"]
            "Horizontal position of a missile in colour clocks."
        "$D008-$D00B" "SIZEP0 to SIZEP3" ["SIZEP0" "SIZEP1" "SIZEP2" "SIZEP3" "SIZEP" "SIZE"]
            "Width of a player: 0 and 2 normal, 1 double, 3 fourfold."
        "$D00C" "SIZEM" ["SIZEM"]
            "Widths of the missiles, two bits each."
        "$D00D-$D010" "GRAFP0 to GRAFP3" ["GRAFP0" "GRAFP1" "GRAFP2" "GRAFP3" "GRAFP" "GRAF"]
            "Pattern of a player, which DMA stores each line where it is on."
        "$D011" "GRAFM" ["GRAFM"]
            "Patterns of the missiles, two bits each."
        "$D012-$D015" "COLPM0 to COLPM3" ["COLPM0" "COLPM1" "COLPM2" "COLPM3" "COLPM"]
            "Colour of a player and its missile. Shadows PCOLR0 to PCOLR3."
        "$D016-$D019" "COLPF0 to COLPF3" ["COLPF0" "COLPF1" "COLPF2" "COLPF3" "COLPF"]
            "Colour of a playfield: hue times 16 plus luminance. Shadows COLOR0 to COLOR3."
        "$D01A" "COLBK" ["COLBK"]
            "Colour of the background and border. Shadow COLOR4."
        "$D01B" "PRIOR" ["PRIOR"]
            "Priority of players and playfields, fifth player, GTIA modes. Shadow GPRIOR."
        "$D01C" "VDELAY" ["VDELAY"]
            "Moves players and missiles down by one scan line where their DMA has double lines."
        "$D01D" "GRACTL" ["GRACTL"]
            "Lets DMA data into players (bit 1) and missiles (bit 0); bit 2 latches the triggers."
        "$D01E" "HITCLR" ["HITCLR"]
            "Any store clears all collisions."
        "$D01F" "CONSOL" ["CONSOL"]
            "When read: START, SELECT and OPTION in bits 0 to 2, 0 while pressed. A store sets the speaker (bit 3)."
        "$D000-$D003 (read)" "M0PF to M3PF" ["M0PF" "M1PF" "M2PF" "M3PF"]
            "Playfields that a missile has touched, a bit each."
        "$D004-$D007 (read)" "P0PF to P3PF" ["P0PF" "P1PF" "P2PF" "P3PF"]
            "Playfields that a player has touched, a bit each."
        "$D008-$D00B (read)" "M0PL to M3PL" ["M0PL" "M1PL" "M2PL" "M3PL"]
            "Players that a missile has touched, a bit each."
        "$D00C-$D00F (read)" "P0PL to P3PL" ["P0PL" "P1PL" "P2PL" "P3PL"]
            "Players that a player has touched, a bit each."
        "$D010-$D013 (read)" "TRIG0 to TRIG3" ["TRIG0" "TRIG1" "TRIG2" "TRIG3" "TRIG"]
            "Trigger of a joystick: 0 while pressed. Shadows STRIG0 to STRIG3."
        "$D014 (read)" "PAL" ["PAL"]
            "Television system: bits 1 to 3 are 0 on PAL and 1 on NTSC.";
    "POKEY":
        "$D200-$D206" "AUDF1 to AUDF4" ["AUDF1" "AUDF2" "AUDF3" "AUDF4" "AUDF"]
            "Divisor of a sound channel; the period is one more."
        "$D201-$D207" "AUDC1 to AUDC4" ["AUDC1" "AUDC2" "AUDC3" "AUDC4" "AUDC"]
            "Distortion (bits 5 to 7), volume only (bit 4), volume (bits 0 to 3) of a channel."
        "$D208" "AUDCTL" ["AUDCTL"]
            "Clocks, joined channels, high-pass filters, length of the noise."
        "$D209" "STIMER" ["STIMER"]
            "Any store starts the timers again."
        "$D20A" "SKRES" ["SKRES" "SKREST"]
            "Any store clears the errors in SKSTAT."
        "$D20B" "POTGO" ["POTGO"]
            "Any store starts a count of the paddles."
        "$D20D" "SEROUT" ["SEROUT"]
            "The byte to send on the serial bus."
        "$D20E" "IRQEN" ["IRQEN"]
            "Enables POKEY's interrupts, a bit each. Shadow POKMSK."
        "$D20F" "SKCTL" ["SKCTL"]
            "Modes of the serial port, keyboard scan and debounce; 0 in bits 0 and 1 holds POKEY in reset. Shadow SSKCTL."
        "$D200-$D207 (read)" "POT0 to POT7" ["POT0" "POT7" "POT"]
            "Position of a paddle, 0 to 228. Shadows PADDL0 to PADDL7."
        "$D208 (read)" "ALLPOT" ["ALLPOT"]
            "A bit for each paddle, 1 while it is counted."
        "$D209 (read)" "KBCODE" ["KBCODE"]
            "Code of the last key, with Shift (bit 6) and Control (bit 7). Shadow CH."
        "$D20A (read)" "RANDOM" ["RANDOM"]
            "The upper eight bits of the noise counter."
        "$D20D (read)" "SERIN" ["SERIN"]
            "The byte that came on the serial bus."
        "$D20E (read)" "IRQST" ["IRQST"]
            "Which interrupt POKEY asks for: 0 in its bit."
        "$D20F (read)" "SKSTAT" ["SKSTAT"]
            "State of the serial port and keyboard; 0 in a bit is an error or a pressed key.";
    "PIA":
        "$D300" "PORTA" ["PORTA"]
            "Joysticks 1 and 2: four bits each, 0 while pressed; or its direction register, by bit 2 of PACTL. Shadows STICK0, STICK1."
        "$D301" "PORTB" ["PORTB"]
            "Joysticks 3 and 4 on a 400 or 800; on XL and XE the memory map: OS, BASIC, banks, self-test."
        "$D302" "PACTL" ["PACTL"]
            "Control of PORTA: direction register (bit 2), cassette motor (bit 3), proceed interrupt."
        "$D303" "PBCTL" ["PBCTL"]
            "Control of PORTB: direction register (bit 2), command line (bit 3), interrupt line.";
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
                "\n## {chip}\n\n| register | address | meaning | code | tests |\n| --- | --- | --- | --- | --- |\n"
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
            "| {} | {} | {} | {files} | {tested} |",
            row.names, row.addresses, row.text
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

/// True if one of the words stands in the text by itself.
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
