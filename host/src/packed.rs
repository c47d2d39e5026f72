//! Files inside of files: ZIP, GZ, and disks without the header that images have.
use crate::failure::Failure;
use crate::files;
use crate::host::name_of;
use crate::library::order;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use media::atr::Disk;
use media::cas::Tape;
use std::borrow::Cow;
use std::io::{Cursor, Read, Seek, Write};
use std::path::{Path, PathBuf};
use zip::ZipArchive;

/// Nothing for an Atari is longer when it is unpacked: the largest disk.
pub(crate) const LARGEST: u64 = media::atr::LONGEST as u64;
/// Entries of an archive that are looked at.
const ENTRIES: usize = 1000;
/// First bytes of a file that say what it is.
pub(crate) const START: u64 = 0x4000;
/// First bytes of a GZ file.
pub(crate) const GZIP: [u8; 2] = [0x1F, 0x8B];
/// Names in a message.
const NAMED: usize = 8;

/// The form in which a medium's bytes are in its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wrapping {
    /// A disk without a header (XFD).
    raw: bool,
    /// Compressed by gzip.
    gzip: bool,
    /// An entry of a ZIP, which is not written to.
    pub archived: bool,
}

impl Wrapping {
    /// The file of a medium with these bytes.
    pub fn file(self, bytes: &[u8]) -> Vec<u8> {
        let bytes = if self.raw {
            bytes.get(16..).unwrap_or(&[])
        } else {
            bytes
        };
        if !self.gzip {
            return bytes.to_vec();
        }
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        // Writing into memory does not fail.
        let _ = packed.write_all(bytes);
        packed.finish().unwrap_or_default()
    }
}

/// The content of a path.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Its name without folders, archives and `.gz`.
    pub name: String,
    /// Its bytes; those of a disk are always an image with a header, and those of a cassette that is cut off end with a whole chunk.
    pub bytes: Vec<u8>,
    /// Reasons why they were refused.
    pub flaw: Option<String>,
    /// Their form in the file.
    pub wrapping: Wrapping,
}

/// The file a path leads to, and the name of the entry when it leads into an archive.
pub(crate) fn split(path: &Path) -> (PathBuf, Option<String>) {
    if !path.exists() {
        for file in path.ancestors().skip(1) {
            if file.is_file()
                && let Ok(inside) = path.strip_prefix(file)
            {
                let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
                return (file.to_owned(), Some(parts.join("/")));
            }
        }
    }
    (path.to_owned(), None)
}

/// Reads what a path leads to: a file, the only program in an archive, or `ARCHIVE.zip/NAME`.
///
/// # Errors
/// One sentence with the file's name; for an archive with several programs it says what they are called.
pub fn open(path: &Path) -> Result<Opened, Failure> {
    let (file, inside) = split(path);
    let mut opened = Opened {
        name: name_of(&file),
        bytes: files::read(&file)?,
        flaw: None,
        wrapping: Wrapping::default(),
    };
    if is_zip(&opened.bytes) {
        (opened.name, opened.bytes) = entry(&file, &opened.bytes, inside.as_deref())?;
        opened.wrapping.archived = true;
    } else if inside.is_some() {
        return Err(Failure::file(&file, "is a file, and no folder or archive"));
    }
    if opened.bytes.starts_with(&GZIP) {
        let mut bytes = Vec::new();
        GzDecoder::new(&opened.bytes[..])
            .take(LARGEST + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| Failure::file(&file, format!("the GZ file is damaged: {error}")))?;
        if bytes.len() as u64 > LARGEST {
            return Err(Failure::file(
                &file,
                "unpacked it is too large for an Atari",
            ));
        }
        opened.bytes = bytes;
        opened.wrapping.gzip = true;
        opened.name = unpacked_name(&opened.name);
    }
    if let Cow::Owned(image) = Disk::image(&opened.name, &opened.bytes) {
        opened.bytes = image;
        opened.wrapping.raw = true;
    }
    if let Ok((tape, flaw @ Some(_))) = Tape::read(&opened.bytes) {
        opened.bytes = tape.to_bytes();
        opened.flaw = flaw;
    }
    Ok(opened)
}

/// The name that a GZ file has when it is unpacked.
pub(crate) fn unpacked_name(name: &str) -> String {
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return name.to_owned();
    };
    match &ending.to_ascii_lowercase()[..] {
        "atz" => format!("{stem}.atr"),
        "xfz" => format!("{stem}.xfd"),
        "gz" => stem.to_owned(),
        _ => name.to_owned(),
    }
}

