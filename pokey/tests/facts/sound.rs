//! The sound channels (AHRM 5.3 and 5.5). The times to the half cycle and the alignment of the noise are those of the reference
//! sounds' cycle model.
use crate::rig::*;
use pokey::SPEAKER;

/// STIMER, four cycles after initialization mode.
const S: u64 = W + 4;
/// From a timer's interrupt to its channel's output.
const OUTPUT: u64 = 2;
const FOUR_BITS: &[u8] = b"000011101100101";
const FIVE_BITS: &[u8] = b"0000011100100010101111011010011";

fn started(registers: &[(u8, u8)]) -> Rig {
    let mut rig = Rig::new(3, registers);
    rig.write(S, STIMER, 0);
    rig
}

/// The pulses of an 8-bit timer at 64 kHz, in cycles from W.
fn slow_pulses(n: u64) -> impl Iterator<Item = u64> {
    (1..).map(move |k| 25 + 28 * ((n + 1) * k - 1))
}

#[test]
fn a_square_wave_toggles_two_cycles_after_each_interrupt_of_its_timer() {
    let rig = started(&[(AUDCTL, 0x40), (AUDF1, 100), (AUDC1, 0xA9)]);
    let found = rig.sound(S + 5, S + 1100);
    let wanted: Vec<_> = (0..10)
        .map(|i| {
            (
                2 * (8 + 100 + 104 * i + OUTPUT - 5),
                if i % 2 == 0 { 9 } else { 0 },
            )
        })
        .collect();
    assert_eq!(found, wanted);
}

#[test]
fn stimer_turns_channels_1_and_2_off_and_3_and_4_on_four_cycles_later() {
    for tones in 0..16 {
        // Every state that the channels can be in before.
        let mut rig = started(&[(AUDCTL, 0x01)]);
        for i in 0..4 {
            let audf = if tones >> i & 1 != 0 { 60 } else { 90 };
            rig.write(S + 1, 2 * i, audf)
                .write(S + 2, 2 * i + 1, 0xA0 | 1 << i);
        }
        let at = W + 75 * 114;
        assert_eq!(rig.level(at), tones ^ 0x0C);
        rig.write(at, STIMER, 0);
        assert_eq!(rig.level(at + 3), tones ^ 0x0C);
        assert_eq!(rig.level(at + 4), 0x0C);
    }
}

#[test]
fn stimer_gives_the_channels_no_pulse() {
    let mut rig = started(&[(AUDCTL, 0x60), (AUDF1, 200), (AUDF3, 200), (AUDC3, 0xA8)]);
    for i in 0..50 {
        rig.write(S + 100 + 150 * i, STIMER, 0);
    }
    assert_eq!(rig.sound(S + 5, S + 7000), []);
}

#[test]
fn equal_tones_on_channels_1_and_3_cancel_and_on_1_and_2_and_on_3_and_4_add() {
    let levels = |low: u8, high: u8| {
        let rig = started(&[(low, 20), (low + 1, 0xA7), (high, 20), (high + 1, 0xA7)]);
        let mut levels: Vec<u8> = rig.sound(S + 5, S + 9000).iter().map(|c| c.1).collect();
        levels.sort_unstable();
        levels.dedup();
        levels
    };
    for (low, high) in [
        (AUDF1, AUDF3),
        (AUDF1, AUDF4),
        (AUDF2, AUDF3),
        (AUDF2, AUDF4),
    ] {
        assert_eq!(levels(low, high), []);
    }
    for (low, high) in [(AUDF1, AUDF2), (AUDF3, AUDF4)] {
        assert_eq!(levels(low, high), [0, 14]);
    }
}

#[test]
fn volume_only_is_on_whatever_the_channel_and_its_filter_do_and_adds() {
    for audctl in [0x00, 0x06, 0x66] {
        for distortion in (0..16).map(|d| d << 4 | 0x10) {
            let mut rig = started(&[(AUDCTL, audctl), (AUDF1, 3), (AUDF2, 4), (AUDF3, 5)]);
            for (i, register) in [AUDC1, AUDC2, AUDC3, AUDC4].into_iter().enumerate() {
                rig.write(S + 100, register, distortion | 1 << i);
            }
            assert_eq!(rig.level(S + 101), 15);
            assert_eq!(rig.sound(S + 110, S + 9000), []);
        }
    }
}

#[test]
fn a_written_volume_sounds_from_the_next_cycle_on() {
    let mut rig = started(&[(AUDC4, 0x1F)]);
    for volume in 0..15 {
        let at = S + 100 + 7 * u64::from(volume);
        rig.write(at, AUDC4, 0x10 | volume);
    }
    let wanted: Vec<_> = (0..15).map(|v| (2 * (5 + 7 * v) + 2, v as u8)).collect();
    assert_eq!(rig.sound(S + 95, S + 500), wanted);
}

