//! The tokeniser: one line of text to one tokenised line.
use alloc::string::String;
use alloc::vec::Vec;

use super::tokens::{NUMERIC_OPERATORS, OPERATORS, STATEMENTS, STRING_COMPARISONS, op, statement};
use super::{IMMEDIATE, number};

/// The names of a program's variables in the order of their first appearance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(pub Vec<Vec<u8>>);

/// Reason why a line is refused: the syntax that was wanted, and its place (byte of the line).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Byte of the line at which nothing fits.
    pub column: usize,
    /// The syntax that would have fitted there.
    pub wanted: String,
}

/// A variable's kind, as the end of its name shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    Array,
    String,
}

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Number,
    String,
}

type Step<T = ()> = Result<T, ()>;

pub(super) struct Parser<'a> {
    /// The line in capitals, as it was given, and in capitals but for strings, REM and DATA.
    text: &'a [u8],
    given: &'a [u8],
    kept: Vec<u8>,
    at: usize,
    out: Vec<u8>,
    names: &'a mut Names,
    depth: usize,
    wanted: &'static str,
}

/// A line that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parsed {
    /// Its text with keywords and names in capitals.
    pub text: Vec<u8>,
    pub what: What,
}

/// Kind of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Only blanks.
    Nothing,
    /// Only a number.
    Number(u16),
    /// A line of a program: its number, and its bytes (number, length, statements).
    Line(u16, Vec<u8>),
    /// Statements without a number; `runs` if one of them runs the program.
    Direct { runs: bool },
}

/// The reason why a line without a number is refused.
pub(super) fn no_number(text: &[u8]) -> Refusal {
    Refusal {
        column: text.iter().take_while(|&&byte| byte == b' ').count(),
        wanted: "a line number".into(),
    }
}

/// True for a line of a program.
pub(super) fn is_basic(text: &[u8]) -> bool {
    let parsed = line(text, &mut Names::default());
    parsed.is_ok_and(|parsed| matches!(parsed.what, What::Line(..)))
}

/// Tokenises one line without its end mark.
pub(super) fn line(text: &[u8], names: &mut Names) -> Result<Parsed, Refusal> {
    let (text, more) = text.split_at(text.len().min(LONGEST));
    if !more.is_empty() && read(text, names).is_ok() {
        return Err(too_long(text.len()));
    }
    read(text, names)
}

/// Bytes of a line beyond which it is not read: tokens take 255 bytes, and blanks are none.
const LONGEST: usize = 4096;

fn too_long(column: usize) -> Refusal {
    Refusal {
        column,
        wanted: "a shorter line: its tokens take more than 255 bytes".into(),
    }
}

fn read(text: &[u8], names: &mut Names) -> Result<Parsed, Refusal> {
    let capitals = text.to_ascii_uppercase();
    let mut parser = Parser {
        kept: capitals.clone(),
        text: &capitals,
        given: text,
        at: 0,
        out: Vec::new(),
        names,
        depth: 0,
        wanted: "a line number",
    };
    parser.blanks();
    let refuse = |parser: &Parser, wanted: &str| Refusal {
        column: parser.at,
        wanted: wanted.into(),
    };
    let what = if parser.at == text.len() {
        What::Nothing
    } else if let Some((value, used)) =
        number::parse(&text[parser.at..]).filter(|_| text[parser.at].is_ascii_digit())
    {
        let Some(number) = number::to_word(&value).filter(|&n| n < 0x8000) else {
            return Err(refuse(&parser, "a line number from 0 to 32767"));
        };
        parser.at += used;
        parser.blanks();
        if parser.at == text.len() {
            What::Number(number)
        } else {
            What::Line(number, parser.tokens(number)?)
        }
    } else {
        let known = parser.names.0.len();
        let Ok(tokens) = parser.tokens(IMMEDIATE) else {
            parser.names.0.truncate(known);
            return Err(no_number(text));
        };
        What::Direct {
            runs: runs(&tokens),
        }
    };
    Ok(Parsed {
        text: parser.kept,
        what,
    })
}

/// True if one of a line's statements runs the program.
fn runs(line: &[u8]) -> bool {
    let mut at = 3;
    while let [end, token, ..] = line[at..] {
        if matches!(
            token,
            statement::RUN
                | statement::GOTO
                | statement::GO_TO
                | statement::GOSUB
                | statement::CONT
        ) {
            return true;
        }
        let end = usize::from(end);
        if end <= at || end > line.len() {
            break;
        }
        at = end;
    }
    false
}

