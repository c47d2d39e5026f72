//! The proof of the debugger's explanations: each link that it names for a pixel is changed in a re-run, and the predicted pixels change
//! and no others; stores that it does not name leave the pixel.
//!
//! Pixels with the same explanation are one group. What a change must do is predicted only from the explanations of the unchanged frame.
use crate::pictures::{self, Picture};
use antic_gtia::antic::Shape;
use antic_gtia::gtia::{Outputs, Reading, reg};
use debugger::{Fetched, FrameCause, Kind, Origin, Why};
use machine::Machine;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const WIDTH: usize = 376;
const HEIGHT: usize = 240;
const GTIA: u16 = 0xD000;
const PRIOR: u16 = GTIA + reg::PRIOR as u16;

/// Result for a picture.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Groups of pixels with the same explanation.
    pub groups: usize,
    /// Links that were changed, by kind.
    pub links: BTreeMap<&'static str, usize>,
    /// Links that were not changed because what a change would do is not predicted, by kind.
    pub unpredicted: BTreeMap<&'static str, usize>,
    /// Stores changed that were not named.
    pub controls: usize,
    /// The failures.
    pub failures: Vec<String>,
}

impl Tally {
    /// Adds another one.
    pub fn add(&mut self, other: Self) {
        self.groups += other.groups;
        self.controls += other.controls;
        for (kind, count) in other.links {
            *self.links.entry(kind).or_default() += count;
        }
        for (kind, count) in other.unpredicted {
            *self.unpredicted.entry(kind).or_default() += count;
        }
        self.failures.extend(other.failures);
    }
}

/// A small generator of pseudo-random numbers.
pub struct Random(pub u64);

impl Random {
    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// The properties that a group of pixels has in common.
type Key = (
    u8,
    u16,
    Vec<(u8, Origin)>,
    Option<Origin>,
    Option<u64>,
    Vec<(u64, Option<u64>)>,
    Vec<(u8, Origin, Origin, u8)>,
);

fn key(why: &Why) -> Key {
    let playfield = why.playfield.as_ref();
    (
        why.outputs.code,
        why.outputs.registers,
        why.colours.iter().map(|c| (c.number, c.origin)).collect(),
        why.prior,
        playfield.and_then(|p| Some(p.list.fetched?.1)),
        playfield.map_or(Vec::new(), |p| {
            p.bytes
                .iter()
                .map(|b| (b.shown, b.load.map(|(now, _)| now)))
                .collect()
        }),
        why.objects
            .iter()
            .map(|o| (o.number, o.hpos, o.graf, o.bit))
            .collect(),
    )
}

/// The frame of a picture, its explanations, and what it looks like.
pub struct Subject {
    start: Machine,
    cause: FrameCause,
    /// The explanation of each pixel, where there is one.
    whys: Vec<Option<Why>>,
    picture: Vec<u8>,
}

impl Subject {
    /// A picture's frame.
    ///
    /// # Errors
    /// A sentence, when the program cannot be read.
    pub fn of(folder: &Path, picture: &Picture) -> Result<Self, String> {
        let start = pictures::started(&folder.join(&picture.program), picture.pal)?;
        let cause = FrameCause::of_frame(start.clone().into());
        let whys = (0..WIDTH * HEIGHT)
            .map(|i| cause.why(i % WIDTH, i / WIDTH))
            .collect();
        let mut plain = start.clone();
        plain.run_frame();
        Ok(Self {
            picture: plain.frame().pixels().to_vec(),
            start,
            cause,
            whys,
        })
    }

