//! Every CAR type is booted by a test program and switches its banks.
use super::{DONE, FOUND};
use machine::{Cartridge, Machine, Model, Tv};
use tests::Atari;

/// Every page of the ROM holds the same program, and its own number in bytes $80 and $81: whichever bank is in the window, the program
/// runs. It is the cartridge's INIT routine; the OS then goes to its RUN address, the same.
pub(crate) fn rom(kilobytes: usize, window: u8) -> Vec<u8> {
    // The number of the page that runs, then DONE.
    let page = [window | 0x1F, 0x00];
    let code = [
        0xAD, 0x80, page[0], 0x8D, 0x02, 0x06, // LDA number, STA FOUND + 2
        0xA9, DONE, 0x8D, 0x01, 0x06, // LDA #DONE, STA FOUND + 1
        0x4C, 0x0B, page[0], // JMP to itself
    ];
    let mut rom = Vec::new();
    for number in 0..kilobytes * 4 {
        let mut bytes = [0xEA; 0x100];
        bytes[..code.len()].copy_from_slice(&code);
        bytes[0x80..0x82].copy_from_slice(&(number as u16).to_le_bytes());
        // RUN, 0 = a cartridge, start it, INIT.
        bytes[0xFA..].copy_from_slice(&[0x00, page[0], 0x00, 0x04, 0x00, page[0]]);
        rom.extend(bytes);
    }
    rom
}

/// The contents of a window: the number of its 4K in the ROM, or nothing of the cartridge.
fn shown(machine: &Machine, address: u16) -> Option<u16> {
    // RAM holds zeros in the machines here, the cartridge's pages NOPs.
    (machine.peek(address + 0x90) == 0xEA).then(|| machine.peek_word(address + 0x80) >> 4)
}

/// Runs some instructions.
fn execute(machine: &mut Machine, code: &[u8], instructions: usize) {
    // What follows is a loop.
    for (i, byte) in code.iter().chain(&[0x4C, 0x10, 0x06]).enumerate() {
        machine.poke(0x0680 + i as u16, *byte);
    }
    machine.cpu.set_pc(0x0680);
    for _ in 0..instructions {
        machine.step_instruction();
    }
}

/// Writes (`Some`) or reads $D500 + low.
pub(crate) fn access(machine: &mut Machine, low: u8, data: Option<u8>) {
    touch(machine, 0xD500 | u16::from(low), data);
}

/// Writes (`Some`) or reads an address.
pub(crate) fn touch(machine: &mut Machine, address: u16, data: Option<u8>) {
    let [low, high] = address.to_le_bytes();
    match data {
        Some(data) => execute(machine, &[0xA9, data, 0x8D, low, high], 2),
        None => execute(machine, &[0xAD, low, high], 1),
    }
}

pub(crate) fn config(model: Model, cartridge: Cartridge) -> machine::Config {
    let mut config = tests::config(model, Tv::Ntsc, false).with_cartridge(cartridge);
    config.extras.fill = machine::RamFill::Zero;
    config
}

type Step = (u8, Option<u8>, [Option<u16>; 4]);

/// A cartridge of that type is booted; then each access shows these 4K at $8000, $9000, $A000 and $B000.
fn check(number: u32, kilobytes: usize, model: Model, steps: &[Step]) {
    let window = if [21, 53, 59].contains(&number) {
        0x80
    } else {
        0xA0
    };
    let rom = rom(kilobytes, window);
    let cartridge = Cartridge::from_rom_of_type(&rom, number).unwrap();
    let mut atari = super::done(
        Atari::new(&config(model, cartridge)),
        &format!("type {number}"),
    );
    for (at, &(low, data, wanted)) in steps.iter().enumerate() {
        access(&mut atari.machine, low, data);
        let found = [0x8000, 0x9000, 0xA000, 0xB000].map(|a| shown(&atari.machine, a));
        assert_eq!(
            found, wanted,
            "type {number}, access {at}: ${low:02X} {data:?}"
        );
    }
}

