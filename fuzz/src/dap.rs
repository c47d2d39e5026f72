//! The debug adapter and the debugger's commands: each line of an input is a message, or a command that a message carries.
use serde_json::json;
use std::io::{Cursor, sink};

/// Words of messages.
pub const WORDS: &[&str] = &[
    "\"seq\":1",
    "\"type\":\"request\"",
    "\"command\":",
    "\"arguments\":{}",
    "\"launch\"",
    "\"evaluate\"",
    "\"variables\"",
    "\"stackTrace\"",
    "\"scopes\"",
    "\"setBreakpoints\"",
    "\"readMemory\"",
    "\"memoryReference\":\"0xFFFF\"",
    "\"count\":-1",
    "\"offset\":65536",
    "\"disassemble\"",
    "\"instructionCount\":1",
    "\"variablesReference\":",
    "\"token\":\"x\"",
    "null",
    "[",
    "]",
    "{",
    "}",
    "true",
    "1e999",
    "\"\\ud800\"",
    "\"completions\"",
    "\"column\":0",
    "\"text\":\"pr\u{E9}\"",
    "\"writeMemory\"",
    "\"data\":\"Bw==\"",
    "\"data\":\"=\"",
    "\"source\"",
    "\"pause\"",
];
/// Words of commands.
pub const COMMANDS: &[&str] = &[
    "break", "if", "clear", "watch", "print", "poke", "code", "mem", "find", "asm", "set", "label",
    "over 3", "into", "out", "back", "cycle 5", "line", "goto", "who", "why", "origin", "stores",
    "dlis", "map", "strip", "share", "trace", "profile", "diff", "whoset", "branches", "switch",
    "basic", "blist", "settings", "enable", "disable", "log", "unwatch", "when", "$FFFF", "$D01A",
    "pc", "a", "[", "]", "(", ")", "+", "*", "<<", "&&", "==", "!", "'x'", "%1", "0x", ";", "\"",
    "-", ",", "#", "lda", "($80),y", "read", "write", "every", "600-700", "\u{E9}",
];

fn request(seq: usize, command: &str, arguments: &serde_json::Value) -> String {
    json!({ "seq": seq, "type": "request", "command": command, "arguments": arguments }).to_string()
}

/// Conversations to begin with.
pub fn conversations() -> Vec<Vec<u8>> {
    let requests = [
        ("initialize", json!({ "adapterID": "x" })),
        (
            "launch",
            json!({ "program": "basic", "stopOnEntry": true, "options": ["--tv", "pal"] }),
        ),
        ("configurationDone", json!({})),
        ("threads", json!({})),
        ("stackTrace", json!({ "threadId": 1 })),
        ("scopes", json!({ "frameId": 0 })),
        ("variables", json!({ "variablesReference": 1 })),
        (
            "setVariable",
            json!({ "variablesReference": 1, "name": "X", "value": "$42" }),
        ),
        (
            "setInstructionBreakpoints",
            json!({ "breakpoints": [{ "instructionReference": "0x2008", "condition": "x == 1" }] }),
        ),
        (
            "setFunctionBreakpoints",
            json!({ "breakpoints": [{ "name": "PUTBYT", "logMessage": "x is {x}" }] }),
        ),
        ("dataBreakpointInfo", json!({ "name": "COLBK" })),
        (
            "setDataBreakpoints",
            json!({ "breakpoints": [{ "dataId": "0xD01A-0xD01A", "accessType": "write", "hitCondition": "3" }] }),
        ),
        (
            "readMemory",
            json!({ "memoryReference": "0x2000", "offset": -3, "count": 20 }),
        ),
        (
            "writeMemory",
            json!({ "memoryReference": "0x600", "data": "Bw==" }),
        ),
        (
            "disassemble",
            json!({ "memoryReference": "0xE000", "instructionOffset": -5, "instructionCount": 20 }),
        ),
        ("completions", json!({ "text": "pri", "column": 3 })),
        (
            "evaluate",
            json!({ "expression": "x + 1", "context": "watch" }),
        ),
        (
            "evaluate",
            json!({ "expression": "who COLBK", "context": "repl" }),
        ),
        (
            "next",
            json!({ "threadId": 1, "granularity": "instruction" }),
        ),
        ("stepBack", json!({ "threadId": 1 })),
        ("pause", json!({ "threadId": 1 })),
        ("loadedSources", json!({})),
        ("disconnect", json!({})),
    ];
    let lines = requests.iter().enumerate();
    let lines = lines.map(|(seq, (command, arguments))| request(seq, command, arguments) + "\n");
    let raw = b"\xFFContent-Length: 2\r\n\r\n{}Content-Length: 17\r\n\r\n";
    vec![lines.collect::<String>().into_bytes(), raw.to_vec()]
}

/// Has a conversation; input that begins with $FF is the stream itself.
pub fn conversation(bytes: &[u8]) {
    let stream = match bytes.strip_prefix(&[0xFF]) {
        Some(raw) => raw.to_vec(),
        None => messages(bytes.split(|&byte| byte == b'\n')),
    };
    if let Err(failure) = dap::converse(Cursor::new(stream), sink()) {
        let text = failure.to_string();
        assert!(text.len() < 2000, "a message of {} bytes", text.len());
    }
}

fn messages<T: AsRef<[u8]>>(contents: impl IntoIterator<Item = T>) -> Vec<u8> {
    let mut stream = Vec::new();
    for content in contents {
        let content = content.as_ref();
        stream.extend(format!("Content-Length: {}\r\n\r\n", content.len()).bytes());
        stream.extend(content);
    }
    stream
}

/// Commands to begin with.
pub fn commands() -> Vec<Vec<u8>> {
    let all = [
        "break 2000 if x == 3 && [$600] > 2\nbreak write COLBK\nbreaks\nwatch w[88] + 1\nwatches\nclear all\n",
        "into 5\nover\nout\nline 3\nframe\nback into\nback frame\nbeam 100 50\npixel 10 20\nwhere\n",
        "print 1+2*3\npoke $600 1 2 3\nmem $600 3\nfind 01 ?? 03\nasm $600 lda ($80),y\ncode $600 4\nset a 7\nlabel start $600\n",
        "who COLBK\nwhy 100 100\nstores 600-700\norigin $600\ndlis\nmap\nstrip 50\nshare\ntrace\nprofile\nbranches\nsettings\nbasic\nblist\nhelp\n",
    ];
    all.map(|text| text.as_bytes().to_vec()).to_vec()
}

/// Says commands to a machine at BASIC's prompt, but for those that run as long as they are told to.
pub fn run_commands(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let launch = request(1, "launch", &json!({ "program": "basic" }));
    let lines = text.lines().take(50).filter(|line| {
        // Thousands of steps, or frames, take the time that they take.
        let number = |word: &str| word.trim_start_matches('-').parse::<u64>().unwrap_or(0);
        !line
            .split_whitespace()
            .any(|word| (50..=1 << 32).contains(&number(word)))
            && !line.trim_start().to_ascii_lowercase().starts_with("run")
    });
    let says = |line: &str| {
        request(
            2,
            "evaluate",
            &json!({ "expression": line, "context": "repl" }),
        )
    };
    let all = std::iter::once(launch).chain(lines.map(says));
    drop(dap::converse(Cursor::new(messages(all)), sink()));
}
