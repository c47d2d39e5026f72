//! Banking through port B (AHRM 2.6; Acid800 mmu_xlbanking).
use crate::rig::Rig;
use cpu6502::Bus as _;
use machine::{Model, Tv};

const PORTB: u16 = 0xD301;
const PBCTL: u16 = 0xD303;

/// Makes port B an output with this value.
fn set_portb(rig: &mut Rig, value: u8) {
    let bus = &mut rig.machine.bus;
    bus.write(PBCTL, 0x38);
    bus.write(PORTB, 0xFF);
    bus.write(PBCTL, 0x3C);
    bus.write(PORTB, value);
}

/// Which of $C000, $F000, $A000, $5000 keep what is written: bits 3 to 0.
fn ram_mask(rig: &mut Rig) -> u8 {
    let bus = &mut rig.machine.bus;
    [0xC000, 0xF000, 0xA000, 0x5000]
        .into_iter()
        .fold(0, |mask, address| {
            let old = bus.read(address);
            bus.write(address, !old);
            let kept = bus.read(address) == !old;
            bus.write(address, old);
            mask << 1 | u8::from(kept)
        })
}

#[test]
fn port_b_banks_ram_and_rom() {
    let mut rig = Rig::of(Model::Xe130, Tv::Ntsc);
    for (portb, mask) in [
        (0xC2, 0x0F),
        // Without a BASIC ROM $A000 is RAM in any case.
        (0xF3, 0x03),
        (0x72, 0x0F),
        // The self-test covers $5000, also where extended RAM would be.
        (0x73, 0x02),
        (0x43, 0x02),
    ] {
        set_portb(&mut rig, portb);
        assert_eq!(ram_mask(&mut rig), mask, "PORTB {portb:02X}");
    }
}

#[test]
fn port_b_as_an_input_reads_and_banks_as_all_ones() {
    let mut rig = Rig::of(Model::Xe130, Tv::Ntsc);
    set_portb(&mut rig, 0xC2);
    assert_eq!(ram_mask(&mut rig), 0x0F);
    let bus = &mut rig.machine.bus;
    bus.write(PBCTL, 0x38);
    bus.write(PORTB, 0x00);
    bus.write(PBCTL, 0x3C);
    assert_eq!(bus.read(PORTB), 0xFF);
    assert_eq!(ram_mask(&mut rig), 0x03, "the OS is there again");
}

#[test]
fn writes_to_rom_do_not_reach_the_ram_below() {
    let mut rig = Rig::of(Model::Xl800, Tv::Ntsc);
    set_portb(&mut rig, 0xFE);
    let bus = &mut rig.machine.bus;
    bus.write(0xE000, 0x12);
    bus.write(PORTB, 0xFF);
    bus.write(0xE000, 0x34);
    assert_eq!(bus.read(0xE000), 0xEA);
    bus.write(PORTB, 0xFE);
    assert_eq!(bus.read(0xE000), 0x12);
}

#[test]
fn processor_and_antic_choose_extended_ram_separately() {
    for (portb, processor, antic) in [(0xFF, 1, 1), (0xEF, 2, 1), (0xDF, 1, 2), (0xCF, 2, 2)] {
        let mut rig = Rig::of(Model::Xe130, Tv::Ntsc);
        set_portb(&mut rig, 0xFF);
        rig.machine.bus.write(0x4000, 1);
        set_portb(&mut rig, 0xEF);
        rig.machine.bus.write(0x4000, 2);
        set_portb(&mut rig, portb);
        let bus = &mut rig.machine.bus;
        assert_eq!(
            (bus.read(0x4000), bus.memory.read_antic(0x4000)),
            (processor, antic)
        );
    }
}

#[test]
fn the_800xl_has_no_extended_ram() {
    let mut rig = Rig::of(Model::Xl800, Tv::Ntsc);
    set_portb(&mut rig, 0xFF);
    rig.machine.bus.write(0x4000, 1);
    set_portb(&mut rig, 0xCF);
    assert_eq!(rig.machine.bus.read(0x4000), 1);
}
