//! Runs single behaviour cases with any OS and BASIC image and shows what differs.
use std::path::PathBuf;

use tests::behaviour;

const USAGE: &str = "usage: xtask behaviour [--os FILE] [--basic FILE] [CASE...]   (ORACLE names the folder of the cases)";

pub fn run(words: &[&str]) -> Result<(), String> {
    let mut config = tests::config(machine::Model::Xl800, machine::Tv::Ntsc, true);
    let mut names = Vec::new();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let mut file = || {
            let path = words.next().ok_or(USAGE)?;
            std::fs::read(path).map_err(|e| format!("{path}: {e}"))
        };
        match word {
            "--os" => config.os = file()?.into(),
            "--basic" => config.basic = Some(file()?.into()),
            _ if word.starts_with('-') => return Err(USAGE.into()),
            _ => names.push(word),
        }
    }
    let folder = std::env::var_os("ORACLE")
        .map(PathBuf::from)
        .ok_or("ORACLE is not set")?
        .join("basic");
    let (mut passed, mut failed) = (0, Vec::new());
    for case in behaviour::cases(&folder)? {
        if !names.is_empty() && !names.iter().any(|n| case.name.starts_with(n)) {
            continue;
        }
        let path = folder.join(format!("{}.txt", case.name));
        let wanted =
            std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        match behaviour::run(&folder, &case, &config) {
            Ok(got) if behaviour::agrees(&case, &wanted, &got) => {
                passed += 1;
                println!("pass  {}", case.name);
            }
            Ok(got) => {
                println!("FAIL  {} ({}) {}", case.name, case.topic, case.notes);
                for (want, got) in pad(&wanted, &got) {
                    println!("  {} {want:<44} {got}", if want == got { ' ' } else { '*' });
                }
                failed.push(case.name);
            }
            Err(message) => {
                println!("FAIL  {} ({}): {message}", case.name, case.topic);
                failed.push(case.name);
            }
        }
    }
    println!("{passed} pass, {} fail: {}", failed.len(), failed.join(" "));
    Ok(())
}

fn pad<'a>(a: &'a str, b: &'a str) -> Vec<(&'a str, &'a str)> {
    let (a, b): (Vec<_>, Vec<_>) = (a.lines().collect(), b.lines().collect());
    (0..a.len().max(b.len()))
        .map(|i| {
            (
                a.get(i).copied().unwrap_or(""),
                b.get(i).copied().unwrap_or(""),
            )
        })
        .collect()
}
