//! A client and its conversation with a server.
#![allow(dead_code, reason = "each test program uses a part of it")]
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use mcp::Options;
use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use rmcp::service::{RoleClient, RunningService};
use serde_json::{Value, json};
use std::future::Future;
use std::path::Path;

const FULL: usize = 24_000 + 1000;

/// The client of the protocol's own SDK.
pub struct Client(pub RunningService<RoleClient, ()>);

impl Client {
    /// Asks; returns the text of the answer, or of the failure.
    pub async fn ask(&self, tool: &str, arguments: Value) -> Result<String, String> {
        let Value::Object(arguments) = arguments else {
            panic!("{arguments}")
        };
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let result = self.0.call_tool(request).await.unwrap();
        let text = result.content[0].as_text().unwrap().text.clone();
        assert!(text.len() < FULL, "{} bytes", text.len());
        if result.is_error == Some(true) {
            Err(text)
        } else {
            Ok(text)
        }
    }

    /// [`Self::ask`] for a request that must succeed.
    pub async fn asks(&self, tool: &str, arguments: Value) -> String {
        let answer = self.ask(tool, arguments.clone()).await;
        answer.unwrap_or_else(|error| panic!("{tool} {arguments}: {error}"))
    }

    /// The picture: colours of 376 by 240 pixels.
    pub async fn picture(&self) -> Vec<[u8; 3]> {
        let Value::Object(arguments) = json!({ "what": "picture" }) else {
            unreachable!()
        };
        let request = CallToolRequestParams::new("look").with_arguments(arguments);
        let result = self.0.call_tool(request).await.unwrap();
        let image = result.content[1].as_image().unwrap();
        assert_eq!(image.mime_type, "image/png");
        let bytes = STANDARD.decode(&image.data).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (376, 240));
        pixels.as_chunks::<3>().0.to_vec()
    }
}

/// A conversation with a server for a folder.
pub fn talk<F: Future<Output = ()>>(folder: &Path, talk: impl FnOnce(Client) -> F) {
    let options = Options {
        folder: folder.to_owned(),
    };
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let runtime = || {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap()
    };
    let server = std::thread::spawn(move || {
        let (input, output) = tokio::io::split(theirs);
        runtime()
            .block_on(mcp::serve(&options, input, output))
            .unwrap();
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let client = ().serve(ours).await.unwrap();
        talk(Client(client)).await;
    });
    drop(runtime);
    server.join().unwrap();
}
