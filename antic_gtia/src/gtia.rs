//! GTIA: colours, players and missiles, collisions, triggers and console keys.
mod objects;
mod outputs;
mod overlay;
mod priority;
mod render;
mod unseen;

use crate::antic::AnBus;
use crate::{COLOUR_CLOCKS, END_VISIBLE, FIRST_VISIBLE, WIDTH};
use objects::Objects;
pub use outputs::{Outputs, Reading, register_name};
use scratch::Scratch;
use serde::{Deserialize, Serialize};

/// Register numbers of writes.
#[allow(missing_docs)]
pub mod reg {
    pub const HPOSP0: u8 = 0x00;
    pub const HPOSM0: u8 = 0x04;
    pub const SIZEP0: u8 = 0x08;
    pub const SIZEM: u8 = 0x0C;
    pub const GRAFP0: u8 = 0x0D;
    pub const GRAFM: u8 = 0x11;
    pub const COLPM0: u8 = 0x12;
    pub const COLPF0: u8 = 0x16;
    pub const COLBK: u8 = 0x1A;
    pub const PRIOR: u8 = 0x1B;
    pub const VDELAY: u8 = 0x1C;
    pub const GRACTL: u8 = 0x1D;
    pub const HITCLR: u8 = 0x1E;
    pub const CONSOL: u8 = 0x1F;
}

/// The colour registers in the order of the priority logic's outputs: COLPM0-3, COLPF0-3, COLBK. Bit 0 does not exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Colours([u8; 9]);

impl Colours {
    /// A register, numbered from COLPM0 on; beyond COLBK that.
    #[inline]
    pub fn register(&self, number: usize) -> u8 {
        self.0[number.min(8)]
    }

    /// Sets a register, numbered from COLPM0 on; beyond COLBK that.
    #[inline]
    pub fn set_register(&mut self, number: usize, colour: u8) {
        self.0[number.min(8)] = colour;
    }

    /// COLPM0-3.
    #[inline]
    pub fn pm(&self) -> [u8; 4] {
        let [a, b, c, d, ..] = self.0;
        [a, b, c, d]
    }

    /// COLPF0-3.
    #[inline]
    pub fn pf(&self) -> [u8; 4] {
        let [_, _, _, _, a, b, c, d, _] = self.0;
        [a, b, c, d]
    }

    /// COLBK.
    #[inline]
    pub fn bk(&self) -> u8 {
        self.0[8]
    }

    #[inline]
    fn palette(&self) -> Palette {
        let [a, b, c, d, e, f, g, h, bk] = self.0;
        [a, b, c, d, e, f, g, h, bk, 0, 0, 0, 0, 0, 0, 0]
    }
}

/// Colours by output of the priority logic: COLPM0-3, COLPF0-3, COLBK, and no more.
type Palette = [u8; 16];

/// Colour clocks of a cycle whose collisions a read in it sees.
const READ_DELAY: usize = 3;

/// The missiles among the objects, a byte each.
pub const MISSILES: u64 = 0xFFFF_FFFF_0000_0000;
/// The players among the objects, a byte each.
pub const PLAYERS: u64 = 0x0000_0000_FFFF_FFFF;

/// The colour clocks from which on the bytes of players in cycles 2 to 5 and missiles in cycle 0 act.
const OBJECT_DMA_ACTS: [u8; 8] = [7, 9, 11, 13, 3, 3, 3, 3];

/// The chip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gtia {
    /// Colour indexes of this line as far as it has been drawn.
    #[serde(with = "serde_bytes")]
    pixels: [u8; WIDTH],
    /// The next colour clock to draw.
    at: u16,
    objects: Objects,
    colours: Colours,
    prior: u8,
    vdelay: u8,
    gractl: u8,
    /// CONSOL as written: bits that pull lines low; bit 3 is the speaker.
    consol: u8,
    /// The hires flip-flop.
    hires: bool,
    /// A change of mode hides the playfield...
    absent: bool,
    /// ...or shows it this much later.
    held: u8,
    /// For PF0-PF3: the objects that have touched it.
    playfield_hits: [u8; 4],
    /// For each object those that it was on one spot with.
    met: [u8; 8],
    /// Triggers latched while GRACTL bit 2 is set: 0 = was pressed.
    triggers: [u8; 4],
    pal: bool,
    /// See [`Self::set_drawing`].
    #[serde(skip)]
    leaves_out_pixels: Scratch<bool>,
    /// `pixels` are those of a whole line without objects, and neither colours nor priorities have changed since.
    #[serde(skip)]
    row_stands: Scratch<bool>,
    #[serde(skip)]
    lit: Scratch<overlay::DrawnRow>,
    #[serde(skip)]
    merged: Scratch<overlay::ColourTables>,
}

