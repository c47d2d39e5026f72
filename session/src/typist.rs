//! A typist: presses the keys of a text one after the other, each when the machine waits for a key.
//!
//! ```
//! use session::typist::{self, Stroke};
//! let strokes = typist::strokes("A{up*2}\\n").unwrap();
//! assert_eq!(strokes, [0x3F, 0x8E, 0x8E, 0x0C].map(Stroke::Key));
//! ```
use crate::host_keys::Looks;
use crate::keys;
use machine::{Input, Machine};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::VecDeque;

/// CH: the key that the OS holds ready, $FF = none.
pub(crate) const CH: u16 = 0x02FC;
/// SHFLOK: $40 while CAPS is on.
const SHFLOK: u16 = 0x02BE;

/// One action of the typist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stroke {
    /// Press and release this key (KBCODE with SHIFT and CONTROL).
    Key(u8),
    /// Press and release BREAK.
    Break,
    /// Press and release a console key.
    Start,
    /// See [`Stroke::Start`].
    Select,
    /// See [`Stroke::Start`].
    Option,
    /// Let this many frames pass.
    Pause(u32),
}

impl Stroke {
    /// The stroke called `name` in `{braces}` and in scripts: a key's name, `break`, `start`, `select`, `option` or `wait N`.
    pub fn of_name(name: &str) -> Option<Self> {
        let lower = name.trim().to_ascii_lowercase();
        match lower.as_str() {
            "break" => return Some(Self::Break),
            "start" => return Some(Self::Start),
            "select" => return Some(Self::Select),
            "option" => return Some(Self::Option),
            _ => {}
        }
        if let Some(frames) = lower.strip_prefix("wait ") {
            return frames.trim().parse().ok().map(Self::Pause);
        }
        keys::of_name(name).map(Self::Key)
    }
}

/// Keys of a text that repeats some of them.
const MOST_STROKES: usize = 1_000_000;

/// Reason why a text cannot be typed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TypingError {
    /// A backslash before a character that means nothing with it.
    #[error("the text to type has \\{}; known are \\n \\t \\e \\b \\\\ and {{name}} of a key", .0.escape_default())]
    Escape(char),
    /// An opening brace without a closing one.
    #[error("the text to type has a {{ without its }}")]
    Brace,
    /// A name in braces that is not a key.
    #[error("the text to type asks for the key {{{}}}; known are single characters, break, start, select, option, wait N, {}, and ctrl- or shift- before them", shown(.0), keys::names().collect::<Vec<_>>().join(", "))]
    Key(String),
    /// More keys than a user types.
    #[error("the text to type has more than {MOST_STROKES} keys")]
    TooLong,
    /// A character that no key types.
    #[error("the text to type has the character '{}', which the Atari's keyboard does not have", shown(.0.encode_utf8(&mut [0; 4])))]
    Character(char),
}

/// A name as a message shows it: not longer than it has to be, and without control characters.
fn shown(name: &str) -> String {
    let shown = |c: char| if c.is_control() { '?' } else { c };
    name.chars().take(60).map(shown).collect()
}

/// Reads typed text: a letter, small or capital, is its key without SHIFT, and CAPS decides which letter the Atari makes of it; `\n` is RETURN,
/// `\t` TAB, `\e` ESC, `\b` BACK SPACE, `\\` a backslash, `{name}` a key by its name, `{name*3}` three times.
///
/// # Errors
/// Names the first character that the Atari's keyboard does not have.
pub fn strokes(text: &str) -> Result<Vec<Stroke>, TypingError> {
    parse(text, true)
}

/// Like [`strokes`] for a text in which a backslash is a plain character.
///
/// # Errors
/// See [`strokes`].
pub fn strokes_of_plain(text: &str) -> Result<Vec<Stroke>, TypingError> {
    parse(text, false)
}

/// Reads typed text; with `escapes` a backslash begins an escape.
fn parse(text: &str, escapes: bool) -> Result<Vec<Stroke>, TypingError> {
    let mut strokes = Vec::new();
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let plain = match character {
            '\\' if escapes => match rest.next() {
                Some('n' | 'r') => '\n',
                Some('t') => '\t',
                Some('e') => '\u{1B}',
                Some('b') => '\u{8}',
                Some(other @ ('\\' | '"' | '\'' | '{')) => other,
                Some(other) => return Err(TypingError::Escape(other)),
                None => '\\',
            },
            '{' => {
                let mut name = String::new();
                loop {
                    match rest.next() {
                        Some('}') => break,
                        Some(letter) => name.push(letter),
                        None => return Err(TypingError::Brace),
                    }
                }
                // {left*3} presses it three times.
                let (name, times) = match name.rsplit_once('*') {
                    Some((key, times)) if !key.is_empty() && !key.ends_with('-') => {
                        (key.to_owned(), times.trim().parse().unwrap_or(0))
                    }
                    _ => (name, 1usize),
                };
                let stroke = Stroke::of_name(&name).filter(|_| (1..=1000).contains(&times));
                let stroke = stroke.ok_or(TypingError::Key(name))?;
                strokes.extend(std::iter::repeat_n(stroke, times));
                if strokes.len() > MOST_STROKES {
                    return Err(TypingError::TooLong);
                }
                continue;
            }
            other => other,
        };
        let key = keys::key_alone(plain).ok_or(TypingError::Character(plain))?;
        strokes.push(Stroke::Key(key));
    }
    Ok(strokes)
}

