//! A machine that does each frame of the page's machine again, under the debugger: so breakpoints of every kind stop the running page.
//!
//! The page's own program has no debugger. After a frame its machine tells how long it ran and which events reached it
//! ([`Emulator::take_events`]); the machine of *Inside* repeats them ([`Inspector::shadow`]). The page compares both states now and then, and brings
//! its machine over again where they differ.
use crate::emulator::Emulator;
#[cfg(feature = "inspect")]
use crate::inspect::Inspector;
#[cfg(feature = "inspect")]
use debugger::Stop;
use machine::codec;
use session::timeline::{Event, Position};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl Emulator {
    /// Cycles since the last call and the events that reached the machine meanwhile. Empty when it went back, or another machine took its place.
    pub fn take_events(&mut self) -> Vec<u8> {
        let timeline = self.session.timeline();
        let now = Position {
            moment: self.session.moment(),
            events: timeline.cursor().events,
        };
        let before = std::mem::replace(&mut self.told, now);
        let Some(cycles) = now.moment.0.checked_sub(before.moment.0) else {
            return Vec::new();
        };
        let since = timeline
            .events_after(before)
            .take_while(|(at, _)| *at <= now.moment);
        let events: Option<Vec<(u64, &Event)>> = since
            .map(|(at, event)| {
                let is_passed_on = !matches!(event, Event::Replace(_));
                Some((at.0.checked_sub(before.moment.0)?, event)).filter(|_| is_passed_on)
            })
            .collect();
        events.map_or_else(Vec::new, |events| codec::encode(&(cycles, events)))
    }
}

#[cfg(feature = "inspect")]
#[wasm_bindgen]
impl Inspector {
    /// True if a breakpoint is set that [`Emulator::set_stops`] does not know: one with a condition, at a line, a read, the beam.
    pub fn needs_shadow(&self) -> bool {
        let enabled = self.debugger.breakpoints.list().iter();
        let enabled = enabled.filter(|breakpoint| breakpoint.enabled).count();
        self.plain_places().count() < enabled
    }

    /// Does what the page's machine told ([`Emulator::take_events`]). Says why and where this machine stopped, or nothing when no breakpoint came.
    ///
    /// # Errors
    /// One sentence when this machine cannot repeat them.
    pub fn shadow(
        &mut self,
        emulator: &mut Emulator,
        told: &[u8],
    ) -> Result<Option<String>, String> {
        let apart = || "the machine became another one".to_owned();
        let told: Option<(u64, Vec<(u64, Event)>)> = codec::decode(told);
        let (cycles, events) = told.ok_or_else(apart)?;
        let session = &mut emulator.session;
        let end = session.moment().0.checked_add(cycles).ok_or_else(apart)?;
        // The page's machine has the host.
        drop(session.requests());
        let (before, after): (Vec<_>, Vec<_>) =
            events.into_iter().partition(|(since, _)| *since == 0);
        for (_, event) in before {
            emulator.pass_on(event)?;
        }
        if cycles > 0
            && let Stop::Breakpoint(number) = self.debugger.run_frame(&mut emulator.session)
        {
            let place = self.execute(emulator, "where");
            return Ok(Some(format!("breakpoint {number}\n{place}")));
        }
        for (since, event) in after {
            if since != cycles {
                return Err(apart());
            }
            emulator.pass_on(event)?;
        }
        (emulator.session.moment().0 == end)
            .then_some(None)
            .ok_or_else(apart)
    }
}

#[cfg(feature = "inspect")]
impl Emulator {
    fn pass_on(&mut self, event: Event) -> Result<(), String> {
        if let Event::Controls(input) = &event {
            *self.session.controls() = *input;
        }
        self.session.apply(event).map_err(|error| error.to_string())
    }
}

#[cfg(all(test, feature = "inspect"))]
mod tests {
    use super::*;

    /// The machine of the page with this listing, and one of *Inside* that has come over.
    fn both(listing: &str) -> (Emulator, Emulator, Inspector) {
        let mut page = Emulator::new(48_000.0).unwrap();
        page.open_listing(listing, "").unwrap();
        while page.is_starting() {
            page.frame();
        }
        let mut shadow = Emulator::new(48_000.0).unwrap();
        shadow
            .open_moment(&page.save_moment(30).unwrap(), &page.state_hash())
            .unwrap();
        let inspector = Inspector::new(&mut shadow);
        page.take_events();
        (page, shadow, inspector)
    }

    #[test]
    fn a_shadow_is_the_same_machine_after_each_frame() {
        let (mut page, mut shadow, mut inspector) = both("10 POKE 712,STICK(0):GOTO 10\n");
        inspector.command(&mut shadow, "break write $02C8 if value == 99");
        assert!(inspector.needs_shadow());
        for frame in 0..200u8 {
            page.stick(0, u8::from(frame % 20 < 5) << (frame % 4));
            match frame {
                50 => page.poke(1536, 7).unwrap(),
                90 => page.reset(),
                120 => _ = page.paste("PRINT 1\n"),
                _ => (),
            }
            page.frame();
            let told = page.take_events();
            assert_eq!(inspector.shadow(&mut shadow, &told), Ok(None));
            assert_eq!(shadow.state_hash(), page.state_hash(), "frame {frame}");
        }
        // A machine that has gone back has to come over again.
        assert!(page.back(60));
        assert!(inspector.shadow(&mut shadow, &page.take_events()).is_err());
    }

    #[test]
    fn a_shadow_stops_at_conditions_and_lines_and_the_page_goes_there() {
        let listing = "10 FOR I=1 TO 9:NEXT I\n20 POKE 1536,PEEK(1536)+1\n30 GOTO 10\n";
        for command in [
            "break write $0600 if value == 5",
            "break basic 30 if [$0600] == 5",
        ] {
            let (mut page, mut shadow, mut inspector) = both(listing);
            let said = inspector.command(&mut shadow, command);
            assert!(inspector.needs_shadow(), "{said}");
            let mut stopped = None;
            let (mut here, mut there) = (0.0, 0.0);
            for _ in 0..600 {
                (here, there) = (page.moment(), shadow.moment());
                page.frame();
                let told = page.take_events();
                stopped = inspector.shadow(&mut shadow, &told).unwrap();
                if stopped.is_some() {
                    break;
                }
            }
            assert!(stopped.is_some(), "{command}: {said}");
            assert!(page.follow(here, &shadow.way_since(there)));
            assert_eq!(page.state_hash(), shadow.state_hash());
            let wanted = if command.contains("write") { 4 } else { 5 };
            assert_eq!(page.peek(1536, 1), [wanted]);
        }
    }
}
