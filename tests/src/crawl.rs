//! A crawler of the games' screens: from the last screen of each kind it tries every key, every way of the stick, the trigger and
//! the console keys in turn, continues by chance for some steps, and looks at each picture that comes. The newest of the kinds at which
//! least was tried come first, so that it reaches deep screens, and no kind waits for another one to be done.
//!
//! What it finds wrong: a fixed screen that scrolls; a word that a margin breaks; an object (a player or missile) on a page of text or
//! beyond the picture's sides for more than a second; a table that is another one after the rules were read or after ESC and N.
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::OnceLock;

use machine::{Bus, Frame, Model, Probe, Ram, Tv};
use session::keys::{code as keys, key_alone as key_for};
use session::{Kind, built_in};

use crate::random::Random;
use crate::{Atari, config, memory};

/// Frames without a change after which a screen has settled.
const STILL: u32 = 24;
/// Frames without a change of the rows of text only, where pictures keep moving.
const STILL_TEXT: u32 = 80;
/// Frames after which a screen that keeps changing is looked at all the same.
const RESTLESS: u32 = 300;
/// Frames of the longest pause of a game.
const LONGEST_PAUSE: u32 = 150;
/// Frames in which a prompt is told from a pause or a calculation, and looks at the keyboard that it takes in them at least.
const PROMPT: u32 = 8;
const POLLS: u32 = 4;
/// CH, and the first address of the cartridge and the ROMs.
const CH: u16 = 0x02FC;
const ROM: u16 = 0xA000;
/// Actions from a kind of screen: the first is the one to be tried, the others come by chance.
const WALK: usize = 5;
/// Number of actions at the beginning that come more often: RETURN, SPACE, the arrows.
const OFTEN: usize = 6;
/// Columns at the picture's sides where nothing belongs.
const SIDE: usize = 12;
const RTCLOK: u16 = 0x14;

/// The subject of a crawl.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// Its name.
    pub name: &'static str,
    /// The game; `menu` for the menu.
    pub game: &'static str,
    /// The RAM of an 800 on which the game is what it is with so little memory; `None` for every model with its own RAM.
    pub ram: Option<Ram>,
    /// True if it prints on a paper that moves up.
    pub teletype: bool,
    /// Frames of the longest pause that a key ends: a prompt is still for longer.
    pub pause: u32,
    /// The way from the title to a screen that chance does not find: names of actions, and text to be typed.
    pub opening: &'static [&'static str],
}

impl Subject {
    /// Its listing for a model; `None` where it does not fit.
    #[must_use]
    pub fn listing_for(&self, model: Model) -> Option<Cow<'static, [u8]>> {
        let kilobytes = match self.ram {
            None => memory(model),
            Some(_) if model != Model::Atari800 => return None,
            Some(Ram::K24) => 24,
            Some(Ram::K32) => 32,
            Some(_) => 40,
        };
        match roms::games::find(self.game) {
            Some(game) => {
                let listing = crate::game_listing(game.name, kilobytes)?;
                Some(Cow::Owned(listing.into_bytes()))
            }
            None => (model != Model::Atari400).then_some(Cow::Borrowed(menu_listing())),
        }
    }
}

/// The menu's listing with the lines that name the programs.
fn menu_listing() -> &'static [u8] {
    static LISTING: OnceLock<Vec<u8>> = OnceLock::new();
    LISTING.get_or_init(|| match built_in::menu().map(|menu| menu.kind) {
        Ok(Kind::Basic(program)) => program.list(),
        _ => Vec::new(),
    })
}

/// The games on machines with the least memory that they take, where that is more than a 400 has.
const SMALL: [(&str, &str, Ram); 7] = [
    ("crazy-eights-24k", "crazy-eights", Ram::K24),
    ("gammon-24k", "gammon", Ram::K24),
    ("focal-24k", "focal", Ram::K24),
    ("go-fish-32k", "go-fish", Ram::K32),
    ("tic-tac-toe-32k", "tic-tac-toe", Ram::K32),
    ("checkers-40k", "checkers", Ram::K40),
    ("hexapawn-40k", "hexapawn", Ram::K40),
];

