//! `anticlock debug` is a session with its host: the requests of programs for files are served, and their output is there at the end.
mod common;

use common::{Folder, anticlock, coloured};

/// The output of commands, one after the other.
fn debug(folder: &Folder, arguments: &[&str], commands: &str) -> String {
    folder.file("commands.txt", commands.as_bytes());
    let output = anticlock(&folder.0)
        .arg("debug")
        .args(arguments)
        .args(["--fresh", "--commands", "commands.txt"])
        .output()
        .unwrap();
    let (out, error) = (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    );
    assert!(output.status.success(), "{out}{error}");
    out
}

#[test]
fn h_hangs() {
    let folder = Folder::new("h-hangs");
    let listing = "5 FOR I=1 TO 3000:NEXT I\n10 OPEN #1,8,0,\"H:T.TXT\"\n20 PRINT #1;\"HI\"\n30 CLOSE #1\n40 POKE 1536,123\n50 GOTO 50\n";
    folder.file("h.lst", listing.as_bytes());
    std::fs::create_dir(folder.0.join("host")).unwrap();
    let arguments = ["h.lst", "--host", "host", "--host-write"];
    let said = debug(
        &folder,
        &arguments,
        "run 3000\nprint [1536]\nbasic\nwhere\n",
    );
    assert!(said.contains("123 $7B"), "{said}");
    let file = std::fs::read(folder.0.join("host/T.TXT")).unwrap();
    assert!(file.starts_with(b"HI"), "{file:?}");
    // A step over the call that opens the file ends as well: the host is served on the way.
    std::fs::remove_file(folder.0.join("host/T.TXT")).unwrap();
    let said = debug(
        &folder,
        &arguments,
        "break basic 10 once\nrun 3000\nbasicline\nbasic\n",
    );
    assert!(said.contains("line 20"), "{said}");
}

/// SIO writes 128 bytes of $AB to sector 7 of D1:.
fn sector_write() -> Vec<u8> {
    let mut file = b"\xFF\xFF\x00\x20\x41\x20".to_vec();
    for (address, byte) in [
        (0x0300u16, 0x31u8),
        (0x0301, 0x01),
        (0x0302, b'P'),
        (0x0303, 0x80),
        (0x0304, 0x00),
        (0x0305, 0x21),
        (0x0306, 0x07),
        (0x0307, 0x00),
        (0x0308, 0x80),
        (0x0309, 0x00),
        (0x030A, 0x07),
        (0x030B, 0x00),
    ] {
        let [low, high] = address.to_le_bytes();
        file.extend([0xA9, byte, 0x8D, low, high]);
    }
    file.extend(b"\x20\x59\xE4\x4C\x3F\x20");
    file.extend(b"\x00\x21\x7F\x21");
    file.extend([0xAB; 128]);
    file.extend(b"\xE0\x02\xE1\x02\x00\x20");
    file
}

#[test]
fn disk_not_written() {
    let folder = Folder::new("disk-not-written");
    folder.file("sector-write.xex", &sector_write());
    let made = anticlock(&folder.0).args(["disk", "new", "d.atr"]).output();
    assert!(made.unwrap().status.success());
    let machine = ["sector-write.xex", "--disk", "d.atr"];
    let said = debug(&folder, &machine, "run 900\nwhere\nprint [$0303]\n");
    assert!(said.contains("1 $1"), "{said}");
    let disk = std::fs::read(folder.0.join("d.atr")).unwrap();
    let sector = &disk[16 + 6 * 128..][..128];
    assert!(sector.iter().all(|byte| *byte == 0xAB), "{sector:?}");
}

#[test]
fn dliend_back() {
    let folder = Folder::new("dliend-back");
    let program = ["crazy-eights", "--frames", "900"];
    let edited = "frame 3\ndli\nwhere\ndliend\nwhere\ndli\nset x 1\ndliend\nwhere\ncycle 20\nback dliend\nwhere\n";
    let said = debug(&folder, &program, edited);
    let moments: Vec<&str> = said
        .lines()
        .filter_map(|line| line.split_once("moment ")?.1.split(':').next())
        .collect();
    // The end of the interrupt in which X was set, from 20 cycles after it.
    assert_eq!(moments.last(), Some(&"96338"), "{said}");
}

