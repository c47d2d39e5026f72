//! Random steps of the debugger in both directions, compared with a plain run of the same machine and inputs.

use crate::{Atari, config};
use debugger::{Debugger, Limits, Moment, Step, Stop, Track};
use machine::{Machine, Model, Tv};
use media::atr::Disk;
use std::time::{Duration, Instant};

/// Frames that are recorded before the walk.
const FRAMES: u64 = 300;
/// Frames between two copies of the plain run.
const APART: u64 = 2;

/// A program to walk in.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its name.
    pub name: &'static str,
    machine: Machine,
    steps: Vec<Step>,
}

/// Kinds of steps that end in every program.
const ALWAYS: [Step; 9] = [
    Step::Cycle,
    Step::Instruction,
    Step::Over,
    Step::Line,
    Step::Frame,
    Step::Vbi,
    Step::DisplayList,
    Step::Beam(100, 50),
    Step::Beam(0, 0),
];

impl Place {
    /// A built-in game without input; it is BASIC with display list interrupts.
    #[must_use]
    pub fn game(name: &'static str, frames: u32) -> Self {
        let mut atari = Atari::with_game(name, Model::Xl800, Tv::Ntsc, 1);
        atari.run(frames);
        let mut steps = ALWAYS.to_vec();
        steps.extend([
            Step::Dli,
            Step::DliRoutine,
            Step::DliEnd,
            Step::NthDli(0),
            Step::NthDli(1),
            Step::Statement,
            Step::BasicLine,
            // XITVBV's routine ends in the OS.
            Step::Out,
        ]);
        Self {
            name,
            machine: atari.machine,
            steps,
        }
    }

    /// A boot disk whose program reads one sector after the other.
    ///
    /// # Panics
    /// When the program cannot be assembled.
    #[must_use]
    pub fn reads() -> Self {
        // DCOMND read, DSTATS a transfer to the Atari.
        Self::disk("reads", ["LDA #$52", "LDA #$40"])
    }

    /// A boot disk whose program writes and verifies one sector after the other.
    ///
    /// # Panics
    /// When the program cannot be assembled.
    #[must_use]
    pub fn writes() -> Self {
        Self::disk("writes", ["LDA #$57", "LDA #$80"])
    }

    /// A boot disk whose program does the same to one sector after the other, with the contents of $0800. `command` and `direction` load DCOMND
    /// and DSTATS.
    ///
    /// # Panics
    /// When the program cannot be assembled.
    fn disk(name: &'static str, [command, direction]: [&str; 2]) -> Self {
        let lines = [
            "LDA #$31",
            "STA $0300",
            "LDA #$01",
            "STA $0301",
            command,
            "STA $0302",
            direction,
            "STA $0303",
            "LDA #$00",
            "STA $0304",
            "STA $0309",
            "LDA #$08",
            "STA $0305",
            "LDA #$07",
            "STA $0306",
            "LDA #$80",
            "STA $0308",
            "INC $030A",
            "JSR $E459",
            "JMP $0706",
        ];
        let mut code = vec![0, 1, 0, 7, 0x40, 0x15];
        for line in lines {
            let at = 0x0700 + code.len() as u16;
            code.extend(debugger::assemble(line, at, &debugger::Symbols::default()).unwrap());
        }
        code.resize(128, 0);
        let mut disk = Disk::with_geometry(720, 128);
        for sector in 1..=720 {
            disk.write_sector(sector, &[sector as u8; 128]);
        }
        disk.write_sector(1, &code);
        let mut atari = Atari::new(&config(Model::Xl800, Tv::Pal, false));
        atari.machine.insert_disk(0, disk);
        atari.run(500);
        assert_eq!(atari.machine.peek(0x0706), 0xA9, "the disk has booted");
        Self {
            name,
            machine: atari.machine,
            steps: [&ALWAYS[..], &[Step::To(0xE459), Step::Out]].concat(),
        }
    }

    /// The acid test's disk, a while after it was booted.
    #[must_use]
    pub fn acid(disk: Disk) -> Self {
        let mut atari = Atari::new(&config(Model::Xl800, Tv::Ntsc, false));
        atari.machine.insert_disk(0, disk);
        atari.run(1500);
        Self {
            name: "acid",
            machine: atari.machine,
            steps: ALWAYS.to_vec(),
        }
    }
}

/// Numbers by chance from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// The machine at a time, by plain running with the inputs of the recording.
struct Plain {
    /// Each second frame's.
    copies: Vec<Machine>,
    inputs: Vec<machine::Input>,
    start: u64,
    frame: u64,
}

