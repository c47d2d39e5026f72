//! Video with sound that browsers open: MP4 with H.264 and FLAC, both without loss.
mod bits;
mod flac;
mod h264;
#[cfg(test)]
mod tests;

use h264::Encoder;
use host::config::WindowConfig;
use host::failure::Failure;
use host::files::Growing;
use host::scaler::{self, HEIGHT, Place, Shape, WIDTH};
use machine::{Frame, Tv};
use session::picture::Look;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Samples of sound a second.
pub const RATE: u32 = 44_100;
/// Video samples have this many units of time to a frame.
const DELTA: u32 = 1000;
/// Units of time a second of the whole file.
const SECOND: u64 = 1000;
/// Video pixels to one of the machine.
const SCALE: usize = 2;

/// A piece of the file that is shown or heard.
struct Sample {
    at: u64,
    length: u32,
}

/// A recording of picture and sound.
pub struct Video {
    file: Growing,
    /// Bytes written, and where the data begin.
    end: u64,
    data: u64,
    look: Look,
    part: Place,
    /// Width of a pixel to its height.
    aspect: (u16, u16),
    /// Frames in a thousand seconds.
    rate: u32,
    encoder: Encoder,
    colours: Vec<u32>,
    picture: Vec<u32>,
    pictures: Vec<Sample>,
    /// Key frames, counted from 1.
    keys: Vec<u32>,
    /// Samples that make no block yet, a row for each channel.
    sound: Vec<Vec<i16>>,
    blocks: Vec<Sample>,
    heard: u64,
}

/// Width of a pixel to its height, in numbers of 16 bits.
fn aspect(tv: Tv, shape: Shape) -> (u16, u16) {
    match (shape, tv) {
        (Shape::Square, _) => (1, 1),
        (_, Tv::Ntsc) => (6, 7),
        (_, Tv::Pal) => ((tv.pixel_aspect() * 10_000.0).round() as u16, 10_000),
    }
}

/// Brightness, blue difference and red difference (BT.601, 16 to 235) of a colour, the lowest byte first.
fn components(colour: u32) -> u32 {
    let [_, r, g, b] = colour.to_be_bytes().map(f64::from);
    let all = [
        16.0 + (65.481 * r + 128.553 * g + 24.966 * b) / 255.0,
        128.0 + (112.0 * b - 37.797 * r - 74.203 * g) / 255.0,
        128.0 + (112.0 * r - 93.786 * g - 18.214 * b) / 255.0,
    ];
    let [y, cb, cr] = all.map(|value| value.round().clamp(16.0, 240.0) as u8);
    u32::from_le_bytes([y, cb, cr, 0])
}

