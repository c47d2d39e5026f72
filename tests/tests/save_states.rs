//! Save states: the machine continues bit for bit, and bad files change nothing.
use std::time::Instant;

use machine::{Config, Machine, Model, Rom, RomKind, StateError, Tv, state_info};
use tests::Atari;
use tests::busy::busy_os;

fn config(model: Model) -> Config {
    Config {
        model,
        tv: Tv::Ntsc,
        os: busy_os().into(),
        basic: None,
        cartridge: None,
        second: None,
        seed: 7,
        extras: machine::Extras::default(),
    }
}

/// Cycles until the machine stands in the middle of an instruction of the DLI handler at about cycle `from`.
fn to_the_middle_of_a_dli(machine: &mut Machine) {
    for _ in 0..200_000 {
        machine.step_cycle();
        if (0xF203..0xF214).contains(&machine.cpu.pc)
            && !machine.cpu.at_instruction_start()
            && machine.beam().line > 100
        {
            return;
        }
    }
    panic!("no DLI came");
}

#[test]
fn a_state_saved_in_the_middle_of_an_instruction_of_a_dli_goes_on_bit_for_bit() {
    for model in [Model::Xl800, Model::Xe130] {
        let mut machine = Machine::new(&config(model)).unwrap();
        for round in 0..20 {
            machine.run_cycles(40_000 + round * 1_237);
            to_the_middle_of_a_dli(&mut machine);
            let state = machine.save_state();
            let mut other = Machine::new(&config(model)).unwrap();
            other.run_cycles(round * 777);
            other.load_state(&state).unwrap();
            let mut original = machine.clone();
            // Up to the end of the frame under way the two differ only in the picture above the beam.
            for _ in 0..300 {
                assert_eq!(original.cpu, other.cpu);
                original.step_cycle();
                other.step_cycle();
            }
            for _ in 0..3 {
                original.run_frame();
                other.run_frame();
            }
            let mut sound = (Vec::new(), Vec::new());
            original.take_sound(&mut sound.0);
            other.take_sound(&mut sound.1);
            assert!(original == other, "round {round}");
        }
    }
}

#[test]
fn saving_and_loading_at_random_cycles_changes_nothing() {
    let mut straight = Machine::new(&config(Model::Xl800)).unwrap();
    let mut broken = straight.clone();
    let mut random = 12345u64;
    for _ in 0..60 {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let cycles = random >> 50;
        straight.run_cycles(cycles);
        broken.run_cycles(cycles);
        let state = broken.save_state();
        broken.load_state(&state).unwrap();
        assert_eq!(broken.save_state(), state);
        assert_eq!(straight.save_state(), state);
    }
}

#[test]
fn cut_and_damaged_states_are_refused_and_leave_the_machine_alone() {
    let mut machine = Machine::new(&config(Model::Xl800)).unwrap();
    machine.run_cycles(123_456);
    let state = machine.save_state();
    machine.run_cycles(1_000);
    let before = machine.clone();
    for length in (0..200).chain((200..state.len()).step_by(97)) {
        assert!(
            machine.load_state(&state[..length]).is_err(),
            "length {length}"
        );
    }
    for place in (0..300).chain((300..state.len()).step_by(101)) {
        let mut bad = state.clone();
        bad[place] ^= 0x40;
        assert!(machine.load_state(&bad).is_err(), "byte {place}");
    }
    assert_eq!(
        machine.load_state(b"PNG file or so"),
        Err(StateError::Foreign)
    );
    let mut newer = state.clone();
    newer[8] = 9;
    let error = machine.load_state(&newer).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the saved state was made by a newer version of Anticlock (file version 9, this one knows 1)"
    );
    assert!(machine == before);
}

#[test]
fn a_state_of_another_machine_is_refused() {
    let mut xl = Machine::new(&config(Model::Xl800)).unwrap();
    let state = Machine::new(&config(Model::Xe130)).unwrap().save_state();
    assert_eq!(state_info(&state).unwrap().model, Model::Xe130);
    let error = xl.load_state(&state).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the saved state is of an Atari 130XE (NTSC), this is an 800XL (NTSC)"
    );
}

