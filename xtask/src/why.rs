//! `xtask why`: every link of the debugger's explanations of the reference pictures is changed, and the prediction must come true.
use std::collections::BTreeMap;
use std::time::Instant;

use tests::pictures;
use tests::why::{Random, Tally, prove};

pub fn run(words: &[&str]) -> Result<(), String> {
    let oracle = tests::outside("ORACLE", "the folder with the reference pictures")
        .ok_or("ORACLE is not set")?;
    let folder = oracle.join("pictures");
    let (sample, words) = match words {
        ["--sample", count, rest @ ..] => {
            let count = count.parse().map_err(|_| format!("{count} is no number"))?;
            (Some(count), rest)
        }
        rest => (None, rest),
    };
    let mut random = Random(20_261_122);
    let mut all = Tally::default();
    let start = Instant::now();
    for picture in pictures::index(&folder) {
        if words
            .first()
            .is_some_and(|only| !picture.name.starts_with(only))
        {
            continue;
        }
        let tally = prove(&folder, &picture, sample, &mut random)?;
        let links: usize = tally.links.values().sum();
        println!(
            "{:<24} {:>6} groups {:>7} links {:>5} controls {:>4} failures",
            picture.name,
            tally.groups,
            links,
            tally.controls,
            tally.failures.len()
        );
        for failure in tally.failures.iter().take(5) {
            println!("    {failure}");
        }
        all.add(tally);
    }
    let table = |counts: &BTreeMap<&str, usize>| {
        let counts = counts.iter().map(|(kind, count)| format!("{kind} {count}"));
        counts.collect::<Vec<_>>().join(", ")
    };
    println!(
        "{} groups in {:.0} s",
        all.groups,
        start.elapsed().as_secs_f64()
    );
    println!("changed: {}", table(&all.links));
    println!("not predicted: {}", table(&all.unpredicted));
    println!("stores that were not named: {}", all.controls);
    if all.failures.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "{} links did not do what was predicted",
            all.failures.len()
        ))
    }
}
