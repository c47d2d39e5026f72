//! Rows of the debugger's panels: numbers and words where the page acts on them, text where it only shows it.
use crate::words::InterruptKind;
use wasm_bindgen::prelude::wasm_bindgen;

/// A position of the beam.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beam {
    /// The scan line.
    #[wasm_bindgen(readonly)]
    pub line: u16,
    /// The cycle in it.
    #[wasm_bindgen(readonly)]
    pub cycle: u16,
}

impl<Cycle: Into<u16>> From<(u16, Cycle)> for Beam {
    fn from((line, cycle): (u16, Cycle)) -> Self {
        let cycle = cycle.into();
        Self { line, cycle }
    }
}

/// The processor.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug)]
pub struct Processor {
    /// The address of the current instruction.
    #[wasm_bindgen(readonly)]
    pub pc: u16,
    /// Accumulator.
    #[wasm_bindgen(readonly)]
    pub a: u8,
    /// Index register X.
    #[wasm_bindgen(readonly)]
    pub x: u8,
    /// Index register Y.
    #[wasm_bindgen(readonly)]
    pub y: u8,
    /// Stack pointer.
    #[wasm_bindgen(readonly)]
    pub s: u8,
    /// Status register.
    #[wasm_bindgen(readonly)]
    pub p: u8,
    /// The flags, the next access, the stack, the time.
    #[wasm_bindgen(readonly)]
    pub about: String,
}

/// A line of the disassembly.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeRow {
    /// The address of the instruction; nothing for a line of the source above it.
    #[wasm_bindgen(readonly)]
    pub address: Option<u16>,
    /// A breakpoint is here.
    #[wasm_bindgen(readonly)]
    pub stop: bool,
    /// It runs, or comes next.
    #[wasm_bindgen(readonly)]
    pub here: bool,
    /// Its text.
    #[wasm_bindgen(readonly)]
    pub text: String,
}

/// A line of the BASIC program.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BasicRow {
    /// Its number.
    #[wasm_bindgen(readonly)]
    pub number: u16,
    /// A breakpoint is here.
    #[wasm_bindgen(readonly)]
    pub stop: bool,
    /// It runs.
    #[wasm_bindgen(readonly)]
    pub here: bool,
    /// Its text after the number.
    #[wasm_bindgen(readonly)]
    pub text: String,
}

/// A row of the list of interrupts.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterruptRow {
    /// Its subject.
    #[wasm_bindgen(readonly)]
    pub kind: InterruptKind,
    /// The number of a display list interrupt.
    #[wasm_bindgen(readonly)]
    pub number: Option<usize>,
    /// Its first scan line; nothing for a fault.
    #[wasm_bindgen(readonly)]
    pub first: Option<u16>,
    /// Its last scan line.
    #[wasm_bindgen(readonly)]
    pub last: Option<u16>,
    /// Its text.
    #[wasm_bindgen(readonly)]
    pub text: String,
}

/// A line of a source of the program.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRow {
    /// The number of its file.
    #[wasm_bindgen(readonly)]
    pub file: usize,
    /// Its own number.
    #[wasm_bindgen(readonly)]
    pub line: u32,
    /// A breakpoint is here.
    #[wasm_bindgen(readonly)]
    pub stop: bool,
    /// It runs.
    #[wasm_bindgen(readonly)]
    pub here: bool,
    /// It has code.
    #[wasm_bindgen(readonly)]
    pub code: bool,
    /// Its text.
    #[wasm_bindgen(readonly)]
    pub text: String,
}

/// A line that the assembler does not take.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongLine {
    /// The number of its file.
    #[wasm_bindgen(readonly)]
    pub file: usize,
    /// Its own number.
    #[wasm_bindgen(readonly)]
    pub line: usize,
    /// A sentence on what is wrong there.
    #[wasm_bindgen(readonly)]
    pub why: String,
}

/// A breakpoint.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakpointRow {
    /// Its number.
    #[wasm_bindgen(readonly)]
    pub id: u32,
    /// It is switched on.
    #[wasm_bindgen(readonly)]
    pub on: bool,
    /// Its place, conditions and hits.
    #[wasm_bindgen(readonly)]
    pub text: String,
}

/// A watched value.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchRow {
    /// The expression.
    #[wasm_bindgen(readonly)]
    pub name: String,
    /// Its value now, or one sentence.
    #[wasm_bindgen(readonly)]
    pub value: String,
}

/// A part of a line of an explanation.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyPart {
    /// Its text.
    #[wasm_bindgen(readonly)]
    pub text: String,
    /// The position of the beam that it names.
    #[wasm_bindgen(readonly)]
    pub beam: Option<Beam>,
}

/// A line of an explanation.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyLine {
    /// Its parts from left to right.
    #[wasm_bindgen(readonly)]
    pub parts: Vec<WhyPart>,
}

impl From<debugger::WhyLine> for WhyLine {
    fn from(line: debugger::WhyLine) -> Self {
        let part = |part: debugger::WhyPart| WhyPart {
            text: part.to_string(),
            beam: match part {
                debugger::WhyPart::Beam { line, cycle } => Some((line, cycle).into()),
                debugger::WhyPart::Text(_) => None,
            },
        };
        let parts = line.0.into_iter().map(part).collect();
        Self { parts }
    }
}

/// The explanation of a pixel.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// A sentence in plain words.
    #[wasm_bindgen(readonly)]
    pub sentence: String,
    /// Lines with registers and cycles.
    #[wasm_bindgen(readonly)]
    pub lines: Vec<WhyLine>,
    /// The register of its colour.
    #[wasm_bindgen(readonly)]
    pub register: Option<String>,
    /// The position of the beam at the store into that register, in the same frame.
    #[wasm_bindgen(readonly)]
    pub store: Option<Beam>,
}
