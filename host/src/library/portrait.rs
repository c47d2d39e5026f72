//! Pictures of titles: the machine takes them itself, in a thread of its own, and they are kept by content.
use super::Source;
use crate::failure::Failure;
use crate::found::{Found, needs_table};
use crate::{config, files, packed, scaler, screenshot};
use machine::Frame;
use media::Identity;
use session::{Outcome, Session, Setup, built_in};
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::SystemTime;

/// Pixels of the machine's picture to one of a portrait, across and down.
const SMALLER: usize = 2;
/// Width and height of a portrait.
pub const SIZE: (usize, usize) = (scaler::WIDTH / SMALLER, scaler::HEIGHT / SMALLER);
/// Frames that a machine runs for its portrait: 40 seconds.
const FRAMES: u32 = 2400;
/// Frames from one look at the picture to the next.
const STEP: u32 = 15;
/// Frames after which a good picture is good enough, ...
const LEAST: u32 = 900;
/// ... when none has been better for this many.
const PATIENCE: u32 = 600;
/// Pictures in the folder; the oldest are removed beyond them.
const MOST: usize = 20_000;
/// Changes when portraits are taken or kept in another way: older ones are not used any more.
const FORM: u32 = 1;

/// The picture of a title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Portrait {
    /// 0x00RRGGBB, [`SIZE`] of them.
    pub pixels: Vec<u32>,
    /// The machine that it ran on, in words.
    pub machine: String,
}

impl Portrait {
    /// Runs a program until it shows something worth a picture. `between` is asked now and then; false ends it.
    fn take(setup: Setup, mut between: impl FnMut() -> bool) -> Option<Self> {
        let mut session = Session::new(setup).ok()?;
        let config = session.machine().config();
        let (machine, tv) = (config.model.title(config.tv).to_owned(), config.tv);
        let mut best: Option<Frame> = None;
        let (mut most, mut at) = (0, 0);
        for frame in 1..=FRAMES {
            if !matches!(session.run_frame(), Outcome::Done) {
                break;
            }
            if !frame.is_multiple_of(STEP) || session.is_starting() {
                continue;
            }
            if !between() {
                return None;
            }
            let shown = session.machine().frame();
            let interest = interest(shown.pixels());
            // One that is hardly better is not worth the later moment.
            if best.is_none() || interest > most + most / 8 {
                (best, most, at) = (Some(shown.clone()), interest, frame);
            } else if most > 0 && frame >= LEAST && frame >= at + PATIENCE {
                break;
            }
        }
        let mut pixels = vec![0; scaler::WIDTH * scaler::HEIGHT];
        let look = config::look(tv, &config::PictureConfig::default()).ok()?;
        scaler::colour(&look, &best?, &mut pixels);
        Some(Self {
            pixels: scaler::resize(&pixels, (scaler::WIDTH, scaler::HEIGHT), SIZE),
            machine,
        })
    }

    fn read(path: &Path) -> Option<Self> {
        let bytes = files::read(path).ok()?;
        let mut reader = png::Decoder::new(Cursor::new(&bytes)).read_info().ok()?;
        let info = reader.info();
        let size = (info.width as usize, info.height as usize);
        let plain =
            (info.color_type, info.bit_depth) == (png::ColorType::Rgb, png::BitDepth::Eight);
        if size != SIZE || !plain {
            return None;
        }
        let text = info.uncompressed_latin1_text.first()?;
        let machine = text.text.chars().take(40).collect();
        let mut bytes = vec![0; reader.output_buffer_size()?];
        reader.next_frame(&mut bytes).ok()?;
        let (rgb, _) = bytes.as_chunks::<3>();
        let packed = |&[r, g, b]: &[u8; 3]| u32::from_be_bytes([0, r, g, b]);
        Some(Self {
            pixels: rgb.iter().map(packed).collect(),
            machine,
        })
    }

