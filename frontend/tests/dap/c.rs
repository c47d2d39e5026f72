//! A program of cc65 as a client sees it: frames by functions, variables by their names, with and without the optimiser.

use super::{Client, folder};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = include_str!("vars.c");

/// The program, built; `None` without cc65.
fn built(name: &str, options: &[&str]) -> Option<PathBuf> {
    let folder = folder(name, &[("vars.c", SOURCE.as_bytes())]);
    let output = Command::new("cl65")
        .args(["-t", "atari", "-g", "-Wl", "--dbgfile,vars.dbg"])
        .args(options)
        .args(["-o", "vars.xex", "vars.c"])
        .current_dir(&folder)
        .output();
    let Ok(output) = output else {
        eprintln!("skipped: this test needs cl65");
        return None;
    };
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    Some(folder)
}

/// Breakpoints in these lines, and the program stands at the first that it comes to.
fn to_lines(client: &mut Client, folder: &Path, lines: &[(u32, &str)]) {
    let line = |(line, condition): &(u32, &str)| json!({ "line": line, "condition": condition });
    let breakpoints: Vec<Value> = lines.iter().map(line).collect();
    let source = json!({ "path": folder.join("vars.c") });
    let set = client.get(
        "setBreakpoints",
        json!({ "source": source, "breakpoints": breakpoints }),
    );
    for answer in set["breakpoints"].as_array().unwrap() {
        assert_eq!(answer["verified"], true, "{answer}");
    }
    client.get("continue", json!({ "threadId": 1 }));
    client.event("stopped");
}

/// The reference of a scope of a frame.
fn scope(client: &mut Client, frame: u64, name: &str) -> u64 {
    let scopes = client.get("scopes", json!({ "frameId": frame }));
    let mut scopes = scopes["scopes"].as_array().unwrap().iter();
    let scope = scopes.find(|scope| scope["name"] == name);
    scope.unwrap_or_else(|| panic!("{name}"))["variablesReference"]
        .as_u64()
        .unwrap()
}

/// `name = value` for all that is in a scope or variable.
fn values(client: &mut Client, reference: u64) -> Vec<String> {
    let all = client.get("variables", json!({ "variablesReference": reference }));
    let all = all["variables"].as_array().unwrap().iter();
    let text = |v: &Value| {
        format!(
            "{} = {}",
            v["name"].as_str().unwrap(),
            v["value"].as_str().unwrap()
        )
    };
    all.map(text).collect()
}

fn frames(client: &mut Client) -> Vec<String> {
    let trace = client.get("stackTrace", json!({ "threadId": 1 }));
    let frames = trace["stackFrames"].as_array().unwrap().iter();
    let name = |frame: &Value| frame["name"].as_str().unwrap().to_owned();
    frames
        .map(|frame| name(frame).split('+').next().unwrap().to_owned())
        .collect()
}

fn hover(client: &mut Client, text: &str) -> String {
    let arguments = json!({ "expression": text, "frameId": 0, "context": "hover" });
    let shown = client.get("evaluate", arguments);
    shown["result"].as_str().unwrap().to_owned()
}

