//! The debug view: a second window with the chips, the code, the display list, and the picture as far as the beam has drawn it.
use super::canvas::{Canvas, mix};
use super::keyboard::{Event, Events};
use debugger::{Debugger, Step, Stop, view};
use machine::Machine;
use minifb::{Key, Scale, ScaleMode, Window, WindowOptions};
use std::collections::BTreeSet;

/// Size of the view.
pub const WIDTH: usize = 1240;
/// See [`WIDTH`].
pub const HEIGHT: usize = 830;

const BACK: u32 = 0x10_141C;
const TEXT: u32 = 0xC8_D0D8;
const DIM: u32 = 0x70_7C88;
const TITLE: u32 = 0xF0_C040;
const HERE: u32 = 0x28_4A28;
const BREAK: u32 = 0xF0_6050;
const BEAM: u32 = 0xFF_FF40;

/// Pixels from one line of text to the next.
const LINE: usize = 11;
/// Upper left corner of the picture.
const PICTURE: (usize, usize) = (12, 28);
/// Left edge of the column of chips.
const CHIPS: usize = 784;
/// Upper edge of code and display list.
const LISTS: usize = 532;
/// Left edge of the display list.
const DISPLAY_LIST: usize = 444;

/// What a key of the debug view asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Run on.
    Run,
    /// Run backwards to the last breakpoint.
    RunBack,
    /// Stop here.
    Break,
    /// Set or clear a breakpoint at the program counter.
    Breakpoint,
    /// Go forwards.
    Step(Step),
    /// Go backwards.
    Back(Step),
    /// Close the view and run on.
    Close,
}

/// The keys of the view.
pub const KEYS: &[(&str, &str)] = &[
    ("F5", "run"),
    ("F8", "break"),
    ("F9", "breakpoint here: set, remove"),
    ("F10", "over"),
    ("F11, I", "into: one instruction"),
    ("Shift+F11", "out"),
    ("C L F", "one cycle, scan line, frame"),
    ("D", "to the next display list interrupt"),
    ("R", "to its routine (VDSLST)"),
    ("V", "to the next vertical blank interrupt"),
    ("Alt+...", "any of these backwards"),
    ("Esc", "close the view"),
];

/// The command of a key.
pub fn command(key: Key, shift: bool, alt: bool) -> Option<Command> {
    let step = match key {
        Key::F5 => return Some(if alt { Command::RunBack } else { Command::Run }),
        Key::F8 => return Some(Command::Break),
        Key::F9 => return Some(Command::Breakpoint),
        Key::Escape => return Some(Command::Close),
        Key::F10 => Step::Over,
        Key::F11 if shift => Step::Out,
        Key::F11 | Key::I => Step::Instruction,
        Key::C => Step::Cycle,
        Key::L => Step::Line,
        Key::F => Step::Frame,
        Key::D => Step::Dli,
        Key::R => Step::DliRoutine,
        Key::V => Step::Vbi,
        _ => return None,
    };
    Some(if alt {
        Command::Back(step)
    } else {
        Command::Step(step)
    })
}

/// The second window.
#[derive(Debug)]
pub struct DebugView {
    window: Window,
    events: Events,
    down: BTreeSet<Key>,
    canvas: Canvas,
    /// The debugger.
    pub debugger: Debugger,
    /// The last line but one.
    pub status: String,
    drawn: Option<(u64, String)>,
}

impl DebugView {
    /// Opens the window.
    ///
    /// # Errors
    /// Why it does not open.
    pub fn open(machine: &Machine) -> Result<Self, String> {
        let options = WindowOptions {
            resize: true,
            scale: Scale::X1,
            scale_mode: ScaleMode::AspectRatioStretch,
            ..WindowOptions::default()
        };
        let mut window = Window::new("Anticlock: debug view", WIDTH, HEIGHT, options)
            .map_err(|error| error.to_string())?;
        window.set_target_fps(0);
        let events = Events::default();
        window.set_input_callback(Box::new(events.clone()));
        Ok(Self {
            window,
            events,
            down: BTreeSet::new(),
            canvas: Canvas::default(),
            debugger: with_symbols(machine),
            status: String::new(),
            drawn: None,
        })
    }

    /// Whether it has not been closed.
    pub fn is_open(&self) -> bool {
        self.window.is_open()
    }