/// The keys that type a text from somewhere else as it is, and how many of its characters the Atari does not have; those
/// are left out.
///
/// Small letters need CAPS off. In a text without any capital they are taken for capitals, as the Atari does while CAPS is on.
pub fn pasted(text: &str, caps: bool) -> (Vec<Stroke>, usize) {
    let mut strokes = Vec::new();
    let mut unknown = 0;
    for character in text.chars() {
        let plain = match character {
            '\r' | '\u{FEFF}' => continue,
            '\u{2018}' | '\u{2019}' => '\'',
            '\u{201C}' | '\u{201D}' => '"',
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            '\u{A0}' => ' ',
            '\u{9B}' => '\n',
            other => other,
        };
        match keys::of_char(plain) {
            Some(key) => strokes.push(Stroke::Key(key)),
            None => match keys::of_graphics(plain) {
                Some(graphics) => strokes.extend(graphics.iter().copied().map(Stroke::Key)),
                None => unknown += 1,
            },
        }
    }
    let has = |kind: fn(char) -> bool| text.chars().any(kind);
    if caps && has(|c| c.is_ascii_lowercase()) && has(|c| c.is_ascii_uppercase()) {
        strokes.insert(0, Stroke::Key(keys::code::CAPS));
        // Before the last RETURN, which may start a program.
        let end = strokes.len() - usize::from(text.ends_with('\n'));
        strokes.insert(end, Stroke::Key(keys::code::CAPS | keys::SHIFT));
    }
    (strokes, unknown)
}

/// The time for which keys are held, and the pauses between them, in frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// A key is held: the keyboard scan sees it after at most two frames.
    pub held: u32,
    /// Between two keys.
    pub gap: u32,
    /// Between two presses of the same key: the OS ignores the same key for three vertical blanks (KEYDEL).
    pub gap_same: u32,
    /// A console key or BREAK is held; programs poll the console keys.
    pub console_held: u32,
    /// After a console key or BREAK.
    pub console_gap: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            held: 2,
            gap: 1,
            gap_same: 5,
            console_held: 10,
            console_gap: 20,
        }
    }
}

/// Frames that a key of a pasted text is held.
const HELD_QUICK: u32 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Now {
    Ready,
    Holding(Stroke, u32),
    /// Between two keys.
    Resting(u32),
    /// In a [`Stroke::Pause`].
    Pausing(u32),
}

/// The state of the machine that the typist checks before pressing a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keyboard {
    /// The machine waits for a key.
    pub waiting: bool,
    /// CAPS is on (SHFLOK): letters are capitals without SHIFT.
    pub caps: bool,
}

impl Keyboard {
    /// The keyboard of a machine that `wait` has observed.
    pub fn of(machine: &Machine, wait: KeyWait) -> Self {
        Self {
            waiting: wait.takes_keys(machine.peek(CH)),
            caps: caps(machine),
        }
    }
}

/// True if CAPS is on.
pub fn caps(machine: &Machine) -> bool {
    machine.peek(SHFLOK) & 0x40 != 0
}

/// Derives from reads of CH if a program waits for a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KeyWait {
    blocked: bool,
    /// Frames with reads; the longer ago, the less they count.
    glances: f32,
}

impl KeyWait {
    /// The keyboard handler's loop reads it several hundred times a frame, a BASIC program with PEEK(764) ten times at most.
    const BLOCKED: u32 = 100;
    /// A program that has read CH in a few of the last frames, not waiting, polls it: once in half a second is enough.
    const POLLED: f32 = 2.5;

    /// Notes the reads of a frame.
    pub(crate) fn frame(&mut self, looks: Looks, machine: &Machine) {
        let looks = looks.ch;
        self.blocked = looks >= Self::BLOCKED && machine.peek(CH) == 0xFF;
        self.glances = if looks >= Self::BLOCKED {
            0.0
        } else {
            self.glances * 0.99 + looks.min(1) as f32
        };
    }

