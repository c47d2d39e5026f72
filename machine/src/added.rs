//! Devices that users add to the bus of a machine: a second POKEY, a Covox, a clock. Each is a [`BusDevice`] and a field of [`Added`].
mod covox;
mod rtime;

use alloc::boxed::Box;
use alloc::vec::Vec;
use pokey::{Pokey, SoundChange};

use crate::bus::Bus;
use crate::config::{Extras, Tv};
use covox::Covox;
pub use covox::CovoxChange;
use rtime::RTime;

/// An access that a device on the bus sees.
#[derive(Clone, Copy)]
struct Access {
    address: u16,
    /// Machine cycles since power-on.
    now: u64,
    tv: Tv,
    /// The machine is an XL or XE.
    xl: bool,
}

impl Access {
    /// Seconds of the machine's own clock.
    fn seconds(self) -> u64 {
        let cycles = match self.tv {
            Tv::Ntsc => 1_789_773,
            Tv::Pal => 1_773_447,
        };
        self.now / cycles
    }
}

/// A device on the bus beside the machine's own chips. It decodes the address itself.
trait BusDevice {
    /// The byte that a read finds, without an effect; `None` where the device does not answer.
    fn peek(&self, access: Access) -> Option<u8>;

    /// [`Self::peek`] with the effects of a read.
    fn read(&mut self, access: Access) -> Option<u8> {
        self.peek(access)
    }

    /// Takes a byte; `false` where the device does not answer.
    fn write(&mut self, access: Access, data: u8) -> bool;
}

/// The second POKEY, at $D210-$D21F and its copies. Its IRQ and its serial, keyboard and pot lines are not connected.
impl BusDevice for Pokey {
    fn peek(&self, access: Access) -> Option<u8> {
        is_second_pokey(access).then(|| Self::peek(self, access.address as u8, access.now))
    }

    fn read(&mut self, access: Access) -> Option<u8> {
        is_second_pokey(access).then(|| Self::read(self, access.address as u8, access.now))
    }

    fn write(&mut self, access: Access, data: u8) -> bool {
        let answers = is_second_pokey(access);
        if answers {
            Self::write(self, access.address as u8, data, access.now);
        }
        answers
    }
}

fn is_second_pokey(access: Access) -> bool {
    access.address & 0xFF10 == 0xD210
}

/// The added hardware, with its state.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Added {
    pokey: Option<Pokey>,
    covox: Option<Covox>,
    clock: Option<RTime>,
}

impl Added {
    /// The added hardware of a machine at power-on; `None` in most.
    pub(crate) fn new(extras: Extras) -> Option<Box<Self>> {
        extras.any().then(|| {
            Box::new(Self {
                pokey: extras.stereo.then(|| Pokey::new(0)),
                covox: extras.covox.then(Covox::new),
                clock: extras.clock.map(RTime::new),
            })
        })
    }

    /// The devices, in the order in which they are asked: the Covox is written where a copy of the second POKEY would be.
    fn devices(&mut self) -> impl Iterator<Item = &mut dyn BusDevice> {
        let covox = self
            .covox
            .as_mut()
            .map(|device| device as &mut dyn BusDevice);
        let pokey = self
            .pokey
            .as_mut()
            .map(|device| device as &mut dyn BusDevice);
        let clock = self
            .clock
            .as_mut()
            .map(|device| device as &mut dyn BusDevice);
        [covox, pokey, clock].into_iter().flatten()
    }

    /// See [`BusDevice::peek`].
    fn peek(&self, access: Access) -> Option<u8> {
        let pokey = self.pokey.as_ref().and_then(|d| BusDevice::peek(d, access));
        pokey.or_else(|| self.clock.as_ref().and_then(|d| d.peek(access)))
    }

    /// A copy at `now`: equal for machines that are equal, however lazily the chip has run.
    pub(crate) fn synced(&self, now: u64) -> Self {
        let mut copy = self.clone();
        if let Some(pokey) = &mut copy.pokey {
            pokey.sync_to(now);
        }
        if let Some(covox) = &mut copy.covox {
            covox.log.clear();
        }
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
    fn access(&self, address: u16) -> Access {
        Access {
            address,
            now: self.now(),
            tv: self.tv,
            xl: self.model.is_xl(),
        }
    }

    /// A read of added hardware; `None` where none answers.
    #[cold]
    pub(crate) fn read_added(&mut self, address: u16) -> Option<u8> {
        let access = self.access(address);
        let added = self.added.as_mut()?;
        added.devices().find_map(|device| device.read(access))
    }

    /// A write to added hardware; `false` where none answers.
    #[cold]
    pub(crate) fn write_added(&mut self, address: u16, data: u8) -> bool {
        let access = self.access(address);
        let Some(added) = &mut self.added else {
            return false;
        };
        added.devices().any(|device| device.write(access, data))
    }

    /// [`Self::read_added`] without an effect.
    pub(crate) fn peek_added(&self, address: u16) -> Option<u8> {
        self.added.as_ref()?.peek(self.access(address))
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
        if let Some(covox) = self.bus.added.as_mut().and_then(|a| a.covox.as_mut()) {
            into.append(&mut covox.log);
        }
    }
}
