//! Number of runs of each line of source, as lcov's tracefile (geninfo(1)) has it.
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

/// The lines of a program's sources, with how often the instruction of each that ran most often has begun. Lines of data are left out: those that
/// were read and did not run, and directives.
pub fn coverage(play: &Play) -> Coverage {
    let sources = &play.stage.debugger.sources;
    let observer = &play.observer;
    let mut lines: BTreeMap<SourceLine, (u64, bool)> = BTreeMap::new();
    for (address, count) in observer.counts.iter().enumerate() {
        if let Some(at) = sources.line_at(address as u16) {
            let (most, data) = lines.entry(at).or_default();
            *most = (*most).max(u64::from(*count));
            *data |= observer.is_data(address as u16);
        }
    }
    let mut coverage = Coverage::default();
    for (at, (count, data)) in lines {
        let directive = || sources.text(at).is_some_and(is_directive);
        if count == 0 && (data || directive()) {
            continue;
        }
        let name = &sources.files()[at.file].name;
        let beside = play.stage.program.as_deref();
        let found = beside.and_then(|program| source_path(name, program, &[]));
        let path = found.unwrap_or_else(|| PathBuf::from(name));
        coverage.0.entry(path).or_default().insert(at.line, count);
    }
    coverage
}

/// True for a line of assembler that makes data: `.byte`, `.res`, `dta`, also after a label.
fn is_directive(line: &str) -> bool {
    let line = line.split(';').next().unwrap_or("").trim_start();
    let mut words = line.split_whitespace();
    let makes = |word: &str| word.starts_with('.') || word.eq_ignore_ascii_case("dta");
    words.next().is_some_and(makes) || words.next().is_some_and(makes)
}

#[cfg(test)]
mod tests {
    use super::is_directive;

    #[test]
    fn directives_are_no_code() {
        for line in ["  .byte 1", "tab: .byte 1", "tab dta 5", ".res 4 ; lda"] {
            assert!(is_directive(line), "{line}");
        }
        for line in [
            "  lda #1",
            "loop: lda tab",
            "x = y;",
            "",
            "jmp loop ; .byte",
        ] {
            assert!(!is_directive(line), "{line}");
        }
    }
}
