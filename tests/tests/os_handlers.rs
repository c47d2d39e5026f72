//! The assumptions that CIO and the handlers of devices may make of each other, by a handler that looks at everything and disturbs what it may.
//!
//! From the OS user's manual, Mapping the Atari, and what DOS 2.0S and 2.5 do: their PUT looks at its return address, takes a caller below
//! $DF00 for BASIC, which has not set the zero page IOCB, and then clears ICCOMZ; a caller above is CIO, and whole sectors of GET and PUT
//! CHARACTERS go between the disk and the buffer at ICBALZ, which moves on with ICBLLZ (burst transfer).

use machine::{Machine, Model, Tv};
use tests::calls::{Os, Registers};

const MODELS: [Model; 4] = [Model::Atari400, Model::Atari800, Model::Xl800, Model::Xe130];

const ICCOMT: u16 = 0x17;
const ZIOCB: u16 = 0x20;
const ICCOMZ: u16 = 0x22;
const ICBALZ: u16 = 0x24;
const ICBLLZ: u16 = 0x28;
const HATABS: u16 = 0x031A;
const IOCB: u16 = 0x0340;
const CIOV: u16 = 0xE456;

const TABLE: u16 = 0x2000;
/// The handler's routines, each one RTS: OPEN, CLOSE, GET, PUT, STATUS, SPECIAL.
const ENTRIES: u16 = 0x2020;
const BUFFER: u16 = 0x2800;
const NUMBER: u8 = 3;
const BASE: u16 = IOCB + NUMBER as u16 * 16;
const EOL: u8 = 0x9B;

const GET: u16 = 2;
const PUT: u16 = 3;

/// One call of the handler.
#[derive(Clone, Debug)]
struct Call {
    /// 0 OPEN, 1 CLOSE, 2 GET, 3 PUT, 4 STATUS, 5 SPECIAL.
    routine: u16,
    a: u8,
    x: u8,
    y: u8,
    p: u8,
    /// Return address.
    caller: u16,
    ziocb: [u8; 16],
}

/// The device X:, a file in the test's memory.
#[derive(Clone, Default)]
struct Device {
    calls: Vec<Call>,
    /// GET takes from here, status 136 at its end.
    source: Vec<u8>,
    taken: usize,
    /// PUT appends here.
    sink: Vec<u8>,
    /// GET and PUT move this many bytes at once when more than that are wanted; 0 = never.
    burst: u16,
    /// Status of everything but the end of the file.
    status: u8,
    /// Bytes to write over ICCOMZ in each call.
    command: Option<u8>,
    /// Returned by all routines but GET.
    returned: Option<u8>,
    /// S at the instruction before, if that was at an entry, and at an entry that an interrupt will return to.
    visited: Option<u8>,
    interrupted: Option<u8>,
}

impl Device {
    fn new(source: &[u8]) -> Self {
        Self {
            source: source.to_vec(),
            status: 1,
            ..Self::default()
        }
    }

