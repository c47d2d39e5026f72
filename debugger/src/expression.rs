//! Expressions over registers, memory and the beam: conditions, addresses, watches.
//!
//! Numbers are decimal, `$1F`, `0x1F`, `%1010` or `'c'`. Names are registers (`a x y s p pc`, `reg.a` and so on), flags (`flag.n` to `flag.c`), the beam
//! (`line cycle frame now`), `address`, `value` and `old` (the access that a breakpoint looks at, its byte, and the byte before),
//! `hits`, and labels. C variables of the place in question come before all of these, with `[i]`, `.field`, `->field`, `*` and `&`.
//! While BASIC is there, its variables come first of all, in capitals as BASIC has them (`x` is the register): `GAP`, `A(3)`, `B(1,J)`, `A$`,
//! `A$(2,4)`, with texts in quotes, numbers with fractions, `AND` and `OR`. `=` is `==`, and `<>` is `!=`.
//! `[e]` is a byte of memory, `w[e]` a word, `lo(e)` and `hi(e)` halves of a word. Operators are C's, in C's order.

mod basic;

use crate::Symbols;
use crate::c::{Address, Depths, Scope, Type, extend};
use cpu6502::Cpu;
use machine::Bus;
use std::cell::RefCell;

/// The machine that an expression reads.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The processor.
    pub cpu: &'a Cpu,
    /// Memory and chips; only peeked.
    pub bus: &'a Bus,
    /// The byte of the access, if there is one.
    pub value: u8,
    /// The byte that was there before.
    pub old: u8,
    /// The address of the access.
    pub address: u16,
    /// Number of hits of the breakpoint before.
    pub hits: u32,
    /// Takes the addresses that are read.
    pub(crate) reads: Option<&'a RefCell<Vec<u16>>>,
}

impl<'a> Context<'a> {
    /// Between two cycles.
    pub fn of(machine: &'a machine::Machine) -> Self {
        Self::new(&machine.cpu, machine.bus())
    }

    /// The context of a probe, within a run.
    pub fn new(cpu: &'a Cpu, bus: &'a Bus) -> Self {
        Self {
            cpu,
            bus,
            value: 0,
            old: 0,
            address: cpu.next_address(),
            hits: 0,
            reads: None,
        }
    }

    /// The byte that the processor sees at an address.
    fn peek(&self, address: u16) -> u8 {
        if let Some(reads) = self.reads {
            reads.borrow_mut().push(address);
        }
        self.bus.peek(address)
    }
}

/// The names that hold at a place of a program.
#[derive(Clone, Debug)]
pub struct Names<'a> {
    pub(crate) symbols: &'a Symbols,
    pub(crate) c: Option<Scope<'a>>,
    /// Variables of BASIC.
    pub(crate) basic: Vec<String>,
}

impl<'a> From<&'a Symbols> for Names<'a> {
    /// Labels only.
    fn from(symbols: &'a Symbols) -> Self {
        Self {
            symbols,
            c: None,
            basic: Vec::new(),
        }
    }
}

/// A name that is not a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    A,
    X,
    Y,
    S,
    P,
    Pc,
    Flag(u8),
    Line,
    Cycle,
    Frame,
    Now,
    Value,
    Old,
    Address,
    Hits,
}

/// Names and their meaning.
const NAMES: &[(&str, Name)] = &[
    ("a", Name::A),
    ("x", Name::X),
    ("y", Name::Y),
    ("s", Name::S),
    ("p", Name::P),
    ("pc", Name::Pc),
    ("reg.a", Name::A),
    ("reg.x", Name::X),
    ("reg.y", Name::Y),
    ("reg.s", Name::S),
    ("reg.p", Name::P),
    ("reg.pc", Name::Pc),
    ("flag.n", Name::Flag(0x80)),
    ("flag.v", Name::Flag(0x40)),
    ("flag.d", Name::Flag(0x08)),
    ("flag.i", Name::Flag(0x04)),
    ("flag.z", Name::Flag(0x02)),
    ("flag.c", Name::Flag(0x01)),
    ("line", Name::Line),
    ("cycle", Name::Cycle),
    ("frame", Name::Frame),
    ("now", Name::Now),
    ("value", Name::Value),
    ("old", Name::Old),
    ("address", Name::Address),
    ("hits", Name::Hits),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    Unequal,
    AtMost,
    AtLeast,
    Below,
    Above,
    Left,
    Right,
    Plus,
    Minus,
    Times,
    Over,
    Rest,
}