    /// The faults of the explanations by themselves: the formula of the outputs must give the picture, and each byte named must give the AN code.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (i, why) in self.whys.iter().enumerate() {
            let (x, y) = (i % WIDTH, i / WIDTH);
            let Some(why) = why else {
                faults.push(format!("{x},{y} has no explanation"));
                continue;
            };
            let o = &why.outputs;
            let formula = o.colours_with(&o.colours)[x & 1];
            if why.colour != self.picture[i] || formula != self.picture[i] {
                faults.push(format!(
                    "{x},{y} is {:02X}; traced {:02X}, by formula {formula:02X}: {o:?}",
                    self.picture[i], why.colour
                ));
            }
            for colour in &why.colours {
                let (_, value) = colour.origin.byte();
                if value & 0xFE != colour.value {
                    faults.push(format!("{x},{y}: {colour:?} did not load it"));
                }
            }
            if let Some(prior) = why
                .prior
                .filter(|prior| (prior.byte().1 ^ o.prior) & 0x3F != 0)
            {
                faults.push(format!(
                    "{x},{y}: {prior:?} did not load PRIOR {:02X}",
                    o.prior
                ));
            }
            faults.extend(code_fault(why).map(|fault| format!("{x},{y}: {fault}")));
        }
        faults
    }

    fn outputs(&self) -> impl Iterator<Item = (usize, &Why)> {
        self.whys
            .iter()
            .enumerate()
            .filter_map(|(i, why)| Some((i, why.as_ref()?)))
    }

    /// Representatives of the groups.
    fn groups(&self) -> Vec<&Why> {
        let mut groups = BTreeMap::new();
        let mut hashes: std::collections::HashMap<Key, usize> = std::collections::HashMap::new();
        for (i, why) in self.outputs() {
            let next = hashes.len();
            let number = *hashes.entry(key(why)).or_insert(next);
            groups.entry(number).or_insert_with(|| &self.whys[i]);
        }
        groups.into_values().flatten().collect()
    }

    /// The picture after a change that `change` makes when the machine comes to `now`; `undo` after one more cycle.
    fn changed(
        &self,
        now: u64,
        change: impl FnOnce(&mut Machine),
        undo: impl FnOnce(&mut Machine),
    ) -> Vec<u8> {
        let mut machine = self.start.clone();
        let end = machine.now() + u64::from(machine.bus().video.antic.lines()) * 114;
        machine.run_cycles(now - machine.now());
        change(&mut machine);
        machine.run_cycles(1);
        undo(&mut machine);
        machine.run_cycles(end - machine.now());
        machine.frame().pixels().to_vec()
    }

    /// The picture with another value stored in a GTIA register.
    fn with_store(&self, origin: &Origin, value: u8) -> Vec<u8> {
        let (address, _) = origin.byte();
        let write = |machine: &mut Machine, cycle: usize| {
            machine.pins().gtia(address as u8, value, cycle);
        };
        match origin.now() {
            // The write again in the same cycle, with another value.
            Some(now) => {
                // After cycle 113 GTIA is in the next line, and no register acts on the picture so late.
                let cycle = ((now - self.cause.log.frame_start) % 114 % 113) as usize;
                self.changed(now, |_| {}, |machine| write(machine, cycle))
            }
            None => self.changed(self.start.now(), |machine| write(machine, 0), |_| {}),
        }
    }

    /// The picture that follows when each pixel's outputs are changed.
    fn predict(&self, mut change: impl FnMut(&Why, &mut Outputs)) -> Vec<u8> {
        let mut picture = self.picture.clone();
        for (i, why) in self.outputs() {
            let mut outputs = why.outputs;
            change(why, &mut outputs);
            if outputs != why.outputs {
                picture[i] = outputs.colours_with(&outputs.colours)[i & 1];
            }
        }
        picture
    }

    /// Changes every link of a group's explanation, one after the other. `done` are the links that were changed already.
    fn prove(&self, why: &Why, done: &mut BTreeSet<String>, tally: &mut Tally) {
        tally.groups += 1;
        for colour in &why.colours {
            if done.insert(format!("colour {colour:?}")) {
                let value = colour.value ^ 0x22;
                let predicted = self.predict(|other, outputs| {
                    let same = self.colour_origin(other, colour.number) == colour.origin;
                    if same {
                        outputs.colours.set_register(colour.number.into(), value);
                    }
                });
                let seen = self.with_store(&colour.origin, value);
                self.compare(tally, "colour store", why, &predicted, &seen);
            }
        }
        if let Some(prior) = why.prior
            && done.insert(format!("prior {prior:?}"))
        {
            let (_, old) = prior.byte();
            // Only bits 0 to 3: which of them wins, not what kind of picture it is.
            let value = old ^ 0x05;
            let predicted = self.predict(|other, outputs| {
                if self.cause.register_at(PRIOR, other, 2) == prior {
                    outputs.prior ^= 0x05;
                    outputs.resolve();
                }
            });
            let seen = self.with_store(&prior, value);
            self.compare(tally, "priority", why, &predicted, &seen);
        }
        for byte in why.playfield.iter().flat_map(|p| &p.bytes) {
            self.prove_byte(why, byte, done, tally);
        }
        if let Some(playfield) = &why.playfield
            && let Some((address, now)) = playfield.list.fetched
            && done.insert(format!("list {now}"))
        {
            self.prove_list(why, address, now, playfield.list.instruction, tally);
        }
        for object in &why.objects {
            let n = object.number;
            if done.insert(format!("position {n} {:?}", object.hpos)) {
                self.prove_position(why, n, &object.hpos, tally);
            }
            if done.insert(format!("graphics {n} {:?} {}", object.graf, object.bit)) {
                self.prove_graphics(why, n, object.bit, &object.graf, tally);
            }
        }
    }

    /// The store that loaded a colour register that a pixel may or may not show.
    fn colour_origin(&self, why: &Why, number: u8) -> Origin {
        let named = why.colours.iter().find(|colour| colour.number == number);
        named.map_or_else(
            || {
                self.cause
                    .register_at(GTIA + u16::from(reg::COLPM0 + number), why, 1)
            },
            |colour| colour.origin,
        )
    }

    /// Flips the bits of a byte that decide a pixel, only in the fetch.
    fn prove_byte(
        &self,
        why: &Why,
        byte: &Fetched,
        done: &mut BTreeSet<String>,
        tally: &mut Tally,
    ) {
        let (now, address, flip, what) = match (byte.show.glyph, byte.load) {
            (Some(address), _) => (byte.shown, address, byte.bits, "glyph"),
            (None, _) if byte.show.text => {
                // The processor reads this byte, too: changing it would change what the program does.
                *tally.unpredicted.entry("byte on the bus").or_default() += 1;
                return;
            }
            (None, Some((now, load))) => match load.address {
                Some(address) => (now, address, byte.bits, "bitmap byte"),
                None => return,
            },
            (None, None) => return,
        };
        if done.insert(format!("{what} {now} {flip}")) {
            let predicted = self.predict(|other, outputs| {
                let Some(playfield) = &other.playfield else {
                    return;
                };
                let mut hit = false;
                for mine in &playfield.bytes {
                    let source = if what == "glyph" {
                        mine.shown
                    } else {
                        mine.load.map_or(0, |(now, _)| now)
                    };
                    hit |= source == now;
                }
                if hit {
                    recode(other, outputs, |shown| {
                        let source = if what == "glyph" {
                            shown.shown
                        } else {
                            shown.load.map_or(0, |(now, _)| now)
                        };
                        if source == now && self.is_hidden(shown) {
                            shown.show.data
                        } else if source == now {
                            shown.show.data ^ flip
                        } else {
                            shown.show.data
                        }
                    });
                }
            });
            let seen = self.with_fetch(now, address, flip);
            self.compare(tally, what, why, &predicted, &seen);
        }
        // The name: the next character instead.
        if let (Some(glyph), Some((now, load))) = (byte.show.glyph, byte.load)
            && let Some(address) = load.address
            && done.insert(format!("name {now}"))
        {
            let _ = glyph;
            let predicted = self.predict(|other, outputs| {
                recode(other, outputs, |shown| {
                    let same = shown.load.is_some_and(|(at, _)| at == now);
                    match shown.show.glyph {
                        Some(glyph) if same && !self.is_hidden(shown) => {
                            let raw = self.start.peek(glyph ^ 8);
                            // What CHACTL does to this character is the same as before, unless it hides it.
                            let inverted = shown.show.raw ^ shown.show.data;
                            raw ^ inverted
                        }
                        _ => shown.show.data,
                    }
                });
            });
            let hidden = self.outputs().any(|(_, other)| {
                other
                    .playfield
                    .iter()
                    .flat_map(|p| &p.bytes)
                    .any(|b| b.load.is_some_and(|(at, _)| at == now) && self.is_hidden(b))
            });
            if hidden {
                *tally.unpredicted.entry("name").or_default() += 1;
            } else {
                let seen = self.with_fetch(now, address, 1);
                self.compare(tally, "name", why, &predicted, &seen);
            }
        }
        // The last writer of the byte.
        let origin = byte.glyph_origin.or(byte.origin);
        if let Some(Origin::Store { now, address, .. }) = origin
            && done.insert(format!("writer {now}"))
        {
            let next = self
                .cause
                .log
                .events
                .iter()
                .find(|e| e.kind == Kind::Write && e.address == address && e.now > now)
                .map_or(u64::MAX, |e| e.now);
            let flip = byte.bits;
            let predicted = self.predict(|other, outputs| {
                recode(other, outputs, |shown| {
                    let glyph = shown.show.glyph.map(|address| (shown.shown, address));
                    let load = shown.load.and_then(|(at, load)| Some((at, load.address?)));
                    let fetch = glyph.or(load);
                    if fetch.is_some_and(|(at, from)| from == address && at > now && at < next) {
                        shown.show.data ^ flip
                    } else {
                        shown.show.data
                    }
                });
            });
            let poke = |machine: &mut Machine| {
                let data = machine.peek(address);
                machine.poke(address, data ^ flip);
            };
            let seen = self.changed(now, |_| {}, poke);
            self.compare(tally, "writer of a byte", why, &predicted, &seen);
        }
    }

    /// True if a glyph's row does not show: in the blank rows of modes 2 and 3, and in inverted characters that CHACTL hides.
    fn is_hidden(&self, byte: &Fetched) -> bool {
        let show = &byte.show;
        if show.glyph.is_none() || !matches!(show.raw ^ show.data, 0 | 0xFF) {
            return show.glyph.is_some();
        }
        let chactl = self.cause.log.events.iter().rfind(|event| {
            event.kind == Kind::Write && event.address & 0xFF0F == 0xD401 && event.now < byte.shown
        });
        let before = self.cause.log.value_before(0xD401);
        let chactl = chactl.map_or(before.unwrap_or(0), |event| event.data);
        show.shape == Shape::Hires && show.name & 0x80 != 0 && chactl & 1 != 0
    }

    /// The picture when a fetch reads something else.
    fn with_fetch(&self, now: u64, address: u16, flip: u8) -> Vec<u8> {
        let poke = |machine: &mut Machine| {
            let data = machine.peek(address);
            machine.poke(address, data ^ flip);
        };
        self.changed(now, poke, poke)
    }

    /// Another mode of the same height and the same bytes, where there is one.
    fn prove_list(&self, why: &Why, address: u16, now: u64, instruction: u8, tally: &mut Tally) {
        let flip = match instruction & 15 {
            2 | 4 => 6,
            14 | 15 => 1,
            _ => {
                *tally.unpredicted.entry("list instruction").or_default() += 1;
                return;
            }
        };
        let seen = self.with_fetch(now, address, flip);
        // The picture may change wherever this instruction is shown, and nowhere else.
        let mut inside = 0;
        for (i, other) in self.outputs() {
            let mine = other
                .playfield
                .as_ref()
                .and_then(|p| p.list.fetched)
                .is_some_and(|(_, at)| at == now);
            if seen[i] != self.picture[i] {
                inside += usize::from(mine);
                if !mine {
                    tally.failures.push(format!(
                        "list instruction of {now}: {},{} changed, which is not its",
                        i % WIDTH,
                        i / WIDTH
                    ));
                    return;
                }
            }
        }
        // Hires and lores differ in every pixel that is lit.
        let lit = self.outputs().any(|(_, other)| {
            other
                .playfield
                .as_ref()
                .and_then(|p| p.list.fetched)
                .is_some_and(|(_, at)| at == now)
                && other.objects.is_empty()
                && other.outputs.reading == Reading::Hires
                && other.outputs.colours.pf()[2] != other.outputs.colours.bk()
        });
        if lit && inside == 0 {
            tally.failures.push(format!(
                "list instruction of {now}: nothing changed: {:?}",
                why.pixel
            ));
        }
        *tally.links.entry("list instruction").or_default() += 1;
    }

    /// Moves an object one colour clock to the right.
    fn prove_position(&self, why: &Why, number: u8, hpos: &Origin, tally: &mut Tally) {
        let (_, position) = hpos.byte();
        let mine = |other: &Why| {
            other
                .objects
                .iter()
                .any(|object| object.number == number && object.hpos == *hpos)
        };
        // At the edges of the picture, or where several images of one object meet, a shift is not predicted.
        let mut rows: BTreeMap<u16, Vec<u8>> = BTreeMap::new();
        for (i, other) in self.outputs() {
            if i & 1 == 0 && mine(other) {
                rows.entry(other.line).or_default().push(other.outputs.x);
            }
        }
        let edge = rows.values().flatten().any(|&x| x <= 34 || x >= 220)
            || !(34..0xDC).contains(&position);
        let other_image = self.outputs().any(|(_, other)| {
            rows.contains_key(&other.line)
                && other
                    .objects
                    .iter()
                    .any(|object| object.number == number && object.hpos != *hpos)
        });
        // A shape that changes under way is not the same shape a colour clock further.
        let shape = |event: &debugger::Event| {
            let register = event.address as u8 & 31;
            let mine = if number < 4 {
                [reg::SIZEP0 + number, reg::GRAFP0 + number]
            } else {
                [reg::SIZEM, reg::GRAFM]
            };
            let near = u16::from(position).saturating_sub(4)..u16::from(position) + 36;
            // The shifted object does not start where HPOS is rewritten before its new position.
            let moves = register == reg::HPOSP0 + number && Some(event.now) != hpos.now();
            let until = u16::from(position)..u16::from(position) + 2;
            event.kind == Kind::Write
                && event.address >> 8 == 0xD0
                && (mine.contains(&register) || moves)
                && self.cause.log.effect(event).is_some_and(|place| {
                    let clocks = if moves { &until } else { &near };
                    rows.contains_key(&place.line) && clocks.contains(&place.clock)
                })
        };
        if edge || other_image || self.cause.log.events.iter().any(shape) {
            *tally.unpredicted.entry("position").or_default() += 1;
            return;
        }
        let bit = 1 << number;
        let predicted = self.predict(|other, outputs| {
            let Some(row) = rows.get(&other.line) else {
                return;
            };
            outputs.objects &= !bit;
            if row.contains(&(outputs.x - 1)) {
                outputs.objects |= bit;
            }
            outputs.resolve();
        });
        let seen = self.with_store(hpos, position.wrapping_add(1));
        self.compare(tally, "position", why, &predicted, &seen);
    }

    /// Clears the bit of an object's graphics that is on the screen.
    fn prove_graphics(&self, why: &Why, number: u8, bit: u8, graf: &Origin, tally: &mut Tally) {
        let mask = if number < 4 {
            0x80u8 >> bit
        } else {
            match bit {
                0 => 2 << (2 * (number - 4)),
                _ => 1 << (2 * (number - 4)),
            }
        };
        let several = self.outputs().any(|(i, other)| {
            i & 1 == 0
                && other.objects.iter().any(|object| {
                    object.number == number && object.graf == *graf && !consistent(object, other)
                })
        });
        if several {
            *tally.unpredicted.entry("graphics").or_default() += 1;
            return;
        }
        let predicted = self.predict(|other, outputs| {
            for object in &other.objects {
                if object.number == number && object.graf == *graf && object.bit == bit {
                    outputs.objects &= !(1 << number);
                    outputs.resolve();
                }
            }
        });
        let (address, data) = graf.byte();
        let seen = match graf {
            Origin::Dma { now, .. } => self.with_fetch(*now, address, mask),
            _ => self.with_store(graf, data & !mask),
        };
        self.compare(tally, "graphics", why, &predicted, &seen);
    }

    fn compare(
        &self,
        tally: &mut Tally,
        kind: &'static str,
        why: &Why,
        predicted: &[u8],
        seen: &[u8],
    ) {
        *tally.links.entry(kind).or_default() += 1;
        let wrong: Vec<usize> = (0..WIDTH * HEIGHT)
            .filter(|&i| predicted[i] != seen[i])
            .collect();
        if let Some(&i) = wrong.first() {
            tally.failures.push(format!(
                "{kind} of {:?}: {} pixels are not as predicted, first {},{}: was {:02X}, predicted {:02X}, is {:02X}",
                why.pixel,
                wrong.len(),
                i % WIDTH,
                i / WIDTH,
                self.picture[i],
                predicted[i],
                seen[i]
            ));
        }
    }

    /// Changes stores to GTIA that the explanation of a random pixel does not name: the pixel stays.
    pub fn controls(&self, random: &mut Random, count: usize, tally: &mut Tally) {
        let stores: Vec<_> = self
            .cause
            .log
            .events
            .iter()
            .filter(|e| {
                e.kind == Kind::Write
                    && e.address >> 8 == 0xD0
                    && e.address & 31 <= reg::PRIOR.into()
            })
            .collect();
        if stores.is_empty() {
            return;
        }
        for _ in 0..count {
            let event = stores[random.below(stores.len())];
            let pixel = random.below(WIDTH * HEIGHT);
            let Some(why) = &self.whys[pixel] else {
                continue;
            };
            let named = why
                .colours
                .iter()
                .map(|c| c.origin)
                .chain(why.prior)
                .chain(why.objects.iter().flat_map(|o| [o.hpos, o.size, o.graf]))
                .any(|origin| origin.now() == Some(event.now));
            // What would put an object there, or read the codes in another way, is a cause of its being away.
            let register = event.address as u8 & 31;
            let colour = (reg::COLPM0..=reg::COLBK).contains(&register);
            if named || !colour {
                continue;
            }
            let origin = Origin::Store {
                now: event.now,
                pc: event.pc,
                address: event.address,
                data: event.data,
            };
            let seen = self.with_store(&origin, event.data ^ random.below(256) as u8);
            tally.controls += 1;
            if seen[pixel] != self.picture[pixel] {
                tally.failures.push(format!(
                    "a store not named changed {},{}: {event:?}",
                    pixel % WIDTH,
                    pixel / WIDTH
                ));
            }
        }
    }
}

