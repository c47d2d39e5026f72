//! The bytes of bincode's standard configuration, made by less code: WebAssembly that every visitor of the page loads.
//!
//! bincode is compiled once for each of its configurations, and every result carries its large error. Here the width of numbers is a
//! field and the error is empty. The tests compare the bytes of both for whole machines.
use alloc::vec::Vec;
use core::fmt::{self, Display};
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::ser::{
    self, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant,
};

/// A number up to this is its own byte; those above say how wide the number after them is.
const LARGEST_BYTE: u8 = 250;

/// The bytes are not those of the value, or a type is not supported.
#[derive(Debug)]
pub(super) struct Failed;

impl Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("damaged")
    }
}

impl core::error::Error for Failed {}

impl ser::Error for Failed {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

impl de::Error for Failed {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }

    fn invalid_type(_: de::Unexpected, _: &dyn de::Expected) -> Self {
        Self
    }

    fn invalid_value(_: de::Unexpected, _: &dyn de::Expected) -> Self {
        Self
    }

    fn invalid_length(_: usize, _: &dyn de::Expected) -> Self {
        Self
    }

    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Self {
        Self
    }
}

/// Bytes of a value; `fixed`: every number in its full width.
pub(super) fn encode<T: Serialize>(value: &T, fixed: bool) -> Result<Vec<u8>, Failed> {
    let mut writer = Writer {
        out: Vec::new(),
        fixed,
    };
    value.serialize(&mut writer)?;
    Ok(writer.out)
}

/// The value at the beginning of some bytes, and how many are its own.
pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8], fixed: bool) -> Result<(T, usize), Failed> {
    let mut reader = Reader { rest: bytes, fixed };
    let value = T::deserialize(&mut reader)?;
    Ok((value, bytes.len() - reader.rest.len()))
}

struct Writer {
    out: Vec<u8>,
    fixed: bool,
}

impl Writer {
    /// An unsigned number that has `width` bytes in memory.
    #[inline(never)]
    fn number(&mut self, value: u64, width: usize) {
        let bytes = value.to_le_bytes();
        let width = match value {
            _ if self.fixed => width,
            0..=250 => 1,
            251..=0xFFFF => 2,
            0x1_0000..=0xFFFF_FFFF => 4,
            _ => 8,
        };
        if !self.fixed && width > 1 {
            self.out.push(LARGEST_BYTE + width.ilog2() as u8);
        }
        self.out.extend_from_slice(&bytes[..width]);
    }

    fn signed(&mut self, value: i64, width: usize) {
        // Zigzag: small numbers of either sign stay small.
        let value = if self.fixed {
            value as u64
        } else {
            (value << 1 ^ value >> 63) as u64
        };
        self.number(value, width);
    }

    #[inline(never)]
    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64, 8);
        self.out.extend_from_slice(bytes);
    }
}

type Written = Result<(), Failed>;

macro_rules! write_numbers {
    ($($name:ident: $number:ty => $how:ident, $width:literal;)*) => {$(
        fn $name(self, value: $number) -> Written {
            self.$how(value.into(), $width);
            Ok(())
        }
    )*};
}

impl ser::Serializer for &mut Writer {
    type Ok = ();
    type Error = Failed;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    write_numbers! {
        serialize_u16: u16 => number, 2;
        serialize_u32: u32 => number, 4;
        serialize_u64: u64 => number, 8;
        serialize_i16: i16 => signed, 2;
        serialize_i32: i32 => signed, 4;
        serialize_i64: i64 => signed, 8;
    }

    fn serialize_bool(self, value: bool) -> Written {
        self.serialize_u8(value.into())
    }

    fn serialize_u8(self, value: u8) -> Written {
        self.out.push(value);
        Ok(())
    }

    fn serialize_i8(self, value: i8) -> Written {
        self.serialize_u8(value as u8)
    }

    fn serialize_f32(self, value: f32) -> Written {
        self.out.extend_from_slice(&value.to_le_bytes());
        Ok(())
    }

    fn serialize_f64(self, value: f64) -> Written {
        self.out.extend_from_slice(&value.to_le_bytes());
        Ok(())
    }

    fn serialize_char(self, _: char) -> Written {
        Err(Failed)
    }

