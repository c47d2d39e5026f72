//! Questions about the past.

use super::{Desk, Output, told};
use crate::expression::clip;
use crate::frame_log::{Event, FrameLog, Kind, Owner};
use crate::search::{Cause, Interrupted, Target, WhenQuery, Write, WriteQuery, last_edit, origin};
use crate::{Moment, basic};

impl Desk<'_> {
    /// True if the user wants the present command to end, for a search.
    fn ended(&self) -> impl Fn() -> bool {
        || self.debugger.is_interrupted(self.debuggee)
    }

    pub(super) fn when(&mut self, rest: &str) -> Result<Output, String> {
        let (last, text) = match rest.strip_prefix("last ") {
            Some(text) => (true, text),
            None => (false, rest),
        };
        let condition = self.debugger.parse(self.track(), text)?;
        let (now, timeline) = (self.track().moment(), self.track().timeline());
        let query = if last {
            WhenQuery::last(condition, Moment(0), now)
        } else {
            WhenQuery::first(condition, Moment(0), now)
        };
        let found = query
            .finish_unless(timeline, &self.ended())
            .map_err(told_end)?
            .ok_or("it was never true in the recorded time")?;
        let beam = timeline.machine_at(found).map(|machine| machine.beam());
        let beam = beam.map_or(String::new(), |beam| {
            format!(", line {} cycle {}", beam.line, beam.cycle)
        });
        Ok(Output {
            lines: vec![format!("moment {}{beam}", found.0)],
            ..Output::default()
        })
    }

    pub(super) fn detail(&self, detail: &crate::Detail) -> String {
        let named = |address: u16| crate::named(address, &self.place_name());
        let before = detail
            .before
            .map_or(String::new(), |before| format!(", before ${before:02X}"));
        format!(
            "moment {} frame {} line {} cycle {}: {} = ${:02X}{before}, by {}",
            detail.write.at.0,
            detail.frame,
            detail.beam.0,
            detail.beam.1,
            named(detail.write.address),
            detail.write.data,
            named(detail.pc)
        )
    }

    pub(super) fn writes(&mut self, rest: &str, all: bool) -> Result<Vec<crate::Write>, String> {
        let target = Target::new(self.range(rest)?);
        let (now, timeline) = (self.track().moment(), self.track().timeline());
        let query = if all {
            WriteQuery::all(target, Moment(0), now)
        } else {
            WriteQuery::last(target, now)
        };
        query
            .finish_unless(timeline, &self.ended())
            .map_err(told_end)
    }

    pub(super) fn who(&mut self, rest: &str) -> Result<Output, String> {
        let writes = self.writes(rest, false)?;
        let target = Target::new(self.range(rest)?);
        let (now, timeline) = (self.track().moment(), self.track().timeline());
        let write = writes.first();
        let edit = last_edit(timeline, &target, write.map(|write| write.at), now);
        let detail = write.and_then(|write| write.detail(timeline));
        let edited = edit.map(|edit| self.edited(&edit));
        let stored = detail.map(|detail| self.detail(&detail));
        let mut lines: Vec<String> = edited.into_iter().chain(stored).collect();
        if lines.is_empty() {
            // That nothing did is an answer, too.
            lines.push("nothing was stored there in the recorded time".to_owned());
        }
        told(lines)
    }

    /// The line about an edit.
    fn edited(&self, edit: &Write) -> String {
        format!(
            "moment {}: {} = ${:02X}, an edit and no store of the program",
            edit.at.0,
            crate::named(edit.address, &self.place_name()),
            edit.data
        )
    }

    pub(super) fn stores(&mut self, rest: &str) -> Result<Output, String> {
        let writes = self.writes(rest, true)?;
        let text = |write: &crate::Write| {
            format!(
                "moment {}: ${:04X} = ${:02X}",
                write.at.0, write.address, write.data
            )
        };
        let mut lines = vec![format!("{} stores", writes.len())];
        lines.extend(writes.iter().take(40).map(text));
        Ok(Output {
            lines,
            ..Output::default()
        })
    }

    pub(super) fn origin(&mut self, rest: &str) -> Result<Output, String> {
        let address = self.address(rest)?;
        let (now, timeline) = (self.track().moment(), self.track().timeline());
        let chain = origin(timeline, address, now, &self.ended()).map_err(told_end)?;
        let text = |cause: &Cause| match cause {
            Cause::Copied { by, from } => format!("{}, copied from ${from:04X}", self.detail(by)),
            Cause::Immediate { by, at } => format!("{}, a constant at ${at:04X}", self.detail(by)),
            Cause::Computed { by, at } => format!("{}, worked out at ${at:04X}", self.detail(by)),
            Cause::Edited(edit) => self.edited(edit),
            Cause::NotStored(address) => {
                format!("${address:04X}: nothing stored it in the recorded time")
            }
        };
        Ok(Output {
            lines: chain.iter().map(text).collect(),
            ..Output::default()
        })
    }

    pub(super) fn why(&mut self, rest: &str) -> Result<Output, String> {
        let (x, y) = Self::pixel(rest)?;
        let cause = self
            .debugger
            .cause_of_row(self.track(), x, y)
            .ok_or("the frame of that pixel is not recorded")?;
        let why = cause.why(x, y).ok_or("that pixel was not drawn")?;
        let lines = why.lines(&cause, &self.place_name());
        told(lines.iter().map(ToString::to_string).collect())
    }

    fn last_frame(&self) -> Result<FrameLog, String> {
        let log = self.debugger.frame_log(self.track());
        log.ok_or_else(|| "the last frame is not recorded".to_owned())
    }

    pub(super) fn map(&self, rest: &str) -> Result<Output, String> {
        let log = self.last_frame()?;
        let names = self.place_name();
        let shown = |event: &&Event| {
            event.is_register_access()
                || matches!(
                    event.kind,
                    Kind::Nmi | Kind::Irq | Kind::Entry(_) | Kind::Return | Kind::Edit
                )
        };
        let lines = if rest.is_empty() {
            let events = log.events.iter().filter(shown);
            events.map(|event| log.line(event, &names)).collect()
        } else {
            let (line, _) = self.beam(Some(rest), None)?;
            let events = log.between(log.time(line, 0), log.time(line + 1, 0));
            events.iter().map(|event| log.line(event, &names)).collect()
        };
        told(lines)
    }

    pub(super) fn strip(&self, rest: &str) -> Result<Output, String> {
        if rest.is_empty() {
            return Err("strip needs a line".to_owned());
        }
        let (line, _) = self.beam(Some(rest), None)?;
        told(vec![self.last_frame()?.strip(line)])
    }

    pub(super) fn share(&self) -> Result<Output, String> {
        let log = self.last_frame()?;
        let share = log.share(log.start, log.end());
        let all: u32 = share.iter().sum();
        let line = |(owner, cycles): (&Owner, u32)| {
            let percent = f64::from(cycles) * 100.0 / f64::from(all.max(1));
            format!("{:<18} {cycles:6} {percent:5.1} %", owner.name())
        };
        told(Owner::ALL.iter().zip(share).map(line).collect())
    }

    pub(super) fn who_set(&mut self, rest: &str) -> Result<Output, String> {
        let (address, length) = basic::Basic::address_of(self.machine(), rest)
            .ok_or_else(|| format!("there is no variable \"{}\"", clip(rest)))?;
        let range = Target::new(address..=address.saturating_add(length - 1));
        let (now, timeline) = (self.track().moment(), self.track().timeline());
        let write = WriteQuery::last(range.clone(), now)
            .finish_unless(timeline, &self.ended())
            .map_err(told_end)?
            .first()
            .copied();
        let stored = write.as_ref().map(|write| write.at);
        if let Some(edit) = last_edit(timeline, &range, stored, now) {
            return told(vec![format!(
                "{rest} was set by an edit, moment {}",
                edit.at.0
            )]);
        }
        let found = write.and_then(|write| {
            let machine = timeline.machine_at(write.at)?;
            Some((write.detail(timeline)?, basic::Basic::of(&machine)))
        });
        let (detail, basic) = found.ok_or("nothing has set it in the recorded time")?;
        let line = basic.map_or("outside BASIC".to_owned(), |basic| match basic.line {
            Some(line) => format!("line {line} statement {}", basic.statement),
            None => "an immediate command".to_owned(),
        });
        Ok(Output {
            lines: vec![format!(
                "{rest} was set by {line}, moment {}",
                detail.write.at.0
            )],
            ..Output::default()
        })
    }
}

/// Message about a query that was interrupted.
fn told_end(interrupted: Interrupted) -> String {
    interrupted.to_string()
}
