//! The calls of the page to a session since it was opened: enough to come to the same moment again, and short enough for a link.
//!
//! A session does the same twice when the same calls are made at the same frames. Written down are controls where they change, typed texts,
//! RESET, answers of H:, moments that were gone to, and edits of memory and registers. Whatever else is done to the machine (a disk, a saved state)
//! makes the journal incomplete, and a link to the moment then carries the machine itself.
use machine::codec;
use machine::host::HostReply;
use machine::{Input, Joystick, Pointer, PointerKind};
use session::timeline::{Event, Moment};
use session::{Answer, Ask, Outcome, RequestId, Session};

/// Calls after which a journal is too long for a link in any case.
const MOST_CALLS: usize = 20_000;
/// Frames after which it is not kept on: fifteen minutes.
pub(crate) const MOST_FRAMES: u32 = 15 * 60 * 60;
/// Frames that are drawn on the way to a moment: the last ones, of which its picture is made.
pub(crate) const DRAWN: u32 = 4;

/// Bits of a change of the controls: the key (its code follows), no key, console keys and SHIFT, sticks 1 and 2 (each a byte), everything,
/// paddles 0 and 1 with their buttons, the pointing device.
const KEY: u8 = 1;
const NO_KEY: u8 = 2;
const SWITCHES: u8 = 4;
const STICKS: [u8; 2] = [8, 16];
const ALL: u8 = 32;
const PADDLES: u8 = 64;
const POINTER: u8 = 128;
/// Any other call.
const OTHER: u8 = 0;

/// Something that was done to the session between two frames.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Call {
    /// The controls from now on.
    Controls(Input),
    /// [`Session::type_text`].
    Type(String),
    /// [`Session::paste`].
    Paste(String),
    /// [`Session::stop_pasting`].
    StopPasting,
    /// [`Session::reset`].
    Reset,
    /// [`Session::cold_start`].
    ColdStart,
    /// The answer to a request of the machine to H:.
    Reply(HostReply),
    /// The machine went to a moment.
    GoTo(Moment),
    /// Memory or a register was written from outside; see [`is_edit`].
    Edit(Event),
}

/// True for the events that a debugger's user makes.
pub(crate) fn is_edit(event: &Event) -> bool {
    matches!(
        event,
        Event::Poke { .. } | Event::WriteRegister { .. } | Event::LoadRegister { .. }
    )
}

/// The end of a frame, or a moment that was gone to.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mark {
    at: Moment,
    /// Nothing was left to be typed.
    is_idle: bool,
}

impl Mark {
    fn new(session: &Session) -> Self {
        Self {
            at: session.moment(),
            is_idle: session.is_idle(),
        }
    }
}

/// The calls of a session since it was opened.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Journal {
    /// Each call with the number of frames that had been run before it.
    calls: Vec<(u32, Call)>,
    /// The marks after 0, 1, 2 ... frames.
    marks: Vec<Mark>,
    controls: Input,
    is_complete: bool,
}

impl Journal {
    /// The journal of a session that has just been opened.
    pub(crate) fn new(session: &Session) -> Self {
        Self {
            marks: vec![Mark::new(session)],
            is_complete: true,
            ..Self::default()
        }
    }

    /// Something was done that no call says.
    pub(crate) fn give_up(&mut self) {
        *self = Self::default();
    }

    fn frames(&self) -> u32 {
        (self.marks.len() as u32).saturating_sub(1)
    }

    /// Notes a call.
    pub(crate) fn note(&mut self, call: Call) {
        if self.is_complete {
            self.calls.push((self.frames(), call));
            if self.calls.len() > MOST_CALLS {
                self.give_up();
            }
        }
    }

    /// A frame is about to run with these controls.
    pub(crate) fn before_frame(&mut self, controls: &Input) {
        if self.controls != *controls {
            self.controls = *controls;
            self.note(Call::Controls(*controls));
        }
    }

    /// A frame has run.
    pub(crate) fn after_frame(&mut self, session: &Session) {
        if !self.is_complete {
            return;
        }
        if self.frames() < MOST_FRAMES {
            self.marks.push(Mark::new(session));
        } else {
            self.give_up();
        }
    }

