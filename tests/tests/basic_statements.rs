//! Every statement, function, operator and error of BASIC, each shown by a small program and the screen it must leave.
//!
//! The cases lie in `tests/programs/statements/*.cases`. Their expectations come from the documentation of the original, never from
//! what this ROM prints. A case is
//!
//! ```text
//! === what it shows
//! +++ NAME            optional: a file on D:, its lines follow
//! 10 PROGRAM          the program, \xNN for any byte; lines without a number run while it is entered
//! ! LIST              optional: typed instead of RUN, one line each
//! > 5                 optional: typed while the program waits
//! ---                 the rows that stand on the screen afterwards, without the command, the margin and READY
//! --- P:              optional: what went to the printer
//! --- D:NAME          optional: what is in the file
//! ```
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

use machine::{Model, Tv};
use tests::Atari;
use tests::desk::{Desk, Folder};

const EOL: u8 = 0x9B;

#[derive(Clone, Default, Debug)]
struct Case {
    title: String,
    place: String,
    program: Vec<u8>,
    files: BTreeMap<String, Vec<u8>>,
    commands: Vec<String>,
    keys: Vec<String>,
    rows: String,
    printed: Option<Vec<u8>>,
    written: BTreeMap<String, Vec<u8>>,
}

/// A line of a case as ATASCII, with its end.
fn atascii(line: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\\x") {
        bytes.extend(before.bytes());
        bytes.push(u8::from_str_radix(&after[..2], 16).unwrap_or_else(|_| panic!("{line}")));
        rest = &after[2..];
    }
    bytes.extend(rest.bytes());
    bytes.push(EOL);
    bytes
}

fn parse(file: &str, text: &str) -> Vec<Case> {
    enum Part {
        Program,
        File(String),
        Rows,
        Printed,
        Written(String),
    }
    let mut cases: Vec<Case> = Vec::new();
    let mut part = Part::Program;
    for (number, line) in text.lines().enumerate() {
        if let Some(title) = line.strip_prefix("=== ") {
            cases.push(Case {
                title: title.into(),
                place: format!("{file}:{}", number + 1),
                ..Case::default()
            });
            part = Part::Program;
            continue;
        }
        let Some(case) = cases.last_mut() else {
            continue; // a note in front of the first case
        };
        if let Some(rest) = line.strip_prefix("---") {
            part = match rest.trim().split_once(':') {
                None => Part::Rows,
                Some(("P", _)) => {
                    case.printed = Some(Vec::new());
                    Part::Printed
                }
                Some((_, name)) => {
                    case.written.insert(name.into(), Vec::new());
                    Part::Written(name.into())
                }
            };
        } else if let Some(name) = line.strip_prefix("+++ ") {
            case.files.insert(name.into(), Vec::new());
            part = Part::File(name.into());
        } else if let (Part::Program | Part::File(_), Some(command)) =
            (&part, line.strip_prefix("! "))
        {
            case.commands.push(command.into());
        } else if let (Part::Program | Part::File(_), Some(keys)) = (&part, line.strip_prefix("> "))
        {
            case.keys.push(keys.into());
        } else {
            match &part {
                Part::File(_) if line == "+++" => part = Part::Program,
                Part::Program | Part::Printed | Part::Written(_) if line.is_empty() => {}
                Part::Program => case.program.extend(atascii(line)),
                Part::File(name) => case.files.get_mut(name).unwrap().extend(atascii(line)),
                Part::Rows => {
                    case.rows.push_str(line);
                    case.rows.push('\n');
                }
                Part::Printed => case.printed.as_mut().unwrap().extend(atascii(line)),
                Part::Written(name) => case.written.get_mut(name).unwrap().extend(atascii(line)),
            }
        }
    }
    cases
}

fn ready() -> Atari {
    static READY: OnceLock<Atari> = OnceLock::new();
    READY
        .get_or_init(|| {
            let mut atari = Atari::new(&tests::config(Model::Xl800, Tv::Ntsc, true));
            atari.machine.attach_host(true);
            assert!(atari.wait_for_key(600), "no READY:\n{}", atari.text());
            atari
        })
        .clone()
}

fn trimmed(rows: &str) -> String {
    let mut lines: Vec<&str> = rows.lines().map(str::trim_end).collect();
    while lines.last() == Some(&"") {
        lines.pop();
    }
    let start = lines
        .iter()
        .position(|l| !l.is_empty())
        .unwrap_or(lines.len());
    lines[start..].join("\n")
}

fn run(case: &Case) -> Result<(), String> {
    let mut desk = Desk {
        atari: ready(),
        folder: Folder(case.files.clone()),
    };
    if !case.program.is_empty() {
        desk.folder.0.insert("Z".into(), case.program.clone());
        desk.type_line("ENTER \"D:Z\"")?;
        desk.wait()?;
        desk.folder.0.remove("Z");
    }
    desk.type_line("{CLEAR}{NORET}")?;
    let run = ["RUN".to_owned()];
    let commands = if case.commands.is_empty() {
        &run[..]
    } else {
        &case.commands
    };
    let mut keys = case.keys.iter();
    for command in commands {
        desk.type_line(command)?;
        desk.wait()?;
    }
    for line in keys.by_ref() {
        desk.type_line(line)?;
        desk.wait()?;
    }
    desk.atari.run(2);
    let screen = desk.atari.machine.text_screen();
    let mut rows: Vec<String> = (0..24).map(|r| screen.row_text(r)).collect();
    for row in &mut rows {
        if let Some(text) = row.strip_prefix("  ") {
            *row = text.to_owned();
        }
    }
    let typed = commands.len() == 1 && rows[0] == commands[0];
    if typed {
        rows.remove(0);
    }
    while rows.last().is_some_and(String::is_empty) {
        rows.pop();
    }
    if rows.last().is_some_and(|r| r == "READY") {
        rows.pop();
    }
    let got = trimmed(&rows.join("\n"));
    let wanted = trimmed(&case.rows);
    let mut failure = String::new();
    if got != wanted {
        write!(failure, "wanted\n{wanted}\ngot\n{got}").unwrap();
    }
    if let Some(wanted) = &case.printed {
        let got = desk.atari.machine.take_printed();
        if got != *wanted {
            let text = |b: &[u8]| String::from_utf8_lossy(b).replace('\u{FFFD}', "\n");
            write!(
                failure,
                "\nprinted: wanted\n{}got\n{}",
                text(wanted),
                text(&got)
            )
            .unwrap();
        }
    }
    for (name, wanted) in &case.written {
        let got = desk.folder.0.get(name);
        if got != Some(wanted) {
            write!(
                failure,
                "\nfile {name}: wanted {wanted:02X?}, got {got:02X?}"
            )
            .unwrap();
        }
    }
    if failure.is_empty() {
        Ok(())
    } else {
        Err(failure)
    }
}

#[test]
fn every_case_leaves_what_the_documentation_says() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/programs/statements"));
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "cases"))
        .collect();
    files.sort();
    let only = std::env::var("CASE").unwrap_or_default();
    let cases: Vec<Case> = files
        .iter()
        .flat_map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            parse(&name, &std::fs::read_to_string(path).unwrap())
        })
        .filter(|case| case.title.contains(&only) || case.place.contains(&only))
        .collect();
    assert!(!cases.is_empty());
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(message) = run(case) {
                        let text = format!("=== {} {}\n{message}\n", case.place, case.title);
                        failures.lock().unwrap().push(text);
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    eprintln!("{} cases", cases.len());
    assert!(
        failures.is_empty(),
        "{} of {} cases fail\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}
