//! Tunes in the SAP format: a text about the tune, then its player and data as a binary file.
//!
//! The format is that of the Slight Atari Player (`Sap.txt` of the Atari SAP Music Archive, and the description of it by ASAP). Types B, C, D and R
//! are played by a program of ours, `roms/sap/player.s`, which [`Sap::program`] puts beside the tune.
use alloc::string::String;
use alloc::vec::Vec;

use crate::xex::{Segment, Xex, XexError};

/// Bytes that the text about a tune can have.
const LONGEST_TEXT: usize = 0x4000;
/// Songs that a file can have.
const MOST_SONGS: usize = 255;
/// Seconds of the longest song whose length is shown: 99:59.
const LONGEST_SONG: u32 = 99 * 60 + 59;
/// The first address of RAM that the loader leaves to programs, below it the OS has its variables.
const LOWEST: u16 = 0x0700;
/// The OS and the hardware registers begin here.
const OS: u16 = 0xC000;
/// The cells that a loader looks at: RUNAD and INITAD. A SAP file does not use them.
const VECTORS: core::ops::RangeInclusive<u16> = 0x02E0..=0x02E3;
/// RUNAD.
const RUNAD: u16 = 0x02E0;
/// The OS has its screen from here on while the file is loaded.
const SCREEN: u16 = 0xBC00;

/// The way in which a tune is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// B: INIT once with the song's number, PLAYER again and again.
    Routine,
    /// C: the player of the Chaos Music Composer.
    Cmc,
    /// D: INIT is a main program, which does not return; PLAYER is called in each vertical blank.
    Digital,
    /// R: a dump of POKEY's registers.
    Dump,
}

/// A tune.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sap {
    /// The way in which it is played.
    pub player: Player,
    /// NAME.
    pub name: String,
    /// AUTHOR.
    pub author: String,
    /// DATE.
    pub date: String,
    /// Number of songs, 1 to 255.
    pub songs: u8,
    /// The song that is played first, from 0.
    pub first: u8,
    /// There is a second POKEY at $D210.
    pub stereo: bool,
    /// It was made for NTSC.
    pub ntsc: bool,
    /// Scan lines from one call of PLAYER to the next.
    pub lines: u16,
    /// Seconds of each song whose length is known.
    pub times: Vec<Option<u32>>,
    init: u16,
    play: u16,
    music: u16,
    data: Data,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Data {
    Binary(Xex),
    /// Nine registers a call, AUDF1 to AUDCTL; eighteen in stereo.
    Dump(Vec<u8>),
}

