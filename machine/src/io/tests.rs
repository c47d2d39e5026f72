//! The serial bus as a program drives it: through registers, cycle by cycle.
use super::*;
use alloc::vec;
use media::atr::{Blank, Disk};
use media::cas::{Block, Tape};

const AUDF3: u8 = 4;
const AUDF4: u8 = 6;
const AUDCTL: u8 = 8;
const SERIN: u8 = 13;
const SEROUT: u8 = 13;
const IRQEN: u8 = 14;
const IRQST: u8 = 14;
const SKCTL: u8 = 15;
const SKSTAT: u8 = 15;
const PACTL: u8 = 2;
const PBCTL: u8 = 3;
const SECOND: u64 = 1_789_773;

/// A computer without a processor.
struct Host {
    io: Io,
    now: u64,
}

impl Host {
    fn new(disk: Option<Disk>) -> Self {
        let mut io = Io::new(Tv::Ntsc);
        if let Some(disk) = disk {
            io.sio.insert_disk(0, disk);
        }
        let mut host = Self { io, now: 1000 };
        host.write(SKCTL, 0);
        host.write(SKCTL, 3);
        host.write(AUDCTL, 0x28);
        host.write(AUDF3, 0x28);
        host.write(AUDF4, 0);
        host.command(false);
        host
    }

    fn step(&mut self) {
        self.now += 1;
        if self.now >= self.io.deadline() {
            self.io.event(self.now);
        }
    }

    fn wait(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.step();
        }
    }

    fn read(&mut self, register: u8) -> u8 {
        self.step();
        self.io.read_pokey(register, self.now)
    }

    fn write(&mut self, register: u8, data: u8) {
        self.step();
        self.io.write_pokey(register, data, self.now);
    }

    fn command(&mut self, low: bool) {
        self.step();
        self.io
            .write_pia(PBCTL, if low { 0x34 } else { 0x3C }, self.now);
    }

    fn send(&mut self, bytes: &[u8]) {
        self.write(SKCTL, 0x23);
        for &byte in bytes {
            self.write(IRQEN, 0);
            self.write(IRQEN, 0x10);
            self.write(SEROUT, byte);
            while self.read(IRQST) & 0x10 != 0 {}
        }
        while self.read(IRQST) & 0x08 != 0 {}
        self.write(IRQEN, 0);
    }

    /// Bytes received, until `count` or a second of silence.
    fn receive(&mut self, count: usize) -> Vec<u8> {
        self.write(SKCTL, 0x13);
        self.write(10, 0);
        let mut bytes = vec![];
        self.write(IRQEN, 0x20);
        let mut last = self.now;
        while bytes.len() < count && self.now < last + SECOND {
            if self.read(IRQST) & 0x20 == 0 {
                self.write(IRQEN, 0);
                self.write(IRQEN, 0x20);
                bytes.push(self.read(SERIN));
                last = self.now;
            }
        }
        bytes
    }

    fn frame(&mut self, device: u8, command: u8, aux: u16) {
        let [aux1, aux2] = aux.to_le_bytes();
        let sum = checksum(&[device, command, aux1, aux2]);
        self.command(true);
        self.wait(1500);
        self.send(&[device, command, aux1, aux2, sum]);
        self.wait(1200);
        self.command(false);
    }
}

fn checksum(bytes: &[u8]) -> u8 {
    let mut sum = 0u16;
    for &b in bytes {
        sum += u16::from(b);
        if sum > 255 {
            sum -= 255;
        }
    }
    sum as u8
}

fn disk() -> Disk {
    let mut disk = Disk::blank(Blank::Single);
    for n in 1..=720 {
        let data: Vec<u8> = (0..128).map(|i| (n * 7 + i * 3) as u8).collect();
        assert!(disk.write_sector(n, &data));
    }
    disk.saved();
    disk
}

#[test]
fn a_sector_is_read_over_the_serial_bus() {
    let mut host = Host::new(Some(disk()));
    for sector in [1, 2, 3, 360, 720] {
        host.frame(0x31, b'R', sector);
        let bytes = host.receive(131);
        let data = disk().sector(usize::from(sector)).unwrap().to_vec();
        assert_eq!(bytes.len(), 131);
        assert_eq!(&bytes[..2], b"AC");
        assert_eq!(&bytes[2..130], data);
        assert_eq!(bytes[130], checksum(&data));
        assert_eq!(
            host.read(SKSTAT) & 0xA0,
            0xA0,
            "no framing error, no overrun"
        );
    }
}

