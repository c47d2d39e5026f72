//! R-Time 8: a clock in a cartridge, at $D5B8-$D5BF (Altirra Hardware Reference Manual 8.8). SpartaDOS X reads it.
//!
//! The port has four bits. Of a location its number is written, and then its high and its low half are read, or written.

use super::{Access, BusDevice};

/// A day's seconds.
const DAY: i64 = 86_400;

/// The clock.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct RTime {
    /// Seconds since the beginning of 2000 when the machine's clock was 0.
    start: i64,
    /// The half that comes next: none, before a number was written; high; low.
    step: u8,
    location: u8,
    high: u8,
    /// Locations 8 to 15: memory.
    memory: [u8; 8],
}

/// Date and time of day.
struct Moment {
    /// Seconds, minutes, hours, day, month, year of the century, day of the week (Monday is 1), week of the year.
    parts: [u8; 8],
}

impl RTime {
    pub(super) fn new(start: u64) -> Self {
        Self {
            start: start as i64,
            step: 0,
            location: 0,
            high: 0,
            memory: [0; 8],
        }
    }

    pub(super) fn is_valid(&self) -> bool {
        self.step <= 2 && self.location <= 15 && self.high <= 15 && self.start.abs() < 1 << 40
    }

    /// The value of a read at `seconds` of the machine's clock; the upper half of the bus floats.
    fn peek(&self, seconds: u64) -> u8 {
        let value = match self.location {
            n @ 0..=7 => bcd(Moment::of(self.start + seconds as i64).parts[usize::from(n)]),
            n => self.memory[usize::from(n & 7)],
        };
        0xF0 | match self.step {
            // Not busy.
            0 => 0,
            1 => value >> 4,
            _ => value & 15,
        }
    }

    fn read(&mut self, seconds: u64) -> u8 {
        let seen = self.peek(seconds);
        self.step = if self.step == 1 { 2 } else { 0 };
        seen
    }

    fn write(&mut self, data: u8, seconds: u64) {
        match self.step {
            0 => (self.location, self.step) = (data & 15, 1),
            1 => (self.high, self.step) = (data & 15, 2),
            _ => {
                self.step = 0;
                let value = self.high << 4 | data & 15;
                if self.location > 7 {
                    self.memory[usize::from(self.location & 7)] = value;
                    return;
                }
                let now = self.start + seconds as i64;
                let mut parts = Moment::of(now).parts;
                parts[usize::from(self.location)] = value / 16 * 10 + value % 16;
                self.start += Moment { parts }.seconds() - now;
            }
        }
    }
}

/// True if the port answers.
fn is_here(access: Access) -> bool {
    access.address & 0xFFF8 == 0xD5B8
}

impl BusDevice for RTime {
    fn peek(&self, access: Access) -> Option<u8> {
        is_here(access).then(|| self.peek(access.seconds()))
    }

    fn read(&mut self, access: Access) -> Option<u8> {
        is_here(access).then(|| self.read(access.seconds()))
    }

    fn write(&mut self, access: Access, data: u8) -> bool {
        let answers = is_here(access);
        if answers {
            self.write(data, access.seconds());
        }
        answers
    }
}

fn bcd(value: u8) -> u8 {
    value / 10 * 16 + value % 10
}

/// Days of the years before `year`, from 2000.
fn days_before(year: i64) -> i64 {
    year * 365 + (year + 3) / 4 - i64::from(year > 100)
}

fn month_lengths(year: i64) -> [i64; 12] {
    let leap = year % 4 == 0 && year != 100;
    [
        31,
        28 + i64::from(leap),
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ]
}

impl Moment {
    fn of(seconds: i64) -> Self {
        let seconds = seconds.rem_euclid(DAY * days_before(100));
        let (days, time) = (seconds / DAY, seconds % DAY);
        let year = (0..100)
            .rev()
            .find(|&year| days_before(year) <= days)
            .unwrap_or(0);
        let of_year = days - days_before(year);
        let (mut month, mut day) = (1, of_year);
        for length in month_lengths(year) {
            if day < length {
                break;
            }
            day -= length;
            month += 1;
        }
        // The first day of 2000 was a Saturday.
        let parts = [
            time % 60,
            time / 60 % 60,
            time / 3600,
            day + 1,
            month,
            year,
            (days + 5) % 7 + 1,
            of_year / 7 + 1,
        ];
        Self {
            parts: parts.map(|part| part as u8),
        }
    }

    fn seconds(&self) -> i64 {
        let [second, minute, hour, day, month, year, ..] = self.parts.map(i64::from);
        let year = year.clamp(0, 99);
        let months = month_lengths(year);
        let before: i64 = months[..(month.clamp(1, 12) - 1) as usize].iter().sum();
        let days = days_before(year) + before + day.clamp(1, 31) - 1;
        days * DAY + hour * 3600 + minute * 60 + second
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(clock: &mut RTime, number: u8, seconds: u64) -> u8 {
        clock.write(number, seconds);
        let high = clock.read(seconds) & 15;
        let low = clock.read(seconds) & 15;
        high << 4 | low
    }

    fn all(clock: &mut RTime, seconds: u64) -> [u8; 7] {
        core::array::from_fn(|number| location(clock, number as u8, seconds))
    }

    #[test]
    fn it_shows_the_time_and_takes_another() {
        let mut clock = RTime::new(0);
        assert_eq!(clock.read(0), 0xF0);
        assert_eq!(all(&mut clock, 0), [0, 0, 0, 1, 1, 0, 6]);
        // 2026-11-22, a Sunday, 19:37:06.
        let mut clock = RTime::new(848_691_426);
        assert_eq!(all(&mut clock, 0), [0x06, 0x37, 0x19, 0x22, 0x11, 0x26, 7]);
        assert_eq!(all(&mut clock, 60)[..2], [0x06, 0x38]);
        for (number, value) in [
            (0, 0x59),
            (1, 0x59),
            (2, 0x23),
            (3, 0x28),
            (4, 0x02),
            (5, 0x28),
        ] {
            clock.write(number, 100);
            clock.write(value >> 4, 100);
            clock.write(value, 100);
        }
        assert_eq!(
            all(&mut clock, 100)[..6],
            [0x59, 0x59, 0x23, 0x28, 0x02, 0x28]
        );
        assert_eq!(all(&mut clock, 101)[..6], [0, 0, 0, 0x29, 0x02, 0x28]);
        assert_eq!(all(&mut clock, 101 + 86_400)[3..5], [1, 3]);
        clock.write(9, 0);
        clock.write(0xA, 0);
        clock.write(0x5, 0);
        assert_eq!(location(&mut clock, 9, 0), 0xA5);
    }

    #[test]
    fn every_day_of_the_century_is_the_one_after_the_last() {
        for day in 0..36_525 {
            let moment = Moment::of(day * DAY + 12_345);
            assert_eq!(moment.seconds(), day * DAY + 12_345);
        }
    }
}
