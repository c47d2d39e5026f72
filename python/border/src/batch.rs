//! Many machines at once, as the package's class `Batch` uses them.
use crate::held::{Held, apart, value};
use crate::machine::Machine;
use crate::options::choice;
use ::batch::{Autoreset, Batch as Machines, BatchError, Options as How, Output, Task, View};
use machine::{Frame, Input, Model, Pointer, PointerKind, Tv};
use numpy::{
    PyArray1, PyArray3, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1,
    PyReadwriteArrayDyn, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use session::mouse::{self, Mouse, MouseRole};
use session::picture::palette;
use std::sync::Mutex;

/// Views by the names that ALE has for them, and our own.
const VIEWS: [(&str, View); 6] = [
    ("rgb", View::Rgb),
    ("grayscale", View::Grey),
    ("grayscale84", View::Grey84),
    ("indexed", View::Indexed),
    ("text", View::Text),
    ("ram", View::Ram),
];
/// Numbers of a machine's controls without those of a pointing device: two sticks, a key, console keys.
const CONTROLS: usize = 4;
/// Steps that a mouse or trak-ball is moved in a step of a batch, at most. It makes 131 in four frames.
const MOST_STEPS: i64 = 127;
/// Directions (up, down, left, right) by ALE's numbers of actions; the trigger is the second number.
const STICKS: [([bool; 4], bool); 18] = {
    const CENTRE: [bool; 4] = [false; 4];
    const UP: [bool; 4] = [true, false, false, false];
    const RIGHT: [bool; 4] = [false, false, false, true];
    const LEFT: [bool; 4] = [false, false, true, false];
    const DOWN: [bool; 4] = [false, true, false, false];
    const UP_RIGHT: [bool; 4] = [true, false, false, true];
    const UP_LEFT: [bool; 4] = [true, false, true, false];
    const DOWN_RIGHT: [bool; 4] = [false, true, false, true];
    const DOWN_LEFT: [bool; 4] = [false, true, true, false];
    [
        (CENTRE, false),
        (CENTRE, true),
        (UP, false),
        (RIGHT, false),
        (LEFT, false),
        (DOWN, false),
        (UP_RIGHT, false),
        (UP_LEFT, false),
        (DOWN_RIGHT, false),
        (DOWN_LEFT, false),
        (UP, true),
        (RIGHT, true),
        (LEFT, true),
        (DOWN, true),
        (UP_RIGHT, true),
        (UP_LEFT, true),
        (DOWN_RIGHT, true),
        (DOWN_LEFT, true),
    ]
};

fn error(error: BatchError) -> PyErr {
    match error {
        BatchError::Range {
            name: "the machine's number",
            ..
        } => PyIndexError::new_err(error.to_string()),
        error => value(error),
    }
}

/// One of the numbers of a machine's controls.
struct Control {
    name: &'static str,
    least: i64,
    most: i64,
    /// Its value while nothing is held.
    rest: i64,
}

/// The numbers of a machine's controls, in their order.
fn layout(pointer: MouseRole) -> Vec<Control> {
    let control = |name, least, most, rest| Control {
        name,
        least,
        most,
        rest,
    };
    let to = |name, most| control(name, 0, most, 0);
    let mut all = vec![
        to("a stick", STICKS.len() as i64 - 1),
        to("a stick", STICKS.len() as i64 - 1),
        to("a key", 256),
        to("the sum of console keys", 7),
    ];
    let steps = |name| control(name, -MOST_STEPS, MOST_STEPS, 0);
    match pointer {
        MouseRole::Off => {}
        MouseRole::Paddles => all.extend([
            control("a paddle's position", 0, 228, 228),
            control("a paddle's position", 0, 228, 228),
            to("the sum of paddle triggers", 3),
        ]),
        MouseRole::LightPen | MouseRole::LightGun => all.extend([
            control(
                "the pixel that is pointed at",
                -1,
                Frame::WIDTH as i64 - 1,
                -1,
            ),
            to("the line that is pointed at", Frame::HEIGHT as i64 - 1),
            to("a button", 1),
        ]),
        MouseRole::StMouse | MouseRole::AmigaMouse | MouseRole::TrakBall => all.extend([
            steps("a move to the right"),
            steps("a move down"),
            to("a button", 1),
        ]),
    }
    all
}

/// The controls of a row of numbers, which [`check`] has seen.
fn input(row: &[i64], pointer: MouseRole) -> Input {
    let mut input = Input::default();
    for (port, &number) in row.iter().take(2).enumerate() {
        let ([up, down, left, right], trigger) = STICKS[number as usize];
        input.joystick(port).push(up, down, left, right).trigger = trigger;
    }
    input.key = (row[2] > 0).then(|| (row[2] - 1) as u8);
    input.start = row[3] & 1 != 0;
    input.select = row[3] & 2 != 0;
    input.option = row[3] & 4 != 0;
    if let &[first, second, button] = &row[CONTROLS..] {
        let at = input.pointer;
        input.pointer = match pointer {
            MouseRole::Paddles => {
                input.paddles[..2].copy_from_slice(&[first as u8, second as u8]);
                input.paddle_triggers[..2].copy_from_slice(&[button & 1 != 0, button & 2 != 0]);
                return input;
            }
            MouseRole::LightPen | MouseRole::LightGun if first < 0 => at.away(),
            MouseRole::LightPen | MouseRole::LightGun => {
                at.at_pixel(first as usize, second as usize)
            }
            _ => at.moved(first as i16, second as i16),
        };
        input.pointer.button = button != 0;
    }
    input
}

/// Checks the numbers of a row.
fn check(row: &[i64], layout: &[Control]) -> PyResult<()> {
    for (&number, control) in row.iter().zip(layout) {
        let Control {
            name, least, most, ..
        } = *control;
        if !(least..=most).contains(&number) {
            return Err(value(format!("{name} is {least} to {most}, not {number}")));
        }
    }
    Ok(())
}

/// The role of a pointing device.
fn role(kind: PointerKind) -> MouseRole {
    let pointer = Pointer {
        kind,
        ..Pointer::default()
    };
    Mouse::of(pointer).role()
}

/// The row of numbers of controls.
fn row(input: &Input) -> [i64; CONTROLS] {
    let stick = |port: usize| {
        let stick = &input.joysticks[port];
        let pushed = (
            [stick.up, stick.down, stick.left, stick.right],
            stick.trigger,
        );
        STICKS
            .iter()
            .position(|known| *known == pushed)
            .unwrap_or(0) as i64
    };
    let console =
        i64::from(input.start) | i64::from(input.select) << 1 | i64::from(input.option) << 2;
    let key = input.key.map_or(0, |key| i64::from(key) + 1);
    [stick(0), stick(1), key, console]
}

/// The controls of actions by their names: two sticks (ALE's numbers 0 to 17), a key (0 or KBCODE and 1), console keys (1 START, 2 SELECT, 4 OPTION).
#[pyfunction]
pub fn controls(names: Vec<String>) -> PyResult<Vec<[i64; CONTROLS]>> {
    let task = Task {
        actions: names,
        ..Task::default()
    };
    Ok(task.inputs().map_err(error)?.iter().map(row).collect())
}

/// The files of the built-in programs' tasks, by the programs' names.
#[pyfunction]
pub fn tasks() -> Vec<(&'static str, &'static str)> {
    ::batch::TASKS.to_vec()
}

/// A task and the machine at its beginning.
#[pyclass(frozen, module = "anticlock._anticlock")]
pub struct Start {
    task: Task,
    machine: Mutex<machine::Machine>,
    pointer: MouseRole,
}

#[pymethods]
impl Start {
    /// Goes to the beginning of a task: of its own program, or in `machine`, which comes with another one. `pointer` is a pointing device or paddles, `None` the
    /// device that `machine` has.
    #[new]
    #[pyo3(signature = (task, machine, model, tv, seed, pointer))]
    fn new(
        py: Python<'_>,
        task: &str,
        machine: Option<&Bound<'_, Machine>>,
        model: Option<&str>,
        tv: Option<&str>,
        seed: u64,
        pointer: Option<&str>,
    ) -> PyResult<Self> {
        let task = Task::parse(task).map_err(error)?;
        let pointer = match pointer {
            Some("paddles") => Some(MouseRole::Paddles),
            Some(name) => Some(role(mouse::device(name).map_err(value)?)),
            None => None,
        };
        let machine = match machine {
            Some(machine) => machine.get().with(py, |inner| {
                if let Some(role) = pointer {
                    let model = inner.session.machine().config().model;
                    mouse::plug(inner.session.controls(), role.device(), model);
                }
                let begun = task.begin(&mut inner.session);
                begun.map_err(error)
            })?,
            None => {
                let model: Option<Model> = choice("model", model)?;
                let tv: Option<Tv> = choice("television system", tv)?;
                apart(py, || {
                    let begun = task.prepare(model, tv, seed);
                    begun.map_err(error)
                })?
            }
        };
        Ok(Self {
            task,
            pointer: pointer.unwrap_or(role(machine.input.pointer.kind)),
            machine: Mutex::new(machine),
        })
    }

    /// Names of the actions that do something in this program.
    #[getter]
    fn actions(&self) -> Vec<String> {
        self.task.actions.clone()
    }

    /// The numbers of a machine's controls: the least of each, its greatest, and its value while nothing is held.
    #[getter]
    fn controls(&self) -> Vec<(i64, i64, i64)> {
        let all = layout(self.pointer).into_iter();
        all.map(|control| (control.least, control.most, control.rest))
            .collect()
    }
}

/// The way in which a batch runs its machines.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Options {
    view: String,
    frame_skip: [u32; 2],
    max_pool: bool,
    stack: usize,
    repeat: f64,
    noops: u32,
    most_frames: u32,
    autoreset: bool,
    draw: bool,
    threads: usize,
}

