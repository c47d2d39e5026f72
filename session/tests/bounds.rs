//! A timeline stays within its bytes, counts them truly, and says how far back it reaches.
use machine::{Config, Machine, Model, NoProbe, Rom, Tv};
use media::atr::Disk;
use session::timeline::{Event, Forward, Limits, Moment, Recording, RecordingError, Timeline};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts the bytes in use by each thread. A test runs in one thread, so tests beside it in the same process do not count.
struct Counting;

thread_local! {
    static IN_USE: Cell<isize> = const { Cell::new(0) };
}

/// Bytes in use that this thread has allocated.
fn in_use() -> isize {
    IN_USE.get()
}

// SAFETY: everything is handed to the system's allocator.
#[expect(unsafe_code, reason = "an allocator is the only way to count")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.set(IN_USE.get() + layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.set(IN_USE.get() - layout.size() as isize);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const FRAME: u64 = 29_868;

/// A program that fills D1: with changing sectors through SIO, for ever.
fn writer() -> Machine {
    const WRITER: &[u8] = b"10 DIM A$(128),B$(24):A$=\"A\":A$(128)=A$:A$(2)=A$\n\
20 FOR I=1536 TO 1540:READ B:POKE I,B:NEXT I:DATA 104,76,89,228,96\n\
30 S=4:N=0\n\
40 POKE 768,49:POKE 769,1:POKE 770,80:POKE 771,128:A=ADR(A$):POKE 773,INT(A/256):POKE 772,A-256*PEEK(773)\n\
50 POKE 774,7:POKE 776,128:POKE 777,0:POKE 779,INT(S/256):POKE 778,S-256*PEEK(779)\n\
60 N=N+1:IF N>255 THEN N=0\n\
70 A$(1,1)=CHR$(N):X=USR(1536):S=S+300:IF S>65000 THEN S=S-64990\n\
80 GOTO 40\n";
    let mut machine = Machine::new(&Config {
        model: Model::Xl800,
        tv: Tv::Ntsc,
        os: Rom::own(roms::OS_XL),
        basic: Some(Rom::own(roms::BASIC)),
        cartridge: None,
        second: None,
        seed: 0,
        extras: machine::Extras::default(),
    })
    .unwrap();
    machine.set_fast_drives(true);
    for _ in 0..250 {
        machine.run_frame();
    }
    let program = media::basic::Program::tokenize(WRITER).unwrap();
    machine.load_basic(&program).unwrap();
    let mut typist = session_types("RUN\n");
    for _ in 0..120 {
        if let Some(key) = typist.next() {
            machine.input.key = key;
        }
        machine.run_frame();
    }
    machine
}

/// Keys held for some frames, and released.
fn session_types(text: &str) -> impl Iterator<Item = Option<u8>> {
    let keys: Vec<u8> = text
        .chars()
        .map(|letter| match letter {
            'R' => 0x28,
            'U' => 0x0B,
            'N' => 0x23,
            _ => 0x0C,
        })
        .collect();
    keys.into_iter()
        .flat_map(|key| std::iter::repeat_n(Some(key), 5).chain(std::iter::repeat_n(None, 5)))
        .chain([None])
}

/// The largest disk, full of something.
fn large() -> Disk {
    let mut disk = Disk::with_geometry(65_535, 128);
    for sector in 1..=65_535usize {
        disk.write_sector(sector, &sector.to_le_bytes().repeat(16));
    }
    disk
}

fn run(timeline: &mut Timeline, machine: &mut Machine, frames: u32) {
    for _ in 0..frames {
        machine.run_frame();
        machine.take_sound(&mut Vec::new());
        timeline.frame(machine);
    }
}

#[test]
fn bytes_are_bounded_counted_and_given_back() {
    let mut machine = writer();
    machine.insert_disk(0, large());
    let limits = Limits {
        bytes: 6 << 20,
        frames: 200,
        copies: 2,
        ..Limits::default()
    };
    let before = in_use();
    let mut timeline = Timeline::new(&machine, limits);
    let mut random = 1u64;
    for round in 0..12 {
        run(&mut timeline, &mut machine, 300);
        if round % 3 == 2 {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            let (oldest, newest) = (timeline.oldest().0, timeline.newest().0);
            let moment = Moment(oldest + (random >> 8) % (newest - oldest));
            assert!(timeline.goto(&mut machine, moment));
            let poke = Event::Poke {
                address: 0x06FF,
                data: round,
            };
            timeline.apply(&mut machine, poke).unwrap();
        }
        let counted = timeline.bytes();
        assert!(counted <= limits.bytes, "round {round}: {counted}");
        // The machine's own part: pages that it has written since, and which the timeline does not hold any more.
        let used = (in_use() - before) as usize;
        println!(
            "round {round}: {counted} counted, {used} used, from {:?}",
            timeline.oldest()
        );
        assert!(
            used < counted + counted / 4 + (1 << 20) && counted < used + used / 4 + (1 << 20),
            "round {round}: {counted} bytes counted, {used} used"
        );
    }
    // Branches go first. Without any, the oldest moment moves up.
    let small = Limits {
        bytes: 1_700_000,
        ..Limits::default()
    };
    timeline.set_limits(small);
    for _ in 0..8 {
        run(&mut timeline, &mut machine, 300);
        assert!(timeline.bytes() <= small.bytes, "{}", timeline.bytes());
    }
    assert_eq!(timeline.branches().count(), 0);
    println!("{} counted, from {:?}", timeline.bytes(), timeline.oldest());
    assert!(timeline.oldest() > Moment(600 * FRAME));
    assert!(
        timeline
            .machine_at(Moment(timeline.oldest().0 - 1))
            .is_none()
    );
    let reached = timeline.machine_at(timeline.oldest()).unwrap();
    let mut reached_later = timeline.visit(timeline.oldest()).unwrap();
    reached_later.run(&timeline, timeline.newest(), &mut NoProbe);
    assert!(timeline.is_live());
    assert_eq!(
        reached_later.into_machine().state_hash(),
        machine.state_hash()
    );
    drop(reached);
    drop(timeline);
    drop(machine);
    let left = in_use() - before;
    assert!(left < 1 << 20, "{left} bytes are left");
}

