//! The machine at hand, and the requests that it answers. It lives on a thread of its own; requests come one after the other.
use debugger::{Interrupt, add_breakpoint, execute};
use host::basic_check;
use host::failure::Failure;
use host::files;
use host::screenshot::png_rgb;
use machine::Frame;
use session::picture::palette;
use session::script;
use std::path::{Path, PathBuf};
use trial::{Fence, Options, Stage, files_of, machine_options, results_text, run_all};

/// Frames that one request runs at most: ten minutes on the Atari.
const MOST_FRAMES: u64 = 36_000;
/// Frames in which the screen's text stays as it is, after which it shows what a typed line has done; and the most that are waited for.
const STILL: u64 = 12;
const SETTLING: u64 = 60;
/// Frames in which a program is loaded and begins.
const LOADING: u64 = 3600;
/// Lines and bytes of an answer.
const MOST_LINES: usize = 300;
const MOST_BYTES: usize = 24_000;
/// Lines that are assembled at once.
const MOST_CODE: usize = 1000;

/// A request.
#[derive(Clone, Debug)]
pub enum Request {
    /// Switches on a machine with a program in it.
    Load(String, Vec<String>),
    /// Types a text.
    Type(String),
    /// Presses a key, a console key or a joystick, as a script says it.
    Press(String),
    /// Runs until something is so.
    WaitFor(Wanted, u64),
    /// The screen: its text, its picture, or both.
    Look(bool, bool),
    /// A command of the debugger.
    Command(String),
    /// Faults of the interrupts in the last frame.
    Lint,
    /// Assembles lines into memory.
    Assemble(String, Vec<String>),
    /// Runs tests.
    Tests(String, Option<String>, bool),
    /// Looks for errors in a BASIC program.
    BasicCheck(String),
}

/// The aim of a wait.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// A text on the screen.
    Text(String),
    /// A label, address or line that is reached.
    Place(String),
    /// An expression that becomes true.
    Condition(String),
    /// Nothing but frames.
    Frames,
}

/// An answer.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Its text.
    pub text: String,
    /// A picture as PNG.
    pub picture: Option<Vec<u8>>,
}

impl From<String> for Answer {
    fn from(text: String) -> Self {
        Self {
            text,
            picture: None,
        }
    }
}

/// The machine at hand.
pub struct Desk {
    folder: PathBuf,
    fence: Fence,
    interrupt: Interrupt,
    stage: Option<Stage>,
}

type Answered = Result<Answer, String>;

impl Desk {
    /// Without a machine.
    pub fn new(folder: PathBuf, fence: Fence, interrupt: Interrupt) -> Self {
        Self {
            folder,
            fence,
            interrupt,
            stage: None,
        }
    }

    /// Does what is asked.
    ///
    /// # Errors
    /// One sentence on what is wrong.
    pub fn answer(&mut self, request: Request) -> Answered {
        self.interrupt.clear();
        match request {
            Request::Load(program, options) => self.load(&program, &options),
            Request::Type(text) => self.type_text(&text),
            Request::Press(what) => self.press(&what),
            Request::WaitFor(wanted, frames) => self.wait(&wanted, frames),
            Request::Look(text, picture) => self.look(text, picture),
            Request::Command(line) => self.command(&line).map(Answer::from),
            Request::Lint => self.lint(),
            Request::Assemble(address, lines) => self.assemble(&address, &lines),
            Request::Tests(path, only, bless) => self.tests(&path, only, bless),
            Request::BasicCheck(file) => self.basic_check(&file),
        }
        .map(|answer| Answer {
            text: self.told(&answer.text),
            ..answer
        })
        .map_err(|sentence| self.told(&sentence))
    }

    /// A text for the client: not too long, with names from the folder on.
    fn told(&self, text: &str) -> String {
        bounded(&text.replace(&format!("{}/", self.folder.display()), ""))
    }

    fn stage(&mut self) -> Result<&mut Stage, String> {
        self.stage
            .as_mut()
            .ok_or_else(|| "no program is loaded: load one first".to_owned())
    }

    /// A path in the folder.
    fn path(&self, name: &str) -> Result<PathBuf, String> {
        let path = self.folder.join(name);
        self.fence.check(&path).map_err(plain)?;
        Ok(path)
    }

