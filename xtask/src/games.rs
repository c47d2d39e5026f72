//! Puts the machine language and the character sets of the games into their listings: `cargo run -p xtask -- games [--check]`.
//!
//! A game's folder below `roms/games`, and those of the menu and of the checker of typed lines in `roms/menu` and `roms/type-in`, holds its listing and, where it has generated DATA lines, a `data.txt` that says which lines come from
//! which source (`extra.txt` for `extra.lst`, the lines for machines with more memory): ca65 assembly (`.s`, a flat binary), a tune (`.tune`), effects (`.effects`) or a drawing of characters (`.txt`). The listing stays a text that a person can
//! type in; the sources beside it are what a person reads.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Bytes in one line of hexadecimal DATA: the line fits the editor's three rows.
const HEX_BYTES: usize = 48;
/// Characters in one line of DATA of six bits a character.
const SIX_CHARACTERS: usize = 104;
/// Numbers in one line of decimal DATA.
const DEC_BYTES: usize = 18;

/// Regenerates the DATA lines of every game, or with `check` says whether one of them is not what its sources give.
///
/// # Errors
/// A sentence naming the file, when a source does not assemble or parse, or when `check` finds a stale listing.
pub fn run(check: bool) -> Result<(), String> {
    let root = root();
    let mut folders: Vec<PathBuf> = fs::read_dir(&root)
        .map_err(|error| format!("{}: {error}", root.display()))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.join("data.txt").is_file())
        .collect();
    let roms = Path::new(env!("CARGO_MANIFEST_DIR")).join("../roms");
    folders.extend(["menu", "type-in"].map(|name| roms.join(name)));
    folders.sort();
    for folder in folders {
        let name = folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        refresh(&folder, &format!("{name}.lst"), "data.txt", &name, check)?;
        if folder.join("extra.txt").is_file() {
            let title = format!("{name}, extra lines");
            refresh(&folder, "extra.lst", "extra.txt", &title, check)?;
        }
    }
    Ok(())
}

/// The folder of the games' sources: `roms/games`, or a copy of it that the environment variable `GAMES` names.
fn root() -> PathBuf {
    std::env::var_os("GAMES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../roms/games"),
        PathBuf::from,
    )
}

/// Regenerates the DATA lines of one listing, or says that it is stale.
fn refresh(
    folder: &Path,
    listing: &str,
    plan: &str,
    title: &str,
    check: bool,
) -> Result<(), String> {
    let root = root();
    let path = folder.join(listing);
    let old = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let fresh = with_data(&old, folder, plan, &root)?;
    if fresh == old {
        println!("{title}: up to date");
    } else if check {
        return Err(format!(
            "{}: the DATA lines are not those of its sources; run `cargo run -p xtask -- games`",
            path.display()
        ));
    } else {
        let temporary = path.with_extension("lst.new");
        fs::write(&temporary, fresh)
            .and_then(|()| fs::rename(&temporary, &path))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        println!("{title}: written");
    }
    Ok(())
}

/// The listing with the lines that the plan names replaced.
fn with_data(listing: &str, folder: &Path, plan: &str, root: &Path) -> Result<String, String> {
    let path = folder.join(plan);
    let plan = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut lines: Vec<(u32, String)> = Vec::new();
    for line in listing.lines() {
        let number = line.split(' ').next().and_then(|word| word.parse().ok());
        lines.push((
            number.ok_or_else(|| format!("{}: no line number in: {line}", folder.display()))?,
            line.to_owned(),
        ));
    }
    for entry in plan
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with(';'))
    {
        let wrong = || {
            format!(
                "{}: not FIRST LAST STEP FORM SOURCE: {entry}",
                path.display()
            )
        };
        let [first, last, step, form, source] = entry.split_whitespace().collect::<Vec<_>>()[..]
        else {
            return Err(wrong());
        };
        let number = |word: &str| word.parse::<u32>().map_err(|_| wrong());
        let (first, last, step) = (number(first)?, number(last)?, number(step)?.max(1));
        let texts = texts(folder, form, source, root)?.ok_or_else(wrong)?;
        if first + step * (texts.len() as u32).saturating_sub(1) > last {
            return Err(format!(
                "{}: {} lines do not fit between {first} and {last}",
                path.display(),
                texts.len()
            ));
        }
        if let Some(room) = room_for(source, listing) {
            let size = bytes_of(&folder.join(source), root)?.len();
            if size > room {
                return Err(format!(
                    "{}: {source} has {size} bytes, its string room for {room}",
                    folder.display()
                ));
            }
        }
        lines.retain(|line| line.0 < first || line.0 > last);
        lines.extend(
            (first..)
                .step_by(step as usize)
                .zip(texts)
                .map(|(number, text)| (number, format!("{number} DATA {text}"))),
        );
        lines.sort_by_key(|line| line.0);
    }
    Ok(lines.into_iter().map(|line| line.1 + "\n").collect())
}

