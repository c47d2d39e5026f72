//! The serial port (AHRM 5.6; Acid800 pokey_seroc, pokey_sertiming, pokey_serclock, pokey_asyncrecv, pokey_skstat).
use crate::rig::*;

const SEROC: u8 = 0x08;
const SEROR: u8 = 0x10;
const INPUT: u8 = 0x20;
/// Timers 1+2 and 3+4 linked at 1.79 MHz.
const LINKED: u8 = 0x78;
/// A half bit of both pairs: 40 + 7 cycles.
const HALF: u64 = 47;
const BIT: u64 = 2 * HALF;

/// A chip with both pairs at 19,200 baud.
fn linked(skctl: u8) -> Rig {
    Rig::new(skctl, &[(AUDCTL, LINKED), (AUDF1, 0x28), (AUDF3, 0x28)])
}

/// Lets the input line follow a byte (with its start and stop bit) whose start bit begins at `at`.
fn receive(rig: &mut Rig, byte: u8, at: u64, bit: u64) {
    let frame = u16::from(byte) << 1 | 0x200;
    for i in 0..10 {
        rig.pokey
            .set_serial_input(frame >> i & 1 != 0, at + i * bit);
    }
}

#[test]
fn the_idle_output_shows_in_irqst_whether_or_not_it_is_enabled() {
    let mut rig = linked(3);
    assert_eq!(rig.read(W + 10, IRQST), !SEROC);
    assert!(!rig.pokey.irq());
    rig.write(W + 20, IRQEN, SEROC);
    assert!(rig.pokey.irq(), "enabling it gives an interrupt at once");
    rig.write(W + 24, IRQEN, 0);
    assert!(!rig.pokey.irq());
    assert_eq!(rig.read(W + 30, IRQST), !SEROC, "and it is not latched");
}

#[test]
fn output_complete_is_inactive_while_a_byte_is_shifted_and_needs_no_acknowledgement() {
    let mut rig = linked(0x23);
    rig.write(W + 10, IRQEN, SEROC).write(W + 100, SEROUT, 0x55);
    let load = (W + 100..W + 400)
        .find(|&at| rig.read(at, IRQST) & SEROC != 0)
        .unwrap();
    rig.pokey.sync_to(load);
    assert!(!rig.pokey.irq());
    assert_eq!(rig.irq(SEROC, load, load + 20 * BIT), Some(load + 10 * BIT));
    rig.pokey.sync_to(load + 10 * BIT);
    assert!(rig.pokey.irq());
}

#[test]
fn the_shifter_loads_two_cycles_after_the_timer_that_clocks_it_fires() {
    // Timers 1+2 of 228 cycles; STIMER, and 6, 12 and 16 cycles later SKCTL = 0, SKCTL = $63 and SEROUT.
    let mut rig = Rig::new(3, &[(AUDCTL, LINKED), (AUDF1, 0xDD), (AUDF3, 0xDD)]);
    let s = W + 1000;
    rig.write(s, STIMER, 0)
        .write(s + 6, SKCTL, 0)
        .write(s + 12, SKCTL, 0x63)
        .write(s + 16, SEROUT, 0);
    // 217 and 218 cycles after SEROUT, of which a program gets 199 and 200.
    assert_eq!(rig.read(s + 16 + 217, IRQST) & SEROC, 0);
    assert_eq!(rig.read(s + 16 + 218, IRQST) & SEROC, SEROC);
}

#[test]
fn after_a_reset_of_the_clocks_the_output_moves_with_the_first_pulse_and_the_input_with_the_second()
{
    // Timer 4 fires HALF cycles apart; both directions are clocked by it.
    let mut rig = linked(3);
    let s = W + 1000;
    rig.write(s, STIMER, 0)
        .write(s + 5, SEROUT, 0)
        .write(s + 9, SKCTL, 0x23);
    rig.pokey.set_serial_input(false, s + 10);
    let first = s + 11 + 40 + 2;
    let loaded = (s + 10..s + 500).find(|&at| rig.read(at, IRQST) & SEROC != 0);
    assert_eq!(loaded, Some(first));
    let begun = (s + 10..s + 500).find(|&at| rig.read(at, SKSTAT) & 2 == 0);
    assert_eq!(begun, Some(first + HALF));
}

/// Cycles from the load of one byte to that of the next one, if any is loaded.
fn byte_time(skctl: u8, registers: &[(u8, u8)]) -> Option<u64> {
    let mut rig = Rig::new(skctl, registers);
    rig.write(W + 4, STIMER, 0)
        .write(W + 10, IRQEN, SEROR)
        .write(W + 14, SEROUT, 0x5A);
    let first = rig.irq(SEROR, W + 14, W + 10_000)?;
    rig.write(first, IRQEN, 0)
        .write(first, IRQEN, SEROR)
        .write(first + 1, SEROUT, 0xA5);
    Some(rig.irq(SEROR, first + 1, first + 30_000)? - first)
}

