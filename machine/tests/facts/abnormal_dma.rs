//! Playfield DMA that has missed its stop (AHRM 4.12; Acid800 antic_hscrolbug). In all these lines the DMA clock continues through
//! horizontal blank; from cycle 8 on each fetch steps the line buffer's counter.
use crate::rig::Rig;

const DMACTL: u8 = 0;
const HSCROL: u8 = 4;
const VSCROL: u8 = 5;
/// Colours of %00 to %11 in mode E.
const PIXELS: [u8; 4] = [0x00, 0x10, 0x2E, 0x30];

fn rig(list: &[u8], dmactl: u8) -> Rig {
    let mut rig = Rig::new()
        .gtia_set(&[(0x16, PIXELS[1]), (0x17, PIXELS[2]), (0x18, PIXELS[3])])
        .list(list, dmactl);
    rig.put(0x4000, &[0; 0x200]);
    rig
}

/// The stop of `line` misses: HSCROL is `other` when it comes, and `hscrol` again after it.
fn miss_stop(rig: &mut Rig, line: u16, other: u8, hscrol: u8) {
    rig.antic(line, 78, HSCROL, other);
    rig.antic(line, 108, HSCROL, hscrol);
}

/// Colour clocks of a line of the last frame that show %11.
fn lit(rig: &Rig, line: usize) -> Vec<usize> {
    let row = rig.machine.frame().line(line);
    (34..222)
        .filter(|x| row[2 * (x - 34)] == PIXELS[3])
        .collect()
}

fn end_frame(rig: &mut Rig) {
    rig.to(60, 0);
    rig.machine.run_frame();
}

/// The four pixels of a byte.
fn pixels(byte: u8) -> [u8; 4] {
    [6, 4, 2, 0].map(|shift| PIXELS[usize::from(byte >> shift & 3)])
}

#[test]
fn place_18_of_the_buffer_is_shown_six_places_early_behind_a_missed_stop() {
    // Line 17 is the first of mode D's two: 47 bytes in line 16, 10 before the start, then 18 to place $18 of the buffer.
    let mut rig = rig(&[0x70, 0x5E, 0x00, 0x40, 0x1D, 0x00, 0x70], 0x21);
    rig.put(0x4000 + 47 + 10 + 18, &[0xFF]);
    miss_stop(&mut rig, 16, 2, 0);
    end_frame(&mut rig);
    assert_eq!(lit(&rig, 17), [0x78, 0x79, 0x7A, 0x7B]);
    // The stop of line 17 has ended it.
    assert_eq!(lit(&rig, 18), [0x90, 0x91, 0x92, 0x93]);
}

#[test]
fn with_hscrol_2_and_4_the_fetches_go_on_in_the_other_cycles() {
    // The fetch of the list would come between, so its DMA is off and mode D's two lines repeat: 16 and 17, 18 and 19.
    let mut rig = rig(&[0x70, 0x5D, 0x00, 0x40], 0x21);
    rig.antic(0, 30, HSCROL, 2);
    rig.antic(16, 108, DMACTL, 0x01);
    rig.put(0x4000 + 40 + 10 + 18, &[0xFF]);
    miss_stop(&mut rig, 17, 4, 2);
    end_frame(&mut rig);
    assert_eq!(lit(&rig, 18), [0x7A, 0x7B, 0x7C, 0x7D]);
    assert_eq!(lit(&rig, 19), [0x92, 0x93, 0x94, 0x95]);
}

#[test]
fn the_fifteen_places_without_memory_show_ff() {
    // Wide: two places more before the start, so the last two of 48 fetches, in 104 and 106, are places 48 and 49. First a line that
    // only shows the buffer, then one that loads it.
    // (What is in 212 to 215 came from the processor's bus in line 16.)
    let seen = |rig: &Rig| -> Vec<usize> {
        let all = lit(rig, 17).into_iter();
        all.filter(|x| !(212..216).contains(x)).collect()
    };
    let wanted: Vec<usize> = (216..222).collect();
    let mut replay = rig(&[0x70, 0x5D, 0x00, 0x40, 0x70], 0x23);
    miss_stop(&mut replay, 16, 2, 0);
    end_frame(&mut replay);
    assert_eq!(seen(&replay), wanted);
    let mut load = rig(&[0x70, 0x5E, 0x00, 0x40, 0x1D, 0x00, 0x70], 0x23);
    miss_stop(&mut load, 16, 2, 0);
    end_frame(&mut load);
    assert_eq!(seen(&load), wanted);
}

