//! Cold start, warm start, disk boot and the serial bus.

use machine::{Machine, Model, Tv};
use media::atr::Disk;
use tests::calls::{Os, idle_disk};

fn os(model: Model) -> Os {
    Os::new(&tests::config(model, Tv::Ntsc, false))
}

fn runs_at(machine: &Machine, from: u16, to: u16) -> bool {
    (from..=to).contains(&machine.cpu.pc)
}

/// A disk whose boot program has `count` sectors, loads to $2000, keeps a log at $0600 and ends in a loop at $2020.
/// Its sectors after the first are filled with their numbers.
fn logging_disk(count: u8, fail_first: bool) -> Disk {
    let mut disk = Disk::with_geometry(720, 128);
    for number in 2..=usize::from(count) {
        disk.write_sector(number, &[number as u8; 128]);
    }
    let mut sector = [0; 128];
    sector[..6].copy_from_slice(&[0x5A, count, 0x00, 0x20, 0x40, 0x20]);
    // $2006: INC $0600; DOSVEC = $2020; then CLC, or LSR $0601 (C = 1 the first time); RTS
    sector[6..17].copy_from_slice(&[
        0xEE, 0x00, 0x06, 0xA9, 0x20, 0x85, 0x0A, 0x85, 0x0B, 0x4E, 0x01,
    ]);
    sector[17..19].copy_from_slice(&[0x06, 0x60]);
    if !fail_first {
        sector[15..18].copy_from_slice(&[0x18, 0xEA, 0xEA]);
    }
    // $2020: JMP $2020; $2040: INC $0602; RTS
    sector[0x20..0x23].copy_from_slice(&[0x4C, 0x20, 0x20]);
    sector[0x40..0x44].copy_from_slice(&[0xEE, 0x02, 0x06, 0x60]);
    disk.write_sector(1, &sector);
    disk
}

fn boot(model: Model, disk: Disk, frames: u32) -> Machine {
    let mut machine = Machine::new(&tests::config(model, Tv::Ntsc, false)).unwrap();
    machine.insert_disk(0, disk);
    for _ in 0..frames {
        machine.run_frame();
        if runs_at(&machine, 0x2020, 0x2023) {
            break;
        }
    }
    machine
}

#[test]
fn a_boot_program_of_many_sectors_is_loaded_and_called() {
    for model in [Model::Xl800, Model::Atari800] {
        let machine = boot(model, logging_disk(40, false), 600);
        assert!(
            runs_at(&machine, 0x2020, 0x2023),
            "DOSVEC is entered in the end"
        );
        assert_eq!(machine.peek(0x0600), 1, "load + 6");
        assert_eq!(machine.peek(0x0602), 1, "DOSINI");
        for number in 2..=40u16 {
            assert_eq!(machine.peek(0x2000 + (number - 1) * 128), number as u8);
            assert_eq!(
                machine.peek(0x2000 + (number - 1) * 128 + 127),
                number as u8
            );
        }
        assert_eq!(
            machine.peek(0x0400),
            40,
            "the last sector stays in the buffer"
        );
        assert_eq!(
            (
                machine.peek(0x0240),
                machine.peek_word(0x0242),
                machine.peek_word(0x0C)
            ),
            (0x5A, 0x2000, 0x2040)
        );
        assert_eq!(
            (machine.peek(0x09), machine.peek(0x0244), machine.peek(0x08)),
            (1, 0, 0)
        );
    }
}

#[test]
fn a_boot_program_that_fails_is_reported_and_tried_again() {
    // $0601 is $FF only if the program is made to fail: LSR gives C = 1.
    let mut disk = logging_disk(1, true);
    let mut sector = disk.sector(1).unwrap().to_vec();
    // Instead of LSR $0601: LDA $0600; CMP #2; ROL; EOR #1; LSR; RTS: C = 1 on the first call only.
    sector[15..25].copy_from_slice(&[0xAD, 0x00, 0x06, 0xC9, 0x02, 0x2A, 0x49, 0x01, 0x4A, 0x60]);
    disk.write_sector(1, &sector);
    let machine = boot(Model::Xl800, disk, 600);
    assert!(runs_at(&machine, 0x2020, 0x2023));
    assert_eq!(machine.peek(0x0600), 2);
    assert!(machine.displayed_text().text().contains("BOOT ERROR"));
}

