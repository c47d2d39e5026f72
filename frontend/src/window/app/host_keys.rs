//! The role of arrows and space bar: said when the program makes them a joystick, and kept for its file when the user chooses.
use super::App;
use host::config::Action;
use host::failure::Failure;
use session::HostKeys;
use ui::keys::describe;

impl App {
    /// Says once for each program that its arrows have become a joystick, and which key changes that.
    pub(super) fn look_at_keys(&mut self) {
        let keys = self.started.session.host_keys();
        if self.played.stick_said
            || self.presentation.is_saying()
            || !keys.has_stick()
            || self.started.session.host_keys_choice().is_some()
        {
            return;
        }
        self.played.stick_said = true;
        let space = match keys {
            HostKeys::StickAndSpace => "arrows are joystick 1 now, Space its trigger and a key",
            _ => "arrows are joystick 1 now, Space its trigger",
        };
        let key = self.config.keys_of(Action::JoystickKeys);
        self.say(format!("{space}; {key} makes them type"));
        self.update_title();
    }

    /// The next choice of what the keys are.
    pub(super) fn next_keys(&mut self) -> Result<(), Failure> {
        let choice = self.started.session.host_keys_choice();
        self.choose_keys(self.started.session.host_keys().next_choice(choice))
    }

    /// The user's choice of what the keys are, `None` as the program wants them: now, and whenever this file is played.
    pub(super) fn choose_keys(&mut self, choice: Option<HostKeys>) -> Result<(), Failure> {
        self.started.session.choose_host_keys(choice);
        self.played.stick_said = true;
        let keys = self.started.session.host_keys();
        let now = match choice {
            Some(_) => describe(keys).to_owned(),
            None => format!("as the program wants: {}", describe(keys)),
        };
        let content = self.started.found.program.content;
        let kept = content.map_or(Ok(false), |content| host::remember_keys(content, choice))?;
        self.say(if kept {
            format!("{now}, and from now on for this file")
        } else {
            now
        });
        Ok(())
    }
}
