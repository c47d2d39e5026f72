//! Expectations: the screen, pictures and memory of a machine compared with those of a test.
use super::{End, Judged, Play};
use crate::golden::{self, compare};
use crate::report::Shown;
use crate::stage::Stage;
use crate::step::{Act, Is, rows};
use debugger::basic::{self, Basic, Value};
use debugger::execute;
use host::failure::Failure;
use host::files;
use host::screenshot::png;
use machine::{Frame, Machine};
use session::Kind;
use session::picture::palette;
use std::path::{Path, PathBuf};

/// Bytes of a BASIC variable that are looked at.
const MOST_CHARACTERS: u16 = 4096;

/// Judges an expectation of the moment.
pub fn judge(stage: &mut Stage, act: &Act) -> Judged {
    let screen = || stage.session.text();
    let unless = |so: bool, sentence: String| {
        if so {
            Ok(())
        } else {
            Err((sentence, screen()))
        }
    };
    Ok(match act {
        Act::Text(text) => unless(
            screen().contains(text),
            format!("the screen does not show \"{text}\""),
        ),
        Act::NoText(text) => unless(
            !screen().contains(text),
            format!("the screen shows \"{text}\""),
        ),
        Act::Row(row, wanted) => {
            let all = rows(&screen());
            let got = all.get(*row).map_or("", String::as_str);
            unless(
                got == wanted,
                format!("row {row} of the screen is \"{got}\", not \"{wanted}\""),
            )
        }
        Act::Screen(wanted) => {
            let got = rows(&screen());
            let lines = 0..wanted.len().max(got.len());
            let row = lines
                .into_iter()
                .find(|&row| wanted.get(row) != got.get(row));
            row.map_or(Ok(()), |row| {
                let of = |rows: &[String]| rows.get(row).cloned().unwrap_or_default();
                let (wanted, got) = (of(wanted), of(&got));
                Err((
                    format!("row {row} of the screen is \"{got}\", not \"{wanted}\""),
                    screen(),
                ))
            })
        }
        Act::Expect(expression) => {
            let value = number(stage, expression)?;
            unless_plain(value != 0, || format!("{expression} is not true"))
        }
        Act::Value(expression, wanted) => value(stage, expression, wanted)?,
        Act::Memory(place, wanted) => {
            let at = address(stage, place)?;
            let machine = stage.session.machine();
            let got: Vec<u8> = (0..wanted.len())
                .map(|n| machine.peek(at.wrapping_add(n as u16)))
                .collect();
            bytes(place, wanted, &got)
        }
        Act::Pixel(x, y, wanted) => {
            let got = stage.session.picture().pixels()[y * Frame::WIDTH + x];
            unless_plain(got == *wanted, || {
                format!("the pixel at {x}, {y} has colour ${got:02X}, not ${wanted:02X}")
            })
        }
        // The others run the machine.
        _ => Ok(()),
    })
}

fn unless_plain(so: bool, sentence: impl FnOnce() -> String) -> Result<(), (String, String)> {
    if so {
        Ok(())
    } else {
        Err((sentence(), String::new()))
    }
}

/// The value of a BASIC variable where BASIC runs the program, else the first line of the debugger's answer to `print`.
fn print(stage: &mut Stage, expression: &str) -> Result<String, String> {
    let program = &stage.session.setup().program;
    // Small letters are registers.
    let in_capitals = !expression.bytes().any(|byte| byte.is_ascii_lowercase());
    if in_capitals
        && matches!(program.kind, Kind::Prompt | Kind::Basic(_))
        && let Some(value) = variable(stage.session.machine(), expression.trim())
    {
        // The OS has labels with such names, too.
        return Ok(value);
    }
    let line = format!("print {}", expression.replace(['\n', '\r'], " "));
    let output = execute(&mut stage.debugger, &mut stage.session, &line)
        .map_err(|why| format!("{expression}: {why}"))?;
    Ok(output.lines.into_iter().next().unwrap_or_default())
}

/// The value of a BASIC variable or of an element of an array; of a string its characters.
fn variable(machine: &Machine, name: &str) -> Option<String> {
    let (at, length) = Basic::address_of(machine, name)?;
    let bytes: Vec<u8> = (0..length.min(MOST_CHARACTERS))
        .map(|n| machine.peek(at.wrapping_add(n)))
        .collect();
    if name.ends_with('$') {
        let found = Basic::of(machine)?.variables.into_iter();
        let string = found
            .filter(|known| known.name.eq_ignore_ascii_case(name))
            .find_map(|known| match known.value {
                Value::String(string) => string,
                _ => None,
            })?;
        return Some(media::atascii::to_text(&string.0));
    }
    let bytes = bytes.try_into().ok()?;
    Some(basic::number(bytes).to_string())
}

