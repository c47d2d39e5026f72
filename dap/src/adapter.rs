//! The adapter: what the client asks for, one request after the other, and what a running program does in between.

use super::access::Writes;
use super::breakpoints::{EXCEPTIONS, Sets};
use super::c_variables::Part;
use super::places::array;
use super::wire::Wire;
use debugger::{Debuggee, Debugger, Interrupt, Place, Sources, Step, Stop, Track, basic};
use host::debug_files;
use host::options::DebugOptions;
use host::started::{Started, start};
use machine::Machine;
use serde_json::{Value, json};
use session::Kind;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Result, Write};
use std::path::PathBuf;

/// The one thread of the machine.
const THREAD: u32 = 1;
/// Statements after which a step over a BASIC line gives up.
const STATEMENTS: usize = 100_000;

/// A program that is debugged.
pub struct Program {
    pub started: Started,
    /// It is a BASIC program: its source is the listing.
    pub basic: bool,
    /// The listing's file, with the BASIC number of each of its lines.
    pub listing: Option<(PathBuf, Vec<Option<u16>>)>,
    pub sets: Sets,
    /// For each breakpoint the one that the client knows it as.
    pub shown: BTreeMap<u32, u32>,
    /// Where the files of the program's sources are.
    pub paths: Vec<Option<PathBuf>>,
    /// Structs, arrays and pointers of C that the client has seen since the machine stopped.
    pub parts: Vec<Part>,
    /// Failures that the client has not been told of yet.
    remarks: Vec<String>,
}

impl Program {
    /// `roots`: folders from which the names in debug information lead to files.
    fn new(mut started: Started, roots: &[PathBuf]) -> Self {
        let paths = sources_of(&mut started, roots);
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
            started,
            basic,
            listing,
            sets: Sets::new(),
            shown: BTreeMap::new(),
            paths,
            parts: Vec::new(),
            remarks: Vec::new(),
        }
    }

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

    fn depth(&self) -> usize {
        basic::Basic::of(self.machine()).map_or(0, |state| state.depth())
    }

    /// A step over, into or out of BASIC lines: the kind of the step forwards or backwards, until GOSUBs are as deep as wanted.
    fn basic_step(&mut self, back: bool, wanted: impl Fn(usize, usize) -> bool) -> Stop {
        let start = self.depth();
        for _ in 0..STATEMENTS {
            let stop = self.step(Step::BasicLine, back);
            if stop != Stop::Done || wanted(self.depth(), start) {
                return stop;
            }
        }
        Stop::Limit
    }

    /// Limit: there is nothing further, and the machine has not moved back.
    fn step(&mut self, step: Step, back: bool) -> Stop {
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
        self.remarks
            .extend(ended.err().map(|failure| failure.to_string()));
        result
    }

    /// A step of the client's granularity.
    fn granular(&mut self, command: &str, arguments: &Value) -> Stop {
        let instruction = arguments["granularity"] == "instruction";
        if let Some(target) = arguments["targetId"]
            .as_u64()
            .filter(|_| command == "stepIn")
        {
            return self.step(Step::To(target as u16), false);
        }
        if self.basic && !instruction {
            return match command {
                "stepIn" => self.basic_step(false, |_, _| true),
                "stepOut" => self.basic_step(false, |now, start| now < start),
                "stepBack" => self.basic_step(true, |now, start| now <= start),
                _ => self.basic_step(false, |now, start| now <= start),
            };
        }
        // In code without source, steps are instructions.
        let lines = !instruction && self.started.debugger.sources.line_at(self.pc()).is_some();
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
        Some(std::fs::canonicalize(&path).unwrap_or(path))
    };
    (0..sources.files().len())
        .map(|file| found(file, sources))
        .collect()
}

/// The adapter of one client.
pub struct Adapter<W> {
    wire: Wire<W>,
    writes: Writes,
    interrupt: Interrupt,
    program: Option<Program>,
    /// The breakpoints that the client asked for, by kind and source: a restart sets them again.
    wanted: BTreeMap<String, (String, Value)>,
    launched: Value,
    stop_on_entry: bool,
    running: bool,
}

/// Why the machine stands, in the protocol's words.
type Reason = &'static str;