    fn load(&mut self, program: &str, words: &[String]) -> Answered {
        let here = self.folder.clone();
        let (options, labels) = machine_options(words, &here).map_err(plain)?;
        for path in files_of(&options).chain(labels.clone()) {
            self.fence.check(&path).map_err(plain)?;
        }
        let known = session::built_in::find(program).is_ok_and(|found| found.is_some());
        let path = self.folder.join(program);
        let name = if known && !path.exists() {
            program.into()
        } else {
            self.path(program)?.into_os_string()
        };
        // The machine before may have the same files.
        self.stage = None;
        let mut stage = Stage::load(&name, options, &labels, &self.fence).map_err(plain)?;
        stage.debugger.interrupt = self.interrupt.clone();
        stage.remember();
        let begun = |stage: &Stage| {
            let session = &stage.session;
            !session.is_starting() && session.is_idle() && !session.machine().program_loading()
        };
        while !begun(&stage) && stage.session.frames() < LOADING && !self.interrupt.is_requested() {
            stage.frame().map_err(plain)?;
        }
        let frames = stage.session.frames();
        let sources: Vec<&str> = stage
            .debugger
            .sources
            .files()
            .iter()
            .map(|file| file.name.as_str())
            .collect();
        let known = if sources.is_empty() {
            "no lines of its source are known".to_owned()
        } else {
            format!("sources: {}", sources.join(", "))
        };
        let title = stage.session.title().to_owned();
        self.stage = Some(stage);
        let place = self.command("where")?;
        Ok(
            format!("{title} is loaded and runs since frame {frames} at most; {known}\n{place}")
                .into(),
        )
    }

    fn type_text(&mut self, text: &str) -> Answered {
        let interrupt = self.interrupt.clone();
        let stage = self.stage()?;
        stage
            .session
            .type_text(text)
            .map_err(|error| error.to_string())?;
        let mut frames = 0;
        while !stage.session.is_idle() && frames < MOST_FRAMES && !interrupt.is_requested() {
            stage.frame().map_err(plain)?;
            frames += 1;
        }
        let left = stage.session.untyped();
        let (mut shown, mut still, most) = (stage.session.text(), 0, frames + SETTLING);
        while left == 0 && still < STILL && frames < most && !interrupt.is_requested() {
            stage.frame().map_err(plain)?;
            frames += 1;
            let text = stage.session.text();
            still = if text == shown { still + 1 } else { 0 };
            shown = text;
        }
        let typed = if left == 0 {
            format!("typed; {frames} frames have run")
        } else {
            format!(
                "{left} keys were not taken in {frames} frames: the program does not wait for them"
            )
        };
        self.screen(&typed)
    }

    fn press(&mut self, what: &str) -> Answered {
        let line = format!("+0 {}", one_line(what));
        let action = line[3..].split_whitespace().next().unwrap_or("");
        let known = [
            "key",
            "joystick",
            "paddle",
            "light-pen",
            "light-gun",
            "st-mouse",
            "amiga-mouse",
            "trak-ball",
            "start",
            "select",
            "option",
            "break",
            "reset",
        ];
        if !known.contains(&action) {
            return Err(format!(
                "{} are what can be pressed: key a, joystick 1 left, start",
                known.join(", ")
            ));
        }
        let steps = script::parse(&line).map_err(|error| error.why)?;
        let stage = self.stage()?;
        let mut player = script::Player::new(steps);
        let mut frames = 0;
        loop {
            player
                .act(&mut stage.session)
                .map_err(|unmet| unmet.to_string())?;
            if player.is_done() {
                break;
            }
            stage.frame().map_err(plain)?;
            frames += 1;
        }
        // What it does is seen in the next frame.
        stage.frame().map_err(plain)?;
        self.screen(&format!("pressed; {} frames have run", frames + 1))
    }

    fn wait(&mut self, wanted: &Wanted, frames: u64) -> Answered {
        let frames = frames.min(MOST_FRAMES);
        if let Wanted::Place(place) = wanted {
            return self.run_to(place, frames);
        }
        let interrupt = self.interrupt.clone();
        let mut passed = 0;
        loop {
            let is_so = match wanted {
                Wanted::Text(text) => self.stage()?.session.text().contains(text),
                Wanted::Condition(expression) => {
                    let value = self.command(&format!("print {expression}"))?;
                    value
                        .split_whitespace()
                        .next()
                        .is_some_and(|word| word != "0")
                }
                Wanted::Place(_) | Wanted::Frames => false,
            };
            if is_so {
                return self.screen(&format!("so it is after {passed} frames"));
            }
            if passed >= frames || interrupt.is_requested() {
                let ran = format!("{passed} frames have run");
                return match wanted {
                    Wanted::Frames => self.screen(&ran),
                    _ => self.screen(&format!("{ran}, and it did not come")),
                };
            }
            self.stage()?.frame().map_err(plain)?;
            passed += 1;
        }
    }

    /// Runs to a place by a breakpoint of its own.
    fn run_to(&mut self, place: &str, frames: u64) -> Answered {
        let words = format!("{} once", one_line(place));
        let set = self
            .stage()?
            .act(|debugger, debuggee| add_breakpoint(debugger, debuggee, &words));
        let number = set.map_err(plain)??;
        let ran = self.command(&format!("run {frames}"));
        // It is gone when it was hit.
        self.stage()?.debugger.breakpoints.remove(number);
        Ok(ran?.into())
    }

    /// A sentence with the text of the screen.
    fn screen(&mut self, sentence: &str) -> Answered {
        let text = self.stage()?.session.text();
        let shown = if text.trim().is_empty() {
            "the screen shows no text".to_owned()
        } else {
            format!("the screen:\n{text}")
        };
        Ok(format!("{sentence}; {shown}").into())
    }

