//! Visits the screens of the games: `crawl` says what is wrong, `sheets` shows them all.

use std::fs;
use std::path::Path;

use host::screenshot::png_rgb;
use machine::{Frame, Model, Tv};
use session::picture::palette;
use tests::crawl::{Report, Subject, crawl, subjects};

/// Frames for each game, model and television.
const FRAMES: u32 = 60_000;
const MACHINES: [(Model, Tv); 6] = [
    (Model::Xl800, Tv::Ntsc),
    (Model::Xl800, Tv::Pal),
    (Model::Atari800, Tv::Ntsc),
    (Model::Atari800, Tv::Pal),
    (Model::Atari400, Tv::Ntsc),
    (Model::Atari400, Tv::Pal),
];
/// Pictures side by side on a sheet, and one below the other.
const COLUMNS: usize = 4;
const ROWS: usize = 6;

struct Options {
    frames: u32,
    game: Option<String>,
}

impl Options {
    fn parse(words: &[&str]) -> Result<Self, String> {
        let mut options = Self {
            frames: FRAMES,
            game: None,
        };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            if word == "--frames" {
                options.frames = words
                    .next()
                    .and_then(|n| n.parse().ok())
                    .ok_or("--frames wants a number")?;
            } else {
                options.game = Some(word.to_owned());
            }
        }
        Ok(options)
    }

    fn subjects(&self) -> Result<Vec<Subject>, String> {
        let all = subjects();
        let Some(name) = &self.game else {
            return Ok(all);
        };
        let found: Vec<Subject> = all.into_iter().filter(|s| s.name == name).collect();
        if found.is_empty() {
            return Err(format!("there is no game called {name}"));
        }
        Ok(found)
    }
}

fn visit(subject: Subject, model: Model, tv: Tv, frames: u32) -> Report {
    let report = crawl(subject, model, tv, frames, 1);
    println!(
        "{:13} {model:?} {tv:?}: {} kinds of screen, {} looks, {} detours, {} frames, {} faults",
        subject.name,
        report.screens.len(),
        report.looks,
        report.detours,
        report.frames,
        report.faults.len()
    );
    for fault in &report.faults {
        println!("  {fault}");
    }
    report
}

/// Crawls through every game, or one, on all machines on which it fits.
///
/// # Errors
/// When something is wrong with a picture.
pub fn run(words: &[&str]) -> Result<(), String> {
    let options = Options::parse(words)?;
    let (mut runs, mut screens, mut looks, mut detours, mut faults) = (0, 0, 0, 0, 0);
    for subject in options.subjects()? {
        for (model, tv) in MACHINES {
            if subject.listing_for(model).is_none() {
                continue;
            }
            let report = visit(subject, model, tv, options.frames);
            runs += 1;
            screens += report.screens.len();
            looks += report.looks;
            detours += report.detours;
            faults += report.faults.len();
        }
    }
    println!(
        "{runs} runs, {screens} kinds of screen, {looks} looks, {detours} detours, {faults} faults"
    );
    if faults > 0 {
        return Err(format!("{faults} faults"));
    }
    Ok(())
}

/// Writes sheets of all screens to a folder.
///
/// # Errors
/// When a file cannot be written.
pub fn sheets(words: &[&str]) -> Result<(), String> {
    let Some((&folder, words)) = words.split_first() else {
        return Err("usage: xtask sheets FOLDER [GAME] [--frames N]".to_owned());
    };
    let options = Options::parse(words)?;
    let folder = Path::new(folder);
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for subject in options.subjects()? {
        for (model, tv) in [(Model::Xl800, Tv::Ntsc), (Model::Atari800, Tv::Pal)] {
            if subject.listing_for(model).is_none() {
                continue;
            }
            let report = visit(subject, model, tv, options.frames);
            let colours = palette(tv);
            for (number, screens) in report.screens.chunks(COLUMNS * ROWS).enumerate() {
                let rows = screens.len().div_ceil(COLUMNS);
                let width = COLUMNS * Frame::WIDTH;
                let mut sheet = vec![[64; 3]; width * rows * Frame::HEIGHT];
                for (index, screen) in screens.iter().enumerate() {
                    let (column, row) = (index % COLUMNS, index / COLUMNS);
                    for (y, line) in screen.pixels.chunks(Frame::WIDTH).enumerate() {
                        let at = (row * Frame::HEIGHT + y) * width + column * Frame::WIDTH;
                        for (pixel, &colour) in sheet[at..].iter_mut().zip(line) {
                            *pixel = colours[usize::from(colour)];
                        }
                    }
                    println!("  {number}.{index}: {}", screen.path);
                }
                let name = format!("{}-{tv:?}-{number}.png", subject.name).to_lowercase();
                let path = folder.join(name);
                let png = png_rgb(width, &sheet).map_err(|error| error.to_string())?;
                fs::write(&path, png).map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
    }
    Ok(())
}
