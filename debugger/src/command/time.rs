//! The profile, the instructions that ran, and the difference between two moments.

use super::{Desk, Output, told};
use crate::{Difference, Moment, Profile, TraceFilter, basic, trace};

impl Desk<'_> {
    /// The last frames up to now.
    fn profiled(&self, rest: &str) -> Result<Profile, String> {
        let frames = Self::count(rest, 60)?.clamp(1, 100_000) as u64;
        Profile::last_frames(self.track(), frames)
            .ok_or_else(|| "nothing is recorded before this moment: run first".to_owned())
    }

    pub(super) fn profile(&self, rest: &str) -> Result<Output, String> {
        let profile = self.profiled(rest)?;
        let mut lines = profile.lines(self.name());
        lines.truncate(41);
        told(lines)
    }

    pub(super) fn basic_profile(&self, rest: &str) -> Result<Output, String> {
        let profile = self.profiled(rest)?;
        if profile.lines.is_empty() {
            return Err("no BASIC statement has run in that time".to_owned());
        }
        let mut lines = profile.basic_lines();
        lines.truncate(41);
        told(lines)
    }

    pub(super) fn line_profile(&self, rest: &str) -> Result<Output, String> {
        let sources = &self.debugger.sources;
        if sources.is_empty() {
            return Err("no source of this program is known".to_owned());
        }
        let profile = self.profiled(rest)?;
        let all = profile.total.total().max(1) as f64;
        let lines = profile.source_lines(sources).into_iter().take(40);
        let lines = lines.map(|(at, cost)| {
            let cycles = cost.total();
            let text = sources.text(at).unwrap_or("").trim();
            let percent = cycles as f64 * 100.0 / all;
            format!(
                "{:<20} {cycles:>10} {percent:>6.2} %  {text}",
                sources.name(at)
            )
        });
        told(lines.collect())
    }

    /// `[COUNT] [in RANGE] [if EXPRESSION]`
    pub(super) fn trace(&self, rest: &str) -> Result<Output, String> {
        let (rest, condition) = match rest.split_once("if ") {
            Some((rest, condition)) => (rest.trim(), Some(condition)),
            None => (rest, None),
        };
        let (count, range) = match rest.split_once("in ") {
            Some((count, range)) => (count.trim(), Some(range)),
            None => (rest, None),
        };
        let filter = TraceFilter {
            range: range.map(|text| self.range(text)).transpose()?,
            condition: condition
                .map(|text| self.debugger.parse(self.track(), text))
                .transpose()?,
        };
        let count = Self::count(count, 20)?.min(100_000);
        let (now, timeline) = (self.track().moment(), self.track().timeline());
        let ran = trace(timeline, now, &filter, count);
        let name = self.name();
        told(ran.iter().map(|ran| ran.line(&name)).collect())
    }

    /// `MOMENT [MOMENT]`: the difference between them, or between one and now.
    pub(super) fn difference(&self, rest: &str) -> Result<Output, String> {
        let (first, second) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let moment = |text: &str| {
            let value = self.number(text)?;
            u64::try_from(value)
                .map(Moment)
                .map_err(|_| format!("{value} is no moment"))
        };
        let first = moment(first)?;
        let second = match second.trim() {
            "" => None,
            text => Some(moment(text)?),
        };
        let timeline = self.track().timeline();
        let second = second.unwrap_or(self.track().moment());
        let (before, after) = timeline
            .machine_at(first)
            .zip(timeline.machine_at(second))
            .ok_or("that moment is not recorded")?;
        let difference = Difference::of(&before, &after);
        told(difference.lines(self.name(), 100))
    }

    /// The BASIC program around the current line, or from a line on.
    pub(super) fn basic_list(&self, rest: &str) -> Result<Output, String> {
        let listing = basic::listing(self.machine());
        if listing.is_empty() {
            return Err("there is no BASIC program in memory".to_owned());
        }
        let current = basic::Basic::of(self.machine()).and_then(|basic| basic.line);
        let first = match (rest, current) {
            ("", None) => 0,
            ("", Some(line)) => {
                let at = listing.partition_point(|(number, _)| *number < line);
                at.saturating_sub(5)
            }
            _ => {
                let line = Self::count(rest, 0)?;
                listing.partition_point(|(number, _)| usize::from(*number) < line)
            }
        };
        let lines = listing.iter().skip(first).take(11).map(|(number, text)| {
            let mark = if current == Some(*number) { '>' } else { ' ' };
            format!("{mark}{number} {text}")
        });
        told(lines.collect())
    }
}
