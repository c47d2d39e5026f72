//! The stores found without running again are true, and reach over all that was run, whatever was done in between.
use machine::{Config, Machine, Model, Probe, Rom, Tv};
use proptest::prelude::*;
use session::Track;
use session::timeline::{Event, Limits, Moment};

const FRAME: u64 = 262 * 114;
const SECOND: u64 = 60 * FRAME;

/// A machine that is switched on.
fn begun() -> Track {
    let machine = Machine::new(&Config {
        model: Model::Xl800,
        tv: Tv::Ntsc,
        os: Rom::own(roms::OS_XL),
        basic: Some(Rom::own(roms::BASIC)),
        cartridge: None,
        second: None,
        seed: 5,
        extras: machine::Extras::default(),
    })
    .unwrap();
    Track::new(machine, Limits::debugger())
}

fn run(track: &mut Track, cycles: u64) {
    let until = Moment(track.moment().0 + cycles);
    while track.moment() < until {
        track.run(track.frame_end().min(until), &mut machine::NoProbe);
    }
}

/// Stores to an address.
struct Stores {
    address: u16,
    found: Vec<u64>,
}

impl Probe for Stores {
    const ACTIVE: bool = false;
    const WRITES: bool = true;

    fn written(&mut self, now: u64, address: u16, _: u8) {
        if address == self.address {
            self.found.push(now);
        }
    }
}

/// True if an address was stored to in this time, by running it again.
fn stored(track: &Track, address: u16, from: Moment, until: Moment) -> bool {
    let timeline = track.timeline();
    let mut visit = timeline.visit(from).unwrap().without_pictures();
    let mut stores = Stores {
        address,
        found: Vec::new(),
    };
    visit.run_up_to(timeline, until, &mut stores);
    stores
        .found
        .iter()
        .any(|now| (from..until).contains(&visit.moment_at(*now)))
}

fn since(track: &Track, before: Moment, address: u16) -> Moment {
    let page = (address >> 8) as u8;
    track
        .timeline()
        .untouched_since(before, &(page..=page), &|a| a == address)
}

fn until(track: &Track, after: Moment, address: u16) -> Moment {
    let page = (address >> 8) as u8;
    track
        .timeline()
        .untouched_until(after, &(page..=page), &|a| a == address)
}

#[derive(Clone, Debug)]
enum Act {
    Run(u64),
    Poke(u16),
    Back(f64),
    Switch(usize),
    Replay(u64),
    Stick(u8),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        6 => (0..2 * SECOND).prop_map(Act::Run),
        1 => (0x600..0x604u16).prop_map(Act::Poke),
        3 => (0.0..1.0f64).prop_map(Act::Back),
        1 => (0..4usize).prop_map(Act::Switch),
        2 => (0..2 * SECOND).prop_map(Act::Replay),
        1 => any::<u8>().prop_map(Act::Stick),
    ]
}

fn perform(track: &mut Track, act: &Act) {
    match act {
        Act::Run(cycles) => run(track, *cycles),
        Act::Poke(address) => track
            .apply(Event::Poke {
                address: *address,
                data: 1,
            })
            .unwrap(),
        Act::Back(part) => {
            let (oldest, newest) = (track.oldest().0, track.timeline().newest().0);
            let moment = oldest + ((newest - oldest) as f64 * part) as u64;
            assert!(track.go_to(Moment(moment)));
        }
        Act::Switch(number) => {
            let branch = track.timeline().branches().nth(*number).map(|b| b.id);
            if let Some(id) = branch {
                assert!(track.switch(id));
            }
        }
        Act::Replay(cycles) => {
            let until = Moment((track.moment().0 + cycles).min(track.timeline().newest().0));
            let _ = track.replay(until, &mut machine::NoProbe);
        }
        Act::Stick(value) => {
            let mut input = track.machine().input;
            input.joystick(0).trigger = value & 1 != 0;
            input.paddles[0] = *value;
            track.apply(Event::Controls(input)).unwrap();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn time_that_is_passed_over_has_no_such_store(
        acts in prop::collection::vec(act(), 1..20),
        places in prop::collection::vec((0.0..1.0f64, prop_oneof![Just(0x14u16), Just(0x600), Just(0x601), 0x80..0x100u16, 0x100..0x200u16, any::<u16>()]), 6),
    ) {
        let mut track = begun();
        run(&mut track, SECOND);
        for act in &acts {
            perform(&mut track, act);
        }
        let (oldest, newest) = (track.oldest().0, track.timeline().newest().0);
        for (place, address) in places {
            let at = Moment(oldest + ((newest - oldest) as f64 * place) as u64);
            let from = since(&track, at, address).max(Moment(oldest));
            prop_assert!(from <= at);
            if from < at {
                prop_assert!(!stored(&track, address, from, at), "{address:04X} from {from:?} to {at:?}");
            }
            let end = until(&track, at, address);
            prop_assert!(end >= at);
            if at < end {
                prop_assert!(!stored(&track, address, at, end), "{address:04X} from {at:?} to {end:?}");
            }
        }
    }
}

#[test]
fn all_that_was_run_is_known() {
    // No chip is there.
    const NEVER: u16 = 0xD700;
    let mut track = begun();
    run(&mut track, 10 * SECOND);
    // What was noted last becomes known when the cursor leaves it.
    let end = track.moment();
    assert!(track.go_to(Moment(4 * SECOND + 77)));
    assert_eq!(since(&track, end, NEVER), Moment(0));
    assert_eq!(until(&track, Moment(0), NEVER), end);
    // The clock is stored to in each frame.
    assert!(end.0 - since(&track, end, 0x14).0 < FRAME);
    // The memory test is over.
    let tested = since(&track, end, 0x8000);
    assert!((SECOND / 10..4 * SECOND).contains(&tested.0), "{tested:?}");
    // Another future, and the first one again.
    let left = track.timeline().branch();
    track
        .apply(Event::Poke {
            address: 0x600,
            data: 1,
        })
        .unwrap();
    let poked = track.moment();
    run(&mut track, 3 * SECOND);
    let end = track.moment();
    let there = track.timeline().branch();
    assert!(track.switch(left));
    assert_eq!(since(&track, track.timeline().newest(), NEVER), Moment(0));
    assert!(track.switch(there));
    assert_eq!(since(&track, end, NEVER), Moment(poked.0 + 1));
}

#[test]
fn nothing_is_noted_unless_it_is_asked_for() {
    let track = begun();
    let limits = Limits {
        stores: false,
        ..Limits::debugger()
    };
    let mut track = Track::new(track.machine().clone(), limits);
    run(&mut track, 3 * SECOND);
    let end = track.moment();
    assert_eq!(since(&track, end, 0x4321), end);
}