/// The seven games, each also with the least memory that it takes, and the menu.
#[must_use]
pub fn subjects() -> Vec<Subject> {
    let subject = |name: &'static str, game: &'static str, ram| Subject {
        name,
        game,
        ram,
        teletype: game == "focal",
        pause: if game == "crazy-eights" { 122 } else { 0 },
        // These play against themselves.
        opening: match game {
            "gammon" => &["SELECT", "RETURN", "ATARI\nATARI\n"],
            "checkers" => &["4", "RETURN"],
            _ => &[],
        },
    };
    let whole = roms::games::ALL
        .iter()
        .map(|game| subject(game.name, game.name, None));
    let small = SMALL
        .iter()
        .map(|&(name, game, ram)| subject(name, game, Some(ram)));
    whole
        .chain(small)
        .chain([subject("menu", "menu", None)])
        .collect()
}

/// A screen that was visited.
#[derive(Clone, Debug)]
pub struct Screen {
    /// The keys pressed since the title page.
    pub path: String,
    /// Its picture, colour numbers.
    pub pixels: Vec<u8>,
}

/// Result of a crawl.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// A screen of each kind.
    pub screens: Vec<Screen>,
    /// Pictures that were looked at when they had settled.
    pub looks: u32,
    /// Detours (rules, ESC and N) after which the table was compared.
    pub detours: u32,
    /// Frames run.
    pub frames: u32,
    /// The faults, each kind once.
    pub faults: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Key(u8, &'static str),
    Stick(usize, &'static str),
    Trigger,
    Start,
    Select,
    Option,
    Wait,
}

impl Action {
    const fn name(self) -> &'static str {
        match self {
            Self::Key(_, name) | Self::Stick(_, name) => name,
            Self::Trigger => "trigger",
            Self::Start => "START",
            Self::Select => "SELECT",
            Self::Option => "OPTION",
            Self::Wait => "nothing",
        }
    }
}

fn actions() -> Vec<Action> {
    let mut all: Vec<Action> = [
        (keys::RETURN, "RETURN"),
        (keys::SPACE, "SPACE"),
        (keys::UP, "up"),
        (keys::DOWN, "down"),
        (keys::LEFT, "left"),
        (keys::RIGHT, "right"),
        (keys::ESC, "ESC"),
        (keys::BACKSPACE, "BACKSPACE"),
    ]
    .map(|(key, name)| Action::Key(key, name))
    .to_vec();
    for name in [
        "Y", "N", "R", "P", "D", "S", "1", "2", "3", "4", "A", "B", "C", "H", "J", "K", "L", "M",
        "T", "5", "6", "7", "8", "9", "W", "X",
    ] {
        let character = name.chars().next().unwrap_or(' ');
        all.extend(key_for(character).map(|key| Action::Key(key & 0x3F, name)));
    }
    for (way, name) in ["stick up", "stick down", "stick left", "stick right"]
        .into_iter()
        .enumerate()
    {
        all.push(Action::Stick(way, name));
    }
    all.extend([
        Action::Trigger,
        Action::Start,
        Action::Select,
        Action::Option,
    ]);
    all
}

/// A row of characters that the display list shows.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    mode: u8,
    bytes: Vec<u8>,
}

/// The rows of the display list as they are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Shown {
    rows: Vec<Row>,
    interrupts: bool,
}

impl Shown {
    fn text(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| matches!(row.mode, 2 | 6 | 7))
    }
}