#[test]
fn the_flip_flop_runs_on_under_volume_only_and_under_volume_0() {
    for silent in [0xB8, 0xA0] {
        let mut rig = started(&[(AUDCTL, 0x20), (AUDF3, 50), (AUDC3, 0xA8)]);
        let plain = rig.sound(S + 3000, S + 6000);
        rig.write(S + 333, AUDC3, silent)
            .write(S + 2900, AUDC3, 0xA8);
        assert_eq!(rig.sound(S + 3000, S + 6000), plain);
    }
}

/// The outputs of four channels with the same timer after each of their pulses, one bit for each.
fn sampled(audctl: u8, distortion: u8, n: u64, count: usize) -> Vec<(u64, [bool; 4])> {
    let mut registers = vec![(AUDCTL, audctl)];
    for i in 0..4 {
        registers.extend([(2 * i, n as u8), (2 * i + 1, distortion | 1 << i)]);
    }
    let rig = started(&registers);
    slow_pulses(n)
        .take(count)
        .map(|at| {
            let level = rig.level(W + at + OUTPUT);
            // Channels 1 and 2 are inverted.
            (
                at,
                core::array::from_fn(|i| (level >> i & 1 != 0) != (i < 2)),
            )
        })
        .collect()
}

#[test]
fn a_bit_of_the_4_bit_counter_arrives_at_channels_1_2_3_4_in_turn() {
    for n in [0, 3, 10] {
        for (at, bits) in sampled(0, 0xC0, n, 60) {
            for (channel, bit) in bits.into_iter().enumerate() {
                let i = (at as usize - channel) % 15;
                assert_eq!(bit, FOUR_BITS[i] == b'1', "channel {channel} at {at}");
            }
        }
    }
}

#[test]
fn channels_see_the_long_counter_s_bits_before_random_s_right_end_loses_them() {
    for audctl in [0x00, 0x80] {
        let rig = Rig::new(3, &[(AUDCTL, audctl)]);
        for (at, bits) in sampled(audctl, 0x80, 2, 300) {
            for (channel, bit) in bits.into_iter().enumerate() {
                // RANDOM is inverted; its bit 0 is what the first channel gets.
                let random = rig.read(W + at - channel as u64, RANDOM);
                assert_eq!(bit, random & 1 == 0, "channel {channel} at {at}");
            }
        }
    }
}

#[test]
fn the_5_bit_counter_lets_a_pulse_through_or_not_one_channel_after_the_other() {
    for n in [1, 4] {
        let mut outputs = [true; 4];
        for (at, bits) in sampled(0, 0x20, n, 100) {
            for (channel, output) in outputs.iter_mut().enumerate() {
                let i = (at as usize - channel - 1) % 31;
                *output ^= FIVE_BITS[i] == b'1';
            }
            assert_eq!(bits, outputs, "at {at}");
        }
    }
}

#[test]
fn the_5_bit_counter_masks_the_other_counters_samples() {
    let mut outputs = [true; 4];
    for (at, bits) in sampled(0, 0x40, 4, 100) {
        for (channel, output) in outputs.iter_mut().enumerate() {
            if FIVE_BITS[(at as usize - channel - 1) % 31] == b'1' {
                *output = FOUR_BITS[(at as usize - channel) % 15] == b'1';
            }
        }
        assert_eq!(bits, outputs, "at {at}");
    }
}

#[test]
fn a_period_that_is_a_multiple_of_the_counter_s_is_silent() {
    // 73 * 28 = 4 * 511; 15 * 28.
    for (audctl, audf, audc) in [(0x80, 0x48, 0x88), (0x00, 14, 0xC8)] {
        let rig = started(&[(AUDCTL, audctl), (AUDF3, audf), (AUDC3, audc)]);
        assert!(rig.sound(S + 5, S + 1_000_000).len() <= 1);
        let rig = started(&[(AUDCTL, audctl), (AUDF3, audf - 1), (AUDC3, audc)]);
        assert!(rig.sound(S + 5, S + 1_000_000).len() > 50);
    }
}

#[test]
fn in_initialization_mode_channels_see_0_from_the_4_and_17_bit_counters_and_1_from_the_5_bit_one() {
    for (audc, changes) in [(0xC8, 1), (0x88, 1), (0x48, 1), (0x08, 1), (0x28, 50)] {
        let mut rig = started(&[(AUDCTL, 0x20), (AUDF3, 96)]);
        rig.write(S + 200, SKCTL, 0)
            .write(S + 1000, STIMER, 0)
            .write(S + 1000, AUDC3, audc);
        let found = rig.sound(S + 1005, S + 1000 + 104 + 2 + 49 * 100);
        assert_eq!(found.len(), changes, "{audc:02X}");
        assert_eq!(found[0], (2 * (104 + 2 - 5), 0));
    }
}

