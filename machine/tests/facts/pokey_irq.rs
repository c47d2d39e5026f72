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
