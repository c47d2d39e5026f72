//! Animated GIFs of the past: the timeline runs it again, and a thread writes the file.
use gif::{DisposalMethod, Encoder, Repeat};
use host::canvas::Canvas;
use host::failure::Failure;
use host::files::Growing;
use host::scaler::Shaped;
use machine::{Frame, NoProbe};
use session::Session;
use session::picture::Look;
use session::timeline::Moment;
use std::collections::HashMap;
use std::path::PathBuf;

/// Seconds that a GIF shows at most.
pub const LONGEST: f64 = 20.0;
/// Frames of the machine to one of the GIF: most programs show a delay below 2 hundredths of a second as 10.
const EVERY: u64 = 2;
/// A picture stands this many hundredths of a second at most: the file has 16 bits for them.
const STANDS: u64 = 0xFFFF;

/// A picture, and the number of frames for which it stood.
struct Shown {
    frame: Frame,
    frames: u64,
}

/// A stretch of the past.
pub struct Past {
    pictures: Vec<Shown>,
    rate: f64,
}

impl Past {
    /// From a moment to now, at most the last [`LONGEST`] seconds; `None` where nothing of it is remembered.
    pub fn since(session: &Session, moment: Moment) -> Option<Self> {
        let tv = session.machine().config().tv;
        let frame = u64::from(tv.lines()) * 114;
        let now = session.moment();
        let longest = (LONGEST * tv.clock()) as u64;
        let begin = moment.0.max(now.0.saturating_sub(longest));
        let begin = begin.max(session.oldest().0);
        let mut visit = session.track().visit(Moment(begin))?;
        let mut pictures: Vec<Shown> = Vec::new();
        for n in 1..=now.0.saturating_sub(begin) / (EVERY * frame) {
            let at = Moment(begin + n * EVERY * frame);
            visit.run(session.timeline(), at, &mut NoProbe);
            let shown = visit.machine().frame();
            match pictures.last_mut() {
                Some(last) if last.frame.pixels() == shown.pixels() => last.frames += EVERY,
                _ => pictures.push(Shown {
                    frame: shown.clone(),
                    frames: EVERY,
                }),
            }
        }
        let rate = tv.frame_rate();
        (!pictures.is_empty()).then_some(Self { pictures, rate })
    }

    /// The delays of the pictures in hundredths of a second. Each picture begins at the hundredth that is nearest to its time, so that no
    /// error adds up.
    fn delays(&self) -> impl Iterator<Item = u64> {
        let mut frames = 0;
        let hundredth = |frames: u64| (frames as f64 / self.rate * 100.0).round() as u64;
        self.pictures.iter().map(move |picture| {
            let from = hundredth(frames);
            frames += picture.frames;
            hundredth(frames) - from
        })
    }

    /// Writes the GIF.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(
        &self,
        look: &Look,
        mut shape: Shaped,
        mut file: Growing,
    ) -> Result<PathBuf, Failure> {
        let path = file.path().to_owned();
        let explain = |error: gif::EncodingError| Failure::file(&path, error);
        let (width, height) = shape.size();
        let mut encoder =
            Encoder::new(&mut file, width as u16, height as u16, &[]).map_err(explain)?;
        encoder.set_repeat(Repeat::Infinite).map_err(explain)?;
        let mut before = Canvas::default();
        for (picture, delay) in self.pictures.iter().zip(self.delays()) {
            let canvas = shape.draw(look, &picture.frame);
            for (n, part) in parts(delay).enumerate() {
                // A picture that stands on changes nothing: one line is the least that a frame can have.
                let rows = if n == 0 {
                    changed(&before, canvas)
                } else {
                    0..1
                };
                let frame = encoded(canvas, rows, part);
                encoder.write_frame(&frame).map_err(explain)?;
            }
            before.clone_from(canvas);
        }
        drop(encoder);
        file.finish()
    }
}

/// A delay in parts that the file can hold.
fn parts(delay: u64) -> impl Iterator<Item = u16> {
    let whole = std::iter::repeat_n(STANDS as u16, (delay / STANDS) as usize);
    let rest = (delay % STANDS) as u16;
    whole.chain((rest > 0).then_some(rest))
}

/// The lines in which two pictures differ, at least one.
fn changed(before: &Canvas, now: &Canvas) -> std::ops::Range<usize> {
    if before.pixels.len() != now.pixels.len() {
        return 0..now.height;
    }
    let lines = before.pixels.chunks_exact(now.width);
    let differs: Vec<bool> = lines
        .zip(now.pixels.chunks_exact(now.width))
        .map(|(before, now)| before != now)
        .collect();
    let first = differs.iter().position(|&differs| differs).unwrap_or(0);
    let last = differs.iter().rposition(|&differs| differs);
    first..last.unwrap_or(first) + 1
}

