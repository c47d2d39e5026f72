//! The tokeniser: one line of text to one tokenised line.
use alloc::string::String;
use alloc::vec::Vec;

use super::number;
use super::tokens::{NUMERIC_OPERATORS, OPERATORS, STATEMENTS, STRING_COMPARISONS, op, statement};

/// The names of a program's variables in the order of their first appearance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(pub Vec<Vec<u8>>);

/// Why a line is refused: what was wanted, and where (byte of the line).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Byte of the line at which nothing fits.
    pub column: usize,
    /// What would have fitted there.
    pub wanted: String,
}

/// A variable's kind, as the end of its name shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    Array,
    String,
}

type Step<T = ()> = Result<T, ()>;

pub(super) struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    out: Vec<u8>,
    names: &'a mut Names,
    furthest: usize,
    wanted: &'static str,
}

/// Tokenises one line without its end mark. Returns the line number and the line's bytes (number, length, statements), or
/// nothing for a line that holds only blanks or a number.
pub(super) fn line(text: &[u8], names: &mut Names) -> Result<Option<(u16, Vec<u8>)>, Refusal> {
    let mut parser = Parser {
        text,
        at: 0,
        out: Vec::new(),
        names,
        furthest: 0,
        wanted: "a line number",
    };
    parser.blanks();
    if parser.at == text.len() {
        return Ok(None);
    }
    let refuse = |parser: &Parser, wanted: &str| Refusal {
        column: parser.at,
        wanted: wanted.into(),
    };
    let Some((value, used)) =
        number::parse(&text[parser.at..]).filter(|_| text[parser.at].is_ascii_digit())
    else {
        return Err(refuse(&parser, "a line number"));
    };
    let Some(number) = number::to_word(&value).filter(|&n| n < 0x8000) else {
        return Err(refuse(&parser, "a line number from 0 to 32767"));
    };
    parser.at += used;
    parser.blanks();
    if parser.at == text.len() {
        return Ok(None);
    }
    parser.out.extend_from_slice(&number.to_le_bytes());
    parser.out.push(0);
    if parser.statements().is_err() {
        return Err(Refusal {
            column: parser.furthest,
            wanted: parser.wanted.into(),
        });
    }
    let length = parser.out.len();
    if length > 255 {
        return Err(Refusal {
            column: text.len(),
            wanted: "a shorter line: its tokens take more than 255 bytes".into(),
        });
    }
    parser.out[2] = length as u8;
    Ok(Some((number, parser.out)))
}