/// Reason why bytes are not a tune that can be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SapError {
    /// The first line is another one.
    #[error("not a SAP file: it does not begin with a line SAP")]
    NotSap,
    /// The text does not end.
    #[error("the SAP file is damaged: no data follow its text")]
    NoData,
    /// A type that is not played.
    #[error("the tune is of SAP type {0}; types B, C, D and R are played")]
    Type(String),
    /// A tag that the type needs.
    #[error("the SAP file is damaged: it has no {0}")]
    Missing(&'static str),
    /// A tag whose value is out of range.
    #[error("the SAP file is damaged: its {0} is {1}")]
    Value(&'static str, &'static str),
    /// The binary part.
    #[error("the SAP file is damaged: {0}")]
    Binary(#[from] XexError),
    /// Data where nothing can be loaded.
    #[error("the tune loads to ${0:04X}, where the OS or the hardware is")]
    Address(u16),
    /// No free memory.
    #[error("the tune leaves no memory for a player")]
    Room,
    /// A dump that is too long.
    #[error("the dump of registers has {0} bytes when it is packed, and {1} are free")]
    Long(usize, usize),
}

impl Sap {
    /// Reads a SAP file.
    ///
    /// # Errors
    /// One sentence on what is wrong with it, or is not played.
    pub fn parse(bytes: &[u8]) -> Result<Self, SapError> {
        let mut lines = Lines {
            rest: &bytes[..bytes.len().min(LONGEST_TEXT)],
            at: 0,
        };
        if lines.next() != Some(b"SAP") {
            return Err(SapError::NotSap);
        }
        let mut tags = Tags::default();
        let data = loop {
            let rest = &bytes[lines.at..];
            if rest.starts_with(&[0xFF, 0xFF]) {
                break rest;
            }
            match lines.next() {
                // A dump follows an empty line where it is not marked.
                Some(b"") if tags.kind == Some(b'R') => {
                    let rest = &bytes[lines.at..];
                    break rest.strip_prefix(&[0xFF, 0xFF]).unwrap_or(rest);
                }
                Some(line) => tags.take(line)?,
                None => return Err(SapError::NoData),
            }
        };
        tags.tune(data)
    }

    /// The tune and `player`, the image of our player program, as a binary file.
    ///
    /// # Errors
    /// When the tune leaves no memory for it.
    pub fn program(&self, player: &[u8]) -> Result<Xex, SapError> {
        let (image, distances) = split_image(player).ok_or(SapError::Room)?;
        let mut module = image.to_vec();
        let times: Vec<u8> = (0..usize::from(self.songs))
            .flat_map(|song| bcd(self.times.get(song).copied().flatten()))
            .collect();
        let times_at = module.len();
        module.extend(times);
        let mut segments = match &self.data {
            Data::Binary(xex) => tune_segments(xex)?,
            Data::Dump(_) => Vec::new(),
        };
        let base = free_place(&segments, module.len()).ok_or(SapError::Room)?;
        let music = match &self.data {
            Data::Dump(dump) => {
                let packed = pack(dump, self.stereo);
                let free = usize::from(base - DUMP);
                if packed.len() > free {
                    return Err(SapError::Long(packed.len(), free));
                }
                segments.push(Segment {
                    start: DUMP,
                    data: packed,
                });
                DUMP
            }
            Data::Binary(_) => self.music,
        };
        move_to(&mut module, distances, base);
        let times = base + times_at as u16;
        self.set_parameters(&mut module, music, times);
        let start = u16::from_le_bytes([module[param::START], module[param::START + 1]]);
        segments.push(Segment {
            start: base,
            data: module,
        });
        segments.push(Segment {
            start: RUNAD,
            data: start.to_le_bytes().to_vec(),
        });
        let flaw = match &self.data {
            Data::Binary(xex) => xex.flaw.clone(),
            Data::Dump(_) => None,
        };
        Ok(Xex { segments, flaw })
    }

    /// Sets the parameters of the player program.
    fn set_parameters(&self, module: &mut [u8], music: u16, times: u16) {
        let mut word = |offset: usize, value: u16| {
            module[offset..offset + 2].copy_from_slice(&value.to_le_bytes());
        };
        word(param::INIT, self.init);
        word(param::PLAYER, self.play);
        word(param::MUSIC, music);
        word(param::LINES, self.lines);
        word(param::TIMES, times);
        word(param::AT3, self.play.wrapping_add(3));
        word(param::AT6, self.play.wrapping_add(6));
        module[param::TYPE] = match self.player {
            Player::Routine => 0,
            Player::Cmc => 1,
            Player::Digital => 2,
            Player::Dump => 3,
        };
        module[param::SONGS] = self.songs;
        module[param::SONG] = self.first;
        module[param::HALF] = (self.frame() / 2) as u8;
        module[param::FPS] = if self.ntsc { 60 } else { 50 };
        self.show(&mut module[param::SCREEN..]);
    }

    /// Scan lines of a frame.
    fn frame(&self) -> u16 {
        if self.ntsc { 262 } else { 312 }
    }

    /// Text of the player's screen, in screen codes.
    fn show(&self, screen: &mut [u8]) {
        let mut row = |row: usize, column: usize, text: &str| {
            let cells = &mut screen[row * 40 + column..row * 40 + 40];
            for (cell, character) in cells.iter_mut().zip(text.chars()) {
                *cell = screen_code(character);
            }
        };
        row(0, 2, &self.name);
        row(1, 2, &self.author);
        row(2, 2, &self.date);
        row(4, 2, "SONG");
        row(4, 17, "TIME");
        if self.songs > 1 {
            row(6, 2, "CURSOR KEYS: ANOTHER SONG");
        }
    }
}

/// Address of a packed dump.
const DUMP: u16 = 0x0800;

/// Offsets in the player's image, see `roms/sap/player.s`.
mod param {
    pub const TYPE: usize = 2;
    pub const INIT: usize = 3;
    pub const PLAYER: usize = 5;
    pub const MUSIC: usize = 7;
    pub const SONGS: usize = 9;
    pub const SONG: usize = 10;
    pub const LINES: usize = 11;
    pub const HALF: usize = 13;
    pub const FPS: usize = 14;
    pub const TIMES: usize = 15;
    pub const AT3: usize = 17;
    pub const AT6: usize = 19;
    pub const START: usize = 21;
    pub const SCREEN: usize = 0x40;
}

/// The player's image, whose first word is its length, and the distances of the high bytes of its addresses.
fn split_image(player: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = usize::from(u16::from_le_bytes([*player.first()?, *player.get(1)?]));
    let (image, list) = player.split_at_checked(length)?;
    let end = list.iter().position(|&distance| distance == 0)?;
    (length > param::SCREEN + 280).then_some((image, &list[..end]))
}

/// Moves the player program from the page that it was built for: `distances` lead from each high byte of an address to the next.
fn move_to(module: &mut [u8], distances: &[u8], base: u16) {
    let page = (base >> 8) as u8;
    let mut at = 0;
    for &distance in distances {
        at += usize::from(distance);
        if distance < 255 {
            module[at] = module[at].wrapping_sub(BUILT).wrapping_add(page);
        }
    }
}

/// The page that the image is linked for (`xtask/src/roms.rs`).
const BUILT: u8 = 0x40;

/// The segments of a tune without those that only a loader of programs looks at.
fn tune_segments(xex: &Xex) -> Result<Vec<Segment>, SapError> {
    let mut segments = Vec::new();
    for segment in &xex.segments {
        let Some(last) = segment.data.len().checked_sub(1) else {
            continue;
        };
        let last = usize::from(segment.start) + last;
        if last >= usize::from(OS) {
            return Err(SapError::Address(segment.start.max(OS)));
        }
        if !(VECTORS.contains(&segment.start) && last <= usize::from(*VECTORS.end())) {
            segments.push(segment.clone());
        }
    }
    Ok(segments)
}

/// The highest page where that many bytes are free, below the OS's screen where there is room.
fn free_place(segments: &[Segment], length: usize) -> Option<u16> {
    let pages = length.div_ceil(256) as u16;
    let free = |page: &u16| {
        let range = usize::from(page << 8)..usize::from((page + pages) << 8);
        // The text is in the first three pages, and ANTIC's screen within 4K.
        let whole = page & 0x0F <= 13;
        whole
            && segments.iter().all(|segment| {
                let start = usize::from(segment.start);
                start >= range.end || start + segment.data.len() <= range.start
            })
    };
    let below = (LOWEST >> 8..=(SCREEN >> 8) - pages).rev();
    let above = (SCREEN >> 8) - pages + 1..=(OS >> 8) - pages;
    below.chain(above).find(free).map(|page| page << 8)
}

/// Minutes and seconds in BCD; 0 for an unknown time.
fn bcd(seconds: Option<u32>) -> [u8; 2] {
    let digits = |n: u32| (n / 10 * 16 + n % 10) as u8;
    seconds.map_or([0, 0], |seconds| {
        let seconds = seconds.min(LONGEST_SONG);
        [digits(seconds / 60), digits(seconds % 60)]
    })
}

/// The screen code of a character; a blank for characters that the Atari does not have.
fn screen_code(character: char) -> u8 {
    let code = crate::atascii::of_char(character).filter(|code| *code < 128);
    match code.unwrap_or(b' ') {
        code @ 0..=31 => code + 64,
        code @ 32..=95 => code - 32,
        code => code,
    }
}

/// Packs a dump for the player: `roms/sap/player.s`, `DUMP`, has the format.
fn pack(dump: &[u8], stereo: bool) -> Vec<u8> {
    let width = if stereo { 18 } else { 9 };
    let mut out = Vec::new();
    let mut old = [0; 18];
    let mut still = 0u8;
    let wait = |out: &mut Vec<u8>, still: &mut u8| {
        if *still > 0 {
            out.extend([0, *still]);
            *still = 0;
        }
    };
    for frame in dump.chunks_exact(width) {
        if frame == &old[..width] {
            still += 1;
            if still == 0xFC {
                wait(&mut out, &mut still);
            }
            continue;
        }
        wait(&mut out, &mut still);
        let changes = |chip: usize, out: &mut Vec<u8>| {
            let mask = (0..8).filter(|i| frame[chip + i] != old[chip + i]);
            let mask = mask.fold(0u8, |mask, i| mask | 1 << i);
            out.push(mask);
            let values = (0..8).filter(|i| mask >> i & 1 != 0);
            out.extend(values.map(|i| frame[chip + i]));
        };
        for (chip, code) in [(0, 0xFF), (9, 0xFE)] {
            if chip < width && frame[chip + 8] != old[chip + 8] {
                out.extend([0, code, frame[chip + 8]]);
            }
        }
        if stereo && frame[9..17] != old[9..17] {
            out.extend([0, 0xFD]);
            changes(9, &mut out);
        }
        if frame[..8] == old[..8] {
            out.extend([0, 1]);
        } else {
            changes(0, &mut out);
        }
        old[..width].copy_from_slice(frame);
    }
    wait(&mut out, &mut still);
    out.extend([0, 0]);
    out
}

/// Lines of a text that end with LF or CR LF.
struct Lines<'a> {
    rest: &'a [u8],
    /// Bytes read.
    at: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let end = self.rest.iter().position(|&byte| byte == b'\n')?;
        let (line, rest) = self.rest.split_at(end);
        self.rest = &rest[1..];
        self.at += end + 1;
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }
}

