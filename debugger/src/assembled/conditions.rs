//! Conditions: `.if` to `.endif`.

/// Conditions within one another.
const DEPTH: usize = 64;

/// The state of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// None of its parts has been taken yet.
    Waiting,
    /// This part is taken.
    Taken,
    /// A part before was taken, or the condition lies in lines that are left out.
    Done,
}

/// The conditions around a line.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    open: Vec<State>,
    /// The last of them is in its `.else`.
    otherwise: Vec<bool>,
}

impl Conditions {
    /// True if the lines here are left out.
    pub(super) fn skips(&self) -> bool {
        self.open.last().is_some_and(|state| *state != State::Taken)
    }

    /// Number of conditions that are open.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// True if `.elseif` has to know its value.
    pub(super) fn asks(&self) -> bool {
        self.open.last() == Some(&State::Waiting)
    }

    /// Begins a condition; `None` where its value does not matter, because these lines are left out.
    pub(super) fn begin(&mut self, value: Option<bool>) -> Result<(), String> {
        if self.open.len() >= DEPTH {
            return Err(format!("more than {DEPTH} conditions lie in one another"));
        }
        self.open.push(match value {
            Some(true) => State::Taken,
            Some(false) => State::Waiting,
            None => State::Done,
        });
        self.otherwise.push(false);
        Ok(())
    }

    /// Begins the next part of a condition, `.elseif` with its value or `.else`.
    pub(super) fn next(&mut self, value: bool, is_last: bool) -> Result<(), String> {
        let (Some(state), Some(otherwise)) = (self.open.last_mut(), self.otherwise.last_mut())
        else {
            return Err("there is no .if before it".to_owned());
        };
        if *otherwise {
            return Err("it follows an .else".to_owned());
        }
        *otherwise = is_last;
        *state = match *state {
            State::Waiting if value => State::Taken,
            State::Waiting => State::Waiting,
            State::Taken | State::Done => State::Done,
        };
        Ok(())
    }

    /// Ends a condition.
    pub(super) fn end(&mut self) -> Result<(), String> {
        self.otherwise.pop();
        let ended = self.open.pop();
        ended
            .map(|_| ())
            .ok_or_else(|| "there is no .if before it".to_owned())
    }
}