    /// The session has gone to a moment: the calls after it are undone. Texts that were still being typed then are not.
    pub(crate) fn went_to(&mut self, session: &Session) {
        if !self.is_complete {
            return;
        }
        let now = session.moment();
        let later = self.marks.partition_point(|mark| mark.at <= now);
        let Some(frames) = later.checked_sub(1) else {
            return self.give_up();
        };
        let mark = self.marks[frames];
        let is_exact = mark.at == now;
        // The machine of a moment is the one after everything that happened at it.
        self.calls.retain(|(at, _)| *at as usize <= frames);
        let typed = |call: &Call| matches!(call, Call::Type(_) | Call::Paste(_) | Call::ColdStart);
        let last = self.calls.iter().rev();
        let types_now = last
            .take_while(|(at, _)| *at as usize == frames)
            .any(|(_, call)| typed(call));
        if types_now || !mark.is_idle || !session.is_idle() {
            return self.give_up();
        }
        let controls = self.calls.iter().rev().find_map(|(_, call)| match call {
            Call::Controls(input) => Some(*input),
            _ => None,
        });
        self.controls = controls.unwrap_or_default();
        self.marks.truncate(later);
        if !is_exact {
            self.marks.push(Mark::new(session));
            self.note(Call::GoTo(now));
        }
    }

    /// The bytes for a link; `None` when the journal is incomplete.
    pub(crate) fn to_bytes(&self) -> Option<Vec<u8>> {
        if !self.is_complete {
            return None;
        }
        // Times, kinds and values each by themselves: similar values are side by side.
        let (mut times, mut kinds, mut values) = (vec![], vec![], vec![]);
        let mut others: Vec<(u8, Vec<u8>)> = Vec::new();
        let mut before = 0;
        let mut controls = Input::default();
        for (at, call) in &self.calls {
            times.push(at - before);
            before = *at;
            let other = match call {
                Call::Controls(input) => {
                    kinds.push(change(controls, *input, &mut values));
                    controls = *input;
                    continue;
                }
                Call::Type(text) => (0, text.clone().into_bytes()),
                Call::Paste(text) => (1, text.clone().into_bytes()),
                Call::StopPasting => (2, Vec::new()),
                Call::Reset => (3, Vec::new()),
                Call::ColdStart => (4, Vec::new()),
                Call::Reply(reply) => (5, codec::encode(reply)),
                Call::GoTo(moment) => (6, codec::encode(&moment.0)),
                Call::Edit(event) => (7, codec::encode(event)),
            };
            kinds.push(OTHER);
            others.push(other);
        }
        Some(codec::encode(&(
            self.frames(),
            times,
            kinds,
            values,
            others,
        )))
    }

    /// The calls of a link and the number of frames; `None` when the bytes are damaged or claim more than a page runs on account of a link.
    fn parse(bytes: &[u8]) -> Option<(u32, Vec<(u32, Call)>)> {
        type Stored = (u32, Vec<u32>, Vec<u8>, Vec<u8>, Vec<(u8, Vec<u8>)>);
        let (frames, times, kinds, values, others): Stored = codec::decode(bytes)?;
        if frames > MOST_FRAMES || times.len() != kinds.len() || times.len() > MOST_CALLS {
            return None;
        }
        let mut values = values.into_iter();
        let mut others = others.into_iter();
        let mut controls = Input::default();
        let mut at = 0u32;
        let mut calls = Vec::with_capacity(times.len());
        for (since, kind) in times.into_iter().zip(kinds) {
            at = at.checked_add(since).filter(|at| *at <= frames)?;
            let call = if kind == OTHER {
                let (tag, data) = others.next()?;
                let text = |data| String::from_utf8(data).ok();
                match tag {
                    0 => Call::Type(text(data)?),
                    1 => Call::Paste(text(data)?),
                    2 => Call::StopPasting,
                    3 => Call::Reset,
                    4 => Call::ColdStart,
                    5 => Call::Reply(codec::decode(&data)?),
                    6 => Call::GoTo(Moment(codec::decode(&data)?)),
                    7 => Call::Edit(codec::decode(&data).filter(is_edit)?),
                    _ => return None,
                }
            } else {
                controls = changed(controls, kind, &mut values)?;
                Call::Controls(controls)
            };
            calls.push((at, call));
        }
        (values.next().is_none() && others.next().is_none()).then_some((frames, calls))
    }
}

