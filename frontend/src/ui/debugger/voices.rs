//! POKEY's four voices: pitch, kind of sound, volume, what each of them puts out, and which of them are heard.
use super::{Scene, theme};
use egui::{Rect, RichText, Sense, Ui, pos2, vec2};
use machine::{Machine, Probe, SoundChange};
use pokey::Pokey;

/// Writes to POKEY: cycle, register, data.
type Writes = Vec<(u64, u8, u8)>;

struct Recorder(Writes);

impl Probe for Recorder {
    const ACTIVE: bool = false;
    const WRITES: bool = true;

    fn written(&mut self, now: u64, address: u16, data: u8) {
        if address >> 8 == 0xD2 {
            self.0.push((now, address as u8 & 15, data));
        }
    }
}

/// What a machine writes to POKEY in the coming cycles.
fn writes(mut machine: Machine, cycles: u64) -> Writes {
    let mut recorder = Recorder(Vec::new());
    machine.run_cycles_with(cycles, &mut recorder);
    recorder.0
}

/// A second POKEY that gets the same writes as the machine's, but for the volumes of voices that are not to be heard.
pub struct Double {
    pokey: Pokey,
    muted: u8,
}

impl Double {
    /// As the machine's POKEY is now.
    pub fn new(machine: &Machine, muted: u8) -> Self {
        let mut double = Self {
            pokey: machine.bus().io.pokey.clone(),
            muted,
        };
        for register in [1, 3, 5, 7] {
            let data = double.pokey.written(register);
            double.write(register, data, machine.now());
        }
        double.pokey.take_sound(&mut Vec::new());
        double
    }

    /// Voices that are not heard, one bit each.
    pub fn muted(&self) -> u8 {
        self.muted
    }

    fn write(&mut self, register: u8, data: u8, now: u64) {
        let mutes = register < 8 && register & 1 != 0 && self.muted >> (register / 2) & 1 != 0;
        let data = if mutes { data & 0xF0 } else { data };
        self.pokey.write(register, data, now);
    }

    fn follow(&mut self, writes: &Writes, end: u64) -> Vec<SoundChange> {
        let mut changes = Vec::new();
        for &(now, register, data) in writes {
            self.write(register, data, now);
        }
        self.pokey.sync_to(end);
        self.pokey.take_sound(&mut changes);
        changes
    }

    /// Does what the machine has done from `start` on until now; the changes of its sound.
    pub fn run(&mut self, start: Machine, now: u64) -> Vec<SoundChange> {
        let cycles = now.saturating_sub(start.now());
        let first = SoundChange {
            at: 2 * start.now(),
            level: self.pokey.sound_level(),
        };
        let mut changes = vec![first];
        changes.extend(self.follow(&writes(start, cycles), now));
        changes
    }
}

/// What the panel remembers.
#[derive(Default)]
pub struct State {
    /// Voices that are not heard, one bit each.
    pub muted: u8,
    traced: Option<u64>,
    traces: [Vec<SoundChange>; 4],
    /// First and last cycle of the traces.
    range: (u64, u64),
}

impl State {
    /// Runs the last frame again, once for each voice alone.
    fn update(&mut self, scene: &Scene) {
        let now = scene.machine.now();
        if self.traced == Some(now) {
            return;
        }
        self.traced = Some(now);
        self.traces = Default::default();
        let frame = u64::from(scene.machine.bus().video.antic.lines()) * 114;
        let history = &scene.debugger.history;
        let Some(start) = now
            .checked_sub(frame)
            .and_then(|start| history.state_at(start))
        else {
            return;
        };
        self.range = (start.now(), now);
        let recorded = writes(start.clone(), frame);
        self.traces = std::array::from_fn(|voice| {
            let mut double = Double::new(&start, !(1 << voice) & 15);
            let at = 2 * start.now();
            let level = double.pokey.sound_level();
            let mut trace = vec![SoundChange { at, level }];
            trace.extend(double.follow(&recorded, now));
            trace
        });
    }
}

