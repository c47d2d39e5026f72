//! A Covox: four digital-to-analog converters (Altirra Hardware Reference Manual 12.2).
use alloc::vec::Vec;

use super::{Access, BusDevice};
use scratch::Scratch;

/// A level of the Covox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CovoxChange {
    /// Machine cycles since power-on.
    pub at: u64,
    /// The four converters; 0 and 3 are on the left, 1 and 2 on the right.
    pub levels: [u8; 4],
}

/// More changes than this that nothing takes are dropped.
const LOG_LIMIT: usize = 1 << 18;

/// The converters, at $D280-$D2FF and on XL and XE machines at $D6xx. They can only be written.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) struct Covox {
    levels: [u8; 4],
    /// Changes that have not been taken yet.
    #[serde(skip)]
    pub log: Scratch<Vec<CovoxChange>>,
}

impl Covox {
    /// All converters in the middle.
    pub fn new() -> Self {
        Self {
            levels: [0x80; 4],
            log: Scratch::default(),
        }
    }
}

impl BusDevice for Covox {
    fn peek(&self, _: Access) -> Option<u8> {
        None
    }

    fn write(&mut self, access: Access, data: u8) -> bool {
        let Access { address, now, .. } = access;
        let answers = address & 0xFF80 == 0xD280 || access.xl && address & 0xFF00 == 0xD600;
        if answers {
            self.levels[usize::from(address & 3)] = data;
            if self.log.len() >= LOG_LIMIT {
                self.log.clear();
            }
            self.log.push(CovoxChange {
                at: now,
                levels: self.levels,
            });
        }
        answers
    }
}
