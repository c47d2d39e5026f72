//! Handlers that peripherals bring with them: polls, the relocating loader, provisionally open IOCBs (XL).

use machine::{Machine, Model, Tv};
use tests::calls::{Os, Registers};
use tests::{Atari, config};

/// A device on the serial bus that answers polls and sends its handler. It stands at SIOV, where the request is complete.
struct Peripheral {
    name: u8,
    address: u8,
    module: Vec<u8>,
    /// Offers itself to type 3 polls until it has been asked this often since the last reset.
    offers: bool,
    offered: bool,
    polls: Vec<[u8; 2]>,
    blocks: Vec<u8>,
}

impl Peripheral {
    fn new(module: Vec<u8>) -> Self {
        Self {
            name: b'Z',
            address: 0x6A,
            module,
            offers: false,
            offered: false,
            polls: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// Serves the request when the processor stands at SIOV and it is for the device.
    fn serve(&mut self, machine: &mut Machine) {
        if machine.cpu.pc != 0xE459 {
            return;
        }
        let dcb: Vec<u8> = (0x0300..0x030C).map(|a| machine.peek(a)).collect();
        let aux = [dcb[10], dcb[11]];
        let answer = match (dcb[0], dcb[2]) {
            (0x4F, 0x40) => {
                self.polls.push(aux);
                match aux {
                    [0x4F, 0x4F] => {
                        self.offered = false;
                        return;
                    }
                    [0, 0] if self.offers && !self.offered => self.offered = true,
                    [name, 1..=9] if name == self.name => {}
                    _ => return,
                }
                vec![0, 1, self.address, 7]
            }
            (address, 0x26) if address == self.address => {
                self.blocks.push(aux[0]);
                let mut block = self.module.clone();
                block.drain(..(usize::from(aux[0]) * 128).min(block.len()));
                block.resize(128, 0x55);
                block
            }
            _ => return,
        };
        assert_eq!(
            (
                dcb[1],
                dcb[3],
                usize::from(u16::from_le_bytes([dcb[8], dcb[9]]))
            ),
            (1, 0x40, answer.len())
        );
        let buffer = u16::from_le_bytes([dcb[4], dcb[5]]);
        for (i, &byte) in answer.iter().enumerate() {
            machine.poke(buffer + i as u16, byte);
        }
        // LDY #1; STY DSTATS; RTS, in a corner of page 6.
        for (i, byte) in [0xA0, 1, 0x8C, 0x03, 0x03, 0x60].into_iter().enumerate() {
            machine.poke(0x06D0 + i as u16, byte);
        }
        machine.cpu.set_pc(0x06D0);
    }
}

/// A handler module. Its section begins with the table; OPEN notes AUX1 at $0690, GET gives what PUT took plus 1, STATUS a constant of its zero page
/// section's address, and its init enters the name in the device table (PHENTV).
fn module(name: u8) -> Vec<u8> {
    let mut text = Vec::new();
    // The table: entries - 1, JMP init, checksum, size, link.
    for entry in [0x20u16, 0x28, 0x30, 0x38, 0x40, 0x48] {
        text.extend((entry - 1).to_le_bytes());
    }
    text.extend([0x4C, 0x50, 0x00, 0, 0, 0, 0, 0]);
    text.resize(0x20, 0);
    text.extend([0xA5, 0x2A, 0x8D, 0x90, 0x06, 0xA0, 1, 0x60]); // open: LDA ICAX1Z; STA $0690; LDY #1; RTS
    text.extend([0xEE, 0x91, 0x06, 0xA0, 1, 0x60, 0, 0]); // close: INC $0691
    text.extend([0xAE, 0x60, 0x00, 0xE8, 0x8A, 0xA0, 1, 0x60]); // get: LDX store; INX; TXA
    text.extend([0x8D, 0x60, 0x00, 0xA0, 1, 0x60, 0, 0]); // put: STA store
    text.extend([0xA9, 0x02, 0x8D, 0xEA, 0x02, 0xA0, 1, 0x60]); // status: LDA #zero page + 2; STA DVSTAT
    text.extend([0xA0, 146, 0x60, 0, 0, 0, 0, 0]); // special
    text.extend([0xA2, name, 0xA9, 0x00, 0xA0, 0x00, 0x4C, 0x86, 0xE4]); // init: LDX #name; LDA #>table; LDY #<table; JMP PHENTV
    text.resize(0x61, 0);
    let mut file = vec![0x00, (text.len() + 2) as u8, 0, 0];
    file.extend(text);
    file.extend([0x06, 9, 0, 2, 4, 6, 8, 10, 13, 0x31, 0x39]); // words
    file.extend([0x02, 1, 0x55]); // low byte: LDY #<table
    file.extend([0x08, 2, 0x53, 0x00]); // high byte: LDA #>table
    file.extend([0x04, 1, 0x41]); // zero page address
    file.extend([0x0A, 5, 0xC0, 0x06, 0x11, 0x22, 0x33]); // absolute text at $06C0
    file.extend([0x01, 4, 2, 0, 0x99, 0x98]); // zero page text at its section + 2
    file.extend([0x0B, 0, 0, 0]);
    file
}

fn xl() -> Os {
    Os::new(&config(Model::Xl800, Tv::Ntsc, false))
}

/// A CIO command on IOCB 1: status and A.
fn cio(os: &mut Os, device: &mut Peripheral, command: u8, a: u8) -> (u8, u8) {
    os.poke(0x0352, &[command]);
    os.poke(0x0358, &[0, 0]);
    let registers = Registers {
        a,
        x: 16,
        ..Registers::default()
    };
    let after = os
        .try_call_with(0xE456, registers, 600, |machine| device.serve(machine))
        .unwrap();
    (after.y, after.a)
}

fn open(os: &mut Os, device: &mut Peripheral, name: &[u8], load: u8) -> u8 {
    os.poke(0x0600, name);
    os.poke(0x0354, &[0x00, 0x06]);
    os.poke(0x035A, &[12, 0]);
    os.poke(0x02E9, &[load]);
    cio(os, device, 3, 0).0
}

/// The handler is at `base`, relocated.
fn assert_loaded(os: &Os, base: u16) {
    for (entry, offset) in [0x1F, 0x27, 0x2F, 0x37, 0x3F, 0x47].into_iter().enumerate() {
        assert_eq!(os.word(base + 2 * entry as u16), base + offset);
    }
    assert_eq!(os.word(base + 13), base + 0x50);
    assert_eq!(os.word(base + 0x31), base + 0x60);
    assert_eq!(os.peek(base + 0x41), 0x82, "zero page section at $80");
    assert_eq!([os.peek(0x82), os.peek(0x83)], [0x99, 0x98]);
    assert_eq!([os.peek(0x06C0), os.peek(0x06C2)], [0x11, 0x33]);
    assert_eq!(os.word(base + 16), 0x62, "its size, made even");
    assert_eq!(os.word(0x03FB), base, "CHLINK");
    assert_eq!((os.peek(0x0329), os.word(0x032A)), (b'Z', base));
}

#[test]
fn open_loads_the_handler_of_an_unknown_device_when_the_program_wants_it() {
    let mut os = xl();
    let mut device = Peripheral::new(module(b'Z'));
    os.poke(0x02E7, &0x3001u16.to_le_bytes());
    assert_eq!(open(&mut os, &mut device, b"Z3:\x9B", 1), 1);
    assert_eq!(device.polls, [[b'Z', 3]]);
    assert_eq!(device.blocks, [0, 1]);
    assert_loaded(&os, 0x3002);
    assert_eq!(os.word(0x02E7), 0x3064, "MEMLO");
    assert_eq!(
        (os.peek(0x0350), os.peek(0x0351), os.peek(0x0690)),
        (15, 3, 12),
        "handler, unit, AUX1"
    );
    assert_eq!(os.word(0x0356), 0x3002 + 0x37, "PUT vector");
    assert_eq!(os.peek(0x02E9), 0, "HNDLOD");
    assert_eq!(cio(&mut os, &mut device, 11, 0x40).0, 1);
    assert_eq!(cio(&mut os, &mut device, 7, 0), (1, 0x41));
    assert_eq!(cio(&mut os, &mut device, 13, 0).0, 1);
    assert_eq!(os.peek(0x02EA), 0x82);
    assert_eq!(cio(&mut os, &mut device, 12, 0).0, 1);
    assert_eq!((os.peek(0x0691), os.peek(0x0350)), (1, 0xFF));
    assert_eq!(device.blocks.len(), 2, "it is loaded once");
}

#[test]
fn without_hndlod_the_iocb_is_open_provisionally_until_its_first_use() {
    let mut os = xl();
    let mut device = Peripheral::new(module(b'Z'));
    os.poke(0x02E7, &0x3000u16.to_le_bytes());
    assert_eq!(open(&mut os, &mut device, b"Z:\x9B", 0), 1);
    assert_eq!((os.peek(0x0350), os.peek(0x0351)), (0x7F, 1));
    assert_eq!((os.peek(0x035C), os.peek(0x035D)), (b'Z', 0x6A));
    assert!(device.blocks.is_empty());
    assert_eq!(open(&mut os, &mut device, b"Z:\x9B", 0), 129);
    assert_eq!(cio(&mut os, &mut device, 12, 0).0, 1, "it can be closed");
    assert_eq!(os.peek(0x0350), 0xFF);

    assert_eq!(open(&mut os, &mut device, b"Z:\x9B", 0), 1);
    assert_eq!(cio(&mut os, &mut device, 11, 0x40).0, 1);
    assert_loaded(&os, 0x3000);
    assert_eq!((os.peek(0x0350), os.peek(0x3060)), (15, 0x40));
    assert_eq!(cio(&mut os, &mut device, 7, 0), (1, 0x41));
}

#[test]
fn the_put_vector_of_a_provisionally_open_iocb_loads_too() {
    let mut os = xl();
    let mut device = Peripheral::new(module(b'Z'));
    os.poke(0x02E7, &0x3000u16.to_le_bytes());
    assert_eq!(open(&mut os, &mut device, b"Z:\x9B", 0), 1);
    let put = os.word(0x0356) + 1;
    let registers = Registers {
        a: 0x77,
        x: 16,
        ..Registers::default()
    };
    let after = os
        .try_call_with(put, registers, 600, |machine| device.serve(machine))
        .unwrap();
    assert_eq!((after.y, os.peek(0x3060)), (1, 0x77));
}

#[test]
fn a_device_that_nobody_knows_gives_error_130() {
    let mut os = xl();
    let mut device = Peripheral::new(module(b'Z'));
    assert_eq!(open(&mut os, &mut device, b"Y:\x9B", 1), 130);
    assert_eq!((device.polls, os.peek(0x0350)), (vec![[b'Y', 1]], 0xFF));
}

#[test]
fn a_bad_record_or_a_module_that_does_not_fit_ends_the_loading() {
    let mut os = xl();
    let mut bad = module(b'Z');
    bad[101] = 0x0C;
    let mut device = Peripheral::new(bad);
    assert_eq!(open(&mut os, &mut device, b"Z:\x9B", 1), 130);
    assert_eq!((os.word(0x02E7), os.word(0x03FB)), (0x0700, 0));
    let mut device = Peripheral::new(module(b'Z'));
    os.poke(0x02E7, &os.word(0x02E5).wrapping_sub(40).to_le_bytes());
    let list: Vec<u8> = (0..16).map(|i| os.peek(os.word(0x0230) + i)).collect();
    assert_eq!(open(&mut os, &mut device, b"Z:\x9B", 1), 130);
    let after: Vec<u8> = (0..16).map(|i| os.peek(os.word(0x0230) + i)).collect();
    assert_eq!(after, list, "the display list is not overwritten");
}

#[test]
fn after_the_boot_every_device_may_offer_its_handler() {
    let mut os = Os {
        machine: Machine::new(&config(Model::Xl800, Tv::Ntsc, false)).unwrap(),
        by_frames: false,
    };
    os.machine.insert_disk(0, tests::calls::idle_disk());
    let mut device = Peripheral::new(module(b'Z'));
    device.offers = true;
    let end = 600 * 29_868;
    while os.machine.now() < end && !(0x0720..=0x0723).contains(&os.machine.cpu.pc) {
        device.serve(&mut os.machine);
        os.machine.step_instruction();
    }
    assert_eq!(device.polls, [[0x4F, 0x4F], [0, 0], [0, 0]]);
    assert_loaded(&os, 0x0700);
    assert_eq!(os.word(0x02E7), 0x0762);
}

#[test]
fn a_start_address_of_the_module_is_called() {
    let mut os = xl();
    let mut file = module(b'Z');
    // INC $0692; RTS at the end of the section, called by offset.
    let at = file.len() - 4;
    file.truncate(at);
    file.extend([0x00, 6, 0x70, 0, 0xEE, 0x92, 0x06, 0x60]);
    file.extend([0x0B, 2, 0x70, 0]);
    let mut device = Peripheral::new(file);
    os.poke(0x02E7, &0x3000u16.to_le_bytes());
    os.poke(0x0692, &[0]);
    assert_eq!(open(&mut os, &mut device, b"Z:\x9B", 1), 1);
    assert_eq!((os.peek(0x0692), os.word(0x02E7)), (1, 0x3074));
}

#[test]
fn handlers_come_back_after_reset_behind_the_dos() {
    let mut os = xl();
    let mut device = Peripheral::new(module(b'Z'));
    // DOSINI: MEMLO = $3000, as a DOS does.
    os.poke(
        0x0730,
        &[
            0xA9, 0x30, 0x8D, 0xE8, 0x02, 0xA9, 0, 0x8D, 0xE7, 0x02, 0x60,
        ],
    );
    os.poke(0x02E7, &0x3000u16.to_le_bytes());
    assert_eq!(open(&mut os, &mut device, b"Z:\x9B", 1), 1);
    os.machine.reset();
    os.run(100);
    assert_eq!(os.word(0x02E7), 0x3062);
    assert_eq!((os.peek(0x0329), os.word(0x032A)), (b'Z', 0x3000));
}

#[test]
fn a_machine_without_such_devices_is_ready_within_five_seconds() {
    let mut atari = Atari::new(&config(Model::Xl800, Tv::Ntsc, true));
    assert!(atari.wait_for_text("READY", 300));
}

#[test]
fn status_and_special_commands_by_name_load_the_handler_too() {
    for (command, status) in [(13, 1), (40, 146)] {
        let mut os = xl();
        let mut device = Peripheral::new(module(b'Z'));
        os.poke(0x02E7, &0x3000u16.to_le_bytes());
        os.poke(0x0600, b"Z2:\x9B");
        os.poke(0x0354, &[0x00, 0x06]);
        assert_eq!(cio(&mut os, &mut device, command, 0).0, status);
        assert_eq!(device.polls, [[b'Z', 2]]);
        assert_loaded(&os, 0x3000);
        assert_eq!(os.peek(0x0350), 0xFF, "the IOCB stays closed");
        assert_eq!(cio(&mut os, &mut device, command, 0).0, status);
        assert_eq!(device.polls.len(), 1, "now it is known");
        os.poke(0x0600, b"Y");
        assert_eq!(cio(&mut os, &mut device, command, 0).0, 130);
    }
}

#[test]
fn the_open_of_a_provisionally_open_iocb_gets_the_name() {
    let mut os = xl();
    let mut file = module(b'Z');
    // OPEN notes the byte at (ICBAZ),3 instead: LDY #3; LDA (ICBAZ),Y; JMP to the store of the old one
    file.splice(
        4 + 0x20..4 + 0x28,
        [0xA0, 3, 0xB1, 0x24, 0x4C, 0xB0, 0x06, 0],
    );
    os.poke(0x06B0, &[0x8D, 0x90, 0x06, 0xA0, 1, 0x60]);
    let mut device = Peripheral::new(file);
    os.poke(0x02E7, &0x3000u16.to_le_bytes());
    assert_eq!(open(&mut os, &mut device, b"Z2:N.TXT\x9B", 0), 1);
    // PUT RECORD from another buffer.
    os.poke(0x0500, b"DATA\x9B");
    os.poke(0x0352, &[9, 0, 0x00, 0x05]);
    os.poke(0x0358, &[40, 0]);
    let registers = Registers {
        x: 16,
        ..Registers::default()
    };
    let after = os
        .try_call_with(0xE456, registers, 600, |machine| device.serve(machine))
        .unwrap();
    assert_eq!(after.y, 1);
    assert_eq!(os.peek(0x0690), b'N', "what OPEN saw");
    assert_eq!(os.peek(0x3060), 0x9B, "the record has been written");
    assert_eq!((os.word(0x0358), os.word(0x0354)), (5, 0x0500));
}