    /// Acts when the processor stands at one of the entries.
    fn watch(&mut self, machine: &mut Machine) {
        let s = machine.cpu.s;
        if let Some(at) = self.visited.take().filter(|at| s == at.wrapping_sub(3)) {
            self.interrupted = Some(at);
        }
        let Some(routine) = machine.cpu.pc.checked_sub(ENTRIES).filter(|&r| r < 6) else {
            return;
        };
        // It has been served already: an interrupt came before the routine's first instruction.
        if self.interrupted.take_if(|at| *at == s).is_some() {
            return;
        }
        self.visited = Some(s);
        let stack = |depth: u8| 0x0100 + u16::from(s.wrapping_add(depth));
        let caller = u16::from_le_bytes([machine.peek(stack(1)), machine.peek(stack(2))]) + 1;
        let mut ziocb = [0; 16];
        for (at, byte) in (ZIOCB..).zip(&mut ziocb) {
            *byte = machine.peek(at);
        }
        self.calls.push(Call {
            routine,
            a: machine.cpu.a,
            x: machine.cpu.x,
            y: machine.cpu.y,
            p: machine.cpu.p(),
            caller,
            ziocb,
        });
        machine.cpu.y = self.status;
        let burst = self.burst > 0
            && caller >= 0xDF00
            && ziocb[2] & 2 != 0
            && machine.peek_word(ICBLLZ) > self.burst;
        match routine {
            GET => {
                if burst {
                    let buffer = machine.peek_word(ICBALZ);
                    for at in buffer..buffer + self.burst {
                        machine.poke(at, self.source[self.taken]);
                        self.taken += 1;
                    }
                    self.moved(machine);
                }
                match self.source.get(self.taken) {
                    Some(&byte) => machine.cpu.a = byte,
                    None => machine.cpu.y = 136,
                }
                self.taken += 1;
            }
            PUT if burst => {
                // The byte in A is the first of them; CIO counts the last.
                let buffer = machine.peek_word(ICBALZ);
                self.sink
                    .extend((buffer..=buffer + self.burst).map(|at| machine.peek(at)));
                self.moved(machine);
            }
            PUT => self.sink.push(machine.cpu.a),
            _ => {}
        }
        if let Some(a) = self.returned.filter(|_| routine != GET) {
            machine.cpu.a = a;
        }
        // DOS 2, called by BASIC.
        if caller < 0xDF00 {
            machine.poke(ICCOMZ, 0);
        }
        if let Some(command) = self.command {
            machine.poke(ICCOMZ, command);
        }
    }

    fn moved(&self, machine: &mut Machine) {
        for (cell, by) in [
            (ICBALZ, self.burst),
            (ICBLLZ, 0u16.wrapping_sub(self.burst)),
        ] {
            let [low, high] = machine.peek_word(cell).wrapping_add(by).to_le_bytes();
            machine.poke(cell, low);
            machine.poke(cell + 1, high);
        }
    }

    /// CIO on IOCB 3 as it is. Returns the registers.
    fn cio(&mut self, os: &mut Os, a: u8) -> Registers {
        let registers = Registers {
            a,
            x: NUMBER * 16,
            y: 0,
            p: 0,
        };
        os.try_call_with(CIOV, registers, 600, |machine| self.watch(machine))
            .expect("CIO returns")
    }

    /// A command with BUFFER.
    fn command(&mut self, os: &mut Os, command: u8, length: usize) -> Registers {
        os.poke(BASE + 2, &[command]);
        os.poke(BASE + 4, &BUFFER.to_le_bytes());
        os.poke(BASE + 8, &(length as u16).to_le_bytes());
        self.cio(os, 0x55)
    }

    /// OPEN "X2:" with AUX1 and AUX2.
    fn open(&mut self, os: &mut Os, aux: [u8; 2]) -> Registers {
        os.poke(BUFFER, b"X2:NAME.EXT\x9B");
        os.poke(BASE + 10, &aux);
        self.command(os, 3, 0)
    }
}

fn os(model: Model) -> Os {
    let mut os = Os::new(&tests::config(model, Tv::Ntsc, false));
    for routine in 0..6 {
        os.poke(TABLE + routine * 2, &(ENTRIES + routine - 1).to_le_bytes());
        os.poke(ENTRIES + routine, &[0x60]);
    }
    os.poke(HATABS + 15, &[b'X', TABLE as u8, (TABLE >> 8) as u8]);
    os
}

/// An open X: and its machine.
fn opened(model: Model, source: &[u8]) -> (Os, Device) {
    let mut os = os(model);
    let mut device = Device::new(source);
    assert_eq!(device.open(&mut os, [12, 0]).y, 1);
    device.calls.clear();
    (os, device)
}

fn buffer(os: &Os, length: usize) -> Vec<u8> {
    (BUFFER..).take(length).map(|at| os.peek(at)).collect()
}

/// Bytes of all values, as of a saved program; line 155 has an EOL in its number.
fn program(length: usize) -> Vec<u8> {
    (0..length)
        .map(|i| if i % 155 == 33 { EOL } else { (i * 7) as u8 })
        .collect()
}

