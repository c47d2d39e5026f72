//! The speed of the machine: cycles per host CPU second, and host instructions per frame.
//!
//! One thread, no window, sound rendered at 44,100 Hz. `bench` measures time, interleaved over all workloads, the first round
//! thrown away. `bench --callgrind` counts instructions under valgrind: two runs that differ only in their number of frames,
//! so that switching on and loading cancel out. `recorded` is Gammon with a timeline of seconds, `fine` one as for a debugger, `debugged`
//! one that runs in a debugger without breakpoints; `unseen` is READY without pictures.
//! `digi` and those after it are the demos in `bench/demos`. `bench --cliffs` looks for classes of programs that cost too much: see [`cliffs`].
mod cliffs;
mod debugger;
mod demos;
mod many;
mod timeline;
mod wasm;

use std::process::Command;
use std::time::Duration;

use cpu6502::Cpu;
use machine::{Model, SoundChange, Tv};
use session::Track;
use session::sound::Synth;
use session::timeline::{Limits, Timeline};
use tests::Atari;

const SAMPLE_RATE: f64 = 44_100.0;
const WORKLOADS: &[&str] = &[
    "ready",
    "basic",
    "stress",
    "acid800",
    "crazy-eights",
    "gammon",
    "digi",
    "texture",
    "scroller",
    "scrolled",
    "shaded",
    "midline",
    "rainbow",
    "rotozoom",
    "multicolour",
    "cpu",
];
/// Frames of a round.
const FRAMES: u32 = 600;
/// Rounds; the first does not count.
const ROUNDS: usize = 8;
/// Frames that the two callgrind runs differ by.
const COUNTED: u32 = 60;
/// Frames that the two runs differ by for the Acid800 disk, from [`ACID800_FIRST`] on: each of its tests is another kind of work.
const ACID800_COUNTED: u32 = 1000;
const ACID800_FIRST: u32 = 1500;
/// Frames from the start of the boot until a demo shows what it does.
const DEMO_STARTS: u32 = 400;
/// Cycles of a frame of the processor without a machine.
const FRAME_CYCLES: u32 = 29_868;
/// Lines of a frame: the processor without a machine runs line by line.
const LINES: u32 = 262;

const COMPUTING: &str = "10 DIM A(20)\n20 FOR I=0 TO 20:A(I)=SIN(I)*I:NEXT I\n30 S=0:FOR I=0 TO 20:S=S+A(I)/(I+1):NEXT I\n\
    40 GOSUB 100:GOTO 20\n100 X=X+1:IF X>1000 THEN X=0\n110 RETURN\n";

pub fn run(words: &[&str]) -> Result<(), String> {
    match words {
        [] => {
            time();
            Ok(())
        }
        ["--callgrind"] => {
            callgrind(WORKLOADS);
            Ok(())
        }
        ["--callgrind", names @ ..] => {
            callgrind(names);
            Ok(())
        }
        ["--run", name, frames] => {
            let frames = frames
                .parse()
                .map_err(|_| format!("{frames} is no number"))?;
            Workload::new(name)?.run(frames);
            Ok(())
        }
        ["--cliffs", words @ ..] => cliffs::run(words),
        ["--cliffs-run", words @ ..] => {
            cliffs::run_for_callgrind(words);
            Ok(())
        }
        ["--many"] => many::run(8),
        ["--many", count] => match count.parse() {
            Ok(count @ 1..=1000) => many::run(count),
            _ => Err(format!("{count} is no number of machines from 1 to 1000")),
        },
        ["--wasm"] => wasm::run(),
        ["--debugger"] => debugger::run(70),
        ["--debugger", seconds] => match seconds.parse() {
            Ok(seconds @ 62..=36_000) => debugger::run(seconds),
            _ => Err(format!("{seconds} is no number of seconds from 62 to 36000")),
        },
        ["--timeline"] => {
            timeline::run(60);
            Ok(())
        }
        ["--timeline", minutes] => {
            let minutes = minutes
                .parse()
                .map_err(|_| format!("{minutes} is no number"))?;
            timeline::run(minutes);
            Ok(())
        }
        _ => Err(
            "usage: xtask bench [--callgrind [WORKLOAD...] | --cliffs [WORD...] | --many [MACHINES] | --wasm | --timeline [MINUTES] | --debugger [SECONDS]]   (STRESS_XEX names the stress screen)"
                .into(),
        ),
    }
}