    fn look(&mut self, text: bool, picture: bool) -> Answered {
        let mut answer = if text {
            self.screen("now")?
        } else {
            Answer::from("the last complete picture, 376 by 240 pixels".to_owned())
        };
        if picture {
            let session = &self.stage()?.session;
            let colours = palette(session.machine().config().tv);
            let pixels = session.picture().pixels().iter();
            let pixels: Vec<[u8; 3]> = pixels.map(|&colour| colours[usize::from(colour)]).collect();
            answer.picture = Some(png_rgb(Frame::WIDTH, &pixels).map_err(plain)?);
        }
        Ok(answer)
    }

    /// A command of the debugger; its lines.
    fn command(&mut self, line: &str) -> Result<String, String> {
        let line = one_line(line);
        too_long(&line)?;
        let output = self
            .stage()?
            .act(|debugger, debuggee| execute(debugger, debuggee, &line));
        let output = output.map_err(plain)??;
        Ok(output.lines.join("\n"))
    }

    fn lint(&mut self) -> Answered {
        let stage = self.stage()?;
        let timeline = stage.debugger.dli_timeline(stage.session.track());
        let timeline = timeline.ok_or("the last frame is not recorded: run some frames first")?;
        let name = |address| stage.debugger.place_name(address);
        let found = timeline.findings_text(&name);
        let interrupts = timeline.dlis.len();
        Ok(if found.is_empty() {
            format!("nothing looks wrong with the {interrupts} display list interrupts of the last frame")
        } else {
            format!("of the last frame, with {interrupts} display list interrupts:\n{}", found.join("\n"))
        }
        .into())
    }

    fn assemble(&mut self, address: &str, lines: &[String]) -> Answered {
        if lines.len() > MOST_CODE {
            return Err(format!("these are more than {MOST_CODE} lines"));
        }
        let place = one_line(address);
        let start = self
            .stage()?
            .act(|debugger, debuggee| debugger::address(debugger, debuggee, &place));
        let start = start.map_err(plain)??;
        let mut at = start;
        for (number, line) in lines.iter().enumerate() {
            let symbols = &self.stage()?.debugger.symbols;
            let wrong = |why: String| {
                format!(
                    "line {}: {why}; the lines before it are in memory",
                    number + 1
                )
            };
            let bytes = debugger::assemble(line, at, symbols).map_err(wrong)?;
            self.command(&format!("asm ${at:04X} {line}"))
                .map_err(wrong)?;
            at = at.wrapping_add(bytes.len() as u16);
        }
        let code = self.command(&format!("code ${start:04X} {}", lines.len()))?;
        Ok(format!(
            "{} bytes from ${start:04X} to ${:04X}:\n{code}",
            at.wrapping_sub(start),
            at.wrapping_sub(1)
        )
        .into())
    }

    fn tests(&mut self, path: &str, only: Option<String>, bless: bool) -> Answered {
        let options = Options {
            paths: vec![self.path(path)?],
            only,
            bless,
            jobs: Some(1),
            fence: self.fence.clone(),
            ..Options::default()
        };
        let summary = run_all(&options).map_err(plain)?;
        Ok(results_text(&summary.results).into())
    }

    fn basic_check(&mut self, file: &str) -> Answered {
        let path = self.path(file)?;
        let bytes = files::read(&path).map_err(plain)?;
        basic_check::check(Path::new(file), &bytes)
            .map(Answer::from)
            .map_err(plain)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn plain(failure: Failure) -> String {
    failure.to_string()
}

/// A text as one line.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// Commands that run frames run a bounded number of them.
fn too_long(line: &str) -> Result<(), String> {
    let numbers = line
        .split_whitespace()
        .skip(1)
        .filter_map(|word| word.parse::<u64>().ok());
    let moves = line
        .split_whitespace()
        .next()
        .is_some_and(|word| matches!(word, "run" | "r" | "frame" | "vbi" | "dli" | "nth"));
    if moves && numbers.clone().any(|number| number > MOST_FRAMES) {
        return Err(format!("one request runs {MOST_FRAMES} frames at most"));
    }
    Ok(())
}

/// A text that is not too long for an answer.
fn bounded(text: &str) -> String {
    let mut out = String::new();
    let lines = text.lines().count();
    for (number, line) in text.lines().enumerate() {
        if number >= MOST_LINES || out.len() + line.len() > MOST_BYTES {
            return format!("{out}... and {} more lines: ask for fewer", lines - number);
        }
        out.push_str(line);
        out.push('\n');
    }
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_bounded() {
        assert_eq!(bounded("a\nb\n"), "a\nb");
        let many = bounded(&"x\n".repeat(1000));
        assert!(many.ends_with("... and 700 more lines: ask for fewer"));
        let long = bounded(&"x".repeat(1 << 20));
        assert_eq!(long, "... and 1 more lines: ask for fewer");
        assert!(
            too_long("run 36001").is_err()
                && too_long("run 36000").is_ok()
                && too_long("print 99999").is_ok()
        );
    }
}
