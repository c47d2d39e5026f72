//! NMIs of ANTIC and IRQs of POKEY as they reach the processor (AHRM 4.8; Acid800 antic_nmist, antic_dlitiming, antic_blockednmi,
//! cpu_bugs, pokey_irqtiming).
use crate::rig::{IRQ_SEEN, NMI_SEEN, PROGRAM, Rig};
use machine::{Config, Machine, Model, Tv};

const NMIEN: u8 = 0x0E;
const NMIST: u8 = 0x0F;

#[test]
fn nmist_holds_either_the_dli_or_the_vertical_blank_whether_or_not_enabled() {
    let mut rig = Rig::new().list(&[0x70, 0xF0], 0x20);
    assert_eq!(rig.antic_read(23, 6, NMIST), 0x5F);
    assert_eq!(rig.antic_read(23, 7, NMIST), 0x9F);
    assert_eq!(rig.antic_read(248, 6, NMIST), 0x9F);
    assert_eq!(rig.antic_read(248, 7, NMIST), 0x5F);
}

#[test]
fn nmires_does_not_retract_an_nmi() {
    let mut rig = Rig::new();
    rig.antic(247, 50, NMIEN, 0x40);
    rig.antic(248, 8, NMIST, 0);
    assert_eq!(rig.writes(60, NMI_SEEN).len(), 1);
    assert_eq!(rig.antic_read(249, 0, NMIST), 0x1F);
}

#[test]
fn an_nmi_enabled_in_cycle_7_begins_a_cycle_later() {
    for (enabled, first, write) in [
        // Boundaries of instructions in even cycles: 10 is in time, but not when enabled in 7.
        (5, 4, 10 + 9),
        (7, 4, 12 + 9),
        // In odd cycles 11 is in time for both.
        (5, 5, 11 + 9),
        (7, 5, 11 + 9),
    ] {
        let mut rig = Rig::new();
        rig.program(248, first, &[0xEA; 40]);
        rig.antic(248, enabled, NMIEN, 0x40);
        assert_eq!(
            rig.writes(30, NMI_SEEN),
            [(248, write)],
            "{enabled} {first}"
        );
    }
}

#[test]
fn an_nmi_that_is_not_enabled_stays_away_whatever_happens_in_cycle_9() {
    // GTIA waits for bytes on the bus in these cycles.
    let mut rig = Rig::new().gtia_set(&[(0x1D, 3)]).list(&[0x70, 0xF0], 0x20);
    rig.to(20, 0);
    assert!(rig.writes(5 * 114, NMI_SEEN).is_empty(), "DLI");
    // A write on its way acts in cycle 9.
    let mut rig = Rig::new();
    rig.antic(248, 8, 0, 0x02);
    assert!(rig.writes(114, NMI_SEEN).is_empty(), "vertical blank");
}

#[test]
fn a_brk_from_cycle_4_on_swallows_the_nmi_and_from_5_to_9_is_taken_over() {
    for begin in 3..=9 {
        let mut rig = Rig::new();
        rig.antic(247, 50, NMIEN, 0x40);
        rig.program(248, begin, &[0x00, 0xEA, 0xEA, 0x4C, 0x03, 0x20]);
        let mut copy = Rig {
            machine: rig.machine.clone(),
        };
        let nmi = !rig.writes(60, NMI_SEEN).is_empty();
        let brk = !copy.writes(60, IRQ_SEEN).is_empty();
        let wanted = match begin {
            4 => (false, true),
            5..=9 => (true, false),
            _ => (true, true),
        };
        assert_eq!((nmi, brk), wanted, "BRK in cycle {begin}");
        if (5..=9).contains(&begin) {
            let s = 0x0100 + u16::from(rig.machine.cpu.s);
            let pushed: Vec<u8> = (0..3).map(|i| rig.machine.peek(s - 2 + i)).collect();
            let [low, high] = (PROGRAM + 2).to_le_bytes();
            assert_eq!(pushed[0] & 0x30, 0x30, "B is set");
            assert_eq!(pushed[1..], [low, high]);
        }
    }
}

#[test]
fn a_timer_irq_begins_its_sequence_13_16_or_19_cycles_after_stimer() {
    for n in 0..=8 {
        let mut rig = Rig::new();
        rig.to(40, 59);
        let mut bus = rig.machine.pins();
        for (register, data) in [(0x0F, 3), (8, 0x40), (0, n)] {
            bus.write(0xD200 + register, data);
        }
        rig.machine.cpu.set_p(0);
        // STA STIMER writes in 63; JMP * begins instructions in 64, 67, 70...
        rig.program(40, 60, &[0x8D, 0x09, 0xD2, 0x4C, 0x03, 0x20]);
        // What was under way before STIMER has fired by 66.
        rig.to(40, 67);
        rig.machine.pins().write(0xD20E, 1);
        let begin = 63 + 13 + 3 * (n / 3);
        let writes = rig.writes(45, IRQ_SEEN);
        assert_eq!(writes.first(), Some(&(40, begin + 9)), "AUDF1 = {n}");
    }
}

