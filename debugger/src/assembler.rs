//! One line of 6502 assembly to bytes: for patching memory, and for tests.

use crate::Symbols;
use crate::expression::{Expression, clip};
use cpu6502::opcodes::{Mode, OPCODES, is_documented};

/// Assembles an instruction for an address: `LDA #$0E`, `STA COLBK`, `BNE LOOP`, or bytes: `.BYTE $70,$70`, `.WORD LIST`.
///
/// An operand that fits into a byte takes the page-zero form if the instruction has it.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn assemble(text: &str, address: u16, symbols: &Symbols) -> Result<Vec<u8>, String> {
    let text = text.split(';').next().unwrap_or("").trim();
    let (word, operand) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let (word, operand) = (word.to_ascii_uppercase(), operand.trim());
    if word == ".BYTE" || word == ".WORD" {
        return data(&word, operand, symbols);
    }
    if !is_mnemonic(&word) {
        return Err(format!("there is no instruction \"{}\"", clip(&word)));
    }
    let (mode, text) = split(operand);
    let find = |mode: Mode| {
        let fits = |&code: &u8| {
            let opcode = OPCODES[usize::from(code)];
            opcode.operation.mnemonic() == word && opcode.mode == mode
        };
        (0..=255u8)
            .filter(fits)
            .min_by_key(|&code| !is_documented(code))
    };
    let wrong = || format!("{word} does not take \"{}\"", clip(operand));
    match mode {
        Form::None => {
            let code = find(Mode::Imp).or_else(|| find(Mode::Acc));
            Ok(vec![code.ok_or_else(wrong)?])
        }
        Form::Immediate => {
            let code = find(Mode::Imm).ok_or_else(wrong)?;
            Ok(vec![code, fit(number(text, symbols)?)?])
        }
        Form::Modes(short, long) => {
            let value = number(text, symbols)?;
            if short == Mode::Zp
                && let Some(code) = find(Mode::Rel)
            {
                let distance = value - i64::from(address.wrapping_add(2));
                let distance = i8::try_from(distance as i16)
                    .map_err(|_| "the branch is too far".to_owned())?;
                return Ok(vec![code, distance as u8]);
            }
            let byte = u8::try_from(value).ok();
            if let (Some(code), Some(byte)) = (find(short).filter(|_| short != Mode::Ind), byte) {
                return Ok(vec![code, byte]);
            }
            let code = long.and_then(find).ok_or_else(wrong)?;
            let word = u16::try_from(value).map_err(|_| "an address has 16 bits".to_owned())?;
            let [low, high] = word.to_le_bytes();
            Ok(vec![code, low, high])
        }
    }
}

/// True for the name of an instruction.
pub(crate) fn is_mnemonic(word: &str) -> bool {
    let is = |name: &str| name.eq_ignore_ascii_case(word);
    OPCODES.iter().any(|opcode| is(opcode.operation.mnemonic()))
}

/// The value of a constant expression.
fn number(text: &str, symbols: &Symbols) -> Result<i64, String> {
    let value = Expression::parse(text, symbols)?;
    let constant = value.constant();
    constant.ok_or_else(|| format!("\"{}\" is no constant", clip(text)))
}

/// The bytes of `.BYTE` or `.WORD`.
fn data(word: &str, items: &str, symbols: &Symbols) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for item in items.split(',') {
        let value = number(item, symbols)?;
        if word == ".BYTE" {
            bytes.push(fit(value)?);
        } else {
            let word = u16::try_from(value).map_err(|_| "a word has 16 bits".to_owned())?;
            bytes.extend(word.to_le_bytes());
        }
    }
    Ok(bytes)
}

fn fit(value: i64) -> Result<u8, String> {
    if (-128..256).contains(&value) {
        Ok(value as u8)
    } else {
        Err(format!("{value} does not fit into a byte"))
    }
}

enum Form {
    None,
    Immediate,
    /// With a byte and with a word as operand.
    Modes(Mode, Option<Mode>),
}

/// The form of an operand and the expression in it.
fn split(operand: &str) -> (Form, &str) {
    if operand.is_empty() || operand.eq_ignore_ascii_case("a") {
        return (Form::None, "");
    }
    if let Some(text) = operand.strip_prefix('#') {
        return (Form::Immediate, text);
    }
    let bytes = operand.len();
    let ends = |end: &str| {
        bytes > end.len()
            && operand.is_char_boundary(bytes - end.len())
            && operand[bytes - end.len()..].eq_ignore_ascii_case(end)
    };
    if operand.starts_with('(') {
        if ends(",x)") {
            return (Form::Modes(Mode::IndX, None), &operand[1..bytes - 3]);
        }
        if ends("),y") {
            return (Form::Modes(Mode::IndY, None), &operand[1..bytes - 3]);
        }
        if ends(")") {
            // JMP has no short form.
            return (
                Form::Modes(Mode::Ind, Some(Mode::Ind)),
                &operand[1..bytes - 1],
            );
        }
    }
    if ends(",x") {
        return (
            Form::Modes(Mode::ZpX, Some(Mode::AbsX)),
            &operand[..bytes - 2],
        );
    }
    if ends(",y") {
        return (
            Form::Modes(Mode::ZpY, Some(Mode::AbsY)),
            &operand[..bytes - 2],
        );
    }
    (Form::Modes(Mode::Zp, Some(Mode::Abs)), operand)
}
