//! BASIC listings between the page's editor and the machine.
use machine::Machine;
use media::basic::{Listing, Program};
use wasm_bindgen::prelude::wasm_bindgen;

/// A place of a listing that is not BASIC.
#[wasm_bindgen(getter_with_clone)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line of the text, from 1.
    #[wasm_bindgen(readonly)]
    pub line: usize,
    /// The column, from 1.
    #[wasm_bindgen(readonly)]
    pub column: usize,
    /// The words for what was expected there.
    #[wasm_bindgen(readonly)]
    pub wanted: String,
}

/// The mistakes of a listing, in the order of its text.
pub fn mistakes(text: &str) -> Vec<Mistake> {
    let errors = Listing::read(text.as_bytes()).err().unwrap_or_default();
    let mistakes = errors.into_iter().map(|error| Mistake {
        line: error.file_line,
        column: error.column + 1,
        wanted: error.wanted,
    });
    mistakes.collect()
}

/// The words of BASIC: statements, functions and operators that are words.
#[wasm_bindgen]
pub fn basic_words() -> Vec<String> {
    media::basic::words().map(str::to_owned).collect()
}

/// A text as a file of the Atari: lines end with `$9B`, and a question mark stands for a character that the Atari does not have.
#[wasm_bindgen]
pub fn to_atascii(text: &str) -> Vec<u8> {
    let byte = |character: char| match character {
        '\n' => media::basic::EOL,
        other => media::atascii::of_char(other).unwrap_or(b'?'),
    };
    text.replace("\r\n", "\n").chars().map(byte).collect()
}

/// The listing of the program that is in the machine's memory.
///
/// # Errors
/// When the memory holds no BASIC program.
pub fn of_machine(machine: &Machine) -> Result<String, String> {
    let program = Program::in_memory(|address| machine.peek(address))
        .ok_or("there is no BASIC program in the machine's memory")?;
    Ok(media::atascii::to_text(&program.list()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::{Session, Setup};

    #[test]
    fn errors_name_line_column_and_what_was_expected() {
        let found = mistakes("10 PRINT 1\n20 POKE 1\nHELLO\n");
        let places: Vec<_> = found.iter().map(|one| (one.line, one.column)).collect();
        assert_eq!(places, [(2, 10), (3, 1)]);
        assert!(found[1].wanted.starts_with("a line number"), "{found:?}");
        assert_eq!(mistakes("10 PRINT \"\u{e0}\"\n"), []);
        let euro = mistakes("10 PRINT \"\u{20ac}\"").remove(0);
        assert_eq!((euro.line, euro.column), (1, 11));
        let wanted = "characters that the Atari has";
        assert!(euro.wanted.starts_with(wanted), "{euro:?}");
        assert_eq!(mistakes("10 print \"\u{2665}\"\npoke 710,0\n"), []);
    }

    #[test]
    fn a_text_becomes_a_file_of_the_atari() {
        assert_eq!(to_atascii("A\r\n\u{2665}\u{e0}\n"), b"A\x9B\x00\xE0\x9B");
        assert_eq!(to_atascii("\u{20ac}"), b"?");
    }

    #[test]
    fn a_machine_without_a_program_has_no_listing() {
        let mut setup = Setup::built_in("basic").unwrap().unwrap();
        setup.no_run = true;
        let mut session = Session::new(setup).unwrap();
        for _ in 0..300 {
            session.run_frame();
        }
        assert!(session.text().contains("READY"));
        let error = of_machine(session.machine()).unwrap_err();
        assert!(error.contains("no BASIC program"), "{error}");
    }

    #[test]
    fn a_listing_comes_back_out_of_the_machine() {
        let text = "10 FOR I=1 TO 9\n20 ? I;\n30 NEXT I\n";
        let mut setup = Setup::for_file("a.lst", text.as_bytes()).unwrap();
        setup.no_run = true;
        let mut session = Session::new(setup).unwrap();
        for _ in 0..300 {
            session.run_frame();
        }
        let listing = of_machine(session.machine()).unwrap();
        assert_eq!(listing, "10 FOR I=1 TO 9\n20 ? I;\n30 NEXT I\n");
    }

    #[test]
    fn a_line_that_was_just_entered_is_in_the_listing() {
        let mut setup = Setup::built_in("basic").unwrap().unwrap();
        setup.no_run = true;
        let mut session = Session::new(setup).unwrap();
        session.type_text("10 ? 7\n").unwrap();
        for _ in 0..600 {
            session.run_frame();
        }
        assert_eq!(
            of_machine(session.machine()).unwrap(),
            "10 ? 7\n",
            "{}",
            session.text()
        );
    }
}