/// A program at $0000 would be loaded over the pointer that loads it.
#[test]
fn a_disk_without_a_boot_sector_is_none_to_boot_from() {
    for (model, basic) in [
        (Model::Xl800, true),
        (Model::Atari800, true),
        (Model::Xl800, false),
        (Model::Atari800, false),
    ] {
        let mut machine = Machine::new(&tests::config(model, Tv::Ntsc, basic)).unwrap();
        machine.insert_disk(0, Disk::with_geometry(720, 128));
        for _ in 0..400 {
            machine.run_frame();
        }
        let text = machine.displayed_text().text();
        assert!(!text.contains("BOOT ERROR"), "{model:?}: {text}");
        assert_eq!(text.contains("READY"), basic, "{model:?}: {text}");
        assert_eq!(machine.peek(0x09), 0, "{model:?}: BOOT");
    }
}

#[test]
fn a_blank_disk_says_so_and_another_one_is_booted_with_a_key() {
    for model in [Model::Xl800, Model::Atari800] {
        let start = |basic| {
            let mut machine = Machine::new(&tests::config(model, Tv::Ntsc, basic)).unwrap();
            let blank = session::blank_disk(media::atr::Blank::Enhanced);
            machine.insert_disk(0, blank);
            for _ in 0..400 {
                machine.run_frame();
            }
            machine
        };
        let text = start(true).displayed_text().text();
        let says = text.find("This disk is blank").unwrap();
        assert!(text[says..].contains("READY"), "{model:?}: {text}");
        let mut machine = start(false);
        let text = machine.displayed_text().text();
        assert!(text.contains("This disk is blank"), "{model:?}: {text}");
        assert!(text.contains("Insert another"), "{model:?}: {text}");
        machine.insert_disk(0, logging_disk(1, false));
        machine.poke(0x02FC, 0x21);
        for _ in 0..400 {
            machine.run_frame();
        }
        assert!(runs_at(&machine, 0x2020, 0x2023), "{model:?}");
    }
}

#[test]
fn reset_is_a_warm_start_that_calls_dosini_and_keeps_memory() {
    for model in [Model::Xl800, Model::Atari800] {
        let mut machine = boot(model, logging_disk(1, false), 600);
        machine.poke(0x4321, 0x77);
        machine.poke(0x0400, 0x66);
        machine.poke(0x52, 9);
        machine.poke(0x02C6, 0);
        machine.reset();
        for _ in 0..200 {
            machine.run_frame();
        }
        assert!(runs_at(&machine, 0x2020, 0x2023));
        assert_eq!(machine.peek(0x08), 0xFF, "WARMST");
        assert_eq!(
            (machine.peek(0x0600), machine.peek(0x0602)),
            (1, 2),
            "DOSINI again, the program not"
        );
        assert_eq!((machine.peek(0x4321), machine.peek(0x0400)), (0x77, 0x66));
        assert_eq!((machine.peek(0x52), machine.peek(0x02C6)), (2, 0x94));
    }
}

#[test]
fn coldst_turns_reset_into_a_cold_start() {
    for model in [Model::Xl800, Model::Atari800] {
        let mut machine = boot(model, logging_disk(1, false), 600);
        machine.poke(0x4321, 0x77);
        machine.poke(0x0244, 1);
        machine.reset();
        for _ in 0..300 {
            machine.run_frame();
        }
        assert_eq!((machine.peek(0x08), machine.peek(0x4321)), (0, 0));
        assert_eq!(machine.peek(0x0600), 1, "booted again over cleared memory");
    }
}

#[test]
fn usr_entries_start_warm_and_cold() {
    let mut os = os(Model::Xl800);
    os.poke(0x4000, &[0x77]);
    assert!(
        os.try_call(0xE474, tests::calls::Registers::default(), 200)
            .is_none()
    );
    assert_eq!((os.peek(0x08), os.peek(0x4000)), (0xFF, 0x77));
    let mut os = self::os(Model::Xl800);
    os.poke(0x4000, &[0x77]);
    assert!(
        os.try_call(0xE477, tests::calls::Registers::default(), 300)
            .is_none()
    );
    assert_eq!((os.peek(0x08), os.peek(0x4000)), (0, 0));
}

#[test]
fn memory_is_sized_with_and_without_basic() {
    let mut machine = Machine::new(&tests::config(Model::Xl800, Tv::Ntsc, true)).unwrap();
    machine.insert_disk(0, idle_disk());
    for _ in 0..30 {
        machine.run_frame();
    }
    let os = os(Model::Xl800);
    assert_eq!(
        (os.peek(0x6A), os.peek(0x02E4), os.peek(0x03F8)),
        (0xC0, 0xC0, 2)
    );
    assert_eq!((os.word(0x02E7), os.word(0x02E5)), (0x0700, 0xBC1F));
    let os = self::os(Model::Atari800);
    assert_eq!((os.peek(0x6A), os.word(0x02E5)), (0xC0, 0xBC1F));
}

