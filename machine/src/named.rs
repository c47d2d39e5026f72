//! Choices that a person makes by a word.
use alloc::string::String;

/// A set of choices, each with its word. The words are the same on the command line, in files of settings, on the page, in RetroArch and in Python.
///
/// ```
/// use machine::{Model, Named, Tv};
///
/// assert_eq!(Model::find("130XE"), Some(Model::Xe130));
/// assert_eq!(Tv::find("secam"), None);
/// ```
pub trait Named: Copy + PartialEq + 'static {
    /// All, in the order in which they are offered.
    const ALL: &'static [Self];

    /// The word, in small letters.
    fn name(self) -> &'static str;

    /// A second word that is understood.
    fn alias(self) -> Option<&'static str> {
        None
    }

    /// The choice in a few words, for a list.
    fn about(self) -> String {
        self.name().to_ascii_uppercase()
    }

    /// The choice with this word, in letters of either case.
    #[must_use]
    fn find(word: &str) -> Option<Self> {
        let is = |name: &str| name.eq_ignore_ascii_case(word);
        let mut all = Self::ALL.iter().copied();
        all.find(|one| is(one.name()) || one.alias().is_some_and(is))
    }
}
