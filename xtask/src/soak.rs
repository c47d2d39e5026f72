//! `xtask soak`: random steps of the debugger in both directions over whole programs, compared with plain runs.
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use tests::steps::{Place, Report, walk};

/// Steps of one walk; the next one has another seed.
const WALK: u64 = 5000;

pub fn run(words: &[&str]) -> Result<(), String> {
    let (mut steps, mut seed) = (1_000_000u64, 20_261_122);
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
    let places = places()?;
    let start = Instant::now();
    let total = walk_all(&places, steps, seed, start)?;
    println!(
        "{} steps forward, {} back, {} branches, {} compared with the moments of their kind: all equal, in {:.0} s",
        total.counts[0],
        total.counts[1],
        total.counts[2],
        total.placed,
        start.elapsed().as_secs_f64()
    );
    Ok(())
}

/// The programs that are walked over.
fn places() -> Result<Vec<Place>, String> {
    let mut places = vec![
        Place::game("gammon", 900),
        Place::game("crazy-eights", 900),
        Place::game("hexapawn", 900),
        Place::reads(),
        Place::writes(),
    ];
    if let Some(path) = tests::outside("ACID800_ATR", "the disk of the acid test") {
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        let disk = media::atr::Disk::parse(&bytes).map_err(|error| error.to_string())?;
        places.push(Place::acid(disk));
    }
    Ok(places)
}

/// Walks on all processors of the computer until the steps are done or one of them is wrong.
fn walk_all(places: &[Place], steps: u64, seed: u64, start: Instant) -> Result<Total, String> {
    let walks = steps.div_ceil(WALK);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicU64::new(0);
    let total = Mutex::new(Total::default());
    let failure = Mutex::new(None);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= walks {
                return;
            }
            let place = &places[number as usize % places.len()];
            let count = WALK.min(steps - number * WALK);
            match walk(place, count, seed + number) {
                Ok(report) => {
                    let mut total = total.lock().expect("no walk panicked");
                    total.add(count, &report);
                    let seconds = start.elapsed().as_secs_f64();
                    println!(
                        "{:<14} seed {}: {} of {steps} steps, {seconds:.0} s",
                        place.name,
                        seed + number,
                        total.steps
                    );
                }
                Err(error) => {
                    next.store(walks, Ordering::Relaxed);
                    *failure.lock().expect("no walk panicked") = Some(error);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    match failure.into_inner().expect("no walk panicked") {
        Some(error) => Err(error),
        None => Ok(total.into_inner().expect("no walk panicked")),
    }
}

/// The result of all walks so far.
#[derive(Default)]
struct Total {
    steps: u64,
    counts: [u64; 3],
    placed: u64,
}

impl Total {
    fn add(&mut self, steps: u64, report: &Report) {
        self.steps += steps;
        for (sum, count) in self.counts.iter_mut().zip(report.counts) {
            *sum += count;
        }
        self.placed += report.placed;
    }
}
