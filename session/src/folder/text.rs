//! Text of the host and of the Atari: H6: to H9:.

/// The end of a line, and TAB, in ATASCII.
const EOL: u8 = 0x9B;
const TAB: u8 = 0x7F;

/// A host's text as ATASCII: LF, CR and CR LF end lines, and a TAB is $7F. Other bytes stay.
///
/// ```
/// assert_eq!(session::folder::text::to_atascii(b"A\r\nB\rC\n\tD"), b"A\x9BB\x9BC\x9B\x7FD");
/// ```
#[must_use]
pub fn to_atascii(data: &[u8]) -> Vec<u8> {
    let mut before = 0;
    let mut out = Vec::with_capacity(data.len());
    for &byte in data {
        match byte {
            b'\n' if before == b'\r' => {}
            b'\n' | b'\r' => out.push(EOL),
            b'\t' => out.push(TAB),
            _ => out.push(byte),
        }
        before = byte;
    }
    out
}

/// ATASCII as a host's text: lines end with LF.
///
/// ```
/// assert_eq!(session::folder::text::from_atascii(b"A\x9B\x7FB"), b"A\n\tB");
/// ```
#[must_use]
pub fn from_atascii(data: &[u8]) -> Vec<u8> {
    let convert = |&byte: &u8| match byte {
        EOL => b'\n',
        TAB => b'\t',
        _ => byte,
    };
    data.iter().map(convert).collect()
}
