//! Light pen, light gun and mice at the controller ports (AHRM 7.3 to 7.5).
use crate::rig::Rig;
use machine::{Input, Machine, Model, Pointer, PointerKind, Tv};

const TRIG0: u16 = 0xD010;
const GRACTL: u16 = 0xD01D;
const PORTA: u16 = 0xD300;
const PORTB: u16 = 0xD301;
const PACTL: u16 = 0xD302;
const PBCTL: u16 = 0xD303;
const PENH: u16 = 0xD40C;
const PENV: u16 = 0xD40D;

fn pen(port: u8, x: i16, y: i16) -> Pointer {
    let kind = PointerKind::LightPen;
    let button = false;
    Pointer {
        kind,
        port,
        x,
        y,
        button,
    }
}

fn registers(rig: &Rig) -> (u8, u8) {
    (rig.machine.peek(PENH), rig.machine.peek(PENV))
}

#[test]
fn the_pen_is_seen_when_the_beam_has_passed_it() {
    for tv in [Tv::Ntsc, Tv::Pal] {
        let mut rig = Rig::of(Model::Xl800, tv);
        rig.to(0, 0);
        assert_eq!(registers(&rig), (0x00, 0xFF), "as at power-on");
        // AHRM 7.5: a pixel at $80, $80 reads $96 to $9C and $40.
        rig.machine.input.pointer = pen(0, 0x80, 0x80);
        rig.to(0x80, 70);
        assert_eq!(registers(&rig), (0x00, 0xFF));
        rig.to(0x80, 80);
        assert_eq!(registers(&rig), (0x99, 0x40));
        // It stays until the beam has passed the next place, also over the end of the frame.
        rig.to(0, 0);
        rig.machine.input.pointer = pen(0, 0x60, 0x20);
        rig.to(0x1F, 0);
        assert_eq!(registers(&rig), (0x99, 0x40));
        rig.to(0x21, 0);
        assert_eq!(registers(&rig), (0x79, 0x10));
        // Away from the screen it sees nothing.
        rig.machine.input.pointer = pen(0, 0, 0).away();
        rig.machine.run_frame();
        rig.machine.run_frame();
        assert_eq!(registers(&rig), (0x79, 0x10));
    }
}

#[test]
fn penh_wraps_at_the_right_edge() {
    let mut rig = Rig::new();
    // The next line's VCOUNT is seen from cycle 111 on.
    for (x, y, seen) in [
        (202, 0x41, (227, 0x21)),
        (203, 0x41, (0, 0x21)),
        (227, 0x40, (24, 0x20)),
        (196, 0x41, (221, 0x20)),
        (197, 0x41, (222, 0x21)),
        (227, 261, (24, 0x00)),
    ] {
        rig.machine.input.pointer = pen(1, x, y);
        rig.machine.run_cycles(2 * 262 * 114);
        assert_eq!(registers(&rig), seen, "{x} {y}");
    }
}

#[test]
fn only_port_four_of_the_400_reaches_antic() {
    for (model, wired) in [
        (Model::Atari400, [false, false, false, true]),
        (Model::Atari800, [true; 4]),
        (Model::Xl800, [true, true, false, false]),
    ] {
        for port in 0..4 {
            let mut rig = Rig::of(model, Tv::Ntsc);
            rig.machine.input.pointer = pen(port, 0x80, 0x80);
            rig.machine.run_cycles(2 * 262 * 114);
            let seen = registers(&rig) == (0x99, 0x40);
            assert_eq!(seen, wired[usize::from(port)], "{model:?} {port}");
        }
    }
}

#[test]
fn light_is_a_short_pulse_on_the_trigger_line_that_gtia_may_latch() {
    let mut rig = Rig::new();
    rig.to(0, 0);
    rig.machine.input.pointer = pen(1, 0x80, 0x80);
    let trigger = |rig: &Rig| rig.machine.peek(TRIG0 + 1);
    for (line, cycle, level) in [(0x80, 76, 1), (0x80, 80, 0), (0x80, 92, 0), (0x80, 95, 1)] {
        rig.to(line, cycle);
        assert_eq!(trigger(&rig), level, "{line} {cycle}");
    }
    // A pulse before latching begins is not latched, one after it is until latching ends.
    rig.machine.pins().write(GRACTL, 4);
    rig.to(0x7F, 0);
    assert_eq!(trigger(&rig), 1);
    rig.to(0x90, 0);
    assert_eq!(trigger(&rig), 0);
    assert_eq!(rig.machine.peek(TRIG0), 1, "the other port");
    rig.machine.pins().write(GRACTL, 0);
    assert_eq!(trigger(&rig), 1);
}

