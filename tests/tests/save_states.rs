//! Save states: the machine goes on bit for bit, and bad files change nothing.
use std::time::Instant;

use machine::{Config, Machine, Model, StateError, Tv, state_info};
use tests::Atari;
use tests::busy::busy_os;

fn config(model: Model) -> Config {
    Config {
        model,
        tv: Tv::Ntsc,
        os: busy_os(),
        basic: None,
        cartridge: None,
        seed: 7,
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
    let mut other = config(Model::Xl800);
    other.os[0] ^= 1;
    let state = Machine::new(&other).unwrap().save_state();
    assert_eq!(xl.load_state(&state), Err(StateError::Rom("OS ROM")));
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