/// The length that the listing dimensions for the string named as the program in `source` is, MUSIC$ for `music.s`: what is beyond
/// it belongs to other variables.
fn room_for(source: &str, listing: &str) -> Option<usize> {
    let program = Path::new(source.strip_suffix(".s")?).file_name()?;
    let name = format!("{}$(", program.to_str()?.to_uppercase());
    let dimensions = listing
        .lines()
        .filter_map(|line| line.split_once("DIM "))
        .flat_map(|(_, items)| items.split([',', ':']));
    let length = dimensions.filter_map(|item| item.strip_prefix(name.as_str()));
    length
        .filter_map(|item| item.strip_suffix(')')?.parse().ok())
        .min()
}

/// The texts of DATA lines in a form of the plan; `None` if there is no such form.
fn texts(
    folder: &Path,
    form: &str,
    source: &str,
    root: &Path,
) -> Result<Option<Vec<String>>, String> {
    let path = folder.join(source);
    Ok(Some(match form {
        "dec" => bytes_of(&path, root)?
            .chunks(DEC_BYTES)
            .map(|part| part.iter().map(u8::to_string).collect::<Vec<_>>().join(","))
            .collect(),
        "hex" => hexadecimal(&bytes_of(&path, root)?),
        "six" => sixes(&bytes_of(&path, root)?),
        "rows" => rows(&path)?,
        "pages" => sixes(&page_bytes(&path, root)?),
        _ => return Ok(None),
    }))
}

/// The bytes of a source: assembled, of a tune, of effects, or drawn.
fn bytes_of(path: &Path, root: &Path) -> Result<Vec<u8>, String> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("s") => assembled(path, root),
        Some("tune") => tune(path),
        Some("effects") => effects(path),
        _ => drawn(path),
    }
}

fn hexadecimal(bytes: &[u8]) -> Vec<String> {
    let line = |part: &[u8]| {
        part.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02X}");
            text
        })
    };
    bytes
        .chunks(HEX_BYTES)
        .map(line)
        .chain(["*".to_owned()])
        .collect()
}

/// Bytes as text, six bits a character (see `roms/games/six.s`), then a line with "*".
fn sixes(bytes: &[u8]) -> Vec<String> {
    let mut text: Vec<u8> = Vec::new();
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0u32, |bits, i| {
            bits << 8 | u32::from(group.get(i).copied().unwrap_or(0))
        });
        for i in 0..=group.len() {
            text.push(six((bits >> (18 - 6 * i) & 0x3F) as u8));
        }
    }
    text.chunks(SIX_CHARACTERS)
        .map(|part| String::from_utf8_lossy(part).into_owned())
        .chain(["*".to_owned()])
        .collect()
}

/// Pictures of six pixels a row (`.` or `#`) as text, a character a row, then a line with "*".
fn rows(path: &Path) -> Result<Vec<String>, String> {
    /// Characters in a line: whole pictures of eight rows.
    const CHARACTERS: usize = 104;
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut codes = Vec::new();
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with(';'))
    {
        if line.len() != 6 || line.bytes().any(|pixel| pixel != b'.' && pixel != b'#') {
            return Err(format!("{}: not six pixels: {line}", path.display()));
        }
        codes.push(
            line.bytes()
                .fold(0, |value, pixel| value << 1 | u8::from(pixel == b'#')),
        );
    }
    let text: Vec<u8> = codes.into_iter().map(six).collect();
    Ok(text
        .chunks(CHARACTERS)
        .map(|part| String::from_utf8_lossy(part).into_owned())
        .chain(["*".to_owned()])
        .collect())
}

/// The character for six bits.
fn six(value: u8) -> u8 {
    match value {
        0..=31 => b'@' + value,
        32 => b'z',
        33..=47 => b'`' + value - 32,
        _ => value,
    }
}