    fn serialize_str(self, value: &str) -> Written {
        self.bytes(value.as_bytes());
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Written {
        self.bytes(value);
        Ok(())
    }

    fn serialize_none(self) -> Written {
        self.serialize_u8(0)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        self.out.push(1);
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, index: u32, _: &'static str) -> Written {
        self.serialize_u32(index)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Written {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Written {
        self.number(index.into(), 4);
        value.serialize(self)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Self, Failed> {
        self.number(length.ok_or(Failed)? as u64, 8);
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Failed> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Failed> {
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Failed> {
        self.number(index.into(), 4);
        Ok(self)
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Self, Failed> {
        self.serialize_seq(length)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Failed> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Failed> {
        self.number(index.into(), 4);
        Ok(self)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

macro_rules! write_parts {
    ($($group:ident: $name:ident $(, $key:ident)?;)*) => {$(
        impl $group for &mut Writer {
            type Ok = ();
            type Error = Failed;

            fn $name<T: Serialize + ?Sized>(&mut self, $($key: &'static str,)? value: &T) -> Written {
                $(let _ = $key;)?
                value.serialize(&mut **self)
            }

            fn end(self) -> Written {
                Ok(())
            }
        }
    )*};
}

write_parts! {
    SerializeSeq: serialize_element;
    SerializeTuple: serialize_element;
    SerializeTupleStruct: serialize_field;
    SerializeTupleVariant: serialize_field;
    SerializeStruct: serialize_field, key;
    SerializeStructVariant: serialize_field, key;
}

impl SerializeMap for &mut Writer {
    type Ok = ();
    type Error = Failed;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Written {
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        value.serialize(&mut **self)
    }

    fn end(self) -> Written {
        Ok(())
    }
}

struct Reader<'a> {
    rest: &'a [u8],
    fixed: bool,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Failed> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Failed)?;
        self.rest = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, Failed> {
        let (&byte, rest) = self.rest.split_first().ok_or(Failed)?;
        self.rest = rest;
        Ok(byte)
    }

    /// An unsigned number that has `width` bytes in memory.
    #[inline(never)]
    fn number(&mut self, width: usize) -> Result<u64, Failed> {
        let stored = if self.fixed {
            width
        } else {
            match self.byte()? {
                small @ 0..=LARGEST_BYTE => return Ok(small.into()),
                wide @ 251..=253 => 1 << (wide - LARGEST_BYTE),
                _ => return Err(Failed),
            }
        };
        if stored > width {
            return Err(Failed);
        }
        let mut bytes = [0; 8];
        bytes[..stored].copy_from_slice(self.take(stored)?);
        Ok(u64::from_le_bytes(bytes))
    }

    fn signed(&mut self, width: usize) -> Result<i64, Failed> {
        let value = self.number(width)?;
        Ok(if self.fixed {
            let unused = 64 - 8 * width as u32;
            (value as i64) << unused >> unused
        } else {
            (value >> 1) as i64 ^ -((value & 1) as i64)
        })
    }

    /// The length of the data that follows, of which each part has at least one byte.
    fn length(&mut self) -> Result<usize, Failed> {
        let length = usize::try_from(self.number(8)?).map_err(|_| Failed)?;
        if length > self.rest.len() {
            return Err(Failed);
        }
        Ok(length)
    }

    fn bytes(&mut self) -> Result<&'a [u8], Failed> {
        let length = self.length()?;
        self.take(length)
    }

    fn text(&mut self) -> Result<&'a str, Failed> {
        core::str::from_utf8(self.bytes()?).map_err(|_| Failed)
    }
}

macro_rules! read_numbers {
    ($($name:ident: $visit:ident, $number:ty => $how:ident, $width:literal;)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
            let value = self.$how($width)?;
            visitor.$visit(<$number>::try_from(value).map_err(|_| Failed)?)
        }
    )*};
}

macro_rules! refuse {
    ($($name:ident)*) => {$(
        fn $name<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Failed> {
            Err(Failed)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Reader<'de> {
    type Error = Failed;

    read_numbers! {
        deserialize_u16: visit_u16, u16 => number, 2;
        deserialize_u32: visit_u32, u32 => number, 4;
        deserialize_u64: visit_u64, u64 => number, 8;
        deserialize_i16: visit_i16, i16 => signed, 2;
        deserialize_i32: visit_i32, i32 => signed, 4;
        deserialize_i64: visit_i64, i64 => signed, 8;
    }

    refuse! {
        deserialize_any deserialize_char deserialize_identifier deserialize_ignored_any
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        match self.byte()? {
            0 => visitor.visit_bool(false),
            1 => visitor.visit_bool(true),
            _ => Err(Failed),
        }
    }

    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        visitor.visit_u8(self.byte()?)
    }

    fn deserialize_i8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        visitor.visit_i8(self.byte()? as i8)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        let bytes = self.take(4)?;
        visitor.visit_f32(f32::from_le_bytes(bytes.try_into().map_err(|_| Failed)?))
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        let bytes = self.take(8)?;
        visitor.visit_f64(f64::from_le_bytes(bytes.try_into().map_err(|_| Failed)?))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        visitor.visit_borrowed_str(self.text()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        visitor.visit_borrowed_str(self.text()?)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        visitor.visit_borrowed_bytes(self.bytes()?)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        visitor.visit_borrowed_bytes(self.bytes()?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        match self.byte()? {
            0 => visitor.visit_none(),
            1 => visitor.visit_some(self),
            _ => Err(Failed),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failed> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failed> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        let left = self.length()?;
        visitor.visit_seq(Parts { reader: self, left })
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        left: usize,
        visitor: V,
    ) -> Result<V::Value, Failed> {
        visitor.visit_seq(Parts { reader: self, left })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        left: usize,
        visitor: V,
    ) -> Result<V::Value, Failed> {
        visitor.visit_seq(Parts { reader: self, left })
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        let left = self.length()?;
        visitor.visit_map(Parts { reader: self, left })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failed> {
        let left = fields.len();
        visitor.visit_seq(Parts { reader: self, left })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failed> {
        visitor.visit_enum(self)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The parts of a sequence or a structure that are still to come.
struct Parts<'a, 'de> {
    reader: &'a mut Reader<'de>,
    left: usize,
}

impl<'de> SeqAccess<'de> for Parts<'_, 'de> {
    type Error = Failed;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Failed> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(&mut *self.reader).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de> MapAccess<'de> for Parts<'_, 'de> {
    type Error = Failed;

    fn next_key_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Failed> {
        self.next_element_seed(seed)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Failed> {
        seed.deserialize(&mut *self.reader)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de> EnumAccess<'de> for &mut Reader<'de> {
    type Error = Failed;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<(T::Value, Self::Variant), Failed> {
        let index = self.number(4)? as u32;
        let value = seed.deserialize(IntoDeserializer::<Failed>::into_deserializer(index))?;
        Ok((value, self))
    }
}

impl<'de> VariantAccess<'de> for &mut Reader<'de> {
    type Error = Failed;

    fn unit_variant(self) -> Result<(), Failed> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Failed> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, left: usize, visitor: V) -> Result<V::Value, Failed> {
        visitor.visit_seq(Parts { reader: self, left })
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failed> {
        let left = fields.len();
        visitor.visit_seq(Parts { reader: self, left })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bincode::config::standard;
    use bincode::serde::{decode_from_slice, encode_to_vec};
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    enum Shape {
        Empty,
        Round(u32),
        Long(i16, Option<u64>),
        Named {
            text: alloc::string::String,
            deep: Vec<i64>,
        },
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct All {
        numbers: (u8, i8, u16, i16, u32, i32, u64, i64, usize),
        fractions: (f32, f64),
        shapes: Vec<Shape>,
        map: alloc::collections::BTreeMap<u16, bool>,
        array: [u16; 5],
        unit: (),
    }

    fn values() -> Vec<All> {
        let edges: [i64; 14] = [
            0,
            1,
            -1,
            125,
            -126,
            250,
            251,
            255,
            256,
            65_535,
            65_536,
            -40_000,
            1 << 40,
            i64::MIN,
        ];
        let all = edges.iter().map(|&n| All {
            numbers: (
                n as u8,
                n as i8,
                n as u16,
                n as i16,
                n as u32,
                n as i32,
                n as u64,
                n,
                n as u64 as usize,
            ),
            fractions: (n as f32, n as f64 / 3.0),
            shapes: alloc::vec![
                Shape::Empty,
                Shape::Round(n as u32),
                Shape::Long(n as i16, (n > 5).then_some(n as u64)),
                Shape::Named {
                    text: alloc::format!("{n} \u{e9}"),
                    deep: edges.to_vec(),
                },
            ],
            map: edges.iter().map(|&n| (n as u16, n > 0)).collect(),
            array: [n as u16; 5],
            unit: (),
        });
        all.collect()
    }

    #[test]
    fn bytes_are_those_of_bincode() {
        for value in values() {
            for fixed in [false, true] {
                let wanted = if fixed {
                    encode_to_vec(&value, standard().with_fixed_int_encoding())
                } else {
                    encode_to_vec(&value, standard())
                };
                let bytes = wanted.unwrap();
                assert_eq!(encode(&value, fixed).unwrap(), bytes);
                let (back, used) = decode::<All>(&bytes, fixed).unwrap();
                assert_eq!((&back, used), (&value, bytes.len()));
                for cut in 0..bytes.len() {
                    assert!(decode::<All>(&bytes[..cut], fixed).is_err());
                }
            }
        }
    }

    #[test]
    fn damaged_bytes_are_taken_or_refused_as_by_bincode() {
        let bytes = encode(&values()[9], false).unwrap();
        let mut taken = 0;
        for at in 0..bytes.len() {
            for flip in [1, 0x10, 0x80, 0xFF] {
                let mut damaged = bytes.clone();
                damaged[at] ^= flip;
                let own = decode::<All>(&damaged, false).ok().map(|found| found.0);
                let config = standard().with_limit::<{ 1 << 28 }>();
                let other = decode_from_slice::<All, _>(&damaged, config).ok();
                let text = |value: &Option<All>| alloc::format!("{value:?}");
                assert_eq!(
                    text(&own),
                    text(&other.map(|found| found.0)),
                    "byte {at}, bits {flip:02x}"
                );
                taken += u32::from(own.is_some());
            }
        }
        assert!(taken > 50, "{taken} of the damaged values can be read");
    }
}
