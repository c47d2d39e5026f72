//! Roles of the host's arrow keys and space bar: keys that type, or joystick 1.
//!
//! They type until the program reads a joystick. A probe observes its reads in some frames; the machine runs as it does without.
//!
//! | seen | arrows | Space |
//! | --- | --- | --- |
//! | the OS waits for a key: code in its ROM reads CH again and again | type | types |
//! | the program reads PORTA, TRIG0, TRIG1 or their shadows | joystick | trigger |
//! | and it also polls the keyboard, handles its IRQ, or has waited for a key in the last ten seconds | joystick | trigger, and types |
//! | the program polls the keyboard only | type | types |
//! | neither | as before | as before |
use crate::typist::CH;
use machine::{Bus, Machine, Probe};

/// Role of arrow keys and space bar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum HostKeys {
    /// Every key types.
    #[default]
    Typing,
    /// The arrows are joystick 1, right Ctrl and Space its trigger.
    Stick,
    /// As [`Self::Stick`], and Space types as well. Never a choice of the user.
    StickAndSpace,
    /// As [`Self::Stick`], and W A S D with left Ctrl are joystick 2.
    Sticks,
}

impl HostKeys {
    /// Roles that a user can choose.
    pub const CHOICES: [Self; 3] = [Self::Typing, Self::Stick, Self::Sticks];

    /// The name on the command line and, after `keys=`, in the table of needs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Typing => "type",
            Self::Stick => "stick",
            Self::StickAndSpace => "stick-and-space",
            Self::Sticks => "sticks",
        }
    }

    /// The choice of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::CHOICES.into_iter().find(|keys| keys.name() == name)
    }

    /// True if the arrows are a joystick.
    pub fn has_stick(self) -> bool {
        self != Self::Typing
    }

    /// The choice after `choice` where one key goes through all of them, while the keys are `self`; `None`: as the program wants them.
    /// The first step always changes the role of the arrows.
    #[must_use]
    pub fn next_choice(self, choice: Option<Self>) -> Option<Self> {
        match choice {
            None if self.has_stick() => Some(Self::Typing),
            None | Some(Self::Typing) => Some(Self::Stick),
            Some(Self::Stick | Self::StickAndSpace) => Some(Self::Sticks),
            Some(Self::Sticks) => None,
        }
    }
}

/// STICK0 and STICK1, the shadows of PORTA.
const STICKS: std::ops::RangeInclusive<u16> = 0x0278..=0x0279;
/// STRIG0 and STRIG1, the shadows of TRIG0 and TRIG1.
const TRIGGERS: std::ops::RangeInclusive<u16> = 0x0284..=0x0285;
/// All shadows of PORTA, PORTB and TRIG: STICK0 to STRIG3.
const SHADOWS: std::ops::RangeInclusive<u16> = 0x0278..=0x0287;
/// VKEYBD: the handler of the keyboard's IRQ.
const VKEYBD: u16 = 0x0208;
/// The lowest address of an OS, in ROM or copied to RAM.
const OS: u16 = 0xC000;
/// A vertical-blank handler stores a joystick in its shadow within this many cycles.
const COPIED: u64 = 64;

/// Reads of keyboard and joysticks in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Looks {
    /// Reads of CH by any code.
    pub ch: u32,
    /// Reads of CH by code in the OS ROM.
    waits: u32,
    /// Reads of the keyboard (CH, KBCODE, SKSTAT) by the program.
    polls: u32,
    /// Reads of a joystick by the program.
    sticks: u32,
    /// A read by an OS in RAM, which may be about to store it in a shadow: the cycle.
    unsettled: Option<u64>,
}

impl Probe for Looks {
    const FETCHES: bool = false;

    fn cycle(&mut self, cpu: &cpu6502::Cpu, bus: &Bus) -> bool {
        let address = cpu.next_address();
        let chip = address & 0xFF00;
        if !matches!(chip, 0x0200 | 0xD000 | 0xD200 | 0xD300) {
            return false;
        }
        if cpu.next_is_write() {
            if SHADOWS.contains(&address) {
                self.unsettled = self.unsettled.filter(|at| bus.now() - at > COPIED);
                self.settle(bus.now());
            }
            return false;
        }
        if cpu.at_instruction_start() || !loads(cpu.opcode()) {
            return false;
        }
        let is_ch = address == CH;
        self.ch += u32::from(is_ch);
        let is_stick = STICKS.contains(&address)
            || TRIGGERS.contains(&address)
            || chip == 0xD000 && matches!(address & 0x1F, 0x10 | 0x11)
            || chip == 0xD300 && address & 3 == 0;
        let is_key = is_ch || chip == 0xD200 && matches!(address & 0x0F, 9 | 15);
        if !is_stick && !is_key {
            return false;
        }
        let code = cpu.instruction();
        if is_os_rom(bus, code) {
            self.waits += u32::from(is_ch);
        } else if is_key {
            self.polls += 1;
        } else if code < OS {
            self.sticks += 1;
        } else {
            self.settle(bus.now());
            self.unsettled = Some(bus.now());
        }
        false
    }
}

