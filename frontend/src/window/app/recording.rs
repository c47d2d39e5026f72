//! Recordings of the sound and of the picture.
use super::App;
use crate::animation::Animation;
use crate::failure::Failure;
use crate::wav::Wav;
use session::sound::Mixer;
use std::path::PathBuf;

/// Samples a second of a recording.
const RATE: u32 = 44_100;

/// A running recording of the sound.
pub(super) struct Recording {
    wav: Wav,
    mixer: Mixer,
    samples: Vec<[f32; 2]>,
}

impl App {
    /// Begins or ends recording the sound.
    pub(super) fn record_sound(&mut self) {
        if self.recording.is_some() {
            self.end_recording();
            return;
        }
        let mixer = Mixer::new(self.session.machine(), f64::from(RATE));
        let begun = self
            .free_file("wav")
            .and_then(|file| Wav::begin(file, RATE, mixer.is_stereo()));
        let begun = begun.map(|wav| {
            let path = wav.path().to_owned();
            self.recording = Some(Recording {
                wav,
                mixer,
                samples: Vec::new(),
            });
            path
        });
        self.report(begun, |path: PathBuf| {
            format!("recording the sound: {}", path.display())
        });
    }

    /// Begins or ends recording the picture.
    pub(super) fn record_picture(&mut self) {
        if self.animation.is_some() {
            self.end_animation();
            return;
        }
        let rate = self.session.machine().config().tv.frame_rate();
        let file = self.free_file("png");
        let begun = file.and_then(|file| Animation::begin(file, rate, self.display.look().rgb()));
        let begun = begun.map(|animation| {
            let path = animation.path().to_owned();
            self.animation = Some(animation);
            path
        });
        self.report(begun, |path: PathBuf| {
            format!("recording the picture: {}", path.display())
        });
    }

    /// Adds the frame that has just been run.
    pub(super) fn record_frame(&mut self) {
        let machine = self.session.machine();
        let mut failed: Option<Failure> = None;
        if let Some(recording) = &mut self.recording {
            recording.samples.clear();
            recording
                .mixer
                .render(&self.heard, machine.now(), &mut recording.samples);
            failed = recording.wav.add_frames(&recording.samples).err();
        }
        if failed.is_some() {
            self.recording = None;
        }
        if let Some(animation) = &mut self.animation
            && let Err(error) = animation.frame(machine.frame())
        {
            self.animation = None;
            failed = Some(error);
        }
        if let Some(error) = failed {
            self.say(format!("the recording ended: {error}"));
        }
    }

    /// Ends the recording of the sound.
    pub(super) fn end_recording(&mut self) {
        if let Some(recording) = self.recording.take() {
            let ended = recording.wav.end();
            self.report(ended, |path| format!("recorded: {}", path.display()));
        }
    }

    /// Ends the recording of the picture.
    pub(super) fn end_animation(&mut self) {
        if let Some(animation) = self.animation.take() {
            let ended = animation.end();
            self.report(ended, |path| format!("recorded: {}", path.display()));
        }
    }
}