/// True if a timer's IRQ, which IRQST shows from cycle 91 on, comes when IRQEN is written in that cycle.
fn irq_despite(before: u8, after: u8, cycle: u8) -> bool {
    let mut rig = Rig::new();
    rig.to(40, 59);
    for (register, data) in [(0x0F, 3), (8, 0x40), (0, 20)] {
        rig.machine.pins().write(0xD200 + register, data);
    }
    rig.to(40, 63);
    rig.machine.pins().write(0xD209, 0);
    rig.to(40, 70);
    rig.machine.pins().write(0xD20E, before);
    rig.machine.cpu.set_p(0);
    rig.machine.cpu.a = after;
    rig.program(40, cycle - 3, &[0x8D, 0x0E, 0xD2, 0x4C, 0x03, 0x20]);
    // The next one, 24 cycles later, would be seen in the next line.
    rig.writes(60, IRQ_SEEN).iter().any(|at| at.0 == 40)
}

#[test]
fn irqen_disables_up_to_two_cycles_before_the_sequence_would_begin() {
    // IRQST at 91, the sequence at 94.
    assert!(!irq_despite(1, 0, 91));
    assert!(!irq_despite(1, 0, 92));
    assert!(irq_despite(1, 0, 93));
}

#[test]
fn irqen_enables_up_to_four_cycles_before_the_sequence_would_begin() {
    assert!(irq_despite(0, 1, 90));
    assert!(!irq_despite(0, 1, 91));
}

/// Distance from [`PROGRAM`] of the address that an NMI has pushed: `program`, begun in that cycle of line 22, is interrupted by the DLI of line
/// 23.
fn pushed(begin: u8, program: &[u8]) -> u16 {
    let mut rig = Rig::new().list(&[0x70, 0xF0], 0x20);
    rig.antic(22, 50, NMIEN, 0x80);
    rig.program(22, begin, program);
    assert_eq!(rig.writes(60, NMI_SEEN).len(), 1);
    // The handler has returned.
    let s = 0x0100 + u16::from(rig.machine.cpu.s);
    let address = u16::from_le_bytes([rig.machine.peek(s - 1), rig.machine.peek(s)]);
    address - PROGRAM
}

#[test]
fn a_dli_interrupts_sleds_where_acid800_dlitiming_says() {
    let nops = [0xEA; 60];
    assert_eq!(pushed(105, &nops), 0x0A, "the sequence begins in 11");
    // PHA takes 105 to 107.
    assert_eq!(pushed(105, &[&[0x48], &nops[..]].concat()), 0x09, "in 10");
    let loads = [0xA5, 0x80].repeat(30);
    for (before, address) in [(0, 0x0E), (1, 0x0D), (2, 0x0C)] {
        let sled = [&nops[..before], &loads].concat();
        assert_eq!(pushed(105, &sled), address, "behind {before} NOPs");
    }
}

#[test]
fn nmires_clears_a_dli_from_cycle_8_on() {
    for (cycle, nmist) in [(7, 0x9F), (8, 0x1F)] {
        let mut rig = Rig::new().list(&[0x70, 0xF0], 0x20);
        rig.antic(23, cycle, NMIST, 0);
        assert_eq!(rig.antic_read(23, 20, NMIST), nmist, "cycle {cycle}");
    }
}

#[test]
fn nmien_acts_on_a_dli_up_to_cycle_7_and_takes_it_away_up_to_6() {
    for (before, cycle, after, comes) in [
        (0x00, 7, 0x80, true),
        (0x00, 8, 0x80, false),
        (0x80, 6, 0x00, false),
        (0x80, 7, 0x00, true),
    ] {
        // Also when GTIA looks at the bus in each of these cycles.
        for gractl in [0, 3] {
            let mut rig = Rig::new()
                .gtia_set(&[(0x1D, gractl)])
                .list(&[0x70, 0xF0], 0x20);
            rig.antic(22, 50, NMIEN, before);
            rig.antic(23, cycle, NMIEN, after);
            // What came too late is not remembered.
            let writes = rig.writes(20 * 114, NMI_SEEN);
            assert_eq!(writes.len(), usize::from(comes), "{after:02X} in {cycle}");
        }
    }
}