#[test]
fn a_sector_is_written_over_the_serial_bus() {
    let mut host = Host::new(Some(disk()));
    let mut data: Vec<u8> = (0..128).map(|i| i ^ 0x55).collect();
    for command in [b'P', b'W'] {
        data[0] = command;
        host.frame(0x31, command, 100);
        assert_eq!(host.receive(1), b"A");
        host.wait(2000);
        let mut frame = data.clone();
        frame.push(checksum(&data));
        host.send(&frame);
        assert_eq!(host.receive(2), b"AC");
        assert_eq!(host.io.sio.disk(0).unwrap().sector(100).unwrap(), data);
        assert!(host.io.sio.disk(0).unwrap().changed());
    }
}

#[test]
fn a_wrong_checksum_of_the_data_is_refused_and_nothing_written() {
    let mut host = Host::new(Some(disk()));
    host.frame(0x31, b'P', 100);
    assert_eq!(host.receive(1), b"A");
    host.wait(2000);
    host.send(&[0; 128]);
    host.send(&[1]);
    assert_eq!(host.receive(1), b"N");
    assert!(!host.io.sio.disk(0).unwrap().changed());
}

#[test]
fn a_protected_disk_is_not_written() {
    let mut protected = disk();
    protected.set_write_protected(true);
    let mut host = Host::new(Some(protected));
    host.frame(0x31, b'P', 100);
    assert_eq!(host.receive(1), b"A");
    host.wait(2000);
    host.send(&[0; 129]);
    assert_eq!(host.receive(2), b"AE");
    host.frame(0x31, b'S', 0);
    let bytes = host.receive(7);
    assert_eq!(&bytes[..2], b"AC");
    assert_eq!(bytes[2] & 0x08, 0x08);
    assert_eq!(bytes[3] & 0x40, 0);
}

#[test]
fn status_tells_density_and_format_timeout() {
    for (kind, bits, percom) in [
        (Blank::Single, 0x00, [40, 0, 0, 18, 0, 0, 0, 128]),
        (Blank::Enhanced, 0x80, [40, 0, 0, 26, 0, 4, 0, 128]),
        (Blank::Double, 0x20, [40, 0, 0, 18, 0, 4, 1, 0]),
    ] {
        let mut host = Host::new(Some(Disk::blank(kind)));
        host.frame(0x31, b'S', 0);
        let bytes = host.receive(7);
        assert_eq!(&bytes[..2], b"AC");
        assert_eq!(bytes[2] & 0xA0, bits);
        assert_eq!(bytes[4], 0xE0);
        assert_eq!(bytes[6], checksum(&bytes[2..6]));
        host.frame(0x31, 0x4E, 0);
        let bytes = host.receive(15);
        assert_eq!(bytes[2..10], percom);
    }
}

#[test]
fn format_makes_an_empty_disk_and_lists_no_bad_sector() {
    let mut host = Host::new(Some(disk()));
    host.frame(0x31, b'!', 0);
    assert_eq!(host.receive(1), b"A");
    host.wait(17 * SECOND - SECOND / 2);
    let bytes = host.receive(130);
    assert_eq!(bytes[..3], [b'C', 0xFF, 0xFF]);
    assert!(host.io.sio.disk(0).unwrap().changed());
    assert_eq!(host.io.sio.disk(0).unwrap().sector(720).unwrap(), [0; 128]);
}

#[test]
fn unknown_commands_and_sectors_are_refused() {
    let mut host = Host::new(Some(disk()));
    for (command, aux) in [(b'R', 0), (b'R', 721), (b'P', 721), (b'X', 1)] {
        host.frame(0x31, command, aux);
        assert_eq!(host.receive(1), b"N");
    }
}

#[test]
fn skstat_shows_a_drive_s_nak_bit_by_bit_without_any_clock() {
    let mut host = Host::new(Some(disk()));
    host.frame(0x31, b'X', 1);
    host.write(SKCTL, 0x03);
    let limit = host.now + SECOND;
    while host.read(SKSTAT) & 0x10 != 0 {
        assert!(host.now < limit, "no answer");
    }
    // The first sample in the middle of the start bit, then at 94 cycles a bit: 0, the bits of $4E from the lowest, 1.
    host.wait(46);
    let mut bits = vec![];
    for _ in 0..10 {
        bits.push(host.read(SKSTAT) >> 4 & 1);
        host.wait(93);
    }
    assert_eq!(bits, [0, 0, 1, 1, 1, 0, 0, 1, 0, 1]);
}

