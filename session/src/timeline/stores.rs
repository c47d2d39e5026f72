//! The addresses that were stored to, a set for each second: questions about long ago skip the seconds with no store near them.
use super::store::{Charge, Ledger};
use super::{Event, Moment, Timeline};
use machine::Probe;
use std::collections::VecDeque;
use std::ops::{Range, RangeInclusive};

/// Addresses that were stored to while the machine ran: a bit each.
#[derive(Clone, Debug)]
pub(crate) struct Stored(Box<[[u64; 4]; 256]>);

impl Default for Stored {
    fn default() -> Self {
        Self(Box::new([[0; 4]; 256]))
    }
}

impl Probe for Stored {
    const ACTIVE: bool = false;
    const WRITES: bool = true;

    #[inline]
    fn written(&mut self, _: u64, address: u16, _: u8) {
        let page = &mut self.0[usize::from(address >> 8)];
        page[usize::from(address >> 6 & 3)] |= 1 << (address & 63);
    }
}

/// Stores while the machine ran on without a break.
#[derive(Debug)]
pub(crate) struct Noting {
    time: Range<Moment>,
    pub(crate) stored: Stored,
}

/// A stretch of recorded time in which only these addresses were stored to.
#[derive(Debug)]
pub(super) struct Stretch {
    time: Range<Moment>,
    /// Pages with at least one such address.
    pages: Box<[(u8, [u64; 4])]>,
    _charge: Charge,
}

impl Stretch {
    fn new(time: Range<Moment>, stored: &Stored, ledger: &Ledger) -> Self {
        let pages = stored.0.iter().enumerate();
        let pages = pages
            .filter(|(_, bits)| **bits != [0; 4])
            .map(|(page, bits)| (page as u8, *bits));
        Self::of(time, pages.collect(), ledger)
    }

    fn of(time: Range<Moment>, pages: Box<[(u8, [u64; 4])]>, ledger: &Ledger) -> Self {
        let charge = ledger.charge(size_of::<Self>() + size_of_val(&*pages));
        Self {
            time,
            pages,
            _charge: charge,
        }
    }

    /// True if an address of these pages that the caller looks for was stored to.
    fn has(&self, pages: &RangeInclusive<u8>, looked_for: &dyn Fn(u16) -> bool) -> bool {
        let near = self.pages.iter().filter(|(page, _)| pages.contains(page));
        near.flat_map(|(page, bits)| {
            let first = u16::from(*page) << 8;
            (0..256u16)
                .filter(|low| bits[usize::from(low >> 6)] >> (low & 63) & 1 != 0)
                .map(move |low| first | low)
        })
        .any(looked_for)
    }
}

/// The stretches of a line in the order of their time; none meets another.
#[derive(Debug, Default)]
pub(super) struct Stretches(VecDeque<Stretch>);

impl Stretches {
    /// Puts a stretch in its place, as far as that time is not covered yet.
    fn insert(&mut self, mut time: Range<Moment>, stored: &Stored, ledger: &Ledger) {
        let place = self.0.partition_point(|s| s.time.start <= time.start);
        if let Some(before) = place.checked_sub(1) {
            time.start = time.start.max(self.0[before].time.end);
        }
        if let Some(after) = self.0.get(place) {
            time.end = time.end.min(after.time.start);
        }
        if !time.is_empty() {
            self.0.insert(place, Stretch::new(time, stored, ledger));
        }
    }

    /// Those after a moment; one that goes over it is known to both sides.
    pub(super) fn split_off(&mut self, at: Moment, ledger: &Ledger) -> Self {
        let place = self.0.partition_point(|s| s.time.start < at);
        let mut later = self.0.split_off(place);
        if let Some(last) = self.0.back_mut()
            && last.time.end > at
        {
            let rest = at..last.time.end;
            last.time.end = at;
            later.push_front(Stretch::of(rest, last.pages.clone(), ledger));
        }
        Self(later)
    }

    /// Puts later ones at the end.
    pub(super) fn append(&mut self, mut later: Self) {
        self.0.append(&mut later.0);
    }

    /// Drops those that ended before a moment.
    pub(super) fn forget_before(&mut self, moment: Moment) {
        while self.0.front().is_some_and(|s| s.time.end <= moment) {
            self.0.pop_front();
        }
    }

