//! A batch runs as sessions do, on any number of threads, and its copies continue as the originals do.
use batch::{Area, Batch, Options, Output, TASKS, Task, View, luminance};
use machine::{Frame, Input, Machine, Pointer, PointerKind, Snapshot};
use session::{Session, Setup, mouse};

fn task() -> Task {
    Task::named("tic-tac-toe").unwrap().unwrap()
}

/// Controls of a player who tries everything, slowly enough for a program in BASIC.
fn controls(step: usize, machine: usize) -> Input {
    let mut input = Input::default();
    let stick = input.joystick(0);
    let (turn, rests) = (step / 8, step % 8 >= 3);
    match (turn * turn + turn / 3 + machine * 5) % 6 {
        _ if rests => stick.centre(),
        0 => stick.up(),
        1 => stick.down(),
        2 => stick.left(),
        3 => stick.right(),
        _ => stick.press(),
    };
    input
}

struct Played {
    observations: Vec<u8>,
    rewards: Vec<f32>,
    ended: Vec<bool>,
    states: Vec<Snapshot>,
}

fn run(batch: &mut Batch, steps: std::ops::Range<usize>) -> Played {
    let count = batch.len();
    let mut observations = vec![0; batch.observation_bytes()];
    let mut rewards = vec![0.0; count];
    let (mut ended, mut cut) = (vec![false; count], vec![false; count]);
    let mut sum = vec![0.0; count];
    for step in steps {
        let actions: Vec<Input> = (0..count).map(|n| controls(step, n)).collect();
        let output = Output {
            observations: &mut observations,
            rewards: &mut rewards,
            terminated: &mut ended,
            truncated: &mut cut,
        };
        batch.step(&actions, output).unwrap();
        sum.iter_mut().zip(&rewards).for_each(|(sum, r)| *sum += r);
    }
    Played {
        observations,
        rewards: sum,
        ended,
        states: (0..count)
            .map(|n| Snapshot::of(batch.machine(n).unwrap()))
            .collect(),
    }
}

#[test]
fn threads_change_nothing() {
    let start = task().prepare(None, None, 0).unwrap();
    let options = Options {
        max_pool: true,
        stack: 4,
        repeat: 0.25,
        noops: 30,
        ..Options::default()
    };
    let mut played = [1, 3].map(|threads| {
        let options = Options { threads, ..options };
        let mut batch = Batch::new(&task(), &start, 5, options).unwrap();
        let mut first = vec![0; batch.observation_bytes()];
        batch.reset(&[1, 2, 3, 4, 1], &mut first).unwrap();
        run(&mut batch, 0..202)
    });
    let [one, many] = &mut played;
    assert!(one.observations == many.observations && one.rewards == many.rewards);
    assert!(one.states == many.states);
    // Another seed, another run; equal seeds with other controls as well.
    assert!(one.states[0] != one.states[1] && one.states[0] != one.states[4]);
}

#[test]
fn a_machine_of_a_batch_is_one_in_a_session() {
    let mut session = Session::new(Setup::built_in("tic-tac-toe").unwrap().unwrap()).unwrap();
    let wait = |session: &mut Session, text: &str| {
        while !session.text().contains(text) || !session.is_idle() {
            session.run_frame();
        }
    };
    wait(&mut session, "ESC  MENU");
    session.type_text("{start}").unwrap();
    wait(&mut session, ": ROW ");
    let start = session.machine().clone();
    let options = Options {
        view: View::Indexed,
        frame_skip: [1, 1],
        ..Options::default()
    };
    let mut batch = Batch::new(&task(), &start, 1, options).unwrap();
    let mut first = vec![0; batch.observation_bytes()];
    batch.reset(&[0], &mut first).unwrap();
    let played = run(&mut batch, 0..300);
    for step in 0..300 {
        *session.controls() = controls(step, 0);
        session.run_frame();
    }
    assert!(played.states[0] == Snapshot::of(session.machine()));
    let rows = (24..216).flat_map(|row| &session.picture().row(row)[28..348]);
    assert!(rows.eq(&played.observations));
}

