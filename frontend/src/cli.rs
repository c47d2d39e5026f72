//! The command line.
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use host::config::{ACTIONS, FIXED};
use host::failure::Failure;
use host::options::{self, DebugOptions, MachineOptions, PictureOptions, number};
use host::playlist;
use session::mouse::MouseRole;
use session::{HostKeys, built_in};
use std::ffi::OsString;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  anticlock                              the menu of games, in a window
  anticlock crazy-eights                 a game that comes with the program
  anticlock basic                        the READY prompt
  anticlock frogs.xex --tv pal           a program file, on a PAL machine
  anticlock dos.atr --machine 130xe      a disk image
  anticlock headless basic --type 'PRINT 2+2\\n' --text
                                       without a window: type a line, print the screen

Built-in programs: menu, ";

/// The keys of the window, two to a line.
fn keys() -> String {
    let all: Vec<String> = ACTIONS
        .iter()
        .map(|(_, keys, what)| (keys.join(" or "), *what))
        .chain(FIXED.iter().map(|&(keys, what)| (keys.to_owned(), what)))
        .map(|(keys, what)| format!("{keys:<18} {what}"))
        .collect();
    let rows = all.len().div_ceil(2);
    let (left, right) = all.split_at(rows);
    let right = right
        .iter()
        .map(String::as_str)
        .chain(std::iter::repeat(""));
    left.iter()
        .zip(right)
        .map(|(left, right)| format!("  {left:<50}{right}").trim_end().to_owned() + "\n")
        .collect()
}

/// The names of the built-in programs and the keys, after the options in `--help`.
fn after_help() -> String {
    let names: Vec<&str> = built_in::all().iter().map(|p| p.name).collect();
    format!(
        "{EXAMPLES}{}\n\nKeys in the window (all can be changed in the file that `anticlock config` prints):\n{}",
        names.join(", "),
        keys()
    )
}

/// The version, and what it was built from.
fn long_version() -> &'static str {
    static TEXT: std::sync::LazyLock<String> = std::sync::LazyLock::new(built_from);
    &TEXT
}

fn built_from() -> String {
    let features = [
        (cfg!(feature = "window"), "window"),
        (cfg!(feature = "sound"), "sound"),
        (cfg!(feature = "gamepad"), "gamepad"),
    ];
    let features: Vec<&str> = features
        .into_iter()
        .filter_map(|(on, name)| on.then_some(name))
        .collect();
    let rom = |name: &str, bytes: &[u8]| format!("{name} {:08x}", crc32fast::hash(bytes));
    format!(
        "{}\nbuilt from: {}\nbuilt by:   {} for {}\nfeatures:   {}\nROMs:       {}, {}, {} (CRC-32)",
        env!("CARGO_PKG_VERSION"),
        env!("ANTICLOCK_COMMIT"),
        env!("ANTICLOCK_RUSTC"),
        env!("ANTICLOCK_TARGET"),
        features.join(" "),
        rom("OS XL", roms::OS_XL),
        rom("OS 800", roms::OS_800),
        rom("BASIC", roms::BASIC),
    )
}

/// An Atari 400/800/XL/XE that needs no ROM files from anywhere.
#[derive(Debug, Parser)]
#[command(name = "anticlock", version, long_version = long_version(), after_help = after_help(), args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// A command; without one a program is played in a window.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The program, and the window.
    #[command(flatten)]
    pub play: Play,
}

/// Arguments of playing in a window.
#[derive(Clone, Debug, Default, Args)]
pub struct Play {
    /// A built-in program by name, or a file: .xex .com .exe .obj .bas .lst .atr .atx .xfd .cas .sap .car .rom .bin, also in .zip or .gz; .m3u: a list of disks (default: menu)
    pub program: Option<OsString>,
    /// Disks for the next drives, as with --disk
    #[arg(value_name = "DISK")]
    pub more: Vec<PathBuf>,
    /// The machine.
    #[command(flatten)]
    pub machine: MachineOptions,
    /// The colours.
    #[command(flatten)]
    pub picture: PictureOptions,
    /// The window.
    #[command(flatten)]
    pub window: WindowOptions,
    /// Recordings.
    #[command(flatten)]
    pub time: TimeOptions,
}

