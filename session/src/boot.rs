//! Reasons why a disk is not booted.
use media::atr::Disk;
use media::dos2::Dos2;

/// Offset of the byte that says that a boot record of DOS 2 loads DOS.SYS (0: not), before the file's first sector.
const DOS2_FLAG: usize = 14;
/// Bytes of a sector before its number of the next one in DOS 2.
const DOS2_LINK: usize = 125;
/// Sectors of a file that are followed.
const LONGEST: usize = 1440;

/// True for a disk of SpartaDOS, by the table in its first sector (SpartaDOS X manual, chapter 7): $80 at 7, the first sector map of the main
/// directory at 9, the number of sectors at 11.
fn is_sparta(disk: &Disk, first: &[u8]) -> bool {
    let word = |at: usize| usize::from(u16::from_le_bytes([first[at], first[at + 1]]));
    first[7] == 0x80 && (4..=disk.sectors()).contains(&word(9)) && word(11) == disk.sectors()
}

/// Notice about the disk in D1: that can be given before it is booted: nothing on it boots.
pub(crate) fn foreseen(disk: &Disk) -> Option<String> {
    let first = disk.sector(1)?;
    // The first sector map of the file that is booted, 0: none.
    (is_sparta(disk, first) && first[40..42] == [0, 0]).then(sparta)
}

fn sparta() -> String {
    "the disk in D1: is one of SpartaDOS without a DOS to boot: a SpartaDOS X cartridge (--cart FILE) reads it".to_owned()
}

/// The reason why the OS says BOOT ERROR about the disk in D1:, and a remedy.
pub(crate) fn error(disk: &Disk) -> String {
    let Some(first) = disk.sector(1) else {
        return missing(1);
    };
    if is_sparta(disk, first) {
        return sparta();
    }
    let wanted = 1..=usize::from(first[1]);
    if let Some(number) = wanted.clone().find(|&number| disk.sector(number).is_none()) {
        return missing(number);
    }
    if Dos2::new(disk.clone()).is_ok() {
        return match dos_sys(disk, first) {
            Some(number) => missing(number),
            None => "the disk in D1: holds files and no DOS to boot: `anticlock disk dos FILE` puts one on it, or boot a new disk and put this one into D2:".to_owned(),
        };
    }
    "the disk in D1: holds nothing that boots: boot the disk that belongs to it, or a new one, and put this one into D2:".to_owned()
}

fn missing(number: usize) -> String {
    format!("the disk in D1: does not boot: sector {number} is not on it")
}

