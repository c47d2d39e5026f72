//! Values that a chip keeps beside its state.
#![no_std]
#![forbid(unsafe_code)]

use core::ops::{Deref, DerefMut};

/// A value that follows from the rest of a chip, or that the host has not taken yet: tables worked out once, a row that is being drawn,
/// recorded sound. It is not saved, and two chips that differ only in it are equal.
///
/// Whatever is put in here must not change what the chip does, only how fast: a chip whose scratch is [`Default`] runs on in the same way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scratch<T>(pub T);

/// Always true.
impl<T> PartialEq for Scratch<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Scratch<T> {}

impl<T> Deref for Scratch<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Scratch<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
