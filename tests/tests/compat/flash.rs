//! Cartridges that a program can write to: flash is programmed and erased by the commands of its chips, battery RAM by writing.
use super::cartridges::{access, config, rom, touch};
use machine::{Cartridge, Machine, Media, Model};
use media::Identity;
use tests::Atari;

/// The addresses of the unlocking writes, as the bank of 8K that they are in and an address in its window.
const FIRST: (u8, u16) = (2, 0xB555);
const SECOND: (u8, u16) = (1, 0xAAAA);

fn booted(number: u32, kilobytes: usize) -> Atari {
    let cartridge = Cartridge::from_rom_of_type(&rom(kilobytes, 0xA0), number).unwrap();
    super::done(
        Atari::new(&config(Model::Xl800, cartridge)),
        &format!("type {number}"),
    )
}

/// The processor writes.
fn store(machine: &mut Machine, address: u16, data: u8) {
    touch(machine, address, Some(data));
}

/// A command for the chip whose banks begin at `chip`: the two unlocking writes, and `data` to the first place.
fn command(machine: &mut Machine, chip: u8, data: u8) {
    for ((bank, address), data) in [(FIRST, 0xAA), (SECOND, 0x55), (FIRST, data)] {
        access(machine, chip + bank, None);
        store(machine, address, data);
    }
}

fn program(machine: &mut Machine, chip: u8, bank: u8, address: u16, data: u8) {
    command(machine, chip, 0xA0);
    access(machine, bank, None);
    store(machine, address, data);
}

fn erase(machine: &mut Machine, chip: u8, banks: &[u8]) {
    command(machine, chip, 0x80);
    for ((bank, address), data) in [(FIRST, 0xAA), (SECOND, 0x55)] {
        access(machine, chip + bank, None);
        store(machine, address, data);
    }
    for &bank in banks {
        access(machine, bank, None);
        store(machine, 0xA000, 0x30);
    }
}

/// The byte that is read at an address of a bank.
fn seen(machine: &mut Machine, bank: u8, address: u16) -> u8 {
    access(machine, bank, None);
    machine.peek(address)
}

/// The identity that is kept up to date is that of the file.
fn identity_holds(machine: &Machine) {
    let car = machine.written_cartridge().unwrap().to_car().unwrap();
    assert_eq!(machine.cartridge_identity(), Some(Identity::of(&car)));
}

#[test]
fn a_flash_cartridge_is_programmed_and_erased() {
    // Type, kilobytes, banks of a sector, a bank of the first and of the last chip.
    for (number, kilobytes, sector, chips) in [
        (41, 128, 2u8, [(0u8, 5u8), (0, 9)]),
        (42, 1024, 8, [(0, 17), (64, 97)]),
        (75, 1024, 8, [(0, 17), (64, 97)]),
    ] {
        let mut atari = booted(number, kilobytes);
        let machine = &mut atari.machine;
        let fresh = machine.cartridge_identity();
        identity_holds(machine);
        for (chip, bank) in chips {
            assert_eq!(seen(machine, bank, 0xA150), 0xEA);
            store(machine, 0xA150, 0x00);
            assert_eq!(machine.peek(0xA150), 0xEA, "a write alone does nothing");
            program(machine, chip, bank, 0xA150, 0x2B);
            assert_eq!(machine.peek(0xA150), 0xEA & 0x2B, "bits are only cleared");
            store(machine, 0xA150, 0x00);
            assert_eq!(machine.peek(0xA150), 0x2A, "one byte for each command");
            program(machine, chip, bank, 0xA150, 0xFF);
            assert_eq!(machine.peek(0xA150), 0x2A);
            identity_holds(machine);

            let first = bank / sector * sector;
            assert_eq!(seen(machine, first - 1, 0xB050), 0xEA);
            erase(machine, chip, &[bank]);
            for erased in first..first + sector {
                assert_eq!(seen(machine, erased, 0xA000), 0xFF);
                assert_eq!(seen(machine, erased, 0xBFFF), 0xFF);
            }
            assert_eq!(seen(machine, first - 1, 0xB050), 0xEA, "the sector before");
            assert_eq!(seen(machine, (first + sector) % 128, 0xB050), 0xEA);
            program(machine, chip, bank, 0xA150, 0x2B);
            assert_eq!(machine.peek(0xA150), 0x2B);
            identity_holds(machine);

            command(machine, chip, 0x90);
            let names = [machine.peek(0xA000), machine.peek(0xA001)];
            assert_eq!(names, [0x01, if number == 41 { 0x20 } else { 0xA4 }]);
            store(machine, 0xA000, 0xF0);
            assert_eq!(seen(machine, bank, 0xA150), 0x2B);
        }
        assert_ne!(machine.cartridge_identity(), fresh);
        // Two sectors with one command, and not the one between them.
        erase(machine, 0, &[5 * sector, 7 * sector]);
        let left = [5, 6, 7].map(|n| seen(machine, n * sector, 0xA050));
        assert_eq!(left, [0xFF, 0xEA, 0xFF], "type {number}");
        identity_holds(machine);
        // Switched off, its window takes no writes.
        command(machine, 0, 0xA0);
        access(machine, if number == 41 { 0x10 } else { 0x80 }, None);
        store(machine, 0xA050, 0x77);
        assert_eq!(machine.peek(0xA050), 0x77, "RAM");
        assert_eq!(seen(machine, 0, 0xA050), 0xEA);
    }
}

