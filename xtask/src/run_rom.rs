//! Runs an OS and a BASIC image and shows the screen as text: the tool for those who write the ROMs.
use session::typist;
use tests::Atari;

const USAGE: &str = "usage: xtask run-rom [--os FILE] [--basic FILE | --no-basic] [--model 800xl|130xe|800|400] [--pal] [--seed N]
  [--xex FILE] [--lst FILE] [--atr FILE] [--type TEXT] [--frames N] [--every N] [--dump OUT.bin] [--cells] [--option] [--trace N]
Boots, waits for a key, loads the listing, types TEXT (\\n = RETURN, {CLEAR} etc. as in the behaviour cases), runs N frames
(default 60) and prints the screen. --every prints it each N frames, --trace prints the last N instructions.";

pub fn run(words: &[&str]) -> Result<(), String> {
    let mut config = tests::config(machine::Model::Xl800, machine::Tv::Ntsc, true);
    let (mut os, mut basic, mut text, mut frames, mut every) = (None, None, None, 60u32, 0u32);
    let (mut xex, mut lst, mut atr, mut dump, mut cells, mut trace) =
        (None, None, None, None, false, 0usize);
    let mut option = false;
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let mut value = || {
            words
                .next()
                .copied()
                .ok_or_else(|| format!("{word} needs a value\n{USAGE}"))
        };
        let number = |v: &str| v.parse::<u32>().map_err(|_| format!("{v} is no number"));
        match word {
            "--os" => os = Some(read(value()?)?),
            "--basic" => basic = Some(Some(read(value()?)?)),
            "--no-basic" => basic = Some(None),
            "--model" => {
                config.model = match value()? {
                    "800xl" => machine::Model::Xl800,
                    "130xe" => machine::Model::Xe130,
                    "800" => machine::Model::Atari800,
                    "400" => machine::Model::Atari400,
                    other => return Err(format!("no model {other}")),
                };
            }
            "--pal" => config.tv = machine::Tv::Pal,
            "--seed" => config.seed = number(value()?)?.into(),
            "--type" => text = Some(value()?.replace("\\n", "\n")),
            "--frames" => frames = number(value()?)?,
            "--every" => every = number(value()?)?,
            "--trace" => trace = number(value()?)? as usize,
            "--xex" => xex = Some(read(value()?)?),
            "--lst" => lst = Some(read(value()?)?),
            "--atr" => atr = Some(read(value()?)?),
            "--dump" => dump = Some(value()?),
            "--cells" => cells = true,
            "--option" => option = true,
            _ => return Err(USAGE.into()),
        }
    }
    config.os = os.map_or_else(
        || tests::config(config.model, config.tv, true).os,
        machine::Rom::from,
    );
    if let Some(basic) = basic {
        config.basic = basic.map(machine::Rom::from);
    }
    if xex.is_some() {
        config.basic = None;
    }
    let mut machine = machine::Machine::new(&config).map_err(|e| e.to_string())?;
    if option {
        machine.hold_option();
    }
    let mut atari = Atari {
        held: machine.input,
        machine,
        frames: 0,
        past: None,
    };
    if let Some(xex) = &xex {
        let xex = media::xex::Xex::parse(xex).map_err(|e| e.to_string())?;
        atari.machine.insert_program(xex.boot());
    }
    if let Some(atr) = &atr {
        atari
            .machine
            .insert_disk(0, media::atr::Disk::parse(atr).map_err(|e| e.to_string())?);
    }
    if (text.is_some() || lst.is_some()) && !atari.wait_for_key(1200) {
        println!("the machine never waited for a key");
    }
    if let Some(lst) = &lst {
        let program = media::basic::Program::tokenize(lst).map_err(|e| {
            e.iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("\n")
        })?;
        atari
            .machine
            .load_basic(&program)
            .map_err(|e| e.to_string())?;
    }
    if let Some(text) = text {
        for line in text.split_inclusive('\n') {
            let keys = typist::strokes_of_plain(line).map_err(|e| e.to_string())?;
            let limit = keys.len() as u32 * 60;
            if !atari.press(keys, limit) {
                println!("the machine does not take the keys of {line:?}");
            }
            if !atari.wait_for_key(600) {
                println!("the machine does not wait for a key after {line:?}");
            }
        }
    }
    for frame in 0..frames {
        if every > 0 && frame % every == 0 {
            println!("--- frame {}\n{}", atari.frames, atari.text());
        }
        atari.run(1);
    }
    if cells {
        print!("{}", tests::screen::describe(&atari.machine));
    } else {
        print!("{}", atari.text());
    }
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
    if let Some(dump) = dump {
        let bytes: Vec<u8> = (0..=0xFFFF).map(|a| m.peek(a)).collect();
        std::fs::write(dump, bytes).map_err(|e| format!("{dump}: {e}"))?;
    }
    for _ in 0..trace {
        let pc = atari.machine.cpu.pc;
        let bytes = [0, 1, 2].map(|i| atari.machine.peek(pc.wrapping_add(i)));
        println!(
            "{pc:04X}  {:02X} {:02X} {:02X}  A {:02X} X {:02X} Y {:02X} S {:02X} P {:02X}",
            bytes[0],
            bytes[1],
            bytes[2],
            atari.machine.cpu.a,
            atari.machine.cpu.x,
            atari.machine.cpu.y,
            atari.machine.cpu.s,
            atari.machine.cpu.p()
        );
        atari.machine.step_instruction();
    }
    Ok(())
}

fn read(path: &str) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|e| format!("{path}: {e}"))
}
