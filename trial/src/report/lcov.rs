//! How often each line of source ran, as lcov's tracefile (geninfo(1)) has it.
use crate::play::Play;
use debugger::SourceLine;
use host::debug_files::source_path;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// Counts of lines by file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage(BTreeMap<PathBuf, BTreeMap<u32, u64>>);

impl Coverage {
    /// Adds the counts of another test.
    pub fn add(&mut self, other: Self) {
        for (file, lines) in other.0 {
            let mine = self.0.entry(file).or_default();
            for (line, count) in lines {
                *mine.entry(line).or_default() += count;
            }
        }
    }

    /// The tracefile.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (file, lines) in &self.0 {
            // A string takes everything.
            let _ = writeln!(out, "TN:\nSF:{}", file.display());
            for (line, count) in lines {
                let _ = writeln!(out, "DA:{line},{count}");
            }
            let hit = lines.values().filter(|count| **count > 0).count();
            let _ = writeln!(out, "LF:{}\nLH:{hit}\nend_of_record", lines.len());
        }
        out
    }
}

/// The lines of a program's sources, with how often the instruction of each that ran most often has begun.
pub fn coverage(play: &Play) -> Coverage {
    let sources = &play.stage.debugger.sources;
    let mut lines: BTreeMap<SourceLine, u64> = BTreeMap::new();
    for (address, count) in play.observer.counts.iter().enumerate() {
        if let Some(at) = sources.line_at(address as u16) {
            let known = lines.entry(at).or_default();
            *known = (*known).max(u64::from(*count));
        }
    }
    let mut coverage = Coverage::default();
    for (at, count) in lines {
        let name = &sources.files()[at.file].name;
        let found = play
            .stage
            .program
            .as_deref()
            .and_then(|program| source_path(name, program, &[]));
        let path = found.unwrap_or_else(|| PathBuf::from(name));
        coverage.0.entry(path).or_default().insert(at.line, count);
    }
    coverage
}
