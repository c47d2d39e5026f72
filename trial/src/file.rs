//! A file of tests: its contents, and their lines.
use crate::fence::Fence;
use crate::find;
use crate::step::{self, RawStep, Step};
use clap::Parser;
use host::failure::Failure;
use host::files;
use host::options::{MachineOptions, names, sentence};
use machine::{Model, Named, Tv};
use serde::Deserialize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// Frames that a test runs at most when it does not say how many.
const FRAMES: u64 = 3600;
/// Frames that a test may ask for: some five hours on the Atari.
const MOST_FRAMES: u64 = 1_000_000;
/// Machines of one test.
const MOST_VARIANTS: usize = 1000;
/// Tests of one file.
const MOST_TESTS: usize = 1000;

/// A file of tests.
#[derive(Debug)]
pub struct File {
    /// Its path.
    pub path: PathBuf,
    /// The program: a path from the folder of the file, or the name of a built-in one.
    pub program: String,
    /// The command that builds it.
    pub build: Option<String>,
    /// Machines on which each test runs.
    pub variants: Vec<Variant>,
    /// Options of the machine.
    pub options: MachineOptions,
    /// Further files with labels.
    pub labels: Vec<PathBuf>,
    /// The tests.
    pub tests: Vec<Test>,
}

/// A machine on which tests run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// The model, where the file says it.
    pub model: Option<Model>,
    /// The television system, where the file says it.
    pub tv: Option<Tv>,
    /// The seed of power-on memory, where the file says it.
    pub seed: Option<u64>,
}

impl Variant {
    /// `800xl, pal, seed 3`; empty for the default machine.
    pub fn name(&self) -> String {
        let model = self.model.map(|model| model.name().to_owned());
        let tv = self.tv.map(|tv| tv.name().to_owned());
        let seed = self.seed.map(|seed| format!("seed {seed}"));
        let parts: Vec<String> = [model, tv, seed].into_iter().flatten().collect();
        parts.join(", ")
    }

    /// A text with `{machine}`, `{tv}` and `{seed}` replaced.
    pub fn fill(&self, text: &str) -> String {
        text.replace("{machine}", self.model.unwrap_or(Model::Xl800).name())
            .replace("{tv}", self.tv.unwrap_or(Tv::Ntsc).name())
            .replace("{seed}", &self.seed.unwrap_or(0).to_string())
    }
}

/// A test.
#[derive(Debug)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// The line where it begins.
    pub line: usize,
    /// Frames after which it ends without having passed.
    pub frames: u64,
    /// Inputs and expectations, in their order.
    pub steps: Vec<Step>,
    /// Conditions that hold all the time.
    pub rules: Rules,
}

/// Conditions that hold in all of a test.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The program writes nowhere but to RAM and chips.
    pub no_rom_writes: bool,
    /// It reads no RAM that nothing has written.
    pub no_uninitialised_reads: bool,
    /// No display list interrupt runs when the next interrupt is asked for.
    pub no_dli_overruns: bool,
    /// Bytes on the stack at most.
    pub stack: Option<u8>,
    /// Scan line before which every display list interrupt has ended.
    pub dlis_end_before: Option<u16>,
    /// Machine cycles between two places at most.
    pub cycles: Vec<Stretch>,
}

impl Rules {
    /// True if display list interrupts are looked at.
    pub fn about_dlis(&self) -> bool {
        self.no_dli_overruns || self.dlis_end_before.is_some()
    }

    /// True if every instruction is looked at.
    pub fn about_instructions(&self) -> bool {
        self.no_rom_writes
            || self.no_uninitialised_reads
            || self.stack.is_some()
            || !self.cycles.is_empty()
    }
}

