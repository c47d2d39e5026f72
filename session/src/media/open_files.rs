//! Files of H: that programs have open for writing, when the machine is about to lose them.
use super::{Ask, HostRequest, Machine, Mounts, Waiting};

/// Open files that the host was asked to write.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenFiles {
    /// Names of those that it could not write.
    failed: Vec<String>,
}

impl OpenFiles {
    pub(crate) fn failed(&self) -> impl Iterator<Item = String> {
        self.failed.iter().cloned()
    }

    /// The host has written a file, or could not.
    pub(crate) fn answered(&mut self, name: String, done: bool) {
        self.failed.retain(|known| *known != name);
        self.failed.extend((!done).then_some(name));
    }
}

impl Mounts {
    /// Asks for the open files of the present to be written as they are.
    pub(crate) fn store_open_files(&mut self, machine: &Machine) {
        let files: Vec<_> = self.present(machine).host_open_files().collect();
        for request in files {
            let HostRequest::Write { name, .. } = &request else {
                continue;
            };
            let printable = name.iter().take_while(|c| c.is_ascii_graphic());
            let name = printable.map(|&c| char::from(c)).collect();
            self.ask(Ask::Folder(request), Waiting::OpenFile(name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::Limits;
    use crate::{Answer, Session, Setup};
    use machine::host::{HostReply, status};

    const LISTING: &[u8] = b"10 OPEN #1,8,0,\"H:LOG\"\n20 N=N+1:PRINT #1;N:GOTO 20\n";

    /// Answers with a status, and gives what was to be written.
    fn serve(session: &mut Session, status: u8) -> Vec<Vec<u8>> {
        let mut written = Vec::new();
        for request in session.requests() {
            let Ask::Folder(asked) = request.ask else {
                continue;
            };
            if let HostRequest::Write { data, .. } = asked {
                written.push(data);
            }
            let reply = HostReply::status(status);
            session.answer(request.id, Ok(Answer::Folder(reply)));
        }
        written
    }

    /// A session whose program has had a file open for some seconds.
    fn writing() -> Session {
        let mut setup = Setup::for_file("x.lst", LISTING).unwrap();
        setup.folder = true;
        let mut session = Session::new(setup).unwrap();
        session.remember(Limits::default());
        while open(&session).len() < 1500 {
            assert!(session.frames() < 3000, "{}", session.text());
            serve(&mut session, status::OK);
            session.run_frame();
        }
        session
    }

    /// The contents of the machine's open file.
    fn open(session: &Session) -> Vec<u8> {
        match session.machine().host_open_files().next() {
            Some(HostRequest::Write { data, .. }) => data,
            _ => Vec::new(),
        }
    }

    fn stored(session: &mut Session) -> Vec<Vec<u8>> {
        session.store_open_files();
        serve(session, status::OK)
    }

    #[test]
    fn an_open_file_is_written_as_it_is() {
        let mut session = writing();
        let held = open(&session);
        assert!(held.starts_with(b"1\x9B2\x9B3\x9B"));
        assert_eq!(stored(&mut session), std::slice::from_ref(&held));
        assert_eq!(open(&session), held, "the program goes on with it");
        session.reset();
        assert_eq!(serve(&mut session, status::OK), std::slice::from_ref(&held));
        assert!(stored(&mut session).is_empty());
    }

    #[test]
    fn while_the_past_is_looked_at_the_files_are_those_of_the_present() {
        let mut session = writing();
        let held = open(&session);
        assert!(session.back(20));
        assert!(session.back(10));
        assert!(open(&session).len() < held.len());
        assert_eq!(stored(&mut session), [held]);
        // Running on from there, the machine's contents are the present.
        let mut session = writing();
        assert!(session.back(20));
        session.run_frame();
        let held = open(&session);
        assert_eq!(stored(&mut session), [held]);
    }

    #[test]
    fn a_file_that_the_host_could_not_write_is_named() {
        let mut session = writing();
        assert!(session.unsaved().is_empty());
        session.store_open_files();
        serve(&mut session, status::DISK_FULL);
        assert_eq!(session.unsaved(), ["H:LOG"]);
        stored(&mut session);
        assert!(session.unsaved().is_empty());
    }
}
