//! An independent model of the floating point format and its arithmetic, on whole numbers.
//!
//! A number is `digits * 100^(exponent - 4)` with ten decimal digits, the first two of them 01 to 99. Results are
//! cut, never rounded; addition first cuts the smaller number to the digits of the larger one.

// The model's own slips may panic: they fail the test that uses it.
#![allow(clippy::missing_panics_doc)]

use std::fmt::Write as _;

/// One more than the largest ten digits.
const TEN_DIGITS: u64 = 10_000_000_000;
/// The smallest digits of a normal number: 01 00 00 00 00.
const SMALLEST: u64 = 100_000_000;
/// Exponents (of the first digit pair) of 1E-98 and 9.99999999E+97.
const EXPONENTS: std::ops::RangeInclusive<i32> = -49..=48;

/// A number of the floating point package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// Sign.
    pub negative: bool,
    /// Power of 100 of the first digit pair.
    pub exponent: i32,
    /// Ten digits; 0 only in zero.
    pub digits: u64,
}

/// A result too large for the format, or a division by zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

impl Number {
    /// Zero.
    pub const ZERO: Self = Self {
        negative: false,
        exponent: 0,
        digits: 0,
    };

    /// The number with its first pair moved up to the first place; too small becomes zero.
    ///
    /// # Errors
    /// When the number is too large.
    pub fn normal(negative: bool, mut exponent: i32, mut digits: u64) -> Result<Self, Overflow> {
        if digits == 0 {
            return Ok(Self::ZERO);
        }
        while digits >= TEN_DIGITS {
            digits /= 100;
            exponent += 1;
        }
        while digits < SMALLEST {
            digits *= 100;
            exponent -= 1;
        }
        if exponent > *EXPONENTS.end() {
            Err(Overflow)
        } else if exponent < *EXPONENTS.start() {
            Ok(Self::ZERO)
        } else {
            Ok(Self {
                negative,
                exponent,
                digits,
            })
        }
    }

