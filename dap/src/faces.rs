//! Changes by other faces of the session since the client was told last: they stopped or moved the machine, changed it, set breakpoints.

use super::adapter::{Adapter, THREAD};
use super::program::Program;
use super::stage::Stage;
use debugger::{Moment, Place};
use serde_json::{Value, json};
use std::io::{Result, Write};

/// The state of the machine that the client was told last.
#[derive(Debug, Default)]
pub struct Told {
    running: bool,
    moment: Moment,
    /// Edits and other events until then.
    edits: u64,
    /// Numbers of the breakpoints.
    breakpoints: Vec<u32>,
}

impl Told {
    fn of(stage: &mut dyn Stage) -> Self {
        let running = stage.is_running();
        stage.started().map_or_else(Self::default, |started| Self {
            running,
            moment: started.session.moment(),
            edits: started.session.timeline().cursor().events,
            breakpoints: started
                .debugger
                .breakpoints
                .list()
                .iter()
                .map(|breakpoint| breakpoint.id)
                .collect(),
        })
    }
}

impl<W: Write> Adapter<W> {
    /// The client knows, or is about to be told, how the machine is now.
    pub(super) fn remember(&mut self, stage: &mut dyn Stage) {
        self.told = Told::of(stage);
    }

    /// Tells the client what was done elsewhere.
    pub fn look_around(&mut self, stage: &mut dyn Stage) -> Result<()> {
        if self.known.is_none() {
            return Ok(());
        }
        let now = Told::of(stage);
        let before = std::mem::take(&mut self.told);
        if now.breakpoints != before.breakpoints {
            self.tell_breakpoints(stage, &before.breakpoints)?;
        }
        match (before.running, now.running) {
            (true, false) => self.stopped(stage, "pause", Some("stopped in the window"), None)?,
            (false, true) => {
                let body = json!({ "threadId": THREAD, "allThreadsContinued": true });
                self.wire.event("continued", &body)?;
            }
            (false, false) if now.moment != before.moment => {
                self.stopped(stage, "step", Some("moved in the window"), None)?;
            }
            (false, false) if now.edits != before.edits && self.invalidates => {
                self.wire
                    .event("invalidated", &json!({ "areas": ["all"] }))?;
            }
            _ => {}
        }
        self.told = now;
        Ok(())
    }

    /// Another program runs in the same session.
    pub fn changed_program(&mut self, stage: &mut dyn Stage) -> Result<()> {
        if self.known.is_none() {
            return Ok(());
        }
        self.learn(stage);
        // What belonged to the program before has no place in this one.
        drop(self.want_again(stage));
        let title = stage
            .started()
            .map(|started| started.session.title().to_owned());
        self.say(&format!(
            "another program runs now: {}",
            title.unwrap_or_default()
        ))
    }

    fn tell_breakpoints(&mut self, stage: &mut dyn Stage, before: &[u32]) -> Result<()> {
        let Ok(mut program) = self.program(stage) else {
            return Ok(());
        };
        let mut events = program.gone_breakpoints();
        events.extend(program.new_breakpoints(before));
        for event in events {
            self.wire.event("breakpoint", &event)?;
        }
        Ok(())
    }
}

impl Program<'_> {
    /// Breakpoints of the client that were cleared elsewhere.
    fn gone_breakpoints(&mut self) -> Vec<Value> {
        let all = self.started.debugger.breakpoints.list();
        let is_there = |id: u32| all.iter().any(|breakpoint| breakpoint.id == id);
        let shown = &mut self.known.shown;
        let gone: Vec<u32> = shown.keys().copied().filter(|id| !is_there(*id)).collect();
        let mut told: Vec<u32> = gone.iter().filter_map(|id| shown.remove(id)).collect();
        told.dedup();
        for set in self.known.sets.values_mut() {
            set.retain(|id| !gone.contains(id));
        }
        let event =
            |id| json!({ "reason": "removed", "breakpoint": { "id": id, "verified": false } });
        told.into_iter().map(event).collect()
    }

    /// Breakpoints in lines of the source that were set elsewhere: they are the client's from now on.
    fn new_breakpoints(&mut self, before: &[u32]) -> Vec<Value> {
        let all = self.started.debugger.breakpoints.list();
        let new = all
            .iter()
            .filter(|b| !before.contains(&b.id) && !self.known.shown.contains_key(&b.id));
        let placed: Vec<(u32, Value, usize)> = new
            .filter_map(|breakpoint| {
                let (source, line) = self.source_line(&breakpoint.place)?;
                Some((breakpoint.id, source, line))
            })
            .collect();
        let mut events = Vec::new();
        for (id, source, line) in placed {
            let key = Self::set_of(&source);
            self.known.sets.entry(key).or_default().push(id);
            self.known.shown.insert(id, id);
            events.push(json!({
                "reason": "new",
                "breakpoint": { "id": id, "verified": true, "source": source, "line": line },
            }));
        }
        events
    }

    /// The source and line of a place, if it is the beginning of one.
    fn source_line(&self, place: &Place) -> Option<(Value, usize)> {
        let address = match place {
            Place::BasicLine(number) => {
                return Some((self.listing_source(), self.listing_line(*number)?));
            }
            Place::Pc(address) | Place::Interpreted { at: address, .. } => *address,
            _ => return None,
        };
        let at = self.started.debugger.sources.line_at(address)?;
        Some((self.source_of(at.file), at.line as usize))
    }
}
