//! The PIA as the processor reaches it (AHRM 2.5; Acid800 pia_basic, pia_irq).
use crate::rig::{IRQ_SEEN, Rig};
use machine::{Model, Tv};

const PORTA: u16 = 0xD300;
const PORTB: u16 = 0xD301;
const PACTL: u16 = 0xD302;
const PBCTL: u16 = 0xD303;

fn read(rig: &mut Rig, address: u16) -> u8 {
    rig.machine.pins().read(address)
}

fn write(rig: &mut Rig, address: u16, data: u8) {
    rig.machine.pins().write(address, data);
}

/// Sets the direction register of a port and leaves its data register showing.
fn direct(rig: &mut Rig, port: u16, direction: u8) {
    write(rig, port + 2, 0x38);
    write(rig, port, direction);
    write(rig, port + 2, 0x3C);
}

#[test]
fn the_flags_of_a_control_register_cannot_be_written() {
    let mut rig = Rig::new();
    for control in [PACTL, PBCTL] {
        write(&mut rig, control, 0xFF);
        assert_eq!(read(&mut rig, control), 0x3F);
        write(&mut rig, control, 0xC0);
        assert_eq!(read(&mut rig, control), 0x00);
    }
}

#[test]
fn the_four_registers_repeat_through_the_page() {
    let mut rig = Rig::new();
    direct(&mut rig, PORTA, 0xFF);
    direct(&mut rig, PORTB, 0xFF);
    for base in (0xD300..0xD400).step_by(4) {
        let value = (base & 0x7C) as u8;
        write(&mut rig, base, value);
        write(&mut rig, base + 1, 0x83 | value);
        assert_eq!(read(&mut rig, PORTA), value);
        assert_eq!(read(&mut rig, PORTB), 0x83 | value);
        assert_eq!(read(&mut rig, base + 2), 0x3C);
        assert_eq!(read(&mut rig, base + 3), 0x3C);
    }
}

#[test]
fn direction_and_data_are_registers_of_their_own_behind_one_address() {
    let mut rig = Rig::new();
    for port in [PORTA, PORTB] {
        write(&mut rig, port + 2, 0x38);
        write(&mut rig, port, 0xF1);
        write(&mut rig, port + 2, 0x3C);
        write(&mut rig, port, 0x83);
        write(&mut rig, port + 2, 0x38);
        assert_eq!(read(&mut rig, port), 0xF1);
        write(&mut rig, port + 2, 0x3C);
        assert_eq!(read(&mut rig, port) & 0xF1, 0x81);
    }
}

#[test]
fn port_a_reads_its_pins_also_where_it_drives_them() {
    let mut rig = Rig::new();
    rig.machine.input.joystick(0).up();
    rig.machine.input.joystick(1).right();
    rig.machine.run_cycles(1);
    direct(&mut rig, PORTA, 0x00);
    assert_eq!(read(&mut rig, PORTA), 0x7E);
    direct(&mut rig, PORTA, 0xFF);
    write(&mut rig, PORTA, 0xFF);
    assert_eq!(read(&mut rig, PORTA), 0x7E, "pulled low from outside");
    write(&mut rig, PORTA, 0x0F);
    assert_eq!(read(&mut rig, PORTA), 0x0E);
    rig.machine.input.joystick(0).centre();
    rig.machine.input.joystick(1).centre();
    rig.machine.run_cycles(1);
    for value in [0xFF, 0x00] {
        write(&mut rig, PORTA, value);
        assert_eq!(read(&mut rig, PORTA), value);
    }
}

#[test]
fn port_b_reads_its_latch_where_it_is_an_output_and_its_pins_elsewhere() {
    let mut rig = Rig::of(Model::Atari800, Tv::Ntsc);
    rig.machine.input.joystick(2).down();
    rig.machine.input.joystick(3).left();
    rig.machine.run_cycles(1);
    direct(&mut rig, PORTB, 0x00);
    assert_eq!(read(&mut rig, PORTB), 0xBD);
    direct(&mut rig, PORTB, 0xFF);
    for value in [0xFF, 0x00, 0xA5] {
        write(&mut rig, PORTB, value);
        assert_eq!(read(&mut rig, PORTB), value, "whatever is outside");
    }
    direct(&mut rig, PORTB, 0x0F);
    assert_eq!(read(&mut rig, PORTB), 0xB5);
}

#[test]
fn what_is_written_to_a_port_while_it_is_an_input_appears_when_it_becomes_an_output() {
    let mut rig = Rig::of(Model::Atari800, Tv::Ntsc);
    for port in [PORTA, PORTB] {
        direct(&mut rig, port, 0x00);
        write(&mut rig, port, 0x55);
        assert_eq!(read(&mut rig, port), 0xFF);
        direct(&mut rig, port, 0xFF);
        assert_eq!(read(&mut rig, port), 0x55);
    }
}

