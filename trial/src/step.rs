//! A step of a test: something that is done, or expected.
use crate::file::{Text, folder, text_of};
use host::failure::Failure;
use serde::Deserialize;
use session::mouse;
use session::script;
use session::typist::{self, Stroke};
use session::voices;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// A step with its place.
#[derive(Clone, Debug)]
pub struct Step {
    /// The line of the file.
    pub line: usize,
    /// The action.
    pub act: Act,
    /// The author's sentence for when it is not met.
    pub sentence: Option<String>,
}

/// The action of a step.
#[derive(Clone, Debug)]
pub enum Act {
    /// Types; the machine takes a key when it waits for one. Ends when all is typed.
    Type(Vec<Stroke>),
    /// Plays a script to its end. Its pictures are golden ones, named from this folder.
    Script(Vec<script::Step>, PathBuf),
    /// Runs frames.
    Wait(u64),
    /// Runs until a text is on the screen, at most these frames.
    WaitText(String, Option<u64>),
    /// Runs until an instruction begins at a label or line, at most these frames.
    WaitFor(String, Option<u64>),
    /// Runs until an expression is true at the end of a frame, at most these frames.
    WaitUntil(String, Option<u64>),
    /// Saves the state, runs frames, loads it, runs them again: the same machine is expected.
    SaveAndLoad(u64),
    /// Stores bytes from an address on.
    Store(String, Vec<u8>),
    /// Keeps the bytes of a range.
    Remember(String),
    /// Expects them again.
    Same(String),
    /// A text on the screen.
    Text(String),
    /// No such text.
    NoText(String),
    /// A row of the screen.
    Row(usize, String),
    /// All rows of the screen.
    Screen(Vec<String>),
    /// An expression that is true.
    Expect(String),
    /// The value of an expression.
    Value(String, Is),
    /// Bytes from an address on.
    Memory(String, Vec<u8>),
    /// The colour number of a pixel.
    Pixel(usize, usize, u8),
    /// A golden picture.
    Picture(PathBuf),
    /// Notes that one voice begins, in this order, within these frames.
    Notes(Vec<String>, Option<usize>, Option<u64>),
}

/// An expected value.
#[derive(Clone, Debug, PartialEq)]
pub enum Is {
    /// A number.
    Number(i64),
    /// A number with a fraction, of BASIC.
    Real(f64),
    /// A text.
    Text(String),
}

impl Step {
    /// The author's sentence before the one that says what was found.
    pub fn told(&self, found: String) -> String {
        match &self.sentence {
            Some(sentence) => format!("{sentence} ({found})"),
            None => found,
        }
    }

    /// The last frame that a script names.
    pub fn last_frame(&self) -> u64 {
        let Act::Script(steps, _) = &self.act else {
            return 0;
        };
        let frames = steps.iter().map(|step| match step.when {
            script::When::At(frame) => frame,
            script::When::After(frames) => frames,
        });
        // A wait for a text takes a minute at most.
        frames.fold(3600, u64::saturating_add)
    }
}

/// The keys of a step: exactly one of them says what it does, others belong to it.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawStep {
    r#type: Option<Spanned<String>>,
    key: Option<Spanned<String>>,
    press: Option<Spanned<String>>,
    joystick: Option<Spanned<String>>,
    paddle: Option<Spanned<String>>,
    pointer: Option<Spanned<String>>,
    wait: Option<Spanned<u64>>,
    wait_text: Option<Spanned<String>>,
    wait_for: Option<Spanned<String>>,
    wait_until: Option<Spanned<String>>,
    save_and_load: Option<Spanned<u64>>,
    store: Option<Spanned<String>>,
    remember: Option<Spanned<String>>,
    same: Option<Spanned<String>>,
    text: Option<Spanned<String>>,
    no_text: Option<Spanned<String>>,
    row: Option<Spanned<usize>>,
    screen: Option<Spanned<String>>,
    expect: Option<Spanned<String>>,
    value: Option<Spanned<String>>,
    memory: Option<Spanned<String>>,
    pixel: Option<Spanned<[usize; 2]>>,
    picture: Option<Spanned<String>>,
    notes: Option<Spanned<Vec<String>>>,
    is: Option<Spanned<toml::Value>>,
    bytes: Option<Spanned<toml::Value>>,
    r#else: Option<Spanned<String>>,
    colour: Option<Spanned<u8>>,
    channel: Option<Spanned<usize>>,
    within: Option<Spanned<u64>>,
}

