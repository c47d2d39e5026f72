//! The cycles that ANTIC takes, line by line: Acid800 antic_dmapattern and AHRM 4.14.
use antic_gtia::antic::{Antic, Fetch};
use antic_gtia::slot;

/// All memory reads as 0: names, bitmaps and glyphs do not matter here.
struct Zeros;

impl Fetch for Zeros {
    fn fetch(&self, _address: u16) -> u8 {
        0
    }

    fn block(&self, _address: u16) -> Option<&[u8; 0x400]> {
        None
    }
}

/// Runs a line; returns the cycles that the processor cannot use. `list` is the display list, read in order.
fn line(antic: &mut Antic, list: &mut impl Iterator<Item = u8>) -> Vec<usize> {
    let mut taken = Vec::new();
    for cycle in 0..114 {
        antic.catch_up(cycle, &Zeros);
        let event = antic.event(cycle);
        let slot = antic.slots()[cycle];
        let fetches = slot & (slot::NAME | slot::GLYPH | slot::BITMAP) != 0;
        if event.fetch.is_some() {
            antic.instruction(list.next().unwrap_or(0));
            taken.push(cycle);
        } else if slot & (slot::SPECIAL | slot::REFRESH) != 0
            || fetches && slot & slot::VIRTUAL == 0
        {
            taken.push(cycle);
        }
        if slot & slot::SPECIAL != 0 && cycle >= 6 {
            antic.address_byte(cycle, list.next().unwrap_or(0));
        }
    }
    antic.catch_up(114, &Zeros);
    antic.begin_line();
    taken
}

/// First and second line of a mode line with LMS.
fn pattern(instruction: u8, dmactl: u8, hscrol: u8) -> [Vec<usize>; 2] {
    let mut antic = Antic::new(false);
    let mut none = std::iter::empty();
    while antic.line() != 7 {
        line(&mut antic, &mut none);
    }
    antic.write(0x0, dmactl, 20);
    antic.write(0x4, hscrol, 21);
    line(&mut antic, &mut none);
    let mut list = [instruction | 0x40, 0x00, 0x40, 0x41, 0, 0].into_iter();
    [line(&mut antic, &mut list), line(&mut antic, &mut list)]
}

/// Cycles from text like `1 6 28-30`.
fn cycles(text: &str) -> Vec<usize> {
    text.split_whitespace()
        .flat_map(|part| {
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            from.parse::<usize>().unwrap()..=to.parse().unwrap()
        })
        .collect()
}

const REFRESH: &str = "25 29 33 37 41 45 49 53 57";

/// Modes, DMACTL, cycles of the first line, cycles of the next lines.
const PATTERNS: &[(&[u8], u8, &str, &str)] = &[
    (
        &[2, 3, 4, 5],
        0x21,
        "1 6 7 25 26 28-91",
        "25 29-31 33-35 37-39 41-43 45-47 49-51 53-55 57-59 61 63 65 67 69 71 73 75 77 79 81 83 85 87 89 91",
    ),
    (
        &[2, 3, 4, 5],
        0x22,
        "1 6 7 18 20-99",
        "21 23 25-27 29-31 33-35 37-39 41-43 45-47 49-51 53-55 57-59 61 63 65 67 69 71 73 75 77 79 81 83 85 87 89 91 93 95 97 99",
    ),
    (
        &[6, 7],
        0x21,
        "1 6 7 25 26 29-31 33-35 37-39 41-43 45-47 49-51 53-55 57-59 61 62 65 66 69 70 73 74 77 78 81 82 85 86 89",
        "25 29 30 33 34 37 38 41 42 45 46 49 50 53 54 57 58 61 65 69 73 77 81 85 89",
    ),
    (
        &[6, 7],
        0x22,
        "1 6 7 18 21 22 25-27 29-31 33-35 37-39 41-43 45-47 49-51 53-55 57-59 61 62 65 66 69 70 73 74 77 78 81 82 85 86 89 90 93 94 97",
        "21 25 26 29 30 33 34 37 38 41 42 45 46 49 50 53 54 57 58 61 65 69 73 77 81 85 89 93 97",
    ),
    (
        &[8, 9],
        0x21,
        "1 6 7 25 28 29 33 36 37 41 44 45 49 52 53 57 60 68 76 84",
        REFRESH,
    ),
    (
        &[8, 9],
        0x22,
        "1 6 7 20 25 28 29 33 36 37 41 44 45 49 52 53 57 60 68 76 84 92",
        REFRESH,
    ),
    (
        &[0xA, 0xB],
        0x21,
        "1 6 7 25 28 29 32 33 36 37 40 41 44 45 48 49 52 53 56 57 60 64 68 72 76 80 84 88",
        REFRESH,
    ),
    (
        &[0xA, 0xB],
        0x22,
        "1 6 7 20 24 25 28 29 32 33 36 37 40 41 44 45 48 49 52 53 56 57 60 64 68 72 76 80 84 88 92 96",
        REFRESH,
    ),
    (
        &[0xD],
        0x21,
        "1 6 7 25 28-30 32-34 36-38 40-42 44-46 48-50 52-54 56-58 60 62 64 66 68 70 72 74 76 78 80 82 84 86 88 90",
        REFRESH,
    ),
    (
        &[0xD],
        0x22,
        "1 6 7 20 22 24-26 28-30 32-34 36-38 40-42 44-46 48-50 52-54 56-58 60 62 64 66 68 70 72 74 76 78 80 82 84 86 88 90 92 94 96 98",
        REFRESH,
    ),
];