#[test]
fn copies_go_on_as_the_originals_do() {
    let start = task().prepare(None, None, 0).unwrap();
    let options = Options {
        repeat: 0.25,
        ..Options::default()
    };
    let mut batch = Batch::new(&task(), &start, 2, options).unwrap();
    let mut first = vec![0; batch.observation_bytes()];
    batch.reset(&[5, 6], &mut first).unwrap();
    run(&mut batch, 0..50);
    let saved = batch.save(0).unwrap();
    let after = run(&mut batch, 50..100);
    batch.restore(0, &saved).unwrap();
    let again = run(&mut batch, 50..100);
    assert!(after.states[0] == again.states[0]);
    assert!(after.observations[..84 * 84] == again.observations[..84 * 84]);
    batch.fork(0, 1).unwrap();
    let state = |batch: &Batch, n: usize| Snapshot::of(batch.machine(n).unwrap());
    assert!(state(&batch, 0) == state(&batch, 1));
    batch.fork(1, 1).unwrap();
    assert!(batch.fork(0, 2).is_err() && batch.restore(2, &saved).is_err());
    assert!(batch.reset(&[1], &mut first).is_err());
}

#[test]
fn an_episode_ends_with_the_game() {
    let start = task().prepare(None, None, 0).unwrap();
    let mut batch = Batch::new(&task(), &start, 4, Options::default()).unwrap();
    let mut first = vec![0; batch.observation_bytes()];
    batch.reset(&[1, 2, 3, 4], &mut first).unwrap();
    let (mut ends, mut lost) = (0, 0.0);
    for step in 0..4000 {
        let played = run(&mut batch, step..step + 1);
        ends += played.ended.iter().filter(|&&ended| ended).count();
        lost += played.rewards.iter().sum::<f32>();
        for (n, _) in played.ended.iter().enumerate().filter(|(_, ended)| **ended) {
            // The program counts before it announces.
            let mut machine = batch.machine(n).unwrap().clone();
            let announced = (0..300).any(|_| {
                machine.run_frame();
                let text = machine.displayed_text().text();
                ["A TIE", "YOU WIN", "COMPUTER WINS"]
                    .iter()
                    .any(|words| text.contains(words))
            });
            assert!(announced, "{}", machine.displayed_text().text());
        }
    }
    assert!(ends >= 4, "{ends} ends");
    // It never loses, and this player gives it every chance.
    assert!(lost < 0.0, "{lost}");
}

#[test]
fn every_program_comes_to_the_beginning_of_its_game() {
    std::thread::scope(|scope| {
        for (name, _) in TASKS {
            scope.spawn(move || {
                let task = Task::named(name).unwrap().unwrap();
                let start = task.prepare(None, None, 3).unwrap();
                for signal in task.reward.iter().chain(&task.end) {
                    if let Some(name) = &signal.basic {
                        let place = debugger::basic::Basic::address_of(&start, name);
                        assert!(place.is_some(), "{}: {name}", task.program);
                    }
                }
                assert!(start.input == Input::default());
            });
        }
    });
}

#[test]
fn pictures_shrink_to_the_mean_of_their_areas() {
    let (width, height) = (320, 192);
    let picture: Vec<u8> = (0..width * height)
        .map(|n| (n * n / 7 + n / 320 * 13) as u8)
        .collect();
    let mut out = vec![0; 84 * 84];
    Area::new([width, height], [84, 84]).shrink(&picture, &mut out);
    // Each pixel as 84 by 84 small ones, of which each pixel of the result takes 320 by 192.
    for (at, &found) in out.iter().enumerate() {
        let (x, y) = (at % 84, at / 84);
        let mut sum = 0u64;
        for v in (y * height)..(y + 1) * height {
            for u in (x * width)..(x + 1) * width {
                sum += u64::from(picture[v / 84 * width + u / 84]);
            }
        }
        let mean = sum as f64 / (width * height) as f64;
        assert_eq!(mean.round_ties_even() as u8, found, "{x} {y}");
    }
    assert_eq!(luminance([255, 255, 255]), 255);
    assert_eq!(luminance([255, 0, 0]), 76);
}