/// Binary operators by rising rank.
const OPERATORS: &[&[(&str, Operator)]] = &[
    &[("||", Operator::Or)],
    &[("&&", Operator::And)],
    &[("|", Operator::BitOr)],
    &[("^", Operator::BitXor)],
    &[("&", Operator::BitAnd)],
    &[
        ("==", Operator::Equal),
        ("!=", Operator::Unequal),
        ("=", Operator::Equal),
        ("<>", Operator::Unequal),
    ],
    &[
        ("<=", Operator::AtMost),
        (">=", Operator::AtLeast),
        ("<", Operator::Below),
        (">", Operator::Above),
    ],
    &[("<<", Operator::Left), (">>", Operator::Right)],
    &[("+", Operator::Plus), ("-", Operator::Minus)],
    &[
        ("*", Operator::Times),
        ("/", Operator::Over),
        ("%", Operator::Rest),
    ],
];

/// The rank of `==` and its kind in [`OPERATORS`].
const COMPARISONS: usize = 5;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Number(i64),
    Name(Name),
    Byte(Box<Self>),
    Word(Box<Self>),
    /// A number of 1, 2 or 4 bytes, with or without a sign.
    Load(Box<Self>, u8, bool),
    /// An address in the frame of the C function that runs.
    Frame(i32, Depths),
    Low(Box<Self>),
    High(Box<Self>),
    Minus(Box<Self>),
    Not(Box<Self>),
    Complement(Box<Self>),
    Binary(Operator, Box<Self>, Box<Self>),
    /// A variable of BASIC with its indexes, if it has any.
    Basic(String, Vec<Self>),
    /// A number with a fraction, as its bits.
    Real(u64),
    Text(Vec<u8>),
}

/// An expression with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    text: String,
    root: Node,
    /// The address and type of a C variable or a part of it.
    lvalue: Option<(Box<Node>, Type)>,
    /// It asks for variables of a C function that is to run.
    frame: Option<Depths>,
    /// It asks for variables of BASIC.
    is_basic: bool,
}

impl std::fmt::Display for Expression {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl Expression {
    /// Reads an expression; labels become numbers now.
    ///
    /// # Errors
    /// A sentence that names the fault and its place.
    pub fn parse(text: &str, symbols: &Symbols) -> Result<Self, String> {
        Self::parse_in(text, &Names::from(symbols))
    }

    /// Reads an expression with the names that hold at a place.
    ///
    /// # Errors
    /// A sentence that names the fault and its place.
    pub fn parse_in(text: &str, names: &Names<'_>) -> Result<Self, String> {
        let parser = || Parser {
            rest: text.trim_start(),
            symbols: names.symbols,
            scope: names.c.as_ref(),
            basic: &names.basic,
            is_basic: false,
            frame: None,
            depth: 0,
            operators: 0,
        };
        let mut whole = parser();
        let lvalue = whole.lvalue()?.filter(|_| whole.rest.is_empty());
        let mut parser = parser();
        let root = parser.binary(0)?;
        if parser.rest.is_empty() {
            Ok(Self {
                text: text.trim().to_owned(),
                root,
                lvalue: lvalue.map(|(address, kind)| (address.into(), kind)),
                frame: parser.frame,
                is_basic: parser.is_basic,
            })
        } else {
            Err(format!("\"{}\" is not understood", clip(parser.rest)))
        }
    }

    /// The address and type of a C variable or a part of it.
    pub(crate) fn lvalue(&self, context: &Context) -> Option<(u16, &Type)> {
        let (address, kind) = self.lvalue.as_ref()?;
        Some((evaluate(address, context) as u16, kind))
    }

