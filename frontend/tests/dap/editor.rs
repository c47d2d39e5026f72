//! Requests of an editor and its panel: sources in other folders, changes with their results, jumps, restarts, causes with source lines.

use super::{Client, DBG, SOURCE, XEX, folder};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A project whose program is in `build` and whose source is in `src`; debug information names it as seen from the top.
fn project(name: &str) -> PathBuf {
    let folder = folder(name, &[]);
    for part in ["build", "src"] {
        std::fs::create_dir_all(folder.join(part)).unwrap();
    }
    std::fs::write(folder.join("build/hello.xex"), XEX).unwrap();
    let names = DBG.replace("hello.s\"", "src/hello.s\"");
    std::fs::write(folder.join("build/hello.dbg"), names).unwrap();
    std::fs::write(folder.join("src/hello.s"), SOURCE).unwrap();
    folder
}

fn started(folder: &Path) -> Client {
    let mut client = Client::over_streams(folder);
    client.launch(&folder.join("build/hello.xex"), true);
    client.get("configurationDone", json!({}));
    let stopped = client.event("stopped");
    assert_eq!(stopped["description"], "the program begins");
    client
}

/// Breakpoints in lines, and the program stands at the first of them.
fn to_line(client: &mut Client, source: &Path, line: u32) -> Value {
    let source = json!({ "path": source });
    let breakpoints = json!({ "source": source, "breakpoints": [{ "line": line }] });
    let set = client.get("setBreakpoints", breakpoints);
    assert_eq!(set["breakpoints"][0]["verified"], true);
    client.get("continue", json!({ "threadId": 1 }));
    client.event("stopped")
}

#[test]
fn sources_are_found_from_the_top_of_a_project() {
    let folder = project("layout");
    let mut client = started(&folder);
    let trace = client.get("stackTrace", json!({ "threadId": 1 }));
    let path = trace["stackFrames"][0]["source"]["path"].as_str().unwrap();
    assert_eq!(
        Path::new(path),
        std::fs::canonicalize(folder.join("src/hello.s")).unwrap()
    );
    // A client that does not read the file itself asks by its path.
    let text = client.get("source", json!({ "source": { "path": path } }));
    assert_eq!(
        text["content"].as_str().unwrap().trim_end(),
        std::fs::read_to_string(path).unwrap().trim_end()
    );
    let stopped = to_line(&mut client, &folder.join("src/hello.s"), 14);
    assert_eq!(stopped["description"], "breakpoint at paint (hello.s:14)");
}

#[test]
fn sources_are_found_from_roots_and_from_what_the_editor_shows() {
    let far = project("far");
    let elsewhere = folder(
        "elsewhere",
        &[("hello.xex", &XEX), ("hello.dbg", DBG.as_bytes())],
    );
    let launch = |more: Value| {
        let mut client = Client::over_streams(&elsewhere);
        client.get("initialize", json!({ "adapterID": "anticlock" }));
        let mut arguments = json!({ "program": elsewhere.join("hello.xex"), "stopOnEntry": true });
        for (name, value) in more.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        client.get("launch", arguments);
        client.get("configurationDone", json!({}));
        client.event("stopped");
        client
    };
    let path = |client: &mut Client| {
        let trace = client.get("stackTrace", json!({ "threadId": 1 }));
        trace["stackFrames"][0]["source"]["path"].clone()
    };
    let source = std::fs::canonicalize(far.join("src/hello.s")).unwrap();
    for roots in [
        json!({ "cwd": far.join("src") }),
        json!({ "workspace": [far.join("src")] }),
    ] {
        assert_eq!(path(&mut launch(roots)), json!(source));
    }
    let mut client = launch(json!({}));
    assert_eq!(path(&mut client), Value::Null);
    to_line(&mut client, &source, 15);
    assert_eq!(path(&mut client), json!(source));
}