#[test]
fn every_mode_takes_the_cycles_of_acid800_dmapattern() {
    for &(modes, dmactl, first, next) in PATTERNS {
        for &mode in modes {
            let got = pattern(mode, dmactl, 0);
            assert_eq!(
                got[0],
                cycles(first),
                "mode {mode:X}, DMACTL {dmactl:02X}, first line"
            );
            assert_eq!(
                got[1],
                cycles(next),
                "mode {mode:X}, DMACTL {dmactl:02X}, next line"
            );
        }
    }
    // One-line modes: the line after is another instruction. B and C fetch alike, and so do D, E and F.
    for (mode, like) in [(0xC, 0xB), (0xE, 0xD), (0xF, 0xD)] {
        for dmactl in [0x21, 0x22] {
            let row = PATTERNS
                .iter()
                .find(|row| row.0.contains(&like) && row.1 == dmactl);
            let first = cycles(row.unwrap().2);
            assert_eq!(pattern(mode, dmactl, 0)[0], first, "mode {mode:X}");
        }
    }
}

/// Cycles that the processor cannot use by the rules of the manual (4.11, 4.12 and 4.14): playfield fetches before cycle 106, and
/// nine refreshes, each of which may wait for one free cycle.
fn ruled(mode: u8, dmactl: u8, hscrol: Option<u8>, first: bool) -> Vec<usize> {
    let tier = (usize::from(dmactl & 3) + usize::from(hscrol.is_some())).min(3);
    let delay = usize::from(hscrol.unwrap_or(0) / 2);
    let (step, text) = match mode {
        2..=5 => (2, true),
        6 | 7 => (4, true),
        8 | 9 => (8, false),
        0xA..=0xC => (4, false),
        _ => (2, false),
    };
    let count = [0, 64, 80, 96][tier] / step;
    let start = [0, 26, 18, 10][tier] + delay;
    let mut taken = [false; 114];
    let mut fetch = |cycle: usize| {
        if cycle < 106 {
            taken[cycle] = true;
        }
    };
    for i in 0..count {
        if text && first {
            fetch(start + i * step);
        }
        if text {
            fetch(start + 3 + i * step);
        } else if first {
            fetch(start + 2 + i * step);
        }
    }
    let mut waiting = false;
    for (cycle, taken) in taken.iter_mut().enumerate().skip(25) {
        waiting |= cycle <= 57 && (cycle - 25).is_multiple_of(4);
        if waiting && !*taken {
            *taken = true;
            waiting = false;
        }
    }
    if first {
        for cycle in [1, 6, 7] {
            taken[cycle] = true;
        }
    }
    (0..114).filter(|&cycle| taken[cycle]).collect()
}

#[test]
fn every_mode_width_and_scroll_takes_the_cycles_of_the_rules() {
    for mode in 2..16u8 {
        for dmactl in 0x21..=0x23 {
            let tall = !matches!(mode, 0xC | 0xE | 0xF);
            for hscrol in (0..16u8).map(Some).chain([None]) {
                let instruction = mode | if hscrol.is_some() { 0x10 } else { 0 };
                let [first, next] = pattern(instruction, dmactl, hscrol.unwrap_or(0));
                let case = format!("mode {mode:X}, DMACTL {dmactl:02X}, HSCROL {hscrol:?}");
                assert_eq!(first, ruled(mode, dmactl, hscrol, true), "{case}, first");
                if tall {
                    assert_eq!(next, ruled(mode, dmactl, hscrol, false), "{case}, next");
                }
            }
        }
    }
}

#[test]
fn a_refresh_waits_for_one_free_cycle_and_further_ones_are_dropped() {
    // The first line of narrow text has two: before the names, and one that has waited to the end.
    let [first, next] = pattern(2, 0x21, 0);
    let fetched: Vec<usize> = (0..32).flat_map(|i| [26 + 2 * i, 29 + 2 * i]).collect();
    let rest: Vec<usize> = first
        .into_iter()
        .filter(|c| *c > 7 && !fetched.contains(c))
        .collect();
    assert_eq!(rest, [25, 90]);
    // In the other lines glyphs take the cycles of all but the first, and each of these eight waits for the next cycle.
    let glyphs: Vec<usize> = (0..32).map(|i| 29 + 2 * i).collect();
    let rest: Vec<usize> = next.into_iter().filter(|c| !glyphs.contains(c)).collect();
    assert_eq!(rest, cycles("25 30 34 38 42 46 50 54 58"));
}

