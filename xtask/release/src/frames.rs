//! Tables for unwinding, moved out of programs that never unwind: a panic ends them at once. A debugger finds the tables among the symbols, as `.debug_frame`, which is `.eh_frame` without what is there for exceptions. And the program header that is lost on the way.
use super::tools;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Sections of an ELF file that only a program which unwinds reads.
pub const SECTIONS: [&str; 3] = [".eh_frame", ".eh_frame_hdr", ".gcc_except_table"];

/// Encoding of addresses in `.eh_frame`: 32 bits with a sign, from where they are.
const RELATIVE: u8 = 0x1B;
/// What a common information entry of `.debug_frame` has in place of an offset to one.
const COMMON: u32 = 0xFFFF_FFFF;

/// Writes the tables of a program into the file with its symbols.
///
/// # Errors
/// When they are not as x86-64 and aarch64 have them, or objcopy fails.
pub fn keep(objcopy: &str, built: &Path, debug: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", built.display());
    let file = fs::read(built).map_err(failed)?;
    let broken = |what: &str| format!("{}: {what}", built.display());
    let Some((address, tables)) = section(&file, ".eh_frame").map_err(broken)? else {
        return Err(broken("no tables for unwinding"));
    };
    // Some of the C library's are there already.
    let kept = section(&file, ".debug_frame").map_err(broken)?;
    let (option, before) = match kept {
        Some((_, before)) => ("--update-section", before),
        None => ("--add-section", &[][..]),
    };
    let moved = debug.with_extension("frames");
    let tables = convert(tables, address, before.len()).map_err(broken)?;
    tools::write(&moved, [before, &tables].concat())?;
    let section = format!(".debug_frame={}", moved.display());
    tools::run(Command::new(objcopy).args([option, &section]).arg(debug))
}

/// Size of a program header.
const HEADER: usize = 56;
/// Types of program headers: a part that is loaded, the list of headers itself, and what the loader makes read-only after relocation.
const LOAD: u32 = 1;
const LIST: u32 = 6;
const RELRO: u32 = 0x6474_E552;

/// Puts the program header for what is read-only after relocation back into a stripped file: GNU objcopy drops it when it removes a section.
///
/// # Errors
/// When a file is no ELF file of 64 bits, or has no room for the header.
pub fn protect(built: &Path, stripped: &Path) -> Result<(), String> {
    let read = |path: &Path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let protected = restore(&read(built)?, read(stripped)?);
    let protected = protected.map_err(|what| format!("{}: {what}", stripped.display()))?;
    tools::write(stripped, protected)
}

/// The stripped file with the header of the file that it was made from.
fn restore(built: &[u8], mut stripped: Vec<u8>) -> Result<Vec<u8>, &'static str> {
    let (_, before) = headers(built)?;
    let (end, after) = headers(&stripped)?;
    let of_type = |headers: &[Header], kind| headers.iter().find(|one| one.kind == kind).copied();
    let Some(header) = of_type(&before, RELRO) else {
        return Ok(stripped);
    };
    if of_type(&after, RELRO).is_some() {
        return Ok(stripped);
    }
    let loaded = after.iter().filter(|one| one.kind == LOAD);
    let mut offsets = loaded.filter_map(|one| {
        let inside = header.address.checked_sub(one.address)?;
        (inside < one.size).then_some(one.offset + inside)
    });
    let offset = offsets.next().ok_or("what it protects is not loaded")?;
    // The list of headers had one more, and what comes after it was not moved.
    let free = stripped.get(end..end + HEADER);
    if free.is_none_or(|bytes| bytes.iter().any(|&byte| byte != 0)) {
        return Err("there is no room for a program header");
    }
    stripped[end..end + HEADER].copy_from_slice(&built[header.at..header.at + HEADER]);
    stripped[end + 8..end + 16].copy_from_slice(&offset.to_le_bytes());
    let count = after.len() + 1;
    stripped[0x38..0x3A].copy_from_slice(&(count as u16).to_le_bytes());
    if let Some(list) = of_type(&after, LIST) {
        let size = ((count * HEADER) as u64).to_le_bytes();
        // In the file and in memory.
        for field in [0x20, 0x28] {
            stripped[list.at + field..list.at + field + 8].copy_from_slice(&size);
        }
    }
    Ok(stripped)
}