/// Recording everything that reaches the machine, and playing it again.
#[derive(Clone, Debug, Default, Args)]
pub struct TimeOptions {
    /// At the end write a recording of everything that reached the machine: it can be played again, cycle by cycle
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Play a recording in place of a program; a window goes on live at its end
    #[arg(long, value_name = "FILE")]
    pub play: Option<PathBuf>,
}

/// How the window looks and sounds.
#[derive(Clone, Debug, Default, Args)]
pub struct WindowOptions {
    /// Size of the window in multiples of the picture, 1 to 8 (default: 3, or as large as fits)
    #[arg(long, value_name = "N", value_parser = number(1..=8u8), allow_negative_numbers = true)]
    pub scale: Option<u8>,
    /// Fill the screen
    #[arg(long)]
    pub fullscreen: bool,
    /// The controller that the mouse is (default: off)
    #[arg(long, value_parser = mouse_role())]
    pub mouse: Option<MouseRole>,
    /// The role of arrows and Space: typing or a joystick, kept for this file; auto: as the program wants (default: auto)
    #[arg(long, value_parser = key_role())]
    pub keys: Option<KeyRole>,
    /// No sound
    #[arg(long)]
    pub mute: bool,
    /// Disks and tapes take their time as on a real machine. Without it drives answer at once, and the machine runs as fast as it can while
    /// they do; headless runs are always exact
    #[arg(long)]
    pub exact_media: bool,
    /// Open the debug view at once, stopped at the first cycle
    #[arg(long)]
    pub debug: bool,
    /// Let an editor attach to the program that runs, through this port of 127.0.0.1; 0 chooses one. It brings the token in
    /// ANTICLOCK_DAP_TOKEN, or the one that is printed
    #[arg(long, value_name = "N", value_parser = number(0..=u16::MAX), allow_negative_numbers = true)]
    pub debug_port: Option<u16>,
}

/// A role of arrows and space bar; `None`: as the program wants.
pub type KeyRole = Option<HostKeys>;

/// The parser of such a role.
fn key_role() -> impl TypedValueParser<Value = KeyRole> {
    let auto = PossibleValue::new("auto").help("Whatever the program seems to want");
    let roles = HostKeys::CHOICES.map(|role| {
        PossibleValue::new(role.name()).help(match role {
            HostKeys::Typing => "They type",
            HostKeys::Stick | HostKeys::StickAndSpace => "Joystick 1",
            HostKeys::Sticks => "Joystick 1, and W A S D joystick 2",
        })
    });
    let words = [auto].into_iter().chain(roles);
    PossibleValuesParser::new(words).map(|word| HostKeys::of_name(&word))
}