fn shown(atari: &Atari) -> Shown {
    let peek = |at: u16| atari.machine.peek(at);
    let word = |at: u16| u16::from_le_bytes([peek(at), peek(at.wrapping_add(1))]);
    let mut found = Shown::default();
    let (mut list, mut screen) = (word(0x230), 0u16);
    for _ in 0..240 {
        let instruction = peek(list);
        list = list.wrapping_add(1);
        found.interrupts |= instruction & 0x80 != 0;
        let mode = instruction & 0x0F;
        if mode == 0 {
            continue;
        }
        if mode == 1 {
            if instruction & 0x40 != 0 {
                break;
            }
            list = word(list);
            continue;
        }
        if instruction & 0x40 != 0 {
            screen = word(list);
            list = list.wrapping_add(2);
        }
        let bytes = match mode {
            6 | 7 => 20,
            2..=5 => 40,
            _ => 0,
        };
        found.rows.push(Row {
            mode,
            bytes: (0..bytes).map(|i| peek(screen.wrapping_add(i))).collect(),
        });
        screen = screen.wrapping_add(bytes);
    }
    found
}

/// A character of ANTIC mode 2 as a letter of the alphabet.
fn letter(code: u8) -> Option<char> {
    match code & 0x7F {
        code @ 33..=58 => Some((code + 32) as char),
        code @ 97..=122 => Some(code as char),
        _ => None,
    }
}

/// The first row of a picture with something in the columns at its sides.
fn beside(pixels: &[u8]) -> Option<usize> {
    pixels.chunks(Frame::WIDTH).position(|line| {
        let mut sides = line[..SIDE].iter().chain(&line[Frame::WIDTH - SIDE..]);
        sides.any(|&pixel| pixel != line[0])
    })
}

fn words(row: &Row) -> String {
    row.bytes
        .iter()
        .map(|&byte| match row.mode {
            2 => letter(byte).unwrap_or(' '),
            6 | 7 => letter(byte & 0x3F).unwrap_or(' '),
            _ => ' ',
        })
        .collect()
}

/// The class of screens that are left by the same actions: the display list's modes and the first words of its rows of text.
fn class(shown: &Shown) -> String {
    let mut class = String::new();
    for row in &shown.rows {
        let text = words(row);
        let first: String = text
            .split_whitespace()
            .filter(|word| word.len() > 2)
            .take(2)
            .fold(String::new(), |all, word| all + word + " ");
        let _ = write!(class, "{}{first}/", row.mode);
    }
    class
}

/// True if `now` is `before` moved up by a row.
fn has_scrolled(before: &Shown, now: &Shown) -> bool {
    let (old, new) = (&before.rows, &now.rows);
    if old.len() != new.len() || old.len() < 10 {
        return false;
    }
    let telling = (1..old.len())
        .filter(|&r| old[r].bytes.iter().any(|&b| b != 0) && old[r] != old[r - 1])
        .filter(|&r| old[r].bytes == new[r - 1].bytes)
        .count();
    let same = (1..old.len())
        .filter(|&r| old[r].bytes == new[r - 1].bytes)
        .count();
    telling >= 4 && same + 2 >= old.len()
}

/// Counts the looks of BASIC (PEEK) and the OS (GET) at CH; those of the game's own vertical blank interrupt do not count.
#[derive(Clone, Copy, Debug, Default)]
struct Polls(u32);

impl Probe for Polls {
    fn cycle(&mut self, cpu: &cpu6502::Cpu, _: &Bus) -> bool {
        let looks = cpu.next_address() == CH && !cpu.next_is_write() && cpu.pc >= ROM;
        self.0 += u32::from(looks);
        false
    }
}

/// True if the machine waits for a key at a prompt: it keeps looking, and nothing on the screen changes.
fn is_at_a_prompt(atari: &mut Atari) -> bool {
    let before = shown(atari);
    let mut polls = Polls::default();
    for _ in 0..PROMPT {
        atari.machine.run_frame_with(&mut polls);
        atari.frames += 1;
    }
    polls.0 >= POLLS && before.text().eq(shown(atari).text())
}

/// A kind of screen, the last one of it, and how many actions were tried there.
struct Known {
    class: String,
    atari: Atari,
    path: String,
    waits: bool,
    tried: usize,
}

struct Crawler {
    subject: Subject,
    model: Model,
    tv: Tv,
    report: Report,
    told: HashSet<String>,
    kinds: Vec<Known>,
    random: Random,
}

