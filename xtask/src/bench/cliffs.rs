//! Workloads over what programs do, to find those that cost far more than others like them.
//!
//! A class is one choice of settings: mode, width, scrolling, objects, interrupts, writes in mid-line. Each has a small program of its own in
//! place of an OS. `bench --cliffs` runs all classes in one process under callgrind, which counts the instructions between two calls
//! of [`mark`], and names the classes that cost more than [`LIMIT`] a frame or more than [`STEP`] times a neighbour: a class with all settings
//! but one the same, and that one a step away.
use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::process::Command;

use machine::{Config, Extras, Machine, Model, Tv};
use session::sound::Synth;

/// Host instructions a frame that no class should cost, in millions.
const LIMIT: f64 = 1.6;
/// The ratio to its neighbour's instructions that no class should exceed.
const STEP: f64 = 1.5;
/// Classes and steps that are printed.
const PRINTED: usize = 20;
/// Frames before the count, and counted.
const WARM: u32 = 3;
const COUNTED: u32 = 4;
const SAMPLE_RATE: f64 = 44_100.0;

/// Objects on each line, with DMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Objects {
    None,
    /// One player.
    One,
    /// Players and missiles side by side.
    Apart,
    /// All in one place, four times as wide.
    Stacked,
}

/// The way in which the program waits for lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Wait {
    /// A loop without WSYNC.
    None,
    /// STA WSYNC for each line.
    Store,
    /// INC WSYNC.
    Modify,
    /// Two in a row.
    Twice,
}

/// The four voices of each POKEY.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Voices {
    /// Tones on the 64 kHz clock.
    Slow,
    /// Timers 1 and 3 at 1.79 MHz with a period of seven cycles, as for amplitudes made out of pulses.
    Fast,
    /// [`Self::Fast`] through the high-pass filters.
    Filtered,
    /// [`Self::Fast`] with noise.
    Noise,
    /// [`Self::Fast`] in two-tone mode.
    TwoTone,
    /// Two pairs at 1.79 MHz, and their filters.
    Joined,
}

impl Voices {
    /// AUDCTL, SKCTL, AUDF of the four channels, and AUDC of all.
    const fn registers(self) -> (u8, u8, [u8; 4], u8) {
        let slow = [40, 70, 100, 130];
        let fast = [3, 70, 3, 130];
        match self {
            Self::Slow => (0, 3, slow, 0xA4),
            Self::Fast => (0x60, 3, fast, 0xA4),
            Self::Filtered => (0x66, 3, fast, 0xA4),
            Self::Noise => (0x60, 3, fast, 0x84),
            Self::TwoTone => (0x60, 0x8B, fast, 0xA4),
            Self::Joined => (0x7E, 3, [40, 2, 41, 2], 0xA4),
        }
    }
}

/// Settings of a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Class {
    /// ANTIC mode 2 to 15.
    mode: u8,
    /// DMACTL's playfield width, 1 to 3.
    width: u8,
    /// HSCROL of lines that are scrolled.
    hscrol: Option<u8>,
    /// Every other mode line is scrolled vertically.
    vscrol: bool,
    objects: Objects,
    /// An interrupt at the end of each mode line, which changes COLBK.
    dli: bool,
    /// PRIOR.
    prior: u8,
    /// A register that is written in the middle of each line.
    write: Option<u16>,
    /// A register that is read all the time, four times in a loop.
    read: Option<u16>,
    /// A timer whose interrupt puts out a sample.
    timer: Option<Timer>,
    wait: Wait,
    voices: Voices,
    /// Two POKEYs, both heard.
    stereo: bool,
}

const PLAIN: Class = Class {
    mode: 2,
    width: 2,
    hscrol: None,
    vscrol: false,
    objects: Objects::None,
    dli: false,
    prior: 1,
    write: None,
    read: None,
    timer: None,
    wait: Wait::None,
    voices: Voices::Slow,
    stereo: false,
};

