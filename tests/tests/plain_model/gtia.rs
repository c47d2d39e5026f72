//! GTIA one colour clock after the other (AHRM 6.5 to 6.10).
use crate::LINE;
use crate::antic::{Dot, Field};
use crate::scene::Scene;

/// A write in a cycle of a line.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    pub cycle: usize,
    pub register: u8,
    pub data: u8,
}

/// A value on its way to where it acts.
#[derive(Clone, Copy)]
enum Act {
    Register(u8, u8),
    /// GRAFP0-3, or for 4 to 7 a missile's two bits, from DMA.
    Shape(usize, u8),
}

/// The chip.
#[derive(Clone)]
pub struct Gtia {
    /// Registers as they act, but for those of the objects.
    registers: [u8; 30],
    hpos: [u8; 8],
    size: [u8; 8],
    graf: [u8; 8],
    shift: [u8; 8],
    state: [u8; 8],
    hires: bool,
    /// Changing the GTIA mode: the colour clock in which the write's cycle began, the mode before, and the new one.
    switch: Option<(usize, u8, u8)>,
    /// Playfields of missiles and players, players of missiles and players.
    pub hits: [u8; 16],
    /// PMBASE, and bit 4 of DMACTL: where ANTIC finds players and missiles.
    pub pmbase: u8,
    pub one_line: bool,
}

impl Gtia {
    pub fn new(scene: &Scene) -> Self {
        let mut gtia = Self {
            registers: [0; 30],
            hpos: [0; 8],
            size: [0; 8],
            graf: [0; 8],
            shift: [0; 8],
            state: [0; 8],
            hires: false,
            switch: None,
            hits: [0; 16],
            pmbase: scene.pmbase,
            one_line: scene.dmactl & 0x10 != 0,
        };
        for (register, &data) in scene.gtia.iter().enumerate() {
            gtia.set(register as u8, data);
        }
        gtia.registers[0x1B] = scene.gtia[0x1B];
        gtia
    }

    fn set(&mut self, register: u8, data: u8) {
        let n = usize::from(register);
        match register {
            0x00..=0x07 => self.hpos[n] = data,
            0x08..=0x0B => self.size[n - 8] = data & 3,
            0x0C => (0..4).for_each(|i| self.size[4 + i] = data >> (2 * i) & 3),
            0x0D..=0x10 => self.graf[n - 0x0D] = data,
            0x11 => (0..4).for_each(|i| self.graf[4 + i] = data >> (2 * i) << 6),
            0x1B => self.registers[n] = self.registers[n] & 0xC0 | data & 0x3F,
            0x1E => self.hits = [0; 16],
            _ => self.registers[n] = data,
        }
    }

    /// Missile and player DMA of a line.
    fn fetches(&self, scene: &Scene, line: usize, field: &Field) -> Vec<(usize, Act)> {
        let gractl = self.registers[0x1D];
        let base = usize::from(self.pmbase) << 8;
        let byte = |section: usize| {
            let address = if self.one_line {
                (base & 0xF800) + 0x100 * section + line
            } else {
                (base & 0xFC00) + 0x80 * section + line / 2
            };
            scene.memory[address]
        };
        let usual = || -> Vec<(usize, u8)> {
            let bytes = (3..8).map(byte);
            [0, 2, 3, 4, 5].into_iter().zip(bytes).collect()
        };
        let fetched = field.objects.clone().unwrap_or_else(usual);
        let loads = |bit: usize| line % 2 == 1 || self.registers[0x1C] >> bit & 1 == 0;
        let mut acts = Vec::new();
        if let [missiles, players @ ..] = &fetched[..] {
            for (n, player) in players.iter().enumerate() {
                if gractl & 1 != 0 && loads(n) {
                    let bits = missiles.1 >> (2 * n) << 6;
                    acts.push((2 * missiles.0 + 3, Act::Shape(4 + n, bits)));
                }
                if gractl & 2 != 0 && loads(4 + n) {
                    acts.push((2 * player.0 + 3, Act::Shape(n, player.1)));
                }
            }
        }
        acts.sort_by_key(|act| act.0);
        acts
    }

