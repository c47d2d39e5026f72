//! Runs a folder of programs without a window, presses START and the trigger, and reports what was seen: a page with a contact
//! sheet, and hashes of the pictures to compare with.
use std::fmt::Write as _;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

const USAGE: &str = "usage: xtask compat DIR [--out DIR] [--anticlock FILE] [-- OPTIONS OF anticlock headless]
Runs every program below DIR (.xex .com .exe .obj .atr .atx .xfd .car .rom .bin .bas .lst .cas .zip .gz .atz .xfz) by `anticlock headless` for 1,800 frames, with START at
frames 500 and 900 and the trigger at 700 and 1,100, and writes OUT/index.html, the pictures, and OUT/pictures.tsv. If DIR has a file pictures.tsv
(lines of path, frame and hash, as written), the pictures are compared with it.";

const EXTENSIONS: [&str; 17] = [
    "xex", "com", "exe", "obj", "atr", "atx", "xfd", "car", "rom", "bin", "bas", "lst", "cas",
    "zip", "gz", "atz", "xfz",
];
/// The frames of which pictures are taken.
const FRAMES: [u64; 4] = [480, 680, 1080, 1790];
const SCRIPT: &str = "500 start\n700 joystick 1 trigger\n900 start\n1100 joystick 1 trigger\n";
const LAST: u64 = 1800;
/// The list of hashes.
const LIST: &str = "pictures.tsv";

struct Options {
    programs: PathBuf,
    out: PathBuf,
    anticlock: PathBuf,
    extra: Vec<String>,
}

/// A taken picture.
struct Picture {
    frame: u64,
    file: String,
    hash: u64,
    colours: usize,
}

/// A program's run.
struct Outcome {
    name: String,
    said: String,
    failed: bool,
    pictures: Vec<Picture>,
    /// Frames at which the picture is not the listed one; `None` when the list does not have the program.
    differs: Option<Vec<u64>>,
}

impl Outcome {
    /// The verdict, for the table.
    fn verdict(&self) -> &'static str {
        match &self.differs {
            _ if self.failed => "failed",
            Some(frames) if frames.is_empty() => "equal",
            Some(_) => "differs",
            None if self.pictures.iter().all(|p| p.colours < 2) => "one colour",
            None => "ran",
        }
    }
}

pub fn run(words: &[&str]) -> Result<(), String> {
    let options = options(words)?;
    let mut files = Vec::new();
    collect(&options.programs, &mut files)?;
    files.sort();
    if files.is_empty() {
        return Err(format!(
            "{}: there is no program in this folder",
            options.programs.display()
        ));
    }
    std::fs::create_dir_all(&options.out).map_err(|e| problem(&options.out, &e))?;
    let script = options.out.join("script.txt");
    write(&script, &full_script())?;
    let list = std::fs::read_to_string(options.programs.join(LIST)).ok();
    let outcomes = play_all(&options, &script, &files, list.as_deref())?;
    let mut hashes = String::new();
    for outcome in &outcomes {
        for picture in &outcome.pictures {
            let _ = writeln!(
                hashes,
                "{}\t{}\t{:016x}",
                outcome.name, picture.frame, picture.hash
            );
        }
    }
    write(&options.out.join(LIST), &hashes)?;
    let page = options.out.join("index.html");
    write(&page, &html(&outcomes))?;
    println!("{}: {}", page.display(), summary(&outcomes));
    Ok(())
}

fn options(words: &[&str]) -> Result<Options, String> {
    let (mut programs, mut out, mut anticlock) = (None, None, None);
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let mut value = || words.next().map(PathBuf::from).ok_or(USAGE);
        match word {
            "--out" => out = Some(value()?),
            "--anticlock" => anticlock = Some(value()?),
            "--" => break,
            _ if word.starts_with('-') || programs.is_some() => return Err(USAGE.into()),
            _ => programs = Some(PathBuf::from(word)),
        }
    }
    let programs = programs.ok_or(USAGE)?;
    if !programs.is_dir() {
        return Err(format!("{}: there is no such folder", programs.display()));
    }
    let beside = || {
        let name = format!("anticlock{}", std::env::consts::EXE_SUFFIX);
        std::env::current_exe().map_or(PathBuf::new(), |xtask| xtask.with_file_name(name))
    };
    let anticlock = anticlock.unwrap_or_else(beside);
    if !anticlock.is_file() {
        return Err(format!(
            "{}: there is no such program; build it with `cargo build -p frontend` in the same profile, or name it with --anticlock",
            anticlock.display()
        ));
    }
    Ok(Options {
        out: out.unwrap_or_else(|| PathBuf::from("compat-report")),
        programs,
        anticlock,
        extra: words.map(ToString::to_string).collect(),
    })
}

