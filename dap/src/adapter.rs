//! The adapter: the client's requests, one after the other, and the events for it in between.

use super::access::Writes;
use super::breakpoints::EXCEPTIONS;
use super::faces::Told;
use super::places::array;
use super::program::{Known, Program};
use super::stage::Stage;
use super::wire::Wire;
use debugger::{Debugger, Interrupt, Place, Step, Stop};
use host::options::DebugOptions;
use host::started::Started;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Result, Write};
use std::path::PathBuf;

/// The one thread of the machine.
pub const THREAD: u32 = 1;

/// The way in which a client leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// The program that it had launched ends with it.
    Ended,
    /// The program that it was attached to continues.
    GoesOn,
}

/// The adapter of one client.
pub struct Adapter<W> {
    pub(super) wire: Wire<W>,
    writes: Writes,
    interrupt: Interrupt,
    pub(super) known: Option<Known>,
    /// The breakpoints that the client asked for, by kind and source: a restart sets them again.
    wanted: BTreeMap<String, (String, Value)>,
    launched: Value,
    /// The client has come to a program that ran.
    attached: bool,
    wants_window: bool,
    /// The client looks again when it is told to.
    pub(super) invalidates: bool,
    stop_on_entry: bool,
    pub(super) told: Told,
}

/// The reason why the machine stands, in the protocol's words.
pub type Reason = &'static str;

type Answer<T> = std::result::Result<T, String>;

impl<W: Write> Adapter<W> {
    pub fn new(wire: Wire<W>, writes: Writes, interrupt: Interrupt) -> Self {
        Self {
            wire,
            writes,
            interrupt,
            known: None,
            wanted: BTreeMap::new(),
            launched: Value::Null,
            attached: false,
            wants_window: false,
            invalidates: false,
            stop_on_entry: false,
            told: Told::default(),
        }
    }

    /// The program that the client debugs.
    pub(super) fn program<'a>(&'a mut self, stage: &'a mut dyn Stage) -> Answer<Program<'a>> {
        let both = stage.started().zip(self.known.as_mut());
        both.map(|(started, known)| Program { started, known })
            .ok_or_else(|| "no program was launched".to_owned())
    }

    /// True once for each program that was launched and is to have a window.
    pub fn takes_window(&mut self) -> bool {
        std::mem::take(&mut self.wants_window)
    }

    /// True if the window that the client wants has the debug view open.
    pub fn wants_debug_view(&self) -> bool {
        self.launched["debugView"] == true
    }

    /// Stops the machine, and tells why.
    pub fn stopped(
        &mut self,
        stage: &mut dyn Stage,
        reason: Reason,
        text: Option<&str>,
        hit: Option<u32>,
    ) -> Result<()> {
        stage.set_running(false);
        self.logged(stage)?;
        let mut body = json!({ "reason": reason, "threadId": THREAD, "allThreadsStopped": true });
        let mut told = None;
        if let (Some(hit), Ok(program)) = (hit, self.program(stage)) {
            let all = program.started.debugger.breakpoints.list();
            let place = all.iter().find(|b| b.id == hit).map(|b| &b.place);
            if matches!(
                place,
                Some(Place::Read(_) | Place::Write(_) | Place::Access(_))
            ) {
                body["reason"] = json!("data breakpoint");
            }
            told = program.reason(hit);
            let shown = program.known.shown.get(&hit).copied().unwrap_or(hit);
            body["hitBreakpointIds"] = json!([shown]);
        }
        if let Some(text) = text.or(told.as_deref()) {
            body["description"] = json!(text);
            body["text"] = json!(text);
        }
        self.remember(stage);
        self.wire.event("stopped", &body)
    }

    /// Tells what breakpoints have logged.
    pub fn logged(&mut self, stage: &mut dyn Stage) -> Result<()> {
        let Ok(program) = self.program(stage) else {
            return Ok(());
        };
        let logged = program.started.debugger.breakpoints.take_log();
        let mut texts: Vec<String> = logged.into_iter().map(|hit| hit.text).collect();
        texts.append(&mut program.known.remarks);
        texts.append(&mut program.started.remarks);
        for text in texts {
            self.say(&text)?;
        }
        Ok(())
    }

    /// A line in the client's console.
    pub fn say(&mut self, text: &str) -> Result<()> {
        let body = json!({ "category": "console", "output": format!("{text}\n") });
        self.wire.event("output", &body)
    }

    /// A frame has run, or a part of it up to where it stopped.
    pub fn ran(&mut self, stage: &mut dyn Stage, stop: Stop, moved: bool) -> Result<()> {
        let machine = stage.started().map(|started| started.session.machine());
        let jammed = machine.is_some_and(|machine| machine.cpu.is_jammed());
        match stop {
            Stop::Breakpoint(id) => self.stopped(stage, "breakpoint", None, Some(id)),
            _ if jammed => self.stopped(stage, "exception", Some("the processor is jammed"), None),
            _ if !moved => {
                self.stopped(stage, "exception", Some("the session cannot run on"), None)
            }
            _ => self.logged(stage),
        }
    }