impl<W: Write> Adapter<W> {
    pub fn new(wire: Wire<W>, writes: Writes, interrupt: Interrupt) -> Self {
        Self {
            wire,
            writes,
            interrupt,
            program: None,
            wanted: BTreeMap::new(),
            launched: Value::Null,
            stop_on_entry: false,
            running: false,
        }
    }

    /// True if the program runs between requests.
    pub fn is_running(&self) -> bool {
        self.running
    }

    fn stopped(&mut self, reason: Reason, text: Option<&str>, hit: Option<u32>) -> Result<()> {
        self.running = false;
        self.logged()?;
        let breakpoints = self
            .program
            .iter()
            .flat_map(|p| p.started.debugger.breakpoints.list());
        let on_data = breakpoints
            .filter(|breakpoint| Some(breakpoint.id) == hit)
            .any(|breakpoint| {
                matches!(
                    breakpoint.place,
                    Place::Read(_) | Place::Write(_) | Place::Access(_)
                )
            });
        let reason = if on_data { "data breakpoint" } else { reason };
        let told = hit.and_then(|hit| self.program.as_ref()?.reason(hit));
        let text = text.or(told.as_deref());
        let mut body = json!({ "reason": reason, "threadId": THREAD, "allThreadsStopped": true });
        if let Some(text) = text {
            body["description"] = json!(text);
            body["text"] = json!(text);
        }
        if let (Some(hit), Some(program)) = (hit, &self.program) {
            let shown = program.shown.get(&hit).copied().unwrap_or(hit);
            body["hitBreakpointIds"] = json!([shown]);
        }
        self.wire.event("stopped", &body)
    }

    /// Tells what breakpoints have logged.
    fn logged(&mut self) -> Result<()> {
        let Some(program) = &mut self.program else {
            return Ok(());
        };
        let logged = program.started.debugger.breakpoints.take_log();
        let logged = logged.into_iter().map(|hit| hit.text);
        for text in logged.chain(std::mem::take(&mut program.remarks)) {
            let body = json!({ "category": "console", "output": format!("{text}\n") });
            self.wire.event("output", &body)?;
        }
        Ok(())
    }

    fn say(&mut self, text: &str) -> Result<()> {
        let body = json!({ "category": "console", "output": format!("{text}\n") });
        self.wire.event("output", &body)
    }

    /// A frame of a running program.
    pub fn run_on(&mut self) -> Result<()> {
        let Some(program) = &mut self.program else {
            self.running = false;
            return Ok(());
        };
        let before = program.track().moment();
        let stop = program.act(Debugger::run_frame);
        let jammed = program.machine().cpu.is_jammed();
        let stands = program.track().moment() == before;
        match stop {
            Stop::Breakpoint(id) => self.stopped("breakpoint", None, Some(id)),
            _ if jammed => self.stopped("exception", Some("the processor is jammed"), None),
            _ if stands => self.stopped("exception", Some("the session cannot run on"), None),
            _ => self.logged(),
        }
    }

    /// Answers a request that this client may not make.
    pub fn refuse(&mut self, request: &Value, sentence: &str) -> Result<()> {
        self.wire.respond(request, Err(sentence.to_owned()))
    }

    /// Does what a request asks for; true when the client leaves.
    pub fn handle(&mut self, request: &Value) -> Result<bool> {
        if request["type"] != "request" {
            return Ok(false);
        }
        let command = request["command"].as_str().unwrap_or("");
        let arguments = &request["arguments"];
        match command {
            "initialize" => {
                self.wire.respond(request, Ok(capabilities()))?;
            }
            "launch" | "attach" => {
                let result = self.launch(arguments);
                let well = result.is_ok();
                let remarks = result.as_ref().map_or(Vec::new(), Clone::clone);
                self.wire.respond(request, result.map(|_| json!({})))?;
                for remark in remarks {
                    self.say(&remark)?;
                }
                if well {
                    self.wire.event("initialized", &json!({}))?;
                }
            }
            "configurationDone" => {
                self.wire.respond(request, Ok(json!({})))?;
                self.begin()?;
            }
            "restart" => {
                let restarted = self.restart(arguments);
                let well = restarted.is_ok();
                self.wire.respond(request, restarted.map(|()| json!({})))?;
                if well {
                    self.begin()?;
                }
            }
            "disconnect" | "terminate" => {
                let finished = self.finish();
                self.wire.respond(request, finished.map(|()| json!({})))?;
                self.running = false;
                if command == "terminate" {
                    self.wire.event("terminated", &json!({}))?;
                }
                return Ok(command == "disconnect");
            }
            "threads" => {
                let body = json!({ "threads": [{ "id": THREAD, "name": "6502" }] });
                self.wire.respond(request, Ok(body))?;
            }
            "pause" => {
                self.wire.respond(request, Ok(json!({})))?;
                if self.running {
                    self.stopped("pause", Some("paused"), None)?;
                }
            }
            "continue" => {
                let result = self
                    .needed()
                    .map(|_| json!({ "allThreadsContinued": true }));
                self.running = result.is_ok();
                self.wire.respond(request, result)?;
            }
            "next" | "stepIn" | "stepOut" | "stepBack" | "reverseContinue" => {
                let known = self.needed().map(|_| json!({}));
                let well = known.is_ok();
                self.wire.respond(request, known)?;
                if well {
                    self.step(command, arguments)?;
                }
            }
            _ => {
                let result = self.look(command, arguments);
                let moved = matches!(&result, Ok(body) if body["moved"] == true);
                self.wire.respond(request, result)?;
                if moved {
                    self.stopped("goto", Some("moved by the user"), None)?;
                }
            }
        }
        Ok(false)
    }