#[test]
fn what_is_changed_is_answered_with_its_new_value() {
    let folder = project("changed");
    let mut client = started(&folder);
    let scope = |client: &mut Client, name: &str| {
        let scopes = client.get("scopes", json!({ "frameId": 0 }));
        let scopes = scopes["scopes"].as_array().unwrap().clone();
        let found = scopes.iter().find(|scope| scope["name"] == name);
        found.unwrap()["variablesReference"].clone()
    };
    let (registers, labels) = (
        scope(&mut client, "Registers"),
        scope(&mut client, "Labels"),
    );
    let mut set = |reference: &Value, name: &str, value: &str| {
        let arguments = json!({ "variablesReference": reference, "name": name, "value": value });
        client
            .ask("setVariable", arguments)
            .map(|body| body["value"].clone())
    };
    assert_eq!(set(&registers, "X", "3+4"), Ok(json!("$07")));
    assert_eq!(set(&labels, "paint", "$8C"), Ok(json!("$8C at $200B")));
    assert!(set(&labels, "paint", "256").is_err());
    let mut set = |expression: &str, value: &str| {
        let arguments = json!({ "expression": expression, "value": value });
        client
            .ask("setExpression", arguments)
            .map(|body| body["value"].clone())
    };
    assert_eq!(set("[$600+1]", "x+1"), Ok(json!("8 ($8)")));
    assert_eq!(set("y", "9"), Ok(json!("9 ($9)")));
    assert_eq!(set("PAINT", "$8E"), Ok(json!("$200B: 142 ($8E)")));
    assert!(set("no_such_label", "1").is_err());
}

#[test]
fn the_program_continues_where_it_is_told_and_goes_into_a_call() {
    let folder = project("jumps");
    let mut client = started(&folder);
    let source = folder.join("src/hello.s");
    to_line(&mut client, &source, 12);
    let targets = client.get("stepInTargets", json!({ "frameId": 0 }));
    assert_eq!(targets["targets"][0]["label"], "paint (hello.s:14)");
    let target = targets["targets"][0]["id"].clone();
    client.get("stepIn", json!({ "threadId": 1, "targetId": target }));
    client.event("stopped");
    assert_eq!(client.top(), ("paint".to_owned(), 14));
    let arguments = json!({ "source": { "path": source }, "line": 16 });
    let targets = client.get("gotoTargets", arguments);
    assert_eq!(targets["targets"][0]["line"], 16);
    let target = targets["targets"][0]["id"].clone();
    client.get("goto", json!({ "threadId": 1, "targetId": target }));
    assert_eq!(client.event("stopped")["reason"], "goto");
    assert_eq!(client.top(), ("paint+4".to_owned(), 16));
    assert!(client.ask("goto", json!({ "targetId": 70_000 })).is_err());
}

#[test]
fn a_restart_keeps_breakpoints_and_reads_the_program_again() {
    let folder = project("restart");
    let mut client = started(&folder);
    to_line(&mut client, &folder.join("src/hello.s"), 15);
    client.get("continue", json!({ "threadId": 1 }));
    client.event("stopped");
    assert_eq!(client.variable("Registers", "X")["value"], "$01");
    // The program was built again: it begins with LDX #7.
    let mut other = XEX;
    other[7] = 7;
    std::fs::write(folder.join("build/hello.xex"), other).unwrap();
    client.get("restart", json!({}));
    assert_eq!(client.event("stopped")["reason"], "entry");
    client.get("continue", json!({ "threadId": 1 }));
    let stopped = client.event("stopped");
    assert_eq!(stopped["description"], "breakpoint at paint+3 (hello.s:15)");
    assert_eq!(client.variable("Registers", "X")["value"], "$07");
}