impl Crawler {
    fn fault(&mut self, kind: &str, path: &str, detail: &str) {
        if self.told.insert(format!("{kind} {detail}")) && self.report.faults.len() < 40 {
            self.report.faults.push(format!(
                "{} on a {:?} ({:?}): {kind} after {path}: {detail}",
                self.subject.name, self.model, self.tv
            ));
        }
    }

    /// Runs until the machine waits for a key and nothing on the screen changes (`true`), or runs by itself for too long; a
    /// scroll on the way is a fault.
    fn settle(&mut self, atari: &mut Atari, path: &str) -> bool {
        let mut last = [shown(atari), Shown::default(), Shown::default()];
        let (mut still, mut still_text) = (0, 0);
        for _ in 0..RESTLESS {
            atari.run(1);
            self.report.frames += 1;
            let now = shown(atari);
            still_text = if now.text().eq(last[0].text()) {
                still_text + 1
            } else {
                0
            };
            let same = now == last[0];
            still = if same { still + 1 } else { 0 };
            if still >= STILL.max(self.subject.pause)
                || still_text >= STILL_TEXT.max(self.subject.pause)
            {
                self.report.frames += PROMPT;
                if is_at_a_prompt(atari) {
                    return true;
                }
                (still, still_text) = (0, 0);
                last = [shown(atari), Shown::default(), Shown::default()];
                continue;
            }
            if same {
                continue;
            }
            if !self.subject.teletype && last.iter().any(|before| has_scrolled(before, &now)) {
                self.fault("a fixed screen scrolls", path, "");
            }
            last.rotate_right(1);
            last[0] = now;
        }
        false
    }

    /// Does something and waits for the next prompt, as [`Crawler::settle`] tells.
    fn press(&mut self, atari: &mut Atari, action: Action, path: &str) -> bool {
        let input = &mut atari.machine.input;
        match action {
            Action::Key(code, _) => input.key = Some(code),
            Action::Stick(way, _) => {
                let [up, down, left, right] = [0, 1, 2, 3].map(|w| w == way);
                input.joystick(0).push(up, down, left, right);
            }
            Action::Trigger => input.joystick(0).trigger = true,
            Action::Start => input.start = true,
            Action::Select => input.select = true,
            Action::Option => input.option = true,
            Action::Wait => {}
        }
        atari.run(4);
        self.report.frames += 4;
        let input = &mut atari.machine.input;
        match action {
            Action::Key(..) => input.key = None,
            Action::Stick(..) => _ = input.joystick(0).centre(),
            Action::Trigger => input.joystick(0).trigger = false,
            Action::Start => input.start = false,
            Action::Select => input.select = false,
            Action::Option => input.option = false,
            Action::Wait => {}
        }
        self.settle(atari, path)
    }

    /// Looks at a picture that has settled. Before a prompt objects may come in from a side and go out.
    fn look(&mut self, atari: &Atari, path: &str, waits: bool) {
        self.report.looks += 1;
        let shown = shown(atari);
        let (left, right) = (
            usize::from(atari.machine.peek(82)),
            usize::from(atari.machine.peek(83)),
        );
        for pair in shown.rows.windows(2) {
            if pair[0].mode != 2 || pair[1].mode != 2 {
                continue;
            }
            for (end, begin) in [(39, 0), (right.min(39), left.min(39))] {
                if let (Some(_), Some(_)) =
                    (letter(pair[0].bytes[end]), letter(pair[1].bytes[begin]))
                {
                    let line = words(&pair[0]);
                    self.fault("a margin breaks a word", path, line.trim());
                }
            }
        }
        let pixels = atari.machine.frame().pixels();
        if !shown.interrupts && shown.rows.iter().all(|row| row.mode == 2) {
            let [ink, paper, border] = [709, 710, 712].map(|at| atari.machine.peek(at) & 0xFE);
            let known = [paper & 0xF0 | ink & 0x0F, paper, border];
            if let Some(at) = pixels.iter().position(|pixel| !known.contains(pixel)) {
                let (row, column) = (at / Frame::WIDTH, at % Frame::WIDTH);
                let detail = format!("row {row}, column {column}: ${:02X}", pixels[at]);
                self.fault("an object on a page of text", path, &detail);
            }
        }
        if !waits {
            return;
        }
        let Some(row) = beside(pixels) else {
            return;
        };
        // What swims in or rolls by has gone then: games look at the keyboard meanwhile, too.
        let mut later = atari.clone();
        later.run(STILL_TEXT);
        self.report.frames += STILL_TEXT;
        if beside(later.machine.frame().pixels()).is_some() {
            let text = shown.rows.first().map(words).unwrap_or_default();
            let detail = format!("first at row {row} of the page {}", text.trim());
            self.fault("an object beyond the picture's side", path, &detail);
        }
    }

