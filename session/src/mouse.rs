//! Pointing devices by their names, and the host's mouse as a controller: a pair of paddles, a light pen or gun, a mouse of the time, a trak-ball.
use machine::{Input, Model, Pointer, PointerKind};
use serde::{Deserialize, Serialize};

/// A paddle turned to its left end.
const LEFT: f32 = 228.0;
/// A paddle turned to its right end.
const RIGHT: f32 = 1.0;
/// Part of the picture at each of its edges in which a paddle is at its end: a host's last pixel begins before the edge.
const END: f32 = 0.004;

/// Role of the host's mouse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MouseRole {
    /// None: it is the host's.
    #[default]
    Off,
    /// Paddles 0 and 1.
    Paddles,
    /// A light pen.
    LightPen,
    /// A light gun.
    LightGun,
    /// The mouse of an Atari ST.
    StMouse,
    /// The mouse of an Amiga.
    AmigaMouse,
    /// A trak-ball.
    TrakBall,
}

impl MouseRole {
    /// All, in the order in which a key goes through them.
    pub const ALL: [Self; 7] = [
        Self::Off,
        Self::Paddles,
        Self::LightPen,
        Self::LightGun,
        Self::StMouse,
        Self::AmigaMouse,
        Self::TrakBall,
    ];

    /// The one after this; after the last the first.
    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|role| *role == self);
        Self::ALL[(at.unwrap_or(0) + 1) % Self::ALL.len()]
    }

    /// Its name in options, links, settings and scripts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Paddles => "paddles",
            Self::LightPen => "light-pen",
            Self::LightGun => "light-gun",
            Self::StMouse => "st-mouse",
            Self::AmigaMouse => "amiga-mouse",
            Self::TrakBall => "trak-ball",
        }
    }

    /// The role with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    /// The role in a few words, after "the mouse".
    pub fn about(self) -> &'static str {
        match self {
            Self::Off => "is no controller",
            Self::Paddles => "turns paddles 0 and 1",
            Self::LightPen => "is a light pen",
            Self::LightGun => "is a light gun",
            Self::StMouse => "is an Atari ST's mouse",
            Self::AmigaMouse => "is an Amiga's mouse",
            Self::TrakBall => "is a trak-ball",
        }
    }

    /// The pointing device that it is.
    pub fn device(self) -> PointerKind {
        match self {
            Self::Off | Self::Paddles => PointerKind::None,
            Self::LightPen => PointerKind::LightPen,
            Self::LightGun => PointerKind::LightGun,
            Self::StMouse => PointerKind::StMouse,
            Self::AmigaMouse => PointerKind::AmigaMouse,
            Self::TrakBall => PointerKind::TrakBall,
        }
    }
}

/// The names of all pointing devices.
pub fn devices() -> impl Iterator<Item = &'static str> {
    let all = MouseRole::ALL.into_iter();
    all.filter(|role| role.device() != PointerKind::None)
        .map(MouseRole::name)
}

/// The pointing device with this name; `off` means that nothing is plugged in.
///
/// # Errors
/// One sentence that names them all.
pub fn device(name: &str) -> Result<PointerKind, String> {
    let role = MouseRole::from_name(name).filter(|role| *role != MouseRole::Paddles);
    role.map(MouseRole::device).ok_or_else(|| {
        let all = MouseRole::ALL
            .into_iter()
            .filter(|role| *role != MouseRole::Paddles);
        let names: Vec<_> = all.map(MouseRole::name).collect();
        let shown: String = name.chars().take(40).collect();
        format!(
            "there is no pointing device {shown:?}; there are {}",
            names.join(", ")
        )
    })
}

/// A device in the port in which a model has its light pen and mouse: a pen that sees no light, a mouse that has made no step.
pub fn plugged(kind: PointerKind, model: Model) -> Pointer {
    let pointer = Pointer {
        kind,
        ..Pointer::default()
    };
    if !pointer.is_pen() {
        return pointer;
    }
    let port = if model == Model::Atari400 { 3 } else { 0 };
    Pointer { port, ..pointer }.away()
}

