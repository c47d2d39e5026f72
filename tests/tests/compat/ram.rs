//! Models and sizes of RAM.
use super::{FOUND, ran, xex};
use machine::{Config, Machine, Media, Model, Named, Ram, Tv};

const PORTB: u16 = 0xD301;
const PBCTL: u16 = 0xD303;
const RAMTOP: u16 = 0x6A;

/// For every value of PORTB with the OS on and the window open: writes the value into the window; then counts the values that it finds
/// there again: the banks.
const COUNT: [u8; 58] = [
    0xAD, 0x01, 0xD3, 0x48, // LDA PORTB, PHA
    0xA2, 0x00, // LDX #0
    0x8A, 0x29, 0x11, 0xC9, 0x01, 0xD0, 0x06, // TXA, AND #$11, CMP #1, BNE +6
    0x8E, 0x01, 0xD3, 0x8E, 0x67, 0x45, // STX PORTB, STX $4567
    0xE8, 0xD0, 0xF0, // INX, BNE
    0xA0, 0x00, // LDY #0 (X is 0)
    0x8A, 0x29, 0x11, 0xC9, 0x01, 0xD0, 0x09, // TXA, AND #$11, CMP #1, BNE +9
    0x8E, 0x01, 0xD3, 0xEC, 0x67, 0x45, 0xD0, 0x01, 0xC8, // STX PORTB, CPX $4567, BNE +1, INY
    0xE8, 0xD0, 0xED, // INX, BNE
    0x68, 0x8D, 0x01, 0xD3, // PLA, STA PORTB
    0x8C, 0x00, 0x06, // STY FOUND
    0xA9, 0xA5, 0x8D, 0x01, 0x06, // LDA #DONE, STA FOUND + 1
    0x4C, 0x37, 0x20, // JMP to itself
];

fn with(model: Model, ram: Ram) -> Config {
    tests::config(model, Tv::Ntsc, false).with_ram(ram)
}

#[test]
fn every_extended_ram_has_its_banks() {
    for (ram, banks) in [
        (Ram::K64, 1),
        (Ram::K128, 4),
        (Ram::K192, 8),
        (Ram::K256, 16),
        (Ram::K320Rambo, 16),
        (Ram::K320Compy, 16),
        (Ram::K576Rambo, 32),
        (Ram::K576Compy, 32),
        (Ram::K1088, 64),
    ] {
        for model in [Model::Xl800, Model::Xe130] {
            let atari = ran(&with(model, ram), &xex(0x2000, &COUNT), ram.name());
            assert_eq!(atari.machine.peek(FOUND), banks, "{} {model:?}", ram.name());
        }
    }
}

/// Makes port B an output with this value.
fn portb(machine: &mut Machine, value: u8) {
    let mut pins = machine.pins();
    for (address, data) in [(PBCTL, 0x38), (PORTB, 0xFF), (PBCTL, 0x3C), (PORTB, value)] {
        pins.write(address, data);
    }
}

#[test]
fn the_first_banks_of_the_rambo_256k_are_the_main_memory() {
    let mut machine = Machine::new(&with(Model::Xl800, Ram::K256)).unwrap();
    portb(&mut machine, 0x83); // bank 0
    machine.poke(0x4567, 0x5A);
    assert_eq!((machine.peek(0x0567), machine.peek(0x4567)), (0x5A, 0x5A));
    machine.poke(0x0567, 0xA5);
    assert_eq!((machine.peek(0x0567), machine.peek(0x4567)), (0xA5, 0xA5));
    assert_eq!(
        machine.bus().memory.read_antic(0x4567),
        0xA5,
        "ANTIC has no switch of its own"
    );
    portb(&mut machine, 0x87); // bank 1 is what lies there anyway
    machine.poke(0x4567, 0x11);
    portb(&mut machine, 0xFF);
    assert_eq!(machine.peek(0x4567), 0x11);
    portb(&mut machine, 0x8B);
    assert_eq!(machine.peek(0x4567), machine.peek(0x8567));
}

#[test]
fn antic_has_a_switch_of_its_own_in_the_compyshop_memories() {
    for (ram, own) in [
        (Ram::K128, true),
        (Ram::K192, false),
        (Ram::K320Rambo, false),
        (Ram::K320Compy, true),
        (Ram::K576Compy, true),
        (Ram::K1088, false),
    ] {
        let mut machine = Machine::new(&with(Model::Xl800, ram)).unwrap();
        portb(&mut machine, 0xFF);
        machine.poke(0x4000, 0x11);
        portb(&mut machine, 0xEF); // bit 4: the processor's
        machine.poke(0x4000, 0x22);
        let seen = machine.bus().memory.read_antic(0x4000);
        assert_eq!(seen, if own { 0x11 } else { 0x22 }, "{}", ram.name());
    }
}