/// A program header: its place in the file, its type, and offset, address and size of what it describes, all in the file.
#[derive(Clone, Copy, Debug)]
struct Header {
    at: usize,
    kind: u32,
    offset: u64,
    address: u64,
    size: u64,
}

/// Where the list of program headers of an ELF file ends, and the headers.
fn headers(file: &[u8]) -> Result<(usize, Vec<Header>), &'static str> {
    let at = |offset: usize| file.get(offset..).map(Bytes).ok_or("it is cut off");
    if at(0)?.take(6)? != b"\x7FELF\x02\x01" {
        return Err("no ELF file of 64 bits, little-endian");
    }
    let list = usize::try_from(at(0x20)?.long()?).map_err(|_| "it is cut off")?;
    let count = (at(0x38)?.word()? & 0xFFFF) as usize;
    let header = |n: usize| {
        let start = list.saturating_add(n * HEADER);
        let kind = at(start)?.word()?;
        let [offset, address, size] = [8, 0x10, 0x20].map(|field| at(start + field)?.long());
        Ok(Header {
            at: start,
            kind,
            offset: offset?,
            address: address?,
            size: size?,
        })
    };
    let headers = (0..count)
        .map(header)
        .collect::<Result<_, &'static str>>()?;
    Ok((list.saturating_add(count * HEADER), headers))
}

/// Little-endian bytes, read one after the other.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], &'static str> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or("it is cut off")?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, &'static str> {
        Ok(self.take(1)?[0])
    }

    fn word(&mut self) -> Result<u32, &'static str> {
        let word = self.take(4)?.first_chunk().copied();
        Ok(word.map_or(0, u32::from_le_bytes))
    }

    fn long(&mut self) -> Result<u64, &'static str> {
        let long = self.take(8)?.first_chunk().copied();
        Ok(long.map_or(0, u64::from_le_bytes))
    }

    /// Bytes up to one that is less than `end`, and that one: a number in base 128, or a text up to its zero.
    fn until(&mut self, end: u8) -> Result<&'a [u8], &'static str> {
        let last = self.0.iter().position(|&byte| byte < end);
        self.take(last.ok_or("it is cut off")? + 1)
    }
}

/// Address and bytes of a section of an ELF file of 64 bits. `None` if there is no such section.
fn section<'a>(file: &'a [u8], name: &str) -> Result<Option<(u64, &'a [u8])>, &'static str> {
    let at = |offset: u64| {
        let rest = usize::try_from(offset).ok().and_then(|at| file.get(at..));
        rest.map(Bytes).ok_or("it is cut off")
    };
    if at(0)?.take(6)? != b"\x7FELF\x02\x01" {
        return Err("no ELF file of 64 bits, little-endian");
    }
    let list = at(0x28)?.long()?;
    let counts = at(0x3C)?.word()?;
    let (count, names) = (u64::from(counts & 0xFFFF), u64::from(counts >> 16));
    // Name, offset in the file, address, size.
    let header = |n: u64| {
        let start = list + n * 64;
        let name = u64::from(at(start)?.word()?);
        let [address, offset, size] = [0x10, 0x18, 0x20].map(|field| at(start + field)?.long());
        Ok::<_, &'static str>((name, offset?, address?, size?))
    };
    let (_, texts, ..) = header(names)?;
    for n in 0..count {
        let (text, offset, address, size) = header(n)?;
        if at(texts + text)?.until(1)?.strip_suffix(&[0]) == Some(name.as_bytes()) {
            let size = usize::try_from(size).map_err(|_| "a section is too large")?;
            return Ok(Some((address, at(offset)?.take(size)?)));
        }
    }
    Ok(None)
}

/// The entries of `.eh_frame` at an address, as `.debug_frame` has them after `base` bytes of its own.
fn convert(tables: &[u8], address: u64, base: usize) -> Result<Vec<u8>, &'static str> {
    let mut rest = Bytes(tables);
    let mut converted: Vec<u8> = Vec::new();
    // Where each common entry was and is, and whether its kind of entry has a length for what exceptions need.
    let mut commons: Vec<(usize, usize, bool)> = Vec::new();
    while !rest.0.is_empty() {
        let length = rest.word()?;
        if length == 0 {
            // Each object file may end its own with one.
            continue;
        }
        let here = tables.len() - rest.0.len();
        let mut entry = Bytes(rest.take(length as usize)?);
        let id = entry.word()? as usize;
        let mut body = Vec::new();
        if id == 0 {
            let (extended, common) = common(&mut entry)?;
            commons.push((here - 4, base + converted.len(), extended));
            body.extend(COMMON.to_le_bytes());
            body.extend(common);
        } else {
            let start = here
                .checked_sub(id)
                .ok_or("an entry without a common one")?;
            let common = commons.iter().find(|(before, ..)| *before == start);
            let &(_, common, extended) = common.ok_or("an entry without a common one")?;
            let place = address + (here + 4) as u64;
            let begin = place.wrapping_add_signed((entry.word()? as i32).into());
            let size = u64::from(entry.word()?);
            if extended {
                let skipped = number(entry.until(0x80)?)?;
                entry.take(skipped)?;
            }
            body.extend((common as u32).to_le_bytes());
            body.extend(begin.to_le_bytes());
            body.extend(size.to_le_bytes());
        }
        body.extend(entry.0);
        // A length and as many bytes, in words of eight; zeros do nothing.
        body.resize((4 + body.len()).next_multiple_of(8) - 4, 0);
        converted.extend((body.len() as u32).to_le_bytes());
        converted.extend(body);
    }
    Ok(converted)
}