/// Plugs in a device, unless it is there already.
pub fn plug(input: &mut Input, kind: PointerKind, model: Model) {
    if input.pointer.kind != kind {
        input.pointer = plugged(kind, model);
    }
}

/// Points a light pen or gun at a pixel and line of the picture.
///
/// # Errors
/// One sentence: the device is not a pen or gun, or the picture has no such pixel.
pub fn point(input: &mut Input, pixel: usize, line: usize) -> Result<(), String> {
    let (width, height) = (machine::Frame::WIDTH, machine::Frame::HEIGHT);
    if !input.pointer.is_pen() {
        return Err(
            "only a light pen or light gun points at a place; plug one in first".to_owned(),
        );
    }
    if pixel >= width || line >= height {
        return Err(format!(
            "the picture has pixels 0 to {} and lines 0 to {}",
            width - 1,
            height - 1
        ));
    }
    input.pointer = input.pointer.at_pixel(pixel, line);
    Ok(())
}

/// Points a light pen or gun at nothing.
///
/// # Errors
/// One sentence: the device is not a pen or gun.
pub fn point_away(input: &mut Input) -> Result<(), String> {
    if !input.pointer.is_pen() {
        return Err("only a light pen or light gun points away".to_owned());
    }
    input.pointer = input.pointer.away();
    Ok(())
}

/// Moves a mouse or trak-ball by steps to the right and down.
///
/// # Errors
/// One sentence: the device is neither.
pub fn move_by(input: &mut Input, right: i16, down: i16) -> Result<(), String> {
    if !input.pointer.is_mouse() {
        return Err("only a mouse or trak-ball is moved by steps; plug one in first".to_owned());
    }
    input.pointer = input.pointer.moved(right, down);
    Ok(())
}

/// Presses or releases the button of the pointing device.
///
/// # Errors
/// One sentence: no device is plugged in.
pub fn button(input: &mut Input, pressed: bool) -> Result<(), String> {
    if input.pointer.kind == PointerKind::None {
        return Err("no pointing device is plugged in".to_owned());
    }
    input.pointer.button = pressed;
    Ok(())
}

/// The part of the machine's picture that a host shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// Its first pixel and line.
    pub at: (usize, usize),
    /// Its pixels across and its lines.
    pub size: (usize, usize),
    /// Its width on the host's screen for a height of 1.
    pub aspect: f32,
}

impl Shown {
    /// Pixel and line of the machine's picture at a place, in parts of what is shown; `None` beside it.
    fn pixel(self, (x, y): (f32, f32)) -> Option<(usize, usize)> {
        let inside = |part: f32, from: usize, size: usize| {
            let at = from + (part * size as f32) as usize;
            (0.0..1.0).contains(&part).then_some(at)
        };
        Some((
            inside(x, self.at.0, self.size.0)?,
            inside(y, self.at.1, self.size.1)?,
        ))
    }
}

/// The host's mouse in its role.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mouse {
    role: MouseRole,
    pointer: Pointer,
    /// Its place in the frame before.
    last: Option<(f32, f32)>,
    /// Parts of a step to the right and down that are still to come.
    rest: (f32, f32),
}

impl Mouse {
    /// A mouse in a role, which is nowhere.
    pub fn new(role: MouseRole) -> Self {
        Self {
            role,
            ..Self::default()
        }
    }

    /// The mouse as the pointing device that is plugged in, which stays where it is; off without a device.
    pub fn of(pointer: Pointer) -> Self {
        // Off has no device, and comes before paddles.
        let mut all = MouseRole::ALL.into_iter();
        let role = all.find(|role| role.device() == pointer.kind);
        Self {
            pointer,
            ..Self::new(role.unwrap_or_default())
        }
    }

    /// Its role.
    pub fn role(&self) -> MouseRole {
        self.role
    }

    /// Unplugs what it was; it begins again with the next frame.
    pub fn let_go(&mut self) {
        *self = Self::new(self.role);
    }

    /// It is lifted from its desk: wherever it is next, that is no move.
    pub fn lift(&mut self) {
        self.last = None;
    }

