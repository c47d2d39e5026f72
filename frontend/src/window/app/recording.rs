//! Recordings of the sound and of the picture.
use super::App;
use crate::animation::Animation;
use crate::{files, wav};
use session::sound::Synth;
use std::path::PathBuf;

/// Samples a second of a recording.
const RATE: f64 = 44_100.0;

/// A running recording of the sound.
pub(super) struct Recording {
    path: PathBuf,
    synth: Synth,
    samples: Vec<f32>,
}

impl App {
    /// Begins or ends recording the sound.
    pub(super) fn record_sound(&mut self) {
        if self.recording.is_some() {
            self.end_recording();
            return;
        }
        let path = self.free_name("wav");
        let machine = self.session.machine();
        let synth = Synth::new(machine.config().tv.clock(), RATE, machine.now());
        self.say(format!("recording the sound: {}", path.display()));
        self.recording = Some(Recording {
            path,
            synth,
            samples: Vec::new(),
        });
    }

    /// Begins or ends recording the picture.
    pub(super) fn record_picture(&mut self) {
        if self.animation.is_some() {
            self.end_animation();
            return;
        }
        let path = self.free_name("png");
        let rate = self.session.machine().config().tv.frame_rate();
        let begun = Animation::begin(&path, rate, self.look.rgb());
        let begun = begun.map(|animation| self.animation = Some(animation));
        self.report(begun, format!("recording the picture: {}", path.display()));
    }

    /// Adds the frame that has just been run.
    pub(super) fn record_frame(&mut self) {
        let machine = self.session.machine();
        if let Some(recording) = &mut self.recording {
            recording
                .synth
                .render(&self.changes, machine.now(), &mut recording.samples);
        }
        if let Some(animation) = &mut self.animation
            && let Err(error) = animation.frame(machine.frame())
        {
            self.animation = None;
            self.say(error.to_string());
        }
    }

    /// Writes the sound that has been recorded.
    pub(super) fn end_recording(&mut self) {
        let Some(recording) = self.recording.take() else {
            return;
        };
        let samples: Vec<i16> = recording
            .samples
            .iter()
            .map(|s| (s * 32_767.0) as i16)
            .collect();
        let written = files::write(&recording.path, &wav::file(RATE as u32, &samples));
        self.report(written, format!("recorded: {}", recording.path.display()));
    }

    /// Ends the recording of the picture.
    pub(super) fn end_animation(&mut self) {
        if let Some(animation) = self.animation.take() {
            let path = animation.path().display().to_string();
            let ended = animation.end().map(|_| ());
            self.report(ended, format!("recorded: {path}"));
        }
    }
}
