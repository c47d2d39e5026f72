//! Bytes that GTIA takes from the bus though ANTIC has not fetched them (AHRM 6.5; Acid800 gtia_phantomdma).
use crate::rig::Rig;

const GRACTL: u8 = 0x1D;

fn player(rig: &Rig, number: usize) -> u8 {
    rig.machine.bus().video.gtia.object(number).2
}

#[test]
fn the_display_list_fetch_counts_as_the_missiles_and_players_follow_from_cycle_3_on() {
    let mut rig = Rig::new()
        .gtia_set(&[(GRACTL, 2)])
        .list(&[0x70, 0x70], 0x20);
    // LDA $0100: $AD in cycle 3, $00 in 4, $01 in 5, what is there in 6.
    rig.put(0x0100, &[0x3C]);
    rig.program(16, 3, &[0xAD, 0x00, 0x01, 0x4C, 0x03, 0x20]);
    rig.to(16, 20);
    let players: Vec<u8> = (0..4).map(|n| player(&rig, n)).collect();
    assert_eq!(players, [0xAD, 0x00, 0x01, 0x3C]);
}

#[test]
fn missiles_take_the_instruction_itself() {
    let mut rig = Rig::new()
        .gtia_set(&[(GRACTL, 1)])
        .list(&[0x70, 0x60], 0x20);
    rig.to(16, 20);
    // $60 = 01 10 00 00: missiles 3 to 0.
    let missiles: Vec<u8> = (4..8).map(|n| player(&rig, n) >> 6).collect();
    assert_eq!(missiles, [0, 0, 2, 1]);
}

#[test]
fn players_take_the_processor_s_bus_while_antic_fetches_missiles_alone() {
    let mut rig = Rig::new()
        .gtia_set(&[(GRACTL, 2)])
        .list(&[0x70, 0x70], 0x24);
    rig.put(0x1234, &[0x5A]);
    // Line 20 has no display list fetch.
    rig.program(20, 2, &[0xAD, 0x34, 0x12, 0x4C, 0x03, 0x20]);
    rig.to(20, 20);
    let players: Vec<u8> = (0..4).map(|n| player(&rig, n)).collect();
    assert_eq!(players, [0xAD, 0x34, 0x12, 0x5A]);
}

#[test]
fn without_a_halted_cycle_in_horizontal_blank_nothing_is_taken() {
    let mut rig = Rig::new()
        .gtia_set(&[(GRACTL, 3), (0x0D, 0x81)])
        .list(&[0x70, 0x70], 0x20);
    rig.to(18, 0);
    rig = rig.gtia_set(&[(0x0D, 0x81)]);
    rig.to(19, 60);
    assert_eq!(player(&rig, 0), 0x81);
}

#[test]
fn a_glyph_fetched_in_horizontal_blank_counts_as_the_missiles_and_players_may_be_glyphs_too() {
    // Wide text of mode 2: glyphs in 13, 15, 17... Their second line has no other fetch before.
    let mut rig = Rig::new()
        .gtia_set(&[(GRACTL, 3)])
        .list(&[0x70, 0x42, 0x00, 0x40, 0x70], 0x23);
    for name in 0..8u8 {
        rig.put(0x4000 + u16::from(name), &[name]);
        rig.put(0x5000 + 8 * u16::from(name), &[0xA0 + name; 8]);
    }
    rig.antic(0, 20, 9, 0x50);
    // NOPs: the processor's cycles between show $EA.
    rig.program(16, 100, &[0xEA; 200]);
    rig.to(17, 40);
    let players: Vec<u8> = (0..4).map(|n| player(&rig, n)).collect();
    // Missiles in 13, players in 15 to 18.
    assert_eq!(players, [0xA1, 0xEA, 0xA2, 0xEA]);
    // $A0 = 10 10 00 00.
    let missiles: Vec<u8> = (4..8).map(|n| player(&rig, n) >> 6).collect();
    assert_eq!(missiles, [0, 0, 2, 2]);
}
