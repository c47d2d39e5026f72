//! The look through the folders, in a thread of its own. It only reads.
use super::Title;
use crate::failure::plain;
use crate::files::canonical;
use crate::packed::{GZIP, LARGEST, START, look_through, split, unpacked_name};
use flate2::read::GzDecoder;
use media::Kind;
use std::collections::{BTreeSet, VecDeque};
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread;
use zip::ZipArchive;

/// Files that are looked at; a folder that has more is not a collection of programs.
const MOST: usize = 200_000;
/// Files from one report of progress to the next.
const STEP: usize = 50;
/// News that wait for being taken; the thread waits as well when there are more.
const WAITING: usize = 4096;
/// Lengths of plain dumps of cartridges.
const DUMPS: std::ops::RangeInclusive<u64> = 0x800..=0x80_0000;

/// News of the look.
pub enum News {
    /// A title.
    Found(Title),
    /// This many files have been looked at.
    Looked(usize),
    /// A folder that cannot be looked into.
    Fault(String),
}

/// A look through folders. It ends when it is dropped.
#[derive(Debug)]
pub struct Scan {
    news: Receiver<News>,
}

impl Scan {
    /// Begins with files that are known from before, then looks through the folders.
    pub fn begin(folders: Vec<PathBuf>, kept: Vec<PathBuf>) -> Self {
        let (sender, news) = sync_channel(WAITING);
        let look = move || {
            let mut walk = Walk::new(sender);
            // An error is an end: no list is there any more.
            let _ = walk.files(kept).and_then(|()| walk.folders(folders));
        };
        // Without a thread there are no titles, as with empty folders.
        let _ = thread::Builder::new().name("library".into()).spawn(look);
        Self { news }
    }

    /// The news since the last call, and whether the look has ended.
    pub fn news(&self) -> (Vec<News>, bool) {
        let mut all = Vec::new();
        while all.len() < WAITING {
            match self.news.try_recv() {
                Ok(news) => all.push(news),
                Err(end) => return (all, end == TryRecvError::Disconnected),
            }
        }
        (all, false)
    }
}

/// Nobody takes the news any more.
struct Ended;

struct Walk {
    news: SyncSender<News>,
    looked: usize,
    /// Folders that were looked into: links may lead in circles.
    seen: BTreeSet<PathBuf>,
}

impl Walk {
    fn new(news: SyncSender<News>) -> Self {
        Self {
            news,
            looked: 0,
            seen: BTreeSet::new(),
        }
    }

    fn tell(&self, news: News) -> Result<(), Ended> {
        self.news.send(news).map_err(|_| Ended)
    }

    fn files(&mut self, files: Vec<PathBuf>) -> Result<(), Ended> {
        for path in files {
            if let Some(title) = title(&path) {
                self.tell(News::Found(title))?;
            }
        }
        Ok(())
    }

    fn folders(&mut self, folders: Vec<PathBuf>) -> Result<(), Ended> {
        let mut left = VecDeque::from(folders);
        while let Some(folder) = left.pop_front() {
            if self.looked >= MOST {
                let fault = format!("the library ends after {MOST} files");
                return self.tell(News::Fault(fault));
            }
            self.folder(&folder, &mut left)?;
        }
        self.tell(News::Looked(self.looked))
    }

    /// Looks at what is in a folder; folders in it are left for later.
    fn folder(&mut self, folder: &Path, left: &mut VecDeque<PathBuf>) -> Result<(), Ended> {
        let listed = canonical(folder).and_then(|real| {
            let new = self.seen.insert(real);
            new.then(|| fs::read_dir(folder)).transpose()
        });
        let entries = match listed {
            Ok(entries) => entries.into_iter().flatten().flatten(),
            Err(error) => {
                let name = plain(&folder.display().to_string());
                return self.tell(News::Fault(format!(
                    "{name} cannot be looked into: {error}"
                )));
            }
        };
        for entry in entries {
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let path = entry.path();
            // Links count as what they lead to.
            let Ok(about) = fs::metadata(&path) else {
                continue;
            };
            if about.is_dir() {
                left.push_back(path);
                continue;
            }
            self.looked += 1;
            if self.looked.is_multiple_of(STEP) {
                self.tell(News::Looked(self.looked))?;
            }
            if self.looked >= MOST {
                break;
            }
            for title in titles(&path) {
                self.tell(News::Found(title))?;
            }
        }
        Ok(())
    }
}

