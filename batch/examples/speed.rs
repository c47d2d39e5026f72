//! Frames a second of a batch on one thread and on two, and the times of a reset, a copy and a fork: `cargo run --release -p batch --example speed`.
use batch::{Batch, BatchError, Options, Output, Task, View};
use machine::Input;
use std::time::Instant;

const MACHINES: usize = 16;
const STEPS: u32 = 200;
const COPIES: u32 = 2000;

fn main() -> Result<(), BatchError> {
    let task = Task::named("crazy-eights")?.unwrap_or_default();
    let start = task.prepare(None, None, 0)?;
    for (name, view, threads) in [
        ("84x84x4, one thread", View::Grey84, 1),
        ("84x84x4, two threads", View::Grey84, 2),
        ("text, one thread", View::Text, 1),
    ] {
        let options = Options {
            view,
            max_pool: view.can_pool(),
            stack: 4,
            threads,
            ..Options::default()
        };
        let mut batch = Batch::new(&task, &start, MACHINES, options)?;
        let mut observations = vec![0; batch.observation_bytes()];
        batch.reset(&[1; MACHINES], &mut observations)?;
        let mut rewards = [0.0; MACHINES];
        let (mut terminated, mut truncated) = ([false; MACHINES], [false; MACHINES]);
        let begun = Instant::now();
        for _ in 0..STEPS {
            let output = Output {
                observations: &mut observations,
                rewards: &mut rewards,
                terminated: &mut terminated,
                truncated: &mut truncated,
            };
            batch.step(&[Input::default(); MACHINES], output)?;
        }
        let frames = f64::from(4 * STEPS) * MACHINES as f64;
        let rate = frames / begun.elapsed().as_secs_f64();
        println!("{name:<24} {rate:>8.0} frames/s");
        if threads == 1 {
            let one = observations.len() / MACHINES;
            let each = |name: &str, begun: Instant| {
                let time = begun.elapsed() / COPIES;
                println!("{name:<24} {:>8.1} us", time.as_secs_f64() * 1e6);
            };
            let begun = Instant::now();
            for _ in 0..COPIES {
                batch.reset_one(0, Some(1), &mut observations[..one])?;
            }
            each("  a reset", begun);
            let begun = Instant::now();
            for _ in 0..COPIES {
                batch.fork(0, 1)?;
            }
            each("  a fork", begun);
        }
    }
    Ok(())
}