    /// True if all of a stretch of time is known.
    fn covers(&self, time: &Range<Moment>) -> bool {
        let place = self.0.partition_point(|s| s.time.end <= time.start);
        let mut at = time.start;
        for stretch in self.0.iter().skip(place) {
            if at >= time.end || stretch.time.start > at {
                break;
            }
            at = stretch.time.end;
        }
        at >= time.end
    }
}

impl Timeline {
    /// Before the machine runs on to `until`: the set that its stores are to be noted in, unless they are known already.
    pub(crate) fn begin_noting(&mut self, until: Moment) -> Option<Box<Noting>> {
        if !self.limits.stores || self.is_off() || until <= self.cursor.moment {
            return None;
        }
        if self.line.stores.covers(&(self.cursor.moment..until)) {
            return None;
        }
        let goes_on = |noting: &Noting| noting.time.end == self.cursor.moment;
        if !self.noting.as_deref().is_some_and(goes_on) {
            self.keep_noted();
        }
        Some(self.noting.take().unwrap_or_else(|| {
            Box::new(Noting {
                time: self.cursor.moment..self.cursor.moment,
                stored: Stored::default(),
            })
        }))
    }

    /// After the machine has run on to a moment; before the cursor moves there.
    pub(crate) fn end_noting(&mut self, mut noting: Box<Noting>, moment: Moment) {
        noting.time.end = moment;
        let long = noting.time.end.0 - noting.time.start.0 >= self.second;
        self.noting = Some(noting);
        if long {
            self.keep_noted();
        }
    }

    /// Adds the noted stores to the line, before the cursor moves without the machine.
    pub(super) fn keep_noted(&mut self) {
        if let Some(noting) = self.noting.take() {
            self.line
                .stores
                .insert(noting.time, &noting.stored, &self.ledger);
        }
    }

    /// Adds the stores noted up to a moment to the line, which is cut there; those after it stay in progress.
    pub(super) fn cut_noted(&mut self, at: Moment) {
        let Some(mut noting) = self.noting.take() else {
            return;
        };
        let rest = noting.time.end;
        let until = rest.min(at);
        if noting.time.start < until {
            let time = noting.time.start..until;
            self.line.stores.insert(time, &noting.stored, &self.ledger);
        }
        if rest > at && noting.time.start <= at {
            noting.time.start = at;
            self.noting = Some(noting);
        }
    }

    /// The earliest moment from which on, up to `before`, nothing was stored to an address that the caller looks for, and nothing was done
    /// to the machine but that its controls were moved: as far as that is known without running anything again. The pages are those
    /// in which such addresses are.
    pub fn untouched_since(
        &self,
        before: Moment,
        pages: &RangeInclusive<u8>,
        looked_for: &dyn Fn(u16) -> bool,
    ) -> Moment {
        let stretches = &self.line.stores.0;
        let place = stretches.partition_point(|stretch| stretch.time.start < before);
        let mut since = before;
        for stretch in stretches.range(..place).rev() {
            if stretch.time.end < since || stretch.has(pages, looked_for) {
                break;
            }
            since = stretch.time.start;
        }
        let place = self.line.events.partition_point(|event| event.at <= before);
        let events = self.line.events.range(..place).rev();
        let mut recent = events.take_while(|event| event.at >= since);
        let done = recent.find(|event| !matches!(event.event, Event::Controls(_)));
        done.map_or(since, |event| Moment(event.at.0 + 1).min(before))
    }

    /// [`Self::untouched_since`] forwards: the latest moment before which, from `after` on, nothing reached these addresses.
    pub fn untouched_until(
        &self,
        after: Moment,
        pages: &RangeInclusive<u8>,
        looked_for: &dyn Fn(u16) -> bool,
    ) -> Moment {
        let stretches = &self.line.stores.0;
        let place = stretches.partition_point(|stretch| stretch.time.end <= after);
        let mut until = after;
        for stretch in stretches.range(place..) {
            if stretch.time.start > until || stretch.has(pages, looked_for) {
                break;
            }
            until = stretch.time.end;
        }
        let place = self.line.events.partition_point(|event| event.at < after);
        let events = self.line.events.range(place..);
        let mut soon = events.take_while(|event| event.at <= until);
        let done = soon.find(|event| !matches!(event.event, Event::Controls(_)));
        done.map_or(until, |event| {
            Moment(event.at.0.saturating_sub(1)).max(after)
        })
    }
}