impl Video {
    /// Begins a file, with one channel of sound or two.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(
        file: Growing,
        tv: Tv,
        look: Look,
        window: &WindowConfig,
        stereo: bool,
    ) -> Result<Self, Failure> {
        let part = window.overscan.part();
        let mut video = Self {
            file,
            end: 0,
            data: 0,
            look,
            part,
            aspect: aspect(tv, window.shape),
            rate: (tv.frame_rate() * f64::from(DELTA)).round() as u32,
            encoder: Encoder::new((part.width, part.height)),
            colours: vec![0; WIDTH * HEIGHT],
            picture: Vec::new(),
            pictures: Vec::new(),
            keys: Vec::new(),
            sound: vec![Vec::new(); if stereo { 2 } else { 1 }],
            blocks: Vec::new(),
            heard: 0,
        };
        video.write(&boxed("ftyp", &[b"isom\0\0\x02\0isomiso2avc1mp41"]))?;
        video.data = video.end;
        // A length of 64 bits, which comes at the end.
        video.write(b"\0\0\0\x01mdat\0\0\0\0\0\0\0\0")?;
        Ok(video)
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    fn write(&mut self, bytes: &[u8]) -> Result<Sample, Failure> {
        let written = self.file.write_all(bytes);
        written.map_err(|error| self.cannot(&error))?;
        let at = self.end;
        self.end += bytes.len() as u64;
        let length = bytes.len() as u32;
        Ok(Sample { at, length })
    }

    fn cannot(&self, error: &std::io::Error) -> Failure {
        Failure::file(self.path(), format!("cannot be written: {error}"))
    }

    /// Adds a frame and the sound of its time, samples of left and right from -1 to 1; with one channel the left ones.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn frame(&mut self, frame: &Frame, heard: &[[f32; 2]]) -> Result<(), Failure> {
        scaler::colour(&self.look, frame, &mut self.colours);
        self.picture.clear();
        let part = self.part;
        let mut last = (0, components(0));
        for row in self
            .colours
            .chunks_exact(WIDTH)
            .skip(part.y)
            .take(part.height)
        {
            let row = &row[part.x..part.x + part.width];
            self.picture.extend(row.iter().map(|&colour| {
                if colour != last.0 {
                    last = (colour, components(colour));
                }
                last.1
            }));
        }
        let encoded = self.encoder.encode(&self.picture);
        let sample = self.write(&encoded.bytes)?;
        self.pictures.push(sample);
        if encoded.key {
            self.keys.push(self.pictures.len() as u32);
        }
        for (k, channel) in self.sound.iter_mut().enumerate() {
            channel.extend(heard.iter().map(|both| (both[k] * 32_767.0) as i16));
        }
        while self.sound[0].len() >= flac::BLOCK {
            self.block(flac::BLOCK)?;
        }
        Ok(())
    }

    /// Writes a block of sound.
    fn block(&mut self, length: usize) -> Result<(), Failure> {
        let block: Vec<Vec<i16>> = self
            .sound
            .iter_mut()
            .map(|channel| channel.drain(..length).collect())
            .collect();
        let bytes = flac::frame(&block, self.blocks.len() as u32);
        let sample = self.write(&bytes)?;
        self.blocks.push(sample);
        self.heard += length as u64;
        Ok(())
    }

    /// Ends the file; gives its name.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn end(mut self) -> Result<PathBuf, Failure> {
        let rest = self.sound[0].len();
        if rest > 0 {
            self.block(rest)?;
        }
        let data = self.end - self.data;
        let index = self.index();
        self.write(&index)?;
        // A device has no beginning to go back to.
        if self.file.seek(SeekFrom::Start(self.data + 8)).is_ok() {
            let written = self.file.write_all(&data.to_be_bytes());
            written.map_err(|error| self.cannot(&error))?;
        }
        self.file.finish()
    }

    /// The box with all that is to be known about the data (ISO 14496-12).
    fn index(&self) -> Vec<u8> {
        let pictures = self.pictures.len() as u64 * u64::from(DELTA);
        let shown = pictures * SECOND / u64::from(self.rate);
        let heard = self.heard * SECOND / u64::from(RATE);
        let mut header = words(&[0, 0, 0, SECOND as u32, shown.max(heard) as u32, 0x1_0000]);
        header.extend(words(&[0x0100_0000, 0, 0]));
        header.extend(matrix());
        header.extend(words(&[0, 0, 0, 0, 0, 0, 3]));
        let size = [self.part.width, self.part.height].map(|pixels| (pixels * SCALE) as u32);
        let wide = size[0] * u32::from(self.aspect.0) / u32::from(self.aspect.1);
        let video = Track {
            number: 1,
            kind: b"vide",
            seconds: shown,
            time: (self.rate, pictures),
            size: (wide, size[1]),
            medium: boxed("vmhd", &[&words(&[1, 0, 0])]),
            entry: self.picture_entry(size),
            lasts: vec![(self.pictures.len() as u32, DELTA)],
            samples: &self.pictures,
            keys: Some(&self.keys),
        };
        let full = self.heard / flac::BLOCK as u64;
        let rest = self.heard % flac::BLOCK as u64;
        let mut lasts = vec![(full as u32, flac::BLOCK as u32), (1, rest as u32)];
        lasts.retain(|&(count, length)| count > 0 && length > 0);
        let sound = Track {
            number: 2,
            kind: b"soun",
            seconds: heard,
            time: (RATE, self.heard),
            size: (0, 0),
            medium: boxed("smhd", &[&words(&[0, 0])]),
            entry: self.sound_entry(),
            lasts,
            samples: &self.blocks,
            keys: None,
        };
        boxed(
            "moov",
            &[&boxed("mvhd", &[&header]), &video.to_box(), &sound.to_box()],
        )
    }

    fn picture_entry(&self, [width, height]: [u32; 2]) -> Vec<u8> {
        let [sequence, picture] = self.encoder.parameters(self.aspect);
        let counted = |unit: &[u8]| [&(unit.len() as u16).to_be_bytes(), unit].concat();
        // Version, profile and level as in the sequence's set; lengths of four bytes; one set of each kind.
        let head = [1, sequence[1], sequence[2], sequence[3], 0xFF, 0xE1];
        let sets = [&head[..], &counted(&sequence), &[1], &counted(&picture)].concat();
        let (across, down) = self.aspect;
        let aspect = words(&[u32::from(across), u32::from(down)]);
        let mut entry = words(&[0, 1, 0, 0, 0, 0, width << 16 | height]);
        entry.extend(words(&[0x48_0000, 0x48_0000, 0]));
        // One picture to a sample, no name, 24 bits deep.
        entry.extend([0, 1]);
        entry.extend([0; 32]);
        entry.extend([0, 24, 0xFF, 0xFF]);
        let parts = [
            &entry[..],
            &boxed("avcC", &[&sets]),
            &boxed("pasp", &[&aspect]),
        ];
        boxed("avc1", &parts)
    }

    fn sound_entry(&self) -> Vec<u8> {
        let channels = self.sound.len();
        let info = flac::stream_info(RATE, channels, self.heard);
        // The last block of descriptions, of 34 bytes.
        let known = boxed("dfLa", &[&[0, 0, 0, 0, 0x80, 0, 0, 34], &info]);
        let mut entry = words(&[0, 1, 0, 0, (channels as u32) << 16 | 16, 0, RATE << 16]);
        entry.extend(known);
        boxed("fLaC", &[&entry])
    }
}

