//! Cycles of a line in which the chip does something of its own (AHRM 4.4 to 4.14).

/// The display list's instruction is fetched.
pub const LIST: usize = 1;
/// The first player's fetch; the missiles' is in cycle 0.
pub const FIRST_PLAYER: usize = 2;
/// The last player's fetch.
pub const LAST_PLAYER: usize = 5;
/// The low byte of an instruction's address is fetched.
pub const ADDRESS_LOW: usize = 6;
/// The high byte of an instruction's address is fetched.
pub const ADDRESS_HIGH: usize = 7;
/// The row decides whether the line ends its mode line with an interrupt.
pub const NMI_DECIDED: usize = 6;
/// NMIST is set, and NMIEN sampled for the first time.
pub const NMI_SAMPLED: usize = 7;
/// The NMI line falls, and NMIEN is sampled for the last time.
pub const NMI_GIVEN: usize = 8;
/// The NMI line falls if NMIEN was only there in its second sample.
pub const NMI_GIVEN_LATE: usize = 9;
/// From this cycle on the counters of the line buffer step, and bytes are shifted out.
pub const COUNTERS: usize = 8;
/// The first request for refresh.
pub const REFRESH: usize = 25;
/// The last request for refresh.
pub const LAST_REFRESH: usize = 57;
/// WSYNC lets the processor go.
pub const RELEASE: u8 = 105;
/// From this cycle on playfield fetches do not take the bus.
pub const VIRTUAL: usize = 106;
/// The last cycle in which a write of VSCROL is in time for the end of the line.
pub const LAST_VSCROL: usize = 108;
/// VCOUNT steps.
pub const VCOUNT: usize = 111;
