//! Devices that point: light pen and light gun, which ANTIC sees, and mice, which turn the lines of a controller port (AHRM 7.3 to 7.5).
//!
//! Nothing here runs by itself. Where the beam has passed the pen, and how far a mouse has come, follow from the clock when a register is read.
use crate::config::Model;
use crate::{Bus, Input};
use antic_gtia::antic::FIRST_LINE;
use antic_gtia::{CYCLES, FIRST_VISIBLE};
use serde::{Deserialize, Serialize};

/// Colour clocks by which PENH is ahead of the position that GTIA counts: a CX75 on an 800XL reports $96 to $9C for $80.
const PEN_DELAY: u64 = 0x19;
/// Cycles for which a pen holds the trigger line low after it has seen the beam.
const PULSE: u64 = 16;
/// Shortest time between two steps of a mouse in cycles, eight lines: programs that poll it 2,000 times a second miss none.
const STEP: u64 = 8 * CYCLES as u64;
/// Steps of a mouse that may still be to do; of more, multiples of four are dropped.
const MOST_STEPS: i32 = 256;

/// A device that points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PointerKind {
    /// None is plugged in.
    #[default]
    None,
    /// Light pen (CX75): its switch pulls the line for up low.
    LightPen,
    /// Light gun (XG-1): its trigger opens the line for up, which is low at rest.
    LightGun,
    /// Mouse of the Atari ST.
    StMouse,
    /// Mouse of the Amiga.
    AmigaMouse,
    /// Trak-ball (CX80, and CX22 in its own mode).
    TrakBall,
}

/// The pointing device, its port, and where it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pointer {
    /// The device.
    pub kind: PointerKind,
    /// Its controller port, 0 to 3. On a 400 only port 3 reaches ANTIC's light pen input.
    pub port: u8,
    /// A pen: the colour clock at which it points, 0 to 227, as GTIA's positions count. A mouse or trak-ball: steps to the right in all; it wraps.
    pub x: i16,
    /// A pen: the scan line at which it points; outside of the frame it sees no light. A mouse or trak-ball: steps down in all; it wraps.
    pub y: i16,
    /// The pen's tip, the gun's trigger, the mouse's left button or one of the trak-ball's is pressed.
    pub button: bool,
}

impl Pointer {
    /// True for devices that see the beam.
    #[must_use]
    pub fn is_pen(self) -> bool {
        matches!(self.kind, PointerKind::LightPen | PointerKind::LightGun)
    }

    /// True for devices that count steps: mice and trak-balls.
    #[must_use]
    pub fn is_mouse(self) -> bool {
        use PointerKind::{AmigaMouse, StMouse, TrakBall};
        matches!(self.kind, StMouse | AmigaMouse | TrakBall)
    }

    /// A pen or gun that points at this colour clock and scan line, in its port.
    #[must_use]
    pub fn at(self, x: i16, y: i16) -> Self {
        Self { x, y, ..self }
    }

    /// A pen or gun that points at this pixel and line of a frame's picture, in its port.
    #[must_use]
    pub fn at_pixel(self, pixel: usize, line: usize) -> Self {
        let (clock, line) = (FIRST_VISIBLE + pixel / 2, usize::from(FIRST_LINE) + line);
        self.at(clock as i16, line as i16)
    }

    /// A mouse that is moved by this many steps to the right and down.
    #[must_use]
    pub fn moved(self, right: i16, down: i16) -> Self {
        self.at(self.x.wrapping_add(right), self.y.wrapping_add(down))
    }

    /// A pen that sees no light.
    #[must_use]
    pub fn away(self) -> Self {
        self.at(-1, -1)
    }

    /// The four lines of its port as in PORTA, of a mouse that has come from `from` to `at`; 0 = low.
    fn lines(self, from: [i16; 2], at: [i16; 2]) -> u8 {
        /// The line that changes first on the way to the right or down in bit 0, the other in bit 1, by the step.
        const QUADRATURE: [u8; 4] = [0b00, 0b01, 0b11, 0b10];
        let [x, y] = at.map(|step| QUADRATURE[usize::from(step as u16 & 3)]);
        match self.kind {
            PointerKind::None => 0x0F,
            PointerKind::LightPen => 0x0F ^ u8::from(self.button),
            PointerKind::LightGun => 0x0E | u8::from(self.button),
            // YB, YA, XA, XB. To the right XA is first and down YB, as the driver of cc65 has it (`atrst`); AHRM 7.3 has YA first.
            PointerKind::StMouse => (y & 1) << 3 | y >> 1 << 2 | (x & 1) << 1 | x >> 1,
            // XB, YB, XA, YA.
            PointerKind::AmigaMouse => x >> 1 << 3 | y >> 1 << 2 | (x & 1) << 1 | y & 1,
            // A line that changes with each step down, low on the way up; the same for the right and left (the driver `atrtrk` of cc65).
            PointerKind::TrakBall => {
                let axis = |axis: usize, target: i16| {
                    let back = target.wrapping_sub(from[axis]) < 0;
                    (at[axis] as u8 & 1) << 1 | u8::from(!back)
                };
                axis(1, self.y) << 2 | axis(0, self.x)
            }
        }
    }
}

