//! A test is played: its steps, and the rules that hold meanwhile.
mod ear;
mod expect;

use crate::Options;
use crate::file::{File, Test, Variant};
use crate::observer::{Fault, Observer};
use crate::report::{Problem, Shown};
use crate::stage::Stage;
use crate::step::{Act, Step};
use debugger::{DliTimeline, Recorder};
use ear::Ear;
use host::failure::Failure;
use machine::NoProbe;
use session::script::Player as ScriptPlayer;
use session::timeline::Event;
use std::collections::HashMap;
use std::path::Path;

/// The reason why a step ends the test.
enum End {
    /// A sentence and its details; the steps after it have no meaning.
    Problem(String, String),
    /// A file cannot be used.
    Failure(Failure),
}

impl From<Failure> for End {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<String> for End {
    fn from(sentence: String) -> Self {
        Self::Problem(sentence, String::new())
    }
}

/// Result of a step: `Ok(Err(...))` has a sentence and its details on an expectation that was not met.
type Judged = Result<Result<(), (String, String)>, End>;

/// A test that is played.
pub struct Play<'a> {
    test: &'a Test,
    variant: &'a Variant,
    options: &'a Options,
    /// The machine.
    pub stage: Stage,
    /// The probe.
    pub observer: Observer,
    /// Every instruction is looked at.
    observing: bool,
    recorder: Option<Recorder>,
    ear: Ear,
    kept: HashMap<String, Vec<u8>>,
    /// The program was still being loaded and started in the last frame.
    starting: bool,
    /// The first display list interrupt that broke each rule.
    late: [Option<String>; 2],
    /// Expectations and rules that were not met.
    pub problems: Vec<Problem>,
    /// Pictures for the report.
    pub shown: Vec<Shown>,
}

impl<'a> Play<'a> {
    /// A test on a machine of a variant, which is switched on.
    ///
    /// # Errors
    /// A file that is not usable, or a place of a rule that the program does not have.
    pub fn new(
        file: &'a File,
        test: &'a Test,
        variant: &'a Variant,
        options: &'a Options,
    ) -> Result<Self, Failure> {
        let cover = options.lcov.is_some();
        let mut stage = Stage::new(file, variant, &options.fence)?;
        let asks = |step: &Step| {
            matches!(
                step.act,
                Act::Expect(_) | Act::Value(..) | Act::WaitUntil(..)
            )
        };
        if test.steps.iter().any(asks) {
            // Automatic variables of C are found by the call that has made them.
            stage.remember();
        }
        let place = |stage: &mut Stage, name: &str, line: usize| {
            expect::address(stage, name)
                .map_err(|why| Failure::file(&file.path, format!("line {line}: {why}")))
        };
        let mut stretches = Vec::new();
        for stretch in &test.rules.cycles {
            let from = place(&mut stage, &stretch.from, stretch.line)?;
            stretches.push((from, place(&mut stage, &stretch.to, stretch.line)?));
        }
        let cartridge = stage.session.machine().config().cartridge.is_some();
        Ok(Self {
            test,
            variant,
            options,
            stage,
            observer: Observer::new(&test.rules, &stretches, cover, cartridge),
            observing: cover || test.rules.about_instructions(),
            recorder: None,
            ear: Ear::default(),
            kept: HashMap::new(),
            starting: true,
            late: [None, None],
            problems: Vec::new(),
            shown: Vec::new(),
        })
    }

    /// Plays all steps and judges the rules.
    ///
    /// # Errors
    /// A file that is not usable.
    pub fn run(&mut self) -> Result<(), Failure> {
        for step in &self.test.steps {
            let judged = match self.step(&step.act) {
                Ok(judged) => judged,
                Err(End::Failure(failure)) => return Err(failure),
                Err(End::Problem(sentence, details)) => {
                    self.tell(step.line, step.told(sentence), details);
                    break;
                }
            };
            if let Err((sentence, details)) = judged {
                self.tell(step.line, step.told(sentence), details);
            }
        }
        self.judge_rules();
        Ok(())
    }

    fn tell(&mut self, line: usize, sentence: String, details: String) {
        self.problems.push(Problem {
            line,
            sentence,
            details,
        });
    }

    /// Frames that have run.
    pub fn frames(&self) -> u64 {
        self.stage.session.frames()
    }

    /// Runs to the end of a frame, or to an instruction: true if that was reached.
    fn frame(&mut self, stop: Option<u16>) -> Result<bool, End> {
        if self.frames() >= self.test.frames {
            return Err(format!("the {} frames of this test have run", self.test.frames).into());
        }
        let session = &self.stage.session;
        if session.track().at_frame_start() {
            self.stage.serve();
            if self.test.rules.about_dlis() {
                self.recorder = Some(Recorder::new(self.stage.session.machine()));
            }
        }
        self.observer.stop = stop;
        let observing = self.observing || stop.is_some();
        let session = &mut self.stage.session;
        let (outcome, stopped) = match (&mut self.recorder, observing) {
            (Some(recorder), true) => session.run_frame_with(&mut (recorder, &mut self.observer)),
            (Some(recorder), false) => session.run_frame_with(recorder),
            (None, true) => session.run_frame_with(&mut self.observer),
            (None, false) => session.run_frame_with(&mut NoProbe),
        };
        if stopped {
            return Ok(true);
        }
        if self.stage.after_frame(outcome)? {
            self.recorder = None;
            self.observer.begin_again();
        }
        self.after_frame();
        Ok(false)
    }