/// The value of an expression.
pub fn number(stage: &mut Stage, expression: &str) -> Result<i64, String> {
    let answer = print(stage, expression)?;
    let number = answer
        .split_whitespace()
        .next()
        .and_then(|word| word.parse::<f64>().ok());
    let number = number.ok_or_else(|| format!("{expression} is {answer}, which is no number"))?;
    // A fraction is not 0.
    Ok(if number.fract() == 0.0 {
        number as i64
    } else {
        1
    })
}

/// The address of a label, of a line of the source, or the value of an expression.
pub fn address(stage: &mut Stage, place: &str) -> Result<u16, String> {
    if let Some((_, code)) = stage.debugger.sources.place(place)
        && let Some(address) = code.first()
    {
        return Ok(*address);
    }
    let value = number(stage, place)?;
    u16::try_from(value).map_err(|_| format!("{place} is {value}, which is no address"))
}

/// The bytes of `ADDRESS, LENGTH`.
pub fn range(stage: &mut Stage, text: &str) -> Result<Vec<u8>, String> {
    let (place, length) = text
        .rsplit_once(',')
        .ok_or_else(|| format!("\"{text}\" is no range: ADDRESS, LENGTH"))?;
    let at = address(stage, place.trim())?;
    let length = number(stage, length.trim())?;
    let length = u16::try_from(length).map_err(|_| format!("{length} is no length"))?;
    let machine = stage.session.machine();
    Ok((0..length)
        .map(|n| machine.peek(at.wrapping_add(n)))
        .collect())
}

/// Compares bytes.
pub fn bytes(place: &str, wanted: &[u8], got: &[u8]) -> Result<(), (String, String)> {
    let differs = wanted.iter().zip(got).position(|(a, b)| a != b);
    differs.map_or(Ok(()), |n| {
        let sentence = format!(
            "byte {n} of {place} is ${:02X}, not ${:02X}",
            got[n], wanted[n]
        );
        Err((sentence, String::new()))
    })
}

fn value(
    stage: &mut Stage,
    expression: &str,
    wanted: &Is,
) -> Result<Result<(), (String, String)>, End> {
    let answer = print(stage, expression)?;
    let first = answer
        .split_whitespace()
        .next()
        .and_then(|word| word.parse::<f64>().ok());
    let (so, wanted) = match wanted {
        Is::Number(number) => (first == Some(*number as f64), number.to_string()),
        Is::Real(number) => (first == Some(*number), number.to_string()),
        Is::Text(text) => (
            answer == *text || answer.trim_matches('"') == text,
            format!("\"{text}\""),
        ),
    };
    Ok(unless_plain(so, || {
        format!("{expression} is {answer}, not {wanted}")
    }))
}

/// Memory as the processor sees it: 65,536 bytes.
pub fn image(machine: &Machine) -> Vec<u8> {
    (0..=0xFFFF).map(|address| machine.peek(address)).collect()
}

impl Play<'_> {
    /// The last picture as PNG.
    pub fn png(&self) -> Result<Vec<u8>, Failure> {
        let session = &self.stage.session;
        let colours = palette(session.machine().config().tv);
        png(Frame::WIDTH, session.picture().pixels(), &colours)
    }

    /// Compares the picture with a golden one, or writes it.
    pub(super) fn picture(&mut self, path: &Path) -> Judged {
        let name = self.variant.fill(&path.to_string_lossy());
        let path = PathBuf::from(name);
        let difference = golden::beside(&path);
        self.options.fence.check(&path)?;
        self.options.fence.check(&difference)?;
        let now = self.png()?;
        if self.options.bless {
            files::write(&path, &now)?;
            files::remove(&difference)?;
            return Ok(Ok(()));
        }
        if !path.exists() {
            self.show("picture", now);
            let sentence = format!(
                "there is no picture {} yet; --bless writes it",
                path.display()
            );
            return Ok(Err((sentence, String::new())));
        }
        let golden = golden::read(&path)?;
        let pixels = self.stage.session.picture().pixels();
        let Some(found) = compare(&golden, pixels) else {
            return Ok(Ok(()));
        };
        let colours = palette(self.stage.session.machine().config().tv);
        let shown = golden::difference(&golden, pixels, &colours)?;
        files::write(&difference, &shown)?;
        let wanted = png(Frame::WIDTH, &golden, &colours)?;
        self.show("expected", wanted);
        self.show("picture", now);
        self.show("difference", shown);
        let ((x, y), (wanted, got)) = (found.first, found.colours);
        Ok(Err((
            format!(
                "the picture differs from {} in {} pixels, first at {x}, {y}: colour ${got:02X}, not ${wanted:02X}; {} shows where",
                path.display(),
                found.pixels,
                difference.display()
            ),
            String::new(),
        )))
    }

    fn show(&mut self, title: &str, png: Vec<u8>) {
        let title = title.to_owned();
        self.shown.push(Shown { title, png });
    }
}