/// All programs below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    for entry in std::fs::read_dir(folder).map_err(|e| problem(folder, &e))? {
        let path = entry.map_err(|e| problem(folder, &e))?.path();
        let extension = path
            .extension()
            .map(|e| e.to_string_lossy().to_ascii_lowercase());
        if path.is_dir() && !path.is_symlink() {
            collect(&path, files)?;
        } else if extension.is_some_and(|e| EXTENSIONS.contains(&&*e)) {
            files.push(path);
        }
    }
    Ok(())
}

/// The presses, and the pictures between them; the pictures' names are relative to the run's folder.
fn full_script() -> String {
    let mut lines: Vec<(u64, String)> = SCRIPT
        .lines()
        .map(|line| {
            let frame = line.split(' ').next().and_then(|f| f.parse().ok());
            (frame.unwrap_or(0), line.to_owned())
        })
        .chain(FRAMES.map(|frame| (frame, format!("{frame} screenshot {frame}.png"))))
        .collect();
    lines.sort();
    lines.iter().flat_map(|(_, line)| [line, "\n"]).collect()
}

/// Runs all programs, as many at a time as the host has processors. The outcomes are in the order of the files.
fn play_all(
    options: &Options,
    script: &Path,
    files: &[PathBuf],
    list: Option<&str>,
) -> Result<Vec<Outcome>, String> {
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(file) = files.get(number) else {
                        return;
                    };
                    let outcome = play(options, script, number, file, list);
                    if let Ok(outcome) = &outcome {
                        println!("{:10} {}", outcome.verdict(), outcome.name);
                    }
                    let mut outcomes = outcomes.lock().unwrap_or_else(PoisonError::into_inner);
                    outcomes.push((number, outcome));
                }
            });
        }
    });
    let mut outcomes = outcomes
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    outcomes.sort_by_key(|&(number, _)| number);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

/// Runs one program, which is copied first so that nothing writes to the original.
fn play(
    options: &Options,
    script: &Path,
    number: usize,
    file: &Path,
    list: Option<&str>,
) -> Result<Outcome, String> {
    let name = file
        .strip_prefix(&options.programs)
        .unwrap_or(file)
        .to_string_lossy()
        .replace('\\', "/");
    let folder = options.out.join(format!("{number:04}"));
    std::fs::create_dir_all(&folder).map_err(|e| problem(&folder, &e))?;
    for frame in FRAMES {
        let _ = std::fs::remove_file(folder.join(format!("{frame}.png")));
    }
    let copy = folder.join(file.file_name().unwrap_or(file.as_os_str()));
    std::fs::copy(file, &copy).map_err(|e| problem(file, &e))?;
    let absolute = |path: &Path| std::path::absolute(path).map_err(|e| problem(path, &e));
    let output = Command::new(absolute(&options.anticlock)?)
        .current_dir(&folder)
        .arg("headless")
        .arg(absolute(&copy)?)
        .arg("--script")
        .arg(absolute(script)?)
        .args(["--frames", &LAST.to_string()])
        .args(&options.extra)
        .output()
        .map_err(|e| problem(&options.anticlock, &e))?;
    let _ = std::fs::remove_file(&copy);
    let mut pictures = Vec::new();
    for frame in FRAMES {
        let file = format!("{number:04}/{frame}.png");
        let Some(pixels) = pixels(&options.out.join(&file)) else {
            continue;
        };
        let mut seen = [false; 256];
        for &pixel in &pixels {
            seen[usize::from(pixel)] = true;
        }
        pictures.push(Picture {
            frame,
            file,
            hash: machine::rom_hash(&pixels),
            colours: seen.iter().filter(|&&s| s).count(),
        });
    }
    let differs = list.and_then(|list| differences(list, &name, &pictures));
    Ok(Outcome {
        said: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        failed: !output.status.success(),
        name,
        pictures,
        differs,
    })
}

/// The frames whose pictures are not as in the list; `None` when the program is not in it.
fn differences(list: &str, name: &str, pictures: &[Picture]) -> Option<Vec<u64>> {
    let wanted: Vec<(u64, u64)> = list
        .lines()
        .filter_map(|line| {
            let mut fields = line.split('\t');
            (fields.next()? == name).then_some(())?;
            let frame = fields.next()?.parse().ok()?;
            Some((frame, u64::from_str_radix(fields.next()?.trim(), 16).ok()?))
        })
        .collect();
    if wanted.is_empty() {
        return None;
    }
    let has = |frame, hash| pictures.iter().any(|p| (p.frame, p.hash) == (frame, hash));
    Some(
        wanted
            .iter()
            .filter(|&&(frame, hash)| !has(frame, hash))
            .map(|&(frame, _)| frame)
            .collect(),
    )
}