/// True if an object's bit by its position is the one that its graphics byte has set.
fn consistent(object: &debugger::Object, why: &Why) -> bool {
    let (_, data) = object.graf.byte();
    let n = object.number;
    let bits = if n < 4 {
        data
    } else {
        (data >> (2 * (n - 4)) & 3) << 6
    };
    bits & 0x80 >> object.bit != 0 && why.outputs.objects >> n & 1 != 0
}

/// The code of a pixel by its bytes, when `data` says what each of them is.
fn code_by(why: &Why, mut data: impl FnMut(&Fetched) -> u8) -> Option<(u8, u8)> {
    let o = &why.outputs;
    let playfield = why.playfield.as_ref()?;
    let mut at = |clock: u8| {
        let clock = clock.wrapping_sub(o.late);
        let byte = playfield.bytes.iter().rev().find(|b| {
            (u16::from(b.show.at)..u16::from(b.show.at) + u16::from(b.show.shape.clocks()))
                .contains(&u16::from(clock))
        })?;
        Some(byte.show.code(data(byte), clock - byte.show.at))
    };
    let x = o.x;
    match o.reading {
        Reading::Lores | Reading::Hires => Some((at(x)?, 0)),
        Reading::Luminance | Reading::Hue => {
            let (left, right) = (at(x & !1)?, at((x & !1) + 1)?);
            Some((
                if x & 1 == 0 { left } else { right },
                (left & 3) << 2 | right & 3,
            ))
        }
        Reading::Registers => {
            let first = (x - 1) & !1;
            let (left, right) = (at(first)?, at(first + 1)?);
            let value = (left & 3) << 2 | right & 3;
            let muted = value & 4 != 0 && right == 0;
            Some((
                if (x - 1) & 1 == 0 { left } else { right },
                if muted { 8 } else { value },
            ))
        }
    }
}

