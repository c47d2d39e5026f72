//! The serial bus with drives that leave no gap: ACK at once after the command line, COMPLETE at once after ACK, each byte at once after the
//! one before. Every scan line is tried as the start, because display DMA and the vertical blank come in between.
use machine::{Model, Tv};
use media::atr::Disk;
use tests::calls::{Os, Registers};

const BUFFER: u16 = 0x4000;

/// Bytes of a sector that differ from sector to sector.
fn contents(sector: u16) -> Vec<u8> {
    (0..128u16)
        .map(|i| (i * 7 + sector * 13 + 1) as u8)
        .collect()
}

/// A machine with a disk of [`contents`] in a drive without gaps.
fn os(model: Model, tv: Tv) -> Os {
    let mut os = Os::new(&tests::config(model, tv, false));
    let mut disk = Disk::with_geometry(720, 128);
    for sector in 1..=720 {
        assert!(disk.write_sector(sector, &contents(sector as u16)));
    }
    os.machine.insert_disk(0, disk);
    os.machine.set_fast_drives(true);
    os.machine.set_drive_gaps(0, 0, 0);
    os.poke(0x41, &[0]); // SOUNDR: silent
    os
}

/// A disk request that begins on this scan line: status, and whether the first try did.
fn request(os: &mut Os, command: u8, sector: u16, line: u16) -> (u8, bool) {
    while os.machine.beam().line != line {
        os.machine.step_instruction();
    }
    os.poke(0x0301, &[1, command]);
    os.poke(0x0304, &BUFFER.to_le_bytes());
    os.poke(0x030A, &sector.to_le_bytes());
    let after = os.call(0xE453, Registers::default());
    let xl = os.word(0x0222) == 0xC0E2;
    let [commands, devices] = if xl { [0x029C, 0x02BD] } else { [0x36, 0x37] };
    (after.y, os.peek(commands) == 13 && os.peek(devices) == 1)
}

fn every_line(model: Model, tv: Tv, lines: u16, dmactl: u8) {
    let mut os = os(model, tv);
    os.poke(0x022F, &[dmactl]);
    os.machine.run_frame();
    let mut failed = Vec::new();
    for line in 0..lines {
        let sector = 2 + line;
        os.poke(BUFFER, &[0; 128]);
        let got = request(&mut os, b'R', sector, line);
        let bytes: Vec<u8> = (0..128).map(|i| os.peek(BUFFER + i)).collect();
        if got != (1, true) || bytes != contents(sector) {
            failed.push((line, got));
        }
    }
    assert!(
        failed.is_empty(),
        "{model:?} {tv:?} ${dmactl:02X}: {failed:?}"
    );
}

#[test]
fn sectors_are_read_from_every_scan_line_on_an_xl() {
    every_line(Model::Xl800, Tv::Ntsc, 262, 0x22);
    every_line(Model::Xl800, Tv::Pal, 312, 0x22);
}

#[test]
fn sectors_are_read_from_every_scan_line_on_an_800() {
    every_line(Model::Atari800, Tv::Ntsc, 262, 0x22);
    every_line(Model::Atari800, Tv::Pal, 312, 0x22);
}

/// A wide text screen with players and missiles leaves the processor 374 cycles for each byte.
#[test]
fn sectors_are_read_under_the_widest_display_dma() {
    for model in [Model::Xl800, Model::Atari800] {
        every_line(model, Tv::Ntsc, 262, 0x3F);
        every_line(model, Tv::Pal, 312, 0x3F);
    }
}

#[test]
fn sectors_are_written_without_gaps() {
    for model in [Model::Xl800, Model::Atari800] {
        let mut os = os(model, Tv::Ntsc);
        for line in (0..262).step_by(9) {
            let sector = 300 + line;
            let data: Vec<u8> = contents(sector).iter().map(|b| b ^ 0x55).collect();
            os.poke(BUFFER, &data);
            assert_eq!(
                request(&mut os, b'W', sector, line),
                (1, true),
                "{model:?}, line {line}"
            );
            let disk = os.machine.disk(0).unwrap();
            assert_eq!(disk.sector(usize::from(sector)).unwrap(), &data[..]);
        }
        // Status of the drive: four bytes.
        for line in (0..262).step_by(9) {
            assert_eq!(request(&mut os, b'S', 0, line), (1, true), "line {line}");
            assert_eq!(os.peek(0x02EC), 0xE0);
        }
    }
}