const N: Option<u16> = None;

/// 8K at $A000.
fn high(bank: u16) -> [Option<u16>; 4] {
    [N, N, Some(bank * 2), Some(bank * 2 + 1)]
}

/// 8K at $8000 and at $A000.
fn both(low: u16, high: u16) -> [Option<u16>; 4] {
    [low * 2, low * 2 + 1, high * 2, high * 2 + 1].map(Some)
}

/// 4K at $A000 and at $B000.
fn halves(low: Option<u16>, fixed: u16) -> [Option<u16>; 4] {
    [N, N, low, Some(fixed)]
}

const OFF: [Option<u16>; 4] = [N; 4];
const XL: Model = Model::Xl800;

#[test]
fn cartridges_without_banks_boot() {
    // An access that no register answers.
    let nothing = |shown| [(0xFF, None, shown)];
    check(1, 8, XL, &nothing(high(0)));
    check(2, 16, XL, &nothing(both(0, 1)));
    check(57, 2, XL, &nothing([N; 4]));
    check(58, 4, XL, &nothing(halves(N, 0)));
    check(21, 8, Model::Atari800, &nothing([Some(0), Some(1), N, N]));
    check(59, 4, Model::Atari800, &nothing([N, Some(0), N, N]));
    check(53, 8, Model::Atari800, &nothing([Some(0), Some(1), N, N]));
    check(39, 8, XL, &[(0, None, OFF)]);
    check(40, 16, XL, &[(0, None, OFF)]);
    check(46, 4, XL, &[(0, None, OFF)]);
}

#[test]
fn banks_by_the_data_written() {
    for (number, kilobytes) in [
        (12, 32),
        (13, 64),
        (14, 128),
        (23, 256),
        (24, 512),
        (25, 1024),
    ] {
        let last = (kilobytes / 8 - 1) as u16;
        check(
            number,
            kilobytes,
            XL,
            &[
                (0, Some(1), both(1, last)),
                (0xFF, Some(last as u8), both(last, last)),
                (0, None, both(last, last)),
            ],
        );
    }
    for (number, kilobytes) in [
        (33, 32),
        (34, 64),
        (35, 128),
        (36, 256),
        (37, 512),
        (38, 1024),
    ] {
        let last = (kilobytes / 8 - 1) as u16;
        check(
            number,
            kilobytes,
            XL,
            &[
                (0, Some(2), both(2, last)),
                (0, Some(0x82), OFF),
                (0, Some(3), both(3, last)),
            ],
        );
    }
    for (number, kilobytes) in [
        (26, 16),
        (27, 32),
        (28, 64),
        (29, 128),
        (30, 256),
        (31, 512),
        (32, 1024),
        (64, 2048),
    ] {
        let last = (kilobytes / 16 - 1) as u16;
        check(
            number,
            kilobytes,
            XL,
            &[
                (0, Some(last as u8), both(last * 2, last * 2 + 1)),
                (0, Some(0x80), OFF),
                (0, Some(0), both(0, 1)),
            ],
        );
    }
    check(
        63,
        4096,
        XL,
        &[
            (0, Some(200), both(400, 401)),
            (0x20, Some(3), both(400, 401)),
            (0, Some(255), OFF),
        ],
    );
    check(17, 128, XL, &[(0, Some(9), high(9)), (0, Some(0x89), OFF)]);
    check(
        67,
        64,
        XL,
        &[
            (0, Some(11), both(3, 7)),
            (0, Some(3), [N, N, Some(14), Some(15)]),
        ],
    );
    for (number, kilobytes) in [(54, 128), (55, 256), (56, 512)] {
        check(
            number,
            kilobytes,
            XL,
            &[
                (0, Some(0x21), both(2, 3)),
                (0x1F, Some(0x07), high(15)),
                (0, Some(0x67), [Some(28), Some(29), N, N]),
                (0, Some(0x40), OFF),
            ],
        );
    }
}