/// A line whose clock runs in even cycles from the line before and in odd ones from its own start on: line 17, in which the buffer's
/// place is 6 + (cycle - 20), and the byte 0x4000 + 57 + (cycle - 20), from cycle 20 to 100.
fn every_cycle(list: &[u8]) -> Rig {
    let mut rig = rig(list, 0x21);
    for i in 0..=255u8 {
        rig.put(0x4000 + u16::from(i), &[i.wrapping_mul(0x6B) ^ 0x35]);
    }
    rig.antic(16, 78, HSCROL, 2);
    rig.antic(17, 108, HSCROL, 0);
    end_frame(&mut rig);
    rig
}

#[test]
fn the_buffer_s_counter_comes_to_its_first_place_again_after_63() {
    let rig = every_cycle(&[0x70, 0x5E, 0x00, 0x40, 0x1D, 0x00, 0x70]);
    let memory = |i: usize| rig.machine.peek(0x4000 + i as u16);
    let row = rig.machine.frame().line(18);
    // Line 18 shows place 6 + k in cycle 20 + 2k: places 10 to 22 hold what was fetched from cycle 77 on, 30 to 41 the first round.
    for place in (10..=22).chain(30..42) {
        let cycle = if place <= 22 {
            77 + place
        } else {
            20 + place - 6
        };
        let x = 48 + 4 * (place - 6);
        let found: Vec<u8> = (x..x + 4).map(|x| row[2 * (x - 34)]).collect();
        assert_eq!(found, pixels(memory(57 + cycle - 20)), "place {place}");
    }
}

#[test]
fn fetches_side_by_side_show_the_byte_of_the_next_one_ored_to_what_is_left() {
    let rig = every_cycle(&[0x70, 0x5E, 0x00, 0x40, 0x1E, 0x00, 0x70]);
    let memory = |cycle: usize| rig.machine.peek(0x4000 + 57 + cycle as u16 - 20);
    let row = rig.machine.frame().line(17);
    // Places 6 to 47: cycles 20 to 61. Each cycle shifts out four bits.
    for cycle in 30..60 {
        let byte = memory(cycle + 1) | memory(cycle) << 4;
        let x = 2 * cycle + 8;
        let found = [row[2 * (x - 34)], row[2 * (x + 1 - 34)]];
        assert_eq!(found, pixels(byte)[..2], "cycle {cycle}");
    }
    // Places without memory.
    for cycle in 64..74 {
        let x = 2 * cycle + 8;
        assert_eq!(row[2 * (x - 34)], PIXELS[3], "cycle {cycle}");
    }
}

#[test]
fn fetches_of_names_glyphs_and_the_list_in_one_cycle_get_the_byte_at_the_and_of_their_addresses() {
    // Mode 2 in single lines, by rows 7 to 7 of a region; names at $4000, glyphs at $2000: both in page 0 when they fall together.
    let list = [0x70, 0x72, 0x00, 0x40, 0x12, 0x00, 0x70];
    let mut rig = rig(&list, 0x21).gtia_set(&[(0x17, 0x0E), (0x18, 0x30)]);
    rig.put(0x2000, &[0; 0x400]);
    rig.put(0x0000, &[0xFF; 0x100]);
    rig.antic(0, 20, 9, 0x20);
    rig.antic(0, 24, VSCROL, 7);
    // The instruction of line 17, at $0604, is fetched together with row 7 of a glyph, $2007 to $23FF.
    rig.put(0x0004, &[0x12]);
    rig.put(0x0204, &[0x12]);
    // The end row of line 17 is 0.
    rig.antic(16, 20, VSCROL, 0);
    rig.antic(16, 78, HSCROL, 2);
    // To an end.
    rig.antic(17, 100, DMACTL, 0x01);
    rig.antic(18, 20, HSCROL, 0);
    rig.antic(20, 20, DMACTL, 0x21);
    end_frame(&mut rig);
    let row = |line: usize| &rig.machine.frame().line(line)[2 * (70 - 34)..2 * (180 - 34)];
    assert!(row(16).iter().all(|&c| c == 0x30), "plain: glyphs of 0");
    assert!(row(17).iter().all(|&c| c == 0x3E), "bytes of page 0");
}