impl Options {
    fn how(self) -> PyResult<How> {
        let Self { view, .. } = &self;
        let found = VIEWS.iter().find(|(name, _)| name == view);
        let (_, view) = found.ok_or_else(|| {
            let names: Vec<_> = VIEWS.iter().map(|(name, _)| *name).collect();
            let shown: String = view.chars().take(40).collect();
            value(format!(
                "there is no observation {shown:?}: it is one of {}",
                names.join(", ")
            ))
        })?;
        Ok(How {
            view: *view,
            frame_skip: self.frame_skip,
            max_pool: self.max_pool,
            stack: self.stack,
            repeat: self.repeat,
            noops: self.noops,
            most_frames: self.most_frames,
            autoreset: match self.autoreset {
                true => Autoreset::NextStep,
                false => Autoreset::Disabled,
            },
            draw: self.draw,
            threads: self.threads,
        })
    }
}

/// A machine of a batch with its episode, kept outside of it.
#[pyclass(frozen, module = "anticlock._anticlock")]
pub struct Saved(Mutex<::batch::Saved>);

/// A batch and the controls of its next step.
struct Inner {
    machines: Machines,
    inputs: Vec<Input>,
    pointer: MouseRole,
    layout: Vec<Control>,
}

/// Machines that are stepped together.
#[pyclass(frozen, module = "anticlock._anticlock")]
pub struct Batch(Held<Inner>);