#[test]
fn banks_by_the_address() {
    check(
        5,
        32,
        XL,
        &[(2, None, both(2, 3)), (1, Some(0), both(1, 3))],
    );
    for (number, kilobytes) in [(8, 64), (22, 32)] {
        check(
            number,
            kilobytes,
            XL,
            &[(3, None, high(3)), (8, None, OFF), (0, None, high(0))],
        );
    }
    for (number, base) in [(9, 0x70), (10, 0xD0), (11, 0xE0)] {
        check(
            number,
            64,
            XL,
            &[
                (base | 2, None, high(5)),
                (base | 8, None, OFF),
                (base | 7, Some(0), high(0)),
                (0, None, high(0)),
            ],
        );
    }
    check(
        43,
        128,
        XL,
        &[
            (0xF0, None, high(7)),
            (0xE7, None, high(8)),
            (0xEC, None, OFF),
            (0xE0, None, high(15)),
        ],
    );
    check(
        41,
        128,
        XL,
        &[(0x0F, None, high(15)), (0x10, None, OFF), (0x20, None, OFF)],
    );
    for number in [42, 75] {
        check(
            number,
            1024,
            XL,
            &[(0x45, None, high(0x45)), (0x80, None, OFF)],
        );
    }
    check(
        50,
        64,
        XL,
        &[
            (0x05, None, high(5)),
            (0x15, None, OFF),
            (0x2A, None, high(2)),
        ],
    );
    check(51, 128, XL, &[(0x0D, None, high(13)), (0x10, None, OFF)]);
    check(
        61,
        2048,
        XL,
        &[(0x45, None, both(0x8A, 0x8B)), (0x80, None, OFF)],
    );
    check(
        15,
        16,
        XL,
        &[
            (0, None, halves(Some(1), 0)),
            (1, None, halves(Some(3), 0)),
            (9, None, halves(Some(2), 0)),
            (8, None, OFF),
        ],
    );
    check(
        44,
        8,
        XL,
        &[
            (1, None, halves(Some(1), 0)),
            (9, None, halves(Some(0), 0)),
            (8, None, OFF),
        ],
    );
    for (number, one, two) in [(3, 1, 2), (45, 2, 1)] {
        check(
            number,
            16,
            XL,
            &[
                (0, None, halves(Some(0), 3)),
                (3, None, halves(Some(one), 3)),
                (4, None, halves(Some(two), 3)),
                (2, None, halves(N, 3)),
                (8, None, OFF),
            ],
        );
    }
}

#[test]
fn banks_one_after_the_other() {
    check(
        52,
        32,
        XL,
        &[
            (0, None, high(1)),
            (9, None, high(2)),
            (0, None, high(3)),
            (0, None, OFF),
            (0, None, high(0)),
        ],
    );
    check(
        60,
        32,
        XL,
        &[
            (0, None, high(1)),
            (0, None, high(2)),
            (0, None, high(3)),
            (0, None, OFF),
            (0, None, OFF),
        ],
    );
    check(
        69,
        32,
        XL,
        &[
            (0, None, high(1)),
            (0, None, high(2)),
            (0, None, high(3)),
            (0, None, high(0)),
        ],
    );
    check(70, 64, XL, &[(0, None, high(1)), (0, Some(0), high(2))]);
    let rom = rom(32, 0xA0);
    let cartridge = Cartridge::from_rom_of_type(&rom, 47).unwrap();
    let mut atari = super::done(Atari::new(&config(XL, cartridge)), "AST");
    assert_eq!(atari.machine.peek_word(0xD580), 0);
    access(&mut atari.machine, 0, Some(0));
    assert_eq!(atari.machine.peek_word(0xD580), 1);
    assert_eq!(shown(&atari.machine, 0xA000), None);
}

