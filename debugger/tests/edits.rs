//! Edits within a frame: every view of that frame is of the machine as it ran with them.

mod common;
#[path = "common/program.rs"]
mod program;

use debugger::{
    Debugger, DliTimeline, FrameLog, Kind, Limits, Moment, Recorder, Step, Track, execute,
};
use machine::Machine;
use session::timeline::{Event, Register};

/// Counts in $80; an interrupt in line 31 stores $90 plus X into COLBK, one in line 39 the next.
const TEXT: &str = "START: SEI
    CLD
    LDX #$FF
    TXS
    LDA #lo(LIST)
    STA DLISTL
    LDA #hi(LIST)
    STA DLISTH
    LDA #$22
    STA DMACTL
    LDA #$C0
    STA NMIEN
    LOOP: INC $80
    LDX $80
    INY
    STX $3000
    JMP LOOP
    NMI: BIT NMIST
    BPL VBI
    PHA
    TXA
    CLC
    ADC $90
    STA WSYNC
    STA COLBK
    PLA
    RTI
    VBI: PHA
    PLA
    RTI
    .ORG $F000
    LIST: .BYTE $70,$70,$F0,$4D,$00,$30,$8D,$0D,$0D,$0D,$41
    .WORD LIST
    ";

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
}

/// An edit as the user types it, and as it is done to a machine.
fn edit(random: &mut Random) -> (String, Event) {
    let data = random.below(256) as u8;
    let address = match random.below(8) {
        0 => {
            let (name, register) = [
                ("a", Register::A),
                ("x", Register::X),
                ("y", Register::Y),
                ("p", Register::P),
            ][random.below(4) as usize];
            let value = data.into();
            let event = Event::LoadRegister { register, value };
            return (format!("set {name} ${data:02X}"), event);
        }
        // COLBK, COLPF0, HPOSP0, GRAFP0, PRIOR.
        1 => [0xD01A, 0xD016, 0xD000, 0xD00D, 0xD01B][random.below(5) as usize],
        // DMACTL, CHACTL, HSCROL, NMIEN.
        2 => [0xD400, 0xD401, 0xD404, 0xD40E][random.below(4) as usize],
        3 => 0x0080,
        4 => 0x0090,
        _ => 0x3000 + random.below(100) as u16,
    };
    let event = Event::poke(address, data);
    (format!("poke ${address:04X} {data:02X}"), event)
}

/// The machine after a frame in which these edits are done to it, and the frame's events.
fn plain(start: &Machine, edits: &[(u64, Event)]) -> (Machine, FrameLog) {
    let mut machine = start.clone();
    let mut recorder = Recorder::new(&machine);
    for (cycle, event) in edits {
        let cycles = start.now() + cycle - machine.now();
        machine.run_cycles_with(cycles, &mut recorder);
        event.apply(&mut machine).unwrap();
    }
    machine.run_frame_with(&mut recorder);
    let log = recorder.finish(&machine);
    (machine, log)
}

#[test]
fn views_of_a_frame_are_of_the_machine_that_was_edited_in_it() {
    let (machine, _) = program::machine(TEXT, 4);
    let mut track = Track::new(machine, Limits::debugger());
    let mut debugger = Debugger::default();
    let mut random = Random(0x5EED);
    for round in 0..150 {
        assert!(track.at_frame_start());
        let start = track.machine().clone();
        let mut cycles: Vec<u64> = (0..=random.below(3))
            .map(|_| 1 + random.below(262 * 114 - 1))
            .collect();
        cycles.sort_unstable();
        cycles.dedup();
        let mut edits = Vec::new();
        for &cycle in &cycles {
            let (line, event) = edit(&mut random);
            let done = track.machine().now() - start.now();
            debugger.run(&mut track, cycle - done);
            execute(&mut debugger, &mut track, &line).unwrap();
            edits.push((cycle, event));
        }
        debugger.step(&mut track, Step::Frame);
        let (after, expected) = plain(&start, &edits);
        let name = format!("round {round}: {edits:?}");
        assert_eq!(track.machine().now(), after.now(), "{name}");
        assert!(track.machine().frame() == after.frame(), "{name}");
        assert!(track.machine().cpu == after.cpu, "{name}");

        // The map.
        let log = debugger.frame_log(&track).unwrap();
        let ran: Vec<_> = log.events.iter().filter(|e| e.kind != Kind::Edit).collect();
        assert!(ran.into_iter().eq(expected.events.iter()), "{name}");
        assert!(log.owners == expected.owners, "{name}");
        assert!(log.list == expected.list, "{name}");
        let edited = log.events.iter().filter(|e| e.kind == Kind::Edit);
        let wanted = edits.iter().filter_map(|(cycle, event)| match *event {
            Event::Poke { address, data } | Event::WriteRegister { address, data } => {
                Some((start.now() + cycle, address, data))
            }
            _ => None,
        });
        assert!(
            edited.map(|e| (e.now, e.address, e.data)).eq(wanted),
            "{name}"
        );

        // The interrupts.
        let dlis = debugger.dli_timeline(&track).unwrap();
        let end = expected.end();
        let expected = DliTimeline::of_log(expected, end);
        assert_eq!(dlis.dlis, expected.dlis, "{name}");

        // The causes, row by row.
        for _ in 0..4 {
            let row = random.below(100) as usize;
            let cause = debugger.cause_of_row(&track, 0, row).unwrap();
            let colours: Vec<u8> = cause.row(row).iter().flat_map(|o| o.pixels).collect();
            assert!(colours == after.frame().row(row), "{name}, row {row}");
        }
    }
    // All of it is there still: the future of any of these moments is the one that was.
    let end = track.machine().state_hash();
    assert!(track.go_to(Moment(100 * 262 * 114)));
    for _ in 100..150 {
        debugger.run_frame(&mut track);
    }
    assert_eq!(track.machine().state_hash(), end);
}

#[test]
fn cf3() {
    let (machine, labels) = program::machine(TEXT, 4);
    let mut track = Track::new(machine, Limits::debugger());
    let mut debugger = Debugger::default();
    debugger.symbols.add_hardware();
    let mut ask = |line: &str| execute(&mut debugger, &mut track, line).unwrap().lines;
    assert!(labels.contains_key("NMI"));
    ask("frame 2");
    // Before the first interrupt the background is set, and the byte that the second one adds.
    ask("beam 10 0");
    ask("poke $D01A 5A");
    ask("beam 35 0");
    ask("poke $90 21");
    ask("set x 3");
    let colour = {
        ask("dli");
        ask("beam 40 0");
        ask("why 20 31")
    };
    ask("frame");
    let map = ask("map 10").join("\n");
    assert!(map.contains("edit  COLBK = $5A"), "{map}");
    let why = ask("why 20 5").join("\n");
    assert!(
        why.contains("set to $5A in line 10 cycle 0 by the user"),
        "{why}"
    );
    let dlis = ask("dlis").join("\n");
    assert!(dlis.contains("COLBK"), "{dlis}");
    assert!(!colour.is_empty());
}
