//! The host's mouse as a pair of paddles in port 1.
use host::scaler::Place;
use machine::Input;

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

#[cfg(test)]
mod tests {
    use super::*;

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