/// A read of IRQST does not work off what POKEY has to do up to then, unless an interrupt may come in that very cycle.
#[test]
fn irqst_reads_as_that_of_a_chip_brought_up_to_the_cycle() {
    let mut random = 1u64;
    let mut next = |below: u64| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    let mut host = Host::new(None);
    let mut pulses = 0;
    for _ in 0..20_000 {
        match next(16) {
            0 => host.write(next(4) as u8 * 2, next(48) as u8),
            1 => host.write(AUDCTL, [0, 0x28, 0x40, 0x60, 0x50, 0x78][next(6) as usize]),
            2 => host.write(SKCTL, [3, 0x13, 0x23, 0x0B, 0][next(5) as usize]),
            3 => host.write(9, 0),
            4 => host.write(SEROUT, next(256) as u8),
            5 => host.write(next(4) as u8 * 2 + 1, [0, 0xA8, 0x28][next(3) as usize]),
            6..=9 => host.write(IRQEN, [0, 1, 7, 0x1F, 0x3F][next(5) as usize]),
            _ => {}
        }
        for _ in 0..[1, 3, 50][next(3) as usize] {
            host.step();
            let mut exact = host.io.pokey.clone();
            exact.sync_to(host.now);
            let shown = exact.peek(IRQST, host.now);
            pulses += u32::from(host.io.pokey.peek(IRQST, host.now) != shown);
            if next(2) == 0 {
                assert_eq!(host.io.read_pokey(IRQST, host.now), shown, "{}", host.now);
            }
        }
    }
    assert!(pulses > 100, "{pulses}");
}

#[test]
fn nothing_answers_for_a_drive_that_is_off_or_a_frame_that_is_broken() {
    let mut host = Host::new(Some(disk()));
    host.frame(0x32, b'S', 0);
    assert_eq!(host.receive(1), b"");
    host.command(true);
    host.wait(1500);
    host.send(&[0x31, b'S', 0, 0, 0]);
    host.wait(1000);
    host.command(false);
    assert_eq!(host.receive(1), b"");
}

#[test]
fn reading_a_disk_in_order_takes_the_time_of_a_real_drive() {
    let mut host = Host::new(Some(disk()));
    host.frame(0x31, b'R', 1);
    host.receive(131);
    let start = host.now;
    for sector in 2..=19 {
        host.frame(0x31, b'R', sector);
        assert_eq!(host.receive(131).len(), 131);
    }
    // Interleave 9:1 reads a track in nine turns of 208 ms.
    let turns = (host.now - start) as f64 / SECOND as f64 / 0.208_333;
    assert!((8.5..10.5).contains(&turns), "{turns} turns");
}

#[test]
fn a_us_doubler_answers_at_the_speed_of_the_command() {
    let mut host = Host::new(Some(disk()));
    host.frame(0x31, b'?', 0);
    let bytes = host.receive(4);
    assert_eq!(bytes, [b'A', b'C', 10, 10]);
    host.write(AUDF3, 10);
    host.frame(0x31, b'R', 5);
    let bytes = host.receive(131);
    assert_eq!(&bytes[..2], b"AC");
    assert_eq!(&bytes[2..130], disk().sector(5).unwrap());
}

#[test]
fn the_printer_prints_lines() {
    let mut host = Host::new(None);
    for line in ["HELLO", "WORLD"] {
        host.frame(0x40, b'W', u16::from(b'N'));
        assert_eq!(host.receive(1), b"A");
        host.wait(2000);
        let mut data = line.as_bytes().to_vec();
        data.resize(40, 0x9B);
        data.push(checksum(&data));
        host.send(&data);
        assert_eq!(host.receive(2), b"AC");
    }
    assert_eq!(host.io.sio.take_printed(), [b"HELLO\x9B", b"WORLD\x9B"]);
}

#[test]
fn a_command_frame_ends_what_a_device_was_sending() {
    let mut host = Host::new(Some(disk()));
    host.frame(0x31, b'R', 1);
    assert_eq!(host.receive(10).len(), 10);
    host.frame(0x31, b'S', 0);
    assert_eq!(&host.receive(7)[..2], b"AC");
}

impl Host {
    fn motor(&mut self, on: bool) {
        self.step();
        self.io
            .write_pia(PACTL, if on { 0x34 } else { 0x3C }, self.now);
    }

    /// 600 baud: 1,491 cycles for each half of a bit.
    fn tape_speed(&mut self) {
        self.write(AUDF3, 0xCC);
        self.write(AUDF4, 0x05);
    }
}