/// A timer with an interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Timer {
    /// Timer 4, with this AUDF4 on the clock of 64 kHz, or as often where it is half of a pair.
    Fourth(u8),
    /// Timer 1 each seven cycles: the next interrupt waits before the last one is answered.
    First,
}

/// Timer 4 at about 4, 8 and 16 kHz.
const TIMERS: [Timer; 3] = [Timer::Fourth(15), Timer::Fourth(7), Timer::Fourth(3)];

impl Timer {
    /// Its bit in IRQEN, and AUDC of its channel.
    const fn registers(self) -> (u8, u8) {
        match self {
            Self::Fourth(_) => (4, 0x07),
            Self::First => (1, 0x01),
        }
    }
}

/// Registers that programs write in mid-line.
const REGISTERS: &[(u16, &str)] = &[
    (0xD000, "HPOSP0"),
    (0xD004, "HPOSM0"),
    (0xD008, "SIZEP0"),
    (0xD00C, "SIZEM"),
    (0xD00D, "GRAFP0"),
    (0xD011, "GRAFM"),
    (0xD012, "COLPM0"),
    (0xD016, "COLPF0"),
    (0xD017, "COLPF1"),
    (0xD018, "COLPF2"),
    (0xD01A, "COLBK"),
    (0xD01B, "PRIOR"),
    (0xD01C, "VDELAY"),
    (0xD01D, "GRACTL"),
    (0xD01E, "HITCLR"),
    (0xD200, "AUDF1"),
    (0xD201, "AUDC1"),
    (0xD400, "DMACTL"),
    (0xD401, "CHACTL"),
    (0xD404, "HSCROL"),
    (0xD405, "VSCROL"),
    (0xD407, "PMBASE"),
    (0xD409, "CHBASE"),
];

/// Registers that programs wait for, and pages with nothing in them.
const READ: &[(u16, &str)] = &[
    (0xD000, "M0PF"),
    (0xD010, "TRIG0"),
    (0xD01F, "CONSOL"),
    (0xD200, "POT0"),
    (0xD20A, "RANDOM"),
    (0xD20E, "IRQST"),
    (0xD20F, "SKSTAT"),
    (0xD300, "PORTA"),
    (0xD40B, "VCOUNT"),
    (0xD40F, "NMIST"),
    (0xD100, "$D100"),
    (0xD500, "$D500"),
    (0xD600, "$D600"),
];