/// Something to run.
enum Workload {
    Machine {
        atari: Box<Atari>,
        sound: Box<(Vec<SoundChange>, Synth, Vec<f32>)>,
        past: Option<Box<Timeline>>,
        /// The machine in its debugger, instead of the one in `atari`.
        debugger: Option<Box<(::debugger::Debugger, Track)>>,
    },
    Cpu(Box<(Cpu, Ram)>),
}

/// 64K of zeros, made on the heap.
fn zeroed() -> Box<[u8; 0x10000]> {
    vec![0; 0x10000].try_into().expect("64K")
}

struct Ram(Box<[u8; 0x10000]>);

impl cpu6502::Bus for Ram {
    #[inline]
    fn read(&mut self, address: u16) -> u8 {
        self.0[usize::from(address)]
    }

    #[inline]
    fn write(&mut self, address: u16, data: u8) {
        self.0[usize::from(address)] = data;
    }

    #[inline]
    fn irq(&self) -> bool {
        false
    }
}

impl cpu6502::BatchBus for Ram {
    // Nowhere.
    const CHIPS: std::ops::Range<u16> = 0xD000..0xD000;

    #[inline]
    fn memory(&self, address: u16) -> u8 {
        self.0[usize::from(address)]
    }

    #[inline]
    fn opcode(&self, address: u16) -> u8 {
        self.0[usize::from(address)]
    }

    #[inline]
    fn leaves_memory(_next: u16) -> bool {
        false
    }

    #[inline]
    fn operand_byte(&self, address: u16) -> u8 {
        self.0[usize::from(address.wrapping_add(1))]
    }

    #[inline]
    fn operand_word(&self, address: u16) -> u16 {
        let low = self.operand_byte(address);
        u16::from_le_bytes([low, self.operand_byte(address.wrapping_add(1))])
    }

    #[inline]
    fn read_chip(&mut self, _: u32, address: u16) -> (u8, bool) {
        (self.0[usize::from(address)], true)
    }

    #[inline]
    fn write_leaving(&mut self, _: u32, address: u16, data: u8) -> bool {
        self.0[usize::from(address)] = data;
        true
    }
}

/// Copies with an addition, then a table with carries, shifts, a subroutine and comparisons, for ever, at $2000.
#[rustfmt::skip]
const PROGRAM: &[u8] = &[
    0xA9, 0x00, 0x85, 0x80, 0xA9, 0x40, 0x85, 0x81, 0xA9, 0x50, 0x85, 0x83, 0xA0, 0x00, // pointers, LDY #0
    0xB1, 0x80, 0x18, 0x69, 0x03, 0x91, 0x82, 0xC8, 0xD0, 0xF6, 0xA2, 0x40,             // copy, LDX #$40
    0xBD, 0x00, 0x50, 0x7D, 0x20, 0x51, 0x9D, 0x00, 0x52, 0x2A, 0x46, 0x84, 0x66, 0x85, // table
    0xE6, 0x86, 0x20, 0x39, 0x20, 0xC9, 0x80, 0x90, 0x02, 0xC6, 0x87, 0xCA, 0xD0, 0xE4,
    0x4C, 0x00, 0x20,
    0x48, 0x8A, 0x49, 0x55, 0xA8, 0x68, 0x24, 0x86, 0x30, 0x02, 0x05, 0x88, 0x60,       // $2039
];

impl Workload {
    fn new(name: &str) -> Result<Self, String> {
        match name {
            "cpu" => {
                let mut ram = Ram(zeroed());
                ram.0[0x2000..0x2000 + PROGRAM.len()].copy_from_slice(PROGRAM);
                let mut cpu = Cpu::new();
                cpu.set_pc(0x2000);
                Ok(Self::Cpu(Box::new((cpu, ram))))
            }
            "recorded" => Self::recorded(Limits::default()),
            "fine" => Self::recorded(Limits::debugger()),
            "debugged" => Self::debugged(),
            _ => Ok(Self::machine(atari(name)?)),
        }
    }

