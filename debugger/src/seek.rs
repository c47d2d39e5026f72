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
) -> Option<Moment> {
    if breakpoints.are_places() {
        return last_of(track, |_| PlaceFinder::new(breakpoints), |_| ());
    }
    last(track, breakpoints, None, breakpoints.need_past(), dispatch)
}

/// The last moment before the present one at which a step begins.
pub(crate) fn last_begin(
    track: &Track,
    aim: Aim<'_>,
    dispatch: &Cell<Option<u16>>,
) -> Option<Moment> {
    let none = Breakpoints::default();
    last(track, &none, Some(aim), aim.needs_past(), dispatch)
}

fn last(
    track: &Track,
    breakpoints: &Breakpoints,
    aim: Option<Aim<'_>>,
    needs_past: bool,
    dispatch: &Cell<Option<u16>>,
) -> Option<Moment> {
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
    last_of(track, begin, |finder| {
        dispatch.set(*finder.follow.dispatch());
    })
}

/// What a probe finds last before the present moment; one is begun for each piece of time, and ended after it.
fn last_of<P: Seek>(
    track: &Track,
    begin: impl Fn(&Visit) -> P,
    end: impl Fn(&mut P),
) -> Option<Moment> {
    let timeline = track.timeline();
    let mut first = true;
    for piece in timeline.pieces_before(track.moment()) {
        let mut visit = piece.visit()?;
        let mut finder = begin(&visit);
        piece.run(timeline, &mut visit, &mut finder);
        if !first && visit.moment() == piece.end() {
            // What begins where the next piece does is seen by coming from here.
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

/// What the frame before a moment says about it, for a machine at that moment.
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
