//! The keyframes that are kept, and those that are dropped when the memory does not suffice.
use super::{
    BRANCHES, Check, Copied, MINUTE, Machine, Moment, SPARSE, Snapshot, Start, Timeline, store,
};

impl Timeline {
    /// Takes a keyframe now, unless there is one.
    pub(super) fn keep(&mut self, machine: &Machine, fresh: bool) {
        let Some(memory) = &mut self.memory else {
            return;
        };
        let at = self.cursor;
        let second = fresh || at.moment >= self.due;
        let hash = memory.maker.look(machine);
        let frame = memory.maker.keyframe(at, fresh, self.second * MINUTE);
        if second {
            self.line.seconds.insert(frame);
            let place = self.line.checks.partition_point(|check| check.at < at);
            if self
                .line
                .checks
                .get(place)
                .is_none_or(|check| check.at != at)
            {
                self.line.checks.insert(place, Check { at, hash });
            }
            self.find_due();
            self.thin_out();
        } else {
            self.line.frames.insert(frame);
        }
        self.line.recharge(at);
        self.trim();
    }

    /// The next keyframe of a second: a second after the one before the cursor, unless there is another soon.
    pub(super) fn find_due(&mut self) {
        let seconds = &self.line.seconds;
        let mut index = seconds.until(self.cursor);
        let mut due = Moment(0);
        if let Some(last) = index.checked_sub(1) {
            due = Moment(seconds.0[last].at.moment.0 + self.second);
        }
        // The last of those that are a second apart.
        while let Some(next) = seconds.0.get(index)
            && next.at.moment <= due
        {
            due = Moment(next.at.moment.0 + self.second);
            index += 1;
        }
        self.due = due;
    }

    pub(super) fn copy(&mut self, machine: &Machine) {
        let at = self.cursor;
        let place = self.copies.partition_point(|copy| copy.at <= at);
        if place > 0 && self.copies[place - 1].at == at {
            return;
        }
        self.copies.insert(
            place,
            Copied {
                at,
                machine: Box::new(machine.clone()),
                _charge: self.ledger.charge(store::machine_bytes(machine)),
            },
        );
        while self.copies.len() > self.limits.copies {
            if place * 2 >= self.copies.len() {
                self.copies.pop_front();
            } else {
                self.copies.pop_back();
            }
        }
    }

    /// One keyframe an hour old goes if there is another close to it.
    pub(super) fn thin_out(&mut self) {
        let old = self
            .cursor
            .moment
            .0
            .saturating_sub(u64::from(self.limits.dense) * self.second);
        let seconds = &mut self.line.seconds;
        let index = seconds.until_moment(Moment(old));
        if index >= 2 {
            let [a, b] = [&seconds.0[index - 2], &seconds.0[index - 1]];
            let close = b.at.moment.0 - a.at.moment.0 < SPARSE * self.second;
            let at = b.at;
            if close && !b.fresh {
                seconds.0.remove(index - 1);
                self.line.recharge(at);
            }
        }
    }

    /// Drops keyframes and events until everything fits.
    pub(super) fn trim(&mut self) {
        while self.line.frames.0.len() > self.limits.frames {
            // Those that are farthest from the cursor.
            let before = self.line.frames.until(self.cursor);
            let first = before * 2 >= self.line.frames.0.len();
            self.line.forget_frame(first);
        }
        while self.copies.len() > self.limits.copies {
            self.copies.pop_front();
        }
        while self.kept.len() > BRANCHES {
            self.forget_branch();
        }
        while self.bytes() > self.limits.bytes {
            if !self.kept.is_empty() {
                self.forget_branch();
            } else if self.line.frames.0.len() > 120 {
                self.line.forget_frame(true);
            } else if !self.forget_second() && !self.line.forget_frame(true) {
                break;
            }
        }
    }

    /// Drops the oldest keyframe of a second, and the ones that depend on it; false when it is the last one before the cursor.
    pub(super) fn forget_second(&mut self) -> bool {
        if self.line.seconds.until(self.cursor) < 2 {
            return false;
        }
        self.line.seconds.0.pop_front();
        let Some(first) = self.line.seconds.0.front() else {
            return false;
        };
        let Some(memory) = &self.memory else {
            return false;
        };
        memory.start.superseded_by(first);
        let start = memory.start.charge.bytes();
        let first = first.at;
        self.line.stores.forget_before(first.moment);
        while self.line.frames.0.front().is_some_and(|f| f.at < first) {
            self.line.frames.0.pop_front();
        }
        // The events are kept from the start, as long as they and the media of then are not most of it.
        let events: usize = self.line.events.iter().map(|e| e.charge.bytes()).sum();
        if events + start > self.limits.bytes / 2 {
            self.forget_start();
        }
        true
    }

    /// Events begin with the oldest keyframe.
    pub(super) fn forget_start(&mut self) {
        let Some(first) = self.line.seconds.0.front() else {
            return;
        };
        let Some(machine) = first.machine() else {
            return;
        };
        let at = first.at;
        let snapshot = Snapshot::of(&machine);
        if let Some(memory) = &mut self.memory {
            memory.start = Start::new(at, snapshot, &self.ledger);
        }
        while self.forgotten < at.events {
            self.line.events.pop_front();
            self.forgotten += 1;
        }
        while self.line.checks.front().is_some_and(|c| c.at < at) {
            self.line.checks.pop_front();
        }
    }
}
