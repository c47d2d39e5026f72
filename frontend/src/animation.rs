//! Moving pictures: animated PNG files with 8-bit indexed colour, as exact as a single picture.
use host::failure::Failure;
use host::files::Growing;
use machine::Frame;
use std::cell::RefCell;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Frames that the file promises while it is being written; corrected at the end.
const PROMISED: u32 = 1 << 30;
/// A picture stands this many frames at most: the file counts time in 16 bits.
const LONGEST: u32 = 600;

/// The file that the encoder writes to; it is wanted back at the end.
struct Shared(Rc<RefCell<Growing>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

/// A recording of the picture, frame by frame. Frames that equal the one before cost nothing.
pub struct Animation {
    path: PathBuf,
    file: Rc<RefCell<Growing>>,
    writer: png::Writer<Shared>,
    /// The delay of one frame as a fraction of a second, times [`LONGEST`] still 16 bits.
    delay: (u16, u16),
    /// The last picture, not yet written.
    pending: Vec<u8>,
    /// The picture before that.
    written: Vec<u8>,
    /// Frames for which `pending` stands.
    stands: u32,
    count: u32,
}

impl Animation {
    /// Begins a file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(file: Growing, rate: f64, palette: &[[u8; 3]; 256]) -> Result<Self, Failure> {
        let path = file.path().to_owned();
        let file = Rc::new(RefCell::new(file));
        let (width, height) = (Frame::WIDTH as u32, Frame::HEIGHT as u32);
        let mut encoder = png::Encoder::new(Shared(Rc::clone(&file)), width, height);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        encoder.set_palette(palette.as_flattened().to_vec());
        let explain = |error: png::EncodingError| Failure::file(&path, error);
        encoder.set_animated(PROMISED, 0).map_err(explain)?;
        let writer = encoder.write_header().map_err(explain)?;
        Ok(Self {
            path,
            file,
            writer,
            delay: (100, (rate * 100.0).round() as u16),
            pending: Vec::new(),
            written: Vec::new(),
            stands: 0,
            count: 0,
        })
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds the picture that is shown for one more frame.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn frame(&mut self, frame: &Frame) -> Result<(), Failure> {
        if self.pending == frame.pixels() && self.stands < LONGEST {
            self.stands += 1;
            return Ok(());
        }
        self.flush()?;
        self.pending.clear();
        self.pending.extend_from_slice(frame.pixels());
        self.stands = 1;
        Ok(())
    }

    /// Writes the pending picture: the lines that differ from the one before.
    fn flush(&mut self) -> Result<(), Failure> {
        if self.stands == 0 {
            return Ok(());
        }
        let lines = || {
            self.pending
                .chunks_exact(Frame::WIDTH)
                .zip(self.written.chunks_exact(Frame::WIDTH))
                .map(|(new, old)| new != old)
        };
        let (first, last) = if self.written.is_empty() {
            (0, Frame::HEIGHT - 1)
        } else {
            // A frame has at least one line.
            let first = lines().position(|differs| differs).unwrap_or(0);
            (first, lines().rposition(|differs| differs).unwrap_or(first))
        };
        let stands = u64::from(self.delay.0) * u64::from(self.stands);
        let writer = &mut self.writer;
        let mut write = || -> Result<(), png::EncodingError> {
            if self.count > 0 {
                // The first frame is the whole picture by itself. Size first: the position is checked against it.
                writer.reset_frame_position()?;
                writer.set_frame_dimension(Frame::WIDTH as u32, (last + 1 - first) as u32)?;
                writer.set_frame_position(0, first as u32)?;
            }
            writer.set_frame_delay(stands as u16, self.delay.1)?;
            let bytes = first * Frame::WIDTH..(last + 1) * Frame::WIDTH;
            writer.write_image_data(&self.pending[bytes])
        };
        write().map_err(|error| Failure::file(&self.path, error))?;
        self.count += 1;
        self.stands = 0;
        std::mem::swap(&mut self.pending, &mut self.written);
        Ok(())
    }

    /// Ends the file; gives its name.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn end(mut self) -> Result<PathBuf, Failure> {
        self.flush()?;
        let Self {
            path,
            file,
            writer,
            count,
            ..
        } = self;
        writer
            .finish()
            .map_err(|error| Failure::file(&path, error))?;
        // The encoder is gone, and with it the other half.
        let Some(mut file) = Rc::into_inner(file).map(RefCell::into_inner) else {
            return Ok(path);
        };
        correct(&mut file, count)
            .map_err(|error| Failure::file(&path, format!("cannot be written: {error}")))?;
        file.finish()
    }
}

/// Writes the true number of frames into the animation control chunk.
fn correct(file: &mut Growing, count: u32) -> std::io::Result<()> {
    // A device has no beginning to go back to.
    if file.seek(SeekFrom::Start(0)).is_err() {
        return Ok(());
    }
    let mut head = Vec::new();
    file.take(4096).read_to_end(&mut head)?;
    let Some(at) = head.windows(4).position(|name| name == b"acTL") else {
        return Ok(());
    };
    let mut chunk = b"acTL".to_vec();
    chunk.extend_from_slice(&count.to_be_bytes());
    // It plays for ever.
    chunk.extend_from_slice(&0u32.to_be_bytes());
    let check = crc32fast::hash(&chunk);
    chunk.extend_from_slice(&check.to_be_bytes());
    file.seek(SeekFrom::Start(at as u64))?;
    file.write_all(&chunk)
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::{Outcome, Session, Setup};

    #[test]
    fn every_frame_comes_back_and_still_pictures_are_kept_once() {
        let path = std::env::temp_dir().join(format!("anticlock-anim-{}.png", std::process::id()));
        let mut session = Session::new(Setup::default()).unwrap();
        session.type_text("GRAPHICS 2\\nPRINT 1\\n").unwrap();
        let palette = session::picture::palette(machine::Tv::Ntsc);
        let mut animation =
            Animation::begin(Growing::named(&path).unwrap(), 59.92, &palette).unwrap();
        let mut shown: Vec<Vec<u8>> = Vec::new();
        for _ in 0..700 {
            assert!(matches!(session.run_frame(), Outcome::Done));
            animation.frame(session.picture()).unwrap();
            shown.push(session.picture().pixels().to_vec());
        }
        assert_eq!(animation.end().unwrap(), path);

        let file = std::io::BufReader::new(std::fs::File::open(&path).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let count = reader.info().animation_control.unwrap().num_frames;
        let mut picture = vec![0; Frame::WIDTH * Frame::HEIGHT];
        let mut back: Vec<Vec<u8>> = Vec::new();
        for _ in 0..count {
            let mut part = vec![0; reader.output_buffer_size().unwrap()];
            let info = reader.next_frame(&mut part).unwrap();
            let control = reader.info().frame_control.unwrap();
            let at = control.y_offset as usize * Frame::WIDTH;
            picture[at..at + info.buffer_size()].copy_from_slice(&part[..info.buffer_size()]);
            for _ in 0..control.delay_num / 100 {
                back.push(picture.clone());
            }
        }
        assert!(back == shown);
        assert!(count < 500, "{count}");
        std::fs::remove_file(&path).unwrap();
    }
}
