//! The host's mouse as a controller: a pair of paddles in port 1, a light pen or gun, a mouse of the time.
use host::scaler::Place;
use machine::{Input, Pointer, PointerKind};

/// A paddle turned to its left end.
const LEFT: f32 = 228.0;
/// A paddle turned to its right end.
const RIGHT: f32 = 1.0;

/// Turns the paddles to where the mouse is over the picture at `place`.
pub fn apply(input: &mut Input, place: Place, (x, y): (f32, f32), buttons: [bool; 2]) {
    let part = |at: f32, from: usize, size: usize| {
        ((at - from as f32) / (size.max(2) - 1) as f32).clamp(0.0, 1.0)
    };
    let turned = |part: f32| (LEFT + (RIGHT - LEFT) * part).round() as u8;
    input.paddles[0] = turned(part(x, place.x, place.width));
    input.paddles[1] = turned(part(y, place.y, place.height));
    input.paddle_triggers[..2].copy_from_slice(&buttons);
}

/// Lets go of the paddles.
pub fn release(input: &mut Input) {
    let free = Input::default();
    input.paddles[..2].copy_from_slice(&free.paddles[..2]);
    input.paddle_triggers[..2].copy_from_slice(&free.paddle_triggers[..2]);
}

/// The picture in the window.
#[derive(Clone, Copy)]
pub struct Screen {
    /// Its place in the window.
    pub place: Place,
    /// The part of it that is shown, in pixels and lines.
    pub part: Place,
}

impl Screen {
    /// Pixel and line of the machine's picture at a place in the window; `None` beside it.
    fn pixel(self, (x, y): (f32, f32)) -> Option<(usize, usize)> {
        let inside = |at: f32, from: usize, size: usize| {
            let part = (at - from as f32) / size.max(1) as f32;
            (0.0..1.0).contains(&part).then_some(part)
        };
        let x = inside(x, self.place.x, self.place.width)?;
        let y = inside(y, self.place.y, self.place.height)?;
        let pixel = self.part.x as f32 + x * self.part.width as f32;
        let line = self.part.y as f32 + y * self.part.height as f32;
        Some((pixel as usize, line as usize))
    }

    /// Lines of the picture for each of the window's pixels.
    fn lines(self) -> f32 {
        self.part.height as f32 / self.place.height.max(1) as f32
    }
}

/// The pointing device that the mouse is.
#[derive(Default)]
pub struct Device {
    pointer: Pointer,
    /// The mouse's place in the frame before.
    last: Option<(f32, f32)>,
    /// Parts of a step to the right and down that are still to come.
    rest: (f32, f32),
}

impl Device {
    /// The device during the next frame: a pen or gun in port `pen_port`, a mouse in port 0. A mouse makes a step for each scan line's height that the host's moves in any direction.
    pub fn frame(
        &mut self,
        kind: PointerKind,
        pen_port: u8,
        screen: Screen,
        at: Option<(f32, f32)>,
        button: bool,
    ) -> Pointer {
        if self.pointer.kind != kind {
            *self = Self::default();
        }
        let mut pointer = Pointer {
            kind,
            button,
            ..self.pointer
        };
        pointer.port = if pointer.is_pen() { pen_port } else { 0 };
        self.pointer = if pointer.is_pen() {
            at.and_then(|at| screen.pixel(at))
                .map_or(pointer.away(), |(x, y)| pointer.at_pixel(x, y))
        } else if pointer.is_mouse() {
            let (right, down) = self.steps(screen, at);
            pointer.moved(right, down)
        } else {
            Pointer::default()
        };
        self.last = at;
        self.pointer
    }

    /// Whole steps since the frame before.
    fn steps(&mut self, screen: Screen, at: Option<(f32, f32)>) -> (i16, i16) {
        let (Some(at), Some(last)) = (at, self.last) else {
            return (0, 0);
        };
        let whole = |way: f32, rest: &mut f32| {
            let way = *rest + way * screen.lines();
            *rest = way.fract();
            way as i16
        };
        let right = whole(at.0 - last.0, &mut self.rest.0);
        let down = whole(at.1 - last.1, &mut self.rest.1);
        (right, down)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twice as large as the picture's usual playfield, 10 pixels to the right and 20 down.
    const SCREEN: Screen = Screen {
        place: Place {
            x: 10,
            y: 20,
            width: 640,
            height: 384,
        },
        part: Place {
            x: 28,
            y: 24,
            width: 320,
            height: 192,
        },
    };

    #[test]
    fn a_pen_points_at_the_beam_of_its_pixel() {
        let mut device = Device::default();
        let mut at = |x, y| device.frame(PointerKind::LightPen, 3, SCREEN, Some((x, y)), true);
        let pen = at(10.0, 20.0);
        assert!(pen.is_pen() && pen.button && pen.port == 3);
        assert_eq!((pen.x, pen.y), (48, 32));
        let last = at(649.0, 403.0);
        assert_eq!((last.x, last.y), (207, 223));
        assert_eq!(at(330.0, 212.0).x, 128);
        for (x, y) in [(9.0, 100.0), (650.0, 100.0), (100.0, 19.0), (100.0, 404.0)] {
            assert_eq!(at(x, y), pen.away());
        }
        let none = device.frame(PointerKind::None, 0, SCREEN, Some((50.0, 50.0)), true);
        assert_eq!(none, Pointer::default());
    }

    #[test]
    fn a_mouse_makes_a_step_for_each_line_and_loses_none() {
        let mut device = Device::default();
        let mut at = |x: f32| {
            let place = Some((x, 100.0 - x / 4.0));
            let mouse = device.frame(PointerKind::StMouse, 0, SCREEN, place, false);
            (mouse.x, mouse.y)
        };
        assert_eq!(at(100.0), (0, 0));
        assert_eq!(at(103.0), (1, 0));
        assert_eq!(at(106.0), (3, 0));
        assert_eq!(at(300.0), (100, -25));
        assert_eq!(at(100.0), (0, 0));
        // The mouse leaves the window and comes back somewhere else.
        let away = device.frame(PointerKind::StMouse, 0, SCREEN, None, false);
        let back = device.frame(PointerKind::StMouse, 0, SCREEN, Some((500.0, 9.0)), true);
        assert_eq!((away.x, back.x, back.button), (0, 0, true));
    }

    #[test]
    fn the_picture_is_the_whole_turn_of_a_paddle() {
        let place = Place {
            x: 10,
            y: 20,
            width: 401,
            height: 201,
        };
        let at = |x, y| {
            let mut input = Input::default();
            apply(&mut input, place, (x, y), [false, true]);
            assert_eq!(input.paddle_triggers[..2], [false, true]);
            (input.paddles[0], input.paddles[1])
        };
        assert_eq!(at(10.0, 220.0), (228, 1));
        assert_eq!(at(410.0, 20.0), (1, 228));
        assert_eq!(at(-50.0, 9999.0), (228, 1));
        assert_eq!(at(210.0, 120.0), (115, 115));
        let mut input = Input::default();
        apply(&mut input, place, (50.0, 50.0), [true; 2]);
        release(&mut input);
        assert_eq!(input, Input::default());
    }
}
