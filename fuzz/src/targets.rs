//! The targets of fuzzing, each with inputs of our own, how they are changed, what is done with them, and texts or bytes that are repeated to
//! see how its time grows.
use crate::sums::{self, Kind};
use crate::{dap, mutate};
use debugger::{Sources, Symbols};
use fastrand::Rng;
use machine::{Config, Machine, Model, NoProbe, Rom, Tv};
use media::atr::{Blank, Disk};
use media::basic::Program as Basic;
use media::cartridge::Cartridge;
use media::cas::{Block, Tape};
use media::sap::Sap;
use media::xex::{Segment, Xex};
use session::picture::load_palette;
use session::timeline::{Event, Forward, Limits, Moment, Recording, Timeline};
use session::{Outcome, Program, Session, Setup, script};
use std::io::{Cursor, Write};

/// Something that reads foreign bytes.
pub struct Target {
    /// Its name on the command line.
    pub name: &'static str,
    /// Inputs to begin with.
    pub corpus: fn() -> Vec<Vec<u8>>,
    /// Changes an input; the other one may lend a piece.
    pub change: fn(&mut Rng, &mut Vec<u8>, &[u8]),
    /// Reads an input and does what the program does with it.
    pub run: fn(&[u8]),
    /// A beginning, and a text repeated after it.
    pub repeated: &'static [(&'static [u8], &'static [u8])],
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target {
        name: "disk",
        corpus: disks,
        change: mutate::bytes,
        run: disk,
        repeated: &[(b"\x96\x02\0\x40\x80\0\0\0\0\0\0\0\0\0\0\0", b"\0\x01\x55"), (b"\x96\x02\0\xFF\0\x01\x01\0\0\0\0\0\0\0\0\0", b"\0")],
    },
    Target {
        name: "binary",
        corpus: binaries,
        change: mutate::bytes,
        run: binary,
        repeated: &[
            (b"\xFF\xFF", b"\0\x06\0\x06\0"),
            (b"\xFF\xFF\0\x20\0\x20\x60", b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x60"),
            (b"\xFF\xFF\0\x20\0\x20\x60", b"\0"),
            (b"", b"\xFF\xFF"),
            (b"\xFF\xFF", b"\xE0\x02\xE1\x02\0\x20"),
            (b"\xFF\xFF", b"\0\x20\x05\x20\xA9\xE3\x8D\x01\xD3\x60"),
        ],
    },
    Target {
        name: "cartridge",
        corpus: cartridges,
        change: mutate::bytes,
        run: cartridge,
        repeated: &[(b"CART\0\0\0\x01", b"\xFF"), (b"", b"\x4C\0\xA0")],
    },
    Target {
        name: "cassette",
        corpus: tapes,
        change: mutate::bytes,
        run: tape,
        repeated: &[
            (b"FUJI\0\0\0\0", b"data\0\0\0\0"),
            (b"FUJI\0\0\0\0", b"baud\0\0\x58\x02"),
            (b"FUJI\0\0\0\0", b"fsk \0\0\0\0"),
            (b"FUJI\0\0\0\0", b"fsk \x04\0\0\0\xFF\xFF\xFF\xFF"),
            (b"FUJI\0\0\0\0", b"pwmd\x01\0\0\0\0"),
        ],
    },
    Target {
        name: "tune",
        corpus: tunes,
        change: mutate::bytes,
        run: tune,
        repeated: &[
            (b"SAP\r\n", b"TIME 01:00\r\n"),
            (b"SAP\r\n", b"\r\n"),
            (b"SAP\r\nTYPE R\r\n\r\n", b"\x01\x02\x03"),
            (b"SAP\nTYPE B\nINIT 2000\nPLAYER 2000\n\xFF\xFF", b"\0\x20\0\x20\x60"),
        ],
    },
    Target {
        name: "saved-basic",
        corpus: saved,
        change: mutate::bytes,
        run: save,
        repeated: &[(b"\0\0\0\x01\0\x01\x01\x01\x09\x01\xFF\xFE\xFF\xFF", b"\x0A\0\x06\x06\x15\x16")],
    },
    Target {
        name: "listing",
        corpus: listings,
        change: |random, text, other| mutate::text(random, text, other, BASIC_WORDS),
        run: listing,
        repeated: &[
            (b"", b"1\n"),
            (b"", b"1 \n"),
            (b"", b"HELLO\n"),
            (b"10 A=", b"(("),
            (b"10 A=", b"-"),
            (b"10 A=", b"1+"),
            (b"10 ", b"?:"),
            (b"10 ", b" "),
            (b"10 REM ", b"x"),
            (b"10 DATA ", b"1,"),
            (b"10 A$=\"", b"x"),
            (b"", b"9"),
            (b"", b"\x9B"),
            (b"", b"\r\n"),
            (b"", b"10 PRINT 1\n"),
            (b"10 A=", b"B1C2+"),
        ],
    },
    Target {
        name: "program",
        corpus: || [disks(), binaries(), cartridges(), tapes(), saved(), listings()].concat(),
        change: mutate::bytes,
        run: program,
        repeated: &[(b"", b"\n"), (b"", b" "), (b"\xFF\xFF", b"\0\x20\0\x20\x60"), (b"", b"\0")],
    },
    Target {
        name: "start",
        corpus: || [disks(), binaries(), cartridges(), tapes(), saved(), listings(), tunes()].concat(),
        change: mutate::bytes,
        run: start,
        repeated: &[(b"\xFF\xFF", b"\0\x20\0\x20\x60")],
    },
    Target {
        name: "state",
        corpus: states,
        change: |random, file, other| sums::change(Kind::State, random, file, other),
        run: state,
        repeated: &[(b"ANTICLK\x1A\x01\0\0\0", b"AAAA\x01\0\0\0\0\0\0\0\0\0\0")],
    },
    Target {
        name: "recording",
        corpus: recordings,
        change: |random, file, other| sums::change(Kind::Recording, random, file, other),
        run: recording,
        repeated: &[(b"ANTIREC\x1A\x01\0", b"EVNT\0\0\0\0\0\0\0\0")],
    },
    Target {
        name: "link",
        corpus: links,
        change: |random, file, other| sums::change(Kind::Recording, random, file, other),
        run: link,
        repeated: &[(b"ANTILOO\x1A\x01\0", b"EVNT\0\0\0\0\0\0\0\0"), (b"", b"machine=800xl&")],
    },
    Target {
        name: "archive",
        corpus: archives,
        change: archive_change,
        run: archive,
        repeated: &[(b"\x1F\x8B\x08\0\0\0\0\0\0\x03", b"\0"), (b"PK\x03\x04", b"PK\x01\x02\0\0\0\0\0\0")],
    },
    Target {
        name: "script",
        corpus: || vec![SCRIPT.into()],
        change: |random, text, other| mutate::text(random, text, other, SCRIPT_WORDS),
        run: scripts,
        repeated: &[(b"", b"0 reset\n"), (b"0 type ", b"{a*1000}"), (b"0 type {", b"a"), (b"", b"#"), (b"0 type ", b"\\n")],
    },
    Target {
        name: "symbols",
        corpus: || vec![DBG.into(), LISTING_OF_MADS.into(), LABELS.into(), LABELS_OF_MADS.into()],
        change: |random, text, other| mutate::text(random, text, other, SYMBOL_WORDS),
        run: symbols,
        repeated: &[
            (b"", b"al 002000 .x\n"),
            (b"", b"x = $20\n"),
            (b"Source: a\n", b" 999999 2000 00\n"),
            (b"", b"Source: a\n"),
            (b"version\tmajor=2\nfile\tid=0,name=\"a\"\nseg\tid=0,start=0x1000\nspan\tid=0,seg=0,start=0,size=60000\n", b"line\tfile=0,line=1,span=0+0+0\n"),
            (b"version\tmajor=2\n", b"file\tid=1,name=\"a\"\nline\tfile=1,line=1\n"),
            (b"version\tmajor=2\n", b"a=,"),
        ],
    },
    Target {
        name: "configuration",
        corpus: || vec![CONFIGURATION.into()],
        change: |random, text, other| mutate::text(random, text, other, CONFIGURATION_WORDS),
        run: configuration,
        repeated: &[(b"a = ", b"["), (b"", b"a."), (b"", b"[keys]\n"), (b"a = \"", b"x"), (b"", b"#\n"), (b"x = ", b"{a=")],
    },
    Target {
        name: "palette",
        corpus: || vec![vec![7; 768], palette_text()],
        change: mutate::bytes,
        run: palette,
        repeated: &[(b"JASC-PAL\n0100\n256\n", b"1 2 3\n"), (b"JASC-PAL\n0100\n256\n", b"1 "), (b"JASC-PAL\n", b"\n")],
    },
    Target {
        name: "dap",
        corpus: dap::conversations,
        change: |random, text, other| mutate::text(random, text, other, dap::WORDS),
        run: dap::conversation,
        repeated: &[(b"", b"{}\n"), (b"", b"["), (b"{\"type\":\"request\",\"command\":\"", b"x")],
    },
    Target {
        name: "commands",
        corpus: dap::commands,
        change: |random, text, other| mutate::text(random, text, other, dap::COMMANDS),
        run: dap::run_commands,
        repeated: &[(b"print ", b"1+"), (b"print ", b"("), (b"print ", b"-"), (b"find ", b"00 "), (b"poke $600 ", b"1 "), (b"break 600 if ", b"!"), (b"label ", b"x")],
    },
];

const BASIC_WORDS: &[&str] = &[
    "PRINT",
    "?",
    "REM",
    "DATA",
    "FOR",
    "TO",
    "STEP",
    "NEXT",
    "GOTO",
    "GOSUB",
    "IF",
    "THEN",
    "DIM",
    "A$(",
    "A",
    "(",
    ")",
    "\"",
    ",",
    ";",
    ":",
    "+",
    "^",
    "NOT",
    "AND",
    "<>",
    "STR$(",
    "USR(",
    "1E97",
    "9.99999999E97",
    ".",
    "-",
    "\n",
    "\r\n",
    "ON",
    "XIO",
    "#",
    "LIST",
    "P.",
    "\u{9B}",
];
const SCRIPT: &str = "# A script.\n0 type PRINT 1\\n{wait 20}{ctrl-a*3}\n+5 key space\n10 joystick 1 up press\n+3 joystick 1 release\n20 start\n30 screenshot a.png\n40 expect-text READY\n+1 wait-text READY\n50 reset\n60 break press\n";
const SCRIPT_WORDS: &[&str] = &[
    "type",
    "key",
    "joystick",
    "start",
    "reset",
    "+",
    "press",
    "release",
    "{",
    "}",
    "*",
    "\\",
    "wait-text",
    "\u{E9}",
    "\u{0}",
];
const DBG: &str = "version\tmajor=2,minor=0\nfile\tid=0,name=\"hello.s\",size=365,mtime=0x6B03408E,mod=0\nline\tid=1,file=0,line=11,span=2+3\nline\tid=3,file=0,line=14,type=1,span=2\nseg\tid=0,name=\"CODE\",start=0x002000,size=0x0010,addrsize=absolute,type=rw\nspan\tid=2,seg=0,start=2,size=3\nspan\tid=3,seg=0,start=5,size=3\nsym\tid=0,name=\"paint\",addrsize=absolute,size=3,scope=0,val=0x200B,seg=0,type=lab\nscope\tid=0,name=\"\",mod=0\n";
const LISTING_OF_MADS: &str = "mads 2.1.0\nSource: hello.asm\n     1 \t\t\t\torg $2000\n     2 FFFF> 2000-200F> A2 00\tstart\tldx #0\n     3 2002 8D 0A D4\t\tsta $D40A\nSource: more.asm\n     1 2005 60\t\trts\n     4 2006 EA\t\tnop\nLabel table:\n00\t2000\tSTART\n";
const LABELS: &str = "; ours\n2000 start\nal 002005 .paint\nCOLBK = $D01A\n# end\n";
const LABELS_OF_MADS: &str = "mads 2.1.0\nLabel table:\n00\t2000\tSTART\n01\tFFFF2005\tPAINT\n";
const SYMBOL_WORDS: &[&str] = &[
    "file",
    "line",
    "span",
    "seg",
    "sym",
    "id=",
    "name=",
    "\t",
    ",",
    "+",
    "0x",
    "\"",
    "Source: ",
    "Label table:",
    "al ",
    ".",
    "$",
    "=",
    ">",
    "-",
    "2000",
];
const CONFIGURATION: &str = "loudness = 80\nscale = 3\nturbo = 4\npalette = \"x.pal\"\n[picture]\nsaturation = 1.0\n[keys]\nreset = \"F5\"\nstart = [\"F2\", \"Home\"]\n";
const CONFIGURATION_WORDS: &[&str] = &[
    "[",
    "]",
    "{",
    "}",
    "=",
    "\"",
    ".",
    "'",
    "keys",
    "picture",
    "nan",
    "inf",
    "-inf",
    "true",
    "1979-05-27",
    "\\u",
    "\n",
    "\"\"\"",
];

fn config(model: Model) -> Config {
    Config {
        model,
        tv: Tv::Ntsc,
        os: Rom::own(if model.is_xl() {
            roms::OS_XL
        } else {
            roms::OS_800
        }),
        basic: Some(Rom::own(roms::BASIC)),
        cartridge: None,
        second: None,
        seed: 0,
        extras: machine::Extras::default(),
    }
}

fn machine(model: Model) -> Machine {
    let Ok(machine) = Machine::new(&config(model)) else {
        unreachable!("our ROMs make a machine");
    };
    machine
}

fn disks() -> Vec<Vec<u8>> {
    let mut small = Disk::with_geometry(20, 256);
    small.write_sector(4, &[7; 256]);
    vec![
        Disk::with_geometry(16, 128).to_bytes(),
        small.to_bytes(),
        Disk::with_geometry(5, 512).to_bytes(),
        Disk::blank(Blank::Single).to_bytes(),
    ]
}

fn disk(bytes: &[u8]) {
    let raw = Disk::atr_of_raw(bytes);
    for file in [Some(bytes), raw.as_deref()].into_iter().flatten() {
        let Ok(mut disk) = Disk::parse(file) else {
            continue;
        };
        assert!(disk.to_bytes() == file || disk.to_bytes().len() >= file.len());
        for number in [0, 1, 3, 4, disk.sectors(), disk.sectors() + 1] {
            let length = disk.sector(number).map(<[u8]>::len);
            let written = disk.write_sector(number, &[0xA5; 512]);
            assert!(!written || length == Some(disk.size_of(number)));
        }
        assert_eq!(disk.identity(), media::Identity::of(&disk.to_bytes()));
        assert!(Disk::parse(&disk.to_bytes()).is_ok());
    }
}

fn binaries() -> Vec<Vec<u8>> {
    let segment = |start, data: &[u8]| Segment {
        start,
        data: data.to_vec(),
    };
    let all = [
        vec![segment(0x2000, &[0x60])],
        vec![
            segment(0x2000, &[0xA9, 0, 0x8D, 1, 0xD3, 0x60]),
            segment(0x2E2, &[0, 0x20]),
            segment(0x4000, &[1; 300]),
            segment(0x2E0, &[0, 0x20]),
        ],
    ];
    all.map(|segments| {
        Xex {
            segments,
            flaw: None,
        }
        .to_bytes()
    })
    .to_vec()
}

fn binary(bytes: &[u8]) {
    if let Ok(xex) = Xex::parse(bytes) {
        let _ = (xex.boot(), xex.run_address(), xex.to_bytes());
    }
    program(bytes);
}

fn cartridges() -> Vec<Vec<u8>> {
    let rom: Vec<u8> = (0..0x2000).map(|n| (n % 251) as u8).collect();
    let plain = Cartridge::from_rom(&rom).ok();
    let car = plain.and_then(|cartridge| cartridge.to_car());
    [Some(rom), car].into_iter().flatten().collect()
}

fn cartridge(bytes: &[u8]) {
    let parsed = [Cartridge::parse(bytes), Cartridge::parse_car(bytes)];
    for cartridge in parsed.into_iter().flatten() {
        let _ = (cartridge.to_car(), cartridge.flaw(bytes));
    }
    let number = bytes.first().copied().unwrap_or(0).into();
    let _ = Cartridge::from_rom_of_type(bytes, number);
}

fn tapes() -> Vec<Vec<u8>> {
    let data = |gap, bytes: &[u8]| Block::Data {
        gap,
        baud: 600,
        bytes: bytes.to_vec(),
    };
    let tape = Tape {
        description: b"side A".to_vec(),
        blocks: vec![
            data(20_000, &[0x55; 132]),
            Block::Fsk {
                gap: 1,
                pulses: vec![5, 1000, 17, 17],
            },
            Block::Other {
                tag: *b"pwms",
                aux: 6,
                bytes: vec![1, 2],
            },
            data(250, &[0x55, 0x55, 0xFC, 0, 0, 1]),
        ],
    };
    vec![tape.to_bytes(), Tape::default().to_bytes()]
}

fn tape(bytes: &[u8]) {
    let Ok(tape) = Tape::parse(bytes) else {
        return;
    };
    let _ = (tape.load(), tape.memory());
    let again = Tape::parse(&tape.to_bytes());
    assert_eq!(again.map(|tape| tape.blocks), Ok(tape.blocks));
}

fn tunes() -> Vec<Vec<u8>> {
    let routine = b"SAP\r\nNAME \"A\"\r\nTYPE B\r\nINIT 2000\r\nPLAYER 2001\r\nSONGS 2\r\nTIME 01:02.5\r\n\xFF\xFF\0\x20\x01\x20\x60\x60";
    let dump = b"SAP\nTYPE R\nSTEREO\nNTSC\n\nabcdefghijklmnopqrabcdefghijklmnopqs";
    vec![routine.to_vec(), dump.to_vec()]
}

fn tune(bytes: &[u8]) {
    match Sap::parse(bytes).and_then(|sap| sap.program(roms::SAP_PLAYER)) {
        Ok(program) => assert!(program.run_address().is_some()),
        Err(error) => assert_short(&error),
    }
}

const LISTING: &[u8] = b"10 DIM A$(20),B(2):A$=\"HELLO\"\n20 FOR I=1 TO 3 STEP 2:PRINT A$;\" \",I*1.5E3\n30 NEXT I:IF I>2 THEN GOSUB 100\n40 DATA 1,TWO,-3\n50 REM a remark\n60 ON I GOTO 10,20\n100 POKE 710,PEEK(53770):RETURN\n";

fn saved() -> Vec<Vec<u8>> {
    let program = Basic::tokenize(LISTING);
    program.iter().map(Basic::to_save).collect()
}

fn save(bytes: &[u8]) {
    if let Ok(program) = Basic::parse_save(bytes) {
        let _ = (program.list(), program.variable_names(), program.to_save());
    }
}

fn listings() -> Vec<Vec<u8>> {
    let list = Basic::tokenize(LISTING).map(|program| program.list());
    [Ok(LISTING.to_vec()), list].into_iter().flatten().collect()
}

fn listing(bytes: &[u8]) {
    match Basic::tokenize(bytes) {
        Ok(program) => {
            let list = program.list();
            let again = Basic::tokenize(&list);
            assert!(again.is_err() || again.is_ok_and(|again| again.list() == list));
        }
        Err(errors) => assert_short(&errors[0]),
    }
    let text = media::atascii::to_text(bytes);
    assert!(
        bytes.contains(&0x9B)
            || text
                .chars()
                .filter_map(media::atascii::of_char)
                .eq(bytes.iter().copied())
    );
}

/// Checks that a message is short.
fn assert_short(error: &impl std::fmt::Display) {
    let text = error.to_string();
    assert!(text.len() < 2000, "a message of {} bytes", text.len());
}

fn program(bytes: &[u8]) {
    for name in ["x", "x.xex", "x.atr", "x.rom", "x.bas", "x.lst", "x.cas"] {
        match Program::of_file(name, bytes) {
            Ok(program) => {
                let setup = Setup::for_program(program);
                let _ = (setup.needs(), setup.findings(), setup.config());
            }
            Err(error) => assert_short(&error),
        }
    }
}

/// Frames for which a program is run.
const STARTED: u32 = 100;

/// A program is run as for its picture in the library, in a thread of the window: nothing that is in a file may end it.
fn start(bytes: &[u8]) {
    let names = ["x", "x.rom", "x.lst", "x.cas"];
    let Some(program) = names
        .iter()
        .find_map(|name| Program::of_file(name, bytes).ok())
    else {
        return;
    };
    let setup = Setup {
        fast_drives: true,
        ..Setup::for_program(program)
    };
    if let Ok(mut session) = Session::new(setup) {
        for _ in 0..STARTED {
            if !matches!(session.run_frame(), Outcome::Done) {
                break;
            }
        }
    }
}

fn states() -> Vec<Vec<u8>> {
    let mut with_disk = machine(Model::Xl800);
    with_disk.insert_disk(0, Disk::with_geometry(20, 128));
    with_disk.insert_tape(Tape::default());
    with_disk.attach_host(true);
    let mut states = Vec::new();
    let all = vec![with_disk, machine(Model::Atari800), machine(Model::Xe130)];
    for mut machine in all {
        for _ in 0..30 {
            machine.run_frame();
        }
        machine.run_cycles(1234);
        states.push(machine.save_state());
    }
    states
}

fn state(bytes: &[u8]) {
    let _ = machine::state_info(bytes);
    match Machine::from_state(bytes, &[], &[]) {
        Ok(mut machine) => {
            machine.run_frame();
            let state = machine.save_state();
            assert!(Machine::from_state(&state, &[], &[]).is_ok());
        }
        Err(error) => assert_short(&error),
    }
}

/// A recording of some frames with events of several kinds, as a file.
fn recorded() -> Option<Recording> {
    let mut machine = machine(Model::Xl800);
    let mut timeline = Timeline::new(&machine, Limits::default());
    let events = [
        Event::Poke {
            address: 0x600,
            data: 1,
        },
        Event::InsertDisk {
            drive: 0,
            disk: Box::new(Disk::with_geometry(20, 128)),
        },
        Event::Reset,
        Event::PowerCycle,
        Event::EjectDisk { drive: 0 },
        Event::PressRecord(true),
    ];
    for event in events {
        for _ in 0..20 {
            machine.run_frame();
            timeline.frame(&machine);
        }
        // Each of them is possible.
        drop(timeline.apply(&mut machine, event));
    }
    timeline.recording()
}

fn recordings() -> Vec<Vec<u8>> {
    let file = recorded().and_then(|recording| recording.to_bytes().ok());
    file.into_iter().collect()
}

fn recording(bytes: &[u8]) {
    let recording = match Recording::parse(bytes, &[], &[]) {
        Ok(recording) => recording,
        Err(error) => return assert_short(&error),
    };
    let limits = Limits {
        bytes: 8 << 20,
        ..Limits::default()
    };
    let Ok((mut timeline, mut machine)) = Timeline::play(recording, limits) else {
        return;
    };
    let end = Moment(timeline.newest().0.min(60 * 29_868));
    // Each frame moves on, and ends.
    while timeline.cursor().moment < end {
        let before = timeline.cursor();
        if timeline.forward_frame(&mut machine, &mut NoProbe) != Forward::Done {
            break;
        }
        assert!(timeline.cursor() > before, "it stands at {before:?}");
    }
}

fn links() -> Vec<Vec<u8>> {
    let file = recorded().and_then(|recording| recording.to_loose_bytes().ok());
    file.into_iter()
        .chain(["machine=130xe&basic=1&tv=pal&seed=7".into()])
        .collect()
}

fn link(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Err(error) = web::Options::parse(&text) {
        assert_short(&error);
    }
    let Ok(mut emulator) = web::Emulator::new(48_000.0) else {
        unreachable!("our ROMs make a machine");
    };
    if let Err(error) = emulator.open_moment(bytes, "0123456789abcdef") {
        assert_short(&error);
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    drop(packed.write_all(bytes));
    packed.finish().unwrap_or_default()
}

fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        drop(zip.start_file(*name, zip::write::SimpleFileOptions::default()));
        drop(zip.write_all(bytes));
    }
    zip.finish().map(Cursor::into_inner).unwrap_or_default()
}

