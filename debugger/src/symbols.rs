//! Names of addresses.

use std::collections::BTreeMap;
use std::fmt;

/// Below it is RAM; BASIC's ROM begins at it.
const ROMS: u16 = 0xA000;
/// Begins the names that ca65 gives to the `.local` labels of macros: they may be typed and are not shown.
const MACRO_LABEL: &str = "LOCAL-MACRO_SYMBOL-";

/// Names of addresses: those of the program, and those that every machine has (hardware, OS, BASIC). The program's own are shown where
/// both are known.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    program: BTreeMap<u16, String>,
    system: BTreeMap<u16, String>,
    /// BASIC's variables in RAM, and whether they are shown: while BASIC is there.
    basic: BTreeMap<u16, String>,
    shows_basic: bool,
    addresses: BTreeMap<String, u16>,
}

/// A line of a label file that is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolError {
    /// Its number, from 1.
    pub line: usize,
}

impl fmt::Display for SymbolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {} is not a label: expected \"ADDRESS NAME\", \"al ADDRESS .NAME\" or \"NAME = $ADDRESS\"",
            self.line
        )
    }
}

impl std::error::Error for SymbolError {}

impl Symbols {
    /// Adds one of the program. An address keeps the first name it was given; a name means the last address.
    pub fn add(&mut self, address: u16, name: &str) {
        if !name.starts_with(MACRO_LABEL) {
            self.program
                .entry(address)
                .or_insert_with(|| name.to_owned());
        }
        self.addresses.insert(name.to_owned(), address);
    }

    /// Adds a name that may be typed, but is not shown for the address that is equal to it.
    pub(crate) fn add_constant(&mut self, name: &str, value: u16) {
        self.addresses.insert(name.to_owned(), value);
    }

    /// Names of the program that are so are not shown any more; they may still be typed.
    pub(crate) fn hide(&mut self, is_hidden: impl Fn(&str) -> bool) {
        self.program.retain(|_, name| !is_hidden(name));
    }

    /// Adds names of the system, such as the labels that come with a ROM. A name that is known keeps its address.
    pub fn add_system<'a>(&mut self, labels: impl IntoIterator<Item = (u16, &'a str)>) {
        for (address, name) in labels {
            let system = self.system.entry(address);
            system.or_insert_with(|| name.to_owned());
            self.addresses.entry(name.to_owned()).or_insert(address);
        }
    }

    /// Adds the labels that come with a BASIC: those in RAM are shown while it is there ([`Self::show_basic`]).
    pub fn add_basic<'a>(&mut self, labels: impl IntoIterator<Item = (u16, &'a str)>) {
        for (address, name) in labels {
            if address < ROMS {
                let basic = self.basic.entry(address);
                basic.or_insert_with(|| name.to_owned());
                self.addresses.entry(name.to_owned()).or_insert(address);
            } else {
                self.add_system([(address, name)]);
            }
        }
    }

    /// Shows BASIC's variables in RAM, or hides them: other programs have the same bytes for themselves.
    pub fn show_basic(&mut self, is_there: bool) {
        self.shows_basic = is_there;
    }

    fn shown_basic(&self) -> Option<&BTreeMap<u16, String>> {
        self.shows_basic.then_some(&self.basic)
    }

    /// Adds the labels of a file: lines `ADDRESS NAME` (as with our ROMs), `al ADDRESS .NAME` (ld65 -Ln), `NAME = $ADDRESS`, or
    /// `BANK ADDRESS NAME` after a line `Label table:` (MADS), the address in hexadecimal. Empty lines and lines that begin with `;`
    /// or `#` are skipped.
    ///
    /// # Errors
    /// The first line that has none of these forms; nothing is added then.
    pub fn add_file(&mut self, text: &str) -> Result<usize, SymbolError> {
        let mut labels = Vec::new();
        // The text before the table is the assembler's name.
        let table = text.lines().position(|line| line.trim() == "Label table:");
        for (index, line) in text.lines().enumerate() {
            if table.is_some_and(|table| index <= table) {
                continue;
            }
            let line = line.trim();
            if line.is_empty() || line.starts_with([';', '#']) {
                continue;
            }
            let label = if table.is_some() {
                parse_mads(line)
            } else {
                parse(line)
            };
            labels.push(label.ok_or(SymbolError { line: index + 1 })?);
        }
        for (address, name) in &labels {
            self.add(*address, name);
        }
        Ok(labels.len())
    }

    /// Adds the hardware registers, with the names of their write functions where reads differ.
    pub fn add_hardware(&mut self) {
        for &(start, names) in HARDWARE {
            let names = (start..).zip(names.split(' '));
            self.add_system(names.filter(|(_, name)| *name != "-"));
        }
    }

    /// Addresses that the program names, ascending.
    pub fn program(&self) -> impl Iterator<Item = (u16, &str)> {
        named(&self.program)
    }

    /// Addresses that the system names, ascending; then those of BASIC while it is there.
    pub fn system(&self) -> impl Iterator<Item = (u16, &str)> {
        named(&self.system).chain(self.shown_basic().into_iter().flat_map(named))
    }

    /// The name of an address.
    pub fn name(&self, address: u16) -> Option<&str> {
        let name = self.program.get(&address);
        name.or_else(|| self.system.get(&address))
            .or_else(|| self.shown_basic()?.get(&address))
            .map(String::as_str)
    }

    /// The address of a name.
    pub fn address(&self, name: &str) -> Option<u16> {
        self.addresses.get(name).copied()
    }

    /// The address of a name, whatever the case of its letters.
    pub fn address_any_case(&self, name: &str) -> Option<u16> {
        self.address(name).or_else(|| {
            self.addresses
                .iter()
                .find_map(|(known, &address)| known.eq_ignore_ascii_case(name).then_some(address))
        })
    }

    /// All names that begin with some letters, whatever their case.
    pub(crate) fn names_from<'a>(&'a self, start: &'a str) -> impl Iterator<Item = &'a str> {
        self.addresses
            .keys()
            .map(String::as_str)
            .filter(move |name| {
                name.len() >= start.len()
                    && name.is_char_boundary(start.len())
                    && name[..start.len()].eq_ignore_ascii_case(start)
            })
    }

    /// The last name at or before an address that is at most `within` bytes away, and the distance.
    pub fn nearest(&self, address: u16, within: u16) -> Option<(&str, u16)> {
        let last = |names: &'_ BTreeMap<u16, String>| {
            names.range(..=address).next_back().map(|(at, _)| *at)
        };
        let at = last(&self.program).max(last(&self.system))?;
        (address - at <= within).then_some((self.name(at)?, address - at))
    }

    /// The program's last name at or before an address that is at most `within` bytes away, and the distance.
    pub fn nearest_of_program(&self, address: u16, within: u16) -> Option<(&str, u16)> {
        let (at, name) = self.program.range(..=address).next_back()?;
        (address - at <= within).then_some((name, address - at))
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.program.is_empty() && self.system.is_empty()
    }
}