#[test]
fn a_byte_takes_twenty_periods_of_the_timer_that_clocks_the_output() {
    let fast = [
        (AUDCTL, LINKED),
        (AUDF1, 221),
        (AUDF2, 0),
        (AUDF3, 0xC1),
        (AUDF4, 1),
    ];
    let slow = [(AUDCTL, 1), (AUDF2, 1), (AUDF4, 3)];
    for registers in [&fast[..], &slow[..]] {
        assert_eq!(byte_time(0x23, registers), Some(20 * 456), "80 lines");
        assert_eq!(byte_time(0x63, registers), Some(20 * 228), "40 lines");
        assert_eq!(byte_time(0x43, registers), Some(20 * 456));
        assert_eq!(byte_time(0x73, registers), Some(20 * 228));
    }
}

#[test]
fn with_an_external_clock_nothing_is_loaded() {
    for skctl in [0x03, 0x13] {
        let mut rig = linked(skctl);
        rig.write(W + 10, IRQEN, !SEROC).write(W + 14, SEROUT, 0x5A);
        for at in (W + 14..W + 50_000).step_by(97) {
            assert_eq!(rig.read(at, IRQST) & 0x38, 0x30);
        }
        assert_eq!(rig.pokey.take_serial_output(), None);
    }
}

#[test]
fn an_output_clocked_by_the_held_timer_4_waits_for_a_start_bit() {
    for skctl in [0x33, 0x53] {
        let mut rig = linked(skctl);
        rig.write(W + 10, IRQEN, SEROR).write(W + 14, SEROUT, 0x5A);
        assert_eq!(rig.irq(SEROR, W + 14, W + 50_000), None);
        rig.pokey.set_serial_input(false, W + 50_000);
        assert!(
            rig.irq(SEROR, W + 50_000, W + 50_000 + 2 * BIT + 20)
                .is_some()
        );
    }
}

/// The value received, and the number of cycles after the edge of the start bit, of a byte at 94 cycles a bit.
fn received(skctl: u8) -> Option<(u8, u64)> {
    let mut rig = linked(skctl);
    rig.write(W + 10, IRQEN, INPUT);
    let start = W + 2000;
    receive(&mut rig, 0x4E, start, BIT);
    let at = rig.irq(INPUT, start, start + 9 * BIT + 1)?;
    Some((rig.read(at, SERIN), at - start))
}

#[test]
fn the_input_is_clocked_by_timer_4_in_six_modes_and_from_outside_in_two() {
    for mode in 0..8u8 {
        let mut rig = linked(mode << 4 | 3);
        rig.write(W + 10, IRQEN, INPUT);
        let start = W + 2000;
        receive(&mut rig, 0x4E, start, BIT);
        let at = rig.irq(INPUT, start, start + 20 * BIT);
        if matches!(mode, 0 | 4) {
            assert_eq!(at, None, "mode {mode}");
        } else {
            let at = at.unwrap();
            assert_eq!(rig.read(at, SERIN), 0x4E, "mode {mode}");
        }
    }
}

#[test]
fn asynchronous_receive_samples_half_a_bit_after_the_start_and_the_stop_bit_nine_later() {
    for skctl in [0x13, 0x33, 0x53, 0x73] {
        let mut rig = linked(skctl);
        rig.write(W + 10, IRQEN, INPUT);
        let start = W + 2000;
        receive(&mut rig, 0x4E, start, BIT);
        let at = rig.irq(INPUT, start, start + 20 * BIT).unwrap() - start;
        // The timers take some cycles to begin, and the port some to see their pulse.
        let early = 19 * HALF;
        assert!((early..early + 12).contains(&at), "{at}");
    }
    assert_eq!(received(0x03), None);
}

#[test]
fn a_line_at_other_than_the_timers_speed_is_not_received() {
    let mut rig = linked(0x13);
    rig.write(W + 10, IRQEN, INPUT);
    receive(&mut rig, 0x4E, W + 2000, 2 * BIT);
    let at = rig.irq(INPUT, W + 2000, W + 2000 + 40 * BIT).unwrap();
    assert_ne!(rig.read(at, SERIN), 0x4E);
}

#[test]
fn waiting_for_a_start_bit_holds_timers_3_and_4_and_no_others() {
    let mut rig = Rig::new(0x13, &[(AUDCTL, 0x60), (AUDF1, 90), (AUDF2, 5), (AUDF4, 5)]);
    rig.write(W + 10, IRQEN, 7);
    assert_eq!(rig.irq(4, W + 10, W + 20_000), None);
    assert!(rig.irq(1, W + 10, W + 500).is_some());
    assert!(rig.irq(2, W + 10, W + 500).is_some());
    rig.pokey.set_serial_input(false, W + 600);
    assert!(rig.irq(4, W + 600, W + 1200).is_some());
}

