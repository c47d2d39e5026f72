//! Alt and Alt Gr as Windows reports them: Alt Gr is left Ctrl and right Alt, in this order, each repeated while it is held.
use minifb::Key;

/// Keys whose messages are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modifier {
    LeftCtrl,
    LeftAlt,
    RightAlt,
}

/// The result of a message about a modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// minifb reports it.
    Pass,
    /// This key went down or up, and minifb does not report it.
    Key(Key, bool),
    /// Part of Alt Gr, which is not reported: the characters that it makes are.
    Nothing,
}

/// Modifiers that are down.
#[derive(Clone, Copy, Debug, Default)]
pub struct Modifiers {
    left_ctrl: bool,
    alt_gr: bool,
}

impl Modifiers {
    /// Takes over that a modifier went down or up.
    pub fn take(&mut self, modifier: Modifier, down: bool) -> Report {
        match modifier {
            Modifier::LeftCtrl if self.alt_gr => Report::Nothing,
            Modifier::LeftCtrl => {
                self.left_ctrl = down;
                Report::Pass
            }
            Modifier::LeftAlt => Report::Key(Key::LeftAlt, down),
            Modifier::RightAlt if self.alt_gr => {
                self.alt_gr = down;
                Report::Nothing
            }
            Modifier::RightAlt if down && self.left_ctrl => {
                // Left Ctrl was reported before it was known to be part of Alt Gr.
                *self = Self {
                    left_ctrl: false,
                    alt_gr: true,
                };
                Report::Key(Key::LeftCtrl, false)
            }
            Modifier::RightAlt => Report::Key(Key::RightAlt, down),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Modifier::{LeftAlt, LeftCtrl, RightAlt};

    #[test]
    fn alt_gr_is_not_reported_and_leaves_no_ctrl_behind() {
        let mut modifiers = Modifiers::default();
        for (modifier, down, report) in [
            (LeftCtrl, true, Report::Pass),
            (RightAlt, true, Report::Key(Key::LeftCtrl, false)),
            // Repeats.
            (LeftCtrl, true, Report::Nothing),
            (RightAlt, true, Report::Nothing),
            (LeftCtrl, false, Report::Nothing),
            (RightAlt, false, Report::Nothing),
            // A right Alt of its own, on layouts without Alt Gr.
            (RightAlt, true, Report::Key(Key::RightAlt, true)),
            (RightAlt, false, Report::Key(Key::RightAlt, false)),
            (LeftCtrl, true, Report::Pass),
            (LeftAlt, true, Report::Key(Key::LeftAlt, true)),
            (LeftAlt, false, Report::Key(Key::LeftAlt, false)),
            (LeftCtrl, false, Report::Pass),
        ] {
            assert_eq!(
                modifiers.take(modifier, down),
                report,
                "{modifier:?} {down}"
            );
        }
    }
}