/// The title that a path leads to, into an archive too; none when that is not a program, or has gone.
pub fn title(path: &Path) -> Option<Title> {
    let (file, _) = split(path);
    let mut all = titles(&file);
    let same = all
        .iter()
        .position(|title| title.source == super::Source::File(path.to_owned()));
    let only = (all.len() == 1 && file == path).then_some(0);
    same.or(only).map(|n| all.swap_remove(n))
}

/// The programs in a file: one, those in an archive, or none.
fn titles(path: &Path) -> Vec<Title> {
    // A pipe would be waited for.
    let file = fs::metadata(path).ok().filter(fs::Metadata::is_file);
    let Some(length) = file.map(|about| about.len()) else {
        return Vec::new();
    };
    let Ok(file) = File::open(path) else {
        return Vec::new();
    };
    let mut file = BufReader::with_capacity(START as usize, file);
    let mut start = Vec::new();
    if file.by_ref().take(START).read_to_end(&mut start).is_err() {
        return Vec::new();
    }
    if start.starts_with(b"PK\x03\x04") {
        return archived(path);
    }
    if length > LARGEST {
        return Vec::new();
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let kind = kind(&name, &start, length);
    kind.map(|kind| Title::of_file(path.to_owned(), kind, length))
        .into_iter()
        .collect()
}

/// The programs in an archive.
fn archived(path: &Path) -> Vec<Title> {
    let mut found = Vec::new();
    let archive = File::open(path).map(BufReader::new);
    if let Ok(mut archive) = archive
        .map_err(|_| ())
        .and_then(|f| ZipArchive::new(f).map_err(|_| ()))
    {
        look_through(&mut archive, |name, start, length| {
            if let Some(kind) = kind(&name, start, length).filter(|_| length <= LARGEST) {
                found.push(Title::of_file(path.join(&name), kind, length));
            }
        });
    }
    found
}

/// The kind of a file, by its first bytes; by its name only where nothing contradicts it. `None` if it is not a program.
fn kind(path: &str, start: &[u8], length: u64) -> Option<Kind> {
    if start.starts_with(&GZIP) {
        let mut inner = Vec::new();
        // What can be read of the beginning is enough.
        let _ = GzDecoder::new(start).take(START).read_to_end(&mut inner);
        let name = unpacked_name(path);
        // A whole disk without a header is known by its length, which a GZ file does not say at its beginning.
        let raw = name
            .to_ascii_lowercase()
            .ends_with(".xfd")
            .then_some(Kind::Disk);
        return kind(&name, &inner, inner.len() as u64).or(raw.filter(|_| !inner.is_empty()));
    }
    if !media::is_for_machine(path, start, usize::try_from(length).ok()?) {
        return None;
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    match (media::recognise(name, start), media::recognise("", start)) {
        (Kind::Rom, _) if DUMPS.contains(&length) && length.is_multiple_of(0x400) => {
            Some(Kind::Rom)
        }
        (Kind::Rom, _) => None,
        // A disk without a header: of the right length.
        (_, Kind::Unknown) => {
            media::is_for_machine("", start, usize::try_from(length).ok()?).then_some(Kind::Disk)
        }
        (_, known) => Some(known),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_first_bytes() {
        let xex = [0xFF, 0xFF, 0, 0x20, 0, 0x20, 0x60];
        for (name, start, length, wanted) in [
            ("a.xex", &xex[..], 7, Some(Kind::Binary)),
            ("a", &xex, 7, Some(Kind::Binary)),
            ("setup.exe", b"MZ\x90\0", 50_000, None),
            ("a.rom", &xex, 0x2000, Some(Kind::Rom)),
            ("firmware.bin", &xex[2..], 12_345, None),
            ("letter.txt", b"Dear Sir,\n", 10, None),
            ("list.txt", b"10 PRINT 1\n", 11, Some(Kind::Listing)),
            ("x.atr", b"\x96\x02\0", 92_176, Some(Kind::Disk)),
            ("x.atr", b"no disk", 100, None),
            ("x.xfd", b"no header", 92_160, Some(Kind::Disk)),
            ("picture.png", b"\x89PNG", 92_161, None),
            ("x.cas", b"FUJI\0\0\0\0", 100, Some(Kind::Tape)),
            ("x.cas", b"no tape", 100, None),
            ("empty.xex", b"", 0, None),
        ] {
            assert_eq!(kind(name, start, length), wanted, "{name}");
        }
    }
}