/// The image of a chip whose lines are mixed: `address` and `data` say which line of the chip a line of the port is.
fn mixed(rom: &[u8], address: &[u32], data: [u32; 8]) -> Vec<u8> {
    let mut chip = vec![0; rom.len()];
    for (place, &byte) in rom.iter().enumerate() {
        let to: usize = (0..)
            .zip(address)
            .map(|(line, to)| (place >> line & 1) << to)
            .sum();
        chip[to] = (0..)
            .zip(data)
            .map(|(line, to)| (byte >> line & 1) << to)
            .sum();
    }
    chip
}

#[test]
fn mixed_lines_are_put_in_order() {
    // From the format's documentation, types 68 and 48.
    let atrax = [5, 6, 7, 12, 0, 1, 2, 3, 4, 8, 10, 11, 9, 13, 14, 15, 16];
    let sdx = [6, 7, 12, 15, 14, 13, 8, 5, 4, 3, 0, 1, 2, 9, 11, 10, 16];
    for (number, kilobytes, lines, data, low) in [
        (68, 128, &atrax[..], [5, 6, 2, 4, 0, 1, 7, 3], None),
        (48, 64, &sdx[..16], [4, 0, 5, 1, 7, 6, 3, 2], Some(0xE2)),
        (49, 128, &sdx[..], [4, 0, 5, 1, 7, 6, 3, 2], Some(0xF2)),
    ] {
        let chip = mixed(&rom(kilobytes, 0xA0), lines, data);
        let cartridge = Cartridge::from_rom_of_type(&chip, number).unwrap();
        let atari = Atari::new(&config(XL, cartridge));
        let mut atari = super::done(atari, &format!("type {number}"));
        match low {
            None => access(&mut atari.machine, 0, Some(5)),
            Some(low) => access(&mut atari.machine, low, None),
        }
        assert_eq!(shown(&atari.machine, 0xA000), Some(10), "type {number}");
        assert_eq!(shown(&atari.machine, 0xB000), Some(11), "type {number}");
    }
}

#[test]
fn ram_carts_are_read() {
    let first = [(0, Some(0x08), high(3)), (0x77, Some(0x0A), both(2, 3))];
    let and = |steps: &[Step]| [&first, steps].concat();
    let off = (0, Some(0x09), OFF);
    let locked = [(0, Some(0x0C), high(3)), (0, Some(0), high(3))];
    check(76, 64, XL, &and(&[off, locked[0], locked[1]]));
    check(
        77,
        128,
        XL,
        &and(&[off, (0, Some(0x20), high(9)), locked[0], locked[1]]),
    );
    check(78, 256, XL, &and(&[off, (0, Some(0x24), high(25))]));
    for (number, kilobytes) in [(79, 1024), (80, 2048), (81, 4096)] {
        let steps = [(0, Some(0x38), high(15)), (0, Some(0xC4), high(1))];
        check(number, kilobytes, XL, &and(&steps));
    }
    for (number, kilobytes) in [(82, 8192), (83, 16384)] {
        let steps = [(0, Some(0x44), high(49)), (1, Some(3), high(433))];
        check(number, kilobytes, XL, &steps);
    }
}

#[test]
fn the_cart_chooses_among_4096_banks() {
    let steps = [
        (0xA0, Some(3), high(3)),
        (0xA1, Some(1), high(0x103)),
        (0xA2, Some(0), OFF),
        (0xA2, Some(1), high(0x103)),
        (0xA2, Some(0), OFF),
        (0xA0, Some(2), high(0x102)),
        (0x20, Some(7), high(0x102)),
    ];
    check(65, 32768, XL, &steps);
}

/// The windows of Bounty Bob's wiring: a bank of the first four, one of the next four, and the rest.
fn bounty_bob(first: u16, second: u16) -> [Option<u16>; 4] {
    [first, 4 + second, 8, 9].map(Some)
}