    /// Sets the controls of the next frame: paddles 0 and 1, and the pointing device. `at` is the mouse's place in parts of what is shown, 0 to 1 to the
    /// right and down and more or less beside it; `None` where it is not known. Buttons: the left and the right one. A mouse makes a step for each
    /// scan line's height that the host's moves in any direction.
    pub fn frame(
        &mut self,
        input: &mut Input,
        model: Model,
        shown: Shown,
        at: Option<(f32, f32)>,
        buttons: [bool; 2],
    ) {
        let free = Input::default();
        input.paddles[..2].copy_from_slice(&free.paddles[..2]);
        input.paddle_triggers[..2].copy_from_slice(&free.paddle_triggers[..2]);
        if let (MouseRole::Paddles, Some((x, y))) = (self.role, at) {
            input.paddles[..2].copy_from_slice(&[turned(x), turned(y)]);
            input.paddle_triggers[..2].copy_from_slice(&buttons);
        }
        let kind = self.role.device();
        let fresh = plugged(kind, model);
        let device = if self.pointer.kind == kind {
            let port = fresh.port;
            Pointer {
                port,
                ..self.pointer
            }
        } else {
            fresh
        };
        self.pointer = if device.is_pen() {
            at.and_then(|at| shown.pixel(at))
                .map_or(device.away(), |(x, y)| device.at_pixel(x, y))
        } else if device.is_mouse() {
            let (right, down) = self.steps(shown, at);
            device.moved(right, down)
        } else {
            device
        };
        self.pointer.button = device.kind != PointerKind::None && buttons[0];
        self.last = at;
        input.pointer = self.pointer;
    }

    /// Whole steps since the frame before.
    fn steps(&mut self, shown: Shown, at: Option<(f32, f32)>) -> (i16, i16) {
        let (Some(at), Some(last)) = (at, self.last) else {
            return (0, 0);
        };
        let lines = shown.size.1 as f32;
        let whole = |way: f32, rest: &mut f32| {
            let way = *rest + way;
            *rest = way.fract();
            way as i16
        };
        let right = whole((at.0 - last.0) * lines * shown.aspect, &mut self.rest.0);
        let down = whole((at.1 - last.1) * lines, &mut self.rest.1);
        (right, down)
    }
}

