//! The kinds of steps. A kind is a variant of [`Step`] and a row of [`KINDS`], which has its names and its end, the same in both
//! directions: forwards at the next such moment, backwards at the last one before.

use crate::LINE;
use crate::watch::{Entry, Seen};
use antic_gtia::FIRST_VISIBLE;
use machine::Machine;
use std::mem::discriminant;

/// A step, by the place or event that it goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One machine cycle, whether the processor runs in it or not.
    Cycle,
    /// To the next instruction or interrupt sequence; an interrupt sequence counts as an instruction.
    Instruction,
    /// Like [`Step::Instruction`], but subroutines and interrupts run to their ends.
    Over,
    /// Until the subroutine or interrupt handler has returned. Backwards: to the call.
    Out,
    /// To cycle 0 of the next scan line.
    Line,
    /// To cycle 0 of line 0.
    Frame,
    /// To the first instruction of the NMI handler in the next display list interrupt.
    Dli,
    /// To the first instruction of the routine that VDSLST (`$0200`) points to, in the next display list interrupt, or in the one that
    /// has just begun.
    DliRoutine,
    /// To the first instruction of the NMI handler in the next vertical blank interrupt.
    Vbi,
    /// To the instruction at this address.
    To(u16),
    /// To this line and cycle.
    Beam(u16, u8),
    /// To the cycle after the next fetch of a display list instruction.
    DisplayList,
    /// To the end of the display list interrupt that runs, or of the next one.
    DliEnd,
    /// To the first instruction of the handler in the display list interrupt of this number in a frame, from 0.
    NthDli(u16),
    /// To the next BASIC statement.
    Statement,
    /// To the next BASIC line.
    BasicLine,
    /// To the beginning of the code of a source line, also in a subroutine or interrupt.
    Source,
    /// To the beginning of the code of a source line; subroutines and interrupts run to their ends.
    SourceOver,
}

/// The argument after the words of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    /// The number of repetitions.
    Count,
    /// Nothing.
    None,
    /// An address.
    Address,
    /// A line and a cycle.
    Beam,
    /// The column and row of a pixel.
    Pixel,
    /// A number.
    Number,
    /// The number of repetitions; it needs source lines.
    Sources,
}

impl Argument {
    /// As `help` shows it.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Count | Self::Sources => "[N]",
            Self::None => "",
            Self::Address => "ADDRESS",
            Self::Beam => "LINE [CYCLE]",
            Self::Pixel => "X Y",
            Self::Number => "N",
        }
    }
}