/// Kinds of steps, and the keys that belong to each.
const BELONGS: &[(&str, &[&str])] = &[
    ("type", &[]),
    ("key", &[]),
    ("press", &[]),
    ("joystick", &[]),
    ("paddle", &[]),
    ("pointer", &[]),
    ("wait", &[]),
    ("wait-text", &["within"]),
    ("wait-for", &["within"]),
    ("wait-until", &["within"]),
    ("save-and-load", &[]),
    ("store", &["bytes"]),
    ("remember", &[]),
    ("same", &[]),
    ("text", &[]),
    ("no-text", &[]),
    ("row", &["is"]),
    ("screen", &[]),
    ("expect", &[]),
    ("value", &["is"]),
    ("memory", &["is"]),
    ("pixel", &["colour"]),
    ("picture", &[]),
    ("notes", &["channel", "within"]),
];

impl RawStep {
    /// The keys that are there, with their places.
    fn keys(&self) -> Vec<(&'static str, Range<usize>)> {
        macro_rules! keys {
            ($($field:ident = $name:literal),*) => {
                [$(self.$field.as_ref().map(|value| ($name, value.span()))),*]
            };
        }
        let keys = keys!(
            r#type = "type",
            key = "key",
            press = "press",
            joystick = "joystick",
            paddle = "paddle",
            pointer = "pointer",
            wait = "wait",
            wait_text = "wait-text",
            wait_for = "wait-for",
            wait_until = "wait-until",
            save_and_load = "save-and-load",
            store = "store",
            remember = "remember",
            same = "same",
            text = "text",
            no_text = "no-text",
            row = "row",
            screen = "screen",
            expect = "expect",
            value = "value",
            memory = "memory",
            pixel = "pixel",
            picture = "picture",
            notes = "notes",
            is = "is",
            bytes = "bytes",
            r#else = "else",
            colour = "colour",
            channel = "channel",
            within = "within"
        );
        keys.into_iter().flatten().collect()
    }

    /// Puts the values of a case in the place of their names in braces. A value that is all of `is` or `bytes` keeps its type.
    fn fill(&mut self, case: &toml::Table) {
        let texts = [
            &mut self.r#type,
            &mut self.key,
            &mut self.press,
            &mut self.joystick,
            &mut self.paddle,
            &mut self.pointer,
            &mut self.wait_text,
            &mut self.wait_for,
            &mut self.wait_until,
            &mut self.store,
            &mut self.text,
            &mut self.no_text,
            &mut self.screen,
            &mut self.expect,
            &mut self.value,
            &mut self.memory,
            &mut self.r#else,
        ];
        for text in texts.into_iter().flatten() {
            *text.get_mut() = filled(text.get_ref(), case);
        }
        for value in [&mut self.is, &mut self.bytes].into_iter().flatten() {
            let Some(text) = value.get_ref().as_str() else {
                continue;
            };
            let name = text
                .strip_prefix('{')
                .and_then(|text| text.strip_suffix('}'));
            let whole = name.and_then(|name| case.get(name)).cloned();
            let part = toml::Value::String(filled(text, case));
            *value.get_mut() = whole.unwrap_or(part);
        }
    }
}

/// A text with the values of a case. Names within those stay as they are.
fn filled(text: &str, case: &toml::Table) -> String {
    let (mut filled, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let found = after.split_once('}');
        if let Some((value, after)) = found.and_then(|(name, rest)| Some((case.get(name)?, rest))) {
            filled.push_str(&text_of(value));
            rest = after;
        } else {
            filled.push('{');
            rest = after;
        }
    }
    filled + rest
}

