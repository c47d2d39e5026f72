//! Recordings of the sound and of the picture.
use super::App;
use crate::animation::Animation;
use crate::wav::Wav;
use host::failure::Failure;
use host::files::Growing;
use machine::Machine;
use session::picture::Look;
use session::sound::{Heard, Mixer};
use std::path::PathBuf;

/// Samples a second of a recording.
const RATE: u32 = 44_100;

/// A running recording of the sound.
struct Sound {
    wav: Wav,
    mixer: Mixer,
    samples: Vec<[f32; 2]>,
}

/// What is being recorded.
#[derive(Default)]
pub(super) struct Recordings {
    sound: Option<Sound>,
    picture: Option<Animation>,
}

impl Recordings {
    /// True if the sound is recorded.
    pub fn has_sound(&self) -> bool {
        self.sound.is_some()
    }

    /// True if the picture is recorded.
    pub fn has_picture(&self) -> bool {
        self.picture.is_some()
    }

    fn begin_sound(&mut self, file: Growing, machine: &Machine) -> Result<PathBuf, Failure> {
        let mixer = Mixer::new(machine, f64::from(RATE));
        let wav = Wav::begin(file, RATE, mixer.is_stereo())?;
        let path = wav.path().to_owned();
        self.sound = Some(Sound {
            wav,
            mixer,
            samples: Vec::new(),
        });
        Ok(path)
    }

    fn begin_picture(
        &mut self,
        file: Growing,
        machine: &Machine,
        look: &Look,
    ) -> Result<PathBuf, Failure> {
        let rate = machine.config().tv.frame_rate();
        let animation = Animation::begin(file, rate, look.rgb())?;
        let path = animation.path().to_owned();
        self.picture = Some(animation);
        Ok(path)
    }

    /// Adds the frame that has just been run.
    fn frame(&mut self, machine: &Machine, heard: &Heard) -> Result<(), Failure> {
        let mut done = Ok(());
        if let Some(Sound {
            wav,
            mixer,
            samples,
        }) = &mut self.sound
        {
            samples.clear();
            mixer.render(heard, machine.now(), samples);
            done = wav.add_frames(samples);
            if done.is_err() {
                self.sound = None;
            }
        }
        if let Some(animation) = &mut self.picture
            && let Err(error) = animation.frame(machine.frame())
        {
            self.picture = None;
            done = Err(error);
        }
        done
    }

    /// Ends the recording of the sound; its file.
    fn end_sound(&mut self) -> Option<Result<PathBuf, Failure>> {
        self.sound.take().map(|sound| sound.wav.end())
    }

    /// Ends the recording of the picture; its file.
    fn end_picture(&mut self) -> Option<Result<PathBuf, Failure>> {
        self.picture.take().map(Animation::end)
    }
}

impl App {
    /// Begins or ends recording the sound.
    pub(super) fn record_sound(&mut self) {
        if self.recordings.has_sound() {
            self.end_sound();
            return;
        }
        let file = self.free_file("wav");
        let machine = self.started.session.machine();
        let begun = file.and_then(|file| self.recordings.begin_sound(file, machine));
        self.report(begun, |path| {
            format!("recording the sound: {}", path.display())
        });
    }

    /// Begins or ends recording the picture.
    pub(super) fn record_picture(&mut self) {
        if self.recordings.has_picture() {
            self.end_picture();
            return;
        }
        let file = self.free_file("png");
        let machine = self.started.session.machine();
        let look = self.presentation.display.look();
        let begun = file.and_then(|file| self.recordings.begin_picture(file, machine, look));
        self.report(begun, |path| {
            format!("recording the picture: {}", path.display())
        });
    }

    /// Adds the frame that has just been run.
    pub(super) fn record_frame(&mut self) {
        let machine = self.started.session.machine();
        if let Err(error) = self.recordings.frame(machine, &self.speaker.heard) {
            self.say(format!("the recording ended: {error}"));
        }
    }

    /// Ends the recording of the sound.
    pub(super) fn end_sound(&mut self) {
        if let Some(ended) = self.recordings.end_sound() {
            self.report(ended, |path| format!("recorded: {}", path.display()));
        }
    }

    /// Ends the recording of the picture.
    pub(super) fn end_picture(&mut self) {
        if let Some(ended) = self.recordings.end_picture() {
            self.report(ended, |path| format!("recorded: {}", path.display()));
        }
    }
}
