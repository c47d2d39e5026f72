//! The mouse over a window.
use super::system::Clicks;
use minifb::Window;
use ui::mouse::{Event, Polled};

/// Collects what the mouse does over one window.
pub struct Pointer {
    /// The system's own queue of events, where it has one.
    clicks: Option<Clicks>,
    polled: Polled,
}

impl Pointer {
    /// From now on the mouse's events over this window are collected.
    pub fn over(window: &Window) -> Self {
        Self {
            clicks: Clicks::over(window),
            polled: Polled::default(),
        }
    }

    /// The events since the last call, in order.
    pub fn events(&mut self, window: &Window) -> Vec<Event> {
        let mut events = self.clicks.as_mut().map(Clicks::take).unwrap_or_default();
        if self.clicks.is_none() || !Clicks::COMPLETE {
            events.extend(self.polled.events(window));
        }
        events
    }
}