#[test]
fn pal_is_noticed() {
    let os = Os::new(&tests::config(Model::Xl800, Tv::Pal, false));
    assert_eq!(
        (os.peek(0x62), os.peek(0x02D9), os.peek(0x02DA)),
        (1, 40, 5)
    );
}

/// A disk request through DSKINV. Returns status, A, C.
fn disk(os: &mut Os, command: u8, sector: u16, buffer: u16, unit: u8) -> (u8, u8, u8) {
    os.poke(0x0301, &[unit, command]);
    os.poke(0x0304, &buffer.to_le_bytes());
    os.poke(0x030A, &sector.to_le_bytes());
    let after = os.call(0xE453, tests::calls::Registers::default());
    assert_eq!(after.y, os.peek(0x0303), "DSTATS");
    assert_eq!(after.p >> 7, after.y >> 7, "N from the status");
    (after.y, after.a, after.p & 1)
}

#[test]
fn sectors_are_read_and_written_at_the_speed_of_the_bus() {
    for model in [Model::Xl800, Model::Atari800] {
        let mut os = os(model);
        for i in 0..128u16 {
            os.poke(0x4000 + i, &[i as u8 ^ 0x5A]);
        }
        assert_eq!(disk(&mut os, b'W', 700, 0x4000, 1), (1, b'W', 1));
        let before = os.machine.now();
        assert_eq!(disk(&mut os, b'R', 700, 0x5000, 1), (1, b'R', 1));
        let cycles = os.machine.now() - before;
        assert!(cycles > 135 * 940, "135 bytes at 940 cycles: {cycles}");
        for i in 0..128u16 {
            assert_eq!(os.peek(0x5000 + i), i as u8 ^ 0x5A);
        }
        assert_eq!(disk(&mut os, b'S', 0, 0, 1).0, 1);
        assert_eq!(os.word(0x0304), 0x02EA, "the status goes to DVSTAT");
        assert!(disk(&mut os, b'R', 721, 0x5000, 1).0 >= 139);
        assert_eq!(disk(&mut os, b'R', 1, 0x5000, 4).0, 138, "no such drive");
        assert_eq!(
            (os.peek(0x42), os.peek(0x10) & 0x38),
            (0, 0),
            "CRITIC and the serial interrupts are off again"
        );
    }
}

#[test]
fn disks_are_formatted_however_long_the_drive_takes() {
    for model in [Model::Xl800, Model::Atari800] {
        for (command, sectors) in [(0x21u8, 720), (0x22, 1040)] {
            let mut os = os(model);
            os.poke(0x0301, &[1, command]);
            os.poke(0x0304, &0x4000u16.to_le_bytes());
            os.poke(0x4000, &[0; 128]);
            let start = os.machine.now();
            let after = os
                .try_call(0xE453, tests::calls::Registers::default(), 3000)
                .expect("the format ends");
            assert_eq!(
                (after.y, os.peek(0x0303)),
                (1, 1),
                "{model:?} ${command:02X}"
            );
            assert!(
                os.machine.now() - start > 15 * 1_789_772,
                "it takes longer than any other command"
            );
            let bad: Vec<u8> = (0..128).map(|i| os.peek(0x4000 + i)).collect();
            assert_eq!(bad, [0xFF; 128], "the list of bad sectors");
            assert_eq!(os.machine.disk_mut(0).unwrap().sectors(), sectors);
        }
    }
}

#[test]
fn break_ends_a_transfer() {
    let mut os = os(Model::Xl800);
    os.poke(0x11, &[0]);
    assert_eq!(disk(&mut os, b'R', 1, 0x5000, 1).0, 128);
    assert_eq!(os.peek(0x11), 0xFF);
    assert_eq!(disk(&mut os, b'R', 1, 0x5000, 1).0, 1);
}

#[test]
fn a_silent_bus_is_silent() {
    let mut os = os(Model::Xl800);
    os.poke(0x41, &[0]);
    let mut heard = Vec::new();
    os.machine.take_sound(&mut heard);
    heard.clear();
    disk(&mut os, b'R', 1, 0x5000, 1);
    os.machine.take_sound(&mut heard);
    assert!(heard.iter().all(|change| change.level == 0));
    os.poke(0x41, &[3]);
    disk(&mut os, b'R', 1, 0x5000, 1);
    os.machine.take_sound(&mut heard);
    assert!(heard.iter().any(|change| change.level != 0));
}

