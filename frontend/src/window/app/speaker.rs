//! The machine's sound on its way to the sound card.
#[cfg(feature = "sound")]
use crate::sound::output::Output;
use machine::{Machine, SoundChange};
use session::Session;
use session::sound::Heard;
use std::time::{Duration, Instant};
use ui::debugger::voices::Double;

/// Time between two looks for a sound card that has gone.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// The sound card, and what it is given.
#[derive(Default)]
pub(super) struct Speaker {
    /// The changes of the sound in the frame that was run last.
    pub heard: Heard,
    #[cfg(feature = "sound")]
    output: Option<Output>,
    mute: bool,
    /// When a sound card that has gone was last looked for.
    looked: Option<Instant>,
    /// The synthesiser that makes the sound while some voices are not to be heard.
    double: Option<Double>,
}

impl Speaker {
    /// Without a sound card.
    pub fn new(mute: bool) -> Self {
        Self {
            mute,
            ..Self::default()
        }
    }

    /// Opens the sound card.
    ///
    /// # Errors
    /// Why there is no sound.
    #[cfg(feature = "sound")]
    pub fn open(&mut self, machine: &Machine, volume: u8) -> Result<(), String> {
        self.output = Some(Output::open(machine)?);
        self.looked = None;
        self.set_volume(volume);
        self.set_mute(self.mute);
        Ok(())
    }

    /// A build without sound.
    #[cfg(not(feature = "sound"))]
    pub fn open(&mut self, _: &Machine, _: u8) -> Result<(), String> {
        Ok(())
    }

    /// True if the sound card has gone since the last call.
    pub fn has_lost(&mut self) -> bool {
        #[cfg(feature = "sound")]
        if self.output.take_if(|output| output.has_stopped()).is_some() {
            self.looked = Some(Instant::now());
            return true;
        }
        false
    }

    /// True if it is time to look again for a sound card that has gone.
    pub fn looks_again(&mut self) -> bool {
        let due = self
            .looked
            .is_some_and(|looked| looked.elapsed() >= LOOK_AGAIN);
        if due {
            self.looked = Some(Instant::now());
        }
        due
    }

    /// True if the user wants silence.
    pub fn is_mute(&self) -> bool {
        self.mute
    }

    /// True if there is a sound card, or a build that wants none.
    pub fn is_open(&self) -> bool {
        #[cfg(feature = "sound")]
        return self.output.is_some();
        #[cfg(not(feature = "sound"))]
        true
    }

    /// Silence from now on, or sound.
    pub fn set_mute(&mut self, mute: bool) {
        self.mute = mute;
        #[cfg(feature = "sound")]
        if let Some(output) = &mut self.output {
            output.mute = mute;
        }
    }

    /// The volume, 0 to 100.
    pub fn set_volume(&mut self, volume: u8) {
        #[cfg(feature = "sound")]
        if let Some(output) = &mut self.output {
            output.volume = f32::from(volume) / 100.0;
        }
        #[cfg(not(feature = "sound"))]
        let _ = volume;
    }

    /// The machine's time is not what it was a frame ago.
    pub fn restart(&mut self, session: &mut Session) {
        self.double = None;
        self.heard.take(session);
        #[cfg(feature = "sound")]
        if let Some(output) = &mut self.output {
            output.restart(session.machine());
        }
    }

    /// Takes the sound of the frame that was just run. Of the voices that are `muted` nothing is heard; `start` is the machine when the
    /// frame began, where there are such.
    pub fn take(&mut self, session: &mut Session, muted: u8, start: Option<Machine>) {
        self.heard.take(session);
        let machine = session.machine();
        let now = machine.now();
        let Some(start) = start else {
            if self.double.take().is_some() {
                // All are heard again, from the level on that the machine has now.
                let at = 2 * now;
                let level = machine.bus().io.pokey.sound_level();
                self.heard.first.push(SoundChange { at, level });
                if let Some(pokey) = machine.second_pokey() {
                    let level = pokey.sound_level();
                    self.heard.second.push(SoundChange { at, level });
                }
            }
            return;
        };
        let fits = |double: &Double| double.muted() == muted;
        let mut double = self
            .double
            .take()
            .filter(fits)
            .unwrap_or_else(|| Double::new(&start, muted));
        [self.heard.first, self.heard.second] = double.run(start, now);
        self.double = Some(double);
    }

    /// The machine stands still: the sound card may sleep until the next frame.
    pub fn rest(&mut self) {
        #[cfg(feature = "sound")]
        if let Some(output) = &mut self.output {
            output.rest();
        }
    }

    /// Plays the frame whose sound was taken, or nothing at full speed. The machine runs `speed` times as fast as its own clock.
    pub fn play(&mut self, machine: &Machine, turbo: bool, speed: f64) {
        #[cfg(feature = "sound")]
        if let Some(output) = &mut self.output {
            if turbo {
                // Sound many times as fast is noise.
                output.restart(machine);
            } else {
                output.speed = speed;
                output.frame(&self.heard, machine.now());
            }
        }
        #[cfg(not(feature = "sound"))]
        let _ = (machine, turbo, speed);
    }
}