#[test]
fn reading_a_port_clears_both_its_flags_and_reading_its_direction_none() {
    let mut rig = Rig::new();
    for (port, first_then_second) in [(PORTA, [0x34, 0x14]), (PORTB, [0x34, 0x04])] {
        let other = port ^ 1;
        for control in [0x3C, 0x34, 0x3C] {
            write(&mut rig, port + 2, control);
        }
        // Bit 2 is 0: the direction register.
        write(&mut rig, port + 2, first_then_second[1] & !0x04);
        let mut pia = rig.machine.pins();
        if port == PORTA {
            pia.proceed(true);
        } else {
            pia.interrupt(true);
        }
        assert_eq!(read(&mut rig, port + 2) & 0xC0, 0xC0);
        read(&mut rig, port);
        assert_eq!(read(&mut rig, port + 2) & 0xC0, 0xC0);
        write(&mut rig, port + 2, first_then_second[1]);
        read(&mut rig, other);
        assert_eq!(read(&mut rig, port + 2) & 0xC0, 0xC0);
        read(&mut rig, port);
        assert_eq!(read(&mut rig, port + 2) & 0xC0, 0);
    }
}

#[test]
fn the_first_control_line_flags_the_edge_that_bit_1_chooses() {
    for (control, falling, rising) in [(0x04, 0x80, 0x00), (0x06, 0x00, 0x80)] {
        let mut rig = Rig::new();
        for port in [PORTA, PORTB] {
            write(&mut rig, port + 2, control);
            for (low, flag) in [(true, falling), (false, rising)] {
                let mut pia = rig.machine.pins();
                if port == PORTA {
                    pia.proceed(low);
                } else {
                    pia.interrupt(low);
                }
                assert_eq!(read(&mut rig, port + 2) & 0x80, flag);
                read(&mut rig, port);
            }
        }
    }
}

#[test]
fn the_second_control_line_as_output_and_then_input_flags_as_acid800_says() {
    let cases: [(u16, [u8; 4], u8, bool); 17] = [
        (PBCTL, [0x34, 0x3C, 0x3C, 0x04], 0x44, false),
        (PBCTL, [0x34, 0x3C, 0x3C, 0x0C], 0x4C, true),
        (PBCTL, [0x34, 0x3C, 0x04, 0x04], 0x44, false),
        (PBCTL, [0x34, 0x3C, 0x04, 0x24], 0x24, false),
        (PBCTL, [0x34, 0x24, 0x3C, 0x04], 0x44, false),
        (PBCTL, [0x34, 0x28, 0x3C, 0x04], 0x04, false),
        (PBCTL, [0x34, 0x04, 0x3C, 0x04], 0x04, false),
        (PBCTL, [0x34, 0x3C, 0x34, 0x04], 0x04, false),
        (PBCTL, [0x3C, 0x34, 0x3C, 0x04], 0x44, false),
        (PACTL, [0x3C, 0x3C, 0x3C, 0x14], 0x14, false),
        (PACTL, [0x3C, 0x3C, 0x34, 0x14], 0x54, false),
        (PACTL, [0x3C, 0x34, 0x3C, 0x14], 0x54, false),
        (PACTL, [0x3C, 0x34, 0x3C, 0x1C], 0x5C, true),
        (PACTL, [0x34, 0x34, 0x34, 0x04], 0x04, false),
        (PACTL, [0x34, 0x34, 0x2C, 0x14], 0x14, false),
        (PACTL, [0x34, 0x34, 0x24, 0x14], 0x54, false),
        (PACTL, [0x34, 0x34, 0x14, 0x34], 0x34, false),
    ];
    for (control, writes, result, irq) in cases {
        let mut rig = Rig::new();
        for data in writes {
            write(&mut rig, control, data);
        }
        assert_eq!(read(&mut rig, control), result, "{writes:02X?}");
        rig.program(40, 60, &[0x4C, 0x00, 0x20]);
        rig.machine.cpu.set_p(0);
        let taken = !rig.writes(60, IRQ_SEEN).is_empty();
        assert_eq!(taken, irq, "{writes:02X?}");
    }
}

#[test]
fn a_flag_interrupts_only_when_enabled_and_disabling_keeps_it() {
    let mut rig = Rig::new();
    write(&mut rig, PBCTL, 0x3C);
    rig.machine.pins().interrupt(true);
    rig.program(40, 60, &[0x4C, 0x00, 0x20]);
    rig.machine.cpu.set_p(0);
    assert_eq!(rig.writes(60, IRQ_SEEN), []);
    assert_eq!(read(&mut rig, PBCTL), 0xBC, "flagged though not enabled");
    write(&mut rig, PBCTL, 0x3D);
    assert!(!rig.writes(60, IRQ_SEEN).is_empty());
    write(&mut rig, PBCTL, 0x3C);
    rig.writes(60, IRQ_SEEN);
    assert_eq!(rig.writes(60, IRQ_SEEN), []);
    assert_eq!(read(&mut rig, PBCTL), 0xBC);
}

#[test]
fn reset_clears_the_pia_of_the_xl_and_not_of_the_800() {
    for (model, control, direction) in [(Model::Xl800, 0x00, 0x00), (Model::Atari800, 0x38, 0xF0)] {
        let mut rig = Rig::of(model, Tv::Ntsc);
        for port in [PORTA, PORTB] {
            direct(&mut rig, port, 0xF0);
            write(&mut rig, port + 2, 0x38);
        }
        rig.machine.reset();
        for port in [PORTA, PORTB] {
            assert_eq!(rig.machine.peek(port + 2), control);
            assert_eq!(rig.machine.peek(port), direction);
        }
    }
}