/// A saved BASIC program with line 155, through a handler that takes whoever calls from below $DF00 for BASIC.
#[test]
fn save155_characters_are_written_beyond_an_eol() {
    for model in MODELS {
        let (mut os, mut device) = opened(model, &[]);
        let bytes = program(700);
        os.poke(BUFFER, &bytes);
        let after = device.command(&mut os, 11, bytes.len());
        assert_eq!((after.y, after.a), (1, *bytes.last().unwrap()), "{model:?}");
        assert!(
            device.sink == bytes,
            "{model:?}: {} bytes",
            device.sink.len()
        );
        assert_eq!(usize::from(os.word(BASE + 8)), bytes.len());
    }
}

#[test]
fn handlers_are_called_from_the_upper_rom() {
    for model in MODELS {
        let (mut os, mut device) = opened(model, b"ABC\x9B");
        os.poke(BUFFER, b"UVW\x9B");
        for command in [5, 7, 9, 11, 13, 14, 38, 254, 12, 3] {
            device.taken = 0;
            device.command(&mut os, command, if command < 12 { 2 } else { 0 });
        }
        let mut routines: Vec<u16> = device.calls.iter().map(|call| call.routine).collect();
        routines.sort_unstable();
        routines.dedup();
        assert_eq!(routines, [1, 2, 3, 4, 5], "{model:?}");
        for call in &device.calls {
            assert!(call.caller >= 0xDF00, "{model:?} {call:04X?}");
        }
    }
}

/// Whatever a handler leaves in ICCOMZ, the command is the one that the program gave.
#[test]
fn the_command_is_the_iocbs_own() {
    let text = b"ABC\x9BDEFG\x9BHI";
    for model in MODELS {
        for command in [
            None,
            Some(0),
            Some(5),
            Some(7),
            Some(9),
            Some(11),
            Some(0xFF),
        ] {
            let what = format!("{model:?} {command:?}");
            let (mut os, mut device) = opened(model, text);
            device.command = command;
            // Records: to the EOL; cut off, and its rest dropped.
            assert_eq!(device.command(&mut os, 5, 20).y, 1, "{what}");
            assert_eq!((os.word(BASE + 8), device.taken), (4, 4), "{what}");
            assert_eq!(buffer(&os, 4), b"ABC\x9B");
            assert_eq!(device.command(&mut os, 5, 3).y, 137, "{what}");
            assert_eq!((os.word(BASE + 8), device.taken), (3, 9), "{what}");
            // Characters: all of them, and the end of the file.
            device.taken = 0;
            assert_eq!(device.command(&mut os, 7, 11).y, 1, "{what}");
            assert_eq!(buffer(&os, 11), text, "{what}");
            assert_eq!(device.command(&mut os, 7, 5).y, 136, "{what}");
            assert_eq!(os.word(BASE + 8), 0, "{what}");
            // Records out: to the EOL, and one is added; characters out.
            for (record, length, sent) in [
                (9, 11, &text[..4]),
                (9, 3, b"ABC\x9B"),
                (11, 3, b"ABC"),
                (11, 11, text),
            ] {
                device.sink.clear();
                os.poke(BUFFER, text);
                assert_eq!(device.command(&mut os, record, length).y, 1, "{what}");
                assert_eq!(
                    device.sink, sent,
                    "{what}: command {record}, {length} bytes"
                );
            }
            // One byte in A, of both kinds.
            for single in [9, 11] {
                device.sink.clear();
                assert_eq!(device.command(&mut os, single, 0).y, 1);
                assert_eq!(device.sink, [0x55], "{what}");
            }
            for single in [5, 7] {
                device.taken = 0;
                assert_eq!(device.command(&mut os, single, 0).a, b'A', "{what}");
            }
        }
    }
}