/// The switches of the controls as bits.
fn switches(input: &Input) -> u8 {
    let all = [
        input.shift,
        input.break_key,
        input.start,
        input.select,
        input.option,
    ];
    bits(&all)
}

fn bits(all: &[bool]) -> u8 {
    let each = all.iter().enumerate();
    each.fold(0, |sum, (bit, &on)| sum | u8::from(on) << bit)
}

fn stick(stick: Joystick) -> u8 {
    bits(&[stick.up, stick.down, stick.left, stick.right, stick.trigger])
}

/// The kind of a change of the controls, whose values are appended.
fn change(old: Input, new: Input, values: &mut Vec<u8>) -> u8 {
    let mut kind = 0;
    let mut known = old;
    if old.key != new.key {
        kind |= if new.key.is_some() { KEY } else { NO_KEY };
        values.extend(new.key);
        known.key = new.key;
    }
    if switches(&old) != switches(&new) {
        kind |= SWITCHES;
        values.push(switches(&new));
        (known.shift, known.break_key) = (new.shift, new.break_key);
        (known.start, known.select, known.option) = (new.start, new.select, new.option);
    }
    for (port, bit) in STICKS.into_iter().enumerate() {
        if old.joysticks[port] != new.joysticks[port] {
            kind |= bit;
            values.push(stick(new.joysticks[port]));
            known.joysticks[port] = new.joysticks[port];
        }
    }
    let paddles = |input: &Input| {
        (
            input.paddles[..2].to_vec(),
            input.paddle_triggers[..2].to_vec(),
        )
    };
    if paddles(&old) != paddles(&new) {
        kind |= PADDLES;
        values.extend(&new.paddles[..2]);
        values.push(bits(&new.paddle_triggers[..2]));
        known.paddles[..2].copy_from_slice(&new.paddles[..2]);
        known.paddle_triggers[..2].copy_from_slice(&new.paddle_triggers[..2]);
    }
    if old.pointer != new.pointer {
        kind |= POINTER;
        write_pointer(old.pointer, new.pointer, values);
        known.pointer = new.pointer;
    }
    if known != new {
        let all = codec::encode(&new);
        values.push(all.len() as u8);
        values.extend(all);
        kind |= ALL;
    }
    kind
}

/// The controls after a change.
fn changed(old: Input, kind: u8, values: &mut impl Iterator<Item = u8>) -> Option<Input> {
    let mut new = old;
    if kind & KEY != 0 {
        new.key = Some(values.next()?);
    }
    if kind & NO_KEY != 0 {
        new.key = None;
    }
    if kind & SWITCHES != 0 {
        let all = values.next()?;
        let bit = |n: u8| all & 1 << n != 0;
        (new.shift, new.break_key) = (bit(0), bit(1));
        (new.start, new.select, new.option) = (bit(2), bit(3), bit(4));
    }
    for (port, bit) in STICKS.into_iter().enumerate() {
        if kind & bit != 0 {
            let all = values.next()?;
            let bit = |n: u8| all & 1 << n != 0;
            new.joystick(port).push(bit(0), bit(1), bit(2), bit(3));
            new.joystick(port).trigger = bit(4);
        }
    }
    if kind & PADDLES != 0 {
        for paddle in &mut new.paddles[..2] {
            *paddle = values.next()?;
        }
        let all = values.next()?;
        for (number, trigger) in new.paddle_triggers[..2].iter_mut().enumerate() {
            *trigger = all & 1 << number != 0;
        }
    }
    if kind & POINTER != 0 {
        new.pointer = read_pointer(old.pointer, values)?;
    }
    if kind & ALL != 0 {
        let length = usize::from(values.next()?);
        let all: Vec<u8> = values.take(length).collect();
        new = codec::decode(&all)?;
    }
    Some(new)
}