fn name_of(register: u16, registers: &[(u16, &'static str)]) -> &'static str {
    let found = registers.iter().find(|(address, _)| *address == register);
    found.map_or("?", |(_, name)| name)
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mode {:X} width {}", self.mode, self.width)?;
        if let Some(hscrol) = self.hscrol {
            write!(f, " hscrol {hscrol}")?;
        }
        if self.vscrol {
            write!(f, " vscrol")?;
        }
        if self.objects != Objects::None {
            write!(f, " objects {:?}", self.objects)?;
        }
        if self.dli {
            write!(f, " dli")?;
        }
        if self.prior != PLAIN.prior {
            write!(f, " prior ${:02X}", self.prior)?;
        }
        if let Some(register) = self.write {
            write!(f, " write {}", name_of(register, REGISTERS))?;
        }
        if let Some(register) = self.read {
            write!(f, " read {}", name_of(register, READ))?;
        }
        if let Some(timer) = self.timer {
            let kilohertz = match timer {
                Timer::Fourth(audf) => 64 / (u32::from(audf) + 1),
                Timer::First => 256,
            };
            write!(f, " timer {kilohertz} kHz")?;
        }
        if self.wait != Wait::None {
            write!(f, " wsync {:?}", self.wait)?;
        }
        if self.voices != Voices::Slow {
            write!(f, " voices {:?}", self.voices)?;
        }
        if self.stereo {
            write!(f, " stereo")?;
        }
        Ok(())
    }
}

/// Every class: all modes, widths and values of HSCROL; each other setting, and pairs of the heavier ones, on some of the modes.
fn classes() -> Vec<Class> {
    let mut all = Vec::new();
    for mode in 2..=15 {
        for width in 1..=3 {
            for hscrol in std::iter::once(None).chain((0..16).map(Some)) {
                all.push(Class {
                    mode,
                    width,
                    hscrol,
                    ..PLAIN
                });
            }
        }
    }
    for mode in [2, 4, 6, 8, 0xD, 0xE, 0xF] {
        for hscrol in [None, Some(11)] {
            let base = Class {
                mode,
                hscrol,
                ..PLAIN
            };
            let settings = settings();
            for set in &settings {
                all.push(set(base));
            }
            for (i, first) in settings.iter().enumerate() {
                // Writes are at the end of the list, and one at a time.
                if hscrol.is_none() && matches!(mode, 4 | 0xF) {
                    all.extend(settings[i + 1..].iter().map(|second| second(first(base))));
                }
            }
        }
    }
    let mut seen = std::collections::HashSet::new();
    all.retain(|class| seen.insert(*class));
    all
}

type Setting = Box<dyn Fn(Class) -> Class>;

/// Each setting that a class may have on top of mode, width and HSCROL.
fn settings() -> Vec<Setting> {
    let mut all: Vec<Setting> = vec![
        Box::new(|c| Class { vscrol: true, ..c }),
        Box::new(|c| Class { dli: true, ..c }),
        Box::new(|c| Class { stereo: true, ..c }),
    ];
    for objects in [Objects::One, Objects::Apart, Objects::Stacked] {
        all.push(Box::new(move |c| Class { objects, ..c }));
    }
    // Priorities, overlaps, the fifth player; the GTIA modes, one of them with the fifth player.
    for prior in [0x00, 0x24, 0x10, 0x41, 0x81, 0xC1, 0xD1] {
        all.push(Box::new(move |c| Class { prior, ..c }));
    }
    for timer in TIMERS.into_iter().chain([Timer::First]).map(Some) {
        all.push(Box::new(move |c| Class { timer, ..c }));
    }
    for wait in [Wait::Store, Wait::Modify, Wait::Twice] {
        all.push(Box::new(move |c| Class { wait, ..c }));
    }
    for voices in [
        Voices::Fast,
        Voices::Filtered,
        Voices::Noise,
        Voices::TwoTone,
        Voices::Joined,
    ] {
        all.push(Box::new(move |c| Class { voices, ..c }));
    }
    for &(register, _) in READ {
        let read = Some(register);
        all.push(Box::new(move |c| Class { read, ..c }));
    }
    for &(register, _) in REGISTERS {
        let write = Some(register);
        all.push(Box::new(move |c| Class { write, ..c }));
    }
    all
}

/// Machine code being put together.
struct Code(Vec<u8>);

impl Code {
    fn here(&self) -> u16 {
        0xC000 + self.0.len() as u16
    }

    fn put(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
    }

    /// LDA #value, STA address.
    fn store(&mut self, address: u16, value: u8) {
        let [low, high] = address.to_le_bytes();
        self.put(&[0xA9, value, 0x8D, low, high]);
    }

    fn jump(&mut self, address: u16) {
        let [low, high] = address.to_le_bytes();
        self.put(&[0x4C, low, high]);
    }
}

impl Class {
    /// DMACTL.
    fn dmactl(&self) -> u8 {
        let objects = if self.objects == Objects::None {
            0
        } else {
            0x1C
        };
        0x20 | self.width | objects
    }

    /// The OS ROM: the program, and the handlers of NMI and IRQ.
    fn rom(&self) -> Vec<u8> {
        let mut code = Code(vec![0x78, 0xD8, 0xA2, 0xFF, 0x9A]);
        // Wait for line 248.
        code.put(&[0xAD, 0x0B, 0xD4, 0xC9, 0x7C, 0xD0, 0xF9]);
        self.put_picture(&mut code);
        self.put_sound(&mut code);
        code.store(0xD40E, if self.dli { 0x80 } else { 0 });
        code.store(0xD400, self.dmactl());
        code.put(&[0x58]);
        self.put_loop(&mut code);
        let mut rom = code.0;
        rom.resize(0x3F00, 0xEA);
        // PHA, INC $81, LDA $81, STA COLBK, PLA, RTI.
        rom.extend([0x48, 0xE6, 0x81, 0xA5, 0x81, 0x8D, 0x1A, 0xD0, 0x68, 0x40]);
        rom.resize(0x3F40, 0xEA);
        // PHA, INC $82, LDA $82, ORA #$10, STA AUDC, IRQEN off and on, PLA, RTI.
        let (interrupt, audc) = self.timer.unwrap_or(Timer::First).registers();
        rom.extend([0x48, 0xE6, 0x82, 0xA5, 0x82, 0x09, 0x10, 0x8D, audc, 0xD2]);
        rom.extend([
            0xA9, 0x00, 0x8D, 0x0E, 0xD2, 0xA9, interrupt, 0x8D, 0x0E, 0xD2,
        ]);
        rom.extend([0x68, 0x40]);
        rom.resize(0x3FFA, 0xEA);
        rom.extend([0x00, 0xFF, 0x00, 0xC0, 0x40, 0xFF]);
        rom
    }

    /// Colours, objects, and the registers of the playfield.
    fn put_picture(&self, code: &mut Code) {
        for (i, colour) in (0..).zip([0x34, 0x58, 0x7A, 0xAC, 0x0C, 0x08, 0x84, 0xCE, 0x02]) {
            code.store(0xD012 + i, colour);
        }
        for i in 0..8u8 {
            let (at, size) = match (self.objects, i) {
                (Objects::None, _) | (Objects::One, 1..) => (0, 0),
                (Objects::One | Objects::Apart, _) => (0x40 + 18 * i, i & 1),
                (Objects::Stacked, _) => (0x60, 3),
            };
            code.store(0xD000 + u16::from(i), at);
            if i < 5 {
                code.store(
                    0xD008 + u16::from(i),
                    if i < 4 { size } else { size * 0x55 },
                );
            }
        }
        code.store(0xD01B, self.prior);
        code.store(0xD01D, if self.objects == Objects::None { 0 } else { 3 });
        code.store(0xD407, 0x38);
        code.store(0xD409, 0x10);
        code.store(0xD404, self.hscrol.unwrap_or(0));
        code.store(0xD405, 3);
        code.store(0xD402, 0x00);
        code.store(0xD403, 0x30);
    }

    /// Four voices for each POKEY, and the timer with its interrupt.
    fn put_sound(&self, code: &mut Code) {
        let (audctl, skctl, periods, control) = self.voices.registers();
        let chips = [0xD200, 0xD210].into_iter();
        for chip in chips.take(1 + usize::from(self.stereo)) {
            code.store(chip + 15, skctl);
            code.store(chip + 8, audctl);
            for (channel, period) in (0..).zip(periods) {
                code.store(chip + 2 * channel, period);
                code.store(chip + 2 * channel + 1, control);
            }
        }
        let Some(timer) = self.timer else {
            return;
        };
        let (interrupt, audc) = timer.registers();
        match timer {
            // A pair at 1.79 MHz: seven cycles and its number make as many as the ticks of the slow clock.
            Timer::Fourth(audf) if audctl & 0x08 != 0 => {
                let [low, high] = (28 * u16::from(audf) + 21).to_le_bytes();
                code.store(0xD204, low);
                code.store(0xD206, high);
            }
            Timer::Fourth(audf) => code.store(0xD206, audf),
            Timer::First => {
                code.store(0xD208, audctl | 0x40);
                code.store(0xD200, 3);
            }
        }
        code.store(0xD200 + u16::from(audc), 0x10);
        code.store(0xD209, 0);
        code.store(0xD20E, interrupt);
    }

    /// The loop of the program: a wait for the next line, and a write in it.
    fn put_loop(&self, code: &mut Code) {
        let again = code.here();
        match self.wait {
            Wait::Modify => code.put(&[0xEE, 0x0A, 0xD4]),
            Wait::Twice => code.put(&[0x8D, 0x0A, 0xD4, 0x8D, 0x0A, 0xD4]),
            Wait::Store => code.put(&[0x8D, 0x0A, 0xD4]),
            Wait::None if self.write.is_some() => code.put(&[0x8D, 0x0A, 0xD4]),
            Wait::None => {}
        }
        // INC $80, INX; the write comes later in the line.
        code.put(&[0xE6, 0x80, 0xE8]);
        if let Some(register) = self.read {
            let [low, high] = register.to_le_bytes();
            code.put(&[0xAD, low, high].repeat(4));
        }
        if let Some(register) = self.write {
            code.put(&[0xEA; 12]);
            let [low, high] = register.to_le_bytes();
            match register {
                // Only the width changes, or the character set, the volume, between two that are used.
                0xD400 => code.put(&[0x8A, 0x29, 0x01, 0x49, self.dmactl(), 0x8D, low, high]),
                0xD409 => code.put(&[0x8A, 0x29, 0x04, 0x09, 0x10, 0x8D, low, high]),
                0xD201 => code.put(&[0x8A, 0x29, 0x0F, 0x09, 0xA0, 0x8D, low, high]),
                _ => code.put(&[0x8E, low, high]),
            }
        }
        code.jump(again);
    }

    /// Mode lines with an address each, for 192 lines.
    fn list(&self) -> Vec<u8> {
        let mut list = vec![0x70; 3];
        let height =
            [0, 0, 8, 10, 8, 16, 8, 16, 8, 4, 4, 2, 1, 2, 1, 1][usize::from(self.mode & 15)];
        let mut at = 0x4000u16;
        for row in 0..192 / height {
            let mut instruction = self.mode | 0x40;
            if self.hscrol.is_some() {
                instruction |= 0x10;
            }
            if self.vscrol && row & 1 != 0 {
                instruction |= 0x20;
            }
            if self.dli {
                instruction |= 0x80;
            }
            let [low, high] = at.to_le_bytes();
            list.extend([instruction, low, high]);
            at += 48;
            if at & 0xFFF > 0xFC0 {
                at = (at & 0xF000) + 0x1000;
            }
        }
        list.extend([0x41, 0x00, 0x30]);
        list
    }

    fn machine(&self) -> Machine {
        let config = Config {
            model: Model::Xl800,
            tv: Tv::Ntsc,
            os: self.rom().into(),
            basic: None,
            cartridge: None,
            second: None,
            seed: 1,
            extras: Extras {
                stereo: self.stereo,
                ..Extras::default()
            },
        };
        let mut machine = Machine::new(&config).expect("a machine of our own");
        let mut random = tests::random::Random(u64::from(self.mode) + 1);
        for address in 0x1000..0xA000 {
            // Text, bitmaps and objects with gaps, as pictures have.
            let byte = random.byte() & random.byte();
            machine.poke(address, byte);
        }
        for (address, byte) in (0x3000..).zip(self.list()) {
            machine.poke(address, byte);
        }
        machine
    }
}

/// Callgrind writes its count, and begins a new one, before a call of this.
#[inline(never)]
fn mark(class: usize) {
    std::hint::black_box(class);
}

/// Classes whose names have all of these words.
fn chosen(words: &[&str]) -> Vec<Class> {
    let mut classes = classes();
    classes.retain(|class| {
        let name = format!(" {class} ");
        words.iter().all(|word| name.contains(word))
    });
    classes
}

/// Runs the classes, for callgrind.
pub fn run_for_callgrind(words: &[&str]) {
    for (number, class) in chosen(words).iter().enumerate() {
        let mut machine = class.machine();
        let clock = Tv::Ntsc.clock();
        let mut synths = [(); 2].map(|()| Synth::new(clock, SAMPLE_RATE, 0));
        let (mut changes, mut second) = (Vec::new(), Vec::new());
        let mut samples = Vec::new();
        for frame in 0..WARM + COUNTED {
            if frame == WARM {
                mark(number);
            }
            machine.run_frame();
            machine.take_sound(&mut changes);
            synths[0].render(&changes, machine.now(), &mut samples);
            if class.stereo {
                machine.take_second_sound(&mut second);
                synths[1].render(&second, machine.now(), &mut samples);
            }
            changes.clear();
            second.clear();
            samples.clear();
        }
        mark(number);
    }
}

/// Counts and prints.
///
/// # Errors
/// One sentence if valgrind does not run.
pub fn run(words: &[&str]) -> Result<(), String> {
    let classes = chosen(words);
    let costs = count(words)?;
    if costs.len() != classes.len() {
        let (found, wanted) = (costs.len(), classes.len());
        return Err(format!("valgrind counted {found} classes of {wanted}"));
    }
    let mut rows: Vec<(Class, f64)> = classes.into_iter().zip(costs).collect();
    let by_class: HashMap<Class, f64> = rows.iter().copied().collect();
    let mut steps: Vec<(Class, Class, f64)> = Vec::new();
    for &(class, cost) in &rows {
        for neighbour in neighbours(class) {
            if let Some(&less) = by_class.get(&neighbour) {
                steps.push((class, neighbour, cost / less));
            }
        }
    }
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    steps.sort_by(|a, b| b.2.total_cmp(&a.2));
    println!("M a frame   class");
    for (class, cost) in rows.iter().take(PRINTED) {
        println!("{cost:>9.3}   {class}");
    }
    println!("\n    times   class, and its neighbour");
    for (class, neighbour, ratio) in steps.iter().take(PRINTED) {
        println!("{ratio:>9.2}   {class}, {neighbour}");
    }
    let over = rows.iter().filter(|row| row.1 > LIMIT).count();
    let steep = steps.iter().filter(|step| step.2 > STEP).count();
    println!(
        "\nof {} classes {over} cost more than {LIMIT} M a frame; {steep} steps are above {STEP}",
        rows.len()
    );
    Ok(())
}

/// Classes with one setting a step away: HSCROL, width, or the rate of the timer.
fn neighbours(class: Class) -> Vec<Class> {
    let mut all = Vec::new();
    let hscrol = class.hscrol;
    for hscrol in [hscrol.map(|h| h.wrapping_sub(1)), hscrol.map(|h| h + 1)] {
        all.push(Class { hscrol, ..class });
    }
    for width in [class.width - 1, class.width + 1] {
        all.push(Class { width, ..class });
    }
    if let Some(i) = TIMERS.iter().position(|&timer| Some(timer) == class.timer) {
        for timer in [i.wrapping_sub(1), i + 1].map(|i| TIMERS.get(i).copied()) {
            all.push(Class { timer, ..class });
        }
    }
    all.retain(|other| *other != class && other.timer.is_some() == class.timer.is_some());
    all
}

/// Host instructions a frame of each class, in millions.
fn count(words: &[&str]) -> Result<Vec<f64>, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let file = std::env::temp_dir().join(format!("bench-cliffs-{}", std::process::id()));
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--combine-dumps=yes", "--dump-line=no"])
        .arg("--dump-before=*cliffs*mark*")
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(program)
        .args(["bench", "--cliffs-run"])
        .args(words)
        .output()
        .map_err(|e| format!("valgrind: {e}"))?;
    let counts = fs::read_to_string(&file);
    let _ = fs::remove_file(&file);
    let text = String::from_utf8_lossy(&output.stderr);
    let message = || text.lines().rfind(|l| !l.starts_with("=="));
    if !output.status.success() {
        return Err(message().unwrap_or("valgrind says nothing").to_owned());
    }
    let counts = counts.map_err(|e| format!("cannot read {}: {e}", file.display()))?;
    // Up to a class's first mark, up to its second, and so on.
    let totals = counts.lines().filter_map(|l| l.strip_prefix("totals: "));
    let frame = |total: &str| {
        total
            .trim()
            .parse::<f64>()
            .ok()
            .map(|n| n / 1e6 / f64::from(COUNTED))
    };
    Ok(totals.skip(1).step_by(2).filter_map(frame).collect())
}
