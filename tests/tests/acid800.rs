//! The Acid800 disk on our OS, by real serial transfers, on every model and television system.
use std::fmt::Write;
use std::sync::Mutex;

use machine::{Model, Named, Tv};
use tests::acid800::{self, Verdict};

/// Runs all machines on all host processors, writes the results as a table below the target folder, and asserts that every test
/// passes that applies to the model.
#[test]
fn every_test_of_acid800_passes_that_can_pass_on_the_model() {
    let Some(path) = tests::outside(
        "ACID800_ATR",
        "the Acid800 V1.2 disk image (virtualdub.org, Altirra's page)",
    ) else {
        return;
    };
    let disk = media::atr::Disk::parse(&std::fs::read(path).unwrap()).unwrap();
    let machines: Vec<(Model, Tv)> = [Model::Xl800, Model::Xe130, Model::Atari800]
        .into_iter()
        .flat_map(|m| [(m, Tv::Ntsc), (m, Tv::Pal)])
        .collect();
    let work = Mutex::new(machines.iter().copied().enumerate().collect::<Vec<_>>());
    let results = Mutex::new(vec![Err(String::new()); machines.len()]);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let Some((i, (model, tv))) = work.lock().unwrap().pop() else {
                        break;
                    };
                    // An 800 has no BASIC cartridge in its slot while the disk boots.
                    let config = tests::config(model, tv, model.is_xl());
                    let result = acid800::run(&config, &disk, acid800::TESTS);
                    results.lock().unwrap()[i] = result;
                }
            });
        }
    });
    let results = results.into_inner().unwrap();
    let mut table = String::from("test");
    for (model, tv) in &machines {
        write!(table, "\t{} {tv:?}", model.name()).unwrap();
    }
    table.push('\n');
    let mut failures = String::new();
    let titles: Vec<String> = results
        .iter()
        .flatten()
        .next()
        .map_or(Vec::new(), |o| o.iter().map(|o| o.title.clone()).collect());
    for (n, title) in titles.iter().enumerate() {
        table.push_str(title);
        for ((model, tv), outcomes) in machines.iter().zip(&results) {
            let word = match outcomes.as_ref().ok().and_then(|o| o.get(n)) {
                Some(o) if o.verdict == Verdict::Pass => "pass",
                Some(o) if o.verdict == Verdict::Skip => "skip",
                // The test looks at the size of memory only, and finds 48K enough for banks that an 800 does not have.
                Some(o) if !model.is_xl() && o.title == "MMU: XL banking" => "n/a",
                Some(o) => {
                    writeln!(
                        failures,
                        "{} {tv:?}: {}: {}",
                        model.name(),
                        o.title,
                        o.detail
                    )
                    .unwrap();
                    "FAIL"
                }
                None => "-",
            };
            write!(table, "\t{word}").unwrap();
        }
        table.push('\n');
    }
    for ((model, tv), result) in machines.iter().zip(&results) {
        if let Err(message) = result {
            writeln!(failures, "{} {tv:?}: {message}", model.name()).unwrap();
        }
    }
    tests::write_result("acid800.tsv", &table);
    assert!(failures.is_empty(), "{failures}");
    for ((model, _), outcomes) in machines.iter().zip(results.iter().flatten()) {
        for o in outcomes.iter().filter(|o| o.verdict == Verdict::Skip) {
            assert!(
                o.title.contains("65C816"),
                "{}: {} was skipped: {}",
                model.name(),
                o.title,
                o.detail
            );
        }
    }
}
