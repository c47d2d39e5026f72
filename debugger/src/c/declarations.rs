//! Declarations in a C source file, for the types that cc65's debug information leaves out (all of its types are `void`).
//!
//! Reads cc65's C (C89) as far as it says the layout of a variable in memory: base types, pointers, arrays, structs, unions, enums, typedefs and
//! `#define NAME NUMBER`. Declarations that it does not understand are skipped, and the variable has no type then.

use super::types::{Record, Type};
use std::collections::HashMap;

/// Deeper nesting of structs or declarators is not read.
const DEEPEST: u32 = 16;

/// Variables of a source file with their types.
#[derive(Clone, Debug, Default)]
pub(crate) struct Declarations {
    /// Those outside of functions.
    pub(crate) globals: HashMap<String, Type>,
    /// Those of functions, by function.
    pub(crate) functions: HashMap<String, Body>,
    /// Structs and unions by their tags.
    pub(crate) records: HashMap<String, Record>,
}

/// The declarations of a function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    /// Parameters and automatic variables.
    pub(crate) variables: HashMap<String, Type>,
    /// Static variables, those of inner blocks too, in the order of the source.
    pub(crate) statics: Vec<(String, Type)>,
}

/// The words with which a declaration begins.
struct Specifiers {
    kind: Type,
    is_typedef: bool,
    is_static: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    Number(u32),
    Sign(char),
}

impl Declarations {
    pub(crate) fn read(text: &str) -> Self {
        let mut reader = Reader::new(text);
        while reader.at < reader.tokens.len() {
            let before = reader.at;
            reader.outside();
            reader.at = reader.at.max(before + 1);
        }
        reader.found
    }
}

/// Splits a source into tokens; strings and characters are left out, comments and preprocessor lines skipped. `#define NAME NUMBER` is kept apart.
fn tokens(text: &str) -> (Vec<Token>, HashMap<String, u32>) {
    let (mut tokens, mut defines) = (Vec::new(), HashMap::new());
    let mut rest = text;
    let mut line_begins = true;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("/*") {
            rest = after.split_once("*/").map_or("", |(_, rest)| rest);
        } else if rest.starts_with("//") || c == '#' && line_begins {
            let mut words = rest.split('\n').next().unwrap_or("").split_whitespace();
            if words.next() == Some("#define")
                && let (Some(name), Some(value)) = (words.next(), words.next().and_then(number))
            {
                defines.insert(name.to_owned(), value);
            }
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if c == '"' || c == '\'' {
            let mut escaped = false;
            let end = rest[1..].find(|d| {
                let is_end = d == c && !escaped;
                escaped = d == '\\' && !escaped;
                is_end
            });
            rest = end.map_or("", |end| &rest[end + 2..]);
        } else if c.is_ascii_alphanumeric() || c == '_' {
            let end = rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .unwrap_or(rest.len());
            let word = &rest[..end];
            tokens.push(number(word).map_or_else(|| Token::Name(word.to_owned()), Token::Number));
            rest = &rest[end..];
        } else {
            if !c.is_whitespace() {
                tokens.push(Token::Sign(c));
            }
            line_begins = c == '\n' || line_begins && c.is_whitespace();
            rest = &rest[c.len_utf8()..];
            continue;
        }
        line_begins = false;
    }
    (tokens, defines)
}

fn number(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => digits.parse().ok(),
    }
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
    defines: HashMap<String, u32>,
    typedefs: HashMap<String, Type>,
    found: Declarations,
    depth: u32,
    unnamed: u32,
}

impl Reader {
    fn new(text: &str) -> Self {
        let (tokens, defines) = tokens(text);
        let int = |size, signed| Type::Int { size, signed };
        let known = [
            ("uint8_t", int(1, false)),
            ("int8_t", int(1, true)),
            ("uint16_t", int(2, false)),
            ("int16_t", int(2, true)),
            ("uint32_t", int(4, false)),
            ("int32_t", int(4, true)),
            ("size_t", int(2, false)),
        ];
        Self {
            tokens,
            at: 0,
            defines,
            typedefs: known.map(|(name, kind)| (name.to_owned(), kind)).into(),
            found: Declarations::default(),
            depth: 0,
            unnamed: 0,
        }
    }

    fn take(&mut self, sign: char) -> bool {
        let is = self.tokens.get(self.at) == Some(&Token::Sign(sign));
        self.at += usize::from(is);
        is
    }

    fn name(&mut self) -> Option<String> {
        let Some(Token::Name(name)) = self.tokens.get(self.at) else {
            return None;
        };
        let name = name.clone();
        self.at += 1;
        Some(name)
    }

    /// Goes to the end of the part in brackets, the first of which has been taken.
    fn skip_to(&mut self, end: char) {
        let mut depth = 0i32;
        while let Some(token) = self.tokens.get(self.at) {
            self.at += 1;
            match token {
                Token::Sign(c) if *c == end && depth == 0 => return,
                Token::Sign('(' | '[' | '{') => depth += 1,
                Token::Sign(')' | ']' | '}') => depth -= 1,
                _ => {}
            }
        }
    }