/// The level of a voice through the last frame.
fn scope(ui: &mut Ui, trace: &[SoundChange], range: (u64, u64)) {
    let colours = theme::colours(ui);
    let width = ui.available_width().max(40.0);
    let (rect, _) = ui.allocate_exact_size(vec2(width, 26.0), Sense::hover());
    ui.painter().rect_filled(rect, 0.0, colours.well);
    let columns = width as u64;
    let length = 2 * (range.1 - range.0).max(1);
    let mut next = 0;
    let mut level = 0;
    // Columns that look the same are one rectangle.
    let mut run: Option<(u64, u8, u8)> = None;
    let draw = |from: u64, to: u64, low: u8, high: u8| {
        let y = |level: u8| rect.bottom() - 2.0 - f32::from(level.min(15)) * 1.5;
        let area = Rect::from_min_max(
            pos2(rect.left() + from as f32, y(high)),
            pos2(rect.left() + to as f32, y(low) + 1.0),
        );
        ui.painter().rect_filled(area, 0.0, colours.chips[2]);
    };
    for column in 0..columns {
        let end = 2 * range.0 + (column + 1) * length / columns;
        let (mut low, mut high) = (level, level);
        while let Some(change) = trace.get(next).filter(|change| change.at < end) {
            level = change.level & 0x3F;
            (low, high) = (low.min(level), high.max(level));
            next += 1;
        }
        match run {
            Some((_, a, b)) if (a, b) == (low, high) => {}
            _ => {
                if let Some((from, a, b)) = run {
                    draw(from, column, a, b);
                }
                run = Some((column, low, high));
            }
        }
    }
    if let Some((from, low, high)) = run {
        draw(from, columns, low, high);
    }
}

const NAMES: [&str; 12] = [
    "C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B",
];

/// A voice as its registers say.
#[derive(Clone, Debug, PartialEq)]
struct Voice {
    /// Hertz of a pure tone; none while the voice only times another one.
    frequency: Option<f64>,
    sound: &'static str,
    volume: u8,
}

/// The voices of AUDF1-4, AUDC1-4, AUDCTL and the machine's clock.
fn voices(audf: [u8; 4], audc: [u8; 4], audctl: u8, clock: f64) -> [Voice; 4] {
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

/// The nearest note, and how many hundredths of a half tone it is off.
fn note(frequency: f64) -> Option<(String, i32)> {
    if !(16.0..=20_000.0).contains(&frequency) {
        return None;
    }
    let half_tones = 12.0 * (frequency / 440.0).log2() + 69.0;
    let nearest = half_tones.round();
    let cents = ((half_tones - nearest) * 100.0).round() as i32;
    let key = nearest as usize;
    Some((format!("{}{}", NAMES[key % 12], key / 12 - 1), cents))
}

/// The panel.
pub fn ui(ui: &mut Ui, state: &mut State, scene: &Scene) {
    let colours = theme::colours(ui);
    state.update(scene);
    let pokey = debugger::view::Pokey::of(scene.machine);
    let clock = scene.machine.config().tv.clock();
    let all = voices(pokey.audf, pokey.audc, pokey.audctl, clock);
    for (n, voice) in all.iter().enumerate() {
        ui.horizontal(|ui| {
            let bit = 1 << n;
            let mut heard = state.muted & bit == 0;
            if ui
                .checkbox(&mut heard, format!("voice {}", n + 1))
                .on_hover_text("heard; the machine does not notice")
                .clicked()
            {
                state.muted ^= bit;
            }
            if ui
                .small_button("alone")
                .on_hover_text("only this one is heard; once more: all")
                .clicked()
            {
                let others = !bit & 15;
                state.muted = if state.muted == others { 0 } else { others };
            }
            let text = match voice.frequency {
                None => "times the next one".to_owned(),
                Some(frequency) => {
                    let note = note(frequency).map_or(String::new(), |(name, cents)| {
                        format!("  {name:3} {cents:+3} ct")
                    });
                    format!("{frequency:9.1} Hz{note}")
                }
            };
            ui.monospace(format!("volume {:2}  {text}", voice.volume));
            ui.label(RichText::new(voice.sound).color(colours.weak));
        });
        scope(ui, &state.traces[n], state.range);
    }
    ui.label(
        RichText::new("the last frame; pitch as of a pure tone, noises repeat more slowly")
            .color(colours.weak)
            .small(),
    );
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
