//! Runs the behaviour cases of the OS and BASIC: listings, typed lines and binary programs, each with the screen it must leave.
use std::path::{Path, PathBuf};

use machine::Config;

use crate::{Atari, screen};

/// One line of `index.tsv`.
#[derive(Clone, Debug)]
pub struct Case {
    /// Name of the files.
    pub name: String,
    /// Its topic.
    pub topic: String,
    /// `RUN`, `load`, `type` or `xex`.
    pub start: String,
    /// Limit for the whole case after the start.
    pub frames: u32,
    /// The notes on what may differ.
    pub notes: String,
}

/// Frames for switching on, until READY or until the file is loaded.
const BOOT: u32 = 1500;
/// The address at which binary cases put $A5 when they have finished.
const FINISHED: u16 = 0x06FF;

/// Reads the index in `folder`.
///
/// # Errors
/// When the file is missing or a line has no five fields.
pub fn cases(folder: &Path) -> Result<Vec<Case>, String> {
    let index = folder.join("index.tsv");
    let text = std::fs::read_to_string(&index).map_err(|e| format!("{}: {e}", index.display()))?;
    text.lines()
        .skip(1)
        .filter(|l| !l.is_empty())
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [name, topic, start, frames, ..] = fields[..] else {
                return Err(format!("index.tsv: {line:?} has too few fields"));
            };
            Ok(Case {
                name: name.into(),
                topic: topic.into(),
                start: start.into(),
                frames: frames
                    .parse()
                    .map_err(|_| format!("index.tsv: {frames:?} is no number"))?,
                notes: fields.get(4).copied().unwrap_or("").into(),
            })
        })
        .collect()
}

/// Tokenises a listing and puts it into memory.
fn load(atari: &mut Atari, listing: &[u8]) -> Result<(), String> {
    let program = media::basic::Program::tokenize(listing).map_err(|e| {
        e.iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("\n")
    })?;
    atari
        .machine
        .load_basic(&program)
        .map_err(|e| e.to_string())
}

/// Types a listing at the prompt, to the same end as ENTER.
fn enter(atari: &mut Atari, listing: &[u8]) -> Result<(), String> {
    for line in String::from_utf8_lossy(listing).lines() {
        let keys =
            session::typist::strokes_of_plain(&format!("{line}\n")).map_err(|e| e.to_string())?;
        if !atari.wait_for_key(600) || !atari.press(keys, 6000) {
            return Err(format!("the machine does not take the line {line:?}"));
        }
    }
    if atari.wait_for_key(600) {
        Ok(())
    } else {
        Err("the machine waits for no key after the listing".into())
    }
}

/// True if a listing has a line that ENTER would carry out at once.
fn has_direct_command(listing: &[u8]) -> bool {
    listing
        .split(|b| [0x9B, b'\n', b'\r'].contains(b))
        .map(<[u8]>::trim_ascii)
        .any(|line| line.first().is_some_and(|b| !b.is_ascii_digit()))
}