impl Gtia {
    /// Colour indexes of this line as far as it has been drawn.
    #[inline]
    pub fn pixels(&self) -> &[u8; WIDTH] {
        &self.pixels
    }

    /// At power-on.
    pub fn new(pal: bool) -> Self {
        Self {
            pixels: [0; WIDTH],
            at: 0,
            objects: Objects::default(),
            colours: Colours::default(),
            prior: 0,
            vdelay: 0,
            gractl: 0,
            consol: 0,
            hires: false,
            absent: false,
            held: 0,
            playfield_hits: [0; 4],
            met: [0; 8],
            triggers: [1; 4],
            pal,
            leaves_out_pixels: Scratch::default(),
            row_stands: Scratch::default(),
            lit: Scratch::default(),
            merged: Scratch::default(),
        }
    }

    /// Starts a new line; the old one must have been drawn to its end.
    pub fn begin_line(&mut self) {
        self.at = 0;
    }

    /// The colour clock up to which the line has been drawn.
    pub fn drawn_to(&self) -> usize {
        self.at.into()
    }

    /// Switches the picture on or off. Without it collisions are found without pixels; all that a program can read is the same.
    pub fn set_drawing(&mut self, drawing: bool) {
        self.leaves_out_pixels.0 = !drawing;
    }

    /// True if pictures are wanted, see [`Self::set_drawing`].
    #[inline]
    pub fn is_drawing(&self) -> bool {
        !*self.leaves_out_pixels
    }

    /// True if what is left of the line looks at the AN codes: for a picture, or for collisions of objects.
    #[inline]
    pub fn needs_codes(&self) -> bool {
        self.is_drawing() || !self.objects.are_empty(u64::MAX)
    }

    /// The colour registers.
    pub fn colours(&self) -> Colours {
        self.colours
    }

    /// Colour clocks from the first one of the write's cycle to the first one that shows it (AHRM 6.10).
    pub const fn delay(register: u8) -> usize {
        match register & 31 {
            reg::HPOSP0..=0x07 => 5,
            reg::COLPM0..=reg::COLBK => 1,
            reg::PRIOR => 2,
            _ => 3,
        }
    }

    /// A write in `cycle`. Before something changes that the picture up to a colour clock depends on, `draw` is called with this; it brings the AN
    /// lines there and calls [`Self::sync_to`].
    #[inline]
    pub fn write(
        &mut self,
        register: u8,
        data: u8,
        cycle: usize,
        mut draw: impl FnMut(&mut Self, usize),
    ) {
        let register = register & 31;
        let to = 2 * cycle + Self::delay(register);
        let n = usize::from(register);
        match register {
            reg::COLPM0..=reg::COLBK => {
                self.write_colour(n - usize::from(reg::COLPM0), data & 0xFE, to, draw);
            }
            reg::HPOSP0..=0x07 => {
                if self.position_matters(n, data, to) {
                    draw(self, to);
                }
                self.objects.hpos[n] = data;
            }
            reg::GRAFP0..=reg::GRAFM => self.write_graf(register, data, to, draw),
            reg::SIZEP0..=0x0B => {
                if self.size_matters(n & 3, to) {
                    draw(self, to);
                }
                self.objects.size[n & 3] = data & 3;
            }
            reg::PRIOR => self.write_prior(data, cycle, draw),
            _ => self.write_rarely(register, data, to, draw),
        }
    }

    /// A write of a colour register, numbered from COLPM0 on.
    #[inline]
    fn write_colour(
        &mut self,
        number: usize,
        colour: u8,
        to: usize,
        mut draw: impl FnMut(&mut Self, usize),
    ) {
        if self.colours.0[number] == colour {
            return;
        }
        // Without objects COLPM0-3 are seen in mode 10 only.
        let hidden = number < 4 && self.objects.are_empty(u64::MAX) && self.prior >> 6 != 2;
        if !hidden && self.visible_before(to) {
            draw(self, to);
        }
        self.colours.0[number] = colour;
        self.row_stands.0 = false;
        self.merged.invalidate(1 << number);
    }

