//! Whatever runs on the machine, the host is safe: random memory as program, random display lists, random register
//! writes and damaged files neither panic nor hang, equal machines stay equal, and a machine saved and loaded in any
//! cycle continues as if nothing had happened. The test profile checks overflows.
//!
//! `ROBUST_CASES=2000 cargo test -p tests --test robust` looks longer.

use machine::{Config, Input, Machine, Model, Tv};
use proptest::prelude::*;

fn cases(usual: u32) -> ProptestConfig {
    let cases = std::env::var("ROBUST_CASES")
        .ok()
        .and_then(|text| text.parse().ok());
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases.unwrap_or(usual))
    }
}

/// A sequence from a seed.
struct Noise(u64);

impl Noise {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn byte(&mut self) -> u8 {
        self.below(256) as u8
    }

    /// A byte of a program that talks to the chips: more high bytes of their pages, and no JAM, which would end it.
    fn code(&mut self) -> u8 {
        match self.below(8) {
            0 => [0xD0, 0xD2, 0xD3, 0xD4, 0xD0, 0xD2, 0xD4, 0xD5][self.below(8) as usize],
            _ => match self.byte() {
                jam if jam & 0x1F == 0x12 || jam & 0x9F == 0x02 => 0x8D,
                byte => byte,
            },
        }
    }

    fn input(&mut self) -> Input {
        let mut input = Input {
            key: (self.below(3) == 0).then(|| self.byte()),
            shift: self.below(2) == 0,
            break_key: self.below(5) == 0,
            start: self.below(2) == 0,
            option: self.below(2) == 0,
            ..Input::default()
        };
        for port in 0..4 {
            let bits = self.byte();
            input
                .joystick(port)
                .push(bits & 1 != 0, bits & 2 != 0, bits & 4 != 0, bits & 8 != 0);
            input.joystick(port).trigger = bits & 16 != 0;
            input.paddles[port] = self.byte();
        }
        input
    }
}

const MODELS: [Model; 4] = [Model::Xl800, Model::Xe130, Model::Atari800, Model::Atari400];

/// A machine whose ROM and RAM are noise; vectors and registers too.
fn random_machine(seed: u64, model: usize, pal: bool) -> Machine {
    let mut noise = Noise(seed);
    let model = MODELS[model % MODELS.len()];
    let size = if model.is_xl() { 0x4000 } else { 0x2800 };
    let config = Config {
        model,
        tv: if pal { Tv::Pal } else { Tv::Ntsc },
        os: (0..size).map(|_| noise.code()).collect::<Vec<u8>>().into(),
        basic: (noise.below(2) == 0).then(|| {
            (0..0x2000)
                .map(|_| noise.code())
                .collect::<Vec<u8>>()
                .into()
        }),
        cartridge: None,
        second: None,
        seed,
        extras: machine::Extras::default(),
    };
    let mut machine = Machine::new(&config).expect("the configuration is good");
    for address in 0..=0xFFFF {
        machine.poke(address, noise.code());
    }
    (machine.cpu.a, machine.cpu.x, machine.cpu.y) = (noise.byte(), noise.byte(), noise.byte());
    machine.cpu.set_p(noise.byte());
    machine
}

/// Runs for `cycles`, with the controls and, if asked for, registers changing at random times.
fn run(machine: &mut Machine, noise: &mut Noise, cycles: u64, writes: bool) {
    let end = machine.now() + cycles;
    while machine.now() < end {
        let piece = 1 + noise.below(3000);
        machine.run_cycles(piece.min(end - machine.now()));
        match noise.below(8) {
            0 => machine.input = noise.input(),
            1 if noise.below(20) == 0 => machine.reset(),
            _ => {}
        }
        if writes {
            for _ in 0..noise.below(12) {
                let address = 0xD000 + noise.below(0x800) as u16;
                if noise.below(4) == 0 {
                    machine.pins().read(address);
                } else {
                    let data = noise.byte();
                    machine.pins().write(address, data);
                }
                machine.run_cycles(1 + noise.below(9));
            }
        }
    }
}