/// A tune as `roms/games/music.s` plays it. A row of the text is a length in frames of a sixtieth of a second and the notes of three
/// voices: `C4`, `F#3`, `-` for a rest, `.` where the last one sounds on. `@ N` makes the lengths that follow N times as long.
///
/// # Errors
/// A sentence naming the file and the row.
pub fn tune(path: &Path) -> Result<Vec<u8>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let wrong = |line: &str| format!("{}: not FRAMES and three notes: {line}", path.display());
    let (mut bytes, mut times) = (Vec::new(), 1);
    for line in text.lines() {
        let words: Vec<&str> = line
            .split(';')
            .next()
            .unwrap_or("")
            .split_whitespace()
            .collect();
        match words[..] {
            [] => {}
            ["@", number] => times = number.parse::<u32>().map_err(|_| wrong(line))?,
            [frames, one, two, three] => {
                let frames = frames.parse::<u32>().map_err(|_| wrong(line))? * times;
                bytes.push(
                    u8::try_from(frames)
                        .ok()
                        .filter(|&frames| frames > 0)
                        .ok_or_else(|| wrong(line))?,
                );
                for word in [one, two, three] {
                    bytes.push(match word {
                        "-" => 0,
                        "." => 1,
                        _ => audf(word).ok_or_else(|| wrong(line))?,
                    });
                }
            }
            _ => return Err(wrong(line)),
        }
    }
    bytes.push(0);
    Ok(bytes)
}

/// The effects of a game as `roms/games/music.s` plays them: the distance from each entry of the table to its effect, then the effects.
/// `@ N: WHAT` begins effect N. A row of the text is a length in frames, a note or AUDF, what is added to AUDF each frame, the distortion
/// and the volume (both as SOUND has them), what the volume loses each frame in sixteenths, and `echo` where it has one.
///
/// # Errors
/// A sentence naming the file and the row.
fn effects(path: &Path) -> Result<Vec<u8>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let wrong = |line: &str| {
        format!(
            "{}: not FRAMES, NOTE, SLIDE, DISTORTION, VOLUME, LOSS: {line}",
            path.display()
        )
    };
    let mut effects: Vec<Vec<u8>> = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line
            .split(';')
            .next()
            .unwrap_or("")
            .split_whitespace()
            .collect();
        let number = |word: &str| word.parse::<u8>().map_err(|_| wrong(line));
        match words[..] {
            [] => {}
            ["@", name, ..] if name == format!("{}:", effects.len()) => effects.push(Vec::new()),
            [
                frames,
                pitch,
                slide,
                distortion,
                volume,
                loss,
                ref rest @ ..,
            ] if rest.is_empty() || rest == ["echo"] => {
                let (frames, volume, distortion) =
                    (number(frames)?, number(volume)?, number(distortion)?);
                if frames == 0 || volume > 15 || distortion > 14 || !distortion.is_multiple_of(2) {
                    return Err(wrong(line));
                }
                let pitch = match audf(pitch) {
                    Some(pitch) => pitch,
                    None => number(pitch)?,
                };
                let slide = slide.parse::<i8>().map_err(|_| wrong(line))?;
                let echo = u8::from(!rest.is_empty()) << 4;
                let effect = effects.last_mut().ok_or_else(|| wrong(line))?;
                effect.extend([
                    frames,
                    pitch,
                    slide as u8,
                    distortion << 4 | echo | volume,
                    number(loss)?,
                ]);
            }
            _ => return Err(wrong(line)),
        }
    }
    let (mut table, mut bodies) = (Vec::new(), Vec::new());
    for (entry, mut effect) in effects.iter().cloned().enumerate() {
        let distance = u8::try_from(effects.len() + bodies.len() - entry)
            .map_err(|_| format!("{}: more than 255 bytes", path.display()))?;
        table.push(distance);
        effect.push(0);
        bodies.append(&mut effect);
    }
    table.append(&mut bodies);
    Ok(table)
}

/// POKEY's divisor for a note at 64 kHz, its nearest pitch.
fn audf(note: &str) -> Option<u8> {
    /// NTSC machine cycles a second, 28 for each count, two counts a wave.
    const CLOCK: f64 = 1_789_772.5 / 28.0 / 2.0;
    let (name, octave) = note.split_at(note.len().checked_sub(1)?);
    let step = [
        "C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B",
    ]
    .iter()
    .position(|&known| known == name)?;
    let octave: i32 = octave.parse().ok()?;
    let semitones = 12 * (octave - 4) + step as i32 - 9; // from A4
    let divisor = (CLOCK / (440.0 * (f64::from(semitones) / 12.0).exp2())).round() - 1.0;
    (2.0..=255.0).contains(&divisor).then_some(divisor as u8)
}