    /// A declaration or a function outside of functions.
    fn outside(&mut self) {
        let Some(begins) = self.specifiers() else {
            return;
        };
        loop {
            let Some(declared) = self.declarator(begins.kind.clone()) else {
                return self.skip_to(';');
            };
            if let Some(parameters) = declared.parameters {
                if self.take('{') {
                    let mut body = Body {
                        variables: parameters,
                        statics: Vec::new(),
                    };
                    self.body(&mut body);
                    self.found.functions.insert(declared.name, body);
                    return;
                }
            } else if begins.is_typedef {
                self.typedefs.insert(declared.name, declared.kind);
            } else {
                self.found.globals.insert(declared.name, declared.kind);
            }
            if !self.next_declarator() {
                return;
            }
        }
    }

    /// Passes an initial value; true if another declarator comes.
    fn next_declarator(&mut self) -> bool {
        let mut depth = 0i32;
        while let Some(token) = self.tokens.get(self.at) {
            self.at += 1;
            match token {
                Token::Sign(';') if depth == 0 => return false,
                Token::Sign(',') if depth == 0 => return true,
                Token::Sign('(' | '[' | '{') => depth += 1,
                Token::Sign(')' | ']' | '}') => depth -= 1,
                _ => {}
            }
        }
        false
    }

    /// Declarations of a function's body, whose first brace has been taken.
    fn body(&mut self, body: &mut Body) {
        let mut depth = 1;
        let mut begins = true;
        while depth > 0
            && let Some(token) = self.tokens.get(self.at).cloned()
        {
            if begins {
                let at = self.at;
                if let Some(Specifiers {
                    kind, is_static, ..
                }) = self.specifiers()
                {
                    while let Some(Declared { name, kind, .. }) = self.declarator(kind.clone()) {
                        if is_static {
                            body.statics.push((name, kind));
                        } else {
                            body.variables.entry(name).or_insert(kind);
                        }
                        if !self.next_declarator() {
                            break;
                        }
                    }
                    continue;
                }
                self.at = at;
            }
            self.at += 1;
            begins = matches!(token, Token::Sign('{' | '}' | ';'));
            match token {
                Token::Sign('{') => depth += 1,
                Token::Sign('}') => depth -= 1,
                _ => {}
            }
        }
    }

    /// The words with which a declaration begins.
    fn specifiers(&mut self) -> Option<Specifiers> {
        let (mut is_typedef, mut is_static, mut kind) = (false, false, None);
        let (mut signed, mut size, mut any) = (None, None, false);
        while let Some(Token::Name(word)) = self.tokens.get(self.at) {
            match word.as_str() {
                "typedef" => is_typedef = true,
                "static" => is_static = true,
                "extern" | "const" | "volatile" | "register" | "auto" => {}
                "unsigned" => signed = Some(false),
                "signed" => signed = Some(true),
                "char" => size = Some(1),
                "short" | "int" => size = size.or(Some(2)),
                "long" => size = Some(4),
                "void" => kind = Some(Type::Void),
                "struct" | "union" | "enum" => {
                    let word = word.clone();
                    self.at += 1;
                    kind = Some(self.tagged(&word)?);
                    any = true;
                    continue;
                }
                _ if any || signed.is_some() || size.is_some() || kind.is_some() => break,
                word => match self.typedefs.get(word) {
                    Some(known) => kind = Some(known.clone()),
                    None => return None,
                },
            }
            any |= size.is_some() || signed.is_some() || kind.is_some();
            self.at += 1;
        }
        let plain = any.then(|| Type::Int {
            size: size.unwrap_or(2),
            // cc65's char has no sign.
            signed: signed.unwrap_or(size != Some(1)),
        });
        Some(Specifiers {
            kind: kind.or(plain)?,
            is_typedef,
            is_static,
        })
    }