/// The colour numbers of a picture.
fn pixels(path: &Path) -> Option<Vec<u8>> {
    let file = std::io::BufReader::new(std::fs::File::open(path).ok()?);
    let mut reader = png::Decoder::new(file).read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    reader.next_frame(&mut pixels).ok()?;
    Some(pixels)
}

fn summary(outcomes: &[Outcome]) -> String {
    let verdicts = ["equal", "differs", "ran", "one colour", "failed"];
    let counts = verdicts.map(|verdict| {
        let count = outcomes.iter().filter(|o| o.verdict() == verdict).count();
        format!("{count} {verdict}")
    });
    format!("{} programs: {}", outcomes.len(), counts.join(", "))
}

/// The page: a contact sheet of the last pictures, and below it each program with all of its pictures and its verdict.
fn html(outcomes: &[Outcome]) -> String {
    let mut page = String::from(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Programs on Anticlock</title>
<style>body{font:14px sans-serif;background:#222;color:#ddd;margin:16px}a{color:inherit;text-decoration:none}img{display:block}
.sheet{display:grid;grid-template-columns:repeat(auto-fill,minmax(192px,1fr));gap:8px}.sheet img{width:188px}.sheet a{overflow-wrap:anywhere}
.none{width:188px;height:120px;background:#333}table{border-collapse:collapse;margin-top:24px}tr{border-top:1px solid #444}td{padding:6px 8px;vertical-align:top}
td img{width:188px;margin:1px;display:inline-block}.failed,.differs{color:#f77}.one{color:#fb6}.equal{color:#7d7}pre{margin:0;color:#fb6;white-space:pre-wrap}</style>\n",
    );
    let _ = writeln!(
        page,
        "<h1>Programs on Anticlock</h1><p>{}</p><div class=\"sheet\">",
        escaped(&summary(outcomes))
    );
    let class = |outcome: &Outcome| outcome.verdict().split(' ').next().unwrap_or("");
    for (number, outcome) in outcomes.iter().enumerate() {
        let picture = outcome.pictures.last().map_or_else(
            || "<div class=\"none\"></div>".to_owned(),
            |picture| format!("<img src=\"{}\" alt=\"\">", picture.file),
        );
        let _ = writeln!(
            page,
            "<a href=\"#p{number}\">{picture}<span class=\"{}\">{}</span></a>",
            class(outcome),
            escaped(&outcome.name)
        );
    }
    page.push_str("</div><table>\n");
    for (number, outcome) in outcomes.iter().enumerate() {
        let _ = write!(
            page,
            "<tr id=\"p{number}\"><td class=\"{}\">{}</td><td>{}<pre>{}</pre>",
            class(outcome),
            outcome.verdict(),
            escaped(&outcome.name),
            escaped(&outcome.said)
        );
        if let Some(frames) = outcome.differs.as_ref().filter(|f| !f.is_empty()) {
            let _ = write!(page, "<pre>other pictures at frames {frames:?}</pre>");
        }
        page.push_str("</td><td>");
        for picture in &outcome.pictures {
            let _ = write!(
                page,
                "<img src=\"{}\" alt=\"\" title=\"frame {}, {:016x}\">",
                picture.file, picture.frame, picture.hash
            );
        }
        page.push_str("</td></tr>\n");
    }
    page.push_str("</table></html>\n");
    page
}

/// Text for a page.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| problem(path, &e))
}

fn problem(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(frame: u64, hash: u64) -> Picture {
        Picture {
            frame,
            file: String::new(),
            hash,
            colours: 3,
        }
    }

    #[test]
    fn pictures_are_compared_with_the_list_by_name_and_frame() {
        let list = "a.xex\t480\t00000000000000ff\na.xex\t680\t0000000000000001\nb.xex\t480\t0000000000000007\n";
        let pictures = [picture(480, 255), picture(680, 2)];
        assert_eq!(differences(list, "a.xex", &pictures), Some(vec![680]));
        assert_eq!(differences(list, "b.xex", &pictures), Some(vec![480]));
        assert_eq!(differences(list, "c.xex", &pictures), None);
    }

    #[test]
    fn the_script_is_in_order_and_takes_every_picture() {
        let script = full_script();
        let frames: Vec<u64> = script
            .lines()
            .map(|line| line.split(' ').next().unwrap().parse().unwrap())
            .collect();
        assert!(frames.is_sorted());
        assert_eq!(script.matches("screenshot").count(), FRAMES.len());
    }
}
