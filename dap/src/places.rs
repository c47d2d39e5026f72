//! Sources, lines and addresses as the client names them.

use super::program::Program;
use debugger::{Entry, SourceLine, basic};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// References of sources that are not files: the BASIC program in memory, and files of which only the debug information knows.
const LISTING: u64 = 1;
const FILES: u64 = 1000;

/// An address as the protocol has it.
pub fn reference(address: u16) -> String {
    format!("0x{address:04X}")
}

/// The address that a reference means, with an offset that wraps as the processor's addresses do.
pub fn address_of(arguments: &Value) -> Result<u16, String> {
    let text = arguments["memoryReference"].as_str().unwrap_or("");
    let offset = arguments["offset"].as_i64().unwrap_or(0);
    parse(text)
        .map(|address| address.wrapping_add(offset as u16))
        .ok_or_else(|| format!("\"{}\" is no address", clip(text)))
}

pub fn parse(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("0x").or(text.strip_prefix('$'))?;
    u16::from_str_radix(digits, 16).ok()
}

pub fn clip(text: &str) -> String {
    text.chars().take(100).collect()
}

/// The elements of an array among the arguments.
pub fn array<'a>(arguments: &'a Value, name: &str) -> &'a [Value] {
    arguments[name].as_array().map_or(&[], Vec::as_slice)
}