/// Contents of the header.
#[derive(Default)]
struct Tags {
    kind: Option<u8>,
    name: String,
    author: String,
    date: String,
    songs: Option<u16>,
    first: Option<u16>,
    lines: Option<u16>,
    init: Option<u16>,
    play: Option<u16>,
    music: Option<u16>,
    stereo: bool,
    ntsc: bool,
    times: Vec<Option<u32>>,
}

impl Tags {
    fn take(&mut self, line: &[u8]) -> Result<(), SapError> {
        let text: String = line.iter().map(|&byte| char::from(byte)).collect();
        let (tag, value) = text.split_once(' ').unwrap_or((&text, ""));
        let value = value.trim();
        let number = |name, value: &str| {
            let number = value.parse();
            number
                .map(Some)
                .map_err(|_| SapError::Value(name, "not a number"))
        };
        let address = |name, value: &str| {
            let address = u16::from_str_radix(value, 16);
            address
                .map(Some)
                .map_err(|_| SapError::Value(name, "not an address"))
        };
        match tag.trim() {
            "NAME" => self.name = unquoted(value),
            "AUTHOR" => self.author = unquoted(value),
            "DATE" => self.date = unquoted(value),
            "TYPE" => match value.as_bytes() {
                [kind] => self.kind = Some(*kind),
                _ => return Err(SapError::Type(value.chars().take(8).collect())),
            },
            "SONGS" => self.songs = number("SONGS", value)?,
            "DEFSONG" => self.first = number("DEFSONG", value)?,
            "FASTPLAY" => self.lines = number("FASTPLAY", value)?,
            "INIT" => self.init = address("INIT", value)?,
            "PLAYER" => self.play = address("PLAYER", value)?,
            "MUSIC" => self.music = address("MUSIC", value)?,
            "STEREO" => self.stereo = true,
            "NTSC" => self.ntsc = true,
            "TIME" if self.times.len() < MOST_SONGS => self.times.push(seconds(value)),
            _ => {}
        }
        Ok(())
    }

