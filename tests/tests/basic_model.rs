//! BASIC against a plain model in Rust: random expressions and random string assignments.
use std::fmt::Write as _;

use machine::{Model, Tv};
use tests::Atari;
use tests::desk::{Desk, Folder};
use tests::random::Random;

const EOL: u8 = 0x9B;

/// ENTERs a program, runs it and gives back the lines that it printed on #1.
fn printed(ready: &Atari, listing: &str) -> Vec<String> {
    let mut desk = Desk {
        atari: ready.clone(),
        folder: Folder::default(),
    };
    let bytes = |text: &str| {
        text.bytes()
            .map(|b| if b == b'\n' { EOL } else { b })
            .collect()
    };
    desk.folder.0.insert("IN".into(), bytes(listing));
    for command in ["ENTER \"D:IN\"", "OPEN #1,8,0,\"D:OUT\"", "GOTO 10", "END"] {
        desk.type_line(command).unwrap();
        desk.wait().unwrap();
    }
    let out = desk
        .folder
        .0
        .remove("OUT")
        .unwrap_or_else(|| panic!("{}", desk.atari.text()));
    out.split(|&b| b == EOL)
        .map(|line| line.iter().map(|&b| char::from(b)).collect())
        .collect()
}

fn ready() -> Atari {
    let mut atari = Atari::new(&tests::config(Model::Xl800, Tv::Ntsc, true));
    atari.machine.attach_host(true);
    assert!(atari.wait_for_key(600), "no READY:\n{}", atari.text());
    atari
}

// ---------------------------------------------------------------- expressions

/// The variables that the programs set.
const NUMBERS: [(&str, i64); 5] = [("A", 3), ("B", -7), ("C", 0), ("D", 12), ("E", 1)];
const STRINGS: [(&str, &str); 4] = [("A$", "HELLO"), ("B$", "HELP"), ("C$", ""), ("D$", "42")];