/// Whole sectors go past CIO, which continues with the pointers as the handler left them.
#[test]
fn burst_transfers_move_the_zero_page_pointers() {
    for model in MODELS {
        for length in [124, 125, 126, 127, 250, 251, 300, 625, 1000] {
            let what = format!("{model:?} {length}");
            let bytes = program(1200);
            let (mut os, mut device) = opened(model, &bytes);
            device.burst = 125;
            os.poke(BUFFER, &[0xEE; 1200]);
            assert_eq!(device.command(&mut os, 7, length).y, 1, "{what}");
            assert_eq!(usize::from(os.word(BASE + 8)), length, "{what}");
            assert_eq!(
                usize::from(os.word(ICBLLZ)),
                length,
                "as DOS II+/D has it, {what}"
            );
            assert!(buffer(&os, length) == bytes[..length], "{what}");
            assert_eq!(os.peek(BUFFER + length as u16), 0xEE, "{what}");
            assert_eq!(device.taken, length, "{what}");
            let calls = device.calls.len();
            assert!(calls <= 125 + 8, "{what}: {calls} calls, no burst");
            // And back.
            device.calls.clear();
            assert_eq!(device.command(&mut os, 11, length).y, 1, "{what}");
            assert_eq!(usize::from(os.word(BASE + 8)), length, "{what}");
            assert!(device.sink == bytes[..length], "{what}");
            let calls = device.calls.len();
            assert!(calls <= 125 + 8, "{what}: {calls} calls, no burst");
            assert_eq!(os.word(BASE + 4), BUFFER, "ICBA stays");
        }
    }
}

#[test]
fn a_handler_finds_its_registers_and_the_zero_page_iocb() {
    for model in MODELS {
        let mut os = os(model);
        let mut device = Device::new(b"AB");
        os.poke(BASE + 12, &[0xC1, 0xC2, 0xC3, 0xC4]);
        device.open(&mut os, [12, 0x37]);
        os.poke(BUFFER, b"X2:");
        for (command, length) in [(7, 1), (7, 0), (11, 2), (11, 0), (13, 0), (38, 0), (12, 0)] {
            device.command(&mut os, command, length);
        }
        let want: [(u16, u8, Option<u8>, u16); 9] = [
            (0, 3, None, 0),
            (2, 7, None, 1),
            (2, 7, None, 0),
            (3, 11, Some(b'A'), 2),
            (3, 11, Some(b'2'), 1),
            (3, 11, Some(0x55), 0),
            (4, 13, None, 0),
            (5, 38, None, 0),
            (1, 12, None, 0),
        ];
        assert_eq!(device.calls.len(), want.len(), "{:04X?}", device.calls);
        for (call, (routine, command, byte, left)) in device.calls.iter().zip(want) {
            let what = format!("{model:?} {call:02X?}");
            assert_eq!(call.routine, routine, "{what}");
            assert_eq!((call.x, call.y), (NUMBER * 16, 146), "X and Y, {what}");
            assert_eq!(call.p & 8, 0, "decimal mode, {what}");
            let z = &call.ziocb;
            assert_eq!((z[0], z[1], z[2]), (15, 2, command), "{what}");
            assert_eq!([z[10], z[11]], [12, 0x37], "AUX, {what}");
            assert_eq!(u16::from_le_bytes([z[8], z[9]]), left, "ICBLLZ, {what}");
            assert_eq!(
                (z[14], z[15]),
                (NUMBER * 16, call.a),
                "ICIDNO, CIOCHR, {what}"
            );
            if let Some(byte) = byte {
                assert_eq!(call.a, byte, "{what}");
            }
        }
        // ICBALZ moves on with the bytes.
        let pointers: Vec<u16> = device.calls[3..5]
            .iter()
            .map(|call| u16::from_le_bytes([call.ziocb[4], call.ziocb[5]]))
            .collect();
        assert_eq!(pointers, [BUFFER, BUFFER + 1]);
        let spare: Vec<u8> = (12..16).map(|i| os.peek(BASE + i)).collect();
        assert_eq!(
            spare,
            [0xC1, 0xC2, 0xC3, 0xC4],
            "ICAX3 to ICAX6 are the handler's"
        );
    }
}