#[test]
fn the_filter_of_display_list_interrupts_stops_at_the_routine() {
    let folder = folder("filter", &[]);
    let mut client = Client::over_streams(&folder);
    client.get("initialize", json!({ "adapterID": "anticlock" }));
    client.get(
        "launch",
        json!({ "program": "gammon", "options": ["--frames", "900"] }),
    );
    client.get("setExceptionBreakpoints", json!({ "filters": ["dli"] }));
    client.get("configurationDone", json!({}));
    let stopped = client.event("stopped");
    assert_eq!(
        stopped["description"],
        "display list interrupt in line 47: $065F"
    );
    let trace = client.get("stackTrace", json!({ "threadId": 1 }));
    // The game's BASIC lines come first.
    let frames = trace["stackFrames"].as_array().unwrap().iter();
    let mut places = frames.filter_map(|frame| frame["instructionPointerReference"].as_str());
    assert_eq!(places.next(), Some("0x065F"));
}

#[test]
fn the_panel_sees_the_picture_its_causes_and_the_moments() {
    let folder = project("panel");
    let mut client = started(&folder);
    client.get(
        "evaluate",
        json!({ "expression": "frame 3", "context": "repl" }),
    );
    client.event("stopped");
    let picture = client.get("anticlock/picture", json!({}));
    assert_eq!(
        (&picture["width"], &picture["height"]),
        (&json!(376), &json!(240))
    );
    // Base 64 takes four characters for three bytes.
    assert_eq!(picture["pixels"].as_str().unwrap().len(), 376 * 240 * 4 / 3);
    assert_eq!(picture["palette"].as_str().unwrap().len(), 256 * 4);
    let why = client.get("anticlock/why", json!({ "x": 0, "y": 100 }));
    let store = &why["stores"][0];
    assert_eq!(
        (&store["register"], &store["by"]["line"]),
        (&json!("COLBK"), &json!(14))
    );
    assert_eq!(store["by"]["name"], "paint (hello.s:14)");
    let source = store["by"]["source"]["path"].as_str().unwrap();
    assert!(source.ends_with("src/hello.s"), "{source}");
    let sentence = why["sentence"].as_str().unwrap();
    let ends = sentence.ends_with(" by line 14 of hello.s.");
    assert!(
        sentence.starts_with("This point is the border; COLBK was set to $") && ends,
        "{sentence}"
    );
    let lines = why["lines"].to_string();
    assert!(lines.contains("by paint (hello.s:14)"), "{lines}");
    assert!(
        client
            .ask("anticlock/why", json!({ "x": 376, "y": 0 }))
            .is_err()
    );
    let events = client.get("anticlock/events", json!({}));
    let writes = events["events"].as_array().unwrap().iter();
    let writes = writes.filter(|event| event["by"]["line"] == 14).count();
    assert!(writes > 100, "{writes} stores in a frame");
    let interrupts = client.get("anticlock/interrupts", json!({}));
    assert_eq!(interrupts["interrupts"], json!([]));
    // The loop of three instructions takes what the display and the VBI leave.
    let profile = client.get("anticlock/profile", json!({ "frames": 2 }));
    assert_eq!(
        (&profile["frames"], &profile["cycles"]),
        (&json!(2), &json!(2 * 262 * 114))
    );
    let lines = profile["lines"].as_array().unwrap();
    let share = |line: &Value| line["share"].as_f64().unwrap();
    let hello = lines
        .iter()
        .filter(|line| line["source"]["name"] == "hello.s");
    assert!(hello.map(share).sum::<f64>() > 0.5, "{lines:?}");
    assert!(lines.is_sorted_by(|a, b| share(a) >= share(b)), "{lines:?}");
    // Back in time, and a moment that was not recorded.
    let moment = picture["moment"].as_u64().unwrap();
    client.get("anticlock/goTo", json!({ "moment": moment - 1000 }));
    client.event("stopped");
    assert_eq!(
        client.get("anticlock/picture", json!({}))["moment"],
        moment - 1000
    );
    assert!(
        client
            .ask("anticlock/goTo", json!({ "moment": u64::MAX }))
            .is_err()
    );
}
