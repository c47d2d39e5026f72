//! The sound oracle on the whole machine: programs that make one defined sound each.
//!
//! `ORACLE` names the folder that holds `sound/NAME.xex` and `sound/NAME.json`. Programs with constant registers must give
//! the listed output changes to the half cycle; recordings of all must lie within the limits of the list.
use machine::{Config, Machine, Model, SoundChange, Tv};
use media::xex::Xex;
use serde_json::Value;
use session::sound::{Mixing, Synth};
use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

/// Frames a second of the list's machine.
const FRAME_RATE: f64 = 1_789_772.5 / 29_868.0;
/// The spectra are compared in this band.
const BAND: (f64, f64) = (20.0, 12_000.0);
const SKCTL: u8 = 15;
/// Cycles after which a program that has left initialization mode does not go into it again.
const AGAIN: u64 = 2000;

/// An OS that only waits: the programs take the machine over.
fn waiting_os() -> Vec<u8> {
    let mut os = vec![0xEA; 0x4000];
    os[..5].copy_from_slice(&[0x78, 0xD8, 0x4C, 0x02, 0xC0]);
    os[0x3FFA..].copy_from_slice(&[0x00, 0xC0, 0x00, 0xC0, 0x00, 0xC0]);
    os
}

/// A program's sound from the SKCTL write on that leaves initialization mode.
struct Playing {
    machine: Machine,
    /// The cycle of that write.
    w: u64,
    changes: Vec<SoundChange>,
}

fn start(file: &Path) -> Playing {
    let config = Config {
        model: Model::Xl800,
        tv: Tv::Ntsc,
        os: waiting_os().into(),
        basic: None,
        cartridge: None,
        second: None,
        seed: 1,
        extras: machine::Extras::default(),
    };
    let mut machine = Machine::new(&config).unwrap();
    machine.run_frame();
    let xex = Xex::parse(&std::fs::read(file).unwrap()).unwrap();
    for segment in &xex.segments {
        for (i, &byte) in segment.data.iter().enumerate() {
            machine.poke(segment.start.wrapping_add(i as u16), byte);
        }
    }
    machine.cpu.set_pc(xex.run_address().unwrap());
    let mut changes = Vec::new();
    let in_init = |machine: &Machine| machine.bus().io.pokey.written(SKCTL) & 3 == 0;
    // The program goes into initialization mode, and out of it where its sound begins.
    let limit = machine.now() + 600 * 29_868;
    loop {
        for wanted in [true, false] {
            while in_init(&machine) != wanted {
                machine.run_cycles(1);
                assert!(machine.now() < limit, "{} does not start", file.display());
            }
        }
        // Some go into initialization mode a second time before the sound.
        let mut ahead = machine.clone();
        let soon = ahead.now() + AGAIN;
        while !in_init(&ahead) && ahead.now() < soon {
            ahead.run_cycles(1);
        }
        if !in_init(&ahead) {
            break;
        }
    }
    let w = machine.now() - 1;
    machine.take_sound(&mut changes);
    Playing {
        machine,
        w,
        changes,
    }
}

impl Playing {
    fn run_to(&mut self, cycle: u64) {
        let now = self.machine.now();
        self.machine.run_cycles(cycle.saturating_sub(now));
        self.machine.take_sound(&mut self.changes);
    }

    /// The changes in half cycles from W, beginning with the state at 16 and ending before `limit`.
    fn changes_since_w(&self, limit: u64) -> Vec<(u64, u8)> {
        let mut list = vec![(16, 0)];
        for change in &self.changes {
            if change.at <= 2 * self.w + 16 {
                list[0].1 = change.level;
            } else if change.at < 2 * self.w + limit {
                list.push((change.at - 2 * self.w, change.level));
            }
        }
        list
    }

    /// Samples from `lead` seconds before W.
    fn record(&self, mixing: Mixing, rate: f64, lead: f64) -> Vec<f64> {
        let from = self.w - (lead * 1_789_772.5) as u64;
        let changes: Vec<SoundChange> = self
            .changes
            .iter()
            .copied()
            .filter(|c| c.at >= 2 * from)
            .collect();
        samples(&changes, mixing, rate, from, self.machine.now())
    }
}