#[test]
fn a_held_trigger_gives_the_pen_no_edge() {
    let mut rig = Rig::new();
    rig.to(0, 0);
    rig.machine.input.pointer = pen(0, 0x80, 0x80);
    rig.to(0x20, 50);
    rig.machine.input.joysticks[1].trigger = true;
    rig.machine.run_cycles(1);
    assert_eq!(
        registers(&rig),
        (100, 0x10),
        "the edge of the trigger itself"
    );
    rig.machine.run_cycles(262 * 114);
    assert_eq!(registers(&rig), (100, 0x10));
    rig.machine.input.joysticks[1].trigger = false;
    rig.machine.run_cycles(262 * 114);
    assert_eq!(registers(&rig), (0x99, 0x40));
}

#[test]
fn the_switch_of_a_pen_closes_and_that_of_a_gun_opens() {
    let mut rig = Rig::new();
    rig.machine.pins().write(PACTL, 4);
    for (kind, button, lines) in [
        (PointerKind::LightPen, false, 0xFF),
        (PointerKind::LightPen, true, 0xEF),
        (PointerKind::LightGun, false, 0xEF),
        (PointerKind::LightGun, true, 0xFF),
    ] {
        rig.machine.input.pointer = Pointer {
            kind,
            button,
            ..pen(1, 0, 0)
        };
        rig.machine.run_cycles(1);
        assert_eq!(rig.machine.peek(PORTA), lines, "{kind:?}");
    }
}

/// The lines of a mouse's port, each time they change, over a number of cycles.
fn steps(rig: &mut Rig, register: u16, cycles: u64) -> Vec<(u64, u8)> {
    let begin = rig.machine.now();
    let mut last = rig.machine.peek(register);
    let mut seen = Vec::new();
    for _ in 0..cycles {
        rig.machine.run_cycles(1);
        let lines = rig.machine.peek(register);
        if lines != last {
            seen.push((rig.machine.now() - begin, lines));
            last = lines;
        }
    }
    seen
}

fn mouse(rig: &mut Rig, kind: PointerKind, port: u8) {
    rig.machine.input.pointer = Pointer {
        kind,
        port,
        ..Pointer::default()
    };
    rig.machine.run_cycles(1);
}

#[test]
fn a_mouse_turns_its_lines_evenly_over_a_frame() {
    const FRAME: u64 = 262 * 114;
    // Lines of ports 1 and 3. To the right XA comes before XB (AHRM 7.3), down YB of the ST's before YA, YA of the Amiga's before YB (drivers
    // of cc65).
    for (kind, right, down) in [
        (PointerKind::StMouse, [2, 3, 1, 0], [8, 12, 4, 0]),
        (PointerKind::AmigaMouse, [2, 10, 8, 0], [1, 5, 4, 0]),
    ] {
        for (x, y, order) in [(4, 0, right), (0, 4, down)] {
            let mut rig = Rig::new();
            rig.machine.pins().write(PACTL, 4);
            mouse(&mut rig, kind, 0);
            rig.machine.input.pointer = rig.machine.input.pointer.moved(x, y);
            let seen = steps(&mut rig, PORTA, 2 * FRAME);
            let lines: Vec<_> = seen.iter().map(|(_, lines)| lines & 15).collect();
            assert_eq!(lines, order, "{kind:?}");
            for (i, (at, lines)) in seen.iter().enumerate() {
                assert_eq!(*at, (i as u64 + 1) * FRAME / 4);
                assert_eq!(lines & 0xF0, 0xF0, "the other port");
            }
            // And back.
            rig.machine.input.pointer = rig.machine.input.pointer.moved(-x, -y);
            let back = steps(&mut rig, PORTA, FRAME);
            let lines: Vec<_> = back.iter().map(|(_, lines)| lines & 15).collect();
            assert_eq!(lines, [order[2], order[1], order[0], 0]);
        }
    }
}

#[test]
fn a_trak_ball_has_a_line_for_steps_and_one_for_the_direction_of_each_axis() {
    // The driver of cc65: bits 3 and 1 change with each step, bits 2 and 0 are set on the way down and to the right.
    const FRAME: u64 = 262 * 114;
    let mut rig = Rig::new();
    rig.machine.pins().write(PACTL, 4);
    mouse(&mut rig, PointerKind::TrakBall, 0);
    for (x, y, order) in [
        (3, 0, &[7, 5, 7][..]),
        (0, 3, &[15, 7, 15]),
        // The direction changes at once.
        (-3, 0, &[14, 12, 14, 12]),
    ] {
        rig.machine.input.pointer = rig.machine.input.pointer.moved(x, y);
        let seen = steps(&mut rig, PORTA, FRAME);
        let lines: Vec<_> = seen.iter().map(|(_, lines)| lines & 15).collect();
        assert_eq!(lines, order, "{x} right, {y} down");
    }
    rig.machine.input.pointer.button = true;
    rig.machine.run_cycles(1);
    assert_eq!(rig.machine.peek(TRIG0), 0);
}

