//! `anticlock mcp`: the machine and its debugger for a language model, by the Model Context Protocol over the standard streams.
//!
//! `desk.rs` has the machine and does what is asked, on a thread of its own; `server.rs` is the protocol, by its official SDK.
#![forbid(unsafe_code)]

mod desk;
mod server;

use clap::Args;
use host::failure::Failure;
use rmcp::ServiceExt;
use std::path::PathBuf;
use tokio::io::{AsyncRead, AsyncWrite};
use trial::Fence;

/// Arguments of the server.
#[derive(Clone, Debug, Default, Args)]
pub struct Options {
    /// The folder with the programs; nothing outside of it is read or written
    #[arg(default_value = ".")]
    pub folder: PathBuf,
}

/// Serves one client over the standard streams until it leaves.
///
/// # Errors
/// A folder that is not there, or a client that does not keep to the protocol.
pub fn run(options: &Options) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::input(format!("the server cannot be started: {error}")))?;
    let (input, output) = rmcp::transport::stdio();
    let served = runtime.block_on(serve(options, input, output));
    // A read of the standard input cannot be called off.
    runtime.shutdown_background();
    served
}

/// Serves one client over any two streams until it leaves.
///
/// # Errors
/// See [`run`].
pub async fn serve(
    options: &Options,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<(), Failure> {
    let fence = Fence::around(&options.folder)?;
    let server = server::Server::new(options.folder.clone(), fence);
    let protocol = |error: &dyn std::fmt::Display| {
        Failure::input(format!("the client does not keep to the protocol: {error}"))
    };
    let service = server
        .serve((input, output))
        .await
        .map_err(|error| protocol(&error))?;
    service.waiting().await.map_err(|error| protocol(&error))?;
    Ok(())
}
