//! The debug adapter as a client sees it: over the standard streams and a port, with programs of ca65 and cc65 and a BASIC listing.

mod c;
#[path = "../common/mod.rs"]
mod common;
mod editor;
mod mads;
mod neovim;
mod window;

use common::Running;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The program of `debugger/tests/sources.rs` as a binary file that runs at $2000.
const XEX: [u8; 28] = [
    0xFF, 0xFF, 0x00, 0x20, 0x0F, 0x20, 0xA2, 0x00, 0x8D, 0x0A, 0xD4, 0x20, 0x0B, 0x20, 0x4C, 0x02,
    0x20, 0x8E, 0x1A, 0xD0, 0xE8, 0x60, 0xE0, 0x02, 0xE1, 0x02, 0x00, 0x20,
];

const SOURCE: &str = "; Fills the border with colours.
        .export start
        .segment \"EXEHDR\"
        .word $FFFF, start, end-1
        .segment \"CODE\"
COLBK = $D01A
.macro  wait
        sta $D40A
.endmacro
start:  ldx #0
loop:   wait
        jsr paint
        jmp loop
paint:  stx COLBK
        inx
        rts
";

/// As ld65 2.19 wrote it.
const DBG: &str = "version\tmajor=2,minor=0
file\tid=0,name=\"hello.s\",size=365,mtime=0x6B03408E,mod=0
line\tid=1,file=0,line=11,span=2
line\tid=3,file=0,line=14,span=5
line\tid=5,file=0,line=12,span=3
line\tid=6,file=0,line=16,span=7
line\tid=7,file=0,line=13,span=4
line\tid=8,file=0,line=10,span=1
line\tid=10,file=0,line=15,span=6
seg\tid=0,name=\"CODE\",start=0x002000,size=0x0010,addrsize=absolute,type=rw,oname=\"hello.xex\",ooffs=6
span\tid=1,seg=0,start=0,size=2
span\tid=2,seg=0,start=2,size=3
span\tid=3,seg=0,start=5,size=3
span\tid=4,seg=0,start=8,size=3
span\tid=5,seg=0,start=11,size=3
span\tid=6,seg=0,start=14,size=1
span\tid=7,seg=0,start=15,size=1
sym\tid=0,name=\"paint\",addrsize=absolute,size=3,scope=0,def=3,ref=5,val=0x200B,seg=0,type=lab
sym\tid=4,name=\"start\",addrsize=absolute,size=2,scope=0,def=8,ref=2,val=0x2000,seg=0,type=lab
";

const LISTING: &str = "10 DIM A$(20),B(2)
20 FOR I=1 TO 3
30 GOSUB 100
40 NEXT I
50 B(1)=I
60 GOTO 20
100 A$=\"HELLO\"
110 RETURN
";

