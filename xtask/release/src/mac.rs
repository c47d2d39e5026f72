//! One file for both kinds of Mac: a "fat" Mach-O file, which is the files for each processor behind a list of where they are.
use super::compile::{Build, Tools};
use super::{Release, tools};
use std::fs;
use std::path::Path;

/// Magic number of the list; its words are big-endian.
const FAT: u32 = 0xCAFE_BABE;
/// Magic number of a file of 64 bits; its words are little-endian on every Mac.
const THIN: u32 = 0xFEED_FACF;
/// Pages of Apple's own processors have 2 to the power of 14 bytes; each file begins on one.
const ALIGN: u32 = 14;
/// Bytes of the list's head, and of each entry.
const HEAD: usize = 8;
const ENTRY: usize = 20;

/// Processors, as Mach-O numbers them: Intel's and Apple's.
pub const PROCESSORS: [u32; 2] = [0x0100_0007, 0x0100_000C];

/// The builds of something for the two kinds of Mac, in the order of their processors' numbers.
pub const fn both(build: Build, tools: Tools) -> [Build; 2] {
    [
        Build {
            target: "x86_64-apple-darwin",
            tools,
            ..build
        },
        Build {
            target: "aarch64-apple-darwin",
            tools,
            ..build
        },
    ]
}

/// Compiles both builds, and joins them in one file.
///
/// # Errors
/// When one of them does not compile or is no file for its processor.
pub fn universal(release: &Release, builds: &[Build; 2], file: &Path) -> Result<(), String> {
    let mut parts = Vec::new();
    for build in builds {
        let path = build.compile(release)?.stripped;
        parts.push(fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?);
        // The joined file is a program if its parts are.
        tools::copy(&path, file)?;
    }
    tools::write(file, join(&parts)?)
}

/// Joins files for the two processors.
fn join(parts: &[Vec<u8>]) -> Result<Vec<u8>, String> {
    let mut list = FAT.to_be_bytes().to_vec();
    list.extend((parts.len() as u32).to_be_bytes());
    let mut end = HEAD + ENTRY * parts.len();
    for (part, processor) in parts.iter().zip(PROCESSORS) {
        let [magic, kind, variant] = words(part)?;
        if (magic, kind) != (THIN, processor) {
            return Err(format!(
                "a file for processor {processor:X} begins with {magic:X} {kind:X}"
            ));
        }
        let start = end.next_multiple_of(1 << ALIGN);
        end = start + part.len();
        let sizes = [start, part.len()].map(|size| size as u32);
        for word in [kind, variant, sizes[0], sizes[1], ALIGN] {
            list.extend(word.to_be_bytes());
        }
    }
    let mut joined = list;
    for part in parts {
        joined.resize(joined.len().next_multiple_of(1 << ALIGN), 0);
        joined.extend(part);
    }
    Ok(joined)
}

/// The processor that a file is for. `None` for another kind of file, and one for several.
pub fn processor(file: &[u8]) -> Option<u32> {
    let [magic, processor, _] = words(file).ok()?;
    (magic == THIN).then_some(processor)
}

/// The first three words of a file: magic number, processor and its variant.
fn words(file: &[u8]) -> Result<[u32; 3], String> {
    let (words, _) = file.as_chunks::<4>();
    let words = words.first_chunk::<3>();
    words
        .map(|words| words.map(u32::from_le_bytes))
        .ok_or_else(|| "a file for a Mac is empty".to_owned())
}

/// The files in a joined file.
///
/// # Errors
/// When it is not one of both processors.
pub fn parts(joined: &[u8]) -> Result<Vec<&[u8]>, String> {
    let broken = || "no file for both kinds of Mac".to_owned();
    let (words, _) = joined.as_chunks::<4>();
    let word = |n: usize| words.get(n).map(|word| u32::from_be_bytes(*word));
    if word(0) != Some(FAT) || word(1) != Some(PROCESSORS.len() as u32) {
        return Err(broken());
    }
    let part = |(n, processor): (usize, u32)| {
        let entry = (HEAD + n * ENTRY) / 4;
        let (start, size) = (word(entry + 2)? as usize, word(entry + 3)? as usize);
        (word(entry) == Some(processor)).then_some(())?;
        joined.get(start..start.checked_add(size)?)
    };
    let parts = PROCESSORS.into_iter().enumerate().map(part);
    parts.collect::<Option<_>>().ok_or_else(broken)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thin(processor: u32, size: usize) -> Vec<u8> {
        let mut file: Vec<u8> = [THIN, processor, 3].map(u32::to_le_bytes).concat();
        file.resize(size, processor as u8);
        file
    }

    #[test]
    fn a_joined_file_has_each_part_on_a_page_of_its_own() {
        let files = PROCESSORS.map(|processor| thin(processor, 20_000));
        let joined = join(&files).unwrap();
        assert_eq!(parts(&joined).unwrap(), files);
        assert_eq!(joined.len(), (3 << ALIGN) + 20_000);
        // Offset and size of the second.
        assert_eq!(joined[36..44], [0, 0, 0xC0, 0, 0, 0, 0x4E, 0x20]);
    }

    #[test]
    fn a_file_for_another_processor_is_refused() {
        let [intel, apple] = PROCESSORS.map(|processor| thin(processor, 64));
        let error = join(&[apple.clone(), intel.clone()]).unwrap_err();
        assert_eq!(
            error,
            "a file for processor 1000007 begins with FEEDFACF 100000C"
        );
        assert!(join(&[intel, Vec::new()]).is_err());
        assert!(parts(&apple).is_err());
        assert_eq!(processor(&apple), Some(PROCESSORS[1]));
        assert_eq!(processor(b"PK"), None);
    }
}