/// A write to an address of a SIC!'s chip, by the bank of 16K it is in; `enable` is bit 7 of the register.
fn sic(machine: &mut Machine, enable: u8, place: u32, data: u8) {
    access(machine, 0, Some(enable | 0x20 | (place >> 14) as u8));
    store(machine, 0x8000 + (place & 0x3FFF) as u16, data);
}

/// A command for it.
fn sic_command(machine: &mut Machine, enable: u8, data: u8) {
    for (place, data) in [(0x5555, 0xAA), (0x2AAA, 0x55), (0x5555, data)] {
        sic(machine, enable, place, data);
    }
}

/// The byte that is read there.
fn sic_seen(machine: &mut Machine, place: u32) -> u8 {
    access(machine, 0, Some(0x20 | (place >> 14) as u8));
    machine.peek(0x8000 + (place & 0x3FFF) as u16)
}

#[test]
fn a_sic_is_programmed_while_bit_7_says_so() {
    let on = 0x80;
    for (number, kilobytes, names) in [
        (54, 128u32, [0x01, 0x20]),
        (55, 256, [0xDA, 0x45]),
        (56, 512, [0x01, 0xA4]),
    ] {
        let mut atari = booted(number, kilobytes as usize);
        let machine = &mut atari.machine;
        let fresh = machine.cartridge_identity();
        identity_holds(machine);
        let last = kilobytes * 1024 - 0x100;
        for place in [0x4150, 0x6150, last] {
            sic_command(machine, 0, 0xA0);
            sic(machine, 0, place, 0x2A);
            sic(machine, on, place, 0x2A);
            assert_eq!(machine.cartridge_identity(), fresh, "type {number}");
        }
        // Maker and type.
        sic_command(machine, on, 0x90);
        let shown = [0, 1].map(|place| sic_seen(machine, place));
        assert_eq!(shown, names, "type {number}");
        sic_command(machine, on, 0xF0);
        assert_eq!(sic_seen(machine, 0x4190), 0xEA);
        // All erased, and a byte in each window and in the last bank.
        sic_command(machine, on, 0x80);
        sic_command(machine, on, 0x10);
        for place in (0..kilobytes * 1024).step_by(0x0FF1) {
            assert_eq!(sic_seen(machine, place), 0xFF, "type {number}");
        }
        for place in [0x4150, 0x6150, last] {
            sic_command(machine, on, 0xA0);
            sic(machine, on, place, 0x2A);
            machine.run_cycles(1000);
            assert_eq!(sic_seen(machine, place), 0x2A, "type {number}");
            sic(machine, on, place, 0x00);
            assert_eq!(sic_seen(machine, place), 0x2A, "type {number}");
        }
        identity_holds(machine);
        assert_ne!(machine.cartridge_identity(), fresh);
        let written = machine.written_cartridge().unwrap();
        assert_eq!(written.rom[0x4150..0x4152], [0x2A, 0xFF]);
        let state = machine.save_state();
        let mut other = Machine::from_state(&state, &[], &[]).unwrap();
        assert_eq!(sic_seen(&mut other, last), 0x2A);
        machine.power_cycle();
        assert_eq!(sic_seen(machine, last), 0x2A);
    }
}

