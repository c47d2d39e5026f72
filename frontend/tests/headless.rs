//! The headless command line, as other programs use it.
mod common;

use common::{Folder, anticlock, binary, coloured, periods, tone};
use std::fmt::Write as _;
use std::process::Output;

fn run(folder: &Folder, arguments: &[&str]) -> Output {
    anticlock(&folder.0)
        .arg("headless")
        .args(arguments)
        .output()
        .unwrap()
}

fn fails(output: &Output, status: i32, sentence: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{stderr}");
    assert!(stderr.contains(sentence), "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[test]
fn a_screenshot_holds_colour_numbers() {
    let folder = Folder::new("screenshot");
    folder.file("c.xex", &coloured());
    let output = run(
        &folder,
        &["c.xex", "--frames", "400", "--screenshot", "out.png"],
    );
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let file = std::fs::File::open(folder.0.join("out.png")).unwrap();
    let mut reader = png::Decoder::new(std::io::BufReader::new(file))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (376, 240));
    assert_eq!(info.color_type, png::ColorType::Indexed);
    assert!(pixels.iter().all(|&p| p == 0x34), "{:02X}", pixels[0]);
}

#[test]
fn pictures_have_the_television_s_shape_when_asked() {
    let folder = Folder::new("shape");
    folder.file("c.xex", &coloured());
    for (tv, scale, size) in [("ntsc", "2", (645, 480)), ("pal", "1", (391, 240))] {
        let arguments = [
            "c.xex",
            "--frames",
            "400",
            "--tv",
            tv,
            "--shape",
            scale,
            "--screenshot",
            "out.png",
            "--animation",
            "film.png",
        ];
        let output = run(&folder, &arguments);
        assert!(output.status.success());
        for name in ["out.png", "film.png"] {
            let file = std::fs::File::open(folder.0.join(name)).unwrap();
            let reader = png::Decoder::new(std::io::BufReader::new(file));
            let reader = reader.read_info().unwrap();
            assert_eq!(reader.info().size(), size, "{name}");
            assert_eq!(reader.info().color_type, png::ColorType::Rgb);
        }
    }
    let output = run(
        &folder,
        &["c.xex", "--shape", "9", "--screenshot", "out.png"],
    );
    fails(&output, 2, "--shape");
}

#[test]
fn a_script_presses_keys_and_the_memory_is_written_out() {
    let folder = Folder::new("script");
    folder.file("c.xex", &coloured());
    folder.file(
        "s.txt",
        b"# a key\n300 key a press\n320 screenshot down.png\n+1 key a release\n+20 screenshot up.png\n",
    );
    let output = run(
        &folder,
        &[
            "c.xex", "--script", "s.txt", "--ram", "ram.bin", "--frames", "400",
        ],
    );
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let first = |name: &str| {
        let file = std::fs::File::open(folder.0.join(name)).unwrap();
        let mut reader = png::Decoder::new(std::io::BufReader::new(file))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        pixels[376 * 100]
    };
    assert_eq!((first("down.png"), first("up.png")), (0xC6, 0x34));
    let ram = std::fs::read(folder.0.join("ram.bin")).unwrap();
    assert_eq!(ram.len(), 0x10000);
    assert_eq!(ram[0x2000], 0x78);
}

#[test]
fn the_recorded_sound_has_the_frequency_of_the_program() {
    let folder = Folder::new("audio");
    folder.file("t.xex", &tone());
    let output = run(&folder, &["t.xex", "--frames", "600", "--audio", "t.wav"]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let wav = std::fs::read(folder.0.join("t.wav")).unwrap();
    let samples: Vec<f64> = wav[frontend::wav::HEADER..]
        .chunks_exact(2)
        .map(|b| f64::from(i16::from_le_bytes([b[0], b[1]])))
        .collect();
    // 600 frames of NTSC at 44,100 Hz.
    assert!(
        (samples.len() as f64 - 600.0 / 59.9227 * 44_100.0).abs() < 200.0,
        "{}",
        samples.len()
    );
    let periods = periods(&samples[samples.len() / 2..]);
    let wanted = 44_100.0 / common::TONE;
    for period in &periods {
        assert!(
            (period - wanted).abs() < 0.5,
            "{period} instead of {wanted}"
        );
    }
    assert!(periods.len() > 2000);
}

#[test]
fn speed_comes_last() {
    let folder = Folder::new("speed");
    folder.file("c.xex", &coloured());
    let output = run(&folder, &["c.xex", "--frames", "120", "--text", "--speed"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let last = text.lines().last().unwrap();
    assert!(
        last.starts_with("120 frames, ") && last.ends_with(" times real time"),
        "{last}"
    );
}

#[test]
fn a_state_goes_on_in_another_process_as_if_nothing_had_been() {
    let folder = Folder::new("state");
    // Counts and plays for ever: every byte and level depends on all cycles before.
    folder.file(
        "n.xex",
        &binary(&[
            0xE6, 0x80, 0xAD, 0x0A, 0xD2, 0x8D, 0x1A, 0xD0, 0x4C, 0x00, 0x20,
        ]),
    );
    for arguments in [
        &[
            "n.xex",
            "--frames",
            "500",
            "--ram",
            "a.bin",
            "--screenshot",
            "a.png",
        ][..],
        &["n.xex", "--frames", "350", "--save-state", "s.state"],
        &[
            "s.state",
            "--frames",
            "150",
            "--ram",
            "b.bin",
            "--screenshot",
            "b.png",
        ],
    ] {
        let output = run(&folder, arguments);
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let read = |name: &str| std::fs::read(folder.0.join(name)).unwrap();
    assert!(read("a.bin") == read("b.bin"), "the memory differs");
    assert!(read("a.png") == read("b.png"), "the picture differs");
    let state = read("s.state");
    folder.file("cut.state", &state[..state.len() / 2]);
    let mut damaged = state;
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    folder.file("damaged.state", &damaged);
    fails(&run(&folder, &["cut.state"]), 2, "cut off");
    fails(&run(&folder, &["damaged.state"]), 2, "damaged");
    let other = "leave --machine and --tv away";
    fails(&run(&folder, &["s.state", "--machine", "800xl"]), 2, other);
    fails(&run(&folder, &["s.state", "--tv", "pal"]), 2, other);
    let same = ["s.state", "--machine", "130xe", "--tv", "ntsc"];
    assert_eq!(run(&folder, &same).status.code(), Some(0));
}

#[test]
fn a_cut_binary_file_is_loaded_as_far_as_it_goes_and_says_so() {
    let folder = Folder::new("cut");
    let whole = coloured();
    folder.file("cut.xex", &whole[..whole.len() - 1]);
    let output = run(&folder, &["cut.xex", "--frames", "5"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(
        stderr.starts_with("anticlock: cut.xex: the binary file is cut off: segment ")
            && stderr.lines().count() == 1,
        "{stderr}"
    );
}

#[test]
fn a_sentence_that_nobody_reads_is_no_panic() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_anticlock"))
        .args(["headless", "missing.xex"])
        .stderr(writer)
        .status();
    assert_eq!(status.unwrap().code(), Some(2));
}

#[test]
fn what_cannot_be_used_ends_with_status_2_and_one_sentence() {
    let folder = Folder::new("errors");
    folder.file("rubbish.xyz", b"hello");
    folder.file("os.rom", &[0; 1000]);
    for (arguments, sentence) in [
        (
            &["no-such-thing"][..],
            "there is no program or file called no-such-thing",
        ),
        (&["missing.xex"], "missing.xex: there is no such file"),
        (&["rubbish.xyz"], "not a program"),
        (&["basic", "--os", "os.rom"], "this file has 1000"),
        (
            &["basic", "--basic", "os.rom"],
            "a BASIC rom has 8192 bytes, this file has 1000",
        ),
        (&["basic", "--type", "{nokey}"], "{nokey}"),
        (
            &["basic", "--frames", "many"],
            "--frames takes a whole number from 0 to 18446744073709551615, not many",
        ),
        (
            &["basic", "--script", "missing.txt"],
            "missing.txt: there is no such file",
        ),
        (
            &["basic", "--frames", "1", "--ram", "no/folder/x"],
            "cannot be written",
        ),
    ] {
        let output = run(&folder, arguments);
        let stderr = String::from_utf8_lossy(&output.stderr).to_lowercase();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(
            stderr.contains(&sentence.to_lowercase()),
            "{arguments:?}: {stderr}"
        );
        assert!(!stderr.contains("panicked"), "{stderr}");
    }
}

#[test]
fn an_expectation_that_is_not_met_ends_with_status_1() {
    let folder = Folder::new("expect");
    folder.file("c.xex", &coloured());
    folder.file("s.txt", b"300 expect-text THIS IS NOT THERE\n");
    fails(
        &run(&folder, &["c.xex", "--script", "s.txt"]),
        1,
        "THIS IS NOT THERE",
    );
    folder.file("late.txt", b"300 key a\n");
    fails(
        &run(
            &folder,
            &["c.xex", "--script", "late.txt", "--frames", "100"],
        ),
        1,
        "not finished",
    );
}

#[test]
fn a_disk_that_is_made_can_be_looked_at() {
    let folder = Folder::new("disk");
    let run = |arguments: &[&str]| anticlock(&folder.0).args(arguments).output().unwrap();
    assert!(
        run(&["disk", "new", "a.atr", "--density", "enhanced"])
            .status
            .success()
    );
    let info = run(&["disk", "info", "a.atr"]);
    let info = String::from_utf8(info.stdout).unwrap();
    assert!(
        info.starts_with("a.atr: 1040 sectors of 128 bytes, DOS 2: 2 files, "),
        "{info}"
    );
    fails(&run(&["disk", "new", "a.atr"]), 2, "exists already");
}

#[test]
fn a_listing_survives_the_way_to_a_save_file_and_back() {
    let folder = Folder::new("basic");
    let run = |arguments: &[&str]| anticlock(&folder.0).args(arguments).output().unwrap();
    let listing = "10 FOR I=1 TO 10:PRINT I*2:NEXT I\n20 END \n";
    folder.file("p.lst", listing.as_bytes());
    assert!(
        run(&["basic", "tokenize", "p.lst", "p.bas"])
            .status
            .success()
    );
    let listed = run(&["basic", "list", "p.bas"]);
    assert_eq!(String::from_utf8(listed.stdout).unwrap(), listing);
    assert!(run(&["basic", "check", "p.bas"]).status.success());
    folder.file("bad.lst", b"10 PRINT 1\n20 PRINT )\n");
    fails(&run(&["basic", "check", "bad.lst"]), 2, "line 2");
}

#[test]
fn the_page_of_keys_has_those_in_force() {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/keys.md")).unwrap();
    for (action, keys, what) in host::config::ACTIONS {
        let keys: Vec<String> = keys
            .iter()
            .map(|&key| {
                if key == "`" {
                    "`` ` ``".into()
                } else {
                    format!("`{key}`")
                }
            })
            .collect();
        let cells = format!("| {} | {what} |", keys.join(" or "));
        assert!(page.contains(&cells), "{action:?}: {cells}");
    }
}

#[test]
fn the_help_that_play_prints_without_a_build_is_the_programs_own() {
    let folder = Folder::new("help");
    let help = anticlock(&folder.0).arg("--help").output().unwrap().stdout;
    let kept = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/help.txt")).unwrap();
    assert!(
        help == kept,
        "run `cargo run -- --help > frontend/help.txt`"
    );
}

#[test]
fn a_basic_program_is_heard_and_then_silent() {
    let folder = Folder::new("basic-sound");
    folder.file(
        "s.lst",
        b"10 SOUND 0,121,10,8\n20 FOR W=1 TO 2500:NEXT W\n30 SOUND 0,0,0,0\n40 PRINT \"DONE\"\n",
    );
    let output = run(&folder, &["s.lst", "--audio", "s.wav", "--text"]);
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("DONE"),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    let wav = std::fs::read(folder.0.join("s.wav")).unwrap();
    let samples: Vec<f64> = wav[frontend::wav::HEADER..]
        .chunks_exact(2)
        .map(|b| f64::from(i16::from_le_bytes([b[0], b[1]])))
        .collect();
    let loud = |s: &&[f64]| s.iter().any(|v| v.abs() > 1000.0);
    let tenths: Vec<&[f64]> = samples.chunks_exact(4410).collect();
    // The clicks of the keys that type RUN are loud, too, but short.
    let (first, length) = (0..tenths.len())
        .map(|i| (i, tenths[i..].iter().take_while(|s| loud(s)).count()))
        .max_by_key(|&(_, length)| length)
        .unwrap();
    assert!(length > 5, "the tone lasts {length} tenths of a second");
    let middle = (first + 1) * 4410..(first + length - 1) * 4410;
    let periods = periods(&samples[middle]);
    let frequency = 44_100.0 / (periods.iter().sum::<f64>() / periods.len() as f64);
    // SOUND's clock is 63,921 Hz; the pitch counts one more than it says, and two pulses make a period.
    let wanted = 1_789_772.5 / 28.0 / 2.0 / 122.0;
    assert!(
        (frequency - wanted).abs() < 0.5,
        "{frequency} instead of {wanted}"
    );
    let end = &samples[samples.len() - 4410..];
    assert!(
        end.iter().all(|v| v.abs() < 20.0),
        "it is not silent at the end"
    );
}

#[test]
fn the_menu_starts_what_is_chosen() {
    let folder = Folder::new("menu");
    // SELECT goes from place to place; the text has each place's title.
    let mut script = String::from("450 expect-text CRAZY EIGHTS\n");
    let all = session::built_in::all();
    for program in all.iter().filter(|known| known.place.is_some()).skip(1) {
        let _ = writeln!(
            script,
            "+10 select\n+60 wait-text {}",
            program.title.to_ascii_uppercase()
        );
    }
    folder.file("s.txt", script.as_bytes());
    for model in ["400", "800", "800xl", "130xe"] {
        let output = run(&folder, &["menu", "--script", "s.txt", "--machine", model]);
        assert!(output.status.success(), "{model}: {output:?}");
    }
    // 8 is the place of BASIC.
    let output = run(
        &folder,
        &["menu", "--type", "8{wait 200}PRINT 6*7\\n", "--text"],
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.contains("READY") && text.contains("\n  42\n"),
        "{text}"
    );
    // T types listings in.
    let keys = "T{wait 600}10 REM TIC-TAC-TOE\\n";
    let output = run(&folder, &["menu", "--type", keys, "--text"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("\nZX10 REM TIC-TAC-TOE"), "{text}");
}

#[test]
fn a_game_keeps_its_files_among_the_users_data_and_goes_back_to_the_menu() {
    for model in ["800", "800xl"] {
        let folder = Folder::new(&format!("games-{model}"));
        // 7 is Hexapawn, S saves, ESC ends; then 8 is BASIC, which has a folder of its own.
        let keys = "7{wait 500}S{wait 300}{esc}{wait 500}8{wait 200}OPEN #1,8,0,\"H:X\"\\n";
        let output = run(
            &folder,
            &["menu", "--machine", model, "--type", keys, "--text"],
        );
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(!text.contains("ERROR"), "{model}: {output:?}\n{text}");
        assert!(folder.0.join("data/anticlock/files/X").exists());
        let kept = folder.0.join("data/anticlock/games");
        let names: Vec<_> = std::fs::read_dir(&kept)
            .unwrap_or_else(|error| panic!("{}: {error}", kept.display()))
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert!(!names.is_empty());

        // A folder of the user takes its place, and stays as it is unless writing is allowed.
        let own = Folder::new(&format!("own-{model}"));
        let host = own.0.to_str().unwrap();
        let keys = "{wait 500}S{wait 300}";
        let save = [
            "hexapawn",
            "--machine",
            model,
            "--type",
            keys,
            "--host",
            host,
        ];
        assert!(run(&folder, &save).status.success());
        assert_eq!(std::fs::read_dir(&own.0).unwrap().count(), 0);
        let writing = [&save[..], &["--host-write"]].concat();
        assert!(run(&folder, &writing).status.success());
        assert_ne!(std::fs::read_dir(&own.0).unwrap().count(), 0);
    }
}

#[test]
fn a_program_that_is_not_to_run_can_be_listed() {
    let folder = Folder::new("no-run");
    folder.file("p.lst", b"10 GOTO 10\n");
    let list = ["p.lst", "--no-run", "--type", "LIST\\n", "--text"];
    let output = run(&folder, &list);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("\n  10 GOTO 10\n"), "{text}");
    assert!(!text.contains("RUN"), "{text}");
}

#[test]
fn folders_of_the_programs_old_name_are_taken_over_once() {
    let folder = Folder::new("old-name");
    let place = |name: &str| folder.0.join(name);
    for (name, text) in [
        ("config/colleen/colleen.toml", "[window]\nscale = 2\n"),
        ("data/colleen/states/a.state", "old"),
        ("data/colleen/games/b", "old"),
    ] {
        std::fs::create_dir_all(place(name).parent().unwrap()).unwrap();
        std::fs::write(place(name), text).unwrap();
    }
    let start = || {
        let status = anticlock(&folder.0)
            .env_remove("ANTICLOCK_CONFIG")
            .env("XDG_CONFIG_HOME", place("config"))
            .arg("config")
            .output()
            .unwrap()
            .status;
        assert!(status.success());
    };
    start();
    let text = |name: &str| std::fs::read_to_string(place(name)).unwrap();
    assert_eq!(
        text("config/anticlock/anticlock.toml"),
        "[window]\nscale = 2\n"
    );
    assert_eq!(text("data/anticlock/states/a.state"), "old");
    assert_eq!(text("data/anticlock/games/b"), "old");

    // What is there under the new name is never replaced, and the old files stay.
    std::fs::write(
        place("config/anticlock/anticlock.toml"),
        "[window]\nscale = 3\n",
    )
    .unwrap();
    std::fs::write(place("data/anticlock/games/b"), "new").unwrap();
    start();
    assert_eq!(
        text("config/anticlock/anticlock.toml"),
        "[window]\nscale = 3\n"
    );
    assert_eq!(text("data/anticlock/games/b"), "new");
    assert_eq!(text("data/colleen/games/b"), "old");
}

#[test]
fn a_recording_plays_to_the_same_machine_and_records_to_the_same_file() {
    let folder = Folder::new("recording");
    folder.file(
        "s.txt",
        b"200 type PRINT RND(0)\\n\n+60 joystick 1 left press\n+9 reset\n",
    );
    let run = |arguments: &[&str]| {
        let output = run(&folder, arguments);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{told}");
        std::fs::read(folder.0.join("ram")).unwrap()
    };
    let frames = ["--frames", "600", "--ram", "ram"];
    let live = [
        &["basic", "--script", "s.txt", "--seed", "5", "--record", "r"][..],
        &frames,
    ];
    let live = run(&live.concat());
    assert_eq!(run(&["--play", "r", "--ram", "ram"]), live);
    // Again recorded while it is played: the same file.
    let first = std::fs::read(folder.0.join("r")).unwrap();
    run(&["--play", "r", "--record", "again", "--ram", "ram"]);
    assert_eq!(std::fs::read(folder.0.join("again")).unwrap(), first);
    folder.file("broken", &first[..first.len() / 2]);
    let output = self::run(&folder, &["--play", "broken"]);
    fails(&output, 2, "broken: the recording is ");
}

#[test]
fn what_a_package_needs_is_printed_and_the_version_says_what_it_was_built_from() {
    let folder = Folder::new("generate");
    let run = |arguments: &[&str]| {
        let output = anticlock(&folder.0).args(arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        output.stdout
    };
    for (what, wanted) in [
        ("man", ".TH anticlock 1"),
        ("bash", "complete -F _anticlock"),
        ("zsh", "#compdef anticlock"),
        ("fish", "complete -c anticlock"),
        ("desktop", "StartupWMClass=Anticlock"),
        ("mime", "application/x-atari-car"),
        (
            "metainfo",
            concat!("version=\"", env!("CARGO_PKG_VERSION"), "\""),
        ),
    ] {
        let text = String::from_utf8(run(&["generate", what])).unwrap();
        assert!(text.contains(wanted), "{what}: {text}");
    }
    assert!(run(&["generate", "icon"]).starts_with(b"\x89PNG"));
    let version = String::from_utf8(run(&["--version"])).unwrap();
    for wanted in [
        "anticlock 0.",
        "built from: ",
        "rustc 1.",
        "features: ",
        "OS XL ",
    ] {
        assert!(version.contains(wanted), "{version}");
    }
}

/// A program that lists itself: lines longer than 40 columns, with a heart, and one of LPRINT.
const LISTS_ITSELF: &str = "10 REM 4567890123456789012345678901234567890123456789\r\n\
    20 LIST \"P:\":LPRINT \"X\";CHR$(0):END\r\n";

#[test]
fn the_printer_has_40_or_80_columns() {
    let first = "10 REM 4567890123456789012345678901234567890123456789";
    let second = "20 LIST \"P:\":LPRINT \"X\";CHR$(0):END ";
    let (head, tail) = first.split_at(40);
    for (columns, wanted) in [
        ("40", format!("{head}\n{tail}\n{second}\nX♥\n")),
        // Its graphics characters are control codes to a printer of 80 columns.
        ("80", format!("{first}\n{second}\nX\n")),
    ] {
        let folder = Folder::new(&format!("printer-{columns}"));
        folder.file("p.lst", LISTS_ITSELF.as_bytes());
        for (name, wanted) in [
            ("paper.txt", wanted.clone().into_bytes()),
            (
                "paper.prn",
                format!("{first}\u{9B}{second}\u{9B}X\0\u{9B}")
                    .chars()
                    .map(|c| u8::try_from(u32::from(c)).unwrap())
                    .collect(),
            ),
        ] {
            let arguments = ["p.lst", "--printer", name, "--frames", "1200"];
            let output = run(
                &folder,
                &[&arguments[..], &["--printer-columns", columns]].concat(),
            );
            assert!(output.status.success(), "{output:?}");
            let paper = std::fs::read(folder.0.join(name)).unwrap();
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            assert_eq!(text(&paper), text(&wanted), "{columns} {name}");
        }
    }
    let folder = Folder::new("printer-41");
    let output = run(
        &folder,
        &["basic", "--printer", "p", "--printer-columns", "41"],
    );
    fails(&output, 2, "40 or 80");
}
