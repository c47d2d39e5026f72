//! `anticlock mcp`, where it is built in.
#[cfg(feature = "mcp")]
pub use mcp::{Options, run};

/// Arguments of the server.
#[cfg(not(feature = "mcp"))]
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Options {
    /// The folder with the programs; nothing outside of it is read or written
    #[arg(default_value = ".")]
    pub folder: std::path::PathBuf,
}

#[cfg(not(feature = "mcp"))]
use host::failure::Failure;

/// Says how the server is built.
///
/// # Errors
/// Always.
#[cfg(not(feature = "mcp"))]
pub fn run(_: &Options) -> Result<(), Failure> {
    Err(Failure::input(
        "this build has no server for language models; build it with the feature mcp: cargo build --release --features mcp",
    ))
}
