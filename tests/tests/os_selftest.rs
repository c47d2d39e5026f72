//! The self-test of the XL OS, run as its user would.

use machine::{Model, Tv};
use tests::{Atari, config};

/// An XL with BASIC off and nothing to boot, at the self-test's menu. `fault` is a ROM address to change, or 0.
fn menu(fault: usize) -> Atari {
    let mut config = config(Model::Xl800, Tv::Ntsc, false);
    if fault != 0 {
        let mut os = config.os.to_vec();
        os[fault - 0xC000] ^= 0x10;
        config.os = os.into();
    }
    let mut atari = Atari::new(&config);
    assert!(atari.wait_for_text("SELF TEST", 900), "{}", atari.text());
    atari.run(10);
    atari
}

fn tap_select(atari: &mut Atari) {
    atari.machine.input.select = true;
    atari.run(4);
    atari.machine.input.select = false;
    atari.run(4);
}

fn tap_start(atari: &mut Atari) {
    atari.machine.input.start = true;
    atari.run(4);
    atari.machine.input.start = false;
    atari.run(4);
}

/// The cells of a row that are inverse: first and last column.
fn inverse(atari: &Atari, row: usize) -> Vec<(usize, usize)> {
    let cells = atari.machine.text_screen().inverse();
    cells
        .into_iter()
        .filter(|cell| cell.0 == row)
        .map(|(_, first, last)| (first, last))
        .collect()
}

#[test]
fn select_walks_through_the_menu() {
    let mut atari = menu(0);
    for row in [8, 10, 12, 14, 8] {
        assert_eq!(inverse(&atari, row).len(), 1, "row {row}");
        tap_select(&mut atari);
    }
}

#[test]
fn memory_is_tested_and_keeps_its_contents() {
    let mut atari = menu(0);
    let kept = [0x0600, 0x0700, 0x3FFF, 0x8000];
    for (address, byte) in kept.into_iter().zip(1..) {
        atari.machine.poke(address, byte);
    }
    tap_start(&mut atari);
    assert!(atari.wait_for_text("PASSES 002", 900), "{}", atari.text());
    let text = atari.text();
    assert!(text.contains("ROM   ● ●"), "{text}");
    assert!(text.contains("FAULTS 000"), "{text}");
    // 48 blocks; the self-test hides two.
    assert_eq!(text.matches('●').count(), 2 + 46, "{text}");
    for (address, byte) in kept.into_iter().zip(1..) {
        assert_eq!(atari.machine.peek(address), byte);
    }
    tap_start(&mut atari);
    assert!(atari.text().contains("SELECT CHOOSES"), "{}", atari.text());
}

#[test]
fn a_changed_rom_is_a_fault() {
    for (fault, line) in [(0xDFF8, "ROM   X ●"), (0xE123, "ROM   ● X")] {
        let mut atari = menu(fault);
        tap_start(&mut atari);
        assert!(atari.wait_for_text("PASSES 001", 900), "{}", atari.text());
        assert!(atari.text().contains(line), "{}", atari.text());
        assert!(atari.text().contains("FAULTS 001"), "{}", atari.text());
    }
}

#[test]
fn keys_that_are_down_are_shown_inverse() {
    let mut atari = menu(0);
    tap_select(&mut atari);
    tap_select(&mut atari);
    tap_start(&mut atari);
    assert!(atari.text().contains("KEYBOARD TEST"), "{}", atari.text());
    assert!(inverse(&atari, 9).is_empty());
    atari.machine.input.key = Some(0x2F); // Q
    atari.run(5);
    assert_eq!(inverse(&atari, 9), [(7, 7)]);
    atari.machine.input.key = None;
    atari.run(5);
    atari.machine.input.key = Some(0xEF); // CTRL-SHIFT-Q
    atari.run(5);
    assert_eq!(inverse(&atari, 11), [(3, 6)], "CTRL");
    assert_eq!(inverse(&atari, 13), [(4, 8)], "SHIFT");
    atari.machine.input.key = None;
    atari.machine.input.option = true;
    atari.run(5);
    assert!(inverse(&atari, 9).is_empty());
    assert_eq!(inverse(&atari, 17), [(17, 22)], "OPTION");
    atari.machine.input.option = false;
    atari.machine.input.key = Some(0x11); // HELP
    atari.run(5);
    atari.machine.input.key = None;
    assert!(
        atari.wait_for_text("SELECT CHOOSES", 60),
        "{}",
        atari.text()
    );
}

#[test]
fn all_four_voices_sound_one_after_the_other() {
    let mut atari = menu(0);
    tap_select(&mut atari);
    tap_start(&mut atari);
    for voice in 1..=4 {
        let text = format!("VOICE {voice}");
        assert!(atari.wait_for_text(&text, 200), "{}", atari.text());
        let mut sound = Vec::new();
        atari.machine.take_sound(&mut sound);
        sound.clear();
        atari.run(30);
        atari.machine.take_sound(&mut sound);
        assert!(sound.len() > 100, "voice {voice}: {} changes", sound.len());
    }
}
