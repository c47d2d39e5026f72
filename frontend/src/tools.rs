//! The small tools on the command line: BASIC programs, configuration.
use crate::cli::{BasicAction, Cli, Generated};
use clap::CommandFactory;
use host::basic_check;
use host::failure::Failure;
use host::files;
use std::io::Write;
use std::path::Path;

/// Writes to the output of a tool.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn say(out: &mut impl Write, bytes: &[u8]) -> Result<(), Failure> {
    out.write_all(bytes)
        .and_then(|()| out.flush())
        .map_err(|error| Failure::input(format!("the output cannot be written: {error}")))
}

/// `anticlock generate`.
///
/// # Errors
/// When the output cannot be written.
pub fn generate(what: Generated, out: &mut impl Write) -> Result<(), Failure> {
    use clap_complete::Shell;
    let mut command = Cli::command();
    let mut bytes = Vec::new();
    let shell = match what {
        Generated::Man => {
            clap_mangen::Man::new(command)
                .render(&mut bytes)
                .map_err(|error| Failure::input(error.to_string()))?;
            return say(out, &bytes);
        }
        Generated::Desktop => return say(out, include_bytes!("../desktop/anticlock.desktop")),
        Generated::Mime => return say(out, include_bytes!("../desktop/anticlock.xml")),
        Generated::Metainfo => {
            let text = include_str!("../desktop/anticlock.metainfo.xml");
            return say(
                out,
                text.replace("@VERSION@", env!("CARGO_PKG_VERSION"))
                    .as_bytes(),
            );
        }
        Generated::Icon => return say(out, include_bytes!("../desktop/anticlock.png")),
        Generated::Bash => Shell::Bash,
        Generated::Zsh => Shell::Zsh,
        Generated::Fish => Shell::Fish,
    };
    clap_complete::generate(shell, &mut command, "anticlock", &mut bytes);
    say(out, &bytes)
}

/// The BASIC program in a SAVE file.
fn saved(path: &Path, bytes: &[u8]) -> Result<media::basic::Program, Failure> {
    media::basic::Program::parse_save(bytes).map_err(|error| Failure::file(path, error))
}

/// The BASIC program in a listing.
fn listing(path: &Path, bytes: &[u8]) -> Result<media::basic::Program, Failure> {
    session::listing(bytes).map_err(|error| Failure::file(path, error))
}

/// A BASIC program in either form.
fn read_basic(path: &Path) -> Result<media::basic::Program, Failure> {
    let bytes = files::read(path)?;
    if media::basic::is_save(&bytes) {
        saved(path, &bytes)
    } else {
        listing(path, &bytes)
    }
}

/// `anticlock basic list|tokenize|check`.
///
/// # Errors
/// The fault of the program or its file.
pub fn basic(action: &BasicAction, out: &mut impl Write) -> Result<(), Failure> {
    match action {
        BasicAction::List { file } => {
            let text = media::atascii::to_text(&read_basic(file)?.list());
            say(out, text.as_bytes())
        }
        BasicAction::Tokenize {
            listing: source,
            out,
        } => files::write(out, &listing(source, &files::read(source)?)?.to_save()),
        BasicAction::Check { file } => {
            let found = basic_check::check(file, &files::read(file)?)?;
            say(out, format!("{}: {found}\n", file.display()).as_bytes())
        }
    }
}

/// `anticlock config`.
///
/// # Errors
/// The fault of the configuration file.
pub fn config(out: &mut impl Write) -> Result<(), Failure> {
    let config = host::config::Config::load()?;
    say(
        out,
        host::config::describe(&host::config::path(), &config).as_bytes(),
    )
}
