//! Numbers in the six-byte decimal format of the floating point package.
use alloc::string::String;
use alloc::vec::Vec;

/// Byte 0: sign (bit 7) and exponent to base 100, excess 64; bytes 1-5: ten decimal digits, the first byte 1 to 99. Zero is six zero bytes.
pub type Number = [u8; 6];

/// Reads an unsigned number at the start of `text`: digits, point, and an exponent of one or two digits. Returns the number
/// and the bytes used, or nothing when there are no digits or it is out of range. Digits that do not fit are dropped.
#[must_use]
pub fn parse(text: &[u8]) -> Option<(Number, usize)> {
    let (digits, mut exponent, mut used) = mantissa(text)?;
    if text.get(used) == Some(&b'E') {
        let (value, length) = exponent_after(&text[used + 1..]);
        // The package refuses the exponent 0: "1E0" is the number 1 followed by the letter E.
        if value != 0 {
            exponent += value;
            used += 1 + length;
        }
    }
    packed(digits, exponent).map(|number| (number, used))
}

/// The significant digits at the start of `text`, the decimal exponent of the first of them, and the bytes used; `None` if there is no digit.
fn mantissa(text: &[u8]) -> Option<(Vec<u8>, i32, usize)> {
    let mut digits: Vec<u8> = Vec::new();
    let mut used = 0;
    let mut seen = false;
    let mut point = false;
    let mut exponent = -1;
    while let Some(&c) = text.get(used) {
        match c {
            b'0'..=b'9' => {
                seen = true;
                if c != b'0' || !digits.is_empty() {
                    if !point {
                        exponent += 1;
                    }
                    digits.push(c - b'0');
                } else if point {
                    exponent -= 1;
                }
            }
            b'.' if !point => point = true,
            _ => break,
        }
        used += 1;
    }
    seen.then_some((digits, exponent, used))
}

/// The sign and the one or two digits after an E, and their length.
fn exponent_after(text: &[u8]) -> (i32, usize) {
    let (negative, sign) = match text.first() {
        Some(b'+') => (false, 1),
        Some(b'-') => (true, 1),
        _ => (false, 0),
    };
    let digits = text[sign..].iter().take(2);
    let (value, length) = digits
        .take_while(|c| c.is_ascii_digit())
        .fold((0, sign), |(value, length), c| {
            (value * 10 + i32::from(c - b'0'), length + 1)
        });
    (if negative { -value } else { value }, length)
}

/// The number of these digits; `None` if it is too large.
fn packed(mut digits: Vec<u8>, exponent: i32) -> Option<Number> {
    let base100 = exponent.div_euclid(2);
    if digits.is_empty() || base100 < -49 {
        return Some([0; 6]);
    }
    if base100 > 48 {
        return None;
    }
    if exponent.rem_euclid(2) == 0 {
        digits.insert(0, 0);
    }
    digits.resize(10, 0);
    let mut number = [0; 6];
    number[0] = (base100 + 64) as u8;
    for i in 0..5 {
        number[i + 1] = digits[2 * i] << 4 | digits[2 * i + 1];
    }
    Some(number)
}

/// The text that FASC makes of a number.
#[must_use]
pub fn format(number: &Number) -> String {
    let mut out = String::new();
    if number[1..].iter().all(|&b| b == 0) || number[0] & 0x7F == 0 {
        return "0".into();
    }
    if number[0] & 0x80 != 0 {
        out.push('-');
    }
    let base100 = i32::from(number[0] & 0x7F) - 64;
    let digits: Vec<u8> = number[1..].iter().flat_map(|b| [b >> 4, b & 15]).collect();
    let digit = |d: u8| char::from(b'0' + d.min(9));
    if (-1..=4).contains(&base100) {
        // Digits before the point, in pairs.
        let whole = ((base100 + 1) * 2) as usize;
        let mut text: String = digits[..whole].iter().map(|&d| digit(d)).collect();
        let trimmed = text.trim_start_matches('0');
        text = if trimmed.is_empty() {
            "0".into()
        } else {
            trimmed.into()
        };
        let fraction: String = digits[whole..].iter().map(|&d| digit(d)).collect();
        let fraction = fraction.trim_end_matches('0');
        out.push_str(&text);
        if !fraction.is_empty() {
            out.push('.');
            out.push_str(fraction);
        }
        return out;
    }
    // Two digits in the first byte leave one of them after the point, even a zero: 1.0E+11.
    let two = digits[0] != 0;
    let first = usize::from(!two);
    out.push(digit(digits[first]));
    let rest: String = digits[first + 1..].iter().map(|&d| digit(d)).collect();
    let mut rest = rest.trim_end_matches('0');
    if rest.is_empty() && two {
        rest = "0";
    }
    if !rest.is_empty() {
        out.push('.');
        out.push_str(rest);
    }
    let exponent = base100 * 2 + i32::from(two);
    out.push('E');
    out.push(if exponent < 0 { '-' } else { '+' });
    let magnitude = exponent.unsigned_abs();
    out.push(digit((magnitude / 10 % 10) as u8));
    out.push(digit((magnitude % 10) as u8));
    out
}

/// The nearest whole number 0 to 65535, halves upwards, as FPI gives it.
#[must_use]
pub fn to_word(number: &Number) -> Option<u16> {
    let base100 = i32::from(number[0] & 0x7F) - 64;
    if number[0] & 0x80 != 0 {
        return None;
    }
    let mut value = 0u32;
    if number[0] == 0 || base100 < -1 {
        return Some(0);
    }
    if base100 > 2 {
        return None;
    }
    for i in 0..=base100 {
        let pair = number[(i + 1) as usize];
        value = value * 100 + u32::from(pair >> 4) * 10 + u32::from(pair & 15);
    }
    if number[(base100 + 2) as usize] >= 0x50 {
        value += 1;
    }
    u16::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(text: &str) -> String {
        let (number, used) = parse(text.as_bytes()).unwrap();
        assert_eq!(used, text.len(), "{text}");
        format(&number)
    }

    #[test]
    fn numbers_read_and_print_as_the_package_does() {
        for (text, printed) in [
            ("0", "0"),
            ("1", "1"),
            ("100", "100"),
            ("3.14159265", "3.14159265"),
            (".5", "0.5"),
            ("0.01", "0.01"),
            ("0.001", "1.0E-03"),
            ("0.000001", "1E-06"),
            ("1E10", "1E+10"),
            ("1E11", "1.0E+11"),
            ("12345678901", "1.23456789E+10"),
            ("1E-5", "1.0E-05"),
            ("9999999999", "9999999999"),
            ("1.5E20", "1.5E+20"),
            ("9.99999999E97", "9.99999999E+97"),
        ] {
            assert_eq!(round_trip(text), printed, "{text}");
        }
    }

    #[test]
    fn the_exponent_must_not_be_zero() {
        assert_eq!(parse(b"1E+00").map(|p| p.1), Some(1));
        assert_eq!(parse(b"1E"), parse(b"1"));
        assert_eq!(parse(b"1E98"), None);
        assert_eq!(parse(b"."), None);
    }

    #[test]
    fn words_are_rounded() {
        let word = |t: &str| to_word(&parse(t.as_bytes()).unwrap().0);
        assert_eq!(
            (
                word("0.4"),
                word("0.5"),
                word("99.5"),
                word("65535"),
                word("65536")
            ),
            (Some(0), Some(1), Some(100), Some(65535), None)
        );
        assert_eq!(
            (word("32767"), word("10000"), word("0.004")),
            (Some(32767), Some(10000), Some(0))
        );
    }
}