    fn write(&self, path: &Path) -> Result<(), Failure> {
        let rgb = |pixel: &u32| {
            let [_, r, g, b] = pixel.to_be_bytes();
            [r, g, b]
        };
        let bytes: Vec<u8> = self.pixels.iter().flat_map(rgb).collect();
        let machine = self.machine.clone();
        let file = screenshot::encode(SIZE.0, self.pixels.len(), &bytes, |encoder| {
            encoder.set_color(png::ColorType::Rgb);
            // A name of ours is Latin.
            let _ = encoder.add_text_chunk("machine".to_owned(), machine);
        })?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| Failure::file(folder, error))?;
        }
        files::write(path, &file)
    }
}

/// How much there is to see in a picture: colours that fill some of it, and edges between them.
fn interest(pixels: &[u8]) -> usize {
    /// Pixels that a colour has at least.
    const FEW: usize = 40;
    let mut counts = [0; 256];
    for &pixel in pixels {
        counts[usize::from(pixel)] += 1;
    }
    let colours = counts.iter().filter(|&&count| count >= FEW).count();
    let rows = pixels.chunks_exact(scaler::WIDTH).step_by(2);
    let edges: usize = rows
        .map(|row| row.windows(2).filter(|pair| pair[0] != pair[1]).count())
        .sum();
    if edges == 0 {
        0
    } else {
        colours.min(24) * 250 + edges.min(8000)
    }
}

/// The pictures of titles, read and taken in the background.
#[derive(Debug)]
pub struct Portraits {
    queue: Arc<Queue>,
    done: Receiver<(Source, Option<Portrait>)>,
}

impl Portraits {
    /// With their folder.
    pub fn new(folder: PathBuf) -> Self {
        let queue = Arc::new(Queue::default());
        let (sender, done) = channel();
        let worker = Worker {
            folder,
            queue: Arc::clone(&queue),
            done: sender,
        };
        // Without a thread there are no pictures.
        let thread = thread::Builder::new().name("portraits".into());
        let _ = thread.spawn(move || worker.run());
        Self { queue, done }
    }

    /// Asks for the picture of a title. The ones that were asked for last come first.
    pub fn ask(&self, source: Source) {
        self.queue.lock().asked.push(source);
        self.queue.bell.notify_one();
    }

    /// Nobody looks: what was asked for is not wanted any more.
    pub fn forget(&self) {
        let mut wanted = self.queue.lock();
        wanted.asked.clear();
        wanted.to_take.clear();
    }

    /// A picture that has come, or `None` for a title that has none.
    pub fn next(&self) -> Option<(Source, Option<Portrait>)> {
        self.done.try_recv().ok()
    }
}

impl Drop for Portraits {
    fn drop(&mut self) {
        self.forget();
        self.queue.lock().closed = true;
        self.queue.bell.notify_one();
    }
}

#[derive(Debug, Default)]
struct Wanted {
    /// Titles that were asked for.
    asked: Vec<Source>,
    /// Those of them whose picture has to be taken.
    to_take: Vec<Source>,
    closed: bool,
}

#[derive(Debug, Default)]
struct Queue {
    wanted: Mutex<Wanted>,
    bell: Condvar,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Wanted> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Worker {
    folder: PathBuf,
    queue: Arc<Queue>,
    done: Sender<(Source, Option<Portrait>)>,
}

impl Worker {
    fn run(self) {
        prune(&self.folder, MOST);
        while self.wait() {
            self.read_all();
            let next = self.queue.lock().to_take.pop();
            if let Some(source) = next {
                let portrait = self.take(&source);
                let _ = self.done.send((source, portrait));
            }
        }
    }

    /// Waits for work; false when there will be none.
    fn wait(&self) -> bool {
        let mut wanted = self.queue.lock();
        while wanted.asked.is_empty() && wanted.to_take.is_empty() && !wanted.closed {
            let woken = self.queue.bell.wait(wanted);
            wanted = woken.unwrap_or_else(PoisonError::into_inner);
        }
        !wanted.closed
    }