/// The end of a step.
pub(crate) enum End {
    /// This many machine cycles ahead and back; `None` if the beam never comes there.
    Cycles(fn(Step, &Machine) -> Option<(u64, u64)>),
    /// The cycle in which this is true.
    At(fn(&Seen<'_>) -> bool),
    /// [`End::At`], which needs an observer of the time before.
    AfterPast(fn(&Seen<'_>) -> bool),
}

/// A kind of step.
pub(crate) struct Kind {
    /// A step of it, with any argument.
    pub(crate) step: Step,
    /// Its names in commands, the first name first.
    pub(crate) words: &'static str,
    pub(crate) argument: Argument,
    /// Its description in `help`.
    pub(crate) help: &'static str,
    /// Its description, in a few words.
    pub(crate) name: &'static str,
    /// Frames of the machine's time after which it gives up.
    pub(crate) patience: u64,
    pub(crate) end: End,
}

/// Ten seconds.
const PATIENCE: u64 = 600;

/// All kinds, in the order of `help`.
#[rustfmt::skip]
#[expect(clippy::redundant_closure_for_method_calls, reason = "a method is of one lifetime of Seen, the kinds are of any")]
pub(crate) const KINDS: &[Kind] = &[
    Kind { step: Step::Instruction, words: "into s instruction", argument: Argument::Count, help: "one instruction",
        name: "one instruction", patience: 2, end: End::At(|seen| seen.begun.instruction) },
    Kind { step: Step::Over, words: "over n", argument: Argument::Count, help: "one instruction, calls as a whole",
        name: "one instruction, calls as a whole", patience: PATIENCE, end: End::At(|seen| seen.is_over()) },
    Kind { step: Step::Out, words: "out", argument: Argument::None, help: "to the end of the routine",
        name: "out of the routine", patience: PATIENCE, end: End::At(|seen| seen.is_out()) },
    Kind { step: Step::Cycle, words: "cycle c", argument: Argument::Count, help: "one machine cycle",
        name: "one cycle", patience: 1, end: End::Cycles(|_, _| Some((1, 1))) },
    Kind { step: Step::Line, words: "line l", argument: Argument::Count, help: "to the next scan line",
        name: "one scan line", patience: 1, end: End::Cycles(|_, machine| to_beam(machine, LINE, 0)) },
    Kind { step: Step::Frame, words: "frame f", argument: Argument::Count, help: "to the next frame",
        name: "one frame", patience: 1, end: End::Cycles(|_, machine| to_beam(machine, frame(machine), 0)) },
    Kind { step: Step::DisplayList, words: "list", argument: Argument::Count, help: "to the next display list instruction",
        name: "to the next display list instruction", patience: 2, end: End::At(|seen| seen.begun.list) },
    Kind { step: Step::Dli, words: "dli", argument: Argument::Count, help: "to the next display list interrupt",
        name: "to the display list interrupt", patience: PATIENCE, end: End::At(|seen| seen.begun.entry == Some(Entry::Dli)) },
    Kind { step: Step::DliRoutine, words: "routine", argument: Argument::Count, help: "to the routine of the display list interrupt",
        name: "to the routine of the display list interrupt", patience: PATIENCE, end: End::AfterPast(|seen| seen.begun.dli_routine) },
    Kind { step: Step::DliEnd, words: "dliend", argument: Argument::Count, help: "to the end of the display list interrupt",
        name: "to the end of the display list interrupt", patience: PATIENCE, end: End::AfterPast(|seen| seen.begun.returned == Some(Entry::Dli)) },
    Kind { step: Step::Vbi, words: "vbi", argument: Argument::Count, help: "to the next vertical blank interrupt",
        name: "to the vertical blank interrupt", patience: PATIENCE, end: End::At(|seen| seen.begun.entry == Some(Entry::Vbi)) },
    Kind { step: Step::Statement, words: "statement", argument: Argument::Count, help: "to the next BASIC statement",
        name: "to the next BASIC statement", patience: PATIENCE, end: End::AfterPast(|seen| seen.begun.statement.is_some()) },
    Kind { step: Step::BasicLine, words: "basicline", argument: Argument::Count, help: "to the next BASIC line",
        name: "to the next BASIC line", patience: PATIENCE, end: End::AfterPast(|seen| seen.begun.basic_line) },
    Kind { step: Step::Source, words: "step", argument: Argument::Sources, help: "to the next source line, also in a subroutine",
        name: "to the next source line", patience: PATIENCE, end: End::At(|seen| seen.begins_source_line(i8::MIN)) },
    Kind { step: Step::SourceOver, words: "next", argument: Argument::Sources, help: "to the next source line of this routine",
        name: "over the source line", patience: PATIENCE, end: End::At(|seen| seen.begins_source_line(0)) },
    Kind { step: Step::To(0), words: "to", argument: Argument::Address, help: "to the instruction at an address",
        name: "to the address", patience: PATIENCE, end: End::At(|seen| seen.step == Step::To(seen.cpu.pc) && seen.begins_instruction()) },
    Kind { step: Step::Beam(0, 0), words: "beam", argument: Argument::Beam, help: "to a place of the beam",
        name: "to the beam's place", patience: 1, end: End::Cycles(beam) },
    Kind { step: Step::Beam(0, 0), words: "pixel", argument: Argument::Pixel, help: "to the cycle that draws a pixel",
        name: "to the beam's place", patience: 1, end: End::Cycles(beam) },
    Kind { step: Step::NthDli(0), words: "nth", argument: Argument::Number, help: "to display list interrupt N of a frame, from 0",
        name: "to the display list interrupt of this number", patience: PATIENCE,
        end: End::AfterPast(|seen| seen.begun.dli_number.map(Step::NthDli) == Some(seen.step)) },
];

/// Machine cycles of a frame.
fn frame(machine: &Machine) -> u64 {
    u64::from(machine.bus().video.antic.lines()) * LINE
}

/// Cycles to the next, and from the last, moment at which `wanted` cycles of every `period` are done.
fn to_beam(machine: &Machine, period: u64, wanted: u64) -> Option<(u64, u64)> {
    let beam = machine.beam();
    let done = (u64::from(beam.line) * LINE + u64::from(beam.cycle)) % period;
    // A whole period where the beam is there now.
    let between = |from: u64, to: u64| (period - 1 + to - from) % period + 1;
    (wanted < period).then(|| (between(done, wanted), between(wanted, done)))
}

fn beam(step: Step, machine: &Machine) -> Option<(u64, u64)> {
    let Step::Beam(line, cycle) = step else {
        return None;
    };
    let wanted = u64::from(line) * LINE + u64::from(cycle);
    to_beam(machine, frame(machine), wanted).filter(|_| u64::from(cycle) < LINE)
}

impl Step {
    pub(crate) fn kind(self) -> &'static Kind {
        let mut kinds = KINDS.iter();
        let found = kinds.find(|kind| discriminant(&kind.step) == discriminant(&self));
        found.unwrap_or(&KINDS[0])
    }

    /// The step with this name in commands, if it needs no argument.
    pub fn named(word: &str) -> Option<Self> {
        let plain = |kind: &&Kind| {
            matches!(
                kind.argument,
                Argument::None | Argument::Count | Argument::Sources
            ) && kind.words.split(' ').any(|known| known == word)
        };
        KINDS.iter().find(plain).map(|kind| kind.step)
    }

    /// Its description, in a few words.
    pub fn name(self) -> &'static str {
        self.kind().name
    }

    /// To the cycle in which a pixel of the picture is drawn.
    #[must_use]
    pub fn to_pixel(x: usize, y: usize) -> Self {
        let clock = FIRST_VISIBLE + x / 2;
        Self::Beam((y + 8) as u16, (clock / 2) as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_one_kind_and_every_name_one_meaning() {
        let mut words = Vec::new();
        for kind in KINDS {
            assert_eq!(kind.step.kind().name, kind.name, "{}", kind.words);
            words.extend(kind.words.split(' '));
        }
        let all = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), all);
        // A variant without a row would be taken for the first kind.
        for kind in KINDS.iter().skip(1) {
            assert_ne!(discriminant(&kind.step), discriminant(&KINDS[0].step));
        }
    }
}
