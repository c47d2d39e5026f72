//! A tokenised BASIC program put into the memory of a machine at the READY prompt.
use crate::Machine;
use media::basic::Program;

const LOMEM: u16 = 0x80;
const VNTP: u16 = 0x82;
const RUNSTK: u16 = 0x8E;
const MEMTOP2: u16 = 0x90;
const APPMHI: u16 = 0x0E;
const MEMTOP: u16 = 0x02E5;

/// Reason why a program cannot be put into memory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InjectError {
    /// LOMEM does not have BASIC's value.
    #[error("BASIC does not run on this machine")]
    NoBasic,
    /// Too long.
    #[error("the program has {size} bytes, BASIC has room for {room}")]
    TooLong {
        /// Bytes of the program.
        size: usize,
        /// Bytes between LOMEM and MEMTOP.
        room: usize,
    },
}

/// # BASIC programs
impl Machine {
    /// Puts a program into BASIC's memory as LOAD leaves it: tables and text from LOMEM on, pointers in zero page. To be
    /// called while BASIC waits for a line; RUN starts the program.
    ///
    /// # Errors
    /// When BASIC is not there or the program does not fit.
    pub fn load_basic(&mut self, program: &Program) -> Result<(), InjectError> {
        let lomem = self.peek_word(LOMEM);
        if lomem < 0x0600 || self.peek_word(VNTP) < lomem {
            return Err(InjectError::NoBasic);
        }
        let image = program.image();
        let words = program.pointers().words;
        let room = usize::from(self.peek_word(MEMTOP).saturating_sub(lomem));
        let size = usize::from(words[0]) + image.len();
        if size >= room {
            return Err(InjectError::TooLong { size, room });
        }
        for (i, word) in words.into_iter().enumerate() {
            self.poke_word(VNTP + 2 * i as u16, lomem.wrapping_add(word));
        }
        let start = lomem.wrapping_add(words[0]);
        for (i, byte) in image.into_iter().enumerate() {
            self.poke(start.wrapping_add(i as u16), byte);
        }
        let starp = lomem.wrapping_add(words[5]);
        for pointer in [RUNSTK, MEMTOP2, APPMHI] {
            self.poke_word(pointer, starp);
        }
        Ok(())
    }

    fn poke_word(&mut self, address: u16, data: u16) {
        let [low, high] = data.to_le_bytes();
        self.poke(address, low);
        self.poke(address.wrapping_add(1), high);
    }
}
