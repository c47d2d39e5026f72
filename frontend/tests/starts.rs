//! A program given on the command line starts by itself within ten seconds, on every machine.
mod common;

use common::{Folder, anticlock, binary};
use frontend::cli::MachineOptions;
use frontend::host::{Found, Host};

/// Where the programs leave a mark.
const MARK: usize = 0x06F0;

/// LDA #$5A, STA MARK, JMP to itself, for this address.
fn code(at: u16) -> Vec<u8> {
    let [low, high] = (at + 5).to_le_bytes();
    vec![
        0xA9,
        0x5A,
        0x8D,
        MARK as u8,
        (MARK >> 8) as u8,
        0x4C,
        low,
        high,
    ]
}

#[test]
fn binaries_listings_saved_programs_and_boot_disks_start_within_600_frames_on_all_models() {
    let folder = Folder::new("starts");
    folder.file("p.xex", &binary(&code(0x2000)));
    let listing = b"10 POKE 1776,90\n20 GOTO 20\n";
    folder.file("p.lst", listing);
    let program = media::basic::Program::tokenize(listing).unwrap();
    folder.file("p.bas", &program.to_save());
    let mut disk = media::atr::Disk::with_geometry(720, 128);
    // Flags, one sector, to $0700, DOSINI; the program begins after them.
    let mut sector = [0; 128];
    sector[..6].copy_from_slice(&[0, 1, 0x00, 0x07, 0x06, 0x07]);
    sector[6..14].copy_from_slice(&code(0x0706));
    assert!(disk.write_sector(1, &sector));
    folder.file("p.atr", &disk.to_bytes());

    for model in ["400", "800", "800xl", "130xe"] {
        for tv in ["ntsc", "pal"] {
            for program in ["p.xex", "p.lst", "p.bas", "p.atr"] {
                let output = anticlock(&folder.0)
                    .args(["headless", program, "--frames", "600", "--ram", "ram.bin"])
                    .args(["--machine", model, "--tv", tv])
                    .output()
                    .unwrap();
                assert!(output.status.success(), "{output:?}");
                let ram = std::fs::read(folder.0.join("ram.bin")).unwrap();
                assert_eq!(ram[MARK], 0x5A, "{program} on the {model}, {tv}");
            }
        }
    }
}

#[test]
fn another_model_and_another_television_keep_disks_that_can_be_written() {
    let folder = Folder::new("another-model");
    let blank = media::atr::Disk::blank(media::atr::Blank::Single);
    let path = folder.file("d.atr", &blank.to_bytes());
    let with_disk = MachineOptions {
        disk: vec![path.clone()],
        ..MachineOptions::default()
    };
    let basic = Found::named("basic".as_ref(), &with_disk).unwrap();
    let disk = Found::file(&path, None).unwrap();
    // A disk beside the program, and a disk that is the program.
    for (options, found) in [(with_disk, basic), (MachineOptions::default(), disk)] {
        let (mut session, mut host) = Host::switch_on(&options, &found).unwrap();
        session.set_model(Some(machine::Model::Xe130));
        session.set_tv(Some(machine::Tv::Pal));
        host.start(&mut session, &options, &found).unwrap();
        let machine = session.machine();
        assert_eq!(machine.config().model, machine::Model::Xe130);
        assert_eq!(machine.config().tv, machine::Tv::Pal);
        assert!(!machine.disk(0).unwrap().write_protected());
        let file = session.file_at(session::Place::Drive(0)).unwrap();
        assert_eq!(file.name, "d.atr");
        assert_eq!(host.notices(), Vec::<String>::new());
    }
}