    /// A struct, union or enum after that word.
    fn tagged(&mut self, word: &str) -> Option<Type> {
        let tag = self.name().unwrap_or_else(|| {
            self.unnamed += 1;
            format!("{word} {}", self.unnamed)
        });
        if !self.take('{') {
            return Some(if word == "enum" {
                Type::Int {
                    size: 2,
                    signed: true,
                }
            } else {
                Type::Record(tag)
            });
        }
        if word == "enum" {
            self.skip_to('}');
            return Some(Type::Int {
                size: 2,
                signed: true,
            });
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut record = Record::default();
        while !self.take('}') {
            let Specifiers { kind, .. } = self.specifiers()?;
            loop {
                let field = self.declarator(kind.clone())?;
                let size = field.kind.size(&self.found.records)?;
                let offset = if word == "union" { 0 } else { record.size };
                record.size = record.size.max(offset.checked_add(size)?);
                record.fields.push((field.name, offset, field.kind));
                if !self.next_declarator() {
                    break;
                }
            }
        }
        self.depth -= 1;
        self.found.records.insert(tag.clone(), record);
        Some(Type::Record(tag))
    }

    /// `*name[3]`, `name(parameters)`, `(*name)(parameters)`.
    fn declarator(&mut self, kind: Type) -> Option<Declared> {
        let mut kind = kind;
        let mut left = DEEPEST;
        while self.take('*') {
            left = left.checked_sub(1)?;
            kind = Type::Pointer(kind.into());
            while matches!(self.tokens.get(self.at), Some(Token::Name(word)) if word == "const" || word == "volatile")
            {
                self.at += 1;
            }
        }
        if self.take('(') {
            // A pointer to a function.
            self.take('*').then_some(())?;
            let name = self.name()?;
            self.skip_to(')');
            self.take('(').then_some(())?;
            self.skip_to(')');
            return Some(Declared {
                name,
                kind: Type::Pointer(Type::Void.into()),
                parameters: None,
            });
        }
        let mut name = self.name()?;
        while matches!(
            name.as_str(),
            "fastcall" | "__fastcall__" | "cdecl" | "__cdecl__"
        ) {
            name = self.name()?;
        }
        if self.take('(') {
            let parameters = Some(self.parameters());
            return Some(Declared {
                name,
                kind,
                parameters,
            });
        }
        let mut sizes = Vec::new();
        while self.take('[') {
            left = left.checked_sub(1)?;
            sizes.push(self.size());
            self.skip_to(']');
        }
        for size in sizes.into_iter().rev() {
            kind = Type::Array(kind.into(), size);
        }
        Some(Declared {
            name,
            kind,
            parameters: None,
        })
    }

    /// The number of elements of an array; 0 where it is not a plain number.
    fn size(&self) -> u16 {
        let size = match self.tokens.get(self.at) {
            Some(Token::Number(size)) => Some(*size),
            Some(Token::Name(name)) => self.defines.get(name).copied(),
            _ => None,
        };
        let ends = self.tokens.get(self.at + 1) == Some(&Token::Sign(']'));
        size.filter(|_| ends)
            .and_then(|size| size.try_into().ok())
            .unwrap_or(0)
    }

    fn parameters(&mut self) -> HashMap<String, Type> {
        let mut parameters = HashMap::new();
        while let Some(Specifiers { kind, .. }) = self.specifiers() {
            let Some(declared) = self.declarator(kind) else {
                break;
            };
            // An array is handed over as its address.
            let kind = match declared.kind {
                Type::Array(element, _) => Type::Pointer(element),
                kind => kind,
            };
            parameters.insert(declared.name, kind);
            if !self.take(',') {
                break;
            }
        }
        self.skip_to(')');
        parameters
    }
}

struct Declared {
    name: String,
    kind: Type,
    /// The parameters of a function.
    parameters: Option<HashMap<String, Type>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_of_all_kinds_are_read() {
        let read = Declarations::read(
            "#define N 20\ntypedef unsigned char byte; /* int no; */\nstruct pt { int x; char name[6]; struct pt *next; };\n\
             static struct pt pts[3], *first = pts; const char *msg = \"a;b\"; unsigned int decade[N][2];\nextern void f(int);\n\
             long add (int a, byte b, char c[]) { int sum = a + b; { long inner; static byte count, room[4] = { 1 }; } static struct pt at; for (;;) { sum = 3; } return sum; }\nbyte last;",
        );
        let int = |size, signed| Type::Int { size, signed };
        assert_eq!(read.records["pt"].size, 10);
        assert_eq!(
            read.globals["pts"],
            Type::Array(Type::Record("pt".into()).into(), 3)
        );
        assert_eq!(read.globals["pts"].size(&read.records), Some(30));
        assert_eq!(
            read.globals["first"],
            Type::Pointer(Type::Record("pt".into()).into())
        );
        assert_eq!(read.globals["msg"], Type::Pointer(int(1, false).into()));
        assert_eq!(read.globals["decade"].size(&read.records), Some(80));
        assert_eq!(read.globals["last"], int(1, false));
        assert!(!read.globals.contains_key("no") && !read.globals.contains_key("f"));
        let add = &read.functions["add"].variables;
        assert_eq!(add["sum"], int(2, true));
        assert_eq!(add["inner"], int(4, true));
        assert_eq!(add["b"], int(1, false));
        assert_eq!(add["c"], Type::Pointer(int(1, false).into()));
        let statics = [
            ("count".to_owned(), int(1, false)),
            ("room".to_owned(), Type::Array(int(1, false).into(), 4)),
            ("at".to_owned(), Type::Record("pt".into())),
        ];
        assert_eq!(read.functions["add"].statics, statics);
    }

    #[test]
    fn odd_sources_end_and_do_not_panic() {
        for text in [
            "struct",
            "int a[",
            "struct a { struct",
            "int (*",
            "x(((",
            "typedef int",
            "int f(int a {",
            "\"",
            "/*",
            "é int ä;",
            "enum { A, B } e;",
        ] {
            Declarations::read(text);
        }
        let deep = "struct {".repeat(10_000);
        Declarations::read(&deep);
    }
}