/// Machine cycles from one place to another, at most.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// The line of the file.
    pub line: usize,
    /// Its beginning.
    pub from: String,
    /// Its end.
    pub to: String,
    /// Machine cycles.
    pub most: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawFile {
    program: Spanned<String>,
    build: Option<String>,
    options: Option<Spanned<Vec<String>>>,
    frames: Option<Spanned<u64>>,
    matrix: Option<RawMatrix>,
    #[serde(default)]
    test: Vec<Spanned<RawTest>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawMatrix {
    #[serde(default)]
    machine: Vec<Spanned<String>>,
    #[serde(default)]
    tv: Vec<Spanned<String>>,
    #[serde(default)]
    seed: Vec<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawTest {
    name: String,
    frames: Option<Spanned<u64>>,
    script: Option<Spanned<String>>,
    #[serde(default)]
    cases: Vec<Spanned<toml::Table>>,
    #[serde(default)]
    steps: Vec<Spanned<RawStep>>,
    #[serde(default)]
    no: Vec<Spanned<String>>,
    stack: Option<u8>,
    dlis_end_before: Option<u16>,
    #[serde(default)]
    cycles: Vec<Spanned<RawStretch>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawStretch {
    from: String,
    to: String,
    most: u64,
}

/// Options of the machine as words.
#[derive(Parser)]
#[command(name = "options", disable_help_flag = true)]
struct Words {
    #[arg(long, value_name = "FILE")]
    labels: Vec<PathBuf>,
    #[command(flatten)]
    machine: MachineOptions,
}

/// A file's text, for the lines of its faults.
pub struct Text<'a> {
    /// The file.
    pub path: &'a Path,
    /// Its content.
    pub text: &'a str,
}

impl Text<'_> {
    /// The line of a place in the text, from 1.
    pub fn line(&self, at: usize) -> usize {
        let before = &self.text.as_bytes()[..at.min(self.text.len())];
        before.split(|&byte| byte == b'\n').count()
    }

    /// A fault in a part of the file: one sentence with the line and the words in question.
    pub fn fault(&self, span: &Range<usize>, why: &str) -> Failure {
        let words = self.text.get(span.clone()).unwrap_or("");
        let words = words.lines().next().unwrap_or("").trim();
        let mut shown: String = words.chars().take(60).collect();
        if shown.len() < words.len() {
            shown.push_str("...");
        }
        let why = why.lines().collect::<Vec<_>>().join(", ");
        let bare = shown.trim_matches(['"', '\'']);
        let is_named = ['`', '"', '\'']
            .iter()
            .any(|quote| why.contains(&format!("{quote}{bare}{quote}")));
        let shown = if bare.is_empty() || is_named {
            String::new()
        } else {
            format!(": {shown}")
        };
        Failure::file(
            self.path,
            format!("line {}: {why}{shown}", self.line(span.start)),
        )
    }
}

/// Reads a file of tests.
///
/// # Errors
/// One sentence with the file, the line, and the word that is not understood.
pub fn read(path: &Path, fence: &Fence) -> Result<File, Failure> {
    fence.check(path)?;
    let bytes = files::read(path)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::file(path, "this is no text, or not one in UTF-8"))?;
    let text = Text { path, text: &text };
    if find::is_script(path) {
        let file = script(&text)?;
        file.check(fence)?;
        return Ok(file);
    }
    let raw: RawFile = toml::from_str(text.text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        text.fault(&span, error.message())
    })?;
    for name in raw
        .test
        .iter()
        .filter_map(|test| test.get_ref().script.as_ref())
    {
        fence.check(&folder(path).join(name.get_ref()))?;
    }
    let file = file(raw, &text)?;
    file.check(fence)?;
    Ok(file)
}

/// The tests that a TOML file says.
fn file(raw: RawFile, text: &Text) -> Result<File, Failure> {
    let program_span = raw.program.span();
    let program = raw.program.into_inner();
    if program.trim().is_empty() {
        return Err(text.fault(&program_span, "the program has no name"));
    }
    let (options, labels) = match &raw.options {
        Some(words) => machine(words, text)?,
        None => (MachineOptions::default(), Vec::new()),
    };
    let all = raw.frames.as_ref();
    if raw.test.is_empty() || raw.test.len() > MOST_TESTS {
        let why = format!("a file has 1 to {MOST_TESTS} tests, each under [[test]]");
        return Err(Failure::file(text.path, why));
    }
    let mut tests = Vec::new();
    for raw in raw.test {
        tests.extend(cases(&raw, all, text)?);
        if tests.len() > MOST_TESTS {
            let why = format!("a file has {MOST_TESTS} tests at most, with their cases");
            return Err(text.fault(&raw.span(), &why));
        }
    }
    Ok(File {
        path: text.path.to_owned(),
        program,
        build: raw.build,
        variants: variants(raw.matrix.unwrap_or_default(), text)?,
        options,
        labels,
        tests,
    })
}

