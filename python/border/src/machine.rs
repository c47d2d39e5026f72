//! A machine with its debugger, as the package's class `Atari` uses it.
use crate::held::{Held, apart, value};
use crate::inner::{Inner, limits};
use crate::options::{Options, program};
use crate::why::Explained;
use debugger::basic::{Basic, Value};
use debugger::{Debugger, Place, execute, poke};
use host::hosted::Attendant;
use host::screenshot::png_rgb;
use machine::{Frame, Input};
use media::atr::Disk;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyTimeoutError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use session::timeline::Recording;
use session::{Session, built_in, keys, mouse};
use std::path::PathBuf;

/// Frames between two looks at Python's signals.
const PIECE: u64 = 120;
/// The names of the built-in programs.
#[pyfunction]
pub fn programs() -> Vec<&'static str> {
    let all = built_in::all();
    std::iter::once("menu")
        .chain(all.iter().map(|program| program.name))
        .collect()
}

/// A run's end: frames that have run, and the breakpoint that ended it: why, its number, the program counter.
type Run = (u64, Option<(&'static str, u32, u16)>);

/// One machine. All methods may be called from any thread; calls of several threads come one after the other.
#[pyclass(frozen, module = "anticlock._anticlock")]
pub struct Machine {
    inner: Held<Inner>,
}

impl Machine {
    /// Does something with the machine while other threads of Python run.
    pub fn with<R: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut Inner) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        self.inner.with(py, act)
    }

    fn of(inner: Inner) -> Self {
        Self {
            inner: Held::new("Atari", inner),
        }
    }

    /// Runs until `until` is true after a frame, at most `frames`; false in the answer if it has not become true.
    fn advance(
        &self,
        py: Python<'_>,
        frames: u64,
        until: impl Fn(&mut Inner) -> PyResult<bool> + Send + Sync,
    ) -> PyResult<(Run, bool)> {
        let mut ran = 0;
        if self.with(py, |inner| until(inner))? {
            return Ok(((0, None), true));
        }
        while ran < frames {
            let piece = (frames - ran).min(PIECE);
            let (done, stopped, reached) = self.with(py, |inner| {
                for done in 1..=piece {
                    if let Some(stopped) = inner.frame()? {
                        let pc = inner.session.machine().cpu.pc;
                        let stopped = (stopped.why, stopped.number, pc);
                        return Ok((done - 1, Some(stopped), false));
                    }
                    if until(inner)? {
                        return Ok((done, None, true));
                    }
                }
                Ok((piece, None, false))
            })?;
            ran += done;
            if stopped.is_some() || reached {
                return Ok(((ran, stopped), reached));
            }
            py.check_signals()?;
        }
        Ok(((ran, None), false))
    }
}

fn late<T>(frames: u64, what: &str) -> PyResult<T> {
    Err(PyTimeoutError::new_err(format!(
        "{what} did not come in {frames} frames"
    )))
}

/// Names with their addresses.
type Names = Vec<(String, u16)>;

#[pymethods]
impl Machine {
    #[new]
    fn new(py: Python<'_>, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let options: Options = options.extract()?;
        apart(py, || options.switch_on()).map(Self::of)
    }

    /// A machine that plays a recording.
    #[staticmethod]
    fn play(py: Python<'_>, recording: &[u8]) -> PyResult<Self> {
        apart(py, || {
            let recording = Recording::parse(recording, &[], &[]).map_err(value)?;
            let session = Session::play(recording, limits()).map_err(value)?;
            Ok(Self::of(Inner::new(session, Vec::new(), None)))
        })
    }

    /// Lets go of the machine.
    fn close(&self, py: Python<'_>) {
        self.inner.close(py);
    }

    fn is_closed(&self, py: Python<'_>) -> bool {
        self.inner.is_closed(py)
    }