/// The part of the machine that knows the pointing device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pointing {
    /// PENH and PENV as they were latched last.
    pen: [u8; 2],
    /// Steps to the right and down that a mouse had made in cycle `from`.
    at: [i16; 2],
    from: u64,
    /// While a pen is plugged in: the beam's passes before this cycle are in `pen`. Between two runs it is the present cycle.
    #[serde(skip)]
    settled: u64,
}

impl Default for Pointing {
    fn default() -> Self {
        Self {
            pen: [0x00, 0xFF],
            at: [0; 2],
            from: 0,
            settled: 0,
        }
    }
}

impl Pointing {
    /// True if a state without it is the same state.
    pub(crate) fn is_new(&self) -> bool {
        let settled = self.settled;
        *self
            == Self {
                settled,
                ..Self::default()
            }
    }

    /// True if it can be so at `now`: for one that was read from a file.
    pub(crate) fn is_valid(&self, now: u64) -> bool {
        self.from <= now
    }

    /// Steps that a mouse has made at `now`, on its way to `pointer`. They are spread evenly over a frame of `frame` cycles, or as close as steps may
    /// follow each other.
    fn steps(&self, pointer: Pointer, frame: u64, now: u64) -> [i16; 2] {
        let elapsed = now.saturating_sub(self.from);
        let target = [pointer.x, pointer.y];
        core::array::from_fn(|axis| {
            let way = target[axis].wrapping_sub(self.at[axis]);
            let length = u64::from(way.unsigned_abs());
            let time = frame.max(length * STEP);
            let done = (elapsed.saturating_mul(length) / time).min(length) as i16;
            self.at[axis].wrapping_add(done.wrapping_mul(way.signum()))
        })
    }

    /// A mouse begins its way to `pointer`.
    fn set_out(&mut self, pointer: Pointer, now: u64) {
        for (at, target) in self.at.iter_mut().zip([pointer.x, pointer.y]) {
            let way = i32::from(target.wrapping_sub(*at));
            let dropped = (way.abs() - MOST_STEPS).max(0) / 4 * 4;
            *at = at.wrapping_add((dropped * way.signum()) as i16);
        }
        self.from = now;
    }
}

impl Bus {
    /// Cycles of a frame.
    fn frame_cycles(&self) -> u64 {
        u64::from(self.video.antic.lines()) * CYCLES as u64
    }

    /// The pen, if its light reaches ANTIC: its port exists and is wired, and it points at the frame.
    fn pen(&self) -> Option<Pointer> {
        let pointer = self.input.pointer;
        let seen = pointer.is_pen()
            && reaches_antic(self.model, pointer.port.into())
            && (0..2 * CYCLES as i16).contains(&pointer.x)
            && (0..self.video.antic.lines() as i16).contains(&pointer.y);
        seen.then_some(pointer)
    }

    /// The cycle of a frame in which ANTIC hears of the beam at the pen.
    fn pen_cycle(&self, pen: Pointer) -> u64 {
        let clock = u64::from(pen.x as u16) + PEN_DELAY;
        (u64::from(pen.y as u16) * CYCLES as u64 + clock / 2) % self.frame_cycles()
    }

    /// The last cycle before this one in which the beam passed the pen.
    fn last_pass(&self) -> Option<u64> {
        let pen = self.pen()?;
        let before = u64::from(self.video.antic.line()) * CYCLES as u64;
        let start = self.video.line_start.saturating_sub(before);
        let pass = start + self.pen_cycle(pen);
        if pass < self.now() {
            Some(pass)
        } else {
            pass.checked_sub(self.frame_cycles())
        }
    }

    /// True if the beam has passed the pen since the last settlement.
    fn has_passed(&self) -> bool {
        self.last_pass()
            .is_some_and(|pass| pass >= self.pointing.settled)
    }