impl Parser<'_> {
    /// The tokens of the line with this number whose statements begin here.
    fn tokens(&mut self, number: u16) -> Result<Vec<u8>, Refusal> {
        self.out.extend_from_slice(&number.to_le_bytes());
        self.out.push(0);
        if self.statements().is_err() {
            return Err(Refusal {
                column: self.at,
                wanted: self.wanted.into(),
            });
        }
        let length = self.out.len();
        if length > 255 {
            return Err(too_long(self.text.len()));
        }
        self.out[2] = length as u8;
        Ok(core::mem::take(&mut self.out))
    }

    /// The next characters as they were given.
    fn as_given(&mut self, length: usize) {
        let end = self.at + length;
        self.kept[self.at..end].copy_from_slice(&self.given[self.at..end]);
        self.out.extend_from_slice(&self.given[self.at..end]);
    }
}

impl Parser<'_> {
    fn fail<T>(&mut self, wanted: &'static str) -> Step<T> {
        self.wanted = wanted;
        Err(())
    }

    fn blanks(&mut self) {
        while self.text.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
    }

    fn peek(&mut self) -> Option<u8> {
        self.blanks();
        self.text.get(self.at).copied()
    }

    /// Takes `symbol` when it comes next.
    fn accept(&mut self, symbol: &str) -> bool {
        self.blanks();
        let found = self.text[self.at..].starts_with(symbol.as_bytes());
        if found {
            self.at += symbol.len();
        }
        found
    }

    fn take(&mut self, symbol: &'static str, token: u8) -> Step {
        if self.accept(symbol) {
            self.out.push(token);
            Ok(())
        } else {
            self.fail(symbol)
        }
    }

    fn comma(&mut self) -> Step {
        self.take(",", op::COMMA)
    }

    fn at_end(&mut self) -> bool {
        matches!(self.peek(), None | Some(b':'))
    }

    fn statements(&mut self) -> Step {
        loop {
            let start = self.out.len();
            self.out.push(0);
            let ended = self.statement()?;
            if !ended {
                match self.peek() {
                    None => self.out.push(op::END),
                    Some(b':') => {
                        self.at += 1;
                        self.out.push(op::COLON);
                    }
                    Some(_) => return self.fail("the end of the statement"),
                }
            }
            self.out[start] = self.out.len().min(255) as u8;
            let done = !ended && self.out.last() == Some(&op::END) || self.raw_ended(start);
            if done {
                return Ok(());
            }
            if !ended && self.peek().is_none() {
                // A colon at the end of the line: one more, empty, statement would follow.
                return self.fail("a statement after the colon");
            }
        }
    }

    /// True if the statement that begins at `start` was REM or DATA, which take the rest of the line.
    fn raw_ended(&self, start: usize) -> bool {
        matches!(
            self.out.get(start + 1),
            Some(&(statement::REM | statement::DATA))
        )
    }

    /// The statement's name, with abbreviations: the first name of the table that the text matches up to a period.
    fn name(&mut self) -> Option<u8> {
        self.blanks();
        let text = &self.text[self.at..];
        for (token, name) in STATEMENTS
            .iter()
            .enumerate()
            .take(usize::from(statement::IMPLIED_LET))
        {
            let same = name.bytes().zip(text).take_while(|(a, b)| a == *b).count();
            if same == name.len() {
                self.at += same;
                return Some(token as u8);
            }
            if text.get(same) == Some(&b'.') && !text[0].is_ascii_digit() {
                self.at += same + 1;
                return Some(token as u8);
            }
        }
        None
    }

    /// One statement without its end token; `true` when nothing may follow that needs one (REM, DATA, and IF before the
    /// statement after THEN).
    fn statement(&mut self) -> Step<bool> {
        let Some(token) = self.name() else {
            self.out.push(statement::IMPLIED_LET);
            self.assignment()?;
            return Ok(false);
        };
        self.out.push(token);
        match token {
            statement::REM | statement::DATA => {
                self.blanks();
                self.as_given(self.text.len() - self.at);
                self.out.push(0x9B);
                self.at = self.text.len();
                return Ok(true);
            }
            statement::LET => self.assignment()?,
            statement::IF => return self.if_then(),
            statement::FOR => self.for_to()?,
            statement::NEXT => self.plain_variable()?,
            statement::GOTO
            | statement::GO_TO
            | statement::GOSUB
            | statement::TRAP
            | statement::COLOR
            | statement::GRAPHICS => self.number()?,
            statement::PLOT | statement::POSITION | statement::DRAWTO | statement::POKE => {
                self.numbers(2)?;
            }
            statement::SETCOLOR => self.numbers(3)?,
            statement::SOUND => self.numbers(4)?,
            statement::RESTORE => self.optional(Self::number)?,
            statement::DIM | statement::COM => self.dimensions()?,
            statement::PRINT | statement::QUESTION => self.print()?,
            statement::LPRINT => self.print_list()?,
            statement::INPUT => {
                if self.peek() == Some(b'#') {
                    self.channel()?;
                    self.separator()?;
                }
                self.variable_list()?;
            }
            statement::READ => self.variable_list()?,
            statement::GET
            | statement::STATUS
            | statement::PUT
            | statement::NOTE
            | statement::POINT
            | statement::CLOSE
            | statement::OPEN
            | statement::XIO => self.channel_statement(token)?,
            statement::LOCATE => {
                self.numbers(2)?;
                self.comma()?;
                self.plain_variable()?;
            }
            statement::ON => self.on_goto()?,
            statement::LOAD | statement::SAVE | statement::ENTER => self.string()?,
            statement::RUN => self.optional(Self::string)?,
            statement::LIST => self.list()?,
            _ => {}
        }
        Ok(false)
    }

    fn for_to(&mut self) -> Step {
        self.plain_variable()?;
        self.take("=", op::ASSIGN)?;
        self.number()?;
        self.take("TO", op::TO)?;
        self.number()?;
        if self.accept("STEP") {
            self.out.push(op::STEP);
            self.number()?;
        }
        Ok(())
    }

    fn print(&mut self) -> Step {
        if self.peek() == Some(b'#') {
            self.channel()?;
            if self.at_end() {
                return Ok(());
            }
            self.separator()?;
        }
        self.print_list()
    }

    /// A comma or semicolon after a channel.
    fn separator(&mut self) -> Step {
        if self.accept_separator() {
            Ok(())
        } else {
            self.fail("a comma or semicolon")
        }
    }

    /// The statements that always name a channel.
    fn channel_statement(&mut self, token: u8) -> Step {
        if token == statement::XIO {
            self.number()?;
            self.comma()?;
        }
        self.channel()?;
        if token == statement::CLOSE {
            return Ok(());
        }
        self.comma()?;
        match token {
            statement::PUT => self.number(),
            statement::NOTE | statement::POINT => {
                self.plain_variable()?;
                self.comma()?;
                self.plain_variable()
            }
            statement::OPEN | statement::XIO => {
                self.numbers(2)?;
                self.comma()?;
                self.string()
            }
            _ => self.plain_variable(),
        }
    }

    fn on_goto(&mut self) -> Step {
        self.number()?;
        if self.accept("GOTO") {
            self.out.push(op::ON_GOTO);
        } else if self.accept("GOSUB") {
            self.out.push(op::ON_GOSUB);
        } else {
            return self.fail("GOTO or GOSUB");
        }
        self.number()?;
        while self.accept(",") {
            self.out.push(op::COMMA);
            self.number()?;
        }
        Ok(())
    }

    /// Follows a rule unless the statement ends here.
    fn optional(&mut self, rule: fn(&mut Self) -> Step) -> Step {
        if self.at_end() { Ok(()) } else { rule(self) }
    }

    fn if_then(&mut self) -> Step<bool> {
        self.number()?;
        self.take("THEN", op::THEN)?;
        if self.peek().is_some_and(|c| c.is_ascii_digit() || c == b'.') {
            self.constant()?;
            return Ok(false);
        }
        if self.at_end() {
            return self.fail("a line number or a statement");
        }
        Ok(true)
    }

    fn list(&mut self) -> Step {
        if self.at_end() {
            return Ok(());
        }
        if self.expression()? == Value::String {
            if !self.accept(",") {
                return Ok(());
            }
            self.out.push(op::COMMA);
            self.number()?;
        }
        if self.accept(",") {
            self.out.push(op::COMMA);
            self.number()?;
        }
        Ok(())
    }

    fn channel(&mut self) -> Step {
        self.take("#", op::HASH)?;
        self.number()
    }

    fn numbers(&mut self, count: usize) -> Step {
        for i in 0..count {
            if i > 0 {
                self.comma()?;
            }
            self.number()?;
        }
        Ok(())
    }

    fn accept_separator(&mut self) -> bool {
        if self.accept(",") {
            self.out.push(op::COMMA);
        } else if self.accept(";") {
            self.out.push(op::SEMICOLON);
        } else {
            return false;
        }
        true
    }

    fn print_list(&mut self) -> Step {
        loop {
            while self.accept_separator() {}
            if self.at_end() {
                return Ok(());
            }
            self.expression()?;
            if self.at_end() {
                return Ok(());
            }
            if !self.accept_separator() {
                return self.fail("a comma, a semicolon or the end of the statement");
            }
        }
    }

    fn variable_list(&mut self) -> Step {
        loop {
            if self.variable()? == Kind::Array {
                return self.fail("a plain variable");
            }
            if !self.accept(",") {
                return Ok(());
            }
            self.out.push(op::COMMA);
        }
    }

    fn dimensions(&mut self) -> Step {
        loop {
            match self.variable()? {
                Kind::Number => return self.fail("an array or a string"),
                Kind::Array => {
                    self.out.push(op::OPEN_DIM_ARRAY);
                    self.index()?;
                }
                Kind::String => {
                    self.take("(", op::OPEN_DIM_STRING)?;
                    self.number()?;
                    self.take(")", op::CLOSE)?;
                }
            }
            if !self.accept(",") {
                return Ok(());
            }
            self.out.push(op::COMMA);
        }
    }

    fn assignment(&mut self) -> Step {
        match self.variable()? {
            Kind::String => {
                self.subscripts()?;
                self.take("=", op::ASSIGN_STRING)?;
                return self.string();
            }
            Kind::Array => {
                self.out.push(op::OPEN_ARRAY);
                self.index()?;
            }
            Kind::Number => {}
        }
        self.take("=", op::ASSIGN)?;
        self.number()
    }

    /// A variable's name; its token. The "(" of an array belongs to the name.
    fn variable(&mut self) -> Step<Kind> {
        if let Some(token) = self.function_here() {
            self.at += function(token).len();
            return self.fail("a variable (functions have reserved names)");
        }
        let rest = &self.text[self.at..];
        if !rest.first().is_some_and(u8::is_ascii_uppercase) {
            return self.fail("a variable");
        }
        let mut length = rest
            .iter()
            .take_while(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
            .count();
        let kind = match rest.get(length) {
            Some(b'$') => Kind::String,
            Some(b'(') => Kind::Array,
            _ => Kind::Number,
        };
        if kind != Kind::Number {
            length += 1;
        }
        let mut name = rest[..length].to_vec();
        if let Some(last) = name.last_mut() {
            *last |= 0x80;
        }
        let index = match self.names.0.iter().position(|n| *n == name) {
            Some(index) => index,
            None if self.names.0.len() < 128 => {
                self.names.0.push(name);
                self.names.0.len() - 1
            }
            None => return self.fail("no more than 128 variables"),
        };
        self.at += length;
        self.out.push(0x80 | index as u8);
        Ok(kind)
    }

    fn plain_variable(&mut self) -> Step {
        match self.variable()? {
            Kind::Number => Ok(()),
            _ => self.fail("a plain numeric variable"),
        }
    }

    /// The subscripts of a string, if there are any.
    fn subscripts(&mut self) -> Step {
        if self.accept("(") {
            self.out.push(op::OPEN_SUBSCRIPT);
            self.index()?;
        }
        Ok(())
    }

    /// One or two indexes and the closing bracket.
    fn index(&mut self) -> Step {
        self.number()?;
        if self.accept(",") {
            self.out.push(op::COMMA_ARRAY);
            self.number()?;
        }
        self.take(")", op::CLOSE)
    }

    fn string(&mut self) -> Step {
        self.blanks();
        let start = self.at;
        if self.expression()? == Value::String {
            return Ok(());
        }
        self.at = start;
        self.fail("a string")
    }

    /// A numeric expression.
    fn number(&mut self) -> Step {
        self.blanks();
        let start = self.at;
        if self.expression()? == Value::Number {
            return Ok(());
        }
        self.at = start;
        self.fail("a number")
    }

    /// An expression: a string that is not compared with anything, or a number.
    fn expression(&mut self) -> Step<Value> {
        let mut value = self.operand()?;
        loop {
            if value == Value::String {
                let Some((_, token)) = STRING_COMPARISONS
                    .iter()
                    .find(|(name, _)| self.accept(name))
                else {
                    return Ok(Value::String);
                };
                self.out.push(*token);
                if self.operand()? == Value::Number {
                    return self.fail("a string");
                }
            }
            loop {
                let Some((_, token)) = NUMERIC_OPERATORS.iter().find(|(name, _)| self.accept(name))
                else {
                    return Ok(Value::Number);
                };
                self.out.push(*token);
                value = self.operand()?;
                if value == Value::String {
                    break;
                }
            }
            // A string after an operator must be compared.
            if !STRING_COMPARISONS.iter().any(|(name, _)| {
                self.blanks();
                self.text[self.at..].starts_with(name.as_bytes())
            }) {
                return self.fail("a comparison of strings");
            }
        }
    }

    /// One operand with its sign; revision C takes no second one.
    fn operand(&mut self) -> Step<Value> {
        let sign = match self.peek() {
            Some(b'+') => Some((1, op::PLUS_SIGN)),
            Some(b'-') => Some((1, op::MINUS_SIGN)),
            Some(b'N') if self.text[self.at..].starts_with(b"NOT") => Some((3, op::NOT)),
            _ => None,
        };
        if let Some((length, token)) = sign {
            self.at += length;
            self.out.push(token);
        }
        match self.peek() {
            Some(b'0'..=b'9' | b'.') => {
                self.constant()?;
                return Ok(Value::Number);
            }
            Some(b'(') => {
                self.at += 1;
                self.out.push(op::OPEN);
                self.nested(Self::number)?;
                self.take(")", op::CLOSE)?;
                return Ok(Value::Number);
            }
            Some(b'"') => return self.string_constant(),
            None => return self.fail("a value"),
            _ => {}
        }
        if let Some(token) = self.function_here() {
            return self.call(token);
        }
        match self.variable()? {
            Kind::Number => Ok(Value::Number),
            Kind::Array => {
                self.out.push(op::OPEN_ARRAY);
                self.nested(Self::index)?;
                Ok(Value::Number)
            }
            Kind::String => {
                self.nested(Self::subscripts)?;
                Ok(Value::String)
            }
        }
    }

    /// Follows a rule inside brackets; a line has room for 255 tokens, so the depth is limited by that of the ROM's stack.
    fn nested(&mut self, rule: fn(&mut Self) -> Step) -> Step {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.fail("fewer nested brackets");
        }
        rule(self)?;
        self.depth -= 1;
        Ok(())
    }

    /// A string constant, up to a quote or the end of the line.
    fn string_constant(&mut self) -> Step<Value> {
        self.at += 1;
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|&c| c == b'"').unwrap_or(rest.len());
        if length > 255 {
            return self.fail("a string of 255 characters at most");
        }
        self.out.extend_from_slice(&[op::STRING, length as u8]);
        self.as_given(length);
        self.at = (self.at + length + 1).min(self.text.len());
        Ok(Value::String)
    }

    fn constant(&mut self) -> Step {
        self.blanks();
        let Some((value, used)) = number::parse(&self.text[self.at..]) else {
            return self.fail("a number below 1E98");
        };
        self.at += used;
        self.out.push(op::NUMBER);
        self.out.extend_from_slice(&value);
        Ok(())
    }

    /// The function whose name stands here; a longer name that begins like it is a variable's.
    fn function_here(&mut self) -> Option<u8> {
        self.blanks();
        let rest = &self.text[self.at..];
        FUNCTIONS.clone().find(|&t| {
            let name = function(t).as_bytes();
            rest.starts_with(name)
                && !rest
                    .get(name.len())
                    .is_some_and(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
        })
    }

    fn call(&mut self, token: u8) -> Step<Value> {
        self.at += function(token).len();
        self.out.push(token);
        self.take("(", op::OPEN_FUNCTION)?;
        match token {
            op::ASC | op::VAL | op::LEN | op::ADR => self.nested(Self::string)?,
            op::USR => {
                self.nested(Self::number)?;
                while self.accept(",") {
                    self.out.push(op::COMMA_ARRAY);
                    self.nested(Self::number)?;
                }
            }
            _ => self.nested(Self::number)?,
        }
        self.take(")", op::CLOSE)?;
        Ok(if matches!(token, op::STR | op::CHR) {
            Value::String
        } else {
            Value::Number
        })
    }
}

/// Brackets within brackets that the ROM's tokeniser can follow at least.
const DEEPEST: usize = 20;

/// Tokens of functions.
const FUNCTIONS: core::ops::RangeInclusive<u8> = op::STR..=0x54;

fn function(token: u8) -> &'static str {
    OPERATORS
        .get(usize::from(token.wrapping_sub(0x12)))
        .copied()
        .unwrap_or("")
}