    /// The commands since the last call.
    pub fn commands(&mut self) -> Vec<Command> {
        let mut commands = Vec::new();
        while let Some(event) = self.events.next() {
            let Event::Key(key, down) = event else {
                continue;
            };
            if !down {
                self.down.remove(&key);
                continue;
            }
            // Repeats of a held key step again.
            self.down.insert(key);
            let held = |keys: [Key; 2]| keys.iter().any(|key| self.down.contains(key));
            let shift = held([Key::LeftShift, Key::RightShift]);
            let alt = held([Key::LeftAlt, Key::RightAlt]);
            commands.extend(command(key, shift, alt));
        }
        commands
    }

    /// Draws the view when something has changed.
    ///
    /// # Errors
    /// When the window cannot be drawn.
    pub fn draw(&mut self, machine: &Machine, palette: &[u32; 256]) -> Result<(), String> {
        let key = (machine.now(), self.status.clone());
        if self.drawn.as_ref() != Some(&key) {
            render(
                &mut self.canvas,
                machine,
                &self.debugger,
                palette,
                &self.status,
            );
            self.drawn = Some(key);
        }
        self.window
            .update_with_buffer(&self.canvas.pixels, WIDTH, HEIGHT)
            .map_err(|error| error.to_string())
    }

    /// Draws again although the machine stands still: a breakpoint has changed.
    pub fn redraw(&mut self) {
        self.drawn = None;
    }
}

/// A debugger that knows the labels of our ROMs, where the machine has them, and of the hardware.
pub fn with_symbols(machine: &Machine) -> Debugger {
    let mut debugger = Debugger::default();
    debugger.symbols.add_hardware();
    let config = machine.config();
    if config.os == roms::OS_XL {
        debugger.symbols.extend(roms::OS_XL_SYMBOLS.iter());
    } else if config.os == roms::OS_800 {
        debugger.symbols.extend(roms::OS_800_SYMBOLS.iter());
    }
    if config.basic.as_deref() == Some(roms::BASIC) {
        debugger.symbols.extend(roms::BASIC_SYMBOLS.iter());
    }
    debugger
}

/// A step as the view says it.
pub fn name(step: Step) -> &'static str {
    match step {
        Step::Cycle => "one cycle",
        Step::Instruction => "one instruction",
        Step::Over => "over the call",
        Step::Out => "out of the routine",
        Step::Line => "one scan line",
        Step::Frame => "one frame",
        Step::Dli => "to the display list interrupt",
        Step::DliRoutine => "to the routine of the display list interrupt",
        Step::Vbi => "to the vertical blank interrupt",
        Step::To(_) => "to the address",
        Step::Beam(..) => "to the beam's place",
    }
}

/// How a step ended, as the view says it.
pub fn outcome(step: Step, stop: Stop) -> String {
    let step = name(step);
    match stop {
        Stop::Done => step.to_owned(),
        Stop::Breakpoint(number) => format!("breakpoint {number}"),
        Stop::Limit => format!("{step}: not within ten seconds of the machine's time"),
        Stop::Jammed => "the processor is jammed".to_owned(),
    }
}

