//! A second POKEY and a Covox.
use super::{ran, xex};
use machine::{Config, CovoxChange, Machine, Media, Model, Tv};
use tests::Atari;

fn with(stereo: bool, covox: bool, model: Model) -> Config {
    let mut config = tests::config(model, Tv::Ntsc, false);
    config.extras.stereo = stereo;
    config.extras.covox = covox;
    config
}

/// SKCTL 3, AUDF1 99, AUDC1 $AF at $D210; DONE; end.
const PLAY: [u8; 23] = [
    0xA9, 0x03, 0x8D, 0x1F, 0xD2, 0xA9, 99, 0x8D, 0x10, 0xD2, 0xA9, 0xAF, 0x8D, 0x11, 0xD2, 0xA9,
    0xA5, 0x8D, 0x01, 0x06, 0x4C, 0x14, 0x20,
];

fn heard(atari: &mut Atari) -> [Vec<machine::SoundChange>; 2] {
    let mut changes = [Vec::new(), Vec::new()];
    atari.machine.take_sound(&mut changes[0]);
    atari.machine.take_second_sound(&mut changes[1]);
    changes.each_mut().map(std::mem::take)
}

#[test]
fn a_second_pokey_plays_by_itself() {
    let mut atari = ran(
        &with(true, false, Model::Xl800),
        &xex(0x2000, &PLAY),
        "stereo",
    );
    heard(&mut atari);
    atari.run(10);
    let [first, second] = heard(&mut atari);
    assert!(first.is_empty(), "the first is silent");
    // 28 * 100 cycles for each half of the wave.
    assert!(second.len() > 100);
    assert!(
        second
            .windows(2)
            .all(|pair| pair[1].at - pair[0].at == 2 * 2800)
    );
    assert!(second.iter().all(|change| [0, 15].contains(&change.level)));
}

#[test]
fn without_one_its_place_is_a_copy_of_the_first() {
    let mut atari = ran(
        &with(false, false, Model::Xl800),
        &xex(0x2000, &PLAY),
        "mono",
    );
    heard(&mut atari);
    atari.run(10);
    let [first, second] = heard(&mut atari);
    assert!(second.is_empty() && first.len() > 100);
}

/// LDA #n, STA at each of these addresses; DONE; end.
fn writes(addresses: &[u16]) -> Vec<u8> {
    let mut code = Vec::new();
    for (number, address) in addresses.iter().enumerate() {
        let [low, high] = address.to_le_bytes();
        code.extend([0xA9, number as u8 + 1, 0x8D, low, high]);
    }
    code.extend([0xA9, 0xA5, 0x8D, 0x01, 0x06]);
    let here = 0x2000 + code.len() as u16;
    code.extend([0x4C, here as u8, (here >> 8) as u8]);
    code
}

#[test]
fn a_covox_takes_what_is_written_to_it() {
    for (model, addresses, wanted) in [
        (
            Model::Xl800,
            &[0xD280, 0xD281, 0xD2FE, 0xD603][..],
            [1, 2, 3, 4],
        ),
        (
            Model::Atari800,
            &[0xD280, 0xD281, 0xD282, 0xD283],
            [1, 2, 3, 4],
        ),
        // On an 800 $D600 belongs to other devices. The OS has cleared the page of POKEY.
        (Model::Atari800, &[0xD600, 0xD281], [0, 2, 0, 0]),
    ] {
        let mut atari = ran(
            &with(false, true, model),
            &xex(0x2000, &writes(addresses)),
            "Covox",
        );
        let mut changes: Vec<CovoxChange> = Vec::new();
        atari.machine.take_covox(&mut changes);
        assert_eq!(
            changes.last().map(|change| change.levels),
            Some(wanted),
            "{model:?}"
        );
        assert!(changes.windows(2).all(|pair| pair[0].at < pair[1].at));
    }
}

#[test]
fn states_hold_both_pokeys_and_the_covox() {
    let config = with(true, true, Model::Xe130);
    let mut atari = ran(&config, &xex(0x2000, &PLAY), "stereo");
    let state = atari.machine.save_state();
    let mut other = Atari::new(&config);
    other.machine.load_state(&state).unwrap();
    let mut raw = Vec::new();
    atari.machine.raw_state(&mut raw);
    let mut third = Machine::new(&config).unwrap();
    third
        .load_raw_state(&raw, &atari.machine.media(&Media::default()))
        .unwrap();
    assert_eq!(third.state_hash(), atari.machine.state_hash());
    heard(&mut atari);
    heard(&mut other);
    atari.run(5);
    other.run(5);
    assert_eq!(heard(&mut atari), heard(&mut other));
    assert_eq!(atari.machine.state_hash(), other.machine.state_hash());
    assert!(
        Machine::from_state(&state, &[], &[])
            .unwrap()
            .config()
            .extras
            .stereo
    );
}

/// Reads locations 0 to 5 of an R-Time 8 to $0610.
const READ_CLOCK: [u8; 47] = [
    0xA2, 0x00, // LDX #0
    0x8E, 0xB8, 0xD5, // STX $D5B8
    0xAD, 0xB8, 0xD5, 0x0A, 0x0A, 0x0A, 0x0A, 0x9D, 0x10,
    0x06, // LDA, ASL four times, STA $0610,X
    0xAD, 0xB8, 0xD5, 0x29, 0x0F, 0x1D, 0x10, 0x06, 0x9D, 0x10,
    0x06, // LDA, AND #15, ORA, STA $0610,X
    0xE8, 0xE0, 0x06, 0xD0, 0xE3, // INX, CPX #6, BNE
    0xEA, 0xEA, 0xEA, 0xEA, 0xEA, 0xEA, 0xEA, 0xEA, // NOPs
    0xA9, 0xA5, 0x8D, 0x01, 0x06, // LDA #DONE, STA FOUND + 1
    0x4C, 0x2C, 0x20, // JMP to itself
];

#[test]
fn an_r_time_8_shows_the_date() {
    let mut config = tests::config(Model::Xl800, Tv::Ntsc, false);
    // 2026-11-22, 19:37:06.
    config.extras.clock = Some(848_691_426);
    let atari = ran(&config, &xex(0x2000, &READ_CLOCK), "R-Time 8");
    let found: Vec<u8> = (0x0612..0x0616).map(|a| atari.machine.peek(a)).collect();
    assert_eq!(found, [0x19, 0x22, 0x11, 0x26]);
    let state = atari.machine.save_state();
    let again = Machine::from_state(&state, &[], &[]).unwrap();
    assert_eq!(again.state_hash(), atari.machine.state_hash());
    // Without one the port is an empty bus.
    let plain = tests::config(Model::Xl800, Tv::Ntsc, false);
    let atari = ran(&plain, &xex(0x2000, &READ_CLOCK), "no R-Time 8");
    assert_eq!(atari.machine.peek(0x0612), 0xFF);
}