/// The head of a common entry without its augmentation, and whether it had one.
fn common(entry: &mut Bytes<'_>) -> Result<(bool, Vec<u8>), &'static str> {
    let version = entry.byte()?;
    if version != 1 {
        return Err("tables for unwinding of an unknown version");
    }
    let augmentation = entry.until(1)?;
    // No augmentation: factors of code and data, register of the return address.
    let mut head = vec![version, 0];
    head.extend(entry.until(0x80)?);
    head.extend(entry.until(0x80)?);
    head.push(entry.byte()?);
    let extended = augmentation.starts_with(b"z");
    let mut encoding = 0;
    if extended {
        let size = number(entry.until(0x80)?)?;
        let mut data = Bytes(entry.take(size)?);
        for letter in &augmentation[1..] {
            match letter {
                b'R' => encoding = data.byte()?,
                b'L' => drop(data.byte()?),
                b'P' => {
                    let form = data.byte()?;
                    data.take(size_of_form(form)?)?;
                }
                // A signal's frame, signed return addresses, the end.
                b'S' | b'B' | 0 => {}
                _ => return Err("tables for unwinding with an unknown augmentation"),
            }
        }
    }
    if encoding == RELATIVE {
        Ok((extended, head))
    } else {
        Err("addresses for unwinding in an unknown form")
    }
}

/// Bytes of an address in this form (`DW_EH_PE_...`, Linux Standard Base Core 5.0, 10.5): 4 in the programs for x86_64, 8 in those for aarch64.
fn size_of_form(form: u8) -> Result<usize, &'static str> {
    match form & 7 {
        0 | 4 => Ok(8),
        2 => Ok(2),
        3 => Ok(4),
        _ => Err("addresses for unwinding in an unknown form"),
    }
}