    /// From its six bytes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 6]) -> Self {
        let digits = bytes[1..].iter().fold(0, |sum, byte| {
            sum * 100 + u64::from(byte >> 4) * 10 + u64::from(byte & 15)
        });
        if digits == 0 {
            return Self::ZERO;
        }
        Self {
            negative: bytes[0] & 0x80 != 0,
            exponent: i32::from(bytes[0] & 0x7F) - 0x40,
            digits,
        }
    }

    /// Its six bytes.
    #[must_use]
    pub fn bytes(self) -> [u8; 6] {
        let mut bytes = [0; 6];
        if self.digits != 0 {
            bytes[0] = (self.exponent + 0x40) as u8 | if self.negative { 0x80 } else { 0 };
            let mut rest = self.digits;
            for byte in bytes[1..].iter_mut().rev() {
                *byte = (rest % 10 + rest / 10 % 10 * 16) as u8;
                rest /= 100;
            }
        }
        bytes
    }

    /// The nearest `f64`.
    #[must_use]
    pub fn value(self) -> f64 {
        let sign = if self.negative { "-" } else { "" };
        format!("{sign}{}e{}", self.digits, (self.exponent - 4) * 2)
            .parse()
            .unwrap()
    }

    /// With the other sign.
    #[must_use]
    pub fn negated(self) -> Self {
        Self {
            negative: self.digits != 0 && !self.negative,
            ..self
        }
    }

    /// Sum.
    ///
    /// # Errors
    /// When it is too large.
    pub fn plus(self, other: Self) -> Result<Self, Overflow> {
        if other.digits == 0 {
            return Ok(self);
        }
        if self.digits == 0 {
            return Ok(other);
        }
        let exponent = self.exponent.max(other.exponent);
        let part = |number: Self| {
            let cut = (exponent - number.exponent) as u32;
            let digits = if cut > 5 {
                0
            } else {
                (number.digits / 100u64.pow(cut)) as i64
            };
            if number.negative { -digits } else { digits }
        };
        let sum = part(self) + part(other);
        Self::normal(sum < 0, exponent, sum.unsigned_abs())
    }

    /// Product.
    ///
    /// # Errors
    /// When it is too large.
    pub fn times(self, other: Self) -> Result<Self, Overflow> {
        if self.digits == 0 || other.digits == 0 {
            return Ok(Self::ZERO);
        }
        let product = u128::from(self.digits) * u128::from(other.digits);
        let negative = self.negative != other.negative;
        let exponent = self.exponent + other.exponent;
        if product >= 1_000_000_000_000_000_000 {
            Self::normal(
                negative,
                exponent + 1,
                (product / u128::from(TEN_DIGITS)) as u64,
            )
        } else {
            Self::normal(negative, exponent, (product / u128::from(SMALLEST)) as u64)
        }
    }

    /// Quotient.
    ///
    /// # Errors
    /// When it is too large or `other` is zero.
    pub fn over(self, other: Self) -> Result<Self, Overflow> {
        if other.digits == 0 {
            return Err(Overflow);
        }
        let negative = self.negative != other.negative;
        let exponent = self.exponent - other.exponent;
        let (dividend, divisor) = (u128::from(self.digits), u128::from(other.digits));
        if self.digits >= other.digits {
            let quotient = dividend * u128::from(SMALLEST) / divisor;
            Self::normal(negative, exponent, quotient as u64)
        } else {
            let quotient = dividend * u128::from(TEN_DIGITS) / divisor;
            Self::normal(negative, exponent - 1, quotient as u64)
        }
    }

    /// The whole numbers 0 to 65535.
    #[must_use]
    pub fn from_word(word: u16) -> Self {
        Self::normal(false, 4, u64::from(word)).unwrap()
    }

    /// Rounded to the nearest whole number, halves upwards; what rounding makes 65536 is 0.
    ///
    /// # Errors
    /// When the number is negative, or 65536 or more.
    pub fn to_word(self) -> Result<u16, Overflow> {
        if self.negative || self.exponent > 2 {
            return Err(Overflow);
        }
        let twice = if self.exponent < -1 {
            0
        } else {
            2 * self.digits / 100u64.pow((4 - self.exponent) as u32)
        };
        if twice >= 2 * 65536 {
            return Err(Overflow);
        }
        Ok(twice.div_ceil(2) as u16)
    }

    /// The text that PRINT shows.
    #[must_use]
    pub fn text(self) -> String {
        if self.digits == 0 {
            return "0".to_owned();
        }
        let mut text = String::new();
        if self.negative {
            text.push('-');
        }
        let digits = format!("{:010}", self.digits);
        if (-1..=4).contains(&self.exponent) {
            let whole = ((self.exponent + 1) * 2) as usize;
            let (before, after) = digits.split_at(whole);
            let before = before.trim_start_matches('0');
            text.push_str(if before.is_empty() { "0" } else { before });
            let after = after.trim_end_matches('0');
            if !after.is_empty() {
                text.push('.');
                text.push_str(after);
            }
        } else {
            let mut power = self.exponent * 2;
            let mut digits = digits.as_str();
            // The digits of the first pair are always shown.
            let least = if let Some(rest) = digits.strip_prefix('0') {
                digits = rest;
                1
            } else {
                power += 1;
                2
            };
            let kept = digits.trim_end_matches('0').len().max(least);
            text.push_str(&digits[..1]);
            if kept > 1 {
                text.push('.');
                text.push_str(&digits[1..kept]);
            }
            let sign = if power < 0 { '-' } else { '+' };
            write!(text, "E{sign}{:02}", power.abs()).unwrap();
        }
        text
    }

    /// The number at the start of a text, and how many characters it takes. Blanks and one sign may lead; an exponent
    /// has one or two digits and is not zero, otherwise the number ends in front of it.
    ///
    /// # Errors
    /// When no number is there or it is too large, with the characters taken.
    pub fn parse(text: &str) -> Result<(Self, usize), usize> {
        let bytes = text.as_bytes();
        let at = |index: usize| bytes.get(index).copied().unwrap_or(0x9B);
        let mut index = bytes.iter().take_while(|byte| **byte == b' ').count();
        let negative = at(index) == b'-';
        if matches!(at(index), b'+' | b'-') {
            index += 1;
        }
        let start = index;
        let mut point = None;
        let mut digits = String::new();
        while at(index).is_ascii_digit() || (at(index) == b'.' && point.is_none()) {
            if at(index) == b'.' {
                point = Some(digits.len());
            } else {
                digits.push(at(index).into());
            }
            index += 1;
        }
        if digits.is_empty() {
            return Err(start);
        }
        debug_assert!(index > start);
        let mut power = point.unwrap_or(digits.len()) as i32;
        if at(index) == b'E' {
            let mut end = index + 1;
            let minus = at(end) == b'-';
            if matches!(at(end), b'+' | b'-') {
                end += 1;
            }
            let first = end;
            while end < first + 2 && at(end).is_ascii_digit() {
                end += 1;
            }
            let value = text.get(first..end).and_then(|text| text.parse().ok());
            if let Some(value) = value.filter(|value: &i32| *value != 0) {
                power += if minus { -value } else { value };
                index = end;
            }
        }
        // Digits as 0.d1d2... with an even power of ten.
        let significant = digits.trim_start_matches('0');
        if significant.is_empty() {
            return Ok((Self::ZERO, index));
        }
        power -= (digits.len() - significant.len()) as i32;
        let mut ten = format!("{significant:0<11}");
        if power.rem_euclid(2) == 1 {
            ten.insert(0, '0');
            power += 1;
        }
        ten.truncate(10);
        match Self::normal(negative, power / 2 - 1, ten.parse().unwrap()) {
            Ok(number) => Ok((number, index)),
            Err(Overflow) => Err(index),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Number;

    #[test]
    fn texts_and_numbers_match() {
        for (text, shown) in [
            ("0.01", "0.01"),
            ("0.001", "1.0E-03"),
            ("1E9", "1000000000"),
            ("1E10", "1E+10"),
            ("1.5E11", "1.5E+11"),
            ("-12E-7", "-1.2E-06"),
            ("12345678901", "1.23456789E+10"),
            ("3.3333333333", "3.33333333"),
        ] {
            assert_eq!(Number::parse(text).unwrap().0.text(), shown);
        }
    }

    #[test]
    fn bytes_and_numbers_match() {
        let bytes = [0xC1, 0x12, 0x34, 0x50, 0, 0];
        let number = Number::from_bytes(bytes);
        assert_eq!(number.text(), "-1234.5");
        assert_eq!(number.bytes(), bytes);
    }
}
