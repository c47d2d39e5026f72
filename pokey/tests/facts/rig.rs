//! The chip without a machine, with its registers read and written in exact cycles.
use pokey::{Pokey, SoundChange};

pub const AUDF1: u8 = 0;
pub const AUDC1: u8 = 1;
pub const AUDF2: u8 = 2;
pub const AUDC2: u8 = 3;
pub const AUDF3: u8 = 4;
pub const AUDC3: u8 = 5;
pub const AUDF4: u8 = 6;
pub const AUDC4: u8 = 7;
pub const AUDCTL: u8 = 8;
pub const ALLPOT: u8 = 8;
pub const STIMER: u8 = 9;
pub const SKRES: u8 = 10;
pub const RANDOM: u8 = 10;
pub const POTGO: u8 = 11;
pub const SEROUT: u8 = 13;
pub const SERIN: u8 = 13;
pub const IRQEN: u8 = 14;
pub const IRQST: u8 = 14;
pub const SKCTL: u8 = 15;
pub const SKSTAT: u8 = 15;

/// The cycle of the SKCTL write that leaves initialization mode.
pub const W: u64 = 10_000;

#[derive(Clone)]
pub struct Rig {
    pub pokey: Pokey,
}

impl Rig {
    /// A chip long in initialization mode, with registers written in its last cycles, that leaves it in cycle [`W`] with
    /// this value of SKCTL.
    pub fn new(skctl: u8, registers: &[(u8, u8)]) -> Self {
        let mut pokey = Pokey::new(0);
        pokey.write(SKCTL, 0, 100);
        for (i, &(register, data)) in registers.iter().enumerate() {
            pokey.write(register, data, W - 300 + 6 * i as u64);
        }
        pokey.write(SKCTL, skctl, W);
        Self { pokey }
    }

    pub fn write(&mut self, at: u64, register: u8, data: u8) -> &mut Self {
        self.pokey.write(register, data, at);
        self
    }

    /// The value of a read in that cycle; the chip stays where it is.
    pub fn read(&self, at: u64, register: u8) -> u8 {
        self.pokey.clone().read(register, at)
    }

    /// The first cycle from `from` on, and before `limit`, in which a read shows one of these bits of IRQST active (0).
    pub fn irq(&self, bits: u8, from: u64, limit: u64) -> Option<u64> {
        let mut pokey = self.pokey.clone();
        (from..limit).find(|&at| pokey.read(IRQST, at) & bits != bits)
    }

    /// The cycles before `limit` in which an interrupt shows, when each is acknowledged in the same cycle.
    pub fn irqs(&self, bit: u8, from: u64, limit: u64) -> Vec<u64> {
        let mut pokey = self.pokey.clone();
        let enabled = pokey.written(IRQEN);
        let mut found = Vec::new();
        for at in from..limit {
            if pokey.read(IRQST, at) & bit == 0 {
                found.push(at);
                pokey.write(IRQEN, enabled & !bit, at);
                pokey.write(IRQEN, enabled, at);
            }
        }
        found
    }

    /// The changes of the sound level from cycle `from` to cycle `limit`, in half cycles from `from`.
    pub fn sound(&self, from: u64, limit: u64) -> Vec<(u64, u8)> {
        let mut pokey = self.pokey.clone();
        pokey.sync_to(limit);
        let mut changes: Vec<SoundChange> = Vec::new();
        pokey.take_sound(&mut changes);
        changes
            .iter()
            .filter(|change| change.at >= 2 * from)
            .map(|change| (change.at - 2 * from, change.level))
            .collect()
    }

    /// The level after cycle `at`.
    pub fn level(&self, at: u64) -> u8 {
        let mut pokey = self.pokey.clone();
        pokey.sync_to(at);
        pokey.sound_level()
    }
}
