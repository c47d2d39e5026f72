//! BASIC listings between the page's editor and the machine.
use machine::Machine;
use media::basic::{Listing, Program};
use std::fmt::Write as _;
use wasm_bindgen::prelude::wasm_bindgen;

/// BASIC's pointers from LOMEM to STARP.
const LOMEM: u16 = 0x80;
/// Pointers in a SAVE file.
const POINTERS: u16 = 7;
/// A SAVE file's pointers count from LOMEM less a page.
const PAGE: u16 = 0x100;

/// The errors of a listing, a line for each: line of the text, column, what was expected, with tabs between. Empty for correct BASIC.
pub fn errors(text: &str) -> String {
    let mut out = String::new();
    if let Err(errors) = Listing::read(text.as_bytes()) {
        for error in errors {
            let (line, column) = (error.file_line, error.column + 1);
            let _ = writeln!(out, "{line}\t{column}\t{}", error.wanted);
        }
    }
    out
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

/// The listing of the program that is in the machine's memory, found by BASIC's own pointers.
///
/// # Errors
/// When the memory holds no BASIC program.
pub fn of_machine(machine: &Machine) -> Result<String, String> {
    const NONE: &str = "there is no BASIC program in the machine's memory";
    let mut pointers: Vec<u16> = (0..POINTERS)
        .map(|i| machine.peek_word(LOMEM + 2 * i))
        .collect();
    let (lomem, vntp, starp) = (pointers[0], pointers[1], pointers[6]);
    if pointers.windows(2).any(|pair| pair[0] > pair[1]) || vntp < lomem || lomem < PAGE {
        return Err(NONE.to_owned());
    }
    // STMCUR is the line in use, which may be a line of the program that was just entered; the listing ends at the immediate line.
    pointers[5] = starp;
    let mut file = vec![0, 0];
    for pointer in &pointers[1..] {
        file.extend((pointer - lomem + PAGE).to_le_bytes());
    }
    file.extend((vntp..starp).map(|address| machine.peek(address)));
    let program = Program::parse_save(&file).map_err(|_| NONE.to_owned())?;
    let text = media::atascii::to_text(&program.list());
    // After NEW there are pointers, and no line.
    (!text.is_empty())
        .then_some(text)
        .ok_or_else(|| NONE.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::{Session, Setup};

    #[test]
    fn errors_name_line_column_and_what_was_expected() {
        let text = errors("10 PRINT 1\n20 POKE 1\nHELLO\n");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("2\t10\t"), "{text}");
        assert!(lines[1].starts_with("3\t1\ta line number"), "{text}");
        assert_eq!(errors("10 PRINT \"\u{e0}\"\n"), "");
        let euro = errors("10 PRINT \"\u{20ac}\"");
        assert!(
            euro.starts_with("1\t11\tcharacters that the Atari has"),
            "{euro}"
        );
        assert_eq!(errors("10 print \"\u{2665}\"\npoke 710,0\n"), "");
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
