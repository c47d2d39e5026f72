//! The commands' actions.
use super::{App, Mode};
use host::config::Action;
use session::Origin;
use session::picture::Composite;
use ui::overlay::{Page, Wish, question};

/// The action of a command.
type Act = fn(&mut App);

/// The commands of the window. Actions that are not here are held down, or are keys of the Atari.
const COMMANDS: &[(Action, Act)] = &[
    (Action::Help, |app| app.open_menu(Page::Keys)),
    (Action::Library, |app| app.open_menu(Page::Library)),
    (Action::Open, |app| app.open_menu(Page::Files)),
    (Action::Reset, |app| app.started.session.reset()),
    (Action::ColdStart, |app| {
        app.started.session.cold_start();
        app.after_jump();
    }),
    (Action::Menu, |app| {
        let started = app.start_menu();
        app.complain(started);
    }),
    (Action::Quit, |app| app.mode = Mode::Ending(None)),
    (Action::Debug, |app| {
        if app.debugging.is_open() && app.mode == Mode::Stopped {
            app.mode = Mode::Running;
        } else {
            app.open_debug_view();
        }
    }),
    (Action::Pause, |app| match app.mode {
        Mode::Paused => app.mode = Mode::Running,
        Mode::Running => app.mode = Mode::Paused,
        // An editor has stopped it.
        Mode::Stopped if !app.debugging.is_open() => app.mode = Mode::Running,
        _ => {}
    }),
    (Action::FrameAdvance, |app| {
        if app.mode == Mode::Running {
            app.mode = Mode::Paused;
        }
        if let Err(error) = app.run_one_frame() {
            app.mode = Mode::Ending(Some(error));
        }
    }),
    (Action::Screenshot, |app| {
        let written = app.screenshot();
        app.report(written, |path| format!("picture: {}", path.display()));
    }),
    (Action::Record, App::record_sound),
    (Action::RecordPicture, App::record_picture),
    (Action::Gif, App::gif_of_last_seconds),
    (Action::RecordGif, App::record_gif),
    (Action::OtherTv, |app| {
        let done = app.other_tv();
        app.complain(done);
    }),
    (Action::Mouse, App::next_mouse),
    (Action::Fullscreen, |app| {
        app.presentation.fill(!app.presentation.fullscreen);
    }),
    (Action::TurboToggle, |app| app.pace.turbo = !app.pace.turbo),
    (Action::SaveState, App::save_state),
    (Action::LoadState, App::load_state),
    (Action::SlotDown, |app| app.next_slot(false)),
    (Action::SlotUp, |app| app.next_slot(true)),
    (Action::JoystickKeys, |app| {
        let done = app.next_keys();
        app.complain(done);
    }),
    (Action::StoreCopy, |app| {
        let stored = app
            .started
            .host
            .store_copy(&mut app.started.session, &app.menu.folder);
        app.report(stored, |path| {
            format!("stored: {}, which is in the drive now", path.display())
        });
    }),
    (Action::Recover, |app| {
        let recovered = app.started.host.recover(&mut app.started.session);
        app.report(recovered, |(place, name)| {
            format!("{place} the copy of {name}")
        });
    }),
    (Action::NextDisk, |app| {
        match app.started.session.next_disk() {
            Some(name) => app.say(format!("D1: {name}")),
            None => app.say("no other disk was given (--disk FILE)"),
        }
    }),
    (Action::Paste, |app| match app.controls.clipboard.text() {
        Ok(text) => {
            let unknown = app.started.session.paste(&text);
            app.say(match unknown {
                0 => "typing the clipboard's text, Esc stops".to_owned(),
                n => format!("typing the clipboard's text without {n} characters that the Atari does not have, Esc stops"),
            });
        }
        Err(sentence) => app.say(sentence),
    }),
    (Action::Copy, |app| {
        let text = app.started.session.text();
        let copied = app.controls.clipboard.set_text(text);
        app.say(
            copied
                .err()
                .unwrap_or_else(|| "copied the text on the screen".to_owned()),
        );
    }),
    (Action::Break, App::stop_pasting),
    (Action::Artifacts, |app| {
        let mut look = app.presentation.display.look().clone();
        let on = look.is_plain();
        look.composite = if on { Composite::On } else { Composite::Off };
        app.presentation.set_look(look);
        app.say(if on {
            "artifact colours on"
        } else {
            "artifact colours off"
        });
    }),
    (Action::Mute, |app| {
        let mute = !app.speaker.is_mute();
        app.speaker.set_mute(mute);
        if !mute && !app.speaker.is_open() {
            // Without a sound card the sentence below says so.
            let _ = app.reopen_sound();
        }
        app.say(match (mute, app.speaker.is_open()) {
            (true, _) => "sound off",
            (false, true) => "sound on",
            (false, false) => "there is no sound device",
        });
    }),
];

impl App {
    /// Does a command. One that would cost the user what is in the machine asks first; the same key again means yes.
    pub(super) fn act(&mut self, action: Action) {
        let sure = self.menu.sure.take() == Some(action);
        if self.debugging.is_open() && self.refuses(action) {
            return;
        }
        let Some((_, act)) = COMMANDS.iter().find(|(known, _)| *known == action) else {
            return;
        };
        match question(action) {
            Some(question) if !sure && !self.may(action) => {
                self.open_question(question, Wish::Sure(action));
            }
            _ => {
                act(self);
                self.update_title();
            }
        }
    }

    /// True if a command needs no question. RESET leaves the menu of games, too.
    fn may(&self, action: Action) -> bool {
        if action == Action::OtherTv && self.played.seen.is_offered() {
            return true;
        }
        self.is_careless() && (action != Action::Reset || !self.config.window.ask)
    }

    /// True if nothing is lost by leaving what runs, or the user does not want to be asked.
    pub(super) fn is_careless(&self) -> bool {
        let session = &self.started.session;
        !self.config.window.ask || session.origin() == Origin::Menu || session.has_ended()
    }

    /// Says what has failed.
    pub(super) fn complain<T>(&mut self, done: Result<T, host::failure::Failure>) {
        if let Err(error) = done {
            self.say(error.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::config::ACTIONS;
    use ui::overlay::QUESTIONS;

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

    #[test]
    fn questions_are_asked_about_commands_alone() {
        for (action, _) in QUESTIONS {
            assert!(
                COMMANDS.iter().any(|(known, _)| known == action),
                "{action:?}"
            );
        }
    }
}