fn variables_have_names(name: &str, options: &[&str]) {
    let Some(folder) = built(name, options) else {
        return;
    };
    let mut client = Client::over_streams(&folder);
    client.launch(&folder.join("vars.xex"), true);
    client.get("configurationDone", json!({}));
    client.event("stopped");
    // The second call: `calls` has been counted, `p` is main's.
    to_lines(&mut client, &folder, &[(34, "a == 2")]);
    assert_eq!(frames(&mut client)[..2], ["mix", "main"]);
    let locals = scope(&mut client, 0, "Locals");
    let mut shown = values(&mut client, locals);
    let pointer = shown.remove(3);
    assert!(pointer.starts_with("where = $"), "{pointer}");
    assert_eq!(
        shown,
        [
            "a = 2",
            "c = 3",
            "l = 70000",
            "sum = 5",
            "letters = {65, 3, 0, 0}",
            "calls = 2"
        ]
    );
    // Those of the caller.
    let callers = scope(&mut client, 1, "Locals");
    let shown = values(&mut client, callers);
    assert_eq!(
        shown[..3],
        [
            "i = 2".to_owned(),
            format!("result = {RESULT}"),
            "p = 7".to_owned()
        ]
    );
    let globals = scope(&mut client, 0, "Globals");
    let shown = values(&mut client, globals);
    let counts = format!("counts = {{{}, 0, 0}}", RESULT as u16);
    for wanted in ["big = 100000".to_owned(), counts] {
        assert!(shown.contains(&wanted), "{wanted}: {shown:?}");
    }
    let text = shown.iter().find(|text| text.starts_with("text = "));
    assert!(text.unwrap().ends_with("\"hello\""), "{text:?}");
    assert_eq!(hover(&mut client, "where->wide"), "70000");
    assert_eq!(hover(&mut client, "letters[1]"), "3");
    assert_eq!(
        hover(&mut client, "*where"),
        "{x = 5, tag = 84 'T', wide = 70000}"
    );
    // A pointer opens, and its target.
    let inside = client.get("variables", json!({ "variablesReference": locals }));
    let reference = inside["variables"][3]["variablesReference"]
        .as_u64()
        .unwrap();
    let target = client.get("variables", json!({ "variablesReference": reference }));
    let target = &target["variables"][0];
    assert_eq!(target["evaluateName"], "*where");
    let fields = target["variablesReference"].as_u64().unwrap();
    assert_eq!(
        values(&mut client, fields),
        ["x = 5", "tag = 84 'T'", "wide = 70000"]
    );
    let set = |client: &mut Client, reference: u64, name: &str, value: &str| {
        let arguments = json!({ "variablesReference": reference, "name": name, "value": value });
        client.ask("setVariable", arguments)
    };
    assert_eq!(
        set(&mut client, fields, "x", "-300").unwrap()["value"],
        "-300"
    );
    assert_eq!(hover(&mut client, "where->x"), "-300");
    assert_eq!(
        set(&mut client, callers, "p", "65").unwrap()["value"],
        "65 'A'"
    );
    assert_eq!(set(&mut client, locals, "sum", "6").unwrap()["value"], "6");
    let refused = set(&mut client, locals, "c", "300").unwrap_err();
    assert_eq!(refused, "c: 300 does not fit into 1 bytes");
    // `mark` is called with what was set: sum + 2 * a; by its name, with its parameter in a register.
    let function = json!({ "breakpoints": [{ "name": "mark", "condition": "p == 10" }] });
    let set = client.get("setFunctionBreakpoints", function);
    assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
    to_lines(&mut client, &folder, &[]);
    assert_eq!(frames(&mut client)[..3], ["mark", "mix", "main"]);
    assert_eq!(hover(&mut client, "p"), "10");
    // Out of functions by their return.
    for wanted in ["mix", "main"] {
        client.get("stepOut", json!({ "threadId": 1 }));
        client.event("stopped");
        assert_eq!(frames(&mut client)[0], wanted);
    }
    client.get("disconnect", json!({}));
}

/// The value of `mix (1, 3, 70000, &here)` as an int: sum is 4 and then 6; 70006 + 6 and 6 again.
const RESULT: i16 = (6 + 6 + 70006 - 65536) as i16;

#[test]
fn variables_of_cc65_have_names() {
    variables_have_names("cc65", &[]);
}

#[test]
fn variables_of_optimised_cc65_have_names() {
    variables_have_names("cc65-optimised", &["-Oirs"]);
}

/// At every line of the program the arguments that do not change in a call are those it was called with.
fn values_hold(name: &str, options: &[&str]) {
    let Some(folder) = built(name, options) else {
        return;
    };
    let commands = folder.join("commands.txt");
    let mut text = "break main once\nrun\n".to_owned();
    // Fewer than the program has: at its end no step ends.
    for _ in 0..120 {
        text.push_str("step\nlocals\n");
    }
    std::fs::write(&commands, text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_anticlock"))
        .args(["debug", "--fresh", "vars.xex", "--commands"])
        .arg(&commands)
        .env("HOME", &folder)
        .env_remove("XDG_DATA_HOME")
        .current_dir(&folder)
        .output()
        .unwrap();
    let output = String::from_utf8_lossy(&output.stdout);
    let mut stops: Vec<(String, Vec<(String, String)>)> = Vec::new();
    for line in output.lines() {
        if let Some(function) = line.strip_prefix("in ") {
            stops.push((function.to_owned(), Vec::new()));
        } else if let (Some((name, value)), Some((_, locals))) =
            (line.split_once(" = "), stops.last_mut())
        {
            locals.push((name.to_owned(), value.to_owned()));
        }
    }
    let mut found = [0; 4];
    for (function, locals) in &stops {
        let is = |name: &str| {
            let mut locals = locals.iter();
            locals
                .find(|(known, _)| known == name)
                .map(|(_, v)| v.as_str())
        };
        match function.as_str() {
            "mix" => {
                found[0] += 1;
                assert_eq!((is("c"), is("l")), (Some("3"), Some("70000")), "{locals:?}");
                assert!(matches!(is("a"), Some("1" | "2" | "3")), "{locals:?}");
            }
            "mix2" => {
                found[1] += 1;
                // l + sum and sum.
                let numbers = [is("d"), is("n")].map(|text| text.unwrap().parse().unwrap_or(-1i64));
                assert_eq!(numbers[0] - numbers[1], 70000, "{locals:?}");
            }
            "mark" => {
                found[2] += 1;
                // From main 7, from mix sum: 3 a + 3.
                let p = is("p").unwrap().split(' ').next().unwrap();
                assert!(matches!(p, "7" | "6" | "9" | "12"), "{locals:?}");
            }
            _ => found[3] += 1,
        }
    }
    assert!(found.iter().all(|count| *count > 3), "{found:?}");
}

#[test]
fn values_hold_at_every_line() {
    values_hold("cc65-lines", &[]);
}

#[test]
fn values_hold_at_every_line_of_optimised_code() {
    values_hold("cc65-lines-optimised", &["-Oirs"]);
}
