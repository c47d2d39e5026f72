//! `anticlock mcp` as a process; `mcp/tests` has conversations.
mod common;

use common::{Folder, anticlock};

#[test]
#[cfg(feature = "mcp")]
fn it_answers_over_the_standard_streams_and_ends_with_them() {
    use serde_json::{Value, json};
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;
    let folder = Folder::new("model-server");
    let mut child = anticlock(&folder.0)
        .args(["mcp", "."])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut say = |message: Value| writeln!(input, "{message}").unwrap();
    let hello = json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" }
    });
    say(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello }));
    let mut answer = || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    let hello = answer();
    assert_eq!(hello["result"]["serverInfo"]["name"], "anticlock");
    assert_eq!(
        hello["result"]["serverInfo"]["version"],
        env!("CARGO_PKG_VERSION")
    );
    let instructions = hello["result"]["instructions"].to_string();
    assert!(instructions.contains("goes back in time"), "{instructions}");
    say(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    say(json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }));
    let tools = answer()["result"]["tools"].as_array().unwrap().len();
    assert!(tools >= 17, "{tools}");
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_folder_that_is_not_there_is_one_sentence() {
    let folder = Folder::new("model-folder");
    let output = anticlock(&folder.0).args(["mcp", "none"]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    let wanted = if cfg!(feature = "mcp") {
        "none: "
    } else {
        "feature mcp"
    };
    assert!(error.contains(wanted), "{error}");
}