/// The lengths, in half cycles, for which channel 1 is on when its filter's clock comes `behind` cycles after its own.
fn filtered(behind: u8) -> Vec<u64> {
    const N: u8 = 60;
    let mut rig = Rig::new(
        3,
        &[
            (AUDCTL, 0x64),
            (AUDF1, N),
            (AUDF3, N + behind),
            (AUDC1, 0xA8),
        ],
    );
    // Only the first period of timer 3 is longer.
    rig.write(S, STIMER, 0).write(S + 8, AUDF3, N);
    let changes = rig.sound(S + 500, S + 3000);
    changes
        .windows(2)
        .filter(|w| w[0].1 == 8)
        .map(|w| w[1].0 - w[0].0)
        .collect()
}

#[test]
fn the_filter_s_path_is_one_and_a_half_cycles_shorter_than_the_channel_s() {
    for behind in 2..63u8 {
        let on = filtered(behind);
        assert!(on.len() > 30);
        // Half a cycle in each period at the least: the two never cancel wholly.
        let wanted = 2 * u64::from(behind) - 3;
        assert!(
            on.iter().all(|&length| length == wanted),
            "{behind}: {on:?}"
        );
    }
}

#[test]
fn the_filter_takes_the_clock_of_channel_3_for_1_and_of_4_for_2_whatever_their_audc() {
    for (audctl, audf, audc, clock) in [(4, AUDF1, AUDC1, AUDF3), (2, AUDF2, AUDC2, AUDF4)] {
        for other in [0x00, 0xA0, 0xC0, 0x10] {
            let rig = started(&[
                (AUDCTL, audctl),
                (audf, 9),
                (audc, 0xA8),
                (clock, 6),
                (clock + 1, other),
            ]);
            let mut output = true;
            let mut stored = true;
            for at in 1..3000 {
                let is_pulse = |n| slow_pulses(n).take_while(|&p| p <= at).any(|p| p == at);
                // The filter's own pulse acts first.
                stored = if is_pulse(6) { output } else { stored };
                output ^= at >= OUTPUT
                    && slow_pulses(9)
                        .take_while(|&p| p <= at)
                        .any(|p| p + OUTPUT == at);
                if at > 8 {
                    let level = if output == stored { 0 } else { 8 };
                    assert_eq!(rig.level(W + at), level, "{at}");
                }
            }
        }
    }
}

#[test]
fn a_filter_that_is_switched_off_inverts_its_channel() {
    let mut rig = started(&[(AUDCTL, 0x44), (AUDF1, 250), (AUDF3, 1), (AUDC1, 0xA8)]);
    // Long after a pulse of channel 3 and before the next of channel 1.
    assert_eq!(rig.level(S + 200), 0);
    rig.write(S + 300, AUDCTL, 0x40);
    assert_eq!(
        rig.level(S + 400),
        8,
        "the flip-flop is 0 after its first pulse"
    );
    assert_eq!(rig.level(S + 600), 0);
}

#[test]
fn initialization_mode_holds_the_filters_flip_flops() {
    for audc in [0xA8, 0x88, 0xC8] {
        for (first, third) in [(90u8, 70u8), (30, 31), (7, 200)] {
            let tone = [
                (AUDCTL, 0x64),
                (AUDF1, first),
                (AUDF3, third),
                (AUDC1, audc),
            ];
            let mut rig = Rig::new(0, &tone);
            rig.write(W + 1000, STIMER, 0);
            assert_eq!(rig.level(W + 1004), 0, "off, as without a filter");
            assert_eq!(rig.level(W + 1000 + 8 + u64::from(first) + 2), 8);
        }
    }
}

#[test]
fn the_filters_flip_flops_are_at_1_when_stimer_first_takes_effect_whatever_their_clocks_did_before()
{
    for third in 0..=255 {
        for audc in [0xA8, 0x88, 0xC8] {
            let rig = started(&[(AUDCTL, 0x64), (AUDF1, 200), (AUDF3, third), (AUDC1, audc)]);
            assert_eq!(rig.level(W + 8), 0, "AUDF3 {third}, AUDC1 {audc:02X}");
        }
    }
}

#[test]
fn the_console_speaker_is_a_bit_of_its_own() {
    let mut rig = started(&[(AUDC1, 0x1F), (AUDC2, 0x1F), (AUDC3, 0x1F), (AUDC4, 0x1F)]);
    rig.pokey.set_speaker(true, S + 100);
    assert_eq!(rig.level(S + 101), 0x3C | SPEAKER);
    rig.pokey.set_speaker(false, S + 200);
    assert_eq!(
        rig.sound(S + 50, S + 300),
        [(102, 0x3C | SPEAKER), (302, 0x3C)]
    );
}