/// An 8K cartridge: INIT stores at $0680 what IOCB 0 was and returns; START loops at $A020 after INC $0681.
fn cartridge(option: u8) -> media::cartridge::Cartridge {
    let mut rom = vec![0; 8192];
    rom[..0x0A].copy_from_slice(&[0xAD, 0x40, 0x03, 0x8D, 0x80, 0x06, 0xEE, 0x82, 0x06, 0x60]);
    rom[0x1D..0x23].copy_from_slice(&[0xEE, 0x81, 0x06, 0x4C, 0x20, 0xA0]);
    rom[0x1FFA..].copy_from_slice(&[0x1D, 0xA0, 0x00, option, 0x00, 0xA0]);
    media::cartridge::Cartridge::from_rom(&rom).unwrap()
}

fn with_cartridge(model: Model, option: u8, disk: Option<Disk>) -> Machine {
    let mut config = tests::config(model, Tv::Ntsc, false);
    config.cartridge = Some(cartridge(option));
    let mut machine = Machine::new(&config).unwrap();
    if let Some(disk) = disk {
        machine.insert_disk(0, disk);
    }
    for _ in 0..300 {
        machine.run_frame();
    }
    machine
}

#[test]
fn a_cartridge_is_initialised_before_the_editor_opens_and_then_started() {
    for model in [Model::Xl800, Model::Atari800] {
        let machine = with_cartridge(model, 4, Some(logging_disk(1, false)));
        assert!(runs_at(&machine, 0xA020, 0xA023));
        assert_eq!(
            (
                machine.peek(0x0680),
                machine.peek(0x0681),
                machine.peek(0x0682)
            ),
            (0xFF, 1, 1)
        );
        assert_eq!(machine.peek(0x0600), 0, "option bit 0 clear: no disk boot");
        assert_eq!((machine.peek(0x06), machine.peek(0x6A)), (1, 0xA0));
    }
}

#[test]
fn a_cartridge_may_ask_for_the_disk() {
    for model in [Model::Xl800, Model::Atari800] {
        let machine = with_cartridge(model, 5, Some(logging_disk(1, false)));
        assert!(runs_at(&machine, 0xA020, 0xA023));
        assert_eq!(machine.peek(0x0600), 1);
        let machine = with_cartridge(model, 1, Some(logging_disk(1, false)));
        assert!(
            runs_at(&machine, 0x2020, 0x2023),
            "option bit 2 clear: the disk's program runs"
        );
    }
}

#[test]
fn a_diagnostic_cartridge_gets_the_machine_at_once() {
    for model in [Model::Xl800, Model::Atari800] {
        let mut diagnostic = cartridge(0x80);
        diagnostic.rom[0x1FFE..].copy_from_slice(&[0x20, 0xA0]);
        let mut config = tests::config(model, Tv::Ntsc, false);
        config.cartridge = Some(diagnostic);
        let mut machine = Machine::new(&config).unwrap();
        machine.run_frame();
        assert!(runs_at(&machine, 0xA020, 0xA023), "within the first frame");
    }
}

#[test]
fn a_basic_program_survives_reset() {
    for model in [Model::Xl800, Model::Atari800] {
        let mut atari = tests::Atari::new(&tests::config(model, Tv::Ntsc, true));
        assert!(atari.wait_for_text("READY", 300));
        atari.type_text("10 PRINT \"STILL HERE\"\nA=5\n");
        atari.machine.reset();
        atari.run(60);
        assert!(atari.wait_for_text("READY", 300));
        atari.type_text("RUN\n");
        assert!(
            atari.wait_for_text("\n  STILL HERE\n", 60),
            "{}",
            atari.text()
        );
        assert_eq!(atari.machine.peek(0x08), 0xFF);
    }
}

#[test]
fn option_keeps_basic_out_and_reset_remembers_it() {
    let config = tests::config(Model::Xl800, Tv::Ntsc, true);
    let mut machine = Machine::new(&config).unwrap();
    machine.input.option = true;
    machine.insert_disk(0, logging_disk(1, false));
    for _ in 0..300 {
        machine.run_frame();
    }
    assert!(runs_at(&machine, 0x2020, 0x2023));
    assert_eq!(
        (
            machine.peek(0x03F8),
            machine.peek(0x6A),
            machine.peek(0xD301) & 2
        ),
        (2, 0xC0, 2)
    );
    machine.input.option = false;
    machine.reset();
    for _ in 0..200 {
        machine.run_frame();
    }
    assert_eq!(
        (
            machine.peek(0x03F8),
            machine.peek(0x6A),
            machine.peek(0xD301) & 2
        ),
        (2, 0xC0, 2)
    );
}