#[test]
fn bits_that_choose_a_bank_do_not_switch_roms() {
    let mut config = with(Model::Xl800, Ram::K1088);
    config.basic = Some(machine::Rom::own(roms::BASIC));
    let mut machine = Machine::new(&config).unwrap();
    portb(&mut machine, 0x6D); // window open, bits 1 and 7 are 0
    machine.poke(0x5000, 0x77);
    machine.poke(0xA000, 0x78);
    assert_eq!((machine.peek(0x5000), machine.peek(0xA000)), (0x77, 0x78));
    portb(&mut machine, 0xFD); // closed: bit 1 is BASIC's switch again
    assert_eq!(machine.peek(0xA000), roms::BASIC[0]);
}

#[test]
fn a_400_and_an_800_have_the_memory_that_is_plugged_in() {
    // LDA RAMTOP, STA FOUND, LDA #DONE, STA FOUND + 1, JMP to itself.
    let code = [
        0xA5, 0x6A, 0x8D, 0x00, 0x06, 0xA9, 0xA5, 0x8D, 0x01, 0x06, 0x4C, 0x0A, 0x10,
    ];
    for model in [Model::Atari400, Model::Atari800] {
        for (ram, pages) in [
            (Ram::K8, 0x20),
            (Ram::K16, 0x40),
            (Ram::K24, 0x60),
            (Ram::K32, 0x80),
            (Ram::K40, 0xA0),
            (Ram::K48, 0xC0),
            (Ram::K52, 0xD0),
        ] {
            let atari = ran(&with(model, ram), &xex(0x1000, &code), ram.name());
            assert_eq!(atari.machine.peek(FOUND), pages, "{model:?} {}", ram.name());
        }
    }
}

#[test]
fn every_model_starts_a_program_and_basic() {
    let code = [
        0xA5, 0x6A, 0x8D, 0x00, 0x06, 0xA9, 0xA5, 0x8D, 0x01, 0x06, 0x4C, 0x0A, 0x10,
    ];
    for &model in Model::ALL {
        for tv in [Tv::Ntsc, Tv::Pal] {
            let atari = ran(
                &tests::config(model, tv, false),
                &xex(0x1000, &code),
                model.name(),
            );
            let pages = (model.ram().main() >> 8).min(0xC0) as u8;
            assert_eq!(atari.machine.peek(RAMTOP), pages, "{model:?}");
            let mut atari = tests::Atari::new(&tests::config(model, tv, true));
            atari.expect_text("READY", 600);
        }
    }
}

#[test]
fn memory_that_a_model_cannot_have_is_refused_with_a_sentence() {
    for (model, ram) in [
        (Model::Xl800, Ram::K8),
        (Model::Atari800, Ram::K64),
        (Model::Atari400, Ram::K320Rambo),
    ] {
        let error = Machine::new(&with(model, ram)).unwrap_err().to_string();
        assert!(
            error.contains(ram.name()) && error.contains(model.name()),
            "{error}"
        );
    }
}

#[test]
fn states_hold_all_banks_and_the_timeline_finds_them_again() {
    for ram in [Ram::K192, Ram::K256, Ram::K320Compy, Ram::K1088] {
        let config = with(Model::Xl800, ram);
        let atari = ran(&config, &xex(0x2000, &COUNT), ram.name());
        let state = atari.machine.save_state();
        let mut other = Machine::new(&config).unwrap();
        other.load_state(&state).unwrap();
        assert_eq!(
            other.state_hash(),
            atari.machine.state_hash(),
            "{}",
            ram.name()
        );
        let again = Machine::from_state(&state, &[], &[]).unwrap();
        assert_eq!(again.config().ram(), ram);
        assert!(again.bus().memory.extended() == atari.machine.bus().memory.extended());
        let mut raw = Vec::new();
        atari.machine.raw_state(&mut raw);
        let mut third = Machine::new(&config).unwrap();
        third
            .load_raw_state(&raw, &atari.machine.media(&Media::default()))
            .unwrap();
        assert_eq!(third.state_hash(), other.state_hash(), "{}", ram.name());
        // A machine with other RAM becomes the one of the state.
        let mut plain = Machine::new(&tests::config(Model::Xl800, Tv::Ntsc, false)).unwrap();
        plain.load_state(&state).unwrap();
        assert_eq!(plain.config().ram(), ram);
    }
}
