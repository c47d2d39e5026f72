//! A machine that was loaded has the state of the one that went on, in whichever cycle of a line both are compared.
use machine::{Config, Extras, Machine, Model, Tv};

/// An 800XL whose OS is a loop, with a display list of mode lines of one and of two lines, alike and unlike, and the DMA of missiles and players.
fn machine() -> Machine {
    const LIST: [u8; 12] = [
        0x70, 0x0F, 0x0F, 0x0D, 0x0D, 0x0F, 0x02, 0x0E, 0x0E, 0x41, 0x00, 0x30,
    ];
    let mut os = vec![0xEA; 0x4000];
    os[..3].copy_from_slice(&[0x4C, 0x00, 0xC0]);
    os[0x3FFC..0x3FFE].copy_from_slice(&[0x00, 0xC0]);
    let config = Config {
        model: Model::Xl800,
        tv: Tv::Ntsc,
        os: os.into(),
        basic: None,
        cartridge: None,
        second: None,
        seed: 7,
        extras: Extras::default(),
    };
    let mut machine = Machine::new(&config).unwrap();
    for (address, byte) in (0x3000..).zip(LIST) {
        machine.poke(address, byte);
    }
    for (register, byte) in [(0xD402, 0x00), (0xD403, 0x30), (0xD400, 0x3E)] {
        machine.pins().write(register, byte);
    }
    machine.run_frame();
    machine
}

#[test]
fn a_loaded_state_is_equal_in_each_cycle_of_the_lines_after_it() {
    let mut machine = machine();
    while machine.beam().line != 16 {
        machine.step_cycle();
    }
    for _ in 0..10 * 114 {
        let mut loaded = Machine::new(machine.config()).unwrap();
        loaded.load_state(&machine.save_state()).unwrap();
        let mut straight = machine.clone();
        for piece in [3, 40, 71, 40, 74, 40] {
            straight.run_cycles(piece);
            loaded.run_cycles(piece);
            assert!(
                loaded.save_state() == straight.save_state(),
                "{:?} after {:?}",
                straight.beam(),
                machine.beam()
            );
        }
        machine.step_cycle();
    }
}