/// At each exit: X the IOCB, Y the status with N set from it, C set, A what the handler left, ICSTA.
#[test]
fn the_registers_at_each_exit_are_the_programs() {
    for model in MODELS {
        for status in [1, 3, 0x7F, 128, 136, 162, 255] {
            let what = format!("{model:?} {status}");
            let (mut os, mut device) = opened(model, b"ABCDEFGH");
            device.status = status;
            device.returned = Some(0xA7);
            os.poke(BUFFER, b"X2:");
            for (command, length) in [(7, 0), (7, 2), (11, 0), (11, 2), (13, 0), (38, 0), (12, 0)] {
                let after = device.command(&mut os, command, length);
                let what = format!("{what}, command {command}, {length} bytes");
                assert_eq!((after.x, after.y), (NUMBER * 16, status), "{what}");
                assert_eq!(os.peek(BASE + 3), status, "ICSTA, {what}");
                let n = if status >= 128 { 0x80 } else { 0 };
                assert_eq!(after.p & 0x81, n | 1, "N and C, {what}");
                if command > 7 {
                    assert_eq!(after.a, 0xA7, "{what}");
                }
                assert_eq!(os.word(BASE + 4), BUFFER, "ICBA, {what}");
            }
            assert_eq!(os.peek(BASE), 0xFF, "closed whatever the status, {what}");
        }
    }
}

/// The EOL that ends a record is the program's byte, not what the handler leaves in A.
#[test]
fn a_put_may_return_any_byte() {
    for model in MODELS {
        for returned in [0, EOL, 0xFF] {
            let (mut os, mut device) = opened(model, &[]);
            device.returned = Some(returned);
            os.poke(BUFFER, b"AB\x9BC");
            assert_eq!(device.command(&mut os, 9, 4).y, 1);
            assert_eq!(device.sink, b"AB\x9B", "{model:?} {returned}");
        }
    }
}

/// A handler that calls CIO for another device keeps the zero page IOCB, all sixteen bytes; no more of CIO needs keeping.
#[test]
fn a_handler_may_call_cio_when_it_keeps_the_zero_page_iocb() {
    for model in MODELS {
        for command in [5, 7, 9, 11] {
            let (mut os, mut device) = opened(model, &program(40));
            os.poke(BUFFER, &program(40));
            // GET and PUT of X: JMP to: save $20-$2F, print "*" on IOCB 0, restore; INC the byte at $21F0 and return it with status 1.
            os.poke(
                0x2100,
                &[
                    0xA2, 15, 0xB5, 0x20, 0x9D, 0x00, 0x22, 0xCA, 0x10,
                    0xF8, // LDX #15; LDA $20,X; STA $2200,X; DEX; BPL
                    0xA2, 0, 0xA9, 11, 0x8D, 0x42, 0x03, 0x8E, 0x48, 0x03, 0x8E, 0x49,
                    0x03, // PUT CHARACTERS, length 0
                    0xA9, b'*', 0x20, 0x56, 0xE4, // LDA #'*'; JSR CIOV
                    0xA2, 15, 0xBD, 0x00, 0x22, 0x95, 0x20, 0xCA, 0x10, 0xF8, // back
                    0xEE, 0xF0, 0x21, 0xAD, 0xF0, 0x21, 0xA0, 1, 0x60,
                ],
            );
            os.poke(TABLE + GET * 2, &0x20FFu16.to_le_bytes());
            os.poke(TABLE + PUT * 2, &0x20FFu16.to_le_bytes());
            os.poke(0x21F0, &[0]);
            // GET RECORD reads on to the EOL, the byte $9B; PUT RECORD adds one.
            let (status, calls) = match command {
                5 => (137, EOL),
                9 => (1, 21),
                _ => (1, 20),
            };
            let after = device.command(&mut os, command, 20);
            assert_eq!(after.y, status, "{model:?} {command}");
            assert_eq!(os.peek(0x21F0), calls, "{model:?} {command}");
            assert_eq!(os.word(BASE + 8), 20, "{model:?} {command}");
        }
    }
}

