//! Fuzzing on stable Rust: inputs by chance from a seed, for an hour by `cargo xtask fuzz` and for two minutes by the tests.
//!
//! Each target runs in a process of its own, which keeps the input that it reads in a file: whatever happens to the process, the file
//! is there. An input may cost 64 MB and eight times its length of memory, and a second of CPU time a MB beside two; a text that is four times
//! as long takes no more than eight times as long.

mod budget;
mod dap;
mod mutate;
mod sums;
mod targets;

use budget::Cost;
use fastrand::Rng;
use std::fs;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use targets::{TARGETS, Target};

/// An input that takes longer than this, by the clock on the wall, will not end.
const HANGS: u64 = 120;
/// A process that takes more memory than this is ended.
const TOO_MUCH: usize = 2 << 30;
/// Bytes of the shorter text when the growth of the time is measured.
const SHORT: usize = 64 << 10;
/// CPU time that is not worth a look.
const NOTHING: Duration = Duration::from_millis(30);

const USAGE: &str = "usage: fuzz [--target NAME] [--minutes N | --seconds N] [--seed N] [--keep FOLDER] | fuzz --run NAME FILE | fuzz --list";

struct Options {
    target: Option<String>,
    seconds: u64,
    seed: u64,
    /// The folder for inputs that fail.
    keep: PathBuf,
    child: bool,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["--list"] => {
            for target in TARGETS {
                println!("{}", target.name);
            }
            Ok(())
        }
        ["--run", name, file] => run_file(name, Path::new(file)),
        _ => options(&words).and_then(|options| {
            if options.child {
                child(&options)
            } else {
                parent(&options)
            }
        }),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("fuzz: {sentence}");
            ExitCode::FAILURE
        }
    }
}

fn options(words: &[&str]) -> Result<Options, String> {
    let mut options = Options {
        target: None,
        seconds: 120,
        seed: 1,
        keep: std::env::temp_dir().join("anticlock-fuzz"),
        child: false,
    };
    let mut rest = words;
    while let [word, after @ ..] = rest {
        let (value, after) = after.split_first().map_or(("", after), |(v, a)| (*v, a));
        let number = || value.parse().map_err(|_| USAGE.to_owned());
        match *word {
            "--child" => {
                options.child = true;
                rest = &rest[1..];
                continue;
            }
            "--target" => options.target = Some(value.to_owned()),
            "--minutes" => options.seconds = 60 * number()?,
            "--seconds" => options.seconds = number()?,
            "--seed" => options.seed = number()?,
            "--keep" => options.keep = value.into(),
            _ => return Err(USAGE.to_owned()),
        }
        rest = after;
    }
    Ok(options)
}

fn named(name: &str) -> Result<&'static Target, String> {
    let found = TARGETS.iter().find(|target| target.name == name);
    found.ok_or_else(|| format!("there is no target {name}; --list names them"))
}

/// Runs an input that was kept.
fn run_file(name: &str, file: &Path) -> Result<(), String> {
    let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let target = named(name)?;
    let cost = Cost::of(|| (target.run)(&bytes));
    println!("{} KB, {:.3} s", cost.memory >> 10, cost.time.as_secs_f64());
    cost.check(bytes.len())
}

/// Runs the targets in processes, as many at once as there are processors.
fn parent(options: &Options) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("a process cannot be started: {error}");
    let all: Vec<&Target> = match &options.target {
        Some(name) => vec![named(name)?],
        None => TARGETS.iter().collect(),
    };
    fs::create_dir_all(&options.keep).map_err(failed)?;
    let home = tempfile::tempdir().map_err(failed)?;
    let program = std::env::current_exe().map_err(failed)?;
    let at_once = std::thread::available_parallelism().map_or(1, usize::from);
    let at_once = at_once.min(all.len());
    let seconds = options.seconds * at_once as u64 / all.len() as u64;
    let mut wrong = Vec::new();
    for some in all.chunks(at_once) {
        let mut running = Vec::new();
        for target in some {
            let child = Command::new(&program)
                .args(["--child", "--target", target.name])
                .args(["--seconds", &seconds.to_string()])
                .args(["--seed", &options.seed.to_string()])
                .arg("--keep")
                .arg(&options.keep)
                // Nothing of the user's is read or written.
                .env("HOME", home.path())
                .env("XDG_DATA_HOME", home.path())
                .env("XDG_CONFIG_HOME", home.path())
                .spawn()
                .map_err(failed)?;
            running.push((target.name, child));
        }
        for (name, mut child) in running {
            let status = child.wait().map_err(failed)?;
            if !status.success() {
                let file = options.keep.join(name);
                wrong.push(format!(
                    "{name} ({status}): fuzz --run {name} {}",
                    file.display()
                ));
            }
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(format!("failed: {}", wrong.join("; ")))
    }
}