    /// Reads the pictures that there are of the titles asked for.
    fn read_all(&self) {
        loop {
            let Some(source) = self.queue.lock().asked.pop() else {
                return;
            };
            let Some(content) = content(&source) else {
                let _ = self.done.send((source, None));
                continue;
            };
            match Portrait::read(&self.path(content)) {
                Some(portrait) => {
                    let _ = self.done.send((source, Some(portrait)));
                }
                None => self.queue.lock().to_take.insert(0, source),
            }
        }
    }

    fn path(&self, content: Identity) -> PathBuf {
        self.folder.join(format!("{content}-{FORM}.png"))
    }

    fn take(&self, source: &Source) -> Option<Portrait> {
        let content = content(source)?;
        let setup = setup(source)?;
        let portrait = Portrait::take(setup, || {
            self.read_all();
            !self.queue.lock().closed
        })?;
        // What cannot be kept is taken again.
        let _ = portrait.write(&self.path(content));
        Some(portrait)
    }
}

/// The content that a picture belongs to.
fn content(source: &Source) -> Option<Identity> {
    match source {
        Source::BuiltIn(name) => {
            let all = session::built_in::all();
            let known = all.iter().find(|known| known.name == *name)?;
            Some(Identity::of(known.save_file.unwrap_or(name.as_bytes())))
        }
        Source::File(path) => Some(Identity::of(&packed::open(path).ok()?.bytes)),
    }
}

/// A machine for a title, without files: nothing that its program does leaves it.
fn setup(source: &Source) -> Option<Setup> {
    let program = match source {
        Source::BuiltIn(name) => built_in::find(name).ok()??,
        Source::File(path) => Found::file(path, None).ok()?.program,
    };
    Some(Setup {
        needs_table: needs_table().ok()?,
        fast_drives: true,
        ..Setup::for_program(program)
    })
}

/// Removes the oldest files of a folder that has more than `most`.
fn prune(folder: &Path, most: usize) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let of_us = entries.filter(|entry| entry.path().extension().is_some_and(|e| e == "png"));
    let mut all: Vec<(SystemTime, PathBuf)> = of_us
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    let over = all.len().saturating_sub(most);
    all.sort();
    for (_, path) in &all[..over] {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_kept_with_its_machine_and_the_oldest_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let portrait = Portrait {
            pixels: (0..(SIZE.0 * SIZE.1) as u32)
                .map(|n| n * 99 & 0xFF_FFFF)
                .collect(),
            machine: "Atari 800XL PAL".to_owned(),
        };
        let path = folder.path().join("x/1.png");
        portrait.write(&path).unwrap();
        assert_eq!(Portrait::read(&path), Some(portrait.clone()));
        for damaged in [&b""[..], b"\x89PNG", &fs::read(&path).unwrap()[..200]] {
            let path = folder.path().join("x/2.png");
            fs::write(&path, damaged).unwrap();
            assert_eq!(Portrait::read(&path), None);
            fs::remove_file(path).unwrap();
        }
        for n in 3..7 {
            fs::write(folder.path().join(format!("x/{n}.png")), "").unwrap();
        }
        fs::write(folder.path().join("x/of the user.txt"), "").unwrap();
        prune(&folder.path().join("x"), 2);
        let left = fs::read_dir(folder.path().join("x")).unwrap().count();
        assert_eq!(left, 3);
    }

    #[test]
    fn the_moment_is_one_with_something_to_see() {
        let setup = setup(&Source::BuiltIn("gammon")).unwrap();
        let portrait = Portrait::take(setup, || true).unwrap();
        assert!(portrait.machine.contains("800XL"), "{}", portrait.machine);
        let mut colours = portrait.pixels.clone();
        colours.sort_unstable();
        colours.dedup();
        assert!(colours.len() > 8, "{} colours", colours.len());
        assert_eq!(interest(&vec![7; scaler::WIDTH * scaler::HEIGHT]), 0);
    }
}