/// Reads a step.
///
/// # Errors
/// One sentence with the line and the word.
pub fn read(raw: &Spanned<RawStep>, case: &toml::Table, text: &Text) -> Result<Step, Failure> {
    let mut step = raw.get_ref().clone();
    step.fill(case);
    let keys = step.keys();
    let kind = |name: &str| BELONGS.iter().find(|(kind, _)| *kind == name);
    let mut kinds = keys.iter().filter_map(|(name, _)| kind(name));
    let Some((verb, belongs)) = kinds.next() else {
        let known: Vec<&str> = BELONGS.iter().map(|(kind, _)| *kind).collect();
        let why = format!("a step says what it does: one of {}", known.join(", "));
        return Err(text.fault(&raw.span(), &why));
    };
    for (name, span) in &keys {
        if name != verb && *name != "else" && !belongs.contains(name) {
            let why = format!("\"{name}\" does not belong to \"{verb}\" in one step");
            return Err(text.fault(span, &why));
        }
    }
    let line = text.line(raw.span().start);
    Ok(Step {
        line,
        act: act(&step, &raw.span(), text)?,
        sentence: step.r#else.map(Spanned::into_inner),
    })
}

/// A script's lines as a step.
///
/// # Errors
/// The line that is not understood.
pub fn script(path: &Path, content: &str, line: usize) -> Result<Step, Failure> {
    let steps = script::parse(content).map_err(|error| Failure::file(path, error))?;
    let act = Act::Script(steps, folder(path).to_owned());
    Ok(Step {
        line,
        act,
        sentence: None,
    })
}

/// A missing part of a step.
fn missing(span: &Range<usize>, text: &Text, what: &str) -> Failure {
    text.fault(span, &format!("{what} is missing"))
}

fn act(step: &RawStep, whole: &Range<usize>, text: &Text) -> Result<Act, Failure> {
    let within = step.within.as_ref().map(|frames| *frames.get_ref());
    let of = |value: &Spanned<String>| value.get_ref().clone();
    if let Some(act) = input(step, text)? {
        return Ok(act);
    }
    if let Some(frames) = &step.wait {
        return Ok(Act::Wait(*frames.get_ref()));
    }
    for (value, make) in [
        (
            &step.wait_text,
            Act::WaitText as fn(String, Option<u64>) -> Act,
        ),
        (&step.wait_for, Act::WaitFor),
        (&step.wait_until, Act::WaitUntil),
    ] {
        if let Some(value) = value {
            return Ok(make(of(value), within));
        }
    }
    for (value, make) in [
        (&step.remember, Act::Remember as fn(String) -> Act),
        (&step.same, Act::Same),
        (&step.text, Act::Text),
        (&step.no_text, Act::NoText),
        (&step.expect, Act::Expect),
    ] {
        if let Some(value) = value {
            if value.get_ref().is_empty() {
                return Err(text.fault(&value.span(), "this says nothing"));
            }
            return Ok(make(of(value)));
        }
    }
    if let Some(frames) = &step.save_and_load {
        return Ok(Act::SaveAndLoad(*frames.get_ref()));
    }
    if let Some(place) = &step.store {
        let data = step.bytes.as_ref();
        let data = data.ok_or_else(|| missing(whole, text, "bytes = [...]"))?;
        return Ok(Act::Store(of(place), bytes(data, text)?));
    }
    if let Some(name) = &step.picture {
        return Ok(Act::Picture(folder(text.path).join(name.get_ref())));
    }
    if let Some(screen) = &step.screen {
        return Ok(Act::Screen(rows(screen.get_ref())));
    }
    if let Some(notes) = &step.notes {
        return self::notes(step, notes, within, text);
    }
    compared(step, whole, text)
}

/// Steps that press something.
fn input(step: &RawStep, text: &Text) -> Result<Option<Act>, Failure> {
    if let Some(typed) = &step.r#type {
        let strokes = typist::strokes(typed.get_ref())
            .map_err(|error| text.fault(&typed.span(), &error.to_string()))?;
        return Ok(Some(Act::Type(strokes)));
    }
    let switches = ["start", "select", "option", "break", "reset"];
    let devices: Vec<&str> = mouse::devices().collect();
    for (word, value, firsts) in [
        ("key ", &step.key, &[][..]),
        ("", &step.press, &switches[..]),
        ("joystick ", &step.joystick, &[]),
        ("paddle ", &step.paddle, &[]),
        ("", &step.pointer, &devices),
    ] {
        let Some(value) = value else { continue };
        let line = format!("+0 {word}{}", value.get_ref());
        let first = value.get_ref().split_whitespace().next().unwrap_or("");
        if !firsts.is_empty() && !firsts.contains(&first) {
            let why = format!("one of {} is wanted first", firsts.join(", "));
            return Err(text.fault(&value.span(), &why));
        }
        if line.contains('\n') {
            return Err(text.fault(&value.span(), "one line is wanted"));
        }
        let steps = script::parse(&line).map_err(|error| text.fault(&value.span(), &error.why))?;
        return Ok(Some(Act::Script(steps, PathBuf::new())));
    }
    Ok(None)
}