/// The places at which a program that lives in whole pages names a page of its own: the distances from one such byte to the next, then 0.
/// Found by assembling it for two pages (the symbol `BASE`).
fn page_bytes(source: &Path, root: &Path) -> Result<Vec<u8>, String> {
    let (here, there) = (
        assembled_for(source, root, 0)?,
        assembled_for(source, root, 1)?,
    );
    let mut distances = Vec::new();
    let mut last = 0;
    for (at, _) in here
        .iter()
        .zip(&there)
        .enumerate()
        .filter(|(_, (a, b))| a != b)
    {
        let distance = u8::try_from(at - last).ok().filter(|&d| d > 0);
        distances.push(distance.ok_or_else(|| {
            format!("{}: page bytes too far apart at {at:04X}", source.display())
        })?);
        last = at;
    }
    distances.push(0);
    Ok(distances)
}

/// Assembles one source to a flat binary with ca65 and ld65 of the cc65 package.
fn assembled(source: &Path, root: &Path) -> Result<Vec<u8>, String> {
    assembled_for(source, root, 0)
}

/// Assembles a source with `BASE` that page, which is for sources that live in whole pages.
fn assembled_for(source: &Path, root: &Path, base: u8) -> Result<Vec<u8>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/games");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let name = format!(
        "{}-{}",
        source
            .parent()
            .and_then(Path::file_name)
            .unwrap_or_default()
            .to_string_lossy(),
        source.file_stem().unwrap_or_default().to_string_lossy()
    );
    let (object, binary) = (
        folder.join(format!("{name}.o")),
        folder.join(format!("{name}.bin")),
    );
    tool(
        "ca65",
        &[
            source.as_os_str(),
            "-D".as_ref(),
            format!("BASE={base}").as_ref(),
            "-o".as_ref(),
            object.as_os_str(),
        ],
    )?;
    let config = root.join("raw.cfg");
    tool(
        "ld65",
        &[
            "-C".as_ref(),
            config.as_os_str(),
            object.as_os_str(),
            "-o".as_ref(),
            binary.as_os_str(),
        ],
    )?;
    fs::read(&binary).map_err(|error| format!("{}: {error}", binary.display()))
}

fn tool(name: &str, arguments: &[&std::ffi::OsStr]) -> Result<(), String> {
    let output = Command::new(name)
        .args(arguments)
        .output()
        .map_err(|error| format!("{name} (Debian package cc65) does not start: {error}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!(
            "{name}: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        ))
    }
}

/// Reads a drawing of characters: `@ CODE WIDTH HEIGHT NAME`, then the rows of pixels.
///
/// Pixels of two bits (ANTIC modes 4 and 5) are `.` 0, `o` 1, `b` 2, `#` 3, four to a byte; with `@mono` before the
/// first picture they are one bit, eight to a byte, `.` or `#`. The result runs from character 0 to the last one drawn.
fn drawn(path: &Path) -> Result<Vec<u8>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let wrong = |line: &str| format!("{}: does not fit: {line}", path.display());
    let mut bytes: Vec<u8> = Vec::new();
    let mut per_byte = 4;
    let mut picture: Option<(usize, usize, usize, usize)> = None; // code, width, height in characters, next row
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with(';'))
    {
        if line == "@mono" {
            per_byte = 8;
            continue;
        }
        if let Some(head) = line.strip_prefix("@ ") {
            let numbers: Vec<usize> = head
                .split(' ')
                .take(3)
                .filter_map(|word| word.parse().ok())
                .collect();
            let [code, width, height] = numbers[..] else {
                return Err(wrong(line));
            };
            if code + width * height > 128
                || picture.is_some_and(|(_, _, height, row)| row != 8 * height)
            {
                return Err(wrong(line));
            }
            bytes.resize(bytes.len().max(8 * (code + width * height)), 0);
            picture = Some((code, width, height, 0));
            continue;
        }
        let Some((code, width, height, row)) = picture else {
            return Err(wrong(line));
        };
        if row == 8 * height || line.len() != per_byte * width {
            return Err(wrong(line));
        }
        for (column, part) in line.as_bytes().chunks(per_byte).enumerate() {
            let mut byte = 0;
            for &pixel in part {
                let value = b".ob#"
                    .iter()
                    .position(|&known| known == pixel)
                    .ok_or_else(|| wrong(line))? as u8;
                byte = byte << (8 / per_byte) | if per_byte == 8 { value & 1 } else { value };
            }
            bytes[8 * (code + row / 8 * width + column) + row % 8] = byte;
        }
        picture = Some((code, width, height, row + 1));
    }
    Ok(bytes)
}
