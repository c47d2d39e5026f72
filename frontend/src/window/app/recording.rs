//! Recordings of the sound and of the picture, and GIFs.
use super::App;
use crate::animation::{Animation, Form};
use crate::gif::{self, Past};
use crate::video::{RATE, Video};
use crate::wav::Wav;
use host::config::{Action, VideoForm};
use host::failure::Failure;
use host::files::Growing;
use host::scaler::{self, Shaped};
use machine::{Machine, Tv};
use session::sound::{Heard, Mixer};
use session::timeline::Moment;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

/// Seconds of the past in a GIF that was not begun by a key.
const LAST: f64 = 10.0;
/// Multiples of the picture's lines in a GIF where the settings do not say.
const GIF_SCALE: usize = 2;
/// GIFs that are written at the same time.
const GIFS: usize = 2;

/// The sound as samples for a file.
struct Ear {
    mixer: Mixer,
    samples: Vec<[f32; 2]>,
}

impl Ear {
    fn new(machine: &Machine) -> Self {
        Self {
            mixer: Mixer::new(machine, f64::from(RATE)),
            samples: Vec::new(),
        }
    }

    /// The samples of the frame that has just been run.
    fn hear(&mut self, machine: &Machine, heard: &Heard) -> &[[f32; 2]] {
        self.samples.clear();
        self.mixer.render(heard, machine.now(), &mut self.samples);
        &self.samples
    }
}

/// A running recording of the sound.
struct Sound {
    wav: Wav,
    ear: Ear,
}

/// A running recording of the picture.
enum Picture {
    /// Animated PNG.
    Png(Box<Animation>),
    /// MP4 with sound.
    Mp4(Box<(Video, Ear)>),
}

impl Picture {
    fn path(&self) -> &Path {
        match self {
            Self::Png(animation) => animation.path(),
            Self::Mp4(both) => both.0.path(),
        }
    }

    fn frame(&mut self, machine: &Machine, heard: &Heard) -> Result<(), Failure> {
        match self {
            Self::Png(animation) => animation.frame(machine.frame()),
            Self::Mp4(both) => {
                let (video, ear) = &mut **both;
                video.frame(machine.frame(), ear.hear(machine, heard))
            }
        }
    }

    fn end(self) -> Result<PathBuf, Failure> {
        match self {
            Self::Png(animation) => animation.end(),
            Self::Mp4(both) => both.0.end(),
        }
    }
}

/// The recordings that are running.
#[derive(Default)]
pub(super) struct Recordings {
    sound: Option<Sound>,
    /// With the television system that its times are those of.
    picture: Option<(Tv, Picture)>,
    /// The moment at which the next GIF begins.
    gif_from: Option<Moment>,
    /// GIFs that are being written.
    gifs: Vec<JoinHandle<Result<PathBuf, Failure>>>,
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

    /// True if a GIF has been begun.
    pub fn has_gif(&self) -> bool {
        self.gif_from.is_some()
    }

    fn begin_sound(&mut self, file: Growing, machine: &Machine) -> Result<PathBuf, Failure> {
        let ear = Ear::new(machine);
        let wav = Wav::begin(file, RATE, ear.mixer.is_stereo())?;
        let path = wav.path().to_owned();
        self.sound = Some(Sound { wav, ear });
        Ok(path)
    }

    /// Adds the frame that has just been run.
    fn frame(&mut self, machine: &Machine, heard: &Heard) -> Result<(), Failure> {
        let mut done = Ok(());
        if let Some(Sound { wav, ear }) = &mut self.sound {
            done = wav.add_frames(ear.hear(machine, heard));
            if done.is_err() {
                self.sound = None;
            }
        }
        if let Some((_, picture)) = &mut self.picture
            && let Err(error) = picture.frame(machine, heard)
        {
            self.picture = None;
            done = Err(error);
        }
        done
    }

    /// The machine's time is not what it was a frame ago: the video's sound is heard from here on.
    fn jump(&mut self, machine: &Machine) {
        if let Some((_, Picture::Mp4(both))) = &mut self.picture {
            both.1 = Ear::new(machine);
        }
    }

    /// Ends the recording of the sound; its file.
    fn end_sound(&mut self) -> Option<Result<PathBuf, Failure>> {
        self.sound.take().map(|sound| sound.wav.end())
    }