impl Plain {
    fn at(&self, now: u64) -> Machine {
        let done = now - self.start;
        let frames = (done / self.frame).min(self.inputs.len() as u64);
        let copy = (frames / APART).min(self.copies.len() as u64 - 1);
        let mut machine = self.copies[copy as usize].clone();
        for frame in copy * APART..frames {
            machine.input = self.inputs[frame as usize];
            machine.run_frame();
            // The sound is not part of the state.
            machine.take_sound(&mut Vec::new());
        }
        if let Some(input) = self.inputs.get(frames as usize) {
            machine.input = *input;
        }
        machine.run_cycles(now - machine.now());
        machine
    }
}

/// The difference between the texts of two machines: the first lines, with their titles.
fn differences(one: &Machine, other: &Machine) -> String {
    let (one, other) = (format!("{:#?}", one.bus()), format!("{:#?}", other.bus()));
    let mut path: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for (a, b) in one.lines().zip(other.lines()) {
        let depth = (a.len() - a.trim_start().len()) / 4;
        path.truncate(depth);
        path.resize(depth, "");
        path.push(a.trim());
        if a != b {
            found.push(format!("{} and {}", path.join(" "), b.trim()));
        }
        if found.len() == 4 {
            break;
        }
    }
    found.join("; ")
}

fn same(one: &Machine, other: &Machine) -> Result<(), String> {
    let (mut one, mut other) = (one.clone(), other.clone());
    for machine in [&mut one, &mut other] {
        // Controls reach the chips when a run begins, and sound brings POKEY up to now.
        machine.run_cycles(0);
        machine.take_sound(&mut Vec::new());
    }
    let what = if one.now() != other.now() {
        "the clock differs"
    } else if one.input != other.input {
        "the controls differ"
    } else if one.cpu != other.cpu {
        "the processor differs"
    } else if one.state_hash() != other.state_hash() {
        // The bytes of a saved state would also tell how far the chips have run ahead.
        "the state differs"
    } else if one.frame() != other.frame() {
        "the picture differs"
    } else {
        return Ok(());
    };
    Err(format!("{what}: {}", differences(&one, &other)))
}

/// Result of a walk.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Steps forward, steps back, branches that were begun and left again.
    pub counts: [u64; 3],
    /// Steps whose end was compared with the recorded moments of their kind.
    pub placed: u64,
    /// Durations of steps back.
    pub back: Vec<Duration>,
}

impl Report {
    /// The time that `percent` percent of the steps back did not exceed.
    #[must_use]
    pub fn percentile(&mut self, percent: usize) -> Duration {
        self.back.sort();
        let last = self.back.len().saturating_sub(1);
        self.back
            .get(last * percent / 100)
            .copied()
            .unwrap_or_default()
    }
}

/// The kinds of moments whose steps lead to the nearest one, wherever they begin.
fn is_placed(step: Step) -> bool {
    matches!(
        step,
        Step::Vbi
            | Step::DisplayList
            | Step::Dli
            | Step::DliRoutine
            | Step::NthDli(_)
            | Step::Statement
            | Step::BasicLine
            | Step::To(_)
    )
}

