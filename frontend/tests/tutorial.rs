//! `docs/stepping-a-dli.md`, word for word: every command in it gives what the page says, and every address that its text names is in
//! an answer. After a change of the game, `TUTORIAL=write` puts the new answers into the page; its text is then to be read again.

use std::path::PathBuf;
use std::process::Command;

/// A number that no answer of the page contains, between two answers.
const BETWEEN: &str = "print 424242";
const SHOWN: &str = "424242 $67932";

#[test]
fn the_page_about_interrupts_is_what_the_debugger_says() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let path = root.join("docs/stepping-a-dli.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let mut asked: Vec<(String, Vec<&str>)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match line {
            "```text" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => match line.strip_prefix("> ") {
                Some(command) => asked.push((command.to_owned(), Vec::new())),
                None => asked.last_mut().unwrap().1.push(line),
            },
        }
    }
    assert!(asked.len() > 15, "the page has {} commands", asked.len());
    let commands: Vec<String> = asked
        .iter()
        .map(|(command, _)| format!("{command}\n{BETWEEN}\n"))
        .collect();
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tutorial.txt");
    std::fs::write(&file, commands.concat()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_anticlock"))
        .args([
            "debug",
            "gammon",
            "--frames",
            "900",
            "--fresh",
            "--commands",
        ])
        .arg(&file)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<&str> = text.split(&format!("{SHOWN}\n")).collect();
    if std::env::var("TUTORIAL").is_ok_and(|wish| wish == "write") {
        std::fs::write(&path, written(&page, &answers)).unwrap();
        return;
    }
    for ((command, expected), answer) in asked.iter().zip(&answers) {
        let answer: Vec<&str> = answer.lines().collect();
        assert_eq!(&answer, expected, "{command}");
    }
    // Addresses in the text.
    let mut boxed = false;
    for line in page.lines() {
        boxed ^= line.starts_with("```");
        let addresses = line.split('$').skip(1).filter(|_| !boxed);
        for address in addresses.filter_map(|rest| rest.get(..4)) {
            assert!(
                text.contains(address) || commands.concat().contains(address),
                "${address} is in no answer"
            );
        }
    }
}

/// The page with these answers.
fn written(page: &str, answers: &[&str]) -> String {
    let mut answers = answers.iter();
    let mut inside = false;
    let mut text = String::new();
    for line in page.lines() {
        match line {
            "```text" => inside = true,
            "```" => inside = false,
            _ if inside && !line.starts_with("> ") => continue,
            _ => {}
        }
        text.push_str(line);
        text.push('\n');
        if inside && line.starts_with("> ") {
            text.push_str(answers.next().unwrap());
        }
    }
    text
}