    /// To the entry, or running.
    fn begin(&mut self) -> Result<()> {
        if self.stop_on_entry {
            self.enter();
            return self.stopped("entry", Some("the program begins"), None);
        }
        self.running = self.program.is_some();
        Ok(())
    }

    /// The program again from its file, which may have been built meanwhile, with the client's breakpoints.
    fn restart(&mut self, arguments: &Value) -> std::result::Result<(), String> {
        self.needed()?;
        let newest = &arguments["arguments"];
        let launch = if newest["program"].is_string() {
            newest
        } else {
            &self.launched
        }
        .clone();
        self.launch(&launch)?;
        for (command, arguments) in std::mem::take(&mut self.wanted).into_values() {
            self.look(&command, &arguments)?;
        }
        Ok(())
    }

    fn needed(&mut self) -> std::result::Result<&mut Program, String> {
        self.program
            .as_mut()
            .ok_or_else(|| "no program was launched".to_owned())
    }

    /// To the first line of the program's source, if there is any.
    fn enter(&mut self) {
        let Some(program) = &mut self.program else {
            return;
        };
        if program.basic {
            program.step(Step::BasicLine, false);
        } else if !program.started.debugger.sources.is_empty() {
            program.step(Step::Source, false);
        }
    }

    fn step(&mut self, command: &str, arguments: &Value) -> Result<()> {
        self.running = false;
        let Some(program) = &mut self.program else {
            return Ok(());
        };
        if command == "reverseContinue" {
            if program.act(Debugger::run_back) {
                let text = self.program.as_ref().map(Program::went_back);
                return self.stopped("breakpoint", text.as_deref(), None);
            }
            program.act(|_, debuggee| debuggee.go_to(debuggee.track().oldest()));
            return self.stopped("entry", Some("the recorded time begins here"), None);
        }
        match program.granular(command, arguments) {
            Stop::Done => {
                let text = if command == "stepBack" {
                    "stepped back"
                } else {
                    "stepped"
                };
                self.stopped("step", Some(text), None)
            }
            Stop::Breakpoint(id) => self.stopped("breakpoint", None, Some(id)),
            Stop::Jammed => self.stopped("exception", Some("the processor is jammed"), None),
            Stop::Interrupted => self.stopped("pause", Some("paused within a step"), None),
            Stop::Limit if command == "stepBack" => self.stopped(
                "step",
                Some("the recorded time does not reach back so far"),
                None,
            ),
            Stop::Limit => self.stopped(
                "step",
                Some("not within ten seconds of the machine's time"),
                None,
            ),
        }
    }

    /// Ends the program that is debugged: what it wrote is in its files then.
    pub fn finish(&mut self) -> std::result::Result<(), String> {
        let finished = self
            .program
            .as_mut()
            .map(|program| program.started.finish());
        finished
            .unwrap_or(Ok(()))
            .map_err(|failure| failure.to_string())
    }