    /// A line with its writes in the order of their cycles: the two pixels of each colour clock from 34 to 221, or nothing in vertical
    /// blank.
    pub fn line(
        &mut self,
        scene: &Scene,
        line: usize,
        field: Option<&Field>,
        writes: &[Write],
    ) -> Vec<(u8, u8)> {
        let mut acts = field.map_or(Vec::new(), |field| self.fetches(scene, line, field));
        for write in writes {
            let delay = match write.register {
                0x00..=0x07 => 5,
                0x12..=0x1A => 1,
                0x1B => 2,
                _ => 3,
            };
            let at = (2 * write.cycle + delay).min(LINE);
            acts.push((at, Act::Register(write.register, write.data)));
        }
        let mut row = Vec::new();
        for x in 0..=LINE {
            for &(_, act) in acts.iter().filter(|act| act.0 == x) {
                self.act(act, x);
            }
            self.go_on_switching(x);
            if x == LINE {
                break;
            }
            if x == 34 {
                self.hires = field.is_some_and(|f| f.hires);
            }
            if self.registers[0x1B] & 0xC0 != 0 {
                self.hires = false;
            }
            let lit = self.shift_objects(x);
            if let (Some(field), true) = (field, (34..222).contains(&x)) {
                row.push(self.pixels(field, x, lit));
            }
        }
        row
    }

    fn act(&mut self, act: Act, x: usize) {
        match act {
            Act::Register(0x1B, data) => {
                self.switch = Some((x - 2, self.registers[0x1B] >> 6, data >> 6));
                self.set(0x1B, data);
            }
            Act::Register(register, data) => self.set(register, data),
            Act::Shape(object, bits) => self.graf[object] = bits,
        }
    }

    /// PRIOR bits 6-7 act three or four colour clocks after the write's cycle began.
    fn go_on_switching(&mut self, x: usize) {
        let Some((start, from, to)) = self.switch else {
            return;
        };
        let acts = match (from, to) {
            (_, 2) | (1 | 3, 0) => 3,
            _ => 4,
        };
        if x >= start + acts {
            self.registers[0x1B] = self.registers[0x1B] & 0x3F | to << 6;
        }
        if x >= start + 5 || from == to {
            self.switch = None;
        }
    }

    /// When modes 9 and 11 are left, the playfield is absent for a colour clock and late for another.
    fn leaving(&self, x: usize) -> Option<usize> {
        let (start, from, to) = self.switch?;
        (matches!(from, 1 | 3) && to == 0 && x >= start + 3).then(|| x - start - 3)
    }

    /// One colour clock of all shift registers; what is lit: players in bits 0-3, missiles in bits 4-7.
    fn shift_objects(&mut self, x: usize) -> u8 {
        let mut lit = 0;
        for n in 0..8 {
            if usize::from(self.hpos[n]) == x {
                if self.state[n] != 0 {
                    self.shift[n] <<= 1;
                }
                self.state[n] = 0;
                self.shift[n] |= self.graf[n];
            }
            lit |= self.shift[n] >> 7 << n;
            self.state[n] = (self.state[n] + 1) & self.size[n];
            if self.state[n] == 0 {
                self.shift[n] <<= 1;
            }
        }
        lit
    }