#[test]
fn bit_7_of_a_name_acts_on_what_the_last_glyph_left_in_the_shift_register() {
    // Mode 2 with inversion. The names are 0, whose glyphs are $0F, and $81, whose glyphs are 0, in turn.
    let mut rig =
        rig(&[0x70, 0x52, 0x00, 0x40, 0x70], 0x21).gtia_set(&[(0x17, 0x0E), (0x18, 0x30)]);
    rig.put(0x4000, &[0x00, 0x81].repeat(20));
    rig.put(0x2000, &[0x0F; 8]);
    rig.put(0x2008, &[0x00; 8]);
    rig.antic(0, 20, 9, 0x20);
    rig.antic(0, 24, 1, 2);
    rig.antic(16, 78, HSCROL, 2);
    end_frame(&mut rig);
    // In line 17 a glyph comes in each cycle, and half of the last one is left: $0F by itself, or $F0 inverted.
    let row = rig.machine.frame().line(17);
    assert!(
        row[2 * (66 - 34)..2 * (116 - 34)]
            .iter()
            .all(|&c| c == 0x30)
    );
    // A line without all that: $0F and $FF.
    let row = rig.machine.frame().line(16);
    let plain = &row[2 * (66 - 34)..2 * (116 - 34)];
    assert!(plain.contains(&0x30) && plain.contains(&0x3E));
}

#[test]
fn what_abnormal_fetches_show_collides_as_any_playfield() {
    // As above; the byte at the left edge, $40, is that of cycle 28. Players 0 to 3: left edge, right edge, both ends of the $FF.
    let mut rig = rig(&[0x70, 0x5E, 0x00, 0x40, 0x1E, 0x00, 0x70], 0x21).gtia_set(&[
        (0, 0x40),
        (1, 0xBF),
        (2, 0x78),
        (3, 0x7B),
        (0x0D, 0x80),
        (0x0E, 0x80),
        (0x0F, 0x80),
        (0x10, 0x80),
    ]);
    rig.put(0x4000 + 47 + 10 + 4, &[0x40]);
    rig.put(0x4000 + 47 + 10 + 18, &[0xFF]);
    miss_stop(&mut rig, 16, 2, 0);
    rig.gtia(17, 10, 0x1E, 0);
    rig.to(18, 0);
    let hits: [u8; 4] = std::array::from_fn(|n| rig.machine.peek(0xD004 + n as u16));
    assert_eq!(hits, [0x01, 0x00, 0x04, 0x04]);
}

/// In which of the eight lines of mode 8 after a line of `before` (with HSCROL) the DMA clock has more bits than its own one.
fn wild_lines(before: u8, hscrol: u8, mode_8: u8) -> Vec<bool> {
    let mut rig = rig(&[0x70, before | 0x40, 0x00, 0x40, mode_8, 0x00, 0x70], 0x22);
    rig.antic(0, 20, HSCROL, hscrol);
    let first = 16
        + match before & 15 {
            2 | 4 | 6 => 8,
            0xA => 4,
            0xD => 2,
            _ => 1,
        };
    let start = if mode_8 & 0x10 != 0 {
        12 + hscrol / 2
    } else {
        20
    };
    (first..first + 8)
        .map(|line| {
            rig.to(line, 113);
            let slots = &rig.machine.bus().video.antic.slots()[8..105];
            let clean = |(i, slot): (usize, &u8)| {
                slot & antic_gtia::slot::BITMAP == 0
                    || i + 8 >= usize::from(start) && (i + 8 - usize::from(start)) % 8 == 0
            };
            !slots.iter().enumerate().all(clean)
        })
        .collect()
}