    /// The picture at one point of the frame counter's way, with which colours swell and fade; and which of its pixels do not change
    /// by themselves.
    fn steady(&mut self, atari: &Atari) -> (Vec<u8>, Vec<bool>) {
        let mut copy = atari.clone();
        let mut pictures = Vec::new();
        for _ in 0..3 {
            copy.run(1);
            while copy.machine.peek(RTCLOK) & 0x3F != 12 {
                copy.run(1);
                self.report.frames += 1;
            }
            copy.run(1);
            pictures.push(copy.machine.frame().pixels().to_vec());
        }
        let steady = (0..pictures[0].len())
            .map(|at| pictures.iter().all(|p| p[at] == pictures[0][at]))
            .collect();
        (pictures.swap_remove(0), steady)
    }

    /// Reads the rules, and asks for the end and thinks better of it: the table must then be the same.
    fn detours(&mut self, atari: &Atari, path: &str) {
        let key = |character: char, name| Action::Key(key_for(character).unwrap_or(0) & 0x3F, name);
        let space = Action::Key(keys::SPACE, "SPACE");
        let escape = Action::Key(keys::ESC, "ESC");
        let before = shown(atari);
        // A page of text: any key leaves it, and what a teletype has printed stays. A pause: R ends it, too.
        let pauses = |row: &Row| words(row).contains("PRESS RETURN");
        if !before.interrupts || before.rows.iter().any(pauses) {
            return;
        }
        // In a pause that ends by itself, keys only hurry it, and the next dice are others.
        let mut later = atari.clone();
        later.run(LONGEST_PAUSE);
        self.report.frames += LONGEST_PAUSE;
        if !before.text().eq(shown(&later).text()) {
            return;
        }
        for (first, second) in [(key('R', "R"), space), (escape, key('N', "N"))] {
            let mut there = atari.clone();
            let path = format!("{path}, {}", first.name());
            if !self.press(&mut there, first, &path) {
                continue;
            }
            let page = shown(&there);
            let is_detour = if first == escape {
                page.rows
                    .iter()
                    .any(|row| words(row).contains("END THIS GAME"))
            } else {
                let modes = |shown: &Shown| shown.rows.iter().map(|r| r.mode).collect::<Vec<_>>();
                // The rules are a page of text; a picture that any key leaves, as Hexapawn's graph, leads to the board.
                modes(&page) != modes(&before) && !page.interrupts
            };
            if !is_detour {
                continue;
            }
            self.look(&there, &path, true);
            let path = format!("{path}, {}", second.name());
            if !self.press(&mut there, second, &path) {
                continue;
            }
            self.report.detours += 1;
            // The pictures of a title page may move meanwhile; its text must be the same.
            if before
                .text()
                .any(|row| words(row).contains("START OR TRIGGER"))
            {
                if !before.text().eq(shown(&there).text()) {
                    self.fault("another title page than before", &path, "");
                }
                continue;
            }
            let (want, steady) = self.steady(atari);
            let (got, steady_too) = self.steady(&there);
            let other = |at: &usize| want[*at] != got[*at] && steady[*at] && steady_too[*at];
            let count = (0..want.len()).filter(other).count();
            if let Some(at) = (0..want.len()).find(other) {
                let (row, column) = (at / Frame::WIDTH, at % Frame::WIDTH);
                let detail = format!("{count} pixels, first row {row}, column {column}");
                self.fault("another table than before", &path, &detail);
            }
        }
    }

