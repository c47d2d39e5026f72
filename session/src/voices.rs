//! The voices of POKEY as its registers say: pitch, kind of sound, volume; and the names of notes.

const NAMES: [&str; 12] = [
    "C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B",
];

/// A voice as its registers say.
#[derive(Clone, Debug, PartialEq)]
pub struct Voice {
    /// Hertz of a pure tone; `None` while the voice only times another one.
    pub frequency: Option<f64>,
    /// Its kind of sound, in words.
    pub sound: &'static str,
    /// 0 to 15.
    pub volume: u8,
}

/// The voices of AUDF1-4, AUDC1-4, AUDCTL and the machine's clock.
pub fn voices(audf: [u8; 4], audc: [u8; 4], audctl: u8, clock: f64) -> [Voice; 4] {
    let base = if audctl & 0x01 != 0 {
        clock / 114.0
    } else {
        clock / 28.0
    };
    std::array::from_fn(|n| {
        let pair = audctl & if n < 2 { 0x10 } else { 0x08 } != 0;
        let fast = audctl & if n < 2 { 0x40 } else { 0x20 } != 0;
        let low = n % 2 == 0;
        let frequency = if pair && low {
            None
        } else if pair {
            let period = f64::from(u16::from_le_bytes([audf[n - 1], audf[n]]));
            // At the full clock reloading the two counters takes seven cycles, at a divided one it is hidden.
            Some(
                if fast {
                    clock / (period + 7.0)
                } else {
                    base / (period + 1.0)
                } / 2.0,
            )
        } else if fast && low {
            Some(clock / (f64::from(audf[n]) + 4.0) / 2.0)
        } else {
            Some(base / (f64::from(audf[n]) + 1.0) / 2.0)
        };
        let noise = if audctl & 0x80 == 0 {
            "17-bit noise"
        } else {
            "9-bit noise"
        };
        let sound = match audc[n] >> 4 {
            c if c & 1 != 0 => "volume only",
            0x0 if audctl & 0x80 == 0 => "5-bit and 17-bit noise",
            0x0 => "5-bit and 9-bit noise",
            0x2 | 0x6 => "5-bit noise",
            0x4 => "5-bit and 4-bit noise",
            0x8 => noise,
            0xC => "4-bit noise",
            _ => "pure tone",
        };
        Voice {
            frequency,
            sound,
            volume: audc[n] & 15,
        }
    })
}

/// The nearest note, and its distance from it in hundredths of a half tone.
pub fn note(frequency: f64) -> Option<(String, i32)> {
    if !(16.0..=20_000.0).contains(&frequency) {
        return None;
    }
    let half_tones = 12.0 * (frequency / 440.0).log2() + 69.0;
    let nearest = half_tones.round();
    let cents = ((half_tones - nearest) * 100.0).round() as i32;
    let key = nearest as usize;
    Some((format!("{}{}", NAMES[key % 12], key / 12 - 1), cents))
}

/// True for the name of a note as [`note`] gives it: `A4`, `C#5`.
pub fn is_note(name: &str) -> bool {
    let step = name.trim_end_matches(|c: char| c.is_ascii_digit());
    NAMES.contains(&step) && name.len() == step.len() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pitches_follow_the_registers() {
        let clock = 1_789_772.5;
        let hertz = |audf, audctl, n: usize| {
            let frequency = voices(audf, [0xA8; 4], audctl, clock)[n].frequency;
            frequency.map(|frequency| frequency.round() as u32)
        };
        // 1789772.5 / 28 / 2 / (1 + 72) = 437.8; the divided 15 kHz clock; 1.79 MHz; two joined counters at both clocks.
        assert_eq!(hertz([72, 0, 0, 0], 0, 0), Some(438));
        assert_eq!(hertz([72, 0, 0, 0], 1, 0), Some(108));
        assert_eq!(hertz([252, 0, 0, 0], 0x40, 0), Some(3496));
        assert_eq!(hertz([0, 0, 0xEB, 0x07], 0x28, 3), Some(440));
        assert_eq!(hertz([0, 0, 0xEB, 0x07], 0x28, 2), None);
        assert_eq!(hertz([0xFF, 0, 0, 0], 0x10, 1), Some(125));
    }

    #[test]
    fn notes_have_names() {
        assert_eq!(note(440.0), Some(("A4".to_owned(), 0)));
        assert_eq!(note(261.6), Some(("C4".to_owned(), 0)));
        assert_eq!(note(450.0), Some(("A4".to_owned(), 39)));
        assert_eq!(note(1.0), None);
        assert!(is_note("C#5") && is_note("A4"));
        assert!(!is_note("H4") && !is_note("A") && !is_note("A44") && !is_note(""));
    }

    #[test]
    fn kinds_of_sound_have_names() {
        let sounds = voices([0; 4], [0xA8, 0x88, 0x1F, 0xC4], 0, 1.0).map(|voice| voice.sound);
        assert_eq!(
            sounds,
            ["pure tone", "17-bit noise", "volume only", "4-bit noise"]
        );
    }
}
