//! Player and missile DMA, and the hires bug (AHRM 4.6, 4.13, 6.5; Acid800 antic_pmdma, antic_hiresbug).
use crate::rig::Rig;

const DMACTL: u8 = 0;
const PMBASE: u8 = 7;
const VDELAY: u8 = 0x1C;
const GRACTL: u8 = 0x1D;

/// GRAFP0-3 and the missiles' bits after the fetches of a line.
fn shapes(rig: &mut Rig, line: u16) -> ([u8; 4], [u8; 4]) {
    rig.to(line, 20);
    let gtia = &rig.machine.bus().video.gtia;
    (
        std::array::from_fn(|n| gtia.object(n).2),
        std::array::from_fn(|n| gtia.object(4 + n).2 >> 6),
    )
}

fn rig(dmactl: u8) -> Rig {
    Rig::new()
        .gtia_set(&[(GRACTL, 3)])
        .list(&[0x70], 0x20 | dmactl)
}

#[test]
fn one_line_objects_have_a_byte_for_each_line() {
    let mut rig = rig(0x1C);
    rig.antic(0, 20, PMBASE, 0x40);
    for line in [8u16, 57, 247] {
        rig.put(0x4300 + line, &[0b11_10_01_00]);
        for player in 0..4 {
            rig.put(
                0x4400 + 0x100 * player + line,
                &[(line as u8).wrapping_add(0x10 + player as u8)],
            );
        }
    }
    for line in [8u16, 57, 247] {
        let base = (line as u8).wrapping_add(0x10);
        assert_eq!(
            shapes(&mut rig, line),
            ([0, 1, 2, 3].map(|n| base.wrapping_add(n)), [0, 1, 2, 3])
        );
    }
}

#[test]
fn two_line_objects_are_fetched_in_every_line() {
    let mut rig = rig(0x0C);
    rig.antic(0, 20, PMBASE, 0x40);
    rig.put(0x4200 + 20, &[0xAA]);
    rig.put(0x4600 + 20, &[0x55]);
    assert_eq!(shapes(&mut rig, 40).0[0], 0xAA);
    rig.antic(40, 30, PMBASE, 0x44);
    assert_eq!(
        shapes(&mut rig, 41).0[0],
        0x55,
        "the same byte's other place"
    );
    rig.put(0x4580 + 21, &[0x1B]);
    assert_eq!(shapes(&mut rig, 42).1, [3, 2, 1, 0]);
}

#[test]
fn bit_2_of_pmbase_is_kept_while_one_line_objects_ignore_it() {
    let mut rig = rig(0x1C);
    rig.antic(0, 20, PMBASE, 0x44);
    rig.put(0x4400 + 40, &[0x11]);
    rig.put(0x4600 + 20, &[0x22]);
    assert_eq!(shapes(&mut rig, 40).0[0], 0x11);
    rig.antic(40, 30, DMACTL, 0x2C);
    assert_eq!(shapes(&mut rig, 41).0[0], 0x22);
}

#[test]
fn nothing_is_fetched_outside_lines_8_to_247() {
    let mut rig = rig(0x1C);
    rig.antic(0, 20, PMBASE, 0x40);
    rig.put(0x4400, &[0x33; 0x100]);
    rig.put(0x4400 + 247, &[0x77, 0x99, 0x99, 0x99]);
    assert_eq!(shapes(&mut rig, 247).0[0], 0x77);
    for line in [248, 250, 261, 0, 7] {
        assert_eq!(shapes(&mut rig, line).0[0], 0x77, "line {line}");
    }
    assert_eq!(shapes(&mut rig, 8).0[0], 0x33);
}

#[test]
fn gtia_takes_only_what_gractl_lets_it() {
    for (gractl, player, missile) in [(0, 0, 0), (1, 0, 3), (2, 0xF0, 0), (3, 0xF0, 3)] {
        let mut rig = rig(0x1C).gtia_set(&[(GRACTL, gractl)]);
        rig.antic(0, 20, PMBASE, 0x40);
        rig.put(0x4300, &[0xFF; 0x100]);
        rig.put(0x4400, &[0xF0; 0x100]);
        let (players, missiles) = shapes(&mut rig, 50);
        assert_eq!(
            (players[0], missiles[0]),
            (player, missile),
            "GRACTL {gractl}"
        );
    }
}

#[test]
fn vdelay_takes_bytes_in_odd_lines_only() {
    let mut rig = rig(0x1C).gtia_set(&[(VDELAY, 0x10)]);
    rig.antic(0, 20, PMBASE, 0x40);
    let all: Vec<u8> = (0..=255).collect();
    rig.put(0x4400, &all);
    rig.put(0x4500, &all);
    for (line, shown) in [(51, 51), (52, 51), (53, 53), (54, 53)] {
        let players = shapes(&mut rig, line).0;
        assert_eq!(players[..2], [shown, line as u8], "line {line}");
    }
}