    /// The registers that are written less often.
    #[inline(never)]
    fn write_rarely(
        &mut self,
        register: u8,
        data: u8,
        to: usize,
        mut draw: impl FnMut(&mut Self, usize),
    ) {
        match register {
            reg::SIZEM => {
                if !self.objects.are_empty(MISSILES) {
                    draw(self, to);
                }
                for i in 0..4 {
                    self.objects.size[4 + i] = data >> (2 * i) & 3;
                }
            }
            reg::VDELAY => self.vdelay = data,
            reg::GRACTL => {
                self.gractl = data & 7;
                if data & 4 == 0 {
                    self.triggers = [1; 4];
                }
            }
            reg::HITCLR => {
                if self.visible_before(to) && !self.objects.are_empty(u64::MAX) {
                    draw(self, to);
                }
                self.playfield_hits = [0; 4];
                self.met = [0; 8];
            }
            _ => self.consol = data & 15,
        }
    }

    /// A write of GRAFP0-3 or GRAFM that acts from colour clock `to` on.
    #[inline(never)]
    fn write_graf(
        &mut self,
        register: u8,
        data: u8,
        to: usize,
        mut draw: impl FnMut(&mut Self, usize),
    ) {
        if register != reg::GRAFM {
            return self.set_graf((register - reg::GRAFP0).into(), data, to, draw);
        }
        for i in 0..4 {
            let bits = (data >> (2 * i) & 3) << 6;
            self.set_graf(4 + i, bits, to, &mut draw);
        }
    }

    /// True if colour clock `x` has not been drawn and is before `to`.
    #[inline]
    fn is_pending(&self, x: u8, to: usize) -> bool {
        usize::from(x) >= usize::from(self.at) && usize::from(x) < to
    }

    /// True if an object would be drawn elsewhere before colour clock `to`, were its HPOS `data` at once.
    #[inline]
    fn position_matters(&self, number: usize, data: u8, to: usize) -> bool {
        (self.is_pending(self.objects.hpos[number], to) || self.is_pending(data, to))
            && !self.objects.are_empty(0xFF << (8 * number))
    }

    /// True if a player would look different before colour clock `to`, if another size acted at once.
    #[inline]
    fn size_matters(&self, player: usize, to: usize) -> bool {
        (self.objects.shift[player] != 0 || self.is_pending(self.objects.hpos[player], to))
            && !self.objects.are_empty(0xFF << (8 * player))
    }

    /// True if a part of the picture before colour clock `to` has not been drawn.
    fn visible_before(&self, to: usize) -> bool {
        usize::from(self.at).max(FIRST_VISIBLE) < to.min(END_VISIBLE)
    }

    /// A write of PRIOR in `cycle`: bits 0-5 act two colour clocks later, bits 6-7 three or four, with a short transition when
    /// modes 9 and 11 are left (AHRM 6.10).
    #[inline(never)]
    fn write_prior(&mut self, data: u8, cycle: usize, mut draw: impl FnMut(&mut Self, usize)) {
        let old = self.prior >> 6;
        if old == data >> 6 && (data == self.prior || self.objects.are_empty(u64::MAX)) {
            // Without objects priorities decide nothing.
            return self.set_prior(data, data);
        }
        let x = 2 * cycle;
        draw(self, x + 2);
        self.set_prior(data, self.prior);
        match (old, data >> 6) {
            (from, to) if from == to => {}
            (_, 2) => {
                draw(self, x + 3);
                self.set_prior(data, data);
            }
            (1 | 3, 0) => {
                draw(self, x + 3);
                self.set_prior(data, data);
                self.absent = true;
                draw(self, x + 4);
                self.absent = false;
                self.held = 1;
                draw(self, x + 5);
                self.held = 0;
            }
            _ => {
                draw(self, x + 4);
                self.set_prior(data, data);
            }
        }
    }

