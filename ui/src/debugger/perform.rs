//! Does to machine and debugger what the page asks for.
use super::{Register, Request};
use debugger::{Breakpoints, Debuggee, Debugger, Moment, Step, Stop, Target, WriteQuery};
use session::timeline::Event;

/// The sentence for the end of the recorded past.
pub const BACK_NO_FURTHER: &str = "the recorded time does not reach back so far";

/// Result of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// A sentence for the status line.
    pub status: String,
    /// True if the machine stands still now; `None` leaves that as it was.
    pub stopped: Option<bool>,
    /// The machine is not where it was: its sound has to begin again.
    pub jumped: bool,
    /// The answer of a command, for the command line.
    pub lines: Vec<String>,
    /// Close the view.
    pub close: bool,
}

fn said(status: impl Into<String>) -> Done {
    Done {
        status: status.into(),
        stopped: None,
        jumped: false,
        lines: Vec::new(),
        close: false,
    }
}

fn moved(status: impl Into<String>) -> Done {
    Done {
        stopped: Some(true),
        jumped: true,
        ..said(status)
    }
}

fn switched(status: &str, stopped: bool) -> Done {
    Done {
        stopped: Some(stopped),
        ..said(status)
    }
}

/// A step as the view says it.
pub fn name(step: Step) -> &'static str {
    step.name()
}

/// The sentence of the view for the end of a step.
pub fn outcome(step: Step, stop: Stop) -> String {
    let step = name(step);
    match stop {
        Stop::Done => step.to_owned(),
        Stop::Breakpoint(number) => format!("breakpoint {number}"),
        Stop::Limit => format!("{step}: not within ten seconds of the machine's time"),
        Stop::Interrupted => format!("{step}: interrupted"),
        Stop::Jammed => "the processor is jammed".to_owned(),
    }
}

/// Does what is asked for; none of requests that concern the window or the page.
pub fn perform(
    debugger: &mut Debugger,
    debuggee: &mut dyn Debuggee,
    request: &Request,
) -> Option<Done> {
    let back = |done: bool, ended: bool, status: String| {
        if done {
            moved(status)
        } else if ended {
            moved(format!("{status}: interrupted"))
        } else {
            moved(BACK_NO_FURTHER)
        }
    };
    Some(match request {
        Request::Run => switched("running", false),
        Request::Break => {
            debugger.learn_executed(debuggee.track());
            switched("stopped", true)
        }
        Request::Step(step) => {
            let stop = debugger.step(debuggee, *step);
            debugger.learn_executed(debuggee.track());
            moved(outcome(*step, stop))
        }
        Request::Back(step) => {
            let done = debugger.step_back(debuggee, *step);
            let ended = debugger.is_interrupted(debuggee);
            back(done, ended, format!("back: {}", name(*step)))
        }
        Request::RunBack => {
            let done = debugger.run_back(debuggee);
            let ended = debugger.is_interrupted(debuggee);
            back(done, ended, "back at a breakpoint".to_owned())
        }
        Request::BackToWrite(address) => {
            let now = debuggee.track().moment();
            to_write(debuggee, *address, now)
        }
        Request::WriteBefore(address, before) => to_write(debuggee, *address, *before),
        Request::GoTo(moment) => {
            let done = debuggee.go_to(*moment);
            back(done, false, "there".to_owned())
        }
        Request::Command(line) => command(debugger, debuggee, line),
        Request::ToggleStop(_)
        | Request::AddStop(_)
        | Request::RemoveStop(_)
        | Request::EnableStop(..) => breakpoint(&mut debugger.breakpoints, request)?,
        Request::Load(register, value) => load(debugger, debuggee, *register, *value),
        Request::Poke(address, bytes) => poke(debuggee, *address, bytes),
        Request::Say(sentence) => said(sentence.clone()),
        _ => return None,
    })
}

/// Changes the breakpoints; `None` for other requests.
fn breakpoint(breakpoints: &mut Breakpoints, request: &Request) -> Option<Done> {
    Some(said(match request {
        Request::ToggleStop(address) => {
            let set = breakpoints.toggle_pc(*address);
            let set = if set { "set" } else { "removed" };
            format!("breakpoint at ${address:04X} {set}")
        }
        Request::AddStop(place) => {
            let number = breakpoints.add(place.clone());
            format!("breakpoint {number} set")
        }
        Request::RemoveStop(number) => {
            breakpoints.remove(*number);
            format!("breakpoint {number} removed")
        }
        Request::EnableStop(number, on) => {
            breakpoints.enable(*number, *on);
            format!("breakpoint {number} {}", if *on { "on" } else { "off" })
        }
        _ => return None,
    }))
}

fn poke(debuggee: &mut dyn Debuggee, address: u16, bytes: &[u8]) -> Done {
    let before = branches(debuggee);
    debugger::poke(debuggee, address, bytes);
    let what = if address & 0xF800 == 0xD000 {
        "the register is written"
    } else {
        "memory changed"
    };
    said(what.to_owned() + left_future(debuggee, before))
}

/// Futures that were left.
fn branches(debuggee: &dyn Debuggee) -> usize {
    debuggee.track().timeline().branches().count()
}

/// The addition to the status line when a change of the past has begun another future.
fn left_future(debuggee: &dyn Debuggee, before: usize) -> &'static str {
    if branches(debuggee) > before {
        "; what came after is kept: see Futures"
    } else {
        ""
    }
}

fn to_write(debuggee: &mut dyn Debuggee, address: u16, before: Moment) -> Done {
    let timeline = debuggee.track().timeline();
    let query = WriteQuery::last(Target::one(address), before);
    let ended = || debuggee.is_interrupted();
    let writes = match query.finish_unless(timeline, &ended) {
        Ok(writes) => writes,
        Err(interrupted) => return said(format!("back to a write: {interrupted}")),
    };
    let Some(write) = writes.first().copied() else {
        return said(format!(
            "nothing has written ${address:04X} in the recorded time"
        ));
    };
    if !debuggee.go_to(write.at) {
        return said(BACK_NO_FURTHER);
    }
    let by = debuggee.track().machine().cpu.instruction();
    moved(format!(
        "${:04X} is about to become ${:02X} by the instruction at ${by:04X}",
        write.address, write.data
    ))
}

fn command(debugger: &mut Debugger, debuggee: &mut dyn Debuggee, line: &str) -> Done {
    match debugger::execute(debugger, debuggee, line) {
        Ok(output) => {
            let first = output.lines.first().cloned().unwrap_or_default();
            Done {
                lines: output.lines,
                close: output.quit,
                ..if output.moved {
                    moved(first)
                } else {
                    said(first)
                }
            }
        }
        Err(sentence) => Done {
            lines: vec![sentence.clone()],
            ..said(sentence)
        },
    }
}

fn load(
    debugger: &mut Debugger,
    debuggee: &mut dyn Debuggee,
    register: Register,
    value: u16,
) -> Done {
    let before = branches(debuggee);
    // Between two instructions nothing hangs in the air.
    let within = |debuggee: &dyn Debuggee| {
        let cpu = &debuggee.track().machine().cpu;
        !cpu.at_instruction_start() && !cpu.is_jammed()
    };
    while within(debuggee) && debugger.step(debuggee, Step::Cycle) == Stop::Done {}
    if let Err(error) = debuggee.apply(Event::LoadRegister { register, value }) {
        return said(error.to_string());
    }
    let digits = if register == Register::Pc { 4 } else { 2 };
    let future = left_future(debuggee, before);
    moved(format!("{register:?} is ${value:0digits$X} now{future}"))
}