#[test]
fn wide_playfields_take_the_cycles_that_the_rules_give() {
    for (mode, first, next) in [
        (2, 99, Some(56)),
        (6, 60, None),
        (8, 24, None),
        (0xE, 59, None),
    ] {
        let got = pattern(mode, 0x23, 0);
        assert_eq!(got[0].len(), first, "mode {mode:X}");
        if let Some(next) = next {
            assert_eq!(got[1].len(), next);
            assert_eq!(got[1].last(), Some(&105));
        }
    }
    assert_eq!(
        pattern(2, 0x23, 0)[0].last(),
        Some(&106),
        "the last refresh is pushed to 106"
    );
    assert_eq!(pattern(0xF, 0x23, 0)[0].last(), Some(&104));
}

#[test]
fn scrolled_lines_fetch_one_width_more_half_of_hscrol_later() {
    // Narrow and scrolled by 0 is the normal pattern.
    assert_eq!(pattern(0x1E, 0x21, 0)[0], pattern(0xE, 0x22, 0)[0]);
    assert_eq!(pattern(0x12, 0x22, 0)[0], pattern(2, 0x23, 0)[0]);
    let fetches = |hscrol| {
        let all = pattern(0x1E, 0x21, hscrol)[0].clone();
        all.into_iter().filter(|c| *c > 60).collect::<Vec<_>>()
    };
    let later: Vec<_> = fetches(0).iter().map(|c| c + 3).collect();
    assert_eq!(fetches(7), [vec![61, 63], later].concat());
    // Bit 0 is a delay of the output only.
    assert_eq!(fetches(6), fetches(7));
}

#[test]
fn no_playfield_fetch_takes_the_bus_from_cycle_106_on() {
    for mode in 2..16 {
        for hscrol in 0..16 {
            let got = pattern(0x10 | mode, 0x23, hscrol);
            assert!(
                got[1].iter().all(|&c| c <= 105),
                "mode {mode:X} hscrol {hscrol}"
            );
            // Only a late refresh can be there in the first line.
            assert!(
                got[0].iter().filter(|&&c| c >= 106).count() <= 1,
                "mode {mode:X} hscrol {hscrol}"
            );
        }
    }
}

#[test]
fn blank_lines_leave_105_cycles() {
    let got = pattern(0x70, 0x22, 0);
    assert_eq!(got[1], cycles(REFRESH));
    let mut antic = Antic::new(true);
    let mut none = std::iter::empty();
    for _ in 0..8 {
        assert_eq!(line(&mut antic, &mut none), cycles(REFRESH));
    }
}

#[test]
fn player_dma_forces_missile_dma() {
    let first = |dmactl| {
        let all = pattern(0x70, dmactl, 0)[1].clone();
        all.into_iter().filter(|c| *c < 8).collect::<Vec<_>>()
    };
    assert_eq!(first(0x28), cycles("0 2-5"));
    assert_eq!(first(0x2C), cycles("0 2-5"));
    assert_eq!(first(0x24), cycles("0"));
    assert_eq!(first(0x20), cycles(""));
}

#[test]
fn vcount_steps_in_cycle_111_and_shows_the_end_of_the_frame_for_one_cycle() {
    for (pal, highest) in [(false, 0x83), (true, 0x9C)] {
        let mut antic = Antic::new(pal);
        let mut none = std::iter::empty();
        while antic.line() != 5 {
            line(&mut antic, &mut none);
        }
        assert_eq!([110, 111, 113].map(|c| antic.read(0xB, c)), [2, 3, 3]);
        while antic.line() + 1 != antic.lines() {
            line(&mut antic, &mut none);
        }
        assert_eq!(
            [110, 111, 112, 113].map(|c| antic.read(0xB, c)),
            [highest - 1, highest, 0, 0]
        );
    }
}

#[test]
fn unreadable_registers_read_ff() {
    let antic = Antic::new(false);
    for register in [0x0, 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7, 0x8, 0x9, 0xA, 0xE] {
        assert_eq!(antic.read(register, 50), 0xFF);
        assert_eq!(antic.read(register | 0x20, 50), 0xFF);
    }
}

#[test]
fn the_display_list_counter_wraps_in_1k_and_the_scan_counter_in_4k() {
    let mut antic = Antic::new(false);
    let mut none = std::iter::empty();
    while antic.line() != 7 {
        line(&mut antic, &mut none);
    }
    antic.write(0x2, 0xFF, 10);
    antic.write(0x3, 0x27, 11);
    antic.write(0x0, 0x22, 20);
    line(&mut antic, &mut none);
    // LMS in the last byte of the 1K, its operand at the beginning.
    let mut list = [0x4E, 0xF0, 0x3F].into_iter();
    line(&mut antic, &mut list);
    assert_eq!(antic.display_list(), 0x2402);
    assert_eq!(antic.memory_scan(), 0x3018);
}
