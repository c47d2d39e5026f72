//! Back in time: compressed states of the last minute.
use std::collections::VecDeque;

/// Frames from one state to the next.
pub const EVERY: u64 = 4;
/// States kept: a minute.
const STATES: usize = 900;
/// Bytes kept at most.
const BYTES: usize = 96 << 20;

/// The states, oldest first.
#[derive(Debug, Default)]
pub struct Rewind {
    states: VecDeque<Vec<u8>>,
    bytes: usize,
}

impl Rewind {
    /// Keeps a state; the oldest ones go.
    pub fn push(&mut self, state: &[u8]) {
        let packed = lz4_flex::compress_prepend_size(state);
        self.bytes += packed.len();
        self.states.push_back(packed);
        while self.states.len() > STATES || self.bytes > BYTES {
            if let Some(old) = self.states.pop_front() {
                self.bytes -= old.len();
            }
        }
    }

    /// Takes back the youngest state.
    pub fn pop(&mut self) -> Option<Vec<u8>> {
        let packed = self.states.pop_back()?;
        self.bytes -= packed.len();
        lz4_flex::decompress_size_prepended(&packed).ok()
    }

    /// Forgets everything: another program was started.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_come_back_youngest_first_and_the_oldest_go() {
        let mut rewind = Rewind::default();
        for i in 0..1000u32 {
            rewind.push(&i.to_le_bytes().repeat(100));
        }
        assert_eq!(rewind.states.len(), STATES);
        for i in (100..1000u32).rev() {
            assert_eq!(rewind.pop(), Some(i.to_le_bytes().repeat(100)));
        }
        assert_eq!(rewind.pop(), None);
        assert_eq!(rewind.bytes, 0);
    }
}
