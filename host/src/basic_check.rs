//! Errors in a BASIC program.
use crate::failure::Failure;
use media::basic::{Listing, Program};
use std::path::Path;

/// Looks for errors in the bytes of a listing or SAVE file; returns the facts of a program without errors.
///
/// # Errors
/// Each wrong line, with the file's name.
pub fn check(file: &Path, bytes: &[u8]) -> Result<String, Failure> {
    let (program, direct) = if media::basic::is_save(bytes) {
        let saved = Program::parse_save(bytes).map_err(|error| Failure::file(file, error))?;
        match saved.flaw() {
            Some(flaw) => return Err(Failure::file(file, flaw)),
            None => (saved, 0),
        }
    } else {
        let listing = Listing::read(bytes).map_err(|errors| {
            let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
            Failure::file(file, all.join("\n"))
        })?;
        (listing.program, listing.direct)
    };
    let commands = match direct {
        0 => String::new(),
        1 => ", 1 command without a line number".to_owned(),
        _ => format!(", {direct} commands without a line number"),
    };
    let variables = match program.variable_names().len() {
        1 => "1 variable".to_owned(),
        n => format!("{n} variables"),
    };
    Ok(format!(
        "no errors, {} bytes in memory, {variables}{commands}",
        program.image().len()
    ))
}