fn folder() -> Option<PathBuf> {
    tests::outside("ORACLE", "the folder with the sound programs").map(|f| f.join("sound"))
}

/// Names of the programs with their lists.
fn programs(folder: &Path) -> Vec<(String, Value)> {
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .filter_map(|f| Some(f.ok()?.path()))
        .filter(|f| f.extension().is_some_and(|e| e == "json"))
        .collect();
    names.sort();
    assert!(!names.is_empty(), "no programs in {}", folder.display());
    names
        .into_iter()
        .map(|f| {
            let text = std::fs::read_to_string(&f);
            let list = text
                .map_err(|e| e.to_string())
                .and_then(|text| serde_json::from_str(&text).map_err(|e| e.to_string()));
            let list = list.unwrap_or_else(|e| panic!("{}: {e}", f.display()));
            (f.file_stem().unwrap().to_string_lossy().into_owned(), list)
        })
        .collect()
}

/// The tone that levels are measured against: channel 1, 437.8 Hz, volume 8. Recorded from the program of that name, or made from the
/// changes that it would give.
fn reference_tone(folder: &Path, mixing: Mixing, rate: f64) -> Vec<f64> {
    const LEAD: f64 = 0.2;
    let file = folder.join("ref_tone.xex");
    if file.exists() {
        let mut playing = start(&file);
        playing.run_to(playing.w + 150 * 29_868);
        return playing.record(mixing, rate, LEAD);
    }
    let w = (LEAD * 1_789_772.5) as u64;
    let length = 150 * 29_868;
    let changes: Vec<SoundChange> = (0..2 * length / 4_088)
        .map(|i| SoundChange {
            at: 2 * w + 4_086 + i * 4_088,
            level: if i % 2 == 0 { 8 } else { 0 },
        })
        .collect();
    samples(&changes, mixing, rate, 0, w + length)
}

/// The synthesizer's output for changes, as a 16-bit file would hold it.
fn samples(changes: &[SoundChange], mixing: Mixing, rate: f64, from: u64, to: u64) -> Vec<f64> {
    let mut synth = Synth::new(1_789_772.5, rate, from);
    synth.set_mixing(mixing);
    let mut out = Vec::new();
    synth.render(changes, to, &mut out);
    out.iter()
        .map(|&s| (f64::from(s) * 32_767.0).round() / 32_768.0)
        .collect()
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &b| {
        (0..8).fold(crc ^ u32::from(b), |crc, _| {
            (crc >> 1) ^ if crc & 1 != 0 { 0xEDB8_8320 } else { 0 }
        })
    })
}

fn pair(entry: &Value) -> (u64, u8) {
    (entry[0].as_u64().unwrap(), entry[1].as_u64().unwrap() as u8)
}

/// The first difference in the exact changes of a program, if any.
fn exact_differences(playing: &Playing, list: &Value) -> Option<String> {
    let crc = &list["crc"];
    let limit = crc["half_cycles"].as_u64().unwrap();
    let found = playing.changes_since_w(limit);
    let wanted = list["first_changes"].as_array().unwrap().iter().map(pair);
    for (i, wanted) in wanted.filter(|w| w.0 < limit).enumerate() {
        if found.get(i) != Some(&wanted) {
            return Some(format!(
                "change {i}: wanted {wanted:?}, found {:?}",
                found.get(i)
            ));
        }
    }
    let text = found.iter().fold(String::new(), |text, (t, l)| {
        text + &format!(
            "{t}:{l}
"
        )
    });
    let sum = format!("{:08X}", crc32(text.as_bytes()));
    if crc["crc32"].as_str() != Some(&sum) {
        return Some(format!(
            "checksum {sum} of {} changes, wanted {crc}",
            found.len()
        ));
    }
    let pattern = &list["pattern"];
    if let (Some(begin), Some(length)) = (pattern["start"].as_u64(), pattern["length"].as_u64()) {
        let all = playing.changes_since_w(u64::MAX / 4);
        let wanted: Vec<_> = pattern["changes"]
            .as_array()
            .unwrap()
            .iter()
            .map(pair)
            .collect();
        let found: Vec<_> = all
            .into_iter()
            .filter(|c| c.0 >= begin && c.0 < begin + length)
            .collect();
        if wanted != found {
            return Some("the pattern of one repeat differs".into());
        }
    }
    None
}