/// The first byte of a pointing device: its kind in bits 0 to 2, its port in 3 and 4, its button, and in bit 6 that its place follows in full, not the way
/// from the place before.
const PORT: u8 = 3;
const BUTTON: u8 = 1 << 5;
const FULL: u8 = 1 << 6;

const KINDS: [PointerKind; 6] = [
    PointerKind::None,
    PointerKind::LightPen,
    PointerKind::LightGun,
    PointerKind::StMouse,
    PointerKind::AmigaMouse,
    PointerKind::TrakBall,
];

fn write_pointer(old: Pointer, new: Pointer, values: &mut Vec<u8>) {
    let kind = KINDS.iter().position(|kind| *kind == new.kind);
    let mut first = kind.unwrap_or(0) as u8 | (new.port & 3) << PORT;
    if new.button {
        first |= BUTTON;
    }
    let way = |from: i16, to: i16| i8::try_from(to.wrapping_sub(from));
    if let (Ok(x), Ok(y)) = (way(old.x, new.x), way(old.y, new.y)) {
        values.extend([first, x.cast_unsigned(), y.cast_unsigned()]);
    } else {
        values.push(first | FULL);
        values.extend(new.x.to_le_bytes());
        values.extend(new.y.to_le_bytes());
    }
}

fn read_pointer(old: Pointer, values: &mut impl Iterator<Item = u8>) -> Option<Pointer> {
    let first = values.next()?;
    let mut place = |from: i16| -> Option<i16> {
        let low = values.next()?;
        Some(if first & FULL != 0 {
            i16::from_le_bytes([low, values.next()?])
        } else {
            from.wrapping_add(low.cast_signed().into())
        })
    };
    let (x, y) = (place(old.x)?, place(old.y)?);
    Some(Pointer {
        kind: *KINDS.get(usize::from(first & 7))?,
        port: first >> PORT & 3,
        x,
        y,
        button: first & BUTTON != 0,
    })
}

/// A session on its way to the moment of a link, by the calls that led there.
#[derive(Debug)]
pub(crate) struct Replay {
    session: Session,
    calls: std::vec::IntoIter<(u32, Call)>,
    next: Option<(u32, Call)>,
    frames: u32,
    journal: Journal,
    folder: Option<RequestId>,
}

impl Replay {
    /// A replay in a session that has just been opened; `None` when the bytes are damaged.
    pub(crate) fn new(session: Session, bytes: &[u8]) -> Option<Self> {
        let (frames, calls) = Journal::parse(bytes)?;
        let mut calls = calls.into_iter();
        Some(Self {
            next: calls.next(),
            journal: Journal::new(&session),
            session,
            calls,
            frames,
            folder: None,
        })
    }

    /// The session as far as it has come.
    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    pub(crate) fn into_parts(self) -> (Session, Journal) {
        (self.session, self.journal)
    }

    /// Runs at most `most` frames. Gives the part that has run, 1 at the end; `None` when this machine does something else than the one of
    /// the link did.
    pub(crate) fn run(&mut self, most: u32) -> Option<f64> {
        for _ in 0..most {
            self.take_requests();
            while let Some((at, call)) = self.next.take() {
                if at > self.journal.frames() {
                    self.next = Some((at, call));
                    break;
                }
                self.act(call)?;
                self.next = self.calls.next();
            }
            let left = self.frames.saturating_sub(self.journal.frames());
            self.session.set_drawing(left <= DRAWN);
            if left == 0 {
                return self.finish();
            }
            let controls = *self.session.controls();
            self.journal.before_frame(&controls);
            if !matches!(self.session.run_frame(), Outcome::Done) {
                return None;
            }
            self.journal.after_frame(&self.session);
        }
        Some((f64::from(self.journal.frames()) / f64::from(self.frames.max(1))).min(0.999))
    }

    /// Controls that changed at the last moment are there already.
    fn finish(&mut self) -> Option<f64> {
        let controls = *self.session.controls();
        self.journal.before_frame(&controls);
        let held = self.session.apply(Event::Controls(controls));
        held.is_ok().then_some(1.0)
    }