/// The parser of a role of the mouse.
fn mouse_role() -> impl TypedValueParser<Value = MouseRole> {
    let roles = MouseRole::ALL.map(|role| {
        PossibleValue::new(role.name()).help(match role {
            MouseRole::Off => "Nothing",
            MouseRole::Paddles => {
                "Left and right turn paddle 0, up and down paddle 1; the buttons are theirs"
            }
            MouseRole::LightPen => {
                "A light pen in port 1 (4 on a 400): it points where the mouse is, the left button is its tip"
            }
            MouseRole::LightGun => {
                "A light gun (XG-1) in that port: it points where the mouse is, the left button is its trigger"
            }
            MouseRole::StMouse => "The mouse of an Atari ST in port 1, with its left button",
            MouseRole::AmigaMouse => "The mouse of an Amiga in port 1, with its left button",
            MouseRole::TrakBall => {
                "A trak-ball (CX80, CX22) in port 1, which turns as the mouse moves"
            }
        })
    });
    PossibleValuesParser::new(roles).map(|word| MouseRole::from_name(&word).unwrap_or_default())
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run without a window, for tests and scripts
    Headless(Box<Headless>),
    /// The debugger at a terminal: steps in both directions, breakpoints, why a pixel is as it is; type help
    Debug(Box<DebugOptions>),
    /// The debugger for an editor: Debug Adapter Protocol over the standard streams, or a port of this computer
    Dap(dap::Options),
    /// Run the tests of programs: what the screen shows, memory, pictures, sound, cycles
    Test(trial::Options),
    /// Tasks for people and programs that write programs: statements, and the judge of solutions
    Tasks {
        /// The command for them.
        #[command(subcommand)]
        action: trial::tasks::Command,
    },
    /// The machine for a language model: Model Context Protocol over the standard streams
    Mcp(crate::mcp_server::Options),
    /// Print the place of the configuration file and what is in force
    Config,
    /// Print what a system keeps beside a program: its manual page, completions for a shell, its place in the desktop's menu
    Generate {
        /// The file to print
        #[arg(value_enum)]
        what: Generated,
    },
    /// Make and look at disk images
    Disk {
        /// The task.
        #[command(subcommand)]
        action: DiskAction,
    },
    /// Play the READY prompt, or convert and check BASIC programs
    Basic {
        /// The task; without one BASIC starts in a window.
        #[command(subcommand)]
        action: Option<BasicAction>,
        /// The machine.
        #[command(flatten)]
        machine: Box<MachineOptions>,
        /// The colours.
        #[command(flatten)]
        picture: PictureOptions,
        /// The window.
        #[command(flatten)]
        window: WindowOptions,
    },
}

/// The output of `generate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Generated {
    /// The manual page, for share/man/man1/anticlock.1
    Man,
    /// Completions for bash
    Bash,
    /// Completions for zsh
    Zsh,
    /// Completions for fish
    Fish,
    /// The desktop entry, for share/applications/anticlock.desktop
    Desktop,
    /// The types of files, for share/mime/packages/anticlock.xml
    Mime,
    /// The description for software centres, for share/metainfo/anticlock.metainfo.xml
    Metainfo,
    /// The icon, a PNG of 64 by 64 pixels, for share/icons/hicolor/64x64/apps/anticlock.png
    Icon,
}

/// Arguments of the headless mode.
#[derive(Debug, Args)]
#[command(after_help = "\
A script is a text file of lines `FRAME ACTION`; `+N` counts from the line before, # begins a comment:
  60  type PRINT 2+2\\n              types the text, each key when the machine waits for one
  300 key return | 300 key ctrl-c    presses a key for three frames
  300 joystick 1 left press          up down left right trigger; press or release
  400 joystick 1 release             lets go of all
  400 paddle 0 114 | paddle 0 trigger    turns a paddle (0 to 7, as in BASIC) to 0 (right) to 228 (left), presses its button
  400 light-pen 188 120              points at a pixel and line of the picture; light-gun, too; away, off
  400 trak-ball 5 -3                 steps to the right and down; st-mouse, amiga-mouse, too; off
  400 light-pen trigger press        the button of a pointing device
  400 start press | start release    start, select, option, break, reset (press and release when neither is given)
  500 screenshot out.png             index = colour number; NAME.rgb.png: red, green and blue; a file that was there stays, unless --replace is given
  600 expect-text READY              ends with status 1 unless the text is on the screen by then
  600 wait-text READY                waits until the text is on the screen, at most 3600 frames; then +N counts from there")]