impl Batch {
    fn with<R: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut Machines) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        self.0.with(py, |inner| act(&mut inner.machines))
    }
}

/// The elements of an array that is written to.
macro_rules! slice {
    ($array:ident) => {
        $array
            .as_slice_mut()
            .map_err(|_| value(concat!(stringify!($array), " is not one piece of memory")))?
    };
}

#[pymethods]
impl Batch {
    #[new]
    fn new(
        py: Python<'_>,
        start: &Bound<'_, Start>,
        count: usize,
        options: Options,
    ) -> PyResult<Self> {
        let how = options.how()?;
        let start = start.get();
        let machines = apart(py, || {
            let machine = start.machine.lock();
            let machine = machine.unwrap_or_else(std::sync::PoisonError::into_inner);
            Machines::new(&start.task, &machine, count, how).map_err(error)
        })?;
        let inner = Inner {
            machines,
            inputs: vec![Input::default(); count],
            pointer: start.pointer,
            layout: layout(start.pointer),
        };
        Ok(Self(Held::new("Batch", inner)))
    }

    fn close(&self, py: Python<'_>) {
        self.0.close(py);
    }

    /// The dimensions of one view, without the stack.
    fn shape(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        self.with(py, |batch| Ok(batch.options().view.shape().to_vec()))
    }