    /// Its value; without its fraction if it asks for variables of BASIC.
    pub fn value(&self, context: &Context) -> i64 {
        match self.basic_value(context) {
            Some(value) => value.number() as i64,
            None => evaluate(&self.root, context),
        }
    }

    /// Its value if it asks for variables of BASIC.
    pub(crate) fn basic_value(&self, context: &Context) -> Option<basic::Value> {
        self.is_basic.then(|| basic::value(&self.root, context))
    }

    /// True if it is not 0, and no empty text. True, too, where it needs the frame of a C function that is not known yet.
    pub fn is_true(&self, context: &Context) -> bool {
        if let Some(value) = self.basic_value(context) {
            return value.number() != 0.0;
        }
        self.value(context) != 0 || self.misses_frame(context)
    }

    /// True if it needs the frame of the C function at PC, and that is not known yet.
    pub(crate) fn misses_frame(&self, context: &Context) -> bool {
        let frame = self.frame.as_ref();
        frame.is_some_and(|depths| depths.is_missing(context.cpu, context.bus))
    }

    /// Its value if it depends on nothing.
    pub fn constant(&self) -> Option<i64> {
        constant(&self.root)
    }

    /// The addresses that decide its value on a machine: while none of them changes, it does not. `None` if anything else decides it too.
    pub(crate) fn decided_by(&self, machine: &machine::Machine) -> Option<Vec<u16>> {
        if !is_of_memory(&self.root) {
            return None;
        }
        let reads = RefCell::new(Vec::new());
        let context = Context {
            reads: Some(&reads),
            ..Context::of(machine)
        };
        self.is_true(&context);
        Some(reads.into_inner())
    }

    /// The names in expressions, for completion.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }
}

/// Text from a user in a message: at most 60 characters.
pub(crate) fn clip(text: &str) -> String {
    let mut short: String = text.chars().take(60).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short
}

/// Expressions deeper than this are refused.
const DEEPEST: u32 = 64;
/// Expressions with more binary operators are refused: each makes the tree deeper by one.
const MOST_OPERATORS: u32 = 256;

struct Parser<'a> {
    rest: &'a str,
    symbols: &'a Symbols,
    scope: Option<&'a Scope<'a>>,
    frame: Option<Depths>,
    basic: &'a [String],
    is_basic: bool,
    depth: u32,
    operators: u32,
}

