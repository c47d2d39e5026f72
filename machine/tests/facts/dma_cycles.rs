//! The cycles that DMA leaves to the CPU, and the final value of the memory scan counter (AHRM 4.11, 4.14; Acid800 antic_dmapattern, cpu_timing).
use crate::rig::{PROGRAM, Rig};

const HSCROL: u8 = 4;

/// Cycles of a line in which the processor runs, by how far two sleds of NOPs come: one begun at once and one after LDA $80.
fn free(rig: &mut Rig, line: u16, watched: bool) -> usize {
    rig.to(line, 0);
    let reached = |first: &[u8]| {
        let mut rig = Rig {
            machine: rig.machine.clone(),
        };
        rig.program(line, 0, &[first, &[0xEA; 80]].concat());
        if watched {
            rig.writes(114, 0x80);
        } else {
            rig.machine.run_cycles(114);
        }
        usize::from(rig.machine.cpu.pc - PROGRAM)
    };
    let (alone, after) = (reached(&[]), reached(&[0xA5, 0x80]));
    // After 2n cycles the first has read n bytes and the other one n + 1; after 2n - 1 both have read n.
    2 * alone - usize::from(alone == after)
}

#[test]
fn the_processor_runs_in_the_cycles_that_dma_leaves() {
    for (modes, blocked) in [
        (&[2, 3, 4, 5][..], [(69, 41), (84, 49), (99, 56)]),
        (&[6, 7], [(44, 25), (52, 29), (60, 33)]),
        (&[8, 9], [(20, 9), (22, 9), (24, 9)]),
        (&[0xA, 0xB], [(28, 9), (32, 9), (36, 9)]),
        (&[0xD], [(44, 9), (52, 9), (59, 9)]),
    ] {
        for &mode in modes {
            for (width, &(first, next)) in (1..).zip(&blocked) {
                let mut rig = Rig::new().list(&[0x70, 0x40 | mode, 0x00, 0x40, 0x70], 0x20 | width);
                for watched in [false, true] {
                    let case = format!("mode {mode:X}, width {width}, watched {watched}");
                    assert_eq!(free(&mut rig, 16, watched), 114 - first, "{case}");
                    assert_eq!(free(&mut rig, 17, watched), 114 - next, "{case}");
                }
            }
        }
    }
    for (mode, blocked) in [
        (0xC, [28, 32, 36]),
        (0xE, [44, 52, 59]),
        (0xF, [44, 52, 59]),
    ] {
        for (width, &blocked) in (1..).zip(&blocked) {
            let mut rig = Rig::new().list(&[0x70, 0x40 | mode, 0x00, 0x40, 0x70], 0x20 | width);
            assert_eq!(free(&mut rig, 16, false), 114 - blocked, "mode {mode:X}");
        }
    }
}

#[test]
fn blank_lines_and_vertical_blank_leave_105_cycles_and_players_take_five_more() {
    for (dmactl, line, left) in [
        (0x22, 11, 105),
        (0x22, 250, 105),
        (0x00, 100, 105),
        (0x26, 11, 104),
        (0x2A, 11, 100),
        (0x3E, 11, 100),
        (0x3E, 250, 105),
    ] {
        let mut rig = Rig::new().list(&[0x70], dmactl);
        assert_eq!(free(&mut rig, line, false), left, "{dmactl:02X} {line}");
    }
}

#[test]
fn every_line_fetches_its_width_in_bytes_even_where_the_cycles_are_virtual() {
    for mode in 2..16u8 {
        let step = match mode {
            2..=5 | 0xD..=0xF => 2,
            8 | 9 => 8,
            _ => 4,
        };
        for width in 1..4u8 {
            for hscrol in (0..16u8).map(Some).chain([None]) {
                let tier = (width + u8::from(hscrol.is_some())).min(3);
                let scrolled = if hscrol.is_some() { 0x10 } else { 0 };
                let list = [0x70, 0x40 | scrolled | mode, 0x00, 0x40, 0x00, 0x70];
                let mut rig = Rig::new().list(&list, 0x20 | width);
                rig.antic(0, 20, HSCROL, hscrol.unwrap_or(0));
                let bytes = [0, 64, 80, 96][usize::from(tier)] / step;
                let case = format!("mode {mode:X}, width {width}, HSCROL {hscrol:?}");
                assert_eq!(rig.scan(17) - 0x4000, bytes, "{case}");
                // Later lines of the mode line fetch nothing.
                assert_eq!(rig.scan(40) - 0x4000, bytes, "{case}");
            }
        }
    }
}

/// VCOUNT at the end of 210 rounds of `op` and the counting, begun in that cycle of line 21.
fn vcount_after(op: &[u8], cycle: u8) -> u8 {
    // LDA ($82),Y needs Y: X counts then, otherwise Y.
    let (load, step) = if op.first() == Some(&0xB1) {
        (0xA2, 0xCA)
    } else {
        (0xA0, 0x88)
    };
    let mut program = vec![load, 210];
    program.extend(op);
    let back = (op.len() + 3) as u8;
    program.extend([step, 0xD0, back.wrapping_neg()]);
    program.extend([0xAD, 0x0B, 0xD4, 0x85, 0x90]);
    let stay = PROGRAM + program.len() as u16;
    program.extend([0x4C, stay as u8, (stay >> 8) as u8]);
    let mut rig = Rig::new();
    rig.put(0x82, &[0x80, 0x30]);
    rig.put(0x02, &[0x80, 0x30]);
    (rig.machine.cpu.x, rig.machine.cpu.y) = (0x80, 0x80);
    if op.first() == Some(&0xBD) || op.first() == Some(&0x9D) || op.first() == Some(&0xFE) {
        rig.machine.cpu.x = 0x7F + op[1] % 2;
    }
    rig.program(21, cycle, &program);
    rig.to(21 + 2 * 13, 0);
    rig.machine.peek(0x90)
}

#[test]
fn loops_in_blank_lines_take_the_lines_of_acid800_cpu_timing() {
    // 210 rounds of n cycles are 2n lines of 105 cycles. From cycle 106 on the last read comes in 110, where VCOUNT is old, from 107
    // on in 111.
    let loops: [(&[u8], u8); 15] = [
        (&[], 5),
        (&[0xEA], 7),
        (&[0xAD, 0x00, 0x30], 9),
        // X = $7F without and $80 with a page crossing.
        (&[0xBD, 0x80, 0x30], 9),
        (&[0xBD, 0x81, 0x30], 10),
        (&[0x9D, 0x80, 0x30], 10),
        (&[0x9D, 0x81, 0x30], 10),
        (&[0xA5, 0x82], 8),
        (&[0xB5, 0x02], 9),
        (&[0xE6, 0xA0], 10),
        (&[0xF6, 0x20], 11),
        (&[0xEE, 0x00, 0x30], 11),
        (&[0xFE, 0x80, 0x30], 12),
        (&[0xB1, 0x82], 11),
        (&[0xA1, 0x02], 11),
    ];
    for (op, lines) in loops {
        assert_eq!(vcount_after(op, 106), 10 + lines, "{op:02X?}, before");
        assert_eq!(vcount_after(op, 107), 11 + lines, "{op:02X?}, after");
    }
}
