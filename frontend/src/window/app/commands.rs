//! What the commands do.
use super::{App, Mode};
use crate::config::{Action, MouseMode};
use crate::failure::Failure;
use crate::host::Found;
use crate::platform::screen;
use crate::slots;
use crate::ui::overlay::{Page, Wish};
use session::Origin;
use session::picture::Composite;

/// What a command does.
type Act = fn(&mut App);

/// The commands of the window. Actions that are not here are held down, or are keys of the Atari.
const COMMANDS: &[(Action, Act)] = &[
    (Action::Help, |app| app.open_menu(Page::Keys)),
    (Action::Open, |app| app.open_menu(Page::Files)),
    (Action::Reset, |app| {
        app.ask("Press RESET?", Action::Reset, |app| {
            app.session.reset();
        });
    }),
    (Action::ColdStart, |app| {
        app.ask("Switch the Atari off and on?", Action::ColdStart, |app| {
            app.session.cold_start();
            app.after_jump();
        });
    }),
    (Action::Menu, |app| {
        app.ask("Leave for the menu of games?", Action::Menu, |app| {
            let menu = Found::named("menu".as_ref(), &app.options.machine);
            let started = menu.and_then(|menu| app.start(&menu));
            if let Err(error) = started {
                app.say(error.to_string());
            }
        });
    }),
    (Action::Quit, |app| {
        app.ask("End Anticlock?", Action::Quit, |app| {
            app.mode = Mode::Ending;
        });
    }),
    (Action::Debug, |app| {
        if app.debug.is_some() && app.mode == Mode::Stopped {
            app.mode = Mode::Running;
        } else {
            app.open_debug_view();
        }
    }),
    (Action::Pause, |app| {
        app.mode = match app.mode {
            Mode::Paused => Mode::Running,
            Mode::Running => Mode::Paused,
            other => other,
        };
        app.update_title();
    }),
    (Action::FrameAdvance, |app| {
        if app.mode == Mode::Running {
            app.mode = Mode::Paused;
        }
        if let Err(error) = app.run_one_frame() {
            app.failure = Some(error);
            app.mode = Mode::Ending;
        }
    }),
    (Action::Screenshot, |app| {
        let written = app.screenshot();
        app.report(written, |path| format!("picture: {}", path.display()));
    }),
    (Action::Record, |app| {
        app.record_sound();
    }),
    (Action::RecordPicture, |app| {
        app.record_picture();
    }),
    (Action::OtherTv, |app| {
        let question = "Start the program again on the other television system?";
        app.ask(question, Action::OtherTv, |app| {
            if let Err(error) = app.other_tv() {
                app.say(error.to_string());
            }
        });
    }),
    (Action::Mouse, |app| {
        app.mouse = match app.mouse {
            MouseMode::Off => MouseMode::Paddles,
            MouseMode::Paddles => MouseMode::Off,
        };
        app.say(match app.mouse {
            MouseMode::Off => "the mouse is nothing",
            MouseMode::Paddles => "the mouse is paddles 0 and 1",
        });
    }),
    (Action::Fullscreen, |app| {
        app.fullscreen = !app.fullscreen;
        screen::fill(&app.window, app.fullscreen);
    }),
    (Action::TurboToggle, |app| {
        app.turbo = !app.turbo;
        app.update_title();
    }),
    (Action::SaveState, |app| {
        let state = app.session.save_state();
        let written = app.slots.save(app.slot, &state);
        let slot = app.slot;
        app.report(written, |()| format!("saved in slot {slot}"));
    }),
    (Action::LoadState, |app| {
        let slot = app.slot;
        let loaded = app.slots.load(slot).and_then(|(path, state)| {
            app.session
                .load_state(&state)
                .map_err(|error| Failure::file(&path, error))
        });
        app.after_jump();
        app.report(loaded, |()| format!("loaded slot {slot}"));
    }),
    (Action::SlotDown, |app| {
        app.choose_slot(app.slot + slots::COUNT - 1);
    }),
    (Action::SlotUp, |app| app.choose_slot(app.slot + 1)),
    (Action::JoystickKeys, |app| {
        app.keyboard.mode = app.keyboard.mode.next();
        app.update_title();
        app.say(app.keyboard.mode.describe());
    }),
    (Action::StoreCopy, |app| {
        let stored = app.host.store_copy(&mut app.session, &app.folder);
        app.update_title();
        app.report(stored, |path| {
            format!("stored: {}, which is in the drive now", path.display())
        });
    }),
    (Action::Recover, |app| {
        let recovered = app.host.recover(&mut app.session);
        app.update_title();
        app.report(recovered, |name| format!("D1: the copy of {name}"));
    }),
    (Action::NextDisk, |app| match app.session.next_disk() {
        Some(name) => app.say(format!("D1: {name}")),
        None => app.say("no other disk was given (--disk FILE)"),
    }),
    (Action::Paste, |app| match app.clipboard.text() {
        Ok(text) => {
            let unknown = app.session.paste(&text);
            app.say(match unknown {
                0 => "typing the clipboard's text, Esc stops".to_owned(),
                n => format!("typing the clipboard's text without {n} characters that the Atari does not have, Esc stops"),
            });
        }
        Err(sentence) => app.say(sentence),
    }),
    (Action::Copy, |app| {
        let text = app.session.text();
        let copied = app.clipboard.set_text(text);
        app.say(
            copied
                .err()
                .unwrap_or_else(|| "copied the text on the screen".to_owned()),
        );
    }),
    (Action::Break, |app| {
        app.stop_pasting();
    }),
    (Action::Artifacts, |app| {
        let mut look = app.display.look().clone();
        let on = look.is_plain();
        look.composite = if on { Composite::On } else { Composite::Off };
        app.display.set_look(look);
        app.say(if on {
            "artifact colours on"
        } else {
            "artifact colours off"
        });
    }),
    (Action::Mute, |app| {
        app.mute = !app.mute;
        #[cfg(feature = "sound")]
        if let Some(output) = &mut app.output {
            output.mute = app.mute;
        }
        app.update_title();
        app.say(if app.mute { "sound off" } else { "sound on" });
    }),
];