    fn after_frame(&mut self) {
        let session = &self.stage.session;
        let machine = session.machine();
        if let Some(recorder) = self.recorder.take() {
            let timeline = DliTimeline::of_log(recorder.finish(machine), machine.now());
            self.look_at_dlis(&timeline);
        }
        self.ear.listen(self.stage.session.machine());
        let session = &self.stage.session;
        let starting = session.is_starting();
        if self.starting && !starting && debugger::basic::Basic::of(session.machine()).is_some() {
            // The program was put into memory from outside: from LOMEM to the end of BASIC's tables.
            let machine = session.machine();
            self.observer
                .fill(machine.peek_word(0x80), machine.peek_word(0x90));
            self.observer.begun = true;
        }
        self.starting = starting;
    }

    /// Notes the first display list interrupt that breaks each rule.
    fn look_at_dlis(&mut self, timeline: &DliTimeline) {
        let name = |address| {
            let place = self.stage.debugger.place_name(address);
            place.unwrap_or_else(|| format!("${address:04X}"))
        };
        let frame = self.stage.session.frames();
        for dli in &timeline.dlis {
            let who = || {
                format!(
                    "display list interrupt {} ({})",
                    dli.number,
                    name(dli.vector)
                )
            };
            if let Some(before) = self.test.rules.dlis_end_before
                && self.late[0].is_none()
            {
                let end = dli.end.map(|end| timeline.log.beam(end).0);
                self.late[0] = match end {
                    Some(line) if line < before => None,
                    Some(line) => Some(format!("{} ended in line {line} of frame {frame}", who())),
                    None => Some(format!("{} did not end in frame {frame}", who())),
                };
            }
            if self.late[1].is_none() && dli.left.is_some_and(|left| left < 0) {
                let late = dli.left.unwrap_or(0).unsigned_abs();
                self.late[1] = Some(format!(
                    "{} still ran {late} cycles after the next interrupt was asked for, in frame {frame}",
                    who()
                ));
            }
        }
    }

    /// Judges the rules after the run.
    fn judge_rules(&mut self) {
        let rules = &self.test.rules;
        let line = self.test.line;
        let mut broken: Vec<(usize, String)> = Vec::new();
        let name = |address| {
            let place = self.stage.debugger.place_name(address);
            place.unwrap_or_else(|| format!("${address:04X}"))
        };
        for fault in self.observer.faults() {
            let at = name(fault.at());
            broken.push((
                line,
                match fault {
                    Fault::RomWrite(_, address) => {
                        format!("{at} writes to ${address:04X}, where there is no RAM")
                    }
                    Fault::Uninitialised(_, address) => {
                        format!("{at} reads ${address:04X}, which nothing has written")
                    }
                },
            ));
        }
        let (deepest, at) = self.observer.deepest;
        if let Some(most) = rules.stack.filter(|most| deepest > *most) {
            broken.push((
                line,
                format!(
                    "{deepest} bytes were on the stack at {}; {most} are the most",
                    name(at)
                ),
            ));
        }
        if let (Some(before), Some(late)) = (rules.dlis_end_before, self.late[0].take()) {
            broken.push((line, format!("{late}, not before line {before}")));
        }
        if let Some(late) = self.late[1].take().filter(|_| rules.no_dli_overruns) {
            broken.push((line, late));
        }
        for (rule, measured) in rules.cycles.iter().zip(&self.observer.stretches) {
            let (from, to) = (&rule.from, &rule.to);
            match measured.longest {
                Some(longest) if longest > rule.most => broken.push((
                    rule.line,
                    format!(
                        "from {from} to {to} {longest} cycles passed; {} are the most",
                        rule.most
                    ),
                )),
                Some(_) => {}
                None => broken.push((rule.line, format!("{to} was never reached from {from}"))),
            }
        }
        for (line, sentence) in broken {
            self.tell(line, sentence, String::new());
        }
    }

