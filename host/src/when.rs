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
}