/// Our OS with a disk of noise in the drive, whose first sector is a boot sector.
fn noise_disk(seed: u64) -> Machine {
    let mut noise = Noise(seed);
    let mut disk = media::atr::Disk::with_geometry(720, 128);
    for number in 1..=720 {
        let mut sector: Vec<u8> = (0..128).map(|_| noise.code()).collect();
        if number == 1 {
            // Flags, sectors to load, load address, start address.
            let page = 0x07 + noise.below(0x18) as u8;
            sector[..6].copy_from_slice(&[0, 1 + noise.below(20) as u8, 0, page, 0, page]);
        }
        disk.write_sector(number, &sector);
    }
    let config = tests::config(Model::Xl800, Tv::Ntsc, false);
    let mut machine = Machine::new(&config).expect("the configuration is good");
    machine.insert_disk(0, disk);
    machine
}

/// A probe that does nothing.
struct Looker;

impl machine::Probe for Looker {}

/// True if a program or a user can see no difference between two machines.
fn same(a: &Machine, b: &Machine) -> bool {
    a.frame() == b.frame() && a.save_state() == b.save_state()
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn random_programs_neither_panic_nor_differ_between_two_runs(seed: u64, model in 0..4usize, pal: bool) {
        let mut machine = random_machine(seed, model, pal);
        let mut again = machine.clone();
        run(&mut machine, &mut Noise(seed), 200_000, false);
        run(&mut again, &mut Noise(seed), 200_000, false);
        prop_assert!(same(&machine, &again));
    }

    #[test]
    fn random_register_writes_neither_panic_nor_differ_between_two_runs(seed: u64, model in 0..4usize, pal: bool) {
        let mut machine = random_machine(seed, model, pal);
        let mut again = machine.clone();
        run(&mut machine, &mut Noise(seed), 150_000, true);
        run(&mut again, &mut Noise(seed), 150_000, true);
        prop_assert!(same(&machine, &again));
    }

    #[test]
    fn random_display_lists_neither_panic_nor_differ_between_two_runs(
        list in prop::collection::vec(any::<u8>(), 1..1024),
        start in 0x0200..0xC000u16,
        registers: [u8; 16],
        times in prop::collection::vec((0..4000u64, 0..16u16, any::<u8>()), 0..60),
    ) {
        let mut os = vec![0xEA; 0x4000];
        // JMP * after RESET, RTI for interrupts.
        os[0x2000..0x2003].copy_from_slice(&[0x4C, 0x00, 0xE0]);
        os[0x2003] = 0x40;
        os[0x3FFA..].copy_from_slice(&[0x03, 0xE0, 0x00, 0xE0, 0x03, 0xE0]);
        let config = Config { model: Model::Xl800, tv: Tv::Ntsc, os: os.into(), basic: None, cartridge: None, second: None, seed: 9, extras: machine::Extras::default() };
        let mut machine = Machine::new(&config).expect("the configuration is good");
        for (offset, &byte) in list.iter().enumerate() {
            machine.poke(start.wrapping_add(offset as u16), byte);
        }
        machine.run_cycles(100);
        for (register, &data) in registers.iter().enumerate() {
            machine.pins().write(0xD400 + register as u16, data);
        }
        machine.pins().write(0xD400, 0x20 | registers[0]);
        machine.pins().write(0xD402, start as u8);
        machine.pins().write(0xD403, (start >> 8) as u8);
        let mut again = machine.clone();
        for machine in [&mut machine, &mut again] {
            machine.run_frame();
            for &(wait, register, data) in &times {
                machine.run_cycles(wait);
                machine.pins().write(0xD400 + register, data);
            }
            machine.run_frame();
        }
        prop_assert!(same(&machine, &again));
    }

    #[test]
    fn a_random_program_saved_and_loaded_in_any_cycle_goes_on_equally(
        seed: u64,
        model in 0..4usize,
        pal: bool,
        before in 0..90_000u64,
        after in prop_oneof![1..400u64, 1..90_000u64],
    ) {
        let mut straight = random_machine(seed, model, pal);
        let mut loaded = Machine::new(straight.config()).expect("the configuration is good");
        run(&mut straight, &mut Noise(seed), before, true);
        let state = straight.save_state();
        prop_assert_eq!(loaded.load_state(&state), Ok(()));
        prop_assert!(loaded.save_state() == state);
        run(&mut straight, &mut Noise(!seed), after, true);
        run(&mut loaded, &mut Noise(!seed), after, true);
        prop_assert!(loaded.save_state() == straight.save_state());
        // Frames are not in a state: they are equal once a whole one has been drawn.
        for _ in 0..2 {
            straight.run_frame();
            loaded.run_frame();
        }
        prop_assert!(same(&loaded, &straight));
    }

    #[test]
    fn how_a_run_is_divided_makes_no_difference(seed: u64, model in 0..4usize, pieces in prop::collection::vec(0..500u64, 1..200)) {
        let mut whole = random_machine(seed, model, false);
        let mut divided = whole.clone();
        let mut watched = whole.clone();
        for &piece in &pieces {
            divided.run_cycles(piece);
            watched.run_cycles_with(piece, &mut Looker);
        }
        whole.run_cycles(pieces.iter().sum());
        let state = whole.save_state();
        prop_assert!(divided.save_state() == state);
        prop_assert!(watched.save_state() == state);
        whole.run_frame();
        divided.run_frame();
        prop_assert!(same(&whole, &divided));
    }

    #[test]
    fn cycle_by_cycle_is_the_same_as_whole_frames(seed: u64, model in 0..4usize, registers: [u8; 16]) {
        let mut whole = random_machine(seed, model, false);
        let mut noise = Noise(seed);
        // A picture to draw while the random program writes into it.
        for (register, &data) in registers.iter().enumerate() {
            whole.pins().write(0xD400 + register as u16, data);
        }
        whole.pins().write(0xD400, 0x20 | registers[0]);
        // Mode lines are more likely than jumps.
        let start = 0x0400 + noise.below(0x3000) as u16;
        for offset in 0..0x100 {
            let instruction = noise.byte();
            whole.poke(start + offset, if instruction & 15 == 1 { 0x42 } else { instruction });
        }
        whole.pins().write(0xD402, start as u8);
        whole.pins().write(0xD403, (start >> 8) as u8);
        let mut stepped = whole.clone();
        for _ in 0..2 {
            whole.run_frame();
            while stepped.now() < whole.now() {
                stepped.step_cycle();
            }
            prop_assert!(same(&whole, &stepped));
        }
    }

    #[test]
    fn random_bytes_are_no_medium_or_a_harmless_one(bytes in prop::collection::vec(any::<u8>(), 0..3000), kind in 0..4u8) {
        let mut bytes = bytes;
        let magic: &[u8] = match kind {
            0 => &[0x96, 0x02],
            1 => &[0xFF, 0xFF],
            2 => b"CART",
            _ => &[],
        };
        if bytes.len() >= magic.len() {
            bytes[..magic.len()].copy_from_slice(magic);
        }
        if let Ok(disk) = media::atr::Disk::parse(&bytes) {
            prop_assert!(disk.sector(0).is_none());
            for number in 1..=disk.sectors() + 1 {
                let _ = disk.sector(number);
            }
            let _ = disk.to_bytes();
        }
        if let Ok(program) = media::xex::Xex::parse(&bytes) {
            let _ = program.boot();
            let _ = program.run_address();
        }
        let _ = media::cartridge::Cartridge::parse_car(&bytes);
        let _ = media::cartridge::Cartridge::from_rom(&bytes);
        let _ = media::basic::Program::tokenize(&bytes);
        if let Ok(program) = media::basic::Program::parse_save(&bytes) {
            let _ = program.list();
            let _ = program.to_save();
        }
    }
}

proptest! {
    #![proptest_config(cases(30))]

    #[test]
    fn a_disk_of_noise_boots_and_does_no_harm(seed: u64) {
        let mut machine = noise_disk(seed);
        for _ in 0..150 {
            machine.run_frame();
        }
        let mut again = machine.clone();
        for machine in [&mut machine, &mut again] {
            let mut noise = Noise(seed);
            for _ in 0..60 {
                machine.run_frame();
                machine.input = noise.input();
            }
        }
        prop_assert!(same(&machine, &again));
    }
}