    /// A machine that runs by itself.
    fn machine(atari: Atari) -> Self {
        let synth = Synth::new(Tv::Ntsc.clock(), SAMPLE_RATE, atari.machine.now());
        let mut workload = Self::Machine {
            atari: Box::new(atari),
            sound: Box::new((Vec::new(), synth, Vec::new())),
            past: None,
            debugger: None,
        };
        // What the start has left in the sound queue is not part of the measurement.
        workload.run(1);
        workload
    }

    /// Gammon with a timeline.
    fn recorded(limits: Limits) -> Result<Self, String> {
        let mut workload = Self::machine(atari("gammon")?);
        if let Self::Machine { atari, past, .. } = &mut workload {
            *past = Some(Box::new(Timeline::new(&atari.machine, limits)));
        }
        Ok(workload)
    }

    /// Gammon in a debugger.
    fn debugged() -> Result<Self, String> {
        let mut workload = Self::machine(atari("gammon")?);
        if let Self::Machine {
            atari, debugger, ..
        } = &mut workload
        {
            let track = Track::new(atari.machine.clone(), Limits::debugger());
            *debugger = Some(Box::new((::debugger::Debugger::default(), track)));
        }
        // The recording begins before what is counted.
        workload.run(1);
        Ok(workload)
    }

    /// Runs frames; returns the cycles.
    fn run(&mut self, frames: u32) -> u64 {
        match self {
            Self::Machine {
                atari,
                sound,
                past,
                debugger,
            } => {
                let (changes, synth, samples) = &mut **sound;
                let mut cycles = 0;
                for _ in 0..frames {
                    let (before, now);
                    if let Some(debugged) = debugger {
                        let (debugger, track) = &mut **debugged;
                        before = track.machine().now();
                        debugger.run_frame(track);
                        track.take_sound(changes);
                        now = track.machine().now();
                    } else {
                        before = atari.machine.now();
                        atari.machine.run_frame();
                        atari.machine.take_sound(changes);
                        now = atari.machine.now();
                    }
                    synth.render(changes, now, samples);
                    changes.clear();
                    samples.clear();
                    if let Some(past) = past {
                        past.frame(&atari.machine);
                    }
                    cycles += now - before;
                }
                cycles
            }
            Self::Cpu(parts) => {
                let (cpu, ram) = &mut **parts;
                for _ in 0..frames * LINES {
                    let mut left = FRAME_CYCLES / LINES;
                    while left != 0 {
                        left = cpu.run(ram, left);
                        if left != 0 {
                            cpu.step(ram);
                            left -= 1;
                        }
                    }
                }
                u64::from(frames * FRAME_CYCLES)
            }
        }
    }
}

/// The machine of a workload, at the place where the measurement begins.
fn atari(name: &str) -> Result<Atari, String> {
    let basic = tests::config(Model::Xl800, Tv::Ntsc, true);
    let without_basic = tests::config(Model::Xl800, Tv::Ntsc, false);
    Ok(match name {
        "ready" | "unseen" => {
            let mut atari = Atari::new(&basic);
            if !atari.wait_for_key(600) {
                return Err("no READY prompt".into());
            }
            atari.machine.set_drawing(name == "ready");
            atari
        }
        "basic" => started(Atari::with_basic(&basic, COMPUTING.as_bytes()), 120),
        "crazy-eights" | "gammon" => {
            let game = roms::games::find(name).ok_or_else(|| format!("there is no {name}"))?;
            let program =
                media::basic::Program::parse_save(game.program).map_err(|e| e.to_string())?;
            let mut atari = Atari::new(&basic);
            atari.wait_for_key(600);
            atari
                .machine
                .load_basic(&program)
                .map_err(|e| e.to_string())?;
            started(atari, 1200)
        }
        "stress" => {
            let (_, file) = named_by("STRESS_XEX")?;
            let mut atari = Atari::with_xex(&without_basic, &file);
            // PRIOR stays 0 until a vertical blank first reaches stage 2: its interrupts mask most of them.
            atari.run(800);
            atari
        }
        "acid800" => {
            let (path, file) = named_by("ACID800_ATR")?;
            let disk = media::atr::Disk::parse(&file).map_err(|e| format!("{path}: {e}"))?;
            let mut atari = Atari::new(&without_basic);
            atari.machine.hold_option();
            atari.machine.insert_disk(0, disk);
            atari.run(ACID800_FIRST);
            atari
        }
        "digi" | "texture" | "scroller" | "scrolled" | "shaded" | "midline" | "rainbow"
        | "rotozoom" | "multicolour" => {
            let mut atari = Atari::with_xex(&without_basic, &demos::assembled(name)?);
            atari.run(DEMO_STARTS);
            atari
        }
        _ => {
            return Err(format!(
                "there is no workload {name}; there are {}",
                WORKLOADS.join(" ")
            ));
        }
    })
}

