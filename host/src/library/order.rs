//! Natural order of names: numbers count as numbers.

/// A text that sorts as its name does: without regard to case, and `Disk 9` before `Disk 10`.
pub fn key(name: &str) -> String {
    let mut key = String::with_capacity(name.len() + 4);
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits == 0 {
            key.extend(first.to_lowercase());
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let number = rest[..digits].trim_start_matches('0');
        // The longer number is the larger one.
        let length = u32::try_from(number.len()).unwrap_or(u32::MAX).min(0x7F);
        key.push('0');
        key.extend(char::from_u32(length));
        key.push_str(number);
        rest = &rest[digits..];
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_count_as_numbers() {
        let sorted = [
            "!first",
            "007",
            "Disk 1",
            "disk 2 side A",
            "Disk 2 side B",
            "disk 09",
            "Disk 10",
            "Disk 100",
            "disk a",
            "\u{E9}t\u{E9} 2",
            "\u{C9}T\u{C9} 10",
        ];
        for pair in sorted.windows(2) {
            assert!(key(pair[0]) < key(pair[1]), "{pair:?}");
        }
        assert_eq!(key("GAME 1"), key("Game 01"));
    }
}
