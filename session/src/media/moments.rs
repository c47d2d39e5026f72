//! The media when the machine goes to another moment.
use super::{
    Columns, Copied, CopyId, Identity, Line, Looking, Machine, MediumId, Mounted, Mounts, Occupant,
    Orphan, Place, Placement, RequestId, Waiting, bytes, content, places,
};
use crate::timeline::Moment;

impl Mounts {
    /// The media and their places now.
    pub(crate) fn placement(&self) -> Placement {
        let files = self.files.iter();
        let files = files.filter_map(|m| Some((m.place?, Occupant::File(m.file.id))));
        let copies = self.copies.iter();
        let copies = copies.filter_map(|c| Some((c.place?, Occupant::Copy(c.id))));
        Placement(files.chain(copies).collect())
    }

    /// The owner of the moment that the machine is at: another one while it is only looked at.
    pub(crate) fn line(&self) -> Line {
        match &self.looking {
            Some(looking) => looking.line.clone(),
            None => Line::Own(self.placement()),
        }
    }

    /// Before the machine becomes that of another moment: asks to store its present media. Until [`Self::run_on`] the media of the other
    /// moment are only looked at, and those of the machine that was left are stored.
    pub(crate) fn put_aside(
        &mut self,
        machine: &mut Machine,
        printer: Option<Columns>,
        line: Line,
        from: Moment,
    ) {
        self.flush(machine, printer);
        let left = self.looking.take();
        self.looking = Some(match left {
            Some(looking) => Looking { line, ..looking },
            None => Looking {
                line,
                present: Box::new(machine.clone()),
                from,
                loaded: false,
            },
        });
        // A request of the folder device belongs to the machine that was left.
        let folder = |waiting: &Waiting| matches!(waiting, Waiting::Folder);
        let gone = self.waiting.iter().filter(|(_, w)| folder(w));
        let gone: Vec<RequestId> = gone.map(|(id, _)| *id).collect();
        self.waiting.retain(|(id, _)| !gone.contains(id));
        self.ready.retain(|request| !gone.contains(&request.id));
    }

    /// True while another moment's media are only looked at.
    pub(crate) fn is_looking(&self) -> bool {
        self.looking.is_some()
    }

    /// After [`Self::put_aside`]: the other machine was loaded, and takes the place of the present one in recorded time.
    pub(crate) fn load(&mut self) {
        if let Some(looking) = &mut self.looking {
            looking.loaded = true;
        }
    }

    /// True while a machine that was loaded is looked at: the recorded time has no moment of the present machine.
    pub(crate) fn has_loaded(&self) -> bool {
        self.looking.as_ref().is_some_and(|looking| looking.loaded)
    }

    /// The present moment, while another one is looked at.
    pub(crate) fn left(&self) -> Option<Moment> {
        self.looking.as_ref().map(|looking| looking.from)
    }

    /// The owner of the moment that is only looked at, for [`Self::stay`].
    pub(crate) fn looked_at(&self) -> Option<Line> {
        self.looking.as_ref().map(|looking| looking.line.clone())
    }

    /// The machine did not go anywhere after [`Self::put_aside`].
    pub(crate) fn stay(&mut self, looked_at: Option<Line>) {
        self.looking = looked_at.and_then(|line| {
            let looking = self.looking.take()?;
            Some(Looking { line, ..looking })
        });
    }

    /// The machine runs on from the moment that it is at. False when that is the present one.
    pub(crate) fn run_on(&mut self, machine: &mut Machine) -> bool {
        let Some(Looking { line, present, .. }) = self.looking.take() else {
            return false;
        };
        // The text on its way to the printer at that moment is on paper, or another session's.
        machine.take_printed();
        machine.take_unrecorded();
        let before = self.placement();
        for file in &mut self.files {
            file.place = None;
        }
        for copy in &mut self.copies {
            copy.place = None;
        }
        for (_, waiting) in &mut self.waiting {
            if let Waiting::File(_, sent) | Waiting::Copy(_, sent) = waiting {
                sent.undo = false;
            }
        }
        if let Line::Foreign = line {
            self.equal_in_place(machine, &before);
        }
        for place in places() {
            let Some(now) = content(machine, place) else {
                continue;
            };
            let attached = match &line {
                Line::Own(placement) => self.back_in_place(place, placement.at(place), now),
                Line::Foreign => self.file(place).is_some() || self.equal_file(place, now),
            };
            if !attached {
                let of = match &line {
                    Line::Own(placement) => placement.at(place),
                    Line::Foreign => before.at(place),
                };
                let (name, of) = self.origin(of);
                let name = name.unwrap_or_else(|| format!("{place}"));
                let id = self.insert_copy(machine, place, name, of, true);
                if let (Line::Own(_), Some(copy)) = (&line, self.copies.last_mut())
                    && Some(copy.id) == id
                {
                    // No saved state has it.
                    copy.kept = None;
                }
            }
            self.protect(machine, place);
        }
        // A medium that waited for an answer when the machine left may have been written to since it was sent.
        for (place, occupant) in before.0 {
            let stays = self.placement().place(occupant);
            let here = stays.and_then(|place| content(machine, place));
            if here.is_none() || here != content(&present, place) {
                self.rescue(&present, place, occupant);
            }
        }
        true
    }

    /// The medium at a place leaves the machine: contents that no request carries are kept as a copy.
    pub(crate) fn part_with(&mut self, machine: &Machine, place: Place) {
        if let Some(occupant) = self.placement().at(place) {
            self.rescue(machine, place, occupant);
        }
    }