/// A paddle's position at a part of the way from the left end to the right one.
fn turned(part: f32) -> u8 {
    let part = ((part - END) / (1.0 - 2.0 * END)).clamp(0.0, 1.0);
    (LEFT + (RIGHT - LEFT) * part).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture's usual playfield, twice as large.
    const SHOWN: Shown = Shown {
        at: (28, 24),
        size: (320, 192),
        aspect: 640.0 / 384.0,
    };

    /// A place in pixels of the host.
    fn at(x: f32, y: f32) -> (f32, f32) {
        (x / 640.0, y / 384.0)
    }

    fn frame(mouse: &mut Mouse, at: Option<(f32, f32)>, buttons: [bool; 2]) -> Input {
        let mut input = Input::default();
        mouse.frame(&mut input, Model::Xl800, SHOWN, at, buttons);
        input
    }

    #[test]
    fn a_pen_points_at_the_beam_of_its_pixel() {
        let mut mouse = Mouse::new(MouseRole::LightPen);
        let mut at = |x, y| frame(&mut mouse, Some(at(x, y)), [true, false]).pointer;
        let pen = at(0.0, 0.0);
        assert!(pen.is_pen() && pen.button && pen.port == 0);
        assert_eq!((pen.x, pen.y), (48, 32));
        let last = at(639.0, 383.0);
        assert_eq!((last.x, last.y), (207, 223));
        assert_eq!(at(320.0, 192.0).x, 128);
        for (x, y) in [(-1.0, 100.0), (640.0, 100.0), (100.0, -1.0), (100.0, 384.0)] {
            assert_eq!(at(x, y), pen.away());
        }
        let mut input = Input::default();
        mouse.let_go();
        mouse.frame(&mut input, Model::Atari400, SHOWN, None, [false; 2]);
        assert_eq!(
            input.pointer,
            plugged(PointerKind::LightPen, Model::Atari400)
        );
        assert_eq!((input.pointer.port, input.pointer.x), (3, -1));
    }

    #[test]
    fn a_mouse_makes_a_step_for_each_line_and_loses_none() {
        let mut mouse = Mouse::new(MouseRole::StMouse);
        let mut moved = |x: f32| {
            let pointer = frame(&mut mouse, Some(at(x, 100.0 - x / 4.0)), [false; 2]).pointer;
            (pointer.x, pointer.y)
        };
        assert_eq!(moved(100.0), (0, 0));
        assert_eq!(moved(103.0), (1, 0));
        assert_eq!(moved(106.5), (3, 0));
        assert_eq!(moved(300.5), (100, -25));
        assert_eq!(moved(99.5), (0, 0));
        // The mouse leaves the picture and comes back somewhere else.
        let away = frame(&mut mouse, None, [false; 2]).pointer;
        let back = frame(&mut mouse, Some(at(500.0, 9.0)), [true, false]).pointer;
        assert_eq!((away.x, back.x, back.button), (0, 0, true));
    }

    #[test]
    fn the_picture_is_the_whole_turn_of_a_paddle() {
        let mut mouse = Mouse::new(MouseRole::Paddles);
        let mut turned = |x, y| {
            let input = frame(&mut mouse, Some(at(x, y)), [false, true]);
            assert_eq!(input.paddle_triggers[..2], [false, true]);
            assert_eq!(input.pointer, Pointer::default());
            (input.paddles[0], input.paddles[1])
        };
        assert_eq!(turned(0.0, 383.0), (228, 1));
        assert_eq!(turned(639.0, 0.0), (1, 228));
        assert_eq!(turned(-50.0, 9999.0), (228, 1));
        assert_eq!(turned(320.0, 192.0), (115, 115));
        assert_eq!(frame(&mut mouse, None, [true; 2]), Input::default());
    }

    #[test]
    fn a_device_that_is_there_already_stays_where_it_is() {
        let ball = plugged(PointerKind::TrakBall, Model::Xl800).moved(312, -72);
        let mut mouse = Mouse::of(ball);
        assert_eq!(mouse.role(), MouseRole::TrakBall);
        assert_eq!(frame(&mut mouse, None, [false; 2]).pointer, ball);
        assert_eq!(Mouse::of(Pointer::default()).role(), MouseRole::Off);
    }

    #[test]
    fn a_mouse_without_a_role_is_the_hosts() {
        let mut mouse = Mouse::default();
        let input = frame(&mut mouse, Some(at(100.0, 100.0)), [true; 2]);
        assert_eq!(input, Input::default());
    }

    #[test]
    fn devices_have_names_and_are_refused_what_they_cannot_do() {
        for role in MouseRole::ALL {
            assert_eq!(MouseRole::from_name(role.name()), Some(role));
            assert_eq!(role.next() == MouseRole::Off, role == MouseRole::TrakBall);
        }
        assert_eq!(device("off"), Ok(PointerKind::None));
        let all = "off, light-pen, light-gun, st-mouse, amiga-mouse, trak-ball";
        assert!(device("paddles").unwrap_err().ends_with(all));
        let mut input = Input::default();
        assert!(button(&mut input, true).is_err());
        input.pointer = plugged(PointerKind::TrakBall, Model::Xl800);
        assert!(point(&mut input, 1, 1).is_err());
        move_by(&mut input, 3, -4).unwrap();
        button(&mut input, true).unwrap();
        assert_eq!((input.pointer.x, input.pointer.y), (3, -4));
        assert!(input.pointer.button);
        input.pointer = plugged(PointerKind::LightGun, Model::Xl800);
        assert!(move_by(&mut input, 1, 1).is_err());
        assert!(point(&mut input, 376, 0).is_err() && point(&mut input, 0, 240).is_err());
        point(&mut input, 375, 239).unwrap();
        assert_eq!(input.pointer, input.pointer.at_pixel(375, 239));
    }
}