    /// Frames of each machine's episode.
    fn frames<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let frames: Vec<i64> = self.with(py, |batch| {
            let each = (0..batch.len()).map(|index| batch.frames(index).map(i64::from));
            each.collect::<Result<_, _>>().map_err(error)
        })?;
        Ok(PyArray1::from_vec(py, frames))
    }

    fn reset(
        &self,
        py: Python<'_>,
        seeds: PyReadonlyArray1<'_, u64>,
        mut observations: PyReadwriteArrayDyn<'_, u8>,
    ) -> PyResult<()> {
        let seeds = seeds.as_slice().map_err(value)?;
        let observations = slice!(observations);
        self.with(py, |batch| batch.reset(seeds, observations).map_err(error))
    }

    #[pyo3(signature = (index, seed, observation))]
    fn reset_one(
        &self,
        py: Python<'_>,
        index: usize,
        seed: Option<u64>,
        mut observation: PyReadwriteArrayDyn<'_, u8>,
    ) -> PyResult<()> {
        let observation = slice!(observation);
        self.with(py, |batch| {
            let done = batch.reset_one(index, seed, observation);
            done.map_err(error)
        })
    }

    fn step(
        &self,
        py: Python<'_>,
        actions: PyReadonlyArray2<'_, i64>,
        mut observations: PyReadwriteArrayDyn<'_, u8>,
        mut rewards: PyReadwriteArray1<'_, f32>,
        mut terminated: PyReadwriteArray1<'_, bool>,
        mut truncated: PyReadwriteArray1<'_, bool>,
    ) -> PyResult<()> {
        let width = actions.shape().get(1).copied().unwrap_or(0);
        let actions = actions.as_slice().map_err(value)?;
        let output = Output {
            observations: slice!(observations),
            rewards: slice!(rewards),
            terminated: slice!(terminated),
            truncated: slice!(truncated),
        };
        self.0.with(py, |inner| {
            inner.inputs.clear();
            if width != inner.layout.len() {
                let wanted = inner.layout.len();
                return Err(value(format!(
                    "a machine's controls are {wanted} numbers, not {width}"
                )));
            }
            for row in actions.chunks(width) {
                check(row, &inner.layout)?;
                inner.inputs.push(input(row, inner.pointer));
            }
            inner.machines.step(&inner.inputs, output).map_err(error)
        })
    }

    fn observation(
        &self,
        py: Python<'_>,
        index: usize,
        mut observation: PyReadwriteArrayDyn<'_, u8>,
    ) -> PyResult<()> {
        let into = slice!(observation);
        self.with(py, |batch| {
            let seen = batch.observation(index).map_err(error)?;
            if seen.len() != into.len() {
                let sizes = (into.len(), seen.len());
                return Err(value(format!(
                    "the observation has {} elements, and must have {}",
                    sizes.0, sizes.1
                )));
            }
            into.copy_from_slice(seen);
            Ok(())
        })
    }

    fn save(&self, py: Python<'_>, index: usize) -> PyResult<Saved> {
        let saved = self.with(py, |batch| batch.save(index).map_err(error))?;
        Ok(Saved(Mutex::new(saved)))
    }

    fn restore(&self, py: Python<'_>, index: usize, saved: &Bound<'_, Saved>) -> PyResult<()> {
        let saved = saved.get();
        self.with(py, |batch| {
            let saved = saved.0.lock();
            let saved = saved.unwrap_or_else(std::sync::PoisonError::into_inner);
            batch.restore(index, &saved).map_err(error)
        })
    }

    fn fork(&self, py: Python<'_>, source: usize, target: usize) -> PyResult<()> {
        self.with(py, |batch| batch.fork(source, target).map_err(error))
    }

    fn seed(&self, py: Python<'_>, index: usize, seed: u64) -> PyResult<()> {
        self.with(py, |batch| batch.seed(index, seed).map_err(error))
    }

    /// The last picture that a machine has drawn: 240 rows of 376 by red, green, blue.
    fn rgb<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let pixels = self.with(py, |batch| {
            let machine = batch.machine(index).map_err(error)?;
            let colours = palette(machine.config().tv);
            let pixels = machine.frame().pixels().iter();
            let rgb: Vec<[u8; 3]> = pixels.map(|&n| colours[usize::from(n)]).collect();
            Ok(rgb.into_flattened())
        })?;
        PyArray1::from_vec(py, pixels).reshape([Frame::HEIGHT, Frame::WIDTH, 3])
    }

    fn text(&self, py: Python<'_>, index: usize) -> PyResult<String> {
        self.with(py, |batch| {
            let machine = batch.machine(index).map_err(error)?;
            Ok(machine.displayed_text().text())
        })
    }

    /// Bytes from an address on, which do not go beyond $FFFF.
    fn peek<'py>(
        &self,
        py: Python<'py>,
        index: usize,
        address: u16,
        count: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let bytes: Vec<u8> = self.with(py, |batch| {
            let machine = batch.machine(index).map_err(error)?;
            let addresses = (address..=0xFFFF).take(count);
            Ok(addresses.map(|address| machine.peek(address)).collect())
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// A machine as bytes, for `Machine.load`.
    fn state<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyBytes>> {
        let state = self.with(py, |batch| {
            let machine = batch.machine(index).map_err(error)?;
            Ok(machine.save_state())
        })?;
        Ok(PyBytes::new(py, &state))
    }
}
