//! The token tables of Atari BASIC.

/// Statement names by token; `None` is the implied LET. Searched in this order, also for abbreviations.
pub const STATEMENTS: [&str; 56] = [
    "REM", "DATA", "INPUT", "COLOR", "LIST", "ENTER", "LET", "IF", "FOR", "NEXT", "GOTO", "GO TO",
    "GOSUB", "TRAP", "BYE", "CONT", "COM", "CLOSE", "CLR", "DEG", "DIM", "END", "NEW", "OPEN",
    "LOAD", "SAVE", "STATUS", "NOTE", "POINT", "XIO", "ON", "POKE", "PRINT", "RAD", "READ",
    "RESTORE", "RETURN", "RUN", "STOP", "POP", "?", "GET", "PUT", "GRAPHICS", "PLOT", "POSITION",
    "DOS", "DRAWTO", "SETCOLOR", "LOCATE", "SOUND", "LPRINT", "CSAVE", "CLOAD", "", "ERROR-  ",
];

/// Statement tokens by name.
pub mod statement {
    #![allow(missing_docs)]
    pub const REM: u8 = 0x00;
    pub const DATA: u8 = 0x01;
    pub const INPUT: u8 = 0x02;
    pub const COLOR: u8 = 0x03;
    pub const LIST: u8 = 0x04;
    pub const ENTER: u8 = 0x05;
    pub const LET: u8 = 0x06;
    pub const IF: u8 = 0x07;
    pub const FOR: u8 = 0x08;
    pub const NEXT: u8 = 0x09;
    pub const GOTO: u8 = 0x0A;
    pub const GO_TO: u8 = 0x0B;
    pub const GOSUB: u8 = 0x0C;
    pub const TRAP: u8 = 0x0D;
    pub const CONT: u8 = 0x0F;
    pub const COM: u8 = 0x10;
    pub const CLOSE: u8 = 0x11;
    pub const DIM: u8 = 0x14;
    pub const OPEN: u8 = 0x17;
    pub const LOAD: u8 = 0x18;
    pub const SAVE: u8 = 0x19;
    pub const STATUS: u8 = 0x1A;
    pub const NOTE: u8 = 0x1B;
    pub const POINT: u8 = 0x1C;
    pub const XIO: u8 = 0x1D;
    pub const ON: u8 = 0x1E;
    pub const POKE: u8 = 0x1F;
    pub const PRINT: u8 = 0x20;
    pub const READ: u8 = 0x22;
    pub const RESTORE: u8 = 0x23;
    pub const RUN: u8 = 0x25;
    pub const QUESTION: u8 = 0x28;
    pub const GET: u8 = 0x29;
    pub const PUT: u8 = 0x2A;
    pub const GRAPHICS: u8 = 0x2B;
    pub const PLOT: u8 = 0x2C;
    pub const POSITION: u8 = 0x2D;
    pub const DRAWTO: u8 = 0x2F;
    pub const SETCOLOR: u8 = 0x30;
    pub const LOCATE: u8 = 0x31;
    pub const SOUND: u8 = 0x32;
    pub const LPRINT: u8 = 0x33;
    pub const CSAVE: u8 = 0x34;
    pub const IMPLIED_LET: u8 = 0x36;
    pub const ERROR: u8 = 0x37;
}

/// Operator tokens by name.
pub mod op {
    #![allow(missing_docs)]
    pub const NUMBER: u8 = 0x0E;
    pub const STRING: u8 = 0x0F;
    pub const COMMA: u8 = 0x12;
    pub const COLON: u8 = 0x14;
    pub const SEMICOLON: u8 = 0x15;
    pub const END: u8 = 0x16;
    pub const ON_GOTO: u8 = 0x17;
    pub const ON_GOSUB: u8 = 0x18;
    pub const TO: u8 = 0x19;
    pub const STEP: u8 = 0x1A;
    pub const THEN: u8 = 0x1B;
    pub const HASH: u8 = 0x1C;
    pub const NOT: u8 = 0x28;
    pub const OPEN: u8 = 0x2B;
    pub const CLOSE: u8 = 0x2C;
    pub const ASSIGN: u8 = 0x2D;
    pub const ASSIGN_STRING: u8 = 0x2E;
    pub const PLUS_SIGN: u8 = 0x35;
    pub const MINUS_SIGN: u8 = 0x36;
    pub const OPEN_SUBSCRIPT: u8 = 0x37;
    pub const OPEN_ARRAY: u8 = 0x38;
    pub const OPEN_DIM_ARRAY: u8 = 0x39;
    pub const OPEN_FUNCTION: u8 = 0x3A;
    pub const OPEN_DIM_STRING: u8 = 0x3B;
    pub const COMMA_ARRAY: u8 = 0x3C;
    pub const STR: u8 = 0x3D;
    pub const CHR: u8 = 0x3E;
    pub const USR: u8 = 0x3F;
    pub const ASC: u8 = 0x40;
    pub const VAL: u8 = 0x41;
    pub const LEN: u8 = 0x42;
    pub const ADR: u8 = 0x43;
}

/// The text that LIST prints for the tokens $12 to $54.
pub const OPERATORS: [&str; 0x43] = [
    ",", "$", ":", ";", "", " GOTO ", " GOSUB ", " TO ", " STEP ", " THEN ", "#", "<=", "<>", ">=",
    "<", ">", "=", "^", "*", "+", "-", "/", " NOT ", " OR ", " AND ", "(", ")", "=", "=", "<=",
    "<>", ">=", "<", ">", "=", "+", "-", "(", "", "", "(", "(", ",", "STR$", "CHR$", "USR", "ASC",
    "VAL", "LEN", "ADR", "ATN", "COS", "PEEK", "SIN", "RND", "FRE", "EXP", "LOG", "CLOG", "SQR",
    "SGN", "ABS", "INT", "PADDLE", "STICK", "PTRIG", "STRIG",
];

/// Two-operand operators of numbers, longest name first.
pub const NUMERIC_OPERATORS: [(&str, u8); 13] = [
    ("<=", 0x1D),
    ("<>", 0x1E),
    (">=", 0x1F),
    ("<", 0x20),
    (">", 0x21),
    ("=", 0x22),
    ("^", 0x23),
    ("*", 0x24),
    ("+", 0x25),
    ("-", 0x26),
    ("/", 0x27),
    ("OR", 0x29),
    ("AND", 0x2A),
];

/// Comparisons of strings, longest name first.
pub const STRING_COMPARISONS: [(&str, u8); 6] = [
    ("<=", 0x2F),
    ("<>", 0x30),
    (">=", 0x31),
    ("<", 0x32),
    (">", 0x33),
    ("=", 0x34),
];
