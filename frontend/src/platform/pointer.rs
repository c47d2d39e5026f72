//! The mouse over a window.
#[cfg(target_os = "linux")]
use super::clicks::Clicks;
use minifb::Window;
use ui::mouse::{Event, Polled};

/// Collects what the mouse does over one window.
pub struct Pointer {
    /// The system's own queue of events, where it has one.
    #[cfg(target_os = "linux")]
    clicks: Option<Clicks>,
    polled: Polled,
}

impl Pointer {
    /// From now on the mouse's events over this window are collected.
    pub fn over(window: &Window) -> Self {
        #[cfg(not(target_os = "linux"))]
        let _ = window;
        Self {
            #[cfg(target_os = "linux")]
            clicks: Clicks::over(window),
            polled: Polled::default(),
        }
    }

    /// The events since the last call, in order. minifb has those that another program sends to the window itself.
    pub fn events(&mut self, window: &Window) -> Vec<Event> {
        #[cfg(target_os = "linux")]
        let mut events = self.clicks.as_mut().map(Clicks::take).unwrap_or_default();
        #[cfg(not(target_os = "linux"))]
        let mut events = Vec::new();
        events.extend(self.polled.events(window));
        events
    }
}