/// Runs a case; the screen as `describe` shows it.
///
/// # Errors
/// When the machine cannot be started or the files are missing.
pub fn run(folder: &Path, case: &Case, config: &Config) -> Result<String, String> {
    let file = |extension: &str| -> PathBuf { folder.join(format!("{}.{extension}", case.name)) };
    let read = |extension: &str| {
        let path = file(extension);
        std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))
    };
    let input = std::fs::read_to_string(file("input")).unwrap_or_default();
    let mut config = config.clone();
    let mut atari;
    if case.start == "xex" {
        config.basic = None;
        let xex = media::xex::Xex::parse(&read("xex")?).map_err(|e| e.to_string())?;
        atari = Atari::new(&config);
        atari.machine.insert_program(xex.boot());
        for _ in 0..BOOT {
            if atari.machine.program_started() {
                break;
            }
            atari.run(1);
        }
        if !atari.machine.program_started() {
            return Err(format!("the file was not booted:\n{}", atari.text()));
        }
    } else {
        atari = Atari::new(&config);
        if !atari.wait_for_key(BOOT) {
            return Err(format!("no READY prompt:\n{}", atari.text()));
        }
        if case.start != "type" {
            let listing = read("lst")?;
            if has_direct_command(&listing) {
                enter(&mut atari, &listing)?;
            } else {
                load(&mut atari, &listing)?;
            }
        }
        if case.start == "RUN" {
            atari.type_text("RUN\n");
        }
    }
    let mut end = atari.frames + case.frames;
    for line in input.lines() {
        if !atari.wait_for_key(end.saturating_sub(atari.frames).max(1)) {
            return Err(format!(
                "the machine does not wait for the line {line:?}:\n{}",
                screen::describe(&atari.machine)
            ));
        }
        let (text, newline) = match line.strip_suffix("{NORET}") {
            Some(text) => (text, ""),
            None => (line, "\n"),
        };
        let keys = session::typist::strokes_of_plain(&format!("{text}{newline}"))
            .map_err(|e| e.to_string())?;
        // The frames of a case are for its program; a hundred keys take longer than that.
        let before = atari.frames;
        let typed = atari.press(keys, 6000);
        end += atari.frames - before;
        if !typed {
            return Err(format!(
                "the machine takes no keys:\n{}",
                screen::describe(&atari.machine)
            ));
        }
    }
    if case.start == "xex" {
        while atari.frames < end && atari.machine.peek(FINISHED) != 0xA5 {
            atari.run(1);
        }
        if atari.machine.peek(FINISHED) != 0xA5 {
            return Err(format!(
                "the program did not finish:\n{}",
                screen::describe(&atari.machine)
            ));
        }
    } else {
        atari.wait_for_key(end.saturating_sub(atari.frames).max(1));
    }
    atari.run(2);
    Ok(screen::describe(&atari.machine))
}

/// Rows in which the documentation of the original contradicts a case: case, the case's row, the documented row, why. The
/// cases' own README says to believe the documentation then.
const DOCUMENTED: &[(&str, &str, &str, &str)] = &[
    (
        "fun08",
        "|  4 7",
        "|  4 -9",
        "(-2)^3 is -8, and INT(-8.5) is -9",
    ),
    (
        "pk03",
        "|  0 0 85 0",
        "|  0 0 0 1",
        "TRAPLN ($BC/$BD) has $80 in its high byte while no TRAP is set",
    ),
    (
        "pri06",
        "|  6338 14",
        "|  634E 14",
        "LOGCOL ($63) is the column in the logical line: 4 after two digits from column 2",
    ),
];