impl Parser<'_> {
    fn take(&mut self, token: &str) -> bool {
        if let Some(rest) = self.rest.strip_prefix(token) {
            self.rest = rest.trim_start();
            return true;
        }
        false
    }

    fn operator(&mut self, rank: usize) -> Option<Operator> {
        let found = OPERATORS[rank].iter().find(|(operator, _)| {
            // `|` is not the first half of `||`, `<` not that of `<<` or `<=`.
            let longer = OPERATORS
                .iter()
                .flat_map(|all| all.iter())
                .any(|(other, _)| other.len() > operator.len() && self.rest.starts_with(other));
            !longer && self.take(operator)
        });
        let found = found.map(|(_, operator)| *operator);
        found.or_else(|| {
            let (word, operator) = match rank {
                0 => ("OR", Operator::Or),
                1 => ("AND", Operator::And),
                _ => return None,
            };
            self.take_word(word).then_some(operator)
        })
    }

    /// A word of BASIC, whatever the case of its letters.
    fn take_word(&mut self, word: &str) -> bool {
        let is_it = !self.basic.is_empty()
            && self
                .rest
                .get(..word.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(word))
            && !self.rest[word.len()..].starts_with(|c: char| c.is_ascii_alphanumeric());
        if is_it {
            self.rest = self.rest[word.len()..].trim_start();
        }
        is_it
    }

    fn binary(&mut self, rank: usize) -> Result<Node, String> {
        if rank == OPERATORS.len() {
            return self.unary();
        }
        let mut left = self.binary(rank + 1)?;
        while let Some(operator) = self.operator(rank) {
            self.operators += 1;
            if self.operators > MOST_OPERATORS {
                return Err("the expression has too many operators".to_owned());
            }
            let right = self.binary(rank + 1)?;
            if matches!(operator, Operator::Over | Operator::Rest) && constant(&right) == Some(0) {
                return Err("nothing can be divided by zero".to_owned());
            }
            left = Node::Binary(operator, left.into(), right.into());
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Node, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("the expression is nested too deeply".to_owned());
        }
        let node = self.unary_inside();
        self.depth -= 1;
        node
    }

    /// A variable of BASIC, a text or a number with a fraction.
    fn basic(&mut self) -> Result<Option<Node>, String> {
        if let Some(rest) = self.rest.strip_prefix('"') {
            let (text, rest) = rest
                .split_once('"')
                .ok_or("the text needs its second quote")?;
            self.rest = rest.trim_start();
            self.is_basic = true;
            return Ok(Some(Node::Text(text.bytes().collect())));
        }
        let digits = |text: &str| {
            text.find(|c: char| !c.is_ascii_digit())
                .unwrap_or(text.len())
        };
        let whole = digits(self.rest);
        if let Some(fraction) = self.rest[whole..].strip_prefix('.')
            && digits(fraction) > 0
        {
            let (number, rest) = self.rest.split_at(whole + 1 + digits(fraction));
            let number: f64 = number
                .parse()
                .map_err(|_| format!("\"{}\" is no number", clip(number)))?;
            self.rest = rest.trim_start();
            self.is_basic = true;
            return Ok(Some(Node::Real(number.to_bits())));
        }
        let length = self.rest.find(|c: char| !c.is_ascii_alphanumeric());
        let (name, rest) = self.rest.split_at(length.unwrap_or(self.rest.len()));
        let known = |name: &str| self.basic.iter().any(|n| n == name);
        let after = rest.trim_start();
        let (name, rest) = match (rest.strip_prefix('$'), after.strip_prefix('(')) {
            (Some(rest), _) if known(&format!("{name}$")) => (format!("{name}$"), rest),
            (None, Some(inside)) if known(&format!("{name}(")) => (format!("{name}("), inside),
            (None, _) if known(name) => (name.to_owned(), rest),
            _ => return Ok(None),
        };
        self.rest = rest.trim_start();
        self.is_basic = true;
        let mut indexes = Vec::new();
        if name.ends_with('(') || name.ends_with('$') && self.take("(") {
            indexes.push(self.binary(0)?);
            if self.take(",") {
                indexes.push(self.binary(0)?);
            }
            if !self.take(")") {
                return Err("\")\" is missing".to_owned());
            }
        }
        Ok(Some(Node::Basic(name, indexes)))
    }

    fn unary_inside(&mut self) -> Result<Node, String> {
        if !self.basic.is_empty()
            && let Some(node) = self.basic()?
        {
            return Ok(node);
        }
        if self.take_word("NOT") {
            // BASIC compares first.
            return Ok(Node::Not(self.binary(COMPARISONS)?.into()));
        }
        if let Some((address, kind)) = self.lvalue()? {
            return Ok(load(address, &kind));
        }
        if self.rest.starts_with('&') && self.scope.is_some() {
            self.take("&");
            let found = self.lvalue()?;
            return found
                .map(|(address, _)| address)
                .ok_or_else(|| "& needs a C variable".to_owned());
        }
        if self.take("-") {
            return Ok(Node::Minus(self.unary()?.into()));
        }
        if self.take("!") {
            return Ok(Node::Not(self.unary()?.into()));
        }
        if self.take("~") {
            return Ok(Node::Complement(self.unary()?.into()));
        }
        if self.take("(") {
            return self.closed(")");
        }
        if self.take("[") {
            return Ok(Node::Byte(self.closed("]")?.into()));
        }
        if let Some(rest) = self.rest.strip_prefix('\'') {
            let mut characters = rest.chars();
            if let (Some(character), Some('\'')) = (characters.next(), characters.next()) {
                self.rest = characters.as_str().trim_start();
                return Ok(Node::Number(i64::from(u32::from(character) & 0xFF)));
            }
            return Err("a character needs its second quote".to_owned());
        }
        for (prefix, radix) in [("$", 16), ("0x", 16), ("%", 2)] {
            if let Some(rest) = self.rest.strip_prefix(prefix) {
                return self.number(rest, radix);
            }
        }
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            return self.number(self.rest, 10);
        }
        self.name()
    }

    /// A C variable, or a part of it: its address and type.
    fn lvalue(&mut self) -> Result<Option<(Node, Type)>, String> {
        let Some(scope) = self.scope else {
            return Ok(None);
        };
        if let Some(rest) = self.rest.strip_prefix('*') {
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err("the expression is nested too deeply".to_owned());
            }
            self.rest = rest.trim_start();
            let inner = self.lvalue()?;
            self.depth -= 1;
            return match inner {
                Some((address, Type::Pointer(target))) => Ok(Some((load_word(address), *target))),
                Some((address, Type::Array(element, _))) => Ok(Some((address, *element))),
                _ => Err("* needs a C pointer".to_owned()),
            };
        }
        let length = self
            .rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let (name, rest) = self.rest.split_at(length.unwrap_or(self.rest.len()));
        let Some(variable) = scope.variable(name) else {
            return Ok(None);
        };
        let address = match variable.address {
            Address::Fixed(address) => Node::Number(address.into()),
            Address::Frame(offset) => self.frame(scope, offset),
            Address::Registers(first) => self.frame(scope, first.into()),
            Address::Nowhere(why) => return Err(format!("{name} {why}")),
        };
        self.rest = rest.trim_start();
        self.parts(scope, address, variable.kind).map(Some)
    }

    fn frame(&mut self, scope: &Scope<'_>, offset: i32) -> Node {
        let depths = &scope.program.depths;
        self.frame = Some(depths.clone());
        Node::Frame(offset, depths.clone())
    }

    /// The parts after a C variable: elements and fields.
    fn parts(
        &mut self,
        scope: &Scope<'_>,
        address: Node,
        kind: Type,
    ) -> Result<(Node, Type), String> {
        let (mut address, mut kind) = (address, kind);
        for _ in 0..DEEPEST {
            let arrow = self.take("->");
            if !arrow && self.take("[") {
                let index = self.closed("]")?;
                (address, kind) = match kind {
                    Type::Pointer(target) => (load_word(address), *target),
                    Type::Array(element, _) => (address, *element),
                    _ => return Err("it is no array".to_owned()),
                };
                let size = scope
                    .size(&kind)
                    .ok_or("the size of an element is not known")?;
                let offset = Node::Binary(
                    Operator::Times,
                    index.into(),
                    Node::Number(size.into()).into(),
                );
                address = plus(address, offset);
            } else if arrow || self.rest.starts_with('.') {
                if arrow {
                    let Type::Pointer(target) = kind else {
                        return Err("-> needs a C pointer".to_owned());
                    };
                    (address, kind) = (load_word(address), *target);
                } else {
                    self.take(".");
                }
                let length = self
                    .rest
                    .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
                let (name, rest) = self.rest.split_at(length.unwrap_or(self.rest.len()));
                let (offset, field) = scope
                    .field(&kind, name)
                    .ok_or_else(|| format!("there is no field \"{}\"", clip(name)))?;
                self.rest = rest.trim_start();
                (address, kind) = (plus(address, Node::Number(offset.into())), field);
            } else {
                break;
            }
        }
        Ok((address, kind))
    }

    fn closed(&mut self, end: &str) -> Result<Node, String> {
        let node = self.binary(0)?;
        if self.take(end) {
            Ok(node)
        } else {
            Err(format!("\"{end}\" is missing"))
        }
    }

    fn number(&mut self, rest: &str, radix: u32) -> Result<Node, String> {
        let length = rest
            .find(|c: char| !c.is_digit(radix))
            .unwrap_or(rest.len());
        let number = i64::from_str_radix(&rest[..length], radix)
            .map_err(|_| format!("\"{}\" is no number", clip(self.rest)))?;
        let skipped = self.rest.len() - rest.len() + length;
        self.rest = self.rest[skipped..].trim_start();
        Ok(Node::Number(number))
    }

    fn name(&mut self) -> Result<Node, String> {
        let length = self
            .rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '@' | '?' | ':')))
            .unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(length);
        if name.is_empty() {
            return Err(if rest.is_empty() {
                "something is missing at the end".to_owned()
            } else {
                format!("\"{}\" is not understood", clip(rest))
            });
        }
        self.rest = rest.trim_start();
        let lower = name.to_ascii_lowercase();
        match lower.as_str() {
            "w" if self.take("[") => return Ok(Node::Word(self.closed("]")?.into())),
            "lo" if self.take("(") => return Ok(Node::Low(self.closed(")")?.into())),
            "hi" if self.take("(") => return Ok(Node::High(self.closed(")")?.into())),
            _ => {}
        }
        let function = self.scope.and_then(|scope| scope.program.function(name));
        if let Some(address) = function.or_else(|| self.symbols.address(name)) {
            return Ok(Node::Number(address.into()));
        }
        if let Some((_, name)) = NAMES.iter().find(|(known, _)| *known == lower) {
            return Ok(Node::Name(*name));
        }
        self.symbols
            .address_any_case(name)
            .map(|address| Node::Number(address.into()))
            .ok_or_else(|| format!("there is no \"{}\"", clip(name)))
    }
}