#[test]
fn leaving_asynchronous_receive_begins_a_whole_period() {
    // Timers 3+4 of 456 cycles: four lines. Asynchronous receive from line 6 to line 8 after STIMER: the next interrupt comes in line
    // 12, not 8.
    let mut rig = Rig::new(3, &[(AUDCTL, LINKED), (AUDF3, 0xC1), (AUDF4, 1)]);
    let s = W + 1000;
    rig.write(s, STIMER, 0).write(s + 5, IRQEN, 4);
    assert_eq!(rig.irqs(4, s + 5, s + 9 * 114).len(), 2);
    rig.write(s + 5 * 114, IRQEN, 0)
        .write(s + 5 * 114, IRQEN, 4)
        .write(s + 6 * 114, SKCTL, 0x13);
    assert_eq!(rig.irq(4, s + 6 * 114, s + 20 * 114), None);
    rig.write(s + 8 * 114, SKCTL, 3);
    let at = rig.irq(4, s + 8 * 114, s + 20 * 114).unwrap();
    assert_eq!(at, s + 8 * 114 + 11 + 449, "as after STIMER");
}

#[test]
fn skstat_bit_4_is_the_input_line_as_it_is_whatever_is_clocked() {
    for skctl in [0x00, 0x03, 0x13, 0x23] {
        let mut rig = linked(3);
        rig.write(W + 10, SKCTL, skctl);
        let start = W + 2000;
        let edges: Vec<bool> = (0..10)
            .map(|i| (0x4Eu16 << 1 | 0x200) >> i & 1 != 0)
            .collect();
        for (i, &level) in edges.iter().enumerate() {
            let edge = start + i as u64 * BIT;
            rig.pokey.set_serial_input(level, edge);
            for after in [0, 47, 93] {
                assert_eq!(rig.read(edge + after, SKSTAT) & 0x10 != 0, level);
            }
        }
    }
}

#[test]
fn skstat_bit_1_is_0_from_the_sample_of_the_start_bit_to_that_of_the_stop_bit() {
    let mut rig = linked(0x13);
    rig.write(W + 10, IRQEN, INPUT);
    let start = W + 2000;
    let mut busy = Vec::new();
    for i in 0..12 {
        let level = i != 0;
        rig.pokey.set_serial_input(level, start + i * BIT);
        for after in 0..BIT {
            if rig.read(start + i * BIT + after, SKSTAT) & 2 == 0 {
                busy.push(i * BIT + after);
            }
        }
    }
    assert_eq!(busy.len() as u64, 9 * BIT);
    assert!((HALF..HALF + 12).contains(&busy[0]), "{}", busy[0]);
    assert_eq!(busy[busy.len() - 1] - busy[0], 9 * BIT - 1);
}

#[test]
fn a_second_byte_overruns_while_the_interrupt_of_the_first_is_active_until_skres() {
    let mut rig = linked(0x13);
    rig.write(W + 10, IRQEN, INPUT);
    receive(&mut rig, 0x11, W + 2000, BIT);
    assert_eq!(rig.read(W + 3000, SKSTAT) & 0xE0, 0xE0);
    receive(&mut rig, 0x22, W + 3000, BIT);
    assert_eq!(rig.read(W + 4000, SKSTAT) & 0xE0, 0xC0);
    assert_eq!(
        rig.read(W + 4000, SERIN),
        0x22,
        "the new byte replaces the old"
    );
    rig.write(W + 4000, IRQEN, 0).write(W + 4001, IRQEN, INPUT);
    receive(&mut rig, 0x33, W + 4100, BIT);
    assert_eq!(rig.read(W + 5100, SKSTAT) & 0xE0, 0xC0, "it is sticky");
    rig.write(W + 5100, SKRES, 0);
    assert_eq!(rig.read(W + 5101, SKSTAT) & 0xE0, 0xE0);
}

#[test]
fn reading_serin_acknowledges_nothing_and_disabling_does() {
    let mut rig = linked(0x13);
    rig.write(W + 10, IRQEN, INPUT);
    receive(&mut rig, 0x11, W + 2000, BIT);
    for _ in 0..3 {
        assert_eq!(rig.pokey.read(SERIN, W + 3000), 0x11);
    }
    assert_eq!(rig.read(W + 3000, IRQST) & INPUT, 0);
    rig.write(W + 3001, IRQEN, 0).write(W + 3002, IRQEN, INPUT);
    receive(&mut rig, 0x22, W + 3010, BIT);
    assert_eq!(rig.read(W + 4000, SKSTAT) & 0x20, 0x20);
}