pub struct Headless {
    /// A built-in program by name, or a file
    #[arg(required_unless_present_any = ["play", "load_state"], conflicts_with = "play")]
    pub program: Option<OsString>,
    /// Disks for the next drives, as with --disk
    #[arg(value_name = "DISK", conflicts_with = "play")]
    pub more: Vec<PathBuf>,
    /// Frames to run; without it: until everything is typed and the machine waits for a key, or 60 seconds have passed on the Atari
    #[arg(long, value_name = "N", value_parser = number(0..=u64::MAX), allow_negative_numbers = true)]
    pub frames: Option<u64>,
    /// Type this text once the machine waits for input; \n is RETURN, {name} is a key by name, a letter is its key alone
    /// (after {caps} it gives a small letter, {shift-a} a capital)
    #[arg(long = "type", value_name = "TEXT", allow_hyphen_values = true)]
    pub text_to_type: Option<String>,
    /// Follow the script in this file
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Let the script's screenshots replace files that were there before
    #[arg(long, requires = "script")]
    pub replace: bool,
    /// At the end write the picture: 376x240, 8-bit indexed PNG, index = colour number
    #[arg(long, value_name = "OUT.png")]
    pub screenshot: Option<PathBuf>,
    /// At the end write the picture as it looks: 376x240, red, green and blue
    #[arg(long, value_name = "OUT.png")]
    pub screenshot_rgb: Option<PathBuf>,
    /// Give pictures the shape that the television gives them, N times 240 lines; without it they are raw, 376x240
    #[arg(long, value_name = "N", value_parser = number(1..=8u8), allow_negative_numbers = true)]
    pub shape: Option<u8>,
    /// At the end print the text that is on the screen
    #[arg(long)]
    pub text: bool,
    /// Record the sound: 44,100 Hz, 16 bits, mono, with --stereo or --covox left and right; a binary file is silent until it has been loaded
    #[arg(long, value_name = "OUT.wav")]
    pub audio: Option<PathBuf>,
    /// Record the picture: animated PNG, index = colour number
    #[arg(long, value_name = "OUT.png")]
    pub animation: Option<PathBuf>,
    /// At the end print emulated frames, host CPU seconds and the multiple of real time
    #[arg(long)]
    pub speed: bool,
    /// Start from a saved state
    #[arg(long, value_name = "FILE")]
    pub load_state: Option<PathBuf>,
    /// At the end write the state
    #[arg(long, value_name = "FILE")]
    pub save_state: Option<PathBuf>,
    /// Recordings.
    #[command(flatten)]
    pub time: TimeOptions,
    /// The colours.
    #[command(flatten)]
    pub picture: PictureOptions,
    /// The machine.
    #[command(flatten)]
    pub machine: MachineOptions,
}

/// Tasks for a disk image.
#[derive(Debug, Subcommand)]
pub enum DiskAction {
    /// Make a new image, formatted, with Anticlock's DOS
    New {
        /// The image to make
        name: PathBuf,
        /// Its format
        #[arg(long, value_enum, default_value_t = Density::Single)]
        density: Density,
        /// Without a DOS: all sectors are free for files
        #[arg(long)]
        no_dos: bool,
    },
    /// Say what an image is
    Info {
        /// The image
        name: PathBuf,
    },
    /// List the files on a disk of DOS 2: a star for locked ones, the name, the bytes
    Ls {
        /// The image
        image: PathBuf,
        /// Only these; * and ? stand for any characters
        names: Vec<String>,
    },
    /// Copy files from a disk of DOS 2
    Get {
        /// The image
        image: PathBuf,
        /// The files; * and ? stand for any characters
        #[arg(required = true)]
        names: Vec<String>,
        /// The folder, or the name for one file; - writes to the standard output (default: the current folder)
        #[arg(long, value_name = "PATH")]
        to: Option<PathBuf>,
        /// Convert ends of lines and tabulators from ATASCII
        #[arg(long)]
        text: bool,
        /// Replace files that exist
        #[arg(long)]
        force: bool,
    },
    /// Copy files to a disk of DOS 2; files of the same names are replaced
    Put {
        /// The image
        image: PathBuf,
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The name on the disk, for one file
        #[arg(long)]
        name: Option<String>,
        /// Convert ends of lines and tabulators to ATASCII
        #[arg(long)]
        text: bool,
    },
    /// Delete files from a disk of DOS 2
    Rm {
        /// The image
        image: PathBuf,
        /// The files; * and ? stand for any characters
        #[arg(required = true)]
        names: Vec<String>,
    },
    /// Look for damage on a disk of DOS 2
    Check {
        /// The image
        image: PathBuf,
    },
    /// Put Anticlock's DOS on a disk of DOS 2, in place of the one that it has
    Dos {
        /// The image
        image: PathBuf,
    },
}