fn plus(left: Node, right: Node) -> Node {
    Node::Binary(Operator::Plus, left.into(), right.into())
}

fn load_word(address: Node) -> Node {
    Node::Load(address.into(), 2, false)
}

/// The number that a C variable gives: its value, or of an array or struct its address.
fn load(address: Node, kind: &Type) -> Node {
    match kind {
        Type::Int { size, signed } => Node::Load(address.into(), *size, *signed),
        Type::Pointer(_) => load_word(address),
        _ => address,
    }
}

fn apply(operator: Operator, left: i64, right: i64) -> i64 {
    match operator {
        Operator::Or => i64::from(left != 0 || right != 0),
        Operator::And => i64::from(left != 0 && right != 0),
        Operator::BitOr => left | right,
        Operator::BitXor => left ^ right,
        Operator::BitAnd => left & right,
        Operator::Equal => i64::from(left == right),
        Operator::Unequal => i64::from(left != right),
        Operator::AtMost => i64::from(left <= right),
        Operator::AtLeast => i64::from(left >= right),
        Operator::Below => i64::from(left < right),
        Operator::Above => i64::from(left > right),
        Operator::Left => left.wrapping_shl(right as u32 & 63),
        Operator::Right => left.wrapping_shr(right as u32 & 63),
        Operator::Plus => left.wrapping_add(right),
        Operator::Minus => left.wrapping_sub(right),
        Operator::Times => left.wrapping_mul(right),
        // What turns out as zero only while the machine runs may not stop the program.
        Operator::Over => left.checked_div(right).unwrap_or(0),
        Operator::Rest => left.checked_rem(right).unwrap_or(0),
    }
}