    /// The counters of the beam in a cycle of the frame, as the light pen registers latch them.
    fn counters(&self, cycle: u64, clock: u8) -> [u8; 2] {
        let (line, cycle) = (cycle / CYCLES as u64, cycle % CYCLES as u64);
        let next = u64::from(cycle >= antic_gtia::antic::beam::VCOUNT as u64);
        let line = (line + next) % u64::from(self.video.antic.lines());
        [2 * cycle as u8 + clock, (line >> 1) as u8]
    }

    /// PENH and PENV.
    pub(crate) fn pen_registers(&self) -> [u8; 2] {
        match self.pen() {
            // A line that something else holds low has no edge.
            Some(pen) if self.has_passed() && !self.holds_pen_line(&self.input) => {
                let clock = (u64::from(pen.x as u16) + PEN_DELAY) & 1;
                self.counters(self.pen_cycle(pen), clock as u8)
            }
            _ => self.pointing.pen,
        }
    }

    /// True if a joystick's trigger holds the light pen line low.
    fn holds_pen_line(&self, input: &Input) -> bool {
        (0..4).any(|port| reaches_antic(self.model, port) && input.joysticks[port].trigger)
    }

    /// True if the pointing device pulls a trigger line low: a button of a mouse, or light.
    pub(crate) fn pointer_pulls(&self, number: usize) -> bool {
        let pointer = self.input.pointer;
        if usize::from(pointer.port) != number {
            return false;
        }
        if pointer.is_mouse() {
            return pointer.button;
        }
        self.last_pass()
            .is_some_and(|pass| self.now() - pass <= PULSE)
    }

    /// True if light has pulled a trigger line low since the last settlement: GTIA may have latched it.
    pub(crate) fn pen_pulled(&self, number: usize) -> bool {
        self.input.pointer.is_pen()
            && usize::from(self.input.pointer.port) == number
            && self.has_passed()
    }

    /// Takes what the pen has seen into the registers: to be called before anything changes that decides about it, and after a run.
    pub(crate) fn settle_pen(&mut self) {
        if !self.input.pointer.is_pen() {
            return;
        }
        if self.has_passed() {
            self.pointing.pen = self.pen_registers();
            let port = usize::from(self.input.pointer.port);
            self.video.gtia.trigger(port, 0);
        }
        self.pointing.settled = self.now();
    }

    /// The pointing device is another, or elsewhere: to be called before the controls are `next`.
    pub(crate) fn point(&mut self, next: &Input) {
        self.settle_pen();
        let (old, new) = (self.input.pointer, next.pointer);
        let now = self.now();
        if new.is_pen() {
            self.pointing.settled = now;
            if !self.holds_pen_line(&self.input) && self.holds_pen_line(next) {
                let beam = self.beam();
                let cycle = u64::from(beam.line) * CYCLES as u64 + u64::from(beam.cycle);
                self.pointing.pen = self.counters(cycle % self.frame_cycles(), 0);
            }
        } else {
            self.pointing.settled = 0;
        }
        if !new.is_mouse() || (old.x, old.y, old.kind) == (new.x, new.y, new.kind) {
            return;
        }
        self.pointing.at = if old.is_mouse() {
            self.pointing.steps(old, self.frame_cycles(), now)
        } else {
            [new.x, new.y]
        };
        self.pointing.set_out(new, now);
    }

    /// The levels that the pointing device puts on PORTA (0) or PORTB (1).
    pub(crate) fn pointer_pins(&self, port: usize) -> u8 {
        let pointer = self.input.pointer;
        if pointer.kind == PointerKind::None || usize::from(pointer.port) / 2 != port {
            return 0xFF;
        }
        let steps = self
            .pointing
            .steps(pointer, self.frame_cycles(), self.now());
        let lines = pointer.lines(self.pointing.at, steps);
        match pointer.port & 1 {
            0 => 0xF0 | lines,
            _ => lines << 4 | 0x0F,
        }
    }

    /// The state as it is loaded, between two runs.
    pub(crate) fn load_pointing(&mut self, pointing: Option<Pointing>) {
        let settled = if self.input.pointer.is_pen() {
            self.now()
        } else {
            0
        };
        self.pointing = Pointing {
            settled,
            ..pointing.unwrap_or_default()
        };
    }
}

/// True if the trigger line of a port is ANTIC's light pen line, too.
fn reaches_antic(model: Model, port: usize) -> bool {
    match model {
        Model::Atari400 => port == 3,
        Model::Atari800 => port < 4,
        _ => port < 2,
    }
}