    /// Answers a request that this client may not make.
    pub fn refuse(&mut self, request: &Value, sentence: &str) -> Result<()> {
        self.wire.respond(request, Err(sentence.to_owned()))
    }

    /// Does what a request asks for; how the client leaves, when it does.
    pub fn handle(&mut self, stage: &mut dyn Stage, request: &Value) -> Result<Option<Left>> {
        if request["type"] != "request" {
            return Ok(None);
        }
        let command = request["command"].as_str().unwrap_or("");
        let arguments = &request["arguments"];
        match command {
            "initialize" => {
                self.invalidates = arguments["supportsInvalidatedEvent"] == true;
                self.wire.respond(request, Ok(capabilities()))?;
            }
            "launch" | "attach" => self.open(stage, request)?,
            "configurationDone" => {
                self.wire.respond(request, Ok(json!({})))?;
                self.begin(stage)?;
            }
            "restart" => self.answer_restart(stage, request)?,
            "disconnect" | "terminate" => return self.close(stage, request),
            "threads" => {
                let body = json!({ "threads": [{ "id": THREAD, "name": "6502" }] });
                self.wire.respond(request, Ok(body))?;
            }
            "pause" => {
                self.wire.respond(request, Ok(json!({})))?;
                if stage.is_running() {
                    self.stopped(stage, "pause", Some("paused"), None)?;
                }
            }
            "continue" => {
                let result = self.program(stage).map(|_| ());
                stage.set_running(result.is_ok());
                self.remember(stage);
                let result = result.map(|()| json!({ "allThreadsContinued": true }));
                self.wire.respond(request, result)?;
            }
            "next" | "stepIn" | "stepOut" | "stepBack" | "reverseContinue" => {
                let known = self.program(stage).map(|_| json!({}));
                let well = known.is_ok();
                self.wire.respond(request, known)?;
                if well {
                    self.step(stage, command, arguments)?;
                }
            }
            _ => {
                let result = self.look(stage, command, arguments);
                let moved = matches!(&result, Ok(body) if body["moved"] == true);
                self.wire.respond(request, result)?;
                if moved {
                    self.stopped(stage, "goto", Some("moved by the user"), None)?;
                }
            }
        }
        Ok(None)
    }

    fn answer_restart(&mut self, stage: &mut dyn Stage, request: &Value) -> Result<()> {
        let restarted = self.restart(stage, &request["arguments"]);
        let well = restarted.is_ok();
        self.wire.respond(request, restarted.map(|()| json!({})))?;
        if well {
            self.begin(stage)?;
        }
        Ok(())
    }

    /// Launches a program, or attaches to the one that runs, and says what there is to say of the files beside it.
    fn open(&mut self, stage: &mut dyn Stage, request: &Value) -> Result<()> {
        let arguments = &request["arguments"];
        let attach = request["command"] == "attach";
        let attached = if attach { stage.attach() } else { None };
        self.attached = attached.is_some();
        let result = match attached {
            Some(attached) => attached.map(|()| self.take_up(stage, arguments)),
            None => self.launch(stage, arguments),
        };
        let well = result.is_ok();
        self.wire.respond(request, result.map(|()| json!({})))?;
        if well {
            self.logged(stage)?;
            self.wire.event("initialized", &json!({}))?;
        }
        Ok(())
    }

    /// To the entry, or running.
    fn begin(&mut self, stage: &mut dyn Stage) -> Result<()> {
        if !self.stop_on_entry {
            if self.known.is_some() && !self.attached {
                stage.set_running(true);
            }
            self.remember(stage);
            return Ok(());
        }
        if self.attached {
            return self.stopped(stage, "entry", Some("attached"), None);
        }
        self.enter(stage);
        self.stopped(stage, "entry", Some("the program begins"), None)
    }

    /// The program again from its file, which may have been built meanwhile, with the client's breakpoints.
    fn restart(&mut self, stage: &mut dyn Stage, arguments: &Value) -> Answer<()> {
        self.program(stage)?;
        let newest = &arguments["arguments"];
        let launch = if newest["program"].is_string() {
            newest
        } else {
            &self.launched
        }
        .clone();
        self.launch(stage, &launch)?;
        self.want_again(stage)
    }

    /// Sets the client's breakpoints again.
    pub(super) fn want_again(&mut self, stage: &mut dyn Stage) -> Answer<()> {
        for (command, arguments) in std::mem::take(&mut self.wanted).into_values() {
            self.look(stage, &command, &arguments)?;
        }
        Ok(())
    }

    /// To the first line of the program's source, if there is any.
    fn enter(&mut self, stage: &mut dyn Stage) {
        let Ok(mut program) = self.program(stage) else {
            return;
        };
        if program.known.basic {
            program.step(Step::BasicLine, false);
        } else if !program.started.debugger.sources.is_empty() {
            program.step(Step::Source, false);
        }
    }

