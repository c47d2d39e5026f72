//! Players of the games that come with the machine. They see the screen and press keys and joysticks, nothing else.
pub mod crazy_eights;
pub mod gammon;

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The line that announces it.
    pub message: String,
    /// Frames from power-on to the announcement.
    pub frames: u32,
    /// Turns the player took.
    pub turns: u32,
    /// The longest time that the computer took for one turn, in frames.
    pub longest_turn: u32,
}