/// A number in base 128, least digits first.
fn number(digits: &[u8]) -> Result<usize, &'static str> {
    let number = digits.iter().rev().try_fold(0_usize, |number, digit| {
        number
            .checked_mul(0x80)?
            .checked_add(usize::from(digit & 0x7F))
    });
    number.ok_or("a number is too large")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A common entry "zR", an entry for 16 bytes of code 0x100 bytes before it, and the end.
    const TABLES: [u8; 52] = [
        0x14, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 0x10, 1, 0x1B, 0x0C, 7, 8, 0x90, 1,
        0, 0, //
        0x14, 0, 0, 0, 0x1C, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x10, 0, 0, 0, 0, 0x41, 0x0E, 0x10, 0,
        0, 0, 0, //
        0, 0, 0, 0,
    ];

    #[test]
    fn tables_keep_their_instructions_and_lose_what_exceptions_need() {
        let converted = convert(&TABLES, 0x1000, 0x40).unwrap();
        let (common, entry) = converted.split_at(24);
        let head = [20, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 1, 0x78, 0x10];
        assert_eq!(common[..13], head);
        assert_eq!(common[13..], [0x0C, 7, 8, 0x90, 1, 0, 0, 0, 0, 0, 0]);
        // The common entry is after 0x40 bytes of others; the code is 0x100 bytes before the place of its address.
        let mut entry = Bytes(entry);
        assert_eq!((entry.word(), entry.word()), (Ok(28), Ok(0x40)));
        assert_eq!((entry.long(), entry.long()), (Ok(0x0F20), Ok(0x10)));
        assert_eq!(entry.0, [0x41, 0x0E, 0x10, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn a_personality_has_the_size_of_its_form() {
        let head = |form, size: u8| {
            let mut entry = vec![1, b'z', b'P', b'L', b'R', 0, 1, 0x78, 0x1E, size + 3, form];
            entry.resize(entry.len() + usize::from(size), 0x55);
            entry.extend([0x1C, RELATIVE]);
            common(&mut Bytes(&entry))
        };
        let right = Ok((true, vec![1, 0, 1, 0x78, 0x1E]));
        assert_eq!(head(0x9B, 4), right);
        assert_eq!(head(0x9C, 8), right);
        // A number in base 128.
        assert!(head(0x91, 8).is_err());
    }

    #[test]
    fn tables_of_another_form_are_refused() {
        let mut tables = TABLES;
        tables[16] = 0;
        let error = convert(&tables, 0, 0).unwrap_err();
        assert_eq!(error, "addresses for unwinding in an unknown form");
        assert_eq!(convert(&TABLES[..30], 0, 0), Err("it is cut off"));
        tables = TABLES;
        tables[28] = 0x1D;
        assert_eq!(convert(&tables, 0, 0), Err("an entry without a common one"));
        assert!(section(b"MZ", ".eh_frame").is_err());
    }

    /// A file with these program headers, and room for one more.
    fn file(headers: &[[u64; 5]]) -> Vec<u8> {
        let mut file = b"\x7FELF\x02\x01".to_vec();
        file.resize(0x40, 0);
        file[0x20] = 0x40;
        file[0x38] = headers.len() as u8;
        for [kind, offset, address, size, memory] in headers {
            let words = [*kind, *offset, *address, *address, *size, *memory, 1];
            file.extend(words.map(u64::to_le_bytes).concat());
        }
        file.resize(file.len() + HEADER, 0);
        file.resize(0x1000, 0xEE);
        file
    }

    #[test]
    fn a_stripped_file_gets_its_protection_back() {
        let relro = u64::from(RELRO);
        let list = |count: u64| [6, 0x40, 0x40, count * 56, count * 56];
        let built = file(&[
            list(3),
            [1, 0x900, 0x2900, 0x80, 0x90],
            [relro, 0x910, 0x2910, 0x20, 0x30],
        ]);
        let stripped = file(&[list(2), [1, 0x500, 0x2900, 0x80, 0x90]]);
        let expected = file(&[
            list(3),
            [1, 0x500, 0x2900, 0x80, 0x90],
            [relro, 0x510, 0x2910, 0x20, 0x30],
        ]);
        let restored = restore(&built, stripped.clone()).unwrap();
        let end = 0x40 + 3 * HEADER;
        assert_eq!(restored[..end], expected[..end]);
        assert_eq!(restored[end..], stripped[end..]);
        // Nothing is done twice, and nothing that was not there before.
        assert_eq!(restore(&built, restored.clone()).as_ref(), Ok(&restored));
        assert_eq!(restore(&stripped, stripped.clone()).as_ref(), Ok(&stripped));
        let mut full = stripped;
        full[0x40 + 2 * HEADER] = 1;
        let error = restore(&built, full).unwrap_err();
        assert_eq!(error, "there is no room for a program header");
    }

    #[test]
    fn this_programs_own_tables_are_found() {
        let file = fs::read(std::env::current_exe().unwrap()).unwrap();
        let (address, tables) = section(&file, ".eh_frame").unwrap().unwrap();
        assert!(convert(tables, address, 0).unwrap().len() > tables.len());
        assert_eq!(section(&file, ".no_such_section"), Ok(None));
    }
}