/// A track of the file.
struct Track<'a> {
    number: u32,
    kind: &'a [u8; 4],
    /// Its length in the file's units.
    seconds: u64,
    /// Units of time a second, and its length in them.
    time: (u32, u64),
    size: (u32, u32),
    medium: Vec<u8>,
    entry: Vec<u8>,
    /// How many samples last how long.
    lasts: Vec<(u32, u32)>,
    samples: &'a [Sample],
    keys: Option<&'a [u32]>,
}

impl Track<'_> {
    fn to_box(&self) -> Vec<u8> {
        let volume = if self.keys.is_some() { 0 } else { 0x0100_0000 };
        let mut header = words(&[
            7,
            0,
            0,
            self.number,
            0,
            self.seconds as u32,
            0,
            0,
            0,
            volume,
        ]);
        header.extend(matrix());
        header.extend(words(&[self.size.0 << 16, self.size.1 << 16]));
        let (rate, length) = self.time;
        // No language.
        let media = words(&[0, 0, 0, rate, length as u32, 0x55C4_0000]);
        let kind = [&words(&[0, 0])[..], self.kind, &[0; 13]].concat();
        let here = boxed("dref", &[&words(&[0, 1]), &boxed("url ", &[&words(&[1])])]);
        let information = [&self.medium[..], &boxed("dinf", &[&here]), &self.table()];
        let media = [
            &boxed("mdhd", &[&media])[..],
            &boxed("hdlr", &[&kind]),
            &boxed("minf", &information),
        ];
        boxed(
            "trak",
            &[&boxed("tkhd", &[&header]), &boxed("mdia", &media)],
        )
    }

    /// The table of samples: each is a chunk of its own.
    fn table(&self) -> Vec<u8> {
        let count = self.samples.len() as u32;
        let lasts: Vec<u32> = self
            .lasts
            .iter()
            .flat_map(|&(n, length)| [n, length])
            .collect();
        let lengths: Vec<u32> = self.samples.iter().map(|sample| sample.length).collect();
        let places: Vec<u8> = self
            .samples
            .iter()
            .flat_map(|s| s.at.to_be_bytes())
            .collect();
        let keys = self.keys.map_or(Vec::new(), |keys| {
            boxed("stss", &[&words(&[0, keys.len() as u32]), &words(keys)])
        });
        let parts = [
            &boxed("stsd", &[&words(&[0, 1]), &self.entry])[..],
            &boxed(
                "stts",
                &[&words(&[0, self.lasts.len() as u32]), &words(&lasts)],
            ),
            &keys,
            &boxed("stsc", &[&words(&[0, 1, 1, 1, 1])]),
            &boxed("stsz", &[&words(&[0, 0, count]), &words(&lengths)]),
            &boxed("co64", &[&words(&[0, count]), &places]),
        ];
        boxed("stbl", &parts)
    }
}

/// A box: its length, its name, its parts.
fn boxed(name: &str, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let length = (content.len() + 8) as u32;
    [&length.to_be_bytes()[..], name.as_bytes(), &content].concat()
}

/// Numbers of 32 bits.
fn words(all: &[u32]) -> Vec<u8> {
    all.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// The matrix of a picture that is not turned.
fn matrix() -> Vec<u8> {
    words(&[0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000])
}