impl App {
    /// Does a command.
    pub(super) fn act(&mut self, action: Action) {
        if self.debug.is_some() && self.spare(action) {
            return;
        }
        if let Some((_, act)) = COMMANDS.iter().find(|(known, _)| *known == action) {
            act(self);
        }
    }

    /// Does something that would cost the user what is in the machine; asks first. The same key again means yes.
    fn ask(&mut self, question: &str, action: Action, act: Act) {
        let sure = self.sure.take() == Some(action);
        if sure || self.is_careless() {
            act(self);
        } else {
            self.open_question(question, Wish::Sure(action));
        }
    }

    /// Whether nothing is lost by leaving what runs, or the user does not want to be asked.
    pub(super) fn is_careless(&self) -> bool {
        let session = &self.session;
        !self.config.window.ask || session.origin() == Origin::Menu || session.has_ended()
    }

    /// Chooses a slot of saved states.
    pub(super) fn choose_slot(&mut self, slot: u8) {
        self.slot = slot % slots::COUNT;
        let state = if self.slots.existing(self.slot).is_some() {
            "has a state"
        } else {
            "is empty"
        };
        self.say(format!("slot {} {state}", self.slot));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ACTIONS;

    #[test]
    fn every_action_is_a_command_or_is_held_or_a_key_of_the_atari() {
        use Action as A;
        let others = [
            A::Option,
            A::Select,
            A::Start,
            A::HelpKey,
            A::Turbo,
            A::Rewind,
            A::Inverse,
            A::Caps,
            A::Clear,
            A::Insert,
            A::Delete,
        ];
        for &(action, ..) in ACTIONS {
            let commands = COMMANDS
                .iter()
                .filter(|(known, _)| *known == action)
                .count();
            assert_eq!(
                commands,
                usize::from(!others.contains(&action)),
                "{action:?}"
            );
        }
    }
}
