//! BASIC programs as bytes: listings and SAVE files.
use media::atascii;
use media::basic::{Listing, Program, SyntaxError, is_save};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A mistake: line of the file from 1, column from 0, the expected syntax, the line's text around it.
type Mistake = (usize, usize, String, String);

fn mistakes(errors: Vec<SyntaxError>) -> Vec<Mistake> {
    let mistake = |error: SyntaxError| {
        (
            error.file_line,
            error.column,
            error.wanted,
            error.text.trim_end().to_owned(),
        )
    };
    errors.into_iter().map(mistake).collect()
}

/// The SAVE file of a listing.
#[pyfunction]
pub fn tokenize<'py>(py: Python<'py>, listing: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let program = Program::tokenize(listing).map_err(|errors| {
        let first = errors.first().map(|error| {
            let (line, column) = (error.file_line, error.column + 1);
            format!("line {line}, column {column}: expected {}", error.wanted)
        });
        PyValueError::new_err(first.unwrap_or_default())
    })?;
    Ok(PyBytes::new(py, &program.to_save()))
}

/// The listing of a SAVE file.
#[pyfunction]
pub fn detokenize(program: &[u8]) -> PyResult<String> {
    let program = Program::parse_save(program);
    let program = program.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(atascii::to_text(&program.list()))
}

/// The mistakes in a listing or SAVE file.
#[pyfunction]
pub fn check(program: &[u8]) -> PyResult<Vec<Mistake>> {
    if is_save(program) {
        return Ok(Vec::new());
    }
    if program.starts_with(&[0, 0]) {
        let error = Program::parse_save(program).err();
        let sentence = error.map_or_else(String::new, |error| error.to_string());
        return Err(PyValueError::new_err(sentence));
    }
    Ok(Listing::read(program).err().map_or(Vec::new(), mistakes))
}
