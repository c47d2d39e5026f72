//! The four voices of POKEY, or the eight of two: pitch, kind of sound, volume, the output of each of them, and the muted ones.
use super::{Scene, theme};
use egui::{Rect, RichText, Sense, Ui, pos2, vec2};
use machine::{Extras, Machine, Probe, SoundChange};
use pokey::Pokey;
use session::voices::{note, voices};

/// Writes to POKEY: cycle, whether to the second one, register, data.
type Writes = Vec<(u64, bool, u8, u8)>;

struct Recorder {
    writes: Writes,
    extras: Extras,
}

impl Probe for Recorder {
    const ACTIVE: bool = false;
    const WRITES: bool = true;

    fn written(&mut self, now: u64, address: u16, data: u8) {
        // A Covox is not a POKEY; without it these are copies.
        let covox = self.extras.covox && address & 0x80 != 0;
        if address >> 8 == 0xD2 && !covox {
            let second = self.extras.stereo && address & 0x10 != 0;
            self.writes.push((now, second, address as u8 & 15, data));
        }
    }
}

/// The writes of a machine to POKEY in the coming cycles.
fn writes(mut machine: Machine, cycles: u64) -> Writes {
    let mut recorder = Recorder {
        writes: Vec::new(),
        extras: machine.config().extras,
    };
    machine.run_cycles_with(cycles, &mut recorder);
    recorder.writes
}

/// POKEYs that get the same writes as the machine's, but for the volumes of voices that are not to be heard.
pub struct Double {
    /// One, or two with `--stereo`.
    pokeys: Vec<Pokey>,
    muted: u8,
}

impl Double {
    /// As the machine's POKEYs are now.
    pub fn new(machine: &Machine, muted: u8) -> Self {
        let pokeys = [Some(&machine.bus().io.pokey), machine.second_pokey()];
        let mut double = Self {
            pokeys: pokeys.into_iter().flatten().cloned().collect(),
            muted,
        };
        for number in 0..double.pokeys.len() {
            for register in [1, 3, 5, 7] {
                let data = double.pokeys[number].written(register);
                double.write(number, register, data, machine.now());
            }
            double.pokeys[number].take_sound(&mut Vec::new());
        }
        double
    }

    /// Voices that are not heard, one bit each; the second POKEY's are the upper four.
    pub fn muted(&self) -> u8 {
        self.muted
    }

    fn write(&mut self, number: usize, register: u8, data: u8, now: u64) {
        let muted = self.muted >> (4 * number);
        let mutes = register < 8 && register & 1 != 0 && muted >> (register / 2) & 1 != 0;
        let data = if mutes { data & 0xF0 } else { data };
        if let Some(pokey) = self.pokeys.get_mut(number) {
            pokey.write(register, data, now);
        }
    }

    fn play(&mut self, writes: &Writes, end: u64) -> [Vec<SoundChange>; 2] {
        for &(now, second, register, data) in writes {
            self.write(second.into(), register, data, now);
        }
        let mut changes = [const { Vec::new() }; 2];
        for (pokey, changes) in self.pokeys.iter_mut().zip(&mut changes) {
            pokey.sync_to(end);
            pokey.take_sound(changes);
        }
        changes
    }

    /// The levels at a cycle.
    fn levels(&self, now: u64) -> [Vec<SoundChange>; 2] {
        let mut levels = [const { Vec::new() }; 2];
        for (pokey, levels) in self.pokeys.iter().zip(&mut levels) {
            levels.push(SoundChange {
                at: 2 * now,
                level: pokey.sound_level(),
            });
        }
        levels
    }

    /// Does what the machine has done from `start` on until now; the changes of the sound of each POKEY.
    pub fn run(&mut self, start: Machine, now: u64) -> [Vec<SoundChange>; 2] {
        let cycles = now.saturating_sub(start.now());
        let mut changes = self.levels(start.now());
        let later = self.play(&writes(start, cycles), now);
        for (changes, later) in changes.iter_mut().zip(later) {
            changes.extend(later);
        }
        changes
    }
}

/// State of the panel between two passes.
#[derive(Default)]
pub struct State {
    /// Voices that are not heard, one bit each; the second POKEY's are the upper four.
    pub muted: u8,
    traced: Option<u64>,
    traces: [Vec<SoundChange>; 8],
    /// First and last cycle of the traces.
    range: (u64, u64),
}

impl State {
    /// Runs the last frame again, once for each voice by itself.
    fn update(&mut self, scene: &Scene) {
        let now = scene.machine().now();
        if self.traced == Some(now) {
            return;
        }
        self.traced = Some(now);
        self.traces = Default::default();
        let frame = u64::from(scene.machine().bus().video.antic.lines()) * 114;
        let Some(start) = now
            .checked_sub(frame)
            .and_then(|start| scene.track.state_at(start))
        else {
            return;
        };
        self.range = (start.now(), now);
        let recorded = writes(start.clone(), frame);
        // The same voice of both POKEYs at once.
        for voice in 0..4 {
            let mut double = Double::new(&start, !(0x11 << voice));
            let mut traces = double.levels(start.now());
            let later = double.play(&recorded, now);
            for (number, (trace, later)) in traces.iter_mut().zip(later).enumerate() {
                trace.extend(later);
                self.traces[voice + 4 * number] = std::mem::take(trace);
            }
        }
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

/// The panel.
pub fn ui(ui: &mut Ui, state: &mut State, scene: &Scene) {
    let colours = theme::colours(ui);
    state.update(scene);
    let machine = scene.machine();
    let clock = machine.config().tv.clock();
    let pokeys = [Some(&machine.bus().io.pokey), machine.second_pokey()];
    let all = pokeys.into_iter().flatten().flat_map(|pokey| {
        let audf = std::array::from_fn(|n| pokey.written(2 * n as u8));
        let audc = std::array::from_fn(|n| pokey.written(2 * n as u8 + 1));
        voices(audf, audc, pokey.written(8), clock)
    });
    let stereo = machine.second_pokey().is_some();
    for (n, voice) in all.enumerate() {
        if stereo && n % 4 == 0 {
            let (name, side) = [("$D200", "left"), ("$D210", "right")][n / 4];
            ui.label(RichText::new(format!("POKEY at {name}, {side}")).color(colours.accent));
        }
        ui.horizontal(|ui| {
            let bit = 1 << n;
            let mut heard = state.muted & bit == 0;
            if ui
                .checkbox(&mut heard, format!("voice {}", n % 4 + 1))
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
                let all = if stereo { 0xFF } else { 0x0F };
                let others = !bit & all;
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
