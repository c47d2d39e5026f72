//! Slots of saved states: the one that the keys mean, and what all of them hold.
use super::App;
use crate::slots::{COUNT, Slots};
use host::Found;
use host::failure::Failure;
use host::files;
use host::scaler;
use host::when::{ago, date};
use machine::Machine;
use session::picture::Look;
use session::timeline::Moment;
use ui::overlay::{Saved, Still};

/// Pixels of the picture to one of a slot's picture, across and down.
const SMALLER: usize = 2;
/// Pixels of the picture to one of a picture of the film strip.
const SMALLEST: usize = 4;
/// Moments of the film strip: seconds before the present.
const STILLS: [u32; 17] = [
    1, 2, 3, 5, 8, 12, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1200, 2400,
];

/// The slots of the program that is played.
pub(super) struct States {
    files: Slots,
    /// The slot that the keys mean.
    pub slot: u8,
    /// Moments at which states were saved, and their slots.
    saves: Vec<(Moment, u8)>,
    /// Moments of the film strip whose pictures are still to be drawn, by their places in it.
    wanted: Vec<(usize, Moment)>,
}

impl States {
    /// Those of this program.
    pub fn of(found: &Found) -> Self {
        Self {
            files: Slots::of(found),
            slot: 0,
            saves: Vec::new(),
            wanted: Vec::new(),
        }
    }

    /// The time after this moment will be another future.
    pub fn forget_after(&mut self, now: Moment) {
        self.saves.retain(|(moment, _)| *moment <= now);
    }

    /// Another program is played now.
    pub fn change(&mut self, found: &Found) {
        self.files = Slots::of(found);
        self.saves.clear();
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
        if written.is_ok() {
            let now = self.started.session.moment();
            self.states.saves.retain(|(_, other)| *other != slot);
            self.states.saves.push((now, slot));
        }
        self.report(written, |moved| match moved {
            Some(other) => {
                format!("saved in slot {slot}; what another window saved there is in slot {other}")
            }
            None => format!("saved in slot {slot}"),
        });
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
        self.change_hardware(|hardware| {
            hardware.model = Some(info.model);
            hardware.tv = Some(info.tv);
        })
    }

    /// Tells the menu what is in the slots, and which moments are remembered.
    pub(super) fn read_slots(&mut self) {
        self.states.files.see_all();
        let slots = (0..COUNT).map(|slot| self.slot_picture(slot)).collect();
        let strip = self.strip();
        self.states.wanted = strip.iter().map(|still| still.moment).enumerate().collect();
        if let Some(overlay) = &mut self.menu.overlay {
            overlay.set_slots(slots);
            overlay.set_strip(strip);
        }
    }

    /// The film strip: the oldest moment first.
    fn strip(&self) -> Vec<Still> {
        let session = &self.started.session;
        if session.timeline().is_off() {
            return Vec::new();
        }
        let (now, oldest) = (session.moment(), session.track().oldest());
        let clock = session.machine().config().tv.clock();
        let before = |seconds: u32| {
            let cycles = (f64::from(seconds) * clock) as u64;
            let moment = Moment(now.0.checked_sub(cycles)?);
            Some(Still::new(
                moment,
                format!("{} ago", length(seconds)),
                false,
            ))
        };
        let saved = self.states.saves.iter().map(|&(moment, slot)| {
            let seconds = (now.0.saturating_sub(moment.0) as f64 / clock) as u32;
            let label = format!("slot {slot}, {} ago", length(seconds));
            Still::new(moment, label, true)
        });
        let all = STILLS.into_iter().filter_map(before).chain(saved);
        let mut strip: Vec<_> = all
            .filter(|still| (oldest..=now).contains(&still.moment))
            .collect();
        strip.sort_by_key(|still| still.moment);
        strip
    }

    /// Draws a picture of the film strip while the page shows it: one in each turn, the latest first.
    pub(super) fn draw_stills(&mut self) {
        let Some(overlay) = &mut self.menu.overlay else {
            return;
        };
        if !overlay.shows_states() {
            return;
        }
        let Some((number, moment)) = self.states.wanted.pop() else {
            return;
        };
        if let Some(machine) = self.started.session.timeline().machine_at(moment) {
            let look = self.presentation.display.look();
            let (size, pixels) = smaller(look, &machine, SMALLEST);
            overlay.set_still(number, size, pixels);
        }
    }

    /// Goes back to a remembered moment.
    pub(super) fn go_back_to(&mut self, moment: Moment) {
        let went = self.started.session.go_to(moment);
        self.states.forget_after(self.started.session.moment());
        self.after_jump();
        if !went {
            self.say("this moment is not remembered any more");
        }
    }

    /// Names a slot's state.
    pub(super) fn name_state(&mut self, slot: u8, name: &str) {
        let named = self.states.files.set_name(slot, name);
        self.complain(named);
    }

    /// Deletes a slot's state.
    pub(super) fn delete_state(&mut self, slot: u8) {
        let deleted = self.states.files.delete(slot);
        if deleted.is_ok() {
            self.states.saves.retain(|(_, other)| *other != slot);
        }
        self.report(deleted, |()| format!("slot {slot} is empty"));
        self.read_slots();
    }

    /// The state in a slot: its time, its name and its picture.
    fn slot_picture(&self, slot: u8) -> Option<Saved> {
        let path = self.states.files.existing(slot)?;
        let saved = std::fs::metadata(&path)
            .and_then(|about| about.modified())
            .ok()?;
        let state = files::read(&path).ok()?;
        let mut machine = self.started.session.machine().clone();
        let mut when = format!("{} ({})", ago(saved), date(saved));
        let mut loaded = machine.load_state(&state).is_ok();
        if !loaded && let Ok(other) = Machine::from_state(&state, &[], &[]) {
            let config = other.config();
            when = format!("{}, {when}", config.model.title(config.tv));
            machine = other;
            loaded = true;
        }
        let (mut size, mut pixels) = ((0, 0), Vec::new());
        if loaded {
            // States hold no picture; the second frame is whole.
            machine.run_frame();
            machine.run_frame();
            (size, pixels) = smaller(self.presentation.display.look(), &machine, SMALLER);
        }
        Some(Saved {
            when,
            name: self.states.files.name(slot),
            size,
            pixels,
        })
    }
}

/// A machine's picture made smaller: its size and pixels.
fn smaller(look: &Look, machine: &Machine, by: usize) -> ((usize, usize), Vec<u32>) {
    let mut picture = vec![0; scaler::WIDTH * scaler::HEIGHT];
    scaler::colour(look, machine.frame(), &mut picture);
    let size = (scaler::WIDTH / by, scaler::HEIGHT / by);
    let whole = (scaler::WIDTH, scaler::HEIGHT);
    (size, scaler::resize(&picture, whole, size))
}

/// A length of time in words.
fn length(seconds: u32) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        _ => format!("{} min {:02} s", seconds / 60, seconds % 60).replace(" 00 s", ""),
    }
}
