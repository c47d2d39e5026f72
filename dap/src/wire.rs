//! Messages of the protocol on a stream: a header with the length, an empty line, and JSON.

use super::places::clip;
use serde_json::{Value, json};
use std::io::{BufRead, Error, ErrorKind, Read, Result, Write};

/// Longest line of a header in bytes, its end included. The only header of the protocol is `Content-Length`.
const LONGEST_LINE: u64 = 64;
/// Longest content of a message in bytes. All of memory in base 64 takes 90 KB.
const LONGEST_CONTENT: u64 = 1 << 20;

/// The next message; none at the end of the stream.
///
/// # Errors
/// A line that is not a header of the protocol, a length beyond the bounds, a stream that ends within a message, content that is not JSON. The
/// stream cannot be read any further then.
pub fn read(input: &mut impl BufRead) -> Result<Option<Value>> {
    let mut length = None;
    while let Some(line) = header_line(input)? {
        if line.is_empty() {
            let length = length.ok_or_else(|| invalid("a message has no Content-Length"))?;
            return content(input, length).map(Some);
        }
        if length.replace(content_length(&line)?).is_some() {
            return Err(invalid("a message has two lengths"));
        }
    }
    if length.is_some() {
        return Err(invalid("the stream ends within a message"));
    }
    Ok(None)
}

fn invalid(why: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidData, why.into())
}

/// A line of a header without its end; none at the end of the stream.
fn header_line(input: &mut impl BufRead) -> Result<Option<String>> {
    let mut line = Vec::new();
    input
        .by_ref()
        .take(LONGEST_LINE)
        .read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    let text = line.strip_suffix(b"\n");
    let text = text.map(|text| text.strip_suffix(b"\r").unwrap_or(text));
    let text = text.and_then(|text| std::str::from_utf8(text).ok());
    let text = text.ok_or_else(|| foreign(&String::from_utf8_lossy(&line)))?;
    Ok(Some(text.to_owned()))
}

fn foreign(line: &str) -> Error {
    invalid(format!(
        "\"{}\" is not a header of the protocol",
        clip(line.trim_end())
    ))
}

fn content_length(line: &str) -> Result<u64> {
    let header = line.split_once(':');
    let value = header.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let (_, value) = value.ok_or_else(|| foreign(line))?;
    let length = value.trim().parse().ok();
    length
        .filter(|length| *length <= LONGEST_CONTENT)
        .ok_or_else(|| {
            invalid(format!(
                "the length of a message is a number up to {LONGEST_CONTENT}, not {}",
                clip(value.trim())
            ))
        })
}

fn content(input: &mut impl BufRead, length: u64) -> Result<Value> {
    let mut bytes = Vec::new();
    input.by_ref().take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length {
        return Err(invalid("the stream ends within a message"));
    }
    serde_json::from_slice(&bytes).map_err(|error| invalid(error.to_string()))
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
            "Content-Length: 1048577\r\n\r\n{}",
            "Content-Length: x\r\n\r\n{}",
            "Content-Length: -2\r\n\r\n{}",
            "Content-Length: 2\r\n\r\n{",
            "Content-Length: 2\r\n",
            "Content-Length: 2",
            "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
            "\r\nContent-Length: 2\r\n\r\n{}",
            "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}",
            "Host: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}",
            "Content-Length: 2\r\nHost: 127.0.0.1\r\n\r\n{}",
            "{}",
        ] {
            let error = read(&mut text.as_bytes()).expect_err(text).to_string();
            assert!(error.len() < 200, "{error}");
        }
        assert!(read(&mut &b""[..]).unwrap().is_none());
        assert!(
            read(&mut &b"content-length: 2\n\n{}"[..])
                .unwrap()
                .is_some()
        );
    }

    /// Bytes that never end, and how many were taken.
    struct Endless(u8, usize);

    impl std::io::Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
            buffer.fill(self.0);
            self.1 += buffer.len();
            Ok(buffer.len())
        }
    }

    #[test]
    fn a_header_without_end_is_not_taken() {
        for byte in [b'x', b' ', b'\n', 0] {
            let mut input = std::io::BufReader::with_capacity(16, Endless(byte, 0));
            assert!(read(&mut input).is_err());
            let taken = input.get_ref().1;
            assert!(taken <= 64 + 16, "{taken} bytes");
        }
    }
}