/// The file that a variable of the environment names, with its path.
fn named_by(variable: &str) -> Result<(String, Vec<u8>), String> {
    let path = std::env::var(variable).map_err(|_| format!("{variable} is not set"))?;
    let file = std::fs::read(&path).map_err(|e| format!("{path}: {e}"))?;
    Ok((path, file))
}

/// Types RUN and lets the program get going.
fn started(mut atari: Atari, frames: u32) -> Atari {
    atari.type_text("RUN\n");
    atari.run(frames);
    atari
}

/// CPU time of this process.
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(
        time.tv_sec.try_into().unwrap_or(0),
        time.tv_nsec.try_into().unwrap_or(0),
    )
}

fn time() {
    if cfg!(debug_assertions) {
        eprintln!(
            "these are not the figures of a release build: use cargo run --release -p xtask -- bench"
        );
    }
    let mut workloads = Vec::new();
    for name in WORKLOADS {
        match Workload::new(name) {
            Ok(workload) => workloads.push((*name, workload, Vec::new())),
            Err(message) => eprintln!("{name} is left out: {message}"),
        }
    }
    for _ in 0..ROUNDS {
        for (_, workload, speeds) in &mut workloads {
            let start = cpu_time();
            let cycles = workload.run(FRAMES);
            speeds.push(cycles as f64 / cpu_time().checked_sub(start).unwrap().as_secs_f64());
        }
    }
    println!(
        "{:<14} {:>12} {:>12} {:>14} {:>10}",
        "workload", "M cycles/s", "spread", "frames/s", "x real"
    );
    for (name, _, speeds) in &mut workloads {
        let speeds = &mut speeds[1..];
        speeds.sort_by(f64::total_cmp);
        let median = speeds[speeds.len() / 2];
        let frames = median / f64::from(FRAME_CYCLES);
        println!(
            "{name:<14} {:>12.1} {:>5.1}-{:<6.1} {frames:>14.0} {:>10.1}",
            median / 1e6,
            speeds[0] / 1e6,
            speeds[speeds.len() - 1] / 1e6,
            frames / Tv::Ntsc.frame_rate()
        );
    }
}

fn callgrind(names: &[&str]) {
    println!(
        "{:<14} {:>16} {:>18}",
        "workload", "instructions", "per cycle"
    );
    for name in names {
        let counted = if *name == "acid800" {
            ACID800_COUNTED
        } else {
            COUNTED
        };
        match count(name, counted + 10).and_then(|more| Ok(more - count(name, 10)?)) {
            Ok(difference) => {
                let frame = difference as f64 / f64::from(counted);
                println!(
                    "{name:<14} {:>14.3} M {:>18.1}",
                    frame / 1e6,
                    frame / f64::from(FRAME_CYCLES)
                );
            }
            Err(message) => eprintln!("{name} is left out: {message}"),
        }
    }
}

/// Host instructions of a run of `frames`.
fn count(name: &str, frames: u32) -> Result<u64, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["bench", "--run", name, &frames.to_string()])
        .output()
        .map_err(|e| format!("valgrind: {e}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let collected = text
        .lines()
        .find_map(|l| l.split_once("Collected : ")?.1.trim().parse().ok());
    let message = || text.lines().rfind(|l| !l.starts_with("=="));
    match collected {
        Some(instructions) if output.status.success() => Ok(instructions),
        _ => Err(message().unwrap_or("valgrind says nothing").to_owned()),
    }
}
