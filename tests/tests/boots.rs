//! Binary files, BASIC programs and cartridges start on every model.
use machine::{Cartridge, Config, Machine, Model, Tv};
use media::cartridge::Kind;
use media::xex::{INITAD, RUNAD, Segment, Xex};
use tests::Atari;

const MODELS: [Model; 4] = [Model::Xl800, Model::Xe130, Model::Atari800, Model::Atari400];

/// All models on both television systems.
fn machines(basic: bool) -> impl Iterator<Item = Config> {
    MODELS
        .into_iter()
        .flat_map(move |model| [Tv::Ntsc, Tv::Pal].map(|tv| tests::config(model, tv, basic)))
}

fn segment(start: u16, data: &[u8]) -> Segment {
    Segment {
        start,
        data: data.to_vec(),
    }
}

/// INC $0600 twice by INIT routines, then store what the RUN routine finds, and jump to itself.
fn program(at: u16) -> Xex {
    let [low, high] = at.to_le_bytes();
    let run = at + 0x20;
    let end = run + 8;
    Xex {
        segments: vec![
            segment(0x0600, &[0, 0]),
            segment(at, &[0xEE, 0x00, 0x06, 0x60]),
            segment(INITAD, &[low, high]),
            segment(at + 4, &[0x60]),
            segment(INITAD, &[low, high]),
            segment(
                run,
                &[
                    0xAD,
                    0x00,
                    0x06,
                    0x8D,
                    0x01,
                    0x06,
                    0xEA,
                    0xEA,
                    0x4C,
                    end as u8,
                    (end >> 8) as u8,
                ],
            ),
            segment(RUNAD, &run.to_le_bytes()),
        ],
        flaw: None,
    }
}

fn started(mut atari: Atari) -> Atari {
    for _ in 0..900 {
        atari.run(1);
        if atari.machine.program_started() {
            atari.run(2);
            return atari;
        }
    }
    panic!("the file was not started:\n{}", atari.text());
}

#[test]
fn init_and_run_vectors_are_called_on_every_model() {
    for config in machines(false) {
        for at in [0x0480, 0x0700, 0x2000, 0x3800] {
            let atari = started(Atari::with_xex(&config, &program(at).to_bytes()));
            let found = (atari.machine.peek(0x0600), atari.machine.peek(0x0601));
            assert_eq!(
                found,
                (2, 2),
                "{:?} {:?} at ${at:04X}",
                config.model,
                config.tv
            );
        }
    }
}

#[test]
fn a_file_without_a_run_address_starts_at_its_first_byte() {
    let xex = Xex {
        segments: vec![segment(
            0x3000,
            &[0xA9, 0x5A, 0x8D, 0x00, 0x06, 0x4C, 0x05, 0x30],
        )],
        flaw: None,
    };
    let atari = started(Atari::with_xex(
        &tests::config(Model::Xl800, Tv::Ntsc, false),
        &xex.to_bytes(),
    ));
    assert_eq!(atari.machine.peek(0x0600), 0x5A);
}

#[test]
fn reset_starts_a_binary_file_again() {
    for model in [Model::Xl800, Model::Atari800] {
        let mut atari = started(Atari::with_xex(
            &tests::config(model, Tv::Ntsc, false),
            &program(0x2000).to_bytes(),
        ));
        atari.machine.poke(0x0601, 0x77);
        atari.machine.reset();
        atari.run(60);
        let atari = started(atari);
        assert_eq!(atari.machine.peek(0x0601), 2, "{model:?}");
    }
}

#[test]
fn a_large_file_arrives_whole() {
    let data: Vec<u8> = (0..0x8000u32).map(|i| (i * 7 >> 3) as u8).collect();
    let mut xex = program(0x2000);
    xex.segments.insert(
        0,
        Segment {
            start: 0x2400,
            data: data.clone(),
        },
    );
    let atari = started(Atari::with_xex(
        &tests::config(Model::Xl800, Tv::Ntsc, false),
        &xex.to_bytes(),
    ));
    let there: Vec<u8> = (0..0x8000u16)
        .map(|i| atari.machine.peek(0x2400 + i))
        .collect();
    assert!(there == data);
}

#[test]
fn a_listing_runs_on_every_model_with_basic() {
    for config in machines(true) {
        let mut atari = Atari::with_basic(
            &config,
            b"10 FOR I=1 TO 3:PRINT I*I;\" \";:NEXT I\n20 PRINT \"DONE\"\n",
        );
        atari.type_text("RUN\n");
        assert!(
            atari.wait_for_text("1 4 9 DONE", 300),
            "{:?} {:?}\n{}",
            config.model,
            config.tv,
            atari.text()
        );
    }
}