    /// The two pixels at `x`, after AHRM 6.6 to 6.9.
    fn pixels(&mut self, field: &Field, x: usize, objects: u8) -> (u8, u8) {
        let g = &self.registers;
        let prior = g[0x1B];
        let bk = g[0x1A] & 0xFE;
        let special = prior >> 6;
        let leaving = self.leaving(x);
        let dot = |x: usize| match leaving {
            Some(0) => Dot::Back,
            Some(1) => field.dot(x, 1),
            _ => field.dot(x, 0),
        };
        // The value of the fat pixel that `x` belongs to.
        let even = if special == 2 { (x - 1) & !1 } else { x & !1 };
        let value = dot(even).bits() << 2 | dot(even + 1).bits();
        let muted = dot(even + 1) == Dot::Back && dot(even).bits() & 1 != 0;
        let fifth = prior & 0x10 != 0 && objects & 0xF0 != 0;
        let mut players = objects & 15;
        if prior & 0x10 == 0 {
            players |= objects >> 4;
        }
        let real = players;
        // Which playfield takes part in priorities, and which in collisions.
        let mut shown = None;
        let mut touched = None;
        match (special, dot(x)) {
            (0, Dot::Pair(n)) if self.hires => {
                (shown, touched) = (Some(2), (n != 0).then_some(2));
            }
            (0, Dot::Field(n) | Dot::Pair(n)) => (shown, touched) = (Some(n), Some(n)),
            (2, _) if !muted => match value {
                0..=3 => players |= 1 << value,
                8..=11 => {}
                n => (shown, touched) = (Some(n & 3), Some(n & 3)),
            },
            _ => {}
        }
        for n in 0..8 {
            if objects >> n & 1 != 0 {
                // Missiles come first: $D000 M0PF, $D004 P0PF, $D008 M0PL, $D00C P0PL.
                let place = if n < 4 { 4 + n } else { n - 4 };
                self.hits[place] |= touched.map_or(0, |t| 1 << t);
                self.hits[8 + place] |= objects & 15 & !(if n < 4 { 1 << n } else { 0 });
            }
        }
        let mut colour = prioritized(g, shown, fifth, players);
        match special {
            1 if real == 0 => {
                if !fifth {
                    colour = bk;
                }
                colour |= value;
            }
            3 if real == 0 => {
                if !fifth {
                    colour = bk;
                }
                colour |= value << 4;
                if value == 0 {
                    colour &= 0xF0;
                }
            }
            0 => {
                if let (true, Dot::Pair(pair)) = (self.hires, dot(x)) {
                    let bright = colour & 0xF0 | g[0x17] & 0x0E;
                    let pixel = |on: u8| if on != 0 { bright } else { colour };
                    return (pixel(pair & 2), pixel(pair & 1));
                }
            }
            _ => {}
        }
        (colour, colour)
    }
}

/// The logic equations of AHRM 6.7.
fn prioritized(g: &[u8; 30], field: Option<u8>, fifth: bool, players: u8) -> u8 {
    let prior = g[0x1B];
    let pri = |n: u8| prior >> n & 1 != 0;
    let multi = pri(5);
    let p = |n: u8| players >> n & 1 != 0;
    let pf = |n: u8| field == Some(n) || n == 3 && fifth;
    let (p01, p23) = (p(0) || p(1), p(2) || p(3));
    let (pf01, pf23) = (pf(0) || pf(1), pf(2) || pf(3));
    let low = !(pf01 && (pri(2) || pri(3))) && !(pri(2) && pf23);
    let high = !p01 && !(pf23 && (pri(1) || pri(2))) && (!pf01 || pri(0));
    let open01 = !(p23 && pri(0)) && !(p01 && (pri(0) || pri(1)));
    let open23 = !(p23 && (pri(0) || pri(3))) && (!p01 || pri(2));
    let sf3 = pf(3) && open23;
    let out = [
        (p(0) && low, g[0x12]),
        (p(1) && low && (!p(0) || multi), g[0x13]),
        (p(2) && high, g[0x14]),
        (p(3) && high && (!p(2) || multi), g[0x15]),
        (pf(0) && open01 && !sf3, g[0x16]),
        (pf(1) && open01 && !sf3, g[0x17]),
        (pf(2) && open23 && !sf3, g[0x18]),
        (sf3, g[0x19]),
        (!p01 && !p23 && !pf01 && !pf23, g[0x1A]),
    ];
    out.iter()
        .filter(|o| o.0)
        .fold(0, |colour, o| colour | o.1 & 0xFE)
}
