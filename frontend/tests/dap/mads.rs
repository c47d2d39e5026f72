//! A program of MADS as a client sees it: macros and repetitions belong to the lines that call them.

use super::{Client, folder};
use serde_json::json;
use std::process::Command;

const SOURCE: &str = "        org $2000
colour  equ $D01A
.macro  paint value
        lda #:value
        sta colour
.endm
start   paint 4
        .rept 2
        inc $80
        .endr
        paint 8
loop    jmp loop
        run start
";

#[test]
fn macros_of_mads_belong_to_the_lines_that_call_them() {
    let folder = folder("mads", &[("bands.asm", SOURCE.as_bytes())]);
    let output = Command::new("mads")
        .args(["bands.asm", "-o:bands.xex", "-l:bands.lst", "-t:bands.lab"])
        .current_dir(&folder)
        .output();
    let Ok(output) = output else {
        eprintln!("skipped: this test needs mads");
        return;
    };
    assert!(output.status.success(), "{output:?}");
    let mut client = Client::over_streams(&folder);
    client.launch(&folder.join("bands.xex"), true);
    let lines = [7, 11].map(|line| json!({ "line": line }));
    let source = json!({ "path": folder.join("bands.asm") });
    let set = client.get(
        "setBreakpoints",
        json!({ "source": source, "breakpoints": lines }),
    );
    for (answer, line) in set["breakpoints"].as_array().unwrap().iter().zip([7, 11]) {
        assert_eq!(
            (&answer["verified"], &answer["line"]),
            (&json!(true), &json!(line))
        );
    }
    client.get("configurationDone", json!({}));
    client.event("stopped");
    // To the entry, which is the first line with code.
    assert_eq!(client.top().1, 7);
    assert_eq!(client.step("next", json!({ "threadId": 1 })), 9);
    client.get("continue", json!({ "threadId": 1 }));
    client.event("stopped");
    assert_eq!(client.top().1, 11);
    assert_eq!(client.step("next", json!({ "threadId": 1 })), 12);
    assert_eq!(client.step("stepBack", json!({ "threadId": 1 })), 11);
    client.get("disconnect", json!({}));
}
