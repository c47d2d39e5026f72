//! The library that Python opens, with the module `anticlock._anticlock` of the package [`border`].
#![forbid(unsafe_code)]

pub use border::_anticlock;