/// A cartridge with its number in each 4K bank, which writes $C5 to $0601 and stops.
fn cartridge_rom(size: usize, kind: Kind) -> Cartridge {
    let mut rom = vec![0; size];
    for (i, bank) in rom.chunks_mut(0x1000).enumerate() {
        bank[0x10] = i as u8;
    }
    for half in rom.chunks_mut(0x2000) {
        // 0 would be the mark of a right cartridge, when this half shows at $8000 of an 800.
        half[0x1FFC] = 0xFF;
    }
    let top = size - 0x2000;
    let code = [0xA9, 0xC5, 0x8D, 0x01, 0x06, 0x4C, 0x05, 0xB0];
    rom[top + 0x1000..][..code.len()].copy_from_slice(&code);
    rom[top + 0x1FFA..].copy_from_slice(&[0x00, 0xB0, 0x00, 0x04, 0x06, 0xB0]);
    rom[top + 0x1006] = 0x60;
    Cartridge { kind, rom }
}

#[test]
fn cartridges_of_8k_and_16k_start() {
    for model in [Model::Xl800, Model::Xe130, Model::Atari800] {
        for (kind, size) in [
            (Kind::Standard8, 0x2000),
            (Kind::Standard16, 0x4000),
            (Kind::Xegs, 0x8000),
        ] {
            let mut config = tests::config(model, Tv::Ntsc, false);
            let mut cartridge = cartridge_rom(size, kind);
            // The init routine is a return, the start routine the code above.
            let top = size - 0x2000;
            cartridge.rom[top + 0x1FFE..].copy_from_slice(&[0x20, 0xB0]);
            cartridge.rom[top + 0x1020] = 0x60;
            cartridge.rom[top + 0x1005..][..3].copy_from_slice(&[0x4C, 0x05, 0xB0]);
            config.cartridge = Some(cartridge);
            let mut atari = Atari::new(&config);
            atari.run(200);
            assert_eq!(
                atari.machine.peek(0x0601),
                0xC5,
                "{model:?} {kind:?}\n{}",
                atari.text()
            );
        }
    }
}

/// The 4K bank number that shows at an address.
fn bank(machine: &Machine, window: u16) -> u8 {
    machine.peek(window + 0x10)
}

/// Runs `LDA #data; STA address` or, without data, `LDA address`.
fn access(machine: &mut Machine, address: u16, data: Option<u8>) {
    let [low, high] = address.to_le_bytes();
    let code = match data {
        Some(data) => vec![0xA9, data, 0x8D, low, high],
        None => vec![0xAD, low, high],
    };
    for (i, byte) in code.iter().chain(&[0x4C, 0x10, 0x06]).enumerate() {
        machine.poke(0x0680 + i as u16, *byte);
    }
    machine.cpu.set_pc(0x0680);
    machine.step_instruction();
    machine.step_instruction();
}

#[test]
fn banks_are_chosen_as_the_wiring_says() {
    let plug = |kind, size: usize| {
        let mut config = tests::config(Model::Xl800, Tv::Ntsc, false);
        config.cartridge = Some(cartridge_rom(size, kind));
        Machine::new(&config).unwrap()
    };
    let mut m = plug(Kind::Xegs, 0x10000);
    access(&mut m, 0xD500, Some(3));
    assert_eq!((bank(&m, 0x8000), bank(&m, 0xA000)), (6, 14));
    let mut m = plug(Kind::SwitchableXegs, 0x8000);
    access(&mut m, 0xD5FF, Some(0x80));
    m.poke(0xA010, 0x99);
    assert_eq!(bank(&m, 0xA000), 0x99, "switched off: RAM");
    let mut m = plug(Kind::Williams, 0x10000);
    access(&mut m, 0xD505, None);
    assert_eq!(bank(&m, 0xA000), 10);
    let mut m = plug(Kind::MegaCart, 0x10000);
    access(&mut m, 0xD500, Some(2));
    assert_eq!((bank(&m, 0x8000), bank(&m, 0xA000)), (8, 10));
    let mut m = plug(Kind::Atarimax128, 0x20000);
    access(&mut m, 0xD50F, Some(0));
    assert_eq!(bank(&m, 0xA000), 30);
    access(&mut m, 0xD510, Some(0));
    m.poke(0xA010, 0x98);
    assert_eq!(bank(&m, 0xA000), 0x98);
    let mut m = plug(Kind::Sic, 0x20000);
    access(&mut m, 0xD500, Some(0x21));
    assert_eq!((bank(&m, 0x8000), bank(&m, 0xA000)), (4, 6));
    let mut m = plug(Kind::OssM091, 0x4000);
    let fixed = bank(&m, 0xB000);
    access(&mut m, 0xD501, None);
    let one = bank(&m, 0xA000);
    access(&mut m, 0xD509, None);
    let three = bank(&m, 0xA000);
    assert_eq!((fixed, bank(&m, 0xB000)), (0, 0));
    assert!(one != three && one != 0 && three != 0, "{one} {three}");
}

#[test]
fn a_cartridge_keeps_its_bank_in_a_saved_state() {
    let mut config = tests::config(Model::Xl800, Tv::Ntsc, false);
    config.cartridge = Some(cartridge_rom(0x10000, Kind::Xegs));
    let mut machine = Machine::new(&config).unwrap();
    access(&mut machine, 0xD500, Some(5));
    let state = machine.save_state();
    let mut other = Machine::new(&config).unwrap();
    other.load_state(&state).unwrap();
    assert_eq!(bank(&other, 0x8000), 10);
}
