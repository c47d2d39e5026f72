//! The terminal that the program was started from. On Windows a program has a console of its own when it was started from the desktop, and
//! a window makes it needless; other systems have none.

/// Closes a console that was opened only for this program, because a window follows.
pub fn leave() {
    #[cfg(windows)]
    super::windows::console::leave();
}

/// Shows why the program ends in a box, where no terminal shows it.
pub fn tell(sentence: &str) {
    #[cfg(windows)]
    super::windows::console::tell(sentence);
    #[cfg(not(windows))]
    let _ = sentence;
}