/// A folder of this test with files in it.
fn folder(name: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("dap-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    folder
}

/// A client with its adapter.
struct Client {
    /// The adapter's process, where it is this client's own.
    child: Option<Running>,
    input: Box<dyn BufRead>,
    output: Box<dyn Write>,
    sequence: u64,
    events: Vec<Value>,
    /// The token that a launch over a port sends.
    token: String,
}

/// An adapter at a port of its choice, and its token.
fn listening(home: &Path, words: &[&str]) -> (Child, u16, String) {
    let mut command = Client::command(home);
    command.args(["--port", "0"]).args(words);
    opened(command)
}

/// A process that opens a port of its choice, with that port and its token.
fn opened(mut command: Command) -> (Child, u16, String) {
    let mut child = command
        .env_remove("ANTICLOCK_DAP_TOKEN")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut next = || lines.next().unwrap().unwrap();
    let port = next().rsplit(':').next().unwrap().parse().unwrap();
    let token = next().strip_prefix("anticlock: token ").unwrap().to_owned();
    // What it says about its clients is read, so that it never waits for us.
    std::thread::spawn(move || lines.for_each(drop));
    (child, port, token)
}

impl Client {
    fn command(home: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_anticlock"));
        command
            .arg("dap")
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .env("HOME", home)
            .env_remove("XDG_DATA_HOME");
        command
    }

    fn over_streams(home: &Path) -> Self {
        Self::of(Self::command(home))
    }

    /// A client of an adapter over its standard streams.
    fn of(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = Box::new(BufReader::new(child.stdout.take().unwrap()));
        let output = Box::new(child.stdin.take().unwrap());
        Self {
            child: Some(Running(child)),
            input,
            output,
            sequence: 0,
            events: Vec::new(),
            token: String::new(),
        }
    }

    fn over_a_port(home: &Path) -> Self {
        Self::at(listening(home, &[]))
    }

    /// A client of a process that has opened a port.
    fn at((child, port, token): (Child, u16, String)) -> Self {
        Self {
            child: Some(Running(child)),
            token,
            ..Self::to(port)
        }
    }

    /// A client of the process at a port, without a token.
    fn to(port: u16) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        Self {
            child: None,
            input: Box::new(BufReader::new(stream.try_clone().unwrap())),
            output: Box::new(stream),
            sequence: 0,
            events: Vec::new(),
            token: String::new(),
        }
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert_ne!(
                self.input.read_line(&mut line).unwrap(),
                0,
                "the adapter has ended"
            );
            if line.trim().is_empty() {
                break;
            }
            if let Some(text) = line.strip_prefix("Content-Length:") {
                length = text.trim().parse().unwrap();
            }
        }
        let mut bytes = vec![0; length];
        self.input.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    /// Asks, and waits for the answer; events on the way are kept.
    #[allow(clippy::needless_pass_by_value, reason = "json! makes a value")]
    fn ask(&mut self, command: &str, arguments: Value) -> Result<Value, String> {
        self.sequence += 1;
        let text = json!({ "seq": self.sequence, "type": "request", "command": command, "arguments": arguments }).to_string();
        write!(self.output, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.output.flush().unwrap();
        loop {
            let message = self.read();
            if message["type"] == "event" {
                self.events.push(message);
            } else {
                assert_eq!(message["request_seq"], self.sequence);
                assert_eq!(message["command"], command);
                return if message["success"] == true {
                    Ok(message["body"].clone())
                } else {
                    Err(message["message"].as_str().unwrap().to_owned())
                };
            }
        }
    }

    fn get(&mut self, command: &str, arguments: Value) -> Value {
        self.ask(command, arguments)
            .unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    /// The next event of a kind.
    fn event(&mut self, kind: &str) -> Value {
        loop {
            if let Some(at) = self.events.iter().position(|event| event["event"] == kind) {
                return self.events.remove(at)["body"].clone();
            }
            let message = self.read();
            assert_eq!(message["type"], "event");
            self.events.push(message);
        }
    }

    fn launch(&mut self, program: &Path, stop: bool) {
        let capabilities = self.get("initialize", json!({ "adapterID": "anticlock" }));
        assert_eq!(capabilities["supportsStepBack"], true);
        self.get(
            "launch",
            json!({ "program": program, "stopOnEntry": stop, "token": self.token, "window": false }),
        );
        self.event("initialized");
    }

    /// The top frame: its name and line.
    fn top(&mut self) -> (String, u64) {
        let trace = self.get("stackTrace", json!({ "threadId": 1 }));
        let frame = &trace["stackFrames"][0];
        (
            frame["name"].as_str().unwrap().to_owned(),
            frame["line"].as_u64().unwrap(),
        )
    }

    /// A step, and the line that it leads to.
    fn step(&mut self, command: &str, arguments: Value) -> u64 {
        self.get(command, arguments);
        self.event("stopped");
        self.top().1
    }

    fn variable(&mut self, scope: &str, name: &str) -> Value {
        let scopes = self.get("scopes", json!({ "frameId": 0 }));
        let scopes = scopes["scopes"].as_array().unwrap().clone();
        let scope = scopes.iter().find(|s| s["name"] == scope).unwrap();
        let reference = json!({ "variablesReference": scope["variablesReference"] });
        let variables = self.get("variables", reference);
        let variables = variables["variables"].as_array().unwrap();
        let found = variables.iter().find(|v| v["name"] == name);
        found
            .unwrap_or_else(|| panic!("{name}: {variables:?}"))
            .clone()
    }
}

#[test]
fn a_program_of_ca65_in_both_directions() {
    let folder = folder(
        "ca65",
        &[
            ("hello.xex", &XEX),
            ("hello.dbg", DBG.as_bytes()),
            ("hello.s", SOURCE.as_bytes()),
        ],
    );
    let mut client = Client::over_streams(&folder);
    client.launch(&folder.join("hello.xex"), false);
    let source = json!({ "path": folder.join("hello.s") });
    // Line 9 has no code, the next one has; X is counted up by each round.
    let set = client.get(
        "setBreakpoints",
        json!({ "source": source, "breakpoints": [{ "line": 9 }, { "line": 15, "condition": "x == 5" }, { "line": 15, "condition": "q" }] }),
    );
    assert_eq!(set["breakpoints"][0]["line"], 10);
    assert_eq!(set["breakpoints"][1]["verified"], true);
    assert_eq!(set["breakpoints"][2]["verified"], false);
    client.get("configurationDone", json!({}));
    let stopped = client.event("stopped");
    assert_eq!(stopped["reason"], "breakpoint");
    assert_eq!(
        stopped["hitBreakpointIds"],
        json!([set["breakpoints"][0]["id"]])
    );
    assert_eq!(client.top(), ("start".to_owned(), 10));
    client.get("continue", json!({ "threadId": 1 }));
    client.event("stopped");
    assert_eq!(client.top(), ("paint+3".to_owned(), 15));
    assert_eq!(client.variable("Registers", "X")["value"], "$05");
    assert_eq!(
        client.variable("Labels", "paint")["memoryReference"],
        "0x200B"
    );
    assert!(client.variable("System", "VDSLST")["value"].is_string());
    // The call is on the stack, with its source.
    let trace = client.get("stackTrace", json!({ "threadId": 1 }));
    assert_eq!(trace["stackFrames"][1]["line"], 12);
    assert_eq!(trace["stackFrames"][1]["source"]["name"], "hello.s");
    // Lines forwards and backwards.
    assert_eq!(client.step("next", json!({ "threadId": 1 })), 16);
    assert_eq!(client.step("stepBack", json!({ "threadId": 1 })), 15);
    assert_eq!(client.step("stepBack", json!({ "threadId": 1 })), 14);
    // The breakpoint is on the way out.
    assert_eq!(client.step("stepOut", json!({ "threadId": 1 })), 15);
    assert_eq!(client.step("stepOut", json!({ "threadId": 1 })), 13);
    assert_eq!(client.step("next", json!({ "threadId": 1 })), 11);
    assert_eq!(client.step("next", json!({ "threadId": 1 })), 12);
    assert_eq!(client.step("next", json!({ "threadId": 1 })), 13);
    assert_eq!(client.variable("Registers", "X")["value"], "$07");
    // Back to where X was 5, and to the beginning of the program.
    assert_eq!(client.step("reverseContinue", json!({ "threadId": 1 })), 15);
    assert_eq!(client.variable("Registers", "X")["value"], "$05");
    assert_eq!(client.step("reverseContinue", json!({ "threadId": 1 })), 10);
    // A data breakpoint on the colour register, with a condition on the value and a log.
    client.get(
        "setBreakpoints",
        json!({ "source": source, "breakpoints": [] }),
    );
    let info = client.get("dataBreakpointInfo", json!({ "name": "COLBK" }));
    assert_eq!(info["dataId"], "0xD01A-0xD01A");
    let data = json!({ "breakpoints": [{ "dataId": info["dataId"], "accessType": "write", "condition": "value == 9" }] });
    client.get("setDataBreakpoints", data);
    client.get(
        "setFunctionBreakpoints",
        json!({ "breakpoints": [{ "name": "paint", "logMessage": "x is {x}" }] }),
    );
    client.get("continue", json!({ "threadId": 1 }));
    client.event("stopped");
    assert_eq!(client.variable("Registers", "X")["value"], "$09");
    assert_eq!(client.top().1, 14);
    for x in 0..10 {
        assert_eq!(client.event("output")["output"], format!("x is {x}\n"));
    }
    // Instructions, memory, evaluation.
    let code = client.get(
        "disassemble",
        json!({ "memoryReference": "0x2005", "instructionOffset": -2, "instructionCount": 4 }),
    );
    let code = code["instructions"].as_array().unwrap();
    let texts: Vec<&str> = code
        .iter()
        .map(|i| i["instruction"].as_str().unwrap())
        .collect();
    assert_eq!(texts, ["LDX #$00", "STA WSYNC", "JSR paint", "JMP $2002"]);
    assert_eq!(code[2]["line"], 12);
    let set = client.get(
        "setInstructionBreakpoints",
        json!({ "breakpoints": [{ "instructionReference": "0x2008" }] }),
    );
    assert_eq!(set["breakpoints"][0]["verified"], true);
    assert_eq!(client.step("continue", json!({ "threadId": 1 })), 13);
    // LDX #0, the bytes A2 00, in base 64; then another operand.
    let memory = client.get(
        "readMemory",
        json!({ "memoryReference": "0x2000", "count": 2 }),
    );
    assert_eq!(memory["data"], "ogA=");
    client.get(
        "writeMemory",
        json!({ "memoryReference": "0x2000", "offset": 1, "data": "Bw==" }),
    );
    let memory = client.get(
        "readMemory",
        json!({ "memoryReference": "0x2000", "count": 2 }),
    );
    assert_eq!(memory["data"], "ogc=");
    let value = client.get(
        "evaluate",
        json!({ "expression": "x + 1", "context": "watch" }),
    );
    assert_eq!(value["result"], "11 ($B)");
    let text = client.get(
        "evaluate",
        json!({ "expression": "who COLBK", "context": "repl" }),
    );
    assert!(
        text["result"]
            .as_str()
            .unwrap()
            .contains("COLBK ($D01A) = $09"),
        "{text}"
    );
    client.get(
        "setVariable",
        json!({ "variablesReference": 1, "name": "X", "value": "$42" }),
    );
    assert_eq!(client.variable("Registers", "X")["value"], "$42");
    for (command, arguments) in [
        (
            "readMemory",
            json!({ "memoryReference": "zzz", "count": 1 }),
        ),
        ("variables", json!({ "variablesReference": 999_999 })),
        (
            "evaluate",
            json!({ "expression": "(1", "context": "watch" }),
        ),
        ("nonsense", json!({})),
    ] {
        let error = client.ask(command, arguments).unwrap_err();
        assert!(!error.is_empty() && error.len() < 200, "{command}: {error}");
    }
    client.get("disconnect", json!({}));
}

#[test]
fn a_basic_listing_is_its_own_source() {
    let folder = folder("basic", &[("loop.lst", LISTING.as_bytes())]);
    let program = folder.join("loop.lst");
    let mut client = Client::over_a_port(&folder);
    client.launch(&program, false);
    let set = client.get(
        "setBreakpoints",
        json!({ "source": { "path": program }, "breakpoints": [{ "line": 5 }] }),
    );
    assert_eq!(set["breakpoints"][0]["line"], 5);
    client.get("configurationDone", json!({}));
    client.event("stopped");
    assert_eq!(client.top(), ("line 50".to_owned(), 5));
    assert_eq!(client.variable("BASIC", "I")["value"], "4");
    assert_eq!(
        client.variable("BASIC", "A$")["value"],
        "\"HELLO\" (5 of 20)"
    );
    // Line 40 is before it, and the subroutine of line 30 is stepped over.
    assert_eq!(client.step("stepBack", json!({ "threadId": 1 })), 4);
    assert_eq!(client.step("stepBack", json!({ "threadId": 1 })), 3);
    assert_eq!(client.step("stepIn", json!({ "threadId": 1 })), 7);
    let trace = client.get("stackTrace", json!({ "threadId": 1 }));
    assert_eq!(trace["stackFrames"][0]["name"], "line 100");
    assert_eq!(trace["stackFrames"][1]["name"], "line 30");
    assert_eq!(client.step("stepOut", json!({ "threadId": 1 })), 4);
    assert_eq!(client.step("next", json!({ "threadId": 1 })), 5);
    assert_eq!(client.step("next", json!({ "threadId": 1 })), 6);
    let array = client.variable("BASIC", "B");
    let elements = client.get(
        "variables",
        json!({ "variablesReference": array["variablesReference"] }),
    );
    assert_eq!(elements["variables"][1]["value"], "4");
    // What a variable is set by, as data.
    let info = client.get(
        "dataBreakpointInfo",
        json!({ "name": "A$", "variablesReference": 8 }),
    );
    client.get(
        "setBreakpoints",
        json!({ "source": { "path": program }, "breakpoints": [] }),
    );
    let data = json!({ "breakpoints": [{ "dataId": info["dataId"], "accessType": "write" }] });
    client.get("setDataBreakpoints", data);
    assert_eq!(client.step("continue", json!({ "threadId": 1 })), 7);
    // A running program can be paused.
    client.get("setDataBreakpoints", json!({ "breakpoints": [] }));
    client.get("continue", json!({ "threadId": 1 }));
    client.get("pause", json!({ "threadId": 1 }));
    assert_eq!(client.event("stopped")["reason"], "pause");
    client.get("disconnect", json!({}));
}

#[test]
fn a_basic_program_stops_at_its_first_line() {
    let folder = folder("first", &[("once.lst", b"10 A=1\n20 A=2\n30 END\n")]);
    let program = folder.join("once.lst");
    for on_entry in [true, false] {
        let mut client = Client::over_streams(&folder);
        client.launch(&program, on_entry);
        let line = json!({ "line": 1 });
        let breakpoints = if on_entry { json!([]) } else { json!([line]) };
        client.get(
            "setBreakpoints",
            json!({ "source": { "path": program }, "breakpoints": breakpoints }),
        );
        client.get("configurationDone", json!({}));
        client.event("stopped");
        assert_eq!(client.top(), ("line 10".to_owned(), 1));
        assert_eq!(client.variable("BASIC", "A")["value"], "0");
        assert_eq!(client.step("next", json!({ "threadId": 1 })), 2);
        assert_eq!(client.variable("BASIC", "A")["value"], "1");
        assert_eq!(client.step("stepBack", json!({ "threadId": 1 })), 1);
        client.get("disconnect", json!({}));
    }
}

#[test]
fn a_program_that_is_not_there_is_one_sentence() {
    let folder = folder("wrong", &[]);
    let mut client = Client::over_streams(&folder);
    client.get("initialize", json!({}));
    for arguments in [
        json!({}),
        json!({ "program": "/nowhere/x.xex" }),
        json!({ "program": "gammon", "options": ["--machine", "vic20"] }),
    ] {
        let error = client.ask("launch", arguments).unwrap_err();
        assert!(!error.contains('\n') && error.len() < 300, "{error}");
    }
    let error = client.ask("next", json!({ "threadId": 1 })).unwrap_err();
    assert_eq!(error, "no program was launched");
    client.get("disconnect", json!({}));
}

/// A connection to an adapter at a port: all that it answers to some bytes, until it ends the connection.
fn answer(port: u16, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    // It may end the connection before all is sent.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8(answer).unwrap()
}

fn message(request: &Value) -> Vec<u8> {
    let text = request.to_string();
    format!("Content-Length: {}\r\n\r\n{text}", text.len()).into_bytes()
}

fn launch(arguments: &Value) -> Vec<u8> {
    message(&json!({ "seq": 1, "type": "request", "command": "launch", "arguments": arguments }))
}

/// The case of this name: a request of a page in a browser is not a message, and does nothing.
#[test]
fn dap_csrf() {
    let folder = folder("csrf", &[("x.lst", b"10 LPRINT \"HELLO\"\n")]);
    let printed = folder.join("printed");
    let _ = std::fs::remove_file(&printed);
    let (mut child, port, token) = listening(&folder, &[]);
    // A client that says nothing keeps no other client waiting.
    let silent = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let arguments = json!({
        "program": folder.join("x.lst"),
        "options": ["--printer", printed, "--frames", "1500"],
        "token": token,
    });
    let body = launch(&arguments);
    let post = format!(
        "POST / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    assert_eq!(answer(port, &[post.as_bytes(), &body].concat()), "");
    assert_eq!(answer(port, &b"x".repeat(1 << 20)), "");
    assert_eq!(answer(port, b"Content-Length: 99999999\r\n\r\n"), "");
    // Without the token, and with it: the client does not choose the files that are written.
    let mut stranger = arguments.clone();
    stranger["token"] = json!("0123456789abcdef0123456789abcdef");
    let refused = answer(port, &launch(&stranger));
    assert!(
        refused.contains("\"success\":false") && refused.contains("token"),
        "{refused}"
    );
    let evaluate = json!({ "seq": 1, "type": "request", "command": "evaluate", "arguments": { "token": token } });
    assert!(answer(port, &message(&evaluate)).contains("\"success\":false"));
    let leave = message(&json!({ "seq": 2, "type": "request", "command": "disconnect" }));
    let named = answer(port, &[body, leave].concat());
    assert!(
        named.contains("--printer belongs on the command line"),
        "{named}"
    );
    assert!(!printed.exists());
    drop(silent);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn what_programs_write_is_named_on_the_command_line_of_the_adapter() {
    let folder = folder(
        "writes",
        &[("x.lst", b"10 LPRINT \"HELLO\"\n20 POKE 1536,1\n")],
    );
    let mut client = Client::over_streams(&folder);
    client.get("initialize", json!({}));
    for options in [
        json!(["--host", folder]),
        json!(["--host", folder, "--host-write"]),
        json!(["--printer", folder.join("p")]),
        json!(["--tape", folder.join("new.cas")]),
        json!(["--ram", folder.join("ram.bin")]),
    ] {
        let arguments = json!({ "program": folder.join("x.lst"), "options": options });
        let error = client.ask("launch", arguments).unwrap_err();
        assert!(
            error.contains("belongs on the command line of anticlock dap"),
            "{error}"
        );
        // The program's own name does not lead around it.
        let words = options.as_array().unwrap();
        let program = format!(
            "{}={}",
            words[0].as_str().unwrap(),
            words[1].as_str().unwrap()
        );
        let arguments = json!({ "program": program, "options": ["gammon"] });
        client.ask("launch", arguments).unwrap_err();
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
}

/// Many steps take no longer than an editor can wait for, and a pause ends them.
#[test]
fn a_long_command_can_be_paused() {
    let folder = folder("long", &[("x.lst", b"10 GOTO 10\n")]);
    let mut client = Client::over_streams(&folder);
    client.launch(&folder.join("x.lst"), true);
    let command = |text: &str| json!({ "expression": text, "context": "repl" });
    let error = client.ask("evaluate", command("over 18446744073709551615"));
    assert!(error.unwrap_err().contains("too many"));
    // Both are sent before either is answered.
    let run = json!({ "seq": 90, "type": "request", "command": "evaluate", "arguments": command("run 1000000") });
    let pause =
        json!({ "seq": 91, "type": "request", "command": "pause", "arguments": { "threadId": 1 } });
    for request in [run, pause] {
        client.output.write_all(&message(&request)).unwrap();
        client.output.flush().unwrap();
    }
    let mut answers = Vec::new();
    while answers.len() < 2 {
        let message = client.read();
        if message["type"] == "response" {
            answers.push(message);
        }
    }
    assert!(
        answers[0]["body"]["result"]
            .as_str()
            .unwrap()
            .contains("interrupted"),
        "{answers:?}"
    );
    assert_eq!(answers[1]["request_seq"], 91);
    client.sequence = 91;
    client.get("disconnect", json!({}));
}