    /// True if the machine spent the last frame waiting for a key.
    pub fn is_waiting(self) -> bool {
        self.blocked
    }

    fn takes_keys(self, ch: u8) -> bool {
        self.blocked || self.glances > Self::POLLED && ch == 0xFF
    }
}

/// Runs one frame; true if the machine spent it waiting for a key: the processor read CH ($02FC) over and over,
/// and it was empty.
pub fn frame_waits_for_key(machine: &mut Machine) -> bool {
    let mut looks = Looks::default();
    machine.run_frame_with(&mut looks);
    let mut wait = KeyWait::default();
    wait.frame(looks, machine);
    wait.is_waiting()
}

/// Everything that changes in a [`Typist`] while it types.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Progress<'a> {
    queue: Cow<'a, VecDeque<Stroke>>,
    now: Now,
    last: Option<Stroke>,
    quick: bool,
}

/// Presses keys, one at a time.
#[derive(Clone, Debug)]
pub struct Typist {
    pace: Pace,
    queue: VecDeque<Stroke>,
    now: Now,
    last: Option<Stroke>,
    /// Press keys no longer than needed, until everything has been typed.
    quick: bool,
}

impl Default for Typist {
    fn default() -> Self {
        Self::new(Pace::default())
    }
}

impl Typist {
    /// A typist with nothing to type.
    pub fn new(pace: Pace) -> Self {
        Self {
            pace,
            queue: VecDeque::new(),
            now: Now::Ready,
            last: None,
            quick: false,
        }
    }

    /// Adds strokes to the end of the queue.
    pub fn push(&mut self, strokes: impl IntoIterator<Item = Stroke>) {
        self.queue.extend(strokes);
    }

    /// Adds strokes that are typed as fast as the machine takes them.
    pub(crate) fn push_quick(&mut self, strokes: impl IntoIterator<Item = Stroke>) {
        self.push(strokes);
        self.quick = true;
    }

    /// True if the present text is typed quickly.
    pub(crate) fn is_quick(&self) -> bool {
        self.quick
    }

    /// The typist's position in its text, without its pace.
    pub(crate) fn progress(&self) -> Progress<'_> {
        Progress {
            queue: Cow::Borrowed(&self.queue),
            now: self.now,
            last: self.last,
            quick: self.quick,
        }
    }

    /// Continues from another position.
    pub(crate) fn resume(&mut self, progress: Progress) {
        self.queue = progress.queue.into_owned();
        self.now = progress.now;
        self.last = progress.last;
        self.quick = progress.quick;
    }

    /// Drops the rest of the text, and lets go of the key that is down.
    pub fn clear(&mut self) {
        self.queue.clear();
        self.now = Now::Ready;
        self.quick = false;
    }

    /// True if everything has been typed and no key is down.
    pub fn is_done(&self) -> bool {
        self.queue.is_empty() && self.now == Now::Ready
    }

    /// Takes the keys that are left to type: the rest of a pause too, but not of a key that is down.
    pub fn rest(&mut self) -> impl Iterator<Item = Stroke> + use<> {
        let pause = match self.now {
            Now::Pausing(frames) => Some(Stroke::Pause(frames)),
            _ => None,
        };
        let queue = std::mem::take(&mut self.queue);
        self.clear();
        pause.into_iter().chain(queue)
    }

    /// Strokes that have not been begun.
    pub fn left(&self) -> usize {
        self.queue.len()
    }

    /// Called before each frame: puts the keys of this frame into `input`.
    pub fn frame(&mut self, keyboard: Keyboard, input: &mut Input) {
        if self.now == Now::Ready
            && let Some(&next) = self.queue.front()
        {
            self.begin(next, keyboard);
        }
        self.now = match self.now {
            Now::Holding(stroke, frames) => {
                hold(stroke, keyboard, input);
                if frames > 1 {
                    Now::Holding(stroke, frames - 1)
                } else {
                    Now::Resting(if matches!(stroke, Stroke::Key(_)) {
                        self.pace.gap
                    } else {
                        self.pace.console_gap
                    })
                }
            }
            Now::Resting(frames) if frames > 1 => Now::Resting(frames - 1),
            Now::Pausing(frames) if frames > 1 => Now::Pausing(frames - 1),
            Now::Ready | Now::Resting(_) | Now::Pausing(_) => Now::Ready,
        };
        if self.is_done() {
            self.quick = false;
        }
    }

    /// Begins the next stroke, when the machine takes it and the key before has been up for long enough.
    fn begin(&mut self, next: Stroke, keyboard: Keyboard) {
        let gap = if self.last == Some(next) {
            self.pace.gap_same.saturating_sub(self.pace.gap)
        } else {
            0
        };
        match next {
            Stroke::Pause(frames) => {
                self.queue.pop_front();
                self.last = None;
                self.now = if frames == 0 {
                    Now::Ready
                } else {
                    Now::Pausing(frames)
                };
            }
            Stroke::Key(_) if !keyboard.waiting => {}
            _ if gap > 0 => {
                self.last = None;
                self.now = Now::Resting(gap);
            }
            _ => {
                self.queue.pop_front();
                self.last = Some(next);
                let frames = match next {
                    Stroke::Key(_) if self.quick => HELD_QUICK,
                    Stroke::Key(_) => self.pace.held,
                    _ => self.pace.console_held,
                };
                self.now = Now::Holding(next, frames);
            }
        }
    }
}

