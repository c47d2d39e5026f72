//! The bytes of the controls in states and recordings. Without a pointing device they are those of the first releases; with one, a bit in the last
//! of these bytes says that it follows.
use super::{Input, Joystick};
use crate::pointer::Pointer;
use core::fmt;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::{Serialize, Serializer};

/// OPTION is down.
const OPTION: u8 = 1;
/// A pointing device follows.
const POINTER: u8 = 2;

/// The controls of the first releases.
#[derive(serde::Serialize, serde::Deserialize)]
struct First {
    joysticks: [Joystick; 4],
    paddles: [u8; 8],
    paddle_triggers: [bool; 8],
    key: Option<u8>,
    shift: bool,
    break_key: bool,
    start: bool,
    select: bool,
    flags: u8,
}

impl Serialize for Input {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let pointer = self.pointer;
        let follows = pointer != Pointer::default();
        let first = First {
            joysticks: self.joysticks,
            paddles: self.paddles,
            paddle_triggers: self.paddle_triggers,
            key: self.key,
            shift: self.shift,
            break_key: self.break_key,
            start: self.start,
            select: self.select,
            flags: u8::from(self.option) * OPTION | u8::from(follows) * POINTER,
        };
        if follows {
            (first, pointer).serialize(serializer)
        } else {
            first.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Input {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_tuple(2, Parts)
    }
}

/// Reads the controls, and the pointing device if it is there.
struct Parts;

impl<'de> Visitor<'de> for Parts {
    type Value = Input;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("controls")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Input, A::Error> {
        let damaged = || Error::custom("controls");
        let first: First = parts.next_element()?.ok_or_else(damaged)?;
        if first.flags > OPTION | POINTER {
            return Err(damaged());
        }
        let pointer = if first.flags & POINTER != 0 {
            parts.next_element()?.ok_or_else(damaged)?
        } else {
            Pointer::default()
        };
        Ok(Input {
            joysticks: first.joysticks,
            paddles: first.paddles,
            paddle_triggers: first.paddle_triggers,
            key: first.key,
            shift: first.shift,
            break_key: first.break_key,
            start: first.start,
            select: first.select,
            option: first.flags & OPTION != 0,
            pointer,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PointerKind, codec};

    #[test]
    fn controls_without_a_pointing_device_have_the_bytes_of_the_first_releases() {
        let input = Input {
            option: true,
            paddles: [9, 8, 7, 6, 5, 4, 3, 228],
            ..Input::default()
        };
        let bytes = codec::encode(&input);
        let old = (
            (input.joysticks, input.paddles, input.paddle_triggers),
            (input.key, false, false, false, false, true),
        );
        assert_eq!(bytes, codec::encode(&old));
        assert_eq!(codec::decode::<Input>(&bytes), Some(input));
    }

    #[test]
    fn a_pointing_device_follows_the_controls() {
        let mut input = Input::default();
        input.pointer.kind = PointerKind::StMouse;
        input.pointer = input.pointer.moved(-300, 7);
        // Two values in a row are read as two.
        let bytes = codec::encode(&(input, Input::default(), input));
        let read: Option<(Input, Input, Input)> = codec::decode(&bytes);
        assert_eq!(read, Some((input, Input::default(), input)));
        let last = codec::encode(&Input::default()).len() - 1;
        let mut bytes = codec::encode(&Input::default());
        bytes[last] = 4;
        assert_eq!(codec::decode::<Input>(&bytes), None);
    }
}
