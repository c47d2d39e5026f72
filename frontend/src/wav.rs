//! WAV files: 16 bits, one channel or two, written while they are recorded.
use host::failure::Failure;
use host::files::Growing;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Bytes before the samples.
pub const HEADER: usize = 80;

/// A recording of the sound.
#[derive(Debug)]
pub struct Wav {
    file: Growing,
    rate: u32,
    stereo: bool,
    /// Bytes of samples.
    bytes: u64,
}

impl Wav {
    /// Begins a file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(mut file: Growing, rate: u32, stereo: bool) -> Result<Self, Failure> {
        let written = file.write_all(&header(rate, stereo, 0));
        written.map_err(|error| cannot(file.path(), &error))?;
        Ok(Self {
            file,
            rate,
            stereo,
            bytes: 0,
        })
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Adds samples of left and right, -1 to 1; a file with one channel takes the left ones.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn add_frames(&mut self, frames: &[[f32; 2]]) -> Result<(), Failure> {
        if self.stereo {
            self.add_each(frames.as_flattened().iter().copied())
        } else {
            self.add_each(frames.iter().map(|&[left, _]| left))
        }
    }

    fn add_each(&mut self, samples: impl ExactSizeIterator<Item = f32>) -> Result<(), Failure> {
        let mut bytes = vec![0; 2 * samples.len()];
        for (bytes, sample) in bytes.as_chunks_mut().0.iter_mut().zip(samples) {
            *bytes = ((sample * 32_767.0) as i16).to_le_bytes();
        }
        self.bytes += bytes.len() as u64;
        let written = self.file.write_all(&bytes);
        written.map_err(|error| cannot(self.file.path(), &error))
    }

    /// Ends the file; gives its name.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn end(mut self) -> Result<PathBuf, Failure> {
        let header = header(self.rate, self.stereo, self.bytes);
        // A device has no beginning to go back to.
        if self.file.seek(SeekFrom::Start(0)).is_ok() {
            let written = self.file.write_all(&header);
            written.map_err(|error| cannot(self.file.path(), &error))?;
        }
        self.file.finish()
    }
}

fn cannot(path: &Path, error: &std::io::Error) -> Failure {
    Failure::file(path, format!("cannot be written: {error}"))
}

/// The header of `bytes` bytes of samples. From 4 GB on (13.5 hours) it is RF64 (EBU Tech 3306), whose lengths have 64 bits and
/// stand where a chunk of nothing keeps the place in shorter files.
fn header(rate: u32, stereo: bool, bytes: u64) -> Vec<u8> {
    let channels: u16 = if stereo { 2 } else { 1 };
    let whole = HEADER as u64 - 8 + bytes;
    let short = u32::try_from(whole).ok().map(|whole| (whole, bytes as u32));
    let (whole_32, bytes_32) = short.unwrap_or((u32::MAX, u32::MAX));
    let mut out = Vec::with_capacity(HEADER);
    out.extend_from_slice(if short.is_some() { b"RIFF" } else { b"RF64" });
    out.extend_from_slice(&whole_32.to_le_bytes());
    out.extend_from_slice(b"WAVE");
    out.extend_from_slice(if short.is_some() { b"JUNK" } else { b"ds64" });
    out.extend_from_slice(&28u32.to_le_bytes());
    for value in [whole, bytes, bytes / u64::from(2 * channels)] {
        let value = if short.is_some() { 0 } else { value };
        out.extend_from_slice(&value.to_le_bytes());
    }
    out.extend_from_slice(&0u32.to_le_bytes());
    out.extend_from_slice(b"fmt ");
    out.extend_from_slice(&16u32.to_le_bytes());
    out.extend_from_slice(&1u16.to_le_bytes());
    out.extend_from_slice(&channels.to_le_bytes());
    out.extend_from_slice(&rate.to_le_bytes());
    out.extend_from_slice(&(rate * 2 * u32::from(channels)).to_le_bytes());
    out.extend_from_slice(&(2 * channels).to_le_bytes());
    out.extend_from_slice(&16u16.to_le_bytes());
    out.extend_from_slice(b"data");
    out.extend_from_slice(&bytes_32.to_le_bytes());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(bytes: &[u8], at: usize) -> u32 {
        u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
    }

    #[test]
    fn the_header_says_what_follows() {
        let path = std::env::temp_dir().join(format!("anticlock-wav-{}", std::process::id()));
        let mut wav = Wav::begin(Growing::named(&path).unwrap(), 44_100, false).unwrap();
        wav.add_frames(&[[0.0; 2], [1.0; 2]]).unwrap();
        wav.add_frames(&[[-1.0; 2]]).unwrap();
        assert!(!path.exists());
        wav.end().unwrap();
        let file = std::fs::read(&path).unwrap();
        assert_eq!(file.len(), HEADER + 6);
        assert_eq!(&file[..4], b"RIFF");
        assert_eq!(word(&file, 4) as usize, file.len() - 8);
        assert_eq!(word(&file, 76), 6);
        assert_eq!(file[HEADER..], [0, 0, 0xFF, 0x7F, 0x01, 0x80]);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn two_channels_lie_side_by_side() {
        let path = std::env::temp_dir().join(format!("anticlock-stereo-{}", std::process::id()));
        let mut wav = Wav::begin(Growing::named(&path).unwrap(), 44_100, true).unwrap();
        wav.add_frames(&[[0.0, 1.0], [-1.0, 0.0]]).unwrap();
        wav.end().unwrap();
        let file = std::fs::read(&path).unwrap();
        assert_eq!(file[HEADER - 22], 2, "channels");
        assert_eq!(file[HEADER..], [0, 0, 0xFF, 0x7F, 0x01, 0x80, 0, 0]);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn after_thirteen_and_a_half_hours_the_lengths_have_64_bits() {
        let last = u64::from(u32::MAX) - HEADER as u64 + 8;
        assert_eq!(&header(44_100, false, last - 1)[..4], b"RIFF");
        let bytes = 15 * 3600 * 88_200;
        let long = header(44_100, false, bytes);
        assert_eq!(long.len(), HEADER);
        assert_eq!((&long[..4], &long[12..16]), (&b"RF64"[..], &b"ds64"[..]));
        assert_eq!(word(&long, 76), u32::MAX);
        assert_eq!(long[28..36], bytes.to_le_bytes());
        assert_eq!(long[36..44], (bytes / 2).to_le_bytes());
    }
}