#[test]
fn the_sic_of_256k_is_written_by_pages() {
    let on = 0x80;
    let mut atari = booted(55, 256);
    let machine = &mut atari.machine;
    assert_eq!(sic_seen(machine, 0x1_0090), 0xEA);
    sic_command(machine, on, 0xA0);
    // The first of them chooses the page; one of another page is not taken.
    for (place, data) in [
        (0x1_0081, 0x01),
        (0x1_00FF, 0x02),
        (0x1_0100, 0x03),
        (0x1_0080, 0x04),
    ] {
        sic(machine, on, place, data);
    }
    let state = machine.save_state();
    for _ in 0..2 {
        machine.run_cycles(1000);
        sic(machine, on, 0x1_0082, 0x05);
        let page = [0x7F, 0x80, 0x81, 0x82, 0xFE, 0xFF];
        let seen = page.map(|place| sic_seen(machine, 0x1_0000 + place));
        assert_eq!(seen, [0xEA, 0x04, 0x01, 0xFF, 0xFF, 0x02]);
        assert_ne!(sic_seen(machine, 0x1_0100), 0x03);
        identity_holds(machine);
        machine.load_state(&state).unwrap();
    }
    // The state was within the page's time.
    sic(machine, on, 0x1_0082, 0x05);
    assert_eq!(sic_seen(machine, 0x1_0082), 0x05);
    identity_holds(machine);
}

#[test]
fn what_was_written_stays_over_power_and_states() {
    let mut atari = booted(41, 128);
    let fresh = atari.machine.save_state();
    program(&mut atari.machine, 0, 6, 0xA150, 0x42);
    erase(&mut atari.machine, 0, &[8]);
    let written = atari.machine.cartridge_identity();
    let check = |machine: &mut Machine| {
        assert_eq!(machine.cartridge_identity(), written);
        assert_eq!(seen(machine, 6, 0xA150), 0x42);
        assert_eq!(seen(machine, 8, 0xA150), 0xFF);
    };
    let state = atari.machine.save_state();
    // The state carries what the cartridge was: its file is another one by now.
    check(&mut Machine::from_state(&state, &[], &[]).unwrap());
    assert!(machine::state_info(&state).unwrap().needs.is_empty());
    assert!(Machine::from_state(&fresh, &[], &[]).is_err());
    let mut other = booted(41, 128).machine;
    other.load_state(&state).unwrap();
    assert_eq!(other.state_hash(), atari.machine.state_hash());
    check(&mut other);
    other.load_state(&fresh).unwrap();
    assert_eq!(seen(&mut other, 6, 0xA150), 0xEA);
    identity_holds(&other);
    let mut raw = Vec::new();
    atari.machine.raw_state(&mut raw);
    let mut third = booted(41, 128).machine;
    third
        .load_raw_state(&raw, &atari.machine.media(&Media::default()))
        .unwrap();
    assert_eq!(third.state_hash(), atari.machine.state_hash());
    check(&mut third);
    atari.machine.power_cycle();
    let mut again = super::done(atari, "power cycle").machine;
    check(&mut again);
}

#[test]
fn a_sidicar_is_ram_with_a_battery() {
    let cartridge = Cartridge::from_rom_of_type(&rom(32, 0x80), 85).unwrap();
    let mut atari = Atari::new(&config(Model::Xl800, cartridge));
    atari.run(60);
    let machine = &mut atari.machine;
    assert_eq!(machine.peek(0x8090), 0, "off at power-on");
    for bank in 0..4 {
        access(machine, 0xFF, Some(0x10 | bank));
        assert_eq!(machine.peek(0x8080), bank << 5);
        store(machine, 0x8080, 0xB0 | bank);
        access(machine, 0xFF, Some(0x80));
        assert_eq!(
            machine.peek(0x8080),
            0xB0 | bank,
            "bit 7: not for the register"
        );
    }
    access(machine, 0xFF, Some(0x11));
    assert_eq!(machine.peek(0x8080), 0xB1);
    identity_holds(machine);
    access(machine, 0xFF, Some(0x00));
    store(machine, 0x8080, 0x33);
    assert_eq!(machine.peek(0x8080), 0x33, "RAM");
    access(machine, 0xFF, Some(0x10));
    assert_eq!(machine.peek(0x8080), 0xB0);
}