    fn set_prior(&mut self, low: u8, high: u8) {
        let old = core::mem::replace(&mut self.prior, low & 0x3F | high & 0xC0);
        if (old ^ self.prior) & 0x3F != 0 {
            self.merged.clear();
        }
        self.row_stands.0 &= old == self.prior;
        if self.prior & 0xC0 != 0 {
            self.hires = false;
        }
    }

    /// The bytes that GTIA takes from the bus: missile data (bit 0) and player data (bit 1).
    pub fn takes(&self) -> u8 {
        self.gractl & 3
    }

    /// The objects that take their bytes from the bus in this line, $FF each.
    #[inline]
    fn taking(&self, odd_line: bool) -> u64 {
        let players = if self.gractl & 2 != 0 { PLAYERS } else { 0 };
        let missiles = if self.gractl & 1 != 0 { MISSILES } else { 0 };
        let delayed = if odd_line || self.vdelay == 0 {
            0
        } else {
            objects::bytes_of(self.vdelay.rotate_left(4))
        };
        (players | missiles) & !delayed
    }

    /// The bytes of `objects`, $FF each, in the cycles of ANTIC's DMA: the missiles' in cycle 0, the players' from cycle 2 on. `false`: they
    /// must be given one by one.
    #[inline]
    pub fn object_bytes(&mut self, objects: u64, bytes: [u8; 5], odd_line: bool) -> bool {
        let [missiles, a, b, c, d] = bytes;
        let fours = u64::from(missiles) * 0x1001 & 0x000F_000F;
        let pairs = (fours | fours << 6) & 0x0303_0303;
        let data = u64::from(u32::from_le_bytes([a, b, c, d])) | pairs << 38;
        let set = self.taking(odd_line) & objects;
        self.at == 0 && self.objects.set_grafs(set, data, OBJECT_DMA_ACTS)
    }

    /// The byte on the bus in the missiles' cycle.
    pub fn missile_byte(&mut self, data: u8, odd_line: bool, cycle: usize, an: &AnBus) {
        let to = 2 * cycle + Self::delay(reg::GRAFM);
        let taking = self.taking(odd_line);
        for i in 0..4 {
            if taking >> (32 + 8 * i) & 1 != 0 {
                self.set_graf(4 + i, (data >> (2 * i) & 3) << 6, to, |gtia, to| {
                    gtia.sync_to(to, an);
                });
            }
        }
    }

    /// The byte on the bus in the cycle of player 0 to 3.
    #[inline]
    pub fn player_byte(
        &mut self,
        player: usize,
        data: u8,
        odd_line: bool,
        cycle: usize,
        an: &AnBus,
    ) {
        if self.taking(odd_line) >> (8 * (player & 3)) & 1 != 0 {
            let to = 2 * cycle + Self::delay(reg::GRAFP0);
            self.set_graf(player, data, to, |gtia, to| gtia.sync_to(to, an));
        }
    }

    /// Sets GRAF from colour clock `to` on.
    #[inline]
    fn set_graf(
        &mut self,
        number: usize,
        data: u8,
        to: usize,
        mut draw: impl FnMut(&mut Self, usize),
    ) {
        if !self.objects.set_graf(number, data, self.at.into(), to) {
            draw(self, to);
            self.objects.write_graf(number, data);
        }
    }

    /// The colour clock up to which the line must be drawn before a read in `cycle`, for the sake of its collisions.
    pub fn read_needs(&self, register: u8, cycle: usize) -> Option<usize> {
        let (register, to) = (register & 31, 2 * cycle + READ_DELAY);
        (register < 0x10 && self.visible_before(to) && self.may_change(register, to)).then_some(to)
    }

    /// True if the object of this collision register (0 to 15) may meet what it has not met yet, in the part of the line before colour clock `to` that has
    /// not been drawn.
    fn may_change(&self, register: u8, to: usize) -> bool {
        let (number, player) = (register & 3, register & 4 != 0);
        // No player meets itself.
        let itself = if register >= 12 { 1 << number } else { 0 };
        if self.collisions(register) | itself == 15 {
            return false;
        }
        let passed = self.objects.passed(self.at.into(), to.min(COLOUR_CLOCKS));
        let object = if player { number } else { 4 + number };
        self.objects.active(passed) >> (8 * object) & 0xFF != 0
    }