/// True if `got` is the screen `wanted`, up to what the index notes allow for this case.
#[must_use]
pub fn agrees(case: &Case, wanted: &str, got: &str) -> bool {
    let wanted = &DOCUMENTED
        .iter()
        .filter(|row| row.0 == case.name)
        .fold(wanted.to_owned(), |text, row| text.replace(row.1, row.2));
    if wanted == got {
        return true;
    }
    let notes = case.notes.as_str();
    let without_inverse = |text: &str| {
        text.lines()
            .filter(|l| !l.starts_with("INVERSE"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    if (notes.contains("marked column") || notes.contains("INVERSE"))
        && notes.contains("may differ")
    {
        return without_inverse(wanted) == without_inverse(got);
    }
    let by = numbers_differ(notes);
    let allowed: Allowed = if notes.contains("last byte may differ") {
        Box::new(|case, word, a, b| {
            let (Some(x), Some(y)) = (a.get(1..13), b.get(1..13)) else {
                return false;
            };
            let (Ok(x), Ok(y)) = (x[2..].parse::<i64>(), y[2..].parse::<i64>()) else {
                return false;
            };
            listed(case).contains(&(word + 1)) && a[..3] == b[..3] && (x - y).abs() <= 1
        })
    } else if notes.contains("exponents outside the range") {
        // Items of the list in the note: 12345678901, 1E98, 1E99, 100000000000; each is two words, or three rows apart.
        Box::new(|_, word, _, _| matches!(word / 2 + 1, 15 | 28 | 30 | 31))
    } else if notes.contains("how they fail may differ") {
        // "CMD 0 84 00" and "CMD 4 83 00": a negative status each.
        Box::new(|_, word, a, b| {
            word > 0 && a != b && a.len() == 2 && b.len() == 2 && b.as_bytes()[0] >= b'8'
        })
    } else if notes.contains("counts may differ by one") {
        Box::new(|_, _, a, b| {
            let hex = |t: &str| i64::from_str_radix(t, 16).ok();
            hex(a).zip(hex(b)).is_some_and(|(a, b)| (a - b).abs() <= 1)
        })
    } else if let Some(by) = by {
        Box::new(move |_, _, a, b| by.allows(a, b))
    } else {
        return false;
    };
    let wanted_words = words(wanted);
    let got_words = words(got);
    wanted_words.len() == got_words.len()
        && wanted_words
            .iter()
            .zip(&got_words)
            .enumerate()
            .all(|(i, (a, b))| a == b || allowed(case, i, a, b))
}

/// Function that allows a word, its place and the two texts, to differ.
type Allowed = Box<dyn Fn(&Case, usize, &str, &str) -> bool>;

/// By how much numbers may differ.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Tolerance {
    /// Whole units, or 1E-9 where broken numbers are shown.
    Units(f64),
    /// A part of the value; numbers in the package's format count too.
    Relative(f64),
    /// One in the last of the ten digits.
    LastDigit,
}

impl Tolerance {
    fn allows(self, a: &str, b: &str) -> bool {
        match self {
            Self::Units(units) => numbers(a, b)
                .is_some_and(|(a, b)| (a - b).abs() <= if a.fract() == 0.0 { units } else { 1e-9 }),
            Self::Relative(part) => {
                let plain = numbers(a, b).is_some_and(|(a, b)| (a - b).abs() <= part * a.abs());
                plain
                    || (a.is_char_boundary(1)
                        && b.is_char_boundary(1)
                        && a.get(..1) == b.get(..1)
                        && packed(&a[1..]).zip(packed(&b[1..])).is_some_and(|(a, b)| {
                            // Only the first digits are shown: each stands for the numbers up to the next one that would be shown.
                            let gap = (a.0 - b.0).abs() - if a.0 < b.0 { a.1 } else { b.1 };
                            gap <= (part * a.0.abs()).max(1e-8)
                        }))
            }
            Self::LastDigit => {
                numbers(a, b).is_some_and(|(a, b)| (a - b).abs() <= last_digit(a) * 1.001)
            }
        }
    }
}

/// The tolerance that a note allows for numbers: "relative tolerance (of) 1E-5", "tolerance 2 units", "tolerance one unit", "last digit(s) ... may
/// differ".
fn numbers_differ(notes: &str) -> Option<Tolerance> {
    let behind = |text: &str| {
        let rest = notes.split_once(text)?.1.trim_start();
        let rest = rest.strip_prefix("of ").unwrap_or(rest);
        let word = rest
            .split_whitespace()
            .next()?
            .trim_end_matches(['.', ',', ';']);
        match word {
            "a" | "one" => Some(1.0),
            "two" => Some(2.0),
            "three" => Some(3.0),
            other => other.parse::<f64>().ok(),
        }
    };
    if let Some(part) = behind("relative tolerance") {
        return Some(Tolerance::Relative(part));
    }
    if let Some(units) = behind("tolerance").or_else(|| behind("a difference of")) {
        return Some(Tolerance::Units(units));
    }
    let last = notes.contains("last digit") && notes.contains("may differ");
    last.then_some(Tolerance::LastDigit)
}

/// The words of the rows.
fn words(text: &str) -> Vec<&str> {
    text.lines()
        .filter_map(|l| l.strip_prefix('|'))
        .flat_map(str::split_whitespace)
        .collect()
}

fn numbers(a: &str, b: &str) -> Option<(f64, f64)> {
    Some((a.parse().ok()?, b.parse().ok()?))
}

/// One unit of the last digit of a number in the package's format: ten digits in pairs.
fn last_digit(value: f64) -> f64 {
    let exponent = value.abs().log10().floor() as i32;
    let digits = if exponent.rem_euclid(2) == 0 { 9 } else { 10 };
    10f64.powi(exponent - digits + 1)
}

/// The value of the first bytes of a number: sign and exponent to base 100, then decimal digits; and one unit of the last digit.
fn packed(hex: &str) -> Option<(f64, f64)> {
    let first = u8::from_str_radix(hex.get(..2)?, 16).ok()?;
    let digits = hex.get(2..)?;
    let unit = 100f64.powi(i32::from(first & 0x7F) - 64 - (digits.len() as i32 / 2 - 1));
    let value = digits.parse::<u64>().ok()? as f64 * unit;
    Some((if first & 0x80 != 0 { -value } else { value }, unit))
}

/// The cases that a floating point note lists: "... (last byte may differ by one unit): cases 2,3,9".
fn listed(case: &Case) -> Vec<usize> {
    let Some((_, list)) = case.notes.split_once("unit): cases ") else {
        return Vec::new();
    };
    let list = list.split('.').next().unwrap_or("");
    list.split(',')
        .filter_map(|n| n.trim().parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(notes: &str) -> Case {
        Case {
            name: "x".into(),
            topic: String::new(),
            start: String::new(),
            frames: 1,
            notes: notes.into(),
        }
    }

    #[test]
    fn notes_say_by_how_much_numbers_may_differ() {
        for (note, wanted) in [
            ("", None),
            ("values right after power-up", None),
            (
                "compare as numbers, tolerance 2 units",
                Some(Tolerance::Units(2.0)),
            ),
            (
                "results: tolerance one unit; 0^0",
                Some(Tolerance::Units(1.0)),
            ),
            (
                "a difference of one unit may be legitimate",
                Some(Tolerance::Units(1.0)),
            ),
            (
                "as numbers, relative tolerance 1E-5",
                Some(Tolerance::Relative(1e-5)),
            ),
            (
                "a relative tolerance of 1E-6 and",
                Some(Tolerance::Relative(1e-6)),
            ),
            (
                "last digits of products may differ by one unit",
                Some(Tolerance::LastDigit),
            ),
        ] {
            assert_eq!(numbers_differ(note), wanted, "{note}");
        }
    }

    #[test]
    fn only_what_a_note_allows_may_differ() {
        let plain = case("");
        assert!(agrees(&plain, "|A 1\n", "|A 1\n") && !agrees(&plain, "|A 1\n", "|A 2\n"));
        let units = case("compare as numbers, tolerance 2 units");
        assert!(
            agrees(&units, "|A 10\n", "|A 12\n")
                && !agrees(&units, "|A 10\n", "|A 13\n")
                && !agrees(&units, "|A\n", "|B\n")
        );
        let fp = case(
            "Result not representable in 10 digits (last byte may differ by one unit): cases 1,3. E = carry set",
        );
        assert!(agrees(&fp, "|+400100000001 X\n", "|+400100000002 X\n"));
        assert!(!agrees(&fp, "|X +400100000001\n", "|X +400100000002\n"));
        let column = case("the marked column of a syntax error may differ");
        assert!(agrees(
            &column,
            "|A\nINVERSE 1:2-2\nCURSOR row=1 col=2\n",
            "|A\nINVERSE 1:3-3\nCURSOR row=1 col=2\n"
        ));
        let trig = case("Compare as NUMBERS with a relative tolerance of 1E-6 and");
        assert!(
            agrees(&trig, "|X3F999999\n", "|X40010000\n")
                && !agrees(&trig, "|X3F999999\n", "|XE\n")
        );
    }

    #[test]
    fn a_listing_with_a_direct_command_is_typed() {
        let folder = std::env::temp_dir().join(format!("anticlock-enter-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("c.lst"), "10 PRINT A\nA=42\nGOTO 10\n").unwrap();
        let case = Case {
            name: "c".into(),
            topic: String::new(),
            start: "load".into(),
            frames: 60,
            notes: String::new(),
        };
        let config = crate::config(machine::Model::Xl800, machine::Tv::Ntsc, true);
        let screen = run(&folder, &case, &config);
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(screen.unwrap().contains("42"));
    }
}