    /// Presses the opening's actions, and types the words that are not actions.
    fn open(&mut self, atari: &mut Atari, actions: &[Action]) {
        let mut path = "RUN".to_owned();
        let mut waits = true;
        for &name in self.subject.opening {
            path = format!("{path}, {name}");
            let action = actions.iter().find(|action| action.name() == name);
            if let Some(&action) = action {
                waits = self.press(atari, action, &path);
            } else {
                let before = atari.frames;
                atari.type_text(name);
                self.report.frames += atari.frames - before;
                waits = self.settle(atari, &path);
            }
        }
        self.visit(atari, &path, waits);
    }

    /// Looks at a screen and keeps it as the last one of its kind; says whether the game continues.
    fn visit(&mut self, atari: &Atari, path: &str, waits: bool) -> bool {
        self.look(atari, path, waits);
        let class = class(&shown(atari));
        let known = self.kinds.iter().position(|kind| kind.class == class);
        // A game that asks for the menu is over, and so is the menu that asks for a game.
        let asks = [0x600, 0x601].map(|at| atari.machine.peek(at));
        let over = asks == *b"ME" || asks == *b"GO";
        if let Some(at) = known {
            if !over {
                let kind = &mut self.kinds[at];
                (kind.atari, kind.path, kind.waits) = (atari.clone(), path.to_owned(), waits);
            }
            return !over;
        }
        self.report.screens.push(Screen {
            path: path.to_owned(),
            pixels: atari.machine.frame().pixels().to_vec(),
        });
        if !over {
            if waits {
                self.detours(atari, path);
            }
            self.kinds.push(Known {
                class,
                atari: atari.clone(),
                path: path.to_owned(),
                waits,
                tried: 0,
            });
        }
        !over
    }

    fn crawl(&mut self, frames: u32, seed: u64) {
        let mut config = config(self.model, self.tv, true);
        config.seed = seed;
        config.extras.ram = self.subject.ram;
        let Some(listing) = self.subject.listing_for(self.model) else {
            return;
        };
        let mut atari = Atari::with_basic(&config, &listing);
        atari.type_text("RUN\n");
        for _ in 0..600 {
            if shown(&atari).interrupts {
                break;
            }
            atari.run(5);
        }
        atari.run(30);
        let waits = self.settle(&mut atari, "RUN");
        self.visit(&atari, "RUN", waits);
        let actions = actions();
        if !self.subject.opening.is_empty() {
            self.open(&mut atari, &actions);
        }
        while self.report.frames < frames {
            // Of the kinds at which least was tried, the newest.
            let newest = self.kinds.iter_mut().rev();
            let Some(kind) = newest.min_by_key(|kind| kind.tried) else {
                break;
            };
            let mut action = actions[kind.tried % actions.len()];
            kind.tried += 1;
            let (mut atari, mut path) = (kind.atari.clone(), kind.path.clone());
            for _ in 0..WALK {
                path = format!("{path}, {}", action.name());
                let waits = self.press(&mut atari, action, &path);
                if !self.visit(&atari, &path, waits) || self.report.frames >= frames {
                    break;
                }
                action = match self.random.below(2) {
                    0 if waits => actions[self.random.below(OFTEN)],
                    0 => Action::Wait,
                    _ => actions[self.random.below(actions.len())],
                };
            }
        }
    }
}

/// Crawls for about `frames` frames.
#[must_use]
pub fn crawl(subject: Subject, model: Model, tv: Tv, frames: u32, seed: u64) -> Report {
    let mut crawler = Crawler {
        subject,
        model,
        tv,
        report: Report::default(),
        told: HashSet::new(),
        kinds: Vec::new(),
        random: Random(seed),
    };
    crawler.crawl(frames, seed);
    crawler.report
}