    fn tune(self, data: &[u8]) -> Result<Sap, SapError> {
        let player = match self.kind {
            Some(b'B') => Player::Routine,
            Some(b'C') => Player::Cmc,
            Some(b'D') => Player::Digital,
            Some(b'R') => Player::Dump,
            Some(other) => return Err(SapError::Type(char::from(other).into())),
            None => return Err(SapError::Missing("TYPE")),
        };
        let needs = |tag: Option<u16>, name, kinds: &[Player]| match tag {
            None if kinds.contains(&player) => Err(SapError::Missing(name)),
            tag => Ok(tag.unwrap_or(0)),
        };
        let init = needs(self.init, "INIT", &[Player::Routine, Player::Digital])?;
        let play = needs(self.play, "PLAYER", &[Player::Routine, Player::Cmc])?;
        let music = needs(self.music, "MUSIC", &[Player::Cmc])?;
        let songs = self.songs.unwrap_or(1);
        let songs = u8::try_from(songs).ok().filter(|&songs| songs > 0);
        let songs = songs.ok_or(SapError::Value("SONGS", "not a number from 1 to 255"))?;
        let first = self.first.unwrap_or(0);
        let first = u8::try_from(first).ok().filter(|&first| first < songs);
        let first = first.ok_or(SapError::Value("DEFSONG", "not one of its songs"))?;
        let frame = if self.ntsc { 262 } else { 312 };
        let lines = self.lines.unwrap_or(frame);
        if lines == 0 {
            return Err(SapError::Value("FASTPLAY", "0"));
        }
        let data = if player == Player::Dump {
            let width = if self.stereo { 18 } else { 9 };
            if data.len() < width {
                return Err(SapError::NoData);
            }
            Data::Dump(data.to_vec())
        } else {
            Data::Binary(Xex::parse(data)?)
        };
        Ok(Sap {
            player,
            name: self.name,
            author: self.author,
            date: self.date,
            songs,
            first,
            stereo: self.stereo,
            ntsc: self.ntsc,
            lines,
            times: self.times,
            init,
            play,
            music,
            data,
        })
    }
}

/// A text without its quotes, as long as a row of the screen; `<?>` stands for an unknown text.
fn unquoted(value: &str) -> String {
    let text = value.trim_matches('"');
    let text = if text == "<?>" { "" } else { text };
    text.chars().take(80).collect()
}

/// Seconds of a length `MM:SS.mmm`, rounded up.
fn seconds(value: &str) -> Option<u32> {
    let time = value.split_whitespace().next()?;
    let (minutes, rest) = time.split_once(':')?;
    let (whole, part) = rest.split_once('.').unwrap_or((rest, "0"));
    let minutes: u32 = minutes.parse().ok().filter(|&minutes| minutes < 1000)?;
    let whole: u32 = whole.parse().ok().filter(|&seconds| seconds < 60)?;
    let rest = part.bytes().any(|digit| digit != b'0');
    Some(minutes * 60 + whole + u32::from(rest))
}
