//! A system of which nothing is known: no size, no full screen, no dropped files, no events of the mouse but minifb's.
use minifb::Window;
use std::ops::Range;
use std::path::PathBuf;
use ui::mouse::Event;

/// Uninhabited: nothing is known before there is a window.
pub enum Desktop {}

impl Desktop {
    pub fn open() -> Option<Self> {
        None
    }

    pub fn size(&self) -> Option<(usize, usize)> {
        match *self {}
    }

    pub fn dots_per_inch(&self) -> Option<f32> {
        match *self {}
    }
}

/// Uninhabited: no screen is known.
pub enum Screen {}

impl Screen {
    pub fn of(_: &Window) -> Option<Self> {
        None
    }

    pub fn fill(&self, _: bool) -> bool {
        match *self {}
    }

    pub fn is_hidden(&self) -> bool {
        match *self {}
    }

    pub fn show(&self, _: &[u32], _: usize, _: Range<usize>) -> bool {
        match *self {}
    }

    pub fn rate(&self) -> Option<f64> {
        match *self {}
    }

    pub fn introduce(&self, _: usize, _: &[u32]) {
        match *self {}
    }
}

/// Uninhabited: nothing is dropped.
pub enum Drops {}

impl Drops {
    pub fn accept(_: &Window) -> Option<Self> {
        None
    }

    pub fn take(&mut self) -> Option<Vec<PathBuf>> {
        match *self {}
    }
}

/// Uninhabited: minifb's state of the mouse is all there is.
pub enum Clicks {}

impl Clicks {
    pub const COMPLETE: bool = false;

    pub fn over(_: &Window) -> Option<Self> {
        None
    }

    pub fn take(&mut self) -> Vec<Event> {
        match *self {}
    }
}
