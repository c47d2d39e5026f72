//! Any moment of a timeline is the moment of a straight run, whatever was done to the machine, and wherever the cursor has been.
use machine::host::HostReply;
use machine::{Config, Input, Machine, Model, NoProbe, Rom, Snapshot, Tv};
use media::atr::{Blank, Disk};
use media::cas::{Block, Tape};
use proptest::prelude::*;
use session::timeline::{Event, Forward, Limits, Moment, Recording, Timeline};

/// Draws, plays, reads D1: and writes to H: for ever.
const BUSY: &[u8] = b"10 DIM A$(10):GRAPHICS 7:POKE 559,62\n\
20 COLOR 1+INT(RND(0)*3):PLOT 0,0:DRAWTO RND(0)*159,RND(0)*79:SOUND 0,RND(0)*255,10,8\n\
30 POKE 53248,STICK(0)*8+60:POKE 704,PEEK(20):? #6;PEEK(53770);STRIG(0);\n40 GOTO 20\n";

fn config(model: Model, tv: Tv) -> Config {
    let os = if model.is_xl() {
        roms::OS_XL
    } else {
        roms::OS_800
    };
    Config {
        model,
        tv,
        os: Rom::own(os),
        basic: Some(Rom::own(roms::BASIC)),
        cartridge: None,
        second: None,
        seed: 5,
        extras: machine::Extras::default(),
    }
}

/// A script for a machine: cycles to run, and then an event.
type Script = Vec<(u64, Event)>;

fn input() -> impl Strategy<Value = Event> {
    (any::<u8>(), any::<u8>(), prop::option::of(0..0x40u8)).prop_map(|(stick, console, key)| {
        let mut input = Input::default();
        input.joystick(0).push(
            stick & 1 != 0,
            stick & 2 != 0,
            stick & 4 != 0,
            stick & 8 != 0,
        );
        input.joystick(0).trigger = stick & 16 != 0;
        input.paddles[usize::from(stick >> 5)] = console;
        input.start = console & 1 != 0;
        input.select = console & 2 != 0;
        input.option = console & 4 != 0;
        input.break_key = console & 0xF8 == 8;
        input.key = key;
        Event::Controls(input)
    })
}

fn disk(seed: u8) -> Disk {
    let mut disk = Disk::blank(Blank::Single);
    for sector in 1..20 {
        disk.write_sector(sector, &[seed.wrapping_mul(sector as u8); 128]);
    }
    disk
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        12 => input(),
        1 => Just(Event::Reset),
        1 => Just(Event::PowerCycle),
        1 => (0..3u8, any::<u8>()).prop_map(|(drive, seed)| Event::InsertDisk {
            drive,
            disk: Box::new(disk(seed)),
        }),
        1 => (0..3u8).prop_map(|drive| Event::EjectDisk { drive }),
        1 => (0..2u8, any::<bool>()).prop_map(|(drive, protected)| Event::ProtectDisk { drive, protected }),
        1 => any::<bool>().prop_map(Event::FastDrives),
        1 => any::<u8>().prop_map(|seed| Event::InsertTape(Box::new(Tape {
            description: Vec::new(),
            blocks: vec![Block::Data { gap: 30, baud: 600, bytes: vec![seed; 40] }; 3],
        }))),
        1 => Just(Event::EjectTape),
        1 => Just(Event::RewindTape),
        1 => any::<bool>().prop_map(Event::PressRecord),
        1 => any::<bool>().prop_map(|as_disk| Event::AttachHost { as_disk }),
        1 => any::<u8>().prop_map(|n| Event::HostReply(HostReply { status: 1, data: vec![n; 300] })),
        1 => (any::<u16>(), any::<u8>()).prop_map(|(address, data)| Event::Poke { address, data }),
        1 => (0..4u8, 0..90_000u64).prop_map(|(kind, cycles)| {
            let (model, tv) = model(kind);
            let mut machine = Machine::new(&config(model, tv)).unwrap();
            machine.run_cycles(cycles);
            Event::Replace(Box::new(Snapshot::of(&machine)))
        }),
        1 => Just(Event::load_basic(&media::basic::Program::tokenize(BUSY).unwrap())),
    ]
}

