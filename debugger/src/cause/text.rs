//! Explanations as lines of text.

use super::{Colour, Fetched, FrameCause, Layer, Object, Origin, Playfield, Why};
use antic_gtia::gtia::{Reading, register_name};
use std::fmt;

/// Names of addresses.
type Name<'a> = &'a dyn Fn(u16) -> Option<String>;

impl Why {
    /// One line: the layer that won, and its colour register.
    pub fn summary(&self, cause: &FrameCause, name: Name) -> String {
        let (x, y) = self.pixel;
        let colour = self.colours.first().map_or(String::new(), |colour| {
            format!(", {} {}", colour.name(), cause.origin(&colour.origin, name))
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
        Some((colour.name(), &colour.origin))
    }

    /// The whole explanation.
    pub fn lines(&self, cause: &FrameCause, name: Name) -> Vec<WhyLine> {
        let (x, y) = self.pixel;
        let o = &self.outputs;
        let mut lines = vec![WhyLine::new(format!(
            "pixel {x},{y} (line {} clock {}.{}) is ${:02X}: {}",
            self.line,
            o.x,
            x & 1,
            self.colour,
            self.what()
        ))];
        for colour in &self.colours {
            let register = format!("  {} = ${:02X} ", colour.name(), colour.value);
            lines.push(WhyLine::new(register).origin(cause, &colour.origin, name));
        }
        if let Some(prior) = &self.prior {
            let register = format!("  PRIOR = ${:02X} ", o.prior);
            lines.push(WhyLine::new(register).origin(cause, prior, name));
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

impl Colour {
    /// The name of its register.
    pub fn name(&self) -> &'static str {
        register_name(self.number.into())
    }
}

/// A part of a line of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyPart {
    /// Text.
    Text(String),
    /// A position of the beam in the frame of the pixel.
    Beam {
        /// The scan line.
        line: u16,
        /// The cycle in it, 0 to 113.
        cycle: u8,
    },
}

impl fmt::Display for WhyPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Beam { line, cycle } => write!(f, "line {line} cycle {cycle}"),
        }
    }
}

/// A line of an explanation: text with positions of the beam in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyLine(pub Vec<WhyPart>);

impl fmt::Display for WhyLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|part| part.fmt(f))
    }
}

impl WhyLine {
    fn new(text: impl Into<String>) -> Self {
        Self(vec![WhyPart::Text(text.into())])
    }

    fn text(mut self, more: &str) -> Self {
        match self.0.last_mut() {
            Some(WhyPart::Text(text)) => text.push_str(more),
            _ => self.0.push(WhyPart::Text(more.to_owned())),
        }
        self
    }

    fn at(mut self, cause: &FrameCause, now: u64) -> Self {
        let (line, cycle) = cause.log.beam(now);
        self.0.push(WhyPart::Beam { line, cycle });
        self
    }

    fn origin(self, cause: &FrameCause, origin: &Origin, name: Name) -> Self {
        let named = |address: u16| crate::named(address, name);
        match *origin {
            Origin::Store { now, pc, data, .. } => (self.text(&format!("stored ${data:02X} in ")))
                .at(cause, now)
                .text(&format!(" by {}", named(pc))),
            Origin::Edit { now, data, .. } => (self.text(&format!("set to ${data:02X} in ")))
                .at(cause, now)
                .text(" by the user"),
            Origin::Dma { now, address, data } => self
                .text(&format!("fetched ${data:02X} from {} in ", named(address)))
                .at(cause, now),
            Origin::Before { data, .. } => {
                self.text(&format!("${data:02X} since before this frame"))
            }
        }
    }

    /// The last writer of something that the line has named, after a comma.
    fn writer(self, cause: &FrameCause, writer: Option<&Origin>, name: Name) -> Self {
        match writer {
            Some(origin) => self.text(", ").origin(cause, origin, name),
            None => self,
        }
    }
}

impl FrameCause {
    /// Text of an origin.
    pub fn origin(&self, origin: &Origin, name: Name) -> String {
        WhyLine(Vec::new()).origin(self, origin, name).to_string()
    }

    fn playfield_lines(&self, playfield: &Playfield, code: u8, name: Name) -> Vec<WhyLine> {
        let list = &playfield.list;
        let line = WhyLine::new(format!(
            "  AN code {code}: mode {:X} row {}, instruction ${:02X} ",
            list.instruction & 15,
            list.row,
            list.instruction
        ));
        let line = match list.fetched {
            Some((address, now)) => line.text(&format!("from ${address:04X} in ")).at(self, now),
            None => line.text("before this frame"),
        };
        let mut lines = vec![line.writer(self, playfield.list_origin.as_ref(), name)];
        for byte in &playfield.bytes {
            lines.extend(self.byte_lines(byte, name));
        }
        if let Some(chbase) = &playfield.chbase {
            lines.push(WhyLine::new("    CHBASE ").origin(self, chbase, name));
        }
        lines
    }

    fn byte_lines(&self, byte: &Fetched, name: Name) -> Vec<WhyLine> {
        let bus = byte.passed.map_or("the bus".to_owned(), |address| {
            format!("the processor's access of ${address:04X}")
        });
        let mut lines = Vec::new();
        if byte.show.text {
            let (from, virtually) = match byte.show.glyph {
                Some(address) => (&format!("${address:04X}"), ""),
                None => (&bus, " (virtual fetch)"),
            };
            let glyph = format!("    glyph ${:02X} from {from} in ", byte.show.raw);
            lines.push(
                (WhyLine::new(glyph).at(self, byte.shown))
                    .text(&format!("{virtually}, bits ${:02X}", byte.bits))
                    .writer(self, byte.glyph_origin.as_ref(), name),
            );
        }
        lines.push(match byte.load {
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
                WhyLine::new(format!("    {what} ${:02X} from {source} in ", load.data))
                    .at(self, now)
                    .text(&format!(", place {} of the line buffer{bits}", load.place))
                    .writer(self, byte.origin.as_ref(), name)
            }
            None => WhyLine::new(format!(
                "    place {} of the line buffer, loaded before this frame",
                byte.show.place
            )),
        });
        lines
    }

    fn object_lines(&self, object: &Object, name: Name) -> [WhyLine; 4] {
        let kind = if object.number < 4 {
            "player"
        } else {
            "missile"
        };
        [
            WhyLine::new(format!(
                "  {kind} {} {}: bit {}",
                object.number & 3,
                if object.wins { "shows" } else { "is covered" },
                7 - object.bit
            )),
            WhyLine::new(format!("    HPOS ${:02X} ", object.trigger)).origin(
                self,
                &object.hpos,
                name,
            ),
            WhyLine::new("    SIZE ").origin(self, &object.size, name),
            WhyLine::new("    GRAF ")
                .origin(self, &object.graf, name)
                .writer(self, object.graf_origin.as_ref(), name),
        ]
    }
}