#[test]
fn a_recording_is_played_in_the_debugger() {
    let folder = Folder::new("debug-play");
    folder.file("c.xex", &coloured());
    let recorded = anticlock(&folder.0)
        .args(["headless", "c.xex", "--frames", "300", "--record", "c.rec"])
        .output();
    assert!(recorded.unwrap().status.success());
    let said = debug(
        &folder,
        &["--play", "c.rec"],
        "break $2006 once\nrun 400\nwhere\nrun 400\nback frame\n",
    );
    assert!(said.contains("breakpoint 1"), "{said}");
    assert!(said.contains("400 frames have run"), "{said}");
}

#[test]
fn at_the_prompt_the_machine_is_played() {
    let folder = Folder::new("prompt-plays");
    let listing = "10 PRINT \"NAME\";:INPUT N$\n20 PRINT \"HELLO; \";N$\n30 IF STICK(0)<>11 THEN 30\n40 PRINT \"LEFT\"\n50 IF PEEK(53279)<>6 THEN 50\n60 PRINT \"START\"\n70 GOTO 70\n5 DIM N$(20)\n";
    folder.file("hello.lst", listing.as_bytes());
    let commands = "type A; B\\n\nrun 200\ntext\njoystick 1 left\nrun 30\nconsole start press\nrun 30\nconsole start release\ntext\nscreenshot shot.png\n";
    let said = debug(&folder, &["hello.lst"], commands);
    assert!(
        said.contains("5 keys to type as the machine runs"),
        "{said}"
    );
    assert!(said.contains("  NAME?A; B\n  HELLO; A; B\n"), "{said}");
    assert!(said.contains("  HELLO; A; B\n  LEFT\n  START\n"), "{said}");
    // The picture is the one on the screen: text in COLOR1's luminance on COLOR2.
    let picture = std::fs::File::open(folder.0.join("shot.png")).unwrap();
    let mut reader = png::Decoder::new(std::io::BufReader::new(picture))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    assert_eq!((reader.info().width, reader.info().height), (376, 240));
    for colour in [0x94, 0x9A, 0x00] {
        assert!(pixels.contains(&colour), "${colour:02X}");
    }
}

#[test]
fn what_is_typed_in_the_past_begins_another_future() {
    let folder = Folder::new("prompt-past");
    folder.file(
        "wait.lst",
        b"10 IF STRIG(0) THEN 10\n20 POKE 1536,77\n30 GOTO 30\n",
    );
    let commands =
        "run 60\nback frame 30\njoystick 1 trigger press\nrun 5\nprint [1536]\nbranches\n";
    let said = debug(&folder, &["wait.lst"], commands);
    assert!(said.contains("77 $4D"), "{said}");
    assert!(said.contains("from moment"), "{said}");
}

#[test]
fn unknown_words_of_the_playing_commands_are_refused() {
    for (command, why) in [
        ("joystick 5 up", "joysticks are numbered 1 to 4"),
        ("key nonsense", "there is no such key"),
        (
            "console lamp",
            "expected start, select, option, break or reset",
        ),
        ("type", "the text is missing"),
        ("screenshot", "the name of the file is missing"),
        ("screenshot no/such/folder/a.png", "no/such/folder/a.png"),
    ] {
        let folder = Folder::new("prompt-refuses");
        folder.file("commands.txt", command.as_bytes());
        let output = anticlock(&folder.0)
            .args(["debug", "basic", "--fresh", "--commands", "commands.txt"])
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{command}");
        assert!(error.contains(why), "{command}: {error}");
        assert_eq!(error.lines().count(), 1, "{command}: {error}");
    }
}