/// Formats of new disks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Density {
    /// 720 sectors of 128 bytes (810, 90K)
    Single,
    /// 1040 sectors of 128 bytes (1050, 130K)
    Enhanced,
    /// 720 sectors of 256 bytes (180K)
    Double,
}

/// Tasks for a BASIC program.
#[derive(Debug, Subcommand)]
pub enum BasicAction {
    /// Print a SAVE file as a listing
    List {
        /// The .bas file
        file: PathBuf,
    },
    /// Turn a listing into a SAVE file
    Tokenize {
        /// The listing
        listing: PathBuf,
        /// The .bas file to write
        out: PathBuf,
    },
    /// Look for errors in a listing or SAVE file
    Check {
        /// The file
        file: PathBuf,
    },
}

/// Reads the arguments of the process. Help and the version are printed and end it here, with status 0.
///
/// # Errors
/// The fault in the arguments, in one sentence.
pub fn parse() -> Result<Cli, Failure> {
    let words = translate(std::env::args_os());
    let mut cli = Cli::try_parse_from(words).map_err(|error| {
        if !error.use_stderr() {
            error.exit();
        }
        sentence(&error)
    })?;
    spread(&mut cli)?;
    Ok(cli)
}

/// Puts the disks of lists, and those that follow the program on the command line, where --disk puts them.
///
/// # Errors
/// See [`playlist::read`].
fn spread(cli: &mut Cli) -> Result<(), Failure> {
    let (program, more, machine) = match &mut cli.command {
        None => (
            &mut cli.play.program,
            std::mem::take(&mut cli.play.more),
            &mut cli.play.machine,
        ),
        Some(Command::Headless(options)) => (
            &mut options.program,
            std::mem::take(&mut options.more),
            &mut options.machine,
        ),
        _ => return Ok(()),
    };
    let mut disks = Vec::new();
    let list = program.as_ref().map(PathBuf::from);
    if let Some(list) = list.filter(|path| playlist::is_list(path)) {
        let mut all = playlist::read(&list)?.into_iter();
        *program = all.next().map(OsString::from);
        disks.extend(all);
    }
    for path in more.into_iter().chain(std::mem::take(&mut machine.disk)) {
        if playlist::is_list(&path) {
            disks.extend(playlist::read(&path)?);
        } else {
            disks.push(path);
        }
    }
    machine.disk = disks;
    Ok(())
}

/// Translates the arguments with which tool chains of this machine call emulators: `-run FILE` and `/run FILE` start a program, `/ntsc` and `/pal`
/// choose the television system.
fn translate(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut out: Vec<OsString> = Vec::new();
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("-run" | "/run") if words.peek().is_some() => {}
            Some("/ntsc") => out.extend(["--tv".into(), "ntsc".into()]),
            Some("/pal") => out.extend(["--tv".into(), "pal".into()]),
            _ => out.push(word),
        }
    }
    out
}

/// One sentence for what clap has found wrong.
fn sentence(error: &clap::Error) -> Failure {
    one_too_many(error).unwrap_or_else(|| options::sentence(error))
}

