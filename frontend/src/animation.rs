//! Moving pictures: animated PNG files, raw and as exact as a single picture, or in the television's shape.
use host::failure::Failure;
use host::files::Growing;
use host::scaler::Shaped;
use machine::Frame;
use session::picture::Look;
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

/// Form of a recording.
pub enum Form {
    /// Colour numbers, 376 by 240 to a picture, with this palette.
    Raw(Box<[[u8; 3]; 256]>),
    /// Red, green and blue, in the television's shape.
    Shaped(Box<(Shaped, Look)>),
}

impl Form {
    /// That of a picture in this shape, or raw.
    pub fn new(look: &Look, shape: Option<Shaped>) -> Self {
        match shape {
            Some(shape) => Self::Shaped(Box::new((shape, look.clone()))),
            None => Self::Raw(Box::new(*look.rgb())),
        }
    }

    fn size(&self) -> (usize, usize) {
        match self {
            Self::Raw(_) => (Frame::WIDTH, Frame::HEIGHT),
            Self::Shaped(shaped) => shaped.0.size(),
        }
    }

    /// Bytes to a line.
    fn line(&self) -> usize {
        match self {
            Self::Raw(_) => Frame::WIDTH,
            Self::Shaped(shaped) => 3 * shaped.0.size().0,
        }
    }

    fn bytes(&mut self, frame: &Frame) -> Vec<u8> {
        match self {
            Self::Raw(_) => frame.pixels().to_vec(),
            Self::Shaped(shaped) => {
                let (shape, look) = &mut **shaped;
                shape.draw(look, frame).rgb().into_flattened()
            }
        }
    }
}

/// A recording of the picture, frame by frame. Frames that equal the one before cost nothing.
pub struct Animation {
    path: PathBuf,
    file: Rc<RefCell<Growing>>,
    writer: png::Writer<Shared>,
    /// The delay of one frame as a fraction of a second, times [`LONGEST`] still 16 bits.
    delay: (u16, u16),
    form: Form,
    /// The colour numbers of the last picture.
    shown: Vec<u8>,
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
    pub fn begin(file: Growing, rate: f64, form: Form) -> Result<Self, Failure> {
        let path = file.path().to_owned();
        let file = Rc::new(RefCell::new(file));
        let (width, height) = form.size();
        let mut encoder = png::Encoder::new(Shared(Rc::clone(&file)), width as u32, height as u32);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        match &form {
            Form::Raw(palette) => {
                encoder.set_color(png::ColorType::Indexed);
                encoder.set_palette(palette.as_flattened().to_vec());
            }
            Form::Shaped(_) => encoder.set_color(png::ColorType::Rgb),
        }
        let explain = |error: png::EncodingError| Failure::file(&path, error);
        encoder.set_animated(PROMISED, 0).map_err(explain)?;
        let writer = encoder.write_header().map_err(explain)?;
        Ok(Self {
            path,
            file,
            writer,
            delay: (100, (rate * 100.0).round() as u16),
            form,
            shown: Vec::new(),
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
        if self.shown == frame.pixels() && self.stands < LONGEST {
            self.stands += 1;
            return Ok(());
        }
        self.flush()?;
        self.shown.clear();
        self.shown.extend_from_slice(frame.pixels());
        self.pending = self.form.bytes(frame);
        self.stands = 1;
        Ok(())
    }

    /// Writes the pending picture: the lines that differ from the one before.
    fn flush(&mut self) -> Result<(), Failure> {
        if self.stands == 0 {
            return Ok(());
        }
        let (width, height) = self.form.size();
        let line = self.form.line();
        let lines = || {
            self.pending
                .chunks_exact(line)
                .zip(self.written.chunks_exact(line))
                .map(|(new, old)| new != old)
        };
        let (first, last) = if self.written.is_empty() {
            (0, height - 1)
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
                writer.set_frame_dimension(width as u32, (last + 1 - first) as u32)?;
                writer.set_frame_position(0, first as u32)?;
            }
            writer.set_frame_delay(stands as u16, self.delay.1)?;
            let bytes = first * line..(last + 1) * line;
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
            Animation::begin(Growing::named(&path).unwrap(), 59.92, Form::Raw(palette)).unwrap();
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

    #[test]
    fn a_recording_has_the_shape_that_was_asked_for() {
        let path = std::env::temp_dir().join(format!("anticlock-shape-{}.png", std::process::id()));
        let mut session = Session::new(Setup::default()).unwrap();
        let tv = machine::Tv::Ntsc;
        let look = host::config::look(tv, &host::config::PictureConfig::default()).unwrap();
        let shape = Shaped::new(host::scaler::View::of(tv).size(2));
        let form = Form::new(&look, Some(shape));
        let mut animation = Animation::begin(Growing::named(&path).unwrap(), 59.92, form).unwrap();
        for _ in 0..30 {
            assert!(matches!(session.run_frame(), Outcome::Done));
            animation.frame(session.picture()).unwrap();
        }
        assert_eq!(animation.end().unwrap(), path);
        let file = std::io::BufReader::new(std::fs::File::open(&path).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        assert_eq!(reader.info().size(), (645, 480));
        let count = reader.info().animation_control.unwrap().num_frames;
        let mut frames = 0;
        for _ in 0..count {
            let mut part = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut part).unwrap();
            frames += reader.info().frame_control.unwrap().delay_num / 100;
        }
        assert_eq!(frames, 30);
        std::fs::remove_file(&path).unwrap();
    }
}