#[test]
fn old_keyframes_thin_out_and_every_moment_is_still_reached() {
    let mut machine = writer();
    machine.insert_disk(0, Disk::with_geometry(720, 128));
    let limits = Limits {
        dense: 60,
        ..Limits::default()
    };
    let mut timeline = Timeline::new(&machine, limits);
    run(&mut timeline, &mut machine, 777);
    let at = timeline.newest();
    let then = machine.clone();
    run(&mut timeline, &mut machine, 4 * 3600 - 777);
    let past = timeline.machine_at(at).unwrap();
    assert_eq!(past.state_hash(), then.state_hash());
    assert_eq!(past.frame().pixels(), then.frame().pixels());
    // A minute of them, and three minutes of one in eight.
    let pieces = timeline.pieces_before(timeline.newest()).count();
    assert!((60 + 20..60 + 25).contains(&pieces), "{pieces} pieces");
    let starts: Vec<_> = timeline
        .pieces_before(timeline.newest())
        .map(|piece| (piece.start(), piece.end()))
        .collect();
    assert!(starts.windows(2).all(|pair| pair[1].1 == pair[0].0));
    assert_eq!(starts.last().map(|last| last.0), Some(Moment(0)));
}

#[test]
fn hostile_recordings_are_refused_in_one_sentence() {
    let mut machine = writer();
    let mut timeline = Timeline::new(&machine, Limits::default());
    run(&mut timeline, &mut machine, 130);
    let disk = Event::InsertDisk {
        drive: 0,
        disk: Box::new(Disk::with_geometry(720, 128)),
    };
    timeline.apply(&mut machine, disk).unwrap();
    run(&mut timeline, &mut machine, 10);
    let file = timeline.recording().unwrap().to_bytes().unwrap();
    assert!(Recording::parse(&file, &[], &[]).is_ok());
    assert_eq!(
        Recording::parse(b"PNG", &[], &[]),
        Err(RecordingError::Foreign)
    );
    for length in (0..file.len()).step_by(97) {
        let error = Recording::parse(&file[..length], &[], &[]).unwrap_err();
        assert!(!error.to_string().contains('\n'));
    }
    let mut random = 7u64;
    let mut next = || {
        random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        random >> 33
    };
    let mut played = 0;
    for _ in 0..200 {
        let mut forged = file.clone();
        for _ in 0..=next() % 4 {
            let at = 10 + next() as usize % (forged.len() - 14);
            forged[at] = next() as u8;
        }
        assert!(matches!(
            Recording::parse(&forged, &[], &[]),
            Err(_) | Ok(_)
        ));
        let body = forged.len() - 4;
        let sum = machine::codec::crc32(&forged[..body]);
        forged[body..].copy_from_slice(&sum.to_le_bytes());
        let before = in_use();
        if let Ok(recording) = Recording::parse(&forged, &[], &[])
            && let Ok((mut timeline, mut machine)) = Timeline::play(recording, Limits::default())
        {
            played += 1;
            let end = Moment(timeline.newest().0.min(FRAME * 200));
            while timeline.cursor().moment < end {
                if timeline.forward(&mut machine, end, &mut NoProbe) == Forward::Done {
                    break;
                }
            }
        }
        assert!(in_use() - before < 300 << 20);
    }
    println!("{played} of 200 forged recordings could be played");
}

#[test]
fn a_recording_with_a_foreign_rom_asks_for_it() {
    let mut os = roms::OS_XL.to_vec();
    // A byte of a text.
    os[0x10] ^= 1;
    let config = Config {
        model: Model::Xl800,
        tv: Tv::Ntsc,
        os: Rom::foreign(&os),
        basic: None,
        cartridge: None,
        second: None,
        seed: 0,
        extras: machine::Extras::default(),
    };
    let machine = Machine::new(&config).unwrap();
    let file = Timeline::new(&machine, Limits::default())
        .recording()
        .unwrap()
        .to_bytes()
        .unwrap();
    let error = Recording::parse(&file, &[], &[]).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("needs the OS ROM of 16384 bytes"),
        "{error}"
    );
    assert_eq!(Recording::needs(&file).unwrap()[0].hash, config.os.hash());
    let found = Recording::parse(&file, std::slice::from_ref(&config.os), &[]);
    assert_eq!(found.unwrap().config(), &config);
}
