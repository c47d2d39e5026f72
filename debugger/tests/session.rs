//! The debugger in a session: breakpoints while something is typed and while a recording plays.

use debugger::{Debugger, Limits, Place, Step, Stop, execute};
use machine::Joystick;
use session::{Session, Setup};

/// CH: the OS's key cell.
const CH: u16 = 0x02FC;

fn ready() -> Session {
    let setup = Setup {
        with_basic: true,
        ..Setup::default()
    };
    let mut session = Session::new(setup).unwrap();
    session.remember(Limits::debugger());
    session.watch = true;
    while !session.is_waiting() {
        session.run_frame();
    }
    session
}

#[test]
fn breakpoints_are_seen_while_something_is_typed() {
    let (mut session, mut debugger) = (ready(), Debugger::default());
    session.type_text("PRINT 6*7\n").unwrap();
    let id = debugger.breakpoints.add(Place::Write(CH..=CH));
    let mut stops = 0;
    for _ in 0..600 {
        match debugger.run_frame(&mut session) {
            Stop::Breakpoint(hit) => {
                assert_eq!((hit, session.machine().cpu.next_address()), (id, CH));
                stops += 1;
            }
            stop => assert_eq!(stop, Stop::Done),
        }
        if session.is_idle() && session.text().contains("42") {
            break;
        }
    }
    // Each key is stored by the interrupt and taken by the handler.
    assert!(stops >= 20, "{stops} stops");
    assert!(session.text().contains("42"), "{}", session.text());
}

#[test]
fn a_step_through_many_frames_types_on() {
    let (mut session, mut debugger) = (ready(), Debugger::default());
    session.type_text("POKE 1536,7\n").unwrap();
    let id = debugger.breakpoints.add(Place::Write(0x0600..=0x0600));
    let stop = debugger.run(&mut session, 600 * 262 * 114);
    assert_eq!(stop, Stop::Breakpoint(id));
    assert_eq!(session.machine().cpu.next_data(), 7);
    // And back over the time in which it was typed.
    assert!(debugger.step_back(&mut session, Step::Frame));
    assert_eq!(
        debugger.run(&mut session, 10 * 262 * 114),
        Stop::Breakpoint(id)
    );
}

#[test]
fn breakpoints_are_seen_while_a_recording_plays() {
    let mut session = ready();
    session.type_text("POKE 1536,7\n").unwrap();
    for _ in 0..200 {
        session.run_frame();
    }
    assert_eq!(session.machine().peek(0x0600), 7);
    let recording = session.recording().unwrap();
    let end = recording.newest();
    let mut played = Session::play(recording, Limits::debugger()).unwrap();
    let mut debugger = Debugger::default();
    let id = debugger.breakpoints.add(Place::Write(0x0600..=0x0600));
    let mut stops = Vec::new();
    while played.is_playing() {
        if debugger.run_frame(&mut played) == Stop::Breakpoint(id) {
            stops.push(played.machine().cpu.next_data());
        }
    }
    assert_eq!(stops.last(), Some(&7), "{stops:?}");
    assert!(played.moment() >= end);
    assert_eq!(
        played.machine().state_hash(),
        session.machine().state_hash()
    );
}

#[test]
fn what_only_waits_to_be_typed_is_not_repeated_by_an_empty_line() {
    let (mut session, mut debugger) = (ready(), Debugger::default());
    let mut moved = |line: &str| {
        let output = execute(&mut debugger, &mut session, line);
        output.unwrap().moved
    };
    assert!(!moved("type A;B"));
    assert!(moved("console start press"));
    assert!(moved("joystick 1 left"));
    // It is let go before the next frame, and START is still held.
    assert!(session.machine().input.joysticks[0].left);
    debugger.run_frame(&mut session);
    debugger.run_frame(&mut session);
    assert_eq!(session.machine().input.joysticks[0], Joystick::default());
    assert!(session.machine().input.start);
}

#[test]
fn paddles_and_pointing_devices_move_by_the_words_of_scripts() {
    let (mut session, mut debugger) = (ready(), Debugger::default());
    let mut done = |line: &str| execute(&mut debugger, &mut session, line).map(|_| ());
    done("paddle 0 100").unwrap();
    done("pointer light-pen 100 50").unwrap();
    done("pointer light-pen trigger press").unwrap();
    assert_eq!(
        done("pointer pencil 1 2").unwrap_err(),
        "expected one of light-pen, light-gun, st-mouse, amiga-mouse, trak-ball"
    );
    assert!(done("paddle 8 100").is_err());
    let input = *session.controls();
    assert_eq!(input.paddles[0], 100);
    assert!(input.pointer.is_pen() && input.pointer.button);
    assert_eq!(input.pointer, input.pointer.at_pixel(100, 50));
}
