//! The library: the programs in the user's folders, what is kept of them, and their pictures. It has no window.
mod kept;
pub mod order;
mod portrait;
mod scan;
#[cfg(test)]
mod tests;

pub use self::kept::Mark;
pub use self::portrait::{Portrait, Portraits, SIZE};

use self::kept::Kept;
use self::scan::{News, Scan};
use crate::failure::plain;
use media::Kind;
use session::Origin;
use session::built_in::PLACES;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Recent titles at the beginning of the whole list.
const RECENT: usize = 6;

/// Where a title comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// A program that comes with Anticlock, by its name on the command line.
    BuiltIn(&'static str),
    /// A file, or `ARCHIVE.zip/NAME`.
    File(PathBuf),
}

impl Source {
    /// Its name in the file of marks.
    fn key(&self) -> String {
        match self {
            Self::BuiltIn(name) => format!("{}{name}", kept::BUILT_IN),
            Self::File(path) => path.to_string_lossy().into_owned(),
        }
    }
}

/// A program that can be started.
#[derive(Clone, Debug)]
pub struct Title {
    /// Where it comes from.
    pub source: Source,
    /// Its name as it is shown.
    pub name: String,
    /// Its kind, in words.
    pub kind: &'static str,
    /// Bytes of its file.
    pub size: u64,
    /// The folder or archive that it lies in.
    pub within: String,
    /// Natural order of names.
    order: String,
    /// Text that is searched.
    text: String,
}

impl Title {
    fn new(source: Source, name: &str, kind: &'static str, size: u64) -> Self {
        let within = match &source {
            Source::BuiltIn(_) => String::new(),
            Source::File(path) => {
                let parent = path.parent().unwrap_or(Path::new(""));
                plain(&parent.file_name().unwrap_or_default().to_string_lossy())
            }
        };
        Self {
            order: order::key(name),
            text: format!("{name} {kind} {within}").to_lowercase(),
            source,
            name: name.to_owned(),
            kind,
            size,
            within,
        }
    }

    /// The title of a file that is a program.
    fn of_file(path: PathBuf, kind: Kind, size: u64) -> Self {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = plain(&name);
        Self::new(Source::File(path), &name, describe(kind), size)
    }

    fn is_built_in(&self) -> bool {
        matches!(self.source, Source::BuiltIn(_))
    }
}

/// A kind of file, in a word.
fn describe(kind: Kind) -> &'static str {
    match kind {
        Kind::Disk => "disk",
        Kind::Binary => "program",
        Kind::Cartridge | Kind::Rom => "cartridge",
        Kind::Tape => "tape",
        Kind::Sap => "tune",
        Kind::State => "saved state",
        Kind::Save | Kind::Listing => "BASIC",
        Kind::Empty | Kind::Unknown => "file",
    }
}

/// Titles that a list shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// Recent ones, our own, then the user's.
    #[default]
    All,
    /// Those that were played, the last one first.
    Recent,
    /// Those that the user has marked.
    Favourites,
}

/// A row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// The titles that follow.
    Heading(&'static str),
    /// A title, by its number.
    Title(usize),
    /// A folder of the library, by its number.
    Folder(usize),
    /// The way to another folder.
    Add,
}

/// All titles.
#[derive(Debug)]
pub struct Library {
    folders: Vec<PathBuf>,
    titles: Vec<Title>,
    /// Sources of the titles.
    known: BTreeSet<Source>,
    kept: Kept,
    scan: Option<Scan>,
    looked: usize,
    faults: Vec<String>,
    version: u64,
}

impl Library {
    /// Our own programs, with the marks that a file holds. A file that is damaged counts as empty, and is kept beside the new one.
    pub fn new(marks: PathBuf) -> Self {
        let mut library = Self {
            folders: Vec::new(),
            titles: Vec::new(),
            known: BTreeSet::new(),
            kept: Kept::read(marks),
            scan: None,
            looked: 0,
            faults: Vec::new(),
            version: 0,
        };
        library.take(built_in());
        library
    }

    /// Looks through these folders, in the background; the list is filled as titles are found.
    pub fn look(&mut self, folders: &[PathBuf]) {
        folders.clone_into(&mut self.folders);
        self.titles.retain(Title::is_built_in);
        self.known = self.titles.iter().map(|t| t.source.clone()).collect();
        self.faults.clear();
        self.looked = 0;
        self.version += 1;
        let kept = self.kept.files().collect();
        self.scan = Some(Scan::begin(folders.to_vec(), kept));
    }

    /// Takes what the look through the folders has found since the last call; true if the list has changed.
    pub fn poll(&mut self) -> bool {
        let Some(scan) = &self.scan else {
            return false;
        };
        let before = (self.version, self.looked);
        let (news, ended) = scan.news();
        let mut found = Vec::new();
        for item in news {
            match item {
                News::Found(title) => found.push(title),
                News::Looked(files) => self.looked = files,
                News::Fault(fault) => self.faults.push(fault),
            }
        }
        if ended {
            self.scan = None;
            self.version += 1;
        }
        self.take(found);
        before != (self.version, self.looked)
    }