#[test]
fn pooling_takes_the_brighter_of_the_last_two_frames() {
    let start = task().prepare(None, None, 0).unwrap();
    let options = Options {
        view: View::Grey,
        max_pool: true,
        ..Options::default()
    };
    let mut batch = Batch::new(&task(), &start, 1, options).unwrap();
    let mut first = vec![0; batch.observation_bytes()];
    batch.reset(&[0], &mut first).unwrap();
    let grey = |frame: &Frame| -> Vec<u8> {
        let colours = session::picture::palette(machine::Tv::Ntsc);
        let rows = (24..216).flat_map(|row| &frame.row(row)[28..348]);
        rows.map(|&colour| luminance(colours[usize::from(colour)]))
            .collect()
    };
    let mut alone: Machine = start.clone();
    let mut differed = 0;
    for step in 0..120 {
        let played = run(&mut batch, step..step + 1);
        alone.input = controls(step, 0);
        (0..3).for_each(|_| alone.run_frame());
        let before = grey(alone.frame());
        alone.run_frame();
        let last = grey(alone.frame());
        differed += u32::from(before != last);
        let pairs = before.iter().zip(&last);
        assert!(
            pairs.map(|(a, b)| *a.max(b)).eq(played.observations),
            "{step}"
        );
    }
    assert!(differed > 0);
}

#[test]
fn rows_that_stay_are_those_of_the_same_machine() {
    let start = task().prepare(None, None, 0).unwrap();
    let mut batches = [View::Grey84, View::Grey].map(|view| {
        let options = Options {
            view,
            max_pool: true,
            frame_skip: [1, 4],
            noops: 9,
            most_frames: 150,
            ..Options::default()
        };
        let mut batch = Batch::new(&task(), &start, 2, options).unwrap();
        let mut first = vec![0; batch.observation_bytes()];
        batch.reset(&[5, 6], &mut first).unwrap();
        batch
    });
    let area = Area::new([320, 192], [84, 84]);
    let mut saved = batches.each_ref().map(|batch| batch.save(0).unwrap());
    let mut before = Vec::new();
    let mut differed = 0;
    for step in 0..200 {
        // Machines take each other's places, and come back from copies.
        for (batch, saved) in batches.iter_mut().zip(&mut saved) {
            match step % 40 {
                13 => batch.fork(0, 1).unwrap(),
                14 => batch.seed(1, step as u64).unwrap(),
                20 => *saved = batch.save(1).unwrap(),
                33 => batch.restore(0, saved).unwrap(),
                _ => {}
            }
        }
        let [small, whole] = batches
            .each_mut()
            .map(|batch| run(batch, step..step + 1).observations);
        let mut wanted = vec![0; small.len()];
        let pictures = whole.chunks_exact(320 * 192);
        for (picture, out) in pictures.zip(wanted.chunks_exact_mut(84 * 84)) {
            area.shrink(picture, out);
        }
        assert!(small == wanted, "{step}");
        differed += u32::from(small != before);
        before = small;
    }
    assert!(differed > 20, "{differed}");
}

/// A session at the READY prompt with a pointing device.
fn ready(kind: PointerKind) -> Session {
    let mut session = Session::new(Setup::default()).unwrap();
    let model = session.machine().config().model;
    mouse::plug(session.controls(), kind, model);
    while !session.text().contains("READY") {
        session.run_frame();
    }
    session
}

/// An action that points: a place of the picture for a pen, nothing in each fourth step; steps of a mouse.
fn pointing(kind: PointerKind, step: usize, machine: usize) -> Input {
    let pen = Pointer {
        kind,
        ..Pointer::default()
    };
    let pointer = match step % 4 {
        3 if pen.is_pen() => pen.away(),
        n if pen.is_pen() => pen.at_pixel(60 + 20 * n + 31 * machine, 40 + 9 * step % 170),
        n => pen.moved(3 * n as i16 - 4, machine as i16 - 5),
    };
    Input {
        pointer: Pointer {
            button: step % 8 > 4,
            ..pointer
        },
        ..Input::default()
    }
}

