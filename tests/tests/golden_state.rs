//! A saved state of this release that must keep loading.
//!
//! The machine in it runs a ROM of the tests' own, which the newer files carry and the first one names by its hash. When a chunk's layout changes, its version is
//! raised, the old layout gets a frozen struct and a `From` (see `machine/src/state.rs`), and this file stays: the test shows that
//! the step from the old layout to the new one works. A release adds a file of its own:
//! `WRITE_STATE=1 cargo test -p tests --test golden_state` writes the last one of [`STATES`].
use std::path::PathBuf;

use machine::{Config, Machine, Model, Rom, Tv};
use tests::busy::busy_os;

/// Cycles since power-on in every file.
const NOW: u64 = 500_003;

/// The contents of a file.
struct Golden {
    name: &'static str,
    /// PC, A and X.
    cpu: (u16, u8, u8),
    /// [`COUNTERS`].
    counters: [u8; 3],
    /// True if the file carries its ROM.
    complete: bool,
}

/// States of all releases, oldest first; `WRITE_STATE` writes the last one again, and the test then says what it holds.
const STATES: &[Golden] = &[
    Golden {
        name: "state-0.1.colleen",
        cpu: (0xF07B, 0x47, 0xE0),
        counters: [121, 106, 17],
        complete: false,
    },
    Golden {
        name: "state-0.2.anticlock",
        cpu: (0xF07B, 0x47, 0xE0),
        counters: [121, 106, 17],
        complete: true,
    },
];

/// Counters of the program: its main loop, its non-maskable interrupts, its timer interrupts.
const COUNTERS: [u16; 3] = [0x80, 0x81, 0x82];

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("golden")
        .join(name)
}

fn machine(os: &[u8], seed: u64) -> Machine {
    let config = Config {
        model: Model::Xl800,
        tv: Tv::Ntsc,
        os: Rom::own(os),
        basic: None,
        cartridge: None,
        second: None,
        seed,
        extras: machine::Extras::default(),
    };
    Machine::new(&config).unwrap()
}

/// Half a million cycles after power-on, with a disk in D1: and a stick pushed.
fn write(golden: &Golden) {
    let mut machine = machine(&busy_os(), 7);
    let mut disk = media::atr::Disk::with_geometry(720, 128);
    assert!(disk.write_sector(3, &[0xA5; 128]));
    machine.insert_disk(0, disk);
    machine.attach_host(false);
    machine.input.joystick(0).up();
    machine.run_cycles(NOW);
    std::fs::write(path(golden.name), machine.save_state()).unwrap();
}

#[test]
fn states_of_earlier_releases_load_and_go_on() {
    if let (Some(_), Some(newest)) = (std::env::var_os("WRITE_STATE"), STATES.last()) {
        write(newest);
    }
    for golden in STATES {
        let name = golden.name;
        let state = std::fs::read(path(name)).unwrap();
        // A complete file needs nothing of the machine that it is loaded into.
        let mut os = busy_os();
        if golden.complete {
            os.fill(0xEA);
        }
        let mut machine = machine(&os, 99);
        machine.run_cycles(12_345);
        machine
            .load_state(&state)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        // All that a user notices: the program is where it was, with its data, and its machine.
        let counters = |machine: &Machine| COUNTERS.map(|address| machine.peek(address));
        let cpu = (machine.cpu.pc, machine.cpu.a, machine.cpu.x);
        assert_eq!(machine.now(), NOW, "{name}");
        assert_eq!(
            (cpu, counters(&machine)),
            (golden.cpu, golden.counters),
            "{name}"
        );
        // The display list that the program has built, and the stick.
        assert_eq!(machine.peek(0x0606), 0x88, "{name}");
        assert!(machine.input.joysticks[0].up, "{name}");
        let sector = machine
            .disk_mut(0)
            .and_then(|disk| disk.sector(3).map(<[u8]>::to_vec));
        assert_eq!(sector, Some(vec![0xA5; 128]), "{name}");
        // And it continues: 23 display list interrupts and the vertical blank in each of ten frames.
        machine.run_cycles(10 * 262 * 114);
        let [main, interrupts, timer] = counters(&machine);
        assert_eq!(interrupts, golden.counters[1].wrapping_add(240), "{name}");
        assert_ne!(main, golden.counters[0], "{name}");
        assert_ne!(timer, golden.counters[2], "{name}");
        let colours: std::collections::BTreeSet<u8> =
            machine.frame().pixels().iter().copied().collect();
        assert!(colours.len() > 20, "{name}");
    }
}