/// A second program: to clap it is a subcommand in a wrong place.
fn one_too_many(error: &clap::Error) -> Option<Failure> {
    use clap::error::{ContextKind, ContextValue, ErrorKind};
    let extra = error.get(ContextKind::InvalidSubcommand)?;
    match (error.kind(), extra) {
        (ErrorKind::ArgumentConflict, ContextValue::String(extra)) => {
            Some(Failure::input(format!(
                "{extra} is one too many: one program is played at a time, and commands come first"
            )))
        }
        _ => None,
    }
}

/// Reads these arguments.
///
/// # Errors
/// The errors that clap finds in them.
pub fn parse_from<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Result<Cli, Failure> {
    Cli::try_parse_from(arguments).map_err(|error| Failure::input(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn what_tool_chains_say_is_understood() {
        let parse = |words: &[&str]| {
            let words = std::iter::once(&"anticlock").chain(words);
            Cli::try_parse_from(translate(words.map(OsString::from)))
                .unwrap()
                .play
        };
        for words in [["-run", "a.xex"], ["/run", "a.xex"]] {
            assert_eq!(parse(&words).program.as_deref(), Some("a.xex".as_ref()));
        }
        let play = parse(&["/pal", "/run", "a.xex"]);
        assert_eq!(
            (play.machine.tv, play.program.unwrap()),
            (Some(machine::Tv::Pal), "a.xex".into())
        );
        assert_eq!(
            parse(&["a.xex", "/ntsc"]).machine.tv,
            Some(machine::Tv::Ntsc)
        );
        // Without a file after it, it is a file's name, and the answer says that the file does not exist.
        assert_eq!(parse(&["/run"]).program.as_deref(), Some("/run".as_ref()));
    }

    #[test]
    fn a_program_name_and_the_subcommands_live_side_by_side() {
        assert!(parse_from(["anticlock"]).unwrap().play.program.is_none());
        let cli = parse_from(["anticlock", "gammon", "--tv", "pal", "--machine", "130xe"]).unwrap();
        assert_eq!(cli.play.program.as_deref(), Some("gammon".as_ref()));
        assert_eq!(cli.play.machine.tv, Some(machine::Tv::Pal));
        let cli = parse_from(["anticlock", "basic", "--tv", "pal"]).unwrap();
        assert!(matches!(
            cli.command,
            Some(Command::Basic { action: None, .. })
        ));
        let cli = parse_from(["anticlock", "basic", "list", "x.bas"]).unwrap();
        assert!(matches!(
            cli.command,
            Some(Command::Basic {
                action: Some(BasicAction::List { .. }),
                ..
            })
        ));
        let cli = parse_from([
            "anticlock",
            "headless",
            "basic",
            "--type",
            "-1\\n",
            "--frames",
            "9",
        ])
        .unwrap();
        let Some(Command::Headless(headless)) = cli.command else {
            panic!("not headless")
        };
        assert_eq!(headless.text_to_type.as_deref(), Some("-1\\n"));
        // Which BASIC it is, and whether it is switched on, are two questions.
        assert!(parse_from(["anticlock", "--basic", "x", "--no-basic"]).is_ok());
        assert!(parse_from(["anticlock", "--with-basic", "--no-basic"]).is_err());
        assert!(parse_from(["anticlock", "--machine", "vic20"]).is_err());
    }

    #[test]
    fn a_value_that_an_option_does_not_take_is_named_with_what_it_takes() {
        let any = "a whole number from 0 to 18446744073709551615";
        for (words, takes) in [
            (vec!["headless", "x", "--frames", "abc"], any),
            (vec!["headless", "x", "--frames", "-5"], any),
            (vec!["debug", "x", "--frames", "1e3"], any),
            (vec!["x", "--seed", ""], any),
            (
                vec!["x", "--cart-type", "86"],
                "a whole number from 1 to 85",
            ),
            (vec!["x", "--scale", "0"], "a whole number from 1 to 8"),
            (
                vec!["dap", "--port", "65536"],
                "a whole number from 0 to 65535",
            ),
            (vec!["x", "--memory", "1m"], "a size (8k, "),
        ] {
            let all = std::iter::once("anticlock").chain(words.iter().copied());
            let error = sentence(&Cli::try_parse_from(all).unwrap_err()).to_string();
            let [.., option, value] = words[..] else {
                unreachable!()
            };
            assert!(
                error.starts_with(&format!("{option} takes {takes}")),
                "{error}"
            );
            assert!(error.ends_with(&format!(", not {value}")), "{error}");
            assert!(!error.contains('\n'));
        }
    }

    #[test]
    fn every_fault_of_a_command_line_is_one_sentence() {
        for (words, wanted) in [
            (
                &["--scael", "2"][..],
                "there is no option --scael; there is --scale",
            ),
            (
                &["--zzz"],
                "there is no option --zzz; --help lists those that there are",
            ),
            (&["config", "now"], "now is one word too many"),
            (&["disk", "mkae"], "there is no command mkae"),
            (
                &["--machine", "vic20"],
                "--machine takes 400, 800, 1200xl, 600xl, 800xl, 65xe, 130xe, xegs, not vic20",
            ),
            (&["--tv"], "--tv needs a value: ntsc, pal"),
            (&["--scale"], "--scale needs a value"),
            (&["headless"], "<PROGRAM> is missing"),
            (
                &["--with-basic", "--no-basic"],
                "--with-basic does not go together with --no-basic",
            ),
            (&["--tv", "pal", "--tv", "ntsc"], "--tv is given twice"),
            (&["disk"], "a command is missing: anticlock disk <COMMAND>"),
        ] {
            let all = std::iter::once("anticlock").chain(words.iter().copied());
            let error = Cli::try_parse_from(all).unwrap_err();
            assert!(error.use_stderr(), "{words:?}");
            assert_eq!(sentence(&error).to_string(), wanted, "{words:?}");
            assert_eq!(sentence(&error).status(), 2);
        }
    }

    #[test]
    fn lists_and_disks_after_the_program_fill_the_drives() {
        let folder = std::env::temp_dir().join(format!("anticlock-m3u-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let list = folder.join("game.m3u");
        std::fs::write(&list, "#EXTM3U\r\na.atr\r\n\r\nb.atr\r\n").unwrap();
        std::fs::write(folder.join("a.atr"), "").unwrap();
        let error = playlist::read(&list).unwrap_err().to_string();
        assert!(
            error.ends_with("game.m3u: this list names b.atr, which is not there"),
            "{error}"
        );
        std::fs::write(folder.join("b.atr"), "").unwrap();
        for command in [&["anticlock"][..], &["anticlock", "headless"]] {
            let mut line: Vec<&std::path::Path> =
                command.iter().map(std::path::Path::new).collect();
            line.extend([
                &list,
                std::path::Path::new("c.atr"),
                std::path::Path::new("--disk"),
                std::path::Path::new("d.atr"),
            ]);
            let mut cli = Cli::parse_from(line);
            spread(&mut cli).unwrap();
            let (program, machine) = match &cli.command {
                Some(Command::Headless(options)) => (&options.program, &options.machine),
                _ => (&cli.play.program, &cli.play.machine),
            };
            assert_eq!(program.as_deref(), Some(folder.join("a.atr").as_os_str()));
            let disks = [folder.join("b.atr"), "c.atr".into(), "d.atr".into()];
            assert_eq!(machine.disk, disks);
        }
        std::fs::write(&list, "# nothing\n").unwrap();
        let error = playlist::read(&list).unwrap_err().to_string();
        assert!(error.ends_with("this list names no disk"), "{error}");
        std::fs::write(&list, "x.atr\n".repeat(9)).unwrap();
        assert!(
            playlist::read(&list)
                .unwrap_err()
                .to_string()
                .contains("names 9 disks")
        );
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