fn script(most: usize) -> impl Strategy<Value = Script> {
    let pause = prop_oneof![3 => 0..40_000u64, 1 => Just(0), 1 => 0..1_500_000u64];
    prop::collection::vec((pause, event()), 1..most)
}

/// A machine at BASIC's prompt, with something to do.
fn begun(model: Model, tv: Tv) -> Machine {
    let mut machine = Machine::new(&config(model, tv)).unwrap();
    machine.insert_disk(0, disk(1));
    for _ in 0..250 {
        machine.run_frame();
    }
    let program = media::basic::Program::tokenize(BUSY).unwrap();
    drop(machine.load_basic(&program));
    machine
}

/// The script done to a machine up to a moment, in one go.
fn straight(start: &Machine, script: &Script, until: u64) -> Machine {
    let mut machine = start.clone();
    let mut moment = 0;
    for (pause, event) in script {
        if moment + pause > until {
            break;
        }
        machine.run_cycles(*pause);
        moment += pause;
        drop(event.apply(&mut machine));
    }
    machine.run_cycles(until - moment);
    machine
}

/// Runs to a moment and tells the timeline of each frame.
fn run(timeline: &mut Timeline, machine: &mut Machine, until: u64) {
    while timeline.moment_of(machine).0 < until {
        let beam = machine.beam();
        let frame = u64::from(machine.config().tv.lines()) * 114;
        let to_go = frame - u64::from(beam.line) * 114 - u64::from(beam.cycle);
        machine.run_cycles(to_go.min(until - timeline.moment_of(machine).0));
        machine.take_sound(&mut Vec::new());
        timeline.frame(machine);
    }
}

/// Does the script to the caller's machine and records it.
fn live(timeline: &mut Timeline, machine: &mut Machine, script: &Script) -> u64 {
    let mut moment = timeline.moment_of(machine).0;
    for (pause, event) in script {
        moment += pause;
        run(timeline, machine, moment);
        drop(timeline.apply(machine, event.clone()));
    }
    moment += 200_000;
    run(timeline, machine, moment);
    moment
}

/// States, pictures and media are equal.
fn assert_same(a: &Machine, b: &Machine, what: &str) {
    let mut raw = [Vec::new(), Vec::new()];
    a.raw_state(&mut raw[0]);
    b.raw_state(&mut raw[1]);
    let first = raw[0].iter().zip(&raw[1]).position(|(a, b)| a != b);
    assert_eq!(first, None, "{what}: the states differ from byte {first:?}");
    assert_eq!(a.state_hash(), b.state_hash(), "{what}: the media differ");
    assert_eq!(a.frame().number(), b.frame().number(), "{what}");
    let pixels = a.frame().pixels().iter().zip(b.frame().pixels());
    let first = pixels.clone().position(|(a, b)| a != b);
    assert_eq!(first, None, "{what}: the pictures differ");
    let [a, b] = [a, b].map(|machine| {
        let mut machine = machine.clone();
        machine.draw_to_beam();
        machine.bus().video.drawing().to_vec()
    });
    assert_eq!(a, b, "{what}: the frames that are being drawn differ");
}

fn model(n: u8) -> (Model, Tv) {
    [
        (Model::Xl800, Tv::Ntsc),
        (Model::Xe130, Tv::Pal),
        (Model::Atari800, Tv::Ntsc),
        (Model::Atari400, Tv::Pal),
    ][usize::from(n % 4)]
}

