//! The library behind its page: the look through the folders, pictures, and what the page asks for.
use super::App;
use host::config;
use host::failure::{Failure, plain};
use host::library::{Library, Portraits, Source};
use host::{Found, files};
use std::path::PathBuf;
use std::time::SystemTime;
use ui::overlay::{Deed, Wish};

/// The library, and the pictures of its titles.
pub(super) struct Shelf {
    pub library: Library,
    /// From the first one that is asked for on.
    portraits: Option<Portraits>,
    /// The folders have been looked through.
    looked: bool,
}

impl Shelf {
    /// Not looked through yet.
    pub fn new() -> Self {
        Self {
            library: Library::new(config::library()),
            portraits: None,
            looked: false,
        }
    }

    /// Pictures that were asked for are not wanted any more.
    pub fn forget_pictures(&self) {
        if let Some(portraits) = &self.portraits {
            portraits.forget();
        }
    }
}

impl App {
    /// While the library is shown: what has been found, and pictures that have come.
    pub(super) fn look_at_library(&mut self) {
        let Some(overlay) = &mut self.menu.overlay else {
            return;
        };
        if !overlay.shows_library() {
            return;
        }
        if !std::mem::replace(&mut self.shelf.looked, true) {
            self.shelf.library.look(&self.config.library);
        }
        if self.shelf.library.poll() {
            overlay.renew();
        }
        let portraits = self.shelf.portraits.iter();
        for (source, portrait) in portraits.flat_map(|all| std::iter::from_fn(|| all.next())) {
            overlay.set_portrait(source, portrait.as_ref());
        }
    }

    /// Does what the library's page asks for.
    pub(super) fn serve_library(&mut self, deed: Deed) {
        match deed {
            Deed::Play(Source::File(path)) => self.carry_out(Wish::Choose(path)),
            Deed::Play(source @ Source::BuiltIn(name)) => {
                self.close_menu();
                let all = session::built_in::all();
                let known = all.iter().find(|known| known.name == name);
                self.ask_to_start(source, known.map_or(name, |known| known.title));
            }
            Deed::Favour(source) => {
                self.shelf.library.favour(&source);
                let saved = self.shelf.library.save();
                self.complain(saved);
            }
            Deed::Show(source) => {
                let portraits = &mut self.shelf.portraits;
                let portraits =
                    portraits.get_or_insert_with(|| Portraits::new(config::portraits()));
                portraits.ask(source);
            }
            Deed::Look => self.shelf.library.look(&self.config.library),
            Deed::Collect(folder) => self.collect(folder),
            Deed::Leave(number) => {
                let mut folders = self.config.library.clone();
                if number < folders.len() {
                    folders.remove(number);
                    self.set_folders(folders);
                }
            }
        }
    }

    /// Adds a folder to the library.
    pub(super) fn collect(&mut self, folder: PathBuf) {
        let folder = files::canonical(&folder).unwrap_or(folder);
        let name = plain(&folder.display().to_string());
        let mut folders = self.config.library.clone();
        if folders.contains(&folder) {
            self.say(format!("{name} is in the library"));
            return;
        }
        if folder.to_str().is_none() {
            self.say(format!(
                "{name} has a name that the configuration file cannot hold"
            ));
            return;
        }
        folders.push(folder);
        self.set_folders(folders);
        self.say(format!("the library shows the programs in {name}"));
    }

    fn set_folders(&mut self, folders: Vec<PathBuf>) {
        self.shelf.looked = true;
        self.shelf.library.look(&folders);
        self.keep(|config| config.library = folders);
    }

    /// Notes that a program is played from now on; the menu and states of machines are not.
    pub(super) fn note_played(&mut self) {
        let found = &self.started.found;
        let source = match &found.path {
            Some(path) => Some(Source::File(
                files::canonical(path).unwrap_or_else(|_| path.clone()),
            )),
            None => session::built_in::all()
                .into_iter()
                .find(|known| known.title == found.program.title)
                .map(|known| Source::BuiltIn(known.name)),
        };
        if let Some(source) = source {
            self.shelf.library.played(&source, SystemTime::now());
            // What cannot be written is tried again with the next program: no game waits for it.
            let _ = self.shelf.library.save();
        }
    }

    /// The program of a source.
    pub(super) fn found(&self, source: &Source) -> Result<Found, Failure> {
        match source {
            Source::File(path) => Found::file(path, None),
            Source::BuiltIn(name) => Found::named((*name).as_ref(), &self.started.options),
        }
    }
}
