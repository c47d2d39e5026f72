//! The serial port, each fact as Acid800 and the hardware manual give it.

use pokey::{Pokey, irq};

const AUDF1: u8 = 0;
const AUDF2: u8 = 2;
const AUDF3: u8 = 4;
const AUDF4: u8 = 6;
const AUDCTL: u8 = 8;
const STIMER: u8 = 9;
const SKRES: u8 = 10;
const SERIN: u8 = 13;
const SEROUT: u8 = 13;
const IRQEN: u8 = 14;
const IRQST: u8 = 14;
const SKCTL: u8 = 15;
const SKSTAT: u8 = 15;
/// The cycle of the STIMER write.
const S: u64 = 10_000;
/// Cycles of a bit at 19,200 baud: two periods of 40 + 7.
const BIT: u64 = 94;

/// Timers 1+2 with a period of 228 cycles, timers 3+4 with 47, at 1.79 MHz.
fn strobed() -> Pokey {
    let mut pokey = Pokey::new(0);
    pokey.write(SKCTL, 0, 100);
    pokey.write(SKCTL, 3, 200);
    for (register, data) in [
        (AUDCTL, 0x78),
        (AUDF1, 0xDD),
        (AUDF2, 0),
        (AUDF3, 40),
        (AUDF4, 0),
    ] {
        pokey.write(register, data, 300);
    }
    pokey.write(STIMER, 0, S);
    pokey
}

/// First cycle from `from` on in which `bits` of IRQST read `value`.
fn when(pokey: &mut Pokey, from: u64, bits: u8, value: u8) -> u64 {
    (from..from + 100_000)
        .find(|&now| pokey.read(IRQST, now) & bits == value)
        .unwrap()
}

/// Sends a byte into the input line, beginning at `start`, with `stop` as its stop bit; the line is high afterwards.
fn feed(pokey: &mut Pokey, start: u64, byte: u8, stop: bool) {
    for bit in 0..10 {
        let level = match bit {
            0 => false,
            9 => stop,
            _ => byte >> (bit - 1) & 1 != 0,
        };
        pokey.set_serial_input(level, start + bit * BIT);
    }
    pokey.set_serial_input(true, start + 10 * BIT);
}

/// A chip that waits for bytes at 19,200 baud from cycle [`S`] on.
fn listening() -> Pokey {
    let mut pokey = strobed();
    pokey.write(SKCTL, 0x13, S + 10);
    pokey.write(IRQEN, irq::SERIN, S + 20);
    pokey
}

#[test]
fn the_shift_register_is_loaded_two_cycles_after_the_timer_s_pulse() {
    let mut pokey = strobed();
    pokey.write(SKCTL, 0, S + 6);
    pokey.write(SKCTL, 0x63, S + 12);
    pokey.write(SEROUT, 0x55, S + 16);
    // 11 + 221 cycles to the pulse of the pair.
    assert_eq!(pokey.read(IRQST, S + 233) & irq::SEROC, 0);
    assert_eq!(pokey.read(IRQST, S + 234) & irq::SEROC, irq::SEROC);
}

#[test]
fn serial_output_complete_is_a_level_that_needs_no_enabling() {
    let mut pokey = strobed();
    assert_eq!(pokey.read(IRQST, S + 10) & irq::SEROC, 0);
    assert!(!pokey.irq());
    pokey.write(IRQEN, irq::SEROC, S + 20);
    assert!(pokey.irq());
    pokey.write(SKCTL, 0x63, S + 30);
    pokey.write(SEROUT, 0, S + 40);
    let busy = when(&mut pokey, S + 40, irq::SEROC, irq::SEROC);
    assert!(!pokey.irq());
    let idle = when(&mut pokey, busy, irq::SEROC, 0);
    assert!(pokey.irq());
    assert_eq!(idle - busy, 20 * 228, "ten bits of two timer periods");
}