fn limits(fine: bool) -> Limits {
    Limits {
        frames: if fine { 40 } else { 0 },
        copies: if fine { 3 } else { 0 },
        dense: if fine { 2 } else { 3600 },
        ..Limits::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_moment_is_that_of_a_straight_run(
        kind in 0..4u8, script in script(30), fine: bool, places in prop::collection::vec(0.0..1.0f64, 8),
    ) {
        let (model, tv) = model(kind);
        let start = begun(model, tv);
        let mut machine = start.clone();
        let mut timeline = Timeline::new(&machine, limits(fine));
        let end = live(&mut timeline, &mut machine, &script);
        prop_assert!(timeline.is_live());
        prop_assert_eq!(timeline.newest(), Moment(end));
        assert_same(&machine, &straight(&start, &script, end), "live");
        let oldest = timeline.oldest().0;
        for place in places {
            let moment = oldest + ((end - oldest) as f64 * place) as u64;
            let past = timeline.machine_at(Moment(moment)).unwrap();
            assert_same(&past, &straight(&start, &script, moment), &format!("moment {moment}"));
        }
        prop_assert!(timeline.machine_at(Moment(end + 1)).is_none());
        prop_assert!(oldest == 0 || timeline.machine_at(Moment(oldest - 1)).is_none());
    }

    #[test]
    fn a_replay_in_pieces_is_the_run_and_stays_on_its_branch(
        kind in 0..4u8, script in script(20), fine: bool, back in 0.0..1.0f64,
        pieces in prop::collection::vec(1..400_000u64, 1..40),
    ) {
        let (model, tv) = model(kind);
        let mut machine = begun(model, tv);
        let mut timeline = Timeline::new(&machine, limits(fine));
        let end = live(&mut timeline, &mut machine, &script);
        let last = machine.clone();
        let oldest = timeline.oldest().0;
        let moment = oldest + ((end - oldest) as f64 * back) as u64;
        prop_assert!(timeline.goto(&mut machine, Moment(moment)));
        for piece in pieces {
            let until = Moment((timeline.cursor().moment.0 + piece).min(end));
            prop_assert_eq!(timeline.forward(&mut machine, until, &mut NoProbe), Forward::Done);
            timeline.frame(&machine);
        }
        prop_assert_eq!(timeline.forward(&mut machine, Moment(end), &mut NoProbe), Forward::Done);
        assert_same(&machine, &last, "the end");
        prop_assert!(timeline.is_live());
        prop_assert_eq!(timeline.branches().count(), 0);
    }

    #[test]
    fn branches_keep_every_future(
        kind in 0..4u8, first in script(12), second in script(8), third in script(8),
        backs in prop::array::uniform2(0.0..1.0f64), fine: bool,
    ) {
        let (model, tv) = model(kind);
        let start = begun(model, tv);
        let mut machine = start.clone();
        let mut timeline = Timeline::new(&machine, limits(fine));
        let mut lives = Vec::new();
        live(&mut timeline, &mut machine, &first);
        lives.push((timeline.branch(), machine.clone(), timeline.newest()));
        for (script, back) in [second, third].iter().zip(backs) {
            let (oldest, newest) = (timeline.oldest().0, timeline.newest().0);
            let moment = oldest + ((newest - oldest) as f64 * back) as u64;
            prop_assert!(timeline.goto(&mut machine, Moment(moment)));
            // Something that surely was not done then.
            timeline.apply(&mut machine, Event::Poke { address: 0x600, data: 0xA5 }).unwrap();
            live(&mut timeline, &mut machine, script);
            prop_assert!(timeline.is_live());
            lives.push((timeline.branch(), machine.clone(), timeline.newest()));
        }
        prop_assert_eq!(timeline.branches().count(), 2);
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            for i in order {
                let (id, last, newest) = &lives[i];
                prop_assert!(timeline.switch(&mut machine, *id, *newest));
                assert_same(&machine, last, &format!("branch {i}"));
                prop_assert_eq!(timeline.branch(), *id);
                prop_assert_eq!(timeline.newest(), *newest);
            }
        }
    }

    #[test]
    fn a_recording_plays_as_it_was(kind in 0..4u8, script in script(20)) {
        let (model, tv) = model(kind);
        let mut machine = Machine::new(&config(model, tv)).unwrap();
        let mut timeline = Timeline::new(&machine, Limits::default());
        live(&mut timeline, &mut machine, &script);
        let recording = timeline.recording().unwrap();
        let file = recording.to_bytes().unwrap();
        let read = Recording::parse(&file, &[], &[]).unwrap();
        prop_assert_eq!(&read, &recording);
        prop_assert_eq!(&read.to_bytes().unwrap(), &file);
        let (mut playing, mut again) = Timeline::play(read, Limits::default()).unwrap();
        let end = playing.newest();
        prop_assert_eq!(playing.forward(&mut again, end, &mut NoProbe), Forward::Done);
        assert_same(&again, &machine, "the end");
        prop_assert!(playing.is_live());
    }
}