/// A test, or one for each of its cases.
fn cases(
    raw: &Spanned<RawTest>,
    all: Option<&Spanned<u64>>,
    text: &Text,
) -> Result<Vec<Test>, Failure> {
    if raw.get_ref().cases.is_empty() {
        return one(raw, &toml::Table::new(), all, text).map(|test| vec![test]);
    }
    let cases = raw.get_ref().cases.iter();
    cases
        .map(|case| {
            let mut test = one(raw, case.get_ref(), all, text)?;
            let values: Vec<String> = case
                .get_ref()
                .iter()
                .map(|(name, value)| format!("{name} = {}", text_of(value)))
                .collect();
            test.name = format!("{}, {}", test.name, values.join(", ")).replace('\n', " ");
            test.line = text.line(case.span().start);
            Ok(test)
        })
        .collect()
}

/// A value as it is put into texts.
pub fn text_of(value: &toml::Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// One test, with the values of a case.
fn one(
    raw: &Spanned<RawTest>,
    case: &toml::Table,
    all: Option<&Spanned<u64>>,
    text: &Text,
) -> Result<Test, Failure> {
    let line = text.line(raw.span().start);
    let raw = raw.get_ref();
    let limit = raw.frames.as_ref().or(all);
    let frames = limit.map_or(FRAMES, |frames| *frames.get_ref());
    if let Some(frames) = limit.filter(|_| !(1..=MOST_FRAMES).contains(&frames)) {
        let why = format!("a test runs 1 to {MOST_FRAMES} frames");
        return Err(text.fault(&frames.span(), &why));
    }
    let mut steps = Vec::new();
    if let Some(name) = &raw.script {
        let path = folder(text.path).join(name.get_ref());
        let bytes =
            files::read(&path).map_err(|failure| text.fault(&name.span(), &failure.to_string()))?;
        steps.push(step::script(
            &path,
            &String::from_utf8_lossy(&bytes),
            text.line(name.span().start),
        )?);
    }
    for raw in &raw.steps {
        steps.push(step::read(raw, case, text)?);
    }
    let rules = rules(raw, text)?;
    if steps.is_empty() {
        return Err(Failure::file(
            text.path,
            format!(
                "line {line}: the test \"{}\" has no steps: give it steps or a script",
                raw.name
            ),
        ));
    }
    Ok(Test {
        name: raw.name.clone(),
        line,
        frames,
        steps,
        rules,
    })
}

/// The rules of a test.
fn rules(raw: &RawTest, text: &Text) -> Result<Rules, Failure> {
    let mut rules = Rules {
        stack: raw.stack,
        dlis_end_before: raw.dlis_end_before,
        ..Rules::default()
    };
    for word in &raw.no {
        match word.get_ref().as_str() {
            "rom-writes" => rules.no_rom_writes = true,
            "uninitialised-reads" => rules.no_uninitialised_reads = true,
            "dli-overruns" => rules.no_dli_overruns = true,
            _ => {
                let why = "there is no such rule; there are rom-writes, uninitialised-reads and dli-overruns";
                return Err(text.fault(&word.span(), why));
            }
        }
    }
    rules.cycles = raw
        .cycles
        .iter()
        .map(|stretch| {
            let RawStretch { from, to, most } = stretch.get_ref();
            Stretch {
                line: text.line(stretch.span().start),
                from: from.clone(),
                to: to.clone(),
                most: *most,
            }
        })
        .collect();
    Ok(rules)
}

/// A script with the name of its program in it.
fn script(text: &Text) -> Result<File, Failure> {
    let program = find::program(text.text).ok_or_else(|| {
        Failure::file(
            text.path,
            "the script names no program: write \"# program: NAME\" in its first line",
        )
    })?;
    let step = step::script(text.path, text.text, 1)?;
    let name = text.path.file_stem().unwrap_or_default();
    Ok(File {
        path: text.path.to_owned(),
        program: program.to_owned(),
        build: None,
        variants: vec![Variant::default()],
        options: MachineOptions::default(),
        labels: Vec::new(),
        tests: vec![Test {
            name: name.to_string_lossy().into_owned(),
            line: 1,
            frames: step.last_frame().clamp(FRAMES, MOST_FRAMES),
            steps: vec![step],
            rules: Rules::default(),
        }],
    })
}

/// The folder of a file.
pub fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// The options of a file.
fn machine(
    words: &Spanned<Vec<String>>,
    text: &Text,
) -> Result<(MachineOptions, Vec<PathBuf>), Failure> {
    machine_options(words.get_ref(), folder(text.path))
        .map_err(|failure| text.fault(&words.span(), &failure.to_string()))
}

/// Reads options of a machine, and files with labels; files are named from a folder. Printed text is dropped.
///
/// # Errors
/// The fault in them, in one line.
pub fn machine_options(
    words: &[String],
    here: &Path,
) -> Result<(MachineOptions, Vec<PathBuf>), Failure> {
    let all = std::iter::once("options".to_owned()).chain(words.iter().cloned());
    let mut words = Words::try_parse_from(all).map_err(|error| sentence(&error))?;
    for path in files_mut(&mut words.machine).chain(&mut words.labels) {
        *path = here.join(&*path);
    }
    words.machine.printer = None;
    Ok((words.machine, words.labels))
}

/// The files and folders that options name.
fn files_mut(machine: &mut MachineOptions) -> impl Iterator<Item = &mut PathBuf> {
    let single = [
        &mut machine.os,
        &mut machine.basic,
        &mut machine.tape,
        &mut machine.cart,
        &mut machine.cart2,
    ];
    let several = [&mut machine.disk, &mut machine.host];
    single
        .into_iter()
        .flatten()
        .chain(several.into_iter().flatten())
}

/// The files and folders that options name.
pub fn files_of(machine: &MachineOptions) -> impl Iterator<Item = PathBuf> {
    let mut machine = machine.clone();
    let files: Vec<PathBuf> = files_mut(&mut machine).map(|path| path.clone()).collect();
    files.into_iter()
}

impl File {
    /// Tests another program than the one that the file names.
    ///
    /// # Errors
    /// A path that is not in Unicode.
    pub fn replace_program(&mut self, program: &Path) -> Result<(), Failure> {
        let path = std::path::absolute(program).map_err(|error| Failure::file(program, error))?;
        let name = path.to_str();
        let name = name.ok_or_else(|| Failure::file(program, "its name is not in Unicode"))?;
        name.clone_into(&mut self.program);
        self.build = None;
        Ok(())
    }

    /// Checks that everything that the tests read is within a fence.
    ///
    /// # Errors
    /// The first path outside.
    pub fn check(&self, fence: &Fence) -> Result<(), Failure> {
        if !fence.is_there() {
            return Ok(());
        }
        for path in files_of(&self.options).chain(self.labels.clone()) {
            fence.check(&path)?;
        }
        let program = folder(&self.path).join(&self.program);
        let known = session::built_in::find(&self.program).is_ok_and(|found| found.is_some());
        if known && !program.exists() {
            return Ok(());
        }
        fence.check(&program)
    }
}

/// All machines of a matrix.
fn variants(raw: RawMatrix, text: &Text) -> Result<Vec<Variant>, Failure> {
    let models = words::<Model>(&raw.machine, text)?;
    let tvs = words::<Tv>(&raw.tv, text)?;
    let seeds: Vec<Option<u64>> = some(raw.seed);
    let count = models
        .len()
        .saturating_mul(tvs.len())
        .saturating_mul(seeds.len());
    if count > MOST_VARIANTS {
        return Err(Failure::file(
            text.path,
            format!("the matrix has {count} machines; {MOST_VARIANTS} are the most"),
        ));
    }
    let mut variants = Vec::with_capacity(count);
    for &model in &models {
        for &tv in &tvs {
            for &seed in &seeds {
                variants.push(Variant { model, tv, seed });
            }
        }
    }
    Ok(variants)
}

/// The values, or one that is the default.
fn some<T>(values: Vec<T>) -> Vec<Option<T>> {
    if values.is_empty() {
        return vec![None];
    }
    values.into_iter().map(Some).collect()
}

fn words<T: Named>(raw: &[Spanned<String>], text: &Text) -> Result<Vec<Option<T>>, Failure> {
    let values = raw.iter().map(|name| {
        T::find(name.get_ref())
            .ok_or_else(|| text.fault(&name.span(), &format!("one of {} is wanted", names::<T>())))
    });
    values.collect::<Result<Vec<T>, _>>().map(some)
}

#[cfg(test)]
mod tests;