#[test]
fn a_tape_plays_while_the_motor_runs() {
    let record: Vec<u8> = (0..132u8).map(|i| i.wrapping_mul(7)).collect();
    let block = |gap| Block::Data {
        gap,
        baud: 600,
        bytes: record.clone(),
    };
    // Chunks that the recorder does not hear take no time.
    let unheard = || Block::Other {
        tag: *b"pwms",
        aux: 1,
        bytes: vec![1, 2],
    };
    let mut host = Host::new(None);
    host.motor(false);
    host.io.sio.insert_tape(Tape {
        description: vec![],
        blocks: vec![
            unheard(),
            block(500),
            unheard(),
            unheard(),
            block(300),
            unheard(),
        ],
    });
    host.tape_speed();
    assert_eq!(host.receive(1), b"", "the motor is off");
    for _ in 0..2 {
        host.motor(true);
        assert_eq!(host.receive(132), record);
        assert_eq!(
            host.read(SKSTAT) & 0xA0,
            0xA0,
            "no framing error, no overrun"
        );
        host.motor(false);
        host.wait(SECOND);
    }
    host.motor(true);
    assert_eq!(host.receive(1), b"", "the tape is over");
    assert_eq!(host.io.sio.tape_position(), (2, 2));
}

#[test]
fn a_tape_of_pulses_plays() {
    // $55 at 600 baud: ten bits of 1.67 ms in turn.
    let pulses = [17, 16, 17, 17, 16, 17, 17, 16, 17].to_vec();
    let mut host = Host::new(None);
    host.io.sio.insert_tape(Tape {
        description: vec![],
        blocks: vec![Block::Fsk { gap: 100, pulses }],
    });
    host.tape_speed();
    host.motor(true);
    assert_eq!(host.receive(1), [0x55]);
}

#[test]
fn the_raw_line_shows_the_tape_s_bits() {
    let mut host = Host::new(None);
    let bytes = vec![0x55, 0x55];
    host.io.sio.insert_tape(Tape {
        description: vec![],
        blocks: vec![Block::Data {
            gap: 10,
            baud: 600,
            bytes,
        }],
    });
    host.motor(true);
    let mut edges = vec![];
    let mut level = true;
    for _ in 0..SECOND / 10 {
        let now = host.read(SKSTAT) & 0x10 != 0;
        if now != level {
            level = now;
            edges.push(host.now);
        }
    }
    assert_eq!(edges.len(), 20);
    for pair in edges.windows(2) {
        assert!((pair[1] - pair[0]).abs_diff(SECOND / 600) <= 1);
    }
}

#[test]
fn what_is_recorded_plays_back() {
    let first: Vec<u8> = (0..132u8).map(|i| i.wrapping_mul(3)).collect();
    let second: Vec<u8> = first.iter().map(|b| !b).collect();
    let mut host = Host::new(None);
    host.io.sio.insert_tape(Tape::default());
    host.io.sio.press_record(true);
    host.tape_speed();
    host.motor(true);
    host.wait(SECOND * 3 / 4);
    host.send(&first);
    host.wait(SECOND / 2);
    host.send(&second);
    host.motor(false);
    let Some(
        [
            Block::Data {
                gap: a,
                baud,
                bytes,
            },
            Block::Data { gap: b, .. },
        ],
    ) = host.io.sio.tape().map(|t| &t.blocks[..])
    else {
        panic!("{:?}", host.io.sio.tape());
    };
    assert_eq!(bytes, &first);
    assert!((595..605).contains(baud), "{baud} baud");
    assert!(
        (745..760).contains(a) && (495..510).contains(b),
        "gaps {a} and {b} ms"
    );
    host.io.sio.press_record(false);
    host.io.sio.wind_tape(0);
    host.motor(true);
    assert_eq!(host.receive(132), first);
    assert_eq!(host.receive(132), second);
}

/// The cycle in which timer 1 pulls the IRQ line. In cycle `moved`, before what is due in it, something is done from outside; `heard`: the sound was
/// taken before that.
fn timer_interrupt(moved: Option<u64>, heard: bool, act: fn(&mut Io, u64)) -> u64 {
    let mut host = Host::new(None);
    host.write(0, 20);
    host.write(IRQEN, 1);
    host.write(9, 0);
    for _ in 0..10_000 {
        host.now += 1;
        let now = host.now;
        if moved == Some(now) {
            if heard {
                host.io.pokey.sync_to(now);
            }
            host.io.act_from_outside(now, |io| act(io, now));
        }
        if now >= host.io.deadline() {
            host.io.event(now);
        }
        if host.io.irq_line() {
            return now;
        }
    }
    panic!("no interrupt");
}

#[test]
fn a_key_or_a_tape_that_comes_when_a_timer_ends_does_not_hurry_its_interrupt() {
    let key = |io: &mut Io, now| io.pokey.set_keys(Keys::code(0x21), now);
    let tape = |io: &mut Io, _| io.sio.insert_tape(Tape::default());
    for act in [key, tape] as [fn(&mut Io, u64); 2] {
        let cycle = timer_interrupt(None, false, act);
        for moved in cycle - 3..=cycle {
            for heard in [false, true] {
                let found = timer_interrupt(Some(moved), heard, act);
                assert_eq!(found, cycle, "{moved} {heard}");
            }
        }
    }
}