#[test]
fn modes_8_and_9_behind_far_scrolled_lines_run_wild_as_long_as_the_manual_says() {
    // AHRM 4.7, the bug of modes 8 and 9.
    let lasting = |lines: &[bool]| lines.iter().all(|&wild| wild);
    let within = |lines: &[bool], count: usize| lines[0] && !lines[count..].contains(&true);
    for before in [0x12, 0x14, 0x1D, 0x1E, 0x1F] {
        for hscrol in [0xA, 0xB, 0xE, 0xF] {
            let lines = wild_lines(before, hscrol, 0x08);
            assert!(lasting(&lines), "{before:02X} {hscrol:X}: {lines:?}");
        }
        for hscrol in [0xC, 0xD] {
            let lines = wild_lines(before, hscrol, 0x08);
            assert!(within(&lines, 2), "{before:02X} {hscrol:X}: {lines:?}");
        }
        for hscrol in 0xA..=0xF {
            let lines = wild_lines(before, hscrol, 0x18);
            assert!(
                within(&lines, 3),
                "{before:02X} {hscrol:X}, scrolled: {lines:?}"
            );
        }
    }
    for before in [0x16, 0x1A, 0x1C] {
        for hscrol in [0xE, 0xF] {
            let lines = wild_lines(before, hscrol, 0x08);
            assert!(lasting(&lines), "{before:02X} {hscrol:X}: {lines:?}");
            let lines = wild_lines(before, hscrol, 0x18);
            assert!(
                within(&lines, 2),
                "{before:02X} {hscrol:X}, scrolled: {lines:?}"
            );
        }
    }
}

#[test]
fn bits_left_in_the_slow_clock_turn_by_two_a_line_and_end_where_they_meet_the_stop() {
    // AHRM 4.12: HSCROL 0 to 8 (the manual's patterns; its text says $04, which is two cycles and not four), to 4 and to 2 within a
    // scrolled line of mode 8. The cycles of fetches, modulo 8, between the start and the stop.
    let turning = |other: u8| -> Vec<Vec<usize>> {
        let mut rig = rig(&[0x70, 0x58, 0x00, 0x40, 0x00, 0x70], 0x21);
        rig.antic(16, 78, HSCROL, other);
        (17..24)
            .map(|line| {
                rig.to(line, 113);
                let slots = rig.machine.bus().video.antic.slots();
                let mut phases: Vec<usize> = (30..80)
                    .filter(|&c| slots[c] & antic_gtia::slot::BITMAP != 0)
                    .map(|c| c % 8)
                    .collect();
                phases.sort_unstable();
                phases.dedup();
                phases
            })
            .collect()
    };
    // The start is in 18, the fetch in 20: phase 4. The old bits, 114 cycles later, are in 4 - 2 = 2, then in 0, 6...
    let eight = turning(8);
    assert_eq!(eight[0], [0, 2]);
    assert_eq!(eight[1], [0], "the stop takes out both");
    assert!(eight[2..].iter().all(Vec::is_empty), "{eight:?}");
    let four = turning(4);
    assert_eq!(four[0], [2, 6]);
    assert_eq!(four[1], [0, 6]);
    assert_eq!(four[2], [6], "the stop takes out both");
    assert!(four[3..].iter().all(Vec::is_empty), "{four:?}");
    let two = turning(2);
    for (line, phases) in two.iter().enumerate() {
        // Bits in even cycles never meet a stop in odd ones.
        let old = [2, 0, 6, 4][line % 4];
        let mut wanted = vec![old, 5];
        wanted.sort_unstable();
        assert_eq!(*phases, wanted, "line {line}: {two:?}");
    }
}

#[test]
fn even_and_odd_fetches_make_mode_8_shift_twice_as_fast() {
    // Line 17 has fetches in 10, 18, 26... from line 16 and in 21, 29... of its own: places 0, 1, 2 (in 21), 3 (in 26) and so on.
    let mut rig = rig(&[0x70, 0x58, 0x00, 0x40, 0x00, 0x70], 0x21);
    let bytes = [
        0xE4, 0x1B, 0xB1, 0x4E, 0x2D, 0x63, 0x9C, 0x72, 0x8D, 0xD8, 0x36,
    ];
    rig.put(0x4000, &bytes);
    rig.antic(16, 78, HSCROL, 2);
    end_frame(&mut rig);
    let row = rig.machine.frame().line(17);
    // A load is ORed to what is left; two bits leave the register every two colour clocks.
    let mut register = 0u8;
    let mut place = 2;
    for x in 50..124 {
        let cycle = (x - 8) / 2;
        if x % 2 == 0 {
            register <<= 2;
            if cycle % 8 == 5 || cycle > 21 && cycle % 8 == 2 {
                register |= bytes[place];
                place += 1;
            }
        }
        // Before that, what line 17's first fetches left is out by 58.
        if x >= 64 {
            assert_eq!(
                row[2 * (x - 34)],
                PIXELS[usize::from(register >> 6)],
                "at {x}"
            );
        }
    }
    assert_eq!(place, bytes.len());
}