    /// Starts a program; the result is what there is to say about the files beside it.
    fn launch(&mut self, arguments: &Value) -> std::result::Result<Vec<String>, String> {
        let path = arguments["program"]
            .as_str()
            .ok_or("launch needs \"program\": a file, or the name of a built-in program")?;
        let mut words: Vec<OsString> = vec![path.into()];
        for option in array(arguments, "options") {
            words.push(option.as_str().unwrap_or("").into());
        }
        for label in array(arguments, "labels") {
            words.extend(["--labels".into(), label.as_str().unwrap_or("").into()]);
        }
        let options = DebugOptions::parse(words)
            .and_then(|options| self.writes.permit(options))
            .map_err(|failure| failure.to_string())?;
        self.finish()?;
        let mut started = start(&options).map_err(|failure| failure.to_string())?;
        started.debugger.interrupt = self.interrupt.clone();
        let remarks = started.remarks.clone();
        self.stop_on_entry = arguments["stopOnEntry"].as_bool().unwrap_or(false);
        let named = [&arguments["cwd"]]
            .into_iter()
            .chain(array(arguments, "workspace"));
        let roots: Vec<PathBuf> = named.filter_map(Value::as_str).map(PathBuf::from).collect();
        self.program = Some(Program::new(started, &roots));
        self.launched = arguments.clone();
        Ok(remarks)
    }

    /// Requests that only look, or change memory.
    fn look(&mut self, command: &str, arguments: &Value) -> std::result::Result<Value, String> {
        if command.starts_with("set") && command.ends_with("Breakpoints") {
            let key = format!("{command} {}", arguments["source"]);
            let wanted = (command.to_owned(), arguments.clone());
            self.wanted.insert(key, wanted);
        }
        let program = self.needed()?;
        Ok(match command {
            "setBreakpoints" => program.set_breakpoints(arguments),
            "setInstructionBreakpoints" => program.set_instruction_breakpoints(arguments),
            "setFunctionBreakpoints" => program.set_function_breakpoints(arguments),
            "setExceptionBreakpoints" => program.set_exception_breakpoints(arguments),
            "dataBreakpointInfo" => program.data_breakpoint_info(arguments),
            "setDataBreakpoints" => program.set_data_breakpoints(arguments),
            "stackTrace" => program.stack_trace(arguments),
            "scopes" => program.scopes(arguments),
            "variables" => program.variables(arguments)?,
            "setVariable" => program.set_variable(arguments)?,
            "setExpression" => program.set_expression(arguments)?,
            "gotoTargets" => program.goto_targets(arguments)?,
            "goto" => program.go_to(arguments)?,
            "stepInTargets" => program.step_in_targets(),
            "anticlock/picture" => program.picture(),
            "anticlock/why" => program.why(arguments)?,
            "anticlock/interrupts" => program.interrupts()?,
            "anticlock/events" => program.events()?,
            "anticlock/goTo" => program.go_to_moment(arguments)?,
            "source" => program.source_text(arguments)?,
            "loadedSources" => program.sources(),
            "disassemble" => program.disassemble(arguments)?,
            "readMemory" => program.read_memory(arguments)?,
            "writeMemory" => program.write_memory(arguments)?,
            "completions" => program.completions(arguments),
            "evaluate" => program.evaluate(arguments)?,
            _ => {
                return Err(format!(
                    "the request \"{}\" is not known",
                    super::places::clip(command)
                ));
            }
        })
    }
}

fn capabilities() -> Value {
    let filters: Vec<Value> = EXCEPTIONS
        .iter()
        .map(|(name, label, _)| {
            json!({ "filter": name, "label": label, "default": false, "supportsCondition": true })
        })
        .collect();
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsDataBreakpoints": true,
        "supportsDataBreakpointBytes": true,
        "supportsInstructionBreakpoints": true,
        "supportsExceptionFilterOptions": true,
        "exceptionBreakpointFilters": filters,
        "supportsStepBack": true,
        "supportsSteppingGranularity": true,
        "supportsEvaluateForHovers": true,
        "supportsSetVariable": true,
        "supportsSetExpression": true,
        "supportsGotoTargetsRequest": true,
        "supportsStepInTargetsRequest": true,
        "supportsRestartRequest": true,
        "supportsCompletionsRequest": true,
        "supportsLoadedSourcesRequest": true,
        "supportsDisassembleRequest": true,
        "supportsReadMemoryRequest": true,
        "supportsWriteMemoryRequest": true,
        "supportsTerminateRequest": true,
    })
}