    /// Keeps the medium at a place of a machine, unless its contents are in its file or on their way there.
    pub(super) fn rescue(&mut self, machine: &Machine, place: Place, occupant: Occupant) {
        let latest = match occupant {
            Occupant::File(id) => {
                let mut files = self.files.iter();
                files.find(|m| m.file.id == id).and_then(Mounted::latest)
            }
            Occupant::Copy(id) => {
                let mut copies = self.copies.iter();
                copies.find(|c| c.id == id).and_then(Copied::latest)
            }
        };
        if content(machine, place) != latest
            && let Some(bytes) = bytes(machine, place)
        {
            let (name, of) = self.origin(Some(occupant));
            let name = name.unwrap_or_else(|| format!("{place}"));
            self.orphan(name, of, bytes);
        }
    }

    /// The session does not have this medium any more. Contents on their way to the host that cannot be stored are kept as a copy.
    pub(super) fn disown(&mut self, occupant: Occupant) {
        let (name, of) = self.origin(Some(occupant));
        let name = name.unwrap_or_default();
        let mut id = self.last_copy;
        for (_, waiting) in &mut self.waiting {
            let sent = match (&mut *waiting, occupant) {
                (Waiting::File(id, sent), Occupant::File(gone)) if *id == gone => sent,
                (Waiting::Copy(id, sent), Occupant::Copy(gone)) if *id == gone => sent,
                _ => continue,
            };
            let bytes = std::mem::take(&mut sent.bytes);
            id += 1;
            *waiting = Waiting::Gone(Orphan {
                id: CopyId(id),
                name: name.clone(),
                of,
                bytes,
            });
        }
        self.last_copy = id;
    }

    /// Media that came into the machine by themselves, as in a recording that is played, belong to no file.
    pub(crate) fn adopt(&mut self, machine: &Machine) {
        let known = self.placement();
        for place in places() {
            if !known.0.iter().any(|(at, _)| *at == place) {
                self.insert_copy(machine, place, format!("{place}"), None, false);
            }
        }
    }

    /// True if the host or the user protects the medium in a drive against writing.
    pub(crate) fn is_protected(&self, drive: usize) -> bool {
        let place = Some(Place::Drive(drive));
        let known = self.files.iter().find(|known| known.place == place);
        known.is_some_and(|known| known.protected || known.covered)
            || self.is_covered_copy(Place::Drive(drive))
    }

    fn is_covered_copy(&self, place: Place) -> bool {
        let mut copies = self.copies.iter();
        copies.any(|copy| copy.place == Some(place) && copy.covered)
    }

    /// Covers the notch of the disk in a drive, or uncovers it; false without a disk.
    pub(crate) fn cover(&mut self, machine: &mut Machine, drive: usize, on: bool) -> bool {
        let place = Place::Drive(drive);
        let files = self.files.iter_mut();
        let files = files.map(|file| (file.place, &mut file.covered));
        let copies = self.copies.iter_mut();
        let copies = copies.map(|copy| (copy.place, &mut copy.covered));
        let Some((_, covered)) = files.chain(copies).find(|(at, _)| *at == Some(place)) else {
            return false;
        };
        *covered = on;
        self.protect(machine, place);
        true
    }

    /// Puts the medium back that was in a place at an earlier moment of this session, if it is still known.
    fn back_in_place(&mut self, place: Place, who: Option<Occupant>, now: Identity) -> bool {
        match who {
            Some(Occupant::File(id)) => {
                let known = self.files.iter_mut().find(|m| m.file.id == id);
                let Some(known) = known.filter(|known| known.base.is_some()) else {
                    return false;
                };
                known.undo |= known.latest() != Some(now);
                known.place = Some(place);
                true
            }
            Some(Occupant::Copy(id)) => {
                let Some(known) = self.copies.iter_mut().find(|c| c.id == id) else {
                    return false;
                };
                known.undo |= known.latest() != Some(now);
                known.place = Some(place);
                true
            }
            None => false,
        }
    }

    /// Each file that holds exactly what is now in the place where it was before stays there. This comes before any other file with the
    /// same bytes is looked for, which could be the one of another place.
    fn equal_in_place(&mut self, machine: &Machine, before: &Placement) {
        for known in &mut self.files {
            let was = before.place(Occupant::File(known.file.id));
            known.place = was.filter(|place| {
                let now = content(machine, *place);
                now.is_some() && known.latest() == now
            });
        }
    }

    /// Attaches any file of this session that holds exactly this and is in no place.
    fn equal_file(&mut self, place: Place, now: Identity) -> bool {
        let mut files = self.files.iter_mut();
        let Some(found) = files.find(|m| m.place.is_none() && m.latest() == Some(now)) else {
            return false;
        };
        found.place = Some(place);
        true
    }

    /// The name of the medium that was at a place, and its file.
    fn origin(&self, who: Option<Occupant>) -> (Option<String>, Option<MediumId>) {
        match who {
            Some(Occupant::File(id)) => {
                let known = self.files.iter().find(|m| m.file.id == id);
                (known.map(|m| m.file.name.clone()), Some(id))
            }
            Some(Occupant::Copy(id)) => {
                let known = self.copies.iter().find(|c| c.id == id);
                (
                    known.map(|c| c.name.clone()),
                    known.and_then(|copy| copy.of),
                )
            }
            None => (None, None),
        }
    }

    /// The host's write protection is the file's, not that of a saved state. Copies can be written, unless the user has covered their notch.
    pub(super) fn protect(&self, machine: &mut Machine, place: Place) {
        let Place::Drive(drive) = place else {
            return;
        };
        let known = self.files.iter().find(|m| m.place == Some(place));
        let protected = known.is_some_and(|known| known.protected || known.covered)
            || self.is_covered_copy(place);
        if let Some(disk) = machine.disk_mut(drive) {
            disk.set_write_protected(protected);
        }
    }
}
