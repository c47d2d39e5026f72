//! Banking through port B (AHRM 2.6; Acid800 mmu_xlbanking).
use crate::rig::Rig;
use machine::{Config, Machine, Model, Tv};

const PORTB: u16 = 0xD301;
const PBCTL: u16 = 0xD303;

/// Makes port B an output with this value.
fn set_portb(rig: &mut Rig, value: u8) {
    let mut bus = rig.machine.pins();
    bus.write(PBCTL, 0x38);
    bus.write(PORTB, 0xFF);
    bus.write(PBCTL, 0x3C);
    bus.write(PORTB, value);
}

/// A bit for each of $C000, $F000, $A000, $5000 that keeps a written byte: bits 3 to 0.
fn ram_mask(rig: &mut Rig) -> u8 {
    let mut bus = rig.machine.pins();
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
    let mut bus = rig.machine.pins();
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
    let mut bus = rig.machine.pins();
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
        rig.machine.pins().write(0x4000, 1);
        set_portb(&mut rig, 0xEF);
        rig.machine.pins().write(0x4000, 2);
        set_portb(&mut rig, portb);
        let mut bus = rig.machine.pins();
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
    rig.machine.pins().write(0x4000, 1);
    set_portb(&mut rig, 0xCF);
    assert_eq!(rig.machine.pins().read(0x4000), 1);
}

/// A machine with BASIC whose ROMs say which part of them is read: the OS the high byte of the address, BASIC $BA.
fn with_basic(model: Model) -> Rig {
    let mut rig = Rig::of(model, Tv::Ntsc);
    let first = if rig.machine.bus().model.is_xl() {
        0xC000
    } else {
        0xD800
    };
    let mut os: Vec<u8> = (first..=0xFFFF_u32).map(|at| (at >> 8) as u8).collect();
    let vectors = os.len() - 6;
    os[vectors..].copy_from_slice(&[0x00, 0xF0, 0x00, 0xF0, 0x00, 0xF0]);
    let start = os.len() - 0x1000;
    os[start..start + 3].copy_from_slice(&[0x4C, 0x00, 0xF0]);
    rig.machine = Machine::new(&Config {
        model,
        tv: Tv::Ntsc,
        os: os.into(),
        basic: Some(vec![0xBA; 0x2000].into()),
        cartridge: None,
        second: None,
        seed: 3,
        extras: machine::Extras::default(),
    })
    .unwrap();
    rig.machine.run_frame();
    rig
}

#[test]
fn port_b_banks_basic_whatever_the_os_does() {
    for model in [Model::Xe130, Model::Xl800] {
        let mut rig = with_basic(model);
        for (portb, mask) in [
            (0xC2, 0x0F),
            (0xF3, 0x03),
            (0xF0, 0x0D),
            (0xF1, 0x01),
            (0x72, 0x0F),
            (0x73, 0x02),
        ] {
            set_portb(&mut rig, portb);
            assert_eq!(ram_mask(&mut rig), mask, "PORTB {portb:02X}");
            let basic =
                rig.machine.pins().read(0xA000) == 0xBA && rig.machine.pins().read(0xBFFF) == 0xBA;
            assert_eq!(basic, portb & 2 == 0);
        }
    }
}

#[test]
fn the_os_covers_c000_to_cfff_and_d800_to_ffff_and_the_chips_stay() {
    let mut rig = with_basic(Model::Xl800);
    for portb in [0xFF, 0xFE] {
        set_portb(&mut rig, portb);
        let mut bus = rig.machine.pins();
        for page in (0xC0..0xD0u16).chain(0xD8..0xF0).chain(0xF1..0xFF) {
            for address in [page << 8 | 0x10, page << 8 | 0xFE] {
                bus.write(address, 0x5A);
                let wanted = if portb & 1 != 0 { page as u8 } else { 0x5A };
                assert_eq!(bus.read(address), wanted, "{address:04X}");
            }
        }
        assert_eq!(bus.read(0xD303), 0x3C);
        assert_eq!(bus.read(0xD20C), 0xFF);
    }
}

#[test]
fn the_self_test_shows_d000_to_d7ff_of_the_os_at_5000_and_needs_the_os() {
    for model in [Model::Xe130, Model::Xl800] {
        let mut rig = with_basic(model);
        set_portb(&mut rig, 0xFF);
        for page in 0x50..0x58u16 {
            rig.machine.pins().write(page << 8, 0x77);
        }
        for (portb, on) in [(0xFF, false), (0x7F, true), (0x7E, false), (0x7D, true)] {
            set_portb(&mut rig, portb);
            for page in 0x50..0x58u16 {
                let wanted = if on { page as u8 + 0x80 } else { 0x77 };
                assert_eq!(rig.machine.pins().read(page << 8), wanted);
            }
            // Neither neighbour, nor the RAM below when it is written to.
            let mut bus = rig.machine.pins();
            for address in [0x4FFF, 0x5800] {
                bus.write(address, portb);
                assert_eq!(bus.read(address), portb);
            }
            if on {
                bus.write(0x5000, 0x11);
            }
        }
        set_portb(&mut rig, 0xFF);
        assert_eq!(rig.machine.pins().read(0x5000), 0x77);
    }
}

