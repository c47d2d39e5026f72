//! WAV files: 16-bit mono.

/// A complete WAV file of `samples` at `rate` Hz.
pub fn file(rate: u32, samples: &[i16]) -> Vec<u8> {
    let bytes = samples.len() as u32 * 2;
    let mut out = Vec::with_capacity(44 + samples.len() * 2);
    out.extend_from_slice(b"RIFF");
    out.extend_from_slice(&(36 + bytes).to_le_bytes());
    out.extend_from_slice(b"WAVEfmt ");
    out.extend_from_slice(&16u32.to_le_bytes());
    out.extend_from_slice(&1u16.to_le_bytes());
    out.extend_from_slice(&1u16.to_le_bytes());
    out.extend_from_slice(&rate.to_le_bytes());
    out.extend_from_slice(&(rate * 2).to_le_bytes());
    out.extend_from_slice(&2u16.to_le_bytes());
    out.extend_from_slice(&16u16.to_le_bytes());
    out.extend_from_slice(b"data");
    out.extend_from_slice(&bytes.to_le_bytes());
    for sample in samples {
        out.extend_from_slice(&sample.to_le_bytes());
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_header_says_what_follows() {
        let wav = super::file(44_100, &[0, 1, -1]);
        assert_eq!(wav.len(), 50);
        assert_eq!(wav[4..8], 42u32.to_le_bytes());
        assert_eq!(wav[40..44], 6u32.to_le_bytes());
        assert_eq!(wav[46..], [1, 0, 255, 255]);
    }
}
