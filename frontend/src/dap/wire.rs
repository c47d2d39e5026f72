//! Messages of the protocol on a stream: a header with the length, an empty line, and JSON.

use serde_json::{Value, json};
use std::io::{BufRead, Error, ErrorKind, Result, Write};

/// Longest message that is read.
const MOST: usize = 64 << 20;

/// The next message; none at the end of the stream.
pub fn read(input: &mut impl BufRead) -> Result<Option<Value>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim();
        if line.is_empty() {
            if length.is_some() {
                break;
            }
            continue;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let length = length.filter(|length| *length <= MOST);
    let length = length.ok_or_else(|| Error::new(ErrorKind::InvalidData, "no length"))?;
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes)?;
    serde_json::from_slice(&bytes)
        .map(Some)
        .map_err(|error| Error::new(ErrorKind::InvalidData, error.to_string()))
}

/// The way to the client.
pub struct Wire<W> {
    out: W,
    sequence: u64,
}

impl<W: Write> Wire<W> {
    pub fn new(out: W) -> Self {
        Self { out, sequence: 0 }
    }

    fn send(&mut self, mut message: Value) -> Result<()> {
        self.sequence += 1;
        message["seq"] = json!(self.sequence);
        let text = message.to_string();
        write!(self.out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        self.out.flush()
    }

    pub fn event(&mut self, event: &str, body: &Value) -> Result<()> {
        self.send(json!({ "type": "event", "event": event, "body": body }))
    }

    pub fn respond(
        &mut self,
        request: &Value,
        result: std::result::Result<Value, String>,
    ) -> Result<()> {
        let mut response = json!({
            "type": "response",
            "request_seq": request["seq"],
            "command": request["command"],
            "success": result.is_ok(),
        });
        match result {
            Ok(body) => response["body"] = body,
            Err(message) => {
                response["message"] = json!(message);
                response["body"] =
                    json!({ "error": { "id": 1, "format": message, "showUser": true } });
            }
        }
        self.send(response)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_go_there_and_come_back() {
        let mut bytes = Vec::new();
        let mut wire = Wire::new(&mut bytes);
        wire.event("output", &json!({ "output": "\u{E9}\n" }))
            .unwrap();
        wire.respond(&json!({ "seq": 7, "command": "x" }), Err("no".to_owned()))
            .unwrap();
        let mut input = &bytes[..];
        let first = read(&mut input).unwrap().unwrap();
        assert_eq!(
            (&first["seq"], &first["body"]["output"]),
            (&json!(1), &json!("\u{E9}\n"))
        );
        let second = read(&mut input).unwrap().unwrap();
        assert_eq!(
            (&second["request_seq"], &second["success"]),
            (&json!(7), &json!(false))
        );
        assert!(read(&mut input).unwrap().is_none());
    }

    #[test]
    fn what_is_no_message_is_an_error() {
        for text in [
            "Content-Length: 9999999999\r\n\r\n{}",
            "Content-Length: x\r\n\r\n{}",
            "Content-Length: 2\r\n\r\n{",
        ] {
            let result = read(&mut text.as_bytes());
            assert!(!matches!(result, Ok(Some(_))), "{text}");
        }
    }
}
