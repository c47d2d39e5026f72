//! `anticlock`, the program.
use std::process::ExitCode;

fn main() -> ExitCode {
    match frontend::cli::parse().and_then(|cli| frontend::run(&cli)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            host::failure::tell(&failure);
            ExitCode::from(failure.status())
        }
    }
}