impl Looks {
    /// Counts a read that was not stored in a shadow in time.
    fn settle(&mut self, now: u64) {
        if self.unsettled.take_if(|at| now - *at > COPIED).is_some() {
            self.sticks += 1;
        }
    }
}

/// True for instructions that read their operand and do nothing else to it. The dummy reads of stores do not count: a loop that clears GTIA's
/// registers makes some of TRIG0.
fn loads(opcode: u8) -> bool {
    match opcode & 3 {
        // ORA AND EOR ADC, not STA, LDA CMP SBC.
        1 => opcode & 0xE0 != 0x80,
        // BIT LDY CPY CPX.
        0 => matches!(opcode, 0x2C | 0xAC | 0xBC | 0xCC | 0xEC),
        // LDX, LAX.
        _ => matches!(opcode, 0xAE | 0xBE | 0xA3 | 0xAF | 0xB3 | 0xBF),
    }
}

/// True if code at this address is in the OS ROM.
fn is_os_rom(bus: &Bus, code: u16) -> bool {
    if bus.model.is_xl() {
        code >= OS && bus.memory.portb() & 1 != 0
    } else {
        code >= 0xD800
    }
}

/// Frames between two reads of a joystick that show that the program wants one: a program that copies page 2 once does not play.
const PLAY: u64 = 16;
/// Frames for which a read of a joystick, a poll of the keyboard or a wait for a key is remembered: a BASIC program may take a second from one
/// to the next, and after a wait more keys may be on their way.
const RECENT: u64 = 600;
/// Frames from a program's start in which every second one is watched; later one in eight is, until something is seen.
const EARLY: u64 = 1800;
/// In a frame of waiting, the OS reads CH several hundred times; less one in which the wait begins or ends.
const WAITS: u32 = 20;

/// Everything that changes in a [`KeyWatch`] while the machine runs.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Watched {
    seen: HostKeys,
    sticks: Option<(u64, u64)>,
    key: Option<u64>,
    close: u64,
}

/// Derives the role of the keys from the reads of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyWatch {
    /// A face has keys that depend on it.
    pub on: bool,
    /// The user's choice.
    pub choice: Option<HostKeys>,
    seen: HostKeys,
    /// Frames, from 1, of the first and the last of recent reads of a joystick.
    sticks: Option<(u64, u64)>,
    /// Frame of the last poll of the keyboard, or of the last wait for a key.
    key: Option<u64>,
    /// Until this frame the machine is watched closely.
    close: u64,
}

impl KeyWatch {
    /// The present role of the keys.
    pub fn keys(&self) -> HostKeys {
        self.choice.unwrap_or(self.seen)
    }

    /// True if the probe is wanted in this frame. The frames are at no fixed distance: a program may read in each second, third or fourth.
    pub fn wants(&self, frame: u64) -> bool {
        if !self.on || self.choice.is_some() {
            return false;
        }
        let undecided = self.sticks.is_some_and(|(first, last)| last - first < PLAY);
        if undecided || frame < self.close {
            (frame ^ frame >> 2) & 1 == 0
        } else {
            (frame + (frame >> 3)) & 7 == 0
        }
    }

    /// The state of the watch up to now.
    pub fn seen(&self) -> Watched {
        Watched {
            seen: self.seen,
            sticks: self.sticks,
            key: self.key,
            close: self.close,
        }
    }

    /// Continues from what had been seen at another moment.
    pub fn resume(&mut self, seen: Watched) {
        (self.seen, self.sticks) = (seen.seen, seen.sticks);
        (self.key, self.close) = (seen.key, seen.close);
    }

    /// The machine has become another one: the same reads may come again, or others.
    pub fn clear_reads(&mut self, frame: u64) {
        (self.sticks, self.key, self.close) = (None, None, frame + EARLY);
    }

    /// Another program begins, for which the user has made this choice.
    pub fn begin(&mut self, choice: Option<HostKeys>, frame: u64) {
        self.choice = choice;
        self.seen = HostKeys::default();
        self.clear_reads(frame);
    }

    /// Takes the reads of a frame in which the probe was there.
    pub fn frame(&mut self, frame: u64, mut looks: Looks, machine: &Machine) {
        looks.settle(u64::MAX);
        let recent = |at: u64| frame - at < RECENT;
        let waits = looks.waits >= WAITS;
        let handles = looks.sticks > 0 && (0x0200..OS).contains(&machine.peek_word(VKEYBD));
        if waits || looks.polls > 0 || handles {
            self.key = Some(frame);
        }
        if waits {
            self.sticks = None;
            self.seen = HostKeys::Typing;
            return;
        }
        self.sticks = self.sticks.filter(|sticks| recent(sticks.1));
        if looks.sticks > 0 {
            let first = self.sticks.map_or(frame, |sticks| sticks.0);
            self.sticks = Some((first, frame));
        }
        let has_keys = self.key.is_some_and(recent);
        self.seen = match self.sticks {
            Some((first, last)) if last - first >= PLAY => {
                if has_keys {
                    HostKeys::StickAndSpace
                } else {
                    HostKeys::Stick
                }
            }
            None if has_keys => HostKeys::Typing,
            _ => self.seen,
        };
    }
}