fn archives() -> Vec<Vec<u8>> {
    let xex = &binaries()[1];
    vec![
        gzip(xex),
        gzip(LISTING),
        zip(&[("a/GAME.XEX", xex), ("README.TXT", b"Hello\n")]),
        zip(&[("a.lst", LISTING), ("b.xex", xex), ("c.gz", &gzip(xex))]),
    ]
}

/// Bytes of the archive, or an archive of something changed.
fn archive_change(random: &mut Rng, bytes: &mut Vec<u8>, other: &[u8]) {
    if random.bool() {
        return mutate::bytes(random, bytes, other);
    }
    let inside = [binaries(), disks(), tapes(), listings()].concat();
    let mut inside = inside[random.usize(0..inside.len())].clone();
    mutate::bytes(random, &mut inside, other);
    *bytes = if random.bool() {
        gzip(&inside)
    } else {
        zip(&[("x", &inside)])
    };
}

fn archive(bytes: &[u8]) {
    let Ok(folder) = tempfile::tempdir() else {
        return;
    };
    for name in ["x.zip", "x.xfd.gz"] {
        let path = folder.path().join(name);
        if std::fs::write(&path, bytes).is_err() {
            return;
        }
        let _ = host::packed::programs(&path);
        match host::packed::open(&path) {
            Ok(opened) => {
                drop(Program::of_file(&opened.name, &opened.bytes));
                let _ = opened.wrapping.file(&opened.bytes);
            }
            Err(failure) => assert_short(&host::failure::plain(&failure.to_string())),
        }
    }
}