#[test]
fn the_self_test_wins_over_extended_ram_for_reads_and_swallows_writes() {
    let mut rig = with_basic(Model::Xe130);
    set_portb(&mut rig, 0xE3);
    rig.machine.pins().write(0x5000, 0x12);
    rig.machine.pins().write(0x5800, 0x34);
    set_portb(&mut rig, 0x63);
    assert_eq!(rig.machine.pins().read(0x5000), 0xD0);
    assert_eq!(rig.machine.pins().read(0x5800), 0x34);
    rig.machine.pins().write(0x5000, 0x99);
    set_portb(&mut rig, 0xE3);
    assert_eq!(rig.machine.pins().read(0x5000), 0x12);
    set_portb(&mut rig, 0xF3);
    assert_ne!(rig.machine.pins().read(0x5000), 0x99);
}

#[test]
fn the_130xe_has_four_banks_of_16k_chosen_by_bits_2_and_3() {
    let mut rig = Rig::of(Model::Xe130, Tv::Ntsc);
    set_portb(&mut rig, 0xFF);
    for address in [0x4000, 0x5ABC, 0x7FFF] {
        rig.machine.pins().write(address, 0xEE);
    }
    for bank in 0..4u8 {
        set_portb(&mut rig, 0xE3 | bank << 2);
        for address in [0x4000, 0x5ABC, 0x7FFF] {
            rig.machine.pins().write(address, bank);
        }
        rig.machine.pins().write(0x3FFF, 0x3F);
        rig.machine.pins().write(0x8000, 0x80);
    }
    for bank in 0..4u8 {
        for (portb, processor, antic) in [
            (0xE3, bank, 0xEE),
            (0xD3, 0xEE, bank),
            (0xC3, bank, bank),
            (0xF3, 0xEE, 0xEE),
        ] {
            set_portb(&mut rig, portb | bank << 2);
            let mut bus = rig.machine.pins();
            for address in [0x4000, 0x5ABC, 0x7FFF] {
                assert_eq!(bus.read(address), processor, "{portb:02X}");
                assert_eq!(bus.memory.read_antic(address), antic, "{portb:02X}");
            }
            assert_eq!((bus.read(0x3FFF), bus.read(0x8000)), (0x3F, 0x80));
        }
    }
}

#[test]
fn port_b_of_the_400_and_800_banks_nothing() {
    for (model, ram) in [(Model::Atari800, 0xC000), (Model::Atari400, 0x4000)] {
        let mut rig = with_basic(model);
        for portb in [0x00, 0xFF, 0x55, 0xAA] {
            set_portb(&mut rig, portb);
            let mut bus = rig.machine.pins();
            assert_eq!(bus.read(0xA000), 0xBA, "BASIC is a cartridge there");
            assert_eq!(bus.read(0xE000), 0xE0);
            for address in (0..ram)
                .step_by(0x400)
                .filter(|a| !(0xA000..0xC000).contains(a))
            {
                bus.write(address, portb ^ 0x3C);
                assert_eq!(bus.read(address), portb ^ 0x3C, "{address:04X}");
            }
            bus.write(0xC000, 0x12);
            assert_ne!(bus.read(0xC000), 0x12, "nothing is there");
        }
    }
}

#[test]
fn reset_leaves_the_os_on_and_basic_the_self_test_and_extended_ram_off() {
    for model in [Model::Xe130, Model::Xl800] {
        let mut rig = with_basic(model);
        set_portb(&mut rig, 0xFF);
        rig.machine.pins().write(0x4000, 0x40);
        rig.machine.pins().write(0x5000, 0x50);
        set_portb(&mut rig, 0x4C);
        rig.machine.reset();
        let mut bus = rig.machine.pins();
        assert_eq!(bus.memory.portb(), 0xFF);
        assert_eq!(
            [bus.read(0xE000), bus.read(0x4000), bus.read(0x5000)],
            [0xE0, 0x40, 0x50]
        );
        assert_ne!(bus.read(0xA000), 0xBA);
    }
}

#[test]
fn only_outputs_of_port_b_bank() {
    let mut rig = with_basic(Model::Xe130);
    set_portb(&mut rig, 0x00);
    let mut bus = rig.machine.pins();
    // Only bit 1 is an output: BASIC, and everything else as if it were 1.
    bus.write(PBCTL, 0x38);
    bus.write(PORTB, 0x02);
    bus.write(PBCTL, 0x3C);
    assert_eq!(bus.memory.portb(), 0xFD);
    assert_eq!([bus.read(0xA000), bus.read(0xE000)], [0xBA, 0xE0]);
}