#[test]
fn banks_by_accesses_of_the_windows() {
    let cartridge = Cartridge::from_rom_of_type(&rom(40, 0xA0), 18).unwrap();
    for model in [XL, Model::Atari800] {
        let config = config(model, cartridge.clone());
        let mut atari = super::done(Atari::new(&config), "Bounty Bob");
        let machine = &mut atari.machine;
        let seen = |machine: &Machine| [0x8000, 0x9000, 0xA000, 0xB000].map(|a| shown(machine, a));
        assert_eq!(seen(machine), bounty_bob(0, 0));
        for (address, data, banks) in [
            (0x8FF7, None, (1, 0)),
            (0x9FF9, None, (1, 3)),
            (0x8FF9, Some(0x55), (3, 3)),
            (0x9FF8, Some(0x00), (3, 2)),
            (0x8FF5, None, (3, 2)),
            (0x9FFA, None, (3, 2)),
            (0xAFF6, None, (3, 2)),
            (0x80F6, None, (3, 2)),
            (0x9EF7, None, (3, 2)),
            (0x0FF6, None, (3, 2)),
            (0xD5F6, Some(0), (3, 2)),
            (0x8FF8, None, (2, 2)),
            (0x9FF6, None, (2, 0)),
        ] {
            touch(machine, address, data);
            assert_eq!(
                seen(machine),
                bounty_bob(banks.0, banks.1),
                "${address:04X}"
            );
        }
        // A read sees the bank that was there before it.
        machine.cpu.a = 0;
        touch(machine, 0x8FF6, None);
        assert_eq!(
            (machine.cpu.a, seen(machine)),
            (0xEA, bounty_bob(0, 0)),
            "the byte of bank 2"
        );
        // Every cycle counts: the dummy read on the way to $90F6, both accesses of INC, the opcode that is fetched.
        execute(machine, &[0xA2, 0xF7, 0xBD, 0x00, 0x8F], 2);
        assert_eq!(seen(machine), bounty_bob(1, 0), "LDA $8F00,X");
        execute(machine, &[0xA2, 0xF7, 0xBD, 0xFF, 0x8F], 2);
        assert_eq!(seen(machine), bounty_bob(0, 0), "LDA $8FFF,X");
        execute(machine, &[0xEE, 0xF7, 0x9F], 1);
        assert_eq!(seen(machine), bounty_bob(0, 1), "INC $9FF7");
        execute(machine, &[0x4C, 0xF9, 0x8F], 2);
        assert_eq!(seen(machine), bounty_bob(3, 1), "JMP $8FF9");
        // Looking at it does nothing.
        for address in 0x8000..=0xBFFF {
            machine.peek(address);
        }
        assert_eq!(seen(machine), bounty_bob(3, 1));
        let state = machine.save_state();
        let mut other = Machine::new(&config).unwrap();
        assert_eq!(seen(&other), bounty_bob(0, 0));
        other.load_state(&state).unwrap();
        assert_eq!(seen(&other), bounty_bob(3, 1));
        assert_eq!(other.state_hash(), machine.state_hash());
        let mut raw = Vec::new();
        machine.raw_state(&mut raw);
        let mut third = Machine::new(&config).unwrap();
        let media = machine.media(&machine::Media::default());
        third.load_raw_state(&raw, &media).unwrap();
        assert_eq!(third.state_hash(), machine.state_hash());
        machine.power_cycle();
        assert_eq!(seen(machine), bounty_bob(0, 0));
    }
}

