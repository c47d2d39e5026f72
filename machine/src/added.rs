//! Hardware that users add to a machine: a second POKEY, a Covox, and a clock.
use alloc::boxed::Box;
use alloc::vec::Vec;
use pokey::{Pokey, SoundChange};

use crate::bus::Bus;
use crate::config::{Extras, Tv};
use crate::rtime::RTime;

/// A level of the Covox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CovoxChange {
    /// Machine cycles since power-on.
    pub at: u64,
    /// The four converters; 0 and 3 are on the left, 1 and 2 on the right (Altirra Hardware Reference Manual 12.2).
    pub levels: [u8; 4],
}

/// More changes than this that nothing takes are dropped.
const LOG_LIMIT: usize = 1 << 18;

/// The added hardware, with its state.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Added {
    /// At $D210-$D21F, and its copies. Its IRQ and its serial, keyboard and pot lines are not connected.
    pokey: Option<Pokey>,
    covox: Option<[u8; 4]>,
    clock: Option<RTime>,
    /// Output waiting to be taken; not part of the state.
    #[serde(skip)]
    log: Log,
}

#[derive(Clone, Debug, Default)]
struct Log(Vec<CovoxChange>);

impl PartialEq for Log {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Added {
    /// The added hardware of a machine at power-on; `None` in most.
    pub(crate) fn new(extras: Extras) -> Option<Box<Self>> {
        extras.any().then(|| {
            Box::new(Self {
                pokey: extras.stereo.then(|| Pokey::new(0)),
                covox: extras.covox.then_some([0x80; 4]),
                clock: extras.clock.map(RTime::new),
                log: Log::default(),
            })
        })
    }

    /// A copy at `now`: equal for machines that are equal, however lazily the chip has run.
    pub(crate) fn synced(&self, now: u64) -> Self {
        let mut copy = self.clone();
        if let Some(pokey) = &mut copy.pokey {
            pokey.sync_to(now);
        }
        copy.log.0.clear();
        copy
    }

    /// True if hardware with these extras can be in this state at `now`.
    pub(crate) fn is_valid(&self, extras: Extras, now: u64) -> bool {
        let pokey = self.pokey.as_ref();
        let clock = self.clock.as_ref();
        self.covox.is_some() == extras.covox
            && clock.is_some() == extras.clock.is_some()
            && clock.is_none_or(RTime::is_valid)
            && pokey.is_some() == extras.stereo
            && pokey.is_none_or(|p| {
                p.is_valid()
                    && p.synced_to() <= now + 1
                    && now.saturating_sub(p.synced_to()) <= 1 << 24
            })
    }
}

impl Bus {
    /// A write to $D2xx beside the machine's own POKEY; `false` when nothing is added there.
    #[cold]
    pub(crate) fn write_added(&mut self, low: u8, data: u8) -> bool {
        let now = self.now();
        let Some(added) = &mut self.added else {
            return false;
        };
        if low & 0x80 != 0 && added.covox.is_some() {
            self.write_covox(low, data);
            return true;
        }
        match &mut added.pokey {
            Some(pokey) if low & 0x10 != 0 => {
                pokey.write(low, data, now);
                true
            }
            _ => false,
        }
    }

    /// A read at $D2xx of a machine to which something is added.
    #[cold]
    pub(crate) fn read_added(&mut self, low: u8) -> u8 {
        let now = self.now();
        match self.added.as_mut().and_then(|added| added.pokey.as_mut()) {
            Some(pokey) if low & 0x10 != 0 => pokey.read(low, now),
            _ => self.io.read_pokey(low, now),
        }
    }

    pub(crate) fn peek_added(&self, low: u8) -> Option<u8> {
        let pokey = self.added.as_ref()?.pokey.as_ref()?;
        (low & 0x10 != 0).then(|| pokey.peek(low, self.now()))
    }

    /// Seconds of the machine's own clock.
    fn seconds(&self) -> u64 {
        let cycles = match self.tv {
            Tv::Ntsc => 1_789_773,
            Tv::Pal => 1_773_447,
        };
        self.now() / cycles
    }

    /// An access to the R-Time 8; `data` is the byte written. Returns the value of a read, if the clock is there.
    #[cold]
    pub(crate) fn access_clock(&mut self, low: u8, data: Option<u8>) -> Option<u8> {
        let seconds = self.seconds();
        let clock = self.added.as_mut()?.clock.as_mut()?;
        if !RTime::is_at(low) {
            return None;
        }
        Some(match data {
            Some(data) => {
                clock.write(data, seconds);
                0xFF
            }
            None => clock.read(seconds),
        })
    }

    pub(crate) fn peek_clock(&self, low: u8) -> u8 {
        let clock = self.added.as_ref().and_then(|added| added.clock.as_ref());
        match clock {
            Some(clock) if RTime::is_at(low) => clock.peek(self.seconds()),
            _ => 0xFF,
        }
    }

    /// A write to one of the Covox's converters.
    #[cold]
    pub(crate) fn write_covox(&mut self, low: u8, data: u8) {
        let at = self.now();
        let Some(added) = &mut self.added else { return };
        let Some(levels) = &mut added.covox else {
            return;
        };
        levels[usize::from(low & 3)] = data;
        let change = CovoxChange {
            at,
            levels: *levels,
        };
        let log = &mut added.log.0;
        if log.len() >= LOG_LIMIT {
            log.clear();
        }
        log.push(change);
    }
}

/// # Sound that was added
impl crate::Machine {
    /// The second POKEY, if there is one.
    pub fn second_pokey(&self) -> Option<&Pokey> {
        self.bus.added.as_ref()?.pokey.as_ref()
    }

    /// Appends the changes of the second POKEY's level since the last call; nothing without a second POKEY.
    pub fn take_second_sound(&mut self, into: &mut Vec<SoundChange>) {
        let now = self.bus.now();
        if let Some(pokey) = self.bus.added.as_mut().and_then(|a| a.pokey.as_mut()) {
            pokey.sync_to(now);
            pokey.take_sound(into);
        }
    }

    /// Appends the changes of the Covox's levels since the last call; nothing without a Covox.
    pub fn take_covox(&mut self, into: &mut Vec<CovoxChange>) {
        if let Some(added) = &mut self.bus.added {
            into.append(&mut added.log.0);
        }
    }
}
