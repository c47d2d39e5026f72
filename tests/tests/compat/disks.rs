//! Disks of every form, in every drive.
use super::{FOUND, done};
use machine::{Model, Tv};
use media::atr::Disk;
use session::{Kind, Program, Session, Setup};
use tests::Atari;

/// A boot sector whose program reads sector `sector` (of `size` bytes) of drive `drive` to $2000, and stores its status.
fn boot(drive: u8, sector: u16, size: u16) -> Vec<u8> {
    let [low, high] = sector.to_le_bytes();
    let [size_low, size_high] = size.to_le_bytes();
    let dcb = [
        (0x00, 0x31),
        (0x01, drive),
        (0x02, 0x52),
        (0x03, 0x40),
        (0x04, 0x00),
        (0x05, 0x20),
        (0x06, 0x0F),
        (0x08, size_low),
        (0x09, size_high),
        (0x0A, low),
        (0x0B, high),
    ];
    // One sector to $0700, INIT at a RTS that follows the code.
    let mut code = vec![0x00, 0x01, 0x00, 0x07, 0x00, 0x07];
    for (place, value) in dcb {
        code.extend([0xA9, value, 0x8D, place, 0x03]);
    }
    code.extend([0x20, 0x59, 0xE4]); // JSR SIOV
    code.extend([0x8C, 0x00, 0x06, 0xA9, 0xA5, 0x8D, 0x01, 0x06]); // STY FOUND, DONE
    let here = 0x0700 + code.len() as u16;
    code.extend([0x4C, here as u8, (here >> 8) as u8]);
    assert!(code.len() <= 128);
    code
}

fn check(model: Model, first: Disk, drive: usize, disk: Option<Disk>, sector: usize, what: &str) {
    let mut atari = Atari::new(&tests::config(model, Tv::Ntsc, false));
    atari.machine.set_fast_drives(true);
    let wanted = disk
        .as_ref()
        .unwrap_or(&first)
        .sector(sector)
        .unwrap()
        .to_vec();
    atari.machine.insert_disk(0, first);
    if let Some(disk) = disk {
        atari.machine.insert_disk(drive, disk);
    }
    let atari = done(atari, what);
    assert_eq!(atari.machine.peek(FOUND), 1, "{what}: status");
    let found: Vec<u8> = (0x2000..)
        .take(wanted.len())
        .map(|a| atari.machine.peek(a))
        .collect();
    assert!(found == wanted, "{what}");
}

/// A disk whose last sector is not empty.
fn disk(sectors: usize, size: usize) -> Disk {
    let mut disk = Disk::with_geometry(sectors, size);
    let data: Vec<u8> = (0..size).map(|i| (i * 7 + sectors) as u8).collect();
    assert!(disk.write_sector(sectors, &data));
    disk
}

#[test]
fn floppies_and_hard_disks_boot_and_are_read_to_their_last_sector() {
    for model in [Model::Xl800, Model::Atari800] {
        for (sectors, size) in [
            (720, 128),
            (1040, 128),
            (720, 256),
            (1440, 256),
            (65_535, 128),
            (65_535, 256),
        ] {
            let mut disk = disk(sectors, size);
            disk.write_sector(1, &boot(1, sectors as u16, size as u16));
            check(
                model,
                disk,
                0,
                None,
                sectors,
                &format!("{model:?} {sectors} x {size}"),
            );
        }
    }
}

#[test]
fn sectors_of_512_bytes_are_read_in_any_drive() {
    for drive in [2, 8] {
        let mut first = disk(720, 128);
        first.write_sector(1, &boot(drive, 3000, 512));
        let hard = disk(3000, 512);
        check(
            Model::Xl800,
            first,
            usize::from(drive) - 1,
            Some(hard),
            3000,
            &format!("D{drive}:"),
        );
    }
}

#[test]
fn a_disk_without_a_header_boots() {
    let mut made = disk(720, 128);
    made.write_sector(1, &boot(1, 720, 128));
    let raw = made.to_bytes().split_off(16);
    let disk = Disk::parse(&Disk::atr_of_raw(&raw).unwrap()).unwrap();
    check(Model::Xl800, disk, 0, None, 720, "XFD");
}

/// Disks as in the window: the drive answers at once, which is seen in frames of the Atari, too.
#[test]
fn fast_media_spare_the_times_of_the_drive() {
    let frames = |fast_drives| {
        // 50 sectors to $0700.
        let mut disk = Disk::with_geometry(720, 128);
        let code = [
            0x00, 50, 0x00, 0x07, 0x00, 0x07, 0xA9, 0xA5, 0x8D, 0x01, 0x06, 0x4C, 0x0B, 0x07,
        ];
        assert!(disk.write_sector(1, &code));
        let mut session = Session::new(Setup {
            fast_drives,
            ..Setup::for_program(Program {
                kind: Kind::Disk(disk),
                ..Program::default()
            })
        })
        .unwrap();
        for frame in 0..3000 {
            session.run_frame();
            if session.machine().peek(FOUND + 1) == 0xA5 {
                return frame;
            }
        }
        panic!("not booted:\n{}", session.text());
    };
    let (exact, fast) = (frames(false), frames(true));
    // The bytes still come at 19,200 baud, four frames a sector; what is saved is the disk's turning.
    assert!(fast + 75 < exact, "{fast} frames, exact {exact}");
}
