use super::*;

fn parse(text: &str) -> Result<File, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("main.test.toml");
    std::fs::write(&path, text).unwrap();
    read(&path, &Fence::default()).map_err(|failure| {
        let text = failure.to_string();
        assert!(!text.contains('\n'), "{text}");
        text.split_once("main.test.toml: ").unwrap().1.to_owned()
    })
}

#[test]
fn a_file_says_program_machines_and_tests() {
    let file = parse(
        r#"
program = "main.xex"
build = "make"
options = ["--stereo", "--disk", "a.atr"]
frames = 500

[matrix]
machine = ["800xl", "400"]
tv = ["ntsc", "pal"]
seed = [0, 7]

[[test]]
name = "one"
no = ["rom-writes", "dli-overruns"]
stack = 40
cycles = [{ from = "a", to = "b", most = 100 }]
steps = [
  { wait-text = "READY", within = 60 },
  { type = "RUN\n" },
  { joystick = "1 left press" },
  { paddle = "0 100" },
  { pointer = "st-mouse 10 -5" },
  { pixel = [10, 20], colour = 0x34 },
  { value = "lives", is = 3 },
  { notes = ["A4", "C#5"], channel = 2 },
]
"#,
    )
    .unwrap();
    assert_eq!(file.variants.len(), 8);
    assert_eq!(file.variants[5].name(), "400, ntsc, seed 7");
    assert_eq!(
        file.variants[7].fill("a-{machine}-{tv}-{seed}.png"),
        "a-400-pal-7.png"
    );
    assert!(file.options.stereo && file.options.disk[0].ends_with("a.atr"));
    let test = &file.tests[0];
    assert_eq!((test.frames, test.steps.len(), test.line), (500, 8, 12));
    assert_eq!(test.steps[5].line, 23);
    assert!(test.rules.no_rom_writes && !test.rules.no_uninitialised_reads);
    assert_eq!(
        (test.rules.stack, test.rules.cycles[0].most),
        (Some(40), 100)
    );
}

#[test]
fn what_is_wrong_is_one_sentence_with_line_and_word() {
    let one =
        |step: &str| format!("program = \"a.xex\"\n[[test]]\nname = \"x\"\nsteps = [\n{step}\n]\n");
    for (text, sentence) in [
        (String::new(), "line 1: missing field `program`"),
        (
            "program = \"a\"\nprogam = 1\n".into(),
            "line 2: unknown field `progam`",
        ),
        ("program = \"a\"\n".into(), "a file has 1 to 1000 tests"),
        ("program = \"\"\n".into(), "line 1: the program has no name"),
        ("program = a\n".into(), "line 1: "),
        (one("{ txt = \"A\" },"), "line 5: unknown field `txt`"),
        (
            one("{ within = 3 },"),
            "line 5: a step says what it does: one of type, ",
        ),
        (
            one("{ text = \"A\", colour = 3 },"),
            "line 5: \"colour\" does not belong to \"text\" in one step: 3",
        ),
        (
            one("{ text = \"A\", row = 3 },"),
            "line 5: \"row\" does not belong to \"text\" in one step: 3",
        ),
        (one("{ text = \"\" },"), "line 5: this says nothing"),
        (
            one("{ press = \"fire\" },"),
            "line 5: one of start, select, option, break, reset is wanted first: \"fire\"",
        ),
        (
            one("{ key = \"nonsense\" },"),
            "line 5: there is no such key",
        ),
        (
            one("{ joystick = \"5 up\" },"),
            "line 5: joysticks are numbered 1 to 4: \"5 up\"",
        ),
        (
            one("{ paddle = \"0 229\" },"),
            "line 5: a paddle's position is 0 to 228, or trigger: \"0 229\"",
        ),
        (
            one("{ pointer = \"pencil 1 2\" },"),
            "line 5: one of light-pen, light-gun, st-mouse, amiga-mouse, trak-ball is wanted first: \"pencil 1 2\"",
        ),
        (
            one("{ pixel = [400, 1], colour = 3 },"),
            "line 5: the picture has columns 0 to 375 and rows 0 to 239: [400, 1]",
        ),
        (
            one("{ pixel = [4, 1] },"),
            "line 5: colour = NUMBER is missing",
        ),
        (
            one("{ pixel = [4, 1], colour = 256 },"),
            "line 5: invalid value",
        ),
        (one("{ value = \"a\" },"), "line 5: is = ... is missing"),
        (
            one("{ memory = \"a\", is = 3 },"),
            "line 5: a list of bytes is wanted: 3",
        ),
        (
            one("{ memory = \"a\", is = [300] },"),
            "line 5: a list of bytes is wanted",
        ),
        (one("{ notes = [\"H4\"] },"), "line 5: \"H4\" is no note"),
        (
            one("{ notes = [\"A4\"], channel = 5 },"),
            "line 5: channels are numbered 1 to 4: 5",
        ),
        (one("{ wait = -1 },"), "line 5: invalid value"),
        (one("{ type = \"\u{e9}\" },"), "line 5: "),
        (one(""), "line 2: the test \"x\" has no steps"),
    ] {
        let error = parse(&text).unwrap_err();
        assert!(error.starts_with(sentence), "{text}\n{error}");
    }
    for (more, sentence) in [
        ("frames = 0\n", "line 2: a test runs 1 to 1000000 frames: 0"),
        ("options = [\"--tv\", \"secam\"]\n", "line 2: "),
        (
            "options = [\"--nonsense\"]\n",
            "line 2: there is no option --nonsense; ",
        ),
        (
            "[matrix]\nmachine = [\"vic20\"]\n",
            "line 3: one of 400, 800, 1200xl, 600xl, 800xl, 65xe, 130xe, xegs is wanted: \"vic20\"",
        ),
    ] {
        let text =
            format!("program = \"a\"\n{more}[[test]]\nname = \"x\"\nsteps = [{{ wait = 1 }}]\n");
        let error = parse(&text).unwrap_err();
        assert!(error.starts_with(sentence), "{more}: {error}");
    }
    let rule = "program = \"a\"\n[[test]]\nname = \"x\"\nno = [\"bugs\"]\nsteps = [{ wait = 1 }]\n";
    assert!(
        parse(rule)
            .unwrap_err()
            .starts_with("line 4: there is no such rule")
    );
}
