//! `colleen`, the program.
use std::process::ExitCode;

fn main() -> ExitCode {
    match frontend::run(&frontend::cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("colleen: {failure}");
            ExitCode::from(failure.status())
        }
    }
}
