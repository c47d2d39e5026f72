//! The behaviour cases of the OS and BASIC, run through `ORACLE`.
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use machine::{Model, Tv};
use tests::behaviour;

/// Runs all cases on all host processors and writes a table of the results below the target folder.
#[test]
fn every_case_leaves_the_screen_it_must() {
    let Some(oracle) = tests::outside("ORACLE", "the folder with the behaviour cases") else {
        return;
    };
    let folder = oracle.join("basic");
    let cases = behaviour::cases(&folder).unwrap();
    let config = tests::config(Model::Xl800, Tv::Ntsc, true);
    let next = AtomicUsize::new(0);
    let results = Mutex::new(vec![None; cases.len()]);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((i, case)) = {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    cases.get(i).map(|c| (i, c))
                } {
                    let wanted =
                        std::fs::read_to_string(folder.join(format!("{}.txt", case.name))).unwrap();
                    let got = behaviour::run(&folder, case, &config);
                    let failure = match got {
                        Ok(got) if behaviour::agrees(case, &wanted, &got) => None,
                        Ok(got) => Some(format!("wanted\n{wanted}got\n{got}")),
                        Err(message) => Some(message),
                    };
                    results.lock().unwrap()[i] = Some(failure);
                }
            });
        }
    });
    let results = results.into_inner().unwrap();
    let mut table = String::new();
    let mut failures = String::new();
    for (case, result) in cases.iter().zip(&results) {
        let passed = matches!(result, Some(None));
        writeln!(
            table,
            "{}\t{}\t{}",
            case.name,
            case.topic,
            if passed { "pass" } else { "FAIL" }
        )
        .unwrap();
        if let Some(Some(text)) = result {
            writeln!(
                failures,
                "=== {} ({}): {}\n{text}",
                case.name, case.topic, case.notes
            )
            .unwrap();
        }
    }
    let failed = results.iter().filter(|r| !matches!(r, Some(None))).count();
    tests::write_result("basic-oracle.tsv", &table);
    assert!(
        failed == 0,
        "{failed} of {} cases fail\n{failures}",
        cases.len()
    );
}
