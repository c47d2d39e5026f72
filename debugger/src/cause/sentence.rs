//! The explanation of a pixel, in one sentence for learners.

use super::{Colour, Layer, Origin, Playfield, Why};
use crate::Debugger;

impl Debugger {
    /// "This point is playfield colour 2 because character 'A' has a 1 here; COLPF2 was set to $94 by line 41 of main.s."
    pub fn sentence(&self, why: &Why) -> String {
        let because = match (why.layer, &why.playfield) {
            (Layer::Playfield(_) | Layer::Gtia, Some(playfield)) => shape(playfield),
            _ => None,
        };
        let because = because.map_or(String::new(), |because| format!(" because {because}"));
        let colours: Vec<String> = why
            .colours
            .iter()
            .map(|colour| self.colour(colour))
            .collect();
        let colours = if colours.is_empty() {
            String::new()
        } else {
            format!("; {}", colours.join(", and "))
        };
        format!("This point is {}{because}{colours}.", layer(why))
    }

    fn colour(&self, colour: &Colour) -> String {
        let register = colour.name();
        let value = format!("${:02X}", colour.value);
        match colour.origin {
            Origin::Store { pc, .. } => {
                let by = if let Some(at) = self.sources.line_at(pc) {
                    let name = self.sources.name(at);
                    let file = name.split(':').next().unwrap_or("");
                    format!("line {} of {file}", at.line)
                } else {
                    let name = self.place_name(pc);
                    name.unwrap_or_else(|| format!("the instruction at ${pc:04X}"))
                };
                format!("{register} was set to {value} by {by}")
            }
            Origin::Edit { .. } => format!("{register} was set to {value} by you"),
            _ => format!("{register} has been {value} since before this frame"),
        }
    }
}

fn layer(why: &Why) -> String {
    match why.layer {
        Layer::Blank => "outside the picture".to_owned(),
        Layer::Background if why.outputs.window => "the background of the playfield".to_owned(),
        Layer::Background => "the border".to_owned(),
        Layer::Playfield(number) => format!("playfield colour {number}"),
        Layer::Gtia => "a pixel of a GTIA mode".to_owned(),
        Layer::Players(bits) => {
            let numbers = (0..4).filter(|n| bits >> n & 1 != 0);
            let numbers: Vec<String> = numbers.map(|n| n.to_string()).collect();
            format!("player {}", numbers.join(" and "))
        }
        Layer::FifthPlayer => "the fifth player, which the missiles make".to_owned(),
        Layer::Mixed => "where players and playfields mix".to_owned(),
    }
}

/// The character or byte that gives the pixel, and its bits there.
fn shape(playfield: &Playfield) -> Option<String> {
    let byte = playfield.bytes.first()?;
    let bits = byte.show.raw & byte.bits;
    let has = match (byte.bits.count_ones(), bits) {
        (1, 0) => "a 0 here".to_owned(),
        (1, _) => "a 1 here".to_owned(),
        _ => format!("the bits {} here", taken(bits, byte.bits)),
    };
    let (_, load) = byte.load?;
    if byte.show.text {
        let row = playfield.list.row;
        return Some(format!(
            "{} has {has}, in its row {row}",
            character(load.data)
        ));
    }
    let from = load.address?;
    Some(format!(
        "the byte ${:02X} at ${from:04X} has {has}",
        load.data
    ))
}

/// The bits of a byte that a mask chooses, the highest first.
fn taken(byte: u8, mask: u8) -> String {
    let chosen = (0..8).rev().filter(|n| mask >> n & 1 != 0);
    chosen
        .map(|n| if byte >> n & 1 != 0 { '1' } else { '0' })
        .collect()
}

/// A character by its code on the screen: letters and digits are 32 less than in ASCII.
fn character(code: u8) -> String {
    let plain = match code & 0x7F {
        low @ 0..=63 => low + 32,
        low @ 64..=95 => low - 64,
        low => low,
    };
    let inverse = if code >= 0x80 { "inverse " } else { "" };
    if (33..127).contains(&plain) {
        format!("{inverse}character '{}'", char::from(plain))
    } else if plain == 32 {
        format!("the {inverse}space character")
    } else {
        format!("{inverse}character ${code:02X}")
    }
}

#[cfg(test)]
mod tests {
    use super::{character, taken};

    #[test]
    fn characters_and_bits_are_in_words() {
        assert_eq!(character(0x21), "character 'A'");
        assert_eq!(character(0xA1), "inverse character 'A'");
        assert_eq!(character(0x61), "character 'a'");
        assert_eq!(character(0), "the space character");
        assert_eq!(character(0x41), "character $41");
        assert_eq!(taken(0b0110_0000, 0b1100_0000), "01");
    }
}