#[test]
fn a_fast_mouse_is_held_back_and_a_very_fast_one_loses_steps() {
    let mut rig = Rig::of(Model::Atari800, Tv::Pal);
    rig.machine.pins().write(PBCTL, 4);
    mouse(&mut rig, PointerKind::StMouse, 2);
    rig.machine.input.pointer = rig.machine.input.pointer.moved(100, 0);
    let seen = steps(&mut rig, PORTB, 100 * 8 * 114);
    assert_eq!(seen.len(), 100);
    for pair in seen.windows(2) {
        assert_eq!(pair[1].0 - pair[0].0, 8 * 114);
    }
    rig.machine.input.pointer = rig.machine.input.pointer.moved(-30_000, 0);
    let seen = steps(&mut rig, PORTB, 400 * 8 * 114);
    assert_eq!(seen.len(), 256);
}

#[test]
fn the_left_button_of_a_mouse_is_the_trigger() {
    let mut rig = Rig::new();
    mouse(&mut rig, PointerKind::StMouse, 1);
    assert_eq!(rig.machine.peek(TRIG0 + 1), 1);
    rig.machine.input.pointer.button = true;
    rig.machine.run_cycles(1);
    assert_eq!(rig.machine.peek(TRIG0 + 1), 0);
    assert_eq!(rig.machine.peek(TRIG0), 1);
}

/// Controls that come from a number: pens, mice and triggers in turn.
fn controls(number: u32) -> Input {
    let mut input = Input::default();
    let random = number.wrapping_mul(0x9E37_79B9) >> 8;
    input.joysticks[1].trigger = random.is_multiple_of(7);
    input.pointer = Pointer {
        kind: [
            PointerKind::LightPen,
            PointerKind::StMouse,
            PointerKind::None,
            PointerKind::LightGun,
            PointerKind::AmigaMouse,
            PointerKind::TrakBall,
        ][(number / 3 % 6) as usize],
        port: (random >> 3 & 1) as u8,
        x: ((random >> 4) as i16).rem_euclid(240),
        y: ((random >> 6) as i16).rem_euclid(280),
        button: random & 4 != 0,
    };
    input
}

#[test]
fn a_run_cut_anywhere_and_states_of_it_are_equal() {
    let run = |cuts: u32| {
        let mut rig = Rig::new();
        rig.machine.pins().write(GRACTL, 4);
        rig.machine.pins().write(PACTL, 4);
        let mut sums = Vec::new();
        for step in 0..90 {
            rig.machine.input = controls(step);
            let cycles = u64::from(7_000 + step * 613);
            for piece in 0..u64::from(cuts) {
                let piece =
                    cycles * (piece + 1) / u64::from(cuts) - cycles * piece / u64::from(cuts);
                rig.machine.run_cycles(piece);
                if cuts == 7 {
                    let state = rig.machine.save_state();
                    let mut other = Rig::new().machine;
                    other.load_state(&state).unwrap();
                    rig.machine = other;
                }
            }
            sums.push((
                rig.machine.state_hash(),
                rig.machine.peek(PENH),
                rig.machine.peek(PENV),
                rig.machine.peek(PORTA),
                rig.machine.peek(TRIG0),
            ));
        }
        sums
    };
    let once = run(1);
    assert!(once == run(2));
    assert!(once == run(7));
    assert!(once == run(100));
    let places: std::collections::BTreeSet<_> = once.iter().map(|sum| (sum.1, sum.2)).collect();
    assert!(places.len() > 10, "{places:?}");
}

#[test]
fn a_machine_without_a_pointing_device_has_the_states_it_had() {
    let of = |input: Input| {
        let mut machine: Machine = Rig::new().machine;
        machine.input = input;
        machine.run_frame();
        let mut raw = Vec::new();
        machine.raw_state(&mut raw);
        (
            machine.save_state().windows(4).any(|tag| tag == b"PNTR"),
            raw,
        )
    };
    let pointing = Input {
        pointer: pen(0, 50, 50),
        ..Input::default()
    };
    let (none, some) = (of(Input::default()), of(pointing));
    assert_eq!((none.0, some.0), (false, true));
    assert_ne!(none.1, some.1);
}
