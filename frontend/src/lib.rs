//! Everything that the user touches: window, sound, keys, files, command line. The only crate with input and output.

pub mod animation;
pub mod cli;
mod debug_prompt;
pub mod disk_tool;
#[cfg(feature = "window")]
mod gif;
pub mod headless;
pub mod mcp_server;
#[cfg(feature = "window")]
pub mod platform;
pub mod slots;
#[cfg(feature = "sound")]
pub mod sound;
pub mod tools;
#[cfg(feature = "window")]
mod video;
pub mod wav;
#[cfg(feature = "window")]
pub mod window;

use cli::{Cli, Command};
use host::config;
use host::failure::{self, Failure};
use std::io::stdout;

/// Does what the command line says.
///
/// # Errors
/// One sentence for the user, and the exit status that goes with it.
pub fn run(cli: &Cli) -> Result<(), Failure> {
    if let Err(failure) = config::take_over() {
        failure::tell(failure);
    }
    match &cli.command {
        Some(Command::Headless(options)) => headless::run(options, &mut stdout().lock()),
        Some(Command::Debug(options)) => debug_prompt::run(options, &mut stdout().lock()),
        Some(Command::Dap(options)) => dap(options),
        Some(Command::Test(options)) => trial::run(options, &mut stdout().lock()),
        Some(Command::Tasks { action }) => trial::tasks::run(action, &mut stdout().lock()),
        Some(Command::Mcp(options)) => mcp_server::run(options),
        Some(Command::Config) => tools::config(&mut stdout().lock()),
        Some(Command::Generate { what }) => tools::generate(*what, &mut stdout().lock()),
        Some(Command::Disk { action }) => disk_tool::run(action, &mut stdout().lock()),
        Some(Command::Basic {
            action: Some(action),
            ..
        }) => tools::basic(action, &mut stdout().lock()),
        Some(Command::Basic {
            machine,
            picture,
            window,
            ..
        }) => play(&cli::Play {
            program: Some("basic".into()),
            more: Vec::new(),
            machine: (**machine).clone(),
            picture: picture.clone(),
            window: window.clone(),
            time: cli::TimeOptions::default(),
        }),
        None => play(&cli.play),
    }
}

#[cfg(feature = "window")]
fn dap(options: &dap::Options) -> Result<(), Failure> {
    dap::run(options, Some(&window::show))
}

#[cfg(not(feature = "window"))]
fn dap(options: &dap::Options) -> Result<(), Failure> {
    dap::run(options, None)
}

#[cfg(feature = "window")]
fn play(options: &cli::Play) -> Result<(), Failure> {
    platform::console::leave();
    window::run(options).inspect_err(|failure| platform::console::tell(&failure.to_string()))
}

#[cfg(not(feature = "window"))]
fn play(_: &cli::Play) -> Result<(), Failure> {
    Err(Failure::input(
        "this build has no window; use anticlock headless, or build with the feature window",
    ))
}