#[test]
fn a_second_byte_is_sent_back_to_back_and_a_third_replaces_a_waiting_one() {
    let mut pokey = strobed();
    pokey.write(SKCTL, 0x23, S + 10);
    pokey.write(IRQEN, irq::SEROR, S + 12);
    pokey.write(SEROUT, 0x11, S + 20);
    let first = when(&mut pokey, S + 20, irq::SEROR, 0);
    pokey.write(SEROUT, 0x22, first + 10);
    pokey.write(SEROUT, 0x33, first + 20);
    let mut sent = vec![];
    for now in first..first + 30 * BIT {
        pokey.sync_to(now);
        sent.extend(pokey.take_serial_output());
    }
    assert_eq!(
        sent.iter().map(|b| b.data).collect::<Vec<_>>(),
        [0x11, 0x33]
    );
    assert_eq!((sent[0].start, sent[0].end), (first, first + 10 * BIT));
    assert_eq!(
        (sent[1].start, sent[1].end),
        (first + 10 * BIT, first + 20 * BIT)
    );
}

#[test]
fn without_a_clock_nothing_is_sent() {
    let mut pokey = strobed();
    pokey.write(SKCTL, 0x03, S + 10);
    pokey.write(SEROUT, 0x11, S + 20);
    assert_eq!(pokey.read(IRQST, S + 500_000), !irq::SEROC);
    assert_eq!(pokey.take_serial_output(), None);
}

#[test]
fn initialization_mode_drops_the_bytes_under_way() {
    let mut pokey = strobed();
    pokey.write(SKCTL, 0x23, S + 10);
    pokey.write(SEROUT, 0x11, S + 20);
    let busy = when(&mut pokey, S + 20, irq::SEROC, irq::SEROC);
    pokey.write(SEROUT, 0x22, busy + 10);
    pokey.write(SKCTL, 0x20, busy + 200);
    assert_eq!(pokey.read(IRQST, busy + 201) & irq::SEROC, 0);
    pokey.write(SKCTL, 0x23, busy + 300);
    pokey.sync_to(busy + 50_000);
    assert_eq!(pokey.take_serial_output(), None);
}

#[test]
fn a_byte_is_received_in_the_middle_of_its_stop_bit() {
    let mut pokey = listening();
    let start = S + 5000;
    for byte in [0x4E, 0x00, 0xFF, 0xA5] {
        let mut pokey = pokey.clone();
        feed(&mut pokey, start, byte, true);
        assert_eq!(pokey.read(IRQST, start + 10 * BIT) & irq::SERIN, 0);
        assert_eq!(pokey.read(SERIN, start + 10 * BIT), byte);
        assert_eq!(pokey.read(SKSTAT, start + 10 * BIT) & 0xA0, 0xA0);
    }
    pokey.set_serial_input(false, start);
    pokey.set_serial_input(true, start + BIT);
    let ready = when(&mut pokey, start + BIT, irq::SERIN, 0);
    assert!((9 * BIT..10 * BIT).contains(&(ready - start)));
}

#[test]
fn skstat_shows_the_input_shifter_busy_from_start_bit_to_stop_bit() {
    let mut pokey = listening();
    let start = S + 5000;
    let mut busy = vec![];
    pokey.set_serial_input(false, start);
    for now in start..start + 12 * BIT {
        if now == start + BIT {
            pokey.set_serial_input(true, now);
        }
        if pokey.read(SKSTAT, now) & 2 == 0 {
            busy.push((now - start) / (BIT / 2));
        }
    }
    assert_eq!(busy.first(), Some(&1), "from the middle of the start bit");
    assert!(
        (18..=19).contains(busy.last().unwrap()),
        "to the middle of the stop bit"
    );
}

#[test]
fn a_stop_bit_of_zero_is_a_framing_error_until_skres() {
    let mut pokey = listening();
    feed(&mut pokey, S + 5000, 0x55, false);
    let end = S + 5000 + 10 * BIT;
    assert_eq!(pokey.read(SKSTAT, end) & 0x80, 0);
    assert_eq!(
        pokey.read(SERIN, end),
        0x55,
        "the byte arrives all the same"
    );
    pokey.write(SKRES, 0, end + 10);
    assert_eq!(pokey.read(SKSTAT, end + 11) & 0x80, 0x80);
}