#[test]
fn a_hires_mode_in_line_247_keeps_gtia_from_blanking() {
    for (last, dmactl, met) in [
        (0x0F, 0x22, 2),
        (0x02, 0x22, 2),
        (0x0E, 0x22, 0),
        (0x00, 0x22, 0),
        (0x0F, 0x20, 0),
    ] {
        let mut list = [0x70; 31];
        // 29 times 8 lines, then 7, and line 247.
        list[29] = 0x60;
        list[30] = last;
        let mut rig = Rig::new()
            .gtia_set(&[(0x00, 0x80), (0x01, 0x80), (0x0D, 0xFF), (0x0E, 0xFF)])
            .list(&list, dmactl);
        rig.gtia(248, 40, 0x1E, 0);
        assert_eq!(rig.gtia_read(251, 0x0C), met, "last instruction {last:02X}");
    }
}

#[test]
fn player_dma_is_switched_off_and_on_two_cycles_before() {
    for (before, after) in [(0x28, 0x20), (0x20, 0x28)] {
        for written in 0..4 {
            let mut rig = rig(0).list(&[0x70], before);
            rig.antic(20, written, DMACTL, after);
            rig.to(20, 8);
            for cycle in 2..6 {
                let slot = rig.machine.bus().video.antic.slots()[usize::from(cycle)];
                let acting = if cycle >= written + 2 { after } else { before };
                assert_eq!(
                    slot & antic_gtia::slot::SPECIAL != 0,
                    acting & 8 != 0,
                    "{after:02X} written in {written}, cycle {cycle}"
                );
            }
        }
    }
}

/// The pixels of a line from HPOS on, for objects of normal width in colour $3A.
fn shown(frame: &machine::Frame, line: usize, hpos: usize, width: usize) -> u8 {
    let pixels = &frame.line(line)[2 * (hpos - 34)..];
    (0..width).fold(0, |bits, x| bits << 1 | u8::from(pixels[2 * x] == 0x3A))
}

#[test]
fn the_first_halted_cycle_after_a_write_of_gractl_counts_as_the_missiles() {
    // Line 21 has no display list fetch: cycle 0 is the missiles' DMA, 1 the processor's, 2 to 5 the players' DMA.
    // Written in 113 of the line before, GRACTL is on when the missiles' byte comes. Written in 1, it is on from cycle 2, which then
    // counts as the missiles': player 0's byte goes to them, and 4 to 7 count as the players', the last two with the bytes of the JMP.
    let in_step = ([0x1B, 0x81, 0xC3, 0xE7], [0, 1, 2, 3]);
    let late = ([0xC3, 0xE7, 0x4C, 0x05], [3, 2, 1, 0]);
    for (begin, write, line_21) in [(108, (20, 113), in_step), (109, (21, 1), late)] {
        let prepared = || {
            let mut rig = rig(0x1C).gtia_set(&[(GRACTL, 0)]);
            for n in 0..4 {
                let place = 0x10 * n;
                let missile = 0x90 + 4 * n;
                rig = rig.gtia_set(&[(n, 0x50 + place), (4 + n, missile), (0x12 + n, 0x3A)]);
            }
            rig.antic(0, 20, PMBASE, 0x40);
            for (n, data) in (3..).zip([0b11_10_01_00, 0b00_01_10_11, 0x81, 0xC3, 0xE7]) {
                rig.put(0x4000 + 0x100 * n, &[data; 0x100]);
            }
            // LDA #3, STA GRACTL, and JMP to itself at $2005.
            rig.program(20, begin, &[0xA9, 0x03, 0x8D, 0x1D, 0xD0, 0x4C, 0x05, 0x20]);
            rig
        };
        assert_eq!(prepared().writes(20, 0xD01D), [write]);

        let (mut whole, mut steps) = (prepared(), prepared());
        let catch_up = |steps: &mut Rig, whole: &Rig| {
            while steps.machine.now() < whole.machine.now() {
                steps.machine.step_cycle();
            }
        };
        for (line, wanted) in [(21, line_21), (22, in_step)] {
            let found = shapes(&mut whole, line);
            assert_eq!(found, wanted, "written in {write:?}, line {line}");
            catch_up(&mut steps, &whole);
            let found = shapes(&mut steps, line);
            assert_eq!(found, wanted, "the same by single cycles");
        }
        whole.machine.run_frame();
        catch_up(&mut steps, &whole);
        assert!(steps.machine.save_state() == whole.machine.save_state());
        let frame = whole.machine.frame();
        assert!(steps.machine.frame() == frame);
        for (line, (players, missiles)) in [(21, line_21), (22, in_step)] {
            let drawn = (
                std::array::from_fn(|n| shown(frame, line, 0x50 + 0x10 * n, 8)),
                std::array::from_fn(|n| shown(frame, line, 0x90 + 4 * n, 2)),
            );
            assert_eq!(
                drawn,
                (players, missiles),
                "written in {write:?}, picture of line {line}"
            );
        }
    }
}
