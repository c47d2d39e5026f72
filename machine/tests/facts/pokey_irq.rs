//! From IRQST to the interrupt sequence, and POKEY's registers on the bus (AHRM 5.1, 5.2, 5.7; Acid800 pokey_addrmirror,
//! pokey_inittiming, pokey_irqtiming).
use crate::rig::{IRQ_SEEN, PROGRAM, Rig};

const AUDF1: u16 = 0xD200;
const AUDCTL: u16 = 0xD208;
const IRQEN: u16 = 0xD20E;
const SKCTL: u16 = 0xD20F;

#[test]
fn pokey_s_registers_repeat_every_16_bytes_and_what_cannot_be_read_is_ff() {
    let mut rig = Rig::new();
    let mut bus = rig.machine.pins();
    bus.write(SKCTL, 0);
    bus.write(IRQEN, 0);
    for base in (0xD200..0xD300).step_by(16) {
        bus.write(base + 15, 3);
        assert_eq!(bus.io.pokey.written(15), 3);
        bus.write(base + 15, 0);
        assert_eq!(bus.io.pokey.written(15), 0);
        for i in 0..16 {
            assert_eq!(bus.peek(base + i), bus.peek(0xD200 + i), "{:04X}", base + i);
        }
        assert_eq!(bus.peek(base + 12), 0xFF);
        // Output idle, nothing else.
        assert_eq!(bus.peek(base + 14), 0xF7);
    }
}

/// Cycles from the SKCTL write to the IRQ sequence, with JMP to itself `nops` NOPs after the write.
fn sequence_after_w(audctl: u8, audf1: u8, nops: usize) -> u64 {
    let mut rig = Rig::new();
    let mut bus = rig.machine.pins();
    bus.write(SKCTL, 0);
    rig.to(40, 1);
    let mut bus = rig.machine.pins();
    bus.write(AUDCTL, audctl);
    bus.write(AUDF1, audf1);
    bus.write(0xD209, 0);
    rig.machine.run_cycles(20);
    rig.machine.pins().write(IRQEN, 0);
    rig.machine.pins().write(IRQEN, 1);
    rig.machine.cpu.a = 3;
    rig.machine.cpu.set_p(0);
    // STA SKCTL, so that what follows is not in the cycles of refresh.
    let mut program = vec![0x8D, 0x0F, 0xD2];
    program.extend(vec![0xEA; nops]);
    let [low, high] = (PROGRAM + program.len() as u16).to_le_bytes();
    program.extend([0x4C, low, high]);
    rig.program(41, 0, &program);
    let seen = rig.writes(200, IRQ_SEEN)[0];
    let cycle = (u64::from(seen.0) - 41) * 114 + u64::from(seen.1);
    // W is cycle 3; the handler stores nine cycles after the sequence began.
    cycle - 9 - 3
}

#[test]
fn a_slow_timer_s_irq_sequence_begins_three_cycles_after_irqst_shows_it_or_at_the_next_instruction()
{
    // JMP begins instructions 1 + 2 * nops, and then every three cycles, after the write. IRQST: see pokey's tests of its clocks.
    for (audctl, audf1, irqst) in [(1, 0, 84u64), (0, 2, 81)] {
        for nops in 0..3 {
            let begin = 1 + 2 * nops as u64;
            let earliest = irqst + 3;
            let wanted = begin + (earliest - begin).div_ceil(3) * 3;
            assert_eq!(sequence_after_w(audctl, audf1, nops), wanted, "{nops} NOPs");
        }
    }
}

#[test]
fn enabling_the_interrupt_of_the_idle_output_interrupts_at_once() {
    let mut rig = Rig::new();
    let mut bus = rig.machine.pins();
    bus.write(IRQEN, 0);
    bus.write(SKCTL, 3);
    rig.machine.cpu.a = 8;
    rig.machine.cpu.set_p(0);
    rig.program(
        40,
        60,
        &[0x8D, 0x0E, 0xD2, 0xEA, 0xEA, 0xEA, 0xEA, 0x4C, 0x07, 0x20],
    );
    // The write is in 63; NOPs begin in 64, 66 and 68.
    let begin = rig.writes(40, IRQ_SEEN)[0].1 - 9;
    assert!((66..=68).contains(&begin), "{begin}");
}

#[test]
fn an_interrupt_disabled_and_gone_leaves_the_processor_alone() {
    let mut rig = Rig::new();
    let mut bus = rig.machine.pins();
    bus.write(SKCTL, 3);
    bus.write(IRQEN, 8);
    bus.write(IRQEN, 0);
    rig.machine.cpu.set_p(0);
    rig.program(40, 60, &[0x4C, 0x00, 0x20]);
    assert_eq!(rig.writes(200, IRQ_SEEN), []);
}

/// Random writes to POKEY with timers that interrupt at any time, masked and not: whole frames against single cycles.
#[test]
fn interrupts_come_in_the_same_cycles_whether_instructions_run_in_batches_or_cycle_by_cycle() {
    let mut interrupts = 0;
    for seed in 0..100u64 {
        let mut random = seed;
        let mut next = |below: u64| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((random >> 33) % below) as u8
        };
        // The handler acknowledges some interrupts, leaves others enabled, and counts.
        let handler = [
            0x48,
            0xA9,
            next(8),
            0x8D,
            0x0E,
            0xD2,
            0xA9,
            next(8),
            0x8D,
            0x0E,
            0xD2,
            0xE6,
            0x91,
            0x68,
            0x40,
        ];
        let mut rig = Rig::with_irq_handler(&handler);
        let mut program = vec![];
        for _ in 0..150 {
            match next(16) {
                0..=2 => program.extend([0xA9, next(64), 0x8D, next(4) * 2, 0xD2]),
                3..=6 => program.extend([0xA9, next(16), 0x8D, 0x0E, 0xD2]),
                7 => program.extend([0xA9, [0x40, 0x60, 0, 1][next(4) as usize], 0x8D, 8, 0xD2]),
                8 => program.extend([0x8D, 9, 0xD2]),
                9 => program.extend([0x58]),
                10 => program.extend([0x78]),
                11 => program.extend([0x08, 0x58, 0x28]),
                12 => program.extend([0xAD, 0x0E, 0xD2, 0x65, 0x80, 0x85, 0x80]),
                13 => program.extend([0x8D, 0x0A, 0xD4]),
                _ => program.extend([0xA9, next(255), 0x8D, next(4) * 2 + 1, 0xD2]),
            }
        }
        let [low, high] = PROGRAM.to_le_bytes();
        program.extend([0x4C, low, high]);
        rig.machine.pins().write(SKCTL, 3);
        rig.program(0, 0, &program);
        let mut steps = rig.machine.clone();
        for frame in 0..3 {
            let start = rig.machine.now();
            rig.machine.run_frame();
            while steps.now() < rig.machine.now() {
                steps.step_cycle();
            }
            assert!(
                rig.machine == steps,
                "seed {seed} frame {frame} from {start}"
            );
        }
        interrupts += u32::from(rig.machine.peek(IRQ_SEEN));
    }
    assert!(interrupts > 1000, "{interrupts}");
}