#[test]
fn fetches_in_cycles_0_to_7_do_not_start_the_shift_clock() {
    // A line of mode 2 (only row 7) whose names continue in even cycles and glyphs in odd ones, then mode 8 with bits in all even cycles:
    // only the glyph in cycle 1, with which its instruction is fetched from $0004 or $0204, was in an odd one.
    let mut rig = rig(&[0x70, 0x72, 0x00, 0x40, 0x18, 0x00, 0x70], 0x21);
    rig.put(0x0004, &[0x18]);
    rig.put(0x0204, &[0x18]);
    rig.put(0x4000, &[0x30, 0, 0, 0].repeat(64));
    rig.put(0x2000, &[0; 0x400]);
    rig.antic(0, 20, 9, 0x20);
    rig.antic(0, 24, VSCROL, 7);
    rig.antic(16, 20, VSCROL, 0);
    miss_stop(&mut rig, 16, 2, 0);
    end_frame(&mut rig);
    // $30 comes every 16 colour clocks; its second pair is seen when two bits have been shifted out, for four.
    let lit = lit(&rig, 17);
    let lit: Vec<usize> = lit.into_iter().filter(|x| (70..180).contains(x)).collect();
    let first = *lit.iter().find(|x| !lit.contains(&(*x - 1))).unwrap();
    let wanted = (0..8).flat_map(|i| (0..4).map(move |x| first + 16 * i + x));
    let wanted: Vec<usize> = wanted.filter(|x| *x < 180).collect();
    let after: Vec<usize> = lit.into_iter().filter(|x| *x >= first).collect();
    assert_eq!(after, wanted);
}

/// Bytes that line 17 steps the scan counter by after its list has set it. The playfield is switched off in line 16, and on again in
/// cycle `on` of `line`. The rule is that of the reference picture mid_dmactl_off: its lines 61 to 67, 69 to 75, 77, and from 80 on.
fn steps(line: u16, on: u8) -> u16 {
    let mut rig = rig(&[0x70, 0x4E, 0x00, 0x40, 0x4E, 0x00, 0x41], 0x22);
    rig.antic(16, 83, DMACTL, 0x20);
    rig.antic(line, on, DMACTL, 0x22);
    rig.scan(18) - 0x4100
}

#[test]
fn a_playfield_switched_off_before_its_stop_stops_if_it_is_on_at_the_end_of_the_line() {
    for on in [106, 109, 110, 111, 112] {
        assert_eq!(steps(16, on), 40, "cycle {on}");
    }
}

#[test]
fn switched_on_in_the_next_line_it_has_missed_its_stop() {
    // The list's address comes in cycles 6 and 7; the fetches of cycles 8 to 18 come before the usual forty.
    for on in [8, 9, 12, 16] {
        assert_eq!(steps(17, on), 46, "cycle {on}");
    }
}

#[test]
fn the_fetch_in_cycle_6_reads_the_lists_address_at_the_and_of_both_addresses() {
    // 50 fetches so far. The list is at $0604 and $0605: the low byte comes from $0604 AND $4032, which holds 0.
    for on in [0, 2, 5] {
        let mut rig = rig(&[0x70, 0x4E, 0x00, 0x40, 0x4E, 0x90, 0x41], 0x22);
        rig.antic(16, 83, DMACTL, 0x20);
        rig.antic(17, on, DMACTL, 0x22);
        rig.put(0x0000, &[0x20; 8]);
        assert_eq!(rig.scan(18), 0x4120 + 46, "cycle {on}");
    }
}

#[test]
fn still_off_at_the_start_it_does_not_go_on() {
    for on in [17, 18, 40] {
        assert_eq!(steps(17, on), 6, "cycle {on}");
    }
}