/// Names of the programs in an archive; `None` if the file is not an archive.
pub fn programs(path: &Path) -> Option<Vec<String>> {
    let bytes = files::read(path).ok().filter(|bytes| is_zip(bytes))?;
    let names = usable(&mut ZipArchive::new(Cursor::new(&bytes[..])).ok()?);
    Some(names)
}

/// True if this is an archive with more than one program: one has to be chosen.
pub fn holds_several(path: &Path) -> bool {
    programs(path).is_some_and(|names| names.len() > 1)
}

fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// Names of the entries that are of use.
fn usable(archive: &mut ZipArchive<Cursor<&[u8]>>) -> Vec<String> {
    let mut names = Vec::new();
    look_through(archive, |name, start, length| {
        let packed = start.starts_with(&GZIP);
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        if packed || media::is_for_machine(&name, start, length) {
            names.push(name);
        }
    });
    names.sort_by_cached_key(|name| order::key(name));
    names
}

/// Shows the files in an archive: name, first bytes, length.
pub(crate) fn look_through<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    mut see: impl FnMut(String, &[u8], u64),
) {
    for number in 0..archive.len().min(ENTRIES) {
        let Ok(mut entry) = archive.by_index(number) else {
            continue;
        };
        if entry.is_dir() {
            continue;
        }
        let Ok(name) = entry.name().map(std::borrow::Cow::into_owned) else {
            continue;
        };
        let mut start = Vec::new();
        if entry.by_ref().take(START).read_to_end(&mut start).is_ok() {
            see(name, &start, entry.size());
        }
    }
}

