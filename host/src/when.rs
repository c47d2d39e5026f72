//! Times in words.
use std::time::SystemTime;

/// How long ago something was, in words.
pub fn ago(then: SystemTime) -> String {
    let minutes = SystemTime::now()
        .duration_since(then)
        .unwrap_or_default()
        .as_secs()
        / 60;
    match minutes {
        0 => "just now".to_owned(),
        1..60 => format!("{minutes} min ago"),
        60..1440 => format!("{} h ago", minutes / 60),
        1440..2880 => "yesterday".to_owned(),
        _ => format!("{} days ago", minutes / 1440),
    }
}

/// Date and time in Greenwich, to the minute.
pub fn date(then: SystemTime) -> String {
    let since = then.duration_since(SystemTime::UNIX_EPOCH);
    let minutes = since.unwrap_or_default().as_secs() / 60;
    let (hour, minute) = (minutes / 60 % 24, minutes % 60);
    let mut day = minutes / 1440;
    let mut year = 1970;
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let length = |year| 365 + u64::from(is_leap(year));
    while day >= length(year) && year < 9999 {
        day -= length(year);
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < days {
            break;
        }
        day -= days;
        month += 1;
    }
    format!("{year}-{month:02}-{:02} {hour:02}:{minute:02} UTC", day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn times_are_said_in_their_unit() {
        for (minutes, words) in [
            (0, "just now"),
            (59, "59 min ago"),
            (60, "1 h ago"),
            (1439, "23 h ago"),
            (1440, "yesterday"),
            (2880, "2 days ago"),
        ] {
            let then = SystemTime::now() - Duration::from_secs(minutes * 60 + 5);
            assert_eq!(ago(then), words);
        }
        assert_eq!(
            ago(SystemTime::now() + Duration::from_secs(100)),
            "just now"
        );
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (951_868_799, "2000-02-29 23:59 UTC"),
            (951_868_800, "2000-03-01 00:00 UTC"),
            (1_735_689_599, "2024-12-31 23:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
        ] {
            let then = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            assert_eq!(date(then), text);
        }
    }
}