    /// Takes the requests: one of H: waits for its answer in the journal; those of disks and the printer are dropped.
    fn take_requests(&mut self) {
        for request in self.session.requests() {
            if matches!(request.ask, Ask::Folder(_)) {
                self.folder = Some(request.id);
            }
        }
    }

    fn act(&mut self, call: Call) -> Option<()> {
        let session = &mut self.session;
        match &call {
            Call::Controls(input) => {
                // Noted with the frame.
                *session.controls() = *input;
                return Some(());
            }
            Call::Type(text) => session.type_text(text).ok()?,
            Call::Paste(text) => {
                session.paste(text);
            }
            Call::StopPasting => session.stop_pasting(),
            Call::Reset => session.reset(),
            Call::ColdStart => session.cold_start(),
            Call::Reply(reply) => {
                session.answer(self.folder.take()?, Ok(Answer::Folder(reply.clone())));
            }
            Call::GoTo(moment) => {
                if !session.go_exactly_to(*moment) || session.moment() != *moment {
                    return None;
                }
                self.journal.went_to(session);
                return Some(());
            }
            Call::Edit(event) => session.apply(event.clone()).ok()?,
        }
        self.journal.note(call);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: Mark = Mark {
        at: Moment(0),
        is_idle: true,
    };

    #[test]
    fn controls_come_back_out_of_their_changes() {
        let mut inputs = vec![Input::default()];
        let mut input = Input::default();
        for step in 0..200u32 {
            match step % 9 {
                0 => input.key = Some((step * 7 % 256) as u8),
                1 => input.key = None,
                2 => input.shift = !input.shift,
                3 => {
                    let stick = input.joystick(0);
                    stick.push(step % 2 == 0, false, true, step % 3 == 0);
                }
                4 => input.joystick(1).trigger = step % 4 == 0,
                5 if step % 2 == 0 => input.paddles[3] = step as u8,
                5 => {
                    input.paddles[..2].copy_from_slice(&[step as u8, 228]);
                    input.paddle_triggers[1] = step % 4 == 1;
                    input.pointer.kind = KINDS[step as usize % KINDS.len()];
                    input.pointer.button = step % 3 == 0;
                    input.pointer.port = (step % 4) as u8;
                    // Short and long ways, back and forth.
                    input.pointer = input
                        .pointer
                        .moved(127 - step as i16, (step as i16).wrapping_mul(900));
                }
                6 => input.option = !input.option,
                7 => _ = input.joystick(3).up(),
                _ => input.start = !input.start,
            }
            inputs.push(input);
        }
        let mut values = Vec::new();
        let kinds: Vec<u8> = inputs
            .windows(2)
            .map(|pair| change(pair[0], pair[1], &mut values))
            .collect();
        let mut values = values.into_iter();
        let mut found = Input::default();
        for (kind, wanted) in kinds.into_iter().zip(&inputs[1..]) {
            found = changed(found, kind, &mut values).unwrap();
            assert_eq!(found, *wanted);
        }
        assert_eq!(values.next(), None);
    }

    #[test]
    fn damaged_journals_are_refused() {
        let journal = Journal {
            calls: vec![(3, Call::Reset), (9, Call::Type("RUN\\n".to_owned()))],
            marks: vec![MARK; 12],
            is_complete: true,
            ..Journal::default()
        };
        let bytes = journal.to_bytes().unwrap();
        let (frames, calls) = Journal::parse(&bytes).unwrap();
        assert_eq!((frames, calls), (11, journal.calls));
        for cut in 0..bytes.len() {
            assert_eq!(Journal::parse(&bytes[..cut]), None);
        }
        let long = (MOST_FRAMES + 1, Vec::<u32>::new(), Vec::<u8>::new());
        let long = codec::encode(&(
            long.0,
            long.1,
            long.2,
            Vec::<u8>::new(),
            Vec::<(u8, Vec<u8>)>::new(),
        ));
        assert_eq!(Journal::parse(&long), None);
        let mut incomplete = journal_of_nothing();
        incomplete.give_up();
        assert_eq!(incomplete.to_bytes(), None);
    }

    fn journal_of_nothing() -> Journal {
        Journal {
            marks: vec![MARK],
            is_complete: true,
            ..Journal::default()
        }
    }
}