#[test]
fn a_swallowed_nmi_shows_in_nmist() {
    let mut rig = Rig::new();
    rig.antic(247, 50, NMIEN, 0x40);
    rig.program(248, 4, &[0x00, 0xEA, 0xEA, 0x4C, 0x03, 0x20]);
    assert!(rig.writes(114, NMI_SEEN).is_empty());
    assert_eq!(rig.antic_read(250, 0, NMIST), 0x5F);
}

#[test]
fn an_irq_from_cycle_4_on_swallows_the_nmi_and_from_5_to_9_is_taken_over() {
    for begin in 3..=9u8 {
        let mut rig = Rig::new();
        rig.antic(247, 20, NMIEN, 0x40);
        for (register, data) in [(0x0F, 3), (8, 0x40), (0, 20), (9, 0), (0x0E, 1)] {
            rig.machine.pins().write(0xD200 + register, data);
        }
        rig.machine.cpu.set_p(4);
        // The timer's IRQ has been waiting for a long time when CLI comes; NOP is still run.
        let (line, cycle) = if begin < 4 {
            (247, 114 + begin - 4)
        } else {
            (248, begin - 4)
        };
        rig.program(line, cycle, &[0x58, 0xEA, 0xEA, 0xEA, 0x4C, 0x04, 0x20]);
        // Nothing but the first of the IRQs.
        let mut copy = Rig {
            machine: rig.machine.clone(),
        };
        let nmi = rig.writes(26, NMI_SEEN);
        let irq = copy.writes(26, IRQ_SEEN);
        match begin {
            4 => assert_eq!((nmi.len(), irq[0]), (0, (248, 4 + 9)), "in 4"),
            5..=9 => assert_eq!((nmi[0], irq.len()), ((248, begin + 9), 0), "in {begin}"),
            _ => assert_eq!(irq[0], (248, begin + 9), "in {begin}"),
        }
    }
}

#[test]
fn nmist_nmires_and_vcount_are_in_all_sixteen_mirrors() {
    for mirror in (0xD400..0xD500).step_by(16) {
        let mut rig = Rig::new();
        rig.to(250, 20);
        assert_eq!(rig.machine.peek(mirror + 15), 0x5F, "{mirror:04X}");
        assert_eq!(rig.machine.peek(mirror + 11), 125, "{mirror:04X}");
        assert_eq!(rig.machine.peek(mirror + 6), 0xFF, "{mirror:04X}");
        rig.machine.pins().write(mirror + 15, 0);
        assert_eq!(rig.machine.peek(0xD40F), 0x1F, "{mirror:04X}");
    }
}

/// INC $92; a wait of 500 cycles; INC $93; RTI.
const SLOW_HANDLER: [u8; 10] = [0xE6, 0x92, 0xA2, 100, 0xCA, 0xD0, 0xFD, 0xE6, 0x93, 0x40];

#[test]
fn a_dli_interrupts_the_handler_of_the_one_before() {
    let mut os = vec![0xEA; 0x4000];
    os[0x3000..0x3003].copy_from_slice(&[0x4C, 0x00, 0xF0]);
    os[0x3010..0x301A].copy_from_slice(&SLOW_HANDLER);
    os[0x3FFA..].copy_from_slice(&[0x10, 0xF0, 0x00, 0xF0, 0x00, 0xF0]);
    let mut machine = Machine::new(&Config {
        model: Model::Xl800,
        tv: Tv::Ntsc,
        os: os.into(),
        basic: None,
        cartridge: None,
        second: None,
        seed: 11,
        extras: machine::Extras::default(),
    })
    .unwrap();
    machine.run_frame();
    // DLIs of lines 16 and 17.
    let mut rig = Rig { machine }.list(&[0x70, 0x80, 0x80], 0x20);
    rig.put(0x92, &[0, 0]);
    let stack = rig.machine.cpu.s;
    rig.antic(0, 20, NMIEN, 0x80);
    let counts = |rig: &Rig| (rig.machine.peek(0x92), rig.machine.peek(0x93));
    rig.to(17, 0);
    assert_eq!(counts(&rig), (1, 0));
    rig.to(18, 0);
    assert_eq!(
        counts(&rig),
        (2, 0),
        "the second has begun, the first not ended"
    );
    assert_eq!(rig.machine.cpu.s, stack.wrapping_sub(6));
    rig.to(60, 0);
    assert_eq!(counts(&rig), (2, 2));
    assert_eq!(rig.machine.cpu.s, stack);
}