#[test]
fn a_400_with_little_memory_has_its_screen_below_the_top() {
    let os = os(Model::Atari400);
    let top = u16::from(os.peek(0x6A)) << 8;
    assert_eq!(u16::from(os.peek(0x02E4)) << 8, top);
    assert_eq!(
        (os.word(0x58), os.word(0x0230)),
        (top.wrapping_sub(960), top.wrapping_sub(992))
    );
}

/// Interrupt routines for VSERIN ($4100) and VSEROR ($4148) as a DOS brings its own, written from the documented rules: BUFR points to
/// the next byte (output: is advanced first), BFEN one past the end; BUFRFL, then the checksum unless NOCKSM, then RECVDN; at the end
/// of output the checksum, CHKSNT, then the output-complete interrupt. They count their calls at $41F0 and $41F1.
const SERIAL_ROUTINES: [u8; 136] = [
    0x98, 0x48, 0xEE, 0xF0, 0x41, 0xAC, 0x0D, 0xD2, 0xA5, 0x38, 0xD0, 0x2C, 0x98, 0xA0, 0x00, 0x91,
    0x32, 0x18, 0x65, 0x31, 0x69, 0x00, 0x85, 0x31, 0xE6, 0x32, 0xD0, 0x02, 0xE6, 0x33, 0xA5, 0x32,
    0xC5, 0x34, 0xA5, 0x33, 0xE5, 0x35, 0x90, 0x1C, 0xA5, 0x3C, 0xF0, 0x06, 0xA9, 0x00, 0x85, 0x3C,
    0xF0, 0x0E, 0xA9, 0xFF, 0x85, 0x38, 0xD0, 0x0C, 0xC4, 0x31, 0xF0, 0x04, 0xA9, 0x8F, 0x85, 0x30,
    0xA9, 0xFF, 0x85, 0x39, 0x68, 0xA8, 0x68, 0x40, 0x98, 0x48, 0xEE, 0xF1, 0x41, 0xE6, 0x32, 0xD0,
    0x02, 0xE6, 0x33, 0xA5, 0x32, 0xC5, 0x34, 0xA5, 0x33, 0xE5, 0x35, 0x90, 0x1A, 0xA5, 0x3B, 0xD0,
    0x0B, 0xA5, 0x31, 0x8D, 0x0D, 0xD2, 0xA9, 0xFF, 0x85, 0x3B, 0xD0, 0xD8, 0xA5, 0x10, 0x09, 0x08,
    0x85, 0x10, 0x8D, 0x0E, 0xD2, 0xD0, 0xCD, 0xA0, 0x00, 0xB1, 0x32, 0x8D, 0x0D, 0xD2, 0x18, 0x65,
    0x31, 0x69, 0x00, 0x85, 0x31, 0x4C, 0x44, 0x41,
];

#[test]
fn a_dos_may_bring_its_own_serial_interrupt_routines() {
    for model in [Model::Xl800, Model::Atari800] {
        let mut os = os(model);
        os.poke(0x4100, &SERIAL_ROUTINES);
        os.poke(0x41F0, &[0, 0]);
        os.poke(0x020A, &0x4100u16.to_le_bytes());
        os.poke(0x020C, &0x4148u16.to_le_bytes());
        for i in 0..128u16 {
            os.poke(0x4200 + i, &[(i * 7) as u8]);
        }
        assert_eq!(disk(&mut os, b'W', 500, 0x4200, 1).0, 1);
        assert_eq!(disk(&mut os, b'R', 500, 0x4300, 1).0, 1);
        for i in 0..128u16 {
            assert_eq!(os.peek(0x4300 + i), (i * 7) as u8);
        }
        // In: three answers to the write, two to the read, 128 bytes and their checksum. Out: twice five bytes, 128 bytes and a checksum; the
        // first byte of each frame is not theirs, and each frame ends with one more interrupt.
        assert_eq!(
            (os.peek(0x41F0), os.peek(0x41F1)),
            (3 + 2 + 129, 5 + 5 + 129)
        );
    }
}