    /// A machine of its own that is as this one.
    #[pyo3(name = "clone")]
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        self.with(py, Inner::copy).map(Self::of)
    }

    /// Another program in a fresh machine; a saved state is loaded.
    #[pyo3(signature = (name, path, file))]
    fn load(
        &self,
        py: Python<'_>,
        name: Option<String>,
        path: Option<PathBuf>,
        file: Option<(String, Vec<u8>)>,
    ) -> PyResult<()> {
        self.with(py, |inner| {
            inner.begin_history();
            let state = file.as_ref().map(|(_, bytes)| bytes);
            if let Some(state) = state.filter(|bytes| {
                media::STATE_MAGIC
                    .iter()
                    .any(|magic| bytes.starts_with(magic))
            }) {
                inner.shown = None;
                return inner.session.load_state(state).map_err(value);
            }
            let (program, path) = program(name, path, file)?;
            inner.session.start(program).map_err(value)?;
            inner.shown = None;
            inner.find_names(path);
            Ok(())
        })
    }

    fn run(&self, py: Python<'_>, frames: u64) -> PyResult<Run> {
        Ok(self.advance(py, frames, |_| Ok(false))?.0)
    }

    /// Runs until a text is on the screen.
    fn run_until_text(&self, py: Python<'_>, text: &str, frames: u64) -> PyResult<Run> {
        let text = text.to_owned();
        let shown = format!("the text {:?}", text.chars().take(60).collect::<String>());
        let (run, reached) = self.advance(py, frames, move |inner| {
            Ok(inner.session.text().contains(&text))
        })?;
        match reached || run.1.is_some() {
            true => Ok(run),
            false => late(frames, &shown),
        }
    }

    /// Runs until an expression is true at the end of a frame.
    fn run_until_true(&self, py: Python<'_>, expression: &str, frames: u64) -> PyResult<Run> {
        let text = expression.to_owned();
        let (run, reached) = self.advance(py, frames, move |inner| {
            let (session, debugger) = inner.debugged();
            let shown = debugger.evaluate(session.track(), &text);
            shown.map(|shown| shown.value != 0).map_err(value)
        })?;
        match reached || run.1.is_some() {
            true => Ok(run),
            false => late(frames, "what was waited for"),
        }
    }

    /// Runs until the instruction at an address is about to begin.
    fn run_until_address(&self, py: Python<'_>, address: u16, frames: u64) -> PyResult<Run> {
        let number = self.with(py, |inner| {
            Ok(inner.debugged().1.breakpoints.add(Place::Pc(address)))
        })?;
        let run = self.advance(py, frames, |_| Ok(false));
        self.with(py, |inner| {
            Ok(inner.debugged().1.breakpoints.remove(number))
        })?;
        let (run, _) = run?;
        match run.1 {
            Some((_, stopped, _)) if stopped == number => Ok((run.0, None)),
            Some(_) => Ok(run),
            None => late(frames, &format!("the instruction at ${address:04X}")),
        }
    }

    /// Types a text and runs until it is typed.
    #[pyo3(name = "type")]
    fn type_text(&self, py: Python<'_>, text: &str, frames: u64) -> PyResult<Run> {
        self.with(py, |inner| inner.session.type_text(text).map_err(value))?;
        let (run, reached) = self.advance(py, frames, |inner| Ok(inner.session.is_idle()))?;
        if reached || run.1.is_some() {
            return Ok(run);
        }
        let left = self.with(py, |inner| Ok(inner.session.untyped()))?;
        Err(PyTimeoutError::new_err(format!(
            "{left} keys were not taken in {frames} frames: the program does not wait for them"
        )))
    }

    /// Holds controls by their names, and lets go of all others of these.
    fn hold(&self, py: Python<'_>, names: Vec<String>) -> PyResult<()> {
        self.with(py, |inner| {
            let controls = inner.session.controls();
            let joysticks = controls.joysticks;
            let mut held = Input {
                joysticks,
                paddles: controls.paddles,
                paddle_triggers: controls.paddle_triggers,
                pointer: controls.pointer,
                ..Input::default()
            };
            for name in &names {
                match name.as_str() {
                    "start" => held.start = true,
                    "select" => held.select = true,
                    "option" => held.option = true,
                    "break" => held.break_key = true,
                    "shift" => held.shift = true,
                    name => {
                        let key = keys::of_name(name).ok_or_else(|| {
                            let shown: String = name.chars().take(40).collect();
                            value(format!("there is no key {shown:?}: it is a character, start, select, option, break, shift, or a name such as return, esc, space, ctrl-c"))
                        })?;
                        held.key = Some(key);
                    }
                }
            }
            *controls = held;
            Ok(())
        })
    }

    /// The RESET key.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |inner| {
            inner.session.reset();
            Ok(())
        })
    }

    /// The power switch.
    fn cold_start(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |inner| {
            inner.session.cold_start();
            Ok(())
        })
    }

    /// Switches of a joystick: up, down, left, right, trigger.
    fn joystick(&self, py: Python<'_>, port: usize) -> PyResult<(bool, bool, bool, bool, bool)> {
        self.with(py, |inner| {
            let stick = inner.session.controls().joysticks.get(port).copied();
            let stick = stick.ok_or_else(|| PyIndexError::new_err("joysticks are 0 to 3"))?;
            Ok((stick.up, stick.down, stick.left, stick.right, stick.trigger))
        })
    }

    fn set_joystick(
        &self,
        py: Python<'_>,
        port: usize,
        switches: (bool, bool, bool, bool, bool),
    ) -> PyResult<()> {
        self.with(py, |inner| {
            let stick = inner.session.controls().joysticks.get_mut(port);
            let stick = stick.ok_or_else(|| PyIndexError::new_err("joysticks are 0 to 3"))?;
            let (up, down, left, right, trigger) = switches;
            stick.push(up, down, left, right).trigger = trigger;
            Ok(())
        })
    }

    /// Position (0 to 228) and button of a paddle.
    fn set_paddle(
        &self,
        py: Python<'_>,
        number: usize,
        position: u8,
        pressed: bool,
    ) -> PyResult<()> {
        self.with(py, |inner| {
            let controls = inner.session.controls();
            if position > 228 {
                return Err(value(format!(
                    "a paddle's position is 0 to 228, not {position}"
                )));
            }
            let paddle = controls.paddles.get_mut(number);
            *paddle.ok_or_else(|| PyIndexError::new_err("paddles are 0 to 7"))? = position;
            controls.paddle_triggers[number] = pressed;
            Ok(())
        })
    }

    /// Plugs in a pointing device by its name, unless it is there already; "off" unplugs it.
    fn plug_pointer(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        let kind = mouse::device(name).map_err(value)?;
        self.with(py, |inner| {
            let model = inner.session.machine().config().model;
            mouse::plug(inner.session.controls(), kind, model);
            Ok(())
        })
    }

    /// Points a light pen or gun at a pixel and line of the picture; at nothing without them.
    fn point(&self, py: Python<'_>, place: Option<(usize, usize)>) -> PyResult<()> {
        self.with(py, |inner| {
            let controls = inner.session.controls();
            match place {
                Some((x, y)) => mouse::point(controls, x, y).map_err(value),
                None => mouse::point_away(controls).map_err(value),
            }
        })
    }

    /// Moves a mouse or trak-ball by steps to the right and down.
    fn move_pointer(&self, py: Python<'_>, right: i16, down: i16) -> PyResult<()> {
        self.with(py, |inner| {
            mouse::move_by(inner.session.controls(), right, down).map_err(value)
        })
    }

    /// Presses or releases the button of the pointing device.
    fn press_pointer(&self, py: Python<'_>, pressed: bool) -> PyResult<()> {
        self.with(py, |inner| {
            mouse::button(inner.session.controls(), pressed).map_err(value)
        })
    }

    /// Colour numbers of the last picture, 240 rows of 376.
    fn screen<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let pixels = self.with(py, |inner| Ok(inner.pixels().to_vec()))?;
        PyArray1::from_vec(py, pixels).reshape([Frame::HEIGHT, Frame::WIDTH])
    }

    /// Red, green and blue of the last picture, 240 rows of 376 by 3.
    fn rgb<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let pixels = self.with(py, |inner| Ok(inner.rgb().into_flattened()))?;
        PyArray1::from_vec(py, pixels).reshape([Frame::HEIGHT, Frame::WIDTH, 3])
    }

    fn png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let png = self.with(py, |inner| {
            png_rgb(Frame::WIDTH, &inner.rgb()).map_err(value)
        })?;
        Ok(PyBytes::new(py, &png))
    }

    fn text(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |inner| Ok(inner.session.text()))
    }

    /// Bytes from an address on, which do not go beyond $FFFF.
    fn peek<'py>(
        &self,
        py: Python<'py>,
        address: u16,
        count: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let bytes: Vec<u8> = self.with(py, |inner| {
            let machine = inner.session.machine();
            let addresses = (address..=0xFFFF).take(count);
            Ok(addresses.map(|address| machine.peek(address)).collect())
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The value of a number of BASIC; `None` if no variable has this name.
    fn number(&self, py: Python<'_>, name: &str) -> PyResult<Option<f64>> {
        self.with(py, |inner| {
            let machine = inner.session.machine();
            let found = Basic::address_of(machine, name).filter(|(_, length)| *length == 6);
            Ok(found.filter(|_| !name.contains('$')).map(|(at, _)| {
                debugger::basic::number(std::array::from_fn(|n| {
                    machine.peek(at.wrapping_add(n as u16))
                }))
            }))
        })
    }

    /// The bytes of a string of BASIC; `None` if no variable has this name.
    fn string<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let bytes = self.with(py, |inner| {
            let basic = Basic::of(inner.session.machine());
            let variables = basic.into_iter().flat_map(|basic| basic.variables);
            let mut named = variables.filter(|one| one.name.eq_ignore_ascii_case(name));
            Ok(named.find_map(|variable| match variable.value {
                Value::String(string) => Some(string.unwrap_or_default().0),
                _ => None,
            }))
        })?;
        Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
    }

    /// Address and length of the value of a variable of BASIC.
    fn variable(&self, py: Python<'_>, name: &str) -> PyResult<Option<(u16, u16)>> {
        self.with(py, |inner| {
            Ok(Basic::address_of(inner.session.machine(), name))
        })
    }

    fn poke(&self, py: Python<'_>, address: u16, bytes: &[u8]) -> PyResult<()> {
        if usize::from(address) + bytes.len() > 0x1_0000 {
            return Err(PyIndexError::new_err("memory ends at $FFFF"));
        }
        self.with(py, |inner| {
            inner.host(|hosted| poke(hosted, address, bytes))
        })
    }

    /// The value of an expression of the debugger.
    fn evaluate(&self, py: Python<'_>, expression: &str) -> PyResult<i64> {
        self.with(py, |inner| {
            let (session, debugger) = inner.debugged();
            let shown = debugger.evaluate(session.track(), expression);
            shown.map(|shown| shown.value).map_err(value)
        })
    }

    fn address(&self, py: Python<'_>, name: &str) -> PyResult<u16> {
        self.with(py, |inner| inner.address(name))
    }

    /// A command of the debugger; its lines.
    fn execute(&self, py: Python<'_>, line: &str) -> PyResult<Vec<String>> {
        self.with(py, |inner| {
            let output = inner.act(|debugger, hosted| execute(debugger, hosted, line))?;
            output.map(|output| output.lines).map_err(value)
        })
    }

    /// Sets a breakpoint in the words of the command `break`; its number.
    fn break_at(&self, py: Python<'_>, place: &str) -> PyResult<u32> {
        self.with(py, |inner| {
            let line = format!("break {}", place.replace(['\n', '\r'], " "));
            let before: Vec<u32> = numbers(inner.debugged().1);
            inner
                .act(|debugger, hosted| execute(debugger, hosted, &line))?
                .map_err(value)?;
            let new = numbers(inner.debugged().1);
            let new = new.into_iter().find(|number| !before.contains(number));
            new.ok_or_else(|| value("this is not the place of a breakpoint"))
        })
    }

    fn break_address(&self, py: Python<'_>, address: u16) -> PyResult<u32> {
        self.with(py, |inner| {
            Ok(inner.debugged().1.breakpoints.add(Place::Pc(address)))
        })
    }

    fn remove_break(&self, py: Python<'_>, number: u32) -> PyResult<bool> {
        self.with(py, |inner| {
            Ok(inner.debugged().1.breakpoints.remove(number))
        })
    }

    /// Numbers of the breakpoints.
    fn breakpoints(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        self.with(py, |inner| Ok(numbers(inner.debugged().1)))
    }

    /// The machine as bytes.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let state = self.with(py, |inner| Ok(inner.session.save_state()))?;
        Ok(PyBytes::new(py, &state))
    }

    /// Goes back by frames; false if it goes no further.
    fn back(&self, py: Python<'_>, frames: u64) -> PyResult<bool> {
        self.with(py, |inner| {
            if !inner.has_history() {
                return Err(value(
                    "nothing is recorded: the machine was made with history=False",
                ));
            }
            inner.shown = None;
            inner.begin_history();
            Ok(inner.session.back(frames))
        })
    }

    /// The recording, as a file.
    fn recording<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.with(py, |inner| {
            inner.begin_history();
            let recording = inner.session.recording().ok_or_else(|| {
                value("nothing is recorded: the machine was made with history=False")
            })?;
            recording.to_bytes().map_err(value)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Why a pixel is as it is.
    fn why<'py>(&self, py: Python<'py>, x: usize, y: usize) -> PyResult<Bound<'py, PyDict>> {
        if x >= Frame::WIDTH || y >= Frame::HEIGHT {
            return Err(PyIndexError::new_err(
                "a picture has columns 0 to 375 and rows 0 to 239",
            ));
        }
        let (why, cause, name) = self.with(py, |inner| {
            let missing = || {
                value("the last frame is not recorded: run a frame of a machine with history=True")
            };
            let (session, debugger) = inner.debugged();
            let track = session.track();
            if track.timeline().is_off() {
                return Err(missing());
            }
            let cause = debugger.cause_of_row(track, x, y);
            let cause = cause.ok_or_else(missing)?;
            let why = cause.why(x, y).ok_or_else(missing)?;
            // The names that the explanation can need, outside of the lock.
            let symbols = debugger.symbols.clone();
            Ok((why, cause, symbols))
        })?;
        let name = |address: u16| {
            let near = name.nearest_of_program(address, 255);
            let exact = name.name(address).map(str::to_owned);
            exact.or_else(|| near.map(|(name, distance)| format!("{name}+{distance}")))
        };
        Explained {
            why: &why,
            cause: &cause,
            name: &name,
        }
        .dict(py)
    }

    /// The faults that were found in the last frame's interrupts: the interrupt, and a sentence.
    fn lint(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        self.with(py, |inner| {
            let (session, debugger) = inner.debugged();
            let track = session.track();
            let missing =
                "the last frame is not recorded: run a frame of a machine with history=True";
            if track.timeline().is_off() {
                return Err(value(missing));
            }
            let timeline = debugger.dli_timeline(track).ok_or_else(|| value(missing))?;
            let name = |address| debugger.place_name(address);
            let findings = timeline.findings.iter();
            let told =
                findings.map(|finding| (finding.about.to_string(), timeline.text(finding, &name)));
            Ok(told.collect())
        })
    }

    /// Names of addresses: of the program, then of the system.
    fn symbols(&self, py: Python<'_>) -> PyResult<(Names, Names)> {
        self.with(py, |inner| {
            let symbols = &inner.debugged().1.symbols;
            let list = |(address, name): (u16, &str)| (name.to_owned(), address);
            Ok((
                symbols.program().map(list).collect(),
                symbols.system().map(list).collect(),
            ))
        })
    }

    /// Reads labels from a text; how many there are.
    fn add_symbols(&self, py: Python<'_>, text: &str) -> PyResult<usize> {
        self.with(py, |inner| inner.symbols().add_file(text).map_err(value))
    }

    fn drawing(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |inner| Ok(inner.drawing))
    }

    /// Draws frames from the next one on, or does not.
    fn set_drawing(&self, py: Python<'_>, drawing: bool) -> PyResult<()> {
        self.with(py, |inner| {
            inner.drawing = drawing;
            Ok(())
        })
    }

    /// The samples since the last call, left and right.
    fn audio<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let samples = self.with(py, |inner| {
            let sound = inner.desk.sound.as_mut();
            let sound = sound.ok_or_else(|| {
                value("no sound is made: say sound=44100 when the machine is made")
            })?;
            Ok(std::mem::take(&mut sound.samples).into_flattened())
        })?;
        let count = samples.len() / 2;
        PyArray1::from_vec(py, samples).reshape([count, 2])
    }

    fn sound_rate(&self, py: Python<'_>) -> PyResult<f64> {
        self.with(py, |inner| {
            Ok(inner.desk.sound.as_ref().map_or(0.0, |sound| sound.rate))
        })
    }

    /// The text printed since the last call.
    fn printed(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |inner| {
            inner.session.flush();
            inner.desk.serve(&mut inner.session);
            Ok(inner.desk.printed.drain(..).collect())
        })
    }

    /// Sentences for the user since the last call.
    fn notices(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, |inner| Ok(std::mem::take(&mut inner.desk.notices)))
    }

    /// Puts a disk into a drive from 0; `None` takes it out.
    fn set_disk(
        &self,
        py: Python<'_>,
        drive: usize,
        disk: Option<(String, Vec<u8>)>,
    ) -> PyResult<()> {
        self.with(py, |inner| {
            if drive >= session::DRIVES {
                return Err(PyIndexError::new_err("drives are 1 to 8"));
            }
            let Some((name, bytes)) = disk else {
                inner.session.eject_disk(drive);
                return Ok(());
            };
            let disk = Disk::parse(&bytes).map_err(|error| value(format!("{name}: {error}")))?;
            inner.session.insert_copy(drive, disk, name, None);
            Ok(())
        })
    }

    /// The disk in a drive from 0 as an ATR file.
    fn disk<'py>(&self, py: Python<'py>, drive: usize) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let bytes = self.with(py, |inner| {
            if drive >= session::DRIVES {
                return Err(PyIndexError::new_err("drives are 1 to 8"));
            }
            Ok(inner.session.bytes_at(session::Place::Drive(drive)))
        })?;
        Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
    }

    fn frames(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |inner| Ok(inner.session.frames()))
    }

    fn title(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |inner| Ok(inner.session.title().to_owned()))
    }

    /// Frames a second.
    fn frame_rate(&self, py: Python<'_>) -> PyResult<f64> {
        self.with(py, |inner| {
            Ok(inner.session.machine().config().tv.frame_rate())
        })
    }

    /// PC, A, X, Y, S, P.
    fn registers(&self, py: Python<'_>) -> PyResult<(u16, u8, u8, u8, u8, u8)> {
        self.with(py, |inner| {
            let cpu = debugger::view::Cpu::of(inner.session.machine());
            Ok((cpu.pc, cpu.a, cpu.x, cpu.y, cpu.s, cpu.p))
        })
    }

    /// The machine's clock: cycles since power-on.
    fn cycles(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |inner| Ok(inner.session.machine().now()))
    }
}

fn numbers(debugger: &Debugger) -> Vec<u32> {
    let list = debugger.breakpoints.list().iter();
    list.map(|breakpoint| breakpoint.id).collect()
}