fn constant(node: &Node) -> Option<i64> {
    Some(match node {
        Node::Number(number) => *number,
        Node::Name(_)
        | Node::Byte(_)
        | Node::Word(_)
        | Node::Load(..)
        | Node::Frame(..)
        | Node::Basic(..)
        | Node::Real(_)
        | Node::Text(_) => return None,
        Node::Low(inner) => constant(inner)? & 0xFF,
        Node::High(inner) => constant(inner)? >> 8 & 0xFF,
        Node::Minus(inner) => constant(inner)?.wrapping_neg(),
        Node::Not(inner) => i64::from(constant(inner)? == 0),
        Node::Complement(inner) => !constant(inner)?,
        Node::Binary(operator, left, right) => apply(*operator, constant(left)?, constant(right)?),
    })
}

/// True if nothing but memory decides a node's value.
fn is_of_memory(node: &Node) -> bool {
    match node {
        Node::Number(_) | Node::Real(_) | Node::Text(_) => true,
        Node::Byte(inner)
        | Node::Word(inner)
        | Node::Load(inner, ..)
        | Node::Low(inner)
        | Node::High(inner)
        | Node::Minus(inner)
        | Node::Not(inner)
        | Node::Complement(inner) => is_of_memory(inner),
        Node::Binary(_, left, right) => is_of_memory(left) && is_of_memory(right),
        Node::Basic(_, indexes) => indexes.iter().all(is_of_memory),
        Node::Name(_) | Node::Frame(..) => false,
    }
}