impl Parser<'_> {
    fn fail<T>(&mut self, wanted: &'static str) -> Step<T> {
        if self.at >= self.furthest {
            self.furthest = self.at;
            self.wanted = wanted;
        }
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

    /// Whether the statement that begins at `start` was REM or DATA, which take the rest of the line.
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
    /// statement behind THEN).
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
                self.out.extend_from_slice(&self.text[self.at..]);
                self.out.push(0x9B);
                self.at = self.text.len();
                return Ok(true);
            }
            statement::LET => self.assignment()?,
            statement::IF => return self.if_then(),
            statement::FOR => {
                self.variable(Kind::Number)?;
                self.take("=", op::ASSIGN)?;
                self.number()?;
                self.take("TO", op::TO)?;
                self.number()?;
                if self.accept("STEP") {
                    self.out.push(op::STEP);
                    self.number()?;
                }
            }
            statement::NEXT => self.variable(Kind::Number)?,
            statement::GOTO
            | statement::GO_TO
            | statement::GOSUB
            | statement::TRAP
            | statement::COLOR
            | statement::GRAPHICS => self.number()?,
            statement::PLOT | statement::POSITION | statement::DRAWTO | statement::POKE => {
                self.numbers(2)?
            }
            statement::SETCOLOR => self.numbers(3)?,
            statement::SOUND => self.numbers(4)?,
            statement::RESTORE => {
                if !self.at_end() {
                    self.number()?;
                }
            }
            statement::DIM | statement::COM => self.dimensions()?,
            statement::PRINT | statement::QUESTION => {
                if self.peek() == Some(b'#') {
                    self.channel()?;
                    if self.at_end() {
                        return Ok(false);
                    }
                    if !self.accept_separator() {
                        return self.fail("a comma or semicolon");
                    }
                }
                self.print_list()?;
            }
            statement::LPRINT => self.print_list()?,
            statement::INPUT => {
                if self.peek() == Some(b'#') {
                    self.channel()?;
                    if !self.accept_separator() {
                        return self.fail("a comma or semicolon");
                    }
                }
                self.variable_list()?;
            }
            statement::READ => self.variable_list()?,
            statement::GET | statement::STATUS => {
                self.channel()?;
                self.comma()?;
                self.variable(Kind::Number)?;
            }
            statement::PUT => {
                self.channel()?;
                self.comma()?;
                self.number()?;
            }
            statement::NOTE | statement::POINT => {
                self.channel()?;
                self.comma()?;
                self.variable(Kind::Number)?;
                self.comma()?;
                self.variable(Kind::Number)?;
            }
            statement::CLOSE => self.channel()?,
            statement::OPEN => {
                self.channel()?;
                self.comma()?;
                self.numbers(2)?;
                self.comma()?;
                self.string()?;
            }
            statement::XIO => {
                self.number()?;
                self.comma()?;
                self.channel()?;
                self.comma()?;
                self.numbers(2)?;
                self.comma()?;
                self.string()?;
            }
            statement::LOCATE => {
                self.numbers(2)?;
                self.comma()?;
                self.variable(Kind::Number)?;
            }
            statement::ON => {
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
            }
            statement::LOAD | statement::SAVE | statement::ENTER => self.string()?,
            statement::RUN => {
                if !self.at_end() {
                    self.string()?;
                }
            }
            statement::LIST => self.list()?,
            _ => {}
        }
        Ok(false)
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
        if self.tried(Self::string) {
            if !self.accept(",") {
                return Ok(());
            }
            self.out.push(op::COMMA);
        }
        self.number()?;
        if self.accept(",") {
            self.out.push(op::COMMA);
            self.number()?;
        }
        Ok(())
    }

    /// Tries a rule; when it does not fit, nothing has happened.
    fn tried(&mut self, rule: fn(&mut Self) -> Step) -> bool {
        let (at, length) = (self.at, self.out.len());
        let names = self.names.0.len();
        if rule(self).is_ok() {
            return true;
        }
        self.at = at;
        self.out.truncate(length);
        self.names.0.truncate(names);
        false
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
            self.any()?;
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
            if !self.tried(|p| p.variable(Kind::String)) {
                self.variable(Kind::Number)?;
            }
            if !self.accept(",") {
                return Ok(());
            }
            self.out.push(op::COMMA);
        }
    }

    fn dimensions(&mut self) -> Step {
        loop {
            if self.tried(|p| p.variable(Kind::String)) {
                self.take("(", op::OPEN_DIM_STRING)?;
                self.number()?;
            } else {
                self.variable(Kind::Array)?;
                self.out.push(op::OPEN_DIM_ARRAY);
                self.number()?;
                if self.accept(",") {
                    self.out.push(op::COMMA_ARRAY);
                    self.number()?;
                }
            }
            self.take(")", op::CLOSE)?;
            if !self.accept(",") {
                return Ok(());
            }
            self.out.push(op::COMMA);
        }
    }

    fn assignment(&mut self) -> Step {
        if self.tried(Self::string_variable) {
            self.take("=", op::ASSIGN_STRING)?;
            return self.string();
        }
        if !self.tried(Self::array_element) {
            self.variable(Kind::Number)?;
        }
        self.take("=", op::ASSIGN)?;
        self.number()
    }

    /// A variable's name; its token. The "(" of an array belongs to the name.
    fn variable(&mut self, kind: Kind) -> Step {
        self.blanks();
        let rest = &self.text[self.at..];
        if !rest.first().is_some_and(u8::is_ascii_uppercase) {
            return self.fail("a variable");
        }
        let mut length = rest
            .iter()
            .take_while(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
            .count();
        let found = match rest.get(length) {
            Some(b'$') => Kind::String,
            Some(b'(') => Kind::Array,
            _ => Kind::Number,
        };
        if found != kind {
            return self.fail(match kind {
                Kind::Number => "a numeric variable",
                Kind::Array => "an array",
                Kind::String => "a string variable",
            });
        }
        if kind != Kind::Number {
            length += 1;
        }
        let mut name = rest[..length].to_vec();
        // A function's name followed by "(" is no array.
        if kind == Kind::Array
            && FUNCTIONS
                .clone()
                .any(|t| function(t).as_bytes() == &name[..length - 1])
        {
            return self.fail("a variable");
        }
        if kind == Kind::String && (name == b"STR$" || name == b"CHR$") {
            return self.fail("a variable");
        }
        if let Some(last) = name.last_mut() {
            *last |= 0x80;
        }
        let index = match self.names.0.iter().position(|n| *n == name) {
            Some(index) => index,
            None if self.names.0.len() < 128 => {
                self.names.0.push(name);
                self.names.0.len() - 1
            }
            None => return self.fail("fewer than 129 variables"),
        };
        self.at += length;
        self.out.push(0x80 | index as u8);
        Ok(())
    }

    fn array_element(&mut self) -> Step {
        self.variable(Kind::Array)?;
        self.out.push(op::OPEN_ARRAY);
        self.number()?;
        if self.accept(",") {
            self.out.push(op::COMMA_ARRAY);
            self.number()?;
        }
        self.take(")", op::CLOSE)
    }

    fn string_variable(&mut self) -> Step {
        self.variable(Kind::String)?;
        if self.accept("(") {
            self.out.push(op::OPEN_SUBSCRIPT);
            self.number()?;
            if self.accept(",") {
                self.out.push(op::COMMA_ARRAY);
                self.number()?;
            }
            self.take(")", op::CLOSE)?;
        }
        Ok(())
    }

    fn string(&mut self) -> Step {
        if self.accept("\"") {
            let rest = &self.text[self.at..];
            let length = rest.iter().position(|&c| c == b'"').unwrap_or(rest.len());
            if length > 255 {
                return self.fail("a string of 255 characters at most");
            }
            self.out.extend_from_slice(&[op::STRING, length as u8]);
            self.out.extend_from_slice(&rest[..length]);
            self.at = (self.at + length + 1).min(self.text.len());
            return Ok(());
        }
        for token in [op::STR, op::CHR] {
            if self.accept(function(token)) {
                self.out.push(token);
                self.take("(", op::OPEN_FUNCTION)?;
                self.number()?;
                return self.take(")", op::CLOSE);
            }
        }
        self.string_variable()
    }

    /// A number or a string, for PRINT.
    fn any(&mut self) -> Step {
        if self.tried(|p| {
            p.number()?;
            if p.at_end() || matches!(p.peek(), Some(b',' | b';')) {
                Ok(())
            } else {
                p.fail("an operator or the end of the statement")
            }
        }) {
            return Ok(());
        }
        self.string()
    }

    /// A numeric expression.
    fn number(&mut self) -> Step {
        loop {
            self.operand()?;
            let Some((_, token)) = self.operator() else {
                return Ok(());
            };
            self.out.push(token);
        }
    }

    fn operator(&mut self) -> Option<(&'static str, u8)> {
        NUMERIC_OPERATORS
            .iter()
            .find(|(name, _)| self.accept(name))
            .copied()
    }

    fn operand(&mut self) -> Step {
        loop {
            let token = match self.peek() {
                Some(b'+') => op::PLUS_SIGN,
                Some(b'-') => op::MINUS_SIGN,
                Some(b'N') if self.text[self.at..].starts_with(b"NOT") => {
                    self.at += 2;
                    op::NOT
                }
                _ => break,
            };
            self.at += 1;
            self.out.push(token);
        }
        match self.peek() {
            Some(b'0'..=b'9' | b'.') => return self.constant(),
            Some(b'(') => {
                self.at += 1;
                self.out.push(op::OPEN);
                self.number()?;
                return self.take(")", op::CLOSE);
            }
            None => return self.fail("a value"),
            _ => {}
        }
        if self.tried(Self::comparison) || self.tried(Self::call) || self.tried(Self::array_element)
        {
            return Ok(());
        }
        self.variable(Kind::Number)
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

    fn comparison(&mut self) -> Step {
        self.string()?;
        let Some((_, token)) = STRING_COMPARISONS
            .iter()
            .find(|(name, _)| self.accept(name))
        else {
            return self.fail("a comparison");
        };
        self.out.push(*token);
        self.string()
    }

    fn call(&mut self) -> Step {
        self.blanks();
        let rest = &self.text[self.at..];
        let Some(token) = FUNCTIONS.clone().find(|&t| {
            let name = function(t).as_bytes();
            rest.starts_with(name) && rest[name.len()..].iter().find(|&&c| c != b' ') == Some(&b'(')
        }) else {
            return self.fail("a value");
        };
        self.at += function(token).len();
        self.out.push(token);
        self.take("(", op::OPEN_FUNCTION)?;
        match token {
            op::ASC | op::VAL | op::LEN | op::ADR => self.string()?,
            op::USR => {
                self.number()?;
                while self.accept(",") {
                    self.out.push(op::COMMA_ARRAY);
                    self.number()?;
                }
            }
            _ => self.number()?,
        }
        self.take(")", op::CLOSE)
    }
}

/// Tokens of functions with a numeric result.
const FUNCTIONS: core::ops::RangeInclusive<u8> = op::USR..=0x54;

fn function(token: u8) -> &'static str {
    OPERATORS
        .get(usize::from(token.wrapping_sub(0x12)))
        .copied()
        .unwrap_or("")
}