#[test]
fn a_pointing_device_in_a_batch_is_one_of_a_session() {
    // LPENH, LPENV, STICK0 and STRIG0, which the OS reads in each frame.
    const CELLS: [u16; 4] = [564, 565, 632, 644];
    for kind in [
        PointerKind::LightPen,
        PointerKind::LightGun,
        PointerKind::StMouse,
        PointerKind::AmigaMouse,
        PointerKind::TrakBall,
    ] {
        let mut sessions = [0, 1].map(|_| ready(kind));
        let start = Task::default().begin(&mut sessions[0]).unwrap();
        let options = Options {
            view: View::Ram,
            threads: 2,
            ..Options::default()
        };
        let mut batch = Batch::new(&Task::default(), &start, 2, options).unwrap();
        let mut observations = vec![0; batch.observation_bytes()];
        batch.reset(&[1, 2], &mut observations).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for step in 0..40 {
            let actions = [0, 1].map(|machine| pointing(kind, step, machine));
            let output = Output {
                observations: &mut observations,
                rewards: &mut [0.0; 2],
                terminated: &mut [false; 2],
                truncated: &mut [false; 2],
            };
            batch.step(&actions, output).unwrap();
            for (number, (session, action)) in sessions.iter_mut().zip(&actions).enumerate() {
                let Pointer { x, y, button, .. } = action.pointer;
                let controls = session.controls();
                if controls.pointer.is_mouse() {
                    mouse::move_by(controls, x, y).unwrap();
                } else {
                    controls.pointer = controls.pointer.at(x, y);
                }
                mouse::button(controls, button).unwrap();
                (0..4).for_each(|_| drop(session.run_frame()));
                let machine = batch.machine(number).unwrap();
                assert!(
                    Snapshot::of(machine) == Snapshot::of(session.machine()),
                    "{kind:?}, step {step}, machine {number}"
                );
                seen.insert(CELLS.map(|at| machine.peek(at)));
            }
        }
        assert!(seen.len() > 4, "{kind:?}: {seen:?}");
    }
}

#[test]
fn a_mouse_stays_where_it_is_in_copies_and_is_moved_once_in_a_step() {
    let start = Task::default()
        .begin(&mut ready(PointerKind::TrakBall))
        .unwrap();
    let options = Options {
        view: View::Text,
        repeat: 0.5,
        ..Options::default()
    };
    let mut batch = Batch::new(&Task::default(), &start, 3, options).unwrap();
    let mut observations = vec![0; batch.observation_bytes()];
    batch.reset(&[7, 8, 9], &mut observations).unwrap();
    let mut step = |batch: &mut Batch, right: [i16; 3]| {
        let actions = right.map(|right| Input {
            pointer: Pointer::default().moved(right, 0),
            ..Input::default()
        });
        let output = Output {
            observations: &mut observations,
            rewards: &mut [0.0; 3],
            terminated: &mut [false; 3],
            truncated: &mut [false; 3],
        };
        batch.step(&actions, output).unwrap();
        [0, 1, 2].map(|n| {
            let pointer = batch.machine(n).unwrap().input.pointer;
            assert_eq!(pointer.kind, PointerKind::TrakBall);
            pointer.x
        })
    };
    // With controls that stick, a move comes whole or not at all: of four frames one in sixteen steps takes none.
    let mut at = [0; 3];
    let mut missed = 0;
    for _ in 0..100 {
        let now = step(&mut batch, [5, -3, 1]);
        for ((now, before), right) in now.iter().zip(&at).zip([5, -3, 1]) {
            assert!(now - before == right || now == before);
            missed += u32::from(now == before);
        }
        at = now;
    }
    assert!((5..50).contains(&missed), "{missed} of 300");
    batch.fork(0, 2).unwrap();
    let saved = batch.save(1).unwrap();
    assert_eq!(step(&mut batch, [0; 3]), [at[0], at[1], at[0]]);
    batch.restore(0, &saved).unwrap();
    assert_eq!(step(&mut batch, [0; 3]), [at[1], at[1], at[0]]);
    batch.reset(&[7, 8, 9], &mut [0; 3 * 960]).unwrap();
    assert_eq!(
        step(&mut batch, [2; 3]).map(|x| x == 2 || x == 0),
        [true; 3]
    );
}
