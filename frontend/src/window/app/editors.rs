//! Editors that debug the program in the window: the one whose adapter has opened it, and one that has come through a port.
use super::{App, Mode};
use crate::cli::Play;
use dap::{Client, Door, Guest, Left, Shown, Stage};
use debugger::Stop;
use host::config::Config;
use host::failure::{self, Failure};
use host::options::DebugOptions;
use host::started::{Started, start};

/// The window's clients.
#[derive(Default)]
pub(super) struct Editors {
    /// It has opened the window, and ends it.
    owner: Option<Box<Client>>,
    door: Option<Door>,
    guest: Option<Guest>,
}

impl Editors {
    /// Lets editors attach through this port.
    pub fn let_through(&mut self, port: Option<u16>) -> Result<(), Failure> {
        self.door = port.map(Door::open).transpose()?;
        Ok(())
    }

    /// True if one of them debugs the program.
    pub fn debug(&self) -> bool {
        self.clients().any(Client::debugs)
    }

    fn clients(&self) -> impl Iterator<Item = &Client> {
        let owner = self.owner.as_deref().into_iter();
        owner.chain(self.guest.as_deref())
    }

    fn clients_mut(&mut self) -> impl Iterator<Item = &mut Client> {
        let owner = self.owner.as_deref_mut().into_iter();
        owner.chain(self.guest.as_deref_mut())
    }
}

/// Shows the program that a client has launched in a window, until it is closed or the client ends it.
pub fn show(client: Box<Client>, mut started: Box<Started>) -> Shown {
    let config = match Config::load() {
        Ok(config) => config,
        Err(failure) => return Shown::Refused(client, started, failure.to_string()),
    };
    started.session.watch_host_keys(true);
    let options = Play {
        machine: started.options.clone(),
        ..Play::default()
    };
    let opened = match App::window(&options, &config, &started) {
        Ok(opened) => opened,
        Err(failure) => return Shown::Refused(client, started, failure.to_string()),
    };
    let mut app = App::with(options, config, *started, opened);
    if client.wants_debug_view() {
        app.open_debug_view();
    }
    // The client says when it is done with its breakpoints.
    app.mode = Mode::Stopped;
    app.editors.owner = Some(client);
    let result = app.run();
    let Some(mut client) = app.editors.owner.take() else {
        unreachable!("it is given back after each turn")
    };
    let told = client.ended();
    Shown::Closed(client, result.and(told))
}

impl App {
    /// Answers what editors ask for, and tells them what was done in the window.
    pub(super) fn serve_editors(&mut self) {
        let mut editors = std::mem::take(&mut self.editors);
        let debugged = editors.debug();
        let moment = self.started.session.moment();
        if let Some(owner) = &mut editors.owner {
            let served = owner
                .look_around(self)
                .and_then(|()| owner.turn(self, false));
            if self.ends(served, owner) {
                self.mode = Mode::Ending(None);
            }
        }
        if let Some(mut guest) = editors.guest.take() {
            let served = guest
                .look_around(self)
                .and_then(|()| guest.turn(self, false));
            if !self.ends(served, &mut guest) {
                editors.guest = Some(guest);
            }
        }
        self.editors = editors;
        self.let_in();
        if debugged != self.editors.debug() {
            self.limit_past();
        }
        if moment != self.started.session.moment() {
            self.after_jump();
        }
    }

    /// The first editor at the door that debugs the program now.
    fn let_in(&mut self) {
        let Some(mut door) = self.editors.door.take() else {
            return;
        };
        if let Some(guest) = door.guest(self) {
            self.editors.guest = Some(guest);
            self.say("an editor debugs this program");
        }
        self.editors.door = Some(door);
    }

    /// True if a client has left, or could not be served any more; what it had launched ends.
    fn ends(&mut self, served: Result<Option<Left>, Failure>, client: &mut Client) -> bool {
        match served {
            Ok(None) => return false,
            Ok(Some(Left::Ended)) => self.mode = Mode::Ending(None),
            Ok(Some(Left::GoesOn)) => client.leave(self),
            Err(failure) => {
                failure::tell(failure);
                client.leave(self);
            }
        }
        true
    }

    /// Tells editors how a frame ended.
    pub(super) fn tell_stop(&mut self, stop: Stop) {
        self.tell(|client, app| client.ran(app, stop, true));
    }

    /// Tells editors that another program runs.
    pub(super) fn tell_program(&mut self) {
        self.tell(|client, app| client.changed_program(app));
    }

    fn tell(&mut self, tell: impl Fn(&mut Client, &mut Self) -> Result<(), Failure>) {
        let mut editors = std::mem::take(&mut self.editors);
        for client in editors.clients_mut() {
            // One that cannot be told has gone; its next turn says so.
            drop(tell(client, self));
        }
        self.editors = editors;
    }
}

impl Stage for App {
    fn started(&mut self) -> Option<&mut Started> {
        Some(&mut self.started)
    }

    fn is_running(&self) -> bool {
        self.mode == Mode::Running
    }

    fn set_running(&mut self, running: bool) {
        match (running, &self.mode) {
            (_, Mode::Ending(_)) => {}
            (true, _) => self.mode = Mode::Running,
            (false, _) => self.mode = Mode::Stopped,
        }
    }

    fn launch(&mut self, options: &DebugOptions) -> Result<(), Failure> {
        let mut started = start(options)?;
        self.started.finish()?;
        started.session.watch_host_keys(true);
        self.started = started;
        self.played = super::Played::new();
        self.states.change(&self.started.found);
        self.changed_program()
    }

    fn attach(&mut self) -> Option<Result<(), String>> {
        if self.editors.debug() {
            return Some(Err("another editor debugs this program".to_owned()));
        }
        if !self.started.is_set_up() {
            self.started.remarks = self.started.set_up();
        }
        Some(Ok(()))
    }
}