#[test]
fn a_stop_bit_of_0_is_a_framing_error_and_the_byte_is_kept() {
    let mut rig = linked(0x13);
    rig.write(W + 10, IRQEN, INPUT);
    let start = W + 2000;
    rig.pokey.set_serial_input(false, start);
    rig.pokey.set_serial_input(true, start + 2 * BIT);
    rig.pokey.set_serial_input(false, start + 9 * BIT);
    rig.pokey.set_serial_input(true, start + 10 * BIT);
    let at = rig.irq(INPUT, start, start + 12 * BIT).unwrap();
    assert_eq!(rig.read(at, SERIN), 0xFE);
    assert_eq!(rig.read(at, SKSTAT) & 0x80, 0);
    rig.write(at + 50, SKRES, 0);
    assert_eq!(rig.read(at + 51, SKSTAT) & 0x80, 0x80);
}

#[test]
fn a_second_byte_written_before_the_first_is_loaded_replaces_it() {
    let mut rig = linked(0x23);
    rig.write(W + 101, SEROUT, 0x11)
        .write(W + 105, SEROUT, 0x22);
    rig.pokey.sync_to(W + 3000);
    let sent = rig.pokey.take_serial_output().unwrap();
    assert_eq!((sent.data, sent.end - sent.start), (0x22, 10 * BIT));
    assert_eq!(rig.pokey.take_serial_output(), None);
}

#[test]
fn output_ready_comes_when_a_byte_is_loaded_and_not_when_it_has_been_sent() {
    let mut rig = linked(0x23);
    rig.write(W + 10, IRQEN, SEROR).write(W + 101, SEROUT, 0x11);
    assert_eq!(rig.irqs(SEROR, W + 101, W + 5000).len(), 1);
}

#[test]
fn initialization_mode_stops_the_shifters_and_forgets_a_waiting_byte() {
    let mut rig = linked(0x23);
    rig.write(W + 10, IRQEN, SEROR)
        .write(W + 101, SEROUT, 0x11)
        .write(W + 600, SEROUT, 0x22);
    assert_eq!(rig.read(W + 700, IRQST) & SEROC, SEROC);
    rig.write(W + 700, SKCTL, 0)
        .write(W + 730, IRQEN, 0)
        .write(W + 800, SKCTL, 0x23)
        .write(W + 810, IRQEN, SEROR);
    assert_eq!(rig.irq(SEROR, W + 810, W + 9000), None);
    assert_eq!(rig.pokey.take_serial_output(), None);
}

#[test]
fn initialization_mode_keeps_serin_and_the_interrupts() {
    let mut rig = linked(0x13);
    rig.write(W + 10, IRQEN, INPUT);
    receive(&mut rig, 0x4E, W + 2000, BIT);
    rig.write(W + 3000, SKCTL, 0);
    assert_eq!(rig.read(W + 4000, SERIN), 0x4E);
    assert_eq!(rig.read(W + 4000, IRQST) & INPUT, 0);
    assert!(rig.pokey.irq());
    rig.write(W + 4000, SKCTL, 0x13);
    assert_eq!(rig.read(W + 4001, SERIN), 0x4E);
    assert_eq!(
        rig.read(W + 4001, SKSTAT) & 0x02,
        0x02,
        "nothing is received"
    );
}

#[test]
fn a_byte_that_waits_is_sent_back_to_back() {
    let mut rig = linked(0x23);
    rig.write(W + 12, IRQEN, SEROR).write(W + 101, SEROUT, 0x11);
    let first = rig.irq(SEROR, W + 101, W + 400).unwrap();
    rig.write(first + 10, SEROUT, 0x22)
        .write(first + 20, SEROUT, 0x33);
    let mut sent = Vec::new();
    for at in first..first + 30 * BIT {
        rig.pokey.sync_to(at);
        sent.extend(rig.pokey.take_serial_output());
    }
    let found: Vec<_> = sent.iter().map(|b| (b.data, b.start, b.end)).collect();
    let second = first + 10 * BIT;
    assert_eq!(
        found,
        [(0x11, first, second), (0x33, second, second + 10 * BIT)]
    );
}

#[test]
fn a_received_byte_takes_nineteen_periods_of_timer_4() {
    for byte in [0x00u8, 0x4E, 0xFF] {
        let mut rig = linked(0x13);
        rig.write(W + 10, IRQEN, 4);
        let start = W + 2000;
        let frame = u16::from(byte) << 1 | 0x200;
        let mut pulses = 0;
        for at in start..start + 20 * BIT {
            let bit = (at - start) / BIT;
            rig.pokey
                .set_serial_input(bit > 9 || frame >> bit & 1 != 0, at);
            if rig.read(at, IRQST) & 4 == 0 {
                pulses += 1;
                rig.write(at, IRQEN, 0).write(at, IRQEN, 4);
            }
        }
        assert_eq!(pulses, 19, "{byte:02X}");
    }
}
