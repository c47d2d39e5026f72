//! Futures that were left, and the ways in which one of them becomes the present again.
use super::{Branch, BranchId, Kept, Line, Machine, Moment, Position, Timeline};

impl Timeline {
    /// Keeps the time after a position as a branch.
    pub(super) fn fork(&mut self, at: Position) {
        let tail = self.cut(at);
        let id = self.id;
        self.ids += 1;
        self.id = BranchId(self.ids);
        self.hang(id, at, tail);
        self.trim();
    }

    /// Cuts the line at a position; returns the part after it.
    pub(super) fn cut(&mut self, at: Position) -> Line {
        self.copies.retain(|copy| copy.at <= at);
        self.cut_noted(at.moment);
        let line = &mut self.line;
        let events = at.events.saturating_sub(self.forgotten) as usize;
        let checks = line.checks.partition_point(|check| check.at <= at);
        let newest = line.newest;
        line.newest = at.moment;
        self.due = Moment(0);
        let tail = Line {
            events: line.events.split_off(events.min(line.events.len())),
            checks: line.checks.split_off(checks),
            seconds: line.seconds.split_off(at),
            frames: line.frames.split_off(at),
            stores: line.stores.split_off(at.moment, &self.ledger),
            newest,
        };
        // The media at the end of the tail are no longer those of a machine that runs.
        if let (Some(end), Some(here)) = (tail.seconds.0.back(), line.seconds.0.back()) {
            end.held.superseded_by(&here.held);
        }
        tail
    }

    /// Keeps a branch of the present line; those that left the line after it are now branches of this one.
    pub(super) fn hang(&mut self, id: BranchId, from: Position, line: Line) {
        for kept in &mut self.kept {
            if kept.of.is_none() && kept.from > from {
                kept.of = Some(id);
            }
        }
        let left = self.kept.iter().map(|kept| kept.left).max().unwrap_or(0) + 1;
        self.kept.push(Kept {
            id,
            of: None,
            from,
            line,
            left,
        });
    }

    /// Drops the branch that was left first, and its branches.
    pub(super) fn forget_branch(&mut self) {
        let Some(oldest) = self.kept.iter().min_by_key(|kept| kept.left) else {
            return;
        };
        let mut gone = vec![oldest.id];
        while let Some(id) = gone.pop() {
            gone.extend(self.kept.iter().filter(|k| k.of == Some(id)).map(|k| k.id));
            self.kept.retain(|kept| kept.id != id);
        }
    }

    /// The branches that are kept beside the present one.
    pub fn branches(&self) -> impl Iterator<Item = Branch> {
        self.kept.iter().map(|kept| Branch {
            id: kept.id,
            from: kept.from.moment,
            newest: kept.line.newest,
            of: kept.of,
        })
    }

    /// The present branch.
    pub fn branch(&self) -> BranchId {
        self.id
    }

    /// Makes another branch the present one, and goes to a moment of it. The one that was present until now is kept. False, and nothing
    /// happens, when the branch or the moment does not exist.
    pub fn switch(&mut self, machine: &mut Machine, id: BranchId, moment: Moment) -> bool {
        self.catch_up(machine);
        self.keep_noted();
        let was = self.id;
        if !self.turn(id) {
            return false;
        }
        // The cursor may be in the future that was left.
        if let Some(visit) = self.visit(moment) {
            self.cursor = visit.at;
            *machine = visit.machine;
            self.note_position(machine);
            self.find_due();
            return true;
        }
        self.turn(was);
        false
    }

    /// Makes another branch the present one.
    pub(super) fn turn(&mut self, id: BranchId) -> bool {
        if id == self.id {
            return true;
        }
        let Some(of) = self.kept.iter().find(|k| k.id == id).map(|k| k.of) else {
            return false;
        };
        if let Some(of) = of
            && !self.turn(of)
        {
            return false;
        }
        let Some(index) = self.kept.iter().position(|kept| kept.id == id) else {
            return false;
        };
        let kept = self.kept.swap_remove(index);
        let tail = self.cut(kept.from);
        let was = std::mem::replace(&mut self.id, id);
        self.hang(was, kept.from, tail);
        for other in &mut self.kept {
            if other.of == Some(id) {
                other.of = None;
            }
        }
        let mut new = kept.line;
        self.line.events.append(&mut new.events);
        self.line.checks.append(&mut new.checks);
        self.line.seconds.append(new.seconds);
        self.line.frames.append(new.frames);
        self.line.stores.append(new.stores);
        self.line.recharge(Position::after(kept.from.moment));
        self.line.newest = new.newest;
        true
    }
}