/// The entry that is asked for, or the only one of use.
fn entry(path: &Path, bytes: &[u8], asked: Option<&str>) -> Result<(String, Vec<u8>), Failure> {
    let failed = |problem: &dyn std::fmt::Display| {
        Failure::file(path, format!("the ZIP file is damaged: {problem}"))
    };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| failed(&error))?;
    let name = if let Some(asked) = asked {
        asked.to_owned()
    } else {
        let mut names = usable(&mut archive);
        match names.len() {
            0 => {
                return Err(Failure::file(
                    path,
                    "there is nothing for an Atari in the archive",
                ));
            }
            1 => names.remove(0),
            count => {
                let first = names.iter().take(NAMED).cloned().collect::<Vec<_>>();
                let more = if count > NAMED {
                    format!(" and {} more", count - NAMED)
                } else {
                    String::new()
                };
                return Err(Failure::file(
                    path,
                    format!(
                        "holds several programs, add / and the name of one: {}{more}",
                        first.join(", ")
                    ),
                ));
            }
        }
    };
    let entry = archive
        .by_name(&name)
        .map_err(|_| Failure::file(path, format!("there is no {name} in the archive")))?;
    let mut bytes = Vec::new();
    entry
        .take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| failed(&error))?;
    if bytes.len() as u64 > LARGEST {
        return Err(Failure::file(path, "unpacked it is too large for an Atari"));
    }
    let plain = name.rsplit('/').next().unwrap_or(&name).to_owned();
    Ok((plain, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use zip::write::{SimpleFileOptions, ZipWriter};

    const XEX: [u8; 7] = [0xFF, 0xFF, 0, 0x20, 0, 0x20, 0x60];

    fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in entries {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn the_only_program_of_an_archive_is_meant() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.zip");
        fs::write(
            &path,
            zip(&[("README.TXT", b"Hello\n"), ("a/GAME.XEX", &XEX)]),
        )
        .unwrap();
        let opened = open(&path).unwrap();
        assert_eq!(
            (&opened.name[..], &opened.bytes[..]),
            ("GAME.XEX", &XEX[..])
        );
        assert!(opened.wrapping.archived);
        assert_eq!(programs(&path), Some(vec!["a/GAME.XEX".to_owned()]));
        assert!(!holds_several(&path));
    }

    #[test]
    fn what_a_mac_and_a_texts_author_add_to_an_archive_is_no_program() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.zip");
        let raw = vec![7; 92_160];
        for (name, bytes) in [("GAME.XEX", &XEX[..]), ("disk.img", &raw), ("DISK", &raw)] {
            let entries: [(&str, &[u8]); 8] = [
                ("__MACOSX/", &[]),
                ("__MACOSX/g/._GAME.XEX", b"\0\x05\x16\x07Mac OS X"),
                ("g/.DS_Store", b"\0\0\0\x01Bud1"),
                ("g/._GAME.XEX", &XEX),
                ("g/Thumbs.db", &[0xD0, 0xCF, 0x11, 0xE0]),
                ("g/READ.ME", b"1. Insert the disk.\n2. Play.\n"),
                ("g/list.txt", b"1 PLAYER GAME\n"),
                (name, bytes),
            ];
            fs::write(&path, zip(&entries)).unwrap();
            assert_eq!(programs(&path), Some(vec![name.to_owned()]));
            let opened = open(&path).unwrap();
            assert_eq!(opened.name, name);
            assert_eq!(opened.wrapping.raw, name != "GAME.XEX");
        }
        let listing: (&str, &[u8]) = ("A.LST", b"10 PRINT 1\n");
        fs::write(&path, zip(&[listing, ("read.me", b"1. Type RUN.\n")])).unwrap();
        assert_eq!(open(&path).unwrap().name, "A.LST");
    }

    #[test]
    fn a_disk_without_a_header_is_one_under_any_name() {
        let folder = tempfile::tempdir().unwrap();
        for length in [92_160, 133_120, 183_936, 184_320] {
            for name in [
                "disk", "disk.img", "disk.bin", "disk.xex", "disk.atr", "a.dsk.gz",
            ] {
                let wrapping = Wrapping {
                    raw: true,
                    gzip: name == "a.dsk.gz",
                    archived: false,
                };
                let raw: Vec<u8> = (0..length).map(|i| (i / 128) as u8).collect();
                let path = folder.path().join(name);
                fs::write(&path, wrapping.file(&Disk::atr_of_raw(&raw).unwrap())).unwrap();
                let opened = open(&path).unwrap();
                assert_eq!(opened.wrapping, wrapping, "{name}");
                assert!(opened.bytes[16..] == raw, "{name}");
            }
        }
    }

    #[test]
    fn a_cassette_that_is_cut_off_ends_with_a_whole_chunk() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c9_trunc.cas");
        let file = b"FUJI\0\0\0\0data\x84\0\xFA\0some bytes";
        fs::write(&path, file).unwrap();
        let opened = open(&path).unwrap();
        assert!(opened.flaw.unwrap().contains("cut off in its chunk 2"));
        assert_eq!(Tape::read(&opened.bytes).unwrap().1, None);
    }

    #[test]
    fn of_several_one_has_to_be_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("two.zip");
        fs::write(&path, zip(&[("b.xex", &XEX), ("a.xex", &XEX)])).unwrap();
        let error = open(&path).unwrap_err().to_string();
        assert!(error.ends_with("a.xex, b.xex"), "{error}");
        assert_eq!(open(&path.join("b.xex")).unwrap().name, "b.xex");
        assert!(holds_several(&path) && !holds_several(&path.join("b.xex")));
        let error = open(&path.join("c.xex")).unwrap_err().to_string();
        assert!(error.contains("there is no c.xex"), "{error}");
        for length in [10, 40, 100] {
            let cut = &zip(&[("b.xex", &XEX)])[..length];
            fs::write(&path, cut).unwrap();
            assert!(open(&path).is_err());
        }
    }

    #[test]
    fn a_packed_disk_without_a_header_is_written_back_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let raw: Vec<u8> = (0..92_160).map(|i| (i / 128) as u8).collect();
        let plain = Wrapping {
            raw: true,
            ..Wrapping::default()
        };
        for (name, wrapping) in [
            ("disk.xfd", plain),
            (
                "disk.XFZ",
                Wrapping {
                    gzip: true,
                    ..plain
                },
            ),
            (
                "disk.xfd.gz",
                Wrapping {
                    gzip: true,
                    ..plain
                },
            ),
        ] {
            let path = folder.path().join(name);
            let image = Disk::atr_of_raw(&raw).unwrap();
            fs::write(&path, wrapping.file(&image)).unwrap();
            let opened = open(&path).unwrap();
            assert_eq!(opened.wrapping, wrapping);
            assert!(opened.bytes == image, "{name}");
        }
        assert!(plain.file(&Disk::atr_of_raw(&raw).unwrap()) == raw);
    }
}