impl Program<'_> {
    /// A file of the program's sources, or the listing.
    pub fn source_of(&self, file: usize) -> Value {
        let source = &self.started.debugger.sources.files()[file];
        let name = source.name.rsplit(['/', '\\']).next().unwrap_or("");
        match self.known.paths.get(file).and_then(Option::as_ref) {
            Some(path) => json!({ "name": name, "path": path.to_string_lossy() }),
            None => json!({ "name": name, "sourceReference": FILES + file as u64 }),
        }
    }

    pub fn listing_source(&self) -> Value {
        match &self.known.listing {
            Some((path, _)) => {
                json!({ "name": name_of(path), "path": path.to_string_lossy() })
            }
            None => {
                json!({ "name": format!("{} (listing)", self.started.found.program.title), "sourceReference": LISTING })
            }
        }
    }

    /// The line of the listing in which a BASIC line stands, from 1.
    pub fn listing_line(&self, number: u16) -> Option<usize> {
        let at = match &self.known.listing {
            Some((_, numbers)) => numbers.iter().position(|n| *n == Some(number)),
            None => basic::listing(self.machine())
                .iter()
                .position(|(n, _)| *n == number),
        };
        at.map(|at| at + 1)
    }

    /// The BASIC line that stands in a line of the listing, or the next one after it, and where that stands.
    pub fn basic_line(&self, line: usize) -> Option<(u16, usize)> {
        let numbers: Vec<Option<u16>> = match &self.known.listing {
            Some((_, numbers)) => numbers.clone(),
            None => basic::listing(self.machine())
                .iter()
                .map(|(number, _)| Some(*number))
                .collect(),
        };
        let mut rest = numbers.iter().enumerate().skip(line.saturating_sub(1));
        rest.find_map(|(at, number)| Some(((*number)?, at + 1)))
    }

    /// True if a source of the client's is the BASIC program.
    pub fn is_listing(&self, source: &Value) -> bool {
        if source["sourceReference"].as_u64() == Some(LISTING) {
            return true;
        }
        let path = source["path"].as_str().map(Path::new);
        let (Some(path), Some((listing, _))) = (path, &self.known.listing) else {
            return false;
        };
        let plain = |path: &Path| host::files::canonical(path).unwrap_or_else(|_| path.to_owned());
        plain(path) == plain(listing)
    }

    /// The number of a file of the program's sources.
    pub fn file_of(&self, source: &Value) -> Option<usize> {
        let sources = &self.started.debugger.sources;
        if let Some(number) = source["sourceReference"].as_u64().filter(|n| *n >= FILES) {
            return usize::try_from(number - FILES)
                .ok()
                .filter(|n| *n < sources.files().len());
        }
        let path = source["path"].as_str().or(source["name"].as_str())?;
        let plain = host::files::canonical(Path::new(path)).ok();
        let known = |known: &Option<PathBuf>| plain.is_some() && *known == plain;
        if let Some(file) = self.known.paths.iter().position(known) {
            return Some(file);
        }
        sources.find(path).or_else(|| {
            let last = path.rsplit(['/', '\\']).next()?;
            sources.find(last)
        })
    }

    /// A file that the client has open is where a source is that was not found.
    pub fn learn_source(&mut self, source: &Value) {
        let Some(path) = source["path"].as_str().map(Path::new) else {
            return;
        };
        let Some(file) = self.file_of(source) else {
            return;
        };
        if self.known.paths.get(file).is_some_and(Option::is_none)
            && let Ok(text) = std::fs::read(path)
        {
            let text = String::from_utf8_lossy(&text);
            self.started.debugger.sources.set_text(file, &text);
            self.known.paths[file] =
                Some(host::files::canonical(path).unwrap_or_else(|_| path.to_owned()));
        }
    }

    /// The text of a source that is not a file.
    pub fn source_text(&self, arguments: &Value) -> Result<Value, String> {
        let number = arguments["source"]["sourceReference"]
            .as_u64()
            .or(arguments["sourceReference"].as_u64())
            .unwrap_or(0);
        let lines: Vec<String> = if number == LISTING {
            let listing = basic::listing(self.machine());
            listing
                .iter()
                .map(|(n, text)| format!("{n} {text}"))
                .collect()
        } else {
            let file = number
                .checked_sub(FILES)
                .and_then(|n| usize::try_from(n).ok())
                .or_else(|| self.file_at(arguments["source"]["path"].as_str()?));
            let file = file.and_then(|file| self.started.debugger.sources.files().get(file));
            file.ok_or("there is no such source")?.text.clone()
        };
        Ok(json!({ "content": lines.join("\n") + "\n" }))
    }

    /// The number of the source at this path.
    fn file_at(&self, path: &str) -> Option<usize> {
        let path = Path::new(path);
        self.known
            .paths
            .iter()
            .position(|known| known.as_deref() == Some(path))
    }

    /// All sources.
    pub fn sources(&self) -> Value {
        let mut sources: Vec<Value> = (0..self.started.debugger.sources.files().len())
            .filter(|&file| {
                self.started
                    .debugger
                    .sources
                    .lines_of(file)
                    .next()
                    .is_some()
            })
            .map(|file| self.source_of(file))
            .collect();
        if self.known.basic {
            sources.push(self.listing_source());
        }
        json!({ "sources": sources })
    }

    /// The lines of BASIC that called each other, the innermost first.
    fn basic_lines(&self) -> Vec<u16> {
        let state = basic::Basic::of(self.machine()).filter(|_| self.known.basic);
        let Some(state) = state else {
            return Vec::new();
        };
        let callers = state.stack.iter().rev().filter_map(|frame| match frame {
            basic::Frame::Gosub(line) => Some(*line),
            basic::Frame::For(..) => None,
        });
        state.line.into_iter().chain(callers).collect()
    }

    /// The frames of the stack, the innermost first: BASIC's lines, then the processor's routines. An interrupt's handler comes before the line that it
    /// interrupted.
    fn frames(&self) -> Vec<StackFrame> {
        let calls = self.started.debugger.call_stack(self.track());
        let handlers = calls.iter().rposition(|call| call.interrupt.is_some());
        let handlers = handlers.map_or(0, |last| last + 1);
        let places = std::iter::once((self.pc(), None));
        // Where each routine is called from is where the one around it is.
        let places = places.chain(calls.iter().map(|call| (call.at, call.interrupt)));
        let routines = places
            .enumerate()
            .map(|(number, (at, interrupt))| StackFrame::Routine {
                number,
                at,
                interrupt,
            });
        let mut frames: Vec<StackFrame> = routines.collect();
        let lines = self.basic_lines().into_iter().map(StackFrame::Basic);
        let sources = &self.started.debugger.sources;
        let interpreted = sources.interpreted_line(self.machine());
        let lines = lines.chain(interpreted.map(StackFrame::Interpreted));
        frames.splice(handlers..handlers, lines);
        frames
    }

    /// The routine of the processor that a frame of [`Self::stack_trace`] is, counted outwards from 0.
    pub fn routine_of(&self, frame: &Value) -> Option<usize> {
        let frame = usize::try_from(frame.as_u64()?).ok()?;
        match self.frames().get(frame)? {
            StackFrame::Routine { number, .. } => Some(*number),
            StackFrame::Basic(_) | StackFrame::Interpreted(_) => None,
        }
    }

    /// A frame as the protocol has it.
    fn frame(&self, id: usize, frame: &StackFrame) -> Value {
        let (address, interrupt) = match *frame {
            StackFrame::Basic(number) => {
                return json!({
                    "id": id,
                    "name": format!("line {number}"),
                    "source": self.listing_source(),
                    "line": self.listing_line(number).unwrap_or(0),
                    "column": 1,
                });
            }
            StackFrame::Interpreted(SourceLine { file, line }) => {
                return json!({
                    "id": id,
                    "name": format!("line {line}"),
                    "source": self.source_of(file),
                    "line": line,
                    "column": 1,
                });
            }
            StackFrame::Routine { at, interrupt, .. } => (at, interrupt),
        };
        let debugger = &self.started.debugger;
        let routine = debugger.routine_name(address);
        let name = match interrupt {
            Some(interrupt) => format!("{routine}, interrupted by {interrupt}"),
            None => routine,
        };
        let mut frame = json!({
            "id": id,
            "name": name,
            "line": 0,
            "column": 0,
            "instructionPointerReference": reference(address),
        });
        if let Some(SourceLine { file, line }) = debugger.sources.line_at(address) {
            frame["source"] = self.source_of(file);
            frame["line"] = json!(line);
            frame["column"] = json!(1);
        } else {
            frame["presentationHint"] = json!("subtle");
        }
        frame
    }

    /// The calls and interrupts that have not returned.
    pub fn stack_trace(&mut self, arguments: &Value) -> Value {
        self.known.parts.clear();
        let frames = self.frames();
        let frames: Vec<Value> = (0..)
            .zip(&frames)
            .map(|(id, frame)| self.frame(id, frame))
            .collect();
        let total = frames.len();
        let start = arguments["startFrame"].as_u64().unwrap_or(0) as usize;
        let levels = arguments["levels"].as_u64().filter(|n| *n > 0);
        let levels = levels.map_or(usize::MAX, |n| n as usize);
        let frames: Vec<Value> = frames.into_iter().skip(start).take(levels).collect();
        json!({ "stackFrames": frames, "totalFrames": total })
    }
}

/// A frame of the stack.
enum StackFrame {
    /// A line of BASIC.
    Basic(u16),
    /// A line of another interpreter's program.
    Interpreted(SourceLine),
    /// A routine of the processor, counted outwards from 0, where it is, and the interrupt that came there.
    Routine {
        number: usize,
        at: u16,
        interrupt: Option<Entry>,
    },
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned()
}
