//! Copies of sessions.
use super::Session;
use super::snapshot::Shelf;
use crate::timeline::Limits;
use crate::track::Track;

impl Session {
    /// A session of its own that continues as this one would with the same controls. Its past begins at [`Self::remember`], and it answers to no
    /// snapshot of this one. Requests that this one has on their way are both sessions' to be answered.
    ///
    /// ```
    /// use session::{Session, Setup};
    ///
    /// let mut session = Session::new(Setup::for_file("a.lst", b"10 PRINT 6*7\n")?)?;
    /// let mut copy = session.fork();
    /// for _ in 0..300 {
    ///     session.run_frame();
    ///     copy.run_frame();
    /// }
    /// assert!(copy.text().contains("42"));
    /// assert_eq!(copy.save_state(), session.save_state());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fork(&self) -> Self {
        let mut track = Track::new(self.track.machine.clone(), Limits::OFF);
        track.controls = self.track.controls;
        let moment = track.moment();
        Self {
            track,
            setup: self.setup.clone(),
            mounts: self.mounts.clone(),
            typist: self.typist.clone(),
            to_load: self.to_load.clone(),
            later: self.later.clone(),
            own_states: std::collections::VecDeque::new(),
            starting: moment..moment,
            placements: vec![(moment, self.mounts.line())],
            key_watch: self.key_watch.clone(),
            boot: self.boot.clone(),
            shelf: Shelf::default(),
            playing: false,
            ..*self
        }
    }
}