fn named(names: &BTreeMap<u16, String>) -> impl Iterator<Item = (u16, &str)> {
    let names = names.iter();
    names.map(|(&address, name)| (address, name.as_str()))
}

fn parse_mads(line: &str) -> Option<(u16, &str)> {
    let mut words = line.split_whitespace();
    let (_bank, address, name) = (words.next()?, words.next()?, words.next()?);
    // Labels of other processors and constants have more digits; their lower half is used.
    let address = u32::from_str_radix(address, 16).ok()? as u16;
    Some((address, name))
}

fn parse(line: &str) -> Option<(u16, &str)> {
    let hexadecimal = |text: &str| {
        u16::from_str_radix(text.trim_start_matches('$').trim_start_matches("00"), 16).ok()
    };
    let hexadecimal = |text: &str| {
        if text.trim_matches('0').is_empty() {
            Some(0)
        } else {
            hexadecimal(text)
        }
    };
    if let Some((name, address)) = line.split_once('=') {
        let name = name.trim();
        return (!name.is_empty() && !name.contains(' '))
            .then_some((hexadecimal(address.trim())?, name));
    }
    let mut words = line.split_whitespace();
    let first = words.next()?;
    let (address, name) = if first == "al" {
        (words.next()?, words.next()?)
    } else {
        (first, words.next()?)
    };
    let name = name.strip_prefix('.').unwrap_or(name);
    (words.next().is_none() && !name.is_empty()).then_some((hexadecimal(address)?, name))
}

/// First address and names, one for each address; `-` has none.
const HARDWARE: &[(u16, &str)] = &[
    (
        0xD000,
        "HPOSP0 HPOSP1 HPOSP2 HPOSP3 HPOSM0 HPOSM1 HPOSM2 HPOSM3 SIZEP0 SIZEP1 SIZEP2 SIZEP3 SIZEM GRAFP0 GRAFP1 GRAFP2 \
         GRAFP3 GRAFM COLPM0 COLPM1 COLPM2 COLPM3 COLPF0 COLPF1 COLPF2 COLPF3 COLBK PRIOR VDELAY GRACTL HITCLR CONSOL",
    ),
    (
        0xD200,
        "AUDF1 AUDC1 AUDF2 AUDC2 AUDF3 AUDC3 AUDF4 AUDC4 AUDCTL STIMER SKRES POTGO - SEROUT IRQEN SKCTL",
    ),
    (0xD300, "PORTA PORTB PACTL PBCTL"),
    (
        0xD400,
        "DMACTL CHACTL DLISTL DLISTH HSCROL VSCROL - PMBASE - CHBASE WSYNC VCOUNT PENH PENV NMIEN NMIST",
    ),
];