    /// Ends the recording of the picture; its file.
    fn end_picture(&mut self) -> Option<Result<PathBuf, Failure>> {
        self.picture.take().map(|(_, picture)| picture.end())
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
        let begun = self.begin_picture();
        self.report(begun, |path| {
            format!("recording the picture: {}", path.display())
        });
    }

    fn begin_picture(&mut self) -> Result<PathBuf, Failure> {
        let machine = self.started.session.machine();
        let tv = machine.config().tv;
        let look = self.presentation.display.look().clone();
        let picture = match self.config.video {
            VideoForm::Png => {
                let form = Form::new(&look, self.shape());
                let file = self.free_file("png")?;
                Picture::Png(Box::new(Animation::begin(file, tv.frame_rate(), form)?))
            }
            VideoForm::Mp4 => {
                let ear = Ear::new(machine);
                let (window, stereo) = (&self.config.window, ear.mixer.is_stereo());
                let video = Video::begin(self.free_file("mp4")?, tv, look, window, stereo)?;
                Picture::Mp4(Box::new((video, ear)))
            }
        };
        let path = picture.path().to_owned();
        self.recordings.picture = Some((tv, picture));
        Ok(path)
    }

    /// After a jump in the machine's time. A recording of the picture ends where the television system is another one.
    pub(super) fn jump_recordings(&mut self) {
        self.end_sound();
        let machine = self.started.session.machine();
        self.recordings.jump(machine);
        let tv = machine.config().tv;
        if self
            .recordings
            .picture
            .as_ref()
            .is_some_and(|(begun, _)| *begun != tv)
        {
            self.end_picture();
        }
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

    /// Begins a GIF here, or writes the one that was begun.
    pub(super) fn record_gif(&mut self) {
        if let Some(from) = self.recordings.gif_from.take() {
            self.write_gif(from);
            return;
        }
        self.recordings.gif_from = Some(self.started.session.moment());
        let key = self.config.keys_of(Action::RecordGif);
        let longest = gif::LONGEST;
        self.say(format!(
            "a GIF begins here; {key} ends it, with its last {longest:.0} seconds at most"
        ));
    }

    /// Writes a GIF of what has just been seen.
    pub(super) fn gif_of_last_seconds(&mut self) {
        let session = &self.started.session;
        let clock = session.machine().config().tv.clock();
        let from = session.moment().0.saturating_sub((LAST * clock) as u64);
        self.write_gif(Moment(from));
    }

    fn write_gif(&mut self, from: Moment) {
        if self.recordings.gifs.len() >= GIFS {
            self.say("the last GIFs are still being written; try again in a moment");
            return;
        }
        let Some(past) = Past::since(&self.started.session, from) else {
            self.say("nothing is remembered of which a GIF could be made");
            return;
        };
        let tv = self.started.session.machine().config().tv;
        let view = self.config.window.view(tv);
        let size = match self.config.picture_scale {
            None => view.size(GIF_SCALE),
            Some(0) => (scaler::WIDTH, scaler::HEIGHT),
            Some(scale) => view.size(usize::from(scale)),
        };
        let shape = Shaped::as_in(&self.config.window, size);
        let look = self.presentation.display.look().clone();
        let begun = self.free_file("gif").and_then(|file| {
            let write = move || past.write(&look, shape, file);
            let thread = thread::Builder::new().name("gif".to_owned()).spawn(write);
            thread.map_err(|error| Failure::input(format!("the GIF cannot be written: {error}")))
        });
        match begun {
            Ok(thread) => {
                self.recordings.gifs.push(thread);
                self.say("writing a GIF");
            }
            Err(error) => self.say(error.to_string()),
        }
    }

    /// Says which GIFs have been written.
    pub(super) fn look_at_gifs(&mut self) {
        let all = std::mem::take(&mut self.recordings.gifs).into_iter();
        let (done, others) = all.partition(JoinHandle::is_finished);
        self.recordings.gifs = others;
        self.tell_gifs(done);
    }

    /// Waits for the GIFs that are being written.
    pub(super) fn await_gifs(&mut self) {
        let all = std::mem::take(&mut self.recordings.gifs);
        self.tell_gifs(all);
    }

    fn tell_gifs(&mut self, done: Vec<JoinHandle<Result<PathBuf, Failure>>>) {
        for thread in done {
            let broken = |_| Err(Failure::input("the GIF could not be written"));
            let written = thread.join().unwrap_or_else(broken);
            self.report(written, |path| format!("GIF: {}", path.display()));
        }
    }
}