#[test]
fn a_byte_before_the_last_was_acknowledged_is_an_overrun_until_skres() {
    let mut pokey = listening();
    let mut now = S + 5000;
    for (byte, overrun) in [(0x01, false), (0x02, true)] {
        feed(&mut pokey, now, byte, true);
        now += 2000;
        assert_eq!(pokey.read(SKSTAT, now) & 0x20 == 0, overrun);
        assert_eq!(pokey.read(SERIN, now), byte);
    }
    pokey.write(IRQEN, 0, now);
    pokey.write(IRQEN, irq::SERIN, now + 4);
    feed(&mut pokey, now + 100, 3, true);
    assert_eq!(pokey.read(SKSTAT, now + 2000) & 0x20, 0, "sticky");
    pokey.write(SKRES, 0, now + 2000);
    assert_eq!(pokey.read(SKSTAT, now + 2001) & 0x20, 0x20);
}

#[test]
fn skstat_shows_the_raw_input_line_with_all_clocks_stopped() {
    let mut pokey = Pokey::new(0);
    pokey.write(SKCTL, 0, 100);
    for (now, level) in [(200, false), (300, true), (400, false)] {
        pokey.set_serial_input(level, now);
        assert_eq!(pokey.read(SKSTAT, now) & 0x10 != 0, level);
    }
}

#[test]
fn asynchronous_receive_holds_timers_3_and_4_until_a_start_bit() {
    let mut pokey = strobed();
    pokey.write(IRQEN, irq::TIMER4, S + 5);
    assert_eq!(pokey.read(IRQST, S + 51) & irq::TIMER4, 0);
    pokey.write(SKCTL, 0x13, S + 60);
    pokey.write(IRQEN, 0, S + 64);
    pokey.write(IRQEN, irq::TIMER4, S + 68);
    assert_eq!(pokey.read(IRQST, S + 5000) & irq::TIMER4, irq::TIMER4);
    // Leaving the mode begins a full period.
    pokey.write(SKCTL, 0x03, S + 5000);
    let edge = when(&mut pokey, S + 5001, irq::TIMER4, 0);
    assert!((47..=52).contains(&(edge - (S + 5000))));
}

#[test]
fn a_received_byte_takes_nineteen_periods_of_timer_4() {
    let mut pokey = listening();
    let start = S + 5000;
    let mut pulses = 0;
    pokey.write(IRQEN, irq::TIMER4, start - 100);
    let bits = [
        false, true, false, true, false, true, false, true, false, true,
    ];
    for now in start..start + 20 * BIT {
        if (now - start).is_multiple_of(BIT) {
            let bit = ((now - start) / BIT) as usize;
            pokey.set_serial_input(bits.get(bit).copied().unwrap_or(true), now);
        }
        if pokey.read(IRQST, now) & irq::TIMER4 == 0 {
            pulses += 1;
            pokey.write(IRQEN, 0, now);
            pokey.write(IRQEN, irq::TIMER4, now);
        }
    }
    assert_eq!(pulses, 19);
}

#[test]
fn skctl_bits_6_to_4_choose_the_clock_of_the_output() {
    // Bits of two periods: of timers 3+4 (47 cycles) or of timers 1+2 (228). Asynchronous receive holds timer 4 while no byte comes.
    for (mode, bit) in [
        (0, None),
        (1, None),
        (2, Some(2 * 47)),
        (3, None),
        (4, Some(2 * 47)),
        (5, None),
        (6, Some(2 * 228)),
        (7, Some(2 * 228)),
    ] {
        let mut pokey = strobed();
        pokey.write(SKCTL, 3 | mode << 4, S + 10);
        pokey.write(SEROUT, 0x55, S + 20);
        pokey.sync_to(S + 20_000);
        let sent = pokey.take_serial_output();
        assert_eq!(
            sent.map(|byte| byte.end - byte.start),
            bit.map(|b| 10 * b),
            "mode {mode}"
        );
    }
}