/// Holds a key or a switch for a frame.
fn hold(stroke: Stroke, keyboard: Keyboard, input: &mut Input) {
    match stroke {
        Stroke::Key(key) => {
            // Programs that compare key codes mean the bare key of a letter.
            let bare = keyboard.caps && keys::is_letter(key);
            input.key = Some(if bare { key & !keys::SHIFT } else { key });
        }
        Stroke::Break => input.break_key = true,
        Stroke::Start => input.start = true,
        Stroke::Select => input.select = true,
        Stroke::Option => input.option = true,
        Stroke::Pause(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(typist: &mut Typist, frames: usize, waiting: bool) -> Vec<Option<u8>> {
        let keyboard = Keyboard {
            waiting,
            caps: true,
        };
        (0..frames)
            .map(|_| {
                let mut input = Input::default();
                typist.frame(keyboard, &mut input);
                input.key
            })
            .collect()
    }

    #[test]
    fn text_becomes_keys() {
        assert_eq!(
            strokes("a\\n{ctrl-c}{wait 5}\"\n").unwrap(),
            [
                Stroke::Key(0x3F),
                Stroke::Key(0x0C),
                Stroke::Key(0x92),
                Stroke::Pause(5),
                Stroke::Key(0x5E),
                Stroke::Key(0x0C)
            ]
        );
        for bad in ["\u{e9}", "{", "{nonsense}", "\\q", "}"] {
            assert!(strokes(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_pasted_text_keeps_its_letters_and_leaves_out_what_there_is_no_key_for() {
        let key = |code| Stroke::Key(code);
        assert_eq!(
            pasted("10 \u{201C}a\u{201D}\r\n", true).0,
            strokes("10 \"a\"\n").unwrap()
        );
        let (typed, unknown) = pasted("A\u{1F600}a\n", true);
        assert_eq!(unknown, 1);
        assert_eq!(
            typed,
            [key(0x3C), key(0x7F), key(0x3F), key(0x7C), key(0x0C)]
        );
        assert_eq!(pasted("Aa", false).0, [key(0x7F), key(0x3F)]);
    }

    #[test]
    fn graphics_characters_are_typed_as_their_keys() {
        let typed = |text: &str| pasted(text, true);
        assert_eq!(
            typed("♥┼♦♠"),
            (strokes("{ctrl-,}{ctrl-s}{ctrl-.}{ctrl-;}").unwrap(), 0)
        );
        let escaped = "{esc}{esc}{esc}{up}{esc}{left}{esc}{shift-clear}{esc}{backspace}{esc}{tab}";
        let (strokes, unknown) = typed("␛↑←↰◀▶");
        assert_eq!((strokes.len(), unknown), (12, 0), "{escaped}");
    }

    #[test]
    fn a_key_is_pressed_only_when_the_machine_waits_and_is_let_go_in_between() {
        let mut typist = Typist::default();
        typist.push(strokes("aB").unwrap());
        assert_eq!(held(&mut typist, 3, false), [None; 3]);
        assert_eq!(
            held(&mut typist, 6, true),
            [Some(0x3F), Some(0x3F), None, Some(0x15), Some(0x15), None]
        );
        assert!(typist.is_done());
    }

    #[test]
    fn the_same_key_twice_rests_longer_than_the_debounce_of_the_os() {
        let mut typist = Typist::default();
        typist.push(strokes("aa").unwrap());
        let keys = held(&mut typist, 10, true);
        let gap = keys[2..].iter().take_while(|k| k.is_none()).count();
        assert_eq!(gap, 5);
        assert_eq!(keys[2 + gap], Some(0x3F));
    }

    #[test]
    fn what_is_left_of_a_pause_goes_on_for_the_next_machine() {
        let mut typist = Typist::default();
        typist.push(strokes("a{wait 20}b").unwrap());
        held(&mut typist, 3 + 5, true);
        let left: Vec<_> = typist.rest().collect();
        assert_eq!(left, strokes("{wait 15}b").unwrap());
        assert!(typist.is_done());
    }
}