/// Most operands are numbers, which need no call.
#[inline]
fn operand(node: &Node, context: &Context) -> i64 {
    match node {
        Node::Number(number) => *number,
        _ => evaluate(node, context),
    }
}

/// The value that a name stands for.
#[inline]
fn named(name: Name, context: &Context) -> i64 {
    let Context { cpu, bus, .. } = *context;
    match name {
        Name::A => cpu.a.into(),
        Name::X => cpu.x.into(),
        Name::Y => cpu.y.into(),
        Name::S => cpu.s.into(),
        Name::P => cpu.p().into(),
        Name::Pc => crate::instruction_address(cpu).into(),
        Name::Flag(mask) => i64::from(cpu.p() & mask != 0),
        Name::Line => bus.beam().line.into(),
        Name::Cycle => bus.beam().cycle.into(),
        Name::Frame => bus.video.frame().number() as i64,
        Name::Now => bus.now() as i64,
        Name::Value => context.value.into(),
        Name::Old => context.old.into(),
        Name::Address => context.address.into(),
        Name::Hits => context.hits.into(),
    }
}

fn evaluate(node: &Node, context: &Context) -> i64 {
    let Context { cpu, bus, .. } = *context;
    let peek = |address: i64| context.peek(address as u16);
    match node {
        Node::Number(number) => *number,
        Node::Name(name) => named(*name, context),
        Node::Byte(inner) => peek(operand(inner, context)).into(),
        Node::Word(inner) => {
            let address = operand(inner, context);
            u16::from_le_bytes([peek(address), peek(address.wrapping_add(1))]).into()
        }
        Node::Load(inner, size, signed) => {
            if let Node::Frame(offset, depths) = &**inner
                && let Some(bytes) = depths.argument(cpu, bus, *offset)
            {
                return extend(u32::from_le_bytes(bytes), *size, *signed);
            }
            let address = operand(inner, context);
            let byte = |n: i64| {
                if n < i64::from(*size) {
                    peek(address.wrapping_add(n))
                } else {
                    0
                }
            };
            extend(u32::from_le_bytes([0, 1, 2, 3].map(byte)), *size, *signed)
        }
        Node::Frame(offset, depths) => {
            let base = depths.base(cpu, bus).unwrap_or(0);
            i64::from(base.wrapping_add(*offset as u16))
        }
        Node::Basic(..) | Node::Real(_) | Node::Text(_) => {
            basic::value(node, context).number() as i64
        }
        Node::Low(inner) => evaluate(inner, context) & 0xFF,
        Node::High(inner) => evaluate(inner, context) >> 8 & 0xFF,
        Node::Minus(inner) => evaluate(inner, context).wrapping_neg(),
        Node::Not(inner) => i64::from(evaluate(inner, context) == 0),
        Node::Complement(inner) => !evaluate(inner, context),
        Node::Binary(operator, left, right) => {
            let left = operand(left, context);
            // Evaluating the other side changes nothing, and takes time.
            match operator {
                Operator::And if left == 0 => 0,
                Operator::Or if left != 0 => 1,
                _ => apply(*operator, left, operand(right, context)),
            }
        }
    }
}
