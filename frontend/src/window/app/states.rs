//! Slots of saved states: the one that the keys mean, and what all of them hold.
use super::App;
use crate::slots::{COUNT, Slots};
use host::Found;
use host::failure::Failure;
use host::files;
use host::scaler;
use host::when::ago;
use machine::Machine;
use std::path::Path;
use ui::overlay::Saved;

/// Pixels of the picture to one of a thumbnail, across and down.
const SMALLER: usize = 4;

/// The slots of the program that is played.
pub(super) struct States {
    files: Slots,
    /// The slot that the keys mean.
    pub slot: u8,
}

impl States {
    /// Those of this program.
    pub fn of(found: &Found) -> Self {
        Self {
            files: Slots::of(found),
            slot: 0,
        }
    }

    /// Another program is played now.
    pub fn change(&mut self, found: &Found) {
        self.files = Slots::of(found);
    }
}

impl App {
    /// Chooses a slot; numbers go round.
    pub(super) fn choose_slot(&mut self, slot: u8) {
        self.states.slot = slot % COUNT;
        let slot = self.states.slot;
        let state = if self.states.files.existing(slot).is_some() {
            "has a state"
        } else {
            "is empty"
        };
        self.say(format!("slot {slot} {state}"));
    }

    /// The slot after the chosen one, or before it.
    pub(super) fn next_slot(&mut self, forward: bool) {
        let by = if forward { 1 } else { COUNT - 1 };
        self.choose_slot(self.states.slot + by);
    }

    pub(super) fn save_state(&mut self) {
        let state = self.started.session.save_state();
        let slot = self.states.slot;
        let written = self.states.files.save(slot, &state);
        self.report(written, |()| format!("saved in slot {slot}"));
    }

    pub(super) fn load_state(&mut self) {
        let slot = self.states.slot;
        let loaded = self.states.files.load(slot).and_then(|(path, state)| {
            self.become_machine_of(&state)?;
            let loaded = self.started.session.load_state(&state);
            loaded.map_err(|error| Failure::file(&path, error))
        });
        self.after_jump();
        self.report(loaded, |()| format!("loaded slot {slot}"));
    }

    /// Starts the program on the model and television system of a state that can be used there, where they are others.
    fn become_machine_of(&mut self, state: &[u8]) -> Result<(), Failure> {
        let Ok(info) = machine::state_info(state) else {
            return Ok(());
        };
        let config = self.started.session.machine().config();
        let same = (config.model, config.tv) == (info.model, info.tv);
        if same || Machine::from_state(state, &[], &[]).is_err() {
            return Ok(());
        }
        let found = self.again()?;
        let model = self.started.session.set_model(Some(info.model));
        let tv = self.started.session.set_tv(Some(info.tv));
        self.start(&found).inspect_err(|_| {
            self.started.session.set_model(model);
            self.started.session.set_tv(tv);
        })
    }

    /// Tells the menu what is in the slots.
    pub(super) fn read_slots(&mut self) {
        let picture = |slot| self.slot_picture(&self.states.files.existing(slot)?);
        let pictures = (0..COUNT).map(picture).collect();
        if let Some(overlay) = &mut self.menu.overlay {
            overlay.set_slots(pictures);
        }
    }

    /// When a state was saved, and what it shows, made smaller.
    fn slot_picture(&self, path: &Path) -> Option<Saved> {
        let saved = std::fs::metadata(path)
            .and_then(|about| about.modified())
            .ok()?;
        let state = files::read(path).ok()?;
        let size = (scaler::WIDTH / SMALLER, scaler::HEIGHT / SMALLER);
        let mut machine = self.started.session.machine().clone();
        let mut picture = vec![0; scaler::WIDTH * scaler::HEIGHT];
        let mut when = ago(saved);
        let mut loaded = machine.load_state(&state).is_ok();
        if !loaded && let Ok(other) = Machine::from_state(&state, &[], &[]) {
            let config = other.config();
            when = format!("{}, {when}", config.model.title(config.tv));
            machine = other;
            loaded = true;
        }
        if loaded {
            // States hold no picture; the second frame is whole.
            machine.run_frame();
            machine.run_frame();
            scaler::colour(
                self.presentation.display.look(),
                machine.frame(),
                &mut picture,
            );
        }
        Some(Saved {
            when,
            size,
            pixels: scaler::resize(&picture, (scaler::WIDTH, scaler::HEIGHT), size),
        })
    }
}
