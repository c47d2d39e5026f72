//! All tests are run, several at the same time.
use crate::file::{self, File, Test, Variant, folder};
use crate::play::Play;
use crate::report::{CaseResult, Coverage, Problem, Shown, coverage};
use crate::{Options, build, find};
use host::failure::Failure;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Results of all tests.
#[derive(Debug, Default)]
pub struct Summary {
    /// In the order of files, tests and machines.
    pub results: Vec<CaseResult>,
    /// Number of runs of the lines of source.
    pub coverage: Coverage,
}

impl Summary {
    /// Tests that failed.
    pub fn failed(&self) -> usize {
        self.results
            .iter()
            .filter(|result| !result.problems.is_empty())
            .count()
    }
}

/// A test on a machine.
struct Case<'a> {
    file: &'a File,
    test: &'a Test,
    variant: &'a Variant,
    /// The sentence of the build that failed.
    unbuilt: Option<&'a str>,
}

/// Reads all files, builds their programs and runs their tests.
///
/// # Errors
/// A file that is not usable, before any test has run; or one that a test needs.
pub fn run_all(options: &Options) -> Result<Summary, Failure> {
    let paths = find::tests(&options.paths)?;
    let files = paths.iter().map(|path| file::read(path, &options.fence));
    let mut files = files.collect::<Result<Vec<File>, Failure>>()?;
    if let Some(program) = &options.program {
        for file in &mut files {
            file.replace_program(program)?;
        }
    }
    let builds: Vec<Option<String>> = files
        .iter()
        .map(|file| {
            let command = file
                .build
                .as_deref()
                .filter(|_| !options.fence.is_there())?;
            build::run(command, folder(&file.path)).err()
        })
        .collect();
    let mut cases = Vec::new();
    for (file, unbuilt) in files.iter().zip(&builds) {
        for test in &file.tests {
            if options
                .only
                .as_ref()
                .is_some_and(|only| !test.name.contains(only.as_str()))
            {
                continue;
            }
            let unbuilt = unbuilt.as_deref();
            cases.extend(file.variants.iter().map(|variant| Case {
                file,
                test,
                variant,
                unbuilt,
            }));
        }
    }
    if cases.is_empty() {
        let only = options.only.as_deref().unwrap_or_default();
        return Err(Failure::input(format!(
            "no test has \"{only}\" in its name"
        )));
    }
    let all = run_cases(&cases, options);
    let mut summary = Summary::default();
    for result in all {
        let (result, covered) = result?;
        summary.results.push(result);
        summary.coverage.add(covered);
    }
    Ok(summary)
}

type Result1 = Result<(CaseResult, Coverage), Failure>;

/// Each thread takes the next case.
fn run_cases(cases: &[Case], options: &Options) -> Vec<Result1> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.jobs.unwrap_or(processors).min(cases.len());
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<Result1>>> = Mutex::new(cases.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(number) else {
                        return;
                    };
                    let result = case.run(options);
                    if let Ok(mut results) = results.lock() {
                        results[number] = Some(result);
                    }
                }
            });
        }
    });
    let results = results.into_inner().unwrap_or_default();
    results.into_iter().flatten().collect()
}

impl Case<'_> {
    fn run(&self, options: &Options) -> Result1 {
        let started = Instant::now();
        let mut result = CaseResult {
            file: self.file.path.clone(),
            line: self.test.line,
            name: self.test.name.clone(),
            machine: self.variant.name(),
            ..CaseResult::default()
        };
        if let Some(sentence) = self.unbuilt {
            let (sentence, details) = sentence.split_once('\n').unwrap_or((sentence, ""));
            result.problems.push(Problem {
                line: self.test.line,
                sentence: sentence.to_owned(),
                details: details.to_owned(),
            });
            return Ok((result, Coverage::default()));
        }
        let cover = options.lcov.is_some();
        let mut play = Play::new(self.file, self.test, self.variant, options)?;
        play.run()?;
        result.frames = play.frames();
        result.problems = std::mem::take(&mut play.problems);
        result.shown = std::mem::take(&mut play.shown);
        if options.html.is_some() && result.shown.is_empty() {
            let title = "picture at the end".to_owned();
            let png = play.png()?;
            result.shown.push(Shown { title, png });
        }
        let covered = if cover {
            coverage(&play)
        } else {
            Coverage::default()
        };
        result.seconds = started.elapsed().as_secs_f64();
        Ok((result, covered))
    }
}
