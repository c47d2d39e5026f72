//! Many machines at the READY prompt, as a search or a learning program would run them: one after another on one thread, and each on a
//! thread of its own; with pictures and without. And what a copy of a machine costs.

use std::hint::black_box;
use std::thread;
use std::time::Instant;

use machine::{Machine, Media};
use tests::Atari;

/// Frames that each machine runs.
const FRAMES: u32 = 300;
/// Repetitions for the mean of a copy.
const TIMES: u32 = 2000;

/// Measures `count` machines and prints a table.
///
/// # Errors
/// When the prompt does not come.
pub fn run(count: usize) -> Result<(), String> {
    let mut atari = Atari::new(&tests::config(
        machine::Model::Xl800,
        machine::Tv::Ntsc,
        true,
    ));
    if !atari.wait_for_key(600) {
        return Err("no READY prompt".into());
    }
    let mut ready = atari.machine;
    ready.take_sound(&mut Vec::new());
    speeds(&ready, count);
    copies(&ready);
    Ok(())
}

/// The speed of `count` machines.
fn speeds(ready: &Machine, count: usize) {
    println!(
        "{:<28} {:>18} {:>18}",
        format!("{count} machines"),
        "frames/CPU second",
        "frames/second"
    );
    for (threads, place) in [(false, "one thread"), (true, "a thread each")] {
        for (drawing, picture) in [(true, "with pictures"), (false, "without")] {
            let mut machines = vec![ready.clone(); count];
            for machine in &mut machines {
                machine.set_drawing(drawing);
            }
            let (cpu, wall) = (super::cpu_time(), Instant::now());
            if threads {
                thread::scope(|scope| {
                    for machine in &mut machines {
                        scope.spawn(|| frames(machine));
                    }
                });
            } else {
                machines.iter_mut().for_each(frames);
            }
            let cpu = super::cpu_time().saturating_sub(cpu).as_secs_f64();
            let frames = f64::from(FRAMES) * count as f64;
            println!(
                "{:<28} {:>18.0} {:>18.0}",
                format!("{place}, {picture}"),
                frames / cpu,
                frames / wall.elapsed().as_secs_f64()
            );
        }
    }
}

/// The time of a copy, and of a return to a state.
fn copies(ready: &Machine) {
    let mut inside = ready.clone();
    inside.run_cycles(131 * 114 + 57);
    for (place, machine) in [("between two frames", ready), ("in a frame", &inside)] {
        measure(&format!("a copy {place}"), || {
            black_box(machine.clone());
        });
        let mut other = machine.clone();
        measure(&format!("the same into a machine, {place}"), || {
            black_box(&mut other).clone_from(machine);
        });
    }
    let mut other = ready.clone();
    let media = ready.media(&Media::default());
    let (mut raw, file) = (Vec::new(), ready.save_state());
    ready.raw_state(&mut raw);
    measure("back to a raw state", || {
        black_box(&mut other).load_raw_state(&raw, &media).unwrap();
    });
    measure("back to a saved state", || {
        black_box(&mut other).load_state(&file).unwrap();
    });
}

/// Prints the CPU time of something.
fn measure(what: &str, mut work: impl FnMut()) {
    let start = super::cpu_time();
    (0..TIMES).for_each(|_| work());
    let taken = super::cpu_time().saturating_sub(start).as_secs_f64();
    println!("{what:<42} {:>6.1} us", taken * 1e6 / f64::from(TIMES));
}

fn frames(machine: &mut Machine) {
    let mut sound = Vec::new();
    for _ in 0..FRAMES {
        machine.run_frame();
        machine.take_sound(&mut sound);
        sound.clear();
    }
}