/// Draws the whole view.
pub fn render(
    canvas: &mut Canvas,
    machine: &Machine,
    debugger: &Debugger,
    palette: &[u32; 256],
    status: &str,
) {
    canvas.resize(WIDTH, HEIGHT);
    canvas.fill(0, 0, WIDTH, HEIGHT, BACK);
    picture(canvas, machine, palette);

    let mut y = 12;
    let mut panel = |canvas: &mut Canvas, title: &str, lines: &[String]| {
        canvas.text(CHIPS, y, 1, TITLE, title);
        y += LINE + 2;
        for line in lines {
            canvas.text(CHIPS, y, 1, TEXT, line);
            y += LINE;
        }
        y += 8;
        y
    };
    panel(canvas, "6502", &view::Cpu::of(machine).lines());
    panel(canvas, "ANTIC", &view::Antic::of(machine).lines());
    let gtia = view::Gtia::of(machine);
    let below = panel(canvas, "GTIA", &gtia.lines());
    panel(canvas, "", &[String::new(), String::new()]);
    for (i, (&colour, name)) in gtia
        .colours
        .iter()
        .zip(["P0", "P1", "P2", "P3", "PF0", "PF1", "PF2", "PF3", "BK"])
        .enumerate()
    {
        let x = CHIPS + i * 48;
        canvas.fill(x, below, 40, 20, DIM);
        canvas.fill(x + 1, below + 1, 38, 18, palette[usize::from(colour)]);
        canvas.text(x, below + 24, 1, DIM, name);
    }
    panel(canvas, "POKEY", &view::Pokey::of(machine).lines());
    panel(canvas, "PIA", &view::Pia::of(machine).lines());
    canvas.text(CHIPS, LISTS, 1, TITLE, "Keys");
    for (i, (keys, what)) in KEYS.iter().enumerate() {
        let y = LISTS + LINE + 4 + i * (LINE + 3);
        canvas.text(CHIPS, y, 1, TEXT, keys);
        canvas.text(CHIPS + 11 * 8, y, 1, DIM, what);
    }

    let rows = (HEIGHT - LISTS - 2 * LINE - 16) / LINE;
    canvas.text(PICTURE.0, LISTS, 1, TITLE, "Code");
    let code = view::code_around(
        machine,
        &debugger.symbols,
        &debugger.breakpoints,
        rows / 3,
        rows - rows / 3,
    );
    for (i, line) in code.iter().take(rows).enumerate() {
        let y = LISTS + LINE + 4 + i * LINE;
        if line.current {
            canvas.fill(
                PICTURE.0 - 4,
                y - 1,
                DISPLAY_LIST - PICTURE.0 - 4,
                LINE,
                HERE,
            );
        }
        let colour = if line.breakpoint { BREAK } else { TEXT };
        let mut text = line.line();
        text.truncate((DISPLAY_LIST - PICTURE.0 - 8) / 8);
        canvas.text(PICTURE.0, y, 1, colour, &text);
    }
    canvas.text(DISPLAY_LIST, LISTS, 1, TITLE, "Display list");
    let list = view::DisplayList::of(machine);
    let first = list.current().unwrap_or(0).saturating_sub(rows / 3);
    for (i, entry) in list.entries.iter().skip(first).take(rows).enumerate() {
        let y = LISTS + LINE + 4 + i * LINE;
        if entry.current {
            canvas.fill(
                DISPLAY_LIST - 4,
                y - 1,
                CHIPS - DISPLAY_LIST - 12,
                LINE,
                HERE,
            );
        }
        canvas.text(DISPLAY_LIST, y, 1, TEXT, &entry.line());
    }
    canvas.text(PICTURE.0, HEIGHT - LINE - 6, 1, TITLE, status);
}

/// The picture twice as large: bright what this frame has drawn, dim what is left of the frame before; the beam as a cross.
fn picture(canvas: &mut Canvas, machine: &Machine, palette: &[u32; 256]) {
    let picture = view::Picture::of(machine);
    let (left, top) = PICTURE;
    let width = view::Picture::WIDTH;
    let beam = machine.beam();
    let text = format!("Picture: beam at line {}, cycle {}", beam.line, beam.cycle);
    canvas.text(left, 12, 1, TITLE, &text);
    for (row, line) in picture.pixels.chunks_exact(width).enumerate() {
        let drawn = match row.cmp(&picture.rows) {
            std::cmp::Ordering::Less => width,
            std::cmp::Ordering::Equal => picture.columns,
            std::cmp::Ordering::Greater => 0,
        };
        for (column, &index) in line.iter().enumerate() {
            let colour = palette[usize::from(index)];
            let colour = if column < drawn {
                colour
            } else {
                mix(colour, BACK, 176)
            };
            canvas.fill(left + column * 2, top + row * 2, 2, 2, colour);
        }
    }
    if let Some((column, row)) = picture.beam {
        let y = top + row * 2;
        let x = (left as i32 + column * 2).clamp(left as i32 - 6, (left + 2 * width) as i32 + 4)
            as usize;
        canvas.fill(left.saturating_sub(10), y, 6, 2, BEAM);
        canvas.fill(left + 2 * width + 4, y, 6, 2, BEAM);
        canvas.fill(x, top - 6, 2, 5, BEAM);
        canvas.fill(x.saturating_sub(6), y, 14, 2, BEAM);
        canvas.fill(x, y.saturating_sub(6), 2, 14, BEAM);
    }
}