/// Runs one target.
fn child(options: &Options) -> Result<(), String> {
    let target = named(options.target.as_deref().unwrap_or_default())?;
    let file = options.keep.join(target.name);
    // What is deep in frames of functions shows here as it does in the program.
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .stack_size(8 << 20)
            .spawn_scoped(scope, || fuzz(target, options, &file));
        let worker = worker.map_err(|error| error.to_string())?;
        while !worker.is_finished() {
            std::thread::sleep(Duration::from_millis(20));
            if BEGUN.load(Ordering::Relaxed) + HANGS < seconds() {
                give_up(target, &file, "it does not end");
            }
            if budget::in_use() > TOO_MUCH {
                give_up(target, &file, "it takes more than 2 GB of memory");
            }
        }
        worker
            .join()
            .unwrap_or_else(|_| Err("the worker has panicked".to_owned()))
    })
}

/// The time at which the present input was begun, in seconds since the process was.
static BEGUN: AtomicU64 = AtomicU64::new(0);

fn seconds() -> u64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs()
}

fn give_up(target: &Target, file: &Path, why: &str) -> ! {
    eprintln!("fuzz: {}: {why}: {}", target.name, file.display());
    std::process::exit(3)
}

/// Puts an input into the file. The file is never made empty first: ext4 writes a file that was made empty and
/// closed to the disk at once (auto_da_alloc).
fn keep(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(file)?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)
}

/// Runs one input, which is in the file while it runs.
fn run(target: &Target, file: &Path, bytes: &[u8]) -> Result<Cost, String> {
    keep(file, bytes).map_err(|error| format!("{}: {error}", file.display()))?;
    BEGUN.store(seconds(), Ordering::Relaxed);
    let mut well = true;
    let cost = Cost::of(|| {
        well = catch_unwind(AssertUnwindSafe(|| (target.run)(bytes))).is_ok();
    });
    if !well {
        return Err(format!("it panics: {}", file.display()));
    }
    cost.check(bytes.len())
        .map_err(|why| format!("{why}: {}", file.display()))?;
    Ok(cost)
}

fn fuzz(target: &Target, options: &Options, file: &Path) -> Result<(), String> {
    let said = |why: String| format!("{}, seed {}: {why}", target.name, options.seed);
    let mut random = Rng::with_seed(options.seed);
    let mut inputs = (target.corpus)();
    let mut most = Cost::default();
    let mut count = 0u64;
    let mut note = |cost: Cost| {
        count += 1;
        most.memory = most.memory.max(cost.memory);
        most.time = most.time.max(cost.time);
    };
    for bytes in &inputs {
        note(run(target, file, bytes).map_err(said)?);
    }
    for (first, unit) in target.repeated {
        grows_evenly(target, file, first, unit).map_err(said)?;
    }
    // By CPU time: other work of the computer makes no difference.
    let end = budget::time() + Duration::from_secs(options.seconds);
    while budget::time() < end {
        let mut bytes = inputs[random.usize(0..inputs.len())].clone();
        let other = inputs[random.usize(0..inputs.len())].clone();
        (target.change)(&mut random, &mut bytes, &other);
        note(run(target, file, &bytes).map_err(said)?);
        // Some changes are built upon.
        if inputs.len() < 64 && random.u8(0..16) == 0 && bytes.len() < 8 << 10 {
            inputs.push(bytes);
        }
    }
    println!(
        "{}: {count} inputs, seed {}; at most {} KB and {:.2} s",
        target.name,
        options.seed,
        most.memory >> 10,
        most.time.as_secs_f64()
    );
    // What is left is an input that failed.
    fs::remove_file(file).map_err(|error| error.to_string())
}

/// The time for a long repetition of something is not far more than that for a short one.
fn grows_evenly(target: &Target, file: &Path, first: &[u8], unit: &[u8]) -> Result<(), String> {
    let of = |length: usize| {
        let bytes = [first, &unit.repeat(length / unit.len())].concat();
        // The best of two: caches are cold, and other processes interfere.
        let once = run(target, file, &bytes)?;
        let again = run(target, file, &bytes)?;
        Ok(once.time.min(again.time))
    };
    let times: Vec<Duration> = [SHORT, 2 * SHORT, 4 * SHORT]
        .into_iter()
        .map(of)
        .collect::<Result<_, String>>()?;
    if times[2] > NOTHING + 8 * times[0] {
        return Err(format!(
            "{times:?} for 64, 128 and 256 KB of {:?}: {}",
            String::from_utf8_lossy(unit),
            file.display()
        ));
    }
    Ok(())
}
