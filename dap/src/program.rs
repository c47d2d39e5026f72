//! The program that is debugged, and the client's knowledge of it.

use super::breakpoints::Sets;
use super::c_variables::Part;
use debugger::{BasicStep, Debuggee, Debugger, Sources, Step, Stop, Track};
use host::debug_files;
use host::started::Started;
use machine::Machine;
use serde_json::Value;
use session::Kind;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A program that is debugged, while a request is answered.
pub struct Program<'a> {
    pub started: &'a mut Started,
    pub known: &'a mut Known,
}

/// The client's knowledge of a program.
pub struct Known {
    /// It is a BASIC program: its source is the listing.
    pub basic: bool,
    /// The listing's file, with the BASIC number of each of its lines.
    pub listing: Option<(PathBuf, Vec<Option<u16>>)>,
    pub sets: Sets,
    /// The client's number for each breakpoint.
    pub shown: BTreeMap<u32, u32>,
    /// The paths of the program's sources.
    pub paths: Vec<Option<PathBuf>>,
    /// Structs, arrays and pointers of C that the client has seen since the machine stopped.
    pub parts: Vec<Part>,
    /// Failures that the client has not been told of yet.
    pub remarks: Vec<String>,
}

impl Known {
    /// `roots`: folders from which the names in debug information lead to files.
    pub fn new(started: &mut Started, roots: &[PathBuf]) -> Self {
        let paths = sources_of(started, roots);
        let found = &started.found;
        let basic = matches!(found.program.kind, Kind::Basic(_) | Kind::Prompt);
        let listing = found.path.as_ref().and_then(|path| {
            let bytes = std::fs::read(path).ok()?;
            if !basic || media::basic::is_save(&bytes) {
                return None;
            }
            let number = |line: media::basic::Line<'_>| {
                let text = String::from_utf8_lossy(&line.text);
                let text = text.trim_start();
                let end = text
                    .find(|c: char| !c.is_ascii_digit())
                    .unwrap_or(text.len());
                text[..end].parse().ok()
            };
            let lines = media::basic::listing_lines(&bytes);
            Some((path.clone(), lines.map(number).collect()))
        });
        Self {
            basic,
            listing,
            sets: Sets::new(),
            shown: BTreeMap::new(),
            paths,
            parts: Vec::new(),
            remarks: Vec::new(),
        }
    }
}

impl Program<'_> {
    pub fn machine(&self) -> &Machine {
        self.started.session.machine()
    }

    pub fn track(&self) -> &Track {
        self.started.session.track()
    }

    /// The instruction that the processor is in, or begins next.
    pub fn pc(&self) -> u16 {
        let cpu = &self.machine().cpu;
        if cpu.at_instruction_start() {
            cpu.pc
        } else {
            cpu.instruction()
        }
    }

    /// An address as the user writes it.
    pub fn address(&self, text: &str) -> std::result::Result<u16, String> {
        if let Some((_, code)) = self.started.debugger.sources.place(text) {
            return Ok(code[0]);
        }
        let value = self.started.debugger.evaluate(self.track(), text)?.value;
        u16::try_from(value).map_err(|_| format!("{value} is no address"))
    }

    /// Limit: there is nothing further, and the machine has not moved back.
    pub fn step(&mut self, step: Step, back: bool) -> Stop {
        self.act(|debugger, debuggee| {
            if !back {
                debugger.step(debuggee, step)
            } else if debugger.step_back(debuggee, step) {
                Stop::Done
            } else {
                Stop::Limit
            }
        })
    }

    /// Failures on the way are told together with the log of breakpoints.
    pub fn act<R>(&mut self, act: impl FnOnce(&mut Debugger, &mut dyn Debuggee) -> R) -> R {
        let (result, ended) = self.started.act_all(act);
        self.known
            .remarks
            .extend(ended.err().map(|failure| failure.to_string()));
        result
    }

    /// A step of the client's granularity.
    pub fn granular(&mut self, command: &str, arguments: &Value) -> Stop {
        let instruction = arguments["granularity"] == "instruction";
        if let Some(target) = arguments["targetId"]
            .as_u64()
            .filter(|_| command == "stepIn")
        {
            return self.step(Step::To(target as u16), false);
        }
        if self.known.basic && !instruction {
            let mut basic_step = |step, back| {
                self.act(|debugger, debuggee| debugger.basic_step(debuggee, step, back))
            };
            return match command {
                "stepIn" => basic_step(BasicStep::Into, false),
                "stepOut" => basic_step(BasicStep::Out, false),
                "stepBack" => basic_step(BasicStep::Over, true),
                _ => basic_step(BasicStep::Over, false),
            };
        }
        // In code without source, steps are instructions.
        let sources = &self.started.debugger.sources;
        let lines = !instruction && sources.line_of(self.machine()).is_some();
        match (command, lines) {
            ("stepOut", _) => self.step(Step::Out, false),
            ("stepIn", true) => self.step(Step::Source, false),
            ("stepIn", false) => self.step(Step::Instruction, false),
            ("stepBack", true) => self.step(Step::SourceOver, true),
            ("stepBack", false) => self.step(Step::Over, true),
            (_, true) => self.step(Step::SourceOver, false),
            (_, false) => self.step(Step::Over, false),
        }
    }
}

/// Finds the files of a program's sources, and reads those that were not found without the roots.
fn sources_of(started: &mut Started, roots: &[PathBuf]) -> Vec<Option<PathBuf>> {
    let Some(program) = &started.found.path else {
        return Vec::new();
    };
    let sources = &mut started.debugger.sources;
    let found = |file: usize, sources: &mut Sources| {
        let path = debug_files::source_path(&sources.files()[file].name, program, roots)?;
        if sources.files()[file].text.is_empty()
            && let Ok(text) = std::fs::read(&path)
        {
            sources.set_text(file, &String::from_utf8_lossy(&text));
        }
        Some(host::files::canonical(&path).unwrap_or(path))
    };
    (0..sources.files().len())
        .map(|file| found(file, sources))
        .collect()
}