    fn take(&mut self, found: Vec<Title>) {
        if found.is_empty() {
            return;
        }
        let known = &mut self.known;
        let new = found
            .into_iter()
            .filter(|title| known.insert(title.source.clone()));
        self.titles.extend(new);
        // Our own stay in the menu's order.
        self.titles
            .sort_by(|a, b| match (a.is_built_in(), b.is_built_in()) {
                (false, false) => (&a.order, &a.source).cmp(&(&b.order, &b.source)),
                (a, b) => b.cmp(&a),
            });
        self.version += 1;
    }

    /// Changes with each change of the list.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// True while the folders are looked through.
    pub fn is_looking(&self) -> bool {
        self.scan.is_some()
    }

    /// Files that the look through the folders has come past.
    pub fn looked(&self) -> usize {
        self.looked
    }

    /// Folders that could not be looked into, each in a sentence.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// The folders.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// A title.
    pub fn title(&self, number: usize) -> Option<&Title> {
        self.titles.get(number)
    }

    /// The mark of a title.
    pub fn mark(&self, source: &Source) -> Mark {
        self.kept.mark(&source.key())
    }

    /// Notes that a title is played from now on.
    pub fn played(&mut self, source: &Source, now: SystemTime) {
        let since = now.duration_since(SystemTime::UNIX_EPOCH);
        let seconds = since.unwrap_or_default().as_secs();
        self.kept
            .change(&source.key(), |mark| mark.played = Some(seconds));
        self.version += 1;
        let Source::File(path) = source else { return };
        if !self.known.contains(source) {
            self.take(scan::title(path).into_iter().collect());
        }
    }

    /// Marks a title as a favourite, or takes the mark away.
    pub fn favour(&mut self, source: &Source) {
        self.kept.change(&source.key(), |mark| {
            mark.favourite = !mark.favourite;
        });
        self.version += 1;
    }

    /// Writes what is kept, if it has changed.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&mut self) -> Result<(), crate::failure::Failure> {
        self.kept.save()
    }

    /// The rows of the list. With words in `search` they are the titles that have all of them.
    pub fn rows(&self, filter: Filter, search: &str) -> Vec<Row> {
        let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
        let fits = |n: &usize| words.iter().all(|word| self.titles[*n].text.contains(word));
        let titles = |rows: Vec<usize>| rows.into_iter().filter(fits).map(Row::Title);
        match filter {
            Filter::Recent => return titles(self.recent()).collect(),
            Filter::Favourites => {
                let favourite = |n: &usize| self.mark(&self.titles[*n].source).favourite;
                let all = (0..self.titles.len()).filter(favourite).collect();
                return titles(all).collect();
            }
            Filter::All => {}
        }
        let all = (0..self.titles.len()).collect();
        if !words.is_empty() {
            return titles(all).collect();
        }
        let (own, files): (Vec<_>, Vec<_>) = titles(all)
            .partition(|row| matches!(row, Row::Title(n) if self.titles[*n].is_built_in()));
        let recent = self.recent().into_iter().take(RECENT).map(Row::Title);
        let folders = (0..self.folders.len()).map(Row::Folder).chain([Row::Add]);
        let mut rows = Vec::new();
        for (heading, part) in [
            ("Recent", recent.collect()),
            ("Our own", own),
            ("Yours", files),
            ("Folders", folders.collect::<Vec<_>>()),
        ] {
            if !part.is_empty() {
                rows.push(Row::Heading(heading));
                rows.extend(part);
            }
        }
        rows
    }

    /// Titles that were played, the last one first.
    fn recent(&self) -> Vec<usize> {
        let played = |n: usize| Some((self.mark(&self.titles[n].source).played?, n));
        let mut all: Vec<_> = (0..self.titles.len()).filter_map(played).collect();
        all.sort_by_key(|&(played, n)| (std::cmp::Reverse(played), n));
        all.into_iter().map(|(_, n)| n).collect()
    }
}

/// Our own programs, in the order of the menu.
fn built_in() -> Vec<Title> {
    let title = |known: &session::built_in::BuiltIn| {
        let kind = match known.origin {
            Origin::User => "BASIC",
            _ => "game",
        };
        let size = known.save_file.map_or(0, <[u8]>::len) as u64;
        Title::new(Source::BuiltIn(known.name), known.title, kind, size)
    };
    let mut all = session::built_in::all();
    let place = |name| PLACES.iter().position(|p| p.name == name);
    all.sort_by_key(|known| place(known.name).unwrap_or(PLACES.len()));
    all.iter().map(title).collect()
}
