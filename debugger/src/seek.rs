//! The last moment of a kind before another one, found by running pieces of recorded time again, the newest first.

use crate::breakpoints::Breakpoints;
use crate::place_finder::PlaceFinder;
use crate::watch::{Aim, Finder, Follow, Follower, Seek};
use machine::Machine;
use session::Track;
use session::timeline::{Moment, Visit};
use std::cell::Cell;

/// The last hit of a breakpoint before the present moment.
pub(crate) fn last_hit(
    track: &Track,
    breakpoints: &Breakpoints,
    dispatch: &Cell<Option<u16>>,
    ended: &dyn Fn() -> bool,
) -> Option<Moment> {
    if breakpoints.are_places() {
        return last_of(track, |_| PlaceFinder::new(breakpoints), |_| (), ended);
    }
    last(track, breakpoints, None, dispatch, ended)
}

/// The last moment before the present one at which a step begins.
pub(crate) fn last_begin(
    track: &Track,
    aim: Aim<'_>,
    dispatch: &Cell<Option<u16>>,
    ended: &dyn Fn() -> bool,
) -> Option<Moment> {
    last(track, &Breakpoints::default(), Some(aim), dispatch, ended)
}

fn last(
    track: &Track,
    breakpoints: &Breakpoints,
    aim: Option<Aim<'_>>,
    dispatch: &Cell<Option<u16>>,
    ended: &dyn Fn() -> bool,
) -> Option<Moment> {
    let needs_past = aim.map_or_else(|| breakpoints.need_past(), |aim| aim.needs_past());
    let begin = |visit: &Visit| {
        let mut finder = Finder::new(visit.machine(), breakpoints, aim);
        *finder.follow.dispatch() = dispatch.get();
        if needs_past
            && let Some(follow) = follow_to(track, visit.machine(), visit.moment(), dispatch.get())
        {
            finder.follow = follow;
        }
        finder
    };
    let end = |finder: &mut Finder<'_>| dispatch.set(*finder.follow.dispatch());
    last_of(track, begin, end, ended)
}

/// The last find of a probe before the present moment; one is begun for each piece of time, and ended after it. `None`, too,
/// when the search is ended from outside.
fn last_of<P: Seek>(
    track: &Track,
    begin: impl Fn(&Visit) -> P,
    end: impl Fn(&mut P),
    ended: &dyn Fn() -> bool,
) -> Option<Moment> {
    let timeline = track.timeline();
    let mut first = true;
    for piece in timeline.pieces_before(track.moment()) {
        if ended() {
            return None;
        }
        let mut visit = piece.visit()?;
        let mut finder = begin(&visit);
        piece.run(timeline, &mut visit, &mut finder);
        if !first && visit.moment() == piece.end() {
            // The beginnings at the start of the next piece are seen by a run from here.
            visit.run(timeline, Moment(piece.end().0 + 1), &mut finder);
        }
        first = false;
        end(&mut finder);
        if let Some(now) = finder.found() {
            let found = visit.moment_at(now);
            return (found >= track.oldest()).then_some(found);
        }
    }
    None
}

/// The events of the frame before a moment that matter there, for a machine at that moment.
pub(crate) fn follow_to(
    track: &Track,
    machine: &Machine,
    now: Moment,
    dispatch: Option<u16>,
) -> Option<Follow> {
    let timeline = track.timeline();
    let piece = timeline.pieces_before(now).next()?;
    let mut visit = piece.visit()?;
    let mut follower = Follower::new(visit.machine(), dispatch);
    piece.run(timeline, &mut visit, &mut follower);
    Some(follower.finish(machine))
}
