//! `xtask soak`: random steps of the debugger in both directions over whole programs, compared with plain runs.
use std::time::Instant;
use tests::steps::{Place, walk};

/// Steps of one walk; the next one has another seed.
const WALK: u64 = 5000;

pub fn run(words: &[&str]) -> Result<(), String> {
    let (mut steps, mut seed) = (1_000_000, 20_261_122);
    let mut words = words;
    while let [name, value, rest @ ..] = words {
        let value = value.parse().map_err(|_| format!("{value} is no number"))?;
        match *name {
            "--steps" => steps = value,
            "--seed" => seed = value,
            _ => return Err("usage: xtask soak [--steps N] [--seed N]".to_owned()),
        }
        words = rest;
    }
    let mut places = vec![
        Place::game("gammon", 900),
        Place::game("crazy-eights", 900),
        Place::disk(),
    ];
    if let Some(path) = tests::outside("ACID800_ATR", "the disk of the acid test") {
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        let disk = media::atr::Disk::parse(&bytes).map_err(|error| error.to_string())?;
        places.push(Place::acid(disk));
    }
    let start = Instant::now();
    let (mut done, mut walks) = (0, 0);
    let mut counts = [0; 3];
    let mut placed = 0;
    while done < steps {
        let place = &places[walks as usize % places.len()];
        let count = WALK.min(steps - done);
        let mut report = walk(place, count, seed + walks)?;
        done += count;
        walks += 1;
        for (sum, count) in counts.iter_mut().zip(report.counts) {
            *sum += count;
        }
        placed += report.placed;
        println!(
            "{:<14} seed {}: {done} of {steps} steps, {:.0} s; back: 50 % {:?}, 95 % {:?}",
            place.name,
            seed + walks - 1,
            start.elapsed().as_secs_f64(),
            report.percentile(50),
            report.percentile(95)
        );
    }
    println!(
        "{} steps forward, {} back, {} branches, {placed} compared with the moments of their kind: all equal, in {:.0} s",
        counts[0],
        counts[1],
        counts[2],
        start.elapsed().as_secs_f64()
    );
    Ok(())
}
