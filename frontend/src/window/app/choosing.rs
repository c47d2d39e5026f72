//! The list of files, and what comes of it.
use super::{App, Event};
use crate::host::Found;
use crate::window::chooser::Choice;

impl App {
    /// Gives an event to the list of files; false when it is not open.
    pub(super) fn choose(&mut self, event: Event) -> bool {
        let Some(chooser) = &mut self.chooser else {
            return false;
        };
        let choice = match event {
            Event::Key(key, true) => chooser.key(key),
            // Keys that were down before it opened.
            Event::Key(_, false) => return false,
            Event::Char(character) => {
                if !character.is_control() {
                    chooser.character(character);
                }
                None
            }
        };
        if let Some(choice) = choice {
            // What is stored goes beside an archive, not into it.
            let folder = chooser.folder();
            let folder = folder
                .parent()
                .filter(|_| folder.is_file())
                .unwrap_or(folder);
            folder.clone_into(&mut self.folder);
            self.chooser = None;
            self.canvas.pixels.fill(0);
            match choice {
                Choice::Nothing => {}
                Choice::Start(path) => {
                    let started = Found::file(&path, None)
                        .and_then(|found| self.start(&found).map(|()| found.program.flaw()));
                    match started {
                        Ok(Some(flaw)) => self.say(flaw),
                        Ok(None) => {}
                        Err(error) => self.say(error.to_string()),
                    }
                }
                Choice::Insert(path) => {
                    let inserted = self.host.insert_disk(&mut self.session, &path);
                    self.report(inserted, |()| format!("D1: {}", path.display()));
                }
            }
        }
        true
    }
}