/// Gives a pixel the code that its bytes have when `data` says what each of them is.
fn recode(why: &Why, outputs: &mut Outputs, data: impl FnMut(&Fetched) -> u8) {
    if let Some((code, value)) = code_by(why, data) {
        outputs.code = code;
        outputs.value = value;
        outputs.resolve();
    }
}

fn code_fault(why: &Why) -> Option<String> {
    let o = &why.outputs;
    let (code, value) = code_by(why, |byte| byte.show.data)?;
    let right = match o.reading {
        Reading::Lores | Reading::Hires => code == o.code,
        _ => value == o.value,
    };
    (!right).then(|| {
        format!(
            "its bytes give code {code} value {value}: {o:?} {:?}",
            why.playfield
        )
    })
}

/// Proves a picture: all groups, or a sample of `sample` of them.
///
/// # Errors
/// A sentence, when the program cannot be read.
pub fn prove(
    folder: &Path,
    picture: &Picture,
    sample: Option<usize>,
    random: &mut Random,
) -> Result<Tally, String> {
    let subject = Subject::of(folder, picture)?;
    let mut tally = Tally::default();
    let faults = subject.faults();
    if let Some(first) = faults.first() {
        tally.failures.push(format!(
            "{} pixels are explained wrongly, first {first}",
            faults.len()
        ));
    }
    let groups = subject.groups();
    let mut done = BTreeSet::new();
    match sample {
        None => {
            for why in &groups {
                subject.prove(why, &mut done, &mut tally);
            }
        }
        Some(count) => {
            for _ in 0..count {
                let why = groups[random.below(groups.len())];
                subject.prove(why, &mut done, &mut tally);
            }
        }
    }
    subject.controls(random, if sample.is_some() { 60 } else { 200 }, &mut tally);
    for failure in &mut tally.failures {
        failure.insert_str(0, &format!("{}: ", picture.name));
    }
    Ok(tally)
}