/// [`config`] with a byte of the OS changed that the program does not use.
fn changed_os(of: impl Fn(&[u8]) -> Rom) -> Config {
    let mut os = busy_os();
    os[1] ^= 1;
    Config {
        os: of(&os),
        basic: Some(of(&[0xBA; 0x2000])),
        ..config(Model::Xl800)
    }
}

#[test]
fn a_state_carries_its_own_roms_into_a_machine_with_others() {
    let mut machine = Machine::new(&changed_os(Rom::own)).unwrap();
    machine.hold_option();
    machine.run_cycles(300_000);
    let state = machine.save_state();
    assert_eq!(state_info(&state).unwrap().needs, []);
    let mut other = Machine::new(&config(Model::Xl800)).unwrap();
    other.run_cycles(1_000);
    other.load_state(&state).unwrap();
    let made = Machine::from_state(&state, &[], &[]).unwrap();
    for mut loaded in [Box::new(other), Box::new(made)] {
        assert!(loaded.save_state() == state);
        assert_eq!(loaded.config(), machine.config());
        let mut original = machine.clone();
        // Also after the power was off.
        for _ in 0..2 {
            for _ in 0..5 {
                original.run_frame();
                loaded.run_frame();
            }
            assert!(loaded.save_state() == original.save_state());
            assert_eq!(loaded.peek(0xC001), 0xEB);
            original.power_cycle();
            loaded.power_cycle();
        }
    }
}

#[test]
fn a_foreign_rom_is_asked_for_by_name_and_taken_when_it_is_brought() {
    let config = changed_os(Rom::foreign);
    let cartridge = media::cartridge::Cartridge::from_rom(&[0xCA; 0x4000]).unwrap();
    let config = Config {
        cartridge: Some(cartridge.clone()),
        ..config
    };
    let mut machine = Machine::new(&config).unwrap();
    machine.run_cycles(200_000);
    let state = machine.save_state();
    let needs = state_info(&state).unwrap().needs;
    let crc = config.basic.as_ref().unwrap().crc32();
    let kinds: Vec<_> = needs.iter().map(|rom| rom.kind).collect();
    assert_eq!(kinds, [RomKind::Os, RomKind::Basic, RomKind::Cartridge]);
    assert_eq!(needs[0].hash, config.os.hash());
    assert_eq!(needs[1].image, Some((0x2000, crc)));
    // Each that is missing is named; the machine that was to load it stays as it is.
    let mut xl = Machine::new(&self::config(Model::Xl800)).unwrap();
    let before = xl.clone();
    assert_eq!(xl.load_state(&state), Err(StateError::Rom(needs[0])));
    assert!(xl == before);
    let basic = config.basic.clone().unwrap();
    let roms = [basic, config.os.clone()];
    for (roms, cartridges, missing) in [
        (&roms[..1], &[][..], RomKind::Os),
        (&roms[1..], &[][..], RomKind::Basic),
        (&roms[..], &[][..], RomKind::Cartridge),
    ] {
        let error = Machine::from_state(&state, roms, cartridges).unwrap_err();
        assert!(matches!(error, StateError::Rom(rom) if rom.kind == missing));
    }
    let error = Machine::from_state(&state, &roms[1..], &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "the saved state needs the BASIC ROM of 8192 bytes with the CRC-32 {crc:08X} and does not contain it"
        )
    );
    let loaded = Machine::from_state(&state, &roms, &[cartridge]).unwrap();
    assert!(loaded.save_state() == state);
}

#[test]
fn a_state_of_version_0_1_says_which_rom_it_was_made_with() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/state-0.1.colleen");
    let state = std::fs::read(path).unwrap();
    let error = Machine::from_state(&state, &[], &[]).unwrap_err();
    let hash = machine::rom_hash(&busy_os());
    assert_eq!(
        error.to_string(),
        format!(
            "the saved state was made with another OS ROM (hash {hash:016X}) by version 0.1, whose states do not contain their ROMs"
        )
    );
    assert!(Machine::from_state(&state, &[busy_os().into()], &[]).is_ok());
}

