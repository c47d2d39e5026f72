//! Explanations as lines of text.

use super::{Fetched, FrameCause, Layer, Object, Origin, Playfield, Why};
use antic_gtia::gtia::{Reading, register_name};

/// Names of addresses.
type Name<'a> = &'a dyn Fn(u16) -> Option<String>;

impl Why {
    /// One line: the layer that won, and its colour register.
    pub fn summary(&self, cause: &FrameCause, name: Name) -> String {
        let (x, y) = self.pixel;
        let colour = self.colours.first().map_or(String::new(), |colour| {
            format!(
                ", {} {}",
                register_name(colour.number.into()),
                cause.origin(&colour.origin, name)
            )
        });
        format!("{x},{y}: ${:02X}, {}{colour}", self.colour, self.what())
    }

    fn what(&self) -> String {
        match self.layer {
            Layer::Blank => "blanked".to_owned(),
            Layer::Background if self.outputs.window => "background of the playfield".to_owned(),
            Layer::Background => "border".to_owned(),
            Layer::Playfield(n) => format!("playfield {n}"),
            Layer::Gtia => match self.outputs.reading {
                Reading::Luminance => format!("GTIA mode 9, luminance {}", self.outputs.value),
                Reading::Hue => format!("GTIA mode 11, hue {}", self.outputs.value),
                _ => format!("GTIA mode 10, register {}", self.outputs.value),
            },
            Layer::Players(bits) => {
                let numbers: Vec<String> = (0..4)
                    .filter(|n| bits >> n & 1 != 0)
                    .map(|n| n.to_string())
                    .collect();
                format!("player {}", numbers.join(" and "))
            }
            Layer::FifthPlayer => "fifth player".to_owned(),
            Layer::Mixed => "objects and playfield mixed".to_owned(),
        }
    }

    /// The register that gives the colour, and its origin; `None` for a colour of no register.
    pub fn register(&self) -> Option<(&'static str, &Origin)> {
        let colour = self.colours.first()?;
        Some((register_name(colour.number.into()), &colour.origin))
    }

    /// The whole explanation.
    pub fn lines(&self, cause: &FrameCause, name: Name) -> Vec<String> {
        let (x, y) = self.pixel;
        let o = &self.outputs;
        let mut lines = vec![format!(
            "pixel {x},{y} (line {} clock {}.{}) is ${:02X}: {}",
            self.line,
            o.x,
            x & 1,
            self.colour,
            self.what()
        )];
        for colour in &self.colours {
            lines.push(format!(
                "  {} = ${:02X} {}",
                register_name(colour.number.into()),
                colour.value,
                cause.origin(&colour.origin, name)
            ));
        }
        if let Some(prior) = &self.prior {
            lines.push(format!(
                "  PRIOR = ${:02X} {}",
                o.prior,
                cause.origin(prior, name)
            ));
        }
        if let Some(playfield) = &self.playfield {
            lines.extend(cause.playfield_lines(playfield, o.code, name));
        }
        for object in &self.objects {
            lines.extend(cause.object_lines(object, name));
        }
        lines
    }
}

impl FrameCause {
    /// Text of an origin.
    pub fn origin(&self, origin: &Origin, name: Name) -> String {
        let named = |address: u16| crate::named(address, name);
        let at = |now: u64| {
            let (line, cycle) = self.log.beam(now);
            format!("line {line} cycle {cycle}")
        };
        match *origin {
            Origin::Store { now, pc, data, .. } => {
                format!("stored ${data:02X} in {} by {}", at(now), named(pc))
            }
            Origin::Edit { now, data, .. } => {
                format!("set to ${data:02X} in {} by the user", at(now))
            }
            Origin::Dma { now, address, data } => {
                format!("fetched ${data:02X} from {} in {}", named(address), at(now))
            }
            Origin::Before { data, .. } => format!("${data:02X} since before this frame"),
        }
    }

    fn playfield_lines(&self, playfield: &Playfield, code: u8, name: Name) -> Vec<String> {
        let list = &playfield.list;
        let at = |now: u64| {
            let (line, cycle) = self.log.beam(now);
            format!("line {line} cycle {cycle}")
        };
        let from = list
            .fetched
            .map_or("before this frame".to_owned(), |(address, now)| {
                format!("from ${address:04X} in {}", at(now))
            });
        let mut lines = vec![format!(
            "  AN code {code}: mode {:X} row {}, instruction ${:02X} {from}{}",
            list.instruction & 15,
            list.row,
            list.instruction,
            playfield
                .list_origin
                .map_or(String::new(), |origin| format!(
                    ", {}",
                    self.origin(&origin, name)
                ))
        )];
        for byte in &playfield.bytes {
            lines.extend(self.byte_lines(byte, name));
        }
        if let Some(chbase) = &playfield.chbase {
            lines.push(format!("    CHBASE {}", self.origin(chbase, name)));
        }
        lines
    }

    fn byte_lines(&self, byte: &Fetched, name: Name) -> Vec<String> {
        let at = |now: u64| {
            let (line, cycle) = self.log.beam(now);
            format!("line {line} cycle {cycle}")
        };
        let writer = |origin: &Option<Origin>| {
            origin.map_or(String::new(), |origin| {
                format!(", {}", self.origin(&origin, name))
            })
        };
        let bus = byte.passed.map_or("the bus".to_owned(), |address| {
            format!("the processor's access of ${address:04X}")
        });
        let mut lines = Vec::new();
        if byte.show.text && byte.show.glyph.is_none() {
            lines.push(format!(
                "    glyph ${:02X} from {bus} in {} (virtual fetch), bits ${:02X}",
                byte.show.raw,
                at(byte.shown),
                byte.bits
            ));
        }
        if let Some(address) = byte.show.glyph {
            lines.push(format!(
                "    glyph ${:02X} from ${address:04X} in {}, bits ${:02X}{}",
                byte.show.raw,
                at(byte.shown),
                byte.bits,
                writer(&byte.glyph_origin)
            ));
        }
        match byte.load {
            Some((now, load)) => {
                let source = load
                    .address
                    .map_or(bus, |address| format!("${address:04X}"));
                let what = if load.text { "name" } else { "bitmap" };
                let bits = if load.text {
                    String::new()
                } else {
                    format!(", bits ${:02X}", byte.bits)
                };
                lines.push(format!(
                    "    {what} ${:02X} from {source} in {}, place {} of the line buffer{bits}{}",
                    load.data,
                    at(now),
                    load.place,
                    writer(&byte.origin)
                ));
            }
            None => lines.push(format!(
                "    place {} of the line buffer, loaded before this frame",
                byte.show.place
            )),
        }
        lines
    }

    fn object_lines(&self, object: &Object, name: Name) -> Vec<String> {
        let kind = if object.number < 4 {
            "player"
        } else {
            "missile"
        };
        let graf = object.graf_origin.map_or(String::new(), |origin| {
            format!(", {}", self.origin(&origin, name))
        });
        vec![
            format!(
                "  {kind} {} {}: bit {}",
                object.number & 3,
                if object.wins { "shows" } else { "is covered" },
                7 - object.bit
            ),
            format!(
                "    HPOS ${:02X} {}",
                object.trigger,
                self.origin(&object.hpos, name)
            ),
            format!("    SIZE {}", self.origin(&object.size, name)),
            format!("    GRAF {}{graf}", self.origin(&object.graf, name)),
        ]
    }
}