/// A program of this cartridge that calls routines in its banks while the picture is on, run in one go, watched, and in pieces.
#[test]
fn bounty_bob_runs_the_same_however_it_is_run() {
    let mut image = rom(40, 0xA0);
    // At $A100: count the passes, and call the routine in each pair of banks.
    let mut code = vec![0xE6, 0x90];
    for bank in 0..4 {
        code.extend([0xAD, 0xF6 + bank, 0x8F, 0x20, 0x40, 0x8F]);
        code.extend([0x8D, 0xF6 + bank, 0x9F, 0x20, 0x40, 0x9F]);
    }
    code.extend([0x4C, 0x00, 0xA1]);
    image[0x8100..][..code.len()].copy_from_slice(&code);
    // At $xF40 of each bank: INC $91 + bank; RTS.
    for bank in 0..8 {
        image[bank * 0x1000 + 0xF40..][..3].copy_from_slice(&[0xE6, 0x91 + bank as u8, 0x60]);
    }
    // RUN there, INIT at an RTS.
    image[0x8180] = 0x60;
    image[0x9FFA..].copy_from_slice(&[0x00, 0xA1, 0x00, 0x04, 0x80, 0xA1]);
    let cartridge = Cartridge::from_rom_of_type(&image, 18).unwrap();
    let new = || Atari::new(&config(XL, cartridge.clone())).machine;
    let mut whole = new();
    for _ in 0..60 {
        whole.run_frame();
    }
    let passes = whole.peek(0x90);
    assert!(passes > 10, "{passes} passes");
    for bank in 0..8 {
        let calls = whole.peek(0x91 + bank);
        assert!(calls == passes || calls == passes.wrapping_sub(1), "{bank}");
    }
    let mut pieces = new();
    while pieces.now() < whole.now() {
        pieces.run_cycles(7.min(whole.now() - pieces.now()));
    }
    assert_eq!(pieces.state_hash(), whole.state_hash());
    let mut watched = new();
    let mut reads = Reads(0);
    while watched.now() < whole.now() {
        watched.run_frame_with(&mut reads);
    }
    assert!(reads.0 > 10);
    assert_eq!(watched.state_hash(), whole.state_hash());
}

/// Counts the reads of the place that switches to bank 0.
struct Reads(u32);

impl machine::Probe for Reads {
    fn read(&mut self, _: u64, address: u16, _: u8) {
        self.0 += u32::from(address == 0x8FF6);
    }
}

#[test]
fn two_cartridges_in_an_800_and_on_spartados_x() {
    let left = Cartridge::from_rom_of_type(&rom(8, 0xA0), 1).unwrap();
    let right = Cartridge::from_rom_of_type(&rom(8, 0x80), 21).unwrap();
    let mut two = config(Model::Atari800, left.clone());
    two.second = Some(right.clone());
    let atari = super::done(Atari::new(&two), "two cartridges");
    assert_eq!(shown(&atari.machine, 0x8000), Some(0));
    assert_eq!(shown(&atari.machine, 0xA000), Some(0));
    let refused = machine::Config {
        second: Some(right),
        ..config(XL, left.clone())
    };
    let error = Machine::new(&refused).unwrap_err().to_string();
    assert!(error.contains("second cartridge slot"), "{error}");

    let sdx = Cartridge::from_rom_of_type(&rom(64, 0xA0), 11).unwrap();
    let mut stacked = config(XL, sdx);
    stacked.second = Some(left);
    let mut atari = super::done(Atari::new(&stacked), "SpartaDOS X");
    access(&mut atari.machine, 0xE2, None);
    assert_eq!(shown(&atari.machine, 0xA000), Some(10));
    access(&mut atari.machine, 0xE9, None);
    assert_eq!(shown(&atari.machine, 0xA000), Some(0), "the one on top");
    let state = atari.machine.save_state();
    let mut other = Machine::new(&stacked).unwrap();
    other.load_state(&state).unwrap();
    assert_eq!(other.state_hash(), atari.machine.state_hash());
    let mut raw = Vec::new();
    atari.machine.raw_state(&mut raw);
    let mut third = Machine::new(&stacked).unwrap();
    third
        .load_raw_state(&raw, &atari.machine.media(&machine::Media::default()))
        .unwrap();
    assert_eq!(third.state_hash(), other.state_hash());
    access(&mut atari.machine, 0xEC, None);
    assert_eq!(shown(&atari.machine, 0xA000), None);
    assert_eq!(atari.machine.peek(FOUND + 1), DONE);
}
