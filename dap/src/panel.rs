//! Requests of the panel in an editor, which are this adapter's own: the picture with the beam, causes, interrupts, the events of the frame,
//! moments to go to, and where the time goes. `docs/editors.md` has their shapes.

use super::memory::encode;
use super::program::Program;
use debugger::view::Picture;
use debugger::{Cost, Event, FrameCause, FrameLog, Kind, Moment, Origin, Profile};
use serde_json::{Value, json};
use session::picture::palette;

/// Events or lines of one answer.
const MOST: usize = 4000;

impl Program<'_> {
    /// An address as the panel shows it, with its source line where it has one.
    fn place(&self, address: u16) -> Value {
        let debugger = &self.started.debugger;
        let name = debugger.place_name(address);
        let mut place = json!({
            "address": address,
            "name": name.unwrap_or_else(|| format!("${address:04X}")),
        });
        if let Some(at) = debugger.sources.line_at(address) {
            place["source"] = self.source_of(at.file);
            place["line"] = json!(at.line);
        }
        place
    }

    /// The picture up to the beam: colour numbers with a palette, and where the machine is in its recorded time.
    pub fn picture(&self) -> Value {
        let machine = self.machine();
        let picture = Picture::of(machine);
        let beam = machine.beam();
        let colours: Vec<u8> = palette(machine.config().tv).concat();
        let timeline = self.track().timeline();
        json!({
            "width": Picture::WIDTH,
            "height": Picture::HEIGHT,
            "pixels": encode(&picture.pixels),
            "palette": encode(&colours),
            "beam": { "line": beam.line, "cycle": beam.cycle, "x": picture.beam.map(|at| at.0), "y": picture.beam.map(|at| at.1) },
            "frame": machine.frame().number(),
            "moment": self.track().moment().0,
            "oldest": timeline.oldest().0,
            "newest": timeline.newest().0,
        })
    }

    /// The explanation of a pixel: its parts, a sentence, and the stores in it with their source lines.
    pub fn why(&self, arguments: &Value) -> Result<Value, String> {
        let number = |name: &str, end: usize| {
            let value = arguments[name]
                .as_u64()
                .and_then(|n| usize::try_from(n).ok());
            let value = value.filter(|value| *value < end);
            value.ok_or_else(|| format!("{name} is from 0 to {}", end - 1))
        };
        let (x, y) = (number("x", Picture::WIDTH)?, number("y", Picture::HEIGHT)?);
        let debugger = &self.started.debugger;
        let cause = debugger
            .cause_of_row(self.track(), x, y)
            .ok_or("the frame of that pixel is not recorded")?;
        let why = cause.why(x, y).ok_or("that pixel was not drawn")?;
        let name = |address: u16| debugger.place_name(address);
        let colours = why.colours.iter();
        let lines = why.lines(&cause, &name);
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        let stores: Vec<Value> = colours
            .filter_map(|colour| self.store(&cause, &colour.origin))
            .collect();
        Ok(json!({
            "sentence": debugger.sentence(&why),
            "lines": lines,
            "colour": why.colour,
            "stores": stores,
        }))
    }

    /// A store that made a pixel; `None` for other origins.
    fn store(&self, cause: &FrameCause, origin: &Origin) -> Option<Value> {
        let Origin::Store {
            now,
            pc,
            address,
            data,
        } = *origin
        else {
            return None;
        };
        let (line, cycle) = cause.log.beam(now);
        let register = self.started.debugger.symbols.name(address);
        Some(json!({
            "register": register.map_or_else(|| format!("${address:04X}"), str::to_owned),
            "value": data,
            "line": line,
            "cycle": cycle,
            "by": self.place(pc),
        }))
    }

    fn event(&self, log: &FrameLog, event: &Event) -> Value {
        let (line, cycle) = log.beam(event.now);
        let name = |address: u16| self.started.debugger.place_name(address);
        let mut shown = json!({
            "line": line,
            "cycle": cycle,
            "kind": kind(event.kind),
            "text": log.line(event, &name),
        });
        if matches!(event.kind, Kind::Read | Kind::Write) {
            shown["by"] = self.place(event.pc);
        }
        if let Some((x, y)) = log.effect(event).and_then(debugger::BeamPlace::pixel) {
            shown["pixel"] = json!([x, y]);
        }
        shown
    }

    /// The display list interrupts of the last complete frame, with their stores and findings.
    pub fn interrupts(&self) -> Result<Value, String> {
        let debugger = &self.started.debugger;
        let timeline = debugger
            .dli_timeline(self.track())
            .ok_or("the last frame is not recorded")?;
        let log = &timeline.log;
        let beam = |now: u64| {
            let (line, cycle) = log.beam(now);
            json!([line, cycle])
        };
        let interrupts: Vec<Value> = timeline
            .dlis
            .iter()
            .map(|dli| {
                let stores = dli.stores.iter().map(|store| self.event(log, &store.event));
                json!({
                    "number": dli.number,
                    "line": dli.line,
                    "request": beam(dli.request),
                    "routine": dli.routine.map(beam),
                    "end": dli.end.map(beam),
                    "cycles": dli.cycles,
                    "dma": dli.dma,
                    "stalled": dli.stalled,
                    "left": dli.left,
                    "at": self.place(dli.vector),
                    "stores": stores.collect::<Vec<Value>>(),
                })
            })
            .collect();
        let name = |address: u16| debugger.place_name(address);
        let remarks = timeline.findings_text(&name);
        Ok(json!({ "interrupts": interrupts, "remarks": remarks }))
    }

    /// Accesses of registers and interrupts of the frame that is on the screen.
    pub fn events(&self) -> Result<Value, String> {
        let log = self
            .started
            .debugger
            .frame_log(self.track())
            .ok_or("the last frame is not recorded")?;
        let is_shown = |event: &&Event| {
            event.is_register_access()
                || matches!(
                    event.kind,
                    Kind::Nmi
                        | Kind::Irq
                        | Kind::Entry(_)
                        | Kind::Routine
                        | Kind::Return
                        | Kind::Edit
                )
        };
        let events = log.events.iter().filter(is_shown).take(MOST);
        let events: Vec<Value> = events.map(|event| self.event(&log, event)).collect();
        Ok(json!({ "events": events }))
    }

    /// The profile of the last `frames` (60, at most 3600): lines of sources and of the BASIC program, the one with most cycles first.
    pub fn profile(&self, arguments: &Value) -> Result<Value, String> {
        let frames = arguments["frames"].as_u64().unwrap_or(60).clamp(1, 3600);
        let profile = Profile::last_frames(self.track(), frames)
            .ok_or("nothing is recorded before this moment")?;
        let total = profile.total.total();
        let spent = |source: Value, line: usize, cost: Cost| json!({ "source": source, "line": line, "cycles": cost.total(), "share": cost.total() as f64 / total as f64 });
        let sources = profile.source_lines(&self.started.debugger.sources);
        let sources = sources
            .into_iter()
            .map(|(at, cost)| spent(self.source_of(at.file), at.line as usize, cost));
        let basic = profile.lines.iter().filter_map(|line| {
            let at = self.listing_line(line.line)?;
            Some(spent(self.listing_source(), at, line.own))
        });
        let lines: Vec<Value> = sources.chain(basic).take(MOST).collect();
        Ok(json!({ "frames": frames, "cycles": total, "lines": lines }))
    }

    /// Goes to a moment of the recorded time.
    pub fn go_to_moment(&mut self, arguments: &Value) -> Result<Value, String> {
        let moment = arguments["moment"].as_u64().ok_or("moment is a number")?;
        let there = self.act(|_, debuggee| debuggee.go_to(Moment(moment)));
        if there {
            Ok(json!({ "moved": true }))
        } else {
            Err("that moment is not recorded".to_owned())
        }
    }
}

/// The word for a kind of event.
fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Read => "read",
        Kind::Write => "write",
        Kind::Edit => "edit",
        Kind::Nmi | Kind::Irq | Kind::Entry(_) | Kind::Routine | Kind::Return => "interrupt",
        _ => "other",
    }
}