#[test]
fn every_steady_program_changes_its_output_at_the_exact_half_cycles() {
    let Some(folder) = folder() else { return };
    let mut wrong = Vec::new();
    let mut compared = 0;
    for (name, list) in programs(&folder) {
        if list["crc"].is_null() {
            continue;
        }
        let mut playing = start(&folder.join(format!("{name}.xex")));
        let length = list["pattern"]["start"].as_u64().unwrap_or(0)
            + list["pattern"]["length"].as_u64().unwrap_or(0);
        playing.run_to(playing.w + length.max(2_000_000) / 2 + 100);
        compared += 1;
        if let Some(difference) = exact_differences(&playing, &list) {
            wrong.push(format!("{name}: {difference}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {compared} programs differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    println!("{compared} programs equal to the half cycle");
}

/// A power spectrum, windowed.
struct Spectrum {
    step: f64,
    amplitude: Vec<f64>,
    power: Vec<f64>,
}

impl Spectrum {
    fn new(samples: &[f64], rate: f64) -> Self {
        let n = 1 << samples.len().min(65_536).ilog2();
        let samples = &samples[samples.len() - n..];
        let mean = samples.iter().sum::<f64>() / n as f64;
        let window: Vec<f64> = (0..n)
            .map(|i| {
                let w = TAU * i as f64 / n as f64;
                0.35875 - 0.48829 * w.cos() + 0.14128 * (2.0 * w).cos() - 0.01168 * (3.0 * w).cos()
            })
            .collect();
        let mut data: Vec<(f64, f64)> = samples
            .iter()
            .zip(&window)
            .map(|(s, w)| ((s - mean) * w, 0.0))
            .collect();
        transform(&mut data);
        let sum: f64 = window.iter().sum();
        let square: f64 = window.iter().map(|w| w * w).sum();
        let norm: Vec<f64> = data[..n / 2].iter().map(|c| c.0.hypot(c.1)).collect();
        Self {
            step: rate / n as f64,
            amplitude: norm.iter().map(|a| a * 2.0 / sum).collect(),
            power: norm
                .iter()
                .map(|a| a * a * 2.0 / (n as f64 * square))
                .collect(),
        }
    }

    fn power(&self, low: f64, high: f64) -> f64 {
        let first = ((low / self.step).ceil() as usize).max(1);
        let last = ((high / self.step) as usize).min(self.power.len() - 1);
        self.power[first..=last].iter().sum()
    }

    fn rms(&self) -> f64 {
        self.power(BAND.0, BAND.1).sqrt()
    }

    /// Frequency and level in dB of the peak near `frequency`.
    fn peak(&self, frequency: f64) -> (f64, f64) {
        let middle = (frequency / self.step).round() as usize;
        let reach = (((frequency * 0.001).max(1.0) / self.step) as usize + 1).max(2);
        let best = (middle.saturating_sub(reach).max(2)..=middle + reach)
            .max_by(|&a, &b| self.amplitude[a].total_cmp(&self.amplitude[b]))
            .unwrap();
        let level = |i: usize| 20.0 * (self.amplitude[i] + 1e-12).log10();
        let (a, b, c) = (level(best - 1), level(best), level(best + 1));
        let bend = a - 2.0 * b + c;
        let offset = if bend == 0.0 {
            0.0
        } else {
            0.5 * (a - c) / bend
        };
        (
            (best as f64 + offset) * self.step,
            b - 0.25 * (a - c) * offset,
        )
    }
}

/// The Fourier transform of a power of two of complex numbers.
fn transform(data: &mut [(f64, f64)]) {
    let n = data.len();
    let mut j = 0;
    for i in 1..n {
        let mut bit = n >> 1;
        while j & bit != 0 {
            j ^= bit;
            bit >>= 1;
        }
        j |= bit;
        if i < j {
            data.swap(i, j);
        }
    }
    let mut size = 2;
    while size <= n {
        let half = size / 2;
        let turns: Vec<(f64, f64)> = (0..half)
            .map(|k| {
                let angle = -TAU * k as f64 / size as f64;
                (angle.cos(), angle.sin())
            })
            .collect();
        for start in (0..n).step_by(size) {
            for (k, turn) in turns.iter().enumerate() {
                let a = data[start + k];
                let b = data[start + k + half];
                let t = (b.0 * turn.0 - b.1 * turn.1, b.0 * turn.1 + b.1 * turn.0);
                data[start + k] = (a.0 + t.0, a.1 + t.1);
                data[start + k + half] = (a.0 - t.0, a.1 - t.1);
            }
        }
        size *= 2;
    }
}

fn db(x: f64) -> f64 {
    20.0 * (x + 1e-9).log10()
}

/// Collects what lies outside its limits.
struct Judge {
    name: String,
    wrong: Vec<String>,
}

impl Judge {
    fn check(&mut self, what: &str, value: f64, low: &Value, high: &Value) {
        let (low, high) = (low.as_f64(), high.as_f64());
        if low.is_some_and(|l| value < l) || high.is_some_and(|h| value > h) {
            self.wrong.push(format!(
                "{}: {what}: {value:.2} dB, wanted {low:?} to {high:?}",
                self.name
            ));
        }
    }

    /// A program with one steady sound.
    fn steady(&mut self, expect: &Value, sound: &Spectrum, reference: &Spectrum) {
        let level = reference.rms();
        self.check(
            "level",
            db(sound.rms() / level),
            &expect["rms_db_min"],
            &expect["rms_db_max"],
        );
        let empty = vec![];
        let peaks = expect["peaks"].as_array().unwrap_or(&empty);
        if !peaks.is_empty() {
            let first = sound.peak(expect["peaks_origin_hz"].as_f64().unwrap()).1;
            let limits = &expect["origin_db_vs_ref_peak"];
            self.check(
                "first peak",
                first - reference.peak(437.82).1,
                &limits[0],
                &limits[1],
            );
            for peak in peaks {
                let wanted = peak["hz"].as_f64().unwrap();
                let (found, level) = sound.peak(wanted);
                self.check(
                    &format!("peak {wanted} Hz"),
                    level - first,
                    &peak["db_min"],
                    &peak["db_max"],
                );
                if (found - wanted).abs() > (wanted * 0.001).max(1.0) {
                    self.wrong.push(format!(
                        "{}: peak at {found:.2} Hz, wanted {wanted}",
                        self.name
                    ));
                }
            }
            let range = (BAND.0 / sound.step) as usize..(BAND.1 / sound.step) as usize;
            let strongest = range
                .max_by(|&a, &b| sound.amplitude[a].total_cmp(&sound.amplitude[b]))
                .unwrap() as f64
                * sound.step;
            let known = peaks.iter().any(|p| {
                (strongest - p["hz"].as_f64().unwrap()).abs() < (0.002 * strongest).max(3.0)
            });
            // A flat spectrum has more peaks than the list.
            let flat =
                peaks.len() > 7 && peaks.iter().all(|p| p["db_max"].as_f64().unwrap() > -10.0);
            if !known && !flat {
                self.wrong.push(format!(
                    "{}: strongest peak at {strongest:.1} Hz",
                    self.name
                ));
            }
        }
        for band in expect["bands"].as_array().unwrap_or(&empty) {
            let centre = band["centre_hz"].as_f64().unwrap();
            let power = sound.power(centre / 2f64.sqrt(), (centre * 2f64.sqrt()).min(BAND.1));
            let found = 10.0 * (power / (level * level) + 1e-12).log10();
            self.check(
                &format!("octave at {centre} Hz"),
                found,
                &band["db_min"],
                &band["db_max"],
            );
        }
    }
}

fn recordings_are_within_the_limits(mixing: Mixing, rate: f64) {
    const LEAD: f64 = 0.2;
    let Some(folder) = folder() else { return };
    let play = |name: &str, frames: u64| {
        let mut playing = start(&folder.join(format!("{name}.xex")));
        playing.run_to(playing.w + frames * 29_868);
        playing.record(mixing, rate, LEAD)
    };
    let reference = Spectrum::new(&reference_tone(&folder, mixing, rate), rate);
    let mut wrong = Vec::new();
    let mut judged = 0;
    for (name, list) in programs(&folder) {
        let mut judge = Judge {
            name: name.clone(),
            wrong: Vec::new(),
        };
        if let Some(steps) = list["steps"].as_array() {
            let frames = list["step_frames"].as_u64().unwrap();
            let sound = play(&name, frames * (steps.len() as u64 + 1));
            for step in steps {
                let number = step["step"].as_u64().unwrap();
                let begin = LEAD + ((number - 1) * frames + 5) as f64 / FRAME_RATE;
                let end = begin + 16.0 / FRAME_RATE;
                let part =
                    Spectrum::new(&sound[(begin * rate) as usize..(end * rate) as usize], rate);
                let expect = &step["expect"];
                let level = db(part.rms() / reference.rms());
                let what = format!("step {number}");
                // The limits allow for a mixer that saturates; a linear one has the model's levels.
                match step["rms_db_vs_ref_tone"]["model_digital"].as_f64() {
                    Some(wanted) if mixing == Mixing::Linear => {
                        let limits = [Value::from(wanted - 0.5), Value::from(wanted + 0.5)];
                        judge.check(&what, level, &limits[0], &limits[1]);
                    }
                    _ => judge.check(&what, level, &expect["rms_db_min"], &expect["rms_db_max"]),
                }
            }
        } else if list["expect"].is_object() {
            judge.steady(
                &list["expect"],
                &Spectrum::new(&play(&name, 150), rate),
                &reference,
            );
        } else {
            continue;
        }
        judged += 1;
        wrong.append(&mut judge.wrong);
    }
    assert!(
        wrong.is_empty(),
        "of {judged} programs:\n{}",
        wrong.join("\n")
    );
    println!("{judged} recordings within the limits");
}

#[test]
fn recordings_with_the_machine_s_mixing_are_within_the_limits() {
    recordings_are_within_the_limits(Mixing::Saturating, 44_100.0);
}

#[test]
fn recordings_at_48_khz_are_within_the_limits() {
    recordings_are_within_the_limits(Mixing::Saturating, 48_000.0);
}

#[test]
fn recordings_with_linear_mixing_are_within_the_limits() {
    recordings_are_within_the_limits(Mixing::Linear, 44_100.0);
}

#[test]
fn volume_only_channels_give_every_sum_and_the_mixing_its_level() {
    let Some(folder) = folder() else { return };
    for (name, list) in programs(&folder) {
        let Some(levels) = list["levels"]["altirra"].as_array() else {
            continue;
        };
        let frames = list["step_frames"].as_u64().unwrap();
        let mut playing = start(&folder.join(format!("{name}.xex")));
        playing.run_to(playing.w + (levels.len() as u64 + 1) * frames * 29_868);
        let height = |sum: u8| {
            let change = SoundChange {
                at: 100,
                level: sum,
            };
            let step = samples(&[change], Mixing::Saturating, 44_100.0, 0, 20_000);
            step.into_iter().fold(0.0, f64::max)
        };
        let tolerance = list["tolerance"]["levels_abs"].as_f64().unwrap();
        for (sum, level) in levels.iter().enumerate() {
            let middle = 2 * playing.w + (2 * sum as u64 + 1) * frames * 29_868;
            let found = playing
                .changes
                .iter()
                .take_while(|c| c.at < middle)
                .last()
                .map_or(0, |c| c.level);
            assert_eq!(usize::from(found), sum, "{name}");
            let (found, wanted) = (height(found) / height(15), level.as_f64().unwrap());
            assert!(
                (found - wanted).abs() < tolerance,
                "{name}: sum {sum} is {found:.3}, wanted {wanted:.3}"
            );
        }
    }
}