/// Rows of a text, without blanks at their ends and empty rows at the end.
pub fn rows(text: &str) -> Vec<String> {
    let mut rows: Vec<String> = text.lines().map(|row| row.trim_end().to_owned()).collect();
    while rows.last().is_some_and(String::is_empty) {
        rows.pop();
    }
    rows
}

fn notes(
    step: &RawStep,
    notes: &Spanned<Vec<String>>,
    within: Option<u64>,
    text: &Text,
) -> Result<Act, Failure> {
    let wrong = notes.get_ref().iter().find(|name| !voices::is_note(name));
    if let Some(wrong) = wrong {
        let why = format!("\"{wrong}\" is no note: C0 to B9, C#4 for a sharp");
        return Err(text.fault(&notes.span(), &why));
    }
    if notes.get_ref().is_empty() {
        return Err(text.fault(&notes.span(), "no notes are named"));
    }
    let channel = step.channel.as_ref();
    if let Some(wrong) = channel.filter(|channel| !(1..=4).contains(channel.get_ref())) {
        return Err(text.fault(&wrong.span(), "channels are numbered 1 to 4"));
    }
    let channel = channel.map(|channel| channel.get_ref() - 1);
    Ok(Act::Notes(notes.get_ref().clone(), channel, within))
}

/// A list of bytes.
fn bytes(value: &Spanned<toml::Value>, text: &Text) -> Result<Vec<u8>, Failure> {
    let byte = |value: &toml::Value| u8::try_from(value.as_integer()?).ok();
    let all = value.get_ref().as_array();
    let all = all.and_then(|all| all.iter().map(byte).collect::<Option<Vec<u8>>>());
    all.filter(|bytes| (1..=0x10000).contains(&bytes.len()))
        .ok_or_else(|| text.fault(&value.span(), "a list of bytes is wanted"))
}

/// Steps that compare something with `is` or `colour`.
fn compared(step: &RawStep, whole: &Range<usize>, text: &Text) -> Result<Act, Failure> {
    if let Some(pixel) = &step.pixel {
        let [x, y] = *pixel.get_ref();
        if x >= machine::Frame::WIDTH || y >= machine::Frame::HEIGHT {
            let why = format!(
                "the picture has columns 0 to {} and rows 0 to {}",
                machine::Frame::WIDTH - 1,
                machine::Frame::HEIGHT - 1
            );
            return Err(text.fault(&pixel.span(), &why));
        }
        let colour = step.colour.as_ref();
        let colour = colour.ok_or_else(|| missing(whole, text, "colour = NUMBER"))?;
        return Ok(Act::Pixel(x, y, *colour.get_ref()));
    }
    let is = step.is.as_ref();
    let is = is.ok_or_else(|| missing(whole, text, "is = ..."))?;
    let wrong = |what: &str| text.fault(&is.span(), &format!("{what} is wanted"));
    let value = is.get_ref();
    if let Some(row) = &step.row {
        let expected = value.as_str().ok_or_else(|| wrong("a text"))?;
        return Ok(Act::Row(*row.get_ref(), expected.trim_end().to_owned()));
    }
    if let Some(address) = &step.memory {
        return Ok(Act::Memory(address.get_ref().clone(), bytes(is, text)?));
    }
    let value = match value {
        toml::Value::Integer(number) => Is::Number(*number),
        toml::Value::Float(number) => Is::Real(*number),
        toml::Value::String(text) => Is::Text(text.clone()),
        toml::Value::Boolean(flag) => Is::Number((*flag).into()),
        _ => return Err(wrong("a number or a text")),
    };
    let expression = step.value.as_ref();
    let expression = expression.ok_or_else(|| missing(whole, text, "value = EXPRESSION"))?;
    Ok(Act::Value(expression.get_ref().clone(), value))
}