fn scripts(bytes: &[u8]) {
    match script::parse(&String::from_utf8_lossy(bytes)) {
        Ok(steps) => {
            let Ok(mut session) = Session::new(Setup::default()) else {
                unreachable!("our ROMs make a machine");
            };
            let mut player = script::Player::new(steps);
            for _ in 0..3 {
                while let Ok(Some(_)) = player.act(&mut session) {}
                session.run_frame();
            }
        }
        Err(error) => assert_short(&error),
    }
}

fn symbols(bytes: &[u8]) {
    let (mut sources, mut symbols) = (Sources::default(), Symbols::default());
    let added = sources.add_file(&String::from_utf8_lossy(bytes), &mut symbols);
    if let Err(error) = added {
        assert_short(&error);
    }
    for address in [0, 0x2000, 0xFFFF] {
        if let Some(at) = sources.line_at(address) {
            let _ = (sources.text(at), sources.name(at), sources.code_of(at));
        }
    }
}

fn configuration(bytes: &[u8]) {
    if let Err(error) = host::config::Config::parse(&String::from_utf8_lossy(bytes)) {
        assert_short(&host::failure::plain(&error));
    }
    // The table of the needs of programs.
    let program = Program::default();
    if let Err(error) = session::Needs::of(&program, &String::from_utf8_lossy(bytes)) {
        assert_short(&error);
    }
}

fn palette_text() -> Vec<u8> {
    let colours = (0..256).map(|n| format!("{n} 0 255\n"));
    let text = "JASC-PAL\n0100\n256\n".to_owned() + &colours.collect::<String>();
    text.into_bytes()
}

fn palette(bytes: &[u8]) {
    if let Err(error) = load_palette(bytes) {
        assert_short(&error);
    }
}
