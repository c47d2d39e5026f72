//! Keys that a person presses, one after the other for the Atari, whose keyboard has room for one.
use crate::keys::SHIFT;
use crate::typist::Pace;
use machine::Input;
use std::collections::VecDeque;

/// Presses that wait at most: more than a person is ahead of the machine.
const MOST: usize = 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Press<S> {
    /// `None`: a key that goes up by itself.
    source: Option<S>,
    code: u8,
}

/// Keys of a person who types faster than the Atari looks: each is held long enough to be seen, with a pause to the next one. `S` says which key of
/// the host it is.
///
/// ```
/// use session::KeyQueue;
///
/// let mut keys = KeyQueue::default();
/// keys.press('a', 0x3F);
/// keys.release(&'a');
/// keys.press('b', 0x15);
/// let mut input = machine::Input::default();
/// let mut frame = || {
///     keys.frame(false, &mut input);
///     input.key
/// };
/// let frames: Vec<_> = (0..5).map(|_| frame()).collect();
/// assert_eq!(frames, [Some(0x3F), Some(0x3F), None, Some(0x15), Some(0x15)]);
/// ```
#[derive(Clone, Debug)]
pub struct KeyQueue<S> {
    waiting: VecDeque<Press<S>>,
    /// The key that is down, and the frames for which it has been.
    down: Option<(Press<S>, u32)>,
    /// Frames without a key that are left.
    gap: u32,
}

impl<S> Default for KeyQueue<S> {
    fn default() -> Self {
        Self {
            waiting: VecDeque::new(),
            down: None,
            gap: 0,
        }
    }
}

impl<S> KeyQueue<S> {
    /// A key goes down, with its KBCODE. One that comes when too many wait is dropped.
    pub fn press(&mut self, source: S, code: u8) {
        let source = Some(source);
        self.push(Press { source, code });
    }

    /// A key goes down and up.
    pub fn tap(&mut self, code: u8) {
        let source = None;
        self.push(Press { source, code });
    }

    fn push(&mut self, press: Press<S>) {
        if self.waiting.len() < MOST {
            self.waiting.push_back(press);
        }
    }

    /// A key goes up.
    pub fn release<T: ?Sized>(&mut self, source: &T)
    where
        S: PartialEq<T>,
    {
        let down = self.down.iter_mut().map(|(press, _)| press);
        for press in self.waiting.iter_mut().chain(down) {
            press.source.take_if(|of| *of == *source);
        }
    }

    /// Lets go of everything.
    pub fn clear(&mut self) {
        self.waiting.clear();
        self.down = None;
    }

    /// Called before each frame: puts the key that is down during it into `input`, and SHIFT, whose key of the host is `shift`.
    pub fn frame(&mut self, shift: bool, input: &mut Input) {
        input.key = self.next();
        // A fast typist is at the next key's SHIFT already while this key is still being shown to the machine.
        input.shift = match input.key {
            Some(code) => code & SHIFT != 0,
            None => self.waiting.is_empty() && shift,
        };
    }

    /// The key of the coming frame. A key is let go of for the next one as soon as it has been seen, although it may be down: people who type fast press the
    /// next key before.
    fn next(&mut self) -> Option<u8> {
        let pace = Pace::default();
        if let Some((press, frames)) = &mut self.down {
            let next = self.waiting.front();
            if *frames >= pace.held && (press.source.is_none() || next.is_some()) {
                let same = next.is_some_and(|next| next.code == press.code);
                self.gap = if same { pace.gap_same } else { pace.gap };
                self.down = None;
            } else {
                *frames = frames.saturating_add(1);
            }
        }
        if self.down.is_none() {
            if self.gap > 0 {
                self.gap -= 1;
                return None;
            }
            self.down = self.waiting.pop_front().map(|press| (press, 1));
        }
        self.down.as_ref().map(|(press, _)| press.code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_key_twice_has_the_pause_that_the_os_needs() {
        let mut keys = KeyQueue::default();
        keys.tap(0x3F);
        keys.press(1, 0x3F);
        let frames: Vec<_> = (0..12).map(|_| keys.next().is_some()).collect();
        let pause = frames[2..].iter().take_while(|down| !**down).count();
        assert_eq!(pause, 5);
        // The second one is held until it is let go of.
        assert!(frames[7..].iter().all(|down| *down));
        keys.release(&1);
        assert_eq!(keys.next(), None);
    }

    #[test]
    fn no_more_wait_than_there_is_room_for() {
        let mut keys = KeyQueue::default();
        (0..2000).for_each(|source| keys.press(source, 0x3F));
        (0..2000).for_each(|source| keys.release(&source));
        let held = (0..10_000).filter(|_| keys.next().is_some()).count();
        assert_eq!(held, 2 * MOST);
    }
}
