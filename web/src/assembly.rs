//! Programs in assembly: the debugger's assembler for the page's editor, and their lines for the page's panels.
use crate::emulator::Emulator;
use crate::inspect::Inspector;
use crate::rows::{SourceRow, WrongLine};
use debugger::{AssembleError, Assembled, SourceLine, Sources, Symbols, assemble_files};
use std::collections::BTreeMap;
use wasm_bindgen::prelude::wasm_bindgen;

/// A source file: name and text.
type File = (String, String);

fn shown(files: &[File]) -> Vec<(&str, &str)> {
    let each = files.iter();
    each.map(|(name, text)| (name.as_str(), text.as_str()))
        .collect()
}

/// Assembles the first of these files.
fn assembled(files: &[File]) -> Result<Assembled, AssembleError> {
    let mut symbols = Symbols::default();
    symbols.add_hardware();
    symbols.add_system(roms::labels(roms::os_xl(), None));
    assemble_files(&shown(files), &symbols)
}

/// A program file of the first of these sources; the others are for `.include`.
///
/// # Errors
/// The first line that is wrong.
#[wasm_bindgen]
pub fn assemble(names: Vec<String>, texts: Vec<String>) -> Result<Vec<u8>, WrongLine> {
    let files: Vec<File> = names.into_iter().zip(texts).collect();
    assembled(&files)
        .map(|program| program.xex)
        .map_err(|AssembleError { file, line, why }| WrongLine { file, line, why })
}

/// The lines of a file that have code, each with the first address of it.
fn code_of(sources: &Sources, file: usize) -> BTreeMap<u32, u16> {
    let mut code = BTreeMap::new();
    for address in (0..=0xFFFF).filter(|&address| sources.begins_line(address)) {
        if let Some(at) = sources.line_at(address).filter(|at| at.file == file) {
            code.entry(at.line).or_insert(address);
        }
    }
    code
}

/// Sources of the program.
#[wasm_bindgen]
impl Inspector {
    /// Makes the sources of the program in the machine known, with their labels. False when they cannot be assembled.
    pub fn add_sources(&mut self, names: Vec<String>, texts: Vec<String>) -> bool {
        let files: Vec<File> = names.into_iter().zip(texts).collect();
        let Ok(program) = assembled(&files) else {
            return false;
        };
        for (name, address) in &program.labels {
            self.debugger.symbols.add(*address, name);
        }
        let sources = &mut self.debugger.sources;
        sources.add_assembled(&program, &shown(&files));
        true
    }

    /// The source around the instruction that runs. Empty where the program has no sources.
    pub fn source(&self, emulator: &Emulator) -> Vec<SourceRow> {
        let sources = &self.debugger.sources;
        let here = sources.line_of(emulator.session.machine());
        let file = here.map_or(0, |here| here.file);
        let Some(shown) = sources.files().get(file) else {
            return Vec::new();
        };
        let code = code_of(sources, file);
        let stops = self.stops();
        let rows = (1..).zip(&shown.text).map(|(line, text)| {
            let code = code.get(&line);
            SourceRow {
                file,
                line,
                stop: code.is_some_and(|code| stops.contains(code)),
                here: here == Some(SourceLine { file, line }),
                code: code.is_some(),
                text: text.clone(),
            }
        });
        rows.collect()
    }

    /// Sets or removes the breakpoint at a line of a source.
    pub fn toggle_source(&mut self, file: usize, line: u32) {
        if let Some(&address) = code_of(&self.debugger.sources, file).get(&line) {
            self.toggle(address);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIN: &str = "start:  lda #$94\n        sta COLBK\n\n        .include \"LOOP.S\"\n";
    const LOOP: &str = "loop:   inc $80\n        jmp loop\n";

    fn files(part: &str) -> (Vec<String>, Vec<String>) {
        let text = |text: &str| text.to_owned();
        let names = vec![text("MAIN.S"), text("LOOP.S")];
        (names, vec![text(MAIN), text(part)])
    }

    #[test]
    fn an_error_names_file_and_line() {
        let (names, texts) = files("\nldq #1");
        let error = assemble(names, texts).unwrap_err();
        assert_eq!((error.file, error.line), (1, 2));
        assert_eq!(error.why, "there is no instruction \"LDQ\"");
    }

    #[test]
    fn the_running_machine_stops_at_a_line() {
        let mut emulator = Emulator::new(48_000.0).unwrap();
        let (names, texts) = files(LOOP);
        let program = assemble(names.clone(), texts.clone()).unwrap();
        emulator.open_file("main.xex", &program, "").unwrap();
        for _ in 0..400 {
            emulator.frame();
        }
        let mut inspector = Inspector::new(&mut emulator);
        assert!(inspector.add_sources(names, texts));
        let shown = inspector.source(&emulator);
        assert!(shown[1].text.contains("jmp loop"), "{shown:?}");
        inspector.toggle_source(1, 2);
        let stops = inspector.stops();
        assert_eq!(stops.len(), 1);
        emulator.set_stops(&stops, &[]);
        while emulator.frame().is_none_or(|news| !news.stopped) {}
        assert_eq!(emulator.pc(), stops[0]);
        let shown = inspector.source(&emulator);
        let line = SourceRow {
            file: 1,
            line: 2,
            stop: true,
            here: true,
            code: true,
            text: "        jmp loop".to_owned(),
        };
        assert_eq!(shown[1], line);
        inspector.toggle_source(1, 2);
        assert!(inspector.stops().is_empty());
    }
}