    fn step(&mut self, stage: &mut dyn Stage, command: &str, arguments: &Value) -> Result<()> {
        stage.set_running(false);
        let Ok(mut program) = self.program(stage) else {
            return Ok(());
        };
        if command == "reverseContinue" {
            if program.act(Debugger::run_back) {
                let text = program.went_back();
                return self.stopped(stage, "breakpoint", Some(&text), None);
            }
            program.act(|_, debuggee| debuggee.go_to(debuggee.track().oldest()));
            let text = "the recorded time begins here";
            return self.stopped(stage, "entry", Some(text), None);
        }
        let back = command == "stepBack";
        let stop = program.granular(command, arguments);
        let (reason, text) = match stop {
            Stop::Done if back => ("step", "stepped back"),
            Stop::Done => ("step", "stepped"),
            Stop::Breakpoint(id) => return self.stopped(stage, "breakpoint", None, Some(id)),
            Stop::Jammed => ("exception", "the processor is jammed"),
            Stop::Interrupted => ("pause", "paused within a step"),
            Stop::Limit if back => ("step", "the recorded time does not reach back so far"),
            Stop::Limit => ("step", "not within ten seconds of the machine's time"),
        };
        self.stopped(stage, reason, Some(text), None)
    }

    /// The client leaves, or wants its program to end: its output is in its files then.
    fn close(&mut self, stage: &mut dyn Stage, request: &Value) -> Result<Option<Left>> {
        let stays = self.attached && request["arguments"]["terminateDebuggee"] != true;
        let finished = if stays {
            self.leave(stage);
            Ok(())
        } else {
            stage.set_running(false);
            // What it wrote is in its files then.
            let finished = stage.started().map_or(Ok(()), Started::finish);
            finished.map_err(|failure| failure.to_string())
        };
        self.wire.respond(request, finished.map(|()| json!({})))?;
        self.known = None;
        let left = if stays { Left::GoesOn } else { Left::Ended };
        if request["command"] == "terminate" {
            self.wire.event("terminated", &json!({}))?;
            // It says when it leaves; a window that was opened for its program ends now.
            return Ok((left == Left::Ended).then_some(left));
        }
        Ok(Some(left))
    }

    /// True if the client has launched a program or is attached to one.
    pub fn debugs(&self) -> bool {
        self.known.is_some()
    }

    /// The way in which the client leaves when its stream ends.
    pub fn goes(&self) -> Left {
        if self.attached || self.known.is_none() {
            Left::GoesOn
        } else {
            Left::Ended
        }
    }

    /// The window in which the program ran was closed.
    pub fn ended(&mut self) -> Result<()> {
        if self.known.take().is_some() {
            self.wire.event("terminated", &json!({}))?;
        }
        Ok(())
    }

    /// Leaves a program that continues, without the client's breakpoints.
    pub fn leave(&mut self, stage: &mut dyn Stage) {
        let Some((started, known)) = stage.started().zip(self.known.take()) else {
            return;
        };
        for id in known.sets.into_values().flatten() {
            started.debugger.breakpoints.remove(id);
        }
        stage.set_running(true);
    }

    /// Starts a program.
    fn launch(&mut self, stage: &mut dyn Stage, arguments: &Value) -> Answer<()> {
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
        stage.set_running(false);
        stage
            .launch(&options)
            .map_err(|failure| failure.to_string())?;
        self.take_up(stage, arguments);
        self.wants_window = arguments["window"] != false;
        Ok(())
    }

    /// Learns the program that runs.
    fn take_up(&mut self, stage: &mut dyn Stage, arguments: &Value) {
        self.stop_on_entry = arguments["stopOnEntry"].as_bool().unwrap_or(false);
        self.launched = arguments.clone();
        self.learn(stage);
    }

    /// Learns what belongs to the program that runs: its sources, and whether it is a listing.
    pub(super) fn learn(&mut self, stage: &mut dyn Stage) {
        let named = [&self.launched["cwd"]]
            .into_iter()
            .chain(array(&self.launched, "workspace"));
        let roots: Vec<PathBuf> = named.filter_map(Value::as_str).map(PathBuf::from).collect();
        if let Some(started) = stage.started() {
            started.debugger.interrupt = self.interrupt.clone();
            self.known = Some(Known::new(started, &roots));
        }
        self.remember(stage);
    }

    /// Requests that only look, or change memory.
    fn look(&mut self, stage: &mut dyn Stage, command: &str, arguments: &Value) -> Answer<Value> {
        if command.starts_with("set") && command.ends_with("Breakpoints") {
            let key = format!("{command} {}", arguments["source"]);
            let wanted = (command.to_owned(), arguments.clone());
            self.wanted.insert(key, wanted);
        }
        let mut program = self.program(stage)?;
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
            "anticlock/profile" => program.profile(arguments)?,
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
        "supportTerminateDebuggee": true,
    })
}