    /// M0PF to M3PF, P0PF to P3PF, M0PL to M3PL, P0PL to P3PL.
    fn collisions(&self, register: u8) -> u8 {
        let n = usize::from(register & 3);
        let bit = if register & 4 == 0 { 4 + n } else { n };
        if register < 8 {
            (0..4).fold(0, |byte, pf| {
                byte | (self.playfield_hits[pf] >> bit & 1) << pf
            })
        } else {
            self.met[bit] & 15
        }
    }

    /// The value of a read. `console` and `trigger` are the levels of the input lines: console keys in bits 0-2, and the trigger that this register
    /// reads.
    pub fn read(&self, register: u8, console: u8, trigger: u8) -> u8 {
        let register = register & 31;
        let n = usize::from(register & 3);
        match register {
            0x00..=0x0F => self.collisions(register),
            // TRIG0-TRIG3.
            0x10..=0x13 => {
                if self.gractl & 4 != 0 {
                    self.triggers[n] & trigger & 1
                } else {
                    trigger & 1
                }
            }
            0x14 if self.pal => 0x01,
            0x1F => (console & 7 | 8) & !self.consol,
            _ => 0x0F,
        }
    }

    /// True while GRACTL has the trigger lines latched.
    pub fn latches_triggers(&self) -> bool {
        self.gractl & 4 != 0
    }

    /// A trigger line has this level now.
    pub fn trigger(&mut self, number: usize, level: u8) {
        if self.gractl & 4 != 0 {
            self.triggers[number & 3] &= level & 1;
        }
    }

    /// CONSOL as written: bit 3 drives the console speaker.
    pub fn consol(&self) -> u8 {
        self.consol
    }

    /// True if every field is within the range that the rest of the chip relies on: for a state that was read from a file.
    pub fn is_valid(&self) -> bool {
        let o = &self.objects;
        usize::from(self.at) <= crate::COLOUR_CLOCKS
            && o.size.iter().chain(&o.state).all(|&n| n <= 3)
            && o.graf[4..].iter().all(|&bits| bits & 0x3F == 0)
            && o.load[4..].iter().all(|&bits| bits & 0x3F == 0)
            && self.gractl <= 7
            && self.consol <= 15
            && self.held <= 1
            && self.triggers.iter().all(|&level| level <= 1)
    }

    /// The graphics latches that HPOS loads, by object: GRAF, or its value before a write that comes after HPOS, in the part of the line that has not
    /// been drawn.
    pub fn loads(&self) -> [u8; 8] {
        self.objects.load
    }

    /// Sets [`Self::loads`] as they were saved; without that they are GRAF.
    pub fn set_loads(&mut self, loads: Option<[u8; 8]>) {
        self.objects.load = loads.unwrap_or(self.objects.graf);
    }

    /// PRIOR.
    pub fn prior(&self) -> u8 {
        self.prior
    }

    /// The value of a register that programs can only write, for a debugger.
    pub fn written(&self, register: u8) -> u8 {
        let register = register & 31;
        let n = usize::from(register);
        let pairs = |of: fn(&Objects, usize) -> u8| {
            (0..4).fold(0, |byte, i| byte | of(&self.objects, 4 + i) << (2 * i))
        };
        match register {
            reg::HPOSP0..=0x07 => self.objects.hpos[n & 7],
            reg::SIZEP0..=0x0B => self.objects.size[n & 3],
            reg::SIZEM => pairs(|objects, i| objects.size[i] & 3),
            reg::GRAFP0..=0x10 => self.objects.graf[(n - 0x0D) & 3],
            reg::GRAFM => pairs(|objects, i| objects.graf[i] >> 6),
            reg::COLPM0..=reg::COLBK => self.colours.register(n - 0x12),
            reg::PRIOR => self.prior,
            reg::VDELAY => self.vdelay,
            reg::GRACTL => self.gractl,
            reg::HITCLR => 0,
            _ => self.consol,
        }
    }

    /// HPOS, SIZE and GRAF of players 0-3 and missiles 4-7 (two bits at the top), for a debugger.
    pub fn object(&self, number: usize) -> (u8, u8, u8) {
        let n = number & 7;
        (
            self.objects.hpos[n],
            self.objects.size[n],
            self.objects.graf[n],
        )
    }
}