#[test]
fn a_state_is_small_and_quick() {
    let mut config = tests::config(Model::Xe130, Tv::Ntsc, true);
    config.seed = 3;
    let mut atari = Atari::new(&config);
    atari
        .machine
        .insert_disk(0, media::atr::Disk::blank(media::atr::Blank::Double));
    atari.run(60);
    let state = atari.machine.save_state();
    assert!(state.len() < 200_000, "{} bytes", state.len());
    let best = |work: &mut dyn FnMut()| {
        (0..20)
            .map(|_| {
                let start = Instant::now();
                work();
                start.elapsed()
            })
            .min()
            .unwrap()
    };
    let saving = best(&mut || drop(atari.machine.save_state()));
    let mut machine = atari.machine.clone();
    let loading = best(&mut || machine.load_state(&state).unwrap());
    eprintln!(
        "state: {} bytes, saved in {saving:?}, loaded in {loading:?}",
        state.len()
    );
}

/// The largest disk, every sector of it different.
fn largest_disk() -> media::atr::Disk {
    let mut disk = media::atr::Disk::with_geometry(65_535, 256);
    let mut noise = 1u64;
    let mut data = [0; 256];
    for number in 1..=65_535 {
        for word in data.as_chunks_mut::<8>().0 {
            noise = noise
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            *word = (noise >> 20).to_le_bytes();
        }
        assert!(disk.write_sector(number, &data));
    }
    disk
}

#[test]
fn copies_of_a_machine_share_its_disk() {
    let mut machine = Machine::new(&config(Model::Xe130)).unwrap();
    let without = (0..20).map(|_| time(|| machine.clone())).min().unwrap();
    machine.insert_disk(0, largest_disk());
    let with = (0..20).map(|_| time(|| machine.clone())).min().unwrap();
    eprintln!("a copy of the machine: {without:?} without a disk, {with:?} with one of 16 MB");
    let mut copies: Vec<Machine> = (0..100).map(|_| machine.clone()).collect();
    for (i, copy) in copies.iter_mut().enumerate() {
        let disk = copy.disk_mut(0).unwrap();
        assert!(disk.write_sector(1_000 + 20 * i, b"written"));
    }
    let disk = machine.disk(0).unwrap();
    for copy in &copies {
        assert_eq!(copy.disk(0).unwrap().shared_pages(disk), 4_095);
    }
}

fn time<T>(work: impl FnOnce() -> T) -> std::time::Duration {
    let start = Instant::now();
    let result = work();
    let taken = start.elapsed();
    drop(result);
    taken
}

#[test]
fn a_machine_with_the_largest_disk_in_every_drive_saves_and_loads() {
    let mut machine = Machine::new(&config(Model::Xl800)).unwrap();
    let disk = largest_disk();
    for number in 0..8 {
        machine.insert_disk(number, disk.clone());
    }
    let state = machine.save_state();
    let saving = time(|| machine.save_state());
    let mut other = Machine::new(&config(Model::Xl800)).unwrap();
    let loading = time(|| other.load_state(&state).unwrap());
    eprintln!(
        "eight disks of 16 MB: {} bytes, saved in {saving:?}, loaded in {loading:?}",
        state.len()
    );
    assert!(other.disk(7) == Some(&disk));
}

#[test]
fn the_longest_file_open_on_the_host_folder_saves_and_loads() {
    use machine::host::{HostReply, LONGEST, status};
    let mut machine = Machine::new(&config(Model::Xl800)).unwrap();
    machine.attach_host(false);
    // The handler's part: select the device, the file's name, command 3 for channel 0.
    let open = |machine: &mut Machine, length: usize| {
        for (address, data) in [
            (0xD1FF, 1),
            (0xD1E0, 3),
            (0xD1E1, b'X'),
            (0xD1E8, 12),
            (0xD1E2, 0),
        ] {
            machine.pins().write(address, data);
        }
        assert!(machine.host_request().is_some());
        machine.answer_host(HostReply {
            status: status::OK,
            data: vec![0x5A; length],
        });
        machine.peek(0xD1E2)
    };
    assert_eq!(open(&mut machine, LONGEST + 1), status::FATAL);
    assert_eq!(open(&mut machine, LONGEST), status::OK);
    let state = machine.save_state();
    let mut other = Machine::new(&config(Model::Xl800)).unwrap();
    other.load_state(&state).unwrap();
    assert!(state_info(&state).unwrap().host && !other.host_connected());
    assert_eq!((other.peek(0xD1E3), other.peek(0xD1E4)), (0x5A, status::OK));
    assert!(other.save_state() == state);
}