/// Walks `steps` steps.
///
/// # Errors
/// The first step after which machine, picture or controls are not those of the plain run, or that ends at a wrong moment.
///
/// # Panics
/// When the recording does not take what was recorded.
pub fn walk(place: &Place, steps: u64, seed: u64) -> Result<Report, String> {
    let mut random = Random(seed);
    let mut track = Track::new(place.machine.clone(), Limits::debugger());
    let mut debugger = Debugger::default();
    // The picture before the beginning is in no keyframe.
    let start = track.machine().now();
    let frame = u64::from(track.machine().bus().video.antic.lines()) * 114;
    let mut plain = Plain {
        copies: Vec::new(),
        inputs: Vec::new(),
        start,
        frame,
    };
    for number in 0..FRAMES {
        track.controls.joystick(0).trigger = random.below(8) < number / 7 % 8;
        track.controls.key = (random.below(20) == 0).then_some(0x21);
        if number % APART == 0 {
            plain.copies.push(track.machine().clone());
        }
        plain.inputs.push(track.controls);
        debugger.run_frame(&mut track);
    }
    let end = track.machine().now();
    let offset = start - track.moment_at(start).unwrap_or(Moment(0)).0;
    let first = track.oldest();
    // The moments of each kind, by steps forward.
    let mut kinds: Vec<(Step, Vec<u64>)> = Vec::new();
    for &step in place.steps.iter().filter(|step| is_placed(**step)) {
        if !track.go_to(first) {
            return Err(format!("the way to {first:?} is gone"));
        }
        let mut moments = Vec::new();
        while track.machine().now() + 3 * frame < end && moments.len() < 3000 {
            // While the screen is off none comes for longer than a step goes.
            if debugger.step(&mut track, step) != Stop::Limit {
                moments.push(track.machine().now());
            }
        }
        kinds.push((step, moments));
    }
    let mut report = Report::default();
    for round in 0..steps {
        let step = place.steps[random.below(place.steps.len() as u64) as usize];
        let before = track.machine().now();
        // Not into time that was not recorded: it would continue as it is.
        let back = random.below(2) == 0 || before + 4 * frame > end;
        let name = format!(
            "{}, seed {seed}, round {round}, {step:?} {} from {before}",
            place.name,
            if back { "back" } else { "forward" }
        );
        let moments = kinds.iter().find(|(kind, _)| *kind == step);
        let moments = moments.map(|(_, moments)| &moments[..]);
        let last = moments.and_then(|m| m.last()).copied().unwrap_or(0);
        if back {
            let begin = Instant::now();
            let done = debugger.step_back(&mut track, step);
            report.back.push(begin.elapsed());
            report.counts[1] += 1;
            let right = if done {
                track.machine().now() < before
            } else {
                track.machine().now() == before
            };
            if !right {
                return Err(format!("{name}: led to {}", track.machine().now()));
            }
            if let Some(moments) = moments.filter(|_| before <= last) {
                let earlier = moments[..moments.partition_point(|m| *m < before)].last();
                report.placed += 1;
                if let Some(&earlier) = earlier
                    && (track.machine().now(), done) != (earlier, true)
                {
                    return Err(format!(
                        "{name}: {} is not {earlier}",
                        track.machine().now()
                    ));
                }
            }
        } else {
            let stop = debugger.step(&mut track, step);
            report.counts[0] += 1;
            if track.machine().now() <= before {
                return Err(format!("{name}: did not move"));
            }
            if let Some(moments) = moments.filter(|_| before < last) {
                let later = moments[moments.partition_point(|m| *m <= before)];
                report.placed += 1;
                let right = match stop {
                    Stop::Limit => track.machine().now() < later,
                    _ => track.machine().now() == later,
                };
                if !right {
                    return Err(format!("{name}: {} is not {later}", track.machine().now()));
                }
            }
        }
        if track.machine().now() > end || random.below(100) == 0 {
            let moment = Moment(start + random.below(end - start) - offset);
            if !track.go_to(moment.max(first)) {
                return Err(format!("{name}: the way to {moment:?} is gone"));
            }
        }
        let expected = plain.at(track.machine().now());
        same(track.machine(), &expected).map_err(|what| format!("{name}: {what}"))?;
        if random.below(200) == 0 && track.machine().now() + frame < end {
            branch(&mut debugger, &mut track, expected, &mut random)
                .map_err(|what| format!("{name}, in a branch: {what}"))?;
            report.counts[2] += 1;
        }
    }
    let branches = track.timeline().branches().count();
    if branches as u64 > report.counts[2] {
        return Err(format!("{branches} branches that were not begun"));
    }
    Ok(report)
}

/// Does something else to the machine than was recorded, moves on and back in that branch, then to the one that was left.
fn branch(
    debugger: &mut Debugger,
    track: &mut Track,
    mut plain: Machine,
    random: &mut Random,
) -> Result<(), String> {
    let was = track.timeline().branch().0;
    let (now, data) = (track.machine().now(), random.below(256) as u8);
    // Colours: what the program does is not disturbed.
    let address = 0x02C0 + random.below(9) as u16;
    debugger::execute(debugger, track, &format!("poke ${address:04X} {data:02X}"))?;
    plain.poke(address, data);
    let cycles = random.below(3 * 262 * 114);
    for _ in 0..3 {
        debugger.run(track, cycles);
        plain.run_cycles(cycles);
        same(track.machine(), &plain)?;
    }
    for _ in 0..3 {
        debugger.step_back(track, Step::Instruction);
    }
    let left = plain.now() - track.machine().now();
    debugger.run(track, left);
    same(track.machine(), &plain)?;
    debugger::execute(debugger, track, &format!("switch {was}"))?;
    let moment = track.moment_at(now).ok_or("the moment is gone")?;
    if track.go_to(moment) {
        Ok(())
    } else {
        Err("the way back is gone".to_owned())
    }
}