/// A tree of what the manual calls an expression.
enum Tree {
    Constant(i64),
    Variable(usize),
    Sign(&'static str, Box<Tree>),
    Binary(&'static str, Box<Tree>, Box<Tree>),
    Compare(&'static str, usize, usize),
    Call(&'static str, Box<Tree>),
    Of(&'static str, usize),
}

/// Binary operators, how tight they bind, loosest first.
const BINARY: [(&str, u8); 11] = [
    (" OR ", 1),
    (" AND ", 2),
    ("<=", 4),
    ("<>", 4),
    (">=", 4),
    ("<", 4),
    (">", 4),
    ("=", 4),
    ("+", 5),
    ("-", 5),
    ("*", 6),
];

fn tree(r: &mut Random, depth: usize) -> Tree {
    match r.below(if depth == 0 { 2 } else { 10 }) {
        0 => Tree::Constant(r.below(20) as i64),
        1 => Tree::Variable(r.below(NUMBERS.len())),
        2 => {
            let sign = ["-", "+", "NOT "][r.below(3)];
            Tree::Sign(sign, tree(r, depth - 1).into())
        }
        3 => {
            let function = ["ABS", "SGN", "INT"][r.below(3)];
            Tree::Call(function, tree(r, depth - 1).into())
        }
        4 => {
            let operator = BINARY[2 + r.below(6)].0;
            Tree::Compare(operator, r.below(STRINGS.len()), r.below(STRINGS.len()))
        }
        5 => Tree::Of("LEN", r.below(STRINGS.len())),
        _ => {
            let operator = BINARY[r.below(BINARY.len())].0;
            let left = tree(r, depth - 1);
            Tree::Binary(operator, left.into(), tree(r, depth - 1).into())
        }
    }
}

impl Tree {
    /// The binding strength of the outermost operator.
    fn tightness(&self) -> u8 {
        match self {
            Self::Binary(operator, ..) => BINARY.iter().find(|b| b.0 == *operator).unwrap().1,
            Self::Sign("NOT ", _) => 3,
            Self::Sign(..) => 8,
            Self::Compare(..) => 9,
            _ => 10,
        }
    }

    /// The text with as few brackets as the precedence allows; a sign gets brackets around it after a sign.
    fn text(&self) -> String {
        let within = |tree: &Self, bracket: bool| {
            if bracket {
                format!("({})", tree.text())
            } else {
                tree.text()
            }
        };
        match self {
            Self::Constant(value) => value.to_string(),
            Self::Variable(i) => NUMBERS[*i].0.into(),
            Self::Sign(sign, of) => {
                let loose = of.tightness() < self.tightness();
                let signed = of.text().starts_with(['-', '+', 'N']);
                format!("{sign}{}", within(of, loose || signed))
            }
            Self::Binary(operator, left, right) => {
                let own = self.tightness();
                // NOT in front takes all that binds tighter, also what follows its operand.
                let first = left.tightness() < own || left.ends_in_not(own);
                format!(
                    "{}{operator}{}",
                    within(left, first),
                    within(right, right.tightness() <= own)
                )
            }
            Self::Compare(operator, a, b) => {
                format!("{}{operator}{}", STRINGS[*a].0, STRINGS[*b].0)
            }
            Self::Call(function, of) => format!("{function}({})", of.text()),
            Self::Of(function, i) => format!("{function}({})", STRINGS[*i].0),
        }
    }

    /// True if the text ends in a NOT whose operand an operator of this tightness would join.
    fn ends_in_not(&self, tightness: u8) -> bool {
        match self {
            Self::Sign("NOT ", _) => tightness > 3,
            Self::Binary(_, _, right) => right.ends_in_not(tightness),
            _ => false,
        }
    }

    fn value(&self) -> i64 {
        match self {
            Self::Constant(value) => *value,
            Self::Variable(i) => NUMBERS[*i].1,
            Self::Sign("-", of) => -of.value(),
            Self::Sign("NOT ", of) => i64::from(of.value() == 0),
            Self::Binary(operator, left, right) => {
                let (a, b) = (left.value(), right.value());
                match *operator {
                    " OR " => i64::from(a != 0 || b != 0),
                    " AND " => i64::from(a != 0 && b != 0),
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a * b,
                    _ => i64::from(holds(operator, a.cmp(&b))),
                }
            }
            Self::Compare(operator, a, b) => {
                i64::from(holds(operator, STRINGS[*a].1.cmp(STRINGS[*b].1)))
            }
            Self::Call("ABS", of) => of.value().abs(),
            Self::Call("SGN", of) => of.value().signum(),
            Self::Call(_, of) | Self::Sign(_, of) => of.value(),
            Self::Of(_, i) => STRINGS[*i].1.len() as i64,
        }
    }
}

fn holds(operator: &str, order: std::cmp::Ordering) -> bool {
    match operator {
        "<" => order.is_lt(),
        ">" => order.is_gt(),
        "=" => order.is_eq(),
        "<=" => order.is_le(),
        ">=" => order.is_ge(),
        _ => order.is_ne(),
    }
}

#[test]
fn random_expressions_have_the_values_of_the_model() {
    let ready = ready();
    let mut random = Random(5);
    let mut count = 0;
    for _ in 0..30 {
        let mut listing = String::from("10 ");
        for (name, value) in NUMBERS {
            write!(listing, "{name}={value}:").unwrap();
        }
        listing.push_str("DIM A$(9),B$(9),C$(9),D$(9)\n20 ");
        for (name, value) in STRINGS {
            write!(listing, "{name}=\"{value}\":").unwrap();
        }
        listing.push_str("REM\n");
        let mut wanted = Vec::new();
        while wanted.len() < 60 {
            let tree = tree(&mut random, 5);
            let text = tree.text();
            if text.len() < 90 && tree.value().abs() < 1_000_000_000 {
                writeln!(listing, "{} ? #1;{text}", 100 + wanted.len()).unwrap();
                wanted.push((text, tree.value().to_string()));
            }
        }
        let got = printed(&ready, &listing);
        for (i, (text, value)) in wanted.iter().enumerate() {
            assert_eq!(got.get(i), Some(value), "{text}");
            count += 1;
        }
    }
    eprintln!("{count} expressions");
}

// ---------------------------------------------------------------- strings

/// A string variable: all its DIM length, and how much of it is in use.
#[derive(Clone)]
struct Text {
    bytes: Vec<u8>,
    length: usize,
}

/// The value that is assigned: bytes that come from nowhere, or a range of a variable, or an error.
type Source = Result<Vec<u8>, Option<(usize, std::ops::Range<usize>)>>;

/// Beginning and end of a part; no end: up to the end of the string.
type Part = Option<(usize, Option<usize>)>;

fn part(r: &mut Random, most: usize) -> Part {
    let at = |r: &mut Random| {
        if r.below(12) == 0 {
            r.below(most + 4)
        } else {
            1 + r.below(most.max(1))
        }
    };
    match r.below(3) {
        0 => None,
        1 => Some((at(r), None)),
        _ => {
            let (a, b) = (at(r), at(r));
            let swapped = if r.below(10) == 0 {
                (a, b)
            } else {
                (a.min(b), a.max(b))
            };
            Some((swapped.0, Some(swapped.1)))
        }
    }
}

fn shown(name: &str, part: Part) -> String {
    match part {
        None => name.into(),
        Some((from, None)) => format!("{name}({from})"),
        Some((from, Some(to))) => format!("{name}({from},{to})"),
    }
}

/// The bytes that a part covers, or error 5.
fn range(part: Part, bound: usize) -> Option<std::ops::Range<usize>> {
    match part {
        None => Some(0..bound),
        Some((from, None)) => (1..=bound).contains(&from).then(|| from - 1..bound),
        Some((from, Some(to))) => (from >= 1 && from <= to && to <= bound).then(|| from - 1..to),
    }
}

#[test]
fn random_string_assignments_do_what_the_model_does() {
    let ready = ready();
    let mut random = Random(11);
    let names = ["A$", "B$", "C$"];
    let (mut done, mut refused) = (0, 0);
    for _ in 0..25 {
        let mut listing = String::from("10 DIM A$(12),B$(20),C$(5),Z$(40)\n");
        let mut texts: Vec<Text> = [12, 20, 5]
            .iter()
            .map(|&n| Text {
                bytes: vec![b'-'; n],
                length: 0,
            })
            .collect();
        for (name, text) in names.iter().zip(&texts) {
            let fill = "-".repeat(text.bytes.len());
            writeln!(
                listing,
                "{} {name}=\"{fill}\":{name}=\"\"",
                11 + texts.len() + name.len() + usize::from(name.as_bytes()[0])
            )
            .unwrap();
        }
        let mut wanted = Vec::new();
        for i in 0..60 {
            let line = 100 + i * 3;
            let target = random.below(3);
            let room = texts[target].bytes.len();
            let to = part(&mut random, room);
            // What is assigned: its text, and where its bytes come from.
            let (source, from): (String, Source) = match random.below(5) {
                0 => {
                    let n = random.below(9);
                    let text: String = "ABCDEFGHIJ"[..n].into();
                    (format!("\"{text}\""), Ok(text.into_bytes()))
                }
                1 => {
                    let n = random.below(1000);
                    (format!("STR$({n})"), Ok(n.to_string().into_bytes()))
                }
                _ => {
                    let which = random.below(3);
                    let length = texts[which].length;
                    let what = part(&mut random, length);
                    let range = range(what, length).map(|range| (which, range));
                    (shown(names[which], what), Err(range))
                }
            };
            writeln!(
                listing,
                "{line} TRAP {}:{}={source}:GOTO {}\n{} ? #1;\"E\";PEEK(195);\n{} ? #1;A$;\"/\";B$;\"/\";C$",
                line + 1,
                shown(names[target], to),
                line + 2,
                line + 1,
                line + 2
            )
            .unwrap();
            let place = match to {
                None => Some(0..room),
                Some((start, None)) => (1..=room).contains(&start).then(|| start - 1..room),
                Some((start, Some(end))) => {
                    (start >= 1 && start <= end && end <= room).then(|| start - 1..end)
                }
            };
            let mut error = "";
            match (place, from) {
                (Some(place), Ok(bytes)) => {
                    let n = bytes.len().min(place.len());
                    let text = &mut texts[target];
                    text.bytes[place.start..place.start + n].copy_from_slice(&bytes[..n]);
                    set_length(text, place.start + n, matches!(to, Some((_, Some(_)))));
                }
                (Some(place), Err(Some((which, range)))) => {
                    let n = range.len().min(place.len());
                    for i in 0..n {
                        // byte by byte: source and target may be the same memory
                        let byte = texts[which].bytes[range.start + i];
                        texts[target].bytes[place.start + i] = byte;
                    }
                    let text = &mut texts[target];
                    set_length(text, place.start + n, matches!(to, Some((_, Some(_)))));
                }
                _ => error = "E5",
            }
            done += 1;
            refused += usize::from(!error.is_empty());
            let all: Vec<String> = texts
                .iter()
                .map(|t| String::from_utf8(t.bytes[..t.length].to_vec()).unwrap())
                .collect();
            wanted.push((
                format!("{}={source}", shown(names[target], to)),
                format!("{error}{}", all.join("/")),
            ));
        }
        let got = printed(&ready, &listing);
        for (i, (statement, state)) in wanted.iter().enumerate() {
            assert_eq!(
                got.get(i),
                Some(state),
                "{statement}, statement {i} of\n{listing}"
            );
        }
    }
    eprintln!("{done} assignments, {refused} refused");
}

/// The length after a write up to `end`: with a second subscript a string never gets shorter.
fn set_length(text: &mut Text, end: usize, second: bool) {
    text.length = if second { text.length.max(end) } else { end };
}
