//! Types of C variables, and values as text.

use std::collections::HashMap;

/// Elements of an array and characters of a text that are shown.
const SHOWN: u16 = 16;
const TEXT: u16 = 40;
/// Structs and arrays within one another that are shown.
const DEEPEST: u8 = 3;

/// Structs and unions by their tags.
pub(crate) type Records = HashMap<String, Record>;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A number of 1, 2 or 4 bytes, low byte first.
    Int {
        /// Bytes.
        size: u8,
        /// The highest bit is a sign.
        signed: bool,
    },
    /// An address of something.
    Pointer(Box<Self>),
    /// Elements and their number; 0 if that is not known.
    Array(Box<Self>, u16),
    /// A struct or union of this tag.
    Record(String),
    /// Nothing is known.
    Void,
}

/// A struct or union.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    /// Names, offsets, types.
    pub(crate) fields: Vec<(String, u16, Type)>,
    /// Bytes.
    pub(crate) size: u16,
}

impl Type {
    /// Bytes; `None` if that is not known.
    pub(crate) fn size(&self, records: &Records) -> Option<u16> {
        match self {
            Self::Int { size, .. } => Some((*size).into()),
            Self::Pointer(_) => Some(2),
            Self::Array(element, count) => element.size(records)?.checked_mul(*count),
            Self::Record(tag) => records.get(tag).map(|record| record.size),
            Self::Void => None,
        }
    }

    /// The part of a variable that a byte of it is in: `name[3].x`.
    pub(crate) fn part(&self, name: &str, offset: u16, records: &Records) -> String {
        let inner = match self {
            Self::Array(element, _) => {
                let size = element.size(records).filter(|size| *size > 0);
                size.map(|size| {
                    let name = format!("{name}[{}]", offset / size);
                    (name, offset % size, &**element)
                })
            }
            Self::Record(tag) => {
                let fields = records.get(tag).map_or(&[][..], |record| &record.fields);
                let holds = |field: &&(String, u16, Self)| {
                    let size = field.2.size(records).unwrap_or(0);
                    (field.1..field.1.saturating_add(size)).contains(&offset)
                };
                // Of a union its first one.
                let field = fields.iter().find(holds);
                field.map(|(field, at, kind)| (format!("{name}.{field}"), offset - at, kind))
            }
            _ => None,
        };
        match inner {
            Some((name, offset, kind)) => kind.part(&name, offset, records),
            None if offset == 0 => name.to_owned(),
            None => format!("{name}+{offset}"),
        }
    }

    /// The bytes of a number in memory.
    ///
    /// # Errors
    /// A sentence: the type is not a number, or too small for this one.
    pub fn bytes(&self, value: i64) -> Result<Vec<u8>, String> {
        let size = match self {
            Self::Int { size, .. } => *size,
            Self::Pointer(_) => 2,
            _ => return Err("it is no number".to_owned()),
        };
        let bits = 8 * u32::from(size);
        if value < -(1i64 << (bits - 1)) || value >= 1i64 << bits {
            return Err(format!("{value} does not fit into {size} bytes"));
        }
        Ok(value.to_le_bytes()[..usize::from(size)].to_vec())
    }

    /// A number of `size` bytes, of which nothing else is known.
    pub(crate) fn of_size(size: u16) -> Self {
        match size {
            1 | 2 | 4 => Self::Int {
                size: size as u8,
                signed: false,
            },
            size => Self::Array(
                Self::Int {
                    size: 1,
                    signed: false,
                }
                .into(),
                size,
            ),
        }
    }

    /// The value at an address as text; `peek` reads memory.
    pub(crate) fn text(&self, peek: &dyn Fn(u16) -> u8, address: u16, records: &Records) -> String {
        self.text_inside(peek, address, records, 0)
    }

    fn text_inside(
        &self,
        peek: &dyn Fn(u16) -> u8,
        address: u16,
        records: &Records,
        depth: u8,
    ) -> String {
        let byte = |n: u16| peek(address.wrapping_add(n));
        if depth > DEEPEST {
            return format!("at ${address:04X}");
        }
        match self {
            Self::Int { size, signed } => integer(byte, *size, *signed),
            Self::Pointer(target) => {
                let at = u16::from_le_bytes([byte(0), byte(1)]);
                match **target {
                    Type::Int { size: 1, .. } if at != 0 => {
                        format!("${at:04X} \"{}\"", characters(peek, at, TEXT))
                    }
                    _ => format!("${at:04X}"),
                }
            }
            Self::Array(element, count) if matches!(**element, Self::Int { size: 1, .. }) => {
                bytes(peek, address, *count)
            }
            Self::Array(element, count) => {
                let Some(size) = element.size(records) else {
                    return format!("at ${address:04X}");
                };
                let shown: Vec<String> = (0..(*count).min(SHOWN))
                    .map(|n| {
                        element.text_inside(
                            peek,
                            address.wrapping_add(n.wrapping_mul(size)),
                            records,
                            depth + 1,
                        )
                    })
                    .collect();
                list(&shown, *count)
            }
            Self::Record(tag) => match records.get(tag) {
                Some(record) => {
                    let fields: Vec<String> = record
                        .fields
                        .iter()
                        .map(|(name, offset, kind)| {
                            let value = kind.text_inside(
                                peek,
                                address.wrapping_add(*offset),
                                records,
                                depth + 1,
                            );
                            format!("{name} = {value}")
                        })
                        .collect();
                    format!("{{{}}}", fields.join(", "))
                }
                None => format!("at ${address:04X}"),
            },
            Self::Void => format!("at ${address:04X}"),
        }
    }
}

/// An integer; a byte that is a printable character with that character.
fn integer(byte: impl Fn(u16) -> u8, size: u8, signed: bool) -> String {
    let bytes = [0, 1, 2, 3].map(|n| if n < u16::from(size) { byte(n) } else { 0 });
    match (size, signed, bytes[0]) {
        (1, false, value @ 0x20..=0x7E) => format!("{value} '{}'", value as char),
        _ => extend(u32::from_le_bytes(bytes), size, signed).to_string(),
    }
}

/// An array of bytes: a text if it holds one that ends within it.
fn bytes(peek: &dyn Fn(u16) -> u8, address: u16, count: u16) -> String {
    let byte = |n: u16| peek(address.wrapping_add(n));
    let text = characters(peek, address, count.min(TEXT));
    if !text.is_empty() && text.len() < usize::from(count) && byte(text.len() as u16) == 0 {
        return format!("\"{text}\"");
    }
    let bytes: Vec<String> = (0..count.min(SHOWN)).map(|n| byte(n).to_string()).collect();
    list(&bytes, count)
}

fn list(shown: &[String], count: u16) -> String {
    let more = if usize::from(count) > shown.len() {
        ", ..."
    } else {
        ""
    };
    format!("{{{}{more}}}", shown.join(", "))
}

/// ASCII up to a byte that is not ASCII.
fn characters(peek: &dyn Fn(u16) -> u8, address: u16, most: u16) -> String {
    (0..most)
        .map(|n| peek(address.wrapping_add(n)))
        .take_while(|byte| matches!(byte, 0x20..=0x7E))
        .map(char::from)
        .collect()
}

/// The number in the lower `size` bytes (1 to 4) of a value.
pub(crate) fn extend(value: u32, size: u8, signed: bool) -> i64 {
    let free = 64 - 8 * u32::from(size);
    if signed {
        (i64::from(value) << free) >> free
    } else {
        (u64::from(value) << free >> free) as i64
    }
}
