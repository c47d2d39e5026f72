//! A machine is never built or moved on the stack as a whole: all of this runs in a thread with half of the stack that the main thread of
//! Windows has.
use machine::{Cartridge, Machine, Model, Ram, Snapshot};
use session::timeline::Limits;
use session::{Session, Setup};

/// Bytes of the thread's stack.
const STACK: usize = 512 << 10;

/// Runs in a thread with little stack; what overflows it ends the whole test.
fn with_little_stack(act: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let thread = thread.spawn_scoped(scope, act).expect("a thread");
        thread.join().expect("it has ended by itself");
    });
}

/// The handles of a machine, not the machine: a machine that is moved moves this.
#[test]
fn a_machine_is_a_handle() {
    assert!(size_of::<Machine>() <= 256, "{}", size_of::<Machine>());
    assert!(size_of::<Session>() <= 4096, "{}", size_of::<Session>());
}

#[test]
fn half_a_megabyte_of_stack_is_enough_for_a_session() {
    with_little_stack(|| {
        for model in [Model::Xl800, Model::Atari800, Model::Xe130] {
            let mut setup = Setup::for_file("a.lst", b"10 GOTO 10\n").expect("a listing");
            setup.model = Some(model);
            setup.stereo = true;
            setup.covox = true;
            let mut session = Session::new(setup).expect("a session");
            session.remember(Limits::debugger());
            for _ in 0..400 {
                session.run_frame();
            }
            assert!(!session.is_starting());
            let state = session.save_state();
            session.load_state(&state).expect("its own state");
            assert!(session.back(30));
            session.cold_start();
            session.run_frame();
            let program = session::built_in::find("gammon")
                .expect("sound")
                .expect("a game");
            session.start(program).expect("a game starts");
            session.run_frame();
            let state = session.save_state();
            let again = Setup::for_file("a.state", &state).expect("a state");
            Session::new(again)
                .expect("a session of a state")
                .run_frame();
            let recording = session.recording().expect("a recording");
            Session::play(recording, Limits::default())
                .expect("it plays")
                .run_frame();
        }
    });
}

#[test]
fn half_a_megabyte_of_stack_is_enough_for_a_machine() {
    with_little_stack(|| {
        let mut setup =
            Setup::for_file("a.xex", &[0xFF, 0xFF, 0, 6, 2, 6, 0x4C, 0, 6]).expect("a file");
        setup.ram = Some(Ram::K1088);
        let mut machine =
            Machine::new(&setup.config().expect("a configuration")).expect("a machine");
        machine.run_frame();
        machine.power_cycle();
        machine.run_frame();
        let mut copy = machine.clone();
        copy.run_frame();
        copy.clone_from(&machine);
        let boxed: Vec<Machine> = (0..3).map(|_| copy.clone()).collect();
        assert!(boxed.iter().all(|copy| *copy == machine));
        let state = machine.save_state();
        copy.load_state(&state).expect("its own state");
        // A state of another configuration makes another machine of this one.
        let config = machine::Config {
            cartridge: Some(Cartridge::from_rom_of_type(&[0; 0x2000], 1).expect("8K")),
            ..setup.config().expect("a configuration")
        };
        let mut other = Machine::new(&config).expect("a machine");
        other
            .load_state(&state)
            .expect("a state of another machine");
        let roms = Machine::from_state(&state, &[], &[]).expect("a machine of a state");
        assert_eq!(roms.state_hash(), copy.state_hash());
        let snapshot = Snapshot::of(&copy);
        assert_eq!(
            snapshot.machine().expect("a machine").state_hash(),
            copy.state_hash()
        );
    });
}
