//! Runs an OS and a BASIC image and shows the screen as text: the tool for those who write the ROMs.
use machine::{Machine, Model, Named, Rom, Tv};
use session::typist;
use tests::Atari;

const USAGE: &str = "usage: xtask run-rom [--os FILE] [--basic FILE | --no-basic] [--model NAME] [--pal] [--seed N]
  [--xex FILE] [--lst FILE] [--atr FILE] [--type TEXT] [--frames N] [--every N] [--dump OUT.bin] [--cells] [--option] [--trace N]
Boots, waits for a key, loads the listing, types TEXT (\\n = RETURN, {CLEAR} etc. as in the behaviour cases), runs N frames
(default 60) and prints the screen. --every prints it each N frames, --trace prints the last N instructions.";

/// The command line.
struct Options<'a> {
    model: Model,
    tv: Tv,
    seed: u64,
    os: Option<Vec<u8>>,
    basic: Option<Vec<u8>>,
    no_basic: bool,
    hold_option: bool,
    xex: Option<Vec<u8>>,
    lst: Option<Vec<u8>>,
    atr: Option<Vec<u8>>,
    text: Option<String>,
    frames: u32,
    every: u32,
    cells: bool,
    dump: Option<&'a str>,
    trace: usize,
}

impl<'a> Options<'a> {
    fn parse(words: &[&'a str]) -> Result<Self, String> {
        let mut options = Self {
            model: Model::Xl800,
            tv: Tv::Ntsc,
            seed: tests::config(Model::Xl800, Tv::Ntsc, true).seed,
            os: None,
            basic: None,
            no_basic: false,
            hold_option: false,
            xex: None,
            lst: None,
            atr: None,
            text: None,
            frames: 60,
            every: 0,
            cells: false,
            dump: None,
            trace: 0,
        };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let mut value = || {
                words
                    .next()
                    .copied()
                    .ok_or_else(|| format!("{word} needs a value\n{USAGE}"))
            };
            match word {
                "--os" => options.os = Some(read(value()?)?),
                "--basic" => options.basic = Some(read(value()?)?),
                "--no-basic" => options.no_basic = true,
                "--model" => options.model = model(value()?)?,
                "--pal" => options.tv = Tv::Pal,
                "--seed" => options.seed = number(value()?)?.into(),
                "--type" => options.text = Some(value()?.replace("\\n", "\n")),
                "--frames" => options.frames = number(value()?)?,
                "--every" => options.every = number(value()?)?,
                "--trace" => options.trace = number(value()?)? as usize,
                "--xex" => options.xex = Some(read(value()?)?),
                "--lst" => options.lst = Some(read(value()?)?),
                "--atr" => options.atr = Some(read(value()?)?),
                "--dump" => options.dump = Some(value()?),
                "--cells" => options.cells = true,
                "--option" => options.hold_option = true,
                _ => return Err(USAGE.into()),
            }
        }
        Ok(options)
    }
}

fn model(name: &str) -> Result<Model, String> {
    Model::find(name).ok_or_else(|| format!("no model {name}"))
}

fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("{text} is no number"))
}

pub fn run(words: &[&str]) -> Result<(), String> {
    let options = Options::parse(words)?;
    let mut atari = switch_on(&options)?;
    enter(&mut atari, &options)?;
    for frame in 0..options.frames {
        if options.every > 0 && frame % options.every == 0 {
            println!("--- frame {}\n{}", atari.frames, atari.text());
        }
        atari.run(1);
    }
    if options.cells {
        print!("{}", tests::screen::describe(&atari.machine));
    } else {
        print!("{}", atari.text());
    }
    registers(&atari);
    if let Some(dump) = options.dump {
        let bytes: Vec<u8> = (0..=0xFFFF).map(|a| atari.machine.peek(a)).collect();
        std::fs::write(dump, bytes).map_err(|e| format!("{dump}: {e}"))?;
    }
    trace(&mut atari, options.trace);
    Ok(())
}

/// The machine with its ROMs, its binary file and its disk.
fn switch_on(options: &Options) -> Result<Atari, String> {
    let mut config = tests::config(options.model, options.tv, true);
    config.seed = options.seed;
    if let Some(os) = &options.os {
        config.os = Rom::from(os.clone());
    }
    if let Some(basic) = &options.basic {
        config.basic = Some(Rom::from(basic.clone()));
    }
    if options.no_basic || options.xex.is_some() {
        config.basic = None;
    }
    let mut machine = Machine::new(&config).map_err(|e| e.to_string())?;
    if options.hold_option {
        machine.hold_option();
    }
    if let Some(xex) = &options.xex {
        let xex = media::xex::Xex::parse(xex).map_err(|e| e.to_string())?;
        machine.insert_program(xex.boot());
    }
    if let Some(atr) = &options.atr {
        let disk = media::atr::Disk::parse(atr).map_err(|e| e.to_string())?;
        machine.insert_disk(0, disk);
    }
    Ok(Atari {
        held: machine.input,
        machine,
        frames: 0,
        past: None,
    })
}

/// Waits for a key, loads the listing and types the text.
fn enter(atari: &mut Atari, options: &Options) -> Result<(), String> {
    if (options.text.is_some() || options.lst.is_some()) && !atari.wait_for_key(1200) {
        println!("the machine never waited for a key");
    }
    if let Some(lst) = &options.lst {
        let program = media::basic::Program::tokenize(lst).map_err(|errors| {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            errors.join("\n")
        })?;
        let loaded = atari.machine.load_basic(&program);
        loaded.map_err(|e| e.to_string())?;
    }
    for line in options
        .text
        .iter()
        .flat_map(|text| text.split_inclusive('\n'))
    {
        let keys = typist::strokes_of_plain(line).map_err(|e| e.to_string())?;
        let limit = keys.len() as u32 * 60;
        if !atari.press(keys, limit) {
            println!("the machine does not take the keys of {line:?}");
        }
        if !atari.wait_for_key(600) {
            println!("the machine does not wait for a key after {line:?}");
        }
    }
    Ok(())
}

/// Prints the registers, and the pointers of the OS to screen and memory.
fn registers(atari: &Atari) {
    let m = &atari.machine;
    println!(
        "--- frame {} PC {:04X} A {:02X} X {:02X} Y {:02X} S {:02X} P {:02X}  SDLST {:04X} SAVMSC {:04X} MEMLO {:04X} MEMTOP {:04X}",
        atari.frames,
        m.cpu.pc,
        m.cpu.a,
        m.cpu.x,
        m.cpu.y,
        m.cpu.s,
        m.cpu.p(),
        m.peek_word(0x230),
        m.peek_word(0x58),
        m.peek_word(0x2E7),
        m.peek_word(0x2E5),
    );
}

/// Runs instructions and prints each.
fn trace(atari: &mut Atari, instructions: usize) {
    let machine = &mut atari.machine;
    for _ in 0..instructions {
        let pc = machine.cpu.pc;
        let bytes = [0, 1, 2].map(|i| machine.peek(pc.wrapping_add(i)));
        println!(
            "{pc:04X}  {:02X} {:02X} {:02X}  A {:02X} X {:02X} Y {:02X} S {:02X} P {:02X}",
            bytes[0],
            bytes[1],
            bytes[2],
            machine.cpu.a,
            machine.cpu.x,
            machine.cpu.y,
            machine.cpu.s,
            machine.cpu.p()
        );
        machine.step_instruction();
    }
}

fn read(path: &str) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|e| format!("{path}: {e}"))
}