/// The first sector of DOS.SYS that the disk does not have.
fn dos_sys(disk: &Disk, first: &[u8]) -> Option<usize> {
    if first[DOS2_FLAG] == 0 {
        return None;
    }
    let link = if first[DOS2_FLAG] == 1 {
        DOS2_LINK
    } else {
        DOS2_LINK + 128
    };
    let mut number = usize::from(u16::from_le_bytes([
        first[DOS2_FLAG + 1],
        first[DOS2_FLAG + 2],
    ]));
    for _ in 0..LONGEST {
        if number == 0 {
            return None;
        }
        let Some(sector) = disk.sector(number) else {
            return Some(number);
        };
        let next = sector.get(link..link + 2)?;
        number = usize::from(next[0] & 3) << 8 | usize::from(next[1]);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Session, Setup};
    use media::atr::Blank;
    use media::dos2::Name;

    /// Notices about a disk while it is booted; true if the screen shows BOOT ERROR.
    fn said(disk: &Disk) -> (Vec<String>, bool) {
        let mut setup = Setup::for_file("d.atr", &disk.to_bytes()).unwrap();
        setup.fast_drives = true;
        let mut session = Session::new(setup).unwrap();
        let mut said = Vec::new();
        for _ in 0..900 {
            session.run_frame();
            said.extend(session.take_notice());
        }
        (said, session.text().contains("BOOT ERROR"))
    }

    fn with_file() -> Dos2 {
        let mut dos = Dos2::new(crate::dos_disk(Blank::Single)).unwrap();
        dos.write(Name::parse("A.TXT").unwrap(), b"A").unwrap();
        dos
    }

    #[test]
    fn a_disk_with_files_and_no_dos_says_what_to_do_and_that_works() {
        let mut dos = with_file();
        let whole = dos.disk().clone();
        dos.delete(Name::parse("DOS.SYS").unwrap()).unwrap();
        // Our boot record starts BASIC without a DOS; the boot record of DOS 2 refuses.
        assert_eq!(said(dos.disk()), (Vec::new(), false));
        let mut disk = dos.disk().clone();
        let mut first = [0; 128];
        first[..9].copy_from_slice(&[0, 3, 0, 7, 0x40, 0x15, 0x4C, 0x14, 7]);
        first[0x14..0x16].copy_from_slice(&[0x38, 0x60]);
        disk.write_sector(1, &first);
        let mut dos = Dos2::new(disk).unwrap();
        let (lines, error) = said(dos.disk());
        assert!(error && lines.len() == 1, "{lines:?}");
        assert!(lines[0].contains("no DOS to boot"), "{lines:?}");
        // A DOS on it, as the sentence says.
        crate::add_dos(&mut dos).unwrap();
        assert_eq!(said(dos.disk()), (Vec::new(), false));
        assert_eq!(said(&whole), (Vec::new(), false));
    }

    #[test]
    fn a_sector_that_is_missing_is_named() {
        // DOS.SYS leads beyond the end of the disk.
        let disk = with_file().disk().clone();
        let start = disk.sector(1).unwrap()[15];
        let mut broken = disk.clone();
        let mut sector = disk.sector(usize::from(start)).unwrap().to_vec();
        sector[125] |= 3;
        sector[126] = 0xFF;
        assert!(broken.write_sector(usize::from(start), &sector));
        let number = usize::from(sector[125] & 3) << 8 | 0xFF;
        let (lines, error) = said(&broken);
        let wanted = format!("sector {number} is not on it");
        assert!(
            error && lines.len() == 1 && lines[0].contains(&wanted),
            "{lines:?}"
        );
        // So do the sectors of a boot record.
        let mut short = Disk::with_geometry(2, 128);
        short.write_sector(1, &[0, 5, 0, 7, 0x40, 0x15, 0x4C, 0x40, 0x15]);
        let (lines, error) = said(&short);
        assert!(
            error && lines[0].contains("sector 3 is not on it"),
            "{lines:?}"
        );
    }

    #[test]
    fn a_disk_of_spartados_is_said_to_need_its_cartridge() {
        let mut disk = Disk::blank(Blank::Single);
        // A boot record that refuses, as far as the table goes.
        let mut first = [0; 128];
        first[..9].copy_from_slice(&[0, 3, 0, 0x30, 0x40, 0x07, 0x4C, 0x80, 0x30]);
        first[9..13].copy_from_slice(&[6, 0, 0xD0, 2]);
        first[32] = 0x20;
        for code in [&[0x38, 0x60][..], &[0x4C, 0x30, 0x30]] {
            first[48..48 + code.len()].copy_from_slice(code);
            first[7..9].copy_from_slice(&[0x80, 0x30]);
            disk.write_sector(1, &first);
            let (lines, _) = said(&disk);
            assert!(
                lines.len() == 1 && lines[0].contains("SpartaDOS X"),
                "{lines:?}"
            );
        }
        // A disk with a file to boot gets no notice.
        first[40] = 8;
        disk.write_sector(1, &first);
        assert_eq!(foreseen(&disk), None);
    }

    #[test]
    fn of_other_disks_the_sentence_says_that_nothing_boots() {
        let mut disk = Disk::blank(Blank::Single);
        // SEC, RTS
        disk.write_sector(1, &[0, 1, 0, 7, 0x40, 0x15, 0x38, 0x60]);
        let (lines, error) = said(&disk);
        assert!(error && lines.len() == 1, "{lines:?}");
        assert!(lines[0].contains("holds nothing that boots"), "{lines:?}");
        // Our OS does not boot a blank disk: BASIC begins, and nothing is to be said.
        assert_eq!(said(&Disk::blank(Blank::Single)), (Vec::new(), false));
    }
}