/// Lines of a picture as a frame with a palette of its own. Where they have more than 256 colours, the lowest bits of all give way.
fn encoded(canvas: &Canvas, rows: std::ops::Range<usize>, delay: u16) -> gif::Frame<'static> {
    let pixels = &canvas.pixels[rows.start * canvas.width..rows.end * canvas.width];
    let masks = (0..7).map(|bits| 0x01_0101 * (0xFF << bits & 0xFF));
    let (palette, buffer) = masks
        .into_iter()
        .find_map(|mask| indexed(pixels, mask))
        .unwrap_or_default();
    gif::Frame {
        delay,
        dispose: DisposalMethod::Keep,
        top: rows.start as u16,
        width: canvas.width as u16,
        height: rows.len() as u16,
        palette: Some(palette),
        buffer: buffer.into(),
        ..gif::Frame::default()
    }
}

/// Palette and indexes of pixels of which some bits count; `None` if these are more than 256 colours.
fn indexed(pixels: &[u32], mask: u32) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut numbers: HashMap<u32, u8> = HashMap::new();
    let mut palette = Vec::new();
    let mut buffer = Vec::with_capacity(pixels.len());
    for pixel in pixels {
        let colour = pixel & mask;
        let number = if let Some(&number) = numbers.get(&colour) {
            number
        } else {
            let number = u8::try_from(numbers.len()).ok()?;
            numbers.insert(colour, number);
            palette.extend_from_slice(&colour.to_be_bytes()[1..]);
            number
        };
        buffer.push(number);
    }
    Some((palette, buffer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::scaler::View;
    use machine::Tv;
    use session::timeline::Limits;
    use session::{Outcome, Setup};

    /// The last seconds of a program that changes the picture all the time: the delays in the GIF, the frames in it, its size.
    fn gif(tv: Tv, seconds: f64) -> (Vec<u16>, u64, (u16, u16)) {
        let setup = Setup {
            tv: Some(tv),
            ..Setup::default()
        };
        let mut session = Session::new(setup).unwrap();
        session.remember(Limits::default());
        session
            .type_text("10 POKE 710,PEEK(20):GOTO 10\\nRUN\\n")
            .unwrap();
        for _ in 0..600 {
            assert!(matches!(session.run_frame(), Outcome::Done));
        }
        let from = Moment(session.moment().0 - (seconds * tv.clock()) as u64);
        let past = Past::since(&session, from).unwrap();
        let frames = past.pictures.iter().map(|picture| picture.frames).sum();
        let name = format!("anticlock-gif-{tv:?}-{}.gif", std::process::id());
        let path = std::env::temp_dir().join(name);
        let look = host::config::look(tv, &host::config::PictureConfig::default()).unwrap();
        let shape = Shaped::new(View::of(tv).size(2));
        let file = Growing::named(&path).unwrap();
        assert_eq!(past.write(&look, shape, file).unwrap(), path);
        let mut reader = gif::DecodeOptions::new()
            .read_info(std::fs::File::open(&path).unwrap())
            .unwrap();
        let size = (reader.width(), reader.height());
        let mut found = Vec::new();
        while let Some(frame) = reader.read_next_frame().unwrap() {
            found.push(frame.delay);
        }
        std::fs::remove_file(&path).unwrap();
        (found, frames, size)
    }

    #[test]
    fn delays_add_up_to_the_time_on_the_atari() {
        for (tv, rate, size) in [
            (Tv::Ntsc, 59.922, (645, 480)),
            (Tv::Pal, 49.861, (782, 480)),
        ] {
            let (found, frames, shown) = gif(tv, 5.0);
            assert_eq!(shown, size);
            assert!((frames as f64 / rate - 5.0).abs() < 0.05, "{frames}");
            let sum: u64 = found.iter().map(|&delay| u64::from(delay)).sum();
            let real = frames as f64 / rate * 100.0;
            assert!((sum as f64 - real).abs() <= 0.51, "{sum} {real}");
            // None is so short that programs show it slowly, and the picture moves in nearly all.
            assert!(found.iter().all(|&delay| delay >= 2));
            assert!(found.len() > 100, "{}", found.len());
        }
    }

    #[test]
    fn colours_that_are_too_many_lose_their_lowest_bits() {
        let pixels: Vec<u32> = (0..4096).map(|n| n * 0x101).collect();
        let canvas = Canvas {
            width: 64,
            height: 64,
            pixels,
        };
        let frame = encoded(&canvas, 0..64, 3);
        assert_eq!(frame.buffer.len(), 4096);
        let palette = frame.palette.unwrap();
        assert!(
            palette.len() <= 768 && palette.len() > 300,
            "{}",
            palette.len()
        );
    }

    #[test]
    fn a_picture_that_stands_for_long_has_frames_for_all_of_it() {
        let delay = 3 * STANDS + 17;
        assert_eq!(parts(delay).map(u64::from).sum::<u64>(), delay);
        assert_eq!(parts(5).collect::<Vec<_>>(), [5]);
    }
}