    /// Does a step.
    fn step(&mut self, act: &Act) -> Judged {
        match act {
            Act::Type(strokes) => {
                self.stage.session.type_strokes(strokes.clone());
                while !self.stage.session.is_idle() {
                    self.frame(None)?;
                }
                Ok(Ok(()))
            }
            Act::Script(steps, folder) => self.script(ScriptPlayer::new(steps.clone()), folder),
            Act::Wait(frames) => {
                for _ in 0..*frames {
                    self.frame(None)?;
                }
                Ok(Ok(()))
            }
            Act::WaitText(text, within) => {
                let late = format!("the screen never showed \"{text}\"");
                self.wait(*within, &late, |play| {
                    Ok(play.stage.session.text().contains(text))
                })
            }
            Act::WaitUntil(expression, within) => self.wait_until(expression, *within),
            Act::WaitFor(label, within) => self.wait_for(label, *within),
            Act::SaveAndLoad(frames) => self.save_and_load(*frames),
            Act::Notes(notes, channel, within) => {
                self.ear = Ear::default();
                let late = format!("{} was not played", notes.join(" "));
                let channel = *channel;
                self.wait(*within, &late, |play| Ok(play.ear.has(notes, channel)))
            }
            Act::Store(place, bytes) => {
                let first = expect::address(&mut self.stage, place)?;
                for (address, &byte) in (0..bytes.len())
                    .map(|n| first.wrapping_add(n as u16))
                    .zip(bytes)
                {
                    let event = Event::poke(address, byte);
                    self.stage
                        .session
                        .apply(event)
                        .map_err(|error| format!("{place} cannot be stored to: {error}"))?;
                }
                Ok(Ok(()))
            }
            Act::Remember(range) => {
                let bytes = expect::range(&mut self.stage, range)?;
                self.kept.insert(range.clone(), bytes);
                Ok(Ok(()))
            }
            Act::Same(range) => {
                let bytes = expect::range(&mut self.stage, range)?;
                let kept = self.kept.get(range);
                let kept = kept.ok_or_else(|| format!("nothing is remembered of {range}"))?;
                Ok(expect::bytes(range, kept, &bytes))
            }
            Act::Picture(path) => self.picture(path),
            _ => expect::judge(&mut self.stage, act),
        }
    }

    /// Runs until something is so, at most some frames.
    fn wait(
        &mut self,
        within: Option<u64>,
        late: &str,
        mut is_so: impl FnMut(&mut Self) -> Result<bool, End>,
    ) -> Judged {
        let since = self.frames();
        while !is_so(self)? {
            let passed = self.frames() - since;
            let over = within.is_some_and(|within| passed >= within);
            if over || self.frames() >= self.test.frames {
                let details = self.stage.session.text();
                return Err(End::Problem(format!("{late} in {passed} frames"), details));
            }
            self.frame(None)?;
        }
        Ok(Ok(()))
    }

    /// Runs until an expression is true. Variables of BASIC have no names before the program is in memory.
    fn wait_until(&mut self, expression: &str, within: Option<u64>) -> Judged {
        let mut unknown = None;
        let waited = self.wait(within, &format!("{expression} was never true"), |play| {
            let value = expect::number(&mut play.stage, expression);
            let is_so = value.as_ref().is_ok_and(|value| *value != 0);
            unknown = value.err();
            Ok(is_so)
        });
        match (waited, unknown) {
            (Err(End::Problem(_, details)), Some(why)) => Err(End::Problem(why, details)),
            (waited, _) => waited,
        }
    }

    fn wait_for(&mut self, label: &str, within: Option<u64>) -> Judged {
        let address = expect::address(&mut self.stage, label)?;
        let since = self.frames();
        loop {
            let passed = self.frames() - since;
            let over = within.is_some_and(|within| passed > within);
            if over || self.frames() >= self.test.frames {
                let frames = within.map_or(passed, |within| within.min(passed));
                return Err(format!("{label} was not reached in {frames} frames").into());
            }
            if self.frame(Some(address))? {
                return Ok(Ok(()));
            }
        }
    }

    /// Plays a script; its pictures are compared with golden ones.
    fn script(&mut self, mut player: ScriptPlayer, folder: &Path) -> Judged {
        loop {
            let acted = player.act(&mut self.stage.session);
            let details = |play: &Self| play.stage.session.text();
            match acted {
                Err(unmet) => return Err(End::Problem(unmet.to_string(), details(self))),
                Ok(Some(name)) => {
                    if let Err((sentence, details)) = self.picture(&folder.join(name))? {
                        return Err(End::Problem(sentence, details));
                    }
                }
                Ok(None) if player.is_done() => return Ok(Ok(())),
                Ok(None) => {
                    self.frame(None)?;
                }
            }
        }
    }

    /// Saves the state and runs on, loads it and runs again: the machine is the same both times.
    fn save_and_load(&mut self, frames: u64) -> Judged {
        while !self.stage.session.track().at_frame_start() {
            self.frame(None)?;
        }
        let state = self.stage.session.save_state();
        let mut images = Vec::new();
        for _ in 0..2 {
            for _ in 0..frames {
                self.frame(None)?;
            }
            let bytes = self.stage.session.save_state();
            images.push((bytes, expect::image(self.stage.session.machine())));
            if images.len() == 1 {
                self.stage
                    .session
                    .load_state(&state)
                    .map_err(|error| format!("the saved state cannot be loaded: {error}"))?;
            }
        }
        let [(first, before), (second, after)] = &images[..] else {
            return Ok(Ok(()));
        };
        if first == second {
            return Ok(Ok(()));
        }
        let differs = before.iter().zip(after).position(|(a, b)| a != b);
        let place = differs.map_or("outside of memory".to_owned(), |at| {
            format!(
                "at ${at:04X} (${:02X} without it, ${:02X} with it)",
                before[at], after[at]
            )
        });
        Ok(Err((
            format!(
                "after saving and loading the machine is another one {frames} frames later: {place}"
            ),
            String::new(),
        )))
    }
}