/// BASIC's PRINT goes to the handler by the PUT vector in the IOCB, past CIO: no zero page IOCB, X and A only.
#[test]
fn the_put_vector_of_an_iocb_calls_the_handler_itself() {
    for model in MODELS {
        let (mut os, mut device) = opened(model, &[]);
        assert_eq!(os.word(BASE + 6), ENTRIES + PUT - 1);
        os.poke(ZIOCB, &[0xA5; 16]);
        let registers = Registers {
            a: EOL,
            x: NUMBER * 16,
            y: 0,
            p: 0,
        };
        let put = |os: &mut Os, device: &mut Device| {
            let entry = os.word(BASE + 6) + 1;
            os.try_call_with(entry, registers, 60, |machine| device.watch(machine))
                .expect("the handler returns")
        };
        assert_eq!(put(&mut os, &mut device).y, 1);
        assert_eq!(device.sink, [EOL]);
        assert!(device.calls[0].caller < 0xDF00, "a caller that is not CIO");
        // CIO continues as if nothing had been.
        os.poke(BUFFER, b"A\x9BB");
        assert_eq!(device.command(&mut os, 11, 3).y, 1);
        assert_eq!(device.sink, b"\x9BA\x9BB", "{model:?}");
        // Closed: the vector leads to "not open".
        assert_eq!(device.command(&mut os, 12, 0).y, 1);
        assert_eq!(put(&mut os, &mut device).y, 133, "{model:?}");
    }
}

/// STATUS and the special commands open a closed IOCB for their time only; AUX1 and AUX2 come back as the handler left them.
#[test]
fn special_commands_work_by_name_on_a_closed_iocb() {
    for model in MODELS {
        let mut os = os(model);
        let mut device = Device::new(&[]);
        for command in [13, 14, 32, 255] {
            device.calls.clear();
            os.poke(BUFFER, b"X4:OLD,NEW\x9B");
            os.poke(BASE + 10, &[0, 0x80]);
            assert_eq!(device.command(&mut os, command, 0).y, 1);
            assert_eq!(device.calls.len(), 1);
            let z = &device.calls[0].ziocb;
            assert_eq!((z[1], z[2]), (4, command), "{model:?}");
            assert_eq!(device.calls[0].routine, if command == 13 { 4 } else { 5 });
            assert_eq!(
                (os.peek(BASE), os.peek(BASE + 11)),
                (0xFF, 0x80),
                "{model:?}"
            );
        }
    }
}

/// A command changes only CIO's own cells of pages 0, 2 and 3, the IOCB, the clocks of the vertical blank, and HNDLOD of the XL.
#[test]
fn cio_changes_no_variable_but_its_own() {
    for model in MODELS {
        let (mut os, mut device) = opened(model, &program(400));
        os.poke(0x0218, &[0, 0]); // the boot's time limit
        let pages = |os: &Os| -> Vec<(u16, u8)> {
            (0..0x100u16)
                .chain(0x200..0x400)
                .map(|at| (at, os.peek(at)))
                .collect()
        };
        for (command, length) in [
            (7, 100),
            (5, 60),
            (11, 90),
            (9, 90),
            (13, 0),
            (40, 0),
            (12, 0),
            (3, 0),
        ] {
            os.poke(BUFFER, b"X2:NAME\x9B");
            os.poke(0x15, &[0x5A, 0xA5]);
            os.poke(0x43, &[1, 2, 3, 4, 5, 6, 7]);
            os.poke(0x1A, &[8, 9]);
            let before = pages(&os);
            device.command(&mut os, command, length);
            for ((at, old), (_, new)) in before.into_iter().zip(pages(&os)) {
                let own = matches!(at, ICCOMT | 0x20..=0x2F | 0x12..=0x14 | 0x02E9)
                    || (BASE..BASE + 12).contains(&at);
                assert!(
                    own || old == new,
                    "{model:?}: command {command} changes ${at:04X}"
                );
            }
        }
    }
}
